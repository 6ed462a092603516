package fromsdk

import (
	"fmt"
	"go/types"
	"strings"

	"github.com/mrgen-io/mrgen/generator/internal/gotypes"
)

// fake writes the methods of a client for tests, which keeps one external resource: one of gRPC, or one of AWS that has
// XML or that the controller wraps.
func (r *reader) fake(c *calls) {
	does := map[*method]string{c.delete: "f.object = nil\n"}
	if c.update != nil {
		does[c.update] = r.fakeApply(r.update)
	}
	does[c.create] = r.fakeCreation(c)
	r.kind.Fake = each(c.all(), func(m *method) string { return r.fakeMethod(c, m, does[m]) })
}

// fakeCreation returns the statements that keep a new external resource.
func (r *reader) fakeCreation(c *calls) string {
	does := "f.object = &" + r.kind.Object + "{}\n"
	if c.update == c.create {
		does = "if f.object == nil {\n" + does + "}\n"
	}
	does += r.fakeApply(r.create)
	switch own := c.own; {
	case own.named && own.created != nil:
		does += "f.name = simulated.Text(request." + own.created.way() + ")\n"
	case own.taken != nil && !own.named:
		does += "f.name = \"1\"\n"
		if own.observed != nil {
			does += "simulated.Assign(&f.object." + own.observed.way() + ", 1)\n"
		}
	}
	return does
}

// fakeApply returns the statements that take over what a request has.
func (r *reader) fakeApply(t *types.Named) string {
	within := r.envelope(t)
	switch {
	case within == "":
		return "f.apply(request)\n"
	case !r.hasObject(t): // a struct with some of the object's fields
		return "f.apply(request)\nf.apply(request." + within + ")\n"
	}
	return "f.apply(request." + within + ")\n"
}

// fakeMethod returns a method of the client for tests, which does something unless it fails, and answers with the object.
func (r *reader) fakeMethod(c *calls, m *method, does string) string {
	key := "nil"
	var params []string
	for v := range m.signature.Params().Variables() {
		name, typ := "_", r.text(v.Type())
		switch t := gotypes.Deref(v.Type()); {
		case m.isOption(v):
			typ = "..." + r.text(itemOf(t))
		case r.isRequest(t) && (m == c.create || m == c.update):
			name = "request"
			if own := r.ownIn(c, types.Unalias(t).(*types.Named), m == c.create); own != nil {
				key = "request." + own.way()
			}
		case c.own.taken == nil || m == c.create:
		default:
			for _, s := range r.sources(t) {
				if text := r.keyFor(c, s, m); text != "" && text == r.ownVariable(c, s.v.Type()) && len(s.path) == 0 {
					name, key = "request", "request."+s.v.Name()
				}
			}
		}
		params = append(params, name+" "+typ)
	}
	check, answer, result := "f.check("+key+")", "", ""
	if m == c.create {
		check = "f.err"
	}
	if results := m.signature.Results(); results.Len() > 1 {
		answer, result = "answer, ", "answer "+r.text(results.At(0).Type())+", "
		if m != c.delete { // whose answer nobody reads
			does += "simulated.Show(&answer, f.object)\n"
		}
	}
	return fmt.Sprintf("func (f *fake) %s(%s) (%serr error) {\nif err = %s; err != nil {\nreturn %serr\n}\n%sreturn %snil\n}",
		m.name, strings.Join(params, ", "), result, check, answer, does, answer)
}
