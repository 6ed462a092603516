package controllers

import (
	"go/types"
	"slices"
	"strings"
	"sync"

	"golang.org/x/tools/go/ssa"

	"github.com/mrgen-io/mrgen/generator/internal/parallel"
)

// A check is what a controller does with a field to find out whether a resource is up to date, and to
// bring it up to date.
type check struct {
	// compared is a comparison that decides on whether the resource is up to date, or nil, and updated is
	// where an update sets the field in a request.
	compared, updated *place
	// mayCompare is set if some code on the way may look at the value, and mayUpdate if an update may
	// send it, or decide by it.
	mayCompare, mayUpdate bool
	// identifies is set if the value finds or deletes the resource, and merged if it becomes that of
	// another parameter.
	identifies, merged bool
}

// A checkedField is what a controller does with a parameter.
type checkedField struct {
	field *types.Var
	check
}

// checks says what controllers do with the parameters of their kinds, in the order of the controllers.
func (a *analysis) checks() []checkedField {
	type task struct {
		*controller
		fields []*types.Var
		nodes  []node
		others map[node]bool
	}
	var tasks []task
	for _, c := range a.controllers {
		c.answers = a.answersOf(c)
		for _, k := range c.kinds {
			t := task{c, a.parameters(k), nil, map[node]bool{}}
			for _, f := range t.fields {
				n := a.field(f)
				t.nodes, t.others[n] = append(t.nodes, n), true
			}
			tasks = append(tasks, t)
		}
	}
	// From here on, the graph doesn't change.
	searchers := sync.Pool{New: func() any { return a.searcher() }}
	found := make([][]checkedField, len(tasks))
	parallel.Do(len(tasks), func(i int) {
		s := searchers.Get().(*searcher)
		for j, n := range tasks[i].nodes {
			found[i] = append(found[i], checkedField{tasks[i].fields[j], a.check(s, tasks[i].controller, n, tasks[i].others)})
		}
		searchers.Put(s)
	})
	return slices.Concat(found...)
}

// check says what a controller does with a field. The others are the parameters of the kind.
func (a *analysis) check(s *searcher, c *controller, n node, others map[node]bool) check {
	var found check
	within := func(functions map[*ssa.Function]bool, strict bool) search { return search{s, functions, strict} }
	creates := false
	reached := map[node]bool{}
	var equal []node
	within(c.observing, true).from(n, func(at step) bool {
		reached[at.node] = true
		switch p := &a.places[at.node]; {
		case a.upToDate[at.node] && at.equal >= 0:
			equal = append(equal, at.equal)
		case a.exists[at.node] && at.equal >= 0:
			creates = true
		case p.end == sent:
			found.identifies = true
		case others[at.node] && at.node != n:
			found.merged = true
		}
		return found.merged
	})
	if found.merged {
		return check{}
	}
	for _, e := range equal {
		// A value that is on both sides is compared with itself.
		if operands := a.places[e].operands; !slices.ContainsFunc(operands, func(o node) bool { return !reached[o] }) || a.findsOne(e) {
			continue
		}
		found.compared = &a.places[e]
	}
	within(c.updating, true).from(n, func(at step) bool {
		if p := &a.places[at.node]; p.end == sent && p.request != nil && c.isAnswered(p.request) {
			found.updated = p
		}
		return found.updated != nil
	})
	within(c.deleting, true).from(n, func(at step) bool {
		found.identifies = found.identifies || a.places[at.node].end == sent
		return found.identifies
	})
	within(c.observing, false).from(n, func(at step) bool {
		switch p := a.places[at.node]; p.end {
		case compared, tested:
			found.mayCompare = p.of < 0 || a.judging[p.of]
		case handed:
			found.mayCompare = true
		}
		return found.mayCompare
	})
	sending := c.updating
	if creates {
		sending = c.changing
	}
	within(sending, false).from(n, func(at step) bool {
		switch a.places[at.node].end {
		case sent, handed, named, steering:
			found.mayUpdate = true
		}
		return found.mayUpdate
	})
	return found
}

