package provider

import (
	"net/http"
	"reflect"
	"testing"

	ctrl "sigs.k8s.io/controller-runtime"
	"sigs.k8s.io/controller-runtime/pkg/reconcile"

	"github.com/crossplane/crossplane-runtime/v2/pkg/controller"
	"github.com/crossplane/crossplane-runtime/v2/pkg/resource"

	ec2 "github.com/mrgen-io/provider-example/apis/namespaced/ec2/v1beta1"
	sql "github.com/mrgen-io/provider-example/apis/namespaced/sql/v1beta1"

	"github.com/mrgen-io/mrgen/testdata/e2e/internal/cloud"
	"github.com/mrgen-io/mrgen/testdata/life"
)

// definitions is the folder with the CRDs.
const definitions = "../../../provider-example/package/crds"

// TestLives lives the lives of kinds of provider-example, without a control plane.
func TestLives(t *testing.T) {
	for _, tc := range []struct {
		managed resource.Managed
		kind    reconciling
		life    life.Kind
	}{
		{managed: &ec2.VPC{}, kind: vpc},
		{managed: &ec2.Subnet{}, kind: subnet},
		{managed: &sql.DatabaseInstance{}, kind: instance, life: life.Kind{
			Keys: []string{"endpoint", "username"},
			Without: map[string]string{
				"deletionProtection":             "nothing deletes a protected instance",
				"rootPasswordSecretRef":          "the API never shows the password",
				"connection secret":              "the API tells the password that it chooses once",
				"replicaConfiguration.clientKey": "the status has no secrets to compare it with",
				"two owners":                     "the API has no tags that say whose an instance is",
			},
		}},
	} {
		kind := tc.life
		kind.Managed = tc.managed
		kind.AddToScheme = addTypes
		kind.Definitions = definitions
		kind.Manifests = []string{"testdata/*.yaml"}
		kind.External = func() (life.External, life.Process) {
			external := cloud.New()
			external.Add("here", cloud.VPCs, cloud.Document{"vpcId": "target-id", "cidrBlock": "10.0.0.0/8"})
			http.DefaultClient.Transport = external
			return external, tc.kind.reconciler
		}
		t.Run(reflect.TypeOf(tc.managed).Elem().Name(), func(t *testing.T) { life.Live(t, kind) })
	}
	http.DefaultClient.Transport = nil
}

// A reconciling has the reconciler of a kind.
type reconciling interface {
	reconciler(ctrl.Manager, controller.Options) reconcile.Reconciler
}

// TestRealLife lives a life with an API that a life can't look into, and checks that nothing is left of it.
func TestRealLife(t *testing.T) {
	external := cloud.New()
	http.DefaultClient.Transport = external
	defer func() { http.DefaultClient.Transport = nil }()
	t.Setenv("LIFE_API", "testdata")
	life.Live(t, life.Kind{
		Managed: &ec2.VPC{}, AddToScheme: addTypes, Definitions: definitions,
		Manifests: []string{"testdata/*.yaml"}, Real: vpc.reconciler,
	})
	if left := external.All(); len(left) > 0 || len(external.Changes("here")) < 3 {
		t.Errorf("there is still %v after %v", left, external.Changes("here"))
	}
}
