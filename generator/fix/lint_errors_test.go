package fix_test

import (
	"context"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/mrgen-io/mrgen/generator/diag"
	"github.com/mrgen-io/mrgen/generator/lint"
	"github.com/mrgen-io/mrgen/generator/run"
	"github.com/mrgen-io/mrgen/testdata/budget"
	"github.com/mrgen-io/mrgen/testdata/expect"
	"github.com/mrgen-io/mrgen/testdata/testmodule"
)

// mistakes are declarations that fail generate, and whether lint can't check the kind that has them.
var mistakes = map[string]struct {
	field   string
	missing bool
}{
	"a marker": {"// +kubebuilder:validation:Requird\n\tName string `json:\"name\"`", false},
	"a float":  {"// Length of it.\n\tLength float64 `json:\"length\"`", true},
	"a type":   {"// Length of it.\n\tLength *lenght `json:\"length,omitempty\"`", true},
}

// TestErrorsHideNothing adds a package with a mistake to modules with findings: lint finds the same in the other
// packages, and says which kind it can't check.
func TestErrorsHideNothing(t *testing.T) {
	archives := testmodule.Glob(t, "../internal/review/lintrules/testdata/*/*.txtar")
	seen := 0
	for _, name := range archives[:budget.Of(4, len(archives))] {
		dir, _ := moduleOf(t, name)
		before, _ := found(t, dir)
		seen += len(before)
		for mistake, test := range mistakes {
			testmodule.WriteKinds(t, filepath.Join(dir, "apis", "wrong", "v1"), "Astrolabe\nAlidade\n")
			testmodule.Write(t, filepath.Join(dir, "apis", "wrong", "v1", "parameters.go"),
				[]byte("package v1\n\n// AstrolabeParameters are desired.\ntype AstrolabeParameters struct {\n\t"+test.field+"\n}\n\n// AstrolabeObservation is observed.\ntype AstrolabeObservation struct {\n\tObservedAstrolabeParameters `json:\",inline\"`\n}\n"+
					"\n// AlidadeParameters are desired.\ntype AlidadeParameters struct{}\n\n// AlidadeObservation is observed.\ntype AlidadeObservation struct {\n\tObservedAlidadeParameters `json:\",inline\"`\n}\n"))
			for _, kind := range []string{"Astrolabe", "Alidade"} {
				file := filepath.Join(dir, "apis", "wrong", "v1", "kind_"+strings.ToLower(kind)+".go")
				status := "\txpv2.ManagedResourceStatus `json:\",inline\"`\n"
				source := strings.Replace(string(testmodule.Read(t, file)), status, status+"\tAtProvider "+kind+"Observation `json:\"atProvider,omitempty\"`\n", 1)
				testmodule.Write(t, file, []byte(source))
			}
			after, diags := found(t, dir)
			diff := cmp.Diff(before, after)
			expect.True(t, diff == "", "%s: with %s, lint finds -without +with:\n%s", name, mistake, diff)
			if slices.ContainsFunc(diags, func(d diag.Diagnostic) bool { return strings.Contains(d.Message, "Alidade") }) {
				t.Errorf("%s: with %s, lint blames the kind beside it: %v", name, mistake, diags)
			}
			isMissing := slices.ContainsFunc(diags, func(d diag.Diagnostic) bool { return d.Code == "incomplete" })
			expect.True(t, diags.HasErrors() && isMissing == test.missing, "%s: with %s, lint says %v", name, mistake, diags)
		}
	}
	expect.True(t, seen != 0, "there are no findings")
}

// found returns the findings of lint outside the package with mistakes.
func found(t *testing.T, dir string) ([]lint.Finding, diag.List) {
	t.Helper()
	options := run.Default()
	options.Dir = dir
	result := expect.Value(lint.Run(context.Background(), options, lint.Options{}))(t)
	findings := result.Findings
	for i, f := range findings {
		// One finding has all kinds with the same flaw, and counts them.
		findings[i].Places = slices.DeleteFunc(f.Places, func(s lint.Subject) bool {
			return strings.HasPrefix(s.Kind, "Astrolabe.") || strings.HasPrefix(s.Kind, "Alidade.")
		})
		findings[i].Message, _, _ = strings.Cut(f.Message, " (and ")
	}
	return slices.DeleteFunc(findings, func(f lint.Finding) bool { return strings.HasPrefix(f.Pos.File, "apis/wrong/") }), result.Diagnostics
}
