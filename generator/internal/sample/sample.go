// Package sample makes values that the API server accepts, from their schema and from
// markers.
package sample

import (
	"context"
	"encoding/json"
	"fmt"
	"math"
	"slices"
	"strings"

	apiextensionsv1 "k8s.io/apiextensions-apiserver/pkg/apis/apiextensions/v1"

	"github.com/mrgen-io/mrgen/generator/internal/apiserver"
	"github.com/mrgen-io/mrgen/generator/internal/diag"
	"github.com/mrgen-io/mrgen/generator/internal/pipeline"
	"github.com/mrgen-io/mrgen/markers"
)

const codeExample diag.Code = "example"

// A Sampler makes values. Where the schema leaves a choice, they have as little in them
// as possible.
type Sampler struct {
	// Wanted reports whether objects have a field that the schema doesn't require. They
	// have no field that has a default.
	Wanted func(pipeline.Place) bool
	// AnyText takes a text that the schema may refuse where no other is known.
	AnyText bool
	// Problems are values that can't be made, at the fields or markers that cause it.
	Problems diag.List
}

// Object returns an object of a version of a kind.
func (s *Sampler) Object(ctx context.Context, d pipeline.Definition, version int) map[string]any {
	metadata := map[string]any{"name": "example"}
	if d.CRD.Spec.Scope == apiextensionsv1.NamespaceScoped {
		metadata["namespace"] = "default"
	}
	spec, _ := s.value(ctx, d.Place(version).Property("spec")).(map[string]any)
	if spec == nil {
		spec = map[string]any{}
	}
	return map[string]any{
		"apiVersion": d.CRD.Spec.Group + "/" + d.CRD.Spec.Versions[version].Name,
		"kind":       d.CRD.Spec.Names.Kind,
		"metadata":   metadata,
		"spec":       spec,
	}
}

// ObservePolicy returns the field of spec that has a resource only observed, and its
// value; "" if there is none.
func ObservePolicy(root *apiextensionsv1.JSONSchemaProps) (name string, value any) {
	properties := root.Properties["spec"].Properties
	if _, ok := properties["managementPolicies"]; ok {
		return "managementPolicies", []any{"Observe"}
	}
	// Crossplane 1.11 had a single policy.
	if _, ok := properties["managementPolicy"]; ok {
		return "managementPolicy", "ObserveOnly"
	}
	return "", nil
}

// value returns a value for a place, nil if there is none to give.
func (s *Sampler) value(ctx context.Context, p pipeline.Place) any {
	if given, found := s.Given(p); found {
		return given
	}
	schema := p.Schema
	switch {
	case len(schema.Enum) > 0:
		return decode(schema.Enum[0].Raw)
	case schema.XIntOrString:
		return int64(1)
	}
	switch schema.Type {
	case "object":
		return s.fields(ctx, p)
	case "array":
		return s.items(ctx, p)
	case "boolean":
		return true
	case "integer", "number":
		return number(schema)
	case "string":
		return s.text(ctx, p)
	default:
		return map[string]any{}
	}
}

// Given returns the value that a marker or the schema gives as an example.
func (s *Sampler) Given(p pipeline.Place) (any, bool) {
	if p.Field != nil {
		for _, m := range p.Field.Markers {
			if m.Value == nil || m.Value.Definition.Name != markers.Example {
				continue
			}
			text := m.Value.Text("")
			if p.Schema.Type == "string" {
				return text, true
			}
			value, err := decodeText(text)
			if err != nil {
				s.Problems = append(s.Problems, diag.Errorf(m.Pos, codeExample,
					"the example of a field that is no string must be JSON: %v: write such as 1, true or {\"a\": [1]}", err))
			}
			return value, true
		}
	}
	if p.Schema.Example != nil {
		return decode(p.Schema.Example.Raw), true
	}
	return nil, false
}

// decode decodes JSON that controller-tools has written.
func decode(raw []byte) any {
	value, err := decodeText(string(raw))
	if err != nil {
		return nil
	}
	return value
}

