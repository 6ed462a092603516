package generator_test

import (
	"io/fs"
	"maps"
	"os"
	"path/filepath"
	"testing"

	"github.com/mrgen-io/mrgen/generator/internal/inspection"
	"github.com/mrgen-io/mrgen/testdata/expect"
	"github.com/mrgen-io/mrgen/testdata/testmodule"
)

// TestRevert checks that a plan that was applied leaves nothing behind, and nothing out, when it is taken back.
func TestRevert(t *testing.T) {
	root := t.TempDir()
	testmodule.WriteTree(t, root, map[string][]byte{"apis/same.go": []byte("same"), "apis/changed.go": []byte("old"), "apis/stale.go": []byte("stale")})
	before := treeOf(t, root)
	plan, diags, err := inspection.PlanFiles(root, map[string][]byte{
		"apis/same.go": []byte("same"), "apis/changed.go": []byte("new"), "apis/created.go": []byte("new"), "deep/er/still/x.txt": []byte("new"),
		"shared/with/y.txt": []byte("new"),
	}, "apis/stale.go", "apis/changed.go")
	expect.Must(t, err == nil && !diags.HasErrors(), "%v %v", diags, err)
	if problems, err := plan.Apply(t.Context()); err != nil || len(problems) > 0 {
		t.Fatal(problems, err)
	}
	expect.Must(t, !maps.Equal(before, treeOf(t, root)), "the plan has changed nothing")
	// What others have written meanwhile stays, and its folder.
	expect.NoError(t, os.WriteFile(filepath.Join(root, "shared/z.txt"), []byte("other"), 0o644))

	problems := inspection.Revert(plan)
	expect.Must(t, len(problems) == 0, "%v", problems)
	before["shared"], before["shared/z.txt"] = "", "other"
	after := treeOf(t, root)
	expect.True(t, maps.Equal(before, after), "the tree is %v, and was %v", after, before)
}

// treeOf returns the files and folders below a root: a folder's content is empty.
func treeOf(t *testing.T, root string) map[string]string {
	t.Helper()
	tree := map[string]string{}
	err := fs.WalkDir(os.DirFS(root), ".", func(name string, entry fs.DirEntry, err error) error {
		if err != nil || name == "." {
			return err
		}
		tree[name] = ""
		if !entry.IsDir() {
			tree[name] = string(testmodule.Read(t, filepath.Join(root, name)))
		}
		return nil
	})
	expect.NoError(t, err)
	return tree
}
