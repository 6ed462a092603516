package driver

import (
	"context"
	"reflect"

	"github.com/mrgen-io/mrgen/generator/diag"
	"github.com/mrgen-io/mrgen/generator/internal/engine"
	"github.com/mrgen-io/mrgen/generator/internal/pipeline"
	"github.com/mrgen-io/mrgen/generator/run"
)

// An Answer is what a question has for an answer in each unit, in any order, and the run.
type Answer[T any] struct {
	engine.Run
	Units []T
}

// Ask runs all stages, and asks something of the definitions of each unit. So
// these never are in memory all at once.
func Ask[T any](ctx context.Context, options run.Options, question func(context.Context, pipeline.Definitions) (T, error)) (Answer[T], diag.List, error) {
	report := pipeline.Stage{
		Name: "report", Doc: "Reports on definitions.",
		Requires: []reflect.Type{reflect.TypeFor[pipeline.Definitions]()}, Kept: reflect.TypeFor[T](),
		Run: func(ctx context.Context, pass *pipeline.Pass) error {
			answered, err := question(ctx, pipeline.ResultOf[pipeline.Definitions](pass))
			pipeline.Keep(pass, answered)
			return err
		},
	}
	r, diags, err := Evaluate(ctx, options, report)
	return Answer[T]{r, pipeline.Kept[T](report, &r.Output)}, diags, err
}
