package incremental

import (
	"context"
	"go/ast"
	"os"
	"path/filepath"
	"reflect"
	"runtime"
	"slices"
	"strings"
	"testing"
	"weak"

	"github.com/mrgen-io/mrgen/generator/diag"
	"github.com/mrgen-io/mrgen/generator/internal/engine"
	"github.com/mrgen-io/mrgen/generator/internal/memory"
	"github.com/mrgen-io/mrgen/generator/internal/pipeline"
	"github.com/mrgen-io/mrgen/generator/internal/stages/deepcopy"
	"github.com/mrgen-io/mrgen/generator/run"
)

func write(t *testing.T, name, content string) {
	t.Helper()
	if err := os.MkdirAll(filepath.Dir(name), 0o755); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(name, []byte(content), 0o600); err != nil {
		t.Fatal(err)
	}
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

// open opens the memory of a run, which must be possible.
func open(t *testing.T, e engine.Engine, o run.Options) *Memory {
	t.Helper()
	m := Open(context.Background(), e, o)
	if m.tree == nil {
		_, diags := e.Settings(o.Dir, o)
		t.Fatalf("the options %+v, or the source have errors: %v", o, diags)
	}
	return m
}

// remember runs, and records the run.
func remember(t *testing.T, e engine.Engine, o run.Options) *Memory {
	t.Helper()
	m := open(t, e, o)
	r, diags, err := m.Evaluate(context.Background())
	if err != nil || diags.HasErrors() {
		t.Fatal(diags, err)
	}
	m.Record(r, diags)()
	return m
}

// TestEveryOptionCounts sets one option at a time, whatever options there are. Runs with others have
// a record of their own, unless nothing that is written depends on it.
func TestEveryOptionCounts(t *testing.T) {
	o := optionsFor(t)
	write(t, o.Dir+"/header.txt", "// Header.\n")
	values := map[string]any{
		"Packages": []string{"./apis/a"}, "ConvertPackages": []string{"./apis/a"}, "HeaderFile": "header.txt", "Versions": run.ReportVersions, "MinKubernetes": "1.32", "ResolverRegistry": "example.org/p/registry",
		"Scopes": []run.ScopePair{{}}, "Dir": "", "CacheDir": t.TempDir(),
	}
	withoutEffect := map[string]bool{"Dir": true, "CacheDir": true, "OnStep": true, "RemoveMoved": true}
	before := open(t, engine.Engine{}, o)
	for i := range reflect.TypeFor[run.Options]().NumField() {
		name, changed := reflect.TypeFor[run.Options]().Field(i).Name, o
		field := reflect.ValueOf(&changed).Elem().Field(i)
		switch value, given := values[name]; {
		case name == "Dir":
			continue // TestRecordsOfCheckouts has it
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
		var after *Memory
		if name == "Scopes" {
			after = Open(context.Background(), engine.Engine{}, changed) // the folders are wrong
			if after.key == "" {
				continue
			}
		} else {
			after = open(t, engine.Engine{}, changed)
		}
		if same := after.key == before.key && after.shared == before.shared; same != withoutEffect[name] {
			t.Errorf("%s: the record is the same: %t, want %t", name, same, withoutEffect[name])
		}
	}
}

// TestStale says what a run looks at after an edit.
func TestStale(t *testing.T) {
	for name, test := range map[string]struct {
		edit func(t *testing.T, o *run.Options)
		all  bool
		want []string
	}{
		"nothing":           {func(*testing.T, *run.Options) {}, false, nil},
		"a package":         {func(t *testing.T, o *run.Options) { write(t, o.Dir+"/apis/a/a.go", packageA+"// So.\n") }, false, []string{"apis/a"}},
		"another import":    {func(t *testing.T, o *run.Options) { write(t, o.Dir+"/apis/b/b.go", "package b\n") }, true, nil},
		"the header":        {func(t *testing.T, o *run.Options) { write(t, o.Dir+"/header.txt", "// Another header.\n") }, true, nil},
		"other options":     {func(_ *testing.T, o *run.Options) { o.MaxDescription = 7 }, true, nil},
		"without memory":    {func(_ *testing.T, o *run.Options) { o.CacheDir = "" }, true, nil},
		"an empty memory":   {func(t *testing.T, o *run.Options) { o.CacheDir = t.TempDir() }, true, nil},
		"another module":    {func(t *testing.T, o *run.Options) { write(t, o.Dir+"/go.mod", "module example.org/q\n\ngo 1.26\n") }, true, nil},
		"a damaged record":  {damage(func(content []byte) []byte { return append(content, ' ') }), true, nil},
		"a truncated one":   {damage(func(content []byte) []byte { return content[:len(content)/2] }), true, nil},
		"an empty one":      {damage(func([]byte) []byte { return nil }), true, nil},
		"the environment":   {func(t *testing.T, _ *run.Options) { t.Setenv("GOFLAGS", "-tags=a") }, true, nil},
		"an unwatched path": {func(_ *testing.T, o *run.Options) { o.Packages = []string{"./apis/testdata"} }, true, nil},
	} {
		t.Run(name, func(t *testing.T) {
			o := optionsFor(t)
			o.HeaderFile = "header.txt"
			write(t, o.Dir+"/header.txt", "// Header.\n")
			first := remember(t, engine.Engine{}, o)
			state := first.State()
			test.edit(t, &o)
			m := Open(context.Background(), engine.Engine{}, o)
			all, stale := m.Stale()
			if all != test.all || !reflect.DeepEqual(stale, test.want) {
				t.Fatalf("looks at %v (all: %t), want %v (all: %t)", stale, all, test.want, test.all)
			}
			if m.IsUpToDate() != (!all && len(stale) == 0) {
				t.Error("up to date it is not")
			}
			if m.IsUpToDate() && m.State() != state {
				t.Error("nothing has changed, and the state has")
			}
			if m.EvaluateAll(); m.IsUpToDate() {
				t.Error("a run is to look at everything, and looks at nothing")
			}
		})
	}
}

func damage(how func([]byte) []byte) func(*testing.T, *run.Options) {
	return func(t *testing.T, o *run.Options) {
		records, err := filepath.Glob(filepath.Join(o.CacheDir, "*"))
		if err != nil || len(records) != 2 {
			t.Fatal(records, err) // for this checkout, and for any other one
		}
		for _, record := range records {
			content, err := os.ReadFile(record)
			if err != nil {
				t.Fatal(err)
			}
			write(t, record, string(how(content)))
		}
	}
}

// TestPartIsWhole runs over what an edit has changed, twice in a row, and compares its record with
// that of a run over all.
func TestPartIsWhole(t *testing.T) {
	defer func(size int) { BatchSize = size }(BatchSize)
	BatchSize = 1
	o := optionsFor(t)
	remember(t, engine.Engine{}, o)
	for _, dir := range []string{"a", "b", "a"} {
		write(t, o.Dir+"/apis/"+dir+"/more.go", "package "+dir+"\n\n// After "+open(t, engine.Engine{}, o).State()+".\n")
		part := remember(t, engine.Engine{}, o)
		if all, stale := part.Stale(); all || len(stale) == 0 {
			t.Fatalf("%s: looks at %v (all: %t), want a part", dir, stale, all)
		}
		if m := open(t, engine.Engine{}, o); !m.IsUpToDate() {
			t.Errorf("%s: a run over a part is not remembered", dir)
		}
		fresh := o
		fresh.CacheDir = t.TempDir()
		part.last.Needed = nil
		whole := remember(t, engine.Engine{}, fresh)
		if whole.last.Needed = nil; part.State() != whole.State() {
			t.Errorf("%s: the records differ:\n%+v\n%+v", dir, part.last, whole.last)
		}
	}
}

// TestEveryWayWarns has warnings that no package of the run has, since they are of what is copied:
// runs over all packages, in batches, and over a part of them say the same.
func TestEveryWayWarns(t *testing.T) {
	defer func(size int) { BatchSize = size }(BatchSize)
	want := diag.Warningf(diag.Position{File: "mrgen.yaml", Line: 1}, "a", "a warning")
	o := optionsFor(t)
	run := func(way string, m *Memory) {
		m.diags = append(m.diags, want)
		_, diags, err := m.Evaluate(context.Background())
		if err != nil || !slices.Contains(diags, want) {
			t.Errorf("a run %s says %v, %v, want a warning", way, diags, err)
		}
	}
	run("over all", open(t, engine.Engine{}, o))
	BatchSize = 1
	run("in batches", open(t, engine.Engine{}, o))
	remember(t, engine.Engine{}, o)
	write(t, o.Dir+"/apis/a/a.go", packageA+"// So.\n")
	m := open(t, engine.Engine{}, o)
	if all, _ := m.Stale(); all {
		t.Fatal("there is no part to run over")
	}
	run("over a part", m)
}

// mistakes are source of package a with errors, each of which is found in another way.
var mistakes = map[string]string{
	"markers": packageA + "\n// A is one.\n// +mrgen:secret:name=\ntype A struct {\n\t// +kubebuilder:validation:MaxLength=many\n\tB string `json:\"b\"`\n}\n",
	"a type":  packageA + "\n// A is one.\ntype A struct {\n\tB Nothing `json:\"b\"`\n}\n",
	"a body":  packageA + "\nfunc a() int { return nothing }\n",
	"syntax":  packageA + "\ntype A struct {\n",
	"imports": packageA + "\nimport _ \"example.org/p/apis/nowhere\"\n",
}

// warned is source of package b with a warning.
const warned = "// Package b is copied deeply.\n//\n// +kubebuilder:object:generate=true\npackage b\n\n// B is one.\n//\n// +mrgen:relaxx=false\ntype B struct{}\n"

// TestErrors has a mistake in a package, and a warning in another one: runs in batches, and those over what
// has changed since the last run say what a run over all says.
func TestErrors(t *testing.T) {
	defer func(size int) { BatchSize = size }(BatchSize)
	evaluate := func(o run.Options) diag.List {
		t.Helper()
		_, diags, err := open(t, engine.Engine{}, o).Evaluate(context.Background())
		if err != nil {
			t.Fatal(err)
		}
		return diags.Sorted()
	}
	for name, source := range mistakes {
		o := optionsFor(t)
		o.MisspeltMarkers = true
		write(t, o.Dir+"/apis/b/b.go", warned)
		BatchSize = 1 // so that a part is less than all
		if m := remember(t, engine.Engine{}, o); len(m.Warnings())+len(evaluate(o)) == 0 {
			t.Fatal("there is no warning")
		}
		write(t, o.Dir+"/apis/a/a.go", source)
		m := open(t, engine.Engine{}, o)
		if all, _ := m.Stale(); all && name != "imports" {
			t.Fatalf("%s: there is no part to run over", name)
		}
		part := evaluate(o)
		fresh := o
		fresh.CacheDir = ""
		batches := evaluate(fresh)
		BatchSize = 1 << 20
		all := evaluate(fresh)
		if !all.HasErrors() && name != "a body" {
			t.Errorf("%s: a run over all says %v, want an error", name, all)
		}
		if !reflect.DeepEqual(part, all) || !reflect.DeepEqual(batches, all) {
			t.Errorf("%s: a run over all says\n%v\none in batches\n%v\nand one over a part\n%v", name, all, batches, part)
		}
	}
}

// namespaced is source of which copying options have copies, with a warning.
const namespaced = "// Package v1 has kinds.\n// +groupName=a.m.example.org\npackage v1\n\nimport xpv2 \"github.com/crossplane/crossplane-runtime/v2/apis/common/v2\"\n\n// BucketSpec is the state.\ntype BucketSpec struct{ xpv2.ManagedResourceSpec }\n"

func setting(text string) run.ScopeSetting {
	return run.ScopeSetting{Text: text, Pos: diag.Position{File: "mrgen.yaml", Line: 1, Column: 1}}
}

// copying returns the options of runs that copy a package to the other scope.
func copying(t *testing.T) run.Options {
	t.Helper()
	o := optionsFor(t)
	o.Scopes = []run.ScopePair{{
		Folders: run.ScopeFolders{From: setting("apis/namespaced"), To: setting("apis/cluster")},
		Groups:  []run.ScopeReplacement{{Old: setting("*.m.example.org"), New: setting("*.example.org")}},
		Replace: []run.ScopeReplacement{{Old: setting("nowhere"), New: setting("here")}},
	}}
	write(t, o.Dir+"/apis/namespaced/v1/bucket.go", namespaced)
	return o
}

// TestCopiesAreRemembered opens a module with copies again and again: what is remembered of them is what
// there would be without a memory, warnings included.
func TestCopiesAreRemembered(t *testing.T) {
	o := copying(t)
	for _, step := range []struct {
		about, content string
		others         func()
	}{
		{"at first", namespaced, func() {}},
		{"after nothing", namespaced, func() {}},
		{"after an edit", namespaced + "\n// More.\n", func() {}},
		{"after an edit that was undone", namespaced, func() {}},
		{"with another group", namespaced, func() { o.Scopes[0].Groups[0].New = setting("*.cluster.example.org") }},
		{"with no warning", namespaced + "\nconst A = `nowhere`\n", func() {}},
		{"with a warning again", namespaced, func() {}},
	} {
		write(t, o.Dir+"/apis/namespaced/v1/bucket.go", step.content)
		step.others()
		for range 2 {
			m := open(t, engine.Engine{}, o)
			got, diags := m.scope.Options.Copies, m.diags
			want, wantDiags := engine.Engine{}.Copies(o.Dir, o, nil)
			if !reflect.DeepEqual(got, want) || !reflect.DeepEqual(diags, wantDiags) {
				t.Errorf("%s: the copies are %v, %v, want %v, %v", step.about, got, diags, want, wantDiags)
			}
			if len(got) != 1 || (len(diags) == 1) != (step.content == namespaced || step.about == "after an edit") {
				t.Errorf("%s: %d copies, and %v", step.about, len(got), diags)
			}
		}
	}
}

// TestCopiesOfAnotherProgram has what another version of mrgen has remembered of copies: they are made
// anew.
func TestCopiesOfAnotherProgram(t *testing.T) {
	o := copying(t)
	want := open(t, engine.Engine{}, o).scope.Options.Copies
	program, _ := memory.Program()
	store, found := memory.Store{Dir: o.CacheDir}, 0
	names, err := filepath.Glob(filepath.Join(o.CacheDir, "*.json"))
	if err != nil {
		t.Fatal(err)
	}
	for _, name := range names {
		key := strings.TrimSuffix(filepath.Base(name), ".json")
		var last copied
		if store.LoadInto(key, &last); last.Fingerprint == "" {
			continue
		}
		found++
		last.Fingerprint, last.Files = strings.ReplaceAll(last.Fingerprint, program, "another program"), nil
		store.Save(last, key)
	}
	if got := open(t, engine.Engine{}, o).scope.Options.Copies; found != 1 || !reflect.DeepEqual(got, want) {
		t.Errorf("of %d records, the copies are %v, want %v", found, got, want)
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
		m := Open(context.Background(), engine.Engine{}, o)
		if all, _ := m.Stale(); !all {
			t.Error("a run that follows a link is remembered")
		}
		r, diags, err := m.Evaluate(context.Background())
		if err != nil {
			t.Fatal(err)
		}
		m.Record(r, diags)()
	}
}

// TestRecordsOfCheckouts has two checkouts, which begin with what one has, and then keep apart, whatever
// another module has.
func TestRecordsOfCheckouts(t *testing.T) {
	o := optionsFor(t)
	remember(t, engine.Engine{}, o)
	other := optionsFor(t)
	other.CacheDir = o.CacheDir
	write(t, other.Dir+"/go.mod", "module example.org/other\n\ngo 1.26\n")
	write(t, other.Dir+"/apis/b/b.go", "package b\n")
	remember(t, engine.Engine{}, other)
	there := o
	there.Dir = t.TempDir()
	if err := os.CopyFS(there.Dir, os.DirFS(o.Dir)); err != nil {
		t.Fatal(err)
	}
	if m := open(t, engine.Engine{}, there); !m.IsUpToDate() {
		t.Error("another checkout begins with nothing")
	}
	write(t, there.Dir+"/apis/a/a.go", packageA+"// There.\n")
	remember(t, engine.Engine{}, there)
	for _, o := range []run.Options{o, there} {
		if m := open(t, engine.Engine{}, o); !m.IsUpToDate() {
			t.Error("a checkout has lost its record to another one")
		}
	}
}

// TestNothingIsRemembered has runs without records.
func TestNothingIsRemembered(t *testing.T) {
	o := optionsFor(t)
	for name, change := range map[string]func(*run.Options){
		"no folder":   func(o *run.Options) { o.CacheDir = "" },
		"no module":   func(o *run.Options) { o.Dir = os.TempDir() + "/nothing" },
		"bad options": func(o *run.Options) { o.MinKubernetes = "old" },
		"a bad path":  func(o *run.Options) { o.Packages = []string{"../elsewhere"} },
	} {
		changed := o
		change(&changed)
		m := Open(context.Background(), engine.Engine{}, changed)
		if all, _ := m.Stale(); !all || m.records || m.State() != "" {
			t.Errorf("%s: the run is recorded", name)
		}
		m.Keep("name", "value")
		if value := ""; m.Recall("name", &value) {
			t.Errorf("%s: %q is kept", name, value)
		}
		m.Record(engine.Run{}, nil)()
	}
	m := open(t, engine.Engine{}, o)
	m.Keep("name", "value")
	if value := ""; !m.Recall("name", &value) || value != "value" {
		t.Errorf("%q is kept, want value", value)
	}
	// What was recorded goes when a run can't be recorded.
	remember(t, engine.Engine{}, o)
	m = open(t, engine.Engine{}, o)
	m.EvaluateAll()
	r, _, err := m.Evaluate(context.Background())
	if err != nil {
		t.Fatal(err)
	}
	m.log.MarkUnreliable()
	m.Record(r, nil)()
	if m.State() != "" || (memory.Store{Dir: o.CacheDir}).Load(m.key) != nil || (memory.Store{Dir: o.CacheDir}).Load(m.shared) != nil {
		t.Error("an old record is left of a run that can't be recorded")
	}
}

// TestUnwatched says which patterns name folders that no wildcard covers.
func TestUnwatched(t *testing.T) {
	for pattern, want := range map[string]bool{
		"./...": false, "./apis/...": false, "..": false, ".": false, "./apis/a": false, "./testdata/a": true, "./apis/_a": true, "./apis/.a/...": true, "/apis": true,
		"./apis/vendor": true, "./apis/a.b": false,
	} {
		if got := isUnwatched(pattern); got != want {
			t.Errorf("%s is unwatched: %t, want %t", pattern, got, want)
		}
	}
}

// TestBatchesAreForgotten has the garbage collector find nothing of a batch in later ones: what is left would be
// looked through again and again.
func TestBatchesAreForgotten(t *testing.T) {
	defer func(size, processors int) {
		BatchSize = size
		runtime.GOMAXPROCS(processors)
	}(BatchSize, runtime.GOMAXPROCS(1)) // one batch after the other
	BatchSize = 1
	o := optionsFor(t)
	for _, name := range []string{"c", "d", "e"} {
		write(t, o.Dir+"/apis/"+name+"/types.go", strings.ReplaceAll(packageA, "package a", "package "+name)+"\n// T is copied.\ntype T struct{ Fields []U }\n\n// U is copied.\ntype U struct{ Name *string }\n")
	}
	batches := map[string][]weak.Pointer[ast.File]{}
	look := pipeline.Stage{Name: "look", Doc: "Looks at earlier batches.", Run: func(_ context.Context, p *pipeline.Pass) error {
		runtime.GC()
		for unit, files := range batches {
			if slices.ContainsFunc(files, func(file weak.Pointer[ast.File]) bool { return file.Value() != nil }) {
				t.Errorf("there is syntax of %s in memory when stages run on %s", unit, p.Options.Unit)
			}
		}
		for _, pkg := range p.Source.Packages {
			for _, file := range pkg.Syntax {
				batches[p.Options.Unit] = append(batches[p.Options.Unit], weak.Make(file))
			}
		}
		return nil
	}}
	_, diags, err := open(t, engine.Engine{Stages: []pipeline.Stage{deepcopy.Stage, look}}, o).Evaluate(t.Context())
	if err != nil || diags.HasErrors() || len(batches) < 4 {
		t.Errorf("%d batches, error %v, and %v", len(batches), err, diags)
	}
}
