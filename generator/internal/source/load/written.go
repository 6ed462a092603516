package load

import (
	"context"
	"errors"
	"go/ast"
	"go/parser"
	"go/scanner"
	"go/token"
	"slices"
	"sync"

	"sigs.k8s.io/controller-tools/pkg/loader"

	"github.com/mrgen-io/mrgen/generator/diag"
	"github.com/mrgen-io/mrgen/generator/internal/source/modules"
	"github.com/mrgen-io/mrgen/generator/internal/source/readlog"
)

// ListWritten lists the packages of a scope as they are once a run has written its files, see [modules.Scope.Written],
// and the packages that the caller is expected to need besides, see [List]. Nothing is parsed: errors in a package show
// when it is checked. The log, which may be nil, records the files that are read then.
func ListWritten(ctx context.Context, sc *modules.Scope, expected []string, log *readlog.Log) (*Program, diag.List) {
	l := newListing(Files{Scope: sc, Fset: token.NewFileSet()})
	l.log = log
	if diags := l.readSettings(ctx); diags.HasErrors() {
		return nil, diags
	}
	for _, m := range sc.Modules {
		roots, err := l.listBesides(ctx, m, expected)
		if err != nil {
			return nil, l.listFailure(m, err, "the packages that are copied")
		}
		l.listed = append(l.listed, roots...)
	}
	l.noteInputs(slices.Concat(l.listed, l.expected))
	p := &Program{Files: l.Files, listing: l, roots: l.listed}
	p.byPath = sync.OnceValue(p.indexByPath)
	return p, nil
}

// Built returns the names of the Go files in a folder that are compiled with its package, or with
// its tests, relative to the module root.
func (p *Program) Built(dir string, tests bool) []string {
	names := p.listing.built(dir, tests)
	for i, name := range names {
		names[i] = p.Files.Relative(name)
	}
	return names
}

// ParseFile parses a file by its name relative to the module root, with the bodies of functions if whole is set.
// Positions in a copy are positions in its source. With an error, it returns the declarations that it could parse.
func (p *Program) ParseFile(name string, whole bool) (*ast.File, error) {
	file := p.Scope.Abs(name)
	source, err := p.listing.ReadFile(file)
	if err != nil {
		return nil, err
	}
	if !whole {
		return ParseDeclarations(p.Files.Fset, file, source)
	}
	syntax, err := parser.ParseFile(p.Files.Fset, file, source, parser.SkipObjectResolution|parser.ParseComments)
	if syntax != nil {
		p.place(syntax)
	}
	return syntax, err
}

// Read returns the content of a file as it is once the run has written its files.
func (p *Program) Read(file string) ([]byte, error) { return p.listing.ReadFile(file) }

// WrittenErrors reports files of the listed packages that can't be parsed, and their imports that can't be resolved.
func (p *Program) WrittenErrors() diag.List {
	var diags diag.List
	imports := p.importErrors(p.roots, func(pkg *loader.Package) []*ast.File {
		var files []*ast.File
		for _, name := range p.Built(p.Files.Relative(p.Files.PackageDir(pkg)), false) {
			file, err := p.ParseFile(name, true)
			var problems scanner.ErrorList
			if errors.As(err, &problems) {
				at := problems[0].Pos
				diags = append(diags, diag.Errorf(diag.Position{File: name, Line: at.Line, Column: at.Column}, codeSyntax, "%s", problems[0].Msg))
			} else if file != nil {
				files = append(files, file)
			}
		}
		return files
	})
	return append(diags, imports...)
}
