package sdkconversion

import (
	"fmt"
	"go/types"

	"github.com/mrgen-io/mrgen/generator/internal/gotypes"
	"github.com/mrgen-io/mrgen/markers"
)

// numberForms are the properties of types that hold a number. Any string may hold one.
const numberForms = types.IsInteger | types.IsFloat | types.IsString

// basics returns the conversion between basic types, or nil and why it's impossible.
func basics(from, to types.Type, isNumber bool) (*way, string) {
	a, b := gotypes.BasicOf(from).Info()&numberForms, gotypes.BasicOf(to).Info()&numberForms
	i, j := gotypes.BasicOf(from).Kind(), gotypes.BasicOf(to).Kind()
	areWhole := a == types.IsInteger && b == types.IsInteger
	byAuthor := remedy(from, to) + ", which says what becomes of a value that only one of them has"
	switch {
	case i == j, i == types.Float32 && j == types.Float64: // exact
		return convert, ""
	case areWhole && gotypes.Integers[j].Holds(gotypes.Integers[i]):
		return convert, ""
	case areWhole:
		return narrow, ""
	case a == 0, b == 0:
		return nil, byAuthor
	case !isNumber:
		return nil, "mark the field +" + markers.ConvertNumber + " if it is a number, or " + byAuthor
	case a == types.IsString:
		return parseNumber, ""
	case b == types.IsString:
		return printNumber, ""
	case a == types.IsInteger && isExact(to, from): // float64 holds every int32
		return convert, ""
	default: // float64 to float32 loses digits
		return narrow, ""
	}
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

// printNumber writes a number as a text.
func (p *printer) printNumber(v *value, source string, assign func(string)) {
	function, base, kind, bits := numberFunctions(v.from)
	if function == "Float" {
		base = fmt.Sprintf(", 'f', -1, %d", bits)
	}
	assign(p.converted(text, v.to, p.Standard("strconv", "Format"+function)+"("+p.converted(v.from, types.Typ[kind], source)+base+")"))
}

// parseNumber writes the statements that read a number in a text. An empty text is not a number.
func (p *printer) parseNumber(v *value, source string, assign func(string)) {
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
