package rules

import (
	"slices"
	"testing"

	"github.com/google/cel-go/cel"
	"github.com/google/cel-go/common/types"
	apiextensionsv1 "k8s.io/apiextensions-apiserver/pkg/apis/apiextensions/v1"

	"github.com/mrgen-io/mrgen/generator/internal/model"
)

// TestChoice holds which fields the rules list that controller-tools writes, and how rules are written
// in markers.
func TestChoice(t *testing.T) {
	for kind, want := range map[choiceKind][2]bool{atLeastOne: {true, false}, atMostOne: {false, true}, exactlyOne: {true, true}} {
		c := choice{kind, []string{"a", "namespace"}}
		names, demands, bounds := Choice(apiextensionsv1.ValidationRule{Rule: c.rule(), Message: c.message()})
		if !slices.Equal(names, c.names) || [2]bool{demands, bounds} != want {
			t.Errorf("%s: got %v, %t, %t", c.message(), names, demands, bounds)
		}
	}
	if names, demands, bounds := Choice(apiextensionsv1.ValidationRule{Rule: "has(self.a)"}); len(names) > 0 || demands || bounds {
		t.Error("a rule of an author is one of a marker")
	}
	for rule, want := range map[string]string{
		`self.a == "b"`: "rule=`self.a == \"b\"`", "self.a == 'b'": `rule="self.a == 'b'"`, "self.a == \"`\"": `rule="self.a == \"` + "`" + `\""`,
		`self.a.matches('\d')`: "rule=`self.a.matches('\\d')`",
	} {
		if got := MarkerArgument(rule); got != want {
			t.Errorf("%s: got %s, want %s", rule, got, want)
		}
	}
}

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
		rule, ok := AnySet(Value{"a", test.goType}, Value{"namespace", basic("string")})
		if !ok {
			t.Fatal("rules can name the fields")
		}
		holds := holding(t, rule)
		alone, _ := AnySet(Value{"a", test.goType})
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
				if got, want := holds(object), i == 1; got != want {
					t.Errorf("%s of %v: %t", rule, object, got)
				}
				object["__namespace__"] = "x"
				if !holds(object) {
					t.Errorf("%s of %v doesn't hold", rule, object)
				}
			}
		}
	}
	if _, ok := AnySet(Value{"$a", basic("string")}); ok {
		t.Error("rules can name $a")
	}
}

// holding returns a function that reports whether a rule accepts an object, by CEL itself.
func holding(t *testing.T, rule string) func(self map[string]any) bool {
	t.Helper()
	env, err := cel.NewEnv(cel.Variable("self", cel.DynType))
	if err != nil {
		t.Fatal(err)
	}
	tree, issues := env.Parse(rule)
	if issues.Err() != nil {
		t.Fatalf("%s: %v", rule, issues.Err())
	}
	program, err := env.Program(tree)
	if err != nil {
		t.Fatal(err)
	}
	return func(self map[string]any) bool {
		result, _, err := program.Eval(map[string]any{"self": self})
		return err == nil && result == types.True
	}
}
