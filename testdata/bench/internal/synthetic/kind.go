package synthetic

import (
	"fmt"
	"math/rand/v2"
	"strings"
)

// A kind is what the scopes of a kind have in common.
type kind struct {
	name string
	// parameters, and the structs that they are made of; parameters come first.
	parameters []*structure
	// observations are those of status.atProvider, its own type first.
	observations []*structure
	enums        []enum
	// connection tells whether the kind writes a connection secret.
	connection bool
}

type structure struct {
	name, doc string
	fields    []field
	// rule is the marker of a CEL rule, or empty.
	rule string
	// linear is set if references can be resolved in it: maps are not followed.
	linear bool
	// repeated is set for what is in a list or a map.
	repeated bool

	taken map[string]bool
}

type field struct {
	name, doc string
	markers   []string
	form      form
	// goType is the type of a plain field.
	goType string
	// target is what a value refers to, extractor whether through a function.
	target    target
	extractor bool
	required  bool
}

// A form says what a field is in a scope.
type form int

const (
	plain form = iota
	value
	reference
	references
	selector
	secret
)

type enum struct {
	name   string
	values []string
}

// A builder makes up a kind.
type builder struct {
	random *rand.Rand
	kind   *kind
	target func() target
}

// newKind makes up a kind of 56 to 64 fields in forProvider.
func newKind(random *rand.Rand, name string, target func() target) *kind {
	b := &builder{random: random, kind: &kind{name: name, connection: random.IntN(4) == 0}, target: target}
	parameters := &structure{
		name: name + "Parameters", doc: fmt.Sprintf("%sParameters define the desired state of a %s.", name, words(name)), linear: true,
	}
	b.kind.parameters = append(b.kind.parameters, parameters)
	parameters.add(field{name: "Region", doc: "Region is the region you'd like your " + name + " to be created in.", goType: "string", required: true, markers: []string{"+mrgen:identifier"}})

	for range 5 {
		b.nest(parameters)
	}
	// Two of the five have a struct of their own, and one of those another.
	b.nest(b.kind.parameters[1])
	b.nest(b.kind.parameters[2])
	b.nest(b.kind.parameters[6])
	for range 1 + random.IntN(3) {
		b.refer()
	}
	for range 11 {
		b.collection(pick(random, b.kind.parameters))
	}
	if random.IntN(5) == 0 {
		b.limits(pick(random, b.kind.parameters[1:]))
	}
	for _, s := range b.kind.parameters {
		for len(s.fields) < 2 {
			b.scalar(s)
		}
	}
	for total := 56 + random.IntN(9); b.kind.fields() < total; {
		// Half of what remains is at the top.
		if random.IntN(2) == 0 {
			b.scalar(parameters)
		} else {
			b.scalar(pick(random, b.kind.parameters[1:]))
		}
	}
	b.observe()
	return b.kind
}

// fields returns the number of fields in forProvider.
func (k *kind) fields() int {
	count := 0
	for _, s := range k.parameters {
		count += len(s.fields)
	}
	return count
}

// add adds a field, unless the struct has one of that name.
func (s *structure) add(f field) bool {
	if s.taken == nil {
		s.taken = map[string]bool{}
	}
	if s.taken[f.name] {
		return false
	}
	s.taken[f.name] = true
	s.fields = append(s.fields, f)
	return true
}

// name returns the name of a field that the struct doesn't have.
func (b *builder) name(s *structure) string {
	for {
		name := pick(b.random, aspects) + pick(b.random, properties)
		if !s.taken[name] {
			return name
		}
	}
}

