package roundtrip

import (
	"encoding/json"
	"fmt"
	"reflect"
	"slices"
	"strings"
	"testing"

	apiextensionsv1 "k8s.io/apiextensions-apiserver/pkg/apis/apiextensions/v1"
	"k8s.io/apimachinery/pkg/api/resource"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/util/intstr"

	"github.com/mrgen-io/mrgen/generator/diag"
	"github.com/mrgen-io/mrgen/generator/internal/apiserver"
	"github.com/mrgen-io/mrgen/generator/internal/model"
	"github.com/mrgen-io/mrgen/testdata/expect"
)

type (
	// optional writes nothing if nothing is set, and always writes a field that is always there.
	optional struct {
		A string `json:"a,omitempty"`
		B *int64 `json:"b,omitempty"`
	}
	always struct {
		A string `json:"a"`
	}
	octet byte
)

// Schemas as controller-tools has them, and constraints that refuse what Go can't read.
const (
	intOrString    = `"x-kubernetes-int-or-string":true,"anyOf":[{"type":"integer"},{"type":"string"}]`
	quantitySchema = intOrString + `,"pattern":"^(\\+|-)?(([0-9]+(\\.[0-9]*)?)|(\\.[0-9]+))(([KMGTPE]i)|[numkMGTPE]|([eE](\\+|-)?(([0-9]+(\\.[0-9]*)?)|(\\.[0-9]+))))?$"`
	durationRule   = `"x-kubernetes-validations":[{"rule":"duration(self) >= duration('0s')"}]`
	portRule       = `"x-kubernetes-validations":[{"rule":"type(self) == string || self >= 0 && self < 65536"}]`
)

// kinds are types of fields, with their schemas and with values that these may accept, besides what a
// constraint asks for.
var kinds = []struct {
	of          reflect.Type
	schema      string
	values      []string
	constraints []string
}{
	{reflect.TypeFor[string](), `"type":"string"`, []string{`""`, `"a"`}, []string{`"minLength":1`, `"enum":["a"]`, `"pattern":"^a*$"`, `"maxLength":3`}},
	{reflect.TypeFor[*string](), `"type":"string"`, []string{`""`, `"a"`}, []string{`"minLength":1`, `"enum":["a"]`}},
	{reflect.TypeFor[int64](), `"type":"integer","format":"int64"`, []string{`0`, `7`}, []string{`"minimum":1`, `"maximum":7`, `"multipleOf":7`, `"enum":[7]`}},
	{reflect.TypeFor[*int64](), `"type":"integer","format":"int64"`, []string{`0`, `7`}, []string{`"minimum":1`}},
	{reflect.TypeFor[bool](), `"type":"boolean"`, []string{`false`, `true`}, []string{`"enum":[true]`}},
	{reflect.TypeFor[[]string](), `"type":"array","items":{"type":"string"}`, []string{`[]`, `["a"]`}, []string{`"minItems":1`, `"maxItems":1`}},
	{reflect.TypeFor[[]byte](), `"type":"string","format":"byte"`, []string{`""`, `"YQ=="`}, nil},
	{reflect.TypeFor[[]octet](), `"type":"array","items":{"type":"integer"}`, []string{`[]`, `[1]`}, nil},
	{reflect.TypeFor[*[]octet](), `"type":"array","items":{"type":"integer"}`, []string{`[]`, `[1]`}, nil},
	{reflect.TypeFor[[][]octet](), `"type":"array","items":{"type":"array","items":{"type":"integer"}}`, []string{`[]`, `[[1]]`}, nil},
	{reflect.TypeFor[map[string]string](), `"type":"object","additionalProperties":{"type":"string"}`, []string{`{}`, `{"a":"b"}`}, []string{`"minProperties":1`}},
	{reflect.TypeFor[optional](), `"type":"object","properties":{"a":{"type":"string"},"b":{"type":"integer","format":"int64"}}`, []string{`{}`, `{"b":5}`}, nil},
	{reflect.TypeFor[*optional](), `"type":"object","properties":{"a":{"type":"string"},"b":{"type":"integer","format":"int64"}}`, []string{`{}`, `{"b":5}`}, nil},
	{reflect.TypeFor[always](), `"type":"object","required":["a"],"properties":{"a":{"type":"string"}}`, []string{`{"a":""}`, `{"a":"b"}`}, nil},
	{reflect.TypeFor[*always](), `"type":"object","required":["a"],"properties":{"a":{"type":"string"}}`, []string{`{"a":""}`, `{"a":"b"}`}, nil},
	{reflect.TypeFor[metav1.Duration](), `"type":"string"`, []string{`"0s"`, `"1m0s"`, `"1 day"`}, []string{durationRule}},
	{reflect.TypeFor[*metav1.Duration](), `"type":"string"`, []string{`"0s"`, `"1m0s"`, `"1 day"`}, []string{durationRule}},
	{reflect.TypeFor[metav1.Time](), `"type":"string","format":"date-time"`, []string{`"2020-01-01T00:00:00Z"`}, nil},
	{reflect.TypeFor[*metav1.Time](), `"type":"string","format":"date-time"`, []string{`"2020-01-01T00:00:00Z"`}, nil},
	{reflect.TypeFor[resource.Quantity](), quantitySchema, []string{`"0"`, `"1Gi"`, `"1 day"`}, nil},
	{reflect.TypeFor[*resource.Quantity](), quantitySchema, []string{`"0"`, `"1Gi"`, `"1 day"`}, nil},
	{reflect.TypeFor[intstr.IntOrString](), intOrString, []string{`0`, `"a"`, `2147483648`}, []string{portRule}},
}

