// Package v1 has the kinds whose generated methods the program in this module judges. What the markers
// of a field mean, the tags "is", "check", "item" and "beside" say once more, for the judge.
// +kubebuilder:object:generate=true
// +groupName=example.org
package v1

import (
	"k8s.io/apimachinery/pkg/api/resource"

	xpv2 "github.com/crossplane/crossplane/apis/v2/core/v2"

	"example.org/other"
)

// PlainParameters have scalars.
type PlainParameters struct {
	Region  string  `json:"region" is:"required"`
	Enabled bool    `json:"enabled" is:"required"`
	Size    int32   `json:"size" is:"required"`
	Ratio   float64 `json:"ratio,omitempty"`
	Zone    string  `json:"zone,omitempty"`
	// +optional
	Loose string `json:"loose"`
	// +kubebuilder:validation:Required
	Must  *string `json:"must,omitempty" is:"required"`
	Count *int64  `json:"count,omitempty"`
	Flag  *bool   `json:"flag,omitempty"`
	Level *Level  `json:"level,omitempty"`
	Mode  Level   `json:"mode,omitempty"`
	Data  []byte  `json:"data,omitempty"`
	// +kubebuilder:validation:Required
	Needed string `json:"needed,omitempty" is:"required"`
	// +kubebuilder:validation:Required
	NeededFlag bool `json:"neededFlag,omitzero" is:"required"`
	// +mrgen:mirror=false
	Hidden *string `json:"hidden,omitempty" is:"hidden"`
	// +mrgen:lateInitialize=false
	Kept *string `json:"kept,omitempty" is:"kept"`
	// +mrgen:diff=off
	Off *string `json:"off,omitempty" is:"off"`
	// +mrgen:sensitive
	Secret *string `json:"secret,omitempty" is:"hidden"`
}

// A Level is a named text.
type Level string

// ListsParameters have lists and maps.
type ListsParameters struct {
	List  []string `json:"list,omitempty"`
	Kept  []string `json:"kept,omitzero"`
	Plain []string `json:"plain" is:"required"`
	// +listType=set
	Set []string `json:"set,omitempty" is:"set"`
	// +listType=map
	// +listMapKey=key
	Keyed []Tag `json:"keyed,omitempty" is:"keyed"`
	// +listType=map
	// +listMapKey=name
	// +listMapKey=port
	Ports []Port `json:"ports,omitempty" is:"keyed"`
	// +listType=map
	// +listMapKey=key
	PtrKeyed []PtrTag           `json:"ptrKeyed,omitempty" is:"keyed"`
	Items    []Note             `json:"items,omitempty"`
	Ptrs     []*Note            `json:"ptrs,omitempty"`
	Texts    []*string          `json:"texts,omitempty"`
	Levels   []Level            `json:"levels,omitempty"`
	Map      map[string]string  `json:"map,omitempty"`
	MapNil   map[string]string  `json:"mapNil,omitzero"`
	MapPtr   *map[string]string `json:"mapPtr,omitempty"`
	Lists    *[]string          `json:"lists,omitempty"`
	Values   map[string]*int64  `json:"values,omitempty"`
	Notes    map[string]Note    `json:"notes,omitempty"`
	Named    map[Level]Level    `json:"named,omitempty"`
	// +mrgen:diff=subset
	SubMap map[string]string `json:"subMap,omitempty" is:"subset"`
	// +mrgen:diff=subset
	SubList []Note `json:"subList,omitempty" is:"subset"`
	// +mrgen:diff=unordered
	Unordered []Note `json:"unordered,omitempty" is:"unordered"`
	// +mrgen:diff=subset
	// +listType=map
	// +listMapKey=key
	SubKeyed []Tag `json:"subKeyed,omitempty" is:"subset keyed"`
	// +mrgen:diff=subset
	Around *Around `json:"around,omitempty" is:"subset"`
	// +mrgen:diff=off
	OffAround *Around `json:"offAround,omitempty" is:"off"`
	// +mrgen:lateInitialize=false
	KeptAround *Around `json:"keptAround,omitempty" is:"kept"`
}

// A Tag has a key.
type Tag struct {
	Key   string  `json:"key" is:"required key"`
	Value *string `json:"value,omitempty"`
}

// A PtrTag has a key behind a pointer.
type PtrTag struct {
	Key   *string `json:"key" is:"required key"`
	Value *string `json:"value,omitempty"`
}

// A Port has two keys.
type Port struct {
	Name string `json:"name" is:"required key"`
	Port int64  `json:"port" is:"required key"`
	Free string `json:"free,omitempty"`
}

// A Note needs nothing.
type Note struct {
	Text *string  `json:"text,omitempty"`
	Size int64    `json:"size,omitempty"`
	List []string `json:"list,omitempty"`
}

// Around has fields that inherit, and some that don't.
type Around struct {
	Map map[string]string `json:"map,omitempty"`
	// +mrgen:diff=exact
	Exact []string `json:"exact,omitempty" is:"exact"`
	Texts []string `json:"texts,omitempty"`
	// +mrgen:lateInitialize=true
	Mode *string `json:"mode,omitempty" is:"filled"`
	Note *Note   `json:"note,omitempty"`
}

// StructsParameters have structs.
type StructsParameters struct {
	// Note that both embed Common.
	*First  `json:",inline"`
	*Second `json:",inline"`
	Third   `json:",inline"`

	Ptr      *Inner `json:"ptr,omitempty"`
	Value    Inner  `json:"value,omitempty"`
	Zero     Inner  `json:"zero,omitzero"`
	Required Inner  `json:"required" is:"required"`
	// +kubebuilder:validation:Required
	Must    *Inner `json:"must,omitempty" is:"required"`
	Empty   *Empty `json:"empty,omitempty"`
	Deep    *Deep  `json:"deep,omitempty"`
	Flags   Flags  `json:"flags,omitempty"`
	Demands *Needs `json:"demands,omitempty"`
	Demand  Needs  `json:"demand,omitzero"`
	// Hides requires what is not mirrored, so that it can't be made.
	Hides *Hides `json:"hides,omitempty" is:"nowhole"`
	// Writes has what Go writes and nothing mirrors.
	Writes *Writes          `json:"writes,omitempty" is:"nowhole"`
	Sole   Sole             `json:"sole,omitempty"`
	Outer  *Outer           `json:"outer,omitempty"`
	Loose  *Loose           `json:"loose,omitempty"`
	List   []Needs          `json:"list,omitempty"`
	Map    map[string]Needs `json:"map,omitempty"`
}

