package versions

import (
	"fmt"
	"strings"
	"testing"

	apiextensionsv1 "k8s.io/apiextensions-apiserver/pkg/apis/apiextensions/v1"
	"sigs.k8s.io/yaml"

	"github.com/mrgen-io/mrgen/testdata/expect"
)

// definition returns a file with versions, each as NAME, or NAME with -served or -stored if it
// is not the one or the other.
func definition(t *testing.T, names ...string) []byte {
	t.Helper()
	crd := apiextensionsv1.CustomResourceDefinition{}
	for _, name := range names {
		version, states, _ := strings.Cut(name, " ")
		crd.Spec.Versions = append(crd.Spec.Versions, apiextensionsv1.CustomResourceDefinitionVersion{
			Name: version, Served: strings.Contains(states, "served"), Storage: strings.Contains(states, "stored"),
			AdditionalPrinterColumns: []apiextensionsv1.CustomResourceColumnDefinition{{Name: "name", Type: "string", JSONPath: ".served"}},
			Schema: &apiextensionsv1.CustomResourceValidation{OpenAPIV3Schema: &apiextensionsv1.JSONSchemaProps{
				Type: "object", Description: "text\n  versions:\n  - name: v0\n    served: true",
				Properties: map[string]apiextensionsv1.JSONSchemaProps{"name": {Type: "string"}, "versions": {Type: "string"}},
			}},
		})
	}
	content := expect.Value(yaml.Marshal(crd))(t)
	return content
}

// TestRemoved has versions be removed only where no object can be stored in them.
func TestRemoved(t *testing.T) {
	for name, test := range map[string]struct {
		before, after []string
		want          []string
	}{
		"nothing":                {[]string{"v1 served stored"}, []string{"v1 served stored"}, nil},
		"added":                  {[]string{"v1 served stored"}, []string{"v1 served stored", "v2 served"}, nil},
		"storage moves":          {[]string{"v1 served stored", "v2 served"}, []string{"v1 served", "v2 served stored"}, nil},
		"no longer served":       {[]string{"v1 served", "v2 served stored"}, []string{"v1", "v2 served stored"}, nil},
		"not served, removed":    {[]string{"v1", "v2 served stored"}, []string{"v2 served stored"}, nil},
		"served, removed":        {[]string{"v1 served", "v2 served stored"}, []string{"v2 served stored"}, []string{"v1 is served"}},
		"stored, removed":        {[]string{"v1 served", "v2 served stored"}, []string{"v1 served stored"}, []string{"v2 is the version that objects are stored in"}},
		"stored only, removed":   {[]string{"v1 stored", "v2 served"}, []string{"v2 served stored"}, []string{"v1 is the version that objects are stored in"}},
		"renamed":                {[]string{"v1 served stored"}, []string{"v2 served stored"}, []string{"v1 is the version that objects are stored in"}},
		"two":                    {[]string{"v1 served", "v2 served", "v3 served stored"}, []string{"v3 served stored"}, []string{"v1 is served", "v2 is served"}},
		"not a file of versions": {[]string{"v1 served stored"}, nil, nil},
	} {
		var got []string
		for _, d := range Removed("package/crds/a.yaml", definition(t, test.before...), definition(t, test.after...), nil) {
			what, _, _ := strings.Cut(d.Message, " and would be removed")
			got = append(got, what)
			line := strings.Split(string(definition(t, test.before...)), "\n")[d.Pos.Line-1]
			expect.Equal(t, "    name: "+strings.Fields(what)[0], line, "%s: the line", name)
		}
		expect.Equal(t, test.want, got, "%s", name)
	}
}

// TestMoved has a version of a kind be in another file, as after a slip in its group.
func TestMoved(t *testing.T) {
	names := []byte("  names:\n    kind: Box\n")
	before := append(names, definition(t, "v1 served", "v2 served stored")...)
	after, other := definition(t, "v2 served stored"), append(names, definition(t, "v1 served stored")...)
	got := Removed("crds/a.yaml", before, after, map[string][]byte{"b.yaml": other, "c.yaml": after})
	const want = "crds/a.yaml:15: v1 would move to b.yaml, where no object is: write the same +groupName and plural for all versions of the kind"
	expect.True(t, len(got) == 1 && got[0].String() == want, "got %v, want %s", got, want)
}

// FuzzInFile guards that whatever is in a file in place of a CRD says something of versions or
// nothing.
func FuzzInFile(f *testing.F) {
	f.Add("spec:\n  versions:\n  - name: v1\n    served: true\n    storage: true\n")
	f.Add("  versions:\n    name: v1\n")
	f.Fuzz(func(t *testing.T, content string) {
		lines := strings.Count(content, "\n") + 1
		for _, v := range inFile([]byte(content)) {
			if v.line < 0 || v.line > lines {
				t.Error(fmt.Sprint(v))
			}
		}
	})
}
