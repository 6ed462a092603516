package testmodule

import (
	"bytes"
	"cmp"
	"path/filepath"
	"strings"
	"testing"
	"text/template"
)

// embeds are the embedded types of each generation, with the import of their
// packages, and whether their stand-ins have management policies.
var embeds = map[string]struct {
	Imports, Spec, Status string
	HasPolicies           bool
}{
	"runtime-v1": {
		`xpv1 "github.com/crossplane/crossplane-runtime/apis/common/v1"`, "xpv1.ResourceSpec", "xpv1.ResourceStatus", false},
	"runtime-v2-cluster": {
		`xpv1 "github.com/crossplane/crossplane-runtime/v2/apis/common/v1"`, "xpv1.ResourceSpec", "xpv1.ResourceStatus", false},
	"runtime-v2-namespaced": {
		`xpv1 "github.com/crossplane/crossplane-runtime/v2/apis/common/v1"` + "\n" +
			`xpv2 "github.com/crossplane/crossplane-runtime/v2/apis/common/v2"`, "xpv2.ManagedResourceSpec", "xpv1.ResourceStatus", false},
	"core-v2-cluster": {
		`xpv2 "github.com/crossplane/crossplane/apis/v2/core/v2"`, "xpv2.ClusterManagedResourceSpec", "xpv2.ManagedResourceStatus", true},
	"core-v2-namespaced": {
		`xpv2 "github.com/crossplane/crossplane/apis/v2/core/v2"`, "xpv2.ManagedResourceSpec", "xpv2.ManagedResourceStatus", true},
}

var kindTemplate = template.Must(template.New("").Parse(`package {{.Package}}

import (
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	{{.Imports}}
)

// +kubebuilder:object:root=true
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

{{if not .HasPolicies}}	ManagementPolicies []string ` + "`json:\"managementPolicies,omitempty\"`" + `
{{end -}}
	ForProvider {{.Kind}}Parameters ` + "`json:\"forProvider\"`" + `
}

type {{.Kind}}Status struct {
	{{.Status}} ` + "`json:\",inline\"`" + `
}

// +kubebuilder:object:root=true
type {{.Kind}}List struct {
	metav1.TypeMeta ` + "`json:\",inline\"`" + `
	metav1.ListMeta ` + "`json:\"metadata,omitempty\"`" + `
	Items []{{.Kind}} ` + "`json:\"items\"`" + `
}
`))

// WriteKinds writes the API package in a folder, of the group example.org: one kind a line,
// with its generation, that of core v2 in a namespace if it names none, and, if it has a
// marker for it, its scope. Their parameters are left to the test.
func WriteKinds(t testing.TB, dir, kinds string) {
	t.Helper()
	pkg := filepath.Base(dir)
	Write(t, filepath.Join(dir, "doc.go"), []byte("// +kubebuilder:object:generate=true\n// +groupName=example.org\npackage "+pkg+"\n"))
	for line := range strings.Lines(kinds) {
		kind, generation, _ := strings.Cut(strings.TrimSpace(line), " ")
		generation, scope, _ := strings.Cut(generation, " ")
		e, ok := embeds[cmp.Or(generation, "core-v2-namespaced")]
		if !ok {
			t.Fatalf("%s: unknown generation", line)
		}
		var b bytes.Buffer
		if err := kindTemplate.Execute(&b, map[string]any{
			"Package": pkg, "Kind": kind, "Scope": scope,
			"Imports": e.Imports, "Spec": e.Spec, "Status": e.Status, "HasPolicies": e.HasPolicies,
		}); err != nil {
			t.Fatal(err)
		}
		Write(t, filepath.Join(dir, "kind_"+strings.ToLower(kind)+".go"), b.Bytes())
	}
}
