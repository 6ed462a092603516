package controllers

import (
	"go/types"
	"slices"
	"strings"

	"golang.org/x/tools/go/ssa"
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

// check says what a controller does with a field. The others are the parameters of the kind.
func (a *analysis) check(c *controller, n node, others map[node]bool) check {
	var found check
	within := func(functions map[*ssa.Function]bool, strict bool) search {
		return search{graph: a.graph, strict: strict, in: func(fn *ssa.Function) bool { return functions[fn] }}
	}
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
		if p := &a.places[at.node]; p.end == sent && p.request != nil && a.isAnswered(c, p.request) {
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
// date, those from which values may get there, and the functions that compare values to say so.
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
	settling := a.reaching(func(n node, _ place) bool { return a.upToDate[n] })
	a.comparing = map[*ssa.Function]bool{}
	for i := range a.places {
		if p := &a.places[i]; p.end == compared && p.of >= 0 && settling[p.of] {
			a.comparing[p.fn] = true
		}
	}
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

// An answer is a field that a controller gets from the API, in lower case, and the struct that has it.
type answer struct {
	name string
	in   *types.Struct
}

// answers are what a controller gets from the API when it observes a resource.
type answers struct {
	fields []answer
	// around are the structs that lead to others, and checked those of which, or around which, Observe
	// compares a field.
	around  map[*types.Struct]*types.Struct
	checked map[*types.Struct]bool
	// compares is set if Observe compares anything to say whether the resource is up to date.
	compares bool
}

// isAnswered reports whether what a controller gets from the API has a field of a name like that of a field
// of a request, in a struct that it compares with the resource: others are about how to update, or about
// what is around the resource, and no check can compare them.
func (a *analysis) isAnswered(c *controller, f *types.Var) bool {
	if c.answers == nil {
		c.answers = &answers{around: map[*types.Struct]*types.Struct{}, checked: map[*types.Struct]bool{}}
		for fn := range c.observing {
			c.answers.compares = c.answers.compares || a.comparing[fn]
		}
		a.eachCall(c.observing, func(call ssa.CallInstruction) {
			common := call.Common()
			if _, others := a.callees.of(common); !others {
				return
			}
			results := common.Signature().Results()
			for v := range results.Variables() {
				a.answered(c.answers, v.Type(), nil)
			}
			for _, argument := range common.Args { // such as that of json.Unmarshal
				if box, ok := argument.(*ssa.MakeInterface); ok && isReference(box.X.Type()) {
					a.answered(c.answers, box.X.Type(), nil)
				}
			}
		})
	}
	name := strings.ToLower(f.Name())
	return slices.ContainsFunc(c.answers.fields, func(at answer) bool {
		longer, shorter := name, at.name
		if len(longer) < len(shorter) {
			longer, shorter = shorter, longer
		}
		// Such as ID and BucketID, or Tag and Tags.
		isLike := longer == shorter || len(shorter) > 3 && (strings.HasSuffix(longer, shorter) || strings.HasPrefix(longer, shorter) && len(longer)-len(shorter) < 4)
		return isLike && (!c.answers.compares || a.isChecked(c, at.in))
	})
}

// answered adds the fields that a value has, or leads to.
func (a *analysis) answered(found *answers, t types.Type, around *types.Struct) {
	for _, s := range a.structsIn(t) {
		if _, seen := found.around[s]; seen || s.NumFields() > 0 && (a.apis[s.Field(0).Pkg()] || isQuiet(s.Field(0).Pkg().Path())) {
			continue
		}
		found.around[s] = around
		for f := range s.Fields() {
			found.fields = append(found.fields, answer{strings.ToLower(f.Name()), s})
			if !strings.Contains(f.Name(), "Pending") { // which is what the API was told before
				a.answered(found, f.Type(), s)
			}
		}
	}
}

// isChecked reports whether Observe compares something of a struct, or of one around it.
func (a *analysis) isChecked(c *controller, s *types.Struct) bool {
	for ; s != nil; s = c.answers.around[s] {
		if a.compares(c, s) {
			return true
		}
	}
	return false
}

// compares reports whether Observe compares a struct or one of its fields. What a list has is about other
// objects.
func (a *analysis) compares(c *controller, s *types.Struct) bool {
	is, known := c.answers.checked[s]
	if !known {
		is = slices.ContainsFunc(a.escapes[s], func(e escape) bool { return !e.read && !e.written && c.observing[e.at.fn] })
		within := search{graph: a.graph, apart: true, in: func(fn *ssa.Function) bool { return c.observing[fn] }}
		for i := 0; i < s.NumFields() && !is; i++ {
			if n, used := a.fields[s.Field(i)]; used && !a.isList(s.Field(i).Type()) {
				is = within.from(n, func(at step) bool { return a.upToDate[at.node] })
			}
		}
		c.answers.checked[s] = is
	}
	return is
}

// isList reports whether a type is a list or a map of structs.
func (a *analysis) isList(t types.Type) bool {
	switch t.Underlying().(type) {
	case *types.Slice, *types.Map:
		return len(a.structsIn(t)) > 0
	}
	return false
}
