package verdicts

import (
	"context"
	"fmt"
	"maps"
	"math/rand/v2"
	"os"
	"path/filepath"
	"reflect"
	"regexp"
	"slices"
	"testing"

	apiextensionsv1 "k8s.io/apiextensions-apiserver/pkg/apis/apiextensions/v1"
	"k8s.io/apimachinery/pkg/util/version"
	"sigs.k8s.io/yaml"

	"github.com/mrgen-io/mrgen/generator/internal/apiserver"
	"github.com/mrgen-io/mrgen/generator/internal/schema"
	"github.com/mrgen-io/mrgen/testdata/budget"
	"github.com/mrgen-io/mrgen/testdata/expect"
)

type (
	definition = apiextensionsv1.CustomResourceDefinition
	props      = apiextensionsv1.JSONSchemaProps
)

// TestProblemsAreThoseOfUpstream changes real definitions at random, and compares what a
// Validator that has seen all of those before says of them with what upstream says.
func TestProblemsAreThoseOfUpstream(t *testing.T) {
	const seed = 1
	random := rand.New(rand.NewPCG(seed, seed))
	originals := realDefinitions(t)
	releases := []*version.Version{nil, version.MajorMinor(1, 31), version.MajorMinor(1, 33)}
	upstreams := make([]*counting, len(releases))
	validators := make([]*Validator, len(releases))
	for i, release := range releases {
		upstreams[i] = &counting{Upstream: apiserver.Upstream{MinKubernetes: release}}
		validators[i] = New(upstreams[i])
	}
	definitions, refused, fewer := budget.Of(30, 4_000), 0, 0
	for i := range definitions {
		upstream, validator := upstreams[i%len(releases)], validators[i%len(releases)]
		original := originals[random.IntN(len(originals))]
		validator.Validate(context.Background(), original)
		m := mutation{random: random, pool: originals}
		crd := m.definition(original)
		before := crd.DeepCopy()
		upstream.rules = 0
		got := validator.Validate(context.Background(), crd)
		expect.Must(t, reflect.DeepEqual(crd, before), "the definition has changed")
		want := upstream.Upstream.Validate(context.Background(), crd)
		if len(got) != len(want) || len(want) > 0 && !reflect.DeepEqual(got, want) {
			document, _ := yaml.Marshal(crd)
			t.Fatalf("definition %d of seed %d, with %v\ngot  %+v\nwant %+v\n%s", i, seed, m.made, got, want, document)
		}
		switch {
		case len(want) > 0:
			refused++
		case upstream.rules < countRules(crd.Spec.Versions[0].Schema.OpenAPIV3Schema):
			fewer++
		}
	}
	t.Logf("of %d definitions %d are refused, and %d accepted without some of their rules", definitions, refused, fewer)
	expect.True(t, refused >= definitions/4 && fewer >= definitions/6, "that proves little")
}

// TestCostsAreThoseOfUpstream compares what the rules of definitions cost that are changed at random,
// in lists and maps as well.
func TestCostsAreThoseOfUpstream(t *testing.T) {
	const seed = 2
	random := rand.New(rand.NewPCG(seed, seed))
	originals := realDefinitions(t)
	upstream := &counting{}
	validator := New(upstream)
	asked := 0
	for range budget.Of(40, 2_000) {
		m := mutation{random: random, pool: originals}
		root := m.definition(originals[random.IntN(len(originals))]).Spec.Versions[0].Schema.OpenAPIV3Schema
		if countRules(root) > 30 {
			continue // upstream compiles all of them, each time
		}
		var visit func(at schema.Path, s *props)
		visit = func(at schema.Path, s *props) {
			if s == nil {
				return
			}
			for _, rule := range s.XValidations {
				asked++
				got, want := validator.Cost(root, at, nil, rule), apiserver.Upstream{}.Cost(root, at, nil, rule)
				expect.Must(t, got == want, "with %v, the rule %q of %s costs %d, want %d", m.made, rule.Rule, at, got, want)
			}
			for _, name := range slices.Sorted(maps.Keys(s.Properties)) {
				step := schema.Step{Name: name}
				visit(at.With(step), schema.Child(s, step))
			}
			for _, step := range []schema.Step{{Kind: schema.Items}, {Kind: schema.Values}} {
				visit(at.With(step), schema.Child(s, step))
			}
		}
		visit(nil, root)
	}
	t.Logf("upstream was asked for %d of %d costs", upstream.rules, asked)
	expect.True(t, asked >= 100 && upstream.rules <= asked*2/3, "that proves little")
}

