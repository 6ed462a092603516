package crd

import (
	"context"

	"github.com/mrgen-io/mrgen/generator/diag"
	"github.com/mrgen-io/mrgen/generator/internal/provenance"
	"github.com/mrgen-io/mrgen/generator/internal/rules"
	"github.com/mrgen-io/mrgen/generator/internal/stage"
)

// applyRules adds rules to the schemas of a managed kind. It returns the decisions about its fields, one list a
// version, and problems.
func applyRules(ctx context.Context, options stage.Options, d stage.Definition) ([][]provenance.Decision, diag.List) {
	var problems diag.List
	settings := rules.Settings{
		Required:  options.RequiredRules,
		Immutable: options.ImmutableRules,
		Describe:  setOf(options, d).MaxDescription != 0,
		Validator: options.Validator,
	}
	decisions := make([][]provenance.Decision, len(d.Objects))
	for i, o := range d.Objects {
		decided, diags := rules.Apply(ctx, o, d.CRD.Spec.Versions[i].Schema.OpenAPIV3Schema, settings)
		decisions[i] = decided
		problems = append(problems, diags...)
	}
	return decisions, problems
}
