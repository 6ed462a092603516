package v1

import (
	apiextensionsv1 "k8s.io/apiextensions-apiserver/pkg/apis/apiextensions/v1"
	"k8s.io/apimachinery/pkg/api/resource"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/util/intstr"

	xpv1 "github.com/crossplane/crossplane-runtime/v2/apis/common/v1"
	xpv2 "github.com/crossplane/crossplane-runtime/v2/apis/common/v2"
)

// A Tier says how fast a database is.
// +kubebuilder:validation:Enum=Basic;Fast
type Tier string

// Labels are those of a database.
type Labels map[string]string

// Placement is where a database is.
type Placement struct {
	// Region that the database is in.
	// +mrgen:identifier
	Region string `json:"region"`

	// Zone within the region.
	// +optional
	Zone *string `json:"zone,omitempty"`
}

// A Rule lets clients in.
type Rule struct {
	// Name of the rule.
	Name string `json:"name"`

	// Ports that the rule opens.
	// +optional
	Ports []int64 `json:"ports,omitempty"`

	// Priority of the rule: it was narrower before.
	// +optional
	Priority *int64 `json:"priority,omitempty"`

	// Comment is new.
	// +optional
	Comment *string `json:"comment,omitempty"`
}

// A Replica is a copy of the database.
type Replica struct {
	// Placement of the replica.
	Placement `json:",inline"`

	// Weight is new.
	// +optional
	Weight *int32 `json:"weight,omitempty"`
}

// Maintenance says when the database may be restarted.
type Maintenance struct {
	// Day of the week.
	Day string `json:"day"`

	// Window is new.
	// +optional
	// +kubebuilder:validation:XValidation:rule="duration(self) >= duration('0s')"
	Window *metav1.Duration `json:"window,omitempty"`
}

// Storage of the database, of which older versions have the size alone.
type Storage struct {
	// SizeGB is the size.
	// +optional
	// +mrgen:renamedFrom=spec.forProvider.size
	SizeGB *int64 `json:"sizeGB,omitempty"`

	// Class is new.
	// +optional
	Class *string `json:"class,omitempty"`
}

// Network is one that the database is reached through.
type Network struct {
	// ID of the network.
	ID string `json:"id"`

	// Public is new.
	// +optional
	Public *bool `json:"public,omitempty"`
}

// DatabaseParameters define the desired state of a Database.
type DatabaseParameters struct {
	Placement `json:",inline"`

	// Engine was optional.
	// +mrgen:identifier
	Engine string `json:"engine"`

	// Tier was any text.
	// +optional
	Tier *Tier `json:"tier,omitempty"`

	// Storage of the database.
	// +optional
	Storage *Storage `json:"storage,omitempty"`

	// MaxConnections had fewer bits.
	// +optional
	MaxConnections *int64 `json:"maxConnections,omitempty"`

	// Nodes had more bits, and is now required.
	// +mrgen:identifier
	Nodes int32 `json:"nodes"`

	// Rules that let clients in.
	// +optional
	// +listType=map
	// +listMapKey=name
	Rules []Rule `json:"rules,omitempty"`

	// Replicas by their names.
	// +optional
	Replicas map[string]Replica `json:"replicas,omitempty"`

	// Maintenance of the database, which was called upkeep.
	// +optional
	// +mrgen:renamedFrom=upkeep
	Maintenance *Maintenance `json:"maintenance,omitempty"`

	// Network was a list.
	// +optional
	// +mrgen:singleton
	Network *Network `json:"network,omitempty"`

	// Lifetime was a number of days.
	// +optional
	// +mrgen:renamedFrom=days
	// +mrgen:convertedBy=lifetime
	// +kubebuilder:validation:XValidation:rule="duration(self) >= duration('0s')"
	Lifetime *metav1.Duration `json:"lifetime,omitempty"`

	// Zones must be given, and needn't be before.
	Zones []string `json:"zones"`

	// Aliases was a pointer.
	// +optional
	Aliases []string `json:"aliases,omitempty"`

	// Flags are compared by value.
	// +optional
	Flags *[]string `json:"flags,omitempty"`

	// Labels of the database.
	// +optional
	Labels Labels `json:"labels,omitempty"`

	// Settings of the engine, as it has them.
	// +optional
	// +kubebuilder:pruning:PreserveUnknownFields
	Settings *runtime.RawExtension `json:"settings,omitempty"`

	// Extra is whatever the engine takes.
	// +optional
	Extra *apiextensionsv1.JSON `json:"extra,omitempty"`

	// Memory of each node.
	// +optional
	Memory *resource.Quantity `json:"memory,omitempty"`

	// Expires is when the database goes.
	// +optional
	Expires *metav1.Time `json:"expires,omitempty"`

	// Port that the database listens on.
	// +optional
	// +kubebuilder:validation:XValidation:rule="type(self) == string || self >= 0 && self < 65536",message="port must be less than 65536"
	Port *intstr.IntOrString `json:"port,omitempty"`

	// Certificate of the server.
	// +optional
	Certificate []byte `json:"certificate,omitempty"`

	// KMSKeyID encrypts the database.
	// +optional
	// +crossplane:generate:reference:type=Database
	KMSKeyID *string `json:"kmsKeyId,omitempty"`

	// KMSKeyIDRef refers to the key.
	// +optional
	KMSKeyIDRef *xpv1.NamespacedReference `json:"kmsKeyIdRef,omitempty"`

	// KMSKeyIDSelector selects the key.
	// +optional
	KMSKeyIDSelector *xpv1.NamespacedSelector `json:"kmsKeyIdSelector,omitempty"`

	// PasswordSecretRef has the password.
	// +optional
	PasswordSecretRef *xpv1.LocalSecretKeySelector `json:"passwordSecretRef,omitempty"`
}

// A DatabaseSpec defines the desired state of a Database.
type DatabaseSpec struct {
	xpv2.ManagedResourceSpec `json:",inline"`

	ForProvider DatabaseParameters `json:"forProvider"`
}

// DatabaseObservation is the observed state of a Database.
type DatabaseObservation struct {
	// Endpoint of the database.
	// +optional
	Endpoint string `json:"endpoint,omitempty"`

	// Since is when the database was ready.
	// +optional
	Since metav1.Time `json:"since,omitempty"`
}

// A DatabaseStatus represents the observed state of a Database.
type DatabaseStatus struct {
	xpv1.ResourceStatus `json:",inline"`

	AtProvider DatabaseObservation `json:"atProvider,omitempty"`
}

// A Database has a shape of each sort.
//
// +kubebuilder:object:root=true
// +kubebuilder:storageversion
// +kubebuilder:subresource:status
// +kubebuilder:resource:scope=Namespaced,categories={crossplane,managed,storage}
type Database struct {
	metav1.TypeMeta   `json:",inline"`
	metav1.ObjectMeta `json:"metadata,omitempty"`

	Spec   DatabaseSpec   `json:"spec"`
	Status DatabaseStatus `json:"status,omitempty"`
}

// DatabaseList contains a list of Databases.
//
// +kubebuilder:object:root=true
type DatabaseList struct {
	metav1.TypeMeta `json:",inline"`
	metav1.ListMeta `json:"metadata,omitempty"`
	Items           []Database `json:"items"`
}
