package synthetic

const connectionMarkers = `// +mrgen:connectionDetail:name=username,description="The name of the first user"
// +mrgen:connectionDetail:name=password,description="The password of the first user"
`

const listTemplate = `// +kubebuilder:object:root=true

// KINDList contains a list of KIND.
type KINDList struct {
	metav1.TypeMeta ` + "`json:\",inline\"`" + `
	metav1.ListMeta ` + "`json:\"metadata,omitempty\"`" + `
	Items           []KIND ` + "`json:\"items\"`" + `
}

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

` + listTemplate + `// KIND type metadata.
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
