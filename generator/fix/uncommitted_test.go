package fix

import (
	"context"
	"os/exec"
	"path/filepath"
	"slices"
	"testing"

	"github.com/mrgen-io/mrgen/testdata/expect"
	"github.com/mrgen-io/mrgen/testdata/testmodule"
)

// TestUncommitted checks that what is committed may be edited, and
// nothing else, in a module that is a part of a repository.
func TestUncommitted(t *testing.T) {
	repository := t.TempDir()
	root := filepath.Join(repository, "a module")
	put := func(name, content string) string {
		t.Helper()
		testmodule.Write(t, filepath.Join(root, name), []byte(content))
		return name
	}
	refused := func(files ...string) []string {
		t.Helper()
		diags, err := uncommitted(context.Background(), root, files)
		expect.NoError(t, err)
		var names []string
		for _, d := range diags {
			names = append(names, d.Pos.File)
		}
		return names
	}
	clean, other := put("apis/ä b.go", "a"), put("*.go", "b")
	if got := refused(clean, other); !slices.Equal(got, []string{""}) {
		t.Errorf("without version control, the refusals are at %q", got)
	}
	for _, args := range [][]string{
		{"init", "-q"}, {"add", "."}, {"-c", "user.name=a", "-c", "user.email=a@example.org", "commit", "-q", "-m", "a"},
	} {
		cmd := exec.Command("git", args...)
		cmd.Dir = repository
		if out, err := cmd.CombinedOutput(); err != nil {
			t.Fatalf("git %v: %v\n%s", args, err, out)
		}
	}
	if got := refused(clean, other); len(got) > 0 {
		t.Errorf("what is committed is refused: %q", got)
	}
	edited, created := put("apis/ä b.go", "c"), put("new.go", "d")
	want := []string{"apis/ä b.go", "new.go"}
	expect.Equal(t, want, refused(edited, created, other), "refused")
	put(".gitignore", "ignored.go\n")
	if got := refused(put("ignored.go", "f")); !slices.Equal(got, []string{"ignored.go"}) {
		t.Errorf("what git ignores is not refused: %q", got)
	}
}
