package roundtrip

import (
	"encoding/json"
	"maps"
	"reflect"
	"slices"
	"strconv"
	"strings"
	"testing"

	apiextensionsv1 "k8s.io/apiextensions-apiserver/pkg/apis/apiextensions/v1"
	"k8s.io/apimachinery/pkg/api/resource"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/util/intstr"
	"k8s.io/apimachinery/pkg/util/managedfields"
	"k8s.io/kube-openapi/pkg/validation/spec"

	"github.com/mrgen-io/mrgen/generator/diag"
	"github.com/mrgen-io/mrgen/generator/internal/apiserver"
	"github.com/mrgen-io/mrgen/generator/internal/model"
	"github.com/mrgen-io/mrgen/generator/internal/schema"
	"github.com/mrgen-io/mrgen/testdata/expect"
)

// saidOf returns what is said of a kind whose spec has fields.
func saidOf(t *testing.T, spec schema.Props, fields ...*model.Field) diag.List {
	t.Helper()
	o := &model.Object{Spec: &model.Field{Name: "Spec", JSONName: "spec", Type: &model.Type{Kind: model.Struct, Local: true, Fields: fields}}}
	return Check(t.Context(), o, &schema.Props{Required: []string{"spec"}, Properties: map[string]schema.Props{"spec": spec}})
}

// ruleAt returns the marker of a rule, in line 7.
func ruleAt(rule string) []model.Marker {
	return []model.Marker{{Text: "kubebuilder:validation:XValidation:rule=" + strconv.Quote(rule), Pos: diag.Position{File: "a.go", Line: 7}}}
}

// TestRulesOfTheAuthor has rules on a struct with the fields a, which Go omits if it is false, q and d, which it writes
// in a form of its own, and b, which is Base64. A rule is reported if and only if it refuses what Go writes.
func TestRulesOfTheAuthor(t *testing.T) {
	field := func(name string, of reflect.Type, omit bool) *model.Field {
		return &model.Field{Name: strings.ToUpper(name), JSONName: name, Tagged: true, OmitEmpty: omit, Type: typeOf(of), Pos: diag.Position{File: "a.go", Line: 1}}
	}
	fields := []*model.Field{
		field("a", reflect.TypeFor[bool](), true), field("b", reflect.TypeFor[[]byte](), true), field("p", reflect.TypeFor[*string](), true),
		field("q", reflect.TypeFor[*resource.Quantity](), true), field("d", reflect.TypeFor[*metav1.Duration](), true),
		field("s", reflect.TypeFor[*metav1.Time](), true), field("u", reflect.TypeFor[*metav1.Time](), true),
		{Name: "L", JSONName: "l", Tagged: true, OmitEmpty: true, Type: &model.Type{Kind: model.Slice, Elem: &model.Type{
			Kind: model.Struct, Local: true, Fields: []*model.Field{field("p", reflect.TypeFor[*string](), true), field("n", reflect.TypeFor[string](), false)},
		}}},
		{Name: "O", JSONName: "o", Tagged: true, OmitEmpty: true, Type: &model.Type{Kind: model.Pointer, Elem: &model.Type{
			Kind: model.Struct, Local: true, Fields: []*model.Field{field("p", reflect.TypeFor[*string](), true)},
		}}},
	}
	const properties = `"type":"object","properties":{"a":{"type":"boolean"},"b":{"type":"string","format":"byte"},"p":{"type":"string"},` +
		`"q":{"x-kubernetes-int-or-string":true,"anyOf":[{"type":"integer"},{"type":"string"}]},"d":{"type":"string"},"s":{"type":"string","format":"date-time"},"u":{"type":"string","format":"date-time"},` +
		`"l":{"type":"array","items":{"type":"object","properties":{"p":{"type":"string"},"n":{"type":"string"}}}},"o":{"type":"object","properties":{"p":{"type":"string"}}}}`
	for rule, want := range map[string]string{
		"self == oldSelf": "Go omits false, a change of spec.x.a", "self.a == oldSelf.a": "Go omits false, a change of spec.x.a",
		"has(self.a) == has(oldSelf.a)": "Go omits false, a change of spec.x.a", "self.?a.orValue(false) == oldSelf.?a.orValue(false)": "",
		"!has(oldSelf.q) || self.q == oldSelf.q":        `Go writes "1Gi" for "1024Mi", a change of spec.x.q`,
		"self.?d.orValue('') == oldSelf.?d.orValue('')": `Go writes "1m0s" for "60s", a change of spec.x.d`, "self.?p.orValue('') == oldSelf.?p.orValue('')": "",
		"!has(oldSelf.s) || has(self.s) && self.s == oldSelf.s":  `Go writes "2006-01-02T15:04:05Z" for "2006-01-02T15:04:05.5Z", a change of spec.x.s`,
		"!has(self.s) || !has(self.u) || self.s < self.u":        `Go writes "2006-01-02T15:04:05Z" for "2006-01-02T15:04:05.5Z", a change of spec.x.u`,
		"!has(oldSelf.l) || !has(self.l) || self.l == oldSelf.l": `updates from Go send "" for n where nobody set a value, which the rule refuses`,
		"!has(self.l) || self.l.all(x, !has(x.n) || x.n != '')":  `updates from Go send "" for n where nobody set a value, which the rule refuses`,
		"!has(self.l) || self.l.all(x, has(x.p) || has(x.n))":    "",
		"!has(self.b) || size(self.b) < 10":                      `the rule fails for some values, and users read "Invalid byte formatted string": rules can't read Base64 with + or /, so make it a string`,
		"has(self.a) || has(self.b)":                             `the rule fails for some values, and users read "Invalid byte formatted string": rules can't read Base64 with + or /, so make it a string`,
		"!has(self.p) || self.p != ''":                           "",
		"self.p != ''":                                           `the rule fails where p is unset, and users read "no such key": test has(…) first, or make the field required`,
		"!has(self.o.p) || has(self.p)":                          `the rule fails where o is unset`, "has(self.p) || has(self.o.p)": `the rule fails where o is unset`,
		"!has(self.o) || !has(self.o.p) || has(self.p)": "", "unknown(": "",
	} {
		of := &model.Type{Kind: model.Struct, Name: "X", Package: "example.org/p", Local: true, Fields: fields, Markers: ruleAt(rule)}
		around := &model.Field{Name: "X", JSONName: "x", Tagged: true, OmitEmpty: true, Type: &model.Type{Kind: model.Pointer, Elem: of}, Pos: diag.Position{File: "a.go", Line: 2}}
		props := schemaOf(t, true, properties)
		x := props.Properties["x"]
		x.XValidations = apiextensionsv1.ValidationRules{{Rule: rule}}
		props.Properties["x"] = x
		diags := saidOf(t, *props, around)
		diags = slices.DeleteFunc(diags, func(d diag.Diagnostic) bool { return d.Pos.Line != 7 })
		switch {
		case want == "" && len(diags) > 0:
			t.Errorf("%s: %v", rule, diags)
		case want != "" && (len(diags) != 1 || !strings.HasPrefix(diags[0].Message, want)):
			t.Errorf("%s: %v, want %s", rule, diags, want)
		}
	}
}

