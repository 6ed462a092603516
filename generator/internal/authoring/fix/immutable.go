package fix

import (
	"slices"
	"strings"

	apiextensionsv1 "k8s.io/apiextensions-apiserver/pkg/apis/apiextensions/v1"

	"github.com/mrgen-io/mrgen/generator/internal/diag"
	"github.com/mrgen-io/mrgen/generator/internal/model"
	"github.com/mrgen-io/mrgen/generator/internal/rules"
	"github.com/mrgen-io/mrgen/generator/internal/schema"
	"github.com/mrgen-io/mrgen/generator/internal/source/build"
	"github.com/mrgen-io/mrgen/markers"
)

// CodeImmutable is that of diagnostics about rules that +immutable can stand for.
const CodeImmutable diag.Code = "fix-immutable"

// Immutability has +immutable take the place of rules of the author. It is done in two
// steps, since the rules that +immutable stands for are those of the schemas: see
// [FindImmutable] and [Immutability.Edit].
type Immutability struct {
	*editor
	which Conversion
	// rules are those about how a field may change, in the order of the source.
	rules []*changeRule
	// selectors are fields that bear +immutable and select what is referred to.
	selectors []*selector
	// fields are those of the model by where they are declared: instances of a generic
	// type share a declaration. fieldSpots and typeSpots are where in objects the values
	// of fields and types are.
	fields                map[diag.Position][]*model.Field
	fieldSpots, typeSpots map[diag.Position][]spot
}

// A Conversion says of which kinds rules are replaced.
type Conversion struct {
	// Kinds are their names. If there are none, all kinds are looked at, and none is edited
	// unless All is set.
	Kinds []string
	All   bool
}

// Lists reports whether nothing is edited.
func (c Conversion) Lists() bool { return !c.All && len(c.Kinds) == 0 }

// asks reports whether a spot is in one of the kinds.
func (c Conversion) asks(s spot) bool {
	return len(c.Kinds) == 0 || slices.ContainsFunc(c.Kinds, func(kind string) bool { return strings.EqualFold(kind, s.object.Name) })
}

// A changeRule is a rule of the author that compares an object with the old one.
type changeRule struct {
	marker model.Marker
	rule   apiextensionsv1.ValidationRule
	// on is the field that has the rule, or else of is the type.
	on *model.Field
	of *model.Type
	// about is what the rule asks, and target the field that it asks it of.
	about  *rules.Transition
	target *model.Field
	// stays says why the rule stays, nil if +immutable can take its place.
	stays *reason
}

// A reason says why a rule stays. Rules with one kind of reason are counted.
type reason struct{ text, kind string }

func because(text string) *reason { return &reason{text, text} }

// isOptional reports whether the rule counts if there is no old object, too.
func (r *changeRule) isOptional() bool {
	return r.rule.OptionalOldSelf != nil && *r.rule.OptionalOldSelf
}

// set returns the state of the field that holds a value.
func (r *changeRule) set(content rules.Content) rules.State {
	return rules.State{Depth: len(r.about.Names), Content: content}
}

// A selector is a field that selects what is referred to, with the markers that have no
// effect on it.
type selector struct {
	field   *model.Field
	markers []model.Marker
}

// A spot is where a value is in the objects of a kind.
type spot struct {
	schema.Cursor
	object *model.Object
	// frozen is set if the value, or what is around it, bears +immutable.
	frozen bool
}

// isDesired reports whether the spot is in spec.forProvider of a managed resource.
func (s spot) isDesired() bool {
	return s.object.Role == model.Managed && s.Path.HasPrefix(schema.Properties("spec", "forProvider"))
}

// name returns the path as seen from forProvider.
func (s spot) name() string {
	return nameOf(s.Path)
}

// nameOf returns a path below spec as seen from forProvider.
func nameOf(path schema.Path) string {
	if len(path) == 2 {
		return "forProvider"
	}
	return strings.TrimPrefix(path[2:].String(), ".")
}

