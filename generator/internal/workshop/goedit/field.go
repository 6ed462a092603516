package goedit

import (
	"bytes"
	"go/ast"
	"go/token"
	"slices"
	"strings"

	"github.com/mrgen-io/mrgen/generator/internal/gosyntax"
)

// A Field is a field of a struct in a file.
type Field struct {
	// Struct declares the field, and Next is the following field there, or nil.
	Struct *ast.StructType
	Next   *Field

	file   *File
	syntax *ast.Field
}

func (f *File) addFields(in *ast.StructType) {
	var next *Field
	for _, syntax := range slices.Backward(in.Fields.List) {
		next = &Field{Struct: in, Next: next, file: f, syntax: syntax}
		for _, name := range gosyntax.FieldNames(syntax) {
			at := f.tokens.Position(name.Pos())
			f.fields[position{at.Line, at.Column}] = next
		}
	}
}

// Field returns the field with a name at a place, or nil.
func (f *File) Field(line, column int) *Field { return f.fields[position{line, column}] }

// Has reports whether the field has the name and no other: a, b int declares two.
func (d *Field) Has(name string) bool {
	isName := func(n *ast.Ident) bool { return n.Name == name }
	return d != nil && len(d.syntax.Names) <= 1 && slices.ContainsFunc(gosyntax.FieldNames(d.syntax), isName)
}

// File returns the file that declares the field.
func (d *Field) File() *File { return d.file }

// MakePointer changes the field's type from T to *T.
func (d *Field) MakePointer() { d.file.text.insert(d.file.offset(d.syntax.Type.Pos()), "*") }

// InsertBefore adds a line of comment right above the field.
func (d *Field) InsertBefore(comment string) {
	d.file.insertLine(d.syntax.Pos(), d.indent(), comment)
}

// InsertMarker adds a line with a marker to the markers right above the field, sorted by name, so that the
// order of edits doesn't matter.
func (d *Field) InsertMarker(comment string) {
	if !d.file.insertMarker(d.syntax.Doc, d.syntax.Pos(), comment) {
		d.InsertBefore(comment)
	}
}

// insertMarker adds a marker above the first one right above a declaration that sorts after it, and reports
// whether there is such a marker.
func (f *File) insertMarker(doc *ast.CommentGroup, declared token.Pos, marker string) bool {
	if doc == nil {
		return false
	}
	at, line := token.NoPos, f.tokens.Line(declared)
	for _, c := range slices.Backward(doc.List) {
		line--
		// Markers further up belong to another paragraph of the comment.
		if f.tokens.Line(c.Pos()) != line || !strings.HasPrefix(c.Text, "// +") || strings.TrimSpace(f.text.before(f.offset(c.Pos()))) != "" {
			break
		}
		if MarkerName(c.Text) > MarkerName(marker) {
			at = c.Pos()
		}
	}
	if at.IsValid() {
		indent := f.text.before(f.offset(at))
		f.text.insert(f.offset(at)-len(indent), indent+marker+f.text.lineBreak(f.offset(at)))
	}
	return at.IsValid()
}

// MarkerName returns the comment of a marker up to its first value.
func MarkerName(comment string) string {
	name, _, _ := strings.Cut(comment, "=")
	return name
}

// InsertAfter adds fields after this one, each as lines without indentation, separated by blank lines.
func (d *Field) InsertAfter(fields [][]string) {
	f := d.file
	at, isEnd := f.lineEnd(f.offset(d.syntax.End()))
	eol, indent := f.text.lineBreak(at), d.indent()
	var b strings.Builder
	for _, lines := range fields {
		b.WriteString(eol)
		for _, line := range lines {
			b.WriteString(eol + indent + line)
		}
	}
	switch {
	case !isEnd:
		b.WriteString(eol + indent)
	case f.isFollowed(at):
		b.WriteString(eol)
	}
	f.text.insert(at, b.String())
}

// indent returns the indentation for fields beside this one.
func (d *Field) indent() string {
	start := d.file.offset(d.syntax.Pos())
	indent := d.file.text.indent(start)
	// The struct is on one line: its fields move to lines of their own.
	if d.file.offset(d.Struct.Fields.Opening) >= start-len(d.file.text.before(start)) {
		return indent + "\t"
	}
	return indent
}

// isFollowed reports whether the line after the one that ends at the offset has more of the struct.
func (f *File) isFollowed(offset int) bool {
	_, rest, _ := bytes.Cut(f.text.content[offset:], []byte("\n"))
	line, _, _ := bytes.Cut(rest, []byte("\n"))
	line = bytes.TrimSpace(line)
	return len(line) > 0 && line[0] != '}'
}
