package fromsdk

import (
	"go/constant"
	"go/token"
	"go/types"
	"regexp"
	"slices"
	"strings"

	"github.com/mrgen-io/mrgen/generator/internal/gotypes"
	"github.com/mrgen-io/mrgen/generator/internal/prose"
	"github.com/mrgen-io/mrgen/markers"
)

// States say where the object has its state, and ask what that means.
type States struct {
	// Type is that of the object, StateType that of its state, and Of is the state of a variable called object.
	// Verb formats it.
	Type, StateType, Of, Verb string
	// Check asks which states mean that the object is ready, with those that are known.
	Check string
}

// saysGone matches states of an object that was deleted.
var saysGone = regexp.MustCompile(`(?i)(terminated|deleted|destroyed|removed)$`)

// isState reports whether a field of the object is called as its state.
func (r *reader) isState(s *source) bool {
	object := gotypes.PlainName(r.observe.Obj().Name())
	return slices.Contains([]string{"status", "state", "phase", "lifecyclestate", "lifecyclestatus", "provisioningstate", object + "status",
		object + "state"}, s.names[0])
}

// findStates finds the field of the object with its state, or the fields that lead there: one with constants, or else a
// text. It leaves alone what users ask for.
func (r *reader) findStates(objects []*source) (way []*source) {
	isAsked := func(s *source) bool {
		return slices.ContainsFunc(r.requests(), func(t *types.Named) bool {
			asked := counterpart(r.sources(t), s)
			return asked != nil && !r.isDropped(t, asked)
		})
	}
	var below []*source
	for _, s := range objects {
		isState := r.isState(s) && !isAsked(s)
		switch {
		case isState && len(constantsOf(s.v.Type())) > 0:
			return []*source{s}
		case isState && gotypes.IsString(gotypes.Deref(s.v.Type())) && len(s.path) == 0:
			way = []*source{s}
		}
		for _, inner := range r.sources(s.v.Type()) {
			switch isOwn := r.isState(inner); {
			case len(constantsOf(inner.v.Type())) == 0:
			case isState && (isOwn || inner.names[0] == "code"):
				return []*source{s, inner}
			case isOwn && r.isOutputOnly(inner): // such as in the properties of Azure's objects
				below = []*source{s, inner}
			}
		}
	}
	if way == nil {
		return below
	}
	return way
}

// constantsOf returns the exported constants of a type of texts or whole numbers, each value once.
func constantsOf(t types.Type) (all []*types.Const) {
	named := gotypes.NamedOf(gotypes.Deref(t))
	if named == nil || named.Obj().Pkg() == nil || !gotypes.IsString(named) && !isInteger(named) {
		return nil
	}
	for _, c := range exported[*types.Const](named.Obj().Pkg()) {
		isSame := func(other *types.Const) bool { return constant.Compare(other.Val(), token.EQL, c.Val()) }
		if types.Identical(c.Type(), named) && !slices.ContainsFunc(all, isSame) {
			all = append(all, c)
		}
	}
	return all
}

// states asks what the states of the object mean.
func (r *reader) states() {
	way := r.findStates(r.sources(r.observe))
	if way == nil {
		return
	}
	s := &States{Type: r.text(r.observe), Of: "object", Verb: "%q"}
	last := way[len(way)-1]
	for _, part := range way {
		s.Of = r.value(s.Of+"."+part.way(), part.v.Type())
	}
	s.StateType = r.text(gotypes.Deref(last.v.Type()))
	if isInteger(gotypes.Deref(last.v.Type())) {
		s.Verb = "%v"
	}
	constants := each(constantsOf(last.v.Type()), func(c *types.Const) string { return r.qualify(c.Pkg()) + "." + c.Name() })
	values := append(prose.Values(r.doc(last.v)), constants...)
	s.Check = markers.CheckComment + "put the state here in which the external resource is ready"
	if len(values) > 0 {
		s.Check += ", one of " + strings.Join(values[:min(len(values), mostValues)], ", ")
	}
	if gone := filter(values, saysGone.MatchString); len(gone) > 0 {
		s.Check += "; an object in the state " + strings.Join(gone, " or ") + " may be gone, and get returns it"
	}
	r.kind.States = s
}
