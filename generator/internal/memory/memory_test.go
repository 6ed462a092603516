package memory_test

import (
	"context"
	"io/fs"
	"maps"
	"os"
	"path/filepath"
	"reflect"
	"slices"
	"strings"
	"testing"

	"github.com/mrgen-io/mrgen/generator/diag"
	"github.com/mrgen-io/mrgen/generator/internal/artifact"
	"github.com/mrgen-io/mrgen/generator/internal/extensions/scopecopies"
	"github.com/mrgen-io/mrgen/generator/internal/extensions/sdkconversion"
	"github.com/mrgen-io/mrgen/generator/internal/memory"
	"github.com/mrgen-io/mrgen/generator/internal/stage"
	"github.com/mrgen-io/mrgen/generator/internal/stagerunner"
	"github.com/mrgen-io/mrgen/generator/internal/stages/deepcopy"
	"github.com/mrgen-io/mrgen/generator/run"
	"github.com/mrgen-io/mrgen/generator/scopepair"
	"github.com/mrgen-io/mrgen/testdata/expect"
)

func write(t *testing.T, name, content string) {
	t.Helper()
	expect.NoError(t, os.MkdirAll(filepath.Dir(name), 0o755))
	expect.NoError(t, os.WriteFile(name, []byte(content), 0o600))
}

const packageA = "// Package a is copied deeply.\n//\n// +kubebuilder:object:generate=true\npackage a\n"

// optionsFor returns the options of runs over a module of two packages, which needs no other one.
func optionsFor(t *testing.T) run.Options {
	t.Helper()
	o := run.Default()
	o.Dir, o.CacheDir, o.MRDDir = t.TempDir(), t.TempDir(), "package/mrds"
	write(t, o.Dir+"/go.mod", "module example.org/p\n\ngo 1.26\n")
	write(t, o.Dir+"/apis/a/a.go", packageA)
	write(t, o.Dir+"/apis/b/b.go", "package b\n\nimport _ \"example.org/p/apis/a\"\n")
	return o
}

// open returns the input of a run, and the memory of the last one.
func open(e stagerunner.Runner, o run.Options) (*stagerunner.Input, *memory.Memory) {
	in := e.Open(o)
	return in, memory.Open(o, in.Scope, in.Settings.DefinitionFolders(), in.Log)
}

// runAll does the work of a run, and writes its files.
func runAll(t *testing.T, e stagerunner.Runner, o run.Options) {
	t.Helper()
	in, m := open(e, o)
	if m.IsCurrent() {
		return
	}
	r, diags, err := in.Evaluate(context.Background())
	expect.Must(t, err == nil && !diags.HasErrors(), "%v %v", diags, err)
	files := maps.Collect(r.Output.Artifacts.Files())
	remember := m.Record(files, diags)
	for _, name := range r.Generated {
		if files[name] == nil {
			_ = os.Remove(filepath.Join(o.Dir, name))
		}
	}
	for name, content := range files {
		write(t, o.Dir+"/"+name, string(content))
	}
	remember()
}

// TestEveryOptionCounts sets one option at a time, whatever options there are. Runs with others have
// a record of their own, unless nothing that is written depends on it.
func TestEveryOptionCounts(t *testing.T) {
	o := optionsFor(t)
	write(t, o.Dir+"/header.txt", "// Header.\n")
	values := map[string]any{
		"Packages": []string{"./apis/a"}, "HeaderFile": "header.txt", "Versions": run.ReportVersions, "MinKubernetes": "1.32", "ResolverRegistry": "example.org/p/registry",
		"Extensions": []run.Extension{stagerunner.Extension{Settings: "others"}}, "CacheDir": t.TempDir(),
		"CRDSets": []run.CRDSet{{Packages: []string{"./apis/a"}, CRDDir: "elsewhere"}},
	}
	withoutEffect := map[string]bool{"OnStep": true, "RemoveDefinitions": true} // files that are up to date need no deletion
	runAll(t, stagerunner.Runner{}, o)
	for i := range reflect.TypeFor[run.Options]().NumField() {
		name, changed := reflect.TypeFor[run.Options]().Field(i).Name, o
		field := reflect.ValueOf(&changed).Elem().Field(i)
		switch value, given := values[name]; {
		case name == "Dir":
			continue
		case given:
			field.Set(reflect.ValueOf(value))
		case field.Kind() == reflect.String:
			field.SetString("elsewhere")
		case field.Kind() == reflect.Bool:
			field.SetBool(!field.Bool())
		case field.Kind() == reflect.Int:
			field.SetInt(7)
		case field.Kind() == reflect.Func:
			field.Set(reflect.MakeFunc(field.Type(), func([]reflect.Value) []reflect.Value { return nil }))
		default:
			t.Fatalf("%s has no value in this test", name)
		}
		_, after := open(stagerunner.Runner{}, changed)
		if name == "CacheDir" {
			continue // the memory is elsewhere
		}
		expect.Equal(t, withoutEffect[name], after.IsCurrent(), "%s: the record is the same", name)
	}
}

