package versionconversion

import (
	"fmt"
	"strings"

	"github.com/mrgen-io/mrgen/generator/internal/mapping"
	"github.com/mrgen-io/mrgen/generator/internal/model"
	"github.com/mrgen-io/mrgen/generator/internal/versions"
	"github.com/mrgen-io/mrgen/markers"
)

// assignments writes the statements that fill the struct of one side from the other side's.
func (w *writer) assignments(p *mapping.Pair, to side) {
	src, dst := w.variable("src"), w.variable("dst")
	shared, isDone := sharedEmbeds(p), map[*model.Field]bool{}
	for _, f := range p.Fields {
		// apiVersion and kind name the version: the webhook sets them.
		if p == w.spoke.root && isTypeMeta(f.JSONName) {
			continue
		}
		embed := f.Target.Path[0]
		if shared[embed] == nil {
			w.assign(f, to)
			// Embedded structs of the same type are copied once, whole.
		} else if !isDone[embed] {
			isDone[embed] = true
			w.Line(dst, ".", embed.Name, " = ", src, ".", embed.Name)
		}
	}
	// Fields without a counterpart stay zero, and some must still not be null.
	for _, a := range pick(to, p.TargetOnly, p.SourceOnly) {
		if !w.spoke.isMoved(a.Field()) && len(nilable(dst, a)) == 0 {
			w.neverNil(selector(dst, a), a.Field(), false)
		}
	}
}

// neverNil writes empty lists and maps where Go would write null, which the API server refuses. isSet says that
// the selector may hold a value already.
func (w *writer) neverNil(selector string, f *model.Field, isSet bool) {
	switch {
	case f.Type.IsCollection() && absenceOf(f) == neverNil:
		empty := w.typ(f.Type) + "{}"
		if isSet {
			empty = w.helper("NeverNil"+collection(f.Type)) + "(" + selector + ")"
		}
		w.Line(selector, " = ", empty)
	// A struct that is always written needs its own lists, too.
	case f.Type.Kind == model.Struct && !f.OmitZero:
		for _, a := range model.JSONFields(f.Type) {
			if a.Promoted && !a.Indirect() && !w.spoke.isMoved(a.Field()) {
				w.neverNil(selector+"."+a.Field().Name, a.Field(), isSet)
			}
		}
	}
}

// collection returns the end of the names of helpers for a list or a map.
func collection(t *model.Type) string {
	if t.Kind == model.Map {
		return "Map"
	}
	return "List"
}

// assign writes the statements that convert a field.
func (w *writer) assign(f *mapping.Field, to side) {
	src, dst, value := w.variable("src"), w.variable("dst"), w.variable("value")
	from, into := pick(!to, f.Target, f.Source), pick(to, f.Target, f.Source)
	// An Empty relation copies nothing.
	if f.Relation.Shape == mapping.Empty && into.Field().Type.Kind != model.Pointer && len(nilable(dst, into)) > 0 {
		return // an empty struct doesn't create its parent
	}
	write := func() {
		converted := w.field(f, to, selector(src, from))
		pointers := nilable(dst, into)
		if len(pointers) == 0 {
			w.Line(selector(dst, into), " = ", converted)
			if into.Field().Type.Kind == model.Struct && f.Relation.Shape != mapping.Custom && from.Field().Type.Kind != model.Struct {
				w.neverNil(selector(dst, into), into.Field(), true) // the source may be unset
			}
			return
		}
		// Creating the parents for a zero value would turn unset into set.
		w.Block(fmt.Sprintf("if %s := %s; !%s(%s)", value, converted, w.helper("IsZero"), value), func() {
			for _, pointer := range pointers {
				w.Block("if "+pointer.selector+" == nil", func() {
					w.Line(pointer.selector, " = &", w.typ(pointer.field.Type.Elem), "{}")
				})
			}
			w.Line(selector(dst, into), " = ", value)
		})
	}
	var conditions []string
	for _, pointer := range nilable(src, from) {
		conditions = append(conditions, pointer.selector+" != nil")
	}
	if len(conditions) > 0 {
		// The parent may be nil, and then nothing is assigned below.
		if len(nilable(dst, into)) == 0 {
			w.neverNil(selector(dst, into), into.Field(), false)
		}
		w.Block("if "+strings.Join(conditions, " && "), write)
		return
	}
	write()
}

// selector returns the expression for a field of a variable.
func selector(variable string, a model.Access) string {
	if a.Promoted && !a.Indirect() {
		return variable + "." + a.Field().Name
	}
	for _, f := range a.Path {
		variable += "." + f.Name
	}
	return variable
}

