package connection_test

import (
	"testing"

	"github.com/mrgen-io/mrgen/generator/diag"
	"github.com/mrgen-io/mrgen/generator/internal/connection"
	"github.com/mrgen-io/mrgen/generator/internal/model"
	"github.com/mrgen-io/mrgen/markers"
	"github.com/mrgen-io/mrgen/testdata/expect"
)

// at is a position in the file that the tests are about.
func at(line int) diag.Position { return diag.Position{File: "types.go", Line: line, Column: 4} }

// marked returns a marker on a line.
func marked(t *testing.T, line int, text string) model.Marker {
	t.Helper()
	value, problem := markers.Parse(text)
	if problem != nil {
		t.Fatalf("%s: %s", text, problem.Message)
	}
	return model.Marker{Text: text, Pos: at(line), Value: value}
}

// version returns a version of a kind with markers and fields of status.atProvider.
func version(kind []model.Marker, observed ...*model.Field) *model.Object {
	observation := &model.Type{Kind: model.Struct, Name: "Observation", Fields: observed}
	status := &model.Type{Kind: model.Struct, Fields: []*model.Field{{Name: "AtProvider", JSONName: "atProvider", Type: observation}}}
	return &model.Object{
		Name: "Database", Type: &model.Type{Kind: model.Struct, Name: "Database", Markers: kind},
		Status: &model.Field{Name: "Status", JSONName: "status", Type: status},
	}
}

var text = &model.Type{Kind: model.Pointer, Elem: &model.Type{Kind: model.Basic, Basic: "string", Name: "string"}}

func TestDetails(t *testing.T) {
	field := func(name, doc string, m ...model.Marker) *model.Field {
		return &model.Field{Name: "Endpoint", JSONName: name, Doc: doc, Type: text, Markers: m}
	}
	recursive := &model.Type{Kind: model.Struct, Name: "Node"}
	recursive.Fields = []*model.Field{
		{Name: "Next", JSONName: "next", Type: &model.Type{Kind: model.Pointer, Elem: recursive}},
		field("host", "Host of the node.", marked(t, 50, "mrgen:connectionDetail")),
	}
	for _, test := range []struct {
		name    string
		objects []*model.Object
		want    []connection.Detail
		diags   []string
	}{
		{name: "none", objects: []*model.Object{version(nil, field("endpoint", "Where it is."))}},
		{name: "no status", objects: []*model.Object{{Name: "Database", Type: &model.Type{Kind: model.Struct}}}},
		{
			name: "a kind, sorted",
			objects: []*model.Object{version([]model.Marker{
				marked(t, 1, `mrgen:connectionDetail:name=username,description="The user."`),
				marked(t, 2, "kubebuilder:object:root=true"),
				marked(t, 3, `mrgen:connectionDetail:pattern=key.*,description="The keys."`),
				marked(t, 4, `mrgen:connectionDetail:name=password,description="Its password."`),
				marked(t, 5, "mrgen:state=Active"),
			})},
			want: []connection.Detail{
				{Name: "key.*", Description: "The keys.", Pos: at(3)},
				{Name: "password", Description: "Its password.", Pos: at(4)},
				{Name: "username", Description: "The user.", Pos: at(1)},
			},
		},
		{
			name: "fields",
			objects: []*model.Object{version(nil,
				field("endpoint", "Where it is.\nIn\tmany\n\nlines.", marked(t, 1, "mrgen:connectionDetail")),
				field("address", "Unused.", marked(t, 2, "mrgen:connectionDetail:name=ip,description=IP")),
				field("outputs", "All outputs.", marked(t, 3, "mrgen:connectionDetail:pattern=*")),
			)},
			want: []connection.Detail{
				{Name: "*", Description: "All outputs.", Pos: at(3)},
				{Name: "endpoint", Description: "Where it is. In many lines.", Pos: at(1)},
				{Name: "ip", Description: "IP", Pos: at(2)},
			},
		},
		{
			name:    "nested and recursive",
			objects: []*model.Object{version(nil, &model.Field{Name: "Nodes", JSONName: "nodes", Type: &model.Type{Kind: model.Slice, Elem: recursive}})},
			want:    []connection.Detail{{Name: "host", Description: "Host of the node.", Pos: at(50)}},
		},
		{
			name: "versions share a secret",
			objects: []*model.Object{
				version([]model.Marker{marked(t, 1, "mrgen:connectionDetail:name=port,description=Port")}),
				version([]model.Marker{
					marked(t, 11, "mrgen:connectionDetail:name=port,description=Port"),
					marked(t, 12, "mrgen:connectionDetail:name=host,description=Host"),
				}),
			},
			want: []connection.Detail{{Name: "host", Description: "Host", Pos: at(12)}, {Name: "port", Description: "Port", Pos: at(1)}},
		},
		{
			name: "two descriptions, of a kind and a field",
			objects: []*model.Object{version(
				[]model.Marker{marked(t, 9, "mrgen:connectionDetail:name=endpoint,description=Host")},
				field("endpoint", "Where it is.", marked(t, 1, "mrgen:connectionDetail")),
			)},
			want:  []connection.Detail{{Name: "endpoint", Description: "Host", Pos: at(9)}},
			diags: []string{`types.go:1:4: the key "endpoint" has the description "Where it is." here and "Host" at types.go:9:4: keep one of them`},
		},
		{
			name: "two descriptions, of versions",
			objects: []*model.Object{
				version([]model.Marker{marked(t, 1, "mrgen:connectionDetail:pattern=a*,description=One")}),
				version([]model.Marker{marked(t, 2, "mrgen:connectionDetail:pattern=a*,description=Other")}),
			},
			want:  []connection.Detail{{Name: "a*", Description: "One", Pos: at(1)}},
			diags: []string{`types.go:2:4: the key "a*" has the description "Other" here and "One" at types.go:1:4: keep one of them`},
		},
		{
			name: "no comment", objects: []*model.Object{version(nil, field("endpoint", " \n", marked(t, 1, "mrgen:connectionDetail")))},
			diags: []string{`types.go:1:4: nothing describes the key "endpoint": write a comment for Endpoint, or add a description to the marker`},
		},
		{
			name: "a JSON name that is no key", objects: []*model.Object{version(nil, field("end/point", "Where it is.", marked(t, 1, "mrgen:connectionDetail")))},
			diags: []string{`types.go:1:4: the JSON name of Endpoint, "end/point", can't be the key of a Secret: name the key, as in +mrgen:connectionDetail:name=password`},
		},
		{
			name: "no JSON name", objects: []*model.Object{version(nil, field("", "Where it is.", marked(t, 1, "mrgen:connectionDetail")))},
			diags: []string{`types.go:1:4: the JSON name of Endpoint, "", can't be the key of a Secret: name the key, as in +mrgen:connectionDetail:name=password`},
		},
	} {
		t.Run(test.name, func(t *testing.T) {
			got, diags := connection.Details(test.objects)
			expect.Equal(t, test.want, got, "details")
			expect.Equal(t, test.diags, expect.Strings(diags), "diagnostics")
		})
	}
}

func TestIsPattern(t *testing.T) {
	for name, want := range map[string]bool{"password": false, "key.*": true, "*": true} {
		expect.Equal(t, want, (connection.Detail{Name: name}).IsPattern(), "%s", name)
	}
}
