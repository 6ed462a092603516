package sdkconversion

import (
	"cmp"
	"go/types"
	"slices"

	"github.com/mrgen-io/mrgen/generator/diag"
	"github.com/mrgen-io/mrgen/generator/internal/gotypes"
	"github.com/mrgen-io/mrgen/markers"
)

// reportMissing reports fields of kinds that no request sends, that creation sends and updates don't, and that
// no observation fills.
func (w *writer) reportMissing() {
	type missing struct {
		field *field
		lacks []*function
		// has is set if a method converts the field, and updates if an update does.
		has, updates bool
	}
	var all []*missing
	byPlace := map[string]*missing{}
	for _, m := range w.functions {
		for _, t := range m.types(true) {
			for _, f := range w.structFields(t, m.withinFor(true)) {
				key := f.pos.String() + f.label()
				if byPlace[key] == nil {
					byPlace[key] = &missing{field: f}
					all = append(all, byPlace[key])
				}
				switch one := byPlace[key]; {
				case isReference(f.typ):
				// Leaving a field out on purpose counts as converting it.
				case f.optional, m.ignores(f), w.converts(m, f):
					one.has, one.updates = true, one.updates || m.method.updates
				default:
					one.lacks = append(one.lacks, m)
				}
			}
		}
	}
	misnamed := map[string]bool{} // by the authors' markers, which mirrors repeat
	for _, one := range all {
		if f := one.field; f.marks.name != "" && len(one.lacks) > 0 && !isGenerated(f.pos) {
			misnamed[f.name+"="+f.marks.name] = true
		}
	}
	for _, one := range all {
		lacks := slices.DeleteFunc(one.lacks, func(m *function) bool {
			switch {
			case !one.has:
				return false
			case one.field.immutable, m.method.sends && !m.method.updates: // it can't change later, which the API server enforces
				return true
			default:
				return m.method.sends && one.updates
			}
		})
		isRepeated := isGenerated(one.field.pos) && misnamed[one.field.name+"="+one.field.marks.name]
		if len(lacks) > 0 && !isRepeated {
			w.reportLack(one.field, lacks, one.has)
		}
	}
}

func (w *writer) reportLack(f *field, lacks []*function, has bool) {
	m := lacks[0]
	var other []*field
	for _, t := range m.types(false) {
		other = append(other, w.structFields(t, m.within)...)
	}
	near := nearest(cmp.Or(f.marks.name, f.name), names(other))
	ignore := "+" + markers.Convert + ":ignore="
	leaveOut := m.method.name + " " + ignore + f.name
	if m.method != m { // at the field, which is shorter
		leaveOut = ignore + m.method.name
	}
	methods := slices.Compact(slices.Sorted(slices.Values(each(lacks, func(m *function) string { return m.method.name }))))
	verb := "doesn't"
	if len(methods) > 1 {
		verb = "don't"
	}
	name := "mark it +" + markers.Convert + ":name with its name in the SDK, or"
	at := w.placeOf(f, m.method)
	switch {
	case f.marks.name != "" && has: // another method knows the name
		name = "correct its +" + markers.Convert + ":name, or mark it"
	case f.marks.name != "":
		near = " as " + f.marks.name + near
		name = "correct the +" + markers.Convert + ":name of the field, or mark it"
		if at == f.pos {
			at = f.marks.namedAt
		}
	}
	remedy := name + " " + ignore + `reason="…", or ` + leaveOut + `,reason="…"`
	if file := w.ownStruct(m); file != "" && f.marks.name == "" {
		remedy = "add it to " + file + ", or mark it " + ignore + `reason="…"`
	}
	if f.pos.IsOutside() { // nobody can mark the field itself
		remedy = "mark " + m.method.name + " " + ignore + f.label() + `,reason="…"`
	}
	who := diag.And(methods)
	switch {
	case f.typ == types.Typ[types.Invalid]:
		w.errorf(at, "%s has a type that isn't declared yet: run mrgen generate for its package or module first", f.label())
	case m.method.sends && has:
		w.errorf(at, "%s is sent at creation, and %s %s send it%s: mark it +immutable if it can't be changed; otherwise %s", f.label(), who, verb,
			near, remedy)
	case m.method.sends:
		w.errorf(at, "%s %s send %s%s: %s", who, verb, f.label(), near, remedy)
	default:
		w.errorf(at, "%s %s fill %s%s: %s", who, verb, f.label(), near, remedy)
	}
}

// ownStruct returns the first struct on the SDK's side that the package itself declares, with its file, or "". The author
// adds a field there, as to the client in memory of a new kind.
func (w *writer) ownStruct(m *function) string {
	for _, t := range m.types(false) {
		if named := gotypes.NamedOf(gotypes.Deref(t)); named != nil && named.Obj().Pkg() == w.checked.Types {
			return named.Obj().Name() + " in " + w.program.Files.Position(named.Obj().Pos()).File
		}
	}
	return ""
}

// types returns a function's types on the kind's side, or on the SDK's.
func (m *function) types(ofKind bool) []types.Type {
	if m.method.sends != ofKind {
		return []types.Type{m.to}
	}
	return each(m.from, (*types.Var).Type)
}

// converts reports whether a function has a step for a field of a kind, or mentions it in its hand-written
// body.
func (w *writer) converts(m *function, f *field) bool {
	if m.byHand != nil {
		return w.touches(m.byHand, f)
	}
	return slices.Contains(m.done, f) || slices.ContainsFunc(m.steps, func(s *step) bool { return s.kind != nil && s.kind.pos == f.pos })
}
