package validobject_test

import (
	"testing"

	apiextensionsv1 "k8s.io/apiextensions-apiserver/pkg/apis/apiextensions/v1"

	"github.com/mrgen-io/mrgen/generator/internal/review/validobject"
	"github.com/mrgen-io/mrgen/generator/internal/schema"
	"github.com/mrgen-io/mrgen/testdata/expect"
)

// TestLocate holds that fields in the API server's words lead to the nearest value that the schema knows.
func TestLocate(t *testing.T) {
	type props = apiextensionsv1.JSONSchemaProps
	object := func(properties map[string]props) props { return props{Type: "object", Properties: properties} }
	list := func(of props) props {
		return props{Type: "array", Items: &apiextensionsv1.JSONSchemaPropsOrArray{Schema: &of}}
	}
	values := func(of props) props {
		return props{Type: "object", AdditionalProperties: &apiextensionsv1.JSONSchemaPropsOrBool{Schema: &of}}
	}
	text := props{Type: "string"}
	root := object(map[string]props{"spec": object(map[string]props{
		"rules": list(object(map[string]props{"port": text, "rules": list(text)})), "labels": values(text), "free": values(list(list(text))), "a": text,
		"a.b": object(nil), "size": text,
	})})
	for field, want := range map[string]string{
		"": ".", "spec": ".spec", "spec.rules[3].port": ".spec.rules[].port", "spec.rules[0].rules[1]": ".spec.rules[].rules[]",
		"spec.labels.some": ".spec.labels{}", "spec.labels[a.b/c]": ".spec.labels{}", "spec.free[x.y][0][1]": ".spec.free{}[][]", "spec.a.b": `.spec["a.b"]`,
		"spec.a.c": ".spec.a", "spec.none.rules": ".spec", "spec.size[0]": ".spec.size", "metadata.annotations[a.b]": ".",
	} {
		expect.Equal(t, want, validobject.Locate(schema.Cursor{Schema: &root}, field).Path.String(), "%s", field)
	}
}
