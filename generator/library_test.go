package generator_test

import (
	"go/ast"
	"go/token"
	"os/exec"
	"strings"
	"testing"
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
						if general.Tok == token.VAR && name.IsExported() {
							t.Errorf("%s: an importer can set %s: have a function return it", file, name.Name)
						}
					}
				}
			}
		}
	})
	if seen < 20 {
		t.Errorf("there are only %d types: that proves little", seen)
	}
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
		if err != nil {
			t.Fatalf("%v\n%s", err, out)
		}
		for path := range strings.FieldsSeq(string(out)) {
			if local, ok := strings.CutPrefix(path, module); ok && within(local, unneeded) {
				t.Errorf("%s compiles %s", public, local)
			}
		}
	}
}
