package openapi

import (
	"cmp"
	"encoding/json"
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/getkin/kin-openapi/openapi3"

	"github.com/mrgen-io/mrgen/generator/diag"
)

// A shape is what a schema comes to, with those that it is made of.
type shape struct {
	// kind is the type as JSON Schema calls it, "" if values may have any, and why says why no field can
	// have it.
	kind, why string
	doc       string

	nullable, readOnly, writeOnly bool

	// properties are the fields of an object in the order of the document, and required are their names.
	properties []property
	required   []string
	// values are those of a map, and items those of a list.
	values, items *openapi3.SchemaRef
	// limits have what else the values must satisfy.
	limits   openapi3.Schema
	examples []any
	// checks are what to check, since it is guessed or can't be said.
	checks []string
}

// A property is a field of an object.
type property struct {
	name string
	of   *openapi3.SchemaRef
}

// shapeOf returns what a schema comes to. above are those that it is a part of.
func (r *reader) shapeOf(of *openapi3.SchemaRef, above []*openapi3.Schema) *shape {
	switch {
	case of == nil || of.Value == nil:
		return &shape{}
	case slices.Contains(above, of.Value):
		return &shape{why: "its schema is made of itself"}
	}
	above = append(slices.Clip(above), of.Value)
	s := shapeOwn(of.Value)
	for _, part := range of.Value.AllOf {
		r.join(s, r.shapeOf(part, above))
	}
	for _, alternatives := range []openapi3.SchemaRefs{of.Value.OneOf, of.Value.AnyOf} {
		if len(alternatives) > 0 {
			r.join(s, r.either(alternatives, above))
		}
	}
	return s
}

// shapeOwn returns what a schema says itself.
func shapeOwn(of *openapi3.Schema) *shape {
	s := &shape{
		doc: cmp.Or(of.Description, of.Title), nullable: of.Nullable, readOnly: of.ReadOnly, writeOnly: of.WriteOnly, required: of.Required,
		values: of.AdditionalProperties.Schema, items: of.Items, limits: *of, examples: slices.Clone(of.Examples),
	}
	s.limits.AllOf, s.limits.OneOf, s.limits.AnyOf = nil, nil, nil
	if of.Example != nil {
		s.examples = append(s.examples, of.Example)
	}
	if of.Const != nil {
		s.limits.Enum = []any{of.Const}
	}
	for _, name := range slices.SortedFunc(maps.Keys(of.Properties), func(a, b string) int {
		return cmp.Or(compareOrigins(of.Properties[a], of.Properties[b]), strings.Compare(a, b))
	}) {
		s.properties = append(s.properties, property{name, of.Properties[name]})
	}
	for _, name := range slices.Sorted(maps.Keys(of.PatternProperties)) {
		s.values = of.PatternProperties[name]
		s.checks = append(s.checks, "the API takes keys that match "+name)
	}
	kinds := slices.DeleteFunc(slices.Clone(of.Type.Slice()), func(kind string) bool {
		s.nullable = s.nullable || kind == openapi3.TypeNull
		return kind == openapi3.TypeNull
	})
	switch {
	case len(kinds) > 0:
		s.setKinds(kinds)
	case len(s.properties) > 0 || s.values != nil:
		s.kind = openapi3.TypeObject
	case s.items != nil:
		s.kind = openapi3.TypeArray
	case len(s.limits.Enum) > 0 && !slices.ContainsFunc(s.limits.Enum, func(v any) bool { _, isText := v.(string); return !isText && v != nil }):
		s.kind = openapi3.TypeString
	}
	if len(of.PrefixItems) > 0 {
		s.why = "its items have types by their position"
	}
	for name, isSet := range map[string]bool{
		"not": of.Not != nil, "if": of.If != nil, "contains": of.Contains != nil, "propertyNames": of.PropertyNames != nil,
		"dependentRequired": len(of.DependentRequired) > 0, "dependentSchemas": len(of.DependentSchemas) > 0,
	} {
		if isSet {
			s.checks = append(s.checks, "the API restricts it further, by "+name)
		}
	}
	slices.Sort(s.checks)
	return s
}

// compareOrigins compares where schemas are, as far as that is known.
func compareOrigins(a, b *openapi3.SchemaRef) int {
	at := func(of *openapi3.SchemaRef) openapi3.Location {
		origin := of.Origin
		if (origin == nil || origin.Key == nil) && of.Value != nil {
			origin = of.Value.Origin
		}
		if origin == nil || origin.Key == nil {
			return openapi3.Location{}
		}
		return *origin.Key
	}
	x, y := at(a), at(b)
	if x.File != y.File {
		return 0
	}
	return cmp.Or(x.Line-y.Line, x.Column-y.Column)
}

