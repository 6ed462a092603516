// Package shapes has types that are awkward to copy.
//
// +kubebuilder:object:generate=true
package shapes

import (
	"time"

	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime"

	otherv1 "github.com/mrgen-io/mrgen/generator/internal/stages/deepcopy/testdata/shapes/other/2x/v1"
	v1 "github.com/mrgen-io/mrgen/generator/internal/stages/deepcopy/testdata/shapes/other/v1"
)

// Kind is an object.
// +kubebuilder:object:root=true
type Kind struct {
	metav1.TypeMeta   `json:",inline"`
	metav1.ObjectMeta `json:"metadata,omitempty"`

	Fields Fields `json:"fields"`
}

// Mapped is an object, and a map.
// +kubebuilder:object:root=true
type Mapped map[string][]string

// NoObject is not, although it looks like one.
// +kubebuilder:object:root=false
type NoObject struct {
	metav1.TypeMeta   `json:",inline"`
	metav1.ObjectMeta `json:"metadata,omitempty"`
}

// Fields has fields of many types.
type Fields struct {
	Text     string
	Number   *int
	Plain    Plain
	Pointer  *Plain
	Deep     Deep
	DeepPtr  *Deep
	Embedded `json:"-"`
	*Deep

	Texts         []string
	TextPointers  []*string
	Plains        []Plain
	PlainPointers []*Plain
	Deeps         []Deep
	DeepPointers  []*Deep
	Lists         [][]string
	ListsOfLists  [][][]Deep
	Maps          []map[string]string

	Labels         map[string]string
	ByText         map[Text]Plain
	DeepByText     map[Text]Deep
	PointerByText  map[string]*string
	PlainPtrByText map[string]*Plain
	DeepPtrByText  map[string]*Deep
	ListByText     map[string][]string
	DeepListByText map[string][]Deep
	MapByText      map[string]map[string]string
	MapOfLists     map[Key]map[string][]*Deep
	NamedByText    map[string]Labels

	PointerToPointer   **string
	PointerToList      *[]string
	PointerToMap       *map[string]*Deep
	PointerToNamedList *Texts
	PointerToNamedMap  *Labels

	Named        Text
	NamedPtr     *Text
	NamedTexts   Texts
	NamedDeeps   Deeps
	NamedLabels  Labels
	NamedPointer PlainPointer
	ListOfNamed  []Labels
	ListOfTexts  []Texts

	Alias        TextAlias
	AliasPtr     *TextAlias
	AliasList    []TextAlias
	DeepAliased  DeepAlias
	DeepAliases  []DeepAlias
	DeepAliasPtr *DeepAlias
	AliasByText  map[string]DeepAlias
	ListAliased  ListAlias
	MapAliased   MapAlias
	MapAliases   []MapAlias
	MapAliasPtr  *MapAlias
	PointerAlias PlainPointerAlias

	Time        metav1.Time
	TimePtr     *metav1.Time
	Times       []metav1.Time
	TimeByText  map[string]metav1.Time
	TimePtrMap  map[string]*metav1.Time
	Duration    metav1.Duration
	DurationPtr *time.Duration
	Std         time.Duration
	Stds        []time.Duration
	RawPtr      *runtime.RawExtension
	Raw         runtime.RawExtension
	Secret      corev1.SecretReference
	Resources   corev1.ResourceList
	ResourcePtr *corev1.ResourceList
	Selector    *corev1.SecretKeySelector
	Other       v1.Other
	Others      []v1.Other
	OtherList   v1.List
	OtherLists  map[string]v1.List
	OtherPtr    *otherv1.List
	OtherMap    map[string]otherv1.Map

	unexported    []string
	unexportedPtr *Deep
}

// Embedded is embedded.
type Embedded struct{ Values []string }

// Plain can be assigned.
type Plain struct {
	A string
	B int
	C struct{ D bool }
}

// Deep can't be assigned.
type Deep struct {
	List []string
	Self *Deep
	Many []Deep
	Map  map[string]*Deep
}

// Empty has nothing to copy.
type Empty struct{}

// Text is a name for a basic type, which needs no methods.
type Text string

// Key is one for the keys of maps.
type Key struct{ A, B string }

// The types below are references.
type (
	Texts        []string
	TextPointers []*string
	Deeps        []Deep
	DeepPtrs     []*Deep
	Labels       map[string]string
	DeepMap      map[string]Deep
	Matrix       [][]Deep
	PlainPointer *Plain
)

// The types below are other names of types.
type (
	TextAlias         = string
	DeepAlias         = Deep
	ListAlias         = []string
	MapAlias          = map[string]Deep
	PlainPointerAlias = *Plain
	TimeAlias         = metav1.Time
)

// OfNamed is made of a declared type.
type OfNamed Fields

// OfOther is made of another package's type.
type OfOther metav1.LabelSelector

// Skipped has no methods.
// +kubebuilder:object:generate=false
type Skipped struct{ Interface any }

type hidden struct{ Values []string }

var _ = hidden{}
