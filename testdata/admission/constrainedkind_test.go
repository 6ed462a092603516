package admission_test

import (
	"fmt"
	"slices"
	"strings"
)

// A constrained kind is random: its fields have constraints of all kinds, and
// status.atProvider mirrors them.
type constrained struct {
	name   string
	fields []*bounded
	// structs are the declarations of the structs in it.
	structs      []*boundedStruct
	initProvider bool
}

// A boundedStruct is a struct with constraints.
type boundedStruct struct {
	name    string
	nesting nesting
	markers []string
	fields  []*bounded
}

// A nesting says which rules a struct may have: fewer in lists and maps, since the API
// server limits what they may cost, and what they may compare.
type nesting int

const (
	// alone is a struct in no list or map.
	alone nesting = iota
	// limited is one in a list or map that can't have many elements.
	limited
	// unlimited is one in a list or map that can.
	unlimited
)

// A bounded field has constraints.
type bounded struct {
	name, json, goType string
	tag                string
	markers            []string
	required           bool
	hasReference       bool
	// value returns a random value. One of the desired state mostly keeps the
	// constraints.
	value func(r *random, desired bool) any
}

// pick returns one of some values.
func pick[T any](r *random, values ...T) T { return values[r.IntN(len(values))] }

// A leaf is a type of fields without fields, with the constraints that it may have, and
// values that keep and break them.
type leaf struct {
	goType  string
	markers []string
	values  []any
}

const validation = "+kubebuilder:validation:"

var leaves = []leaf{
	{"string", []string{
		"Enum=a;bb;ccc", "Enum=a", `Pattern="^[a-c]+$"`, "Pattern=`^(a|bb)*$`", "MinLength=1", "MinLength=2", "MaxLength=2", "MaxLength=0",
		"Format=ipv4", "Format=cidr", "Format=date", "Format=date-time", "Format=uuid", "Format=isbn", "Format=unheard-of", `XValidation:rule="self.size() < 3"`,
	}, []any{"a", "bb", "ccc", "", "☃☃", "abc", "10.0.0.1", "10.0.0.0/8", "2024-02-29", "2024-02-29T00:00:00Z", "123e4567-e89b-12d3-a456-426614174000"}},
	{"int64", []string{
		"Enum=1;2;3", "Minimum=1", "Maximum=2", "Minimum=-1", "MultipleOf=2", "Minimum=0\nExclusiveMinimum=true", "Maximum=3\nExclusiveMaximum=true",
		"Maximum=9007199254740992", `XValidation:rule="self != 2"`,
	}, []any{int64(0), int64(1), int64(2), int64(3), int64(-1), int64(1 << 62)}},
	{"int32", []string{"Enum=1;2", "Minimum=1", "Maximum=2", "Maximum=2147483647", "MultipleOf=3"}, []any{int64(0), int64(1), int64(2), int64(3), int64(-7)}},
	{"float64", []string{"Minimum=0.5", "Maximum=1.5", "Enum=0.5;1", "MultipleOf=0.5"}, []any{0.0, 0.5, 1.0, 1.5, 2.5, -1.0}},
	{"bool", []string{"Enum=true", `XValidation:rule="self"`}, []any{true, false}},
	{"Choice", []string{"MaxLength=5", "Enum=left"}, []any{"left", "right", "up", ""}},
	{"Small", []string{"Minimum=2", "MultipleOf=2"}, []any{int64(0), int64(1), int64(2), int64(4), int64(5)}},
	{"resource.Quantity", []string{"XIntOrString\nPattern=`^[0-9]+$`"}, []any{"1Gi", int64(2), "3"}},
	{"metav1.Time", []string{"Format=date-time"}, []any{"2023-02-22T07:16:51Z", "2023-02-22T07:16:52Z"}},
	{"runtime.RawExtension", []string{"pruning"}, []any{map[string]any{"k": "a"}, map[string]any{"k": "a", "l": "b"}}},
}

// listMarkers and mapMarkers are constraints of lists and maps, and limits those of them
// without which what is in them may have no rules.
var (
	listMarkers = []string{"MinItems=1", "MinItems=2", "MaxItems=2", "MaxItems=0"}
	mapMarkers  = []string{"MinProperties=1", "MinProperties=2", "MaxProperties=1"}
	listLimits  = []string{"MaxItems=2", "MaxItems=3\nMinItems=1", "MaxItems=3\n" + `XValidation:rule="self.size() < 3"`, "MaxItems=3\n" + `XValidation:rule="self == oldSelf"`}
	mapLimits   = []string{"MaxProperties=1", "MaxProperties=2\nMinProperties=1", "MaxProperties=2\n" + `XValidation:rule="self.all(k, k != 'b')"`}
)

// constrained returns a kind with up to ten fields, structs in up to three depths.
func (r *random) constrained(name string) *constrained {
	k := &constrained{name: name, initProvider: r.oneIn(3)}
	top := &boundedStruct{name: name + "Parameters"}
	k.structs = append(k.structs, top)
	r.fillStruct(k, top, 4+r.IntN(8), 0)
	k.fields = top.fields
	return k
}

