package provider

import (
	"context"
	"encoding/json"
	"fmt"

	"k8s.io/apimachinery/pkg/runtime/schema"
	ctrl "sigs.k8s.io/controller-runtime"
	"sigs.k8s.io/controller-runtime/pkg/client"

	"github.com/crossplane/crossplane-runtime/v2/pkg/controller"
	"github.com/crossplane/crossplane-runtime/v2/pkg/event"
	"github.com/crossplane/crossplane-runtime/v2/pkg/meta"
	"github.com/crossplane/crossplane-runtime/v2/pkg/ratelimiter"
	"github.com/crossplane/crossplane-runtime/v2/pkg/reconciler/providerconfig"
	"github.com/crossplane/crossplane-runtime/v2/pkg/resource"

	"github.com/mrgen-io/provider-example/apis/v1alpha1"
)

// configKinds are the kinds that every controller needs: ProviderConfigs and the
// record of who uses them.
var configKinds = []schema.GroupVersionKind{
	v1alpha1.ProviderConfigGroupVersionKind,
	v1alpha1.ClusterProviderConfigGroupVersionKind,
	v1alpha1.ProviderConfigUsageGroupVersionKind,
}

// configController returns the controller that keeps a ProviderConfig for as long as
// managed resources use it. The usages of both kinds are of one kind, which is
// namespaced as the managed resources are. Uses by cluster scoped ones, which nothing
// namespaced could belong to, are not recorded.
func configController(config schema.GroupVersionKind) gated {
	return gated{append([]schema.GroupVersionKind{config}, configKinds...), func(mgr ctrl.Manager, o controller.Options) error {
		name := providerconfig.ControllerName(config.Kind)
		r := providerconfig.NewReconciler(mgr, resource.ProviderConfigKinds{
			Config:    config,
			Usage:     v1alpha1.ProviderConfigUsageGroupVersionKind,
			UsageList: v1alpha1.ProviderConfigUsageListGroupVersionKind,
		},
			providerconfig.WithLogger(o.Logger.WithValues("controller", name)),
			providerconfig.WithRecorder(event.NewAPIRecorder(mgr.GetEventRecorderFor(name))), //nolint:staticcheck // What crossplane-runtime takes.
		)
		object := resource.MustCreateObject(config, mgr.GetScheme()).(client.Object)
		return ctrl.NewControllerManagedBy(mgr).
			Named(name).
			WithOptions(o.ForControllerRuntime()).
			For(object).
			Watches(&v1alpha1.ProviderConfigUsage{}, &resource.EnqueueRequestForProviderConfig{Kind: config.Kind}).
			Complete(ratelimiter.NewReconciler(name, r, o.GlobalRateLimiter))
	}}
}

// connect returns a client of the external API, with the credentials of the
// ProviderConfig that a managed resource refers to.
func connect(ctx context.Context, kube client.Client, mg resource.Managed) (api, error) {
	var a api
	spec, err := configSpec(ctx, kube, mg)
	if err != nil {
		return a, fmt.Errorf("cannot get the ProviderConfig: %w", err)
	}
	credentials := spec.Credentials
	content, err := resource.CommonCredentialExtractor(ctx, credentials.Source, kube, credentials.CommonCredentialSelectors)
	if err != nil {
		return a, fmt.Errorf("cannot get the credentials: %w", err)
	}
	if err := json.Unmarshal(content, &a); err != nil {
		return a, fmt.Errorf("cannot read the credentials: %w", err)
	}
	return a, nil
}

// configSpec returns the spec of the ProviderConfig that a managed resource refers
// to, and records that it is used.
func configSpec(ctx context.Context, kube client.Client, mg resource.Managed) (v1alpha1.ProviderConfigSpec, error) {
	switch mg := mg.(type) {
	case resource.ModernManaged:
		if !meta.WasDeleted(mg) { // nothing can be created in a namespace that is being deleted
			usages := resource.NewProviderConfigUsageTracker(kube, &v1alpha1.ProviderConfigUsage{})
			if err := usages.Track(ctx, mg); err != nil {
				return v1alpha1.ProviderConfigSpec{}, err
			}
		}
		ref := mg.GetProviderConfigReference()
		switch ref.Kind {
		case v1alpha1.ClusterProviderConfigKind:
			return clusterConfigSpec(ctx, kube, ref.Name)
		case v1alpha1.ProviderConfigKind:
			var config v1alpha1.ProviderConfig
			err := kube.Get(ctx, client.ObjectKey{Namespace: mg.GetNamespace(), Name: ref.Name}, &config)
			return config.Spec, err
		default:
			return v1alpha1.ProviderConfigSpec{}, fmt.Errorf("no kind of ProviderConfigs is %q", ref.Kind)
		}
	case resource.LegacyManaged: //nolint:staticcheck // Kinds that are cluster scoped are still about.
		ref := mg.GetProviderConfigReference()
		if ref == nil {
			return v1alpha1.ProviderConfigSpec{}, fmt.Errorf("spec.providerConfigRef is not set")
		}
		return clusterConfigSpec(ctx, kube, ref.Name)
	default:
		return v1alpha1.ProviderConfigSpec{}, fmt.Errorf("%T refers to no ProviderConfig", mg)
	}
}

func clusterConfigSpec(ctx context.Context, kube client.Client, name string) (v1alpha1.ProviderConfigSpec, error) {
	var config v1alpha1.ClusterProviderConfig
	err := kube.Get(ctx, client.ObjectKey{Name: name}, &config)
	return config.Spec, err
}
