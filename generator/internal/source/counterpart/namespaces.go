package counterpart

import (
	"go/ast"
	"go/constant"
	"go/token"
	"go/types"
	"slices"
	"strings"

	"github.com/mrgen-io/mrgen/generator/internal/diag"
	"github.com/mrgen-io/mrgen/generator/internal/flavor"
)

// Namespaces reports where a copy would ask for a namespace that isn't that of its resource.
func (j *Judge) Namespaces(p Checked) diag.List {
	v := &namespaceVisitor{Judge: j, Checked: p, parameters: map[flavor.TypeName]bool{}, table: flavor.Counterparts(j.Scope)}
	for _, file := range p.Files {
		v.findParameters(file)
	}
	for _, file := range p.Files {
		v.path = nil
		ast.Inspect(file, v.visit)
	}
	return v.diags
}

type namespaceVisitor struct {
	*Judge
	Checked
	table flavor.Correspondence
	// parameters are the types of forProvider and its counterparts: what they call a namespace is
	// one of the external API, until it is used as one of Kubernetes.
	parameters map[flavor.TypeName]bool
	path       []ast.Node
	diags      diag.List
}

// errorf reports an error, unless there is one in the line.
func (v *namespaceVisitor) errorf(pos token.Pos, format string, args ...any) {
	at := v.Position(pos)
	if !slices.ContainsFunc(v.diags, func(d diag.Diagnostic) bool { return d.Pos.File == at.File && d.Pos.Line == at.Line }) {
		v.diags = append(v.diags, diag.Errorf(at, codeScope, format, args...))
	}
}

// decide says how an author decides what mrgen can't.
func (v *namespaceVisitor) decide() string {
	return "mark the declaration +mrgen:scope=" + v.Scope.Other().String() + " and write its counterpart in " + v.Dir
}

func (v *namespaceVisitor) visit(node ast.Node) bool {
	if node == nil {
		v.path = v.path[:len(v.path)-1]
		return false
	}
	switch node := node.(type) {
	case *ast.SelectorExpr:
		if v.Scope == flavor.Cluster {
			v.resourceNamespace(node)
		} else {
			v.referenceNamespace(node)
		}
	case *ast.CompositeLit:
		if v.Scope == flavor.Cluster {
			v.resourceLiteral(node)
		} else if isName(v.Info.TypeOf(node)) {
			v.asked(literalField(node, "Namespace", 0))
		} else if isMetadata(v.Info.TypeOf(node)) {
			v.asked(literalField(node, "Namespace", -1))
		}
	case *ast.AssignStmt:
		for i, left := range node.Lhs {
			if selector, ok := left.(*ast.SelectorExpr); ok && len(node.Lhs) == len(node.Rhs) && v.Scope == flavor.Namespaced && selector.Sel.Name == "Namespace" && v.isObjectField(selector) {
				v.asked(node.Rhs[i])
			}
		}
	case *ast.CallExpr:
		if v.Scope == flavor.Namespaced {
			v.call(node)
		}
	}
	v.path = append(v.path, node)
	return true
}

// resourceNamespace reports where a copy in cluster scope reads the namespace of a resource, or of
// what may be one.
func (v *namespaceVisitor) resourceNamespace(selector *ast.SelectorExpr) {
	name := selector.Sel.Name
	isMethod := name == "GetNamespace" || name == "SetNamespace"
	if !isMethod && name != "Namespace" || v.isOfRequest() {
		return
	}
	x := ast.Expr(selector.X)
	if metadata, ok := ast.Unparen(x).(*ast.SelectorExpr); ok && metadata.Sel.Name == "ObjectMeta" {
		x = metadata.X
	}
	t := v.Info.TypeOf(x)
	switch {
	case t == nil || v.isPackage(selector.X):
	case v.leadsToKind(t):
		v.errorf(selector.Sel.Pos(), "%s of a managed resource means nothing in %s scope: name a function in place of %s.Managed.GetNamespace in replace of scopes, or %s",
			name, v.Scope, v.table.Resource, v.decide())
	case isMethod && types.IsInterface(t), isMetadata(t):
		v.errorf(selector.Sel.Pos(), "nothing here says whether this is a managed resource, which has no namespace in %s scope: use a variable with the type of the object, or %s", v.Scope, v.decide())
	}
}

