package v1alpha1

import (
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"github.com/crossplane/crossplane-runtime/v2/pkg/resource"
	xpv2 "github.com/crossplane/crossplane/apis/v2/core/v2"
)

// The types must conform to the interfaces of crossplane-runtime.
var (
	_ resource.ModernManaged = &Server{}
	_ resource.ManagedList   = &ServerList{}
)

// ServerParameters are the desired state of a server.
type ServerParameters struct {
	// Values of every type.
	// +optional
	Values Values `json:"values,omitempty"`

	// Network is the path of the network, which the reference to NetworkName is to.
	// +optional
	// +crossplane:generate:reference:type=Network
	// +crossplane:generate:reference:extractor=NetworkPath()
	// +crossplane:generate:reference:refFieldName=NetworkRef
	// +crossplane:generate:reference:selectorFieldName=NetworkSelector
	Network *string `json:"network,omitempty"`

	// NetworkName is an annotation of the network.
	// +optional
	// +crossplane:generate:reference:type=Network
	// +crossplane:generate:reference:extractor=Annotation("example.org/name")
	// +crossplane:generate:reference:refFieldName=NetworkRef
	// +crossplane:generate:reference:selectorFieldName=NetworkSelector
	NetworkName string `json:"networkName,omitempty"`

	// NetworkRef references a Network to retrieve Network and NetworkName.
	// +optional
	NetworkRef *xpv2.NamespacedReference `json:"networkRef,omitempty"`

	// NetworkSelector selects a reference to a Network to retrieve Network and
	// NetworkName.
	// +optional
	NetworkSelector *xpv2.NamespacedSelector `json:"networkSelector,omitempty"`

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

	// Slice behind a pointer.
	// +optional
	Slice *[]Link `json:"slice,omitempty"`

	// Matrix of links.
	// +optional
	Matrix [][]Link `json:"matrix,omitempty"`

	// ByName has links in a map.
	// +optional
	ByName map[string]Link `json:"byName,omitempty"`

	// PointersByName has pointers to links in a map.
	// +optional
	PointersByName map[string]*Link `json:"pointersByName,omitempty"`

	// Groups of links, by name and by zone.
	// +optional
	Groups map[string]map[Name][]Link `json:"groups,omitempty"`

	// SharedID is the ID of a network of the cluster.
	// +optional
	// +crossplane:generate:reference:type=github.com/mrgen-io/provider-references/apis/cluster/v1alpha1.Network
	SharedID *string `json:"sharedId,omitempty"`

	// SharedIDRef references a Network to retrieve SharedID.
	// +optional
	SharedIDRef *xpv2.NamespacedReference `json:"sharedIdRef,omitempty"`

	// SharedIDSelector selects a reference to a Network to retrieve SharedID.
	// +optional
	SharedIDSelector *xpv2.NamespacedSelector `json:"sharedIdSelector,omitempty"`

	// SharedIDs are the IDs of networks of the cluster.
	// +optional
	// +crossplane:generate:reference:type=github.com/mrgen-io/provider-references/apis/cluster/v1alpha1.Network
	SharedIDs []string `json:"sharedIds,omitempty"`

	// SharedIDsRefs references Networks to retrieve SharedIDs.
	// +optional
	SharedIDsRefs []xpv2.NamespacedReference `json:"sharedIdsRefs,omitempty"`

	// SharedIDsSelector selects references to Networks to retrieve SharedIDs.
	// +optional
	SharedIDsSelector *xpv2.NamespacedSelector `json:"sharedIdsSelector,omitempty"`

	Embedded         `json:",inline"`
	*EmbeddedPointer `json:",inline"`
}

