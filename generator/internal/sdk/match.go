package sdk

import (
	"cmp"
	"go/types"
	"slices"
	"strings"

	"github.com/mrgen-io/mrgen/generator/diag"
	"github.com/mrgen-io/mrgen/generator/internal/gotypes"
	"github.com/mrgen-io/mrgen/markers"
)

// A step fills a field of the result from the corresponding one.
type step struct {
	target *field
	// source is the field with the value, in the parameter from. It is nil if an argument has the value.
	source   *field
	from     *types.Var
	argument *types.Var
	// value is the conversion.
	value *value
	// mayBeNil is set if from is a pointer other than the first parameter, which is checked once.
	mayBeNil bool
}

// plan decides the steps of all functions, and reports the fields that can't be converted.
func (w *writer) plan() {
	for _, m := range w.methods() {
		w.planMethod(m)
	}
	for changed := true; changed; { // functions may call each other in a ring
		changed = false
		for _, f := range w.functions {
			if !f.mayFail && slices.ContainsFunc(f.steps, func(s *step) bool { return s.value.mayFail() }) {
				f.mayFail, changed = true, true
			}
		}
	}
	for _, m := range w.methods() {
		if m.byHand == nil && m.mayFail && !m.fails {
			w.reportLoss(m, m.steps, map[*function]bool{})
		}
	}
	w.checkIgnored()
	w.checkMirrored()
	w.reportMissing()
}

// reportLoss reports the fields that may fail to convert in a function without an error result.
func (w *writer) reportLoss(m *function, steps []*step, seen map[*function]bool) {
	for _, s := range steps {
		for v := s.value; v != nil; v = v.elem {
			if v.way == byFunction && v.function.byHand == nil && !v.function.fails && !seen[v.function] {
				seen[v.function] = true
				w.reportLoss(m, v.function.steps, seen)
			} else if v.failsItself() {
				w.errorf(w.place(s, m), "%s may not hold the value of %s, and %s returns no error: give it an error as second result", s.target.label(),
					s.sourceLabel(), m.name)
			}
		}
	}
}

// sides returns the fields of a step in the kind and in the SDK. The side of an argument is nil.
func (s *step) sides(sends bool) (kind, sdk *field) {
	if sends {
		return s.source, s.target
	}
	return s.target, s.source
}

// sourceLabel names the source of a step.
func (s *step) sourceLabel() string {
	if s.source == nil {
		return s.argument.Name()
	}
	return s.source.label()
}

// place returns the position for reports about a step: the kind's field if its author can edit it, and
// otherwise the method.
func (w *writer) place(s *step, m *function) diag.Position {
	kind, _ := s.sides(m.sends)
	return w.placeOf(kind, m)
}

func (w *writer) placeOf(f *field, m *function) diag.Position {
	if f == nil || f.pos.IsOutside() || isGenerated(f.pos) {
		return m.pos
	}
	return f.pos
}

// planMethod decides the steps of a method, unless the author has written it.
func (w *writer) planMethod(m *function) {
	if m.byHand != nil {
		return
	}
	target := w.structFields(m.to, m.withinFor(!m.sends))
	var matched []*step
	for _, p := range m.from {
		matched = append(matched, w.matchFields(m, p, target, w.structFields(p.Type(), m.withinFor(m.sends)))...)
	}
	for _, a := range m.arguments {
		path, isNamed := m.paths[a.Name()]
		filled := w.follow(target, path)
		// Without a marker, an argument fills the field of its name.
		has := func(f *field) bool { return slices.Contains(f.names, gotypes.PlainName(a.Name())) }
		if i := slices.IndexFunc(target, has); !isNamed && i >= 0 {
			filled = target[i]
		}
		if filled == nil {
			w.errorf(m.pos, "the parameter %s of %s fills no field of %s%s: name it as a field, or say which with +%s:field=%s=Field", a.Name(),
				m.name, types.TypeString(gotypes.Deref(m.to), gotypes.ByName), nearest(cmp.Or(path, a.Name()), target), markers.Convert, a.Name())
			continue
		}
		matched = append(matched, &step{target: filled, argument: a})
	}
	w.addSteps(m, matched)
	w.checkTwice(m)
	w.checkMarks(m)
}

