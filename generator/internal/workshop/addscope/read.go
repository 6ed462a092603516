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
	"github.com/mrgen-io/mrgen/generator/internal/extensions/scopecopies"
	"github.com/mrgen-io/mrgen/generator/internal/workshop/layout"
)

// A folder is a package of the module with hand-written files.
type folder struct {
	*layout.Package
	// files are the paths of the hand-written files, without tests.
	files []string
	// scopes are the scopes of its managed resources, and group is their API group.
	scopes map[scopecopies.Scope]diag.Position
	group  string
	// configs is set if it has ProviderConfigs. alone is the position of a managed resource whose generation
	// has one scope only, or nil.
	configs bool
	alone   *diag.Position
}

// isAPI reports whether the package has kinds.
func (f *folder) isAPI() bool { return len(f.scopes) > 0 || f.configs || f.alone != nil }

// readFolders returns the packages of a module by folder.
func readFolders(source *layout.Module) map[string]*folder {
	folders := map[string]*folder{}
	for dir, p := range source.Packages {
		f := &folder{Package: p, scopes: map[scopecopies.Scope]diag.Position{}}
		for _, name := range sorted(p.Files) {
			if !strings.HasPrefix(path.Base(name), "zz_") {
				f.add(name, p.Files[name])
			}
		}
		if len(f.files) > 0 {
			folders[dir] = f
		}
	}
	return folders
}

// add adds a file.
func (f *folder) add(name string, syntax *ast.File) {
	f.files = append(f.files, name)
	embedded := scopecopies.FindEmbedded(syntax)
	f.configs = f.configs || embedded.Configs != nil
	for scope, pos := range embedded.Scopes {
		f.scopes[scope] = f.Position(name, pos)
	}
	if embedded.Alone != token.NoPos {
		at := f.Position(name, embedded.Alone)
		f.alone = &at
	}
	f.group = cmp.Or(layout.GroupOf(syntax), f.group)
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
