package goedit

import (
	"bytes"
	"fmt"
	"go/ast"
	"go/format"
	"go/parser"
	"go/token"
	"path/filepath"
	"slices"
	"strings"

	"github.com/mrgen-io/mrgen/generator/diag"
)

// A File is a Go file to edit.
type File struct {
	// Syntax is the file's syntax before all edits.
	Syntax *ast.File

	// name is the slash-separated path relative to the module root, and folder the
	// folder on disk.
	name, folder string
	text         *Text
	tokens       *token.File
	// fields are the fields of structs, by the line and column of the names in them.
	fields map[position]*Field
	// imports are the names of packages that edits import, by path.
	imports map[string]string
}

type position struct{ line, column int }

// Parse returns the file with a slash-separated path in the module with that root. Errors are the parser's.
func Parse(root, name string, content []byte) (*File, error) {
	fset := token.NewFileSet()
	syntax, err := parser.ParseFile(fset, name, content, parser.ParseComments|parser.SkipObjectResolution)
	if err != nil {
		return nil, err
	}
	f := &File{
		Syntax:  syntax,
		name:    name,
		folder:  filepath.Join(root, filepath.Dir(filepath.FromSlash(name))),
		text:    NewText(content),
		tokens:  fset.File(syntax.FileStart),
		fields:  map[position]*Field{},
		imports: map[string]string{},
	}
	for node := range ast.Preorder(syntax) {
		if in, ok := node.(*ast.StructType); ok {
			f.addFields(in)
		}
	}
	return f, nil
}

// IsEdited reports whether there are edits.
func (f *File) IsEdited() bool { return len(f.text.edits) > 0 }

// Text returns the source of a node.
func (f *File) Text(node ast.Node) string {
	return string(f.text.content[f.offset(node.Pos()):f.offset(node.End())])
}

// offset returns the offset of a position in the content.
func (f *File) offset(pos token.Pos) int { return f.tokens.Offset(pos) }

// Position returns the position of a node.
func (f *File) Position(node ast.Node) diag.Position {
	at := f.tokens.PositionFor(node.Pos(), false)
	return diag.Position{File: f.name, Line: at.Line, Column: at.Column}
}

// Replace replaces a text at a place, and reports whether it was there.
func (f *File) Replace(line, column int, old, text string) bool {
	at, found := f.find(line, column, old)
	if found {
		f.text.replace(at, at+len(old), text)
	}
	return found
}

// ReplaceComment replaces the text of a comment on a line of its own, and reports whether it is at that place.
// Without a replacement, it removes the line, and an empty comment line beside it that separates nothing any
// more.
func (f *File) ReplaceComment(line, column int, old, text string) bool {
	at, found := f.find(line, column, old)
	if !found || strings.TrimSpace(f.text.before(at)) != "//" {
		return false
	}
	if text != "" {
		f.text.replace(at, at+len(old), text)
		return true
	}
	above, below := strings.TrimSpace(f.text.Line(line-1)), strings.TrimSpace(f.text.Line(line+1))
	const empty = "//"
	switch {
	// Another edit may need the line.
	case slices.ContainsFunc([]int{line - 1, line, line + 1}, f.text.isEdited):
	case above == empty && (!strings.HasPrefix(below, "//") || below == empty):
		f.text.RemoveLine(line - 1)
	case !strings.HasPrefix(above, "//") && below == empty:
		f.text.RemoveLine(line + 1)
	}
	f.text.RemoveLine(line)
	return true
}

// find returns the offset of a place, and whether the text is there.
func (f *File) find(line, column int, text string) (offset int, found bool) {
	start, end := f.text.line(line)
	at := start + column - 1
	return at, column > 0 && at <= end && bytes.HasPrefix(f.text.content[at:], []byte(text))
}

// InsertBeforeType adds a line of comment right above the declaration of a type. It returns false if isOne
// accepts no declaration.
func (f *File) InsertBeforeType(comment string, isOne func(*ast.TypeSpec) bool) bool {
	at, _ := f.declaration(isOne)
	if at.IsValid() {
		f.insertLine(at, f.text.indent(f.offset(at)), comment)
	}
	return at.IsValid()
}

// InsertMarkerBeforeType adds a marker to the declaration of a type, as [Field.InsertMarker] does. It returns
// false if isOne accepts no declaration.
func (f *File) InsertMarkerBeforeType(comment string, isOne func(*ast.TypeSpec) bool) bool {
	declared, doc := f.declaration(isOne)
	if declared.IsValid() && !f.insertMarker(doc, declared, comment) {
		f.insertLine(declared, f.text.indent(f.offset(declared)), comment)
	}
	return declared.IsValid()
}