// nest adds a struct below another one.
func (b *builder) nest(parent *structure) {
	name := b.name(parent)
	inner := &structure{name: b.kind.name + name, linear: parent.linear, repeated: parent.repeated}
	for b.kind.declares(inner.name) {
		name = b.name(parent)
		inner.name = b.kind.name + name
	}
	inner.doc = fmt.Sprintf("%s is the %s of a %s.", inner.name, words(name), words(b.kind.name))
	f := field{name: name, doc: sentence(b.random, name)}
	switch b.random.IntN(10) {
	case 0, 1, 2, 3:
		f.goType = "*" + inner.name
	case 4, 5, 6:
		f.goType, inner.repeated = "[]"+inner.name, true
		inner.add(field{name: "Name", doc: "The name, which must be unique in the list.", goType: "string", required: true})
		if b.random.IntN(2) == 0 {
			f.markers = append(f.markers, "+listType=map", "+listMapKey=name", "+kubebuilder:validation:MaxItems=64")
		}
	case 7:
		f.goType = "[]*" + inner.name
		inner.linear, inner.repeated = false, true
	case 8:
		f.goType = "map[string]" + inner.name
		inner.linear, inner.repeated = false, true
	case 9:
		f.goType, f.required = inner.name, true
		b.relaxable(parent, &f)
	}
	parent.add(f)
	b.kind.parameters = append(b.kind.parameters, inner)
}

func (k *kind) declares(name string) bool {
	for _, s := range append(k.parameters, k.observations...) {
		if s.name == name {
			return true
		}
	}
	for _, e := range k.enums {
		if e.name == name {
			return true
		}
	}
	return false
}

// refer adds a value that is taken from another kind, half of them nested.
func (b *builder) refer() {
	s := b.kind.parameters[0]
	if nested := pick(b.random, b.kind.parameters); nested.linear && b.random.IntN(3) > 0 {
		s = nested
	}
	to := b.target()
	name := pick(b.random, aspects) + to.kind
	if s.taken[name] || s.taken[name+"Ref"] || s.taken[name+"Selector"] {
		return
	}
	f := field{name: name, form: value, goType: "*string", target: to, extractor: b.random.IntN(5) < 2, doc: sentence(b.random, name)}
	ref := field{name: name + "Ref", form: reference}
	switch b.random.IntN(20) {
	case 0, 1, 2, 3:
		f.goType = "string"
	case 4:
		f.goType = "[]string"
	case 5:
		f.goType = "[]*string"
	}
	if strings.HasPrefix(f.goType, "[]") {
		ref = field{name: name + "Refs", form: references}
		f.markers = append(f.markers,
			"+crossplane:generate:reference:refFieldName="+name+"Refs",
			"+crossplane:generate:reference:selectorFieldName="+name+"Selector")
	}
	ref.doc = fmt.Sprintf("%s refers to a %s to retrieve %s.", ref.name, to.kind, name)
	sel := field{name: name + "Selector", form: selector, doc: fmt.Sprintf("%sSelector selects a %s to retrieve %s.", name, to.kind, name)}
	if b.random.IntN(3) == 0 && !s.repeated {
		f.markers, ref.markers = append(f.markers, "+immutable"), []string{"+immutable"}
	}
	s.add(f)
	s.add(ref)
	s.add(sel)
}

func (b *builder) collection(s *structure) {
	name := b.name(s)
	f := field{name: name, doc: sentence(b.random, name)}
	f.goType = pick(b.random, []string{
		"[]string", "[]string", "[]string", "[]*string", "[]*string", "map[string]string", "map[string]*string", "map[string]*string", "[]int64", "[]byte",
	})
	if strings.HasPrefix(f.goType, "[]") && f.goType != "[]byte" && b.random.IntN(3) == 0 {
		f.markers = append(f.markers, "+kubebuilder:validation:MaxItems=50")
	}
	s.add(f)
}

// limits adds two fields and a CEL rule that relates them.
func (b *builder) limits(s *structure) {
	if !s.add(field{name: "Minimum", goType: "*int64", doc: "The smallest size to scale in to."}) {
		return
	}
	s.add(field{name: "Maximum", goType: "*int64", doc: "The largest size to scale out to."})
	s.rule = `+kubebuilder:validation:XValidation:rule="!has(self.minimum) || !has(self.maximum) || self.minimum <= self.maximum",message="minimum must not be greater than maximum"`
}

