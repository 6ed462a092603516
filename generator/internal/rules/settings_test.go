package rules

import (
	"context"
	"slices"
	"strings"
	"testing"

	apiextensionsv1 "k8s.io/apiextensions-apiserver/pkg/apis/apiextensions/v1"

	"github.com/mrgen-io/mrgen/generator/internal/cel"
	"github.com/mrgen-io/mrgen/generator/internal/model"
	"github.com/mrgen-io/mrgen/generator/internal/provenance"
	"github.com/mrgen-io/mrgen/generator/internal/schema"
	"github.com/mrgen-io/mrgen/markers"
	"github.com/mrgen-io/mrgen/testdata/celtest"
	"github.com/mrgen-io/mrgen/testdata/expect"
)

// TestSettings holds what settings make of rules, and what they leave to the schema.
func TestSettings(t *testing.T) {
	for name, test := range map[string]struct {
		change          func(*Settings)
		required, rules int
		isDescribed     bool
	}{
		"all":          {func(*Settings) {}, 0, 5, false},
		"described":    {func(s *Settings) { s.Describe = true }, 0, 5, true},
		"no required":  {func(s *Settings) { s.Required = false }, 4, 1, false},
		"no immutable": {func(s *Settings) { s.Immutable = false }, 0, 4, false},
		"none":         {func(s *Settings) { s.Required, s.Immutable = false, false }, 4, 0, false},
	} {
		o, root := parameters("", "network")
		settings := settings
		test.change(&settings)
		decisions, diags := Apply(context.Background(), o, root, settings)
		expect.True(t, len(diags) == 0, "%s: %v", name, diags)
		spec := root.Properties["spec"]
		forProvider := spec.Properties["forProvider"]
		if len(forProvider.Required) != test.required || len(spec.XValidations) != test.rules {
			t.Errorf("%s: %d fields are required, and there are %d rules", name, len(forProvider.Required), len(spec.XValidations))
		}
		for _, rule := range spec.XValidations {
			expect.True(t, rule.FieldPath != "", "%s: the rule names no field", name)
			expect.True(t, (rule.Reason != nil) == strings.Contains(rule.Message, "is required"), "%s: %s has the reason %v", name, rule.Message, rule.Reason)
		}
		expect.True(t, slices.IsSortedFunc(decisions, func(a, b provenance.Decision) int { return a.Field.Compare(b.Field) }), "%s: decisions are not sorted", name)
		bound := spec.Properties["managementPolicies"].MaxItems
		expect.True(t, (bound != nil) == (test.rules > 0) && (bound == nil || *bound == maxPolicies), "%s: management policies are bounded by %v", name, bound)
		network := schema.At(root, schema.Properties("spec", "forProvider", "network")).Description
		want := ""
		if test.isDescribed {
			want = "Required when managementPolicies includes \"*\", \"Create\" or \"Update\".\nCan't be changed once set."
		}
		expect.Equal(t, want, network, "%s: it is described as", name)
	}
	// So it is with the policy that older kinds have.
	old, oldRoot := parameters("", "network")
	schema.Edit(oldRoot, schema.Properties("spec"), func(s *apiextensionsv1.JSONSchemaProps) {
		delete(s.Properties, policies)
		s.Properties[olderPolicy] = apiextensionsv1.JSONSchemaProps{Type: "string"}
	})
	described := settings
	described.Describe = true
	Apply(context.Background(), old, oldRoot, described)
	for name, want := range map[string]string{"network": "Required when managementPolicy is not \"ObserveOnly\".\nCan't be changed once set.", "size": "Required when managementPolicy is not \"ObserveOnly\"."} {
		got := schema.At(oldRoot, schema.Properties("spec", "forProvider", name)).Description
		expect.Equal(t, want, got, "%s is described as", name)
	}
	// Identifiers with a reference have a rule, whatever becomes of other required fields.
	for _, isRequired := range []bool{true, false} {
		o, root := parameters("")
		identifier, _ := markers.Parse(markers.Identifier)
		reference, _ := markers.Parse(markers.ReferenceType + "=Network")
		of := o.Spec.Type.Fields[0].Type
		of.Fields[0].Markers = []model.Marker{{Value: identifier}, {Value: reference}}
		of.Fields = append(of.Fields, &model.Field{Name: of.Fields[0].Name + "Ref", JSONName: "networkRef", OmitEmpty: true, Type: of.Fields[3].Type})
		schema.Edit(root, schema.Properties("spec", forProvider), func(s *apiextensionsv1.JSONSchemaProps) {
			s.Properties["networkRef"] = apiextensionsv1.JSONSchemaProps{Type: "object"}
		})
		described := described
		described.Required = isRequired
		Apply(context.Background(), o, root, described)
		const want = "Required unless its reference or selector is set."
		rule := root.Properties["spec"].XValidations[0]
		expect.Equal(t, want, schema.At(root, schema.Properties("spec", forProvider, "network")).Description, "it is described as")
		expect.True(t, rule.Rule == "has(self.forProvider.network) || has(self.forProvider.networkRef)" && rule.FieldPath == ".forProvider.network", "the rule is %v", rule)
		left := len(schema.At(root, schema.Properties("spec", forProvider)).Required)
		expect.True(t, (left == 0) == isRequired && left <= 3, "with the setting %t, %d fields are required", isRequired, left)
	}
	// A bound that is tighter stays.
	o, root := parameters("")
	schema.Edit(root, schema.Properties("spec", "managementPolicies"), func(s *apiextensionsv1.JSONSchemaProps) { s.MaxItems = new(int64(3)) })
	Apply(context.Background(), o, root, settings)
	expect.True(t, *root.Properties["spec"].Properties["managementPolicies"].MaxItems == 3, "a bound grew")
}

// TestObservedOnly has CEL judge specs by the condition that they are only observed.
func TestObservedOnly(t *testing.T) {
	o, root := parameters("")
	condition := func(change func(*Settings)) cel.Expr {
		settings := settings
		change(&settings)
		return ObservedOnly(o, schema.Root(o, root), settings, cel.Self)
	}
	holds := celtest.Holding(t, condition(func(*Settings) {}).String())
	for _, policy := range []string{"*", "Create", "Update", "Observe", "Delete", "LateInitialize"} {
		want := !slices.Contains([]string{"*", "Create", "Update"}, policy)
		expect.Equal(t, want, holds(map[string]any{"managementPolicies": []any{"Observe", policy}}), "%s", policy)
	}
	expect.True(t, condition(func(s *Settings) { s.Required = false }).IsNone(), "required fields are required of what is only observed, too")
}
