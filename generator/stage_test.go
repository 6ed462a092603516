package generator_test

import (
	"context"
	"fmt"
	"math/rand/v2"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/mrgen-io/mrgen/generator"
	"github.com/mrgen-io/mrgen/generator/diag"
	"github.com/mrgen-io/mrgen/generator/internal/budget"
	"github.com/mrgen-io/mrgen/generator/internal/testmodule"
	"github.com/mrgen-io/mrgen/generator/internal/testprovider"
	"github.com/mrgen-io/mrgen/generator/stage"
)

// TestLibrary builds a program of another module, which adds a stage, and runs it on a provider.
// What the stage writes is in testdata/library/want. It takes a large budget.
func TestLibrary(t *testing.T) {
	needsLargeBudget(t)
	t.Parallel()
	const module = "../testdata/library"
	tree := testmodule.ReadTree(t, module)
	program := filepath.Join(t.TempDir(), "library")
	goCommand(t, module, "build", "-ldflags=-s -w", "-o", program, ".")
	goCommand(t, module, "vet", "./...")
	dir := t.TempDir()
	before := testmodule.ReadTree(t, "../testdata/provider-runtime-v2")
	testmodule.WriteTree(t, dir, before)
	cache := t.TempDir()
	runProgram := func() string {
		t.Helper()
		cmd := exec.Command(program, "-cache", cache)
		cmd.Dir = dir
		output, err := cmd.CombinedOutput()
		if err != nil {
			t.Fatalf("%v\n%s", err, output)
		}
		return string(output)
	}
	got := map[string][]byte{"output": []byte(runProgram())}
	if again := runProgram(); again != "" {
		t.Errorf("a second run says %q", again)
	}
	for name, content := range testmodule.ReadTree(t, dir) {
		if before[name] == nil {
			got[name] = content
		}
	}
	want := map[string][]byte{}
	for name, content := range tree {
		if name, found := strings.CutPrefix(name, testmodule.Want); found {
			want[name] = content
		}
	}
	if *testmodule.Update {
		testmodule.WriteTree(t, filepath.Join(module, testmodule.Want), got)
	} else if diff := testprovider.Diff(want, got); diff != "" {
		t.Errorf("-want +got:\n%s", diff)
	}
}

// listing is a stage that lists all kinds in each package and in one document. It counts how often it has
// all packages.
func listing(runs *int, version, title string) stage.Stage {
	return stage.Stage{
		Name: "listing", Doc: "Lists kinds.", Version: version, GoFiles: []string{"zz_generated.listing.go"}, Folder: "package/listing", Definitions: true,
		Run: func(_ context.Context, model *stage.Model) (stage.Output, error) {
			var output stage.Output
			for _, p := range model.Packages {
				output.Files = append(output.Files, stage.File{
					Path: p.Dir + "/zz_generated.listing.go", Content: fmt.Appendf(nil, "package %s\nconst Kinds=%d", p.Name, len(p.Kinds)),
				})
			}
			return output, nil
		},
		Finish: func(_ context.Context, model *stage.Model) (stage.Output, error) {
			*runs++
			text := "# " + title + "\n"
			for _, p := range model.Packages {
				for _, k := range p.Kinds {
					text += fmt.Sprintf("%s.%s: %s, %d versions, %s\n", k.Name, p.Version, k.Definition.Name, len(k.Definition.Spec.Versions), k.Role)
				}
			}
			return stage.Output{Files: []stage.File{{Path: "package/listing/all.yaml", Content: []byte(text)}}}, nil
		},
	}
}

