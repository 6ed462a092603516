package memory

import (
	"bytes"
	"encoding/json"
	"fmt"
	"maps"
	"math/rand/v2"
	"os"
	"path"
	"path/filepath"
	"reflect"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/mrgen-io/mrgen/generator/diag"
	"github.com/mrgen-io/mrgen/generator/internal/artifact"
	"github.com/mrgen-io/mrgen/generator/internal/budget"
	"github.com/mrgen-io/mrgen/generator/internal/importgraph"
	"github.com/mrgen-io/mrgen/generator/internal/source/load"
	"github.com/mrgen-io/mrgen/generator/internal/source/modules"
	"github.com/mrgen-io/mrgen/generator/internal/source/readlog"
)

// A yard is a module, with a stand-in for runs over it: what it writes for a package depends on
// what the output for one may depend on, and on nothing else.
type yard struct {
	t        *testing.T
	root     string
	key      string
	patterns []string
	copies   map[string]*modules.Copy
	// whileRunning is called between reading and recording. It may be nil.
	whileRunning func()
}

const output = "zz_generated.methods.go"

// shared is a file that packages need whose source says so: all of their units have it.
const shared = "apis/helpers/" + output

// newYard returns a module with kinds a, b and c whose markers refer to each other in a ring, with a
// in two versions, b and c with a file that both need, and d, which refers to a package that the patterns leave out.
func newYard(t *testing.T) *yard {
	y := &yard{t: t, root: filepath.Join(t.TempDir(), "module"), key: "settings", patterns: []string{"./apis/...", "./internal/..."}}
	for name, content := range map[string]string{
		"go.mod":                    "module example.org/p\n\ngo 1.26\n",
		"go.sum":                    "",
		"nested/go.mod":             "module example.org/nested\n",
		"nested/nested.go":          "package nested\n",
		"apis/a/v1/a.go":            api("a", "import \"example.org/p/internal/shared\"", "b/v1.B"),
		"apis/a/v1/a_test.go":       "package v1\n",
		"apis/a/v2/a.go":            api("a", "", ""),
		"apis/b/v1/b.go":            needing(api("b", "", "c/v1.C")),
		"apis/c/v1/c.go":            needing(api("c", "", "a/v1.A")),
		"apis/d/v1/d.go":            strings.ReplaceAll(api("d", "", "e/v1.E"), "p/apis/e", "p/outside/e"),
		"outside/e/v1/e.go":         api("e", "import \"example.org/p/outside/lib\"", ""),
		"outside/lib/lib.go":        "package lib\n\ntype Lib string\n",
		"outside/unused/unused.go":  "package unused\n",
		"internal/shared/shared.go": "package shared\n\ntype Shared string\n",
		"internal/lone/lone.go":     "package lone\n",
		"internal/lone/l_test.go":   "package lone\n",
		"../beside/beside.go":       "package beside\n",
		"package/crds/other.yaml":   "kind: Other\n",
		"package/crds/notes.txt":    "Notes\n",
	} {
		y.write(name, content)
	}
	return y
}

func api(group, imports, target string) string {
	text := "// Package v1 is one.\n//\n// +groupName=" + group + ".example.org\npackage v1\n\n" + imports + "\n\ntype T struct {\n"
	if target != "" {
		text += "\t// +crossplane:generate:reference:type=example.org/p/apis/" + target + "\n"
	}
	return text + "\tName string\n}\n"
}

// needing returns source that needs the shared file.
func needing(source string) string {
	return strings.Replace(source, "package v1\n", "package v1 // SHARED\n", 1)
}

func (y *yard) write(name, content string) {
	y.t.Helper()
	name = filepath.Join(y.root, name)
	if err := os.MkdirAll(filepath.Dir(name), 0o755); err != nil {
		y.t.Fatal(err)
	}
	if err := os.WriteFile(name, []byte(content), 0o600); err != nil {
		y.t.Fatal(err)
	}
}

func (y *yard) remove(name string) {
	y.t.Helper()
	if err := os.RemoveAll(filepath.Join(y.root, name)); err != nil {
		y.t.Fatal(err)
	}
}

func (y *yard) read(name string) string {
	content, err := os.ReadFile(filepath.Join(y.root, name))
	if err != nil {
		return ""
	}
	return string(content)
}

