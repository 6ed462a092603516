package scopecopies

import (
	"go/ast"
	"go/token"
	"go/types"
	"slices"

	"golang.org/x/tools/go/types/typeutil"

	"github.com/mrgen-io/mrgen/generator/diag"
	"github.com/mrgen-io/mrgen/generator/internal/flavor"
	"github.com/mrgen-io/mrgen/generator/internal/gotypes"
)

// Namespaces reports where a copy would ask for a namespace that isn't that of its resource.
func (j *Judge) Namespaces(p Checked) diag.List {
	v := &namespaceVisitor{Judge: j, Checked: p, parameters: map[flavor.TypeName]bool{}, parent: map[ast.Node]ast.Node{}, table: flavor.Counterparts(j.Scope)}
	for _, file := range p.Files {
		v.findParameters(file)
	}
	for _, file := range p.Files {
		ast.PreorderStack(file, nil, func(node ast.Node, stack []ast.Node) bool {
			if len(stack) > 0 {
				v.parent[node] = stack[len(stack)-1]
			}
			return true
		})
	}
	for _, file := range p.Files {
		for node := range ast.Preorder(file) {
			v.visit(node)
		}
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
	parent     map[ast.Node]ast.Node
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

func (v *namespaceVisitor) visit(node ast.Node) {
	if v.Scope == flavor.Namespaced {
		v.foreignNamespace(node)
		return
	}
	switch node := node.(type) {
	case *ast.SelectorExpr:
		v.resourceNamespace(node)
	case *ast.CompositeLit:
		v.resourceLiteral(node)
	}
}

// resourceNamespace reports where a copy in cluster scope reads the namespace of a resource, or of
// what may be one.
func (v *namespaceVisitor) resourceNamespace(selector *ast.SelectorExpr) {
	name := selector.Sel.Name
	isMethod, isKey := name == "GetNamespace" || name == "SetNamespace", v.isKeyOfResource(selector.X, 0)
	if !isMethod && name != "Namespace" && !(name == "Name" && isKey && v.isAssigned(selector)) || v.isOfRequest(selector) {
		return
	}
	x := ast.Expr(selector.X)
	if part, ok := ast.Unparen(x).(*ast.SelectorExpr); ok && (part.Sel.Name == "ObjectMeta" || part.Sel.Name == "NamespacedName") {
		x = part.X
	}
	t := v.Info.TypeOf(x)
	switch {
	case t == nil || v.isPackage(selector.X):
	case isKey:
		v.errorf(selector.Sel.Pos(), "the key of a managed resource has no namespace in %s scope: make the key of its parts, or %s", v.Scope, v.decide())
	case v.leadsToKind(t), isRequest(t):
		v.errorf(selector.Sel.Pos(), "%s of a managed resource means nothing in %s scope: name a function in place of %s.Managed.GetNamespace in replace of scopes, or %s",
			name, v.Scope, v.table.Resource, v.decide())
	case isMethod && types.IsInterface(t), isMetadata(t):
		v.errorf(selector.Sel.Pos(), "nothing here says whether this is a managed resource, which has no namespace in %s scope: use a variable with the type of the object, or %s", v.Scope, v.decide())
	}
}

// isKeyOfResource reports whether an expression is the key of a managed resource, made of the whole.
func (v *namespaceVisitor) isKeyOfResource(expr ast.Expr, depth int) bool {
	switch expr := ast.Unparen(expr).(type) {
	case *ast.CallExpr:
		callee := typeutil.Callee(v.Info, expr)
		return callee != nil && callee.Name() == "ObjectKeyFromObject" && len(expr.Args) == 1 && v.leadsToKind(v.Info.TypeOf(expr.Args[0]))
	case *ast.Ident:
		return isName(v.Info.TypeOf(expr)) && depth < maxSteps &&
			slices.ContainsFunc(v.valuesOf(expr), func(value ast.Expr) bool { return v.isKeyOfResource(value, depth+1) })
	}
	return false
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

func (v *namespaceVisitor) isPackage(expr ast.Expr) bool {
	name, ok := expr.(*ast.Ident)
	if !ok {
		return false
	}
	_, isPackage := v.Info.Uses[name].(*types.PkgName)
	return isPackage
}

// isOfRequest reports whether an expression is the namespace of a request to a resolver, which leaves it
// out of account in cluster scope.
func (v *namespaceVisitor) isOfRequest(expr ast.Node) bool {
	switch outer := v.parent[expr].(type) {
	case *ast.CallExpr, *ast.ParenExpr:
		return v.isOfRequest(outer)
	case *ast.KeyValueExpr:
		key, ok := outer.Key.(*ast.Ident)
		literal, isLiteral := v.parent[outer].(*ast.CompositeLit)
		return ok && isLiteral && key.Name == "Namespace" && v.table.Requests[gotypes.NameOf(v.Info.TypeOf(literal))]
	}
	return false
}

// findParameters finds the types of spec.forProvider and its counterparts.
func (v *namespaceVisitor) findParameters(file *ast.File) {
	for node := range ast.Preorder(file) {
		if selector, ok := node.(*ast.SelectorExpr); ok && slices.Contains([]string{"ForProvider", "InitProvider", "AtProvider"}, selector.Sel.Name) {
			v.parameters[gotypes.NameOf(v.Info.TypeOf(selector))] = true
		}
	}
}

// isKind reports whether a type is that of a managed resource, or points to one.
func (v *namespaceVisitor) isKind(t types.Type) bool {
	kind := gotypes.StructOf(t)
	return kind != nil && v.APIs[gotypes.NameOf(t).Package] && embeds(kind, "ObjectMeta") && !isProviderConfig(kind)
}

// leadsToKind reports whether the metadata of a type is that of a managed resource: it is one,
// embeds one, or is an interface for them.
func (v *namespaceVisitor) leadsToKind(t types.Type) bool {
	if v.isKind(t) || v.table.Managed[gotypes.NameOf(t)] {
		return true
	}
	of := gotypes.StructOf(t)
	if of == nil {
		return false
	}
	for field := range of.Fields() {
		if field.Embedded() && !isMetadata(field.Type()) && gotypes.NameOf(field.Type()) != gotypes.NameOf(t) && v.leadsToKind(field.Type()) {
			return true
		}
	}
	return false
}