// checkMarks reports markers of a method that name unknown fields.
func (w *writer) checkMarks(m *function) {
	var kind []*field
	for _, t := range m.types(true) {
		kind = append(kind, w.structFields(t, m.withinFor(true))...)
	}
	for name, pos := range m.ignored {
		if !strings.Contains(name, ".") && !slices.Contains(names(kind), name) {
			w.errorf(pos, "%s converts no field %s%s: correct the marker", m.name, name, nearest(name, kind))
		}
	}
	for name := range m.paths {
		if !slices.Contains(names(kind), name) && !slices.ContainsFunc(m.arguments, func(a *types.Var) bool { return a.Name() == name }) {
			w.errorf(m.pos, "%s converts no field %s%s: correct +%s:field", m.name, name, nearest(name, kind), markers.Convert)
		}
	}
	for _, name := range m.within {
		if !slices.ContainsFunc(slices.Concat(m.types(true), m.types(false)), func(t types.Type) bool {
			return slices.ContainsFunc(w.structFields(t, nil), func(f *field) bool {
				return gotypes.PlainName(f.name) == gotypes.PlainName(name) && gotypes.StructOf(f.typ) != nil
			})
		}) {
			w.errorf(m.pos, "there is no struct %s in what %s converts: correct +%s:in", name, m.name, markers.Convert)
		}
	}
}

// withinFor returns the structs whose fields count as their parent's.
func (m *function) withinFor(kind bool) []string {
	// An observation keeps its structs: one that the API leaves out stays nil.
	if kind && !m.method.sends {
		return nil
	}
	return m.within
}

// nearest suggests the field with the most similar name, as the end of a message.
func nearest(name string, fields []*field) string {
	near, found := markers.Nearest(name, names(fields))
	if !found {
		return ""
	}
	return ", whose nearest is " + near
}

func names(fields []*field) []string { return each(fields, func(f *field) string { return f.name }) }

// each returns the results of a function for some values.
func each[T, R any](values []T, of func(T) R) []R {
	var all []R
	for _, v := range values {
		all = append(all, of(v))
	}
	return all
}

// matchFields pairs the fields of two structs. A kind's field has the SDK's name from its marker, or its own.
func (w *writer) matchFields(m *function, from *types.Var, targets, sources []*field) []*step {
	kind, other := targets, sources
	if m.method.sends {
		kind, other = sources, targets
	}
	var all []*step
	for _, f := range kind {
		// References and selectors are resolved before a request, unless the SDK's field is a reference, too.
		if m.ignores(f) || isReference(f.typ) && !slices.ContainsFunc(candidates(other, f), func(own *field) bool { return refers(own.typ) }) {
			continue
		}
		found, isSettled := w.counterpart(m, f, other)
		if isSettled {
			continue
		}
		switch {
		case found == nil: // reportMissing reports it
		case m.method.sends:
			all = append(all, &step{target: found, source: f, from: from})
		default:
			all = append(all, &step{target: f, source: found, from: from})
		}
	}
	return all
}

// counterpart returns the SDK's field for a field of the kind, nil if there is none. It returns true if the field is done: another
// object or method may have it, or the error is reported.
func (w *writer) counterpart(m *function, f *field, other []*field) (found *field, isSettled bool) {
	path, isOfMethod := m.paths[f.name]
	if !isOfMethod {
		path = f.marks.name
	}
	own := candidates(other, f)
	switch {
	case path == "" && len(own) > 1:
		w.errorf(w.placeOf(f, m.method), "%s may be %s: say which at %s, with +%s:field=%s=%s", f.label(),
			strings.Join(each(own, (*field).label), " or "), m.method.name, markers.Convert, f.name, own[0].way())
		m.noteDone(f)
		return nil, true
	case path == "" && len(own) == 1:
		return own[0], false
	case path == "":
		return nil, false
	}
	if found = w.follow(other, path); found == nil {
		// Another object or method may have the field: reportMissing reports it if none does.
		if isOfMethod && len(m.from) == 1 {
			w.errorf(w.placeOf(f, m.method),
				"there is no %s for %s in what %s converts%s: correct the marker", path, f.label(), m.method.name, nearest(path, other))
			m.noteDone(f)
		}
		return nil, true
	}
	return found, false
}

