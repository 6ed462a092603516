// Package v1 stands in for the package of that name in k8s.io/api.
package v1

import metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

// SecretKeySelector selects a key of a Secret.
type SecretKeySelector struct {
	Name string `json:"name,omitempty"`
	Key  string `json:"key"`
}

// SecretReference refers to a Secret.
type SecretReference struct {
	Name string `json:"name,omitempty"`
}

// Protocol is a named string of another module.
type Protocol string

// Policy is a named string of another module with a constraint.
// +kubebuilder:validation:Enum=Always;Never
type Policy string

// ResourceList is a named map of another module.
type ResourceList map[string]string

// ResourceRequirements are a struct of maps.
type ResourceRequirements struct {
	Limits   ResourceList `json:"limits,omitempty"`
	Requests ResourceList `json:"requests,omitempty"`
}

// DeepCopyInto copies the receiver.
func (in *ResourceRequirements) DeepCopyInto(out *ResourceRequirements) { *out = *in }

// DeepCopy returns a copy of the receiver.
func (in *ResourceRequirements) DeepCopy() *ResourceRequirements { out := *in; return &out }

// Toleration is a struct of another module.
type Toleration struct {
	Key string `json:"key,omitempty"`
}

// EnvVar is a struct of another module that may refer to a Secret.
type EnvVar struct {
	Name      string        `json:"name"`
	Value     string        `json:"value,omitempty"`
	ValueFrom *EnvVarSource `json:"valueFrom,omitempty"`
}

// EnvVarSource refers to a Secret.
type EnvVarSource struct {
	SecretKeyRef *SecretKeySelector `json:"secretKeyRef,omitempty"`
}

// DeepCopyInto copies a variable.
func (v *EnvVar) DeepCopyInto(out *EnvVar) { *out = *v }

// Secret has data by keys.
type Secret struct {
	metav1.ObjectMeta `json:"metadata,omitempty"`

	Data map[string][]byte `json:"data,omitempty"`
}

// Container is a container.
type Container struct {
	Name  string   `json:"name"`
	Image string   `json:"image,omitempty"`
	Args  []string `json:"args,omitempty"`
}

// DeepCopyInto copies the receiver.
func (in *Container) DeepCopyInto(out *Container) { *out = *in }

// DeepCopy returns a copy of the receiver.
func (in *Container) DeepCopy() *Container { out := *in; return &out }

// NodeAddress is an address.
type NodeAddress struct {
	Type    string `json:"type"`
	Address string `json:"address"`
}
