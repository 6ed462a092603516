package sdkconversion

import (
	"go/types"
	"strconv"
	"strings"

	"github.com/mrgen-io/mrgen/generator/internal/gotypes"
)

// converted returns an expression converted from one type to another.
func (p *printer) converted(from, to types.Type, expression string) string {
	if types.Identical(from, to) {
		return expression
	}
	return p.typeName(to) + "(" + expression + ")"
}

// fail writes the end of the function with an error.
func (p *printer) fail(format string, arguments ...string) {
	p.Line("return ", p.zero, ", ", p.Standard("fmt", "Errorf"), "(", strconv.Quote(p.label+": "+format), ", ", strings.Join(arguments, ", "),
		")")
}

func (p *printer) checkError() {
	p.Block("if err != nil", func() { p.fail("%w", "err") })
}

// isSet returns the condition under which a value is set, or "" if it always is.
func (p *printer) isSet(v *value, source string) string {
	if v.sendsZero { // zero is a value, too
		return ""
	}
	t := v.from
	switch {
	case gotypes.IsTime(t):
		return "!" + selection(p.time(t, source), "IsZero()")
	case gotypes.IsString(t):
		return source + ` != ""`
	}
	switch u := t.Underlying().(type) {
	case *types.Slice, *types.Map:
		return source + " != nil"
	case *types.Basic:
		// An API returns zero where it means zero, and a required field is sent, unless the tag omits zero.
		switch isNumber := u.Info()&types.IsNumeric != 0; {
		case !v.omitsZero:
			return ""
		case isNumber:
			return source + " != 0"
		case v.method.sends: // omitempty never sends false
			return source
		}
	case *types.Struct:
		switch {
		// A struct without omitzero is always encoded.
		case v.method.sends && !v.omitsZero:
			return ""
		case types.Comparable(t):
			return source + " != (" + p.typeName(t) + "{})"
		}
		// Go can't compare structs with slices or maps.
		return "!" + p.Standard("reflect", "ValueOf") + "(" + source + ").IsZero()"
	}
	return ""
}

// text and bytesType are the types of texts and of slices of bytes.
var (
	text      = types.Typ[types.String]
	bytesType = types.NewSlice(types.Typ[types.Uint8])
)

// selection returns a selector on a value: Go dereferences pointers by itself.
func selection(source, name string) string { return strings.TrimPrefix(source, "*") + "." + name }

// A way is a method of converting a value.
type way struct {
	// fails is set if some values can't be converted, and checks if the code itself checks that the value is set.
	fails, checks bool
	// isAround is set if the code for elem may check it.
	isAround bool
	// expression returns the value as one expression. It is nil if that takes statements.
	expression func(p *printer, v *value, source string) string
	// write writes statements. It is nil if the expression does everywhere.
	write func(p *printer, v *value, source string, assign func(expression string))
}

var (
	// convert uses Go's conversion, or the value itself. narrow is for numbers that may not fit.
	convert = &way{expression: func(p *printer, v *value, source string) string { return p.converted(v.from, v.to, source) }}
	narrow  = &way{write: (*printer).narrow, fails: true}
	// address takes a pointer to a value, and point to one of a basic type. follow takes the value of a pointer, and copied
	// a pointer to a copy of a basic value.
	address = &way{write: (*printer).address, isAround: true}
	point   = &way{write: (*printer).address, expression: (*printer).pointer}
	follow  = &way{write: (*printer).follow, checks: true}
	copied  = &way{write: (*printer).follow, checks: true, expression: func(p *printer, _ *value, source string) string {
		return p.helper("copyPointer") + "(" + source + ")"
	}}
	byFunction = &way{write: (*printer).call}
	// clone copies slices and maps whose items stay as they are, and items the others.
	clone = &way{expression: (*printer).clone}
	items = &way{write: (*printer).items, checks: true}
	// itemsToMap and mapToItems go between a map and a list of items with a key.
	itemsToMap  = &way{write: (*printer).itemsToMap, checks: true}
	mapToItems  = &way{write: (*printer).mapToItems, checks: true}
	times       = &way{write: (*printer).times}
	printTime   = &way{write: (*printer).printTime, checks: true}
	parseTime   = &way{write: (*printer).parseTime, checks: true, fails: true}
	printNumber = &way{write: (*printer).printNumber}
	parseNumber = &way{write: (*printer).parseNumber, checks: true, fails: true}
	// unwrap and wrap convert between a value and a struct that may hold it. unwrapSet asks the struct first.
	unwrap    = &way{write: (*printer).unwrap}
	unwrapSet = &way{write: (*printer).unwrap, checks: true}
	wrap      = &way{write: (*printer).wrap, isAround: true}
)

