package apiserver

import (
	"context"
	_ "embed"
	"fmt"
	"testing"

	apiextensionsv1 "k8s.io/apiextensions-apiserver/pkg/apis/apiextensions/v1"
	"sigs.k8s.io/yaml"

	"github.com/mrgen-io/mrgen/testdata/expect"
)

// refusing has rules of all forms.
//
//go:embed testdata/refusing.yaml
var refusing string

// TestRefusalsNameTheRule holds that what refuses an object is known with its place, and
// with the message of its author.
func TestRefusalsNameTheRule(t *testing.T) {
	props := &apiextensionsv1.JSONSchemaProps{}
	if err := yaml.UnmarshalStrict([]byte(refusing), props); err != nil {
		t.Fatal(err)
	}
	validator := expect.Value(NewObjectValidator(props))(t)
	refusals := validator.Refusals(context.Background(), map[string]any{
		"items": []any{map[string]any{"size": int64(1)}, map[string]any{"size": int64(7)}},
		"a.b":   map[string]any{"x.y": int64(7)},
	})
	want := []string{
		`"": a name is needed: has(self.name) at []`, `"": no such key: none evaluating rule: failed rule: self.none.first != 'x': self.none.first != 'x' at []`,
		`"a.b[x.y]": failed rule: self < 3: self < 3 at [a.b x.y]`, `"items[1]": no more than 3, not 7: self.size < 3 at [items 1]`,
	}
	expect.Must(t, len(refusals) == len(want), "%v", refusals)
	for i, r := range refusals {
		expect.Equal(t, want[i], fmt.Sprintf("%q: %s: %s at %v", r.Field, r.Reason, r.Rule, r.At))
	}
	expect.True(t, props.XValidations[0].Message == "a name\nis needed", "the schema was changed")
}

// TestRefusalsNameTheNumber holds that a number of another format is refused with its field and
// value, which the API server's own error lacks.
func TestRefusalsNameTheNumber(t *testing.T) {
	props := &apiextensionsv1.JSONSchemaProps{}
	if err := yaml.UnmarshalStrict([]byte(`
type: object
properties:
  a.b: {type: array, items: {type: object, properties: {size: {type: integer, format: int32}}}}
  most: {type: integer, format: int32, maximum: 5000000000}
  f: {type: number, format: float}
`), props); err != nil {
		t.Fatal(err)
	}
	validator := expect.Value(NewObjectValidator(props))(t)
	refusals := validator.Refusals(context.Background(), map[string]any{
		"a.b":  []any{map[string]any{"size": int64(1)}, map[string]any{"size": int64(1 << 40)}},
		"most": int64(1),
		"f":    1e39,
	})
	want := []string{
		`a.b[1].size: Invalid value: 1099511627776: Checked value must be of type integer with format int32 in a.b[1].size`,
		`f: Invalid value: 1e+39: Checked value must be of type number with format float in f`,
		`most: Invalid value: 1: Maximum boundary value must be of type integer with format int32 in most`,
	}
	expect.Must(t, len(refusals) == len(want), "%v", refusals)
	for i, r := range refusals {
		expect.Equal(t, want[i], r.Field+": "+r.Reason)
	}
}
