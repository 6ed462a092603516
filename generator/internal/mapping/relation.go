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
	// Scalar values are booleans, numbers and strings.
	Scalar Shape = iota
	// Binary values are slices of bytes, which JSON holds as one string.
	Binary
	// Quantity values are amounts, which may be written in several ways.
	Quantity
	// Opaque values are of a type that both sides share, and encode themselves or are
	// declared in another module.
	Opaque
	// Empty values are structs without fields: what counts is whether there is one.
	Empty
	// Struct values are structs that make a pair.
	Struct
	// List values are lists whose items correspond by index.
	List
	// Set values are lists whose items have no order.
	Set
	// Keyed values are lists whose items have no order, but keys.
	Keyed
	// Map values are maps with texts for keys.
	Map
	// Whole values are of one type, and assigned whatever it is.
	Whole
	// Number values are whole numbers, of types with different bounds.
	Number
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
	// Item is set for lists, sets, keyed lists and maps. If one of the types is a list and
	// the other one is not, it says how the latter corresponds to items.
	Item *Relation
	// Pair is set for structs.
	Pair *Pair
	// Keys are the fields of the items of a keyed list that tell them apart. If values are
	// converted, they may be those that only the source names.
	Keys []*Field
}

// A Way says how a value of a source becomes one of the target, pointers apart. Target
// and source then share no memory.
type Way uint8

const (
	// Convert takes the value, converted if the types differ.
	Convert Way = iota
	// Clone copies a slice or a map at once, and converts it if the types differ.
	Clone
	// Copy makes a copy in the way of a type that both sides share.
	Copy
	// Make makes an empty struct.
	Make
	// FieldByField, ItemByItem and EntryByEntry make structs, slices and maps.
	FieldByField
	ItemByItem
	EntryByEntry
)

// Way returns how a value that a pointer of the source points to, if it is one, becomes one
// that a pointer of the target may point to.
func (r *Relation) Way() Way {
	switch r.Shape {
	case Scalar, Number, One, Custom:
		return Convert
	case Binary:
		return Clone
	case Quantity, Opaque, Whole:
		return Copy
	case Empty:
		return Make
	case Struct:
		return FieldByField
	case Map:
		if r.Item.IsPlain() && SameType(Base(r.Target).Key, Base(r.Source).Key) {
			return Clone
		}
		return EntryByEntry
	default:
		if r.Item.IsPlain() {
			return Clone
		}
		return ItemByItem
	}
}

// IsPlain reports whether values are assigned as they are.
func (r *Relation) IsPlain() bool {
	return r.Shape == Whole || r.Shape == Scalar && r.Target.Kind != model.Pointer && SameType(r.Target, r.Source)
}

