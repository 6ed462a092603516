package fixes

import (
	"context"
	"go/ast"
	"go/parser"
	"go/token"
	"go/types"
	"maps"
	"slices"

	"golang.org/x/tools/go/packages"

	"github.com/mrgen-io/mrgen/generator/diag"
	"github.com/mrgen-io/mrgen/generator/internal/model"
	"github.com/mrgen-io/mrgen/generator/internal/source/load"
	"github.com/mrgen-io/mrgen/generator/internal/source/modules"
)

// A Use is a place in Go source that uses a field.
type Use struct {
	Pos   diag.Position
	Field model.FieldName
	// Compiles is set if the line compiles with the edits.
	Compiles bool
}

// FieldUses returns where the modules of a scope use fields, sorted by position. It searches all packages, not only those
// that the patterns select, and their tests, but not files that the run replaces. Edited files, by their paths relative
// to the module root, replace the files on disk. Code that does not compile is searched as well as possible. The error
// is the go command's.
func FieldUses(ctx context.Context, sc *modules.Scope, fields []model.FieldName, edited map[string][]byte) ([]Use, error) {
	dirs := map[string]bool{".": true}
	for _, m := range sc.Modules {
		dirs[m.Dir] = true
	}
	u := &useFinder{Files: load.Files{Scope: sc, Fset: token.NewFileSet()}, found: map[diag.Position]Use{}, broken: map[diag.Position]bool{}}
	overlay := map[string][]byte{}
	for name, content := range edited {
		overlay[sc.Abs(name)] = content
	}
	for _, dir := range slices.Sorted(maps.Keys(dirs)) {
		pkgs, err := packages.Load(&packages.Config{
			Context:   ctx,
			Dir:       sc.Abs(dir),
			Fset:      u.Fset,
			Overlay:   overlay,
			Tests:     true,
			ParseFile: u.parse,
			// With export data, the go command would compile code that the edit may have
			// broken.
			Mode: packages.LoadAllSyntax,
		}, "./...")
		if err != nil {
			return nil, err
		}
		declared := u.declarations(pkgs, fields)
		for _, pkg := range pkgs {
			u.inPackage(pkg, declared)
		}
	}
	for at, use := range u.found {
		use.Compiles = !u.broken[diag.Position{File: at.File, Line: at.Line}]
		u.found[at] = use
	}
	return slices.SortedFunc(maps.Values(u.found), func(a, b Use) int { return a.Pos.Compare(b.Pos) }), nil
}

// A useFinder looks for uses of fields.
type useFinder struct {
	load.Files
	found map[diag.Position]Use
	// broken are the lines that don't compile.
	broken map[diag.Position]bool
}

// parse parses a file, without the bodies of functions in other modules.
func (u *useFinder) parse(fset *token.FileSet, name string, content []byte) (*ast.File, error) {
	if !load.InModule(u.Relative(name)) { // functions of other modules don't use the author's fields
		return load.ParseDeclarations(fset, name, content)
	}
	return parser.ParseFile(fset, name, content, parser.SkipObjectResolution|parser.AllErrors)
}

// declarations returns where fields are declared.
func (u *useFinder) declarations(pkgs []*packages.Package, fields []model.FieldName) map[diag.Position]model.FieldName {
	byPath := map[string][]model.FieldName{}
	for _, f := range fields {
		byPath[f.Package] = append(byPath[f.Package], f)
	}
	declared := map[diag.Position]model.FieldName{}
	// With tests and without, there may be several packages with one path.
	packages.Visit(pkgs, nil, func(pkg *packages.Package) {
		if pkg.Types == nil {
			return
		}
		for _, name := range byPath[pkg.PkgPath] {
			object := pkg.Types.Scope().Lookup(name.Struct)
			if object == nil {
				continue
			}
			structType, ok := object.Type().Underlying().(*types.Struct)
			if !ok {
				continue
			}
			for field := range structType.Fields() {
				if field.Name() == name.Field {
					declared[u.Position(field.Pos())] = name
				}
			}
		}
	})
	return declared
}

// inPackage records the uses in a package: by name, and in composite literals without field
// names.
func (u *useFinder) inPackage(pkg *packages.Package, declared map[diag.Position]model.FieldName) {
	if pkg.TypesInfo == nil {
		return
	}
	for _, e := range pkg.TypeErrors {
		at := u.Position(e.Pos)
		u.broken[diag.Position{File: at.File, Line: at.Line}] = true
	}
	record := func(at token.Pos, object types.Object) {
		if field, ok := object.(*types.Var); ok && field.IsField() {
			if name, ok := declared[u.Position(field.Pos())]; ok {
				// each variant of a package has its own objects: compare positions
				u.record(at, name)
			}
		}
	}
	for name, object := range pkg.TypesInfo.Uses {
		record(name.Pos(), object)
	}
	// A promoted field is selected through embedded fields that are not named there.
	for selector, selection := range pkg.TypesInfo.Selections {
		through := selection.Recv()
		for _, i := range selection.Index()[:len(selection.Index())-1] {
			structType, ok := underlying(through).(*types.Struct)
			if !ok {
				break
			}
			record(selector.Sel.Pos(), structType.Field(i))
			through = structType.Field(i).Type()
		}
	}
	for _, file := range pkg.Syntax {
		ast.Inspect(file, func(node ast.Node) bool {
			literal, ok := node.(*ast.CompositeLit)
			if !ok {
				return true
			}
			structType, ok := underlying(pkg.TypesInfo.TypeOf(literal)).(*types.Struct)
			for i := 0; ok && i < min(len(literal.Elts), structType.NumFields()); i++ {
				if _, keyed := literal.Elts[i].(*ast.KeyValueExpr); !keyed {
					record(literal.Elts[i].Pos(), structType.Field(i))
				}
			}
			return true
		})
	}
}

// underlying returns the underlying type of t, or of the type that t points to.
func underlying(t types.Type) types.Type {
	if t == nil {
		return nil
	}
	if pointer, ok := t.Underlying().(*types.Pointer); ok {
		t = pointer.Elem()
	}
	return t.Underlying()
}

func (u *useFinder) record(pos token.Pos, field model.FieldName) {
	use := Use{Pos: u.Position(pos), Field: field}
	if load.InModule(use.Pos.File) && !slices.Contains(u.Scope.Generated, use.Pos.File) {
		u.found[use.Pos] = use
	}
}
