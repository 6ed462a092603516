package fixes

import (
	"slices"
	"strings"

	apiextensionsv1 "k8s.io/apiextensions-apiserver/pkg/apis/apiextensions/v1"

	"github.com/mrgen-io/mrgen/generator/diag"
	"github.com/mrgen-io/mrgen/generator/internal/constraint"
	"github.com/mrgen-io/mrgen/generator/internal/model"
	"github.com/mrgen-io/mrgen/generator/internal/rules"
	"github.com/mrgen-io/mrgen/generator/internal/schema"
	"github.com/mrgen-io/mrgen/generator/internal/source/apitypes"
	"github.com/mrgen-io/mrgen/generator/internal/workshop/transitions"
	"github.com/mrgen-io/mrgen/markers"
)

// CodeImmutable is the code of diagnostics about rules that +immutable can replace.
const CodeImmutable diag.Code = "fix-immutable"

// An Immutability replaces the author's rules by +immutable. [FindImmutable] finds the rules and changes the
// model. Then [Immutability.Edit] replaces the rules whose fields are immutable in the new schemas.
type Immutability struct {
	*editor
	loaded *apitypes.Source
	which  ImmutableSelection
	// found are the markers and fields that have been looked at: structs may be in several places.
	found map[diag.Position]bool
	// rules restrict how a field may change. They are sorted by position.
	rules []*changeRule
	// selectors are selectors of references that are marked +immutable.
	selectors []*selector
	// fields are the fields of the model by position: instances of a generic type share a declaration.
	// fieldSpots and typeSpots are the spots of fields and types by position.
	fields                map[diag.Position][]*model.Field
	fieldSpots, typeSpots map[diag.Position][]spot
}

// An ImmutableSelection selects the kinds whose rules are replaced.
type ImmutableSelection struct {
	// Kinds are names of kinds. Without names, the fix replaces the rules of all kinds if All is
	// set, and otherwise only lists them.
	Kinds []string
	All   bool
}

// Lists reports whether the fix only lists rules.
func (c ImmutableSelection) Lists() bool { return !c.All && len(c.Kinds) == 0 }

// covers reports whether the spot is in one of the kinds.
func (c ImmutableSelection) covers(s spot) bool {
	return len(c.Kinds) == 0 || slices.ContainsFunc(c.Kinds, func(kind string) bool { return strings.EqualFold(kind, s.object.Name) })
}

// A changeRule is an author's rule that compares an object with the old one.
type changeRule struct {
	marker model.Marker
	rule   apiextensionsv1.ValidationRule
	// on is the field with the rule. It is nil if the rule is on a type, which is of.
	on *model.Field
	of *model.Type
	// about are the changes that the rule allows, and target is the field that changes.
	about  *transitions.Transition
	target *model.Field
	// stays is the reason why the rule stays, or nil if +immutable can replace it.
	stays *reason
}

// A reason explains why a rule stays. Rules with the same kind of reason are reported together.
type reason struct{ text, kind string }

func because(text string) *reason { return &reason{text, text} }

// isOptional reports whether the rule also applies without an old object.
func (r *changeRule) isOptional() bool {
	return r.rule.OptionalOldSelf != nil && *r.rule.OptionalOldSelf
}

// set returns the state of the set field with a content.
func (r *changeRule) set(content transitions.Content) transitions.State {
	return transitions.State{Depth: len(r.about.Names), Content: content}
}

// A selector is a field that selects references, with its markers in the source.
type selector struct {
	field   *model.Field
	markers []model.Marker
}

// A spot is the place of a value in the objects of a kind.
type spot struct {
	schema.Cursor
	object *model.Object
	// frozen is set if the value, or one around it, is marked +immutable.
	frozen bool
}

// isDesired reports whether the spot is in spec.forProvider of a managed resource.
func (s spot) isDesired() bool {
	return s.object.Role == model.Managed && s.Path.HasPrefix(schema.Properties("spec", "forProvider"))
}

