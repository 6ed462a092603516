package stagerunner

import (
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/mrgen-io/mrgen/generator/internal/artifact"
	"github.com/mrgen-io/mrgen/generator/internal/source/modules"
	"github.com/mrgen-io/mrgen/generator/run"
	"github.com/mrgen-io/mrgen/testdata/expect"
)

func write(t *testing.T, name, content string) {
	t.Helper()
	expect.NoError(t, os.MkdirAll(filepath.Dir(name), 0o755))
	expect.NoError(t, os.WriteFile(name, []byte(content), 0o600))
}

// module returns the folder of a module with two packages.
func module(t *testing.T) string {
	t.Helper()
	root := t.TempDir()
	write(t, root+"/go.mod", "module example.org/p\n\ngo 1.26\n")
	write(t, root+"/apis/a/a.go", "// Package a is copied.\n//\n// +kubebuilder:object:generate=true\npackage a\n\n// A is one.\ntype A struct{}\n")
	write(t, root+"/apis/b/b.go", "// Package b is copied.\n//\n// +kubebuilder:object:generate=true\npackage b\n")
	write(t, root+"/header.txt", "// Header.\n")
	write(t, root+"/code.txt", "package a\n")
	return root
}

// TestSettings says which options are errors.
func TestSettings(t *testing.T) {
	root := module(t)
	for name, test := range map[string]struct {
		change func(*run.Options)
		want   string
	}{
		"none":                           {func(*run.Options) {}, ""},
		"helpers elsewhere":              {func(o *run.Options) { o.Helpers = "internal/a" }, ""},
		"helpers outside":                {func(o *run.Options) { o.Helpers = "../a" }, "helpers: "},
		"helpers that are no package":    {func(o *run.Options) { o.Helpers = "internal/a-b" }, "helpers: "},
		"helpers that are a program":     {func(o *run.Options) { o.Helpers = "cmd/main" }, "helpers: "},
		"a version":                      {func(o *run.Options) { o.MinKubernetes = "1.32.1" }, ""},
		"no version":                     {func(o *run.Options) { o.MinKubernetes = "new" }, "is not a Kubernetes version"},
		"a header":                       {func(o *run.Options) { o.HeaderFile = "header.txt" }, ""},
		"a header at an absolute path":   {func(o *run.Options) { o.HeaderFile = root + "/header.txt" }, ""},
		"no header":                      {func(o *run.Options) { o.HeaderFile = "nothing.txt" }, "cannot read the header file"},
		"a header with code":             {func(o *run.Options) { o.HeaderFile = "code.txt" }, "header"},
		"folders":                        {func(o *run.Options) { o.CRDDir, o.MRDDir = "a", "b" }, ""},
		"no folder for CRDs":             {func(o *run.Options) { o.CRDDir = "" }, "the folder for CRDs is empty"},
		"no folders":                     {func(o *run.Options) { o.CRDDir, o.MRDDir = "", "" }, "the folder for CRDs is empty"},
		"CRDs outside":                   {func(o *run.Options) { o.CRDDir = "../a" }, "../a"},
		"MRDs outside":                   {func(o *run.Options) { o.MRDDir = "../a" }, "../a"},
		"one folder":                     {func(o *run.Options) { o.CRDDir, o.MRDDir = "a", "a" }, "the same folder"},
		"one folder, written in two way": {func(o *run.Options) { o.CRDDir, o.MRDDir = "./a/", "b/../a" }, "the same folder"},
		"no CRDs and no MRDs":            {func(o *run.Options) { o.ManagedCRDs = false }, "neither a CRD nor an MRD"},
		"only MRDs":                      {func(o *run.Options) { o.ManagedCRDs, o.MRDDir = false, "a" }, ""},
		"a registry":                     {func(o *run.Options) { o.ResolverRegistry = "example.org/p/registry" }, ""},
		"a registry elsewhere":           {func(o *run.Options) { o.ResolverRegistry = "example.org/q" }, "mrgen writes no package outside module"},
	} {
		o := run.Default()
		test.change(&o)
		settings, diags := Runner{}.Settings(root, o, nil)
		all := expect.Strings(diags)
		text := strings.Join(all, "\n")
		expect.True(t, diags.HasErrors() == (test.want != "") && strings.Contains(text, test.want), "%s: %q, want %q", name, text, test.want)
		if diags.HasErrors() {
			continue
		}
		for _, folder := range settings.DefinitionFolders() {
			expect.True(t, folder == filepath.Clean(folder) && !filepath.IsAbs(folder), "%s: the folder is %q", name, folder)
		}
		expect.True(t, (settings.Header != "") == (o.HeaderFile != ""), "%s: %+v", name, settings)
	}
}

// TestChangedFolders has Go files that differ from those on disk.
func TestChangedFolders(t *testing.T) {
	root := module(t)
	for _, dir := range []string{"a", "b", "c", "d"} {
		write(t, root+"/"+dir+"/zz_generated.deepcopy.go", artifact.GoHeader+"\n\npackage p\n")
	}
	sc := &modules.Scope{Options: modules.Options{Root: root}, Generated: []string{"a/zz_generated.deepcopy.go", "b/zz_generated.deepcopy.go", "c/zz_generated.deepcopy.go"}}
	changed := changedFolders(sc, map[string][]byte{
		"a/zz_generated.deepcopy.go": []byte(artifact.GoHeader + "\n\npackage p\n"), "b/zz_generated.deepcopy.go": []byte("package p // Other.\n"),
		"e/zz_generated.deepcopy.go": []byte("package p\n"), "crds/a.yaml": []byte("a: b\n"),
	})
	var got []string
	for dir, is := range changed {
		if is {
			got = append(got, dir)
		}
	}
	slices.Sort(got)
	want := []string{"b", "c", "e"}
	expect.True(t, slices.Equal(got, want), "%v have changed, want %v", got, want)
}
