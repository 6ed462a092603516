package sql

import (
	"context"
	"slices"
	"strings"
	"testing"

	corev1 "k8s.io/api/core/v1"
	"sigs.k8s.io/controller-runtime/pkg/client"

	"github.com/crossplane/crossplane-runtime/v2/pkg/errors"
	"github.com/crossplane/crossplane-runtime/v2/pkg/meta"
	"github.com/crossplane/crossplane-runtime/v2/pkg/reconciler/managed"
	"github.com/crossplane/crossplane-runtime/v2/pkg/resource"
	"github.com/crossplane/crossplane-runtime/v2/pkg/test"
	xpv2 "github.com/crossplane/crossplane/apis/v2/core/v2"

	"github.com/mrgen-io/provider-example/apis/namespaced/sql/v1beta1"
	"github.com/mrgen-io/provider-example/internal/sqladmin"
)

// docs/guide/write-a-controller.md shows the code from here to the tests.

var errNotFound = errors.New("there is no such instance")

// A sqlAPI is what the controller calls of the SDK.
type sqlAPI interface {
	Get(ctx context.Context, region, name string) (*sqladmin.Instance, error)
	Insert(ctx context.Context, request *sqladmin.InsertRequest) error
	Patch(ctx context.Context, region, name string, request *sqladmin.PatchRequest) error
	Delete(ctx context.Context, region, name string) error
}

// external meets one instance in one reconcile.
type external struct {
	kube client.Reader
	api  sqlAPI
	// differences are the paths at which Observe found the instance to be other than desired.
	differences []string
}

var _ managed.TypedExternalClient[*v1beta1.DatabaseInstance] = &external{}

func (e *external) Observe(ctx context.Context, cr *v1beta1.DatabaseInstance) (managed.ExternalObservation, error) {
	instance, err := e.api.Get(ctx, cr.Spec.ForProvider.Region, meta.GetExternalName(cr))
	if errors.Is(err, errNotFound) {
		return managed.ExternalObservation{}, nil
	}
	if err != nil {
		return managed.ExternalObservation{}, errors.Wrap(err, "cannot get the instance")
	}
	observed, err := ObserveInstance(instance)
	if err != nil {
		return managed.ExternalObservation{}, errors.Wrap(err, "cannot read the instance")
	}
	cr.Status.AtProvider = observed
	cr.SetConditions(xpv2.Available())

	lateInitialized := false
	if managed.NewManagementPoliciesResolver(true, cr.GetManagementPolicies()).ShouldLateInitialize() {
		lateInitialized = cr.Spec.ForProvider.LateInitialize(observed)
	}
	e.differences = cr.Spec.ForProvider.Diff(observed)
	return managed.ExternalObservation{
		ResourceExists:          true,
		ResourceUpToDate:        len(e.differences) == 0,
		ResourceLateInitialized: lateInitialized,
		Diff:                    strings.Join(e.differences, ", "),
		ConnectionDetails: v1beta1.DatabaseInstanceConnectionDetails{
			ConnectionName: []byte(instance.ConnectionName),
			Endpoint:       []byte(instance.Addresses.First),
			Username:       []byte("root"),
		}.ConnectionDetails(),
	}, nil
}

func (e *external) Create(ctx context.Context, cr *v1beta1.DatabaseInstance) (managed.ExternalCreation, error) {
	cr.SetConditions(xpv2.Creating())
	password, err := e.rootPassword(ctx, cr)
	if err != nil {
		return managed.ExternalCreation{}, err
	}
	request := InsertInstance(&cr.Spec.ForProvider, meta.GetExternalName(cr), password)
	if err := e.api.Insert(ctx, request); err != nil {
		return managed.ExternalCreation{}, errors.Wrap(err, "cannot create the instance")
	}
	details := v1beta1.DatabaseInstanceConnectionDetails{Password: []byte(password)}
	return managed.ExternalCreation{ConnectionDetails: details.ConnectionDetails()}, nil
}

