package sdkconversion

import (
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/mrgen-io/mrgen/generator/internal/source/modules"
	"github.com/mrgen-io/mrgen/generator/internal/source/readlog"
	"github.com/mrgen-io/mrgen/testdata/expect"
	"github.com/mrgen-io/mrgen/testdata/testmodule"
)

// TestClients says which folders of clients patterns cover.
func TestClients(t *testing.T) {
	const declares = "package c\n\n// +mrgen:convert\ntype c interface{}\n"
	root := t.TempDir()
	testmodule.Write(t, root+"/go.mod", []byte("module example.org/p\n\ngo 1.26\n"))
	for name, content := range map[string]string{
		"clients/c/c.go": declares, "clients/c/d.go": "package c\n", "clients/none/n.go": "package none\n", "clients/more/m.go": declares, "others/c.go": declares,
		"clients/test/c_test.go": declares, "clients/written/zz_generated.convert.go": declares, "clients/copy/" + modules.CopyPrefix + "a.go": declares,
	} {
		testmodule.Write(t, root+"/"+name, []byte(content))
	}
	patterns := []string{"./clients/...", "./clients/c"}
	log := readlog.NewLog(func(string) bool { return false })
	copies := map[string]*modules.Copy{"clients/copied/c.go": {Content: []byte(declares)}, "others/copied/c.go": {Content: []byte(declares)}}
	got, diags := clientsOf(patterns, root, copies, log)
	want := []string{"clients/c", "clients/copied", "clients/more"}
	expect.True(t, slices.Equal(got, want) && len(diags) == 0, "the clients are in %v, want %v; %v", got, want, diags)
	file := filepath.Join(root, "clients", "none", "n.go")
	expect.True(t, log.Has(file, readlog.File), "%s decides that there are no clients, and is not an input", file)
}

// TestFirstFolder says which folder must exist for a pattern of clients.
func TestFirstFolder(t *testing.T) {
	root := t.TempDir()
	testmodule.Write(t, root+"/apis/a/a.go", []byte("package a\n"))
	for pattern, want := range map[string]string{"./...": ".", ".": ".", "./apis/...": "apis", "apis/a": "apis/a", "./apis/a...": "apis", "./apis/.../a": "apis", "./a...": ".", "./nothing/...": "nothing", "./apis/nothing": "apis/nothing"} {
		expect.Equal(t, want, firstFolder(pattern), "%s begins with", pattern)
		diags := missingClients(root, []string{pattern})
		expect.True(t, diags.HasErrors() == strings.Contains(pattern, "nothing"), "%s: %v", pattern, diags)
	}
}
