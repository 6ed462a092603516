package v1

import (
	apiextensionsv1 "k8s.io/apiextensions-apiserver/pkg/apis/apiextensions/v1"
	"k8s.io/apimachinery/pkg/api/resource"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime"

	xpv2 "github.com/crossplane/crossplane/apis/v2/core/v2"
)

type StaysParameters struct {
	Text   string            `json:"text"`   // want: would send "" where nobody | run mrgen fix relax, or mark it +mrgen:identifier
	Number int64             `json:"number"` // want: would send 0 where
	Flag   bool              `json:"flag"`   // want: would send false where
	Block  Block             `json:"block"`  // want: would send {} where | run mrgen fix relax, or mark it +mrgen:identifier
	Amount resource.Quantity `json:"amount"` // want: would send the zero value of Quantity
	// +nullable
	Null *string `json:"null"` // want: it may be null, which rules can't tell from unset: remove +nullable
	// +nullable
	// +kubebuilder:validation:Required
	// Go omits null, so that its author will have wanted that.
	Gone *string `json:"gone,omitempty"` // want: gone is required, and may be null, which updates from Go omit
	// +nullable
	// +kubebuilder:default=a
	Given  *string               `json:"given"`
	Dollar *string               `json:"$dollar"` // want: rules can't read a field of this name: mark it +mrgen:identifier
	Any    *apiextensionsv1.JSON `json:"any"`     // want: rules can't read a field without a type
	Octets []byte                `json:"octets"`  // want: since rules fail on Base64 with + or /: make it a string, or mark it +mrgen:identifier
	// +kubebuilder:validation:Required
	Opaque Opaque `json:"opaque,omitzero"` // want: rules can't tell whether there is anything in it: make it a pointer with omitempty | opaque is required, and may be {}
}

type Block struct {
	A *string `json:"a,omitempty"`
}

type Keyring struct {
	Keys map[string][]byte `json:"keys,omitempty"`
}

type Extended struct {
	Raw *runtime.RawExtension `json:"raw,omitempty"`
}

// Opaque is empty, or not: rules can't look into it.
type Opaque struct {
	Any apiextensionsv1.JSON `json:"any,omitempty"`
}

type FixedParameters struct {
	// +crossplane:generate:reference:type=Stays
	Network    *string                   `json:"network,omitempty"`
	NetworkRef *xpv2.NamespacedReference `json:"networkRef,omitempty"`
	// +immutable
	NetworkSelector *xpv2.NamespacedSelector `json:"networkSelector,omitempty"` // want: a selector may change after the reference is resolved
	// +immutable
	Dollar *string `json:"$dollar,omitempty"` // want: rules can't read a field of this name: rename it
	// +immutable
	Any *apiextensionsv1.JSON `json:"any,omitempty"` // want: rules can't read a field without a type
	// +immutable
	Octets []byte `json:"octets,omitempty"` // want: no effect on octets: rules fail on Base64 with + or /: make it a string, or remove
	// +immutable
	Keyrings []Keyring `json:"keyrings,omitempty"` // want: no effect on keyrings: rules fail on Base64 with + or /: make keyrings[].keys{} a string
	// +immutable
	Extended []Extended `json:"extended,omitempty"` // want: no effect on extended: rules see no field of a value without a schema: declare the fields of extended[].raw
	// +nullable
	Null     *Half  `json:"null,omitempty"`
	Replaced []Item `json:"replaced,omitempty"`
	// +immutable
	Referring []Referring       `json:"referring,omitempty"` // want: references in its items are resolved later, and the list is replaced as a whole
	Partly    []PartlyReferring `json:"partly,omitempty"`
	Wholly    []WhollyReferring `json:"wholly,omitempty"`
	// +immutable
	// +listType=map
	// +listMapKey=name
	// +kubebuilder:validation:MaxItems=3
	Keyed []Keyed `json:"keyed,omitempty"` // want: references in it are resolved later: mark the fields in it
	// +immutable
	Rounded *float32 `json:"rounded,omitempty"` // want: rounds what was written
	// +immutable
	Self *Self `json:"self,omitempty"` // want: Self encodes itself
	// +immutable
	Long []Block `json:"long,omitempty"`
	// +immutable
	// +kubebuilder:validation:MaxItems=3
	Defaulted []Defaulted `json:"defaulted,omitempty"`
	// +immutable
	Amounts []resource.Quantity `json:"amounts,omitempty"` // want: in another form, and a comparison that allows for it would cost the API server too much: bound the lists
	// +immutable
	Huge []Huge `json:"huge,omitempty"` // want: updates from Go may write huge[].a in another form, and a comparison that allows for it would cost the API server too much: make huge[].a a pointer, or bound
	// +immutable
	Keys []xpv2.CommonCredentialSelectors `json:"keys,omitempty"`
	// +immutable
	Selectors map[string]xpv2.NamespacedSelector `json:"selectors,omitempty"` // want: in another form, and a comparison that allows for it would cost the API server too much: bound the lists
	// +immutable
	Unknown   *Unknown            `json:"unknown,omitempty"`   // want: has no effect on unknown fields of unknown
	Once      map[string]Once     `json:"once,omitempty"`      // want: no effect on once: only its elements have a type with the marker, and they have no fields: mark the field, too, or remove the marker
	OnceLists map[string]OnceList `json:"onceLists,omitempty"` // want: no effect on onceLists: only its elements have a type with the marker
}

