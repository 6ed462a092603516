// Package gotypes answers questions about Go types in other packages, such as an SDK's, which aren't in a model.
package gotypes

import (
	"go/types"
	"reflect"
	"slices"
	"strings"

	"github.com/mrgen-io/mrgen/generator/internal/flavor"
)

// ByName qualifies types by package name, for a file that imports each package by its own name.
func ByName(p *types.Package) string { return p.Name() }

// IsError reports whether a type is error.
func IsError(t types.Type) bool { return types.Identical(t, types.Universe.Lookup("error").Type()) }

// Deref returns the type that a pointer points to, or the type itself.
func Deref(t types.Type) types.Type {
	if p, ok := types.Unalias(t).(*types.Pointer); ok {
		return p.Elem()
	}
	return t
}

// IsPointer reports whether a type is a pointer.
func IsPointer(t types.Type) bool {
	_, ok := types.Unalias(t).(*types.Pointer)
	return ok
}

// IsBytes reports whether a type is a slice of bytes.
func IsBytes(t types.Type) bool {
	s, ok := t.Underlying().(*types.Slice)
	return ok && types.Identical(s.Elem(), types.Typ[types.Uint8])
}

// NamedOf returns the declared type that a type is, or points to, or nil.
func NamedOf(t types.Type) *types.Named {
	named, _ := types.Unalias(Deref(t)).(*types.Named)
	return named
}

// NameOf returns the name of the declared type that a type is, or points to. It is empty for other types, and for Go's
// own.
func NameOf(t types.Type) flavor.TypeName {
	named := NamedOf(t)
	if named == nil || named.Obj().Pkg() == nil {
		return flavor.TypeName{}
	}
	return flavor.TypeName{Package: named.Obj().Pkg().Path(), Name: named.Obj().Name()}
}

// PlainName returns a name without the differences between naming conventions.
func PlainName(name string) string {
	return strings.ToLower(strings.NewReplacer("_", "", "-", "", ".", "").Replace(name))
}

// nameTags are the keys of the tags with which SDKs name a field in requests and responses.
var nameTags = []string{"json", "url", "xml", "locationName", "yaml", "mapstructure"}

// FieldNames returns the names of a field, in Go and then in tags, as plain names.
func FieldNames(v *types.Var, tag reflect.StructTag) []string {
	names := []string{PlainName(v.Name())}
	for _, key := range nameTags {
		if name, _, _ := strings.Cut(tag.Get(key), ","); name != "" && name != "-" && !slices.Contains(names, PlainName(name)) {
			names = append(names, PlainName(name))
		}
	}
	return names
}

// StructOf returns the struct that a type is, or points to, or nil.
func StructOf(t types.Type) *types.Struct {
	if t == nil {
		return nil
	}
	s, _ := Deref(t).Underlying().(*types.Struct)
	return s
}

// BasicOf returns the basic type below a type, or nil.
func BasicOf(t types.Type) *types.Basic {
	if t == nil {
		return nil
	}
	b, _ := t.Underlying().(*types.Basic)
	return b
}

// IsString reports whether the values of a type are texts.
func IsString(t types.Type) bool {
	b := BasicOf(t)
	return b != nil && b.Info()&types.IsString != 0
}

// IsDeclaredIn reports whether a type is the one that a package declares by that name.
func IsDeclaredIn(t types.Type, path, name string) bool {
	named, ok := types.Unalias(t).(*types.Named)
	return ok && named.Obj().Pkg() != nil && named.Obj().Pkg().Path() == path && named.Obj().Name() == name
}

// IsTime reports whether a type holds a time, and nothing else: time.Time, a type declared as time.Time, or a struct
// that only embeds time.Time, such as metav1.Time.
func IsTime(t types.Type) bool { return TimeFormOf(t) != NoTime }

// A TimeForm is how a type holds a time.
type TimeForm int

const (
	// NoTime types don't hold a time, or hold more than a time.
	NoTime TimeForm = iota
	// PlainTime is time.Time.
	PlainTime
	// DeclaredTime types are declared as time.Time.
	DeclaredTime
	// EmbeddedTime types are structs that embed time.Time alone.
	EmbeddedTime
)

// TimeFormOf returns how a type holds a time.
func TimeFormOf(t types.Type) TimeForm {
	if IsDeclaredIn(t, "time", "Time") {
		return PlainTime
	}
	named, ok := types.Unalias(t).(*types.Named)
	if !ok {
		return NoTime
	}
	s, ok := named.Underlying().(*types.Struct)
	if !ok {
		return NoTime
	}
	if s.NumFields() == 1 && s.Field(0).Embedded() && IsDeclaredIn(s.Field(0).Type(), "time", "Time") {
		return EmbeddedTime
	}
	// The fields of time.Time belong to package time: another package's type with them is declared as time.Time.
	for i := range s.NumFields() {
		if p := s.Field(i).Pkg(); p != nil && p.Path() == "time" && named.Obj().Pkg() != nil && named.Obj().Pkg().Path() != "time" {
			return DeclaredTime
		}
	}
	return NoTime
}

// An Integer is a range of whole numbers.
type Integer struct {
	Bits   int
	Signed bool
}

// Integers are the kinds of whole numbers. On the machines that providers run on, int has 64 bits.
var Integers = map[types.BasicKind]Integer{
	types.Int: {64, true}, types.Int8: {8, true}, types.Int16: {16, true}, types.Int32: {32, true}, types.Int64: {64, true},
	types.Uint: {64, false}, types.Uint8: {8, false}, types.Uint16: {16, false}, types.Uint32: {32, false}, types.Uint64: {64, false},
}

// IntegerNamed returns the range of a predeclared type, including byte and rune. It has no bits for other types.
func IntegerNamed(name string) Integer {
	if declared := types.Universe.Lookup(name); declared != nil {
		if b, ok := declared.Type().(*types.Basic); ok {
			return Integers[b.Kind()]
		}
	}
	return Integer{}
}

// Holds reports whether a type of whole numbers includes all values of another one.
func (i Integer) Holds(other Integer) bool {
	switch {
	case i.Signed == other.Signed:
		return i.Bits >= other.Bits
	case i.Signed:
		return i.Bits > other.Bits
	default: // a type without a sign lacks the negative numbers
		return false
	}
}

// Zero returns the zero value of a type as Go source. Name returns the names of types.
func Zero(t types.Type, name func(types.Type) string) string {
	switch u := t.Underlying().(type) {
	case *types.Basic:
		switch {
		case u.Info()&types.IsString != 0:
			return `""`
		case u.Info()&types.IsBoolean != 0:
			return "false"
		default:
			return "0"
		}
	case *types.Struct:
		return name(t) + "{}"
	default:
		return "nil"
	}
}

// Leaf returns the type of the items of lists and maps at any depth, or the type itself, without pointers.
func Leaf(t types.Type) types.Type {
	for {
		t = types.Unalias(Deref(t))
		switch u := t.Underlying().(type) {
		case *types.Slice:
			t = u.Elem()
		case *types.Map:
			t = u.Elem()
		default:
			return t
		}
	}
}