// edit replaces a text, or, if that was done before, the other way round.
func (y *yard) edit(name, old, text string) {
	y.t.Helper()
	content := y.read(name)
	if !strings.Contains(content, old) || strings.Contains(content, text) && !strings.Contains(old, text) {
		old, text = text, old
	}
	if !strings.Contains(content, old) {
		y.t.Fatalf("%s has neither %q nor %q", name, old, text)
	}
	y.write(name, strings.Replace(content, old, text, 1))
}

// open reads the module.
func (y *yard) open() *Tree {
	y.t.Helper()
	sc, diags := modules.New(modules.Options{Root: y.root, Patterns: y.patterns, Outputs: []string{output}, Copies: y.copies})
	if diags.HasErrors() {
		y.t.Fatal(diags)
	}
	t, err := NewTree(y.t.Context(), readlog.NewLog(sc.Hides), sc, y.key, []string{"package/crds", "docs"})
	if err != nil {
		y.t.Fatal(err)
	}
	return t
}

var (
	targetPattern = regexp.MustCompile(`type=example.org/p/(\S+)\.`)
	importPattern = regexp.MustCompile(`"example.org/p/(\S+)"`)
	groupPattern  = regexp.MustCompile(`groupName=(\S+)`)
	declaration   = regexp.MustCompile(`(?m)^type .*$`)
)

// source returns the source in a folder, and what it imports.
func (y *yard) source(dir string) string {
	var all strings.Builder
	names, err := filepath.Glob(filepath.Join(y.root, dir, "*.go"))
	if err != nil {
		y.t.Fatal(err)
	}
	for _, name := range names {
		if base := filepath.Base(name); base != output && !strings.HasSuffix(base, "_test.go") {
			all.WriteString(base + y.read(path.Join(dir, base)))
		}
	}
	for _, name := range slices.Sorted(maps.Keys(y.copies)) {
		if path.Dir(name) == dir {
			all.WriteString(path.Base(name) + string(y.copies[name].Content))
		}
	}
	text := all.String()
	for _, imported := range importPattern.FindAllStringSubmatch(text, -1) {
		text += y.source(imported[1])
	}
	return text
}

// run stands in for a run over some folders. What it returns are the files, and the rest of its
// result.
func (y *yard) run(tree *Tree, folders []string) Run {
	r := Run{Files: map[string][]byte{}, Shared: map[string][]string{}, Declared: map[string]string{}, Cyclic: tree.Cyclic(), Needed: tree.Needed(folders),
		Dependencies: load.Dependencies{Imports: map[string][]string{tree.scope.Rel(filepath.Join(y.root, "../beside")): nil}, Named: map[string]bool{}}}
	_, _, _ = tree.log.ReadFile(filepath.Join(y.root, "../beside/beside.go"))
	groups := map[string][]string{}
	for _, dir := range tree.Covered() {
		if group := groupPattern.FindStringSubmatch(y.source(dir)); group != nil {
			groups[group[1]] = append(groups[group[1]], dir)
		}
	}
	for _, dir := range folders {
		text := y.source(dir)
		r.Declared[dir] = readlog.Hash([]byte(strings.Join(declaration.FindAllString(text, -1), "\n")))
		if strings.Contains(text, "WARN") {
			r.Warnings = append(r.Warnings, diag.Diagnostic{Pos: diag.Position{File: dir + "/a.go", Line: 1}, Message: "warning"})
		}
		if strings.Contains(text, "SHARED") {
			r.Files[shared] = []byte(artifact.GoHeader + "\n\npackage helpers\n")
			r.Shared[shared] = append(r.Shared[shared], dir)
		}
		for _, target := range targetPattern.FindAllStringSubmatch(text, -1) {
			if !slices.Contains(tree.Covered(), target[1]) {
				text += y.source(target[1])
			} else {
				text += strings.Join(declaration.FindAllString(y.source(target[1]), -1), "\n")
			}
		}
		text += y.key + y.read("../beside/beside.go") + y.read("go.mod") + y.read("go.sum")
		for group, members := range groups {
			if slices.Contains(members, dir) {
				var sources string
				for _, member := range members {
					sources += y.source(member)
				}
				text += sources
				r.Files["package/crds/"+group+".yaml"] = []byte(artifact.YAMLHeader(members) + "\n" + readlog.Hash([]byte(sources+y.key)) + "\n")
			}
		}
		r.Files[dir+"/"+output] = []byte(artifact.GoHeader + "\n\npackage p // " + readlog.Hash([]byte(text)) + "\n")
	}
	return r
}

