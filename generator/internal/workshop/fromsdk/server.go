package fromsdk

import (
	"cmp"
	"fmt"
	"go/types"
	"slices"
	"strings"

	"golang.org/x/tools/go/packages"

	"github.com/mrgen-io/mrgen/generator/internal/gotypes"
	"github.com/mrgen-io/mrgen/markers"
)

// A Server is how tests have the SDK ask a server over HTTP, which knows only names of fields in JSON.
type Server struct {
	// Client is the body of a function that makes a client of an address, "" if nobody knows. NoHTTP is set if the SDK can't ask the
	// server, since no package of it sends requests over HTTP.
	Client string
	NoHTTP bool
	// Key is the field of the object that has the own key, which may be a Number, and Value that of a variable called
	// object.
	Key, Value string
	Number     bool
	// Envelopes may be around the object in answers.
	Envelopes []string
	// Types are those of the object and of the requests, if JSON has what Go says.
	Types []string
	// Keeps are fields with the value of an argument, Reorders lists without order, and Hides fields that the API returns
	// in another form.
	Keeps, Reorders, Hides []string
	// AWS is set for clients of AWS.
	AWS *AWS
	// List says how objects are listed, as fields of a literal, "" if they are read alone.
	List string
}

// speaksHTTP reports whether the SDK sends requests that a server in tests understands.
func (r *reader) speaksHTTP(c *calls) bool {
	hasXML := r.isAWS() && r.pkg.Imports["encoding/xml"] != nil
	isWrapped := r.isAWS() && c.client != nil // such as lists, whose pages the server doesn't turn
	return !c.get.isRemote() && !hasXML && !isWrapped
}

// sendsHTTP reports whether the SDK imports a client of HTTP, by way of other packages, too.
func (r *reader) sendsHTTP() (sends bool) {
	packages.Visit([]*packages.Package{r.pkg}, func(p *packages.Package) bool {
		sends = sends || p.PkgPath == "net/http" || p.PkgPath == "github.com/valyala/fasthttp"
		return p.PkgPath != "net/rpc" // which imports HTTP and speaks its own protocol
	}, nil)
	return sends
}

// serve finds the facts that a server in tests needs.
func (r *reader) serve(c *calls) {
	s, jsonKey := &Server{Envelopes: envelopes(r.observe.Obj().Name(), r.options.Kind)}, jsonKey
	if r.isAWS() {
		s.AWS, s.Envelopes = r.aws(), r.awsEnvelopes(c)
		jsonKey = func(s *source) string { return s.v.Name() } // in Go, whose case the server learns
	} else if s.NoHTTP = !r.sendsHTTP(); !s.NoHTTP {
		s.Client = r.construct(c, true)
	}
	if own := c.own.observed; own != nil {
		s.Key, s.Value, s.Number = jsonKey(own), "object."+own.way(), isInteger(gotypes.Deref(own.v.Type()))
	}
	if c.own.created != nil {
		s.Key = jsonKey(c.own.created)
	}
	isTagged := slices.ContainsFunc(r.sources(r.observe), func(s *source) bool { return s.tag.Get("json") != "" })
	if isTagged || s.AWS != nil {
		s.Types = each(append([]*types.Named{r.observe}, r.requests()...), func(t *types.Named) string { return r.text(t) })
	}
	for _, p := range c.parents {
		if seen := counterpartNamed(r.sources(r.observe), gotypes.PlainName(p.field.Name)); seen != nil {
			s.Keeps = append(s.Keeps, jsonKey(seen))
		}
	}
	for _, f := range r.kind.Parameters {
		switch {
		case f.from == nil:
		case slices.Contains(f.Markers, "+"+markers.Diff+"=unordered"):
			s.Reorders = append(s.Reorders, jsonKey(f.from))
		case slices.Contains(f.Markers, "+"+markers.Mirror+"=false") && counterpart(r.sources(r.observe), f.from) != nil:
			s.Hides = append(s.Hides, jsonKey(f.from))
		}
	}
	if l := c.get.list; l != nil {
		s.List = fmt.Sprintf("Items: %q, Next: %q, Pages: %t, Number: %t", l.itemsKey, l.nextKey, l.nextKey != "", l.nextIsNumber)
	}
	r.kind.Server = s
}

// tagged returns the name of a field in requests and answers by its tags, "" if they have none.
func (s *source) tagged() string {
	for _, key := range []string{"json", "url", "mapstructure"} {
		if name, _, _ := strings.Cut(s.tag.Get(key), ","); name != "" && name != "-" {
			return name
		}
	}
	return ""
}

// jsonKey returns the name of a field in requests and answers.
func jsonKey(s *source) string { return cmp.Or(s.tagged(), strings.Join(words(s.v.Name()), "_")) }

// envelopes returns the names of fields that may hold the object in answers.
func envelopes(names ...string) []string {
	var all []string
	for _, name := range names {
		of := words(name)
		all = append(all, strings.Join(of, "_"), camel(name), of[len(of)-1])
	}
	var found []string
	for _, name := range append(all, "data", "result", "item") {
		if !slices.Contains(found, name) {
			found = append(found, name)
		}
	}
	return found
}
