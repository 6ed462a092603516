package scopecopies

import (
	"go/ast"
	"go/token"
	"go/types"
	"maps"
	"path"
	"slices"
	"strings"

	"github.com/mrgen-io/mrgen/generator/internal/gosyntax"
)

// check resolves names and types in the packages that are copied. Errors are of no concern:
// much of what other packages declare isn't known, nor what mrgen writes.
func (c *copier) check() {
	c.stubs = newStubs(c)
	for _, p := range c.order {
		c.typesOf(p)
		c.checkFiles(p.path, slices.DeleteFunc(slices.Clone(p.files), func(f *sourceFile) bool { return !isExternal(f.syntax) }))
	}
}

// typesOf returns the types of a package that is copied. Packages that import each other in a
// circle, which don't compile, get none of each other.
func (c *copier) typesOf(p *source) *types.Package {
	if p.types == nil {
		p.types = types.NewPackage(p.path, p.name)
		p.types = c.checkFiles(p.path, slices.DeleteFunc(slices.Clone(p.files), func(f *sourceFile) bool { return isExternal(f.syntax) }))
	}
	return p.types
}

func (c *copier) checkFiles(importPath string, files []*sourceFile) *types.Package {
	info := &types.Info{
		Types: map[ast.Expr]types.TypeAndValue{}, Defs: map[*ast.Ident]types.Object{}, Uses: map[*ast.Ident]types.Object{},
		Selections: map[*ast.SelectorExpr]*types.Selection{}, Scopes: map[ast.Node]*types.Scope{},
	}
	var syntax []*ast.File
	for _, f := range files {
		f.info = info
		syntax = append(syntax, f.syntax)
	}
	config := types.Config{Importer: c.stubs, Error: func(error) {}, FakeImportC: true, DisableUnusedImportCheck: true}
	checked, _ := config.Check(importPath, c.fset, syntax, info)
	for _, file := range syntax {
		addUses(checked, file, info)
	}
	return checked
}

// addUses notes the uses of names that are left out where types are checked: beside what isn't known,
// such as in the arguments of types, or the values of maps with keys of other packages.
func addUses(checked *types.Package, file *ast.File, info *types.Info) {
	var visit func(node ast.Node) bool
	visit = func(node ast.Node) bool {
		switch node := node.(type) {
		case *ast.SelectorExpr:
			ast.Inspect(node.X, visit) // and no field or name of another package
			return false
		case *ast.KeyValueExpr:
			if _, isName := node.Key.(*ast.Ident); isName { // perhaps that of a field
				ast.Inspect(node.Value, visit)
				return false
			}
		case *ast.Ident:
			if _, isDeclared := info.Defs[node]; isDeclared || info.Uses[node] != nil {
				return false
			}
			if inner := checked.Scope().Innermost(node.Pos()); inner != nil {
				if _, object := inner.LookupParent(node.Name, node.Pos()); object != nil {
					info.Uses[node] = object
				}
			}
		}
		return true
	}
	ast.Inspect(file, visit)
}

// stubs stands for packages that are not copied. It has the types in them that the copied files
// name. Their other names are undefined, and the results of such calls are unknown.
type stubs struct {
	copier   *copier
	packages map[string]*types.Package
	// names are those of packages that files import without giving them one.
	names map[string]string
}

func newStubs(c *copier) *stubs {
	s := &stubs{copier: c, packages: map[string]*types.Package{}}
	s.findNames()
	for _, p := range c.order {
		for _, f := range p.files {
			s.addFile(f.syntax)
		}
	}
	return s
}

// findNames asks for the names of packages that files import without giving them one, or that the
// settings name. Without the go command, they are the ends of the paths.
func (s *stubs) findNames() {
	unnamed, copies := map[string]bool{}, map[string]string{}
	for _, r := range s.copier.replaced {
		if dot := strings.LastIndexByte(r.New.Text, '.'); strings.Contains(r.New.Text, "/") && dot > 0 {
			unnamed[r.New.Text[:dot]] = true
		}
	}
	for _, p := range s.copier.order {
		copies[path.Join(s.copier.opts.Module, p.to)] = p.newName
		for _, f := range p.files {
			for _, spec := range f.syntax.Imports {
				if importPath := gosyntax.ImportPath(spec); spec.Name == nil && s.copier.packages[importPath] == nil {
					unnamed[importPath] = true
				}
			}
		}
	}
	s.names = s.copier.opts.PackageNames(slices.Sorted(maps.Keys(unnamed)))
	maps.Copy(s.names, copies)
}

