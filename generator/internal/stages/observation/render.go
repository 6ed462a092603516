package observation

import (
	"slices"
	"strings"

	"github.com/dave/jennifer/jen"

	"github.com/mrgen-io/mrgen/generator/internal/flavor"
	"github.com/mrgen-io/mrgen/generator/internal/lateinit"
	"github.com/mrgen-io/mrgen/generator/internal/model"
	"github.com/mrgen-io/mrgen/generator/internal/render/gosrc"
	"github.com/mrgen-io/mrgen/generator/internal/stage"
)

// renderPackage returns the source of a package's file.
func (p *planner) renderPackage(into *gosrc.Package, plan *packagePlan, header string, helpers *stage.Helpers) ([]byte, error) {
	r := &renderer{into.NewJennifer(header, lateinit.IsVariable)}
	var declared []string
	for _, d := range plan.declarations {
		declared = append(declared, d.name.Name)
	}
	into.Claim(slices.Values(declared))
	for _, d := range plan.declarations {
		r.declaration(d)
	}
	lateinit.Write(lateinit.Target{
		File:    r.file,
		Package: plan.source.Path,
		Type:    r.typ,
		Names:   into,
		Helper: func(name string) *jen.Statement {
			return r.file.Qualified(helpers.Import(), helpers.Import().Alias, helpers.Call(name))
		},
		Secret:      func(f *model.Field) bool { return p.exclusions.Of(f).Secret() },
		Constraints: p.constraints,
	}, plan.parameters, plan.specs)
	return r.file.Content()
}

// renderer writes the declarations of a package.
type renderer struct {
	file *gosrc.Jennifer
}

func (r *renderer) declaration(d *declaration) {
	for _, line := range commentLines(d.doc, d.markers) {
		r.file.Comment(line)
	}
	r.file.Type().Id(d.name.Name).StructFunc(func(g *jen.Group) {
		apart := false
		for i, f := range d.fields {
			comment := commentLines(f.doc, f.markers)
			before := apart
			apart = len(comment) > 0 || f.name == ""
			if i > 0 && (before || apart) {
				g.Line()
			}
			for _, line := range comment {
				// At the margin, gofmt would take it for the comment of a declaration, and write a rule's '' as ”.
				g.Op("\t" + line)
			}
			g.Add(r.field(f))
		}
	})
	r.file.Line()
}

func (r *renderer) field(f field) *jen.Statement {
	s := r.typ(f.typ)
	if f.name != "" {
		s = jen.Id(f.name).Add(s)
	}
	return s.Tag(map[string]string{"json": f.tag})
}

// typ returns a type as it is written in the package.
func (r *renderer) typ(t *model.Type) *jen.Statement {
	switch {
	case t.Package != "":
		return r.file.Qualified(flavor.NewImport(t.Package, t.PackageName), t.PackageName, t.Name)
	case t.Name != "":
		return jen.Id(t.Name)
	case t.Kind == model.Pointer:
		return jen.Op("*").Add(r.typ(t.Elem))
	case t.Kind == model.Map:
		return jen.Map(r.typ(t.Key)).Add(r.typ(t.Elem))
	default:
		return jen.Index().Add(r.typ(t.Elem))
	}
}

// commentLines returns the lines of a comment with markers at its end. Text that
// would be taken for a marker is left out: it comes from a block comment, where
// it is none.
func commentLines(doc string, markers []string) []string {
	var lines []string
	if doc != "" {
		for line := range strings.SplitSeq(doc, "\n") {
			if !strings.HasPrefix(strings.TrimSpace(line), "+") {
				lines = append(lines, strings.TrimRight("// "+line, " "))
			}
		}
	}
	for _, m := range markers {
		lines = append(lines, "// +"+m)
	}
	return lines
}
