package scopecopies

import (
	"fmt"
	"strings"
	"testing"

	"github.com/mrgen-io/mrgen/generator/scopepair"
	"github.com/mrgen-io/mrgen/testdata/expect"
	"github.com/mrgen-io/mrgen/testdata/testmodule"
)

// TestHiddenSpecs reports kinds whose specs nothing in their folder leads to: no copies would look like kinds that are still
// to come, and the existing copies would be deleted.
func TestHiddenSpecs(t *testing.T) {
	const configs = "type ConfigStatus struct{ xpv2.ProviderConfigStatus }\n\ntype Config struct {\n\tmetav1.ObjectMeta\n\tStatus ConfigStatus\n}\n"
	const file = "apis/namespaced/v1/kind.go"
	for source, want := range map[string]string{
		configs: "",
		configs + "\ntype Spec struct{ common.Spec }\n\ntype Kind struct {\n\tmetav1.ObjectMeta\n\tSpec Spec\n}\n":                             file + ":20:1: Kind embeds no spec of managed resources that is declared below apis/namespaced: declare it there, or mark this +mrgen:scope=namespaced\n",
		configs + "\ntype Spec struct{ common.Spec }\n\n// +mrgen:scope=namespaced\ntype Kind struct {\n\tmetav1.ObjectMeta\n\tSpec Spec\n}\n": "",
		configs + "\ntype Spec struct{ ManagedResourceSpec }\n":                                                                                file + ":6:2: names of this package differ in the other scope, and a dot import hides them: import it without the dot\n",
		"type Spec struct{ xpv2.ManagedResourceSpec }\n\nvar _ Odd\n":                                                                          file + ":7:2: names of this package differ in the other scope, and a dot import hides them: import it without the dot\n",
	} {
		imports := "\txpv2 \"github.com/crossplane/crossplane/apis/v2/core/v2\"\n"
		switch {
		case strings.Contains(source, "{ ManagedResourceSpec }"):
			imports += "\t. \"github.com/crossplane/crossplane/apis/v2/core/v2\"\n"
		case strings.Contains(source, "Odd"):
			imports += "\t. \"k8s.io/apimachinery/pkg/apis/meta/v1\"\n\t. \"example.org/other/odd\"\n"
		}
		root := t.TempDir()
		testmodule.WriteTree(t, root, map[string][]byte{
			"go.mod": []byte("module " + testmodule.Path + "\n"),
			file:     []byte("// +groupName=a.m.example.org\npackage v1\n\nimport (\n" + imports + "\tmetav1 \"k8s.io/apimachinery/pkg/apis/meta/v1\"\n\n\t\"example.org/provider/apis/common\"\n)\n\n" + source),
		})
		pair := parsePair(t, "folders apis/namespaced apis/cluster\ngroup *.m.example.org *.example.org\nreplace example.org/other/odd.Odd example.org/other/even.Even")
		opts := Options{Root: root, Module: testmodule.Path, Pairs: []scopepair.Pair{pair}, IsOutput: func(string) bool { return false }, PackageNames: packageNames}
		_, diags := Files(opts)
		got := ""
		for _, d := range diags.Sorted() {
			if d.Pos.File == file {
				got += fmt.Sprintln(d)
			}
		}
		expect.Equal(t, want, got, "%s", source)
	}
}
