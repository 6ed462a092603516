package apitypes

import (
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/mrgen-io/mrgen/generator/diag"
	"github.com/mrgen-io/mrgen/generator/internal/flavor"
	"github.com/mrgen-io/mrgen/generator/internal/model"
)

// addRuntimes adds the interfaces of the versions of crossplane-runtime that the objects of the model are made for.
func (b *builder) addRuntimes() {
	b.source.Model.Runtimes = map[string]*model.Runtime{}
	for o := range model.Objects(b.source.Model.Packages) {
		if g := o.Generation; g != nil && b.source.Model.Runtimes[g.Resource.Path] == nil {
			// API packages don't import the package with the interfaces, and loading it with all its imports would take
			// longer than the rest of the run. So the declarations are read from its source.
			if root := b.runtimeRoot(g, o.Package); root != "" {
				r := b.runtime(root)
				b.source.Model.Runtimes[g.Resource.Path] = r
				modulePath := strings.TrimSuffix(g.Resource.Path, resourceFolder)
				isOfOther := r != nil && slices.ContainsFunc(flavor.ManagedGenerations(), func(other flavor.Generation) bool { return r.Imports[other.Types.Path] })
				if isOfOther && !strings.HasPrefix(g.Types.Path, modulePath) && !r.Imports[g.Types.Path] { // its methods take other types
					b.diags = append(b.diags, diag.Errorf(b.source.sources.listing.RequirementOf(modulePath, o.Package.Dir), codeLoad,
						"this version of crossplane-runtime has no methods for the types of %s: run go get %s@latest", g.Types.Path, modulePath))
				}
			}
		}
	}
}

// runtimeRoot returns the folder of the crossplane-runtime for the types of a generation, as the module of a package
// requires it, or "" if it can't be found.
func (b *builder) runtimeRoot(g *flavor.Generation, p *model.Package) string {
	modulePath := strings.TrimSuffix(g.Resource.Path, resourceFolder)
	types := b.packages[g.Embed.Package]
	if types == nil {
		return ""
	}
	dir := filepath.ToSlash(b.source.files.PackageDir(types))
	if below, found := strings.CutPrefix(g.Embed.Package, modulePath); found {
		return strings.TrimSuffix(dir, below)
	}
	// The core types are in another module. Both are vendored, or in the module cache.
	if root, found := strings.CutSuffix(dir, "/vendor/"+g.Embed.Package); found {
		return root + "/vendor/" + modulePath
	}
	path, version, found := strings.Cut(dir, "@")
	_, below, _ := strings.Cut(version, "/")
	cache, inCache := strings.CutSuffix(path, "/"+strings.TrimSuffix(g.Embed.Package, "/"+below))
	if !found || !inCache {
		return ""
	}
	return b.source.sources.listing.RequiredModule(modulePath, cache, p.Dir)
}

// The folders of the resource package and the errors package in crossplane-runtime.
const (
	resourceFolder = "/pkg/resource"
	errorsFolder   = "/pkg/errors"
)

// runtime reads the source of a version of crossplane-runtime, once. It returns nil if the source can't be read.
func (b *builder) runtime(root string) *model.Runtime {
	return b.source.sources.runtimes.Get(root, func() *model.Runtime {
		listing := b.source.sources.listing
		resource, errors := filepath.FromSlash(root+resourceFolder), filepath.FromSlash(root+errorsFolder)
		listing.NoteFolder(resource)
		listing.NoteFolder(errors)
		interfaces, imports := listing.ReadInterfaces(resource)
		if interfaces == nil {
			return nil
		}
		_, version, _ := strings.Cut(root[strings.LastIndex(root, "/")+1:], "@")
		info, err := os.Stat(errors)
		return &model.Runtime{Version: version, Interfaces: interfaces, Imports: imports, Errors: err == nil && info.IsDir()}
	})
}
