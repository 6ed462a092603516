package mrds_test

import (
	"cmp"
	"context"
	"encoding/json"
	"fmt"
	"os"
	"slices"
	"testing"

	"k8s.io/apiextensions-apiserver/pkg/apis/apiextensions"
	apiextensionsv1 "k8s.io/apiextensions-apiserver/pkg/apis/apiextensions/v1"
	"k8s.io/apiextensions-apiserver/pkg/apiserver/schema"
	"k8s.io/apiextensions-apiserver/pkg/apiserver/schema/cel"
	"k8s.io/apiextensions-apiserver/pkg/apiserver/schema/defaulting"
	"k8s.io/apiextensions-apiserver/pkg/apiserver/schema/pruning"
	"k8s.io/apiextensions-apiserver/pkg/apiserver/validation"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	apiservercel "k8s.io/apiserver/pkg/apis/cel"
	"sigs.k8s.io/yaml"

	"github.com/crossplane/crossplane/apis/v2/apiextensions/v1alpha1"
)

// apiServer judges objects of a kind as the API server does.
type apiServer struct {
	schema    *schema.Structural
	validator validation.SchemaValidator
	rules     *cel.Validator
}

// install returns an API server with the CRD in a file.
func install(t *testing.T, file string) apiServer {
	t.Helper()
	var crd apiextensionsv1.CustomResourceDefinition
	decode(t, file, &crd)
	var internal apiextensions.CustomResourceValidation
	if err := apiextensionsv1.Convert_v1_CustomResourceValidation_To_apiextensions_CustomResourceValidation(
		crd.Spec.Versions[0].Schema, &internal, nil); err != nil {
		t.Fatal(err)
	}
	structural, err := schema.NewStructural(internal.OpenAPIV3Schema)
	if err != nil {
		t.Fatal(err)
	}
	validator, _, err := validation.NewSchemaValidator(internal.OpenAPIV3Schema)
	if err != nil {
		t.Fatal(err)
	}
	return apiServer{structural, validator, cel.NewValidator(structural, true, apiservercel.PerCallLimit)}
}

// create returns what the API server says of a new object.
func (s apiServer) create(object map[string]any) []string {
	var problems []string
	unknown := pruning.PruneWithOptions(object, s.schema, true, schema.UnknownFieldPathOptions{TrackUnknownFieldPaths: true})
	for _, path := range unknown {
		problems = append(problems, "unknown field "+path)
	}
	defaulting.Default(object, s.schema)
	for _, err := range validation.ValidateCustomResource(nil, object, s.validator) {
		problems = append(problems, err.Error())
	}
	broken, _ := s.rules.Validate(context.Background(), nil, s.schema, object, nil, apiservercel.RuntimeCELCostBudget)
	for _, err := range broken {
		problems = append(problems, err.Error())
	}
	return problems
}

// derive returns the CRD that Crossplane makes of an MRD: see CRDAsUnstructured in
// https://github.com/crossplane/crossplane/blob/v2.4.0/internal/controller/apiextensions/managed/crd.go
// It has none of the MRD's labels and annotations.
func derive(mrd v1alpha1.ManagedResourceDefinition) (apiextensionsv1.CustomResourceDefinition, error) {
	crd := apiextensionsv1.CustomResourceDefinition{
		TypeMeta:   metav1.TypeMeta{APIVersion: "apiextensions.k8s.io/v1", Kind: "CustomResourceDefinition"},
		ObjectMeta: metav1.ObjectMeta{Name: mrd.Name},
		Spec: apiextensionsv1.CustomResourceDefinitionSpec{
			Group:                 mrd.Spec.Group,
			Names:                 mrd.Spec.Names,
			Scope:                 mrd.Spec.Scope,
			Conversion:            mrd.Spec.Conversion,
			PreserveUnknownFields: mrd.Spec.PreserveUnknownFields,
		},
	}
	for _, v := range mrd.Spec.Versions {
		derived := apiextensionsv1.CustomResourceDefinitionVersion{
			Name:                     v.Name,
			Served:                   v.Served,
			Storage:                  v.Storage,
			Deprecated:               v.Deprecated,
			DeprecationWarning:       v.DeprecationWarning,
			Subresources:             v.Subresources,
			AdditionalPrinterColumns: v.AdditionalPrinterColumns,
			SelectableFields:         v.SelectableFields,
		}
		if v.Schema != nil {
			derived.Schema = &apiextensionsv1.CustomResourceValidation{}
			if err := json.Unmarshal(v.Schema.OpenAPIV3Schema.Raw, &derived.Schema.OpenAPIV3Schema); err != nil {
				return crd, fmt.Errorf("version %s: %w", v.Name, err)
			}
		}
		crd.Spec.Versions = append(crd.Spec.Versions, derived)
	}
	slices.SortFunc(crd.Spec.Versions, func(a, b apiextensionsv1.CustomResourceDefinitionVersion) int {
		return cmp.Compare(a.Name, b.Name)
	})
	return crd, nil
}

// decode reads a YAML file into a Go value, which must have all its fields.
func decode(t *testing.T, file string, into any) {
	t.Helper()
	content, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	if err := yaml.UnmarshalStrict(content, into); err != nil {
		t.Fatalf("%s: %v", file, err)
	}
}
