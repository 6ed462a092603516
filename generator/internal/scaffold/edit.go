package scaffold

import (
	"bytes"
	"errors"
	"go/ast"
	"go/parser"
	"go/scanner"
	"go/token"
	"go/types"
	"slices"
	"strconv"
	"strings"

	"github.com/mrgen-io/mrgen/generator/internal/diag"
)

// An edit is a Go file of the author that is changed as text, at the places that the
// syntax tree shows: all the rest stays as it is, byte for byte.
type edit struct {
	name   string
	source []byte
	fset   *token.FileSet
	file   *ast.File
}

// newEdit returns the edit of a file with that path relative to the module root.
func newEdit(name string, source []byte) (*edit, diag.List) {
	e := &edit{name: name, source: source}
	if err := e.parse(); err != nil {
		return nil, diag.List{unparsable(name, err)}
	}
	return e, nil
}

// unparsable returns the diagnostic for a file that the parser refuses.
func unparsable(name string, err error) diag.Diagnostic {
	at := diag.Position{File: name}
	var list scanner.ErrorList
	if errors.As(err, &list) && len(list) > 0 {
		at.Line, at.Column = list[0].Pos.Line, list[0].Pos.Column
		err = errors.New(list[0].Msg)
	}
	return diag.Errorf(at, codeScaffold, "cannot parse this file: %v: correct it first", diag.Cause(err))
}

func (e *edit) parse() error {
	e.fset = token.NewFileSet()
	file, err := parser.ParseFile(e.fset, "", e.source, parser.ParseComments)
	e.file = file
	return err
}

func (e *edit) offset(pos token.Pos) int { return e.fset.Position(pos).Offset }

// insert puts text at an offset. The places in the syntax tree hold until then only:
// the file is parsed again.
func (e *edit) insert(offset int, text string) error {
	e.source = slices.Concat(e.source[:offset], []byte(text), e.source[offset:])
	return e.parse()
}

// lineStart and lineEnd return where the line with the offset begins and ends, its
// line break left out.
func (e *edit) lineStart(offset int) int { return bytes.LastIndexByte(e.source[:offset], '\n') + 1 }

func (e *edit) lineEnd(offset int) int {
	if n := bytes.IndexByte(e.source[offset:], '\n'); n >= 0 {
		return offset + n
	}
	return len(e.source)
}

// indent returns the white space that the line with the offset begins with.
func (e *edit) indent(offset int) string {
	line := e.source[e.lineStart(offset):offset]
	return string(line[:len(line)-len(bytes.TrimLeft(line, " \t"))])
}

// importPackage has the file import a package and returns the name for it, which is
// the given one unless the file imports it already, or the file or Go has another use for
// the name.
func (e *edit) importPackage(name, importPath, module string) (string, diag.List) {
	taken := map[string]bool{}
	for _, spec := range e.file.Imports {
		existing := importName(spec)
		if pathOf(spec) == importPath {
			return existing, nil
		}
		taken[existing] = true
	}
	for free, n := name, 2; ; n++ {
		if !taken[free] && e.file.Scope.Lookup(free) == nil && !token.IsKeyword(free) && types.Universe.Lookup(free) == nil {
			name = free
			break
		}
		free = name + strconv.Itoa(n)
	}
	text := name + " " + strconv.Quote(importPath)

	var group *ast.GenDecl
	for _, decl := range e.file.Decls {
		if d, ok := decl.(*ast.GenDecl); ok && d.Tok == token.IMPORT && d.Lparen.IsValid() && len(d.Specs) > 0 {
			group = d
		}
	}
	if group == nil {
		return "", diag.List{diag.Errorf(diag.Position{File: e.name, Line: 1}, codeScaffold,
			"there is no list of imports to add to: write import ( ... ), also for a single import")}
	}
	// The packages of the module are a block of their own, sorted by path.
	var before, first *ast.ImportSpec
	for _, spec := range group.Specs {
		s := spec.(*ast.ImportSpec)
		if p := pathOf(s); p != module && !strings.HasPrefix(p, module+"/") {
			continue
		}
		if first == nil {
			first = s
		}
		if pathOf(s) < importPath {
			before = s
		}
	}
	last := group.Specs[len(group.Specs)-1]
	var err error
	switch {
	case before != nil:
		end := e.offset(before.End())
		err = e.insert(e.lineEnd(end), "\n"+e.indent(e.offset(before.Pos()))+text)
	case first != nil:
		start := e.offset(first.Pos())
		err = e.insert(e.lineStart(start), e.indent(start)+text+"\n")
	default:
		err = e.insert(e.lineEnd(e.offset(last.End())), "\n\n"+e.indent(e.offset(last.Pos()))+text)
	}
	return name, e.damaged(err)
}

