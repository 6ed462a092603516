package crd

import (
	"cmp"
	"context"
	"encoding/json"
	"fmt"
	"maps"
	"path/filepath"
	"reflect"
	"slices"
	"strings"
	"testing"

	apiextensionsv1 "k8s.io/apiextensions-apiserver/pkg/apis/apiextensions/v1"
	"sigs.k8s.io/controller-tools/pkg/crd"
	crdmarkers "sigs.k8s.io/controller-tools/pkg/crd/markers"
	"sigs.k8s.io/controller-tools/pkg/markers"
	"sigs.k8s.io/yaml"

	"github.com/mrgen-io/mrgen/generator/diag"
	"github.com/mrgen-io/mrgen/generator/internal/crdvalidation"
	"github.com/mrgen-io/mrgen/generator/internal/source/apitypes"
	"github.com/mrgen-io/mrgen/generator/internal/source/modules"
	"github.com/mrgen-io/mrgen/generator/internal/stage"
	"github.com/mrgen-io/mrgen/generator/run"
	"github.com/mrgen-io/mrgen/testdata/budget"
	"github.com/mrgen-io/mrgen/testdata/expect"
	"github.com/mrgen-io/mrgen/testdata/testmodule"
)

// TestSameBytes reads types with each pair of markers that write one keyword, by what
// controller-tools registers. Markers that agree, or add up, are applied in source order, and
// others are an error that names both. Of markers with one name, and in another module, the last one
// counts, and the model says so. It is the same in each run, although controller-tools ranges over maps.
func TestSameBytes(t *testing.T) {
	pairs := markerPairs(t)
	for name, test := range map[string]struct{ contradict, foreign bool }{"agree": {}, "contradict": {contradict: true}, "foreign": {contradict: true, foreign: true}} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			var fields, declarations strings.Builder
			var want []markerPair
			for _, p := range pairs {
				isConflict := test.foreign && p.keywords["type"] // which is an error of its own
				if p.contradict == test.contradict && !isConflict {
					p.write(len(want), &fields, &declarations)
					want = append(want, p)
				}
			}
			expect.Must(t, len(want) >= 20, "only %d pairs are left", len(want))
			crd, diags := sameEachTime(t, layOutPairs(t, fields.String(), declarations.String(), test.foreign))
			if test.contradict && !test.foreign {
				expect.True(t, len(diags) == len(want), "%d pairs contradict each other, and %d problems are reported:\n%v", len(want), len(diags), diags)
				for _, d := range diags {
					expect.True(t, slices.ContainsFunc(want, func(p markerPair) bool { return p.isReported(d) }), "%v", d)
				}
				return
			}
			expect.None(t, diags.Errors())
			properties := crd.Spec.Versions[0].Schema.OpenAPIV3Schema.Properties["spec"].Properties
			for i, p := range want {
				got := properties[fmt.Sprintf("f%d", i)]
				texts := []string{p.a, p.b}
				slices.SortStableFunc(texts, func(a, b string) int { return cmp.Compare(p.priority(a), p.priority(b)) })
				expected := p.apply(t, texts...)
				for keyword := range p.keywords {
					got, want := members(t, p.part(&got))[keyword], members(t, expected)[keyword]
					expect.True(t, got == want, "+%s, then +%s on %s: %s is %s, want %s", p.a, p.b, p.goType, keyword, got, want)
				}
			}
		})
	}
}

// A markerPair are two markers that write one keyword of the schema of a field or type.
type markerPair struct {
	registry *markers.Registry
	target   markers.TargetType
	goType   string
	a, b     string
	keywords map[string]bool
	// contradict is set if it makes a difference which one is applied last.
	contradict bool
}

