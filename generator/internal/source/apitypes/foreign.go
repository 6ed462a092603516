package apitypes

import (
	"cmp"
	"go/ast"
	"slices"

	"github.com/mrgen-io/mrgen/generator/diag"
	"github.com/mrgen-io/mrgen/generator/internal/gosyntax"
	"github.com/mrgen-io/mrgen/generator/internal/model"
	"github.com/mrgen-io/mrgen/generator/internal/source/load"
	"github.com/mrgen-io/mrgen/markers"
)

// reportForeign warns about fields whose type is a struct of another module with mrgen's markers. These have no effect:
// they belong to that module, and may change with its next version.
func (b *builder) reportForeign() {
	found := map[*model.Type]string{}
	eachLocalField(b.source.Model, func(field *model.Field) {
		held := field.Type.Leaf()
		if name := b.foreignMarker(held, found); name != "" {
			b.diags = append(b.diags, diag.Warningf(field.Pos, codeMarker,
				"the marker +%s in %s.%s has no effect, since that struct is declared in another module: declare it in this one", name, held.Package,
				held.Name))
		}
	})
}

// foreignMarker returns the name of the first of mrgen's markers in a struct of another module, or in the types that it
// consists of, or "". Found caches the result for each type.
func (b *builder) foreignMarker(t *model.Type, found map[*model.Type]string) string {
	if t.Kind != model.Struct || t.Local || t.Package == "" {
		return ""
	}
	if name, known := found[t]; known {
		return name
	}
	found[t] = "" // a type may be part of itself
	name := b.markerIn(t)
	for _, field := range t.Fields {
		name = cmp.Or(name, b.foreignMarker(field.Type.Leaf(), found))
	}
	found[t] = name
	return name
}

// markerIn returns the name of the first of mrgen's markers in the declaration of a type.
func (b *builder) markerIn(t *model.Type) string {
	pkg := b.packages[t.Package]
	if pkg == nil || pkg.Types.Scope().Lookup(t.Name) == nil {
		return ""
	}
	nodes := load.Enclosing(pkg, pkg.Types.Scope().Lookup(t.Name).Pos())
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
