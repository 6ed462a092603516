package scopecopies

import (
	"go/ast"
	"go/token"
	"go/types"
	"slices"
	"strings"

	"golang.org/x/tools/go/types/typeutil"

	"github.com/mrgen-io/mrgen/generator/diag"
	"github.com/mrgen-io/mrgen/generator/internal/gosyntax"
	"github.com/mrgen-io/mrgen/generator/internal/gotypes"
	"github.com/mrgen-io/mrgen/markers"
)

// Namespaces reports where a copy reads a namespace, unless it is that of the resource or the line
// above has a marker. No values are followed: what an expression says counts.
func (j *Judge) Namespaces(p Checked) diag.List {
	v := &namespaceVisitor{
		Judge: j, Checked: p, table: counterparts(j.Scope),
		parent: map[ast.Node]ast.Node{}, marked: map[diag.Position]*lineMarker{},
	}
	for _, file := range p.Files {
		v.findMarkers(file)
		ast.PreorderStack(file, nil, func(node ast.Node, outer []ast.Node) bool {
			if len(outer) > 0 {
				v.parent[node] = outer[len(outer)-1]
			}
			return true
		})
		for node := range ast.Preorder(file) {
			v.visit(node)
		}
	}
	for _, m := range v.marked {
		if !m.used {
			v.errorf(m.pos, "the marker +%s allows nothing in the line below: remove it", markers.Namespace)
		}
	}
	return v.diags
}

type namespaceVisitor struct {
	*Judge
	Checked
	table  correspondence
	parent map[ast.Node]ast.Node
	// marked has the lines that may read a namespace, without columns.
	marked map[diag.Position]*lineMarker
	diags  diag.List
}

// A lineMarker allows the line below it to read a namespace.
type lineMarker struct {
	pos  token.Pos
	used bool
}

func (v *namespaceVisitor) findMarkers(file *ast.File) {
	for comment, text := range gosyntax.Markers(file.Comments...) {
		if value, _ := markers.Parse(text); value != nil && value.Definition.Name == markers.Namespace {
			at := v.Position(comment.Pos())
			v.marked[diag.Position{File: at.File, Line: at.Line + 1}] = &lineMarker{pos: comment.Pos()}
		}
	}
}

// errorf reports an error, unless there is one in the line.
func (v *namespaceVisitor) errorf(pos token.Pos, format string, args ...any) {
	at := v.Position(pos)
	if !slices.ContainsFunc(v.diags, func(d diag.Diagnostic) bool { return d.Pos.File == at.File && d.Pos.Line == at.Line }) {
		v.diags = append(v.diags, diag.Errorf(at, codeScope, format, args...))
	}
}

// deny reports an error, unless a marker allows it.
func (v *namespaceVisitor) deny(pos token.Pos, problem, remedy string) {
	at := v.Position(pos)
	if m := v.marked[diag.Position{File: at.File, Line: at.Line}]; m != nil {
		m.used = true
		return
	}
	v.errorf(pos, "%s: %s, or write +%s=own above this line", problem, remedy, markers.Namespace)
}

// denyRead reports a namespace that isn't written as the resource's.
func (v *namespaceVisitor) denyRead(pos token.Pos) {
	v.deny(pos, "copies read only the resource's own namespace", "use its GetNamespace or a function of helpers")
}

func (v *namespaceVisitor) visit(node ast.Node) {
	switch node := node.(type) {
	case *ast.SelectorExpr:
		v.selector(node)
	case *ast.CompositeLit:
		v.literal(node)
	case *ast.CallExpr:
		v.call(node)
	case *ast.AssignStmt:
		for _, left := range node.Lhs {
			if field, ok := left.(*ast.SelectorExpr); ok && v.isShared(v.Info.TypeOf(field.X)) {
				v.passAll(node.Rhs)
			}
		}
	}
}

// selector judges fields and methods that are namespaces, and fields whose values users write.
func (v *namespaceVisitor) selector(selector *ast.SelectorExpr) {
	name, isWritten := selector.Sel.Name, v.isWritten(selector)
	switch {
	case v.isPackage(selector.X):
	case v.isNamespace(selector) && v.isOwnObject(selector.X):
		switch {
		case v.Scope == Cluster && !v.isOfRequest(selector):
			v.errorf(selector.Sel.Pos(), "managed resources have no namespace in %s scope: use a function of helpers, or mark the declaration +%s=%s and write its counterpart in %s",
				v.Scope, markers.Scope, v.Scope.Other(), v.Dir)
		case isWritten:
			v.denyRead(selector.Sel.Pos())
		}
	case v.isNamespace(selector), name == "Name" && isWritten && isName(v.Info.TypeOf(selector.X)):
		v.denyRead(selector.Sel.Pos())
	case v.Scope == Namespaced && v.isInput(selector) && v.isRead(selector):
		v.denyRead(selector.Sel.Pos())
	}
}

