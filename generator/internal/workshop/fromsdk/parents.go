package fromsdk

import (
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
		name, seen := goName(p.v.Name()), counterpartNamed(objects, gotypes.PlainName(p.v.Name()))
		if seen != nil {
			name = seen.v.Name() // as the object calls it
		}
		if seen != nil && (!seen.isKey() || types.IsInterface(gotypes.Deref(seen.v.Type()))) {
			seen = nil
		}
		of := gotypes.Deref(p.v.Type())
		if types.IsInterface(of) && seen != nil { // which says more
			of = gotypes.Deref(seen.v.Type())
		}
		typ := kindOf(of)
		f := &Field{Name: name, json: camel(name), Type: typ, Comment: []string{name + " tells where the external resource is."}}
		f.identify()
		f.addEnum(of, false)
		if seen == nil || gotypes.IsString(gotypes.Deref(seen.v.Type())) != (typ == "string") {
			f.mark(markers.Mirror + "=false")
		}
		f.mark(markers.ConvertIgnore + `=reason="it is an argument of the methods"`)
		p.field = f
		added = append(append(added, f), r.refer(f)...)
	}
	r.kind.Parameters = append(added, r.kind.Parameters...)
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
