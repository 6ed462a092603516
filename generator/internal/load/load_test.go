package load

import (
	"bytes"
	"cmp"
	"context"
	"flag"
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"golang.org/x/tools/txtar"

	"github.com/mrgen-io/mrgen/generator/internal/diag"
	"github.com/mrgen-io/mrgen/generator/internal/flavor"
	"github.com/mrgen-io/mrgen/generator/internal/model"
)

var update = flag.Bool("update", false, "rewrite the expected results in testdata/load")

// outputs are the file names that the tests' runs would write.
var outputs = []string{"zz_generated.deepcopy.go", "zz_generated.managed.go"}

const repository = "../../.."

// TestLoad loads the modules in testdata/load. Each archive holds a module and
// the file "want" with the model and the diagnostics; the file "patterns" names
// patterns other than ./... .
func TestLoad(t *testing.T) {
	archives, err := filepath.Glob(filepath.Join(repository, "testdata/load/*.txtar"))
	if err != nil || len(archives) == 0 {
		t.Fatalf("no archives: %v", err)
	}
	for _, file := range archives {
		t.Run(strings.TrimSuffix(filepath.Base(file), ".txtar"), func(t *testing.T) {
			t.Parallel()
			archive, err := txtar.ParseFile(file)
			if err != nil {
				t.Fatal(err)
			}
			root := t.TempDir()
			patterns, want := extract(t, archive, root)
			source, diags := Load(context.Background(), Options{Root: root, Patterns: patterns, Outputs: outputs})
			got := dump(source, diags)
			if *update {
				rewrite(t, file, archive, got)
				return
			}
			if got != want {
				t.Errorf("got:\n%s\nwant:\n%s", got, want)
			}
		})
	}
}

// extract writes the module of an archive to the folder, with a go.mod for the
// stand-ins in testdata/stubs if it brings none.
func extract(t *testing.T, archive *txtar.Archive, root string) (patterns []string, want string) {
	t.Helper()
	patterns = []string{"./..."}
	write(t, filepath.Join(root, "go.mod"), goMod(t, "example.org/provider"))
	for _, f := range archive.Files {
		switch f.Name {
		case "want":
			want = string(f.Data)
		case "patterns":
			patterns = strings.Fields(string(f.Data))
		default:
			write(t, filepath.Join(root, filepath.FromSlash(f.Name)), bytes.ReplaceAll(f.Data, []byte("STUBS"), []byte(stubs(t))))
		}
	}
	return patterns, want
}

func write(t *testing.T, file string, content []byte) {
	t.Helper()
	if err := os.MkdirAll(filepath.Dir(file), 0o755); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(file, content, 0o644); err != nil {
		t.Fatal(err)
	}
}

func stubs(t *testing.T) string {
	t.Helper()
	dir, err := filepath.Abs(filepath.Join(repository, "testdata/stubs"))
	if err != nil {
		t.Fatal(err)
	}
	return filepath.ToSlash(dir)
}

func goMod(t *testing.T, path string) []byte {
	t.Helper()
	var b bytes.Buffer
	fmt.Fprintf(&b, "module %s\n\ngo 1.23\n\n", path)
	for _, stub := range []struct{ path, version, dir string }{
		{"k8s.io/apimachinery", "v0.0.0", "apimachinery"},
		{"github.com/crossplane/crossplane-runtime", "v0.0.0", "crossplane-runtime"},
		{"github.com/crossplane/crossplane-runtime/v2", "v2.0.0", "crossplane-runtime-v2"},
		{"github.com/crossplane/crossplane/apis/v2", "v2.0.0", "crossplane-apis"},
	} {
		fmt.Fprintf(&b, "require %s %s\n\nreplace %s => %s/%s\n\n", stub.path, stub.version, stub.path, stubs(t), stub.dir)
	}
	return b.Bytes()
}

func rewrite(t *testing.T, file string, archive *txtar.Archive, got string) {
	t.Helper()
	archive.Files = slices.DeleteFunc(archive.Files, func(f txtar.File) bool { return f.Name == "want" })
	archive.Files = append(archive.Files, txtar.File{Name: "want", Data: []byte(got)})
	if err := os.WriteFile(file, txtar.Format(archive), 0o644); err != nil {
		t.Fatal(err)
	}
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
		for _, file := range s.Generated {
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
		model.Unmanaged:               "unmanaged",
		model.Managed:                 "managed",
		model.ManagedList:             "managed list",
		model.ProviderConfig:          "provider config",
		model.ProviderConfigUsage:     "usage",
		model.ProviderConfigUsageList: "usage list",
	}[o.Role]
}
