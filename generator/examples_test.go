package generator_test

import (
	"context"
	"path/filepath"
	"strings"
	"testing"

	apiextensionsv1 "k8s.io/apiextensions-apiserver/pkg/apis/apiextensions/v1"
	"k8s.io/apimachinery/pkg/util/json"
	"sigs.k8s.io/yaml"

	"github.com/mrgen-io/mrgen/generator/diag"
	"github.com/mrgen-io/mrgen/generator/report"
	"github.com/mrgen-io/mrgen/testdata/testmodule"
	"github.com/mrgen-io/mrgen/testdata/testprovider"
)

// TestManifests makes examples of all managed kinds in the providers, and has the API
// server's validation of the CRDs on disk judge them.
func TestManifests(t *testing.T) {
	for _, p := range testprovider.Some(1) {
		t.Run(p, func(t *testing.T) {
			dir := filepath.Join("../testdata", p)
			examples, err := report.Examples(context.Background(), testprovider.Options(t, dir).Run(), "new-examples")
			if err != nil {
				t.Fatal(err)
			}
			for _, d := range examples.Diagnostics {
				if d.Severity == diag.Error {
					t.Errorf("%s", d)
				}
			}
			files, err := filepath.Glob(filepath.Join(dir, "package/crds/*.yaml"))
			if err != nil {
				t.Fatal(err)
			}
			judged := 0
			for _, file := range files {
				var crd apiextensionsv1.CustomResourceDefinition
				if err := yaml.UnmarshalStrict(testmodule.Read(t, file), &crd); err != nil {
					t.Fatal(err)
				}
				for _, version := range crd.Spec.Versions {
					server := newServer(t, &crd, version)
					for _, change := range examples.Changes() {
						// Rules tell whole numbers from others, as the API server's decoder does.
						var object map[string]any
						document, err := yaml.YAMLToJSON(change.New)
						if err == nil {
							err = json.Unmarshal(document, &object)
						}
						if err != nil {
							t.Fatal(err)
						}
						if object["kind"] != server.kind || object["apiVersion"] != server.apiVersion {
							continue
						}
						judged++
						if refusals := append(server.prune(object), server.validate(object)...); len(refusals) > 0 {
							t.Errorf("%s: %s", change.Path, strings.Join(refusals, "; "))
						}
					}
				}
			}
			if judged == 0 || judged != len(examples.Changes()) {
				t.Errorf("%d of %d examples were judged", judged, len(examples.Changes()))
			}
		})
	}
}
