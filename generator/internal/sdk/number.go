package sdk

import (
	"fmt"
	"go/types"

	"github.com/mrgen-io/mrgen/generator/internal/gotypes"
)

// A numberForm is the form in which a type holds a number.
type numberForm int

const (
	noNumber numberForm = iota
	whole
	fraction
	inText
)

// numberFormOf returns the form of the numbers of a type. Any string may hold one.
func numberFormOf(t types.Type) numberForm {
	b := gotypes.BasicOf(t)
	switch {
	case b == nil:
		return noNumber
	case b.Info()&types.IsInteger != 0:
		return whole
	case b.Info()&types.IsFloat != 0:
		return fraction
	case b.Info()&types.IsString != 0:
		return inText
	}
	return noNumber
}

// number returns how a number changes its form, or nil unless the types hold numbers in two forms.
func (w *writer) number(from, to types.Type, c hints) *value {
	a, b := numberFormOf(from), numberFormOf(to)
	// float64 to float32 loses digits, so it isn't the same form.
	isSame := a == b && (a != fraction || gotypes.BasicOf(to).Kind() == types.Float64)
	if a == noNumber || b == noNumber || isSame {
		return nil
	}
	v := &value{way: number, from: from, to: to, hints: c}
	switch {
	// float64 holds every int32 exactly.
	case a == whole && b == fraction && isExact(to, from):
		v.way = convert
	case a != inText && b != inText:
		v.way = narrow
	}
	return v
}

// isExact reports whether a type of floats holds every value of a type of integers: its mantissa has enough
// bits.
func isExact(float, of types.Type) bool {
	bits := 53
	if gotypes.BasicOf(float).Kind() == types.Float32 {
		bits = 24
	}
	return gotypes.Integers[gotypes.BasicOf(of).Kind()].Bits <= bits
}

// number writes the statements that read a number in a text, or write one. An empty text is not a number.
func (p *printer) number(v *value, source string, assign func(string)) {
	if numberFormOf(v.from) != inText {
		function, base, kind, bits := numberFunctions(v.from)
		if function == "Float" {
			base = fmt.Sprintf(", 'f', -1, %d", bits)
		}
		formatted := p.Standard("strconv", "Format"+function) + "(" + p.converted(v.from, types.Typ[kind], source) + base + ")"
		assign(p.converted(text, v.to, formatted))
		return
	}
	p.Block("if "+source+` != ""`, func() {
		function, base, kind, bits := numberFunctions(v.to)
		n := p.variable("number")
		p.Line(n, ", err := ", p.Standard("strconv", "Parse"+function), "(", p.converted(v.from, text, source), base, fmt.Sprintf(", %d)", bits))
		p.checkError()
		assign(p.converted(types.Typ[kind], v.to, n))
	})
}

// numberFunctions returns, for a type, the end of the names of strconv's functions, their base argument, the
// kind of their numbers, and the bits of the type.
func numberFunctions(t types.Type) (name, base string, kind types.BasicKind, bits int) {
	b := gotypes.BasicOf(t)
	i, isInteger := gotypes.Integers[b.Kind()]
	switch {
	case !isInteger && b.Kind() == types.Float32:
		return "Float", "", types.Float64, 32
	case !isInteger:
		return "Float", "", types.Float64, 64
	case i.Signed:
		return "Int", ", 10", types.Int64, i.Bits
	default:
		return "Uint", ", 10", types.Uint64, i.Bits
	}
}
