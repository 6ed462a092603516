package generator_test

import (
	"encoding/json"
	"errors"
	"io"
	"os"
	"os/exec"
	"slices"
	"strings"
	"testing"

	"github.com/mrgen-io/mrgen/testdata/expect"
)

// mostCompiled is how many packages of other modules the compiler may see. Whoever raises it says in
// docs/performance.md what for.
const mostCompiled = 492

// neverCompiled are packages that mrgen did without when they were measured, or got rid of.
var neverCompiled = []string{
	"github.com/crossplane/", "github.com/spf13/cobra/doc", "go.etcd.io/", "k8s.io/client-go/informers", "k8s.io/client-go/kubernetes",
	"k8s.io/code-generator/", "k8s.io/gengo/", "sigs.k8s.io/controller-runtime/", "sigs.k8s.io/crdify/",
}

// upstreamOnly are packages that only the imports in upstreamImports lead to.
var upstreamOnly = []string{
	"github.com/prometheus/", "go.opentelemetry.io/", "google.golang.org/grpc", "k8s.io/api/core/v1", "k8s.io/client-go/",
	"k8s.io/component-base/metrics", "k8s.io/component-base/tracing", "sigs.k8s.io/apiserver-network-proxy/",
}

// upstreamImports are those of the API server's code that its validation of definitions doesn't need,
// and that nobody else can leave out: from a package, to another one and those below it.
var upstreamImports = [][2]string{
	{"k8s.io/apiextensions-apiserver/pkg/apis/apiextensions/validation", "k8s.io/apiserver/pkg/util/webhook"},
	{"k8s.io/apiextensions-apiserver/pkg/apiserver/validation", "k8s.io/component-base/metrics"},
	{"k8s.io/apiserver/pkg/cel/library", "k8s.io/apiserver/pkg/authentication/serviceaccount"},
	{"k8s.io/apiserver/pkg/cel/metrics", "k8s.io/component-base/metrics"},
	{"k8s.io/component-base/", "k8s.io/component-base/metrics"},
	// The parser with which the API server reads the paths of columns.
	{"github.com/mrgen-io/mrgen/generator/internal/stages/crd", "k8s.io/client-go/util/jsonpath"},
}

// TestCompiled holds what the compiler sees of other modules, and why: see docs/performance.md.
func TestCompiled(t *testing.T) {
	t.Parallel()
	imports := importsOf(t, "../cmd/mrgen")
	seen := reached(imports, func(_, _ string) bool { return false })
	n := len(seen)
	expect.True(t, n <= mostCompiled, "mrgen compiles %d packages of other modules, more than %d: what is new?", n, mostCompiled)
	for _, name := range seen {
		expect.True(t, !hasPrefix(name, neverCompiled), "mrgen compiles %s", name)
	}
	isUpstream := func(from, to string) bool {
		return slices.ContainsFunc(upstreamImports, func(i [2]string) bool { return strings.HasPrefix(from, i[0]) && strings.HasPrefix(to, i[1]) })
	}
	for _, name := range reached(imports, isUpstream) {
		if hasPrefix(name, upstreamOnly) {
			t.Errorf("mrgen compiles %s also for something else than the API server's code: %v", name, importers(imports, name))
		}
	}
	for _, prefix := range upstreamOnly {
		if !slices.ContainsFunc(seen, func(name string) bool { return strings.HasPrefix(name, prefix) }) {
			t.Errorf("mrgen doesn't compile %s any more: it belongs to neverCompiled", prefix)
		}
	}
}

func hasPrefix(name string, prefixes []string) bool {
	return slices.ContainsFunc(prefixes, func(prefix string) bool { return strings.HasPrefix(name, prefix) })
}

// importsOf returns the imports of a command and of all packages in it, on Linux, without those of Go
// itself.
func importsOf(t *testing.T, dir string) map[string][]string {
	t.Helper()
	cmd := exec.Command("go", "list", "-deps", "-json=ImportPath,Imports,Standard", ".")
	cmd.Dir, cmd.Env = dir, append(os.Environ(), "GOWORK=off", "GOOS=linux", "GOARCH=amd64", "CGO_ENABLED=0")
	out := expect.Value(cmd.StdoutPipe())(t)
	expect.NoError(t, cmd.Start())
	imports := map[string][]string{}
	for packages := json.NewDecoder(out); ; {
		var p struct {
			ImportPath string
			Imports    []string
			Standard   bool
		}
		if err := packages.Decode(&p); errors.Is(err, io.EOF) {
			break
		} else if err != nil {
			t.Fatal(err)
		}
		if !p.Standard {
			imports[p.ImportPath] = p.Imports
		}
	}
	expect.NoError(t, cmd.Wait())
	return imports
}

// reached returns the packages of other modules that imports of the command lead to, but for some.
func reached(imports map[string][]string, isCut func(from, to string) bool) []string {
	const command = module + "cmd/mrgen"
	known := map[string]bool{command: true}
	var others []string
	for queue := []string{command}; len(queue) > 0; queue = queue[1:] {
		for _, to := range imports[queue[0]] {
			if _, listed := imports[to]; !listed || known[to] || isCut(queue[0], to) {
				continue
			}
			known[to] = true
			queue = append(queue, to)
			if !strings.HasPrefix(to, module) {
				others = append(others, to)
			}
		}
	}
	slices.Sort(others)
	return others
}

// importers returns the packages that import one.
func importers(imports map[string][]string, name string) []string {
	var all []string
	for from, list := range imports {
		if slices.Contains(list, name) {
			all = append(all, from)
		}
	}
	slices.Sort(all)
	return all
}