// TestUpdatesFromGo has fields of every type, with every option of the tag, and with every schema. A
// controller that reads and writes an object is tried out: there is a warning if and only if that is
// refused, or changes a value.
func TestUpdatesFromGo(t *testing.T) {
	warned, silent := 0, 0
	for _, kind := range kinds {
		for _, option := range []string{"", ",omitempty", ",omitzero"} {
			for _, isRequired := range []bool{false, true} {
				for _, nullable := range []string{"", `,"nullable":true`} {
					for _, constraint := range append(slices.Clone(kind.constraints), "") {
						for _, value := range append(slices.Clone(kind.values), "") {
							text := kind.schema + nullable
							if constraint != "" {
								text += "," + constraint
							}
							if value != "" {
								text += `,"default":` + value
							}
							if isRequired && value != "" {
								continue // a default is there whether it is required or not
							}
							about := fmt.Sprintf("%s `json:\"x%s\"`, required: %t, {%s}", kind.of, option, isRequired, text)
							breaks, isValid := tryOut(t, kind.of, option, isRequired, text, kind.values)
							if !isValid {
								continue
							}
							warnings := warningsFor(t, kind.of, option, isRequired, text)
							expect.True(t, (len(warnings) > 0) == (breaks != ""), "%s: %q, but warnings are %v", about, breaks, warnings)
							if breaks == "" {
								silent++
							} else {
								warned++
							}
						}
					}
				}
			}
		}
	}
	expect.True(t, warned >= 50 && silent >= 50, "%d break, and %d don't: that proves little", warned, silent)
}

// objectOf returns a Go struct with a field, and its model.
func objectOf(of reflect.Type, option string) (reflect.Type, *model.Field) {
	goType := reflect.StructOf([]reflect.StructField{{Name: "X", Type: of, Tag: reflect.StructTag(fmt.Sprintf(`json:"x%s"`, option))}})
	return goType, fieldOf(goType.Field(0))
}

func fieldOf(f reflect.StructField) *model.Field {
	name, options, _ := strings.Cut(f.Tag.Get("json"), ",")
	return &model.Field{Name: f.Name, JSONName: name, Tagged: true, OmitEmpty: options == "omitempty", OmitZero: options == "omitzero", Type: typeOf(f.Type), Pos: diag.Position{File: "a.go", Line: 1}}
}

func typeOf(of reflect.Type) *model.Type {
	m := &model.Type{Name: of.Name(), Package: of.PkgPath(), Local: of.Kind() == reflect.Struct && strings.HasSuffix(of.PkgPath(), "/roundtrip")}
	pointer := reflect.PointerTo(of)
	m.Marshals = of.Name() != "" && pointer.Implements(reflect.TypeFor[json.Marshaler]())
	m.Unmarshals = m.Marshals
	m.Zeroes = of.Name() != "" && pointer.Implements(reflect.TypeFor[interface{ IsZero() bool }]())
	switch of.Kind() {
	case reflect.Pointer:
		m.Kind, m.Elem = model.Pointer, typeOf(of.Elem())
	case reflect.Slice:
		m.Kind, m.Elem = model.Slice, typeOf(of.Elem())
	case reflect.Map:
		m.Kind, m.Key, m.Elem = model.Map, typeOf(of.Key()), typeOf(of.Elem())
	case reflect.Struct:
		m.Kind = model.Struct
		for i := range of.NumField() {
			if m.Local {
				m.Fields = append(m.Fields, fieldOf(of.Field(i)))
			}
		}
	default:
		m.Basic = of.Kind().String()
	}
	return m
}

