package load

import (
	"cmp"
	"go/ast"
	"go/token"
	"go/types"
	"maps"
	"reflect"
	"slices"
	"strings"

	crdmarkers "sigs.k8s.io/controller-tools/pkg/crd/markers"
	"sigs.k8s.io/controller-tools/pkg/loader"
	ctmarkers "sigs.k8s.io/controller-tools/pkg/markers"

	"github.com/mrgen-io/mrgen/generator/internal/diag"
	"github.com/mrgen-io/mrgen/generator/internal/flavor"
	"github.com/mrgen-io/mrgen/generator/internal/model"
	"github.com/mrgen-io/mrgen/markers"
)

// The packages and types of Kubernetes that make a struct an object or a list.
const metav1Path = "k8s.io/apimachinery/pkg/apis/meta/v1"

// build makes the model of the API packages, checked. Types that a stage may
// still declare are no errors if tolerant is set.
func (s *Source) build(apis []*loader.Package, tolerant bool) diag.List {
	b := s.newBuilder()
	s.Exclusively(func() { b.addPackages(apis) })
	s.Corrections = nil
	s.Model = &model.Model{}
	s.Packages = map[string]*loader.Package{}
	b.indexPackages(apis)
	for _, pkg := range apis {
		p := b.pkg(pkg)
		s.Model.Packages = append(s.Model.Packages, p)
		s.Packages[p.Path] = pkg
	}
	slices.SortFunc(s.Model.Packages, func(a, b *model.Package) int { return strings.Compare(a.Path, b.Path) })

	for _, p := range s.Model.Packages {
		for _, o := range p.Objects {
			b.diags = append(b.diags, classify(o)...)
		}
	}
	b.addRuntimes()
	var later map[missingType]bool
	if tolerant {
		later = declaredLater(s.Model)
	}
	s.Exclusively(func() { b.diags = append(b.diags, s.typeErrors(apis, b.types, later)...) })
	b.diags = append(b.diags, checkModel(s.Model, b.inexpressible)...)
	b.reportUnreached()
	s.Exclusively(b.reportForeign)
	s.typesMissing = len(b.missing) > 0
	s.users = b.markerUsers()
	return b.diags
}

// reportUnreached reports the owned markers on fields that no API has, although it has
// the type whose declaration they are in: they are not exported, or in a struct without a
// name. Types that no object is made of have no effect, with all that is on them; what
// uses them may lie outside the run's patterns.
func (b *builder) reportUnreached() {
	for pos, c := range b.index {
		if b.reached[pos] || !b.reached[c.in] {
			continue
		}
		why := "on a field that is not exported: export it, or remove the marker"
		if c.nameless {
			why = "in a struct without a name: declare the struct as a type"
		}
		for _, m := range c.markers {
			if m.Value != nil {
				b.diags = append(b.diags, unread(m.Pos, m.Value, "the marker +%s has no effect "+why))
			}
		}
	}
}

// builder converts type-checked packages to the model.
type builder struct {
	*Source
	index   commentIndex
	indexed map[*loader.Package]bool
	// types has each declared type once, so that recursion ends and stages can
	// compare pointers.
	types map[types.Type]*model.Type
	// composites has each type without a name once, structs apart.
	composites map[composition]*model.Type
	// missing has each type once that is declared nowhere.
	missing map[missingType]*model.Type
	// reached are the names of types and fields that are part of the model.
	reached map[token.Pos]bool
	// packages are the packages that were type-checked, by import path.
	packages map[string]*loader.Package
	// inexpressible says of fields what the schema of a CRD can't express of them.
	inexpressible map[*model.Field]string
	// optional says of packages whether their fields are optional by default.
	optional map[*loader.Package]bool
	diags    diag.List
}

func (s *Source) newBuilder() *builder {
	return &builder{
		Source:        s,
		index:         commentIndex{},
		indexed:       map[*loader.Package]bool{},
		types:         map[types.Type]*model.Type{},
		composites:    map[composition]*model.Type{},
		missing:       map[missingType]*model.Type{},
		reached:       map[token.Pos]bool{},
		packages:      map[string]*loader.Package{},
		inexpressible: map[*model.Field]string{},
		optional:      map[*loader.Package]bool{},
	}
}

// addPackages records the packages below pkgs whose types are known.
func (b *builder) addPackages(pkgs []*loader.Package) {
	for _, pkg := range pkgs {
		if pkg.TypesInfo == nil || b.packages[pkg.PkgPath] != nil {
			continue
		}
		b.packages[pkg.PkgPath] = pkg
		for _, imported := range pkg.Imports() {
			b.addPackages([]*loader.Package{imported})
		}
	}
}

