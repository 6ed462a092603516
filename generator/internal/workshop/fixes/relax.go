package fixes

import (
	"regexp"
	"slices"

	apiextensionsv1 "k8s.io/apiextensions-apiserver/pkg/apis/apiextensions/v1"

	"github.com/mrgen-io/mrgen/generator/diag"
	"github.com/mrgen-io/mrgen/generator/internal/artifact"
	"github.com/mrgen-io/mrgen/generator/internal/model"
	"github.com/mrgen-io/mrgen/generator/internal/stage"
	"github.com/mrgen-io/mrgen/markers"
)

// A Relaxation lets JSON omit required fields of forProvider that Go always sends, so that observe-only
// resources don't need them. [FindRelaxable] finds the fields and changes the model. Then [Relaxation.Edit]
// edits the fields for which the new schemas have rules.
type Relaxation struct {
	source Source
	how    Relaxing
	fields []relaxable
}

// A relaxable is a required field that Go always sends.
type relaxable struct {
	field *model.Field
	// declared is its type in the source, and owner the struct that declares it.
	declared, owner *model.Type
}

// Relaxing are the options of a relaxation.
type Relaxing struct {
	// Rules is set if generate writes rules for required fields.
	Rules bool
	// Pointers is set if strings become pointers as well.
	Pointers bool
}

// FindRelaxable finds the required fields that Go always sends, and changes them in the model like the edits
// will.
func FindRelaxable(source Source, opts Relaxing) *Relaxation {
	r := &Relaxation{source: source, how: opts}
	for o := range model.Objects(source.Model.Packages) {
		if f := o.Spec.Part("forProvider"); o.Role == model.Managed && f != nil {
			r.find(f.Type.Deref(), map[*model.Type]bool{})
		}
	}
	return r
}

// find finds the fields of a struct and of the structs in it. The fields of inline embedded structs belong to
// the outer one.
func (r *Relaxation) find(outer *model.Type, seen map[*model.Type]bool) {
	if seen[outer] {
		return
	}
	seen[outer] = true
	for owner, f := range outer.Inlined() {
		if f.Inline || f.JSONName == "" || outer.Field(f.JSONName) != f {
			continue // embedded, not in JSON, or hidden by another field
		}
		r.find(f.Type.Deref(), seen)
		if f.Required && f.Unset() == model.Written && !isReferredIdentifier(f) && !r.source.Generated(f.Pos.File) {
			r.fields = append(r.fields, relaxable{f, f.Type, owner})
			f.Type, f.OmitEmpty = &model.Type{Kind: model.Pointer, Elem: f.Type}, true
		}
	}
}

// isReferredIdentifier reports whether a field identifies the external resource, and may get its value from a
// reference. Observe-only resources need it, too, and [Lint] makes Go omit it.
func isReferredIdentifier(f *model.Field) bool {
	return f.OwnMarker(markers.Identifier) != nil && f.OwnMarker(markers.ReferenceType) != nil
}

// IsEmpty reports whether there is nothing to do.
func (r *Relaxation) IsEmpty() bool { return len(r.fields) == 0 }

// Edit edits the fields for which the definitions have rules. Strings keep their types if they can't
// be empty, because of their markers or of the rule. Other fields become pointers, which tell
// controllers whether there is a value, and which every encoder can omit.
//
// Strings and structs in keep, which other code uses, keep their types: they get omitempty, or
// omitzero, which encoding/json knows since Go 1.24.
//
// Edit returns the edited files, and the fields that are now pointers, or neither if a diagnostic is
// an error.
func (r *Relaxation) Edit(
	definitions []stage.Definition, keep map[model.FieldName]bool,
) (*artifact.Set, []model.FieldName, diag.List, error) {
	schemas := map[diag.Position]*apiextensionsv1.JSONSchemaProps{} // of the fields with rules
	for _, d := range definitions {
		for i, decisions := range d.Decisions {
			for _, decision := range decisions {
				if decision.Required && decision.Rule != nil {
					schemas[decision.Pos] = d.Root(i).Follow(decision.Field).Schema
				}
			}
		}
	}
	e := newEditor(r.source.Root)
	var pointers []model.FieldName
	for _, f := range r.fields {
		s := schemas[f.field.Pos]
		if s == nil {
			continue
		}
		delete(schemas, f.field.Pos) // shared by several kinds, but edited once
		d := e.field(f.field.Pos, f.field.Name)
		if d == nil {
			continue
		}
		if !isMarkedRequired(f.field) {
			d.InsertBefore(markRequired)
		}
		name := model.FieldName{Package: f.owner.Package, Struct: f.owner.Name, Field: f.field.Name}
		switch {
		case keep[name] && f.declared.Kind != model.Basic:
			d.AddOption("omitzero")
		case f.declared.Kind == model.Basic && f.declared.Basic == "string" && (keep[name] || r.keepsString(f, s)):
			d.AddOption("omitempty")
		default:
			d.MakePointer()
			d.AddOption("omitempty")
			pointers = append(pointers, name)
		}
	}
	set, diags, err := e.set()
	return set, pointers, diags, err
}

// markRequired keeps a field required although JSON may omit it.
const markRequired = "// +" + markers.ValidationRequired

func isMarkedRequired(f *model.Field) bool {
	return slices.ContainsFunc(f.Markers, func(m model.Marker) bool {
		return slices.Contains([]string{markers.ValidationRequired, markers.Required, markers.K8sRequired}, m.Text)
	})
}

// keepsString reports whether a string can keep its type because it is never empty.
func (r *Relaxation) keepsString(f relaxable, s *apiextensionsv1.JSONSchemaProps) bool {
	// generate's rule requires a value that isn't empty.
	return !r.how.Pointers && f.declared.Encoding() == model.Plain && (r.how.Rules || refusesEmpty(s))
}

// refusesEmpty reports whether an empty string is invalid.
func refusesEmpty(s *apiextensionsv1.JSONSchemaProps) bool {
	isEmpty := func(v apiextensionsv1.JSON) bool { return string(v.Raw) == `""` }
	isLong := s.MinLength != nil && *s.MinLength > 0
	isListed := len(s.Enum) > 0 && !slices.ContainsFunc(s.Enum, isEmpty)
	pattern, err := regexp.Compile(s.Pattern)
	return isLong || isListed || err == nil && !pattern.MatchString("")
}
