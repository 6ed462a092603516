package lintrules

import (
	"encoding/json"
	"testing"

	apiextensionsv1 "k8s.io/apiextensions-apiserver/pkg/apis/apiextensions/v1"
	kubernetesjson "k8s.io/apimachinery/pkg/util/json"

	"github.com/mrgen-io/mrgen/generator/internal/apiserver"
	"github.com/mrgen-io/mrgen/generator/internal/cel"
	"github.com/mrgen-io/mrgen/generator/internal/schema"
	"github.com/mrgen-io/mrgen/testdata/expect"
)

// judged returns the cursor at a schema with a rule, the rule, and the API server's answer whether it holds for an object, which is
// stored and has replaced another one.
func judged(t *testing.T, text, rule string) (schema.Cursor, *cel.Rule, func(object, old string) bool) {
	t.Helper()
	s := &schema.Props{}
	expect.NoError(t, json.Unmarshal([]byte(text), s))
	parsed, isRule := cel.Parse(rule)
	expect.Must(t, isRule, "%s is no rule", rule)
	s.XValidations = apiextensionsv1.ValidationRules{{Rule: rule}}
	validator := expect.Value(apiserver.NewObjectValidator(s))(t)
	return schema.Cursor{Schema: s}, parsed, func(object, old string) bool {
		return len(validator.UpdateRefusals(t.Context(), read(t, validator, object), read(t, validator, old), false)) == 0
	}
}

// read returns an object as the API server stores it.
func read(t *testing.T, validator *apiserver.ObjectValidator, text string) map[string]any {
	t.Helper()
	object := map[string]any{}
	expect.NoError(t, kubernetesjson.Unmarshal([]byte(text), &object))
	object, _ = validator.Read(object)
	return object
}

// TestPresenceOfDefaults has rules that ask whether a is set: there is a finding if and only if the API server's code answers that it
// is, without anybody setting it, and the rule doesn't read it.
func TestPresenceOfDefaults(t *testing.T) {
	for _, test := range []struct {
		rule, asked, schema string
		isRead              bool
	}{
		{"!(has(self.a) && has(self.b))", "has(self.a)", `"default":1`, false},
		{"!(has(self.a) && has(self.b))", "has(self.a)", `"minimum":1`, false},
		{"!(has(self.a) && has(self.b))", "has(self.a)", `"default":1,"nullable":true`, false},
		{"!has(self.a) || self.a > 0", "has(self.a)", `"default":1`, true},
		{"self.?a.hasValue() || has(self.b)", "has(self.a)", `"default":1`, false},
		{"self.l.all(x, has(x.a))", "self.l.all(x, has(x.a))", `"default":1`, false},
		{"self.l.all(x, has(x.a))", "self.l.all(x, has(x.a))", `"minimum":1`, false},
		{"self.l.all(x, has(x.a) && x.a > 1)", "self.l.all(x, has(x.a))", `"default":1`, true},
		{"self.l.exists(self, has(self.a))", "self.l.all(x, has(x.a))", `"default":1`, false},
		{"self.m.all(a, has(self.m[a].a))", "self.m.all(k, has(self.m[k].a))", `"default":1`, false},
	} {
		a := `"a":{"type":"integer",` + test.schema + `}`
		of := `{"type":"object","properties":{` + a + `}}`
		text := `{"type":"object","properties":{` + a + `,"b":{"type":"string"},"l":{"type":"array","maxItems":9,"items":` + of +
			`},"m":{"type":"object","maxProperties":9,"additionalProperties":` + of + `}}}`
		at, rule, _ := judged(t, text, test.rule)
		_, _, isAsked := judged(t, text, test.asked)
		isSet := true
		for _, object := range []string{`{"l":[{}],"m":{"k":{}}}`, `{"a":null,"l":[{"a":null}],"m":{"k":{"a":null}}}`} {
			isSet = isSet && isAsked(object, object)
		}
		_, isFound := alwaysSet(at, rule)
		expect.True(t, isFound == (isSet && !test.isRead), "%+v: set without anybody: %t, a finding: %t", test, isSet, isFound)
	}
}

