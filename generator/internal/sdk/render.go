package sdk

import (
	"fmt"
	"go/ast"
	"go/types"
	"maps"
	"path"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/mrgen-io/mrgen/generator/internal/diag"
	"github.com/mrgen-io/mrgen/generator/internal/flavor"
	"github.com/mrgen-io/mrgen/generator/internal/gosyntax"
	"github.com/mrgen-io/mrgen/generator/internal/render/gosrc"
)

func upperFirst(s string) string {
	r, size := utf8.DecodeRuneInString(s)
	return string(unicode.ToUpper(r)) + s[size:]
}

// isTaken reports whether the package declares a name, or a function of this run has it.
func (w *writer) isTaken(name string) bool {
	if slices.ContainsFunc(w.functions, func(f *function) bool { return f.name == name }) {
		return true
	}
	for ident, object := range w.checked.Info.Defs {
		if ident.Name == name && object != nil && object.Parent() != nil && object.Pkg() != nil && object.Parent() == object.Pkg().Scope() {
			return true
		}
	}
	return false
}

// A printer writes the functions of a package.
type printer struct {
	*gosrc.File
	w *writer
	// aliases are the names by which the author imports packages, by path.
	aliases map[string]string
	// taken are the variables of the current function.
	taken map[string]int
	// helpers are the functions of the file that are called, by what they do.
	helpers map[string]string
	// zero is what the current function returns beside an error.
	zero string
	// label names the field that is being converted, for errors.
	label string
}

