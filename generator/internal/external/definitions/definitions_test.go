package definitions_test

import (
	"archive/tar"
	"bytes"
	"compress/gzip"
	"crypto/sha256"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/mrgen-io/mrgen/generator/internal/external/definitions"
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
	if len(diags) > 0 {
		t.Fatal(diags)
	}
	want := []string{"buckets.example.org Bucket false  [endpoint] all.yaml", "queues.example.org Queue true Active [url] all.yaml"}
	if diff := cmp.Diff(want, summary(found)); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
}

// TestReadRefuses holds that what can't be a definition is named.
func TestReadRefuses(t *testing.T) {
	for text, want := range map[string]string{
		strings.Replace(crdText, "/v1\n", "/v1beta1\n", 1):                             "x.yaml: this can't be read as definitions: it is of apiextensions.k8s.io/v1beta1, which no API server takes any more: correct it, or see if the file is cut off",
		strings.Replace(crdText, "  group: example.org\n", "", 1):                      "x.yaml: this can't be read as definitions: it has no group, or no names: correct it, or see if the file is cut off",
		strings.Replace(crdText, ", schema: {openAPIV3Schema: {type: object}}", "", 1): "x.yaml: this can't be read as definitions: its version v1 has no schema: correct it, or see if the file is cut off",
		crdText[:strings.Index(crdText, "  versions")]:                                 "x.yaml: this can't be read as definitions: it has no versions: correct it, or see if the file is cut off",
	} {
		_, diags := definitions.Read([]definitions.File{{Name: "x.yaml", Content: []byte(text)}})
		if len(diags) != 1 || diags[0].String() != want {
			t.Errorf("got %v, want %s", diags, want)
		}
	}
}

// archive returns a tar archive.
func archive(t *testing.T, files ...[2]string) string {
	t.Helper()
	var b bytes.Buffer
	w := tar.NewWriter(&b)
	for _, f := range files {
		if err := w.WriteHeader(&tar.Header{Name: f[0], Mode: 0o644, Size: int64(len(f[1]))}); err != nil {
			t.Fatal(err)
		}
		if _, err := w.Write([]byte(f[1])); err != nil {
			t.Fatal(err)
		}
	}
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	return b.String()
}

func compressed(t *testing.T, content string) string {
	t.Helper()
	var b bytes.Buffer
	w := gzip.NewWriter(&b)
	if _, err := w.Write([]byte(content)); err != nil {
		t.Fatal(err)
	}
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	return b.String()
}

// sum returns the digest of a content.
func sum(content string) string { return fmt.Sprintf("%x", sha256.Sum256([]byte(content))) }

