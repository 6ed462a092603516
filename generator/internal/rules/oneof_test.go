package rules

import (
	"testing"

	"github.com/google/go-cmp/cmp"
	apiextensionsv1 "k8s.io/apiextensions-apiserver/pkg/apis/apiextensions/v1"
	crdmarkers "sigs.k8s.io/controller-tools/pkg/crd/markers"

	"github.com/mrgen-io/mrgen/generator/diag"
	"github.com/mrgen-io/mrgen/generator/internal/model"
	"github.com/mrgen-io/mrgen/testdata/expect"
)

// TestChoicesAreThoseOfControllerTools compares what is read and written with what
// controller-tools writes for its markers.
func TestChoicesAreThoseOfControllerTools(t *testing.T) {
	for _, names := range [][]string{{"a"}, {"cidrBlock", "networkId"}, {"a", "b", "c"}} {
		for kind, marker := range map[choiceKind]interface {
			ApplyToSchema(*crdmarkers.SchemaContext, *apiextensionsv1.JSONSchemaProps) error
		}{atLeastOne: crdmarkers.AtLeastOneOf(names), atMostOne: crdmarkers.AtMostOneOf(names), exactlyOne: crdmarkers.ExactlyOneOf(names)} {
			var schema apiextensionsv1.JSONSchemaProps
			expect.NoError(t, marker.ApplyToSchema(nil, &schema))
			rule := schema.XValidations[0]
			got, ok := choiceOf(rule)
			want := (choice{kind, names})
			expect.True(t, ok && cmp.Equal(want, got, cmp.AllowUnexported(choice{})), "%s: got %v, %t, want %v", rule.Rule, got, ok, want)
			if got.rule() != rule.Rule || got.message() != rule.Message {
				t.Errorf("got %q, %q, want %q, %q", got.rule(), got.message(), rule.Rule, rule.Message)
			}
			rule.Message = "something else"
			c, ok := choiceOf(rule)
			expect.True(t, !ok, "a rule that an author wrote is taken for %v", c)
		}
	}
}

// TestRuleMarker finds the marker of a rule among others that look like it.
func TestRuleMarker(t *testing.T) {
	texts := []string{
		`kubebuilder:validation:XValidation:rule="has(self.a) || has(self.b)",message="a rule"`, `kubebuilder:validation:XValidation:rule="has(self.a)"`,
		"kubebuilder:validation:XValidation:rule=`self.a == \"b\"`", `kubebuilder:validation:XValidation:message="m",rule="self.a != \"b\""`,
		`kubebuilder:validation:ExactlyOneOf=b;a`, `kubebuilder:validation:AtMostOneOf=a;b`, `kubebuilder:validation:ExactlyOneOf={a,b}`, `optional`,
		`kubebuilder:validation:XValidation:rule='self.q == 1'`, "kubebuilder:validation:XValidation:rule= \"self.z == \\\"b\\\"\"",
		`kubebuilder:validation:XValidation:rule='self.q == 1'`,
	}
	var list []model.Marker
	for i, text := range texts {
		list = append(list, model.Marker{Text: text, Pos: diag.Position{File: "a.go", Line: i + 1}})
	}
	exactly := choice{exactlyOne, []string{"a", "b"}}
	for _, test := range []struct {
		rule, message string
		want          int
	}{
		{"has(self.a) || has(self.b)", "a rule", 1},
		{"has(self.a)", "", 2},
		{`self.a == "b"`, "", 3},
		{`self.a != "b"`, "m", 4},
		{exactly.rule(), exactly.message(), 7},
		{"self.q == 1", "", 9},
		{`self.z == "b"`, "", 10},
		{"has(self.c)", "", 0},
	} {
		got, found := RuleMarker(list, apiextensionsv1.ValidationRule{Rule: test.rule, Message: test.message})
		expect.True(t, got.Line == test.want && found == (test.want > 0), "%s: got line %d, %t, want %d", test.rule, got.Line, found, test.want)
	}
}
