package addscope

import (
	"cmp"
	"go/ast"
	"go/token"
	"maps"
	"path"
	"slices"
	"strings"

	"github.com/mrgen-io/mrgen/generator/diag"
	"github.com/mrgen-io/mrgen/generator/internal/flavor"
	"github.com/mrgen-io/mrgen/generator/internal/gosyntax"
	"github.com/mrgen-io/mrgen/generator/internal/source/modules"
	"github.com/mrgen-io/mrgen/generator/internal/source/scopecopies"
	"github.com/mrgen-io/mrgen/generator/internal/workshop/layout"
	"github.com/mrgen-io/mrgen/markers"
)

// A folder is a package of the module with hand-written files.
type folder struct {
	name string
	// files are the hand-written files, without tests.
	files    map[string]*ast.File
	hasTests bool
	imports  map[string]bool
	// scopes are the scopes of its managed resources, and group is their API group.
	scopes map[flavor.Scope]diag.Position
	group  string
	// configs is set if it has ProviderConfigs. alone is the position of a managed resource whose generation
	// has one scope only, or nil.
	configs bool
	alone   *diag.Position
}

// isAPI reports whether the package has kinds.
func (f *folder) isAPI() bool { return len(f.scopes) > 0 || f.configs || f.alone != nil }

// readFolders returns the packages of a module by folder.
func readFolders(root string) (map[string]*folder, diag.List) {
	folders := map[string]*folder{}
	source, diags := layout.Read(root)
	if diags.HasErrors() {
		return nil, diags
	}
	modules.EachFolder(root, ".", func(dir string, names []string) {
		names = slices.DeleteFunc(names, func(name string) bool { return strings.HasPrefix(name, "zz_") })
		if len(names) == 0 {
			return
		}
		f := &folder{files: map[string]*ast.File{}, imports: map[string]bool{}, scopes: map[flavor.Scope]diag.Position{}}
		folders[dir] = f
		for _, name := range names {
			if name = path.Join(dir, name); strings.HasSuffix(name, "_test.go") {
				f.hasTests = true
			} else {
				f.add(name, source.Packages[dir])
			}
		}
	})
	return folders, diags
}

// add adds a file.
func (f *folder) add(name string, p *layout.Package) {
	syntax := p.Files[name]
	f.name, f.files[name] = syntax.Name.Name, syntax
	for _, spec := range syntax.Imports {
		f.imports[gosyntax.ImportPath(spec)] = true
	}
	embedded := scopecopies.FindEmbedded(syntax)
	f.configs = f.configs || embedded.Configs != nil
	for scope, pos := range embedded.Scopes {
		f.scopes[scope] = p.Position(name, pos)
	}
	if embedded.Alone != token.NoPos {
		at := p.Position(name, embedded.Alone)
		f.alone = &at
	}
	f.group = cmp.Or(gosyntax.MarkerValue(syntax, markers.GroupName+"="), f.group)
}

// commonFolder returns the innermost folder that contains all others.
func commonFolder(dirs []string) string {
	common := path.Dir(dirs[0])
	for _, dir := range dirs {
		common = layout.CommonStart(common, path.Dir(dir))
	}
	return common
}

func sorted[T any](m map[string]T) []string { return slices.Sorted(maps.Keys(m)) }
