package sdkconversion_test

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"golang.org/x/tools/txtar"

	"github.com/mrgen-io/mrgen/generator/diag"
	"github.com/mrgen-io/mrgen/generator/internal/extensions/sdkconversion"
	"github.com/mrgen-io/mrgen/generator/internal/source/load"
	"github.com/mrgen-io/mrgen/generator/internal/source/modules"
	"github.com/mrgen-io/mrgen/testdata/expect"
	"github.com/mrgen-io/mrgen/testdata/testmodule"
)

// convert writes the conversions that the package in the folder clients of a module declares. The package
// in the folder apis has the kinds.
func convert(t *testing.T, root string) (sdkconversion.Result, diag.List) {
	t.Helper()
	sc, diags := modules.New(modules.Options{Root: root, Patterns: []string{"./..."}})
	expect.None(t, diags.Errors())
	program, diags := load.ListWritten(context.Background(), sc.Written(nil, []string{"clients"}), nil, nil)
	expect.None(t, diags.Errors())
	result, diags, err := sdkconversion.Convert(context.Background(), program, []string{"clients"}, sdkconversion.Options{
		IsAPI: func(importPath string) bool { return strings.HasSuffix(importPath, "/apis") },
	})
	expect.NoError(t, err)
	return result, diags
}

// TestConvert writes the conversions of the modules in testdata/sdk. Each archive holds a module and,
// below "want", the file that is written, which must compile and pass the tests beside it, or the
// diagnostics, the mappings, and the structs of the SDK.
func TestConvert(t *testing.T) {
	testmodule.EachArchive(t, "testdata/sdk", func(t *testing.T, file string, archive *txtar.Archive) {
		root := t.TempDir()
		testmodule.Extract(t, archive, root, nil)
		if _, err := os.Stat(filepath.Join(root, "go.mod")); err != nil {
			testmodule.Write(t, filepath.Join(root, "go.mod"), []byte("module example.org/provider\n\ngo 1.25\n"))
		}
		result, diags := convert(t, root)
		got := map[string]string{}
		for _, d := range diags.Sorted() {
			got["diagnostics"] += fmt.Sprintln(d)
		}
		for name, content := range result.Files {
			testmodule.Write(t, filepath.Join(root, filepath.FromSlash(name)), content)
			got[name] = string(content)
		}
		for _, m := range result.Mappings {
			arrow := "<-"
			if m.Sent {
				arrow = "->"
			}
			got["mappings"] += fmt.Sprintln(m.Method, m.Kind, arrow, m.SDK)
		}
		for _, s := range result.Structs {
			got["structs"] += fmt.Sprintln(s.Method, s.Name, s.Sent, s.Fields, "without", s.Left)
		}
		if *testmodule.Update {
			testmodule.Rewrite(t, file, archive, got)
		} else if diff := cmp.Diff(testmodule.Wanted(archive), got); diff != "" {
			t.Errorf("-want +got:\n%s", diff)
		}
		if !diags.HasErrors() {
			testmodule.Go(t, root, "vet")
			if slices.ContainsFunc(archive.Files, func(f txtar.File) bool { return strings.HasSuffix(f.Name, "_test.go") }) {
				testmodule.Go(t, root, "test")
			}
		}
	})
}

// TestConvertWhatDoesNotCompile reports what is wrong in a package of clients, each at its place.
func TestConvertWhatDoesNotCompile(t *testing.T) {
	for name, test := range map[string]struct{ source, want string }{
		"syntax":  {"package clients\n\nfunc broken( {\n", "clients/client.go:3:14: expected ')', found '{'"},
		"import":  {"package clients\n\nimport \"example.org/gone/api\"\n\n// +mrgen:convert\ntype c interface{ Send(api.A) *api.B }\n", "clients/client.go:3:8: cannot import \"example.org/gone/api\": no module that go.mod requires has it: run go get example.org/gone/api"},
		"unknown": {"package clients\n\nimport \"example.org/provider/apis\"\n\n// +mrgen:convert\ntype c interface{ Send(apis.A) *apis.B }\n", "clients/client.go:6:29: undefined: apis.A"},
		"clause":  {"package clients\n\nimport \"example.org/provider/apis/v1\"\n\n// +mrgen:convert\ntype c interface{ Send(v1.Known) *v1.Known }\n", "clients/client.go:6:24: undefined: v1: example.org/provider/apis/v1 has the package clause v2: rename it, or the folder"},
		"type":    {"package clients\n\nimport \"example.org/provider/apis\"\n\n// +mrgen:convert\ntype c interface{ Send(apis.Known) *S }\n\n// S is sent.\ntype S struct{ Name string }\n\n// Send is a type.\ntype Send int\n", "clients/client.go:6:19: the package, or Go, has something else of the name Send: rename the method"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			root := t.TempDir()
			testmodule.WriteTree(t, root, map[string][]byte{
				"go.mod": []byte("module example.org/provider\n\ngo 1.25\n"), "apis/types.go": []byte("package apis\n\ntype Known struct{ Name string }\n"),
				"apis/v1/types.go": []byte("package v2\n\ntype Known struct{ Name string }\n"), "clients/client.go": []byte(test.source),
			})
			_, diags := convert(t, root)
			expect.True(t, len(diags) != 0 && diags.Sorted()[0].String() == test.want, "got %v, want %s", diags, test.want)
			const several = "%d types of c are undefined, such as here: declare or correct them, or delete the interface"
			expect.True(t, name != "unknown" || len(diags) == 2 && diags[0].Like == several && diags[1].Like == several, "got %+v, want two like %s", diags, several)
		})
	}
}

