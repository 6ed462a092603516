package combinations_test

import (
	"errors"
	"reflect"
	"strings"
)

// A class tells which markers fit a type.
type class string

const (
	number   class = "number"
	text     class = "text"
	boolean  class = "boolean"
	list     class = "list"
	mapping  class = "map"
	object   class = "object"
	anyValue class = "any"
)

// A goType is a row of the table of types. In its Go code, K stands for the kind's name.
type goType struct {
	name string
	class
	// expr is the type of the field, with the options of its JSON tag after a space. The options are omitempty without
	// a space, and none after a final one.
	expr string
	// fits are JSON values that the type holds, separated by bars. beyond is one of its class that the type doesn't
	// hold, and other is one of another class.
	fits, beyond, other string
	// decl declares other types. methods is a type of this package with the same methods as the declared type M.
	decl    string
	methods reflect.Type
}

const (
	textItem   = "type KI struct {\n// N.\nN string `json:\"n\"`\n\n// V.\n// +optional\nV *int64 `json:\"v,omitempty\"`\n}\n"
	twoFields  = "type KI struct {\n// A.\n// +optional\nA *string `json:\"a,omitempty\"`\n\n// B.\n// +optional\nB *int8 `json:\"b,omitempty\"`\n}\n"
	needed     = "type KI struct {\n// A.\nA string `json:\"a\"`\n}\n"
	unexported = "type KI struct {\n// A.\n// +optional\nA *string `json:\"a,omitempty\"`\n\n// b.\n// +optional\nb *string `json:\"b,omitempty\"`\n}\n"
	ignored    = "type KI struct {\n// A.\n// +optional\nA *string `json:\"a,omitempty\"`\n\nb chan int\n\n// C.\nC func() `json:\"-\"`\n}\n"
	recursive  = "type KR struct {\n// A.\n// +optional\nA *string `json:\"a,omitempty\"`\n\n// R.\n// +optional\n" +
		"// +kubebuilder:validation:Schemaless\n// +kubebuilder:pruning:PreserveUnknownFields\nR []KR `json:\"r,omitempty\"`\n}\n"
	generic = "type KG[T any] struct {\n// V.\nV T `json:\"v\"`\n}\n"
	marshal = "// +kubebuilder:validation:Type=string\ntype KM struct{ s string }\n\n" +
		"func (m KM) MarshalText() ([]byte, error) { return []byte(m.s), nil }\n\n" +
		"func (m *KM) UnmarshalText(b []byte) error {\nif len(b) > 0 && b[0] == 'x' {\nreturn errors.New(\"begins with x\")\n}\n" +
		"m.s = string(b)\nreturn nil\n}\n"
	embeds = "type KE struct {\n// E.\n// +optional\nE *string `json:\"e,omitempty\"`\n}\n\n" +
		"type KI struct {\nKE `json:\",inline\"`\n\n// A.\n// +optional\nA *string `json:\"a,omitempty\"`\n}\n"
)

// A Text encodes itself as the types do that rows declare with the code in marshal.
type Text struct{ s string }

func (m Text) MarshalText() ([]byte, error) { return []byte(m.s), nil }

func (m *Text) UnmarshalText(b []byte) error {
	if strings.HasPrefix(string(b), "x") {
		return errors.New("begins with x")
	}
	m.s = string(b)
	return nil
}

const (
	texts   = `"abc"|"xyz"`
	numbers = `3|5`
	lists   = `["a"]|["a","b"]`
	objects = `{"a":"x"}|{"b":5}`
)

