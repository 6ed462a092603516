package crd

import (
	"reflect"
	"slices"
	"strings"
	"sync"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/client-go/util/jsonpath"

	"github.com/mrgen-io/mrgen/generator/diag"
	"github.com/mrgen-io/mrgen/generator/internal/crdvalidation"
	"github.com/mrgen-io/mrgen/generator/internal/model"
	"github.com/mrgen-io/mrgen/generator/internal/schema"
	"github.com/mrgen-io/mrgen/generator/internal/stage"
	"github.com/mrgen-io/mrgen/markers"
)

// columnTypes are the types of values that columns of a type show: see cellForJSONValue in
// pkg/registry/customresource/tableconvertor of the API server. A column of strings shows everything.
var columnTypes = map[string][]string{
	"integer": {"integer", "number"}, "number": {"integer", "number"}, "boolean": {"boolean"}, "date": {"date-time"},
}

// checkPaths reports the paths of columns and of the scale that the API server accepts, and that lead to nothing, or to
// values that it can't show or count. It also reports a required status, which no new object has.
func checkPaths(d stage.Definition) diag.List {
	var diags diag.List
	for i, version := range d.CRD.Spec.Versions {
		root := d.Root(i)
		if hasStatus := version.Subresources != nil && version.Subresources.Status != nil; hasStatus && slices.Contains(root.Schema.Required, "status") {
			diags = append(diags, diag.Errorf(root.Property("status").Pos, codeMarker,
				"status is required, and the API server drops it from new objects, which it then refuses: mark it +%s", markers.Optional))
		}
		for n, column := range version.AdditionalPrinterColumns {
			if !strings.HasPrefix(column.JSONPath, ".") {
				continue // the API server refuses it
			}
			pos := nthMarker(root.Markers(), "printcolumn", n)
			// As in the API server's pkg/registry/customresource/tableconvertor.
			if err := jsonpath.New(column.Name).Parse("{" + column.JSONPath + "}"); err != nil {
				diags = append(diags, diag.Errorf(pos, codeMarker,
					"the path of the column %s can't be read, and so kubectl shows no column at all: %s: correct it", column.Name, err))
			} else if why := unfit(root, column.JSONPath, columnTypes[column.Type]...); why == noTime {
				diags = append(diags, diag.Warningf(pos, codeMarker,
					"the column %s shows <invalid> for texts that aren't times: add +%s=date-time to %s, or correct the type",
					column.Name, markers.Format, column.JSONPath))
			} else if why != "" {
				diags = append(diags, diag.Warningf(pos, codeMarker,
					"the column %s is always empty, since %s %s: correct its path or type", column.Name, column.JSONPath, why))
			} else if strings.Contains(column.JSONPath, "[*]") {
				diags = append(diags, diag.Warningf(pos, codeMarker,
					"the column %s shows the first of several values alone: write [0] for [*], or select one by a filter", column.Name))
			}
		}
		if version.Subresources == nil || version.Subresources.Scale == nil {
			continue
		}
		pos := locate(d, crdvalidation.ValidationError{Version: version.Name, Rule: -1, Field: "scale"})
		// See scaleFromCustomResource in the API server's pkg/registry/customresource.
		scale := version.Subresources.Scale
		for _, path := range []string{scale.SpecReplicasPath, scale.StatusReplicasPath} {
			if why := unfit(root, path, "integer"); why != "" {
				diags = append(diags, diag.Errorf(pos, codeMarker, "the scale subresource never works, since %s %s: correct its path", path, why))
			} else if path == scale.SpecReplicasPath && isOptional(root, path) {
				diags = append(diags, diag.Warningf(pos, codeMarker,
					"the scale subresource fails where %s is unset: give it, and objects around it, a default, or make them required", path))
			}
		}
		if selector := scale.LabelSelectorPath; selector != nil {
			if why := unfit(root, *selector, "string"); why != "" {
				diags = append(diags, diag.Errorf(pos, codeMarker,
					"the scale subresource never works, since its selector %s %s: name a string in status that has the selector as text", *selector, why))
			}
		}
	}
	return diags
}

// noTime is why a text doesn't fit a column of times.
const noTime = "has no format date-time"

// isOptional reports whether objects may lack the value that a path of names leads to.
func isOptional(root schema.Cursor, path string) bool {
	at := root.Follow(schema.Properties(strings.Split(strings.Trim(path, "."), ".")...))
	return at.Schema != nil && slices.ContainsFunc(at.Way(), func(at schema.Cursor) bool { return !at.Always() })
}

