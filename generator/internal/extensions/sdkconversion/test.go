package sdkconversion

import (
	"cmp"
	_ "embed" // for loopSource
	"fmt"
	"go/ast"
	"go/types"
	"slices"
	"strings"

	"github.com/mrgen-io/mrgen/generator/diag"
	"github.com/mrgen-io/mrgen/generator/internal/extensions/templates"
	"github.com/mrgen-io/mrgen/generator/internal/gosyntax"
	"github.com/mrgen-io/mrgen/generator/internal/gotypes"
	"github.com/mrgen-io/mrgen/generator/internal/render/gosrc"
)

// TestFileName is the name of the file with the test of a package's conversions.
const TestFileName = "zz_generated.convert_test.go"

// loopSource is the code that the tests call.
//
//go:embed loop.go.tmpl
var loopSource string

// A loop is the life of a kind that a test plays: it is created, observed, filled and updated.
type loop struct {
	create, update, observe *function
	parameters              types.Type
	// spec is the type with the method LateInitialize, "" if the parameters have it themselves.
	spec string
}

// loops returns the loops that the conversions of an interface can play, or warns that there is none although it sends
// and observes.
func (w *writer) loops(d *declaration) []loop {
	var all []loop
	var observes, sends *function
	for _, o := range d.methods {
		// A test can't invent further arguments.
		if o.sends || len(o.parameters) != 1 {
			continue
		}
		observes = cmp.Or(observes, o)
		l := loop{observe: o}
		for _, m := range d.methods {
			if !m.sends || len(m.from) != 1 || !w.isRequest(m.to) {
				continue
			}
			sends = cmp.Or(sends, m)
			switch {
			case !takes(m.from[0].Type(), "Diff", o.to):
			case m.updates:
				l.update = m
			case l.create == nil:
				l.create = m
			}
		}
		if l.create == nil {
			continue
		}
		l.parameters = gotypes.Deref(l.create.from[0].Type())
		if !takes(l.parameters, "LateInitialize", o.to) {
			if l.spec = w.specOf(l); l.spec == "" {
				continue
			}
		}
		all = append(all, l)
	}
	if len(all) == 0 && observes != nil && sends != nil {
		w.diags = append(w.diags, diag.Warningf(observes.pos, codeSDK, "%s gets no test, since %s has no methods LateInitialize and Diff for %s",
			d.name, types.TypeString(gotypes.Deref(sends.from[0].Type()), gotypes.ByName), types.TypeString(gotypes.Deref(observes.to), gotypes.ByName)))
	}
	return all
}

// takes reports whether a type has a method that takes an observation.
func takes(t types.Type, method string, observed types.Type) bool {
	parameter := setter(gotypes.Deref(t), method)
	return parameter != nil && types.Identical(parameter, gotypes.Deref(observed))
}

// specOf returns the name of the type that declares LateInitialize for a kind, if its parameters don't: the
// spec of a kind with initProvider. Otherwise, it returns "".
func (w *writer) specOf(l loop) string {
	pkg := w.program.Find(w.checked.Dir, gotypes.NamedOf(l.parameters).Obj().Pkg().Path())
	for _, file := range pkg.Parse() {
		for _, decl := range file.Decls {
			f, ok := decl.(*ast.FuncDecl)
			if !ok || f.Name.Name != "LateInitialize" || f.Type.Params.NumFields() != 1 {
				continue
			}
			if observed, ok := f.Type.Params.List[0].Type.(*ast.Ident); ok && observed.Name == gotypes.NamedOf(l.observe.to).Obj().Name() {
				return gosyntax.Receiver(f)
			}
		}
	}
	return ""
}

// kindName returns the name of the kind whose observation a type is, for the name of its test.
func kindName(t types.Type) string {
	return strings.TrimSuffix(gotypes.NamedOf(t).Obj().Name(), "Observation")
}

// renderTest returns the test of the package's conversions, or nil without loops.
func (w *writer) renderTest() ([]byte, error) {
	template := gosrc.MustParseTemplate(loopSource)
	p := w.newPrinter(templates.Variables(template))
	names := templates.Declare(template, w.pkg)
	found := false
	for _, d := range w.interfaces {
		for _, l := range w.loops(d) {
			found = true
			p.loop(l, names["conversionLoop"])
		}
	}
	if !found {
		return nil, nil
	}
	templates.Write(template, p.File, names)
	return p.Formatted() // renaming changes the alignment
}