// First is embedded, and has what Go always writes.
type First struct {
	Common `json:",inline"`
	Owner  string `json:"owner" is:"required"`
}

// Second is embedded, and Go writes nothing of it that isn't set.
type Second struct {
	Comment *string           `json:"comment,omitempty"`
	Labels  map[string]string `json:"labels,omitempty"`
	Nested  *Inner            `json:"nested,omitempty"`
}

// Third is embedded.
type Third struct {
	Remark *string `json:"remark,omitempty"`
	Team   Inner   `json:"team" is:"required"`
}

// Common is embedded in what is embedded.
type Common struct {
	Size *int64 `json:"size,omitempty"`
	Note Inner  `json:"note,omitzero"`
}

// Inner has something optional.
type Inner struct {
	A *string  `json:"a,omitempty"`
	B string   `json:"b,omitempty"`
	C []string `json:"c,omitempty"`
	D *Note    `json:"d,omitempty"`
}

// Empty says something by being there.
type Empty struct{}

// Deep has structs in structs.
type Deep struct {
	Inner *Inner `json:"inner,omitempty"`
	Value Inner  `json:"value,omitempty"`
	Tag   *Tag   `json:"tag,omitempty"`
}

// Flags have nothing that can be unset.
type Flags struct {
	On bool `json:"on" is:"required"`
}

// Needs has something required, that can be observed or not.
type Needs struct {
	Name string `json:"name" is:"required"`
	// +kubebuilder:validation:Required
	Text *string `json:"text,omitempty" is:"required"`
	// +kubebuilder:validation:Required
	List []string `json:"list,omitempty" is:"required"`
	// +kubebuilder:validation:Minimum=1
	// +optional
	Port int64  `json:"port" check:"min=1"`
	Free *int64 `json:"free,omitempty"`
}

// Outer requires a struct that requires what may not be observed.
type Outer struct {
	Inner Sole    `json:"inner" is:"required"`
	A     *string `json:"a,omitempty"`
}

// Loose has such a struct, and doesn't require it.
type Loose struct {
	Inner Sole    `json:"inner,omitempty"`
	A     *string `json:"a,omitempty"`
}

// Sole has what is required, which Go leaves out if nobody set it.
type Sole struct {
	// +kubebuilder:validation:Required
	Text *string `json:"text,omitempty" is:"required"`
	A    *string `json:"a,omitempty"`
}

// Hides requires what is hidden.
type Hides struct {
	// +kubebuilder:validation:Required
	// +mrgen:mirror=false
	Secret *string `json:"secret,omitempty" is:"hidden required"`
	A      *string `json:"a,omitempty"`
}

// Writes has a value that Go always writes, and that is hidden.
type Writes struct {
	// +optional
	// +mrgen:mirror=false
	Secret string  `json:"secret" is:"hidden"`
	A      *string `json:"a,omitempty"`
}

