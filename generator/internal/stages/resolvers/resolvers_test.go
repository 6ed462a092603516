package resolvers

import (
	"bytes"
	"context"
	"flag"
	"fmt"
	"maps"
	"os"
	"os/exec"
	"path"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"text/template"

	"github.com/google/go-cmp/cmp"
	"golang.org/x/mod/modfile"
	"golang.org/x/tools/txtar"

	"github.com/mrgen-io/mrgen/generator/internal/load"
	"github.com/mrgen-io/mrgen/generator/internal/pipeline"
)

var update = flag.Bool("update", false, "rewrite the expected results in testdata/resolvers")

const (
	repository = "../../../.."
	// wantDir holds the expected files in an archive.
	wantDir = "want/"
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
	archives, err := filepath.Glob(filepath.Join(repository, "testdata/resolvers/*.txtar"))
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
			options, want := extract(t, archive, root)
			got := runStage(t, options)
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
func extract(t *testing.T, archive *txtar.Archive, root string) (options load.Options, want map[string]string) {
	t.Helper()
	stages := []pipeline.Stage{Stage}
	options = load.Options{
		Root: root, Patterns: []string{"./..."},
		Outputs: pipeline.GoFiles(stages), Importers: pipeline.Importers(stages), OwnFile: pipeline.OwnFile(stages),
	}
	want = map[string]string{}
	other := filepath.Join(t.TempDir(), "other")
	write(t, filepath.Join(root, "go.mod"), goMod(t, other))
	write(t, filepath.Join(other, "go.mod"), []byte("module "+otherModule+"\n\ngo 1.23\n"))
	for _, f := range archive.Files {
		name, isWant := strings.CutPrefix(f.Name, wantDir)
		file := filepath.Join(root, filepath.FromSlash(f.Name))
		if inOther, found := strings.CutPrefix(f.Name, "other/"); found {
			file = filepath.Join(other, filepath.FromSlash(inOther))
		}
		switch {
		case isWant:
			want[name] = string(f.Data)
		case f.Name == "patterns":
			options.Patterns = strings.Fields(string(f.Data))
		case f.Name == "registry":
			own, diags := load.NewOwnPackage(root, strings.TrimSpace(string(f.Data)), options.OwnFile)
			if diags.HasErrors() {
				t.Fatal(diags)
			}
			options.Own = own
		case path.Base(f.Name) == "kinds":
			writeKinds(t, filepath.Dir(file), string(f.Data))
		default:
			write(t, file, f.Data)
		}
	}
	return options, want
}

// embeds are the embedded types of each generation, with the import of their
// packages.
var embeds = map[string]struct{ Imports, Spec, Status string }{
	"runtime-v1": {
		`xpv1 "github.com/crossplane/crossplane-runtime/apis/common/v1"`, "xpv1.ResourceSpec", "xpv1.ResourceStatus"},
	"runtime-v2-cluster": {
		`xpv1 "github.com/crossplane/crossplane-runtime/v2/apis/common/v1"`, "xpv1.ResourceSpec", "xpv1.ResourceStatus"},
	"runtime-v2-namespaced": {
		`xpv1 "github.com/crossplane/crossplane-runtime/v2/apis/common/v1"` + "\n" +
			`xpv2 "github.com/crossplane/crossplane-runtime/v2/apis/common/v2"`, "xpv2.ManagedResourceSpec", "xpv1.ResourceStatus"},
	"core-v2-cluster": {
		`xpv2 "github.com/crossplane/crossplane/apis/v2/core/v2"`, "xpv2.ClusterManagedResourceSpec", "xpv2.ManagedResourceStatus"},
	"core-v2-namespaced": {
		`xpv2 "github.com/crossplane/crossplane/apis/v2/core/v2"`, "xpv2.ManagedResourceSpec", "xpv2.ManagedResourceStatus"},
}

var kindTemplate = template.Must(template.New("").Parse(`package {{.Package}}

import (
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	{{.Imports}}
)

{{with .Scope}}// +kubebuilder:resource:categories={a,b},scope={{.}}
{{end -}}
type {{.Kind}} struct {
	metav1.TypeMeta   ` + "`json:\",inline\"`" + `
	metav1.ObjectMeta ` + "`json:\"metadata,omitempty\"`" + `

	Spec   {{.Kind}}Spec   ` + "`json:\"spec\"`" + `
	Status {{.Kind}}Status ` + "`json:\"status,omitempty\"`" + `
}

type {{.Kind}}Spec struct {
	{{.Spec}} ` + "`json:\",inline\"`" + `

	ForProvider {{.Kind}}Parameters ` + "`json:\"forProvider\"`" + `
}

type {{.Kind}}Status struct {
	{{.Status}} ` + "`json:\",inline\"`" + `
}

type {{.Kind}}List struct {
	metav1.TypeMeta ` + "`json:\",inline\"`" + `
	metav1.ListMeta ` + "`json:\"metadata,omitempty\"`" + `
	Items []{{.Kind}} ` + "`json:\"items\"`" + `
}
`))

// writeKinds writes the Go types of kinds.
func writeKinds(t *testing.T, dir, kinds string) {
	t.Helper()
	pkg := filepath.Base(dir)
	write(t, filepath.Join(dir, "doc.go"), []byte("// +kubebuilder:object:generate=true\n// +groupName=example.org\npackage "+pkg+"\n"))
	for line := range strings.Lines(kinds) {
		kind, generation, _ := strings.Cut(strings.TrimSpace(line), " ")
		generation, scope, _ := strings.Cut(generation, " ")
		e, ok := embeds[generation]
		if !ok {
			t.Fatalf("%s: unknown generation", line)
		}
		var b bytes.Buffer
		if err := kindTemplate.Execute(&b, map[string]string{
			"Package": pkg, "Kind": kind, "Imports": e.Imports, "Spec": e.Spec, "Status": e.Status, "Scope": scope,
		}); err != nil {
			t.Fatal(err)
		}
		write(t, filepath.Join(dir, "kind_"+strings.ToLower(kind)+".go"), b.Bytes())
	}
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

// otherModule is the path of the module that the one of an archive may use.
const otherModule = "example.org/other"

// goMod returns the go.mod of a module that requires all stand-ins, and the module in
// the folder other.
func goMod(t *testing.T, other string) []byte {
	t.Helper()
	stubs, err := filepath.Glob(filepath.Join(repository, "testdata/stubs/*/go.mod"))
	if err != nil {
		t.Fatal(err)
	}
	var b bytes.Buffer
	fmt.Fprint(&b, "module example.org/provider\n\ngo 1.23\n\n")
	fmt.Fprintf(&b, "require %s v0.0.0\n\nreplace %s => %s\n\n", otherModule, otherModule, filepath.ToSlash(other))
	for _, stub := range stubs {
		content, err := os.ReadFile(stub)
		if err != nil {
			t.Fatal(err)
		}
		dir, err := filepath.Abs(filepath.Dir(stub))
		if err != nil {
			t.Fatal(err)
		}
		modulePath, version := modfile.ModulePath(content), "v0.0.0"
		if modulePath == "example.org/provider" {
			continue
		}
		if strings.HasSuffix(modulePath, "/v2") {
			version = "v2.0.0"
		}
		fmt.Fprintf(&b, "require %s %s\n\nreplace %s => %s\n\n", modulePath, version, modulePath, filepath.ToSlash(dir))
	}
	return b.Bytes()
}

// runStage returns the files that the stage writes for a module, and the
// diagnostics.
func runStage(t *testing.T, options load.Options) map[string]string {
	t.Helper()
	got := map[string]string{}
	source, diags := load.Load(context.Background(), options)
	if !diags.HasErrors() {
		output, stageDiags, err := pipeline.Run(context.Background(), source, pipeline.Options{Registry: options.Own}, []pipeline.Stage{Stage})
		if err != nil {
			t.Fatal(err)
		}
		diags = append(diags, stageDiags...)
		if !diags.HasErrors() {
			for name, content := range output.Artifacts.Files() {
				got[name] = string(content)
				write(t, filepath.Join(options.Root, filepath.FromSlash(name)), content)
			}
			compile(t, options.Root)
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

func compile(t *testing.T, root string) {
	t.Helper()
	command := exec.Command("go", "vet", "./...")
	command.Dir = root
	command.Env = append(os.Environ(), "GOFLAGS=-mod=mod", "GOWORK=off", "GOPROXY=off")
	if output, err := command.CombinedOutput(); err != nil {
		t.Errorf("the module does not compile: %v\n%s", err, output)
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
