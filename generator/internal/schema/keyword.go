package schema

import (
	"reflect"
	"slices"
	"strings"

	apiextensionsv1 "k8s.io/apiextensions-apiserver/pkg/apis/apiextensions/v1"
)

// Props is a schema, as the API server reads it in a definition.
type Props = apiextensionsv1.JSONSchemaProps

// A Role says what keywords do. Roles can be combined, to name several.
type Role uint8

const (
	// Documentation is for people.
	Documentation Role = 1 << iota
	// Form determines which types a value may have, and how rules see it.
	Form
	// Content holds the schemas of values in the value: see [Below].
	Content
	// Bound limits the values of a form.
	Bound
	// Branch holds further schemas that the same value must satisfy.
	Branch
	// Default is the value that the API server sets where a value is missing.
	Default
	// Ownership tells server-side apply which parts of a value have owners of their own.
	Ownership
	// Unsupported is what the API server refuses in definitions.
	Unsupported
)

// Merge says how controller-tools merges a keyword of an embedded type, or of a field's type, into the schema around it.
type Merge uint8

const (
	// Both moves values that differ to branches of allOf, so that both count. Numbers are equal if they come from one
	// place.
	Both Merge = iota
	// Distinct is Both for numbers that are equal if they have one value.
	Distinct
	// First keeps the outer value.
	First
	// Last keeps the inner value.
	Last
	// Joined joins lists.
	Joined
	// Nested merges the schemas inside.
	Nested
	// Unmerged ignores the inner value.
	Unmerged
)

// A Keyword is a keyword of schemas, as far as its name tells.
type Keyword struct {
	// Name is the name in JSON.
	Name  string
	Role  Role
	Merge Merge
	// Limits is the type whose values the keyword limits, if it is a bound of numbers, lengths or counts. Sign is 1 for an
	// upper bound, and -1 for a lower one.
	Limits string
	Sign   int
	// index is the index of the field of Props.
	index int
}

// Keywords has a row for each field of Props.
var Keywords = located([]*Keyword{
	{Name: "id", Role: Unsupported},
	{Name: "$schema", Role: Unsupported},
	{Name: "$ref", Role: Unsupported},
	{Name: "description", Role: Documentation, Merge: Unmerged},
	{Name: "title", Role: Documentation, Merge: Unmerged},
	{Name: "externalDocs", Role: Documentation, Merge: Unmerged},
	{Name: "example", Role: Documentation, Merge: Unmerged},
	{Name: "type", Role: Form, Merge: First},
	{Name: "nullable", Role: Form},
	{Name: "enum", Role: Bound, Merge: First},
	{Name: "minimum", Role: Bound, Limits: "number", Sign: -1},
	{Name: "exclusiveMinimum", Role: Bound},
	{Name: "maximum", Role: Bound, Limits: "number", Sign: 1},
	{Name: "exclusiveMaximum", Role: Bound},
	{Name: "minLength", Role: Bound, Limits: "string", Sign: -1},
	{Name: "maxLength", Role: Bound, Limits: "string", Sign: 1},
	{Name: "minItems", Role: Bound, Limits: "array", Sign: -1},
	{Name: "maxItems", Role: Bound, Limits: "array", Sign: 1},
	{Name: "minProperties", Role: Bound, Merge: Distinct, Limits: "object", Sign: -1},
	{Name: "maxProperties", Role: Bound, Merge: Distinct, Limits: "object", Sign: 1},
	{Name: "multipleOf", Role: Bound},
	{Name: "pattern", Role: Bound},
	{Name: "format", Role: Form},
	{Name: "uniqueItems", Role: Unsupported},
	{Name: "required", Role: Bound, Merge: Joined},
	{Name: "default", Role: Default},
	{Name: "properties", Role: Content, Merge: Nested},
	{Name: "items", Role: Content},
	{Name: "additionalProperties", Role: Content, Merge: Nested},
	{Name: "patternProperties", Role: Unsupported},
	{Name: "dependencies", Role: Unsupported},
	{Name: "additionalItems", Role: Unsupported},
	{Name: "definitions", Role: Unsupported},
	{Name: "allOf", Role: Branch, Merge: Unmerged},
	{Name: "anyOf", Role: Branch},
	{Name: "oneOf", Role: Branch},
	{Name: "not", Role: Branch},
	{Name: "x-kubernetes-preserve-unknown-fields", Role: Form, Merge: Last},
	{Name: "x-kubernetes-embedded-resource", Role: Form},
	{Name: "x-kubernetes-int-or-string", Role: Form},
	{Name: "x-kubernetes-list-type", Role: Ownership, Merge: Last},
	{Name: "x-kubernetes-list-map-keys", Role: Ownership, Merge: Last},
	{Name: "x-kubernetes-map-type", Role: Ownership, Merge: Last},
	{Name: "x-kubernetes-validations", Role: Bound, Merge: Joined},
})

// branching are the keywords with schemas that [Below] doesn't yield.
var branching = slices.DeleteFunc(slices.Clone(Keywords), func(k *Keyword) bool {
	kind := k.In(&Props{}).Kind()
	return k.Role != Branch && (k.Role != Unsupported || kind == reflect.Bool || kind == reflect.String) && k.Name != "items"
})

// located returns keywords with the indexes of their fields.
func located(keywords []*Keyword) []*Keyword {
	indexes := map[string]int{}
	for i, t := 0, reflect.TypeFor[Props](); i < t.NumField(); i++ {
		name, _, _ := strings.Cut(t.Field(i).Tag.Get("json"), ",")
		indexes[name] = i
	}
	for _, k := range keywords {
		k.index = indexes[k.Name]
	}
	return keywords
}

// In returns the field of the keyword in a schema.
func (k *Keyword) In(s *Props) reflect.Value { return reflect.ValueOf(s).Elem().Field(k.index) }

// IsSet reports whether a schema has the keyword.
func (k *Keyword) IsSet(s *Props) bool { return !k.In(s).IsZero() }

// Copy copies the keyword from one schema to another.
func (k *Keyword) Copy(to, from *Props) { k.In(to).Set(k.In(from)) }

// Has reports whether a schema has a keyword with one of the roles.
func Has(s *Props, roles Role) bool {
	return slices.ContainsFunc(Keywords, func(k *Keyword) bool { return k.Role&roles != 0 && k.IsSet(s) })
}

// Keep removes the keywords with other roles from a schema. It changes no memory that the schema refers to.
func Keep(s *Props, roles Role) {
	for _, k := range Keywords {
		if k.Role&roles == 0 {
			k.In(s).SetZero()
		}
	}
}

// Fill copies the keywords with one of the roles that a schema lacks from another.
func Fill(to, from *Props, roles Role) {
	for _, k := range Keywords {
		if k.Role&roles != 0 && !k.IsSet(to) {
			k.Copy(to, from)
		}
	}
}

// TypedFormats are the formats of strings that rules convert to types of their own, see
// SchemaDeclType in pkg/cel/common of k8s.io/apiserver. None of them allows "".
var TypedFormats = []string{"byte", "date", "date-time", "duration"}

// IsBytes reports whether a schema has the format byte. Rules read such texts as Base64 for URLs, the keywords of the
// schema and encoding/json as standard Base64: see UnstructuredToVal in pkg/cel/common of k8s.io/apiserver.
func IsBytes(s *Props) bool { return s.Type == "string" && s.Format == "byte" }