// TestStagesAreRemembered holds that a run with stages of other programs is remembered if all of
// them have a version, and that another version of a stage has it run again.
func TestStagesAreRemembered(t *testing.T) {
	t.Parallel()
	o := newWorkshop(t).options
	o.CacheDir = t.TempDir()
	runs := 0
	for _, step := range []struct {
		version, title string
		runs           int
		changes        bool
	}{
		{"1", "Kinds", 1, true},
		{"1", "Kinds", 0, false},
		{"2", "All kinds", 1, true},
		{"2", "All kinds", 0, false},
		{"", "Kinds", 1, true},
		{"", "Kinds", 1, false},
		{"2", "All kinds", 1, true},
	} {
		runs, o.Stages = 0, []stage.Stage{listing(&runs, step.version, step.title)}
		changed := testprovider.Generate(t, o).Changes()
		if runs != step.runs || len(changed) > 0 != step.changes {
			t.Errorf("version %q: %d runs and %d changes, want %d and %v", step.version, runs, len(changed), step.runs, step.changes)
		}
		runs, o.Stages = 0, []stage.Stage{listing(&runs, step.version, step.title)}
		testprovider.Apply(t, o)
	}
	o.Stages = nil
	if changed := testprovider.Generate(t, o).Changes(); len(changed) == 0 {
		t.Error("without the stage, its files stay")
	}
}

// TestStagesWithMemory makes edits at random, and compares runs with a stage of another program that
// remember earlier ones with runs that don't, see [TestMemory].
func TestStagesWithMemory(t *testing.T) {
	w, runs := newPreparedWorkshop(t, nil), 0
	w.options.Stages = []stage.Stage{listing(&runs, "1", "Kinds")}
	testEdits(t, w, rand.New(rand.NewPCG(6, 7)), budget.Of(3, 15))
}

// TestStagesSeeAll holds that the second half of a stage of another program has all packages at once, in a large
// provider too, of which only a part has changed.
func TestStagesSeeAll(t *testing.T) {
	defer generator.SetBatchSize(1)()
	w, runs := newWorkshop(t), 0
	o := w.options
	o.CacheDir = t.TempDir()
	o.Stages = []stage.Stage{listing(&runs, "1", "Kinds")}
	testprovider.Apply(t, o)
	want := testmodule.Read(t, w.file("package/listing/all.yaml"))
	for _, kind := range []string{"Alpha.v1", "Alpha.v2", "Beta.v1", "Gamma.v1", "Delta.v1"} {
		if !strings.Contains(string(want), kind) {
			t.Errorf("the stage doesn't see %s", kind)
		}
	}
	w.append("apis/d/v1/delta.go", "\t// +optional\n\tColor *string `json:\"color,omitempty\"`", "type DeltaParameters struct {")
	testprovider.Apply(t, o)
	if got := testmodule.Read(t, w.file("package/listing/all.yaml")); string(got) != string(want) {
		t.Errorf("-before +after an edit of one package:\n%s", cmp.Diff(string(want), string(got)))
	}
}

// grouping is a stage that lists the kinds of each group in a document of its own. It notes the
// packages of each run.
func grouping(runs *[]string) stage.Stage {
	return stage.Stage{
		Name: "grouping", Doc: "Lists kinds.", Version: "1", GoFiles: []string{"zz_generated.grouping.go"}, Folder: "package/listing", Definitions: true,
		Run: func(_ context.Context, model *stage.Model) (stage.Output, error) {
			var output stage.Output
			var seen, groups []string
			texts, folders := map[string]string{}, map[string][]string{}
			for _, p := range model.Packages {
				seen = append(seen, p.Dir)
				if p.Group == "" {
					continue
				}
				groups = append(groups, p.Group)
				folders[p.Group] = append(folders[p.Group], p.Dir)
				for _, k := range p.Kinds {
					texts[p.Group] += fmt.Sprintf("%s.%s: %s, %d versions\n", k.Name, p.Version, k.Definition.Name, len(k.Definition.Spec.Versions))
					output.Diagnostics = append(output.Diagnostics, diag.Diagnostic{Pos: k.Type.Pos, Severity: diag.Warning, Code: "seen", Message: "seen with " + strings.Join(folders[p.Group], ", ")})
				}
				output.Files = append(output.Files, stage.File{
					Path: p.Dir + "/zz_generated.grouping.go", Content: fmt.Appendf(nil, "package %s\nconst Kinds=%d", p.Name, len(p.Kinds)),
				})
			}
			slices.Sort(groups)
			for _, group := range slices.Compact(groups) {
				output.Files = append(output.Files, stage.File{Path: "package/listing/" + group + ".yaml", Content: []byte(texts[group]), From: folders[group]})
			}
			*runs = append(*runs, strings.Join(seen, " "))
			return output, nil
		},
	}
}

