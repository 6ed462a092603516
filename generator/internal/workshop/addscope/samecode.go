package addscope

import (
	"go/token"
	"strings"

	"github.com/mrgen-io/mrgen/generator/internal/gosyntax"
)

// SameCode reports whether two files differ in nothing but comments and formatting.
func SameCode(a, b []byte) bool { return tokens(a) == tokens(b) }

// tokens returns the tokens of a text without comments.
func tokens(content []byte) string {
	var b strings.Builder
	for t := range gosyntax.Tokens(content, 0) {
		if t.Kind == token.SEMICOLON {
			t.Text = ";" // a line break, or not
		}
		b.WriteString(t.Text + " ")
	}
	return b.String()
}
