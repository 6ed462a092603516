package main

import (
	"context"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

func TestRun(t *testing.T) {
	dir := t.TempDir()
	for name, content := range map[string]string{
		"go.mod":              "module example.org/a\n\ngo 1.25\n",
		"apis/v1/types.go":    "package v1\n\nimport _ \"fmt\"\n",
		"apis/v1/other.go":    "package v1\n",
		"apis/v2/types.go":    "package v2\n\nimport _ \"example.org/a/imported\"\n",
		"apis/v2/a_test.go":   "package v2\n",
		"imported/a.go":       "package imported\n",
		"package/crds/a.yaml": "a: b\n",
	} {
		file := filepath.Join(dir, name)
		if err := os.MkdirAll(filepath.Dir(file), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(file, []byte(content), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	for _, c := range []struct {
		stat     bool
		patterns []string
		want     string
	}{
		{false, []string{"./apis/..."}, "parsed 3 files of 84 bytes\n"},
		{true, nil, "looked at 7 files\n"},
		{true, []string{"./apis/v1"}, "looked at 7 files\nparsed 2 files of 38 bytes\n"},
		{false, []string{filepath.Join(dir, "apis/v2")}, "parsed 1 files of 46 bytes\n"},
	} {
		var out strings.Builder
		if err := run(context.Background(), &out, dir, c.stat, c.patterns); err != nil || out.String() != c.want {
			t.Errorf("%v, %v: got %q, %v, want %q", c.stat, c.patterns, out.String(), err, c.want)
		}
	}
	for _, pattern := range []string{"./apis/v3", "./nothing/..."} {
		if err := run(context.Background(), &strings.Builder{}, dir, false, []string{pattern}); err == nil {
			t.Errorf("%s was parsed", pattern)
		}
	}
	if err := os.WriteFile(filepath.Join(dir, "apis/v1/other.go"), []byte("package v1\n\nvar ="), 0o644); err != nil {
		t.Fatal(err)
	}
	if err := run(context.Background(), &strings.Builder{}, dir, false, []string{"./apis/v1"}); err == nil || !strings.Contains(err.Error(), "other.go:3") {
		t.Errorf("a file that doesn't parse gives %v", err)
	}
}
