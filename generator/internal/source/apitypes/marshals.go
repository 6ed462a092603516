package apitypes

import (
	"slices"
	"strings"

	"github.com/mrgen-io/mrgen/generator/diag"
	"github.com/mrgen-io/mrgen/generator/internal/model"
	"github.com/mrgen-io/mrgen/markers"
)

const codeRoundTrip diag.Code = "round-trip"

// marshals warns about a type that can't read what it writes, or that encodes itself but has the schema of its underlying type: the
// API server refuses the JSON that Go writes, unless it has the same form. The warning is where a marker can state the form.
func (c *checker) marshals(f *model.Field) {
	for _, t := range f.Type.Layers() {
		if problem := c.encodings[t]; problem != "" && !c.marshaled[t] {
			c.diags = append(c.diags, diag.Warningf(t.Pos, codeRoundTrip, "%s", problem))
			c.marshaled[t] = true
		}
		if c.encodings[t] != "" || !marshalsUnlike(t) || saysType(f.Markers) || saysType(t.Markers) {
			continue
		}
		as := *t
		as.Marshals = false
		switch form := as.JSONType(); {
		case !t.Local, t.IsCollection(): // a marker on their declaration has no effect
			c.diags = append(c.diags, diag.Warningf(f.Pos, codeRoundTrip,
				"%s marshals itself, but its schema is of type %s: mark %s +%s and +%s=string, or what else it writes",
				t.Name, form, f.Name, markers.Schemaless, markers.ValidationType))
		case c.marshaled[t]: // reported already
		case t.Kind == model.Struct:
			c.diags = append(c.diags, diag.Warningf(t.Pos, codeRoundTrip,
				"%s marshals itself, but has the schema of its fields: mark it +%s=string, or fields that hold it +%[2]s=object, as it writes; for several forms, use apiextensionsv1.JSON",
				t.Name, markers.ValidationType))
		default:
			c.diags = append(c.diags, diag.Warningf(t.Pos, codeRoundTrip,
				"%s marshals itself, but its schema is of type %s: mark it +%s=string, or what else it writes",
				t.Name, form, markers.ValidationType))
		}
		c.marshaled[t] = true
	}
}

// marshalsUnlike reports whether a type may write JSON of another form than its schema has.
func marshalsUnlike(t *model.Type) bool {
	switch {
	// A text mostly stays a text. controller-tools knows the types of Kubernetes, and that MarshalText writes a text.
	case !t.Marshals || t.Texts, t.Encoding() != model.Unknown, t.Basic == "string", strings.HasPrefix(t.Package, "k8s.io/"):
		return false
	case !t.Local && t.Kind == model.Struct && !slices.ContainsFunc(t.Fields, func(f *model.Field) bool { return f.Tagged }):
		return false // it wasn't written for JSON, and has no schema
	}
	return t.Kind != model.Opaque && t.Kind != model.Missing // other errors are about these
}

// saysType reports whether a marker states the JSON type of a value, or of its items.
func saysType(list []model.Marker) bool {
	return model.Named(list, markers.ValidationType, markers.ItemsValidationPrefix+"Type") != nil
}
