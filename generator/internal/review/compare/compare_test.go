package compare

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"golang.org/x/tools/txtar"
	apiextensionsv1 "k8s.io/apiextensions-apiserver/pkg/apis/apiextensions/v1"
	"k8s.io/apimachinery/pkg/api/validation"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"sigs.k8s.io/yaml"

	"github.com/mrgen-io/mrgen/testdata/expect"
	"github.com/mrgen-io/mrgen/testdata/testmodule"
)

// kind returns the definition of a kind with a schema of its spec, and of its status.
func kind(t testing.TB, spec, status string) Definition {
	t.Helper()
	root := props{Type: "object", Properties: map[string]props{}}
	for name, text := range map[string]string{"spec": spec, "status": status} {
		if strings.TrimSpace(text) == "" {
			continue
		}
		var s props
		expect.NoError(t, yaml.UnmarshalStrict([]byte(text), &s))
		s.Type = "object"
		root.Properties[name] = s
	}
	return definitionOf(&root)
}

// definitionOf returns the definition of a kind with a schema.
func definitionOf(root *props) Definition {
	return Definition{CRD: &apiextensionsv1.CustomResourceDefinition{Spec: apiextensionsv1.CustomResourceDefinitionSpec{
		Group: "example.org", Scope: apiextensionsv1.ClusterScoped,
		Names: apiextensionsv1.CustomResourceDefinitionNames{Kind: "Thing", ListKind: "ThingList", Plural: "things", Singular: "thing"},
		Versions: []apiextensionsv1.CustomResourceDefinitionVersion{{
			Name: "v1", Served: true, Storage: true, Schema: &apiextensionsv1.CustomResourceValidation{OpenAPIV3Schema: root},
			Subresources: &apiextensionsv1.CustomResourceSubresources{Status: &apiextensionsv1.CustomResourceSubresourceStatus{}},
		}},
	}}}
}

func compare(t testing.TB, old, new Definition, options Options) []Finding {
	t.Helper()
	for _, d := range []Definition{old, new} {
		d.CRD.Name = d.CRD.Spec.Names.Plural + "." + d.CRD.Spec.Group
	}
	result := expect.Value(Compare(context.Background(), []Upgrade{{Old: old, New: &new}}, options))(t)
	for _, f := range result {
		if f.Counterexample == nil || f.Counterexample.Object == nil {
			continue
		}
		object := &unstructured.Unstructured{Object: f.Counterexample.Object}
		isNamespaced := old.CRD.Spec.Scope == apiextensionsv1.NamespaceScoped
		errs := validation.ValidateObjectMetaAccessor(object, isNamespaced, validation.NameIsDNSSubdomain, nil)
		expect.True(t, len(errs) == 0 || strings.Contains(f.Path, "metadata"), "%s: the API server takes the object from nobody: %v", f.What, errs)
	}
	return result
}

var usual = Options{Ratchets: true}

// TestSchemas holds what is found between two schemas: each case in testdata/schemas has the
// old and the new one of spec, of status or of all of an object, and what is to be found.
func TestSchemas(t *testing.T) {
	files := testmodule.Glob(t, "testdata/schemas/*.txtar")
	for _, file := range files {
		archive := expect.Value(txtar.ParseFile(file))(t)
		for i := 0; i+2 < len(archive.Files); i += 3 {
			name := strings.TrimSuffix(archive.Files[i].Name, "/old")
			t.Run(strings.TrimSuffix(filepath.Base(file), ".txtar")+"/"+name, func(t *testing.T) {
				options := usual
				options.Ratchets = !strings.HasSuffix(name, "without ratcheting")
				definition := func(text []byte) Definition {
					if strings.HasPrefix(name, "root") {
						root := props{Type: "object"}
						expect.NoError(t, yaml.UnmarshalStrict(text, &root))
						return definitionOf(&root)
					}
					if strings.HasPrefix(name, "status") {
						return kind(t, "", string(text))
					}
					return kind(t, string(text), "")
				}
				got := describeAll(compare(t, definition(archive.Files[i].Data), definition(archive.Files[i+1].Data), options))
				if *testmodule.Update {
					archive.Files[i+2].Data = []byte(got)
				}
				expect.Equal(t, string(archive.Files[i+2].Data), got)
			})
		}
		if *testmodule.Update {
			expect.NoError(t, os.WriteFile(file, txtar.Format(archive), 0o644))
		}
	}
}

// describeAll returns findings as the cases have them.
func describeAll(all []Finding) string {
	var b strings.Builder
	for _, f := range all {
		fmt.Fprintf(&b, "%s %s: %s: %s\n", f.Class, f.Path, f.What, f.Happens)
		if f.Counterexample == nil {
			b.WriteString("  may break\n")
			continue
		}
		part := func(object map[string]any) string {
			switch {
			case f.Path == "" || strings.HasPrefix(f.Path, "metadata"):
				return text(object)
			case strings.HasPrefix(f.Path, "status"):
				return text(object["status"])
			default:
				return text(object["spec"])
			}
		}
		fmt.Fprintf(&b, "  %s", part(f.Counterexample.Object))
		if f.Counterexample.Update != nil {
			fmt.Fprintf(&b, " -> %s", part(f.Counterexample.Update))
		}
		fmt.Fprintf(&b, "\n  %s\n", f.Counterexample.Says)
	}
	return b.String()
}

// TestRenamed holds that the advice about a field that may have got another name is the marker for
// that.
func TestRenamed(t *testing.T) {
	found := compare(t, kind(t, "properties: {size: {type: integer}}", ""), kind(t, "properties: {gigabytes: {type: integer}, zone: {type: string}}", ""), usual)
	expect.Must(t, len(found) == 1, "found %s", describeAll(found))
	const want = "keep the field, or rename it in a new version only, where gigabytes has +mrgen:renamedFrom=v1:size"
	expect.Equal(t, want, found[0].Advice)
	expect.True(t, !found[0].IsRefused, "a field that is gone has refused values")
	found = compare(t, kind(t, "properties: {size: {type: integer}}", ""), kind(t, "properties: {size: {type: integer, maximum: 3}}", ""), usual)
	expect.True(t, len(found) == 1 && found[0].IsRefused, "found %s", describeAll(found))
}
