package provider

import (
	"net/http"
	"os"
	"path/filepath"
	"reflect"
	"testing"

	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/api/meta"
	ctrl "sigs.k8s.io/controller-runtime"
	"sigs.k8s.io/controller-runtime/pkg/client"
	"sigs.k8s.io/controller-runtime/pkg/reconcile"

	"github.com/crossplane/crossplane-runtime/v2/pkg/controller"
	"github.com/crossplane/crossplane-runtime/v2/pkg/resource"

	ec2 "github.com/mrgen-io/provider-example/apis/namespaced/ec2/v1beta1"
	sql "github.com/mrgen-io/provider-example/apis/namespaced/sql/v1beta1"
	"github.com/mrgen-io/provider-example/apis/v1alpha1"

	"github.com/mrgen-io/mrgen/testdata/e2e/internal/cloud"
	"github.com/mrgen-io/mrgen/testdata/e2e/internal/controlplane"
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
			Keys: []string{"connectionName", "endpoint", "password", "privateIP", "publicIP", "username"},
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

// TestRealLife lives a life with an API that a life can't look into, and checks that nothing is left of it there.
func TestRealLife(t *testing.T) {
	t.Run("in memory", liveReally)
	t.Run("in a cluster", func(t *testing.T) {
		plane, err := controlplane.StartAPIServer(t.Context(), os.Stderr)
		if err != nil {
			t.Fatal(err)
		}
		defer func() {
			plane.Stop()
			if err := plane.Remove(); err != nil {
				t.Error(err)
			}
		}()
		crds, err := filepath.Glob(definitions + "/*.yaml")
		if err == nil {
			err = plane.InstallCRDs(crds...)
		}
		if err != nil {
			t.Fatal(err)
		}
		t.Setenv("KUBECONFIG", filepath.Join(plane.Folder(), "kubeconfig"))
		liveReally(t)
		scheme, err := Scheme()
		if err != nil {
			t.Fatal(err)
		}
		kube, err := client.New(plane.Config(), client.Options{Scheme: scheme})
		if err != nil {
			t.Fatal(err)
		}
		for _, list := range []client.ObjectList{&ec2.VPCList{}, &v1alpha1.ClusterProviderConfigList{}, &corev1.SecretList{}} {
			if err := kube.List(t.Context(), list); err != nil || meta.LenList(list) > 0 {
				t.Errorf("%T: there are still %d in the cluster, %v", list, meta.LenList(list), err)
			}
		}
	})
}

// liveReally lives the life of a VPC with an API that it can't look into.
func liveReally(t *testing.T) {
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
