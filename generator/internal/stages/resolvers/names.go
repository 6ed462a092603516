package resolvers

import (
	"regexp"
	"slices"
	"strconv"
	"strings"

	"github.com/mrgen-io/mrgen/generator/internal/render/gosrc"
)

// The author may declare any name, and a variable of that name would hide it. Such a variable gets another
// name; imports never take the variables' names.

// variables are the parameters and variables of the methods, except those of loops. Longer names come before
// their prefixes.
var variables = []string{"mreq", "mrsp", "req", "rsp", "ctx", "err", "mg", "cr", "c", "r"}

// nested matches the names of variables in conditions and loops, see [methodWriter.eachStruct].
var nested = regexp.MustCompile(`^([ijklmnp]|(i|key|value)[0-9]*)$`)

// newLocals returns a replacer of $mg and other placeholders by the names of variables.
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

// index returns a name for the index of a loop over a list that no surrounding loop uses.
func (m *methodWriter) index() string {
	const names = "ijklmn"
	if m.lists < len(names) {
		return m.local(names[m.lists : m.lists+1])
	}
	return m.local(numbered("i", m.lists))
}

// numbered returns a name that no surrounding variable of its kind has.
func numbered(name string, around int) string {
	if around == 0 {
		return name
	}
	return name + strconv.Itoa(around+1)
}

// code replaces $mg and other placeholders in code by the names of variables.
func (w *fileWriter) code(template string) string { return w.locals.Replace(template) }

// isVariable reports whether a method may have a variable with that name.
func isVariable(name string) bool {
	wanted := gosrc.Wanted(name)
	return slices.Contains(variables, wanted) || nested.MatchString(wanted)
}
