package scaffolding

import (
	"go/ast"
	"go/parser"
	"go/token"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strings"

	"github.com/mrgen-io/mrgen/generator/diag"
	"github.com/mrgen-io/mrgen/generator/internal/artifact"
	"github.com/mrgen-io/mrgen/generator/internal/gosyntax"
	"github.com/mrgen-io/mrgen/markers"
)

// A Reference is a place that refers to a kind.
type Reference struct {
	Pos diag.Position
	// Manifest is set if it is in a manifest, and not in Go.
	Manifest bool
}

// references returns what refers to what is deleted, in Go and in manifests.
func (r *removal) references() ([]Reference, diag.List) {
	var found []Reference
	var diags diag.List
	err := filepath.WalkDir(r.root, func(file string, entry fs.DirEntry, err error) error {
		rel, relErr := filepath.Rel(r.root, file)
		name := filepath.ToSlash(rel)
		switch {
		case err != nil || relErr != nil:
			return err
		case entry.IsDir() && name != "." && (strings.HasPrefix(entry.Name(), ".") || hiddenFolders[entry.Name()]):
			return fs.SkipDir
		case entry.IsDir() || r.deleted[name] != nil:
			return nil
		}
		content := r.Files[name]
		if content == nil && (path.Ext(name) == ".go" || path.Ext(name) == ".yaml" || path.Ext(name) == ".yml") {
			if content, err = os.ReadFile(file); err != nil {
				diags = append(diags, unreadable(name, err))
				return nil
			}
		}
		switch {
		case content == nil || artifact.Owned(content): // what is generated follows
		case path.Ext(name) == ".go":
			for _, at := range r.inGo(name, content) {
				found = append(found, Reference{Pos: at})
			}
		default:
			for _, at := range manifestsOf(name, content, r.kinds, r.manifests) {
				found = append(found, Reference{Pos: at, Manifest: true})
			}
		}
		return nil
	})
	if err != nil {
		diags = append(diags, unreadable(".", err))
	}
	slices.SortFunc(found, func(a, b Reference) int { return a.Pos.Compare(b.Pos) })
	return found, diags
}

// hiddenFolders have no source of the provider.
var hiddenFolders = map[string]bool{"vendor": true, "testdata": true, "node_modules": true}

// inGo returns where a Go file refers to what is deleted: imports of packages, names, and markers.
func (r *removal) inGo(name string, content []byte) []diag.Position {
	fset := token.NewFileSet()
	file, err := parser.ParseFile(fset, name, content, parser.ParseComments)
	if err != nil {
		return nil // the go command says so
	}
	var found []diag.Position
	at := func(pos token.Pos) {
		p := fset.Position(pos)
		found = append(found, diag.Position{File: name, Line: p.Line, Column: p.Column})
	}
	gone := map[string]map[string]bool{} // by the name of an imported package
	for _, spec := range file.Imports {
		importPath := gosyntax.ImportPath(spec)
		folder, isOurs := strings.CutPrefix(importPath, r.provider.Module+"/")
		switch {
		case r.gone[importPath]:
			at(spec.Pos())
		case isOurs && r.names[folder] != nil:
			gone[gosyntax.NameIn(spec, path.Base)] = r.names[folder]
		}
	}
	own := r.names[path.Dir(name)]
	gosyntax.EachUse(file, func(from, name *ast.Ident) {
		switch {
		case from != nil && (gone[from.Name][name.Name] || own[from.Name]):
			at(from.Pos())
		case from == nil && own[name.Name] && name.Obj == nil && name.Name != "init" && name.Name != "_":
			at(name.Pos())
		}
	})
	for line := range gosyntax.Comments(file) {
		if r.isTarget(path.Dir(name), line.Text) {
			at(line.Pos())
		}
	}
	return found
}

// isTarget reports whether a line of comment is a reference marker with the kind as its target, in a
// package in a folder.
func (r *removal) isTarget(folder, line string) bool {
	_, target, found := strings.Cut(line, "+"+markers.ReferenceType+"=")
	target = strings.TrimSpace(target)
	pkg := r.provider.Module + "/" + folder
	if i := strings.LastIndexByte(target, '.'); i >= 0 {
		pkg, target = target[:i], target[i+1:]
	}
	rest, isOurs := strings.CutPrefix(pkg, r.provider.Module+"/")
	return found && target == r.kind.Name && (r.gone[pkg] || isOurs && r.names[rest] != nil)
}