// TestIsCurrent says after which edits there is something to do.
func TestIsCurrent(t *testing.T) {
	for name, test := range map[string]struct {
		edit func(t *testing.T, o *run.Options)
		want bool
	}{
		"nothing":            {func(*testing.T, *run.Options) {}, true},
		"a package":          {func(t *testing.T, o *run.Options) { write(t, o.Dir+"/apis/a/a.go", packageA+"// So.\n") }, false},
		"another file":       {func(t *testing.T, o *run.Options) { write(t, o.Dir+"/apis/a/b.go", "package a\n") }, false},
		"another package":    {func(t *testing.T, o *run.Options) { write(t, o.Dir+"/apis/c/c.go", "package c\n") }, false},
		"an ignored package": {func(t *testing.T, o *run.Options) { write(t, o.Dir+"/apis/testdata/c.go", "package c\n") }, true},
		"a package nobody imports": {func(t *testing.T, o *run.Options) {
			write(t, o.Dir+"/internal/lone.go", "package internal\n\nvar A int\n")
		}, true},
		"a test's imports": {func(t *testing.T, o *run.Options) {
			write(t, o.Dir+"/apis/a/a_test.go", "package a\n\nimport _ \"fmt\"\n")
		}, false},
		"a text":        {func(t *testing.T, o *run.Options) { write(t, o.Dir+"/apis/a/notes.txt", "Notes\n") }, true},
		"the header":    {func(t *testing.T, o *run.Options) { write(t, o.Dir+"/header.txt", "// Another header.\n") }, false},
		"an output":     {func(t *testing.T, o *run.Options) { write(t, o.Dir+"/apis/a/zz_generated.deepcopy.go", "package a\n") }, false},
		"a lost output": {func(t *testing.T, o *run.Options) { _ = os.Remove(o.Dir + "/apis/a/zz_generated.deepcopy.go") }, false},
		"a document of mrgen": {func(t *testing.T, o *run.Options) {
			write(t, o.Dir+"/package/mrds/a.yaml", artifact.YAMLHeader([]string{"apis/a"})+"\nkind: A\n")
		}, false},
		"a document of others":      {func(t *testing.T, o *run.Options) { write(t, o.Dir+"/package/mrds/a.yaml", "kind: A\n") }, true},
		"other options":             {func(_ *testing.T, o *run.Options) { o.MaxDescription = 7 }, false},
		"without memory":            {func(_ *testing.T, o *run.Options) { o.CacheDir = "" }, false},
		"an empty memory":           {func(t *testing.T, o *run.Options) { o.CacheDir = t.TempDir() }, false},
		"another module":            {func(t *testing.T, o *run.Options) { write(t, o.Dir+"/go.mod", "module example.org/q\n\ngo 1.26\n") }, false},
		"a module below":            {func(t *testing.T, o *run.Options) { write(t, o.Dir+"/tools/go.mod", "module example.org/tools\n") }, false},
		"a damaged record":          {damage(func(content []byte) []byte { return append(content, ' ') }), false},
		"a truncated one":           {damage(func(content []byte) []byte { return content[:len(content)/2] }), false},
		"an empty one":              {damage(func([]byte) []byte { return nil }), false},
		"the environment":           {func(t *testing.T, _ *run.Options) { t.Setenv("GOFLAGS", "-tags=a") }, false},
		"a path that isn't watched": {func(_ *testing.T, o *run.Options) { o.Packages = []string{"./apis/testdata"} }, false},
	} {
		t.Run(name, func(t *testing.T) {
			o := optionsFor(t)
			o.HeaderFile = "header.txt"
			write(t, o.Dir+"/header.txt", "// Header.\n")
			write(t, o.Dir+"/internal/lone.go", "package internal\n")
			write(t, o.Dir+"/apis/a/a_test.go", "package a\n")
			o.Packages = []string{"./apis/..."}
			e := stagerunner.Runner{Stages: []stage.Stage{deepcopy.Stage}}
			write(t, o.Dir+"/apis/a/t.go", "package a\n\n// T is copied.\ntype T struct{ Fields []string }\n")
			runAll(t, e, o)
			_, first := open(e, o)
			expect.Must(t, first.IsCurrent(), "there is something to do after a run")
			test.edit(t, &o)
			_, m := open(e, o)
			expect.Equal(t, test.want, m.IsCurrent(), "nothing has changed")
			expect.True(t, !m.IsCurrent() || m.State() == first.State(), "nothing has changed, and the state has")
		})
	}
}

