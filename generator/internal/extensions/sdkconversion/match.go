package sdkconversion

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
	// source is the field with the value, in the parameter from, or stands for an argument.
	source   *field
	from     *types.Var
	argument *types.Var
	// kind and sdk are the same fields by their side. That of an argument is nil.
	kind, sdk *field
	// value is the conversion.
	value *value
	// mayBeNil is set if from is a pointer other than the first parameter, which is checked once.
	mayBeNil bool
}

// plan decides the steps of all functions, and reports the fields that can't be converted.
func (w *writer) plan() {
	for _, m := range w.written() {
		w.planMethod(m)
	}
	for _, f := range w.functions {
		if f.method != f {
			f.name = w.pkg.Declare(f.wantedName())
		}
	}
	for changed := true; changed; { // functions may call each other in a ring
		changed = false
		for _, f := range w.functions {
			if f.method != f && !f.fails && slices.ContainsFunc(f.steps, func(s *step) bool { return s.value.mayFail() }) {
				f.fails, changed = true, true
			}
		}
	}
	for _, m := range w.written() {
		w.reportLoss(m)
	}
	w.checkNames()
	w.checkMirrored()
	w.reportMissing()
}

// reportLoss reports the fields that may fail to convert in a method without an error result.
func (w *writer) reportLoss(m *function) {
	failing := map[*function]bool{}
	for _, other := range w.written() {
		failing[other] = other.fails // its own steps may
	}
	eachStep(func(s *step) {
		last := s.value
		for last.elem != nil {
			last = last.elem
		}
		f := last.function
		// The steps of a function between structs say more.
		if isInner := f != nil && f.method != nil && f.method != f; !isInner && s.value.mayFail() {
			w.errorf(w.placeOf(s.kind, m), "%s may not hold the value of %s, and %s returns no error: give it an error as second result",
				s.target.label(), s.source.label(), m.name)
		}
	}, failing, m)
}

// eachStep calls a function with the steps of functions that it hasn't seen, inner structs included.
func eachStep(do func(s *step), seen map[*function]bool, functions ...*function) {
	for _, f := range functions {
		if f == nil || seen[f] {
			continue
		}
		seen[f] = true // structs may hold themselves
		for _, s := range f.steps {
			do(s)
			for v := s.value; v != nil; v = v.elem {
				eachStep(do, seen, v.function)
			}
		}
	}
}

// newStep returns the step between two fields.
func newStep(sends bool, kind, sdk *field) *step {
	if sends {
		return &step{kind: kind, sdk: sdk, source: kind, target: sdk}
	}
	return &step{kind: kind, sdk: sdk, source: sdk, target: kind}
}

// placeOf returns the position for reports about a field of the kind: its own if its author can edit it, and otherwise the
// method's.
func (w *writer) placeOf(f *field, m *function) diag.Position {
	if f == nil || f.pos.IsOutside() || isGenerated(f.pos) {
		return m.pos
	}
	return f.pos
}

// planMethod decides the steps of a method.
func (w *writer) planMethod(m *function) {
	var matched []*step
	for _, p := range m.from {
		matched = append(matched, w.matchFields(m, p)...)
	}
	target := w.structFields(m.to, m.withinFor(!m.sends))
	for _, a := range m.arguments {
		path := ""
		// Without a marker, an argument fills the field of its name.
		i := slices.IndexFunc(target, func(f *field) bool { return slices.Contains(f.names, gotypes.PlainName(a.Name())) })
		if of := m.find(markers.ConvertField, a.Name()); of != nil {
			path = of.path
		} else if i >= 0 {
			path = target[i].way()
		}
		filled := w.follow(target, path)
		if filled == nil {
			w.errorf(m.pos, "the parameter %s of %s fills no field of %s%s: name it as a field, or say which with +%s:field=%s=Field", a.Name(),
				m.name, types.TypeString(gotypes.Deref(m.to), gotypes.ByName), nearest(cmp.Or(path, a.Name()), names(target)), markers.Convert, a.Name())
			continue
		}
		s := newStep(false, filled, nil)
		if m.sends {
			s = newStep(true, nil, filled)
		}
		s.argument, s.source = a, &field{name: a.Name(), typ: a.Type()}
		matched = append(matched, s)
	}
	w.addSteps(m, matched)
	w.checkTwice(m)
}

// withinFor returns the structs whose fields count as their parent's.
func (m *function) withinFor(kind bool) []string {
	// An observation keeps its structs: one that the API leaves out stays nil.
	if kind && !m.method.sends {
		return nil
	}
	return m.within
}

