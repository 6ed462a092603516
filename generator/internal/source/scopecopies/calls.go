package scopecopies

import (
	"go/ast"
	"go/token"
	"go/types"
	"slices"
	"strings"

	"golang.org/x/tools/go/types/typeutil"

	"github.com/mrgen-io/mrgen/generator/internal/gotypes"
)

// harmless are packages of Kubernetes and Crossplane whose functions read nothing.
var harmless = []string{"github.com/crossplane/crossplane-runtime/v2/pkg/errors", "k8s.io/utils/ptr"}

// call reports calls that take a namespace, those that are given a reference with a namespace as a whole,
// and lists of the objects in all namespaces.
func (v *namespaceVisitor) call(call *ast.CallExpr) {
	if v.Info.Types[call.Fun].IsType() {
		t := v.Info.TypeOf(call.Fun)
		if len(call.Args) == 1 && (gotypes.NameOf(t).Name == "InNamespace" || isName(t) && isReferenceShape(v.Info.TypeOf(call.Args[0]))) {
			v.asked(call.Args[0])
		}
		return
	}
	importPath, isJudged := "", false
	switch callee := typeutil.Callee(v.Info, call).(type) {
	case *types.Builtin:
		return
	case *types.Func:
		if callee.Pkg() == nil {
			return // a method of an error
		}
		importPath = callee.Pkg().Path()
		v.namespaceArguments(call, callee)
		recv := callee.Signature().Recv()
		isJudged = v.Local(importPath) && (recv == nil || !types.IsInterface(recv.Type()))
		if recv != nil && !isJudged && strings.HasPrefix(importPath, v.Module+"/") && isReferenceShape(recv.Type()) {
			v.foreign(call.Pos())
		}
	case *types.Var: // functions that are declared here are judged here
		name, ok := call.Fun.(*ast.Ident)
		isJudged = ok && v.hasOnly(name, func(value ast.Expr) bool { _, ok := value.(*ast.FuncLit); return ok })
	default:
		_, isJudged = ast.Unparen(call.Fun).(*ast.FuncLit)
	}
	hasClient := slices.ContainsFunc(call.Args, v.isClient)
	for _, argument := range call.Args {
		if hasClient && !isJudged && v.isOfKubernetes(importPath) && v.namesInput(argument) {
			v.undecided(argument.Pos())
		}
		if pointer, ok := argument.(*ast.UnaryExpr); ok && !isJudged && pointer.Op == token.AND && isName(v.Info.TypeOf(pointer.X)) {
			v.undecided(argument.Pos())
		}
		if !isJudged && !v.isHelper(call) && !v.readsNothing(call, importPath) && holdsReference(v.Info.TypeOf(argument)) {
			v.foreign(argument.Pos())
		}
	}
}

// namespaceArguments reports the arguments of a call that are namespaces, or that lack one.
func (v *namespaceVisitor) namespaceArguments(call *ast.CallExpr, callee *types.Func) {
	importPath, name := callee.Pkg().Path(), callee.Name()
	isClient := importPath == controllerRuntime+"/pkg/client"
	switch {
	case name == "SetNamespace" && len(call.Args) == 1,
		strings.HasPrefix(importPath, "k8s.io/client-go/") && len(call.Args) == 1 && gotypes.IsString(gotypes.Deref(v.Info.TypeOf(call.Args[0]))) && (name == "Namespace" || isClientOf(callee)):
		v.asked(call.Args[0])
	case isClient && name == "NewNamespacedClient" && len(call.Args) == 2:
		v.asked(call.Args[1])
	case isClient && (name == "List" || name == "DeleteAllOf") && len(call.Args) > 1 && v.isNamespaced(v.Info.TypeOf(call.Args[1])):
		if !slices.ContainsFunc(call.Args[2:], func(option ast.Expr) bool { return v.namesNamespace(option, 0) }) {
			v.errorf(call.Pos(), "this is about the objects of all namespaces, which a namespaced copy must not read: add client.InNamespace with the namespace of the resource, or %s", v.decide())
		}
	}
}

// isHelper reports whether a call is one of a function that tells the scopes apart.
func (v *namespaceVisitor) isHelper(call *ast.CallExpr) bool {
	callee := typeutil.Callee(v.Info, call)
	return callee != nil && callee.Pkg() != nil && v.Helpers != "" && callee.Pkg().Path() == v.Helpers
}

// isOfKubernetes reports whether a package may read from Kubernetes by itself: those of the module may.
func (v *namespaceVisitor) isOfKubernetes(importPath string) bool {
	return slices.ContainsFunc([]string{v.Module + "/", "k8s.io/", "sigs.k8s.io/", "github.com/crossplane/"}, func(prefix string) bool { return strings.HasPrefix(importPath, prefix) })
}

// readsNothing reports whether a call of a function in a package reads nothing from Kubernetes: other
// packages need a client for that.
func (v *namespaceVisitor) readsNothing(call *ast.CallExpr, importPath string) bool {
	return slices.Contains(harmless, importPath) || importPath != "" && !v.isOfKubernetes(importPath) && !slices.ContainsFunc(call.Args, v.isClient)
}

// isClient reports whether an expression is a client of Kubernetes.
func (v *namespaceVisitor) isClient(expr ast.Expr) bool {
	of := gotypes.NameOf(v.Info.TypeOf(expr)).Package
	return of == controllerRuntime+"/pkg/client" && !isListOptions(v.Info.TypeOf(expr)) || strings.HasPrefix(of, "k8s.io/client-go/")
}

// namesInput reports whether an expression has a field of the API that is called a namespace.
func (v *namespaceVisitor) namesInput(expr ast.Expr) bool {
	for node := range ast.Preorder(expr) {
		if selector, ok := node.(*ast.SelectorExpr); ok && strings.HasSuffix(selector.Sel.Name, "Namespace") {
			if field, ok := v.Info.Uses[selector.Sel].(*types.Var); ok && field.IsField() && field.Pkg() != nil && v.APIs[field.Pkg().Path()] {
				return true
			}
		}
	}
	return false
}

// isClientOf reports whether a method returns a client for a namespace.
func isClientOf(method *types.Func) bool {
	signature, ok := method.Type().(*types.Signature)
	return ok && signature.Recv() != nil && signature.Results().Len() == 1 && types.IsInterface(signature.Results().At(0).Type())
}