// ChecksParameters have constraints.
type ChecksParameters struct {
	// +kubebuilder:validation:Minimum=2
	// +kubebuilder:validation:Maximum=4
	Bounded *int64 `json:"bounded,omitempty" check:"min=2,max=4"`
	// +kubebuilder:validation:Minimum=2
	// +kubebuilder:validation:ExclusiveMinimum=true
	// +kubebuilder:validation:Maximum=4
	// +kubebuilder:validation:ExclusiveMaximum=true
	Open int64 `json:"open,omitempty" check:"above=2,below=4"`
	// +kubebuilder:validation:MultipleOf=2
	Even *int64 `json:"even,omitempty" check:"multiple=2"`
	// +kubebuilder:validation:Minimum=1.5
	Ratio *float64 `json:"ratio,omitempty" check:"min=1.5"`
	// +kubebuilder:validation:MinLength=2
	// +kubebuilder:validation:MaxLength=3
	Text *string `json:"text,omitempty" check:"shortest=2,longest=3"`
	// +kubebuilder:validation:MinLength=1
	Some *string `json:"some,omitempty" check:"shortest=1"`
	// +kubebuilder:validation:MinLength=1
	Value string `json:"value,omitempty" check:"shortest=1"`
	// +kubebuilder:validation:Pattern=^b+$
	Match *string `json:"match,omitempty" check:"pattern=^b+$"`
	// +kubebuilder:validation:Enum=a;b
	One *string `json:"one,omitempty" check:"enum=a|b"`
	// +kubebuilder:validation:Enum=1;3
	Digit *int64 `json:"digit,omitempty" check:"enum=1|3"`
	// +kubebuilder:validation:Format=int32
	Narrow *int64 `json:"narrow,omitempty" is:"ruled"`
	Enum   *Enum  `json:"enum,omitempty" check:"enum=a|bb"`
	Enum2  Enum   `json:"enum2,omitempty" check:"enum=a|bb"`
	// +kubebuilder:validation:Format=cidr
	CIDR *string `json:"cidr,omitempty" check:"format=cidr" pool:"10.0.0.0/8|10.0.0.0|a"`
	// +kubebuilder:validation:Format=date-time
	When *string `json:"when,omitempty" check:"format=date-time" pool:"2023-01-01T00:00:00Z|2023-01-01|a"`
	// +kubebuilder:validation:MinItems=2
	// +kubebuilder:validation:MaxItems=2
	Pair []string `json:"pair,omitempty" check:"fewest=2,most=2"`
	// +kubebuilder:validation:MinItems=1
	Behind *[]string `json:"behind,omitempty" check:"fewest=1"`
	// +kubebuilder:validation:MaxProperties=1
	Single map[string]string `json:"single,omitempty" check:"most=1"`
	// +kubebuilder:validation:items:Enum=a;b
	Choices []string `json:"choices,omitempty" item:"enum=a|b"`
	// +kubebuilder:validation:items:MinLength=1
	Ptrs []*string `json:"ptrs,omitempty" item:"shortest=1"`
	// +listType=set
	Set []Enum `json:"set,omitempty" is:"set" item:"enum=a|bb"`
	// +listType=set
	// +kubebuilder:validation:items:Enum=a;bb
	Strings []string `json:"strings,omitempty" is:"set" item:"enum=a|bb"`
	// +listType=map
	// +listMapKey=key
	Keyed []Tag `json:"keyed,omitempty" is:"keyed unique"`
	// What has no key may get one from a default, which another item has.
	// +listType=map
	// +listMapKey=key
	OptKeyed []OptTag        `json:"optKeyed,omitempty" is:"keyed ruled"`
	Enums    map[string]Enum `json:"enums,omitempty" item:"enum=a|bb"`
	// +kubebuilder:validation:MinLength=2
	Required string `json:"required" is:"required" check:"shortest=2"`
	// +kubebuilder:validation:Maximum=1
	Most int64 `json:"most" is:"required" check:"max=1"`
	// +kubebuilder:validation:Required
	// +kubebuilder:validation:Maximum=1
	MustMost *int64   `json:"mustMost,omitempty" is:"required" check:"max=1"`
	Inner    *Checked `json:"inner,omitempty"`
	Flat     Checked  `json:"flat,omitempty"`
	Lists    [][]Enum `json:"lists,omitempty" item2:"enum=a|bb"`
	// +kubebuilder:validation:items:MinItems=2
	Rows [][]Enum `json:"rows,omitempty" item:"fewest=2" item2:"enum=a|bb"`
	// +kubebuilder:validation:XValidation:rule="self != 'b'"
	Ruled *string `json:"ruled,omitempty" is:"ruled"`
	// +kubebuilder:validation:XValidation:rule="self == oldSelf"
	Once *Inner `json:"once,omitempty" is:"fixed"`
	// +kubebuilder:validation:XValidation:rule="self == oldSelf"
	OnceValue string `json:"onceValue,omitempty" is:"ruled fixed"`
	// +kubebuilder:validation:Format=byte
	Bytes []byte `json:"bytes,omitempty"`
	// +kubebuilder:validation:Type=string
	// +kubebuilder:validation:Format=date-time
	Stamp *other.Stamp `json:"stamp,omitempty"`
	// +kubebuilder:validation:Enum=1;300
	Tiny2 *int8 `json:"tiny2,omitempty" check:"enum=1|300"`
	// +kubebuilder:validation:Maximum=300
	Tiny *int8 `json:"tiny,omitempty" check:"max=300"`
	// +kubebuilder:validation:Enum=1;3;a
	// +kubebuilder:validation:Type=string
	Typed *int64 `json:"typed,omitempty" is:"ruled"`
	// +kubebuilder:validation:Pattern=`^(?=b)`
	Strange *string `json:"strange,omitempty" is:"ruled"`
	// +kubebuilder:validation:Format=hostname
	Host *string `json:"host,omitempty" is:"ruled"`
	// +kubebuilder:validation:Format=password
	Free *string `json:"free,omitempty"`
	// +kubebuilder:validation:MaxProperties=2
	Bounded2 *map[string]string `json:"bounded2,omitempty" check:"most=2"`
	// +kubebuilder:validation:MinProperties=1
	Some2 *map[string]string `json:"some2,omitempty" check:"fewest=1"`
	// +kubebuilder:validation:Enum=true
	True *bool `json:"true,omitempty" check:"enum=true"`
	// +kubebuilder:validation:Maximum=1.5
	// +kubebuilder:validation:ExclusiveMaximum=true
	Small *float64 `json:"small,omitempty" check:"below=1.5"`
	// +kubebuilder:validation:Minimum=1.5
	Odd *int64 `json:"odd,omitempty" is:"ruled"`
	// +kubebuilder:validation:MultipleOf=0.5
	Halves *float64 `json:"halves,omitempty" is:"ruled"`
	Zeros  *Zeros   `json:"zeros,omitempty"`
	Keeps  *Keeps   `json:"keeps,omitempty" is:"nowhole"`
	Sized  *Sized   `json:"sized,omitempty"`
	Partly *Partly  `json:"partly,omitempty" is:"nowhole"`
	Wholly *Wholly  `json:"wholly,omitempty" is:"nowhole"`
	Least  *Least   `json:"least,omitempty" is:"nowhole"`
}

// An OptTag has a key that may be left out.
type OptTag struct {
	// +kubebuilder:default=a
	// +optional
	Key   string  `json:"key,omitempty" is:"key"`
	Value *string `json:"value,omitempty"`
}

// An Enum has its values.
// +kubebuilder:validation:Enum=a;bb
type Enum string

// Checked has constraints in a struct.
type Checked struct {
	// +kubebuilder:validation:Minimum=2
	A *int64 `json:"a,omitempty" check:"min=2"`
	// +kubebuilder:validation:Required
	// +kubebuilder:validation:MaxLength=1
	B *string `json:"b,omitempty" is:"required" check:"longest=1"`
	// +kubebuilder:validation:Maximum=2
	C int64 `json:"c,omitempty" check:"max=2"`
}

// Zeros have required values, some of which may be zero.
type Zeros struct {
	// +kubebuilder:validation:Minimum=0
	Least int64      `json:"least" is:"required" check:"min=0"`
	Min   *ZeroMin   `json:"min,omitempty"`
	Above *ZeroAbove `json:"above,omitempty"`
	Below *ZeroBelow `json:"below,omitempty"`
	Even  *ZeroEven  `json:"even,omitempty"`
	Long  *ZeroLong  `json:"long,omitempty"`
	Short *ZeroShort `json:"short,omitempty"`
	Match *ZeroMatch `json:"match,omitempty"`
	Enum  *ZeroEnum  `json:"enum,omitempty"`
	CIDR  *ZeroCIDR  `json:"cidr,omitempty"`
	Max   *ZeroMax   `json:"max,omitempty"`
	Flag  *ZeroFlag  `json:"flag,omitempty"`
	Omit  *ZeroOmit  `json:"omit,omitempty"`
	Two   *ZeroTwo   `json:"two,omitempty"`
	Empty *ZeroEmpty `json:"empty,omitempty"`
}