// setKinds sets the type of values that may have one of several: a text stands for others that can be written
// as one.
func (s *shape) setKinds(kinds []string) {
	slices.Sort(kinds)
	kinds = slices.Compact(kinds)
	without := func(kind string) []string {
		return slices.DeleteFunc(slices.Clone(kinds), func(k string) bool { return k == kind })
	}
	has := func(kind string) bool { return slices.Contains(kinds, kind) }
	also := func(kinds []string) { s.checks = append(s.checks, "the API also takes "+diag.And(articled(kinds))) }
	switch {
	case len(kinds) == 1:
		s.kind = kinds[0]
	case len(kinds) == 2 && has(openapi3.TypeInteger) && has(openapi3.TypeNumber):
		s.kind = openapi3.TypeNumber
	case has(openapi3.TypeArray) && !has(openapi3.TypeObject):
		s.kind = openapi3.TypeArray
		also(without(openapi3.TypeArray))
	case has(openapi3.TypeString) && !has(openapi3.TypeBoolean) && !has(openapi3.TypeArray):
		s.kind = openapi3.TypeString
		also(without(openapi3.TypeString))
	default:
		s.why = "it may be " + strings.Join(articled(kinds), " or ")
	}
}

func articled(kinds []string) []string {
	var all []string
	for _, kind := range kinds {
		if strings.ContainsRune("aeio", rune(kind[0])) {
			all = append(all, "an "+kind)
		} else {
			all = append(all, "a "+kind)
		}
	}
	return all
}

// join adds to a shape what values must satisfy, too.
func (r *reader) join(s, part *shape) {
	switch {
	case s.kind == "" || s.kind == part.kind:
		s.kind = cmp.Or(s.kind, part.kind)
	case s.kind == openapi3.TypeNumber && part.kind == openapi3.TypeInteger:
		s.kind = part.kind
	case part.kind != "" && (s.kind != openapi3.TypeInteger || part.kind != openapi3.TypeNumber):
		s.why = "it would have to be " + strings.Join(articled([]string{s.kind, part.kind}), " and ")
	}
	s.why = cmp.Or(s.why, part.why)
	s.doc = cmp.Or(s.doc, part.doc)
	s.nullable, s.readOnly, s.writeOnly = s.nullable || part.nullable, s.readOnly || part.readOnly, s.writeOnly || part.writeOnly
	r.addProperties(s, part.properties, true)
	for _, name := range part.required {
		if !slices.Contains(s.required, name) {
			s.required = append(slices.Clip(s.required), name)
		}
	}
	s.values, s.items = cmp.Or(s.values, part.values), cmp.Or(s.items, part.items)
	s.limits = tighter(s.limits, part.limits)
	s.examples, s.checks = append(s.examples, part.examples...), append(s.checks, part.checks...)
}

// addProperties adds fields to a shape. Values of those that it has satisfy both schemas, or one of them.
func (r *reader) addProperties(s *shape, others []property, both bool) {
	s.properties = slices.Clone(s.properties)
	for _, other := range others {
		i := slices.IndexFunc(s.properties, func(p property) bool { return p.name == other.name })
		if i < 0 {
			s.properties = append(s.properties, other)
		} else {
			s.properties[i].of = r.combine(s.properties[i].of, other.of, both)
		}
	}
}

// A combination is a schema that has what two others say: both, or one of them.
type combination struct {
	a, b *openapi3.Schema
	both bool
}

// combine returns a combination of schemas, which is the same for the same schemas.
func (r *reader) combine(a, b *openapi3.SchemaRef, both bool) *openapi3.SchemaRef {
	if a.Value == b.Value {
		return a
	}
	key := combination{a.Value, b.Value, both}
	if r.combined[key] == nil {
		r.combined[key] = &openapi3.Schema{OneOf: openapi3.SchemaRefs{a, b}}
		if both {
			r.combined[key] = &openapi3.Schema{AllOf: openapi3.SchemaRefs{a, b}}
		}
	}
	return &openapi3.SchemaRef{Value: r.combined[key], Origin: a.Origin}
}

