package fix

import (
	"context"

	"github.com/mrgen-io/mrgen/generator"
	"github.com/mrgen-io/mrgen/generator/diag"
	"github.com/mrgen-io/mrgen/generator/internal/artifact"
	"github.com/mrgen-io/mrgen/generator/internal/model"
	"github.com/mrgen-io/mrgen/generator/internal/source/apitypes"
	edits "github.com/mrgen-io/mrgen/generator/internal/workshop/fixes"
	"github.com/mrgen-io/mrgen/generator/run"
)

// Findings makes the edits that correct findings, one list each: see package lint. A field becomes a pointer
// only if the module compiles afterwards, and warnings name the code that uses it. The result is like the
// result of [generator.Generate].
func Findings(ctx context.Context, options run.Options, findings [][]diag.Edit) (generator.Result, error) {
	return runFix(ctx, options, func(loaded *apitypes.Source, source edits.Source) (*artifact.Set, diag.List, error) {
		return editPointers(ctx, loaded, source, true, func(keep map[model.FieldName]bool) (*artifact.Set, []model.FieldName, diag.List, error) {
			return edits.Edit(source, findings, options.RequiredRules, keep)
		})
	})
}