// TestRefusedLiterals has rules that are a comparison: there is a finding if and only if the API server's code comes to one result for
// all values of the field that the schema admits, apart from comparisons with zero values.
func TestRefusedLiterals(t *testing.T) {
	for _, test := range []struct {
		rule, schema string
		want         bool
	}{
		{"self.a == 'x'", `"type":"string","enum":["x","y"]`, false},
		{"self.a == 'z'", `"type":"string","enum":["x","y"]`, true},
		{"'z' != self.a", `"type":"string","enum":["x","y"]`, true},
		{"self.a in ['z', 'zz']", `"type":"string","enum":["x","y"]`, true},
		{"self.a in ['x']", `"type":"string","enum":["x","y"]`, false},
		{"self.a == 'x'", `"type":"string","pattern":"^[a-y]$"`, false},
		{"self.a == 'X'", `"type":"string","pattern":"^[a-y]$"`, true},
		{"self.a == 3", `"type":"integer","maximum":2`, true},
		{"self.a == 2", `"type":"integer","maximum":2`, false},
		{"self.l.all(i, i != 'z')", `"type":"string","enum":["x","y"]`, true},
		{"self.l.all(i, i != 'y')", `"type":"string","enum":["x","y"]`, false},
		{"self.l[0] == 'z'", `"type":"string","enum":["x","y"]`, true},
		{"self.l == ['x']", `"type":"string","enum":["x","y"]`, false},
	} {
		text := `{"type":"object","properties":{"a":{` + test.schema + `},"l":{"type":"array","maxItems":9,"items":{` + test.schema + `}}}}`
		at, rule, holds := judged(t, text, test.rule)
		results := map[bool]bool{}
		for _, value := range []string{`"x"`, `"y"`, "1", "2"} {
			object := `{"a":` + value + `,"l":[` + value + `]}`
			if apiserverAccepts(t, at.Schema, object) {
				results[holds(object, object)] = true
			}
		}
		_, _, isFound := refusedLiteral(at, rule)
		expect.True(t, isFound == test.want && isFound == (len(results) == 1), "%s, %s: results %v, a finding: %t", test.rule, test.schema, results, isFound)
	}
	guard, rule, _ := judged(t, `{"type":"object","properties":{"a":{"type":"string","enum":["x"]}}}`, "self.a != '' && oldSelf.a != 'old'")
	_, value, isFound := refusedLiteral(guard, rule)
	expect.True(t, !isFound, "a guard and a stored value: %v", value)
}

// apiserverAccepts reports whether the API server accepts an object apart from rules.
func apiserverAccepts(t *testing.T, s *schema.Props, object string) bool {
	t.Helper()
	plain := *s
	plain.XValidations = nil
	var value any
	expect.NoError(t, kubernetesjson.Unmarshal([]byte(object), &value))
	return apiserver.Upstream{}.Accepts(t.Context(), &plain, value)
}

