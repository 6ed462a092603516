package verdicts

import (
	"maps"
	"slices"

	apiextensionsv1 "k8s.io/apiextensions-apiserver/pkg/apis/apiextensions/v1"
	"k8s.io/apiextensions-apiserver/pkg/apiserver/schema/cel"

	"github.com/mrgen-io/mrgen/generator/internal/schema"
)

// A rule is one that can be remembered, with its schema.
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

// ofServer are the properties of a resource of which the API server sees more than the schema says.
var ofServer = []string{"apiVersion", "kind", "metadata"}

// without returns a schema without the rules that are known, on itself and below its properties, and
// whether there are any. The API server sees more in a resource than its schema says, so that rules on
// the resource itself stay. It takes and returns copies: a pointer to each property would have all of
// them allocated.
func (f *finder) without(s apiextensionsv1.JSONSchemaProps, isResource bool) (rest apiextensionsv1.JSONSchemaProps, changed bool) {
	if s.Default != nil {
		return s, false
	}
	rest = s
	if len(s.XValidations) > 0 && !isResource {
		rest.XValidations = f.unknown(s)
		changed = len(rest.XValidations) < len(s.XValidations)
	}
	if !isPlainObject(&s) || !cel.MapIsCorrelatable(s.XMapType) {
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

// inPlainObjects returns the schema that a path leads to, or nil if the path is empty or leads through
// anything but properties of plain objects.
func inPlainObjects(s *apiextensionsv1.JSONSchemaProps, at schema.Path) *apiextensionsv1.JSONSchemaProps {
	if len(at) == 0 {
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

// unknown returns the rules of a schema that are not known.
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

// countRules returns how many rules a schema has, with all below it. The expression for a
// message counts as another rule. Where else rules could be, the API server allows none.
func countRules(s *apiextensionsv1.JSONSchemaProps) int {
	count := len(s.XValidations)
	for _, r := range s.XValidations {
		if r.MessageExpression != "" {
			count++
		}
	}
	for _, below := range schema.Below(s) {
		count += countRules(below)
	}
	return count
}
