package versionconversion

import (
	_ "embed" // for fuzzSource
	"fmt"
	"path"
	"strings"

	"github.com/mrgen-io/mrgen/generator/internal/extensions/templates"
	"github.com/mrgen-io/mrgen/generator/internal/flavor"
	"github.com/mrgen-io/mrgen/generator/internal/gosyntax"
	"github.com/mrgen-io/mrgen/generator/internal/model"
	"github.com/mrgen-io/mrgen/generator/internal/render/gosrc"
)

// fuzzSource is the file with the functions that tests call.
//
//go:embed fuzz.go.tmpl
var fuzzSource string

// A filling fills values of a type with random content that can be encoded. Not every value of these types can.
type filling struct {
	typ flavor.TypeName
	// body are statements for the value v, with the random source c. What follows a dollar
	// sign is a package, up to the dot.
	body []string
}

const (
	metav1        = "k8s.io/apimachinery/pkg/apis/meta/v1"
	apiextensions = "k8s.io/apiextensions-apiserver/pkg/apis/apiextensions/v1"
	rawJSON       = `[]byte(fmt.Sprintf("{\"a\":{\"b\":[%d,%q]}}", c.Int63(), "<"))`
)

// fillings are for Kubernetes' types. Metadata is copied whole, so a few fields are enough.
var fillings = []filling{
	{flavor.TypeName{Package: metav1, Name: "TypeMeta"}, nil},
	{flavor.TypeName{Package: metav1, Name: "ObjectMeta"}, []string{"c.Fill(&v.Name)", "c.Fill(&v.Labels)", "c.Fill(&v.Annotations)"}},
	{flavor.TypeName{Package: metav1, Name: "Time"}, []string{"*v = metav1.Unix(c.Int63n(1<<33), 0)"}},
	{flavor.TypeName{Package: metav1, Name: "MicroTime"}, []string{"*v = metav1.NewMicroTime(time.UnixMicro(c.Int63n(1<<53)))"}},
	{flavor.TypeName{Package: metav1, Name: "Duration"}, []string{"v.Duration = time.Duration(c.Int63())"}},
	{flavor.TypeName{Package: "time", Name: "Time"}, []string{"*v = time.Unix(c.Int63n(1<<33), 0).UTC()"}},
	{flavor.TypeName{Package: "encoding/json", Name: "RawMessage"}, []string{"*v = " + rawJSON}},
	{flavor.TypeName{Package: apiextensions, Name: "JSON"}, []string{"v.Raw = " + rawJSON}},
	{flavor.TypeName{Package: "k8s.io/apimachinery/pkg/runtime", Name: "RawExtension"}, []string{"v.Raw = " + rawJSON}},
	{flavor.TypeName{Package: "k8s.io/apimachinery/pkg/api/resource", Name: "Quantity"},
		[]string{"*v = *resource.NewQuantity(c.Int63(), resource.DecimalSI)"}},
	{flavor.TypeName{Package: "k8s.io/apimachinery/pkg/util/intstr", Name: "IntOrString"}, []string{
		"if c.Bool() {", "*v = intstr.FromInt32(c.Int31())", "} else {", `*v = intstr.FromString("8080")`, "}",
	}},
}

// renderTest returns the source of the test of a package's conversions.
func renderTest(into *gosrc.Package, plan *packagePlan, header string) ([]byte, error) {
	template := gosrc.MustParseTemplate(fuzzSource)
	inside := templates.Variables(template)
	w := newWriter(into, into.NewFile(header, func(name string) bool { return inside[name] || isVariable(name) }), nil)
	functions := templates.Declare(template, into)
	testing := w.Standard("testing", "T")
	random := func(name string) string { return w.Standard("sigs.k8s.io/randfill", name) }
	newFiller := into.Declare("newFiller")
	for _, s := range plan.spokes {
		own, hub := w.typ(s.object.Type), w.typ(s.hub.Type)
		name := into.Declare("Test" + s.object.Name + "ConvertsTo" + gosyntax.Exported(s.hub.Package.Version))
		w.Function(fmt.Sprintf("%s tests that nothing is lost between %s and %s.", name, s.object.Package.Version, s.hub.Package.Version), name+"(t *"+testing+")", func() {
			w.Line("to := func(src *", own, ", dst *", hub, ") error { return src.ConvertTo(dst) }")
			w.Line("from := func(src *", hub, ", dst *", own, ") error { return dst.ConvertFrom(src) }")
			w.Line(functions["convertsBack"], "(t, ", newFiller, "(), to, from)")
			w.Line(functions["convertsBack"], "(t, ", newFiller, "(), from, to)")
		})
	}
	w.Function(newFiller+" returns what fills objects, which are the same in each test.", newFiller+"() *"+random("Filler"), func() {
		w.Line("return ", random("NewWithSeed"), "(1).NilChance(0.3).NumElements(0, 3).MaxDepth(30).Funcs(")
		for _, f := range fillings {
			if !plan.has(f.typ) { // an unused function would import its package
				continue
			}
			w.Line("func(v *", w.Reference(f.typ.Package, f.typ.Name), ", c ", random("Continue"), ") {")
			for _, line := range f.body {
				w.Line(w.qualified(line))
			}
			w.Line("},")
		}
		w.Line(")")
	})
	templates.Write(template, w.File, functions)
	return w.Formatted()
}

// qualified returns a statement with the names that the file has for packages.
func (w *writer) qualified(line string) string {
	for _, importPath := range []string{metav1, "k8s.io/apimachinery/pkg/api/resource", "k8s.io/apimachinery/pkg/util/intstr", "time", "fmt"} {
		name := path.Base(importPath)
		if importPath == metav1 {
			name = "metav1"
		}
		for _, before := range []string{" ", "(", "*"} {
			if strings.Contains(line, before+name+".") {
				line = strings.ReplaceAll(line, before+name+".", before+w.Reference(importPath, ""))
			}
		}
	}
	return line
}

// has reports whether the kinds of a package have values of a type.
func (p *packagePlan) has(name flavor.TypeName) bool {
	for _, s := range p.spokes {
		for _, o := range []*model.Object{s.hub, s.object} {
			if o.Type.Holds(func(t *model.Type) bool { return t.Package == name.Package && t.Name == name.Name }) {
				return true
			}
		}
	}
	return false
}
