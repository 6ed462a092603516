package e2e_test

import (
	"archive/tar"
	"context"
	"fmt"
	"io"
	"log"
	"net/http/httptest"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/go-containerregistry/pkg/crane"
	imagename "github.com/google/go-containerregistry/pkg/name"
	"github.com/google/go-containerregistry/pkg/registry"
	v1 "github.com/google/go-containerregistry/pkg/v1"
	"github.com/google/go-containerregistry/pkg/v1/empty"
	"github.com/google/go-containerregistry/pkg/v1/mutate"
	"github.com/google/go-containerregistry/pkg/v1/remote"
	"github.com/spf13/afero"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"sigs.k8s.io/controller-runtime/pkg/client"

	"github.com/crossplane/crossplane-runtime/v2/pkg/xpkg"
	"github.com/crossplane/crossplane-runtime/v2/pkg/xpkg/parser"
	"github.com/crossplane/crossplane-runtime/v2/pkg/xpkg/parser/examples"
	"github.com/crossplane/crossplane-runtime/v2/pkg/xpkg/parser/yaml"

	"github.com/mrgen-io/mrgen/testdata/e2e/internal/controlplane"
	"github.com/mrgen-io/mrgen/testdata/e2e/internal/process"
)

// packaged is a provider whose packages are in a registry, on a control plane of its own.
type packaged struct {
	*testing.T
	folder   string
	registry string
	plane    *controlplane.ControlPlane
	kube     client.Client
}

// newPackaged starts the registry and the control plane.
func newPackaged(t *testing.T, folder string) packaged {
	t.Helper()
	server := httptest.NewServer(registry.New(registry.Logger(log.New(io.Discard, "", 0))))
	t.Cleanup(server.Close)
	own := startPlane(t, controlplane.Start)
	kube, err := newClient(own)
	if err != nil {
		t.Fatal(err)
	}
	p := packaged{t, folder, strings.TrimPrefix(server.URL, "http://") + "/example", own, kube}
	p.prepare()
	return p
}

// push builds the package of the provider, which has a name and a program, as the Crossplane CLI does, and
// pushes it. It returns its reference.
func (p packaged) push(name, program string) string {
	p.Helper()
	image, err := p.build(program)
	if err != nil {
		p.Fatal(err)
	}
	if image, err = xpkg.AnnotateLayers(image); err != nil {
		p.Fatal(err)
	}
	reference := p.registry + "/" + name + ":v1.0.0"
	target, err := imagename.ParseReference(reference)
	if err != nil {
		p.Fatal(err)
	}
	if err := remote.Write(target, image, remote.WithContext(p.Context())); err != nil {
		p.Fatal(err)
	}
	return reference
}

// build returns the package around a program. Crossplane's own builder judges the definitions and examples.
func (p packaged) build(program string) (v1.Image, error) {
	binary, err := os.ReadFile(program)
	if err != nil {
		return nil, err
	}
	layer, err := crane.Layer(map[string][]byte{"usr/local/bin/provider": binary})
	if err != nil {
		return nil, err
	}
	runtime, err := mutate.AppendLayers(empty.Image, layer)
	if err != nil {
		return nil, err
	}
	metadata, err := yaml.New()
	if err != nil {
		return nil, err
	}
	source := func(folder string) parser.Backend {
		return parser.NewFsBackend(afero.NewOsFs(), parser.FsDir(filepath.Join(p.folder, folder)),
			parser.FsFilters(parser.SkipDirs(), parser.SkipNotYAML(), parser.SkipEmpty()))
	}
	image, _, err := xpkg.New(source("package"), source("examples"), metadata, examples.New()).Build(p.Context(), xpkg.WithBase(runtime))
	return image, err
}

// prepare creates what Crossplane's own installation has.
func (p packaged) prepare() {
	p.Helper()
	objects, err := decode(`
{apiVersion: v1, kind: Namespace, metadata: {name: crossplane-system}}
---
{apiVersion: v1, kind: ServiceAccount, metadata: {name: crossplane, namespace: crossplane-system}}
---
{apiVersion: pkg.crossplane.io/v1beta1, kind: Lock, metadata: {name: lock}}
---
{apiVersion: pkg.crossplane.io/v1beta1, kind: DeploymentRuntimeConfig, metadata: {name: default}, spec: {}}
`)
	if err != nil {
		p.Fatal(err)
	}
	for _, object := range objects {
		p.apply(object)
	}
}

