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
	_ resource.LegacyManaged = &Cluster{}
	_ resource.ManagedList   = &ClusterList{}
)

// LogType is a type of control plane log.
// +kubebuilder:validation:Enum=api;audit;authenticator;controllerManager;scheduler
type LogType string

// Log types.
const (
	LogTypeAPI               LogType = "api"
	LogTypeAudit             LogType = "audit"
	LogTypeAuthenticator     LogType = "authenticator"
	LogTypeControllerManager LogType = "controllerManager"
	LogTypeScheduler         LogType = "scheduler"
)

// IPFamily is the family of the addresses of pods and services.
// +kubebuilder:validation:Enum=ipv4;ipv6
type IPFamily string

// IP families.
const (
	IPFamilyIPv4 IPFamily = "ipv4"
	IPFamilyIPv6 IPFamily = "ipv6"
)

// CIDRBlocks are network ranges in CIDR notation.
// +listType=set
type CIDRBlocks []string

// KubernetesNetworkConfig is the Kubernetes network configuration of a cluster.
type KubernetesNetworkConfig struct {
	// IPFamily is used to assign Kubernetes pod and service IP addresses.
	// +optional
	// +immutable
	// +kubebuilder:default=ipv4
	IPFamily *IPFamily `json:"ipFamily,omitempty"`

	// ServiceIPv4CIDR is the CIDR block to assign Kubernetes service IP addresses
	// from. If you don't specify a block, Kubernetes assigns addresses from either
	// the 10.100.0.0/16 or 172.20.0.0/16 CIDR blocks.
	// +optional
	// +immutable
	ServiceIPv4CIDR *string `json:"serviceIpv4Cidr,omitempty"`
}

// LogSetup enables or disables types of control plane logs.
type LogSetup struct {
	// If a log type is enabled, that log type exports its control plane logs to
	// CloudWatch Logs. Each individual log type can be enabled or disabled
	// independently.
	// +optional
	Enabled *bool `json:"enabled,omitempty"`

	// The available cluster control plane log types.
	// +optional
	Types []LogType `json:"types,omitempty"`
}

// Logging is the logging configuration of a cluster.
type Logging struct {
	// The cluster control plane logging configuration for your cluster.
	ClusterLogging []LogSetup `json:"clusterLogging"`
}

// VPCConfigRequest is the VPC configuration of a cluster.
type VPCConfigRequest struct {
	// Set this value to true to enable private access for your cluster's Kubernetes
	// API server endpoint. The default value for this parameter is false.
	// +optional
	EndpointPrivateAccess *bool `json:"endpointPrivateAccess,omitempty"`

	// Set this value to false to disable public access for your cluster's Kubernetes
	// API server endpoint. The default value for this parameter is true.
	// +optional
	EndpointPublicAccess *bool `json:"endpointPublicAccess,omitempty"`

	// The CIDR blocks that are allowed access to your cluster's public Kubernetes
	// API server endpoint. The default value is 0.0.0.0/0.
	// +optional
	PublicAccessCIDRs CIDRBlocks `json:"publicAccessCidrs,omitempty"`

	// The security groups for the cross-account elastic network interfaces that
	// Amazon EKS creates to allow communication between your worker nodes and the
	// Kubernetes control plane.
	// +optional
	// +immutable
	// +crossplane:generate:reference:type=github.com/mrgen-io/provider-example/apis/cluster/ec2/v1beta1.SecurityGroup
	// +crossplane:generate:reference:refFieldName=SecurityGroupIDRefs
	// +crossplane:generate:reference:selectorFieldName=SecurityGroupIDSelector
	SecurityGroupIDs []string `json:"securityGroupIds,omitempty"`

	// SecurityGroupIDRefs are references to SecurityGroups used to set the
	// SecurityGroupIDs.
	// +optional
	// +immutable
	SecurityGroupIDRefs []xpv2.Reference `json:"securityGroupIdRefs,omitempty"`

	// SecurityGroupIDSelector selects references to SecurityGroups used to set the
	// SecurityGroupIDs.
	// +optional
	SecurityGroupIDSelector *xpv2.Selector `json:"securityGroupIdSelector,omitempty"`

	// The subnets for your Amazon EKS worker nodes. Amazon EKS creates cross-account
	// elastic network interfaces in these subnets.
	// +optional
	// +immutable
	// +crossplane:generate:reference:type=github.com/mrgen-io/provider-example/apis/cluster/ec2/v1beta1.Subnet
	// +crossplane:generate:reference:refFieldName=SubnetIDRefs
	// +crossplane:generate:reference:selectorFieldName=SubnetIDSelector
	SubnetIDs []string `json:"subnetIds,omitempty"`

	// SubnetIDRefs are references to Subnets used to set the SubnetIDs.
	// +optional
	// +immutable
	SubnetIDRefs []xpv2.Reference `json:"subnetIdRefs,omitempty"`

	// SubnetIDSelector selects references to Subnets used to set the SubnetIDs.
	// +optional
	SubnetIDSelector *xpv2.Selector `json:"subnetIdSelector,omitempty"`
}