// resourceLiteral reports where a literal of a managed resource sets its namespace.
func (v *namespaceVisitor) resourceLiteral(literal *ast.CompositeLit) {
	if v.isKind(v.Info.TypeOf(literal)) {
		if metadata, ok := valueOf(literal, "ObjectMeta").(*ast.CompositeLit); ok {
			if namespace := valueOf(metadata, "Namespace"); namespace != nil {
				v.errorf(namespace.Pos(), "a managed resource has no namespace in %s scope: %s", v.Scope, v.decide())
			}
		}
	}
}

// referenceNamespace reports where a copy of namespaced scope reads the namespace that a reference
// names.
func (v *namespaceVisitor) referenceNamespace(selector *ast.SelectorExpr) {
	if (selector.Sel.Name == "Namespace" || selector.Sel.Name == "GetNamespace") && !v.isAssigned(selector) && v.isForeign(selector) {
		v.foreign(selector.Sel.Pos())
	}
}

// isForeign reports whether a selector selects the namespace that a reference names.
func (v *namespaceVisitor) isForeign(selector *ast.SelectorExpr) bool {
	t := v.Info.TypeOf(selector.X)
	return !v.isPackage(selector.X) && isReferenceShape(t) && !v.parameters[typeName(t)]
}

// foreign reports the use of a namespace that a reference names.
func (v *namespaceVisitor) foreign(pos token.Pos) {
	v.errorf(pos, "this reference may name a foreign namespace, which a namespaced copy must not read: use the functions that helpers of scopes writes, or %s", v.decide())
}

// asked reports an expression that is used as a namespace unless it is that of an object.
func (v *namespaceVisitor) asked(expr ast.Expr) {
	if expr == nil || v.isOwn(expr, 0) {
		return
	}
	if selector, ok := ast.Unparen(expr).(*ast.SelectorExpr); ok && v.isForeign(selector) {
		v.foreign(selector.Sel.Pos())
		return
	}
	v.errorf(expr.Pos(), "this may be a foreign namespace, which a namespaced copy must not read: use GetNamespace of the resource in this function, or %s", v.decide())
}

// isOwn reports whether an expression is the namespace of an object, or none.
func (v *namespaceVisitor) isOwn(expr ast.Expr, depth int) bool {
	expr = ast.Unparen(expr)
	if value := v.Info.Types[expr].Value; value != nil {
		return value.Kind() == constant.String && constant.StringVal(value) == ""
	}
	switch expr := expr.(type) {
	case *ast.CallExpr:
		if len(expr.Args) == 1 && v.Info.Types[expr.Fun].IsType() {
			return v.isOwn(expr.Args[0], depth)
		}
		selector, ok := expr.Fun.(*ast.SelectorExpr)
		return ok && (selector.Sel.Name == "GetNamespace" && v.isObject(v.Info.TypeOf(selector.X)) || v.isHelper(expr))
	case *ast.SelectorExpr:
		return expr.Sel.Name == "Namespace" && v.isObjectField(expr)
	case *ast.Ident:
		values := v.valuesOf(expr)
		return depth < maxSteps && len(values) > 0 && !slices.ContainsFunc(values, func(value ast.Expr) bool { return !v.isOwn(value, depth+1) })
	}
	return false
}

