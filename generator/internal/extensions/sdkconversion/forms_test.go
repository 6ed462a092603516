package sdkconversion

import (
	_ "embed"
	"go/ast"
	"go/parser"
	"go/token"
	"go/types"
	"slices"
	"testing"

	"github.com/mrgen-io/mrgen/testdata/expect"
)

// formsSource has types by how they hold a value: one for each row.
//
//go:embed testdata/forms.go
var formsSource string

// forms type-checks formsSource.
func forms(t *testing.T) *types.Scope {
	t.Helper()
	fset := token.NewFileSet()
	file := expect.Value(parser.ParseFile(fset, "forms.go", formsSource, 0))(t)
	p := expect.Value((&types.Config{}).Check("example.org/forms", fset, []*ast.File{file}, nil))(t)
	return p.Scope()
}

// TestWrapperForms says how types hold a value, and which flags are asked.
func TestWrapperForms(t *testing.T) {
	t.Parallel()
	scope := forms(t)
	for name, want := range map[string]struct{ read, written, asked string }{
		"Plain":   {},
		"Closed":  {"string in Value", "string in Value", ""},
		"Flagged": {"string in Value if Valid", "string in Value if Valid", ""},
		"Asked":   {"", "", "Null"},
		"Counted": {},
		"Three":   {},
		"Text":    {"string in Value if Present generic", "string in Value if Present generic", ""},
		"Other":   {},
		"Getter":  {"string", "string", ""},
		"Asking":  {"string says set", "string", ""},
		"Failing": {},
		"Taking":  {},
		"Two":     {},
		"Empty":   {},
		"Open":    {},
	} {
		typ := scope.Lookup(name).Type()
		describe := func(of wrapper) (text string) {
			if of.held == nil {
				return ""
			}
			text = of.held.String()
			if of.read == "Value" {
				text += " in Value"
			}
			if of.flag != "" {
				text += " if " + of.flag
			}
			if of.saysSet {
				text += " says set"
			}
			if of.generic {
				text += " generic"
			}
			return text
		}
		expect.Equal(t, want.read, describe(wrapperOf(typ, true)), "%s is read as", name)
		expect.Equal(t, want.written, describe(wrapperOf(typ, false)), "%s is written as", name)
		expect.Equal(t, want.asked, wrapperOf(typ, false).asked, "%s asks for", name)
		held, sendsZero := Held(typ)
		isHeld := slices.Contains([]string{"Text", "Getter", "Asking"}, name)
		expect.True(t, (held != nil) == isHeld && sendsZero == isHeld, "%s holds %v, and sends zero: %t", name, held, sendsZero)
	}
	for name, want := range map[string]string{"Closed": "f.Value = v", "Text": "f.Value, f.Present = v, true", "Getter": "f.Set(v)"} {
		expect.Equal(t, want, Fill(scope.Lookup(name).Type(), "f", "v"), "%s", name)
	}
}

// TestVisibility says which packages may import others, and which names are variables of generated functions.
func TestVisibility(t *testing.T) {
	t.Parallel()
	for _, tc := range []struct {
		importer, path string
		want           bool
	}{
		{"a.org/x/y", "a.org/z", true}, {"a.org/x/y", "a.org/x/internal/z", true}, {"a.org/x", "a.org/x/internal", true},
		{"a.org/xy", "a.org/x/internal", false}, {"b.org", "a.org/x/internal/z", false}, {"a.org/x", "internal/z", true},
		{"a.org/x", "a.org/x/internal/y/internal/z", false}, {"a.org/x", "a.org/internals", true},
	} {
		expect.Equal(t, tc.want, mayImport(tc.importer, tc.path), "%s may import %s", tc.importer, tc.path)
	}
	for name, want := range map[string]bool{"in": true, "in2": true, "value19": true, "inner": false, "2": false, "isSet": true} {
		expect.Equal(t, want, isVariable(name), "%s is a variable", name)
	}
}
