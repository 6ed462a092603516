package generator_test

import (
	"go/constant"
	"go/types"
	"maps"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"golang.org/x/tools/go/packages"

	"github.com/mrgen-io/mrgen/generator/internal/artifact"
	"github.com/mrgen-io/mrgen/testdata/expect"
	"github.com/mrgen-io/mrgen/testdata/testmodule"
	"github.com/mrgen-io/mrgen/testdata/testprovider"
)

// TestConnectionDetailKeys checks that the keys in the MRD of a kind, the constants
// for them and the fields of the struct are one set. That the struct publishes just
// these keys is tested in the providers.
func TestConnectionDetailKeys(t *testing.T) {
	t.Parallel()
	kinds := 0
	for _, p := range testprovider.All() {
		dir := filepath.Join("../testdata", p)
		folder := testprovider.Options(t, dir).MRDDir
		if folder == "" {
			continue
		}
		scopes := scopes(t, dir)
		files := testmodule.Glob(t, filepath.Join(dir, folder, "*.yaml"))
		for _, file := range files {
			spec := testprovider.Document(t, file)["spec"].(map[string]any)
			kind := spec["names"].(map[string]any)["kind"].(string)
			var documented []string
			if details, found := spec["connectionDetails"]; found {
				for _, detail := range details.([]any) {
					documented = append(documented, detail.(map[string]any)["name"].(string))
				}
				kinds++
			}
			folders, _ := artifact.ParseHeader(testmodule.Read(t, file))
			for _, folder := range folders {
				constants, fields := declared(scopes[folder], kind)
				expect.Equal(t, documented, slices.Sorted(maps.Values(constants)), "%s: keys and constants of %s differ", file, folder)
				expect.Equal(t, fields, slices.Sorted(maps.Keys(constants)), "%s: fields and constants of %s differ", file, folder)
			}
		}
	}
	expect.True(t, kinds >= 5, "only %d kinds have connection details", kinds)
}

// scopes returns what the packages of a provider declare, by their folders.
func scopes(t *testing.T, dir string) map[string]*types.Scope {
	t.Helper()
	loaded := expect.Value(packages.Load(&packages.Config{Mode: packages.NeedName | packages.NeedTypes | packages.NeedModule, Dir: dir}, "./..."))(t)
	found := map[string]*types.Scope{}
	for _, pkg := range loaded {
		expect.None(t, pkg.Errors)
		found[strings.TrimPrefix(pkg.PkgPath, pkg.Module.Path+"/")] = pkg.Types.Scope()
	}
	return found
}

// declared returns the values of the constants for the keys of a kind, by the last
// part of their names, and the names of the fields of its struct, sorted.
func declared(scope *types.Scope, kind string) (constants map[string]string, fields []string) {
	constants = map[string]string{}
	for _, name := range scope.Names() {
		if c, ok := scope.Lookup(name).(*types.Const); ok && strings.HasPrefix(name, kind+"ConnectionDetail") {
			constants[strings.TrimPrefix(name, kind+"ConnectionDetail")] = constant.StringVal(c.Val())
		}
	}
	if object := scope.Lookup(kind + "ConnectionDetails"); object != nil {
		for field := range object.Type().Underlying().(*types.Struct).Fields() {
			fields = append(fields, field.Name())
		}
	}
	slices.Sort(fields)
	return constants, fields
}
