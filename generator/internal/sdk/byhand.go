package sdk

import (
	"go/ast"
	"go/types"

	"github.com/mrgen-io/mrgen/generator/internal/gotypes"
)

// touches reports whether the body of a function of the author reads or sets a field of a kind, or
// hands the whole struct to something else, which may do so.
func (w *writer) touches(decl *ast.FuncDecl, f *field) bool {
	info, found := w.checked.Info, false
	isOwner := func(t types.Type) bool {
		named := gotypes.NamedOf(t)
		return named != nil && named.Obj().Name() == f.owner && gotypes.StructOf(t) != nil
	}
	ast.Inspect(decl.Body, func(node ast.Node) bool {
		switch node := node.(type) {
		case *ast.Ident:
			object, ok := info.Uses[node].(*types.Var)
			found = found || ok && object.IsField() && w.program.Files.Position(object.Pos()) == f.pos
		case *ast.CallExpr:
			for _, argument := range node.Args {
				if t := info.Types[argument].Type; t != nil && isOwner(t) {
					found = true
				}
			}
		}
		return !found
	})
	return found
}
