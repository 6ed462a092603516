package lintrules

import (
	"context"
	"fmt"
	"regexp"
	"strings"

	"github.com/mrgen-io/mrgen/generator/diag"
	"github.com/mrgen-io/mrgen/generator/internal/apiserver"
	"github.com/mrgen-io/mrgen/generator/internal/model"
	"github.com/mrgen-io/mrgen/generator/internal/review/linter"
	"github.com/mrgen-io/mrgen/generator/internal/schema"
	"github.com/mrgen-io/mrgen/markers"
)

var optionalFields = &linter.Rule{
	Name:     "optional-fields",
	Doc:      "An optional number, struct or late-initialized bool of spec without a default is a pointer if its zero value has a meaning, and JSON omits an unset field.",
	Source:   apiPatterns.section("Pointer Types and Markers", "#pointer-types-and-markers"),
	Why:      "Controllers can tell unset from zero.",
	Severity: linter.Warning,
	Read:     39, Worth: 23,
	Fix: linter.Fix{Doc: "It makes the field a pointer if code still compiles, and adds omitempty to its tag."},
	Run: func(p *linter.Pass) {
		for _, k := range p.Kinds {
			checkOptionalFields(p, k)
		}
	},
}

// optionalFieldsDesired are the parts of spec.
const optionalFieldsDesired = linter.ForProvider | linter.InitProvider | linter.Spec

func checkOptionalFields(p *linter.Pass, k *linter.Kind) {
	for _, f := range k.Fields {
		// A value with a reference is required in the end, and the one field of a struct is
		// to be: other rules are about these.
		switch {
		case !f.In(optionalFieldsDesired) && !isInOtherSpec(f), f.Required, f.IsValue(), f.IsOnlyField(), f.Embedded:
		case f.HasDefault(): // the API server sets it
		case f.IsBehindPointer(): // a nil pointer leaves it out
		case f.Type.IsNilable() && model.Named(f.Markers, markers.Nullable) != nil: // null stands for none
		case f.Type.Kind == model.Missing, f.Type.Kind == model.Opaque: // nothing is known of it
		default:
			checkOptionalField(p, f)
		}
	}
}

// isInOtherSpec reports whether a field is a struct in the spec of a kind that isn't a managed resource: Go always writes it. Zero numbers
// there mostly mean unset.
func isInOtherSpec(f *linter.Field) bool {
	path := f.Path()
	return f.In(linter.Other) && f.Type.Kind == model.Struct && len(path) > 1 && path.HasPrefix(schema.Properties("spec"))
}

func checkOptionalField(p *linter.Pass, f *linter.Field) {
	var lacks []string
	var edits []diag.Edit
	typ := linter.GoType(f.Type, f.DeclaringStruct)
	// omitempty would leave false out of updates, and late initialization replaces a false that is left out
	isLostFalse := f.Type.Basic == "bool" && (!f.Omits() || isFilled(f))
	if (isLostFalse || isValue(f.Type)) && !meansUnset(f) {
		typ = "*" + typ
		lacks = append(lacks, "is not a pointer")
		pointer := linter.EditField(f)
		pointer.Pointer = true
		edits = append(edits, pointer)
	}
	if !f.Omits() {
		lacks = append(lacks, "lacks omitempty")
		edits = append(edits, linter.AddOption(f, "omitempty"))
	}
	if len(lacks) == 0 {
		checkEmpty(p, f)
		return
	}
	advice := fmt.Sprintf("write %s %s `json:\"%s,omitempty\"`", f.Name, typ, f.JSONName)
	if f.Omits() && isValue(f.Type) && f.Type.Kind == model.Basic {
		advice += fmt.Sprintf(", or refuse 0 by +%sMinimum=1", markers.ValidationPrefix)
	}
	p.Field(f, edits, "%s is optional, but %s: %s", f.Name, diag.And(lacks), advice)
}

// saysEmpty matches a comment that gives an empty list or map a meaning.
var saysEmpty = regexp.MustCompile(`(?i)\ban empty (?:map|list|array|set) (?:means|is|removes|clears|deletes|stands for)\b`)

// checkEmpty reports a list or map that Go drops when it is empty, although its comment says what an empty one means: after the first update
// by the controller, it is unset.
func checkEmpty(p *linter.Pass, f *linter.Field) {
	isKept := !f.OmitEmpty || !f.Type.IsSlice() && f.Type.Kind != model.Map
	if isKept || f.Part != linter.ForProvider || !saysEmpty.MatchString(strings.Join(strings.Fields(f.Doc), " ")) {
		return
	}
	p.Field(f, nil, "%s is dropped when it is empty, although its comment says what that means: write `json:\"%s,omitzero\"`, or correct the comment",
		f.Name, f.JSONName)
}

// meansUnset reports whether controllers can tell unset from the zero value: the schema refuses zero, or the zero struct
// holds nothing.
func meansUnset(f *linter.Field) bool {
	if f.Type.Kind == model.Struct {
		return isEmptyObject(f.Type)
	}
	zero := any(int64(0))
	if f.Type.Basic == "bool" {
		zero = false
	}
	at := f.Cursor().Schema
	return at != nil && f.Omits() && !apiserver.Upstream{}.Accepts(context.Background(), at, zero)
}

// isFilled reports whether the generated LateInitialize sets a field where it is unset: no marker turns that off, and mrgen writes the
// type that it takes.
func isFilled(f *linter.Field) bool {
	o := f.Kind.Object
	isOff := func(list []model.Marker) bool { return model.IsOff(list, markers.LateInitialize) }
	isMirrored := f.In(linter.ForProvider) && f.Kind.AtProvider() != nil && f.Kind.AtProvider().Holds(func(t *model.Type) bool { return t.Derived })
	return isMirrored && !isOff(f.Markers) && !isOff(o.Type.Markers) && !isOff(o.Package.Markers)
}

// isEmptyObject reports whether Go writes the zero value of a struct as {}, or with such objects.
func isEmptyObject(t *model.Type) bool {
	if t.Kind != model.Struct || t.Marshals {
		return false
	}
	for _, f := range t.Inlined() {
		isLeftOut := f.Inline || f.Ignored || f.Unset() != model.Written
		if !isLeftOut && !isEmptyObject(f.Type) {
			return false
		}
	}
	return true
}

// isValue reports whether a type has no value for none. An empty text and false are none to most APIs.
func isValue(t *model.Type) bool {
	if t.NullIfZero() || linter.IsText(t) {
		return false
	}
	return t.Kind == model.Basic && t.Basic != "bool" || t.Kind == model.Struct
}