// nearest suggests the most similar name, as the end of a message.
func nearest(name string, known []string) string {
	near, found := markers.Nearest(name, known)
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

// matchFields pairs the fields of a struct with the result's. A kind's field has the SDK's name from its marker, or its own.
func (w *writer) matchFields(m *function, from *types.Var) []*step {
	kind, other := w.structFields(m.to, m.withinFor(!m.method.sends)), w.structFields(from.Type(), m.withinFor(m.method.sends))
	if m.method.sends {
		kind, other = other, kind
	}
	var all []*step
	for _, f := range kind {
		own := candidates(other, f)
		// References and selectors are resolved before a request, unless the SDK's field is a reference, too.
		if m.ignores(f) || isReference(f.typ) && !slices.ContainsFunc(own, func(own *field) bool { return refers(own.typ) }) {
			continue
		}
		// reportMissing reports others, unless an error has.
		if found := w.counterpart(m, f, own, other); found != nil {
			s := newStep(m.method.sends, f, found)
			s.from = from
			all = append(all, s)
		}
	}
	return all
}

// counterpart returns the SDK's field for a field of the kind: one of the candidates, or the one that a marker names among the
// others. It returns nil if there is none.
func (w *writer) counterpart(m *function, f *field, own, other []*field) *field {
	of, path := m.find(markers.ConvertField, f.name), f.marks.name
	if of != nil {
		path = of.path
	}
	switch {
	case path != "":
		found := w.follow(other, path)
		// Another object or method may have the field: reportMissing reports it if none does.
		if found == nil && of != nil && len(m.from) == 1 {
			w.errorf(w.placeOf(f, m.method),
				"there is no %s for %s in what %s converts%s: correct the marker", path, f.label(), m.method.name, nearest(path, names(other)))
			m.done = append(m.done, f)
		}
		return found
	case len(own) > 1:
		w.errorf(w.placeOf(f, m.method), "%s may be %s: say which at %s, with +%s:field=%s=%s", f.label(),
			strings.Join(each(own, (*field).label), " or "), m.method.name, markers.Convert, f.name, own[0].way())
		m.done = append(m.done, f)
	case len(own) == 1:
		return own[0]
	}
	return nil
}

// ignores reports whether markers leave a field out: on the field, or on the method.
func (m *function) ignores(f *field) bool {
	return m.find(markers.ConvertIgnore, f.name) != nil || f.find(markers.ConvertIgnore, f.name) != nil || f.leftOutOf(m.method)
}

// leftOutOf reports whether the marker of a field leaves it out of a method, or the method's marker names the field with its struct.
func (f *field) leftOutOf(m *function) bool {
	return f.find(markers.ConvertIgnore, m.name) != nil || m.find(markers.ConvertIgnore, f.label()) != nil
}

// addSteps decides how the values of corresponding fields are converted.
func (w *writer) addSteps(f *function, matched []*step) {
	for _, s := range matched {
		s.mayBeNil = s.from != nil && s.from != f.from[0] && gotypes.IsPointer(s.from.Type())
		kind, c := s.kind, hints{method: f.method}
		if kind != nil {
			c.form = kind.form
		}
		if c.key == "" {
			c.key, c.value = f.key, f.value
		}
		c.sendsZero = c.sendsZero || f.sendsZero
		from := s.source.typ
		c.omitsZero = s.source.omitsZero
		c.sendsZero = c.sendsZero || s.source.alternative != nil // a member of a oneof is set by being there
		to, why := s.target.typ, ""
		if s.target.takes != nil {
			to = s.target.takes
		}
		if s.target.get != "" && s.target.set == "" {
			why = "no method Set" + s.target.name + " takes it and returns no error: write " + f.method.name +
				" by hand, or leave the field out with +" + markers.ConvertIgnore
		} else {
			s.value, why = w.value(from, to, c)
		}
		if s.value == nil {
			f.done = append(f.done, kind)
			// Optional fields, and structs without anything for this conversion, may stay unconverted.
			if kind == nil || !kind.optional && why != nothing {
				w.errorf(w.placeOf(kind, f.method), "%s of type %s can't be made of %s of type %s: %s", s.target.label(),
					types.TypeString(to, gotypes.ByName), s.source.label(), types.TypeString(from, gotypes.ByName), why)
			}
			continue
		}
		f.steps = append(f.steps, s)
		w.checkSpelling(f, s)
		if kind != nil {
			sdkName := s.source.label()
			if f.method.sends {
				sdkName = s.target.label()
			}
			w.mappings = append(w.mappings, Mapping{Method: f.method.name, Pos: kind.pos, Kind: kind.label(), SDK: sdkName, Sent: f.method.sends})
		}
	}
}

// checkTwice reports fields of a result that two values would fill, wholly or in part.
func (w *writer) checkTwice(f *function) {
	ways := each(f.steps, func(s *step) string { return s.target.way() })
	for i, s := range f.steps {
		for j, other := range f.steps {
			remedy := "mark one of them +" + markers.Convert + ":name, or leave it out"
			switch {
			case strings.HasPrefix(ways[i], ways[j]+"."):
				remedy = "mark " + f.method.name + " +" + markers.Convert + ":in=" + ways[j] + ", or leave one of them out"
			case ways[i] != ways[j], j >= i:
				continue
			case s.argument != nil:
				remedy = "drop the parameter, or leave the field out"
			}
			w.errorf(w.placeOf(s.kind, f.method), "%s of %s and %s would both become %s: %s with +%s:ignore", f.method.name, other.source.label(),
				s.source.label(), other.target.label(), remedy, markers.Convert)
		}
	}
}