// TestRulesOverDefaults has rules over fields with defaults. The API server's code, which fills these in, refuses an object that leaves
// them unset wherever a warning says so.
func TestRulesOverDefaults(t *testing.T) {
	const properties = `{"type":"object","required":["must"],"properties":{"must":{"type":"string"},"free":{"type":"string"},
		"least":{"type":"integer","default":5},"most":{"type":"integer","default":3},
		"within":{"type":"object","properties":{"least":{"type":"integer","default":5}}},
		"by":{"type":"object","additionalProperties":{"type":"object","properties":{"least":{"type":"integer","default":5}}}}}}`
	for rule, isWarned := range map[string]bool{
		"self.least <= self.most":                            true,
		"self.least >= self.most":                            false,
		"self.within.least <= self.most":                     true,
		"self.by.all(k, self.by[k].least <= 4)":              true,
		"self.by.all(k, self.by[k].least <= 5)":              false,
		"self.least <= 4 || has(self.free)":                  false, // a user may set free
		"self.must == 'x' || self.least <= 4":                false,
		"has(self.within) && self.within.least == self.most": true,
		"self.missing <= self.most":                          false, // the API server refuses the rule
	} {
		var s schema.Props
		expect.NoError(t, json.Unmarshal([]byte(properties), &s))
		s.XValidations = apiextensionsv1.ValidationRules{{Rule: rule}}
		c := &checker{ctx: t.Context()}
		if judge := judgeOf(&s, s.XValidations[0]); judge != nil {
			c.defaulted(schema.Cursor{Schema: &s}, judgedRule{ValidationRule: s.XValidations[0], marker: diag.Position{File: "a.go", Line: 7}, judge: judge})
		}
		switch {
		case isWarned != (len(c.diags) == 1):
			t.Errorf("%s: %v, want a warning: %t", rule, c.diags, isWarned)
		case isWarned:
			server := expect.Value(apiserver.NewObjectValidator(&s))(t)
			least := map[string]any{"must": "x", "within": map[string]any{}, "by": map[string]any{"k": map[string]any{}}}
			read, _ := server.Read(least)
			expect.True(t, len(server.Refusals(t.Context(), read)) != 0, "%s: the API server accepts %v", rule, read)
		}
	}
}