// isNamespace reports whether a selector selects a namespace, by its name.
func (v *namespaceVisitor) isNamespace(selector *ast.SelectorExpr) bool {
	switch object := v.Info.Uses[selector.Sel].(type) {
	case *types.Func:
		return object.Name() == "GetNamespace" || object.Name() == "SetNamespace"
	case *types.Var:
		isOfAPI := object.Pkg() != nil && v.APIs[object.Pkg().Path()]
		isNamed := object.Name() == "Namespace" || isOfAPI && strings.HasSuffix(object.Name(), "Namespace")
		return isNamed && gotypes.IsString(gotypes.Deref(object.Type())) // external APIs have structs of this name
	}
	return false
}

// isWritten reports whether an expression is assigned to, or its address is taken.
func (v *namespaceVisitor) isWritten(expr ast.Expr) bool {
	switch outer := v.parent[expr].(type) {
	case *ast.ParenExpr:
		return v.isWritten(outer)
	case *ast.AssignStmt:
		return slices.Contains(outer.Lhs, expr)
	case *ast.RangeStmt:
		return outer.Key == expr || outer.Value == expr
	case *ast.UnaryExpr:
		return outer.Op == token.AND
	}
	return false
}

// literal judges what a literal sets a namespace to.
func (v *namespaceVisitor) literal(literal *ast.CompositeLit) {
	namespace := valueOf(literal, "Namespace")
	if namespace == nil && isName(v.Info.TypeOf(literal)) && len(literal.Elts) > 0 {
		if _, isKeyed := literal.Elts[0].(*ast.KeyValueExpr); !isKeyed {
			namespace = literal.Elts[0]
		}
	}
	if namespace != nil {
		v.argument(namespace)
	}
	if !v.isShared(v.Info.TypeOf(literal)) {
		return
	}
	for _, element := range literal.Elts {
		if pair, ok := element.(*ast.KeyValueExpr); ok {
			element = pair.Value
		}
		v.passAll([]ast.Expr{element})
	}
}

// argument judges an expression that is used as a namespace.
func (v *namespaceVisitor) argument(expr ast.Expr) {
	if t := v.Info.TypeOf(expr); t != nil && gotypes.IsString(gotypes.Deref(t)) && !v.isOwn(expr) {
		v.denyRead(expr.Pos())
	}
}

// isOwn reports whether an expression is written as the namespace of a resource.
func (v *namespaceVisitor) isOwn(expr ast.Expr) bool {
	switch expr := ast.Unparen(expr).(type) {
	case *ast.CallExpr:
		if v.isHelper(typeutil.Callee(v.Info, expr)) {
			return true
		}
		method, ok := expr.Fun.(*ast.SelectorExpr)
		return ok && method.Sel.Name == "GetNamespace" && len(expr.Args) == 0 && v.isOwnObject(method.X)
	case *ast.SelectorExpr:
		return expr.Sel.Name == "Namespace" && v.isOwnObject(expr.X)
	}
	return false
}

// isOwnObject reports whether an expression is a managed resource, a request to reconcile one, or the
// metadata of these, by its type.
func (v *namespaceVisitor) isOwnObject(expr ast.Expr) bool {
	expr = ast.Unparen(expr)
	if part, ok := expr.(*ast.SelectorExpr); ok && (part.Sel.Name == "ObjectMeta" || part.Sel.Name == "NamespacedName") {
		expr = part.X
	}
	t := v.Info.TypeOf(expr)
	return v.isKind(t) || v.table.managed[gotypes.NameOf(t)] || isRequest(t)
}

// isKind reports whether a type is a managed resource, or points to one.
func (v *namespaceVisitor) isKind(t types.Type) bool {
	kind := gotypes.StructOf(t)
	return kind != nil && v.APIs[gotypes.NameOf(t).Package] && embeds(kind, "ObjectMeta") && !isProviderConfig(kind)
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
		return ok && isLiteral && key.Name == "Namespace" && v.table.requests[gotypes.NameOf(v.Info.TypeOf(literal))]
	}
	return false
}

// isInput reports whether a field of the API, or of a package that isn't judged, has names of objects,
// objects, or their metadata: users write them.
func (v *namespaceVisitor) isInput(selector *ast.SelectorExpr) bool {
	field, ok := v.Info.Uses[selector.Sel].(*types.Var)
	if !ok || !field.IsField() || field.Embedded() || field.Pkg() == nil {
		return false
	}
	importPath, t := field.Pkg().Path(), elementOf(field.Type())
	isOfModule := strings.HasPrefix(importPath, v.Module+"/") && !v.Local(importPath)
	if !v.APIs[importPath] && !isOfModule {
		return false
	}
	switch {
	case isName(t), isMetadata(t), v.isShared(t) && holdsReference(t):
		return true
	}
	return hasMetadata(t) && !v.APIs[gotypes.NameOf(t).Package]
}

// isShared reports whether a type is declared in a package of the module that isn't judged. References
// in it are judged where they are written into it, since that package may hand out others.
func (v *namespaceVisitor) isShared(t types.Type) bool {
	if t == nil {
		return false
	}
	importPath := gotypes.NameOf(elementOf(t)).Package
	return strings.HasPrefix(importPath, v.Module+"/") && !v.Local(importPath) && !isReferenceShape(elementOf(t))
}

