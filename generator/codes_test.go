package generator_test

import (
	"go/ast"
	"go/parser"
	"go/token"
	"io/fs"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/mrgen-io/mrgen/generator/lint"
	"github.com/mrgen-io/mrgen/generator/report"
	"github.com/mrgen-io/mrgen/testdata/expect"
)

// TestCodes holds that each code of a diagnostic in the source is in the reference, that the
// reference has no other, that none has the name of a rule of lint, and that the examples are what
// mrgen says.
func TestCodes(t *testing.T) {
	used, severities, texts := codesInSource(t)
	var known []string
	for _, c := range report.Codes() {
		known = append(known, string(c.Code))
		expect.True(t, used[string(c.Code)] != "", "nothing has the code %s", c.Code)
		for _, severity := range severities[string(c.Code)] {
			expect.True(t, strings.Contains(c.Severity, severity), "%s is %s in the reference, and %s in the source", c.Code, c.Severity, severity)
		}
		expect.True(t, c.Means != "" && c.Remedy != "" && strings.HasSuffix(c.Means, ".") && strings.HasSuffix(c.Remedy, "."), "%s lacks a sentence", c.Code)
		expect.True(t, !slices.ContainsFunc(lint.Rules(), func(r lint.Rule) bool { return r.Name == string(c.Code) }), "%s is the name of a rule, too", c.Code)
		if c.Code == "syntax" {
			continue // Go's words
		}
		expect.True(t, slices.ContainsFunc(texts, func(text *regexp.Regexp) bool { return text.MatchString(c.Example) }), "%s: mrgen never says %q", c.Code, c.Example)
	}
	expect.True(t, slices.IsSorted(known) && len(slices.Compact(slices.Clone(known))) == len(known), "the codes are not sorted, or one is there twice")
	for code, where := range used {
		expect.True(t, slices.Contains(known, code), "%s: the code %q is not in report.Codes: say there what it means", where, code)
	}
}

// directive matches what a message has in place of a value.
var directive = regexp.MustCompile(`%(?:\[\d\])?[a-z]`)

// codesInSource returns where the source has the codes of diagnostics, by code, the severities that it
// gives them where it names both, and expressions that match the texts in the source.
func codesInSource(t *testing.T) (used map[string]string, severities map[string][]string, texts []*regexp.Regexp) {
	t.Helper()
	used, severities = map[string]string{}, map[string][]string{}
	// Names of constants, in the package that declares them, and what is made with them.
	type name struct{ folder, name string }
	constants, made := map[name]string{}, map[name][]string{}
	files := token.NewFileSet()
	note := func(e ast.Expr) {
		if literal, ok := e.(*ast.BasicLit); ok && literal.Kind == token.STRING {
			code := expect.Value(strconv.Unquote(literal.Value))(t)
			used[code] = files.Position(e.Pos()).String()
		}
	}
	for _, root := range []string{".", "../cmd"} {
		err := filepath.WalkDir(root, func(file string, entry fs.DirEntry, err error) error {
			if err != nil || entry.IsDir() || filepath.Ext(file) != ".go" || strings.HasSuffix(file, "_test.go") || filepath.Base(file) == "codes.go" {
				return err
			}
			parsed, err := parser.ParseFile(files, file, nil, 0)
			if err != nil {
				return err
			}
			ast.Inspect(parsed, func(n ast.Node) bool {
				switch n := n.(type) {
				case *ast.ValueSpec:
					if isNamed(n.Type, "Code") {
						for i, value := range n.Values {
							note(value)
							if literal, ok := value.(*ast.BasicLit); ok {
								constants[name{filepath.Dir(file), n.Names[i].Name}] = strings.Trim(literal.Value, `"`)
							}
						}
					}
				case *ast.CallExpr:
					if (isNamed(n.Fun, "Errorf") || isNamed(n.Fun, "Warningf")) && len(n.Args) > 2 {
						note(n.Args[1])
						severity := "error"
						if isNamed(n.Fun, "Warningf") {
							severity = "warning"
						}
						switch code := n.Args[1].(type) {
						case *ast.BasicLit:
							text := strings.Trim(code.Value, `"`)
							severities[text] = append(severities[text], severity)
						case *ast.Ident:
							of := name{filepath.Dir(file), code.Name}
							made[of] = append(made[of], severity)
						}
					}
				case *ast.CompositeLit:
					if isNamed(n.Type, "Diagnostic") && len(n.Elts) > 0 {
						hasCode := false
						for _, element := range n.Elts {
							if pair, ok := element.(*ast.KeyValueExpr); ok && isNamed(pair.Key, "Code") {
								hasCode = true
								note(pair.Value)
							}
						}
						expect.True(t, hasCode, "%s: this diagnostic has no code", files.Position(n.Pos()))
					}
				case *ast.BasicLit:
					text, err := strconv.Unquote(n.Value)
					if n.Kind == token.STRING && err == nil && len(directive.ReplaceAllString(text, "")) > 15 {
						var expr strings.Builder
						for i, part := range directive.Split(text, -1) {
							if i > 0 {
								expr.WriteString(".*")
							}
							expr.WriteString(regexp.QuoteMeta(part))
						}
						texts = append(texts, regexp.MustCompile(expr.String()))
					}
				}
				return true
			})
			return nil
		})
		expect.NoError(t, err)
	}
	for of, all := range made {
		severities[constants[of]] = append(severities[constants[of]], all...)
	}
	return used, severities, texts
}

// isNamed reports whether an expression is a name, of a package or not.
func isNamed(e ast.Expr, name string) bool {
	switch e := e.(type) {
	case *ast.SelectorExpr:
		return e.Sel.Name == name
	case *ast.Ident:
		return e.Name == name
	}
	return false
}
