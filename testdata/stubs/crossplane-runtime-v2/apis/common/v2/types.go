// Package v2 stands in for the API types of namespaced managed resources of
// crossplane-runtime v2.
package v2

import "github.com/crossplane/crossplane-runtime/v2/apis/common"

// ManagedResourceSpec selects runtime v2, namespaced.
type ManagedResourceSpec struct {
	WriteConnectionSecretToReference *common.LocalSecretReference    `json:"writeConnectionSecretToRef,omitempty"`
	ProviderConfigReference          *common.ProviderConfigReference `json:"providerConfigRef,omitempty"`
}

// DeepCopyInto copies the receiver.
func (in *ManagedResourceSpec) DeepCopyInto(out *ManagedResourceSpec) { *out = *in }

// TypedProviderConfigUsage selects runtime v2, typed. It is an alias, as in the
// original.
type TypedProviderConfigUsage = common.TypedProviderConfigUsage
