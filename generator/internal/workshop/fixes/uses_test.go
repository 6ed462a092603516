package fixes

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	apiextensionsv1 "k8s.io/apiextensions-apiserver/pkg/apis/apiextensions/v1"
	"sigs.k8s.io/yaml"

	"github.com/mrgen-io/mrgen/generator/diag"
	"github.com/mrgen-io/mrgen/generator/internal/model"
	"github.com/mrgen-io/mrgen/generator/internal/source/apitypes"
	"github.com/mrgen-io/mrgen/markers"
	"github.com/mrgen-io/mrgen/testdata/expect"
)

func structOf(name string, fields ...*model.Field) *model.Type {
	return &model.Type{Kind: model.Struct, Name: name, Local: true, Fields: fields}
}

func field(name string, of *model.Type) *model.Field {
	return &model.Field{Name: name, JSONName: name, Type: of}
}

func list(of *model.Type) *model.Type { return &model.Type{Kind: model.Slice, Elem: of} }

// TestFindUses has structs in every part of kinds, and in several of them.
func TestFindUses(t *testing.T) {
	policies := field("managementPolicies", &model.Type{Name: "string", Basic: "string"})
	inlined, below, shared, observed, initial, config := structOf("Inlined"), structOf("Below"), structOf("Shared"), structOf("Observed"), structOf("Initial"), structOf("Config")
	parameters := structOf("Parameters", &model.Field{Name: "Inlined", Inline: true, Embedded: true, Type: inlined}, field("below", list(below)), field("shared", shared))
	parameters.Fields = append(parameters.Fields, field("again", &model.Type{Kind: model.Pointer, Elem: parameters}))
	kind := func(role model.Role, spec ...*model.Field) *model.Object {
		s := field("spec", structOf("Spec", spec...))
		return &model.Object{Role: role, Spec: s, Type: structOf("Kind", s, field("status", structOf("Status", field("atProvider", observed), field("shared", shared))))}
	}
	managed := kind(model.Managed, policies, field("forProvider", parameters), field("initProvider", initial))
	m := &model.Model{Packages: []*model.Package{{Objects: []*model.Object{managed, kind(model.ProviderConfig, field("config", config)), {List: true, Type: structOf("List", field("items", list(managed.Type)))}}}}}
	for required, want := range map[bool]map[*model.Type]uses{
		true:  {parameters: relaxed | desired, inlined: relaxed | desired, below: desired, shared: desired | other, observed: other, initial: desired, config: other},
		false: {parameters: direct | desired, inlined: direct | desired, below: desired, shared: desired | other, observed: other, initial: desired, config: other},
	} {
		found := findUses(m, required)
		for of, uses := range want {
			expect.True(t, found[of] == uses, "rules %t: %s has the uses %b, want %b", required, of.Name, found[of], uses)
		}
	}
}

// TestIsRelaxed says which kinds may have rules in place of required fields.
func TestIsRelaxed(t *testing.T) {
	text := &model.Type{Name: "string", Basic: "string"}
	forProvider := field("forProvider", structOf("Parameters"))
	value, problem := markers.Parse(markers.Relax + "=false")
	if problem != nil {
		t.Fatal(problem.Message)
	}
	for name, test := range map[string]struct {
		role model.Role
		spec *model.Field
		off  bool
		want bool
	}{
		"managed":               {model.Managed, field("spec", structOf("Spec", forProvider, field("managementPolicies", text))), false, true},
		"of an older version":   {model.Managed, field("spec", structOf("Spec", forProvider, field("managementPolicy", text))), false, true},
		"of no policy":          {model.Managed, field("spec", structOf("Spec", forProvider)), false, false},
		"of no parameters":      {model.Managed, field("spec", structOf("Spec", field("managementPolicies", text))), false, false},
		"of no spec":            {model.Managed, nil, false, false},
		"marked":                {model.Managed, field("spec", structOf("Spec", forProvider, field("managementPolicies", text))), true, false},
		"that configures":       {model.ProviderConfig, field("spec", structOf("Spec", forProvider, field("managementPolicies", text))), false, false},
		"that nobody knows":     {model.Unmanaged, field("spec", structOf("Spec", forProvider, field("managementPolicies", text))), false, false},
		"a list of such a kind": {model.ManagedList, field("spec", structOf("Spec", forProvider, field("managementPolicies", text))), false, false},
	} {
		o := &model.Object{Role: test.role, Spec: test.spec, Type: structOf("Kind")}
		if test.off {
			o.Type.Markers = []model.Marker{{Text: markers.Relax + "=false", Value: value}}
		}
		expect.Equal(t, test.want, isRelaxed(o), "a kind %s is relaxed", name)
	}
}

// TestMarkers corrects markers in files that can be edited, and says why others can't.
func TestMarkers(t *testing.T) {
	const source = "package v1\n\n// A is a type.\n//\n// +mrgen:mirorr=false\ntype A struct{}\n"
	for name, test := range map[string]struct {
		content, file string
		line, column  int
		want          string // the content, or else what is reported
	}{
		"a marker":         {source, "a.go", 5, 5, strings.Replace(source, "mirorr", "mirror", 1)},
		"another place":    {source, "a.go", 3, 4, "a.go:9:1: the marker cannot be edited, since it is not at this place: remove the line directives of the file"},
		"a generated file": {"// Code generated by x. DO NOT EDIT.\n\n" + source, "a.go", 7, 5, "a.go: warning: a generator writes this file, and will undo the edit: change its source, too"},
		"no file":          {source, "b.go", 5, 5, "b.go: the file cannot be edited: no such file or directory"},
	} {
		root := t.TempDir()
		expect.NoError(t, os.WriteFile(filepath.Join(root, "a.go"), []byte(test.content), 0o600))
		set, diags, err := Markers(root, []apitypes.Correction{{Pos: diag.Position{File: test.file, Line: test.line, Column: test.column}, Reported: diag.Position{File: "a.go", Line: 9, Column: 1}, Old: "mrgen:mirorr", New: "mrgen:mirror"}})
		expect.NoError(t, err)
		got := ""
		for _, content := range set.Files() {
			got = string(content)
		}
		if len(diags) > 0 {
			got = diags[0].String()
			got, _, _ = strings.Cut(got, " [fix]")
		}
		expect.Equal(t, test.want, got, "%s", name)
	}
}

// TestRefusesEmpty says which schemas leave a string no way to be empty, so that JSON may omit it.
func TestRefusesEmpty(t *testing.T) {
	for text, want := range map[string]bool{
		"minLength: 1": true, "minLength: 0": false, "maxLength: 1": false, "{}": false,
		"enum: [a, b]": true, `enum: [a, ""]`: false, "pattern: ^a+$": true, "pattern: ^a*$": false, "pattern: (": false,
	} {
		var s apiextensionsv1.JSONSchemaProps
		expect.NoError(t, yaml.Unmarshal([]byte(text), &s))
		expect.Equal(t, want, refusesEmpty(&s), "%s refuses an empty text", text)
	}
	for marker, want := range map[string]bool{"kubebuilder:validation:Required": true, "required": true, "k8s:required": true, "optional": false, "kubebuilder:validation:MinLength=1": false} {
		expect.Equal(t, want, isMarkedRequired(&model.Field{Markers: []model.Marker{{Text: "immutable"}, {Text: marker}}}), "a field that is marked +%s is required", marker)
	}
}
