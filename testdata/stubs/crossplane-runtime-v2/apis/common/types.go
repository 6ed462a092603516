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
	// ProviderConfigReference refers to a ProviderConfig.
	ProviderConfigReference = corev2.ProviderConfigReference
	// ManagementPolicies say what a controller may do.
	ManagementPolicies = corev2.ManagementPolicies
	// DeletionPolicy says what becomes of the external resource.
	DeletionPolicy = corev2.DeletionPolicy
	// TypedReference refers to any resource.
	TypedReference = corev2.TypedReference
	// LocalSecretReference refers to a Secret of the same namespace.
	LocalSecretReference = corev2.LocalSecretReference
	// SecretReference refers to a Secret.
	SecretReference = corev2.SecretReference
)

// TypedProviderConfigUsage is known by its aliases.
type TypedProviderConfigUsage struct {
	ProviderConfigReference ProviderConfigReference `json:"providerConfigRef"`
	ResourceReference       TypedReference          `json:"resourceRef"`
}
