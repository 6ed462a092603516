package lint

import (
	"context"

	"github.com/mrgen-io/mrgen/generator/diag"
	"github.com/mrgen-io/mrgen/generator/internal/pipeline"
	"github.com/mrgen-io/mrgen/generator/internal/report/controllers"
	"github.com/mrgen-io/mrgen/generator/internal/source/build"
)

// readControllers says what controllers do with the fields of kinds, if that is asked for.
func readControllers(ctx context.Context, source *build.Source, definitions []pipeline.Definition, how Options) (*controllers.Facts, diag.List, error) {
	if len(how.Controllers) == 0 {
		return nil, nil, nil
	}
	var kinds []controllers.Kind
	for _, d := range definitions {
		if d.Managed() {
			for _, o := range d.Objects {
				kinds = append(kinds, controllers.Kind{Package: o.Package.Path, Name: o.Name})
			}
		}
	}
	return controllers.Of(ctx, source.Program.Scope, how.Controllers, kinds)
}