// damaged reports an edit that the file can't bear, such as one in a line that holds
// two things.
func (e *edit) damaged(err error) diag.List {
	if err == nil {
		return nil
	}
	return diag.List{diag.Errorf(diag.Position{File: e.name}, codeScaffold,
		"mrgen can't add to this file: %v: run gofmt on it, and put each element of a list on a line of its own", err)}
}

func importName(spec *ast.ImportSpec) string {
	if spec.Name != nil {
		return spec.Name.Name
	}
	p := pathOf(spec)
	return p[strings.LastIndex(p, "/")+1:]
}

func pathOf(spec *ast.ImportSpec) string {
	p, err := strconv.Unquote(spec.Path.Value)
	if err != nil {
		return "" // the parser has accepted it
	}
	return p
}

// appendTo adds an element to the list, in a composite literal or the arguments of a
// call, whose elements end with one of the given selectors, as .Setup. It does
// nothing if the list has the element. The what says what the list has.
func (e *edit) appendTo(what string, selectors []string, element string) diag.List {
	var last ast.Expr
	present := false
	ast.Inspect(e.file, func(n ast.Node) bool {
		var elements []ast.Expr
		switch n := n.(type) {
		case *ast.CompositeLit:
			elements = n.Elts
		case *ast.CallExpr:
			elements = n.Args
		}
		for _, x := range elements {
			if s, ok := x.(*ast.SelectorExpr); ok && slices.Contains(selectors, s.Sel.Name) {
				last = x
				present = present || e.text(x) == element
			}
		}
		return true
	})
	switch {
	case present:
		return nil
	case last == nil:
		return diag.List{diag.Errorf(diag.Position{File: e.name}, codeScaffold,
			"there is no list of %s in this file to add %s to: write one, as mrgen init does", what, element)}
	}
	start, end := e.offset(last.Pos()), e.offset(last.End())
	rest := bytes.TrimLeft(e.source[end:e.lineEnd(end)], " \t")
	if !bytes.HasPrefix(rest, []byte(",")) || bytes.ContainsAny(code(rest[1:]), ")}") {
		return e.damaged(e.insert(end, ", "+element))
	}
	return e.damaged(e.insert(e.lineEnd(end), "\n"+e.indent(start)+element+","))
}

func (e *edit) text(x ast.Expr) string {
	return string(e.source[e.offset(x.Pos()):e.offset(x.End())])
}

// mark adds a marker to the comment of a type, as its last line.
func (e *edit) mark(typeName, marker string) diag.List {
	declaration, spec := findType(e.file, typeName)
	at := spec.Pos()
	if !declaration.Lparen.IsValid() {
		at = declaration.Pos()
	}
	start := e.offset(at)
	return e.damaged(e.insert(e.lineStart(start), e.indent(start)+"// "+marker+"\n"))
}

// findType returns the declaration of a type in a file, or nil.
func findType(file *ast.File, name string) (*ast.GenDecl, *ast.TypeSpec) {
	for _, decl := range file.Decls {
		d, ok := decl.(*ast.GenDecl)
		if !ok || d.Tok != token.TYPE {
			continue
		}
		for _, spec := range d.Specs {
			if s := spec.(*ast.TypeSpec); s.Name.Name == name {
				return d, s
			}
		}
	}
	return nil, nil
}

// code returns what a line has before a comment that ends it.
func code(line []byte) []byte {
	before, _, _ := bytes.Cut(line, []byte("//"))
	return before
}
