package apitypes

import (
	"go/ast"
	"go/token"
	"go/types"
	"maps"
	"reflect"
	"slices"
	"strings"

	"sigs.k8s.io/controller-tools/pkg/loader"

	"github.com/mrgen-io/mrgen/generator/diag"
	"github.com/mrgen-io/mrgen/generator/internal/flavor"
	"github.com/mrgen-io/mrgen/generator/internal/model"
	"github.com/mrgen-io/mrgen/generator/internal/source/load"
)

// typ converts a type. It converts an alias to the aliased type, unless controller-tools reads markers on the alias.
func (b *builder) typ(t types.Type) *model.Type {
	if known := b.types[t]; known != nil {
		return known
	}
	converted := &model.Type{}
	switch t := t.(type) {
	case *types.Alias:
		of := types.Unalias(t)
		_, isNamed := of.(*types.Named)
		_, isStruct := of.(*types.Struct)
		if isNamed || isStruct || len(b.commentsOf(t.Obj()).markers) == 0 {
			return b.typ(t.Rhs())
		}
		b.types[t] = converted
		b.declare(converted, t.Obj())
		compose(converted, b.composition(of))
		return converted
	case *types.Named:
		b.encodes(converted, t)
		b.types[t] = converted // before the fields are converted: they may refer to the type
		b.declare(converted, t.Obj())
	case *types.Struct:
	default:
		return b.composite(b.composition(t))
	}
	b.fill(converted, t.Underlying())
	return converted
}

// A composition identifies a type without a name by its parts. Most fields share a few of them.
type composition struct {
	kind      model.Kind
	basic     string
	array     bool
	elem, key *model.Type
}

// composition returns the parts of a type that isn't a struct.
func (b *builder) composition(t types.Type) composition {
	switch t := t.(type) {
	case *types.Basic:
		if t.Kind() == types.Invalid { // the type error is reported elsewhere
			return composition{kind: model.Opaque, basic: model.Invalid}
		}
		return composition{kind: model.Basic, basic: t.Name()}
	case *types.Pointer:
		return composition{kind: model.Pointer, elem: b.typ(t.Elem())}
	case *types.Slice:
		return composition{kind: model.Slice, elem: b.typ(t.Elem())}
	case *types.Array:
		return composition{kind: model.Slice, array: true, elem: b.typ(t.Elem())}
	case *types.Map:
		return composition{kind: model.Map, key: b.typ(t.Key()), elem: b.typ(t.Elem())}
	default:
		return composition{kind: model.Opaque, basic: describe(t)}
	}
}

// composite returns the type of a composition.
func (b *builder) composite(c composition) *model.Type {
	t := b.composites[c]
	if t == nil {
		t = &model.Type{}
		if compose(t, c); t.Kind == model.Basic {
			t.Name = c.basic
		}
		b.composites[c] = t
	}
	return t
}

// encodes sets the properties that follow from the methods of a declared type.
func (b *builder) encodes(converted *model.Type, named *types.Named) {
	converted.Generic = named.TypeArgs().Len() > 0
	writes, isWriter := codecOf(named, "MarshalJSON", "MarshalText")
	reads, isReader := codecOf(named, "UnmarshalJSON", "UnmarshalText")
	converted.Marshals, converted.Texts, converted.Unmarshals = isWriter, writes.name == "MarshalText", isReader
	converted.Zeroes = hasMethod(named, "IsZero")
	converted.Methods = map[string]diag.Position{}
	for method := range named.Methods() {
		converted.Methods[method.Name()] = b.source.files.Position(method.Pos())
	}
	if problem := encoding(named, writes, reads); problem != "" && load.InModule(b.source.files.Position(named.Obj().Pos()).File) {
		b.encodings[converted] = problem
	}
}

// declare sets the properties that only declared types have.
func (b *builder) declare(converted *model.Type, name *types.TypeName) {
	converted.Name = name.Name()
	if name.Pkg() == nil { // error
		return
	}
	converted.Package, converted.PackageName = loader.NonVendorPath(name.Pkg().Path()), name.Pkg().Name()
	converted.Pos = b.source.files.Position(name.Pos())
	converted.Local = load.InModule(converted.Pos.File)
	pkg := b.packages[name.Pkg().Path()]
	if !converted.Local {
		converted.Unread = markerIn(pkg, name)
		return
	}
	converted.Derived = b.source.isDerived(converted.Pos.File)
	b.reached[name.Pos()] = true
	c := b.commentsOf(name)
	converted.Doc, converted.Markers, converted.Of = c.doc, c.markers, b.declaredAs(name, c.of)
	converted.Imports = b.importsAt(pkg, name.Pos())
}

// commentsOf returns the comments of a type of the module, or empty ones.
func (b *builder) commentsOf(name *types.TypeName) *comments {
	if name.Pkg() != nil && load.InModule(b.source.files.Position(name.Pos()).File) { // maybe not an API package of the run
		b.indexPackages([]*loader.Package{b.packages[name.Pkg().Path()]})
	}
	return b.index.at(name.Pos())
}

// importsAt returns the names of the packages that the file with a position imports, by path.
func (b *builder) importsAt(pkg *loader.Package, at token.Pos) map[string]string {
	if pkg == nil {
		return nil
	}
	i := slices.IndexFunc(pkg.Syntax, func(f *ast.File) bool { return f.FileStart <= at && at < f.FileEnd })
	if i < 0 {
		return nil
	}
	file := pkg.Syntax[i]
	if names, ok := b.imports[file]; ok {
		return names
	}
	names := map[string]string{}
	imported := load.ImportNames(pkg, file)
	for _, name := range slices.Backward(slices.Sorted(maps.Keys(imported))) { // of several names, the first in order counts
		if name != "_" {
			names[loader.NonVendorPath(imported[name].PkgPath)] = name
		}
	}
	b.imports[file] = names
	return names
}

