package synthetic

const generatedHeader = "// Code generated in the shape of upjet's. DO NOT EDIT.\n\n"

// generatedSettings are those that mrgen adopt writes for such a provider, whose kinds have
// rules and conversions already, and refer to each other across groups.
const generatedSettings = `versions:
  mode: off
rules:
  required: off
  immutable: off
resolvers:
  registry: ` + Module + `/internal/registry
`

const ruleTemplate = `	// +kubebuilder:validation:XValidation:rule="!('*' in self.managementPolicies || 'Create' in self.managementPolicies || 'Update' in self.managementPolicies) || has(self.forProvider.FIELD) || (has(self.initProvider) && has(self.initProvider.FIELD))",message="set spec.forProvider.FIELD, which is required"
`

const resourceTemplate = `// KINDSpec is the desired state of a KIND.
type KINDSpec struct {
	SPEC ` + "`json:\",inline\"`" + `
	ForProvider KINDParameters ` + "`json:\"forProvider\"`" + `
	// InitProvider has the fields of forProvider, less those that identify the
	// resource. They are merged into forProvider when the resource is created, and
	// left alone afterwards: what changes them outside of the cluster, such as
	// something that scales the resource, is not undone. A field that is required
	// may be set in either place. Without the management policies of the resource,
	// which tell what is created, updated and deleted, the fields are ignored, as
	// are those that forProvider sets to something else at the time.
	InitProvider KINDInitParameters ` + "`json:\"initProvider,omitempty\"`" + `
}

// KINDStatus is the observed state of a KIND.
type KINDStatus struct {
	xpv1.ResourceStatus ` + "`json:\",inline\"`" + `
	AtProvider KINDObservation ` + "`json:\"atProvider,omitempty\"`" + `
}

// +kubebuilder:object:root=true
// +kubebuilder:subresource:status
// STORAGE

// KIND is a resource of the synthetic cloud. Whoever creates one is billed for it.
// +kubebuilder:printcolumn:name="SYNCED",type="string",JSONPath=".status.conditions[?(@.type=='Synced')].status"
// +kubebuilder:printcolumn:name="READY",type="string",JSONPath=".status.conditions[?(@.type=='Ready')].status"
// +kubebuilder:printcolumn:name="EXTERNAL-NAME",type="string",JSONPath=".metadata.annotations.crossplane\\.io/external-name"
// +kubebuilder:printcolumn:name="AGE",type="date",JSONPath=".metadata.creationTimestamp"
// +kubebuilder:resource:scope=SCOPE,categories={crossplane,managed,synthetic}
type KIND struct {
	metav1.TypeMeta   ` + "`json:\",inline\"`" + `
	metav1.ObjectMeta ` + "`json:\"metadata,omitempty\"`" + `
	// RULES
	Spec   KINDSpec   ` + "`json:\"spec\"`" + `
	Status KINDStatus ` + "`json:\"status,omitempty\"`" + `
}

` + listTemplate + `// KIND type metadata.
var (
	KIND_Kind             = "KIND"
	KIND_GroupKind        = schema.GroupKind{Group: Group, Kind: KIND_Kind}.String()
	KIND_KindAPIVersion   = KIND_Kind + "." + SchemeGroupVersion.String()
	KIND_GroupVersionKind = SchemeGroupVersion.WithKind(KIND_Kind)
)

func init() {
	SchemeBuilder.Register(&KIND{}, &KINDList{})
}
`

const hubTemplate = `
// Hub marks KIND as the version that others are converted to.
func (r *KIND) Hub() {}
`

const spokesTemplate = generatedHeader + `package VERSION

import (
	"encoding/json"

	"sigs.k8s.io/controller-runtime/pkg/conversion"
)

// convert copies what two versions have in common.
func convert(from, to any) error {
	text, err := json.Marshal(from)
	if err != nil {
		return err
	}
	return json.Unmarshal(text, to)
}
`

const spokeTemplate = `
// ConvertTo converts this KIND to the version that is stored.
func (r *KIND) ConvertTo(hub conversion.Hub) error { return convert(r, hub) }

// ConvertFrom converts a KIND of the version that is stored to this one.
func (r *KIND) ConvertFrom(hub conversion.Hub) error { return convert(hub, r) }
`

