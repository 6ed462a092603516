package desired

import (
	"go/token"
	"slices"
	"strings"

	"github.com/mrgen-io/mrgen/generator/internal/constraint"
	"github.com/mrgen-io/mrgen/generator/internal/model"
	"github.com/mrgen-io/mrgen/markers"
)

// A shape says how values of two types are compared and copied.
type shape uint8

const (
	// scalar values are booleans, numbers and strings.
	scalar shape = iota
	// binary values are slices of bytes, which JSON holds as one string.
	binary
	// quantity values are equal if they are the same amount, however it is written.
	quantity
	// opaque values are of a type that both sides share, and equal if their JSON is.
	opaque
	// empty values are structs without fields: what counts is whether there is one.
	empty
	// structure values are structs that make a pair.
	structure
	// list values are compared item by item.
	list
	// set values are lists whose items have no order.
	set
	// keyed values are lists whose items have no order, but keys.
	keyed
	// mapping values are maps.
	mapping
)

// A relation says how the values of a desired and an observed type correspond.
type relation struct {
	shape shape
	// desired and observed are the types. Either may be a pointer.
	desired, observed *model.Type
	// item is set for lists, sets, keyed lists and mappings.
	item *relation
	// pair is set for structures.
	pair *pair
	// keys are the fields of the items of a keyed list that tell them apart.
	keys []field
	// checks are what generated code checks of an observed value, the items, entries
	// and fields in it apart.
	checks []check
	// unchecked is set if something is demanded of values that code can't check, and
	// setOnce if values that are set can't change.
	unchecked, setOnce bool
}

// wholeness says whether desired values can be made of observed ones.
func (r *relation) wholeness() wholeness {
	switch {
	case r.unchecked:
		return ruledOut
	case r.item != nil:
		return r.item.wholeness()
	case r.pair != nil:
		return r.pair.wholeness()
	default:
		return whole
	}
}

// fallible reports whether what is in an observed value decides on whether a desired one
// can be made of it.
func (r *relation) fallible() bool {
	switch {
	case r.item != nil:
		return len(r.item.checks) > 0 || r.item.fallible()
	case r.pair != nil:
		return r.pair.demanding()
	default:
		return false
	}
}

// relate returns how two types correspond, or nil if they can't be compared. The
// fieldMarkers are those of the field that has the desired type, and the sets what is
// demanded of its values.
func (m *matcher) relate(desired, observed *model.Type, fieldMarkers []model.Marker, sets []ownedSet) *relation {
	r := m.relateTypes(desired, observed, fieldMarkers, m.demanded(desired, sets))
	if r != nil {
		r.restrict(m.demanded(desired, sets))
	}
	return r
}

// demanded adds what the markers of a type, and those of what it is declared as, demand
// of its values. Those of structs concern pairs.
func (m *matcher) demanded(t *model.Type, sets []ownedSet) []ownedSet {
	sets = slices.Clip(sets)
	for t = base(t); t != nil && t.Package != "" && t.Kind != model.Struct && !sharedAsIs(t); t = t.Of {
		sets = append(sets, ownedSet{m.typeConstraints(t), t.Name})
	}
	return sets
}

// typeConstraints returns what the markers of a type demand, which is looked up once.
func (m *matcher) typeConstraints(t *model.Type) constraint.Set {
	s, known := m.typeSets[t]
	if !known {
		s = m.constraints.TypeConstraints(t)
		m.typeSets[t] = s
	}
	return s
}

func (m *matcher) relateTypes(desired, observed *model.Type, fieldMarkers []model.Marker, sets []ownedSet) *relation {
	r := &relation{desired: desired, observed: observed}
	d, o := base(desired), base(observed)
	switch {
	case !m.supports(desired) || !m.supports(observed):
		return nil
	case sharedAsIs(d) || sharedAsIs(o):
		if !sameType(d, o) {
			return nil
		}
		r.shape = opaque
		if d.Package == "k8s.io/apimachinery/pkg/api/resource" && d.Name == "Quantity" {
			r.shape = quantity
		}
		return r
	case d.Kind != o.Kind:
		return nil
	}
	switch d.Kind {
	case model.Basic:
		r.shape = scalar
		if d.Basic != o.Basic {
			return nil
		}
	case model.Struct:
		return m.relateStructs(r, d, o)
	case model.Map:
		r.shape = mapping
		r.item = m.relate(d.Elem, o.Elem, nil, nil)
		if r.item == nil || m.relate(d.Key, o.Key, nil, nil) == nil || d.Key.Basic != "string" {
			return nil
		}
	case model.Slice:
		if isByte(d.Elem) && isByte(o.Elem) {
			r.shape = binary
			return r
		}
		if r.item = m.relate(d.Elem, o.Elem, nil, items(sets)); r.item == nil {
			return nil
		}
		r.shape, r.keys = listShape(r.item, slices.Concat(fieldMarkers, d.Markers))
		r.restrictKeys()
	}
	return r
}

