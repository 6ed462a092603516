package sdkconversion

import (
	"go/types"
	"slices"
	"strings"

	"github.com/mrgen-io/mrgen/generator/internal/gosyntax"
	"github.com/mrgen-io/mrgen/generator/internal/gotypes"
	"github.com/mrgen-io/mrgen/markers"
)

// A value is the conversion of values from one type to another.
type value struct {
	*way
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
	method *function
	form
	// pointer is set if the value ends up behind a pointer, which a new function between structs then returns.
	pointer bool
	// omitsZero is set if the source's tag omits unset values.
	omitsZero bool
	// depth counts the lists, maps and pointers around the value.
	depth int
}

// within returns the hints for the items of a value.
func (c hints) within() hints {
	inner := hints{method: c.method, form: c.form, depth: c.depth + 1}
	inner.sendsZero = true
	return inner
}

// mayFail reports whether some values can't be converted.
func (v *value) mayFail() bool {
	switch {
	case v == nil:
		return false
	case v.function != nil:
		return v.function.fails
	default:
		return v.fails || v.keys.mayFail() || v.elem.mayFail()
	}
}

// nothing is the reason for leaving out a struct without any field for this conversion.
const nothing = "this conversion leaves out all that is in it"

// value returns the conversion from one type to another, or nil and why it's impossible.
//
//nolint:gocyclo // a case for each pair of shapes, in the order of precedence
func (w *writer) value(from, to types.Type, c hints) (*value, string) {
	// Recursive types have no end.
	if c.depth > 20 {
		return nil, "one of them contains itself: " + remedy(from, to)
	}
	hidden := "other packages can't name one of these types: write " + c.method.name + " by hand, or leave the field out with +" +
		markers.ConvertIgnore
	made := func(way *way, elem *value, why string) (*value, string) {
		switch {
		case elem == nil && why != "":
			return nil, why
		case way == items && elem.fillsHidden(): // an item has no name to fill
			return nil, hidden
		case way == items && elem.way == convert && types.Identical(from, to):
			way = clone
		case way == address && elem.way == convert && gotypes.BasicOf(from) != nil:
			way = point
		case way == follow && elem.way == point && types.Identical(from, to):
			way = copied
		}
		return &value{way: way, from: from, to: to, elem: elem, hints: c}, ""
	}
	// The author's function wins over every rule below.
	for _, f := range w.byHand {
		if types.Identical(f.from[0].Type(), from) && types.Identical(f.to, to) {
			return &value{way: byFunction, from: from, to: to, function: f, hints: c}, ""
		}
	}
	// Generated code couldn't declare a variable of the type.
	isOpaque := gotypes.StructOf(from) != nil && !gotypes.IsTime(gotypes.Deref(from)) && w.isHidden(from)
	if isOpaque || w.isHidden(to) && wrapperOf(to, false).flag == "" {
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
		return made(printTime, nil, "")
	case gotypes.IsString(from) && gotypes.IsTime(to):
		return made(parseTime, nil, "")
	case gotypes.IsBytes(from) && gotypes.IsBytes(to):
		return made(clone, nil, "")
	}
	if v := w.wrapped(from, to, c); v != nil {
		return v, ""
	}
	if gotypes.BasicOf(from) != nil && gotypes.BasicOf(to) != nil {
		way, why := basics(from, to, c.isNumber)
		return made(way, nil, why)
	}
	switch u := from.Underlying().(type) {
	case *types.Slice:
		switch other := to.Underlying().(type) {
		case *types.Slice:
			elem, why := w.value(u.Elem(), other.Elem(), c.within())
			return made(items, elem, why)
		case *types.Map:
			return w.itemsAndMap(itemsToMap, u.Elem(), other, from, to, c)
		}
	case *types.Map:
		switch other := to.Underlying().(type) {
		case *types.Map:
			if key, why := w.value(u.Key(), other.Key(), c); key == nil || key.way != convert {
				return nil, strings.TrimSuffix("the keys of the maps differ: "+why, ": ")
			}
			elem, why := w.value(u.Elem(), other.Elem(), c.within())
			return made(items, elem, why)
		case *types.Slice:
			return w.itemsAndMap(mapToItems, other.Elem(), u, from, to, c)
		}
	case *types.Struct:
		if gotypes.StructOf(to) != nil {
			return w.structs(from, to, c)
		}
	}
	return nil, remedy(from, to)
}

// remedy says what to do about types without a known conversion.
func remedy(from, to types.Type) string {
	remedy := "write a function for them, marked +" + markers.Convert
	for _, t := range []types.Type{from, to} {
		if flag := wrapperOf(t, true).asked; flag != "" {
			return "nobody knows whether " + flag + " says that there is a value: " + remedy
		}
	}
	return remedy
}

