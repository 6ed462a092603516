package fromsdk

import (
	"cmp"
	"fmt"
	"go/types"
	"strings"

	"github.com/mrgen-io/mrgen/generator/internal/gotypes"
)

// fake writes the methods of a client for tests, which keeps one external resource.
func (r *reader) fake(c *calls) {
	k := r.kind
	k.Fake = []string{
		r.fakeMethod(c, c.get, "get", ""),
		r.fakeMethod(c, c.create, "create", r.fakeCreation(c)),
	}
	if c.update != nil && c.update != c.create {
		k.Fake = append(k.Fake, r.fakeMethod(c, c.update, "update", r.fakeApply(r.update)))
	}
	k.Fake = append(k.Fake, r.fakeMethod(c, c.delete, "delete", "f.object = nil"))
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
		lines = append(lines, "f.name = simulated.Text("+"REQUEST."+c.own.created.way()+")")
	} else if c.own.named {
		lines = append(lines, "f.name = simulated.Text(KEY)")
	}
	return strings.Join(lines, "\n")
}

// fakeApply returns the statements that take over what a request has.
func (r *reader) fakeApply(t *types.Named) string {
	within := r.envelope(t)
	switch {
	case within == "":
		return "f.apply(REQUEST)"
	case !r.hasObject(t): // a struct with some of the object's fields
		return "f.apply(REQUEST)\nf.apply(REQUEST." + within + ")"
	}
	return "f.apply(REQUEST." + within + ")"
}

// fakeMethod returns a method of the client for tests, which does something unless it fails.
func (r *reader) fakeMethod(c *calls, m *method, role, does string) string {
	params, results := m.signature.Params(), m.signature.Results()
	key, request := "", ""
	var names []string
	for i := range params.Len() {
		v := params.At(i)
		name, typ := "_", r.text(v.Type())
		variable := "arg" + fmt.Sprint(i)
		if v.Name() != "" && v.Name() != "_" && v.Name() != "f" && !strings.Contains(" simulated errMissing name ", " "+v.Name()+" ") {
			variable = v.Name()
		}
		switch {
		case m.isOption(v):
			typ = "..." + r.text(v.Type().(*types.Slice).Elem())
		case r.isRequest(gotypes.Deref(v.Type())) && (role == "create" || role == "update"):
			name, request = variable, variable
			if own := r.ownIn(c, types.Unalias(gotypes.Deref(v.Type())).(*types.Named)); own != nil && role == "update" {
				key = variable + "." + own.way()
			}
		case role == "create" && isKey(v.Type()) && r.parentSeen(c, v) != "":
			name = variable
			does += "\nsimulated.Assign(&f.object." + r.parentSeen(c, v) + ", " + variable + ")"
		case c.own.none || role == "create" && c.own.created != nil:
		case isKey(v.Type()):
			if r.keyFor(c, leaf{name: v.Name(), typ: v.Type()}, m) == r.ownVariable(c, v.Type()) {
				name, key = variable, variable
			}
		case gotypes.StructOf(v.Type()) != nil:
			for _, s := range r.sources(v.Type()) {
				l := leaf{name: s.v.Name(), typ: s.v.Type(), from: s}
				if text := r.keyFor(c, l, m); text != "" && text == r.ownVariable(c, s.v.Type()) && len(s.path) == 0 {
					name, key = variable, variable+"."+s.v.Name()
				}
			}
		}
		names = append(names, name+" "+typ)
	}
	var zeros, answers []string
	object := r.accessTo(m, r.observe)
	for i := range results.Len() - 1 {
		t := results.At(i).Type()
		zeros = append(zeros, gotypes.Zero(t, r.text))
		if role == "delete" { // and nobody reads what was there
			answers = append(answers, gotypes.Zero(t, r.text))
		} else {
			answers = append(answers, r.answer(c, m, i, object))
		}
	}
	check := "f.err"
	if role != "create" {
		check = "f.check(" + cmp.Or(key, "nil") + ")"
	}
	lines := []string{
		"func (f *fake) " + m.name + "(" + strings.Join(names, ", ") + ") " + r.resultsText(results) + " {",
		"if err := " + check + "; err != nil {",
		"return " + strings.Join(append(zeros, "err"), ", "),
		"}",
	}
	if does != "" {
		lines = append(lines, strings.NewReplacer("REQUEST", request, "KEY", key).Replace(does))
	}
	lines = append(lines, "return "+strings.Join(append(answers, "nil"), ", "), "}")
	return strings.Join(lines, "\n")
}

// parentSeen returns the field of the object that has the value of an argument, "" if none has.
func (r *reader) parentSeen(c *calls, v *types.Var) string {
	for _, p := range c.parents {
		if p.from != nil || !p.matches(leaf{name: v.Name()}) {
			continue
		}
		if s := counterpartNamed(r.sources(r.observe), gotypes.PlainName(p.field.Name)); s != nil {
			return s.way()
		}
	}
	return ""
}

func (r *reader) resultsText(results *types.Tuple) string {
	var all []string
	for v := range results.Variables() {
		all = append(all, r.text(v.Type()))
	}
	if len(all) == 1 {
		return all[0]
	}
	return "(" + strings.Join(all, ", ") + ")"
}

// answer returns what a method for tests returns if it doesn't fail.
func (r *reader) answer(c *calls, m *method, i int, a access) string {
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
			value = r.text(a.field.Type()) + "{" + of(list.Elem()) + "}"
		}
		return r.literal(t, a.field.Name()+": "+value)
	case m == c.create && i == 0 && !c.own.named && r.keyIn(c) != nil:
		return r.fakeKey(r.keyIn(c))
	}
	return gotypes.Zero(t, r.text)
}

// fakeKey returns the first of some variables with the own key of tests in the last one, which is a field of those
// before it.
func (r *reader) fakeKey(path []*types.Var) string {
	value := "1"
	if gotypes.IsString(gotypes.Deref(path[len(path)-1].Type())) {
		value = `"1"`
	}
	for i := len(path) - 1; i >= 0; i-- {
		t := path[i].Type()
		if i < len(path)-1 {
			value = r.literal(t, path[i+1].Name()+": "+value)
		} else if gotypes.IsPointer(t) {
			value = "ptr.To[" + r.text(gotypes.Deref(t)) + "](" + value + ")"
		}
	}
	return value
}
