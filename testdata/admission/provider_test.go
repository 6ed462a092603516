package admission_test

import (
	"bytes"
	"errors"
	"fmt"
	"maps"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"sync"
	"testing"

	apiextensionsv1 "k8s.io/apiextensions-apiserver/pkg/apis/apiextensions/v1"
	"sigs.k8s.io/yaml"

	"github.com/mrgen-io/admission"
)

// programs is the folder for mrgen.
var programs string

func TestMain(m *testing.M) {
	var err error
	if programs, err = os.MkdirTemp("", "admission"); err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
	status := m.Run()
	if err := os.RemoveAll(programs); err != nil {
		fmt.Fprintln(os.Stderr, err)
	}
	os.Exit(status)
}

// mrgen builds mrgen from the repository around this module, once, and returns its
// path. Unlike go build, go run keeps what it links.
var mrgen = sync.OnceValues(func() (string, error) {
	program := filepath.Join(programs, "mrgen")
	cmd := exec.Command("go", "run", "-trimpath", "-ldflags=-s -w", "-exec=cp", "./cmd/mrgen", program)
	cmd.Dir = filepath.Join("..", "..")
	cmd.Env = append(os.Environ(), "GOWORK=off")
	if out, err := cmd.CombinedOutput(); err != nil {
		return "", fmt.Errorf("cannot build mrgen: %w\n%s", err, out)
	}
	return program, nil
})

// typesFile is the one file of a provider that differs from test to test.
const typesFile = "apis/v1alpha1/types.go"

// generated is what mrgen makes of a provider.
type generated struct {
	// crds are by their kinds. There are none if mrgen found errors.
	crds map[string]*apiextensionsv1.CustomResourceDefinition
	// diagnostics are what mrgen says.
	diagnostics string
	// refused tells that mrgen found errors in the input.
	refused bool
}

// generate runs mrgen on a provider in a folder of its own, which has the go.mod and
// the API group of provider-rules. The types are the declarations of its kinds, and
// the settings are for mrgen.yaml.
func generate(t *testing.T, types, settings string) generated {
	t.Helper()
	return generateIn(t, provider(t, types, settings))
}

// generateQuickly is as generate, but with a small budget the modules in testdata/stubs stand
// in for those that the provider imports, which takes a third of the time. They don't where
// the types of other modules matter.
func generateQuickly(t *testing.T, types, settings string) generated {
	t.Helper()
	return generateIn(t, quickProvider(t, types, settings))
}

// times matches the lines with the time of each step, and about a slow one.
var times = regexp.MustCompile(`(?m)^( *\d+\.\d{3}s  |still working: ).*\n`)

// generateIn runs mrgen on a provider in a folder.
func generateIn(t *testing.T, dir string) generated {
	t.Helper()
	result := generated{crds: map[string]*apiextensionsv1.CustomResourceDefinition{}}
	said, refused := run(t, dir, "generate", "-v") // else it counts warnings that are alike
	result.diagnostics, result.refused = times.ReplaceAllString(said, ""), refused
	if result.refused {
		return result
	}
	files, err := filepath.Glob(filepath.Join(dir, "package/crds/*.yaml"))
	if err != nil || len(files) == 0 {
		t.Fatalf("no CRDs: %v\n%s", err, result.diagnostics)
	}
	for _, file := range files {
		content, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		var crd apiextensionsv1.CustomResourceDefinition
		if err := yaml.UnmarshalStrict(content, &crd); err != nil {
			t.Fatalf("%s: %v", file, err)
		}
		result.crds[crd.Spec.Names.Kind] = &crd
	}
	return result
}

// fix has mrgen fix the types of a provider, by a fix and its flags, and returns them, and
// what mrgen says. The provider is that of generateQuickly.
func fix(t *testing.T, name, types, settings string) (source, said string) {
	t.Helper()
	dir := quickProvider(t, types, settings)
	said, refused := run(t, dir, append(append([]string{"fix"}, strings.Fields(name)...), "--force")...)
	if refused {
		t.Fatalf("mrgen fix %s refuses the types:\n%s\n%s", name, said, types)
	}
	content, err := os.ReadFile(filepath.Join(dir, typesFile))
	if err != nil {
		t.Fatal(err)
	}
	return string(content), said
}

// provider writes a provider, and returns its folder. See [generate].
func provider(t *testing.T, types, settings string) string {
	t.Helper()
	dir := t.TempDir()
	for _, name := range []string{"go.mod", "go.sum", "apis/v1alpha1/groupversion_info.go"} {
		content, err := os.ReadFile(filepath.Join("..", "provider-rules", name))
		if err != nil {
			t.Fatal(err)
		}
		write(t, filepath.Join(dir, name), string(content))
	}
	write(t, filepath.Join(dir, typesFile), types)
	write(t, filepath.Join(dir, "mrgen.yaml"), settings)
	return dir
}

