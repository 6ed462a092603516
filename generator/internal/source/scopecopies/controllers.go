package scopecopies

import (
	"go/ast"
	"go/token"
	"go/types"
	"slices"
	"strconv"
	"strings"

	"github.com/mrgen-io/mrgen/generator/internal/flavor"
	"github.com/mrgen-io/mrgen/generator/internal/gosyntax"
)

// The packages that make controllers.
const (
	controllerRuntime = "sigs.k8s.io/controller-runtime"
	builderPackage    = controllerRuntime + "/pkg/builder"
	controllerPackage = controllerRuntime + "/pkg/controller"
)

// rewriteControllers gives controllers other names, unless they are derived from the group of a
// kind: no two controllers of a program have the same name, by which metrics and events are
// known.
func (r *rewriter) rewriteControllers() {
	if r.source.api {
		return
	}
	isNamed := map[ast.Node]bool{} // what makes builders, and variables with them
	var made, finished []*ast.CallExpr
	for node := range ast.Preorder(r.file.syntax) {
		call, ok := node.(*ast.CallExpr)
		if !ok || r.isRemoved(node) {
			continue
		}
		selector, ok := call.Fun.(*ast.SelectorExpr)
		if !ok {
			continue
		}
		switch of := r.imported(selector); {
		case of.Package == controllerPackage && slices.Contains([]string{"New", "NewTyped", "NewUnmanaged", "NewTypedUnmanaged"}, of.Name) && len(call.Args) > 0:
			r.nameController(call.Args[0])
		case r.makesBuilder(call):
			made = append(made, call)
		case selector.Sel.Name == "Named" && len(call.Args) == 1:
			if builder := r.builderOf(selector.X); builder != nil {
				isNamed[builder] = true
				r.nameController(call.Args[0])
			}
		case selector.Sel.Name == "Complete" || selector.Sel.Name == "Build":
			finished = append(finished, call)
		}
	}
	for _, call := range finished {
		builder := r.builderOf(call.Fun.(*ast.SelectorExpr).X)
		if made := slices.ContainsFunc(made, func(m *ast.CallExpr) bool { return builder == m }); made && !isNamed[builder] {
			r.errorf(builder.Pos(), "a controller without a name has that of its kind, which is the same in both scopes: add .Named(managed.ControllerName(...)) with the group and the kind")
		}
	}
}

// imported returns the name of another package that is selected, or an empty one.
func (r *rewriter) imported(selector *ast.SelectorExpr) flavor.TypeName {
	x, name := gosyntax.Selected(selector)
	if pkg, ok := r.file.info.Uses[x].(*types.PkgName); ok {
		return flavor.TypeName{Package: pkg.Imported().Path(), Name: name}
	}
	return flavor.TypeName{}
}

// makesBuilder reports whether a call returns a new builder of controllers.
func (r *rewriter) makesBuilder(call *ast.CallExpr) bool {
	selector, ok := call.Fun.(*ast.SelectorExpr)
	if !ok {
		return false
	}
	of := r.imported(selector)
	return of == flavor.TypeName{Package: controllerRuntime, Name: "NewControllerManagedBy"} ||
		of == flavor.TypeName{Package: builderPackage, Name: "ControllerManagedBy"} ||
		of == flavor.TypeName{Package: builderPackage, Name: "TypedControllerManagedBy"}
}

// builderOf returns the call that makes the builder which an expression is, or nil.
func (r *rewriter) builderOf(expr ast.Expr) ast.Node {
	for range maxSteps {
		switch of := ast.Unparen(expr).(type) {
		case *ast.CallExpr:
			if r.makesBuilder(of) {
				return of
			}
			selector, ok := of.Fun.(*ast.SelectorExpr)
			if !ok {
				return nil
			}
			expr = selector.X
		case *ast.Ident:
			if expr = r.valueOfLocal(of); expr == nil {
				return nil
			}
		default:
			return nil
		}
	}
	return nil
}

// maxSteps ends chains of variables that have each other's values.
const maxSteps = 100

