package sdk

import (
	"go/ast"
	"go/types"
	"slices"

	"github.com/mrgen-io/mrgen/generator/internal/gotypes"
)

// touches reports whether the body of a function of the author reads or sets a field of a kind, or
// hands the whole struct to something else, which may do so.
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
