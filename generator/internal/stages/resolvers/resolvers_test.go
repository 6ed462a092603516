package resolvers_test

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
	"github.com/mrgen-io/mrgen/generator/internal/stages/resolvers"
	"github.com/mrgen-io/mrgen/testdata/expect"
	"github.com/mrgen-io/mrgen/testdata/testmodule"
)

// TestStage runs the stage on the modules in testdata/resolvers. Each archive
// holds a module and, below "want", the files that the stage writes, which must
// compile, or the diagnostics.
//
// A file "kinds" stands for the kinds of a package, one a line with its generation
// and, if it has a marker for it, its scope: it becomes their Go types, but for the
// parameters. The file "patterns" names patterns other than ./... , and "registry" the
// import path of the package that kinds are looked up in. What is below "other" is the
// module example.org/other.
func TestStage(t *testing.T) {
	testmodule.EachArchive(t, "testdata/resolvers", func(t *testing.T, file string, archive *txtar.Archive) {
		got := runStage(t, extract(t, archive, t.TempDir()))
		testmodule.Compare(t, file, archive, got)
	})
}

// extract writes the module of an archive to the folder, with a go.mod for the
// stand-ins in testdata/stubs.
func extract(t *testing.T, archive *txtar.Archive, root string) modules.Options {
	t.Helper()
	options := modules.Options{
		Root: root, Patterns: []string{"./..."}, Outputs: stage.GoFiles(stages), Importers: stage.Importers(stages), OwnFiles: stage.OwnFiles(stages),
	}
	other := filepath.Join(t.TempDir(), "other")
	inOther := &txtar.Archive{}
	testmodule.Extract(t, archive, root, func(f txtar.File) bool {
		name, isOther := strings.CutPrefix(f.Name, "other/")
		switch {
		case isOther:
			inOther.Files = append(inOther.Files, txtar.File{Name: name, Data: f.Data})
		case f.Name == "patterns":
			options.Patterns = strings.Fields(string(f.Data))
		case f.Name == "registry":
			own, diags := modules.NewOwnPackage(root, strings.TrimSpace(string(f.Data)), options.OwnFiles)
			expect.None(t, diags.Errors())
			options.Own = own
		default:
			return false
		}
		return true
	})
	testmodule.Extract(t, inOther, other, nil)
	testmodule.Write(t, filepath.Join(root, "go.mod"), append(testmodule.GoMod(t), testmodule.Require(otherModule, "v0.0.0", other)...))
	testmodule.Write(t, filepath.Join(other, "go.mod"), []byte("module "+otherModule+"\n\ngo 1.23\n"))
	return options
}

// stages are the stage and those that write what its code calls.
var stages = []stage.Stage{resolvers.Stage, helpers.Stage}

// otherModule is the path of the module that the one of an archive may use.
const otherModule = "example.org/other"

// runStage returns the files that the stage writes for a module, and the
// diagnostics.
func runStage(t *testing.T, options modules.Options) map[string]string {
	t.Helper()
	got := map[string]string{}
	scope, diags := modules.New(options)
	expect.None(t, diags.Errors())
	source, diags := apitypes.Load(context.Background(), scope, apitypes.Options{})
	if !diags.HasErrors() {
		output, stageDiags, err := stage.Run(context.Background(), source, stage.Options{Registry: options.Own}, stages)
		expect.NoError(t, err)
		diags = append(diags, stageDiags...)
		if !diags.HasErrors() {
			for name, content := range output.Artifacts.Files() {
				if path.Dir(name) != "internal/mrgen" {
					got[name] = string(content)
				}
				testmodule.Write(t, filepath.Join(options.Root, filepath.FromSlash(name)), content)
			}
			testmodule.Go(t, options.Root, "vet")
		}
	}
	var b strings.Builder
	for _, d := range diags.Sorted() {
		fmt.Fprintln(&b, d)
	}
	if b.Len() > 0 {
		got["diagnostics"] = b.String()
	}
	return got
}
