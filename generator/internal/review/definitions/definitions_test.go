package definitions_test

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/mrgen-io/mrgen/generator/internal/review/definitions"
	"github.com/mrgen-io/mrgen/testdata/expect"
)

const (
	crdText = `apiVersion: apiextensions.k8s.io/v1
kind: CustomResourceDefinition
metadata:
  annotations:
    connection.crossplane.io/endpoint: The host.
  name: buckets.example.org
spec:
  group: example.org
  names: {kind: Bucket, plural: buckets}
  scope: Cluster
  versions:
  - {name: v1, served: true, storage: true, schema: {openAPIV3Schema: {type: object}}}
`
	mrdText = `apiVersion: apiextensions.crossplane.io/v1alpha1
kind: ManagedResourceDefinition
metadata:
  name: queues.example.org
spec:
  group: example.org
  names: {kind: Queue, plural: queues}
  scope: Namespaced
  state: Active
  connectionDetails:
  - {name: url, description: Where it is.}
  versions:
  - {name: v1, served: true, storage: true, schema: {openAPIV3Schema: {type: object}}}
`
	otherText = "apiVersion: v1\nkind: ConfigMap\ndata: {kind: CustomResourceDefinition}\n"
)

// summary says what was read.
func summary(found []definitions.Definition) []string {
	var all []string
	for _, d := range found {
		all = append(all, fmt.Sprintf("%s %s %t %s %v %s", d.CRD.Name, d.CRD.Spec.Names.Kind, d.Managed, d.State, d.Keys, d.File))
	}
	return all
}

// TestRead holds that CRDs and MRDs are found among other documents.
func TestRead(t *testing.T) {
	found, diags := definitions.Read([]definitions.File{{Name: "all.yaml", Content: []byte(mrdText + "---\n" + otherText + "---\n" + crdText)}})
	expect.None(t, diags)
	want := []string{"queues.example.org Queue true Active [url] all.yaml", "buckets.example.org Bucket false  [endpoint] all.yaml"}
	expect.Equal(t, want, summary(found))
}

// TestReadRefuses holds that what can't be a definition is named.
func TestReadRefuses(t *testing.T) {
	for text, want := range map[string]string{
		strings.Replace(crdText, "/v1\n", "/v1beta1\n", 1):                               "x.yaml: warning: this is of apiextensions.k8s.io/v1beta1, which no API server takes any more: ignore it in an old release, or write it anew for v1",
		strings.Replace(crdText, "  group: example.org\n", "", 1):                        "x.yaml: this can't be read as definitions: it has no group, or no names: correct it, or see if the file is cut off",
		strings.Replace(crdText, ", schema: {openAPIV3Schema: {type: object}}", "", 1):   "x.yaml: this can't be read as definitions: it has no versions, or one without a schema: correct it, or see if the file is cut off",
		strings.Replace(crdText, "spec:\n", "spec:\n  preserveUnknownFields: true\n", 1): "x.yaml: warning: this is of apiextensions.k8s.io/v1beta1, which no API server takes any more: ignore it in an old release, or write it anew for v1",
		crdText[:strings.Index(crdText, "  versions")]:                                   "x.yaml: this can't be read as definitions: it has no versions, or one without a schema: correct it, or see if the file is cut off",
	} {
		_, diags := definitions.Read([]definitions.File{{Name: "x.yaml", Content: []byte(text)}})
		expect.True(t, len(diags) == 1 && diags[0].String() == want, "got %v, want %s", diags, want)
	}
}

// TestDisk holds which files are read for a path.
func TestDisk(t *testing.T) {
	dir := t.TempDir()
	for name, content := range map[string]string{"a.yaml": crdText, "sub/b.yml": mrdText, "c.txt": crdText} {
		expect.NoError(t, os.MkdirAll(filepath.Dir(filepath.Join(dir, name)), 0o755))
		expect.NoError(t, os.WriteFile(filepath.Join(dir, name), []byte(content), 0o644))
	}
	for name, want := range map[string]int{"": 2, "sub": 1, "c.txt": 1} {
		files, diags := definitions.Disk(filepath.Join(dir, name))
		expect.True(t, len(files) == want && len(diags) == 0, "%q: %d files, %v", name, len(files), diags)
	}
	_, diags := definitions.Disk(filepath.Join(dir, "none"))
	expect.True(t, len(diags) == 1, "a folder that isn't there is read")
}
