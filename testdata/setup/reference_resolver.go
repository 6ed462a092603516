package setup

import (
	"context"
	"fmt"

	"sigs.k8s.io/controller-runtime/pkg/client"
)

// A ReferenceResolver resolves the references of managed resources, and keeps all resolved fields. The default of
// crossplane-runtime applies the fields that one reconcile resolves, which removes those of earlier reconciles.
type ReferenceResolver[M client.Object] struct{ kube client.Client }

// NewReferenceResolver returns a resolver for managed.WithReferenceResolver, with resource.Managed for M.
func NewReferenceResolver[M client.Object](kube client.Client) ReferenceResolver[M] {
	return ReferenceResolver[M]{kube: kube}
}

// ResolveReferences calls the ResolveReferences method of a managed resource, if any, and saves its changes.
func (r ReferenceResolver[M]) ResolveReferences(ctx context.Context, mg M) error {
	referencer, ok := client.Object(mg).(interface {
		ResolveReferences(ctx context.Context, c client.Reader) error
	})
	if !ok {
		return nil
	}
	before, ok := mg.DeepCopyObject().(client.Object)
	if !ok {
		return fmt.Errorf("the deep copy of %T has another type", mg)
	}
	if err := referencer.ResolveReferences(ctx, r.kube); err != nil {
		return fmt.Errorf("cannot resolve references: %w", err)
	}
	changes, err := client.MergeFrom(before).Data(mg)
	if err != nil {
		return fmt.Errorf("cannot compare the resolved references: %w", err)
	}
	if string(changes) == "{}" {
		return nil
	}
	// The patch replaces whole lists, so it must not overwrite a change that came in between.
	patch := client.MergeFromWithOptions(before, client.MergeFromWithOptimisticLock{})
	if err := r.kube.Patch(ctx, mg, patch); err != nil {
		return fmt.Errorf("cannot save the resolved references: %w", err)
	}
	return nil
}