// TestPackage holds that package.yaml is found in images of both forms: in the base layer,
// or else in the last one that has it.
func TestPackage(t *testing.T) {
	plain := archive(t, [2]string{"./package.yaml", crdText})
	otherPlain := archive(t, [2]string{"package.yaml", otherText}, [2]string{"bin/provider", "x"})
	base, other := compressed(t, plain), compressed(t, otherPlain)
	rootfs := fmt.Sprintf(`"rootfs":{"diff_ids":["sha256:%s","sha256:%s"]}`, sum(plain), sum(otherPlain))
	manifest := fmt.Sprintf(`{"config":{"digest":"sha256:%s"},"layers":[{"digest":"sha256:%s","annotations":{"io.crossplane.xpkg":"base"}},{"digest":"sha256:%s"}]}`,
		sum("{"+rootfs+"}"), sum(base), sum(other))
	for name, test := range map[string]struct{ content, want string }{
		"saved, with a label": {archive(t,
			[2]string{"manifest.json", fmt.Sprintf(`[{"Config":"c","Layers":["%s.tar.gz","%s.tar.gz"]}]`, sum(base), sum(other))},
			[2]string{"c", fmt.Sprintf(`{"config":{"Labels":{"io.crossplane.xpkg:sha256:%s":"base"}},%s}`, sum(base), rootfs)},
			[2]string{sum(base) + ".tar.gz", base}, [2]string{sum(other) + ".tar.gz", other}), crdText},
		"saved, with the label of what is uncompressed": {archive(t,
			[2]string{"manifest.json", `[{"Config":"c.json","Layers":["b1/layer.tar","b2/layer.tar"]}]`},
			[2]string{"c.json", fmt.Sprintf(`{"config":{"Labels":{"io.crossplane.xpkg:sha256:%s":"base"}},%s}`, sum(plain), rootfs)},
			[2]string{"b1/layer.tar", plain}, [2]string{"b2/layer.tar", other}), crdText},
		"saved, without a label": {archive(t,
			[2]string{"manifest.json", `[{"Config":"c","Layers":["b1","b2"]}]`}, [2]string{"c", "{" + rootfs + "}"},
			[2]string{"b1", base}, [2]string{"b2", other}), otherText},
		"a layout": {archive(t,
			[2]string{"index.json", fmt.Sprintf(`{"manifests":[{"digest":"sha256:%s"}]}`, sum(manifest))},
			[2]string{"blobs/sha256/" + sum(manifest), manifest}, [2]string{"blobs/sha256/" + sum("{"+rootfs+"}"), "{" + rootfs + "}"},
			[2]string{"blobs/sha256/" + sum(base), base}, [2]string{"blobs/sha256/" + sum(other), other}), crdText},
	} {
		t.Run(name, func(t *testing.T) {
			files, err := definitions.Package("p.xpkg", strings.NewReader(test.content), int64(len(test.content)))
			if err != nil {
				t.Fatal(err)
			}
			if len(files) != 1 || string(files[0].Content) != test.want || files[0].Name != "p.xpkg" {
				t.Errorf("got %q", files)
			}
		})
	}
	for content, want := range map[string]string{
		"no archive": "this is not a tar archive: unexpected EOF",
		archive(t, [2]string{"package.yaml", crdText}):                                               "this archive holds no image: name a Crossplane package, as mrgen package and crossplane xpkg build write it",
		archive(t, [2]string{"manifest.json", `[]`}):                                                 "this archive holds no image: name a Crossplane package, as mrgen package and crossplane xpkg build write it",
		archive(t, [2]string{"manifest.json", `[{"Config":"c","Layers":[]}]`}, [2]string{"c", `{}`}): "no layer has a package.yaml: name a Crossplane package",
	} {
		if _, err := definitions.Package("p.xpkg", strings.NewReader(content), int64(len(content))); err == nil || err.Error() != want {
			t.Errorf("got %v, want %s", err, want)
		}
	}
}

// TestDisk holds which files are read for a path.
func TestDisk(t *testing.T) {
	dir := t.TempDir()
	for name, content := range map[string]string{"a.yaml": crdText, "sub/b.yml": mrdText, "c.txt": crdText} {
		if err := os.MkdirAll(filepath.Dir(filepath.Join(dir, name)), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(filepath.Join(dir, name), []byte(content), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	for name, want := range map[string]int{"": 2, "sub": 1, "c.txt": 1} {
		files, diags := definitions.Disk(filepath.Join(dir, name))
		if len(files) != want || len(diags) > 0 {
			t.Errorf("%q: %d files, %v", name, len(files), diags)
		}
	}
	if _, diags := definitions.Disk(filepath.Join(dir, "none")); len(diags) != 1 {
		t.Error("a folder that isn't there is read")
	}
}

func FuzzPackage(f *testing.F) {
	f.Add([]byte(crdText))
	f.Fuzz(func(t *testing.T, content []byte) {
		files, err := definitions.Package("p.xpkg", bytes.NewReader(content), int64(len(content)))
		if (err == nil) != (len(files) == 1) {
			t.Errorf("%d files, %v", len(files), err)
		}
	})
}
