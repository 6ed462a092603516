package crdify

import (
	"bytes"
	"encoding/json"
	"errors"
	"flag"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	apiextensionsv1 "k8s.io/apiextensions-apiserver/pkg/apis/apiextensions/v1"
	"sigs.k8s.io/crdify/pkg/config"
	"sigs.k8s.io/crdify/pkg/runner"
	"sigs.k8s.io/yaml"
)

var update = flag.Bool("update", false, "rewrite the table in README.md")

// A pair is a row of pairs.yaml.
type pair struct {
	Change, Old, New, From, To, Breaks string
}

// definition is what the pairs differ from.
const definition = `apiVersion: apiextensions.k8s.io/v1
kind: CustomResourceDefinition
metadata:
  name: NAME.example.org
  annotations: {connection.crossplane.io/endpoint: The host., connection.crossplane.io/password: The password.}
spec:
  group: example.org
  names: {kind: KIND, listKind: KINDList, singular: SINGULAR, plural: volumes, categories: [managed]}
  scope: Cluster
  versions:
  - {name: v1alpha1, served: true, storage: false, schema: {openAPIV3Schema: {type: object}}}
  - name: v1beta1
    served: true
    storage: true
    subresources: {status: {}}
    schema:
      openAPIV3Schema:
        type: object
        properties:
          spec:
            type: object
            properties:
              forProvider: FORPROVIDER
`

// definitions returns the definitions of a pair, whose kind has a number.
func (p pair) definitions(number int) (was, is string) {
	write := func(text, forProvider string) string {
		if forProvider == "" {
			forProvider = "{properties: {size: {type: integer}}}"
		}
		forProvider = strings.Replace(forProvider, "{", "{type: object, ", 1)
		kind := fmt.Sprintf("Volume%d", number)
		text = strings.NewReplacer("KIND", kind, "SINGULAR", strings.ToLower(kind), "FORPROVIDER", forProvider).Replace(text)
		text = strings.Replace(text, "plural: ", fmt.Sprintf("plural: v%d", number), 1)
		_, name, _ := strings.Cut(text, "plural: ")
		name, _, _ = strings.Cut(name, ",")
		return strings.Replace(text, "NAME", name, 1)
	}
	return write(definition, p.Old), write(strings.Replace(definition, p.From, p.To, 1), p.New)
}

// mayBreak is the verdict on a change that breaks nothing, and for which there is no counterexample.
const mayBreak = "may break"

// TestTable holds that mrgen reports what breaks and nothing else, and that the table in the
// guide says what crdify and mrgen report.
func TestTable(t *testing.T) {
	text, err := os.ReadFile("pairs.yaml")
	if err != nil {
		t.Fatal(err)
	}
	var pairs []pair
	if err := yaml.UnmarshalStrict(text, &pairs); err != nil {
		t.Fatal(err)
	}
	found := mrgen(t, pairs)
	var table bytes.Buffer
	table.WriteString(begin + "|---|---|---|\n")
	harmless, wrong, missed, doubted := 0, 0, 0, 0
	for i, p := range pairs {
		says, errs := crdify(t, i, p)
		if found[i] != p.Breaks {
			t.Errorf("%s: mrgen finds %q, want %q", p.Change, found[i], p.Breaks)
		}
		isHarmless := p.Breaks == "" || p.Breaks == mayBreak
		switch {
		case isHarmless && errs:
			wrong++
		case !isHarmless && !errs:
			missed++
		}
		if isHarmless {
			harmless++
		}
		if found[i] == mayBreak {
			doubted++
		}
		fmt.Fprintf(&table, "| %s | %s | %s |\n", p.Change, says, orNothing(found[i]))
	}
	breaks := len(pairs) - harmless
	fmt.Fprintf(&table, "\nOf the %d changes that break something, crdify reports %d. Of the %d that don't, it reports %d\nas errors, and mrgen says of %d that they may break.\n",
		breaks, breaks-missed, harmless, wrong, doubted)
	compare(t, table.String())
}

func orNothing(text string) string {
	if text == "" {
		return "–"
	}
	return text
}

