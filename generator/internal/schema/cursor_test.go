package schema_test

import (
	"cmp"
	_ "embed"
	"strings"
	"testing"

	apiextensionsv1 "k8s.io/apiextensions-apiserver/pkg/apis/apiextensions/v1"
	"sigs.k8s.io/yaml"

	"github.com/mrgen-io/mrgen/generator/diag"
	"github.com/mrgen-io/mrgen/generator/internal/model"
	"github.com/mrgen-io/mrgen/generator/internal/schema"
	"github.com/mrgen-io/mrgen/testdata/expect"
)

// kindSchema is the schema of a kind with values at all depths.
//
//go:embed testdata/kind.yaml
var kindSchema string

// thing returns a kind with fields of all sorts, and its schema.
func thing(t *testing.T) (*model.Object, *apiextensionsv1.JSONSchemaProps) {
	t.Helper()
	author := func(line int) diag.Position { return diag.Position{File: "thing.go", Line: line} }
	outside := diag.Position{File: "/modules/other/other.go", Line: 1}
	marked := func(texts ...string) (list []model.Marker) {
		for _, text := range texts {
			list = append(list, model.Marker{Text: text})
		}
		return list
	}
	text := &model.Type{Kind: model.Basic, Basic: "string"}
	pointer := func(to *model.Type) *model.Type { return &model.Type{Kind: model.Pointer, Elem: to} }
	label := &model.Type{Kind: model.Basic, Basic: "string", Name: "Label", Local: true, Markers: marked("label")}
	other := &model.Type{Kind: model.Struct, Name: "Other", Fields: []*model.Field{
		{Name: "Name", JSONName: "name", Type: text, Pos: outside},
		{Name: "Names", JSONName: "names", Type: &model.Type{Kind: model.Slice, Elem: text}, Pos: outside},
	}}
	rule := &model.Type{Kind: model.Struct, Name: "Rule", Local: true, Markers: marked("rule")}
	rule.Fields = []*model.Field{
		{Name: "Port", JSONName: "port", Type: text, Pos: author(20), Markers: marked("port")},
		{Name: "Rules", JSONName: "rules", Type: &model.Type{Kind: model.Slice, Elem: rule}, Pos: author(21)},
	}
	inline := &model.Type{Kind: model.Struct, Name: "Inline", Local: true, Markers: marked("inline"), Fields: []*model.Field{{Name: "Size", JSONName: "size", Type: text, Pos: author(30)}}}
	spec := &model.Type{Kind: model.Struct, Name: "Spec", Local: true, Markers: marked("specType"), Fields: []*model.Field{
		{Name: "Inline", Inline: true, Embedded: true, Type: inline, Pos: author(10)},
		{Name: "Rules", JSONName: "rules", Type: pointer(&model.Type{Kind: model.Slice, Elem: pointer(rule)}), Pos: author(11), Markers: marked("rules")},
		{Name: "Labels", JSONName: "labels", Type: &model.Type{Kind: model.Map, Elem: label}, Pos: author(12), Markers: marked("labels")},
		{Name: "Other", JSONName: "other", Type: other, Pos: author(13), Markers: marked("other")},
	}}
	o := &model.Object{Name: "Thing", Pos: author(1), Type: &model.Type{
		Kind: model.Struct, Name: "Thing", Local: true, Markers: marked("kind"),
		Fields: []*model.Field{{Name: "Spec", JSONName: "spec", Type: spec, Pos: author(2), Markers: marked("spec")}},
	}}
	s := &apiextensionsv1.JSONSchemaProps{}
	err := yaml.UnmarshalStrict([]byte(kindSchema), s)
	expect.Must(t, err == nil, "%v", err)
	return o, s
}

// pathOf returns the path that [Path.String] writes, of names that are not quoted.
func pathOf(text string) schema.Path {
	var path schema.Path
	for _, name := range strings.Split(strings.TrimPrefix(text, "."), ".") {
		name, isList := strings.CutSuffix(name, "[]")
		name, isMap := strings.CutSuffix(name, "{}")
		if name != "" {
			path = append(path, schema.Step{Name: name})
		}
		if isList {
			path = append(path, schema.Step{Kind: schema.Items})
		}
		if isMap {
			path = append(path, schema.Step{Kind: schema.Values})
		}
	}
	return path
}

