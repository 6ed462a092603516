package fromsdk

import (
	"cmp"
	"go/types"
	"strings"

	"github.com/mrgen-io/mrgen/generator/internal/gotypes"
)

// fake writes the methods of a client for tests, which keeps one external resource: one of gRPC, or one of AWS that has XML. All take
// a request.
func (r *reader) fake(c *calls, f *file) {
	k := r.kind
	k.Fake = []string{
		r.fakeMethod(c, c.get, f, "get", ""),
		r.fakeMethod(c, c.create, f, "create", r.fakeCreation(c)),
	}
	if c.update != nil && c.update != c.create {
		k.Fake = append(k.Fake, r.fakeMethod(c, c.update, f, "update", r.fakeApply(r.update)))
	}
	k.Fake = append(k.Fake, r.fakeMethod(c, c.delete, f, "delete", "f.object = nil"))
}

// fakeCreation returns the statements that keep a new external resource.
func (r *reader) fakeCreation(c *calls) string {
	lines := []string{"f.object = &" + r.kind.Object + "{}", r.fakeApply(r.create)}
	if c.update == c.create {
		lines[0] = "if f.object == nil {\n" + lines[0] + "\n}"
	}
	if !c.own.none && !c.own.named {
		lines = append(lines, "f.name = \"1\"")
		if c.own.observed != nil {
			lines = append(lines, "simulated.Assign(&f.object."+c.own.observed.way()+", 1)")
		}
	} else if c.own.created != nil {
		lines = append(lines, "f.name = simulated.Text(request."+c.own.created.way()+")")
	}
	if r.kind.States != nil && r.envelope(r.create) == "" {
		lines = append(lines, r.kind.States.Set)
	}
	return strings.Join(lines, "\n")
}

// fakeApply returns the statements that take over what a request has.
func (r *reader) fakeApply(t *types.Named) string {
	within := r.envelope(t)
	switch {
	case within == "":
		return "f.apply(request)"
	case !r.hasObject(t): // a struct with some of the object's fields
		return "f.apply(request)\nf.apply(request." + within + ")"
	case r.kind.States != nil: // which the request leaves out
		return "f.apply(request." + within + ")\n" + r.kind.States.Set
	}
	return "f.apply(request." + within + ")"
}

// fakeMethod returns a method of the client for tests, which does something unless it fails.
func (r *reader) fakeMethod(c *calls, m *method, f *file, role, does string) string {
	params, results := m.signature.Params(), m.signature.Results()
	key := ""
	var names []string
	for v := range params.Variables() {
		name, typ := "_", f.text(v.Type())
		switch {
		case m.isOption(v):
			typ = "..." + f.text(v.Type().(*types.Slice).Elem())
		case r.isRequest(gotypes.Deref(v.Type())) && (role == "create" || role == "update"):
			name = "request"
			if own := r.ownIn(c, types.Unalias(gotypes.Deref(v.Type())).(*types.Named)); own != nil && role == "update" {
				key = "request." + own.way()
			}
		case c.own.none || role == "create" || gotypes.StructOf(v.Type()) == nil:
		default:
			for _, s := range r.sources(v.Type()) {
				l := leaf{name: s.v.Name(), typ: s.v.Type(), from: s}
				if text := r.keyFor(c, l, m, &file{r: r}); text != "" && text == r.ownVariable(c, s.v.Type(), &file{r: r}) && len(s.path) == 0 {
					name, key = "request", "request."+s.v.Name()
				}
			}
		}
		names = append(names, name+" "+typ)
	}
	var zeros, answers []string
	object := r.accessTo(m, r.observe)
	for i := range results.Len() - 1 {
		t := results.At(i).Type()
		zeros = append(zeros, gotypes.Zero(t, f.text))
		if role == "delete" { // and nobody reads what was there
			answers = append(answers, gotypes.Zero(t, f.text))
		} else {
			answers = append(answers, r.answer(c, m, i, object, f))
		}
	}
	check := "f.err"
	if role != "create" {
		check = "f.check(" + cmp.Or(key, "nil") + ")"
	}
	lines := []string{
		"func (f *fake) " + m.name + "(" + strings.Join(names, ", ") + ") " + resultsText(f, results) + " {",
		"if err := " + check + "; err != nil {",
		"return " + strings.Join(append(zeros, "err"), ", "),
		"}",
	}
	if does != "" {
		lines = append(lines, does)
	}
	lines = append(lines, "return "+strings.Join(append(answers, "nil"), ", "), "}")
	return strings.Join(lines, "\n")
}

func resultsText(f *file, results *types.Tuple) string {
	var all []string
	for v := range results.Variables() {
		all = append(all, f.text(v.Type()))
	}
	if len(all) == 1 {
		return all[0]
	}
	return "(" + strings.Join(all, ", ") + ")"
}

// answer returns what a method for tests returns if it doesn't fail.
func (r *reader) answer(c *calls, m *method, i int, a access, f *file) string {
	t := m.signature.Results().At(i).Type()
	of := func(t types.Type) string {
		if gotypes.IsPointer(t) {
			return "f.shown()"
		}
		return "*f.shown()"
	}
	switch {
	case a.found && a.result == i && a.field == nil:
		return of(t)
	case a.found && a.result == i:
		value := of(a.field.Type())
		if list, ok := a.field.Type().Underlying().(*types.Slice); ok {
			value = f.text(a.field.Type()) + "{" + of(list.Elem()) + "}"
		}
		return f.literal(t, a.field.Name()+": "+value)
	case m == c.create && i == 0 && !c.own.named && r.keyIn(c) != nil:
		return fakeKey(r.keyIn(c), f)
	}
	return gotypes.Zero(t, f.text)
}

// fakeKey returns the first of some variables with the own key of tests in the last one, which is a field of those
// before it.
func fakeKey(path []*types.Var, f *file) string {
	value := "1"
	if gotypes.IsString(gotypes.Deref(path[len(path)-1].Type())) {
		value = `"1"`
	}
	for i := len(path) - 1; i >= 0; i-- {
		t := path[i].Type()
		if i < len(path)-1 {
			value = f.literal(t, path[i+1].Name()+": "+value)
		} else if gotypes.IsPointer(t) {
			f.add(`"k8s.io/utils/ptr"`)
			value = "ptr.To[" + f.text(gotypes.Deref(t)) + "](" + value + ")"
		}
	}
	return value
}
