package generator_test

import (
	"go/ast"
	"go/token"
	"os/exec"
	"strings"
	"testing"

	"github.com/mrgen-io/mrgen/testdata/expect"
)

// TestPublicNames holds that go doc shows all of what users meet: no type of a public package is another
// name of one in an internal package, and no variable can be set by importers.
func TestPublicNames(t *testing.T) {
	seen := 0
	eachFile(t, func(file, from string, parsed *ast.File) {
		if !strings.HasPrefix(from+"/", "generator/") || within(from, []string{"generator/internal"}) {
			return
		}
		for _, decl := range parsed.Decls {
			general, ok := decl.(*ast.GenDecl)
			if !ok {
				continue
			}
			for _, spec := range general.Specs {
				switch spec := spec.(type) {
				case *ast.TypeSpec:
					seen++
					if selector, isOther := spec.Type.(*ast.SelectorExpr); isOther && spec.Name.IsExported() {
						t.Errorf("%s: %s is %s.%s, of which go doc shows nothing", file, spec.Name.Name, selector.X, selector.Sel.Name)
					}
				case *ast.ValueSpec:
					for _, name := range spec.Names {
						expect.True(t, general.Tok != token.VAR || !name.IsExported(), "%s: an importer can set %s: have a function return it", file, name.Name)
					}
				}
			}
		}
	})
	expect.True(t, seen >= 20, "there are only %d types: that proves little", seen)
}

// TestImportersCompileLittle holds that a program which generates compiles none of the packages that only
// other verbs need, and that one which converts YAML needs no source.
func TestImportersCompileLittle(t *testing.T) {
	for public, unneeded := range map[string][]string{
		"generator": {
			"generator/adopt", "generator/breaking", "generator/fix", "generator/lint", "generator/scaffold", "generator/internal/authoring",
			"generator/internal/review/definitions", "generator/internal/review/compare", "generator/internal/review/linter",
		},
		"generator/mrdfiles": {"generator/internal/stagerunner", "generator/internal/source"},
	} {
		out, err := exec.Command("go", "list", "-deps", module+public).CombinedOutput()
		expect.Must(t, err == nil, "%v\n%s", err, out)
		for path := range strings.FieldsSeq(string(out)) {
			local, ok := strings.CutPrefix(path, module)
			expect.True(t, !ok || !within(local, unneeded), "%s compiles %s", public, local)
		}
	}
}