// TestSetsOfObjects holds that server-side apply fails for the lists that are warned of, and for no other.
func TestSetsOfObjects(t *testing.T) {
	for text, value := range map[string]any{
		`"x-kubernetes-list-type":"set","items":{"type":"string"}`:                                                                                          "a",
		`"x-kubernetes-list-type":"atomic","items":{"type":"object","properties":{"a":{"type":"string"}}}`:                                                  map[string]any{"a": "b"},
		`"x-kubernetes-list-type":"set","items":{"type":"object","x-kubernetes-map-type":"atomic","properties":{"a":{"type":"string"}}}`:                    map[string]any{"a": "b"},
		`"x-kubernetes-list-type":"set","items":{"type":"array","x-kubernetes-list-type":"atomic","items":{"type":"string"}}`:                               []any{"a"},
		`"x-kubernetes-list-type":"map","x-kubernetes-list-map-keys":["a"],"items":{"type":"object","required":["a"],"properties":{"a":{"type":"string"}}}`: map[string]any{"a": "b"},
	} {
		list := `{"type":"array",` + text + `}`
		var openAPI spec.Schema
		if err := json.Unmarshal([]byte(`{"type":"object","properties":{"apiVersion":{"type":"string"},"kind":{"type":"string"},"x":`+list+`},"x-kubernetes-group-version-kind":[{"group":"g","version":"v","kind":"K"}]}`), &openAPI); err != nil {
			t.Fatal(err)
		}
		converter := expect.Value(managedfields.NewTypeConverter(map[string]*spec.Schema{"g.v.K": &openAPI}, false))(t)
		_, failure := converter.ObjectToTyped(&unstructured.Unstructured{Object: map[string]any{"apiVersion": "g/v", "kind": "K", "x": []any{value}}})

		var s schema.Props
		expect.NoError(t, json.Unmarshal([]byte(list), &s))
		c := &checker{ctx: t.Context(), isStatus: true}
		c.value("x", schema.Cursor{Schema: &s, Type: typeOf(reflect.TypeFor[[]string]()), Field: &model.Field{Name: "X", JSONName: "x"}})
		expect.True(t, (failure != nil) == (len(c.diags) > 0), "%s: %v, and the warnings are %v", list, failure, c.diags)
	}
}

// TestRulesOnText has rules on the text of quantities and durations: there is a warning if and only if the API server's code accepts some
// of many texts by the rule, and refuses the text that Go writes for it.
func TestRulesOnText(t *testing.T) {
	quantities, durations := []string{"0"}, []string{"0s"}
	for _, number := range []string{"1", "5", "10", "30", "60", "90", "100", "0.1", "0.5", "1.5", "1000", "1024", "1500"} {
		for _, unit := range []string{"", "m", "k", "M", "G", "Ki", "Mi", "Gi", "Ti"} {
			quantities = append(quantities, number+unit)
		}
		for _, unit := range []string{"us", "ms", "s", "m", "h"} {
			durations = append(durations, number+unit)
		}
	}
	warned := 0
	for _, test := range []struct {
		of           reflect.Type
		texts, rules []string
	}{
		{reflect.TypeFor[*metav1.Duration](), durations, []string{
			"self.matches('^[0-9]+h$')", "self.matches('^[0-9]+(s|m|h)$')", "self.endsWith('ms')", "self.endsWith('s')", "!self.contains('m')",
			"!self.contains('.')", "self != '60s'", "self != '1m0s'", "self in ['5m', '10m']", "size(self) <= 3", "duration(self) > duration('1m')",
		}},
		{reflect.TypeFor[*resource.Quantity](), quantities, []string{
			"string(self).endsWith('Gi')", "string(self).endsWith('Mi')", "string(self).endsWith('m')", "string(self).endsWith('k')",
			"string(self).matches('^[0-9]+$')", "string(self).matches('^[0-9]+(Ki|Mi|Gi|Ti)$')", "!string(self).contains('.')", "!string(self).contains('m')",
			"string(self) != '1Gi'", "type(self) == string", "isQuantity(string(self))", "quantity(string(self)).isGreaterThan(quantity('1Gi'))",
		}},
	} {
		for _, rule := range test.rules {

			props := schema.Props{Type: "string", XValidations: apiextensionsv1.ValidationRules{{Rule: rule}}}
			if test.of == reflect.TypeFor[*resource.Quantity]() {
				props.Type, props.XIntOrString, props.AnyOf = "", true, []schema.Props{{Type: "integer"}, {Type: "string"}}
			}
			validator := expect.Value(apiserver.NewObjectValidator(&schema.Props{Type: "object", Properties: map[string]schema.Props{"x": props}}))(t)
			accepts := func(value any) bool { return len(validator.Refusals(t.Context(), map[string]any{"x": value})) == 0 }
			refused := ""
			for _, text := range test.texts {
				read := reflect.New(test.of)
				expect.NoError(t, json.Unmarshal([]byte(strconv.Quote(text)), read.Interface()))
				written := expect.Value(json.Marshal(read.Interface()))(t)
				if accepts(text) && !accepts(decoded(written)) {
					refused = text + " becomes " + string(written)
				}
			}
			_, f := objectOf(test.of, ",omitempty")
			f.Markers = ruleAt(rule)
			c := &checker{ctx: t.Context()}
			around := schema.Cursor{Schema: &schema.Props{Type: "object", Properties: map[string]schema.Props{"x": props}}, Type: &model.Type{Kind: model.Struct, Local: true, Fields: []*model.Field{f}}}
			c.updates("x", around.Property("x"))
			expect.Equal(t, refused != "", len(c.diags) > 0, "%s: %q, and the warnings are %v", rule, refused, c.diags)
			warned += len(c.diags)
		}
	}
	expect.True(t, warned >= 10, "%d warnings", warned)
}

