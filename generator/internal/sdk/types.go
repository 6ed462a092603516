package sdk

import (
	"go/types"
	"slices"
	"strings"

	"github.com/mrgen-io/mrgen/generator/internal/exclusion"
)

// byName writes types as a package does that imports all others by their names.
func byName(p *types.Package) string { return p.Name() }

func isError(t types.Type) bool { return types.Identical(t, types.Universe.Lookup("error").Type()) }

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

// namedOf returns the declared type that a type is, or points to, or nil.
func namedOf(t types.Type) *types.Named {
	named, _ := types.Unalias(deref(t)).(*types.Named)
	return named
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

func isDeclaredIn(t types.Type, path, name string) bool {
	named, ok := types.Unalias(t).(*types.Named)
	return ok && named.Obj().Pkg() != nil && named.Obj().Pkg().Path() == path && named.Obj().Name() == name
}

// isTime reports whether a type holds a time, and nothing else: time.Time, a type that is declared as
// one, and structs that embed one alone, such as that of Kubernetes.
func isTime(t types.Type) bool { return timeForm(t) != noTime }

type timeKind int

const (
	noTime timeKind = iota
	plainTime
	declaredTime
	embeddedTime
)

func timeForm(t types.Type) timeKind {
	if isDeclaredIn(t, "time", "Time") {
		return plainTime
	}
	named, ok := types.Unalias(t).(*types.Named)
	if !ok {
		return noTime
	}
	s, ok := named.Underlying().(*types.Struct)
	if !ok {
		return noTime
	}
	if s.NumFields() == 1 && s.Field(0).Embedded() && isDeclaredIn(s.Field(0).Type(), "time", "Time") {
		return embeddedTime
	}
	for i := range s.NumFields() {
		if p := s.Field(i).Pkg(); p != nil && p.Path() == "time" && named.Obj().Pkg() != nil && named.Obj().Pkg().Path() != "time" {
			return declaredTime
		}
	}
	return noTime
}

// An integer is what a whole number of a type may be.
type integer struct {
	bits   int
	signed bool
}

// integers are the kinds of whole numbers. On the machines that providers run on, int has 64 bits.
var integers = map[types.BasicKind]integer{
	types.Int: {64, true}, types.Int8: {8, true}, types.Int16: {16, true}, types.Int32: {32, true}, types.Int64: {64, true},
	types.Uint: {64, false}, types.Uint8: {8, false}, types.Uint16: {16, false}, types.Uint32: {32, false}, types.Uint64: {64, false},
}

// holds reports whether a type of whole numbers has all values of another one.
func (i integer) holds(other integer) bool {
	switch {
	case i.signed == other.signed:
		return i.bits >= other.bits
	case i.signed:
		return i.bits > other.bits
	default:
		return false
	}
}

// method returns the method of a type, or of a pointer to it, or nil.
func method(t types.Type, name string) *types.Func {
	object, _, _ := types.LookupFieldOrMethod(types.NewPointer(deref(t)), true, nil, name)
	f, _ := object.(*types.Func)
	return f
}

// getter returns what a method without parameters returns, or nil, and whether it says beside it that
// the value is set.
func getter(t types.Type, name string) (result types.Type, saysSet bool) {
	f := method(t, name)
	if f == nil || f.Signature().Params().Len() != 0 {
		return nil, false
	}
	results := f.Signature().Results()
	if saysSet = results.Len() == 2 && isBool(results.At(1).Type()); results.Len() != 1 && !saysSet {
		return nil, false
	}
	return results.At(0).Type(), saysSet
}

func isBool(t types.Type) bool { return types.Identical(t, types.Typ[types.Bool]) }

// setter returns what a method takes, if it has one parameter and can't fail, and else nil.
func setter(t types.Type, name string) types.Type {
	f := method(t, name)
	if f == nil || f.Signature().Params().Len() != 1 || f.Signature().Variadic() {
		return nil
	}
	for result := range f.Signature().Results().Variables() {
		if isError(result.Type()) {
			return nil
		}
	}
	return f.Signature().Params().At(0).Type()
}

// isReference reports whether a field of a kind refers to other objects, or to a secret, and is
// nothing that an API takes: by itself, or as a struct of references alone.
func isReference(t types.Type) bool {
	if s, ok := t.Underlying().(*types.Slice); ok {
		t = s.Elem()
	}
	s := structOf(t)
	if s == nil || refers(t) {
		return s != nil
	}
	for i := range s.NumFields() {
		if !refers(s.Field(i).Type()) {
			return false
		}
	}
	return s.NumFields() > 0
}

// refers reports whether a type is a reference of crossplane-runtime, or of Crossplane's core.
func refers(t types.Type) bool {
	named := namedOf(t)
	if named == nil || named.Obj().Pkg() == nil {
		return false
	}
	importPath, name := named.Obj().Pkg().Path(), named.Obj().Name()
	return exclusion.IsReference(importPath, name) || exclusion.IsCrossplane(importPath) && slices.Contains(secretReferences, name)
}

// secretReferences are the types that refer to secrets.
var secretReferences = []string{"SecretReference", "SecretKeySelector", "LocalSecretReference", "LocalSecretKeySelector"}

// isHidden reports whether the package can't name a type, or one that it is made of.
func (w *writer) isHidden(t types.Type) bool {
	var object *types.TypeName
	var arguments *types.TypeList
	switch t := t.(type) {
	case *types.Pointer:
		return w.isHidden(t.Elem())
	case *types.Alias:
		object, arguments = t.Obj(), t.TypeArgs()
	case *types.Named:
		object, arguments = t.Obj(), t.TypeArgs()
	default:
		return false
	}
	for argument := range arguments.Types() {
		if w.isHidden(argument) {
			return true
		}
	}
	p := object.Pkg()
	return p != nil && p != w.checked.Types && (!object.Exported() || !mayImport(w.checked.Types.Path(), p.Path()))
}

// mayImport reports whether one package may import another one, which may be internal.
func mayImport(importer, importPath string) bool {
	i := strings.LastIndex("/"+importPath+"/", "/internal/")
	return i < 0 || strings.HasPrefix(importer+"/", importPath[:i])
}

func hasUnexported(s *types.Struct) bool {
	for v := range s.Fields() {
		if !v.Exported() {
			return true
		}
	}
	return false
}
