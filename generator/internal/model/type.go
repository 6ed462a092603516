package model

import (
	"slices"

	"github.com/mrgen-io/mrgen/generator/internal/diag"
	"github.com/mrgen-io/mrgen/generator/internal/flavor"
	"github.com/mrgen-io/mrgen/markers"
)

// Kind classifies a [Type].
type Kind uint8

const (
	// Basic types are booleans, numbers and strings, and names for these.
	Basic Kind = iota
	// Struct types have Fields.
	Struct
	// Pointer types have an Elem.
	Pointer
	// Slice types, and arrays, have an Elem.
	Slice
	// Map types have a Key and an Elem.
	Map
	// Opaque types are interfaces, functions, channels and whatever did not
	// type-check.
	Opaque
	// Missing types have a Name and a Package, which declares no such type yet:
	// a later stage of the run may.
	Missing
)

// A Type is a Go type as it appears in an API. Types are shared and may be
// recursive: compare pointers to find cycles.
type Type struct {
	Kind Kind
	// Name is the name of a declared type, "" for a composite such as []string.
	Name string
	// Package is the import path of the package that declares a named type, ""
	// for predeclared and composite ones. PackageName is the name in its package
	// clause.
	Package, PackageName string
	// Local is set if the type is declared below the module root.
	Local bool
	// Pos is where a named type is declared.
	Pos diag.Position
	// Basic is the predeclared type that a Basic type is, or is made of.
	Basic string
	// Generic is set for an instance of a generic type.
	Generic bool
	// Marshals is set if a declared type has a method that encoding/json calls to
	// encode it: its JSON form is not that of its Kind. Unmarshals is set if it has one
	// to decode it, and Zeroes if it has one that says what omitzero omits. Texts is set
	// if what encodes it is MarshalText.
	Marshals, Unmarshals, Zeroes, Texts bool
	// Of is the declared type that a declared type is made of, as in type A B, or nil.
	// The schema of A demands what the markers of B do. Set for Local types only.
	Of *Type
	// Methods are the methods that the author declared on a declared type, or on a
	// pointer to it, and where.
	Methods map[string]diag.Position
	// Array is set for a Slice that is an array.
	Array bool
	// Elem is set for pointers, slices and maps, Key for maps.
	Elem, Key *Type
	// Fields of a struct in source order, unexported ones left out.
	Fields []*Field
	// Doc is the text of the doc comment without markers, lines separated by line
	// breaks. Filled for Local types only, as are Markers.
	Doc string
	// Markers at the declaration, in source order.
	Markers []Marker
}

// A Field is an exported or embedded field of a struct.
type Field struct {
	// Name is the Go name; for an embedded field that of its type.
	Name string
	// Tagged is set if the field has a json tag.
	Tagged bool
	// Ignored is set if the json tag is "-": the field is not encoded.
	Ignored bool
	// JSONName is the name in the json tag, "" if there is none.
	JSONName string
	// OmitEmpty and OmitZero are set if the json tag has omitempty or omitzero. Only
	// omitzero leaves out structs, and only omitempty slices and maps that are empty
	// but not nil.
	OmitEmpty, OmitZero bool
	// Required is set if the schema of a CRD requires the field where it requires
	// or has the struct. Set for fields of Local types only.
	Required bool
	// Inline is set if encoding/json treats the fields of this embedded struct
	// as if they were fields of the outer struct.
	Inline bool
	// Embedded is set for embedded fields, inline or not, and Embeds is the name
	// of the type as the source writes it: an alias keeps its own name, since
	// Crossplane declares some of the types that tell its generations apart as
	// aliases.
	Embedded bool
	Embeds   flavor.TypeName
	Pos      diag.Position
	Type     *Type
	// Doc is the text of the comment without markers, lines separated by line
	// breaks. Filled for fields of Local types only, as are Markers.
	Doc string
	// Markers at the field, in source order.
	Markers []Marker
}

// A FieldName names a field of a declared struct: by the import path of its package,
// the name of its type, and its own.
type FieldName struct {
	Package, Struct, Field string
}

// AllMarkers returns the markers of a type, of the one that it is declared as, and of the
// structs that are embedded inline in it, whose fields it has.
func (t *Type) AllMarkers() []Marker {
	var all []Marker
	t.eachInline(func(s *Type) { all = append(all, s.Markers...) })
	return all
}

// eachInline visits the type that t is or points to, what it is declared as, and the
// structs that are embedded inline in it.
func (t *Type) eachInline(visit func(*Type)) {
	var seen []*Type
	var descend func(*Type)
	descend = func(s *Type) {
		if slices.Contains(seen, s) {
			return
		}
		seen = append(seen, s)
		visit(s)
		if s.Of != nil {
			descend(s.Of)
		}
		for _, f := range s.Fields {
			if f.Inline {
				descend(f.Type.Deref())
			}
		}
	}
	descend(t.Deref())
}

