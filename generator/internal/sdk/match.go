package sdk

import (
	"go/types"
	"maps"
	"slices"
	"strings"

	"github.com/mrgen-io/mrgen/generator/internal/diag"
	"github.com/mrgen-io/mrgen/markers"
)

// A step fills a field of a result.
type step struct {
	target *field
	// source is the field with the value, of the parameter from, or nil if an argument has it.
	source   *field
	from     *types.Var
	argument *types.Var
	value    *value
}

// plan decides on the steps of all functions, and reports what can't be converted.
func (w *writer) plan() {
	for _, d := range w.interfaces {
		for _, m := range d.methods {
			w.planMethod(m)
		}
	}
	for changed := true; changed; { // functions may call each other in a ring
		changed = false
		for _, f := range w.functions {
			if !f.mayFail && slices.ContainsFunc(f.steps, func(s *step) bool { return s.value.mayFail() }) {
				f.mayFail, changed = true, true
			}
		}
	}
	for _, d := range w.interfaces {
		for _, m := range d.methods {
			if m.byHand == nil && m.mayFail && !m.fails {
				w.reportLoss(m, m.steps, map[*function]bool{})
			}
		}
		w.reportMissing(d)
	}
}

// reportLoss reports the fields because of which a function may fail that returns no error.
func (w *writer) reportLoss(m *function, steps []*step, seen map[*function]bool) {
	for _, s := range steps {
		for v := s.value; v != nil; v = v.elem {
			if v.way == byFunction && v.function.byHand == nil && !seen[v.function] {
				seen[v.function] = true
				w.reportLoss(m, v.function.steps, seen)
			} else if v.failsItself() {
				w.errorf(w.place(s, m), "%s may not hold the value of %s, and %s returns no error: give it an error as second result", w.targetLabel(s), w.sourceLabel(s), m.name)
			}
		}
	}
}

func (w *writer) targetLabel(s *step) string { return s.target.label() }

func (w *writer) sourceLabel(s *step) string {
	if s.source == nil {
		return s.argument.Name()
	}
	return s.source.label()
}

// place returns where to report a step: at the field of the kind if its author can edit that, and else
// at the method.
func (w *writer) place(s *step, m *function) diag.Position {
	f := s.target
	if m.sends {
		f = s.source
	}
	return w.placeOf(f, m)
}

func (w *writer) placeOf(f *field, m *function) diag.Position {
	if f == nil || f.pos.IsOutside() || strings.Contains(f.pos.File, "zz_generated.") {
		return m.pos
	}
	return f.pos
}

// planMethod decides on the steps of a method. The author may have written it.
func (w *writer) planMethod(m *function) {
	if m.byHand != nil {
		return
	}
	target := w.structFields(m.to, m.withinFor(m.sends))
	used := map[*types.Var]bool{}
	var matched []*match
	for _, p := range m.from {
		matched = append(matched, w.matchFields(m, p, target, w.structFields(p.Type(), m.withinFor(!m.sends)))...)
	}
	for _, a := range m.arguments {
		i := slices.IndexFunc(target, func(f *field) bool { return slices.Contains(f.names, plain(a.Name())) })
		if i < 0 {
			choices := names(target)
			near, _ := markers.Nearest(a.Name(), choices)
			w.errorf(m.pos, "the parameter %s of %s fills no field of %s%s: name it as a field", a.Name(), m.name, types.TypeString(deref(m.to), byName), nearest(near))
			continue
		}
		used[a] = true
		matched = slices.DeleteFunc(matched, func(s *match) bool { return s.target == target[i] })
		matched = append(matched, &match{target: target[i], argument: a})
	}
	w.addSteps(m, matched)
	w.checkTwice(m)
}

func (m *function) withinFor(sdk bool) []string {
	if sdk {
		return m.within
	}
	return nil
}

func nearest(name string) string {
	if name == "" {
		return ""
	}
	return ", whose nearest is " + name
}

func names(fields []*field) []string {
	var all []string
	for _, f := range fields {
		all = append(all, f.name)
	}
	return all
}

// A match is two fields that correspond.
type match struct {
	target, source *field
	from, argument *types.Var
}

