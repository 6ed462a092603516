package lintrules

import (
	"slices"

	"github.com/mrgen-io/mrgen/generator/internal/review/linter"
	"github.com/mrgen-io/mrgen/generator/internal/schema"
)

var hiddenInitProvider = &linter.Rule{
	Name: "hidden-init-provider",
	Doc:  "A field of spec.forProvider that spec.initProvider has as well has no default.",
	Source: linter.Source{
		Name: "Crossplane, Managed Resources: initProvider",
		URL:  "https://docs.crossplane.io/latest/managed-resources/managed-resources/#initprovider",
	},
	Why:      "The API server fills spec.forProvider with the default, which wins over spec.initProvider: a value there never counts.",
	Severity: linter.Hint,
	Run:      linter.EachField(checkHiddenInitProvider),
}

func checkHiddenInitProvider(p *linter.Pass, f *linter.Field) {
	if f.Part != linter.ForProvider || !f.HasDefault() {
		return
	}
	root, path := f.Kind.Root(f.Kind.Version), f.Path()
	// The default of a field in an optional object fills only objects that somebody sets.
	const top = 2
	for _, at := range root.Follow(path).Way()[top+1:] {
		if at.Path[len(at.Path)-1].Kind != schema.Property || !at.Always() {
			return
		}
	}
	if schema.At(root.Schema, slices.Concat(schema.Properties("spec", "initProvider"), path[top:])) != nil {
		p.Field(f, nil, "%s has a default, so that spec.initProvider%s never counts: remove the default, or the field there", f.Name, path[top:])
	}
}
