package rules

import (
	"fmt"
	"maps"
	"slices"

	apiextensionsv1 "k8s.io/apiextensions-apiserver/pkg/apis/apiextensions/v1"

	"github.com/mrgen-io/mrgen/generator/internal/diag"
	"github.com/mrgen-io/mrgen/generator/internal/model"
	"github.com/mrgen-io/mrgen/generator/internal/schema"
	"github.com/mrgen-io/mrgen/markers"
)

// asksForOneOf reports whether a type, or one that it is made of, has a marker
// +mrgen:requiredOneOf.
func asksForOneOf(t *model.Type) bool {
	return t.Holds(func(t *model.Type) bool {
		return t.Kind == model.Struct && t.Local && len(model.OneOfs(t.AllMarkers())) > 0
	})
}

// requiredOneOf adds the rules for the markers +mrgen:requiredOneOf of an object, which
// hold unless the resource is only observed.
func (r *relaxer) requiredOneOf(l level) {
	if !r.asksForOneOf {
		return
	}
	r.chosen = append(r.chosen, l.desired.Path)
	if l.initial != nil {
		r.chosen = append(r.chosen, l.initial.Path)
	}
	for _, of := range r.oneOfs(l) {
		r.demand(l, of.members(), of.message, l.hasOneOf(of)...)
	}
}

// requiredOneOfElsewhere adds the rules for the markers of the objects that no other rule
// is about: those where nothing is relaxed. Each has its rule itself, which holds wherever
// the object is given. An object in initProvider may be given in part, but not an item of a
// list, or a value of a map.
func (a *applier) requiredOneOfElsewhere() {
	for _, name := range []string{forProvider, initProvider} {
		a.objects(a.part(name), name == initProvider)
	}
}

// objects adds the rules of the objects in a value. Those that are part of it are left out
// if it may be given in part.
func (a *applier) objects(at schema.Cursor, inPart bool) {
	if at.Schema == nil || at.Type == nil {
		return
	}
	if element, ok := at.Element(); ok {
		a.objects(element, false)
		return
	}
	if t := at.Type.Deref(); t.Kind == model.Struct && t.Local {
		if !inPart && !slices.ContainsFunc(a.chosen, func(p schema.Path) bool { return p.Compare(at.Path) == 0 }) {
			l := level{desired: &side{Cursor: at, object: selection{root: "self"}}}
			for _, of := range a.oneOfs(l) {
				reason := apiextensionsv1.FieldValueRequired
				a.addChoice(at.Path, l, of.members(), apiextensionsv1.ValidationRule{Rule: or(l.hasOneOf(of)...), Message: of.message, Reason: &reason})
			}
		}
		for _, name := range slices.Sorted(maps.Keys(at.Schema.Properties)) {
			a.objects(at.Property(name), inPart)
		}
	}
}

// A oneOf demands one of some alternatives, each of which is fields that stand for one
// value.
type oneOf struct {
	alternatives [][]string
	exactly      bool
	message      string
}

func (of oneOf) members() []string { return slices.Concat(of.alternatives...) }

// oneOfs returns what the markers of an object demand. What rules can't tell is reported.
func (a *applier) oneOfs(l level) []oneOf {
	var all []oneOf
	for _, m := range model.OneOfs(l.desired.Type.AllMarkers()) {
		kind := atLeastOne
		if m.Exactly {
			kind = exactlyOne
		}
		of := oneOf{l.desired.Type.Alternatives(m.Fields), m.Exactly, fmt.Sprintf(choices[kind].message, m.Fields)}
		problems := diag.List{}
		for _, name := range of.members() {
			if p := l.desired.misfit(name, m); p != nil {
				problems = append(problems, *p)
			}
		}
		if a.diags = append(a.diags, problems...); len(problems) == 0 {
			all = append(all, of)
		}
	}
	return all
}

// misfit returns what is wrong with a field as one of several, or nil.
func (s *side) misfit(name string, of model.OneOf) *diag.Diagnostic {
	at := s.Property(name)
	f := at.Field
	var why, remedy string
	switch {
	case at.Schema == nil:
		why, remedy = "the schema does not declare it", "remove the marker"
	case schema.Always(s.Schema, name) && !of.Exactly:
		d := diag.Warningf(of.Pos, codeRequired, "+%s has no effect, since %s is always set: remove the marker, or make %s optional, without a default", markers.RequiredOneOf, name, name)
		return &d
	case schema.Always(s.Schema, name):
		why, remedy = "it is always set, so that none of the others could be", "make it optional, without a default"
	case !reachable(name):
		why, remedy = "rules can't read a field of this name", "rename it, or remove the marker"
	case !exposed(at.Schema):
		why, remedy = "rules can't read a field without a type", "remove the marker"
	case at.Schema.Nullable:
		why, remedy = "it may be null, which rules can't tell from unset", "remove +nullable"
	case f.AlwaysMarshals():
		why, remedy = fmt.Sprintf("updates from Go would send %s where nobody set a value", zero(f.Type)), "make it a pointer with omitempty"
	case omits(f) && s.content(name) == "" && (f.Type.Deref().Encoding() == model.Unknown || f.Type.Kind == model.Struct && f.Type.Encoding() == model.Plain):
		why, remedy = "rules can't tell whether there is anything in it", "make it a pointer with omitempty"
	default:
		return nil
	}
	d := diag.Errorf(of.Pos, codeRequired, "+%s can't name %s: %s: %s", markers.RequiredOneOf, name, why, remedy)
	return &d
}

// hasOneOf returns conditions, one of which holds if the object has one of some alternatives,
// on either side. If there may be no more than one, those in forProvider prevail: late
// initialization, which fills them, doesn't know of those in initProvider.
func (l level) hasOneOf(of oneOf) []string {
	desired, initial := l.desired.counting(), l.initial.counting()
	if !of.exactly {
		return slices.Concat(desired.has(of.members()...), initial.has(of.members()...))
	}
	var given, either []string
	for _, names := range of.alternatives {
		there := desired.has(names...)
		given = append(given, or(there...))
		either = append(either, or(slices.Concat(there, initial.has(names...))...))
	}
	if slices.Equal(given, either) {
		return []string{sum(given) + " == 1"}
	}
	return []string{sum(given) + " == 1", sum(either) + " == 1"}
}