// ignores reports whether markers leave a field out: on the field, or on the method, where a field of an inner
// struct has the struct's name before its own.
func (m *function) ignores(f *field) bool {
	_, named := m.ignored[f.name]
	_, withOwner := m.ignored[f.label()]
	_, everywhere := f.marks.ignored[f.name]
	return named || withOwner || everywhere || f.marks.leavesOut(m.method)
}

// leavesOut reports whether the markers of a field leave it out of a method.
func (m marks) leavesOut(method *function) bool {
	_, found := m.ignored[method.name]
	return found
}

// addSteps decides how the values of corresponding fields are converted.
func (w *writer) addSteps(f *function, matched []*step) {
	for _, s := range matched {
		s.mayBeNil = s.from != nil && s.from != f.from[0] && gotypes.IsPointer(s.from.Type())
		kind, _ := s.sides(f.method.sends)
		c := hints{method: f.method}
		if kind != nil {
			c.key, c.value, c.sendsZero, c.isNumber = kind.marks.key, kind.marks.value, kind.marks.sendsZero, kind.marks.isNumber
		}
		if c.key == "" {
			c.key, c.value = f.key, f.value
		}
		c.sendsZero = c.sendsZero || f.sendsZero
		var from types.Type
		if s.source != nil {
			from, c.omitsZero = s.source.typ, s.source.omitsZero
			c.sendsZero = c.sendsZero || s.source.alternative != nil // a member of a oneof is set by being there
		} else {
			from = s.argument.Type()
		}
		if s.target.get != "" && s.target.set == "" {
			w.errorf(w.placeOf(kind, f.method),
				"%s can't be set, since no method Set%s takes it and returns no error: write %s by hand, or leave the field out with +%s:ignore",
				s.target.label(), s.target.name, f.method.name, markers.Convert)
			f.noteDone(kind)
			continue
		}
		var why string
		to := s.target.typ
		if s.target.takes != nil {
			to = s.target.takes
		}
		// Optional fields, and structs without anything for this conversion, may stay unconverted.
		if s.value, why = w.value(from, to, c); s.value == nil && kind != nil && (kind.optional || why == nothing) {
			f.noteDone(kind)
			continue
		} else if s.value == nil {
			at := w.placeOf(kind, f.method)
			f.noteDone(kind)
			w.errorf(at, "%s of type %s can't be made of %s of type %s: %s", s.target.label(), types.TypeString(to, gotypes.ByName), s.sourceLabel(),
				types.TypeString(from, gotypes.ByName), why)
			continue
		}
		f.steps = append(f.steps, s)
		w.checkSpelling(f, s)
		if kind != nil {
			kindName, sdkName := s.target.label(), s.sourceLabel()
			if f.method.sends {
				kindName, sdkName = sdkName, kindName
			}
			w.mappings = append(w.mappings, Mapping{Method: f.method.name, Pos: kind.pos, Kind: kindName, SDK: sdkName, Sent: f.method.sends})
		}
	}
}

// noteDone records that a field of the kind isn't missing: it has an error already, or an argument fills it.
func (f *function) noteDone(kind *field) {
	if f.done == nil {
		f.done = map[*field]bool{}
	}
	f.done[kind] = true
}

// checkTwice reports fields of a result that two values would fill, wholly or in part.
func (w *writer) checkTwice(f *function) {
	first := map[string]*step{}
	clash := func(s *step, key string) {
		other := first[key]
		if other == nil {
			return
		}
		remedy := "mark one of them +" + markers.Convert + ":name, or leave it out"
		switch {
		case s.target.way() != key:
			remedy = "mark " + f.method.name + " +" + markers.Convert + ":in=" + key + ", or leave one of them out"
		case s.argument != nil:
			remedy = "drop the parameter, or leave the field out"
		}
		w.errorf(w.place(s, f.method), "%s of %s and %s would both become %s: %s with +%s:ignore", f.method.name, other.sourceLabel(),
			s.sourceLabel(), other.target.label(), remedy, markers.Convert)
	}
	for _, s := range f.steps {
		key := s.target.way()
		if clash(s, key); first[key] == nil {
			first[key] = s
		}
	}
	for _, s := range f.steps {
		for key := s.target.way(); strings.Contains(key, "."); {
			key = key[:strings.LastIndex(key, ".")]
			clash(s, key)
		}
	}
}
