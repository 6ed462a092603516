package goedit

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/mrgen-io/mrgen/testdata/expect"
)

// TestImport checks which name a package is imported by, and where.
func TestImport(t *testing.T) {
	const own, other = "example.org/m/apis/b/v1", "example.com/b/v1"
	for name, test := range map[string]struct{ before, path, module, want, after string }{
		"free":                   {"import (\n\t\"fmt\"\n)\n", other, "", "bv1", "import (\n\t\"fmt\"\n\n\tbv1 \"example.com/b/v1\"\n)\n"},
		"imported":               {"import (\n\tb \"example.com/b/v1\"\n)\n", other, "", "b", "import (\n\tb \"example.com/b/v1\"\n)\n"},
		"taken by an import":     {"import (\n\tbv1 \"example.com/c/v1\"\n)\n", other, "", "b", "import (\n\tb \"example.com/b/v1\"\n\tbv1 \"example.com/c/v1\"\n)\n"},
		"taken by a declaration": {"var bv1 = 1\n", other, "", "b", "\nimport (\n\tb \"example.com/b/v1\"\n)\n\nvar bv1 = 1\n"},
		"taken in another file": {
			"import (\n\tbv1 \"example.com/c/v1\"\n)\n\nvar b, b2 int\n", other, "",
			"b4", "import (\n\tb4 \"example.com/b/v1\"\n\tbv1 \"example.com/c/v1\"\n)\n\nvar b, b2 int\n",
		},
		"beside those of the module": {
			"import (\n\t\"example.com/a\"\n\n\t\"example.org/m/apis/a/v1\" // first\n\t\"example.org/m/apis/c/v1\"\n)\n", own, "example.org/m",
			"bv1", "import (\n\t\"example.com/a\"\n\n\t\"example.org/m/apis/a/v1\" // first\n\tbv1 \"example.org/m/apis/b/v1\"\n\t\"example.org/m/apis/c/v1\"\n)\n",
		},
		"first of the module": {
			"import (\n\t\"example.com/a\"\n\t\"example.org/more\"\n)\n", own, "example.org/m",
			"bv1", "import (\n\t\"example.com/a\"\n\t\"example.org/more\"\n\n\tbv1 \"example.org/m/apis/b/v1\"\n)\n",
		},
		"of a module without a domain": {"import (\n\t\"fmt\"\n\n\t\"m/apis/a\"\n)\n", "m/apis/b", "m", "bv1", "import (\n\t\"fmt\"\n\n\t\"m/apis/a\"\n\tbv1 \"m/apis/b\"\n)\n"},
		"before a comment": {
			"import (\n\t// Why.\n\t\"example.org/m/apis/c/v1\"\n)\n", own, "example.org/m",
			"bv1", "import (\n\tbv1 \"example.org/m/apis/b/v1\"\n\t// Why.\n\t\"example.org/m/apis/c/v1\"\n)\n",
		},
	} {
		t.Run(name, func(t *testing.T) {
			dir := t.TempDir()
			expect.NoError(t, os.WriteFile(filepath.Join(dir, "other.go"), []byte("package p\n\nconst b3 = 3\n\nfunc (T) bv1() {}\n"), 0o600))
			const top = "package p\n\n"
			f := expect.Value(Parse(dir, "p.go", []byte(top+test.before)))(t)
			for range 2 { // it is imported once
				expect.Equal(t, test.want, f.Import(test.path, test.module, "bv1", "b"), "the name")
			}
			after := top + test.after
			if strings.HasPrefix(test.after, "\n") {
				after = "package p\n" + test.after
			}
			same(t, f, after)
		})
	}
}

func TestFreeName(t *testing.T) {
	taken := map[string]bool{"a": true, "a2": true, "v1": true}
	for _, test := range []struct {
		names []string
		want  string
	}{
		{[]string{"b"}, "b"},
		{[]string{"a", "b"}, "b"},
		{[]string{"a"}, "a3"},
		{[]string{"a", "v1"}, "v1x2"}, // v12 would look like a version
		{[]string{"goto"}, "goto2"},
		{[]string{"error"}, "error2"},
	} {
		expect.Equal(t, test.want, freeName(test.names, taken), "%v", test.names)
	}
}
