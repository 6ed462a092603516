package desired

import (
	"slices"

	"github.com/mrgen-io/mrgen/generator/internal/constraint"
	"github.com/mrgen-io/mrgen/generator/internal/mapping"
	"github.com/mrgen-io/mrgen/generator/internal/model"
)

// A relation says how the values of a desired type, the target, and an observed one
// correspond, and what is demanded of the former.
type relation struct {
	*mapping.Relation
	// item is set for lists, sets, keyed lists and maps, and pair for structs.
	item *relation
	pair *pair
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

// relate adds to a relation what is demanded of the desired values: by the sets, and by
// the declarations of their types.
func (m *matcher) relate(of *mapping.Relation, sets []ownedSet) *relation {
	r := &relation{Relation: of}
	sets = m.demanded(of.Target, sets)
	switch {
	case of.Pair != nil:
		r.pair = m.pair(of.Pair)
	case of.Shape == mapping.Map:
		r.item = m.relate(of.Item, nil)
	case of.Item != nil:
		r.item = m.relate(of.Item, items(sets))
		r.restrictKeys()
	}
	r.restrict(sets)
	return r
}

// demanded adds what the markers of a type, and those of what it is declared as, demand
// of its values. Those of structs concern pairs.
func (m *matcher) demanded(t *model.Type, sets []ownedSet) []ownedSet {
	sets = slices.Clip(sets)
	for t = mapping.Base(t); t != nil && t.Package != "" && t.Kind != model.Struct && !mapping.SharedAsIs(t); t = t.Of {
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

// restrictKeys records that the items of a set must differ, and those of a keyed list in
// their keys. Keys that may be left out could have any default.
func (r *relation) restrictKeys() {
	switch r.Shape {
	case mapping.Set:
		if r.unchecked = !r.item.IsPlain(); !r.unchecked {
			r.checks = append(r.checks, check{demand: unique})
		}
	case mapping.Keyed:
		r.unchecked = slices.ContainsFunc(r.Keys, func(key *mapping.Field) bool { return !key.Target.Field().Required })
		r.checks = append(r.checks, check{demand: uniqueKeys})
	}
}
