package sdkconversion

import (
	"go/ast"
	"go/types"
	"slices"

	"github.com/mrgen-io/mrgen/generator/internal/gotypes"
)

// touches reports whether the body of an author's function reads or sets a field of a kind, or passes on the
// whole struct, whose receiver may do so.
func (w *writer) touches(decl *ast.FuncDecl, f *field) bool {
	info := w.checked.Info
	for node := range ast.Preorder(decl.Body) {
		switch node := node.(type) {
		case *ast.Ident:
			if object, ok := info.Uses[node].(*types.Var); ok && object.IsField() && w.program.Files.Position(object.Pos()) == f.pos {
				return true
			}
		case *ast.CallExpr:
			if slices.ContainsFunc(node.Args, func(argument ast.Expr) bool {
				t := info.Types[argument].Type
				named := gotypes.NamedOf(t)
				return named != nil && named.Obj().Name() == f.owner && gotypes.StructOf(t) != nil
			}) {
				return true
			}
		}
	}
	return false
}
