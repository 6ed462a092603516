package rules

import (
	"slices"

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

// guard returns the condition that a resource is only observed, or "" if the spec has no
// management policies.
func guard(spec schema.Cursor) string {
	self := selection{root: "self"}
	if p := spec.Property(policies).Schema; p != nil && p.Type == "array" && canRead(p) {
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
	// Crossplane 1.11 had a single policy. Some providers use the name for a policy of their own.
	if p := spec.Property(olderPolicy).Schema; p != nil && p.Type == "string" && (len(p.Enum) == 0 || slices.ContainsFunc(p.Enum, isObserveOnly)) {
		field := self.below(olderPolicy)
		return and(field.has(), field.String()+" == 'ObserveOnly'")
	}
	return ""
}

func isObserveOnly(value apiextensionsv1.JSON) bool { return string(value.Raw) == `"ObserveOnly"` }

// ObservedOnly returns the condition on spec that a resource of a version is only observed.
// It is "" if such resources can't exist, or if settings or a marker keep required fields
// required for them.
func ObservedOnly(o *model.Object, root schema.Cursor, settings Settings) string {
	r := &relaxer{applier: &applier{object: o, root: root, settings: settings}, guard: guard(root.Property("spec"))}
	if !settings.Required || !r.supportsRules() || r.keepAllRequired(r.part(forProvider).Schema) != "" {
		return ""
	}
	return r.guard
}

// boundPolicies bounds the list that guards read.
func boundPolicies(spec *apiextensionsv1.JSONSchemaProps) {
	path := schema.Properties(policies)
	p := schema.At(spec, path)
	if p == nil || p.MaxItems != nil && *p.MaxItems <= maxPolicies {
		return
	}
	schema.Edit(spec, path, func(s *apiextensionsv1.JSONSchemaProps) {
		s.MaxItems = new(int64(maxPolicies))
	})
}
