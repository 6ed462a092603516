//go:build unix

package artifact

import (
	"path/filepath"
	"syscall"
	"testing"

	"github.com/mrgen-io/mrgen/testdata/expect"
)

// TestNewPlanRefusesOtherFiles has a named pipe, which would block a reader.
func TestNewPlanRefusesOtherFiles(t *testing.T) {
	root := t.TempDir()
	expect.NoError(t, syscall.Mkfifo(filepath.Join(root, "a.go"), 0o644))
	_, problems := NewPlan(root, newSet(t, map[string]string{"a.go": ""}), PlanOptions{})
	want := []string{"a.go: this is not a regular file, and mrgen writes no others; remove or rename it"}
	expect.Equal(t, want, expect.Strings(problems))
}
