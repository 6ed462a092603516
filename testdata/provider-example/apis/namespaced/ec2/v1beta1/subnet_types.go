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
	_ resource.ModernManaged = &Subnet{}
	_ resource.ManagedList   = &SubnetList{}
)

// SubnetPlacement says where in its region a Subnet is created.
type SubnetPlacement struct {
	// The Availability Zone for the subnet.
	// Default: AWS selects one for you. If you create more than one subnet in your
	// VPC, we may not necessarily select a different zone for each subnet.
	// +optional
	// +immutable
	AvailabilityZone *string `json:"availabilityZone,omitempty"`

	// The AZ ID or the Local Zone ID of the subnet.
	// +optional
	// +immutable
	AvailabilityZoneID *string `json:"availabilityZoneId,omitempty"`
}

// SubnetParameters define the desired state of an AWS VPC Subnet.
type SubnetParameters struct {
	// Region is the region you'd like your Subnet to be created in.
	// +immutable
	// +mrgen:identifier
	Region string `json:"region"`

	SubnetPlacement `json:",inline"`

	// CIDRBlock is the IPv4 network range for the Subnet, in CIDR notation. For
	// example, 10.0.0.0/18.
	// +kubebuilder:validation:Required
	// +immutable
	CIDRBlock *string `json:"cidrBlock,omitempty"`

	// Indicates whether instances launched in this subnet receive a public IPv4
	// address.
	// +optional
	MapPublicIPOnLaunch *bool `json:"mapPublicIPOnLaunch,omitempty"`

	// Tags are used as identification helpers between AWS resources.
	// +optional
	Tags []Tag `json:"tags,omitempty"`

	// VPCID is the ID of the VPC.
	// +optional
	// +immutable
	// +crossplane:generate:reference:type=VPC
	VPCID *string `json:"vpcId,omitempty"`

	// VPCIDRef references a VPC to retrieve its vpcId.
	// +optional
	// +immutable
	VPCIDRef *xpv2.NamespacedReference `json:"vpcIdRef,omitempty"`

	// VPCIDSelector selects a reference to a VPC to retrieve its vpcId.
	// +optional
	VPCIDSelector *xpv2.NamespacedSelector `json:"vpcIdSelector,omitempty"`
}

// A SubnetSpec defines the desired state of a Subnet.
type SubnetSpec struct {
	xpv2.ManagedResourceSpec `json:",inline"`

	ForProvider SubnetParameters `json:"forProvider"`
}

// SubnetObservation is the observed state of a Subnet.
type SubnetObservation struct {
	ObservedSubnetParameters `json:",inline"`

	// The number of unused private IPv4 addresses in the subnet.
	AvailableIPAddressCount *int32 `json:"availableIpAddressCount,omitempty"`

	// Indicates whether this is the default subnet for the Availability Zone.
	DefaultForAZ *bool `json:"defaultForAz,omitempty"`

	// The ID of the subnet.
	SubnetID *string `json:"subnetId,omitempty"`

	// The current state of the subnet.
	SubnetState *string `json:"subnetState,omitempty"`
}

// A SubnetStatus represents the observed state of a Subnet.
type SubnetStatus struct {
	xpv2.ManagedResourceStatus `json:",inline"`

	AtProvider SubnetObservation `json:"atProvider,omitempty"`
}

// +kubebuilder:object:root=true

// A Subnet is a managed resource that represents an AWS VPC Subnet.
// +kubebuilder:printcolumn:name="READY",type="string",JSONPath=".status.conditions[?(@.type=='Ready')].status"
// +kubebuilder:printcolumn:name="SYNCED",type="string",JSONPath=".status.conditions[?(@.type=='Synced')].status"
// +kubebuilder:printcolumn:name="EXTERNAL-NAME",type="string",JSONPath=".metadata.annotations.crossplane\\.io/external-name"
// +kubebuilder:printcolumn:name="VPC",type="string",JSONPath=".spec.forProvider.vpcId"
// +kubebuilder:printcolumn:name="CIDR",type="string",JSONPath=".spec.forProvider.cidrBlock"
// +kubebuilder:printcolumn:name="AGE",type="date",JSONPath=".metadata.creationTimestamp"
// +kubebuilder:subresource:status
// +kubebuilder:resource:scope=Namespaced,categories={crossplane,managed,aws}
type Subnet struct {
	metav1.TypeMeta   `json:",inline"`
	metav1.ObjectMeta `json:"metadata,omitempty"`

	Spec   SubnetSpec   `json:"spec"`
	Status SubnetStatus `json:"status,omitempty"`
}

// +kubebuilder:object:root=true

// SubnetList contains a list of Subnet.
type SubnetList struct {
	metav1.TypeMeta `json:",inline"`
	metav1.ListMeta `json:"metadata,omitempty"`
	Items           []Subnet `json:"items"`
}

// Subnet type metadata.
var (
	SubnetKind             = reflect.TypeOf(Subnet{}).Name()
	SubnetGroupKind        = schema.GroupKind{Group: Group, Kind: SubnetKind}.String()
	SubnetKindAPIVersion   = SubnetKind + "." + SchemeGroupVersion.String()
	SubnetGroupVersionKind = SchemeGroupVersion.WithKind(SubnetKind)
)

func init() {
	SchemeBuilder.Register(&Subnet{}, &SubnetList{})
}