// Embedded has a reference.
type Embedded struct {
	// EmbeddedID is the ID of a network.
	// +optional
	// +crossplane:generate:reference:type=Network
	EmbeddedID *string `json:"embeddedId,omitempty"`

	// EmbeddedIDRef references a Network to retrieve EmbeddedID.
	// +optional
	EmbeddedIDRef *xpv2.NamespacedReference `json:"embeddedIdRef,omitempty"`

	// EmbeddedIDSelector selects a reference to a Network to retrieve EmbeddedID.
	// +optional
	EmbeddedIDSelector *xpv2.NamespacedSelector `json:"embeddedIdSelector,omitempty"`
}

// EmbeddedPointer has a reference.
type EmbeddedPointer struct {
	// PointedID is the ID of a network.
	// +optional
	// +crossplane:generate:reference:type=Network
	PointedID *string `json:"pointedId,omitempty"`

	// PointedIDRef references a Network to retrieve PointedID.
	// +optional
	PointedIDRef *xpv2.NamespacedReference `json:"pointedIdRef,omitempty"`

	// PointedIDSelector selects a reference to a Network to retrieve PointedID.
	// +optional
	PointedIDSelector *xpv2.NamespacedSelector `json:"pointedIdSelector,omitempty"`
}

// Name is a named string.
type Name string

// Count is a named integer.
type Count int64

// Ratio is a named floating-point number.
type Ratio float64

// NameList is a named slice.
type NameList []Name