// TestRulesThatUsersEvade has rules for updates of a number, alone or in an object. The API server's code lets users change it by
// removing it first if and only if there is a finding.
func TestRulesThatUsersEvade(t *testing.T) {
	const anew = "!has(oldSelf.n) || has(self.n)"
	for _, test := range []struct{ rule, aroundN, aroundIn, required, nDefault string }{
		{"self == oldSelf", "", "", "", ""},
		{"self == oldSelf", "", "", `"n"`, ""},
		{"self == oldSelf", anew, "", "", ""},
		{"self == oldSelf", anew, "!has(oldSelf.in) || has(self.in)", "", ""},
		{"self == oldSelf", "", "has(self.in) == has(oldSelf.in)", `"n"`, ""},
		{"self == oldSelf", "", "self == oldSelf", "", ""},
		{"self == oldSelf", "", "has(self.in) == has(oldSelf.in)", "", "1"},
		{"self == oldSelf", "", "", "", "1"},
		{"self >= oldSelf", anew, "has(self.in) || !has(oldSelf.in)", "", ""},
		{"self == 0 || self == oldSelf", "", "", "", ""},
		{"self > 0", "", "", "", ""},
	} {
		n := apiextensionsv1.JSONSchemaProps{Type: "integer", XValidations: apiextensionsv1.ValidationRules{{Rule: test.rule}}}
		if test.nDefault != "" {
			n.Default = &apiextensionsv1.JSON{Raw: []byte(test.nDefault)}
		}
		around := func(name, rule string, below apiextensionsv1.JSONSchemaProps) apiextensionsv1.JSONSchemaProps {
			s := apiextensionsv1.JSONSchemaProps{Type: "object", Properties: map[string]apiextensionsv1.JSONSchemaProps{name: below}}
			if rule != "" {
				s.XValidations = apiextensionsv1.ValidationRules{{Rule: rule}}
			}
			return s
		}
		in := around("n", test.aroundN, n)
		if test.required != "" {
			in.Required = []string{"n"}
		}
		spec := around("in", test.aroundIn, in)
		root := around("spec", "", spec)
		root.Required = []string{"spec"}
		at := schema.Cursor{Schema: &root}.Follow(schema.Properties("spec", "in", "n"))
		isFound := evasion(at, n.XValidations[0]) != ""

		validator := expect.Value(apiserver.NewObjectValidator(&root))(t)
		isAccepted := func(steps ...string) bool {
			for i, step := range steps {
				object, old := read(t, validator, step), read(t, validator, steps[max(0, i-1)])
				if i > 0 && len(validator.UpdateRefusals(t.Context(), object, old, false)) > 0 {
					return false
				}
			}
			return true
		}
		three, two := `{"spec":{"in":{"n":3}}}`, `{"spec":{"in":{"n":2}}}`
		isEvaded := !isAccepted(three, two) && (isAccepted(three, `{"spec":{"in":{}}}`, two) || isAccepted(three, `{"spec":{}}`, two))
		expect.True(t, isFound == isEvaded, "%+v: users evade it: %t, a finding: %t", test, isEvaded, isFound)
	}
}

// TestConditionsOfUpdates has rules about updates: there is a finding if and only if the API server's code accepts a new object that no
// stored object may become, not even the same.
func TestConditionsOfUpdates(t *testing.T) {
	for _, rule := range []string{
		"self.a >= oldSelf.a", "self.a >= oldSelf.a && self.b < 2", "self.b < 2 && (self.a == oldSelf.a || self.a == 0)",
		"self.b < 2 && self.a < 2 && self.a >= oldSelf.a", "has(self.b) && has(self.a) && self.a >= oldSelf.a", "self.a == oldSelf.a || self.b < 2",
		"!(self.a != oldSelf.a && self.b > 1)", "self.b < 2 ? self.a == oldSelf.a : true", "oldSelf.b < 2 && self.a >= oldSelf.a",
		"self.l.all(x, x < 2) && self.l.all(x, x in oldSelf.l)", "self.l.all(x, x < 2 || x in oldSelf.l)",
	} {
		text := `{"type":"object","properties":{"a":{"type":"integer"},"b":{"type":"integer"},"l":{"type":"array","maxItems":9,"items":{"type":"integer"}}}}`
		at, parsed, holds := judged(t, text, rule)
		isViolated := false
		for _, b := range []string{"0", "3"} {
			object := `{"a":1,"b":` + b + `,"l":[` + b + `]}`
			isNew := apiserverAccepts(t, at.Schema, object)
			isViolated = isViolated || isNew && !holds(object, object) && !holds(object, `{"a":0,"b":0,"l":[0]}`)
		}
		expect.Equal(t, isViolated, hasOnlyLater(parsed), "%s: new objects violate it", rule)
	}
}