// matchFields pairs the fields of a struct with those of another one. The names that the kind's fields
// have in the SDK are those of their markers, or their own.
func (w *writer) matchFields(m *function, from *types.Var, targets, sources []*field) []*match {
	kind, other := targets, sources
	if m.sends {
		kind, other = sources, targets
	}
	var all []*match
	for _, f := range kind {
		if m.ignores(f) || isReference(f.typ) {
			continue
		}
		path, isNamed := m.paths[f.name]
		if !isNamed && f.marks.name != "" {
			path, isNamed = f.marks.name, true
		}
		var found *field
		if isNamed {
			if found = w.follow(other, path); found == nil {
				if len(m.from) == 1 {
					near, _ := markers.Nearest(path, names(other))
					w.errorf(w.placeOf(f, m), "there is no %s for %s in what %s converts%s: correct the marker", path, f.label(), m.name, nearest(near))
					m.noteFailed(f)
				}
				continue
			}
			if own := candidates(other, f); len(own) > 0 && own[0] != found && !m.claims(kind, own[0]) && types.Identical(deref(own[0].typ), deref(found.typ)) {
				w.errorf(w.placeOf(f, m), "%s is converted by %s as %s, though %s has its own name: leave that out with +%s:ignore, or drop the marker", f.label(), m.name, found.label(), own[0].label(), markers.Convert)
			}
		} else {
			own := candidates(other, f)
			if len(own) > 1 {
				w.errorf(w.placeOf(f, m), "%s may be %s: say which at %s, with +%s:field=%s=%s", f.label(), strings.Join(labels(own), " or "), m.name, markers.Convert, f.name, own[0].name)
				m.noteFailed(f)
				continue
			}
			if len(own) == 1 {
				found = own[0]
			}
		}
		switch {
		case found == nil:
		case m.sends:
			all = append(all, &match{target: found, source: f, from: from})
		default:
			all = append(all, &match{target: f, source: found, from: from})
		}
	}
	return all
}

// claims reports whether another field of the kind is called as a field of the SDK.
func (m *function) claims(kind []*field, f *field) bool {
	return slices.ContainsFunc(kind, func(k *field) bool { return m.paths[k.name] == f.name || k.marks.name == f.name })
}

// ignores reports whether markers leave a field out: one at the field, or at the method, which names a
// field of a struct within the kind's together with that.
func (m *function) ignores(f *field) bool {
	_, named := m.ignored[f.name]
	_, withOwner := m.ignored[f.label()]
	_, everywhere := f.marks.ignored[f.name]
	return named && m.method == m || withOwner || everywhere
}

func labels(fields []*field) []string {
	var all []string
	for _, f := range fields {
		all = append(all, f.label())
	}
	return all
}

// candidates returns the fields that have a name of another one: those by its Go name, or else by any.
func candidates(fields []*field, of *field) []*field {
	var byGoName, byAny []*field
	for _, f := range fields {
		switch {
		case plain(f.name) == plain(of.name):
			byGoName = append(byGoName, f)
		case slices.ContainsFunc(f.names, func(name string) bool { return slices.Contains(of.names, name) }):
			byAny = append(byAny, f)
		}
	}
	if len(byGoName) > 0 {
		return shallowest(byGoName)
	}
	return shallowest(byAny)
}

// shallowest returns the fields with the shortest way, as Go selects them.
func shallowest(fields []*field) []*field {
	least := 100
	for _, f := range fields {
		least = min(least, len(f.path))
	}
	return slices.DeleteFunc(fields, func(f *field) bool { return len(f.path) > least })
}

// follow returns the field at a path, or nil.
func (w *writer) follow(fields []*field, path string) *field {
	name, rest, deeper := strings.Cut(path, ".")
	i := slices.IndexFunc(fields, func(f *field) bool { return f.name == name })
	if i < 0 {
		return nil
	}
	f := fields[i]
	if !deeper {
		return f
	}
	inner := w.follow(w.structFields(f.typ, nil), rest)
	if inner == nil {
		return nil
	}
	found := *inner
	found.path = slices.Concat(f.path, []part{{f.name, f.typ}}, inner.path)
	if f.get != "" {
		return nil
	}
	return &found
}

// addSteps decides how the values of fields that correspond are converted.
func (w *writer) addSteps(f *function, matched []*match) {
	for _, p := range matched {
		s := &step{target: p.target, source: p.source, from: p.from, argument: p.argument}
		kind := s.target
		if f.method.sends {
			kind = s.source
		}
		c := hints{method: f.method}
		if kind != nil {
			c.key, c.value, c.sendsZero = kind.marks.key, kind.marks.value, kind.marks.sendsZero
		}
		if c.key == "" {
			c.key, c.value = f.method.key, f.method.value
		}
		c.sendsZero = c.sendsZero || f.method.sendsZero
		var from types.Type
		if s.source != nil {
			from, c.omitsZero = s.source.typ, s.source.omitsZero
		} else {
			from, c.sendsZero = s.argument.Type(), c.sendsZero
		}
		if s.target.get != "" && s.target.set == "" {
			w.errorf(w.placeOf(kind, f.method), "%s can't be set: it has no method Set%s: write %s by hand, or leave the field out with +%s:ignore", s.target.label(), s.target.name, f.method.name, markers.Convert)
			f.noteFailed(kind)
			continue
		}
		var why string
		if s.value, why = w.value(from, s.target.typ, c); s.value == nil {
			at := w.placeOf(kind, f.method)
			f.noteFailed(kind)
			w.errorf(at, "%s of type %s can't be made of %s of type %s: %s", s.target.label(), types.TypeString(s.target.typ, byName), w.sourceLabel(s), types.TypeString(from, byName), why)
			continue
		}
		f.steps = append(f.steps, s)
		kindName, sdkName := w.targetLabel(s), w.sourceLabel(s)
		if f.method.sends {
			kindName, sdkName = sdkName, kindName
		}
		if kind != nil {
			w.mappings = append(w.mappings, Mapping{Method: f.method.name, Pos: kind.pos, Kind: kindName, SDK: sdkName, Sent: f.method.sends})
		}
	}
}

