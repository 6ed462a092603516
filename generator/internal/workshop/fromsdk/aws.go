package fromsdk

import (
	"go/types"
	"net/http"
	"os"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"

	"golang.org/x/tools/go/packages"

	"github.com/mrgen-io/mrgen/generator/internal/gotypes"
)

// AWS is how tests ask a server with a client of AWS.
type AWS struct {
	// Package is the name of the service's package, and Core that of the package with credentials, "" if there is none.
	Package, Core string
	// Protocol makes a protocol with JSON, "" if the service has one.
	Protocol string
	// Calls are the methods of HTTP for the calls, and Missing is the error for an absent object, "" if nobody knows.
	Calls   map[string]string
	Missing string
}

// Packages that clients of AWS import.
const (
	awsCore      = "github.com/aws/aws-sdk-go-v2/aws"
	awsProtocols = "github.com/aws/smithy-go/transport/http/protocol/"
)

// isAWS reports whether the SDK is made as those of AWS are: its clients have options with an endpoint.
func (r *reader) isAWS() bool {
	options, _ := r.pkg.Types.Scope().Lookup("Options").(*types.TypeName)
	return options != nil && hasField(gotypes.StructOf(options.Type()), "BaseEndpoint")
}

// aws returns how tests ask a server.
func (r *reader) aws(c *calls, f *file) *AWS {
	a := &AWS{Package: f.qualify(r.pkg.Types), Missing: r.kind.NotFound.Error, Calls: map[string]string{c.delete.name: http.MethodDelete}}
	if c.update != nil {
		a.Calls[c.update.name] = http.MethodPut
	}
	if c.update != c.create {
		a.Calls[c.create.name] = http.MethodPost
	}
	a.Calls[c.get.name] = http.MethodGet
	if core := r.pkg.Imports[awsCore]; core != nil {
		a.Core = f.qualify(core.Types)
	}
	schemas := r.pkg.Imports[r.pkg.PkgPath+"/schemas"]
	if schemas == nil || r.pkg.Imports[awsProtocols+"awsjson"] != nil || r.pkg.Imports[awsProtocols+"restjson1"] != nil {
		return a
	}
	for service := range exported[*types.Var](schemas.Types) {
		if gotypes.IsDeclaredIn(gotypes.Deref(service.Type()), "github.com/aws/smithy-go", "ServiceSchema") {
			f.add(strconv.Quote(awsProtocols + "awsjson"))
			a.Protocol = "awsjson.New11(" + f.qualify(schemas.Types) + "." + service.Name() + ")"
		}
	}
	return a
}

// awsKey returns the name of a field in the JSON of AWS: that in Go, which starts with a lower letter if most names do so in the
// source.
func (r *reader) awsKey() func(*source) string {
	lower := func(name string) string { return strings.ToLower(name[:1]) + name[1:] }
	lowers := 0
	for _, p := range []*packages.Package{r.pkg, r.pkg.Imports[r.pkg.PkgPath+"/schemas"]} {
		if p == nil {
			continue
		}
		for _, file := range p.GoFiles {
			if filepath.Base(file) == "validators.go" { // which has the names in Go
				continue
			}
			text, _ := os.ReadFile(file)
			for _, s := range r.sources(r.observe) {
				if strings.Contains(string(text), strconv.Quote(lower(s.v.Name()))) {
					lowers++
				}
				if strings.Contains(string(text), strconv.Quote(s.v.Name())) {
					lowers--
				}
			}
		}
	}
	return func(s *source) string {
		if lowers > 0 {
			return lower(s.v.Name())
		}
		return s.v.Name()
	}
}

// awsEnvelopes returns the names of fields in answers that have the object, with [] after that of a list.
func (r *reader) awsEnvelopes(c *calls, key func(*source) string) []string {
	var all []string
	for _, a := range []access{c.getObject, c.createObject} {
		if a.field == nil {
			continue
		}
		name := key(&source{v: a.field})
		if a.inList {
			name += "[]"
		}
		all = append(all, name)
	}
	if path := r.keyIn(c); len(path) > 2 {
		all = append(all, key(&source{v: path[1]}))
	}
	return all
}

// awaitsError matches the error in the source of an operation of AWS that ends the wait for its object.
var awaitsError = regexp.MustCompile(`errorType \*types\.(\w+)|"(\w+)" == apiErr`)

// awaited returns what the error for an absent object starts with, by the source of the method that reads it: waiters know it. It
// returns "" if there is none.
func (r *reader) awaited(m *method) string {
	text, _ := os.ReadFile(r.pkg.Fset.Position(m.object.Pos()).Filename)
	for _, match := range awaitsError.FindAllStringSubmatch(string(text), -1) {
		if name := match[1] + match[2]; saysNotFound.MatchString(name) {
			return name
		}
	}
	return ""
}
