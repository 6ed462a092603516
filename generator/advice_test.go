package generator_test

import (
	"go/ast"
	"go/parser"
	"go/token"
	"io/fs"
	"maps"
	"os"
	"path"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"

	"golang.org/x/tools/txtar"

	"github.com/mrgen-io/mrgen/testdata/expect"
)

// TestAdviceIsFollowed holds that a script follows each message that tells the reader what to do, up to a run that is
// quiet or says the next step. Scripts whose names begin with advice_ follow all messages that they expect above a line
// that asserts silence. Others name a message by the beginning of its text in the source, and have it in their expected
// output:
//
//	# follows: the field %s has no json tag
//
// A test of the package that says the message will do, too, if it expects the whole text.
//
// The messages in testdata/advice.txt lack both: new ones don't belong there.
func TestAdviceIsFollowed(t *testing.T) {
	folders := advice(t)
	messages := slices.Sorted(maps.Keys(folders))
	followed := map[string]bool{}
	scripts, err := filepath.Glob("../testdata/script/*.txtar")
	expect.Must(t, err == nil && len(scripts) != 0, "%v %v", err, scripts)
	var advised strings.Builder
	for _, script := range scripts {
		content := expect.Value(os.ReadFile(script))(t)
		if strings.HasPrefix(filepath.Base(script), "advice_") {
			advised.WriteString(spoken.Replace(expectedAboveSilence(txtar.Parse(content))))
		}
		output := spoken.Replace(follows.ReplaceAllString(string(content), ""))
		for _, m := range follows.FindAllStringSubmatch(string(content), -1) {
			begins := func(text string) bool { return strings.HasPrefix(text, m[1]) }
			switch i := slices.IndexFunc(messages, begins); {
			case i < 0:
				t.Errorf("%s: no message begins with %q", script, m[1])
			case messages[i] != m[1] && slices.ContainsFunc(messages[i+1:], begins): // sorted: a whole message comes first
				t.Errorf("%s: several messages begin with %q: name more of it", script, m[1])
			case !isExpected(messages[i], output):
				t.Errorf("%s: the expected output lacks the message %q", script, messages[i])
			default:
				followed[messages[i]] = true
			}
		}
	}
	content := expect.Value(os.ReadFile("testdata/advice.txt"))(t)
	lacking := strings.Split(strings.TrimSpace(string(content)), "\n")
	expected := map[string]string{}
	for _, text := range messages {
		followed[text] = followed[text] || isExpected(text, advised.String())
		for _, folder := range folders[text] {
			if _, isRead := expected[folder]; !isRead {
				expected[folder] = inTests(t, folder)
			}
			followed[text] = followed[text] || isExpected(text, expected[folder])
		}
		switch isListed := slices.Contains(lacking, text); {
		case followed[text] && isListed:
			t.Errorf("a test follows %q: remove it from testdata/advice.txt", text)
		case !followed[text] && !isListed:
			t.Errorf("no test follows %q: expect it in a test of its package, or in a script with \"# follows: \" and its beginning", text)
		}
	}
	for _, text := range lacking {
		expect.True(t, slices.Contains(messages, text), "testdata/advice.txt lists %q, which isn't a message", text)
	}
	t.Logf("tests follow all but %d of %d messages", len(lacking), len(messages))
}

// expectedAboveSilence returns the output that a script expects, up to its last line that asserts silence.
func expectedAboveSilence(script *txtar.Archive) string {
	files := map[string]string{}
	for _, file := range script.Files {
		files[path.Base(file.Name)] = string(file.Data)
	}
	var all, pending strings.Builder
	for line := range strings.Lines(string(script.Comment)) {
		switch words := strings.Fields(line); {
		case silence.MatchString(line):
			all.WriteString(pending.String())
			pending.Reset()
		case expectation.MatchString(line):
			pending.WriteString(line + files[path.Base(words[len(words)-1])])
		}
	}
	return all.String()
}

var (
	silence     = regexp.MustCompile(`^(\[.*\] )?(quiet |status 0 mrgen |! std(err|out) )`)
	expectation = regexp.MustCompile(`^(\[.*\] )?(stderr|stdout|says|fails|grep|cmp \S+) `)
)

