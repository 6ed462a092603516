package rules

import (
	"context"
	"fmt"
	"maps"
	"slices"

	apiextensionsv1 "k8s.io/apiextensions-apiserver/pkg/apis/apiextensions/v1"

	"github.com/mrgen-io/mrgen/generator/internal/apiserver"
	"github.com/mrgen-io/mrgen/generator/internal/diag"
	"github.com/mrgen-io/mrgen/generator/internal/model"
	"github.com/mrgen-io/mrgen/generator/internal/schema"
	"github.com/mrgen-io/mrgen/markers"
)

// requiredUnlessObserved ends the description of a relaxed field, since the schema
// does not say any more that it is required.
const requiredUnlessObserved = "Required unless the resource is only observed."

// The sides of spec that a value can be on.
const (
	forProvider  = "forProvider"
	initProvider = "initProvider"
)

// relaxer relaxes required fields.
type relaxer struct {
	*applier
	guard string
	// relaxed counts the fields that left the schema's required ones.
	relaxed int
}

// relax takes required fields of forProvider out of the schema, and adds a rule for
// each to spec.
func (a *applier) relax(ctx context.Context) {
	desired := a.part(forProvider)
	r := &relaxer{applier: a, guard: guard(*desired.Above)}
	if why := r.keepsAll(desired.Schema); why != "" {
		for _, name := range desired.Schema.Required {
			at := desired.Property(name)
			r.keep(Decision{Field: at.Path, Pos: at.Pos}, why)
		}
		return
	}
	always := desired.Always()
	r.level(level{desired: newSide(desired, always), initial: newSide(a.part(initProvider), false)})
	r.warnReaders()
	if r.relaxed > 0 {
		schema.Edit(a.root.Schema, schema.Properties("spec"), boundPolicies)
	}
	relaxed := a.part(forProvider).Schema
	if always && len(relaxed.Required) == 0 && relaxed.Default == nil && apiserver.Accepts(ctx, relaxed, map[string]any{}) {
		schema.Edit(a.root.Schema, desired.Path, func(s *apiextensionsv1.JSONSchemaProps) {
			s.Default = &apiextensionsv1.JSON{Raw: []byte("{}")}
		})
	}
}

// keepsAll says why no required field of the kind is relaxed, or returns "".
func (r *relaxer) keepsAll(desired *apiextensionsv1.JSONSchemaProps) string {
	switch {
	case model.IsOff(r.object.Type.Markers, markers.Relax):
		return "the kind is marked +mrgen:relax=false"
	case r.guard == "":
		return "spec has no management policies, so the resource can't be only observed"
	case desired.Nullable:
		return "forProvider may be null, which rules can't look into"
	}
	return ""
}

// A level is an object in forProvider, with its counterpart in initProvider.
type level struct {
	// names lead from forProvider to the object.
	names []string
	// initial is nil if initProvider has no such object.
	desired, initial *side
}

// A side is an object of a level on one side of spec.
type side struct {
	schema.Cursor
	// object leads to it from self.
	object selection
	// set are the conditions that hold if the object is there; none if it always is.
	set []string
	// counts is set if no more values may be there than are: what Go sends in any case is
	// no value then, if it is zero.
	counts bool
}

// counting returns the side for conditions about how many values there are.
func (s *side) counting() *side {
	if s == nil {
		return nil
	}
	counting := *s
	counting.counts = true
	return &counting
}

// newSide returns a side of spec, or nil if spec has no such object.
func newSide(at schema.Cursor, always bool) *side {
	if at.Field == nil || !isObject(at.Schema) || at.Schema.Nullable {
		return nil
	}
	s := &side{Cursor: at, object: selection{root: "self"}.below(at.Field.JSONName)}
	if !always {
		s.set = []string{s.object.has()}
	}
	return s
}

// below returns an object in a side, or nil if there is none that rules can look
// into.
func (s *side) below(name string) *side {
	if s == nil {
		return nil
	}
	at := s.Property(name)
	// What the types of other modules require, such as the name in a reference, is
	// not for providers to decide.
	if at.Field == nil || !at.Type.Deref().Local || !isObject(at.Schema) || at.Schema.Nullable || !reachable(name) {
		return nil
	}
	// A struct that Go always sends can't ask for the fields in it: nobody may have set it.
	if neglects(at.Field, s.Schema) && at.Field.AlwaysMarshals() {
		return nil
	}
	below := &side{Cursor: at, object: s.object.below(name)}
	below.set = append(slices.Clip(s.set), below.object.has())
	return below
}