// TestStagesByGroup holds that a stage without a second half sees one batch of a large provider after the
// other, and after an edit what has changed, and makes the same of them as of all packages at once, see
// [TestMemory].
func TestStagesByGroup(t *testing.T) {
	var runs []string
	for name, prepare := range map[string]func(*workshop){"packages": nil, "registry": entangled} {
		w := newPreparedWorkshop(t, prepare)
		w.options.Stages = []stage.Stage{grouping(&runs)}
		t.Run(name, func(t *testing.T) { testEdits(t, w, rand.New(rand.NewPCG(8, 9)), budget.Of(3, 15)) })
	}

	defer generator.SetBatchSize(1)()
	w := newPreparedWorkshop(t, nil)
	w.options.Stages = []stage.Stage{grouping(&runs)}
	for _, step := range []struct {
		edit func()
		want []string
	}{
		{func() {}, []string{"", "apis/a/v1 apis/a/v2", "apis/b/v1", "apis/c/v1", "apis/d/v1 apis/shared", ""}},
		{func() {}, nil},
		{func() { w.append("apis/d/v1/delta.go", "\t// It is here.", "// Region is where it is.") }, []string{"apis/d/v1 apis/shared"}},
	} {
		step.edit()
		runs = nil
		if diags, err := result(t, w.options, 1).Apply(context.Background()); err != nil || len(diags) > 0 {
			t.Fatal(err, diags)
		}
		slices.Sort(runs) // groups are worked on side by side
		slices.Sort(step.want)
		if diff := cmp.Diff(step.want, runs); diff != "" {
			t.Errorf("packages of each run (-want +got):\n%s", diff)
		}
	}
}

// TestStagesOverSomePackages holds that a document stays as it is if it is also about packages that
// the patterns leave out.
func TestStagesOverSomePackages(t *testing.T) {
	t.Parallel()
	w, runs := newWorkshop(t), 0
	o := w.options
	o.Stages = []stage.Stage{listing(&runs, "1", "Kinds")}
	testprovider.Apply(t, o)
	want := testmodule.Read(t, w.file("package/listing/all.yaml"))
	o.Packages = []string{"./apis/d/..."}
	result, err := generator.Generate(context.Background(), o)
	if err != nil {
		t.Fatal(err)
	}
	if len(result.Diagnostics) != 1 || result.Diagnostics[0].String() != "package/listing/all.yaml: warning: the file stays as it is, since it is also about the package in apis/a/v1, which the patterns leave out: generate all packages" {
		t.Errorf("diagnostics: %v", result.Diagnostics)
	}
	if _, err := result.Apply(context.Background()); err != nil {
		t.Fatal(err)
	}
	if got := testmodule.Read(t, w.file("package/listing/all.yaml")); string(got) != string(want) {
		t.Error("the document has changed")
	}
}

// TestStaleFilesOfStages holds that files which a stage doesn't write any more are deleted.
func TestStaleFilesOfStages(t *testing.T) {
	t.Parallel()
	w, runs := newWorkshop(t), 0
	o := w.options
	lists := listing(&runs, "1", "Kinds")
	o.Stages = []stage.Stage{lists}
	testprovider.Apply(t, o)
	lists.Run = func(context.Context, *stage.Model) (stage.Output, error) {
		return stage.Output{}, nil
	}
	lists.Finish = nil
	o.Stages = []stage.Stage{lists}
	testprovider.Apply(t, o)
	for name := range testmodule.ReadTree(t, o.Dir) {
		if strings.Contains(name, "listing") {
			t.Errorf("%s is still there", name)
		}
	}
}