// goTypes are types of fields, with what controller-tools makes of them.
var goTypes = map[string]apiextensionsv1.JSONSchemaProps{
	"string": {Type: "string"}, "int64": {Type: "integer", Format: "int64"}, "bool": {Type: "boolean"}, "map[string]string": {Type: "object"},
	"[]string": {Type: "array", Items: &apiextensionsv1.JSONSchemaPropsOrArray{Schema: &apiextensionsv1.JSONSchemaProps{Type: "string"}}},
	"[]int64":  {Type: "array", Items: &apiextensionsv1.JSONSchemaPropsOrArray{Schema: &apiextensionsv1.JSONSchemaProps{Type: "integer"}}},
	"[]Item":   {Type: "array", XListType: new("map"), Items: &apiextensionsv1.JSONSchemaPropsOrArray{Schema: &apiextensionsv1.JSONSchemaProps{Ref: new("#/definitions/Item")}}},
}

// arguments are what markers may end in.
var arguments = []string{"", "=3", "=5", "=true", "=false", "=a", "=b", "=map", "=set", "=atomic", "=granular", `="c"`, `:rule="true"`, `:rule="self == self"`}

// markerPairs returns pairs of markers, by what controller-tools does with them. Each pair of
// definitions occurs at least once for each kind of schema.
func markerPairs(t *testing.T) []markerPair {
	t.Helper()
	registry := &markers.Registry{}
	expect.NoError(t, crdmarkers.Register(registry))
	var definitions []*markers.Definition
	for _, d := range registry.AllDefinitions() {
		if d.Output.Implements(reflect.TypeFor[crd.SchemaMarker]()) {
			definitions = append(definitions, d)
		}
	}
	slices.SortFunc(definitions, func(a, b *markers.Definition) int { return strings.Compare(a.Name, b.Name) })
	var pairs []markerPair
	for _, goType := range slices.Sorted(maps.Keys(goTypes)) {
		written := map[*markers.Definition]map[string]map[string]bool{} // by text
		for _, d := range definitions {
			written[d] = map[string]map[string]bool{}
			for _, argument := range arguments {
				p := markerPair{registry: registry, target: d.Target, goType: goType, a: d.Name + argument}
				if d.AnonymousField() == strings.HasPrefix(argument, ":") {
					continue // it has the other form
				}
				if registry.Lookup("+"+p.a, d.Target) == d && p.applies(t, p.a) {
					written[d][p.a] = p.changed(t, p.a)
				}
			}
		}
		for _, a := range definitions {
			for _, b := range definitions {
				seen := map[bool]bool{}
				for _, first := range slices.Sorted(maps.Keys(written[a])) {
					for _, second := range slices.Sorted(maps.Keys(written[b])) {
						p := markerPair{registry: registry, target: a.Target, goType: goType, a: first, b: second, keywords: map[string]bool{}}
						for keyword := range written[a][first] {
							if written[b][second][keyword] {
								p.keywords[keyword] = true
							}
						}
						if a.Target != b.Target || first == second || isOfItems(first) != isOfItems(second) || len(p.keywords) == 0 {
							continue
						}
						p.contradict = !reflect.DeepEqual(sorted(t, p.apply(t, first, second)), sorted(t, p.apply(t, second, first)))
						if !seen[p.contradict] {
							seen[p.contradict] = true
							pairs = append(pairs, p)
						}
					}
				}
			}
		}
	}
	return pairs
}

// isReported reports whether a diagnostic is about a pair, and names both with their positions.
func (p markerPair) isReported(d diag.Diagnostic) bool {
	if nameOf(p.a) == nameOf(p.b) {
		return d.Severity == diag.Warning && strings.HasPrefix(d.Message, fmt.Sprintf("the marker +%s has no effect, since the one at %d:", nameOf(p.a), d.Pos.Line+1))
	}
	return d.Severity == diag.Error && strings.HasPrefix(d.Message, "marker +"+nameOf(p.b)) &&
		strings.Contains(d.Message, " contradicts +"+nameOf(p.a)) && strings.Contains(d.Message, fmt.Sprintf(" at %d:", d.Pos.Line-1))
}

func nameOf(text string) string {
	name, _, _ := strings.Cut(text, "=")
	return name
}

func isOfItems(text string) bool { return strings.HasPrefix(text, crdmarkers.ValidationItemsPrefix) }