// remember runs over what has changed since a record was made, writes that, and returns what a run
// looked at, and its record.
func (y *yard) remember(last *Record) (Changes, *Record) {
	y.t.Helper()
	tree := y.open()
	c := tree.Compare(last)
	folders := c.Stale
	if c.All {
		folders = tree.Covered()
	}
	r := y.run(tree, folders)
	if !c.All {
		r.Cyclic = nil // it doesn't know
		if !last.Confirms(r.Declared) {
			c = Changes{All: true}
			r = y.run(tree, tree.Covered())
		}
	}
	if c.All {
		r.Files["docs/index.yaml"] = []byte(artifact.YAMLHeader(nil) + "\n" + y.key)
	}
	if y.whileRunning != nil {
		y.whileRunning()
	}
	record := tree.Record(last, c, r)
	for _, name := range tree.scope.Generated {
		if r.Files[name] == nil && !slices.Contains(c.Outputs, name) {
			y.remove(name)
		}
	}
	if c.All {
		for _, name := range []string{"f", "g"} {
			if file := "package/crds/" + name + ".example.org.yaml"; r.Files[file] == nil {
				y.remove(file)
			}
		}
	}
	for name, content := range r.Files {
		y.write(name, string(content))
	}
	return c, record
}

// outputs returns all that was written, by path.
func (y *yard) outputs() map[string]string {
	all := map[string]string{}
	for _, pattern := range []string{"*/*/*/" + output, "*/*/" + output, "package/crds/*", "docs/*"} {
		names, err := filepath.Glob(filepath.Join(y.root, pattern))
		if err != nil {
			y.t.Fatal(err)
		}
		for _, name := range names {
			all[name] = y.read(strings.TrimPrefix(name, y.root))
		}
	}
	return all
}

