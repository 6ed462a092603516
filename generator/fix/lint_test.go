package fix_test

import (
	"bytes"
	"context"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"golang.org/x/tools/txtar"

	"github.com/mrgen-io/mrgen/generator"
	"github.com/mrgen-io/mrgen/generator/diag"
	"github.com/mrgen-io/mrgen/generator/fix"
	"github.com/mrgen-io/mrgen/generator/lint"
	"github.com/mrgen-io/mrgen/generator/run"
	"github.com/mrgen-io/mrgen/testdata/budget"
	"github.com/mrgen-io/mrgen/testdata/expect"
	"github.com/mrgen-io/mrgen/testdata/testmodule"
)

// lintCases are archives with modules, one or more beside each rule. The file "want" is what
// the rule finds, and the diff that its fix makes. Kinds are declared as in testdata/fix.
const lintCases = "../internal/review/lintrules/testdata/*/*.txtar"

// TestLintRules runs each rule on its cases: what is found, and nothing else. A fix leaves
// nothing that it could put right, and the API packages compile after it.
func TestLintRules(t *testing.T) {
	archives := testmodule.Glob(t, lintCases)
	seen := map[string]bool{}
	for _, name := range archives {
		folder := filepath.Base(filepath.Dir(name))
		i := slices.IndexFunc(lint.Rules(), func(r lint.Rule) bool {
			return r.Name == folder
		})
		expect.Must(t, i >= 0, "%s: there is no such rule", name)
		rule := lint.Rules()[i]
		archive := expect.Value(txtar.ParseFile(name))(t)
		seen[rule.Name] = seen[rule.Name] || bytes.Contains(txtar.Format(archive), []byte("("+rule.Name+")\n"))
		t.Run(rule.Name+"/"+strings.TrimSuffix(filepath.Base(name), ".txtar"), func(t *testing.T) {
			t.Parallel()
			dir, archive := moduleOf(t, name)
			testmodule.CompareText(t, name, archive, lintAndFix(t, dir, rule))
		})
	}
	for _, r := range lint.Rules() {
		expect.True(t, seen[r.Name], "rule %s has no case in which it finds something", r.Name)
	}
}

// moduleOf writes the module of an archive, and returns its folder, and the archive.
func moduleOf(t *testing.T, name string) (dir string, archive *txtar.Archive) {
	t.Helper()
	archive = expect.Value(txtar.ParseFile(name))(t)
	dir = t.TempDir()
	for _, f := range archive.Files {
		if f.Name != "want" {
			writeSource(t, dir, f)
		}
	}
	testmodule.Write(t, filepath.Join(dir, "go.mod"), testmodule.GoMod(t))
	return dir, archive
}

// lintOptions are those for the module of an archive: with MRDs if it has a folder for them.
func lintOptions(dir string) run.Options {
	options := run.Default()
	options.Dir, options.AllowDangerousTypes = dir, true
	if _, err := os.Stat(filepath.Join(dir, "package", "mrds")); err == nil {
		options.MRDDir = "package/mrds"
	}
	return options
}

// findings returns what a rule finds, as text.
func findings(t *testing.T, dir string, rule lint.Rule) string {
	t.Helper()
	opts := lint.Options{Severity: map[string]lint.Severity{rule.Name: max(rule.Severity, lint.Hint)}}
	found := expect.Value(lint.Run(context.Background(), lintOptions(dir), opts))(t)
	var b strings.Builder
	for _, d := range found.Diagnostics {
		fmt.Fprintln(&b, d)
	}
	for _, f := range found.Findings {
		if f.Rule == rule.Name {
			fmt.Fprintln(&b, f)
		}
	}
	return b.String()
}

func lintAndFix(t *testing.T, dir string, rule lint.Rule) string {
	t.Helper()
	got := findings(t, dir, rule)
	if rule.Fix == "" {
		return got
	}
	fix := func(ctx context.Context, options run.Options) (generator.Result, error) {
		options.MRDDir = lintOptions(dir).MRDDir
		return fixLint(ctx, options, []string{rule.Name})
	}
	fixed := runFix(t, dir, fix, nil)
	left := findings(t, dir, rule)
	if left != "" {
		left = "\nStill found:\n" + left
	}
	return got + "\n" + fixed + left
}

// fixLint corrects the findings of rules, as mrgen fix lint does.
func fixLint(ctx context.Context, options run.Options, rules []string) (generator.Result, error) {
	edits, diags, err := lint.Fixes(ctx, options, lint.Options{}, rules)
	if err != nil || diags.HasErrors() {
		return generator.Result{Diagnostics: diags}, err
	}
	result, err := fix.Findings(ctx, options, edits)
	result.Diagnostics = append(diags, result.Diagnostics...)
	return result, err
}

// TestLintFixesTogether makes the fixes of all rules at once, until they change nothing. The go command judges the
// result.
func TestLintFixesTogether(t *testing.T) {
	var rules []string
	for _, r := range lint.Rules() {
		if r.Fix != "" {
			rules = append(rules, r.Name)
		}
	}
	for i, rule := range rules {
		if i == budget.Of(1, len(rules)) {
			break
		}
		archives := testmodule.Glob(t, filepath.Join(filepath.Dir(filepath.Dir(lintCases)), rule, "*.txtar"))
		for _, name := range archives {
			dir, _ := moduleOf(t, name)
			expect.True(t, applyLintFixes(t, dir, rules) != 0, "%s: no fix changes anything", name)
			applyLintFixes(t, dir, rules) // what one rule puts right, another may look at
			expect.True(t, applyLintFixes(t, dir, rules) == 0, "%s: a further run changes something", name)
			generateAndBuild(t, dir)
		}
	}
}

func applyLintFixes(t *testing.T, dir string, rules []string) int {
	t.Helper()
	result := expect.Value(fixLint(context.Background(), lintOptions(dir), rules))(t)
	for _, d := range result.Diagnostics {
		expect.Must(t, d.Severity != diag.Error, "%v", d)
	}
	_, err := result.Apply(context.Background())
	expect.NoError(t, err)
	return len(result.Changes())
}

// TestLintIsDeterministic holds that what is found, and its order, is the same at every run.
func TestLintIsDeterministic(t *testing.T) {
	options := run.Default()
	options.Dir = "../../testdata/provider-rules"
	var first []byte
	for i := range budget.Of(2, 5) {
		found := expect.Value(lint.Run(context.Background(), options, lint.Options{}))(t)
		var text bytes.Buffer
		for _, f := range found.Findings {
			fmt.Fprintln(&text, f, f.Places)
		}
		if i == 0 {
			first = text.Bytes()
		} else if !bytes.Equal(first, text.Bytes()) {
			t.Errorf("run %d finds something else:\n%s", i, cmp.Diff(string(first), text.String()))
		}
	}
	expect.True(t, len(first) != 0, "nothing is found")
}