func (w *writer) render() ([]byte, error) {
	pkg := gosrc.NewPackage(path.Join("local", w.checked.Dir), w.checked.Files[0].Name.Name)
	p := &printer{w: w, aliases: map[string]string{}, helpers: map[string]string{}}
	variables := map[string]bool{}
	var declared []string
	for _, file := range w.checked.Files {
		for _, spec := range file.Imports {
			if spec.Name != nil && spec.Name.Name != "_" && spec.Name.Name != "." {
				p.aliases[gosyntax.ImportPath(spec)] = spec.Name.Name
			}
		}
		for _, decl := range file.Decls {
			gosyntax.EachName(decl, func(name *ast.Ident) { declared = append(declared, name.Name) })
		}
	}
	for _, f := range w.functions {
		declared = append(declared, f.name)
		for _, v := range append(slices.Clone(f.from), f.arguments...) {
			variables[v.Name()] = true
		}
	}
	pkg.Claim(slices.Values(declared))
	p.File = pkg.NewFile(w.options.Header, func(name string) bool { return variables[name] || isVariable(name) })
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

// helpers are functions that a file has if it calls them.
var helpers = []struct{ name, doc, signature, body string }{
	{"pointerTo", "returns a pointer to a copy of a value.", "[T any](value T) *T", "return &value"},
	{"pointerUnlessZero", "returns a pointer to a copy of a value, or nil if it is zero.", "[T comparable](value T) *T",
		"var zero T\nif value == zero {\n\treturn nil\n}\nreturn &value"},
	{"copyPointer", "returns a pointer to a copy of what a pointer leads to, or nil.", "[T any](value *T) *T",
		"if value == nil {\n\treturn nil\n}\ncopied := *value\nreturn &copied"},
}

// helper returns the name of a helper, which the file then has.
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

// Block writes a block, whose variables end with it.
func (p *printer) Block(opening string, body func()) {
	before := maps.Clone(p.taken)
	p.File.Block(opening, body)
	p.taken = before
}

// variableNames are what functions call what they declare, without numbers.
var variableNames = []string{"in", "out", "item", "items", "key", "keys", "value", "text", "at", "number", "entries", "list"}

func isVariable(name string) bool {
	return slices.Contains(variableNames, strings.TrimRight(name, "0123456789"))
}

// variable returns a name for a variable that the function doesn't have yet.
func (p *printer) variable(name string) string {
	p.taken[name]++
	if n := p.taken[name]; n > 1 {
		return name + strconv.Itoa(n)
	}
	return name
}

func (p *printer) qualifier(pkg *types.Package) string {
	if pkg.Path() == p.home() {
		return ""
	}
	alias, base := p.aliases[pkg.Path()], path.Base(pkg.Path())
	if alias == "" {
		alias = pkg.Name()
		if version.MatchString(alias) && !strings.HasPrefix(pkg.Path(), p.module()) {
			alias = path.Base(path.Dir(pkg.Path())) + alias // metav1
		}
	}
	if alias == base {
		return strings.TrimSuffix(p.Standard(pkg.Path(), "X"), ".X")
	}
	return strings.TrimSuffix(p.Qualified(flavor.Import{Path: pkg.Path(), Alias: alias}, "X"), ".X")
}

// version matches the names of packages that are API versions.
var version = regexp.MustCompile(`^v[0-9]+((alpha|beta)[0-9]+)?$`)

// module returns the path of the module.
func (p *printer) module() string {
	module, _ := p.w.program.Module(p.w.checked.Dir)
	return module
}

// home returns the import path of the package.
func (p *printer) home() string {
	for _, object := range p.w.checked.Info.Defs {
		if object != nil && object.Pkg() != nil {
			return object.Pkg().Path()
		}
	}
	return ""
}

func (p *printer) typeName(t types.Type) string { return types.TypeString(t, p.qualifier) }

// function writes a function.
func (p *printer) function(f *function) {
	p.taken = map[string]int{}
	var parameters []string
	names := map[*types.Var]string{}
	from := slices.Clone(f.from)
	isMethod := f.method == f
	order := append(slices.Clone(f.from), f.arguments...)
	slices.SortStableFunc(order, func(a, b *types.Var) int { return int(a.Pos() - b.Pos()) })
	for _, v := range f.arguments {
		p.taken[v.Name()]++
	}
	for _, v := range order {
		name := v.Name()
		if slices.Contains(from, v) && (name == "" || name == "_") {
			name = p.variable("in")
		} else {
			p.taken[name]++
		}
		names[v] = name
		t := p.typeName(v.Type())
		if !isMethod {
			t = "*" + t
		}
		parameters = append(parameters, name+" "+t)
	}
	to := f.to
	p.zero = "out"
	results := p.typeName(to)
	fails := f.fails || !isMethod && f.mayFail
	if isPointer(to) {
		p.zero = "nil"
	}
	if fails {
		results = "(" + results + ", error)"
	}
	p.Function(f.name+" converts "+p.sentence(f)+" to "+p.typeName(deref(to))+".", f.name+"("+strings.Join(parameters, ", ")+") "+results, func() {
		out := p.variable("out")
		noError := ""
		if fails {
			noError = ", nil"
		}
		p.checkNil(f, names, isMethod)
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

// sentence names what a function converts.
func (p *printer) sentence(f *function) string {
	var words []string
	for _, v := range f.from {
		words = append(words, p.typeName(deref(v.Type())))
	}
	return diag.And(words)
}

// checkNil writes that nothing becomes of nothing.
func (p *printer) checkNil(f *function, names map[*types.Var]string, isMethod bool) {
	var nilable []string
	for _, v := range f.from {
		if isMethod && isPointer(v.Type()) {
			nilable = append(nilable, names[v])
		}
	}
	if len(nilable) > 0 {
		for i, name := range nilable {
			nilable[i] = name + " == nil"
		}
		p.Block("if "+strings.Join(nilable, " || "), func() {
			zero := p.typeName(f.to) + "{}"
			if isPointer(f.to) {
				zero = "nil"
			}
			if f.fails {
				zero += ", nil"
			}
			p.Line("return ", zero)
		})
	}
}

// literal returns the type of the result, as it stands in a literal, with the fields that one expression
// fills.
func (p *printer) literal(f *function, names map[*types.Var]string) (string, []gosrc.Element) {
	made := p.typeName(deref(f.to))
	if isPointer(f.to) {
		made = "&" + made
	}
	var elements []gosrc.Element
	for _, s := range f.steps {
		if s.isPlain() {
			elements = append(elements, gosrc.Element{Key: s.target.name, Value: p.expression(s.value, p.source(s, names))})
		}
	}
	return made, elements
}

// isPlain reports whether a step is one expression in a literal.
func (s *step) isPlain() bool {
	return s.value.isExpression() && len(s.target.path) == 0 && s.target.set == "" && (s.source == nil || len(s.source.path) == 0 && s.source.get == "")
}

// isExpression reports whether a value is made by one expression.
func (v *value) isExpression() bool {
	switch v.way {
	case convert:
		return true
	case address:
		return v.elem.way == convert && basicOf(v.from) != nil
	case follow:
		return v.elem.way == address && v.elem.elem.way == convert && types.Identical(v.from, v.to) && basicOf(deref(v.from)) != nil
	case byFunction:
		return !v.function.mayFail
	case deepCopy:
		return true
	default:
		return false
	}
}

// expression returns the expression of a value that is one.
func (p *printer) expression(v *value, source string) string {
	switch v.way {
	case address:
		helper := "pointerUnlessZero"
		if p.isSet(v, source) == "" {
			helper = "pointerTo"
		}
		return p.helper(helper) + "(" + p.plain(v.elem, source) + ")"
	case follow:
		return p.helper("copyPointer") + "(" + source + ")"
	case byFunction:
		if v.function.byHand == nil {
			source = "&" + source
		}
		return v.function.name + "(" + source + ")"
	case deepCopy:
		return p.deepCopy(v, source)
	default:
		return p.plain(v, source)
	}
}

func (p *printer) deepCopy(v *value, source string) string {
	copied := selection(source, "DeepCopy()")
	if isPointer(getter(v.from, "DeepCopy")) {
		return "*" + copied
	}
	return copied
}

// source returns the expression of what a step converts.
func (p *printer) source(s *step, names map[*types.Var]string) string {
	if s.source == nil {
		return names[s.argument]
	}
	expression := names[s.from]
	for _, part := range s.source.path {
		expression += "." + part.name
	}
	if s.source.get != "" {
		return expression + "." + s.source.get + "()"
	}
	return expression + "." + s.source.name
}

// steps writes what the literal can't have.
func (p *printer) steps(f *function, out string, names map[*types.Var]string) {
	made := map[string]bool{}
	guards := func(s *step) string {
		if s.source == nil {
			return ""
		}
		var conditions []string
		expression := names[s.from]
		for _, part := range s.source.path {
			expression += "." + part.name
			if isPointer(part.typ) {
				conditions = append(conditions, expression+" != nil")
			}
		}
		return strings.Join(conditions, " && ")
	}
	for i := 0; i < len(f.steps); {
		if f.steps[i].isPlain() {
			i++
			continue
		}
		guard := guards(f.steps[i])
		last := i + 1
		for last < len(f.steps) && !f.steps[last].isPlain() && guards(f.steps[last]) == guard {
			last++
		}
		write := func() {
			for _, s := range f.steps[i:last] {
				p.label = s.target.name
				if s.source != nil {
					p.label = s.source.name
				}
				p.emit(s.value, p.source(s, names), func(expression string) {
					target := out
					for _, part := range s.target.path {
						target += "." + part.name
						if isPointer(part.typ) && !made[guard+target] {
							if guard == "" {
								made[guard+target] = true
								p.Line(target, " = &", p.typeName(deref(part.typ)), "{}")
							} else {
								p.Block("if "+target+" == nil", func() { p.Line(target, " = &", p.typeName(deref(part.typ)), "{}") })
							}
						}
					}
					if s.target.set != "" {
						p.Line(target, ".", s.target.set, "(", expression, ")")
						return
					}
					p.Line(target, ".", s.target.name, " = ", expression)
				})
			}
		}
		if guard == "" {
			write()
		} else {
			p.Block("if "+guard, write)
		}
		i = last
	}
}

// plain returns the expression of a value that Go converts.
func (p *printer) plain(v *value, source string) string {
	if types.Identical(v.from, v.to) {
		return source
	}
	return p.typeName(v.to) + "(" + source + ")"
}

// fail writes the end of the function with an error.
func (p *printer) fail(format string, arguments ...string) {
	p.Line("return ", p.zero, ", ", p.Standard("fmt", "Errorf"), "(", strconv.Quote(p.label+": "+format), ", ", strings.Join(arguments, ", "), ")")
}

func (p *printer) checkError() {
	p.Block("if err != nil", func() { p.fail("%w", "err") })
}

// isSet returns the condition that a value is set, or "" if it always is.
func (p *printer) isSet(v *value, source string) string {
	if v.sendsZero {
		return ""
	}
	t := v.from
	switch {
	case isTime(t):
		return "!" + p.time(t, source) + ".IsZero()"
	case isString(t):
		return source + ` != ""`
	}
	switch u := t.Underlying().(type) {
	case *types.Slice, *types.Map:
		return source + " != nil"
	case *types.Basic:
		// What an API says is said, unless its SDK leaves out what isn't set.
		isNumber := u.Info()&types.IsNumeric != 0
		switch {
		case !v.method.sends && !(v.omitsZero && isNumber):
			return ""
		case isNumber:
			return source + " != 0"
		case u.Info()&types.IsBoolean != 0:
			return source
		}
	case *types.Struct:
		if types.Comparable(t) {
			return source + " != (" + p.typeName(t) + "{})"
		}
	}
	return ""
}

// time returns a time as that of the standard library.
func (p *printer) time(t types.Type, source string) string {
	switch timeForm(t) {
	case embeddedTime:
		return selection(source, "Time")
	case declaredTime:
		return p.Standard("time", "Time") + "(" + source + ")"
	default:
		return source
	}
}

// ofTime returns a time of the standard library as one of a type.
func (p *printer) ofTime(t types.Type, source string) string {
	switch timeForm(t) {
	case embeddedTime:
		return p.typeName(t) + "{Time: " + source + "}"
	case declaredTime:
		return p.typeName(t) + "(" + source + ")"
	default:
		return source
	}
}

// selection returns the expression for what a value has: Go follows pointers by itself.
func selection(source, name string) string { return strings.TrimPrefix(source, "*") + "." + name }

// emit writes the statements that convert a value, and has assign write what becomes of it. What isn't
// set is not assigned.
func (p *printer) emit(v *value, source string, assign func(expression string)) {
	switch v.way {
	case convert:
		assign(p.plain(v, source))
	case narrow:
		p.narrow(v, source, assign)
	case follow:
		p.Block("if "+source+" != nil", func() { p.emit(v.elem, "*"+source, assign) })
	case address:
		p.address(v, source, assign)
	case times:
		assign(p.ofTime(v.to, p.time(v.from, source)))
	case format:
		text := p.time(v.from, source) + ".Format(" + p.Standard("time", "RFC3339Nano") + ")"
		p.Block("if !"+p.time(v.from, source)+".IsZero()", func() { assign(p.asType(v.to, text)) })
	case parse:
		p.Block("if "+source+` != ""`, func() {
			at := p.variable("at")
			p.Line(at, ", err := ", p.Standard("time", "Parse"), "(", p.Standard("time", "RFC3339"), ", ", p.asText(v.from, source), ")")
			p.checkError()
			assign(p.ofTime(v.to, at))
		})
	case byFunction:
		p.call(v, source, assign)
	case deepCopy:
		assign(p.deepCopy(v, source))
	case binary:
		assign(p.asType(v.to, p.Standard("bytes", "Clone")+"("+source+")"))
	case list, entries, itemsToMap, mapToItems:
		p.collection(v, source, assign)
	case unwrap:
		held := p.variable("value")
		p.Line(held, " := ", selection(source, v.wrapper))
		p.emit(v.elem, held, assign)
	case wrap:
		p.wrap(v, source, assign)
	}
}

// zeroOf returns the zero value of a type.
func (p *printer) zeroOf(t types.Type) string {
	switch u := t.Underlying().(type) {
	case *types.Basic:
		switch {
		case u.Info()&types.IsString != 0:
			return `""`
		case u.Info()&types.IsBoolean != 0:
			return "false"
		default:
			return "0"
		}
	case *types.Struct:
		return p.typeName(t) + "{}"
	default:
		return "nil"
	}
}

func (p *printer) asType(t types.Type, expression string) string {
	if types.Identical(t, types.Typ[types.String]) {
		return expression
	}
	return p.typeName(t) + "(" + expression + ")"
}

func (p *printer) asText(t types.Type, expression string) string {
	if types.Identical(t, types.Typ[types.String]) {
		return expression
	}
	return "string(" + expression + ")"
}

func (p *printer) address(v *value, source string, assign func(string)) {
	write := func() {
		p.emit(v.elem, source, func(expression string) {
			if v.elem.way == times && timeForm(deref(v.to)) == embeddedTime {
				assign("&" + expression) // a literal
				return
			}
			assign(p.helper("pointerTo") + "(" + expression + ")")
		})
	}
	if condition := p.isSet(v, source); condition != "" && !v.elem.checks() {
		p.Block("if "+condition, write)
		return
	}
	write()
}

// checks reports whether the code for a value checks itself that it is set.
func (v *value) checks() bool {
	switch v.way {
	case format, parse, list, entries, itemsToMap, mapToItems, follow:
		return true
	}
	return false
}

func (p *printer) narrow(v *value, source string, assign func(string)) {
	from, to := integers[basicOf(v.from).Kind()], integers[basicOf(v.to).Kind()]
	number := p.variable("number")
	p.Line(number, " := ", p.typeName(v.to), "(", source, ")")
	lost := p.typeName(v.from) + "(" + number + ") != " + source
	switch {
	case from.signed && !to.signed:
		lost = source + " < 0 || " + lost
	case !from.signed && to.signed:
		lost = number + " < 0 || " + lost
	}
	p.Block("if "+lost, func() { p.fail("%d is out of range", source) })
	assign(number)
}

func (p *printer) call(v *value, source string, assign func(string)) {
	f := v.function
	argument := source
	if f.byHand == nil {
		switch {
		case strings.HasPrefix(source, "*"):
			argument = source[1:]
		case strings.HasSuffix(source, ")"):
			argument = p.helper("pointerTo") + "(" + source + ")"
		default:
			argument = "&" + source
		}
	}
	call := f.name + "(" + argument + ")"
	if !f.mayFail {
		assign(call)
		return
	}
	name := p.variable("value")
	p.Line(name, ", err := ", call)
	p.checkError()
	assign(name)
}

// collection writes loops. What is nil stays so.
func (p *printer) collection(v *value, source string, assign func(string)) {
	p.Block("if "+source+" != nil", func() {
		made := p.typeName(v.to)
		switch v.way {
		case list:
			items := p.variable("items")
			p.Line(items, " := make(", made, ", len(", source, "))")
			i, item := p.variable("i"), p.variable("item")
			p.Block("for "+i+", "+item+" := range "+source, func() {
				p.emit(v.elem, item, func(e string) { p.Line(items, "[", i, "] = ", e) })
			})
			assign(items)
		case entries:
			all := p.variable("entries")
			p.Line(all, " := make(", made, ", len(", source, "))")
			key, item := p.variable("key"), p.variable("item")
			p.Block("for "+key+", "+item+" := range "+source, func() {
				to := key
				if keyType := v.to.Underlying().(*types.Map).Key(); !types.Identical(keyType, v.from.Underlying().(*types.Map).Key()) {
					to = p.typeName(keyType) + "(" + key + ")"
				}
				p.emit(v.elem, item, func(e string) { p.Line(all, "[", to, "] = ", e) })
			})
			assign(all)
		case itemsToMap:
			all := p.variable("entries")
			p.Line(all, " := make(", made, ", len(", source, "))")
			item := p.variable("item")
			p.Block("for _, "+item+" := range "+source, func() {
				p.emit(v.keys, item+"."+v.key, func(key string) {
					if v.elem.checks() {
						p.Line(all, "[", key, "] = ", p.zeroOf(v.elem.to))
					}
					p.emit(v.elem, item+"."+v.value, func(e string) { p.Line(all, "[", key, "] = ", e) })
				})
			})
			assign(all)
		case mapToItems:
			items := p.variable("items")
			p.Line(items, " := make(", made, ", 0, len(", source, "))")
			key := p.variable("key")
			p.Block("for _, "+key+" := range "+p.Standard("slices", "Sorted")+"("+p.Standard("maps", "Keys")+"("+source+"))", func() {
				item := p.variable("item")
				itemType := v.to.Underlying().(*types.Slice).Elem()
				p.Line("var ", item, " ", p.typeName(deref(itemType)))
				p.emit(v.keys, key, func(e string) { p.Line(item, ".", v.key, " = ", e) })
				p.emit(v.elem, source+"["+key+"]", func(e string) { p.Line(item, ".", v.value, " = ", e) })
				if isPointer(itemType) {
					item = "&" + item
				}
				p.Line(items, " = append(", items, ", ", item, ")")
			})
			assign(items)
		}
	})
}

func (p *printer) wrap(v *value, source string, assign func(string)) {
	made := p.typeName(v.to)
	p.emit(v.elem, source, func(e string) {
		if v.wrapper == "Value" {
			assign(fmt.Sprintf("%s{Value: %s}", made, e))
			return
		}
		name := p.variable("value")
		p.Line("var ", name, " ", made)
		p.Line(name, ".Set(", e, ")")
		assign(name)
	})
}