func damage(how func([]byte) []byte) func(*testing.T, *run.Options) {
	return func(t *testing.T, o *run.Options) {
		records, err := filepath.Glob(filepath.Join(o.CacheDir, "*"))
		expect.Must(t, err == nil && len(records) == 1, "%v %v", records, err)
		for _, record := range records {
			content := expect.Value(os.ReadFile(record))(t)
			write(t, record, string(how(content)))
		}
	}
}

// namespaced is source of which copying options have copies.
const namespaced = "// Package v1 has kinds.\n// +groupName=a.m.example.org\npackage v1\n\nimport xpv2 \"github.com/crossplane/crossplane-runtime/v2/apis/common/v2\"\n\n// BucketSpec is the state.\ntype BucketSpec struct{ xpv2.ManagedResourceSpec }\n"

func setting(text string) scopepair.Setting {
	return scopepair.Setting{Text: text, Pos: diag.Position{File: "mrgen.yaml", Line: 1, Column: 1}}
}

// toCluster returns the extension that copies a package to the cluster scope, with another group.
func toCluster(group string) []run.Extension {
	return []run.Extension{scopecopies.Extension([]scopepair.Pair{{
		Folders: scopepair.Folders{From: setting("apis/namespaced"), To: setting("apis/cluster")},
		Groups:  []scopepair.Replacement{{Old: setting("*.m.example.org"), New: setting(group)}},
	}})}
}

// copying returns the options of runs that copy a package to the other scope.
func copying(t *testing.T) run.Options {
	t.Helper()
	o := optionsFor(t)
	o.Extensions = toCluster("*.example.org")
	write(t, o.Dir+"/apis/namespaced/v1/bucket.go", namespaced)
	const runtime = "github.com/crossplane/crossplane-runtime/v2"
	write(t, o.Dir+"/go.mod", "module example.org/p\n\ngo 1.26\n\nrequire "+runtime+" v2.0.0\n\nreplace "+runtime+" => ./_runtime\n")
	write(t, o.Dir+"/_runtime/go.mod", "module "+runtime+"\n\ngo 1.26\n")
	write(t, o.Dir+"/_runtime/apis/common/v1/v1.go", "package v1\n\n// ResourceSpec is the state.\ntype ResourceSpec struct{}\n")
	write(t, o.Dir+"/_runtime/apis/common/v2/v2.go", "package v2\n\n// ManagedResourceSpec is the state.\ntype ManagedResourceSpec struct{}\n")
	return o
}

