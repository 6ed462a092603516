package cli

import (
	"encoding/json"
	"errors"
	"maps"
	"slices"
	"strings"
	"testing"

	"github.com/mrgen-io/mrgen/markers"
	"github.com/mrgen-io/mrgen/testdata/expect"
)

func TestWriteText(t *testing.T) {
	text := expect.Value(markersAsText(markers.FullReference()))(t)
	for i, line := range strings.Split(string(text), "\n") {
		expect.True(t, len(line) <= markersWidth, "line %d has %d columns: %s", i+1, len(line), line)
		expect.True(t, strings.TrimRight(line, " ") == line, "line %d ends with a space: %q", i+1, line)
	}
	const want = `
+mrgen:state
    The initial state of the kind's ManagedResourceDefinition. Crossplane
    creates the CustomResourceDefinition of an active one. Inactive is the
    default.
    Place: the type of a managed resource.
    value (Active or Inactive, required): The state.

        // A NopResource is installed with the provider.
        // +mrgen:state=Active
        type NopResource struct {

Types of values

boolean                       true or false.
`
	expect.True(t, strings.Contains(string(text), want), "the text lacks\n%s\nbut is\n%s", want, string(text))
	for _, d := range markers.FullReference().Read {
		expect.Equal(t, 1, strings.Count(string(text), "\n+"+d.Name+"\n"), "the text has +%s", d.Name)
	}
}

func TestWriteJSON(t *testing.T) {
	text := expect.Value(markersAsJSON(markers.FullReference()))(t)
	var got map[string][]map[string]any
	expect.NoError(t, json.Unmarshal(text, &got))
	expect.Equal(t, []string{"markers", "others", "types"}, slices.Sorted(maps.Keys(got)), "members")
	full := markers.FullReference()
	expect.True(t, len(got["markers"]) == len(full.Read) && len(got["others"]) == len(full.Foreign) && len(got["types"]) == len(full.Types), "the lists are not complete")
	// The shape that programs rely on.
	detail := got["markers"][slices.IndexFunc(full.Read, func(d markers.Definition) bool { return d.Name == "mrgen:connectionDetail" })]
	definition := markers.Lookup("mrgen:connectionDetail")
	want := map[string]any{
		"name":   "mrgen:connectionDetail",
		"doc":    definition.Doc,
		"places": []any{"managedKind", "observationField"},
		"key":    "name",
		"arguments": []any{
			map[string]any{"name": "name", "type": "secret key", "requiredOn": []any{"managedKind"}, "doc": definition.Arguments[0].Doc, "example": "password"},
			map[string]any{"name": "pattern", "type": "secret key pattern", "insteadOf": "name", "doc": definition.Arguments[1].Doc, "example": "output.*"},
			map[string]any{"name": "description", "type": "text", "requiredOn": []any{"managedKind"}, "doc": definition.Arguments[2].Doc, "example": `"Admin's password."`},
		},
		"example": definition.Example,
	}
	expect.Equal(t, want, detail, "definition")
}

func TestWriteErrors(t *testing.T) {
	for name := range referenceFormats {
		cmd := newMarkersCommand()
		cmd.SetArgs([]string{"-o", name})
		cmd.SetOut(brokenWriter{})
		cmd.SilenceErrors, cmd.SilenceUsage = true, true
		var failed *outputError
		err := cmd.Execute()
		expect.True(t, errors.As(err, &failed) && failed.cause.Error() == "disk full", "%s: error = %v, want %q", name, err, "disk full")
	}
}
