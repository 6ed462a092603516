package load

import (
	"go/ast"
	"go/parser"
	"go/token"
	"slices"
	"sort"
	"sync"

	"sigs.k8s.io/controller-tools/pkg/loader"

	"github.com/mrgen-io/mrgen/generator/diag"
	"github.com/mrgen-io/mrgen/generator/internal/gosyntax"
	"github.com/mrgen-io/mrgen/generator/internal/parallel"
)

// parse parses the roots, on all processors.
func (p *Program) parse() diag.List {
	before := make([]int, len(p.roots))
	parallel.Do(len(p.roots), func(i int) {
		before[i] = len(p.roots[i].Errors)
		p.Parse(p.roots[i])
	})
	var diags diag.List
	for i, pkg := range p.roots {
		for _, e := range pkg.Errors[before[i]:] {
			diags = append(diags, p.listing.diagnostic(pkg, p.Scope.Root(), codeSyntax, e))
		}
	}
	return diags
}

// Parse parses a package once. If there are errors, it adds them to the package, which then has no syntax. It takes less
// memory than the loader: identifiers are not resolved, and the bodies of functions are dropped.
func (p *Program) Parse(pkg *loader.Package) {
	if pkg.Syntax != nil {
		return
	}
	files, local := make([]*ast.File, 0, len(pkg.CompiledGoFiles)), p.IsLocal(pkg)
	for _, name := range pkg.CompiledGoFiles {
		parse := func() (*ast.File, error) { return p.parseFile(name) }
		if !local { // forks share the syntax of other modules
			parse = p.listing.once("types in "+name, parse)
		}
		file, err := parse()
		if err != nil {
			pkg.AddError(err)
			continue
		}
		files = append(files, file)
	}
	if len(files) == len(pkg.CompiledGoFiles) {
		pkg.Syntax = files
	}
}

// parseFile parses a file for the types in it.
func (p *Program) parseFile(name string) (*ast.File, error) {
	source, err := p.listing.ReadFile(name)
	if err != nil {
		return nil, err
	}
	file, err := parser.ParseFile(p.Files.Fset, name, source, parser.AllErrors|parser.ParseComments|parser.SkipObjectResolution)
	if err != nil {
		return nil, err
	}
	p.place(file)
	DropBodies(file)
	dropC(file)
	return file, nil
}

// once returns a function that parses a file of another module once for all forks.
func (l *Listing) once(what string, parse func() (*ast.File, error)) func() (*ast.File, error) {
	known, _ := l.parsed.LoadOrStore(what, sync.OnceValues(parse))
	return known.(func() (*ast.File, error))
}

// place gives a copy the positions of its source.
func (p *Program) place(file *ast.File) {
	tokens := p.Files.Fset.File(file.FileStart)
	c := p.Scope.Copy(tokens.Name())
	if c == nil {
		return
	}
	source := p.Scope.Abs(c.Source)
	for _, at := range c.Marks {
		tokens.AddLineColumnInfo(at.Offset, source, at.Line, at.Column)
	}
}

// dropC drops "C", which isn't a package, from the imports of a file. The declaration stays.
func dropC(file *ast.File) {
	file.Imports = slices.DeleteFunc(file.Imports, func(spec *ast.ImportSpec) bool { return spec.Path.Value == `"C"` })
}

// DropBodies empties the bodies of functions, except bodies with markers.
func DropBodies(file *ast.File) {
	for _, decl := range file.Decls {
		if f, ok := decl.(*ast.FuncDecl); ok && f.Body != nil && !hasMarkers(file, f.Body) {
			// controller-tools reads the markers of types in functions
			f.Body.List = nil
		}
	}
}

// hasMarkers reports whether there are markers in the comments within a node.
func hasMarkers(file *ast.File, node ast.Node) bool {
	for range gosyntax.Markers(CommentsIn(file, node)...) {
		return true
	}
	return false
}

// CommentsIn returns the comments within a node.
func CommentsIn(file *ast.File, node ast.Node) []*ast.CommentGroup {
	from := func(pos token.Pos) int {
		return sort.Search(len(file.Comments), func(i int) bool { return file.Comments[i].Pos() >= pos })
	}
	return file.Comments[from(node.Pos()):from(node.End())]
}
