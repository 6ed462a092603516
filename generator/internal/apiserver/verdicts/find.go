package verdicts

import (
	"maps"
	"slices"

	apiextensionsv1 "k8s.io/apiextensions-apiserver/pkg/apis/apiextensions/v1"
	"k8s.io/apiextensions-apiserver/pkg/apiserver/schema/cel"

	"github.com/mrgen-io/mrgen/generator/internal/schema"
)

// A rule is a rule that can be remembered, with its schema.
type rule struct {
	apiextensionsv1.ValidationRule
	schema apiextensionsv1.JSONSchemaProps
	key    string
}

// A finder finds rules that can be remembered.
type finder struct {
	validator *Validator
	rules     []rule
}

// ofServer are the properties of a resource in which the API server sees more fields than the schema declares.
var ofServer = []string{"apiVersion", "kind", "metadata"}

// without returns a schema without the known rules, on itself and below its properties, and whether it left out any. It
// takes and returns copies: pointers to properties would allocate all of them.
func (f *finder) without(s apiextensionsv1.JSONSchemaProps, isResource bool) (rest apiextensionsv1.JSONSchemaProps, changed bool) {
	if s.Default != nil { // the rules here and below are also evaluated on the default
		return s, false
	}
	rest = s
	// The API server sees more fields in a resource than its schema declares, so the rules on the resource itself stay.
	if len(s.XValidations) > 0 && !isResource {
		rest.XValidations = f.unknown(s)
		changed = len(rest.XValidations) < len(s.XValidations)
	}
	if !isPlainObject(&s) || !cel.MapIsCorrelatable(s.XMapType) { // a list or map repeats the rules below it
		return rest, changed
	}
	cloned := false
	for name, property := range s.Properties {
		if isResource && slices.Contains(ofServer, name) {
			continue
		}
		below, less := f.without(property, false)
		if !less {
			continue
		}
		if !cloned {
			rest.Properties, cloned = maps.Clone(s.Properties), true
		}
		rest.Properties[name] = below
	}
	return rest, changed || cloned
}

// inPlainObjects returns the schema that a path leads to, or nil if the path is empty or leads through anything other
// than properties of plain objects.
func inPlainObjects(s *apiextensionsv1.JSONSchemaProps, at schema.Path) *apiextensionsv1.JSONSchemaProps {
	if len(at) == 0 { // rules on the resource itself see more than the schema
		return nil
	}
	for _, step := range at {
		if step.Kind != schema.Property || !isPlainObject(s) || !cel.MapIsCorrelatable(s.XMapType) {
			return nil
		}
		if s = schema.Child(s, step); s == nil {
			return nil
		}
	}
	return s
}

// unknown returns the rules of a schema that aren't known yet.
func (f *finder) unknown(s apiextensionsv1.JSONSchemaProps) apiextensionsv1.ValidationRules {
	var unknown apiextensionsv1.ValidationRules
	for _, r := range s.XValidations {
		key := f.validator.key(&r, &s)
		if key != "" {
			f.rules = append(f.rules, rule{r, s, key})
		}
		if _, known := f.validator.accepted.Load(key); !known {
			unknown = append(unknown, r)
		}
	}
	return unknown
}

// countRules returns the number of rules in a schema and below it. A messageExpression counts as another rule.
func countRules(s *apiextensionsv1.JSONSchemaProps) int {
	count := len(s.XValidations)
	for _, r := range s.XValidations {
		if r.MessageExpression != "" {
			count++
		}
	}
	// The API server allows rules nowhere else, such as in parts of anyOf.
	for _, below := range schema.Below(s) {
		count += countRules(below)
	}
	return count
}