type ZeroMin struct {
	// +kubebuilder:validation:Minimum=1
	N int64 `json:"n" is:"required" check:"min=1"`
}

type ZeroMax struct {
	// +kubebuilder:validation:Maximum=2
	N float64 `json:"n" is:"required" check:"max=2"`
}

type ZeroAbove struct {
	// +kubebuilder:validation:Minimum=0
	// +kubebuilder:validation:ExclusiveMinimum=true
	N int64 `json:"n" is:"required" check:"above=0"`
}

type ZeroBelow struct {
	// +kubebuilder:validation:Maximum=2
	// +kubebuilder:validation:ExclusiveMaximum=true
	N int64 `json:"n" is:"required" check:"below=2"`
}

type ZeroEven struct {
	// +kubebuilder:validation:MultipleOf=2
	N int32 `json:"n" is:"required" check:"multiple=2"`
}

type ZeroLong struct {
	// +kubebuilder:validation:MaxLength=1
	S string `json:"s" is:"required" check:"longest=1"`
}

type ZeroShort struct {
	// +kubebuilder:validation:MinLength=2
	S string `json:"s" is:"required" check:"shortest=2"`
}

type ZeroMatch struct {
	// +kubebuilder:validation:Pattern=^b*$
	S string `json:"s" is:"required" check:"pattern=^b*$"`
}

type ZeroEnum struct {
	S Enum `json:"s" is:"required" check:"enum=a|bb"`
}

type ZeroCIDR struct {
	// +kubebuilder:validation:Format=cidr
	S string `json:"s" is:"required" check:"format=cidr" pool:"10.0.0.0/8|a|"`
}

type ZeroTwo struct {
	// +kubebuilder:validation:MaxLength=3
	// +kubebuilder:validation:Pattern=^b+$
	S string `json:"s" is:"required" check:"longest=3,pattern=^b+$"`
}

type ZeroOmit struct {
	// +kubebuilder:validation:Required
	B bool `json:"b,omitzero" is:"required"`
}

type ZeroEmpty struct {
	// +kubebuilder:validation:Required
	N int64 `json:"n,omitempty" is:"required"`
}

type ZeroFlag struct {
	// +kubebuilder:validation:Enum=true
	B bool `json:"b" is:"required" check:"enum=true"`
}

// Keeps needs what is never filled.
type Keeps struct {
	// +kubebuilder:validation:Minimum=1
	// +mrgen:lateInitialize=false
	// +optional
	N int64   `json:"n" is:"kept" check:"min=1"`
	A *string `json:"a,omitempty"`
}

// Sized has structs whose fields Go always writes.
type Sized struct {
	// +optional
	Port Ported  `json:"port"`
	A    *string `json:"a,omitempty"`
}

// Ported has a port.
type Ported struct {
	// +kubebuilder:validation:Minimum=1
	// +optional
	N int64 `json:"n" check:"min=1"`
}

// Partly has a rule that generated code doesn't check.
// +kubebuilder:validation:XValidation:rule="!has(self.a) || self.a != 'b'"
type Partly struct {
	A *string `json:"a,omitempty" is:"ruled"`
	B *string `json:"b,omitempty"`
}

// Wholly has a rule that depends on all of it.
// +kubebuilder:validation:XValidation:rule="size(self) != 2 || self.a != 'b'"
type Wholly struct {
	A *string `json:"a,omitempty" is:"ruled"`
	B *string `json:"b,omitempty" is:"ruled"`
}

// Least needs some fields, which filling others can't harm.
// +kubebuilder:validation:MinProperties=2
type Least struct {
	A *string `json:"a,omitempty"`
	B *string `json:"b,omitempty"`
	C *string `json:"c,omitempty"`
}

// OthersParameters have types of other modules.
type OthersParameters struct {
	Shared  *other.Shared                `json:"shared,omitempty"`
	Value   other.Shared                 `json:"value,omitzero"`
	List    []other.Shared               `json:"list,omitempty"`
	Ptrs    []*other.Shared              `json:"ptrs,omitempty"`
	Map     map[string]other.Shared      `json:"map,omitempty"`
	Stamp   *other.Stamp                 `json:"stamp,omitempty"`
	Stamps  []other.Stamp                `json:"stamps,omitempty"`
	Pair    *other.Pair                  `json:"pair,omitempty"`
	Pairs   []other.Pair                 `json:"pairs,omitempty"`
	Names   other.Names                  `json:"names,omitempty"`
	Labels  other.Labels                 `json:"labels,omitempty"`
	Lists   []other.Names                `json:"lists,omitempty"`
	Amount  *resource.Quantity           `json:"amount,omitempty"`
	Amounts []resource.Quantity          `json:"amounts,omitempty"`
	ByName  map[string]resource.Quantity `json:"byName,omitempty"`
	Inner   *OtherInner                  `json:"inner,omitempty"`
	// +kubebuilder:validation:Required
	Must *other.Shared `json:"must,omitempty" is:"required"`
}

// OtherInner has them in a struct.
type OtherInner struct {
	List   []other.Shared      `json:"list,omitempty"`
	Shared *other.Shared       `json:"shared,omitempty"`
	Amount *resource.Quantity  `json:"amount,omitempty"`
	Bytes  []byte              `json:"bytes,omitempty"`
	Map    map[string][]string `json:"map,omitempty"`
}