// keyed is an item that a key tells from others.
type keyed struct {
	K *metav1.Duration `json:"k"`
	V *metav1.Duration `json:"v,omitempty"`
}

// TestItemsThatBecomeOne has lists of two items: there is a warning if and only if the API server's code accepts some, and refuses them
// once encoding/json has read and written them.
func TestItemsThatBecomeOne(t *testing.T) {
	keyedSchema := func(key string) string {
		return `"type":"object","required":["k","v"],"properties":{"k":{"type":"string"},"v":{"type":"string"}}},"x-kubernetes-list-map-keys":["` + key + `"]`
	}
	warned := 0
	for _, test := range []struct {
		of            reflect.Type
		listType      string
		items, values string
	}{
		{reflect.TypeFor[[]metav1.Duration](), "set", `"type":"string"}`, `["60s","1m","2m"]`},
		{reflect.TypeFor[[]metav1.Duration](), "atomic", `"type":"string"}`, `["60s","1m","2m"]`},
		{reflect.TypeFor[[]*resource.Quantity](), "set", quantitySchema + `}`, `["1024Mi","1Gi",1,"1"]`},
		{reflect.TypeFor[[]metav1.Time](), "set", `"type":"string","format":"date-time"}`, `["2006-01-02T15:04:05Z","2006-01-02T15:04:05.5Z"]`},
		{reflect.TypeFor[[]metav1.MicroTime](), "set", `"type":"string","format":"date-time"}`, `["2006-01-02T15:04:05.000000Z","2006-01-02T15:04:05.500000Z"]`},
		{reflect.TypeFor[[]intstr.IntOrString](), "set", intOrString + `}`, `[1,"1","a"]`},
		{reflect.TypeFor[[]string](), "set", `"type":"string"}`, `["60s","1m"]`},
		{reflect.TypeFor[[]keyed](), "map", keyedSchema("k"), `[{"k":"60s","v":"1s"},{"k":"1m","v":"1s"}]`},
		{reflect.TypeFor[[]keyed](), "map", keyedSchema("v"), `[{"k":"1s","v":"60s"},{"k":"2s","v":"1m"}]`},
	} {
		text := `"type":"array","x-kubernetes-list-type":"` + test.listType + `","items":{` + test.items
		var props schema.Props
		expect.NoError(t, json.Unmarshal([]byte(`{`+text+`}`), &props))
		validator := expect.Value(apiserver.NewObjectValidator(&schema.Props{Type: "object", Properties: map[string]schema.Props{"x": props}}))(t)
		accepts := func(items []any) bool { return len(validator.Refusals(t.Context(), map[string]any{"x": items})) == 0 }
		values, isRefused := decoded([]byte(test.values)).([]any), false
		for i, a := range values {
			for _, b := range values[:i] {
				stored, err := json.Marshal([]any{a, b})
				read := reflect.New(test.of)
				expect.Must(t, err == nil && json.Unmarshal(stored, read.Interface()) == nil, "Go can't read %s", stored)
				sent := expect.Value(json.Marshal(read.Interface()))(t)
				isRefused = isRefused || accepts([]any{a, b}) && !accepts(decoded(sent).([]any))
			}
		}
		isWarned := slices.ContainsFunc(warningsFor(t, test.of, ",omitempty", false, text), func(message string) bool {
			const want = `Go writes "60s" of x as "1m0s", so that two items become one, which the API server refuses: mark it +listType=atomic`
			return message == want || test.of != reflect.TypeFor[[]metav1.Duration]() && strings.Contains(message, "so that two items become one")
		})
		expect.True(t, isWarned == isRefused, "%s with %s: a warning: %t, and updates are refused: %t", test.of, text, isWarned, isRefused)
		if isWarned {
			warned++
		}
	}
	expect.True(t, warned >= 4, "%d warnings", warned)
}

