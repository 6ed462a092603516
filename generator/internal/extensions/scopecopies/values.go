package scopecopies

import (
	"go/ast"
	"go/token"
	"go/types"
	"slices"
	"strconv"
	"strings"

	"github.com/mrgen-io/mrgen/generator/diag"
	"github.com/mrgen-io/mrgen/generator/internal/flavor"
	"github.com/mrgen-io/mrgen/generator/internal/gotypes"
)

// rewriteValues rewrites fields whose names differ in the other scope, and literals with API
// groups, and reports what can't be.
func (r *rewriter) rewriteValues() {
	ast.PreorderStack(r.file.syntax, nil, func(node ast.Node, path []ast.Node) bool {
		if r.isRemoved(node) {
			return false
		}
		switch node := node.(type) {
		case *ast.ImportSpec:
			return false
		case *ast.Ident:
			r.embedded(node)
		case *ast.CompositeLit:
			r.literal(node)
		case *ast.SelectorExpr:
			r.selected(node)
			r.configLoss(node)
		case *ast.BasicLit:
			if node.Kind == token.STRING {
				r.text(node, path)
			}
		}
		return true
	})
}

// embedded renames the field of an embedded type that has another name in the other scope.
func (r *rewriter) embedded(name *ast.Ident) {
	field, ok := r.file.info.Uses[name].(*types.Var)
	if !ok || !field.IsField() || !field.Embedded() {
		return
	}
	if other, ok := r.table.names[gotypes.NameOf(field.Type())]; ok && other.Name != name.Name {
		r.replace(name, other.Name)
	}
}

// literal rewrites the keys of a literal of another package's type: those of embedded types, and
// those that its counterpart lacks.
func (r *rewriter) literal(literal *ast.CompositeLit) {
	t := r.typeOf(literal)
	if _, differs := r.table.names[t]; !differs || r.isFixed(literal) {
		return
	}
	for i, element := range literal.Elts {
		pair, ok := element.(*ast.KeyValueExpr)
		if !ok {
			r.errorf(element.Pos(), "%s has other fields in %s scope: name the fields of this literal", t.Name, r.scope.Other())
			return
		}
		key, ok := pair.Key.(*ast.Ident)
		if !ok {
			continue
		}
		name := flavor.TypeName{Package: t.Package, Name: key.Name}
		other, differs := r.table.names[name]
		_, isStruct := pair.Value.(*ast.CompositeLit)
		isEmbedded := r.table.selectors[t] || isStruct && r.typeOf(pair.Value) == name
		if r.table.lacking[t] == key.Name {
			r.removeRun(literal.Elts, i, i)
		} else if differs && isEmbedded {
			r.replace(key, other.Name)
		}
	}
}

// isFixed reports whether node is inside a field value of a literal whose type is the same in both scopes.
func (r *rewriter) isFixed(node ast.Node) bool {
	return slices.ContainsFunc(r.fixed, func(part ast.Node) bool { return part.Pos() <= node.Pos() && node.End() <= part.End() })
}

// findFixed finds the field values in literals of other modules' types, whose fields have the same type in both scopes.
func (r *rewriter) findFixed() {
	for node := range ast.Preorder(r.file.syntax) {
		literal, ok := node.(*ast.CompositeLit)
		if !ok {
			continue
		}
		t := r.typeOf(literal)
		if _, differs := r.table.names[t]; differs || t.Package == "" || r.packages[t.Package] != nil {
			continue
		}
		for _, element := range literal.Elts {
			if pair, ok := element.(*ast.KeyValueExpr); ok {
				element = pair.Value
			}
			value := literalOf(element)
			if _, differs := r.table.names[r.typeOf(value)]; differs {
				r.fixed = append(r.fixed, value)
			}
		}
	}
}

// typeOf returns the name of an expression's type, or of the type that it points to.
func (r *rewriter) typeOf(expr ast.Expr) flavor.TypeName {
	return gotypes.NameOf(r.file.info.TypeOf(expr))
}

// literalOf returns the literal that an expression is, or points to, or nil.
func literalOf(expr ast.Expr) *ast.CompositeLit {
	if pointer, ok := expr.(*ast.UnaryExpr); ok && pointer.Op == token.AND {
		expr = pointer.X
	}
	literal, _ := expr.(*ast.CompositeLit)
	return literal
}

