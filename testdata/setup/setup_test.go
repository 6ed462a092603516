package setup

import (
	"context"
	"strings"
	"testing"
	"time"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/types"
	"k8s.io/client-go/tools/record"
	"sigs.k8s.io/controller-runtime/pkg/client"
	"sigs.k8s.io/controller-runtime/pkg/reconcile"

	"github.com/crossplane/crossplane-runtime/v2/pkg/controller"
	"github.com/crossplane/crossplane-runtime/v2/pkg/feature"
	"github.com/crossplane/crossplane-runtime/v2/pkg/logging"
	"github.com/crossplane/crossplane-runtime/v2/pkg/meta"
	"github.com/crossplane/crossplane-runtime/v2/pkg/reconciler/managed"
	"github.com/crossplane/crossplane-runtime/v2/pkg/resource"
	"github.com/crossplane/crossplane-runtime/v2/pkg/resource/fake"
	"github.com/crossplane/crossplane-runtime/v2/pkg/test"
	xpv2 "github.com/crossplane/crossplane/apis/v2/core/v2"
)

// manager is crossplane-runtime's fake with a recorder of events.
type manager struct {
	fake.Manager
	record.EventRecorder
}

func (m *manager) GetEventRecorderFor(string) record.EventRecorder { return m.EventRecorder }

// A log knows whether it was written to.
type log struct{ isWritten *bool }

func (l log) Info(string, ...any)              { *l.isWritten = true }
func (l log) Debug(string, ...any)             { *l.isWritten = true }
func (l log) WithValues(...any) logging.Logger { return l }

// TestNewReconciler checks what the options of all controllers do that their lives may lack.
func TestNewReconciler(t *testing.T) {
	var patch types.PatchType
	upToDate, synced := true, ""
	kube := &test.MockClient{
		MockGet: func(_ context.Context, _ client.ObjectKey, object client.Object) error {
			if r, ok := object.(*referencer); ok {
				r.ObjectMeta = metav1.ObjectMeta{Name: "example", ResourceVersion: "7"}
				meta.AddAnnotations(r, map[string]string{"crossplane.io/poll-interval": "1ms"})
				r.resolved = map[string]string{"first": "1"}
			}
			return nil
		},
		MockUpdate: test.NewMockUpdateFn(nil),
		MockStatusUpdate: func(_ context.Context, object client.Object, _ ...client.SubResourceUpdateOption) error {
			if r, ok := object.(*referencer); ok {
				synced = r.GetCondition(xpv2.TypeSynced).Message
			}
			return nil
		},
		MockPatch: func(_ context.Context, _ client.Object, p client.Patch, _ ...client.PatchOption) error {
			patch = p.Type()
			return nil
		},
	}
	mgr := &manager{Manager: fake.Manager{Client: kube, Scheme: fake.SchemeWith(&referencer{})}, EventRecorder: &record.FakeRecorder{}}
	connector := managed.TypedExternalConnectorFn[resource.Managed](func(context.Context, resource.Managed) (managed.TypedExternalClient[resource.Managed], error) {
		return managed.TypedExternalClientFns[resource.Managed]{
			ObserveFn: func(context.Context, resource.Managed) (managed.ExternalObservation, error) {
				return managed.ExternalObservation{ResourceExists: true, ResourceUpToDate: upToDate, Diff: "size"}, nil
			},
			UpdateFn: func(context.Context, resource.Managed) (managed.ExternalUpdate, error) {
				return managed.ExternalUpdate{}, nil
			},
			DisconnectFn: func(context.Context) error { return nil },
		}, nil
	})
	isLogged := false
	o := controller.Options{Logger: log{&isLogged}, PollInterval: time.Hour, Features: &feature.Flags{}}
	r := NewReconciler(mgr, o, fake.GVK(&referencer{}), connector)
	result, err := r.Reconcile(t.Context(), reconcile.Request{NamespacedName: types.NamespacedName{Name: "example"}})
	if err != nil {
		t.Fatal(err)
	}
	if patch != types.MergePatchType {
		t.Errorf("resolved references are saved by a patch of type %q, which removes those that were resolved before: "+
			"NewReconciler needs managed.WithReferenceResolver(NewReferenceResolver[resource.Managed](mgr.GetClient()))", patch)
	}
	upToDate = false
	for range mostUpdates + 1 {
		if _, err := r.Reconcile(t.Context(), reconcile.Request{NamespacedName: types.NamespacedName{Name: "example"}}); err != nil {
			t.Fatal(err)
		}
	}
	if !strings.Contains(synced, "size") {
		t.Errorf("after %d updates without effect, Synced says %q, and not what differs: NewReconciler needs "+
			"managed.WithTypedExternalConnector(ReportUpdates(connector))", mostUpdates+1, synced)
	}
	if !isLogged {
		t.Error("nothing is logged, so that --debug tells nothing of managed resources: NewReconciler needs managed.WithLogger")
	}
	if result.RequeueAfter < minPollInterval/2 {
		t.Errorf("an annotation makes the external API be asked each %s: NewReconciler needs managed.WithMinPollInterval", result.RequeueAfter)
	}
}
