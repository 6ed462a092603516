package rules_test

import (
	"k8s.io/apimachinery/pkg/api/resource"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/util/intstr"
)

// The types of the kinds of TestRulesJudge, which mrgen reads in this file. What the markers of a
// field mean, the tag "is" says once more, for the judge, and "try" has its values in place of
// those that are usual for its type.

// DemandsParameters have what managed resources need, and observed ones don't.
type DemandsParameters struct {
	// +mrgen:identifier
	Region string `json:"region" is:"stays"`
	Octets []byte `json:"octets" is:"stays" try:"\"YQ==\"|\"+/+/\""`
	Always string `json:"always" is:"stays"`
	// +kubebuilder:validation:Required
	Text *string `json:"text,omitempty" is:"required"`
	// +kubebuilder:validation:Required
	Short  string `json:"short,omitempty" is:"required"`
	Number *int64 `json:"number" is:"required"`
	// +kubebuilder:validation:Required
	Flag bool `json:"flag,omitempty" is:"required"`
	// +kubebuilder:validation:Required
	Items []string `json:"items,omitempty" is:"required"`
	Lists []string `json:"lists" is:"required"`
	// +kubebuilder:validation:Required
	Labels map[string]string `json:"labels,omitempty" is:"required"`
	// +kubebuilder:validation:Required
	Amount *resource.Quantity `json:"amount,omitempty" is:"required"`
	// +kubebuilder:validation:Required
	Blocks *Leaf `json:"blocks,omitempty" is:"required"`
	// +kubebuilder:validation:Required
	Inner Leaf `json:"inner,omitzero" is:"required"`
	// +kubebuilder:default=1
	Size int64 `json:"size"`
	// +kubebuilder:validation:Required
	Namespace *string `json:"namespace,omitempty" is:"required"`
	// +kubebuilder:validation:Required
	Dashed *string `json:"a-b,omitempty" is:"required"`
	// +crossplane:generate:reference:type=Demands
	// +kubebuilder:validation:Required
	Network *string `json:"network,omitempty" is:"required" with:"networkRef networkSelector"`
	// +optional
	NetworkRef *NamespacedReference `json:"networkRef,omitempty"`
	// +optional
	NetworkSelector *NamespacedSelector `json:"networkSelector,omitempty"`
	// +mrgen:identifier
	// +crossplane:generate:reference:type=Demands
	// +kubebuilder:validation:Required
	Zone *string `json:"zone,omitempty" is:"needed" with:"zoneRef zoneSelector"`
	// +optional
	ZoneRef *NamespacedReference `json:"zoneRef,omitempty"`
	// +optional
	ZoneSelector *NamespacedSelector `json:"zoneSelector,omitempty"`
	// +kubebuilder:validation:Required
	Since metav1.Time `json:"since,omitempty" is:"required" try:"\"2023-01-01T00:00:00Z\"|\"0001-01-01T00:00:00Z\""`
	// +optional
	Items2 []Needy `json:"items2,omitempty"`
	// +optional
	Needy *Needy `json:"needy,omitempty"`
}

// Leaf has nothing required.
type Leaf struct {
	// +optional
	A *string `json:"a,omitempty"`
	// +optional
	B string `json:"b,omitempty"`
	// +optional
	C int64 `json:"c"`
}

// Needy needs something wherever it is set.
type Needy struct {
	// +kubebuilder:validation:Required
	A *string `json:"a,omitempty" is:"stays"`
	// +optional
	B *string `json:"b,omitempty"`
}

// InitialParameters are split between forProvider and initProvider.
type InitialParameters struct {
	// +mrgen:identifier
	Region string `json:"region" is:"stays"`
	// +kubebuilder:validation:Required
	Text *string `json:"text,omitempty" is:"required"`
	// +kubebuilder:validation:Required
	Short string `json:"short,omitempty" is:"required"`
	// +kubebuilder:validation:Required
	Only *string `json:"only,omitempty" is:"required"`
	// +crossplane:generate:reference:type=Demands
	// +kubebuilder:validation:Required
	Network *string `json:"network,omitempty" is:"required" with:"networkRef networkSelector"`
	// +optional
	NetworkRef *NamespacedReference `json:"networkRef,omitempty"`
	// +optional
	NetworkSelector *NamespacedSelector `json:"networkSelector,omitempty"`
	// +mrgen:identifier
	// +crossplane:generate:reference:type=Demands
	// +kubebuilder:validation:Required
	Zone string `json:"zone,omitempty" is:"needed" with:"zoneRef zoneSelector"`
	// +optional
	ZoneRef *NamespacedReference `json:"zoneRef,omitempty"`
	// +optional
	ZoneSelector *NamespacedSelector `json:"zoneSelector,omitempty"`
	// +kubebuilder:validation:Required
	Both *string `json:"both,omitempty" is:"required"`
	// +optional
	Outer *Outer `json:"outer,omitempty"`
	// +kubebuilder:validation:Required
	Must *Outer `json:"must,omitempty" is:"required"`
	// +optional
	Dashed *Outer `json:"da-shed,omitempty"`
	// Null may be null, and what it needs stays required.
	// +nullable
	// +optional
	Null *Outer `json:"null,omitempty" is:"nullable"`
	// Plain is there in whatever Go sends, so that its schema demands nothing of it.
	// +optional
	Plain Outer `json:"plain,omitzero"`
	// +optional
	Alone *Needy `json:"alone,omitempty"`
	// +optional
	Some []Needy `json:"some,omitempty"`
}