// valueOf returns what a literal sets a field to, or nil.
func valueOf(literal *ast.CompositeLit, field string) ast.Expr {
	for _, element := range literal.Elts {
		if pair, ok := element.(*ast.KeyValueExpr); ok {
			if key, ok := pair.Key.(*ast.Ident); ok && key.Name == field {
				return pair.Value
			}
		}
	}
	return nil
}

// selected renames the field of a selector's embedded type. What the other scope lacks is left to the
// compiler, which checks copies.
func (r *rewriter) selected(selector *ast.SelectorExpr) {
	of := r.typeOf(selector.X)
	if other, ok := r.table.names[flavor.TypeName{Package: of.Package, Name: selector.Sel.Name}]; ok && r.table.selectors[of] {
		r.replace(selector.Sel, other.Name)
	}
}

// configLoss warns that moved code names a ProviderConfig, which exists per namespace in the other scope.
func (r *rewriter) configLoss(selector *ast.SelectorExpr) {
	if !r.opts.Move || r.source.api || r.file.isTest {
		return
	}
	object, ok := r.file.info.Uses[selector.Sel].(*types.TypeName)
	if !ok || r.packages[object.Pkg().Path()] == nil {
		return
	}
	if of, ok := object.Type().Underlying().(*types.Struct); ok && isProviderConfig(of) && !isUsage(of) {
		r.report(diag.Warningf(r.position(selector.Sel.Pos()), codeScope, "the reference of a namespaced resource names a ProviderConfig or a ClusterProviderConfig: look up both, and secrets in the namespace of the resource"))
	}
}

// text rewrites a string literal that is an API group, or that the settings replace.
func (r *rewriter) text(literal *ast.BasicLit, path []ast.Node) {
	value, err := strconv.Unquote(literal.Value)
	if err != nil || value == "" {
		return
	}
	if replacement := r.replaced[value]; replacement != nil {
		r.used[replacement] = true
		r.replace(literal, quoteLike(literal.Value, replacement.New.Text))
		return
	}
	group := r.groupIn(value)
	if group == "" {
		return
	}
	rest, isGroup := strings.CutPrefix(value, group)
	if r.source.api && isGroup && (rest == "" || strings.HasPrefix(rest, "/v")) && !r.inFunction(path) {
		r.replace(literal, quoteLike(literal.Value, r.groups[group]+rest))
		return
	}
	if r.opts.Move && isGroup && (rest == "" || strings.HasPrefix(rest, "/v")) {
		r.replace(literal, quoteLike(literal.Value, r.groups[group]+rest))
		r.opts.OnText(value, r.groups[group]+rest)
		return
	}
	r.errorf(literal.Pos(), "nothing says what %s is in %s scope: add an entry for this text to replace of scopes in the settings", literal.Value, r.scope.Other())
}

// groupIn returns the longest API group that a text has, or "".
func (c *copier) groupIn(text string) string {
	longest := ""
	for group := range c.groups {
		if len(group) > len(longest) && containsGroup(text, group) {
			longest = group
		}
	}
	return longest
}

// inFunction reports whether a node is in the body of a function.
func (r *rewriter) inFunction(path []ast.Node) bool {
	return slices.ContainsFunc(path, func(node ast.Node) bool {
		_, isFunction := node.(*ast.FuncDecl)
		return isFunction
	})
}

// containsGroup reports whether a text contains an API group, or a name below it.
func containsGroup(text, group string) bool {
	for at := 0; ; {
		i := strings.Index(text[at:], group)
		if i < 0 {
			return false
		}
		start, end := at+i, at+i+len(group)
		if (start == 0 || text[start-1] == '.' || !isGroupByte(text[start-1])) && (end == len(text) || !isGroupByte(text[end])) {
			return true
		}
		at = start + 1
	}
}

func isGroupByte(b byte) bool {
	return b == '.' || b == '-' || '0' <= b && b <= '9' || 'a' <= b && b <= 'z' || 'A' <= b && b <= 'Z'
}

// quoteLike quotes a text as a literal does.
func quoteLike(literal, text string) string {
	if strings.HasPrefix(literal, "`") && strconv.CanBackquote(text) {
		return "`" + text + "`"
	}
	return strconv.Quote(text)
}
