package openapi

import (
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"golang.org/x/tools/txtar"

	"github.com/mrgen-io/mrgen/generator/internal/testmodule"
	"github.com/mrgen-io/mrgen/generator/internal/workshop/fromsdk"
)

// archive writes the documents of the archive to a folder, and returns the types that a kind of them has.
func archive(t *testing.T) (dir, want string) {
	t.Helper()
	a, err := txtar.ParseFile("../../../../testdata/fromsdk/openapi.txtar")
	if err != nil {
		t.Fatal(err)
	}
	sources := map[string][]byte{}
	for _, f := range a.Files {
		if strings.HasSuffix(f.Name, "_types.go") {
			want = string(f.Data)
		}
		sources[f.Name] = f.Data
	}
	dir = t.TempDir()
	testmodule.WriteTree(t, dir, sources)
	return dir, want
}

func oneLine(text string) string { return strings.Join(strings.Fields(text), " ") }

// TestRead checks that a kind has the fields that stand in the expected file, each with its markers.
func TestRead(t *testing.T) {
	t.Parallel()
	dir, want := archive(t)
	d, diags := Read(Options{
		Object: filepath.Join(dir, "api.yaml") + "#/components/schemas/Relay",
		Create: "POST /projects/{project_id}/relays", Update: "PUT /projects/{project_id}/relays/{id}",
	})
	if len(diags) > 0 {
		t.Fatal(diags)
	}
	k, diags := fromsdk.Describe(d, fromsdk.Options{Kind: "Relay", Selector: "xpv2.LocalSecretKeySelector", Omit: "omitzero"})
	if len(diags) > 0 {
		t.Fatal(diags)
	}
	if k.HasController() || !k.HasFreeForm() {
		t.Error("a kind of a document has no controller, and this one an object of no known fields")
	}
	want = oneLine(want)
	fields := slices.Concat(k.Parameters, k.Observation)
	for _, s := range k.Structs {
		fields = append(fields, s.Fields...)
	}
	for _, f := range fields {
		text := "// " + strings.Join(slices.Concat(f.Comment, f.Markers), " // ") + " " + f.Name + " " + f.Type + " `json:\"" + f.Tag + "\"` "
		if check := f.Check(); check != "" {
			text += "// " + check
		}
		if !strings.Contains(want, oneLine(text)) {
			t.Errorf("the types lack %s", text)
		}
	}
	if got := strings.Count(want, "json:\"") - 13; got != len(fields) { // without those of the kind itself
		t.Errorf("the types have %d fields, want %d", got, len(fields))
	}
	for _, left := range append(slices.Clone(k.Left), k.Checks...) {
		if !strings.Contains(want, left+".") {
			t.Errorf("the types don't say what the kind lacks: %s", left)
		}
	}
	if example := oneLine(strings.Join(k.Example(), " ")); example != `projectId: 1 url: "https://example.org" region: eu window: from: "11:11"` {
		t.Errorf("the example is %s", example)
	}
}

// TestSame checks what a single schema makes of a kind: what only the API sets is told by its name, too.
func TestSame(t *testing.T) {
	t.Parallel()
	dir, _ := archive(t)
	d, diags := Read(Options{Object: filepath.Join(dir, "api.yaml") + "#Relay"})
	if len(diags) > 0 {
		t.Fatal(diags)
	}
	k, _ := fromsdk.Describe(d, fromsdk.Options{Kind: "Relay", Omit: "omitempty"})
	names := func(fields []*fromsdk.Field) string {
		var all []string
		for _, f := range fields {
			all = append(all, f.Name)
		}
		return " " + strings.Join(all, " ") + " "
	}
	parameters, observation := names(k.Parameters), names(k.Observation)
	for _, name := range []string{" ID ", " CreatedAt "} {
		if strings.Contains(parameters, name) || !strings.Contains(observation, name) {
			t.Errorf("the API sets%s: %s, %s", name, parameters, observation)
		}
	}
	for _, f := range k.Parameters {
		if slices.Contains(f.Markers, "+immutable") {
			t.Errorf("%s is immutable, though nothing says so", f.Name)
		}
	}
}

