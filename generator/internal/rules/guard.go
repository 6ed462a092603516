package rules

import (
	"slices"
	"strings"

	apiextensionsv1 "k8s.io/apiextensions-apiserver/pkg/apis/apiextensions/v1"

	"github.com/mrgen-io/mrgen/generator/internal/model"
	"github.com/mrgen-io/mrgen/generator/internal/schema"
)

const (
	policies    = "managementPolicies"
	olderPolicy = "managementPolicy"
)

// maxPolicies bounds managementPolicies where rules read it: six actions exist, and
// without a bound each rule counts as if there were a million.
const maxPolicies = 16

// writers are the management policies under which Crossplane writes spec.forProvider
// to the external resource.
var writers = []string{"*", "Create", "Update"}

// guard returns a condition that holds if a resource is only observed, or "" if a
// spec has no management policies.
func guard(spec schema.Cursor) string {
	self := selection{root: "self"}
	if p := spec.Property(policies).Schema; p != nil && p.Type == "array" && exposed(p) {
		field := self.below(policies)
		var writes []string
		for _, policy := range writers {
			writes = append(writes, "'"+policy+"' in "+field.String())
		}
		observed := not(or(writes...))
		if p.Default == nil {
			return and(field.has(), observed)
		}
		return observed
	}
	// Crossplane 1.11 had a single policy. Providers have policies of their own by that name.
	if p := spec.Property(olderPolicy).Schema; p != nil && p.Type == "string" && (len(p.Enum) == 0 || slices.ContainsFunc(p.Enum, isObserveOnly)) {
		field := self.below(olderPolicy)
		return and(field.has(), field.String()+" == 'ObserveOnly'")
	}
	return ""
}

func isObserveOnly(value apiextensionsv1.JSON) bool { return string(value.Raw) == `"ObserveOnly"` }

// ObservedOnly returns the condition on spec that holds if a resource is only observed. It
// is "" if a version of a kind has no such resources, or if what it requires of them is
// as it is: by the settings, or a marker.
func ObservedOnly(o *model.Object, root schema.Cursor, settings Settings) string {
	r := &relaxer{applier: &applier{object: o, root: root, settings: settings}, guard: guard(root.Property("spec"))}
	if !settings.Required || !r.hasRules() || r.keepsAll(r.part(forProvider).Schema) != "" {
		return ""
	}
	return r.guard
}

// boundPolicies bounds what the guards read.
func boundPolicies(spec *apiextensionsv1.JSONSchemaProps) {
	path := schema.Properties(policies)
	p := schema.At(spec, path)
	if p == nil || p.MaxItems != nil && *p.MaxItems <= maxPolicies {
		return
	}
	schema.Edit(spec, path, func(s *apiextensionsv1.JSONSchemaProps) {
		bound := int64(maxPolicies)
		s.MaxItems = &bound
	})
}

// dotted joins the names of properties for messages.
func dotted(names []string, more ...string) string {
	return strings.Join(append(slices.Clip(names), more...), ".")
}
