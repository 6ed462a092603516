package stage

import (
	"context"
	"errors"
	"slices"
	"testing"

	"github.com/mrgen-io/mrgen/generator/diag"
	"github.com/mrgen-io/mrgen/generator/internal/artifact"
	"github.com/mrgen-io/mrgen/generator/internal/flavor"
	"github.com/mrgen-io/mrgen/generator/internal/model"
	"github.com/mrgen-io/mrgen/generator/internal/source/apitypes"
	"github.com/mrgen-io/mrgen/testdata/expect"
)

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
		expect.True(t, !p.Failed(), "the stage has failed before it reports an error")
		p.Report(diag.Errorf(diag.Position{File: "a.go", Line: 1, Column: 2}, "test", "wrong"))
		return nil
	})
	again := stage("again", func(p *Pass) error {
		expect.True(t, !p.Failed(), "the stage has failed, since another one has")
		p.Report(
			diag.Errorf(diag.Position{File: "a.go", Line: 1, Column: 7}, "test", "wrong, too"),
			diag.Warningf(diag.Position{File: "a.go", Line: 1}, "test", "beware"),
			diag.Errorf(diag.Position{File: "a.go", Line: 2}, "test", "also wrong"),
		)
		return nil
	})
	needs := stage("needs", func(p *Pass) error {
		expect.True(t, len(p.Definitions) == 1, "got %v", p.Definitions)
		return nil
	})
	needs.ReadsDefinitions = true
	defines := stage("defines", func(p *Pass) error {
		p.Definitions = Definitions{{}}
		return nil
	})
	fails := stage("fails", func(p *Pass) error {
		p.Report(diag.Errorf(diag.Position{File: "a.go", Line: 3}, "test", "no definition"))
		return nil
	})
	declares := fail
	declares.GoFiles = []GoFile{{Name: "c.go"}}
	declares.Declares = func(*model.Model) []flavor.TypeName { return nil }
	ours := stage("ours", func(*Pass) error { return errors.New("impossible") })

	for _, test := range []struct {
		name          string
		stages        []Stage
		ran, problems []string
	}{
		{"stages that need nothing of each other", []Stage{emit, defines, warn, fail, again, needs}, []string{"emit", "defines", "warn", "fail", "again", "needs"},
			[]string{"b.go:1: warning: beware", "a.go:1:2: wrong", "a.go:1: warning: beware", "a.go:2: also wrong"}},
		{"no definitions", []Stage{emit, fails, needs, fail}, []string{"emit", "fails", "fail"}, []string{"a.go:3: no definition", "a.go:1:2: wrong"}},
		{"no types", []Stage{emit, declares, again}, []string{"emit", "fail"}, []string{"a.go:1:2: wrong"}},
	} {
		ran = nil
		source := &apitypes.Source{Model: &model.Model{}}
		output, diags, err := Run(context.Background(), source, Options{}, test.stages)
		expect.True(t, err == nil && slices.Equal(ran, test.ran), "%s: ran %v: %v", test.name, ran, err)
		problems := expect.Strings(diags)
		expect.True(t, output.Artifacts.Has("a/b.go") && slices.Equal(problems, test.problems), "%s: got %q", test.name, problems)
	}

	source := &apitypes.Source{Model: &model.Model{}}
	_, _, err := Run(context.Background(), source, Options{}, []Stage{ours})
	expect.True(t, err != nil && err.Error() == "stage ours: impossible", "got %v", err)
	_, _, err = Run(context.Background(), source, Options{}, []Stage{emit, emit})
	expect.True(t, err != nil, "two artifacts with one path are accepted")

	cancelled, cancel := context.WithCancel(context.Background())
	cancel()
	_, _, err = Run(cancelled, source, Options{}, []Stage{emit})
	expect.True(t, errors.Is(err, context.Canceled), "got %v", err)
}

// TestCauses drops errors in what stages have written if there are others, and else says
// that they are mistakes of mrgen.
func TestCauses(t *testing.T) {
	author := diag.Errorf(diag.Position{File: "a/types.go", Line: 1}, "test", "wrong")
	follows := diag.Errorf(diag.Position{File: "a/zz_generated.a.go", Line: 1}, "test", "wrong")
	warning := diag.Warningf(diag.Position{File: "a/zz_generated.a.go", Line: 1}, "test", "beware")
	byHand := diag.Errorf(diag.Position{File: "b/zz_generated.a.go", Line: 1}, "test", "wrong")
	outputs := &artifact.Set{}
	expect.NoError(t, outputs.Add("a/zz_generated.a.go", nil))
	expect.Equal(t, diag.List{byHand}, causes(diag.List{byHand}, outputs))
	expect.Equal(t, diag.List{author, warning}, causes(diag.List{follows, author, warning}, outputs))
	const want = "a/zz_generated.a.go:1: internal error: the generated source is wrong: wrong: please report it at https://github.com/mrgen-io/mrgen/issues"
	got := causes(diag.List{warning, follows}, outputs)
	expect.True(t, len(got) == 2 && got[1].String() == want, "got %v", got)
}