// name returns the path from forProvider.
func (s spot) name() string { return nameOf(s.Path) }

func nameOf(path schema.Path) string {
	if len(path) == 2 {
		return "forProvider"
	}
	return strings.TrimPrefix(path[2:].String(), ".")
}

// FindImmutable finds the author's rules that keep fields as they are, and marks these fields +immutable in the
// model, so that the schemas get the rules of +immutable as well.
func FindImmutable(source Source, loaded *apitypes.Source, which ImmutableSelection) *Immutability {
	f := &Immutability{
		editor: newEditor(source.Root), loaded: loaded, which: which, found: map[diag.Position]bool{},
		fields: map[diag.Position][]*model.Field{}, fieldSpots: map[diag.Position][]spot{}, typeSpots: map[diag.Position][]spot{},
	}
	for o := range model.Objects(source.Model.Packages) {
		if !o.List { // a list has only its items
			f.visit(spot{Cursor: schema.Root(o, nil), object: o}, nil)
		}
	}
	f.rules = slices.DeleteFunc(f.rules, func(r *changeRule) bool { return !slices.ContainsFunc(f.spots(r), which.covers) })
	f.selectors = slices.DeleteFunc(f.selectors,
		func(s *selector) bool { return !slices.ContainsFunc(f.fieldSpots[s.field.Pos], which.covers) })
	slices.SortFunc(f.rules, func(a, b *changeRule) int { return a.marker.Pos.Compare(b.marker.Pos) })
	for _, r := range f.rules {
		if r.stays = f.obstacle(r, source); r.stays == nil {
			for _, field := range f.fields[r.target.Pos] {
				field.Markers = append(slices.Clip(field.Markers), model.Marker{Text: markers.Immutable, Pos: r.marker.Pos})
			}
		}
	}
	return f
}

// IsEmpty reports whether there is nothing to edit or to report.
func (f *Immutability) IsEmpty() bool { return len(f.rules) == 0 && len(f.selectors) == 0 }

// add adds the rules among the markers of a field, or of a type if on is nil.
func (f *Immutability) add(list []model.Marker, on *model.Field, of *model.Type) {
	for _, marker := range list {
		name, _, _ := strings.Cut(marker.Text, "=")
		isRule := strings.Contains(marker.Text, "oldSelf") || name == markers.K8sImmutable
		if f.found[marker.Pos] || !isRule {
			continue
		}
		f.found[marker.Pos] = true
		one := []model.Marker{marker}
		var set constraint.Set
		switch {
		case strings.HasPrefix(marker.Text, markers.ItemsXValidation):
			f.rules = append(f.rules, &changeRule{marker: marker, on: on, of: of})
			continue
		case on != nil:
			set = f.loaded.FieldConstraints(&model.Field{Markers: one, Type: on.Type})
		default:
			bare := &model.Type{Kind: of.Kind, Basic: of.Basic, Elem: of.Elem, Local: true, Package: of.Package, Markers: one}
			set = f.loaded.TypeConstraints(bare)
		}
		for _, rule := range set.Schema.XValidations {
			f.rules = append(f.rules, &changeRule{marker: marker, rule: rule, on: on, of: of})
		}
	}
}

// visit records the spots, rules and selectors of the fields and types below a spot. around are the structs that contain it.
func (f *Immutability) visit(at spot, around []*model.Type) {
	t := at.Type
	for of := t; of != nil; of = of.Of {
		at.frozen = at.frozen || of.Immutable()
		if of.Name != "" {
			f.typeSpots[of.Pos] = append(f.typeSpots[of.Pos], at)
		}
		if of.Local {
			f.add(of.Markers, nil, of)
		}
	}
	switch t.Kind {
	case model.Pointer:
		at.Type = t.Elem
		f.visit(at, around)
	case model.Slice:
		at.Cursor = at.Items()
		f.visit(at, around)
	case model.Map:
		at.Cursor = at.Values()
		f.visit(at, around)
	case model.Struct:
		// A recursive type has no further spots.
		if slices.Contains(around, t) {
			return
		}
		around = append(slices.Clip(around), t)
		f.visitFields(t, at, around)
	}
}

