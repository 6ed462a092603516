package generator_test

import (
	"encoding/json"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strings"
	"testing"

	"golang.org/x/tools/go/packages"

	"github.com/mrgen-io/mrgen/generator"
	"github.com/mrgen-io/mrgen/testdata/expect"
	"github.com/mrgen-io/mrgen/testdata/testmodule"
	"github.com/mrgen-io/mrgen/testdata/testprovider"
)

// TestGoListOnce counts how often runs have the go command list packages: once, also for packages that
// only markers name or only generated code imports, if an earlier run is remembered. It must not run
// beside others.
func TestGoListOnce(t *testing.T) {
	if runtime.GOOS == "windows" {
		t.Skip("the go command in the path is a shell script")
	}
	goCommand := expect.Value(exec.LookPath("go"))(t)
	bin, log := t.TempDir(), filepath.Join(t.TempDir(), "log")
	script := fmt.Sprintf("#!/bin/sh\necho \"$@\" >> '%s'\nexec '%s' \"$@\"\n", log, goCommand)
	expect.NoError(t, os.WriteFile(filepath.Join(bin, "go"), []byte(script), 0o755))
	t.Setenv("PATH", bin+string(os.PathListSeparator)+os.Getenv("PATH"))
	defer generator.SetBatchSize(1)()
	w := newPreparedWorkshop(t, nil)
	w.options.Packages = []string{"./apis/..."}
	w.write("internal/target/v1/placeholder.go", "package v1\n")
	w.kind("out", "v1", "Outside", "")
	w.rename("apis/out/v1/outside.go", "internal/target/v1/placeholder.go")
	w.toggle("apis/c/v1/gamma.go", "Other *string", "Other *int64")
	// As the real metav1 does, of which this module has a stand-in.
	w.write("apis/c/v1/imports.go", "package v1\n\nimport (\n\t_ \"bytes\"\n\t_ \"encoding/json\"\n\t_ \"regexp\"\n\t_ \"sort\"\n\n\t_ \"k8s.io/apimachinery/pkg/api/resource\"\n)\n")
	for _, step := range []struct {
		name  string
		edit  func()
		lists int
	}{
		{"the first run", func() {}, 1},
		{"everything once more", func() { w.append("go.mod", "// more", "module example.org/provider") }, 1},
		{"an edit of a package that refers to another one", func() {
			w.append("apis/c/v1/gamma.go", "\t// +optional\n\tColor *string `json:\"color,omitempty\"`\n", "Region string `json:\"region\"`\n")
		}, 1},
		{"another one of it", func() {
			w.append("apis/c/v1/gamma.go", "\t// +optional\n\tSize *string `json:\"size,omitempty\"`\n", "Region string `json:\"region\"`\n")
		}, 1},
		{"a reference out of the patterns", func() { w.toggle("apis/c/v1/gamma.go", "apis/b/v1.Beta", "internal/target/v1.Outside") }, 1},
		{"all packages of the module", func() { w.options.Packages = []string{"./..."} }, 1},
	} {
		step.edit()
		expect.NoError(t, os.WriteFile(log, nil, 0o644))
		testprovider.Apply(t, w.options)
		if got := strings.Count(string(testmodule.Read(t, log)), "-deps=true"); got != step.lists {
			t.Errorf("%s: the go command lists packages %d times, want %d:\n%s", step.name, got, step.lists, testmodule.Read(t, log))
		}
	}
}

// TestPackagesDriver holds that a driver which lists packages in place of the go command is told what
// to read in place of generated files. It must not run beside others.
func TestPackagesDriver(t *testing.T) {
	if runtime.GOOS == "windows" {
		t.Skip("the driver is a shell script")
	}
	folder := t.TempDir()
	driver, request := filepath.Join(folder, "driver"), filepath.Join(folder, "request")
	script := fmt.Sprintf("#!/bin/sh\ncat > '%s'\necho '{\"NotHandled\": true}'\n", request)
	expect.NoError(t, os.WriteFile(driver, []byte(script), 0o755))
	w := newPreparedWorkshop(t, nil)
	testprovider.Apply(t, w.options)
	t.Setenv("GOPACKAGESDRIVER", driver)
	testprovider.Apply(t, w.options)
	var asked packages.DriverRequest
	expect.NoError(t, json.Unmarshal(testmodule.Read(t, request), &asked))
	file := w.file("apis/c/v1/zz_generated.deepcopy.go")
	expect.True(t, len(asked.Overlay[file]) != 0, "the driver isn't told what to read in place of %s", file)
}