// Immutable reports whether the type bears +immutable: what is in a value of it can't
// change once it is set.
func (t *Type) Immutable() bool { return marksImmutable(t.Markers) }

// Immutable reports whether the field, or its type, bears +immutable.
func (f *Field) Immutable() bool { return f.MarkedImmutable() || f.Type.Deref().Immutable() }

// MarkedImmutable reports whether the field itself bears +immutable.
func (f *Field) MarkedImmutable() bool { return marksImmutable(f.Markers) }

func marksImmutable(list []Marker) bool {
	return slices.ContainsFunc(list, func(m Marker) bool { return m.Text == markers.Immutable })
}

// Holds reports whether one of the types that values of t are made of is such: what t is,
// below pointers, slices and maps, and the types of its fields, and so on.
func (t *Type) Holds(isSuch func(*Type) bool) bool {
	seen := map[*Type]bool{}
	var visit func(*Type) bool
	visit = func(t *Type) bool {
		if t = t.Leaf(); seen[t] {
			return false
		}
		seen[t] = true
		return isSuch(t) || slices.ContainsFunc(t.Fields, func(f *Field) bool { return visit(f.Type) })
	}
	return visit(t)
}

// Part returns the field with that JSON name in the struct that f holds, or nil.
// A nil field has no parts.
func (f *Field) Part(jsonName string) *Field {
	if f == nil {
		return nil
	}
	return f.Type.Field(jsonName)
}

// Deref returns the type that t points to, through any number of pointers, or t
// if it is no pointer.
func (t *Type) Deref() *Type {
	// Go allows a type that is a pointer to itself. No API has a use for more than
	// a few pointers in a row.
	for range 10 {
		if t.Kind != Pointer {
			break
		}
		t = t.Elem
	}
	return t
}

// Leaf returns what pointers, slices and maps hold in the end. A type that is an
// element of itself ends them.
func (t *Type) Leaf() *Type {
	var seen []*Type
	for t.Elem != nil && !slices.Contains(seen, t) {
		seen = append(seen, t)
		t = t.Elem
	}
	return t
}

// Field returns the field that encoding/json would fill for the JSON name in a
// struct or a pointer to one, looking through inline embedded structs, or nil.
func (t *Type) Field(jsonName string) *Field {
	return t.find(
		func(f *Field) bool { return !f.Inline && f.JSONName == jsonName },
		func(f *Field) bool { return f.Inline })
}

// GoField returns the field that the Go selector name reaches in a struct or a
// pointer to one, promoted fields included, or nil. There is none if a method has that
// name, or if it is ambiguous, where Go would refuse the selector.
func (t *Type) GoField(name string) *Field {
	seen := map[*Type]bool{}
	for level := []*Type{t.Deref()}; len(level) > 0; {
		var found []*Field
		var next []*Type
		for _, s := range level {
			if seen[s] {
				continue // a shallower one hides it
			}
			if _, isMethod := s.Methods[name]; isMethod {
				found = append(found, nil)
			}
			for _, f := range s.Fields {
				if f.Name == name {
					found = append(found, f)
				}
				if f.Embedded {
					next = append(next, f.Type.Deref())
				}
			}
		}
		switch len(found) {
		case 0:
		case 1:
			return found[0]
		default:
			return nil
		}
		for _, s := range level {
			seen[s] = true
		}
		level = next
	}
	return nil
}

// PromotedField returns the shallowest field of that Go name in a struct or a pointer to
// one, its own or one of a struct that it embeds, or nil. To select it may be ambiguous.
func (t *Type) PromotedField(name string) *Field {
	return t.find(
		func(f *Field) bool { return f.Name == name },
		func(f *Field) bool { return f.Embedded })
}

// MethodField returns the field of a part of an object that a method is about, or nil.
// Versions of an embedded type that lack the field do without its methods. So does a type
// whose author declared a field of that name for something else, which hides the embedded
// one.
func (t *Type) MethodField(m flavor.Method) *Field {
	f := t.PromotedField(m.Field)
	if f == nil {
		return nil
	}
	held := f.Type
	if m.Pointer && held.Kind == Pointer {
		held = held.Elem
	}
	if held.Name != m.Type || held.Kind == Pointer || m.Pointer != (f.Type.Kind == Pointer) ||
		m.Predeclared != (held.Package == "") || !m.Predeclared && held.Package == t.Deref().Package {
		return nil
	}
	return f
}

// find searches breadth first, since a shallow field shadows a deeper one of
// the same name, in Go and in encoding/json alike.
func (t *Type) find(match, descend func(*Field) bool) *Field {
	seen := map[*Type]bool{}
	for level := []*Type{t.Deref()}; len(level) > 0; {
		var next []*Type
		for _, s := range level {
			if seen[s] {
				continue
			}
			seen[s] = true
			for _, f := range s.Fields {
				if match(f) {
					return f
				}
				if descend(f) {
					next = append(next, f.Type.Deref())
				}
			}
		}
		level = next
	}
	return nil
}
