package scaffolding

import (
	"path"

	"github.com/mrgen-io/mrgen/generator/diag"
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
		diags = append(diags, diag.Errorf(diag.Position{File: p.Source().Dir}, codeScaffold,
			"this provider has ProviderConfigs already: change them, or add a version of them by hand"))
	}
	return added, diags, err
}

// ConfigVersion returns the version of the provider's ProviderConfigs, or "".
func (p Provider) ConfigVersion() string {
	for _, of := range p.Source().Packages {
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
	d.dir = path.Join(t.Dir, version)
	for _, of := range t.InGroup(t.Group) {
		if of.API.Version == version {
			d.dir = of.Dir
		}
	}
	d.generation = t.Generation(d.dir)
	d.setting = p.source.Controllers(t.Tree, t.Group, "", "config")
	if to, isCopied := p.counterpart(d.setting.Dir); t.isEmpty && isCopied {
		d.setting.Dir = to
	} else if t.isEmpty {
		d.setting.Dir = p.sourceDir(d.setting.Dir)
	}
	return d
}

// addConfigs adds ProviderConfigs to a tree.
func (a *addition) addConfigs(t Tree) error {
	if t.HasConfigs() && !t.isEmpty {
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
