package main

import (
	"bytes"
	"errors"
	"fmt"
	"go/parser"
	"go/token"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/rogpeppe/go-internal/testscript"
	"go.yaml.in/yaml/v3"
)

// executed are the pages of the guide whose code is executed: blocks of sh are run one
// after the other, in one shell, unless a comment above says why not; a block of go
// goes into a file if a comment above says into which, and after which text. All YAML
// must parse, and all other Go in them.
var executed = []string{"tutorial.md", "switch.md", "ci.md"}

// A block is code in a page.
type block struct {
	page     string
	line     int
	language string
	// comment is the HTML comment above it.
	comment string
	code    string
}

var (
	fence     = regexp.MustCompile("(?ms)^(?:<!-- ([^\n]*) -->\n)?```(\\w*)\n(.*?)^```$")
	insertion = regexp.MustCompile(`^insert into (\S+) after: (.*)$`)
)

// blocks returns the blocks of code in a page of the guide.
func blocks(t *testing.T, page string) []block {
	t.Helper()
	content, err := os.ReadFile(filepath.Join("..", "..", "docs", "guide", page))
	if err != nil {
		t.Fatal(err)
	}
	var found []block
	for _, at := range fence.FindAllSubmatchIndex(content, -1) {
		part := func(i int) string {
			if at[2*i] < 0 {
				return ""
			}
			return string(content[at[2*i]:at[2*i+1]])
		}
		found = append(found, block{
			page: page, line: 1 + bytes.Count(content[:at[0]], []byte("\n")),
			comment: part(1), language: part(2), code: part(3),
		})
	}
	if len(found) < 3 {
		t.Fatalf("%s has only %d blocks of code", page, len(found))
	}
	return found
}

// TestGuide executes the code in the guide.
func TestGuide(t *testing.T) {
	if testing.Short() {
		t.Skip("builds a provider")
	}
	if _, err := exec.LookPath("sh"); err != nil {
		t.Skip("there is no shell")
	}
	dir := t.TempDir()
	for _, page := range executed {
		script, err := pageScript(blocks(t, page))
		if err != nil {
			t.Error(err)
		}
		if script == "" {
			continue
		}
		name := strings.TrimSuffix(page, ".md")
		text := "exec sh -eux page.sh\n-- page.sh --\n" + script
		if err := os.WriteFile(filepath.Join(dir, name+".txtar"), []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	goEnvironment := goEnvironment(t)
	testscript.Run(t, testscript.Params{
		Dir: dir,
		Setup: func(env *testscript.Env) error {
			for name, value := range goEnvironment {
				env.Setenv(name, value)
			}
			return nil
		},
	})
}

// pageScript returns the shell script that executes the blocks of a page, "" if there
// is nothing to execute.
func pageScript(page []block) (string, error) {
	var script strings.Builder
	var errs []error
	for _, b := range page {
		wrong := func(err error) {
			if err != nil {
				errs = append(errs, fmt.Errorf("docs/guide/%s:%d: %w", b.page, b.line, err))
			}
		}
		into := insertion.FindStringSubmatch(b.comment)
		switch {
		case into != nil:
			fmt.Fprintf(&script, "grep -qF '%s' %s\n", into[2], into[1])
			fmt.Fprintf(&script, "cat > block <<'END'\n%sEND\n", b.code)
			fmt.Fprintf(&script, "sed '/%s/r block' %s > edited\nmv edited %[2]s\nrm block\n", strings.NewReplacer("/", `\/`, "*", `\*`).Replace(into[2]), into[1])
		case strings.HasPrefix(b.comment, "not run: "):
		case b.comment != "":
			wrong(fmt.Errorf("the comment %q says nothing to the test", b.comment))
		case b.language == "sh":
			script.WriteString(b.code)
		case b.language == "yaml":
			var document any
			wrong(yaml.Unmarshal([]byte(b.code), &document))
		case b.language == "go":
			_, err := parser.ParseFile(token.NewFileSet(), "", "package p\n"+b.code, parser.ParseComments)
			wrong(err)
		default:
			wrong(fmt.Errorf("nothing checks code in %q", b.language))
		}
	}
	return script.String(), errors.Join(errs...)
}
