package load

import (
	"errors"
	"fmt"
	"go/ast"
	"go/types"
	"slices"
	"strconv"

	"sigs.k8s.io/controller-tools/pkg/crd"
	"sigs.k8s.io/controller-tools/pkg/deepcopy"
	"sigs.k8s.io/controller-tools/pkg/loader"

	"github.com/mrgen-io/mrgen/generator/internal/parallel"
)

// typeCheck checks packages, and those that their types refer to, on all
// processors. It leaves out what controller-tools' checker leaves out, which finds
// nothing to do then, but that one checks most packages one after the other, and
// records more.
func (s *Source) typeCheck(pkgs []*loader.Package) {
	var own []*loader.Package
	s.Exclusively(func() { own = s.checkShared(pkgs) })
	s.checkPackages(own)
}

// checkShared parses packages and those that their types refer to, and checks those of
// them that belong to other modules, which sources share. It returns the others.
func (s *Source) checkShared(pkgs []*loader.Package) (own []*loader.Package) {
	var shared []*loader.Package
	for _, pkg := range s.reach(pkgs) {
		if s.isLocal(pkg) {
			own = append(own, pkg)
		} else {
			shared = append(shared, pkg)
		}
	}
	s.checkPackages(shared)
	return own
}

// checkPackages checks packages, each after those that it imports. What they refer to
// is checked, or among them.
func (s *Source) checkPackages(pkgs []*loader.Package) {
	for _, level := range importLevels(pkgs) {
		parallel.Do(len(level), func(i int) { s.checkPackage(level[i]) })
	}
}

// importLevels divides packages, so that none imports another one of its own level or
// of a later one. What a file imports for its functions counts, too: what is known of
// it shall not depend on the order.
func importLevels(pkgs []*loader.Package) [][]*loader.Package {
	const unknown = -1
	level := make(map[*loader.Package]int, len(pkgs))
	for _, pkg := range pkgs {
		level[pkg] = unknown
	}
	var levels [][]*loader.Package
	var visit func(pkg *loader.Package) int
	visit = func(pkg *loader.Package) int {
		known, among := level[pkg]
		if !among || known != unknown {
			return known
		}
		level[pkg] = 0 // ends the walk where broken source imports in a circle
		n := 0
		for _, imported := range pkg.Imports() {
			if _, among := level[imported]; among {
				n = max(n, visit(imported)+1)
			}
		}
		level[pkg] = n
		for len(levels) <= n {
			levels = append(levels, nil)
		}
		levels[n] = append(levels[n], pkg)
		return n
	}
	for _, pkg := range pkgs {
		visit(pkg)
	}
	return levels
}

// reach parses packages and all that their types refer to, but for what is checked
// already, and returns them.
func (s *Source) reach(pkgs []*loader.Package) []*loader.Package {
	var reached []*loader.Package
	seen := map[*loader.Package]bool{}
	for next := pkgs; len(next) > 0; {
		var found []*loader.Package
		for _, pkg := range next {
			if !seen[pkg] && pkg.TypesInfo == nil { // else what it refers to is checked, too
				seen[pkg] = true
				found = append(found, pkg)
			}
		}
		reached = append(reached, found...)
		referenced := make([][]*loader.Package, len(found))
		parallel.Do(len(found), func(i int) {
			s.parsePackage(found[i])
			referenced[i] = references(found[i])
		})
		next = slices.Concat(referenced...)
	}
	return reached
}

// references returns the packages that the types of a package refer to.
func references(pkg *loader.Package) []*loader.Package {
	var referenced []*loader.Package
	for _, file := range pkg.Syntax {
		byName := map[string]*loader.Package{}
		for _, spec := range file.Imports {
			importPath, err := strconv.Unquote(spec.Path.Value)
			imported := pkg.Imports()[importPath]
			if err == nil && imported == nil {
				err = errors.New("no such package located")
			}
			switch {
			case err != nil:
				pkg.AddError(loader.ErrFromNode(err, spec.Path))
				return nil
			case spec.Name == nil:
				byName[imported.Name] = imported
			case spec.Name.Name == ".":
				referenced = append(referenced, imported)
			default:
				byName[spec.Name.Name] = imported
			}
		}
		for _, decl := range file.Decls {
			if decl, ok := decl.(*ast.GenDecl); ok {
				referenced = append(referenced, referencesIn(pkg, decl, byName)...)
			}
		}
	}
	return referenced
}

