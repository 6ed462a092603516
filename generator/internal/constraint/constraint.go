// Package constraint has what the markers of a declaration demand of a value, as plain
// data. What Go types demand is no part of it, nor whether a field is required.
package constraint

import apiextensionsv1 "k8s.io/apiextensions-apiserver/pkg/apis/apiextensions/v1"

// A Set is what the markers of a field or a type demand.
type Set struct {
	// Schema has the keywords and rules that the markers stand for. Its Items are set
	// for lists.
	Schema apiextensionsv1.JSONSchemaProps
	// OneOf are the groups of fields of which so many may be set.
	OneOf []OneOf
	// Unknown are the markers that demand something which is not in the set.
	Unknown []string
}

// OneOf is a group of fields of a struct of which at most one, or at least one, or
// both, must be set.
type OneOf struct {
	// Fields are JSON names.
	Fields          []string
	AtMost, AtLeast bool
}
