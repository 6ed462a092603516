package provider

import (
	"context"
	"encoding/json"
	"fmt"
	"strings"

	"k8s.io/apimachinery/pkg/runtime/schema"
	ctrl "sigs.k8s.io/controller-runtime"
	"sigs.k8s.io/controller-runtime/pkg/client"
	"sigs.k8s.io/controller-runtime/pkg/reconcile"

	"github.com/crossplane/crossplane-runtime/v2/pkg/controller"
	"github.com/crossplane/crossplane-runtime/v2/pkg/meta"
	"github.com/crossplane/crossplane-runtime/v2/pkg/reconciler/managed"
	"github.com/crossplane/crossplane-runtime/v2/pkg/resource"
	xpv2 "github.com/crossplane/crossplane/apis/v2/core/v2"

	"github.com/mrgen-io/mrgen/testdata/e2e/internal/cloud"
	"github.com/mrgen-io/mrgen/testdata/setup"
)

// parameters are the desired state of a kind, with the methods that mrgen generates
// to compare them to its observed state, of type O.
type parameters[O any] interface {
	LateInitialize(observed O) bool
	Diff(observed O) []string
	ImmutableFields(differences []string) []string
}

// A kind is what the controller of a kind has to know of it. The external resource
// has the fields of spec.forProvider and status.atProvider, by their JSON names.
type kind[M resource.Managed, O any] struct {
	gvk        schema.GroupVersionKind
	collection string
	id         string // the field with the ID, which is the external name
	state      string // the field that tells whether the resource is available
	named      bool   // the ID is chosen by the user

	// parts returns spec.forProvider and status.atProvider.
	parts func(M) (parameters[O], *O)
	// complete adds to a request what spec.forProvider only refers to.
	complete func(context.Context, client.Reader, M, cloud.Document) error
	// details returns what the external resource tells for the connection secret.
	details func(cloud.Document) managed.ConnectionDetails
}

// controller returns the controller of the kind.
func (k kind[M, O]) controller() gated {
	return gated{append([]schema.GroupVersionKind{k.gvk}, configKinds...), k.setup}
}

func (k kind[M, O]) setup(mgr ctrl.Manager, o controller.Options) error {
	object := resource.MustCreateObject(k.gvk, mgr.GetScheme()).(resource.Managed)
	list := resource.MustCreateObject(k.gvk.GroupVersion().WithKind(k.gvk.Kind+"List"), mgr.GetScheme()).(resource.ManagedList)
	return setup.Managed(mgr, o, k.gvk, object, list, k.reconciler(mgr, o))
}

// reconciler returns the reconciler of the kind, which is that of new providers.
func (k kind[M, O]) reconciler(mgr ctrl.Manager, o controller.Options) reconcile.Reconciler {
	options := []managed.ReconcilerOption{
		managed.WithMinPollInterval(minPollInterval),
		managed.WithCreationGracePeriod(0), // the external API knows at once what it has created
		managed.WithDeterministicExternalName(k.named),
	}
	if !k.named {
		options = append(options, managed.WithInitializers()) // or the name would become the external name
	}
	return setup.NewReconciler(mgr, o, k.gvk, k.connector(mgr.GetClient()), options...)
}

func (k kind[M, O]) connector(kube client.Client) managed.TypedExternalConnector[M] {
	return managed.TypedExternalConnectorFn[M](func(ctx context.Context, mg M) (managed.TypedExternalClient[M], error) {
		api, err := connect(ctx, kube, mg)
		if err != nil {
			return nil, err
		}
		return &external[M, O]{kind: k, kube: kube, api: api}, nil
	})
}

// An external client observes and changes external resources of a kind.
type external[M resource.Managed, O any] struct {
	kind kind[M, O]
	kube client.Reader
	api  api
	// differences are the fields in which Observe found the external resource to be other than desired.
	differences []string
}

