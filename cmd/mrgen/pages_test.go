package main

import (
	"errors"
	"fmt"
	"go/parser"
	"go/token"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/rogpeppe/go-internal/testscript"
	"go.yaml.in/yaml/v3"
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
	for _, page := range pages(t) {
		content, err := os.ReadFile(filepath.Join(repository, page))
		if err != nil {
			t.Fatal(err)
		}
		script, errs := check(string(content))
		for _, err := range errs {
			t.Errorf("%s:%v", page, err)
		}
		if script == "" || len(errs) > 0 || !hasLargeBudget() && !slices.Contains(shown, page) {
			continue
		}
		name := strings.ReplaceAll(strings.TrimSuffix(page, ".md"), "/", "_") + ".txtar"
		text := "exec sh -eux .page.sh\n-- .page.sh --\n" + start(page) + script
		if err := os.WriteFile(filepath.Join(scripts, name), []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	t.Run("run", func(t *testing.T) { runPages(t, scripts) })
}

// shown are the pages whose blocks are run whatever the budget for tests is: what a new
// user reads first. The others take a minute.
var shown = []string{"README.md", "docs/guide/required.md", "docs/guide/switch.md"}

// pages returns the names of the pages that are written by hand.
func pages(t *testing.T) []string {
	t.Helper()
	var names []string
	for _, pattern := range []string{"*.md", "docs/*.md", "docs/guide/*.md", "testdata/*/README.md"} {
		found, err := filepath.Glob(filepath.Join(repository, pattern))
		if err != nil || len(found) == 0 {
			t.Fatalf("no pages are named %s: %v", pattern, err)
		}
		for _, file := range found {
			name, err := filepath.Rel(repository, file)
			if err != nil {
				t.Fatal(err)
			}
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
		return "for name in cmd generator markers go.mod go.sum; do cp -R \"$REPOSITORY\"/$name .; done\nmkdir testdata\ncp -R \"$REPOSITORY\"/testdata/provider-example \"$REPOSITORY\"/testdata/simulated testdata\n"
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

// A block is code in a page.
type block struct {
	line     int // of the fence that opens it
	language string
	comment  string // the HTML comment right above it, "" if there is none
	code     string // without the indentation that the fence has
}

var (
	fence       = regexp.MustCompile("^( *)```(.*)$")
	htmlComment = regexp.MustCompile(`^ *<!-- (.*) -->$`)
	indented    = regexp.MustCompile(`^( {4}|\t)`)
)

// readBlocks returns the blocks of code in a page. Blocks that are made by indentation
// alone are errors: they have no language. Errors begin with a line.
func readBlocks(page string) (blocks []block, errs []error) {
	var open *block
	var indentation, before string
	for i, line := range strings.Split(page, "\n") {
		at := fence.FindStringSubmatch(line)
		switch {
		case open != nil && at != nil && at[2] == "":
			blocks, open = append(blocks, *open), nil
		case open != nil:
			open.code += strings.TrimPrefix(line, indentation) + "\n"
		case at != nil:
			open = &block{line: i + 1, language: at[2]}
			indentation = at[1]
			if comment := htmlComment.FindStringSubmatch(before); comment != nil {
				open.comment = comment[1]
			}
		case before == "" && indented.MatchString(line):
			errs = append(errs, fmt.Errorf("%d: put a fence with a language around this code", i+1))
		}
		// The lines of an indented block follow each other: one error will do.
		before = strings.TrimRight(line, " ")
	}
	if open != nil {
		errs = append(errs, fmt.Errorf("%d: nothing closes this block", open.line))
	}
	return blocks, errs
}

// check checks the blocks of a page, and returns the shell commands that do the rest, ""
// if there are none. Errors begin with a line.
func check(page string) (string, []error) {
	blocks, errs := readBlocks(page)
	var script strings.Builder
	for _, b := range blocks {
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
	if b.comment == "" {
		if b.language != "sh" {
			return "", fmt.Errorf("say in a comment above what tests this block in %q: CONTRIBUTING.md lists the comments", b.language)
		}
		return b.code, nil
	}
	verb, object, _ := strings.Cut(b.comment, ": ")
	switch {
	case object == "" && verb != "apply":
	case verb == "not run" && b.language == "sh":
		return "", b.dryRun()
	case verb == "only parsed" && (b.language == "yaml" || b.language == "go"):
		return "", b.parse()
	case verb == "only shown" && b.language == "text":
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
	return "", fmt.Errorf("the comment %q is none for a block in %q: CONTRIBUTING.md lists the comments", b.comment, b.language)
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
	tests := []struct{ name, page, want string }{
		{"run", fence + "sh\nls\n" + fence, ""},
		{"not run", "<!-- not run: it takes long -->\n" + fence + "sh\nmake test\n" + fence, ""},
		{"not run, without a reason", "<!-- not run: -->\n" + fence + "sh\nls\n" + fence, `2: the comment "not run:" is none for a block in "sh"`},
		{"not run, and no shell", "<!-- not run: it takes long -->\n" + fence + "sh\nls 'a\n" + fence, "2: exit status"},
		{"no such target", "<!-- not run: it takes long -->\n" + fence + "sh\nmake nothing\n" + fence, "2: exit status"},
		{"indented", "Run\n\n    ls\n    ls\n\nand so on", "3: put a fence with a language around this code"},
		{"indented text goes on", "- An item\n\n  of two\n    paragraphs", ""},
		{"no comment", "Look:\n\n" + fence + "go\nvar a int\n" + fence, `3: say in a comment above what tests this block in "go"`},
		{"no language", fence + "\nls\n" + fence, `1: say in a comment above what tests this block in ""`},
		{"unknown comment", "<!-- checked: a -->\n" + fence + "go\n" + fence, `2: the comment "checked: a" is none`},
		{"a comment further up", "<!-- only parsed: a -->\n\n" + fence + "go\n" + fence, "3: say in a comment"},
		{"wrong syntax", "<!-- only parsed: a -->\n" + fence + "go\nvar\n" + fence, "2: 2:5: expected"},
		{"wrong YAML", "<!-- only parsed: a -->\n" + fence + "yaml\na: [\n" + fence, "2: yaml: "},
		{"stands there", "- a\n\n  <!-- stands in: Makefile -->\n  " + fence + "text\n  GO ?= go\n\n    FUZZ...\n  " + fence, ""},
		{"stands elsewhere", "<!-- stands in: Makefile -->\n" + fence + "text\nGO ?= gone\n" + fence, `2: Makefile does not have the line "GO ?= gone"`},
		{"in another order", "<!-- stands in: Makefile -->\n" + fence + "text\nFUZZTIME ?= 30s\nGO ?= go\n" + fence, "2: Makefile has these lines, but not one after the other"},
		{"stands nowhere", "<!-- stands in: none -->\n" + fence + "text\na\n" + fence, "2: open "},
		{"nothing stands there", "<!-- stands in: Makefile -->\n" + fence + "text\n" + fence, "2: the block is empty"},
		{"not closed", "a\n" + fence + "sh\nls", "2: nothing closes this block"},
	}
	for _, test := range tests {
		_, errs := check(test.page)
		switch {
		case test.want == "" && len(errs) > 0:
			t.Errorf("%s: %v", test.name, errs)
		case test.want != "" && (len(errs) != 1 || !strings.HasPrefix(errs[0].Error(), test.want)):
			t.Errorf("%s: got %v, want %s", test.name, errs, test.want)
		}
	}
}