// visitFields visits the fields of the struct at a spot, or of a struct that is embedded inline in it.
func (f *Immutability) visitFields(t *model.Type, at spot, around []*model.Type) {
	for _, field := range t.Fields {
		if inner := field.Type.Deref(); field.Inline && !slices.Contains(around, inner) {
			embedded := at
			embedded.frozen = at.frozen || field.Immutable()
			f.typeSpots[inner.Pos] = append(f.typeSpots[inner.Pos], embedded)
			if inner.Local {
				f.add(inner.Markers, nil, inner)
			}
			f.visitFields(inner, embedded, append(slices.Clip(around), inner))
		}
		there := spot{at.Property(field.JSONName), at.object, at.frozen || field.MarkedImmutable()}
		if field.Inline || field.JSONName == "" || there.Field != field {
			continue
		}
		f.fieldSpots[field.Pos] = append(f.fieldSpots[field.Pos], there)
		f.add(field.Markers, field, nil)
		if field.MarkedImmutable() && rules.IsSelector(field.Type) && !f.found[field.Pos] {
			f.found[field.Pos] = true
			f.selectors = append(f.selectors, &selector{field, field.Markers})
		}
		if known := f.fields[field.Pos]; !slices.Contains(known, field) {
			f.fields[field.Pos] = append(known, field)
		}
		f.visit(there, around)
	}
}

// spots returns the spots of the field or type that has a rule.
func (f *Immutability) spots(r *changeRule) []spot {
	if r.on != nil {
		return f.fieldSpots[r.on.Pos]
	}
	return f.typeSpots[r.of.Pos]
}

// obstacle returns the reason why the declarations don't allow +immutable to replace a rule, or nil. It sets
// the rule's about and target.
func (f *Immutability) obstacle(r *changeRule, source Source) *reason {
	if strings.HasPrefix(r.marker.Text, markers.ItemsXValidation) {
		return because("it is about the items of a list, which have no marker of their own")
	}
	var ok bool
	if r.about, ok = transitions.Of(r.rule.Rule, r.isOptional()); !ok {
		return because("it asks something else than that one field stays as it is")
	}
	if len(r.about.Names) == 0 && r.on == nil {
		return because("it is on a type, whose values may be in several fields: mark those that are immutable")
	}
	r.target = r.on
	holder := r.of
	for _, name := range r.about.Names {
		if r.target != nil {
			holder = r.target.Type.Deref()
		}
		if r.target = holder.Field(name); r.target == nil {
			return because("it is about something that no field holds")
		}
	}
	if r.target.Pos.IsOutside() || source.Generated(r.target.Pos.File) {
		return because("the field can't be marked, since another module or mrgen declares it")
	}
	held := map[string]bool{}
	key := func(s spot, names ...string) string {
		return s.object.Pos.String() + slices.Concat(s.Path, schema.Properties(names...)).String()
	}
	for _, s := range f.spots(r) {
		held[key(s, r.about.Names...)] = true
	}
	for _, s := range f.fieldSpots[r.target.Pos] {
		where := s.Path.String()[1:] + " of " + s.object.Name
		switch {
		case !s.isDesired():
			return &reason{"it is about " + where + ", where +immutable has no effect", "they are about fields where +immutable has no effect"}
		case !held[key(s)]:
			return &reason{"the field is also " + where + ", where the rule does not hold", "the fields are also where the rules do not hold"}
		case !f.which.covers(s):
			return because("the field is one of " + s.object.Name + ", too: pass --kind " + s.object.Name + " as well")
		}
	}
	return nil
}
