package testmodule

import (
	"bytes"
	"cmp"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
	"text/template"
)

// embedded are the types that kinds of a generation embed, with the import of their
// packages, and whether their stand-ins have management policies.
type embedded struct {
	Imports, Spec, Status string
	HasPolicies           bool
}

var embeds = map[string]embedded{
	"runtime-v1": {
		`xpv1 "github.com/crossplane/crossplane-runtime/apis/common/v1"`, "xpv1.ResourceSpec", "xpv1.ResourceStatus", false},
	"runtime-v2-cluster": {
		`xpv1 "github.com/crossplane/crossplane-runtime/v2/apis/common/v1"`, "xpv1.ResourceSpec", "xpv1.ResourceStatus", false},
	"runtime-v2-namespaced": {
		`xpv1 "github.com/crossplane/crossplane-runtime/v2/apis/common/v1"` + "\n" +
			`xpv2 "github.com/crossplane/crossplane-runtime/v2/apis/common/v2"`, "xpv2.ManagedResourceSpec", "xpv1.ResourceStatus", false},
	"object": {},
	"core-v2-cluster": {
		`xpv2 "github.com/crossplane/crossplane/apis/v2/core/v2"`, "xpv2.ClusterManagedResourceSpec", "xpv2.ManagedResourceStatus", true},
	"core-v2-namespaced": {
		`xpv2 "github.com/crossplane/crossplane/apis/v2/core/v2"`, "xpv2.ManagedResourceSpec", "xpv2.ManagedResourceStatus", true},
}

// importsHere is in the place of the imports of embedded types.
const importsHere = "\t// imports\n"

var kindTemplate = template.Must(template.New("").Parse(`package {{.Package}}

import (
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

` + importsHere + `)

{{if .WritesKind}}// A {{.Name}} is a managed resource.
// +kubebuilder:object:root=true
{{range .Markers}}// {{.}}
{{end}}type {{.Name}} struct {
	metav1.TypeMeta   ` + "`json:\",inline\"`" + `
	metav1.ObjectMeta ` + "`json:\"metadata,omitempty\"`" + `

	Spec   {{.Name}}Spec   ` + "`json:\"spec\"`" + `
{{if .HasStatus}}	Status {{.Name}}Status ` + "`json:\"status,omitempty\"`" + `
{{end}}}

{{end}}{{if .WritesSpec}}// {{.Name}}Spec is the desired state.
type {{.Name}}Spec struct {
	{{.Spec}} ` + "`json:\",inline\"`" + `

{{if not .HasPolicies}}	ManagementPolicies []string ` + "`json:\"managementPolicies,omitempty\"`" + `
{{end -}}
	ForProvider {{.Name}}Parameters ` + "`json:\"forProvider\"`" + `
}

{{end}}{{if .WritesStatus}}// {{.Name}}Status is the observed state.
type {{.Name}}Status struct {
	{{.Status}} ` + "`json:\",inline\"`" + `
{{if .IsObserved}}
	AtProvider {{.Name}}Observation ` + "`json:\"atProvider,omitempty\"`" + `
{{end}}}

{{end}}// {{.Name}}List is a list of managed resources.
// +kubebuilder:object:root=true
type {{.Name}}List struct {
	metav1.TypeMeta ` + "`json:\",inline\"`" + `
	metav1.ListMeta ` + "`json:\"metadata,omitempty\"`" + `
	Items []{{.Name}} ` + "`json:\"items\"`" + `
}
{{if .IsRegistered}}
func init() { SchemeBuilder.Register(&{{.Name}}{}, &{{.Name}}List{}) }
{{end}}`))

// A Kind is a managed resource whose parameters, and observation if it has one, are left to the test, or another object,
// whose spec is. Its package may declare the kind, spec and status, too.
type Kind struct {
	Package, Name string
	// Generation has its embedded types: core-v2-namespaced if it is empty. An object embeds none.
	Generation string
	IsObserved bool
	Markers    []string
	// IsRegistered is set if a variable SchemeBuilder of the package registers the kind.
	IsRegistered bool
}

