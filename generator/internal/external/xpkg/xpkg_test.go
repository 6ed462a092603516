package xpkg

import (
	"bytes"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	v1 "github.com/google/go-containerregistry/pkg/v1"
	"github.com/google/go-containerregistry/pkg/v1/empty"
	"github.com/google/go-containerregistry/pkg/v1/mutate"
)

const (
	metadataText = `# What the package is.
apiVersion: meta.pkg.crossplane.io/v1
kind: Provider
metadata:
  name: provider-test
spec:
  crossplane:
    version: ">=v2.0.0"
  capabilities:
  - safe-start
`
	bucketText = `apiVersion: apiextensions.k8s.io/v1
kind: CustomResourceDefinition
metadata:
  name: buckets.storage.test.org
spec:
  group: storage.test.org
  names: {kind: Bucket, plural: buckets}
`
	queueText = `apiVersion: apiextensions.crossplane.io/v1alpha1
kind: ManagedResourceDefinition
metadata:
  name: queues.messages.test.org
spec:
  group: messages.test.org
  names: {kind: Queue, plural: queues}
`
	configText = `apiVersion: apiextensions.k8s.io/v1
kind: CustomResourceDefinition
metadata:
  name: providerconfigs.test.org
spec:
  group: test.org
  names: {kind: ProviderConfig, plural: providerconfigs}
`
	hookText = `apiVersion: admissionregistration.k8s.io/v1
kind: ValidatingWebhookConfiguration
metadata:
  name: hook
`
)

var contents = Contents{
	Stream:   Stream([]byte(metadataText), []File{{"a.yaml", []byte(bucketText)}, {"b.yaml", []byte("---\n" + queueText)}}),
	Examples: []File{{"examples/bucket.yaml", []byte("kind: Bucket\n")}},
	Docs:     []File{{"guide/begin.md", []byte("# Begin\n")}},
	Env:      []string{"A=b"},
}

func build(t *testing.T, c Contents, programs ...Program) []byte {
	t.Helper()
	index, err := Build(c, programs)
	if err != nil {
		t.Fatal(err)
	}
	content, err := Archive(index)
	if err != nil {
		t.Fatal(err)
	}
	return content
}

// TestSameInputSameBytes holds that nothing but the input decides on a package.
func TestSameInputSameBytes(t *testing.T) {
	programs := []Program{{Platform: "linux/amd64", Binary: []byte("x")}, {Platform: "linux/arm64", Binary: []byte("y")}}
	first := build(t, contents, programs...)
	if !bytes.Equal(first, build(t, contents, programs...)) {
		t.Error("two packages of the same input differ")
	}
	programs[1].Binary = []byte("z")
	if bytes.Equal(first, build(t, contents, programs...)) {
		t.Error("packages of two programs are the same")
	}
}

// TestReadWhatIsBuilt holds that a package has all of the input, where Crossplane looks for it.
func TestReadWhatIsBuilt(t *testing.T) {
	base, err := mutate.Config(empty.Image, v1.Config{User: "1000:1000", Env: []string{"PATH=/bin"}})
	if err != nil {
		t.Fatal(err)
	}
	content := build(t, contents, Program{Platform: "linux/arm64", Binary: []byte("y"), Base: base}, Program{Platform: "linux/amd64", Binary: []byte("x")})
	if diags := Check("p.xpkg", content); len(diags) > 0 {
		t.Error(diags)
	}
	images, err := Read(content)
	if err != nil {
		t.Fatal(err)
	}
	var got []string
	for _, image := range images {
		got = append(got, image.Platform+" "+image.User+" "+strings.Join(image.Entrypoint, " "))
		stream, err := image.Stream()
		if err != nil || !bytes.Equal(stream, contents.Stream) {
			t.Errorf("%s: %v, package.yaml is\n%s", image.Platform, err, stream)
		}
		for _, l := range image.Layers {
			if err := l.eachFile(func(name string, content []byte) {
				if !strings.HasSuffix(name, "certificates.crt") && !strings.HasPrefix(name, "etc/") && name != streamFile {
					got = append(got, "  "+l.Annotation+": "+name+": "+strings.TrimSpace(string(content)))
				}
			}); err != nil {
				t.Error(err)
			}
		}
	}
	want := []string{
		"linux/arm64 1000:1000 /usr/local/bin/provider",
		"  : usr/local/bin/provider: y", "  upbound: .up/examples.yaml: ---\nkind: Bucket", "  docs: docs/guide/begin.md: # Begin",
		"linux/amd64 65532 /usr/local/bin/provider",
		"  : usr/local/bin/provider: x", "  upbound: .up/examples.yaml: ---\nkind: Bucket", "  docs: docs/guide/begin.md: # Begin",
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}

	// What reads one image, as docker save writes it, gets that of the platform that Crossplane reads.
	saved := archive{}
	if err := eachFile(bytes.NewReader(content), func(name string, content []byte) { saved[name] = content }); err != nil {
		t.Fatal(err)
	}
	images, err = saved.saved(saved["manifest.json"])
	if err != nil || len(images) != 1 || images[0].Platform != defaultPlatform || images[0].bases() != 1 {
		t.Errorf("docker load would read %v, %v", images, err)
	}
}

