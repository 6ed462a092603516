package scaffold_test

import (
	"context"
	"os"
	"path/filepath"
	"testing"

	apiextensionsv1 "k8s.io/apiextensions-apiserver/pkg/apis/apiextensions/v1"
	"k8s.io/apimachinery/pkg/util/json"
	"sigs.k8s.io/yaml"

	"github.com/mrgen-io/mrgen/generator/internal/apiserver"
)

// checkExamples checks that the API server accepts the example manifests of a provider's managed resources.
func checkExamples(t *testing.T, dir string) {
	t.Helper()
	schemas := map[string]*apiextensionsv1.JSONSchemaProps{}
	files, _ := filepath.Glob(filepath.Join(dir, "package/crds/*.yaml"))
	for _, file := range files {
		var crd apiextensionsv1.CustomResourceDefinition
		decodeYAML(t, file, &crd)
		for _, v := range crd.Spec.Versions {
			schemas[crd.Spec.Group+"/"+v.Name+" "+crd.Spec.Names.Kind] = v.Schema.OpenAPIV3Schema
		}
	}
	examples, _ := filepath.Glob(filepath.Join(dir, "examples/*/v[0-9]*/*.yaml"))
	if len(examples) == 0 {
		t.Error("there are no examples")
	}
	for _, file := range examples {
		var object map[string]any
		decodeYAML(t, file, &object)
		props := schemas[object["apiVersion"].(string)+" "+object["kind"].(string)]
		if props == nil {
			t.Errorf("%s: there is no definition of this kind", file)
			continue
		}
		validator, err := apiserver.NewObjectValidator(props)
		if err != nil {
			t.Errorf("%s: %v", file, err)
		} else if refused := validator.Refusals(context.Background(), object); len(refused) > 0 {
			t.Errorf("%s: %v", file, refused)
		}
	}
}

func decodeYAML(t *testing.T, file string, into any) {
	t.Helper()
	content, err := os.ReadFile(file)
	if err == nil {
		content, err = yaml.YAMLToJSON(content)
	}
	if err == nil {
		err = json.Unmarshal(content, into) // whole numbers as the API server has them
	}
	if err != nil {
		t.Fatal(file, err)
	}
}
