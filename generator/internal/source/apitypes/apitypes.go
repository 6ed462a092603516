package apitypes

import (
	"cmp"
	"go/ast"
	"go/token"
	"go/types"
	"maps"
	"slices"
	"strings"

	"sigs.k8s.io/controller-tools/pkg/loader"
	ctmarkers "sigs.k8s.io/controller-tools/pkg/markers"

	"github.com/mrgen-io/mrgen/generator/diag"
	"github.com/mrgen-io/mrgen/generator/internal/flavor"
	"github.com/mrgen-io/mrgen/generator/internal/model"
	"github.com/mrgen-io/mrgen/generator/internal/parallel"
	"github.com/mrgen-io/mrgen/generator/internal/source/load"
	"github.com/mrgen-io/mrgen/markers"
)

// metav1Path is the package of the types that make a struct an object or a list when it embeds them.
const metav1Path = "k8s.io/apimachinery/pkg/apis/meta/v1"

// build makes the model of the API packages, and checks it.
func (s *Source) build(declaredLater func(*model.Model) []flavor.TypeName) diag.List {
	b := s.newBuilder()
	b.addPackages(s.Program.APIs)
	s.Corrections = nil
	s.Model = &model.Model{}
	s.Packages = map[string]*loader.Package{}
	b.indexPackages(s.Program.APIs)
	for _, pkg := range s.Program.APIs {
		p := b.pkg(pkg)
		b.checkGroup(p, pkg)
		b.checkKindNames(p, pkg)
		s.Model.Packages = append(s.Model.Packages, p)
		s.Packages[p.Path] = pkg
	}
	slices.SortFunc(s.Model.Packages, func(a, b *model.Package) int { return strings.Compare(a.Path, b.Path) })

	for o := range model.Objects(s.Model.Packages) {
		b.diags = append(b.diags, classify(o)...)
	}
	b.addRuntimes()
	// Generated types are missing in the first pass: their absence is an error only in the second.
	later := map[flavor.TypeName]bool{}
	if declaredLater != nil {
		for _, name := range declaredLater(s.Model) {
			later[name] = true
		}
	}
	b.diags = append(b.diags, s.Program.TypeErrors(b.declaredAt(), later)...)
	b.diags = append(b.diags, s.checkModel(b.inexpressible, b.encodings)...)
	b.reportUnregistered()
	b.reportRenamed()
	b.reportUnreached()
	b.reportMachine()
	b.reportTests()
	s.TypesMissing = len(b.missing) > 0
	s.users = b.markerUsers()
	return b.diags
}

// declaredAt returns the positions of the types that the API consists of.
func (b *builder) declaredAt() map[diag.Position]bool {
	at := map[diag.Position]bool{}
	for _, t := range b.types {
		at[t.Pos] = true
	}
	return at
}

