package e2e_test

import (
	"os"
	"path/filepath"
	"testing"

	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"sigs.k8s.io/controller-runtime/pkg/client"

	"github.com/mrgen-io/mrgen/testdata/e2e/internal/controlplane"
)

// TestUpgrade guards that a new version of a provider, which relaxes required fields
// and makes others immutable, leaves objects usable that were stored before: they
// still change and can be deleted, and the rules count from then on. Nothing
// reconciles these objects.
func TestUpgrade(t *testing.T) {
	t.Parallel()
	own := startPlane(t, controlplane.Start)
	kube, err := newClient(own)
	if err != nil {
		t.Fatal(err)
	}
	patch := func(object client.Object, patch string) error {
		return kube.Patch(t.Context(), object, client.RawPatch("application/merge-patch+json", []byte(patch)))
	}
	must := func(err error) {
		t.Helper()
		if err != nil {
			t.Fatal(err)
		}
	}

	old := withoutRules(t)
	must(installMRDs(kube, old))
	must(create(kube, mrgen(t, old, "activation", "--name=network", "*.ec2.m.aws.crossplane.io")))
	vpcs := filepath.Join(old, "package/mrds/ec2.m.aws.crossplane.io_vpcs.yaml")
	sameDefinition(t, own, kube, vpcs)
	must(within(own, func() error { // the API server serves a kind a moment after it is established
		return create(kube, `
apiVersion: ec2.m.aws.crossplane.io/v1beta1
kind: VPC
metadata:
  name: stored
  namespace: default
  finalizers: [example.org/wait]
spec:
  forProvider: {region: here, cidrBlock: 10.0.0.0/16}
`)
	}))
	must(create(kube, `
apiVersion: ec2.m.aws.crossplane.io/v1beta1
kind: VPC
metadata:
  name: more-policies
  namespace: default
spec:
  managementPolicies: [`+"Observe, Observe, Observe, Observe, Observe, Observe, Observe, Observe, Observe, "+
		"Observe, Observe, Observe, Observe, Observe, Observe, Observe, Observe"+`] # more than a rule can afford
  forProvider: {region: here, cidrBlock: 10.0.0.0/16}
`))
	stored, more := vpc("stored"), vpc("more-policies")
	must(kube.Get(t.Context(), client.ObjectKeyFromObject(stored), stored))
	must(patch(stored, `{"spec":{"forProvider":{"cidrBlock":"10.1.0.0/16"}}}`))
	const observed = `
apiVersion: ec2.m.aws.crossplane.io/v1beta1
kind: VPC
metadata:
  name: observed
  namespace: default
spec:
  managementPolicies: [Observe]
  forProvider: {region: here}
`
	refused(t, create(kube, observed), "spec.forProvider.cidrBlock: Required value")

	vpcs = "../provider-example/package/mrds/ec2.m.aws.crossplane.io_vpcs.yaml"
	upgrade(t, kube, vpcs)
	must(within(own, func() error { return create(kube, observed) }))
	sameDefinition(t, own, kube, vpcs)

	must(patch(stored, `{"metadata":{"labels":{"team":"network"}}}`))
	must(patch(stored, `{"spec":{"forProvider":{"tags":[{"key":"team","value":"network"}]}}}`))
	must(unstructured.SetNestedField(stored.Object, "10.1.0.0/16", "status", "atProvider", "cidrBlock"))
	must(kube.Status().Update(t.Context(), stored))
	refused(t, patch(stored, `{"spec":{"forProvider":{"cidrBlock":"10.2.0.0/16"}}}`),
		"spec.forProvider.cidrBlock: Invalid value: cidrBlock can't be changed once set")
	must(kube.Delete(t.Context(), stored))
	must(patch(stored, `{"metadata":{"finalizers":null}}`))

	must(patch(more, `{"metadata":{"labels":{"team":"network"}}}`))
	must(patch(more, `{"spec":{"forProvider":{"tags":[{"key":"team","value":"network"}]}}}`))
	must(kube.Delete(t.Context(), more))

	var left unstructured.UnstructuredList
	left.SetGroupVersionKind(stored.GroupVersionKind())
	must(kube.List(t.Context(), &left))
	if len(left.Items) != 1 || left.Items[0].GetName() != "observed" {
		t.Errorf("there are %d objects left, want the one that is only observed", len(left.Items))
	}
}

// withoutRules returns a folder with the example provider as it would be without
// relaxed and immutable fields.
func withoutRules(t *testing.T) string {
	t.Helper()
	folder := filepath.Join(t.TempDir(), "provider-example")
	if err := os.CopyFS(folder, os.DirFS("../provider-example")); err != nil {
		t.Fatal(err)
	}
	settings := filepath.Join(folder, "mrgen.yaml")
	content, err := os.ReadFile(settings)
	if err != nil {
		t.Fatal(err)
	}
	content = append(content, "rules:\n  required: off\n  immutable: off\n"...)
	if err := os.WriteFile(settings, content, 0o600); err != nil {
		t.Fatal(err)
	}
	mrgen(t, folder, "generate")
	return folder
}

// upgrade changes an MRD to the one in a file, as a new version of a package does.
func upgrade(t *testing.T, kube client.Client, file string) {
	t.Helper()
	mrd, err := read(file)
	if err != nil {
		t.Fatal(err)
	}
	stored := mrd.DeepCopy()
	if err := kube.Get(t.Context(), client.ObjectKeyFromObject(mrd), stored); err != nil {
		t.Fatal(err)
	}
	versions, _, err := unstructured.NestedSlice(mrd.Object, "spec", "versions")
	if err != nil {
		t.Fatal(err)
	}
	if err := unstructured.SetNestedSlice(stored.Object, versions, "spec", "versions"); err != nil {
		t.Fatal(err)
	}
	if err := kube.Update(t.Context(), stored); err != nil {
		t.Fatal(err)
	}
}

// vpc returns what identifies a VPC.
func vpc(name string) *unstructured.Unstructured {
	object := &unstructured.Unstructured{}
	object.SetAPIVersion("ec2.m.aws.crossplane.io/v1beta1")
	object.SetKind("VPC")
	object.SetNamespace("default")
	object.SetName(name)
	return object
}