// requires reports whether the schema of the object requires a field.
func (s *side) requires(name string) bool {
	return s != nil && slices.Contains(s.Schema.Required, name)
}

// given returns conditions, one of which holds if the object has one of the fields, or a
// reference or selector that its value will be taken from.
func (s *side) given(names ...string) []string {
	if s == nil {
		return nil
	}
	var all []string
	for _, name := range names {
		all = append(all, name)
		f := s.Type.Field(name)
		if f == nil {
			continue
		}
		reference, selector := f.ReferenceNames()
		for _, goName := range []string{reference, selector} {
			if companion := s.Type.GoField(goName); goName != "" && companion != nil {
				all = append(all, companion.JSONName)
			}
		}
	}
	return s.has(all...)
}

// has returns conditions, one of which holds if the object has one of the fields, those
// left out that rules can't read.
func (s *side) has(names ...string) []string {
	if s == nil {
		return nil
	}
	var fields []string
	for _, name := range names {
		if s.reads(name) {
			fields = append(fields, s.holds(name))
		}
	}
	if len(s.set) == 0 || len(fields) == 0 {
		return fields
	}
	return []string{and(append(slices.Clip(s.set), or(fields...))...)}
}

// holds returns a condition that holds if the object has a field, and in it more than
// what Go takes for nothing: that would be gone with the first update.
func (s *side) holds(name string) string {
	conditions := []string{s.object.below(name).has()}
	if f := s.Type.Field(name); f != nil && (omits(f) || s.counts && neglects(f, s.Schema)) {
		if content := s.content(name); content != "" {
			conditions = append(conditions, content)
		}
	}
	return and(conditions...)
}

// content returns a condition that holds if a field that the object has is not empty or
// zero, or "" if there is none.
func (s *side) content(name string) string {
	at := s.Property(name)
	return value{s.object.below(name).String(), at.Type.Deref(), at.Schema}.isZero(false)
}

// reads reports whether rules can tell whether the object has a field.
func (s *side) reads(name string) bool {
	below := schema.Child(s.Schema, schema.Step{Name: name})
	return below != nil && reachable(name) && exposed(below)
}

// level relaxes the required fields of an object, and of those in it.
func (r *relaxer) level(l level) {
	if l.desired == nil {
		return
	}
	for _, name := range slices.Sorted(slices.Values(l.desired.Schema.Required)) {
		at := l.desired.Property(name)
		d := Decision{Field: at.Path, Pos: at.Pos, Required: true}
		why, remedy := l.keeps(name, at)
		switch {
		case why == "":
			r.field(l, name, d)
			continue
		case remedy != "":
			r.diags = append(r.diags, diag.Warningf(d.Pos, codeRequired, "%s stays required, also of resources that are only observed, since %s: %s",
				dotted(l.names, name), why, remedy).
				As("%%d fields of %s stay required, also of resources that are only observed: let their types hold nothing, as mrgen fix relax does, or mark them +mrgen:identifier", r.object.Name))
		}
		r.keep(d, why)
	}
	r.demands(l)
	r.requiredOneOf(l)
	for _, name := range slices.Sorted(maps.Keys(l.desired.Schema.Properties)) {
		// Without a counterpart in initProvider, an object that nobody sets asks for
		// nothing: the schema is right as it is.
		if initial := l.initial.below(name); initial != nil {
			r.level(level{names: append(slices.Clip(l.names), name), desired: l.desired.below(name), initial: initial})
		}
	}
}

