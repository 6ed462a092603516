package sdk

import (
	"go/types"
	"slices"
	"strconv"
	"strings"

	"github.com/mrgen-io/mrgen/generator/internal/gosyntax"
	"github.com/mrgen-io/mrgen/generator/internal/gotypes"
	"github.com/mrgen-io/mrgen/markers"
)

// A way is a method of converting a value.
type way int

const (
	// convert uses Go's conversion, or the value itself.
	convert way = iota
	// narrow converts a whole number to a type that may not hold it.
	narrow
	// address takes a pointer to a value, and follow the value of a pointer.
	address
	follow
	// byFunction calls a function.
	byFunction
	// list, entries and binary copy slices, maps, and slices of bytes.
	list
	entries
	binary
	// itemsToMap and mapToItems go between a map and a list of items with a key.
	itemsToMap
	mapToItems
	// times converts between types of times, and parse and print between times and text.
	times
	parse
	print
	// number changes the form of a number, see [numberForm].
	number
	// unwrap and wrap convert between a value and a struct that may hold it.
	unwrap
	wrap
)

// A value is the conversion of values from one type to another.
type value struct {
	way      way
	from, to types.Type
	elem     *value
	// keys is the conversion of a map's keys.
	keys     *value
	function *function
	hints
	wrapper
}

// Hints are the markers on the field of a value, and its surroundings.
type hints struct {
	method     *function
	key, value string
	sendsZero  bool
	// pointer is set if the value ends up behind a pointer, which a new function between structs then returns.
	pointer bool
	// isNumber is set if the value is a number in any form.
	isNumber bool
	// omitsZero is set if the source's tag omits unset values.
	omitsZero bool
	// depth counts the lists, maps and pointers around the value.
	depth int
}

// within returns the hints for the items of a value.
func (c hints) within() hints {
	return hints{method: c.method, key: c.key, value: c.value, sendsZero: true, isNumber: c.isNumber, depth: c.depth + 1}
}

func (v *value) failsItself() bool {
	switch {
	case v.way == narrow, v.way == parse, v.way == number && numberFormOf(v.from) == inText, v.way == byFunction && v.function.fails:
		return true
	default:
		return v.keys != nil && v.keys.failsItself()
	}
}

func (v *value) mayFail() bool {
	if v.failsItself() || v.way == byFunction && v.function.mayFail {
		return true
	}
	return v.elem != nil && v.elem.mayFail()
}

// nothing is the reason for leaving out a struct without any field for this conversion.
const nothing = "this conversion leaves out all that is in it"

// value returns the conversion from one type to another, or nil and why it's impossible.
//
//nolint:gocyclo // a case for each pair of shapes, in the order of precedence
func (w *writer) value(from, to types.Type, c hints) (*value, string) {
	// Recursive types have no end.
	if c.depth > 20 {
		return nil, "one of them contains itself: " + w.remedy(from, to)
	}
	hidden := "other packages can't name one of these types: write " + c.method.name + " by hand, or leave the field out with +" +
		markers.ConvertIgnore
	made := func(way way, elem *value, why string) (*value, string) {
		switch {
		case elem == nil && why != "":
			return nil, why
		case (way == list || way == entries) && elem.fillsHidden(): // an item has no name to fill
			return nil, hidden
		}
		return &value{way: way, from: from, to: to, elem: elem, hints: c}, ""
	}
	// The author's function wins over every rule below.
	if f := w.author(from, to); f != nil {
		return &value{way: byFunction, from: from, to: to, function: f, hints: c}, ""
	}
	// Generated code couldn't declare a variable of the type.
	if w.isHidden(to) && wrapperOf(to, false).flag == "" || gotypes.StructOf(from) != nil && w.isHidden(from) {
		return nil, hidden
	}
	switch {
	case gotypes.IsPointer(from):
		elem, why := w.value(gotypes.Deref(from), to, c.within())
		return made(follow, elem, why)
	case gotypes.IsPointer(to):
		c.pointer = gotypes.StructOf(from) != nil && gotypes.StructOf(to) != nil
		elem, why := w.value(from, gotypes.Deref(to), c)
		return made(address, elem, why)
	case gotypes.IsTime(from) && gotypes.IsTime(to):
		return made(times, nil, "")
	case gotypes.IsTime(from) && gotypes.IsString(to):
		return made(print, nil, "")
	case gotypes.IsString(from) && gotypes.IsTime(to):
		return made(parse, nil, "")
	}
	if v := w.wrapped(from, to, c); v != nil {
		return v, ""
	}
	if v := w.number(from, to, c); v != nil && c.isNumber {
		return v, ""
	}
	if v, why := w.basics(from, to, c); v != nil || why != "" {
		return v, why
	}
	switch u := from.Underlying().(type) {
	case *types.Slice:
		if gotypes.IsBytes(from) && gotypes.IsBytes(to) {
			return made(binary, nil, "")
		}
		if other, ok := to.Underlying().(*types.Slice); ok {
			elem, why := w.value(u.Elem(), other.Elem(), c.within())
			return made(list, elem, why)
		}
		if m, ok := to.Underlying().(*types.Map); ok {
			return w.itemsAndMap(itemsToMap, u.Elem(), m, from, to, c)
		}
	case *types.Map:
		if other, ok := to.Underlying().(*types.Map); ok {
			if key, why := w.value(u.Key(), other.Key(), c); key == nil || key.way != convert {
				return nil, strings.TrimSuffix("the keys of the maps differ: "+why, ": ")
			}
			elem, why := w.value(u.Elem(), other.Elem(), c.within())
			return made(entries, elem, why)
		}
		if other, ok := to.Underlying().(*types.Slice); ok {
			return w.itemsAndMap(mapToItems, other.Elem(), u, from, to, c)
		}
	case *types.Struct:
		if _, ok := to.Underlying().(*types.Struct); ok {
			return w.structs(from, to, c)
		}
	}
	return nil, w.remedy(from, to)
}

