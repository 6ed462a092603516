package v1beta1

import (
	"reflect"

	apiextensionsv1 "k8s.io/apiextensions-apiserver/pkg/apis/apiextensions/v1"
	kresource "k8s.io/apimachinery/pkg/api/resource"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/apimachinery/pkg/util/intstr"

	"github.com/crossplane/crossplane-runtime/v2/pkg/resource"
	xpv2 "github.com/crossplane/crossplane/apis/v2/core/v2"
)

// The types must conform to the interfaces of crossplane-runtime.
var (
	_ resource.LegacyManaged = &NodeGroup{}
	_ resource.ManagedList   = &NodeGroupList{}
)

// CapacityType is the way in which the instances of a node group are paid for.
// +kubebuilder:validation:Enum=ON_DEMAND;SPOT
type CapacityType string

// Capacity types.
const (
	CapacityTypeOnDemand CapacityType = "ON_DEMAND"
	CapacityTypeSpot     CapacityType = "SPOT"
)

// TaintEffect is what a taint does to pods that don't tolerate it.
// +kubebuilder:validation:Enum=NO_SCHEDULE;NO_EXECUTE;PREFER_NO_SCHEDULE
type TaintEffect string

// Taint effects.
const (
	TaintEffectNoSchedule       TaintEffect = "NO_SCHEDULE"
	TaintEffectNoExecute        TaintEffect = "NO_EXECUTE"
	TaintEffectPreferNoSchedule TaintEffect = "PREFER_NO_SCHEDULE"
)

// A Taint allows a node to repel a set of pods.
type Taint struct {
	// The effect of the taint.
	Effect TaintEffect `json:"effect"`

	// The key of the taint.
	Key string `json:"key"`

	// The value of the taint.
	// +optional
	Value *string `json:"value,omitempty"`
}

// NodeGroupScalingConfig is the configuration for scaling a node group.
// +kubebuilder:validation:XValidation:rule="!has(self.minSize) || !has(self.maxSize) || self.minSize <= self.maxSize",message="minSize must not be greater than maxSize"
type NodeGroupScalingConfig struct {
	// The current number of worker nodes that the managed node group should
	// maintain. This value should be left unset if another controller, such as
	// cluster-autoscaler, is expected to manage the desired size of the node group.
	// If not set, the initial desired size will be the configured minimum size of
	// the node group.
	// +optional
	DesiredSize *int32 `json:"desiredSize,omitempty"`

	// The maximum number of worker nodes that the managed node group can scale
	// out to. Managed node groups can support up to 100 nodes by default.
	// +kubebuilder:validation:Required
	// +kubebuilder:validation:Minimum=1
	MaxSize *int32 `json:"maxSize,omitempty"`

	// The minimum number of worker nodes that the managed node group can scale
	// in to.
	// +kubebuilder:validation:Required
	// +kubebuilder:validation:Minimum=0
	MinSize *int32 `json:"minSize,omitempty"`
}

// NodeGroupUpdateConfig says how the nodes of a node group are updated.
type NodeGroupUpdateConfig struct {
	// The maximum number, or percentage, of nodes unavailable at once during a
	// version update.
	// +kubebuilder:validation:Required
	// +kubebuilder:validation:XValidation:rule="type(self) == string || self > 0 && self <= 100",message="at most 100 nodes are unavailable at once"
	MaxUnavailable *intstr.IntOrString `json:"maxUnavailable,omitempty"`
}

// NodeGroupParameters define the desired state of an AWS Elastic Kubernetes
// Service node group.
type NodeGroupParameters struct {
	// Region is the region you'd like your NodeGroup to be created in.
	// +immutable
	// +mrgen:identifier
	Region string `json:"region"`

	// The name of the cluster to create the node group in.
	// +optional
	// +immutable
	// +crossplane:generate:reference:type=Cluster
	ClusterName *string `json:"clusterName,omitempty"`

	// ClusterNameRef is a reference to a Cluster used to set the ClusterName.
	// +optional
	// +immutable
	ClusterNameRef *xpv2.Reference `json:"clusterNameRef,omitempty"`

	// ClusterNameSelector selects a reference to a Cluster used to set the
	// ClusterName.
	// +optional
	ClusterNameSelector *xpv2.Selector `json:"clusterNameSelector,omitempty"`

	// CapacityType of your node group.
	// +optional
	// +immutable
	CapacityType *CapacityType `json:"capacityType,omitempty"`

	// The root device disk size for your node group instances, in whole gibibytes.
	// The default disk size is 20Gi.
	// +optional
	// +immutable
	DiskSize *kresource.Quantity `json:"diskSize,omitempty"`

	// The instance types to use for your node group.
	// +optional
	// +immutable
	InstanceTypes []*string `json:"instanceTypes,omitempty"`

	// KubeletConfig is passed to the kubelet of each node as it is.
	// +optional
	KubeletConfig *apiextensionsv1.JSON `json:"kubeletConfig,omitempty"`

	// The Kubernetes labels to be applied to the nodes in the node group.
	// +optional
	Labels map[string]*string `json:"labels,omitempty"`

	// The Amazon Resource Name (ARN) of the IAM role to associate with your node
	// group. The Amazon EKS worker node kubelet daemon makes calls to AWS APIs
	// on your behalf.
	// +kubebuilder:validation:Required
	// +immutable
	NodeRole *string `json:"nodeRole,omitempty"`

	// The scaling configuration details for the Auto Scaling group that is created
	// for your node group.
	// +optional
	ScalingConfig *NodeGroupScalingConfig `json:"scalingConfig,omitempty"`

	// The subnets to use for the Auto Scaling group that is created for your node
	// group.
	// +optional
	// +immutable
	// +crossplane:generate:reference:type=github.com/mrgen-io/provider-example/apis/cluster/ec2/v1beta1.Subnet
	// +crossplane:generate:reference:refFieldName=SubnetRefs
	// +crossplane:generate:reference:selectorFieldName=SubnetSelector
	Subnets []*string `json:"subnets,omitempty"`

	// SubnetRefs are references to Subnets used to set the Subnets.
	// +optional
	// +immutable
	SubnetRefs []xpv2.Reference `json:"subnetRefs,omitempty"`

	// SubnetSelector selects references to Subnets used to set the Subnets.
	// +optional
	SubnetSelector *xpv2.Selector `json:"subnetSelector,omitempty"`

	// The Kubernetes taints to be applied to the nodes in the node group.
	// +optional
	// +listType=map
	// +listMapKey=key
	// +listMapKey=effect
	Taints []Taint `json:"taints,omitempty"`

	// UpdateConfig says how the nodes in this NodeGroup are updated.
	// +optional
	UpdateConfig *NodeGroupUpdateConfig `json:"updateConfig,omitempty"`

	// The Kubernetes version to use for your managed nodes. By default, the
	// Kubernetes version of the cluster is used.
	// +optional
	Version *string `json:"version,omitempty"`
}

