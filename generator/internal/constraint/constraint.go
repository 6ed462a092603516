// Package constraint describes the constraints that markers put on a value, as plain data. It doesn't include
// constraints that follow from the Go type, and whether a field is required.
package constraint

import apiextensionsv1 "k8s.io/apiextensions-apiserver/pkg/apis/apiextensions/v1"

// A Set has the constraints of the markers of a field or a type.
type Set struct {
	// Schema has the keywords and rules of the markers. Its Items are set for lists.
	Schema apiextensionsv1.JSONSchemaProps
	// OneOf are groups of fields with a bound on how many of them are set.
	OneOf []OneOf
	// Unknown are the markers whose constraints the set lacks.
	Unknown []string
}

// OneOf is a group of fields of a struct: at most one may be set, at least one must be set, or both.
type OneOf struct {
	// Fields are JSON names.
	Fields          []string
	AtMost, AtLeast bool
}
