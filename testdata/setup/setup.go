// Package setup adds the controllers of managed resources to a manager. All of
// them are set up alike.
package setup

import (
	"fmt"
	"time"

	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/runtime/schema"
	ctrl "sigs.k8s.io/controller-runtime"
	"sigs.k8s.io/controller-runtime/pkg/client/apiutil"
	"sigs.k8s.io/controller-runtime/pkg/reconcile"

	"github.com/crossplane/crossplane-runtime/v2/pkg/controller"
	"github.com/crossplane/crossplane-runtime/v2/pkg/errors"
	"github.com/crossplane/crossplane-runtime/v2/pkg/event"
	"github.com/crossplane/crossplane-runtime/v2/pkg/feature"
	"github.com/crossplane/crossplane-runtime/v2/pkg/ratelimiter"
	"github.com/crossplane/crossplane-runtime/v2/pkg/reconciler/managed"
	"github.com/crossplane/crossplane-runtime/v2/pkg/resource"
	"github.com/crossplane/crossplane-runtime/v2/pkg/statemetrics"
)

// minPollInterval is the shortest time between two looks at an external resource that users
// can ask for, with the annotation crossplane.io/poll-interval of a managed resource.
const minPollInterval = 10 * time.Second

// Gated calls the setup function of a controller as soon as the CRD of its kind is
// established.
func Gated(mgr ctrl.Manager, o controller.Options, of schema.GroupVersionKind, setup func(ctrl.Manager, controller.Options) error) error {
	o.Gate.Register(func() {
		if err := setup(mgr, o); err != nil {
			// Nobody is there to take the error. Kubernetes starts the provider again.
			panic(fmt.Sprintf("cannot set up the controller of %s: %v", of.Kind, err))
		}
	}, of)
	return nil
}

// NewReconciler returns the reconciler of a kind's managed resources. More options win over those that all controllers have.
func NewReconciler[T resource.Managed](mgr ctrl.Manager, o controller.Options, of schema.GroupVersionKind, connector managed.TypedExternalConnector[T], more ...managed.ReconcilerOption) reconcile.Reconciler {
	name := managed.ControllerName(of.GroupKind().String())
	options := []managed.ReconcilerOption{
		managed.WithTypedExternalConnector(ReportUpdates(connector)),
		managed.WithReferenceResolver(NewReferenceResolver[resource.Managed](mgr.GetClient())),
		managed.WithFinalizer(NewFinalizer(mgr.GetClient())),
		managed.WithLogger(o.Logger.WithValues("controller", name)),
		managed.WithPollInterval(o.PollInterval),
		managed.WithMinPollInterval(min(minPollInterval, o.PollInterval)),
		managed.WithRecorder(event.NewAPIRecorder(mgr.GetEventRecorderFor(name))), //nolint:staticcheck // crossplane-runtime takes recorders of the older events API only
	}
	if o.Features.Enabled(feature.EnableBetaManagementPolicies) {
		options = append(options, managed.WithManagementPolicies())
	}
	if o.Features.Enabled(feature.EnableAlphaChangeLogs) {
		options = append(options, managed.WithChangeLogger(o.ChangeLogOptions.ChangeLogger))
	}
	if o.MetricOptions != nil {
		options = append(options, managed.WithMetricRecorder(o.MetricOptions.MRMetrics))
	}
	return managed.NewReconciler(mgr, resource.ManagedKind(of), append(options, more...)...)
}

// Managed adds a controller with the reconciler of a kind to a manager. The object and the list are empty.
func Managed(mgr ctrl.Manager, o controller.Options, of schema.GroupVersionKind, object resource.Managed, list resource.ManagedList, r reconcile.Reconciler) error {
	for _, given := range []struct {
		object runtime.Object
		kind   string
	}{{object, of.Kind}, {list, of.Kind + "List"}} {
		got, err := apiutil.GVKForObject(given.object, mgr.GetScheme())
		if err != nil {
			return errors.Wrapf(err, "the scheme doesn't know %T: register it beside the other types of its package", given.object)
		}
		if got != of.GroupVersion().WithKind(given.kind) {
			return errors.Errorf("the controller of %s is given a %s, and needs a %s of %s", of.Kind, got, given.kind, of.GroupVersion())
		}
	}
	if o.MetricOptions != nil && o.MetricOptions.MRStateMetrics != nil {
		recorder := statemetrics.NewMRStateRecorder(mgr.GetClient(), o.Logger, o.MetricOptions.MRStateMetrics, list, o.MetricOptions.PollStateMetricInterval)
		if err := mgr.Add(recorder); err != nil {
			return errors.Wrap(err, "cannot record the states of managed resources")
		}
	}
	name := managed.ControllerName(of.GroupKind().String())
	return ctrl.NewControllerManagedBy(mgr).
		Named(name).
		WithOptions(o.ForControllerRuntime()).
		WithEventFilter(resource.DesiredStateChanged()).
		For(object).
		Complete(ratelimiter.NewReconciler(name, r, o.GlobalRateLimiter))
}
