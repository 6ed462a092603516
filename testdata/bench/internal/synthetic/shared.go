package synthetic

import (
	"fmt"
	"strings"
)

func groupVersion(pkg, group, version, about string) string {
	return strings.NewReplacer("PACKAGE", pkg, "GROUP", group, "VERSION", version, "ABOUT", about).Replace(groupVersionTemplate)
}

// providerConfig returns the types of a provider's configuration.
func providerConfig(pkg, scope string) string {
	return strings.NewReplacer("PACKAGE", pkg, "SCOPE", scope).Replace(providerConfigTemplate)
}

// A registeredPackage is one whose types belong into a scheme.
type registeredPackage struct{ alias, path string }

// registration returns a package that adds all types to a scheme.
func registration(pkg string, packages []registeredPackage) string {
	var imports, adds strings.Builder
	for _, p := range packages {
		fmt.Fprintf(&imports, "\t%s %q\n", p.alias, Module+"/"+p.path)
		fmt.Fprintf(&adds, "\t\t%s.SchemeBuilder.AddToScheme,\n", p.alias)
	}
	return strings.NewReplacer("PACKAGE", pkg, "IMPORTS\n", imports.String(), "ADDS\n", adds.String()).Replace(registrationTemplate)
}

const boilerplate = `/*
Copyright 2026 The Synthetic Authors.

Licensed under the Apache License, Version 2.0 (the "License");
you may not use this file except in compliance with the License.
*/
`

const groupVersionTemplate = `// Package PACKAGE contains ABOUT.
// +kubebuilder:object:generate=true
// +groupName=GROUP
// +versionName=VERSION
package PACKAGE

import (
	"k8s.io/apimachinery/pkg/runtime/schema"
	"sigs.k8s.io/controller-runtime/pkg/scheme"
)

// Package type metadata.
const (
	Group   = "GROUP"
	Version = "VERSION"
)

var (
	// SchemeGroupVersion is the group version of the objects in this package.
	SchemeGroupVersion = schema.GroupVersion{Group: Group, Version: Version}

	// SchemeBuilder adds the types of this package to a scheme.
	SchemeBuilder = &scheme.Builder{GroupVersion: SchemeGroupVersion}
)
`

const registrationTemplate = `// Package PACKAGE contains the API of the provider.
package PACKAGE

import (
	"k8s.io/apimachinery/pkg/runtime"

IMPORTS
)

// AddToSchemes adds all types to a scheme.
var AddToSchemes runtime.SchemeBuilder

func init() {
	AddToSchemes = append(AddToSchemes,
ADDS
	)
}
`

const providerConfigTemplate = `package PACKAGE

import (
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	xpv1 "github.com/crossplane/crossplane-runtime/v2/apis/common/v1"
	xpv2 "github.com/crossplane/crossplane-runtime/v2/apis/common/v2"
)

// ProviderCredentials required to authenticate.
type ProviderCredentials struct {
	// Source of the provider credentials.
	// +kubebuilder:validation:Enum=None;Secret;InjectedIdentity;Environment;Filesystem
	Source xpv1.CredentialsSource ` + "`json:\"source\"`" + `

	xpv1.CommonCredentialSelectors ` + "`json:\",inline\"`" + `
}

// A ProviderConfigSpec defines the desired state of a ProviderConfig.
type ProviderConfigSpec struct {
	// Credentials required to authenticate to this provider.
	Credentials ProviderCredentials ` + "`json:\"credentials\"`" + `
}

// A ProviderConfigStatus reflects the observed state of a ProviderConfig.
type ProviderConfigStatus struct {
	xpv1.ProviderConfigStatus ` + "`json:\",inline\"`" + `
}

// +kubebuilder:object:root=true

// A ProviderConfig configures the provider.
// +kubebuilder:subresource:status
// +kubebuilder:printcolumn:name="AGE",type="date",JSONPath=".metadata.creationTimestamp"
// +kubebuilder:resource:scope=SCOPE,categories={crossplane,provider,synthetic}
type ProviderConfig struct {
	metav1.TypeMeta   ` + "`json:\",inline\"`" + `
	metav1.ObjectMeta ` + "`json:\"metadata,omitempty\"`" + `

	Spec   ProviderConfigSpec   ` + "`json:\"spec\"`" + `
	Status ProviderConfigStatus ` + "`json:\"status,omitempty\"`" + `
}

// +kubebuilder:object:root=true

// ProviderConfigList contains a list of ProviderConfig.
type ProviderConfigList struct {
	metav1.TypeMeta ` + "`json:\",inline\"`" + `
	metav1.ListMeta ` + "`json:\"metadata,omitempty\"`" + `
	Items           []ProviderConfig ` + "`json:\"items\"`" + `
}

// +kubebuilder:object:root=true

// A ProviderConfigUsage indicates that a managed resource uses a ProviderConfig.
// +kubebuilder:printcolumn:name="AGE",type="date",JSONPath=".metadata.creationTimestamp"
// +kubebuilder:printcolumn:name="CONFIG-NAME",type="string",JSONPath=".providerConfigRef.name"
// +kubebuilder:resource:scope=Namespaced,categories={crossplane,provider,synthetic}
type ProviderConfigUsage struct {
	metav1.TypeMeta   ` + "`json:\",inline\"`" + `
	metav1.ObjectMeta ` + "`json:\"metadata,omitempty\"`" + `

	xpv2.TypedProviderConfigUsage ` + "`json:\",inline\"`" + `
}

// +kubebuilder:object:root=true

// ProviderConfigUsageList contains a list of ProviderConfigUsage.
type ProviderConfigUsageList struct {
	metav1.TypeMeta ` + "`json:\",inline\"`" + `
	metav1.ListMeta ` + "`json:\"metadata,omitempty\"`" + `
	Items           []ProviderConfigUsage ` + "`json:\"items\"`" + `
}

func init() {
	SchemeBuilder.Register(&ProviderConfig{}, &ProviderConfigList{})
	SchemeBuilder.Register(&ProviderConfigUsage{}, &ProviderConfigUsageList{})
}
`
