package play

import (
	"context"
	"errors"
	"maps"
	"strings"
	"time"

	"k8s.io/apimachinery/pkg/runtime/schema"
	ctrl "sigs.k8s.io/controller-runtime"
	"sigs.k8s.io/controller-runtime/pkg/reconcile"

	"github.com/crossplane/crossplane-runtime/v2/pkg/controller"
	"github.com/crossplane/crossplane-runtime/v2/pkg/feature"
	"github.com/crossplane/crossplane-runtime/v2/pkg/logging"
	"github.com/crossplane/crossplane-runtime/v2/pkg/meta"
	"github.com/crossplane/crossplane-runtime/v2/pkg/reconciler/managed"
	"github.com/crossplane/crossplane-runtime/v2/pkg/resource"
	xpv2 "github.com/crossplane/crossplane/apis/v2/core/v2"

	"github.com/mrgen-io/mrgen/testdata/simulated"
)

// Parts are what a controller reads and writes of a managed resource, with the methods that mrgen writes.
type Parts[O any] struct {
	// Desired is spec.forProvider, and Observed status.atProvider.
	Desired  any
	Observed *O
	// Own is what has the methods: spec, if it has initProvider, or spec.forProvider.
	Own interface {
		LateInitialize(observed O) bool
		Diff(observed O) []string
	}
	// Created is what the external resource is created with.
	Created any
}

// A Type is that of a kind's managed resources, with its controller.
type Type interface {
	reconciler(mgr ctrl.Manager, of schema.GroupVersionKind, api *simulated.API) reconcile.Reconciler
}

// A Controller is that of a kind, as mrgen add kind writes controllers.
type Controller[M resource.Managed, O any] struct {
	// Parts returns what is in a managed resource.
	Parts func(M) Parts[O]
	// NewReconciler is that of new providers.
	NewReconciler func(ctrl.Manager, controller.Options, schema.GroupVersionKind, managed.TypedExternalConnector[M], ...managed.ReconcilerOption) reconcile.Reconciler
}

func (c Controller[M, O]) reconciler(mgr ctrl.Manager, of schema.GroupVersionKind, api *simulated.API) reconcile.Reconciler {
	connector := managed.TypedExternalConnectorFn[M](func(context.Context, M) (managed.TypedExternalClient[M], error) {
		return &external[M, O]{c, api}, nil
	})
	features := &feature.Flags{}
	features.Enable(feature.EnableBetaManagementPolicies)
	return c.NewReconciler(mgr, controller.Options{Logger: logging.NewNopLogger(), PollInterval: time.Minute, Features: features}, of, connector,
		managed.WithCreationGracePeriod(0), // no time passes between two looks
		managed.WithDeterministicExternalName(true),
	)
}

// external observes and changes external resources.
type external[M resource.Managed, O any] struct {
	Controller[M, O]
	api *simulated.API
}

func (e *external[M, O]) Observe(_ context.Context, mg M) (managed.ExternalObservation, error) {
	d, err := e.api.Get(meta.GetExternalName(mg))
	if errors.Is(err, simulated.ErrNotFound) {
		return managed.ExternalObservation{}, nil
	}
	if err != nil {
		return managed.ExternalObservation{}, err
	}
	parts := e.Parts(mg)
	var observed O
	if err := simulated.Decode(d, &observed); err != nil {
		return managed.ExternalObservation{}, err
	}
	*parts.Observed = observed
	mg.SetConditions(xpv2.Available())
	lateInitialized := false
	if managed.NewManagementPoliciesResolver(true, mg.GetManagementPolicies()).ShouldLateInitialize() {
		lateInitialized = parts.Own.LateInitialize(observed)
	}
	differences := parts.Own.Diff(observed)
	return managed.ExternalObservation{
		ResourceExists:          true,
		ResourceUpToDate:        len(differences) == 0,
		ResourceLateInitialized: lateInitialized,
		Diff:                    strings.Join(differences, ", "),
	}, nil
}

func (e *external[M, O]) Create(_ context.Context, mg M) (managed.ExternalCreation, error) {
	d, err := document(e.Parts(mg).Created)
	if err != nil {
		return managed.ExternalCreation{}, err
	}
	return managed.ExternalCreation{}, e.api.Create(meta.GetExternalName(mg), d)
}

func (e *external[M, O]) Update(_ context.Context, mg M) (managed.ExternalUpdate, error) {
	d, err := document(e.Parts(mg).Desired)
	if err != nil {
		return managed.ExternalUpdate{}, err
	}
	return managed.ExternalUpdate{}, e.api.Update(meta.GetExternalName(mg), d)
}

func (e *external[M, O]) Delete(_ context.Context, mg M) (managed.ExternalDelete, error) {
	err := e.api.Delete(meta.GetExternalName(mg))
	if errors.Is(err, simulated.ErrNotFound) {
		err = nil
	}
	return managed.ExternalDelete{}, err
}

func (e *external[M, O]) Disconnect(context.Context) error { return nil }

// document returns what the external API gets for parameters: all but references.
func document(parameters any) (simulated.Document, error) {
	d, err := simulated.Encode(parameters)
	return withoutReferences(d), err
}

func withoutReferences(d simulated.Document) simulated.Document {
	maps.DeleteFunc(d, func(field string, value any) bool {
		if inner, isObject := value.(simulated.Document); isObject {
			withoutReferences(inner)
		}
		return strings.HasSuffix(field, "Ref") || strings.HasSuffix(field, "Selector")
	})
	return d
}
