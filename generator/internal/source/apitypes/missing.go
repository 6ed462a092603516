package apitypes

import (
	"go/ast"
	"go/types"

	"sigs.k8s.io/controller-tools/pkg/loader"

	"github.com/mrgen-io/mrgen/generator/internal/flavor"
	"github.com/mrgen-io/mrgen/generator/internal/model"
)

// withMissing returns the type of a field, or of a part of it, if it refers to a type that is declared nowhere, or else
// nil. The expression is the type in the source.
func (b *builder) withMissing(v *types.Var, t types.Type, expr ast.Expr) *model.Type {
	t = types.Unalias(t)
	switch expr := expr.(type) {
	case *ast.ParenExpr:
		return b.withMissing(v, t, expr.X)
	case *ast.StarExpr:
		// For go/types, a pointer to an invalid type is invalid itself.
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
		if t == types.Typ[types.Invalid] { // go/types doesn't say which name it couldn't resolve; the expression does
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

// missingIn returns the missing type of that name, or nil if the package declares it.
func (b *builder) missingIn(pkg *types.Package, name string) *model.Type {
	if pkg.Scope().Lookup(name) != nil {
		return nil
	}
	key := flavor.TypeName{Package: loader.NonVendorPath(pkg.Path()), Name: name}
	if b.missing[key] == nil {
		b.missing[key] = &model.Type{Kind: model.Missing, Name: key.Name, Package: key.Package, PackageName: pkg.Name(), Local: true}
	}
	return b.missing[key]
}
