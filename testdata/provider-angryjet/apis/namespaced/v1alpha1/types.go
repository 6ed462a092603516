package v1alpha1

import (
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	xpv1 "github.com/crossplane/crossplane-runtime/v2/apis/common/v1"
	xpv2 "github.com/crossplane/crossplane-runtime/v2/apis/common/v2"
	"github.com/crossplane/crossplane-runtime/v2/pkg/reference"
	"github.com/crossplane/crossplane-runtime/v2/pkg/resource"
)

// Annotation returns a function that takes the value of an annotation.
func Annotation(name string) reference.ExtractValueFn {
	return func(mg resource.Managed) string { return mg.GetAnnotations()[name] }
}

// NetworkParameters are the desired state of a network.
type NetworkParameters struct {
	// Project of the network.
	// +optional
	Project *string `json:"project,omitempty"`
}

// Link has references.
type Link struct {
	// NetworkID is the ID of a network.
	// +optional
	// +crossplane:generate:reference:type=Network
	NetworkID *string `json:"networkId,omitempty"`

	// NetworkIDRef references a Network to retrieve NetworkID.
	// +optional
	NetworkIDRef *xpv1.NamespacedReference `json:"networkIdRef,omitempty"`

	// NetworkIDSelector selects a reference to a Network to retrieve NetworkID.
	// +optional
	NetworkIDSelector *xpv1.NamespacedSelector `json:"networkIdSelector,omitempty"`

	// NetworkIDs are the IDs of networks.
	// +optional
	// +crossplane:generate:reference:type=Network
	NetworkIDs []string `json:"networkIds,omitempty"`

	// NetworkIDsRefs references Networks to retrieve NetworkIDs.
	// +optional
	NetworkIDsRefs []xpv1.NamespacedReference `json:"networkIdsRefs,omitempty"`

	// NetworkIDsSelector selects references to Networks to retrieve NetworkIDs.
	// +optional
	NetworkIDsSelector *xpv1.NamespacedSelector `json:"networkIdsSelector,omitempty"`
}

// ServerParameters are the desired state of a server.
type ServerParameters struct {
	// Text is a string.
	// +optional
	// +crossplane:generate:reference:type=Network
	Text string `json:"text,omitempty"`

	// TextRef references a Network to retrieve Text.
	// +optional
	TextRef *xpv1.NamespacedReference `json:"textRef,omitempty"`

	// TextSelector selects a reference to a Network to retrieve Text.
	// +optional
	TextSelector *xpv1.NamespacedSelector `json:"textSelector,omitempty"`

	// TextPointer is a string behind a pointer.
	// +optional
	// +crossplane:generate:reference:type=Network
	TextPointer *string `json:"textPointer,omitempty"`

	// TextPointerRef references a Network to retrieve TextPointer.
	// +optional
	TextPointerRef *xpv1.NamespacedReference `json:"textPointerRef,omitempty"`

	// TextPointerSelector selects a reference to a Network to retrieve TextPointer.
	// +optional
	TextPointerSelector *xpv1.NamespacedSelector `json:"textPointerSelector,omitempty"`

	// Texts are strings.
	// +optional
	// +crossplane:generate:reference:type=Network
	Texts []string `json:"texts,omitempty"`

	// TextsRefs references Networks to retrieve Texts.
	// +optional
	TextsRefs []xpv1.NamespacedReference `json:"textsRefs,omitempty"`

	// TextsSelector selects references to Networks to retrieve Texts.
	// +optional
	TextsSelector *xpv1.NamespacedSelector `json:"textsSelector,omitempty"`

	// TextPointers are strings behind pointers.
	// +optional
	// +crossplane:generate:reference:type=Network
	TextPointers []*string `json:"textPointers,omitempty"`

	// TextPointersRefs references Networks to retrieve TextPointers.
	// +optional
	TextPointersRefs []xpv1.NamespacedReference `json:"textPointersRefs,omitempty"`

	// TextPointersSelector selects references to Networks to retrieve TextPointers.
	// +optional
	TextPointersSelector *xpv1.NamespacedSelector `json:"textPointersSelector,omitempty"`

	// FloatPointer is a floating-point number behind a pointer.
	// +optional
	// +crossplane:generate:reference:type=Network
	FloatPointer *float64 `json:"floatPointer,omitempty"`

	// FloatPointerRef references a Network to retrieve FloatPointer.
	// +optional
	FloatPointerRef *xpv1.NamespacedReference `json:"floatPointerRef,omitempty"`

	// FloatPointerSelector selects a reference to a Network to retrieve FloatPointer.
	// +optional
	FloatPointerSelector *xpv1.NamespacedSelector `json:"floatPointerSelector,omitempty"`

	// Name is an annotation of the network that NetworkRef refers to.
	// +optional
	// +crossplane:generate:reference:type=Network
	// +crossplane:generate:reference:extractor=Annotation("example.org/name")
	// +crossplane:generate:reference:refFieldName=NetworkRef
	// +crossplane:generate:reference:selectorFieldName=NetworkSelector
	Name string `json:"name,omitempty"`

	// Path is another annotation of it.
	// +optional
	// +crossplane:generate:reference:type=Network
	// +crossplane:generate:reference:extractor=Annotation("example.org/path")
	// +crossplane:generate:reference:refFieldName=NetworkRef
	// +crossplane:generate:reference:selectorFieldName=NetworkSelector
	Path *string `json:"path,omitempty"`

	// NetworkRef references a Network to retrieve Name and Path.
	// +optional
	NetworkRef *xpv1.NamespacedReference `json:"networkRef,omitempty"`

	// NetworkSelector selects a reference to a Network to retrieve Name and Path.
	// +optional
	NetworkSelector *xpv1.NamespacedSelector `json:"networkSelector,omitempty"`

	// Link in a struct.
	// +optional
	Link Link `json:"link,omitempty"`

	// Pointer to a link.
	// +optional
	Pointer *Link `json:"pointer,omitempty"`

	// Links in a slice.
	// +optional
	Links []Link `json:"links,omitempty"`

	// Pointers to links in a slice.
	// +optional
	Pointers []*Link `json:"pointers,omitempty"`

	// Groups of links.
	// +optional
	Groups []Group `json:"groups,omitempty"`
}

