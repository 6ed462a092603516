package goedit

import (
	"fmt"
	"go/ast"
	"strings"
	"testing"

	"github.com/mrgen-io/mrgen/testdata/expect"
)

// parse returns a file of the module in an empty folder.
func parse(t *testing.T, content string) *File {
	t.Helper()
	f := expect.Value(Parse(t.TempDir(), "p.go", []byte(content)))(t)
	return f
}

// same compares the edited file with what is wanted.
func same(t *testing.T, f *File, want string) {
	t.Helper()
	got := expect.Value(f.Edited())(t)
	expect.Equal(t, want, string(got), "the file differs")
}

// TestForm checks that a file keeps its form: line breaks, byte order mark, and how it is
// aligned if that is not as gofmt does it.
func TestForm(t *testing.T) {
	const (
		formatted   = "package p\n\ntype T struct {\n\tA int    // one\n\tB string // two\n}\n"
		edited      = "package p\n\ntype T struct {\n\tA *int   // one\n\tB string // two\n}\n"
		unformatted = "package p\n\ntype T struct {\n  A int    // one\n\tB string // two\n}"
	)
	windows := func(text string) string { return strings.ReplaceAll(text, "\n", "\r\n") }
	mixed := strings.Replace(formatted, "\n", "\r\n", 1)
	pointer := func(text string) string { return strings.Replace(text, "int", "*int", 1) }
	for before, after := range map[string]string{
		formatted:                      edited,
		windows(formatted):             windows(edited),
		"\ufeff" + formatted:           "\ufeff" + edited,
		"\ufeff" + windows(formatted):  "\ufeff" + windows(edited),
		unformatted:                    pointer(unformatted),
		windows(unformatted):           pointer(windows(unformatted)),
		mixed:                          pointer(mixed),
		"\ufeff" + mixed + "// \r end": pointer("\ufeff" + mixed + "// \r end"),
	} {
		f := parse(t, before)
		column := 2
		if strings.Contains(before, "  A") {
			column = 3
		}
		f.Field(4, column).MakePointer()
		same(t, f, after)
	}
}

// TestInsertBeforeType covers single, grouped and local declarations.
func TestInsertBeforeType(t *testing.T) {
	for before, after := range map[string]string{
		"package p\n\n// A T holds.\n// +a\ntype T struct{} // all\n": "package p\n\n// A T holds.\n// +a\n// +b\ntype T struct{} // all\n",
		"package p\n\ntype (\n\t// A T holds.\n\tT struct{}\n)\n":     "package p\n\ntype (\n\t// A T holds.\n\t// +b\n\tT struct{}\n)\n",
		"package p; type T struct{}\n":                                "package p; \n// +b\ntype T struct{}\n",
		"package p\n\nfunc f() {\n\ttype T struct{}\n}\n":             "package p\n\nfunc f() {\n\t// +b\n\ttype T struct{}\n}\n",
		"package p\r\n\r\ntype T struct{}\r\n":                        "package p\r\n\r\n// +b\r\ntype T struct{}\r\n", "package p\n\ntype U struct{}\n": "package p\n\ntype U struct{}\n",
	} {
		f := parse(t, before)
		found := f.InsertBeforeType("// +b", func(spec *ast.TypeSpec) bool { return spec.Name.Name == "T" })
		expect.Equal(t, before != after, found, "%q: found", before)
		same(t, f, after)
	}
}

// TestInsertElement covers lists on one line, and on a line for each element.
func TestInsertElement(t *testing.T) {
	for before, after := range map[string]string{
		"f(a.b)": "f(a.b, c)", "f(a.b,\n)": "f(a.b,\n\tc,\n)", "f(a.b,\r\n)": "f(a.b,\r\n\tc,\r\n)",
		"l{\n\t\ta.b, // with ) and }\n\n}": "l{\n\t\ta.b, // with ) and }\n\t\tc,\n\n}", "l{a.b, /* one\n two */}": "l{a.b, c, /* one\n two */}",
		"l{a.b /* one */ }": "l{a.b, c /* one */ }", "l{\n\ta.b, 7, 8,\n}": "l{\n\ta.b, c, 7, 8,\n}", "f(g(1), a.b)": "f(g(1), a.b, c)",
		"l{\n\t\t\"é\", /* é */ a.b, /* é */\n}": "l{\n\t\t\"é\", /* é */ a.b, /* é */\n\t\tc,\n}",
	} {
		const top = "package p\n\nvar  v =\t"
		f := parse(t, top+before+"\n")
		ast.Inspect(f.Syntax, func(node ast.Node) bool {
			if selector, ok := node.(*ast.SelectorExpr); ok {
				expect.Equal(t, "a.b", f.Text(selector), "the text")
				f.InsertElement(selector, "c")
			}
			return true
		})
		want := top + after + "\n"
		if strings.Contains(before, "(a.b,\n") || strings.Contains(before, "(a.b,\r\n") {
			want = strings.Replace(want, "\tc,", "c,", 1) // as far in as the line of the first
		}
		same(t, f, want)
	}
}

