package controllertools

import (
	"fmt"
	"maps"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"k8s.io/apiextensions-apiserver/pkg/apis/apiextensions"
	apiextensionsv1 "k8s.io/apiextensions-apiserver/pkg/apis/apiextensions/v1"
	"k8s.io/apiextensions-apiserver/pkg/apiserver/validation"
	"sigs.k8s.io/controller-tools/pkg/crd"
	ctmarkers "sigs.k8s.io/controller-tools/pkg/markers"

	"github.com/mrgen-io/mrgen/generator/internal/constraint"
	"github.com/mrgen-io/mrgen/generator/internal/flavor"
	"github.com/mrgen-io/mrgen/generator/internal/model"
	"github.com/mrgen-io/mrgen/generator/internal/schema"
	"github.com/mrgen-io/mrgen/testdata/expect"
)

var text = &model.Type{Basic: "string"}

// marked are types, and markers for them, each of which writes to another keyword.
var marked = []struct {
	source  string
	model   *model.Type
	markers []string
}{
	{"string", text, []string{"kubebuilder:validation:MaxLength=7", "kubebuilder:validation:Pattern=x", "kubebuilder:validation:Enum=x;y",
		`kubebuilder:validation:XValidation:rule="self != ''",message=no`, "kubebuilder:default=x", "nullable", "kubebuilder:validation:Type=string"}},
	{"*string", &model.Type{Kind: model.Pointer, Elem: text}, []string{"kubebuilder:validation:MinLength=1", "kubebuilder:title=t", "kubebuilder:example=x"}},
	{"int32", &model.Type{Basic: "int32"}, []string{"kubebuilder:validation:Maximum=9", "kubebuilder:validation:Minimum=1", "kubebuilder:validation:ExclusiveMaximum=true",
		"kubebuilder:validation:MultipleOf=2", "kubebuilder:default=1"}},
	{"bool", &model.Type{Basic: "bool"}, []string{"kubebuilder:default=true", "nullable"}},
	{"[]string", &model.Type{Kind: model.Slice, Elem: text}, []string{"kubebuilder:validation:MaxItems=7", "listType=set",
		"kubebuilder:validation:items:MaxLength=5", "kubebuilder:validation:items:Enum=x;y", "kubebuilder:default={x}"}},
	{"map[string]string", &model.Type{Kind: model.Map, Key: text, Elem: text}, []string{"kubebuilder:validation:MaxProperties=3", "mapType=atomic"}},
	{"[]byte", &model.Type{Kind: model.Slice, Elem: &model.Type{Basic: "uint8"}}, []string{"kubebuilder:validation:MaxLength=4"}},
}

