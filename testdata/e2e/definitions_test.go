package e2e_test

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"

	"github.com/google/go-cmp/cmp"
	apiextensionsv1 "k8s.io/apiextensions-apiserver/pkg/apis/apiextensions/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"sigs.k8s.io/controller-runtime/pkg/client"
	"sigs.k8s.io/yaml"

	"github.com/mrgen-io/mrgen/testdata/e2e/internal/controlplane"
)

// TestActivation guards the way of a kind from its MRD to its CRD, on a control plane
// of its own: MRDs are inactive until a policy, as mrgen writes it, activates those
// that it names, and no others. The CRDs are those that mrgen generates. The provider
// starts without them, and manages a kind as soon as it is there.
func TestActivation(t *testing.T) {
	t.Parallel()
	own := startPlane(t, controlplane.Start)
	kube, err := newClient(own)
	if err != nil {
		t.Fatal(err)
	}
	if err := installProvider(own, kube); err != nil {
		t.Fatal(err)
	}
	if err := startProvider(own); err != nil {
		t.Fatal(err)
	}
	// The NopResource is marked as active.
	active := []string{"nopresources.nop.crossplane.io"}
	activated(t, own, kube, active)
	onlyConfigs(t, own)

	policy := mrgen(t, "../provider-example", "activation", "--name=network", "*.ec2.m.aws.crossplane.io", "databaseinstances.sql.gcp.crossplane.io")
	if err := create(kube, policy); err != nil {
		t.Fatal(err)
	}
	active = append(active,
		"databaseinstances.sql.gcp.crossplane.io", "subnets.ec2.m.aws.crossplane.io", "vpcs.ec2.m.aws.crossplane.io")
	activated(t, own, kube, active)

	// There is no ProviderConfig, which is what the controller says.
	if err := create(kube, `
apiVersion: ec2.m.aws.crossplane.io/v1beta1
kind: VPC
metadata:
  name: first
  namespace: default
spec:
  forProvider: {region: none, cidrBlock: 10.0.0.0/16}
`); err != nil {
		t.Fatal(err)
	}
	vpc := &unstructured.Unstructured{}
	vpc.SetAPIVersion("ec2.m.aws.crossplane.io/v1beta1")
	vpc.SetKind("VPC")
	if err := within(own, func() error {
		if err := kube.Get(t.Context(), client.ObjectKey{Namespace: "default", Name: "first"}, vpc); err != nil {
			return err
		}
		if _, message := conditionOf(vpc, "Synced"); !contains(message, `cannot get the ProviderConfig`) {
			return fmt.Errorf("the message is %q", message)
		}
		return nil
	}); err != nil {
		t.Error(err)
	}

	if err := create(kube, strings.Replace(policy, "name: network", "name: all", 1)+"  - '*'\n"); err != nil {
		t.Fatal(err)
	}
	if err := installMRDs(kube, "../provider-runtime-v2", "../provider-versions"); err != nil {
		t.Fatal(err)
	}
	for _, file := range glob(t, "../provider-*/package/mrds/*.yaml") {
		sameDefinition(t, own, kube, file)
	}
}

// TestDefinitionsInstall guards that an API server accepts and serves every CRD that
// mrgen generates for the providers beside this module.
func TestDefinitionsInstall(t *testing.T) {
	t.Parallel()
	own := startPlane(t, controlplane.StartAPIServer)
	files := glob(t, "../provider-*/package/crds/*.yaml")
	if err := own.InstallCRDs(files...); err != nil {
		t.Fatal(err)
	}
	kube, err := newClient(own)
	if err != nil {
		t.Fatal(err)
	}
	var crds apiextensionsv1.CustomResourceDefinitionList
	if err := kube.List(t.Context(), &crds); err != nil {
		t.Fatal(err)
	}
	if len(crds.Items) != len(files) {
		t.Errorf("there are %d CRDs of %d files", len(crds.Items), len(files))
	}
	for _, crd := range crds.Items {
		for _, condition := range crd.Status.Conditions {
			switch condition.Type {
			case apiextensionsv1.Established, apiextensionsv1.NamesAccepted:
				if condition.Status == apiextensionsv1.ConditionTrue {
					continue
				}
			}
			t.Errorf("%s: %s is %s: %s", crd.Name, condition.Type, condition.Status, condition.Message)
		}
	}
}

// startPlane starts a control plane that is the test's own.
func startPlane(t *testing.T, start func(context.Context, io.Writer) (*controlplane.ControlPlane, error)) *controlplane.ControlPlane {
	t.Helper()
	own, err := start(plane.Context(), os.Stderr)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		own.Stop()
		if t.Failed() {
			t.Logf("see the logs in %s", own.Folder())
			return
		}
		if err := own.Remove(); err != nil {
			t.Error(err)
		}
	})
	return own
}

// glob returns the files that match a pattern, of which there must be some.
func glob(t *testing.T, pattern string) []string {
	t.Helper()
	files, err := filepath.Glob(pattern)
	if err != nil || len(files) == 0 {
		t.Fatalf("no files match %s: %v", pattern, err)
	}
	return files
}

