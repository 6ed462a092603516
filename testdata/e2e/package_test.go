package e2e_test

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/go-logr/logr"

	"github.com/mrgen-io/mrgen/testdata/e2e/internal/provider"
)

// TestPackage guards that Crossplane's builder packages a provider as init and add kind write it, and that
// Crossplane's package manager installs it: it establishes the definitions, and starts no program before a
// kind is active. Then the program of the package manages resources.
func TestPackage(t *testing.T) {
	parent := t.TempDir()
	folder := filepath.Join(parent, newProvider)
	mrgen(t, parent, "init", newProvider, "--module=example.org/"+newProvider, "--group=scaffold.example.org", "--scope=both")
	mrgen(t, folder, "add", "kind", "Bucket", "--group=storage", "--version=v1alpha1")
	build := exec.CommandContext(t.Context(), "make", "go.build", "VERSION=v1.0.0")
	build.Dir, build.Env = folder, append(os.Environ(), "GOWORK=off")
	if out, err := build.CombinedOutput(); err != nil {
		t.Fatalf("%v: %v\n%s", build.Args, err, out)
	}
	p := newPackaged(t, folder)
	reference := p.push(newProvider, filepath.Join(folder, "bin/provider"))
	p.install(reference, 1)
	p.mrds("Inactive", "buckets.storage.scaffold.example.org", "buckets.storage.scaffold.m.example.org")
	if !isBefore(2, 4) {
		p.replicas(0, reference)
	}
	p.activate()
	p.mrds("Active", "buckets.storage.scaffold.example.org", "buckets.storage.scaffold.m.example.org")
	p.replicas(1, reference)

	if said, err := exec.Command(p.program(reference), "--version").Output(); err != nil || string(said) != "v1.0.0\n" {
		t.Errorf("the program says that its version is %q, %v", said, err)
	}
	p.run("provider-packaged", reference)
	p.applyFiles("examples/*/provider/*.yaml")
	for _, bucket := range p.applyFiles("examples/storage.*/v1alpha1/bucket.yaml") {
		p.conditions(bucket, "Ready=True", "Synced=True")
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
		"bin/provider":            "stands for a program that runs in a test",
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
	p.install(p.push("provider-example", filepath.Join(folder, "bin/provider")), 1)
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
		object := p.object(manifest)
		p.apply(object)
		if object.GetKind() == "VPC" {
			p.conditions(object, "Ready=True", "Synced=True")
		}
	}
}

// isBefore reports whether the Crossplane that runs is older than a release. Before 2.4 it runs a provider
// that has no active MRD, too.
func isBefore(major, minor int) bool {
	var gotMajor, gotMinor int
	if n, _ := fmt.Sscanf(strings.TrimPrefix(os.Getenv("E2E_CROSSPLANE"), "v"), "%d.%d", &gotMajor, &gotMinor); n < 2 {
		return false // the default one
	}
	return gotMajor < major || gotMajor == major && gotMinor < minor
}
