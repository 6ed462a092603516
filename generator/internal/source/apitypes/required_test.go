package apitypes

import (
	"path/filepath"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/mrgen-io/mrgen/generator/internal/source/modules"
	"github.com/mrgen-io/mrgen/testdata/expect"
	"github.com/mrgen-io/mrgen/testdata/testmodule"
)

// TestRequired checks which fields a schema requires, and what their tags say of
// empty values.
func TestRequired(t *testing.T) {
	const fields = `
	Plain   string   ` + "`json:\"plain\"`" + `
	Left    string   ` + "`json:\"left,omitempty\"`" + `
	Zero    []string ` + "`json:\"zero,omitzero\"`" + `
	Both    []string ` + "`json:\"both,omitzero,omitempty\"`" + `

	// +optional
	Optional string ` + "`json:\"optional\"`" + `
	// +k8s:optional
	// +required
	Contradicted string ` + "`json:\"contradicted\"`" + `
	// +required
	Required string ` + "`json:\"required,omitempty\"`" + `
	// +k8s:required
	Declared string ` + "`json:\"declared,omitempty\"`" + `
	// +optional
	// +kubebuilder:validation:Required
	Stronger string ` + "`json:\"stronger,omitempty\"`" + `
	// +kubebuilder:validation:Optional
	// +kubebuilder:validation:Required
	Strongest string ` + "`json:\"strongest\"`" + `

	Inline ` + "`json:\",inline\"`" + `
`
	for _, test := range []struct {
		name, marker string
		plain        bool
	}{{"required by default", "", true}, {"optional by default", "// +kubebuilder:validation:Optional\n", false}} {
		t.Run(test.name, func(t *testing.T) {
			root := t.TempDir()
			testmodule.Write(t, filepath.Join(root, "go.mod"), testmodule.GoMod(t))
			testmodule.Write(t, filepath.Join(root, "v1/types.go"), []byte(`// Package v1 has API types.
// +kubebuilder:object:generate=true
`+test.marker+`package v1

import metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

// A Kind is a kind.
type Kind struct {
	metav1.TypeMeta   `+"`json:\",inline\"`"+`
	metav1.ObjectMeta `+"`json:\"metadata,omitempty\"`"+`

	Spec Spec `+"`json:\"spec\"`"+`
}

// Inline is embedded.
type Inline struct{}

// Spec has fields.
type Spec struct {`+fields+`}
`))
			source, diags := selected(modules.Options{Root: root, Patterns: []string{"./..."}}, Options{})
			expect.None(t, diags.Errors())
			type properties struct{ required, omitEmpty, omitZero bool }
			got := map[string]properties{}
			for _, f := range source.Model.Packages[0].Objects[0].Spec.Type.Fields {
				got[f.Name] = properties{f.Required, f.OmitEmpty, f.OmitZero}
			}
			want := map[string]properties{
				"Plain":        {test.plain, false, false},
				"Left":         {false, true, false},
				"Zero":         {false, false, true},
				"Both":         {false, true, true},
				"Optional":     {false, false, false},
				"Contradicted": {false, false, false},
				"Required":     {true, true, false},
				"Declared":     {true, true, false},
				"Stronger":     {true, true, false},
				"Strongest":    {false, false, false},
				"Inline":       {false, false, false},
			}
			diff := cmp.Diff(want, got, cmp.AllowUnexported(properties{}))
			expect.True(t, diff == "", "-want +got:\n%s", diff)
		})
	}
}
