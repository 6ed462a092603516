// Package explain explains how a field ended up in the output: its declaration and markers, and mrgen's
// decisions about it.
package explain

import (
	"fmt"
	"maps"
	"slices"
	"strings"

	apiextensionsv1 "k8s.io/apiextensions-apiserver/pkg/apis/apiextensions/v1"

	"github.com/mrgen-io/mrgen/generator/diag"
	"github.com/mrgen-io/mrgen/generator/internal/cel"
	"github.com/mrgen-io/mrgen/generator/internal/fieldmarkers"
	"github.com/mrgen-io/mrgen/generator/internal/mirroring"
	"github.com/mrgen-io/mrgen/generator/internal/model"
	"github.com/mrgen-io/mrgen/generator/internal/provenance"
	"github.com/mrgen-io/mrgen/generator/internal/rules"
	"github.com/mrgen-io/mrgen/generator/internal/schema"
	"github.com/mrgen-io/mrgen/generator/internal/stage"
	"github.com/mrgen-io/mrgen/markers"
)

// An Explanation explains a field.
type Explanation struct {
	// Group, Version and Kind identify the kind, and Field is the path from the root of its objects, such as
	// ".spec.forProvider.region".
	Group, Version, Kind, Field string
	// Pos is where the field is declared. It is invalid if Go has no such field.
	Pos diag.Position
	// Facts are phrases such as "is optional".
	Facts []string
	// Fields are the fields of an object, or of the elements of a list or map, sorted by name.
	Fields []Field
}

// A Field summarizes a field of an object.
type Field struct {
	Name, Type string
	// Facts are the most important facts: "required, immutable once it is set".
	Facts string
}

// Of explains a field in a version of a kind, or the whole object without names. The names lead from the root
// of the object to the field, with nothing between a list or map and the fields of its elements. If there is no
// such field, the second result describes that. The exclusions decide which fields are mirrored.
func Of(d stage.Definition, version int, names []string, exclusions *mirroring.Rules) (Explanation, *Unknown) {
	v := d.CRD.Spec.Versions[version]
	at := d.Root(version)
	var excluded schema.Cursor
	for i, name := range names {
		around := at.Innermost()
		if at = around.Property(name); at.Schema == nil {
			return Explanation{}, &Unknown{
				Around: strings.Join(names[:i], "."),
				Name:   name,
				Rest:   names[i+1:],
				Type:   TypeOf(around.Schema),
				Fields: slices.Sorted(maps.Keys(around.Schema.Properties)),
			}
		}
		// The outermost excluded field explains the fields below it, too.
		if excluded.Field == nil && at.Field != nil && exclusions.Of(at.Field) != "" {
			excluded = at
		}
	}
	decisions := d.DecisionsOf(version)
	e := Explanation{
		Group: d.CRD.Spec.Group, Version: v.Name, Kind: d.CRD.Spec.Names.Kind,
		Field: at.Path.String(),
		Facts: []string{"is of type " + TypeOf(at.Schema)},
	}
	if at.Field != nil {
		e.Pos = at.Field.Pos
		for _, m := range at.Field.Markers {
			e.Facts = append(e.Facts, "is marked +"+m.Text)
		}
	}
	e.Facts = append(e.Facts, ofVersions(d, version, names)...)
	root := at.Way()[0].Schema
	for _, decided := range decisions {
		if decided.Field.Compare(at.Path) != 0 {
			continue
		}
		e.Facts = append(e.Facts, reason(decided, at))
		if r := decided.Rule; r != nil {
			e.Facts = append(e.Facts, fmt.Sprintf("has the rule of %s: %s", r.Path, schema.At(root, r.Path).XValidations[r.Index].Rule))
		}
	}
	e.Facts = append(e.Facts, authored(at, decisions)...)
	if !slices.ContainsFunc(decisions, func(decided provenance.Decision) bool {
		return decided.Required && decided.Field.Compare(at.Path) == 0
	}) && len(names) > 0 {
		e.Facts = append(e.Facts, presence(at)+unrelaxed(at))
	}
	if t, ok := treatmentOf(d.Objects[version], at); ok {
		e.Facts = append(e.Facts, treated(t, fieldmarkers.Treatment{Comparison: fieldmarkers.Exact}, "is ")...)
	}
	if mirror, ok := mirrorOf(at.Path); ok {
		e.Facts = append(e.Facts, mirrored(mirror, schema.At(root, mirror) != nil, at, excluded, exclusions))
	}
	e.Fields = Fields(at.Innermost(), decisions, d.Objects[version])
	return e, nil
}

