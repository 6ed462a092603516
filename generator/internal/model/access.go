package model

import (
	"slices"
	"strings"
)

// An Access leads from a struct to a field of it that encoding/json sees.
type Access struct {
	// Path has the embedded structs on the way, if any, and then the field.
	Path []*Field
	// Promoted is set if Go selects the field on the struct itself.
	Promoted bool
}

// Field returns the field that the access leads to.
func (a Access) Field() *Field { return a.Path[len(a.Path)-1] }

// Embedded returns the embedded structs on the way.
func (a Access) Embedded() []*Field { return a.Path[:len(a.Path)-1] }

// Indirect reports whether an embedded pointer is on the way.
func (a Access) Indirect() bool {
	return slices.ContainsFunc(a.Embedded(), func(f *Field) bool { return f.Type.Kind == Pointer })
}

// JSONFields returns the ways to the fields of a struct that encoding/json sees.
func JSONFields(of *Type) []Access {
	var found []Access
	var path []*Field
	var visit func(*Type)
	visit = func(t *Type) {
		for _, f := range t.Fields {
			if slices.Contains(path, f) {
				continue
			}
			path = append(path, f)
			switch {
			case f.Inline:
				visit(f.Type.Deref())
			case f.JSONName != "" && !f.Ignored && of.Field(f.JSONName) == f:
				// A struct may be embedded twice: the shallower one counts.
				switch i := slices.IndexFunc(found, func(a Access) bool { return a.Field() == f }); {
				case i < 0:
					found = append(found, Access{Path: slices.Clone(path), Promoted: of.GoField(f.Name) == f})
				case len(path) < len(found[i].Path):
					found[i].Path = slices.Clone(path)
				}
			}
			path = path[:len(path)-1]
		}
	}
	visit(of)
	return found
}

// Base returns a pointer's element type, or the type itself.
func Base(t *Type) *Type {
	if t.Kind == Pointer {
		return t.Elem
	}
	return t
}

// SharedAsIs reports whether both sides use a type as it is: a type of another module, or
// one that encodes itself.
func SharedAsIs(t *Type) bool { return t.Package != "" && (t.Marshals || !t.Local && t.Kind != Basic) }

// Argument returns the argument of the first marker of that name, with or without
// the prefix of declarative validation, or "".
func Argument(list []Marker, name string) string {
	for _, m := range list {
		if value, found := strings.CutPrefix(strings.TrimPrefix(m.Text, "k8s:"), name+"="); found {
			return strings.Trim(value, "\"`")
		}
	}
	return ""
}
