package load

import (
	"go/ast"
	"go/token"
	"go/types"
	"maps"
	"slices"

	"github.com/mrgen-io/mrgen/generator/internal/gosyntax"
)

// An Outline is the part of a package that others depend on. Its declarations are taken one by one, as others need them,
// since they need only a small part of most packages.
type Outline struct {
	// declared are the declarations by name, with methods below the name of their type.
	declared map[string][]*Declaration
	// unfollowed are the declarations that were taken since the last call of Follow.
	unfollowed []*Declaration
	// pending are the declarations that were taken since the last call of Pending, by file.
	pending map[*outlineFile][]*Declaration
}

// An outlineFile is a file with declarations.
type outlineFile struct {
	syntax  *ast.File
	imports *gosyntax.Imports
}

// A Declaration is taken as a whole.
type Declaration struct {
	// Node is a function, or a declaration of one name, or a group of constants.
	Node ast.Decl

	file  *outlineFile
	taken bool
	// needed are the imports of the file that it needs.
	needed []*ast.ImportSpec
}

// NewOutline returns the outline of a package in these files, with nothing taken. The function
// is as for [gosyntax.NewImports].
func NewOutline(files []*ast.File, nameOf func(importPath string) string) *Outline {
	o := &Outline{declared: map[string][]*Declaration{}, pending: map[*outlineFile][]*Declaration{}}
	for _, syntax := range files {
		o.addFile(&outlineFile{syntax: syntax, imports: gosyntax.NewImports(syntax, nameOf)})
	}
	return o
}

func (o *Outline) addFile(file *outlineFile) {
	for _, decl := range file.syntax.Decls {
		switch decl := decl.(type) {
		case *ast.FuncDecl:
			if t := gosyntax.Receiver(decl); t != "" {
				d := &Declaration{file: file, Node: decl}
				o.declared[t] = append(o.declared[t], d)
				// In a oneof of protobuf, the methods have no effect and are called like the interface that they belong
				// to: a type that needs the interface needs their types.
				if !decl.Name.IsExported() {
					o.declared[decl.Name.Name] = append(o.declared[decl.Name.Name], d)
				}
			} else {
				o.declare(&Declaration{file: file, Node: decl})
			}
		case *ast.GenDecl:
			o.addGroup(file, decl)
		}
	}
}

// addGroup adds the declarations of a group one by one, except constants.
func (o *Outline) addGroup(file *outlineFile, group *ast.GenDecl) {
	if group.Tok == token.CONST { // a constant may repeat the expression of the one before
		o.declare(&Declaration{file: file, Node: group})
		return
	}
	for _, spec := range group.Specs {
		o.declare(&Declaration{file: file, Node: &ast.GenDecl{TokPos: group.TokPos, Tok: group.Tok, Specs: []ast.Spec{spec}}})
	}
}

func (o *Outline) declare(d *Declaration) {
	gosyntax.EachName(d.Node, func(name *ast.Ident) { o.declared[name.Name] = append(o.declared[name.Name], d) })
}

// Take takes the declarations of a name. It reports whether there are any of that name, and whether any was
// not taken yet.
func (o *Outline) Take(name string) (found, isNew bool) {
	for _, d := range o.declared[name] {
		if !d.taken {
			d.taken, isNew = true, true
			o.pending[d.file] = append(o.pending[d.file], d)
			o.unfollowed = append(o.unfollowed, d)
		}
	}
	return len(o.declared[name]) > 0, isNew
}

// TakeAll takes the declarations for which a function returns true.
func (o *Outline) TakeAll(wanted func(*Declaration) bool) {
	for _, name := range slices.Sorted(maps.Keys(o.declared)) {
		if slices.ContainsFunc(o.declared[name], wanted) {
			o.Take(name)
		}
	}
}

// Pending returns files with the declarations that were taken since the last call, and the imports that they need.
func (o *Outline) Pending() []*ast.File {
	var files []*ast.File
	for of, declarations := range o.pending {
		reduced := &ast.File{
			Package: of.syntax.Package, Name: of.syntax.Name, FileStart: of.syntax.FileStart, FileEnd: of.syntax.FileEnd,
			GoVersion: of.syntax.GoVersion,
		}
		imports := &ast.GenDecl{TokPos: of.syntax.Package, Tok: token.IMPORT}
		for _, d := range declarations {
			for _, spec := range d.needed {
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
			reduced.Decls = append(reduced.Decls, d.Node)
		}
		files = append(files, reduced)
	}
	slices.SortFunc(files, func(a, b *ast.File) int { return int(a.FileStart - b.FileStart) })
	clear(o.pending)
	return files
}

// Follow takes the declarations that the taken ones need, directly or indirectly, and notes their imports. It calls
// imported for names of other packages, which reports whether these declare them. Follows reports whether the names of
// other packages in a node matter.
func (o *Outline) Follow(imported func(spec *ast.ImportSpec, name string) bool, follows func(ast.Node) bool) {
	n := &needs{of: o, imported: imported, follows: follows}
	for len(o.unfollowed) > 0 {
		last := len(o.unfollowed) - 1
		d := o.unfollowed[last]
		o.unfollowed = o.unfollowed[:last]
		v := needsVisitor{needs: n, of: d, follows: follows(d.Node)}
		if f, ok := d.Node.(*ast.FuncDecl); !ok {
			ast.Walk(v, d.Node)
		} else {
			if f.Recv != nil {
				ast.Walk(v, f.Recv)
			}
			ast.Walk(v, f.Type)
		}
	}
}

// needs are the callbacks for the names that declarations need.
type needs struct {
	of       *Outline
	imported func(spec *ast.ImportSpec, name string) bool
	follows  func(ast.Node) bool
}

// A needsVisitor visits the names in a declaration.
type needsVisitor struct {
	needs *needs
	of    *Declaration
	// follows is set if names of other packages matter.
	follows bool
}

func (v needsVisitor) Visit(node ast.Node) ast.Visitor {
	switch node := node.(type) {
	case nil, *ast.BlockStmt: // bodies of functions don't affect types
		return nil
	case *ast.Field: // the names of parameters and fields refer to nothing
		ast.Walk(v.within(node), node.Type)
		return nil
	case *ast.SelectorExpr:
		if x, name := gosyntax.Selected(node); x != nil {
			if spec := v.of.file.imports.ByName[x.Name]; spec != nil {
				if v.follows {
					v.needs.imported(spec, name)
					v.note(spec)
				}
				return nil
			}
		}
		ast.Walk(v, node.X)
		return nil
	case *ast.Ident:
		v.name(node)
		return nil
	default:
		return v.within(node)
	}
}

// within returns the visitor for the contents of a node.
func (v needsVisitor) within(node ast.Node) needsVisitor {
	v.follows = v.follows && v.needs.follows(node)
	return v
}

// name visits a name that is not selected from anything.
func (v needsVisitor) name(name *ast.Ident) {
	if types.Universe.Lookup(name.Name) != nil { // such as string
		return
	}
	if found, _ := v.needs.of.Take(name.Name); found || !name.IsExported() || !v.follows {
		// a dot import provides only exported names
		return
	}
	for _, spec := range v.of.file.imports.Dots {
		if v.needs.imported(spec, name.Name) {
			v.note(spec)
		}
	}
}

func (v needsVisitor) note(spec *ast.ImportSpec) {
	if !slices.Contains(v.of.needed, spec) {
		v.of.needed = append(v.of.needed, spec)
	}
}
