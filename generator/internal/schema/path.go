package schema

import (
	"cmp"
	"regexp"
	"slices"
	"strconv"
	"strings"
)

// A StepKind says how a step leads from a schema to one below it.
type StepKind uint8

const (
	// Property leads to the schema of a property of an object.
	Property StepKind = iota
	// Items leads to the schema that all items of an array share.
	Items
	// Values leads to the schema that all values of a map share.
	Values
	// Same leads to another schema of the same value, such as a part of allOf. No path has it.
	Same
)

// A Step leads from a schema to one below it.
type Step struct {
	Kind StepKind
	// Name is the JSON name of a Property.
	Name string
}

// A Path leads from the root of a version's schema to a schema below it.
type Path []Step

// Properties returns the path to a property of a property, and so on.
func Properties(names ...string) Path {
	var path Path
	for _, name := range names {
		path = append(path, Step{Name: name})
	}
	return path
}

// String returns the path in the form ".spec.forProvider.rules[]" for the items of an array,
// ".spec.forProvider.tags{}" for the values of a map, and "." for the root. Names that
// aren't identifiers are quoted in brackets.
func (p Path) String() string {
	if len(p) == 0 {
		return "."
	}
	var b strings.Builder
	for _, s := range p {
		switch {
		case s.Kind == Items:
			b.WriteString("[]")
		case s.Kind == Values:
			b.WriteString("{}")
		case identifier.MatchString(s.Name):
			b.WriteString("." + s.Name)
		default:
			b.WriteString("[" + strconv.Quote(s.Name) + "]")
		}
	}
	return b.String()
}

var identifier = regexp.MustCompile(`^[A-Za-z_$][A-Za-z0-9_$-]*$`)

// Names returns the names of the properties in the path.
func (p Path) Names() []string {
	var names []string
	for _, s := range p {
		if s.Kind == Property {
			names = append(names, s.Name)
		}
	}
	return names
}

// Compare orders paths by their steps. A path comes before the paths below it.
func (p Path) Compare(q Path) int {
	return slices.CompareFunc(p, q, func(a, b Step) int {
		return cmp.Or(cmp.Compare(a.Kind, b.Kind), strings.Compare(a.Name, b.Name))
	})
}

// HasPrefix reports whether p leads to the same place as q, or below it.
func (p Path) HasPrefix(q Path) bool { return len(p) >= len(q) && slices.Equal(p[:len(q)], q) }

// With returns p with one more step. It never shares memory with another path.
func (p Path) With(s Step) Path { return append(slices.Clip(p), s) }
