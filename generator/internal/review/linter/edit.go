package linter

import (
	"slices"

	"github.com/mrgen-io/mrgen/generator/internal/model"
	"github.com/mrgen-io/mrgen/markers"
)

// AddMarker returns the edit that adds a marker to a field, without its plus sign.
func AddMarker(f *Field, marker string) Edit {
	return Edit{Field: f.Field, Owner: f.DeclaringStruct, Add: marker}
}

// AddOption returns the edit that adds an option to the json tag of a field.
func AddOption(f *Field, option string) Edit {
	return Edit{Field: f.Field, Owner: f.DeclaringStruct, Option: option}
}

// ReplaceOption returns the edit that puts an option of the json tag of a field in the place of
// another one.
func ReplaceOption(f *Field, option, with string) Edit {
	return Edit{Field: f.Field, Owner: f.DeclaringStruct, Option: with, Replaced: option}
}

// RemoveMarkers returns the edits that remove the markers of some names from a field.
func RemoveMarkers(f *Field, names ...string) []Edit {
	var edits []Edit
	for i, m := range f.Markers {
		if slices.Contains(names, m.Name()) {
			edits = append(edits, Edit{Field: f.Field, Owner: f.DeclaringStruct, Remove: &f.Markers[i]})
		}
	}
	return edits
}

// Optionals are the names of the markers that say that a field is optional, and Requireds
// those that say that it is required.
var (
	Optionals = []string{markers.Optional, markers.ValidationOptional, markers.K8sOptional}
	Requireds = []string{markers.ValidationRequired, markers.Required, markers.K8sRequired}
)

// GoType returns a type as source in the package of a struct would have it, as far as the
// names of packages are usual.
func GoType(t, in *model.Type) string {
	return t.Source(func(t *model.Type) string {
		if t.Package == in.Package {
			return t.Name
		}
		return t.PackageName + "." + t.Name
	})
}
