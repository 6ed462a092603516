package fromsdk

import (
	"fmt"
	"strconv"
	"strings"
)

// fakes returns the methods of a client that asks an API in memory.
func (r *reader) fakes(c *calls) []string {
	all := []string{r.fake(c.get, "Get"), r.fake(c.delete, "Delete")}
	if c.update == c.create {
		return append(all, r.fake(c.create, "Put"))
	}
	if c.update != nil {
		all = append(all, r.fake(c.update, "Update"))
	}
	return append(all, r.fake(c.create, "Create"))
}

// fake returns a method that passes its arguments to an API in memory by their names, and returns the answer.
func (r *reader) fake(m *method, does string) string {
	var arguments, params, results, answers []string
	for i, v := range m.params() {
		name := v.Name()
		if name == "" || name == "_" || name == "f" {
			name = fmt.Sprintf("arg%d", i)
		}
		typ := r.text(v.Type())
		switch {
		case m.isOption(v):
			name, typ = "_", "..."+r.text(itemOf(v.Type()))
		case isContext(v.Type()):
			name = "_"
		default:
			arguments = append(arguments, strconv.Quote(name)+": "+name)
		}
		params = append(params, name+" "+typ)
	}
	all := m.results()
	for i, v := range all[:len(all)-1] {
		name := fmt.Sprintf("result%d", i)
		results = append(results, name+" "+r.text(v.Type()))
		if !isAnswer(v.Type()) {
			answers = append(answers, ", &"+name)
		}
	}
	names := append(each(results, func(result string) string { return result[:strings.Index(result, " ")] }), "err")
	return "func (f fake) " + m.name + "(" + strings.Join(params, ", ") + ") (" + strings.Join(append(results, "err error"), ", ") + ") {\n" +
		"err = f.api." + does + "(simulated.Arguments{" + strings.Join(arguments, ", ") + "}" + strings.Join(answers, "") + ")\n" +
		"return " + strings.Join(names, ", ") + "\n}"
}