// relateStructs completes a relation of two structs. Structs that have fields, but
// none in common, can't be compared.
func (m *matcher) relateStructs(r *relation, d, o *model.Type) *relation {
	if len(fieldsOf(d)) == 0 && len(fieldsOf(o)) == 0 {
		r.shape = empty
		return r
	}
	r.shape, r.pair = structure, m.pair(d, o)
	if len(r.pair.fields) == 0 {
		return nil
	}
	return r
}

// base returns what a type points to, or the type if it is no pointer.
func base(t *model.Type) *model.Type {
	if t.Kind == model.Pointer {
		return t.Elem
	}
	return t
}

// supports reports whether code can be written for values of the type: it is no
// pointer to a pointer, no array, neither generic nor an interface, and has a name
// that can be written.
func (m *matcher) supports(t *model.Type) bool {
	b := base(t)
	return (t.Kind != model.Pointer || t.Name == "") && b.Kind != model.Pointer &&
		b.Kind != model.Opaque && b.Kind != model.Missing && !b.Array && !b.Generic &&
		(b.Package == "" || b.Package == m.home || token.IsExported(b.Name))
}

// sharedAsIs reports whether status.atProvider uses a type as it is: a type of
// another module, or one that encodes itself.
func sharedAsIs(t *model.Type) bool {
	return t.Package != "" && (t.Marshals || !t.Local && t.Kind != model.Basic)
}

// sameType reports whether types are written in the same way.
func sameType(a, b *model.Type) bool {
	switch {
	case a == nil || b == nil:
		return a == b
	case a.Name != "" || b.Name != "":
		return a.Package == b.Package && a.Name == b.Name
	}
	return a.Kind == b.Kind && a.Array == b.Array && sameType(a.Key, b.Key) && sameType(a.Elem, b.Elem)
}

func isByte(t *model.Type) bool { return t.Package == "" && (t.Basic == "uint8" || t.Basic == "byte") }

// listShape returns how lists are compared that have these items and markers: see
// the merge strategies in Kubernetes' documentation on server-side apply. The first
// marker of a name counts.
func listShape(item *relation, fieldMarkers []model.Marker) (shape, []field) {
	switch argument(fieldMarkers, markers.ListType) {
	case "set":
		return set, nil
	case "map":
		if keys := listKeys(item, fieldMarkers); len(keys) > 0 {
			return keyed, keys
		}
	}
	return list, nil
}

// argument returns the argument of the first marker of that name, with or without
// the prefix of declarative validation, or "".
func argument(fieldMarkers []model.Marker, name string) string {
	for _, m := range fieldMarkers {
		if value, found := strings.CutPrefix(strings.TrimPrefix(m.Text, "k8s:"), name+"="); found {
			return strings.Trim(value, "\"`")
		}
	}
	return ""
}

// listKeys returns the fields that tell the items of a list apart, or nil if they
// are not all to be compared.
func listKeys(item *relation, fieldMarkers []model.Marker) []field {
	if item.shape != structure {
		return nil
	}
	var keys []field
	for _, m := range fieldMarkers {
		name := argument([]model.Marker{m}, markers.ListMapKey)
		if name == "" {
			continue
		}
		i := slices.IndexFunc(item.pair.fields, func(f field) bool { return f.jsonName == name && f.relation.shape == scalar })
		if i < 0 {
			return nil
		}
		keys = append(keys, item.pair.fields[i])
	}
	return keys
}

// restrictKeys records that the items of a set must differ, and those of a keyed list in
// their keys. Keys that may be left out could have any default.
func (r *relation) restrictKeys() {
	switch r.shape {
	case set:
		if r.unchecked = !isPlain(r.item); !r.unchecked {
			r.checks = append(r.checks, check{demand: unique})
		}
	case keyed:
		r.unchecked = slices.ContainsFunc(r.keys, func(key field) bool { return !key.desired.field().Required })
		r.checks = append(r.checks, check{demand: uniqueKeys})
	}
}