// treatmentOf returns the treatment by LateInitialize and Diff of a value below spec.forProvider of an object,
// and false for others.
func treatmentOf(o *model.Object, at schema.Cursor) (fieldmarkers.Treatment, bool) {
	t, forProvider := fieldmarkers.OfKind(o), schema.Properties("spec", "forProvider")
	for _, step := range at.Way() {
		if len(step.Path) > len(forProvider) && step.Field != nil {
			t = t.Of(step.Field)
		}
	}
	return t, at.Path.HasPrefix(forProvider)
}

// treated returns the facts that a field's treatment adds to the surrounding object's, each after the prefix.
func treated(t, around fieldmarkers.Treatment, prefix string) []string {
	var facts []string
	if t.Kept && !around.Kept {
		facts = append(facts, prefix+"never late initialized")
	}
	if t.Comparison != around.Comparison {
		facts = append(facts, prefix+map[fieldmarkers.Comparison]string{
			fieldmarkers.Exact:     "compared in full",
			fieldmarkers.Subset:    "compared without what only the API has",
			fieldmarkers.Unordered: "compared in any order",
			fieldmarkers.Off:       "not compared",
		}[t.Comparison])
	}
	return facts
}

// Fields summarizes the fields of an object, sorted by name. The decisions are about the version of the kind o.
func Fields(around schema.Cursor, decisions []provenance.Decision, o *model.Object) []Field {
	t, isTreated := treatmentOf(o, around)
	var all []Field
	for name, at := range around.Properties() {
		var facts []string
		isDecided := false
		for _, d := range decisions {
			// A marker without effect only matters to the explanation of the field itself.
			if d.Field.Compare(at.Path) != 0 || d.Rule == nil && !d.Required {
				continue
			}
			isDecided = isDecided || d.Required
			// A summary has no room for the reason.
			text, _, _ := strings.Cut(reason(d, at), ", since ")
			facts = append(facts, strings.TrimPrefix(text, "is "))
		}
		if !isDecided {
			facts = append([]string{strings.TrimPrefix(presence(at), "is ")}, facts...)
		}
		if isTreated && at.Field != nil {
			facts = append(facts, treated(t.Of(at.Field), t, "")...)
		}
		all = append(all, Field{Name: name, Type: TypeOf(at.Schema), Facts: strings.Join(facts, ", ")})
	}
	return all
}

// presence returns whether a field is required, in words.
func presence(at schema.Cursor) string {
	if !slices.Contains(at.Above.Schema.Required, at.Path[len(at.Path)-1].Name) {
		return "is optional"
	}
	if !isGiven(*at.Above) {
		return "is required" + IfGiven
	}
	return "is required"
}

// unrelaxed explains why no rule replaces the requirement of an object below spec.forProvider: an observe-only
// resource can leave out the object.
func unrelaxed(at schema.Cursor) string {
	forProvider := schema.Properties("spec", "forProvider")
	if !at.Path.HasPrefix(forProvider) || isGiven(*at.Above) || !slices.Contains(at.Above.Schema.Required, at.Path[len(at.Path)-1].Name) {
		return ""
	}
	var optional schema.Cursor
	// The outermost optional object: without it, nothing below is required.
	for around := *at.Above; len(around.Path) > len(forProvider); around = *around.Above {
		if around.Path[len(around.Path)-1].Kind == schema.Property && !around.Always() {
			optional = around
		}
	}
	if optional.Schema == nil {
		return ""
	}
	return fmt.Sprintf(", and not relaxed, since observe-only resources can leave out %s", optional.Path)
}

// IfGiven qualifies requirements of optional objects.
const IfGiven = " if the object is given"

// reason returns the decision about a field in words.
func reason(d provenance.Decision, at schema.Cursor) string {
	for _, begin := range []string{"is required", "stays required"} {
		if rest, found := strings.CutPrefix(d.Reason, begin); found && d.Required && !isGiven(*at.Above) {
			return begin + IfGiven + rest
		}
	}
	return d.Reason
}

// isGiven reports whether every resource has an object. The parts of spec and status count as given, and the
// elements of lists and maps don't.
func isGiven(at schema.Cursor) bool {
	for ; len(at.Path) > 2; at = *at.Above {
		if at.Path[len(at.Path)-1].Kind != schema.Property || !at.Always() {
			return false
		}
	}
	return true
}

