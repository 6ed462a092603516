package deepcopy

import (
	"iter"
	"strings"
	"unicode"
)

// variables are the names of variables in the methods.
var variables = []string{"c", "clone", "i", "in", "inVal", "key", "out", "outVal", "val", "x"}

// importName returns the name of an imported package, which is controller-gen's if that is
// free.
func (w *copyWriter) importName(importPath string) string {
	own := ""
	if imported := w.pkg.Imports()[importPath]; imported != nil {
		own = imported.Name
	}
	return w.imports.First(importPath, own, importNames(importPath))
}

// importNames returns names for an imported package: the last element of its path, then as
// many of the last elements as it takes. An "x" follows when there are no more, and that is
// said of the first element, too.
func importNames(importPath string) iter.Seq[string] {
	return func(yield func(string) bool) {
		elements := strings.Split(importPath, "/")
		name := ""
		for i := len(elements) - 1; ; i = max(i-1, 0) {
			if i == 0 {
				name += "x"
			}
			if name = identifier(elements[i]) + name; !yield(name) {
				return
			}
		}
	}
}

// identifier makes an element of a path a part of a name.
func identifier(element string) string {
	return strings.Map(func(r rune) rune {
		if unicode.IsLetter(r) || unicode.IsDigit(r) {
			return r
		}
		return '_'
	}, strings.TrimLeftFunc(element, unicode.IsDigit))
}
