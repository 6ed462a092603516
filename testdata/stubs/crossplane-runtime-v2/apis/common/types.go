// Package common stands in for what the versions of the API types share.
package common

// TypedProviderConfigUsage is known by its aliases.
type TypedProviderConfigUsage struct{}
