package sdk

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

// time returns a time as a time.Time.
func (p *printer) time(t types.Type, source string) string {
	switch gotypes.TimeFormOf(t) {
	case gotypes.EmbeddedTime:
		return selection(source, "Time")
	case gotypes.DeclaredTime:
		return p.Standard("time", "Time") + "(" + source + ")"
	default:
		return source
	}
}

// ofTime returns a time.Time as another type of times.
func (p *printer) ofTime(t types.Type, source string) string {
	switch gotypes.TimeFormOf(t) {
	case gotypes.EmbeddedTime:
		return p.typeName(t) + "{Time: " + source + "}"
	case gotypes.DeclaredTime:
		return p.typeName(t) + "(" + source + ")"
	default:
		return source
	}
}

// text and bytesType are the types of texts and of slices of bytes.
var (
	text      = types.Typ[types.String]
	bytesType = types.NewSlice(types.Typ[types.Uint8])
)

// selection returns a selector on a value: Go dereferences pointers by itself.
func selection(source, name string) string { return strings.TrimPrefix(source, "*") + "." + name }

// emit writes the statements that convert a value, and passes the result to assign. Unset values are not
// assigned.
func (p *printer) emit(v *value, source string, assign func(expression string)) {
	switch v.way {
	case convert, binary:
		assign(p.expression(v, source))
	case narrow:
		p.narrow(v, source, assign)
	case follow:
		p.Block("if "+source+" != nil", func() { p.emit(v.elem, "*"+source, assign) })
	case address:
		p.address(v, source, assign)
	case times:
		assign(p.ofTime(v.to, p.time(v.from, source)))
	case print:
		formatted := selection(p.time(v.from, source), "Format(") + p.Standard("time", "RFC3339Nano") + ")"
		// The zero time would be sent as the year 1.
		p.Block("if !"+selection(p.time(v.from, source), "IsZero()"), func() { assign(p.converted(text, v.to, formatted)) })
	case parse:
		// "" isn't a time, and means unset.
		p.Block("if "+source+` != ""`, func() {
			at := p.variable("at")
			p.Line(at, ", err := ", p.Standard("time", "Parse"), "(", p.Standard("time", "RFC3339"), ", ", p.converted(v.from, text, source), ")")
			p.checkError()
			assign(p.ofTime(v.to, at))
		})
	case number:
		p.number(v, source, assign)
	case byFunction:
		p.call(v, source, assign)
	case list, entries, itemsToMap, mapToItems:
		// slices.Clone and maps.Clone keep nil as nil.
		if v.isClone() {
			assign(p.expression(v, source))
			return
		}
		p.collection(v, source, assign)
	case unwrap:
		p.unwrap(v, source, assign)
	case wrap:
		p.wrap(v, source, assign)
	}
}

func (p *printer) address(v *value, source string, assign func(string)) {
	write := func() {
		p.emit(v.elem, source, func(expression string) {
			if v.elem.way == times && gotypes.TimeFormOf(gotypes.Deref(v.to)) == gotypes.EmbeddedTime {
				assign("&" + expression) // Go takes the address of a literal
				return
			}
			if fresh, ok := strings.CutPrefix(expression, "*"); ok && v.elem.way == byFunction {
				assign(fresh) // the function's result is a fresh pointer
				return
			}
			assign(p.helper("pointerTo") + "(" + expression + ")")
		})
	}
	p.whenSet(v, source, !v.elem.checks(), write)
}

// whenSet writes the statements of write, under the condition that a value is set, if isAsked.
func (p *printer) whenSet(v *value, source string, isAsked bool, write func()) {
	if isAsked {
		if condition := p.isSet(v, source); condition != "" {
			p.Block("if "+condition, write)
			return
		}
	}
	write()
}

// checks reports whether the code for a value itself checks that it is set.
func (v *value) checks() bool {
	switch v.way {
	case print, parse, follow:
		return true
	case unwrap:
		return v.saysSet || v.flag != ""
	case number:
		return numberFormOf(v.from) == inText
	case list, entries, itemsToMap, mapToItems:
		return !v.isClone()
	case address, wrap:
		return v.elem.checks()
	}
	return false
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
	if !v.function.returnsError() {
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

// collection writes a loop that converts a list or a map. nil stays nil.
func (p *printer) collection(v *value, source string, assign func(string)) {
	name, length := "entries", "len("+source+")"
	switch v.way {
	case list:
		// Lists are indexed, and lists from maps appended in the order of keys.
		name = "items"
	case mapToItems:
		name, length = "items", "0, "+length
	}
	p.Block("if "+source+" != nil", func() {
		all := p.variable(name)
		p.Line(all, " := make(", p.typeName(v.to), ", ", length, ")")
		switch v.way {
		case list:
			i, item := p.variable("i"), p.variable("item")
			p.Block("for "+i+", "+item+" := range "+source, func() {
				p.emit(v.elem, item, func(e string) { p.Line(all, "[", i, "] = ", e) })
			})
		case entries:
			key, item := p.variable("key"), p.variable("item")
			p.Block("for "+key+", "+item+" := range "+source, func() {
				to := p.converted(v.from.Underlying().(*types.Map).Key(), v.to.Underlying().(*types.Map).Key(), key)
				if v.elem.checks() {
					p.Line(all, "[", to, "] = ", gotypes.Zero(v.elem.to, p.typeName)) // keep an entry whose value is unset
				}
				p.emit(v.elem, item, func(e string) { p.Line(all, "[", to, "] = ", e) })
			})
		case itemsToMap:
			item := p.variable("item")
			add := func() {
				p.emit(v.keys, item+"."+v.key, func(key string) {
					if v.elem.checks() {
						p.Line(all, "[", key, "] = ", gotypes.Zero(v.elem.to, p.typeName))
					}
					p.emit(v.elem, item+"."+v.value, func(e string) { p.Line(all, "[", key, "] = ", e) })
				})
			}
			p.Block("for _, "+item+" := range "+source, func() {
				// An API's list of pointers may contain nil.
				if gotypes.IsPointer(v.from.Underlying().(*types.Slice).Elem()) {
					p.Block("if "+item+" != nil", add)
				} else {
					add()
				}
			})
		case mapToItems:
			key := p.variable("key")
			p.Block("for _, "+key+" := range "+p.Standard("slices", "Sorted")+"("+p.Standard("maps", "Keys")+"("+source+"))", func() {
				item := p.variable("item")
				itemType := v.to.Underlying().(*types.Slice).Elem()
				p.Line("var ", item, " ", p.typeName(gotypes.Deref(itemType)))
				p.emit(v.keys, key, func(e string) { p.Line(item, ".", v.key, " = ", e) })
				entry := source + "[" + key + "]"
				// An index binds tighter than the dereference.
				if strings.HasPrefix(source, "*") {
					entry = "(" + source + ")[" + key + "]"
				}
				if !v.elem.isExpression() || v.elem.way == byFunction { // the address of a map's entry can't be taken
					held := p.variable("value")
					p.Line(held, " := ", entry)
					entry = held
				}
				p.emit(v.elem, entry, func(e string) { p.Line(item, ".", v.value, " = ", e) })
				if gotypes.IsPointer(itemType) {
					item = "&" + item
				}
				p.Line(all, " = append(", all, ", ", item, ")")
			})
		}
		assign(all)
	})
}