// schemaOf returns the schema of an object with the field.
func schemaOf(t *testing.T, isRequired bool, text string) *apiextensionsv1.JSONSchemaProps {
	t.Helper()
	s := &apiextensionsv1.JSONSchemaProps{Type: "object"}
	required := ""
	if isRequired {
		required = `"required":["x"],`
	}
	expect.NoError(t, json.Unmarshal([]byte(`{"type":"object",`+required+`"properties":{"x":{`+text+`}}}`), s))
	return s
}

func warningsFor(t *testing.T, of reflect.Type, option string, isRequired bool, text string) []string {
	t.Helper()
	_, f := objectOf(of, option)
	spec := &model.Field{Name: "Spec", JSONName: "spec", Type: &model.Type{Kind: model.Struct, Local: true, Fields: []*model.Field{f}}}
	root := &apiextensionsv1.JSONSchemaProps{Required: []string{"spec", "status"}, Properties: map[string]apiextensionsv1.JSONSchemaProps{"spec": *schemaOf(t, isRequired, text)}}
	var messages []string
	for _, d := range Check(t.Context(), &model.Object{Spec: spec}, root) {
		messages = append(messages, d.Message)
	}
	return messages
}

// tryOut says what is wrong with an object that the API server accepts once Go has read and written it,
// "" if nothing is. It reports false if no object is accepted: the schema makes no sense.
func tryOut(t *testing.T, of reflect.Type, option string, isRequired bool, text string, values []string) (breaks string, isValid bool) {
	t.Helper()
	schema := schemaOf(t, isRequired, text)
	validator, err := apiserver.NewObjectValidator(schema)
	if err != nil {
		return "", false
	}
	accepts := func(object map[string]any) bool { return len(validator.Refusals(t.Context(), object)) == 0 }
	stored := func(text string) map[string]any { // as the API server has it
		var object map[string]any
		expect.NoError(t, json.Unmarshal([]byte(text), &object))
		x := schema.Properties["x"]
		value, found := object["x"]
		if found && value == nil && !x.Nullable {
			delete(object, "x")
			found = false
		}
		if !found && x.Default != nil {
			var value any
			expect.NoError(t, json.Unmarshal(x.Default.Raw, &value))
			object["x"] = value
		}
		return integers(object).(map[string]any)
	}
	if x := schema.Properties["x"]; x.Default != nil && !accepts(stored(`{}`)) {
		return "", false
	}
	goType, _ := objectOf(of, option)
	created := expect.Value(json.Marshal(reflect.New(goType).Interface()))(t)
	if schema.Properties["x"].Default != nil && !accepts(stored(string(created))) {
		return fmt.Sprintf("%s, which Go creates, is refused", created), true
	}
	objects := []string{`{}`, `{"x":null}`}
	for _, value := range values {
		objects = append(objects, `{"x":`+value+`}`)
	}
	for _, text := range objects {
		before := stored(text)
		if !accepts(before) {
			continue
		}
		isValid = true
		object := reflect.New(goType)
		content := expect.Value(json.Marshal(before))(t)
		if err := json.Unmarshal(content, object.Interface()); err != nil {
			return fmt.Sprintf("%s can't be read: %v", text, err), true
		}
		written := expect.Value(json.Marshal(object.Interface()))(t)
		after := stored(string(written))
		if !accepts(after) {
			return fmt.Sprintf("%s is written as %s, which is refused", text, written), true
		}
		// What Go writes as another zero value is for its author to know.
		if !strings.Contains(string(written), `"x"`) && schema.Properties["x"].Default != nil && !reflect.DeepEqual(before["x"], after["x"]) {
			return fmt.Sprintf("%s becomes %v", text, after), true
		}
	}
	return "", isValid
}

// integers returns a tree with whole numbers, as the API server has them.
func integers(tree any) any {
	switch tree := tree.(type) {
	case map[string]any:
		for name, value := range tree {
			tree[name] = integers(value)
		}
	case []any:
		for i := range tree {
			tree[i] = integers(tree[i])
		}
	case float64:
		return int64(tree)
	}
	return tree
}