// goTypes is the table of types.
var goTypes = []goType{
	{name: "bool", class: boolean, expr: "bool", fits: "true|false", other: `"abc"`},
	{name: "*bool", class: boolean, expr: "*bool", fits: "true|false", other: "3"},
	{name: "string", class: text, expr: "string", fits: texts, other: "3"},
	{name: "required string", class: text, expr: "string ", fits: texts, other: "3"},
	{name: "*string", class: text, expr: "*string", fits: texts, other: "true"},
	{name: "int", class: number, expr: "int", fits: numbers, other: `"abc"`},
	{name: "*int8", class: number, expr: "*int8", fits: numbers, beyond: "300", other: `"abc"`},
	{name: "*int16", class: number, expr: "*int16", fits: numbers, beyond: "70000", other: `"abc"`},
	{name: "*int32", class: number, expr: "*int32", fits: numbers, beyond: "3000000000", other: "1.5"},
	{name: "required int32", class: number, expr: "int32 ", fits: numbers, beyond: "3000000000", other: "1.5"},
	{name: "*int64", class: number, expr: "*int64", fits: numbers, beyond: "9300000000000000000", other: `"abc"`},
	{name: "uint", class: number, expr: "uint", fits: numbers, beyond: "-1", other: `"abc"`},
	{name: "*uint8", class: number, expr: "*uint8", fits: numbers, beyond: "300", other: `"abc"`},
	{name: "*byte", class: number, expr: "*byte", fits: numbers, beyond: "300", other: `"abc"`},
	{name: "*uint16", class: number, expr: "*uint16", fits: numbers, beyond: "-1", other: `"abc"`},
	{name: "*uint32", class: number, expr: "*uint32", fits: numbers, beyond: "-1", other: `"abc"`},
	{name: "*uint64", class: number, expr: "*uint64", fits: numbers, beyond: "-1", other: `"abc"`},
	{name: "*float32", class: number, expr: "*float32", fits: numbers, beyond: "1e60", other: `"abc"`},
	{name: "*float64", class: number, expr: "*float64", fits: numbers, other: `"abc"`},
	{name: "int64 as text", class: number, expr: "int64 string", fits: `3|"3"`, other: `"abc"`},
	{name: "string as text", class: text, expr: "string string,omitempty", fits: `"\"abc\""|"abc"`, other: "3"},
	{name: "*bool as text", class: boolean, expr: "*bool string,omitempty", fits: `true|"true"`, other: "3"},
	{name: "named string", class: text, expr: "KN", fits: texts, other: "3", decl: "type KN string\n"},
	{name: "*named string", class: text, expr: "*KN", fits: texts, other: "3", decl: "type KN string\n"},
	{name: "*named int8", class: number, expr: "*KN", fits: numbers, beyond: "300", other: `"abc"`, decl: "type KN int8\n"},
	{name: "alias of string", class: text, expr: "KN", fits: texts, other: "3", decl: "type KN = string\n"},
	{name: "*alias of int64", class: number, expr: "*KN", fits: numbers, other: `"abc"`, decl: "type KN = int64\n"},
	{name: "alias of a named string", class: text, expr: "KA", fits: texts, other: "3", decl: "type KN string\n\ntype KA = KN\n"},
	{name: "list of strings", class: list, expr: "[]string", fits: lists, other: `"abc"`},
	{name: "required list", class: list, expr: "[]string ", fits: lists, other: `"abc"`},
	{name: "list of *string", class: list, expr: "[]*string", fits: lists, beyond: "[null]", other: `"abc"`},
	{name: "list of int8", class: list, expr: "[]int8", fits: "[1]|[2,3]", beyond: "[300]", other: `"abc"`},
	{name: "list of lists", class: list, expr: "[][]string", fits: `[["a"]]|[["a","b"],[]]`, other: `["a"]`},
	{name: "array", class: list, expr: "[2]string", fits: lists, beyond: `["a","b","c"]`, other: `"abc"`},
	{name: "bytes", class: text, expr: "[]byte", fits: `"YWJj"|""`, beyond: `"a"`, other: "3"},
	{name: "list of named bytes", class: text, expr: "[]KN", fits: `"YWJj"|""`, beyond: `"a"`, other: "3", decl: "type KN byte\n"},
	{name: "list of structs", class: list, expr: "[]KI", fits: `[{"n":"a"}]|[{"n":"a"},{"n":"b"}]`, other: `["a"]`, decl: textItem},
	{name: "map", class: mapping, expr: "map[string]string", fits: `{"a":"b"}|{}`, other: `"abc"`},
	{name: "map of int32", class: mapping, expr: "map[string]int32", fits: `{"a":1}|{}`, beyond: `{"a":3000000000}`, other: `"abc"`},
	{name: "map of named keys", class: mapping, expr: "map[KN]string", fits: `{"a":"b"}|{}`, other: `"abc"`, decl: "type KN string\n"},
	{name: "map of alias keys", class: mapping, expr: "map[KN]string", fits: `{"a":"b"}|{}`, other: `"abc"`, decl: "type KN = string\n"},
	{name: "map of aliases", class: mapping, expr: "map[string]KN", fits: `{"a":1}|{}`, other: `"abc"`, decl: "type KN = int64\n"},
	{name: "map of int keys", class: mapping, expr: "map[int]string", fits: `{"1":"b"}|{}`, beyond: `{"a":"b"}`, other: `"abc"`},
	{name: "map of lists", class: mapping, expr: "map[string][]string", fits: `{"a":["b"]}|{}`, other: `"abc"`},
	{name: "map of structs", class: mapping, expr: "map[string]KI", fits: `{"a":{"n":"x"}}|{}`, other: `"abc"`, decl: textItem},
	{name: "map of IntOrString", class: mapping, expr: "map[string]KN", fits: `{"a":"b"}|{"a":1}`, beyond: `{"a":3000000000}`, other: `"abc"`, decl: "type KN = intstr.IntOrString\n"},
	{name: "struct", class: object, expr: "KI", fits: objects, beyond: `{"b":300}`, other: `"abc"`, decl: twoFields},
	{name: "*struct", class: object, expr: "*KI", fits: objects, beyond: `{"b":300}`, other: `"abc"`, decl: twoFields},
	{name: "struct with omitzero", class: object, expr: "KI omitzero", fits: `{"a":"x"}`, other: `"abc"`, decl: needed},
	{name: "struct with a required field", class: object, expr: "KI", fits: `{"a":"x"}`, other: `"abc"`, decl: needed},
	{name: "struct that embeds", class: object, expr: "*KI", fits: `{"a":"x"}|{"e":"y"}`, other: `"abc"`, decl: embeds},
	{name: "struct without a name", class: object, expr: "struct {\n// A.\n// +optional\nA *string `json:\"a,omitempty\"`\n}", fits: `{"a":"x"}`, other: `"abc"`},
	{name: "generic struct", class: object, expr: "*KG[string]", fits: `{"v":"x"}`, other: `"abc"`, decl: generic},
	{name: "instantiated struct", class: object, expr: "*KI", fits: `{"v":"x"}`, other: `"abc"`, decl: generic + "\ntype KI KG[string]\n"},
	{name: "generic alias", class: list, expr: "KG[string]", fits: lists, other: `"abc"`, decl: "type KG[T any] = []T\n"},
	{name: "recursive struct", class: object, expr: "*KR", fits: `{"a":"x"}`, other: `"abc"`, decl: recursive},
	{name: "struct with an unexported field", class: object, expr: "*KI", fits: `{"a":"x"}`, other: `"abc"`, decl: unexported},
	{name: "struct with ignored fields", class: object, expr: "*KI", fits: `{"a":"x"}`, other: `"abc"`, decl: ignored},
	{name: "text of its own", class: text, expr: "*KM", fits: `"abc"`, beyond: `"xyz"`, other: "3", decl: marshal, methods: reflect.TypeFor[Text]()},
	{name: "type without its methods", class: text, expr: "*KD", fits: `"abc"`, other: "3", decl: marshal + "\ntype KD KM\n", methods: reflect.TypeFor[Text]()},
	{name: "Time", class: text, expr: "*metav1.Time", fits: `"2024-01-02T03:04:05Z"`, beyond: `"2024"`, other: "3"},
	{name: "MicroTime", class: text, expr: "*metav1.MicroTime", fits: `"2024-01-02T03:04:05.000000Z"`, beyond: `"2024"`, other: "3"},
	{name: "type of MicroTime", class: text, expr: "*KD", fits: `"2024-01-02T03:04:05Z"`, beyond: `"2024"`, other: "3", decl: "type KD metav1.MicroTime\n"},
	{name: "Duration", class: text, expr: "*metav1.Duration", fits: `"1h"|"5m"`, beyond: `"1 day"`, other: "3"},
	{name: "type of Duration", class: text, expr: "*KD", fits: `"1h"`, beyond: `"1 day"`, other: "3", decl: "type KD metav1.Duration\n"},
	{name: "Quantity", class: anyValue, expr: "*resource.Quantity", fits: `"1Gi"|5`, beyond: `"abc"`, other: "true"},
	{name: "IntOrString", class: anyValue, expr: "*intstr.IntOrString", fits: `3|"abc"`, beyond: "3000000000", other: "true"},
	{name: "RawExtension", class: object, expr: "*runtime.RawExtension", fits: `{"a":"x"}`, other: `"abc"`},
	{name: "JSON", class: anyValue, expr: "*apiextensionsv1.JSON", fits: `{"a":"x"}|3`, other: "x"},
	{name: "SecretKeySelector", class: object, expr: "*corev1.SecretKeySelector", fits: `{"name":"a","key":"b"}`, other: `"abc"`},
	{name: "ResourceRequirements", class: object, expr: "*corev1.ResourceRequirements", fits: `{"limits":{"cpu":"1"}}`, beyond: `{"limits":{"cpu":"x"}}`, other: `"abc"`},
	{name: "ResourceList", class: mapping, expr: "corev1.ResourceList", fits: `{"cpu":"1"}`, beyond: `{"cpu":"x"}`, other: `"abc"`},
	{name: "LabelSelector", class: object, expr: "*metav1.LabelSelector", fits: `{"matchLabels":{"a":"b"}}`, other: `"abc"`},
	{name: "Unstructured", class: object, expr: "*unstructured.Unstructured", fits: `{"apiVersion":"v1","kind":"A"}`, other: `"abc"`},
	{name: "ObjectMeta", class: object, expr: "metav1.ObjectMeta", fits: `{"name":"a"}`, other: `"abc"`},
	{name: "interface", class: anyValue, expr: "any", fits: "3", other: "x"},
	{name: "channel", class: anyValue, expr: "chan int", fits: "3", other: "x"},
	{name: "function", class: anyValue, expr: "func()", fits: "3", other: "x"},
	{name: "uintptr", class: number, expr: "*uintptr", fits: numbers, beyond: "-1", other: `"abc"`},
	{name: "complex64", class: number, expr: "*complex64", fits: numbers, other: `"abc"`},
	{name: "complex128", class: number, expr: "*complex128", fits: numbers, other: `"abc"`},
	{name: "unsafe pointer", class: number, expr: "unsafe.Pointer", fits: numbers, other: `"abc"`},
}

// options returns the Go type of the field, and the options of its tag.
func (t *goType) options() (expr, options string) {
	expr, options, given := strings.Cut(t.expr, " ")
	switch {
	case strings.Contains(t.expr, "\n"), strings.HasPrefix(t.expr, "chan "):
		return t.expr, "omitempty"
	case !given:
		return expr, "omitempty"
	}
	return expr, options
}

// fitting returns the values that the type holds.
func (t *goType) fitting() []string { return strings.Split(t.fits, "|") }