func (b *builder) scalar(s *structure) {
	name := b.name(s)
	f := field{name: name, doc: sentence(b.random, name), goType: "*string"}
	r := b.random.IntN(100)
	switch {
	case r < 45:
		b.text(&f)
	case r < 62:
		f.goType = "*bool"
		if b.random.IntN(4) == 0 {
			f.markers = append(f.markers, "+kubebuilder:default=false")
		}
	case r < 80:
		f.goType = pick(b.random, []string{"*int64", "*int64", "*int32"})
		if b.random.IntN(2) == 0 {
			f.markers = append(f.markers, "+kubebuilder:validation:Minimum=1", "+kubebuilder:validation:Maximum=65535")
		}
	case r < 86:
		f.goType, f.required = pick(b.random, []string{"string", "string", "int64", "bool"}), true
		b.relaxable(s, &f)
	case r < 92:
		b.enum(&f)
	case r < 95:
		f.goType = "*metav1.Time"
	case r < 97:
		f.name, f.form = name+"SecretRef", secret
	case r < 98:
		f.goType = "*float64"
	default:
		f.markers = append(f.markers, "+kubebuilder:validation:Required")
		f.required = true
	}
	if s.repeated {
		// Rules for items cost too much, or have no effect.
		s.add(f)
		return
	}
	if !f.required && f.form == plain && b.random.IntN(10) == 0 {
		f.markers = append(f.markers, "+immutable")
	}
	s.add(f)
}

// relaxable has a required field at the top of forProvider hold nothing until it is
// set, so that resources can be observed without it.
func (b *builder) relaxable(s *structure, f *field) {
	if s == b.kind.parameters[0] {
		f.goType = "*" + f.goType
		f.markers = append(f.markers, "+kubebuilder:validation:Required")
	}
}

func (b *builder) text(f *field) {
	switch b.random.IntN(6) {
	case 0:
		f.markers = append(f.markers, "+kubebuilder:validation:MinLength=1", "+kubebuilder:validation:MaxLength=255")
	case 1:
		f.markers = append(f.markers, "+kubebuilder:validation:Pattern=`^[a-z]([-a-z0-9]*[a-z0-9])?$`")
	case 2:
		f.markers = append(f.markers, "+kubebuilder:validation:Enum=ENABLED;DISABLED;INHERITED")
	}
}

// enum gives a field a named type of its own.
func (b *builder) enum(f *field) {
	e := enum{name: b.kind.name + f.name + "Option"}
	if b.kind.declares(e.name) {
		return
	}
	for i := range 2 + b.random.IntN(4) {
		e.values = append(e.values, fmt.Sprintf("%s%d", pick(b.random, properties), i))
	}
	b.kind.enums = append(b.kind.enums, e)
	f.goType = "*" + e.name
}

// observe adds what status.atProvider has.
func (b *builder) observe() {
	k := b.kind
	o := &structure{name: k.name + "Observation", doc: fmt.Sprintf("%sObservation is the observed state of a %s.", k.name, words(k.name))}
	detail := &structure{name: k.name + "ObservedDetail", doc: fmt.Sprintf("%sObservedDetail is a detail of a %s that the service reports.", k.name, words(k.name))}
	o.add(field{name: "ARN", doc: "The name of the resource that is unique in the world.", goType: "*string"})
	o.add(field{name: "ID", doc: "The identifier that the service gave the resource.", goType: "*string"})
	o.add(field{name: "CreatedAt", doc: "The time at which the resource was created.", goType: "*metav1.Time"})
	o.add(field{name: "Details", doc: "What else the service reports.", goType: "[]" + detail.name})
	endpoint := field{name: "Endpoint", doc: "The address at which the resource is reached.", goType: "*string"}
	if k.connection {
		endpoint.markers = []string{"+mrgen:connectionDetail"}
	}
	o.add(endpoint)
	for range 10 {
		b.observed(o)
	}
	for range 4 {
		b.observed(detail)
	}
	k.observations = []*structure{o, detail}
}

func (b *builder) observed(s *structure) {
	name := b.name(s)
	s.add(field{name: name, doc: sentence(b.random, name), goType: pick(b.random, []string{
		"*string", "*string", "*string", "*bool", "*int64", "*metav1.Time", "[]string", "map[string]string",
	})})
}
