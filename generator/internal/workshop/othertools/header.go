package othertools

import (
	"errors"
	"go/scanner"
	"go/token"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"strings"

	"github.com/mrgen-io/mrgen/generator/diag"
	"github.com/mrgen-io/mrgen/generator/internal/artifact"
	"github.com/mrgen-io/mrgen/generator/internal/gosyntax"
)

// missingHeaders reports directives with a header file that doesn't exist.
func missingHeaders(root string, directives []directive) diag.List {
	var diags diag.List
	for _, d := range directives {
		if d.err != nil || d.header == "" {
			continue
		}
		if _, err := os.Stat(filepath.Join(root, filepath.FromSlash(d.header))); errors.Is(err, fs.ErrNotExist) {
			diags = append(diags, diag.Errorf(d.position(), Code,
				"this directive names the header file %s, which doesn't exist: write that file, correct its path, or remove the option", d.header))
		}
	}
	return diags
}

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