// loop writes the test of a kind.
func (p *printer) loop(l loop, runner string) {
	holder := p.typeName(l.parameters)
	if l.spec != "" {
		holder = strings.TrimSuffix(holder, gotypes.NamedOf(l.parameters).Obj().Name()) + l.spec
	}
	name := p.w.pkg.Declare("Test" + kindName(l.observe.to) + "Conversions")
	doc := name + " checks that a controller with the conversions of a " + kindName(l.observe.to) + " comes to rest."
	p.Function(doc, name+"(t *"+p.Standard("testing", "T")+")", func() {
		elements := []gosrc.Element{{Key: "create", Value: l.create.name}, {Key: "observe", Value: l.observe.name}}
		if l.update != nil {
			elements = append(elements, gosrc.Element{Key: "update", Value: l.update.name})
		}
		texts, oneofs := sentForms(l)
		unsent, fixed := p.w.unsent(l)
		for _, of := range []struct {
			key   string
			value any
			size  int
		}{{"texts", texts, len(texts)}, {"oneofs", oneofs, len(oneofs)}, {"unsent", unsent, len(unsent)}, {"fixed", fixed, len(fixed)}} {
			if of.size > 0 {
				elements = append(elements, gosrc.Element{Key: of.key, Value: fmt.Sprintf("%#v", of.value)})
			}
		}
		p.Literal(runner+"["+holder+"]", elements, ".run(t)")
	})
}

// sentForms returns the fields of a kind that must be a number, a time or unset to be sent, and those that requests
// hold in a oneof, with the oneof's name, by struct and field.
func sentForms(l loop) (texts, oneofs map[string]string) {
	texts, oneofs = map[string]string{}, map[string]string{}
	opaque := map[string]bool{}
	eachStep(func(s *step) {
		opaque[strings.TrimPrefix(s.target.label(), "Observed")] = s.value.callsAuthor() && gotypes.StructOf(s.value.from) != nil
	}, map[*function]bool{}, l.observe)
	eachStep(func(s *step) {
		if s.argument != nil {
			return // a test can't invent it
		}
		label := s.source.label()
		if s.target.alternative != nil {
			oneofs[label] = s.target.owner + "." + s.target.alternative.holder
		}
		for v := s.value; v != nil; v = v.elem {
			switch {
			case !gotypes.IsString(v.from):
			case v.way == parseTime:
				texts[label] = "time"
			case v.way == parseNumber:
				texts[label] = "number"
			case v.function != nil && v.function.byHand != nil && v.function.fails:
				texts[label] = "none" // only the author knows which texts it takes
			}
		}
		if opaque[label] && gotypes.StructOf(s.value.to) == nil {
			texts[label] = "none" // only the author knows how the API's struct says it
		}
	}, map[*function]bool{}, l.update, l.create) // updates first: their oneofs win over creation's
	return texts, oneofs
}

// eachStep calls a function with the steps of functions that it hasn't seen, inner structs included.
func eachStep(do func(s *step), seen map[*function]bool, functions ...*function) {
	for _, f := range functions {
		if f == nil || seen[f] {
			continue
		}
		seen[f] = true // structs may hold themselves
		for _, s := range f.steps {
			do(s)
			for v := s.value; v != nil; v = v.elem {
				eachStep(do, seen, v.function)
			}
		}
	}
}

// unsent returns the names of a kind's parameters that no request of a loop sends, and of those that updates
// don't send.
func (w *writer) unsent(l loop) (unsent, fixed []string) {
	for _, f := range w.structFields(l.parameters, nil) {
		sent := func(m *function) bool {
			return m != nil && (m.byHand != nil || slices.ContainsFunc(m.steps, func(s *step) bool { return s.source == f }))
		}
		switch {
		case !sent(l.create):
			unsent = append(unsent, f.name)
		case l.update != nil && !sent(l.update):
			fixed = append(fixed, f.name)
		}
	}
	return unsent, fixed
}
