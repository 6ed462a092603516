package convert

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"regexp"
	"strconv"

	"go.yaml.in/yaml/v3"

	"github.com/mrgen-io/mrgen/generator/diag"
)

// A document is one of the documents in a YAML stream.
type document struct {
	// file is the name of the file that the stream comes from.
	file string
	// number counts the documents of the file from 1.
	number int
	// line is the line on which text begins, from 1.
	line int
	// text is the document as in the file, with the line --- before it.
	text []byte
	// before and after are comments that belong to no document: those between this document and
	// the one before, and those at the end of the file.
	before, after []byte
}

// split returns the documents of a file, except for those that have only comments. It looks for
// document markers (https://yaml.org/spec/1.2.2/#912-document-markers), which no other line may look
// like, because the YAML parser doesn't return the text of documents.
func split(f File) []document {
	var documents []document
	var text, comments []byte
	start, line := 1, 1
	flush := func() {
		if isBlank(text) {
			comments = append(comments, commentsOf(text)...)
		} else {
			documents = append(documents, document{file: f.Name, number: len(documents) + 1, line: start, text: text, before: comments})
			comments = nil
		}
		text, start = nil, line
	}
	for l := range bytes.Lines(f.Content) {
		// Each document may begin with a byte order mark, for example after joining files.
		if after, found := bytes.CutPrefix(l, byteOrderMark); found && (line == 1 || isStart(after)) {
			l = after
		}
		if isStart(l) {
			flush()
		}
		text = append(text, l...)
		line++
	}
	flush()
	if len(documents) > 0 {
		documents[len(documents)-1].after = comments
	}
	return documents
}

var byteOrderMark = []byte("\ufeff")

const marker = "---"

// isStart reports whether a line is a document marker.
func isStart(line []byte) bool {
	rest, found := bytes.CutPrefix(line, []byte(marker))
	return found && (len(rest) == 0 || bytes.IndexByte([]byte(" \t\r\n"), rest[0]) >= 0)
}

// isBlank reports whether a text has only comments, after the line --- if there is one.
func isBlank(text []byte) bool {
	for line := range bytes.Lines(withoutMarker(text)) {
		if line = bytes.TrimSpace(line); len(line) > 0 && line[0] != '#' {
			return false
		}
	}
	return true
}

func withoutMarker(text []byte) []byte {
	if isStart(text) {
		return text[len(marker):]
	}
	return text
}

// generatedLine matches the comment of generated files, see https://go.dev/s/generatedcode. It would
// be wrong in the output, which the user may edit.
var generatedLine = regexp.MustCompile(`^# Code generated .* DO NOT EDIT\.$`)

// commentsOf returns the comments in a text for which isBlank holds.
func commentsOf(text []byte) []byte {
	var comments []byte
	for line := range bytes.Lines(withoutMarker(text)) {
		if line = bytes.TrimSpace(line); len(line) > 0 && !generatedLine.Match(line) {
			comments = append(append(comments, line...), '\n')
		}
	}
	return comments
}

// parse returns the root node of the document.
func (d document) parse() (*yaml.Node, diag.List) {
	decoder := yaml.NewDecoder(bytes.NewReader(d.text))
	var root, next yaml.Node
	if err := decoder.Decode(&root); err != nil {
		return nil, diag.List{d.yamlError(err)}
	}
	// The parser accepts encodings and line breaks that split doesn't know.
	switch err := decoder.Decode(&next); {
	case err == nil:
		return nil, diag.List{d.errorf(&next, "another document begins here: write the file in UTF-8, with line feeds")}
	case !errors.Is(err, io.EOF):
		return nil, diag.List{d.yamlError(err)}
	}
	return root.Content[0], nil
}

// yamlErrorLine matches the beginning of the YAML parsers' syntax errors.
var yamlErrorLine = regexp.MustCompile(`^(?:error converting YAML to JSON: )?yaml: (?:line ([0-9]+): )?`)

// sharesTooMuch matches the errors of Kubernetes' YAML library about aliases that it doesn't follow.
var sharesTooMuch = regexp.MustCompile(`value contains itself|excessive aliasing`)

// yamlError returns the diagnostic for an error of a YAML parser. Its lines count from the beginning
// of the document.
func (d document) yamlError(err error) diag.Diagnostic {
	message, at := err.Error(), &yaml.Node{Line: 1}
	if match := yamlErrorLine.FindStringSubmatch(message); match != nil {
		message = message[len(match[0]):]
		if line, err := strconv.Atoi(match[1]); err == nil {
			at.Line = line
		}
	}
	return d.errorf(at, "this can't be read as YAML: %s: correct it, or see if the file is cut off", message)
}

// errorf returns an error diagnostic about a node of the document.
func (d document) errorf(at *yaml.Node, format string, args ...any) diag.Diagnostic {
	return diag.Errorf(d.position(at), codeConvert, "document %d: %s", d.number, fmt.Sprintf(format, args...))
}

// position returns the line of a node. The parser's columns count characters, and those of positions
// count bytes.
func (d document) position(at *yaml.Node) diag.Position {
	return diag.Position{File: d.file, Line: d.line + at.Line - 1}
}
