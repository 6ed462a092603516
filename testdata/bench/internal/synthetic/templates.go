package synthetic

const boilerplate = `/*
Copyright 2026 The Synthetic Authors.

Licensed under the Apache License, Version 2.0 (the "License");
you may not use this file except in compliance with the License.
*/
`

const connectionMarkers = `// +mrgen:connectionDetail:name=username,description="The name of the first user"
// +mrgen:connectionDetail:name=password,description="The password of the first user"
`

const directives = `//go:build generate

// Package generate runs generators.
package generate

//go:generate rm -rf ../package/crds
//go:generate go run -tags generate sigs.k8s.io/controller-tools/cmd/controller-gen object:headerFile=../hack/boilerplate.go.txt paths=../apis/... crd:allowDangerousTypes=true,crdVersions=v1 output:artifacts:config=../package/crds
//go:generate go run -tags generate github.com/crossplane/crossplane-tools/cmd/angryjet generate-methodsets --header-file=../hack/boilerplate.go.txt ../apis/...
//go:generate go run github.com/crossplane/upjet/v2/cmd/resolver -g ` + domain + ` -a ` + Module + `/internal/apis -s -p ../apis/...
`

const kindTemplate = `// A KINDSpec defines the desired state of a KIND.
type KINDSpec struct {
	SPEC ` + "`json:\",inline\"`" + `

	ForProvider KINDParameters ` + "`json:\"forProvider\"`" + `
}

// A KINDStatus represents the observed state of a KIND.
type KINDStatus struct {
	xpv1.ResourceStatus ` + "`json:\",inline\"`" + `

	AtProvider KINDObservation ` + "`json:\"atProvider,omitempty\"`" + `
}

// +kubebuilder:object:root=true

// A KIND is a managed resource that stands for one in the synthetic cloud.
// +kubebuilder:printcolumn:name="READY",type="string",JSONPath=".status.conditions[?(@.type=='Ready')].status"
// +kubebuilder:printcolumn:name="SYNCED",type="string",JSONPath=".status.conditions[?(@.type=='Synced')].status"
// +kubebuilder:printcolumn:name="EXTERNAL-NAME",type="string",JSONPath=".metadata.annotations.crossplane\\.io/external-name"
// +kubebuilder:printcolumn:name="AGE",type="date",JSONPath=".metadata.creationTimestamp"
// +kubebuilder:subresource:status
// +kubebuilder:resource:scope=SCOPE,categories={crossplane,managed,synthetic}
// CONNECTION
type KIND struct {
	metav1.TypeMeta   ` + "`json:\",inline\"`" + `
	metav1.ObjectMeta ` + "`json:\"metadata,omitempty\"`" + `

	Spec   KINDSpec   ` + "`json:\"spec\"`" + `
	Status KINDStatus ` + "`json:\"status,omitempty\"`" + `
}

// +kubebuilder:object:root=true

// KINDList contains a list of KIND.
type KINDList struct {
	metav1.TypeMeta ` + "`json:\",inline\"`" + `
	metav1.ListMeta ` + "`json:\"metadata,omitempty\"`" + `
	Items           []KIND ` + "`json:\"items\"`" + `
}

// KIND type metadata.
var (
	KINDKind             = reflect.TypeOf(KIND{}).Name()
	KINDGroupKind        = schema.GroupKind{Group: Group, Kind: KINDKind}.String()
	KINDKindAPIVersion   = KINDKind + "." + SchemeGroupVersion.String()
	KINDGroupVersionKind = SchemeGroupVersion.WithKind(KINDKind)
)

func init() {
	SchemeBuilder.Register(&KIND{}, &KINDList{})
}
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

// referencers asserts no type, as most referencers do: that takes methods which
// angryjet wants to see before it writes them.
const referencers = `package v1beta1

import (
	"github.com/crossplane/crossplane-runtime/v2/pkg/fieldpath"
	"github.com/crossplane/crossplane-runtime/v2/pkg/reference"
	"github.com/crossplane/crossplane-runtime/v2/pkg/resource"
)

// ARN returns the status.atProvider.arn of a managed resource.
func ARN() reference.ExtractValueFn {
	return func(mg resource.Managed) string {
		paved, err := fieldpath.PaveObject(mg)
		if err != nil {
			return ""
		}
		arn, err := paved.GetString("status.atProvider.arn")
		if err != nil {
			return ""
		}
		return arn
	}
}
`

const registrationTemplate = `// Package apis contains the API of the provider.
package apis

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

const providerConfig = `package v1alpha1

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
// +kubebuilder:resource:scope=Cluster,categories={crossplane,provider,synthetic}
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
