package fix

import (
	"context"
	"slices"

	"github.com/mrgen-io/mrgen/generator"
	"github.com/mrgen-io/mrgen/generator/diag"
	"github.com/mrgen-io/mrgen/generator/internal/artifact"
	"github.com/mrgen-io/mrgen/generator/internal/driver"
	"github.com/mrgen-io/mrgen/generator/internal/model"
	rules "github.com/mrgen-io/mrgen/generator/internal/review/linter"
	"github.com/mrgen-io/mrgen/generator/internal/review/lintrules"
	"github.com/mrgen-io/mrgen/generator/internal/source/apitypes"
	edits "github.com/mrgen-io/mrgen/generator/internal/workshop/fixes"
	"github.com/mrgen-io/mrgen/generator/lint"
	"github.com/mrgen-io/mrgen/generator/run"
)

// Lint puts right what rules have found, where that is safe, in the author's source: those
// with the names, or all that narrow no API if there are none. A field becomes a pointer where
// the module compiles after it; the code that uses it is in the warnings. The result is as that
// of [generator.Generate].
func Lint(ctx context.Context, options run.Options, opts lint.Options, names []string) (generator.Result, error) {
	return runFix(ctx, options, func(loaded *apitypes.Source, source edits.Source) (*artifact.Set, diag.List, error) {
		definitions, diags, err := driver.Define(ctx, loaded, source.Root, options)
		if err != nil || diags.HasErrors() {
			return nil, diags, err
		}
		all := lintrules.Find(source.Root, options, definitions, opts.Severity, nil).Findings
		found := slices.DeleteFunc(slices.Clone(all), func(f rules.Finding) bool {
			return len(f.Edits) == 0 || len(names) == 0 && lintrules.RuleOf(f).Fix.Narrows || len(names) > 0 && !slices.Contains(names, f.Rule)
		})
		if len(found) == 0 {
			return &artifact.Set{}, nothingToFix(all, names), nil
		}
		return editPointers(ctx, loaded, source, true, func(keep map[model.FieldName]bool) (*artifact.Set, []model.FieldName, diag.List, error) {
			return edits.Lint(source, found, options.RequiredRules, keep)
		})
	})
}

// nothingToFix says why none of the findings is corrected.
func nothingToFix(all []rules.Finding, names []string) diag.List {
	var narrowing []string
	for _, f := range all {
		if len(f.Edits) > 0 && !slices.Contains(narrowing, f.Rule) {
			narrowing = append(narrowing, f.Rule)
		}
	}
	slices.Sort(narrowing)
	why := "lint finds nothing"
	switch {
	case len(names) > 0:
		why = "lint finds nothing that " + diag.And(names) + " can correct"
	case len(narrowing) > 0:
		why = "the fixes for its findings narrow the API: name one with --rule, such as " + diag.And(narrowing)
	case len(all) > 0:
		why = "no finding of lint has a fix: edit the source as mrgen lint says"
	}
	return diag.List{diag.Warningf(diag.Position{}, codeFix, "nothing to correct: %s", why)}
}
