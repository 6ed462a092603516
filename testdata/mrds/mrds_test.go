package mrds_test

import (
	"encoding/json"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	apiextensionsv1 "k8s.io/apiextensions-apiserver/pkg/apis/apiextensions/v1"
	"sigs.k8s.io/yaml"

	"github.com/crossplane/crossplane/apis/v2/apiextensions/v1alpha1"
)

// crossplane is the release of Crossplane that judges, and previous the one before, which may have
// other rules about updates. Its own CRDs are part of the module's files, though of none of its
// packages.
const (
	crossplane = "v2.4.0"
	previous   = "v2.3.3"
)

// definition returns the path of the CRD of MRDs of a release of Crossplane.
func definition(t *testing.T, release string) string {
	t.Helper()
	module := "github.com/crossplane/crossplane/v2@" + release
	cmd := exec.Command("go", "mod", "download", "-json", module)
	cmd.Dir = t.TempDir() // outside of any module, whose go.sum the command might change
	out, err := cmd.Output()
	if err != nil {
		t.Fatalf("cannot download %s: %v\n%s", module, err, out)
	}
	var downloaded struct{ Dir string }
	if err := json.Unmarshal(out, &downloaded); err != nil {
		t.Fatal(err)
	}
	return filepath.Join(downloaded.Dir, "cluster/crds/apiextensions.crossplane.io_managedresourcedefinitions.yaml")
}

// TestMRDs has Crossplane judge the MRDs of the providers: they decode strictly
// into its types, pass validation against its CRD, and become the CRDs that mrgen
// writes beside them.
func TestMRDs(t *testing.T) {
	files, err := filepath.Glob("../provider-*/package/mrds/*.yaml")
	if err != nil || len(files) == 0 {
		t.Fatalf("no MRDs: %v", err)
	}
	server := install(t, definition(t, crossplane))
	for _, file := range files {
		t.Run(filepath.Base(file), func(t *testing.T) {
			var mrd v1alpha1.ManagedResourceDefinition
			decode(t, file, &mrd)

			var object map[string]any
			decode(t, file, &object)
			for _, problem := range server.create(object) {
				t.Errorf("the API server refuses the MRD: %s", problem)
			}

			got, err := derive(mrd)
			if err != nil {
				t.Fatal(err)
			}
			var want apiextensionsv1.CustomResourceDefinition
			decode(t, filepath.Join(filepath.Dir(file), "../crds", filepath.Base(file)), &want)
			want.Labels, want.Annotations = nil, nil
			if diff := cmp.Diff(want, got); diff != "" {
				t.Errorf("the CRD that Crossplane derives differs (-want +got):\n%s", diff)
			}

			details := mrd.Spec.ConnectionDetails
			for i := range len(details) - 1 {
				if details[i].Name >= details[i+1].Name {
					t.Errorf("the connection details %s and %s are not sorted, or not unique", details[i].Name, details[i+1].Name)
				}
			}
		})
	}
}

// TestNopResource compares the MRD of the NopResource with the one in Crossplane's
// one-pager on MRDs, which omits the schema:
// https://github.com/crossplane/crossplane/blob/main/design/one-pager-mrds.md
func TestNopResource(t *testing.T) {
	const onePager = `
apiVersion: apiextensions.crossplane.io/v1alpha1
kind: ManagedResourceDefinition
metadata:
  name: nopresources.nop.crossplane.io
spec:
  group: nop.crossplane.io
  names:
    categories:
    - nop
    kind: NopResource
    listKind: NopResourceList
    plural: nopresources
    singular: nopresource
  scope: Cluster
  versions:
  - name: v1alpha1
    served: true
    storage: true
  connectionDetails:
  - name: password
    description: Definitely real password for this resource that does nothing
  state: Active
`
	var want, got v1alpha1.ManagedResourceDefinition
	if err := yaml.UnmarshalStrict([]byte(onePager), &want); err != nil {
		t.Fatal(err)
	}
	decode(t, "../provider-example/package/mrds/nop.crossplane.io_nopresources.yaml", &got)
	// What the one-pager has no room for: a schema, columns and a status.
	for i, v := range got.Spec.Versions {
		if v.Schema == nil || len(v.Schema.OpenAPIV3Schema.Raw) == 0 {
			t.Errorf("version %s has no schema", v.Name)
		}
		got.Spec.Versions[i].Schema = nil
		got.Spec.Versions[i].AdditionalPrinterColumns = nil
		got.Spec.Versions[i].Subresources = nil
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
}

// TestRefused makes sure that the judge is one: Crossplane's CRD refuses what is
// wrong with an MRD.
func TestRefused(t *testing.T) {
	server := install(t, definition(t, crossplane))
	for _, test := range []struct {
		name   string
		change func(spec map[string]any)
		want   []string
	}{
		{"unknown field", func(spec map[string]any) { spec["sate"] = "Active" }, []string{"unknown field spec.sate"}},
		{
			"no description",
			func(spec map[string]any) { spec["connectionDetails"] = []any{map[string]any{"name": "password"}} },
			[]string{"spec.connectionDetails[0].description: Required value"},
		},
		{
			"state",
			func(spec map[string]any) { spec["state"] = "Passive" },
			[]string{`spec.state: Unsupported value: "Passive": supported values: "Active", "Inactive"`},
		},
		{
			"plural in upper case",
			func(spec map[string]any) { spec["names"].(map[string]any)["plural"] = "NopResources" },
			[]string{`spec.names: Invalid value: Plural name must be lowercase`},
		},
	} {
		t.Run(test.name, func(t *testing.T) {
			var object map[string]any
			decode(t, "../provider-example/package/mrds/nop.crossplane.io_nopresources.yaml", &object)
			test.change(object["spec"].(map[string]any))
			if diff := cmp.Diff(test.want, server.create(object)); diff != "" {
				t.Errorf("(-want +got):\n%s", diff)
			}
		})
	}
}

// TestUpdateRules holds that mrgen breaking knows each rule of Crossplane's about updates of MRDs,
// and no other.
func TestUpdateRules(t *testing.T) {
	var ours apiextensionsv1.JSONSchemaProps
	decode(t, "../../generator/internal/review/compare/mrd.yaml", &ours)
	got := map[string]string{}
	updateRules("", &ours, got)
	for _, release := range []string{crossplane, previous} {
		var crd apiextensionsv1.CustomResourceDefinition
		decode(t, definition(t, release), &crd)
		want := map[string]string{}
		updateRules("", crd.Spec.Versions[0].Schema.OpenAPIV3Schema, want)
		if diff := cmp.Diff(want, got); diff != "" || len(want) == 0 {
			t.Errorf("(-Crossplane %s +mrgen):\n%s", release, diff)
		}
	}
}

// updateRules collects the rules that compare with what was, with their messages.
func updateRules(path string, s *apiextensionsv1.JSONSchemaProps, into map[string]string) {
	for _, rule := range s.XValidations {
		if strings.Contains(rule.Rule, "oldSelf") {
			into[path] += rule.Rule + ": " + rule.Message + "\n"
		}
	}
	for name, property := range s.Properties {
		updateRules(path+"."+name, &property, into)
	}
	if s.Items != nil && s.Items.Schema != nil {
		updateRules(path+"[]", s.Items.Schema, into)
	}
	if s.AdditionalProperties != nil && s.AdditionalProperties.Schema != nil {
		updateRules(path+"{}", s.AdditionalProperties.Schema, into)
	}
}
