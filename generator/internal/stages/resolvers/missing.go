package resolvers

import (
	"regexp"
	"strings"

	"github.com/mrgen-io/mrgen/generator/diag"
	"github.com/mrgen-io/mrgen/generator/internal/flavor"
	"github.com/mrgen-io/mrgen/generator/internal/gosyntax"
	"github.com/mrgen-io/mrgen/generator/internal/model"
	"github.com/mrgen-io/mrgen/markers"
)

// A Companion is a field beside the value of a reference: for the reference or references, or for the selector.
type Companion struct {
	// Name is the Go name that the field must have, and JSONName the JSON name if mrgen adds it.
	Name, JSONName string
	// Selector is set if the field holds the selector.
	Selector bool
	// Slice is set if the field holds several elements of its type. Otherwise it is
	// a pointer.
	Slice bool
	// Type is the name of the element's type in the package TypeIn, which may be an alias of a type that one of
	// the packages in Declarations declares.
	Type         string
	TypeIn       flavor.Import
	Declarations []string
	// Other is a field of another name with the same JSON name and type, or nil.
	Other *model.Field
	// marker is the marker that names the field, or nil for the default name.
	marker *model.Marker
}

// Source returns the declaration of the field. pkg is the file's name for the package of its type, or "" for
// the file's own package.
func (c *Companion) Source(pkg string) string {
	name := c.Type
	if pkg != "" {
		name = pkg + "." + name
	}
	return declaration(c.Name, c.goType(name), c.JSONName)
}

// SourceIn returns the declaration of the field in a struct.
func (c *Companion) SourceIn(t *model.Type) string {
	return declaration(c.Name, c.goType(t.Qualified(c.TypeIn, c.Type)), c.JSONName)
}

func (c *Companion) goType(name string) string {
	if c.Slice {
		return "[]" + name
	}
	return "*" + name
}

func declaration(name, goType, jsonName string) string {
	return name + " " + goType + " `json:\"" + jsonName + ",omitempty\"`"
}

// Holds returns a word for the content of the field.
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

// A Missing is a reference that lacks one or both companions.
type Missing struct {
	// Object is the kind with the reference, and Struct the struct in it with the value.
	Object *model.Object
	Struct *model.Type
	Value  *model.Field
	// Slice is set if there are several values.
	Slice bool
	// Target is the name of the kind that the reference refers to.
	Target string
	// Companions are the missing fields, the reference first. Reference is the Go name of the reference's
	// field, missing or not.
	Companions []Companion
	Reference  string
	// Pos is the marker that makes the field a reference.
	Pos diag.Position
}

// theFix ends the diagnostics about fields that mrgen fix references adds.
const theFix = "; or run mrgen fix references"

// diagnostics returns the lines for the author to add.
func (m *Missing) diagnostics() diag.List {
	var diags diag.List
	var unnamed []Companion
	for _, c := range m.Companions {
		switch {
		case c.Other != nil:
			diags = append(diags, m.Name(c))
			continue
		case c.marker == nil:
			unnamed = append(unnamed, c)
			continue
		}
		if near, found := markers.Nearest(c.Name, m.besides()); found {
			diags = append(diags, diag.Errorf(m.Position(c), codeReference, "%s has no field %s: did you mean %s?", m.Struct.Name, c.Name, near))
			continue
		}
		diags = append(diags, diag.Errorf(m.Position(c), codeReference,
			"there is no field %s beside %s, which refers to %s: add %s, or name the field that holds the %s"+theFix,
			c.Name, m.Value.Name, m.Target, c.SourceIn(m.Struct), c.Holds()))
	}
	switch len(unnamed) {
	case 1:
		diags = append(diags, diag.Errorf(m.Pos, codeReference, "there is no field %s beside %s, which refers to %s: add %s"+theFix,
			unnamed[0].Name, m.Value.Name, m.Target, unnamed[0].SourceIn(m.Struct)))
	case 2:
		diags = append(diags, diag.Errorf(m.Pos, codeReference,
			"there are no fields %s and %s beside %s, which refers to %s: add %s and %s"+theFix,
			unnamed[0].Name, unnamed[1].Name, m.Value.Name, m.Target,
			unnamed[0].SourceIn(m.Struct), unnamed[1].SourceIn(m.Struct)))
	}
	return diags
}

// besides returns the fields whose names begin with the value's.
func (m *Missing) besides() []string {
	var names []string
	for _, f := range m.Struct.Fields {
		if f != m.Value && strings.HasPrefix(f.Name, m.Value.Name) {
			names = append(names, f.Name)
		}
	}
	return names
}

// Name returns the diagnostic for a missing field that exists under another name.
func (m *Missing) Name(c Companion) diag.Diagnostic {
	marker := markers.ReferenceFieldName
	if c.Selector {
		marker = markers.ReferenceSelectorFieldName
	}
	return diag.Errorf(m.Position(c), codeReference,
		"there is no field %s beside %s, which refers to %s: rename %s, or name it with +%s=%[4]s",
		c.Name, m.Value.Name, m.Target, c.Other.Name, marker)
}

// Position returns the position of the marker that demands the field: the one that names it, or the
// reference's.
func (m *Missing) Position(c Companion) diag.Position {
	if c.marker != nil {
		return valuePosition(c.marker)
	}
	return m.Pos
}

// FindMissing returns the references in a model without their companions, by kind and in source order, and the
// diagnostics of all other errors in references.
func FindMissing(m *model.Model) ([]Missing, diag.List) {
	p := newPlan(m)
	return p.missing, p.diags
}

// camel matches JSON names in Kubernetes' style.
var camel = regexp.MustCompile(`^[a-z][A-Za-z0-9]*$`)

// jsonName returns the JSON name for a companion. If its Go name begins with the value's, its JSON name begins
// with the value's, too.
func jsonName(name string, of *model.Field) string {
	inGo, inJSON := strings.ToLower(of.Name), strings.ToLower(of.JSONName)
	// A name such as subnet_id, or one unlike the Go name, is no example to follow.
	if !camel.MatchString(of.JSONName) || !strings.Contains(inGo, inJSON) && !strings.Contains(inJSON, inGo) {
		return gosyntax.Unexported(name)
	}
	// SubnetIDs with subnetIds becomes SubnetIDRefs with subnetIdRefs.
	for _, plural := range []string{"", "s"} {
		goName, isGo := strings.CutSuffix(of.Name, plural)
		inJSON, isJSON := strings.CutSuffix(of.JSONName, plural)
		if rest, found := strings.CutPrefix(name, goName); found && isGo && isJSON {
			return inJSON + rest
		}
	}
	return gosyntax.Unexported(name)
}
