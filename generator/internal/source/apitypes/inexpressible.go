package apitypes

import (
	"fmt"
	"go/types"
	"slices"

	"github.com/mrgen-io/mrgen/generator/internal/model"
	"github.com/mrgen-io/mrgen/markers"
)

// An expresser looks for types that the schema of a CRD can't express.
type expresser struct {
	seen []types.Type
	// in is the package of the field.
	in *types.Package
	// schemaless is set if no schema is generated. Then only encoding/json has to support the type.
	schemaless bool
}

// inexpressible says why the schema of a CRD can't express the type of a field, with a remedy, or returns "".
func inexpressible(in *types.Package, t types.Type, schemaless bool) string {
	return (&expresser{in: in, schemaless: schemaless}).problem(t)
}

func (e *expresser) problem(t types.Type) string {
	if alias, ok := t.(*types.Alias); ok && e.isForeignBasic(alias) && !e.schemaless {
		return fmt.Sprintf("has the type %s, an alias of a type of another package, which controller-tools can't read: write %s itself",
			alias.Obj().Name(), describe(types.Unalias(t)))
	}
	switch t := types.Unalias(t).(type) {
	case *types.Basic:
		if t.Info()&types.IsComplex != 0 || t.Kind() == types.UnsafePointer {
			return noForm(t)
		}
	case *types.Pointer:
		return e.problem(t.Elem())
	case *types.Slice:
		return e.problem(t.Elem())
	case *types.Array:
		return e.problem(t.Elem())
	case *types.Map:
		return e.mapped(t)
	case *types.Struct:
		if e.schemaless {
			return ""
		}
		return "has a struct type without a name, which the schema of a CRD can't express: declare a type for it"
	case *types.Named:
		return e.named(t)
	case *types.Interface:
		return e.interfaced(t, t)
	default:
		return noForm(t)
	}
	return ""
}

func (e *expresser) mapped(t *types.Map) string {
	switch {
	case e.schemaless:
	case !isText(t.Key()):
		return fmt.Sprintf("has map keys of type %s, and those of JSON are strings: use strings, or a list", describe(t.Key()))
	case !isString(t.Key()) && uncalled(t.Key(), "MarshalText") != "":
		return fmt.Sprintf("has map keys of type %s, for which encoding/json doesn't call MarshalText, since it is declared on *%[1]s: declare it on %[1]s",
			describe(t.Key()))
	}
	if method := uncalled(t.Elem(), "MarshalJSON", "MarshalText"); method != "" {
		return fmt.Sprintf("has map values of type %s, for which encoding/json doesn't call %s, since it is declared on *%[1]s: use that, or declare it on %[1]s",
			describe(t.Elem()), method)
	}
	return e.problem(t.Elem())
}

func (e *expresser) named(t *types.Named) string {
	if t.TypeArgs().Len() > 0 && !e.schemaless {
		return fmt.Sprintf("has the generic type %s, which the schema of a CRD can't express: declare a type without type parameters",
			t.Obj().Name())
	}
	if pkg := t.Obj().Pkg(); !e.schemaless && pkg != nil && pkg.Path() == "encoding/json" && t.Obj().Name() == "RawMessage" {
		return noForm(t)
	}
	if _, isStruct := t.Underlying().(*types.Struct); isStruct || hasMethod(t, "MarshalJSON", "MarshalText") {
		// markers may describe the JSON of a type that marshals itself
		return ""
	}
	if slices.Contains(e.seen, types.Type(t)) {
		return "" // a type that is an element of itself
	}
	e.seen = append(e.seen, t)
	if i, isInterface := t.Underlying().(*types.Interface); isInterface {
		return e.interfaced(t, i)
	}
	return e.problem(t.Underlying())
}

// interfaced is like problem, for an interface that is written as t.
func (e *expresser) interfaced(t types.Type, i *types.Interface) string {
	if e.schemaless && i.Empty() { // encoding/json reads values only into interfaces without methods
		return ""
	}
	return noForm(t)
}

// isText reports whether a type of map keys is a string in JSON.
func isText(t types.Type) bool {
	named, ok := types.Unalias(t).(*types.Named)
	return isString(t) || ok && hasMethod(named, "MarshalText")
}

// isString reports whether a string underlies a type.
func isString(t types.Type) bool {
	basic, ok := t.Underlying().(*types.Basic)
	return ok && (basic.Info()&types.IsString != 0 || basic.Kind() == types.Invalid) // an invalid type is reported as such
}

// isForeignBasic reports whether an alias in the field's package stands for a basic type that another package has named.
func (e *expresser) isForeignBasic(alias *types.Alias) bool {
	named, isNamed := types.Unalias(alias).(*types.Named)
	if !isNamed || named.Obj().Pkg() == nil || alias.Obj().Pkg() != e.in || named.Obj().Pkg() == e.in {
		return false
	}
	_, isBasic := named.Underlying().(*types.Basic)
	return isBasic
}

func noForm(t types.Type) string {
	return fmt.Sprintf("has the type %s, which the schema of a CRD can't express: use a struct, a basic type or apiextensionsv1.JSON",
		describe(t))
}

// describe returns a type as in source, without the methods of interfaces and the parameters of functions.
func describe(t types.Type) string {
	if i, ok := t.(*types.Interface); ok && !i.Empty() {
		return "interface"
	}
	if _, ok := t.(*types.Signature); ok {
		return "func"
	}
	return types.TypeString(t, func(pkg *types.Package) string { return pkg.Name() })
}

// expresses records why a schema can't express a field.
func (b *builder) expresses(f *model.Field, v *types.Var) {
	schemaless := model.Named(f.Markers, markers.Schemaless) != nil
	problem := inexpressible(v.Pkg(), v.Type(), schemaless)
	if problem == "" && isQuoted(f) && !schemaless {
		problem = "is a string in JSON, by the option string in its tag, and not in the schema: remove the option, or mark it +" +
			markers.ValidationType + "=string"
	}
	if problem != "" && f.Type.Leaf().Kind != model.Missing { // a missing type is reported as such
		b.inexpressible[f] = problem
	}
}

// isQuoted reports whether encoding/json writes a number or boolean as a string, and no marker says so in the schema.
func isQuoted(f *model.Field) bool {
	t := f.Type.Deref()
	if t.Kind != model.Basic || t.Basic == "string" || t.Marshals {
		return false // encoding/json ignores the option
	}
	return slices.Contains(f.Options, "string") && model.Named(slices.Concat(f.Markers, t.AllMarkers()), markers.ValidationType) == nil
}