// TestUpdates holds that markers say which requests update, and that the author is asked if there are several and none
// has one. Names don't count.
func TestUpdates(t *testing.T) {
	const (
		mark   = "\t// +mrgen:convert:update\n"
		begins = "// +mrgen:convert\ntype jobs interface {\n"
	)
	for name, test := range map[string]struct{ methods, want string }{
		"one":                  {"\tPatchJob(apis.JobParameters) *api.Dispatch\n", ""},
		"marked":               {"\tDispatchJob(apis.JobParameters) *api.Dispatch\n" + mark + "\tMakeJob(*apis.JobParameters) api.Exchange\n", ""},
		"marked first":         {mark + "\tCreateJob(apis.JobParameters) *api.Dispatch\n\tUpdateJob(*apis.JobParameters) api.Exchange\n", ""},
		"two interfaces":       {"\tCreditJob(apis.JobParameters) *api.Dispatch\n}\n\n// +mrgen:convert\ntype more interface {\n\tEditJob(apis.JobParameters) api.Exchange\n", ""},
		"parameters of a kind": {"\tCreateJob(apis.JobParameters) *api.Dispatch\n\tCreateTask(apis.TaskParameters) api.Exchange\n", ""},
		"inputs":               {"\tCreateJob(apis.JobParameters) *api.Dispatch\n\tinputsOfJob(apis.JobParameters) inputs\n", ""},
		"unmarked": {
			"\tCreateJob(apis.JobParameters) *api.Dispatch\n\tUpdateJob(*apis.JobParameters) api.Exchange\n",
			"clients/client.go:11:2: CreateJob and UpdateJob both send JobParameters: mark the one that updates +mrgen:convert:update, or declare them in two interfaces if both create",
		},
		"three": {
			"\tDispatchJob(apis.JobParameters) *api.Dispatch\n\tExchangeJob(apis.JobParameters) api.Exchange\n\tCreditJob(apis.JobParameters) api.Credit\n",
			"clients/client.go:11:2: DispatchJob and ExchangeJob both send JobParameters: mark the one that updates +mrgen:convert:update, or declare them in two interfaces if both create",
		},
		"observation": {
			mark + "\tPatchedJob(*api.Dispatch) apis.JobParameters\n",
			"clients/client.go:11:2: PatchedJob makes no request, so it updates nothing: remove +mrgen:convert:update",
		},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			root := t.TempDir()
			testmodule.WriteTree(t, root, map[string][]byte{
				"go.mod":        []byte("module example.org/provider\n\ngo 1.25\n"),
				"apis/types.go": []byte("package apis\n\ntype JobParameters struct{ Name string }\n\ntype TaskParameters struct{ Name string }\n"),
				"api/api.go":    []byte("package api\n\ntype Dispatch struct{ Name string }\n\ntype Exchange struct{ Name string }\n\ntype Credit struct{ Name string }\n"),
				"clients/client.go": []byte("package clients\n\nimport (\n\t\"example.org/provider/api\"\n\t\"example.org/provider/apis\"\n)\n\n" +
					begins + test.methods + "}\n\ntype inputs struct{ Name string }\n"),
			})
			_, diags := convert(t, root)
			expect.Equal(t, test.want, strings.Join(each(diags, diag.Diagnostic.String), "\n"))
		})
	}
}

func each[F, T any](from []F, make func(F) T) []T {
	var to []T
	for _, f := range from {
		to = append(to, make(f))
	}
	return to
}
