package resolvers

import (
	"regexp"
	"slices"
	"strconv"
	"strings"

	"github.com/mrgen-io/mrgen/generator/internal/render/gosrc"
)

// The author may declare any name, including that of a variable in a method, which would hide
// it. So a variable gets the name below unless the author has it, and imports never do.

// variables are the names of parameters and variables in the methods, without those of loops.
// Each comes before its own prefixes.
var variables = []string{"mreq", "mrsp", "req", "rsp", "ctx", "err", "mg", "cr", "c", "r"}

// nested matches the names of variables in conditions and loops, see [methodWriter.eachStruct].
var nested = regexp.MustCompile(`^([ijklmnp]|(i|key|value)[0-9]*)$`)

// newLocals returns a replacer of $mg and the like with the names of variables.
func (w *fileWriter) newLocals() *strings.Replacer {
	var pairs []string
	for _, name := range variables {
		pairs = append(pairs, "$"+name, w.local(name))
	}
	return strings.NewReplacer(pairs...)
}

// local returns the name of a variable in a method.
func (w *fileWriter) local(name string) string {
	return gosrc.Variable(name, func(name string) bool {
		_, declared := w.pkg.Names[name]
		return declared
	})
}

// index returns the name of the variable of a loop over a list, which tells it from those around it.
func (m *methodWriter) index() string {
	const names = "ijklmn"
	if m.lists < len(names) {
		return m.local(names[m.lists : m.lists+1])
	}
	return m.local(numbered("i", m.lists))
}

// numbered returns a name that tells a variable from those of its sort around it.
func numbered(name string, around int) string {
	if around == 0 {
		return name
	}
	return name + strconv.Itoa(around+1)
}

// code replaces $mg and the like in code with the names of variables.
func (w *fileWriter) code(template string) string { return w.locals.Replace(template) }

// isVariable reports whether a method may have a variable with that name.
func isVariable(name string) bool {
	wanted := gosrc.Wanted(name)
	return slices.Contains(variables, wanted) || nested.MatchString(wanted)
}