// TestCompare makes one edit at a time, and says what is looked at then: all, or some folders.
func TestCompare(t *testing.T) {
	const a = "apis/a/v1 apis/a/v2 internal/shared"
	for name, test := range map[string]struct {
		edit func(y *yard)
		want string
	}{
		"nothing":        {func(*yard) {}, ""},
		"other settings": {func(y *yard) { y.key = "others" }, "all"},
		"other patterns": {func(y *yard) { y.patterns = []string{"./apis/..."} }, "all"},
		"other patterns for a unit": {func(y *yard) {
			y.patterns = []string{"./apis/a/v1", "./apis/b/...", "./apis/c/...", "./apis/d/...", "./internal/..."}
		}, "all"},
		"a package more":              {func(y *yard) { y.patterns = append(y.patterns, "./outside/unused") }, "all"},
		"source":                      {func(y *yard) { y.write("apis/b/v1/b.go", api("b", "", "c/v1.C")+"// More.\n") }, "apis/b/v1"},
		"source of one version":       {func(y *yard) { y.write("apis/a/v2/a.go", api("a", "", "")+"// More.\n") }, a},
		"source that an API imports":  {func(y *yard) { y.write("internal/shared/shared.go", "package shared\n\ntype Shared int\n") }, a},
		"source of no API":            {func(y *yard) { y.write("internal/lone/lone.go", "package lone // Here.\n") }, "internal/lone"},
		"a file more":                 {func(y *yard) { y.write("apis/b/v1/more.go", "package v1\n") }, "apis/b/v1"},
		"a file by another name":      {func(y *yard) { y.write("apis/b/v1/c.go", y.read("apis/b/v1/b.go")); y.remove("apis/b/v1/b.go") }, "apis/b/v1"},
		"a file less":                 {func(y *yard) { y.remove("internal/lone/l_test.go") }, "internal/lone"},
		"a test of an API":            {func(y *yard) { y.write("apis/a/v1/a_test.go", "package v1\n\nvar xpv1 = 1\n") }, a},
		"a test's header":             {func(y *yard) { y.write("internal/lone/l_test.go", "package lone_test\n") }, "internal/lone"},
		"the rest of a test":          {func(y *yard) { y.write("internal/lone/l_test.go", "package lone\n\nvar a = 1\n") }, ""},
		"what is no source":           {func(y *yard) { y.write("apis/b/v1/README.md", "b\n") }, ""},
		"source in an ignored folder": {func(y *yard) { y.write("apis/b/v1/testdata/a.go", "package a\n") }, ""},
		"source that go ignores":      {func(y *yard) { y.write("apis/b/v1/_a.go", "package a\n") }, ""},
		"what markers name, outside":  {func(y *yard) { y.write("outside/e/v1/e.go", y.read("outside/e/v1/e.go")+"// More.\n") }, "apis/d/v1"},
		"what that imports":           {func(y *yard) { y.write("outside/lib/lib.go", "package lib\n\ntype Lib int\n") }, "apis/d/v1"},
		"what nothing needs":          {func(y *yard) { y.write("outside/unused/unused.go", "package unused // So.\n") }, ""},
		"another group":               {func(y *yard) { y.edit("apis/a/v2/a.go", "=a.example", "=f.example") }, "all"},
		"no group":                    {func(y *yard) { y.edit("apis/a/v2/a.go", "+groupName", "groupName") }, "all"},
		"an API": {func(y *yard) {
			y.write("internal/lone/lone.go", "// +kubebuilder:object:generate=true\npackage lone\n")
		}, "all"},
		"another import":               {func(y *yard) { y.edit("apis/a/v1/a.go", "p/internal/shared", "p/internal/lone") }, "all"},
		"an import of another module":  {func(y *yard) { y.edit("apis/a/v1/a.go", "example.org/p/internal/shared", "example.org/q") }, "all"},
		"another target":               {func(y *yard) { y.edit("apis/b/v1/b.go", "c/v1.C", "a/v1.C") }, "all"},
		"no target":                    {func(y *yard) { y.edit("apis/b/v1/b.go", "+crossplane", "crossplane") }, "all"},
		"a target of the same package": {func(y *yard) { y.edit("apis/b/v1/b.go", "c/v1.C", "c/v1.D") }, "apis/b/v1"},
		"a package more below":         {func(y *yard) { y.write("apis/b/v2/b.go", "package v2\n") }, "all"},
		"a package less":               {func(y *yard) { y.remove("internal/lone") }, "all"},
		"go.mod":                       {func(y *yard) { y.write("go.mod", y.read("go.mod")+"// Here.\n") }, "all"},
		"go.sum":                       {func(y *yard) { y.write("go.sum", "example.org/q v1.0.0 h1:a\n") }, "all"},
		"go.mod of a module below":     {func(y *yard) { y.write("nested/go.mod", "module example.org/nested // Here.\n") }, "all"},
		"webhooks": {func(y *yard) {
			y.write("outside/unused/unused.go", "package main\n\nimport _ \"sigs.k8s.io/controller-runtime\"\n\nfunc main() {}\n")
		}, "all"},
		"what was read besides": {func(y *yard) { y.write("../beside/beside.go", "package beside // So.\n") }, "all"},
		"output edited":         {func(y *yard) { y.write("apis/b/v1/"+output, artifact.GoHeader+"\n\npackage v1\n") }, "apis/b/v1"},
		"output of Windows": {func(y *yard) {
			y.write("apis/b/v1/"+output, strings.ReplaceAll(y.read("apis/b/v1/"+output), "\n", "\r\n"))
		}, ""},
		"output lost": {func(y *yard) { y.remove("apis/b/v1/" + output) }, "apis/b/v1"},
		"output that is a folder": {func(y *yard) {
			y.remove("package/crds/b.example.org.yaml")
			y.write("package/crds/b.example.org.yaml/a", "")
		}, "apis/b/v1"},
		"a document lost":             {func(y *yard) { y.remove("package/crds/a.example.org.yaml") }, a},
		"a document edited":           {func(y *yard) { y.write("package/crds/a.example.org.yaml", "a: b\n") }, a},
		"a shared file lost":          {func(y *yard) { y.remove(shared) }, "apis/b/v1 apis/c/v1"},
		"a shared file edited":        {func(y *yard) { y.write(shared, artifact.GoHeader+"\n\npackage other\n") }, "apis/b/v1 apis/c/v1"},
		"a document of no package":    {func(y *yard) { y.remove("docs/index.yaml") }, "all"},
		"output that was not written": {func(y *yard) { y.write("apis/b/v1/zz_generated.old.go", artifact.GoHeader+"\n\npackage v1\n") }, "all"},
		"output of another generator": {func(y *yard) {
			y.write("internal/shared/zz_generated.other.go", "// Code generated by other. DO NOT EDIT.\n\npackage shared\n")
		}, a},
		"a document that was not": {func(y *yard) { y.write("package/crds/f.yaml", artifact.YAMLHeader([]string{"apis/b/v1"})+"\n") }, "all"},
		"one that was not, and no CRDs": {func(y *yard) {
			y.remove("package/crds")
			y.write("docs/other.yaml", artifact.YAMLHeader([]string{"apis/b/v1"})+"\n")
		}, "all"},
		"a document of somebody else": {func(y *yard) { y.write("package/crds/f.yaml", "a: b\n") }, ""},
		"what is no document":         {func(y *yard) { y.write("package/crds/f.txt", artifact.YAMLHeader(nil)+"\n") }, ""},
		"two units": {func(y *yard) {
			y.write("internal/lone/lone.go", "package lone // So.\n")
			y.remove("apis/c/v1/" + output)
		}, "apis/c/v1 internal/lone"},
		"a copy more": {func(y *yard) {
			y.copies = map[string]*modules.Copy{"apis/b/v1/zz_generated.scope_b.go": {Source: "apis/b/v1/b.go", Content: []byte("package v1\n"), API: true}}
		}, "apis/b/v1"},
	} {
		t.Run(name, func(t *testing.T) {
			y := newYard(t)
			c, record := y.remember(nil)
			if !c.All || record == nil {
				t.Fatal("the first run made no record")
			}
			content, err := json.Marshal(record)
			if err != nil {
				t.Fatal(err)
			}
			saved := Store{Dir: t.TempDir()}
			saved.Save(record, "key")
			if loaded, err := json.Marshal(saved.Load("key")); err != nil || !bytes.Equal(loaded, content) {
				t.Fatalf("the record that was saved is %s, want %s", loaded, content)
			}
			test.edit(y)
			got := y.open().Compare(saved.Load("key"))
			text := strings.Join(got.Stale, " ")
			if got.All {
				text = "all"
			}
			if text != test.want {
				t.Fatalf("looks at %q, want %q", text, test.want)
			}
			var want []string
			if !got.All {
				for file := range y.outputs() {
					want = append(want, strings.TrimPrefix(filepath.ToSlash(file), filepath.ToSlash(y.root)+"/"))
				}
				want = slices.DeleteFunc(want, func(file string) bool {
					for _, u := range record.Units { // one that needs it, and that is up to date
						if _, isOutput := u.Outputs[file]; isOutput && !slices.ContainsFunc(got.Stale, func(dir string) bool { return record.Units[dir] == u }) {
							return false
						}
					}
					return true
				})
				slices.Sort(want)
			}
			if !slices.Equal(got.Outputs, want) {
				t.Errorf("leaves alone %v, want %v", got.Outputs, want)
			}
		})
	}
}