// authored returns the author's rules about a value: its own, and those of surrounding objects that read it or
// an object that contains it.
func authored(at schema.Cursor, decisions []provenance.Decision) []string {
	var facts []string
	for _, p := range at.Way() {
		var names []string
		rest := at.Path[len(p.Path):]
		for _, step := range rest {
			if step.Kind != schema.Property {
				break
			}
			names = append(names, step.Name)
		}
		for i, rule := range p.Schema.XValidations {
			if provenance.OfRule(decisions, p.Path, i) != nil || len(rest) > 0 && !reads(rule.Rule, names, len(names) < len(rest)) {
				continue
			}
			where := p.Path.String()
			if pos, found := rules.RuleMarker(p.Markers(), rule); found {
				where += " at " + pos.String()
			}
			facts = append(facts, fmt.Sprintf("has the author's rule of %s: %s", where, strings.Join(strings.Fields(rule.Rule), " ")))
		}
	}
	return facts
}

// reads reports whether a rule reads the field at the names, or an object that contains it. For a field in the
// elements of a list or map at the names, reading any element counts.
func reads(rule string, names []string, inElements bool) bool {
	parsed, ok := cel.Parse(rule)
	return ok && slices.ContainsFunc(parsed.Chains(), func(c cel.Chain) bool {
		n := min(len(c.Names), len(names))
		switch {
		case !slices.Equal(c.Names[:n], names[:n]):
			return false
		// has() of the list alone reads no element.
		case inElements:
			return len(c.Names) > len(names) || !c.Tested
		default:
			return len(c.Names) == len(names) || len(c.Names) < len(names) && !c.Tested
		}
	})
}

// An Unknown describes the absence of a field in a kind.
type Unknown struct {
	// Around is the path of the value that lacks a field with the name.
	Around, Name string
	// Rest are the names after it.
	Rest []string
	// Type is the type of the value, and Fields are its fields.
	Type   string
	Fields []string
}

// Message returns a message with a remedy, in which paths begin with the kind.
func (u *Unknown) Message(kind string) string {
	around := kind
	if u.Around != "" {
		around += "." + u.Around
	}
	if len(u.Fields) == 0 {
		return fmt.Sprintf("%s has no field %s: its type %s has no known fields", around, u.Name, u.Type)
	}
	if near, found := markers.Nearest(u.Name, u.Fields); found {
		return fmt.Sprintf("%s has no field %s: did you mean %s?", around, u.Name, strings.Join(append([]string{near}, u.Rest...), "."))
	}
	if u.Around == "" {
		return fmt.Sprintf("%s has no field %s: it has %s", around, u.Name, strings.Join(u.Fields, ", "))
	}
	return fmt.Sprintf("%s has no field %s: mrgen explain %s lists those that it has", around, u.Name, around)
}

// mirrored says whether a field is mirrored, and if not, why. The excluded field is the field itself, one
// around it, or none.
func mirrored(mirror schema.Path, isThere bool, at, excluded schema.Cursor, exclusions *mirroring.Rules) string {
	var because string
	if excluded.Field != nil {
		reason := exclusions.Of(excluded.Field)
		because = ", since " + string(reason)
		if excluded.Field != at.Field {
			because = fmt.Sprintf(", since %s is not: %s", excluded.Path, reason)
		}
		if reason.Guessed() {
			because += "; +mrgen:mirror=true mirrors it"
		}
	}
	switch {
	case !isThere:
		return "is not mirrored in .status.atProvider" + because
	// The author declared the observed field by hand, though it holds a secret.
	case excluded.Field != nil && exclusions.Of(excluded.Field).Secret():
		return fmt.Sprintf("is declared in %s by the author, and left alone by LateInitialize and Diff%s", mirror, because)
	default:
		return "is mirrored in " + mirror.String()
	}
}

// mirrorOf returns the path of the observed value of a field below spec.forProvider, and false for other
// fields.
func mirrorOf(path schema.Path) (schema.Path, bool) {
	if len(path) < 3 || !path.HasPrefix(schema.Properties("spec", "forProvider")) {
		return nil, false
	}
	return append(schema.Properties("status", "atProvider"), path[2:]...), true
}

// TypeOf returns the type of a schema in words.
func TypeOf(s *apiextensionsv1.JSONSchemaProps) string {
	items, values := schema.Child(s, schema.Step{Kind: schema.Items}), schema.Child(s, schema.Step{Kind: schema.Values})
	switch {
	case s.XIntOrString:
		return "integer or string"
	case items != nil:
		return "array of " + TypeOf(items)
	case values != nil:
		return "map of " + TypeOf(values)
	case s.Type == "":
		return "any"
	default:
		return s.Type
	}
}
