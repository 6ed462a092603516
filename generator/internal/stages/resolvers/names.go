package resolvers

import (
	"regexp"
	"slices"
	"strconv"
	"strings"

	"github.com/mrgen-io/mrgen/generator/internal/render/gosrc"
)

// What the author declares may have any name: that of a variable in a method, too,
// which would hide it. So each name below is the one that is written unless the author has
// it, and imports keep clear of all of them.

// variables are the names of parameters and variables in the methods, those of loops
// apart, each before those that it begins with.
var variables = []string{"mreq", "mrsp", "req", "rsp", "ctx", "err", "mg", "cr", "c", "r", "i"}

// loopVariable matches the names of variables in loops, see [fileWriter.loopVariable]. No
// path has more than 99 fields, and imports that are told apart by numbers need some.
var loopVariable = regexp.MustCompile(`^(i|key|value)[0-9]{1,2}(n[0-9]+)?$`)

// newLocals returns what puts names of variables in place of $mg and so on.
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

// loopVariable returns the name of a variable in a loop, by the position of its field
// in the path, the kind being at 0, and tells nested loops over one field apart.
func (w *fileWriter) loopVariable(word string, depth, layer int) string {
	name := word + strconv.Itoa(depth+1)
	if layer > 0 {
		name += "n" + strconv.Itoa(layer)
	}
	return w.local(name)
}

// code returns code with the names of variables in place of $mg and so on.
func (w *fileWriter) code(template string) string { return w.locals.Replace(template) }

// isVariable reports whether a variable in a method may have a name.
func isVariable(name string) bool {
	wanted := gosrc.Wanted(name)
	return slices.Contains(variables, wanted) || loopVariable.MatchString(wanted)
}
