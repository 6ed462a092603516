package cli

import (
	"encoding/json"
	"testing"

	"github.com/mrgen-io/mrgen/generator/diag"
	"github.com/mrgen-io/mrgen/generator/lint"
	"github.com/mrgen-io/mrgen/testdata/expect"
)

// TestSARIF checks what viewers ask of a log beyond its schema: paths are relative, names of
// files are encoded, and each result leads to its rule.
func TestSARIF(t *testing.T) {
	t.Setenv("GITHUB_WORKSPACE", "")
	rules := lint.Rules()
	text, err := writeSARIF(t.TempDir(), outcome{findings: []lint.Finding{
		{Rule: rules[2].Name, Severity: lint.Hint, Pos: diag.Position{File: "a b/c#.go", Line: 3, Column: 2}, Message: "m", Places: placesOf("K.g/v", ".spec")},
		{Rule: rules[0].Name, Severity: lint.Error, Pos: diag.Position{File: "package/crossplane.yaml"}, Message: "n", Places: placesOf("", "p")},
	}, diagnostics: diag.List{{Code: "flavor", Severity: diag.Warning, Message: "o"}}})
	expect.NoError(t, err)
	var log sarifLog
	expect.NoError(t, json.Unmarshal(text, &log))
	run := log.Runs[0]
	r := run.Results[0]
	expect.True(t, r.Level == "warning" && r.RuleID == "flavor" && len(r.Locations) == 0 && run.Tool.Driver.Rules[r.RuleIndex].ID == "flavor", "the diagnostic is %+v", r)
	run.Results = run.Results[1:]
	for i, want := range []struct{ uri, level, fingerprint string }{
		{"a%20b/c%23.go", "note", rules[2].Name + " K.g/v .spec"},
		{"package/crossplane.yaml", "error", rules[0].Name + "  p"},
	} {
		r := run.Results[i]
		expect.Equal(t, want.uri, r.Locations[0].Physical.Artifact.URI, "got the path")
		expect.True(t, r.Level == want.level && r.Fingerprints["mrgen/v1"] == want.fingerprint, "got %s and %q", r.Level, r.Fingerprints["mrgen/v1"])
		expect.True(t, run.Tool.Driver.Rules[r.RuleIndex].ID == r.RuleID, "the rule of %s is another one", r.RuleID)
	}
	expect.True(t, run.Results[0].Locations[0].Physical.Region.StartLine == 3 && run.Results[1].Locations[0].Physical.Region == nil, "the lines are wrong")
}

func placesOf(kind, path string) []lint.Subject {
	return []lint.Subject{{Kind: kind, Path: path}}
}
