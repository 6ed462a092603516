package fix_test

import (
	"bytes"
	"context"
	"fmt"
	"go/format"
	"maps"
	"math/rand/v2"
	"os"
	"os/exec"
	"path"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"golang.org/x/tools/txtar"

	"github.com/mrgen-io/mrgen/generator"
	"github.com/mrgen-io/mrgen/generator/diag"
	"github.com/mrgen-io/mrgen/generator/fix"
	"github.com/mrgen-io/mrgen/generator/run"
	"github.com/mrgen-io/mrgen/markers"
	"github.com/mrgen-io/mrgen/testdata/budget"
	"github.com/mrgen-io/mrgen/testdata/expect"
	"github.com/mrgen-io/mrgen/testdata/testmodule"
	"github.com/mrgen-io/mrgen/testdata/testprovider"
)

var fixes = map[string]func(context.Context, run.Options) (generator.Result, error){
	"immutable": func(ctx context.Context, options run.Options) (generator.Result, error) {
		return fix.Immutable(ctx, options, fix.Selection{All: true})
	},
	"markers":    fix.Markers,
	"references": fix.References,
	"relax":      fix.Relax,
}

// checks are what holds for the files that a fix changes.
var checks = map[string]func(*testing.T, run.Change){"immutable": checkCode, "markers": checkComments, "references": checkAdded, "relax": checkAdded}

// TestFixes runs the fixes on the modules in testdata/fix, which has a folder for
// each. An archive holds a module; the file "want" is what the fix reports, and the
// diff that it makes. Files whose names end with .crlf have the line breaks of
// Windows. A file "kinds" names kinds of a package, which become their Go types, but
// for the parameters.
func TestFixes(t *testing.T) {
	archives := testmodule.Glob(t, "../../testdata/fix/*/*.txtar")
	for _, name := range archives {
		fix := filepath.Base(filepath.Dir(name))
		t.Run(fix+"/"+strings.TrimSuffix(filepath.Base(name), ".txtar"), func(t *testing.T) {
			t.Parallel()
			dir, archive := moduleOf(t, name)
			testmodule.CompareText(t, name, archive, runFix(t, dir, fixes[fix], checks[fix]))
		})
	}
}

// runFix runs a fix twice on the module, checks what holds for all fixes, and returns
// what the first run reports and changes. Without a check of its own, a fix may leave work
// for others.
func runFix(t *testing.T, dir string, fix func(context.Context, run.Options) (generator.Result, error), check func(*testing.T, run.Change)) string {
	t.Helper()
	options := run.Default()
	options.Dir = dir
	result := expect.Value(fix(context.Background(), options))(t)
	var b strings.Builder
	failed := false
	for _, d := range result.Diagnostics {
		fmt.Fprintln(&b, d)
		failed = failed || d.Severity == diag.Error
	}
	changes := result.Changes()
	if failed {
		expect.True(t, len(changes) == 0, "%d files change in spite of errors", len(changes))
		return b.String()
	}
	b.Write(bytes.ReplaceAll(result.Diff(), []byte("\r\n"), []byte("<CR>\n")))
	for _, c := range changes {
		if path.Ext(c.Path) == ".go" {
			checkForm(t, c)
		}
		if check != nil {
			check(t, c)
		}
	}
	diags, err := result.Apply(context.Background())
	expect.Must(t, err == nil && len(diags) == 0, "cannot apply: %v %v", err, diags)
	if again, err := fix(context.Background(), options); err != nil || len(again.Changes()) > 0 {
		t.Errorf("a second run changes %d files (%v):\n%s", len(again.Changes()), err, again.Diff())
	}
	for _, d := range generateAndBuild(t, dir) {
		expect.True(t, check == nil || !strings.Contains(d.Message, "mrgen fix"), "generate: %s", d)
	}
	return b.String()
}

// generateAndBuild generates the code of a fixed module, has the compiler judge its API packages, and returns what
// generate says.
func generateAndBuild(t *testing.T, dir string) []diag.Diagnostic {
	t.Helper()
	options := run.Default()
	options.Dir, options.AllowDangerousTypes = dir, true
	generated := expect.Value(generator.Generate(context.Background(), options))(t)
	for _, d := range generated.Diagnostics {
		if d.Severity == diag.Error {
			t.Errorf("generate: %s", d)
			return nil
		}
	}
	// The stand-ins lack what other generated files need.
	for _, c := range generated.Changes() {
		if base := path.Base(c.Path); strings.HasPrefix(base, "zz_generated.helpers_") || slices.Contains([]string{"zz_generated.deepcopy.go", "zz_generated.observation.go", "zz_generated.resolvers.go"}, base) {
			testmodule.Write(t, filepath.Join(dir, filepath.FromSlash(c.Path)), c.New)
		}
	}
	command := exec.Command("go", "build", "./apis/...")
	command.Dir = dir
	command.Env = append(os.Environ(), "GOFLAGS=-mod=mod -trimpath", "GOWORK=off", "GOPROXY=off")
	output, err := command.CombinedOutput()
	expect.True(t, err == nil, "the API packages do not compile: %v\n%s", err, output)
	return generated.Diagnostics
}

