package apiserver

import (
	"context"
	"testing"

	apiextensionsv1 "k8s.io/apiextensions-apiserver/pkg/apis/apiextensions/v1"
	"k8s.io/apimachinery/pkg/util/version"

	"github.com/mrgen-io/mrgen/testdata/expect"
)

func sized(spec map[string]apiextensionsv1.JSONSchemaProps, required ...string) *apiextensionsv1.JSONSchemaProps {
	return &apiextensionsv1.JSONSchemaProps{Type: "object", Properties: map[string]apiextensionsv1.JSONSchemaProps{"spec": {Type: "object", Properties: spec, Required: required}}}
}

// TestUpdateRefusals holds that an update may leave alone what is invalid if the API server
// ratchets, and nothing else, and that rules see what was.
func TestUpdateRefusals(t *testing.T) {
	long := int64(3)
	v, err := NewObjectValidator(sized(map[string]apiextensionsv1.JSONSchemaProps{
		"name": {Type: "string", MaxLength: &long},
		"zone": {Type: "string", XValidations: apiextensionsv1.ValidationRules{{Rule: "self == oldSelf", Message: "it is immutable"}}},
		"size": {Type: "integer"},
	}, "size"))
	expect.NoError(t, err)
	spec := func(fields map[string]any) map[string]any { return map[string]any{"spec": fields} }
	for name, test := range map[string]struct {
		old, new            map[string]any
		ratchets, otherwise []string
	}{
		"nothing changes":                        {spec(map[string]any{"name": "much too long"}), spec(map[string]any{"name": "much too long"}), nil, []string{"spec.name", "spec.size"}},
		"a neighbour changes":                    {spec(map[string]any{"name": "much too long", "size": int64(1)}), spec(map[string]any{"name": "much too long", "size": int64(2)}), nil, []string{"spec.name"}},
		"a neighbour of what is missing changes": {spec(map[string]any{"name": "a"}), spec(map[string]any{"name": "b"}), []string{"spec.size"}, []string{"spec.size"}},
		"what is immutable changes":              {spec(map[string]any{"zone": "a", "size": int64(1)}), spec(map[string]any{"zone": "b", "size": int64(1)}), []string{"spec.zone"}, []string{"spec.zone"}},
	} {
		t.Run(name, func(t *testing.T) {
			for ratcheting, want := range map[bool][]string{true: test.ratchets, false: test.otherwise} {
				var got []string
				for _, r := range v.UpdateRefusals(context.Background(), test.new, test.old, ratcheting) {
					got = append(got, r.Field)
				}
				expect.Equal(t, want, got, "with ratcheting %t", ratcheting)
			}
		})
	}
}

// TestRead holds that an object is read with defaults and without fields that nobody knows.
func TestRead(t *testing.T) {
	v, err := NewObjectValidator(sized(map[string]apiextensionsv1.JSONSchemaProps{
		"size": {Type: "integer", Default: &apiextensionsv1.JSON{Raw: []byte("7")}},
		"name": {Type: "string"},
	}))
	expect.NoError(t, err)
	object := map[string]any{"spec": map[string]any{"name": "a", "other": "b"}}
	read, dropped := v.Read(object)
	expect.Equal(t, map[string]any{"spec": map[string]any{"name": "a", "size": int64(7)}}, read)
	expect.Equal(t, []string{"spec.other"}, dropped, "dropped")
}

// TestRatchets holds since when the API server ratchets.
func TestRatchets(t *testing.T) {
	for release, want := range map[string]bool{"1.29": false, "1.32": false, "1.33": true} {
		expect.Equal(t, want, Ratchets(version.MustParseGeneric(release)), "%s", release)
	}
}
