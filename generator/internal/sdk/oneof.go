package sdk

import (
	"go/types"
	"reflect"
	"slices"

	"github.com/mrgen-io/mrgen/generator/internal/gotypes"
)

// A field of an interface with one unexported method, whose implementations in its package are structs with
// one field, is how protobuf's generator writes a oneof: one of these fields is set, or none.

// An alternative is one field of a oneof.
type alternative struct {
	// holder is the field with the interface, and wrapper the struct in it that has the alternative.
	holder  string
	wrapper *types.Named
}

// visitOneof adds the alternatives of a field, and reports whether it is a oneof.
func (w *writer) visitOneof(v *types.Var, way []part, owner string, found *[]*field) bool {
	methods, ok := v.Type().Underlying().(*types.Interface)
	named := gotypes.NamedOf(v.Type())
	// protoc-gen-go writes an unexported interface with one unexported method, which the wrappers implement.
	if !ok || named == nil || named.Obj().Exported() {
		return false
	}
	if methods.NumMethods() != 1 || methods.Method(0).Exported() {
		return false
	}
	scope := named.Obj().Pkg().Scope()
	var all []*field
	for _, name := range scope.Names() {
		object, ok := scope.Lookup(name).(*types.TypeName)
		if !ok || !object.Exported() || !types.Implements(types.NewPointer(object.Type()), methods) {
			continue
		}
		wrapper, s := gotypes.NamedOf(object.Type()), gotypes.StructOf(object.Type())
		if wrapper == nil || s == nil || s.NumFields() != 1 {
			return false
		}
		held := s.Field(0)
		all = append(all, &field{
			name: held.Name(), typ: held.Type(), owner: owner, path: way, pos: w.program.Files.Position(held.Pos()),
			names: gotypes.FieldNames(held, reflect.StructTag(s.Tag(0))), alternative: &alternative{v.Name(), wrapper},
		})
	}
	slices.SortFunc(all, func(a, b *field) int {
		return int(a.alternative.wrapper.Obj().Pos() - b.alternative.wrapper.Obj().Pos())
	})
	*found = append(*found, all...)
	return len(all) > 0
}

// wrapped returns the expression of an alternative with a value.
func (p *printer) wrapped(f *field, expression string) string {
	return "&" + p.typeName(f.alternative.wrapper) + "{" + f.name + ": " + expression + "}"
}

// fromOneof writes the condition that an alternative of a source is set, and what do writes of its value.
func (p *printer) fromOneof(f *field, source string, do func(source string)) {
	p.ifSet(source+".(*"+p.typeName(f.alternative.wrapper)+")", func(value string) { do(value + "." + f.name) })
}
