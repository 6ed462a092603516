package combinations_test

import (
	"go/ast"
	"go/parser"
	"go/token"
	"go/types"
	"maps"
	"math/rand/v2"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/mrgen-io/mrgen/markers"
	"github.com/mrgen-io/mrgen/testdata/expect"
)

// TestMarkersAreComplete holds that every marker of the reference has cells, and that the table of lines has no others.
func TestMarkersAreComplete(t *testing.T) {
	tried := map[string]bool{}
	for _, c := range marked(rand.New(rand.NewPCG(1, 0)), false) {
		tried[c.marking.name] = true
	}
	names := markers.Names()
	for _, name := range names {
		if !tried[name] && name != "build" { // gofmt moves it
			t.Errorf("no cell has the marker +%s", name)
		}
	}
	for name := range lines {
		expect.True(t, slices.Contains(names, name), "there is no marker +%s", name)
	}
}

// TestTypesAreComplete holds that the table of types has each kind of type, and each basic type.
func TestTypesAreComplete(t *testing.T) {
	// rows are the rows with types of a kind. Tuples and unions are no types of fields.
	rows := map[string]string{
		"Alias": "alias of string", "Array": "array", "Basic": "bool", "Chan": "channel", "Interface": "interface", "Map": "map",
		"Named": "named string", "Pointer": "*bool", "Signature": "function", "Slice": "list of strings", "Struct": "struct without a name",
		"TypeParam": "generic struct", "Tuple": "", "Union": "",
	}
	expect.Equal(t, slices.Sorted(maps.Keys(rows)), kindsOfTypes(t), "go/types has the kinds")
	for kind, row := range rows {
		expect.True(t, row == "" || slices.ContainsFunc(goTypes, func(g goType) bool { return g.name == row }), "no row %s for %s", row, kind)
	}
	for _, basic := range types.Typ[types.Bool : types.UnsafePointer+1] {
		word := regexp.MustCompile(`\b` + regexp.QuoteMeta(strings.TrimPrefix(basic.String(), "unsafe.")) + `\b`)
		if basic.Kind() != types.UntypedNil && !slices.ContainsFunc(goTypes, func(g goType) bool { return word.MatchString(g.expr + g.decl) }) {
			t.Errorf("no row has the type %s", basic)
		}
	}
}

// kindsOfTypes returns the types of go/types that have a method Underlying, sorted.
func kindsOfTypes(t *testing.T) []string {
	root := expect.Value(exec.Command("go", "env", "GOROOT").Output())(t)
	files, err := filepath.Glob(filepath.Join(strings.TrimSpace(string(root)), "src/go/types/*.go"))
	expect.Must(t, err == nil && len(files) != 0, "%v %v", err, files)
	found := map[string]bool{}
	for _, file := range files {
		parsed := expect.Value(parser.ParseFile(token.NewFileSet(), file, nil, parser.SkipObjectResolution))(t)
		for _, decl := range parsed.Decls {
			function, isFunction := decl.(*ast.FuncDecl)
			if !isFunction || function.Recv == nil || function.Name.Name != "Underlying" {
				continue
			}
			if name := strings.TrimPrefix(types.ExprString(function.Recv.List[0].Type), "*"); ast.IsExported(name) {
				found[name] = true
			}
		}
	}
	return slices.Sorted(maps.Keys(found))
}
