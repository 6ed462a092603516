package setup

import (
	"context"

	"sigs.k8s.io/controller-runtime/pkg/client"

	"github.com/crossplane/crossplane-runtime/v2/pkg/errors"
	"github.com/crossplane/crossplane-runtime/v2/pkg/reconciler/managed"
	"github.com/crossplane/crossplane-runtime/v2/pkg/resource"
)

// NewFinalizer returns what adds the finalizer of managed resources after Observe, and keeps the status that Observe has set:
// the answer of the API server would reset it.
func NewFinalizer(kube client.Client) resource.Finalizer {
	return finalizer{resource.NewAPIFinalizer(kube, managed.FinalizerName)}
}

type finalizer struct{ resource.Finalizer }

// AddFinalizer adds the finalizer to the stored object, and to the one in memory.
func (f finalizer) AddFinalizer(ctx context.Context, object resource.Object) error {
	stored, ok := object.DeepCopyObject().(resource.Object)
	if !ok {
		return errors.Errorf("the deep copy of %T has another type", object)
	}
	if err := f.Finalizer.AddFinalizer(ctx, stored); err != nil {
		return err
	}
	object.SetFinalizers(stored.GetFinalizers())
	object.SetResourceVersion(stored.GetResourceVersion())
	return nil
}