// itemsAndMap returns the conversion between a map and a list of items.
func (w *writer) itemsAndMap(way *way, item types.Type, m *types.Map, from, to types.Type, c hints) (*value, string) {
	if c.key == "" {
		return nil, "one of them is a map, and the other one a list: if its items have a key and a value, mark the field +mrgen:convert:list=Key,Value"
	}
	own := map[string]types.Type{}
	for _, f := range w.structFields(item, nil) {
		// A pointer on the way may be nil.
		if f.get == "" && f.alternative == nil && !slices.ContainsFunc(f.path, func(p part) bool { return gotypes.IsPointer(p.typ) }) {
			own[f.name] = f.typ
		}
	}
	key, val := own[c.key], own[c.value]
	switch {
	case key == nil || val == nil:
		return nil, "the items have no own fields " + c.key + " and " + c.value +
			": correct +mrgen:convert:list, or write a function for them, marked +mrgen:convert"
	case gotypes.IsPointer(m.Key()), !gotypes.IsString(m.Key()), !gotypes.IsString(gotypes.Deref(key)):
		return nil, "the keys are not text"
	}
	between := func(ofMap, ofItem types.Type) (*value, string) {
		if way == itemsToMap {
			ofMap, ofItem = ofItem, ofMap
		}
		return w.value(ofMap, ofItem, c.within())
	}
	keys, why := between(m.Key(), key)
	if keys == nil {
		return nil, why
	}
	elem, why := between(m.Elem(), val)
	if elem == nil {
		return nil, why
	}
	return &value{way: way, from: from, to: to, elem: elem, keys: keys, hints: c}, ""
}

// structs returns the conversion between two structs: a function for the pair.
func (w *writer) structs(from, to types.Type, c hints) (*value, string) {
	f := w.known(from, to, c.method)
	if f != nil {
		return &value{way: byFunction, from: from, to: to, function: f, hints: c}, ""
	}
	isHidden := func(v *types.Var) bool { return !v.Exported() }
	switch {
	// Assigning field by field would drop the unexported ones.
	case types.Identical(from, to) && slices.ContainsFunc(slices.Collect(gotypes.StructOf(from).Fields()), isHidden):
		return nil, "a copy would lose what it hides: write a function that copies it, marked +" + markers.Convert
	case gotypes.NamedOf(from) == nil || gotypes.NamedOf(to) == nil:
		return nil, "one of the structs has no name: declare a type for it, or write a function for them, marked +" + markers.Convert
	}
	in := []*types.Var{types.NewVar(0, nil, "in", from)}
	f = &function{method: c.method, parameters: in, from: in, to: to, marks: marks{form: c.method.form}}
	if c.pointer {
		f.to = types.NewPointer(to)
	}
	// Register it first: recursive structs look it up while its steps are made.
	w.functions = append(w.functions, f)
	before := len(w.diags)
	w.addSteps(f, w.matchFields(f, in[0]))
	w.checkTwice(f)
	// Nothing corresponds: forget the function.
	if len(f.steps) == 0 && len(w.diags) == before && len(w.structFields(to, nil)) > 0 {
		w.functions = slices.DeleteFunc(w.functions, func(other *function) bool { return other == f })
		// Every field is left out on purpose, so this isn't an error.
		isSent := func(part *field) bool { return !part.immutable && !part.optional && !f.ignores(part) }
		if isReference(f.types(false)[0]) || !slices.ContainsFunc(w.structFields(f.types(true)[0], nil), isSent) {
			return nil, nothing
		}
		return nil, "they have no field in common: write a function for them, marked +mrgen:convert"
	}
	return &value{way: byFunction, from: from, to: to, function: f, hints: c}, ""
}

// known returns the function that converts a struct to another one inside a method: the only method for them that needs
// nothing else, or a function with the same marks.
func (w *writer) known(from, to types.Type, method *function) (found *function) {
	var methods []*function
	for _, f := range w.functions {
		switch {
		case len(f.parameters) != 1:
			continue
		case !types.Identical(gotypes.Deref(f.from[0].Type()), from), !types.Identical(gotypes.Deref(f.to), to):
			continue
		case f.method == f && f.byHand != nil && gotypes.IsPointer(f.to): // it may return nil
			continue
		case f.method == f:
			methods = append(methods, f)
		// If marks differ, the functions convert different fields.
		case f.form == method.form && w.leavesOutAlike(f, method):
			found = f
		}
	}
	if len(methods) == 1 {
		return methods[0]
	}
	return found
}

// leavesOutAlike reports whether markers leave the same fields out of a method as out of a function, and of the functions that
// it calls.
func (w *writer) leavesOutAlike(f, method *function) bool {
	called := map[*function]bool{}
	eachStep(func(*step) {}, called, f)
	differs := func(part *field) bool { return part.leftOutOf(f.method) != part.leftOutOf(method) }
	for g := range called {
		if g.method != nil && slices.ContainsFunc(w.structFields(g.types(true)[0], nil), differs) { // it isn't the author's
			return false
		}
	}
	return true
}

// wantedName returns the name of a function between two structs, by its result: observedHeader, or sentHeader.
func (f *function) wantedName() string {
	verb := "observed"
	if f.method.sends {
		verb = "sent"
	}
	return verb + gosyntax.Exported(strings.TrimPrefix(gotypes.NamedOf(f.to).Obj().Name(), "Observed")) // mirrors begin with it already
}
