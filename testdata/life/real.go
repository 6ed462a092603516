package life

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"os"
	"reflect"
	"slices"
	"time"

	kerrors "k8s.io/apimachinery/pkg/api/errors"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/client-go/tools/record"
	"sigs.k8s.io/controller-runtime/pkg/client"
	"sigs.k8s.io/controller-runtime/pkg/client/config"
	"sigs.k8s.io/controller-runtime/pkg/reconcile"

	"github.com/crossplane/crossplane-runtime/v2/pkg/meta"
)

// A real is a short life with a real API, in memory or in the cluster of KUBECONFIG: create, edits, import, delete.
type real struct {
	*life
	kube    client.Client
	running reconcile.Reconciler
	name    string
	wait    time.Duration
}

// liveReally lives with a real API. All that it makes is deleted, also after a failure.
func (l *life) liveReally(wait time.Duration) error {
	if l.Real == nil {
		return errors.New("LIFE_API is set, and life.Kind has no Real: set it to the reconciler of Setup")
	}
	r := &real{life: l, kube: l.cluster.Client("provider", nil), name: fmt.Sprintf("life-%x", time.Now().UnixNano()), wait: wait}
	if os.Getenv("KUBECONFIG") != "" {
		of, err := config.GetConfig()
		if err != nil {
			return err
		}
		direct, err := client.New(of, client.Options{Scheme: l.scheme})
		if err != nil {
			return err
		}
		r.kube = naming{direct}
	}
	for _, o := range l.objects {
		switch err := r.kube.Create(ctx, withoutTexts(o)); {
		case kerrors.IsAlreadyExists(err):
		case err != nil:
			return err
		default:
			defer func() { _ = r.kube.Delete(ctx, o.DeepCopy()) }() // in memory there is nothing to delete
		}
	}
	r.running = l.Real(NewManager(r.kube, &record.FakeRecorder{}), optionsOf())
	defer r.deletes(r.name)
	r.step = "create"
	if r.creates(r.name, l.example, "") {
		for _, e := range l.edits {
			r.edits(e)
		}
		r.imports()
	}
	return nil
}

// A naming client sets the kind of each object that it reads, as the cache of a manager does.
type naming struct{ client.Client }

// Get implements client.Client.
func (c naming) Get(ctx context.Context, key client.ObjectKey, object client.Object, options ...client.GetOption) error {
	if err := c.Client.Get(ctx, key, object, options...); err != nil {
		return err
	}
	gvk, err := c.GroupVersionKindFor(object)
	object.GetObjectKind().SetGroupVersionKind(gvk)
	return err
}

// get returns a managed resource, nil if it is gone.
func (r *real) get(name string) *unstructured.Unstructured {
	u := r.managed(r.namespace, name, nil)
	if r.kube.Get(ctx, client.ObjectKeyFromObject(u), u) != nil {
		return nil
	}
	return u
}

// await looks at a managed resource until something holds. Otherwise it fails with what the conditions say.
func (r *real) await(name string, c cause, subject string, holds func(*unstructured.Unstructured) bool) bool {
	r.done()
	pause, end := 10*time.Millisecond, time.Now().Add(r.wait)
	for time.Now().Before(end) {
		r.looks++
		_, err := r.running.Reconcile(ctx, reconcile.Request{NamespacedName: client.ObjectKeyFromObject(r.managed(r.namespace, name, nil))})
		if holds(r.get(name)) && err == nil {
			return true
		}
		time.Sleep(pause)
		pause = min(2*pause, 10*time.Second)
	}
	_, _, why := condition(r.get(name), "Synced")
	r.fail(r.step+" with the real API", c, subject, "%s", why)
	return false
}

// isWell reports whether a managed resource is healthy, and its status has what its spec wants.
func (r *real) isWell(u *unstructured.Unstructured) bool {
	synced, _, _ := condition(u, "Synced")
	ready, _, _ := condition(u, "Ready")
	if synced != "True" || ready != "True" {
		return false
	}
	observed := status(u)
	wanted, _, _ := unstructured.NestedMap(u.Object, "spec", "forProvider")
	for _, f := range slices.Sorted(maps.Keys(wanted)) {
		if has, isObserved := observed[f]; isObserved && !holds(has, shownBy(within(r.observation, f), wanted[f])) {
			return false
		}
	}
	return len(observed) > 0
}

func (r *real) creates(name string, spec map[string]any, external string) bool {
	u := r.managed(r.namespace, name, spec)
	if external != "" {
		meta.SetExternalName(u, external)
	}
	if err := r.kube.Create(ctx, u); err != nil {
		r.fail(r.step, nothingDone, "", "%v", err)
		return false
	}
	return r.await(name, notHealthy, "", r.isWell)
}

// edits makes an edit that can be made again.
func (r *real) edits(e edit) {
	u := r.get(r.name)
	if u == nil || e.isFixed {
		return
	}
	u.Object["spec"] = e.in(u.Object["spec"].(map[string]any), e.values[1])
	if r.kube.Update(ctx, u) != nil {
		return // it isn't valid beside the rest of this example
	}
	r.step = "edits"
	r.await(r.name, notSent, e.String(), r.isWell)
}

func (r *real) imports() {
	r.step = "import"
	spec := r.withPolicies("Observe")
	name := r.name + "-import"
	r.creates(name, spec, meta.GetExternalName(r.get(r.name)))
	if u := r.get(name); u != nil && !reflect.DeepEqual(u.Object["spec"].(map[string]any)["forProvider"], spec["forProvider"]) {
		r.fail(r.step, importWrites, "", "spec.forProvider became %s", text(u.Object["spec"]))
	}
	r.deletes(name)
}

// deletes deletes a managed resource, and its external resource with it if its policies say so.
func (r *real) deletes(name string) {
	if u := r.get(name); u != nil {
		r.step = "delete"
		_ = r.kube.Delete(ctx, u) // or it isn't gone below
		r.await(name, notDeleted, "", func(u *unstructured.Unstructured) bool { return u == nil })
	}
}
