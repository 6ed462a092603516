package othertools

import (
	"go/scanner"
	"go/token"
	"path"
	"strings"

	"github.com/mrgen-io/mrgen/generator/internal/artifact"
	"github.com/mrgen-io/mrgen/generator/internal/gosyntax"
)

// LosesHeader reports whether a Go file of an earlier tool had a licence header, and has none any more.
func LosesHeader(name string, before, after []byte) bool {
	isEarlier := path.Ext(name) == ".go" && artifact.IsReplaced(name, before)
	return isEarlier && header(before) && !header(after)
}

// header reports whether a Go file has a comment before the package clause that no tool wrote.
func header(content []byte) bool {
	for t := range gosyntax.Tokens(content, scanner.ScanComments) {
		switch {
		case t.Kind != token.COMMENT:
			return false
		case !artifact.IsGenerated([]byte(t.Text)) && !strings.HasPrefix(t.Text, "//go:build") && !strings.HasPrefix(t.Text, "// +build"):
			return true
		}
	}
	return false
}
