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
var variables = []string{"mreq", "mrsp", "req", "rsp", "ctx", "err", "mg", "cr", "c", "r", "i"}

// loopVariable matches the names of variables in loops, see [fileWriter.loopVariable]. No
// path has more than 99 fields, and imports that are told apart by numbers need some.
var loopVariable = regexp.MustCompile(`^(i|key|value)[0-9]{1,2}(n[0-9]+)?$`)

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

// loopVariable returns the name of a variable in a loop, from the depth of its field in the
// path, which is 0 for the kind, and the number of loops over that field around it.
func (w *fileWriter) loopVariable(word string, depth, layer int) string {
	name := word + strconv.Itoa(depth+1)
	if layer > 0 {
		name += "n" + strconv.Itoa(layer)
	}
	return w.local(name)
}

// code replaces $mg and the like in code with the names of variables.
func (w *fileWriter) code(template string) string { return w.locals.Replace(template) }

// isVariable reports whether a method may have a variable with that name.
func isVariable(name string) bool {
	wanted := gosrc.Wanted(name)
	return slices.Contains(variables, wanted) || loopVariable.MatchString(wanted)
}
