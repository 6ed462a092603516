package apiserver

import (
	"context"
	"fmt"
	"maps"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	apiextensionsv1 "k8s.io/apiextensions-apiserver/pkg/apis/apiextensions/v1"
	"k8s.io/apimachinery/pkg/util/version"
	"sigs.k8s.io/yaml"

	"github.com/mrgen-io/mrgen/generator/internal/budget"
)

// TestJudgeAccepts makes sure that definitions as mrgen writes them are accepted in
// parts: those that are not cost much more time.
func TestJudgeAccepts(t *testing.T) {
	files, err := filepath.Glob("../../../testdata/provider-*/package/crds/*.yaml")
	if err != nil || len(files) == 0 {
		t.Fatalf("no CRDs: %v", err)
	}
	j := NewJudge(version.MajorMinor(1, 31))
	for _, file := range files {
		document, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		if !j.accepts(context.Background(), parse(t, string(document))) {
			t.Errorf("%s is not accepted in parts", file)
		}
	}
}

// TestJudgeRemembers makes sure that rules that differ in names alone are one part, and
// others are not.
func TestJudgeRemembers(t *testing.T) {
	const reading = `%s: {type: object, properties: {%s: {type: string%s}, other: {type: integer}}, x-kubernetes-validations: [{rule: "%s", message: m, fieldPath: .%[2]s}]}`
	tests := map[string]struct {
		property string
		known    bool
	}{
		"Names":     {fmt.Sprintf(reading, "subnet", "zone", "", "!has(oldSelf.zone) || has(self.zone) && self.zone == oldSelf.zone"), true},
		"NamedSelf": {fmt.Sprintf(reading, "self", "self", "", "!has(oldSelf.self) || has(self.self) && self.self == oldSelf.self"), true},
		"Escaped":   {fmt.Sprintf(reading, "subnet", "in", "", "!has(oldSelf.__in__) || has(self.__in__) && self.__in__ == oldSelf.__in__"), true},
		"Bound":     {fmt.Sprintf(reading, "subnet", "zone", ", maxLength: 3", "!has(oldSelf.zone) || has(self.zone) && self.zone == oldSelf.zone"), false},
		"Rule":      {fmt.Sprintf(reading, "subnet", "zone", "", "!has(oldSelf.zone) || has(self.zone) && self.zone != oldSelf.zone"), false},
		"Text":      {fmt.Sprintf(reading, "subnet", "zone", "", "!has(oldSelf.zone) || has(self.zone) && self.zone == 'zone'"), false},
		"TwoFields": {fmt.Sprintf(reading, "subnet", "zone", "", "!has(oldSelf.zone) || has(self.zone) && self.other == oldSelf.other"), false},
	}
	for name, test := range tests {
		t.Run(name, func(t *testing.T) {
			j := NewJudge(nil)
			first := fmt.Sprintf(reading, "vpc", "cidrBlock", "", "!has(oldSelf.cidrBlock) || has(self.cidrBlock) && self.cidrBlock == oldSelf.cidrBlock")
			if !j.accepts(context.Background(), withProperties(t, first)) {
				t.Fatal("not accepted in parts")
			}
			before := len(ruleKeys(j))
			if !j.accepts(context.Background(), withProperties(t, test.property)) {
				t.Fatal("not accepted in parts")
			}
			if known := len(ruleKeys(j)) == before; known != test.known {
				t.Errorf("known %t, want %t", known, test.known)
			}
		})
	}
}

// ruleKeys returns the keys of the parts that have cost anything.
func ruleKeys(j *Judge) []string {
	var keys []string
	for key, v := range j.verdicts {
		if v.cost > 0 {
			keys = append(keys, key)
		}
	}
	return keys
}