// fillStruct adds fields to a struct, and constraints on the struct as a whole.
func (r *random) fillStruct(k *constrained, s *boundedStruct, fields, depth int) {
	for i := range fields {
		f := &bounded{name: fmt.Sprintf("F%d", i), json: fmt.Sprintf("f%d", i)}
		r.bound(k, s, f, depth)
		s.fields = append(s.fields, f)
	}
	// A field must be able to be missing for these, and each must be satisfiable.
	optional := slices.DeleteFunc(slices.Clone(s.fields), func(f *bounded) bool { return f.required || !strings.HasPrefix(f.goType, "*") })
	if len(optional) > 1 && r.oneIn(2) {
		a, b := optional[0].json, optional[1].json
		if optional[1].hasReference {
			b += pick(r, "", "Ref", "Selector")
		}
		s.markers = append(s.markers, "+mrgen:requiredOneOf:fields="+a+";"+b+pick(r, "", ",exactly=true"))
		return
	}
	if s.nesting == unlimited {
		return
	}
	optional = slices.DeleteFunc(optional, func(f *bounded) bool { return f.hasReference })
	if len(optional) < 2 {
		return
	}
	a, b := optional[0], optional[1]
	switch r.IntN(8) {
	case 0:
		s.markers = append(s.markers, validation+"AtMostOneOf="+a.json+";"+b.json)
	case 1:
		s.markers = append(s.markers, validation+"ExactlyOneOf="+a.json+";"+b.json)
	case 2:
		s.markers = append(s.markers, validation+"AtLeastOneOf="+a.json+";"+b.json)
	case 3:
		s.markers = append(s.markers, fmt.Sprintf(`%sXValidation:rule="!has(self.%s) || has(self.%s)"`, validation, a.json, b.json))
	case 4:
		if depth > 0 {
			s.markers = append(s.markers, validation+pick(r, "MinProperties=2", "MaxProperties=2"))
		}
	case 5:
		if depth > 0 && s.nesting == alone {
			s.markers = append(s.markers, validation+`XValidation:rule="self == oldSelf"`)
		}
	}
}

// bound makes a field of a random type.
func (r *random) bound(k *constrained, s *boundedStruct, f *bounded, depth int) {
	f.required = r.oneIn(3)
	omit := true
	switch shape := r.IntN(12); {
	case shape < 5 || depth > 2:
		r.boundLeaf(f, &omit)
	case shape < 7:
		l := pick(r, leaves[:7]...)
		f.goType, f.markers = "[]"+l.goType, r.some(slices.Concat(listMarkers, listLimits))
		if l.goType == "string" && r.oneIn(2) {
			f.markers = append(f.markers, validation+"items:"+pick(r, "Enum=a;bb", "MaxLength=2", "Pattern=`^a`"))
		} else if l.goType == "string" && r.oneIn(4) {
			f.markers = []string{validation + "MaxItems=3", validation + `items:XValidation:rule="self != 'a'"`}
		}
		isSet := r.oneIn(3)
		if isSet {
			f.markers = append(f.markers, "+listType=set")
		}
		f.value = func(r *random, desired bool) any {
			list := []any{}
			for range r.IntN(4) {
				list = append(list, pick(r, l.values...))
			}
			return list
		}
	case shape == 7:
		l := pick(r, leaves[:7]...)
		f.goType, f.markers = "map[string]"+pick(r, "", "*")+l.goType, r.some(slices.Concat(mapMarkers, mapLimits))
		f.value = func(r *random, desired bool) any {
			entries := map[string]any{}
			for _, key := range []string{"a", "b", "c"}[:r.IntN(4)] {
				entries[key] = pick(r, l.values...)
			}
			return entries
		}
	default:
		r.boundStruct(k, s, f, depth)
	}
	if f.required {
		f.markers = append(f.markers, "+required")
	} else {
		f.markers = append(f.markers, "+optional")
	}
	switch r.IntN(12) {
	case 0:
		f.markers = append(f.markers, "+mrgen:mirror=false")
	case 1:
		if s.nesting == alone {
			f.markers = append(f.markers, "+immutable")
		}
	}
	if s.nesting != alone {
		f.markers = slices.DeleteFunc(f.markers, func(marker string) bool { return strings.Contains(marker, "oldSelf") })
	}
	if s.nesting == unlimited {
		f.markers = slices.DeleteFunc(f.markers, func(marker string) bool { return strings.Contains(marker, "XValidation") })
	}
	f.tag = f.json
	if omit {
		f.tag += ",omitempty"
	}
}

// some returns none or one of some markers, with the prefix that all have.
func (r *random) some(markers []string) []string {
	if r.oneIn(2) {
		return nil
	}
	return r.one(markers)
}

// one returns one of some markers, with the prefix that all have.
func (r *random) one(markers []string) []string {
	var chosen []string
	for _, marker := range strings.Split(pick(r, markers...), "\n") {
		if marker == "pruning" {
			chosen = append(chosen, "+kubebuilder:pruning:PreserveUnknownFields")
			continue
		}
		chosen = append(chosen, validation+marker)
	}
	return chosen
}