// TestConstraints compares the constraints that markers put on fields and types with the schemas that controller-tools
// makes of them.
func TestConstraints(t *testing.T) {
	dir := t.TempDir()
	write(t, dir, "go.mod", "module example.org/m\n\ngo 1.24\n")
	r := rand.New(rand.NewPCG(19, 20))
	var source strings.Builder
	source.WriteString("package a\n")
	chosen := map[string][]string{}
	for i := range 60 {
		of := marked[i%len(marked)]
		var lines string
		name := fmt.Sprintf("T%d", i)
		isField := i%2 == 0 || strings.HasPrefix(of.source, "*")
		for _, j := range r.Perm(len(of.markers))[:1+r.IntN(len(of.markers))] {
			if !isField && (of.markers[j] == "nullable" || strings.HasPrefix(of.markers[j], "kubebuilder:default=")) { // which are for fields
				continue
			}
			chosen[name] = append(chosen[name], of.markers[j])
			lines += "// +" + of.markers[j] + "\n"
		}
		if isField {
			fmt.Fprintf(&source, "\ntype %s struct {\n%s\tF %s `json:\"f\"`\n}\n", name, lines, of.source)
		} else {
			fmt.Fprintf(&source, "\n%stype %s %s\n", lines, name, of.source)
		}
	}
	write(t, dir, "a/types.go", source.String())
	parser, idents := parse(t, dir, "example.org/m/a")
	collector, err := NewCollector()
	expect.NoError(t, err)
	for i := range 60 {
		name := fmt.Sprintf("T%d", i)
		ident := idents[slices.IndexFunc(idents, func(ident crd.TypeIdent) bool { return ident.Name == name })]
		parser.NeedSchemaFor(ident)
		want := parser.Schemata[ident]
		var list []ParsedMarker
		var declared *Declaration
		target := ctmarkers.DescribesType
		if field, isField := want.Properties["f"]; isField {
			want, target = field, ctmarkers.DescribesField
		} else if declared, err = Declared(collector, ident.Package, name); err != nil {
			t.Fatal(err)
		}
		for _, line := range chosen[name] {
			parsed, ok := Parse(collector, line, target)
			expect.Must(t, ok, "%v", line)
			list = append(list, parsed)
		}
		if declared != nil {
			expect.Equal(t, len(list), len(declared.Markers()), "%s has", name)
		}
		got := Constraints(list, marked[i%len(marked)].model, declared)
		expect.True(t, len(got.Unknown) == 0, "%s: %v is unknown", name, got.Unknown)
		// These follow from the Go type.
		want.Description, want.Format, want.AdditionalProperties = "", "", nil
		expect.Equal(t, want, got.Schema, "%s with %q", name, chosen[name])
	}
	_, err = Declared(collector, idents[0].Package, "Gone")
	expect.True(t, err != nil, "Gone is declared")
}

// TestOtherConstraints holds which markers aren't constraints on a value, and which aren't for its type.
func TestOtherConstraints(t *testing.T) {
	collector := expect.Value(NewCollector())(t)
	read := func(line string) ParsedMarker {
		parsed, ok := Parse(collector, line, ctmarkers.DescribesType)
		expect.Must(t, ok, "%v", line)
		return parsed
	}
	set := Constraints([]ParsedMarker{read("kubebuilder:validation:AtMostOneOf=a;b"), read("kubebuilder:validation:ExactlyOneOf=c;d"),
		read("kubebuilder:validation:AtLeastOneOf=e;f"), read("kubebuilder:validation:MaxItems=1"), read("kubebuilder:resource:scope=Cluster")}, &model.Type{Kind: model.Struct}, nil)
	want := []constraint.OneOf{{Fields: []string{"a", "b"}, AtMost: true}, {Fields: []string{"c", "d"}, AtMost: true, AtLeast: true}, {Fields: []string{"e", "f"}, AtLeast: true}}
	diff := cmp.Diff(want, set.OneOf)
	expect.True(t, diff == "" && len(set.Unknown) == 1, "unknown: %q, (-want +got):\n%s", set.Unknown, diff)
	for _, line := range []string{"kubebuilder:validation:Gone=1", "kubebuilder:validation:MaxItems=x"} {
		_, ok := Parse(collector, line, ctmarkers.DescribesType)
		expect.True(t, !ok, "%s is parsed", line)
	}
	if scope := read("kubebuilder:resource:scope=Cluster"); scope.Scope() != "Cluster" || !scope.IsOfKinds() || read("listType=set").IsOfKinds() || read("listType=set").Scope() != "" {
		t.Error("a marker of a kind isn't told from one of a schema")
	}
	list := apiextensionsv1.JSONSchemaProps{Type: "array", Items: &apiextensionsv1.JSONSchemaPropsOrArray{Schema: &apiextensionsv1.JSONSchemaProps{Type: "string"}}}
	for _, test := range []struct {
		a, b string
		want bool
	}{
		{"kubebuilder:validation:MaxItems=1", "kubebuilder:validation:MaxItems=2", true},
		{"kubebuilder:validation:MaxItems=1", "kubebuilder:validation:MaxItems=1", false},
		{"kubebuilder:validation:items:MaxLength=1", "kubebuilder:validation:items:MaxLength=2", true},
		{"kubebuilder:validation:XValidation:rule=\"a\"", "kubebuilder:validation:XValidation:rule=\"b\"", false},
		{"listMapKey=a", "listMapKey=b", false},
		{"kubebuilder:validation:MaxLength=1", "kubebuilder:validation:MaxLength=2", false}, // an error already
	} {
		expect.Equal(t, test.want, Contradict(list, read(test.a), read(test.b), nil), "%s and %s contradict each other", test.a, test.b)
	}
}

