package load

import (
	"errors"
	"fmt"
	"go/ast"
	"go/token"
	"go/types"

	"sigs.k8s.io/controller-tools/pkg/loader"

	"github.com/mrgen-io/mrgen/generator/internal/controllertools"
	"github.com/mrgen-io/mrgen/generator/internal/gosyntax"
	"github.com/mrgen-io/mrgen/generator/internal/parallel"
)

// reach parses packages and the packages that their types refer to, and returns the packages with something to check.
// Packages below the module root are reached as wholes: they have errors to report, and their functions and constants
// are part of the model.
func (p *Program) reach(pkgs []*loader.Package) []*loader.Package {
	r := &reacher{program: p, seen: map[*loader.Package]bool{}}
	for _, pkg := range pkgs {
		r.whole(pkg)
	}
	for len(r.unparsed)+len(r.wanted) > 0 {
		r.parse()
		r.take()
	}
	return r.reached
}

// A reacher finds the declarations that types refer to, in rounds: it parses packages on all processors, then takes the
// wanted declarations from them, which may refer to other packages.
type reacher struct {
	program *Program
	// local says of packages whether they lie below the module root.
	local parallel.Memo[*loader.Package, bool]
	// seen and reached are the packages with something to check.
	seen    map[*loader.Package]bool
	reached []*loader.Package
	// unparsed are packages that are reached as wholes.
	unparsed []*loader.Package
	// wanted are names in packages of other modules.
	wanted []packageName
}

// A packageName is a name in a package, or "" for all its declarations.
type packageName struct {
	pkg  *loader.Package
	name string
}

func (r *reacher) isLocal(pkg *loader.Package) bool {
	return r.local.Get(pkg, func() bool { return r.program.IsLocal(pkg) })
}

// whole reaches all of a package.
func (r *reacher) whole(pkg *loader.Package) { r.name(packageName{pkg, ""}) }

// name reaches a name in a package.
func (r *reacher) name(n packageName) {
	switch {
	case !r.isLocal(n.pkg):
		r.wanted = append(r.wanted, n)
	case n.pkg.TypesInfo == nil && r.add(n.pkg): // a checked package's references are checked, too
		r.unparsed = append(r.unparsed, n.pkg)
	}
}

// add adds a package with something to check, and reports whether it is new.
func (r *reacher) add(pkg *loader.Package) bool {
	if r.seen[pkg] {
		return false
	}
	r.seen[pkg] = true
	r.reached = append(r.reached, pkg)
	return true
}

// parse parses the packages that were reached, and adds the names that they refer to.
func (r *reacher) parse() {
	pkgs := r.unparsed
	r.unparsed = nil
	referenced := make([][]packageName, len(pkgs))
	parallel.Do(len(pkgs), func(i int) {
		r.program.Parse(pkgs[i])
		referenced[i] = references(pkgs[i])
	})
	for _, names := range referenced {
		for _, n := range names {
			r.name(n)
		}
	}
}

// take takes the wanted declarations from packages of other modules, and the declarations that these need.
func (r *reacher) take() {
	r.outline()
	wanted := r.wanted
	r.wanted = nil
	for _, n := range wanted {
		o := r.program.listing.outlines[n.pkg]
		o.take(n.name)
		if len(o.unfollowed) > 0 || o.checker == nil {
			r.add(n.pkg)
		}
		o.Follow(func(spec *ast.ImportSpec, name string) bool {
			if imported := n.pkg.Imports()[gosyntax.ImportPath(spec)]; imported != nil {
				r.name(packageName{imported, name})
			}
			return true // the package may be parsed only in the next round
		}, func(node ast.Node) bool {
			_, isFunction := node.(*ast.FuncDecl)
			return !isFunction && controllertools.Follows(node)
		})
	}
}

// outline parses the packages from which something is wanted for the first time.
func (r *reacher) outline() {
	var pkgs []*loader.Package
	outlines := r.program.listing.outlines
	for _, n := range r.wanted {
		if outlines[n.pkg] == nil {
			outlines[n.pkg] = &partial{}
			pkgs = append(pkgs, n.pkg)
		}
	}
	parallel.Do(len(pkgs), func(i int) {
		r.program.Parse(pkgs[i])
		outlines[pkgs[i]].Outline = NewOutline(pkgs[i].Syntax, nameOf(pkgs[i]))
	})
}

// A partial is a package of another module that is checked in part.
type partial struct {
	*Outline
	// begun is set when any declaration was taken.
	begun   bool
	checker *types.Checker
}

// take takes the declarations of a name, or all of them.
func (p *partial) take(name string) {
	if name == "" {
		p.TakeAll(func(*Declaration) bool { return true })
		return
	}
	p.Take(name)
	if !p.begun { // the values of a type are part of it: take all constants with the first declaration
		p.begun = true
		p.TakeAll((*Declaration).isConstant)
	}
}

// isConstant reports whether a declaration declares constants.
func (d *Declaration) isConstant() bool {
	group, ok := d.Node.(*ast.GenDecl)
	return ok && group.Tok == token.CONST
}

// check checks the declarations that were taken since the last call.
func (p *partial) check(pkg *loader.Package, fset *token.FileSet, sizes types.Sizes) {
	if p.checker == nil {
		pkg.Fset = fset
		pkg.Types = types.NewPackage(pkg.PkgPath, pkg.Name)
		pkg.TypesInfo = newInfo()
		config := checkConfig(pkg, sizes, func(error) {}) // most errors are about declarations that weren't taken
		config.DisableUnusedImportCheck = true
		p.checker = types.NewChecker(config, fset, pkg.Types, pkg.TypesInfo)
	}
	_ = p.checker.Files(p.Pending())
}

// references returns the names that the types and the constants of a package refer to.
func references(pkg *loader.Package) []packageName {
	var referenced []packageName
	for _, file := range pkg.Syntax {
		byName := ImportNames(pkg, file)
		for _, spec := range file.Imports {
			imported := pkg.Imports()[gosyntax.ImportPath(spec)]
			if imported == nil {
				pkg.AddError(loader.ErrFromNode(errors.New("no such package located"), spec.Path))
				return nil
			}
			if spec.Name != nil && spec.Name.Name == "." { // a dot import may provide any name
				referenced = append(referenced, packageName{imported, ""})
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

// referencesIn returns the names of other packages that the types or constants in a declaration refer to. The file
// imports packages by these names.
func referencesIn(pkg *loader.Package, decl *ast.GenDecl, byName map[string]*loader.Package) []packageName {
	var referenced []packageName
	visit := func(node ast.Node) bool {
		if node == nil || !controllertools.Follows(node) {
			return false
		}
		qualifier, name := gosyntax.Selected(node)
		if qualifier == nil {
			return true
		}
		if imported := byName[qualifier.Name]; imported != nil {
			referenced = append(referenced, packageName{imported, name})
		} else if qualifier.Name != "C" && decl.Tok == token.TYPE {
			pkg.AddError(fmt.Errorf("use of unimported package %q", qualifier.Name))
		}
		return false
	}
	for _, spec := range decl.Specs {
		switch spec := spec.(type) {
		case *ast.TypeSpec:
			ast.Inspect(spec.Type, visit)
		case *ast.ValueSpec: // variables aren't part of API types
			if decl.Tok == token.CONST {
				ast.Inspect(spec, visit)
			}
		}
	}
	return referenced
}
