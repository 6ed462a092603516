package observation

import (
	"bytes"
	"context"
	"flag"
	"fmt"
	"maps"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"golang.org/x/mod/modfile"
	"golang.org/x/tools/txtar"

	"github.com/mrgen-io/mrgen/generator/internal/load"
	"github.com/mrgen-io/mrgen/generator/internal/pipeline"
)

var update = flag.Bool("update", false, "rewrite the expected results in testdata/observation")

const (
	repository = "../../../.."
	// wantDir holds the expected files in an archive. laterDir holds files that are
	// added when the stage is done: what other stages write, as far as it is needed
	// to compile, and tests of what the stage writes.
	wantDir, laterDir = "want/", "later/"
)

// TestStage runs the stage on the modules in testdata/observation. Each archive
// holds a module and, below "want", the files that the stage writes, which must
// compile, and "plan" with the omissions and the diagnostics; the file "patterns"
// names patterns other than ./... .
func TestStage(t *testing.T) {
	archives, err := filepath.Glob(filepath.Join(repository, "testdata/observation/*.txtar"))
	if err != nil || len(archives) == 0 {
		t.Fatalf("no archives: %v", err)
	}
	for _, name := range archives {
		t.Run(strings.TrimSuffix(filepath.Base(name), ".txtar"), func(t *testing.T) {
			t.Parallel()
			archive, err := txtar.ParseFile(name)
			if err != nil {
				t.Fatal(err)
			}
			root := t.TempDir()
			patterns, want := extract(t, archive, root)
			got := runStage(t, root, patterns, archive)
			if *update {
				rewrite(t, name, archive, got)
			} else if diff := cmp.Diff(want, got); diff != "" {
				t.Errorf("-want +got:\n%s", diff)
			}
		})
	}
}

// extract writes the module of an archive to the folder, with a go.mod for the
// stand-ins in testdata/stubs.
func extract(t *testing.T, archive *txtar.Archive, root string) (patterns []string, want map[string]string) {
	t.Helper()
	patterns, want = []string{"./..."}, map[string]string{}
	write(t, filepath.Join(root, "go.mod"), goMod(t))
	for _, f := range archive.Files {
		name, isWant := strings.CutPrefix(f.Name, wantDir)
		switch {
		case isWant:
			want[name] = string(f.Data)
		case strings.HasPrefix(f.Name, laterDir):
		case f.Name == "patterns":
			patterns = strings.Fields(string(f.Data))
		default:
			write(t, filepath.Join(root, filepath.FromSlash(f.Name)), f.Data)
		}
	}
	return patterns, want
}

func write(t *testing.T, name string, content []byte) {
	t.Helper()
	if err := os.MkdirAll(filepath.Dir(name), 0o755); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(name, content, 0o644); err != nil {
		t.Fatal(err)
	}
}

// goMod returns the go.mod of a module that requires all stand-ins.
func goMod(t *testing.T) []byte {
	t.Helper()
	stubs, err := filepath.Glob(filepath.Join(repository, "testdata/stubs/*/go.mod"))
	if err != nil {
		t.Fatal(err)
	}
	var b bytes.Buffer
	fmt.Fprint(&b, "module example.org/provider\n\ngo 1.23\n\n")
	for _, stub := range stubs {
		content, err := os.ReadFile(stub)
		if err != nil {
			t.Fatal(err)
		}
		dir, err := filepath.Abs(filepath.Dir(stub))
		if err != nil {
			t.Fatal(err)
		}
		path, version := modfile.ModulePath(content), "v0.0.0"
		if path == "example.org/provider" {
			continue
		}
		if strings.HasSuffix(path, "/v2") {
			version = "v2.0.0"
		}
		fmt.Fprintf(&b, "require %s %s\n\nreplace %s => %s\n\n", path, version, path, filepath.ToSlash(dir))
	}
	return b.Bytes()
}

// runStage returns the files that the stage writes for a module, and the plan.
func runStage(t *testing.T, root string, patterns []string, archive *txtar.Archive) map[string]string {
	t.Helper()
	got := map[string]string{}
	var plan strings.Builder
	source, diags := load.Load(context.Background(), load.Options{
		Root:        root,
		Patterns:    patterns,
		Outputs:     pipeline.GoFiles([]pipeline.Stage{Stage}),
		TypesFollow: true,
	})
	if !diags.HasErrors() {
		packages, _ := newPlan(source.Model, source)
		dumpOmissions(&plan, packages)
		output, stageDiags, err := pipeline.Run(context.Background(), source, pipeline.Options{}, []pipeline.Stage{Stage})
		if err != nil {
			t.Fatal(err)
		}
		diags = append(diags, stageDiags...)
		if !diags.HasErrors() {
			for name, content := range output.Artifacts.Files() {
				got[name] = string(content)
				write(t, filepath.Join(root, filepath.FromSlash(name)), content)
			}
			command := "build"
			for _, f := range archive.Files {
				if name, isLater := strings.CutPrefix(f.Name, laterDir); isLater {
					write(t, filepath.Join(root, filepath.FromSlash(name)), f.Data)
					if strings.HasSuffix(name, "_test.go") {
						command = "test"
					}
				}
			}
			judge(t, root, command)
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

// judge has the go command build or test a module.
func judge(t *testing.T, root, subcommand string) {
	t.Helper()
	command := exec.Command("go", subcommand, "./...")
	command.Dir = root
	command.Env = append(os.Environ(), "GOFLAGS=-mod=mod", "GOWORK=off", "GOPROXY=off")
	if output, err := command.CombinedOutput(); err != nil {
		t.Errorf("go %s fails in the module: %v\n%s", subcommand, err, output)
	}
}

func rewrite(t *testing.T, name string, archive *txtar.Archive, got map[string]string) {
	t.Helper()
	archive.Files = slices.DeleteFunc(archive.Files, func(f txtar.File) bool { return strings.HasPrefix(f.Name, wantDir) })
	for _, file := range slices.Sorted(maps.Keys(got)) {
		archive.Files = append(archive.Files, txtar.File{Name: wantDir + file, Data: []byte(got[file])})
	}
	if err := os.WriteFile(name, txtar.Format(archive), 0o644); err != nil {
		t.Fatal(err)
	}
}