// tighter returns the limits of two schemas.
func tighter(a, b openapi3.Schema) openapi3.Schema {
	higher := func(a, b *float64, sign float64) *float64 {
		if a == nil || b != nil && sign**b > sign**a {
			return b
		}
		return a
	}
	fewer := func(a, b *uint64) *uint64 {
		if a == nil || b != nil && *b < *a {
			return b
		}
		return a
	}
	a.Min, a.Max = higher(a.Min, b.Min, 1), higher(a.Max, b.Max, -1)
	if !a.ExclusiveMin.IsSet() {
		a.ExclusiveMin = b.ExclusiveMin
	}
	if !a.ExclusiveMax.IsSet() {
		a.ExclusiveMax = b.ExclusiveMax
	}
	a.MinLength, a.MinItems, a.MinProps = max(a.MinLength, b.MinLength), max(a.MinItems, b.MinItems), max(a.MinProps, b.MinProps)
	a.MaxLength, a.MaxItems, a.MaxProps = fewer(a.MaxLength, b.MaxLength), fewer(a.MaxItems, b.MaxItems), fewer(a.MaxProps, b.MaxProps)
	a.Format, a.Pattern, a.UniqueItems = cmp.Or(a.Format, b.Format), cmp.Or(a.Pattern, b.Pattern), a.UniqueItems || b.UniqueItems
	if a.MultipleOf == nil {
		a.MultipleOf = b.MultipleOf
	}
	if a.Default == nil {
		a.Default = b.Default
	}
	if len(a.Enum) == 0 {
		a.Enum = b.Enum
	} else if len(b.Enum) > 0 {
		a.Enum = slices.DeleteFunc(slices.Clone(a.Enum), func(v any) bool { return !slices.ContainsFunc(b.Enum, same(v)) })
	}
	return a
}

func same(a any) func(any) bool {
	text, _ := json.Marshal(a)
	return func(b any) bool {
		other, _ := json.Marshal(b)
		return string(text) == string(other)
	}
}

// either returns what values come to that satisfy one of several schemas.
func (r *reader) either(alternatives openapi3.SchemaRefs, above []*openapi3.Schema) *shape {
	all := &shape{}
	var shapes []*shape
	for _, of := range alternatives {
		s := r.shapeOf(of, above)
		if isNull := s.kind == "" && s.nullable && len(s.properties) == 0 || len(s.limits.Enum) == 1 && s.limits.Enum[0] == nil; isNull {
			all.nullable = true
			continue
		}
		shapes = append(shapes, s)
	}
	var kinds []string
	for _, s := range shapes {
		all.why, all.nullable = cmp.Or(all.why, s.why), all.nullable || s.nullable
		all.doc = cmp.Or(all.doc, s.doc)
		if s.kind != "" {
			kinds = append(kinds, s.kind)
		}
	}
	switch {
	case len(shapes) == 1:
		r.join(all, shapes[0])
		return all
	case all.why != "":
		return all
	case len(kinds) == 0: // they restrict what is said elsewhere
		all.checks = append(all.checks, "the API restricts it further, by alternatives")
		return all
	case len(kinds) < len(shapes):
		all.why = "the document doesn't say what each alternative is"
		return all
	}
	all.setKinds(kinds)
	r.addAlternatives(all, slices.DeleteFunc(shapes, func(s *shape) bool { return s.kind != all.kind }))
	return all
}

// addAlternatives adds what shapes of one type have in common, and the fields of each.
func (r *reader) addAlternatives(s *shape, shapes []*shape) {
	for i, other := range shapes {
		s.examples, s.checks = append(s.examples, other.examples...), append(s.checks, other.checks...)
		switch {
		case i == 0:
			s.required, s.values, s.items, s.limits = other.required, other.values, other.items, other.limits
			s.properties = other.properties
			continue
		case s.limits.Format != other.limits.Format:
			s.limits.Format = ""
		}
		s.required = slices.DeleteFunc(slices.Clone(s.required), func(name string) bool { return !slices.Contains(other.required, name) })
		r.addProperties(s, other.properties, false)
		if s.items != nil && other.items != nil {
			s.items = r.combine(s.items, other.items, false)
		}
		s.values = cmp.Or(s.values, other.values)
		enum := s.limits.Enum
		if len(enum) == 0 || len(other.limits.Enum) == 0 {
			enum = nil
		} else {
			for _, v := range other.limits.Enum {
				if !slices.ContainsFunc(enum, same(v)) {
					enum = append(slices.Clip(enum), v)
				}
			}
		}
		s.limits = openapi3.Schema{Format: s.limits.Format, Enum: enum, Default: s.limits.Default}
	}
	if len(s.properties) > 0 && len(shapes) > 1 {
		s.checks = append(s.checks, fmt.Sprintf("these are the fields of %d alternatives", len(shapes)))
	}
}