// decodeText decodes JSON, with int64 for whole numbers.
func decodeText(text string) (any, error) {
	decoder := json.NewDecoder(strings.NewReader(text))
	decoder.UseNumber()
	var value any
	if err := decoder.Decode(&value); err != nil {
		return nil, err
	}
	if decoder.More() {
		return nil, fmt.Errorf("something follows the value")
	}
	return wholeNumbers(value), nil
}

func wholeNumbers(value any) any {
	switch v := value.(type) {
	case json.Number:
		if whole, err := v.Int64(); err == nil {
			return whole
		}
		float, err := v.Float64()
		if err != nil {
			return v.String()
		}
		return float
	case []any:
		for i := range v {
			v[i] = wholeNumbers(v[i])
		}
	case map[string]any:
		for key := range v {
			v[key] = wholeNumbers(v[key])
		}
	}
	return value
}

// fields returns the fields of an object that are wanted, or required without a default.
func (s *Sampler) fields(ctx context.Context, p pipeline.Place) any {
	object := map[string]any{}
	names := slices.Clone(p.Schema.Required)
	for name := range p.Schema.Properties {
		if !slices.Contains(names, name) && s.Wanted(p.Property(name)) {
			names = append(names, name)
		}
	}
	for _, name := range names {
		below := p.Property(name)
		// That forProvider may be left out is for resources that are only observed.
		if below.Schema == nil || below.Schema.Default != nil && below.Path.String() != ".spec.forProvider" {
			continue
		}
		if value := s.value(ctx, below); value != nil {
			object[name] = value
		}
	}
	if values := p.Schema.AdditionalProperties; values != nil && values.Schema != nil && len(p.Path) > 0 {
		object["example"] = s.value(ctx, p.Element(apiserver.Values))
	}
	return object
}

func (s *Sampler) items(ctx context.Context, p pipeline.Place) any {
	if p.Schema.MaxItems != nil && *p.Schema.MaxItems == 0 {
		return []any{}
	}
	return []any{s.value(ctx, p.Element(apiserver.Items))}
}

// number returns the smallest number that is allowed, but at least 1 if that is.
func number(schema *apiextensionsv1.JSONSchemaProps) any {
	n := 1.0
	if schema.Minimum != nil && *schema.Minimum > n {
		n = *schema.Minimum
		if schema.ExclusiveMinimum {
			n++
		}
	}
	if schema.Maximum != nil && n > *schema.Maximum {
		n = *schema.Maximum
		if schema.ExclusiveMaximum {
			n--
		}
	}
	if m := schema.MultipleOf; m != nil && *m > 0 {
		n = math.Ceil(n / *m) * *m
	}
	if schema.Type == "integer" {
		return int64(math.Ceil(n))
	}
	return n
}

// texts are tried for strings, in this order. Formats and patterns are met by some.
var texts = []string{
	"example", "a", "1", "Example", "EXAMPLE", "1Gi", "1.0", "v1", "10.0.0.0/16", "10.0.0.1", "00:00:5e:00:53:01", "2001:db8::1", "2001:db8::/32",
	"2026-01-01T00:00:00Z", "2026-01-01", "1h", "example.org", "https://example.org", "someone@example.org",
	"00000000-0000-0000-0000-000000000000", "ZXhhbXBsZQ==", "arn:aws:iam::123456789012:role/example", "example-1a",
}

// text returns a text that the schema accepts. If there is none, its author has to
// give one.
func (s *Sampler) text(ctx context.Context, p pipeline.Place) any {
	candidates := texts
	if n := p.Schema.MinLength; n != nil {
		candidates = append(slices.Clone(texts), strings.Repeat("x", int(min(*n, 1000))))
	}
	for _, text := range candidates {
		if apiserver.Accepts(ctx, p.Schema, text) {
			return text
		}
	}
	if s.AnyText {
		return texts[0]
	}
	s.Problems = append(s.Problems, diag.Errorf(p.Pos, codeExample,
		"mrgen knows no example for %s: add a marker with one, as in +%s=value", p.Path, markers.Example))
	return nil
}