// A NodeGroupSpec defines the desired state of a NodeGroup.
type NodeGroupSpec struct {
	xpv2.ClusterManagedResourceSpec `json:",inline"`

	ForProvider NodeGroupParameters `json:"forProvider"`

	// InitProvider is merged into forProvider when the node group is created, and
	// ignored afterwards: for what other controllers change, such as
	// scalingConfig.desiredSize.
	// +optional
	InitProvider NodeGroupInitParameters `json:"initProvider,omitempty"`
}

// A NodeGroupIssue is a problem of the nodes in a node group.
type NodeGroupIssue struct {
	// A brief description of the error.
	Code *string `json:"code,omitempty"`

	// The error message associated with the issue.
	Message *string `json:"message,omitempty"`

	// The AWS resources that are afflicted by this issue.
	ResourceIDs []string `json:"resourceIds,omitempty"`
}

// NodeGroupHealth is the health of a node group.
type NodeGroupHealth struct {
	// Any issues that are associated with the node group.
	Issues []NodeGroupIssue `json:"issues,omitempty"`
}

// NodeGroupObservation is the observed state of a NodeGroup.
type NodeGroupObservation struct {
	ObservedNodeGroupParameters `json:",inline"`

	// The time at which the node group was created.
	CreatedAt *metav1.Time `json:"createdAt,omitempty"`

	// The health status of the node group.
	Health *NodeGroupHealth `json:"health,omitempty"`

	// The time at which the node group was last modified.
	ModifiedAt *metav1.Time `json:"modifiedAt,omitempty"`

	// The Amazon Resource Name (ARN) of the node group.
	NodeGroupARN *string `json:"nodeGroupArn,omitempty"`

	// The current status of the node group.
	Status *string `json:"status,omitempty"`
}

// A NodeGroupStatus represents the observed state of a NodeGroup.
type NodeGroupStatus struct {
	xpv2.ManagedResourceStatus `json:",inline"`

	AtProvider NodeGroupObservation `json:"atProvider,omitempty"`
}

// +kubebuilder:object:root=true

// A NodeGroup is a managed resource that represents an AWS Elastic Kubernetes
// Service node group.
// +kubebuilder:printcolumn:name="READY",type="string",JSONPath=".status.conditions[?(@.type=='Ready')].status"
// +kubebuilder:printcolumn:name="SYNCED",type="string",JSONPath=".status.conditions[?(@.type=='Synced')].status"
// +kubebuilder:printcolumn:name="EXTERNAL-NAME",type="string",JSONPath=".metadata.annotations.crossplane\\.io/external-name"
// +kubebuilder:printcolumn:name="CLUSTER",type="string",JSONPath=".spec.forProvider.clusterName"
// +kubebuilder:printcolumn:name="AGE",type="date",JSONPath=".metadata.creationTimestamp"
// +kubebuilder:subresource:status
// +kubebuilder:resource:scope=Cluster,categories={crossplane,managed,aws}
type NodeGroup struct {
	metav1.TypeMeta   `json:",inline"`
	metav1.ObjectMeta `json:"metadata,omitempty"`

	Spec   NodeGroupSpec   `json:"spec"`
	Status NodeGroupStatus `json:"status,omitempty"`
}

// +kubebuilder:object:root=true

// NodeGroupList contains a list of NodeGroup.
type NodeGroupList struct {
	metav1.TypeMeta `json:",inline"`
	metav1.ListMeta `json:"metadata,omitempty"`
	Items           []NodeGroup `json:"items"`
}

// NodeGroup type metadata.
var (
	NodeGroupKind             = reflect.TypeOf(NodeGroup{}).Name()
	NodeGroupGroupKind        = schema.GroupKind{Group: Group, Kind: NodeGroupKind}.String()
	NodeGroupKindAPIVersion   = NodeGroupKind + "." + SchemeGroupVersion.String()
	NodeGroupGroupVersionKind = SchemeGroupVersion.WithKind(NodeGroupKind)
)

func init() {
	SchemeBuilder.Register(&NodeGroup{}, &NodeGroupList{})
}