// edits are what TestMemoryIsNoMemory does in any order: each may be done again, which undoes it.
var edits = []struct {
	name string
	edit func(y *yard)
}{
	{"a comment", func(y *yard) { y.edit("apis/a/v1/a.go", "\tName string", "\tName string // Here.") }},
	{"a comment in the other version", func(y *yard) { y.edit("apis/a/v2/a.go", "\tName string", "\tName string // There.") }},
	{"a declaration in b", func(y *yard) { y.edit("apis/b/v1/b.go", "type T struct", "type U struct") }},
	{"a declaration in c", func(y *yard) { y.edit("apis/c/v1/c.go", "type T struct", "type U struct") }},
	{"a comment in c", func(y *yard) { y.edit("apis/c/v1/c.go", "\tName string", "\tName string // Here.") }},
	{"a warning", func(y *yard) { y.edit("apis/b/v1/b.go", "\tName string", "\tName string // WARN") }},
	{"another warning", func(y *yard) { y.edit("apis/d/v1/d.go", "\tName string", "\tName string // WARN") }},
	{"a need in b", func(y *yard) { y.edit("apis/b/v1/b.go", "package v1\n", "package v1 // SHARED\n") }},
	{"a need in c", func(y *yard) { y.edit("apis/c/v1/c.go", "package v1\n", "package v1 // SHARED\n") }},
	{"a lost shared file", func(y *yard) { y.remove(shared) }},
	{"a shared type", func(y *yard) { y.edit("internal/shared/shared.go", "string", "int") }},
	{"a package outside", func(y *yard) { y.edit("outside/e/v1/e.go", "\tName string", "\tName string // Here.") }},
	{"a library outside", func(y *yard) { y.edit("outside/lib/lib.go", "string", "int") }},
	{"another group", func(y *yard) { y.edit("apis/a/v2/a.go", "=a.example", "=f.example") }},
	{"another target", func(y *yard) { y.edit("apis/b/v1/b.go", "c/v1.C", "d/v1.D") }},
	{"settings", func(y *yard) { y.key = map[string]string{"settings": "others", "others": "settings"}[y.key] }},
	{"go.mod", func(y *yard) { y.edit("go.mod", "go 1.26", "go 1.25") }},
	{"what is beside", func(y *yard) { y.edit("../beside/beside.go", "package beside\n", "package beside // So.\n") }},
	{"an output", func(y *yard) { y.write("apis/b/v1/"+output, artifact.GoHeader+"\n\npackage v1\n") }},
	{"a lost output", func(y *yard) { y.remove("apis/c/v1/" + output) }},
	{"a lost document", func(y *yard) { y.remove("package/crds/a.example.org.yaml") }},
	{"a lost document of no package", func(y *yard) { y.remove("docs/index.yaml") }},
}

