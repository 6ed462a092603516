package compile

import (
	"go/ast"
	"go/token"
	"go/types"
	"maps"
	"slices"
	"sync"

	"github.com/mrgen-io/mrgen/generator/internal/source/load"
)

// A universe has the packages that one module can import, as far as generated code depends on
// them. Declarations are added one by one, as others need them, so that it holds a small part
// of each package.
type universe struct {
	checker *Checker
	program *load.Program
	// dir is the folder of the module, module its path, and goVersion its version of the
	// language.
	dir, module, goVersion string
	units                  map[string]*unit
	// missing are packages that generated code imports and that can't be loaded.
	missing map[string]bool
	// queue are added declarations whose own needs are not added yet.
	queue []*declaration
}

// A unit is a package in a universe.
type unit struct {
	path, dir string
	code      *load.Code
	// isAPI reports whether a run may write Go files into a package without a folder.
	isAPI  func() bool
	folder *folder
	// whole is set if the generated files in the folder are type-checked.
	whole bool
	// declared are the declarations by name, with methods below the name of their type. It is
	// nil until one is needed.
	declared map[string][]*declaration
	// pending are added declarations that are not checked yet, by file.
	pending map[*file][]*declaration
	// files are those to check, for packages below the module root.
	files []*ast.File
	// checker and types are set by the first check.
	checker *types.Checker
	types   *types.Package
}

// A file is a file with declarations.
type file struct {
	syntax *ast.File
	// imports are the import specifications by the name of the package in the file, and dots
	// are dot imports.
	imports map[string]*ast.ImportSpec
	dots    []*ast.ImportSpec
}

// A declaration is added to a universe as a whole.
type declaration struct {
	unit  *unit
	file  *file
	node  ast.Decl
	taken bool
	// imports are the imports of the file that it needs.
	imports []*ast.ImportSpec
}

// unit returns the package of an import path, or nil if it is not loaded.
func (u *universe) unit(importPath string) *unit {
	if known, ok := u.units[importPath]; ok {
		return known
	}
	code := u.checker.index.Find(u.program, u.dir, importPath)
	if code == nil {
		return nil
	}
	added := &unit{path: importPath, dir: code.Dir, code: code, isAPI: sync.OnceValue(code.IsAPI), pending: map[*file][]*declaration{}}
	u.units[importPath] = added
	return added
}

// declare reads the declarations of a package.
func (u *universe) declare(p *unit) {
	p.declared = map[string][]*declaration{}
	if p.code != nil {
		for _, syntax := range p.code.Parse() {
			u.declareFile(p, syntax)
		}
	}
	if p.folder != nil && !p.whole {
		for _, g := range p.folder.files {
			u.declareFile(p, g.syntax)
		}
	}
}

func (u *universe) declareFile(p *unit, syntax *ast.File) {
	in := u.newFile(syntax)
	add := func(name string, node ast.Decl) {
		p.declared[name] = append(p.declared[name], &declaration{unit: p, file: in, node: node})
	}
	for _, decl := range syntax.Decls {
		switch decl := decl.(type) {
		case *ast.FuncDecl:
			if t := load.Receiver(decl); t != "" {
				add(t, decl)
			} else {
				load.EachName(decl, func(name *ast.Ident) { add(name.Name, decl) })
			}
		case *ast.GenDecl:
			u.declareGroup(p, in, decl)
		}
	}
}

// declareGroup adds the declarations of a group one by one. Constants stay together, since one
// may repeat the expression of another.
func (u *universe) declareGroup(p *unit, in *file, group *ast.GenDecl) {
	if group.Tok == token.CONST {
		whole := &declaration{unit: p, file: in, node: group}
		load.EachName(group, func(name *ast.Ident) { p.declared[name.Name] = append(p.declared[name.Name], whole) })
		return
	}
	for _, spec := range group.Specs {
		one := &declaration{unit: p, file: in, node: &ast.GenDecl{TokPos: group.TokPos, Tok: group.Tok, Specs: []ast.Spec{spec}}}
		load.EachName(one.node, func(name *ast.Ident) { p.declared[name.Name] = append(p.declared[name.Name], one) })
	}
}