// remedy says what to do about types without a known conversion.
func (w *writer) remedy(from, to types.Type) string {
	remedy := "write a function for them, marked +" + markers.Convert
	for _, t := range []types.Type{from, to} {
		if flag := askedFlag(t); flag != "" {
			return "nobody knows whether " + flag + " says that there is a value: " + remedy
		}
	}
	if w.number(from, to, hints{}) != nil {
		remedy = "mark the field +" + markers.ConvertNumber + " if it is a number, or " + remedy
	}
	return remedy
}

// author returns the author's function for two types, or nil.
func (w *writer) author(from, to types.Type) *function {
	i := slices.IndexFunc(w.functions, func(f *function) bool {
		return f.method == nil && f.byHand != nil && types.Identical(f.from[0].Type(), from) && types.Identical(f.to, to)
	})
	if i < 0 {
		return nil
	}
	return w.functions[i]
}

// basics returns the conversion between basic types. It returns neither a conversion nor a reason if one of the
// types isn't basic.
func (w *writer) basics(from, to types.Type, c hints) (*value, string) {
	a, b := gotypes.BasicOf(from), gotypes.BasicOf(to)
	if a == nil || b == nil {
		return nil, ""
	}
	v := &value{way: convert, from: from, to: to, hints: c}
	if a.Kind() == b.Kind() {
		return v, ""
	}
	i, isInteger := gotypes.Integers[a.Kind()]
	j, toInteger := gotypes.Integers[b.Kind()]
	switch {
	case isInteger && toInteger:
		if !j.Holds(i) {
			v.way = narrow
		}
		return v, ""
	case a.Kind() == types.Float32 && b.Kind() == types.Float64: // exact
		return v, ""
	}
	return nil, w.remedy(from, to) + ", which says what becomes of a value that only one of them has"
}

// itemsAndMap returns the conversion between a map and a list of items.
func (w *writer) itemsAndMap(way way, item types.Type, m *types.Map, from, to types.Type, c hints) (*value, string) {
	if c.key == "" {
		return nil, "one of them is a map, and the other one a list: if its items have a key and a value, mark the field +mrgen:convert:list=Key,Value"
	}
	var key, val *field
	for _, f := range w.structFields(item, nil) {
		switch f.name {
		case c.key:
			key = f
		case c.value:
			val = f
		}
	}
	if key == nil || val == nil {
		return nil, "the items have no fields " + c.key + " and " + c.value + ": correct +mrgen:convert:list"
	}
	for _, f := range []*field{key, val} {
		if f.get != "" || f.alternative != nil || slices.ContainsFunc(f.path, func(p part) bool { return gotypes.IsPointer(p.typ) }) {
			return nil, "the field " + f.name + " of the items is behind a method or a pointer: write a function for them, marked +" +
				markers.Convert
		}
	}
	if gotypes.Deref(m.Key()) != m.Key() || !gotypes.IsString(m.Key()) || !gotypes.IsString(gotypes.Deref(key.typ)) {
		return nil, "the keys are not text"
	}
	between := func(ofMap, ofItem types.Type) (*value, string) {
		if way == itemsToMap {
			ofMap, ofItem = ofItem, ofMap
		}
		return w.value(ofMap, ofItem, c.within())
	}
	elem, why := between(m.Elem(), val.typ)
	if elem == nil {
		return nil, why
	}
	keys, why := between(m.Key(), key.typ)
	if keys == nil {
		return nil, why
	}
	return &value{way: way, from: from, to: to, elem: elem, keys: keys, hints: c}, ""
}

