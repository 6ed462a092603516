package engine

import (
	"bytes"
	"context"
	"maps"
	"os"
	"path"

	"github.com/mrgen-io/mrgen/generator/diag"
	"github.com/mrgen-io/mrgen/generator/internal/compile"
	"github.com/mrgen-io/mrgen/generator/internal/pipeline"
	"github.com/mrgen-io/mrgen/generator/internal/source/build"
	"github.com/mrgen-io/mrgen/generator/internal/source/scope"
)

// checkedOutput runs all stages on a source, and checks that their Go code compiles.
func (e Engine) checkedOutput(ctx context.Context, source *build.Source, settings pipeline.Options, checker *compile.Checker) (pipeline.Output, diag.List, error) {
	output, diags, err := pipeline.Run(ctx, source, settings, e.Stages)
	if err != nil || diags.HasErrors() {
		return output, diags, err
	}
	defer settings.Begin("compile", settings.Unit)()
	files := maps.Collect(output.Artifacts.Files())
	typeChecked := func(string) bool { return true }
	if !settings.TypeCheck {
		changed := changedFolders(source.Program.Scope, files)
		typeChecked = func(dir string) bool { return changed[dir] }
	}
	for _, s := range pipeline.Externals(e.Stages) {
		for _, file := range s.GoFiles {
			if checker.Stages == nil {
				checker.Stages = map[string]string{}
			}
			checker.Stages[file.Name] = s.Name
		}
	}
	problems, err := checker.Check(ctx, source.Program, files, typeChecked)
	return output, append(diags, problems...), err
}

// changedFolders returns the folders whose generated Go code on disk differs from that of a run,
// or includes files that the run doesn't write.
func changedFolders(sc *scope.Scope, files map[string][]byte) map[string]bool {
	changed := map[string]bool{}
	for name, content := range files {
		if dir := path.Dir(name); path.Ext(name) == ".go" && !changed[dir] {
			onDisk, err := os.ReadFile(sc.Abs(name))
			changed[dir] = err != nil || !bytes.Equal(onDisk, content)
		}
	}
	for _, name := range sc.Generated {
		if files[name] == nil {
			changed[path.Dir(name)] = true
		}
	}
	return changed
}
