package fix

import (
	"regexp"
	"slices"
	"strconv"
	"strings"

	"github.com/mrgen-io/mrgen/generator/internal/artifact"
	"github.com/mrgen-io/mrgen/generator/internal/diag"
	"github.com/mrgen-io/mrgen/generator/internal/model"
	"github.com/mrgen-io/mrgen/generator/internal/pipeline"
	"github.com/mrgen-io/mrgen/markers"
)

// Relaxation has JSON omit fields of forProvider that are required, and that Go always
// sends, so that they can be left out of resources that are only observed. It is done in
// two steps, since a field is edited only if a rule can then take the place of required,
// which is decided on schemas: see [FindRelaxable] and [Relaxation.Edit].
type Relaxation struct {
	source Source
	how    Relaxing
	fields []relaxable
}

// A relaxable is a field that is required, and that Go always sends.
type relaxable struct {
	field *model.Field
	// declared is its type in the source, and owner the struct that declares it.
	declared, owner *model.Type
}

// Relaxing says what becomes of fields.
type Relaxing struct {
	// Rules tells that rules take the place of required fields.
	Rules bool
	// Pointers tells that all fields become pointers.
	Pointers bool
}

// FindRelaxable finds the required fields that Go always sends, and has the model say that
// it omits them, so that rules are decided on as they would be then.
func FindRelaxable(source Source, how Relaxing) *Relaxation {
	r := &Relaxation{source: source, how: how}
	for _, p := range source.Model.Packages {
		for _, o := range p.Objects {
			if f := o.Spec.Part("forProvider"); o.Role == model.Managed && f != nil {
				r.find(f.Type.Deref(), map[*model.Type]bool{})
			}
		}
	}
	return r
}

// find finds fields of a struct, and of those in it. Inline embedded structs are a part of
// the outer one.
func (r *Relaxation) find(outer *model.Type, seen map[*model.Type]bool) {
	if seen[outer] {
		return
	}
	seen[outer] = true
	embedded := map[*model.Type]bool{}
	var find func(t *model.Type)
	find = func(t *model.Type) {
		if embedded[t] {
			return
		}
		embedded[t] = true
		for _, f := range t.Fields {
			inner := f.Type.Deref()
			if f.Inline {
				find(inner)
			}
			if f.Inline || f.JSONName == "" || outer.Field(f.JSONName) != f {
				continue // or another field hides it
			}
			r.find(inner, seen)
			if f.Required && f.AlwaysMarshals() && !r.source.Generated(f.Pos.File) {
				r.fields = append(r.fields, relaxable{f, f.Type, t})
				f.Type, f.OmitEmpty = &model.Type{Kind: model.Pointer, Elem: f.Type}, true
			}
		}
	}
	find(outer)
}

// IsEmpty reports whether there is nothing to do.
func (r *Relaxation) IsEmpty() bool { return len(r.fields) == 0 }

// Edit edits the declarations of the fields for which rules can stand. Strings keep their
// types if "" is no value: by their markers, or since the rule that takes the place
// of required asks for more. Others become pointers, structs included: a pointer tells
// controllers whether there is a value, and every encoder knows it.
//
// The structs in keep, which code beside the types uses, keep their types, too: an empty
// one is told apart by omitzero, which encoding/json knows since Go 1.24. So do strings.
//
// Edit returns the edited files, and the fields in them that are pointers now; none
// if a diagnostic is an error.
func (r *Relaxation) Edit(definitions []pipeline.Definition, keep map[model.FieldName]bool) (*artifact.Set, []model.FieldName, diag.List, error) {
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
		hasRule[f.field.Pos] = false // it is edited once
		d := e.field(f.field)
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

// hasDefault reports whether the API server sets a field that is missing.
func hasDefault(f *model.Field) bool {
	return slices.ContainsFunc(f.Markers, func(m model.Marker) bool {
		name, _, _ := strings.Cut(m.Text, "=")
		return slices.Contains([]string{markers.KubebuilderDefault, markers.Default, markers.K8sDefault}, strings.TrimSpace(name))
	})
}

// markRequired has a field be required though JSON may omit it, and isMarkedRequired
// reports whether one has such a marker.
const markRequired = "// +kubebuilder:validation:Required"

func isMarkedRequired(f *model.Field) bool {
	return slices.ContainsFunc(f.Markers, func(m model.Marker) bool {
		return slices.Contains([]string{markers.ValidationRequired, markers.Required, markers.K8sRequired}, m.Text)
	})
}

// keepsString reports whether the empty string is no value of a field.
func (r *Relaxation) keepsString(f relaxable) bool {
	if r.how.Pointers || f.declared.Encoding() != model.Plain {
		return false
	}
	return r.how.Rules || slices.ContainsFunc(slices.Concat(f.field.Markers, f.declared.Markers), refusesEmpty)
}

// refusesEmpty reports whether a marker keeps a string from being empty.
func refusesEmpty(m model.Marker) bool {
	name, value, _ := strings.Cut(m.Text, "=")
	value = strings.TrimSpace(value)
	switch strings.TrimSpace(name) {
	case markers.MinLength, markers.K8sMinLength:
		return value != "0"
	case markers.Enum:
		return !strings.Contains(value, `""`) && !strings.Contains(value, "``") && !slices.Contains(strings.Split(strings.Trim(value, "{}"), ";"), "")
	case markers.Pattern:
		if unquoted, err := strconv.Unquote(value); err == nil {
			value = unquoted
		}
		pattern, err := regexp.Compile(value)
		return err == nil && !pattern.MatchString("")
	}
	return false
}
