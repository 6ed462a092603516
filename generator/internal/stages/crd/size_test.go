package crd

import (
	"context"
	"strings"
	"testing"

	apiextensionsv1 "k8s.io/apiextensions-apiserver/pkg/apis/apiextensions/v1"

	"github.com/mrgen-io/mrgen/generator/diag"
	"github.com/mrgen-io/mrgen/generator/internal/apiserver"
	"github.com/mrgen-io/mrgen/generator/internal/model"
	"github.com/mrgen-io/mrgen/generator/internal/size"
	"github.com/mrgen-io/mrgen/generator/internal/stage"
	"github.com/mrgen-io/mrgen/generator/run"
	"github.com/mrgen-io/mrgen/testdata/expect"
)

// TestSizes holds from which size on definitions are warned of and refused, and what is said of them.
func TestSizes(t *testing.T) {
	for name, test := range map[string]struct {
		description, budget int
		severity            diag.Severity
		want                string
	}{
		"small":            {1000, run.DefaultBudget, 0, ""},
		"below the budget": {run.DefaultBudget - 2000, run.DefaultBudget, 0, ""},
		"over the budget":  {run.DefaultBudget, run.DefaultBudget, diag.Warning, "bytes of JSON, over the budget of 262144, which is what kubectl apply can take: .spec.template takes 99 %, .spec.name takes 0 %; set crds.maxDescription or crds.budget"},
		"another budget":   {1000, 500, diag.Warning, "over the budget of 500: .spec.template takes 73 %"},
		"no budget":        {run.DefaultBudget, 0, 0, ""},
		"too large":        {size.Stored, 0, diag.Error, "bytes of JSON, and etcd takes 1560000: .spec.template takes 99 %"},
	} {
		t.Run(name, func(t *testing.T) {
			root := &apiextensionsv1.JSONSchemaProps{Type: "object", Properties: map[string]apiextensionsv1.JSONSchemaProps{
				"spec": {Type: "object", Properties: map[string]apiextensionsv1.JSONSchemaProps{
					"template": {Type: "string", Description: strings.Repeat("a", test.description)},
					"name":     {Type: "string"},
				}},
			}}
			d := stage.Definition{
				CRD:     &apiextensionsv1.CustomResourceDefinition{},
				Objects: []*model.Object{{Name: "Big", Type: &model.Type{}, Pos: diag.Position{File: "a.go", Line: 3}}},
			}
			d.CRD.Spec.Versions = []apiextensionsv1.CustomResourceDefinitionVersion{{Name: "v1", Schema: &apiextensionsv1.CustomResourceValidation{OpenAPIV3Schema: root}}}
			diags := checkSize(d, test.budget)
			if test.want == "" {
				expect.True(t, len(diags) == 0, "got %v", diags)
				return
			}
			if len(diags) != 1 || diags[0].Severity != test.severity || !strings.Contains(diags[0].Message, test.want) || diags[0].Pos.Line != 3 {
				t.Errorf("got %v, want %q", diags, test.want)
			}
		})
	}
}

// TestTooLarge holds that what is larger than etcd takes is refused with the fields to look at, once, also if
// its texts are full of what JSON escapes.
func TestTooLarge(t *testing.T) {
	for _, description := range []string{strings.Repeat("a", size.Stored), strings.Repeat("<", size.Stored/6)} {
		root := &apiextensionsv1.JSONSchemaProps{Type: "object", Properties: map[string]apiextensionsv1.JSONSchemaProps{"spec": {Type: "object", Description: description}}}
		d := stage.Definition{
			CRD:     &apiextensionsv1.CustomResourceDefinition{},
			Objects: []*model.Object{{Name: "Big", Type: &model.Type{}, Pos: diag.Position{File: "a.go", Line: 3}}},
		}
		d.CRD.Spec.Versions = []apiextensionsv1.CustomResourceDefinitionVersion{{Name: "v1", Schema: &apiextensionsv1.CustomResourceValidation{OpenAPIV3Schema: root}}}
		expect.True(t, size.Of(d.CRD, size.Stored) > size.Stored, "the definition is not too large")
		r := &result{definition: d}
		r.finish(context.Background(), stage.Options{Validator: apiserver.Upstream{}})
		expect.True(t, len(r.refused) == 1 && r.refused[0].Code == codeSize && strings.Contains(r.refused[0].Message, ".spec takes"), "got %.300v", r.refused)
	}
}