// keeps says why a required field is not relaxed, or returns "". There is a remedy
// if that may not be what its author wants.
func (l level) keeps(name string, at schema.Cursor) (why, remedy string) {
	const identifier = "mark it +mrgen:identifier"
	nested := len(l.names) > 0
	switch f := at.Field; {
	case at.Schema == nil:
		return "the schema does not declare it", ""
	case f == nil:
		return "it is no field of the Go type", ""
	case f.OwnMarker(markers.Identifier) != nil:
		return "it identifies the external resource", ""
	case nested && l.initial.Property(name).Schema == nil:
		return "initProvider has no such field, which could stand in for it", ""
	case at.Schema.Nullable && at.Schema.Default == nil && f.OmitsNull():
		return "it may be null, which Go omits", ""
	case at.Schema.Nullable && at.Schema.Default == nil:
		return "it may be null, which rules can't tell from unset", "remove +nullable, or " + identifier
	case nested && at.Schema.Default != nil:
		return "its default makes sure that it is set", ""
	case !reachable(name):
		return "rules can't read a field of this name", identifier
	case !exposed(at.Schema):
		return "rules can't read a field without a type", identifier
	case at.Schema.Default == nil && f.Type.Kind == model.Struct && f.OmitsZero() && f.Type.Encoding() == model.Plain && l.desired.content(name) == "":
		return "rules can't tell whether there is anything in it", "make it a pointer with omitempty, or " + identifier
	case f.AlwaysMarshals() && at.Schema.Default == nil:
		form := "make it a pointer with omitempty"
		if f.Type.Kind == model.Struct {
			form += ", or give it omitzero"
		}
		return fmt.Sprintf("updates from Go would send %s where nobody set a value", zero(f.Type)),
			form + ", and mark it +kubebuilder:validation:Required, as mrgen fix relax does, or " + identifier
	}
	return "", ""
}

// keep records why a field stays required.
func (r *relaxer) keep(d Decision, why string) {
	d.Required, d.Reason = true, "stays required, since "+why
	r.decisions = append(r.decisions, d)
}

// zero returns what encoding/json writes for a value that nobody set.
func zero(t *model.Type) string {
	switch {
	case t.Marshals:
		return "the zero value of " + t.Name
	case t.Kind == model.Struct:
		return "{}"
	case t.Basic == "string":
		return `""`
	case t.Basic == "bool":
		return "false"
	default:
		return "0"
	}
}

// field takes a required field out of the schema and adds its rule.
func (r *relaxer) field(l level, name string, d Decision) {
	r.relaxed++
	r.dropRequired(d.Field)
	if l.desired.Property(name).Schema.Default != nil {
		d.Reason = "is not required, since its default makes sure that it is set"
		r.decisions = append(r.decisions, d)
		return
	}
	if r.settings.Describe {
		schema.Edit(r.root.Schema, d.Field, func(s *apiextensionsv1.JSONSchemaProps) {
			if s.Description != "" {
				s.Description += "\n"
			}
			s.Description += requiredUnlessObserved
		})
	}

	if len(l.names) > 0 && l.initial.requires(name) {
		r.dropRequired(l.initial.Path.With(schema.Step{Name: name}))
	}
	alternatives := append([]string{r.guard}, l.absent()...)
	alternatives = append(alternatives, l.desired.given(name)...)
	alternatives = append(alternatives, l.initial.given(name)...)
	reason := apiextensionsv1.FieldValueRequired
	rule := apiextensionsv1.ValidationRule{
		Rule:    or(alternatives...),
		Message: dotted(l.names, name) + " is required unless the resource is only observed",
		Reason:  &reason,
	}
	if len(l.names) > 0 {
		rule.Message = fmt.Sprintf("%s is required when %s is set, unless the resource is only observed", dotted(l.names, name), dotted(l.names))
	}
	d.Reason = "is required unless the resource is only observed"
	r.add(schema.Properties("spec"), l.desired.object.below(name).names, rule, d)
}

// absent returns the condition that holds if the object is not there, or nothing if it
// always is.
func (l level) absent() []string {
	var present []string
	if len(l.desired.set) > 0 {
		present = append(present, and(l.desired.set...))
	}
	if len(l.names) > 0 {
		// The object is made of both sides: it is there if either has it, and its fields
		// may be on either.
		present = append(present, and(l.initial.set...))
	}
	if len(present) == 0 {
		return nil
	}
	return []string{not(or(present...))}
}

// dropRequired drops a field from the required ones of its object.
func (r *relaxer) dropRequired(field schema.Path) {
	object, name := field[:len(field)-1], field[len(field)-1].Name
	schema.Edit(r.root.Schema, object, func(s *apiextensionsv1.JSONSchemaProps) {
		s.Required = slices.DeleteFunc(slices.Clone(s.Required), func(n string) bool { return n == name })
		if len(s.Required) == 0 {
			s.Required = nil
		}
	})
}
