package apitypes

import (
	"go/ast"
	"go/types"
	"slices"

	"sigs.k8s.io/controller-tools/pkg/loader"

	"github.com/mrgen-io/mrgen/generator/internal/gosyntax"
	"github.com/mrgen-io/mrgen/generator/internal/source/load"
	"github.com/mrgen-io/mrgen/markers"
)

// markerIn returns the name of the first of mrgen's markers in the declaration of a struct of another module, or "".
func markerIn(pkg *loader.Package, name *types.TypeName) string {
	if _, isStruct := name.Type().Underlying().(*types.Struct); !isStruct || pkg == nil {
		return ""
	}
	nodes := load.Enclosing(pkg, name.Pos())
	i := slices.IndexFunc(nodes, func(node ast.Node) bool { _, isType := node.(*ast.TypeSpec); return isType })
	if i < 0 {
		return ""
	}
	for _, text := range gosyntax.Markers(load.CommentsIn(nodes[len(nodes)-1].(*ast.File), nodes[i])...) {
		if value, _ := markers.Parse(text); value != nil {
			return value.Definition.Name
		}
	}
	return ""
}
