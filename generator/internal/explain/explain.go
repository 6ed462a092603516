// Package explain says why a field is as it is in the output: what it is in the
// source, and what was decided about it.
package explain

import (
	"fmt"
	"maps"
	"slices"
	"strings"

	apiextensionsv1 "k8s.io/apiextensions-apiserver/pkg/apis/apiextensions/v1"
	"k8s.io/apiserver/pkg/cel"

	"github.com/mrgen-io/mrgen/generator/internal/apiserver"
	"github.com/mrgen-io/mrgen/generator/internal/diag"
	"github.com/mrgen-io/mrgen/generator/internal/exclusion"
	"github.com/mrgen-io/mrgen/generator/internal/model"
	"github.com/mrgen-io/mrgen/generator/internal/pipeline"
	"github.com/mrgen-io/mrgen/generator/internal/rules"
	"github.com/mrgen-io/mrgen/markers"
)

// An Explanation says why a field is as it is in the output.
type Explanation struct {
	// Group, Version and Kind have the field, and Field is its path from the root of
	// the object: ".spec.forProvider.region".
	Group, Version, Kind, Field string
	// Pos is where the field is declared. It has no file if no Go field is behind it.
	Pos diag.Position
	// Facts are what is known of it, each a phrase such as "is optional".
	Facts []string
	// Fields are those of an object, or of the objects in a list or map, sorted by name.
	Fields []Field
}

// A Field is one of an object, in a list of them.
type Field struct {
	Name, Type string
	// Facts are the most important ones: "required, immutable once it is set".
	Facts string
}

// Of explains a field in a version of a kind, or the whole object if there are no names.
// The names lead to the field from the root of the object; those of fields in lists and
// maps follow the name of the list or map. If there is no such field, the second result
// says so.
//
// The exclusions say which fields are not mirrored.
func Of(d pipeline.Definition, version int, names []string, exclusions *exclusion.Rules) (Explanation, *Unknown) {
	v := d.CRD.Spec.Versions[version]
	at := d.Place(version)
	// The way there has all places, those of items and values among them.
	way := []pipeline.Place{at}
	var excluded pipeline.Place
	for i, name := range names {
		way = append(way, elements(at)...)
		around := way[len(way)-1]
		if at = around.Property(name); at.Schema == nil {
			return Explanation{}, &Unknown{Around: strings.Join(names[:i], "."), Name: name, Rest: names[i+1:], Type: typeOf(around.Schema), Fields: slices.Sorted(maps.Keys(around.Schema.Properties))}
		}
		way = append(way, at)
		if excluded.Field == nil && at.Field != nil && exclusions.Of(at.Field) != "" {
			excluded = at
		}
	}
	var decisions []rules.Decision
	if version < len(d.Decisions) {
		decisions = d.Decisions[version]
	}
	e := Explanation{
		Group: d.CRD.Spec.Group, Version: v.Name, Kind: d.CRD.Spec.Names.Kind,
		Field: at.Path.String(),
		Facts: []string{"is of type " + typeOf(at.Schema)},
	}
	if at.Field != nil {
		e.Pos = at.Field.Pos
		for _, m := range at.Field.Markers {
			e.Facts = append(e.Facts, "is marked +"+m.Text)
		}
	}
	root := way[0].Schema
	for _, decision := range decisions {
		if decision.Field.Compare(at.Path) != 0 {
			continue
		}
		e.Facts = append(e.Facts, reason(decision, way))
		if r := decision.Rule; r != nil {
			e.Facts = append(e.Facts, fmt.Sprintf("has the rule of %s: %s", r.Path, follow(root, r.Path).XValidations[r.Index].Rule))
		}
	}
	e.Facts = append(e.Facts, authored(way, decisions)...)
	if !slices.ContainsFunc(decisions, func(decision rules.Decision) bool {
		return decision.Required && decision.Field.Compare(at.Path) == 0
	}) && len(names) > 0 {
		e.Facts = append(e.Facts, presence(way))
	}
	if mirror, ok := mirrorOf(at.Path); ok {
		e.Facts = append(e.Facts, mirrored(mirror, follow(root, mirror) != nil, at, excluded, exclusions))
	}
	e.Fields = fields(append(way, elements(at)...), decisions)
	return e, nil
}