// TestForProvider holds that +immutable is the remedy in forProvider, also for the rule by which +k8s:immutable has a field stay.
func TestForProvider(t *testing.T) {
	count := &model.Field{
		Name: "Count", JSONName: "count", Tagged: true, OmitEmpty: true, Type: typeOf(reflect.TypeFor[int64]()), Pos: diag.Position{File: "a.go", Line: 3},
		Markers: []model.Marker{{Text: "k8s:immutable", Pos: diag.Position{File: "a.go", Line: 8}}},
	}
	limit := &model.Field{
		Name: "Limit", JSONName: "limit", Tagged: true, OmitEmpty: true, Type: typeOf(reflect.TypeFor[*resource.Quantity]()), Pos: diag.Position{File: "a.go", Line: 1},
		Markers: []model.Marker{{Text: "k8s:immutable", Pos: diag.Position{File: "a.go", Line: 7}}},
	}
	parameters := &model.Type{Kind: model.Struct, Local: true, Fields: []*model.Field{limit, count}}
	around := &model.Field{Name: "ForProvider", JSONName: "forProvider", Tagged: true, Type: parameters, Pos: diag.Position{File: "a.go", Line: 2}}
	props := apiextensionsv1.JSONSchemaProps{Type: "object", Properties: map[string]apiextensionsv1.JSONSchemaProps{"limit": {
		XIntOrString: true, AnyOf: []apiextensionsv1.JSONSchemaProps{{Type: "integer"}, {Type: "string"}}, Pattern: "^[0-9]+([kM]|Mi|Gi|Ti|Pi|Ei|[GTPE])?$",
		XValidations: apiextensionsv1.ValidationRules{{Rule: "self == oldSelf"}},
	}, "count": {Type: "integer", XValidations: apiextensionsv1.ValidationRules{{Rule: "self == oldSelf"}}}}}
	props.XValidations = apiextensionsv1.ValidationRules{
		{Rule: "!has(oldSelf.limit) || has(self.limit)", Message: "field limit is immutable once set"},
		{Rule: "!has(oldSelf.count) || has(self.count)", Message: "field count is immutable once set"},
	}
	diags := saidOf(t, schema.Props{Type: "object", Required: []string{"forProvider"}, Properties: map[string]schema.Props{"forProvider": props}}, around)
	want := []string{
		"a.go:8: warning: Go writes nothing for 0, a change of spec.forProvider.count that the rule refuses with every update: write +immutable instead",
		`a.go:7: warning: Go writes "1Gi" for "1024Mi", a change of limit that the rule refuses with every update: write +immutable instead`,
	}
	expect.Equal(t, want, expect.Strings(diags))
}

// TestInitProvider holds that no field of initProvider is required, also if it is one of forProvider.
func TestInitProvider(t *testing.T) {
	parameters := &model.Type{Kind: model.Struct, Local: true, Fields: []*model.Field{
		{Name: "Size", JSONName: "size", Tagged: true, Type: typeOf(reflect.TypeFor[int64]()), Pos: diag.Position{File: "a.go", Line: 1}},
	}}
	fields := []*model.Field{
		{Name: "ForProvider", JSONName: "forProvider", Tagged: true, Type: parameters},
		{Name: "InitProvider", JSONName: "initProvider", Tagged: true, OmitEmpty: true, Type: &model.Type{Kind: model.Pointer, Elem: parameters}},
	}
	part := apiextensionsv1.JSONSchemaProps{Type: "object", Required: []string{"size"}, Properties: map[string]apiextensionsv1.JSONSchemaProps{"size": {Type: "integer"}}}
	props := apiextensionsv1.JSONSchemaProps{Type: "object", Required: []string{"forProvider"}, Properties: map[string]apiextensionsv1.JSONSchemaProps{"forProvider": part, "initProvider": part}}
	const want = "size is required in initProvider, which adds to forProvider: mark it +optional, and make it a pointer with omitempty"
	diags := saidOf(t, props, fields...)
	expect.True(t, len(diags) == 1 && diags[0].Message == want, "%v", diags)
}

