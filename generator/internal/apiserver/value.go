package apiserver

import (
	"context"

	apiextensionsv1 "k8s.io/apiextensions-apiserver/pkg/apis/apiextensions/v1"
	"k8s.io/apiextensions-apiserver/pkg/apiserver/schema/cel"
	"k8s.io/apiextensions-apiserver/pkg/apiserver/validation"
	celconfig "k8s.io/apiserver/pkg/apis/cel"
)

// Accepts implements [crdvalidation.Validator].
func (Upstream) Accepts(ctx context.Context, props *apiextensionsv1.JSONSchemaProps, value any) bool {
	structural, validator, err := compiled(props)
	if err != nil || len(validation.ValidateCustomResource(nil, value, validator)) > 0 {
		return false
	}
	errs, _ := cel.NewValidator(structural, false, celconfig.PerCallLimit).Validate(ctx, nil, structural, value, value,
		celconfig.RuntimeCELCostBudget)
	return len(errs) == 0
}
