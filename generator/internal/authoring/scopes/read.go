package scopes

import (
	"cmp"
	"go/ast"
	"go/parser"
	"go/token"
	"io/fs"
	"maps"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strings"

	"github.com/mrgen-io/mrgen/generator/internal/authoring/layout"
	"github.com/mrgen-io/mrgen/generator/internal/diag"
	"github.com/mrgen-io/mrgen/generator/internal/flavor"
	"github.com/mrgen-io/mrgen/generator/internal/gosyntax"
	"github.com/mrgen-io/mrgen/generator/internal/source/counterpart"
	"github.com/mrgen-io/mrgen/generator/internal/source/scope"
	"github.com/mrgen-io/mrgen/markers"
)

// A folder is a package of the module.
type folder struct {
	// dir is relative to the root, and name that of the package.
	dir, name string
	// files are those that are not generated, without tests.
	files    map[string]*ast.File
	hasTests bool
	imports  map[string]bool
	// scopes are those of its managed resources, and group is their API group.
	scopes map[flavor.Scope]diag.Position
	group  string
	// configs is set if it has ProviderConfigs, and alone is where it has a managed resource of a
	// generation that has one scope alone.
	configs bool
	alone   *diag.Position
}

// isAPI reports whether the package has kinds.
func (f *folder) isAPI() bool { return len(f.scopes) > 0 || f.configs || f.alone != nil }

// readFolders returns the packages of a module, by their folders.
func readFolders(root string) (map[string]*folder, diag.List) {
	folders := map[string]*folder{}
	var diags diag.List
	fset := token.NewFileSet()
	_ = filepath.WalkDir(root, func(file string, entry fs.DirEntry, err error) error {
		rel, relErr := filepath.Rel(root, file)
		if err != nil || relErr != nil {
			return nil // what can't be read is for the go command to report
		}
		if entry.IsDir() {
			_, err := os.Stat(filepath.Join(file, "go.mod"))
			if file != root && (err == nil || scope.IsIgnored(entry.Name())) {
				return fs.SkipDir
			}
			return nil
		}
		name := filepath.ToSlash(rel)
		dir := path.Dir(name)
		if path.Ext(name) != ".go" || strings.HasPrefix(entry.Name(), "zz_") {
			return nil
		}
		if folders[dir] == nil {
			folders[dir] = &folder{dir: dir, files: map[string]*ast.File{}, imports: map[string]bool{}, scopes: map[flavor.Scope]diag.Position{}}
		}
		f := folders[dir]
		if strings.HasSuffix(name, "_test.go") {
			f.hasTests = true
			return nil
		}
		syntax, err := parser.ParseFile(fset, file, nil, parser.ParseComments|parser.SkipObjectResolution)
		if err != nil {
			diags = append(diags, layout.Unparsable(name, err))
			return nil
		}
		f.add(name, syntax, func(pos token.Pos) diag.Position {
			p := fset.PositionFor(pos, false)
			return diag.Position{File: name, Line: p.Line, Column: p.Column}
		})
		return nil
	})
	return folders, diags
}

// add adds a file.
func (f *folder) add(name string, syntax *ast.File, position func(token.Pos) diag.Position) {
	f.name, f.files[name] = syntax.Name.Name, syntax
	for _, spec := range syntax.Imports {
		f.imports[gosyntax.ImportPath(spec)] = true
	}
	embedded := counterpart.FindEmbedded(syntax)
	f.configs = f.configs || embedded.Configs != nil
	for scope, pos := range embedded.Scopes {
		f.scopes[scope] = position(pos)
	}
	if embedded.Alone != token.NoPos {
		at := position(embedded.Alone)
		f.alone = &at
	}
	f.group = cmp.Or(gosyntax.MarkerValue(syntax, markers.GroupName+"="), f.group)
}

// commonFolder returns the folder that all others are in.
func commonFolder(dirs []string) string {
	common := path.Dir(dirs[0])
	for _, dir := range dirs {
		for common != "." && !strings.HasPrefix(dir, common+"/") {
			common = path.Dir(common)
		}
	}
	return common
}

func sorted[T any](m map[string]T) []string { return slices.Sorted(maps.Keys(m)) }