// +immutable
type Once string

// +immutable
type OnceList []string

type Huge struct {
	A string           `json:"a,omitempty"`
	B map[string]Block `json:"b,omitempty"`
}

// +kubebuilder:validation:XValidation:rule="self.name != 'x'" // want: the rule fails for observe-only resources, where name may be unset: write rule
type ReadsParameters struct {
	// +kubebuilder:validation:Required
	Name *string `json:"name,omitempty"`
	// +kubebuilder:validation:Required
	Inner *ReadsInner `json:"inner,omitempty"`
}

type ReadsInitParameters struct {
	Name  *string     `json:"name,omitempty"`
	Inner *ReadsInner `json:"inner,omitempty"`
}

// +kubebuilder:validation:XValidation:rule="self.leaf != 'x'" // want: observe-only resources, where leaf may be unset: write rule="!has(self.leaf) || self.leaf != 'x'"
type ReadsInner struct {
	// +kubebuilder:validation:Required
	Leaf *string `json:"leaf,omitempty"`
}

type Half struct {
	// +immutable
	A *string `json:"a,omitempty"` // want: null may be null, which rules can't look into: remove +nullable
}

type Item struct {
	// +immutable
	A *string `json:"a,omitempty"` // want: replaced is replaced as a whole: make that list listType=map with a listMapKey, mark the list, or remove
	B *string `json:"b,omitempty"`
}

type Referring struct {
	// +crossplane:generate:reference:type=Stays
	Network         *string                   `json:"network,omitempty"`
	NetworkRef      *xpv2.NamespacedReference `json:"networkRef,omitempty"`
	NetworkSelector *xpv2.NamespacedSelector  `json:"networkSelector,omitempty"`
}

type WhollyReferring struct {
	// +crossplane:generate:reference:type=Stays
	// +immutable
	Network *string `json:"network,omitempty"` // want: wholly is replaced as a whole: make that list listType=map with a listMapKey, or remove
	// +immutable
	NetworkRef *xpv2.NamespacedReference `json:"networkRef,omitempty"` // want: wholly is replaced as a whole: make that list listType=map with a listMapKey, or remove
	// +immutable
	NetworkSelector *xpv2.NamespacedSelector `json:"networkSelector,omitempty"` // want: a selector may change after the reference is resolved
}

type PartlyReferring struct {
	Referring `json:",inline"`
	// +immutable
	A *string `json:"a,omitempty"` // want: partly is replaced as a whole: make that list listType=map with a listMapKey, or remove
}

type Keyed struct {
	Name string `json:"name"`
	// +crossplane:generate:reference:type=Stays
	// +kubebuilder:validation:MaxLength=9
	Network         *string                  `json:"network,omitempty"`
	NetworkRef      *KeyedReference          `json:"networkRef,omitempty"`
	NetworkSelector *xpv2.NamespacedSelector `json:"networkSelector,omitempty"`
}

type KeyedReference struct {
	// +kubebuilder:validation:MaxLength=9
	Name *string `json:"name,omitempty"`
}

// +kubebuilder:validation:Type=string
type Self struct {
	Seconds int64 `json:"seconds"`
}

func (Self) MarshalJSON() ([]byte, error) { return nil, nil }
func (*Self) UnmarshalJSON([]byte) error  { return nil }

type Defaulted struct {
	// +kubebuilder:default=a
	A string `json:"a,omitempty"` // want: if a is "", it becomes "a" with the first update from Go
}

// +kubebuilder:pruning:PreserveUnknownFields
type Unknown struct {
	A *string `json:"a,omitempty"`
}

// +kubebuilder:validation:ExactlyOneOf=network;networkRef // want: once networkRef is resolved, it and
type ResolvedParameters struct {
	// +crossplane:generate:reference:type=Stays
	Network         *string                   `json:"network,omitempty"`
	NetworkRef      *xpv2.NamespacedReference `json:"networkRef,omitempty"`
	NetworkSelector *xpv2.NamespacedSelector  `json:"networkSelector,omitempty"`
}

// Rules can't count a field without a type, so that the schema goes on counting.
// +kubebuilder:validation:MinProperties=1
type CountlessParameters struct {
	A   *string               `json:"a,omitempty"`
	Any *apiextensionsv1.JSON `json:"any,omitempty"`
}

type NestedParameters struct {
	Inner *NestedInner `json:"inner,omitempty"`
	// +optional
	Sent NestedSent   `json:"sent"` // want: updates from Go send {} for sent where nobody set a value, which the API server refuses
	When *metav1.Time `json:"when,omitempty"`
}

type NestedSent struct {
	// +kubebuilder:validation:Required
	A *string `json:"a,omitempty"`
}

type NestedInner struct {
	// +kubebuilder:validation:Required
	A string `json:"a"` // want: inner.a stays required | would send ""
	// +mrgen:identifier
	B string `json:"b"`
}

type NestedInitParameters struct {
	// +optional
	Sent  NestedSent   `json:"sent"` // want: updates from Go send {} for sent where nobody set a value, which the API server refuses
	Inner *NestedInner `json:"inner,omitempty"`
}
