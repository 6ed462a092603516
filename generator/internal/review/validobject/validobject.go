// Package validobject makes values that the API server accepts, from their schema and from
// markers.
package validobject

import (
	"context"
	"encoding/json"
	"fmt"
	"maps"
	"slices"
	"strconv"
	"strings"

	apiextensionsv1 "k8s.io/apiextensions-apiserver/pkg/apis/apiextensions/v1"
	kubernetesjson "k8s.io/apimachinery/pkg/util/json"

	"github.com/mrgen-io/mrgen/generator/diag"
	"github.com/mrgen-io/mrgen/generator/internal/apiserver"
	"github.com/mrgen-io/mrgen/generator/internal/model"
	"github.com/mrgen-io/mrgen/generator/internal/schema"
	"github.com/mrgen-io/mrgen/generator/internal/stage"
	"github.com/mrgen-io/mrgen/markers"
)

const codeExample diag.Code = "example"

// A Sampler makes values that are as small as the schema allows.
type Sampler struct {
	// Wanted reports whether objects get a field that the schema doesn't require. They don't get fields with a default
	// unless Defaulted is set.
	Wanted    func(schema.Cursor) bool
	Defaulted bool
	// Bare limits objects to fields that are wanted or required, even if minProperties demands more, and falls back to a
	// string that the schema may reject.
	Bare bool
	// References replaces fields that have a reference with an example of the reference, unless the author gives an
	// example of the field itself.
	References bool
	// Problems are the values that could not be made, at the field or marker responsible.
	Problems diag.List
	// variant distinguishes the elements of a list or map, which may have to be unique.
	variant int
}

// Object returns an object of a version of a kind.
func (s *Sampler) Object(ctx context.Context, d stage.Definition, version int) map[string]any {
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

// ObservePolicy returns the field of spec, and its value, that makes a resource observe-only. The name is "" if spec has
// no such field.
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

// Value returns a value for a place, or nil if it can't make one.
func (s *Sampler) Value(ctx context.Context, p schema.Cursor) any {
	if example, found := s.Example(p); found {
		return example
	}
	p.Schema = tightened(p.Schema)
	switch enum := p.Schema.Enum; {
	case len(enum) > 0:
		return Decode(enum[s.variant%len(enum)].Raw)
	case !s.Bare && decodesUnknown(p.Type):
		s.Problems = append(s.Problems, diag.Warningf(p.Pos, codeExample,
			"mrgen can't tell what %s takes, since %s decodes itself, and leaves out the manifests that need one: add a marker with one, as in +%s=value",
			p.Path, p.Type.Deref().Name, markers.Example))
		return nil
	case p.Schema.XIntOrString:
		return s.intOrString(ctx, p)
	}
	switch p.Schema.Type {
	case "object":
		return s.fields(ctx, p)
	case "array":
		return s.items(ctx, p)
	case "boolean":
		return s.variant%2 == 0
	case "integer", "number":
		return s.number(ctx, p)
	case "string":
		return s.text(ctx, p)
	default:
		return map[string]any{} // without a type, the API server accepts any value
	}
}

// Accepts reports whether the API server accepts a value, and clients in Go can read it.
func Accepts(ctx context.Context, p schema.Cursor, value any) bool {
	return apiserver.Upstream{}.Accepts(ctx, p.Schema, value) && len(Undecodable(p.Type, value)) == 0
}

// Reference returns the reference field that a field is resolved from.
func (s *Sampler) Reference(p schema.Cursor) (schema.Cursor, bool) {
	if !s.References || p.Field == nil || p.Above == nil || p.Above.Type == nil {
		return p, false
	}
	if _, hasExample := s.Example(p); hasExample { // the author's own example is better
		return p, false
	}
	name, _ := p.Field.ReferenceNames()
	field := p.Above.Type.GoField(name)
	if field == nil {
		return p, false
	}
	at := p.Above.Property(field.JSONName)
	return at, at.Schema != nil
}

// unquoted returns a text without the quotes that a string may have, as in other markers.
func unquoted(text string) string {
	if len(text) < 2 || !strings.Contains("\"'`", text[:1]) || text[0] != text[len(text)-1] {
		return text
	}
	if plain, err := strconv.Unquote(text); err == nil {
		return plain
	}
	return text[1 : len(text)-1]
}

// Example returns the example in a marker or in the schema, if there is one.
func (s *Sampler) Example(p schema.Cursor) (any, bool) {
	var m *model.Marker
	if p.Field != nil {
		m = p.Field.OwnMarker(markers.Example)
	}
	switch {
	case m == nil && p.Schema.Example == nil:
		return nil, false
	case m == nil:
		return Decode(p.Schema.Example.Raw), true
	case p.Schema.Type == "string":
		return unquoted(m.Value.Text("")), true
	}
	value, err := decodeText(m.Value.Text(""))
	if err != nil {
		s.Problems = append(s.Problems, diag.Warningf(m.Pos, codeExample,
			"the example isn't JSON, so mrgen leaves out the manifests that need it: %v: write a value such as 1, true or {\"a\": [1]}", err))
	}
	return value, true
}

// Decode decodes JSON that controller-tools wrote.
func Decode(raw []byte) any {
	value, _ := decodeText(string(raw))
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
	return value, kubernetesjson.ConvertInterfaceNumbers(&value, 0)
}

// fields returns an object with the fields that are wanted, or required and without a default, and with more if
// minProperties demands them.
func (s *Sampler) fields(ctx context.Context, p schema.Cursor) any {
	// Any object will do in an embedded resource.
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
		// The default of forProvider only serves observe-only resources.
		if below.Schema.Default != nil && !s.Defaulted && below.Path.String() != ".spec.forProvider" {
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
			if at, ok := s.Reference(p.Property(name)); ok {
				name = at.Path[len(at.Path)-1].Name
			}
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
			object[numbered(i)] = s.Variant(ctx, p.Values(), i)
		}
	}
	return object
}

// maxRepeated bounds the size of lists and maps.
const maxRepeated = 100

// items returns a list with as few items as the schema allows, but at least one.
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
		item := s.Variant(ctx, p.Items(), int(i))
		if item == nil { // one item that can't be made spoils the list
			return nil
		}
		items = append(items, item)
	}
	return items
}

// Variant returns a value for an element of a list or map. Variants differ if they can.
func (s *Sampler) Variant(ctx context.Context, p schema.Cursor, variant int) any {
	outer := s.variant
	defer func() { s.variant = outer }()
	s.variant += variant
	return s.Value(ctx, p)
}

// Texts returns strings to try for a schema, which may reject them.
func Texts(schema *apiextensionsv1.JSONSchemaProps, variants int) []string {
	var all []string
	for i := range variants {
		s := Sampler{variant: i}
		all = append(all, slices.Collect(s.candidates(schema))...)
	}
	return all
}