// isRead reports whether an expression is used as a whole, not only for one of its fields.
func (v *namespaceVisitor) isRead(expr ast.Node) bool {
	switch outer := v.parent[expr].(type) {
	case *ast.IndexExpr, *ast.ParenExpr, *ast.StarExpr:
		return v.isRead(outer)
	case *ast.SelectorExpr:
		return outer.Sel.Name == "ObjectMeta" && v.isRead(outer)
	}
	return true
}

// call judges the namespaces that a call is given, references that leave the judged code, and lists
// of the objects in all namespaces.
func (v *namespaceVisitor) call(call *ast.CallExpr) {
	if v.Info.Types[call.Fun].IsType() {
		if t := v.Info.TypeOf(call.Fun); len(call.Args) == 1 && gotypes.NameOf(t).Name == "InNamespace" {
			v.argument(call.Args[0])
		} else if isName(t) {
			v.passAll(call.Args)
		}
		return
	}
	callee := typeutil.Callee(v.Info, call)
	if callee != nil && callee.Pkg() == nil {
		return // is built in, or a method of an error
	}
	if callee != nil && len(call.Args) > 0 && takesNamespace(callee) {
		v.argument(call.Args[len(call.Args)-1])
	}
	if v.Scope == Cluster || v.isHelper(callee) || v.isJudged(call, callee) {
		return
	}
	if isList(callee) && !slices.ContainsFunc(call.Args, v.namesNamespace) {
		v.deny(call.Pos(), "this is about the objects of all namespaces", "add client.InNamespace with the namespace of the resource to this call")
	}
	v.passAll(call.Args)
	if method, ok := call.Fun.(*ast.SelectorExpr); ok && !v.isPackage(method.X) {
		v.passedOn(method.X)
	}
}

// passAll judges expressions whose values code gets which isn't judged. Cluster scoped resources refer
// to any namespace.
func (v *namespaceVisitor) passAll(exprs []ast.Expr) {
	for _, expr := range exprs {
		if v.Scope == Namespaced {
			v.passedOn(expr)
		}
	}
}

func (v *namespaceVisitor) passedOn(expr ast.Expr) {
	t := v.Info.TypeOf(expr)
	pointer, isPointer := t.(*types.Pointer)
	if holdsReference(t) && !v.isShared(t) || isPointer && isName(pointer.Elem()) {
		v.deny(expr.Pos(), "this passes a namespace on to code that isn't checked", "use a function of helpers")
	}
}

// isJudged reports whether the code that is called is judged itself.
func (v *namespaceVisitor) isJudged(call *ast.CallExpr, callee types.Object) bool {
	function, ok := callee.(*types.Func)
	if !ok {
		_, isLiteral := ast.Unparen(call.Fun).(*ast.FuncLit)
		return isLiteral
	}
	receiver := function.Signature().Recv()
	return v.Local(function.Pkg().Path()) && (receiver == nil || !types.IsInterface(receiver.Type()))
}

// isHelper reports whether a function tells the scopes apart: mrgen writes it, or the settings name it.
func (v *namespaceVisitor) isHelper(callee types.Object) bool {
	if callee == nil || callee.Pkg() == nil {
		return false
	}
	return v.Helpers == callee.Pkg().Path() || v.Replaced[callee.Pkg().Path()+"."+callee.Name()]
}

// takesNamespace reports whether the last argument of a function is a namespace: by its name, or as a
// getter of client-go, such as Secrets.
func takesNamespace(callee types.Object) bool {
	if strings.Contains(callee.Name(), "Namespace") {
		return true
	}
	signature, ok := callee.Type().(*types.Signature)
	if !ok || signature.Recv() == nil || !strings.HasPrefix(callee.Pkg().Path(), "k8s.io/client-go/") {
		return false
	}
	isGetter := signature.Params().Len() == 1 && signature.Results().Len() == 1
	return isGetter && types.IsInterface(signature.Results().At(0).Type())
}

// isList reports whether a function is about all objects of a type.
func isList(callee types.Object) bool {
	isClients := callee != nil && callee.Pkg().Path() == controllerRuntime+"/pkg/client"
	return isClients && (callee.Name() == "List" || callee.Name() == "DeleteAllOf")
}

// namesNamespace reports whether an option of a list is written with a namespace.
func (v *namespaceVisitor) namesNamespace(option ast.Expr) bool {
	if pointer, ok := option.(*ast.UnaryExpr); ok {
		option = pointer.X
	}
	switch option := option.(type) {
	case *ast.CallExpr:
		return v.Info.Types[option.Fun].IsType() && gotypes.NameOf(v.Info.TypeOf(option)).Name == "InNamespace"
	case *ast.CompositeLit:
		return isListOptions(v.Info.TypeOf(option)) && valueOf(option, "Namespace") != nil
	}
	return false
}