var (
	follows = regexp.MustCompile(`(?m)^# follows: (.*)$`)
	// spoken turns the patterns of a script's commands into plain text.
	spoken = strings.NewReplacer(`\`, "", "''", "'")
	// remedy matches an imperative in a message.
	remedy = regexp.MustCompile(`(?:.{8}[:;,] (?:or |and |so )?|\) or | first, and )(?:` + imperatives + `)\b|[dD]id you mean`)
)

const imperatives = `add|bound|call|change|check|choose|commit|compare|complete|convert|copy|correct|cover|cut|declare|delete|describe|drop|edit|` +
	`embed|end|export|free|gate|give|have|indent|install|keep|leave|limit|look|make|mark|move|name|pass|publish|put|quote|raise|read|refer|` +
	`remove|rename|replace|report|require|reset|resolve|return|review|run|say|see|select|separate|set|shorten|simplify|sort|spell|split|start|update|use|write`

// advice returns the texts in the source that tell the reader what to do, and the folders with each.
func advice(t *testing.T) map[string][]string {
	t.Helper()
	texts := map[string][]string{}
	for _, root := range []string{".", "../cmd", "../markers"} {
		err := filepath.WalkDir(root, func(file string, entry fs.DirEntry, err error) error {
			if entry != nil && entry.Name() == "testdata" {
				return fs.SkipDir
			}
			if err == nil && strings.HasSuffix(file, ".txt.tmpl") {
				for _, text := range inTemplate(t, file) {
					texts[text] = append(texts[text], filepath.Dir(file))
				}
			}
			isSource := err == nil && filepath.Ext(file) == ".go" && !strings.HasSuffix(file, "_test.go")
			if !isSource || filepath.Base(file) == "codes.go" {
				return err
			}
			parsed, err := parser.ParseFile(token.NewFileSet(), file, nil, 0)
			if err != nil {
				return err
			}
			ast.Inspect(parsed, func(n ast.Node) bool {
				switch n := n.(type) {
				case *ast.CompositeLit: // texts of the reference
					return !isNamed(n.Type, "Rule") && !isNamed(n.Type, "Definition")
				case *ast.KeyValueExpr: // help, and texts of the reference
					return !slices.ContainsFunc([]string{"Short", "Long", "Example", "Doc"}, func(name string) bool { return isNamed(n.Key, name) })
				case *ast.CallExpr: // help of flags, and texts of the schema
					called, isMethod := n.Fun.(*ast.SelectorExpr)
					return !(isMethod && isNamed(called.X, "flags")) && !isNamed(n.Fun, "section")
				case *ast.BasicLit:
					text, err := strconv.Unquote(n.Value)
					text = strings.TrimSpace(text)
					isLine := n.Kind == token.STRING && err == nil && strings.Count(text, " ") > 2 && !strings.Contains(text, "\n")
					if isLine && remedy.MatchString(text) && !strings.ContainsAny(text[:1], "#({") { // not code
						texts[text] = append(texts[text], filepath.Dir(file))
					}
				}
				return true
			})
			return nil
		})
		expect.NoError(t, err)
	}
	return texts
}

// inTests returns the texts of the literals in a folder's tests, a line each, the Go files in its testdata, and the output
// that archives there expect. Literals that are added are one text.
func inTests(t *testing.T, folder string) string {
	t.Helper()
	files := expect.Value(filepath.Glob(filepath.Join(folder, "*_test.go")))(t)
	var texts strings.Builder
	for _, file := range files {
		parsed := expect.Value(parser.ParseFile(token.NewFileSet(), file, nil, 0))(t)
		ast.Inspect(parsed, func(n ast.Node) bool {
			text := textOf(n)
			texts.WriteString(text + "\n")
			return text == ""
		})
	}
	for _, name := range expect.Value(filepath.Glob(filepath.Join(folder, "testdata", "*.go")))(t) {
		texts.Write(expect.Value(os.ReadFile(name))(t))
	}
	archives := expect.Value(filepath.Glob(filepath.Join(folder, "testdata", "*", "*.txtar")))(t)
	for _, name := range archives {
		archive := expect.Value(txtar.ParseFile(name))(t)
		for _, file := range archive.Files {
			if file.Name == "want" {
				texts.Write(file.Data)
			}
		}
	}
	return spoken.Replace(texts.String())
}

// textOf returns the text of a literal, or of a sum of literals and other operands.
func textOf(n ast.Node) string {
	switch n := n.(type) {
	case *ast.BasicLit:
		text, _ := strconv.Unquote(n.Value) // a number has no text
		return text
	case *ast.BinaryExpr:
		if n.Op == token.ADD {
			return textOf(n.X) + textOf(n.Y)
		}
	}
	return ""
}

// inTemplate returns the lines of a template of output that tell the reader what to do. %s stands for a value.
func inTemplate(t *testing.T, file string) []string {
	t.Helper()
	content := expect.Value(os.ReadFile(file))(t)
	var texts []string
	for line := range strings.Lines(string(content)) {
		line = control.ReplaceAllString(line, "")
		if line = strings.TrimSpace(value.ReplaceAllString(line, "%s")); remedy.MatchString(line) {
			texts = append(texts, line)
		}
	}
	return texts
}

var (
	control = regexp.MustCompile(`\{\{(?:if|else|end|with|range|-? ?/\*)[^}]*\}\}`)
	value   = regexp.MustCompile(`\{\{[^}]*\}\}`)
)

// isExpected reports whether a text has the parts of a message between its values, in a row.
func isExpected(message, text string) bool {
	parts := directive.Split(strings.ReplaceAll(message, "%%", "%"), -1)
	for i, part := range parts {
		part = spoken.Replace(part)
		if !strings.Contains(text, part) {
			return false // what takes a fraction of the time of the expression
		}
		parts[i] = regexp.QuoteMeta(part)
	}
	return regexp.MustCompile(strings.Join(parts, ".*")).MatchString(text)
}
