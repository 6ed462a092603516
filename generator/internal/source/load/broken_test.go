package load

import (
	"cmp"
	"context"
	_ "embed"
	"encoding/json"
	"go/build"
	"maps"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	gocmp "github.com/google/go-cmp/cmp"
	"golang.org/x/tools/txtar"
	"sigs.k8s.io/controller-tools/pkg/loader"

	"github.com/mrgen-io/mrgen/generator/internal/source/modules"
	"github.com/mrgen-io/mrgen/generator/internal/source/readlog"
	"github.com/mrgen-io/mrgen/testdata/expect"
	"github.com/mrgen-io/mrgen/testdata/testmodule"
)

// broken are files that each break API packages, in a way that the go command reports.
var broken = map[string]string{
	"nothing": "apis/a/more.go package a", "no package": `apis/a/more.go package a; import _ "example.org/provider/none"`,
	"no module": `apis/a/more.go package a; import _ "example.org/none/a"`, "no standard package": `apis/a/more.go package a; import _ "strings/none"`,
	"an internal package": `apis/a/more.go package a; import _ "example.org/other/internal/hidden"`,
	"tests alone":         `apis/a/more.go package a; import _ "example.org/provider/tests"`,
	"a program":           `apis/a/more.go package a; import _ "example.org/provider/program"`, "a relative import": `apis/a/more.go package a; import _ "../b"`,
	"another package": "apis/a/more.go package b", "a cycle": `apis/a/more.go package a; import _ "example.org/provider/apis/b"`,
	"itself":         `apis/a/more.go package a; import _ "example.org/provider/apis/a"`,
	"a syntax error": "apis/a/more.go package a; type D struct { X }; type E func {", "no clause": "apis/a/more.go // nothing",
	"an unfinished clause": "apis/a/more.go package", "a late import": `apis/a/more.go package a; type D int; import "strings"`,
	"unsafe": `apis/a/more.go package a; import _ "unsafe"`, "a conflict": "apis/a/more.go package a; <<<<<<< HEAD; type D int",
	"an old name":          `apis/a/more.go package a; import _ "example.com/old/apis/b"`,
	"an unfinished import": `apis/a/more.go package a; import "strings`, "an error below": `shared/more.go package shared; import _ "example.org/none"`,
}

// resolved are those whose files parse, and whose imports lead to packages: the compiler finds the others when code is built.
var resolved = []string{"nothing", "unsafe", "an internal package", "tests alone", "a program", "another package", "an error below"}

//go:embed testdata/breakable.txtar
var breakableFiles string

// breakable has API packages, and packages that only some files import.
var breakable = requiresOther + breakableFiles

// remedies are parts of what is said of files whose author hardly knows what is wrong.
var remedies = map[string]string{
	"a conflict":  "apis/a/more.go:3: a merge conflict begins here: resolve it",
	"an old name": "go.mod calls this module example.org/provider: correct that name if it is wrong, or else the imports; if it is another module's, run go get example.com/old/apis/b",
}

// place matches the line at the beginning of an error; the position of an error about a folder has none.
var place = regexp.MustCompile(`(?m)^[^\s:]+\.go:\d+`)

// linesWithErrors returns the lines that the go command reports when it lists API packages, or else compiles them.
func linesWithErrors(t *testing.T, root string) map[string]bool {
	t.Helper()
	run := func(args ...string) string {
		out, _ := testmodule.Run(root, "go", args...) // an error repeats the output
		return string(out)
	}
	lines := map[string]bool{}
	for decoder := json.NewDecoder(strings.NewReader(run("list", "-e", "-deps", "-json=Error", "./apis/..."))); decoder.More(); {
		var pkg struct{ Error *struct{ Pos, Err string } }
		expect.NoError(t, decoder.Decode(&pkg))
		if pkg.Error != nil {
			lines[place.FindString(cmp.Or(pkg.Error.Pos, pkg.Error.Err))] = true
		}
	}
	if len(lines) == 0 {
		for _, at := range place.FindAllString(run("build", "-gcflags=-e", "./apis/..."), -1) {
			lines[at] = true
		}
	}
	return lines
}