// TestForms has the API server validate objects by the whole schema of a type, and by the forms of it that keep less: an
// observed value may have any content, and an initial value any part of a valid one, but for the keys of lists.
func TestForms(t *testing.T) {
	number := func(n float64) *float64 { return &n }
	short := int64(2)
	text := apiextensionsv1.JSONSchemaProps{Type: "string", MaxLength: &short}
	inner := apiextensionsv1.JSONSchemaProps{Type: "object", Required: []string{"key", "other"}, Properties: map[string]apiextensionsv1.JSONSchemaProps{
		"key": text, "other": {Type: "string", Default: &apiextensionsv1.JSON{Raw: []byte(`"x"`)}}}}
	embedded := apiextensionsv1.JSONSchemaProps{Type: "object", MinProperties: &short, Properties: map[string]apiextensionsv1.JSONSchemaProps{"c": text}, Required: []string{"c"}}
	isMap := "map"
	whole := apiextensionsv1.JSONSchemaProps{
		Type: "object", Required: []string{"a", "list"}, AllOf: []apiextensionsv1.JSONSchemaProps{*refer("Embedded")},
		Properties: map[string]apiextensionsv1.JSONSchemaProps{
			"a":    text,
			"n":    {Type: "integer", Maximum: number(5), Default: &apiextensionsv1.JSON{Raw: []byte("1")}},
			"size": {XIntOrString: true, AnyOf: []apiextensionsv1.JSONSchemaProps{{Type: "integer"}, {Type: "string"}}, Pattern: "^[0-9]+$"},
			"list": {Type: "array", XListType: &isMap, XListMapKeys: []string{"key"}, Items: &apiextensionsv1.JSONSchemaPropsOrArray{Schema: refer("Inner")}},
		},
	}
	as := func(form Form) *schema.Props {
		parser, pkg := newParser(map[string]apiextensionsv1.JSONSchemaProps{"Kind": {Type: "object", Properties: map[string]apiextensionsv1.JSONSchemaProps{"value": *refer("Value")}}, "Value": whole, "Inner": inner, "Embedded": embedded})
		types := newTypes(parser, func(name flavor.TypeName) Form {
			if name == (flavor.TypeName{Package: pkg.PkgPath, Name: "Kind"}) {
				return form // which the types of its fields inherit
			}
			return unchanged(name)
		})
		flat, conflicts := types.need(crd.TypeIdent{Package: pkg, Name: "Kind"}).Flatten()
		expect.None(t, conflicts)
		value := flat.Properties["value"]
		return &value
	}
	accepts := func(s *schema.Props, object any) bool {
		var internal apiextensions.JSONSchemaProps
		expect.NoError(t, apiextensionsv1.Convert_v1_JSONSchemaProps_To_apiextensions_JSONSchemaProps(s, &internal, nil))
		validator, _, err := validation.NewSchemaValidator(&internal)
		expect.NoError(t, err)
		return len(validation.ValidateCustomResource(nil, object, validator)) == 0
	}
	item := func(fields ...string) any {
		object := map[string]any{}
		for _, field := range fields {
			object[field] = "x"
		}
		return []any{object}
	}
	for _, test := range []struct {
		object                   map[string]any
		whole, initial, observed bool
	}{
		{map[string]any{"a": "x", "c": "x", "list": item("key", "other")}, true, true, true},
		{map[string]any{}, false, true, true},
		{map[string]any{"list": item("key")}, false, true, true},
		{map[string]any{"list": item("other")}, false, false, true},
		{map[string]any{"list": item()}, false, false, true},
		{map[string]any{"a": "xxx"}, false, false, true},
		{map[string]any{"c": "xxx"}, false, false, true},
		{map[string]any{"n": int64(9)}, false, false, true},
		{map[string]any{"size": "12"}, false, true, true},
		{map[string]any{"size": int64(12)}, false, true, true},
		{map[string]any{"size": "x"}, false, false, false},
		{map[string]any{"size": true}, false, false, false},
		{map[string]any{"a": int64(1)}, false, false, false},
		{map[string]any{"list": "x"}, false, false, false},
	} {
		for form, want := range map[Form]bool{Whole: test.whole, Inherited: test.whole, Initial: test.initial, Observed: test.observed} {
			expect.Equal(t, want, accepts(as(form), test.object), "form %d accepts %v", form, test.object)
		}
	}
	for form, want := range map[Form]string{Whole: "n other", Initial: "", Observed: ""} {
		flat := as(form)
		var defaults []string
		for name, property := range flat.Properties {
			if property.Default != nil {
				defaults = append(defaults, name)
			}
		}
		for name, property := range flat.Properties["list"].Items.Schema.Properties {
			if property.Default != nil {
				defaults = append(defaults, name)
			}
		}
		slices.Sort(defaults)
		expect.Equal(t, want, strings.Join(defaults, " "), "form %d has the defaults", form)
		isKeyed := flat.Properties["list"].XListType != nil
		expect.Equal(t, form != Observed, isKeyed, "form %d has a list with keys", form)
	}
}

