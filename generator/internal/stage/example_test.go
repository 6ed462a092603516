package stage_test

import (
	"context"

	"github.com/mrgen-io/mrgen/generator/internal/stage"
)

// Stage writes … .
var Stage = stage.Stage{Name: "name", Doc: "Writes … .", GoFiles: []stage.GoFile{{Name: "zz_generated.name.go"}}, Run: run}

// run is where a stage does its work.
func run(context.Context, *stage.Pass) error { return nil }

// A stage is a variable, as docs/recipes.md shows.
func ExampleStage() {
	_ = Stage
	// Output:
}
