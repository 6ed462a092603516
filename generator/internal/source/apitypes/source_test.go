package apitypes

import (
	"bytes"
	"cmp"
	"context"
	"fmt"
	"maps"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"golang.org/x/tools/txtar"

	"github.com/mrgen-io/mrgen/generator/diag"
	"github.com/mrgen-io/mrgen/generator/internal/flavor"
	"github.com/mrgen-io/mrgen/generator/internal/model"
	"github.com/mrgen-io/mrgen/generator/internal/source/modules"
	"github.com/mrgen-io/mrgen/testdata/expect"
	"github.com/mrgen-io/mrgen/testdata/testmodule"
)

// outputs are the file names that the tests' runs would write.
var outputs = []string{"zz_generated.deepcopy.go", "zz_generated.managed.go"}

// selected returns the source that options select.
func selected(in modules.Options, opts Options) (*Source, diag.List) {
	sc, diags := modules.New(in)
	if diags.HasErrors() {
		return nil, diags
	}
	source, problems := Load(context.Background(), sc, opts)
	return source, append(diags, problems...)
}

// TestLoad loads the modules in testdata/load. Each archive holds a module and
// the file "want" with the model and the diagnostics; the file "patterns" names
// patterns other than ./... .
func TestLoad(t *testing.T) {
	testmodule.EachArchive(t, "testdata/load", func(t *testing.T, file string, archive *txtar.Archive) {
		root := t.TempDir()
		patterns, want := extract(t, archive, root)
		source, diags := selected(modules.Options{Root: root, Patterns: patterns, Outputs: outputs}, Options{})
		got := dump(source, diags)
		if *testmodule.Update {
			archive.Files = slices.DeleteFunc(archive.Files, func(f txtar.File) bool { return f.Name == "want" })
			archive.Files = append(archive.Files, txtar.File{Name: "want", Data: []byte(got)})
			testmodule.Write(t, file, txtar.Format(archive))
			return
		}
		expect.True(t, got == want, "got:\n%s\nwant:\n%s", got, want)
	})
}

// extract writes the module of an archive to the folder, with a go.mod for the
// stand-ins in testdata/stubs if it brings none.
func extract(t *testing.T, archive *txtar.Archive, root string) (patterns []string, want string) {
	t.Helper()
	patterns = []string{"./..."}
	testmodule.Write(t, filepath.Join(root, "go.mod"), testmodule.GoMod(t))
	stubs := filepath.ToSlash(testmodule.Repository(t, "testdata/stubs"))
	for _, f := range archive.Files {
		switch f.Name {
		case "want":
			want = string(f.Data)
		case "patterns":
			patterns = strings.Fields(string(f.Data))
		default:
			testmodule.Write(t, filepath.Join(root, filepath.FromSlash(f.Name)), bytes.ReplaceAll(f.Data, []byte("STUBS"), []byte(stubs)))
		}
	}
	return patterns, want
}

// dump writes a model and diagnostics for people to read.
func dump(s *Source, diags diag.List) string {
	var b strings.Builder
	if s != nil && s.Model != nil {
		for _, p := range s.Model.Packages {
			fmt.Fprintf(&b, "package %s in %s: %s/%s\n", p.Path, p.Dir, p.Group, p.Version)
			for _, o := range p.Objects {
				fmt.Fprintf(&b, "  %s: %s", o.Name, role(o))
				if o.Generation != nil {
					fmt.Fprintf(&b, " of %s", o.Generation.Name)
				}
				if o.Conditions.Path != "" && o.Conditions != o.Generation.Types {
					fmt.Fprintf(&b, ", conditions of %s", o.Conditions.Path)
				}
				fmt.Fprintf(&b, " at %s\n", o.Pos)
			}
		}
		for _, p := range s.Model.Referenced {
			fmt.Fprintf(&b, "refers to %s\n", p.Path)
			if p.Problem != "" {
				fmt.Fprintf(&b, "  problem: %s\n", p.Problem)
			}
			for _, o := range p.Objects {
				fmt.Fprintf(&b, "  %s: %s at %s\n", o.Name, role(o), o.Pos)
			}
			for _, name := range slices.Sorted(maps.Keys(p.Functions)) {
				fmt.Fprintf(&b, "  %s\n", signature(name, p.Functions[name]))
			}
		}
		for _, file := range s.Program.Scope.Generated {
			fmt.Fprintf(&b, "generated %s\n", file)
		}
	}
	for _, d := range diags.Sorted() {
		fmt.Fprintln(&b, d)
	}
	return b.String()
}

// signature returns a function as dump writes it, with an underscore for types
// without a name.
func signature(name string, f *model.Function) string {
	list := func(types []flavor.TypeName) string {
		var names []string
		for _, t := range types {
			name := cmp.Or(t.Name, "_")
			if t.Package != "" {
				name = t.Package + "." + name
			}
			names = append(names, name)
		}
		return strings.Join(names, ", ")
	}
	parameters := list(f.Parameters)
	if f.Variadic {
		parameters += "..."
	}
	return fmt.Sprintf("func %s(%s) (%s) at %s", name, parameters, list(f.Results), f.Pos)
}

func role(o *model.Object) string {
	return map[model.Role]string{
		model.Unmanaged: "unmanaged", model.Managed: "managed", model.ManagedList: "managed list", model.ProviderConfig: "provider config",
		model.ProviderConfigUsage: "usage", model.ProviderConfigUsageList: "usage list",
	}[o.Role]
}
