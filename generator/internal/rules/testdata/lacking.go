package v1

type LackingParameters struct {
	// +kubebuilder:default={other: x} // want: managed resources that leave part to its default are refused, since part.mode is required: complete the default, or remove it
	Part *Part `json:"part,omitempty"`
	// +kubebuilder:default={mode: x}
	Complete *Part   `json:"complete,omitempty"`
	Initial  *Part   `json:"initial,omitempty"`
	Around   *Around `json:"around,omitempty"`
}

type LackingInitParameters struct {
	Part *Part `json:"part,omitempty"`
	// +kubebuilder:default={}
	Complete *Part `json:"complete,omitempty"`
	// +kubebuilder:default={} // want: leave initial to its default are refused, since initial.mode is required
	Initial *Part   `json:"initial,omitempty"`
	Around  *Around `json:"around,omitempty"`
}

type Part struct {
	// +kubebuilder:validation:Required
	Mode  *string `json:"mode,omitempty"`
	Other *string `json:"other,omitempty"`
}

type Around struct {
	// +k8s:optional
	// +default={} // want: leave around.one to its default are refused, since exactly one of the fields in [a b] must be set
	One *One `json:"one,omitempty"`
	// +kubebuilder:default={} // want: leave around.some to its default are refused, since at least one of the fields in [a b] must be set
	Some *Some `json:"some,omitempty"`
	// +kubebuilder:default={a: x}
	Given *Some `json:"given,omitempty"`
}

// +kubebuilder:validation:ExactlyOneOf=a;b
type One struct {
	A *string `json:"a,omitempty"`
	B *string `json:"b,omitempty"`
}

// +mrgen:requiredOneOf:fields=a;b
type Some struct {
	A *string `json:"a,omitempty"`
	B *string `json:"b,omitempty"`
}
