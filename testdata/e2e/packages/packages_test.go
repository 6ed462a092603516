package packages

import (
	"bytes"
	"context"
	"errors"
	"io"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	v1 "github.com/google/go-containerregistry/pkg/v1"
	"github.com/google/go-containerregistry/pkg/v1/empty"
	"github.com/google/go-containerregistry/pkg/v1/mutate"
	"github.com/google/go-containerregistry/pkg/v1/tarball"

	"github.com/crossplane/crossplane-runtime/v2/pkg/xpkg"
	parser "github.com/crossplane/crossplane-runtime/v2/pkg/xpkg/parser/yaml"
)

const (
	version  = "{name: v1, served: true, storage: true, schema: {openAPIV3Schema: {type: object}}}"
	metadata = "apiVersion: meta.pkg.crossplane.io/v1\nkind: Provider\nmetadata: {name: provider-test}\nspec: {crossplane: {version: \">=v2.0.0\"}}\n"
	crd      = "apiVersion: apiextensions.k8s.io/v1\nkind: CustomResourceDefinition\nmetadata: {name: buckets.test.org}\nspec: {group: test.org, names: {kind: Bucket, plural: buckets}, scope: Cluster, versions: [" + version + "]}\n"
	mrd      = "apiVersion: apiextensions.crossplane.io/v1alpha1\nkind: ManagedResourceDefinition\nmetadata: {name: queues.test.org}\nspec: {group: test.org, names: {kind: Queue, plural: queues}, scope: Cluster, versions: [" + version + "]}\n"
)

// streams are contents of package.yaml, good ones and bad ones.
var streams = map[string]string{
	"good":                     metadata + "---\n" + crd + "---\n" + mrd,
	"no objects":               metadata,
	"older metadata":           strings.Replace(metadata, "/v1\n", "/v1alpha1\n", 1),
	"unknown older metadata":   strings.Replace(metadata, "/v1\n", "/v1beta1\n", 1),
	"comments":                 "# nothing\n---\n" + metadata + "---\n# nothing\n---\n---\n" + crd,
	"older CRD":                metadata + "---\n" + strings.Replace(crd, "k8s.io/v1\n", "k8s.io/v1beta1\n", 1),
	"webhooks":                 metadata + "---\napiVersion: admissionregistration.k8s.io/v1\nkind: ValidatingWebhookConfiguration\nmetadata: {name: a}\n---\napiVersion: admissionregistration.k8s.io/v1\nkind: MutatingWebhookConfiguration\nmetadata: {name: b}\n",
	"no constraint":            strings.Replace(metadata, "spec: {crossplane: {version: \">=v2.0.0\"}}", "spec: {}", 1),
	"two constraints":          strings.Replace(metadata, ">=v2.0.0", ">=v2.0.0, <v3.0.0-0 || ^4", 1),
	"unknown field":            metadata + "---\n" + crd + "other: 1\n",
	"empty":                    "# nothing\n",
	"no metadata":              crd,
	"metadata twice":           metadata + "---\n" + metadata,
	"a function":               "apiVersion: meta.pkg.crossplane.io/v1\nkind: Function\nmetadata: {name: f}\n",
	"a configuration as well":  metadata + "---\napiVersion: meta.pkg.crossplane.io/v1\nkind: Configuration\nmetadata: {name: c}\n",
	"wrong constraint":         strings.Replace(metadata, ">=v2.0.0", "two", 1),
	"empty constraint":         strings.Replace(metadata, ">=v2.0.0", "", 1),
	"a number as constraint":   strings.Replace(metadata, "\">=v2.0.0\"", "2", 1),
	"a config map":             metadata + "---\napiVersion: v1\nkind: ConfigMap\n",
	"a composition":            metadata + "---\napiVersion: apiextensions.crossplane.io/v1\nkind: Composition\nmetadata: {name: c}\n",
	"an activation policy":     metadata + "---\napiVersion: apiextensions.crossplane.io/v1alpha1\nkind: ManagedResourceActivationPolicy\nmetadata: {name: a}\n",
	"an operation":             metadata + "---\napiVersion: ops.crossplane.io/v1alpha1\nkind: Operation\nmetadata: {name: o}\n",
	"no kind":                  metadata + "---\na: 1\n",
	"a list":                   metadata + "---\n- 1\n",
	"no YAML":                  metadata + "---\na: [\n",
	"a number for a text":      metadata + "---\n" + strings.Replace(crd, "scope: Cluster", "scope: 1", 1),
	"a text for a list":        metadata + "---\n" + strings.Replace(mrd, "versions: ["+version+"]", "versions: a", 1),
	"a text for a mapping":     metadata + "---\n" + strings.Replace(mrd, "{kind: Queue, plural: queues}", "a", 1),
	"a text for capabilities":  strings.Replace(metadata, "spec: {", "spec: {capabilities: a, ", 1),
	"a number for annotations": strings.Replace(metadata, "name: provider-test", "name: provider-test, annotations: {a: 1}", 1),
}

// refusedByKubernetes are the streams that Crossplane lets pass, and the API server then refuses.
var refusedByKubernetes = []string{"older CRD"}

// TestCrossplaneAgrees guards that mrgen package --check refuses what Crossplane's parser or linter do,
// and nothing else but what the API server refuses.
func TestCrossplaneAgrees(t *testing.T) {
	binary := filepath.Join(t.TempDir(), "mrgen")
	build := exec.Command("go", "build", "-o", binary, "./cmd/mrgen")
	build.Dir = "../../.."
	if out, err := build.CombinedOutput(); err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	for name, stream := range streams {
		t.Run(name, func(t *testing.T) {
			image := image(t, stream)
			file := filepath.Join(t.TempDir(), "p.xpkg")
			if err := tarball.WriteToFile(file, nil, image); err != nil {
				t.Fatal(err)
			}
			theirs := judge(t, image)
			out, err := exec.Command(binary, "package", "--check", file).CombinedOutput()
			if exit := (*exec.ExitError)(nil); err != nil && (!errors.As(err, &exit) || exit.ExitCode() != 2) {
				t.Fatalf("%v\n%s", err, out)
			}
			if (err == nil) != (theirs == nil && !slices.Contains(refusedByKubernetes, name)) {
				t.Errorf("Crossplane says %v, and mrgen %s", theirs, bytes.TrimSpace(out))
			}
		})
	}
}

// image returns an image as Crossplane's command line builds it.
func image(t *testing.T, stream string) v1.Image {
	t.Helper()
	config := v1.Config{Labels: map[string]string{}}
	layer, err := xpkg.Layer(strings.NewReader(stream), xpkg.StreamFile, xpkg.PackageAnnotation, int64(len(stream)), xpkg.StreamFileMode, &config)
	if err != nil {
		t.Fatal(err)
	}
	image, err := mutate.AppendLayers(empty.Image, layer)
	if err == nil {
		image, err = mutate.Config(image, config)
	}
	if err == nil {
		image, err = xpkg.AnnotateLayers(image)
	}
	if err != nil {
		t.Fatal(err)
	}
	return image
}

// judge returns what Crossplane says of a provider's package.
func judge(t *testing.T, image v1.Image) error {
	t.Helper()
	p, err := parser.New()
	if err != nil {
		t.Fatal(err)
	}
	stream, err := xpkg.ExtractPackageYAML(image)
	if err != nil {
		return err
	}
	parsed, err := p.Parse(context.Background(), io.NopCloser(stream))
	if err != nil {
		return err
	}
	return xpkg.NewProviderLinter().Lint(parsed)
}
