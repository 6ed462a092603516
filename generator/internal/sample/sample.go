// Package sample makes values that the API server accepts, from their schema and from
// markers.
package sample

import (
	"context"
	"encoding/json"
	"fmt"
	"maps"
	"slices"
	"strings"

	apiextensionsv1 "k8s.io/apiextensions-apiserver/pkg/apis/apiextensions/v1"

	"github.com/mrgen-io/mrgen/generator/internal/apiserver"
	"github.com/mrgen-io/mrgen/generator/internal/diag"
	"github.com/mrgen-io/mrgen/generator/internal/pipeline"
	"github.com/mrgen-io/mrgen/generator/internal/schema"
	"github.com/mrgen-io/mrgen/markers"
)

const codeExample diag.Code = "example"

// A Sampler makes values. Where the schema leaves a choice, they have as little in them
// as possible.
type Sampler struct {
	// Wanted reports whether objects have a field that the schema doesn't require. They
	// have no field that has a default.
	Wanted func(schema.Cursor) bool
	// Bare leaves out of objects what is neither wanted nor required by its name, however
	// many fields they must have, and takes a text that the schema may refuse where no
	// other is known.
	Bare bool
	// Problems are values that can't be made, at the fields or markers that cause it.
	Problems diag.List
	// variant counts the values that must not be the same.
	variant int
}

// Object returns an object of a version of a kind.
func (s *Sampler) Object(ctx context.Context, d pipeline.Definition, version int) map[string]any {
	metadata := map[string]any{"name": "example"}
	if d.CRD.Spec.Scope == apiextensionsv1.NamespaceScoped {
		metadata["namespace"] = "default"
	}
	spec, _ := s.Value(ctx, d.Root(version).Property("spec")).(map[string]any)
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

// Value returns a value for a place, nil if there is none to give.
func (s *Sampler) Value(ctx context.Context, p schema.Cursor) any {
	if given, found := s.Given(p); found {
		return given
	}
	p.Schema = tightened(p.Schema)
	switch enum := p.Schema.Enum; {
	case len(enum) > 0:
		return decode(enum[s.variant%len(enum)].Raw)
	case p.Schema.XIntOrString:
		return s.intOrString(ctx, p.Schema)
	}
	switch p.Schema.Type {
	case "object":
		return s.fields(ctx, p)
	case "array":
		return s.items(ctx, p)
	case "boolean":
		return s.variant%2 == 0
	case "integer", "number":
		return s.number(ctx, p.Schema)
	case "string":
		return s.text(ctx, p)
	default:
		return map[string]any{}
	}
}

// Alternatives returns values other than the first one that a place with a scalar may
// have, and that the schema accepts: those of its enum, and what literals of a rule suggest.
func (s *Sampler) Alternatives(ctx context.Context, p schema.Cursor, literals []any) []any {
	var values []any
	for _, allowed := range p.Schema.Enum {
		values = append(values, decode(allowed.Raw))
	}
	if p.Schema.Type == "boolean" {
		values = append(values, true, false)
	}
	for _, literal := range literals {
		values = append(values, literal)
		switch literal := literal.(type) {
		case string:
			values = append(values, any(literal+"example"), any("example"+literal))
			for _, text := range matching(literal, 0, 0) {
				values = append(values, text)
			}
		case int64:
			values = append(values, literal+1, literal-1)
		}
	}
	return slices.DeleteFunc(values, func(value any) bool { return !apiserver.Accepts(ctx, p.Schema, value) })
}

// Given returns the value that a marker or the schema gives as an example.
func (s *Sampler) Given(p schema.Cursor) (any, bool) {
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
				s.Problems = append(s.Problems, diag.Warningf(m.Pos, codeExample,
					"the example of a field that is no string must be JSON, and mrgen leaves out the manifests that need it: %v: write such as 1, true or {\"a\": [1]}", err))
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

// fields returns the fields of an object that are wanted, or required without a default,
// and more of them if there must be more.
func (s *Sampler) fields(ctx context.Context, p schema.Cursor) any {
	if p.Schema.XEmbeddedResource {
		return map[string]any{"apiVersion": "v1", "kind": "ConfigMap", "metadata": map[string]any{"name": "example", "namespace": "default"}}
	}
	object := map[string]any{}
	least, defaulted := 0, 0
	if n := p.Schema.MinProperties; n != nil && !s.Bare {
		least = int(min(*n, maxRepeated))
	}
	add := func(name string) {
		below := p.Property(name)
		if below.Schema == nil || object[name] != nil {
			return
		}
		// That forProvider may be left out is for resources that are only observed.
		if below.Schema.Default != nil && below.Path.String() != ".spec.forProvider" {
			defaulted++
			return
		}
		if value := s.Value(ctx, below); value != nil {
			object[name] = value
		}
	}
	for _, name := range p.Schema.Required {
		add(name)
	}
	var others []string
	for _, name := range slices.Sorted(maps.Keys(p.Schema.Properties)) {
		switch {
		case slices.Contains(p.Schema.Required, name):
		case p.Schema.Properties[name].Default != nil || s.Wanted(p.Property(name)):
			add(name)
		default:
			others = append(others, name)
		}
	}
	for _, name := range others {
		if len(object)+defaulted < least {
			add(name)
		}
	}
	if values := p.Schema.AdditionalProperties; values != nil && values.Schema != nil && len(p.Path) > 0 {
		for i := range max(1, least) {
			object[numbered(i)] = s.variantOf(ctx, p.Values(), i)
		}
	}
	return object
}

// maxRepeated bounds the lists and maps that are made.
const maxRepeated = 100

// items returns a list of no more items than needed.
func (s *Sampler) items(ctx context.Context, p schema.Cursor) any {
	n := int64(1)
	if p.Schema.MinItems != nil {
		n = min(max(n, *p.Schema.MinItems), maxRepeated)
	}
	if p.Schema.MaxItems != nil {
		n = min(n, *p.Schema.MaxItems)
	}
	items := []any{}
	for i := range n {
		item := s.variantOf(ctx, p.Items(), int(i))
		if item == nil {
			return nil
		}
		items = append(items, item)
	}
	return items
}

// variantOf returns one of several values for a place, which are not the same if there are
// others.
func (s *Sampler) variantOf(ctx context.Context, p schema.Cursor, variant int) any {
	outer := s.variant
	defer func() { s.variant = outer }()
	s.variant += variant
	return s.Value(ctx, p)
}