// crdify returns what crdify reports of a pair as it comes, and whether that is an error.
func crdify(t *testing.T, number int, p pair) (says string, isError bool) {
	t.Helper()
	settings, err := config.Load("")
	if err != nil {
		t.Fatal(err)
	}
	run, err := runner.New(settings, runner.DefaultRegistry())
	if err != nil {
		t.Fatal(err)
	}
	was, is := p.definitions(number)
	var old, new apiextensionsv1.CustomResourceDefinition
	for text, crd := range map[string]*apiextensionsv1.CustomResourceDefinition{was: &old, is: &new} {
		if err := yaml.UnmarshalStrict([]byte(text), crd); err != nil {
			t.Fatalf("%s: %v\n%s", p.Change, err, text)
		}
	}
	results := run.Run(&old, &new)
	var errs, warnings []string
	all := results.CRDValidation
	for _, byPath := range results.SameVersionValidation {
		for _, more := range byPath {
			all = append(all, more...)
		}
	}
	for _, r := range all {
		if len(r.Errors) > 0 {
			errs = append(errs, "error: "+r.Name)
		} else if len(r.Warnings) > 0 {
			warnings = append(warnings, "warning: "+r.Name)
		}
	}
	reported := append(errs, warnings...)
	slices.Sort(reported)
	return orNothing(strings.Join(slices.Compact(reported), ", ")), len(errs) > 0
}

// mrgen returns the class of what mrgen breaking reports of each pair.
func mrgen(t *testing.T, pairs []pair) []string {
	t.Helper()
	dir := t.TempDir()
	program := filepath.Join(dir, "mrgen")
	build := exec.Command("go", "build", "-trimpath", "-ldflags=-s -w", "-o", program, "./cmd/mrgen")
	build.Dir = filepath.Join("..", "..")
	if out, err := build.CombinedOutput(); err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	files := map[string]string{"go.mod": "module example.org/provider\n\ngo 1.26\n", "apis/doc.go": "// Package apis has no kinds.\npackage apis\n"}
	kinds := map[string]int{}
	for i, p := range pairs {
		was, is := p.definitions(i)
		name := fmt.Sprintf("%d.yaml", i)
		files["old/"+name], files["package/crds/"+name] = was, is
		kinds[fmt.Sprintf("Volume%d.example.org", i)] = i
	}
	for name, text := range files {
		file := filepath.Join(dir, filepath.FromSlash(name))
		if err := os.MkdirAll(filepath.Dir(file), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(file, []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	breaking := exec.Command(program, "breaking", "--no-cache", "--against=old", "-o=json", "./...")
	breaking.Dir = dir
	var stderr bytes.Buffer
	breaking.Stderr = &stderr
	out, err := breaking.Output()
	var exit *exec.ExitError
	if err != nil && (!errors.As(err, &exit) || exit.ExitCode() != 1) {
		t.Fatalf("%v\n%s", err, stderr.String())
	}
	var report struct {
		Breaking struct {
			Findings []struct {
				Class, Kind    string
				Counterexample *struct{}
			}
		}
	}
	if err := json.Unmarshal(out, &report); err != nil {
		t.Fatal(err)
	}
	found := make([]string, len(pairs))
	for _, f := range report.Breaking.Findings {
		i, ok := kinds[f.Kind]
		if !ok || found[i] != "" && found[i] != f.Class {
			t.Errorf("%s: %s, and %s", f.Kind, f.Class, found[i])
			continue
		}
		if found[i] = f.Class; f.Counterexample == nil {
			found[i] = mayBreak
		}
	}
	return found
}

// The table is in README.md, from its head to the end of the section.
const (
	guide  = "README.md"
	begin  = "| change | crdify | mrgen |\n"
	finish = "\n## "
)

func compare(t *testing.T, table string) {
	t.Helper()
	page, err := os.ReadFile(guide)
	if err != nil {
		t.Fatal(err)
	}
	before, rest, ok := strings.Cut(string(page), begin)
	got, after, isWhole := strings.Cut(rest, finish)
	if !ok || !isWhole {
		t.Fatalf("%s has no table", guide)
	}
	if *update {
		if err := os.WriteFile(guide, []byte(before+table+finish+after), 0o644); err != nil {
			t.Fatal(err)
		}
		return
	}
	if begin+got != table {
		t.Errorf("the table in %s is not what is found: run go test -update in testdata/crdify\n%s", guide, table)
	}
}