// TestMistakes checks what is said of documents and names that no kind can be made of.
func TestMistakes(t *testing.T) {
	t.Parallel()
	dir, _ := archive(t)
	testmodule.WriteTree(t, dir, map[string][]byte{
		"two.yaml":     []byte("swagger: '2.0'\ninfo: {title: a, version: '1'}\npaths: {}\n"),
		"broken.yaml":  []byte("openapi: 3.0.0\ninfo: {title: a, version: '1'}\npaths: [\n"),
		"typed.yaml":   []byte("openapi: 3.0.0\ninfo: {title: {a: b}, version: '1'}\npaths: {}\n"),
		"far.yaml":     []byte("openapi: 3.0.0\ninfo: {title: a, version: '1'}\npaths: {}\ncomponents: {schemas: {A: {$ref: 'https://example.org/a.yaml'}}}\n"),
		"missing.yaml": []byte("openapi: 3.0.0\ninfo: {title: a, version: '1'}\npaths: {}\ncomponents: {schemas: {A: {$ref: 'b.yaml#/B'}}}\n"),
		"few.yaml": []byte(`openapi: 3.0.0
info: {title: a, version: '1'}
paths:
  /a:
    get: {responses: {"200": {description: Read}}}
    post: {requestBody: {content: {}}, responses: {"200": {description: Created}}}
components:
  schemas:
    List:
      type: array
      items: {type: string}
    Loop:
      allOf: [{$ref: '#/components/schemas/Loop'}]
    Empty:
      type: object
`),
	})
	for _, tc := range []struct{ object, create, update, want string }{
		{"none.yaml#A", "", "", "none.yaml: --from-openapi: cannot read this: no such file or directory: name a file, with a schema after it, as in api.yaml#/components/schemas/Hook"},
		{"two.yaml#A", "", "", "two.yaml: this is not an OpenAPI document of version 3, whose field openapi says so: convert it first"},
		{"broken.yaml#A", "", "", "broken.yaml:4: this OpenAPI document can't be loaded: "},
		{"typed.yaml#A", "", "", "typed.yaml:2: this OpenAPI document can't be loaded: "},
		{"far.yaml#A", "", "", "far.yaml: this OpenAPI document can't be loaded: https://example.org/a.yaml is not a file on this machine: download it, and refer to that"},
		{"missing.yaml#A", "", "", "b.yaml: no such file or directory"},
		{"api.yaml#/components/schemas/Relais", "", "", `api.yaml: --from-openapi: there is no schema "Relais" below #/components/schemas, and the nearest name is Relay`},
		{"api.yaml#Relay", "Nothing", "", `api.yaml: --create: there is no schema "Nothing" below #/components/schemas`},
		{"api.yaml#Relay", "", "PUT /projects/{project_id}/relay", "api.yaml: --update: there is no path /projects/{project_id}/relay, and the nearest is /projects/{project_id}/relays"},
		{"api.yaml#Relay", "PUT /projects/{project_id}/relays", "", "api.yaml:4:3: --create: /projects/{project_id}/relays has no operation PUT: name one of POST"},
		{"few.yaml#List", "", "", "few.yaml:9:5: --from-openapi: a kind can't be made of this schema, since it has no fields: name that of an object"},
		{"few.yaml#Loop", "", "", "few.yaml:12:5: --from-openapi: a kind can't be made of this schema, since its schema is made of itself: name that of an object"},
		{"few.yaml#Empty", "", "", "few.yaml:14:5: --from-openapi: a kind can't be made of this schema, since it has no fields: name that of an object"},
		{"few.yaml#Empty", "GET /a", "", "few.yaml:5:5: --create: GET /a takes no body: name the operation that does, or a schema"},
		{"few.yaml#Empty", "POST /a", "", "few.yaml:6:5: --create: the document doesn't say what the body of POST /a is: name a schema"},
	} {
		_, diags := Read(Options{Object: filepath.Join(dir, tc.object), Create: tc.create, Update: tc.update})
		if len(diags) == 0 {
			t.Errorf("%v: nothing is said", tc)
			continue
		}
		if got := strings.ReplaceAll(diags[0].String(), dir+"/", ""); !strings.Contains(got, tc.want) {
			t.Errorf("%s, %s, %s:\n got %s\nwant %s", tc.object, tc.create, tc.update, got, tc.want)
		}
	}
}
