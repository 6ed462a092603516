package sdk

import (
	"fmt"
	"go/types"

	"github.com/mrgen-io/mrgen/generator/internal/flavor"
	"github.com/mrgen-io/mrgen/generator/internal/gotypes"
)

// A numberForm is the form in which a type holds a number.
type numberForm int

const (
	noNumber numberForm = iota
	whole
	fraction
	inText
	quantity
)

// quantityPackage declares the quantities of Kubernetes.
var quantityPackage = flavor.NewImport("k8s.io/apimachinery/pkg/api/resource", "resource")

// numberFormOf returns the form of the numbers of a type. Any string may hold one.
func numberFormOf(t types.Type) numberForm {
	if gotypes.IsDeclaredIn(t, quantityPackage.Path, "Quantity") {
		return quantity
	}
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
	switch int64Type := types.Typ[types.Int64]; {
	case a == quantity && b == whole:
		v.elem, _ = w.basics(int64Type, to, c)
	case a == whole && b == quantity:
		v.elem, _ = w.basics(from, int64Type, c)
	// float64 holds every int32 exactly.
	case a == whole && b == fraction && isExact(to, from):
		v.way = convert
	case a != inText && b != inText && a != quantity && b != quantity:
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

// numberMayFail reports whether a number may have no value in the other form.
func (v *value) numberMayFail() bool {
	a, b := numberFormOf(v.from), numberFormOf(v.to)
	switch a {
	case inText:
		return true
	case quantity:
		return b == whole
	default:
		return a == fraction && b == quantity // NaN and infinity aren't quantities
	}
}

// number writes the statements that change the form of a number. An empty string is not a number.
func (p *printer) number(v *value, source string, assign func(string)) {
	a, b := numberFormOf(v.from), numberFormOf(v.to)
	switch {
	case a == inText:
		p.Block("if "+source+` != ""`, func() { p.parseNumber(v.to, p.converted(v.from, text, source), assign) })
	case b == inText:
		assign(p.converted(text, v.to, p.formatted(v.from, source)))
	case a == quantity && b == whole:
		n, isWhole := p.variable("number"), p.variable("isWhole")
		p.Line(n, ", ", isWhole, " := ", selection(source, "AsInt64()"))
		p.Block("if !"+isWhole, func() { p.fail("%s is not a whole number", selection(source, "String()")) })
		p.emit(v.elem, n, assign)
	case a == quantity:
		assign(p.converted(types.Typ[types.Float64], v.to, selection(source, "AsApproximateFloat64()")))
	// Through text, since a quantity is decimal.
	case a == fraction:
		p.parseNumber(v.to, p.formatted(v.from, source), assign)
	default:
		p.emit(v.elem, source, func(n string) {
			assign("*" + p.Qualified(quantityPackage, "NewQuantity") + "(" + n + ", " + p.Qualified(quantityPackage, "DecimalSI") + ")")
		})
	}
}

// parseNumber writes the statements that read a number in a text.
func (p *printer) parseNumber(to types.Type, source string, assign func(string)) {
	n := p.variable("number")
	var parse string
	parsed := to
	if numberFormOf(to) == quantity {
		parse = p.Qualified(quantityPackage, "ParseQuantity") + "(" + source + ")"
	} else {
		function, base, kind, bits := numberFunctions(to)
		parse, parsed = fmt.Sprintf("%s(%s%s, %d)", p.Standard("strconv", "Parse"+function), source, base, bits), types.Typ[kind]
	}
	p.Line(n, ", err := ", parse)
	p.checkError()
	assign(p.converted(parsed, to, n))
}

// formatted returns the expression for a number as a text.
func (p *printer) formatted(from types.Type, source string) string {
	if numberFormOf(from) == quantity {
		return selection(source, "String()")
	}
	function, base, kind, bits := numberFunctions(from)
	if function == "Float" {
		base = fmt.Sprintf(", 'f', -1, %d", bits)
	}
	return p.Standard("strconv", "Format"+function) + "(" + p.converted(from, types.Typ[kind], source) + base + ")"
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