// unfit says why a path leads to no value of the types, or returns "". All types fit if there are none.
func unfit(root schema.Cursor, path string, types ...string) string {
	parsed, err := jsonpath.Parse("", "{"+path+"}")
	if err != nil {
		return "" // reported elsewhere
	}
	at, why := along(root, parsed.Root)
	if why != "" || at.Schema == nil {
		return why
	}
	isText := at.Schema.Type == "string" && slices.Contains(types, "date-time")
	isWrittenAsText := at.Type != nil && at.Type.Deref().Encoding() == model.Quantity
	switch {
	case isText && at.Schema.Format != "date-time":
		return noTime
	case isText, at.Schema.Type == "" && !isWrittenAsText, len(types) == 0, slices.Contains(types, at.Schema.Type):
		return ""
	}
	return "isn't of type " + types[0]
}

// along follows a path as the API server does, or says why it leads to nothing. It returns no schema if the path leads to
// several values, or to values without a schema.
func along(at schema.Cursor, path *jsonpath.ListNode) (end schema.Cursor, why string) {
	for _, node := range path.Nodes {
		if s := at.Schema; s.Type == "" || s.AdditionalProperties != nil && s.AdditionalProperties.Schema == nil || schema.KeepsUnknown(s) {
			return schema.Cursor{}, ""
		}
		switch node := node.(type) {
		case *jsonpath.ListNode:
			if at, why = along(at, node); why != "" || at.Schema == nil {
				return at, why
			}
		case *jsonpath.FieldNode:
			below := at.Property(node.Value)
			switch {
			case len(at.Path) == 0 && node.Value == "metadata":
				below.Schema, below.Type = metadata(), nil
			case at.Schema.AdditionalProperties != nil:
				below = at.Values()
			}
			switch isValue := len(at.Path) > 0 && at.Path[len(at.Path)-1].Kind == schema.Values; {
			case below.Schema == nil && isValue:
				return below, "leads to no field, as dots in keys need backslashes"
			case below.Schema == nil:
				return below, "leads to no field"
			}
			at = below
		case *jsonpath.ArrayNode:
			if at.Schema.Type != "array" {
				return at, "has an index for what isn't a list"
			}
			at = at.Items()
		case *jsonpath.FilterNode:
			if at.Schema.Type != "array" {
				return at, "filters what isn't a list"
			}
			at = at.Items()
			if _, why := along(at, node.Left); why != "" {
				return at, "has a filter that " + why
			}
			if bare := slices.IndexFunc(node.Right.Nodes, isBare); bare >= 0 {
				return at, "compares with a text without quotes"
			}
		default:
			return schema.Cursor{}, ""
		}
	}
	return at, ""
}

// metadata returns the schema of the metadata of each object. A definition doesn't have it.
var metadata = sync.OnceValue(func() *schema.Props { return formOf(reflect.TypeFor[metav1.ObjectMeta]()) })

// formOf returns the schema of the values that encoding/json writes for a type of metadata.
func formOf(t reflect.Type) *schema.Props {
	kinds := map[reflect.Kind]string{
		reflect.Struct: "object", reflect.Map: "object", reflect.Slice: "array", reflect.String: "string", reflect.Bool: "boolean", reflect.Int64: "integer",
	}
	s := &schema.Props{Type: kinds[t.Kind()]}
	switch {
	case t == reflect.TypeFor[metav1.Time]():
		return &schema.Props{Type: "string", Format: "date-time"}
	case t == reflect.TypeFor[metav1.FieldsV1]():
		return &schema.Props{}
	case t.Kind() == reflect.Pointer:
		return formOf(t.Elem())
	case t.Kind() == reflect.Slice:
		schema.Put(s, schema.Step{Kind: schema.Items}, formOf(t.Elem()))
	case t.Kind() == reflect.Map:
		schema.Put(s, schema.Step{Kind: schema.Values}, formOf(t.Elem()))
	case t.Kind() == reflect.Struct:
		for _, f := range reflect.VisibleFields(t) {
			name, _, _ := strings.Cut(f.Tag.Get("json"), ",")
			schema.Put(s, schema.Step{Name: name}, formOf(f.Type))
		}
	}
	return s
}

// isBare reports whether a part of a path is a name that stands for nothing.
func isBare(node jsonpath.Node) bool {
	list, isList := node.(*jsonpath.ListNode)
	return node.Type() == jsonpath.NodeIdentifier || isList && slices.ContainsFunc(list.Nodes, isBare)
}
