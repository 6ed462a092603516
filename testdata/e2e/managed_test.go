package e2e_test

import (
	"errors"
	"net/http"
	"slices"
	"testing"

	apiextensionsv1 "k8s.io/apiextensions-apiserver/pkg/apis/apiextensions/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"sigs.k8s.io/controller-runtime/pkg/client"

	"github.com/mrgen-io/mrgen/testdata/e2e/internal/cloud"
)

// TestManagedVPC guards the life of a managed resource, and with it all that is
// generated for its controller: the method set, LateInitialize, Diff and the observed
// types.
func TestManagedVPC(t *testing.T) {
	s := newScenario(t)
	vpc := s.create(`
apiVersion: ec2.m.aws.crossplane.io/v1beta1
kind: VPC
metadata:
  name: managed
spec:
  forProvider:
    region: REGION
    cidrBlock: 10.0.0.0/16
    ipv6CidrBlock: 2001:db8::/56
    ipv6Pool: pool
    enableDnsHostNames: true
    tags:
    - {key: team, value: network}
`)
	s.conditions(vpc, "Ready=True", "Synced=True")
	id := externalName(vpc)
	s.eventually(vpc, "status.atProvider is what the external API says", func() error {
		return errors.Join(
			is("status.atProvider", field(vpc, "status.atProvider"), sky.Get(s.region, cloud.VPCs, id)),
			is("fields without a value", missing(s, vpc, "vpcs.ec2.m.aws.crossplane.io"), nil),
		)
	})
	s.eventually(vpc, "defaults of the external API are in the spec, beside what the user wants", func() error {
		return is("spec.forProvider", field(vpc, "spec.forProvider"), cloud.Document{
			"region":             s.region,
			"cidrBlock":          "10.0.0.0/16",
			"ipv6CidrBlock":      "2001:db8::/56",
			"ipv6Pool":           "pool",
			"enableDnsHostNames": true,
			"enableDnsSupport":   true,
			"instanceTenancy":    "default",
			"tags":               []any{cloud.Document{"key": "team", "value": "network"}},
		})
	})
	s.changes("POST vpcs")

	s.change(vpc, `{"spec":{"forProvider":{"tags":[{"key":"team","value":"platform"}]}}}`)
	s.eventually(vpc, "the external resource is changed", func() error {
		return is("tags", field(vpc, "status.atProvider.tags"), []any{cloud.Document{"key": "team", "value": "platform"}})
	})
	s.changes("POST vpcs", "PATCH vpcs/"+id)

	sky.Set(s.region, cloud.VPCs, id, cloud.Document{"enableDnsHostNames": false})
	s.eventually(vpc, "what others change is changed back", func() error {
		return is("enableDnsHostNames", sky.Get(s.region, cloud.VPCs, id)["enableDnsHostNames"], true)
	})
	s.changes("POST vpcs", "PATCH vpcs/"+id, "PATCH vpcs/"+id)

	s.delete(vpc)
	if err := is("the external resource", sky.Get(s.region, cloud.VPCs, id), nil); err != nil {
		t.Error(err)
	}
	s.changes("POST vpcs", "PATCH vpcs/"+id, "PATCH vpcs/"+id, "DELETE vpcs/"+id)
}

// TestTakeAway guards that what a user takes away is gone, here and outside, and that all is at rest
// then.
func TestTakeAway(t *testing.T) {
	s := newScenario(t)
	vpc := s.create(`
apiVersion: ec2.m.aws.crossplane.io/v1beta1
kind: VPC
metadata:
  name: taken
spec:
  forProvider:
    region: REGION
    cidrBlock: 10.0.0.0/16
    tags:
    - {key: team, value: network}
    - {key: phase, value: test}
`)
	s.conditions(vpc, "Ready=True", "Synced=True")
	id := externalName(vpc)
	s.change(vpc, `{"spec":{"forProvider":{"tags":[{"key":"team","value":"network"}]}}}`)
	left := func() error {
		tags := []any{cloud.Document{"key": "team", "value": "network"}}
		return errors.Join(is("spec", field(vpc, "spec.forProvider.tags"), tags), is("tags", sky.Get(s.region, cloud.VPCs, id)["tags"], tags))
	}
	s.eventually(vpc, "the tag is gone", left)
	generation := vpc.GetGeneration()
	s.remains(vpc, func() error { return errors.Join(left(), is("the generation", vpc.GetGeneration(), generation)) })
	s.changes("POST vpcs", "PATCH vpcs/"+id)
	s.conditions(vpc, "Synced=True")
}