// TestAround has fields in lists, maps and structs, constraints of the values around them, and fields
// that the author can't edit.
func TestAround(t *testing.T) {
	text := &model.Type{Name: "string", Basic: "string"}
	field := func(name string, of *model.Type) *model.Field {
		return &model.Field{Name: strings.ToUpper(name), JSONName: name, Tagged: true, Type: of, Pos: diag.Position{File: "a.go", Line: 1}}
	}
	omitted := func(name string, of *model.Type) *model.Field {
		f := field(name, of)
		f.OmitEmpty = true
		return f
	}
	outside := func(f *model.Field) *model.Field {
		f.Pos = diag.Position{File: "/elsewhere/a.go", Line: 1}
		return f
	}
	structOf := func(fields ...*model.Field) *model.Type {
		return &model.Type{Kind: model.Struct, Name: "Inner", Package: "example.org/p", Local: true, Fields: fields}
	}
	foreign := structOf(field("a", text))
	foreign.Local = false
	own := &model.Type{Kind: model.Struct, Name: "Own", Package: "example.org/p", Local: true, Marshals: true, Unmarshals: true}
	quantity, duration, moment := typeOf(reflect.TypeFor[resource.Quantity]()), typeOf(reflect.TypeFor[metav1.Duration]()), typeOf(reflect.TypeFor[metav1.Time]())
	const (
		unread   = "Go can't list the kind if %s is %s, which the API server stores: "
		typed    = "Go can't list the kind if x holds other types, which the API server stores: remove +Schemaless and +PreserveUnknownFields, or use apiextensionsv1.JSON"
		strict   = `"type":"object","properties":{"a":{"type":"string","minLength":1}}`
		sent     = `updates from Go send "" for a where nobody set a value, which the API server refuses: make it a pointer with omitempty`
		choice   = `"type":"object","properties":{"a":{"type":"string"},"b":{"type":"string"}}`
		exactly  = `,"x-kubernetes-validations":[{"rule":"(has(self.a)?1:0)+(has(self.b)?1:0) == 1","message":"exactly one of the fields in [a b] must be set"}]`
		atMost   = `,"x-kubernetes-validations":[{"rule":"(has(self.a)?1:0)+(has(self.b)?1:0) <= 1","message":"at most one of the fields in [a b] may be set"}]`
		atLeast  = `,"x-kubernetes-validations":[{"rule":"has(self.a)||has(self.b)","message":"at least one of the fields in [a b] must be set"}]`
		another  = `,"x-kubernetes-validations":[{"rule":"has(self.a)","message":"a must be set"}]`
		empty    = `make it a pointer, or add +kubebuilder:validation:MinLength=1`
		ownForm  = `updates from Go write x in a form of their own, such as %s, which +kubebuilder:validation:%s may refuse: remove it`
		someText = `"type":"object","minProperties":%d,"properties":{"a":{"type":"string"}}`
	)
	for name, test := range map[string]struct {
		of     *model.Type
		schema string
		want   []string
	}{
		"a struct":              {structOf(field("a", text)), strict, []string{sent}},
		"a pointer":             {&model.Type{Kind: model.Pointer, Elem: structOf(field("a", text))}, strict, []string{sent}},
		"items":                 {&model.Type{Kind: model.Slice, Elem: structOf(field("a", text))}, `"type":"array","items":{` + strict + `}`, []string{sent}},
		"values":                {&model.Type{Kind: model.Map, Key: text, Elem: structOf(field("a", text))}, `"type":"object","additionalProperties":{` + strict + `}`, []string{sent}},
		"items that encode":     {&model.Type{Kind: model.Slice, Elem: duration}, `"type":"array","items":{"type":"string",` + durationRule + `}`, nil},
		"a list that encodes":   {&model.Type{Kind: model.Slice, Elem: text, Name: "Own", Package: "example.org/p", Local: true, Marshals: true, Unmarshals: true}, `"type":"object"`, []string{"the API server drops all that x holds, since its schema declares no fields: add +kubebuilder:pruning:PreserveUnknownFields"}},
		"a list as an object":   {&model.Type{Kind: model.Slice, Elem: text}, `"type":"object"`, []string{fmt.Sprintf(unread, "x", "{}") + "make its Go type and its markers agree"}},
		"items as texts":        {&model.Type{Kind: model.Slice, Elem: duration}, `"type":"array","items":{"type":"string"}`, []string{fmt.Sprintf(unread, "each item of x", `"1 day"`) + "make them strings"}},
		"values as texts":       {&model.Type{Kind: model.Map, Key: text, Elem: duration}, `"type":"object","additionalProperties":{"type":"string"}`, []string{fmt.Sprintf(unread, "each value of x", `"1 day"`) + "make them strings"}},
		"values of few bits":    {&model.Type{Kind: model.Map, Key: text, Elem: typeOf(reflect.TypeFor[int32]())}, `"type":"object","additionalProperties":{"type":"integer"}`, []string{fmt.Sprintf(unread, "each value of x", `2147483648`) + "give the values of the map a type with +kubebuilder:validation:Maximum=2147483647 and Minimum=-2147483648"}},
		"exact times":           {typeOf(reflect.TypeFor[metav1.MicroTime]()), `"type":"string","format":"date-time"`, []string{fmt.Sprintf(unread, "x", `"2006-01-02T15:04:05Z"`) + "mark it +kubebuilder:validation:Type=string and Pattern=`T.*[.][0-9]{6}(Z|[+-][01].:[0-5].)$`"}},
		"only exact times":      {typeOf(reflect.TypeFor[metav1.MicroTime]()), `"type":"string","format":"date-time","pattern":"T.*[.][0-9]{6}(Z|[+-][01].:[0-5].)$"`, nil},
		"any resource":          {typeOf(reflect.TypeFor[unstructured.Unstructured]()), `"type":"object","x-kubernetes-preserve-unknown-fields":true`, []string{fmt.Sprintf(unread, "x", "{}") + "add +kubebuilder:validation:EmbeddedResource"}},
		"embedded resources":    {typeOf(reflect.TypeFor[unstructured.Unstructured]()), `"type":"object","x-kubernetes-preserve-unknown-fields":true,"x-kubernetes-embedded-resource":true`, nil},
		"numbers of a decoder":  {own, intOrString + `,"pattern":"^[a-z]$"`, []string{"Go can't list the kind if a value is stored that Own fails to decode: add a rule for the numbers and texts that it decodes"}},
		"no other of a decoder": {own, intOrString + `,"pattern":"^[a-z]$","maximum":9`, nil},
		"a frozen decoder":      {own, `"type":"string","x-kubernetes-validations":[{"rule":"self == oldSelf"}]`, []string{"Go can't list the kind if a value is stored that Own fails to decode: add +kubebuilder:validation:Pattern, Enum or a rule for what it decodes"}},
		"a decoder":             {own, `"type":"string"`, []string{"Go can't list the kind if a value is stored that Own fails to decode: add +kubebuilder:validation:Pattern, Enum or a rule for what it decodes"}},
		"a bounded decoder":     {own, `"type":"string","pattern":"^a$"`, nil},
		"a decoder of fields":   {own, `"type":"object","properties":{"a":{"type":"string"}}`, nil},
		"another module":        {foreign, strict, nil},
		"a promoted field":      {structOf(outside(field("a", text))), strict, nil},
		"a type of its own":     {&model.Type{Kind: model.Struct, Name: "Own", Package: "example.org/p", Local: true, Marshals: true, Fields: []*model.Field{field("a", text)}}, strict, nil},
		"a number of fields":    {structOf(omitted("a", text)), fmt.Sprintf(someText, 1), []string{`updates from Go omit a if it is "", and x asks for a number of fields, 1 at least: ` + empty}},
		"no number of fields":   {structOf(omitted("a", text)), fmt.Sprintf(someText, 0), nil},
		"a number, required":    {structOf(field("a", text)), fmt.Sprintf(someText, 1) + `,"required":["a"]`, nil},
		"a number, outside":     {structOf(outside(omitted("a", text))), fmt.Sprintf(someText, 1), nil},
		"a number of items":     {&model.Type{Kind: model.Slice, Elem: structOf(omitted("a", text))}, `"type":"array","items":{` + fmt.Sprintf(someText, 2) + `}`, []string{`updates from Go omit a if it is "", and each item of x asks for a number of fields, 2 at least: ` + empty}},
		"a number of values":    {&model.Type{Kind: model.Map, Key: text, Elem: structOf(omitted("a", text))}, `"type":"object","additionalProperties":{` + fmt.Sprintf(someText, 2) + `}`, []string{`updates from Go omit a if it is "", and each value of x asks for a number of fields, 2 at least: ` + empty}},
		"exactly one": {structOf(omitted("a", text), field("b", text)), choice + exactly, []string{
			`updates from Go omit a if it is "", and exactly one of the fields in [a b] must be set: ` + empty,
			`updates from Go send "" for b where nobody set a value, and exactly one of the fields in [a b] must be set: make it a pointer with omitempty`,
		}},
		"at most one":           {structOf(omitted("a", text), field("b", text)), choice + atMost, []string{`updates from Go send "" for b where nobody set a value, and at most one of the fields in [a b] may be set: make it a pointer with omitempty`}},
		"at least one":          {structOf(omitted("a", text), field("b", text)), choice + atLeast, []string{`updates from Go omit a if it is "", and at least one of the fields in [a b] must be set: ` + empty}},
		"another rule":          {structOf(omitted("a", text), field("b", text)), choice + another, nil},
		"one, outside":          {structOf(outside(omitted("a", text)), outside(field("b", text))), choice + exactly, nil},
		"enum":                  {duration, `"type":"string","enum":["1h"]`, []string{fmt.Sprintf(ownForm, "1h0m0s for 60m", "Enum")}},
		"any length":            {moment, `"type":"string","format":"date-time","maxLength":30`, nil},
		"short":                 {quantity, quantitySchema + `,"maxLength":3`, []string{fmt.Sprintf(ownForm, "1Gi for 1024Mi", "MaxLength or MinLength")}},
		"long enough":           {quantity, quantitySchema + `,"maxLength":30`, nil},
		"length":                {moment, `"type":"string","format":"date-time","minLength":22`, []string{fmt.Sprintf(ownForm, "times without fractions of seconds", "MaxLength or MinLength")}},
		"pattern":               {moment, `"type":"string","format":"date-time","pattern":"^.*[.]5Z$"`, []string{fmt.Sprintf(ownForm, "times without fractions of seconds", "Pattern")}},
		"any time":              {moment, `"type":"string","format":"date-time","pattern":"^.*$"`, nil},
		"whole units":           {duration, `"type":"string","pattern":"^[0-9]+(s|m|h)$"`, []string{fmt.Sprintf(ownForm, "1h0m0s for 60m", "Pattern")}},
		"no hours":              {duration, `"type":"string","pattern":"^([0-9]+([.][0-9]+)?(ms|s|m))+$"`, []string{fmt.Sprintf(ownForm, "1h0m0s for 60m", "Pattern")}},
		"some durations":        {duration, `"type":"string","pattern":"^(15m|45m)$"`, []string{fmt.Sprintf(ownForm, "1h0m0s for 60m", "Pattern")}},
		"any duration":          {duration, `"type":"string","pattern":"^([0-9]+([.][0-9]+)?(ns|us|µs|ms|s|m|h))+$"`, nil},
		"another format":        {moment, `"type":"string","allOf":[{"format":"date-time"},{"format":"date"}]`, []string{fmt.Sprintf(ownForm, "times without fractions of seconds", "Format")}},
		"quantity":              {quantity, quantitySchema, nil},
		"another enum":          {quantity, `"type":"string","enum":["0"]`, []string{fmt.Sprintf(ownForm, "1Gi for 1024Mi", "Enum")}},
		"enum of texts":         {text, `"type":"string","enum":["", "a"]`, nil},
		"null":                  {duration, `"type":"string","nullable":true,` + durationRule, []string{"x may be null, which Go can't decode into a Duration, so that controllers can't read the object: make it a pointer, or remove +nullable"}},
		"a byte":                {&model.Type{Kind: model.Basic, Basic: "byte"}, `"type":"integer"`, []string{fmt.Sprintf(unread, "x", "-1") + "add +kubebuilder:validation:Minimum=0 and Maximum=255"}},
		"an address":            {&model.Type{Kind: model.Basic, Basic: "uintptr"}, `"type":"integer"`, []string{fmt.Sprintf(unread, "x", "-1") + "add +kubebuilder:validation:Minimum=0"}},
		"a short format":        {typeOf(reflect.TypeFor[uint32]()), `"type":"integer","format":"int32","minimum":0`, []string{"Kubernetes 1.36 and later refuses x above 2147483647, beyond the format int32: add +kubebuilder:validation:Format=int64 and Maximum=4294967295"}},
		"short items":           {&model.Type{Kind: model.Slice, Elem: typeOf(reflect.TypeFor[uint32]())}, `"type":"array","items":{"type":"integer","format":"int32","minimum":0}`, []string{"Kubernetes 1.36 and later refuses each item of x above 2147483647, beyond the format int32: add +kubebuilder:validation:items:Format=int64 and Maximum=4294967295"}},
		"a short port":          {typeOf(reflect.TypeFor[uint32]()), `"type":"integer","format":"int32","minimum":0,"maximum":65535`, nil},
		"bytes, a number":       {typeOf(reflect.TypeFor[[]byte]()), `"type":"integer"`, []string{fmt.Sprintf(unread, "x", "-1") + "make its Go type and its markers agree"}},
		"bytes, any text":       {typeOf(reflect.TypeFor[[]byte]()), `"type":"string"`, []string{fmt.Sprintf(unread, "x", `"1 day"`) + "make its Go type and its markers agree"}},
		"a map, a text":         {&model.Type{Kind: model.Map, Key: text, Elem: text}, `"type":"string"`, []string{fmt.Sprintf(unread, "x", `"1 day"`) + "make its Go type and its markers agree"}},
		"a struct, a bool":      {structOf(field("a", text)), `"type":"boolean"`, []string{fmt.Sprintf(unread, "x", "true") + "make its Go type and its markers agree"}},
		"a number as written":   {typeOf(reflect.TypeFor[json.Number]()), `"type":"string"`, []string{fmt.Sprintf(unread, "x", `"1 day"`) + "make it a resource.Quantity or an integer"}},
		"half a pair":           {&model.Type{Kind: model.Struct, Name: "Own", Package: "example.org/p", Local: true, Marshals: true}, `"type":"string"`, []string{fmt.Sprintf(unread, "x", `"1 day"`) + "make its Go type and its markers agree"}},
		"no schema":             {typeOf(reflect.TypeFor[[]byte]()), `"x-kubernetes-preserve-unknown-fields":true`, []string{fmt.Sprintf(unread, "x", "-1") + "add +kubebuilder:validation:Type=string"}},
		"no schema of any":      {&model.Type{Kind: model.Map, Key: text, Elem: &model.Type{Kind: model.Opaque}}, `"x-kubernetes-preserve-unknown-fields":true`, []string{fmt.Sprintf(unread, "x", "-1") + "add +kubebuilder:validation:Type=object"}},
		"no schema of a struct": {structOf(field("a", text)), `"x-kubernetes-preserve-unknown-fields":true`, []string{typed}},
		"no schema of fields":   {structOf(field("a", text)), `"type":"object","x-kubernetes-preserve-unknown-fields":true`, []string{typed}},
		"no schema of values":   {&model.Type{Kind: model.Map, Key: text, Elem: text}, `"type":"object","x-kubernetes-preserve-unknown-fields":true`, []string{typed}},
		"no schema, any value":  {&model.Type{Kind: model.Map, Key: text, Elem: &model.Type{Kind: model.Opaque}}, `"type":"object","x-kubernetes-preserve-unknown-fields":true`, nil},
		"days":                  {duration, `"type":"string","format":"duration",` + durationRule, []string{fmt.Sprintf(unread, "x", `"1 day"`) + "remove +kubebuilder:validation:Format, and add a rule such as duration(self) >= duration('0s')"}},
		"two numbers of fields": {structOf(omitted("a", text)), `"type":"object","properties":{"a":{"type":"string"}},"allOf":[{"minProperties":1},{"minProperties":2}]`, []string{`updates from Go omit a if it is "", and x asks for a number of fields, 2 at least: ` + empty}},
		"two enums":             {duration, `"type":"string","allOf":[{"enum":["1h"]},{"enum":["1h","2h"]}]`, []string{fmt.Sprintf(ownForm, "1h0m0s for 60m", "Enum")}},
		"null, in a way":        {&model.Type{Kind: model.Pointer, Elem: duration}, `"type":"string","nullable":true,` + durationRule, nil},
	} {
		f := field("x", test.of)
		spec := &model.Field{Name: "Spec", JSONName: "spec", Type: structOf(f)}
		root := &apiextensionsv1.JSONSchemaProps{Required: []string{"spec", "status"}, Properties: map[string]apiextensionsv1.JSONSchemaProps{"spec": *schemaOf(t, true, test.schema)}}
		var got []string
		for _, d := range Check(t.Context(), &model.Object{Spec: spec}, root) {
			got = append(got, d.Message)
		}
		expect.Equal(t, test.want, got, "%s", name)
	}
	diags := Check(t.Context(), &model.Object{}, &apiextensionsv1.JSONSchemaProps{})
	expect.True(t, len(diags) == 0, "without a spec: %v", diags)
}