// realDefinitions returns the definitions of the providers in testdata that are small
// enough for thousands of runs.
func realDefinitions(t *testing.T) []*definition {
	t.Helper()
	files, err := filepath.Glob("../../../../testdata/provider-*/package/crds/*.yaml")
	expect.Must(t, err == nil && len(files) != 0, "no definitions: %v", err)
	var all []*definition
	for _, file := range files {
		document := expect.Value(os.ReadFile(file))(t)
		crd := &definition{}
		err := yaml.UnmarshalStrict(document, crd)
		expect.Must(t, err == nil, "%s: %v", file, err)
		if len(crd.Spec.Versions) == 1 && countRules(crd.Spec.Versions[0].Schema.OpenAPIV3Schema) > 0 && len(document) < 30_000 {
			all = append(all, crd)
		}
	}
	return all
}

// A mutation makes a few changes to a definition.
type mutation struct {
	random *rand.Rand
	pool   []*definition
	made   []string
}

// definition returns a changed copy of a definition.
func (m *mutation) definition(of *definition) *definition {
	crd := of.DeepCopy()
	for range 1 + m.random.IntN(2) {
		v := &crd.Spec.Versions[m.random.IntN(len(crd.Spec.Versions))]
		if m.random.IntN(12) == 0 && len(crd.Spec.Versions) == 1 {
			m.made = append(m.made, "version")
			other := *v.DeepCopy()
			other.Name, other.Storage = "v9", false
			crd.Spec.Versions = append(crd.Spec.Versions, other)
			continue
		}
		// Below the root, and more often where rules are than in status.
		part := oneOf(m, "spec", "spec", "spec", "status")
		edited := v.Schema.OpenAPIV3Schema.Properties[part]
		m.edit(&edited)
		v.Schema.OpenAPIV3Schema.Properties[part] = edited
	}
	return crd
}

// edit changes a schema, or one below it: often one that a rule is on or reads.
func (m *mutation) edit(s *props) {
	for range 20 {
		if m.editBelow(s, m.random.IntN(5)) {
			return
		}
	}
}

func (m *mutation) editBelow(s *props, depth int) bool {
	if depth > 0 {
		names := slices.Sorted(maps.Keys(s.Properties))
		if provider := slices.Index(names, "forProvider"); provider >= 0 && m.random.IntN(2) == 0 {
			names = names[provider : provider+1]
		}
		switch {
		case len(names) > 0:
			name := names[m.random.IntN(len(names))]
			property := s.Properties[name]
			done := m.editBelow(&property, depth-1)
			s.Properties[name] = property
			return done
		case s.Items != nil && s.Items.Schema != nil:
			return m.editBelow(s.Items.Schema, depth-1)
		case s.AdditionalProperties != nil && s.AdditionalProperties.Schema != nil:
			return m.editBelow(s.AdditionalProperties.Schema, depth-1)
		}
	}
	done := false
	for range 1 + m.random.IntN(3) {
		if change := oneOf(m, changes...); change.apply(m, s) {
			m.made = append(m.made, change.name)
			done = true
		}
	}
	return done
}

func oneOf[T any](m *mutation, values ...T) T { return values[m.random.IntN(len(values))] }

