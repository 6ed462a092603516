package observation

import (
	"context"
	"fmt"
	"path"
	"path/filepath"
	"strings"
	"testing"

	"golang.org/x/tools/txtar"

	"github.com/mrgen-io/mrgen/generator/internal/source/apitypes"
	"github.com/mrgen-io/mrgen/generator/internal/source/modules"
	"github.com/mrgen-io/mrgen/generator/internal/stage"
	"github.com/mrgen-io/mrgen/generator/internal/stages/helpers"
	"github.com/mrgen-io/mrgen/testdata/expect"
	"github.com/mrgen-io/mrgen/testdata/testmodule"
)

// laterDir holds files in an archive that are added when the stage is done: what other
// stages write, as far as it is needed to compile, and tests of what the stage writes.
const laterDir = "later/"

// TestStage runs the stage on the modules in testdata/observation. Each archive
// holds a module and, below "want", the files that the stage writes, which must
// compile, and "plan" with the omissions and the diagnostics; the file "patterns"
// names patterns other than ./... .
func TestStage(t *testing.T) {
	testmodule.EachArchive(t, "testdata/observation", func(t *testing.T, file string, archive *txtar.Archive) {
		root := t.TempDir()
		patterns := extract(t, archive, root)
		got := runStage(t, root, patterns, archive)
		testmodule.Compare(t, file, archive, got)
	})
}

// extract writes the module of an archive to the folder, with a go.mod for the
// stand-ins in testdata/stubs.
func extract(t *testing.T, archive *txtar.Archive, root string) (patterns []string) {
	t.Helper()
	patterns = []string{"./..."}
	testmodule.Extract(t, archive, root, func(f txtar.File) bool {
		if f.Name == "patterns" {
			patterns = strings.Fields(string(f.Data))
		}
		return f.Name == "patterns" || strings.HasPrefix(f.Name, laterDir)
	})
	return patterns
}

// runStage returns the files that the stage writes for a module, and the plan.
func runStage(t *testing.T, root string, patterns []string, archive *txtar.Archive) map[string]string {
	t.Helper()
	got := map[string]string{}
	var plan strings.Builder
	stages := []stage.Stage{Stage, helpers.Stage}
	scope, diags := modules.New(modules.Options{Root: root, Patterns: patterns, Outputs: stage.GoFiles(stages), OwnFiles: stage.OwnFiles(stages)})
	expect.None(t, diags.Errors())
	source, diags := apitypes.Load(context.Background(), scope, apitypes.Options{DeclaredLater: declares})
	if !diags.HasErrors() {
		dumpOmissions(&plan, newPlan(source.Model, source).plans)
		output, stageDiags, err := stage.Run(context.Background(), source, stage.Options{}, stages)
		expect.NoError(t, err)
		diags = append(diags, stageDiags...)
		if !diags.HasErrors() {
			for name, content := range output.Artifacts.Files() {
				if path.Base(name) == file {
					got[name] = string(content)
				}
				testmodule.Write(t, filepath.Join(root, filepath.FromSlash(name)), content)
			}
			command := "build"
			for _, f := range archive.Files {
				if name, isLater := strings.CutPrefix(f.Name, laterDir); isLater {
					testmodule.Write(t, filepath.Join(root, filepath.FromSlash(name)), f.Data)
					if strings.HasSuffix(name, "_test.go") {
						command = "test"
					}
				}
			}
			testmodule.Go(t, root, command)
		}
	}
	for _, d := range diags.Sorted() {
		fmt.Fprintln(&plan, d)
	}
	if plan.Len() > 0 {
		got["plan"] = plan.String()
	}
	return got
}

func dumpOmissions(b *strings.Builder, packages []*packagePlan) {
	for _, p := range packages {
		for _, d := range p.declarations {
			for _, o := range d.omissions {
				fmt.Fprintf(b, "%s.%s has no %s: %s\n", p.source.Name, d.name.Name, o.field.Name, o.reason)
			}
		}
	}
}
