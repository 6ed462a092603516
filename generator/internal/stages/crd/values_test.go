package crd

import (
	"context"
	_ "embed"
	"encoding/json"
	"fmt"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	apiextensionsv1 "k8s.io/apiextensions-apiserver/pkg/apis/apiextensions/v1"
	"sigs.k8s.io/yaml"

	"github.com/mrgen-io/mrgen/generator/diag"
	"github.com/mrgen-io/mrgen/generator/internal/apiserver"
	"github.com/mrgen-io/mrgen/generator/internal/stage"
	"github.com/mrgen-io/mrgen/generator/internal/stagerunner"
	"github.com/mrgen-io/mrgen/generator/run"
	"github.com/mrgen-io/mrgen/testdata/expect"
	"github.com/mrgen-io/mrgen/testdata/testmodule"
)

// specOf returns the schema of the spec of a kind with fields, in a package that declares types, and
// what is reported.
func specOf(t *testing.T, fields, declarations string, others map[string]string) (apiextensionsv1.JSONSchemaProps, diag.List) {
	t.Helper()
	root := layOutPairs(t, fields, declarations, false)
	for name, content := range others {
		testmodule.Write(t, filepath.Join(root, name), []byte(content))
	}
	options := run.Default()
	options.Dir = root
	run, diags, err := (stagerunner.Runner{Stages: []stage.Stage{Stage}}).Open(options).Evaluate(context.Background())
	expect.NoError(t, err)
	definition := apiextensionsv1.CustomResourceDefinition{}
	if !diags.HasErrors() {
		for _, content := range run.Output.Artifacts.Files() {
			expect.NoError(t, yaml.Unmarshal(content, &definition))
		}
		return definition.Spec.Versions[0].Schema.OpenAPIV3Schema.Properties["spec"], diags.Sorted()
	}
	return apiextensionsv1.JSONSchemaProps{}, diags.Sorted()
}

// accepts reports whether the API server accepts a value, as encoding/json writes it.
func accepts(t *testing.T, props apiextensionsv1.JSONSchemaProps, value any) bool {
	t.Helper()
	content := expect.Value(json.Marshal(value))(t)
	var read any
	expect.NoError(t, json.Unmarshal(content, &read))
	return apiserver.Upstream{}.Accepts(context.Background(), &props, read)
}

// enums declares types whose values are constants in all forms that Go has.
//
//go:embed testdata/enums.go.txt
var enums string

// TestConstants has the API server accept the constants of a type, and nothing else.
func TestConstants(t *testing.T) {
	all := []string{"literal", "raw", "joined", "p-fixed", "converted", "first", "second", "unexported", "", "a<b>&\"\u00e9", "aliased", "elsewhere", "repeated", "literal-raw"}
	none := []string{"excluded", "excluded too", "untyped", "different", "variable", "local", "p-", "other"}
	spec, diags := specOf(t, `
		Value K `+"`json:\"value\"`"+`
		// +optional
		Pointer *Alias `+"`json:\"pointer,omitempty\"`"+`
		List []K `+"`json:\"list\"`"+`
		Map map[string]Alias `+"`json:\"map\"`"+`
		Sub Sub `+"`json:\"sub\"`"+`
	`, enums, map[string]string{"v1/other.go": "package v1\n\nconst other = \"elsewhere\"\n"})
	expect.None(t, diags)
	of := spec.Properties
	for name, props := range map[string]apiextensionsv1.JSONSchemaProps{"value": of["value"], "pointer": of["pointer"], "list": *of["list"].Items.Schema, "map": *of["map"].AdditionalProperties.Schema} {
		for _, value := range all {
			expect.True(t, accepts(t, props, value), "%s: %q is refused", name, value)
		}
		for _, value := range none {
			expect.True(t, !accepts(t, props, value), "%s: %q is accepted", name, value)
		}
		expect.True(t, len(props.Enum) == len(all), "%s: there are %d values, want %d", name, len(props.Enum), len(all))
	}
	if !accepts(t, of["sub"], "different") || accepts(t, of["sub"], "literal") {
		t.Errorf("the values of Sub are %s", of["sub"].Enum)
	}
}