// TestUntoldValues has the values of which docs/guide/rules.md says that the API server stores them, that Go can't read them, and that
// nothing is said of them.
func TestUntoldValues(t *testing.T) {
	for _, test := range []struct {
		of            reflect.Type
		schema, value string
	}{
		{reflect.TypeFor[*resource.Quantity](), quantitySchema, `"1e1.5"`},
		{reflect.TypeFor[*metav1.Time](), `"type":"string","format":"date-time"`, `"2006-01-02t15:04:05Z"`},
		{reflect.TypeFor[*metav1.Time](), `"type":"string","format":"date-time"`, `"2006-01-02T15:04:05+25:00"`},
	} {
		root := schemaOf(t, false, test.schema)
		validator := expect.Value(apiserver.NewObjectValidator(root))(t)
		value := decoded([]byte(test.value))
		refusals := validator.Refusals(t.Context(), map[string]any{"x": value})
		expect.True(t, len(refusals) == 0 && !reads(test.of, false, value), "%s, %s: refused: %v, or Go reads it", test.of, test.value, refusals)
		warnings := warningsFor(t, test.of, ",omitempty", false, test.schema)
		expect.True(t, len(warnings) == 0, "%s: %v", test.of, warnings)
	}
}

// TestParts has spec and status without required, which are as any other field then, and a list that only Go writes.
func TestParts(t *testing.T) {
	text := &model.Type{Name: "string", Basic: "string"}
	inner := []*model.Field{
		{Name: "A", JSONName: "a", Tagged: true, Type: text, Pos: diag.Position{File: "a.go", Line: 1}},
		{Name: "L", JSONName: "l", Tagged: true, Type: &model.Type{Kind: model.Slice, Elem: text}, Pos: diag.Position{File: "a.go", Line: 2}},
		{Name: "B", JSONName: "b", Tagged: true, Type: text, Pos: diag.Position{File: "a.go", Line: 3}},
	}
	part := func(name string, fields ...*model.Field) *model.Field {
		of := &model.Type{Kind: model.Struct, Local: true, Fields: fields}
		return &model.Field{Name: strings.ToUpper(name), JSONName: name, Tagged: true, OmitEmpty: true, Type: of, Pos: diag.Position{File: "a.go", Line: 9}}
	}
	const (
		strict = `{"type":"object","required":["a"],"properties":{"a":{"type":"string","enum":["b"]}}}`
		filled = `{"type":"object","properties":{"a":{"type":"string","default":"b"},"b":{"type":"string"}}}`
		list   = `{"type":"object","required":["l"],"properties":{"l":{"type":"array","items":{"type":"string"}}}}`
	)
	for content, want := range map[string][]string{
		`{"properties":{"spec":` + strict + `}}`:                     {`a.go:9: warning: updates from Go send {"a":"","b":""} for spec where nobody set it, which the API server refuses: mark it +required`},
		`{"required":["spec"],"properties":{"spec":` + strict + `}}`: nil,
		`{"properties":{"status":` + list + `}}`: {
			"a.go:9: warning: updates from Go send {} for status where nobody set a value, which the API server refuses: make it a pointer with omitempty",
			"a.go:2: warning: Go sends null for l where it is nil, which counts as unset, so that the API server refuses the status: mark it +optional",
		},
		`{"required":["spec","status"],"properties":{"spec":` + list + `}}`: nil,
		`{"properties":{"spec":` + filled + `}}`: {
			`a.go:9: warning: where spec is unset, updates from Go send "" for its a, which never gets its default: mark spec +kubebuilder:default={}`,
		},
		`{"properties":{"spec":` + strings.Replace(filled, `"properties"`, `"required":["b"],"properties"`, 1) + `}}`: {
			`a.go:9: warning: where spec is unset, updates from Go send "" for its a, which never gets its default: mark spec +required`,
		},
		`{"required":["spec"],"properties":{"spec":` + filled + `}}`:                                              nil,
		`{"properties":{"spec":` + strings.Replace(filled, `"properties"`, `"default":{},"properties"`, 1) + `}}`: nil,
		`{"properties":{"status":` + filled + `}}`:                                                                nil,
	} {
		var root apiextensionsv1.JSONSchemaProps
		expect.NoError(t, json.Unmarshal([]byte(content), &root))
		got := expect.Strings(Check(t.Context(), &model.Object{Spec: part("spec", inner...), Status: part("status", inner[1])}, &root))
		expect.Equal(t, want, got, "%s", content)
	}
}