// part returns the schema that the markers of a pair are about.
func (p markerPair) part(s *apiextensionsv1.JSONSchemaProps) *apiextensionsv1.JSONSchemaProps {
	if isOfItems(p.a) && s.Items != nil {
		return s.Items.Schema
	}
	return s
}

// apply applies markers one after the other.
func (p markerPair) apply(t *testing.T, texts ...string) *apiextensionsv1.JSONSchemaProps {
	t.Helper()
	all := goTypes[p.goType]
	s := p.part(all.DeepCopy())
	for _, text := range texts {
		value := expect.Value(p.registry.Lookup("+"+text, p.target).Parse("+" + text))(t)
		expect.NoError(t, value.(crd.SchemaMarker).ApplyToSchema(nil, s))
	}
	return s
}

// priority returns when controller-tools applies a marker.
func (p markerPair) priority(text string) crdmarkers.ApplyPriority {
	value, _ := p.registry.Lookup("+"+text, p.target).Parse("+" + text)
	if value, ok := value.(crdmarkers.ApplyPriorityMarker); ok {
		return value.ApplyPriority()
	}
	return crdmarkers.ApplyPriorityDefault
}

// applies reports whether a marker can be read, and is for the type.
func (p markerPair) applies(t *testing.T, text string) bool {
	value, err := p.registry.Lookup("+"+text, p.target).Parse("+" + text)
	if err != nil || isOfItems(text) && !strings.HasPrefix(p.goType, "[]") {
		return false
	}
	all := goTypes[p.goType]
	return value.(crd.SchemaMarker).ApplyToSchema(nil, p.part(all.DeepCopy())) == nil
}

// changed returns the keywords that a marker sets.
func (p markerPair) changed(t *testing.T, text string) map[string]bool {
	t.Helper()
	before, after := members(t, p.apply(t)), members(t, p.apply(t, text))
	changed := map[string]bool{}
	for keyword, value := range after {
		changed[keyword] = before[keyword] != value
	}
	for keyword, isChanged := range changed {
		if !isChanged {
			delete(changed, keyword)
		}
	}
	return changed
}

// members returns the keywords of a schema, as JSON.
func members(t *testing.T, s *apiextensionsv1.JSONSchemaProps) map[string]string {
	t.Helper()
	content := expect.Value(json.Marshal(s))(t)
	var raw map[string]json.RawMessage
	expect.NoError(t, json.Unmarshal(content, &raw))
	all := map[string]string{}
	for keyword, value := range raw {
		all[keyword] = string(value)
	}
	return all
}

// sorted returns the keywords of a schema, apart from the order of rules and of keys.
func sorted(t *testing.T, s *apiextensionsv1.JSONSchemaProps) map[string]string {
	t.Helper()
	slices.Sort(s.XListMapKeys)
	slices.SortFunc(s.XValidations, func(a, b apiextensionsv1.ValidationRule) int { return strings.Compare(a.Rule, b.Rule) })
	return members(t, s)
}

// write writes a field with the markers, or a field and its type.
func (p markerPair) write(i int, fields, declarations *strings.Builder) {
	comment := fmt.Sprintf("// +%s\n// +%s\n", p.a, p.b)
	if p.goType == "[]Item" && !strings.Contains(comment, "istType=") {
		comment = "// +listType=map\n" + comment
	}
	if p.target == markers.DescribesType {
		fmt.Fprintf(declarations, "\n%stype T%d %s\n", comment, i, p.goType)
		fmt.Fprintf(fields, "F%[1]d T%[1]d `json:\"f%[1]d\"`\n", i)
	} else {
		fmt.Fprintf(fields, "%sF%d %s `json:\"f%[2]d\"`\n", comment, i, p.goType)
	}
}

