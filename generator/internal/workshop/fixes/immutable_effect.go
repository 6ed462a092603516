package fixes

import (
	"maps"
	"slices"

	apiextensionsv1 "k8s.io/apiextensions-apiserver/pkg/apis/apiextensions/v1"

	"github.com/mrgen-io/mrgen/generator/internal/model"
	"github.com/mrgen-io/mrgen/generator/internal/provenance"
	"github.com/mrgen-io/mrgen/generator/internal/rules"
	"github.com/mrgen-io/mrgen/generator/internal/schema"
	"github.com/mrgen-io/mrgen/generator/internal/workshop/transitions"
)

// A version is a version of a kind, with the decisions about its fields.
type version struct {
	root      schema.Cursor
	decisions []provenance.Decision
}

// below returns the decisions about the immutability of a field and the fields in it.
func (v version) below(path schema.Path) []provenance.Decision {
	var decisions []provenance.Decision
	for _, d := range v.decisions {
		if d.Immutable && d.Field.HasPrefix(path) {
			decisions = append(decisions, d)
		}
	}
	return decisions
}

// always reports, for each step of a path, whether the schema guarantees that the value exists.
func (v version) always(path schema.Path) []bool {
	all := make([]bool, len(path))
	for i, at := range v.root.Follow(path).Way()[1:] {
		if at.Schema == nil {
			break
		}
		all[i] = at.Always()
		// The item exists, or there is no value to compare.
		if path[i].Kind != schema.Property {
			for j := range all[:i] {
				all[j] = true
			}
		}
	}
	return all
}

// demanded reports, for each step of a path, whether a rule requires the value unless the resource is
// observe-only. +immutable doesn't apply to observe-only resources, either.
func (v version) demanded(path schema.Path) []bool {
	all := make([]bool, len(path))
	for _, d := range v.decisions {
		if d.Alone && path.HasPrefix(d.Field) {
			all[len(d.Field)-1] = true
		}
	}
	return all
}

// A change is a change for users, with its rank in reports.
type change struct {
	rank int
	text string
}

var (
	toLate       = change{0, "it can be set later"}
	toUpdates    = change{1, "resources without it can be updated"}
	toObserved   = change{2, "it can change while the resource is observe-only"}
	toRemoval    = change{3, "it can no longer be removed"}
	toEmptying   = change{4, "it can no longer be emptied"}
	toEmptyNone  = change{5, "an empty value counts as none"}
	toEmptyValue = change{6, "an empty value can no longer change"}
	toFields     = change{7, "what is unset in it can be set later"}
	toSelectors  = change{8, "selectors in it can change"}
	toItems      = change{9, "items and values in it that have references can be added and removed"}
	toReference  = change{10, "references are compared by what they refer to, and can give way to the value"}
	toForm       = change{11, "values are equal that Go writes alike"}
	toOmission   = change{12, "it can change while it holds what updates from Go leave out"}
	toMessage    = change{13, "users read mrgen's message"}
	toReason     = change{14, "errors have the reason FieldValueInvalid"}
)

