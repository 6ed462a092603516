package scopecopies

import (
	"go/ast"
	"go/constant"
	"go/token"
	"go/types"
	"iter"
	"slices"
	"strings"

	"golang.org/x/tools/go/types/typeutil"

	"github.com/mrgen-io/mrgen/generator/internal/gotypes"
)

// foreignNamespace reports where a copy of namespaced scope reads a namespace that may not be that of
// its resource.
func (v *namespaceVisitor) foreignNamespace(node ast.Node) {
	switch node := node.(type) {
	case *ast.SelectorExpr:
		isNamespace := node.Sel.Name == "Namespace" || node.Sel.Name == "GetNamespace"
		if isNamespace && v.isForeign(node) && !v.isAssigned(node) && !v.isHarmless(node, 0) || v.isInput(node) && v.isRead(node) {
			v.foreign(node.Sel.Pos())
		}
	case *ast.CompositeLit:
		switch t := v.Info.TypeOf(node); {
		case isName(t):
			v.asked(literalField(node, "Namespace", 0))
		case isMetadata(t), isListOptions(t):
			v.asked(literalField(node, "Namespace", -1))
		}
	case *ast.AssignStmt:
		for i, left := range node.Lhs {
			if len(node.Lhs) == len(node.Rhs) && v.setsNamespace(left) {
				v.asked(node.Rhs[i])
			} else if len(node.Lhs) != len(node.Rhs) {
				v.given(left)
			}
		}
	case *ast.RangeStmt:
		v.given(node.Key)
		v.given(node.Value)
	case *ast.UnaryExpr:
		if node.Op == token.AND {
			v.given(node.X)
		}
	case *ast.CallExpr:
		v.call(node)
	}
}

// setsNamespace reports whether an expression is the namespace of an object that is asked for.
func (v *namespaceVisitor) setsNamespace(expr ast.Expr) bool {
	selector, ok := expr.(*ast.SelectorExpr)
	return ok && selector.Sel.Name == "Namespace" && v.isObjectField(selector)
}

// given reports an expression that is given values which aren't followed if it is a namespace.
func (v *namespaceVisitor) given(expr ast.Expr) {
	if v.setsNamespace(expr) {
		v.undecided(expr.Pos())
	}
}

// isForeign reports whether a selector selects the namespace that a reference names.
func (v *namespaceVisitor) isForeign(selector *ast.SelectorExpr) bool {
	t := v.Info.TypeOf(selector.X)
	return !v.isPackage(selector.X) && isReferenceShape(t) && !v.parameters[gotypes.NameOf(t)]
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
	v.undecided(expr.Pos())
}

// undecided reports what may be a foreign namespace.
func (v *namespaceVisitor) undecided(pos token.Pos) {
	v.errorf(pos, "this may be a foreign namespace, which a namespaced copy must not read: use GetNamespace of the resource in this function, or %s", v.decide())
}

// isOwn reports whether an expression is the namespace of an object, or none.
func (v *namespaceVisitor) isOwn(expr ast.Expr, depth int) bool {
	expr = ast.Unparen(expr)
	if v.Info.Types[expr].Value != nil {
		return v.isNone(expr)
	}
	switch expr := expr.(type) {
	case *ast.CallExpr:
		if len(expr.Args) == 1 && v.Info.Types[expr.Fun].IsType() {
			return v.isOwn(expr.Args[0], depth)
		}
		selector, ok := expr.Fun.(*ast.SelectorExpr)
		return ok && (selector.Sel.Name == "GetNamespace" && isObject(v.Info.TypeOf(selector.X)) || v.isHelper(expr))
	case *ast.SelectorExpr:
		return expr.Sel.Name == "Namespace" && v.isObjectField(expr)
	case *ast.Ident:
		return depth < maxSteps && v.hasOnly(expr, func(value ast.Expr) bool { return v.isOwn(value, depth+1) })
	}
	return false
}

// hasOnly reports whether all values that a variable is given are of a kind.
func (v *namespaceVisitor) hasOnly(name *ast.Ident, is func(value ast.Expr) bool) bool {
	values := v.valuesOf(name)
	return len(values) > 0 && !slices.ContainsFunc(values, func(value ast.Expr) bool { return !is(value) })
}

// valuesOf returns all values that a variable of a function is given, or nil if that isn't known.
func (v *namespaceVisitor) valuesOf(name *ast.Ident) []ast.Expr {
	object, ok := v.Info.Uses[name].(*types.Var)
	if !ok || object.IsField() || object.Pkg() == nil || object.Parent() == object.Pkg().Scope() {
		return nil
	}
	var values []ast.Expr
	for _, file := range v.Files {
		for value := range valuesIn(file, v.Info, object) {
			if value == nil {
				return nil
			}
			values = append(values, value)
		}
	}
	return values
}