// rootPassword reads the secret that the instance refers to, which is in its own namespace.
func (e *external) rootPassword(ctx context.Context, cr *v1beta1.DatabaseInstance) (string, error) {
	ref := cr.Spec.ForProvider.RootPasswordSecretRef
	if ref == nil {
		return "", errors.New("spec.forProvider.rootPasswordSecretRef is required to create an instance")
	}
	secret := &corev1.Secret{}
	if err := e.kube.Get(ctx, client.ObjectKey{Namespace: cr.GetNamespace(), Name: ref.Name}, secret); err != nil {
		return "", errors.Wrap(err, "cannot get the secret of the root password")
	}
	if len(secret.Data[ref.Key]) == 0 {
		return "", errors.Errorf("the secret %s has no key %s", ref.Name, ref.Key)
	}
	return string(secret.Data[ref.Key]), nil
}

func (e *external) Update(ctx context.Context, cr *v1beta1.DatabaseInstance) (managed.ExternalUpdate, error) {
	desired := &cr.Spec.ForProvider
	immutable := desired.ImmutableFields(e.differences)
	all, patch := PatchInstance(desired), &sqladmin.PatchRequest{}
	for _, path := range e.differences {
		if slices.Contains(immutable, path) {
			continue // is reported below
		}
		switch field := strings.FieldsFunc(path, func(r rune) bool { return r == '.' || r == '[' })[0]; field {
		case "deletionProtection":
			patch.DeletionProtection = all.DeletionProtection
		case "replicaConfiguration":
			patch.Replica = all.Replica
		case "settings":
			patch.Settings = all.Settings
		default:
			return managed.ExternalUpdate{}, errors.Errorf("no request changes %s", path)
		}
	}
	if err := e.api.Patch(ctx, desired.Region, meta.GetExternalName(cr), patch); err != nil {
		return managed.ExternalUpdate{}, errors.Wrap(err, "cannot update the instance")
	}
	if len(immutable) > 0 {
		return managed.ExternalUpdate{}, errors.Errorf("%s can't be changed: revert it, or observe the instance, correct it, and manage it again", strings.Join(immutable, ", "))
	}
	return managed.ExternalUpdate{}, nil
}

func (e *external) Delete(ctx context.Context, cr *v1beta1.DatabaseInstance) (managed.ExternalDelete, error) {
	cr.SetConditions(xpv2.Deleting())
	err := e.api.Delete(ctx, cr.Spec.ForProvider.Region, meta.GetExternalName(cr))
	isGone := func(err error) bool { return errors.Is(err, errNotFound) }
	return managed.ExternalDelete{}, errors.Wrap(resource.Ignore(isGone, err), "cannot delete the instance")
}

func (e *external) Disconnect(context.Context) error { return nil }

// The tests.

// oneInstance holds the one instance of a test, and records the last patch.
type oneInstance struct {
	instance *sqladmin.Instance
	password string
	patch    *sqladmin.PatchRequest
}

func (o *oneInstance) Get(_ context.Context, region, name string) (*sqladmin.Instance, error) {
	if o.instance == nil || o.instance.Region != region || o.instance.Name != name {
		return nil, errNotFound
	}
	return o.instance, nil
}

func (o *oneInstance) Insert(_ context.Context, r *sqladmin.InsertRequest) error {
	o.password = r.RootPassword
	o.instance = &sqladmin.Instance{
		Name: r.Name, Region: r.Region, DatabaseVersion: r.DatabaseVersion, Settings: slices.Clone(r.Settings),
		ConnectionName: "project:" + r.Name, Addresses: sqladmin.Addresses{First: "10.0.0.1"},
	}
	o.instance.Settings[0].PricingPlan = "PER_USE" // what the API chooses
	return nil
}

