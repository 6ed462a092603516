package admission_test

import (
	"context"
	"encoding/json"
	"fmt"
	"regexp"
	"slices"
	"strings"
	"testing"

	gocmp "github.com/google/go-cmp/cmp"

	"github.com/mrgen-io/admission"
)

// defaultTypes declares types that demand fields, in several ways.
const defaultTypes = `
// Req requires a field.
type Req struct {
	// +kubebuilder:validation:Required
	Mode *string ` + "`json:\"mode,omitempty\"`" + `
	// +optional
	Other *string ` + "`json:\"other,omitempty\"`" + `
}

// Given has a default for what it requires.
type Given struct {
	// +kubebuilder:default=a
	// +kubebuilder:validation:Required
	Mode *string ` + "`json:\"mode,omitempty\"`" + `
}

// Deep holds others.
type Deep struct {
	// +optional
	Req *Req ` + "`json:\"req,omitempty\"`" + `
	// +optional
	One *One ` + "`json:\"one,omitempty\"`" + `
}

// One demands one of two fields.
// +kubebuilder:validation:ExactlyOneOf=a;b
type One struct {
	// +optional
	A *string ` + "`json:\"a,omitempty\"`" + `
	// +optional
	B *string ` + "`json:\"b,omitempty\"`" + `
}

// Least demands one of two fields.
// +kubebuilder:validation:AtLeastOneOf=a;b
type Least struct {
	// +optional
	A *string ` + "`json:\"a,omitempty\"`" + `
	// +optional
	B *string ` + "`json:\"b,omitempty\"`" + `
}

// Some demands one of two fields of managed resources.
// +mrgen:requiredOneOf:fields=a;b
type Some struct {
	// +optional
	A *string ` + "`json:\"a,omitempty\"`" + `
	// +optional
	B *string ` + "`json:\"b,omitempty\"`" + `
}

// Min demands a number of fields.
// +kubebuilder:validation:MinProperties=1
type Min struct {
	// +optional
	A *string ` + "`json:\"a,omitempty\"`" + `
}
`

// TestDefaultsAreJudgedBeforeRelaxing compares the defaults that the API server refuses where the schema
// demands fields with those that mrgen refuses where rules do.
func TestDefaultsAreJudgedBeforeRelaxing(t *testing.T) {
	source := typesHeader + defaultTypes
	kinds := 0
	for _, field := range [][2]string{
		{"*Req", "{other: x}"}, {"*Req", "{}"}, {"*Req", "{mode: a}"}, {"Req", "{}"}, {"*Given", "{}"},
		{"*Deep", "{}"}, {"*Deep", "{req: {}}"}, {"*Deep", "{req: {mode: a}}"}, {"*Deep", "{one: {}}"}, {"*Deep", "{one: {a: b}}"}, {"*Deep", `{one: {a: b, b: a}}`},
		{"*One", "{}"}, {"*One", "{b: a}"}, {"*Least", "{}"}, {"*Least", "{a: a, b: b}"}, {"*Some", "{}"}, {"*Some", "{a: a}"}, {"*Min", "{}"}, {"*Min", "{a: b}"},
		{"[]Req", "{{other: x}}"}, {"[]Req", "{{mode: x}}"}, {"map[string]Req", "{k: {}}"}, {"[]One", "{{}}"},
	} {
		for _, derived := range []bool{true, false} {
			// Those who set a part by hand may set the rest elsewhere, but not by a default.
			if !derived && (budget(0, 1) == 0 || field[0] == "*Some") {
				continue
			}
			name := fmt.Sprintf("Kind%d", kinds)
			kinds++
			body := fmt.Sprintf("struct {\n\t// F is a field.\n\t// +kubebuilder:default=%s\n\t// +optional\n\tF %s `json:\"f,omitempty\"`\n}\n", field[1], field[0])
			source += kindSource(name, true) + fmt.Sprintf("\n// %sParameters are parameters.\ntype %[1]sParameters %s", name, body)
			if !derived { // what is given initially has the default, too
				source += fmt.Sprintf("\n// %sInitParameters are parameters.\ntype %[1]sInitParameters %s", name, body)
			}
		}
	}
	strict, relaxed := generateQuickly(t, source, dangerous+strictSettings), generateQuickly(t, source, dangerous+relaxedSettings)
	want, got := refusedLines(strict.diagnostics), refusedLines(relaxed.diagnostics)
	if diff := gocmp.Diff(want, got); diff != "" || len(want) < 10 {
		t.Errorf("defaults are refused in other lines (-where the schema demands fields +where rules do):\n%s\n%s\n%s", diff, strict.diagnostics, relaxed.diagnostics)
	}
}

