package fromsdk

import (
	"go/types"
	"slices"
	"strings"

	"github.com/mrgen-io/mrgen/generator/internal/gotypes"
	"github.com/mrgen-io/mrgen/markers"
)

// findParents notes what is around the object, of all that may be: neither its own key, nor a token of requests.
func (r *reader) findParents(c *calls, all, own, wanted []*source) {
	deleted := r.keysOf(c.delete)
	for _, s := range all {
		isRead, isDeleted := slices.ContainsFunc(wanted, s.isLike), slices.ContainsFunc(deleted, s.isLike)
		isToken := !isRead && isDeleted // since what is around an object tells where to read it
		if isOwn := len(own) > 0 && s.isLike(own[0]); isOwn || isToken || c.parentOf(s) != nil {
			continue
		}
		c.parents = append(c.parents, &parent{source: s})
		if isOnce := !isRead && !isDeleted && s != c.own.parent; isOnce && !s.isArgument {
			c.once = append(c.once, s.name())
		}
	}
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
		added = append(added, f)
	}
	if p := c.around; p != nil { // whose name in the SDK is the own key's
		p.field = NewField("Parent", "*string", "parent,omitempty",
			[]string{"Parent is what the external resource is in: " + p.name() + " beside the object in the request that creates it."},
			"+"+markers.Immutable, "+"+markers.Mirror+"=false", "+"+markers.ConvertIgnore+`=reason="creation alone takes it"`)
		p.field.need(true)
		added = append(added, p.field)
	}
	r.kind.Parameters = append(added, r.kind.Parameters...)
}

func counterpartNamed(all []*source, name string) *source {
	return first(all, func(s *source) bool { return s.names[0] == name })
}
