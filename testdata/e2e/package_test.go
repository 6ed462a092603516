package e2e_test

import (
	"archive/tar"
	"context"
	"errors"
	"fmt"
	"io"
	"log"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/go-logr/logr"
	"github.com/google/go-containerregistry/pkg/name"
	"github.com/google/go-containerregistry/pkg/registry"
	v1 "github.com/google/go-containerregistry/pkg/v1"
	"github.com/google/go-containerregistry/pkg/v1/mutate"
	"github.com/google/go-containerregistry/pkg/v1/remote"
	"github.com/google/go-containerregistry/pkg/v1/tarball"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"sigs.k8s.io/controller-runtime/pkg/client"

	"github.com/crossplane/crossplane-runtime/v2/pkg/xpkg"

	"github.com/mrgen-io/mrgen/testdata/e2e/internal/controlplane"
	"github.com/mrgen-io/mrgen/testdata/e2e/internal/process"
	"github.com/mrgen-io/mrgen/testdata/e2e/internal/provider"
)

// TestPackage guards that a package of a provider, as init and add kind write it, does what it is
// for: Crossplane's package manager pulls it from a registry, unpacks it and establishes what it
// has, starts no program before a kind is active, and then the program of the package manages
// resources.
func TestPackage(t *testing.T) {
	parent := t.TempDir()
	folder := filepath.Join(parent, newProvider)
	mrgen(t, parent, "init", newProvider, "--module=example.org/"+newProvider, "--group=scaffold.example.org", "--scope=both")
	mrgen(t, folder, "add", "kind", "Bucket", "--group=storage", "--version=v1alpha1")
	p := newPackaged(t, folder, "--ldflags=-X example.org/"+newProvider+"/internal/version.Version=v1.0.0")
	p.install()
	p.mrds("Inactive", "buckets.storage.scaffold.example.org", "buckets.storage.scaffold.m.example.org")
	p.replicas(0)
	p.activate()
	p.mrds("Active", "buckets.storage.scaffold.example.org", "buckets.storage.scaffold.m.example.org")
	p.replicas(1)

	p.start(p.program())
	for _, pattern := range []string{"examples/*/provider/*.yaml", "examples/storage.*/v1alpha1/bucket.yaml"} {
		for _, file := range glob(t, filepath.Join(folder, pattern)) {
			for _, object := range p.read(file) {
				p.apply(object)
				if object.GetKind() == "Bucket" {
					p.eventually(object, func() error {
						status, message := conditionOf(object, "Ready")
						return is("Ready: "+message, status, "True")
					})
				}
			}
		}
	}
}