// ClusterParameters define the desired state of an AWS Elastic Kubernetes
// Service cluster.
type ClusterParameters struct {
	// Region is the region you'd like your Cluster to be created in.
	// +immutable
	// +mrgen:identifier
	Region string `json:"region"`

	// The Kubernetes network configuration for the cluster.
	// +optional
	KubernetesNetworkConfig *KubernetesNetworkConfig `json:"kubernetesNetworkConfig,omitempty"`

	// Enable or disable exporting the Kubernetes control plane logs for your cluster
	// to CloudWatch Logs. By default, cluster control plane logs aren't exported
	// to CloudWatch Logs.
	// +optional
	Logging *Logging `json:"logging,omitempty"`

	// The VPC configuration used by the cluster control plane. You must specify at
	// least two subnets.
	// +kubebuilder:validation:Required
	ResourcesVPCConfig *VPCConfigRequest `json:"resourcesVpcConfig,omitempty"`

	// The Amazon Resource Name (ARN) of the IAM role that provides permissions
	// for Amazon EKS to make calls to other AWS API operations on your behalf.
	// +kubebuilder:validation:Required
	// +immutable
	RoleARN *string `json:"roleArn,omitempty"`

	// The metadata to apply to the cluster to assist with categorization and
	// organization. Each tag consists of a key and an optional value.
	// +optional
	Tags map[string]*string `json:"tags,omitempty"`

	// The desired Kubernetes version for your cluster. If you don't specify a value
	// here, the latest version available in Amazon EKS is used.
	// +optional
	// +kubebuilder:validation:Pattern=`^1\.[0-9]+$`
	Version *string `json:"version,omitempty"`
}

// A ClusterSpec defines the desired state of a Cluster.
type ClusterSpec struct {
	xpv2.ClusterManagedResourceSpec `json:",inline"`

	ForProvider ClusterParameters `json:"forProvider"`
}

// OIDC is the OpenID Connect identity provider of a cluster.
type OIDC struct {
	// The issuer URL of the OpenID Connect identity provider.
	Issuer *string `json:"issuer,omitempty"`
}

// Identity is the identity provider information of a cluster.
type Identity struct {
	// The OpenID Connect identity provider of the cluster.
	OIDC *OIDC `json:"oidc,omitempty"`
}

// OutpostConfigObservation is the observed configuration of a cluster on an AWS
// Outpost.
type OutpostConfigObservation struct {
	// The Amazon EC2 instance type of the control plane on the Outpost.
	ControlPlaneInstanceType *string `json:"controlPlaneInstanceType,omitempty"`

	// The ARNs of the Outposts.
	OutpostARNs []string `json:"outpostArns,omitempty"`
}

