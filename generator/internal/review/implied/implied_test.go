package implied

import (
	"context"
	"fmt"
	"math/rand/v2"
	"slices"
	"testing"

	apiextensionsv1 "k8s.io/apiextensions-apiserver/pkg/apis/apiextensions/v1"
	"sigs.k8s.io/yaml"

	"github.com/mrgen-io/mrgen/generator/internal/apiserver"
	"github.com/mrgen-io/mrgen/generator/internal/schema"
	"github.com/mrgen-io/mrgen/testdata/budget"
	"github.com/mrgen-io/mrgen/testdata/expect"
)

// fields are the schemas from which objects of the test are made.
const fields = `
type: object
properties:
  i: {type: integer, minimum: 0, maximum: 9}
  t: {type: string, maxLength: 3}
  b: {type: boolean}
  l: {type: array, maxItems: 3, items: {type: string, maxLength: 3}}
  o: {type: object, properties: {x: {type: integer}}}
`

// conditions are the parts of random rules.
var conditions = []string{
	"has(self.i)", "self.i > 2", "self.i >= 3", "self.i < 5", "self.i == 4", "self.i in [3, 4]", "5 <= self.i", "self.i % 2 == 0", "has(self.t)",
	"self.t == 'a'", "self.t != 'b'", "size(self.t) > 1", "self.t.size() >= 2", "self.t.startsWith('a')", "self.t in ['a', 'b']", "has(self.b)", "self.b",
	"self.b == false", "size(self.l) < 2", "self.l.all(x, x != 'a')", "'a' in self.l", "has(self.o)", "has(self.o.x)", "self.o.x > 2", "self.o.x >= 3",
	"has(self.b) == has(self.t)", "!(has(self.i) && has(self.t))",
}

// randomRule returns a random rule.
func randomRule(r *rand.Rand) string {
	of := func() string {
		text := conditions[r.IntN(len(conditions))]
		if r.IntN(3) == 0 {
			text = "!(" + text + ")"
		}
		return text
	}
	switch r.IntN(5) {
	case 0:
		return of()
	case 1:
		return fmt.Sprintf("%s ? %s : %s", of(), of(), of())
	case 2:
		return fmt.Sprintf("(%s || %s) && %s", of(), of(), of())
	case 3:
		return fmt.Sprintf("%s && %s", of(), of())
	default:
		return fmt.Sprintf("%s || %s", of(), of())
	}
}

// objects returns objects with and without each field, and with different values.
func objects() []map[string]any {
	all := []map[string]any{{}}
	for _, field := range []struct {
		name   string
		values []any
	}{
		{"i", []any{int64(0), int64(2), int64(3), int64(4), int64(5), int64(8)}},
		{"t", []any{"", "a", "b", "ab", "c", "bcd"}},
		{"b", []any{true, false}},
		{"l", []any{[]any{}, []any{"a"}, []any{"b", "c"}}},
		{"o", []any{map[string]any{}, map[string]any{"x": int64(2)}, map[string]any{"x": int64(3)}}},
	} {
		for _, object := range slices.Clone(all) {
			for _, value := range field.values {
				with := map[string]any{field.name: value}
				for other, value := range object {
					with[other] = value
				}
				all = append(all, with)
			}
		}
	}
	return all
}

// TestRule holds that the API server refuses no object for a rule that the rest of the schema implies, for random rules
// and objects, and that most rules that it refuses no object for are found.
func TestRule(t *testing.T) {
	ctx, r := context.Background(), rand.New(rand.NewPCG(3, 8))
	all := objects()
	implied, missed := 0, 0
	for range budget.Of(100, 3000) {
		var old props
		expect.NoError(t, yaml.UnmarshalStrict([]byte(fields), &old))
		for _, name := range []string{"i", "t", "b", "l", "o"} {
			if r.IntN(4) == 0 {
				old.Required = append(old.Required, name)
			}
		}
		for range 1 + r.IntN(2) {
			old.XValidations = append(old.XValidations, apiextensionsv1.ValidationRule{Rule: randomRule(r)})
		}
		text := randomRule(r)
		says := Schemas{ctx, &old, &old}.Rule(nil, apiextensionsv1.ValidationRule{Rule: text})
		new := old.DeepCopy()
		new.XValidations = append(new.XValidations, apiextensionsv1.ValidationRule{Rule: text})
		was, is := validator(t, &old), validator(t, new)
		refused := ""
		for range 1000 {
			object := all[r.IntN(len(all))]
			if len(was.Refusals(ctx, object)) == 0 && len(is.Refusals(ctx, object)) > 0 {
				refused = schema.JSON(object) + is.Refusals(ctx, object)[0].Reason
				break
			}
		}
		switch {
		case says && refused != "":
			t.Errorf("%v, required %v imply %s, but not for %s", old.XValidations, old.Required, text, refused)
		case says:
			implied++
		case refused == "":
			missed++
		}
	}
	t.Logf("%d rules are implied, %d may be", implied, missed)
	expect.True(t, implied >= 5 && missed <= implied, "only %d rules are implied, %d may be", implied, missed)
}

func validator(t *testing.T, s *props) *apiserver.ObjectValidator {
	t.Helper()
	v := expect.Value(apiserver.NewObjectValidator(s))(t)
	return v
}
