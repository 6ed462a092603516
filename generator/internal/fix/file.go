package fix

import (
	"bytes"
	"fmt"
	"go/ast"
	"go/format"
	"go/parser"
	"go/token"
	"os"
	"path/filepath"
	"strings"

	"github.com/mrgen-io/mrgen/generator/internal/diag"
	"github.com/mrgen-io/mrgen/generator/internal/load"
)

// A file is a Go file that is to be edited.
type file struct {
	// name is the slash-separated path relative to the module root, and folder the
	// folder on disk.
	name, folder string
	content      []byte
	tokens       *token.File
	syntax       *ast.File
	// fields are the fields of structs, by the line and column of their names.
	fields map[place]*field
	// types are where declarations of structs begin.
	types map[*ast.StructType]token.Pos
	// imports are the names of packages that edits import, by path.
	imports map[string]string
	edits   []edit
}

type place struct{ line, column int }

// A field is a field of a struct in a file.
type field struct {
	file   *file
	syntax *ast.Field
	in     *ast.StructType
	// next is the field that follows in the struct, or nil.
	next *field
}

// openFile reads a file of the module with that root.
func openFile(root, name string) (*file, error) {
	location := filepath.Join(root, filepath.FromSlash(name))
	content, err := os.ReadFile(location)
	if err != nil {
		return nil, diag.Cause(err)
	}
	fset := token.NewFileSet()
	syntax, err := parser.ParseFile(fset, name, content, parser.ParseComments|parser.SkipObjectResolution)
	if err != nil {
		return nil, err
	}
	f := &file{
		name:    name,
		folder:  filepath.Dir(location),
		content: content,
		tokens:  fset.File(syntax.FileStart),
		syntax:  syntax,
		fields:  map[place]*field{},
		types:   map[*ast.StructType]token.Pos{},
		imports: map[string]string{},
	}
	ast.Inspect(syntax, func(node ast.Node) bool {
		switch node := node.(type) {
		case *ast.GenDecl:
			f.addTypes(node)
		case *ast.StructType:
			f.addFields(node)
		}
		return true
	})
	return f, nil
}

// addTypes adds the structs that a declaration declares.
func (f *file) addTypes(declaration *ast.GenDecl) {
	for _, spec := range declaration.Specs {
		if spec, ok := spec.(*ast.TypeSpec); ok {
			if structType, ok := spec.Type.(*ast.StructType); ok {
				f.types[structType] = spec.Pos()
				if !declaration.Lparen.IsValid() {
					f.types[structType] = declaration.Pos()
				}
			}
		}
	}
}

func (f *file) addFields(in *ast.StructType) {
	var next *field
	for i := len(in.Fields.List) - 1; i >= 0; i-- {
		declared := &field{file: f, syntax: in.Fields.List[i], in: in, next: next}
		for _, name := range load.FieldNames(declared.syntax) {
			at := f.tokens.Position(name.Pos())
			f.fields[place{at.Line, at.Column}] = declared
		}
		next = declared
	}
}

// offset returns the offset of a position in the content.
func (f *file) offset(pos token.Pos) int { return f.tokens.Offset(pos) }

func (f *file) insert(at int, text string) {
	f.edits = append(f.edits, edit{start: at, end: at, text: text})
}

// has reports whether the field has the name, and no other one.
func (d *field) has(name string) bool {
	if d == nil {
		return false
	}
	names := load.FieldNames(d.syntax)
	return len(names) == 1 && names[0].Name == name
}

// addOption adds an option to the json tag of a field, such as omitempty.
func (d *field) addOption(option string) {
	if tag := d.syntax.Tag; tag != nil {
		if e, ok := addOption(d.file.content, d.file.offset(tag.Pos()), d.file.offset(tag.End()), option); ok {
			d.file.edits = append(d.file.edits, e)
		}
	}
}

// insertBefore adds a line of comment right above a field.
func (d *field) insertBefore(comment string) {
	d.file.insertLine(d.syntax.Pos(), d.file.indent(d), comment)
}

// insertBeforeType adds a line of comment right above the declaration of a struct. It
// returns false if the struct has no name.
func (f *file) insertBeforeType(structType *ast.StructType, comment string) bool {
	pos, declared := f.types[structType]
	if declared {
		line := f.content[:f.offset(pos)]
		line = line[bytes.LastIndexByte(line, '\n')+1:]
		f.insertLine(pos, string(line[:len(line)-len(bytes.TrimLeft(line, " \t"))]), comment)
	}
	return declared
}

