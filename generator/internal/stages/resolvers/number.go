package resolvers

// Resolvers take and return strings. crossplane-runtime's own conversions drop fractions, and
// turn strings that aren't numbers to nil. So mrgen writes conversions beside the methods.

// fromNumber returns the string that a resolver takes for a number.
func (w *fileWriter) fromNumber(v value, field string) string {
	kind := fromNumber
	if v.pointer {
		kind = fromPointer
	}
	return w.helper(helper{kind: kind, goType: v.scalar.Basic}) + "(" + field + ")"
}

// setNumber returns a call that sets a place to one or several resolved values. If one is not a
// number, the call leaves the place alone and returns an error, for several values after the
// index of the first such value.
func (w *fileWriter) setNumber(v value, place, resolved string) string {
	set, read := setNumber, toNumber
	if v.slice {
		set = setNumbers
	}
	if v.pointer {
		read = toPointer
	}
	reader := w.helper(helper{kind: read, goType: v.scalar.Basic}) + "[" + w.typ(v.scalar) + "]"
	return w.helper(helper{kind: set}) + "(&" + place + ", " + resolved + ", " + reader + ")"
}

func (w *fileWriter) writeFromNumber(h helper) {
	name := w.helpers[h]
	w.Function(name+" adapts a number for use as a CurrentValue. Zero is no value.", name+typeParameter(h)+"(v T) string", func() {
		w.Block("if v == 0", func() { w.Line(`return ""`) })
		w.Line("return ", w.formatted(h, "v"))
	})
}

func (w *fileWriter) writeFromPointer(h helper) {
	name := w.helpers[h]
	w.Function(name+" adapts a pointer to a number for use as a CurrentValue. Nil is no value.", name+typeParameter(h)+"(v *T) string", func() {
		w.Block("if v == nil", func() { w.Line(`return ""`) })
		w.Line("return ", w.formatted(h, "*v"))
	})
}

func (w *fileWriter) writeToNumber(h helper) {
	name := w.helpers[h]
	w.Function(name+" adapts a ResolvedValue for use as a number. No value is zero.", name+typeParameter(h)+"(value string) (T, error)", func() {
		w.Block(`if value == ""`, func() { w.Line("return 0, nil") })
		w.parse(h)
		w.Block("if err != nil", func() { w.Line("return 0, err") })
		w.Line("return T(v), nil")
	})
}

func (w *fileWriter) writeToPointer(h helper) {
	name := w.helpers[h]
	w.Function(name+" adapts a ResolvedValue for use as a pointer to a number. No value is nil.", name+typeParameter(h)+"(value string) (*T, error)", func() {
		w.Block(`if value == ""`, func() { w.Line("return nil, nil") })
		w.parse(h)
		w.Block("if err != nil", func() { w.Line("return nil, err") })
		w.Line("number := T(v)")
		w.Line("return &number, nil")
	})
}

func (w *fileWriter) writeSetNumber(h helper) {
	name := w.helpers[h]
	w.Function(name+" sets a field to a ResolvedValue. It leaves the field as it is if that is no number.",
		name+"[T any](field *T, value string, read func(string) (T, error)) error", func() {
			w.Line("v, err := read(value)")
			w.Block("if err != nil", func() { w.Line("return err") })
			w.Line("*field = v")
			w.Line("return nil")
		})
}

func (w *fileWriter) writeSetNumbers(h helper) {
	name := w.helpers[h]
	w.Function(name+" sets a field to ResolvedValues. It leaves the field as it is if one is no number, and returns its index.",
		name+"[S ~[]T, T any](field *S, values []string, read func(string) (T, error)) (int, error)", func() {
			w.Line("numbers := make(S, len(values))")
			w.Block("for i := range values", func() {
				w.Line("v, err := read(values[i])")
				w.Block("if err != nil", func() { w.Line("return i, err") })
				w.Line("numbers[i] = v")
			})
			w.Line("*field = numbers")
			w.Line("return 0, nil")
		})
}

// typeParameter lets a conversion take named types, too.
func typeParameter(h helper) string { return "[T ~" + h.goType + "]" }

// formatted returns a number as text, to the last digit.
func (w *fileWriter) formatted(h helper, number string) string {
	if h.goType == "int64" {
		return w.Standard("strconv", "FormatInt") + "(int64(" + number + "), 10)"
	}
	return w.Standard("strconv", "FormatFloat") + "(" + h.goType + "(" + number + "), 'f', -1, 64)"
}

// parse writes the code that parses the string value as the number v, or as an error. strconv
// accepts more than JSON: a plus sign and leading zeros, and in floats NaN, Inf, underscores
// and hexadecimal digits.
func (w *fileWriter) parse(h helper) {
	parsed := w.Standard("strconv", "ParseFloat") + "(value, 64)"
	if h.goType == "int64" {
		parsed = w.Standard("strconv", "ParseInt") + "(value, 10, 64)"
	}
	w.Line("v, err := ", parsed)
	w.Block("if err == nil && !"+w.Standard("encoding/json", "Valid")+"([]byte(value))", func() {
		w.Line("err = ", w.Standard("fmt", "Errorf"), `("parsing %q: not a number in JSON", value)`)
	})
}