// TestPackageMRDs guards the same for the example provider, whose package has MRDs: its controllers run
// in the test.
func TestPackageMRDs(t *testing.T) {
	folder := filepath.Join(t.TempDir(), "provider-example")
	if err := os.CopyFS(folder, os.DirFS("../provider-example")); err != nil {
		t.Fatal(err)
	}
	settings, err := os.ReadFile(filepath.Join(folder, "mrgen.yaml"))
	if err != nil {
		t.Fatal(err)
	}
	for file, content := range map[string]string{
		"mrgen.yaml":              strings.Replace(string(settings), "crds:\n", "crds:\n  managed: false\n", 1),
		"package/crossplane.yaml": "{apiVersion: meta.pkg.crossplane.io/v1, kind: Provider, metadata: {name: provider-example}, spec: {capabilities: [safe-start]}}\n",
		"cmd/provider/main.go":    "// Program provider stands for one that runs in a test.\npackage main\n\nfunc main() {}\n",
	} {
		if err := os.MkdirAll(filepath.Dir(filepath.Join(folder, file)), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(filepath.Join(folder, file), []byte(content), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	mrgen(t, folder, "generate")
	p := newPackaged(t, folder)
	p.install()
	p.activate()
	var names []string
	for _, file := range glob(t, filepath.Join(folder, "package/mrds/*.yaml")) {
		names = append(names, p.read(file)[0].GetName())
	}
	p.mrds("Active", names...)

	go func() {
		if err := provider.Run(p.plane.Context(), p.plane.Config(), logr.Discard()); err != nil && p.plane.Context().Err() == nil {
			t.Error("the provider has failed:", err)
		}
	}()
	credentials := fmt.Sprintf("{apiVersion: v1, kind: Secret, metadata: {name: credentials, namespace: crossplane-system}, stringData: {json: '{\"endpoint\": %q, \"token\": \"e2e\"}'}}", sky.URL())
	for _, manifest := range []string{
		credentials,
		"{apiVersion: example.crossplane.io/v1alpha1, kind: ClusterProviderConfig, metadata: {name: default}, spec: {credentials: {source: Secret, secretRef: {namespace: crossplane-system, name: credentials, key: json}}}}",
		"{apiVersion: ec2.m.aws.crossplane.io/v1beta1, kind: VPC, metadata: {name: packaged, namespace: default}, spec: {forProvider: {region: packaged, cidrBlock: 10.0.0.0/16}}}",
	} {
		objects, err := decode(manifest)
		if err != nil {
			t.Fatal(err)
		}
		p.apply(objects[0])
		if objects[0].GetKind() == "VPC" {
			p.eventually(objects[0], func() error {
				status, message := conditionOf(objects[0], "Ready")
				return is("Ready: "+message, status, "True")
			})
		}
	}
}

// packaged is the package of a provider in a registry, on a control plane of its own.
type packaged struct {
	*testing.T
	plane     *controlplane.ControlPlane
	kube      client.Client
	reference string
}

// newPackaged packages a provider, and pushes it to a registry.
func newPackaged(t *testing.T, folder string, args ...string) packaged {
	t.Helper()
	server := httptest.NewServer(registry.New(registry.Logger(log.New(io.Discard, "", 0))))
	t.Cleanup(server.Close)
	reference := strings.TrimPrefix(server.URL, "http://") + "/example/" + filepath.Base(folder) + ":v1.0.0"
	pushed := mrgen(t, folder, append([]string{"package", "--platform=linux/amd64", "--push=" + reference}, args...)...)
	if !strings.Contains(pushed, "@sha256:") {
		t.Fatalf("mrgen package says %q", pushed)
	}
	// What crossplane xpkg push reads of the file has the layer that Crossplane looks for, too.
	image, err := tarball.ImageFromPath(filepath.Join(folder, filepath.Base(folder)+".xpkg"), nil)
	if err == nil {
		image, err = xpkg.AnnotateLayers(image)
	}
	if err != nil {
		t.Fatal(err)
	}
	if _, err := xpkg.ExtractPackageYAML(image); err != nil {
		t.Error(err)
	}

	own := startPlane(t, controlplane.Start)
	kube, err := newClient(own)
	if err != nil {
		t.Fatal(err)
	}
	return packaged{t, own, kube, reference}
}

// install creates what Crossplane's own installation has, and the provider.
func (p packaged) install() {
	p.Helper()
	objects, err := decode(`
{apiVersion: v1, kind: Namespace, metadata: {name: crossplane-system}}
---
{apiVersion: v1, kind: ServiceAccount, metadata: {name: crossplane, namespace: crossplane-system}}
---
{apiVersion: pkg.crossplane.io/v1beta1, kind: Lock, metadata: {name: lock}}
---
{apiVersion: pkg.crossplane.io/v1beta1, kind: DeploymentRuntimeConfig, metadata: {name: default}, spec: {}}
---
{apiVersion: pkg.crossplane.io/v1, kind: Provider, metadata: {name: packaged}, spec: {package: "` + p.reference + `"}}
`)
	if err != nil {
		p.Fatal(err)
	}
	for _, object := range objects {
		p.apply(object)
	}
	revision := p.newObject("pkg.crossplane.io/v1", "ProviderRevision", "", "")
	if err := within(p.plane, func() error {
		list := &unstructured.UnstructuredList{}
		list.SetGroupVersionKind(revision.GroupVersionKind())
		if err := p.kube.List(p.Context(), list); err != nil {
			return err
		}
		if len(list.Items) != 1 {
			status, message := conditionOf(p.get(p.provider()), "Installed")
			return fmt.Errorf("%d revisions; Installed=%s: %s", len(list.Items), status, message)
		}
		status, message := conditionOf(&list.Items[0], "RevisionHealthy")
		return is("RevisionHealthy: "+message, status, "True")
	}); err != nil {
		p.Fatal(err)
	}
}

// activate has all kinds be active.
func (p packaged) activate() {
	p.Helper()
	objects, err := decode(`{apiVersion: apiextensions.crossplane.io/v1alpha1, kind: ManagedResourceActivationPolicy, metadata: {name: all}, spec: {activate: ["*"]}}`)
	if err != nil {
		p.Fatal(err)
	}
	p.apply(objects[0])
}

// mrds waits until there are MRDs in a state.
func (p packaged) mrds(state string, names ...string) {
	p.Helper()
	for _, name := range names {
		mrd := p.newObject("apiextensions.crossplane.io/v1alpha1", "ManagedResourceDefinition", "", name)
		p.eventually(mrd, func() error {
			wanted := "False"
			if state == "Active" {
				wanted = "True"
			}
			status, message := conditionOf(mrd, "Established")
			return is(name+": "+message, []any{field(mrd, "spec.state"), status}, []any{state, wanted})
		})
	}
}

// replicas waits until Crossplane wants so many replicas of the provider's program. It is the one who
// says that they run, which nobody else does here.
func (p packaged) replicas(n int) {
	p.Helper()
	list := &unstructured.UnstructuredList{}
	list.SetAPIVersion("apps/v1")
	list.SetKind("DeploymentList")
	if err := within(p.plane, func() error {
		if err := p.kube.List(p.Context(), list, client.InNamespace("crossplane-system")); err != nil {
			return err
		}
		if len(list.Items) != 1 {
			return fmt.Errorf("there are %d deployments", len(list.Items))
		}
		deployment := &list.Items[0]
		now := time.Now().UTC().Format(time.RFC3339)
		status := fmt.Sprintf(`{"status":{"conditions":[{"type":"Available","status":"True","lastUpdateTime":%q,"lastTransitionTime":%q}]}}`, now, now)
		if err := p.kube.Status().Patch(p.Context(), deployment, client.RawPatch("application/merge-patch+json", []byte(status))); err != nil {
			return err
		}
		return is("spec.replicas", field(deployment, "spec.replicas"), n)
	}); err != nil {
		p.Fatal(err)
	}
	p.eventually(p.provider(), func() error {
		status, message := conditionOf(p.get(p.provider()), "Healthy")
		return is("Healthy: "+message, status, "True")
	})
}

// provider returns the provider that is installed.
func (p packaged) provider() *unstructured.Unstructured {
	return p.newObject("pkg.crossplane.io/v1", "Provider", "", "packaged")
}

func (p packaged) newObject(apiVersion, kind, namespace, name string) *unstructured.Unstructured {
	object := &unstructured.Unstructured{}
	object.SetAPIVersion(apiVersion)
	object.SetKind(kind)
	object.SetNamespace(namespace)
	object.SetName(name)
	return object
}

// program writes the program in the package to a file, and returns its path.
func (p packaged) program() string {
	p.Helper()
	reference, err := name.ParseReference(p.reference)
	if err != nil {
		p.Fatal(err)
	}
	image, err := remote.Image(reference, remote.WithPlatform(v1.Platform{OS: "linux", Architecture: "amd64"}))
	if err != nil {
		p.Fatal(err)
	}
	files := mutate.Extract(image)
	defer func() { _ = files.Close() }()
	archive := tar.NewReader(files)
	for {
		header, err := archive.Next()
		if err != nil {
			p.Fatalf("the image has no program: %v", err)
		}
		if filepath.Base(header.Name) != "provider" {
			continue
		}
		content, err := io.ReadAll(archive)
		if err != nil {
			p.Fatal(err)
		}
		program := filepath.Join(p.TempDir(), "provider")
		if err := os.WriteFile(program, content, 0o755); err != nil {
			p.Fatal(err)
		}
		return program
	}
}

// start runs the program.
func (p packaged) start(program string) {
	p.Helper()
	group := process.NewGroup(p.plane.Context(), p.plane.Folder())
	p.Cleanup(func() {
		if cause := context.Cause(group.Context()); cause != nil {
			p.Error(cause)
		}
		group.Stop()
	})
	kubeconfig := "KUBECONFIG=" + filepath.Join(p.plane.Folder(), "kubeconfig")
	if err := group.Start("provider-packaged", []string{kubeconfig}, program, "--debug", "--poll=1s", "--metrics-bind-address=0"); err != nil {
		p.Fatal(err)
	}
}

// read returns the objects in a file.
func (p packaged) read(file string) []*unstructured.Unstructured {
	p.Helper()
	content, err := os.ReadFile(file)
	if err != nil {
		p.Fatal(err)
	}
	objects, err := decode(string(content))
	if err != nil || len(objects) == 0 {
		p.Fatalf("%s: %d objects, %v", file, len(objects), err)
	}
	return objects
}

// apply applies an object, of a kind that may only just be served.
func (p packaged) apply(object *unstructured.Unstructured) {
	p.Helper()
	if err := within(p.plane, func() error {
		return p.kube.Apply(p.Context(), client.ApplyConfigurationFromUnstructured(object), client.FieldOwner("user"))
	}); err != nil {
		p.Fatal(err)
	}
}

// get returns an object as it is.
func (p packaged) get(object *unstructured.Unstructured) *unstructured.Unstructured {
	_ = p.kube.Get(p.Context(), client.ObjectKeyFromObject(object), object) // what isn't there has no conditions
	return object
}

// eventually waits until an object passes a check.
func (p packaged) eventually(object *unstructured.Unstructured, check func() error) {
	p.Helper()
	if err := within(p.plane, func() error {
		return errors.Join(p.kube.Get(p.Context(), client.ObjectKeyFromObject(object), object), check())
	}); err != nil {
		p.Fatalf("%s %s: %v", object.GetKind(), object.GetName(), err)
	}
}
