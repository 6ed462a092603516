package lintrules

import (
	"fmt"
	"slices"

	"github.com/mrgen-io/mrgen/generator/diag"
	"github.com/mrgen-io/mrgen/generator/internal/model"
	"github.com/mrgen-io/mrgen/generator/internal/review/linter"
	"github.com/mrgen-io/mrgen/markers"
)

var optionalFields = &linter.Rule{
	Name:     "optional-fields",
	Doc:      "An optional field of spec is a pointer, a list or a map, its tag has omitempty or omitzero, and it is marked +optional.",
	Source:   apiPatterns.section("Pointer Types and Markers", "#pointer-types-and-markers"),
	Why:      "Controllers can tell unset from zero, and readers see at the declaration that they may omit the field.",
	Severity: linter.Warning,
	Fix:      linter.Fix{Doc: "It makes the field a pointer if code still compiles, adds omitempty or omitzero to its tag, and the marker +optional."},
	Run:      linter.EachManaged(checkOptionalFields),
}

// optionalFieldsDesired are the parts of spec.
const optionalFieldsDesired = linter.ForProvider | linter.InitProvider | linter.Spec

func checkOptionalFields(p *linter.Pass, k *linter.Kind) {
	unmarked := slices.ContainsFunc(k.Object.Package.Markers, func(m model.Marker) bool { return m.Text == markers.ValidationOptional })
	for _, f := range k.Fields {
		// A value with a reference is required in the end, and the one field of a struct is
		// to be: other rules are about these.
		switch {
		case !f.In(optionalFieldsDesired), f.Required, f.IsValue(), f.IsOnlyField(), f.Embedded:
		case f.Type.Kind == model.Missing, f.Type.Kind == model.Opaque: // nothing is known of it
		default:
			checkOptionalField(p, f, unmarked)
		}
	}
}

func checkOptionalField(p *linter.Pass, f *linter.Field, unmarked bool) {
	var lacks []string
	var edits []diag.Edit
	typ := linter.GoType(f.Type, f.DeclaringStruct)
	if isValue(f.Type) {
		typ = "*" + typ
		lacks = append(lacks, "is not a pointer")
		pointer := linter.EditField(f)
		pointer.Pointer = true
		edits = append(edits, pointer)
	}
	option := "omitempty"
	if p.WantsOmitZero(f) {
		option = "omitzero"
	}
	if !f.Omits() {
		lacks = append(lacks, "lacks "+option)
		edits = append(edits, linter.AddOption(f, option))
	}
	if f.Marker(linter.Optionals...) == nil && !unmarked {
		lacks = append(lacks, "isn't marked +optional")
		edits = append(edits, linter.AddMarker(f, markers.Optional))
	}
	if len(lacks) == 0 {
		return
	}
	advice := fmt.Sprintf("write %s %s `json:\"%s,%s\"`, below // +optional", f.Name, typ, f.JSONName, option)
	if len(edits) == 1 && edits[0].Add != "" {
		advice = "add // +optional"
	}
	p.Field(f, edits, "%s is optional, but %s: %s", f.Name, diag.And(lacks), advice)
}

// isValue reports whether a type has no value for none.
func isValue(t *model.Type) bool {
	if t.NullIfZero() {
		return false
	}
	return t.Kind == model.Basic || t.Kind == model.Struct
}
