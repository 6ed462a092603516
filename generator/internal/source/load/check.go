package load

import (
	"context"
	"fmt"
	"go/ast"
	"go/types"
	"maps"
	"runtime"
	"slices"

	"sigs.k8s.io/controller-tools/pkg/loader"

	"github.com/mrgen-io/mrgen/generator/internal/parallel"
)

// TypeCheck checks packages, and what their types refer to, on all processors: packages below the
// module root as wholes, and of others what is needed. controller-tools' checker is not asked: it
// checks whole packages, most of them one after the other, and records more.
func (p *Program) TypeCheck(pkgs []*loader.Package) {
	// Imports that only functions need count, too: the result must not depend on the order in which packages
	// are checked. An import cycle is reported elsewhere.
	imports := func(pkg *loader.Package) []*loader.Package { return slices.Collect(maps.Values(pkg.Imports())) }
	err := parallel.InOrder(context.Background(), p.reach(pkgs), imports, func(_ int, pkg *loader.Package) {
		if o := p.listing.outlines[pkg]; o != nil {
			o.check(pkg, p.Files.Fset)
		} else {
			p.checkPackage(pkg)
		}
	})
	if err != nil {
		panic(err)
	}
}

// checkPackage type-checks the declarations of a package, after those that it refers to.
// Errors are added to the package.
func (p *Program) checkPackage(pkg *loader.Package) {
	if pkg.TypesInfo != nil {
		return
	}
	// About as much as API packages need: maps that grow are copied each time.
	lines := p.lineCount(pkg)
	info := &types.Info{
		Types: make(map[ast.Expr]types.TypeAndValue, lines/2),
		Defs:  make(map[*ast.Ident]types.Object, lines/4),
		Uses:  make(map[*ast.Ident]types.Object, lines/4),
	}
	checked := types.NewPackage(pkg.PkgPath, pkg.Name)
	failed := false
	config := checkConfig(pkg, func(err error) {
		failed = true
		pkg.AddError(err)
	})
	// The error is the first of those that config.Error has seen.
	_ = types.NewChecker(config, p.Files.Fset, checked, info).Files(pkg.Syntax)
	for _, imported := range pkg.Imports() {
		failed = failed || imported.IllTyped
	}
	pkg.Fset, pkg.Types, pkg.TypesInfo, pkg.IllTyped = p.Files.Fset, checked, withoutNames(info), failed
}

// checkConfig returns the configuration to check the declarations of a package with.
func checkConfig(pkg *loader.Package, report func(error)) *types.Config {
	return &types.Config{Importer: importer(pkg.Imports()), IgnoreFuncBodies: true, FakeImportC: true, Sizes: types.SizesFor("gc", runtime.GOARCH), Error: report}
}

// lineCount returns how many lines the files of a package have.
func (p *Program) lineCount(pkg *loader.Package) int {
	lines := 0
	for _, file := range pkg.Syntax {
		lines += p.Files.Fset.File(file.FileStart).LineCount()
	}
	return lines
}

// withoutNames removes identifiers from the types of expressions: these types are those of
// the objects that identifiers denote, and take most of the memory.
func withoutNames(info *types.Info) *types.Info {
	isKnown := func(expr ast.Expr, t types.Type) bool {
		name, ok := expr.(*ast.Ident)
		if !ok {
			return false
		}
		object := info.ObjectOf(name)
		return object != nil && object.Type() == t
	}
	count := 0
	for expr, value := range info.Types {
		if !isKnown(expr, value.Type) {
			count++
		}
	}
	rest := make(map[ast.Expr]types.TypeAndValue, count)
	for expr, value := range info.Types {
		if !isKnown(expr, value.Type) {
			rest[expr] = value
		}
	}
	info.Types = rest
	return info
}

// importer imports packages that are checked. Others are empty: no API type refers to
// them.
type importer map[string]*loader.Package

func (imports importer) Import(importPath string) (*types.Package, error) {
	imported := imports[importPath]
	switch {
	case importPath == "unsafe":
		return types.Unsafe, nil
	case imported == nil:
		return nil, fmt.Errorf("package %q possibly creates an import loop", importPath)
	}
	if imported.Types != nil && imported.Types.Complete() {
		return imported.Types, nil
	}
	return types.NewPackage(imported.PkgPath, imported.Name), nil
}
