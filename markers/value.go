package markers

import (
	"slices"
	"strconv"
	"strings"
)

// A Value is a marker as the user wrote it.
type Value struct {
	// Definition of the marker. It is shared: don't change it.
	Definition *Definition
	// Arguments that are given, in the order of the definition.
	Arguments []ArgumentValue
}

// An ArgumentValue is an argument that a user gave.
type ArgumentValue struct {
	// Name is empty for the value that follows the equals sign.
	Name string
	// Text is the value without its quotes.
	Text string
}

// Has reports whether an argument is given. The value that follows the equals
// sign has the empty name.
func (v *Value) Has(argument string) bool {
	return slices.ContainsFunc(v.Arguments, func(a ArgumentValue) bool { return a.Name == argument })
}

// Text returns an argument, or "" if it is not given. The value that follows
// the equals sign has the empty name.
func (v *Value) Text(argument string) string {
	for _, a := range v.Arguments {
		if a.Name == argument {
			return a.Text
		}
	}
	return ""
}

// key returns the argument by which markers of one name at one place differ: the definition's key, or its
// alternative.
func (v *Value) key() string {
	name := v.Definition.Key
	if len(v.Arguments) == 1 && v.Definition.Arguments[0].AnyName { // the name itself is the key: one +mrgen:nolint a rule
		return v.Arguments[0].Name
	}
	if substitute := v.Definition.substitute(name); substitute != nil && v.Has(substitute.Name) {
		name = substitute.Name
	}
	return v.Text(name)
}

// gives reports whether an argument, or one that takes its place, is given.
func (v *Value) gives(name string) bool {
	substitute := v.Definition.substitute(name)
	return v.Has(name) || substitute != nil && v.Has(substitute.Name)
}

// Bool reports whether the value that follows the equals sign is true.
func (v *Value) Bool() bool { return v.Text("") == "true" }

// List returns the parts of an argument that semicolons separate.
func (v *Value) List(argument string) []string { return strings.Split(v.Text(argument), ";") }

// String returns the marker as a user may write it, without the plus sign.
func (v *Value) String() string {
	switch {
	case len(v.Arguments) == 0:
		return v.Definition.Name
	case !v.Definition.hasNamedArguments():
		return v.Definition.Name + "=" + v.Text("")
	}
	arguments := make([]string, len(v.Arguments))
	for i, a := range v.Arguments {
		text := a.Text
		if wordLength(text) < len(text) {
			text = strconv.Quote(text)
		}
		arguments[i] = a.Name + "=" + text
	}
	return v.Definition.Name + ":" + strings.Join(arguments, ",")
}

// CheckPlace checks that the marker may stand at one of the places, with its arguments. A field of a struct
// that spec and status share has several places: one that fits is enough.
func (v *Value) CheckPlace(places ...Place) *Problem {
	d := v.Definition
	fits := slices.DeleteFunc(slices.Clone(places), func(p Place) bool { return !slices.Contains(d.Places, p) })
	if len(fits) == 0 {
		return d.without("marker +%s does not belong here: move it to %s", d.Name, JoinPlaces(d.Places))
	}
	for _, a := range d.Arguments {
		for _, p := range fits {
			// A field has defaults for name and description; a kind doesn't.
			if slices.Contains(a.RequiredOn, p) && !v.gives(a.Name) {
				return problemf(Invalid, 0, "marker +%s has no %s, which it needs on %s: write %s", d.Name, a.Name, p, d.usage())
			}
		}
	}
	return nil
}
