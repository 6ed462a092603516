package desired

import (
	_ "embed" // for helperSource
	"go/ast"
	"slices"
	"strings"

	"github.com/dave/jennifer/jen"
)

// A helper is a function of package helpers.
type helper string

const (
	pointerTo       helper = "pointerTo"
	valueOf         helper = "valueOf"
	isZero          helper = "isZero"
	deepCopy        helper = "deepCopy"
	convertSlice    helper = "convertSlice"
	convertMap      helper = "convertMap"
	addMissing      helper = "addMissing"
	areUnique       helper = "areUnique"
	isBase64        helper = "isBase64"
	isCIDR          helper = "isCIDR"
	isDate          helper = "isDate"
	isDateTime      helper = "isDateTime"
	isDuration      helper = "isDuration"
	isIPv4          helper = "isIPv4"
	isIPv6          helper = "isIPv6"
	isMAC           helper = "isMAC"
	isURI           helper = "isURI"
	isUUID          helper = "isUUID"
	tryConvertSlice helper = "tryConvertSlice"
	tryConvertMap   helper = "tryConvertMap"
	itself          helper = "itself"
	pathIf          helper = "pathIf"
	diffValue       helper = "diffValue"
	sameQuantity    helper = "sameQuantity"
	sameJSON        helper = "sameJSON"
	pathsWithin     helper = "pathsWithin"
	diffSlice       helper = "diffSlice"
	diffSubset      helper = "diffSubset"
	diffSet         helper = "diffSet"
	diffItems       helper = "diffItems"
	diffKeyed       helper = "diffKeyed"
	diffEntries     helper = "diffEntries"
	missingEntries  helper = "missingEntries"
	diffMap         helper = "diffMap"
	withoutPaths    helper = "withoutPaths"
)

// helperSource is the file with all helpers. None of them calls a later one.
//
//go:embed helpers/helpers.go
var helperSource string

// help returns a call of a helper, and has it written.
func (w *pairWriter) help(h helper, arguments ...jen.Code) *jen.Statement {
	return w.helper(h).Call(arguments...)
}

// helper returns a helper, which is then written, by a name that is free.
func (w *pairWriter) helper(h helper) *jen.Statement {
	if w.helperNames[h] == "" {
		w.helperNames[h] = w.Names.Declare(string(h))
	}
	return jen.Id(w.helperNames[h])
}

// isHelper reports whether a helper may have a name.
func (w *pairWriter) isHelper(name string) bool {
	return slices.ContainsFunc(w.helperFile.Syntax.Decls, func(decl ast.Decl) bool {
		f, ok := decl.(*ast.FuncDecl)
		return ok && f.Name.Name == name
	})
}

// helpers writes the helpers that were called.
func (w *pairWriter) helpers() {
	var copies []jen.Code
	// From the last to the first, since a copy may call earlier ones.
	for _, decl := range slices.Backward(w.helperFile.Syntax.Decls) {
		if f, ok := decl.(*ast.FuncDecl); ok && w.helperNames[helper(f.Name.Name)] != "" {
			copies = append(copies, w.copyOf(f))
		}
	}
	slices.Reverse(copies)
	for _, function := range copies {
		w.File.Add(function)
		w.File.Line()
	}
}

// copyOf returns a helper with the names that the file has for what it uses.
func (w *pairWriter) copyOf(f *ast.FuncDecl) *jen.Statement {
	name := f.Name.Name
	copied := jen.Op(strings.Replace(w.helperFile.Text(f.Doc.Pos(), f.Type.Pos()), name, w.helperNames[helper(name)], 1))
	add := func(code *jen.Statement) func() { return func() { copied.Add(code) } }
	w.helperFile.Copy(f, func(text string) { copied.Op(text) }, func(importPath, name string) func() {
		switch {
		case importPath != "":
			return add(w.File.Standard(importPath, name))
		case w.isHelper(name):
			return add(w.helper(helper(name)))
		default:
			return nil
		}
	})
	return copied
}