// noteFailed notes a field of the kind that an error is about: it isn't missing.
func (f *function) noteFailed(kind *field) {
	if f.failed == nil {
		f.failed = map[*field]bool{}
	}
	f.failed[kind] = true
}

// checkTwice reports fields of a result that two values would fill.
func (w *writer) checkTwice(f *function) {
	first := map[string]*step{}
	for _, s := range f.steps {
		key := s.target.name
		for _, p := range slices.Backward(s.target.path) {
			key = p.name + "." + key
		}
		if other := first[key]; other != nil {
			w.errorf(w.place(s, f.method), "%s of %s and %s would both become %s: mark one of them +%s:name, or leave it out with +%s:ignore", f.method.name, w.sourceLabel(other), w.sourceLabel(s), s.target.label(), markers.Convert, markers.Convert)
			continue
		}
		first[key] = s
	}
}

// A missing field of a kind has no counterpart in what some methods convert.
type missing struct {
	field *field
	// methods lack it, and others have it.
	methods []*function
	has     bool
}

// reportMissing reports the fields of kinds that nothing sends, that updates don't send though creation
// does, and that nothing fills.
func (w *writer) reportMissing(d *declaration) {
	byStruct := map[string][]*function{}
	for _, m := range d.methods {
		for _, t := range m.kindTypes() {
			key := types.TypeString(deref(t), nil)
			byStruct[key] = append(byStruct[key], m)
		}
	}
	for _, key := range slices.Sorted(maps.Keys(byStruct)) {
		methods := byStruct[key]
		for _, t := range methods[0].kindTypes() {
			if types.TypeString(deref(t), nil) == key {
				w.reportMissingOf(w.structFields(t, nil), methods, 0)
			}
		}
	}
	for _, f := range w.functions {
		if f.method != nil && f.method != f {
			for _, t := range f.kindTypes() {
				w.reportMissingOf(w.structFields(t, nil), []*function{f}, 1)
			}
		}
	}
}

// kindTypes returns the types of a kind that a function converts.
func (m *function) kindTypes() []types.Type {
	if m.byHand != nil && m.method == nil {
		return nil
	}
	if !m.sends && !(m.method != nil && m.method.sends) {
		return []types.Type{m.to}
	}
	var all []types.Type
	for _, p := range m.from {
		all = append(all, p.Type())
	}
	return all
}

func (w *writer) reportMissingOf(fields []*field, methods []*function, depth int) {
	for _, f := range fields {
		if isReference(f.typ) {
			continue
		}
		var lacks []*function
		has := false
		for _, m := range methods {
			switch {
			case m.method.ignores(f) || m.ignores(f):
				has = true
			case w.converts(m, f):
				has = true
			default:
				lacks = append(lacks, m)
			}
		}
		if has && depth == 0 {
			// What creation takes and updates don't can't change, which the API server enforces.
			lacks = slices.DeleteFunc(lacks, func(m *function) bool {
				return f.immutable || m.sends && !strings.HasPrefix(strings.ToLower(m.name), "update")
			})
		}
		if len(lacks) == 0 {
			continue
		}
		m := lacks[0]
		other := []*field{}
		if m.method.sends {
			other = w.structFields(m.to, m.withinFor(true))
		} else {
			for _, p := range m.from {
				other = append(other, w.structFields(p.Type(), m.withinFor(true))...)
			}
		}
		near, _ := markers.Nearest(f.name, names(other))
		remedy := "mark it +" + markers.Convert + ":name with its name in the SDK, or " + m.method.name + " +" + markers.Convert + ":ignore=" + f.name + `,reason="…"`
		switch {
		case m.method.sends && has:
			w.errorf(w.placeOf(f, m.method), "%s is sent at creation, and %s doesn't send it%s: mark it +immutable if it can't be changed; otherwise %s", f.label(), methodNames(lacks), nearest(near), remedy)
		case m.method.sends:
			w.errorf(w.placeOf(f, m.method), "%s doesn't send %s%s: %s", methodNames(lacks), f.label(), nearest(near), remedy)
		default:
			w.errorf(w.placeOf(f, m.method), "%s doesn't fill %s%s: %s", methodNames(lacks), f.label(), nearest(near), remedy)
		}
	}
}

func methodNames(all []*function) string {
	var words []string
	for _, m := range all {
		if name := m.method.name; !slices.Contains(words, name) {
			words = append(words, name)
		}
	}
	return diag.And(words)
}

// converts reports whether a function has a step for a field of a kind, or looks at it in a body that
// the author wrote.
func (w *writer) converts(m *function, f *field) bool {
	if m.byHand != nil {
		return w.touches(m.byHand, f)
	}
	return m.failed[f] || slices.ContainsFunc(m.steps, func(s *step) bool {
		if m.method.sends {
			return s.source == f || s.source != nil && s.source.pos == f.pos
		}
		return s.target == f || s.target.pos == f.pos
	})
}