// RefersParameters have references, and fields that exclude each other.
// +kubebuilder:validation:AtMostOneOf=first;second
// +kubebuilder:validation:AtMostOneOf=flat;tall
// +kubebuilder:validation:ExactlyOneOf=left;right
// +kubebuilder:validation:AtMostOneOf=subnet;zone
// +kubebuilder:validation:AtMostOneOf=choose;chosen
type RefersParameters struct {
	// +crossplane:generate:reference:type=Plain
	Network         *string                   `json:"network,omitempty" beside:"networkRef networkSelector"`
	NetworkRef      *xpv2.NamespacedReference `json:"networkRef,omitempty" is:"hidden"`
	NetworkSelector *xpv2.NamespacedSelector  `json:"networkSelector,omitempty" is:"hidden"`
	// +crossplane:generate:reference:type=Plain
	Value         string                    `json:"value,omitempty" beside:"valueRef valueSelector"`
	ValueRef      *xpv2.NamespacedReference `json:"valueRef,omitempty" is:"hidden"`
	ValueSelector *xpv2.NamespacedSelector  `json:"valueSelector,omitempty" is:"hidden"`
	// +crossplane:generate:reference:type=Plain
	// +crossplane:generate:reference:refFieldName=GroupRefs
	// +crossplane:generate:reference:selectorFieldName=GroupSelector
	Groups        []string                   `json:"groups,omitempty" beside:"groupRefs groupSelector"`
	GroupRefs     []xpv2.NamespacedReference `json:"groupRefs,omitempty" is:"hidden"`
	GroupSelector *xpv2.NamespacedSelector   `json:"groupSelector,omitempty" is:"hidden"`

	// +crossplane:generate:reference:type=Plain
	Subnet         *string                   `json:"subnet,omitempty" beside:"subnetRef subnetSelector zone"`
	SubnetRef      *xpv2.NamespacedReference `json:"subnetRef,omitempty" is:"hidden"`
	SubnetSelector *xpv2.NamespacedSelector  `json:"subnetSelector,omitempty" is:"hidden"`
	Zone           *string                   `json:"zone,omitempty" beside:"subnet subnetRef subnetSelector"`

	First  *string           `json:"first,omitempty" beside:"second"`
	Second string            `json:"second,omitempty" beside:"first"`
	Flat   Inner             `json:"flat,omitzero" beside:"tall"`
	Tall   *string           `json:"tall,omitempty" beside:"flat"`
	Left   *Inner            `json:"left,omitempty" beside:"right"`
	Right  map[string]string `json:"right,omitempty" beside:"left"`

	Choose Choice  `json:"choose,omitzero" beside:"chosen"`
	Chosen *string `json:"chosen,omitempty" beside:"choose"`

	Inner *Choice  `json:"inner,omitempty"`
	Items []Choice `json:"items,omitempty"`
	Any   *AnyOf   `json:"any,omitempty"`
}

// A Choice needs one of two.
// +kubebuilder:validation:ExactlyOneOf=x;y
type Choice struct {
	X *string `json:"x,omitempty" beside:"y" is:"least"`
	Y *int64  `json:"y,omitempty" beside:"x" is:"least"`
	Z *string `json:"z,omitempty"`
}

// AnyOf needs one of two, or both.
// +mrgen:requiredOneOf:fields=x;y
type AnyOf struct {
	X *string `json:"x,omitempty" is:"least"`
	Y string  `json:"y,omitempty" is:"least"`
	Z *string `json:"z,omitempty"`
}

// FixedParameters can't change once they are set.
type FixedParameters struct {
	// +immutable
	Region string `json:"region" is:"required fixed"`
	// +immutable
	Text *string `json:"text,omitempty" is:"fixed"`
	// +immutable
	Short string `json:"short,omitempty" is:"fixed"`
	// +immutable
	// +optional
	Loose string `json:"loose" is:"fixed"`
	// +immutable
	List []string `json:"list,omitempty" is:"fixed"`
	// +immutable
	Map map[string]string `json:"map,omitempty" is:"fixed"`
	// +immutable
	Ptr *Inner `json:"ptr,omitempty" is:"fixed"`
	// +immutable
	Value  Inner       `json:"value,omitempty" is:"fixed"`
	Sealed *Sealed     `json:"sealed,omitempty" is:"fixed"`
	Partly *PartFixed  `json:"partly,omitempty"`
	Flat   PartFixed   `json:"flat,omitempty"`
	Items  []PartFixed `json:"items,omitempty"`
	// +listType=map
	// +listMapKey=key
	Keyed   []KeyedFixed           `json:"keyed,omitempty" is:"keyed"`
	Entries map[string]*PartFixed  `json:"entries,omitempty"`
	Groups  map[string][]PartFixed `json:"groups,omitempty"`
	// +immutable
	FixedCommon `json:",inline" is:"fixed"`
	Textual     *string `json:"textual,omitempty"`
}

// Sealed is immutable wherever it is.
// +immutable
type Sealed struct {
	A *string `json:"a,omitempty"`
	B *Inner  `json:"b,omitempty"`
	// +optional
	C string `json:"c"`
}

// PartFixed is immutable in part.
type PartFixed struct {
	// +immutable
	A *string `json:"a,omitempty" is:"fixed"`
	// +immutable
	Always string  `json:"always" is:"required fixed"`
	B      *string `json:"b,omitempty"`
	C      *Inner  `json:"c,omitempty"`
}

// KeyedFixed has a key.
type KeyedFixed struct {
	Key string `json:"key" is:"required key"`
	// +immutable
	A *string `json:"a,omitempty" is:"fixed"`
	B *string `json:"b,omitempty"`
}

// FixedCommon is embedded.
type FixedCommon struct {
	Owner *string `json:"owner,omitempty"`
	Team  *Inner  `json:"team,omitempty"`
}