// TestWrongStages holds what mrgen says of stages that it can't run, and of what they must not write.
func TestWrongStages(t *testing.T) {
	t.Parallel()
	o := newWorkshop(t).options
	files := func(file stage.File) func(*stage.Stage) {
		return func(s *stage.Stage) {
			s.Run = func(context.Context, *stage.Model) (stage.Output, error) {
				return stage.Output{Files: []stage.File{file}}, nil
			}
		}
	}
	finished := func(file stage.File) func(*stage.Stage) {
		return func(s *stage.Stage) { files(file)(s); s.Run, s.Finish = nil, s.Run }
	}
	const undeclared = ": the stage doesn't say that it writes this file, see Stage.GoFiles and Stage.Folder"
	const notOne = ": StageFile.From has packages of 0 API groups: name those of the one that the document is about, or write it in Stage.Finish"
	for want, change := range map[string]func(*stage.Stage){
		`stage "Listing": the name must be in lower case`:     func(s *stage.Stage) { s.Name = "Listing" },
		"stage crd is listed twice":                           func(s *stage.Stage) { s.Name = "crd" },
		"stage listing: the documentation must be a sentence": func(s *stage.Stage) { s.Doc = "" },
		"stage listing has no Run function":                   func(s *stage.Stage) { s.Run, s.Finish = nil, nil },
		"stages deepcopy and listing both write zz_generated.deepcopy.go": func(s *stage.Stage) {
			s.GoFiles = []string{"zz_generated.deepcopy.go"}
		},
		"stage listing: the name types.go must begin with zz_generated., so that no author has such a file": func(s *stage.Stage) {
			s.GoFiles = []string{"types.go"}
		},
		"../out: the path is not inside the module; give a path relative to the module root that stays below it": func(s *stage.Stage) {
			s.Folder = "../out"
		},
		"stage listing: apis/a/v1/alpha.go" + undeclared:               files(stage.File{Path: "apis/a/v1/alpha.go"}),
		"stage listing: internal/zz_generated.listing.go" + undeclared: files(stage.File{Path: "internal/zz_generated.listing.go"}),
		"stage listing: package/listing/a.txt" + undeclared:            files(stage.File{Path: "package/listing/a.txt"}),
		"stage listing: package/listing/below/a.yaml" + undeclared:     files(stage.File{Path: "package/listing/below/a.yaml"}),
		"stage listing: package/crds/a.yaml" + undeclared:              files(stage.File{Path: "package/crds/a.yaml"}),
		"stage listing: apis/a/v1/zz_generated.listing.go: 3:1: expected 'package', found oops": files(stage.File{
			Path: "apis/a/v1/zz_generated.listing.go", Content: []byte("oops"),
		}),
		"apis/a/v1/zz_generated.listing.go: what the stage listing would write does not compile, in line 5: undefined: Oops: correct the stage": files(stage.File{
			Path: "apis/a/v1/zz_generated.listing.go", Content: []byte("package v1\nvar _ = Oops"),
		}),
		"apis/a/v1/alpha.go:3: no": func(s *stage.Stage) {
			s.Run = func(context.Context, *stage.Model) (stage.Output, error) {
				return stage.Output{Diagnostics: diag.List{{Pos: diag.Position{File: "apis/a/v1/alpha.go", Line: 3}, Message: "no"}}}, nil
			}
		},
		"stage listing: package/listing/all.yaml" + notOne: func(s *stage.Stage) { s.Run = s.Finish },
		"stage listing: package/listing/two.yaml" + strings.Replace(notOne, "0", "2", 1): func(s *stage.Stage) {
			files(stage.File{Path: "package/listing/two.yaml", From: []string{"apis/a/v1", "apis/b/v1"}})(s)
		},
		"stage listing: it broke": func(s *stage.Stage) {
			s.Run = func(context.Context, *stage.Model) (stage.Output, error) {
				return stage.Output{}, fmt.Errorf("it broke")
			}
		},
		"stage listing: it broke at the end": func(s *stage.Stage) {
			s.Finish = func(context.Context, *stage.Model) (stage.Output, error) {
				return stage.Output{}, fmt.Errorf("it broke at the end")
			}
		},
		"apis/a/v1/alpha.go:3: no, at the end": func(s *stage.Stage) {
			s.Finish = func(context.Context, *stage.Model) (stage.Output, error) {
				return stage.Output{Diagnostics: diag.List{{Pos: diag.Position{File: "apis/a/v1/alpha.go", Line: 3}, Message: "no, at the end"}}}, nil
			}
		},
		"stage listing: package/listing/b.txt" + undeclared: finished(stage.File{Path: "package/listing/b.txt"}),
		"stage listing: apis/a/v1/zz_generated.listing.go: Stage.Finish writes no Go files, which are checked to compile before: write this one in Stage.Run": finished(stage.File{
			Path: "apis/a/v1/zz_generated.listing.go", Content: []byte("package v1"),
		}),
	} {
		runs := 0
		wrong := listing(&runs, "1", "Kinds")
		change(&wrong)
		o.Stages = []stage.Stage{wrong}
		result, err := generator.Generate(context.Background(), o)
		var got []string
		for _, d := range result.Diagnostics {
			got = append(got, d.String())
		}
		if err != nil {
			got = append(got, err.Error())
		}
		if diff := cmp.Diff([]string{want}, got); diff != "" {
			t.Errorf("-want +got:\n%s", diff)
		}
		if len(result.Changes()) > 0 {
			t.Errorf("%s: there are changes", want)
		}
	}
}

