//go:build unix

package artifact

import (
	"io/fs"
	"os"
	"path/filepath"
	"syscall"
	"testing"

	"github.com/mrgen-io/mrgen/testdata/expect"
)

// TestApplyUmask gives new files and folders the mode that the umask leaves. Files that
// exist keep theirs.
func TestApplyUmask(t *testing.T) {
	before := syscall.Umask(0o022)
	defer syscall.Umask(before)
	for umask, want := range map[int]struct{ file, folder fs.FileMode }{0o000: {0o666, 0o777}, 0o002: {0o664, 0o775}, 0o022: {0o644, 0o755}, 0o077: {0o600, 0o700}} {
		syscall.Umask(umask)
		root := t.TempDir()
		writeTree(t, root, map[string]string{"old": "old"})
		chmod(t, filepath.Join(root, "old"), 0o644)
		set := newSet(t, map[string]string{"old": "new", "folder/new": "new"})
		mustApply(t, mustPlan(t, root, set, PlanOptions{}))
		for name, mode := range map[string]fs.FileMode{"old": 0o644, "folder/new": want.file, "folder": want.folder | fs.ModeDir} {
			info := expect.Value(os.Stat(filepath.Join(root, name)))(t)
			expect.Equal(t, mode, info.Mode(), "with the umask %#o, %s has mode", umask, name)
		}
	}
}
