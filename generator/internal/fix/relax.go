package fix

import (
	"regexp"
	"slices"
	"strconv"
	"strings"

	"github.com/mrgen-io/mrgen/generator/internal/artifact"
	"github.com/mrgen-io/mrgen/generator/internal/diag"
	"github.com/mrgen-io/mrgen/generator/internal/model"
	"github.com/mrgen-io/mrgen/generator/internal/rules"
	"github.com/mrgen-io/mrgen/markers"
)

// Relax has JSON omit fields of forProvider that are required, and that Go always
// sends, so that they can be left out of resources that are only observed. Strings keep
// their types if "" is no value: by their markers, or since the rule that takes the place
// of required asks for more. Others become pointers, structs included: a pointer tells
// controllers whether there is a value, and every encoder knows it.
//
// The structs in keep, which code beside the types uses, keep their types, too: an empty
// one is told apart by omitzero, which encoding/json knows since Go 1.24. So do strings.
//
// Relax returns the edited files, and the fields in them that are pointers now; none
// if a diagnostic is an error.
func Relax(source Source, how Relaxing, keep map[model.FieldName]bool) (*artifact.Set, []model.FieldName, diag.List, error) {
	r := &relaxFix{editor: newEditor(source.Root), source: source, how: how, keep: keep, done: map[diag.Position]bool{}}
	for _, p := range source.Model.Packages {
		for _, o := range p.Objects {
			if isRelaxed(o) {
				r.seen = map[*model.Type]bool{}
				r.level(o.Spec.Part("forProvider").Type.Deref(), initial(o.Spec.Part("initProvider")), false)
			}
		}
	}
	set, diags, err := r.set()
	return set, r.pointers, diags, err
}

// Relaxing says what becomes of fields.
type Relaxing struct {
	// Rules tells that rules take the place of required fields.
	Rules bool
	// Pointers tells that all fields become pointers.
	Pointers bool
}

// A relaxFix gathers the fields to change. Several kinds may share one.
type relaxFix struct {
	*editor
	source Source
	how    Relaxing
	keep   map[model.FieldName]bool
	// seen are the structs of the kind that were visited, and done the fields that were
	// edited.
	seen     map[*model.Type]bool
	done     map[diag.Position]bool
	pointers []model.FieldName
}

// isRelaxed reports whether required fields of an object are to be relaxed: those of
// managed resources that can be only observed.
func isRelaxed(o *model.Object) bool {
	if o.Role != model.Managed || o.Spec == nil || o.Spec.Part("forProvider") == nil {
		return false
	}
	return !model.IsOff(o.Type.Markers, markers.Relax) && (o.Spec.Part("managementPolicies") != nil || o.Spec.Part("managementPolicy") != nil)
}

// initial returns the struct that a field of initProvider holds, or nil.
func initial(f *model.Field) *model.Type {
	if f == nil || f.Type.Deref().Kind != model.Struct {
		return nil
	}
	return f.Type.Deref()
}

// level relaxes the fields of a struct in forProvider. Those in structs within it can
// be relaxed only if initProvider may have them instead.
func (r *relaxFix) level(desired, initially *model.Type, nested bool) {
	if r.seen[desired] {
		return
	}
	r.seen[desired] = true
	for _, owned := range fields(desired) {
		f := owned.field
		if desired.Field(f.JSONName) != f {
			continue // another field hides it
		}
		if nested && initially.Field(f.JSONName) == nil {
			continue
		}
		if f.Required && f.AlwaysMarshals() && !stays(f) {
			r.relax(owned)
		}
		inner := f.Type.Deref()
		if initially != nil && inner.Kind == model.Struct && inner.Local {
			if counterpart := initial(initially.Field(f.JSONName)); counterpart != nil {
				r.level(inner, counterpart, true)
			}
		}
	}
}

// An ownedField is a field with the struct that declares it.
type ownedField struct {
	field *model.Field
	owner *model.Type
}

// fields returns the fields that encoding/json sees in a struct, those of inline
// embedded structs included.
func fields(t *model.Type) []ownedField {
	var all []ownedField
	seen := map[*model.Type]bool{}
	var add func(t *model.Type)
	add = func(t *model.Type) {
		if seen[t] {
			return
		}
		seen[t] = true
		for _, f := range t.Fields {
			if f.Inline {
				add(f.Type.Deref())
			} else if f.JSONName != "" {
				all = append(all, ownedField{f, t})
			}
		}
	}
	add(t)
	return all
}

// stays reports whether a field has a reason to be as it is: it identifies the
// external resource, or has a default and so is always set.
func stays(f *model.Field) bool { return f.OwnMarker(markers.Identifier) != nil || hasDefault(f) }

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

// relax edits the declaration of a field.
func (r *relaxFix) relax(owned ownedField) {
	f := owned.field
	if r.done[f.Pos] || r.source.Generated(f.Pos.File) {
		return
	}
	r.done[f.Pos] = true
	d := r.field(f)
	if d == nil {
		return
	}
	if !isMarkedRequired(f) {
		d.InsertBefore(markRequired)
	}
	name := model.FieldName{Package: owned.owner.Package, Struct: owned.owner.Name, Field: f.Name}
	switch {
	case r.keep[name] && f.Type.Kind != model.Basic:
		d.AddOption("omitzero")
	case f.Type.Kind == model.Basic && f.Type.Basic == "string" && (r.keep[name] || r.keepsString(f)):
		d.AddOption("omitempty")
	default:
		d.MakePointer()
		d.AddOption("omitempty")
		r.pointers = append(r.pointers, name)
	}
}

// keepsString reports whether the empty string is no value of a field.
func (r *relaxFix) keepsString(f *model.Field) bool {
	if r.how.Pointers || f.Type.Encoding() != model.Plain {
		return false
	}
	return r.how.Rules && rules.Reachable(f.JSONName) || slices.ContainsFunc(slices.Concat(f.Markers, f.Type.Markers), refusesEmpty)
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
