package gosyntax

import "go/ast"

// Imports are the imports of a file, by their names in it.
type Imports struct {
	// ByName are imports with a name, and Dots are dot imports.
	ByName map[string]*ast.ImportSpec
	Dots   []*ast.ImportSpec
}

// NewImports returns the imports of a file. The function returns a package's own name, or "" if it isn't known: then no
// name refers to the package. [path.Base] will do where a wrong name does no harm.
func NewImports(file *ast.File, nameOf func(importPath string) string) *Imports {
	i := &Imports{ByName: map[string]*ast.ImportSpec{}}
	for _, spec := range file.Imports {
		switch name := NameIn(spec, nameOf); name {
		case "", "_":
		case ".":
			i.Dots = append(i.Dots, spec)
		default:
			if i.ByName[name] == nil {
				i.ByName[name] = spec
			}
		}
	}
	return i
}

// NameIn returns the name by which a file imports a package. It may be "." or "_". The function is as for [NewImports].
func NameIn(spec *ast.ImportSpec, nameOf func(importPath string) string) string {
	if spec.Name != nil {
		return spec.Name.Name
	}
	return nameOf(ImportPath(spec))
}

// Path returns the path of the package that a name refers to, or "".
func (i *Imports) Path(name string) string {
	if spec := i.ByName[name]; spec != nil {
		return ImportPath(spec)
	}
	return ""
}

// Selected returns a name that a node selects from a package, and the path of the package, or "", "".
func (i *Imports) Selected(node ast.Node) (importPath, name string) {
	qualifier, name := Selected(node)
	if qualifier == nil || i.ByName[qualifier.Name] == nil {
		return "", ""
	}
	return i.Path(qualifier.Name), name
}

// Selected returns the name that a node selects from an identifier, and the identifier, or nil.
func Selected(node ast.Node) (from *ast.Ident, name string) {
	if selector, ok := node.(*ast.SelectorExpr); ok {
		if from, ok = selector.X.(*ast.Ident); ok {
			return from, selector.Sel.Name
		}
	}
	return nil, ""
}

// EachUse visits the names in a node: names selected from an identifier, with that, and other names. It skips imports,
// and names selected from anything else.
func EachUse(node ast.Node, visit func(from, name *ast.Ident)) {
	var inspect func(node ast.Node) bool
	inspect = func(node ast.Node) bool {
		switch node := node.(type) {
		case *ast.ImportSpec:
			return false
		case *ast.SelectorExpr:
			if from, ok := node.X.(*ast.Ident); ok {
				visit(from, node.Sel)
			} else {
				ast.Inspect(node.X, inspect)
			}
			return false
		case *ast.Ident:
			visit(nil, node)
		}
		return true
	}
	ast.Inspect(node, inspect)
}
