package load

import (
	"go/ast"
	"go/token"
	"path"

	"sigs.k8s.io/controller-tools/pkg/loader"

	"github.com/mrgen-io/mrgen/generator/internal/artifact"
	"github.com/mrgen-io/mrgen/generator/internal/gosyntax"
	"github.com/mrgen-io/mrgen/generator/internal/source/readlog"
)

// Names are the names that the author of a package, and other generators, use in it. mrgen's own output is left out.
type Names struct {
	// Declared are the names that the package declares. Names that a build for this system lacks have no position; the
	// same is true of imported names.
	Declared map[string]token.Pos
	// Methods and Fields are by the names of their types, without the members of embedded structs.
	Methods, Fields map[string]map[string]token.Pos
	// Imported are the names that files use for their imports. If a file doesn't spell out a name, it may come from the
	// path.
	Imported map[string]token.Pos
}

// Names returns the names in the package of a folder, including tests and files for other operating systems and
// architectures.
func (p *Program) Names(importPath, name, dir string) *Names {
	return p.names.Get(dir, func() *Names {
		n := &Names{
			Declared: map[string]token.Pos{}, Methods: map[string]map[string]token.Pos{}, Fields: map[string]map[string]token.Pos{},
			Imported: map[string]token.Pos{},
		}
		files := p.listing.testFiles(dir)
		pkg := p.api(importPath)
		if pkg != nil {
			files = append(files, newPackage(p, pkg).Parse()...)
			// Names that this build lacks come first, and lose their positions; a file that it has may give them one again.
			n.add(p, pkg, name, p.listing.filesNotBuilt(pkg))
			n.Declared, n.Imported = withoutPositions(n.Declared), withoutPositions(n.Imported)
			clear(n.Methods)
			clear(n.Fields)
		}
		n.add(p, pkg, name, files)
		return n
	})
}

// withoutPositions removes the positions of names that a build may lack.
func withoutPositions(names map[string]token.Pos) map[string]token.Pos {
	for name := range names {
		names[name] = token.NoPos
	}
	return names
}

// add adds the names in the files that belong to a package.
func (n *Names) add(p *Program, pkg *loader.Package, name string, files []*ast.File) {
	for _, file := range files {
		if file.Name.Name == name {
			n.addFile(p, pkg, file)
		}
	}
}

func (n *Names) addFile(p *Program, pkg *loader.Package, file *ast.File) {
	for _, spec := range file.Imports {
		n.addImport(p, pkg, spec)
	}
	member := func(of map[string]map[string]token.Pos, t string, name *ast.Ident) {
		if of[t] == nil {
			of[t] = map[string]token.Pos{}
		}
		of[t][name.Name] = name.Pos()
	}
	for _, decl := range file.Decls {
		gosyntax.EachName(decl, func(name *ast.Ident) { n.Declared[name.Name] = name.Pos() })
		if f, ok := decl.(*ast.FuncDecl); ok && gosyntax.Receiver(f) != "" {
			member(n.Methods, gosyntax.Receiver(f), f.Name)
		}
	}
	for _, declared := range gosyntax.Types(file) {
		if structType, ok := declared.Type.(*ast.StructType); ok {
			for _, field := range structType.Fields.List { // members of embedded structs are left out
				for _, name := range gosyntax.FieldNames(field) {
					member(n.Fields, declared.Name.Name, name)
				}
			}
		}
	}
}

// addImport adds the name of an import. For a dot import, it adds the names that the file gets from the package, which a
// declaration must not use either.
func (n *Names) addImport(p *Program, pkg *loader.Package, spec *ast.ImportSpec) {
	importPath := gosyntax.ImportPath(spec)
	var imported *loader.Package
	if pkg != nil {
		imported = pkg.Imports()[importPath]
	}
	name := gosyntax.NameIn(spec, path.Base)
	if spec.Name == nil && imported != nil {
		name = imported.Name
	}
	switch {
	case name == "_":
	case name != ".":
		n.Imported[name] = spec.Pos()
	case imported != nil:
		for _, file := range newPackage(p, imported).Parse() {
			for _, decl := range file.Decls {
				gosyntax.EachName(decl, func(name *ast.Ident) {
					if name.IsExported() {
						n.Imported[name.Name] = spec.Pos()
					}
				})
			}
		}
	}
}

// testFiles returns the tests in a folder, without the bodies of functions. It leaves out tests that don't parse, which
// the compiler reports.
func (l *Listing) testFiles(dir string) []*ast.File {
	var files []*ast.File
	for _, name := range l.goFiles(l.Scope.Abs(dir)) {
		if readlog.IsTest(name) {
			files = l.appendParsed(files, name)
		}
	}
	return files
}

// appendParsed appends a file that mrgen has not written, if it parses.
func (l *Listing) appendParsed(files []*ast.File, name string) []*ast.File {
	source, err := l.ReadFile(name)
	if err != nil || artifact.Owned(source) {
		return files // another run may have written it since the packages were listed
	}
	if file, err := ParseDeclarations(l.Files.Fset, name, source); err == nil {
		files = append(files, file)
	}
	return files
}
