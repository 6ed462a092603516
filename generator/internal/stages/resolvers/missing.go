package resolvers

import (
	"strings"
	"unicode"

	"github.com/mrgen-io/mrgen/generator/internal/diag"
	"github.com/mrgen-io/mrgen/generator/internal/flavor"
	"github.com/mrgen-io/mrgen/generator/internal/model"
)

// A Companion is a field beside the value of a reference: it holds the reference,
// the references, or the selector.
type Companion struct {
	// Name is the Go name that the field must have, and JSONName the name that it
	// gets in JSON if it is added.
	Name, JSONName string
	// Selector is set if the field holds the selector.
	Selector bool
	// Slice is set if the field holds several elements of its type. Otherwise it is
	// a pointer.
	Slice bool
	// Type is the name of the element's type, in the package TypeIn. The packages
	// in Declarations may declare it, and TypeIn have an alias of it.
	Type         string
	TypeIn       flavor.Import
	Declarations []string
	// marker is the marker that says what the field is called, or nil if it has the
	// default name.
	marker *model.Marker
}

// Source returns the declaration of the field, in a file where the package of its
// type has the given name.
func (c *Companion) Source(pkg string) string {
	return declaration(c.Name, c.goType(pkg), c.JSONName)
}

func (c *Companion) goType(pkg string) string {
	name := c.Type
	if pkg != "" {
		name = pkg + "." + name
	}
	if c.Slice {
		return "[]" + name
	}
	return "*" + name
}

func declaration(name, goType, jsonName string) string {
	return name + " " + goType + " `json:\"" + jsonName + ",omitempty\"`"
}

// Holds says what is in the field.
func (c *Companion) Holds() string {
	switch {
	case c.Selector:
		return "selector"
	case c.Slice:
		return "references"
	default:
		return "reference"
	}
}

// A Missing is a reference that lacks a field, or both, beside its value.
type Missing struct {
	// Object is the kind that has the reference, and Struct the part of it that has
	// the field with the value.
	Object *model.Object
	Struct *model.Type
	Value  *model.Field
	// Slice is set if there are several values.
	Slice bool
	// Target is the name of the kind that is referred to.
	Target string
	// Companions are the fields that are missing, that of the reference first, and
	// Reference the Go name of that field, missing or not.
	Companions []Companion
	Reference  string
	// Pos is the marker that makes the field a reference.
	Pos diag.Position
}

// theFix ends the diagnostics about fields that it adds.
const theFix = "; or run mrgen fix references"

// diagnostics tell the author which lines to add.
func (m *Missing) diagnostics() diag.List {
	var diags diag.List
	var unnamed []Companion
	for _, c := range m.Companions {
		if c.marker == nil {
			unnamed = append(unnamed, c)
			continue
		}
		diags = append(diags, diag.Errorf(m.Position(c), codeReference,
			"there is no field %s beside %s, which refers to %s: add %s, or name the field that holds the %s"+theFix,
			c.Name, m.Value.Name, m.Target, c.Source(c.TypeIn.Alias), c.Holds()))
	}
	switch len(unnamed) {
	case 1:
		diags = append(diags, diag.Errorf(m.Pos, codeReference, "there is no field %s beside %s, which refers to %s: add %s"+theFix,
			unnamed[0].Name, m.Value.Name, m.Target, unnamed[0].Source(unnamed[0].TypeIn.Alias)))
	case 2:
		diags = append(diags, diag.Errorf(m.Pos, codeReference, "there are no fields %s and %s beside %s, which refers to %s: add %s and %s"+theFix,
			unnamed[0].Name, unnamed[1].Name, m.Value.Name, m.Target,
			unnamed[0].Source(unnamed[0].TypeIn.Alias), unnamed[1].Source(unnamed[1].TypeIn.Alias)))
	}
	return diags
}

// Position returns where the author says that the field must exist: at the marker
// that names it, or that of the reference.
func (m *Missing) Position(c Companion) diag.Position {
	if c.marker != nil {
		return valuePosition(c.marker)
	}
	return m.Pos
}

// FindMissing returns the references in a model that lack fields, kind by kind and
// in the order of the source, and what else is wrong with references.
func FindMissing(m *model.Model) ([]Missing, diag.List) {
	p := newPlan(m)
	return p.missing, p.diags
}

// jsonName returns the JSON name for a field beside that with the value: it begins
// as the JSON name of that field does, if the Go name begins as its Go name.
func jsonName(name string, of *model.Field) string {
	for _, plural := range []string{"", "s"} {
		goName, isGo := strings.CutSuffix(of.Name, plural)
		inJSON, isJSON := strings.CutSuffix(of.JSONName, plural)
		if rest, found := strings.CutPrefix(name, goName); found && isGo && isJSON {
			return inJSON + rest
		}
	}
	return lowerFirst(name)
}

// lowerFirst returns a Go name with its first word in lower case: URL, or the V of
// Value.
func lowerFirst(name string) string {
	end := strings.IndexFunc(name, func(r rune) bool { return !unicode.IsUpper(r) })
	switch {
	case end < 0:
		end = len(name)
	case end > 1:
		end-- // the last one begins the next word
	}
	return strings.ToLower(name[:end]) + name[end:]
}