// Import returns the package with an import path. It is a types.Importer.
func (s *stubs) Import(importPath string) (*types.Package, error) {
	if importPath == "unsafe" {
		return types.Unsafe, nil
	}
	if p := s.copier.packages[importPath]; p != nil {
		return s.copier.typesOf(p), nil
	}
	return s.stub(importPath), nil
}

func (s *stubs) stub(importPath string) *types.Package {
	if s.packages[importPath] == nil {
		s.packages[importPath] = types.NewPackage(importPath, s.nameOf(importPath))
		s.packages[importPath].MarkComplete()
	}
	return s.packages[importPath]
}

// nameOf returns the name of a package.
func (s *stubs) nameOf(importPath string) string {
	if p := s.copier.packages[importPath]; p != nil {
		return p.name
	}
	if name := s.names[importPath]; name != "" {
		return name
	}
	return path.Base(importPath) // the go command doesn't know it
}

// addFile adds the types that a file uses of other packages.
func (s *stubs) addFile(file *ast.File) {
	imports := gosyntax.NewImports(file, s.nameOf)
	for node := range ast.Preorder(file) {
		for _, t := range typesIn(node) {
			s.declareType(imports, t, false)
		}
		if literal, ok := node.(*ast.CompositeLit); ok && literal.Type != nil {
			s.declareType(imports, literal.Type, true)
		}
	}
}

// typesIn returns the types that are written in a node.
func typesIn(node ast.Node) []ast.Expr {
	switch node := node.(type) {
	case *ast.Field:
		return []ast.Expr{node.Type}
	case *ast.ArrayType:
		return []ast.Expr{node.Elt}
	case *ast.MapType:
		return []ast.Expr{node.Key, node.Value}
	case *ast.TypeAssertExpr:
		return []ast.Expr{node.Type}
	case *ast.ValueSpec:
		return []ast.Expr{node.Type}
	case *ast.TypeSpec:
		return []ast.Expr{node.Type}
	case *ast.TypeSwitchStmt:
		var all []ast.Expr
		for _, clause := range node.Body.List {
			all = append(all, clause.(*ast.CaseClause).List...)
		}
		return all
	case *ast.CallExpr:
		if name, ok := node.Fun.(*ast.Ident); ok && (name.Name == "new" || name.Name == "make") && len(node.Args) > 0 {
			return node.Args[:1]
		}
	}
	return nil
}

// declareType declares the type of another package that an expression names.
func (s *stubs) declareType(imports *gosyntax.Imports, expr ast.Expr, isStruct bool) {
	switch expr := expr.(type) {
	case *ast.StarExpr:
		s.declareType(imports, expr.X, isStruct)
	case *ast.IndexExpr:
		s.declareType(imports, expr.Index, false)
	case *ast.SelectorExpr:
		importPath, _ := imports.Selected(expr)
		if importPath == "" || s.copier.packages[importPath] != nil {
			return
		}
		pkg := s.stub(importPath)
		if name, ok := pkg.Scope().Lookup(expr.Sel.Name).(*types.TypeName); ok {
			if isStruct {
				name.Type().(*types.Named).SetUnderlying(types.NewStruct(nil, nil))
			}
			return
		}
		name := types.NewTypeName(token.NoPos, pkg, expr.Sel.Name, nil)
		// Values of an interface can be asserted to be of any type.
		var underlying types.Type = types.NewInterfaceType(nil, nil)
		if isStruct {
			underlying = types.NewStruct(nil, nil)
		}
		types.NewNamed(name, underlying, nil)
		pkg.Scope().Insert(name)
	}
}
