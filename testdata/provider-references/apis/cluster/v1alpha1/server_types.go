package v1alpha1

import (
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"github.com/crossplane/crossplane-runtime/v2/pkg/resource"
	xpv2 "github.com/crossplane/crossplane/apis/v2/core/v2"
)

// The types must conform to the interfaces of crossplane-runtime.
var (
	_ resource.LegacyManaged = &Server{}
	_ resource.ManagedList   = &ServerList{}
)

// ServerParameters are the desired state of a server.
type ServerParameters struct {
	// NetworkID is the ID of the network.
	// +optional
	// +crossplane:generate:reference:type=Network
	NetworkID *string `json:"networkId,omitempty"`

	// NetworkIDRef references a Network to retrieve NetworkID.
	// +optional
	NetworkIDRef *xpv2.Reference `json:"networkIdRef,omitempty"`

	// NetworkIDSelector selects a reference to a Network to retrieve NetworkID.
	// +optional
	NetworkIDSelector *xpv2.Selector `json:"networkIdSelector,omitempty"`

	// NetworkIDs are the IDs of more networks.
	// +optional
	// +crossplane:generate:reference:type=Network
	NetworkIDs []string `json:"networkIds,omitempty"`

	// NetworkIDsRefs references Networks to retrieve NetworkIDs.
	// +optional
	NetworkIDsRefs []xpv2.Reference `json:"networkIdsRefs,omitempty"`

	// NetworkIDsSelector selects references to Networks to retrieve NetworkIDs.
	// +optional
	NetworkIDsSelector *xpv2.Selector `json:"networkIdsSelector,omitempty"`

	// Links in a slice.
	// +optional
	Links []Link `json:"links,omitempty"`
}

// A Link is a struct with a reference.
type Link struct {
	// Port of the network.
	// +optional
	// +crossplane:generate:reference:type=Network
	Port *int64 `json:"port,omitempty"`

	// PortRef references a Network to retrieve Port.
	// +optional
	PortRef *xpv2.Reference `json:"portRef,omitempty"`

	// PortSelector selects a reference to a Network to retrieve Port.
	// +optional
	PortSelector *xpv2.Selector `json:"portSelector,omitempty"`
}

// A ServerSpec defines the desired state of a Server.
type ServerSpec struct {
	xpv2.ClusterManagedResourceSpec `json:",inline"`

	ForProvider ServerParameters `json:"forProvider"`

	// InitProvider is the first state of a server.
	// +optional
	InitProvider *ServerInitParameters `json:"initProvider,omitempty"`
}

// ServerObservation is the observed state of a server.
type ServerObservation struct {
	// Link that spec has, too. References in status are never resolved.
	// +optional
	Link Link `json:"link,omitempty"`
}

// A ServerStatus represents the observed state of a Server.
type ServerStatus struct {
	xpv2.ManagedResourceStatus `json:",inline"`

	AtProvider ServerObservation `json:"atProvider,omitempty"`
}

// +kubebuilder:object:root=true

// A Server is a managed resource that refers to networks.
// +kubebuilder:subresource:status
// +kubebuilder:resource:scope=Cluster,categories={crossplane,managed,references}
type Server struct {
	metav1.TypeMeta   `json:",inline"`
	metav1.ObjectMeta `json:"metadata,omitempty"`

	Spec   ServerSpec   `json:"spec"`
	Status ServerStatus `json:"status,omitempty"`
}

// +kubebuilder:object:root=true

// ServerList contains a list of Server.
type ServerList struct {
	metav1.TypeMeta `json:",inline"`
	metav1.ListMeta `json:"metadata,omitempty"`
	Items           []Server `json:"items"`
}

func init() {
	SchemeBuilder.Register(&Server{}, &ServerList{})
}