// refusedLines returns the lines of the source that diagnostics refuse, once each.
func refusedLines(diagnostics string) []string {
	var lines []string
	for _, line := range refusals(diagnostics) {
		if match := regexp.MustCompile(regexp.QuoteMeta(typesFile) + `:(\d+):`).FindStringSubmatch(line); match != nil && strings.Contains(line, "default") {
			lines = append(lines, match[1])
		}
	}
	slices.Sort(lines)
	return slices.Compact(lines)
}

// TestDemandsOnRelaxedFields asks the API server which rules of an author refuse all observe-only resources
// that lack a field which others need: mrgen warns of these.
func TestDemandsOnRelaxedFields(t *testing.T) {
	rules := []string{
		"has(self.mode)", "self.?mode.hasValue()", "has(self.mode) && self.mode != 'b'", "has(self.other) && has(self.mode)",
		"has(self.other) || has(self.mode)", "!has(self.other) || has(self.mode)", "!has(self.mode) || self.mode != 'b'", "has(self.other)", "true",
	}
	source := typesHeader
	for i, rule := range rules {
		name := fmt.Sprintf("Kind%d", i)
		source += kindSource(name, true) + strings.NewReplacer("NAME", name, "RULE", rule, "'", "`").Replace(`
// NAMEParameters are parameters.
type NAMEParameters struct {
	// +optional
	C *NAMEReq 'json:"c,omitempty"'
}

`) + strings.NewReplacer("NAME", name, "RULE", rule).Replace(`// NAMEReq has a field that others need.
// +kubebuilder:validation:XValidation:rule="RULE"
type NAMEReq struct {
	// +kubebuilder:validation:Required
	Mode *string `+"`json:\"mode,omitempty\"`"+`
	// +optional
	Other *string `+"`json:\"other,omitempty\"`"+`
}
`)
	}
	result := generateQuickly(t, source, relaxedSettings)
	if result.refused {
		t.Fatal(result.diagnostics)
	}
	servers := result.install(t)
	for i, rule := range rules {
		name := fmt.Sprintf("Kind%d", i)
		demands := true
		for _, c := range []map[string]any{{}, {"other": "a"}} {
			_, err := servers[name].Create(context.Background(), observedObject(name, map[string]any{
				"managementPolicies": []any{"Observe"}, "forProvider": map[string]any{"c": c},
			}))
			demands = demands && err != nil
		}
		line := strings.Count(source[:strings.Index(source, "// "+name+"Req has")], "\n") + 2
		isSaid := strings.Contains(result.diagnostics, fmt.Sprintf("%s:%d:4: warning: the rule demands mode", typesFile, line))
		isAboutMode := rule != "has(self.other) && has(self.mode)" || isSaid
		if demands != isSaid || !isAboutMode {
			t.Errorf("%s refuses observe-only resources without mode: %t, and mrgen says: %t\n%s", rule, demands, isSaid, result.diagnostics)
		}
	}
}

// ownTypes are types that encode themselves, as Go and as source.
const ownTypes = `
// Dur writes a text.
MARKERtype Dur int64

// MarshalJSON writes a text.
func (d Dur) MarshalJSON() ([]byte, error) { return []byte("\"5s\""), nil }

// Switch writes a text.
MARKERtype Switch bool

// MarshalJSON writes a text.
func (s *Switch) MarshalJSON() ([]byte, error) { return []byte("\"on\""), nil }

// Pair writes a text.
MARKERtype Pair struct {
	A string ` + "`json:\"a\"`" + `
}

// MarshalJSON writes a text.
func (p Pair) MarshalJSON() ([]byte, error) { return []byte("\"a=b\""), nil }

// List writes a text.
type List []string

// MarshalJSON writes a text.
func (l List) MarshalJSON() ([]byte, error) { return []byte("\"a,b\""), nil }

// Texted writes a text.
type Texted int32

// MarshalText writes a text.
func (t Texted) MarshalText() ([]byte, error) { return []byte("high"), nil }

// Word writes a text.
type Word string

// MarshalJSON writes a text.
func (w Word) MarshalJSON() ([]byte, error) { return []byte("\"word\""), nil }

// Plain is a number.
type Plain int64
`

// The types of ownTypes.
type (
	ownDur    int64
	ownSwitch bool
	ownPair   struct{}
	ownList   []string
	ownText   int32
	ownWord   string
)

func (ownDur) MarshalJSON() ([]byte, error)     { return []byte(`"5s"`), nil }
func (*ownSwitch) MarshalJSON() ([]byte, error) { return []byte(`"on"`), nil }
func (ownPair) MarshalJSON() ([]byte, error)    { return []byte(`"a=b"`), nil }
func (ownList) MarshalJSON() ([]byte, error)    { return []byte(`"a,b"`), nil }
func (ownText) MarshalText() ([]byte, error)    { return []byte("high"), nil }
func (ownWord) MarshalJSON() ([]byte, error)    { return []byte(`"word"`), nil }

