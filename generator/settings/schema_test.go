package settings

import (
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"

	"k8s.io/kube-openapi/pkg/validation/spec"
	"k8s.io/kube-openapi/pkg/validation/strfmt"
	"k8s.io/kube-openapi/pkg/validation/validate"
	"sigs.k8s.io/yaml"

	"github.com/mrgen-io/mrgen/testdata/expect"
)

// validator returns a function that reports whether the schema accepts a document.
func validator(t *testing.T) func(document string) bool {
	t.Helper()
	text := expect.Value(json.Marshal(Schema()))(t)
	var schema spec.Schema
	expect.NoError(t, json.Unmarshal(text, &schema))
	v := validate.NewSchemaValidator(&schema, nil, "", strfmt.Default)
	return func(document string) bool {
		var value any
		err := yaml.Unmarshal([]byte(document), &value)
		expect.Must(t, err == nil, "%v in\n%s", err, document)
		if value == nil {
			return true // this validator refuses null, whatever the schema says
		}
		return v.Validate(withoutNull(value)).IsValid()
	}
}

// withoutNull has empty mappings in place of null below the root, as the settings of a section.
func withoutNull(value any) any {
	if object, ok := value.(map[string]any); ok {
		for name, of := range object {
			if of == nil && (name == "crds" || name == "lint" || name == "rules" || name == "breaking") {
				object[name] = map[string]any{}
			} else {
				object[name] = withoutNull(of)
			}
		}
	}
	return value
}

// TestSchemaAgreesWithParser holds that the schema accepts what the parser accepts, and refuses what
// it refuses, in random documents.
func TestSchemaAgreesWithParser(t *testing.T) {
	accepts := validator(t)
	random := rand.New(rand.NewPCG(1, 2))
	values := []string{"true", "false", `"true"`, "7", "-1", "1.31", "1.3", "3.5", `"1.29.4"`, `"latest"`, `"v1.30"`, `""`, "a/b", `"a b"`, "/a", "a//b", "example.org/x/registry.",
		"[]", "[./apis/...]", `[""]`, "[1]", "[a, b]", "[{kind: A.b, reason: r}]", "[{kind: A.b}]", "[{kind: A.b, reason: 7}]", "{}", "{a: 1}", "enforce", `"off"`, "warn", "error", "warning", "hint", "check", "ERROR"}
	keys := []string{"crd.dir", "crds", "rules.unknown", "lint.rules.unknown", "Packages", "lint"}
	for _, row := range table {
		keys = append(keys, row.Key, row.Key, row.Key)
	}
	const documents = 1500
	accepted := 0
	for range documents {
		document := randomDocument(random, keys, values)
		s := Default()
		diags := s.Parse([]byte(document))
		if got, want := accepts(document), len(diags) == 0; got != want {
			t.Fatalf("the schema accepts: %t, the parser: %t (%v)\n%s", got, want, diags, document)
		} else if got {
			accepted++
		}
	}
	expect.True(t, accepted >= documents/20 && accepted <= documents*19/20, "%d of %d documents are accepted: too few of one sort", accepted, documents)
}

// randomDocument returns settings of up to three keys.
func randomDocument(random *rand.Rand, keys, values []string) string {
	document := map[string]any{}
	for range 1 + random.IntN(3) {
		at := document
		names := strings.Split(keys[random.IntN(len(keys))], ".")
		for _, name := range names[:len(names)-1] {
			next, ok := at[name].(map[string]any)
			if !ok {
				next = map[string]any{}
				at[name] = next
			}
			at = next
		}
		// Half of the values suit the setting.
		value := values[random.IntN(len(values))]
		if row := rowOf(strings.Join(names, ".")); row != nil && random.IntN(4) > 0 {
			s := Default()
			v := row.Value(&s)
			if value = v.literal(); len(v.choices) > 0 {
				value = literal(v.choices[random.IntN(len(v.choices))])
			}
		}
		at[names[len(names)-1]] = raw(value)
	}
	var text strings.Builder
	writeDocument(&text, document, "")
	return text.String()
}

// raw is a value as it stands in YAML.
type raw string

func writeDocument(text *strings.Builder, document map[string]any, indent string) {
	for name, value := range document {
		switch value := value.(type) {
		case raw:
			fmt.Fprintf(text, "%s%s: %s\n", indent, name, value)
		case map[string]any:
			fmt.Fprintf(text, "%s%s:\n", indent, name)
			writeDocument(text, value, indent+"  ")
		}
	}
}

func rowOf(key string) *Setting {
	for i := range table {
		if table[i].Key == key {
			return &table[i]
		}
	}
	return nil
}

// TestEffectiveSettingsAreSettings holds that what mrgen config prints is an mrgen.yaml with the same
// settings.
func TestEffectiveSettingsAreSettings(t *testing.T) {
	for name, content := range map[string]string{
		"defaults": "",
		"scopes":   "scopes:\n- from: a\n  to: b\n  groups: {\"*.m\": '*'}\n  code: [{from: c, to: d}]\n  replace: {a.B: a.C, \"x y\": z}\n  helpers: d/e\n  tests: true\n- {from: e, to: f}\n",
		"some":     "packages: [./apis/..., \"./a b\"]\nrules:\n  required: \"off\"\nresolvers:\n  registry: example.org/registry\n  reconciler: true\nminKubernetes: 1.40\nlint:\n  rules:\n    columns: \"off\"\n",
	} {
		t.Run(name, func(t *testing.T) {
			first, second := Default(), Default()
			diags := first.Parse([]byte(content))
			expect.Must(t, len(diags) == 0, "%v", diags)
			text := first.YAML()
			diags = second.Parse(text)
			expect.Must(t, len(diags) == 0, "%v in\n%s", diags, text)
			expect.Equal(t, string(text), string(withoutOrigin(second, first)))
		})
	}
}

// withoutOrigin returns settings as mrgen config prints them, with the origins of others.
func withoutOrigin(s, origin Settings) []byte {
	s.From = origin.From
	return s.YAML()
}
