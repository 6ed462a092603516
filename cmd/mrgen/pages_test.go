package main

import (
	"errors"
	"fmt"
	"go/parser"
	"go/token"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/rogpeppe/go-internal/testscript"
	"go.yaml.in/yaml/v3"

	"github.com/mrgen-io/mrgen/testdata/expect"
)

// generated are the pages that mrgen writes itself: what they are made of is tested.
var generated = []string{"docs/commands.md", "docs/diagnostics.md", "docs/lint.md", "docs/markers.md"}

// fromNothing are the pages whose commands run in an empty folder. Those of others run
// in a copy of the example provider.
var fromNothing = []string{"README.md", "docs/guide/tutorial.md"}

// TestDocs executes, compiles or compares each block of code in the documentation, with a
// small budget for tests in some pages.
// CONTRIBUTING.md says what decides on a block.
func TestDocs(t *testing.T) {
	scripts := t.TempDir()
	ties, names := readTies(t), pages(t)
	for name := range ties {
		expect.True(t, slices.Contains(names, name), "%s: there is no page %s", tiesFile, name)
	}
	for _, page := range names {
		content := expect.Value(os.ReadFile(filepath.Join(repository, page)))(t)
		script, errs := check(string(content), ties[page])
		for _, err := range errs {
			t.Errorf("%s:%v", page, err)
		}
		if script == "" || len(errs) > 0 || !hasLargeBudget() && !slices.Contains(shown, page) {
			continue
		}
		name := strings.ReplaceAll(strings.TrimSuffix(page, ".md"), "/", "_") + ".txtar"
		text := "exec sh -eux .page.sh\n-- .page.sh --\n" + start(page) + script
		expect.NoError(t, os.WriteFile(filepath.Join(scripts, name), []byte(text), 0o644))
	}
	t.Run("run", func(t *testing.T) { runPages(t, scripts) })
}

// shown are the pages whose blocks are run whatever the budget for tests is: what a new
// user reads first. The others take a minute.
var shown = []string{"README.md"}

// pages returns the names of the pages that are written by hand.
func pages(t *testing.T) []string {
	t.Helper()
	var names []string
	for _, pattern := range []string{"*.md", "docs/*.md", "docs/guide/*.md", "testdata/*/README.md"} {
		found, err := filepath.Glob(filepath.Join(repository, pattern))
		expect.Must(t, err == nil && len(found) != 0, "no pages are named %s: %v", pattern, err)
		for _, file := range found {
			name := expect.Value(filepath.Rel(repository, file))(t)
			if name = filepath.ToSlash(name); !slices.Contains(generated, name) {
				names = append(names, name)
			}
		}
	}
	return names
}

// recipes are the pages whose commands run in a copy of this repository.
var recipes = []string{"docs/recipes.md"}

// start returns the commands that precede those of a page.
func start(page string) string {
	if slices.Contains(recipes, page) {
		return "for name in cmd generator markers go.mod go.sum; do cp -R \"$REPOSITORY\"/$name .; done\nmkdir testdata\n" +
			"for name in embed.go life provider-example setup simulated; do cp -R \"$REPOSITORY\"/testdata/$name testdata; done\n"
	}
	if slices.Contains(fromNothing, page) {
		return ""
	}
	return "cp -R \"$REPOSITORY\"/testdata/provider-example/. .\n"
}

// runPages executes the scripts that were made of pages.
func runPages(t *testing.T, scripts string) {
	if testing.Short() {
		t.Skip("builds a provider")
	}
	if _, err := exec.LookPath("sh"); err != nil {
		t.Skip("there is no shell")
	}
	setEnvironment := environment(t)
	testscript.Run(t, testscript.Params{
		Dir: scripts,
		Setup: func(env *testscript.Env) error {
			setEnvironment(env)
			return nil
		},
	})
}

// check checks the blocks of a page, and returns the shell commands that do the rest, ""
// if there are none. Errors begin with a line.
func check(text, ties string) (string, []error) {
	p, errs := readPage(text, ties)
	var script strings.Builder
	for _, b := range p.blocks {
		text, err := b.check()
		if err != nil {
			errs = append(errs, fmt.Errorf("%d: %w", b.line, err))
		}
		script.WriteString(text)
	}
	return script.String(), errs
}