// asksIfSet reports whether the code for a value itself checks that it is set.
func (v *value) asksIfSet() bool { return v.checks || v.isAround && v.elem.asksIfSet() }

// isExpression reports whether a value is made by one expression.
func (v *value) isExpression() bool {
	return v.expression != nil || v.function != nil && !v.function.fails
}

// oneExpression returns the expression of a value with isExpression.
func (p *printer) oneExpression(v *value, source string) string {
	if v.function != nil {
		return p.callOf(v.function, source)
	}
	return v.expression(p, v, source)
}

// emit writes the statements that convert a value, and passes the result to assign. Unset values are not
// assigned.
func (p *printer) emit(v *value, source string, assign func(expression string)) {
	if v.write == nil {
		assign(v.expression(p, v, source))
		return
	}
	v.write(p, v, source, assign)
}

// pointer returns a pointer to a value of a basic type.
func (p *printer) pointer(v *value, source string) string {
	helper := "pointerUnlessZero"
	if p.isSet(v, source) == "" {
		helper = "pointerTo"
	}
	return p.helper(helper) + "(" + p.converted(v.elem.from, v.elem.to, source) + ")"
}

func (p *printer) address(v *value, source string, assign func(string)) {
	p.whenSet(v, source, !v.elem.asksIfSet(), func() {
		p.emit(v.elem, source, func(expression string) {
			switch fresh, isPointer := strings.CutPrefix(expression, "*"); {
			case v.elem.way == times && gotypes.TimeFormOf(gotypes.Deref(v.to)) == gotypes.EmbeddedTime:
				assign("&" + expression) // Go takes the address of a literal
			case isPointer && v.elem.function != nil:
				assign(fresh) // the function's result is a fresh pointer
			default:
				assign(p.helper("pointerTo") + "(" + expression + ")")
			}
		})
	})
}

func (p *printer) follow(v *value, source string, assign func(string)) {
	p.Block("if "+source+" != nil", func() { p.emit(v.elem, "*"+source, assign) })
}

// whenSet writes the statements of write, under the condition that a value is set, if isAsked.
func (p *printer) whenSet(v *value, source string, isAsked bool, write func()) {
	condition := ""
	if isAsked {
		condition = p.isSet(v, source)
	}
	p.when(condition, write)
}

// when writes the statements of write, under a condition if there is one.
func (p *printer) when(condition string, write func()) {
	if condition == "" {
		write()
		return
	}
	p.Block("if "+condition, write)
}

func (p *printer) narrow(v *value, source string, assign func(string)) {
	from, isInteger := gotypes.Integers[gotypes.BasicOf(v.from).Kind()]
	to, toInteger := gotypes.Integers[gotypes.BasicOf(v.to).Kind()]
	number := p.variable("number")
	p.Line(number, " := ", p.typeName(v.to), "(", source, ")")
	lost := p.typeName(v.from) + "(" + number + ") != " + source
	verb := "%d"
	switch {
	// Go doesn't define the conversion of a float beyond the integer's range.
	case isInteger && !toInteger:
		verb = "%v"
		lost += " || " + number + beyond(from)
	case !isInteger && toInteger && !isExact(v.from, v.to):
		verb = "%v"
		lost += " || " + source + beyond(to)
	case !isInteger:
		verb = "%v"
	// -1 survives the way to uint and back, so the comparison alone misses it.
	case from.Signed && !to.Signed:
		lost = source + " < 0 || " + lost
	// A uint beyond int becomes negative, and survives the way back.
	case !from.Signed && to.Signed:
		lost = number + " < 0 || " + lost
	}
	p.Block("if "+lost, func() { p.fail(verb+" is out of range", source) })
	assign(number)
}

// beyond returns the condition that a float exceeds every whole number of a type.
func beyond(i gotypes.Integer) string {
	bits := i.Bits
	if i.Signed {
		bits--
	}
	return " >= 1<<" + strconv.Itoa(bits)
}

func (p *printer) call(v *value, source string, assign func(string)) {
	call := p.callOf(v.function, source)
	if !v.function.fails {
		assign(call)
		return
	}
	name := p.variable("value")
	// The result is a pointer here; its value is taken below, after the error is checked.
	p.Line(name, ", err := ", strings.TrimPrefix(call, "*"))
	p.checkError()
	if strings.HasPrefix(call, "*") {
		name = "*" + name
	}
	assign(name)
}