// TestStatus holds that status is checked, too, except for values that only users write.
func TestStatus(t *testing.T) {
	phase := &model.Field{Name: "Phase", JSONName: "phase", Tagged: true, Type: typeOf(reflect.TypeFor[string]()), Pos: diag.Position{File: "a.go", Line: 1}}
	since := &model.Field{Name: "Since", JSONName: "since", Tagged: true, OmitEmpty: true, Type: typeOf(reflect.TypeFor[*metav1.Time]()), Pos: diag.Position{File: "a.go", Line: 2}}
	status := &model.Field{Name: "Status", JSONName: "status", Type: &model.Type{Kind: model.Struct, Local: true, Fields: []*model.Field{phase, since}}}
	props := apiextensionsv1.JSONSchemaProps{Type: "object", Properties: map[string]apiextensionsv1.JSONSchemaProps{
		"phase": {Type: "string", Enum: []apiextensionsv1.JSON{{Raw: []byte(`"a"`)}}}, "since": {Type: "string", Format: "date-time"},
	}}
	diags := Check(t.Context(), &model.Object{Status: status}, &apiextensionsv1.JSONSchemaProps{Required: []string{"spec", "status"}, Properties: map[string]apiextensionsv1.JSONSchemaProps{"status": props}})
	const want = `updates from Go send "" for phase where nobody set a value, which the API server refuses: make it a pointer with omitempty`
	expect.True(t, len(diags) == 1 && diags[0].Message == want, "%v", diags)
}

// TestFinal has texts that Go writes as "" before anybody has set them, and rules by which some stay so.
func TestFinal(t *testing.T) {
	for _, test := range []struct {
		rule                        string
		omits, isRequired, isStatus bool
		isFinal                     bool
	}{
		{"self == oldSelf", false, true, true, true},
		{"self == oldSelf", false, false, false, true},
		{"self == oldSelf", false, true, false, false},
		{"self == oldSelf", true, false, true, false},
		{"oldSelf == '' || self == oldSelf", false, false, true, false},
		{"oldSelf != '' || self == 'Pending'", false, false, true, false},
	} {
		name := "spec"
		if test.isStatus {
			name = "status"
		}
		phase := &model.Field{
			Name: "Phase", JSONName: "phase", Tagged: true, OmitEmpty: test.omits, Type: typeOf(reflect.TypeFor[string]()), Pos: diag.Position{File: "a.go", Line: 1},
			Markers: ruleAt(test.rule),
		}
		part := &model.Field{Name: "Part", JSONName: name, Type: &model.Type{Kind: model.Struct, Local: true, Fields: []*model.Field{phase}}}
		props := apiextensionsv1.JSONSchemaProps{Type: "object", Properties: map[string]apiextensionsv1.JSONSchemaProps{
			"phase": {Type: "string", XValidations: apiextensionsv1.ValidationRules{{Rule: test.rule}}},
		}}
		if test.isRequired {
			props.Required = []string{"phase"}
		}
		o := &model.Object{Spec: part}
		if test.isStatus {
			o = &model.Object{Status: part}
		}
		root := &apiextensionsv1.JSONSchemaProps{Required: []string{name}, Properties: map[string]apiextensionsv1.JSONSchemaProps{name: props}}
		diags := slices.DeleteFunc(Check(t.Context(), o, root), func(d diag.Diagnostic) bool { return d.Pos.Line != 7 })
		const want = `Go writes "" for phase where nobody set a value, and the rule refuses all others from then on: give it omitempty`
		expect.True(t, test.isFinal == (len(diags) == 1 && diags[0].Message == want) && len(diags) <= 1, "%+v: %v", test, diags)
	}
}

