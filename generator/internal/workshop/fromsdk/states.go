package fromsdk

import (
	"go/types"
	"slices"
	"strings"

	"github.com/mrgen-io/mrgen/generator/internal/gotypes"
)

// States say where the object has its state. What each means is the author's.
type States struct {
	// Type is that of the state, Of is its value in a variable called object, and Path leads to it.
	Type, Of, Path string
}

// findStates finds the fields that may have the state of the object, also one level below, and that no request takes: those with
// constants, and texts called as one.
func (r *reader) findStates() (ways [][]*source) {
	add := func(way ...*source) {
		last := way[len(way)-1]
		isShown, isCalled := slices.ContainsFunc(way, r.isOutputOnly), isCalledState(last)
		isChosen := len(way) > 1 && !isShown && r.isChosen(way[0])
		isText := isCalled && (gotypes.IsString(gotypes.Deref(last.v.Type())) || isOpaque(last.v.Type())) && !isChosen
		switch {
		case len(last.path) > 0 || last.oneof != nil || r.isAsked(way) || !isText && len(constantsOf(last.v.Type())) < 2:
		case len(way) > 1 && !isCalled && !isCalledState(way[0]): // as a setting of what the object belongs to
		case isShown || isCalled || !r.isSent(way[0]): // else requests take it, as they do other settings
			ways = append(ways, way)
		}
	}
	for _, s := range r.sources(r.observe) {
		if add(s); len(s.path) > 0 || gotypes.StructOf(s.v.Type()) == nil || r.idOf(gotypes.Deref(s.v.Type())) != nil {
			continue
		}
		for _, inner := range r.sources(s.v.Type()) {
			add(s, inner)
		}
	}
	// A name proves nothing, and says which others need no look.
	ways = narrowed(ways, func(way []*source) bool { return isCalledState(way[len(way)-1]) })
	rank(ways, func(way []*source) int { return len(wayTo(way)) }) // Status before ShareStatus
	return ways
}

// isChosen reports whether users mostly choose what is in a field of the object: a request has it, and not as the object's own struct.
func (r *reader) isChosen(s *source) bool { return r.isSent(s) && !r.isOwnStruct(s) }

// isSent reports whether a request has a field of the object.
func (r *reader) isSent(s *source) bool {
	return slices.ContainsFunc(r.requests(), func(request *types.Named) bool { return counterpart(r.sent(request), s) != nil })
}

// isAsked reports whether a request that isn't the object has the fields on a way.
func (r *reader) isAsked(way []*source) bool {
	return slices.ContainsFunc(r.requests(), func(request *types.Named) bool {
		var t types.Type = request
		for _, part := range way {
			found := counterpart(r.sent(t), part)
			isObjects := found != nil && (found.inObject || types.Identical(gotypes.Deref(t), r.observe) || r.isOwnStruct(found))
			if found == nil || isObjects || r.isOutputOnly(found) {
				return false
			}
			t = found.v.Type()
		}
		return true
	})
}

// isOwnStruct reports whether a field has most of what creation sends in a struct that is the object's, too, such as
// VaultProperties, and nothing tells which of its fields only answers have, or a field with a state isn't among those.
func (r *reader) isOwnStruct(s *source) bool {
	t := gotypes.Deref(s.v.Type())
	if gotypes.StructOf(t) == nil {
		return false
	}
	isIn := func(of types.Type) bool {
		found := counterpart(r.sources(of), s)
		return found != nil && types.Identical(gotypes.Deref(found.v.Type()), t)
	}
	fields := r.sources(t)
	isMissed := func(s *source) bool { return isCalledState(s) && !r.isOutputOnly(s) }
	isTold := slices.ContainsFunc(fields, r.isOutputOnly) && !slices.ContainsFunc(fields, isMissed)
	return isIn(r.create) && isIn(r.observe) && len(fields) > 2*len(r.sources(r.create)) && !isTold
}

// isOpaque reports whether a struct holds a value that other packages can only compare.
func isOpaque(t types.Type) bool {
	s := gotypes.StructOf(t)
	if s == nil || s.NumFields() == 0 || gotypes.IsTime(t) {
		return false
	}
	isHidden := !slices.ContainsFunc(slices.Collect(s.Fields()), (*types.Var).Exported)
	return isHidden && !gotypes.IsPointer(t) && types.Comparable(t)
}

// isCalledState reports whether a field is called as one of the words that states have.
func isCalledState(s *source) bool {
	isCalled := func(word string) bool { return strings.HasSuffix(s.names[0], word) }
	return slices.ContainsFunc([]string{"state", "status", "phase"}, isCalled)
}

// states asks what the states of the object mean, where it has any, and who waits for operations.
func (r *reader) states(c *calls) {
	operations := r.operations(c)
	ways := r.findStates()
	if len(ways) == 0 {
		r.ask("states", operations)
		return
	}
	way := ways[0]
	s := &States{Of: "object", Path: wayTo(way)}
	for _, part := range way {
		s.Of = r.value(s.Of+"."+part.way(), part.v.Type())
	}
	last := way[len(way)-1]
	s.Type = r.text(gotypes.Deref(last.v.Type()))
	r.kind.States = s
	texts := []string{some(each(ways, wayTo), "or") + ": which of its values mean ready, busy, deleting and gone"}
	if constants := constantsOf(last.v.Type()); len(constants) > 1 {
		texts = append(texts, some(each(constants, func(c *types.Const) string { return r.qualify(c.Pkg()) + "." + c.Name() }), "or"))
	} else {
		texts[0] += "? The type has no constants"
	}
	r.ask("states", texts, operations)
}

// operations says which calls return one that may fail after the call, as longrunning.Operation of Google is: something that other
// methods return, too, but for the one that reads, and that is done, or has a state.
func (r *reader) operations(c *calls) []string {
	isAnswer := func(v *types.Var) bool { // as godo.Response
		return slices.ContainsFunc(c.get.results(), func(read *types.Var) bool { return types.Identical(read.Type(), v.Type()) })
	}
	isOperation := func(v *types.Var) bool {
		if gotypes.StructOf(v.Type()) == nil || types.Identical(gotypes.Deref(v.Type()), r.observe) || isAnswer(v) {
			return false
		}
		return r.isShared(v.Type(), c) && slices.ContainsFunc(r.sources(v.Type()), func(s *source) bool { return s.isCalled("done") || isCalledState(s) })
	}
	begin := filter(c.all(), func(m *method) bool { return slices.ContainsFunc(m.results(), isOperation) })
	return listed(described(begin), "what it returns may fail later, so wait for it there, or see in Observe how it ends: ", "")
}

// wayTo returns the names of the fields on a way.
func wayTo(way []*source) string {
	return strings.Join(each(way, (*source).name), ".")
}