// elements returns the items and values in a place that is a list or map, down to what is
// neither.
func elements(p pipeline.Place) []pipeline.Place {
	var all []pipeline.Place
	for {
		switch {
		case p.Schema.Items != nil && p.Schema.Items.Schema != nil:
			p = p.Element(apiserver.Items)
		case p.Schema.AdditionalProperties != nil && p.Schema.AdditionalProperties.Schema != nil:
			p = p.Element(apiserver.Values)
		default:
			return all
		}
		all = append(all, p)
	}
}

// fields lists the fields of the last object on a way.
func fields(way []pipeline.Place, decisions []rules.Decision) []Field {
	var all []Field
	around := way[len(way)-1]
	for _, name := range slices.Sorted(maps.Keys(around.Schema.Properties)) {
		below := append(slices.Clip(way), around.Property(name))
		at := below[len(below)-1]
		var facts []string
		isDecided := false
		for _, d := range decisions {
			// The reason of what is not as it was meant to be is for the field itself.
			if d.Field.Compare(at.Path) != 0 || d.Rule == nil && !d.Required {
				continue
			}
			isDecided = isDecided || d.Required
			text, _, _ := strings.Cut(reason(d, below), ", since ")
			facts = append(facts, strings.TrimPrefix(text, "is "))
		}
		if !isDecided {
			facts = append([]string{strings.TrimPrefix(presence(below), "is ")}, facts...)
		}
		all = append(all, Field{Name: name, Type: typeOf(at.Schema), Facts: strings.Join(facts, ", ")})
	}
	return all
}

// presence says whether the last place on a way is required.
func presence(way []pipeline.Place) string {
	at, around := way[len(way)-1], way[len(way)-2]
	if !slices.Contains(around.Schema.Required, at.Path[len(at.Path)-1].Name) {
		return "is optional"
	}
	if !isGiven(way[:len(way)-1]) {
		return "is required" + ifGiven
	}
	return "is required"
}

// ifGiven is said of fields of objects that may be left out.
const ifGiven = " if the object is given"

// reason returns what was decided about the last place on a way.
func reason(d rules.Decision, way []pipeline.Place) string {
	for _, begin := range []string{"is required", "stays required"} {
		if rest, found := strings.CutPrefix(d.Reason, begin); found && d.Required && !isGiven(way[:len(way)-1]) {
			return begin + ifGiven + rest
		}
	}
	return d.Reason
}

// isGiven reports whether every resource has the object that a way leads to. What is in
// spec and status at once counts as given.
func isGiven(way []pipeline.Place) bool {
	for i, p := range way {
		if len(p.Path) <= 2 {
			continue
		}
		step := p.Path[len(p.Path)-1]
		if step.Kind != apiserver.Property || p.Schema.Default == nil && !slices.Contains(way[i-1].Schema.Required, step.Name) {
			return false
		}
	}
	return true
}

// authored returns the rules of the author that are about the last place on a way: those
// that it bears, and those of objects around it that read it, or all that it is in.
func authored(way []pipeline.Place, decisions []rules.Decision) []string {
	var facts []string
	target := way[len(way)-1].Path
	for _, p := range way {
		var names []string
		rest := target[len(p.Path):]
		for _, step := range rest {
			if step.Kind != apiserver.Property {
				break
			}
			name, _ := cel.Escape(step.Name)
			names = append(names, name)
		}
		for i, rule := range p.Schema.XValidations {
			isOurs := slices.ContainsFunc(decisions, func(d rules.Decision) bool {
				return d.Rule != nil && d.Rule.Index == i && d.Rule.Path.Compare(p.Path) == 0
			})
			if isOurs || len(rest) > 0 && !reads(rule.Rule, names, len(names) < len(rest)) {
				continue
			}
			where := p.Path.String()
			var around []model.Marker
			if p.Field != nil {
				around = append(around, p.Field.Markers...)
			}
			if p.Type != nil {
				around = append(around, p.Type.Deref().AllMarkers()...)
			}
			if pos, found := rules.RuleMarker(around, rule); found {
				where += " at " + pos.String()
			}
			facts = append(facts, fmt.Sprintf("has the author's rule of %s: %s", where, strings.Join(strings.Fields(rule.Rule), " ")))
		}
	}
	return facts
}

