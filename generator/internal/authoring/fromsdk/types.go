package fromsdk

import (
	"go/types"
	"iter"
	"maps"
)

func keys[V any](m map[string]V) iter.Seq[string]       { return maps.Keys(m) }
func values[K comparable, V any](m map[K]V) iter.Seq[V] { return maps.Values(m) }
func byName(p *types.Package) string                    { return p.Name() }
func isError(t types.Type) bool                         { return types.Identical(t, types.Universe.Lookup("error").Type()) }

// deref returns what a type points to, or the type if it is no pointer.
func deref(t types.Type) types.Type {
	if p, ok := types.Unalias(t).(*types.Pointer); ok {
		return p.Elem()
	}
	return t
}

func isPointer(t types.Type) bool {
	_, ok := types.Unalias(t).(*types.Pointer)
	return ok
}

// structOf returns the struct that a type is, or points to, or nil.
func structOf(t types.Type) *types.Struct {
	s, _ := deref(t).Underlying().(*types.Struct)
	return s
}

// basicOf returns the basic type below a type, or nil.
func basicOf(t types.Type) *types.Basic {
	b, _ := t.Underlying().(*types.Basic)
	return b
}

func has(t types.Type, info types.BasicInfo) bool {
	b := basicOf(t)
	return b != nil && b.Info()&info != 0
}

func isString(t types.Type) bool { return has(t, types.IsString) }

func isInteger(t types.Type) bool { return has(t, types.IsInteger) }

func isDeclaredIn(t types.Type, path, name string) bool {
	named, ok := types.Unalias(t).(*types.Named)
	return ok && named.Obj().Pkg() != nil && named.Obj().Pkg().Path() == path && named.Obj().Name() == name
}

// isTime reports whether a type holds a time, and nothing else.
func isTime(t types.Type) bool {
	if isDeclaredIn(t, "time", "Time") {
		return true
	}
	s, ok := t.Underlying().(*types.Struct)
	if named, isNamed := types.Unalias(t).(*types.Named); !ok || !isNamed || named.Obj().Pkg() == nil {
		return false
	}
	for v := range s.Fields() {
		if s.NumFields() == 1 && v.Embedded() && isDeclaredIn(v.Type(), "time", "Time") || v.Pkg() != nil && v.Pkg().Path() == "time" {
			return true
		}
	}
	return false
}

// kindInt returns the type that a kind has for a whole number.
func kindInt(b *types.Basic) string {
	switch b.Kind() {
	case types.Int8, types.Int16, types.Int32, types.Uint8, types.Uint16:
		return "int32"
	}
	return "int64"
}

// fits reports whether one type of whole numbers has all values of another one.
func fits(value, in types.BasicKind) bool {
	bits := map[types.BasicKind]int{types.Int8: 8, types.Int16: 16, types.Int32: 32, types.Uint8: 8, types.Uint16: 16, types.Uint32: 32}
	of := func(k types.BasicKind) (int, bool) {
		n := bits[k]
		if n == 0 {
			n = 64
		}
		return n, k < types.Uint
	}
	a, signed := of(value)
	b, toSigned := of(in)
	return signed == toSigned && a <= b || !signed && toSigned && a < b
}
