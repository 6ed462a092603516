package main

import (
	"encoding/json"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/mrgen-io/mrgen/testdata/expect"
	"github.com/mrgen-io/mrgen/testdata/testmodule"
)

// TestAddingARule follows docs/adding-a-rule.md: one file and one line in a list make a rule, whose example
// is for the reference. They are laid over the source.
func TestAddingARule(t *testing.T) {
	if !hasLargeBudget() {
		t.Skip("make check runs this")
	}
	const (
		example = "generator/internal/review/lintrules/testdata/longname/long_name.go"
		file    = "generator/internal/review/lintrules/long_name.go"
		list    = "generator/internal/review/lintrules/lintrules.go"
	)
	page := expect.Value(os.ReadFile(filepath.Join(repository, "docs", "adding-a-rule.md")))(t)
	for _, name := range []string{file, list} {
		expect.True(t, strings.Contains(string(page), name), "the page doesn't name %s", name)
	}
	expect.True(t, strings.Contains(readTies(t)["docs/adding-a-rule.md"], "stands in: "+example), "the page doesn't show %s", example)
	rules := expect.Value(os.ReadFile(filepath.Join(repository, list)))(t)
	const before = "\tmisplacedPolicy,\n"
	with := strings.Replace(string(rules), before, "\tlongName,\n"+before, 1)
	expect.Must(t, with != string(rules), "the list has another form: %s", rules)
	temporary := filepath.Join(t.TempDir(), "rules.go")
	expect.NoError(t, os.WriteFile(temporary, []byte(with), 0o600))
	overlay, err := json.Marshal(map[string]any{"Replace": map[string]string{
		filepath.Join(repository, list): temporary, filepath.Join(repository, file): filepath.Join(repository, example),
	}})
	expect.NoError(t, err)
	overlayFile := filepath.Join(t.TempDir(), "overlay.json")
	expect.NoError(t, os.WriteFile(overlayFile, overlay, 0o600))
	source := filepath.Join(t.TempDir(), "provider")
	expect.NoError(t, os.CopyFS(source, os.DirFS(filepath.Join(repository, "testdata", "provider-example"))))
	types := filepath.Join(source, "apis", "namespaced", "ec2", "v1beta1", "vpc_types.go")
	content := expect.Value(os.ReadFile(types))(t)
	const long = "numberOfReplicasOfTheDatabaseInTheOtherRegion"
	content = []byte(strings.Replace(string(content), "type VPCParameters struct {\n",
		"type VPCParameters struct {\n\t// NumberOfReplicasOfTheDatabaseInTheOtherRegion is long.\n\t// +optional\n\tNumberOfReplicasOfTheDatabaseInTheOtherRegion *int64 `json:\""+long+",omitempty\"`\n\n", 1))
	expect.NoError(t, os.WriteFile(types, content, 0o600))
	program := filepath.Join(t.TempDir(), "mrgen")
	if out, err := testmodule.Run(repository, "go", "build", "-trimpath", "-ldflags=-s -w", "-overlay", overlayFile, "-o", program, "./cmd/mrgen"); err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	if out, err := exec.Command(program, "lint", "--list").Output(); err != nil || !strings.Contains(string(out), "long-name ") {
		t.Errorf("the rule isn't listed (%v):\n%s", err, out)
	}
	lint := exec.Command(program, "lint", "./apis/namespaced/ec2/...")
	lint.Dir = source
	out, err := lint.Output()
	expect.True(t, strings.Contains(string(out), "hint: the JSON name "+long+" has 45 letters: find a shorter one [long-name]\n"), "the rule finds nothing (%v):\n%s", err, out)
}
