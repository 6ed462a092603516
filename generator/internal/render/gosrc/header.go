package gosrc

import (
	"go/scanner"
	"go/token"
	"strings"

	"github.com/mrgen-io/mrgen/generator/diag"
)

// codeOption is the code of diagnostics about options, including the header.
const codeOption diag.Code = "option"

// CheckHeader reports the first text in a header that isn't a comment, and all directives for the compiler and the go
// command. The name is the header file's, for positions.
func CheckHeader(name string, content []byte) diag.List {
	tokens := token.NewFileSet().AddFile(name, -1, len(content))
	at := func(pos token.Pos) diag.Position {
		p := tokens.PositionFor(pos, false)
		return diag.Position{File: name, Line: p.Line, Column: p.Column}
	}
	var diags diag.List
	var s scanner.Scanner
	s.Init(tokens, content, func(p token.Position, message string) {
		diags = append(diags, diag.Errorf(diag.Position{File: name, Line: p.Line, Column: p.Column}, codeOption,
			"the header is not a Go comment, %s: begin each line with //, or put all of it between /* and */", message))
	}, scanner.ScanComments)
	for {
		pos, tok, text := s.Scan()
		switch {
		case tok == token.EOF, s.ErrorCount > 0: // after an error, the scanner's other errors follow from it
			return diags
		case tok == token.COMMENT:
			if directive := directiveIn(text); directive != "" {
				diags = append(diags, diag.Errorf(at(pos), codeOption,
					"%s in the header would have an effect on every generated file: leave it out", directive))
			}
		case tok == token.SEMICOLON && text == "\n": // the scanner inserts it at the end of a line
		default:
			return append(diags, diag.Errorf(at(pos), codeOption,
				"the header is not a Go comment: begin each line with //, or put all of it between /* and */"))
		}
	}
}

// directiveIn returns the directive in a comment, or "".
func directiveIn(comment string) string {
	word, _, _ := strings.Cut(strings.TrimSpace(comment), " ")
	switch {
	case strings.HasPrefix(comment, "//go:"), word == "//line", word == "/*line", word == "//export":
		return word
	case strings.HasPrefix(comment, "//") && strings.HasPrefix(strings.TrimSpace(comment[2:]), "+build"):
		// build constraints of Go before 1.17
		return "// +build"
	default:
		return ""
	}
}
