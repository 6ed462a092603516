package scaffolding

import (
	"cmp"
	"fmt"
	"path"
	"strconv"
	"strings"

	"golang.org/x/mod/semver"

	"github.com/mrgen-io/mrgen/generator/diag"
	"github.com/mrgen-io/mrgen/generator/internal/extensions/lifepackage"
)

// apiServer is the module with the API server's code, which lives need besides what controllers need.
const apiServer = "k8s.io/apiserver"

// addLife notes that a test needs the package of lives. It says how go.mod gets the module with the API server's code, in the
// version of its other modules.
func (a *addition) addLife() {
	a.Lives = true
	source := a.provider.source
	if source.Version(apiServer) != "" {
		return
	}
	version := source.Version("k8s.io/apiextensions-apiserver")
	if version == "" {
		version = source.Version("k8s.io/apimachinery")
	}
	a.byHand(diag.Position{File: "go.mod"}, "tests of controllers need the API server's code: add its module",
		fmt.Sprintf("go get %s@%s", apiServer, version), "go mod tidy")
}

const (
	// firstLife and afterLife bound the versions of crossplane-runtime in which lives compile.
	firstLife, afterLife = "v1.18.0", "v2.5.0"
)

// AddLife returns the files of a life of an existing kind, with the places that its author fills.
func (p Provider) AddLife(root string, k Kind) (Addition, diag.List, error) {
	return p.addition(root, k, (*addition).addKindLife)
}

// addKindLife adds the life of a kind beside its controller.
func (a *addition) addKindLife(t Tree) error {
	data, source := a.provider.data(t, a.kind), a.provider.source
	if t.Copied {
		return nil // mrgen copies the test, too
	}
	runtimePath := data.RuntimePath()
	if version := source.Version(runtimePath); semver.Compare(version, firstLife) < 0 || semver.Compare(version, afterLife) >= 0 {
		a.errorf("go.mod", "lives are for crossplane-runtime %s to v2.4, and this module requires %s: change that, or write tests by hand",
			firstLife, cmp.Or(version, "none"))
		return nil
	}
	existing, _ := existingVersions(t, a.kind)
	var dirs []string
	for _, v := range existing {
		dirs = append(dirs, v.dir)
	}
	dir := source.ControllerOf(a.kind.Package(), dirs)
	if dir == "" {
		a.errorf(data.APIDir(), "mrgen finds no controller of %s: call its package %s, and list its Setup with those of the others", a.kind.Name,
			a.kind.Package())
		return nil
	}
	data.setting.Dir = dir
	if err := data.render(a.Files, path.Join(dir, a.kind.Package()+"_life_test.go"), "kind/any_life_test.go"); err != nil {
		return err
	}
	a.addLife()
	return nil
}

// RuntimePath returns the path of the module crossplane-runtime that the provider requires.
func (d kindData) RuntimePath() string {
	if d.source.Version(runtimeModule) == "" {
		return lifepackage.OldRuntime
	}
	return runtimeModule
}

// ControllerName returns the name of the package of the controller.
func (d kindData) ControllerName() string { return d.source.Packages[d.setting.Dir].Name }

// LifeImports are what the life of a kind needs besides the imports of its controller.
func (d kindData) LifeImports() []string {
	lines := []string{strconv.Quote(d.Module + "/" + lifepackage.Dir)}
	if d.hasSchemes() {
		lines = append(lines, strconv.Quote(d.Module+"/"+schemesDir))
	}
	return lines
}

// schemesDir is the folder of the package that registers all types of a new provider.
const schemesDir = "apis"

// hasSchemes reports whether a function of the provider adds all its types to a scheme.
func (d kindData) hasSchemes() bool {
	p := d.source.Packages[schemesDir]
	return p != nil && p.Registers
}

// LifeScheme returns what adds the provider's types to a scheme.
func (d kindData) LifeScheme() string {
	if d.hasSchemes() {
		return "apis.AddToScheme"
	}
	return d.kind.Version + "." + d.Builder() + ".AddToScheme"
}

// LifeRoot returns the way from the controller to the root of the module.
func (d kindData) LifeRoot() string {
	return strings.Repeat("../", strings.Count(d.ControllerDir(), "/")+1)
}

// LifeManifests returns the patterns of manifests with the example of the kind and the objects that it needs. They fit both
// scopes.
func (d kindData) LifeManifests() []string {
	configs := "examples/provider/*.yaml"
	if len(d.Trees) > 1 {
		configs = "examples/*/provider/*.yaml"
	}
	return []string{configs, path.Join("examples/*", d.kind.Version, strings.ToLower(d.kind.Name)+".yaml")}
}
