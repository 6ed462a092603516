package report

import (
	"context"
	"os"
	"path"
	"path/filepath"
	"slices"

	"github.com/mrgen-io/mrgen/generator"
	"github.com/mrgen-io/mrgen/generator/diag"
	"github.com/mrgen-io/mrgen/generator/internal/artifact"
	"github.com/mrgen-io/mrgen/generator/internal/inspection"
	"github.com/mrgen-io/mrgen/generator/internal/review/examples"
	"github.com/mrgen-io/mrgen/generator/internal/stage"
	"github.com/mrgen-io/mrgen/generator/run"
)

const codeExample diag.Code = "example"

// Manifests are examples of managed resources.
type Manifests struct {
	generator.Result
	// Left are the files that the author has taken over, sorted. mrgen doesn't write them.
	Left []string
}

// Examples makes manifests that the API server accepts for each selected managed kind, and compares them with
// the files below a folder. It writes nothing. Files without mrgen's header belong to the author and don't
// change: warnings report invalid objects in them. Mistakes of the user are in the diagnostics; an error is a
// bug in mrgen or a cancelled context.
func Examples(ctx context.Context, options run.Options, dir string) (Manifests, error) {
	refused := func(diags diag.List) Manifests { return Manifests{Result: generator.Result{Diagnostics: diags}} }
	r, diags, err := inspection.Evaluate(ctx, options, stage.Report)
	if err != nil || diags.HasErrors() {
		return refused(diags.Sorted()), err
	}
	folder, problems := artifact.OutputFolder(r.Root, dir)
	diags = append(diags, problems...)
	files := map[string][]byte{}
	var left []string
	definitions := r.Output.Definitions()
	for _, d := range definitions {
		if !d.Managed() {
			continue
		}
		manifests, problems, err := examples.Manifests(ctx, d)
		if err != nil {
			return Manifests{}, err
		}
		diags = append(diags, problems...)
		for _, m := range manifests {
			name := path.Join(folder, m.Path)
			content, err := os.ReadFile(filepath.Join(r.Root, filepath.FromSlash(name)))
			isWritten := err == nil && artifact.Owned(content)
			switch {
			case m.Content != nil && err == nil && !isWritten: // the author removed the header
				left = append(left, name)
			case m.Content != nil:
				files[name] = m.Content
			// mrgen found no valid manifest this time, so the old one stays until somebody decides.
			case isWritten && !m.Accepts(ctx, content):
				diags = append(diags, diag.Warningf(m.Pos, codeExample,
					"%s is of an earlier run, and not valid any more: remove it, or remove its first line and change it by hand", name))
			}
		}
	}
	problems, err = examples.Problems(ctx, r.Root, folder, definitions, func(content []byte) bool {
		return !artifact.Owned(content) // the plan covers generated files
	})
	diags = append(diags, problems...)
	if err != nil || diags.HasErrors() {
		return refused(diags.Sorted()), err
	}
	plan, problems, err := inspection.PlanFiles(r.Root, files)
	diags = append(diags, problems...)
	if err != nil || diags.HasErrors() {
		return refused(diags.Sorted()), err
	}
	slices.Sort(left)
	return Manifests{Result: generator.NewResult(diags.Sorted(), &plan.Plan, nil), Left: left}, nil
}