// changes are what can be changed about a schema. A change reports false if it has no
// meaning there.
var changes = []struct {
	name  string
	apply func(m *mutation, s *props) bool
}{
	{"type", func(m *mutation, s *props) bool {
		*s = props{Type: oneOf(m, "string", "integer", "number", "boolean", "strange", "")}
		return true
	}},
	{"bound", func(m *mutation, s *props) bool {
		bound := oneOf(m, nil, new(int64), pointer[int64](3), pointer[int64](1_000_000))
		s.MaxLength, s.MaxItems, s.MaxProperties = bound, bound, bound
		return true
	}},
	{"format", func(m *mutation, s *props) bool {
		s.Format = oneOf(m, "", "date-time", "date", "duration", "byte", "int64", "strange")
		return s.Type == "string"
	}},
	{"pattern", func(m *mutation, s *props) bool {
		s.Pattern = oneOf(m, "^a+$", "(")
		return s.Type == "string"
	}},
	{"enum", func(m *mutation, s *props) bool {
		s.Enum = []apiextensionsv1.JSON{{Raw: []byte(oneOf(m, `"a"`, `"a long one"`, "1", "null"))}}
		return true
	}},
	{"default", func(m *mutation, s *props) bool {
		values := []string{"[]", `"a"`, "1", "true", `{"unknown":1}`, `{"region":"a"}`}
		if s.Type == "object" {
			values = []string{"{}", "{}", "{}", `{"unknown":1}`, `{"region":"a"}`}
			s.Required = nil
		}
		s.Default = &apiextensionsv1.JSON{Raw: []byte(oneOf(m, values...))}
		return true
	}},
	{"required", func(m *mutation, s *props) bool {
		names := slices.Sorted(maps.Keys(s.Properties))
		s.Required = names[:m.random.IntN(len(names)+1)]
		return len(names) > 0
	}},
	{"list type", func(m *mutation, s *props) bool {
		s.XListType, s.XListMapKeys = pointer(oneOf(m, "atomic", "set", "map", "strange")), nil
		return s.Type == "array"
	}},
	{"map type", func(m *mutation, s *props) bool {
		s.XMapType = pointer(oneOf(m, "atomic", "granular", "strange"))
		return s.Type == "object"
	}},
	{"nullable", func(_ *mutation, s *props) bool { s.Nullable = !s.Nullable; return true }},
	{"unknown fields", func(_ *mutation, s *props) bool { s.XPreserveUnknownFields = pointer(true); return true }},
	{"int or string", func(_ *mutation, s *props) bool { *s = props{XIntOrString: true}; return true }},
	{"embedded", func(_ *mutation, s *props) bool {
		s.XEmbeddedResource, s.XPreserveUnknownFields = true, pointer(true)
		return s.Type == "object"
	}},
	{"any of", func(m *mutation, s *props) bool {
		s.AnyOf = []props{{Required: []string{"a"}, Description: oneOf(m, "", "a")}, *oneOf(m, &props{}, s.DeepCopy())}
		return true
	}},
	{"list", func(m *mutation, s *props) bool {
		*s = props{Type: "array", MaxItems: oneOf(m, nil, pointer[int64](4)), Items: &apiextensionsv1.JSONSchemaPropsOrArray{Schema: s.DeepCopy()}}
		return true
	}},
	{"map", func(m *mutation, s *props) bool {
		*s = props{Type: "object", MaxProperties: oneOf(m, nil, pointer[int64](4)), AdditionalProperties: &apiextensionsv1.JSONSchemaPropsOrBool{Allows: true, Schema: s.DeepCopy()}}
		return true
	}},
	{"object", func(_ *mutation, s *props) bool {
		*s = props{Type: "object", Properties: map[string]props{"a": *s.DeepCopy()}}
		return true
	}},
	{"description", func(_ *mutation, s *props) bool { s.Description += "!"; return true }},
	{"rename", func(m *mutation, s *props) bool {
		names := slices.Sorted(maps.Keys(s.Properties))
		if len(names) == 0 {
			return false
		}
		from, to := oneOf(m, names...), oneOf(m, append(names, "a", "a__b", "a-b", "in", "1a")...)
		property := s.Properties[from]
		delete(s.Properties, from)
		s.Properties[to] = property
		for i := range s.XValidations {
			s.XValidations[i].Rule = replaceName(s.XValidations[i].Rule, from, to)
		}
		return true
	}},
	{"swap", func(m *mutation, s *props) bool {
		names := slices.Sorted(maps.Keys(s.Properties))
		if len(names) == 0 {
			return false
		}
		a, b := oneOf(m, names...), oneOf(m, names...)
		s.Properties[a], s.Properties[b] = s.Properties[b], s.Properties[a]
		return true
	}},
	{"transplant", func(m *mutation, s *props) bool {
		other := oneOf(m, m.pool...).Spec.Versions[0].Schema.OpenAPIV3Schema.Properties["spec"]
		other = other.Properties["forProvider"]
		names := slices.Sorted(maps.Keys(other.Properties))
		if s.Type != "object" || s.AdditionalProperties != nil || len(names) == 0 {
			return false
		}
		name, property := oneOf(m, names...), props{}
		if s.Properties == nil {
			s.Properties = map[string]props{}
		}
		property = other.Properties[name]
		s.Properties[oneOf(m, append(slices.Sorted(maps.Keys(s.Properties)), "new")...)] = *property.DeepCopy()
		return true
	}},
	{"many", func(m *mutation, s *props) bool {
		if s.Type != "object" || s.AdditionalProperties != nil || m.random.IntN(3) > 0 {
			return false
		}
		copied := props{Type: "object", Properties: map[string]props{"a": {Type: "string"}}, XValidations: apiextensionsv1.ValidationRules{{Rule: oneOf(m, "self.a == oldSelf.a", "self.a == 'a'")}}}
		if s.Properties == nil {
			s.Properties = map[string]props{}
		}
		for i := range oneOf(m, 5, 20, 317, 330) {
			s.Properties[fmt.Sprintf("copy%d", i)] = copied
		}
		return true
	}},
	{"rule", func(m *mutation, s *props) bool {
		if len(s.XValidations) == 0 {
			rules := rulesOf(oneOf(m, m.pool...))
			s.XValidations = append(s.XValidations, oneOf(m, rules...))
			return true
		}
		r := &s.XValidations[m.random.IntN(len(s.XValidations))]
		names := append(slices.Sorted(maps.Keys(s.Properties)), "a", "forProvider")
		switch m.random.IntN(10) {
		case 0:
			r.Message = oneOf(m, "", " ", "a\nb", "m")
		case 1:
			r.Reason = pointer(oneOf(m, apiextensionsv1.FieldValueInvalid, apiextensionsv1.FieldValueRequired, "Strange"))
		case 2:
			r.OptionalOldSelf = pointer(oneOf(m, true, false))
		case 3:
			r.FieldPath = oneOf(m, "", ".a", "."+oneOf(m, names...), "['"+oneOf(m, names...)+"']")
		case 4:
			r.MessageExpression = oneOf(m, "'m'", "self.a", "1")
		case 5:
			words := word.FindAllString(r.Rule, -1)
			r.Rule = replaceName(r.Rule, oneOf(m, append(words, "a")...), oneOf(m, names...))
		case 6:
			r.Rule = oneOf(m, "!(", "(", "\n(") + r.Rule + ")"
		case 7:
			r.Rule += oneOf(m, " && self == oldSelf", " || has(self.a)", " && 1 == 1", " // about", " && self.all(self, true)", " && oldSelf.a == self.a")
		case 8:
			s.XValidations = append(s.XValidations, *r.DeepCopy())
		default:
			r.Rule = oneOf(m, rulesOf(oneOf(m, m.pool...))...).Rule
		}
		return true
	}},
	{"rule", func(m *mutation, s *props) bool {
		names := slices.Sorted(maps.Keys(s.Properties))
		if len(names) == 0 {
			return false
		}
		form := oneOf(m, "!has(oldSelf.%[1]s) || (has(self.%[1]s) && self.%[1]s == oldSelf.%[1]s)", "has(self.%[1]s)", "has(self.%[1]s)", "has(self.%[1]s)", "self.%[1]s == 'a'", "self.%[1]s.size() > 1", "self.%[1]s.%[2]s == self.%[1]s", "self.`%[1]s` == 1")
		s.XValidations = append(s.XValidations, apiextensionsv1.ValidationRule{Rule: fmt.Sprintf(form, oneOf(m, names...), oneOf(m, names...)), Message: "m"})
		return true
	}},
}

var word = regexp.MustCompile(`[A-Za-z_]\w*`)

// replaceName replaces a word in a rule.
func replaceName(rule, from, to string) string {
	return word.ReplaceAllStringFunc(rule, func(found string) string {
		if found == from {
			return to
		}
		return found
	})
}

// rulesOf returns the rules of a definition on its spec and below spec.forProvider.
func rulesOf(crd *definition) apiextensionsv1.ValidationRules {
	spec := crd.Spec.Versions[0].Schema.OpenAPIV3Schema.Properties["spec"]
	return append(slices.Clone(spec.XValidations), append(spec.Properties["forProvider"].XValidations, apiextensionsv1.ValidationRule{Rule: "true"})...)
}

func pointer[T any](value T) *T { return &value }