// hasMethod reports whether a type has a method of one of the names, of its own or
// promoted, on values or on pointers.
func hasMethod(named *types.Named, names ...string) bool {
	return slices.ContainsFunc(names, func(name string) bool { return methodPath(named, name) != nil })
}

// methodPath returns the indexes of the embedded fields that a method of a type is promoted from, and of the method. It is nil
// without one.
func methodPath(named *types.Named, name string) []int {
	if named.NumMethods() == 0 && !promotes(named.Underlying()) {
		return nil // true for most types: spares the lookup
	}
	method, path, _ := types.LookupFieldOrMethod(types.NewPointer(named), false, nil, name)
	if _, ok := method.(*types.Func); !ok {
		return nil
	}
	return path
}

// promotes reports whether a type has embedded fields, whose methods are promoted.
func promotes(underlying types.Type) bool {
	structType, ok := underlying.(*types.Struct)
	if !ok {
		return false
	}
	for field := range structType.Fields() {
		if field.Embedded() {
			return true
		}
	}
	return false
}

// declaredAs returns the declared type that a type is declared as, if the expression in its
// declaration is a name, or nil.
func (b *builder) declaredAs(name *types.TypeName, expr ast.Expr) *model.Type {
	switch expr.(type) {
	case *ast.Ident, *ast.SelectorExpr:
		if pkg := b.packages[name.Pkg().Path()]; pkg != nil {
			if of := b.typ(pkg.TypesInfo.TypeOf(expr)); of.Package != "" {
				return of
			}
		}
	}
	return nil
}

// fill sets the composition or the fields of a type.
func (b *builder) fill(converted *model.Type, t types.Type) {
	structType, ok := t.(*types.Struct)
	if !ok {
		compose(converted, b.composition(t))
		return
	}
	converted.Kind = model.Struct
	for i := range structType.NumFields() {
		if field := b.field(structType.Field(i), structType.Tag(i), converted.Local); field != nil {
			converted.Fields = append(converted.Fields, field)
		}
	}
}

func compose(t *model.Type, c composition) {
	t.Kind, t.Basic, t.Array, t.Elem, t.Key = c.kind, c.basic, c.array, c.elem, c.key
}

// declaredName returns the name of an embedded type as it is written in the source, which may be an alias.
func declaredName(t types.Type) flavor.TypeName {
	if pointer, ok := t.(*types.Pointer); ok {
		t = pointer.Elem()
	}
	if declared, ok := t.(interface{ Obj() *types.TypeName }); ok && declared.Obj().Pkg() != nil {
		// named types and aliases have one; basic types don't
		return flavor.TypeName{Package: loader.NonVendorPath(declared.Obj().Pkg().Path()), Name: declared.Obj().Name()}
	}
	return flavor.TypeName{}
}

// field converts a struct field. It returns nil if encoding/json ignores the field and nothing is promoted from it.
func (b *builder) field(v *types.Var, tag string, local bool) *model.Field {
	if !v.Exported() && !v.Embedded() {
		if name, _, _ := strings.Cut(reflect.StructTag(tag).Get("json"), ","); local && name != "" && name != "-" {
			b.diags = append(b.diags, diag.Errorf(b.source.files.Position(v.Origin().Pos()), codeJSONName,
				"encoding/json ignores %s, which is not exported: begin its name with a capital letter, or give it the tag json:\"-\"", v.Name()))
		}
		return nil
	}
	origin := v.Origin() // the field of a generic type, where its comments are
	f := &model.Field{
		Name: v.Name(), Tag: reflect.StructTag(tag), Embedded: v.Embedded(), Pos: b.source.files.Position(origin.Pos()), Type: b.typ(v.Type()),
	}
	if v.Embedded() {
		f.Embeds = declaredName(v.Type())
	}
	if c := b.index[origin.Pos()]; c != nil && local {
		b.reached[origin.Pos()] = true
		f.Doc, f.Markers = c.doc, c.markers
		if missing := b.withMissing(v, v.Type(), c.expr); missing != nil {
			f.Type = missing
		}
	}
	jsonTag, tagged := f.Tag.Lookup("json")
	f.Tagged, f.Ignored = tagged, jsonTag == "-"
	if f.Ignored {
		return f
	}
	name, options, _ := strings.Cut(jsonTag, ",")
	f.JSONName = name
	for option := range strings.SplitSeq(options, ",") {
		switch option {
		case "":
		case "omitempty":
			f.OmitEmpty = true
		case "omitzero":
			f.OmitZero = true
		default:
			f.Options = append(f.Options, option)
		}
	}
	// encoding/json inlines embedded structs without a name in the tag.
	kind := f.Type.Deref().Kind
	f.Inline = v.Embedded() && name == "" && (kind == model.Struct || kind == model.Missing)
	if local && v.Embedded() && !v.Exported() && f.Type.Kind == model.Pointer && kind == model.Struct {
		b.diags = append(b.diags, diag.Errorf(f.Pos, codeJSONName,
			"encoding/json can't set the embedded pointer to %s, which is not exported: export it, or embed %[1]s itself", f.Name))
	}
	f.Required = local && b.required(f, v.Pkg())
	if local {
		b.expresses(f, v)
	}
	return f
}
