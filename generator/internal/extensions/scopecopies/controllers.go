package scopecopies

import (
	"go/ast"
	"go/token"
	"go/types"
	"slices"
	"strings"

	"github.com/mrgen-io/mrgen/generator/internal/flavor"
	"github.com/mrgen-io/mrgen/generator/internal/gosyntax"
)

const controllerRuntime = "sigs.k8s.io/controller-runtime"

// builders are the functions that make builders of controllers.
var builders = []flavor.TypeName{
	{Package: controllerRuntime, Name: "NewControllerManagedBy"},
	{Package: controllerRuntime + "/pkg/builder", Name: "ControllerManagedBy"},
	{Package: controllerRuntime + "/pkg/builder", Name: "TypedControllerManagedBy"},
}

// checkControllers reports controllers whose names don't follow from the group of a kind: no two
// controllers of a program have the same name, by which metrics and events are known.
func (r *rewriter) checkControllers() {
	if r.source.api {
		return
	}
	ast.PreorderStack(r.file.syntax, nil, func(node ast.Node, outer []ast.Node) bool {
		call, ok := node.(*ast.CallExpr)
		if !ok || r.isRemoved(node) {
			return !r.isRemoved(node)
		}
		selector, ok := call.Fun.(*ast.SelectorExpr)
		if !ok {
			return true
		}
		switch of := r.imported(selector); {
		case of.Package == controllerRuntime+"/pkg/controller" && strings.HasPrefix(of.Name, "New") && len(call.Args) > 0:
			r.checkControllerName(call.Args[0])
		case slices.Contains(builders, of):
			if name := nameInChain(call, outer); name != nil {
				r.checkControllerName(name)
			} else {
				r.errorf(call.Pos(), "a controller without a name has that of its kind, which both scopes share: add .Named(managed.ControllerName(...)) with a group and kind to this call")
			}
		}
		return true
	})
}

// nameInChain returns what the calls of methods around a call name a builder, or nil.
func nameInChain(call ast.Expr, outer []ast.Node) ast.Expr {
	for _, node := range slices.Backward(outer) {
		switch node := node.(type) {
		case *ast.SelectorExpr:
		case *ast.CallExpr:
			method, ok := node.Fun.(*ast.SelectorExpr)
			if !ok || method.X != call {
				return nil
			}
			if method.Sel.Name == "Named" && len(node.Args) == 1 {
				return node.Args[0]
			}
			call = node
		default:
			return nil
		}
	}
	return nil
}

// checkControllerName reports the name of a controller, unless it is a call of ControllerName with a group
// and kind, or a variable that is declared with one.
func (r *rewriter) checkControllerName(name ast.Expr) {
	value := name
	if variable, ok := name.(*ast.Ident); ok {
		value = r.declaredWith(r.file.info.Uses[variable])
	}
	call, ok := value.(*ast.CallExpr)
	isOfGroup := func(node ast.Node) bool {
		name, ok := node.(*ast.Ident)
		return ok && strings.HasSuffix(name.Name, "GroupKind")
	}
	if !ok || nameOf(call.Fun) == nil || nameOf(call.Fun).Name != "ControllerName" || !slices.ContainsFunc(slices.Collect(ast.Preorder(call)), isOfGroup) {
		r.errorf(name.Pos(), "controllers of both scopes may share this name: write managed.ControllerName with the group and kind, such as v1.BucketGroupKind")
	}
}

// declaredWith returns the value in the declaration of a variable of the file, or nil.
func (r *rewriter) declaredWith(object types.Object) ast.Expr {
	for node := range ast.Preorder(r.file.syntax) {
		assign, ok := node.(*ast.AssignStmt)
		if !ok || assign.Tok != token.DEFINE || len(assign.Lhs) != len(assign.Rhs) {
			continue
		}
		for i, left := range assign.Lhs {
			if name, ok := left.(*ast.Ident); ok && object != nil && r.file.info.Defs[name] == object {
				return assign.Rhs[i]
			}
		}
	}
	return nil
}

// imported returns the name of another package that is selected, or an empty one.
func (r *rewriter) imported(selector *ast.SelectorExpr) flavor.TypeName {
	x, name := gosyntax.Selected(selector)
	if pkg, ok := r.file.info.Uses[x].(*types.PkgName); ok {
		return flavor.TypeName{Package: pkg.Imported().Path(), Name: name}
	}
	return flavor.TypeName{}
}
