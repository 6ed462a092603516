package model

import (
	"cmp"
	"reflect"
	"slices"
	"strings"

	"github.com/mrgen-io/mrgen/generator/diag"
	"github.com/mrgen-io/mrgen/generator/internal/flavor"
	"github.com/mrgen-io/mrgen/markers"
)

// Kind classifies a [Type].
type Kind uint8

const (
	// Basic types are booleans, numbers and strings, and types declared as such.
	Basic Kind = iota
	// Struct types have Fields.
	Struct
	// Pointer types have an Elem.
	Pointer
	// Slice types, and arrays, have an Elem.
	Slice
	// Map types have a Key and an Elem.
	Map
	// Opaque types are interfaces, functions, channels and types that don't type-check. No code
	// names them, unless they are declared.
	Opaque
	// Missing types have a Name and a Package, but no declaration yet: a later stage may
	// write it.
	Missing
)

// Invalid is the description of an Opaque type that doesn't type-check.
const Invalid = "invalid type"

// A Type is a Go type as it appears in an API. Types are shared and may be
// recursive: compare pointers to find cycles.
type Type struct {
	Kind Kind
	// Name is the name of a declared type, "" for a composite such as []string.
	Name string
	// Package is the import path of the package that declares the type, or "" for
	// predeclared and composite types. PackageName is the name in its package clause.
	Package, PackageName string
	// Local is set if the type is declared below the module root, and Derived if a stage declares it.
	Local, Derived bool
	// Pos is where a named type is declared.
	Pos diag.Position
	// Basic is the predeclared type that underlies a Basic type. For an Opaque type, it describes
	// the type to people, or is [Invalid].
	Basic string
	// Generic is set for an instance of a generic type.
	Generic bool
	// Marshals is set if encoding/json encodes a declared type with a method, so its JSON form isn't the one of its
	// Kind. Unmarshals is set if it has a method to decode it, Zeroes if it has an IsZero method for omitzero, and Texts
	// if the method that encodes it is MarshalText.
	Marshals, Unmarshals, Zeroes, Texts bool
	// Of is B for a type declared as type A B, or nil. The markers of B apply to the schema
	// of A. Set for Local types only.
	Of *Type
	// Methods are the methods that the author declared on the type, or on a pointer to it,
	// with their positions.
	Methods map[string]diag.Position
	// Array is set for a Slice that is an array.
	Array bool
	// Elem is set for pointers, slices and maps, Key for maps.
	Elem, Key *Type
	// Fields are the exported and embedded fields of a struct, in source order.
	Fields []*Field
	// Doc is the doc comment without markers. Like Markers, it is set for Local types only.
	Doc string
	// Markers at the declaration, in source order.
	Markers []Marker
	// Unread is the name of the first of mrgen's markers in a struct of another module, where it has no effect.
	Unread string
	// Imports are the names of packages in the file with the declaration, by import path. It is set
	// for Local types only, and nil for one that a stage declares.
	Imports map[string]string
}

// Qualified returns how the file with the declaration refers to a name in a package: by the package's name in the file,
// if it imports the package, or else by the usual name.
func (t *Type) Qualified(from flavor.Import, name string) string {
	switch as := t.Imports[from.Path]; as {
	case "":
		return from.Alias + "." + name
	case ".":
		return name
	default:
		return as + "." + name
	}
}

// Source returns the type as Go source. Named returns the source of a type that a package declares.
func (t *Type) Source(named func(*Type) string) string {
	switch {
	case t.Package != "":
		return named(t)
	case t.Name != "":
		return t.Name
	case t.Kind == Pointer:
		return "*" + t.Elem.Source(named)
	case t.Kind == Slice:
		return "[]" + t.Elem.Source(named)
	case t.Kind == Map:
		return "map[" + t.Key.Source(named) + "]" + t.Elem.Source(named)
	default:
		return cmp.Or(t.Basic, "a type without a name")
	}
}

// A Field is an exported or embedded field of a struct.
type Field struct {
	// Name is the Go name. For an embedded field, it is the name of its type.
	Name string
	// Tag is the field's tag, and Tagged is set if it has a json key.
	Tag    reflect.StructTag
	Tagged bool
	// Ignored is set if the json tag is "-": the field is not encoded.
	Ignored bool
	// JSONName is the name in the json tag, or "".
	JSONName string
	// OmitEmpty and OmitZero are set if the json tag has omitempty or omitzero. Only
	// omitzero leaves out structs, and only omitempty slices and maps that are empty
	// but not nil.
	OmitEmpty, OmitZero bool
	// Options are the other options of the json tag.
	Options []string
	// Required is set if the schema of the struct requires the field. Set for fields of Local
	// types only.
	Required bool
	// Inline is set if encoding/json treats the fields of this embedded struct
	// as if they were fields of the outer struct.
	Inline bool
	// Embedded is set for embedded fields, inline or not. Embeds is the name of the type as it is written in the source,
	// even if it is an alias: some of the types that distinguish Crossplane's generations are aliases.
	Embedded bool
	Embeds   flavor.TypeName
	Pos      diag.Position
	Type     *Type
	// Doc is the comment without markers. Like Markers, it is set for fields of Local types
	// only.
	Doc string
	// Markers at the field, in source order.
	Markers []Marker
}

// Omits reports whether the json tag has omitempty or omitzero.
func (f *Field) Omits() bool { return f.OmitEmpty || f.OmitZero }

