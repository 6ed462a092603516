package apiserver

import (
	"context"
	"slices"
	"strings"

	"k8s.io/apiextensions-apiserver/pkg/apis/apiextensions"
	apiextensionsv1 "k8s.io/apiextensions-apiserver/pkg/apis/apiextensions/v1"
	structuralschema "k8s.io/apiextensions-apiserver/pkg/apiserver/schema"
	"k8s.io/apiextensions-apiserver/pkg/apiserver/schema/cel"
	"k8s.io/apiextensions-apiserver/pkg/apiserver/schema/defaulting"
	"k8s.io/apiextensions-apiserver/pkg/apiserver/schema/listtype"
	"k8s.io/apiextensions-apiserver/pkg/apiserver/schema/pruning"
	"k8s.io/apiextensions-apiserver/pkg/apiserver/validation"
	"k8s.io/apimachinery/pkg/runtime"
	celconfig "k8s.io/apiserver/pkg/apis/cel"
)

// A Refusal is a reason for which the API server would not create an object.
type Refusal struct {
	// Field is the path of the field, as "spec.forProvider.size".
	Field string
	// Reason is one line, in the words of the API server.
	Reason string
}

// Refusals returns the reasons for which the API server would not create an object
// with the schema of a version, sorted; none if it would. Unknown fields are a reason.
// Values are those of encoding/json with int64 for whole numbers. Metadata is not
// checked. The object is not changed. An error is a schema that the API server would
// refuse.
func Refusals(ctx context.Context, props *apiextensionsv1.JSONSchemaProps, object map[string]any) ([]Refusal, error) {
	var internal apiextensions.JSONSchemaProps
	if err := apiextensionsv1.Convert_v1_JSONSchemaProps_To_apiextensions_JSONSchemaProps(props, &internal, nil); err != nil {
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
	object = runtime.DeepCopyJSON(object)
	var refusals []Refusal
	for _, path := range pruning.PruneWithOptions(object, structural, true, structuralschema.UnknownFieldPathOptions{TrackUnknownFieldPaths: true}) {
		refusals = append(refusals, Refusal{Field: path, Reason: "unknown field"})
	}
	defaulting.PruneNonNullableNullsWithoutDefaults(object, structural)
	defaulting.Default(object, structural)
	errs := validation.ValidateCustomResource(nil, object, validator)
	errs = append(errs, listtype.ValidateListSetsAndMaps(nil, structural, object)...)
	// The API server runs rules only on objects that have the right form.
	if rules := cel.NewValidator(structural, true, celconfig.PerCallLimit); rules != nil && len(errs) == 0 {
		broken, _ := rules.Validate(ctx, nil, structural, object, nil, celconfig.RuntimeCELCostBudget)
		errs = append(errs, broken...)
	}
	for _, e := range errs {
		refusals = append(refusals, Refusal{Field: e.Field, Reason: oneLine(e.ErrorBody())})
	}
	slices.SortFunc(refusals, func(a, b Refusal) int {
		return strings.Compare(a.Field+"\x00"+a.Reason, b.Field+"\x00"+b.Reason)
	})
	return slices.Compact(refusals), nil
}
