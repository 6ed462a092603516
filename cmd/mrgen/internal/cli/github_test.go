package cli

import (
	"os"
	"path/filepath"
	"testing"

	"github.com/mrgen-io/mrgen/generator/diag"
	"github.com/mrgen-io/mrgen/generator/run"
	"github.com/mrgen-io/mrgen/testdata/expect"
)

func TestAnnotations(t *testing.T) {
	workspace := expect.Value(filepath.EvalSymlinks(t.TempDir()))(t)
	nested := filepath.Join(workspace, "provider")
	expect.NoError(t, os.Mkdir(nested, 0o755))
	diags := diag.List{
		{Pos: diag.Position{File: "apis/a,b:c%.go", Line: 3, Column: 7}, Message: "100%:\r\nwrong, really"},
		{Pos: diag.Position{File: "apis/a.go", Line: 3}, Severity: diag.Warning, Message: "odd"},
		{Pos: diag.Position{File: "/elsewhere/go.mod"}, Message: "broken"},
		{Message: "nowhere"},
	}
	changes := []run.Change{{Path: "package/crds/a_b.yaml", Old: []byte("a\nb\nc\n"), New: []byte("a\nb\nd\n")}}
	for name, test := range map[string]struct {
		workspace, root string
		want            string
	}{
		"module at the root": {workspace, workspace, `::error file=apis/a%2Cb%3Ac%25.go,line=3,col=7,title=mrgen::100%25:%0D%0Awrong, really
::warning file=apis/a.go,line=3,title=mrgen::odd
::error file=/elsewhere/go.mod,title=mrgen::broken
::error title=mrgen::nowhere
::error file=package/crds/a_b.yaml,line=3,title=mrgen::out of date: run mrgen generate [out-of-date]
`},
		"module in a folder": {workspace, nested, `::error file=provider/apis/a%2Cb%3Ac%25.go,line=3,col=7,title=mrgen::100%25:%0D%0Awrong, really
::warning file=provider/apis/a.go,line=3,title=mrgen::odd
::error file=/elsewhere/go.mod,title=mrgen::broken
::error title=mrgen::nowhere
::error file=provider/package/crds/a_b.yaml,line=3,title=mrgen::out of date: run mrgen generate [out-of-date]
`},
	} {
		t.Run(name, func(t *testing.T) {
			t.Setenv("GITHUB_WORKSPACE", test.workspace)
			got := expect.Value(writeGitHub(test.root, outcome{diagnostics: diags, changes: changes, stale: true}))(t)
			expect.Equal(t, test.want, string(got), "annotations")
		})
	}
}

func TestRepositoryPath(t *testing.T) {
	workspace := expect.Value(filepath.EvalSymlinks(t.TempDir()))(t)
	link := filepath.Join(t.TempDir(), "link")
	expect.NoError(t, os.Symlink(workspace, link))
	for name, test := range map[string]struct {
		workspace, root, want string
	}{
		"unknown":          {"", workspace, ""},
		"missing":          {filepath.Join(workspace, "missing"), workspace, ""},
		"no module":        {workspace, "", ""},
		"same":             {workspace, workspace, "."},
		"below":            {workspace, filepath.Join(workspace, "a", "b"), "a/b"},
		"through a link":   {link, filepath.Join(workspace, "a"), "a"},
		"module elsewhere": {workspace, filepath.Dir(workspace), ""},
	} {
		t.Run(name, func(t *testing.T) {
			t.Setenv("GITHUB_WORKSPACE", test.workspace)
			expect.Equal(t, test.want, repositoryPath(test.root), "repositoryPath(%q)", test.root)
		})
	}
}

// TestFirstChange holds which line an annotation of a file that is out of date has.
func TestFirstChange(t *testing.T) {
	for _, test := range []struct {
		before, after string
		want          int
	}{{"", "a\n", 0}, {"a\n", "", 1}, {"a\nb\n", "a\nc\n", 2}, {"a\nb\n", "a\nb\nc\n", 2}, {"a\nb\nc\n", "a\nb\n", 3}, {"x\nb\n", "a\nb\n", 1}} {
		expect.Equal(t, test.want, firstChange([]byte(test.before), []byte(test.after)), "%q differs from %q in line", test.before, test.after)
	}
}