// valuesOf returns all values that a variable of a function is given, or nil if that isn't known.
func (v *namespaceVisitor) valuesOf(name *ast.Ident) []ast.Expr {
	object, ok := v.Info.Uses[name].(*types.Var)
	if !ok || object.IsField() || object.Pkg() == nil || object.Parent() == object.Pkg().Scope() {
		return nil
	}
	var values []ast.Expr
	known := true
	for _, file := range v.Files {
		ast.Inspect(file, func(node ast.Node) bool {
			switch node := node.(type) {
			case *ast.AssignStmt:
				for i, left := range node.Lhs {
					if left, ok := left.(*ast.Ident); ok && (v.Info.Defs[left] == object || v.Info.Uses[left] == object) {
						known = known && len(node.Lhs) == len(node.Rhs) && (node.Tok == token.DEFINE || node.Tok == token.ASSIGN)
						if known {
							values = append(values, node.Rhs[i])
						}
					}
				}
			case *ast.ValueSpec:
				for i, left := range node.Names {
					if v.Info.Defs[left] == object && len(node.Values) > 0 {
						known = known && i < len(node.Values)
						if known {
							values = append(values, node.Values[i])
						}
					}
				}
			case *ast.UnaryExpr:
				x, ok := node.X.(*ast.Ident)
				known = known && !(node.Op == token.AND && ok && v.Info.Uses[x] == object)
			case *ast.RangeStmt:
				for _, left := range []ast.Expr{node.Key, node.Value} {
					left, ok := left.(*ast.Ident)
					known = known && !(ok && (v.Info.Defs[left] == object || v.Info.Uses[left] == object))
				}
			}
			return known
		})
	}
	if !known {
		return nil
	}
	return values
}

// call reports calls that are given a reference with a namespace as a whole, and those that take a
// namespace.
func (v *namespaceVisitor) call(call *ast.CallExpr) {
	if v.Info.Types[call.Fun].IsType() {
		of := typeName(v.Info.TypeOf(call.Fun))
		if len(call.Args) == 1 && (of.Name == "InNamespace" || isName(v.Info.TypeOf(call.Fun)) && isReferenceShape(v.Info.TypeOf(call.Args[0]))) {
			v.asked(call.Args[0])
		}
		return
	}
	callee := v.callee(call)
	if callee == nil || callee.Pkg() == nil {
		return // a function of Go, or a value whose calls are judged where it is declared
	}
	if callee.Name() == "SetNamespace" && len(call.Args) == 1 {
		v.asked(call.Args[0])
	}
	importPath := callee.Pkg().Path()
	if strings.HasPrefix(importPath, "k8s.io/client-go/") && len(call.Args) == 1 && isString(v.Info.TypeOf(call.Args[0])) && isClientOf(callee) {
		v.asked(call.Args[0])
	}
	if v.Local(importPath) || v.isHelper(call) || isHarmless(importPath) {
		return
	}
	for _, argument := range call.Args {
		if holdsReference(v.Info.TypeOf(argument)) {
			v.foreign(argument.Pos())
		}
	}
}

// callee returns the function that is called, or nil.
func (v *namespaceVisitor) callee(call *ast.CallExpr) *types.Func {
	fun := ast.Unparen(call.Fun)
	switch index := fun.(type) {
	case *ast.IndexExpr:
		fun = index.X
	case *ast.IndexListExpr:
		fun = index.X
	}
	switch fun := fun.(type) {
	case *ast.Ident:
		f, _ := v.Info.Uses[fun].(*types.Func)
		return f
	case *ast.SelectorExpr:
		f, _ := v.Info.Uses[fun.Sel].(*types.Func)
		return f
	}
	return nil
}

// isHelper reports whether a call is one of a function that tells the scopes apart.
func (v *namespaceVisitor) isHelper(call *ast.CallExpr) bool {
	callee := v.callee(call)
	return callee != nil && callee.Pkg() != nil && v.Helpers != "" && callee.Pkg().Path() == v.Helpers
}

// harmless are packages whose functions read nothing from Kubernetes.
var harmless = []string{"fmt", "errors", "slices", "reflect", "encoding/json", "github.com/google/go-cmp/cmp", "github.com/crossplane/crossplane-runtime/v2/pkg/errors", "github.com/pkg/errors", "k8s.io/utils/ptr"}

