package pipeline

import (
	"context"
	"fmt"
	"reflect"
	"slices"

	"github.com/mrgen-io/mrgen/generator/diag"
	"github.com/mrgen-io/mrgen/generator/internal/sdk"
)

// A Whole gives the second half of a stage what the first has kept of all units, and takes its output.
type Whole struct {
	Options Options
	// Root is the folder of the module, and Covers reports whether the patterns of the run cover a folder.
	Root   string
	Covers func(dir string) bool
	// Mappings say which fields of kinds go to an SDK, and come from it.
	Mappings []sdk.Mapping

	stage  Stage
	output *Output
	diags  diag.List
}

// A keptValue is what the first half of a stage has kept of a unit.
type keptValue struct {
	stage string
	value any
}

// Keep keeps something of the unit for the second half of the stage. Its type must be that in [Stage.Kept].
// It should not refer to the source or the model of the unit, which then stay in memory.
func Keep[T any](p *Pass, value T) {
	if typ := reflect.TypeFor[T](); p.stage.Kept != typ {
		panic(fmt.Sprintf("stage %s keeps %v, and doesn't say so", p.stage.Name, typ))
	}
	p.kept = append(p.kept, keptValue{p.stage.Name, value})
}

// Kept returns what the first half of the stage has kept of all units, which may be in any order.
func Kept[T any](w *Whole) []T { return keptBy[T](w.stage, w.output) }

func keptBy[T any](s Stage, output *Output) []T {
	var all []T
	for _, k := range output.Kept {
		if k.stage == s.Name {
			all = append(all, k.value.(T))
		}
	}
	return all
}

// Report adds diagnostics.
func (w *Whole) Report(diags ...diag.Diagnostic) { w.diags = append(w.diags, diags...) }

// Emit adds an artifact, as [Pass.Emit] does.
func (w *Whole) Emit(path string, content []byte) error { return w.output.Artifacts.Add(path, content) }

// Leave has the files in a folder for documents stay as they are, whether the run writes them or not.
func (w *Whole) Leave(folder string) { w.output.Left = append(w.output.Left, folder) }

// Finishes reports whether one of the stages has a second half, which needs all units.
func Finishes(stages []Stage) bool {
	return slices.ContainsFunc(stages, func(s Stage) bool { return s.Finish != nil })
}

// Finish runs the second halves of stages on the output of all units, in order.
func Finish(ctx context.Context, stages []Stage, output *Output, whole Whole) (diag.List, error) {
	var diags diag.List
	for _, s := range stages {
		if s.Finish == nil {
			continue
		}
		if err := ctx.Err(); err != nil {
			return diags, err
		}
		w := whole
		w.stage, w.output = s, output
		end := whole.Options.Begin(s.Name, "")
		err := s.Finish(ctx, &w)
		end()
		if diags = append(diags, w.diags...); err != nil {
			return diags, fmt.Errorf("stage %s: %w", s.Name, err)
		}
	}
	return diags, nil
}