// TestReplaceComment checks that a line is replaced or removed, with an empty comment that
// then separates nothing, and that nothing is edited that is not at its place.
func TestReplaceComment(t *testing.T) {
	for before, after := range map[string]string{
		"// T.\n// +a\n": "// T.\n", "// T.\n//\n// +a\n": "// T.\n", "// +a\n//\n// T.\n": "// T.\n", "// T.\n//\n// +a\n// U.\n": "// T.\n//\n// U.\n",
		"// T.\n//\n// +a\n//\n// U\n": "// T.\n//\n// U\n", "// T.\r\n//\r\n// +a\r\n": "// T.\r\n", "  //  +a\n": "",
	} {
		const top, end = "package  p\n", "type T struct{}\n"
		line := strings.Count(before[:strings.Index(before, "+a")], "\n")
		column := strings.Index(before, "+a") - strings.LastIndex("\n"+before[:strings.Index(before, "+a")], "\n") + 1
		f := parse(t, top+before+end)
		expect.True(t, f.ReplaceComment(2+line, column, "+a", ""), "%q: there is no comment in line %d, column %d", before, 2+line, column)
		same(t, f, top+after+end)
		f = parse(t, top+before+end)
		f.ReplaceComment(2+line, column, "+a", "+bc")
		same(t, f, top+strings.Replace(before, "+a", "+bc", 1)+end)
	}

	const source = "package p\n\n// +a\ntype T struct{ A int /* +a */ } // +a\n"
	f := parse(t, source)
	for _, at := range []position{{3, 3}, {3, 5}, {2, 4}, {4, 25}, {4, 36}, {3, 400}, {4, 400}, {5, 1}, {400, 4}, {0, 4}, {3, 0}, {3, -9}, {-1, -1}} {
		expect.True(t, !f.ReplaceComment(at.line, at.column, "+a", ""), "there is no comment of a line at %v", at)
	}
	expect.True(t, !f.IsEdited(), "it is edited")
	expect.True(t, f.Replace(4, 25, "+a", "+b"), "the text is not found")
	same(t, f, strings.Replace(source, "/* +a", "/* +b", 1))
}

// FuzzFile adds a comment before and a field after each field of any source, omitempty to
// each tag, and an import: the source still parses, and has all that it had.
func FuzzFile(f *testing.F) {
	for _, source := range []string{
		"package p\n\ntype T struct {\n\tA int `json:\"a\"` // c\n\tB, C string\n}\n", "package p\r\n\r\ntype T struct {\r\n\tA int `json:\"a\"`\r\n}\r\n",
		"package p;type T struct{A struct{B int/* c\n*/};C int\"json:\\\"c\\\"\"}",
		"\ufeffpackage p\n\nvar v = struct{ A int }{1}\n\nfunc f(s struct{ A int }) { type t struct{ B []struct{ C int } } }\n",
		"package p\ntype T struct {\n//line a.go:7\nA int\n}", "package p\ntype T struct {\n\tA int `a:\"b\"\r\n json:\"a,b\"`\n}",
	} {
		f.Add(source)
	}
	f.Fuzz(func(t *testing.T, source string) {
		parsed, err := Parse(t.TempDir(), "p.go", []byte(source))
		if err != nil {
			return
		}
		seen := map[*Field]bool{}
		for _, d := range parsed.fields {
			if !seen[d] {
				seen[d] = true
				d.InsertBefore("// Y is new.")
				d.AddOption("omitempty")
				d.InsertAfter([][]string{{"// X is new.", fmt.Sprintf("X%d int", len(seen))}})
			}
		}
		parsed.Import("example.org/x", "", "x")
		edited, err := parsed.Edited()
		expect.Must(t, err == nil, "%v:\n%q", err, source)
		n := strings.Count(string(edited), "// X is new.") - strings.Count(source, "// X is new.")
		expect.True(t, n == len(seen), "%d fields are added, want %d", n, len(seen))
		rest := strings.Join(strings.Fields(string(edited)), "")
		for _, r := range strings.Join(strings.Fields(source), "") {
			at := strings.IndexRune(rest, r)
			expect.Must(t, at >= 0, "%q has lost %q:\n%q", source, r, edited)
			rest = rest[at+1:]
		}
	})
}