// TestCopies edits the source of copies for the other scope, which the patterns leave out, and what they are made with.
func TestCopies(t *testing.T) {
	o := copying(t)
	for _, step := range []struct {
		about, content string
		others         func()
	}{
		{"at first", namespaced, func() {}},
		{"after an edit", namespaced + "\n// More.\n", func() {}},
		{"after an edit that was undone", namespaced, func() {}},
		{"with another group", namespaced, func() { o.Extensions = toCluster("*.cluster.example.org") }},
		{"with another file", namespaced, func() { write(t, o.Dir+"/apis/namespaced/v1/more.go", "package v1\n") }},
		{"with another package", namespaced, func() {
			write(t, o.Dir+"/apis/namespaced/v2/more.go", strings.Replace(namespaced, "package v1", "package v2", 1))
		}},
	} {
		write(t, o.Dir+"/apis/namespaced/v1/bucket.go", step.content)
		step.others()
		if _, m := open(stagerunner.Runner{}, o); m.IsCurrent() {
			t.Errorf("%s: nothing has changed", step.about)
		}
		runAll(t, stagerunner.Runner{}, o)
		_, m := open(stagerunner.Runner{}, o)
		expect.True(t, m.IsCurrent(), "%s: a second run has something to do", step.about)
	}
}

// TestLinks has a pattern that leads through a symbolic link: what changes there is noticed, since nothing
// is remembered.
func TestLinks(t *testing.T) {
	o := optionsFor(t)
	beside := t.TempDir()
	write(t, beside+"/c/c.go", "package c\n")
	if err := os.Symlink(beside, o.Dir+"/linked"); err != nil {
		t.Skip(err)
	}
	o.Packages = []string{"./apis/...", "./linked/c"}
	for range 2 {
		runAll(t, stagerunner.Runner{}, o)
		_, m := open(stagerunner.Runner{}, o)
		expect.True(t, !m.IsCurrent(), "a run that follows a link is remembered")
	}
}

// TestNothingIsRemembered has runs without records.
func TestNothingIsRemembered(t *testing.T) {
	o := optionsFor(t)
	for name, change := range map[string]func(*run.Options){
		"no folder":  func(o *run.Options) { o.CacheDir = "" },
		"a file":     func(o *run.Options) { o.CacheDir = o.Dir + "/go.mod" },
		"no module":  func(o *run.Options) { o.Dir = os.TempDir() + "/nothing" },
		"a bad path": func(o *run.Options) { o.Packages = []string{"../elsewhere"} },
	} {
		changed := o
		change(&changed)
		_, m := open(stagerunner.Runner{}, changed)
		expect.True(t, !m.IsCurrent() && m.State() == "", "%s: the run is recorded", name)
		m.Keep("name", "value")
		value := ""
		expect.True(t, !m.Recall("name", &value), "%s: %q is kept", name, value)
		m.Record(nil, nil)()
	}
	_, m := open(stagerunner.Runner{}, o)
	m.Keep("name", "value")
	value := ""
	expect.True(t, m.Recall("name", &value) && value == "value", "%q is kept, want value", value)
	// An old record goes when a run can't be recorded.
	runAll(t, stagerunner.Runner{}, o)
	in, m := open(stagerunner.Runner{}, o)
	in.Log.MarkUnreliable()
	m.Record(nil, nil)()
	_, next := open(stagerunner.Runner{}, o)
	expect.True(t, m.State() == "" && !next.IsCurrent(), "an old record is left of a run that can't be recorded")
}

// clientsModule has clients that convert types of an SDK, which the module has itself, and which imports
// more of it.
var clientsModule = map[string]string{
	"go.mod":                "module example.org/p\n\ngo 1.26\n",
	"apis/a/a.go":           packageA + "\n// Parameters are desired.\ntype Parameters struct {\n\tName *string `json:\"name,omitempty\"`\n\tPart *Part `json:\"part,omitempty\"`\n}\n\n// Part is one.\ntype Part struct {\n\tSize *int64 `json:\"size,omitempty\"`\n}\n",
	"apis/b/b.go":           "package b\n\nimport _ \"example.org/p/apis/a\"\n",
	"internal/clients/c.go": "package clients\n\nimport (\n\t\"example.org/p/apis/a\"\n\t\"example.org/p/internal/sdk\"\n)\n\n// +mrgen:convert\ntype conversions interface {\n\tSend(a.Parameters) *sdk.Thing\n}\n",
	"internal/clients/d.go": "package clients\n",
	"internal/plain/p.go":   "package plain\n",
	"internal/sdk/s.go":     "package sdk\n\nimport \"example.org/p/internal/deep\"\n\n// Thing is sent.\ntype Thing struct {\n\tName *string\n\tPart *deep.Part\n}\n",
	"internal/deep/d.go":    "package deep\n\n// Part is one.\ntype Part struct {\n\tSize int64\n}\n",
}

