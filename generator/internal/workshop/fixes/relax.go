package fixes

import (
	"regexp"
	"slices"
	"strconv"
	"strings"

	"github.com/mrgen-io/mrgen/generator/diag"
	"github.com/mrgen-io/mrgen/generator/internal/artifact"
	"github.com/mrgen-io/mrgen/generator/internal/model"
	"github.com/mrgen-io/mrgen/generator/internal/pipeline"
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
	definitions []pipeline.Definition, keep map[model.FieldName]bool,
) (*artifact.Set, []model.FieldName, diag.List, error) {
	hasRule := map[diag.Position]bool{}
	for _, d := range definitions {
		for _, decision := range slices.Concat(d.Decisions...) {
			hasRule[decision.Pos] = hasRule[decision.Pos] || decision.Required && decision.Rule != nil
		}
	}
	e := newEditor(r.source.Root)
	var pointers []model.FieldName
	for _, f := range r.fields {
		if !hasRule[f.field.Pos] {
			continue
		}
		hasRule[f.field.Pos] = false // shared by several kinds, but edited once
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
		case f.declared.Kind == model.Basic && f.declared.Basic == "string" && (keep[name] || r.keepsString(f)):
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
func (r *Relaxation) keepsString(f relaxable) bool {
	if r.how.Pointers || f.declared.Encoding() != model.Plain {
		return false
	}
	// generate's rule requires a value that isn't empty.
	return r.how.Rules || slices.ContainsFunc(slices.Concat(f.field.Markers, f.declared.Markers), refusesEmpty)
}

// refusesEmpty reports whether the marker makes an empty string invalid.
func refusesEmpty(m model.Marker) bool {
	name, value, _ := strings.Cut(m.Text, "=")
	value = strings.TrimSpace(value)
	switch strings.TrimSpace(name) {
	case markers.MinLength:
		return value != "0"
	case markers.Enum:
		return !strings.Contains(value, `""`) && !strings.Contains(value, "``") &&
			!slices.Contains(strings.Split(strings.Trim(value, "{}"), ";"), "")
	case markers.Pattern:
		if unquoted, err := strconv.Unquote(value); err == nil {
			value = unquoted
		}
		pattern, err := regexp.Compile(value)
		return err == nil && !pattern.MatchString("")
	}
	return false
}