// A FieldName names a field of a declared struct: by the import path of its package,
// the name of its type, and its own.
type FieldName struct {
	Package, Struct, Field string
}

// Immutable reports whether the type is marked +immutable: the contents of its values can't change once set.
func (t *Type) Immutable() bool { return marksImmutable(t.Markers) }

// Immutable reports whether the field or its type is marked +immutable.
func (f *Field) Immutable() bool { return f.MarkedImmutable() || f.Type.Deref().Immutable() }

// MarkedImmutable reports whether the field itself is marked +immutable.
func (f *Field) MarkedImmutable() bool { return marksImmutable(f.Markers) }

func marksImmutable(list []Marker) bool {
	return slices.ContainsFunc(list, func(m Marker) bool { return m.Text == markers.Immutable })
}

// IsBytes reports whether t is a slice of bytes, which is text in JSON.
func (t *Type) IsBytes() bool {
	return t.IsSlice() && (t.Elem.Basic == "uint8" || t.Elem.Basic == "byte")
}

// JSONType returns the type of values in JSON, or "" if they encode themselves.
func (t *Type) JSONType() string {
	switch {
	case t.Marshals:
		return ""
	case t.Kind == Struct, t.Kind == Map:
		return "object"
	case t.IsBytes():
		return "string"
	case t.Kind == Slice:
		return "array"
	case t.Kind != Basic:
		return ""
	case t.Basic == "string":
		return "string"
	case t.Basic == "bool":
		return "boolean"
	case strings.HasPrefix(t.Basic, "float"):
		return "number"
	default:
		return "integer"
	}
}

// IsDuration reports whether the type is time.Duration, a number of nanoseconds, or declared as such.
func (t *Type) IsDuration() bool {
	return t.Package == "time" && t.Name == "Duration" || t.Of != nil && t.Of.IsDuration()
}

// HasDefault reports whether the API server sets the field if it is missing.
func (f *Field) HasDefault() bool {
	return Named(slices.Concat(f.Markers, f.Type.Deref().Markers), markers.KubebuilderDefault, markers.Default) != nil
}

// Part returns the part of an object with that name in the struct type of f, or nil. It may be called on a nil field.
func (f *Field) Part(name string) *Field {
	if f == nil {
		return nil
	}
	return f.Type.Part(name)
}

// Part returns the field of a struct with a JSON name, or else the one that is meant: its JSON name differs in case alone,
// or its Go name doesn't differ.
func (t *Type) Part(name string) *Field {
	f, fields := t.Field(name), t.Deref().Fields
	i := slices.IndexFunc(fields, func(f *Field) bool {
		return strings.EqualFold(f.JSONName, name) || strings.EqualFold(f.Name, name) && !f.Ignored
	})
	if f == nil && i >= 0 {
		return fields[i]
	}
	return f
}

// IsKnown reports whether the type is declared and type-checks.
func (t *Type) IsKnown() bool { return t.Kind != Missing && t.Basic != Invalid }

// IsSlice reports whether t is a slice, and not an array.
func (t *Type) IsSlice() bool { return t.Kind == Slice && !t.Array }

// IsCollection reports whether t is a slice or a map.
func (t *Type) IsCollection() bool { return t.IsSlice() || t.Kind == Map }

// IsNilable reports whether t has the value nil, which means unset.
func (t *Type) IsNilable() bool { return t.IsCollection() || t.Kind == Pointer }

// Deref returns the type that t points to, through any number of pointers, or t.
func (t *Type) Deref() *Type {
	// Go allows a type that points to itself. APIs don't need more than a few pointers in a row.
	for i := 0; i < 10 && t.Kind == Pointer; i++ {
		t = t.Elem
	}
	return t
}

// Leaf returns the type of the innermost elements of pointers, slices and maps. It stops at a
// type that is an element of itself.
func (t *Type) Leaf() *Type {
	var seen []*Type
	for t.Elem != nil && !slices.Contains(seen, t) {
		seen = append(seen, t)
		t = t.Elem
	}
	return t
}

// Layers returns the type, the type of its elements, and so on. It stops at a type that is an element of itself.
func (t *Type) Layers() []*Type {
	var all []*Type
	for ; t != nil && !slices.Contains(all, t); t = t.Elem {
		all = append(all, t)
	}
	return all
}

// MethodField returns the field that a method of an object reads or writes, or nil.
func (t *Type) MethodField(m flavor.Method) *Field {
	f := t.PromotedField(m.Field)
	if f == nil { // the version of the embedded type lacks it
		return nil
	}
	held := f.Type
	if m.Pointer && held.Kind == Pointer {
		held = held.Elem
	}
	switch {
	case held.Name != m.Type, held.Kind == Pointer, m.Pointer != (f.Type.Kind == Pointer):
		// the author declared another field with that name, which hides it
		return nil
	case m.OfRuntime && t.owner(m.Field) != held.Package:
		return nil // later runtimes have no such field, so that the name is free
	case m.Predeclared != (held.Package == ""):
		return nil
	case !m.Predeclared && held.Package == t.Deref().Package:
		return nil // a type of this package that has the name by chance
	}
	return f
}

// owner returns the package of the struct with a promoted field. The runtime's structs are in the package of their types.
func (t *Type) owner(name string) string {
	for level := range t.levels(func(f *Field) bool { return f.Embedded }) {
		for _, s := range level {
			if slices.ContainsFunc(s.Fields, func(f *Field) bool { return f.Name == name }) {
				return s.Package
			}
		}
	}
	return ""
}