func (o *oneInstance) Patch(ctx context.Context, region, name string, r *sqladmin.PatchRequest) error {
	instance, err := o.Get(ctx, region, name)
	if err != nil {
		return err
	}
	o.patch = r
	if r.DeletionProtection != nil {
		instance.DeletionProtection = *r.DeletionProtection
	}
	if r.Settings != nil {
		instance.Settings = r.Settings
	}
	return nil
}

func (o *oneInstance) Delete(ctx context.Context, region, name string) error {
	_, err := o.Get(ctx, region, name)
	o.instance = nil
	return err
}

// TestController plays the life of an instance: it is created, comes to rest, changes, and goes.
func TestController(t *testing.T) {
	ctx, api := context.Background(), &oneInstance{}
	version := "POSTGRES_14"
	cr := &v1beta1.DatabaseInstance{}
	cr.SetNamespace("team")
	cr.SetManagementPolicies(xpv2.ManagementPolicies{xpv2.ManagementActionAll})
	meta.SetExternalName(cr, "orders")
	cr.Spec.ForProvider = v1beta1.DatabaseInstanceParameters{
		Region: "europe-west1", DatabaseVersion: &version,
		RootPasswordSecretRef: &xpv2.LocalSecretKeySelector{LocalSecretReference: xpv2.LocalSecretReference{Name: "root"}, Key: "password"},
		Settings:              []v1beta1.DatabaseInstanceSettings{{Tier: "small"}},
	}
	kube := &test.MockClient{MockGet: func(_ context.Context, key client.ObjectKey, object client.Object) error {
		if secret, ok := object.(*corev1.Secret); ok && key == (client.ObjectKey{Namespace: "team", Name: "root"}) {
			secret.Data = map[string][]byte{"password": []byte("hunter2")}
			return nil
		}
		return errors.Errorf("there is no %s", key)
	}}
	observe := func() (*external, managed.ExternalObservation) {
		t.Helper()
		e := &external{kube: kube, api: api}
		o, err := e.Observe(ctx, cr)
		if err != nil {
			t.Fatal(err)
		}
		return e, o
	}

	e, o := observe()
	if o.ResourceExists {
		t.Fatalf("before it is created: %+v", o)
	}
	if created, err := e.Create(ctx, cr); err != nil || api.password != "hunter2" || string(created.ConnectionDetails["password"]) != "hunter2" {
		t.Fatalf("created %+v with %q, and the error %v", created, api.password, err)
	}
	if _, o = observe(); !o.ResourceLateInitialized || cr.Spec.ForProvider.DeletionProtection == nil || string(o.ConnectionDetails["endpoint"]) != "10.0.0.1" {
		t.Fatalf("after creation: %+v", o)
	}
	if _, o = observe(); !o.ResourceUpToDate || o.ResourceLateInitialized {
		t.Fatalf("at rest: %+v", o)
	}

	cr.Spec.ForProvider.Settings[0].Tier = "large"
	if e, o = observe(); o.Diff != "settings[0].tier" {
		t.Fatalf("after a change: %+v", o)
	}
	if _, err := e.Update(ctx, cr); err != nil || api.patch.DeletionProtection != nil || api.instance.Settings[0].Tier != "large" {
		t.Fatalf("updated with %+v, and the error %v", api.patch, err)
	}
	if _, o = observe(); !o.ResourceUpToDate {
		t.Fatalf("after the update: %+v", o)
	}

	api.instance.DatabaseVersion = "POSTGRES_15"
	cr.Spec.ForProvider.Settings[0].Tier = "huge"
	e, _ = observe()
	if _, err := e.Update(ctx, cr); err == nil || !strings.HasPrefix(err.Error(), "databaseVersion can't be changed") {
		t.Fatalf("an immutable field was updated, with the error %v", err)
	}
	if api.instance.Settings[0].Tier != "huge" {
		t.Fatal("an immutable field keeps others from being updated")
	}
	for range 2 {
		if _, err := e.Delete(ctx, cr); err != nil || api.instance != nil {
			t.Fatalf("deleted %v, with the error %v", api.instance, err)
		}
	}
}