// layOutPairs writes a module of one kind whose spec has fields, or one from another module.
func layOutPairs(t *testing.T, fields, declarations string, foreign bool) string {
	t.Helper()
	root := t.TempDir()
	spec := "type Spec struct {\n" + fields + "}\n\ntype Item struct {\n\tA string `json:\"a\"`\n\tB string `json:\"b\"`\n}\n" + declarations
	goMod, imports, name := testmodule.GoMod(t), "", "Spec"
	if foreign {
		other := t.TempDir()
		testmodule.Write(t, filepath.Join(other, "go.mod"), []byte("module example.org/other\n\ngo 1.24\n"))
		testmodule.Write(t, filepath.Join(other, "types.go"), []byte("package other\n\n"+spec))
		goMod = append(goMod, testmodule.Require("example.org/other", "v0.0.0", other)...)
		imports, name, spec = "import \"example.org/other\"\n", "other.Spec", ""
	}
	testmodule.Write(t, filepath.Join(root, "go.mod"), goMod)
	testmodule.Write(t, filepath.Join(root, "v1/types.go"), []byte(`// Package v1 has a kind.
//
// +groupName=example.org
package v1

import metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
`+imports+`
// +kubebuilder:object:root=true
type Kind struct {
	metav1.TypeMeta   `+"`json:\",inline\"`"+`
	metav1.ObjectMeta `+"`json:\"metadata,omitempty\"`"+`

	Spec `+name+" `json:\"spec\"`"+`
}

`+spec))
	return root
}

// sameEachTime makes the definition of the kind in a module many times, and returns it.
func sameEachTime(t *testing.T, root string) (*apiextensionsv1.CustomResourceDefinition, diag.List) {
	t.Helper()
	ctx := context.Background()
	sc, diags := modules.New(modules.Options{Root: root, Patterns: []string{"./..."}})
	sources, listed := apitypes.List(ctx, sc, apitypes.Options{})
	if diags = append(diags, listed...); diags.HasErrors() {
		t.Fatal(diags)
	}
	var forks []*apitypes.Sources
	for range budget.Of(10, 50) {
		forks = append(forks, sources.Fork())
	}
	first, content := "", []byte(nil)
	for i, fork := range forks {
		source, problems := fork.Load(ctx, nil)
		written := []byte(nil)
		if !problems.HasErrors() {
			options := stage.Options{Options: run.Default(), Validator: acceptance{}}
			output, more, err := stage.Run(ctx, source, options, []stage.Stage{Stage})
			expect.NoError(t, err)
			for _, written = range output.Artifacts.Files() {
				content = written
			}
			problems = append(problems, more...)
		}
		problems = problems.Sorted()
		got := fmt.Sprint(problems, string(written))
		if first = cmp.Or(first, got); got != first {
			t.Fatalf("run %d differs from the first one:\n%s\nand\n%s", i, got, first)
		}
		diags = problems
	}
	definition := &apiextensionsv1.CustomResourceDefinition{}
	expect.NoError(t, yaml.Unmarshal(content, definition))
	return definition, diags
}

// acceptance accepts all definitions: what markers mean together doesn't matter here.
type acceptance struct{ crdvalidation.Validator }

func (acceptance) Validate(context.Context, *apiextensionsv1.CustomResourceDefinition) []crdvalidation.ValidationError {
	return nil
}

// TestImmutableInAnotherModule compares the rules of +k8s:immutable in a type of another module with those
// of controller-gen: one is at the field, and one at the struct, for which it looks by name.
func TestImmutableInAnotherModule(t *testing.T) {
	root := layOutPairs(t, "// +k8s:immutable\n// +optional\nA string `json:\"a,omitempty\"`\n// +k8s:immutable\nB string `json:\"b\"`\n", "", true)
	definition, diags := sameEachTime(t, root)
	want := &apiextensionsv1.CustomResourceDefinition{}
	for _, content := range controllerGen(t, root, crd.Generator{}) {
		expect.NoError(t, yaml.Unmarshal([]byte(content), want))
	}
	got := definition.Spec.Versions[0].Schema.OpenAPIV3Schema.Properties["spec"]
	if len(diags) > 0 || len(got.XValidations) != 1 || !reflect.DeepEqual(got, want.Spec.Versions[0].Schema.OpenAPIV3Schema.Properties["spec"]) {
		t.Errorf("got %v\nwant %v\n%v", got, want.Spec.Versions[0].Schema.OpenAPIV3Schema.Properties["spec"], diags)
	}
}
