package scaffolding

import (
	"bytes"
	"fmt"
	"io/fs"
	"path"
	"strconv"
	"strings"

	"github.com/mrgen-io/mrgen/generator/diag"
	"github.com/mrgen-io/mrgen/generator/internal/artifact"
	"github.com/mrgen-io/mrgen/testdata"
)

const (
	// lifeDir has the package that lives the lives of kinds.
	lifeDir = "internal/life"
	// apiServer is the module with the API server's code, which lives need besides what controllers need.
	apiServer = "k8s.io/apiserver"
)

// lifeFiles returns the package that lives the lives of kinds, for a major version of crossplane-runtime.
func lifeFiles(runtimePath string) (Files, error) {
	files := Files{}
	err := fs.WalkDir(testdata.Life, "life", func(name string, entry fs.DirEntry, err error) error {
		if err != nil || entry.IsDir() {
			return err
		}
		content, err := testdata.Life.ReadFile(name)
		content = bytes.ReplaceAll(content, []byte(runtimeModule+"/"), []byte(runtimePath+"/"))
		files[path.Join(lifeDir, "zz_generated."+path.Base(name))] = append([]byte(artifact.GoHeader+"\n\n"), content...)
		return err
	})
	return files, err
}

// addLife adds the package that lives the lives of kinds, in the version of this mrgen. It says how go.mod gets the module with
// the API server's code, in the version of its other modules.
func (a *addition) addLife(runtimePath string) error {
	files, err := lifeFiles(runtimePath)
	if err != nil {
		return err
	}
	for name, content := range files {
		a.Files[name], a.Edited[name] = content, true
	}
	source := a.provider.source
	if source.Version(apiServer) != "" {
		return nil
	}
	version := source.Version("k8s.io/apiextensions-apiserver")
	if version == "" {
		version = source.Version("k8s.io/apimachinery")
	}
	a.byHand(diag.Position{File: "go.mod"}, "tests of controllers need the API server's code: add its module",
		fmt.Sprintf("go get %s@%s", apiServer, version), "go mod tidy")
	return nil
}

// LifeImports are what the life of a kind needs besides the imports of its controller.
func (d kindData) LifeImports() []string {
	lines := []string{strconv.Quote(d.Module + "/" + lifeDir)}
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
