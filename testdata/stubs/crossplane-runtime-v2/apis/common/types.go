// Package common stands in for what the versions of the API types share.
package common

import corev2 "github.com/crossplane/crossplane/apis/v2/core/v2"

// The references are those of the core API types, so that the one stand-in for
// the reference package takes both.
type (
	// Reference refers to a managed resource.
	Reference = corev2.Reference
	// Selector selects a managed resource.
	Selector = corev2.Selector
	// NamespacedReference refers to a managed resource in a namespace.
	NamespacedReference = corev2.NamespacedReference
	// NamespacedSelector selects a managed resource in a namespace.
	NamespacedSelector = corev2.NamespacedSelector
)

// TypedProviderConfigUsage is known by its aliases.
type TypedProviderConfigUsage struct{}