func (r *random) boundLeaf(f *bounded, omit *bool) {
	l := pick(r, leaves...)
	f.markers = r.some(l.markers)
	if r.oneIn(4) {
		f.markers = slices.Compact(append(f.markers, r.some(l.markers)...))
	}
	f.goType = "*" + l.goType
	isBasic := !strings.Contains(l.goType, ".")
	if isBasic && r.oneIn(3) {
		f.goType = l.goType
		*omit = !f.required || r.oneIn(2)
	}
	f.hasReference = l.goType == "string" && f.goType == "*string" && !f.required && r.oneIn(4)
	f.value = func(r *random, desired bool) any { return pick(r, l.values...) }
}

func (r *random) boundStruct(k *constrained, s *boundedStruct, f *bounded, depth int) {
	inner := &boundedStruct{name: s.name + f.name}
	if r.oneIn(4) {
		inner.fields = append(inner.fields, &bounded{
			name: "Key", json: "key", goType: "string", tag: "key", required: true, markers: []string{"+required"},
			value: func(r *random, desired bool) any { return pick(r, "a", "b", "") },
		})
	}
	isKeyed := len(inner.fields) > 0
	k.structs = append(k.structs, inner)
	shape := r.IntN(5)
	isList := isKeyed || shape == 2
	switch isMap := !isKeyed && shape == 4; {
	case !isList && !isMap:
		inner.nesting = s.nesting
	case s.nesting == unlimited || r.oneIn(2):
		inner.nesting = unlimited
		f.markers = r.some(map[bool][]string{true: listMarkers, false: mapMarkers}[isList])
	default:
		inner.nesting = limited
		f.markers = r.one(map[bool][]string{true: listLimits, false: mapLimits}[isList])
	}
	r.fillStruct(k, inner, 1+r.IntN(4), depth+1)
	one := func(r *random, desired bool) any { return r.boundObject(inner.fields, desired) }
	list := func(r *random, desired bool) any {
		items := []any{}
		for range r.IntN(3) {
			items = append(items, one(r, desired))
		}
		return items
	}
	switch {
	case isKeyed:
		f.goType, f.value = "[]"+inner.name, list
		f.markers = append(f.markers, "+listType=map", "+listMapKey=key")
	case shape < 2:
		f.goType, f.value = "*"+inner.name, one
	case shape == 2:
		f.goType, f.value = "[]"+pick(r, "", "*")+inner.name, list
	case shape == 3:
		f.goType, f.value = inner.name, one
	default:
		f.goType = "map[string]" + inner.name
		f.value = func(r *random, desired bool) any {
			entries := map[string]any{}
			for _, key := range []string{"a", "b"}[:r.IntN(3)] {
				entries[key] = one(r, desired)
			}
			return entries
		}
	}
}

// boundObject returns values for some fields. Of the desired state, few of those that
// are required are missing.
func (r *random) boundObject(fields []*bounded, desired bool) map[string]any {
	object := map[string]any{}
	for _, f := range fields {
		isLeftOut := r.oneIn(4)
		if desired {
			isLeftOut = !r.oneIn(5) && (!f.required || r.oneIn(20))
		}
		if isLeftOut {
			continue
		}
		if !desired && slices.Contains(f.markers, "+mrgen:mirror=false") {
			continue
		}
		object[f.json] = f.value(r, desired)
		if f.hasReference && desired && r.oneIn(2) {
			delete(object, f.json)
			object[f.json+pick(r, "Ref", "Selector")] = map[string]any{"name": "a"}
		}
	}
	return object
}

// source returns the declarations of the kind.
func (k *constrained) source() string {
	var b strings.Builder
	b.WriteString(strings.Replace(kindSource(k.name, k.initProvider), "\txpv2.ManagedResourceStatus `json:\",inline\"`\n",
		"\txpv2.ManagedResourceStatus `json:\",inline\"`\n\tAtProvider "+k.name+"Observation `json:\"atProvider,omitempty\"`\n", 1))
	for _, s := range k.structs {
		fmt.Fprintf(&b, "\n// %s is a struct.\n", s.name)
		for _, marker := range s.markers {
			fmt.Fprintf(&b, "// %s\n", marker)
		}
		fmt.Fprintf(&b, "type %s struct {\n", s.name)
		for _, f := range s.fields {
			fmt.Fprintf(&b, "\t// %s is a field.\n", f.name)
			for _, marker := range f.markers {
				fmt.Fprintf(&b, "\t// %s\n", marker)
			}
			if f.hasReference {
				b.WriteString("\t// +crossplane:generate:reference:type=" + k.name + "\n")
			}
			fmt.Fprintf(&b, "\t%s %s `json:%q`\n", f.name, f.goType, f.tag)
			if f.hasReference {
				fmt.Fprintf(&b, "\t%sRef *xpv2.Reference `json:\"%sRef,omitempty\"`\n", f.name, f.json)
				fmt.Fprintf(&b, "\t%sSelector *xpv2.Selector `json:\"%sSelector,omitempty\"`\n", f.name, f.json)
			}
		}
		b.WriteString("}\n")
	}
	return b.String()
}