// valuesIn yields the values that a variable is given in a file, and whether it is declared there: nil if
// what it is given isn't known.
func valuesIn(file *ast.File, info *types.Info, object types.Object) iter.Seq2[ast.Expr, bool] {
	isNamed := func(expr ast.Node) bool {
		name, ok := expr.(*ast.Ident)
		return ok && info.ObjectOf(name) == object
	}
	return func(yield func(value ast.Expr, isDeclared bool) bool) {
		for node := range ast.Preorder(file) {
			switch node := node.(type) {
			case *ast.AssignStmt:
				for i, left := range node.Lhs {
					if !isNamed(left) {
						continue
					}
					var value ast.Expr
					if len(node.Lhs) == len(node.Rhs) && (node.Tok == token.DEFINE || node.Tok == token.ASSIGN) {
						value = node.Rhs[i]
					}
					if !yield(value, info.Defs[left.(*ast.Ident)] != nil) {
						return
					}
				}
			case *ast.ValueSpec:
				for i, left := range node.Names {
					if !isNamed(left) || len(node.Values) == 0 {
						continue
					}
					var value ast.Expr
					if i < len(node.Values) {
						value = node.Values[i]
					}
					if !yield(value, true) {
						return
					}
				}
			case *ast.UnaryExpr:
				if node.Op == token.AND && isNamed(node.X) && !yield(nil, false) {
					return
				}
			case *ast.RangeStmt:
				if (isNamed(node.Key) || isNamed(node.Value)) && !yield(nil, false) {
					return
				}
			}
		}
	}
}

// isNamespaced reports whether a type is one of Kubernetes or of the copied kinds whose objects have a
// namespace, or a list of them.
func (v *namespaceVisitor) isNamespaced(t types.Type) bool {
	if of := gotypes.NameOf(t); of.Package == "k8s.io/api/core/v1" {
		return !slices.Contains([]string{"Namespace", "Node", "PersistentVolume"}, strings.TrimSuffix(of.Name, "List"))
	}
	if t == nil {
		return false // which the compiler reports
	}
	if items, _, _ := types.LookupFieldOrMethod(gotypes.Deref(t), true, nil, "Items"); items != nil {
		if of, ok := items.Type().(*types.Slice); ok {
			t = of.Elem()
		}
	}
	return v.isKind(t)
}

// namesNamespace reports whether an option of a list, or one of those in it, names a namespace, which is
// judged where that is done.
func (v *namespaceVisitor) namesNamespace(option ast.Expr, depth int) bool {
	for node := range ast.Preorder(option) {
		found := false
		switch node := node.(type) {
		case *ast.CallExpr:
			found = v.Info.Types[node.Fun].IsType() && gotypes.NameOf(v.Info.TypeOf(node.Fun)).Name == "InNamespace" && len(node.Args) == 1 && !v.isNone(node.Args[0])
		case *ast.CompositeLit:
			namespace := literalField(node, "Namespace", -1)
			found = isListOptions(v.Info.TypeOf(node)) && namespace != nil && !v.isNone(namespace)
		case *ast.Ident:
			found = depth < maxSteps && slices.ContainsFunc(v.valuesOf(node), func(value ast.Expr) bool { return v.namesNamespace(value, depth+1) })
		}
		if found {
			return true
		}
	}
	return false
}

// isNone reports whether an expression is the constant "", which stands for all namespaces.
func (v *namespaceVisitor) isNone(expr ast.Expr) bool {
	value := v.Info.Types[expr].Value
	return value != nil && value.Kind() == constant.String && constant.StringVal(value) == ""
}

// isInput reports whether a field of the API, or of a package that isn't judged, has names of objects,
// objects, or their metadata: those that users write into it.
func (v *namespaceVisitor) isInput(selector *ast.SelectorExpr) bool {
	field, ok := v.Info.Uses[selector.Sel].(*types.Var)
	if !ok || !field.IsField() || field.Embedded() || field.Pkg() == nil {
		return false
	}
	importPath, t := field.Pkg().Path(), elementOf(field.Type())
	return (v.APIs[importPath] || strings.HasPrefix(importPath, v.Module+"/") && !v.Local(importPath)) &&
		(isName(t) || isMetadata(t) || hasMetadata(t) && !v.APIs[gotypes.NameOf(t).Package])
}

