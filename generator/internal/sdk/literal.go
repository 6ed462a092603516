package sdk

import (
	"go/types"
	"slices"
	"strings"

	"github.com/mrgen-io/mrgen/generator/internal/gotypes"
	"github.com/mrgen-io/mrgen/generator/internal/render/gosrc"
)

// literal returns the type of the result as a literal, with the fields that a single expression fills, and the
// structs that contain other fields.
func (p *printer) literal(f *function, names map[*types.Var]string) (string, []gosrc.Element) {
	made := p.typeName(gotypes.Deref(f.to))
	if gotypes.IsPointer(f.to) {
		made = "&" + made
	}
	var elements []gosrc.Element
	for _, s := range f.steps {
		if s.isBehindPath() { // a pointer on the way must stay nil if the value is unset
			continue
		}
		at := &elements
		for _, part := range s.target.path {
			at = p.within(at, part)
		}
		if s.isPlain() {
			*at = append(*at, gosrc.Element{Key: s.target.name, Value: p.expression(s.value, p.source(s, names))})
		}
	}
	return made, closed(elements)
}

// within returns the elements of a nested struct, which it adds if it is missing.
func (p *printer) within(elements *[]gosrc.Element, of part) *[]gosrc.Element {
	i := slices.IndexFunc(*elements, func(e gosrc.Element) bool { return e.Key == of.name })
	if i < 0 {
		made := p.typeName(gotypes.Deref(of.typ))
		if gotypes.IsPointer(of.typ) {
			made = "&" + made
		}
		i = len(*elements)
		*elements = append(*elements, gosrc.Element{Key: of.name, Value: made, Elements: []gosrc.Element{}})
	}
	return &(*elements)[i].Elements
}

// closed returns elements without the empty structs.
func closed(elements []gosrc.Element) []gosrc.Element {
	var all []gosrc.Element
	for _, e := range elements {
		if e.Elements != nil {
			if e.Elements = closed(e.Elements); e.Elements == nil {
				// A nil pointer would panic when a step assigns to its field.
				if !strings.HasPrefix(e.Value, "&") {
					continue
				}
				e.Value += "{}"
			}
		}
		all = append(all, e)
	}
	return all
}

// isPlain reports whether a step is one expression in the literal.
func (s *step) isPlain() bool {
	switch {
	case s.isBehindPath(), !s.value.isExpression(), s.mayBeNil:
		return false
	case s.target.set != "", s.target.alternative != nil: // needs a call, or a wrapper around the value
		return false
	case s.source == nil:
		return true
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

// isPresence reports whether setting a field says more than its value: it selects a oneof's member, or creates
// the structs on a path.
func (s *step) isPresence() bool { return s.target.alternative != nil || s.isBehindPath() }

// isExpression reports whether a value is made by one expression.
func (v *value) isExpression() bool {
	switch v.way {
	case convert, binary:
		return true
	case address:
		return v.elem.way == convert && gotypes.BasicOf(v.from) != nil
	case follow:
		// A pointer to a copy of the value, without a loop or a condition.
		return v.elem.way == address && v.elem.elem.way == convert && types.Identical(v.from, v.to) &&
			gotypes.BasicOf(gotypes.Deref(v.from)) != nil
	case byFunction:
		return !v.function.returnsError()
	case list, entries:
		return v.isClone()
	default:
		return false
	}
}

// isClone reports whether a slice or a map is copied unchanged.
func (v *value) isClone() bool {
	return (v.way == list || v.way == entries) && v.elem.way == convert && types.Identical(v.from, v.to)
}

// expression returns the expression of a value with isExpression.
func (p *printer) expression(v *value, source string) string {
	switch v.way {
	case address:
		helper := "pointerUnlessZero"
		if p.isSet(v, source) == "" {
			helper = "pointerTo"
		}
		return p.helper(helper) + "(" + p.converted(v.elem.from, v.elem.to, source) + ")"
	case follow:
		return p.helper("copyPointer") + "(" + source + ")"
	case byFunction:
		return p.callOf(v.function, source)
	case binary:
		return p.converted(bytesType, v.to, p.Standard("bytes", "Clone")+"("+source+")")
	case list:
		return p.Standard("slices", "Clone") + "(" + source + ")"
	case entries:
		return p.Standard("maps", "Clone") + "(" + source + ")"
	default:
		return p.converted(v.from, v.to, source)
	}
}

// source returns the expression of the value that a step converts.
func (p *printer) source(s *step, names map[*types.Var]string) string {
	if s.source == nil {
		return names[s.argument]
	}
	expression := names[s.from] + "." + s.source.way()
	around := strings.TrimSuffix(expression, s.source.name)
	switch {
	case s.source.get != "":
		return around + s.source.get + "()"
	case s.source.alternative != nil:
		return around + s.source.alternative.holder
	}
	return expression
}

// guard returns the condition that the source of a step is reachable, or "".
func (p *printer) guard(s *step, names map[*types.Var]string) string {
	if s.source == nil {
		return ""
	}
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
		write := func() {
			for _, s := range left[:n] {
				p.step(s, out, names)
			}
		}
		if guard == "" {
			write()
		} else {
			p.Block("if "+guard, write)
		}
		left = left[n:]
	}
}

// step writes the statements that fill a field.
func (p *printer) step(s *step, out string, names map[*types.Var]string) {
	p.label = s.target.name
	if s.source != nil {
		p.label = s.source.name
	}
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
			p.Line(around, s.target.alternative.holder, " = ", p.wrapped(s.target, expression))
		case s.value.fillsHidden():
			p.Line(Fill(s.target.typ, target, expression))
		default:
			p.Line(target, " = ", expression)
		}
	}
	write := func(source string) {
		p.whenSet(s.value, source, s.isPresence() && s.value.way != address && !s.value.checks(), func() { p.emit(s.value, source, assign) })
	}
	switch source := p.source(s, names); {
	case s.source != nil && s.source.alternative != nil:
		p.fromOneof(s.source, source, write)
	case s.source != nil && s.source.saysSet:
		p.ifSet(source, write)
	// A call's result has no address, which a function may need.
	case s.source != nil && s.source.get != "" && gotypes.StructOf(s.source.typ) != nil && !gotypes.IsPointer(s.source.typ):
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
