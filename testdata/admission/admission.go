// Package admission admits objects as the Kubernetes API server does, with the
// server's own code, without a server: decoding, pruning, defaults, the schema, list
// types, rules within their cost limits, and ratcheting on update.
package admission

import (
	"context"
	"fmt"
	"slices"

	"k8s.io/apiextensions-apiserver/pkg/apis/apiextensions"
	apiextensionsv1 "k8s.io/apiextensions-apiserver/pkg/apis/apiextensions/v1"
	crdvalidation "k8s.io/apiextensions-apiserver/pkg/apis/apiextensions/validation"
	structuralschema "k8s.io/apiextensions-apiserver/pkg/apiserver/schema"
	"k8s.io/apiextensions-apiserver/pkg/apiserver/validation"
	"k8s.io/apiextensions-apiserver/pkg/crdserverscheme"
	"k8s.io/apiextensions-apiserver/pkg/registry/customresource"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/runtime/schema"
	genericapirequest "k8s.io/apiserver/pkg/endpoints/request"
	"k8s.io/apiserver/pkg/registry/rest"
)

// A Server admits the objects of one version of a CustomResourceDefinition. Its
// methods may be called concurrently; they change none of their arguments.
type Server struct {
	schema *structuralschema.Structural
	// objects and status are the server's strategies for the resource and for its
	// status subresource, which is nil if there is none.
	objects interface {
		rest.RESTCreateStrategy
		rest.RESTUpdateStrategy
	}
	status rest.RESTUpdateStrategy
}

// New installs a CRD and returns a server for the objects of one of its versions.
// What the API server would object to in the CRD is the error.
func New(crd *apiextensionsv1.CustomResourceDefinition, version string) (*Server, error) {
	if err := install(crd); err != nil {
		return nil, err
	}
	i := slices.IndexFunc(crd.Spec.Versions, func(v apiextensionsv1.CustomResourceDefinitionVersion) bool { return v.Name == version })
	if i < 0 {
		return nil, fmt.Errorf("%s has no version %q", crd.Name, version)
	}
	v := crd.Spec.Versions[i]
	var internal apiextensions.JSONSchemaProps
	if err := apiextensionsv1.Convert_v1_JSONSchemaProps_To_apiextensions_JSONSchemaProps(v.Schema.OpenAPIV3Schema, &internal, nil); err != nil {
		return nil, err
	}
	structural, err := structuralschema.NewStructural(&internal)
	if err != nil {
		return nil, err
	}
	validator, _, err := validation.NewSchemaValidator(&internal)
	if err != nil {
		return nil, err
	}
	hasStatus := v.Subresources != nil && v.Subresources.Status != nil
	var statusSpec *apiextensions.CustomResourceSubresourceStatus
	var statusValidator validation.SchemaValidator
	if hasStatus {
		statusSpec = &apiextensions.CustomResourceSubresourceStatus{}
		if statusSchema, found := internal.Properties["status"]; found {
			if statusValidator, _, err = validation.NewSchemaValidator(&statusSchema); err != nil {
				return nil, err
			}
		}
	}
	strategy := customresource.NewStrategy(
		crdserverscheme.NewUnstructuredObjectTyper(),
		crd.Spec.Scope == apiextensionsv1.NamespaceScoped,
		schema.GroupVersionKind{Group: crd.Spec.Group, Version: version, Kind: crd.Spec.Names.Kind},
		validator, statusValidator, structural, statusSpec, nil, nil,
	)
	server := &Server{schema: structural, objects: strategy}
	if hasStatus {
		server.status = customresource.NewStatusStrategy(strategy)
	}
	return server, nil
}

// install returns what the API server says against a CRD that is created.
func install(crd *apiextensionsv1.CustomResourceDefinition) error {
	defaulted := crd.DeepCopy()
	defaulted.Status = apiextensionsv1.CustomResourceDefinitionStatus{}
	apiextensionsv1.SetObjectDefaults_CustomResourceDefinition(defaulted)
	var internal apiextensions.CustomResourceDefinition
	if err := apiextensionsv1.Convert_v1_CustomResourceDefinition_To_apiextensions_CustomResourceDefinition(defaulted, &internal, nil); err != nil {
		return err
	}
	return crdvalidation.ValidateCustomResourceDefinition(context.Background(), &internal).ToAggregate()
}

// Create admits a new object and returns it as it is stored, without the status
// that it may have: the API server drops it if there is a status subresource. See
// [Refusals] for what the error holds.
func (s *Server) Create(ctx context.Context, object map[string]any) (map[string]any, error) {
	created, err := s.decode(object)
	if err != nil {
		return nil, err
	}
	rest.FillObjectMetaSystemFields(created)
	if err := rest.BeforeCreate(s.objects, inNamespace(ctx, created), created); err != nil {
		return nil, err
	}
	created.SetResourceVersion("1")
	return created.Object, nil
}

// Update admits an object in place of the stored one, which is not judged: it may
// have been stored when the CRD was another. The status is that of the stored
// object. See [Refusals] for what the error holds.
func (s *Server) Update(ctx context.Context, object, stored map[string]any) (map[string]any, error) {
	return s.update(ctx, s.objects, object, stored)
}

// UpdateStatus admits the status of an object in place of that of the stored one.
// All the rest is that of the stored object. See [Refusals] for what the error holds.
func (s *Server) UpdateStatus(ctx context.Context, object, stored map[string]any) (map[string]any, error) {
	if s.status == nil {
		return nil, fmt.Errorf("there is no status subresource")
	}
	return s.update(ctx, s.status, object, stored)
}

func (s *Server) update(ctx context.Context, strategy rest.RESTUpdateStrategy, object, stored map[string]any) (map[string]any, error) {
	updated, err := s.decode(object)
	if err != nil {
		return nil, err
	}
	old, err := s.read(stored)
	if err != nil {
		return nil, fmt.Errorf("the stored object can't be read: %w", err)
	}
	updated.SetResourceVersion(old.GetResourceVersion())
	if err := rest.BeforeUpdate(strategy, inNamespace(ctx, updated), updated, old); err != nil {
		return nil, err
	}
	return updated.Object, nil
}

// inNamespace returns the context of a request for an object.
func inNamespace(ctx context.Context, object *unstructured.Unstructured) context.Context {
	return genericapirequest.WithNamespace(ctx, object.GetNamespace())
}

// Refusals returns the reasons for which an object is not admitted, sorted, as
// users see them: "spec.size: Required value". It is what the cause of an error
// says, so that it takes the errors of a client of a real API server as well. An
// error without causes is one reason; no error is none.
func Refusals(err error) []string {
	if err == nil {
		return nil
	}
	status, ok := err.(apierrors.APIStatus)
	if !ok || status.Status().Details == nil || len(status.Status().Details.Causes) == 0 {
		return []string{err.Error()}
	}
	var refusals []string
	for _, cause := range status.Status().Details.Causes {
		refusals = append(refusals, cause.Field+": "+cause.Message)
	}
	slices.Sort(refusals)
	return refusals
}
