package mrd

import (
	"strings"
	"testing"

	apiextensionsv1 "k8s.io/apiextensions-apiserver/pkg/apis/apiextensions/v1"

	"github.com/mrgen-io/mrgen/generator/diag"
	"github.com/mrgen-io/mrgen/generator/internal/connection"
	"github.com/mrgen-io/mrgen/generator/internal/model"
	"github.com/mrgen-io/mrgen/generator/internal/stage"
	"github.com/mrgen-io/mrgen/markers"
	"github.com/mrgen-io/mrgen/testdata/expect"
)

// definition returns that of a kind with one version for each list of markers.
func definition(t *testing.T, versions ...string) stage.Definition {
	t.Helper()
	d := stage.Definition{CRD: &apiextensionsv1.CustomResourceDefinition{
		Spec: apiextensionsv1.CustomResourceDefinitionSpec{Group: "example.org", Names: apiextensionsv1.CustomResourceDefinitionNames{Kind: "Bucket", Plural: "buckets"}},
	}}
	d.CRD.Name = "buckets.example.org"
	for i, text := range versions {
		o := &model.Object{Name: "Bucket", Package: &model.Package{Dir: "apis"}, Type: &model.Type{}, Pos: diag.Position{File: "bucket.go", Line: 9, Column: 6}}
		if text != "" {
			value, err := markers.Parse(text)
			expect.Must(t, err == nil && value != nil, "%s: %v", text, err)
			o.Type.Markers = []model.Marker{{Text: text, Value: value, Pos: diag.Position{File: "bucket.go", Line: i + 1, Column: 4}}}
		}
		d.Objects = append(d.Objects, o)
	}
	return d
}

// TestState has kinds whose versions say what state their MRD has at first.
func TestState(t *testing.T) {
	const active, inactive = "mrgen:state=Active", "mrgen:state=Inactive"
	for _, test := range []struct {
		versions []string
		want     string
		problem  string
	}{
		{[]string{""}, "Inactive", ""},
		{[]string{active}, "Active", ""},
		{[]string{"", active}, "Active", ""},
		{[]string{active, active}, "Active", ""},
		{[]string{active, inactive}, "Inactive", "bucket.go:2:4: Bucket is Active in another version: its MRD has one state for all"},
	} {
		content, problems := write(definition(t, test.versions...))
		expect.True(t, strings.Contains(string(content), "\n  state: "+test.want+"\n"), "%v: the MRD has not the state %s:\n%s", test.versions, test.want, content)
		got := expect.Strings(problems)
		expect.True(t, strings.Join(got, "\n") == test.problem, "%v: problems %q, want %q", test.versions, got, test.problem)
	}
}

// TestConnectionDetails has a kind that documents the keys of its connection secret.
func TestConnectionDetails(t *testing.T) {
	d := definition(t, "")
	d.ConnectionDetails = []connection.Detail{{Name: "endpoint", Description: "Where the bucket is."}, {Name: "token", Description: "What opens it."}}
	content, problems := write(d)
	const want = "  connectionDetails:\n  - description: Where the bucket is.\n    name: endpoint\n  - description: What opens it.\n    name: token\n"
	expect.True(t, len(problems) == 0 && strings.Contains(string(content), want), "got %v and\n%s\nwant\n%s", problems, content, want)
}

// TestNotWritten has a definition that no YAML can hold.
func TestNotWritten(t *testing.T) {
	d := definition(t, "")
	d.CRD.Spec.Versions = []apiextensionsv1.CustomResourceDefinitionVersion{{
		Name:   "v1",
		Schema: &apiextensionsv1.CustomResourceValidation{OpenAPIV3Schema: &apiextensionsv1.JSONSchemaProps{Default: &apiextensionsv1.JSON{Raw: []byte("{")}}},
	}}
	content, problems := write(d)
	if content != nil || len(problems) != 1 || !strings.HasPrefix(problems[0].String(), "bucket.go:9:6: Bucket can't be written as YAML: ") {
		t.Errorf("got %v and\n%s\nwant an error at the kind, and no file", problems, content)
	}
}