func isHarmless(importPath string) bool { return slices.Contains(harmless, importPath) }

// isClientOf reports whether a method returns a client for a namespace.
func isClientOf(method *types.Func) bool {
	signature, ok := method.Type().(*types.Signature)
	return ok && signature.Recv() != nil && signature.Results().Len() == 1 && types.IsInterface(signature.Results().At(0).Type())
}

func (v *namespaceVisitor) isPackage(expr ast.Expr) bool {
	name, ok := expr.(*ast.Ident)
	if !ok {
		return false
	}
	_, isPackage := v.Info.Uses[name].(*types.PkgName)
	return isPackage
}

// isAssigned reports whether the selector is what a statement assigns to.
func (v *namespaceVisitor) isAssigned(selector *ast.SelectorExpr) bool {
	if len(v.path) == 0 {
		return false
	}
	assign, ok := v.path[len(v.path)-1].(*ast.AssignStmt)
	return ok && slices.Contains(assign.Lhs, ast.Expr(selector))
}

// isOfRequest reports whether the innermost expression is the namespace of a request to a resolver,
// which leaves it out of account in cluster scope.
func (v *namespaceVisitor) isOfRequest() bool {
	for i := len(v.path) - 1; i > 0; i-- {
		switch node := v.path[i].(type) {
		case *ast.CallExpr, *ast.ParenExpr:
			continue
		case *ast.KeyValueExpr:
			key, ok := node.Key.(*ast.Ident)
			literal, isLiteral := v.path[i-1].(*ast.CompositeLit)
			return ok && isLiteral && key.Name == "Namespace" && v.table.Requests[typeName(v.Info.TypeOf(literal))]
		}
		return false
	}
	return false
}

// findParameters finds the types of spec.forProvider and its counterparts.
func (v *namespaceVisitor) findParameters(file *ast.File) {
	ast.Inspect(file, func(node ast.Node) bool {
		if selector, ok := node.(*ast.SelectorExpr); ok && slices.Contains([]string{"ForProvider", "InitProvider", "AtProvider"}, selector.Sel.Name) {
			v.parameters[typeName(v.Info.TypeOf(selector))] = true
		}
		return true
	})
}

// isKind reports whether a type is that of a managed resource, or points to one.
func (v *namespaceVisitor) isKind(t types.Type) bool {
	t = pointee(t)
	kind, ok := underlyingStruct(t)
	return ok && v.APIs[typeName(t).Package] && embeds(kind, "ObjectMeta") && !isProviderConfig(kind)
}

// leadsToKind reports whether the metadata of a type is that of a managed resource: it is one,
// embeds one, or is an interface for them.
func (v *namespaceVisitor) leadsToKind(t types.Type) bool {
	if v.isKind(t) || v.table.Managed[typeName(t)] {
		return true
	}
	of, ok := underlyingStruct(pointee(t))
	if !ok {
		return false
	}
	for field := range of.Fields() {
		if field.Embedded() && !isMetadata(field.Type()) && typeName(field.Type()) != typeName(t) && v.leadsToKind(field.Type()) {
			return true
		}
	}
	return false
}

// isObject reports whether a type is an object of Kubernetes, its metadata, or an interface of it.
func (v *namespaceVisitor) isObject(t types.Type) bool {
	return t != nil && (types.IsInterface(t) || isMetadata(t) || hasMetadata(t))
}

// isObjectField reports whether the field Namespace that is selected is part of the metadata of an
// object, or of a name.
func (v *namespaceVisitor) isObjectField(selector *ast.SelectorExpr) bool {
	t := v.Info.TypeOf(selector.X)
	return t != nil && !v.isPackage(selector.X) && (isMetadata(t) || isName(t) || hasMetadata(t) || isRequest(t))
}
