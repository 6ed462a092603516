package load

import (
	"go/ast"
	"maps"
	"slices"
	"strings"

	"golang.org/x/tools/go/packages"
	"sigs.k8s.io/controller-tools/pkg/loader"

	"github.com/mrgen-io/mrgen/generator/diag"
	"github.com/mrgen-io/mrgen/generator/internal/flavor"
	"github.com/mrgen-io/mrgen/markers"
)

const codeType diag.Code = "type"

// TypeErrors returns the type errors that matter: errors in type declarations of API packages, and in the declarations
// of types at some positions, which are the types that API types consist of.
func (p *Program) TypeErrors(declaredAt map[diag.Position]bool, later map[flavor.TypeName]bool) diag.List {
	var diags diag.List
	for _, pkg := range p.checked() {
		isAPI := slices.Contains(p.APIs, pkg)
		for i, e := range pkg.Errors {
			isOther := strings.HasPrefix(e.Msg, "\tother declaration of ") // the error before it says so
			// A stage writes missing methods, such as a type argument's that isn't a runtime.Object yet.
			if isOther || e.Kind != packages.TypeError || strings.Contains(e.Msg, "(missing method ") || isDeclaredLater(pkg, e.Msg, later) {
				continue
			}
			at := p.Files.ErrorPosition(pkg, p.Scope.Root(), e.Pos)
			if importPath, nameless := strings.CutSuffix(e.Msg, " (invalid package name: \"\")"); nameless {
				importPath = strings.TrimPrefix(importPath, "could not import ")
				diags = append(diags, diag.Errorf(at, codeType, "cannot import %q: its source has no package clause", importPath))
				continue
			}
			// Errors in declarations of functions and variables don't matter: most come from methods that the run is
			// about to generate.
			spec := p.typeSpecAt(pkg, at)
			if spec == nil || !isAPI && !declaredAt[p.Files.Position(spec.Name.Pos())] {
				continue
			}
			if name, isAgain := strings.CutSuffix(e.Msg, " redeclared in this block"); isAgain && i+1 < len(pkg.Errors) {
				other := p.Files.ErrorPosition(pkg, p.Scope.Root(), pkg.Errors[i+1].Pos) // go/types tells where at once
				diags = append(diags, diag.Errorf(at, codeType, "%s is declared in %s, too: remove or rename one of them", name, other.File).
					As("%%d types are declared in %s, too: if one of the files is a copy, remove it, or rename its types", other.File))
				continue
			}
			diags = append(diags, diag.Errorf(at, codeType, "%s", p.Files.RelativeText(e.Msg)+unreached(pkg, e.Msg)))
		}
	}
	return diags
}

// unreached says why no stage declares an undefined type with a name that a stage would give it, or which one a package declares.
func unreached(pkg *loader.Package, message string) string {
	name, isUndefined := strings.CutPrefix(message, "undefined: ")
	switch {
	case strings.HasPrefix(name, "Observed"):
		return ": mrgen declares it where status.atProvider of a kind leads to it: correct the type of atProvider or of the kind's Status, or remove this"
	case strings.HasSuffix(name, "InitParameters"):
		return ": mrgen declares it where spec.initProvider of a kind leads to it: correct the field's name or the type of the kind's Spec, or remove this"
	case isUndefined:
		return strings.TrimSuffix(": "+markers.Remedy(name, pkg.Types.Scope().Names(), ""), ": ")
	}
	return ""
}

// isDeclaredLater reports whether a type error is about a type that a stage declares later. Types that are missing even
// then are found when the stage has added its files.
func isDeclaredLater(pkg *loader.Package, message string, later map[flavor.TypeName]bool) bool {
	name, found := strings.CutPrefix(message, "undefined: ")
	if _, selected, qualified := strings.Cut(name, "."); qualified {
		// The message has the file's name for the package, which may differ from the package's own.
		return found && slices.ContainsFunc(slices.Collect(maps.Keys(later)), func(t flavor.TypeName) bool { return t.Name == selected })
	}
	return found && later[flavor.TypeName{Package: loader.NonVendorPath(pkg.PkgPath), Name: name}]
}

// checked returns the packages below the module root that were type-checked because the
// APIs need them, including these.
func (p *Program) checked() []*loader.Package {
	var checked []*loader.Package
	Walk(p.APIs, func(pkg *loader.Package) bool { // nothing that the APIs need is below a package that wasn't checked
		if pkg.TypesInfo != nil && p.Files.IsLocal(pkg) {
			checked = append(checked, pkg)
		}
		return pkg.TypesInfo != nil
	})
	return checked
}

// typeSpecAt returns the declaration of the type that the position is in, or nil.
func (p *Program) typeSpecAt(pkg *loader.Package, at diag.Position) *ast.TypeSpec {
	for _, node := range p.Files.EnclosingAt(pkg, at) {
		switch node := node.(type) {
		case *ast.InterfaceType: // API types have no interfaces, and their packages aren't loaded
			return nil
		case *ast.TypeSpec:
			return node
		}
	}
	return nil
}
