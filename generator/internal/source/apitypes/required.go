package apitypes

import (
	"go/types"
	"slices"

	"sigs.k8s.io/controller-tools/pkg/loader"
	ctmarkers "sigs.k8s.io/controller-tools/pkg/markers"

	"github.com/mrgen-io/mrgen/generator/internal/model"
	"github.com/mrgen-io/mrgen/markers"
)

// required reports whether the schema of a struct requires the field. Markers take precedence as in controller-tools:
// structToSchema in pkg/crd/schema.go.
func (b *builder) required(f *model.Field, pkg *types.Package) bool {
	switch {
	case hasMarker(f, markers.ValidationOptional):
		return false
	case hasMarker(f, markers.ValidationRequired):
		return true
	case hasMarker(f, markers.Optional, markers.K8sOptional):
		return false
	case hasMarker(f, markers.Required, markers.K8sRequired):
		return true
	}
	return !f.Inline && !f.Omits() && !b.optionalByDefault(b.packages[pkg.Path()])
}

func hasMarker(f *model.Field, names ...string) bool {
	return slices.ContainsFunc(f.Markers, func(m model.Marker) bool { return slices.Contains(names, m.Text) })
}

// optionalByDefault reports whether a marker of the package makes fields without a marker of their own optional.
func (b *builder) optionalByDefault(pkg *loader.Package) bool {
	if pkg == nil {
		return false
	}
	optional, known := b.optional[pkg]
	if !known {
		// Errors in the markers were reported when they were collected.
		values, err := ctmarkers.PackageMarkers(b.source.Collector, pkg)
		optional = err == nil && values.Get(markers.ValidationOptional) != nil
		b.optional[pkg] = optional
	}
	return optional
}
