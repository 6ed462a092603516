package schema

import (
	"iter"
	"slices"

	apiextensionsv1 "k8s.io/apiextensions-apiserver/pkg/apis/apiextensions/v1"

	"github.com/mrgen-io/mrgen/generator/diag"
	"github.com/mrgen-io/mrgen/generator/internal/model"
)

// A Cursor points to a value in the objects of a kind, with its schema and its Go type.
type Cursor struct {
	// Above points to the value around this one. It is nil at the root.
	Above *Cursor
	// Path leads from the root to the value.
	Path Path
	// Schema is nil if the schema has no such value.
	Schema *apiextensionsv1.JSONSchemaProps
	// Type and Field are nil if the Go type has no such value. An element of a list or map
	// has no field.
	Type  *model.Type
	Field *model.Field
	// Pos is the position of the nearest field that the author can edit, or of the kind.
	Pos diag.Position
}

// Root returns the cursor at an object with a schema.
func Root(o *model.Object, s *apiextensionsv1.JSONSchemaProps) Cursor {
	return Cursor{Schema: s, Type: o.Type, Pos: o.Pos}
}

// Property returns the cursor at a field of an object.
func (c Cursor) Property(name string) Cursor { return c.Enter(Step{Name: name}) }

// Items returns the cursor at the items of a list.
func (c Cursor) Items() Cursor { return c.Enter(Step{Kind: Items}) }

// Values returns the cursor at the values of a map.
func (c Cursor) Values() Cursor { return c.Enter(Step{Kind: Values}) }

// Element returns the cursor at the items of a list, or at the values of a map. It returns
// false for other schemas.
func (c Cursor) Element() (Cursor, bool) {
	for _, step := range elements {
		if Child(c.Schema, step) != nil {
			return c.Enter(step), true
		}
	}
	return Cursor{}, false
}

// Properties yields the cursors at the fields of an object, in the order of their names.
func (c Cursor) Properties() iter.Seq2[string, Cursor] {
	return func(yield func(string, Cursor) bool) {
		for below := range c.Below() {
			if step := below.Path[len(below.Path)-1]; step.Kind == Property && !yield(step.Name, below) {
				return
			}
		}
	}
}

// Below yields the cursors at the fields of an object, as [Cursor.Properties] does, and at the elements
// of a list or map.
func (c Cursor) Below() iter.Seq[Cursor] {
	return func(yield func(Cursor) bool) {
		for step := range Below(c.Schema) {
			if !yield(c.Enter(step)) {
				return
			}
		}
	}
}

// Within yields the cursors at the values in a value, at any depth, each before the values in it.
func (c Cursor) Within() iter.Seq[Cursor] { return func(yield func(Cursor) bool) { c.within(yield) } }

func (c Cursor) within(yield func(Cursor) bool) bool {
	for below := range c.Below() {
		if !yield(below) || !below.within(yield) {
			return false
		}
	}
	return true
}

// Innermost returns the cursor at the elements of nested lists and maps, or c.
func (c Cursor) Innermost() Cursor {
	for element, ok := c.Element(); ok; element, ok = c.Element() {
		c = element
	}
	return c
}

// Enter returns the cursor that a step leads to.
func (c Cursor) Enter(step Step) Cursor {
	below := Cursor{Above: &c, Path: c.Path.With(step), Schema: Child(c.Schema, step), Pos: c.Pos}
	switch {
	case c.Type == nil: // the Go type has no such value, but the schema may
	case step.Kind != Property:
		below.Type = c.Type.Deref().Elem
	default:
		if below.Field = c.Type.Field(step.Name); below.Field != nil {
			below.Type = below.Field.Type
			// Fields of other modules can't be edited: the position around them stays.
			if !below.Field.Pos.IsOutside() {
				below.Pos = below.Field.Pos
			}
		}
	}
	return below
}

// Follow returns the cursor that a path leads to from c.
func (c Cursor) Follow(path Path) Cursor {
	for _, step := range path {
		c = c.Enter(step)
	}
	return c
}

// Way returns the cursors from the root to this one.
func (c Cursor) Way() []Cursor {
	if c.Above == nil {
		return []Cursor{c}
	}
	return append(c.Above.Way(), c)
}

// Markers returns the markers that shape the schema: the markers of the field and of its type. For an element, these are
// the markers of its type, and of the list or map around it. For a field that the author can't edit, they are the
// markers of the nearest field around it that the author can edit.
func (c Cursor) Markers() []model.Marker {
	var own []model.Marker
	if c.Type != nil {
		own = c.Type.AllMarkers()
	}
	switch {
	case c.Above == nil:
		return own
	case c.Field == nil:
		return slices.Concat(own, c.Above.Markers())
	case c.Field.Pos.IsOutside():
		return c.Above.Markers()
	default:
		return slices.Concat(c.Field.Markers, own)
	}
}

// Always reports whether the schema guarantees the value wherever the value around it is
// set. It is true for elements.
func (c Cursor) Always() bool {
	if c.Above == nil || c.Schema == nil {
		return c.Above == nil
	}
	step := c.Path[len(c.Path)-1]
	return step.Kind != Property || Always(c.Above.Schema, step.Name)
}