// insertLine adds a line right above what begins at a position, with its indentation.
func (f *file) insertLine(pos token.Pos, indent, comment string) {
	at := f.offset(pos)
	eol := f.lineBreak(at)
	text := comment + eol + indent
	if line := f.content[:at]; len(bytes.Trim(line[bytes.LastIndexByte(line, '\n')+1:], " \t")) > 0 {
		text = eol + indent + text
	}
	f.insert(at, text)
}

// insertAfter adds fields after one, each as lines without indentation, with blank
// lines around them.
func (d *field) insertAfter(fields [][]string) {
	f := d.file
	at, isEnd := f.lineEnd(f.offset(d.syntax.End()))
	eol, indent := f.lineBreak(at), f.indent(d)
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
	f.insert(at, b.String())
}

// lineEnd returns where the line ends that has the last byte before the offset, and
// what follows it there: semicolons and comments. If something else follows, it
// returns the place before that, and false.
func (f *file) lineEnd(offset int) (at int, isEnd bool) {
	for at = offset; at < len(f.content); {
		rest := f.content[at:]
		switch {
		case rest[0] == '\n', bytes.HasPrefix(rest, []byte("\r\n")):
			return at, true
		case bytes.HasPrefix(rest, []byte("//")):
			end := bytes.IndexByte(rest, '\n')
			if end < 0 {
				return len(f.content), true
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

// lineBreak returns the characters that end the line at an offset.
func (f *file) lineBreak(offset int) string {
	end := offset + bytes.IndexByte(f.content[offset:], '\n')
	if end < offset {
		end = bytes.IndexByte(f.content, '\n')
	}
	if end > 0 && f.content[end-1] == '\r' {
		return "\r\n"
	}
	return "\n"
}

// indent returns the indentation for fields beside one.
func (f *file) indent(d *field) string {
	line := f.content[:f.offset(d.syntax.Pos())]
	line = line[bytes.LastIndexByte(line, '\n')+1:]
	indent := line[:len(line)-len(bytes.TrimLeft(line, " \t"))]
	if f.offset(d.in.Fields.Opening) >= f.offset(d.syntax.Pos())-len(line) {
		return string(indent) + "\t"
	}
	return string(indent)
}

// isFollowed reports whether the line after the one that ends at the offset holds
// more of the struct.
func (f *file) isFollowed(offset int) bool {
	_, rest, _ := bytes.Cut(f.content[offset:], []byte("\n"))
	line, _, _ := bytes.Cut(rest, []byte("\n"))
	line = bytes.TrimSpace(line)
	return len(line) > 0 && line[0] != '}'
}

// edited returns the content with the edits. What gofmt has formatted is formatted
// again: since nothing else was to change before, nothing but the edits and what is
// aligned with them changes now. Other files keep their form. Content that does not
// parse is a mistake of ours.
func (f *file) edited() ([]byte, error) {
	content, err := apply(f.content, f.edits)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", f.name, err)
	}
	if _, err := parser.ParseFile(token.NewFileSet(), f.name, content, parser.SkipObjectResolution); err != nil {
		return nil, fmt.Errorf("the edited file does not parse: %w", err)
	}
	before, isUniform := withoutReturns(f.content)
	if !isUniform {
		return content, nil
	}
	if formatted, err := format.Source(before); err != nil || !bytes.Equal(formatted, before) {
		return content, nil
	}
	after, _ := withoutReturns(content)
	if after, err = format.Source(after); err != nil {
		return nil, fmt.Errorf("%s: %w", f.name, err)
	}
	if len(before) < len(f.content) {
		after = bytes.ReplaceAll(after, []byte("\n"), []byte("\r\n"))
	}
	return after, nil
}

// withoutReturns returns a text with the line breaks of Unix, and whether all its
// line breaks are the same.
func withoutReturns(text []byte) ([]byte, bool) {
	unix := bytes.ReplaceAll(text, []byte("\r\n"), []byte("\n"))
	removed := len(text) - len(unix)
	return unix, !bytes.ContainsRune(unix, '\r') && (removed == 0 || removed == bytes.Count(text, []byte("\n")))
}