// checkForm checks that a file keeps its kind of line breaks, and that it is formatted if
// it was.
func checkForm(t *testing.T, c run.Change) {
	t.Helper()
	before, after := unix(c.Old), unix(c.New)
	expect.True(t, len(before) >= len(c.Old) || bytes.Count(c.New, []byte("\n")) == bytes.Count(c.New, []byte("\r\n")), "%s: the line breaks are mixed", c.Path)
	formatted, err := format.Source(after)
	expect.True(t, err == nil && (!isFormatted(t, before) || bytes.Equal(formatted, after)), "%s: the file is not formatted any more (%v):\n%s", c.Path, err, after)
}

func isFormatted(t *testing.T, source []byte) bool {
	t.Helper()
	formatted := expect.Value(format.Source(source))(t)
	return bytes.Equal(formatted, source)
}

// checkAdded checks that a file keeps all its bytes but for spaces, in their order.
func checkAdded(t *testing.T, c run.Change) {
	t.Helper()
	before, after := unix(c.Old), unix(c.New)
	if isFormatted(t, before) {
		before, after = bytes.Join(bytes.Fields(before), nil), bytes.Join(bytes.Fields(after), nil)
	}
	for _, b := range before {
		i := bytes.IndexByte(after, b)
		if i < 0 {
			t.Errorf("%s: the file has lost something", c.Path)
			return
		}
		after = after[i+1:]
	}
}

// checkComments checks that a file keeps all its lines but for some that are comments.
func checkComments(t *testing.T, c run.Change) {
	t.Helper()
	before, after := strings.Split(string(c.Old), "\n"), strings.Split(string(c.New), "\n")
	expect.Must(t, len(before) == len(after), "%s: %d lines become %d", c.Path, len(before), len(after))
	for i := range before {
		isComment := strings.HasPrefix(strings.TrimSpace(before[i]), "//") && strings.HasPrefix(strings.TrimSpace(after[i]), "//")
		expect.True(t, before[i] == after[i] || isComment, "%s:%d: %q becomes %q", c.Path, i+1, before[i], after[i])
	}
}

// checkCode checks that a file keeps all its lines but for markers, and gets no others.
func checkCode(t *testing.T, c run.Change) {
	t.Helper()
	code := func(text []byte) []string {
		var lines []string
		for line := range strings.Lines(string(text)) {
			words := strings.Fields(line) // gofmt aligns them
			isComment := len(words) > 0 && words[0] == "//"
			if !isComment || len(words) > 1 && !strings.HasPrefix(words[1], "+") {
				lines = append(lines, strings.Join(words, " "))
			}
		}
		return lines
	}
	diff := cmp.Diff(code(c.Old), code(c.New))
	expect.True(t, diff == "", "%s: -before +after:\n%s", c.Path, diff)
}

func unix(text []byte) []byte { return bytes.ReplaceAll(text, []byte("\r\n"), []byte("\n")) }

// writeSource writes a file of an archive.
func writeSource(t *testing.T, dir string, f txtar.File) {
	t.Helper()
	name, isDOS := strings.CutSuffix(f.Name, ".crlf")
	file := filepath.Join(dir, filepath.FromSlash(name))
	switch {
	case isDOS:
		testmodule.Write(t, file, bytes.ReplaceAll(f.Data, []byte("\n"), []byte("\r\n")))
	case path.Base(name) == "kinds":
		testmodule.WriteKinds(t, filepath.Dir(file), string(f.Data))
	default:
		testmodule.Write(t, file, f.Data)
	}
}

// companions matches the fields for references and selectors in a provider's source.
var companions = regexp.MustCompile(`\n\n(\t// .*\n)+\t\w+(Refs?|Selector) +(\*|\[\])xpv\d\.\w+ .*`)

