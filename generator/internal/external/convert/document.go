package convert

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"regexp"
	"strconv"

	"go.yaml.in/yaml/v3"

	"github.com/mrgen-io/mrgen/generator/internal/diag"
)

// A document is one of the documents in a YAML stream.
type document struct {
	// file is the name of the file that the stream comes from.
	file string
	// number counts the documents of the file from 1.
	number int
	// line of the file on which text begins, from 1.
	line int
	// text is the document as it stands in the file, with the line --- before it.
	text []byte
	// before are the comments between the document and the one before, which are a part
	// of neither, and after those that end the file.
	before, after []byte
}

// split returns the documents of a file that hold anything but comments. It looks
// for the lines that begin a document, as https://yaml.org/spec/1.2.2/#912-document-markers
// defines them: nothing else in YAML may look like that. The YAML parser could tell
// documents apart, too, but not return their text.
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
		// A byte order mark may begin each document, as it does where files were joined.
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

// isStart reports whether a line begins a document.
func isStart(line []byte) bool {
	rest, found := bytes.CutPrefix(line, []byte(marker))
	return found && (len(rest) == 0 || bytes.IndexByte([]byte(" \t\r\n"), rest[0]) >= 0)
}

// isBlank reports whether text holds no more than comments and the line ---.
func isBlank(text []byte) bool {
	for line := range bytes.Lines(withoutMarker(text)) {
		if line = bytes.TrimSpace(line); len(line) > 0 && line[0] != '#' {
			return false
		}
	}
	return true
}

// withoutMarker returns text without the --- that it begins with, if it does.
func withoutMarker(text []byte) []byte {
	if isStart(text) {
		return text[len(marker):]
	}
	return text
}

// generatedLine matches the comment by which a generator marks a file as its own, see
// https://go.dev/s/generatedcode. It is about that file, and not about what is converted.
var generatedLine = regexp.MustCompile(`^# Code generated .* DO NOT EDIT\.$`)

// commentsOf returns the comments in text that holds no more.
func commentsOf(text []byte) []byte {
	var comments []byte
	for line := range bytes.Lines(withoutMarker(text)) {
		if line = bytes.TrimSpace(line); len(line) > 0 && !generatedLine.Match(line) {
			comments = append(append(comments, line...), '\n')
		}
	}
	return comments
}

// parse returns the node that the document consists of.
func (d document) parse() (*yaml.Node, diag.List) {
	decoder := yaml.NewDecoder(bytes.NewReader(d.text))
	var root, next yaml.Node
	if err := decoder.Decode(&root); err != nil {
		return nil, diag.List{d.yamlError(err)}
	}
	// The parser also knows other encodings and line breaks than split does.
	switch err := decoder.Decode(&next); {
	case err == nil:
		return nil, diag.List{d.errorf(&next, "another document begins here: write the file in UTF-8, with line feeds")}
	case !errors.Is(err, io.EOF):
		return nil, diag.List{d.yamlError(err)}
	}
	return root.Content[0], nil
}

// yamlErrorLine matches what the YAML parsers say of syntax errors.
var yamlErrorLine = regexp.MustCompile(`^(?:error converting YAML to JSON: )?yaml: (?:line ([0-9]+): )?`)

// sharesTooMuch matches what Kubernetes' YAML library says of aliases that it doesn't
// follow.
var sharesTooMuch = regexp.MustCompile(`value contains itself|excessive aliasing`)

// yamlError returns the diagnostic for an error of a YAML parser, which counts the
// lines of the document.
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

// position returns where a node is. The parser counts characters in a line, not
// bytes as positions do, so that only the line is sure.
func (d document) position(at *yaml.Node) diag.Position {
	return diag.Position{File: d.file, Line: d.line + at.Line - 1}
}
