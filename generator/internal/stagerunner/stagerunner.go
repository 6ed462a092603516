// Package stagerunner resolves the options of a run, runs the stages on loaded source, and collects the
// artifacts. It doesn't know of earlier runs.
package stagerunner

import (
	"bytes"
	"context"
	"maps"
	"os"
	"path"
	"slices"

	"github.com/mrgen-io/mrgen/generator/diag"
	"github.com/mrgen-io/mrgen/generator/internal/artifact"
	"github.com/mrgen-io/mrgen/generator/internal/compile"
	"github.com/mrgen-io/mrgen/generator/internal/provenance"
	"github.com/mrgen-io/mrgen/generator/internal/source/apitypes"
	"github.com/mrgen-io/mrgen/generator/internal/source/modules"
	"github.com/mrgen-io/mrgen/generator/internal/stage"
)

// A Runner runs stages.
type Runner struct {
	// Stages are the stages to run, in order.
	Stages []stage.Stage
}

// A Run is the result of running the stages on the packages that options select.
type Run struct {
	// Root is the folder of the module, and Settings are the resolved options.
	Root     string
	Settings stage.Options
	// Generated are the files that the run replaces or that an earlier run wrote. Covers
	// reports whether the patterns cover a folder.
	Generated []string
	Covers    func(dir string) bool
	Output    stage.Output
	// Reasons say why generated files are no longer written, where an extension knows, by path.
	Reasons map[string]string
	// Notes are the facts about fields that extensions know.
	Notes []provenance.Note
}

// evaluate runs all stages on the packages of a unit of a run. It may be called for several units at a time, each with a
// checker of its own.
func (e Runner) evaluate(
	ctx context.Context, r *Run, source *apitypes.Source, checker *compile.Checker,
) (stage.Output, diag.List, error) {
	output, diags, err := stage.Run(ctx, source, r.Settings, e.Stages)
	if err != nil || diags.HasErrors() {
		return stage.Output{}, diags, err
	}
	// No stage writes these, so that nobody else says what they are.
	for _, name := range slices.Sorted(maps.Keys(source.Program.Scope.Foreign)) {
		isOutput := slices.Contains(source.Program.Scope.Options.Outputs, path.Base(name))
		if content, err := os.ReadFile(source.Program.Scope.Abs(name)); isOutput && err == nil && !artifact.IsGenerated(content) {
			diags = append(diags, artifact.Headless(name))
		}
	}
	if diags.HasErrors() {
		return stage.Output{}, diags, nil
	}
	end := r.Settings.Begin("compile")
	files := maps.Collect(output.Artifacts.Files())
	typeChecked := func(string) bool { return true }
	// Code that doesn't change was checked when it was written.
	if !r.Settings.TypeCheck {
		changed := changedFolders(source.Program.Scope, files)
		typeChecked = func(dir string) bool { return changed[dir] }
	}
	problems, err := checker.Check(ctx, source.Program, files, typeChecked)
	end()
	if diags = append(diags, problems...); err != nil || diags.HasErrors() {
		return stage.Output{}, diags, err
	}
	return output, diags, nil
}

// changedFolders returns the folders whose generated Go code on disk differs from the run's, or includes files that the
// run doesn't write.
func changedFolders(sc *modules.Scope, files map[string][]byte) map[string]bool {
	changed := map[string]bool{}
	for name, content := range files {
		if dir := path.Dir(name); path.Ext(name) == ".go" && !changed[dir] {
			changed[dir] = differs(sc, name, content)
		}
	}
	for _, name := range sc.Generated {
		if files[name] == nil {
			changed[path.Dir(name)] = true
		}
	}
	return changed
}

// differs reports whether a file on disk has another content, or can't be read.
func differs(sc *modules.Scope, name string, content []byte) bool {
	onDisk, err := os.ReadFile(sc.Abs(name))
	return err != nil || !bytes.Equal(onDisk, content)
}
