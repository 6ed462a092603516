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
	_ resource.LegacyManaged = &SecurityGroup{}
	_ resource.ManagedList   = &SecurityGroupList{}
)

// IPRange describes an IPv4 range.
type IPRange struct {
	// The IPv4 CIDR range. You can either specify a CIDR range or a source security
	// group, not both. To specify a single IPv4 address, use the /32 prefix length.
	CIDRIP string `json:"cidrIp"`

	// A description for the security group rule that references this IPv4 address
	// range.
	//
	// Constraints: Up to 255 characters in length. Allowed characters are a-z,
	// A-Z, 0-9, spaces, and ._-:/()#,@[]+=&;{}!$*
	// +optional
	// +kubebuilder:validation:MaxLength=255
	Description *string `json:"description,omitempty"`
}

// UserIDGroupPair describes a security group and AWS account ID pair.
type UserIDGroupPair struct {
	// A description for the security group rule that references this user ID group
	// pair.
	// +optional
	// +kubebuilder:validation:MaxLength=255
	Description *string `json:"description,omitempty"`

	// The ID of the security group.
	// +optional
	// +crossplane:generate:reference:type=SecurityGroup
	GroupID *string `json:"groupId,omitempty"`

	// GroupIDRef references a SecurityGroup to retrieve its groupId.
	// +optional
	GroupIDRef *xpv2.Reference `json:"groupIdRef,omitempty"`

	// GroupIDSelector selects a reference to a SecurityGroup to retrieve its
	// groupId.
	// +optional
	GroupIDSelector *xpv2.Selector `json:"groupIdSelector,omitempty"`

	// The name of the security group. In a request, use this parameter for a
	// security group in a default VPC only. For a security group in a nondefault
	// VPC, use the security group ID.
	// +optional
	// +crossplane:generate:reference:type=SecurityGroup
	// +crossplane:generate:reference:extractor=SecurityGroupName()
	GroupName *string `json:"groupName,omitempty"`

	// GroupNameRef references a SecurityGroup to retrieve its groupName.
	// +optional
	GroupNameRef *xpv2.Reference `json:"groupNameRef,omitempty"`

	// GroupNameSelector selects a reference to a SecurityGroup to retrieve its
	// groupName.
	// +optional
	GroupNameSelector *xpv2.Selector `json:"groupNameSelector,omitempty"`

	// The ID of an AWS account.
	// +optional
	UserID *string `json:"userId,omitempty"`
}

// IPPermission describes a set of permissions for a security group rule.
type IPPermission struct {
	// The start of port range for the TCP and UDP protocols, or an ICMP/ICMPv6
	// type number. A value of -1 indicates all ICMP/ICMPv6 types. If you specify
	// all ICMP/ICMPv6 types, you must specify all codes.
	// +optional
	// +kubebuilder:validation:Minimum=-1
	// +kubebuilder:validation:Maximum=65535
	FromPort *int32 `json:"fromPort,omitempty"`

	// The end of port range for the TCP and UDP protocols, or an ICMP/ICMPv6 code.
	// A value of -1 indicates all ICMP/ICMPv6 codes. If you specify all ICMP/ICMPv6
	// types, you must specify all codes.
	// +optional
	// +kubebuilder:validation:Minimum=-1
	// +kubebuilder:validation:Maximum=65535
	ToPort *int32 `json:"toPort,omitempty"`

	// The IP protocol name (tcp, udp, icmp, icmpv6) or number (see Protocol Numbers
	// (http://www.iana.org/assignments/protocol-numbers/protocol-numbers.xhtml)).
	// Use -1 to specify all protocols.
	IPProtocol string `json:"ipProtocol"`

	// The IPv4 ranges.
	// +optional
	IPRanges []IPRange `json:"ipRanges,omitempty"`

	// The security group and AWS account ID pairs.
	// +optional
	UserIDGroupPairs []*UserIDGroupPair `json:"userIdGroupPairs,omitempty"`
}

// SecurityGroupParameters define the desired state of an AWS VPC Security
// Group.
type SecurityGroupParameters struct {
	// Region is the region you'd like your SecurityGroup to be created in.
	// +immutable
	// +mrgen:identifier
	Region string `json:"region"`

	// A description of the security group.
	// +kubebuilder:validation:Required
	// +immutable
	Description *string `json:"description,omitempty"`

	// The name of the security group.
	// +kubebuilder:validation:Required
	// +immutable
	GroupName *string `json:"groupName,omitempty"`

	// One or more inbound rules associated with the security group.
	// +optional
	Ingress []IPPermission `json:"ingress,omitempty"`

	// One or more outbound rules associated with the security group.
	// +optional
	Egress []IPPermission `json:"egress,omitempty"`

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
	VPCIDRef *xpv2.Reference `json:"vpcIdRef,omitempty"`

	// VPCIDSelector selects a reference to a VPC to retrieve its vpcId.
	// +optional
	VPCIDSelector *xpv2.Selector `json:"vpcIdSelector,omitempty"`
}

// A SecurityGroupSpec defines the desired state of a SecurityGroup.
type SecurityGroupSpec struct {
	xpv2.ClusterManagedResourceSpec `json:",inline"`

	ForProvider SecurityGroupParameters `json:"forProvider"`
}

// A SecurityGroupStatus represents the observed state of a SecurityGroup.
type SecurityGroupStatus struct {
	xpv2.ManagedResourceStatus `json:",inline"`

	// AtProvider mirrors spec.forProvider: its type is declared nowhere else.
	AtProvider SecurityGroupObservation `json:"atProvider,omitempty"`
}

// +kubebuilder:object:root=true

// A SecurityGroup is a managed resource that represents an AWS VPC Security
// Group.
// +kubebuilder:printcolumn:name="READY",type="string",JSONPath=".status.conditions[?(@.type=='Ready')].status"
// +kubebuilder:printcolumn:name="SYNCED",type="string",JSONPath=".status.conditions[?(@.type=='Synced')].status"
// +kubebuilder:printcolumn:name="EXTERNAL-NAME",type="string",JSONPath=".metadata.annotations.crossplane\\.io/external-name"
// +kubebuilder:printcolumn:name="VPC",type="string",JSONPath=".spec.forProvider.vpcId"
// +kubebuilder:printcolumn:name="AGE",type="date",JSONPath=".metadata.creationTimestamp"
// +kubebuilder:subresource:status
// +kubebuilder:resource:scope=Cluster,categories={crossplane,managed,aws},shortName=sg
type SecurityGroup struct {
	metav1.TypeMeta   `json:",inline"`
	metav1.ObjectMeta `json:"metadata,omitempty"`

	Spec   SecurityGroupSpec   `json:"spec"`
	Status SecurityGroupStatus `json:"status,omitempty"`
}

// +kubebuilder:object:root=true

// SecurityGroupList contains a list of SecurityGroup.
type SecurityGroupList struct {
	metav1.TypeMeta `json:",inline"`
	metav1.ListMeta `json:"metadata,omitempty"`
	Items           []SecurityGroup `json:"items"`
}

// SecurityGroup type metadata.
var (
	SecurityGroupKind             = reflect.TypeOf(SecurityGroup{}).Name()
	SecurityGroupGroupKind        = schema.GroupKind{Group: Group, Kind: SecurityGroupKind}.String()
	SecurityGroupKindAPIVersion   = SecurityGroupKind + "." + SchemeGroupVersion.String()
	SecurityGroupGroupVersionKind = SchemeGroupVersion.WithKind(SecurityGroupKind)
)

func init() {
	SchemeBuilder.Register(&SecurityGroup{}, &SecurityGroupList{})
}
