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
	_ resource.ModernManaged = &DatabaseInstance{}
	_ resource.ManagedList   = &DatabaseInstanceList{}
)

// ActivationPolicy says when an instance is active.
// +kubebuilder:validation:Enum=ALWAYS;NEVER;ON_DEMAND
type ActivationPolicy string

// Activation policies.
const (
	ActivationPolicyAlways   ActivationPolicy = "ALWAYS"
	ActivationPolicyNever    ActivationPolicy = "NEVER"
	ActivationPolicyOnDemand ActivationPolicy = "ON_DEMAND"
)

// AvailabilityType says how an instance bears the loss of a zone.
// +kubebuilder:validation:Enum=REGIONAL;ZONAL
type AvailabilityType string

// Availability types.
const (
	AvailabilityTypeRegional AvailabilityType = "REGIONAL"
	AvailabilityTypeZonal    AvailabilityType = "ZONAL"
)

// A DatabaseFlag is a flag that is passed to the database at startup.
type DatabaseFlag struct {
	// The name of the flag.
	Name string `json:"name"`

	// The value of the flag. Booleans should be set to on for true and off for
	// false.
	// +optional
	Value *string `json:"value,omitempty"`
}

// An AuthorizedNetwork is allowed to connect to an instance by its IP address.
type AuthorizedNetwork struct {
	// The time at which this access expires.
	// +optional
	ExpirationTime *metav1.Time `json:"expirationTime,omitempty"`

	// The allowed network in CIDR notation.
	Value string `json:"value"`
}

// IPConfiguration says how an instance is reached by IP.
type IPConfiguration struct {
	// The networks that are allowed to connect to the instance, by name.
	// +optional
	AuthorizedNetworks map[string]AuthorizedNetwork `json:"authorizedNetworks,omitempty"`

	// Whether the instance is assigned a public IP address.
	// +optional
	IPv4Enabled *bool `json:"ipv4Enabled,omitempty"`

	// The URL of the VPC network from which the instance is accessible for private
	// IP.
	// +optional
	PrivateNetwork *string `json:"privateNetwork,omitempty"`
}

// DatabaseInstanceSettings are the settings of an instance.
type DatabaseInstanceSettings struct {
	// When the instance is active.
	// +optional
	ActivationPolicy *ActivationPolicy `json:"activationPolicy,omitempty"`

	// The availability of the instance.
	// +optional
	AvailabilityType *AvailabilityType `json:"availabilityType,omitempty"`

	// The database flags that are passed to the instance at startup.
	// +optional
	// +listType=map
	// +listMapKey=name
	DatabaseFlags []*DatabaseFlag `json:"databaseFlags,omitempty"`

	// The size of the data disk, in GB. The size of a running instance can't be
	// reduced but can be increased.
	// +optional
	// +kubebuilder:validation:Minimum=10
	// +mrgen:convert:name=DataDiskSizeGB
	DiskSize *int64 `json:"diskSize,omitempty"`

	// How the instance is reached by IP.
	// +optional
	IPConfiguration *IPConfiguration `json:"ipConfiguration,omitempty"`

	// The pricing plan of the instance.
	// +optional
	PricingPlan *string `json:"pricingPlan,omitempty"`

	// The machine type to use.
	Tier string `json:"tier"`

	// A set of key/value user label pairs to assign to the instance.
	// +optional
	UserLabels map[string]*string `json:"userLabels,omitempty"`
}

// CloneSource is the instance that a new instance is cloned from.
type CloneSource struct {
	// The time to which the clone is restored, for example
	// 2023-02-22T07:16:51Z. By default the clone has the latest state.
	// +optional
	PointInTime *metav1.Time `json:"pointInTime,omitempty"`

	// The name of the instance that is cloned.
	// +optional
	// +crossplane:generate:reference:type=DatabaseInstance
	SourceInstanceName *string `json:"sourceInstanceName,omitempty"`

	// SourceInstanceNameRef references a DatabaseInstance to retrieve its name.
	// +optional
	SourceInstanceNameRef *xpv2.NamespacedReference `json:"sourceInstanceNameRef,omitempty"`

	// SourceInstanceNameSelector selects a reference to a DatabaseInstance to
	// retrieve its name.
	// +optional
	SourceInstanceNameSelector *xpv2.NamespacedSelector `json:"sourceInstanceNameSelector,omitempty"`
}

// ReplicaConfiguration is how a replica connects to its primary instance.
type ReplicaConfiguration struct {
	// PEM representation of the replica's x509 certificate.
	// +optional
	ClientCertificate *string `json:"clientCertificate,omitempty"`

	// PEM representation of the replica's private key. The corresponding public key
	// is encoded in the client's certificate.
	// +optional
	// +mrgen:sensitive
	ClientKey *string `json:"clientKey,omitempty"`

	// A reference to the secret key with the password for the replication
	// connection.
	// +optional
	PasswordSecretRef *xpv2.LocalSecretKeySelector `json:"passwordSecretRef,omitempty"`

	// The username for the replication connection.
	// +optional
	Username *string `json:"username,omitempty"`
}