// findsOne reports whether a comparison decides on whether the resource exists: it looks for it in a list.
func (a *analysis) findsOne(equal node) bool {
	return slices.ContainsFunc(a.edges[equal], func(entry edge) bool {
		return entry.kind == decides && slices.ContainsFunc(a.edges[entry.to], func(e edge) bool { return a.exists[e.to] })
	})
}

// findVerdicts notes the nodes of the fields by which Observe says whether a resource exists and is up to
// date, and those from which values may get there.
func (a *analysis) findVerdicts() {
	a.upToDate, a.exists = map[node]bool{}, map[node]bool{}
	for f, n := range a.fields {
		if f.Pkg() == nil || !strings.HasSuffix(f.Pkg().Path(), "/managed") {
			continue
		}
		switch f.Name() {
		case "ResourceUpToDate":
			a.upToDate[n] = true
		case "ResourceExists":
			a.exists[n] = true
		}
	}
	a.judging = a.reaching(func(n node, _ place) bool { return a.upToDate[n] || a.exists[n] })
}

// parameters returns the fields of spec.forProvider of a kind, and of the structs of API packages in it.
func (a *analysis) parameters(k *types.Named) []*types.Var {
	var all []*types.Var
	seen := map[*types.Struct]bool{}
	var add func(t types.Type)
	add = func(t types.Type) {
		for _, s := range a.structsIn(t) {
			if seen[s] || s.NumFields() > 0 && !a.apis[s.Field(0).Pkg()] {
				continue
			}
			seen[s] = true
			for f := range s.Fields() {
				all = append(all, f)
				add(f.Type())
			}
		}
	}
	if spec := fieldNamed(k, "Spec"); spec != nil {
		if f := fieldNamed(spec.Type(), "ForProvider"); f != nil {
			add(f.Type())
		}
	}
	return all
}

// fieldNamed returns a field of a struct, or nil.
func fieldNamed(t types.Type, name string) *types.Var {
	s, ok := t.Underlying().(*types.Struct)
	if !ok {
		return nil
	}
	for f := range s.Fields() {
		if f.Name() == name {
			return f
		}
	}
	return nil
}

// answersOf returns the names of the fields that what a controller gets from the API has, in lower case.
func (a *analysis) answersOf(c *controller) map[string]bool {
	names := map[string]bool{}
	seen := map[*types.Struct]bool{}
	a.eachCall(c.observing, func(call ssa.CallInstruction) {
		common := call.Common()
		if _, others := a.callees.of(common); !others {
			return
		}
		results := common.Signature().Results()
		for v := range results.Variables() {
			a.answered(names, v.Type(), seen)
		}
		for _, argument := range common.Args { // such as that of json.Unmarshal
			if box, ok := argument.(*ssa.MakeInterface); ok && isReference(box.X.Type()) {
				a.answered(names, box.X.Type(), seen)
			}
		}
	})
	return names
}

// isAnswered reports whether what a controller gets from the API has a field of a name like that of a field
// of a request: others are about how to update, and no check can compare them.
func (c *controller) isAnswered(f *types.Var) bool {
	name := strings.ToLower(f.Name())
	for answer := range c.answers {
		longer, shorter := name, answer
		if len(longer) < len(shorter) {
			longer, shorter = shorter, longer
		}
		// Such as ID and BucketID, or Tag and Tags.
		if longer == shorter || len(shorter) > 3 && (strings.HasSuffix(longer, shorter) || strings.HasPrefix(longer, shorter) && len(longer)-len(shorter) < 4) {
			return true
		}
	}
	return false
}

// answered adds the names of the fields that a value has, or leads to.
func (a *analysis) answered(names map[string]bool, t types.Type, seen map[*types.Struct]bool) {
	for _, s := range a.structsIn(t) {
		if seen[s] || s.NumFields() > 0 && (a.apis[s.Field(0).Pkg()] || isQuiet(s.Field(0).Pkg().Path())) {
			continue
		}
		seen[s] = true
		for f := range s.Fields() {
			names[strings.ToLower(f.Name())] = true
			a.answered(names, f.Type(), seen)
		}
	}
}