// TestMemoryIsNoMemory makes edits at random, up to three at a time. What is on disk after a run that
// remembers earlier ones is what a run writes that doesn't, and so is the record.
func TestMemoryIsNoMemory(t *testing.T) {
	random := rand.New(rand.NewPCG(1, 2))
	y := newYard(t)
	var last *Record
	partial, inARow, mostInARow := 0, 0, 0
	for step := range budget.Of(60, 1000) {
		var names []string
		if step > 0 {
			for range 1 + random.IntN(2) {
				e := edits[random.IntN(len(edits))]
				e.edit(y)
				names = append(names, e.name)
			}
		}
		c, record := y.remember(last)
		got := y.outputs()
		_, fresh := y.remember(nil)
		if want := y.outputs(); !maps.Equal(got, want) {
			t.Fatalf("step %d, %v, over %v: wrote %v, want %v", step, names, c.Stale, got, want)
		}
		compare(t, fmt.Sprintf("step %d, %v, over %v", step, names, c.Stale), record, fresh)
		if last = record; c.All || len(c.Stale) == 0 {
			inARow = 0
			continue
		}
		partial++
		inARow++
		mostInARow = max(mostInARow, inARow)
	}
	if partial < 15 || mostInARow < 2 {
		t.Errorf("%d runs looked at a part, at most %d in a row, want 15 and 2", partial, mostInARow)
	}
}

// compare compares the record of a run that had one with that of a run without.
func compare(t *testing.T, about string, got, want *Record) {
	t.Helper()
	if got == nil || want == nil {
		t.Fatalf("%s: no record", about)
	}
	got.Needed, want.Needed = nil, nil // only a hint
	one, err := json.Marshal(got)
	if err != nil {
		t.Fatal(err)
	}
	other, err := json.Marshal(want)
	if err != nil {
		t.Fatal(err)
	}
	if !bytes.Equal(one, other) {
		t.Fatalf("%s: the record is\n%s\nwant\n%s", about, one, other)
	}
}

// TestRing has three packages whose markers name each other, and two runs in a row over a part of
// them. What others declare is confirmed each time against what it is by now.
func TestRing(t *testing.T) {
	y := newYard(t)
	_, last := y.remember(nil)
	for _, step := range []struct {
		name string
		edit func()
		want string
	}{
		{"a comment in b", func() { y.edit("apis/b/v1/b.go", "\tName string", "\tName string // Here.") }, "apis/b/v1"},
		{"a comment in c", func() { y.edit("apis/c/v1/c.go", "\tName string", "\tName string // Here.") }, "apis/c/v1"},
		{"a declaration in b", func() { y.edit("apis/b/v1/b.go", "type T struct", "type U struct") }, "all"},
		{"the same again", func() {}, ""},
		{"the declaration as it was first", func() { y.edit("apis/b/v1/b.go", "type T struct", "type U struct") }, "all"},
		{"a warning", func() { y.edit("apis/b/v1/b.go", "// Here.", "// WARN") }, "apis/b/v1"},
		{"no warning", func() { y.edit("apis/b/v1/b.go", "// Here.", "// WARN") }, "apis/b/v1"},
	} {
		step.edit()
		var c Changes
		c, last = y.remember(last)
		got := strings.Join(c.Stale, " ")
		if c.All {
			got = "all"
		}
		if got != step.want {
			t.Errorf("%s: looks at %q, want %q", step.name, got, step.want)
		}
		if cyclic := last.Cyclic["example.org/p/apis/a/v1"]; cyclic == "" {
			t.Errorf("%s: the record has no cycle: %v", step.name, last.Cyclic)
		}
	}
}

