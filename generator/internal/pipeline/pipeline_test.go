package pipeline

import (
	"context"
	"errors"
	"slices"
	"testing"

	"github.com/mrgen-io/mrgen/generator/internal/diag"
	"github.com/mrgen-io/mrgen/generator/internal/load"
	"github.com/mrgen-io/mrgen/generator/internal/model"
)

func nothing(context.Context, *Pass) error { return nil }

func TestValidate(t *testing.T) {
	good := Stage{Name: "good", Doc: "Writes nothing.", GoFiles: []string{"a.go"}, Run: nothing}
	for _, test := range []struct {
		name   string
		stages []Stage
		want   string
	}{
		{"good", []Stage{good, {Name: "other", Doc: "Writes less.", GoFiles: []string{"b.go"}, Run: nothing}}, ""},
		{"no name", []Stage{{Doc: "Writes.", Run: nothing}}, `stage "": the name must be in lower case`},
		{"upper case", []Stage{{Name: "CRD", Doc: "Writes.", Run: nothing}}, `stage "CRD": the name must be in lower case`},
		{"twice", []Stage{good, good}, "stage good is listed twice"},
		{"no documentation", []Stage{{Name: "a", Run: nothing}}, "stage a: the documentation must be a sentence"},
		{"no function", []Stage{{Name: "a", Doc: "Writes."}}, "stage a has no Run function"},
		{"one file", []Stage{good, {Name: "b", Doc: "Writes.", GoFiles: []string{"a.go"}, Run: nothing}}, "stages good and b both write a.go"},
	} {
		got := ""
		if err := Validate(test.stages); err != nil {
			got = err.Error()
		}
		if got != test.want {
			t.Errorf("%s: got %q, want %q", test.name, got, test.want)
		}
	}
}

// TestRun checks the order of stages, and which of them run after an error.
func TestRun(t *testing.T) {
	var ran []string
	stage := func(name string, run func(*Pass) error) Stage {
		return Stage{Name: name, Doc: "Writes.", Run: func(_ context.Context, p *Pass) error {
			ran = append(ran, name)
			return run(p)
		}}
	}
	emit := stage("emit", func(p *Pass) error { return p.Emit("a/b.go", []byte("package b\n")) })
	warn := stage("warn", func(p *Pass) error {
		p.Report(diag.Warningf(diag.Position{File: "b.go", Line: 1}, "test", "beware"))
		return nil
	})
	fail := stage("fail", func(p *Pass) error {
		if p.Failed() {
			t.Error("the stage has failed before it reports an error")
		}
		p.Report(diag.Errorf(diag.Position{File: "a.go", Line: 1, Column: 2}, "test", "wrong"))
		return nil
	})
	again := stage("again", func(p *Pass) error {
		if p.Failed() {
			t.Error("the stage has failed, since another one has")
		}
		p.Report(
			diag.Errorf(diag.Position{File: "a.go", Line: 1, Column: 7}, "test", "wrong, too"),
			diag.Warningf(diag.Position{File: "a.go", Line: 1}, "test", "beware"),
			diag.Errorf(diag.Position{File: "a.go", Line: 2}, "test", "also wrong"),
		)
		return nil
	})
	needs := stage("needs", func(*Pass) error { return nil })
	needs.NeedsDefinitions = true
	defines := again
	defines.Defines = true
	declares := fail
	declares.DeclaresTypes = true
	ours := stage("ours", func(*Pass) error { return errors.New("impossible") })

	for _, test := range []struct {
		name          string
		stages        []Stage
		ran, problems []string
	}{
		{"stages that need nothing of each other", []Stage{emit, warn, fail, again, needs}, []string{"emit", "warn", "fail", "again", "needs"},
			[]string{"b.go:1: warning: beware", "a.go:1:2: wrong", "a.go:1: warning: beware", "a.go:2: also wrong"}},
		{"no definitions", []Stage{emit, defines, needs, fail}, []string{"emit", "again", "fail"},
			[]string{"a.go:1:7: wrong, too", "a.go:1: warning: beware", "a.go:2: also wrong"}},
		{"no types", []Stage{emit, declares, again}, []string{"emit", "fail"}, []string{"a.go:1:2: wrong"}},
	} {
		ran = nil
		source := &load.Source{Model: &model.Model{}}
		output, diags, err := Run(context.Background(), source, Options{}, test.stages)
		if err != nil || !slices.Equal(ran, test.ran) {
			t.Errorf("%s: ran %v: %v", test.name, ran, err)
		}
		var problems []string
		for _, d := range diags {
			problems = append(problems, d.String())
		}
		if !output.Artifacts.Has("a/b.go") || !slices.Equal(problems, test.problems) {
			t.Errorf("%s: got %q", test.name, problems)
		}
	}

	source := &load.Source{Model: &model.Model{}}
	_, _, err := Run(context.Background(), source, Options{}, []Stage{ours})
	if err == nil || err.Error() != "stage ours: impossible" {
		t.Errorf("got %v", err)
	}
	if _, _, err := Run(context.Background(), source, Options{}, []Stage{emit, emit}); err == nil {
		t.Error("two artifacts with one path are accepted")
	}

	cancelled, cancel := context.WithCancel(context.Background())
	cancel()
	if _, _, err := Run(cancelled, source, Options{}, []Stage{emit}); !errors.Is(err, context.Canceled) {
		t.Errorf("got %v", err)
	}
}

// TestCauses drops errors in what stages have written if there are others, and else says
// that they are mistakes of mrgen.
func TestCauses(t *testing.T) {
	author := diag.Errorf(diag.Position{File: "a/types.go", Line: 1}, "test", "wrong")
	follows := diag.Errorf(diag.Position{File: "a/zz_generated.a.go", Line: 1}, "test", "wrong")
	warning := diag.Warningf(diag.Position{File: "a/zz_generated.a.go", Line: 1}, "test", "beware")
	outputs := []string{"zz_generated.a.go"}
	if got := causes(diag.List{follows, author, warning}, outputs); !slices.Equal(got, diag.List{author, warning}) {
		t.Errorf("got %v", got)
	}
	const want = "a/zz_generated.a.go:1: internal error: the generated source is wrong: wrong: please report it at https://github.com/mrgen-io/mrgen/issues"
	if got := causes(diag.List{warning, follows}, outputs); len(got) != 2 || got[1].String() != want {
		t.Errorf("got %v", got)
	}
}
