// Package reference stands in for the package of that name in crossplane-runtime.
package reference

import (
	"context"

	"sigs.k8s.io/controller-runtime/pkg/client"

	xpv1 "github.com/crossplane/crossplane-runtime/apis/common/v1"

	"github.com/crossplane/crossplane-runtime/pkg/resource"
)

// ExtractValueFn takes a value from a managed resource.
type ExtractValueFn func(resource.Managed) string

// ExternalName takes the external name.
func ExternalName() ExtractValueFn { return nil }

// To is what is referred to.
type To struct {
	Managed resource.Managed
	List    resource.ManagedList
}

// FromPtrValue returns a text.
func FromPtrValue(*string) string { return "" }

// ToPtrValue returns a pointer.
func ToPtrValue(string) *string { return nil }

// FromPtrValues returns texts.
func FromPtrValues([]*string) []string { return nil }

// ToPtrValues returns pointers.
func ToPtrValues([]string) []*string { return nil }

// ResolutionRequest asks for one value.
type ResolutionRequest struct {
	CurrentValue string
	Reference    *xpv1.Reference
	Selector     *xpv1.Selector
	To           To
	Extract      ExtractValueFn
}

// IsNoOp reports whether there is nothing to do.
func (*ResolutionRequest) IsNoOp() bool { return false }

// ResolutionResponse has one value.
type ResolutionResponse struct {
	ResolvedValue     string
	ResolvedReference *xpv1.Reference
}

// MultiResolutionRequest asks for several values.
type MultiResolutionRequest struct {
	CurrentValues []string
	References    []xpv1.Reference
	Selector      *xpv1.Selector
	To            To
	Extract       ExtractValueFn
}

// IsNoOp reports whether there is nothing to do.
func (*MultiResolutionRequest) IsNoOp() bool { return false }

// MultiResolutionResponse has several values.
type MultiResolutionResponse struct {
	ResolvedValues     []string
	ResolvedReferences []xpv1.Reference
}

// APIResolver resolves references.
type APIResolver struct{}

// NewAPIResolver returns a resolver.
func NewAPIResolver(client.Reader, resource.Managed) *APIResolver { return nil }

// Resolve returns one value.
func (*APIResolver) Resolve(context.Context, ResolutionRequest) (ResolutionResponse, error) {
	return ResolutionResponse{}, nil
}

// ResolveMultiple returns several values.
func (*APIResolver) ResolveMultiple(context.Context, MultiResolutionRequest) (MultiResolutionResponse, error) {
	return MultiResolutionResponse{}, nil
}
