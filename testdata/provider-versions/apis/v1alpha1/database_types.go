package v1alpha1

import (
	apiextensionsv1 "k8s.io/apiextensions-apiserver/pkg/apis/apiextensions/v1"
	"k8s.io/apimachinery/pkg/api/resource"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/util/intstr"

	xpv1 "github.com/crossplane/crossplane-runtime/v2/apis/common/v1"
	xpv2 "github.com/crossplane/crossplane-runtime/v2/apis/common/v2"
)

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

	// Priority of the rule.
	// +optional
	Priority *int32 `json:"priority,omitempty"`

	// Legacy is gone.
	// +optional
	Legacy *bool `json:"legacy,omitempty"`
}

// A Replica is a copy of the database.
type Replica struct {
	// Placement of the replica.
	Placement `json:",inline"`
}

// Maintenance says when the database may be restarted.
type Maintenance struct {
	// Day of the week.
	Day string `json:"day"`
}

// Network is one that the database is reached through.
type Network struct {
	// ID of the network.
	ID string `json:"id"`
}

// Retired says what a database had.
type Retired struct {
	// Reason for the end.
	Reason string `json:"reason"`

	// Steps that were done.
	// +optional
	Steps []string `json:"steps,omitempty"`
}

// DatabaseParameters define the desired state of a Database.
type DatabaseParameters struct {
	Placement `json:",inline"`

	// Engine of the database.
	// +optional
	Engine *string `json:"engine,omitempty"`

	// Tier says how fast the database is.
	// +optional
	Tier string `json:"tier,omitempty"`

	// Size of the database.
	// +optional
	Size int64 `json:"size,omitempty"`

	// MaxConnections at a time.
	// +optional
	MaxConnections int32 `json:"maxConnections,omitempty"`

	// Nodes that the database has.
	// +optional
	Nodes *int64 `json:"nodes,omitempty"`

	// Retired is gone.
	// +optional
	Retired *Retired `json:"retired,omitempty"`

	// Rules that let clients in.
	// +optional
	// +listType=map
	// +listMapKey=name
	Rules []Rule `json:"rules,omitempty"`

	// Replicas by their names.
	// +optional
	Replicas map[string]Replica `json:"replicas,omitempty"`

	// Upkeep of the database.
	// +optional
	Upkeep *Maintenance `json:"upkeep,omitempty"`

	// Network of the database.
	// +optional
	// +kubebuilder:validation:MaxItems=1
	Network []Network `json:"network,omitempty"`

	// Days until the database goes.
	// +optional
	Days int64 `json:"days,omitempty"`

	// Zones of the database.
	// +optional
	Zones []string `json:"zones,omitempty"`

	// Aliases of the database.
	// +optional
	Aliases *[]string `json:"aliases,omitempty"`

	// Flags of the database.
	// +optional
	Flags []string `json:"flags,omitempty"`

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
	Memory resource.Quantity `json:"memory,omitempty"`

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
	Since *metav1.Time `json:"since,omitempty"`

	// Ticket of the support is gone.
	// +optional
	Ticket string `json:"ticket,omitempty"`
}

// A DatabaseStatus represents the observed state of a Database.
type DatabaseStatus struct {
	xpv1.ResourceStatus `json:",inline"`

	AtProvider DatabaseObservation `json:"atProvider,omitempty"`
}

// A Database has a shape of each sort.
//
// +kubebuilder:object:root=true
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
