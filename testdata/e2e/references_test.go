package e2e_test

import (
	"errors"
	"testing"

	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"

	"github.com/mrgen-io/mrgen/testdata/e2e/internal/cloud"
)

// observedVPC creates a VPC in a namespace that is only observed, with labels in
// YAML.
func (s *scenario) observedVPC(namespace, name, labels string) *unstructured.Unstructured {
	s.Helper()
	id := sky.Add(s.region, cloud.VPCs, cloud.Document{"cidrBlock": "172.16.0.0/16"})
	return s.create(`
apiVersion: ec2.m.aws.crossplane.io/v1beta1
kind: VPC
metadata:
  name: ` + name + `
  namespace: ` + namespace + `
  labels: ` + labels + `
  annotations:
    crossplane.io/external-name: ` + id + `
spec:
  managementPolicies: [Observe]
  forProvider:
    region: REGION
`)
}

// subnet creates a Subnet with a reference or a selector, in YAML.
func (s *scenario) subnet(name, reference string) *unstructured.Unstructured {
	s.Helper()
	return s.create(`
apiVersion: ec2.m.aws.crossplane.io/v1beta1
kind: Subnet
metadata:
  name: ` + name + `
spec:
  forProvider:
    region: REGION
    cidrBlock: 172.16.0.0/24
    ` + reference)
}

// in checks that a subnet is in a VPC, for Kubernetes and for the external API.
func (s *scenario) in(subnet, vpc *unstructured.Unstructured) {
	s.Helper()
	s.conditions(subnet, "Ready=True", "Synced=True")
	want := externalName(vpc)
	if err := errors.Join(
		is("spec.forProvider.vpcId", field(subnet, "spec.forProvider.vpcId"), want),
		is("spec.forProvider.vpcIdRef.name", field(subnet, "spec.forProvider.vpcIdRef.name"), vpc.GetName()),
		is("vpcId outside", sky.Get(s.region, cloud.Subnets, externalName(subnet))["vpcId"], want),
		is("status.atProvider.vpcId", field(subnet, "status.atProvider.vpcId"), want),
	); err != nil {
		s.Error(err)
	}
}

// TestReference guards the generated resolver: a Subnet with vpcIdRef is created in
// the VPC of that name, even if that is only observed. It waits for a VPC that isn't
// there yet, and says so.
func TestReference(t *testing.T) {
	s := newScenario(t)
	vpc := s.observedVPC(s.namespace, "existing", "{}")
	s.in(s.subnet("by-name", "vpcIdRef: {name: existing}"), vpc)

	early := s.subnet("early", "vpcIdRef: {name: late}")
	message := s.conditions(early, "Synced=False")
	if want := `spec.forProvider.vpcId: cannot resolve reference to VPC "late"`; !contains(message, want) {
		t.Errorf("the message is %q", message)
	}
	late := s.observedVPC(s.namespace, "late", "{}")
	s.in(early, late)
}

// TestSelector guards selectors: the VPC with all of the labels is selected, and stays
// selected.
func TestSelector(t *testing.T) {
	s := newScenario(t)
	s.observedVPC(s.namespace, "other", "{tier: private}")
	early := s.subnet("early", "vpcIdSelector: {matchLabels: {tier: public}}")
	message := s.conditions(early, "Synced=False")
	if want := `spec.forProvider.vpcId: cannot resolve reference to VPC by selector`; !contains(message, want) {
		t.Errorf("the message is %q", message)
	}
	public := s.observedVPC(s.namespace, "public", "{tier: public, env: test}")
	s.in(early, public)
	s.in(s.subnet("labelled", "vpcIdSelector: {matchLabels: {tier: public, env: test}}"), public)

	s.change(public, `{"metadata":{"labels":{"tier":"private"}}}`)
	s.remains(early, func() error {
		return is("spec.forProvider.vpcId", field(early, "spec.forProvider.vpcId"), externalName(public))
	})
}

// TestNamespaces guards that references of namespaced kinds stay in their namespace,
// unless they name another.
func TestNamespaces(t *testing.T) {
	s := newScenario(t)
	other := s.namespace + "-other"
	s.newNamespace(other)
	foreign := s.observedVPC(other, "shared", "{tier: public}")
	own := s.subnet("own", "vpcIdRef: {name: shared}")
	selected := s.subnet("selected", "vpcIdSelector: {matchLabels: {tier: public}}")
	s.conditions(own, "Synced=False")
	s.conditions(selected, "Synced=False")
	s.in(s.subnet("foreign", "vpcIdRef: {name: shared, namespace: "+other+"}"), foreign)
	s.in(s.subnet("foreign-selected", "vpcIdSelector: {matchLabels: {tier: public}, namespace: "+other+"}"), foreign)

	mine := s.observedVPC(s.namespace, "shared", "{tier: public}")
	s.in(own, mine)
	s.in(selected, mine)
}
