package observation

import (
	"slices"
	"strings"

	"github.com/mrgen-io/mrgen/generator/internal/model"
	"github.com/mrgen-io/mrgen/markers"
)

// shapeMarkers are the markers that determine the JSON of a field where the Go type doesn't.
// Without them the API server would drop observed values.
var shapeMarkers = []string{
	markers.PreserveUnknownFields,
	markers.EmbeddedResource,
	markers.Schemaless,
	markers.ValidationType,
	markers.XEmbeddedResource,
	markers.XIntOrString,
	markers.XPreserveUnknownFields,
}

// schemaShape returns the markers that determine the JSON of a field.
func schemaShape(all []model.Marker) []string {
	var shape []string
	for _, m := range all {
		if isShape(m) {
			shape = append(shape, m.Text)
		}
	}
	return shape
}

// isShape reports whether a marker says what form values have: for the API server, and for conversions
// from an SDK.
func isShape(m model.Marker) bool {
	name := m.Name()
	if slices.Contains([]string{markers.ConvertName, markers.ConvertList, markers.ConvertIgnore, markers.ConvertNumber}, name) {
		return true
	}
	if item, found := strings.CutPrefix(name, markers.ItemsValidationPrefix); found {
		name = markers.ValidationPrefix + item
	}
	return slices.Contains(shapeMarkers, name)
}

// qualifiedReference returns a reference marker with its names qualified, for use outside the
// package that declares them. It returns other markers unchanged.
func qualifiedReference(text, pkg string) string {
	for _, prefix := range []string{markers.ReferenceType + "=", markers.ReferenceExtractor + "="} {
		value, found := strings.CutPrefix(text, prefix)
		if !found {
			continue
		}
		if name, _, _ := strings.Cut(value, "("); !strings.Contains(name, ".") {
			return prefix + pkg + "." + value
		}
	}
	return text
}

// withoutDuplicates returns the distinct texts, in their order.
func withoutDuplicates(texts []string) []string {
	var unique []string
	for _, text := range texts {
		if !slices.Contains(unique, text) {
			unique = append(unique, text)
		}
	}
	return unique
}
