package v1

// +kubebuilder:validation:XValidation:rule="!has(self.part) || has(self.part.mode)" // want: the rule demands part.mode of observe-only resources, too: remove it, since managed resources need that anyway
type DemandingParameters struct {
	Part *Part `json:"part,omitempty"`
	Free *Free `json:"free,omitempty"`
}

type DemandingInitParameters struct {
	Part *Part `json:"part,omitempty"`
	Free *Free `json:"free,omitempty"`
}

// +kubebuilder:validation:XValidation:rule="has(self.mode) && self.mode != 'x'" // want: demands mode of observe-only resources, too: write rule="!has(self.mode) || has(self.mode) && self.mode != 'x'"
// +kubebuilder:validation:XValidation:rule="!has(self.mode) || self.mode != 'y'"
// +kubebuilder:validation:XValidation:rule="!has(self.other) || has(self.mode)"
type Part struct {
	// +kubebuilder:validation:Required
	Mode  *string `json:"mode,omitempty"`
	Other *string `json:"other,omitempty"`
}

// +kubebuilder:validation:XValidation:rule="has(self.mode)"
type Free struct {
	Mode *string `json:"mode,omitempty"`
}
