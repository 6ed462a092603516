package apitypes

import (
	_ "embed"
	"fmt"
	"go/parser"
	"go/token"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/mrgen-io/mrgen/generator/diag"
	"github.com/mrgen-io/mrgen/generator/internal/source/load"
	"github.com/mrgen-io/mrgen/generator/internal/source/modules"
	"github.com/mrgen-io/mrgen/testdata/expect"
	"github.com/mrgen-io/mrgen/testdata/testmodule"
)

// misspeltSource has comments that were meant to be markers. The line after each that is
// reported says what it is.
//
//go:embed testdata/misspelt.go.txt
var misspeltSource string

// TestAMisspeltMarkerIsAnError checks what is reported of comments that were meant to be
// markers, and where.
func TestAMisspeltMarkerIsAnError(t *testing.T) {
	load := func(misspelt bool) (got, want string) {
		root := t.TempDir()
		testmodule.Write(t, filepath.Join(root, "go.mod"), testmodule.GoMod(t))
		testmodule.Write(t, filepath.Join(root, "apis/v1/types.go"), []byte(misspeltSource))
		source, diags := selected(modules.Options{Root: root, Patterns: []string{"./..."}}, Options{MisspeltMarkers: misspelt})
		expect.Must(t, source != nil && diags.HasErrors() != misspelt, "%v", diags)
		for _, d := range diags.Sorted() {
			isMisspelt := d.Severity == diag.Error
			if misspelt {
				isMisspelt = d.Code == CodeMisspelt
				d.Severity = diag.Error
			}
			if !isMisspelt {
				d.Severity = diag.Warning
			}
			got += strings.TrimPrefix(d.String(), "apis/v1/types.go:") + "\n"
		}
		for line := range strings.Lines(misspeltSource) {
			if _, reported, found := strings.Cut(line, "//! "); found {
				want += reported
			}
		}
		return got, want
	}
	for _, misspelt := range []bool{false, true} {
		if got, want := load(misspelt); got != want {
			t.Errorf("warnings %t: -want +got:\n%s", misspelt, cmp.Diff(want, got))
		}
	}
}

// newSource returns a source without packages.
func newSource() *Source {
	sc := &modules.Scope{}
	files := load.Files{Scope: sc, Fset: token.NewFileSet()}
	return &Source{Program: &load.Program{Files: files}, sources: &Sources{}, files: files}
}

// FuzzMarkersInComments checks that no comment makes the check fail, and that what is
// reported lies within a comment.
func FuzzMarkersInComments(f *testing.F) {
	for line := range strings.Lines(misspeltSource) {
		if text := strings.TrimSpace(line); strings.HasPrefix(text, "//") {
			f.Add(text)
		}
	}
	for _, text := range []string{"/* +optional */", "/*\n * +optional\n+imutable*/", "//", "// +", "//+\x00", "// \xff+optional", "//\u00a0+optional", "//\u00a0kubebuilder:default=1", "/**/"} {
		f.Add(text)
	}
	f.Fuzz(func(t *testing.T, comment string) {
		source := fmt.Sprintf("%s\npackage p\n\n%s\n\n%s\ntype T struct { %s\n%s\n\n%s\nA int %s\n}\n", comment, comment, comment, comment, comment, comment, comment)
		s := newSource()
		file, err := parser.ParseFile(s.files.Fset, "p.go", source, parser.ParseComments|parser.SkipObjectResolution)
		if err != nil {
			return
		}
		v := s.visit(file)
		diags, corrections := v.diags, v.corrections
		lines := strings.SplitAfter(source, "\n")
		offset := func(at diag.Position) int {
			expect.Must(t, at.Line >= 1 && at.Line <= len(lines) && at.Column >= 1, "no place: %s", at)
			return len(strings.Join(lines[:at.Line-1], "")) + at.Column - 1
		}
		if strings.Contains(source, "//line ") || strings.Contains(source, "/*line ") {
			return // which moves positions
		}
		within := func(at diag.Position) bool {
			for _, group := range file.Comments {
				for _, c := range group.List {
					if start := int(c.Pos() - file.FileStart); start <= offset(at) && offset(at) <= start+len(c.Text) {
						return true
					}
				}
			}
			return false
		}
		for _, d := range diags {
			expect.True(t, within(d.Pos), "%s lies in no comment of\n%s", d, source)
		}
		for _, c := range corrections {
			expect.True(t, within(c.Pos) && strings.HasPrefix(source[offset(c.Pos):], c.Old), "%q is not at %s of\n%s", c.Old, c.Pos, source)
		}
	})
}
