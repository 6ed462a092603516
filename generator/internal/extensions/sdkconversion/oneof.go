package sdkconversion

import (
	"go/types"
	"reflect"

	"github.com/mrgen-io/mrgen/generator/internal/gotypes"
)

// protobuf's generator writes a oneof as a field with an interface of one unexported method. The interface's
// implementations are structs with one field: at most one of these fields is set.

// An alternative is a member of a oneof.
type alternative struct {
	// holder is the field with the interface, and wrapper the struct for this member.
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
		// Not a wrapper, so the interface isn't a oneof.
		if wrapper == nil || s == nil || s.NumFields() != 1 {
			return false
		}
		held := s.Field(0)
		all = append(all, &field{
			name: held.Name(), typ: held.Type(), owner: owner, path: way, pos: w.program.Files.Position(held.Pos()),
			names: gotypes.FieldNames(held, reflect.StructTag(s.Tag(0))), alternative: &alternative{v.Name(), wrapper},
		})
	}
	*found = append(*found, all...)
	return len(all) > 0
}