func (u *universe) newFile(syntax *ast.File) *file {
	f := &file{syntax: syntax, imports: map[string]*ast.ImportSpec{}}
	for _, spec := range syntax.Imports {
		if name := u.checker.index.ImportName(u.program, u.dir, spec); name != "" {
			f.imports[name] = spec
		} else if spec.Name != nil && spec.Name.Name == "." {
			f.dots = append(f.dots, spec)
		}
	}
	return f
}

// need adds the declarations of a name in a package, and reports whether there are any.
func (u *universe) need(p *unit, name string) bool {
	if p.declared == nil {
		u.declare(p)
	}
	all := p.declared[name]
	for _, d := range all {
		if !d.taken {
			d.taken = true
			p.pending[d.file] = append(p.pending[d.file], d)
			u.queue = append(u.queue, d)
		}
	}
	return len(all) > 0
}

// close adds what the added declarations need, and so on.
func (u *universe) close() {
	for len(u.queue) > 0 {
		d := u.queue[len(u.queue)-1]
		u.queue = u.queue[:len(u.queue)-1]
		u.needsOf(d)
	}
}

// needsOf adds what a declaration needs. It doesn't exclude the names of parameters and fields:
// too many declarations do no harm.
func (u *universe) needsOf(d *declaration) {
	imported := map[*ast.ImportSpec]bool{}
	var visit func(ast.Node) bool
	visit = func(node ast.Node) bool {
		switch node := node.(type) {
		case *ast.BlockStmt:
			return false
		case *ast.Field:
			ast.Inspect(node.Type, visit)
			return false
		case *ast.SelectorExpr:
			if x, ok := node.X.(*ast.Ident); ok {
				if spec := d.file.imports[x.Name]; spec != nil {
					imported[spec] = true
					if p := u.unit(load.ImportPath(spec)); p != nil {
						u.need(p, node.Sel.Name)
					}
					return false
				}
			}
			ast.Inspect(node.X, visit)
			return false
		case *ast.Ident:
			if types.Universe.Lookup(node.Name) == nil && !u.need(d.unit, node.Name) && node.IsExported() {
				for _, spec := range d.file.dots {
					if p := u.unit(load.ImportPath(spec)); p != nil && u.need(p, node.Name) {
						imported[spec] = true
					}
				}
			}
		}
		return true
	}
	if f, ok := d.node.(*ast.FuncDecl); ok {
		if f.Recv != nil {
			ast.Inspect(f.Recv, visit)
		}
		ast.Inspect(f.Type, visit)
	} else {
		ast.Inspect(d.node, visit)
	}
	for spec := range imported {
		d.imports = append(d.imports, spec)
	}
}

// pendingFiles returns files with the pending declarations, and the imports that these need.
func (p *unit) pendingFiles() []*ast.File {
	var files []*ast.File
	for of, declarations := range p.pending {
		reduced := &ast.File{
			Package: of.syntax.Package, Name: of.syntax.Name, FileStart: of.syntax.FileStart, FileEnd: of.syntax.FileEnd, GoVersion: of.syntax.GoVersion,
		}
		imports := &ast.GenDecl{TokPos: of.syntax.Package, Tok: token.IMPORT}
		for _, d := range declarations {
			for _, spec := range d.imports {
				if !slices.Contains(reduced.Imports, spec) {
					reduced.Imports = append(reduced.Imports, spec)
					imports.Specs = append(imports.Specs, spec)
				}
			}
		}
		if len(imports.Specs) > 0 {
			reduced.Decls = append(reduced.Decls, imports)
		}
		for _, d := range declarations {
			reduced.Decls = append(reduced.Decls, d.node)
		}
		files = append(files, reduced)
	}
	slices.SortFunc(files, func(a, b *ast.File) int { return int(a.FileStart - b.FileStart) })
	clear(p.pending)
	return files
}

// imports returns the packages of the universe that files import.
func (u *universe) imports(files []*ast.File) []*unit {
	found := map[*unit]bool{}
	for _, f := range files {
		for _, spec := range f.Imports {
			if p := u.units[load.ImportPath(spec)]; p != nil {
				found[p] = true
			}
		}
	}
	return slices.Collect(maps.Keys(found))
}
