package v1alpha1

import (
	"reflect"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime/schema"

	xpv1 "github.com/crossplane/crossplane-runtime/apis/common/v1"
	"github.com/crossplane/crossplane-runtime/pkg/resource"
)

// The types must conform to the interfaces of crossplane-runtime.
var (
	_ resource.Managed     = &Firewall{}
	_ resource.ManagedList = &FirewallList{}
)

// FirewallAllowed is a protocol, with its ports, that a firewall rule permits.
type FirewallAllowed struct {
	// IPProtocol: The IP protocol to which this rule applies. This value can
	// either be one of the following well known protocol strings (tcp, udp,
	// icmp, esp, ah, ipip, sctp) or the IP protocol number.
	IPProtocol string `json:"IPProtocol"`

	// Ports: An optional list of ports to which this rule applies. Each entry
	// must be either an integer or a range. If not specified, this rule
	// applies to connections through any port.
	//
	// Example inputs include: ["22"], ["80","443"], and ["12345-12349"].
	// +optional
	Ports []string `json:"ports,omitempty"`
}

// FirewallParameters define the desired state of a Google Compute Engine VPC
// firewall rule.
type FirewallParameters struct {
	// Allowed: The list of ALLOW rules specified by this firewall.
	// +optional
	Allowed []*FirewallAllowed `json:"allowed,omitempty"`

	// Network: URL of the network resource for this firewall rule.
	// +optional
	// +immutable
	// +crossplane:generate:reference:type=Network
	Network *string `json:"network,omitempty"`

	// NetworkRef references a Network to retrieve its name.
	// +optional
	// +immutable
	NetworkRef *xpv1.Reference `json:"networkRef,omitempty"`

	// NetworkSelector selects a reference to a Network to retrieve its name.
	// +optional
	NetworkSelector *xpv1.Selector `json:"networkSelector,omitempty"`

	// Priority for this rule. Relative priorities determine which rule takes
	// effect if multiple rules apply. Lower values indicate higher priority.
	// +optional
	// +kubebuilder:validation:Minimum=0
	// +kubebuilder:validation:Maximum=65535
	Priority *int64 `json:"priority,omitempty"`

	// SourceRanges: If source ranges are specified, the firewall rule applies
	// only to traffic that has a source IP address in these ranges. These
	// ranges must be expressed in CIDR format.
	// +optional
	// +listType=set
	SourceRanges []string `json:"sourceRanges,omitempty"`
}

// A FirewallSpec defines the desired state of a Firewall.
type FirewallSpec struct {
	xpv1.ResourceSpec `json:",inline"`

	ForProvider FirewallParameters `json:"forProvider"`
}

// FirewallObservation is the observed state of a Firewall.
type FirewallObservation struct {
	// CreationTimestamp: Creation timestamp in RFC3339 text format.
	CreationTimestamp string `json:"creationTimestamp,omitempty"`

	// ID: The unique identifier for the resource. This identifier is defined
	// by the server.
	ID uint64 `json:"id,omitempty"`

	// SelfLink: Server-defined URL for the resource.
	SelfLink string `json:"selfLink,omitempty"`
}

// A FirewallStatus represents the observed state of a Firewall.
type FirewallStatus struct {
	xpv1.ResourceStatus `json:",inline"`

	AtProvider FirewallObservation `json:"atProvider,omitempty"`
}

// +kubebuilder:object:root=true

// A Firewall is a managed resource that represents a Google Compute Engine VPC
// firewall rule.
// +kubebuilder:printcolumn:name="READY",type="string",JSONPath=".status.conditions[?(@.type=='Ready')].status"
// +kubebuilder:printcolumn:name="SYNCED",type="string",JSONPath=".status.conditions[?(@.type=='Synced')].status"
// +kubebuilder:printcolumn:name="EXTERNAL-NAME",type="string",JSONPath=".metadata.annotations.crossplane\\.io/external-name"
// +kubebuilder:printcolumn:name="NETWORK",type="string",JSONPath=".spec.forProvider.network"
// +kubebuilder:printcolumn:name="AGE",type="date",JSONPath=".metadata.creationTimestamp"
// +kubebuilder:subresource:status
// +kubebuilder:resource:scope=Cluster,categories={crossplane,managed,gcp}
type Firewall struct {
	metav1.TypeMeta   `json:",inline"`
	metav1.ObjectMeta `json:"metadata,omitempty"`

	Spec   FirewallSpec   `json:"spec"`
	Status FirewallStatus `json:"status,omitempty"`
}

// +kubebuilder:object:root=true

// FirewallList contains a list of Firewall.
type FirewallList struct {
	metav1.TypeMeta `json:",inline"`
	metav1.ListMeta `json:"metadata,omitempty"`
	Items           []Firewall `json:"items"`
}

// Firewall type metadata.
var (
	FirewallKind             = reflect.TypeOf(Firewall{}).Name()
	FirewallGroupKind        = schema.GroupKind{Group: Group, Kind: FirewallKind}.String()
	FirewallKindAPIVersion   = FirewallKind + "." + SchemeGroupVersion.String()
	FirewallGroupVersionKind = SchemeGroupVersion.WithKind(FirewallKind)
)

func init() {
	SchemeBuilder.Register(&Firewall{}, &FirewallList{})
}
