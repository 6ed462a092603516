package pipeline_test

import (
	"context"

	"github.com/mrgen-io/mrgen/generator/internal/pipeline"
)

// Stage writes … .
var Stage = pipeline.Stage{
	Name:    "name",
	Doc:     "Writes … .",
	GoFiles: []pipeline.GoFile{{Name: "zz_generated.name.go"}},
	Run:     run,
}

// run is where a stage does its work.
func run(context.Context, *pipeline.Pass) error { return nil }

// A stage is a variable, as docs/recipes.md shows.
func ExampleStage() {
	_ = Stage
	// Output:
}
