package artifact

import (
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
	if !set.Has("b/a.go") || set.Has("b") {
		t.Errorf("Has(b/a.go), Has(b) = %v, %v, want true, false", set.Has("b/a.go"), set.Has("b"))
	}
}

func TestSetAddRefuses(t *testing.T) {
	const bug = "; this is a bug in mrgen, please report it"
	tests := []struct {
		path string
		want string
	}{
		{"", `artifact with the path "": it is not a clean path below the module root` + bug},
		{".", `artifact with the path ".": it names a folder` + bug},
		{"/a.go", `artifact with the path "/a.go": it is not a clean path below the module root` + bug},
		{"../a.go", `artifact with the path "../a.go": it is not a clean path below the module root` + bug},
		{"a/../../b.go", `artifact with the path "a/../../b.go": it is not a clean path below the module root` + bug},
		{"./a.go", `artifact with the path "./a.go": it is not a clean path below the module root` + bug},
		{"a//b.go", `artifact with the path "a//b.go": it is not a clean path below the module root` + bug},
		{"a/", `artifact with the path "a/": it is not a clean path below the module root` + bug},
		{"a\x00b", `artifact with the path "a\x00b": it is not a clean path below the module root` + bug},
		{"twice.yaml", `two artifacts with the path "twice.yaml", one begins "# one", the other "# two"` + bug},
	}
	for _, test := range tests {
		t.Run(test.path, func(t *testing.T) {
			set := newSet(t, map[string]string{"twice.yaml": "# one\r\nkind: A\n"})
			err := set.Add(test.path, []byte("# two\nkind: B\n"))
			if err == nil {
				t.Fatal("no error")
			}
			expect.Equal(t, test.want, err.Error())
			for path, content := range set.Files() {
				if path != "twice.yaml" || string(content) != "# one\r\nkind: A\n" {
					t.Errorf("set holds %q with %q", path, content)
				}
			}
		})
	}
}

func TestSetMerge(t *testing.T) {
	set := newSet(t, map[string]string{"a.go": "package a\n", "shared.go": "package shared\n"})
	expect.NoError(t, set.Merge(newSet(t, map[string]string{"b.go": "package b\n", "shared.go": "package shared\n"})))
	got := maps.Collect(set.Files())
	if len(got) != 3 || string(got["b.go"]) != "package b\n" {
		t.Errorf("got %q", got)
	}
	if err := set.Merge(newSet(t, map[string]string{"shared.go": "package other\n"})); err == nil {
		t.Error("there are two files with one path")
	}
}
