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

// findStates finds the fields that may have the state of the object, also one level below: those with constants that no request takes,
// and texts that no request takes where there are none.
func (r *reader) findStates() (ways [][]*source, hasConstants bool) {
	var texts [][]*source
	add := func(way ...*source) {
		switch last := way[len(way)-1]; {
		case len(last.path) > 0 || last.oneof != nil || r.isAsked(way):
		case len(constantsOf(last.v.Type())) > 1:
			ways = append(ways, way)
		case isStateText(last) && len(way) == 1: // deeper ones are mostly what users choose
			texts = append(texts, way)
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
	if len(ways) == 0 {
		return texts, false
	}
	// A name proves nothing, and says which stands first.
	rank(ways, func(way []*source) int { return len(way) + 2*boolInt(!isCalledState(way[len(way)-1])) })
	return ways, true
}

// isAsked reports whether a request that isn't the object has the fields on a way.
func (r *reader) isAsked(way []*source) bool {
	return slices.ContainsFunc(r.requests(), func(request *types.Named) bool {
		var t types.Type = request
		for _, part := range way {
			found := counterpart(r.sources(t), part)
			if found == nil || found.inObject || types.Identical(gotypes.Deref(t), r.observe) || r.isOutputOnly(found) {
				return false
			}
			t = found.v.Type()
		}
		return true
	})
}

// isStateText reports whether a text is called as one of the words that states have. Others of the object's texts are too many to ask
// about.
func isStateText(s *source) bool {
	return gotypes.IsString(gotypes.Deref(s.v.Type())) && isCalledState(s)
}

func isCalledState(s *source) bool {
	isCalled := func(word string) bool { return strings.HasSuffix(s.names[0], word) }
	return slices.ContainsFunc([]string{"state", "status", "phase"}, isCalled)
}

// states asks what the states of the object mean, where it has any.
func (r *reader) states() {
	ways, hasConstants := r.findStates()
	if len(ways) == 0 {
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
	if hasConstants {
		constants := each(constantsOf(last.v.Type()), func(c *types.Const) string { return r.qualify(c.Pkg()) + "." + c.Name() })
		texts = append(texts, some(constants, "or"))
	} else {
		texts[0] += "? The type has no constants"
	}
	r.decide("states", Undecided, texts...)
}

// wayTo returns the names of the fields on a way.
func wayTo(way []*source) string {
	return strings.Join(each(way, (*source).name), ".")
}