// indexPackages associates the markers of packages.
func (b *builder) indexPackages(pkgs []*loader.Package) {
	pkgs = slices.DeleteFunc(slices.Clone(pkgs), func(pkg *loader.Package) bool { return pkg == nil || b.indexed[pkg] })
	indexes := make([]commentIndex, len(pkgs))
	problems := make([]diag.List, len(pkgs))
	corrections := make([][]Correction, len(pkgs))
	inParallel(pkgs, func(i int, pkg *loader.Package) {
		indexes[i] = commentIndex{}
		for _, file := range pkg.Syntax {
			found, certain := indexes[i].addFile(b.Source, file)
			problems[i], corrections[i] = append(problems[i], found...), append(corrections[i], certain...)
		}
	})
	for i, pkg := range pkgs {
		b.indexed[pkg] = true
		maps.Copy(b.index, indexes[i])
		b.diags = append(b.diags, problems[i]...)
		b.Corrections = append(b.Corrections, corrections[i]...)
	}
}

func (b *builder) pkg(pkg *loader.Package) *model.Package {
	p := &model.Package{
		Path: pkg.PkgPath,
		Name: pkg.Name,
		Dir:  b.relative(b.packageDir(pkg)),
	}
	p.Local = inModule(p.Dir)
	values, err := ctmarkers.PackageMarkers(b.Collector, pkg)
	if err != nil {
		// The rest of the package may have problems of its own.
		b.diags = append(b.diags, b.positionedErrors(err)...)
		values = nil
	}
	p.Markers = b.packageMarkers(pkg)
	for _, m := range p.Markers {
		if group, found := strings.CutPrefix(m.Text, markers.GroupName+"="); found {
			p.Group = group
		}
	}
	p.Version = pkg.Name
	if group, ok := values.Get(markers.GroupName).(string); ok {
		p.Group = group
	}
	if version, ok := values.Get(markers.VersionName).(string); ok {
		p.Version = version
	}
	if enabled, ok := values.Get(markers.ObjectGenerate).(bool); ok {
		p.DeepCopies = enabled
	}
	p.Functions = b.functions(pkg)
	scope := pkg.Types.Scope()
	p.Names = map[string]diag.Position{}
	for _, name := range scope.Names() {
		p.Names[name] = b.Position(scope.Lookup(name).Pos())
		if typeName, ok := scope.Lookup(name).(*types.TypeName); ok && !typeName.IsAlias() {
			if o := b.object(p, typeName); o != nil {
				p.Objects = append(p.Objects, o)
			}
		}
	}
	return p
}

// object returns the object or list that a declared type is, or nil.
func (b *builder) object(p *model.Package, name *types.TypeName) *model.Object {
	structType, ok := name.Type().Underlying().(*types.Struct)
	if !ok || !embeds(structType, "TypeMeta") {
		return nil
	}
	isObject, isList := embeds(structType, "ObjectMeta"), embeds(structType, "ListMeta")
	if !isObject && !isList {
		return nil
	}
	t := b.typ(name.Type())
	o := &model.Object{
		Name:    name.Name(),
		Package: p,
		Pos:     t.Pos,
		List:    isList && !isObject,
		Type:    t,
		Spec:    t.Field("spec"),
		Status:  t.Field("status"),
		Items:   itemsOf(t),
		Methods: map[string]bool{},
	}
	methods := types.NewMethodSet(types.NewPointer(name.Type()))
	for i := range methods.Len() {
		o.Methods[methods.At(i).Obj().Name()] = true
	}
	o.Scope = b.scopeOf(name)
	o.SkipMethods = model.IsOff(t.Markers, markers.Methods)
	return o
}

// itemsOf returns the field with the items of a list. A field called Items with another name
// in JSON is meant to be it, though the API server never fills it.
func itemsOf(t *model.Type) *model.Field {
	if items := t.Field("items"); items != nil {
		return items
	}
	for _, f := range t.Fields {
		if f.Name == "Items" {
			return f
		}
	}
	return nil
}

