package deepcopy

import (
	"iter"
	"strings"
	"unicode"
)

// variables are the names of variables in the methods.
var variables = []string{"c", "clone", "i", "in", "inVal", "key", "out", "outVal", "val", "x"}

// importName returns the name for an imported package: controller-gen's name if it is free.
func (w *copyWriter) importName(importPath string) string {
	own := ""
	if imported := w.pkg.Imports()[importPath]; imported != nil {
		own = imported.Name
	}
	return w.imports.First(importPath, own, importNames(importPath))
}

// importNames returns the candidates for the name of an imported package: its last path
// element, then more and more of the last elements, and finally with an "x" after them.
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

// identifier returns a path element as a valid part of a name.
func identifier(element string) string {
	return strings.Map(func(r rune) rune {
		if unicode.IsLetter(r) || unicode.IsDigit(r) {
			return r
		}
		return '_'
	}, strings.TrimLeftFunc(element, unicode.IsDigit))
}
