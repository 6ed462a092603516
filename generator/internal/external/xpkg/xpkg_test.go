package xpkg

import (
	"archive/tar"
	"bytes"
	"compress/gzip"
	"context"
	"crypto/sha256"
	"errors"
	"fmt"
	"io"
	"maps"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	v1 "github.com/google/go-containerregistry/pkg/v1"
	"github.com/google/go-containerregistry/pkg/v1/empty"
	"github.com/google/go-containerregistry/pkg/v1/mutate"
	apiextensionsv1 "k8s.io/apiextensions-apiserver/pkg/apis/apiextensions/v1"

	"github.com/mrgen-io/mrgen/generator/diag"
	"github.com/mrgen-io/mrgen/generator/internal/apiserver"
	"github.com/mrgen-io/mrgen/generator/internal/crdvalidation"
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
  scope: Namespaced
  versions: [{name: v1, served: true, storage: true, schema: {openAPIV3Schema: {type: object}}}]
`
	queueText = `apiVersion: apiextensions.crossplane.io/v1alpha1
kind: ManagedResourceDefinition
metadata:
  name: queues.messages.test.org
spec:
  group: messages.test.org
  names: {kind: Queue, plural: queues}
  scope: Namespaced
  versions: [{name: v1, served: true, storage: true, schema: {openAPIV3Schema: {type: object}}}]
`
	configText = `apiVersion: apiextensions.k8s.io/v1
kind: CustomResourceDefinition
metadata:
  name: providerconfigs.test.org
spec:
  group: test.org
  names: {kind: ProviderConfig, plural: providerconfigs}
  scope: Namespaced
  versions: [{name: v1, served: true, storage: true, schema: {openAPIV3Schema: {type: object}}}]
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

// judge is the API server's own code.
func judge(crd *apiextensionsv1.CustomResourceDefinition) []crdvalidation.ValidationError {
	return apiserver.Upstream{}.Validate(context.Background(), crd)
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
	if diags := checkArchive(content); len(diags) > 0 {
		t.Error(diags)
	}
	images, err := Read(bytes.NewReader(content), int64(len(content)))
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
			from, err := inflate(io.NewSectionReader(l.blob.content, 0, l.blob.content.Size()))
			if err != nil {
				t.Fatal(err)
			}
			if err := EachFile(from, func(header *tar.Header, content io.Reader) error {
				name := header.Name
				text, err := io.ReadAll(content)
				if header.Typeflag == tar.TypeReg && !strings.HasSuffix(name, "certificates.crt") && !strings.HasPrefix(name, "etc/") && name != StreamFile {
					got = append(got, "  "+l.Annotation+": "+name+": "+strings.TrimSpace(string(text)))
				}
				return err
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
	saved, err := open(bytes.NewReader(content), int64(len(content)), standard)
	if err != nil {
		t.Fatal(err)
	}
	images, err = saved.saved(reference{blob: saved.blobs["manifest.json"]})
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
			[]string{`f:39: Crossplane does not know a ConfigMap of "v1" in packages, and takes none of this one: move it out of the package`}},
		"no kind": {metadataText + "---\na: 1\n",
			[]string{`f:12: Crossplane does not know a document without kind of "" in packages, and takes none of this one: move it out of the package`}},
		"configuration": {metadataText + "---\napiVersion: apiextensions.crossplane.io/v1\nkind: Composition\n",
			[]string{"f:12: a Composition doesn't belong in a provider's package: move it out of the package"}},
		"no YAML":   {metadataText + "---\na: [\n", []string{"f:12: this document is not YAML: yaml: line 1: did not find expected node content: correct it"}},
		"no object": {metadataText + "---\n- a\n", []string{"f:12: this document is not an object with apiVersion and kind: correct it"}},
		"wrong type": {metadataText + "---\n" + strings.Replace(bucketText, "Namespaced", "1", 1),
			[]string{"f:12: this is not a valid CustomResourceDefinition: json: cannot unmarshal number into Go struct field CustomResourceDefinitionSpec.spec.scope of type v1.ResourceScope: correct it"}},
		"both": {metadataText + "---\n" + bucketText + "---\n" + strings.ReplaceAll(strings.ReplaceAll(queueText, "queues.messages", "buckets.storage"), "messages", "storage"),
			[]string{"f:22: the package has buckets.storage.test.org twice, and Crossplane installs one: leave out the CRD or the MRD"}},
		"constraint": {strings.Replace(metadataText, ">=v2.0.0", "two", 1),
			[]string{`f:2: spec.crossplane.version is "two", which is not a constraint: write one such as >=v2.0.0`}},
		"dependency": {metadataText + "  dependsOn:\n  - {provider: example.org/a, version: a}\n  - {provider: example.org/b, version: \">=v1\"}\n",
			[]string{`f:2: warning: spec.dependsOn[0].version is "a", which is not a constraint: write one such as >=v1.0.0`}},
		"v1beta1": {metadataText + "---\n" + strings.Replace(bucketText, "/v1", "/v1beta1", 1),
			[]string{"f:12: this is a CustomResourceDefinition of v1beta1, which Kubernetes 1.22 removed: write it as apiextensions.k8s.io/v1"}},
		"scope": {metadataText + "---\n" + strings.Replace(bucketText, "Namespaced", "Everywhere", 1),
			[]string{`f:12: the API server would refuse buckets.storage.test.org, for the scope of the CRD: Unsupported value: "Everywhere": supported values: "Cluster", "Namespaced": correct it`}},
		"name": {metadataText + "---\n" + strings.Replace(bucketText, "buckets.storage", "bucket.storage", 1),
			[]string{`f:12: the API server would refuse bucket.storage.test.org, for the metadata.name of the CRD: Invalid value: "bucket.storage.test.org": must be spec.names.plural+"."+spec.group: correct it`}},
		"no storage version": {metadataText + "---\n" + strings.Replace(bucketText, "storage: true", "storage: false", 1),
			[]string{`f:12: the API server would refuse buckets.storage.test.org, for the versions of the CRD: Invalid value: must have exactly one version marked as storage version: correct it`}},
		"no type, in an MRD": {metadataText + "---\n" + bucketText + "---\n" + strings.Replace(queueText, "{type: object}", "{properties: {a: {}}}", 1), []string{
			`f:22: the API server would refuse queues.messages.test.org in its version v1, for the type of the CRD: Required value: must not be empty at the root: correct it`,
			`f:22: the API server would refuse queues.messages.test.org in its version v1, for the type of .a: Required value: must not be empty for specified object fields: correct it`}},
	} {
		t.Run(name, func(t *testing.T) {
			var got []string
			for _, d := range CheckStream("f", []byte(test.stream), judge) {
				got = append(got, d.String())
			}
			if diff := cmp.Diff(test.want, got); diff != "" {
				t.Errorf("(-want +got):\n%s", diff)
			}
		})
	}
}

// A layout is an OCI layout that a test makes.
type layout map[string]string

// digest is that of a content.
func digest(content string) string {
	return fmt.Sprintf("sha256:%x", sha256.Sum256([]byte(content)))
}

// blob adds a blob, and returns what names it.
func (l layout) blob(content, mediaType string) string {
	l["blobs/"+strings.Replace(digest(content), ":", "/", 1)] = content
	return fmt.Sprintf(`"mediaType":%q,"digest":%q`, mediaType, digest(content))
}

// image adds an image, and returns its descriptor. Each layer follows its annotation.
func (l layout) image(config string, layers ...string) string {
	var described, diffs []string
	for i := 0; i < len(layers); i += 2 {
		content := layers[i+1]
		if from, err := gzip.NewReader(strings.NewReader(content)); err == nil {
			inflated, _ := io.ReadAll(from) // a damaged one has no digest that is right
			content = string(inflated)
		}
		described = append(described, "{"+l.blob(layers[i+1], "application/vnd.oci.image.layer.v1.tar")+layers[i]+"}")
		diffs = append(diffs, fmt.Sprintf("%q", digest(content)))
	}
	config = strings.Replace(config, "{", `{"rootfs":{"diff_ids":[`+strings.Join(diffs, ",")+"]}", 1)
	manifest := `{"config":{` + l.blob(config, "application/vnd.oci.image.config.v1+json") + `},"layers":[` + strings.Join(described, ",") + "]}"
	return "{" + l.blob(manifest, "application/vnd.oci.image.manifest.v1+json") + "}"
}

// index makes the images of the layout those with descriptors.
func (l layout) index(descriptors ...string) layout {
	l["index.json"] = `{"manifests":[` + strings.Join(descriptors, ",") + "]}"
	return l
}

// content returns the archive.
func (l layout) content(t *testing.T) []byte {
	t.Helper()
	var entries []entry
	for _, name := range slices.Sorted(maps.Keys(l)) {
		entries = append(entries, entry{name, 0o644, []byte(l[name])})
	}
	content, err := pack(entries)
	if err != nil {
		t.Fatal(err)
	}
	return content
}

// packed returns a layer, compressed.
func packed(t *testing.T, entries ...entry) string {
	t.Helper()
	content, err := pack(entries)
	if err != nil {
		t.Fatal(err)
	}
	var b bytes.Buffer
	w := gzip.NewWriter(&b)
	if _, err := w.Write(content); err != nil {
		t.Fatal(err)
	}
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	return b.String()
}

const (
	goodConfig = `{,"os":"linux","architecture":"arm64","config":{"User":"1","Entrypoint":["a"]}}`
	isBase     = `,"annotations":{"io.crossplane.xpkg":"base"}`
)

// TestCheckImages holds what is refused of the images.
func TestCheckImages(t *testing.T) {
	plain := packed(t, entry{StreamFile, 0o644, []byte(metadataText)})
	other := packed(t, entry{"bin/a", 0o755, []byte("x")})
	text, err := pack([]entry{{"a", 0o644, []byte("to be replaced")}})
	if err != nil {
		t.Fatal(err)
	}
	link, err := linked("../../etc/passwd")
	if err != nil {
		t.Fatal(err)
	}
	for name, test := range map[string]struct {
		layout func(l layout) layout
		want   []string
	}{
		"good": {func(l layout) layout { return l.index(l.image(goodConfig, isBase, plain)) }, nil},
		"with an attestation": {func(l layout) layout {
			return l.index(l.image(goodConfig, isBase, plain), `{"mediaType":"application/vnd.oci.image.manifest.v1+json","digest":"sha256:a","platform":{"os":"unknown"}}`)
		}, nil},
		"no annotation, root": {
			func(l layout) layout { return l.index(l.image(`{,"config":{"Entrypoint":["a"]}}`, "", plain)) },
			[]string{
				"p: warning: no layer of the image has the annotation io.crossplane.xpkg: base, so that Crossplane downloads all layers to read package.yaml: annotate the one with the file",
				"p: warning: the program of the image runs as root: have the image name another user",
			}},
		"annotated twice, no program": {
			func(l layout) layout { return l.index(l.image(`{}`, isBase, plain, isBase, other)) },
			[]string{
				"p: 2 layers of the image have the annotation io.crossplane.xpkg: base: annotate only the one with package.yaml",
				"p: warning: the image has no program, so that Crossplane starts no controllers: build it with one",
			}},
		"no package": {
			func(l layout) layout { return l.index(l.image(goodConfig, "", other)) },
			[]string{"p: the image for linux/arm64 is none of a package: no layer has a package.yaml: name a Crossplane package"}},
		"not for linux/amd64": {
			func(l layout) layout {
				return l.index(l.image(goodConfig, isBase, plain), l.image(strings.Replace(goodConfig, "arm64", "s390x", 1), isBase, plain))
			},
			[]string{"p: there is no image for linux/amd64, which is the one that Crossplane reads: build it, too"}},
		"index in indexes": {
			func(l layout) layout {
				d := l.image(goodConfig, isBase, plain)
				for range 3 {
					d = "{" + l.blob(`{"manifests":[`+d+`]}`, "application/vnd.oci.image.index.v1+json") + "}"
				}
				return l.index(d)
			},
			[]string{"p: this can't be read as a package: the index of the images names others, and these name others again"}},
		"something else": {
			func(l layout) layout { return l.index(`{"mediaType":"application/vnd.a","digest":"sha256:0"}`) },
			[]string{"p: this can't be read as a package: the index of the images has a application/vnd.a, which is neither an image nor an index: build the package anew"}},
		"another manifest": {
			func(l layout) layout {
				d := l.image(goodConfig, isBase, plain)
				return l.replace(`"layers"`, ` "layers"`).index(d)
			},
			[]string{"p: this can't be read as a package: the manifest of the image can't be read: its digest is sha256:*, and not sha256:*: the file is damaged, or was changed: build the package anew"}},
		"another configuration": {
			func(l layout) layout {
				d := l.image(goodConfig, isBase, plain)
				return l.replace(`"User":"1"`, `"User":"2"`).index(d)
			},
			[]string{"p: this can't be read as a package: the configuration of the image can't be read: its digest is sha256:*, and not sha256:*: the file is damaged, or was changed: build the package anew"}},
		"another layer": {
			func(l layout) layout {
				d := l.image(goodConfig, isBase, plain, "", string(text))
				return l.replace("to be replaced", "as was replaced").index(d)
			},
			[]string{"p: the image for linux/arm64 can't be used: its layer sha256:* can't be read: its digest is sha256:*, and not sha256:*: the file is damaged, or was changed: build the package anew"}},
		"no layer": {
			func(l layout) layout {
				d := l.image(goodConfig, isBase, plain)
				delete(l, "blobs/"+strings.Replace(digest(plain), ":", "/", 1))
				return l.index(d)
			},
			[]string{"p: the image for linux/arm64 is none of a package: its layer sha256:* can't be read: the archive doesn't have it: see if the file is cut off"}},
		"path out of the image": {
			func(l layout) layout {
				return l.index(l.image(goodConfig, isBase, plain, "", packed(t, entry{"a/../../b", 0o644, nil})))
			},
			[]string{`p: the image for linux/arm64 can't be used: its layer sha256:* can't be read: it has the path "a/../../b", which leads out of the image: build the package anew`}},
		"others of that name": {
			func(l layout) layout {
				file := func(name string) entry { return entry{name, 0o644, []byte("a")} }
				return l.index(l.image(goodConfig, "", packed(t, file("a/package.yaml"), file("b/package.yaml")), isBase, plain))
			}, nil},
		"two of that name": {
			func(l layout) layout {
				return l.index(l.image(goodConfig, isBase, packed(t, entry{StreamFile, 0o644, []byte(metadataText)}, entry{"a/package.yaml", 0o644, nil})))
			},
			[]string{"p: the image for linux/arm64 is none of a package: its layer sha256:* can't be read: package.yaml is there twice, or no regular file: build the package anew"}},
		"link": {
			func(l layout) layout { return l.index(l.image(goodConfig, isBase, string(link))) },
			[]string{"p: the image for linux/arm64 is none of a package: its layer sha256:* can't be read: package.yaml is there twice, or no regular file: build the package anew"}},
		"zstd": {
			func(l layout) layout { return l.index(l.image(goodConfig, isBase, "\x28\xb5\x2f\xfd")) },
			[]string{"p: the image for linux/arm64 is none of a package: its layer sha256:* can't be read: it is compressed with zstd, which mrgen doesn't read: compress it with gzip"}},
		"cut off": {
			func(l layout) layout { return l.index(l.image(goodConfig, isBase, plain[:len(plain)-20])) },
			[]string{"p: the image for linux/arm64 is none of a package: its layer sha256:* can't be read: unexpected EOF"}},
		"two images to load": {
			func(l layout) layout { l["manifest.json"] = "[{},{}]"; return l },
			[]string{"p: this can't be read as a package: manifest.json has 2 images, and Crossplane's command line takes one: build a package for each platform"}},
		"another image to load": {
			func(l layout) layout {
				l["c"] = `{"rootfs":{"diff_ids":["` + digest("a") + `"]}}`
				l["manifest.json"] = `[{"Config":"c","Layers":["l"]}]`
				return l.index(l.image(goodConfig, isBase, plain))
			},
			[]string{"p: this can't be read as a package: manifest.json has another image than index.json: build the package anew"}},
		"layers that aren't listed": {
			func(l layout) layout {
				l["c"] = "{}"
				l["manifest.json"] = `[{"Config":"c","Layers":["l"]}]`
				return l
			},
			[]string{"p: this can't be read as a package: an image has 1 layers, and its configuration lists 0 in rootfs.diff_ids, so that its program can't be started: build the package anew"}},
	} {
		t.Run(name, func(t *testing.T) {
			if diff := cmp.Diff(test.want, messages(checkArchive(test.layout(layout{}).content(t)))); diff != "" {
				t.Errorf("(-want +got):\n%s", diff)
			}
		})
	}
}

// replace replaces a text in all blobs, whose names stay.
func (l layout) replace(old, with string) layout {
	for name, content := range l {
		l[name] = strings.Replace(content, old, with, 1)
	}
	return l
}

// linked returns an archive with package.yaml as a symbolic link.
func linked(target string) ([]byte, error) {
	var b bytes.Buffer
	w := tar.NewWriter(&b)
	err := w.WriteHeader(&tar.Header{Typeflag: tar.TypeSymlink, Name: StreamFile, Linkname: target})
	return b.Bytes(), errors.Join(err, w.Close())
}

func checkArchive(content []byte) diag.List {
	return Check("p", bytes.NewReader(content), int64(len(content)), judge)
}

// digests are what messages about them have.
var digests = regexp.MustCompile("sha256:[0-9a-f]{64}")

func messages(diags diag.List) []string {
	var all []string
	for _, d := range diags {
		all = append(all, digests.ReplaceAllString(d.String(), "sha256:*"))
	}
	return all
}

// TestCutOff holds that no part of a package is taken for one.
func TestCutOff(t *testing.T) {
	l := layout{}
	whole := l.index(l.image(goodConfig, isBase, packed(t, entry{StreamFile, 0o644, []byte(metadataText)}))).content(t)
	end := len(bytes.TrimRight(whole, "\x00"))
	for n := 0; n < end; n += 97 {
		if diags := checkArchive(whole[:n]); !diags.HasErrors() {
			t.Errorf("the first %d bytes of %d pass", n, len(whole))
		}
	}
}

// TestLimits holds that a small file doesn't take all memory.
func TestLimits(t *testing.T) {
	zeros := packed(t, entry{StreamFile, 0o644, []byte(metadataText)}, entry{"zeros", 0o644, make([]byte, 1<<20)})
	large := packed(t, entry{StreamFile, 0o644, make([]byte, 1<<20)})
	small := packed(t, entry{StreamFile, 0o644, []byte(metadataText)})
	for name, test := range map[string]struct {
		limits limits
		layers []string
		want   string
	}{
		"none exceeded": {standard, []string{isBase, zeros}, ""},
		"layer": {limits{stream: 1 << 19, layer: 1 << 19, document: 1 << 19, files: 9, images: 9}, []string{isBase, zeros},
			"its layer sha256:* can't be read: it has more than a program and definitions take, once it is inflated: build the package anew"},
		"package.yaml": {limits{stream: 1 << 19, layer: 1 << 21, document: 1 << 19, files: 9, images: 9}, []string{isBase, large},
			"its layer sha256:* can't be read: package.yaml has 1048576 bytes, more than Crossplane reads: shorten descriptions, or package each group on its own"},
		"document": {limits{stream: 1 << 19, layer: 1 << 19, document: 100, files: 9, images: 9}, []string{isBase, small},
			"the index of the images can't be read: it has 157 bytes, and registries take no more than 100"},
		"files": {limits{stream: 1 << 19, layer: 1 << 19, document: 1 << 19, files: 2, images: 9}, []string{isBase, small},
			"this is not a tar archive: it has more than 2 files"},
		"images": {limits{stream: 1 << 19, layer: 1 << 19, document: 1 << 19, files: 9, images: 0}, []string{isBase, small},
			"it has more than 0 images"},
	} {
		t.Run(name, func(t *testing.T) {
			l := layout{}
			content := l.index(l.image(goodConfig, test.layers...)).content(t)
			images, err := read(bytes.NewReader(content), int64(len(content)), test.limits)
			if err == nil {
				_, err = images[0].Stream()
			}
			got := ""
			if err != nil {
				got = digests.ReplaceAllString(err.Error(), "sha256:*")
			}
			if got != test.want {
				t.Errorf("got  %s\nwant %s", got, test.want)
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
			if diags := CheckStream("f", Stream(metadata, selected), judge); len(diags) > 0 {
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
		CheckStream("f", content, judge)
		checkArchive(content)
	})
}