func (e *external[M, O]) Observe(ctx context.Context, mg M) (managed.ExternalObservation, error) {
	if meta.GetExternalName(mg) == "" {
		return managed.ExternalObservation{}, nil
	}
	path, err := e.path(mg)
	if err != nil {
		return managed.ExternalObservation{}, err
	}
	d, err := e.api.get(ctx, path)
	if err != nil {
		return managed.ExternalObservation{}, err
	}
	if d == nil {
		mg.SetConditions(xpv2.Unavailable())
		return managed.ExternalObservation{ResourceUpToDate: true}, nil // or it's updated if policies don't let it be created
	}
	desired, observed := e.kind.parts(mg)
	var all O
	if err := recode(d, &all); err != nil {
		return managed.ExternalObservation{}, err
	}
	*observed = all
	if d[e.kind.state] == cloud.Available {
		mg.SetConditions(xpv2.Available())
	} else {
		mg.SetConditions(xpv2.Creating())
	}

	// The reconciler saves what it has in memory in more cases than for late
	// initialization alone, so that it must not be there if it isn't wanted.
	lateInitialized := false
	if managed.NewManagementPoliciesResolver(true, mg.GetManagementPolicies()).ShouldLateInitialize() {
		lateInitialized = desired.LateInitialize(*observed)
	}
	e.differences = desired.Diff(*observed)
	return managed.ExternalObservation{
		ResourceExists:          true,
		ResourceUpToDate:        len(e.differences) == 0,
		ResourceLateInitialized: lateInitialized,
		ConnectionDetails:       e.details(d),
		Diff:                    strings.Join(e.differences, ", "),
	}, nil
}

func (e *external[M, O]) Create(ctx context.Context, mg M) (managed.ExternalCreation, error) {
	mg.SetConditions(xpv2.Creating())
	d, err := e.desired(ctx, mg)
	if err != nil {
		return managed.ExternalCreation{}, err
	}
	if e.kind.named {
		d[e.kind.id] = meta.GetExternalName(mg)
	}
	created, err := e.api.post(ctx, resourcePath(d, e.kind.collection), d)
	if err != nil {
		return managed.ExternalCreation{}, err
	}
	id, _ := created[e.kind.id].(string)
	meta.SetExternalName(mg, id)
	return managed.ExternalCreation{ConnectionDetails: e.details(created)}, nil
}

func (e *external[M, O]) Update(ctx context.Context, mg M) (managed.ExternalUpdate, error) {
	d, err := e.desired(ctx, mg)
	if err != nil {
		return managed.ExternalUpdate{}, err
	}
	path, err := e.path(mg)
	if err != nil {
		return managed.ExternalUpdate{}, err
	}
	desired, _ := e.kind.parts(mg)
	immutable := desired.ImmutableFields(e.differences)
	for _, field := range immutable { // the API refuses requests with another value
		delete(d, strings.FieldsFunc(field, func(r rune) bool { return r == '.' || r == '[' })[0])
	}
	if err := e.api.patch(ctx, path, d); err != nil || len(immutable) == 0 {
		return managed.ExternalUpdate{}, err
	}
	return managed.ExternalUpdate{}, fmt.Errorf("%s can't be changed", strings.Join(immutable, ", "))
}

func (e *external[M, O]) Delete(ctx context.Context, mg M) (managed.ExternalDelete, error) {
	mg.SetConditions(xpv2.Deleting())
	path, err := e.path(mg)
	if err != nil {
		return managed.ExternalDelete{}, err
	}
	return managed.ExternalDelete{}, e.api.delete(ctx, path)
}

func (e *external[M, O]) Disconnect(context.Context) error { return nil }

// desired returns what spec.forProvider asks for.
func (e *external[M, O]) desired(ctx context.Context, mg M) (cloud.Document, error) {
	d, err := e.forProvider(mg)
	if err == nil && e.kind.complete != nil {
		err = e.kind.complete(ctx, e.kube, mg, d)
	}
	return d, err
}

// forProvider returns the fields of spec.forProvider that the external API knows.
func (e *external[M, O]) forProvider(mg M) (cloud.Document, error) {
	parameters, _ := e.kind.parts(mg)
	d := cloud.Document{}
	if err := recode(parameters, &d); err != nil {
		return nil, err
	}
	dropReferences(d)
	return d, nil
}

// path returns where the external resource is.
func (e *external[M, O]) path(mg M) (string, error) {
	d, err := e.forProvider(mg)
	if err != nil {
		return "", err
	}
	return resourcePath(d, e.kind.collection, meta.GetExternalName(mg)), nil
}

func (e *external[M, O]) details(d cloud.Document) managed.ConnectionDetails {
	if e.kind.details == nil {
		return nil
	}
	return e.kind.details(d)
}

// dropReferences drops references and selectors, which mean nothing outside of
// Kubernetes.
func dropReferences(d cloud.Document) {
	for field, value := range d {
		switch value := value.(type) {
		case cloud.Document:
			dropReferences(value)
		case []any:
			for _, item := range value {
				if item, ok := item.(cloud.Document); ok {
					dropReferences(item)
				}
			}
		}
		if strings.HasSuffix(field, "Ref") || strings.HasSuffix(field, "Selector") {
			delete(d, field)
		}
	}
}

// recode converts between a Go type and a document, by their JSON.
func recode(from, to any) error {
	content, err := json.Marshal(from)
	if err != nil {
		return err
	}
	return json.Unmarshal(content, to)
}
