// Package v1alpha1 contains the configuration of the example provider.
// +kubebuilder:object:generate=true
// +groupName=example.crossplane.io
// +versionName=v1alpha1
package v1alpha1