// InitialParameters are split with InitialInitParameters.
// +kubebuilder:validation:AtMostOneOf=first;second
// +kubebuilder:validation:AtMostOneOf=entries;listed;single
type InitialParameters struct {
	Region  string             `json:"region" is:"required"`
	Text    *string            `json:"text,omitempty"`
	Short   string             `json:"short,omitempty"`
	List    []string           `json:"list,omitempty"`
	Kept    []string           `json:"kept,omitzero"`
	Map     map[string]string  `json:"map,omitempty"`
	MapPtr  *map[string]string `json:"mapPtr,omitempty"`
	Notes   map[string]Note    `json:"notes,omitempty"`
	Ptr     *Inner             `json:"ptr,omitempty"`
	Value   Inner              `json:"value,omitempty"`
	Must    Inner              `json:"must" is:"required"`
	Deep    *Deep              `json:"deep,omitempty"`
	Items   []Tag              `json:"items,omitempty"`
	Shared  []other.Shared     `json:"shared,omitempty"`
	Amount  *resource.Quantity `json:"amount,omitempty"`
	*Second `json:",inline"`

	First *string `json:"first,omitempty" beside:"second"`
	Other *string `json:"second,omitempty" beside:"first"`
	// +crossplane:generate:reference:type=Plain
	Network         *string                   `json:"network,omitempty" beside:"networkRef networkSelector"`
	NetworkRef      *xpv2.NamespacedReference `json:"networkRef,omitempty" is:"hidden"`
	NetworkSelector *xpv2.NamespacedSelector  `json:"networkSelector,omitempty" is:"hidden"`
	Entries         map[string]string         `json:"entries,omitempty" beside:"listed single"`
	Listed          []string                  `json:"listed,omitempty" beside:"entries single"`
	Single          *Inner                    `json:"single,omitempty" beside:"entries listed"`
	*Fourth         `json:",inline"`
	Nest            *Nest `json:"nest,omitempty"`
	Flat            Nest  `json:"flat,omitzero"`
	Chain           Chain `json:"chain,omitzero"`
	// +mrgen:sensitive
	Secrets map[string]string `json:"secrets,omitempty" is:"hidden"`
	// +mrgen:lateInitialize=false
	Never *string `json:"never,omitempty" is:"kept"`
}

// A Chain has a map in a struct of another one, and none beside it.
type Chain struct {
	Text *string `json:"text,omitempty"`
	Link *Link   `json:"link,omitempty"`
}

// A Link has maps.
type Link struct {
	Labels map[string]string `json:"labels,omitempty"`
	Marks  map[string]string `json:"marks,omitempty"`
	Notes  map[string]Note   `json:"notes,omitempty"`
}

// Fourth is embedded beside Second.
type Fourth struct {
	Hint  *string  `json:"hint,omitempty"`
	Hints []string `json:"hints,omitempty"`
}

// A Nest has maps in a struct.
type Nest struct {
	Labels map[string]string  `json:"labels,omitempty"`
	Ptr    *map[string]string `json:"ptr,omitempty"`
	Text   *string            `json:"text,omitempty"`
	Inner  *Around            `json:"inner,omitempty"`
	// +kubebuilder:validation:Required
	Must *string `json:"must,omitempty" is:"required"`
}

// PointedParameters are behind pointers.
type PointedParameters struct {
	Text  *string           `json:"text,omitempty"`
	Map   map[string]string `json:"map,omitempty"`
	Inner *Inner            `json:"inner,omitempty"`
	Flag  bool              `json:"flag,omitempty" is:"differs"`

	Count   *int64          `json:"count,omitempty"`
	Size    int64           `json:"size,omitempty"`
	Level   *Level          `json:"level,omitempty"`
	Texts   []string        `json:"texts,omitempty"`
	Ptrs    []*string       `json:"ptrs,omitempty"`
	Notes   map[string]Note `json:"notes,omitempty"`
	ByName  map[Level]*Note `json:"byName,omitempty"`
	Value   Inner           `json:"value,omitempty"`
	List    []Note          `json:"list,omitempty"`
	Shared  *other.Shared   `json:"shared,omitempty"`
	Pair    other.Pair      `json:"pair,omitzero"`
	Region  string          `json:"region" is:"required"`
	*Second `json:",inline"`
}

// PointedInitParameters are the author's.
type PointedInitParameters struct {
	Text string `json:"text,omitempty"`
	// +optional
	Map   map[string]string `json:"map"`
	Inner Inner             `json:"inner,omitzero"`
	Flag  *string           `json:"flag,omitempty"`
	More  *string           `json:"more,omitempty"`

	Count          int64            `json:"count,omitempty"`
	Size           *int64           `json:"size,omitempty"`
	Level          string           `json:"level,omitempty"`
	Texts          []*string        `json:"texts,omitempty"`
	Ptrs           []string         `json:"ptrs,omitempty"`
	Notes          map[string]*Note `json:"notes,omitempty"`
	ByName         map[string]Note  `json:"byName,omitempty"`
	Value          *Inner           `json:"value,omitempty"`
	List           []*Note          `json:"list,omitempty"`
	Shared         other.Shared     `json:"shared,omitzero"`
	Pair           *other.Pair      `json:"pair,omitempty"`
	Region         *string          `json:"region,omitempty"`
	*PointedSecond `json:",inline"`
}

// PointedSecond has what Second has, in part.
type PointedSecond struct {
	Labels  map[string]string `json:"labels,omitempty"`
	Nested  Inner             `json:"nested,omitzero"`
	Comment string            `json:"comment,omitempty"`
}

// ChainsParameters have types that are declared as others, each with what it demands.
type ChainsParameters struct {
	Narrow  *Narrow           `json:"narrow,omitempty" check:"enum=a|bb,shortest=2"`
	Value   Narrow            `json:"value,omitempty" check:"enum=a|bb,shortest=2"`
	Narrows []Narrow          `json:"narrows,omitempty" item:"enum=a|bb,shortest=2"`
	ByName  map[string]Narrow `json:"byName,omitempty" item:"enum=a|bb,shortest=2"`
	// +kubebuilder:validation:MaxLength=1
	Short *Enum `json:"short,omitempty" check:"enum=a|bb,longest=1"`
	// +kubebuilder:validation:Required
	// +kubebuilder:validation:MaxLength=1
	Must Narrow `json:"must" is:"required" check:"enum=a|bb,shortest=2,longest=1"`
	// +kubebuilder:validation:Pattern=^b+$
	Matches *Matching              `json:"matches,omitempty" check:"pattern=^b+$,pattern=^(a|bb)"`
	Again   *Matching              `json:"again,omitempty" check:"pattern=^(a|bb)"`
	Two     Two                    `json:"two,omitempty" check:"fewest=2"`
	Some    Some                   `json:"some,omitempty" check:"fewest=2,most=2"`
	SomePtr *Some                  `json:"somePtr,omitempty" check:"fewest=2,most=2"`
	Lists   []Some                 `json:"lists,omitempty" item:"fewest=2,most=2"`
	Maps    map[string]Two         `json:"maps,omitempty" item:"fewest=2"`
	Labels  *FewLabels             `json:"labels,omitempty" check:"most=1"`
	Grouped []map[string]FewLabels `json:"grouped,omitempty" item2:"most=1"`
	// +kubebuilder:validation:XValidation:rule="self == oldSelf"
	OnceLevel *Level    `json:"onceLevel,omitempty" is:"fixed"`
	OnceType  *OnceText `json:"onceType,omitempty" is:"fixed"`
	// +kubebuilder:validation:MaxLength=2
	OnceShort *OnceText `json:"onceShort,omitempty" is:"fixed" check:"longest=2"`
	// +kubebuilder:validation:XValidation:rule="oldSelf == self"
	OnceList Two        `json:"onceList,omitempty" is:"fixed" check:"fewest=2"`
	OnceMap  OnceMap    `json:"onceMap,omitempty" is:"fixed"`
	OnceDeep *OnceDeep  `json:"onceDeep,omitempty" is:"fixed"`
	Onces    []OnceDeep `json:"onces,omitempty"`
}

