// Package provider is the example provider at work: controllers, built as those of
// any provider, on the methods that mrgen generates for its API.
package provider

import (
	"context"
	"fmt"
	"time"

	"github.com/go-logr/logr"
	corev1 "k8s.io/api/core/v1"
	apiextensionsv1 "k8s.io/apiextensions-apiserver/pkg/apis/apiextensions/v1"
	"k8s.io/apimachinery/pkg/api/meta"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/apimachinery/pkg/util/wait"
	"k8s.io/client-go/rest"
	ctrl "sigs.k8s.io/controller-runtime"
	"sigs.k8s.io/controller-runtime/pkg/cache"
	"sigs.k8s.io/controller-runtime/pkg/client"
	"sigs.k8s.io/controller-runtime/pkg/config"
	metricsserver "sigs.k8s.io/controller-runtime/pkg/metrics/server"

	"github.com/crossplane/crossplane-runtime/v2/pkg/controller"
	"github.com/crossplane/crossplane-runtime/v2/pkg/feature"
	"github.com/crossplane/crossplane-runtime/v2/pkg/gate"
	"github.com/crossplane/crossplane-runtime/v2/pkg/logging"
	"github.com/crossplane/crossplane-runtime/v2/pkg/ratelimiter"
	"github.com/crossplane/crossplane-runtime/v2/pkg/reconciler/customresourcesgate"

	"github.com/mrgen-io/provider-example/apis"
	rules "github.com/mrgen-io/provider-rules/apis/v1alpha1"
)

// pollInterval is how often the provider looks at each external resource: more often
// than others do, since tests wait for it.
const pollInterval = time.Second

// minPollInterval is how often a user may ask it to.
const minPollInterval = pollInterval / 2

// Scheme returns a scheme with all types that the provider deals with.
func Scheme() (*runtime.Scheme, error) {
	scheme := runtime.NewScheme()
	return scheme, addTypes(scheme)
}

// addTypes adds the types that the provider deals with to a scheme.
func addTypes(scheme *runtime.Scheme) error {
	for _, add := range []func(*runtime.Scheme) error{
		apis.AddToScheme, rules.SchemeBuilder.AddToScheme, apiextensionsv1.AddToScheme, corev1.AddToScheme,
	} {
		if err := add(scheme); err != nil {
			return err
		}
	}
	return nil
}

// Run runs the provider until the context is done. It needs none of its CRDs to
// start: the controller of a kind waits for the CRD of the kind.
func Run(ctx context.Context, server *rest.Config, log logr.Logger) error {
	scheme, err := Scheme()
	if err != nil {
		return err
	}
	mgr, err := ctrl.NewManager(server, ctrl.Options{
		Scheme: scheme,
		Logger: log,
		Cache: cache.Options{ByObject: map[client.Object]cache.ByObject{
			&apiextensionsv1.CustomResourceDefinition{}: {Transform: customresourcesgate.TransformStripCRDSchema},
		}},
		Metrics:    metricsserver.Options{BindAddress: "0"},
		Client:     client.Options{Cache: &client.CacheOptions{DisableFor: []client.Object{&corev1.Secret{}}}},
		Controller: config.Controller{Logger: log, SkipNameValidation: new(true)}, // tests run several providers
	})
	if err != nil {
		return err
	}
	options := controller.Options{
		Logger:                  logging.NewLogrLogger(log),
		GlobalRateLimiter:       ratelimiter.NewGlobal(100),
		PollInterval:            pollInterval,
		MaxConcurrentReconciles: 10,
		Features:                &feature.Flags{},
		Gate:                    new(gate.Gate[schema.GroupVersionKind]),
	}
	options.Features.Enable(feature.EnableBetaManagementPolicies)
	if err := customresourcesgate.Setup(mgr, options); err != nil {
		return err
	}
	all := controllers()
	failed := make(chan error, len(all))
	for _, c := range all {
		options.Gate.Register(func() {
			err := served(ctx, mgr, c.needs)
			if err == nil {
				err = c.setup(mgr, options)
			}
			if err != nil {
				failed <- fmt.Errorf("cannot start the controller of %s: %w", c.needs[0], err)
			}
		}, c.needs...)
	}
	return start(ctx, mgr, failed)
}

// start runs the manager until the context is done, or a controller could not be
// added to it.
func start(ctx context.Context, mgr ctrl.Manager, failed <-chan error) error {
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	ended := make(chan error, 1)
	go func() { ended <- mgr.Start(ctx) }()
	select {
	case err := <-ended:
		return err
	case err := <-failed:
		if ctx.Err() != nil { // it was interrupted
			return nil
		}
		cancel()
		<-ended
		return err
	}
}

// served returns when the API server serves kinds. It begins to a moment after it has
// said that their CRDs are established, and controllers wait long until they look
// again.
func served(ctx context.Context, mgr ctrl.Manager, kinds []schema.GroupVersionKind) error {
	return wait.PollUntilContextCancel(ctx, 50*time.Millisecond, true, func(context.Context) (bool, error) {
		for _, gvk := range kinds {
			_, err := mgr.GetRESTMapper().RESTMapping(gvk.GroupKind(), gvk.Version)
			if meta.IsNoMatchError(err) {
				return false, nil
			}
			if err != nil {
				return false, err
			}
		}
		return true, nil
	})
}

// A gated controller is set up when the API server serves the kinds that it needs,
// of which the first is the one that it reconciles.
type gated struct {
	needs []schema.GroupVersionKind
	setup func(ctrl.Manager, controller.Options) error
}