// InitialInitParameters stand in for them.
type InitialInitParameters struct {
	// +optional
	Text *string `json:"text,omitempty"`
	// +optional
	Short string `json:"short,omitempty"`
	// +crossplane:generate:reference:type=Demands
	// +optional
	Network *string `json:"network,omitempty"`
	// +optional
	NetworkRef *NamespacedReference `json:"networkRef,omitempty"`
	// Both is what spec.initProvider needs, too.
	// +kubebuilder:validation:Required
	Both *string `json:"both,omitempty" is:"stays"`
	// +optional
	Outer *OuterInit `json:"outer,omitempty"`
	// +optional
	Must *OuterInit `json:"must,omitempty"`
	// +optional
	Dashed *OuterInit `json:"da-shed,omitempty"`
	// +nullable
	// +optional
	Null *NullInit `json:"null,omitempty"`
	// +optional
	Plain OuterInit `json:"plain,omitzero"`
	// +optional
	Some []Needy `json:"some,omitempty"`
}

// Outer has something required, at two depths.
type Outer struct {
	// +kubebuilder:validation:Required
	Leaf *string `json:"leaf,omitempty" is:"required"`
	// +kubebuilder:validation:Required
	Lone *string `json:"lone,omitempty" is:"stays"`
	// +kubebuilder:default=2
	// +kubebuilder:validation:Required
	Given *int64 `json:"given,omitempty"`
	// +optional
	Deep *Deep `json:"deep,omitempty"`
}

// OuterInit stands in for Outer, and requires as much.
type OuterInit struct {
	// +kubebuilder:validation:Required
	Leaf *string `json:"leaf,omitempty"`
	// +optional
	Given *int64 `json:"given,omitempty"`
	// +optional
	Deep *Deep `json:"deep,omitempty"`
}

// NullInit may be null.
type NullInit struct {
	// +optional
	Leaf *string `json:"leaf,omitempty"`
}

// Deep is below Outer.
type Deep struct {
	// +kubebuilder:validation:Required
	Leaf *int64 `json:"leaf,omitempty" is:"required"`
	// +optional
	Other *string `json:"other,omitempty"`
}

// FixedParameters can't change once they are set.
type FixedParameters struct {
	// +immutable
	// +optional
	Text *string `json:"text,omitempty" is:"fixed"`
	// +immutable
	// +optional
	Short string `json:"short,omitempty" is:"fixed"`
	// +immutable
	// +optional
	Loose string `json:"loose" is:"fixed"`
	// +immutable
	Always string `json:"always" is:"stays fixed"`
	// +immutable
	// +kubebuilder:validation:Required
	Must *string `json:"must,omitempty" is:"required fixed"`
	// +immutable
	// +optional
	Null *string `json:"null" is:"fixed"`
	// +immutable
	// +optional
	Number int64 `json:"number,omitempty" is:"fixed"`
	// +immutable
	// +optional
	Ratio float64 `json:"ratio,omitempty" is:"fixed"`
	// +immutable
	// +nullable
	// +optional
	Nullable string `json:"nullable,omitempty" is:"fixed"`
	// +immutable
	// +optional
	Flag bool `json:"flag,omitempty" is:"fixed"`
	// +immutable
	// +nullable
	// +mrgen:identifier
	Void string `json:"void" is:"stays fixed nullable"`
}

