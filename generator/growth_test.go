package generator_test

import (
	"fmt"
	"maps"
	"path/filepath"
	"strings"
	"testing"

	apiextensionsv1 "k8s.io/apiextensions-apiserver/pkg/apis/apiextensions/v1"
	"sigs.k8s.io/yaml"

	"github.com/mrgen-io/mrgen/generator/provider"
	"github.com/mrgen-io/mrgen/testdata/budget"
	"github.com/mrgen-io/mrgen/testdata/expect"
	"github.com/mrgen-io/mrgen/testdata/testmodule"
	"github.com/mrgen-io/mrgen/testdata/testprovider"
)

// TestLargeKind generates code for a kind of 2,000 fields on 12 levels, in which each
// level but the last holds the next one, in turn as a pointer, a list and a map. Its
// observation mirrors all of them.
func TestLargeKind(t *testing.T) {
	t.Parallel()
	const fields, levels = 2000, 12
	tree := testmodule.ReadTree(t, "../testdata/provider-runtime-v2")
	maps.DeleteFunc(tree, func(name string, _ []byte) bool {
		return testprovider.IsGenerated(name) || strings.HasPrefix(name, "apis/")
	})
	tree["apis/large/v1/types.go"] = []byte(largeKind(fields, levels))
	dir := t.TempDir()
	testmodule.WriteTree(t, dir, tree)

	o := provider.Default()
	o.Dir = dir
	o.Packages = []string{"./apis/..."}
	o.MaxDefinitionSize = 0 // which it is far over
	testprovider.Apply(t, o)

	var crd apiextensionsv1.CustomResourceDefinition
	expect.NoError(t, yaml.UnmarshalStrict(testmodule.Read(t, filepath.Join(dir, "package/crds/large.example.org_larges.yaml")), &crd))
	root := crd.Spec.Versions[0].Schema.OpenAPIV3Schema
	for _, place := range []apiextensionsv1.JSONSchemaProps{root.Properties["spec"].Properties["forProvider"], root.Properties["status"].Properties["atProvider"]} {
		count, depth := measureSchema(place)
		expect.True(t, count == fields && depth == levels, "the schema has %d fields on %d levels, want %d on %d", count, depth, fields, levels)
	}
	if budget.IsLarge() { // mrgen type-checks what it writes
		testprovider.Vet(t, dir)
	}
}

// largeKind returns the source of a package with a kind of so many fields.
func largeKind(fields, levels int) string {
	var b strings.Builder
	b.WriteString(`// Package v1 has a large kind.
// +kubebuilder:object:generate=true
// +groupName=large.example.org
package v1

import (
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	xpv1 "github.com/crossplane/crossplane-runtime/v2/apis/common/v1"
)

// A Large is large.
// +kubebuilder:object:root=true
// +kubebuilder:subresource:status
// +kubebuilder:resource:scope=Cluster
type Large struct {
	metav1.TypeMeta   ` + "`json:\",inline\"`" + `
	metav1.ObjectMeta ` + "`json:\"metadata,omitempty\"`" + `

	Spec   LargeSpec   ` + "`json:\"spec\"`" + `
	Status LargeStatus ` + "`json:\"status,omitempty\"`" + `
}

// A LargeSpec is what a user wants.
type LargeSpec struct {
	xpv1.ResourceSpec ` + "`json:\",inline\"`" + `
	ForProvider       Level1 ` + "`json:\"forProvider\"`" + `
}

// A LargeStatus is what was observed.
type LargeStatus struct {
	xpv1.ResourceStatus ` + "`json:\",inline\"`" + `
	AtProvider          LargeObservation ` + "`json:\"atProvider,omitempty\"`" + `
}

// A LargeList lists large things.
// +kubebuilder:object:root=true
type LargeList struct {
	metav1.TypeMeta ` + "`json:\",inline\"`" + `
	metav1.ListMeta ` + "`json:\"metadata,omitempty\"`" + `
	Items           []Large ` + "`json:\"items\"`" + `
}
`)
	for level := 1; level <= levels; level++ {
		remaining := fields / (levels - level + 1)
		fields -= remaining
		fmt.Fprintf(&b, "\n// Level%d is a level.\ntype Level%d struct {\n", level, level)
		if level < levels {
			container := []string{"*", "[]", "map[string]"}[level%3]
			fmt.Fprintf(&b, "\t// The next level.\n\t// +optional\n\tNext %sLevel%d `json:\"next,omitempty\"`\n", container, level+1)
			remaining--
		}
		for i := range remaining {
			fmt.Fprintf(&b, "\n\t// Field %d of level %d.\n\t// +optional\n\tField%d *string `json:\"field%d,omitempty\"`\n", i, level, i, i)
		}
		b.WriteString("}\n")
	}
	return b.String()
}

// measureSchema returns the number of fields in a schema, and the levels they are on.
func measureSchema(s apiextensionsv1.JSONSchemaProps) (fields, levels int) {
	for _, property := range s.Properties {
		switch {
		case property.Items != nil:
			property = *property.Items.Schema
		case property.AdditionalProperties != nil:
			property = *property.AdditionalProperties.Schema
		}
		innerFields, innerLevels := measureSchema(property)
		fields += 1 + innerFields
		levels = max(levels, innerLevels)
	}
	if len(s.Properties) > 0 {
		levels++
	}
	return fields, levels
}

// TestBench tests the benchmark, and has mrgen generate code for the smallest of its
// providers: without a diagnostic, and so that it compiles. It takes a large budget.
func TestBench(t *testing.T) {
	needsLargeBudget(t)
	t.Parallel()
	const bench = "../testdata/bench"
	goCommand(t, bench, "vet", ".", "./internal/...")
	testModule(t, bench, ".", "./internal/...")
	dir := t.TempDir()
	goCommand(t, bench, "run", ".", "-write", dir, "-sizes", "10")
	o := provider.Default()
	o.Dir = dir
	o.Packages = []string{"./apis/..."}
	o.HeaderFile = "hack/boilerplate.go.txt"
	o.AllowDangerousTypes = true
	testprovider.Apply(t, o)
	goCommand(t, dir, "vet", "./...")
}
