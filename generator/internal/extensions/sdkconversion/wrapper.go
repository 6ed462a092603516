package sdkconversion

import (
	"go/types"
	"maps"
	"slices"
	"strings"

	"github.com/mrgen-io/mrgen/generator/internal/gotypes"
)

// A wrapper describes a struct that may hold a value, in its field Value or behind methods Get and Set.
type wrapper struct {
	held types.Type
	// read is the selector of the value: of the field, or of the method that returns it.
	read string
	// flag is the field besides Value that says whether there is a value. saysSet is set if Get says so.
	flag    string
	saysSet bool
	// generic is set if the type is made for any value.
	generic bool
	// hidden is set if other packages can't name the type: they set its fields.
	hidden bool
	// asked is a flag that may say either that there is a value or that there is none.
	asked string
}

// Held returns the type of the value in a struct that wraps one for a request, such as param.Field[T], NullableString with its methods Get
// and Set, or protobuf's *BoolValue; nil for another type. It reports whether a zero is sent, as a flag, Set or the pointer says.
func Held(t types.Type) (held types.Type, sendsZero bool) {
	in := wrapperOf(t, false)
	of := gotypes.NamedOf(gotypes.Deref(t))
	isOfProtobuf := of != nil && of.Obj().Pkg() != nil && strings.HasSuffix(of.Obj().Pkg().Path(), "/protobuf/types/known/wrapperspb")
	switch {
	case in.generic:
		return in.held, in.flag != ""
	case isOfProtobuf:
		return in.held, gotypes.IsPointer(t)
	}
	out := wrapperOf(t, true)
	isAccessor := in.held != nil && in.read == "" && out.held != nil && types.Identical(in.held, out.held)
	if isAccessor && gotypes.NamedOf(gotypes.Deref(in.held)) != gotypes.NamedOf(t) {
		return in.held, true
	}
	return nil, false
}

// Fill returns the statement that sets a field of such a type, which other packages may not be able to name.
func Fill(t types.Type, field, value string) string {
	switch of := wrapperOf(t, false); {
	case of.read == "":
		return field + ".Set(" + value + ")"
	case of.flag != "":
		return field + ".Value, " + field + "." + of.flag + " = " + value + ", true"
	}
	return field + ".Value = " + value
}

// wrapped returns the conversion into or out of a struct that may hold a value, or nil.
func (w *writer) wrapped(from, to types.Type, c hints) *value {
	if of := wrapperOf(from, true); of.held != nil && (of.generic || gotypes.StructOf(to) == nil) {
		if elem, _ := w.value(of.held, to, c.within()); elem != nil {
			way := unwrap
			if of.saysSet || of.flag != "" {
				way = unwrapSet
			}
			return &value{way: way, from: from, to: to, elem: elem, hints: c, wrapper: of}
		}
	}
	if of := wrapperOf(to, false); of.held != nil && (of.generic || gotypes.StructOf(from) == nil) {
		inner := c
		inner.depth++ // a type may take itself, as big.Int does
		if elem, _ := w.value(from, of.held, inner); elem != nil {
			of.hidden = w.isHidden(to)
			return &value{way: wrap, from: from, to: to, elem: elem, hints: c, wrapper: of}
		}
	}
	return nil
}

// wrapperOf describes how a type holds a value. held is nil if it doesn't.
func wrapperOf(t types.Type, read bool) (of wrapper) {
	s := gotypes.StructOf(t)
	if s == nil || gotypes.IsTime(t) {
		return of
	}
	exported := 0
	for i := range s.NumFields() {
		switch f := s.Field(i); {
		case !f.Exported():
			continue
		case f.Name() == "Value":
			of.held, of.read = f.Type(), f.Name()
		case isBool(f.Type()) && !saysSet(of.flag): // which may have one for null beside it
			of.flag = f.Name()
		}
		exported++
	}
	inField := of.held != nil
	if named := gotypes.NamedOf(t); inField && named != nil && named.TypeArgs().Len() == 1 {
		of.generic = types.Identical(named.TypeArgs().At(0), of.held)
	}
	switch {
	// Value alone could be any struct: a flag, or hidden fields, make it a wrapper.
	case inField && saysSet(of.flag) && (exported == 2 || of.generic): // the value, and whether it is set
		return of
	case inField && exported == 1 && s.NumFields() > 1:
		return of
	case inField && s.NumFields() == 2 && !saysSet(of.flag):
		return wrapper{asked: of.flag}
	case exported > 0:
		return wrapper{}
	case read:
		of.read = "Get()"
		of.held, of.saysSet = getter(t, "Get")
	default:
		of.held = setter(t, "Set")
	}
	return of
}

// saysSet reports whether a flag says that there is a value: one that may say the opposite, such as Null, is asked.
func saysSet(flag string) bool {
	return slices.Contains([]string{"Valid", "Set", "IsSet", "Present", "Defined", "HasValue"}, flag)
}

// unwrap writes the conversion of the value in a wrapper.
func (p *printer) unwrap(v *value, source string, assign func(string)) {
	switch {
	case v.flag != "":
		p.Block("if "+selection(source, v.flag), func() { p.emit(v.elem, selection(source, v.read), assign) })
	case v.saysSet:
		p.ifSet(selection(source, v.read), func(held string) { p.emit(v.elem, held, assign) })
	default:
		held := p.variable("value")
		p.Line(held, " := ", selection(source, v.read))
		p.emit(v.elem, held, assign)
	}
}

// wrap writes a wrapper around a value. If the value isn't set, the wrapper says so.
func (p *printer) wrap(v *value, source string, assign func(string)) {
	p.whenSet(v, source, v.flag != "" && !v.elem.asksIfSet(), func() {
		p.emit(v.elem, source, func(e string) {
			switch {
			case v.hidden: // the step sets its fields
				assign(e)
			case v.flag != "":
				assign(p.typeName(v.to) + "{Value: " + e + ", " + v.flag + ": true}")
			case v.read != "":
				assign(p.typeName(v.to) + "{Value: " + e + "}")
			default:
				name := p.variable("value")
				p.Line("var ", name, " ", p.typeName(v.to))
				p.Line(name, ".Set(", e, ")")
				assign(name)
			}
		})
	})
}

// ifSet writes a block for the case that a source is set, which it returns besides its value.
func (p *printer) ifSet(source string, do func(value string)) {
	before := maps.Clone(p.taken)
	value, isSet := p.variable("value"), p.variable("isSet")
	p.Block("if "+value+", "+isSet+" := "+source+"; "+isSet, func() { do(value) })
	p.taken = before
}