// FormsParameters have what Go writes in another form.
type FormsParameters struct {
	// +immutable
	// +optional
	Amount *resource.Quantity `json:"amount,omitempty" is:"fixed"`
	// +immutable
	// +optional
	Sum resource.Quantity `json:"sum,omitzero" is:"fixed"`
	// +immutable
	// +optional
	Period *metav1.Duration `json:"period,omitempty" is:"fixed"`
	// +immutable
	// +optional
	Span metav1.Duration `json:"span,omitzero" is:"fixed"`
	// +immutable
	// +optional
	When *metav1.Time `json:"when,omitempty" is:"fixed"`
	// +immutable
	// +optional
	At metav1.Time `json:"at,omitzero" is:"fixed" try:"\"2023-01-01T00:00:00Z\"|\"2023-01-01T01:00:00+01:00\"|\"2023-01-02T00:00:00Z\"|\"0001-01-01T00:00:00Z\""`
	// Stamp is a text, in which rules see a time, and Day a date.
	// +immutable
	// +kubebuilder:validation:Format=date-time
	// +optional
	Stamp string `json:"stamp,omitempty" is:"fixed" try:"\"2023-01-01T00:00:00Z\"|\"2023-01-02T00:00:00Z\""`
	// +immutable
	// +kubebuilder:validation:Format=date
	// +optional
	Day string `json:"day,omitempty" is:"fixed" try:"\"2023-01-01\"|\"2023-01-02\""`
	// Raw has more than it declares, which Go drops.
	// +immutable
	// +optional
	Raw *Raw `json:"raw,omitempty" is:"fixed" try:"{}|{\"a\":\"x\"}|{\"a\":\"x\",\"more\":1}|{\"a\":\"y\",\"more\":1}|{\"more\":2}"`
	// +immutable
	// +optional
	Port *intstr.IntOrString `json:"port,omitempty" is:"fixed"`
	// +immutable
	// +optional
	Block *Block `json:"block,omitempty" is:"fixed"`
	// +immutable
	// +kubebuilder:validation:MaxProperties=3
	// +optional
	Amounts map[string]resource.Quantity `json:"amounts,omitempty" is:"fixed"`
	// +immutable
	// +kubebuilder:validation:MaxItems=3
	// +optional
	Periods []metav1.Duration `json:"periods,omitempty" is:"fixed"`
}

// ListsParameters have lists and maps.
type ListsParameters struct {
	// +immutable
	// +optional
	List []string `json:"list,omitempty" is:"fixed"`
	// +immutable
	// +listType=set
	// +optional
	Set []string `json:"set,omitempty" is:"fixed set"`
	// +immutable
	// +optional
	Kept []string `json:"kept,omitzero" is:"fixed"`
	// +immutable
	// +optional
	Labels map[string]string `json:"labels,omitempty" is:"fixed"`
	// +immutable
	// +kubebuilder:validation:MaxItems=3
	// +optional
	Wrapped []Wrapper `json:"wrapped,omitempty" is:"fixed"`
	// +immutable
	// +kubebuilder:validation:MaxItems=3
	// +optional
	Parts []Part `json:"parts,omitempty" is:"fixed"`
	// +immutable
	// +kubebuilder:validation:MaxProperties=3
	// +optional
	Named map[string]Part `json:"named,omitempty" is:"fixed"`
	// +immutable
	// +optional
	None *None `json:"none,omitempty" is:"fixed"`
	// +optional
	Free *string `json:"free,omitempty"`
	// +immutable
	// +optional
	Dashed *string `json:"a-b,omitempty" is:"fixed"`
	// +immutable
	// +optional
	Pointed *[]string `json:"pointed,omitempty" is:"fixed" try:"[]|[\"a\"]|[\"a\",\"b\"]"`
	// +immutable
	// +optional
	Matrix [][]string `json:"matrix,omitempty" is:"fixed" try:"[]|[[]]|[[\"a\"]]|[[\"a\"],[\"b\"]]|[[\"b\"],[\"a\"]]"`
	// Octets aren't read by any rule, which would fail on some Base64.
	// +immutable
	// +optional
	Octets []byte `json:"octets,omitempty" try:"\"YQ==\"|\"+/+/\""`
	// +immutable
	// +kubebuilder:validation:MaxProperties=2
	// +optional
	Grouped map[string]Wrappers `json:"grouped,omitempty" is:"fixed" try:"{}|{\"a\":[]}|{\"a\":[{\"a\":\"x\"}]}|{\"a\":[{\"a\":\"x\",\"b\":{\"flag\":false}}]}|{\"a\":[{\"a\":\"x\"}],\"b\":[]}|{\"b\":[{\"a\":\"x\"}]}"`
	// Choice is never empty, so that Go never omits it.
	// +immutable
	// +kubebuilder:validation:Enum=a;b
	// +optional
	Choice string `json:"choice,omitempty" is:"fixed" try:"\"a\"|\"b\""`
	// +immutable
	// +kubebuilder:validation:MinLength=1
	// +optional
	Long string `json:"long,omitempty" is:"fixed" try:"\"a\"|\"b\""`
	// +immutable
	// +kubebuilder:validation:MinItems=1
	// +optional
	Filled []string `json:"filled,omitempty" is:"fixed" try:"[\"a\"]|[\"b\"]|[\"a\",\"b\"]"`
}

// Wrappers are a few.
// +kubebuilder:validation:MaxItems=2
type Wrappers []Wrapper

// None says something by being there.
type None struct{}