// TestFixReferencesRestores removes the fields for references and selectors from
// providers, and has the fix add them again.
func TestFixReferencesRestores(t *testing.T) {
	t.Parallel()
	for _, p := range testprovider.All() {
		if p != "provider-references" && !budget.IsLarge() {
			continue
		}
		tree := testmodule.ReadTree(t, filepath.Join("../../testdata", p))
		maps.DeleteFunc(tree, func(name string, _ []byte) bool { return testprovider.IsGenerated(name) })
		stripped := maps.Clone(tree)
		removed := 0
		for name, content := range tree {
			// A marker that names a reference wants it to be there.
			if strings.HasSuffix(name, "_types.go") && !bytes.Contains(content, []byte("+"+markers.RequiredOneOf)) {
				removed += len(companions.FindAll(content, -1))
				stripped[name] = companions.ReplaceAll(content, nil)
			}
		}
		expect.Must(t, p != "provider-references" || removed >= 50, "only %d fields are removed", removed)
		if removed == 0 {
			continue
		}
		dir := t.TempDir()
		testmodule.WriteTree(t, dir, stripped)
		result := expect.Value(fix.References(context.Background(), testprovider.Options(t, dir).Run()))(t)
		diags, err := result.Apply(context.Background())
		expect.Must(t, err == nil && len(diags) == 0, "%s: cannot apply: %v %v %v", p, err, diags, result.Diagnostics)
		testprovider.Generate(t, testprovider.Options(t, dir))
		if p != "provider-references" {
			continue // what others call their fields, and say of them, is their own
		}
		restored := testmodule.ReadTree(t, dir)
		for name := range tree {
			expect.Equal(t, words(tree[name]), words(restored[name]), "%s is not restored", name)
		}
	}
}

// words returns the words of source, wherever its comments break lines.
func words(source []byte) []string {
	return slices.DeleteFunc(strings.Fields(string(source)), func(word string) bool { return word == "//" })
}

// fieldMarker matches a marker at a field.
var fieldMarker = regexp.MustCompile(`(?m)^\t+// \+[a-z].*$`)

// TestFixMarkersRestores misspells markers of providers, one way or another, and has the
// fix put them right: each becomes what it was or, where it takes a person to tell, stays
// as it is. Nothing else changes.
func TestFixMarkersRestores(t *testing.T) {
	t.Parallel()
	for i, p := range testprovider.Some(2) {
		t.Run(p, func(t *testing.T) {
			t.Parallel()
			r := rand.New(rand.NewPCG(uint64(i), 0))
			tree := testmodule.ReadTree(t, filepath.Join("../../testdata", p))
			maps.DeleteFunc(tree, func(name string, _ []byte) bool { return testprovider.IsGenerated(name) })
			slipped, slips := maps.Clone(tree), 0
			for _, name := range slices.Sorted(maps.Keys(tree)) {
				if !strings.HasSuffix(name, "_types.go") {
					continue
				}
				slipped[name] = fieldMarker.ReplaceAllFunc(tree[name], func(line []byte) []byte {
					if r.IntN(3) > 0 {
						return line
					}
					slips++
					return misspell(r, line)
				})
			}
			dir := t.TempDir()
			testmodule.WriteTree(t, dir, slipped)
			result := expect.Value(fix.Markers(context.Background(), testprovider.Options(t, dir).Run()))(t)
			diags, err := result.Apply(context.Background())
			expect.Must(t, err == nil && len(diags) == 0, "cannot apply: %v %v %v", err, diags, result.Diagnostics)
			left := 0
			for name, content := range testmodule.ReadTree(t, dir) {
				was, is := strings.Split(string(tree[name]), "\n"), strings.Split(string(content), "\n")
				had := strings.Split(string(slipped[name]), "\n")
				expect.Must(t, len(was) == len(is), "%s has %d lines in place of %d", name, len(is), len(was))
				for i := range is {
					switch is[i] {
					case was[i]:
					case had[i]:
						left++
					default:
						t.Errorf("%s:%d: %q was misspelt as %q, and becomes %q", name, i+1, was[i], had[i], is[i])
					}
				}
			}
			t.Logf("%d of %d are left", left, slips)
			expect.True(t, slips <= 20 || left <= slips/3, "%d of %d are left", left, slips)
			if again, err := fix.Markers(context.Background(), testprovider.Options(t, dir).Run()); err != nil || len(again.Changes()) > 0 {
				t.Errorf("a second run changes %d files (%v)", len(again.Changes()), err)
			}
		})
	}
}

// misspell returns a line with a marker that nobody reads.
func misspell(r *rand.Rand, line []byte) []byte {
	text := string(line)
	plus := strings.IndexByte(text, '+')
	marker, tail := text[plus+1:], ""
	if i := strings.IndexAny(marker, "="); i >= 0 {
		marker, tail = marker[:i], marker[i:]
	}
	at := 1 + r.IntN(len(marker)-2)
	switch r.IntN(6) {
	case 0: // a space after the plus sign
		marker = " " + marker
	case 1: // no plus sign
		if strings.HasPrefix(marker, "kubebuilder:") {
			return []byte(text[:plus] + marker + tail)
		}
		marker = marker[:at] + marker[at+1:]
	case 2: // a letter is missing
		marker = marker[:at] + marker[at+1:]
	case 3: // a letter is there twice
		marker = marker[:at] + marker[at-1:]
	case 4: // two letters are swapped
		marker = marker[:at] + marker[at+1:at+2] + marker[at:at+1] + marker[at+2:]
	case 5: // the case is wrong
		marker = strings.ToUpper(marker[:1]) + marker[1:]
	}
	return []byte(text[:plus+1] + marker + tail)
}