// Values are of every type that a reference can be resolved to.
type Values struct {
	// Text is a string.
	// +optional
	// +crossplane:generate:reference:type=Network
	Text string `json:"text,omitempty"`

	// TextRef references a Network to retrieve Text.
	// +optional
	TextRef *xpv2.NamespacedReference `json:"textRef,omitempty"`

	// TextSelector selects a reference to a Network to retrieve Text.
	// +optional
	TextSelector *xpv2.NamespacedSelector `json:"textSelector,omitempty"`

	// TextPointer is a string behind a pointer.
	// +optional
	// +crossplane:generate:reference:type=Network
	TextPointer *string `json:"textPointer,omitempty"`

	// TextPointerRef references a Network to retrieve TextPointer.
	// +optional
	TextPointerRef *xpv2.NamespacedReference `json:"textPointerRef,omitempty"`

	// TextPointerSelector selects a reference to a Network to retrieve TextPointer.
	// +optional
	TextPointerSelector *xpv2.NamespacedSelector `json:"textPointerSelector,omitempty"`

	// Texts are several of these.
	// +optional
	// +crossplane:generate:reference:type=Network
	Texts []string `json:"texts,omitempty"`

	// TextsRefs references Networks to retrieve Texts.
	// +optional
	TextsRefs []xpv2.NamespacedReference `json:"textsRefs,omitempty"`

	// TextsSelector selects references to Networks to retrieve Texts.
	// +optional
	TextsSelector *xpv2.NamespacedSelector `json:"textsSelector,omitempty"`

	// TextPointers are pointers to several of these.
	// +optional
	// +crossplane:generate:reference:type=Network
	TextPointers []*string `json:"textPointers,omitempty"`

	// TextPointersRefs references Networks to retrieve TextPointers.
	// +optional
	TextPointersRefs []xpv2.NamespacedReference `json:"textPointersRefs,omitempty"`

	// TextPointersSelector selects references to Networks to retrieve TextPointers.
	// +optional
	TextPointersSelector *xpv2.NamespacedSelector `json:"textPointersSelector,omitempty"`

	// Name is a named string.
	// +optional
	// +crossplane:generate:reference:type=Network
	Name Name `json:"name,omitempty"`

	// NameRef references a Network to retrieve Name.
	// +optional
	NameRef *xpv2.NamespacedReference `json:"nameRef,omitempty"`

	// NameSelector selects a reference to a Network to retrieve Name.
	// +optional
	NameSelector *xpv2.NamespacedSelector `json:"nameSelector,omitempty"`

	// NamePointer is a named string behind a pointer.
	// +optional
	// +crossplane:generate:reference:type=Network
	NamePointer *Name `json:"namePointer,omitempty"`

	// NamePointerRef references a Network to retrieve NamePointer.
	// +optional
	NamePointerRef *xpv2.NamespacedReference `json:"namePointerRef,omitempty"`

	// NamePointerSelector selects a reference to a Network to retrieve NamePointer.
	// +optional
	NamePointerSelector *xpv2.NamespacedSelector `json:"namePointerSelector,omitempty"`

	// Names are several of these.
	// +optional
	// +crossplane:generate:reference:type=Network
	Names []Name `json:"names,omitempty"`

	// NamesRefs references Networks to retrieve Names.
	// +optional
	NamesRefs []xpv2.NamespacedReference `json:"namesRefs,omitempty"`

	// NamesSelector selects references to Networks to retrieve Names.
	// +optional
	NamesSelector *xpv2.NamespacedSelector `json:"namesSelector,omitempty"`

	// NamePointers are pointers to several of these.
	// +optional
	// +crossplane:generate:reference:type=Network
	NamePointers []*Name `json:"namePointers,omitempty"`

	// NamePointersRefs references Networks to retrieve NamePointers.
	// +optional
	NamePointersRefs []xpv2.NamespacedReference `json:"namePointersRefs,omitempty"`

	// NamePointersSelector selects references to Networks to retrieve NamePointers.
	// +optional
	NamePointersSelector *xpv2.NamespacedSelector `json:"namePointersSelector,omitempty"`

	// Integer is an integer.
	// +optional
	// +crossplane:generate:reference:type=Network
	Integer int64 `json:"integer,omitempty"`

	// IntegerRef references a Network to retrieve Integer.
	// +optional
	IntegerRef *xpv2.NamespacedReference `json:"integerRef,omitempty"`

	// IntegerSelector selects a reference to a Network to retrieve Integer.
	// +optional
	IntegerSelector *xpv2.NamespacedSelector `json:"integerSelector,omitempty"`

	// IntegerPointer is an integer behind a pointer.
	// +optional
	// +crossplane:generate:reference:type=Network
	IntegerPointer *int64 `json:"integerPointer,omitempty"`

	// IntegerPointerRef references a Network to retrieve IntegerPointer.
	// +optional
	IntegerPointerRef *xpv2.NamespacedReference `json:"integerPointerRef,omitempty"`

	// IntegerPointerSelector selects a reference to a Network to retrieve IntegerPointer.
	// +optional
	IntegerPointerSelector *xpv2.NamespacedSelector `json:"integerPointerSelector,omitempty"`

	// Integers are several of these.
	// +optional
	// +crossplane:generate:reference:type=Network
	Integers []int64 `json:"integers,omitempty"`

	// IntegersRefs references Networks to retrieve Integers.
	// +optional
	IntegersRefs []xpv2.NamespacedReference `json:"integersRefs,omitempty"`

	// IntegersSelector selects references to Networks to retrieve Integers.
	// +optional
	IntegersSelector *xpv2.NamespacedSelector `json:"integersSelector,omitempty"`

	// IntegerPointers are pointers to several of these.
	// +optional
	// +crossplane:generate:reference:type=Network
	IntegerPointers []*int64 `json:"integerPointers,omitempty"`

	// IntegerPointersRefs references Networks to retrieve IntegerPointers.
	// +optional
	IntegerPointersRefs []xpv2.NamespacedReference `json:"integerPointersRefs,omitempty"`

	// IntegerPointersSelector selects references to Networks to retrieve IntegerPointers.
	// +optional
	IntegerPointersSelector *xpv2.NamespacedSelector `json:"integerPointersSelector,omitempty"`

	// Count is a named integer.
	// +optional
	// +crossplane:generate:reference:type=Network
	Count Count `json:"count,omitempty"`

	// CountRef references a Network to retrieve Count.
	// +optional
	CountRef *xpv2.NamespacedReference `json:"countRef,omitempty"`

	// CountSelector selects a reference to a Network to retrieve Count.
	// +optional
	CountSelector *xpv2.NamespacedSelector `json:"countSelector,omitempty"`

	// CountPointer is a named integer behind a pointer.
	// +optional
	// +crossplane:generate:reference:type=Network
	CountPointer *Count `json:"countPointer,omitempty"`

	// CountPointerRef references a Network to retrieve CountPointer.
	// +optional
	CountPointerRef *xpv2.NamespacedReference `json:"countPointerRef,omitempty"`

	// CountPointerSelector selects a reference to a Network to retrieve CountPointer.
	// +optional
	CountPointerSelector *xpv2.NamespacedSelector `json:"countPointerSelector,omitempty"`

	// Counts are several of these.
	// +optional
	// +crossplane:generate:reference:type=Network
	Counts []Count `json:"counts,omitempty"`

	// CountsRefs references Networks to retrieve Counts.
	// +optional
	CountsRefs []xpv2.NamespacedReference `json:"countsRefs,omitempty"`

	// CountsSelector selects references to Networks to retrieve Counts.
	// +optional
	CountsSelector *xpv2.NamespacedSelector `json:"countsSelector,omitempty"`

	// CountPointers are pointers to several of these.
	// +optional
	// +crossplane:generate:reference:type=Network
	CountPointers []*Count `json:"countPointers,omitempty"`

	// CountPointersRefs references Networks to retrieve CountPointers.
	// +optional
	CountPointersRefs []xpv2.NamespacedReference `json:"countPointersRefs,omitempty"`

	// CountPointersSelector selects references to Networks to retrieve CountPointers.
	// +optional
	CountPointersSelector *xpv2.NamespacedSelector `json:"countPointersSelector,omitempty"`

	// Float is a floating-point number.
	// +optional
	// +crossplane:generate:reference:type=Network
	Float float64 `json:"float,omitempty"`

	// FloatRef references a Network to retrieve Float.
	// +optional
	FloatRef *xpv2.NamespacedReference `json:"floatRef,omitempty"`

	// FloatSelector selects a reference to a Network to retrieve Float.
	// +optional
	FloatSelector *xpv2.NamespacedSelector `json:"floatSelector,omitempty"`

	// FloatPointer is a floating-point number behind a pointer.
	// +optional
	// +crossplane:generate:reference:type=Network
	FloatPointer *float64 `json:"floatPointer,omitempty"`

	// FloatPointerRef references a Network to retrieve FloatPointer.
	// +optional
	FloatPointerRef *xpv2.NamespacedReference `json:"floatPointerRef,omitempty"`

	// FloatPointerSelector selects a reference to a Network to retrieve FloatPointer.
	// +optional
	FloatPointerSelector *xpv2.NamespacedSelector `json:"floatPointerSelector,omitempty"`

	// Floats are several of these.
	// +optional
	// +crossplane:generate:reference:type=Network
	Floats []float64 `json:"floats,omitempty"`

	// FloatsRefs references Networks to retrieve Floats.
	// +optional
	FloatsRefs []xpv2.NamespacedReference `json:"floatsRefs,omitempty"`

	// FloatsSelector selects references to Networks to retrieve Floats.
	// +optional
	FloatsSelector *xpv2.NamespacedSelector `json:"floatsSelector,omitempty"`

	// FloatPointers are pointers to several of these.
	// +optional
	// +crossplane:generate:reference:type=Network
	FloatPointers []*float64 `json:"floatPointers,omitempty"`

	// FloatPointersRefs references Networks to retrieve FloatPointers.
	// +optional
	FloatPointersRefs []xpv2.NamespacedReference `json:"floatPointersRefs,omitempty"`

	// FloatPointersSelector selects references to Networks to retrieve FloatPointers.
	// +optional
	FloatPointersSelector *xpv2.NamespacedSelector `json:"floatPointersSelector,omitempty"`

	// Ratio is a named floating-point number.
	// +optional
	// +crossplane:generate:reference:type=Network
	Ratio Ratio `json:"ratio,omitempty"`

	// RatioRef references a Network to retrieve Ratio.
	// +optional
	RatioRef *xpv2.NamespacedReference `json:"ratioRef,omitempty"`

	// RatioSelector selects a reference to a Network to retrieve Ratio.
	// +optional
	RatioSelector *xpv2.NamespacedSelector `json:"ratioSelector,omitempty"`

	// RatioPointer is a named floating-point number behind a pointer.
	// +optional
	// +crossplane:generate:reference:type=Network
	RatioPointer *Ratio `json:"ratioPointer,omitempty"`

	// RatioPointerRef references a Network to retrieve RatioPointer.
	// +optional
	RatioPointerRef *xpv2.NamespacedReference `json:"ratioPointerRef,omitempty"`

	// RatioPointerSelector selects a reference to a Network to retrieve RatioPointer.
	// +optional
	RatioPointerSelector *xpv2.NamespacedSelector `json:"ratioPointerSelector,omitempty"`

	// Ratios are several of these.
	// +optional
	// +crossplane:generate:reference:type=Network
	Ratios []Ratio `json:"ratios,omitempty"`

	// RatiosRefs references Networks to retrieve Ratios.
	// +optional
	RatiosRefs []xpv2.NamespacedReference `json:"ratiosRefs,omitempty"`

	// RatiosSelector selects references to Networks to retrieve Ratios.
	// +optional
	RatiosSelector *xpv2.NamespacedSelector `json:"ratiosSelector,omitempty"`

	// RatioPointers are pointers to several of these.
	// +optional
	// +crossplane:generate:reference:type=Network
	RatioPointers []*Ratio `json:"ratioPointers,omitempty"`

	// RatioPointersRefs references Networks to retrieve RatioPointers.
	// +optional
	RatioPointersRefs []xpv2.NamespacedReference `json:"ratioPointersRefs,omitempty"`

	// RatioPointersSelector selects references to Networks to retrieve RatioPointers.
	// +optional
	RatioPointersSelector *xpv2.NamespacedSelector `json:"ratioPointersSelector,omitempty"`

	// NameList is a named slice of named strings.
	// +optional
	// +crossplane:generate:reference:type=Network
	NameList NameList `json:"nameList,omitempty"`

	// NameListRefs references Networks to retrieve NameList.
	// +optional
	NameListRefs []xpv2.NamespacedReference `json:"nameListRefs,omitempty"`

	// NameListSelector selects references to Networks to retrieve NameList.
	// +optional
	NameListSelector *xpv2.NamespacedSelector `json:"nameListSelector,omitempty"`
}

// A Link is a struct with a reference.
type Link struct {
	// NetworkID is the ID of the network.
	// +optional
	// +crossplane:generate:reference:type=Network
	NetworkID *string `json:"networkId,omitempty"`

	// NetworkIDRef references a Network to retrieve NetworkID.
	// +optional
	NetworkIDRef *xpv2.NamespacedReference `json:"networkIdRef,omitempty"`

	// NetworkIDSelector selects a reference to a Network to retrieve NetworkID.
	// +optional
	NetworkIDSelector *xpv2.NamespacedSelector `json:"networkIdSelector,omitempty"`
}

// A ServerSpec defines the desired state of a Server.
type ServerSpec struct {
	xpv2.ManagedResourceSpec `json:",inline"`

	ForProvider ServerParameters `json:"forProvider"`

	// InitProvider is the first state of a server.
	// +optional
	InitProvider *ServerInitParameters `json:"initProvider,omitempty"`
}

// ServerInitParameters are the first state of a server.
type ServerInitParameters struct {
	// Link in a struct.
	// +optional
	Link Link `json:"link,omitempty"`
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
// +kubebuilder:resource:scope=Namespaced,categories={crossplane,managed,references}
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