// install installs a package, after which so many are there, and returns their revisions.
func (p packaged) install(reference string, installed int) []unstructured.Unstructured {
	p.Helper()
	provider := p.provider(reference)
	if err := unstructured.SetNestedField(provider.Object, reference, "spec", "package"); err != nil {
		p.Fatal(err)
	}
	p.apply(provider)
	list := &unstructured.UnstructuredList{}
	list.SetAPIVersion("pkg.crossplane.io/v1")
	list.SetKind("ProviderRevisionList")
	if err := within(p.plane, func() error {
		if err := p.kube.List(p.Context(), list); err != nil {
			return err
		}
		if len(list.Items) != installed {
			status, message := conditionOf(p.get(p.provider(reference)), "Installed")
			return fmt.Errorf("%d revisions; Installed=%s: %s", len(list.Items), status, message)
		}
		for i := range list.Items {
			status, message := conditionOf(&list.Items[i], "RevisionHealthy")
			if err := is("RevisionHealthy: "+message, status, "True"); err != nil {
				return err
			}
		}
		return nil
	}); err != nil {
		p.Fatal(err)
	}
	return list.Items
}

// activate has all kinds be active.
func (p packaged) activate() {
	p.Helper()
	p.apply(p.object(`{apiVersion: apiextensions.crossplane.io/v1alpha1, kind: ManagedResourceActivationPolicy, metadata: {name: all}, spec: {activate: ["*"]}}`))
}

// object returns the object of a manifest.
func (p packaged) object(manifest string) *unstructured.Unstructured {
	p.Helper()
	objects, err := decode(manifest)
	if err != nil || len(objects) != 1 {
		p.Fatalf("%d objects, %v", len(objects), err)
	}
	return objects[0]
}

// mrds waits until there are MRDs in a state, and no others.
func (p packaged) mrds(state string, names ...string) {
	p.Helper()
	established := "False"
	if state == "Active" {
		established = "True"
	}
	list := &unstructured.UnstructuredList{}
	list.SetAPIVersion("apiextensions.crossplane.io/v1alpha1")
	list.SetKind("ManagedResourceDefinitionList")
	if err := within(p.plane, func() error {
		if err := p.kube.List(p.Context(), list); err != nil {
			return err
		}
		var found []string
		for i := range list.Items {
			mrd := &list.Items[i]
			found = append(found, mrd.GetName())
			status, message := conditionOf(mrd, "Established")
			if err := is(mrd.GetName()+": "+message, []any{field(mrd, "spec.state"), status}, []any{state, established}); err != nil {
				return err
			}
		}
		slices.Sort(names)
		return is("the MRDs", found, names)
	}); err != nil {
		p.Fatal(err)
	}
}

// replicas waits until Crossplane wants so many replicas of the provider's program. It is the one who
// says that they run, which nobody else does here.
func (p packaged) replicas(n int, reference string) {
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
	p.eventually(p.provider(reference), func() error {
		status, message := conditionOf(p.get(p.provider(reference)), "Healthy")
		return is("Healthy: "+message, status, "True")
	})
}

// provider returns the object that has a package installed.
func (p packaged) provider(reference string) *unstructured.Unstructured {
	name, _, _ := strings.Cut(path.Base(reference), ":")
	return p.object("{apiVersion: pkg.crossplane.io/v1, kind: Provider, metadata: {name: " + name + "}}")
}

// program writes the program in a package to a file, and returns its path.
func (p packaged) program(reference string) string {
	p.Helper()
	source, err := imagename.ParseReference(reference)
	if err != nil {
		p.Fatal(err)
	}
	image, err := remote.Image(source)
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
		file := filepath.Join(p.TempDir(), "provider")
		if err := os.WriteFile(file, content, 0o755); err != nil {
			p.Fatal(err)
		}
		return file
	}
}

// run runs the program of a package, under a name that its log has.
func (p packaged) run(name, reference string) {
	p.Helper()
	program := p.program(reference)
	group := process.NewGroup(p.plane.Context(), p.plane.Folder())
	p.Cleanup(func() {
		if cause := context.Cause(group.Context()); cause != nil {
			p.Error(cause)
		}
		group.Stop()
	})
	kubeconfig := "KUBECONFIG=" + filepath.Join(p.plane.Folder(), "kubeconfig")
	if err := group.Start(name, []string{kubeconfig}, program, "--debug", "--poll=1s", "--metrics-bind-address=0"); err != nil {
		p.Fatal(err)
	}
}

// applyFiles applies the objects in files of the provider, and returns them.
func (p packaged) applyFiles(pattern string) []*unstructured.Unstructured {
	p.Helper()
	var applied []*unstructured.Unstructured
	for _, file := range glob(p.T, filepath.Join(p.folder, pattern)) {
		for _, object := range p.read(file) {
			p.apply(object)
			applied = append(applied, object)
		}
	}
	return applied
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
		if err := p.kube.Get(p.Context(), client.ObjectKeyFromObject(object), object); err != nil {
			return err
		}
		return check()
	}); err != nil {
		p.Fatalf("%s %s: %v", object.GetKind(), object.GetName(), err)
	}
}

// conditions waits until an object has conditions, as TYPE=STATUS, and returns the message of the last
// one.
func (p packaged) conditions(object *unstructured.Unstructured, want ...string) (message string) {
	p.Helper()
	p.eventually(object, func() (err error) {
		message, err = hasConditions(object, want...)
		return err
	})
	return message
}