// A pointer is a pointer on the way to a field.
type pointer struct {
	field    *model.Field
	selector string
}

// nilable returns the pointers on the way to a field.
func nilable(variable string, a model.Access) []pointer {
	var found []pointer
	for _, f := range a.Path[:len(a.Path)-1] {
		variable += "." + f.Name
		if f.Type.Kind == model.Pointer {
			found = append(found, pointer{f, variable})
		}
	}
	return found
}

// field returns the expression for the value of a field, made from the other side's.
func (w *writer) field(f *mapping.Field, to side, value string) string {
	r := f.Relation
	from, into := pick(!to, f.Target, f.Source).Field(), pick(to, f.Target, f.Source).Field()
	var converted string
	switch {
	case r.Shape == mapping.Custom:
		converted = w.custom(f, to, value)
		// An author's function may return a value that encoding changes, such as an omitted empty list.
		if model.Base(into.Type).Kind != model.Basic {
			converted = w.helper("AsEncoded") + "(" + converted + ")"
		}
	case r.Shape == mapping.One:
		converted = w.one(r, to, value, from)
	case r.Shape == mapping.Struct && from.OmitsStruct() && (into.Type.Kind == model.Pointer || into.Zero() == model.Omitted) &&
		!convertsItself(r.Pair):
		// An omitted struct stays omitted, even if it contains a field that is always written.
		converted = w.helper("ConvertPointer") + "(" + w.helper("PointerUnlessZero") + "(" + value + "), " + w.structFunction(r.Pair, to) + ")"
		if into.Type.Kind != model.Pointer {
			converted = w.helper("ValueOf") + "(" + converted + ")"
		}
	// An omitted zero value must come back as unset.
	case into.Type.Kind == model.Pointer && from.Type.Kind != model.Pointer && zeroIsNil(from):
		converted = w.helper("PointerUnlessZero") + "(" + w.typed(r, to, value) + ")"
	default:
		converted = w.value(r, to, value)
	}
	// Only lists and maps distinguish nil from empty.
	if !into.Type.IsCollection() || from.Type.IsCollection() && absenceOf(from) == absenceOf(into) {
		return converted
	}
	helper := map[absence]string{neverNil: "NeverNil", together: "NilIfEmpty"}[absenceOf(into)]
	if helper == "" { // apart: both are kept as they are
		return converted
	}
	return w.helper(helper+collection(into.Type)) + "(" + converted + ")"
}

// custom returns the call of the author's function. A mirror may be a pointer to the function's parameter or
// result.
func (w *writer) custom(f *mapping.Field, to side, value string) string {
	target, mirrors := f.Target.Field(), w.spoke.mirrors
	marked := mirrors.of(target, markers.ConvertedBy)
	function := marked.OwnMarker(markers.ConvertedBy).Value.Text("") + pick(to, "To", "From")
	isWrapped := func(f *model.Field) bool {
		return marked != target && !mapping.SameType(f.Type, mirrors[f].Type)
	}
	from, into := pick(!to, f.Target, f.Source).Field(), pick(to, f.Target, f.Source).Field()
	switch {
	case isWrapped(from) && isWrapped(into):
		return w.helper("ConvertPointer") + "(" + value + ", " + function + ")"
	case isWrapped(from):
		return w.helper("ValueOf") + "(" + w.helper("ConvertPointer") + "(" + value + ", " + function + "))"
	case isWrapped(into):
		return w.helper(pointerTo(mirrors[into])) + "(" + function + "(" + value + "))"
	default:
		return function + "(" + value + ")"
	}
}

// pointerTo returns the function that makes a pointer to the value of a field.
func pointerTo(f *model.Field) string {
	if zeroIsNil(f) {
		return "PointerUnlessZero"
	}
	return "PointerTo"
}

// one returns the expression for a list of one value, or for the value of such a list.
func (w *writer) one(r *mapping.Relation, to side, value string, of *model.Field) string {
	from, into := pick(!to, r.Target, r.Source), pick(to, r.Target, r.Source)
	convert := w.function(r.Item, to)
	if mapping.IsList(into) {
		if from.Kind != model.Pointer {
			value = w.helper(pointerTo(of)) + "(" + value + ")"
		}
		if convert != "" {
			value = w.helper("ConvertPointer") + "(" + value + ", " + convert + ")"
		}
		return w.helper("ListOf") + "(" + value + ")"
	}
	value = w.helper("FirstOf") + "(" + value + ")"
	if convert != "" {
		value = w.helper("ConvertPointer") + "(" + value + ", " + convert + ")"
	}
	if into.Kind != model.Pointer {
		value = w.helper("ValueOf") + "(" + value + ")"
	}
	return value
}

