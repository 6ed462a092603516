package v1

import (
	apiextensionsv1 "k8s.io/apiextensions-apiserver/pkg/apis/apiextensions/v1"
)

// +mrgen:requiredOneOf:fields=ok;always // want: has no effect, since always is always set
// +mrgen:requiredOneOf:fields=ok;given // want: has no effect, since given is always set
// +mrgen:requiredOneOf:fields=ok2;always,exactly=true // want: can't name always: it is always set, so that none of the others could be
// +mrgen:requiredOneOf:fields=ok;$dollar // want: can't name $dollar: rules can't read a field of this name
// +mrgen:requiredOneOf:fields=ok;any // want: can't name any: rules can't read a field without a type
// +mrgen:requiredOneOf:fields=ok;octets // want: can't name octets: rules fail on Base64 with + or /: make it a string, or remove
// +mrgen:requiredOneOf:fields=ok;null // want: can't name null: it may be null
// +mrgen:requiredOneOf:fields=ok;loose // want: can't name loose: updates from Go would send "" where
// +mrgen:requiredOneOf:fields=ok;opaque // want: can't name opaque: rules can't tell whether there is anything in it
// +mrgen:requiredOneOf:fields=ok2;null;any,exactly=true // want: can't name null | can't name any
type RefusedParameters struct {
	OK  *string `json:"ok,omitempty"`
	OK2 *string `json:"ok2,omitempty"`
	// +mrgen:identifier
	Always string `json:"always"`
	// +kubebuilder:default=a
	Given  *string               `json:"given,omitempty"`
	Dollar *string               `json:"$dollar,omitempty"`
	Any    *apiextensionsv1.JSON `json:"any,omitempty"`
	Octets []byte                `json:"octets,omitempty"`
	// +nullable
	Null *string `json:"null,omitempty"`
	// +optional
	Loose string `json:"loose"`
	// +optional
	Opaque Opaque `json:"opaque,omitzero"`
}

type Opaque struct {
	Any apiextensionsv1.JSON `json:"any,omitempty"`
}