// structs returns the conversion between two structs: a function for the pair.
func (w *writer) structs(from, to types.Type, c hints) (*value, string) {
	if m := w.methodFor(from, to); m != nil {
		return &value{way: byFunction, from: from, to: to, function: m, hints: c}, ""
	}
	// Assigning field by field would drop the unexported ones.
	if types.Identical(from, to) && hasUnexported(gotypes.StructOf(from)) {
		return nil, "a copy would lose what it hides: write a function that copies it, marked +" + markers.Convert
	}
	inner := c.method.inner()
	i := slices.IndexFunc(w.functions, func(f *function) bool {
		isInner := f.method != nil && f.method != f
		if !isInner || !types.Identical(f.from[0].Type(), from) || !types.Identical(gotypes.Deref(f.to), to) {
			return false
		}
		// Marks differ: the functions would convert different fields.
		return f.marks.sameInner(inner) &&
			!slices.ContainsFunc(slices.Concat(w.structFields(from, nil), w.structFields(to, nil)), func(part *field) bool {
				return part.leavesOut(f.method) != part.leavesOut(c.method)
			})
	})
	if i >= 0 {
		return &value{way: byFunction, from: from, to: to, function: w.functions[i], hints: c}, ""
	}
	for _, t := range []types.Type{from, to} {
		if gotypes.NamedOf(t) == nil {
			return nil, "one of the structs has no name: declare a type for it, or write a function for them, marked +" + markers.Convert
		}
	}
	in := []*types.Var{types.NewVar(0, nil, "in", from)}
	f := &function{name: w.nameFor(to, c.method.sends), method: c.method, parameters: in, from: in, to: to, marks: inner}
	if c.pointer {
		f.to = types.NewPointer(to)
	}
	// Register it first: recursive structs look it up while its steps are made.
	w.functions = append(w.functions, f)
	before := len(w.diags)
	w.addSteps(f, w.matchFields(f, in[0], w.structFields(to, nil), w.structFields(from, nil)))
	w.checkTwice(f)
	// Nothing corresponds: forget the function.
	if len(f.steps) == 0 && len(w.diags) == before && len(w.structFields(to, nil)) > 0 {
		w.functions = slices.DeleteFunc(w.functions, func(other *function) bool { return other == f })
		kind, other := from, to
		if !c.method.sends {
			kind, other = to, from
		}
		// Every field is left out on purpose, so this isn't an error.
		isSent := func(part *field) bool { return !part.immutable && !part.optional && !f.ignores(part) }
		if isReference(other) || !slices.ContainsFunc(w.structFields(kind, nil), isSent) {
			return nil, nothing
		}
		return nil, "they have no field in common: write a function for them, marked +mrgen:convert"
	}
	return &value{way: byFunction, from: from, to: to, function: f, hints: c}, ""
}

// methodFor returns the only method that converts a struct to another one and needs nothing else, or nil.
func (w *writer) methodFor(from, to types.Type) *function {
	var found *function
	for _, f := range w.functions {
		switch {
		case f.method != f, len(f.parameters) != 1:
			continue
		case f.byHand != nil && gotypes.IsPointer(f.to): // it may return nil
			continue
		case !types.Identical(gotypes.Deref(f.from[0].Type()), from), !types.Identical(gotypes.Deref(f.to), to):
			continue
		case found != nil: // ambiguous
			return nil
		}
		found = f
	}
	return found
}

// nameFor returns a name for a function between two structs, by its result: observedHeader, or sentHeader.
func (w *writer) nameFor(to types.Type, sends bool) string {
	verb := "observed"
	if sends {
		verb = "sent"
	}
	base := verb + gosyntax.Exported(strings.TrimPrefix(gotypes.NamedOf(to).Obj().Name(), "Observed")) // mirrors begin with it already
	name := base
	for n := 2; w.isTaken(name); n++ {
		name = base + strconv.Itoa(n)
	}
	return name
}
