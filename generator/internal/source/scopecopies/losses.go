package scopecopies

import (
	"go/ast"
	"go/types"

	"github.com/mrgen-io/mrgen/generator/internal/flavor"
	"github.com/mrgen-io/mrgen/generator/internal/gosyntax"
)

// findLosses reports where a move to the other scope loses something, or may: namespaces of
// references, and what looks ProviderConfigs up.
func (r *rewriter) findLosses() {
	if !r.opts.Move || r.file.isTest {
		return
	}
	ast.Inspect(r.file.syntax, func(node ast.Node) bool {
		if _, isKey := node.(*ast.KeyValueExpr); node == nil || r.isRemoved(node) && !isKey {
			return false
		}
		switch node := node.(type) {
		case *ast.KeyValueExpr:
			key, ok := node.Key.(*ast.Ident)
			if ok && key.Name == "Namespace" && r.isRemoved(node) {
				r.warnf(key.Pos(), "this namespace of a reference is dropped: a namespaced resource refers to what is in its own")
			}
		case *ast.Field:
			r.fieldLoss(node)
		case *ast.SelectorExpr:
			r.configLoss(node)
		}
		return true
	})
}

// fieldLoss reports a field of an API type that refers to a secret of any namespace.
func (r *rewriter) fieldLoss(field *ast.Field) {
	if !r.source.api || len(field.Names) == 0 {
		return
	}
	selector, ok := gosyntax.Element(field.Type).(*ast.SelectorExpr)
	if !ok {
		return
	}
	name := r.imported(selector)
	if _, differs := r.table.Names[name]; differs && r.table.Lacking[name] == "Namespace" {
		r.warnf(field.Pos(), "%s loses its namespace: a namespaced resource refers to secrets of its own", field.Names[0].Name)
	}
}

// configLoss reports code that names a ProviderConfig.
func (r *rewriter) configLoss(selector *ast.SelectorExpr) {
	object, ok := r.file.info.Uses[selector.Sel].(*types.TypeName)
	if !ok || r.source.api || object.Pkg() == nil || r.packages[object.Pkg().Path()] == nil {
		return
	}
	of, ok := object.Type().Underlying().(*types.Struct)
	if ok && isProviderConfig(of) && !isUsage(of) {
		r.warnf(selector.Sel.Pos(), "a namespaced resource names a ProviderConfig of its namespace or a ClusterProviderConfig, by the kind in its reference: have this look up both, and secrets in the namespace of the resource")
	}
}

func isUsage(t *types.Struct) bool {
	return embedsAny(t, func(name flavor.TypeName) bool { return flavor.FindProviderConfigUsage(name) != nil })
}
