// Package partial has types whose authors wrote some of their methods.
//
// +kubebuilder:object:generate=true
package partial

// Copied has DeepCopy.
// +kubebuilder:object:root=true
type Copied struct{ Values []string }

// DeepCopy makes a copy.
func (in *Copied) DeepCopy() *Copied { return in }

// Value has DeepCopy on values.
type Value struct{ Values []string }

// DeepCopy makes a copy.
func (in Value) DeepCopy() Value { return in }

// Into has DeepCopyInto.
// +kubebuilder:object:root=true
type Into struct{ Values []string }

// DeepCopyInto makes a copy.
func (in *Into) DeepCopyInto(out *Into) { *out = *in }

// ValueInto has it on values.
type ValueInto struct{ Values []string }

// DeepCopyInto makes a copy.
func (in ValueInto) DeepCopyInto(out *ValueInto) { *out = in }

// Both has both.
type Both struct{ Values []string }

// DeepCopy makes a copy.
func (in *Both) DeepCopy() *Both { return in }

// DeepCopyInto makes a copy.
func (in *Both) DeepCopyInto(out *Both) { *out = *in }

// Text is a text with methods.
type Text string

// DeepCopy makes a copy.
func (in Text) DeepCopy() Text { return in }

// TextInto is one with the other method.
type TextInto string

// DeepCopyInto makes a copy.
func (in *TextInto) DeepCopyInto(out *TextInto) { *out = *in }

// List is a list with methods.
type List []string

// DeepCopy makes a copy.
func (in List) DeepCopy() List { return in }

// Map is a map with methods.
type Map map[string]string

// DeepCopyInto makes a copy.
func (in Map) DeepCopyInto(out *Map) { *out = in }

// Copier is an interface with methods.
type Copier interface {
	DeepCopy() Copier
}

// OtherResult has a method of the same name.
type OtherResult struct{ Values []string }

// DeepCopy does something else.
func (in *OtherResult) DeepCopy() string { return in.Values[0] }

// OtherReceiver has methods that return and fill something else.
type OtherReceiver struct{ Values []string }

// DeepCopy does something else.
func (in OtherReceiver) DeepCopy() *OtherReceiver { return &in }

// DeepCopyInto does something else.
func (in *OtherReceiver) DeepCopyInto(out *Copied) {}

// OtherArguments has methods with other arguments.
type OtherArguments struct{ Values []string }

// DeepCopy does something else.
func (in *OtherArguments) DeepCopy(int) *OtherArguments { return in }

// DeepCopyInto does something else.
func (in *OtherArguments) DeepCopyInto(out OtherArguments) error { return nil }

// Promoted has the methods of what it embeds, which don't count.
type Promoted struct {
	Both
	More []string
}

// Fields has them all.
type Fields struct {
	Copied    Copied
	Value     Value
	Into      Into
	ValueInto ValueInto
	Both      Both
	Text      Text
	TextInto  TextInto
	List      List
	Map       Map
	Copier    Copier
	Promoted  Promoted

	CopiedPtr    *Copied
	ValuePtr     *Value
	IntoPtr      *Into
	ValueIntoPtr *ValueInto
	BothPtr      *Both
	TextPtr      *Text
	TextIntoPtr  *TextInto
	ListPtr      *List
	MapPtr       *Map
	PromotedPtr  *Promoted

	CopiedList    []Copied
	ValueList     []Value
	IntoList      []Into
	ValueIntoList []ValueInto
	TextList      []Text
	TextIntoList  []TextInto
	ListList      []List
	MapList       []Map
	CopierList    []Copier
	PromotedList  []Promoted

	CopiedMap    map[string]Copied
	ValueMap     map[string]Value
	IntoMap      map[string]Into
	ValueIntoMap map[string]ValueInto
	TextMap      map[string]Text
	TextIntoMap  map[string]TextInto
	ListMap      map[string]List
	MapMap       map[string]Map
	CopierMap    map[string]Copier
	PromotedMap  map[string]Promoted

	CopiedPtrMap    map[string]*Copied
	ValuePtrMap     map[string]*Value
	IntoPtrMap      map[string]*Into
	ValueIntoPtrMap map[string]*ValueInto
	TextPtrMap      map[string]*Text
	TextIntoPtrMap  map[string]*TextInto
	ListPtrMap      map[string]*List
	MapPtrMap       map[string]*Map

	TextKeys map[Text]List

	OtherResult    OtherResult
	OtherReceiver  OtherReceiver
	OtherArguments OtherArguments
}

// Pointer is a pointer to a type with methods.
