package rules_test

import "k8s.io/apimachinery/pkg/api/resource"

// More types of the kinds of TestRulesJudge, see kinds_test.go.

// KeyedParameters have lists and maps whose items the API server compares one by one.
type KeyedParameters struct {
	// +listType=map
	// +listMapKey=name
	// +kubebuilder:validation:MaxItems=4
	// +optional
	Items []Item `json:"items,omitempty" is:"keyed"`
	// +kubebuilder:validation:MaxProperties=4
	// +optional
	Map map[string]Entry `json:"map,omitempty"`
	// +immutable
	// +listType=map
	// +listMapKey=name
	// +kubebuilder:validation:MaxItems=4
	// +optional
	Whole []Item `json:"whole,omitempty" is:"fixed keyed"`
	// All that is in an item is marked, so that the list can't change.
	// +kubebuilder:validation:MaxItems=3
	// +optional
	Marked []Marked `json:"marked,omitempty" is:"fixed"`
	// +optional
	Deep *Deeper `json:"deep,omitempty"`
	// +optional
	Loose LooseItems `json:"loose"`
}

// LooseItems are there in whatever Go sends, but no item in them is.
type LooseItems struct {
	// +listType=map
	// +listMapKey=name
	// +kubebuilder:validation:MaxItems=4
	// +optional
	Items []LooseItem `json:"items,omitempty" is:"keyed"`
}

// A LooseItem has a value that somebody chose, also if it is zero.
type LooseItem struct {
	Name string `json:"name" is:"stays key"`
	// +immutable
	// +mrgen:identifier
	Kind string `json:"kind" is:"stays fixed"`
}

// Deeper has a list at a depth.
type Deeper struct {
	// +listType=map
	// +listMapKey=name
	// +kubebuilder:validation:MaxItems=4
	// +optional
	Items []Item `json:"items,omitempty" is:"keyed"`
}

// An Item has a key, and fields with the name of the key further down.
type Item struct {
	// +immutable
	Name string `json:"name" is:"stays key"`
	// +immutable
	// +kubebuilder:validation:MaxLength=5
	// +optional
	Kind *string `json:"kind,omitempty" is:"fixed"`
	// +kubebuilder:validation:MaxLength=5
	// +optional
	Free *string `json:"free,omitempty"`
	// +optional
	Inner *ItemInner `json:"inner,omitempty"`
	// +optional
	Flat ItemInner `json:"flat"`
	// +kubebuilder:validation:MaxProperties=2
	// +optional
	Entries map[string]ItemInner `json:"entries,omitempty"`
}

// ItemInner is in an Item, and its name is no key.
type ItemInner struct {
	// +immutable
	// +kubebuilder:validation:MaxLength=5
	// +optional
	Name *string `json:"name,omitempty" is:"fixed"`
}

// An Entry is an entry of a map.
type Entry struct {
	// +immutable
	// +kubebuilder:validation:MaxLength=5
	// +optional
	Name string `json:"name,omitempty" is:"fixed"`
	// +immutable
	// +optional
	Amount *resource.Quantity `json:"amount,omitempty" is:"fixed"`
	// +optional
	Free *int64 `json:"free,omitempty"`
}

// Marked is immutable in all its parts.
type Marked struct {
	// +immutable
	// +kubebuilder:validation:MaxLength=5
	// +optional
	A string `json:"a,omitempty" is:"fixed"`
	// Skipped is none of JSON's business.
	Skipped *string `json:"-"`
	// +optional
	B *MarkedInner `json:"b,omitempty"`
}

// MarkedInner is in a Marked.
type MarkedInner struct {
	// +immutable
	// +optional
	C *int64 `json:"c,omitempty" is:"fixed"`
}

