package fix

import (
	"context"
	"path/filepath"
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
		diags := expect.Value(uncommitted(context.Background(), root, files))(t)
		var names []string
		for _, d := range diags {
			names = append(names, d.Pos.File)
		}
		return names
	}
	clean, other := put("apis/ä b.go", "a"), put("*.go", "b")
	expect.Equal(t, []string{""}, refused(clean, other), "without version control, the refusals are at")
	for _, args := range [][]string{{"init", "-q"}, {"add", "."}, {"-c", "user.name=a", "-c", "user.email=a@example.org", "commit", "-q", "-m", "a"}} {
		out, err := testmodule.Run(repository, "git", args...)
		expect.Must(t, err == nil, "git %v: %v\n%s", args, err, out)
	}
	got := refused(clean, other)
	expect.True(t, len(got) == 0, "what is committed is refused: %q", got)
	edited, created := put("apis/ä b.go", "c"), put("new.go", "d")
	want := []string{"apis/ä b.go", "new.go"}
	expect.Equal(t, want, refused(edited, created, other), "refused")
	put(".gitignore", "ignored.go\n")
	expect.Equal(t, []string{"ignored.go"}, refused(put("ignored.go", "f")), "what git ignores is not refused")
}