// Relate returns how the values of two fields correspond, or nil if they don't.
func (m *Mapper) Relate(target, source *model.Field) *Relation {
	if m.conversions == nil {
		return m.relate(target.Type, source.Type, target.Markers, nil)
	}
	r := &Relation{Target: target.Type, Source: source.Type}
	if m.conversions.Custom(target, source) {
		r.Shape = Custom
		return r
	}
	if t, s := target.Type, source.Type; m.conversions.Singleton(target) && IsList(t) != IsList(s) {
		r.Shape = One
		if IsList(t) {
			r.Item = m.relate(t.Elem, Base(s), nil, nil)
		} else {
			r.Item = m.relate(Base(t), s.Elem, nil, nil)
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
	t, s := Base(target), Base(source)
	switch {
	case m.conversions != nil && SameType(target, source) && hasName(target.Leaf()):
		r.Shape = Whole
		return r
	case !m.supports(target) || !m.supports(source):
		return nil
	case SharedAsIs(t) || SharedAsIs(s):
		if !SameType(t, s) && m.conversions != nil && !t.Marshals && !s.Marshals {
			break
		}
		if !SameType(t, s) {
			return nil
		}
		r.Shape = Opaque
		if t.Package == "k8s.io/apimachinery/pkg/api/resource" && t.Name == "Quantity" {
			r.Shape = Quantity
		}
		return r
	}
	if t.Kind != s.Kind {
		return nil
	}
	switch t.Kind {
	case model.Basic:
		if t.Basic != s.Basic {
			r.Shape = Number
			if m.conversions == nil || !isInteger(t) || !isInteger(s) {
				return nil
			}
		}
	case model.Struct:
		return m.relateStructs(r, t, s)
	case model.Map:
		r.Shape, r.Item = Map, m.relate(t.Elem, s.Elem, nil, nil)
		if r.Item == nil || t.Key.Basic != "string" || m.relate(t.Key, s.Key, nil, nil) == nil {
			return nil
		}
	case model.Slice:
		if isByte(t.Elem) && isByte(s.Elem) {
			r.Shape = Binary
			return r
		}
		if r.Item = m.relate(t.Elem, s.Elem, nil, nil); r.Item == nil {
			return nil
		}
		r.Shape, r.Keys = listShape(r.Item, slices.Concat(targetMarkers, t.Markers), func(f *Field) string { return f.JSONName })
		if m.conversions != nil && len(r.Keys) == 0 {
			r.Shape, r.Keys = listShape(r.Item, slices.Concat(sourceMarkers, s.Markers), func(f *Field) string { return f.Source.Field().JSONName })
		}
	}
	return r
}

// hasName reports whether types are the same if their names are.
func hasName(t *model.Type) bool { return t.Name != "" && !t.Generic && t.Kind != model.Missing }

func isInteger(t *model.Type) bool { return strings.Contains(t.Basic, "int") }

// relateStructs completes a relation of two structs. Structs that have fields, but
// none in common, don't correspond, unless what they lack is kept.
func (m *Mapper) relateStructs(r *Relation, target, source *model.Type) *Relation {
	if len(Fields(target)) == 0 && len(Fields(source)) == 0 {
		r.Shape = Empty
		return r
	}
	r.Shape, r.Pair = Struct, m.Pair(target, source)
	if len(r.Pair.Fields) == 0 && m.conversions == nil {
		return nil
	}
	return r
}

// isKey reports whether values are the same on both sides, and can tell items apart.
func isKey(r *Relation) bool {
	return r.Shape == Scalar || r.Shape == Whole && Base(r.Target).Kind == model.Basic
}

// Base returns what a type points to, or the type if it is no pointer.
func Base(t *model.Type) *model.Type {
	if t.Kind == model.Pointer {
		return t.Elem
	}
	return t
}

// supports reports whether code can be written for values of the type: it is no
// pointer to a pointer, no array, neither generic nor an interface, and has a name
// that can be written.
func (m *Mapper) supports(t *model.Type) bool {
	b := Base(t)
	return (t.Kind != model.Pointer || t.Name == "") && b.Kind != model.Pointer &&
		b.Kind != model.Opaque && b.Kind != model.Missing && !b.Array && !b.Generic && (m.conversions == nil || b.Kind != model.Struct || b.Name != "") &&
		(b.Package == "" || b.Package == m.home || token.IsExported(b.Name))
}

// SharedAsIs reports whether both sides use a type as it is: a type of another module, or
// one that encodes itself.
func SharedAsIs(t *model.Type) bool {
	return t.Package != "" && (t.Marshals || !t.Local && t.Kind != model.Basic)
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

// listShape returns how the items of lists correspond that have these markers: see the
// merge strategies in Kubernetes' documentation on server-side apply. The first marker of a
// name counts.
func listShape(item *Relation, listMarkers []model.Marker, name func(*Field) string) (Shape, []*Field) {
	switch Argument(listMarkers, markers.ListType) {
	case "set":
		return Set, nil
	case "map":
		if keys := listKeys(item, listMarkers, name); len(keys) > 0 {
			return Keyed, keys
		}
	}
	return List, nil
}

// Argument returns the argument of the first marker of that name, with or without
// the prefix of declarative validation, or "".
func Argument(list []model.Marker, name string) string {
	for _, m := range list {
		if value, found := strings.CutPrefix(strings.TrimPrefix(m.Text, "k8s:"), name+"="); found {
			return strings.Trim(value, "\"`")
		}
	}
	return ""
}

// listKeys returns the fields that tell the items of a list apart, or nil if one of them is
// not a scalar that both sides have. The markers are those of the side where fields have that
// name.
func listKeys(item *Relation, listMarkers []model.Marker, nameOf func(*Field) string) []*Field {
	if item.Shape != Struct {
		return nil
	}
	var keys []*Field
	for _, m := range listMarkers {
		name := Argument([]model.Marker{m}, markers.ListMapKey)
		if name == "" {
			continue
		}
		i := slices.IndexFunc(item.Pair.Fields, func(f *Field) bool { return nameOf(f) == name && isKey(f.Relation) })
		if i < 0 {
			return nil
		}
		keys = append(keys, item.Pair.Fields[i])
	}
	return keys
}
