package load

import (
	"cmp"
	"go/ast"
	"go/token"

	"github.com/mrgen-io/mrgen/generator/internal/diag"
	"github.com/mrgen-io/mrgen/generator/internal/model"
	"github.com/mrgen-io/mrgen/markers"
)

// reportForeign warns of fields that hold a struct of another module with markers that
// mrgen owns. Only those of the module have an effect: what a struct of another one is
// to be is for that module to say, which may be of another mind in its next version.
func (b *builder) reportForeign() {
	f := &foreignMarkers{builder: b, found: map[*model.Type]string{}}
	reported := map[*model.Type]bool{}
	var visit func(t *model.Type)
	visit = func(t *model.Type) {
		if t = t.Leaf(); reported[t] || !t.Local {
			return
		}
		reported[t] = true
		for _, field := range t.Fields {
			visit(field.Type)
			held := field.Type.Leaf()
			if name := f.in(held); name != "" {
				b.diags = append(b.diags, diag.Warningf(field.Pos, codeMarker,
					"the marker +%s in %s.%s has no effect, since that struct is declared in another module: declare it in this one", name, held.Package, held.Name))
			}
		}
	}
	for _, p := range b.Model.Packages {
		for _, o := range p.Objects {
			visit(o.Type)
		}
	}
}

// foreignMarkers looks for markers in the source of other modules.
type foreignMarkers struct {
	*builder
	// found has the results by type.
	found map[*model.Type]string
}

// in returns the name of the first marker that mrgen owns in a struct of another
// module, or in one that this is made of, "" if there is none.
func (f *foreignMarkers) in(t *model.Type) string {
	if t.Kind != model.Struct || t.Local || t.Package == "" {
		return ""
	}
	if name, known := f.found[t]; known {
		return name
	}
	f.found[t] = "" // for types that are part of themselves
	name := f.declared(t)
	for _, field := range t.Fields {
		name = cmp.Or(name, f.in(field.Type.Leaf()))
	}
	f.found[t] = name
	return name
}

// declared returns the name of the first marker in the declaration of a type.
func (f *foreignMarkers) declared(t *model.Type) string {
	pkg := f.packages[t.Package]
	if pkg == nil {
		return ""
	}
	for _, file := range pkg.Syntax {
		for _, decl := range file.Decls {
			decl, ok := decl.(*ast.GenDecl)
			if !ok || decl.Tok != token.TYPE {
				continue
			}
			for _, spec := range decl.Specs {
				if spec := spec.(*ast.TypeSpec); spec.Name.Name == t.Name {
					return f.within(file, spec)
				}
			}
		}
	}
	return ""
}

// within returns the name of the first marker in the comments within a node.
func (f *foreignMarkers) within(file *ast.File, node ast.Node) string {
	for comment := range commentsIn(file, node) {
		if text, found := markerText(comment.Text); found {
			if value, _ := markers.Parse(text); value != nil {
				return value.Definition.Name
			}
		}
	}
	return ""
}