// isRead reports whether what a selector selects is read with its namespace.
func (v *namespaceVisitor) isRead(expr ast.Node) bool {
	switch outer := v.parent[expr].(type) {
	case *ast.IndexExpr, *ast.ParenExpr, *ast.StarExpr:
		return v.isRead(outer)
	case *ast.SelectorExpr:
		if outer.Sel.Name == "ObjectMeta" {
			return v.isRead(outer)
		}
		return outer.Sel.Name == "Namespace" || outer.Sel.Name == "GetNamespace"
	case *ast.BinaryExpr:
		return false
	case *ast.AssignStmt:
		return !slices.Contains(outer.Lhs, expr.(ast.Expr))
	case *ast.CallExpr:
		return !v.Info.Types[outer.Fun].IsBuiltin()
	}
	return true
}

// isHarmless reports whether nothing is read from Kubernetes by a namespace: it is compared, copied to
// another reference, which is judged where that is read, or given to another API.
func (v *namespaceVisitor) isHarmless(expr ast.Expr, depth int) bool {
	switch outer := v.parent[expr].(type) {
	case *ast.ParenExpr, *ast.StarExpr, *ast.UnaryExpr:
		return v.isHarmless(outer.(ast.Expr), depth)
	case *ast.BinaryExpr:
		return outer.Op == token.EQL || outer.Op == token.NEQ
	case *ast.CallExpr:
		callee := typeutil.Callee(v.Info, outer)
		if callee != nil && callee.Pkg() != nil && v.readsNothing(outer, callee.Pkg().Path()) && !gotypes.IsString(gotypes.Deref(v.Info.TypeOf(outer))) {
			return true
		}
		return len(outer.Args) == 1 && outer.Args[0] == expr && gotypes.IsString(gotypes.Deref(v.Info.TypeOf(outer))) && v.isHarmless(outer, depth)
	case *ast.KeyValueExpr:
		literal, ok := v.parent[outer].(*ast.CompositeLit)
		return ok && outer.Value == expr && v.isPlain(v.Info.TypeOf(literal))
	case *ast.CompositeLit:
		return v.isPlain(v.Info.TypeOf(outer))
	case *ast.AssignStmt:
		i := slices.Index(outer.Rhs, expr)
		if i < 0 || len(outer.Lhs) != len(outer.Rhs) {
			return i < 0 // it is what is written
		}
		switch left := outer.Lhs[i].(type) {
		case *ast.SelectorExpr:
			return v.isPlain(v.Info.TypeOf(left.X))
		case *ast.Ident:
			return depth < 3 && v.hasHarmlessUses(v.Info.ObjectOf(left), depth+1)
		}
	}
	return false
}

// hasHarmlessUses reports whether all uses of a variable of a function are harmless.
func (v *namespaceVisitor) hasHarmlessUses(object types.Object, depth int) bool {
	if object == nil || object.Parent() == object.Pkg().Scope() {
		return false
	}
	for name, of := range v.Info.Uses {
		assign, isAssigned := v.parent[name].(*ast.AssignStmt)
		if of == object && !(isAssigned && slices.Contains(assign.Lhs, ast.Expr(name))) && !v.isHarmless(name, depth) {
			return false
		}
	}
	return true
}

// isPlain reports whether a struct has what is only copied: it is a reference, or part of an API other
// than that of Kubernetes.
func (v *namespaceVisitor) isPlain(t types.Type) bool {
	return isReferenceShape(t) || gotypes.NameOf(t).Package != "" && !v.isOfKubernetes(gotypes.NameOf(t).Package)
}

// isAssigned reports whether the selector is what a statement assigns to.
func (v *namespaceVisitor) isAssigned(selector *ast.SelectorExpr) bool {
	assign, ok := v.parent[selector].(*ast.AssignStmt)
	return ok && slices.Contains(assign.Lhs, ast.Expr(selector))
}

// isObject reports whether a type is an object of Kubernetes, its metadata, or an interface of it.
func isObject(t types.Type) bool {
	if t == nil || isMetadata(t) || hasMetadata(t) {
		return t != nil
	}
	method, _, _ := types.LookupFieldOrMethod(t, true, nil, "GetUID")
	return types.IsInterface(t) && method != nil
}

// isObjectField reports whether the field Namespace that is selected is part of the metadata of an
// object, of a name, or of what a list is asked for by.
func (v *namespaceVisitor) isObjectField(selector *ast.SelectorExpr) bool {
	t := v.Info.TypeOf(selector.X)
	return t != nil && !v.isPackage(selector.X) && (isMetadata(t) || isName(t) || hasMetadata(t) || isRequest(t) || isListOptions(t))
}