// nameController gives a controller another name, unless that is derived from the group of a
// kind.
func (r *rewriter) nameController(name ast.Expr) {
	if r.isGroup(r.file, name) {
		return
	}
	for range maxSteps {
		switch of := ast.Unparen(name).(type) {
		case *ast.CallExpr:
			if selector, ok := of.Fun.(*ast.SelectorExpr); ok && selector.Sel.Name == "ControllerName" && len(of.Args) == 1 {
				name = of.Args[0]
				continue
			}
		case *ast.Ident:
			if value := r.valueOfLocal(of); value != nil {
				name = value
				continue
			}
			if isLocal(r.file, of) {
				r.errorf(of.Pos(), "nothing here says whether this name of a controller differs in %s scope: derive it from the group of the kind, as managed.ControllerName does, in this function", r.scope.Other())
				return
			}
		case *ast.BasicLit:
			if value, err := strconv.Unquote(of.Value); err == nil && r.replaced[value] == nil {
				r.replace(of, quoteLike(of.Value, r.otherName(value)))
			}
			return
		case *ast.BinaryExpr:
			// What one scope adds to the name, the other has without it.
			if suffix, ok := of.Y.(*ast.BasicLit); ok && suffix.Value == strconv.Quote("."+r.scope.String()) {
				r.edit(r.offset(of.X.End()), r.offset(of.End()), "")
				return
			}
		}
		break
	}
	end := r.offset(name.End())
	r.edit(end, end, " + "+strconv.Quote(r.otherName("")))
}

// otherName returns the name of a controller in the other scope: with a suffix, or without that of
// its own.
func (r *rewriter) otherName(name string) string {
	if other, found := strings.CutSuffix(name, "."+r.scope.String()); found {
		return other
	}
	return name + "." + r.scope.Other().String()
}

// isLocal reports whether a name is that of a variable in a function.
func isLocal(f *sourceFile, name *ast.Ident) bool {
	variable, ok := f.info.Uses[name].(*types.Var)
	return ok && !variable.IsField() && !isPackageLevel(f, name)
}

// valueOfLocal returns the value that a variable or constant of a function is declared with, or
// nil.
func (r *rewriter) valueOfLocal(name *ast.Ident) ast.Expr {
	object := r.file.info.Uses[name]
	if object == nil || isPackageLevel(r.file, name) {
		return nil
	}
	for value, isDeclared := range valuesIn(r.file.syntax, r.file.info, object) {
		if isDeclared && value != nil {
			return value
		}
	}
	return nil
}

// isGroup reports whether the value of an expression depends on the API group of a kind: whether
// a literal with the group is in it, or in what it names.
func (c *copier) isGroup(f *sourceFile, expr ast.Node) bool {
	found := false
	ast.Inspect(expr, func(node ast.Node) bool {
		switch node := node.(type) {
		case *ast.SelectorExpr:
			// The kind of a group and kind is the same in both scopes.
			return !found && node.Sel.Name != "Kind" && node.Sel.Name != "Version"
		case *ast.BasicLit:
			if value, err := strconv.Unquote(node.Value); err == nil && node.Kind == token.STRING {
				found = found || c.groupIn(value) != "" || c.replaced[value] != nil
			}
		case *ast.Ident:
			if object := f.info.Uses[node]; object != nil && !found {
				found = c.isGroupName(object)
			}
		}
		return !found
	})
	return found
}

// isGroupName reports whether what a name stands for depends on the API group of a kind.
func (c *copier) isGroupName(object types.Object) bool {
	if of, known := c.hasGroup[object]; known {
		return of
	}
	c.hasGroup[object] = false // while it is found out
	if object.Pkg() == nil || c.packages[object.Pkg().Path()] == nil {
		return false
	}
	for _, f := range c.packages[object.Pkg().Path()].files {
		if f.syntax.FileStart <= object.Pos() && object.Pos() < f.syntax.FileEnd {
			c.hasGroup[object] = c.isGroupIn(f, object)
		}
	}
	return c.hasGroup[object]
}

// isGroupIn reports whether the declaration of a name in a file depends on the API group.
func (c *copier) isGroupIn(f *sourceFile, object types.Object) bool {
	found := false
	ast.Inspect(f.syntax, func(node ast.Node) bool {
		if node == nil || found || node.Pos() > object.Pos() || node.End() <= object.Pos() {
			return false
		}
		switch node := node.(type) {
		case *ast.FuncDecl:
			if f.info.Defs[node.Name] == object && node.Body != nil {
				found = c.isGroup(f, node.Body)
			}
		case *ast.AssignStmt:
			for _, value := range node.Rhs {
				found = found || c.isGroup(f, value)
			}
		case *ast.ValueSpec:
			for i, name := range node.Names {
				if f.info.Defs[name] == object && i < len(node.Values) {
					found = c.isGroup(f, node.Values[i])
				}
			}
		}
		return !found
	})
	return found
}
