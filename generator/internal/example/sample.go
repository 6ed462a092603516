package example

import (
	"context"
	"encoding/json"
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"

	apiextensionsv1 "k8s.io/apiextensions-apiserver/pkg/apis/apiextensions/v1"

	"github.com/mrgen-io/mrgen/generator/internal/apiserver"
	"github.com/mrgen-io/mrgen/generator/internal/diag"
	"github.com/mrgen-io/mrgen/generator/internal/pipeline"
)

// A sampler makes an object of one version of a kind.
type sampler struct {
	ctx         context.Context
	definition  pipeline.Definition
	version     int
	observeOnly bool
	// withExamples tells whether the object has all fields that have an example.
	withExamples bool
	diags        diag.List
}

// object returns the object. Where the schema leaves a choice, it has as little as
// possible.
func (s *sampler) object() map[string]any {
	crd := s.definition.CRD
	metadata := map[string]any{"name": "example"}
	if crd.Spec.Scope == apiextensionsv1.NamespaceScoped {
		metadata["namespace"] = "default"
	}
	spec, _ := s.value(s.definition.Place(s.version).Property("spec")).(map[string]any)
	if spec == nil {
		spec = map[string]any{}
	}
	if s.observeOnly {
		metadata["name"] = "example-observed"
		metadata["annotations"] = map[string]any{externalName: "example"}
		name, only := observePolicy(s.definition.Place(s.version).Schema)
		spec[name] = only
	}
	return map[string]any{
		"apiVersion": crd.Spec.Group + "/" + crd.Spec.Versions[s.version].Name,
		"kind":       crd.Spec.Names.Kind,
		"metadata":   metadata,
		"spec":       spec,
	}
}

// observePolicy returns the field of spec that has a resource only observed, and its
// value; "" if there is none.
func observePolicy(root *apiextensionsv1.JSONSchemaProps) (name string, value any) {
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

// declaration returns where the field with a path below p is declared, or the nearest one
// above it.
func declaration(p pipeline.Place, names []string) diag.Position {
	for _, name := range names {
		name, index, isElement := strings.Cut(name, "[")
		if p.Schema == nil {
			break
		}
		p = p.Property(name)
		if isElement && p.Schema != nil {
			kind := apiserver.Items
			if _, err := strconv.Atoi(strings.TrimSuffix(index, "]")); err != nil {
				kind = apiserver.Values
			}
			p = p.Element(kind)
		}
	}
	return p.Pos
}

// value returns a value for a place, nil if there is none to give.
func (s *sampler) value(p pipeline.Place) any {
	if given, found := s.given(p); found {
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
		return s.fields(p)
	case "array":
		return s.items(p)
	case "boolean":
		return true
	case "integer", "number":
		return number(schema)
	case "string":
		return s.text(p)
	default:
		return map[string]any{}
	}
}

// given returns the value that a marker or the schema gives as an example.
func (s *sampler) given(p pipeline.Place) (any, bool) {
	if p.Field != nil {
		for _, m := range p.Field.Markers {
			if m.Value == nil || m.Value.Definition.Name != marker {
				continue
			}
			text := m.Value.Text("")
			if p.Schema.Type == "string" {
				return text, true
			}
			value, err := decodeText(text)
			if err != nil {
				s.diags = append(s.diags, diag.Errorf(m.Pos, codeExample,
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

// fields returns the fields of an object that an example needs: what is required and
// has no default, what a rule requires, and what has an example.
func (s *sampler) fields(p pipeline.Place) any {
	object := map[string]any{}
	names := slices.Clone(p.Schema.Required)
	for name := range p.Schema.Properties {
		below := p.Property(name)
		isWanted := below.Path.String() == ".spec.forProvider"
		if s.withExamples {
			_, isGiven := s.given(below)
			isWanted = isWanted || isGiven && below.Field != nil && inParameters(below.Path)
		}
		isWanted = isWanted || !s.observeOnly && s.isRelaxed(below.Path)
		if isWanted && !slices.Contains(names, name) {
			names = append(names, name)
		}
	}
	for _, name := range names {
		below := p.Property(name)
		// That forProvider may be left out is for resources that are only observed.
		if below.Schema == nil || below.Schema.Default != nil && below.Path.String() != ".spec.forProvider" {
			continue
		}
		if value := s.value(below); value != nil {
			object[name] = value
		}
	}
	if values := p.Schema.AdditionalProperties; values != nil && values.Schema != nil && len(p.Path) > 0 {
		object["example"] = s.value(p.Element(apiserver.Values))
	}
	return object
}

// inParameters reports whether a path leads below spec.forProvider.
func inParameters(path apiserver.Path) bool {
	return len(path) > 2 && path[0].Name == "spec" && path[1].Name == "forProvider"
}

// isRelaxed reports whether a rule requires a field in place of the schema.
func (s *sampler) isRelaxed(path apiserver.Path) bool {
	if s.version >= len(s.definition.Decisions) {
		return false
	}
	for _, d := range s.definition.Decisions[s.version] {
		if d.Required && d.Rule != nil && d.Field.Compare(path) == 0 {
			return true
		}
	}
	return false
}

func (s *sampler) items(p pipeline.Place) any {
	if p.Schema.MaxItems != nil && *p.Schema.MaxItems == 0 {
		return []any{}
	}
	return []any{s.value(p.Element(apiserver.Items))}
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
func (s *sampler) text(p pipeline.Place) any {
	candidates := texts
	if n := p.Schema.MinLength; n != nil {
		candidates = append(slices.Clone(texts), strings.Repeat("x", int(min(*n, 1000))))
	}
	for _, text := range candidates {
		if apiserver.Accepts(s.ctx, p.Schema, text) {
			return text
		}
	}
	s.diags = append(s.diags, diag.Errorf(p.Pos, codeExample,
		"mrgen knows no example for %s: add a marker with one, as in +%s=value", p.Path, marker))
	return nil
}