// TestRecordsThatAreNone has runs of which nothing is remembered.
func TestRecordsThatAreNone(t *testing.T) {
	warning := func(file string) diag.List {
		return diag.List{{Pos: diag.Position{File: file, Line: 1}, Message: "warning"}}
	}
	for name, test := range map[string]struct {
		change func(y *yard, tree *Tree, r *Run)
		want   bool
	}{
		"a run":                                {func(*yard, *Tree, *Run) {}, true},
		"a warning":                            {func(_ *yard, _ *Tree, r *Run) { r.Warnings = warning("apis/b/v1/b.go") }, true},
		"a warning without a position":         {func(_ *yard, _ *Tree, r *Run) { r.Warnings = warning("") }, false},
		"a warning outside the patterns":       {func(_ *yard, _ *Tree, r *Run) { r.Warnings = warning("outside/unused/unused.go") }, false},
		"a warning in a folder without source": {func(_ *yard, _ *Tree, r *Run) { r.Warnings = warning("package/crds/other.yaml") }, false},
		"a warning in a file at the top":       {func(_ *yard, _ *Tree, r *Run) { r.Warnings = warning("mrgen.yaml") }, false},
		"a file of a package outside":          {func(_ *yard, _ *Tree, r *Run) { r.Files["outside/unused/"+output] = []byte(artifact.GoHeader) }, false},
		"a file of no package":                 {func(_ *yard, _ *Tree, r *Run) { r.Files["docs/a.yaml"] = []byte(artifact.YAMLHeader(nil)) }, true},
		"source edited meanwhile":              {func(y *yard, _ *Tree, _ *Run) { y.write("apis/b/v1/b.go", "package v1\n\n// Other.\n") }, false},
		"what is beside, edited meanwhile":     {func(y *yard, _ *Tree, _ *Run) { y.write("../beside/beside.go", "package beside // So.\n") }, false},
		"what can't be recorded":               {func(_ *yard, tree *Tree, _ *Run) { tree.log.MarkUnreliable() }, false},
	} {
		y := newYard(t)
		tree := y.open()
		r := y.run(tree, tree.Covered())
		test.change(y, tree, &r)
		record := tree.Record(nil, Changes{All: true}, r)
		if got := record != nil; got != test.want {
			t.Errorf("%s: there is a record: %t, want %t", name, got, test.want)
		}
		if record == nil {
			continue
		}
		if r.Warnings = append(r.Warnings, r.Warnings...); len(r.Warnings) > 0 {
			if twice := tree.Record(nil, Changes{All: true}, r); len(twice.Units["apis/b/v1"].Warnings) != 1 {
				t.Errorf("%s: the same warning is there twice", name)
			}
		}
	}
	// Inputs that two runs read differently are none.
	y := newYard(t)
	_, last := y.remember(nil)
	y.edit("apis/b/v1/b.go", "\tName string", "\tName string // Here.")
	tree := y.open()
	c := tree.Compare(last)
	y.write("../beside/beside.go", "package beside // So.\n")
	if tree.Record(last, c, y.run(tree, c.Stale)) != nil {
		t.Error("there is a record of a run that read something else than the last one")
	}
}

// TestRecordElsewhere has a record serve a checkout at another path.
func TestRecordElsewhere(t *testing.T) {
	y := newYard(t)
	link := filepath.Join(filepath.Dir(y.root), "link")
	if err := os.Symlink("beside", link); err != nil {
		t.Skip(err)
	}
	tree := y.open()
	tree.log.Begin()
	tree.log.ReadLink(link)
	r := y.run(tree, tree.Covered())
	record := tree.Record(nil, Changes{All: true}, r)
	for name, content := range r.Files {
		y.write(name, string(content))
	}
	if record == nil || len(record.Inputs) != 2 {
		t.Fatalf("the record is %+v, want one with the file and the link", record)
	}
	for _, in := range record.Inputs {
		if filepath.IsAbs(in.Path) || in.Kind == readlog.Link && filepath.IsAbs(in.Hash) {
			t.Errorf("%+v is not as seen from the root", in)
		}
	}
	there := t.TempDir()
	if err := os.CopyFS(there, os.DirFS(filepath.Dir(y.root))); err != nil {
		t.Fatal(err)
	}
	y.root = filepath.Join(there, "module")
	if c := y.open().Compare(record); c.All || len(c.Stale) > 0 {
		t.Errorf("a checkout elsewhere looks at %+v, want nothing", c)
	}
	// One that a link leads to has the root without the link.
	byLink := filepath.Join(t.TempDir(), "byLink")
	if err := os.Symlink(there, byLink); err != nil {
		t.Fatal(err)
	}
	root, diags := modules.FindRoot(filepath.Join(byLink, "module"))
	if diags.HasErrors() {
		t.Fatal(diags)
	}
	y.root = root
	if c := y.open().Compare(record); c.All || len(c.Stale) > 0 {
		t.Errorf("a checkout that a link leads to looks at %+v, want nothing", c)
	}
	_ = os.Remove(filepath.Join(there, "link"))
	if err := os.Symlink("module", filepath.Join(there, "link")); err != nil {
		t.Fatal(err)
	}
	if c := y.open().Compare(record); !c.All {
		t.Errorf("with another link, a checkout elsewhere looks at %+v, want all", c)
	}
}

