package fromsdk

import (
	"go/types"
	"slices"
	"strings"

	"github.com/mrgen-io/mrgen/generator/diag"
	"github.com/mrgen-io/mrgen/generator/internal/gotypes"
	"github.com/mrgen-io/mrgen/markers"
)

// tellingMost returns the methods that share the most arguments with updates and deletions. Reading by an ID is of no use where
// an update takes an owner and a name.
func (r *reader) tellingMost(c *calls, all []*method) []*method {
	if len(all) == 0 {
		return nil
	}
	needed := r.leaves(c.delete)
	if c.update != nil {
		needed = append(needed, r.leaves(c.update)...)
	}
	unknown := func(get *method) int {
		known := slices.Concat(r.leaves(get), r.leaves(c.create))
		return len(filter(needed, func(s *source) bool { return s.isArgument && !slices.ContainsFunc(known, s.isNamed) }))
	}
	least := slices.MinFunc(all, func(a, b *method) int { return unknown(a) - unknown(b) })
	return filter(all, func(m *method) bool { return unknown(m) == unknown(least) })
}

// choose returns the one of some methods that does a thing: the only one, one that the user names, or
// that which is called as another one. Others are candidates for an error.
func (r *reader) choose(role, does string, all []*method, beside *method) *method {
	all = narrowed(narrowed(all, r.isGiven), func(m *method) bool { return begins.MatchString(strings.TrimPrefix(m.name, "Begin")) })
	if beside != nil && len(all) > 1 {
		wanted, _ := stem(beside.name, "create")
		isOf := func(name string) func(*method) bool {
			return func(m *method) bool { s, _ := stem(m.name, role); return s == name }
		}
		if byID := filter(all, isOf(wanted+"byid")); len(byID) == 1 {
			all = byID // which no name can be mistaken for
		} else {
			all = narrowed(all, isOf(wanted))
		}
		isPlain := func(m *method) bool { way := r.objectIn(m); return way != nil && !isList(way[len(way)-1].Type()) }
		if role == "get" {
			all = narrowed(all, isPlain)
		}
		isKnown := wanted == "" || isOf(wanted)(all[0]) // or the verb says nothing
		for _, verb := range verbs[role] {
			begin := filter(all, func(m *method) bool { return strings.HasPrefix(m.name, verb) })
			if role == "delete" && isKnown && len(begin) > 0 {
				all = begin
				break
			}
		}
	}
	switch {
	case len(all) == 1:
		return all[0]
	case len(all) == 0 && role == "delete":
		r.errorf("no method %s: name it with --method", does)
	case len(all) == 0:
		r.errorf("no method of %s %s: name another type with --%s, or the method with --method", r.options.Package, does+r.around(role),
			strings.Replace(role, "get", "observe", 1))
	case role == "delete":
		r.errorf("%s each may be what %s: say which with --method", diag.And(described(all)), does)
	default:
		r.errorf("%s each %s: say which with --method", diag.And(described(all)),
			strings.Replace(strings.Replace(does, "takes", "take", 1), "returns", "return", 1))
	}
	return nil
}

// around names a struct that a method takes, with the request that none takes alone, "" if there is none.
func (r *reader) around(role string) string {
	of := map[string]*types.Named{"create": r.create, "update": r.update}[role]
	for _, m := range r.all {
		for _, v := range m.params() {
			s := gotypes.StructOf(v.Type())
			if of == nil || s == nil {
				continue
			}
			isOf := func(v *types.Var) bool { return types.Identical(gotypes.Deref(v.Type()), of) }
			if slices.ContainsFunc(slices.Collect(s.Fields()), isOf) {
				name := types.TypeString(gotypes.Deref(v.Type()), gotypes.ByName)
				return ", but " + m.name + " takes " + strings.TrimPrefix(name, r.pkg.Types.Name()+".") + ", which has one"
			}
		}
	}
	return ""
}

// names returns those that users may give a method: its own, and that with a type which has it.
func (m *method) names() []string {
	return append([]string{m.name}, each(m.receivers, func(t *types.TypeName) string { return t.Name() + "." + m.name })...)
}

// described returns the names of methods, with a type where several have the same.
func described(all []*method) []string {
	found := each(all, func(m *method) string {
		if same := filter(all, func(other *method) bool { return other.name == m.name }); len(same) > 1 {
			return m.names()[1]
		}
		return m.name
	})
	slices.Sort(found)
	return found
}

// nearest returns the end of a message that says that a name is not known, "" if no other one is near.
func nearest(name string, known []string) string {
	if near, found := markers.Nearest(name, known); found {
		return ", and the nearest name is " + near
	}
	return ""
}