// reportUnreached reports mrgen's markers on fields that are not part of the API although the type around them is:
// fields that are not exported, or in a struct without a name.
func (b *builder) reportUnreached() {
	for pos, c := range b.index {
		// Types that no object consists of are not reported: packages outside the patterns may use them.
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
	source  *Source
	index   commentIndex
	indexed map[*loader.Package]bool
	// types has one type for each declaration, so that recursion ends, and stages can compare pointers.
	types map[types.Type]*model.Type
	// composites has one type for each composition.
	composites map[composition]*model.Type
	// missing has the types that are declared nowhere.
	missing map[flavor.TypeName]*model.Type
	// reached are the names of types and fields that are part of the model.
	reached map[token.Pos]bool
	// imports are the names of packages in files, by import path.
	imports map[*ast.File]map[string]string
	// packages are the packages that were type-checked, by import path.
	packages map[string]*loader.Package
	// inexpressible says why the schema of a CRD can't express the type of a field.
	inexpressible map[*model.Field]string
	// encodings say why types of the module can't read their own JSON.
	encodings map[*model.Type]string
	// optional says whether fields in a package are optional by default.
	optional parallel.Memo[*loader.Package, bool]
	diags    diag.List
}

func (s *Source) newBuilder() *builder {
	return &builder{
		source:        s,
		index:         commentIndex{},
		indexed:       map[*loader.Package]bool{},
		types:         map[types.Type]*model.Type{},
		composites:    map[composition]*model.Type{},
		imports:       map[*ast.File]map[string]string{},
		missing:       map[flavor.TypeName]*model.Type{},
		reached:       map[token.Pos]bool{},
		packages:      map[string]*loader.Package{},
		inexpressible: map[*model.Field]string{},
		encodings:     map[*model.Type]string{},
	}
}

// addPackages records the type-checked packages among pkgs and their imports.
func (b *builder) addPackages(pkgs []*loader.Package) {
	load.Walk(pkgs, func(pkg *loader.Package) bool {
		if pkg.TypesInfo == nil || b.packages[pkg.PkgPath] != nil {
			return false
		}
		b.packages[pkg.PkgPath] = pkg
		return true
	})
}

// indexPackages associates the comments of packages with declarations.
func (b *builder) indexPackages(pkgs []*loader.Package) {
	pkgs = slices.DeleteFunc(slices.Clone(pkgs), func(pkg *loader.Package) bool { return pkg == nil || b.indexed[pkg] })
	found := make([][]*markerVisitor, len(pkgs))
	parallel.Do(len(pkgs), func(i int) {
		for _, file := range pkgs[i].Syntax {
			found[i] = append(found[i], b.source.visit(file))
		}
	})
	for i, pkg := range pkgs {
		b.indexed[pkg] = true
		for _, v := range found[i] {
			maps.Copy(b.index, v.index)
			b.diags = append(b.diags, v.diags...)
			b.source.Corrections = append(b.source.Corrections, v.corrections...)
		}
	}
}

func (b *builder) pkg(pkg *loader.Package) *model.Package {
	p := &model.Package{
		Path: pkg.PkgPath,
		Name: pkg.Name,
		Dir:  b.source.files.Relative(b.source.files.PackageDir(pkg)),
	}
	p.Local = load.InModule(p.Dir)
	values, err := ctmarkers.PackageMarkers(b.source.Collector, pkg)
	if err != nil {
		// The rest of the package may have other errors to report.
		b.diags = append(b.diags, b.source.positionedErrors(err)...)
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
		p.Names[name] = b.source.files.Position(scope.Lookup(name).Pos())
		switch typeName, ok := scope.Lookup(name).(*types.TypeName); {
		case ok && typeName.IsAlias():
			b.alias(typeName)
			b.notKind(typeName, false)
		case ok:
			if o := b.object(p, typeName); o != nil {
				p.Objects = append(p.Objects, o)
			} else {
				b.notKind(typeName, p.Group != "")
			}
		}
	}
	return p
}

// alias warns about markers on another name of a declared type, which controller-tools doesn't see where it is used. It reads
// markers on an alias of a type without a name.
func (b *builder) alias(name *types.TypeName) {
	named, isNamed := types.Unalias(name.Type()).(*types.Named)
	for _, m := range b.index.at(name.Pos()).markers {
		if isNamed && (m.Value != nil || markers.IsRead(m.Text)) {
			b.diags = append(b.diags, diag.Warningf(m.Pos, codeMarker,
				"the marker +%s has no effect on an alias: mark %s, or declare a type of its own", m.Name(), named.Obj().Name()))
		}
	}
}

// object returns the object or list that a declared type represents, or nil.
func (b *builder) object(p *model.Package, name *types.TypeName) *model.Object {
	structType, ok := name.Type().Underlying().(*types.Struct)
	if !ok {
		return nil
	}
	isType, isObject, isList := embeds(structType, "TypeMeta"), embeds(structType, "ObjectMeta"), embeds(structType, "ListMeta")
	if !isType && !isObject { // most structs
		return nil
	}
	if isKind := isType && isObject; !isKind {
		switch marker, at := b.kindMarker(name); {
		case isType && isList && marker != "":
			b.diags = append(b.diags, diag.Warningf(at, codeMarker, "+%s has no effect on a list: move it to the kind", marker))
		case isType && isList:
		case marker == "": // such as a struct of options, which embeds TypeMeta alone
			return nil
		case isType:
			b.lacksMeta(name, "ObjectMeta", "metadata,omitempty")
		default:
			b.lacksMeta(name, "TypeMeta", ",inline")
		}
	}
	t := b.typ(name.Type())
	o := &model.Object{
		Name:    name.Name(),
		Package: p,
		Pos:     t.Pos,
		List:    isList && !isObject,
		Type:    t,
		Spec:    t.Part("spec"),
		Status:  t.Part("status"),
		Items:   t.Part("items"),
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

// lacksMeta reports a struct that is marked as a kind and doesn't embed a type of metav1.
func (b *builder) lacksMeta(kind *types.TypeName, meta, tag string) {
	b.diags = append(b.diags, diag.Errorf(b.source.files.Position(kind.Pos()), codeKind,
		"%s has markers of kinds, and lacks metav1.%s: embed it, with the tag `json:%q`, or remove the markers", kind.Name(), meta, tag))
}

// scopeOf returns the scope in the markers of a kind, in this module or another.
func (b *builder) scopeOf(name *types.TypeName) (scope string) {
	for _, m := range b.index.at(name.Pos()).markers {
		if !strings.HasPrefix(m.Text, markers.Resource) {
			continue
		}
		for _, parsed := range b.source.parsed([]model.Marker{m}, ctmarkers.DescribesType) {
			scope = cmp.Or(parsed.Scope(), scope)
		}
	}
	return scope
}

// embeds reports whether a struct embeds the type of that name in metav1.
func embeds(structType *types.Struct, name string) bool {
	for field := range structType.Fields() {
		named, ok := types.Unalias(field.Type()).(*types.Named)
		if !ok || !field.Embedded() || named.Obj().Name() != name {
			continue
		}
		if pkg := named.Obj().Pkg(); pkg != nil && loader.NonVendorPath(pkg.Path()) == metav1Path {
			return true
		}
	}
	return false
}