// check checks what can be checked of a block without running it, and returns the
// shell commands that do the rest, "" if there are none.
func (b block) check() (script string, err error) {
	if b.tie == "" {
		if b.language != "sh" {
			return "", fmt.Errorf("say in %s what tests block %d of %q, in %q: CONTRIBUTING.md shows how", tiesFile, b.ordinal, b.title, b.language)
		}
		return b.code, nil
	}
	verb, object, _ := strings.Cut(b.tie, ": ")
	switch {
	case object == "" && verb != "apply":
	case verb == "not run" && b.language == "sh":
		return "", b.dryRun()
	case verb == "only parsed" && (b.language == "yaml" || b.language == "go"):
		return "", b.parse()
	case verb == "only shown" && (b.language == "text" || b.language == "mermaid"):
		return "", nil
	case verb == "stands in":
		return "", b.standsIn(object)
	case verb == "write to":
		return b.writeTo(object), nil
	case verb == "apply" && b.language == "diff":
		return b.apply(), nil
	case verb == "insert":
		if file, after, found := strings.Cut(object, " after: "); found {
			return b.insert(file, after), nil
		}
	}
	return "", fmt.Errorf("%q can't test a block in %q: CONTRIBUTING.md lists what can", b.tie, b.language)
}

// dryRun checks the syntax of commands that are not run, and that make has the targets
// that they name.
func (b block) dryRun() error {
	if _, err := exec.LookPath("sh"); err != nil {
		return nil
	}
	if out, err := exec.Command("sh", "-n", "-c", b.code).CombinedOutput(); err != nil {
		return fmt.Errorf("%w: %s", err, out)
	}
	if _, err := exec.LookPath("make"); err != nil {
		return nil
	}
	var errs []error
	for line := range strings.Lines(b.code) {
		arguments, found := strings.CutPrefix(line, "make ")
		if !found {
			continue
		}
		dry := exec.Command("sh", "-c", "make -n "+arguments)
		dry.Dir = repository
		if out, err := dry.CombinedOutput(); err != nil {
			errs = append(errs, fmt.Errorf("%w: %s", err, out))
		}
	}
	return errors.Join(errs...)
}

// parse checks the syntax of a block.
func (b block) parse() error {
	if b.language == "yaml" {
		var document any
		return yaml.Unmarshal([]byte(b.code), &document)
	}
	_, err := parser.ParseFile(token.NewFileSet(), "", "package p\n"+b.code, parser.ParseComments)
	return err
}

// standsIn checks that a file has the lines of the block, one after the other. Empty
// lines and indentation don't count; the block may begin and end within a line.
func (b block) standsIn(file string) error {
	content, err := os.ReadFile(filepath.Join(repository, filepath.FromSlash(file)))
	if err != nil {
		return err
	}
	lines := strings.TrimSuffix(plainLines(b.code), "...")
	if lines == "" {
		return errors.New("the block is empty")
	}
	have := plainLines(string(content))
	if strings.Contains(have, lines) {
		return nil
	}
	for line := range strings.SplitSeq(lines, "\n") {
		if !strings.Contains(have, line) {
			return fmt.Errorf("%s does not have the line %q", file, line)
		}
	}
	return fmt.Errorf("%s has these lines, but not one after the other", file)
}

// plainLines returns the lines of a text without indentation and empty lines.
func plainLines(text string) string {
	var lines []string
	for line := range strings.Lines(text) {
		if line = strings.TrimSpace(line); line != "" {
			lines = append(lines, line)
		}
	}
	return strings.Join(lines, "\n")
}

// writeTo returns commands that write the block to a file. If it is mrgen.yaml, the scopes that
// are there stay, without which the example provider has one scope alone, and the commands
// also have mrgen accept the settings, whose output may differ from what is there.
func (b block) writeTo(file string) string {
	script := fmt.Sprintf("cat > %s <<'END'\n%sEND\n", file, b.code)
	if file == "mrgen.yaml" {
		script = "test ! -f mrgen.yaml || sed -n '/^scopes:/,/^[^-s ]/p' mrgen.yaml > .scopes\n" + script + "test ! -f .scopes || cat .scopes >> mrgen.yaml\n"
		script += "mrgen verify > /dev/null || test $? = 1\n"
	}
	return script
}

// apply returns commands that apply the block to the files that it names.
func (b block) apply() string {
	return fmt.Sprintf("git apply --recount <<'END'\n%sEND\n", b.code)
}

// insert returns commands that insert the block into a file, below a line with a text.
func (b block) insert(file, after string) string {
	pattern := strings.NewReplacer("/", `\/`, "*", `\*`).Replace(after)
	return fmt.Sprintf("grep -qF '%s' %s\n", after, file) + b.writeTo("block") +
		fmt.Sprintf("sed '/%s/r block' %s > edited\nmv edited %[2]s\nrm block\n", pattern, file)
}

