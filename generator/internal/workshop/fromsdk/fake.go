package fromsdk

import (
	"go/types"
	"strings"

	"github.com/mrgen-io/mrgen/generator/internal/gotypes"
)

// fake writes the methods of a client for tests, which keeps one external resource: one of gRPC, or one of AWS that has
// XML or that the controller wraps.
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
	if c.own.taken != nil && !c.own.named {
		lines = append(lines, "f.name = \"1\"")
		if c.own.observed != nil {
			lines = append(lines, "simulated.Assign(&f.object."+c.own.observed.way()+", 1)")
		}
	} else if c.own.created != nil {
		lines = append(lines, "f.name = simulated.Text(request."+c.own.created.way()+")")
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
	}
	return "f.apply(request." + within + ")"
}

// fakeMethod returns a method of the client for tests, which does something unless it fails, and answers with the object.
func (r *reader) fakeMethod(c *calls, m *method, role, does string) string {
	key := "nil"
	var names []string
	for v := range m.signature.Params().Variables() {
		name, typ := "_", r.text(v.Type())
		switch {
		case m.isOption(v):
			typ = "..." + r.text(v.Type().(*types.Slice).Elem())
		case r.isRequest(gotypes.Deref(v.Type())) && (role == "create" || role == "update"):
			name = "request"
			if own := r.ownIn(c, types.Unalias(gotypes.Deref(v.Type())).(*types.Named), role == "create"); own != nil {
				key = "request." + own.way()
			}
		case c.own.taken == nil || role == "create" || gotypes.StructOf(v.Type()) == nil:
		default:
			for _, s := range r.sources(v.Type()) {
				if text := r.keyFor(c, s, m); text != "" && text == r.ownVariable(c, s.v.Type()) && len(s.path) == 0 {
					name, key = "request", "request."+s.v.Name()
				}
			}
		}
		names = append(names, name+" "+typ)
	}
	check, answer, result := "f.check("+key+")", "", ""
	if role == "create" {
		check = "f.err"
	}
	if results := m.signature.Results(); results.Len() > 1 {
		answer, result = "answer, ", "answer "+r.text(results.At(0).Type())+", "
	}
	lines := []string{
		"func (f *fake) " + m.name + "(" + strings.Join(names, ", ") + ") (" + result + "err error) {",
		"if err = " + check + "; err != nil {",
		"return " + answer + "err",
		"}",
	}
	if does != "" {
		lines = append(lines, does)
	}
	if answer != "" && role != "delete" { // whose answer nobody reads
		lines = append(lines, "simulated.Show(&answer, f.object)")
	}
	return strings.Join(append(lines, "return "+answer+"nil", "}"), "\n")
}