// TestRulesAboutAddedFields has rules that read a text which Go writes where nobody set one, or omits: there is a warning if and only if
// the API server's code accepts an object without the text by the rule, and refuses the update from Go.
func TestRulesAboutAddedFields(t *testing.T) {
	for _, test := range []struct {
		rule      string
		omitEmpty bool
	}{
		{"has(self.a) != has(self.b)", false},
		{"has(self.a) != has(self.b)", true},
		{"has(self.a) || has(self.b)", false},
		{"!has(self.a) || self.a != ''", false},
		{"!has(self.a) || self.a != ''", true},
		{"self.type == 'one' ? has(self.a) : !has(self.a)", false},
		{"self.type == 'one' ? has(self.a) : !has(self.a)", true},
		{"has(self.b)", false},
	} {
		props := schemaOf(t, true, `"type":"object","required":["type"],"properties":{"a":{"type":"string"},"b":{"type":"string"},"type":{"type":"string","enum":["one","two"]}}`)
		x := props.Properties["x"]
		x.XValidations = apiextensionsv1.ValidationRules{{Rule: test.rule}}
		props.Properties["x"] = x
		text := typeOf(reflect.TypeFor[string]())
		of := &model.Type{Kind: model.Struct, Local: true, Markers: ruleAt(test.rule), Fields: []*model.Field{
			{Name: "A", JSONName: "a", Tagged: true, OmitEmpty: test.omitEmpty, Type: text, Pos: diag.Position{File: "a.go", Line: 3}},
			{Name: "B", JSONName: "b", Tagged: true, OmitEmpty: true, Type: text, Pos: diag.Position{File: "a.go", Line: 4}},
			{Name: "Type", JSONName: "type", Tagged: true, Required: true, Type: text, Pos: diag.Position{File: "a.go", Line: 5}},
		}}
		field := &model.Field{Name: "X", JSONName: "x", Tagged: true, Type: of, Pos: diag.Position{File: "a.go", Line: 2}}
		const want = `updates from Go send "" for a where nobody set a value, which the rule refuses: make it a pointer with omitempty`
		isWarned := slices.ContainsFunc(saidOf(t, *props, field), func(d diag.Diagnostic) bool {
			return d.Pos.Line == 7 && d.Message == want
		})
		validator := expect.Value(apiserver.NewObjectValidator(&x))(t)
		accepts := func(object map[string]any) bool { return len(validator.Refusals(t.Context(), object)) == 0 }
		isRefused := false
		for _, object := range []map[string]any{{"type": "one"}, {"type": "two"}, {"type": "one", "b": "b"}, {"type": "two", "b": "b"}} {
			sent := maps.Clone(object)
			if !test.omitEmpty {
				sent["a"] = ""
			}
			isRefused = isRefused || accepts(object) && !accepts(sent)
		}
		expect.True(t, isWarned == isRefused, "%+v: updates are refused: %t, a warning: %t", test, isRefused, isWarned)
	}
}

