package life

import (
	"context"

	"k8s.io/apiextensions-apiserver/pkg/apis/apiextensions"
	apiextensionsv1 "k8s.io/apiextensions-apiserver/pkg/apis/apiextensions/v1"
	structuralschema "k8s.io/apiextensions-apiserver/pkg/apiserver/schema"
	"k8s.io/apiextensions-apiserver/pkg/apiserver/schema/cel"
	"k8s.io/apiextensions-apiserver/pkg/apiserver/schema/cel/model"
	"k8s.io/apiextensions-apiserver/pkg/apiserver/schema/defaulting"
	"k8s.io/apiextensions-apiserver/pkg/apiserver/schema/listtype"
	"k8s.io/apiextensions-apiserver/pkg/apiserver/schema/pruning"
	"k8s.io/apiextensions-apiserver/pkg/apiserver/validation"
	apiequality "k8s.io/apimachinery/pkg/api/equality"
	kerrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/apimachinery/pkg/util/uuid"
	"k8s.io/apimachinery/pkg/util/validation/field"
	celconfig "k8s.io/apiserver/pkg/apis/cel"
	"k8s.io/apiserver/pkg/cel/common"
)

// An admitter admits the objects of one version of a definition with the API server's code. A nil one takes Kubernetes' own
// kinds as they are.
type admitter struct {
	kind      schema.GroupKind
	schema    *structuralschema.Structural
	validator validation.SchemaValidator
	rules     *cel.Validator
	// hasStatus is set if the status is a subresource, which other writes leave alone.
	hasStatus bool
}

func newAdmitter(kind schema.GroupKind, v apiextensionsv1.CustomResourceDefinitionVersion) (*admitter, error) {
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
	return &admitter{
		kind:      kind,
		schema:    structural,
		validator: validator,
		rules:     cel.NewValidator(structural, true, celconfig.PerCallLimit),
		hasStatus: v.Subresources != nil && v.Subresources.Status != nil,
	}, nil
}

// decode returns an object as the API server reads it.
func (a *admitter) decode(object map[string]any) *unstructured.Unstructured {
	u := &unstructured.Unstructured{Object: runtime.DeepCopyJSON(object)}
	pruning.Prune(u.Object, a.schema, true)
	defaulting.PruneNonNullableNullsWithoutDefaults(u.Object, a.schema)
	defaulting.Default(u.Object, a.schema)
	return u
}

func (a *admitter) create(ctx context.Context, object map[string]any) (map[string]any, error) {
	if a == nil {
		u := &unstructured.Unstructured{Object: object}
		u.SetUID(uuid.NewUUID())
		return u.Object, nil
	}
	u := a.decode(object)
	if a.hasStatus {
		delete(u.Object, "status")
	}
	u.SetUID(uuid.NewUUID())
	u.SetCreationTimestamp(metav1.Now())
	u.SetGeneration(1)
	return a.judge(ctx, u, nil)
}

func (a *admitter) update(ctx context.Context, object, stored map[string]any) (map[string]any, error) {
	if a == nil {
		return object, nil
	}
	u, old := a.decode(object), &unstructured.Unstructured{Object: stored}
	if a.hasStatus {
		keep(u, old, "status")
	}
	u.SetGeneration(old.GetGeneration())
	isDeleted := old.GetDeletionTimestamp() == nil && u.GetDeletionTimestamp() != nil
	if isDeleted || !apiequality.Semantic.DeepEqual(u.Object["spec"], old.Object["spec"]) {
		u.SetGeneration(old.GetGeneration() + 1)
	}
	u.SetUID(old.GetUID())
	u.SetCreationTimestamp(old.GetCreationTimestamp())
	if !isDeleted {
		u.SetDeletionTimestamp(old.GetDeletionTimestamp())
	}
	return a.judge(ctx, u, old)
}

func (a *admitter) updateStatus(ctx context.Context, object, stored map[string]any) (map[string]any, error) {
	if a == nil || !a.hasStatus { // as the API server says without the subresource
		return nil, kerrors.NewNotFound(schema.GroupResource{Group: "status"}, "status")
	}
	u, old := a.decode(object), &unstructured.Unstructured{Object: stored}
	changed := old.DeepCopy()
	keep(changed, u, "status")
	return a.judge(ctx, changed, old)
}

// judge validates an object as it is to be stored. Before it may be nil.
func (a *admitter) judge(ctx context.Context, u, before *unstructured.Unstructured) (map[string]any, error) {
	var old map[string]any
	var errs field.ErrorList
	var options []cel.Option
	if before == nil {
		errs = validation.ValidateCustomResource(nil, u.Object, a.validator)
	} else {
		old = before.Object
		correlated := common.NewCorrelatedObject(u.Object, old, &model.Structural{Structural: a.schema})
		errs = validation.ValidateCustomResourceUpdate(nil, u.Object, old, a.validator, validation.WithRatcheting(correlated))
		options = append(options, cel.WithRatcheting(correlated))
	}
	errs = append(errs, listtype.ValidateListSetsAndMaps(nil, a.schema, u.Object)...)
	if len(errs) == 0 && a.rules != nil {
		// The type of the old object tells the rules apart that need one.
		var oldObject any
		if old != nil {
			oldObject = old
		}
		errs, _ = a.rules.Validate(ctx, nil, a.schema, u.Object, oldObject, celconfig.RuntimeCELCostBudget, options...)
	}
	if len(errs) > 0 {
		return nil, kerrors.NewInvalid(a.kind, u.GetName(), errs)
	}
	return u.Object, nil
}

// keep copies a field of an object into another one.
func keep(into, from *unstructured.Unstructured, name string) {
	delete(into.Object, name)
	if value, found := from.Object[name]; found {
		into.Object[name] = runtime.DeepCopyJSONValue(value)
	}
}