// quickProvider writes a provider. See [generateQuickly].
func quickProvider(t *testing.T, types, settings string) string {
	t.Helper()
	dir := provider(t, types, settings)
	if budget(0, 1) > 0 {
		return dir
	}
	stubs, err := filepath.Abs("../stubs")
	if err != nil {
		t.Fatal(err)
	}
	content, err := os.ReadFile(filepath.Join(stubs, "stand-ins.mod"))
	if err != nil {
		t.Fatal(err)
	}
	write(t, filepath.Join(dir, "go.mod"), strings.ReplaceAll(string(content), "FOLDER", filepath.ToSlash(stubs)))
	return dir
}

// run runs mrgen in a folder. It returns what mrgen says, and whether it found errors
// in the input.
func run(t *testing.T, dir string, arguments ...string) (diagnostics string, refused bool) {
	t.Helper()
	program, err := mrgen()
	if err != nil {
		t.Fatal(err)
	}
	cmd := exec.Command(program, arguments...)
	cmd.Dir = dir
	cmd.Env = append(os.Environ(), "GOWORK=off")
	var said bytes.Buffer
	cmd.Stderr = &said
	err = cmd.Run()
	var exit *exec.ExitError
	switch {
	case errors.As(err, &exit) && exit.ExitCode() == 2:
		return said.String(), true
	case err != nil:
		t.Fatalf("mrgen: %v\n%s", err, said.String())
	}
	return said.String(), false
}

// install returns servers for the kinds of a provider.
func (g generated) install(t *testing.T) map[string]*admission.Server {
	t.Helper()
	servers := map[string]*admission.Server{}
	for _, kind := range slices.Sorted(maps.Keys(g.crds)) {
		server, err := admission.New(g.crds[kind], "v1alpha1")
		if err != nil {
			t.Fatalf("the CRD of %s can't be installed: %v", kind, err)
		}
		servers[kind] = server
	}
	return servers
}

func write(t *testing.T, file, content string) {
	t.Helper()
	if err := os.MkdirAll(filepath.Dir(file), 0o755); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(file, []byte(content), 0o644); err != nil {
		t.Fatal(err)
	}
}

// typesHeader begins a file of types. The imports that a file need not use are used
// here.
const typesHeader = `package v1alpha1

import (
	apiextensionsv1 "k8s.io/apiextensions-apiserver/pkg/apis/apiextensions/v1"
	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/api/resource"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/util/intstr"

	xpv2 "github.com/crossplane/crossplane/apis/v2/core/v2"
)

var (
	_ apiextensionsv1.JSON
	_ corev1.Protocol
	_ resource.Quantity
	_ runtime.RawExtension
	_ intstr.IntOrString
)
`

// kindSource returns the declarations of a kind, those of its parameters apart: a
// struct <name>Parameters. Markers are for the kind.
func kindSource(name string, initProvider bool, markers ...string) string {
	field := ""
	if initProvider {
		field = "\tInitProvider " + name + "InitParameters `json:\"initProvider,omitempty\"`\n"
	}
	comments := ""
	for _, marker := range markers {
		comments += "// " + marker + "\n"
	}
	return strings.NewReplacer("NAME", name, "INIT\n", field, "MARKERS\n", comments).Replace(`
// NAMESpec is the desired state of NAME.
type NAMESpec struct {
	xpv2.ClusterManagedResourceSpec ` + "`json:\",inline\"`" + `
	ForProvider NAMEParameters ` + "`json:\"forProvider\"`" + `
INIT
}

// NAMEStatus is the observed state of NAME.
type NAMEStatus struct {
	xpv2.ManagedResourceStatus ` + "`json:\",inline\"`" + `
}

// NAME is a managed resource.
// +kubebuilder:object:root=true
// +kubebuilder:subresource:status
// +kubebuilder:resource:scope=Cluster
MARKERS
type NAME struct {
	metav1.TypeMeta   ` + "`json:\",inline\"`" + `
	metav1.ObjectMeta ` + "`json:\"metadata,omitempty\"`" + `

	Spec   NAMESpec   ` + "`json:\"spec\"`" + `
	Status NAMEStatus ` + "`json:\"status,omitempty\"`" + `
}

// NAMEList contains a list of NAME.
// +kubebuilder:object:root=true
type NAMEList struct {
	metav1.TypeMeta ` + "`json:\",inline\"`" + `
	metav1.ListMeta ` + "`json:\"metadata,omitempty\"`" + `
	Items           []NAME ` + "`json:\"items\"`" + `
}
`)
}
