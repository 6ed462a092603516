package artifact

import (
	"os"
	"path/filepath"
	"testing"
)

// TestRevert checks that a plan that was applied leaves nothing behind, and nothing out,
// when it is taken back.
func TestRevert(t *testing.T) {
	root := t.TempDir()
	writeTree(t, root, map[string]string{
		"apis/same.go":    "same",
		"apis/changed.go": "old",
		"apis/stale.go":   ownedGoFile,
	})
	before := readTree(t, root)
	plan := mustPlan(t, root, newSet(t, map[string]string{
		"apis/same.go":        "same",
		"apis/changed.go":     "new",
		"apis/created.go":     "new",
		"deep/er/still/x.txt": "new",
		"shared/with/y.txt":   "new",
	}), PlanOptions{Candidates: []string{"apis/stale.go"}, InScope: everything})
	mustApply(t, plan)
	if difference(before, readTree(t, root)) == "" {
		t.Fatal("the plan has changed nothing")
	}
	// What others have written meanwhile stays, and its folder.
	if err := os.WriteFile(filepath.Join(root, "shared/z.txt"), []byte("other"), 0o644); err != nil {
		t.Fatal(err)
	}

	if problems := plan.Revert(); len(problems) > 0 {
		t.Fatal(problems)
	}
	before["shared"] = folderInTree
	before["shared/z.txt"] = "other"
	if diff := difference(before, readTree(t, root)); diff != "" {
		t.Errorf("the tree differs from what it was:\n%s", diff)
	}
}