// RefersParameters have references.
type RefersParameters struct {
	// +crossplane:generate:reference:type=Demands
	// +immutable
	// +optional
	Network *string `json:"network,omitempty" is:"fixed resolved" with:"networkRef networkSelector"`
	// +immutable
	// +optional
	NetworkRef *NamespacedReference `json:"networkRef,omitempty" is:"fixed" for:"network"`
	// +optional
	NetworkSelector *NamespacedSelector `json:"networkSelector,omitempty"`
	// +crossplane:generate:reference:type=Demands
	// +crossplane:generate:reference:refFieldName=GroupRefs
	// +crossplane:generate:reference:selectorFieldName=GroupSelector
	// +immutable
	// +optional
	Groups []string `json:"groups,omitempty" is:"fixed" with:"groupRefs groupSelector"`
	// +immutable
	// +kubebuilder:validation:MaxItems=3
	// +optional
	GroupRefs []NamespacedReference `json:"groupRefs,omitempty" is:"fixed" for:"groups" try:"[]|[{\"name\":\"a\"}]|[{\"name\":\"a\",\"namespace\":\"n\"}]|[{\"name\":\"a\",\"namespace\":\"m\"}]|[{\"name\":\"b\",\"namespace\":\"n\"}]|[{\"name\":\"a\",\"namespace\":\"n\"},{\"name\":\"b\",\"namespace\":\"m\"}]"`
	// +optional
	GroupSelector *NamespacedSelector `json:"groupSelector,omitempty"`
	// +immutable
	// +optional
	Block *Referring `json:"block,omitempty" is:"fixed"`
	// +immutable
	// +optional
	Lone *NamespacedReference `json:"lone,omitempty" is:"fixed"`
	// +immutable
	// +optional
	Cluster *Reference `json:"cluster,omitempty" is:"fixed"`
	// +listType=map
	// +listMapKey=name
	// +kubebuilder:validation:MaxItems=3
	// +optional
	Items []ReferringItem `json:"items,omitempty" is:"keyed"`
	// +immutable
	// +listType=map
	// +listMapKey=name
	// +kubebuilder:validation:MaxItems=3
	// +optional
	Wholes []ReferringWhole `json:"wholes,omitempty" is:"keyed"`
	// +immutable
	// +kubebuilder:validation:MaxProperties=3
	// +optional
	Targets map[string]NamespacedReference `json:"targets,omitempty" is:"fixed"`
}

// A ReferringWhole refers in a list that is immutable as a whole: items come and go.
type ReferringWhole struct {
	Name string `json:"name" is:"stays key"`
	// +crossplane:generate:reference:type=Demands
	// +kubebuilder:validation:MaxLength=5
	// +optional
	Value *string `json:"value,omitempty" is:"fixed resolved"`
	// +optional
	ValueRef *NamespacedReference `json:"valueRef,omitempty" is:"fixed" for:"value"`
	// +optional
	ValueSelector *NamespacedSelector `json:"valueSelector,omitempty"`
	// +kubebuilder:validation:MaxLength=5
	// +optional
	Other *string `json:"other,omitempty" is:"fixed"`
}

// Referring refers.
type Referring struct {
	// +crossplane:generate:reference:type=Demands
	// +optional
	Value string `json:"value,omitempty" with:"valueRef valueSelector"`
	// +optional
	ValueRef *NamespacedReference `json:"valueRef,omitempty" for:"value"`
	// +optional
	ValueSelector *NamespacedSelector `json:"valueSelector,omitempty" is:"free"`
}

// ReferringItem refers in a list.
type ReferringItem struct {
	Name string `json:"name" is:"stays key"`
	// +immutable
	// +optional
	Target *NamespacedReference `json:"target,omitempty" is:"fixed"`
}

// ChoicesParameters demand one of several, and have what is immutable beside it.
// +kubebuilder:validation:AtLeastOneOf=a;b
// +kubebuilder:validation:ExactlyOneOf=c;d
// +kubebuilder:validation:AtMostOneOf=e;f
// +kubebuilder:validation:ExactlyOneOf=k;l
// +kubebuilder:validation:AtLeastOneOf=m;n
// +mrgen:requiredOneOf:fields=g;h
// +mrgen:requiredOneOf:fields=i;j,exactly=true
type ChoicesParameters struct {
	// +immutable
	// +optional
	A *string `json:"a,omitempty" is:"fixed"`
	// +optional
	B string `json:"b,omitempty"`
	// +immutable
	// +optional
	C string `json:"c,omitempty" is:"fixed"`
	// +optional
	D *string `json:"d,omitempty"`
	// +optional
	E *string `json:"e,omitempty"`
	// +optional
	F string `json:"f,omitempty"`
	// +crossplane:generate:reference:type=Demands
	// +optional
	G string `json:"g,omitempty" with:"gRef gSelector"`
	// +optional
	GRef *NamespacedReference `json:"gRef,omitempty"`
	// +optional
	GSelector *NamespacedSelector `json:"gSelector,omitempty"`
	// +optional
	H []string `json:"h,omitempty"`
	// +optional
	I string `json:"i,omitempty"`
	// +optional
	J *string `json:"j,omitempty"`
	// +optional
	Inner *Choice `json:"inner,omitempty"`
	// +optional
	Pick *Picked `json:"pick,omitempty"`
	// +optional
	Items []Choice `json:"items,omitempty"`
	// +optional
	Map map[string]Choice `json:"map,omitempty"`
	// +optional
	K *string `json:"k,omitempty"`
	// +optional
	L *string `json:"l,omitempty"`
	// +crossplane:generate:reference:type=Demands
	// +optional
	M *string `json:"m,omitempty" with:"mRef mSelector"`
	// +optional
	MRef *NamespacedReference `json:"mRef,omitempty"`
	// +optional
	MSelector *NamespacedSelector `json:"mSelector,omitempty"`
	// +optional
	N []string `json:"n,omitempty"`
	// +optional
	Wrap *Wrap `json:"wrap,omitempty"`
}

