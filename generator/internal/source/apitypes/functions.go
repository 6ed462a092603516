package apitypes

import (
	"go/ast"
	"go/types"

	"sigs.k8s.io/controller-tools/pkg/loader"

	"github.com/mrgen-io/mrgen/generator/internal/flavor"
	"github.com/mrgen-io/mrgen/generator/internal/model"
	"github.com/mrgen-io/mrgen/generator/internal/source/load"
)

// functions returns the functions that a package declares.
func (b *builder) functions(pkg *loader.Package) map[string]*model.Function {
	functions := map[string]*model.Function{}
	for _, file := range pkg.Syntax {
		// The types come from the syntax: packages that no API type needs, such as crossplane-runtime's reference
		// package, are not type-checked.
		names := &fileNames{pkg: pkg, imports: load.ImportNames(pkg, file)}
		for _, decl := range file.Decls {
			decl, ok := decl.(*ast.FuncDecl)
			if !ok || decl.Recv != nil {
				continue
			}
			f := &model.Function{
				Pos:        b.source.files.Position(decl.Name.Pos()),
				Parameters: names.types(decl.Type.Params),
				Results:    names.types(decl.Type.Results),
			}
			if n := len(decl.Type.Params.List); n > 0 {
				_, f.Variadic = decl.Type.Params.List[n-1].Type.(*ast.Ellipsis)
			}
			functions[decl.Name.Name] = f
		}
	}
	return functions
}

// fileNames resolves the names in a file.
type fileNames struct {
	pkg *loader.Package
	// imports are the imported packages by name.
	imports map[string]*loader.Package
}

// types returns the type of each parameter or result.
func (n *fileNames) types(list *ast.FieldList) []flavor.TypeName {
	var names []flavor.TypeName
	if list == nil {
		return nil
	}
	for _, field := range list.List {
		for range max(len(field.Names), 1) {
			names = append(names, n.typ(field.Type))
		}
	}
	return names
}

// typ returns the name of a type, or the zero name for a type without one.
func (n *fileNames) typ(expr ast.Expr) flavor.TypeName {
	switch expr := expr.(type) {
	case *ast.ParenExpr:
		return n.typ(expr.X)
	case *ast.Ellipsis:
		return n.typ(expr.Elt)
	case *ast.Ident:
		if n.pkg.Types.Scope().Lookup(expr.Name) == nil && types.Universe.Lookup(expr.Name) != nil {
			// a package may declare a type called error
			return flavor.TypeName{Name: expr.Name}
		}
		return flavor.TypeName{Package: loader.NonVendorPath(n.pkg.PkgPath), Name: expr.Name}
	case *ast.SelectorExpr:
		if qualifier, ok := expr.X.(*ast.Ident); ok && n.imports[qualifier.Name] != nil {
			return flavor.TypeName{Package: loader.NonVendorPath(n.imports[qualifier.Name].PkgPath), Name: expr.Sel.Name}
		}
	}
	return flavor.TypeName{}
}
