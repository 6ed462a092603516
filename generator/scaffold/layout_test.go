package scaffold_test

import (
	"fmt"
	"path/filepath"
	"strings"
	"testing"

	"golang.org/x/tools/txtar"

	"github.com/mrgen-io/mrgen/generator/internal/workshop/layout"
	"github.com/mrgen-io/mrgen/testdata/expect"
	"github.com/mrgen-io/mrgen/testdata/testmodule"
)

// TestLayout finds where new kinds belong in modules of several layouts. Each line of the file queries
// has the name, the group and the version of one.
func TestLayout(t *testing.T) {
	archives := testmodule.Glob(t, "../internal/workshop/layout/testdata/*.txtar")
	for _, name := range archives {
		t.Run(strings.TrimSuffix(filepath.Base(name), ".txtar"), func(t *testing.T) {
			archive := expect.Value(txtar.ParseFile(name))(t)
			root, queries := t.TempDir(), ""
			for _, file := range archive.Files {
				switch file.Name {
				case "queries":
					queries = string(file.Data)
				case "want":
				default:
					testmodule.Write(t, filepath.Join(root, filepath.FromSlash(file.Name)), file.Data)
				}
			}
			m, diags := layout.Read(root)
			expect.None(t, diags)
			testmodule.CompareText(t, name, archive, describe(m, strings.Split(strings.TrimSpace(queries), "\n")))
		})
	}
}

// describe returns the trees of a module, and where new kinds belong in them.
func describe(m *layout.Module, queries []string) string {
	var out strings.Builder
	for _, tree := range m.Trees() {
		fmt.Fprintf(&out, "%s: group %s, namespaced %t, foreign %t, %s\n", tree.Dir, tree.Group, tree.Namespaced, tree.Foreign, tree.Generation("").Name)
		if place := m.Scheme(tree); place != nil {
			fmt.Fprintf(&out, "  registered: %s\n", describePlace(*place))
		}
		for _, query := range queries {
			words := strings.Fields(query)
			kind, group, version := words[0], tree.GroupOf(words[1]), words[2]
			if strings.HasPrefix(tree.Group, words[1]+".") && len(tree.InGroup(tree.Group)) > 0 {
				group = tree.Group
			}
			fmt.Fprintf(&out, "  %s of %s/%s: %s\n", kind, group, version, tree.DirOf(group, kind, version))
			setting := m.Controllers(tree, group, words[1], strings.ToLower(kind))
			fmt.Fprintf(&out, "    controller: %s\n", setting.Dir)
			for _, place := range setting.Places {
				fmt.Fprintf(&out, "    %s: %s\n", m.SetupFunction(place), describePlace(place))
			}
		}
	}
	return out.String()
}

func describePlace(place layout.ListInFile) string {
	last := place.Elements[len(place.Elements)-1]
	model := "as the one of "
	if of := place.Model(); of != nil {
		model += of.Dir
	} else {
		model = "by hand"
	}
	if place.IsGenerated {
		model += ", generated"
	}
	return fmt.Sprintf("%s, after %s %s, %s", place.Package.Position(place.File, last.Node.Pos()), last.Dir, last.Function, model)
}

// TestBuilder checks which variables register kinds.
func TestBuilder(t *testing.T) {
	for value, want := range map[string]string{
		"&scheme.Builder{GroupVersion: GroupVersion}": "V", "scheme.Builder{GroupVersion: GroupVersion}": "V",
		"(&scheme.Builder{GroupVersion: GroupVersion}).AddToScheme": "", "[]*scheme.Builder{{GroupVersion: GroupVersion}}": "",
		"&scheme.Builder{GroupVersion: schema.GroupVersion{Group: \"example.org\"}}": "",
	} {
		root := t.TempDir()
		testmodule.Write(t, filepath.Join(root, "go.mod"), []byte("module example.org/p\n"))
		testmodule.Write(t, filepath.Join(root, "v1/v1.go"), []byte("package v1\n\nimport \"sigs.k8s.io/controller-runtime/pkg/scheme\"\n\nvar V = "+value+"\n"))
		m, diags := layout.Read(root)
		expect.None(t, diags)
		expect.Equal(t, want, m.Packages["v1"].Builder, "%s", value)
	}
}
