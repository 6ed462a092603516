package fromsdk

import (
	"go/types"
	"slices"
	"strings"

	"github.com/mrgen-io/mrgen/generator/internal/gotypes"
)

// States say where the object has its state. What each means is the author's.
type States struct {
	// Type is that of the state, and Of is its value in a variable called object.
	Type, Of string
}

// findStates finds the fields that may have the state of the object: those with constants that no request takes, also one level below,
// and texts that no request takes where there are none.
func (r *reader) findStates() (ways [][]*source, hasConstants bool) {
	isAsked := func(s *source) bool {
		return slices.ContainsFunc(r.requests(), func(t *types.Named) bool {
			return !types.Identical(t, r.observe) && counterpart(r.sources(t), s) != nil && !counterpart(r.sources(t), s).inObject
		})
	}
	var texts [][]*source
	for _, s := range r.sources(r.observe) {
		switch {
		case isAsked(s) || len(s.path) > 0:
		case len(constantsOf(s.v.Type())) > 1:
			ways = append(ways, []*source{s})
		case isStateText(s):
			texts = append(texts, []*source{s})
		}
		if gotypes.StructOf(s.v.Type()) == nil || isAsked(s) || r.idOf(gotypes.Deref(s.v.Type())) != nil {
			continue
		}
		for _, inner := range r.sources(s.v.Type()) {
			if len(constantsOf(inner.v.Type())) > 1 && len(inner.path) == 0 {
				ways = append(ways, []*source{s, inner})
			}
		}
	}
	if len(ways) > 0 {
		slices.SortStableFunc(ways, func(a, b []*source) int { return len(a) - len(b) })
		return ways, true
	}
	return texts, false
}

// isStateText reports whether a text is called as one of the words that states have. Others of the object's texts are too many to ask
// about.
func isStateText(s *source) bool {
	isCalled := func(word string) bool { return strings.HasSuffix(s.names[0], word) }
	return gotypes.IsString(gotypes.Deref(s.v.Type())) && slices.ContainsFunc([]string{"state", "status", "phase"}, isCalled)
}

// states asks what the states of the object mean, where it has any.
func (r *reader) states() {
	ways, hasConstants := r.findStates()
	if len(ways) == 0 {
		return
	}
	way := ways[0]
	s := &States{Of: "object"}
	for _, part := range way {
		s.Of = r.value(s.Of+"."+part.way(), part.v.Type())
	}
	last := way[len(way)-1]
	s.Type = r.text(gotypes.Deref(last.v.Type()))
	r.kind.States = s
	texts := []string{some(each(ways, wayTo), "or") + ": which of its values mean ready, busy and gone"}
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