// TestEnumsThatNothingSatisfies checks enums with values of another type than the field: the API
// server would refuse all that the author listed.
func TestEnumsThatNothingSatisfies(t *testing.T) {
	for _, tt := range []struct{ goType, marker, message string }{
		{"*string", "Enum=1.24;1.30;007", "V is a string, and never the number 1.24: put its values in quotes"},
		{"string", "Enum=true;false;null", "V is a string, and never the boolean true: put its values in quotes"},
		{"string", "Enum={1,2}", "V is a string, and never the number 1: put its values in quotes"},
		{"string", `Enum=a;"b;c";3`, "V is a string, and never the number 3: put its values in quotes"},
		{"Text", "Enum=1;2", "V is a string, and never the number 1: put its values in quotes"},
		{"[]byte", "Enum=1234", "V is a string, and never the number 1234: put its values in quotes"},
		{"*bool", `Enum="true";"false"`, `V is a boolean, and never the string "true": write values of that type, or remove them`},
		{"int64", `Enum="1";"2"`, `V is an integer, and never the string "1": write values of that type, or remove them`},
		{"Number", `Enum="1";"2"`, `V is an integer, and never the string "1": write values of that type, or remove them`},
		{"int64", "Enum=1;2;three", `V is an integer, and never the string "three": write values of that type, or remove them`},
		{"int64", "Enum=1;1.5", `V is an integer, and never the number 1.5: write values of that type, or remove them`},
		{"[]string", "items:Enum=1;2", "an item of V is a string, and never the number 1: put its values in quotes"},
		{"[]string", "Enum=a;b", `V is a list, and never the string "a": write +kubebuilder:validation:items:Enum in its place`},
		{"[]int64", "Enum=1;2", "V is a list, and never the number 1: write +kubebuilder:validation:items:Enum in its place"},
		{"[]Text", "Enum=1;2", "V is a list, and never the number 1: write +kubebuilder:validation:items:Enum in its place"},
		{"[]*string", "Enum=true", "V is a list, and never the boolean true: write +kubebuilder:validation:items:Enum in its place"},
		{"map[string]string", "Enum=a;b", `V is a map, and never the string "a": declare a type for its values, and mark that`},
		{"Choice", "Enum=a;b", `the enum of V has "b", which its type or other markers refuse: correct one of them`},
		{"[]*Choice", "items:Enum=a", `the enum of an item of V has "a", which its type or other markers refuse: correct one of them`},
		{"[]byte", "Enum=hello", `the enum of V has "hello", which its type or other markers refuse: correct one of them`},
		{"int64", "Enum=5;6\n// +kubebuilder:validation:Maximum=4", "the enum of V has 6, which its type or other markers refuse: correct one of them"},
		{"*Item", "Enum=a;b", `V is a struct, and never the string "a": mark the fields that the values are of`},
	} {
		t.Run(tt.goType+" "+tt.marker, func(t *testing.T) {
			t.Parallel()
			field := "// +kubebuilder:validation:" + tt.marker + "\nV " + tt.goType + " `json:\"v\"`\n"
			_, diags := specOf(t, field, "\ntype Text string\n\ntype Number int64\n\n// +kubebuilder:validation:Enum=x;y\ntype Choice string\n", nil)
			expect.Must(t, len(diags) == 1 && diags[0].Severity == diag.Error && diags[0].Pos.Line == 17 && diags[0].Pos.Column == 4, "%v", diags)
			expect.Equal(t, tt.message, diags[0].Message)
		})
	}
}