// A Narrow is a longer Enum.
// +kubebuilder:validation:MinLength=2
type Narrow Enum

// Matching texts have a pattern.
// +kubebuilder:validation:Pattern=^(a|bb)
type Matching string

// Two are two texts or more, and Some are no more.
// +kubebuilder:validation:MinItems=2
type Two []string

// +kubebuilder:validation:MaxItems=2
type Some Two

// FewLabels are one label at most.
// +kubebuilder:validation:MaxProperties=1
type FewLabels map[string]string

// OnceText, OnceMap and OnceDeep can't change once they are set.
// +kubebuilder:validation:XValidation:rule="self == oldSelf"
type OnceText string

// +kubebuilder:validation:XValidation:rule="self == oldSelf"
type OnceMap map[string]string

// +kubebuilder:validation:XValidation:rule="self == oldSelf"
type OnceDeep struct {
	A *string  `json:"a,omitempty"`
	B []string `json:"b,omitempty"`
}

// EmbedsParameters embed structs with what they demand, at two depths.
type EmbedsParameters struct {
	Apart  `json:",inline"`
	*Reads `json:",inline"`
	Inner  *Embedding  `json:"inner,omitempty"`
	Least  *Leasts     `json:"least,omitempty"`
	Ruled  *Rules      `json:"ruled,omitempty" is:"nowhole"`
	Items  []Embedding `json:"items,omitempty"`
}

// TowersParameters embed pointers to what embeds pointers, where Go always writes something above,
// below, or nowhere.
type TowersParameters struct {
	*Tower  `json:",inline"`
	*Ground `json:",inline"`
	*Roof   `json:",inline"`
	Nested  *InTowers `json:"nested,omitempty"`
}

// InTowers are in a struct.
type InTowers struct {
	*Tower  `json:",inline"`
	*Ground `json:",inline"`
	*Roof   `json:",inline"`
}

// Tower has a floor of which Go writes nothing that isn't set.
type Tower struct {
	*Floor `json:",inline"`
	Top    *string `json:"top,omitempty"`
}

// Floor is in a Tower.
type Floor struct {
	Room  *string           `json:"room,omitempty"`
	Rooms []string          `json:"rooms,omitempty"`
	Doors map[string]string `json:"doors,omitempty"`
	Inner *Inner            `json:"floorInner,omitempty"`
}

// Ground has a cellar of which Go writes something.
type Ground struct {
	*Cellar `json:",inline"`
	Garden  *string `json:"garden,omitempty"`
}

// Cellar is in a Ground.
type Cellar struct {
	Wine  string  `json:"wine" is:"required"`
	Beer  *string `json:"beer,omitempty"`
	Dusty bool    `json:"dusty,omitempty"`
}

// Roof is written, and what is in it is not.
type Roof struct {
	*Tiles `json:",inline"`
	Red    bool `json:"red" is:"required"`
}

// Tiles are in a Roof.
type Tiles struct {
	Number *int64 `json:"number,omitempty"`
	Flat   Inner  `json:"tilesFlat,omitzero"`
}

// DeepsParameters have lists and maps of lists and maps, and other keys.
type DeepsParameters struct {
	// +listType=map
	// +listMapKey=key
	Levels []LevelTag `json:"levels,omitempty" is:"keyed"`
	// +listType=map
	// +listMapKey=port
	Ports []*IntTag `json:"ports,omitempty" is:"keyed"`
	// +listType=map
	// +listMapKey=name
	// +listMapKey=key
	Flags   []FlagTag                  `json:"flags,omitempty" is:"keyed"`
	Blobs   [][]byte                   `json:"blobs,omitempty"`
	ByBlob  map[string][]byte          `json:"byBlob,omitempty"`
	Blob    *[]byte                    `json:"blob,omitempty"`
	Maps    map[string]map[string]Note `json:"maps,omitempty"`
	Notes   [][]Note                   `json:"notes,omitempty"`
	Ptrs    map[Level][]*Note          `json:"ptrs,omitempty"`
	Levels2 []*Level                   `json:"levels2,omitempty"`
	Empty   map[string]Empty           `json:"empty,omitempty"`
	Bools   []bool                     `json:"bools,omitempty"`
	// +listType=set
	Numbers []int64 `json:"numbers,omitempty" is:"set"`
	// +mrgen:diff=unordered
	Needs [][]string `json:"needs,omitempty" is:"unordered"`
	// +mrgen:diff=subset
	Sub map[string]map[string]string `json:"sub,omitempty" is:"subset"`
	// +mrgen:diff=subset
	SubDeep map[string][]Around `json:"subDeep,omitempty" is:"subset"`
}

// A LevelTag has a key of a declared type.
type LevelTag struct {
	Key   Level  `json:"key" is:"required key"`
	Value *Inner `json:"value,omitempty"`
}

// An IntTag has a number for a key.
type IntTag struct {
	// +kubebuilder:validation:Required
	Port  *int64  `json:"port,omitempty" is:"required key"`
	Value *string `json:"value,omitempty"`
}

// A FlagTag has two keys.
type FlagTag struct {
	Name  Level   `json:"name" is:"required key"`
	Key   bool    `json:"key" is:"required key"`
	Value *string `json:"value,omitempty"`
}

