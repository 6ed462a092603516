package apis_test

import (
	"strings"
	"testing"

	"github.com/crossplane/crossplane-runtime/v2/pkg/reconciler/managed"
	xpv2 "github.com/crossplane/crossplane/apis/v2/core/v2"

	eks "github.com/mrgen-io/provider-example/apis/cluster/eks/v1beta1"
	ec2 "github.com/mrgen-io/provider-example/apis/namespaced/ec2/v1beta1"
	"github.com/mrgen-io/provider-example/apis/namespaced/sql/v1beta1"
)

// observe is the code that docs/guide/observe-only.md shows.
func observe(cr *ec2.VPC) (managed.ExternalObservation, error) {
	lateInitialized := false
	if managed.NewManagementPoliciesResolver(true, cr.GetManagementPolicies()).ShouldLateInitialize() {
		lateInitialized = cr.Spec.ForProvider.LateInitialize(cr.Status.AtProvider)
	}
	differences := cr.Spec.ForProvider.Diff(cr.Status.AtProvider)
	return managed.ExternalObservation{
		ResourceExists:          true,
		ResourceUpToDate:        len(differences) == 0,
		ResourceLateInitialized: lateInitialized,
		Diff:                    strings.Join(differences, ", "),
	}, nil
}

// TestGuideObserve runs it for a VPC that was changed outside, and has a value that its
// author left open.
func TestGuideObserve(t *testing.T) {
	for _, test := range []struct {
		policy xpv2.ManagementAction
		late   bool
	}{
		{xpv2.ManagementActionAll, true},
		{xpv2.ManagementActionObserve, false},
	} {
		desired, actual, pool := "10.0.0.0/16", "10.1.0.0/16", "pool"
		cr := &ec2.VPC{}
		cr.SetManagementPolicies(xpv2.ManagementPolicies{test.policy})
		cr.Spec.ForProvider.CIDRBlock = &desired
		cr.Status.AtProvider.CIDRBlock = &actual
		cr.Status.AtProvider.IPv6Pool = &pool
		got, err := observe(cr)
		if err != nil || got.ResourceUpToDate || got.Diff != "cidrBlock" || got.ResourceLateInitialized != test.late {
			t.Errorf("%s: got %+v and the error %v", test.policy, got, err)
		}
		if filled := cr.Spec.ForProvider.IPv6Pool != nil; filled != test.late {
			t.Errorf("%s: spec.forProvider.ipv6Pool is filled: %v", test.policy, filled)
		}
	}
}

// create is the code that docs/guide/connection-details.md shows.
func create(instance struct{ ConnectionName, IPAddress string }, password []byte) (managed.ExternalCreation, error) {
	details := v1beta1.DatabaseInstanceConnectionDetails{
		ConnectionName: []byte(instance.ConnectionName),
		Endpoint:       []byte(instance.IPAddress),
		Password:       password,
	}
	return managed.ExternalCreation{ConnectionDetails: details.ConnectionDetails()}, nil
}

// TestGuideCreate runs it for an instance without a password.
func TestGuideCreate(t *testing.T) {
	got, err := create(struct{ ConnectionName, IPAddress string }{"name", "10.0.0.1"}, nil)
	details := got.ConnectionDetails
	if err != nil || len(details) != 2 || string(details["connectionName"]) != "name" || string(details["endpoint"]) != "10.0.0.1" {
		t.Errorf("got %v and the error %v", details, err)
	}
}

// createGroup and observeGroup are the code that docs/guide/write-a-controller.md shows for a kind with
// spec.initProvider.
func createGroup(cr *eks.NodeGroup, send func(eks.NodeGroupParameters) error) (managed.ExternalCreation, error) {
	return managed.ExternalCreation{}, send(cr.Spec.CreateParameters())
}

func observeGroup(cr *eks.NodeGroup) (lateInitialized bool, differences []string) {
	observed := cr.Status.AtProvider
	lateInitialized = cr.Spec.LateInitialize(observed)
	differences = cr.Spec.Diff(observed)
	return lateInitialized, differences
}

// TestGuideInitProvider runs it for a group whose first size is the user's, and later ones an autoscaler's.
func TestGuideInitProvider(t *testing.T) {
	least, first, later := int32(1), int32(2), int32(5)
	cr := &eks.NodeGroup{}
	cr.Spec.ForProvider.ScalingConfig = &eks.NodeGroupScalingConfig{MinSize: &least, MaxSize: &later}
	cr.Spec.InitProvider.ScalingConfig = &eks.NodeGroupScalingConfigInitParameters{DesiredSize: &first}
	var sent eks.NodeGroupParameters
	if _, err := createGroup(cr, func(p eks.NodeGroupParameters) error { sent = p; return nil }); err != nil {
		t.Fatal(err)
	}
	if config := sent.ScalingConfig; *config.DesiredSize != first || *config.MinSize != least {
		t.Errorf("sent %+v", config)
	}
	cr.Status.AtProvider.ScalingConfig = &eks.ObservedNodeGroupScalingConfig{MinSize: &least, MaxSize: &later, DesiredSize: &later}
	lateInitialized, differences := observeGroup(cr)
	if lateInitialized || len(differences) > 0 || cr.Spec.ForProvider.ScalingConfig.DesiredSize != nil {
		t.Errorf("the autoscaler's size is taken over or differs: %v, %q", lateInitialized, differences)
	}
}
