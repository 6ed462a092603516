package sdkconversion

import (
	"go/types"
	"slices"
	"strconv"
	"strings"

	"github.com/mrgen-io/mrgen/generator/internal/gotypes"
	"github.com/mrgen-io/mrgen/generator/internal/render/gosrc"
)

// literal returns the type of the result as a literal, with the fields that a single expression fills, and the
// structs that contain other fields.
func (p *printer) literal(f *function, names map[*types.Var]string) (string, []gosrc.Element) {
	var elements []gosrc.Element
	for _, s := range f.steps {
		path := s.target.path
		switch {
		case s.isBehindPath(): // a pointer on the way must stay nil if the value is unset
		case s.isPlain():
			value := p.oneExpression(s.value, p.source(s, names))
			elements = p.insert(elements, path, gosrc.Element{Key: s.target.name, Value: value})
		default:
			// A nil pointer would panic when the step assigns to its field.
			for len(path) > 0 && !gotypes.IsPointer(path[len(path)-1].typ) {
				path = path[:len(path)-1]
			}
			elements = p.insert(elements, path, gosrc.Element{})
		}
	}
	return p.literalOf(f.to), elements
}

// literalOf returns the type of a struct, or of a pointer to one, at the beginning of a literal.
func (p *printer) literalOf(t types.Type) string {
	if gotypes.IsPointer(t) {
		return "&" + p.typeName(gotypes.Deref(t))
	}
	return p.typeName(t)
}

// insert adds an element of a nested struct, and the structs on the way to it. Without a key, it adds these alone.
func (p *printer) insert(elements []gosrc.Element, path []part, element gosrc.Element) []gosrc.Element {
	switch {
	case len(path) > 0:
	case element.Key == "":
		return elements
	default:
		return append(elements, element)
	}
	i := slices.IndexFunc(elements, func(e gosrc.Element) bool { return e.Key == path[0].name })
	if i < 0 {
		i = len(elements)
		elements = append(elements, gosrc.Element{Key: path[0].name, Value: p.literalOf(path[0].typ) + "{}"})
	}
	of := &elements[i]
	wasEmpty := len(of.Elements) == 0
	if of.Elements = p.insert(of.Elements, path[1:], element); wasEmpty && len(of.Elements) > 0 {
		of.Value = strings.TrimSuffix(of.Value, "{}")
	}
	return elements
}

// isPlain reports whether a step is one expression in the literal.
func (s *step) isPlain() bool {
	switch {
	case s.isBehindPath(), !s.value.isExpression(), s.mayBeNil:
		return false
	case s.target.set != "", s.target.alternative != nil, s.target.isForced: // needs a call, a wrapper around the value, or its name
		return false
	case s.source.get != "", s.source.alternative != nil: // needs a statement before it
		return false
	default:
		return !slices.ContainsFunc(s.source.path, func(p part) bool { return gotypes.IsPointer(p.typ) })
	}
}

// isBehindPath reports whether a marker's path leads through a pointer, which stays nil unless the value is
// set.
func (s *step) isBehindPath() bool {
	return slices.ContainsFunc(s.target.path, func(p part) bool { return p.isMarked && gotypes.IsPointer(p.typ) })
}

// fillsHidden reports whether a value ends up in a wrapper that generated code can't name.
func (v *value) fillsHidden() bool {
	return v.hidden || v.elem != nil && v.elem.fillsHidden()
}

// isPresence reports whether setting a field says more than its value: it selects a oneof's member, creates
// the structs on a path, or sends an empty value.
func (s *step) isPresence() bool {
	return s.target.alternative != nil || s.isBehindPath() || s.target.isForced
}

// source returns the expression of the value that a step converts.
func (p *printer) source(s *step, names map[*types.Var]string) string {
	if s.from == nil {
		return names[s.argument]
	}
	expression := names[s.from] + "." + s.source.way()
	around := strings.TrimSuffix(expression, s.source.name)
	switch {
	case s.source.get != "":
		return around + s.source.get + "()"
	case s.source.alternative != nil:
		return around + s.source.alternative.holder + ".(*" + p.typeName(s.source.alternative.wrapper) + ")"
	}
	return expression
}

// guard returns the condition that the source of a step is reachable, or "".
func (p *printer) guard(s *step, names map[*types.Var]string) string {
	var conditions []string
	expression := names[s.from]
	if s.mayBeNil {
		conditions = append(conditions, expression+" != nil")
	}
	for _, part := range s.source.path {
		expression += "." + part.name
		if gotypes.IsPointer(part.typ) {
			conditions = append(conditions, expression+" != nil")
		}
	}
	return strings.Join(conditions, " && ")
}

// steps writes the statements for the fields that the literal lacks. Consecutive steps with the same condition
// share a block.
func (p *printer) steps(f *function, out string, names map[*types.Var]string) {
	left := slices.DeleteFunc(slices.Clone(f.steps), (*step).isPlain)
	for len(left) > 0 {
		guard, n := p.guard(left[0], names), 1
		for n < len(left) && p.guard(left[n], names) == guard {
			n++
		}
		p.when(guard, func() {
			for _, s := range left[:n] {
				p.step(s, out, names)
			}
		})
		left = left[n:]
	}
}

// step writes the statements that fill a field.
func (p *printer) step(s *step, out string, names map[*types.Var]string) {
	p.label = s.source.name
	target := out + "." + s.target.way()
	around := strings.TrimSuffix(target, s.target.name)
	assign := func(expression string) {
		if s.isBehindPath() {
			p.pointers(out, s.target.path)
		}
		switch {
		case s.target.set != "":
			p.Line(around, s.target.set, "(", expression, ")")
		case s.target.alternative != nil:
			p.Line(around, s.target.alternative.holder, " = ", "&"+p.typeName(s.target.alternative.wrapper)+"{"+s.target.name+": "+expression+"}")
		case s.value.fillsHidden():
			p.Line(Fill(s.target.typ, target, expression))
		default:
			p.Line(target, " = ", expression)
		}
		if s.target.isForced {
			p.Line(around, forced, " = append(", around, forced, ", ", strconv.Quote(s.target.name), ")")
		}
	}
	write := func(source string) {
		isAsked := s.isPresence() && s.value.way != address && s.value.way != point && !s.value.asksIfSet()
		p.whenSet(s.value, source, isAsked, func() { p.emit(s.value, source, assign) })
	}
	switch source := p.source(s, names); {
	case s.source.alternative != nil:
		p.ifSet(source, func(value string) { write(value + "." + s.source.name) })
	case s.source.saysSet:
		p.ifSet(source, write)
	// A call's result has no address, which a function may need.
	case s.source.get != "" && gotypes.StructOf(s.source.typ) != nil && !gotypes.IsPointer(s.source.typ):
		held := p.variable("value")
		p.Line(held, " := ", source)
		write(held)
	default:
		write(source)
	}
}

// pointers writes statements that create the structs on a path.
func (p *printer) pointers(at string, path []part) {
	for _, part := range path {
		if at += "." + part.name; gotypes.IsPointer(part.typ) {
			p.Block("if "+at+" == nil", func() { p.Line(at, " = &", p.typeName(gotypes.Deref(part.typ)), "{}") })
		}
	}
}
