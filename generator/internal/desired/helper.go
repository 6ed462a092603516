package desired

import (
	_ "embed" // for helperSource
	"go/ast"
	"go/parser"
	"go/token"
	"path"
	"slices"
	"strconv"
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
	addValid        helper = "addValid"
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
	diffSlice       helper = "diffSlice"
	diffSet         helper = "diffSet"
	diffKeyed       helper = "diffKeyed"
	diffMap         helper = "diffMap"
)

// helperSource is the file with all helpers. None of them calls a later one.
//
//go:embed helpers/helpers.go
var helperSource string

// help returns a call of a helper, which is then written.
func (w *writer) help(h helper, arguments ...jen.Code) *jen.Statement {
	return w.helper(h).Call(arguments...)
}

// helper returns a helper, which is then written, by a name that is free.
func (w *writer) helper(h helper) *jen.Statement {
	name, known := w.helperNames[h]
	if !known {
		name = string(h)
		for i := 2; w.Taken(name); i++ {
			name = string(h) + strconv.Itoa(i)
		}
		w.helperNames[h] = name
	}
	return jen.Id(name)
}

// imported returns what another package declares. The package is imported by the
// last element of its path, unless that is the name of a declaration.
func (w *writer) imported(importPath, name string) *jen.Statement {
	if base := path.Base(importPath); w.Taken(base) {
		w.File.ImportAlias(importPath, "go"+base)
	} else {
		w.File.ImportName(importPath, base)
	}
	return jen.Qual(importPath, name)
}

// helpers writes the helpers that were called.
func (w *writer) helpers() {
	var copies []jen.Code
	// From the last to the first, since a copy may call earlier ones.
	for _, f := range slices.Backward(w.library.functions) {
		if _, called := w.helperNames[helper(f.Name.Name)]; called {
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
func (w *writer) copyOf(f *ast.FuncDecl) *jen.Statement {
	name := f.Name.Name
	at := w.library.offset(f.Pos())
	comment := helperSource[w.library.offset(f.Doc.Pos()):at]
	copied := jen.Op(strings.Replace(comment, name, w.helperNames[helper(name)], 1))
	replace := func(node ast.Node, by *jen.Statement) {
		copied.Op(helperSource[at:w.library.offset(node.Pos())]).Add(by)
		at = w.library.offset(node.End())
	}
	ast.Inspect(f, func(node ast.Node) bool {
		switch node := node.(type) {
		case *ast.SelectorExpr:
			if x, ok := node.X.(*ast.Ident); ok && w.library.imports[x.Name] != "" {
				replace(node, w.imported(w.library.imports[x.Name], node.Sel.Name))
				return false
			}
		case *ast.Ident:
			if w.library.has(node.Name) {
				replace(node, w.helper(helper(node.Name)))
			}
		}
		return true
	})
	return copied.Op(helperSource[at:w.library.offset(f.End())])
}

// library is the parsed helperSource.
type library struct {
	files     *token.FileSet
	functions []*ast.FuncDecl
	// imports has the paths of imported packages by their names.
	imports map[string]string
}

func newLibrary() (*library, error) {
	l := &library{files: token.NewFileSet(), imports: map[string]string{}}
	file, err := parser.ParseFile(l.files, "helpers.go", helperSource, parser.ParseComments)
	if err != nil {
		return nil, err
	}
	for _, spec := range file.Imports {
		importPath, err := strconv.Unquote(spec.Path.Value)
		if err != nil {
			return nil, err
		}
		l.imports[path.Base(importPath)] = importPath
	}
	for _, decl := range file.Decls {
		if f, ok := decl.(*ast.FuncDecl); ok {
			l.functions = append(l.functions, f)
		}
	}
	return l, nil
}

// has reports whether the library has a function of that name.
func (l *library) has(name string) bool {
	return slices.ContainsFunc(l.functions, func(f *ast.FuncDecl) bool { return f.Name.Name == name })
}

func (l *library) offset(at token.Pos) int { return l.files.Position(at).Offset }
