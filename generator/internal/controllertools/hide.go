package controllertools

import (
	"fmt"
	"slices"

	apiextensionsv1 "k8s.io/apiextensions-apiserver/pkg/apis/apiextensions/v1"

	"github.com/mrgen-io/mrgen/generator/internal/schema"
)

// hide removes embedded fields that encoding/json ignores, since an outer field has the same name. controller-tools
// applies both. Their documentation stays if the outer field has no comment: some providers describe generated fields
// that way.
func hide(s *schema.Props) {
	if s.Properties == nil || len(s.AllOf) == 0 {
		return
	}
	depths, described := map[string]int{}, map[string]int{}
	eachStruct(s, 0, func(inner *schema.Props, depth int) {
		for name, property := range inner.Properties {
			if known, found := depths[name]; !found || depth < known {
				depths[name] = depth
			}
			if known, found := described[name]; property.Description != "" && (!found || depth < known) {
				described[name] = depth
			}
		}
	})
	eachStruct(s, 0, func(inner *schema.Props, depth int) {
		isHidden := func(name string) bool {
			shallowest, found := depths[name]
			return found && shallowest < depth
		}
		for name := range inner.Properties {
			if isHidden(name) {
				hidden := inner.Properties[name]
				schema.Keep(&hidden, schema.Documentation)
				inner.Properties[name] = hidden
				if described[name] < depth { // the innermost documentation would count
					delete(inner.Properties, name)
				}
				inner.XValidations = slices.DeleteFunc(inner.XValidations,
					func(rule apiextensionsv1.ValidationRule) bool { return keepsField(rule, name) })
			}
		}
		inner.Required = slices.DeleteFunc(inner.Required, isHidden)
	})
}

// eachStruct visits a struct and the structs that it embeds, with their depths.
func eachStruct(s *schema.Props, depth int, visit func(inner *schema.Props, depth int)) {
	visit(s, depth)
	// A schema without properties has branches for one struct: a type, and the field of that type.
	if s.Properties != nil {
		depth++
	}
	for i := range s.AllOf {
		eachStruct(&s.AllOf[i], depth, visit)
	}
}

// keepsField reports whether controller-tools wrote a rule for a field marked +k8s:immutable.
func keepsField(rule apiextensionsv1.ValidationRule, name string) bool {
	return rule.Rule == fmt.Sprintf("!has(oldSelf.%s) || has(self.%s)", name, name) &&
		rule.Message == fmt.Sprintf("field %s is immutable once set", name)
}
