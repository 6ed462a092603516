package artifact

import (
	"fmt"
	"strings"
	"testing"

	"github.com/mrgen-io/mrgen/testdata/expect"
)

// definition returns a CRD that mrgen wrote for a kind.
func definition(kind string, folders ...string) string {
	return YAMLHeader(folders) + "\n---\nkind: CustomResourceDefinition\nspec:\n  group: example.org\n  names:\n    categories:\n    - a\n" +
		"    kind: " + kind + "\n    listKind: " + kind + "List\n  scope: Namespaced\n"
}

// TestWhyStale holds that a plan says why it deletes a definition.
func TestWhyStale(t *testing.T) {
	root := t.TempDir()
	const box = "crds/example.org_boxes.yaml"
	for _, test := range []struct {
		name, definition string
		disk, set        map[string]string
		want             string
	}{
		{"folder", definition("Box", "apis/gone"), nil, nil, "apis/gone has no Go files"},
		{"tests alone", definition("Box", "apis/tests"), map[string]string{"apis/tests/a_test.go": "package a\n\ntype Box struct{}\n"}, nil, "apis/tests/a_test.go declares Box, but is a test"},
		{"kind", definition("Box", "apis/v1"), map[string]string{"apis/v1/a.go": "package v1\n\ntype Boxes struct{}\n"}, nil, "no file in apis/v1 declares Box"},
		{"kind of two versions", definition("Box", "apis/v1", "apis/v2"), nil, nil, "no file in apis/v1 and apis/v2 declares Box"},
		{
			"constraint", definition("Box", "apis/tagged"), map[string]string{"apis/tagged/a.go": "// Copyright.\n\n//go:build extra && !other\n\npackage v1\n\ntype Box struct{}\n"}, nil,
			"apis/tagged/a.go declares Box, but has the build constraint extra && !other",
		},
		{
			"markers", definition("Box", "apis/plain"), map[string]string{"apis/plain/a.go": "package v1\n\ntype (\n\tOther struct{}\n\tBox struct{}\n)\n"}, nil,
			"the settings, or the markers of Box in apis/plain/a.go, leave it out",
		},
		{"settings", definition("Box", "apis/v1"), nil, map[string]string{"mrds/example.org_boxes.yaml": definition("Box", "apis/v1")}, "the settings leave it out, and keep mrds/example.org_boxes.yaml"},
		{"copy", definition("Box", "apis/v1") + "metadata:\n  name: boxes.example.org\n", nil, map[string]string{"crds/other.yaml": definition("Box", "apis/v1") + "metadata:\n  name: boxes.example.org\n"}, "mrgen names this definition other.yaml"},
		{
			"group", definition("Box", "apis/v1"), nil, map[string]string{"crds/other.org_boxes.yaml": definition("Box", "apis/v1")},
			"Box in apis/v1 now leads to other.org_boxes.yaml: correct its group or plural if that isn't meant",
		},
		{"root", definition("Box", "."), nil, nil, "the module root has no Go files"},
		{"dot", definition("Box", ".apis/v1"), nil, nil, ".apis/v1 has no Go files"},
		{"no kind", ownedYAML("apis/v1"), nil, nil, "no kind in apis/v1 leads to it"},
	} {
		writeTree(t, root, test.disk)
		writeTree(t, root, map[string]string{box: test.definition})
		plan := mustPlan(t, root, newSet(t, test.set), PlanOptions{DocumentFolders: []string{"crds"}, InScope: everything, RemoveDefinitions: true})
		got := plan.Changes[0]
		expect.True(t, got.Path == box && got.Reason == test.want, "%s: %s is deleted since %q, want %q", test.name, got.Path, got.Reason, test.want)
	}
}

// TestRemovedDefinitions holds that a plan deletes more than half of the definitions only if the options allow that.
// Definitions of packages that a run doesn't cover count, and new ones make up for others.
func TestRemovedDefinitions(t *testing.T) {
	for removed := range 5 {
		for kept := range 4 {
			for more := range 9 {
				left, created := more/3, more%3
				root, set, total := t.TempDir(), map[string]string{}, removed+kept+left
				for i := range created {
					set[fmt.Sprintf("crds/new%d.yaml", i)] = definition("New", "apis/v1")
				}
				for i := range total {
					source := "apis/v1"
					if i >= removed+kept {
						source = "other"
					}
					name, content := fmt.Sprintf("crds/%d.yaml", i), definition("Box", source)
					writeTree(t, root, map[string]string{name: content})
					if i >= removed && i < removed+kept {
						set[name] = content
					}
				}
				options := PlanOptions{DocumentFolders: []string{"crds"}, InScope: below("apis")}
				want := ""
				if removed-created > kept+left {
					want = fmt.Sprintf("crds: this would delete %d of %d definitions: cover their packages and build tags, or pass --remove-definitions to generate", removed, total)
					for i := range removed {
						want += fmt.Sprintf("\ncrds/%d.yaml: warning: stale: apis/v1 has no Go files", i)
					}
				}
				plan, problems := NewPlan(root, newSet(t, set), options)
				got := expect.Strings(problems)
				expect.True(t, strings.Join(got, "\n") == want && (plan == nil) == (want != ""), "%d of %d: got %q, want %q", removed, total, got, want)
				options.RemoveDefinitions = true
				if plan := mustPlan(t, root, newSet(t, set), options); len(plan.Changed()) != removed+created {
					t.Errorf("%d of %d: %d changes, although the options allow it", removed, total, len(plan.Changed()))
				}
			}
		}
	}
}
