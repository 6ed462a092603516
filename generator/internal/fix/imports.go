package fix

import (
	"go/ast"
	"go/parser"
	"go/token"
	"os"
	"path"
	"path/filepath"
	"strconv"
	"strings"

	"github.com/mrgen-io/mrgen/generator/internal/flavor"
)

// qualifier returns the name that the file has for a package: it may be "" where the
// file imports the names in it with a dot. A package that the file does not import is
// imported, by its alias if that is free.
func (f *file) qualifier(pkg flavor.Import) string {
	if name, ok := f.imports[pkg.Path]; ok {
		return name
	}
	taken := map[string]bool{}
	for _, spec := range f.syntax.Imports {
		name := path.Base(importPath(spec))
		if spec.Name != nil {
			name = spec.Name.Name
		}
		if importPath(spec) == pkg.Path && name != "_" {
			if name == "." {
				name = ""
			}
			f.imports[pkg.Path] = name
			return name
		}
		taken[name] = true
	}
	for name := range f.packageNames() {
		taken[name] = true
	}
	name := freeName(pkg, taken)
	f.imports[pkg.Path] = name
	f.addImport(name, pkg.Path)
	return name
}

func importPath(spec *ast.ImportSpec) string {
	unquoted, err := strconv.Unquote(spec.Path.Value)
	if err != nil {
		return spec.Path.Value // not for the parser's output
	}
	return unquoted
}

// freeName returns a name to import a package by: its alias, or else the names of
// its folders, with a number if need be.
func freeName(pkg flavor.Import, taken map[string]bool) string {
	name := pkg.Alias
	for i := 1; taken[name]; i++ {
		name = path.Base(path.Dir(pkg.Path)) + path.Base(pkg.Path)
		if i > 1 {
			name += "x" + strconv.Itoa(i)
		}
	}
	return name
}

// packageNames returns the names that the files in the folder declare, which no
// import may have.
func (f *file) packageNames() map[string]bool {
	names := map[string]bool{}
	entries, _ := os.ReadDir(f.folder) // what can't be read is not loaded either
	for _, entry := range entries {
		if !strings.HasSuffix(entry.Name(), ".go") || entry.IsDir() {
			continue
		}
		parsed, _ := parser.ParseFile(token.NewFileSet(), filepath.Join(f.folder, entry.Name()), nil, parser.SkipObjectResolution)
		if parsed == nil {
			continue
		}
		for _, decl := range parsed.Decls {
			for _, name := range declaredNames(decl) {
				names[name.Name] = true
			}
		}
	}
	return names
}

func declaredNames(decl ast.Decl) []*ast.Ident {
	switch decl := decl.(type) {
	case *ast.FuncDecl:
		if decl.Recv == nil {
			return []*ast.Ident{decl.Name}
		}
	case *ast.GenDecl:
		var names []*ast.Ident
		for _, spec := range decl.Specs {
			switch spec := spec.(type) {
			case *ast.TypeSpec:
				names = append(names, spec.Name)
			case *ast.ValueSpec:
				names = append(names, spec.Names...)
			}
		}
		return names
	}
	return nil
}

// addImport adds an import: to the imports of packages that are near, or else of
// other modules, in the order of their paths, or else after all imports.
func (f *file) addImport(name, importedPath string) {
	spec := name + " " + strconv.Quote(importedPath)
	if near := f.nearImports(importedPath); near != nil {
		f.addSpec(near, spec, importedPath)
		return
	}
	var last *ast.GenDecl
	for _, decl := range f.syntax.Decls {
		if decl, ok := decl.(*ast.GenDecl); ok && decl.Tok == token.IMPORT {
			last = decl
		}
	}
	switch {
	case last == nil:
		f.addLines(f.syntax.Name.End(), "\n\nimport (\n\t"+spec+"\n)")
	case last.Lparen.IsValid() && len(last.Specs) > 0:
		f.addLines(last.Specs[len(last.Specs)-1].End(), "\n\n\t"+spec)
	default:
		f.addLines(last.End(), "\nimport "+spec)
	}
}

// addLines adds lines after the one that has the end of a node.
func (f *file) addLines(end token.Pos, lines string) {
	at, isEnd := f.lineEnd(f.offset(end))
	if !isEnd {
		lines += "\n"
	}
	f.insert(at, strings.ReplaceAll(lines, "\n", f.lineBreak(at)))
}

// nearImports returns the imports in parentheses, without blank lines between them,
// that one for the path belongs to, or nil.
func (f *file) nearImports(importedPath string) []*ast.ImportSpec {
	var near []*ast.ImportSpec
	best := 0
	for _, block := range f.importBlocks() {
		for _, spec := range block {
			if n := nearness(importPath(spec), importedPath); n > best {
				near, best = block, n
			}
		}
	}
	return near
}

// nearness compares two import paths: 0 if the other is of the standard library, and
// else how many elements they share, but at least 1.
func nearness(other, importedPath string) int {
	a, b := strings.Split(other, "/"), strings.Split(importedPath, "/")
	if !strings.Contains(a[0], ".") {
		return 0
	}
	shared := 0
	for shared < min(len(a), len(b)) && a[shared] == b[shared] {
		shared++
	}
	return max(shared, 1)
}

// importBlocks returns the imports in parentheses, in groups without blank lines.
func (f *file) importBlocks() [][]*ast.ImportSpec {
	var blocks [][]*ast.ImportSpec
	for _, decl := range f.syntax.Decls {
		decl, ok := decl.(*ast.GenDecl)
		if !ok || decl.Tok != token.IMPORT || !decl.Lparen.IsValid() {
			continue
		}
		previous := -1
		for _, s := range decl.Specs {
			spec := s.(*ast.ImportSpec)
			start := spec.Pos()
			if spec.Doc != nil {
				start = spec.Doc.Pos()
			}
			if line := f.tokens.Line(start); previous < 0 || line > previous+1 {
				blocks = append(blocks, nil)
			}
			last := len(blocks) - 1
			blocks[last] = append(blocks[last], spec)
			previous = f.tokens.Line(spec.End())
		}
	}
	return blocks
}

// addSpec adds an import to others, before the first one with a greater path.
func (f *file) addSpec(to []*ast.ImportSpec, spec, importedPath string) {
	previous := to[0]
	for _, other := range to {
		if importPath(other) < importedPath {
			previous = other
		}
	}
	if importPath(previous) < importedPath {
		f.addLines(previous.End(), "\n\t"+spec)
		return
	}
	start := previous.Pos()
	if previous.Doc != nil {
		start = previous.Doc.Pos()
	}
	f.insert(f.offset(start), spec+f.lineBreak(f.offset(start))+"\t")
}
