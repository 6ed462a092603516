package sdkconversion

import (
	"go/types"
	"slices"
	"strings"

	"github.com/mrgen-io/mrgen/generator/internal/gotypes"
	"github.com/mrgen-io/mrgen/generator/internal/mirroring"
)

// method returns the method of a type or of a pointer to it, or nil.
func method(t types.Type, name string) *types.Func {
	object, _, _ := types.LookupFieldOrMethod(types.NewPointer(gotypes.Deref(t)), true, nil, name)
	f, _ := object.(*types.Func)
	return f
}

// getter returns the result of a method without parameters, or nil, and whether the method also returns if the
// value is set.
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

// setter returns the type of a method's only parameter, or nil if it has others or can fail.
func setter(t types.Type, name string) types.Type {
	f := method(t, name)
	if f == nil || f.Signature().Params().Len() != 1 || f.Signature().Variadic() {
		return nil
	}
	for result := range f.Signature().Results().Variables() {
		if gotypes.IsError(result.Type()) {
			return nil
		}
	}
	return f.Signature().Params().At(0).Type()
}

// isReference reports whether a field of a kind only refers to other objects or to a secret, which no API
// takes. A struct of references counts, too.
func isReference(t types.Type) bool {
	if s, ok := t.Underlying().(*types.Slice); ok {
		t = s.Elem()
	}
	s := gotypes.StructOf(t)
	if s == nil || refers(t) {
		return s != nil
	}
	isOther := func(v *types.Var) bool { return !refers(v.Type()) }
	return s.NumFields() > 0 && !slices.ContainsFunc(slices.Collect(s.Fields()), isOther)
}

// refers reports whether a type is a reference of crossplane-runtime, or of Crossplane's core.
func refers(t types.Type) bool {
	name := gotypes.NameOf(t)
	return mirroring.IsCrossplane(name.Package) && (strings.HasSuffix(name.Name, "Reference") || strings.HasSuffix(name.Name, "Selector"))
}

// isHidden reports whether the package can't name a type, or a part of it.
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

// mayImport reports whether a package may import another one, which may be internal.
func mayImport(importer, importPath string) bool {
	i := strings.LastIndex("/"+importPath+"/", "/internal/")
	return i < 0 || strings.HasPrefix(importer+"/", importPath[:i])
}
