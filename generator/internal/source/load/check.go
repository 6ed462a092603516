package load

import (
	"context"
	"fmt"
	"go/ast"
	"go/types"
	"maps"
	"slices"

	"sigs.k8s.io/controller-tools/pkg/loader"

	"github.com/mrgen-io/mrgen/generator/internal/parallel"
)

// TypeCheck checks packages and the declarations that their types refer to, on all processors: packages below the module
// root as wholes, and of others only the needed declarations. controller-tools' checker isn't used: it checks whole
// packages, mostly one after the other, and records more.
func (p *Program) TypeCheck(pkgs []*loader.Package) {
	// Imports that only functions need count, too: the result must not depend on the order in which packages
	// are checked. An import cycle is reported elsewhere.
	imports := func(pkg *loader.Package) []*loader.Package { return slices.Collect(maps.Values(pkg.Imports())) }
	err := parallel.InOrder(context.Background(), p.reach(pkgs), imports, func(_ int, pkg *loader.Package) {
		if o := p.listing.outlines[pkg]; o != nil { // a package of another module is checked in part
			o.check(pkg, p.Files.Fset, p.Sizes())
		} else {
			p.checkPackage(pkg)
		}
	})
	if err != nil {
		panic(err)
	}
}

// checkPackage type-checks the declarations of a package, after the packages that it refers to. It adds errors to the
// package.
func (p *Program) checkPackage(pkg *loader.Package) {
	if pkg.TypesInfo != nil {
		return
	}
	info := newInfo()
	checked := types.NewPackage(pkg.PkgPath, pkg.Name)
	failed := false
	config := checkConfig(pkg, p.Sizes(), func(err error) {
		failed = true
		pkg.AddError(err)
	})
	// config.Error has seen the error already.
	_ = types.NewChecker(config, p.Files.Fset, checked, info).Files(pkg.Syntax)
	for _, imported := range pkg.Imports() { // errors may follow from an import's
		failed = failed || imported.IllTyped
	}
	pkg.Fset, pkg.Types, pkg.TypesInfo, pkg.IllTyped = p.Files.Fset, checked, info, failed
}

// Sizes returns the sizes of types on the system that the go command builds for.
func (p *Program) Sizes() types.Sizes { return types.SizesFor("gc", p.listing.settings.Build.GOARCH) }

// checkConfig returns the configuration to check the declarations of a package with.
func checkConfig(pkg *loader.Package, sizes types.Sizes, report func(error)) *types.Config {
	return &types.Config{
		Importer:         importer(pkg.Imports()),
		IgnoreFuncBodies: true,
		FakeImportC:      true,
		Sizes:            sizes,
		Error:            report,
	}
}

// newInfo returns an empty record of the declarations of a package.
func newInfo() *types.Info {
	return &types.Info{Types: map[ast.Expr]types.TypeAndValue{}, Defs: map[*ast.Ident]types.Object{}, Uses: map[*ast.Ident]types.Object{}}
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
