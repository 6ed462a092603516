package gotypes_test

import (
	"go/types"
	"testing"

	"github.com/mrgen-io/mrgen/generator/internal/flavor"
	"github.com/mrgen-io/mrgen/generator/internal/gotypes"
	"github.com/mrgen-io/mrgen/testdata/expect"
)

// TestIntegers compares types of whole numbers with each other.
func TestIntegers(t *testing.T) {
	for _, test := range []struct {
		wide, narrow string
		want         bool
	}{
		{"int64", "int32", true}, {"int32", "int64", false}, {"int", "int64", true}, {"uint8", "byte", true}, {"byte", "uint8", true},
		{"rune", "int16", true}, {"int16", "rune", false}, {"int16", "byte", true}, {"int8", "byte", false}, {"uint16", "int8", false},
		{"string", "int8", false}, {"int8", "string", true}, {"int8", "Name", true},
	} {
		expect.Equal(t, test.want, gotypes.IntegerNamed(test.wide).Holds(gotypes.IntegerNamed(test.narrow)), "%s holds all of %s", test.wide, test.narrow)
	}
}

// TestNames reads the names of declared types, and looks through pointers.
func TestNames(t *testing.T) {
	pkg := types.NewPackage("example.org/p", "p")
	text := types.NewNamed(types.NewTypeName(0, pkg, "Text", nil), types.Typ[types.String], nil)
	want := flavor.TypeName{Package: "example.org/p", Name: "Text"}
	for _, of := range []types.Type{text, types.NewPointer(text)} {
		expect.Equal(t, want, gotypes.NameOf(of), "the name of %s", of)
	}
	for _, of := range []types.Type{nil, types.Typ[types.String], types.Universe.Lookup("error").Type(), types.NewSlice(text)} {
		expect.Equal(t, flavor.TypeName{}, gotypes.NameOf(of), "the name of %v", of)
	}
	for of, want := range map[types.Type]bool{text: true, types.Typ[types.Int]: false, types.NewPointer(text): false, nil: false} {
		expect.Equal(t, want, gotypes.IsString(of), "%v is a string", of)
	}
	expect.True(t, gotypes.StructOf(nil) == nil, "no type is a struct")
}