// FindImmutable finds the rules of the author that demand of fields to stay as they are,
// and marks these fields in the model, so that the schemas have the rules of +immutable,
// too.
func FindImmutable(source Source, loaded *build.Source, which Conversion) *Immutability {
	f := &Immutability{
		editor: newEditor(source.Root), which: which,
		fields: map[diag.Position][]*model.Field{}, fieldSpots: map[diag.Position][]spot{}, typeSpots: map[diag.Position][]spot{},
	}
	f.find(source.Model, loaded)
	if len(f.rules) == 0 && len(f.selectors) == 0 {
		return f
	}
	for _, p := range source.Model.Packages {
		for _, o := range p.Objects {
			if !o.List { // it holds what its items do
				f.visit(spot{Cursor: schema.Root(o, nil), object: o}, nil)
			}
		}
	}
	f.rules = slices.DeleteFunc(f.rules, func(r *changeRule) bool { return !slices.ContainsFunc(f.spots(r), which.asks) })
	f.selectors = slices.DeleteFunc(f.selectors, func(s *selector) bool { return !slices.ContainsFunc(f.fieldSpots[s.field.Pos], which.asks) })
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

// IsEmpty reports whether there is nothing to do, and nothing to say.
func (f *Immutability) IsEmpty() bool { return len(f.rules) == 0 && len(f.selectors) == 0 }

// find finds rules and selectors in the declarations of the model.
func (f *Immutability) find(m *model.Model, loaded *build.Source) {
	types, found := map[*model.Type]bool{}, map[diag.Position]bool{}
	add := func(list []model.Marker, on *model.Field, of *model.Type) {
		for _, marker := range list {
			if name, _, _ := strings.Cut(marker.Text, "="); found[marker.Pos] || !strings.Contains(marker.Text, "oldSelf") && name != markers.K8sImmutable {
				continue
			}
			found[marker.Pos] = true
			one := []model.Marker{marker}
			if strings.HasPrefix(marker.Text, markers.ItemsXValidation) {
				f.rules = append(f.rules, &changeRule{marker: marker, on: on, of: of})
			} else if on != nil {
				for _, rule := range loaded.FieldConstraints(&model.Field{Markers: one, Type: on.Type}).Schema.XValidations {
					f.rules = append(f.rules, &changeRule{marker: marker, rule: rule, on: on})
				}
			} else {
				for _, rule := range loaded.TypeConstraints(&model.Type{Kind: of.Kind, Basic: of.Basic, Elem: of.Elem, Local: true, Package: of.Package, Markers: one}).Schema.XValidations {
					f.rules = append(f.rules, &changeRule{marker: marker, rule: rule, of: of})
				}
			}
		}
	}
	var visit func(t *model.Type)
	visit = func(t *model.Type) {
		if t == nil || types[t] {
			return
		}
		types[t] = true
		if t.Local {
			add(t.Markers, nil, t)
		}
		for _, field := range t.Fields {
			add(field.Markers, field, nil)
			if field.MarkedImmutable() && rules.IsSelector(field.Type) {
				f.selectors = append(f.selectors, &selector{field, field.Markers})
			}
			visit(field.Type)
		}
		visit(t.Elem)
		visit(t.Of)
	}
	for _, p := range m.Packages {
		for _, o := range p.Objects {
			visit(o.Type)
		}
	}
}

// visit records where the fields and types below a spot are. Around are the structs that
// hold it.
func (f *Immutability) visit(at spot, around []*model.Type) {
	t := at.Type
	for of := t; of != nil; of = of.Of {
		at.frozen = at.frozen || of.Immutable()
		if of.Name != "" {
			f.typeSpots[of.Pos] = append(f.typeSpots[of.Pos], at)
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
		if slices.Contains(around, t) {
			return
		}
		around = append(slices.Clip(around), t)
		f.visitFields(t, at, around)
	}
}

// visitFields does so with the fields of a struct, which is the one at a spot, or is
// embedded inline in it.
func (f *Immutability) visitFields(t *model.Type, at spot, around []*model.Type) {
	for _, field := range t.Fields {
		if inner := field.Type.Deref(); field.Inline && !slices.Contains(around, inner) {
			embedded := at
			embedded.frozen = at.frozen || field.Immutable()
			f.typeSpots[inner.Pos] = append(f.typeSpots[inner.Pos], embedded)
			f.visitFields(inner, embedded, append(slices.Clip(around), inner))
		}
		there := spot{at.Property(field.JSONName), at.object, at.frozen || field.MarkedImmutable()}
		if field.Inline || field.JSONName == "" || there.Field != field {
			continue
		}
		f.fieldSpots[field.Pos] = append(f.fieldSpots[field.Pos], there)
		if known := f.fields[field.Pos]; !slices.Contains(known, field) {
			f.fields[field.Pos] = append(known, field)
		}
		f.visit(there, around)
	}
}

// spots returns where the values are that a rule stands on.
func (f *Immutability) spots(r *changeRule) []spot {
	if r.on != nil {
		return f.fieldSpots[r.on.Pos]
	}
	return f.typeSpots[r.of.Pos]
}

// obstacle returns why +immutable can't take the place of a rule, as far as declarations
// tell, or nil. It sets what the rule is about.
func (f *Immutability) obstacle(r *changeRule, source Source) *reason {
	if strings.HasPrefix(r.marker.Text, markers.ItemsXValidation) {
		return because("it is about the items of a list, which have no marker of their own")
	}
	const asksMore = "it asks something else than that one field stays as it is"
	parsed, ok := rules.Parse(r.rule.Rule)
	if !ok {
		return because(asksMore)
	}
	if r.about, ok = parsed.Transition(r.isOptional()); !ok {
		return because(asksMore)
	}
	if !r.about.Allows(r.set(rules.One), r.set(rules.One)) || r.about.Allows(r.set(rules.One), r.set(rules.Another)) {
		return because(asksMore)
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
		case !f.which.asks(s):
			return because("the field is one of " + s.object.Name + ", too: pass --kind " + s.object.Name + " as well")
		}
	}
	return nil
}