// DatabaseInstanceParameters define the desired state of a Google Cloud SQL
// instance.
type DatabaseInstanceParameters struct {
	// The instance that this instance is cloned from.
	// +optional
	// +immutable
	Clone *CloneSource `json:"clone,omitempty"`

	// The database engine type and version, for example POSTGRES_14.
	// +kubebuilder:validation:Required
	// +immutable
	DatabaseVersion *string `json:"databaseVersion,omitempty"`

	// Whether the instance is protected from deletion.
	// +optional
	DeletionProtection *bool `json:"deletionProtection,omitempty"`

	// The region of the instance.
	// +immutable
	// +mrgen:identifier
	Region string `json:"region"`

	// How this instance connects to its primary instance, if it is a replica.
	// +optional
	ReplicaConfiguration *ReplicaConfiguration `json:"replicaConfiguration,omitempty"`

	// A reference to the secret key with the initial password of the root user. If
	// it is not set, a random password is generated.
	// +optional
	RootPasswordSecretRef *xpv2.LocalSecretKeySelector `json:"rootPasswordSecretRef,omitempty"`

	// The settings of the instance. Required unless the instance is a clone.
	// +optional
	// +kubebuilder:validation:MaxItems=1
	Settings []DatabaseInstanceSettings `json:"settings,omitempty"`
}

// A DatabaseInstanceSpec defines the desired state of a DatabaseInstance.
type DatabaseInstanceSpec struct {
	xpv2.ManagedResourceSpec `json:",inline"`

	ForProvider DatabaseInstanceParameters `json:"forProvider"`
}

// DatabaseInstanceSettingsObservation are the observed settings of an instance.
type DatabaseInstanceSettingsObservation struct {
	ObservedDatabaseInstanceSettings `json:",inline"`

	// The version of the settings, which changes with each update.
	Version *int64 `json:"version,omitempty"`
}

// DatabaseInstanceObservation is the observed state of a DatabaseInstance.
type DatabaseInstanceObservation struct {
	ObservedDatabaseInstanceParameters `json:",inline"`

	// The connection name of the instance, to be used in connection strings.
	// +mrgen:connectionDetail
	ConnectionName *string `json:"connectionName,omitempty"`

	// The first IPv4 address of any type assigned to the instance.
	// +mrgen:connectionDetail:name=endpoint
	FirstIPAddress *string `json:"firstIpAddress,omitempty"`

	// The name of the instance.
	ID *string `json:"id,omitempty"`

	// The first private IPv4 address assigned to the instance.
	// +mrgen:connectionDetail:name=privateIP
	PrivateIPAddress *string `json:"privateIpAddress,omitempty"`

	// The first public IPv4 address assigned to the instance.
	// +mrgen:connectionDetail:name=publicIP,description="The public IPv4 address, unless the instance has a private one only"
	PublicIPAddress *string `json:"publicIpAddress,omitempty"`

	// The settings of the instance.
	Settings []DatabaseInstanceSettingsObservation `json:"settings,omitempty"`
}

// A DatabaseInstanceStatus represents the observed state of a DatabaseInstance.
type DatabaseInstanceStatus struct {
	xpv2.ManagedResourceStatus `json:",inline"`

	AtProvider DatabaseInstanceObservation `json:"atProvider,omitempty"`
}

// +kubebuilder:object:root=true

// A DatabaseInstance is a managed resource that represents a Google Cloud SQL
// instance.
// +kubebuilder:printcolumn:name="READY",type="string",JSONPath=".status.conditions[?(@.type=='Ready')].status"
// +kubebuilder:printcolumn:name="SYNCED",type="string",JSONPath=".status.conditions[?(@.type=='Synced')].status"
// +kubebuilder:printcolumn:name="EXTERNAL-NAME",type="string",JSONPath=".metadata.annotations.crossplane\\.io/external-name"
// +kubebuilder:printcolumn:name="VERSION",type="string",JSONPath=".spec.forProvider.databaseVersion"
// +kubebuilder:printcolumn:name="AGE",type="date",JSONPath=".metadata.creationTimestamp"
// +kubebuilder:subresource:status
// +kubebuilder:resource:scope=Namespaced,categories={crossplane,managed,gcp}
// +mrgen:connectionDetail:name=username,description="The name of the root user"
// +mrgen:connectionDetail:name=password,description="The password of the root user"
type DatabaseInstance struct {
	metav1.TypeMeta   `json:",inline"`
	metav1.ObjectMeta `json:"metadata,omitempty"`

	Spec   DatabaseInstanceSpec   `json:"spec"`
	Status DatabaseInstanceStatus `json:"status,omitempty"`
}

// +kubebuilder:object:root=true

// DatabaseInstanceList contains a list of DatabaseInstance.
type DatabaseInstanceList struct {
	metav1.TypeMeta `json:",inline"`
	metav1.ListMeta `json:"metadata,omitempty"`
	Items           []DatabaseInstance `json:"items"`
}

// DatabaseInstance type metadata.
var (
	DatabaseInstanceKind             = reflect.TypeOf(DatabaseInstance{}).Name()
	DatabaseInstanceGroupKind        = schema.GroupKind{Group: Group, Kind: DatabaseInstanceKind}.String()
	DatabaseInstanceKindAPIVersion   = DatabaseInstanceKind + "." + SchemeGroupVersion.String()
	DatabaseInstanceGroupVersionKind = SchemeGroupVersion.WithKind(DatabaseInstanceKind)
)

func init() {
	SchemeBuilder.Register(&DatabaseInstance{}, &DatabaseInstanceList{})
}