// A Wrapper loses something further down alone.
type Wrapper struct {
	// +kubebuilder:validation:MaxLength=5
	// +optional
	A *string `json:"a,omitempty"`
	// +optional
	B *Inner `json:"b,omitempty"`
}

// A Part loses what is empty.
type Part struct {
	// +kubebuilder:validation:MaxLength=5
	// +optional
	Name string `json:"name,omitempty"`
	// +kubebuilder:validation:MaxLength=5
	// +optional
	Note *string `json:"note,omitempty"`
	// +optional
	Size int64 `json:"size,omitempty"`
	// +kubebuilder:validation:MaxItems=2
	// +optional
	Tags []string `json:"tags,omitempty" try:"[]|[\"a\"]|[\"b\"]|[\"a\",\"b\"]"`
	// +optional
	Inner *Inner `json:"inner,omitempty"`
	// +optional
	Plain Inner `json:"plain"`
	// Go sends all of Sent, also where it isn't set.
	// +optional
	Sent Sent `json:"sent"`
	// What is zero by default is what Go omits.
	// +kubebuilder:default=0
	// +optional
	Zero int64 `json:"zero,omitempty"`
	// +kubebuilder:validation:MaxItems=2
	// +kubebuilder:default={}
	// +optional
	NoTags []string `json:"noTags,omitempty" try:"[]|[\"a\"]|[\"b\"]"`
	// +kubebuilder:validation:MaxProperties=2
	// +kubebuilder:default={}
	// +optional
	NoLabels map[string]string `json:"noLabels,omitempty" try:"{}|{\"a\":\"b\"}"`
}

// Sent has what Go always sends.
type Sent struct {
	Must int64 `json:"must" is:"stays"`
	// +kubebuilder:validation:MaxLength=5
	Text string `json:"text" is:"stays"`
}

// Inner is in a Part.
type Inner struct {
	// +optional
	Flag bool `json:"flag,omitempty"`
}

// NestedParameters have structs in structs.
type NestedParameters struct {
	// +optional
	Half *Half `json:"half,omitempty"`
	// +optional
	Loose Half `json:"loose"`
	// +optional
	Zero Half `json:"zero,omitzero"`
	// +immutable
	// +optional
	All *Whole `json:"all,omitempty" is:"fixed"`
	// +optional
	Sealed *Sealed `json:"sealed,omitempty" is:"fixed"`
	// Common is embedded, and so is all that is in it.
	// +immutable
	Common `json:",inline" is:"fixed"`
	Extra  `json:",inline"`
}

// Half is immutable in part.
type Half struct {
	// +immutable
	A string `json:"a" is:"stays fixed"`
	// +immutable
	// +optional
	B *string `json:"b,omitempty" is:"fixed"`
	// +optional
	C *string `json:"c,omitempty"`
	// +optional
	Inner *Half2 `json:"inner,omitempty"`
	// +optional
	Flat Half2 `json:"flat"`
}

// Half2 is in a Half.
type Half2 struct {
	// +immutable
	// +optional
	X *int64 `json:"x,omitempty" is:"fixed"`
	// +immutable
	// +optional
	Y int64 `json:"y" is:"fixed"`
	// +optional
	Z *string `json:"z,omitempty"`
}

// Whole is immutable where it is used.
type Whole struct {
	// +optional
	A *string `json:"a,omitempty"`
	// +optional
	B string `json:"b,omitempty"`
	// +optional
	C Half2 `json:"c"`
}

// Sealed is immutable wherever it is used.
// +immutable
type Sealed struct {
	// +optional
	A *string `json:"a,omitempty"`
	// +optional
	Deep *Deep2 `json:"deep,omitempty"`
}

// Deep2 is in a Sealed.
type Deep2 struct {
	// +optional
	A *string `json:"a,omitempty"`
}

// Common is embedded.
type Common struct {
	// +optional
	Owner *string `json:"owner,omitempty"`
	// +optional
	Team Half2 `json:"team,omitzero"`
	Base `json:",inline"`
}

// Base is embedded in what is embedded.
type Base struct {
	// +optional
	Origin *string `json:"origin,omitempty"`
}

// Extra is embedded, too.
type Extra struct {
	// +immutable
	// +optional
	Comment *string `json:"comment,omitempty" is:"fixed"`
	// +optional
	Remark *string `json:"remark,omitempty"`
}

// Raw keeps what it doesn't declare.
// +kubebuilder:pruning:PreserveUnknownFields
type Raw struct {
	// +optional
	A *string `json:"a,omitempty"`
}

// A Block has values that Go writes in another form.
type Block struct {
	// +optional
	Amount *resource.Quantity `json:"amount,omitempty"`
	// +optional
	Period *metav1.Duration `json:"period,omitempty"`
	// +optional
	When *metav1.Time `json:"when,omitempty"`
}
