package tree

import (
	"os"
	"path/filepath"
	"slices"
	"testing"
)

func write(t *testing.T, dir string, files map[string]string) {
	t.Helper()
	for name, content := range files {
		file := filepath.Join(dir, name)
		if err := os.MkdirAll(filepath.Dir(file), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(file, []byte(content), 0o644); err != nil {
			t.Fatal(err)
		}
	}
}

func TestCopy(t *testing.T) {
	from, to := t.TempDir(), t.TempDir()
	write(t, from, map[string]string{
		".git/config":                    "",
		"apis/v1/types.go":               "package v1",
		"apis/v1/zz_enums.go":            "package v1",
		"apis/v1/zz_generated.pc.go":     "package v1",
		"package/crds/a.yaml":            "",
		"package/crossplane.yaml":        "",
		"package/crds/nested/other.yaml": "",
	})
	write(t, to, map[string]string{"left/over.go": "package over"})
	if err := Copy(from, to, func(name string) bool { return Generated(name, "package/crds") }); err != nil {
		t.Fatal(err)
	}
	var got []string
	if err := walk(to, func(name string) error { got = append(got, name); return nil }); err != nil {
		t.Fatal(err)
	}
	want := []string{"apis/v1/types.go", "apis/v1/zz_enums.go", "package/crds/nested/other.yaml", "package/crossplane.yaml"}
	if !slices.Equal(got, want) {
		t.Errorf("got %v, want %v", got, want)
	}
	got, err := ListGenerated(from, "package/crds")
	if want := []string{"apis/v1/zz_generated.pc.go", "package/crds/a.yaml"}; err != nil || !slices.Equal(got, want) {
		t.Errorf("got %v, %v, want %v", got, err, want)
	}
}

func TestEdit(t *testing.T) {
	dir := t.TempDir()
	if _, err := FindEdit(dir); err == nil {
		t.Error("an edit was found in an empty folder")
	}
	const source = "package v1\n\n// AParameters are there.\ntype AParameters struct {\n\t// Region of it.\n\tRegion string\n}\n"
	write(t, dir, map[string]string{"apis/v1/a_types.go": source, "apis/v1/b.go": "package v1", "apis/v1/zz_generated.deepcopy.go": source})
	edit, err := FindEdit(dir)
	if err != nil {
		t.Fatal(err)
	}
	for number := 1; number <= 2; number++ {
		if err := edit.Apply(number); err != nil {
			t.Fatal(err)
		}
	}
	got, err := os.ReadFile(filepath.Join(dir, "apis/v1/a_types.go"))
	want := "package v1\n\n// AParameters are there.\ntype AParameters struct {\n" +
		"\t// A field that edit 2 added.\n\t// +optional\n\tEdit2 *string `json:\"edit2,omitempty\"`\n\n" +
		"\t// Edit 2 changed this.\n\t// Region of it.\n\tRegion string\n}\n"
	if err != nil || string(got) != want {
		t.Errorf("%v: got\n%s\nwant\n%s", err, got, want)
	}
}
