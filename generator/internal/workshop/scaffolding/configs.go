package scaffolding

import (
	"go/ast"
	"maps"
	"path"
	"slices"

	"github.com/mrgen-io/mrgen/generator/diag"
	"github.com/mrgen-io/mrgen/generator/internal/gosyntax"
	"github.com/mrgen-io/mrgen/generator/internal/workshop/layout"
)

// AddConfigs returns the files of ProviderConfigs in a version, for the trees of the provider that have
// none, with what notes their use, and the controller that keeps those in use.
func (p Provider) AddConfigs(root, version string) (Addition, diag.List, error) {
	if diags := checkVersion(version); diags.HasErrors() {
		return Addition{}, diags, nil
	}
	added, diags, err := p.addition(root, Kind{Name: "ProviderConfig", Version: version}, (*addition).addConfigs)
	if err == nil && len(added.Files) == 0 && !diags.HasErrors() {
		diags = append(diags, diag.Errorf(diag.Position{File: p.Source().APIDir()}, codeScaffold, "this provider has ProviderConfigs already: change them, or add a version of them by hand"))
	}
	return added, diags, err
}

// ConfigVersion returns the version of the provider's ProviderConfigs, "" if there are none.
func (p Provider) ConfigVersion() string {
	for _, of := range p.Source().kinds.Packages {
		if of.API.Configs != nil {
			return of.API.Version
		}
	}
	return ""
}

// configData returns the data of ProviderConfigs in a tree.
func (p Provider) configData(t Tree, version string) kindData {
	k := Kind{Name: "ProviderConfig", Version: version}
	d := p.data(t, k)
	d.dir = path.Join(t.APIDir(), version)
	for _, of := range t.kinds.InGroup(t.Group) {
		if of.API.Version == version {
			d.dir = of.Dir
		}
	}
	d.generation = t.kinds.Generation(d.dir)
	d.setting = p.source.Controllers(t.kinds, t.Group, "", "config")
	if to, isCopied := p.counterpart(d.setting.Dir); t.isEmpty && isCopied {
		d.setting.Dir = to
	} else if t.isEmpty {
		d.setting.Dir = p.sourceDir(d.setting.Dir)
	}
	return d
}

// addConfigs adds ProviderConfigs to a tree.
func (a *addition) addConfigs(t Tree) error {
	if t.kinds.HasConfigs() && !t.isEmpty {
		return nil
	}
	data := a.provider.configData(t, a.kind.Version)
	if a.diags = append(a.diags, data.unusable()...); a.diags.HasErrors() {
		return nil
	}
	for name, from := range map[string]string{
		"providerconfig_types.go":    "types.go",
		"providerconfig_register.go": "providerconfig.go",
	} {
		if err := a.Files.render(path.Join(data.APIDir(), name), "tree/"+from, data); err != nil {
			return err
		}
	}
	if err := data.groupFile(a.Files); err != nil {
		return err
	}
	a.registerTypes(data)
	if reason := data.withoutController(); reason != "" {
		a.describeController(data, reason)
		return nil
	}
	for _, name := range []string{"config.go", "config_test.go"} {
		if err := a.Files.render(path.Join(data.ControllerDir(), name), "tree/"+name, data); err != nil {
			return err
		}
	}
	a.registerController(data, "config", func(layout.ListInFile) string { return "Setup" })
	return nil
}

// configKinds are the kinds of ProviderConfigs, and what notes their use.
var configKinds = []string{"ProviderConfig", "ClusterProviderConfig", "ProviderConfigUsage", "ClusterProviderConfigUsage"}

// RemoveConfigs returns what takes ProviderConfigs out of the provider: all that [Provider.AddConfigs] adds.
func (p Provider) RemoveConfigs(root string) (Removal, diag.List, error) {
	r := p.newRemoval(root, Kind{Name: "ProviderConfig"}, configKinds...)
	for _, t := range p.Trees {
		for _, of := range t.kinds.Packages {
			if of.API.Configs == nil || t.isEmpty {
				continue
			}
			if err := r.removeConfigs(t, of); err != nil {
				return Removal{}, nil, err
			}
		}
	}
	if len(r.deleted) == 0 && !r.diags.HasErrors() {
		r.errorf(p.Source().APIDir(), "this provider has no ProviderConfigs that mrgen could remove")
	}
	removed, diags := r.found()
	return removed, diags, nil
}

// removeConfigs removes the ProviderConfigs of a package, which goes if it has nothing else, and their controller.
func (r *removal) removeConfigs(t Tree, of *layout.Package) error {
	written, err := r.provider.writtenConfigs(t, of)
	if err != nil {
		return err
	}
	r.kinds[of.API.Group+"/"+of.API.Version] = true
	if len(of.API.Managed) == 0 {
		r.removePackage(of.Dir, written)
	}
	files := r.source(of.Dir)
	for _, name := range slices.Sorted(maps.Keys(files)) {
		if len(of.API.Managed) == 0 || !slices.ContainsFunc(configKinds, func(kind string) bool { return mentionsType(files[name], kind) }) {
			continue
		}
		for _, other := range gosyntax.Types(files[name]) {
			if kind := other.Name.Name; !slices.Contains(configKinds, kind) && declares(files, kind+"List") {
				r.errorf(path.Join(of.Dir, name), "this file declares the kind %s, too: move it to a file of its own, or remove ProviderConfigs by hand", kind)
			}
		}
		r.delete(path.Join(of.Dir, name), written)
		r.forget(of.Dir, files[name])
	}
	if controller, _ := r.provider.source.Helpers(t.kinds); controller != "" {
		r.removePackage(controller, written)
	}
	return nil
}

// mentionsType reports whether a file is about a kind: it declares it, or a variable with its name.
func mentionsType(file *ast.File, kind string) bool {
	return slices.ContainsFunc(file.Decls, func(d ast.Decl) bool {
		return slices.ContainsFunc(declaredNames(d), func(name string) bool { return name == kind || name == kind+"GroupVersionKind" })
	})
}

// writtenConfigs returns the files of ProviderConfigs in a package as mrgen writes them, for a new provider or
// for one that has none.
func (p Provider) writtenConfigs(t Tree, of *layout.Package) (Files, error) {
	data := p.configData(t, of.API.Version)
	data.dir = of.Dir
	data.ConfigDir, _ = p.source.Helpers(t.kinds)
	written := Files{}
	for name, from := range map[string]string{
		"doc.go": "tree/doc.go", "register.go": "tree/register.go", "types.go": "tree/types.go",
		"providerconfig_types.go": "tree/types.go", "providerconfig_register.go": "tree/providerconfig.go", groupFile: "group/" + groupFile,
	} {
		if err := written.render(path.Join(of.Dir, name), from, data); err != nil {
			return nil, err
		}
	}
	if data.ConfigDir == "" {
		return written, nil
	}
	for _, name := range []string{"config.go", "config_test.go"} {
		if err := written.render(path.Join(data.ConfigDir, name), "tree/"+name, data); err != nil {
			return nil, err
		}
	}
	return written, nil
}
