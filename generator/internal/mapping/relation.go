package mapping

import (
	"go/token"
	"slices"
	"strings"

	"github.com/mrgen-io/mrgen/generator/internal/model"
	"github.com/mrgen-io/mrgen/markers"
)

// A Shape says what the values of two types that correspond have in common.
type Shape uint8

const (
	// Plain values are converted by Go: scalars, bytes, and types of other modules.
	Plain Shape = iota
	// Whole values are of one type, and assigned.
	Whole
	// Number values are whole numbers, of types with different bounds.
	Number
	// Empty values are structs without fields: what counts is whether there is one.
	Empty
	// Struct values are structs that make a pair.
	Struct
	// List values are lists whose items correspond by index.
	List
	// Keyed values are lists whose items have no order, but keys.
	Keyed
	// Map values are maps with texts for keys.
	Map
	// One values are those of a list in one of the structs, which has at most one item.
	One
	// Custom values are converted by functions of their author.
	Custom
)

// A Relation says how the values of two types correspond.
type Relation struct {
	Shape Shape
	// Target and Source are the types. Either may be a pointer.
	Target, Source *model.Type
	// Item is set for lists, keyed lists and maps. If one of the types is a list and
	// the other one is not, it says how the latter corresponds to items.
	Item *Relation
	// Pair is set for structs.
	Pair *Pair
	// Keys are the fields of the items of a keyed list that tell them apart. Either side may name them.
	Keys []*Field
}

// Relate returns how the values of two fields correspond, or nil if they don't.
func (m *Mapper) Relate(target, source *model.Field) *Relation {
	r := &Relation{Target: target.Type, Source: source.Type}
	if m.conversions.Custom(target, source) {
		r.Shape = Custom
		return r
	}
	if t, s := target.Type, source.Type; m.conversions.Singleton(target) && IsList(t) != IsList(s) {
		r.Shape = One
		if IsList(t) {
			r.Item = m.relate(t.Elem, model.Base(s), nil, nil)
		} else {
			r.Item = m.relate(model.Base(t), s.Elem, nil, nil)
		}
		if r.Item == nil || r.Item.Target.Kind == model.Pointer || r.Item.Source.Kind == model.Pointer {
			return nil
		}
		return r
	}
	return m.relate(target.Type, source.Type, m.conversions.Markers(target), m.conversions.Markers(source))
}

// IsList reports whether a type is a list of items, and not of bytes.
func IsList(t *model.Type) bool { return t.IsSlice() && !isByte(t.Elem) }

// relate returns how two types correspond, or nil if they don't. The markers are those of the
// fields that have the types.
func (m *Mapper) relate(target, source *model.Type, targetMarkers, sourceMarkers []model.Marker) *Relation {
	r := &Relation{Target: target, Source: source}
	t, s := model.Base(target), model.Base(source)
	switch {
	case SameType(target, source) && hasName(target.Leaf()):
		r.Shape = Whole
		return r
	case !m.supports(target) || !m.supports(source):
		return nil
	case !model.SharedAsIs(t) && !model.SharedAsIs(s):
	case SameType(t, s): // one of them is a pointer
		return r
	case t.Marshals || s.Marshals: // fields don't say what their JSON is
		return nil
	}
	if t.Kind != s.Kind {
		return nil
	}
	switch t.Kind {
	case model.Basic:
		if t.Basic != s.Basic {
			r.Shape = Number
			if !strings.Contains(t.Basic, "int") || !strings.Contains(s.Basic, "int") {
				return nil
			}
		}
	case model.Struct:
		if r.Shape = Empty; len(model.JSONFields(t)) > 0 || len(model.JSONFields(s)) > 0 {
			r.Shape, r.Pair = Struct, m.Pair(t, s)
		}
	case model.Map:
		r.Shape, r.Item = Map, m.relate(t.Elem, s.Elem, nil, nil)
		if r.Item == nil || t.Key.Basic != "string" || m.relate(t.Key, s.Key, nil, nil) == nil {
			return nil
		}
	case model.Slice:
		if isByte(t.Elem) && isByte(s.Elem) {
			return r
		}
		if r.Item = m.relate(t.Elem, s.Elem, nil, nil); r.Item == nil {
			return nil
		}
		r.Shape = List
		r.keyed(slices.Concat(targetMarkers, t.Markers), func(f *Field) string { return f.JSONName })
		if r.Shape == List {
			r.keyed(slices.Concat(sourceMarkers, s.Markers), func(f *Field) string { return f.Source.Field().JSONName })
		}
	}
	return r
}

// hasName reports whether types are the same if their names are.
func hasName(t *model.Type) bool { return t.Name != "" && !t.Generic && t.Kind != model.Missing }

// supports reports whether code can be written for values of the type.
func (m *Mapper) supports(t *model.Type) bool {
	b := model.Base(t)
	switch {
	case t.Kind == model.Pointer && t.Name != "", b.Kind == model.Pointer: // JSON has no pointers to pointers
		return false
	case b.Kind == model.Opaque, b.Kind == model.Missing, b.Array, b.Generic:
		return false
	case b.Kind == model.Struct && b.Name == "": // a function needs the name
		return false
	default:
		return b.Package == "" || b.Package == m.home || token.IsExported(b.Name)
	}
}

// SameType reports whether types are written in the same way.
func SameType(a, b *model.Type) bool {
	switch {
	case a == nil || b == nil:
		return a == b
	case a.Name != "" || b.Name != "":
		return a.Package == b.Package && a.Name == b.Name
	}
	return a.Kind == b.Kind && a.Array == b.Array && SameType(a.Key, b.Key) && SameType(a.Elem, b.Elem)
}

func isByte(t *model.Type) bool { return t.Package == "" && (t.Basic == "uint8" || t.Basic == "byte") }

// keyed gives a list keys if these markers name some, unless one is not a scalar that both sides have. The markers
// are those of the side where fields have that name. The first marker of a name counts.
func (r *Relation) keyed(all []model.Marker, nameOf func(*Field) string) {
	if r.Item.Shape != Struct || model.Argument(all, markers.ListType) != "map" {
		return
	}
	var keys []*Field
	for _, m := range all {
		name := model.Argument([]model.Marker{m}, markers.ListMapKey)
		if name == "" {
			continue
		}
		i := slices.IndexFunc(r.Item.Pair.Fields, func(f *Field) bool { return nameOf(f) == name && isKey(f.Relation) })
		if i < 0 {
			return
		}
		keys = append(keys, r.Item.Pair.Fields[i])
	}
	if len(keys) > 0 {
		r.Shape, r.Keys = Keyed, keys
	}
}

// isKey reports whether values are the same on both sides, and can tell items apart.
func isKey(r *Relation) bool {
	return (r.Shape == Plain || r.Shape == Whole) && model.Base(r.Target).Kind == model.Basic
}
