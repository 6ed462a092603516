// Package v1alpha1 contains the configuration of the provider.
// +kubebuilder:object:generate=true
// +groupName=gcp.crossplane.io
// +versionName=v1alpha1
package v1alpha1