// TestStream holds that documents are kept apart, whatever files begin and end with.
func TestStream(t *testing.T) {
	got := string(Stream([]byte("a: 1"), []File{{"empty", nil}, {"b", []byte("---\nb: 1\n\n")}, {"c", []byte("# c\nc: 1\n---\nd: 1\n")}}))
	if want := "---\na: 1\n---\nb: 1\n---\n# c\nc: 1\n---\nd: 1\n"; got != want {
		t.Errorf("got %q, want %q", got, want)
	}
}

// TestCheckStream holds what is refused of package.yaml, and where.
func TestCheckStream(t *testing.T) {
	all := metadataText + "---\n" + bucketText + "---\n" + queueText + "---\n" + hookText
	for name, test := range map[string]struct {
		stream string
		want   []string
	}{
		"good":  {all, nil},
		"empty": {"# nothing\n", []string{"f: the package has no metadata, of the kind Provider: write crossplane.yaml"}},
		"metadata twice": {metadataText + "---\n" + metadataText,
			[]string{"f: the package has metadata 2 times, and Crossplane takes one: remove the others"}},
		"unknown kind": {all + "---\n\n# Why?\napiVersion: v1\nkind: ConfigMap\n",
			[]string{`f:35: Crossplane does not know a ConfigMap of "v1" in packages, and takes none of this one: move it out of the package`}},
		"no kind": {metadataText + "---\na: 1\n",
			[]string{`f:12: Crossplane does not know a document without kind of "" in packages, and takes none of this one: move it out of the package`}},
		"configuration": {metadataText + "---\napiVersion: apiextensions.crossplane.io/v1\nkind: Composition\n",
			[]string{"f:12: a Composition is no part of a provider's package: move it out of the package"}},
		"no YAML":   {metadataText + "---\na: [\n", []string{"f:12: this document is no YAML: yaml: line 1: did not find expected node content: correct it"}},
		"no object": {metadataText + "---\n- a\n", []string{"f:12: this document is no object with apiVersion and kind: correct it"}},
		"wrong type": {metadataText + "---\n" + bucketText + "  scope: 1\n",
			[]string{"f:12: this is no CustomResourceDefinition: json: cannot unmarshal number into Go struct field CustomResourceDefinitionSpec.spec.scope of type v1.ResourceScope: correct it"}},
		"both": {metadataText + "---\n" + bucketText + "---\n" + strings.ReplaceAll(strings.ReplaceAll(queueText, "queues.messages", "buckets.storage"), "messages", "storage"),
			[]string{"f:20: the package has buckets.storage.test.org twice, and Crossplane installs one: leave out the CRD or the MRD"}},
		"constraint": {strings.Replace(metadataText, ">=v2.0.0", "two", 1),
			[]string{`f:2: spec.crossplane.version is "two", which is no constraint: write one such as >=v2.0.0`}},
		"dependency": {metadataText + "  dependsOn:\n  - {provider: example.org/a, version: a}\n  - {provider: example.org/b, version: \">=v1\"}\n",
			[]string{`f:2: warning: spec.dependsOn[0].version is "a", which is no constraint: write one such as >=v1.0.0`}},
	} {
		t.Run(name, func(t *testing.T) {
			var got []string
			for _, d := range CheckStream("f", []byte(test.stream)) {
				got = append(got, d.String())
			}
			if diff := cmp.Diff(test.want, got); diff != "" {
				t.Errorf("(-want +got):\n%s", diff)
			}
		})
	}
}

