package crd

import (
	"encoding/json"
	"reflect"
	"slices"
	"testing"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/client-go/util/jsonpath"

	"github.com/mrgen-io/mrgen/generator/internal/schema"
	"github.com/mrgen-io/mrgen/testdata/expect"
)

// TestPathsIntoMetadata follows paths in an object with all metadata as the API server does for a column: a path has a problem if and
// only if it finds nothing.
func TestPathsIntoMetadata(t *testing.T) {
	var metadata metav1.ObjectMeta
	fill(reflect.ValueOf(&metadata).Elem())
	metadata.Labels = map[string]string{"app": "a", "example.org/name": "b"}
	encoded := expect.Value(json.Marshal(map[string]any{"metadata": metadata}))(t)
	var object map[string]any
	expect.NoError(t, json.Unmarshal(encoded, &object))
	paths := []string{
		".metadata.creationTimestamp", ".metadata.creationTimstamp", ".metadata.labels.app", ".metadata.labels.app.name",
		".metadata.labels.example.org/name", `.metadata.labels.example\.org/name`, ".metadata.labels['example.org/name']", `.metadata.labels['example\.org/name']`,
		".metadata.ownerReferences[0].name", ".metadata.ownerReferences[0].nam", ".metadata.ownerReferences.name",
		".metadata.ownerReferences[?(@.controller==true)].kind", ".metadata.managedFields[0].time", ".metadata.managedFields[0].time.seconds",
		".metadata.managedFields[0].fieldsV1.f:spec", ".metadata.finalizers[0]", ".metadata.generation.value", ".metadata.deletionGracePeriodSeconds",
	}
	for name := range object["metadata"].(map[string]any) {
		paths = append(paths, ".metadata."+name)
	}
	slices.Sort(paths)
	for _, path := range paths {
		found := jsonpath.New("column").AllowMissingKeys(true)
		if err := found.Parse("{" + path + "}"); err != nil {
			t.Fatal(path, err)
		}
		results, err := found.FindResults(object)
		isEmpty := err != nil || len(results) == 0 || len(results[0]) == 0
		why := unfit(schema.Cursor{Schema: &schema.Props{Type: "object"}}, path)
		expect.True(t, isEmpty == (why != ""), "%s: found nothing: %t, problem: %q", path, isEmpty, why)
	}
}

// fill sets each part of a value.
func fill(v reflect.Value) {
	switch v.Kind() {
	case reflect.Pointer:
		v.Set(reflect.New(v.Type().Elem()))
		fill(v.Elem())
	case reflect.Struct:
		if now, isTime := v.Addr().Interface().(*metav1.Time); isTime {
			*now = metav1.Unix(1, 0)
			return
		} else if fields, isFields := v.Addr().Interface().(*metav1.FieldsV1); isFields {
			fields.Raw = []byte(`{"f:spec":{}}`)
			return
		}
		for i := range v.NumField() {
			fill(v.Field(i))
		}
	case reflect.Slice:
		v.Set(reflect.MakeSlice(v.Type(), 1, 1))
		fill(v.Index(0))
	case reflect.Map:
		v.Set(reflect.ValueOf(map[string]string{"key": "value"}))
	case reflect.String:
		v.SetString("text")
	case reflect.Bool:
		v.SetBool(true)
	case reflect.Int64:
		v.SetInt(1)
	}
}
