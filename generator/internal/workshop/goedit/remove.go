package goedit

import (
	"bytes"
	"go/ast"
	"path"
	"slices"
	"strings"

	"github.com/mrgen-io/mrgen/generator/internal/gosyntax"
)

// RemoveUses removes the elements of lists that select something of a package, statements that call
// it, and its import unless something else is left that uses it. It reports whether the package is
// imported.
func (f *File) RemoveUses(importPath string, calls ...ast.Stmt) bool {
	for _, spec := range f.Syntax.Imports {
		if gosyntax.ImportPath(spec) != importPath {
			continue
		}
		name := gosyntax.NameIn(spec, path.Base)
		var removed []ast.Node
		for _, call := range calls {
			removed = append(removed, call)
			for n := f.tokens.Line(call.Pos()); n <= f.tokens.Line(call.End()); n++ {
				f.text.RemoveLine(n)
			}
		}
		f.EachElement(func(element ast.Expr) {
			if Qualifier(element) == name {
				removed = append(removed, element)
				f.removeElement(element)
			}
		})
		if !f.isUsed(name, removed) {
			f.text.RemoveLine(f.tokens.Line(spec.Pos()))
		}
		return true
	}
	return false
}

// isUsed reports whether a package is used under a name, apart from what is removed.
func (f *File) isUsed(name string, removed []ast.Node) bool {
	used := false
	ast.Inspect(f.Syntax, func(node ast.Node) bool {
		if node == nil || slices.Contains(removed, node) {
			return false
		}
		from, _ := gosyntax.Selected(node)
		used = used || from != nil && from.Name == name
		return !used
	})
	return used
}

// EachElement calls a function for the elements of composite literals and the arguments of calls.
func (f *File) EachElement(do func(ast.Expr)) {
	for node := range ast.Preorder(f.Syntax) {
		var elements []ast.Expr
		switch node := node.(type) {
		case *ast.CompositeLit:
			elements = node.Elts
		case *ast.CallExpr:
			elements = node.Args
		}
		for _, element := range elements {
			do(element)
		}
	}
}

// Qualifier returns the first name in a chain of selectors, or "".
func Qualifier(x ast.Expr) string {
	selector, ok := x.(*ast.SelectorExpr)
	for ok {
		if name, isName := selector.X.(*ast.Ident); isName {
			return name.Name
		}
		selector, ok = selector.X.(*ast.SelectorExpr)
	}
	return ""
}

// removeElement removes an element of a list with the comma that follows it, or the one before it. If
// it is alone on its line, the line goes.
func (f *File) removeElement(element ast.Expr) {
	start, end := f.offset(element.Pos()), f.offset(element.End())
	content := f.text.content
	if rest, isList := bytes.CutPrefix(bytes.TrimLeft(content[end:], " \t"), []byte(",")); isList {
		end = len(content) - len(rest)
	} else if before, isList := bytes.CutSuffix(bytes.TrimRight(content[:start], " \t"), []byte(",")); isList {
		start = len(before)
	}
	lineEnd, isEnd := f.lineEnd(end)
	if isEnd && strings.TrimSpace(f.text.before(start)) == "" {
		f.text.RemoveLine(f.tokens.Line(element.Pos()))
		return
	}
	if !isEnd {
		for end < lineEnd && content[end] == ' ' {
			end++
		}
	}
	f.text.replace(start, end, "")
}