// terraformedTemplate does what upjet's methods do, in as many lines. In place of upjet's
// packages it imports others that are not the module's: none of its own are imported by all
// kinds.
const terraformedTemplate = generatedHeader + `package VERSION

import (
	"encoding/json"

	"dario.cat/mergo"
	"github.com/pkg/errors"
)

// GetTerraformResourceType returns the type that Terraform knows a KIND by.
func (r *KIND) GetTerraformResourceType() string {
	return "TERRAFORM"
}

// GetConnectionDetailsMapping returns where the values of the connection secret of a KIND
// are found, by their names in Terraform.
func (r *KIND) GetConnectionDetailsMapping() map[string]string {
	return nil
}

// GetObservation returns what is observed of this KIND, as Terraform names it.
func (r *KIND) GetObservation() (map[string]any, error) {
	text, err := json.Marshal(r.Status.AtProvider)
	if err != nil {
		return nil, errors.Wrapf(err, "read the observation of KIND %q", r.GetName())
	}
	values := map[string]any{}
	return values, json.Unmarshal(text, &values)
}

// SetObservation replaces what is observed of this KIND with the values that Terraform has
// in its state.
func (r *KIND) SetObservation(values map[string]any) error {
	text, err := json.Marshal(values)
	if err != nil {
		return errors.Wrapf(err, "write the observation of KIND %q", r.GetName())
	}
	return json.Unmarshal(text, &r.Status.AtProvider)
}

// GetID returns the identifier of what stands behind this KIND, or nothing if that was not
// created yet.
func (r *KIND) GetID() string {
	if r.Status.AtProvider.ID == nil {
		return ""
	}
	return *r.Status.AtProvider.ID
}

// GetParameters returns what is desired of this KIND, as Terraform names it.
func (r *KIND) GetParameters() (map[string]any, error) {
	text, err := json.Marshal(r.Spec.ForProvider)
	if err != nil {
		return nil, errors.Wrapf(err, "read the parameters of KIND %q", r.GetName())
	}
	values := map[string]any{}
	return values, json.Unmarshal(text, &values)
}

// SetParameters replaces what is desired of this KIND with values that Terraform names.
func (r *KIND) SetParameters(values map[string]any) error {
	text, err := json.Marshal(values)
	if err != nil {
		return errors.Wrapf(err, "write the parameters of KIND %q", r.GetName())
	}
	return json.Unmarshal(text, &r.Spec.ForProvider)
}

// GetInitParameters returns what is desired of this KIND when it is created, as Terraform
// names it.
func (r *KIND) GetInitParameters() (map[string]any, error) {
	text, err := json.Marshal(r.Spec.InitProvider)
	if err != nil {
		return nil, errors.Wrapf(err, "read the initial parameters of KIND %q", r.GetName())
	}
	values := map[string]any{}
	return values, json.Unmarshal(text, &values)
}

// GetMergedParameters returns what is desired of this KIND. What holds only when it is
// created is among that if it is asked for, and if it says nothing else than what always
// holds.
func (r *KIND) GetMergedParameters(initial bool) (map[string]any, error) {
	values, err := r.GetParameters()
	if err != nil || !initial {
		return values, err
	}
	more, err := r.GetInitParameters()
	if err != nil {
		return nil, err
	}
	// What is in a list is taken from one of both, since nobody knows which of the
	// elements belong together. What is in a map is merged key by key.
	if err := mergo.Merge(&values, more, mergo.WithSliceDeepCopy, func(c *mergo.Config) {
		c.Overwrite = false
	}); err != nil {
		return nil, errors.Wrapf(err, "merge the parameters of KIND %q", r.GetName())
	}
	return values, nil
}

// LateInitialize sets what is desired of this KIND, and was left to the service, to what
// Terraform has in its state. It reports whether there was a state.
func (r *KIND) LateInitialize(state []byte) (bool, error) {
	if len(state) == 0 {
		return false, nil
	}
	observed := &KINDParameters{}
	if err := json.Unmarshal(state, observed); err != nil {
		return false, errors.Wrapf(err, "read the state of KIND %q", r.GetName())
	}
	if err := mergo.Merge(&r.Spec.ForProvider, observed); err != nil {
		return false, errors.Wrapf(err, "initialize KIND %q late", r.GetName())
	}
	return true, nil
}

// GetTerraformSchemaVersion returns the version of the schema that Terraform has of a
// KIND.
func (r *KIND) GetTerraformSchemaVersion() int {
	return 0
}
`

const extract = `// Package extract takes the values of references from what they refer to.
package extract

import (
	"github.com/crossplane/crossplane-runtime/v2/pkg/reference"
	"github.com/crossplane/crossplane-runtime/v2/pkg/resource"
)

// ResourceID returns the identifier that Terraform gave a resource.
func ResourceID() reference.ExtractValueFn {
	return func(mg resource.Managed) string {
		if r, ok := mg.(interface{ GetID() string }); ok {
			return r.GetID()
		}
		return ""
	}
}
`
