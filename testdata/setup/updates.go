package setup

import (
	"context"
	"reflect"
	"strings"
	"sync"

	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/types"

	"github.com/crossplane/crossplane-runtime/v2/pkg/errors"
	"github.com/crossplane/crossplane-runtime/v2/pkg/reconciler/managed"
	"github.com/crossplane/crossplane-runtime/v2/pkg/resource"
)

// mostUpdates is how many updates in a row may be without effect before there is an error: the external
// API may answer once with what was before.
const mostUpdates = 2

// KeepObserved returns the desired state with the observed values at some paths, since an API may refuse a request
// with another value. Of a path into a list or a map, it keeps all of that. That nothing was observed is an error: updates are of what exists.
func KeepObserved[P, O any](desired P, observed *O, paths []string) (P, error) {
	if reflect.ValueOf(observed).Elem().IsZero() {
		return desired, errors.New("Observe kept nothing for Update: set e.observed there, beside status.atProvider, which the reconciler resets")
	}
	if len(paths) == 0 {
		return desired, nil
	}
	var kept P
	from, err := runtime.DefaultUnstructuredConverter.ToUnstructured(observed)
	if err != nil {
		return kept, errors.Wrap(err, "cannot encode the observed state")
	}
	to, err := runtime.DefaultUnstructuredConverter.ToUnstructured(&desired)
	if err != nil {
		return kept, errors.Wrap(err, "cannot encode the desired state")
	}
	for _, path := range paths {
		path, _, _ = strings.Cut(path, "[")
		fields := strings.Split(path, ".")
		unstructured.RemoveNestedField(to, fields...)
		value, found, err := unstructured.NestedFieldCopy(from, fields...)
		if err == nil && found {
			err = unstructured.SetNestedField(to, value, fields...)
		}
		if err != nil {
			return kept, errors.Wrapf(err, "cannot keep the observed %s", path)
		}
	}
	return kept, errors.Wrap(runtime.DefaultUnstructuredConverter.FromUnstructured(to, &kept), "cannot keep the observed state")
}

// ImmutableError returns an error if there are fields that differ and can't be changed.
func ImmutableError(fields []string) error {
	if len(fields) == 0 {
		return nil
	}
	return errors.Errorf("%s can't be changed: revert it; or set managementPolicies to [Observe], correct it, and manage the resource again. "+
		"Deleting the managed resource destroys the external resource", strings.Join(fields, ", "))
}

// ReportUpdates returns a connector whose updates return an error if the external resource differs
// after several of them, so that the condition Synced names the fields.
func ReportUpdates[T resource.Managed](connector managed.TypedExternalConnector[T]) managed.TypedExternalConnector[T] {
	counts := &updateCounts{counts: map[types.UID]updateCount{}}
	return managed.TypedExternalConnectorFn[T](func(ctx context.Context, mg T) (managed.TypedExternalClient[T], error) {
		client, err := connector.Connect(ctx, mg)
		if err != nil {
			return nil, err
		}
		return &reporting[T]{TypedExternalClient: client, counts: counts}, nil
	})
}

// updateCounts are how often the external resources were updated without being up to date since.
type updateCounts struct {
	mutex  sync.Mutex
	counts map[types.UID]updateCount
}

// An updateCount is for a generation of a managed resource.
type updateCount struct {
	generation int64
	count      int
}

// reporting is a client whose updates return an error if they have no effect.
type reporting[T resource.Managed] struct {
	managed.TypedExternalClient[T]
	counts      *updateCounts
	differences string
}

// Observe notes how the external resource differs.
func (r *reporting[T]) Observe(ctx context.Context, mg T) (managed.ExternalObservation, error) {
	observation, err := r.TypedExternalClient.Observe(ctx, mg)
	r.differences = observation.Diff
	if err == nil && (observation.ResourceUpToDate || !observation.ResourceExists) {
		r.counts.forget(mg)
	}
	return observation, err
}

// Update updates the external resource, and returns an error if earlier updates had no effect.
func (r *reporting[T]) Update(ctx context.Context, mg T) (managed.ExternalUpdate, error) {
	update, err := r.TypedExternalClient.Update(ctx, mg)
	if err == nil && r.counts.add(mg) > mostUpdates {
		err = errors.Errorf("the external resource differs in spite of updates: %s", r.differences)
	}
	return update, err
}

// forget forgets the updates of an external resource.
func (u *updateCounts) forget(mg resource.Managed) {
	u.mutex.Lock()
	defer u.mutex.Unlock()
	delete(u.counts, mg.GetUID())
}

// add counts an update, and returns how many there were in a row.
func (u *updateCounts) add(mg resource.Managed) int {
	u.mutex.Lock()
	defer u.mutex.Unlock()
	c := u.counts[mg.GetUID()]
	if c.generation != mg.GetGeneration() {
		c = updateCount{generation: mg.GetGeneration()}
	}
	c.count++
	u.counts[mg.GetUID()] = c
	return c.count
}