// changes returns the changes for users if +immutable replaces a rule, or the reason why the rule stays.
func (f *Immutability) changes(r *changeRule, versions map[*model.Object]version) (changes []string, stays *reason) {
	found := map[change]bool{}
	for _, s := range f.fieldSpots[r.target.Pos] {
		v := versions[s.object]
		decisions := v.below(s.Path)
		if len(decisions) == 0 {
			return nil, &reason{"+immutable has no effect on " + s.name() + " of " + s.object.Name, "+immutable has no effect on the fields"}
		}
		isDeep := len(decisions) > 1 || decisions[0].Field.Compare(s.Path) != 0
		found[toFields] = found[toFields] || isDeep
		found[toSelectors] = found[toSelectors] || isDeep && r.target.Type.Holds(rules.IsSelector)
		isEmptyNone := isDeep
		for _, d := range decisions {
			if d.Rule == nil {
				return nil, &reason{"with +immutable, " + nameOf(d.Field) + " " + d.Reason, "with +immutable, a field " + d.Reason}
			}
			isStep := func(step schema.Step) bool { return step.Kind != schema.Property }
			found[toItems] = found[toItems] || slices.ContainsFunc(d.Field[len(s.Path):], isStep)
			found[toObserved] = found[toObserved] || d.Tolerance.Observed
			found[toReference] = found[toReference] || d.Tolerance.Reference
			found[toForm] = found[toForm] || d.Tolerance.Form
			found[toOmission] = found[toOmission] || d.Tolerance.Omission
			found[toEmptyNone] = found[toEmptyNone] || isDeep && d.Tolerance.Empty
			isEmptyNone = isEmptyNone || d.Tolerance.Empty
		}
		r.compare(found, s, v, isEmptyNone)
		found[toMessage] = found[toMessage] || isDeep || r.rule.Message != decisions[0].Rule.Subject || r.rule.MessageExpression != ""
	}
	found[toReason] = r.rule.Reason != nil && *r.rule.Reason != apiextensionsv1.FieldValueInvalid
	for _, c := range slices.SortedFunc(maps.Keys(found), func(a, b change) int { return a.rank - b.rank }) {
		if found[c] {
			changes = append(changes, c.text)
		}
	}
	if len(changes) == 0 {
		changes = []string{"nothing changes for users"}
	}
	return changes, nil
}

// compare adds the differences between the changes that the rule allows at a spot and those that +immutable
// allows.
func (r *changeRule) compare(found map[change]bool, at spot, v version, isEmptyNone bool) {
	names := len(r.about.Names)
	owner := len(at.Path) - names
	always, demanded := v.always(at.Path), v.demanded(at.Path)
	var states []transitions.State
	isAlways := !slices.Contains(always[:owner], false)
	states = append(states, transitions.State{Depth: -1}) // or the resource is new
	for depth := range names {
		if !always[owner+depth] {
			states = append(states, transitions.State{Depth: depth})
		}
	}
	states = append(states, r.set(transitions.Empty), r.set(transitions.One))
	isSet := func(s transitions.State) bool { return s.Depth == names }
	needsOwner := true
	for i := range owner {
		needsOwner = needsOwner && (always[i] || demanded[i])
	}
	// isRefused reports whether a state is refused unless the resource is observe-only.
	isRefused := func(s transitions.State) bool {
		switch {
		case s.Depth < 0:
			return needsOwner
		case isSet(s):
			return isEmptyNone && s.Content == transitions.Empty && demanded[len(demanded)-1]
		default:
			return demanded[owner+s.Depth]
		}
	}
	for _, from := range states {
		for _, to := range states {
			wasUnset := !isSet(from) || isEmptyNone && from.Content == transitions.Empty
			now := wasUnset || isSet(to) && to.Content == from.Content
			// The schema rules these states out.
			if isAlways && (to.Depth < 0 || from.Depth < 0 && !r.isOptional()) {
				continue
			}
			before := r.about.Allows(from, to) && (now || !at.frozen)
			// No difference, or a rule about required fields refuses the change anyway.
			if before == now || !now && isRefused(to) {
				continue
			}
			found[r.effect(from, to, now)] = true
		}
	}
}

// effect returns what +immutable changes for a step from one state to another, which it allows if now is set.
func (r *changeRule) effect(from, to transitions.State, now bool) change {
	isSet := func(s transitions.State) bool { return s.Depth == len(r.about.Names) }
	switch {
	case !isSet(from) && !isSet(to):
		return toUpdates
	case !isSet(from):
		return toLate
	case now:
		return toEmptyNone
	case !isSet(to) && (from.Content == transitions.One || r.about.Allows(r.set(transitions.One), to)):
		return toRemoval
	case from.Content == transitions.One:
		return toEmptying
	}
	return toEmptyValue
}