// TestOwnMarshalers has fields of types that encode themselves. If the schema refuses what encoding/json
// writes, mrgen says so, and its advice mends it.
func TestOwnMarshalers(t *testing.T) {
	values := map[string]any{
		"Dur": ownDur(5), "Switch": new(ownSwitch), "Pair": ownPair{}, "List": ownList{}, "Texted": ownText(1), "Word": ownWord("a"), "Plain": int64(5),
	}
	for _, marker := range []string{"", "// +kubebuilder:validation:Type=string\n"} {
		ofField := ""
		if marker != "" {
			ofField = "\t// +kubebuilder:validation:Schemaless\n\t" + marker
		}
		source := typesHeader + strings.ReplaceAll(ownTypes, "MARKER", marker)
		for name := range values {
			of := ""
			if name == "List" {
				of = ofField
			}
			source += withMirror(kindSource("Of"+name, false), "Of"+name) + fmt.Sprintf(
				"\n// Of%sParameters are parameters.\ntype Of%[1]sParameters struct {\n%s\t// +optional\n\tF *%[1]s `json:\"f,omitempty\"`\n}\n", name, of)
		}
		result := generate(t, source, dangerous+strictSettings)
		if result.refused {
			t.Fatal(result.diagnostics)
		}
		refused := 0
		for kind, server := range result.install(t) {
			name := strings.TrimPrefix(kind, "Of")
			text, err := json.Marshal(values[name])
			if err != nil {
				t.Fatal(err)
			}
			_, err = server.Create(context.Background(), observedObject(kind, map[string]any{"forProvider": map[string]any{"f": decoded(t, text)}}))
			if err != nil {
				refused++
			}
			if isSaid := strings.Contains(result.diagnostics, "warning: "+name+" marshals itself"); isSaid != (err != nil) {
				t.Errorf("%s: %v, and mrgen says: %t\n%s", name, admission.Refusals(err), isSaid, result.diagnostics)
			}
		}
		if refused == 0 != (marker != "") {
			t.Errorf("%d are refused with %q", refused, marker)
		}
	}
}

// TestEmbeddedMetadata stores objects with metadata below spec. If the API server drops what that has,
// mrgen names the setting that keeps it.
func TestEmbeddedMetadata(t *testing.T) {
	const types = `
// KindParameters are parameters.
type KindParameters struct {
	// +optional
	Claim *corev1.PersistentVolumeClaim 'json:"claim,omitempty"'
	// +optional
	Templates []Template 'json:"templates,omitempty"'
	// +optional
	Inlined *Inlined 'json:"inlined,omitempty"'
	// +kubebuilder:validation:EmbeddedResource
	// +optional
	Whole *corev1.PersistentVolumeClaim 'json:"whole,omitempty"'
	// +optional
	Kept *Kept 'json:"kept,omitempty"'
}

// Template is embedded.
type Template struct {
	// +optional
	Metadata metav1.ObjectMeta 'json:"metadata,omitempty"'
}

// Inlined is metadata.
type Inlined struct {
	metav1.ObjectMeta 'json:",inline"'
}

// Kept keeps what it doesn't know.
type Kept struct {
	// +kubebuilder:pruning:PreserveUnknownFields
	// +optional
	Metadata metav1.ObjectMeta 'json:"metadata,omitempty"'
}
`
	source := typesHeader + kindSource("Kind", false) + strings.ReplaceAll(types, "'", "`")
	for _, setting := range []string{"", "crds:\n  embeddedObjectMeta: true\n"} {
		result := generate(t, source, setting)
		if result.refused {
			t.Fatal(result.diagnostics)
		}
		server := result.install(t)["Kind"]
		for place, value := range map[string]string{
			"claim.metadata":       `{"claim": {"metadata": METADATA}}`,
			"templates[].metadata": `{"templates": [{"metadata": METADATA}]}`,
			"inlined":              `{"inlined": METADATA}`,
			"whole":                `{"whole": {"apiVersion": "v1", "kind": "PersistentVolumeClaim", "metadata": METADATA}}`,
			"kept":                 `{"kept": {"metadata": METADATA}}`,
		} {
			value = strings.Replace(value, "METADATA", `{"labels": {"a": "b"}}`, 1)
			_, err := server.Create(context.Background(), observedObject("Kind", map[string]any{"forProvider": decoded(t, []byte(value))}))
			isDropped := strings.Contains(fmt.Sprint(admission.Refusals(err)), "unknown field")
			if isSaid := strings.Contains(result.diagnostics, "in spec.forProvider."+place+": "); isSaid != isDropped {
				t.Errorf("%s with %q: %v, and mrgen says:\n%s", place, setting, admission.Refusals(err), result.diagnostics)
			}
		}
	}
}