// TestCursor holds what a cursor knows of a value: its schema, its Go type and field, where
// the author declares it, with which markers, and whether it is always there.
func TestCursor(t *testing.T) {
	o, s := thing(t)
	for _, test := range []struct {
		path string
		// schema is the type in the schema, and goType and field are names, each "" if
		// there is none.
		schema, goType, field string
		line                  int
		markers               string
		always                bool
	}{
		{".", "object", "Thing", "", 1, "kind", true},
		{".spec", "object", "Spec", "Spec", 2, "spec specType inline", true},
		{".spec.size", "string", "string", "Size", 30, "", true},
		{".spec.rules", "array", "pointer", "Rules", 11, "rules", false},
		{".spec.rules[]", "object", "pointer", "", 11, "rule rules", true},
		{".spec.rules[].port", "string", "string", "Port", 20, "port", true},
		{".spec.rules[].rules[]", "object", "Rule", "", 21, "rule", true},
		{".spec.labels{}", "string", "Label", "", 12, "label labels", true},
		{".spec.other", "object", "Other", "Other", 13, "other", true},
		{".spec.other.name", "string", "string", "Name", 13, "other", false},
		{".spec.other.names[]", "string", "string", "", 13, "other", true},
		{".spec.free", "object", "", "", 2, "spec specType inline", false},
		{".spec.free{}", "array", "", "", 2, "spec specType inline", true},
		{".spec.rules{}", "", "pointer", "", 11, "rule rules", false},
		{".spec.size[]", "", "", "", 30, "", false},
		{".spec.none", "", "", "", 2, "spec specType inline", false},
		{".spec.none.none[]", "", "", "", 2, "spec specType inline", false},
		{".status", "", "", "", 1, "kind", false},
	} {
		c := schema.Root(o, s).Follow(pathOf(test.path))
		expect.Equal(t, test.path, c.Path.String(), "%s: got the path", test.path)
		schema, goType, field := "", "", ""
		if c.Schema != nil {
			schema = c.Schema.Type
		}
		switch {
		case c.Type == nil:
		case c.Type.Kind == model.Pointer:
			goType = "pointer"
		default:
			goType = cmp.Or(c.Type.Name, c.Type.Basic)
		}
		if c.Field != nil {
			field = c.Field.Name
		}
		expect.True(t, schema == test.schema && goType == test.goType && field == test.field, "%s: got the schema %q, the type %q and the field %q", test.path, schema, goType, field)
		expect.True(t, c.Pos == (diag.Position{File: "thing.go", Line: test.line}), "%s: got %v, want line %d", test.path, c.Pos, test.line)
		var markers []string
		for _, m := range c.Markers() {
			markers = append(markers, m.Text)
		}
		expect.Equal(t, test.markers, strings.Join(markers, " "), "%s: got the markers", test.path)
		expect.Equal(t, test.always, c.Always(), "%s: always there", test.path)
	}
}

// TestCursorWay holds that a cursor knows the way to it, which other cursors from there
// don't change.
func TestCursorWay(t *testing.T) {
	o, s := thing(t)
	spec := schema.Root(o, s).Property("spec")
	port, other := spec.Property("rules").Items().Property("port"), spec.Property("other")
	for _, test := range []struct {
		of   schema.Cursor
		want []string
	}{
		{schema.Root(o, s), []string{"."}},
		{port, []string{".", ".spec", ".spec.rules", ".spec.rules[]", ".spec.rules[].port"}},
		{other, []string{".", ".spec", ".spec.other"}},
		{spec.Property("labels").Values(), []string{".", ".spec", ".spec.labels", ".spec.labels{}"}},
	} {
		var way []string
		for _, c := range test.of.Way() {
			way = append(way, c.Path.String())
		}
		expect.Equal(t, test.want, way)
	}
}

// TestElement holds that the schema tells what has elements, and which are the innermost.
func TestElement(t *testing.T) {
	o, s := thing(t)
	for _, test := range []struct{ path, element, innermost string }{
		{".", "", "."},
		{".spec.size", "", ".spec.size"},
		{".spec.none", "", ".spec.none"},
		{".spec.rules", ".spec.rules[]", ".spec.rules[]"},
		{".spec.rules[]", "", ".spec.rules[]"},
		{".spec.rules[].rules", ".spec.rules[].rules[]", ".spec.rules[].rules[]"},
		{".spec.labels", ".spec.labels{}", ".spec.labels{}"},
		{".spec.free", ".spec.free{}", ".spec.free{}[][]"},
		{".spec.free{}", ".spec.free{}[]", ".spec.free{}[][]"},
		{".spec.other.names[]", "", ".spec.other.names[]"},
	} {
		c := schema.Root(o, s).Follow(pathOf(test.path))
		element := ""
		if below, ok := c.Element(); ok {
			element = below.Path.String()
		}
		innermost := c.Innermost().Path.String()
		expect.True(t, element == test.element && innermost == test.innermost, "%s: got %q, and in the end %q", test.path, element, innermost)
	}
}
