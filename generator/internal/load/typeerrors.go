package load

import (
	"go/ast"
	"go/token"
	"go/types"
	"slices"
	"strings"

	"golang.org/x/tools/go/packages"
	"sigs.k8s.io/controller-tools/pkg/loader"

	"github.com/mrgen-io/mrgen/generator/internal/diag"
	"github.com/mrgen-io/mrgen/generator/internal/model"
)

const codeType diag.Code = "type"

// typeErrors returns the type errors that matter: those in type declarations of
// API packages, and in the types of other packages that API types are made of.
//
// What a declaration of a function or variable says is not mrgen's concern: most
// such errors come from methods that the run is about to generate. Nor are the
// types that are declared later.
func (s *Source) typeErrors(apis []*loader.Package, reached map[types.Type]*model.Type, later map[missingType]bool) diag.List {
	reachedAt := map[diag.Position]bool{}
	for _, t := range reached {
		reachedAt[t.Pos] = true
	}
	var diags diag.List
	for _, pkg := range s.checkedPackages(apis) {
		isAPI := slices.Contains(apis, pkg)
		for _, e := range pkg.Errors {
			if e.Kind != packages.TypeError || generatedLater(e.Msg) || isLater(pkg, e.Msg, later) {
				continue
			}
			at := s.errorPosition(pkg, s.root, e.Pos)
			if importPath, nameless := strings.CutSuffix(e.Msg, " (invalid package name: \"\")"); nameless {
				importPath = strings.TrimPrefix(importPath, "could not import ")
				diags = append(diags, diag.Errorf(at, codeType, "cannot import %q: its source has no package clause", importPath))
				continue
			}
			if spec := s.typeSpecAt(pkg, at); spec != nil && (isAPI || reachedAt[s.Position(spec.Name.Pos())]) {
				diags = append(diags, diag.Errorf(at, codeType, "%s", s.relativeText(e.Msg)))
			}
		}
	}
	return diags
}

// declaredLater returns the missing types that the observation stage declares if
// the author does not: those that status.atProvider is made of, and the type of
// spec.initProvider.
func declaredLater(m *model.Model) map[missingType]bool {
	later := map[missingType]bool{}
	seen := map[*model.Type]bool{}
	var add func(*model.Type)
	add = func(t *model.Type) {
		if t == nil || seen[t] {
			return
		}
		seen[t] = true
		if t.Kind == model.Missing {
			later[missingType{t.Package, t.Name}] = true
		}
		add(t.Elem)
		for _, f := range t.Fields {
			add(f.Type)
		}
	}
	for _, p := range m.Packages {
		for _, o := range p.Objects {
			if o.Role != model.Managed {
				continue
			}
			if f := o.Spec.Part("initProvider"); f != nil && f.Type.Deref().Kind == model.Missing {
				add(f.Type)
			}
			if f := o.Status.Part("atProvider"); f != nil {
				add(f.Type)
			}
		}
	}
	return later
}

// isLater reports whether a type error is about a type that is declared later:
// the name alone, or after the name that the file imports its package by. The
// types that turn out to be missing all the same are found when later stages
// have added their files.
func isLater(pkg *loader.Package, message string, later map[missingType]bool) bool {
	name, found := strings.CutPrefix(message, "undefined: ")
	if !found {
		return false
	}
	_, selected, qualified := strings.Cut(name, ".")
	if !qualified {
		return later[missingType{loader.NonVendorPath(pkg.PkgPath), name}]
	}
	for t := range later {
		if t.name == selected {
			return true
		}
	}
	return false
}

// checkedPackages returns the packages below the module root that were
// type-checked because pkgs need them, pkgs included.
func (s *Source) checkedPackages(pkgs []*loader.Package) []*loader.Package {
	var checked []*loader.Package
	seen := map[*loader.Package]bool{}
	var visit func(pkg *loader.Package)
	visit = func(pkg *loader.Package) {
		if seen[pkg] || pkg.TypesInfo == nil {
			return
		}
		seen[pkg] = true
		if s.isLocal(pkg) {
			checked = append(checked, pkg)
		}
		for _, imported := range pkg.Imports() {
			visit(imported)
		}
	}
	for _, pkg := range pkgs {
		visit(pkg)
	}
	return checked
}

// generatedLater reports whether a type error only says that a method is
// missing, as where a type argument has yet to become a runtime.Object.
func generatedLater(message string) bool {
	return strings.Contains(message, "(missing method ")
}

// typeSpecAt returns the declaration of the type that the position is in, or nil.
// Interfaces don't count: no API has them, and what they refer to is not loaded.
func (s *Source) typeSpecAt(pkg *loader.Package, at diag.Position) *ast.TypeSpec {
	for _, file := range pkg.Syntax {
		tokenFile := s.fset.File(file.Pos())
		if s.relative(tokenFile.Name()) != at.File || at.Line < 1 || at.Line > tokenFile.LineCount() {
			continue
		}
		pos := tokenFile.LineStart(at.Line) + token.Pos(max(at.Column-1, 0))
		for _, decl := range file.Decls {
			decl, ok := decl.(*ast.GenDecl)
			if !ok || decl.Tok != token.TYPE {
				continue
			}
			for _, spec := range decl.Specs {
				if spec := spec.(*ast.TypeSpec); spec.Pos() <= pos && pos < spec.End() && !inInterface(spec, pos) {
					return spec
				}
			}
		}
	}
	return nil
}

func inInterface(spec *ast.TypeSpec, pos token.Pos) bool {
	found := false
	ast.Inspect(spec, func(node ast.Node) bool {
		if _, ok := node.(*ast.InterfaceType); ok && node.Pos() <= pos && pos < node.End() {
			found = true
		}
		return !found
	})
	return found
}
