package engine

import (
	"go/scanner"
	"go/token"
	"os"
	"path/filepath"
	"strings"

	"github.com/mrgen-io/mrgen/generator/internal/artifact"
	"github.com/mrgen-io/mrgen/generator/internal/diag"
)

// readHeader returns the text for the top of Go files. It must consist of comments without
// directives for the compiler and the go command.
func readHeader(root string, options Options) (string, diag.List) {
	name := options.HeaderFile
	content, err := os.ReadFile(HeaderFile(root, options))
	if err != nil {
		return "", diag.List{diag.Errorf(diag.Position{File: name}, CodeOption, "cannot read the header file: %v", diag.Cause(err))}
	}
	content = artifact.UnixLineBreaks(content)
	return string(content), checkHeader(filepath.ToSlash(name), content)
}

// HeaderFile returns the path of the header file.
func HeaderFile(root string, options Options) string {
	if filepath.IsAbs(options.HeaderFile) {
		return options.HeaderFile
	}
	return filepath.Join(root, filepath.FromSlash(options.HeaderFile))
}

// checkHeader reports the first text in a header that isn't a comment, and all directives.
func checkHeader(name string, content []byte) diag.List {
	tokens := token.NewFileSet().AddFile(name, -1, len(content))
	at := func(pos token.Pos) diag.Position {
		p := tokens.PositionFor(pos, false)
		return diag.Position{File: name, Line: p.Line, Column: p.Column}
	}
	var diags diag.List
	var s scanner.Scanner
	s.Init(tokens, content, func(p token.Position, message string) {
		diags = append(diags, diag.Errorf(diag.Position{File: name, Line: p.Line, Column: p.Column}, CodeOption,
			"the header is no Go comment, %s: begin each line with //, or put all of it between /* and */", message))
	}, scanner.ScanComments)
	for {
		pos, tok, text := s.Scan()
		switch {
		case tok == token.EOF, s.ErrorCount > 0:
			return diags
		case tok == token.COMMENT:
			if directive := directiveIn(text); directive != "" {
				diags = append(diags, diag.Errorf(at(pos), CodeOption,
					"%s in the header would have an effect on every generated file: leave it out", directive))
			}
		case tok == token.SEMICOLON && text == "\n":
		default:
			return append(diags, diag.Errorf(at(pos), CodeOption,
				"the header is no Go comment: begin each line with //, or put all of it between /* and */"))
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
		return "// +build"
	default:
		return ""
	}
}