// TestBroken has the go command list packages that files break: it and a run report errors in the same lines, or neither does.
func TestBroken(t *testing.T) {
	for name, text := range broken {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			dir := t.TempDir()
			testmodule.Extract(t, txtar.Parse([]byte(breakable)), dir, func(txtar.File) bool { return false })
			root := filepath.Join(dir, "provider")
			file, content, _ := strings.Cut(text, " ")
			testmodule.Write(t, filepath.Join(root, file), []byte(strings.ReplaceAll(content, "; ", "\n\n")+"\n"))
			want := linesWithErrors(t, root)
			got := map[string]bool{}
			sc, diags := modules.New(modules.Options{Root: root, Patterns: []string{"./apis/..."}})
			log := readlog.NewLog(func(string) bool { return false })
			listing, more := List(context.Background(), sc, nil, log)
			if diags = append(diags, more...); listing != nil {
				program, more := listing.Load(nil)
				if diags = append(diags, more...); !more.HasErrors() {
					program.TypeCheck(program.APIs)
					diags = append(append(diags, program.ImportErrors()...), program.TypeErrors(nil, nil)...)
				}
			}
			for _, d := range diags {
				got[place.FindString(d.String())] = true
			}
			all := expect.Strings(diags)
			expect.True(t, strings.Contains(strings.Join(all, "\n"), remedies[name]), "without %q: %q", remedies[name], all)
			expect.True(t, len(slices.Compact(slices.Sorted(slices.Values(all)))) == len(all), "something is said twice: %q", all)
			gone := slices.DeleteFunc(goList(t, root, "-e", "-deps", "-f", "{{if not .GoFiles}}{{.ImportPath}}{{end}}", "./apis/..."), build.IsLocalImport)
			isReliable := log.IsReliable() || name == "a cycle" || name == "itself"
			expect.True(t, isReliable == (len(gone) == 0), "packages without files are %q, and the inputs are reliable: %t", gone, isReliable)
			diff := gocmp.Diff(slices.Sorted(maps.Keys(want)), slices.Sorted(maps.Keys(got)))
			expect.True(t, diff == "", "lines with errors (-the go command +got):\n%s", diff)
			written, diags := ListWritten(context.Background(), sc, nil, nil)
			if !diags.HasErrors() {
				diags = written.WrittenErrors()
			}
			expect.True(t, len(diags) == 0 == slices.Contains(resolved, name), "a run that reads the package as it is written has %v", diags)
			for _, d := range diags {
				line := place.FindString(d.String())
				expect.True(t, want[line] || want[""], "a run that reads the package as it is written has an error in another line: %s", d)
			}
		})
	}
}

// TestExpected lists packages together with others that are expected: only the expected ones that are there, and aren't
// listed already, are listed besides.
func TestExpected(t *testing.T) {
	dir := t.TempDir()
	testmodule.Extract(t, txtar.Parse([]byte(breakable)), dir, func(txtar.File) bool { return false })
	sc, diags := modules.New(modules.Options{Root: filepath.Join(dir, "provider"), Patterns: []string{"./apis/..."}})
	expect.None(t, diags.Errors())
	paths := func(pkgs []*loader.Package) (all []string) {
		for _, pkg := range pkgs {
			all = append(all, pkg.PkgPath)
		}
		return slices.Sorted(slices.Values(all))
	}
	for _, expected := range [][]string{
		nil, {"example.org/provider/apis/a"}, {"example.org/other/first", "example.org/provider/shared"}, {"example.org/provider/none"}, {"example.org/none"},
		{"./shared", "not a path", "-x", "all", "std", "tool", "example.org/provider/..."}, {"example.org/none", "example.org/provider/shared"},
	} {
		listing, diags := List(context.Background(), sc, expected, nil)
		if len(diags) > 0 {
			t.Errorf("%q: %v", expected, diags)
			continue
		}
		expect.Equal(t, []string{"example.org/provider/apis/a", "example.org/provider/apis/b"}, paths(listing.listed), "with %q expected", expected)
		want := slices.DeleteFunc(slices.Clone(expected), func(importPath string) bool {
			return importPath != "example.org/other/first" && importPath != "example.org/provider/shared"
		})
		expect.True(t, slices.Equal(paths(listing.expected), want), "of %q, %q are listed besides, want %q", expected, paths(listing.expected), want)
	}
}