// mrgen runs the command in the folder of a provider, and returns what it prints.
func mrgen(t *testing.T, folder string, args ...string) string {
	t.Helper()
	binary, err := buildMrgen()
	if err != nil {
		t.Fatal(err)
	}
	cmd := exec.CommandContext(t.Context(), binary, args...)
	cmd.Dir = folder
	var stderr strings.Builder
	cmd.Stderr = &stderr
	out, err := cmd.Output()
	if err != nil {
		t.Fatalf("%v: %v\n%s", cmd.Args, err, &stderr)
	}
	return string(out)
}

// buildMrgen builds the command, and returns its path.
var buildMrgen = sync.OnceValues(func() (string, error) {
	binary := filepath.Join(plane.Folder(), "mrgen")
	cmd := exec.Command("go", "build", "-o", binary, "./cmd/mrgen")
	cmd.Dir = "../.."
	if out, err := cmd.CombinedOutput(); err != nil {
		return "", fmt.Errorf("%v: %w\n%s", cmd.Args, err, out)
	}
	return binary, nil
})

// activated waits until Crossplane has dealt with all MRDs, and checks that these are
// active and have a CRD, and that the others are not and have none.
func activated(t *testing.T, plane *controlplane.ControlPlane, kube client.Client, active []string) {
	t.Helper()
	mrds := &unstructured.UnstructuredList{}
	mrds.SetAPIVersion("apiextensions.crossplane.io/v1alpha1")
	mrds.SetKind("ManagedResourceDefinitionList")
	if err := within(plane, func() error {
		if err := kube.List(t.Context(), mrds); err != nil {
			return err
		}
		for _, mrd := range mrds.Items {
			wantState, wantStatus := "Inactive", "False"
			if slices.Contains(active, mrd.GetName()) {
				wantState, wantStatus = "Active", "True"
			}
			status, message := conditionOf(&mrd, "Established")
			if err := is(mrd.GetName()+": "+message, []any{field(&mrd, "spec.state"), status}, []any{wantState, wantStatus}); err != nil {
				return err
			}
		}
		return nil
	}); err != nil {
		t.Fatal(err)
	}
	var crds apiextensionsv1.CustomResourceDefinitionList
	if err := kube.List(t.Context(), &crds); err != nil {
		t.Fatal(err)
	}
	for _, mrd := range mrds.Items {
		exists := slices.ContainsFunc(crds.Items, func(crd apiextensionsv1.CustomResourceDefinition) bool {
			return crd.Name == mrd.GetName()
		})
		if wanted := slices.Contains(active, mrd.GetName()); exists != wanted {
			t.Errorf("%s: there is a CRD: %t, want %t", mrd.GetName(), exists, wanted)
		}
	}
}

// onlyConfigs waits until the provider has started, and checks that no controller of a
// managed kind has.
func onlyConfigs(t *testing.T, plane *controlplane.ControlPlane) {
	t.Helper()
	if err := within(plane, func() error {
		log, err := os.ReadFile(filepath.Join(plane.Folder(), "provider.log"))
		if err != nil {
			return err
		}
		if contains(string(log), "controller=managed/") {
			t.Error("the provider has not waited for the CRDs of its kinds")
		}
		if !contains(string(log), "controller=providerconfig/") {
			return errors.New("the provider has not started")
		}
		return nil
	}); err != nil {
		t.Fatal(err)
	}
}

// sameDefinition waits until the CRD that Crossplane makes of the MRD in a file is
// established, and compares it with the one that mrgen generates.
func sameDefinition(t *testing.T, plane *controlplane.ControlPlane, kube client.Client, file string) {
	t.Helper()
	content, err := os.ReadFile(filepath.Join(filepath.Dir(file), "../crds", filepath.Base(file)))
	if err != nil {
		t.Fatal(err)
	}
	var got, want apiextensionsv1.CustomResourceDefinition
	if err := yaml.UnmarshalStrict(content, &want); err != nil {
		t.Fatal(err)
	}
	if err := within(plane, func() error { return established(plane, kube, want.Name) }); err != nil {
		t.Fatal(err)
	}
	if err := kube.Get(t.Context(), client.ObjectKey{Name: want.Name}, &got); err != nil {
		t.Fatal(err)
	}
	apiextensionsv1.SetObjectDefaults_CustomResourceDefinition(&want) // as the API server does
	if diff := cmp.Diff(plain(t, want.Spec), plain(t, got.Spec)); diff != "" {
		t.Errorf("the CRD %s that Crossplane makes differs (-generated +made):\n%s", want.Name, diff)
	}
}

// plain returns a value as plain JSON, in which raw JSON is compared by what it means.
func plain(t *testing.T, value any) any {
	t.Helper()
	content, err := json.Marshal(value)
	if err != nil {
		t.Fatal(err)
	}
	var result any
	if err := json.Unmarshal(content, &result); err != nil {
		t.Fatal(err)
	}
	return result
}
