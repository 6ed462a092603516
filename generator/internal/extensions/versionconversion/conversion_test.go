package versionconversion_test

import (
	"context"
	"fmt"
	"path"
	"strings"
	"testing"

	"golang.org/x/tools/txtar"

	"github.com/mrgen-io/mrgen/generator/internal/extensions/versionconversion"
	"github.com/mrgen-io/mrgen/generator/internal/stage"
	"github.com/mrgen-io/mrgen/generator/internal/stagerunner"
	"github.com/mrgen-io/mrgen/generator/internal/stages/crd"
	"github.com/mrgen-io/mrgen/generator/internal/stages/deepcopy"
	"github.com/mrgen-io/mrgen/generator/internal/stages/helpers"
	"github.com/mrgen-io/mrgen/generator/run"
	"github.com/mrgen-io/mrgen/testdata/expect"
	"github.com/mrgen-io/mrgen/testdata/testmodule"
)

// TestStage runs the stage, after those that it needs, on the modules in testdata/conversion.
// Each archive holds a module and, below "want", the files that the stage writes, which must
// compile, and the diagnostics.
func TestStage(t *testing.T) {
	testmodule.EachArchive(t, "testdata/conversion", func(t *testing.T, file string, archive *txtar.Archive) {
		root := t.TempDir()
		testmodule.Extract(t, archive, root, nil)
		options := run.Default()
		options.Dir, options.Versions, options.TypeCheck = root, run.ConvertVersions, true
		options.Extensions = []run.Extension{versionconversion.Extension(false)}
		run, diags, err := (stagerunner.Runner{Stages: []stage.Stage{deepcopy.Stage, crd.Stage, stage.Report, helpers.Stage}}).Open(options).Evaluate(context.Background())
		expect.NoError(t, err)
		got := map[string]string{}
		for _, d := range diags.Sorted() {
			got["diagnostics"] += fmt.Sprintln(d)
		}
		if !diags.HasErrors() {
			for name, content := range run.Output.Artifacts.Files() {
				if path.Base(name) == "zz_generated.conversion.go" {
					_, text, _ := strings.Cut(string(content), ")\n\n")
					got[name] = text
				}
			}
		}
		testmodule.Compare(t, file, archive, got)
	})
}
