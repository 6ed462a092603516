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
	for _, p := range presences {
		if model.Named(f.Markers, p.markers...) != nil {
			return p.required
		}
	}
	return !f.Inline && !f.Omits() && !b.optionalByDefault(b.packages[pkg.Path()])
}

// A presence is what markers say of a field.
type presence struct {
	required bool
	markers  []string
}

// presences are in the order in which they count.
var presences = []presence{
	{false, []string{markers.ValidationOptional}},
	{true, []string{markers.ValidationRequired}},
	{false, []string{markers.Optional, markers.K8sOptional}},
	{true, []string{markers.Required, markers.K8sRequired}},
}

// present warns about a marker that another one about the presence of the field overrides.
func (c *checker) present(f *model.Field) {
	var counts *model.Marker
	isRequired := false
	for _, p := range presences {
		for i, m := range f.Markers {
			switch {
			case !slices.Contains(p.markers, m.Text):
			case counts == nil:
				counts, isRequired = &f.Markers[i], p.required
			case isRequired != p.required:
				c.diags = append(c.diags, diag.Warningf(m.Pos, codeMarker, "the marker +%s has no effect beside +%s: remove one of them", m.Text, counts.Text))
			}
		}
	}
}

// inlined warns about a marker by which an embedded struct is optional, and its fields are not.
func (c *checker) inlined(f *model.Field) {
	i := slices.IndexFunc(f.Markers, func(m model.Marker) bool {
		return slices.ContainsFunc(presences, func(p presence) bool { return !p.required && slices.Contains(p.markers, m.Text) })
	})
	if i < 0 || !f.Inline || !slices.ContainsFunc(f.Type.Deref().Fields, func(f *model.Field) bool { return f.Required }) {
		return
	}
	c.diags = append(c.diags, diag.Warningf(f.Markers[i].Pos, codeMarker,
		"the marker +%s has no effect on the fields of %s, which are required: mark these, or give %[2]s a JSON name", f.Markers[i].Text, f.Name))
}

// optionalByDefault reports whether a marker of the package makes fields without a marker of their own optional.
func (b *builder) optionalByDefault(pkg *loader.Package) bool {
	if pkg == nil {
		return false
	}
	return b.optional.Get(pkg, func() bool {
		// Errors in the markers were reported when they were collected.
		values, err := ctmarkers.PackageMarkers(b.source.Collector, pkg)
		return err == nil && values.Get(markers.ValidationOptional) != nil
	})
}
