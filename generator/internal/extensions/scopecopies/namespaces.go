package scopecopies

import (
	"go/ast"
	"go/types"
	"slices"

	"github.com/mrgen-io/mrgen/generator/internal/extensions/bodies"
	"github.com/mrgen-io/mrgen/generator/internal/flavor"
	"github.com/mrgen-io/mrgen/generator/internal/gotypes"
)

// emptyNamespaces returns where a cluster scoped package reads or sets the namespace of a managed resource, or of a
// request to reconcile one, which is empty there. Resolvers leave that of their requests out of account. Namespaced
// copies need no check: their references have no namespace, so that the compiler finds its uses.
//
// apis are the import paths of packages with copied kinds.
func emptyNamespaces(p bodies.Checked, apis map[string]bool) []*ast.SelectorExpr {
	v := &namespaces{info: p.Info, apis: apis, table: counterparts(Cluster)}
	var found []*ast.SelectorExpr
	for _, file := range p.Files {
		ast.PreorderStack(file, nil, func(node ast.Node, outer []ast.Node) bool {
			if selector, ok := node.(*ast.SelectorExpr); ok && v.isEmpty(selector) && !v.isOfResolver(outer) {
				found = append(found, selector)
			}
			return true
		})
	}
	return found
}

type namespaces struct {
	info  *types.Info
	apis  map[string]bool
	table correspondence
}

// isEmpty reports whether a selector selects the namespace of a managed resource, of a request, or of the metadata of
// these, by the type that has it.
func (v *namespaces) isEmpty(selector *ast.SelectorExpr) bool {
	if !slices.Contains([]string{"Namespace", "GetNamespace", "SetNamespace"}, selector.Sel.Name) {
		return false
	}
	owner := ast.Unparen(selector.X)
	if part, ok := owner.(*ast.SelectorExpr); ok && (part.Sel.Name == "ObjectMeta" || part.Sel.Name == "NamespacedName") {
		owner = part.X
	}
	t := v.info.TypeOf(owner)
	if t == nil {
		return false // is a package, or doesn't compile
	}
	name, of := gotypes.NameOf(t), gotypes.StructOf(t)
	isKind := of != nil && v.apis[name.Package] && embeds(of, "ObjectMeta") && !isProviderConfig(of)
	return isKind || v.table.managed[name] || name == flavor.TypeName{Package: "sigs.k8s.io/controller-runtime/pkg/reconcile", Name: "Request"}
}

// isOfResolver reports whether an expression, by the nodes around it, is the namespace in a request to a resolver.
func (v *namespaces) isOfResolver(outer []ast.Node) bool {
	for i, node := range slices.Backward(outer) {
		switch node := node.(type) {
		case *ast.CallExpr, *ast.ParenExpr:
		case *ast.CompositeLit:
			return v.table.requests[gotypes.NameOf(v.info.TypeOf(node))]
		case *ast.KeyValueExpr:
			if key, ok := node.Key.(*ast.Ident); !ok || key.Name != "Namespace" || i == 0 {
				return false
			}
		default:
			return false
		}
	}
	return false
}
