package lint

import (
	"context"
	"maps"
	"slices"

	"github.com/mrgen-io/mrgen/generator/diag"
	"github.com/mrgen-io/mrgen/generator/internal/review/lintrules"
	"github.com/mrgen-io/mrgen/generator/internal/stage"
	"github.com/mrgen-io/mrgen/generator/run"
)

const codeFix diag.Code = "fix"

// Fixes returns the edits that correct findings, a list for each finding: of the rules with these names, or of all
// rules whose edits don't narrow the API if there are no names. Findings of the baseline count. If there is nothing
// to edit, a warning says why.
func Fixes(ctx context.Context, options run.Options, opts Options, names []string) ([][]diag.Edit, diag.List, error) {
	root, definitions, diags, err := load(ctx, options)
	if err != nil || diags.HasErrors() {
		return nil, diags.Sorted(), err
	}
	var edits [][]diag.Edit
	var narrowing []string
	severity := map[string]Severity{}
	maps.Copy(severity, opts.Severity)
	for _, name := range names { // a rule that is off is on if it is named
		severity[name] = max(severity[name], Hint)
	}
	all := lintrules.Find(root, options, stage.Incomplete{Made: definitions}, opts.Partial, severity).Findings
	for _, f := range all {
		isNarrowing := len(f.Edits) > 0 && lintrules.RuleOf(f).Fix.Narrows
		if isNarrowing && !slices.Contains(narrowing, f.Rule) {
			narrowing = append(narrowing, f.Rule)
		}
		switch {
		case len(f.Edits) == 0:
		case len(names) == 0 && isNarrowing: // only by name
		case len(names) > 0 && !slices.Contains(names, f.Rule):
		default:
			edits = append(edits, f.Edits)
		}
	}
	if len(edits) > 0 {
		return edits, nil, nil
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
	return nil, diag.List{diag.Warningf(diag.Position{}, codeFix, "nothing to correct: %s", why)}, nil
}
