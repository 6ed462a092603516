package resolvers

// Resolvers take and return text. crossplane-runtime's own functions for numbers
// drop fractions, and turn text that is no number to nil, so methods call
// conversions that are written beside them.

// fromNumber returns a number as a resolver takes it.
func (w *writer) fromNumber(v value, field string) string {
	kind := fromNumber
	if v.pointer {
		kind = fromPointer
	}
	return w.helper(helper{kind: kind, goType: v.scalar.Basic}) + "(" + field + ")"
}

// toNumber returns a resolved value as a number, and an error.
func (w *writer) toNumber(v value, resolved string) string {
	kind := toNumber
	if v.pointer {
		kind = toPointer
	}
	return w.helper(helper{kind: kind, goType: v.scalar.Basic}) + "[" + w.typ(v.scalar) + "](" + resolved + ")"
}

func (w *writer) writeFromNumber(h helper) {
	name := w.helpers[h]
	w.Function(name+" adapts a number for use as a CurrentValue. Zero is no value.", name+typeParameter(h)+"(v T) string", func() {
		w.Block("if v == 0", func() { w.Line(`return ""`) })
		w.Line("return ", w.formatted(h, "v"))
	})
}

func (w *writer) writeFromPointer(h helper) {
	name := w.helpers[h]
	w.Function(name+" adapts a pointer to a number for use as a CurrentValue. Nil is no value.", name+typeParameter(h)+"(v *T) string", func() {
		w.Block("if v == nil", func() { w.Line(`return ""`) })
		w.Line("return ", w.formatted(h, "*v"))
	})
}

func (w *writer) writeToNumber(h helper) {
	name := w.helpers[h]
	w.Function(name+" adapts a ResolvedValue for use as a number. No value is zero.", name+typeParameter(h)+"(value string) (T, error)", func() {
		w.Block(`if value == ""`, func() { w.Line("return 0, nil") })
		w.Line("v, err := ", w.parsed(h))
		w.Line("return T(v), err")
	})
}

func (w *writer) writeToPointer(h helper) {
	name := w.helpers[h]
	w.Function(name+" adapts a ResolvedValue for use as a pointer to a number. No value is nil.", name+typeParameter(h)+"(value string) (*T, error)", func() {
		w.Block(`if value == ""`, func() { w.Line("return nil, nil") })
		w.Line("v, err := ", w.parsed(h))
		w.Block("if err != nil", func() { w.Line("return nil, err") })
		w.Line("number := T(v)")
		w.Line("return &number, nil")
	})
}

// typeParameter lets a conversion take named types, too.
func typeParameter(h helper) string { return "[T ~" + h.goType + "]" }

// formatted returns a number as text, to the last digit.
func (w *writer) formatted(h helper, number string) string {
	if h.goType == "int64" {
		return w.Standard("strconv", "FormatInt") + "(int64(" + number + "), 10)"
	}
	return w.Standard("strconv", "FormatFloat") + "(" + h.goType + "(" + number + "), 'f', -1, 64)"
}

// parsed returns the number in the text "value", and an error.
func (w *writer) parsed(h helper) string {
	if h.goType == "int64" {
		return w.Standard("strconv", "ParseInt") + "(value, 10, 64)"
	}
	return w.Standard("strconv", "ParseFloat") + "(value, 64)"
}