// Write writes the Go types of a kind into the folder of its package.
func (k Kind) Write(dir string) error {
	e, ok := embeds[cmp.Or(k.Generation, "core-v2-namespaced")]
	if !ok {
		return fmt.Errorf("unknown generation %s", k.Generation)
	}
	name := filepath.Join(dir, "kind_"+strings.ToLower(k.Name)+".go")
	if err := os.RemoveAll(name); err != nil { // which declares them if it is written again
		return err
	}
	hasKind, hasSpec, hasStatus := k.declares(dir, ""), k.declares(dir, "Spec"), k.declares(dir, "Status")
	var b bytes.Buffer
	if err := kindTemplate.Execute(&b, struct {
		Kind
		embedded
		HasStatus, WritesKind, WritesSpec, WritesStatus bool
	}{k, e, e.Spec != "" || hasStatus, !hasKind, e.Spec != "" && !hasSpec, e.Spec != "" && !hasStatus}); err != nil {
		return err
	}
	imports := ""
	for line := range strings.Lines(e.Imports) {
		if name, _, _ := strings.Cut(line, " "); strings.Contains(b.String(), "\t"+name+".") {
			imports += "\t" + strings.TrimSuffix(line, "\n") + "\n"
		}
	}
	text := strings.Replace(b.String(), importsHere, imports, 1)
	return os.WriteFile(name, []byte(text), 0o644)
}

// WriteMissing writes what the package in a folder lacks of a kind: a group, unless a file asks for deep copies, its
// variable SchemeBuilder if the kind is registered, and parameters, or the spec of an object, with an optional region.
func (k Kind) WriteMissing(dir, group string) error {
	var files [][2]string
	add := func(name, format string, args ...any) {
		files = append(files, [2]string{name, fmt.Sprintf(format, args...)})
	}
	apiVersion := k.Package
	if !version.MatchString(k.Package) {
		apiVersion = "v1"
	}
	if !contains(dir, "// +kubebuilder:object:generate=true") {
		add("kinds_group.go", "// +kubebuilder:object:generate=true\n// +groupName=%s\n// +versionName=%s\npackage %s\n", group, apiVersion, k.Package)
	}
	if k.IsRegistered && !contains(dir, "&scheme.Builder{") {
		add("kinds_register.go", registration, k.Package, group, apiVersion)
	}
	fields := "Parameters"
	if k.Generation == "object" {
		fields = "Spec"
	}
	if !k.declares(dir, fields) {
		add("kind_"+strings.ToLower(k.Name)+"_fields.go", region, k.Package, k.Name+fields)
	}
	for _, file := range files {
		if err := os.WriteFile(filepath.Join(dir, file[0]), []byte(file[1]), 0o644); err != nil {
			return err
		}
	}
	return nil
}

const registration = `package %s

import (
	"k8s.io/apimachinery/pkg/runtime/schema"
	"sigs.k8s.io/controller-runtime/pkg/scheme"
)

// The group, and what registers its kinds.
var (
	SchemeGroupVersion = schema.GroupVersion{Group: %q, Version: %q}
	SchemeBuilder      = &scheme.Builder{GroupVersion: SchemeGroupVersion}
)
`

const region = `package %s

// %[2]s are fields.
type %[2]s struct {
	// Region of it.
	// +optional
	Region *string ` + "`json:\"region,omitempty\"`" + `
}
`

// GroupOf returns the group of a package that names none: example.org, or below it the last folder of its path that isn't
// called like a version, unless that is apis.
func GroupOf(folder string) string {
	for _, name := range slices.Backward(strings.Split(folder, "/")) {
		if !version.MatchString(name) {
			return strings.TrimPrefix(name+".example.org", "apis.")
		}
	}
	return "example.org"
}

// version matches the names of API versions.
var version = regexp.MustCompile(`^v\d+((alpha|beta)\d+)?$`)

// declares reports whether the package in a folder declares a type whose name begins with the kind's.
func (k Kind) declares(dir, end string) bool { return contains(dir, "\ntype "+k.Name+end+" ") }

// contains reports whether a Go file in a folder contains a text.
func contains(dir, text string) bool {
	files, _ := filepath.Glob(filepath.Join(dir, "*.go")) // the pattern is well formed
	return slices.ContainsFunc(files, func(file string) bool {
		content, err := os.ReadFile(file)
		return err == nil && bytes.Contains(content, []byte(text))
	})
}

// WriteKinds writes the API package in a folder, of the group example.org: one kind a line,
// with its generation, and, if it has a marker for it, its scope.
func WriteKinds(t testing.TB, dir, kinds string) {
	t.Helper()
	pkg := filepath.Base(dir)
	Write(t, filepath.Join(dir, "doc.go"), []byte("// +kubebuilder:object:generate=true\n// +groupName=example.org\npackage "+pkg+"\n"))
	for line := range strings.Lines(kinds) {
		name, generation, _ := strings.Cut(strings.TrimSpace(line), " ")
		generation, scope, hasScope := strings.Cut(generation, " ")
		k := Kind{Package: pkg, Name: name, Generation: generation}
		if hasScope {
			k.Markers = []string{"+kubebuilder:resource:categories={a,b},scope=" + scope}
		}
		if err := k.Write(dir); err != nil {
			t.Fatal(err)
		}
	}
}
