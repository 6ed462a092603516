package fromsdk

import (
	"go/constant"
	"go/token"
	"go/types"
	"slices"
	"strings"

	"github.com/mrgen-io/mrgen/generator/internal/gotypes"
	"github.com/mrgen-io/mrgen/generator/internal/prose"
	"github.com/mrgen-io/mrgen/markers"
)

// States say what the states that the object can be in mean.
type States struct {
	// Type is that of the object, StateType that of its state, and Of is the state of a variable called object.
	// Verb formats it.
	Type, StateType, Of, Verb string
	// Check asks which states mean that the object is ready, with those that are known; "" if constants say so.
	Check string
	// Cases are the states that mean something, by what that is.
	Cases []StateCase
	// Set are the statements for tests that have an object f.object be ready, and api.object be created.
	Set, SetCreating string

	// way leads to the state in the object, and found are constants of it.
	way   []*source
	found map[string][]*types.Const
}

// A StateCase has a state, as a Go expression, and the function that returns the condition which it stands for.
type StateCase struct{ State, Condition string }

// A meaning is what states stand for.
type meaning struct {
	// condition is the function that returns it.
	condition string
	// words are those that tell it, in the names of states.
	words []string
}

// meanings are what states stand for, the first one that fits. All others mean that the object is not available.
var meanings = []meaning{
	{"", []string{"failed", "failure", "error", "errored", "not"}},
	{"Deleting", []string{"deleting", "delete", "deletion", "terminating", "destroying", "removing", "shutting", "decommissioning"}},
	{"Creating", []string{"creating", "pending", "provisioning", "new", "starting", "initializing", "initiating", "building", "queued",
		"requested", "preparing", "deploying", "launching", "allocating", "importing", "restoring", "progress", "processing", "scheduled"}},
	{"Available", []string{
		"active", "available", "ready", "running", "online", "ok", "healthy", "enabled", "succeeded", "success", "successful", "complete",
		"completed", "created",
		"provisioned", "deployed", "verified", "issued", "normal", "degraded", "use", "attached", "updating", "modifying", "scaling", "upgrading",
		"resizing", "working",
	}},
}

// meaningOf returns the condition that a state stands for, "" if none is known.
func meaningOf(state string) string {
	of := words(state)
	for _, m := range meanings {
		if slices.ContainsFunc(m.words, func(word string) bool { return slices.Contains(of, word) }) {
			return m.condition
		}
	}
	return ""
}

// findStates finds the field of the object with its state: one of a type whose constants name states in which the
// object is ready, and others in which it is being created or deleted. It leaves alone what users ask for.
// Without one, it is a text that is called so, whose values nobody knows.
func (r *reader) findStates(objects []*source) (way []*source, found map[string][]*types.Const) {
	object := gotypes.PlainName(r.observe.Obj().Name())
	isState := func(s *source) bool {
		return slices.Contains([]string{"status", "state", "phase", "lifecyclestate", "lifecyclestatus", "provisioningstate", object + "status",
			object + "state"}, s.names[0])
	}
	isAsked := func(s *source) bool {
		return slices.ContainsFunc(r.requests(), func(t *types.Named) bool {
			asked := counterpart(r.sources(t), s)
			return asked != nil && !r.isDropped(t, asked)
		})
	}
	for _, s := range objects {
		if !isState(s) || isAsked(s) {
			continue
		}
		if found := statesOf(s.v.Type()); found != nil {
			return []*source{s}, found
		}
		for _, inner := range r.sources(s.v.Type()) {
			if found := statesOf(inner.v.Type()); found != nil && (isState(inner) || inner.names[0] == "code") {
				return []*source{s, inner}, found
			}
		}
		if gotypes.IsString(gotypes.Deref(s.v.Type())) && len(s.path) == 0 {
			way = []*source{s}
		}
	}
	return way, nil
}

// statesOf returns the constants of a type by the conditions that they stand for, nil if they don't tell whether an
// object is ready.
func statesOf(t types.Type) map[string][]*types.Const {
	named := gotypes.NamedOf(gotypes.Deref(t))
	if named == nil || named.Obj().Pkg() == nil || !gotypes.IsString(named) && !isInteger(named) {
		return nil
	}
	found := map[string][]*types.Const{}
	for _, c := range constantsOf(named) {
		name := strings.TrimPrefix(c.Name(), named.Obj().Name())
		if c.Val().Kind() == constant.String {
			name = constant.StringVal(c.Val())
		}
		if of := meaningOf(name); of != "" {
			found[of] = append(found[of], c)
		}
	}
	if found["Available"] == nil || found["Creating"] == nil && found["Deleting"] == nil {
		return nil
	}
	return found
}

// constantsOf returns the exported constants of a type, each value once.
func constantsOf(named *types.Named) []*types.Const {
	var all []*types.Const
	for c := range exported[*types.Const](named.Obj().Pkg()) {
		if types.Identical(c.Type(), named) && !slices.ContainsFunc(all, func(other *types.Const) bool {
			return constant.Compare(other.Val(), token.EQL, c.Val())
		}) {
			all = append(all, c)
		}
	}
	return all
}

// states writes what the states of the object mean.
func (r *reader) states(client, test *file) {
	objects := r.sources(r.observe)
	way, found := r.findStates(objects)
	if way == nil {
		return
	}
	s := &States{Type: client.text(r.observe), Of: "object", way: way, found: found}
	last := way[len(way)-1]
	for _, part := range way {
		s.Of = client.value(s.Of+"."+part.way(), part.v.Type())
	}
	if found == nil {
		values := prose.Values(r.doc(last.v))
		if named := gotypes.NamedOf(last.v.Type()); named != nil && named.Obj().Pkg() != nil {
			for _, c := range constantsOf(named) {
				values = append(values, constant.StringVal(c.Val()))
			}
		}
		s.Check = markers.CheckComment + "put the state here in which the external resource is ready"
		if len(values) > 0 {
			s.Check += ", one of " + strings.Join(values[:min(len(values), mostValues)], ", ")
		}
	}
	for _, m := range meanings {
		for _, c := range found[m.condition] {
			s.Cases = append(s.Cases, StateCase{client.qualify(c.Pkg()) + "." + c.Name(), m.condition})
		}
	}
	s.StateType, s.Verb = client.text(gotypes.Deref(last.v.Type())), "%q"
	if isInteger(gotypes.Deref(last.v.Type())) {
		s.Verb = "%v"
	}
	set := func(object, condition string) string {
		if len(found[condition]) == 0 {
			return ""
		}
		c := found[condition][0]
		value := test.qualify(c.Pkg()) + "." + c.Name()
		if gotypes.IsPointer(last.v.Type()) {
			test.add(`"k8s.io/utils/ptr"`)
			value = "ptr.To(" + value + ")"
		}
		if len(way) > 1 {
			value = test.literal(way[0].v.Type(), last.way()+": "+value)
		}
		return object + "." + way[0].way() + " = " + value
	}
	s.Set, s.SetCreating = set("f.object", "Available"), set("api.object", "Creating")
	r.kind.States = s
}
