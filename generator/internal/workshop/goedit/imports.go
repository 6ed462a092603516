package goedit

import (
	"go/ast"
	"go/parser"
	"go/token"
	"go/types"
	"os"
	"path"
	"path/filepath"
	"strconv"
	"strings"

	"github.com/mrgen-io/mrgen/generator/internal/gosyntax"
)

// Import returns the name of a package in the file, or "" for a dot import. If the file doesn't import the
// package, Import adds it with the first free name, or with the last name and a number. If module is set, the
// import goes to a block with imports of that module.
func (f *File) Import(importPath, module string, names ...string) string {
	if name, ok := f.imports[importPath]; ok {
		return name
	}
	taken := map[string]bool{}
	for _, spec := range f.Syntax.Imports {
		name := gosyntax.NameIn(spec, path.Base)
		if gosyntax.ImportPath(spec) == importPath && name != "_" {
			if name == "." {
				name = ""
			}
			f.imports[importPath] = name
			return name
		}
		taken[name] = true
	}
	f.addPackageNames(taken)
	name := freeName(names, taken)
	f.imports[importPath] = name
	f.addImport(name, importPath, module)
	return name
}

func freeName(names []string, taken map[string]bool) string {
	isTaken := func(name string) bool {
		return taken[name] || token.IsKeyword(name) || types.Universe.Lookup(name) != nil
	}
	for _, name := range names {
		if !isTaken(name) {
			return name
		}
	}
	last := names[len(names)-1]
	// v1 and the number 2 would read as v12.
	if c := last[len(last)-1]; '0' <= c && c <= '9' {
		last += "x"
	}
	n := 2
	for isTaken(last + strconv.Itoa(n)) {
		n++
	}
	return last + strconv.Itoa(n)
}

// addPackageNames adds the names that the file and the other files of its folder declare.
func (f *File) addPackageNames(taken map[string]bool) {
	addDeclaredNames(taken, f.Syntax)
	entries, _ := os.ReadDir(f.folder) // load reports what can't be read
	for _, entry := range entries {
		if !strings.HasSuffix(entry.Name(), ".go") || entry.IsDir() {
			continue
		}
		name := filepath.Join(f.folder, entry.Name())
		if parsed, _ := parser.ParseFile(token.NewFileSet(), name, nil, parser.SkipObjectResolution); parsed != nil {
			addDeclaredNames(taken, parsed)
		}
	}
}

func addDeclaredNames(names map[string]bool, file *ast.File) {
	for _, decl := range file.Decls {
		gosyntax.EachName(decl, func(name *ast.Ident) { names[name.Name] = true })
	}
}

// addImport adds an import below the one with the nearest path, or below all imports.
// Formatting sorts it among the others.
func (f *File) addImport(name, importPath, module string) {
	spec := name + " " + strconv.Quote(importPath)
	var last *ast.GenDecl
	var near *ast.ImportSpec
	best := 0
	for _, decl := range f.Syntax.Decls {
		decl, ok := decl.(*ast.GenDecl)
		if !ok || decl.Tok != token.IMPORT {
			continue
		}
		if last = decl; !decl.Lparen.IsValid() {
			continue
		}
		for _, s := range decl.Specs {
			other := s.(*ast.ImportSpec)
			n := nearness(gosyntax.ImportPath(other), importPath, module)
			isNext := near != nil && f.tokens.Line(startOf(other)) == f.tokens.Line(near.End())+1 // no blank line between
			if n > best || n == best && isNext && gosyntax.ImportPath(other) < importPath {
				near, best = other, n
			}
		}
	}
	switch {
	case near != nil && gosyntax.ImportPath(near) > importPath:
		f.insertLine(startOf(near), "\t", spec)
	case near != nil:
		f.addLines(near.End(), "\n\t"+spec)
	case last == nil:
		f.addLines(f.Syntax.Name.End(), "\n\nimport (\n\t"+spec+"\n)")
	case last.Lparen.IsValid() && len(last.Specs) > 0:
		f.addLines(last.Specs[len(last.Specs)-1].End(), "\n\n\t"+spec)
	default:
		f.addLines(last.End(), "\nimport "+spec)
	}
}

// startOf returns where an import begins, with its comment.
func startOf(spec *ast.ImportSpec) token.Pos {
	if spec.Doc != nil {
		return spec.Doc.Pos()
	}
	return spec.Pos()
}

// addLines adds lines below the line on which a node ends.
func (f *File) addLines(end token.Pos, lines string) {
	at, isEnd := f.lineEnd(f.offset(end))
	if !isEnd {
		lines += "\n"
	}
	f.text.insert(at, strings.ReplaceAll(lines, "\n", f.text.lineBreak(at)))
}

// nearness returns the number of common elements of two import paths, at least 1. It returns 0 if the other
// path is outside the module or, without a module, in the standard library.
func nearness(other, importPath, module string) int {
	a, b := strings.Split(other, "/"), strings.Split(importPath, "/")
	isNear := strings.Contains(a[0], ".")
	if module != "" {
		isNear = strings.HasPrefix(other+"/", module+"/")
	}
	if !isNear {
		return 0
	}
	shared := 0
	for shared < min(len(a), len(b)) && a[shared] == b[shared] {
		shared++
	}
	return max(shared, 1)
}