// value returns the expression for a value of a relation, which may be a pointer.
func (w *writer) value(r *mapping.Relation, to side, value string) string {
	from, into := pick(!to, r.Target, r.Source), pick(to, r.Target, r.Source)
	convert := w.function(r, to)
	isPointer, intoPointer := from.Kind == model.Pointer, into.Kind == model.Pointer
	if isPointer && convert != "" {
		value = w.helper("ConvertPointer") + "(" + value + ", " + convert + ")"
	}
	switch {
	case isPointer && intoPointer:
		return value
	case isPointer:
		return w.helper("ValueOf") + "(" + value + ")"
	case intoPointer:
		return w.helper("PointerTo") + "(" + w.typed(r, to, value) + ")"
	default:
		return w.base(r, to, value)
	}
}

// typed returns the expression for a value, pointers apart, with the other side's type even in an argument,
// where Go infers the named type.
func (w *writer) typed(r *mapping.Relation, to side, value string) string {
	converted := w.base(r, to, value)
	if into := model.Base(pick(to, r.Target, r.Source)); into.IsCollection() && into.Name != "" && converted != value {
		return w.typ(into) + "(" + converted + ")"
	}
	return converted
}

// base returns the expression for a value of a relation, pointers apart.
func (w *writer) base(r *mapping.Relation, to side, value string) string {
	from, into := model.Base(pick(!to, r.Target, r.Source)), model.Base(pick(to, r.Target, r.Source))
	if mapping.SameType(from, into) {
		return value
	}
	switch r.Shape {
	case mapping.Number:
		if holdsAll(into, from) { // Go's conversion is exact
			break
		}
		// Clamps instead of wrapping around; the exact number is kept as lossy.
		return w.helper("Nearest") + "[" + w.typ(into) + "](" + value + ")"
	case mapping.Empty:
		return w.typ(into) + "{}"
	case mapping.Struct:
		return w.structFunction(r.Pair, to) + "(" + value + ")"
	case mapping.Map:
		if r.Item.Shape != mapping.Whole || !mapping.SameType(from.Key, into.Key) { // otherwise Go converts the map type directly
			return w.helper("ConvertEntries") + "[" + w.typ(into.Key) + "](" + value + ", " + w.element(r.Item, to) + ")"
		}
	case mapping.List, mapping.Keyed:
		if r.Item.Shape != mapping.Whole {
			return w.helper("ConvertList") + "(" + value + ", " + w.element(r.Item, to) + ")"
		}
	}
	return w.typ(into) + "(" + value + ")"
}

// function returns a function that converts values of a relation, pointers apart, or "" if the types are the
// same.
func (w *writer) function(r *mapping.Relation, to side) string {
	from, into := model.Base(pick(!to, r.Target, r.Source)), model.Base(pick(to, r.Target, r.Source))
	switch {
	case mapping.SameType(from, into):
		return ""
	case r.Shape == mapping.Struct:
		return w.structFunction(r.Pair, to)
	default:
		return w.literal(from, into, func(value string) string { return w.base(r, to, value) })
	}
}

// element returns a function that converts the items of lists, or the values of maps.
func (w *writer) element(r *mapping.Relation, to side) string {
	from, into := pick(!to, r.Target, r.Source), pick(to, r.Target, r.Source)
	if from.Kind != model.Pointer && into.Kind != model.Pointer {
		if f := w.function(r, to); f != "" {
			return f
		}
	}
	return w.literal(from, into, func(value string) string { return w.value(r, to, value) })
}

func (w *writer) literal(from, into *model.Type, body func(value string) string) string {
	value := w.variable("value")
	return fmt.Sprintf("func(%s %s) %s { return %s }", value, w.typ(from), w.typ(into), body(value))
}

// structFunction returns the function that converts a struct.
func (w *writer) structFunction(p *mapping.Pair, to side) string {
	name := w.functionNames(p)[to]
	if !convertsItself(p) {
		return name
	}
	method := pick(to, versions.ConvertToMethod, versions.ConvertFromMethod)
	return w.helper(pick(to, "ByConvertTo", "ByConvertFrom")) + "((*" + w.typ(p.Source) + ")." + method + ")"
}
