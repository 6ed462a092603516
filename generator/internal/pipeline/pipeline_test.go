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

// TestRun checks the order of stages, and that none runs after an error.
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
		p.Report(diag.Warningf(diag.Position{File: "b.go"}, "test", "beware"))
		return nil
	})
	fail := stage("fail", func(p *Pass) error {
		p.Report(diag.Errorf(diag.Position{File: "a.go"}, "test", "wrong"))
		return nil
	})
	ours := stage("ours", func(*Pass) error { return errors.New("impossible") })

	source := &load.Source{Model: &model.Model{}}
	output, diags, err := Run(context.Background(), source, Options{}, []Stage{emit, warn, fail, ours})
	if err != nil || !slices.Equal(ran, []string{"emit", "warn", "fail"}) {
		t.Errorf("ran %v: %v", ran, err)
	}
	if !output.Artifacts.Has("a/b.go") || len(diags) != 2 || !diags.HasErrors() {
		t.Errorf("got %v", diags)
	}

	_, _, err = Run(context.Background(), source, Options{}, []Stage{ours})
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