// scopeOf returns the scope that the markers of a kind name, also of one in another
// module.
func (b *builder) scopeOf(name *types.TypeName) (scope string) {
	c := b.index[name.Pos()]
	if c == nil {
		return ""
	}
	for _, m := range c.markers {
		if !strings.HasPrefix(m.Text, markers.Resource) {
			continue
		}
		if definition := b.Collector.Lookup("+"+m.Text, ctmarkers.DescribesType); definition != nil {
			// What can't be parsed is reported by whoever loads the package.
			if value, err := definition.Parse("+" + m.Text); err == nil {
				if resource, ok := value.(crdmarkers.Resource); ok {
					scope = cmp.Or(resource.Scope, scope)
				}
			}
		}
	}
	return scope
}

// embeds reports whether a struct embeds the metav1 type.
func embeds(structType *types.Struct, name string) bool {
	for field := range structType.Fields() {
		named, ok := types.Unalias(field.Type()).(*types.Named)
		if ok && field.Embedded() && named.Obj().Name() == name &&
			named.Obj().Pkg() != nil && loader.NonVendorPath(named.Obj().Pkg().Path()) == metav1Path {
			return true
		}
	}
	return false
}

// typ converts a type. Aliases become what they stand for.
func (b *builder) typ(t types.Type) *model.Type {
	t = types.Unalias(t)
	if known := b.types[t]; known != nil {
		return known
	}
	switch t.(type) {
	case *types.Named, *types.Struct:
	default:
		return b.composite(b.composition(t))
	}
	converted := &model.Type{}
	if named, ok := t.(*types.Named); ok {
		b.declare(converted, named)
	}
	b.fill(converted, t.Underlying())
	return converted
}

// composition is what makes types without a name the same. Most fields share a few
// of them.
type composition struct {
	kind      model.Kind
	basic     string
	array     bool
	elem, key *model.Type
}