// TestBlocks checks that code which nothing tests is found, at its line.
func TestBlocks(t *testing.T) {
	const fence = "```"
	const ties = "\nTIES:\n" // what follows is in tiesFile
	tied := func(tie, code string) string {
		return "# A\n\n" + fence + code + fence + "\n" + ties + "A, block 1: " + tie + "\n"
	}
	tests := []struct{ name, page, want string }{
		{"run", "# A\n\n" + fence + "sh\nls\n" + fence, ""},
		{"not run", tied("not run: it takes long", "sh\nmake test\n"), ""},
		{"not run, without a reason", tied("not run:", "sh\nls\n"), `3: "not run:" can't test a block in "sh"`},
		{"not run, and no shell", tied("not run: it takes long", "sh\nls 'a\n"), "3: exit status"},
		{"no such target", tied("not run: it takes long", "sh\nmake nothing\n"), "3: exit status"},
		{"indented", "Run\n\n    ls\n    ls\n\nand so on", "3: put a fence with a language around this code"},
		{"indented text goes on", "- An item\n\n  of two\n    paragraphs", ""},
		{"no tie", "# A\n\nLook:\n\n" + fence + "go\nvar a int\n" + fence, `5: say in docs/tests.txtar what tests block 1 of "A", in "go"`},
		{"no language", fence + "\nls\n" + fence, `1: say in docs/tests.txtar what tests block 1 of "", in ""`},
		{"unknown tie", tied("checked: a", "go\n"), `3: "checked: a" can't test a block in "go"`},
		{"wrong syntax", tied("only parsed: a", "go\nvar\n"), "3: 2:5: expected"},
		{"wrong YAML", tied("only parsed: a", "yaml\na: [\n"), "3: yaml: "},
		{"stands there", "# A\n- a\n\n  " + fence + "text\n  GO ?= go\n\n    FUZZ...\n  " + fence + "\n" + ties + "A, block 1: stands in: Makefile\n", ""},
		{"stands elsewhere", tied("stands in: Makefile", "text\nGO ?= gone\n"), `3: Makefile does not have the line "GO ?= gone"`},
		{"in another order", tied("stands in: Makefile", "text\nFUZZTIME ?= 30s\nGO ?= go\n"), "3: Makefile has these lines, but not one after the other"},
		{"stands nowhere", tied("stands in: none", "text\na\n"), "3: open "},
		{"nothing stands there", tied("stands in: Makefile", "text\n"), "3: the block is empty"},
		{"not closed", "a\n" + fence + "sh\nls", "2: nothing closes this block"},
		{"a comment between sentences", "# A\n\nSo it is. <!-- held by: TestA -->\n", "3: remove this comment"},
		{"a comment above a block", "# A\n\n<!-- not run: it takes long -->\n" + fence + "sh\nls\n" + fence, "3: remove this comment"},
		{"a comment as code", "# A\n\nWrite `<!-- tests`.\n", ""},
		{"a comment that begins the page", "<!-- Written by make. -->\n# A\n", ""},
		{"held", "# A\n\n- **All of it.** So it is.\n" + ties + "A: held by: TestA\nAll of it: held by: TestA, TestB\n", ""},
		{"held elsewhere", "# A\n" + ties + "B: held by: TestA\n", `docs/tests.txtar: B: held by: TestA: 0 sections and items are called "B", want one`},
		{"which one is held", "# A\n\n# A\n" + ties + "A: held by: TestA\n", `docs/tests.txtar: A: held by: TestA: 2 sections and items are called "A", want one`},
		{"no such block", "# A\n" + ties + "A, block 1: not run: a\n", `docs/tests.txtar: A, block 1: not run: a: "A" has no block 1`},
		{"no such section", "# A\n" + ties + "B, block 1: not run: a\n", `docs/tests.txtar: B, block 1: not run: a: 0 sections and items are called "B", want one`},
		{"tied twice", tied("not run: a", "sh\nls\n") + "A, block 1: not run: b\n", `docs/tests.txtar: A, block 1: not run: b: block 1 of "A" is tied twice`},
		{"no tie at all", "# A\n" + ties + "TestA\n", `docs/tests.txtar: TestA: write "TestA" as TITLE: held by: TESTS, or as`},
	}
	for _, test := range tests {
		body, tests, _ := strings.Cut(test.page, ties)
		_, errs := check(body+"\n", tests)
		switch {
		case test.want == "" && len(errs) > 0:
			t.Errorf("%s: %v", test.name, errs)
		case test.want != "" && (len(errs) != 1 || !strings.HasPrefix(errs[0].Error(), test.want)):
			t.Errorf("%s: got %v, want %s", test.name, errs, test.want)
		}
	}
}
