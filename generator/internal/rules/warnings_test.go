package rules_test

import (
	"context"
	_ "embed"
	"fmt"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/mrgen-io/mrgen/generator/internal/apiserver"
	"github.com/mrgen-io/mrgen/generator/internal/schema"
	"github.com/mrgen-io/mrgen/generator/internal/stage"
	"github.com/mrgen-io/mrgen/generator/internal/stagerunner"
	"github.com/mrgen-io/mrgen/generator/internal/stages/crd"
	"github.com/mrgen-io/mrgen/generator/run"
	"github.com/mrgen-io/mrgen/testdata/expect"
	"github.com/mrgen-io/mrgen/testdata/testmodule"
)

// Each type has what rules can't do in full. The comment at the end of a line says what mrgen says of it:
// a text that the diagnostic of that line contains, or several. Where that is that a field stays required,
// the schema requires it, and where it is that a marker has no effect, no rule is about the field.
//
//go:embed testdata/warned.go
var warned string

// refused has what is wrong with markers that demand one of several fields.
//
//go:embed testdata/refused.go
var refused string

var wanted = regexp.MustCompile(` // want: (.*)`)

// said generates the CRDs of kinds in a file, and compares what is said of its lines with the comments
// there.
func saidOf(t *testing.T, source string, names ...string) map[string]stage.Definition {
	t.Helper()
	root := t.TempDir()
	testmodule.Write(t, filepath.Join(root, "go.mod"), testmodule.GoMod(t))
	testmodule.Write(t, filepath.Join(root, "apis/v1/doc.go"), []byte("// +kubebuilder:object:generate=true\n// +groupName=example.org\npackage v1\n"))
	want := map[int][]string{}
	var lines []string
	for i, line := range strings.Split(source, "\n") {
		if match := wanted.FindStringSubmatch(line); match != nil {
			want[i+1] = strings.Split(match[1], " | ")
		}
		lines = append(lines, wanted.ReplaceAllString(line, ""))
	}
	testmodule.Write(t, filepath.Join(root, "apis/v1/types.go"), []byte(strings.Join(lines, "\n")))
	for _, name := range names {
		spec := fmt.Sprintf(usual, name+"Parameters")
		if strings.Contains(source, name+"InitParameters struct") {
			spec += "\n// +optional\nInitProvider *" + name + "InitParameters `json:\"initProvider,omitempty\"`"
		}
		testmodule.Write(t, filepath.Join(root, "apis/v1", strings.ToLower(name)+".go"), []byte(strings.NewReplacer("KIND", name, "OPTION", "", "OMIT", "", "MARKER", "", "IMPORTS", `xpv2 "github.com/crossplane/crossplane/apis/v2/core/v2"`, "SPEC", spec, "STATUS", "xpv2.ManagedResourceStatus").Replace(kindSource)))
	}
	options := run.Default()
	options.Dir, options.AllowDangerousTypes = root, true
	run, diags, err := (stagerunner.Runner{Stages: []stage.Stage{crd.Stage, stage.Report}}).Open(options).Evaluate(context.Background())
	expect.NoError(t, err)
	for _, d := range withoutValues(diags).Sorted() {
		if d.Pos.File != "apis/v1/types.go" {
			t.Errorf("unexpected: %s", d)
			continue
		}
		i := slices.IndexFunc(want[d.Pos.Line], func(part string) bool { return strings.Contains(d.Message, part) })
		if i < 0 {
			t.Errorf("unexpected: %s", d)
			continue
		}
		want[d.Pos.Line] = slices.DeleteFunc(want[d.Pos.Line], func(part string) bool { return strings.Contains(d.Message, part) })
	}
	for line, parts := range want {
		expect.True(t, len(parts) == 0, "nothing says %q of line %d: %s", parts, line, lines[line-1])
	}
	all := map[string]stage.Definition{}
	for _, d := range run.Output.Definitions() {
		all[d.Objects[0].Name] = d
	}
	return all
}

// TestWarnings holds what is said where rules can't do what the source asks for, and that the schema is as
// it is said.
func TestWarnings(t *testing.T) {
	for name, d := range saidOf(t, warned, "Stays", "Fixed", "Resolved", "Nested", "Reads", "Countless") {
		props := d.CRD.Spec.Versions[0].Schema.OpenAPIV3Schema
		for _, problem := range (apiserver.Upstream{}).Validate(context.Background(), d.CRD) {
			t.Errorf("%s: %+v", name, problem)
		}
		n := schema.At(props, schema.Properties("spec", "forProvider")).MinProperties
		expect.True(t, (n != nil) == (name == "Countless"), "%s: the schema demands %v properties", name, n)
		for _, decision := range d.Decisions[0] {
			isRequired := func() bool {
				return slices.Contains(schema.At(props, decision.Field[:len(decision.Field)-1]).Required, decision.Field[len(decision.Field)-1].Name)
			}
			switch stays := strings.HasPrefix(decision.Reason, "stays required"); {
			case stays && !isRequired():
				t.Errorf("%s: the schema doesn't require %s, which %s", name, decision.Field, decision.Reason)
			case decision.Required && !stays && isRequired():
				t.Errorf("%s: the schema requires %s, which %s", name, decision.Field, decision.Reason)
			case decision.Immutable && (decision.Rule == nil) != strings.HasPrefix(decision.Reason, "is not immutable"):
				t.Errorf("%s: %s %s, with the rule %v", name, decision.Field, decision.Reason, decision.Rule)
			}
		}
	}
}

// TestRefusedChoices holds which fields a marker can't list.
func TestRefusedChoices(t *testing.T) { saidOf(t, refused, "Refused") }
