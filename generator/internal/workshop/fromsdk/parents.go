package fromsdk

import (
	"fmt"
	"go/types"
	"slices"
	"strings"

	"github.com/mrgen-io/mrgen/generator/internal/gotypes"
	"github.com/mrgen-io/mrgen/markers"
)

// References are how fields of the kind refer to managed resources.
type References struct {
	// Kind returns the type of another kind of the provider as markers name it, by its name without case. It
	// returns "" if there is none, or several.
	Kind func(name string) string
	// Reference and Selector are the types of the fields beside the value.
	Reference, Selector string
}

// identify makes a field one by which the external resource is found.
func (f *Field) identify() {
	f.Type, f.Tag = strings.TrimPrefix(f.Type, "*"), f.json
	f.drop("+optional", "+"+markers.ValidationRequired)
	if f.said != nil {
		f.Comment = f.said // since an identifier is never empty
	}
	f.mark(markers.Identifier)
	f.mark(markers.Immutable)
}

// addParents adds parameters for the arguments that tell what is around the external resource.
func (r *reader) addParents(c *calls, objects []*source) {
	var added []*Field
	for _, p := range c.parents {
		if p.field != nil {
			continue
		}
		name := parentName(p.v.Name(), objects)
		seen := counterpartNamed(objects, gotypes.PlainName(name))
		if seen != nil && (!isKey(seen.v.Type()) || types.IsInterface(gotypes.Deref(seen.v.Type()))) {
			seen = nil
		}
		of := gotypes.Deref(p.v.Type())
		if types.IsInterface(of) && seen != nil { // which says more
			of = gotypes.Deref(seen.v.Type())
		}
		typ := kindOf(of)
		f := &Field{Name: name, json: camel(name), Type: typ, Comment: []string{name + " tells where the external resource is."}}
		f.identify()
		f.addEnum(of, "")
		r.limit(name, of)
		if types.IsInterface(gotypes.Deref(p.v.Type())) {
			f.Checks = append(f.Checks, fmt.Sprintf("the SDK takes any value for it, as %s", p.v.Name()))
		} else if !slices.Equal(words(name), words(p.v.Name())) {
			r.askField(f, name+" is what the SDK calls "+p.v.Name())
		}
		if p.isUnencoded && !slices.ContainsFunc(r.leaves(c.get), p.isNamed) {
			r.askField(f, "only requests have it, beside their JSON")
		}
		if typ == "string" && r.isSecret(f) {
			f.Checks = append(f.Checks, "this looks like a secret, which manifests show: take it from the credentials in newClient")
			r.suggest("a secret in an argument", name, inTypes, f.Checks[len(f.Checks)-1])
		}
		if seen == nil || gotypes.IsString(gotypes.Deref(seen.v.Type())) != (typ == "string") {
			f.mark(markers.Mirror + "=false")
		}
		p.field = f
		r.leaveAside(f)
		added = append(append(added, f), r.refer(f)...)
	}
	r.kind.Parameters = append(added, r.kind.Parameters...)
}

// leaveAside keeps an argument out of requests that have something else of its name, such as a whole user as the owner.
func (r *reader) leaveAside(f *Field) {
	sending := []*Conversion{&r.kind.Conversions.Create, &r.kind.Conversions.Update}
	for i, t := range r.requests() {
		if s := counterpartNamed(r.sources(t), gotypes.PlainName(f.Name)); s != nil && !isKey(s.v.Type()) {
			sending[i].Markers = append(sending[i].Markers, "+"+markers.ConvertIgnore+"="+f.Name+`,reason="it is an argument"`)
		}
	}
}

// parentName returns a name for what an argument stands for: pid of AddProjectHook is ProjectID, as the object calls it.
func parentName(name string, objects []*source) string {
	if s := counterpartNamed(objects, gotypes.PlainName(name)); s != nil {
		return s.v.Name()
	}
	for _, s := range objects {
		of := words(s.v.Name())
		if len(of) == 2 && of[1] == "id" && strings.EqualFold(name, of[0][:1]+of[1]) {
			return s.v.Name()
		}
	}
	return goName(name)
}

// refer has a parameter take its value from another kind of the provider, if there is one of that name, and
// returns the fields for the reference and the selector.
func (r *reader) refer(f *Field) []*Field {
	of := words(f.Name)
	if last := len(of) - 1; last > 0 && slices.Contains([]string{"id", "iid", "uuid", "name", "slug", "key"}, of[last]) {
		of = of[:last]
	}
	if r.options.References.Kind == nil {
		return nil
	}
	to := r.options.References.Kind(strings.Join(of, ""))
	if to == "" {
		return nil
	}
	f.Type, f.Tag = "*"+f.Type, f.json+",omitempty"
	f.Markers = append([]string{"+" + markers.ValidationRequired}, f.Markers...)
	f.mark(markers.ReferenceType + "=" + to)
	r.askField(f, "it refers to "+to)
	kind := to[strings.LastIndex(to, ".")+1:]
	added := func(end, typ, comment string) *Field {
		return &Field{
			Name: f.Name + end, json: f.json + end, Type: "*" + typ, Tag: f.json + end + ",omitempty",
			Comment: wrap(f.Name + end + " " + comment), Markers: []string{"+optional"},
		}
	}
	ref := added("Ref", r.options.References.Reference, "refers to the "+kind+" that "+f.json+" is the external name of.")
	ref.mark(markers.Immutable)
	selector := added("Selector", r.options.References.Selector, "selects that "+kind+" by its labels.")
	return []*Field{ref, selector}
}

func counterpartNamed(all []*source, name string) *source {
	return first(all, func(s *source) bool { return s.names[0] == name })
}
