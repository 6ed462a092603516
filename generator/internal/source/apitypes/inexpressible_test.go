package apitypes

import (
	"encoding/json"
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"go/types"
	"reflect"
	"strings"
	"testing"

	"github.com/mrgen-io/mrgen/testdata/expect"
)

// Anything is an interface without methods, and Failing one with them.
type (
	Anything interface{}
	Failing  interface{ error }
	Callback func()
)

// TestSchemalessNeedsJSON asks encoding/json which types fields without a schema may have: those of
// which it decodes and encodes some value.
func TestSchemalessNeedsJSON(t *testing.T) {
	scope := checked(t, `package build
type (
	Anything interface{}
	Failing  interface{ error }
	Callback func()
)`)
	for source, goType := range map[string]reflect.Type{
		"any": reflect.TypeFor[any](), "*any": reflect.TypeFor[*any](), "[]any": reflect.TypeFor[[]any](), "[2]any": reflect.TypeFor[[2]any](),
		"map[string]any": reflect.TypeFor[map[string]any](), "map[string][]any": reflect.TypeFor[map[string][]any](),
		"map[int]any": reflect.TypeFor[map[int]any](), "Anything": reflect.TypeFor[Anything](), "struct{ A any }": reflect.TypeFor[struct{ A any }](),
		"error": reflect.TypeFor[error](), "map[string]error": reflect.TypeFor[map[string]error](), "Failing": reflect.TypeFor[Failing](),
		"interface{ Read() }": reflect.TypeFor[interface{ Read() }](), "func()": reflect.TypeFor[func()](), "[]func()": reflect.TypeFor[[]func()](),
		"map[string]Callback": reflect.TypeFor[map[string]Callback](), "chan int": reflect.TypeFor[chan int](),
		"map[string]chan<- string": reflect.TypeFor[map[string]chan<- string](), "complex128": reflect.TypeFor[complex128](),
		"[]*complex64": reflect.TypeFor[[]*complex64](),
	} {
		expression := expect.Value(parser.ParseExpr(source))(t)
		info := &types.Info{Types: map[ast.Expr]types.TypeAndValue{}}
		expect.NoError(t, types.CheckExpr(token.NewFileSet(), scope, token.NoPos, expression, info))
		problem, hasForm := inexpressible(nil, info.TypeOf(expression), true), hasJSON(goType)
		expect.True(t, (problem == "") == hasForm, "%s: encoding/json knows a form: %t, and mrgen says: %q", source, hasForm, problem)
		expect.True(t, inexpressible(nil, info.TypeOf(expression), false) != "", "%s has a schema", source)
	}
}

// hasJSON reports whether encoding/json decodes and encodes some value of a type.
func hasJSON(t reflect.Type) bool {
	for _, inner := range []string{`"a"`, `1`, `{"A": 1}`} {
		for _, form := range []string{`%s`, `[%s]`, `{"1": %s}`, `{"1": [%s]}`} {
			value := reflect.New(t)
			if json.Unmarshal([]byte(fmt.Sprintf(form, inner)), value.Interface()) != nil {
				continue
			}
			if text, err := json.Marshal(value.Interface()); err == nil && strings.Contains(string(text), strings.Trim(inner, `"{} A:`)) {
				return true
			}
		}
	}
	return false
}

func checked(t *testing.T, source string) *types.Package {
	t.Helper()
	fset := token.NewFileSet()
	file := expect.Value(parser.ParseFile(fset, "a.go", source, 0))(t)
	pkg := expect.Value((&types.Config{}).Check("build", fset, []*ast.File{file}, nil))(t)
	return pkg
}