// TestUncovered says which folders a run has read that neither the structure nor a unit covers.
func TestUncovered(t *testing.T) {
	y := newYard(t)
	tree := y.open()
	for name, test := range map[string]struct {
		d    load.Dependencies
		want string
	}{
		"nothing":                          {load.Dependencies{}, ""},
		"what the text says":               {load.Dependencies{Imports: map[string][]string{"apis/a/v1": {"internal/shared"}, "internal/shared": nil}}, ""},
		"a folder beside":                  {load.Dependencies{Imports: map[string][]string{"../beside": {"../far"}, "../far": nil}}, "../beside ../far"},
		"what a folder beside imports":     {load.Dependencies{Imports: map[string][]string{"../beside": {"apis/a/v1"}, "apis/a/v1": {"internal/shared"}, "internal/shared": nil}}, "../beside apis/a/v1 internal/shared"},
		"what is not read":                 {load.Dependencies{Imports: map[string][]string{"../beside": {"../far"}}}, "../beside"},
		"an import that leads elsewhere":   {load.Dependencies{Imports: map[string][]string{"apis/a/v1": {"internal/lone"}, "internal/lone": {"internal/shared"}, "internal/shared": nil}}, "internal/lone internal/shared"},
		"folders that import each other":   {load.Dependencies{Imports: map[string][]string{"../a": {"../b"}, "../b": {"../a"}}}, "../a ../b"},
		"a name that the text has":         {load.Dependencies{Imports: map[string][]string{"outside/e/v1": {"outside/lib"}, "outside/lib": nil}, Named: map[string]bool{"outside/e/v1": true}}, ""},
		"a name that the text has not":     {load.Dependencies{Imports: map[string][]string{"outside/unused": {"outside/lib"}, "outside/lib": nil}, Named: map[string]bool{"outside/unused": true}}, "outside/lib outside/unused"},
		"a name of what is covered anyway": {load.Dependencies{Imports: map[string][]string{"internal/lone": nil}, Named: map[string]bool{"internal/lone": true}}, ""},
	} {
		if got := strings.Join(slices.Sorted(maps.Keys(tree.uncoveredFolders(test.d))), " "); got != test.want {
			t.Errorf("%s: %q, want %q", name, got, test.want)
		}
	}
}

// TestConfirms compares what packages declare.
func TestConfirms(t *testing.T) {
	r := &Record{Declared: map[string]string{"a": "1", "b": "2"}}
	for _, test := range []struct {
		declared map[string]string
		want     bool
	}{
		{nil, true},
		{map[string]string{"a": "1"}, true},
		{map[string]string{"a": "1", "b": "2"}, true},
		{map[string]string{"a": "1", "b": "3"}, false},
		{map[string]string{"c": "1"}, false},
	} {
		if got := r.Confirms(test.declared); got != test.want {
			t.Errorf("%v is confirmed: %t, want %t", test.declared, got, test.want)
		}
	}
}

// TestRecordIsWhole has every field of a record survive, be it one that another engineer adds.
func TestRecordIsWhole(t *testing.T) {
	r := &Record{
		Structure: "a", Declared: map[string]string{"a": "b"}, Cyclic: importgraph.Cyclic{"a": "b"}, Needed: []string{"a"}, Inputs: []readlog.Input{{Path: "a", Kind: readlog.File, Hash: "b"}},
		Units: map[string]*Unit{"a": {Key: "b", Outputs: map[string]string{"a": "b"}, Warnings: []diag.Diagnostic{{Pos: diag.Position{File: "a", Line: 1, Column: 2}, Message: "b", Code: "c"}}}},
	}
	s := Store{Dir: t.TempDir()}
	s.Save(r, "key")
	for _, v := range []reflect.Value{reflect.ValueOf(*r), reflect.ValueOf(*r.Units["a"])} {
		for i := range v.NumField() {
			if v.Field(i).IsZero() {
				t.Errorf("%s has no value in this test", v.Type().Field(i).Name)
			}
		}
	}
	if loaded := s.Load("key"); !reflect.DeepEqual(loaded, r) {
		t.Errorf("%+v was saved as %+v", r, loaded)
	}
}