// TestJudgeAddsCosts makes sure that rules that are accepted one by one can be too
// expensive together.
func TestJudgeAddsCosts(t *testing.T) {
	for name, property := range map[string]string{
		"Once":   "{type: object, properties: {a: {type: string}}, x-kubernetes-validations: [{rule: self.a == oldSelf.a}]}",
		"InList": "{type: array, items: {type: object, required: [a], properties: {a: {type: string, maxLength: 9}}, x-kubernetes-validations: [{rule: self.a == 'a'}]}}",
		"InMap":  "{type: object, additionalProperties: {type: object, required: [a], properties: {a: {type: integer}, b: {type: integer}}, x-kubernetes-validations: [{rule: '!has(self.b) || self.b < self.a'}]}}",
	} {
		t.Run(name, func(t *testing.T) {
			parsed := map[string]apiextensionsv1.JSONSchemaProps{}
			if err := yaml.UnmarshalStrict([]byte("a: "+property), &parsed); err != nil {
				t.Fatal(err)
			}
			most := int(MaxCost / RuleCosts(withProperties(t, "a: "+property))[0].Cost)
			for _, fields := range []int{most, most + 1} {
				crd := withProperties(t, "plain: {type: string}")
				for i := range fields {
					setForProvider(&crd.Spec.Versions[0], fmt.Sprintf("p%d", i), parsed["a"])
				}
				problems := validate(t, crd, nil)
				if accepted := NewJudge(nil).accepts(context.Background(), crd); accepted != (len(problems) == 0) || accepted != (fields == most) {
					t.Errorf("%d rules: accepted %t, problems %+v", fields, accepted, problems)
				}
			}
		})
	}
}

// TestJudgeAgrees compares a Judge with Validate on properties that are right and
// wrong, alone and together, in objects, lists and maps, with rules that read them.
func TestJudgeAgrees(t *testing.T) {
	properties := []string{
		"a: {type: string}", "a: {type: string, maxLength: 8, description: about}", "a: {type: integer, minimum: 1}", "a: {type: boolean}",
		"a: {type: array, x-kubernetes-list-type: set, items: {type: string}}", "a: {type: object, x-kubernetes-map-type: atomic, properties: {a: {type: string}}}",
		"a: {type: object, nullable: true, properties: {a: {type: string, enum: [a, b]}}}", "b: {type: object, properties: {a: {type: string, default: a}}}",
	}
	right := len(properties)
	for _, name := range slices.Sorted(maps.Keys(propertyTests)) {
		properties = append(properties, propertyTests[name].properties...)
	}
	var pool []map[string]apiextensionsv1.JSONSchemaProps
	for _, property := range properties {
		parsed := map[string]apiextensionsv1.JSONSchemaProps{}
		if err := yaml.Unmarshal([]byte(property), &parsed); err != nil {
			t.Fatal(err)
		}
		pool = append(pool, parsed)
	}
	random := rand.New(rand.NewPCG(1, 2))
	judges := map[*version.Version]*Judge{}
	releases := []*version.Version{nil, version.MajorMinor(1, 27), version.MajorMinor(1, 31)}
	for _, release := range releases {
		judges[release] = NewJudge(release)
	}
	inParts, refused := 0, 0
	definitions := budget.Of(150, 900)
	for i := range definitions {
		crd := withProperties(t, "plain: {type: string}")
		for range 1 + random.IntN(3) {
			from := pool[:right]
			if random.IntN(8) == 0 {
				from = pool
			}
			for name, schema := range from[random.IntN(len(from))] {
				setForProvider(&crd.Spec.Versions[0], wrap(random, &schema, name), schema)
			}
		}
		release := releases[i%len(releases)]
		want := Validate(context.Background(), crd, release)
		expect(t, judges[release].Validate(context.Background(), crd), want)
		if judges[release].accepts(context.Background(), crd) {
			inParts++
		}
		if len(want) > 0 {
			refused++
		}
		if t.Failed() {
			document, _ := yaml.Marshal(crd)
			t.Fatalf("%s", document)
		}
	}
	if inParts < definitions*2/9 || refused < definitions*2/9 {
		t.Errorf("%d definitions are accepted in parts, and %d refused: that proves little", inParts, refused)
	}
}

