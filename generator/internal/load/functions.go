package load

import (
	"go/ast"
	"go/types"
	"strconv"

	"sigs.k8s.io/controller-tools/pkg/loader"

	"github.com/mrgen-io/mrgen/generator/internal/flavor"
	"github.com/mrgen-io/mrgen/generator/internal/model"
)

// functions returns the functions that a package declares. Their types are read
// off the source: packages that no API type needs, such as crossplane-runtime's
// reference package, are not type-checked.
func (b *builder) functions(pkg *loader.Package) map[string]*model.Function {
	functions := map[string]*model.Function{}
	for _, file := range pkg.Syntax {
		names := &fileNames{pkg: pkg, imports: importNames(pkg, file)}
		for _, decl := range file.Decls {
			decl, ok := decl.(*ast.FuncDecl)
			if !ok || decl.Recv != nil {
				continue
			}
			f := &model.Function{
				Pos:        b.Position(decl.Name.Pos()),
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

// importNames returns the import paths of a file by the names that it gives them.
func importNames(pkg *loader.Package, file *ast.File) map[string]string {
	paths := map[string]string{}
	for _, spec := range file.Imports {
		importPath, err := strconv.Unquote(spec.Path.Value)
		imported := pkg.Imports()[importPath]
		switch {
		case err != nil || imported == nil:
		case spec.Name != nil:
			paths[spec.Name.Name] = loader.NonVendorPath(imported.PkgPath)
		default:
			paths[imported.Name] = loader.NonVendorPath(imported.PkgPath)
		}
	}
	return paths
}

// fileNames says what the names in a file mean.
type fileNames struct {
	pkg *loader.Package
	// imports are import paths by the names of packages.
	imports map[string]string
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

// typ returns the name of a type, or the zero name if it has none.
func (n *fileNames) typ(expr ast.Expr) flavor.TypeName {
	switch expr := expr.(type) {
	case *ast.ParenExpr:
		return n.typ(expr.X)
	case *ast.Ellipsis:
		return n.typ(expr.Elt)
	case *ast.Ident:
		if n.pkg.Types.Scope().Lookup(expr.Name) == nil && types.Universe.Lookup(expr.Name) != nil {
			return flavor.TypeName{Name: expr.Name}
		}
		return flavor.TypeName{Package: loader.NonVendorPath(n.pkg.PkgPath), Name: expr.Name}
	case *ast.SelectorExpr:
		if qualifier, ok := expr.X.(*ast.Ident); ok && n.imports[qualifier.Name] != "" {
			return flavor.TypeName{Package: n.imports[qualifier.Name], Name: expr.Sel.Name}
		}
	}
	return flavor.TypeName{}
}
