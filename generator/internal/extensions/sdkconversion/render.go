package sdkconversion

import (
	"cmp"
	"go/types"
	"maps"
	"path"
	"slices"
	"strconv"
	"strings"

	"github.com/mrgen-io/mrgen/generator/diag"
	"github.com/mrgen-io/mrgen/generator/internal/flavor"
	"github.com/mrgen-io/mrgen/generator/internal/gosyntax"
	"github.com/mrgen-io/mrgen/generator/internal/gotypes"
	"github.com/mrgen-io/mrgen/generator/internal/render/gosrc"
)

// A printer writes the functions of a package.
type printer struct {
	*gosrc.File
	w *writer
	// aliases are the names by which the author imports packages, by path.
	aliases map[string]string
	// taken are the variables of the current function.
	taken map[string]bool
	// helpers are the names of the helpers in this file, by their usual names, and called those that it calls.
	helpers map[string]string
	called  map[string]bool
	// zero is the current function's result besides an error.
	zero string
	// label names the field that is being converted, for errors.
	label string
}

// newPrinter returns a printer of a file in the package.
func (w *writer) newPrinter() *printer {
	p := &printer{w: w, aliases: map[string]string{}, helpers: map[string]string{}, called: map[string]bool{}}
	for _, h := range helpers {
		p.helpers[h.name] = w.pkg.Declare(h.name)
	}
	variables := map[string]bool{}
	for _, file := range w.checked.Files {
		for _, spec := range file.Imports {
			if spec.Name != nil && spec.Name.Name != "_" && spec.Name.Name != "." {
				p.aliases[gosyntax.ImportPath(spec)] = spec.Name.Name
			}
		}
	}
	for _, f := range w.functions {
		for _, v := range f.parameters {
			variables[v.Name()] = true
		}
	}
	p.File = w.pkg.NewFile(w.options.Header, func(name string) bool { return variables[name] || isVariable(name) })
	return p
}

func (w *writer) render() ([]byte, error) {
	p := w.newPrinter()
	for _, d := range w.interfaces {
		p.Blank()
		p.Line("var _ ", d.name, " // declares conversions")
		for _, m := range d.methods {
			if m.byHand == nil {
				p.function(m)
			}
		}
	}
	for _, f := range w.functions {
		if f.method != f {
			p.function(f)
		}
	}
	for _, h := range helpers {
		if name := p.helpers[h.name]; p.called[h.name] {
			p.Function(name+" "+h.doc, name+h.signature, func() { p.Line(h.body) })
		}
	}
	return p.Content()
}

// helpers are the functions that a file declares if it calls them, with the end of their documentation.
var helpers = []struct{ name, doc, signature, body string }{
	{"pointerTo", "returns a pointer to a copy of a value.", "[T any](value T) *T", "return &value"},
	{"pointerUnlessZero", "returns a pointer to a copy of a value, or nil if it is zero.", "[T comparable](value T) *T",
		"var zero T\n\tif value == zero {\n\t\treturn nil\n\t}\n\treturn &value"},
	{"copyPointer", "returns a pointer to a copy of what a pointer leads to, or nil.", "[T any](value *T) *T",
		"if value == nil {\n\t\treturn nil\n\t}\n\tcopied := *value\n\treturn &copied"},
}

// helper returns the name of a helper, which the file then declares.
func (p *printer) helper(name string) string {
	p.called[name] = true
	return p.helpers[name]
}

// Block writes a block. Its variables are free again afterwards.
func (p *printer) Block(opening string, body func()) {
	before := maps.Clone(p.taken)
	p.File.Block(opening, body)
	p.taken = before
}

// variableNames are the generated functions' variables, without numbers.
var variableNames = []string{"in", "out", "item", "items", "key", "keys", "value", "text", "at", "number", "entries", "list",
	"isSet"}

func isVariable(name string) bool {
	return slices.Contains(variableNames, strings.TrimRight(name, "0123456789"))
}

// variable returns a name for a variable that the function doesn't have yet.
func (p *printer) variable(name string) string {
	free := name
	for n := 2; p.taken[free] || p.w.pkg.IsTaken(free); n++ {
		free = name + strconv.Itoa(n)
	}
	p.taken[free] = true
	return free
}

func (p *printer) qualifier(pkg *types.Package) string {
	if pkg == p.w.checked.Types {
		return ""
	}
	alias := p.aliases[pkg.Path()]
	if module, _ := p.w.program.Module(p.w.checked.Dir); alias == "" && flavor.IsVersion(pkg.Name()) && !strings.HasPrefix(pkg.Path(), module) {
		alias = path.Base(path.Dir(pkg.Path())) + pkg.Name() // metav1: two packages called v1 need different names
	}
	alias = cmp.Or(alias, pkg.Name())
	if alias == path.Base(pkg.Path()) {
		return strings.TrimSuffix(p.Standard(pkg.Path(), "X"), ".X")
	}
	return strings.TrimSuffix(p.Qualified(flavor.Import{Path: pkg.Path(), Alias: alias}, "X"), ".X")
}

func (p *printer) typeName(t types.Type) string { return types.TypeString(t, p.qualifier) }

// function writes a function.
func (p *printer) function(f *function) {
	p.taken = map[string]bool{}
	var parameters []string
	names := map[*types.Var]string{}
	isMethod := f.method == f
	for _, v := range f.parameters {
		name := v.Name()
		switch {
		case name == "", name == "_":
			name = "in"
		case name == "err", types.Universe.Lookup(name) != nil:
			name += "Argument"
		}
		names[v] = p.variable(name)
		t := p.typeName(v.Type())
		if !isMethod {
			t = "*" + t
		}
		parameters = append(parameters, names[v]+" "+t)
	}
	p.zero = "out"
	if gotypes.IsPointer(f.to) {
		p.zero = "nil"
	}
	results, noError := p.typeName(f.to), ""
	if f.fails {
		results, noError = "("+results+", error)", ", nil"
	}
	converted := diag.And(each(f.from, func(v *types.Var) string { return p.typeName(gotypes.Deref(v.Type())) }))
	doc := f.name + " converts " + converted + " to " + p.typeName(gotypes.Deref(f.to)) + "."
	p.Function(doc, f.name+"("+strings.Join(parameters, ", ")+") "+results, func() {
		out := p.variable("out")
		if first := f.from[0]; isMethod && gotypes.IsPointer(first.Type()) {
			p.Block("if "+names[first]+" == nil", func() { p.Line("return ", p.nothing(f), noError) })
		}
		// Without statements, the literal is the whole function.
		if before, elements := p.literal(f, names); slices.ContainsFunc(f.steps, func(s *step) bool { return !s.isPlain() }) {
			if len(elements) == 0 {
				p.Line(out, " := ", before, "{}")
			} else {
				p.Literal(out+" := "+before, elements, "")
			}
			p.steps(f, out, names)
			p.Line("return ", out, noError)
		} else {
			p.Literal("return "+before, elements, noError)
		}
	})
}

// nothing returns the result for a nil object. With several objects, the first one counts.
func (p *printer) nothing(f *function) string {
	zero := p.typeName(gotypes.Deref(f.to)) + "{}"
	switch {
	case !gotypes.IsPointer(f.to):
		return zero
	case f.sends:
		return "&" + zero // a request without fields
	default:
		return "nil"
	}
}
