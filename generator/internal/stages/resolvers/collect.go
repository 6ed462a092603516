package resolvers

import (
	"cmp"
	"slices"
	"strings"

	"github.com/mrgen-io/mrgen/generator/diag"
	"github.com/mrgen-io/mrgen/generator/internal/model"
	"github.com/mrgen-io/mrgen/markers"
)

// A collector collects the references of a kind.
type collector struct {
	model  *model.Model
	marked map[*model.Type]bool
	object *model.Object
	// path are the fields that lead to the current struct, and structs their types.
	path    []*model.Field
	structs []*model.Type
	// home is the import path of the package that declares the struct, or the one around it
	// if it has no name.
	home    string
	found   []*reference
	missing []Missing
	diags   diag.List
}

func (c *collector) errorf(at diag.Position, format string, args ...any) {
	c.diags = append(c.diags, diag.Errorf(at, codeReference, format, args...))
}

// part visits a field whose type contains a marked struct.
func (c *collector) part(f *model.Field) {
	t := f.Type.Leaf()
	if slices.Contains(c.structs, t) {
		c.errorf(f.Pos, "%s is part of itself through the field %s, so the references in it are without number: hold them in another struct",
			t.Name, f.Name)
		return
	}
	outside := c.home
	c.home = cmp.Or(t.Package, outside)
	c.path, c.structs = append(c.path, f), append(c.structs, t)
	for _, inner := range t.Fields {
		if m := inner.OwnMarker(markers.ReferenceType); m != nil {
			c.reference(t, inner, m)
		} else if c.marked[inner.Type.Leaf()] {
			c.part(inner)
		}
	}
	c.path, c.structs = c.path[:len(c.path)-1], c.structs[:len(c.structs)-1]
	c.home = outside
}

// reference records the reference of a marked field in a struct, or reports its errors.
func (c *collector) reference(t *model.Type, f *model.Field, m *model.Marker) {
	problems := len(c.diags)
	v, ok := valueOf(f.Type)
	holder := strings.TrimSuffix(strings.TrimSuffix(strings.TrimSuffix(f.Name, "s"), "Ref"), "Selector")
	switch {
	case !ok && holder != f.Name && t.GoField(holder) != nil:
		c.errorf(m.Pos, "%s is for the reference, and not for the value that it leads to: move the marker to %s", f.Name, holder)
		return
	case !ok:
		c.errorf(m.Pos,
			"%s can't hold the value of a reference: make it a string, int64 or float64, a pointer to one, or a slice of these", f.Name)
		return
	case f.JSONName == "":
		c.errorf(m.Pos, "%s can't hold the value of a reference, since its json tag keeps it out of the API: give it a name", f.Name)
		return
	}
	r := &reference{path: slices.Clone(c.path), field: f, value: v}
	c.target(r, m)
	c.fields(r, t, m)
	if m := f.OwnMarker(markers.ReferenceExtractor); m != nil {
		c.extractor(r, m)
	}
	if len(c.diags) == problems {
		c.found = append(c.found, r)
	}
}
