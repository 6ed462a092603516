package sdk

import (
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

// isTaken reports whether the package declares a name, or a function of this run uses it.
func (w *writer) isTaken(name string) bool {
	return slices.ContainsFunc(w.functions, func(f *function) bool { return f.name == name }) || w.declared[name]
}

// A printer writes the functions of a package.
type printer struct {
	*gosrc.File
	w   *writer
	pkg *gosrc.Package
	// aliases are the names by which the author imports packages, by path.
	aliases map[string]string
	// taken are the variables of the current function.
	taken map[string]bool
	// helpers are the names of the helpers that the file calls, by their usual names.
	helpers map[string]string
	// zero is the current function's result besides an error.
	zero string
	// label names the field that is being converted, for errors.
	label string
}

// newPrinter returns a printer of a file in the package. others are further variables of its functions.
func (w *writer) newPrinter(others map[string]bool) *printer {
	pkg := gosrc.NewPackage(w.checked.Types.Path(), w.checked.Types.Name())
	p := &printer{w: w, pkg: pkg, aliases: map[string]string{}, helpers: map[string]string{}}
	variables := map[string]bool{}
	declared := slices.Collect(maps.Keys(w.declared))
	for _, file := range w.checked.Files {
		for _, spec := range file.Imports {
			if spec.Name != nil && spec.Name.Name != "_" && spec.Name.Name != "." {
				p.aliases[gosyntax.ImportPath(spec)] = spec.Name.Name
			}
		}
	}
	for _, f := range w.functions {
		declared = append(declared, f.name)
		for _, v := range f.parameters {
			variables[v.Name()] = true
		}
	}
	pkg.Claim(slices.Values(declared))
	p.File = pkg.NewFile(w.options.Header, func(name string) bool { return variables[name] || others[name] || isVariable(name) })
	return p
}

func (w *writer) render() ([]byte, error) {
	p := w.newPrinter(nil)
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
		if f.method != nil && f.method != f {
			p.function(f)
		}
	}
	p.writeHelpers()
	return p.Content()
}

// A helper is a function that a file declares if it calls it.
type helper struct{ name, doc, signature, body string }

var helpers = []helper{
	{"pointerTo", "returns a pointer to a copy of a value.", "[T any](value T) *T", "return &value"},
	{"pointerUnlessZero", "returns a pointer to a copy of a value, or nil if it is zero.", "[T comparable](value T) *T",
		"var zero T\nif value == zero {\n\treturn nil\n}\nreturn &value"},
	{"copyPointer", "returns a pointer to a copy of what a pointer leads to, or nil.", "[T any](value *T) *T",
		"if value == nil {\n\treturn nil\n}\ncopied := *value\nreturn &copied"},
}

// helper returns the name of a helper, and adds the helper to the file.
func (p *printer) helper(name string) string {
	free := name
	for p.w.isTaken(free) {
		free += "Value"
	}
	p.helpers[name] = free
	return free
}

func (p *printer) writeHelpers() {
	for _, h := range helpers {
		if name := p.helpers[h.name]; name != "" {
			p.Function(name+" "+h.doc, name+h.signature, func() {
				for _, line := range strings.Split(h.body, "\n") {
					p.Line(line)
				}
			})
		}
	}
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
	for n := 2; p.taken[free] || p.w.isTaken(free); n++ {
		free = name + strconv.Itoa(n)
	}
	p.taken[free] = true
	return free
}

// isFree reports whether a parameter can keep its name: one without another meaning in the function.
func (p *printer) isFree(name string) bool {
	switch {
	case name == "", name == "_", name == "err", types.Universe.Lookup(name) != nil, p.w.isTaken(name):
		return false
	default:
		// helper may append to its name, so reserve the prefix.
		return !slices.ContainsFunc(helpers, func(h helper) bool { return strings.HasPrefix(name, h.name) })
	}
}

func (p *printer) qualifier(pkg *types.Package) string {
	if pkg == p.w.checked.Types {
		return ""
	}
	alias, base := p.aliases[pkg.Path()], path.Base(pkg.Path())
	if alias == "" {
		alias = pkg.Name()
		// Two packages called v1 need different names.
		if flavor.IsVersion(alias) {
			if module, _ := p.w.program.Module(p.w.checked.Dir); !strings.HasPrefix(pkg.Path(), module) {
				alias = path.Base(path.Dir(pkg.Path())) + alias // metav1
			}
		}
	}
	if alias == base {
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
	// Parameters with good names keep them before others get new ones.
	for _, v := range f.parameters {
		if p.isFree(v.Name()) {
			p.taken[v.Name()], names[v] = true, v.Name()
		}
	}
	for _, v := range f.parameters {
		name := names[v]
		switch {
		case name != "":
		case v.Name() == "" || v.Name() == "_":
			name = p.variable("in")
		default:
			name = p.variable(v.Name() + "Argument")
		}
		names[v] = name
		t := p.typeName(v.Type())
		if !isMethod {
			t = "*" + t
		}
		parameters = append(parameters, name+" "+t)
	}
	p.zero = "out"
	results := p.typeName(f.to)
	fails := f.returnsError()
	if gotypes.IsPointer(f.to) {
		p.zero = "nil"
	}
	if fails {
		results = "(" + results + ", error)"
	}
	converted := diag.And(each(f.from, func(v *types.Var) string { return p.typeName(gotypes.Deref(v.Type())) }))
	doc := f.name + " converts " + converted + " to " + p.typeName(gotypes.Deref(f.to)) + "."
	p.Function(doc, f.name+"("+strings.Join(parameters, ", ")+") "+results, func() {
		out := p.variable("out")
		noError := ""
		if fails {
			noError = ", nil"
		}
		p.checkNil(f, names, isMethod)
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

// checkNil writes the result for a nil object. With several objects, the first one counts.
func (p *printer) checkNil(f *function, names map[*types.Var]string, isMethod bool) {
	if first := f.from[0]; isMethod && gotypes.IsPointer(first.Type()) {
		p.Block("if "+names[first]+" == nil", func() {
			zero := p.typeName(gotypes.Deref(f.to)) + "{}"
			switch {
			case gotypes.IsPointer(f.to) && f.sends:
				zero = "&" + zero // a request without fields
			case gotypes.IsPointer(f.to):
				zero = "nil"
			}
			if f.fails {
				zero += ", nil"
			}
			p.Line("return ", zero)
		})
	}
}
