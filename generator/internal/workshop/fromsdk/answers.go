package fromsdk

import (
	"go/types"
	"slices"

	"github.com/mrgen-io/mrgen/generator/internal/gotypes"
)

// isRead reports whether a method returns the object, in a list only if it takes something that chooses an item.
func (r *reader) isRead(m *method) bool {
	way := r.objectIn(m)
	if way == nil || !r.isAskedByKeys(m) {
		return false
	}
	isChosen := func(s *source) bool { // by the key of a field, or of the object itself, as Clusters
		return r.namedIn(s) != nil || s.singular(s.names[0]) == gotypes.PlainName(r.observe.Obj().Name()) || r.isOnlyKey(s)
	}
	keys := r.keysOf(m)
	return !isList(way[len(way)-1].Type()) || slices.ContainsFunc(keys, isChosen) || len(keys) > 0 && r.isGiven(reads, m)
}

// isOnlyKey reports whether updates can't do without a key, and need no other: the object may have that under another name.
func (r *reader) isOnlyKey(s *source) bool {
	if r.update == nil {
		return false
	}
	needed := filter(r.sources(r.update), func(s *source) bool { return s.isKey() && r.isRequired(s) })
	return len(needed) == 1 && needed[0].isLike(s)
}

// inLists says which methods return the object in lists alone, of which mrgen reads none that takes no key of an item.
func (r *reader) inLists(of role) string {
	if of != reads {
		return ""
	}
	lists := filter(r.all, func(m *method) bool {
		way := r.objectIn(m)
		isOfObjects := func(v *types.Var) bool {
			return isList(v.Type()) && types.Identical(gotypes.Deref(itemOf(v.Type())), r.observe)
		}
		return way != nil && isList(way[len(way)-1].Type()) && !r.isRead(m) || slices.ContainsFunc(m.results(), isOfObjects)
	})
	if len(lists) == 0 {
		return ""
	}
	return " by its key, which " + some(described(lists), "and") + " may do without"
}

// objectIn returns what leads from the results of a method to the object: one of them, and the field of an answer with the object, or
// with the only list of it. It returns nil if nothing does, or several fields do.
func (r *reader) objectIn(m *method) []*types.Var {
	results := m.results()
	results = results[:len(results)-1]
	if i := slices.IndexFunc(results, func(v *types.Var) bool { return types.Identical(gotypes.Deref(v.Type()), r.observe) }); i >= 0 {
		return results[i : i+1]
	}
	for _, result := range results {
		if way := r.objectBelow(result.Type(), 1); way != nil {
			return append([]*types.Var{result}, way...)
		}
	}
	return nil
}

// objectBelow returns the fields that lead from an answer to the object, or to the only list of it, with so many structs between.
func (r *reader) objectBelow(t types.Type, between int) []*types.Var {
	s := gotypes.StructOf(t)
	isPlain := gotypes.NamedOf(gotypes.Deref(t)) == nil && between > 0 // unlike one within an answer
	if s == nil || isPlain || r.idOf(t) != nil {
		return nil
	}
	is := func(v *types.Var) bool { return types.Identical(gotypes.Deref(v.Type()), r.observe) }
	exported := filter(slices.Collect(s.Fields()), (*types.Var).Exported)
	fields := filter(exported, func(v *types.Var) bool { return types.Identical(gotypes.Deref(itemOf(v.Type())), r.observe) })
	fields = narrowed(fields, is)
	switch {
	case len(fields) == 1:
		return fields
	case len(fields) > 1 || between == 0:
		return nil
	}
	var ways [][]*types.Var
	for _, v := range exported {
		if way := r.objectBelow(v.Type(), between-1); way != nil {
			ways = append(ways, append([]*types.Var{v}, way...))
		}
	}
	if len(ways) != 1 {
		return nil
	}
	return ways[0]
}
