package crd

import (
	"context"

	"github.com/mrgen-io/mrgen/generator/internal/pipeline"
	"github.com/mrgen-io/mrgen/generator/internal/rules"
)

// applyRules adds rules to the schemas of a managed kind, and returns what was
// decided about its fields, a list a version.
func applyRules(ctx context.Context, pass *pipeline.Pass, d pipeline.Definition) [][]rules.Decision {
	settings := rules.Settings{
		Required:  pass.Options.RequiredRules,
		Immutable: pass.Options.ImmutableRules,
		Describe:  pass.Options.MaxDescription != 0,
		Release:   pass.Options.MinKubernetes,
	}
	decisions := make([][]rules.Decision, len(d.Objects))
	for i, o := range d.Objects {
		decided, diags := rules.Apply(ctx, o, d.CRD.Spec.Versions[i].Schema.OpenAPIV3Schema, settings)
		decisions[i] = decided
		for _, problem := range diags {
			pass.Report(problem)
		}
	}
	return decisions
}
