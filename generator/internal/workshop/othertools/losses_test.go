package othertools

import (
	_ "embed"
	"os"
	"regexp"
	"slices"
	"strings"
	"testing"

	"go.yaml.in/yaml/v3"
	"golang.org/x/mod/modfile"

	"github.com/mrgen-io/mrgen/generator/diag"
	"github.com/mrgen-io/mrgen/generator/run"
	"github.com/mrgen-io/mrgen/markers"
	"github.com/mrgen-io/mrgen/testdata/expect"
)

// committed is a CRD with something of everything.
//
//go:embed testdata/committed.yaml
var committed string

// generated is the same CRD by its types.
//
//go:embed testdata/generated.yaml
var generated string

// TestLosses names everything that a CRD loses, once for all files, and nothing else.
func TestLosses(t *testing.T) {
	changes := []run.Change{
		{Path: "a.yaml", Action: run.Update, Old: []byte(committed), New: []byte(generated)},
		{Path: "b.yaml", Action: run.Update, Old: []byte(committed), New: []byte(strings.ReplaceAll(committed, "self == oldSelf", "true"))},
		{Path: "c.yaml", Action: run.Update, Old: []byte(strings.ReplaceAll(committed, "controller-gen", "mrgen")), New: []byte(generated)},
		{Path: "d.yaml", Action: run.Update, Old: []byte("# controller-gen.kubebuilder.io/version: v0.20.0\n{{ if .A }}\n{{ end }}\n"), New: []byte(generated)},
	}
	const end = " isn't in the types, and would go: "
	want := []string{
		"a.yaml:6:5: metadata.annotations.example.org/owner a" + end + "add +kubebuilder:metadata:annotations",
		"a.yaml:11:3: spec.conversion" + end + "no marker says it: add it in a later step",
		"a.yaml:15:18: spec.names.shortNames b" + end + "add +kubebuilder:resource:shortName",
		"a.yaml:17:5: the version v1alpha1" + end + "add it there",
		"a.yaml:20:7: spec.versions.additionalPrinterColumns SIZE" + end + "add +kubebuilder:printcolumn",
		"a.yaml:28:24: size as a required field of spec" + end + "add +required",
		"a.yaml:30:15: the field spec.gone" + end + "add it there",
		"a.yaml:32:17: maxLength 5 of spec.size" + end + "add +kubebuilder:validation:MaxLength",
		"a.yaml:34:19: the rule self == oldSelf of spec.size in 2 files" + end + "add +kubebuilder:validation:XValidation",
		"a.yaml:39:19: pattern ^a$ of spec.items[]" + end + "add +kubebuilder:validation:items:Pattern",
		"a.yaml:40:19: x-kubernetes-embedded-resource true of spec.items[]" + end + "add +kubebuilder:validation:items:XEmbeddedResource",
		"a.yaml:42:40: default b of spec.tags{}" + end + "give the items a type with +default",
		"a.yaml:44:45: enum [b] of spec.mode" + end + "correct +kubebuilder:validation:Enum, of the type if it has one",
		"d.yaml:1: the form of this file, which is not plain YAML," + end + "no marker says it: add it in a later step",
	}
	var got []string
	for _, d := range Losses(changes, diag.Error) {
		got = append(got, d.Pos.String()+": "+strings.TrimSuffix(d.Message, ", or set --accept-loss"))
	}
	expect.True(t, strings.Join(got, "\n") == strings.Join(want, "\n"), "got\n%s\nwant\n%s", strings.Join(got, "\n"), strings.Join(want, "\n"))
}

// TestSources checks that mrgen knows the markers that it names.
func TestSources(t *testing.T) {
	isKnown := func(name string) bool {
		return slices.ContainsFunc(markers.Names(), func(known string) bool { return known == name || strings.HasPrefix(known, name+":") })
	}
	for key, name := range itemNames {
		expect.True(t, isKnown(markers.ItemsValidationPrefix+name), "%s: there is no marker for items %s", key, name)
	}
	for key, name := range sources {
		if !isKnown(name) && !strings.HasPrefix(name, markers.Resource+":") && !strings.HasPrefix(name, markers.Metadata+":") && !strings.HasSuffix(name, ":warning") {
			t.Errorf("%s: there is no marker %s", key, name)
		}
	}
}

// TestLossesOfAnything removes each value from a CRD in turn, and expects one loss at its place.
func TestLossesOfAnything(t *testing.T) {
	var document yaml.Node
	expect.NoError(t, yaml.Unmarshal([]byte(committed), &document))
	removed := 0
	silent := regexp.MustCompile(`^(?:description|name|apiVersion|rule|controller-gen.*)$`)
	var visit func(n *yaml.Node)
	visit = func(n *yaml.Node) {
		for i := 0; i+1 < len(n.Content) && n.Kind == yaml.MappingNode; i += 2 {
			key := n.Content[i]
			if !isUnset(n.Content[i+1]) && !silent.MatchString(key.Value) {
				all := n.Content
				n.Content = append(append([]*yaml.Node{}, all[:i]...), all[i+2:]...)
				after, err := yaml.Marshal(&document)
				n.Content = all
				expect.NoError(t, err)
				removed++
				found := losses([]byte(committed), after)
				expect.True(t, len(found) != 0, "line %d: nothing is said of %s", key.Line, key.Value)
			}
		}
		for _, inner := range n.Content {
			visit(inner)
		}
	}
	visit(&document)
	expect.True(t, removed >= 20, "%d values were removed", removed)
}

// TestFollowed checks that the version of controller-gen is the one that mrgen is built with.
func TestFollowed(t *testing.T) {
	content := expect.Value(os.ReadFile("../../../../go.mod"))(t)
	file := expect.Value(modfile.ParseLax("go.mod", content, nil))(t)
	for _, r := range file.Require {
		expect.True(t, r.Mod.Path != "sigs.k8s.io/controller-tools" || r.Mod.Version == followed, "it is %s", r.Mod.Version)
	}
}
