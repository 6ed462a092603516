package rules

import (
	"fmt"
	"slices"

	apiextensionsv1 "k8s.io/apiextensions-apiserver/pkg/apis/apiextensions/v1"

	"github.com/mrgen-io/mrgen/generator/diag"
	"github.com/mrgen-io/mrgen/generator/internal/cel"
	"github.com/mrgen-io/mrgen/generator/internal/model"
	"github.com/mrgen-io/mrgen/generator/internal/schema"
	"github.com/mrgen-io/mrgen/markers"
)

// requiresOneOf reports whether a type, or one in it, is marked +mrgen:requiredOneOf.
func requiresOneOf(t *model.Type) bool {
	return t.Holds(func(t *model.Type) bool { return len(model.OneOfs(t.AllMarkers())) > 0 })
}

// requiredOneOf adds the rules for the +mrgen:requiredOneOf markers of an object to spec. They don't apply to
// observe-only resources.
func (r *requiredRules) requiredOneOf(l objectPair) {
	r.ruled = append(r.ruled, l.desired.Path)
	for _, of := range r.oneOfs(l) {
		r.addDemand(l, of.members(), of.message, l.hasOneOf(of)...)
	}
}

// requiredOneOfElsewhere adds the rules for the markers of all objects that requiredOneOf has skipped. Each object holds
// its own rule, which applies wherever the object is set.
func (a *applier) requiredOneOfElsewhere() {
	for _, name := range []string{forProvider, initProvider} {
		a.requiredOneOfIn(a.part(name), name == initProvider)
	}
}

func (a *applier) requiredOneOfIn(at schema.Cursor, mayBeIncomplete bool) {
	if at.Schema == nil || at.Type == nil {
		return
	}
	if element, ok := at.Element(); ok {
		// An object in initProvider may be incomplete, but not an item of a list or a value of a map.
		a.requiredOneOfIn(element, false)
		return
	}
	if t := at.Type.Deref(); t.Kind == model.Struct && t.Local {
		// An object whose rule is in spec needs no second one.
		if !mayBeIncomplete && !slices.ContainsFunc(a.ruled, func(p schema.Path) bool { return p.Compare(at.Path) == 0 }) {
			l := objectPair{desired: &operand{Cursor: at, object: cel.Self}}
			for _, of := range a.oneOfs(l) {
				rule := apiextensionsv1.ValidationRule{
					Rule:    cel.Or(l.hasOneOf(of)...).Short().String(),
					Message: of.message,
					Reason:  new(apiextensionsv1.FieldValueRequired),
				}
				a.addChoice(at.Path, l, of.members(), rule)
			}
		}
		for _, below := range at.Properties() {
			a.requiredOneOfIn(below, mayBeIncomplete)
		}
	}
}

// A oneOf demands one of some alternatives. Each lists the fields that supply one value: the
// field itself, its reference and its selector.
type oneOf struct {
	alternatives [][]string
	exactly      bool
	message      string
}

func (of oneOf) members() []string { return slices.Concat(of.alternatives...) }

// oneOfs returns the demands of an object's markers, and reports the members that rules can't check.
func (a *applier) oneOfs(l objectPair) []oneOf {
	var all []oneOf
	for _, m := range model.OneOfs(l.desired.Type.AllMarkers()) {
		kind := atLeastOne
		if m.Exactly {
			kind = exactlyOne
		}
		of := oneOf{l.desired.Type.Alternatives(m.Fields), m.Exactly, fmt.Sprintf(choices[kind].message, m.Fields)}
		before := len(a.diags)
		for _, name := range of.members() {
			if p := l.desired.checkMember(name, m); p != nil {
				a.diags = append(a.diags, *p)
			}
		}
		if len(a.diags) == before { // a rule without one of its members would demand something else
			all = append(all, of)
		}
	}
	return all
}

// checkMember returns why a marker can't list a field, or nil.
func (s *operand) checkMember(name string, of model.OneOf) *diag.Diagnostic {
	at := s.Property(name)
	f, blocked := at.Field, unreadable(at.Schema)
	var why, remedy string
	switch {
	case at.Schema == nil:
		why, remedy = "the schema does not declare it", "remove the marker"
	case schema.Always(s.Schema, name) && !of.Exactly: // a warning: the rule would hold for every object
		d := diag.Warningf(of.Pos, codeRequired,
			"+%s has no effect, since %s is always set: remove the marker, or make %s optional, without a default", markers.RequiredOneOf, name,
			name)
		return &d
	case schema.Always(s.Schema, name):
		why, remedy = "it is always set, so that none of the others could be", "make it optional, without a default"
	case !cel.CanName(name):
		why, remedy = "rules can't read a field of this name", "rename it, or remove the marker"
	case blocked != nil:
		why, remedy = blocked.why, blocked.or("remove the marker")
	case at.Schema.Nullable:
		why, remedy = "it may be null, which rules can't tell from unset", "remove +nullable"
	case f.Unset() == model.Written:
		why, remedy = fmt.Sprintf("updates from Go would send %s where nobody set a value", zero(f.Type)), "make it a pointer with omitempty"
	case f.Zero() != model.Written && s.nonZero(name).IsNone() && hidesContent(f.Type):
		why, remedy = "rules can't tell whether there is anything in it", "make it a pointer with omitempty"
	default:
		return nil
	}
	d := diag.Errorf(of.Pos, codeRequired, "+%s can't name %s: %s: %s", markers.RequiredOneOf, name, why, remedy)
	return &d
}

// hasOneOf returns alternative conditions that the object has one of the alternatives, on either side.
func (l objectPair) hasOneOf(of oneOf) []cel.Expr {
	l = l.counting()
	if !of.exactly {
		return l.has(of.members()...)
	}
	var desired, either []cel.Expr
	for _, names := range of.alternatives {
		desired = append(desired, cel.Or(l.desired.has(names...)...))
		either = append(either, cel.Or(l.has(names...)...))
	}
	one := func(of []cel.Expr) cel.Expr { return cel.Op(sum(of), "==", cel.Int(1)) }
	if slices.EqualFunc(desired, either, cel.Expr.Equals) { // initProvider has no such object
		return []cel.Expr{one(desired)}
	}
	// One alternative in forProvider is enough, since late initialization fills forProvider without regard to
	// initProvider.
	return []cel.Expr{one(desired), one(either)}
}

// hidesContent reports whether rules can't read the content of a value: its type encodes itself, or is a struct that may
// be empty.
func hidesContent(t *model.Type) bool {
	return t.Deref().Encoding() == model.Unknown || t.Kind == model.Struct && t.Encoding() == model.Plain
}
