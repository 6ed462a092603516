package crd

import (
	"context"
	"flag"
	"fmt"
	"path"
	"testing"

	"github.com/google/go-cmp/cmp"
	"golang.org/x/tools/txtar"

	"github.com/mrgen-io/mrgen/generator/internal/engine"
	"github.com/mrgen-io/mrgen/generator/internal/pipeline"
	"github.com/mrgen-io/mrgen/generator/internal/testmodule"
)

var update = flag.Bool("update", false, "rewrite the expected results in testdata/crd")

// TestStage makes the definitions of the kinds in testdata/crd. Each archive holds a module
// and, below "want", the CRDs, or the diagnostics if there are any.
func TestStage(t *testing.T) {
	testmodule.EachArchive(t, "testdata/crd", func(t *testing.T, file string, archive *txtar.Archive) {
		root := t.TempDir()
		testmodule.Extract(t, archive, root, nil)
		options := engine.DefaultOptions()
		options.Dir = root
		run, diags, err := engine.Engine{Stages: []pipeline.Stage{Stage}}.Evaluate(context.Background(), options, engine.Selection{})
		if err != nil {
			t.Fatal(err)
		}
		got := map[string]string{}
		for _, d := range diags.Sorted() {
			got["diagnostics"] += fmt.Sprintln(d)
		}
		if !diags.HasErrors() {
			for name, content := range run.Output.Artifacts.Files() {
				got[path.Base(name)] = string(content)
			}
		}
		if *update {
			testmodule.Rewrite(t, file, archive, got)
		} else if diff := cmp.Diff(testmodule.Wanted(archive), got); diff != "" {
			t.Errorf("-want +got:\n%s", diff)
		}
	})
}
