package resolvers

import (
	"regexp"
	"slices"
	"strconv"
	"strings"

	"github.com/mrgen-io/mrgen/generator/internal/flavor"
)

// What the author declares may have any name: that of a variable in a method, too,
// which would hide it. The same holds for the packages that a file imports. So each
// name below is the one that is written unless the author has it, and imports keep
// clear of all of them.

// variables are the names of parameters and variables in the methods, those of loops
// apart, each before those that it begins with.
var variables = []string{"mreq", "mrsp", "req", "rsp", "ctx", "err", "mg", "cr", "c", "r", "i"}

// loopVariable matches the names of variables in loops, see [writer.loopVariable]. No
// path has more than 99 fields, and imports that are told apart by numbers need some.
var loopVariable = regexp.MustCompile(`^(i|key|value)[0-9]{1,2}(n[0-9]+)?$`)

// The suffixes make a name another one.
const (
	localSuffix  = "Var"
	importSuffix = "pkg"
)

// newLocals returns what puts names of variables in place of $mg and so on.
func (w *writer) newLocals() *strings.Replacer {
	var pairs []string
	for _, name := range variables {
		pairs = append(pairs, "$"+name, w.local(name))
	}
	return strings.NewReplacer(pairs...)
}

// local returns the name of a variable in a method.
func (w *writer) local(name string) string {
	for w.isAuthors(name) {
		name += localSuffix
	}
	return name
}

// loopVariable returns the name of a variable in a loop, by the position of its field
// in the path, the kind being at 0, and tells nested loops over one field apart.
func (w *writer) loopVariable(word string, depth, layer int) string {
	name := word + strconv.Itoa(depth+1)
	if layer > 0 {
		name += "n" + strconv.Itoa(layer)
	}
	return w.local(name)
}

// code returns code with the names of variables in place of $mg and so on.
func (w *writer) code(template string) string { return w.locals.Replace(template) }

// qualified returns a reference to what a package declares. The alias of its
// import is changed if it clashes with another name.
func (w *writer) qualified(in flavor.Import, name string) string {
	for w.avoid(in.Alias) {
		in.Alias += importSuffix
	}
	return w.Qualified(in, name)
}

// avoid reports whether no import may have a name.
func (w *writer) avoid(name string) bool {
	local := name
	for strings.HasSuffix(local, localSuffix) {
		local = strings.TrimSuffix(local, localSuffix)
	}
	return w.isAuthors(name) || w.isHelpers(name) || slices.Contains(variables, local) || loopVariable.MatchString(local)
}

// isAuthors reports whether the author declares a name in the package.
func (w *writer) isAuthors(name string) bool {
	_, declared := w.pkg.Names[name]
	return declared
}

// isHelpers reports whether a helper has a name.
func (w *writer) isHelpers(name string) bool {
	for _, other := range w.helpers {
		if other == name {
			return true
		}
	}
	return false
}
