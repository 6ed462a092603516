// Package size measures definitions, in bytes of JSON, which is what the API server stores and
// kubectl apply copies to an annotation.
package size

import (
	"cmp"
	"encoding/json"
	"slices"

	apiextensionsv1 "k8s.io/apiextensions-apiserver/pkg/apis/apiextensions/v1"

	"github.com/mrgen-io/mrgen/generator/internal/schema"
)

// Stored is how many bytes of a definition etcd takes: requests of 1.5 MiB by default, see
// https://etcd.io/docs/latest/dev-guide/limit/, less what the API server adds. A definition that only just fits
// can't be deleted any more, since a condition and a deletion timestamp are added first.
const Stored = 1_560_000

// Of returns the size of a definition, as far as it matters: what is certainly smaller than enough is
// not measured, since to write all of it takes a while, and is 0.
func Of(crd *apiextensionsv1.CustomResourceDefinition, enough int) int {
	atMost := 0
	for _, v := range crd.Spec.Versions {
		if v.Schema != nil {
			atMost += bound(v.Schema.OpenAPIV3Schema)
		}
	}
	const escaped = 3 // what JSON escapes, with six bytes for one, takes so many times what bound expects
	if atMost < min(enough, Stored/escaped) {
		return 0
	}
	return bytesOf(struct {
		APIVersion string                                       `json:"apiVersion"`
		Kind       string                                       `json:"kind"`
		Metadata   map[string]any                               `json:"metadata"`
		Spec       apiextensionsv1.CustomResourceDefinitionSpec `json:"spec"`
	}{
		"apiextensions.k8s.io/v1", "CustomResourceDefinition",
		map[string]any{"name": crd.Name, "annotations": crd.Annotations, "labels": crd.Labels}, crd.Spec,
	})
}

func bytesOf(value any) int {
	content, err := json.Marshal(value)
	if err != nil {
		return 0 // which the API server's validation reports
	}
	return len(content)
}

// bound returns more than a schema takes in JSON, unless its texts are full of what JSON escapes.
func bound(s *schema.Props) int {
	if s == nil {
		return 0
	}
	const names = 400 // for the names of keywords, which the compact form abbreviates
	return 2*s.Size() + names*count(s)
}

// count returns the number of schemas and rules in a schema.
func count(s *schema.Props) int {
	n := 1 + len(s.XValidations)
	schema.Each(s, func(_ schema.Step, below *schema.Props) bool {
		n += count(below)
		return false
	})
	return n
}

// A Field is a field with its size in a schema, including nested fields.
type Field struct {
	At    schema.Cursor
	Bytes int
}

// most is the share of a schema, in percent, from which a field is divided into its nested fields.
const most = 25

// Fattest returns the fields that take the most of a version, the largest first. Those that take more
// than a quarter are divided, so that the fields say where to look.
func Fattest(root schema.Cursor, n int) []Field {
	total := bytesOf(root.Schema)
	fields := children(root)
	for {
		slices.SortStableFunc(fields, func(a, b Field) int { return cmp.Compare(b.Bytes, a.Bytes) })
		i := slices.IndexFunc(fields, func(f Field) bool { return f.Bytes*100 > total*most && len(children(f.At)) > 0 })
		if i < 0 {
			return fields[:min(n, len(fields))]
		}
		below := children(fields[i].At)
		fields = append(slices.Delete(fields, i, i+1), below...)
	}
}

// children returns the fields right below a value, or below the elements of a list or map.
func children(at schema.Cursor) []Field {
	at = at.Innermost()
	var fields []Field
	for name, below := range at.Properties() {
		fields = append(fields, Field{below, bytesOf(below.Schema) + len(name) + 4})
	}
	return fields
}
