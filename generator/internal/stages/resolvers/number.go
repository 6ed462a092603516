package resolvers

// Resolvers take and return strings. Functions of the helpers' package convert numbers.

// fromNumber returns the string that a resolver takes for a number.
func (w *fileWriter) fromNumber(v value, field string) string {
	return w.helperFunction("From"+numberName(v)) + "(" + field + ")"
}

// setNumber returns a call that sets a place to one or several resolved values. If one isn't a number, the call
// leaves the place alone and returns an error; for several values, the index of the first such value comes
// before it.
func (w *fileWriter) setNumber(v value, place, resolved string) string {
	set := "SetNumber"
	if v.slice {
		set = "SetNumbers"
	}
	reader := w.helperFunction("To"+numberName(v)) + "[" + w.typ(v.scalar) + "]"
	return w.helperFunction(set) + "(&" + place + ", " + resolved + ", " + reader + ")"
}

// helperFunction returns a function of the package of helpers.
func (w *fileWriter) helperFunction(name string) string {
	return w.Qualified(w.common.Import(), w.common.Call(name))
}

// numberName returns the name of a number's type in the names of conversions.
func numberName(v value) string {
	name := "Float"
	if v.scalar.Basic == "int64" {
		name = "Integer"
	}
	if v.pointer {
		name += "Ptr"
	}
	return name
}