// reads reports whether a rule reads the field that the names lead to, or all of an object
// that it is in. Rules may read some of what is in a list or map.
func reads(rule string, names []string, inElements bool) bool {
	parsed, ok := rules.Parse(rule)
	return ok && slices.ContainsFunc(parsed.Chains(), func(c rules.Chain) bool {
		n := min(len(c.Names), len(names))
		switch {
		case !slices.Equal(c.Names[:n], names[:n]):
			return false
		case inElements:
			return len(c.Names) > len(names) || !c.Tested
		default:
			return len(c.Names) == len(names) || len(c.Names) < len(names) && !c.Tested
		}
	})
}

// An Unknown says of a field that a kind does not have as far as its path is known.
type Unknown struct {
	// Around is the path of the object that has no field of the name.
	Around, Name string
	// Rest is what follows the name.
	Rest []string
	// Type is that of what is there instead of an object with the field, and Fields are
	// the fields that it has.
	Type   string
	Fields []string
}

// Message says what is wrong, and what to do. The path in it begins with the kind.
func (u *Unknown) Message(kind string) string {
	around := kind
	if u.Around != "" {
		around += "." + u.Around
	}
	if len(u.Fields) == 0 {
		return fmt.Sprintf("%s has no field %s: it is of type %s, of which no fields are known", around, u.Name, u.Type)
	}
	if near, found := markers.Nearest(u.Name, u.Fields); found {
		return fmt.Sprintf("%s has no field %s: did you mean %s?", around, u.Name, strings.Join(append([]string{near}, u.Rest...), "."))
	}
	if u.Around == "" {
		return fmt.Sprintf("%s has no field %s: it has %s", around, u.Name, strings.Join(u.Fields, ", "))
	}
	return fmt.Sprintf("%s has no field %s: mrgen explain %s lists those that it has", around, u.Name, around)
}

// UnknownKind says that there is no kind of a name, given those that there are.
func UnknownKind(name string, kinds []string) string {
	if near, found := markers.Nearest(name, kinds); found {
		return fmt.Sprintf("there is no kind %s in these packages: did you mean %s?", name, near)
	}
	return fmt.Sprintf("there is no kind %s in these packages: there are %s", name, strings.Join(kinds, ", "))
}

// mirrored says whether the place of a mirrored value is there, and why not. The field
// at that place may be excluded, or be in one that is.
func mirrored(mirror apiserver.Path, isThere bool, at, excluded pipeline.Place, exclusions *exclusion.Rules) string {
	var because string
	if excluded.Field != nil {
		reason := exclusions.Of(excluded.Field)
		because = ", since " + string(reason)
		if excluded.Field != at.Field {
			because = fmt.Sprintf(", since %s is not: %s", excluded.Path, reason)
		}
		if reason.Guessed() {
			because += "; +mrgen:mirror=true has it mirrored"
		}
	}
	switch {
	case !isThere:
		return "is not mirrored in .status.atProvider" + because
	case excluded.Field != nil && exclusions.Of(excluded.Field).Secret():
		return fmt.Sprintf("is declared in %s by the author, and left alone by LateInitialize, Adopt and Diff%s", mirror, because)
	default:
		return "is mirrored in " + mirror.String()
	}
}

// follow returns the schema that a path leads to, or nil.
func follow(schema *apiextensionsv1.JSONSchemaProps, path apiserver.Path) *apiextensionsv1.JSONSchemaProps {
	for _, step := range path {
		if schema == nil {
			return nil
		}
		schema = apiserver.Child(schema, step)
	}
	return schema
}

// mirrorOf returns where the observed value of a field below spec.forProvider is;
// false for other fields.
func mirrorOf(path apiserver.Path) (apiserver.Path, bool) {
	if len(path) < 3 || path[0].Name != "spec" || path[1].Name != "forProvider" {
		return nil, false
	}
	return slices.Concat(apiserver.Path{{Name: "status"}, {Name: "atProvider"}}, path[2:]), true
}

// typeOf returns the type of a schema in words.
func typeOf(schema *apiextensionsv1.JSONSchemaProps) string {
	switch {
	case schema.XIntOrString:
		return "integer or string"
	case schema.Items != nil && schema.Items.Schema != nil:
		return "array of " + typeOf(schema.Items.Schema)
	case schema.AdditionalProperties != nil && schema.AdditionalProperties.Schema != nil:
		return "map of " + typeOf(schema.AdditionalProperties.Schema)
	case schema.Type == "":
		return "any"
	default:
		return schema.Type
	}
}
