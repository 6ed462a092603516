package fromsdk

import (
	"context"
	"go/ast"
	"go/parser"
	"go/token"
	"os"

	"golang.org/x/tools/go/packages"

	"github.com/mrgen-io/mrgen/generator/internal/source/load"
)

// typesOf returns a package that the module in a folder requires, with the types and comments of its declarations and of
// its imports, and without the bodies of functions. The error says why there is no such package.
func typesOf(ctx context.Context, dir, importPath string) (*packages.Package, error) {
	config := configured(ctx, dir, packages.LoadAllSyntax|packages.NeedModule)
	config.ParseFile = func(fset *token.FileSet, name string, source []byte) (*ast.File, error) {
		file, err := parser.ParseFile(fset, name, source, parser.ParseComments|parser.SkipObjectResolution)
		if file != nil {
			load.DropBodies(file)
		}
		return file, err
	}
	found, err := packages.Load(config, importPath)
	if err != nil {
		return nil, err
	}
	for p := range packages.Postorder(found) { // a type of an import that is missing would be any type
		for _, problem := range p.Errors {
			if problem.Kind == packages.ListError { // the compiler reports errors within packages
				return nil, problem
			}
		}
	}
	return found[0], nil
}

// packagesBelow returns the packages at and below an import path, of a module that the one in a folder requires: their names and files alone.
func packagesBelow(ctx context.Context, dir, importPath string) ([]*packages.Package, error) {
	return packages.Load(configured(ctx, dir, packages.NeedName|packages.NeedFiles), importPath+"/...")
}

func configured(ctx context.Context, dir string, mode packages.LoadMode) *packages.Config {
	return &packages.Config{Context: ctx, Dir: dir, Env: append(load.Environment(os.Environ()), "CGO_ENABLED=0"), Mode: mode}
}
