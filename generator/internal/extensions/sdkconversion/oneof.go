package sdkconversion

import (
	"go/types"
	"reflect"

	"github.com/mrgen-io/mrgen/generator/internal/gotypes"
)

// An Alternative is a member of a oneof of protobuf.
type Alternative struct {
	// Wrapper is the struct for this member, and Member its field.
	Wrapper *types.Named
	Member  *types.Var
	Tag     reflect.StructTag
}

// Alternatives returns the members of a oneof, nil for a field of another type. protobuf's generator writes a oneof as a field with an
// unexported interface of one unexported method. The interface's implementations are structs with one field: at most one of these fields
// is set.
func Alternatives(v *types.Var) (all []Alternative) {
	methods, ok := v.Type().Underlying().(*types.Interface)
	named := gotypes.NamedOf(v.Type())
	if !ok || named == nil || named.Obj().Exported() {
		return nil
	}
	if methods.NumMethods() != 1 || methods.Method(0).Exported() {
		return nil
	}
	scope := named.Obj().Pkg().Scope()
	for _, name := range scope.Names() {
		object, ok := scope.Lookup(name).(*types.TypeName)
		if !ok || !object.Exported() || !types.Implements(types.NewPointer(object.Type()), methods) {
			continue
		}
		wrapper, s := gotypes.NamedOf(object.Type()), gotypes.StructOf(object.Type())
		// Not a wrapper, so the interface isn't a oneof.
		if wrapper == nil || s == nil || s.NumFields() != 1 {
			return nil
		}
		all = append(all, Alternative{wrapper, s.Field(0), reflect.StructTag(s.Tag(0))})
	}
	return all
}

// An alternative is a member of a oneof: the field with the interface, and the struct for the member.
type alternative struct {
	holder  string
	wrapper *types.Named
}

// visitOneof adds the alternatives of a field, and reports whether it is a oneof.
func (w *writer) visitOneof(v *types.Var, way []part, owner string, found *[]*field) bool {
	all := Alternatives(v)
	for _, a := range all {
		*found = append(*found, &field{
			name: a.Member.Name(), typ: a.Member.Type(), owner: owner, path: way, pos: w.program.Files.Position(a.Member.Pos()),
			names: gotypes.FieldNames(a.Member, a.Tag), alternative: &alternative{v.Name(), a.Wrapper},
		})
	}
	return len(all) > 0
}