// Wrap has choices in a struct.
type Wrap struct {
	// +optional
	Inner *Choice `json:"inner,omitempty"`
	// +optional
	Items []Choice `json:"items,omitempty"`
	// +optional
	Pick *Picked `json:"pick,omitempty"`
}

// Picked needs one of two, as a marker of controller-tools says.
// +kubebuilder:validation:AtLeastOneOf=x;y
type Picked struct {
	// +optional
	X *string `json:"x,omitempty"`
	// +optional
	Y *string `json:"y,omitempty"`
}

// ChoicesInitParameters stand in for them.
// +kubebuilder:validation:ExactlyOneOf=c;d
type ChoicesInitParameters struct {
	// +optional
	A *string `json:"a,omitempty"`
	// +optional
	C *string `json:"c,omitempty"`
	// +optional
	D *string `json:"d,omitempty"`
	// +optional
	G string `json:"g,omitempty"`
	// +optional
	H []string `json:"h,omitempty"`
	// +optional
	I string `json:"i,omitempty"`
	// Go always sends J and L, which are no choice if they are zero.
	// +optional
	J string `json:"j"`
	// +optional
	Inner *Choice `json:"inner,omitempty"`
	// +optional
	Pick *Picked `json:"pick,omitempty"`
	// +optional
	Items []Choice `json:"items,omitempty"`
	// +optional
	K *string `json:"k,omitempty"`
	// +optional
	L string `json:"l"`
	// +crossplane:generate:reference:type=Demands
	// +optional
	M *string `json:"m,omitempty"`
	// +optional
	MRef *NamespacedReference `json:"mRef,omitempty"`
	// +optional
	MSelector *NamespacedSelector `json:"mSelector,omitempty"`
	// +optional
	Wrap *Wrap `json:"wrap,omitempty"`
}

// A Choice demands one of two, wherever it is.
// +mrgen:requiredOneOf:fields=x;y,exactly=true
type Choice struct {
	// +optional
	X *string `json:"x,omitempty"`
	// +optional
	Y int64 `json:"y,omitempty"`
}

// CountsParameters need some number of fields.
// +kubebuilder:validation:MinProperties=4
type CountsParameters struct {
	// +mrgen:identifier
	Region string `json:"region" is:"stays"`
	// +optional
	A *string `json:"a,omitempty"`
	// +optional
	B string `json:"b,omitempty"`
	// +optional
	C []string `json:"c,omitempty"`
	// +kubebuilder:default=1
	// +optional
	Given *int64 `json:"given,omitempty"`
	// +optional
	Inner *Counted `json:"inner,omitempty"`
}

// CountsInitParameters stand in for them.
type CountsInitParameters struct {
	// +optional
	A *string `json:"a,omitempty"`
	// +optional
	Inner *Counted `json:"inner,omitempty"`
}

// Counted needs one field.
// +kubebuilder:validation:MinProperties=1
type Counted struct {
	// +optional
	X *string `json:"x,omitempty"`
	// +optional
	Y *string `json:"y,omitempty"`
}

// SmallParameters are those of kinds whose specs differ.
type SmallParameters struct {
	// +immutable
	// +kubebuilder:validation:Required
	Name *string `json:"name,omitempty" is:"required fixed"`
	// +immutable
	// +optional
	Short string `json:"short,omitempty" is:"fixed"`
	// +optional
	Free *string `json:"free,omitempty"`
	// +mrgen:identifier
	// +crossplane:generate:reference:type=Demands
	// +kubebuilder:validation:Required
	Zone *string `json:"zone,omitempty" is:"needed" with:"zoneRef zoneSelector"`
	// +optional
	ZoneRef *NamespacedReference `json:"zoneRef,omitempty"`
	// +optional
	ZoneSelector *NamespacedSelector `json:"zoneSelector,omitempty"`
}

// LockedParameters are immutable as a whole.
// +immutable
type LockedParameters struct {
	// +optional
	Name *string `json:"name,omitempty" is:"fixed"`
	// +optional
	Inner *Leaf `json:"inner,omitempty" is:"fixed"`
	// +optional
	Loose Leaf `json:"loose" is:"fixed"`
}

