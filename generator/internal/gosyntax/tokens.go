package gosyntax

import (
	"cmp"
	"go/scanner"
	"go/token"
	"iter"
)

// A Token is a token of Go source, or a comment.
type Token struct {
	Offset int
	Kind   token.Token
	// Text is as in the source. For the semicolon at the end of a line, it is the line break.
	Text string
}

// Tokens iterates over the tokens of Go source, which may have errors, and over comments if the mode says so.
func Tokens(source []byte, mode scanner.Mode) iter.Seq[Token] {
	return func(yield func(Token) bool) {
		var s scanner.Scanner
		file := token.NewFileSet().AddFile("", -1, len(source))
		s.Init(file, source, nil, mode)
		for {
			pos, kind, text := s.Scan()
			if kind == token.EOF || !yield(Token{file.Offset(pos), kind, cmp.Or(text, kind.String())}) {
				return
			}
		}
	}
}