// TestMessageExpressions has rules on three optional numbers and a list: there is a warning if and only if the API server's code
// refuses some object by the rule, on creation or in an update, and answers with the message in place of the expression.
func TestMessageExpressions(t *testing.T) {
	optional := true
	warnings := []string{
		"the messageExpression fails where a field is unset, so that users read another message: test has(…) in it",
		"the messageExpression reads oldSelf, which it lacks for new values, so that users read another message: leave it out",
	}
	for _, test := range []struct {
		rule, expression string
		optionalOldSelf  *bool
	}{
		{"!has(self.a) || self.a > 3", "'a is ' + string(self.a)", nil},
		{"has(self.a)", "'a is ' + string(self.a)", nil},
		{"has(self.a)", "has(self.a) ? 'a is ' + string(self.a) : 'no a'", nil},
		{"has(self.a) && self.a > 3 || has(self.b)", "'a is ' + string(self.a)", nil},
		{"!has(self.a) || self.a > 3", "'b is ' + string(self.b)", nil},
		{"!has(self.a) || self.a > 3", "has(self.b) ? 'b is ' + string(self.b) : 'no b'", nil},
		{"!has(self.a) || !has(self.b) || self.a <= self.b", "string(self.a) + ' is above ' + string(self.b)", nil},
		{"!has(self.a) || !has(self.b) || self.a <= self.b", "'c is ' + string(self.c)", nil},
		{"!has(self.l) || size(self.l) > 2", "'l has ' + string(size(self.l))", nil},
		{"!has(self.a) || self.a > 3", "'l begins with ' + string(self.l[0])", nil},
		{"!has(self.a) || self.a > 3", "'it was ' + string(oldSelf.a)", nil},
		{"!has(self.a) || !has(oldSelf.a) || self.a == oldSelf.a", "'it was ' + string(oldSelf.a)", nil},
		{"!has(self.a) || !has(oldSelf.a) || self.a == oldSelf.a", "'b was ' + string(oldSelf.b)", nil},
		{"!has(self.a) || oldSelf.hasValue()", "oldSelf.hasValue() ? 'old' : 'new'", &optional},
		{"!has(self.a) || oldSelf.hasValue()", "'new'", &optional},
	} {
		props := schemaOf(t, true, `"type":"object","properties":{"a":{"type":"integer"},"b":{"type":"integer"},"c":{"type":"integer"},"l":{"type":"array","items":{"type":"integer"}}}`)
		x := props.Properties["x"]
		x.XValidations = apiextensionsv1.ValidationRules{{Rule: test.rule, Message: "the fixed text", MessageExpression: test.expression, OptionalOldSelf: test.optionalOldSelf}}
		props.Properties["x"] = x
		of := &model.Type{Kind: model.Struct, Local: true, Markers: ruleAt(test.rule)}
		for _, name := range []string{"a", "b", "c", "l"} {
			kind := reflect.TypeFor[*int64]()
			if name == "l" {
				kind = reflect.TypeFor[[]int64]()
			}
			of.Fields = append(of.Fields, &model.Field{
				Name: strings.ToUpper(name), JSONName: name, Tagged: true, OmitEmpty: true, Type: typeOf(kind), Pos: diag.Position{File: "a.go", Line: 3},
			})
		}
		field := &model.Field{Name: "X", JSONName: "x", Tagged: true, Type: of, Pos: diag.Position{File: "a.go", Line: 2}}
		isWarned := slices.ContainsFunc(saidOf(t, *props, field), func(d diag.Diagnostic) bool {
			return d.Pos.Line == 7 && slices.Contains(warnings, d.Message)
		})
		validator := expect.Value(apiserver.NewObjectValidator(&x))(t)
		isLost := false
		objects := objectsOf(map[string][]any{"a": {nil, int64(1), int64(5)}, "b": {nil, int64(1), int64(5)}, "c": {nil, int64(1)}, "l": {nil, []any{}, []any{int64(1)}}})
		for _, object := range objects {
			refusals := validator.Refusals(t.Context(), object)
			for _, old := range objects {
				refusals = append(refusals, validator.UpdateRefusals(t.Context(), object, old, false)...)
			}
			isLost = isLost || slices.ContainsFunc(refusals, func(r apiserver.Refusal) bool { return strings.Contains(r.Reason, "the fixed text") })
		}
		expect.True(t, isWarned == isLost, "%s, %s: the API server leaves the expression out: %t, a warning: %t", test.rule, test.expression, isLost, isWarned)
	}
}

// objectsOf returns the objects with each combination of values of fields. A field that is nil is unset.
func objectsOf(fields map[string][]any) []map[string]any {
	all := []map[string]any{{}}
	for name, values := range fields {
		var more []map[string]any
		for _, object := range all {
			for _, value := range values {
				with := maps.Clone(object)
				if value != nil {
					with[name] = value
				}
				more = append(more, with)
			}
		}
		all = more
	}
	return all
}

// TestRulesAboutNewValues has rules about an optional old value: there is a warning if and only if the API server's code fails to
// evaluate the rule for a new value.
func TestRulesAboutNewValues(t *testing.T) {
	optional := true
	for _, rule := range []string{
		"self >= oldSelf.value()", "!oldSelf.hasValue() || self >= oldSelf.value()", "oldSelf.hasValue() ? self >= oldSelf.value() : self > 0",
		"self >= oldSelf.orValue(0)", "self > 5 || self >= oldSelf.value()", "oldSelf.optMap(o, self >= o).orValue(true)",
	} {
		x := schema.Props{Type: "integer", XValidations: apiextensionsv1.ValidationRules{{Rule: rule, OptionalOldSelf: &optional}}}
		field := &model.Field{Name: "X", JSONName: "x", Tagged: true, OmitEmpty: true, Type: typeOf(reflect.TypeFor[*int64]()), Pos: diag.Position{File: "a.go", Line: 2}, Markers: ruleAt(rule)}
		props := schema.Props{Type: "object", Properties: map[string]schema.Props{"x": x}}
		const want = `the rule fails for some values, and users read "optional.none() dereference": begin it with a test of hasValue()`
		isWarned := slices.ContainsFunc(saidOf(t, props, field), func(d diag.Diagnostic) bool { return d.Message == want })
		validator := expect.Value(apiserver.NewObjectValidator(&props))(t)
		fails := false
		for _, value := range []int64{0, 1, 9} {
			refusals := validator.Refusals(t.Context(), map[string]any{"x": value})
			fails = fails || slices.ContainsFunc(refusals, func(r apiserver.Refusal) bool { return strings.Contains(r.Reason, "evaluating rule") })
		}
		expect.True(t, isWarned == fails, "%s: the rule fails: %t, a warning: %t", rule, fails, isWarned)
	}
}
