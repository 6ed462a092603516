package crd

import (
	"encoding/json"
	"testing"

	"github.com/mrgen-io/mrgen/generator/internal/apiserver"
	"github.com/mrgen-io/mrgen/generator/internal/schema"
	"github.com/mrgen-io/mrgen/testdata/expect"
)

// TestDefaultsThatDefinitionsHide has defaults that the API server accepts in a definition: there is an error if and only if it refuses
// an object that leaves the value to its default.
func TestDefaultsThatDefinitionsHide(t *testing.T) {
	keyed := `"type":"array","items":{"type":"object","required":["k"],"properties":{"k":{"type":"string"}}},"x-kubernetes-list-type":"map","x-kubernetes-list-map-keys":["k"]`
	for _, text := range []string{
		`"type":"array","items":{"type":"string"},"x-kubernetes-list-type":"set","default":["a","a"]`,
		`"type":"array","items":{"type":"string"},"x-kubernetes-list-type":"set","default":["a","b"]`,
		`"type":"array","items":{"type":"string"},"default":["a","a"]`,
		keyed + `,"default":[{"k":"a"},{"k":"a"}]`,
		keyed + `,"default":[{"k":"a"},{"k":"b"}]`,
		`"type":"object","properties":{"l":{` + keyed + `}},"default":{"l":[{"k":"a"},{"k":"a"}]}`,
	} {
		s := &schema.Props{}
		expect.NoError(t, json.Unmarshal([]byte(`{"type":"object","properties":{"x":{`+text+`}}}`), s))
		validator := expect.Value(apiserver.NewObjectValidator(s))(t)
		isRefused := len(validator.Refusals(t.Context(), map[string]any{})) > 0
		problems := nestedDefaults(t.Context(), schema.Cursor{Schema: s})
		expect.True(t, isRefused == (len(problems) == 1), "%s: refused: %t, problems: %v", text, isRefused, problems)
	}
}