// TestCheckImages holds what is refused of the images.
func TestCheckImages(t *testing.T) {
	plain, err := pack([]entry{{streamFile, 0o644, []byte(metadataText)}})
	if err != nil {
		t.Fatal(err)
	}
	other, err := pack([]entry{{"bin/a", 0o755, []byte("x")}})
	if err != nil {
		t.Fatal(err)
	}
	const good = `{"os":"linux","architecture":"arm64","config":{"User":"1","Entrypoint":["a"]}}`
	const manifest = `{"config":{"digest":"c:c"},"layers":[{"digest":"l:plain","annotations":{"io.crossplane.xpkg":"base"}}]}`
	for name, test := range map[string]struct {
		files map[string]string
		want  []string
	}{
		"good": {map[string]string{"index.json": `{"manifests":[{"digest":"m:m"}]}`, "blobs/m/m": manifest, "blobs/c/c": good}, nil},
		"no annotation, root": {
			map[string]string{"index.json": `{"manifests":[{"digest":"m:m"}]}`, "blobs/m/m": `{"config":{"digest":"c:c"},"layers":[{"digest":"l:plain"}]}`,
				"blobs/c/c": `{"config":{"Entrypoint":["a"]}}`},
			[]string{
				"p: warning: no layer of the image has the annotation io.crossplane.xpkg: base, so that Crossplane downloads all layers to read package.yaml: annotate the one with the file",
				"p: warning: the program of the image runs as root: have the image name another user",
			}},
		"annotated twice, no program": {
			map[string]string{"index.json": `{"manifests":[{"digest":"m:m"}]}`,
				"blobs/m/m": `{"layers":[{"digest":"l:plain","annotations":{"io.crossplane.xpkg":"base"}},{"digest":"l:other","annotations":{"io.crossplane.xpkg":"base"}}]}`},
			[]string{
				"p: 2 layers of the image have the annotation io.crossplane.xpkg: base: annotate only the one with package.yaml",
				"p: warning: the image has no program, so that Crossplane starts no controllers: build it with one",
			}},
		"no package": {
			map[string]string{"index.json": `{"manifests":[{"digest":"m:m"}]}`, "blobs/m/m": `{"config":{"digest":"c:c"},"layers":[{"digest":"l:other"}]}`, "blobs/c/c": good},
			[]string{"p: the image for linux/arm64 is none of a package: no layer has a package.yaml: name a Crossplane package"}},
		"not for linux/amd64": {
			map[string]string{"index.json": `{"manifests":[{"digest":"m:m"},{"digest":"m:m"}]}`, "blobs/m/m": manifest, "blobs/c/c": good},
			[]string{"p: there is no image for linux/amd64, which is the one that Crossplane reads: build it, too"}},
		"index of itself": {
			map[string]string{"index.json": `{"manifests":[{"digest":"m:i","mediaType":"application/vnd.oci.image.index.v1+json"}]}`,
				"blobs/m/i": `{"manifests":[{"digest":"m:i","mediaType":"application/vnd.oci.image.index.v1+json"}]}`},
			[]string{"p: this can't be read as a package: the index of the images names others, and these name others again"}},
	} {
		t.Run(name, func(t *testing.T) {
			entries := []entry{{"blobs/l/plain", 0o644, plain}, {"blobs/l/other", 0o644, other}}
			for name, content := range test.files {
				entries = append(entries, entry{name, 0o644, []byte(content)})
			}
			content, err := pack(entries)
			if err != nil {
				t.Fatal(err)
			}
			var got []string
			for _, d := range Check("p", content) {
				got = append(got, d.String())
			}
			if diff := cmp.Diff(test.want, got); diff != "" {
				t.Errorf("(-want +got):\n%s", diff)
			}
		})
	}
}

