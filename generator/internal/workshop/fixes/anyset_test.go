package fixes

import (
	"testing"

	"github.com/google/cel-go/cel"

	"github.com/mrgen-io/mrgen/generator/internal/model"
	"github.com/mrgen-io/mrgen/testdata/celtest"
	"github.com/mrgen-io/mrgen/testdata/expect"
)

// TestAnySet has CEL judge values of each type: a rule holds if one of the values isn't what Go omits.
func TestAnySet(t *testing.T) {
	basic := func(name string) *model.Type { return &model.Type{Kind: model.Basic, Basic: name} }
	for _, test := range []struct {
		goType  *model.Type
		celType *cel.Type
		empty   []any
		set     []any
	}{
		{basic("string"), cel.StringType, []any{""}, []any{"a"}},
		{basic("bool"), cel.BoolType, []any{false}, []any{true}},
		{basic("int64"), cel.IntType, []any{int64(0)}, []any{int64(1), int64(-1)}},
		{basic("float64"), cel.DoubleType, []any{0.0}, []any{1.5}},
		{basic("float32"), cel.DoubleType, []any{0.0}, []any{-1.5}},
		{&model.Type{Kind: model.Slice, Elem: basic("string")}, cel.ListType(cel.StringType), []any{[]any{}}, []any{[]any{"a"}}},
		{&model.Type{Kind: model.Slice, Array: true, Elem: basic("string")}, cel.ListType(cel.StringType), nil, []any{[]any{}, []any{"a"}}},
		{&model.Type{Kind: model.Map, Elem: basic("string")}, cel.MapType(cel.StringType, cel.StringType), []any{map[string]any{}}, []any{map[string]any{"a": "b"}}},
		{&model.Type{Kind: model.Pointer, Elem: basic("string")}, cel.StringType, nil, []any{"", "a"}},
		{&model.Type{Kind: model.Struct}, cel.MapType(cel.StringType, cel.StringType), nil, []any{map[string]any{}}},
	} {
		rule, ok := anySet(givenValue{"a", test.goType}, givenValue{"namespace", basic("string")})
		expect.Must(t, ok, "rules can name the fields")
		holds := celtest.Holding(t, rule)
		alone, _ := anySet(givenValue{"a", test.goType})
		if env, err := cel.NewEnv(cel.Variable("self", cel.MapType(cel.StringType, test.celType))); err != nil {
			t.Fatal(err)
		} else if _, issues := env.Compile(alone); issues.Err() != nil {
			t.Errorf("%s: %v", alone, issues.Err())
		}
		for i, values := range [][]any{append(test.empty, nil), test.set} {
			for _, value := range values {
				object := map[string]any{"__namespace__": ""}
				if value != nil {
					object["a"] = value
				}
				expect.Equal(t, i == 1, holds(object), "%s of %v", rule, object)
				object["__namespace__"] = "x"
				expect.True(t, holds(object), "%s of %v doesn't hold", rule, object)
			}
		}
	}
	_, ok := anySet(givenValue{"$a", basic("string")})
	expect.True(t, !ok, "rules can name $a")
}