// TestReferenced loads packages that markers name. The go command says which of them there are, and which folders of the
// author's modules it read.
func TestReferenced(t *testing.T) {
	dir := t.TempDir()
	testmodule.Extract(t, txtar.Parse([]byte(breakable)), dir, func(txtar.File) bool { return false })
	root := filepath.Join(dir, "provider")
	sc, diags := modules.New(modules.Options{Root: root, Patterns: []string{"./apis/..."}})
	expect.None(t, diags.Errors())
	paths := []string{
		"example.org/provider/shared", "example.org/provider/apis/a", "example.org/other/first", "example.org/provider/none", "example.org/none",
		"strings", "strings/none", "./shared", "not a path", "-x", "all", "cmd", "std", "tool", "work", "example.org/provider/...",
	}
	arePackages := map[string]bool{}
	for _, importPath := range paths {
		out, err := exec.Command("go", "-C", root, "list", "--", importPath).Output()
		arePackages[importPath] = err == nil && strings.TrimSpace(string(out)) == importPath
	}
	for i, expected := range [][]string{nil, {"example.org/provider/shared", "example.org/none"}, nil} {
		named := paths[:len(paths)-i/2*(len(paths)-1)] // at last, one package alone
		log := readlog.NewLog(func(string) bool { return false })
		listing, diags := List(context.Background(), sc, expected, log)
		expect.None(t, diags.Errors())
		listing.LoadReferenced(context.Background(), ".", slices.Clone(named))
		for _, importPath := range named {
			reason := listing.Unreadable(importPath)
			expect.True(t, (reason == "") == arePackages[importPath], "%s is a package: %t, unreadable: %q", importPath, arePackages[importPath], reason)
		}
		for _, folder := range goList(t, root, "-deps", "-f", "{{if not .Standard}}{{.Dir}}{{end}}", "./apis/...", "./shared", "example.org/other/first") {
			expect.True(t, i == 2 || log.Has(folder, readlog.Folder), "the go command read %s, which isn't among the inputs", folder)
		}
	}
}

// TestCauseOf holds the text for a message that the go command has only for modules from a proxy.
func TestCauseOf(t *testing.T) {
	d, ok := (&Listing{}).causeOf("nested", "go: updates to go.mod needed; to update it:\n\tgo mod tidy")
	want := "nested/go.mod: the required modules require others than this file does: run go mod tidy"
	expect.True(t, ok && d.String() == want, "%v, want %s", d, want)
}

// TestFixed holds that nobody remembers a run in the module cache, where nothing counts as changed.
func TestFixed(t *testing.T) {
	for _, isFixed := range []bool{true, false} {
		dir := t.TempDir()
		root := filepath.Join(dir, "p")
		testmodule.WriteTree(t, root, map[string][]byte{"go.mod": []byte("module example.org/p\n"), "a/a.go": []byte("package a\n")})
		if t.Setenv("GOMODCACHE", t.TempDir()); isFixed {
			t.Setenv("GOMODCACHE", dir)
		}
		sc, diags := modules.New(modules.Options{Root: root, Patterns: []string{"./..."}})
		expect.None(t, diags)
		log := readlog.NewLog(func(string) bool { return false })
		_, diags = List(t.Context(), sc, nil, log)
		expect.True(t, len(diags) == 0 && log.IsReliable() != isFixed, "in the module cache: %t, and reliable: %t; %v", isFixed, log.IsReliable(), diags)
	}
}