// Apart embeds fields that exclude each other.
type Apart struct {
	Sides `json:",inline"`
	Extra *string `json:"extra,omitempty"`
}

// Sides are one or the other.
// +kubebuilder:validation:AtMostOneOf=left;right
type Sides struct {
	Left  *string  `json:"left,omitempty" beside:"right"`
	Right []string `json:"right,omitempty" beside:"left"`
}

// Reads embeds a field that a rule reads.
type Reads struct {
	Read   `json:",inline"`
	Unread *string `json:"unread,omitempty"`
}

// Read is read by a rule.
// +kubebuilder:validation:XValidation:rule="!has(self.text) || self.text != 'b'"
type Read struct {
	Text  *string `json:"text,omitempty" is:"ruled"`
	Other *string `json:"other,omitempty"`
}

// Embedding embeds them once more.
type Embedding struct {
	Apart `json:",inline"`
	Free  *string `json:"free,omitempty"`
}

// Leasts embed what needs one of two.
type Leasts struct {
	LeastOf `json:",inline"`
	C       *string `json:"c,omitempty"`
}

// LeastOf needs one of two.
// +kubebuilder:validation:AtLeastOneOf=x;y
type LeastOf struct {
	X *string `json:"x,omitempty" is:"least"`
	Y *string `json:"y,omitempty" is:"least"`
}

// Rules embed what a rule reads.
type Rules struct {
	Reads `json:",inline"`
	D     *string `json:"d,omitempty"`
}

// RuledParameters are read by the rules of their kind.
type RuledParameters struct {
	A *string `json:"a,omitempty" is:"ruled"`
	B *string `json:"b,omitempty"`
	C *string `json:"c,omitempty" is:"ruled"`
	D *string `json:"d,omitempty"`
	E *Inner  `json:"e,omitempty" is:"ruled"`
	F *string `json:"f,omitempty" is:"ruled"`
	G *string `json:"g,omitempty" is:"ruled"`
	// Rules name In in another way.
	In *string `json:"in,omitempty" is:"ruled"`
}

// OnceFieldParameters can't change where they are used.
type OnceFieldParameters struct {
	A *string `json:"a,omitempty" is:"ruled fixed"`
	B *Inner  `json:"b,omitempty" is:"ruled fixed"`
}

// OnceParameters can't change once there are any.
// +kubebuilder:validation:XValidation:rule="self == oldSelf"
type OnceParameters struct {
	A *string `json:"a,omitempty" is:"ruled fixed"`
	B *Inner  `json:"b,omitempty" is:"ruled fixed"`
	// +kubebuilder:validation:Required
	C *string `json:"c,omitempty" is:"required ruled fixed"`
}

// OwnParameters are observed in a type of the author.
type OwnParameters struct {
	Needs  []OwnNeed       `json:"needs,omitempty"`
	Ptrs   []*OwnNeed      `json:"ptrs,omitempty"`
	Shared []*other.Shared `json:"shared,omitempty"`
	Values []other.Shared  `json:"values,omitempty"`
	Texts  []*string       `json:"texts,omitempty"`
	Notes  []Note          `json:"notes,omitempty"`
	ByName map[string]Note `json:"byName,omitempty"`
	Count  *int64          `json:"count,omitempty" is:"hidden"`
	Zone   *string         `json:"zone,omitempty"`
	Size   int64           `json:"size,omitempty"`
	Tag    *Needing        `json:"tag,omitempty" is:"nowhole"`
	Alone  *string         `json:"alone,omitempty"`
	List   []string        `json:"list,omitempty"`
	Level  *int64          `json:"level,omitempty"`
	Mode   *string         `json:"mode,omitempty"`
	Even   *bool           `json:"even,omitempty"`
	Gauges []OwnGauge      `json:"gauges,omitempty"`
}

// OwnGauge needs numbers.
type OwnGauge struct {
	Low  int64  `json:"low" is:"required"`
	High *int64 `json:"high" is:"required"`
	Note string `json:"note" is:"required"`
}

// Needing requires what differs in type.
type Needing struct {
	// +kubebuilder:validation:Required
	N *int64  `json:"n,omitempty" is:"required hidden"`
	A *string `json:"a,omitempty"`
}

// OwnObservation is what is observed.
type OwnObservation struct {
	Needs                 []*OwnNeeded        `json:"needs,omitempty"`
	Ptrs                  []OwnNeeded         `json:"ptrs,omitempty"`
	Shared                []other.Shared      `json:"shared,omitempty"`
	Values                []*other.Shared     `json:"values,omitempty"`
	Texts                 []string            `json:"texts,omitempty"`
	Notes                 []*OwnNote          `json:"notes,omitempty"`
	ByName                map[string]*OwnNote `json:"byName,omitempty"`
	Count                 string              `json:"count,omitempty"`
	Zone                  string              `json:"zone,omitempty"`
	Size                  *int64              `json:"size,omitempty"`
	Tag                   *OwnTag             `json:"tag,omitempty"`
	List                  *[]string           `json:"list,omitempty"`
	More                  *string             `json:"more,omitempty"`
	Level                 int64               `json:"level"`
	Mode                  string              `json:"mode"`
	Even                  bool                `json:"even"`
	Gauges                []OwnReading        `json:"gauges,omitempty"`
	ObservedOwnParameters `json:",inline"`
}

// OwnReading is observed.
type OwnReading struct {
	Low  int64  `json:"low"`
	High *int64 `json:"high,omitempty"`
	Note string `json:"note,omitempty"`
}

// OwnTag is observed.
type OwnTag struct {
	N *string `json:"n,omitempty"`
	A *string `json:"a,omitempty"`
}

// OwnNeed needs something.
type OwnNeed struct {
	// +kubebuilder:validation:Required
	Text *string `json:"text,omitempty" is:"required"`
	// +kubebuilder:validation:Minimum=1
	N *int64 `json:"n,omitempty" check:"min=1"`
}

// OwnNeeded is observed.
type OwnNeeded struct {
	Text *string `json:"text,omitempty"`
	N    int64   `json:"n,omitempty"`
}

// OwnNote is observed.
type OwnNote struct {
	Text string `json:"text,omitempty"`
	Size int64  `json:"size,omitempty"`
}