// ZeroParameters are behind a struct that Go always sends.
type ZeroParameters struct {
	// +immutable
	// +mrgen:identifier
	Always string `json:"always" is:"stays fixed"`
	// +immutable
	// +optional
	Text *string `json:"text,omitempty" is:"fixed"`
	// +immutable
	// +optional
	List []string `json:"list,omitzero" is:"fixed"`
	// +optional
	Inner ZeroInner `json:"inner"`
}

// ZeroInner is in ZeroParameters.
type ZeroInner struct {
	// +immutable
	// +optional
	Size int64 `json:"size" is:"fixed"`
}

// NullParameters are behind what may be null.
type NullParameters struct {
	// +kubebuilder:validation:Required
	Name *string `json:"name,omitempty" is:"stays"`
	// +immutable
	// +optional
	Text *string `json:"text,omitempty"`
}

// StrictParameters stay required.
type StrictParameters struct {
	// +kubebuilder:validation:Required
	Name *string `json:"name,omitempty" is:"stays"`
	// +mrgen:identifier
	// +crossplane:generate:reference:type=Demands
	// +kubebuilder:validation:Required
	Zone *string `json:"zone,omitempty" is:"needed" with:"zoneRef zoneSelector"`
	// +optional
	ZoneRef *NamespacedReference `json:"zoneRef,omitempty"`
	// +optional
	ZoneSelector *NamespacedSelector `json:"zoneSelector,omitempty"`
}

// LeafParameters are immutable where they are used.
type LeafParameters struct {
	// +optional
	Name *string `json:"name,omitempty" is:"fixed"`
	// +optional
	Short string `json:"short,omitempty" is:"fixed"`
}

// TolerantParameters are so large that rules can't compare all of them as Go does: what Go omits part of
// may change.
type TolerantParameters struct {
	// +immutable
	// +kubebuilder:validation:MaxItems=10000
	// +optional
	List []Losing `json:"list,omitempty" is:"fixed"`
	// +immutable
	// +kubebuilder:validation:MaxProperties=10000
	// +optional
	Map map[string]Losing `json:"map,omitempty" is:"fixed"`
	// +immutable
	// +kubebuilder:validation:MaxItems=10000
	// +optional
	Deep []LosingList `json:"deep,omitempty" is:"fixed tolerant"`
	// +immutable
	// +kubebuilder:validation:MaxProperties=10000
	// +optional
	DeepMap map[string]LosingList `json:"deepMap,omitempty" is:"fixed tolerant"`
	// +immutable
	// +kubebuilder:validation:MaxItems=3
	// +optional
	Defaulted []LosingDefault `json:"defaulted,omitempty" is:"fixed tolerant"`
	// What Go omits of an object gets no rule, if a default takes its place.
	// +immutable
	// +kubebuilder:validation:MaxItems=3
	// +optional
	Objects []LosingObject `json:"objects,omitempty"`
	// Nulls get no rule, since Go omits null, which no rule tells from unset.
	// +immutable
	// +kubebuilder:validation:MaxItems=10000
	// +optional
	Nulls []LosingNull `json:"nulls,omitempty"`
}

// LosingDefault gets a default in place of what Go omits.
type LosingDefault struct {
	// +kubebuilder:validation:MaxLength=9
	// +kubebuilder:default=a
	// +optional
	A string `json:"a,omitempty"`
}

// LosingObject gets a default in place of an object.
type LosingObject struct {
	// +kubebuilder:default={e:true}
	// +optional
	D LosingLeaf `json:"d,omitzero"`
}

// LosingNull loses what is null.
type LosingNull struct {
	// +kubebuilder:validation:MaxItems=10
	// +optional
	List []Losing `json:"list,omitempty"`
	// +nullable
	// +optional
	Null *string `json:"null,omitempty" try:"null|\"a\"|\"b\""`
}

// Losing loses what is empty.
type Losing struct {
	// +kubebuilder:validation:MaxLength=100
	// +optional
	A string `json:"a,omitempty"`
	// +kubebuilder:validation:MaxLength=100
	// +optional
	B *string `json:"b,omitempty"`
	// +kubebuilder:validation:MaxItems=10
	// +optional
	C []string `json:"c,omitempty"`
}

// LosingList loses it in a list.
type LosingList struct {
	// +kubebuilder:validation:MaxItems=10
	// +optional
	List []Losing `json:"list,omitempty"`
	// +optional
	D *LosingLeaf `json:"d,omitempty"`
}

// LosingLeaf is in a LosingList.
type LosingLeaf struct {
	// +optional
	E bool `json:"e,omitempty"`
}
