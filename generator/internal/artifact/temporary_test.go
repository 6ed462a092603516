package artifact

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/mrgen-io/mrgen/testdata/expect"
)

func TestTemporaryName(t *testing.T) {
	first, second := temporaryName(), temporaryName()
	expect.True(t, first != second, "%s twice", first)
	expect.True(t, strings.HasPrefix(first, ".") && filepath.Ext(first) == ".tmp", "%s can be taken for a source file", first)
	expect.True(t, !isLeftover(first), "%s is of this process, and is taken for a leftover", first)
}

func TestRemoveLeftovers(t *testing.T) {
	other := startHelper(t, helperWait)
	process := other.command.Process.Pid
	ofOther := fmt.Sprintf(".mrgen-%d-WORD-RANDOM.tmp", process)
	ofUs := temporaryName()
	ofPredecessor := fmt.Sprintf(".mrgen-%d-WORD-RANDOM.tmp", os.Getpid())

	root := t.TempDir()
	kept := map[string]string{"crds": folderInTree, "crds/a.yaml": "kept", "crds/" + ofUs: "kept"}
	for _, name := range []string{
		".mrgen.yaml",
		".mrgen-WORD-RANDOM.tmp",
		fmt.Sprintf(".mrgen-%d-RANDOM.tmp", process),
		fmt.Sprintf(".mrgen-%d-A-B-C.tmp", process),
		fmt.Sprintf(".mrgen-%d-WORD-RANDOM.go", process),
		fmt.Sprintf("x.mrgen-%d-WORD-RANDOM.tmp", process),
		".mrgen-0-WORD-RANDOM.tmp",
		".mrgen--1-RANDOM.tmp",
		".mrgen-99999999999999999999-WORD-RANDOM.tmp",
	} {
		kept["crds/"+name] = "kept"
	}
	for name, content := range kept {
		if content != folderInTree {
			writeTree(t, root, map[string]string{name: content})
		}
	}
	writeTree(t, root, map[string]string{"crds/" + ofOther: "", "crds/" + ofPredecessor: ""})
	plan := mustPlan(t, root, &Set{}, PlanOptions{DocumentFolders: []string{"crds", "missing"}, InScope: everything})

	mustApply(t, plan)
	kept["crds/"+ofOther] = ""
	expect.Equal(t, kept, readTree(t, root), "while the other process runs")

	expect.NoError(t, other.input.Close())
	expect.NoError(t, other.command.Wait())
	mustApply(t, plan)
	delete(kept, "crds/"+ofOther)
	expect.Equal(t, kept, readTree(t, root), "after the other process has ended")
}

// TestRemoveLeftoversThroughLinks finds temporary files where a link to a file
// made an earlier run write.
func TestRemoveLeftoversThroughLinks(t *testing.T) {
	root := t.TempDir()
	leftover := fmt.Sprintf("shared/.mrgen-%d-WORD-RANDOM.tmp", os.Getpid())
	writeTree(t, root, map[string]string{"shared/a.yaml": "same", "crds/README": "", leftover: ""})
	symlink(t, "../shared/a.yaml", filepath.Join(root, "crds/a.yaml"))
	mustApply(t, mustPlan(t, root, newSet(t, map[string]string{"crds/a.yaml": "same"}), PlanOptions{}))
	want := map[string]string{"crds": folderInTree, "crds/README": "", "crds/a.yaml": "L---------", "shared": folderInTree, "shared/a.yaml": "same"}
	expect.Equal(t, want, readTree(t, root))
}
