package lint

import (
	"context"

	"github.com/mrgen-io/mrgen/generator/diag"
	"github.com/mrgen-io/mrgen/generator/internal/parallel"
	"github.com/mrgen-io/mrgen/generator/internal/pipeline"
	"github.com/mrgen-io/mrgen/generator/internal/review/controllers"
)

// loadControllers begins to load the code of controllers, if any is asked for. The function that it returns
// waits for that, and says what the code does with the fields of kinds.
func loadControllers(ctx context.Context, root string, patterns []string) func([]pipeline.Definition) (*controllers.Facts, diag.List, error) {
	if len(patterns) == 0 {
		return func([]pipeline.Definition) (*controllers.Facts, diag.List, error) { return nil, nil, nil }
	}
	var code *controllers.Code
	var diags diag.List
	wait := parallel.Start(func() (err error) {
		code, diags, err = controllers.Load(ctx, root, patterns)
		return err
	})
	return func(definitions []pipeline.Definition) (*controllers.Facts, diag.List, error) {
		if err := wait(); err != nil || code == nil {
			return nil, diags, err
		}
		var kinds []controllers.Kind
		for _, d := range definitions {
			if d.Managed() {
				for _, o := range d.Objects {
					kinds = append(kinds, controllers.Kind{Package: o.Package.Path, Name: o.Name})
				}
			}
		}
		return code.Facts(kinds), diags, nil
	}
}