// TestJudgeEstimates compares what a Judge takes repeated rules to cost with what they
// do: never less, and the same for objects with fields of usual types.
func TestJudgeEstimates(t *testing.T) {
	usual := []string{
		"{type: string}", "{type: string, maxLength: 5}", "{type: integer}", "{type: number}", "{type: boolean}", "{type: string, default: a}",
		"{type: array, items: {type: string}}", "{type: object, additionalProperties: {type: boolean}}", "{type: object, properties: {a: {type: string}}}",
		"{type: object, required: [aa, b, c], properties: {aa: {type: integer}, b: {type: boolean, default: true}, d: {type: string}}}",
		"{type: object, required: [a], properties: {a: {type: object, required: [bbb], properties: {bbb: {type: string}}}}}",
	}
	rare := []string{
		"{type: string, format: date}", "{type: string, format: date-time}", "{type: string, format: duration}", "{x-kubernetes-int-or-string: true}",
		"{x-kubernetes-preserve-unknown-fields: true}", "{type: array, items: {x-kubernetes-preserve-unknown-fields: true}}",
		"{type: object, additionalProperties: {x-kubernetes-preserve-unknown-fields: true}}",
		"{type: object, x-kubernetes-embedded-resource: true, required: [metadata], properties: {kind: {type: string}, apiVersion: {type: string}, metadata: {type: object, required: [name], properties: {name: {type: string}}}}}",
		"{type: object, x-kubernetes-preserve-unknown-fields: true, required: [a], properties: {a: {x-kubernetes-int-or-string: true}}}",
	}
	random := rand.New(rand.NewPCG(1, 2))
	j := NewJudge(nil)
	inParts := 0
	definitions := budget.Of(100, 600)
	for i := range definitions {
		types := usual
		if i%4 == 0 {
			types = slices.Concat(rare, usual)
		}
		var properties, required []string
		for n := range 1 + random.IntN(4) {
			name := strings.Repeat("n", 1+random.IntN(12)) + fmt.Sprint(n)
			properties = append(properties, name+": "+types[random.IntN(len(types))])
			if random.IntN(2) == 0 {
				required = append(required, name)
			}
		}
		name, _, _ := strings.Cut(properties[0], ":")
		rule := []string{"has(self.%s)", "!has(self.%s) || self.%[1]s == self.%[1]s", "self.%s == oldSelf.%[1]s"}[random.IntN(3)]
		repeated := fmt.Sprintf("{type: object, required: [%s], properties: {%s}, x-kubernetes-validations: [{rule: '%s'}]}",
			strings.Join(append(required, "missing"), ", "), strings.Join(properties, ", "), fmt.Sprintf(rule, name))
		for range 1 + random.IntN(3) {
			repeated = fmt.Sprintf([]string{
				"{type: array, items: %s}", "{type: object, additionalProperties: %s}", "{type: object, additionalProperties: {type: object, properties: {b: %s}}}",
			}[random.IntN(3)], repeated)
		}
		crd := withProperties(t, "a: "+repeated)
		expect(t, j.Validate(context.Background(), crd), Validate(context.Background(), crd, nil))
		if costs, ok := j.costs(context.Background(), crd); ok {
			inParts++
			want := costOf(crd.Spec.Versions[0].Schema.OpenAPIV3Schema)
			if costs[0] < want || costs[0] > want && i%4 > 0 {
				t.Errorf("got %d, want %d", costs[0], want)
			}
		}
		if t.Failed() {
			t.Fatal(repeated)
		}
	}
	if inParts < definitions/2 {
		t.Errorf("%d definitions are judged in parts: that proves little", inParts)
	}
}

// wrap puts a schema into others, some with rules about it, and returns the name for
// the outermost.
func wrap(random *rand.Rand, schema *apiextensionsv1.JSONSchemaProps, name string) string {
	rules := []string{
		"has(self.%s)", "!has(self.%s) || has(oldSelf.%[1]s)", "has(self.%s) && self.%[1]s == oldSelf.%[1]s", "!('x' == 'y') || has(self.%s)",
		"has(self.%s.a)", "self.%s == 'a'", "self.%s < self.%[1]s", "!has(self.%s) || self.%[1]s >= self.%[1]s", "'a' in self.%s", "has(self.%s.missing)", "self == oldSelf || has(self.%s)", "self.%s.size() > 1",
	}
	for range random.IntN(4) {
		inner := *schema
		switch *schema = (apiextensionsv1.JSONSchemaProps{Description: "outer"}); random.IntN(6) {
		case 0:
			schema.Type, schema.Items = "array", &apiextensionsv1.JSONSchemaPropsOrArray{Schema: &inner}
		case 1:
			schema.Type, schema.AdditionalProperties = "object", &apiextensionsv1.JSONSchemaPropsOrBool{Allows: true, Schema: &inner}
		default:
			name = []string{"a", "b"}[random.IntN(2)]
			schema.Type, schema.Properties = "object", map[string]apiextensionsv1.JSONSchemaProps{name: inner}
			schema.Required = []string{name}
			for range random.IntN(3) {
				known := rules[:4]
				if random.IntN(6) == 0 {
					known = rules
				}
				rule := apiextensionsv1.ValidationRule{Rule: fmt.Sprintf(known[random.IntN(len(known))], name), Message: "refused"}
				if random.IntN(2) == 0 {
					rule.FieldPath = "." + name
				}
				schema.XValidations = append(schema.XValidations, rule)
			}
		}
	}
	return name
}