// TestEnum compares the values of an enum with controller-tools', which reads literals alone, and with constants that
// it can't read.
func TestEnum(t *testing.T) {
	dir := t.TempDir()
	write(t, dir, "go.mod", "module example.org/m\n\ngo 1.24\n")
	write(t, dir, "a/types.go", "package a\n\n// +k8s:enum\ntype Plain string\n\n// +k8s:enum\ntype Other string\n\nconst (\n\tB Plain = \"b\"\n\tA Plain = \"a\"\n\t// +k8s:enumExclude\n\tC Other = \"c\"\n)\n\n"+
		"const Untyped = \"u\"\n\nvar V Other = \"v\"\n\n// +k8s:enumExclude\nconst Z Other = \"z\"\n\n// +k8s:enumExclude\nconst (\n\tX, Y Other = \"x\" + \"y\", Other(A)\n\tTwice Other = \"a\"\n)\n\n// +k8s:enum\ntype None string\n\n// +k8s:enum\ntype Number int\n")
	parser, idents := parse(t, dir, "example.org/m/a")
	collector := expect.Value(NewCollector())(t)
	enum := func(s apiextensionsv1.JSONSchemaProps) string {
		var values []string
		for _, value := range s.Enum {
			values = append(values, string(value.Raw))
		}
		return strings.Join(values, " ")
	}
	want := map[string]string{"Other": `"a" "xy"`, "None": "+k8s:enum needs constants", "Number": "must apply"}
	for _, ident := range idents {
		if ident.Name == "Plain" {
			parser.NeedSchemaFor(ident)
			want["Plain"] = enum(parser.Schemata[ident])
		}
	}
	expect.Must(t, len(want["Plain"]) != 0, "controller-tools finds no values")
	for _, name := range slices.Sorted(maps.Keys(want)) {
		declared := expect.Value(Declared(collector, idents[0].Package, name))(t)
		s := apiextensionsv1.JSONSchemaProps{}
		if err := (constants{}).ApplyToSchema(declared.context(), &s); err != nil {
			expect.True(t, strings.HasPrefix(err.Error(), want[name]), "%s: %v, want %s", name, err, want[name])
		} else if got := enum(s); got != want[name] || s.Type != "string" {
			t.Errorf("%s has the type %s and the values %s, want %s", name, s.Type, got, want[name])
		}
	}
	expect.True(t, (constants{}).ApplyToSchema(nil, &apiextensionsv1.JSONSchemaProps{}) != nil, "a field has an enum")
}