// VPCConfigObservation is the observed VPC configuration of a cluster.
type VPCConfigObservation struct {
	ObservedVPCConfigRequest `json:",inline"`

	// The cluster security group that was created by Amazon EKS for the cluster.
	ClusterSecurityGroupID *string `json:"clusterSecurityGroupId,omitempty"`

	// The VPC of the cluster.
	VPCID *string `json:"vpcId,omitempty"`
}

// ClusterObservation is the observed state of a Cluster.
type ClusterObservation struct {
	ObservedClusterParameters `json:",inline"`

	// The Amazon Resource Name (ARN) of the cluster.
	ARN *string `json:"arn,omitempty"`

	// The Base64-encoded certificate data required to communicate with your
	// cluster.
	// +mrgen:connectionDetail:name=clusterCA
	CertificateAuthorityData *string `json:"certificateAuthorityData,omitempty"`

	// The time at which the cluster was created.
	CreatedAt *metav1.Time `json:"createdAt,omitempty"`

	// The endpoint for your Kubernetes API server.
	// +mrgen:connectionDetail
	Endpoint *string `json:"endpoint,omitempty"`

	// The identity provider information for the cluster.
	Identity *Identity `json:"identity,omitempty"`

	// The configuration of the cluster on an AWS Outpost.
	OutpostConfig *OutpostConfigObservation `json:"outpostConfig,omitempty"`

	// The platform version of your Amazon EKS cluster.
	PlatformVersion *string `json:"platformVersion,omitempty"`

	// The VPC configuration used by the cluster control plane.
	ResourcesVPCConfig *VPCConfigObservation `json:"resourcesVpcConfig,omitempty"`

	// The current status of the cluster.
	Status *string `json:"status,omitempty"`
}

// A ClusterStatus represents the observed state of a Cluster.
type ClusterStatus struct {
	xpv2.ManagedResourceStatus `json:",inline"`

	AtProvider ClusterObservation `json:"atProvider,omitempty"`
}

// +kubebuilder:object:root=true

// A Cluster is a managed resource that represents an AWS Elastic Kubernetes
// Service cluster.
// +kubebuilder:printcolumn:name="READY",type="string",JSONPath=".status.conditions[?(@.type=='Ready')].status"
// +kubebuilder:printcolumn:name="SYNCED",type="string",JSONPath=".status.conditions[?(@.type=='Synced')].status"
// +kubebuilder:printcolumn:name="EXTERNAL-NAME",type="string",JSONPath=".metadata.annotations.crossplane\\.io/external-name"
// +kubebuilder:printcolumn:name="AGE",type="date",JSONPath=".metadata.creationTimestamp"
// +kubebuilder:subresource:status
// +kubebuilder:resource:scope=Cluster,categories={crossplane,managed,aws}
// +mrgen:connectionDetail:name=kubeconfig,description="A kubeconfig with the endpoint and a short-lived token"
type Cluster struct {
	metav1.TypeMeta   `json:",inline"`
	metav1.ObjectMeta `json:"metadata,omitempty"`

	Spec   ClusterSpec   `json:"spec"`
	Status ClusterStatus `json:"status,omitempty"`
}

// +kubebuilder:object:root=true

// ClusterList contains a list of Cluster.
type ClusterList struct {
	metav1.TypeMeta `json:",inline"`
	metav1.ListMeta `json:"metadata,omitempty"`
	Items           []Cluster `json:"items"`
}

// Cluster type metadata.
var (
	ClusterKind             = reflect.TypeOf(Cluster{}).Name()
	ClusterGroupKind        = schema.GroupKind{Group: Group, Kind: ClusterKind}.String()
	ClusterKindAPIVersion   = ClusterKind + "." + SchemeGroupVersion.String()
	ClusterGroupVersionKind = SchemeGroupVersion.WithKind(ClusterKind)
)

func init() {
	SchemeBuilder.Register(&Cluster{}, &ClusterList{})
}
