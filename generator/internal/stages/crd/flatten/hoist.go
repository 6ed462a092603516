package flatten

import apiextensionsv1 "k8s.io/apiextensions-apiserver/pkg/apis/apiextensions/v1"

// conflicts are fields that both schemas set and that can't be merged.
type conflicts struct {
	found    bool
	dst, src apiextensionsv1.JSONSchemaProps
}

// hoistConflicts merges fields that only one schema sets. If both set one, both values move to branches of dst,
// so that both apply.
func hoistConflicts(dst, src *apiextensionsv1.JSONSchemaProps) {
	c := conflicts{}
	c.hoistValues(dst, src)
	c.hoistNumbers(dst, src)
	c.hoistSchemas(dst, src)
	if c.found {
		dst.AllOf = append(dst.AllOf, c.dst, c.src)
	}
}

func (c *conflicts) hoistValues(dst, src *apiextensionsv1.JSONSchemaProps) {
	hoist(c, &dst.ID, &src.ID, &c.dst.ID, &c.src.ID)
	hoist(c, &dst.Schema, &src.Schema, &c.dst.Schema, &c.src.Schema)
	hoist(c, &dst.Format, &src.Format, &c.dst.Format, &c.src.Format)
	hoist(c, &dst.Default, &src.Default, &c.dst.Default, &c.src.Default)
	hoist(c, &dst.Pattern, &src.Pattern, &c.dst.Pattern, &c.src.Pattern)
}

// hoistNumbers compares pointers, as controller-tools does: equal numbers from two places conflict, except
// numbers of properties.
func (c *conflicts) hoistNumbers(dst, src *apiextensionsv1.JSONSchemaProps) {
	hoist(c, &dst.Maximum, &src.Maximum, &c.dst.Maximum, &c.src.Maximum)
	hoist(c, &dst.Minimum, &src.Minimum, &c.dst.Minimum, &c.src.Minimum)
	hoist(c, &dst.MultipleOf, &src.MultipleOf, &c.dst.MultipleOf, &c.src.MultipleOf)
	hoist(c, &dst.MaxLength, &src.MaxLength, &c.dst.MaxLength, &c.src.MaxLength)
	hoist(c, &dst.MinLength, &src.MinLength, &c.dst.MinLength, &c.src.MinLength)
	hoist(c, &dst.MaxItems, &src.MaxItems, &c.dst.MaxItems, &c.src.MaxItems)
	hoist(c, &dst.MinItems, &src.MinItems, &c.dst.MinItems, &c.src.MinItems)
	if !equal(dst.MaxProperties, src.MaxProperties) {
		hoist(c, &dst.MaxProperties, &src.MaxProperties, &c.dst.MaxProperties, &c.src.MaxProperties)
	}
	if !equal(dst.MinProperties, src.MinProperties) {
		hoist(c, &dst.MinProperties, &src.MinProperties, &c.dst.MinProperties, &c.src.MinProperties)
	}
}

func (c *conflicts) hoistSchemas(dst, src *apiextensionsv1.JSONSchemaProps) {
	hoist(c, &dst.Items, &src.Items, &c.dst.Items, &c.src.Items)
	hoist(c, &dst.AdditionalItems, &src.AdditionalItems, &c.dst.AdditionalItems, &c.src.AdditionalItems)
	hoist(c, &dst.Not, &src.Not, &c.dst.Not, &c.src.Not)
	hoistList(c, &dst.OneOf, &src.OneOf, &c.dst.OneOf, &c.src.OneOf)
	hoistList(c, &dst.AnyOf, &src.AnyOf, &c.dst.AnyOf, &c.src.AnyOf)
	hoistMap(c, &dst.PatternProperties, &src.PatternProperties, &c.dst.PatternProperties, &c.src.PatternProperties)
	hoistMap(c, &dst.Dependencies, &src.Dependencies, &c.dst.Dependencies, &c.src.Dependencies)
	hoistMap(c, &dst.Definitions, &src.Definitions, &c.dst.Definitions, &c.src.Definitions)
}

// hoist merges a field, or moves both values to the conflicts. move does the same for values that can only be
// compared with nil.
func hoist[T comparable](c *conflicts, dst, src, dstRest, srcRest *T) {
	var none T
	if *src != *dst {
		move(c, *dst != none, *src != none, dst, src, dstRest, srcRest)
	}
}

func hoistList[E any](c *conflicts, dst, src, dstRest, srcRest *[]E) {
	move(c, *dst != nil, *src != nil, dst, src, dstRest, srcRest)
}

func hoistMap[M ~map[string]V, V any](c *conflicts, dst, src, dstRest, srcRest *M) {
	move(c, *dst != nil, *src != nil, dst, src, dstRest, srcRest)
}

// move merges a field if one schema has it, and moves both values if both do.
func move[T any](c *conflicts, dstSet, srcSet bool, dst, src, dstRest, srcRest *T) {
	switch {
	case !srcSet:
	case !dstSet:
		*dst = *src
	default:
		var none T
		*dstRest, *srcRest, *dst = *dst, *src, none
		c.found = true
	}
}

func equal(a, b *int64) bool { return a != nil && b != nil && *a == *b }