// TestFailures guards that a user sees why the external API fails, and that all goes
// on when it no longer does.
func TestFailures(t *testing.T) {
	s := newScenario(t)
	repair := sky.Fail(s.region, cloud.VPCs, http.MethodPost, http.StatusServiceUnavailable)
	vpc := s.create(`
apiVersion: ec2.m.aws.crossplane.io/v1beta1
kind: VPC
metadata:
  name: unlucky
spec:
  forProvider: {region: REGION, cidrBlock: 10.0.0.0/16}
`)
	for _, method := range []string{http.MethodPost, http.MethodGet, http.MethodPatch} {
		message := s.conditions(vpc, "Synced=False")
		if want := "503 Service Unavailable"; !contains(message, method+" ", want) {
			t.Errorf("%s: the message is %q", method, message)
		}
		repair()
		s.conditions(vpc, "Ready=True", "Synced=True")
		switch method {
		case http.MethodPost:
			repair = sky.Fail(s.region, cloud.VPCs, http.MethodGet, http.StatusServiceUnavailable)
		case http.MethodGet:
			repair = sky.Fail(s.region, cloud.VPCs, http.MethodPatch, http.StatusServiceUnavailable)
			s.change(vpc, `{"spec":{"forProvider":{"enableDnsSupport":false}}}`)
		}
	}
}

// TestClusterScoped guards the methods of kinds that are cluster scoped, which have a
// deletion policy and other references.
func TestClusterScoped(t *testing.T) {
	s := newScenario(t)
	vpc := s.create(`
apiVersion: ec2.aws.crossplane.io/v1beta1
kind: VPC
metadata:
  name: orphaned
spec:
  deletionPolicy: Orphan
  forProvider: {region: REGION, cidrBlock: 10.0.0.0/16}
`)
	s.conditions(vpc, "Ready=True", "Synced=True")
	subnet := s.create(`
apiVersion: ec2.aws.crossplane.io/v1beta1
kind: Subnet
metadata:
  name: deleted
spec:
  forProvider: {region: REGION, cidrBlock: 10.0.0.0/24, vpcIdRef: {name: orphaned}}
`)
	s.conditions(subnet, "Ready=True", "Synced=True")
	if err := is("spec.forProvider.vpcId", field(subnet, "spec.forProvider.vpcId"), externalName(vpc)); err != nil {
		t.Error(err)
	}
	s.delete(vpc)
	s.delete(subnet)
	if sky.Get(s.region, cloud.VPCs, externalName(vpc)) == nil {
		t.Error("the external resource is deleted in spite of deletionPolicy: Orphan")
	}
	s.changes("POST vpcs", "POST subnets", "DELETE subnets/"+externalName(subnet))
}

// TestReconcileRequest guards that a user who asks for a reconciliation, in either
// scope, sees when it is done: the reconciler reads and writes what it has handled by
// methods of the managed resource.
func TestReconcileRequest(t *testing.T) {
	for scope, group := range map[string]string{"namespaced": "ec2.m.aws.crossplane.io", "cluster": "ec2.aws.crossplane.io"} {
		t.Run(scope, func(t *testing.T) {
			s := newScenario(t)
			vpc := s.create(`
apiVersion: ` + group + `/v1beta1
kind: VPC
metadata:
  name: requested
spec:
  forProvider: {region: REGION, cidrBlock: 10.0.0.0/16}
`)
			s.conditions(vpc, "Ready=True", "Synced=True")
			if err := is("status.lastHandledReconcileAt", field(vpc, "status.lastHandledReconcileAt"), nil); err != nil {
				t.Error(err)
			}
			for _, token := range []string{"2026-01-02T03:04:05Z", "again"} {
				s.change(vpc, `{"metadata":{"annotations":{"crossplane.io/reconcile-requested-at":"`+token+`"}}}`)
				s.eventually(vpc, "the request is handled", func() error {
					return is("status.lastHandledReconcileAt", field(vpc, "status.lastHandledReconcileAt"), token)
				})
			}
			s.delete(vpc)
		})
	}
}