// referencesIn returns the packages that the types in a declaration refer to, by
// the names that the file has for them.
func referencesIn(pkg *loader.Package, decl *ast.GenDecl, byName map[string]*loader.Package) []*loader.Package {
	var referenced []*loader.Package
	for _, spec := range decl.Specs {
		spec, ok := spec.(*ast.TypeSpec)
		if !ok {
			continue
		}
		ast.Inspect(spec.Type, func(node ast.Node) bool {
			if node == nil || !isFollowed(node) {
				return false
			}
			selector, ok := node.(*ast.SelectorExpr)
			if !ok {
				return true
			}
			qualifier, ok := selector.X.(*ast.Ident)
			if !ok {
				return true
			}
			if imported := byName[qualifier.Name]; imported != nil {
				referenced = append(referenced, imported)
			} else if qualifier.Name != "C" {
				pkg.AddError(fmt.Errorf("use of unimported package %q", qualifier.Name))
			}
			return false
		})
	}
	return referenced
}

// followed are what controller-gen's generators look into.
var followed = []loader.NodeFilter{deepcopy.Generator{}.CheckFilter(), crd.Generator{}.CheckFilter()}

// isFollowed reports whether any of the stages looks into a node.
func isFollowed(node ast.Node) bool {
	return slices.ContainsFunc(followed, func(follows loader.NodeFilter) bool { return follows(node) })
}

// checkPackage type-checks the declarations of a package whose references are
// checked. Errors are added to the package.
func (s *Source) checkPackage(pkg *loader.Package) {
	if pkg.TypesInfo != nil {
		return
	}
	// There is about as much to know of API packages. Maps that grow are copied again and
	// again.
	lines := s.lineCount(pkg)
	info := &types.Info{
		Types: make(map[ast.Expr]types.TypeAndValue, lines/2),
		Defs:  make(map[*ast.Ident]types.Object, lines/4),
		Uses:  make(map[*ast.Ident]types.Object, lines/4),
	}
	checked := types.NewPackage(pkg.PkgPath, pkg.Name)
	failed := false
	config := &types.Config{
		Importer:         importer(pkg.Imports()),
		IgnoreFuncBodies: true,
		FakeImportC:      true,
		Sizes:            pkg.TypesSizes,
		Error: func(err error) {
			failed = true
			pkg.AddError(err)
		},
	}
	// The error is the first of those that were reported.
	_ = types.NewChecker(config, s.fset, checked, info).Files(pkg.Syntax)
	for _, imported := range pkg.Imports() {
		imported.Lock()
		failed = failed || imported.IllTyped
		imported.Unlock()
	}
	pkg.Lock()
	defer pkg.Unlock()
	pkg.Fset, pkg.Types, pkg.TypesInfo, pkg.IllTyped = s.fset, checked, withoutNames(info), failed
}

// lineCount returns how many lines the files of a package have.
func (s *Source) lineCount(pkg *loader.Package) int {
	lines := 0
	for _, file := range pkg.Syntax {
		lines += s.fset.File(file.FileStart).LineCount()
	}
	return lines
}

// withoutNames drops the types of names from what is known of expressions: they
// are known from what the names stand for, and are most of it.
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

// importer imports packages that are checked already. Of others nothing is known:
// no type of the API refers to them.
type importer map[string]*loader.Package

func (imports importer) Import(importPath string) (*types.Package, error) {
	imported := imports[importPath]
	switch {
	case importPath == "unsafe":
		return types.Unsafe, nil
	case imported == nil:
		return nil, fmt.Errorf("package %q possibly creates an import loop", importPath)
	}
	imported.Lock() // another source may check it: then no type refers to it here
	defer imported.Unlock()
	if imported.Types != nil && imported.Types.Complete() {
		return imported.Types, nil
	}
	return types.NewPackage(imported.PkgPath, imported.Name), nil
}
