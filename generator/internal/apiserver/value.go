package apiserver

import (
	"context"

	apiextensionsv1 "k8s.io/apiextensions-apiserver/pkg/apis/apiextensions/v1"
	"k8s.io/apiextensions-apiserver/pkg/apiserver/schema/cel"
	"k8s.io/apiextensions-apiserver/pkg/apiserver/validation"
	celconfig "k8s.io/apiserver/pkg/apis/cel"
)

// Accepts reports whether the API server would accept a value as the default of a
// schema. Values are those of encoding/json. It reports false for schemas that the
// API server would refuse.
func Accepts(ctx context.Context, props *apiextensionsv1.JSONSchemaProps, value any) bool {
	structural, validator, err := compiled(props)
	if err != nil || len(validation.ValidateCustomResource(nil, value, validator)) > 0 {
		return false
	}
	rules := cel.NewValidator(structural, false, celconfig.PerCallLimit)
	if rules == nil {
		return true // there are none
	}
	errs, _ := rules.Validate(ctx, nil, structural, value, value, celconfig.RuntimeCELCostBudget)
	return len(errs) == 0
}

// Accepts implements [verdict.Validator].
func (Upstream) Accepts(ctx context.Context, props *apiextensionsv1.JSONSchemaProps, value any) bool {
	return Accepts(ctx, props, value)
}