// TestSecondRuns edits a module with clients, and runs with a memory and without one: both leave the same on
// disk, whatever an edit was about, and a run after nothing has nothing to do.
func TestSecondRuns(t *testing.T) {
	e := stagerunner.Runner{Stages: []stage.Stage{deepcopy.Stage}}
	o := run.Default()
	o.Dir, o.CacheDir, o.Packages = t.TempDir(), t.TempDir(), []string{"./apis/..."}
	o.Extensions = []run.Extension{sdkconversion.Extension(sdkconversion.Settings{Packages: []string{"./internal/clients/..."}}, nil)}
	for name, content := range clientsModule {
		write(t, o.Dir+"/"+name, content)
	}
	edit := func(name, old, text string) func() {
		return func() {
			content, err := os.ReadFile(filepath.Join(o.Dir, name))
			expect.Must(t, err == nil && strings.Contains(string(content), old), "%s has no %q: %v", name, old, err)
			write(t, o.Dir+"/"+name, strings.Replace(string(content), old, text, 1))
		}
	}
	for _, step := range []struct {
		about string
		edit  func()
	}{
		{"at first", func() {}},
		{"a type", edit("apis/a/a.go", "Name *string", "Name string")},
		{"a package that clients import", edit("internal/sdk/s.go", "Name *string", "Name string")},
		{"a package which that imports", edit("internal/deep/d.go", "Size int64", "Size *int64")},
		{"another file of the clients", func() {
			write(t, o.Dir+"/internal/clients/d.go", "package clients\n\n// SendThing has its name.\nfunc SendThing() {}\n")
		}},
		{"an API that clients don't import", func() {
			write(t, o.Dir+"/apis/b/b.go", "// Package b is copied.\n//\n// +kubebuilder:object:generate=true\npackage b\n\n// B is one.\ntype B struct{ A []int }\n")
		}},
		{"a comment there", edit("apis/b/b.go", "B is one", "B is some")},
		{"a written file", func() {
			write(t, o.Dir+"/internal/clients/zz_generated.convert.go", artifact.GoHeader+"\n\npackage clients\n")
		}},
		{"no clients", edit("internal/clients/c.go", "+mrgen:convert", "")},
		{"no more deep copies", func() {
			write(t, o.Dir+"/apis/b/b.go", "package b\n")
		}},
		{"deep copies of another generator, where none are written", func() {
			write(t, o.Dir+"/apis/b/zz_generated.deepcopy.go", "// Code generated by controller-gen. DO NOT EDIT.\n\npackage b\n")
		}},
		{"clients in another package", func() {
			write(t, o.Dir+"/internal/clients/more/m.go", strings.Replace(clientsModule["internal/clients/c.go"], "package clients", "package more", 1))
		}},
	} {
		step.edit()
		runAll(t, e, o)
		got := onDisk(t, o.Dir)
		_, m := open(e, o)
		expect.True(t, m.IsCurrent(), "%s: a second run has something to do", step.about)
		fresh := o
		fresh.CacheDir = ""
		runAll(t, e, fresh)
		want := onDisk(t, o.Dir)
		for _, name := range slices.Sorted(maps.Keys(want)) {
			expect.True(t, got[name] == want[name], "%s: %s is\n%s\nand without a memory\n%s", step.about, name, got[name], want[name])
		}
		expect.True(t, len(got) == len(want), "%s: there are %d files, and without a memory %d", step.about, len(got), len(want))
	}
}

// onDisk returns the files of a module.
func onDisk(t *testing.T, dir string) map[string]string {
	t.Helper()
	files := map[string]string{}
	err := fs.WalkDir(os.DirFS(dir), ".", func(name string, entry fs.DirEntry, err error) error {
		if err != nil || entry.IsDir() {
			return err
		}
		content, err := os.ReadFile(filepath.Join(dir, name))
		files[name] = string(content)
		return err
	})
	expect.NoError(t, err)
	return files
}