// Group has links.
type Group struct {
	// Links in a slice.
	// +optional
	Links []Link `json:"links,omitempty"`

	// Pointer to a link.
	// +optional
	Pointer *Link `json:"pointer,omitempty"`
}

// NetworkSpec is the desired state of a network.
type NetworkSpec struct {
	xpv2.ManagedResourceSpec `json:",inline"`

	// ForProvider is the desired state outside.
	ForProvider NetworkParameters `json:"forProvider"`
}

// NetworkStatus is the observed state of a network.
type NetworkStatus struct {
	xpv1.ResourceStatus `json:",inline"`
}

// +kubebuilder:object:root=true
// +kubebuilder:subresource:status
// +kubebuilder:resource:scope=Namespaced

// A Network is a managed resource.
type Network struct {
	metav1.TypeMeta   `json:",inline"`
	metav1.ObjectMeta `json:"metadata,omitempty"`

	Spec   NetworkSpec   `json:"spec"`
	Status NetworkStatus `json:"status,omitempty"`
}

// +kubebuilder:object:root=true

// NetworkList is a list of networks.
type NetworkList struct {
	metav1.TypeMeta `json:",inline"`
	metav1.ListMeta `json:"metadata,omitempty"`
	Items           []Network `json:"items"`
}

// ServerSpec is the desired state of a server.
type ServerSpec struct {
	xpv2.ManagedResourceSpec `json:",inline"`

	// ForProvider is the desired state outside.
	ForProvider ServerParameters `json:"forProvider"`

	// InitProvider is what a server has in the beginning.
	// +optional
	InitProvider ServerParameters `json:"initProvider,omitempty"`
}

// ServerStatus is the observed state of a server.
type ServerStatus struct {
	xpv1.ResourceStatus `json:",inline"`
}

// +kubebuilder:object:root=true
// +kubebuilder:subresource:status
// +kubebuilder:resource:scope=Namespaced

// A Server is a managed resource.
type Server struct {
	metav1.TypeMeta   `json:",inline"`
	metav1.ObjectMeta `json:"metadata,omitempty"`

	Spec   ServerSpec   `json:"spec"`
	Status ServerStatus `json:"status,omitempty"`
}

// +kubebuilder:object:root=true

// ServerList is a list of servers.
type ServerList struct {
	metav1.TypeMeta `json:",inline"`
	metav1.ListMeta `json:"metadata,omitempty"`
	Items           []Server `json:"items"`
}