// TestEnumsThatAreRight checks that nothing is said of enums with a value, in whatever way they
// are written.
func TestEnumsThatAreRight(t *testing.T) {
	var fields strings.Builder
	for i, field := range [][2]string{
		{"string", `Enum="1.30";"true"`}, {"string", "Enum=a;b;`1`"}, {"string", "Enum=yes;no;on;off"}, {"int64", "Enum=1;2"}, {"int64", "Enum=-1;1.0"},
		{"bool", "Enum=true"}, {"[]string", "items:Enum=a"}, {"[]string", "Enum={{a},{b}}"}, {"intstr.IntOrString", "Enum=1;a"}, {"*string", `Enum="";a`},
		{"apiextensionsv1.JSON", "Enum=1;a"}, {"string", "Format=date-time"}, {"[]byte", "Format=byte"},
		{"int64", "Format=int32"}, {"string", "Format=password"}, {"[]string", "items:Format=uuid"},
	} {
		fmt.Fprintf(&fields, "// +kubebuilder:validation:%s\nF%d %s `json:\"f%d\"`\n", field[1], i, field[0], i)
	}
	root := layOutPairs(t, fields.String(), "", false)
	file := filepath.Join(root, "v1/types.go")
	source := strings.Replace(string(testmodule.Read(t, file)), "import metav1", `import apiextensionsv1 "k8s.io/apiextensions-apiserver/pkg/apis/apiextensions/v1"
import "k8s.io/apimachinery/pkg/util/intstr"
import metav1`, 1)
	testmodule.Write(t, file, []byte(source))
	options := run.Default()
	options.Dir = root
	_, diags, err := (stagerunner.Runner{Stages: []stage.Stage{Stage}}).Open(options).Evaluate(context.Background())
	expect.True(t, err == nil && len(withoutRoundTrips(diags)) == 0, "%v %v", err, diags)
}

// withoutRoundTrips returns the diagnostics about markers.
func withoutRoundTrips(diags diag.List) diag.List {
	return slices.DeleteFunc(diags, func(d diag.Diagnostic) bool { return d.Code == "round-trip" })
}

// TestFormats checks that a format is a warning if the API server accepts everything, whatever the
// format says, and no other.
func TestFormats(t *testing.T) {
	for _, tt := range []struct {
		goType, format string
		// wrong is a value that the format should refuse.
		wrong   any
		message string
	}{
		{"string", "date-time", "never", ""},
		{"string", "ipv4", "never", ""},
		{"string", "ip", "never", "the API server ignores the format \"ip\" of a string: write a pattern, +kubebuilder:validation:Pattern=`…`, or remove the marker"},
		{"string", "int64", "never", "the API server ignores the format \"int64\" of a string: write a pattern, +kubebuilder:validation:Pattern=`…`, or remove the marker"},
		{"int64", "email", 1, `the API server ignores the format "email" of an integer: remove the marker`},
		{"bool", "email", true, `the API server ignores the format "email" of a boolean: remove the marker`},
		{"[]string", "email", []string{"never"}, `the API server ignores the format "email" of a list: write +kubebuilder:validation:items:Format=email`},
		{"map[string]string", "email", map[string]string{"a": "never"}, `the API server ignores the format "email" of a map: remove the marker`},
	} {
		spec, diags := specOf(t, "// +kubebuilder:validation:Format="+tt.format+"\nV "+tt.goType+" `json:\"v\"`\n", "", nil)
		expect.Equal(t, tt.message != "", accepts(t, spec.Properties["v"], tt.wrong), "%s as %s: the API server ignores it", tt.goType, tt.format)
		var messages []string
		for _, d := range withoutRoundTrips(diags) {
			messages = append(messages, d.Message)
			expect.True(t, d.Severity == diag.Warning, "%v", d)
		}
		if !slices.Equal(messages, slices.DeleteFunc([]string{tt.message}, func(m string) bool { return m == "" })) {
			t.Errorf("%s as %s: got %v\nwant %s", tt.goType, tt.format, messages, tt.message)
		}
	}
}
