package main

import (
	"io/fs"
	"maps"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/mrgen-io/mrgen/testdata/expect"
)

var testFunc = regexp.MustCompile(`(?m)^func ((?:Test|Fuzz)\w+)\(`)

// TestGuarantees holds that the README and the guides name the tests that hold what they
// guarantee, and that there are such tests, a script as TestScripts/NAME. In the README, each point
// in bold print is a guarantee; the tutorial is run as a whole.
func TestGuarantees(t *testing.T) {
	tests, ties := testNames(t), readTies(t)
	for _, name := range pages(t) {
		content := expect.Value(os.ReadFile(filepath.Join(repository, name)))(t)
		p, _ := readPage(string(content), ties[name]) // TestDocs reports what is wrong
		isGuide := strings.HasPrefix(name, "docs/guide/") && name != "docs/guide/tutorial.md"
		expect.True(t, len(p.held) != 0 || !isGuide && name != "README.md", "%s names no test", name)
		for _, title := range slices.Sorted(maps.Keys(p.held)) {
			for _, test := range p.held[title] {
				expect.True(t, tests[test], "%s: %s: there is no test %s", name, title, test)
			}
		}
		if name != "README.md" {
			continue
		}
		points := item.FindAllStringSubmatch(string(content), -1)
		expect.True(t, len(points) != 0, "README.md has no points in bold print")
		for _, point := range points {
			if p.held[point[1]] == nil {
				t.Errorf("README.md: which test holds %q? Name it in the comment at the end: %s: held by: TestName", point[1], point[1])
			}
		}
	}
}

// TestVersionsThatGoTogether holds that the README names the versions that the tests use.
func TestVersionsThatGoTogether(t *testing.T) {
	read := func(name string) string {
		content := expect.Value(os.ReadFile(filepath.Join(repository, filepath.FromSlash(name))))(t)
		return string(content)
	}
	readme := read("README.md")
	for _, version := range []struct{ subject, phrase, file, pattern string }{
		{"Go", `Go ([\d.]+) or newer`, "go.mod", `(?m)^go ([\d.]+?)(?:\.0)?$`},
		{"the oldest crossplane-runtime", `crossplane-runtime (\S+) to`, "generator/runtimes_test.go", `range \[\]runtimeVersion\{\s*\{"([^"]+)"`},
		{"the newest crossplane-runtime", `crossplane-runtime \S+ to ([^;]+);`, "testdata/provider-example/go.mod", `crossplane-runtime/v2 (\S+)`},
		{"Crossplane", `Crossplane (\S+) and`, "testdata/e2e/servers/crossplane/go.mod", `crossplane/crossplane/v2 (\S+)`},
		{"Kubernetes", `Kubernetes ([^,]+), tested end to end`, "testdata/e2e/servers/apiserver/go.mod", `k8s.io/kubernetes (\S+)`},
		{"the oldest Kubernetes", `work from ([\d.]+) on`, "generator/run/options.go", `MinKubernetes: +"([^"]+)"`},
		{"the oldest Kubernetes that judges", `the code of Kubernetes ([\d.]+) to`, "docs/compatibility.md", `(?m)^\|(?:---\|)+\n\| ([\d.]+) `},
		{"the newest Kubernetes that judges", `the code of Kubernetes [\d.]+ to ([\d.]+)`, "docs/compatibility.md", `\n\| ([\d.]+) [^\n]*\n\n## `},
	} {
		said := regexp.MustCompile(version.phrase).FindStringSubmatch(readme)
		used := regexp.MustCompile(version.pattern).FindStringSubmatch(read(version.file))
		if said == nil || used == nil {
			t.Errorf("%s: README.md says %q, and %s has %q", version.subject, said, version.file, used)
		} else if said[1] != used[1] {
			t.Errorf("README.md names %s of %s, but %s has %s", said[1], version.subject, version.file, used[1])
		}
	}
}

// testNames returns the names of all tests of the repository, scripts among them.
func testNames(t *testing.T) map[string]bool {
	t.Helper()
	names := map[string]bool{}
	err := filepath.WalkDir(repository, func(file string, entry fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		if entry.IsDir() && (entry.Name() == ".git" || entry.Name() == "bin") {
			return fs.SkipDir
		}
		if name, isScript := strings.CutSuffix(entry.Name(), ".txtar"); isScript && filepath.Base(filepath.Dir(file)) == "script" {
			names["TestScripts/"+name] = true
		}
		if !strings.HasSuffix(entry.Name(), "_test.go") {
			return nil
		}
		content, err := os.ReadFile(file)
		for _, found := range testFunc.FindAllSubmatch(content, -1) {
			names[string(found[1])] = true
		}
		return err
	})
	expect.NoError(t, err)
	return names
}
