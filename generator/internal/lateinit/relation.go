package lateinit

import (
	"slices"

	"github.com/mrgen-io/mrgen/generator/internal/constraint"
	"github.com/mrgen-io/mrgen/generator/internal/fieldmarkers"
	"github.com/mrgen-io/mrgen/generator/internal/mapping"
	"github.com/mrgen-io/mrgen/generator/internal/model"
)

// A relation says how values of a desired type, which is the target, and an observed type
// correspond, with the constraints on the former.
type relation struct {
	*mapping.Relation
	// item is set for lists, sets, keyed lists and maps, and pair for structs.
	item *relation
	pair *pair
	// checks are those of an observed value itself, without its items, entries and fields.
	checks []check
	// unchecked is set if code can't check a constraint, and setOnce if values can't change
	// once they are set.
	unchecked, setOnce bool
	// comparison says how Diff compares values.
	comparison fieldmarkers.Comparison
}

// constructible says whether desired values can be made from observed ones.
func (r *relation) constructible() constructible {
	switch {
	case r.unchecked:
		return ruledOut
	case r.item != nil:
		return r.item.constructible()
	case r.pair != nil:
		return r.pair.constructible()
	default:
		return whole
	}
}

// fallible reports whether it depends on the content of an observed value whether a desired
// one can be made from it.
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

// mayPointToNothing reports whether observed values are pointers to texts, bytes, lists or maps, or to structs
// of another module that JSON has field by field: an empty one says nothing.
func (r *relation) mayPointToNothing() bool {
	if r.Target.Kind != model.Pointer || r.Source.Kind != model.Pointer {
		return false
	}
	t := mapping.Base(r.Target)
	return r.item != nil || r.Shape == mapping.Binary || r.Shape == mapping.Opaque && t.Kind == model.Struct && !t.Marshals ||
		r.Shape == mapping.Scalar && t.Basic == "string" && r.acceptsZero()
}

// relate adds the constraints on the desired values to a relation: those in the sets, and
// those of the declarations of their types.
func (m *matcher) relate(of *mapping.Relation, sets []ownedSet, treated fieldmarkers.Treatment) *relation {
	r := &relation{Relation: of, comparison: treated.Comparison}
	sets = m.demanded(of.Target, sets)
	switch {
	case of.Pair != nil:
		r.pair = m.pair(of.Pair, treated)
	case of.Shape == mapping.Map:
		r.item = m.relate(of.Item, nil, treated)
	case of.Item != nil:
		r.item = m.relate(of.Item, items(sets), treated)
		if !m.initial {
			r.restrictKeys()
		}
	}
	r.restrict(sets)
	return r
}

// demanded adds the constraints of a type, and of the type that it is declared as. Those of
// structs belong to pairs.
func (m *matcher) demanded(t *model.Type, sets []ownedSet) []ownedSet {
	sets = slices.Clip(sets)
	for t = mapping.Base(t); t != nil && t.Package != "" && t.Kind != model.Struct && !mapping.SharedAsIs(t); t = t.Of {
		sets = append(sets, ownedSet{m.typeConstraints(t), t.Name})
	}
	return sets
}

// typeConstraints returns the constraints of a type, from a cache.
func (m *matcher) typeConstraints(t *model.Type) constraint.Set {
	s, known := m.typeSets[t]
	if !known {
		s = m.constraints.TypeConstraints(t)
		m.typeSets[t] = s
	}
	return s
}

// restrictKeys records that the items of a set must be unique, and the keys of the items of a
// keyed list. It can't check optional keys, which may have defaults.
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
