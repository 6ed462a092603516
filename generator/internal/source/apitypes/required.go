package apitypes

import (
	"go/types"
	"slices"

	"sigs.k8s.io/controller-tools/pkg/loader"
	ctmarkers "sigs.k8s.io/controller-tools/pkg/markers"

	"github.com/mrgen-io/mrgen/generator/diag"
	"github.com/mrgen-io/mrgen/generator/internal/model"
	"github.com/mrgen-io/mrgen/markers"
)

// required reports whether the schema of a struct requires the field. Markers take precedence as in controller-tools:
// structToSchema in pkg/crd/schema.go.
func (b *builder) required(f *model.Field, pkg *types.Package) bool {
	for i, names := range presence {
		if hasMarker(f, names...) {
			return i%2 == 1
		}
	}
	return !f.Inline && !f.Omits() && !b.optionalByDefault(b.packages[pkg.Path()])
}

// presence are the markers that make fields optional and required in turn, in the order in which they count.
var presence = [][]string{
	{markers.ValidationOptional}, {markers.ValidationRequired}, {markers.Optional, markers.K8sOptional}, {markers.Required, markers.K8sRequired},
}

// present warns about a marker that another one about the presence of the field overrides.
func (c *checker) present(f *model.Field) {
	var counts *model.Marker
	made := 0
	for i, names := range presence {
		for n, m := range f.Markers {
			switch {
			case !slices.Contains(names, m.Text):
			case counts == nil:
				counts, made = &f.Markers[n], i%2
			case made != i%2:
				c.diags = append(c.diags, diag.Warningf(m.Pos, codeMarker, "the marker +%s has no effect beside +%s: remove one of them", m.Text, counts.Text))
			}
		}
	}
}

// inlined warns about a marker by which an embedded struct is optional, and its fields are not.
func (c *checker) inlined(f *model.Field) {
	i := slices.IndexFunc(f.Markers, func(m model.Marker) bool {
		return slices.Contains([]string{markers.Optional, markers.ValidationOptional, markers.K8sOptional}, m.Text)
	})
	if i < 0 || !f.Inline || !slices.ContainsFunc(f.Type.Deref().Fields, func(f *model.Field) bool { return f.Required }) {
		return
	}
	c.diags = append(c.diags, diag.Warningf(f.Markers[i].Pos, codeMarker,
		"the marker +%s has no effect on the fields of %s, which are required: mark these, or give %[2]s a JSON name", f.Markers[i].Text, f.Name))
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
