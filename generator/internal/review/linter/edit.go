package linter

import (
	"slices"

	"github.com/mrgen-io/mrgen/generator/diag"
	"github.com/mrgen-io/mrgen/generator/internal/model"
	"github.com/mrgen-io/mrgen/markers"
)

// AddMarker returns the edit that adds a marker to a field. The marker has no plus sign.
func AddMarker(f *Field, marker string) diag.Edit {
	e := EditField(f)
	e.Add = marker
	return e
}

// AddOption returns the edit that adds an option to the json tag of a field.
func AddOption(f *Field, option string) diag.Edit {
	e := EditField(f)
	e.Option = option
	return e
}

// RemoveMarkers returns the edits that remove the markers of some names from a field.
func RemoveMarkers(f *Field, names ...string) []diag.Edit {
	var edits []diag.Edit
	for _, m := range f.Markers {
		if slices.Contains(names, m.Name()) {
			edits = append(edits, RemoveMarker(m, ""))
		}
	}
	return edits
}

// RemoveMarker returns the edit that removes a marker, or replaces it if with isn't empty.
func RemoveMarker(m model.Marker, with string) diag.Edit {
	return diag.Edit{Pos: m.Pos, Remove: m.Text, With: with}
}

// AddTypeMarker returns the edit that adds a marker to the declaration of a type. The marker has no plus sign.
func AddTypeMarker(t *model.Type, marker string) diag.Edit {
	return diag.Edit{Pos: t.Pos, Package: t.Package, Struct: t.Name, Add: marker}
}

// EditField returns an edit of a field that changes nothing yet.
func EditField(f *Field) diag.Edit {
	return diag.Edit{Pos: f.Pos, Package: f.DeclaringStruct.Package, Struct: f.DeclaringStruct.Name, Field: f.Name}
}

// Optionals are the markers that make a field optional, and Requireds the markers that make it required.
var (
	Optionals = []string{markers.Optional, markers.ValidationOptional, markers.K8sOptional}
	Requireds = []string{markers.ValidationRequired, markers.Required, markers.K8sRequired}
)

// GoType returns a type as source in the package of a struct, assuming the usual names of packages.
func GoType(t, in *model.Type) string {
	return t.Source(func(t *model.Type) string {
		if t.Package == in.Package {
			return t.Name
		}
		return t.PackageName + "." + t.Name
	})
}
