package lintrules

import (
	"fmt"

	"github.com/mrgen-io/mrgen/generator/diag"
	"github.com/mrgen-io/mrgen/generator/internal/model"
	"github.com/mrgen-io/mrgen/generator/internal/review/linter"
)

var optionalFields = &linter.Rule{
	Name:     "optional-fields",
	Doc:      "An optional number or struct of spec without a default is a pointer, and JSON omits an unset field.",
	Source:   apiPatterns.section("Pointer Types and Markers", "#pointer-types-and-markers"),
	Why:      "Controllers can tell unset from zero.",
	Severity: linter.Warning,
	Read:     5, Worth: 5,
	Fix: linter.Fix{Doc: "It makes the field a pointer if code still compiles, and adds omitempty or omitzero to its tag."},
	Run: linter.EachManaged(checkOptionalFields),
}

// optionalFieldsDesired are the parts of spec.
const optionalFieldsDesired = linter.ForProvider | linter.InitProvider | linter.Spec

func checkOptionalFields(p *linter.Pass, k *linter.Kind) {
	for _, f := range k.Fields {
		// A value with a reference is required in the end, and the one field of a struct is
		// to be: other rules are about these.
		switch {
		case !f.In(optionalFieldsDesired), f.Required, f.IsValue(), f.IsOnlyField(), f.Embedded:
		case f.HasDefault(): // the API server sets it
		case f.Type.Kind == model.Missing, f.Type.Kind == model.Opaque: // nothing is known of it
		default:
			checkOptionalField(p, f)
		}
	}
}

func checkOptionalField(p *linter.Pass, f *linter.Field) {
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
	if len(lacks) == 0 {
		return
	}
	advice := fmt.Sprintf("write %s %s `json:\"%s,%s\"`", f.Name, typ, f.JSONName, option)
	p.Field(f, edits, "%s is optional, but %s: %s", f.Name, diag.And(lacks), advice)
}

// isValue reports whether a type has no value for none. An empty text and false are none to most APIs.
func isValue(t *model.Type) bool {
	if t.NullIfZero() || linter.IsText(t) {
		return false
	}
	return t.Kind == model.Basic && t.Basic != "bool" || t.Kind == model.Struct
}
