package apitypes

import (
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
const misspeltSource = `// +kubebuilder:object:generate=true
// +groupname=example.org
//! 2:4: unknown marker +groupname: did you mean +groupName?
// +groupName=example.org
package v1

import (
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
)

// +kubebuilder:object:root=true

// +kubebuilder:subresource:staus
//! 11:4: warning: the marker +kubebuilder:object:root has no effect on the package clause: move it to a type
//! 13:4: unknown marker +kubebuilder:subresource:staus: did you mean +kubebuilder:subresource:status?
// +groupName=example.org

// A Thing is a kind.
// +kubebuilder:object:root=true
// +kubebuilder:resource,categories=managed
//! 20:4: unknown marker +kubebuilder:resource,categories: did you mean +kubebuilder:resource:categories?
// +optional
//! 22:4: warning: the marker +optional has no effect on a type: move it to a field
// +groupName=example.org
//! 24:4: warning: the marker +groupName has no effect on a type: move it to the package clause
type Thing struct {
	metav1.TypeMeta   ` + "`json:\",inline\"`" + `
	metav1.ObjectMeta ` + "`json:\"metadata,omitempty\"`" + `

	// +imutable
	//! 30:5: unknown marker +imutable: did you mean +immutable?
	A string ` + "`json:\"a,omitempty\"`" + `

	// +kubebuilder:validation:Minimun=1
	//! 34:5: unknown marker +kubebuilder:validation:Minimun: did you mean +kubebuilder:validation:Minimum?
	// + 1
	// +1
	// +----
	// + item
	// + another item
	B int ` + "`json:\"b,omitempty\"`" + `

	// +kubebuilder:Enum=a
	//! 43:5: unknown marker +kubebuilder:Enum: did you mean +kubebuilder:validation:Enum?
	// kubebuilder:validation:MaxLength=10
	//! 45:5: kubebuilder:validation:MaxLength is not a marker without a plus sign: write +kubebuilder:validation:MaxLength
	//kubebuilder:validation:MinLength=10
	//! 47:4: kubebuilder:validation:MinLength is not a marker without a plus sign: write +kubebuilder:validation:MinLength
	// kubebuilder:validation:MinLength is what it lacks.
	C string ` + "`json:\"c,omitempty\"`" + `

	// + optional
	//! 52:5: + optional is not a marker, since a space follows the plus sign: write +optional
	//	+optinal
	//! 54:5: unknown marker +optinal: did you mean +optional?
	//+optional.
	//! 56:4: unknown marker +optional.: did you mean +optional?
	//     +optional
	//+nullable
	D string ` + "`json:\"d,omitempty\"`" + `

	// +kubebuilder:object:root=true
	//! 62:5: warning: the marker +kubebuilder:object:root has no effect on a field: move it to a type
	// +kubebuilder:validation:Required here
	//! 64:38: unexpected "here" after +kubebuilder:validation:Required: a marker stands alone on its line
	// +kubebuilder:default:x
	//! 66:25: unknown marker +kubebuilder:default:x: did you mean +kubebuilder:default=x?
	E string ` + "`json:\"e,omitempty\"`" + ` // +optional
	//! 68:35: warning: the marker +optional has no effect at the end of a line: put it in the comment above

	// +kubebuilder:validation:MinLength=1

	// Another comment.
	//! 71:5: warning: the marker +kubebuilder:validation:MinLength=1 has no effect here, since another comment follows: put it in the comment right above the field it is about

	// F is a field.
	F string ` + "`json:\"f,omitempty\"`" + `

	/* G is a field.
	   +optional
	   + optional
	   +1 */
	//! 80:5: warning: the marker +optional has no effect in a comment of this form: write it on a line that begins with //
	G string ` + "`json:\"g,omitempty\"`" + `

	// H has no marker but the last ones, since the text above is one with the
	// +optional because somebody thought so, that
	// +immutable because of others is prose. In a list:
	//   - one
	//   + optional
	//   - // + default
	// + default
	// +immutable because it is
	//! 93:16: unexpected "because it is" after +immutable: a marker stands alone on its line
	H string ` + "`json:\"h,omitempty\"`" + `

	// Source that is switched off.
	// + optional
	// I string ` + "`json:\"i,omitempty\"`" + `
}

// Source that is switched off.
// + optional
// +kubebuilder:object:rot=true
// type Other struct{}

// +kubebuilder:rbac:groups=example.org,resources=things,verbs=get

// F does something.
// +kubebuilder:validation:Minimun=1
func F() {
	// +kubebuilder:scaffold:imports
}
`

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
