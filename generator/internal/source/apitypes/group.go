package apitypes

import (
	"go/ast"
	"go/constant"
	"go/types"
	"path"
	"regexp"
	"slices"

	"sigs.k8s.io/controller-tools/pkg/loader"

	"github.com/mrgen-io/mrgen/generator/diag"
	"github.com/mrgen-io/mrgen/generator/internal/model"
	"github.com/mrgen-io/mrgen/generator/internal/source/load"
	"github.com/mrgen-io/mrgen/markers"
)

// isVersion matches the versions of APIs that Kubernetes orders by stability.
var isVersion = regexp.MustCompile(`^v[1-9][0-9]*((alpha|beta)[1-9][0-9]*)?$`)

// checkGroup reports a package whose types register in another API group or version than its definitions have.
func (b *builder) checkGroup(p *model.Package, pkg *loader.Package) {
	if p.Group == "" || len(p.Objects) == 0 {
		return
	}
	if folder := path.Base(p.Dir); folder != p.Version && isVersion.MatchString(folder) {
		b.diags = append(b.diags, diag.Warningf(b.source.files.Position(pkg.Syntax[0].Name.Pos()), codeMarker,
			"the folder is called %s, and its kinds have the version %s: correct the package clause and +%s, or rename the folder",
			folder, p.Version, markers.VersionName))
	}
	for _, name := range []string{"SchemeGroupVersion", "GroupVersion"} {
		variable, ok := pkg.Types.Scope().Lookup(name).(*types.Var)
		if !ok {
			continue
		}
		literal, ok := valueOf(pkg, variable).(*ast.CompositeLit)
		if !ok || !isGroupVersion(literal.Type) {
			continue
		}
		for i, element := range literal.Elts {
			field := ""
			if pair, ok := element.(*ast.KeyValueExpr); ok {
				field, element = pair.Key.(*ast.Ident).Name, pair.Value
			}
			text, known := textOf(pkg, element)
			// Without field names, the group is the first element, and the version the second.
			switch isGroup, isVersion := field == "Group" || field == "" && i == 0, field == "Version" || field == "" && i == 1; {
			case !known: // a text that the program computes can't be compared
			case isGroup && text != p.Group:
				b.diags = append(b.diags, diag.Errorf(b.source.files.Position(element.Pos()), codeMarker,
					"%s has the group %q, and +%s=%s has another: types would register in a group that has no definitions of them: make both the same",
					name, text, markers.GroupName, p.Group))
			case isVersion && text != p.Version:
				b.diags = append(b.diags, diag.Errorf(b.source.files.Position(element.Pos()), codeMarker,
					"%s has the version %q, and the definitions have %q: types would register in a version that no definition has: make both the same",
					name, text, p.Version))
			}
		}
	}
}

// checkKindNames reports variables and constants that are named after a kind and hold another name.
func (b *builder) checkKindNames(p *model.Package, pkg *loader.Package) {
	for _, o := range p.Objects {
		for _, ending := range []string{"Kind", "GroupVersionKind"} {
			declared := pkg.Types.Scope().Lookup(o.Name + ending)
			if declared == nil {
				continue
			}
			value := valueOf(pkg, declared)
			if call, ok := value.(*ast.CallExpr); ok && len(call.Args) == 1 {
				if method, ok := call.Fun.(*ast.SelectorExpr); ok && method.Sel.Name == "WithKind" {
					value = call.Args[0]
				}
			}
			if text, known := textOf(pkg, value); known && text != o.Name {
				b.diags = append(b.diags, diag.Errorf(b.source.files.Position(value.Pos()), codeKind,
					"%s names the kind %q: write %q", declared.Name(), text, o.Name))
			}
		}
	}
}

// isGroupVersion reports whether an expression names the type GroupVersion. That type isn't loaded, since no API type
// refers to it.
func isGroupVersion(expr ast.Expr) bool {
	selector, ok := expr.(*ast.SelectorExpr)
	return ok && selector.Sel.Name == "GroupVersion"
}

// valueOf returns the expression that a variable or constant of a package is declared with, or nil.
func valueOf(pkg *loader.Package, variable types.Object) ast.Expr {
	for _, node := range load.Enclosing(pkg, variable.Pos()) {
		spec, ok := node.(*ast.ValueSpec)
		if !ok || len(spec.Names) != len(spec.Values) { // several variables may share one call
			continue
		}
		if i := slices.IndexFunc(spec.Names, func(name *ast.Ident) bool { return name.Pos() == variable.Pos() }); i >= 0 {
			return spec.Values[i]
		}
	}
	return nil
}

// textOf returns the value of a constant expression, if it is a string.
func textOf(pkg *loader.Package, expr ast.Expr) (string, bool) {
	value := pkg.TypesInfo.Types[expr].Value
	var name *ast.Ident
	switch expr := expr.(type) {
	case *ast.Ident:
		name = expr
	case *ast.SelectorExpr:
		name = expr.Sel
	}
	if name != nil {
		if c, ok := pkg.TypesInfo.ObjectOf(name).(*types.Const); ok {
			value = c.Val()
		}
	}
	if value == nil || value.Kind() != constant.String {
		return "", false
	}
	return constant.StringVal(value), true
}
