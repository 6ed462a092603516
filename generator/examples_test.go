package generator_test

import (
	"context"
	"path/filepath"
	"strings"
	"testing"

	"k8s.io/apiextensions-apiserver/pkg/apis/apiextensions"
	apiextensionsv1 "k8s.io/apiextensions-apiserver/pkg/apis/apiextensions/v1"
	structuralschema "k8s.io/apiextensions-apiserver/pkg/apiserver/schema"
	"k8s.io/apiextensions-apiserver/pkg/apiserver/schema/cel"
	"k8s.io/apiextensions-apiserver/pkg/apiserver/schema/defaulting"
	"k8s.io/apiextensions-apiserver/pkg/apiserver/schema/listtype"
	"k8s.io/apiextensions-apiserver/pkg/apiserver/schema/pruning"
	"k8s.io/apiextensions-apiserver/pkg/apiserver/validation"
	"k8s.io/apimachinery/pkg/util/json"
	celconfig "k8s.io/apiserver/pkg/apis/cel"
	"sigs.k8s.io/yaml"

	"github.com/mrgen-io/mrgen/generator/diag"
	"github.com/mrgen-io/mrgen/generator/report"
	"github.com/mrgen-io/mrgen/testdata/expect"
	"github.com/mrgen-io/mrgen/testdata/testmodule"
	"github.com/mrgen-io/mrgen/testdata/testprovider"
)

// TestManifests makes examples of all managed kinds in the providers, and has the API
// server's validation of the CRDs on disk judge them.
func TestManifests(t *testing.T) {
	for _, p := range testprovider.Some(1) {
		t.Run(p, func(t *testing.T) {
			dir := filepath.Join("../testdata", p)
			examples := expect.Value(report.Examples(context.Background(), testprovider.Options(t, dir).Run(), "new-examples"))(t)
			for _, d := range examples.Diagnostics {
				expect.True(t, d.Severity != diag.Error, "%s", d)
			}
			expect.True(t, len(examples.Changes()) != 0, "there is no example")
			for _, change := range examples.Changes() {
				refused := refusals(t, dir, change.New)
				expect.True(t, len(refused) == 0, "%s: %s", change.Path, strings.Join(refused, "; "))
			}
		})
	}
}

// TestExamples has the API server's validation accept the status in the examples of
// the example provider.
func TestExamples(t *testing.T) {
	const dir = "../testdata/provider-example"
	files := testmodule.Glob(t, filepath.Join(dir, "examples/*.yaml"))
	for _, file := range files {
		for _, refused := range refusals(t, dir, testmodule.Read(t, file)) {
			expect.True(t, !strings.HasPrefix(refused, "status"), "%s: the API server refuses it: %s", file, refused)
		}
	}
}

// refusals returns what the API server says of an object with the CRDs of a provider, as it is and with defaults: the
// fields that it drops, and what is wrong.
func refusals(t *testing.T, dir string, manifest []byte) []string {
	t.Helper()
	// Rules tell whole numbers from others, as the API server's decoder does.
	var object map[string]any
	document, err := yaml.YAMLToJSON(manifest)
	if err == nil {
		err = json.Unmarshal(document, &object)
	}
	expect.NoError(t, err)
	var props apiextensions.JSONSchemaProps
	expect.NoError(t, apiextensionsv1.Convert_v1_JSONSchemaProps_To_apiextensions_JSONSchemaProps(schemaOf(t, dir, object), &props, nil))
	structural := expect.Value(structuralschema.NewStructural(&props))(t)
	validator, _, err := validation.NewSchemaValidator(&props)
	expect.NoError(t, err)
	refused := pruning.PruneWithOptions(object, structural, true, structuralschema.UnknownFieldPathOptions{TrackUnknownFieldPaths: true})
	defaulting.PruneNonNullableNullsWithoutDefaults(object, structural)
	defaulting.Default(object, structural)
	errs := validation.ValidateCustomResource(nil, object, validator)
	errs = append(errs, listtype.ValidateListSetsAndMaps(nil, structural, object)...)
	if rules := cel.NewValidator(structural, true, celconfig.PerCallLimit); rules != nil {
		broken, _ := rules.Validate(context.Background(), nil, structural, object, nil, celconfig.RuntimeCELCostBudget)
		errs = append(errs, broken...)
	}
	for _, err := range errs {
		refused = append(refused, err.Error())
	}
	return refused
}

// schemaOf returns the schema of an object's version in the CRDs of a provider.
func schemaOf(t *testing.T, dir string, object map[string]any) *apiextensionsv1.JSONSchemaProps {
	t.Helper()
	files := expect.Value(filepath.Glob(filepath.Join(dir, "package/crds/*.yaml")))(t)
	for _, file := range files {
		var crd apiextensionsv1.CustomResourceDefinition
		err := yaml.UnmarshalStrict(testmodule.Read(t, file), &crd)
		expect.Must(t, err == nil, "%s: %v", file, err)
		for _, version := range crd.Spec.Versions {
			if object["kind"] == crd.Spec.Names.Kind && object["apiVersion"] == crd.Spec.Group+"/"+version.Name {
				return version.Schema.OpenAPIV3Schema
			}
		}
	}
	t.Fatalf("no CRD for %v %v", object["apiVersion"], object["kind"])
	return nil
}