// TestFamily holds what the package of a group has, and what it depends on.
func TestFamily(t *testing.T) {
	definitions := []File{{"a.yaml", []byte(bucketText + "---\n" + queueText)}, {"b.yaml", []byte(configText)}, {"c.yaml", []byte(hookText)}}
	examples := []File{{"a.yaml", []byte("apiVersion: storage.test.org/v1\nkind: Bucket\n---\napiVersion: test.org/v1\nkind: ProviderConfig\n")}}
	for group, want := range map[string][]string{
		"storage": {"provider-test-storage", "buckets.storage.test.org", "kind: Bucket", "PROVIDER_GROUPS=storage", `# What the package is.
apiVersion: meta.pkg.crossplane.io/v1
kind: Provider
metadata:
  name: provider-test-storage
  labels:
    pkg.crossplane.io/provider-family: provider-family-test
spec:
  crossplane:
    version: ">=v2.0.0"
  capabilities:
    - safe-start
  dependsOn:
    - provider: example.org/org/provider-family-test
      version: '>=v1.0.0'
`},
		"messages.test.org": {"provider-test-messages", "queues.messages.test.org", "", "PROVIDER_GROUPS=messages", ""},
		"config": {"provider-family-test", "providerconfigs.test.org hook", "kind: ProviderConfig", "PROVIDER_GROUPS=config", `# What the package is.
apiVersion: meta.pkg.crossplane.io/v1
kind: Provider
metadata:
  name: provider-family-test
  labels:
    pkg.crossplane.io/provider-family: provider-family-test
spec:
  crossplane:
    version: ">=v2.0.0"
  capabilities:
    - safe-start
`},
	} {
		t.Run(group, func(t *testing.T) {
			f := Family{Group: group, Registry: "example.org/org", Version: "v1.0.0"}
			name, metadata, selected, env, diags := f.Select("crossplane.yaml", []byte(metadataText), definitions)
			if len(diags) > 0 {
				t.Fatal(diags)
			}
			var names, kinds []string
			for line := range strings.Lines(string(concatenate(selected))) {
				if name, ok := strings.CutPrefix(line, "  name: "); ok {
					names = append(names, strings.TrimSpace(name))
				}
			}
			for line := range strings.Lines(string(concatenate(f.Examples(examples)))) {
				if strings.HasPrefix(line, "kind:") {
					kinds = append(kinds, strings.TrimSpace(line))
				}
			}
			got := []string{name, strings.Join(names, " "), strings.Join(kinds, " "), strings.Join(env, " "), string(metadata)}
			if want[4] == "" {
				got[4] = ""
			}
			if diff := cmp.Diff(want, got); diff != "" {
				t.Errorf("(-want +got):\n%s", diff)
			}
			if diags := CheckStream("f", Stream(metadata, selected)); len(diags) > 0 {
				t.Error(diags)
			}
		})
	}
	for _, f := range []struct {
		family Family
		want   string
	}{
		{Family{Group: "none", Registry: "a", Version: "b"}, `c: the package has no kind of the group "none": name one with --group that it has, messages, storage, or config`},
		{Family{Group: "storage"}, "c: a package of one group depends on that of the configuration: say with --registry where that is, and with --version which one"},
	} {
		if _, _, _, _, diags := f.family.Select("c", []byte(metadataText), definitions); len(diags) != 1 || diags[0].String() != f.want {
			t.Errorf("got %v, want %s", diags, f.want)
		}
	}
}

// TestMetadata holds that the metadata of other packages is refused.
func TestMetadata(t *testing.T) {
	if name, err := Metadata([]byte(metadataText)); err != nil || name != "provider-test" {
		t.Errorf("%q, %v", name, err)
	}
	for _, text := range []string{"a: [", strings.Replace(metadataText, "Provider", "Function", 1), strings.Replace(metadataText, "name:", "other:", 1)} {
		if _, err := Metadata([]byte(text)); err == nil {
			t.Errorf("this is taken for metadata: %s", text)
		}
	}
}

// TestPullNeedsADigest holds that a base image is the same for ever.
func TestPullNeedsADigest(t *testing.T) {
	if _, err := Pull(t.Context(), "example.org/base:latest", "linux/amd64"); err == nil || !strings.Contains(err.Error(), "has no digest") {
		t.Error(err)
	}
}

func FuzzCheck(f *testing.F) {
	f.Add([]byte(metadataText + "---\n" + bucketText))
	f.Fuzz(func(_ *testing.T, content []byte) {
		CheckStream("f", content)
		Check("f", content)
	})
}