// composition returns what a type is made of that is no struct.
func (b *builder) composition(t types.Type) composition {
	switch t := t.(type) {
	case *types.Basic:
		if t.Kind() == types.Invalid {
			return composition{kind: model.Opaque, basic: t.Name()}
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
		return composition{kind: model.Opaque}
	}
}

// composite returns the type without a name that is made so.
func (b *builder) composite(c composition) *model.Type {
	t := b.composites[c]
	if t == nil {
		t = &model.Type{Name: c.basic}
		compose(t, c)
		b.composites[c] = t
	}
	return t
}

// declare sets what only declared types have.
func (b *builder) declare(converted *model.Type, named *types.Named) {
	name := named.Obj()
	converted.Name = name.Name()
	converted.Generic = named.TypeArgs().Len() > 0
	converted.Marshals = hasMethod(named, "MarshalJSON", "MarshalText")
	converted.Texts = converted.Marshals && !hasMethod(named, "MarshalJSON")
	converted.Unmarshals = hasMethod(named, "UnmarshalJSON", "UnmarshalText")
	converted.Zeroes = hasMethod(named, "IsZero")
	converted.Methods = map[string]diag.Position{}
	for method := range named.Methods() {
		converted.Methods[method.Name()] = b.Position(method.Pos())
	}
	b.types[named] = converted
	if name.Pkg() != nil {
		converted.Package, converted.PackageName = loader.NonVendorPath(name.Pkg().Path()), name.Pkg().Name()
		converted.Pos = b.Position(name.Pos())
		converted.Local = inModule(converted.Pos.File)
		if converted.Local {
			if pkg := b.packages[name.Pkg().Path()]; !b.indexed[pkg] {
				b.indexPackages([]*loader.Package{pkg})
			}
			b.reached[name.Pos()] = true
			if c := b.index[name.Pos()]; c != nil {
				converted.Doc, converted.Markers = c.doc, c.markers
				converted.Of = b.declaredAs(name, c.of)
			}
		}
	}
}

// hasMethod reports whether a type has a method of one of the names, of its own or
// promoted, on values or on pointers.
func hasMethod(named *types.Named, names ...string) bool {
	if named.NumMethods() == 0 && !promotes(named.Underlying()) {
		return false // as most types: there is nothing to look up
	}
	pointer := types.NewPointer(named)
	return slices.ContainsFunc(names, func(name string) bool {
		method, _, _ := types.LookupFieldOrMethod(pointer, false, nil, name)
		_, ok := method.(*types.Func)
		return ok
	})
}

// promotes reports whether a type has embedded fields, whose methods are its own.
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

// declaredAs returns the declared type that an expression names, which the type of that
// name is declared as, or nil.
func (b *builder) declaredAs(name *types.TypeName, expr ast.Expr) *model.Type {
	pkg := b.packages[name.Pkg().Path()]
	if pkg == nil {
		return nil
	}
	switch expr.(type) {
	case *ast.Ident, *ast.SelectorExpr:
		if named, ok := types.Unalias(pkg.TypesInfo.TypeOf(expr)).(*types.Named); ok {
			return b.typ(named)
		}
	}
	return nil
}

// fill sets what a type is made of.
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

// declaredName returns the name of an embedded type as its source writes it: an
// alias keeps its own.
func declaredName(t types.Type) flavor.TypeName {
	if pointer, ok := t.(*types.Pointer); ok {
		t = pointer.Elem()
	}
	if declared, ok := t.(interface{ Obj() *types.TypeName }); ok && declared.Obj().Pkg() != nil {
		return flavor.TypeName{Package: loader.NonVendorPath(declared.Obj().Pkg().Path()), Name: declared.Obj().Name()}
	}
	return flavor.TypeName{}
}

// field converts a struct field, or returns nil for one that encoding/json and
// Go's embedding ignore.
func (b *builder) field(v *types.Var, tag string, local bool) *model.Field {
	if !v.Exported() && !v.Embedded() {
		return nil
	}
	origin := v.Origin()
	f := &model.Field{Name: v.Name(), Embedded: v.Embedded(), Pos: b.Position(origin.Pos()), Type: b.typ(v.Type())}
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
	jsonTag, tagged := reflect.StructTag(tag).Lookup("json")
	f.Tagged = tagged
	if f.Ignored = jsonTag == "-"; f.Ignored {
		return f
	}
	name, options, _ := strings.Cut(jsonTag, ",")
	f.JSONName = name
	omitEmpty := slices.Contains(strings.Split(options, ","), "omitempty")
	omitZero := slices.Contains(strings.Split(options, ","), "omitzero")
	f.OmitEmpty, f.OmitZero = omitEmpty, omitZero
	// encoding/json inlines embedded structs that the tag gives no name.
	kind := f.Type.Deref().Kind
	f.Inline = v.Embedded() && name == "" && (kind == model.Struct || kind == model.Missing)
	f.Required = local && b.required(f, v.Pkg())
	if local {
		b.expresses(f, v.Type())
	}
	return f
}

// missingType names a type that is declared nowhere.
type missingType struct{ pkg, name string }

// withMissing returns the type of a field, or a part of it, if it is made of a
// name that the package which the name refers to doesn't declare; else nil. The
// expression is the type as the source writes it.
func (b *builder) withMissing(v *types.Var, t types.Type, expr ast.Expr) *model.Type {
	t = types.Unalias(t)
	switch expr := expr.(type) {
	case *ast.ParenExpr:
		return b.withMissing(v, t, expr.X)
	case *ast.StarExpr:
		// go/types has no pointers to what is invalid.
		if pointer, ok := t.(*types.Pointer); ok {
			t = pointer.Elem()
		}
		if elem := b.withMissing(v, t, expr.X); elem != nil {
			return &model.Type{Kind: model.Pointer, Elem: elem}
		}
	case *ast.ArrayType:
		if t, ok := t.(*types.Slice); ok {
			if elem := b.withMissing(v, t.Elem(), expr.Elt); elem != nil {
				return &model.Type{Kind: model.Slice, Elem: elem}
			}
		}
	case *ast.MapType:
		if t, ok := t.(*types.Map); ok {
			if elem := b.withMissing(v, t.Elem(), expr.Value); elem != nil {
				return &model.Type{Kind: model.Map, Key: b.typ(t.Key()), Elem: elem}
			}
		}
	case *ast.Ident:
		if t == types.Typ[types.Invalid] {
			return b.missingIn(v.Pkg(), expr.Name)
		}
	case *ast.SelectorExpr:
		qualifier, ok := expr.X.(*ast.Ident)
		if !ok || t != types.Typ[types.Invalid] || b.packages[v.Pkg().Path()] == nil {
			return nil
		}
		if imported, ok := b.packages[v.Pkg().Path()].TypesInfo.Uses[qualifier].(*types.PkgName); ok {
			return b.missingIn(imported.Imported(), expr.Sel.Name)
		}
	}
	return nil
}

// missingIn returns the type of that name if the package doesn't declare it.
func (b *builder) missingIn(pkg *types.Package, name string) *model.Type {
	if pkg.Scope().Lookup(name) != nil {
		return nil
	}
	key := missingType{loader.NonVendorPath(pkg.Path()), name}
	if b.missing[key] == nil {
		b.missing[key] = &model.Type{Kind: model.Missing, Name: key.name, Package: key.pkg, PackageName: pkg.Name(), Local: true}
	}
	return b.missing[key]
}