// declaration returns where a type is declared, and its comment.
func (f *File) declaration(isOne func(*ast.TypeSpec) bool) (at token.Pos, doc *ast.CommentGroup) {
	for node := range ast.Preorder(f.Syntax) {
		declaration, ok := node.(*ast.GenDecl)
		if !ok {
			continue
		}
		for _, spec := range declaration.Specs {
			if spec, ok := spec.(*ast.TypeSpec); ok && isOne(spec) {
				// Without parentheses, the comment belongs to the whole declaration.
				if at, doc = spec.Pos(), spec.Doc; !declaration.Lparen.IsValid() {
					at, doc = declaration.Pos(), declaration.Doc
				}
			}
		}
	}
	return at, doc
}

// insertLine adds a line right above a position, with its indentation.
func (f *File) insertLine(pos token.Pos, indent, comment string) {
	at := f.offset(pos)
	eol := f.text.lineBreak(at)
	text := comment + eol + indent
	if strings.Trim(f.text.before(at), " \t") != "" {
		text = eol + indent + text
	}
	f.text.insert(at, text)
}

// InsertElement adds an element to a list after another one: on a line of its own if the other one has its
// line, and otherwise right behind it.
func (f *File) InsertElement(after ast.Expr, element string) {
	end := f.offset(after.End())
	rest, isList := bytes.CutPrefix(bytes.TrimLeft(f.text.content[end:], " \t"), []byte(","))
	at, isEnd := f.lineEnd(len(f.text.content) - len(rest))
	if isList && isEnd {
		f.text.insert(at, f.text.lineBreak(at)+f.text.indent(f.offset(after.Pos()))+element+",")
	} else {
		f.text.insert(end, ", "+element)
	}
}

// InsertStatement adds a statement after another one, with its indentation.
func (f *File) InsertStatement(after ast.Stmt, statement string) {
	f.addLines(after.End(), "\n"+f.text.indent(f.offset(after.Pos()))+strings.ReplaceAll(statement, "\r\n", "\n"))
}

// lineEnd returns the end of the line with the byte before the offset, including semicolons and comments. If
// something else follows, it returns the place before that, and false.
func (f *File) lineEnd(offset int) (at int, isEnd bool) {
	content := f.text.content
	for at = offset; at < len(content); {
		rest := content[at:]
		switch {
		case rest[0] == '\n', bytes.HasPrefix(rest, []byte("\r\n")):
			return at, true
		case bytes.HasPrefix(rest, []byte("//")):
			end := bytes.IndexByte(rest, '\n')
			if end < 0 {
				return len(content), true
			}
			return at + len(bytes.TrimRight(rest[:end], "\r")), true
		case bytes.HasPrefix(rest, []byte("/*")):
			at += bytes.Index(rest, []byte("*/")) + len("*/")
		case bytes.IndexByte([]byte(" \t\r;"), rest[0]) >= 0:
			at++
		default:
			return at, false
		}
	}
	return at, true
}

// Edited returns the content with the edits. Files that were formatted with gofmt, line breaks and byte order
// mark aside, are formatted again. An error means that the edits don't fit the form of the file.
func (f *File) Edited() ([]byte, error) {
	content, err := f.text.Bytes()
	if err != nil {
		return nil, fmt.Errorf("%s: %w", f.name, err)
	}
	if _, err := parser.ParseFile(token.NewFileSet(), f.name, content, parser.SkipObjectResolution); err != nil {
		return nil, fmt.Errorf("the edited file does not parse: %w", err)
	}
	before, isUniform := plain(f.text.content)
	if !isUniform {
		return content, nil
	}
	// Formatting would change lines of the author that no edit touches.
	if formatted, err := format.Source(before); err != nil || !bytes.Equal(formatted, before) {
		return content, nil
	}
	after, _ := plain(content)
	if after, err = format.Source(after); err != nil {
		return nil, fmt.Errorf("%s: %w", f.name, err)
	}
	if bytes.Contains(f.text.content, []byte("\r\n")) {
		after = bytes.ReplaceAll(after, []byte("\n"), []byte("\r\n"))
	}
	if bytes.HasPrefix(f.text.content, byteOrderMark) {
		after = slices.Concat(byteOrderMark, after)
	}
	return after, nil
}

var byteOrderMark = []byte("\ufeff")

// plain returns a text with Unix line breaks and without a byte order mark, and whether all its line breaks
// were the same.
func plain(text []byte) ([]byte, bool) {
	text = bytes.TrimPrefix(text, byteOrderMark)
	unix := bytes.ReplaceAll(text, []byte("\r\n"), []byte("\n"))
	removed := len(text) - len(unix)
	return unix, !bytes.ContainsRune(unix, '\r') && (removed == 0 || removed == bytes.Count(text, []byte("\n")))
}
