package artifact

import (
	"fmt"
	"maps"
	"testing"

	"github.com/mrgen-io/mrgen/testdata/expect"
)

func TestSetFilesAreSorted(t *testing.T) {
	set := newSet(t, map[string]string{"b/z.go": "3", "a.go": "1", "b/a.go": "2"})
	var got []string
	for path, content := range set.Files() {
		got = append(got, path+"="+string(content))
	}
	expect.Equal(t, []string{"a.go=1", "b/a.go=2", "b/z.go=3"}, got)
	for range set.Files() {
		break // An early end of the loop must be no trouble.
	}
	expect.True(t, set.Has("b/a.go") && !set.Has("b"), "a file isn't there, or a folder is")
}

// TestSetAddRefuses has paths that are mistakes of mrgen.
func TestSetAddRefuses(t *testing.T) {
	wants := map[string]string{
		".": `artifact with the path ".": it names a folder`, "twice.yaml": `two artifacts with the path "twice.yaml", one begins "# one", the other "# two"`,
	}
	for _, path := range []string{"", "/a.go", "../a.go", "a/../../b.go", "./a.go", "a//b.go", "a/", "a\x00b"} {
		wants[path] = fmt.Sprintf("artifact with the path %q: it is not a clean path below the module root", path)
	}
	for path, want := range wants {
		set := newSet(t, map[string]string{"twice.yaml": "# one\r\nkind: A\n"})
		err := set.Add(path, []byte("# two\nkind: B\n"))
		expect.Must(t, err != nil, "%q: no error", path)
		expect.Equal(t, want+"; this is a bug in mrgen, please report it", err.Error())
		expect.Equal(t, map[string][]byte{"twice.yaml": []byte("# one\r\nkind: A\n")}, maps.Collect(set.Files()))
	}
}

func TestSetMerge(t *testing.T) {
	set := newSet(t, map[string]string{"a.go": "package a\n", "shared.go": "package shared\n"})
	expect.NoError(t, set.Merge(newSet(t, map[string]string{"b.go": "package b\n", "shared.go": "package shared\n"})))
	got := maps.Collect(set.Files())
	expect.True(t, len(got) == 3 && string(got["b.go"]) == "package b\n", "got %q", got)
	err := set.Merge(newSet(t, map[string]string{"shared.go": "package other\n"}))
	expect.True(t, err != nil, "there are two files with one path")
}