// TestPollInterval guards that a user decides how often an external resource is looked at.
func TestPollInterval(t *testing.T) {
	s := newScenario(t)
	vpc := s.create(`
apiVersion: ec2.m.aws.crossplane.io/v1beta1
kind: VPC
metadata:
  name: patient
spec:
  forProvider: {region: REGION, cidrBlock: 10.0.0.0/16}
`)
	s.conditions(vpc, "Ready=True", "Synced=True")
	s.change(vpc, `{"metadata":{"annotations":{"crossplane.io/poll-interval":"1h","crossplane.io/reconcile-requested-at":"now"}}}`)
	s.eventually(vpc, "the next look is an hour away", func() error {
		return is("status.lastHandledReconcileAt", field(vpc, "status.lastHandledReconcileAt"), "now")
	})
	before := field(vpc, "status.atProvider.ownerId")
	sky.Set(s.region, cloud.VPCs, externalName(vpc), cloud.Document{"ownerId": "210987654321"})
	s.remains(vpc, func() error { return is("ownerId", field(vpc, "status.atProvider.ownerId"), before) })

	s.change(vpc, `{"metadata":{"annotations":{"crossplane.io/poll-interval":"1ms"}}}`)
	for _, owner := range []string{"210987654321", "111111111111"} {
		sky.Set(s.region, cloud.VPCs, externalName(vpc), cloud.Document{"ownerId": owner})
		s.eventually(vpc, "what is changed outside is seen", func() error {
			return is("ownerId", field(vpc, "status.atProvider.ownerId"), owner)
		})
	}
	s.delete(vpc)
}

// TestProviderConfig guards the methods of ProviderConfigs and their usages: a
// ProviderConfig stays for as long as it is used.
func TestProviderConfig(t *testing.T) {
	s := newScenario(t)
	config := s.create(`
apiVersion: example.crossplane.io/v1alpha1
kind: ProviderConfig
metadata:
  name: mine
spec:
  credentials:
    source: Secret
    secretRef: {namespace: crossplane-system, name: credentials, key: json}
`)
	vpc := s.create(`
apiVersion: ec2.m.aws.crossplane.io/v1beta1
kind: VPC
metadata:
  name: user
spec:
  providerConfigRef: {kind: ProviderConfig, name: mine}
  forProvider: {region: REGION, cidrBlock: 10.0.0.0/16}
`)
	s.conditions(vpc, "Ready=True", "Synced=True")
	s.eventually(config, "the user is counted", func() error {
		return is("status.users", field(config, "status.users"), 1)
	})
	if err := kube.Delete(s.Context(), config); err != nil {
		t.Fatal(err)
	}
	s.eventually(config, "the deletion waits", func() error {
		status, message := conditionOf(config, "Terminating")
		return is("Terminating: "+message, status, "True")
	})
	s.remains(config, func() error { return nil })
	// Nothing collects garbage on this control plane, as the usage of a managed
	// resource that is gone.
	s.delete(vpc)
	if err := kube.Delete(s.Context(), s.object(`
apiVersion: example.crossplane.io/v1alpha1
kind: ProviderConfigUsage
metadata:
  name: `+string(vpc.GetUID()))); err != nil {
		t.Fatal(err)
	}
	s.gone(config)
}

// changes checks the requests to change external resources that were made so far.
func (s *scenario) changes(want ...string) {
	s.Helper()
	if got := sky.Changes(s.region); !slices.Equal(got, want) {
		s.Fatalf("the requests to change something are %q, want %q", got, want)
	}
}

// missing returns the properties that the CRD of an object has in status.atProvider,
// and the object has not.
func missing(s *scenario, object *unstructured.Unstructured, name string) (properties []string) {
	s.Helper()
	crd := &apiextensionsv1.CustomResourceDefinition{}
	if err := kube.Get(s.Context(), client.ObjectKey{Name: name}, crd); err != nil {
		s.Fatal(err)
	}
	schema := crd.Spec.Versions[0].Schema.OpenAPIV3Schema
	for property := range schema.Properties["status"].Properties["atProvider"].Properties {
		if field(object, "status.atProvider."+property) == nil {
			properties = append(properties, property)
		}
	}
	slices.Sort(properties)
	return properties
}
