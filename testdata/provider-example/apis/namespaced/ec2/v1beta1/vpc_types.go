package v1beta1

import (
	"reflect"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime/schema"

	"github.com/crossplane/crossplane-runtime/v2/pkg/resource"
	xpv2 "github.com/crossplane/crossplane/apis/v2/core/v2"
)

// The types must conform to the interfaces of crossplane-runtime.
var (
	_ resource.ModernManaged = &VPC{}
	_ resource.ManagedList   = &VPCList{}
)

// InstanceTenancy is the tenancy of the instances in a VPC.
// +kubebuilder:validation:Enum=default;dedicated;host
type InstanceTenancy string

// Instance tenancies.
const (
	InstanceTenancyDefault   InstanceTenancy = "default"
	InstanceTenancyDedicated InstanceTenancy = "dedicated"
	InstanceTenancyHost      InstanceTenancy = "host"
)

// VPCParameters define the desired state of an AWS Virtual Private Cloud.
type VPCParameters struct {
	// Region is the region you'd like your VPC to be created in.
	// +immutable
	// +mrgen:identifier
	Region string `json:"region"`

	// CIDRBlock is the IPv4 network range for the VPC, in CIDR notation. For
	// example, 10.0.0.0/16.
	// +kubebuilder:validation:Required
	// +immutable
	CIDRBlock *string `json:"cidrBlock,omitempty"`

	// The IPv6 CIDR block from the IPv6 address pool. You must also specify Ipv6Pool
	// in the request. To let Amazon choose the IPv6 CIDR block for you, omit this
	// parameter.
	// +optional
	// +immutable
	IPv6CIDRBlock *string `json:"ipv6CidrBlock,omitempty"`

	// The ID of an IPv6 address pool from which to allocate the IPv6 CIDR block.
	// +optional
	// +immutable
	IPv6Pool *string `json:"ipv6Pool,omitempty"`

	// A boolean flag to enable/disable DNS support in the VPC.
	// +optional
	EnableDNSSupport *bool `json:"enableDnsSupport,omitempty"`

	// Indicates whether the instances launched in the VPC get DNS hostnames.
	// +optional
	EnableDNSHostNames *bool `json:"enableDnsHostNames,omitempty"`

	// The allowed tenancy of instances launched into the VPC.
	// +optional
	InstanceTenancy *InstanceTenancy `json:"instanceTenancy,omitempty"`

	// Tags are used as identification helpers between AWS resources.
	// +optional
	Tags []Tag `json:"tags,omitempty"`
}

// A VPCSpec defines the desired state of a VPC.
type VPCSpec struct {
	xpv2.ManagedResourceSpec `json:",inline"`

	ForProvider VPCParameters `json:"forProvider"`
}

// VPCCIDRBlockState is the state of a CIDR block.
type VPCCIDRBlockState struct {
	// The state of the CIDR block.
	State string `json:"state,omitempty"`

	// A message about the status of the CIDR block, if applicable.
	StatusMessage string `json:"statusMessage,omitempty"`
}

// VPCCIDRBlockAssociation is the association of an IPv4 CIDR block with a VPC.
type VPCCIDRBlockAssociation struct {
	// The association ID for the IPv4 CIDR block.
	AssociationID string `json:"associationId,omitempty"`

	// The IPv4 CIDR block.
	CIDRBlock string `json:"cidrBlock,omitempty"`

	// Information about the state of the CIDR block.
	CIDRBlockState VPCCIDRBlockState `json:"cidrBlockState,omitempty"`
}

// VPCObservation is the observed state of a VPC.
type VPCObservation struct {
	ObservedVPCParameters `json:",inline"`

	// Information about the IPv4 CIDR blocks associated with the VPC.
	CIDRBlockAssociationSet []VPCCIDRBlockAssociation `json:"cidrBlockAssociationSet,omitempty"`

	// Indicates whether the VPC is the default VPC.
	IsDefault *bool `json:"isDefault,omitempty"`

	// The ID of the AWS account that owns the VPC.
	OwnerID *string `json:"ownerId,omitempty"`

	// The ID of the VPC.
	VPCID *string `json:"vpcId,omitempty"`

	// The current state of the VPC.
	VPCState *string `json:"vpcState,omitempty"`
}

// A VPCStatus represents the observed state of a VPC.
type VPCStatus struct {
	xpv2.ManagedResourceStatus `json:",inline"`

	AtProvider VPCObservation `json:"atProvider,omitempty"`
}

// +kubebuilder:object:root=true

// A VPC is a managed resource that represents an AWS Virtual Private Cloud.
// +kubebuilder:printcolumn:name="READY",type="string",JSONPath=".status.conditions[?(@.type=='Ready')].status"
// +kubebuilder:printcolumn:name="SYNCED",type="string",JSONPath=".status.conditions[?(@.type=='Synced')].status"
// +kubebuilder:printcolumn:name="EXTERNAL-NAME",type="string",JSONPath=".metadata.annotations.crossplane\\.io/external-name"
// +kubebuilder:printcolumn:name="CIDR",type="string",JSONPath=".spec.forProvider.cidrBlock"
// +kubebuilder:printcolumn:name="AGE",type="date",JSONPath=".metadata.creationTimestamp"
// +kubebuilder:subresource:status
// +kubebuilder:resource:scope=Namespaced,categories={crossplane,managed,aws}
type VPC struct {
	metav1.TypeMeta   `json:",inline"`
	metav1.ObjectMeta `json:"metadata,omitempty"`

	Spec   VPCSpec   `json:"spec"`
	Status VPCStatus `json:"status,omitempty"`
}

// +kubebuilder:object:root=true

// VPCList contains a list of VPC.
type VPCList struct {
	metav1.TypeMeta `json:",inline"`
	metav1.ListMeta `json:"metadata,omitempty"`
	Items           []VPC `json:"items"`
}

// VPC type metadata.
var (
	VPCKind             = reflect.TypeOf(VPC{}).Name()
	VPCGroupKind        = schema.GroupKind{Group: Group, Kind: VPCKind}.String()
	VPCKindAPIVersion   = VPCKind + "." + SchemeGroupVersion.String()
	VPCGroupVersionKind = SchemeGroupVersion.WithKind(VPCKind)
)

func init() {
	SchemeBuilder.Register(&VPC{}, &VPCList{})
}