// callOf returns the call of a function with a value. Author's functions take its type, functions between
// structs take a pointer, and methods are called as declared. A pointer result is dereferenced.
func (p *printer) callOf(f *function, source string) string {
	takesPointer, prefix := f.method != nil, ""
	if f.method == f {
		takesPointer = gotypes.IsPointer(f.from[0].Type())
	}
	if f.method != nil && gotypes.IsPointer(f.to) {
		prefix = "*"
	}
	switch {
	case !takesPointer:
	case strings.HasPrefix(source, "*"):
		source = source[1:]
	default:
		source = "&" + source
	}
	return prefix + f.name + "(" + source + ")"
}

// clone returns a copy of a slice or a map.
func (p *printer) clone(v *value, source string) string {
	_, isMap := v.from.Underlying().(*types.Map)
	switch {
	case gotypes.IsBytes(v.from):
		return p.converted(bytesType, v.to, p.Standard("bytes", "Clone")+"("+source+")")
	case isMap:
		return p.Standard("maps", "Clone") + "(" + source + ")"
	default:
		return p.Standard("slices", "Clone") + "(" + source + ")"
	}
}

// items writes a loop that converts the items of a list or a map. nil stays nil.
func (p *printer) items(v *value, source string, assign func(string)) {
	name, index := "items", "i"
	from, isMap := v.from.Underlying().(*types.Map)
	if isMap {
		name, index = "entries", "key"
	}
	p.made(v, source, name, "len("+source+")", assign, func(all string) {
		i, item := p.variable(index), p.variable("item")
		p.Block("for "+i+", "+item+" := range "+source, func() {
			at := i
			if isMap {
				at = p.converted(from.Key(), v.to.Underlying().(*types.Map).Key(), i)
			}
			p.entry(v.elem, all+"["+at+"]", item, isMap)
		})
	})
}

// made writes a block that makes a list or a map, and fills it. nil stays nil.
func (p *printer) made(v *value, source, name, length string, assign func(string), fill func(all string)) {
	p.Block("if "+source+" != nil", func() {
		all := p.variable(name)
		p.Line(all, " := make(", p.typeName(v.to), ", ", length, ")")
		fill(all)
		assign(all)
	})
}

// entry writes the statements that fill an entry. A map keeps entries whose values are unset.
func (p *printer) entry(v *value, at, source string, isOfMap bool) {
	if isOfMap && v.asksIfSet() {
		p.Line(at, " = ", gotypes.Zero(v.to, p.typeName))
	}
	p.emit(v, source, func(e string) { p.Line(at, " = ", e) })
}

func (p *printer) itemsToMap(v *value, source string, assign func(string)) {
	p.made(v, source, "entries", "len("+source+")", assign, func(all string) {
		item, condition := p.variable("item"), ""
		// An API's list of pointers may contain nil.
		if gotypes.IsPointer(v.from.Underlying().(*types.Slice).Elem()) {
			condition = item + " != nil"
		}
		p.Block("for _, "+item+" := range "+source, func() {
			p.when(condition, func() {
				p.emit(v.keys, item+"."+v.key, func(key string) { p.entry(v.elem, all+"["+key+"]", item+"."+v.value, true) })
			})
		})
	})
}

// mapToItems writes a loop that appends the items in the order of keys.
func (p *printer) mapToItems(v *value, source string, assign func(string)) {
	p.made(v, source, "items", "0, len("+source+")", assign, func(all string) {
		key := p.variable("key")
		p.Block("for _, "+key+" := range "+p.Standard("slices", "Sorted")+"("+p.Standard("maps", "Keys")+"("+source+"))", func() {
			item := p.variable("item")
			itemType := v.to.Underlying().(*types.Slice).Elem()
			p.Line("var ", item, " ", p.typeName(gotypes.Deref(itemType)))
			p.entry(v.keys, item+"."+v.key, key, false)
			entry := source + "[" + key + "]"
			// An index binds tighter than the dereference.
			if strings.HasPrefix(source, "*") {
				entry = "(" + source + ")[" + key + "]"
			}
			if !v.elem.isExpression() || v.elem.function != nil { // the address of a map's entry can't be taken
				held := p.variable("value")
				p.Line(held, " := ", entry)
				entry = held
			}
			p.entry(v.elem, item+"."+v.value, entry, false)
			if gotypes.IsPointer(itemType) {
				item = "&" + item
			}
			p.Line(all, " = append(", all, ", ", item, ")")
		})
	})
}
