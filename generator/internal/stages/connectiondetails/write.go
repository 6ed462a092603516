package connectiondetails

import (
	"strings"
	"unicode"

	"github.com/dave/jennifer/jen"

	"github.com/mrgen-io/mrgen/generator/internal/render/gosrc"
)

// detailWriter writes the declarations of a package.
type detailWriter struct {
	file    *gosrc.Jennifer
	written bool
}

func (w *detailWriter) kind(k kind) {
	w.written = true
	w.constants(k)
	w.structType(k)
	w.method(k)
}

func (w *detailWriter) constants(k kind) {
	w.file.Commentf("Keys of %s connection secrets.", k.object.Name)
	w.file.Const().DefsFunc(func(g *jen.Group) {
		for _, d := range k.details {
			value := jen.Lit(d.Name)
			// crossplane-runtime has constants for the usual keys, such as endpoint.
			if g := k.object.Generation; g != nil && g.SecretKeys[d.Name] != "" {
				value = w.file.Qualified(g.Types, "", g.SecretKeys[d.Name])
			}
			g.Id(d.constant).Op("=").Add(value)
		}
	})
	w.file.Line()
}

// structType writes the struct.
func (w *detailWriter) structType(k kind) {
	w.file.Commentf("%s are the values of %s connection secrets.", k.structName, k.object.Name)
	// The package may request deep copies of all types.
	w.file.Comment("+kubebuilder:object:generate=false")
	w.file.Type().Id(k.structName).StructFunc(func(g *jen.Group) {
		for i, d := range k.details {
			if i > 0 {
				g.Line()
			}
			g.Comment("// " + line(d.Description))
			if d.IsPattern() {
				g.Comment("//")
				g.Commentf("The keys of the map stand for the asterisk in %s.", d.Name)
			}
			field := g.Id(d.field)
			if d.IsPattern() {
				field.Map(jen.String())
			}
			field.Index().Byte()
		}
	})
	w.file.Line()
}

func (w *detailWriter) method(k kind) {
	w.file.Commentf("%s returns the values that are not empty, by their keys.", method)
	w.file.Func().Params(jen.Id("d").Id(k.structName)).Id(method).Params().Add(values()).BlockFunc(func(g *jen.Group) {
		fixed := jen.Dict{}
		for _, d := range k.details {
			if !d.IsPattern() {
				fixed[jen.Id(d.constant)] = jen.Id("d").Dot(d.field)
			}
		}
		g.Id("details").Op(":=").Add(values()).Values(fixed)
		for _, d := range k.details {
			if d.IsPattern() {
				key := w.file.Standard("strings", "Replace").Call(jen.Id(d.constant), jen.Lit("*"), jen.Id("name"), jen.Lit(1))
				g.For(jen.List(jen.Id("name"), jen.Id("value")).Op(":=").Range().Id("d").Dot(d.field)).Block(
					jen.Id("details").Index(key).Op("=").Id("value"),
				)
			}
		}
		g.Add(w.file.Standard("maps", "DeleteFunc")).Call(jen.Id("details"),
			jen.Func().Params(jen.Id("_").String(), jen.Id("value").Index().Byte()).Bool().Block(
				jen.Return(jen.Len(jen.Id("value")).Op("==").Lit(0)),
			))
		g.Return(jen.Id("details"))
	})
	w.file.Line()
}

// values returns the type of the method's result. It is assignable to crossplane-runtime's ConnectionDetails,
// whose package has hundreds of dependencies that every importer of the API would compile.
func values() *jen.Statement { return jen.Map(jen.String()).Index().Byte() }

// line returns a text as one line of a Go comment.
func line(text string) string {
	words := strings.FieldsFunc(text, func(r rune) bool { return r == ' ' || !unicode.IsPrint(r) })
	return strings.Join(words, " ")
}
