// Package explain says why a field is as it is in the output: what it is in the
// source, and what was decided about it.
package explain

import (
	"fmt"
	"slices"

	apiextensionsv1 "k8s.io/apiextensions-apiserver/pkg/apis/apiextensions/v1"

	"github.com/mrgen-io/mrgen/generator/internal/apiserver"
	"github.com/mrgen-io/mrgen/generator/internal/diag"
	"github.com/mrgen-io/mrgen/generator/internal/exclusion"
	"github.com/mrgen-io/mrgen/generator/internal/pipeline"
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
}

// Field explains a field in a version of a kind. The names lead to it from the root
// of the object; those of fields in lists and maps follow the name of the list or
// map. It reports false if there is no such field.
//
// The rules say which fields are not mirrored.
func Field(d pipeline.Definition, version int, names []string, exclusions *exclusion.Rules) (Explanation, bool) {
	v := d.CRD.Spec.Versions[version]
	root := v.Schema.OpenAPIV3Schema
	at := d.Place(version)
	var around, excluded pipeline.Place
	for _, name := range names {
		around = at.Elements()
		if at = around.Property(name); at.Schema == nil {
			return Explanation{}, false
		}
		if excluded.Field == nil && at.Field != nil && exclusions.Of(at.Field) != "" {
			excluded = at
		}
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
	isDecided := false
	if version < len(d.Decisions) {
		for _, decision := range d.Decisions[version] {
			if decision.Field.Compare(at.Path) == 0 {
				isDecided = isDecided || decision.Required
				e.Facts = append(e.Facts, decision.Reason)
				if r := decision.Rule; r != nil {
					e.Facts = append(e.Facts, fmt.Sprintf("has the rule of %s: %s", r.Path, follow(root, r.Path).XValidations[r.Index].Rule))
				}
			}
		}
	}
	switch {
	case isDecided:
	case slices.Contains(around.Schema.Required, names[len(names)-1]):
		e.Facts = append(e.Facts, "is required")
	default:
		e.Facts = append(e.Facts, "is optional")
	}
	if mirror, ok := mirrorOf(at.Path); ok {
		e.Facts = append(e.Facts, mirrored(mirror, follow(root, mirror) != nil, at, excluded, exclusions))
	}
	return e, true
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
