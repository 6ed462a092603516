package generator_test

import (
	"go/ast"
	"go/parser"
	"go/token"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"golang.org/x/tools/go/packages"
)

// typeCheck has the Go type checker judge all packages of a module, and their tests. The
// compiler would say the same of them, but takes some seconds for each package.
func typeCheck(t *testing.T, dir string) {
	t.Helper()
	if resolved, err := filepath.EvalSymlinks(dir); err == nil {
		dir = resolved
	}
	loaded, err := packages.Load(&packages.Config{
		Mode:  packages.LoadAllSyntax,
		Dir:   dir,
		Env:   append(os.Environ(), "GOWORK=off"),
		Tests: true,
		// Whether other modules compile is not the question.
		ParseFile: func(fset *token.FileSet, name string, source []byte) (*ast.File, error) {
			file, err := parser.ParseFile(fset, name, source, parser.SkipObjectResolution)
			if err == nil && !strings.HasPrefix(name, dir+string(filepath.Separator)) {
				for _, declaration := range file.Decls {
					if function, ok := declaration.(*ast.FuncDecl); ok && (function.Recv != nil || function.Name.Name != "init") {
						function.Body = nil
					}
				}
			}
			return file, err
		},
	}, "./...")
	if err != nil {
		t.Fatal(err)
	}
	if len(loaded) == 0 {
		t.Errorf("%s has no packages", dir)
	}
	for _, pkg := range loaded {
		if strings.HasSuffix(pkg.PkgPath, ".test") {
			continue // what the go command writes to run tests
		}
		for _, err := range pkg.Errors {
			t.Errorf("%s does not compile: %v", pkg.PkgPath, err)
		}
	}
}