// TestModelOfStages holds what a stage sees of a kind.
func TestModelOfStages(t *testing.T) {
	t.Parallel()
	w := newWorkshop(t)
	o := w.options
	seen := false
	o.Stages = []stage.Stage{{
		Name: "look", Doc: "Looks.",
		Run: func(_ context.Context, model *stage.Model) (stage.Output, error) {
			i := slices.IndexFunc(model.Packages, func(p *stage.Package) bool { return p.Dir == "apis/b/v1" })
			p := model.Packages[i]
			k := p.Kinds[0]
			region, other := k.Type.Field("spec").Type.Field("forProvider").Type.Field("region"), k.Type.Field("spec").Type.Field("forProvider").Type.Field("other")
			observed := k.Type.Field("status").Type.Field("atProvider").Type
			got := []any{
				p.Path, p.Group, p.Version, p.Markers[0].Text, k.Name, k.Role, k.Namespaced, k.Definition == nil, k.Type.Doc, k.Type.Pos.File,
				region.Doc, region.Required, region.Markers[0].Text, region.Type.Form, region.Type.Basic, region.Pos.Line,
				other.Type.Form, other.Type.Elem.Name, other.Required, observed.Name, observed.Field("region") != nil, k.Type.Field("metadata").Type.Name,
			}
			want := []any{
				"example.org/provider/apis/b/v1", "b.example.org", "v1", "kubebuilder:object:generate=true", "Beta", stage.RoleManaged, true, true, "Beta is a kind.", "apis/b/v1/beta.go",
				"Region is where it is.", true, "mrgen:identifier", stage.BasicType, "string", 16,
				stage.PointerType, "string", false, "BetaObservation", true, "ObjectMeta",
			}
			if diff := cmp.Diff(want, got); diff != "" {
				t.Errorf("-want +got:\n%s", diff)
			}
			seen = true
			return stage.Output{}, nil
		},
	}}
	testprovider.Generate(t, o)
	if !seen {
		t.Error("the stage didn't run")
	}
}
