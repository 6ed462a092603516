package fix

import (
	"maps"
	"slices"
	"strings"

	apiextensionsv1 "k8s.io/apiextensions-apiserver/pkg/apis/apiextensions/v1"

	"github.com/mrgen-io/mrgen/generator/internal/artifact"
	"github.com/mrgen-io/mrgen/generator/internal/diag"
	"github.com/mrgen-io/mrgen/generator/internal/load"
	"github.com/mrgen-io/mrgen/generator/internal/model"
	"github.com/mrgen-io/mrgen/generator/internal/pipeline"
	"github.com/mrgen-io/mrgen/generator/internal/rules"
	"github.com/mrgen-io/mrgen/generator/internal/schema"
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
func FindImmutable(source Source, loaded *load.Source, which Conversion) *Immutability {
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
func (f *Immutability) find(m *model.Model, loaded *load.Source) {
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

// Edit edits the source where the schemas enforce what is marked in the model, and says
// what changes for users. It returns the edited files, none if that is only asked for.
func (f *Immutability) Edit(definitions []pipeline.Definition) (*artifact.Set, diag.List, error) {
	versions := map[*model.Object]version{}
	for _, d := range definitions {
		for i, o := range d.Objects {
			if i < len(d.Decisions) {
				versions[o] = version{d.Root(i), d.Decisions[i]}
			}
		}
	}
	marked := map[diag.Position]bool{}
	for _, r := range f.rules {
		var changes []string
		if r.stays == nil {
			changes, r.stays = f.changes(r, versions)
		}
		if r.stays != nil {
			f.diags = append(f.diags, diag.Warningf(r.marker.Pos, CodeImmutable, "the rule stays: %s", r.stays.text).As("%%d rules stay: %s", r.stays.kind))
			continue
		}
		f.replace(r, marked)
		spots := f.fieldSpots[r.target.Pos]
		what := strings.Join(changes, "; ")
		f.diags = append(f.diags, diag.Warningf(r.marker.Pos, CodeImmutable, "+immutable %s the place of the rule about %s: %s", f.verb("takes", "can take"), spots[0].name(), what).
			As("+immutable %s the place of %%d rules of %s: %s", f.verb("takes", "can take"), kindsOf(spots), what))
	}
	for _, s := range f.selectors {
		f.unmark(s, versions)
	}
	edited, diags, err := f.set()
	if f.which.Lists() {
		edited = &artifact.Set{}
	}
	return edited, diags, err
}

// verb says what is done, or can be.
func (f *Immutability) verb(done, possible string) string {
	if f.which.Lists() {
		return possible
	}
	return done
}

// unmark removes the marker from a selector, if generate would say that it has no effect.
func (f *Immutability) unmark(s *selector, versions map[*model.Object]version) {
	hasEffect := func(at spot) bool {
		decisions := versions[at.object].below(at.Path)
		return len(decisions) != 1 || decisions[0].Rule != nil
	}
	if slices.ContainsFunc(f.fieldSpots[s.field.Pos], func(at spot) bool { return at.isDesired() && hasEffect(at) }) {
		return
	}
	for _, m := range s.markers {
		if m.Text == markers.Immutable {
			f.edit(m, "")
		}
	}
	f.diags = append(f.diags, diag.Warningf(s.field.Pos, CodeImmutable, "+immutable has no effect on %s, which is a selector: the marker %s", s.field.JSONName, f.verb("goes", "can go")).
		As("+immutable has no effect on %%d selectors: the markers %s", f.verb("go", "can go")))
}

// kindsOf returns the names of the kinds that have the spots.
func kindsOf(spots []spot) string {
	var names []string
	for _, s := range spots {
		names = append(names, s.object.Name)
	}
	slices.Sort(names)
	return diag.And(slices.Compact(names))
}

// A version is the root of a version of a kind, and what was decided about its fields.
type version struct {
	root      schema.Cursor
	decisions []rules.Decision
}

// below returns what was decided about whether the value at a path, or what is in it, is
// immutable.
func (v version) below(path schema.Path) []rules.Decision {
	var decisions []rules.Decision
	for _, d := range v.decisions {
		if d.Immutable && d.Field.HasPrefix(path) {
			decisions = append(decisions, d)
		}
	}
	return decisions
}

// always reports for each step of a path whether the schema sees to it that the value is
// there, in an item or a value if it is in one: others have nothing to do with it.
func (v version) always(path schema.Path) []bool {
	all := make([]bool, len(path))
	for i, at := range v.root.Follow(path).Way()[1:] {
		if at.Schema == nil {
			break
		}
		all[i] = at.Always()
		if path[i].Kind != schema.Property {
			for j := range all[:i] {
				all[j] = true
			}
		}
	}
	return all
}

// What may change for users, in the order that it is told in.
const (
	toLate = iota
	toUpdates
	toRemoval
	toEmptying
	toEmptyNone
	toEmptyValue
	toFields
	toSelectors
	toItems
	toForm
	toOmission
	toMessage
	toReason
	nothing
)

var changeTexts = [...]string{
	toLate:       "it can be set later",
	toUpdates:    "resources without it can be updated",
	toRemoval:    "it can no longer be removed",
	toEmptying:   "it can no longer be emptied",
	toEmptyNone:  "an empty value counts as none",
	toEmptyValue: "an empty value can no longer change",
	toFields:     "what is unset in it can be set later",
	toSelectors:  "selectors in it can change",
	toItems:      "items and values in it that have references can be added and removed",
	toForm:       "values are equal that Go writes alike",
	toOmission:   "it can change while it holds what updates from Go leave out",
	toMessage:    "users read mrgen's message",
	toReason:     "errors have the reason FieldValueInvalid",
	nothing:      "nothing changes for users",
}

// changes returns what changes for users if +immutable takes the place of a rule, or why
// it can't.
func (f *Immutability) changes(r *changeRule, versions map[*model.Object]version) (changes []string, stays *reason) {
	found := map[int]bool{}
	for _, s := range f.fieldSpots[r.target.Pos] {
		v := versions[s.object]
		decisions := v.below(s.Path)
		if len(decisions) == 0 {
			return nil, &reason{"+immutable has no effect on " + s.name() + " of " + s.object.Name, "+immutable has no effect on the fields"}
		}
		isDeep := len(decisions) > 1 || decisions[0].Field.Compare(s.Path) != 0
		found[toFields] = found[toFields] || isDeep
		found[toSelectors] = found[toSelectors] || isDeep && r.target.Type.Holds(rules.IsSelector)
		isEmptyNone := isDeep
		for _, d := range decisions {
			if d.Rule == nil {
				return nil, &reason{"with +immutable, " + nameOf(d.Field) + " " + d.Reason, "with +immutable, a field " + d.Reason}
			}
			isStep := func(step schema.Step) bool { return step.Kind != schema.Property }
			found[toItems] = found[toItems] || slices.ContainsFunc(d.Field[len(s.Path):], isStep)
			found[toForm] = found[toForm] || d.Tolerance.Form
			found[toOmission] = found[toOmission] || d.Tolerance.Omission
			found[toEmptyNone] = found[toEmptyNone] || isDeep && d.Tolerance.Empty
			isEmptyNone = isEmptyNone || d.Tolerance.Empty
		}
		r.compare(found, s, v.always(s.Path), isEmptyNone)
		found[toMessage] = found[toMessage] || isDeep || r.rule.Message != decisions[0].Rule.Subject || r.rule.MessageExpression != ""
	}
	found[toReason] = r.rule.Reason != nil && *r.rule.Reason != apiextensionsv1.FieldValueInvalid
	for _, change := range slices.Sorted(maps.Keys(found)) {
		if found[change] {
			changes = append(changes, changeTexts[change])
		}
	}
	if len(changes) == 0 {
		changes = []string{changeTexts[nothing]}
	}
	return changes, nil
}

// compare finds what the rule and +immutable say of the field in different ways, at a spot.
func (r *changeRule) compare(found map[int]bool, at spot, always []bool, isEmptyNone bool) {
	names := len(r.about.Names)
	owner := len(at.Path) - names
	var states []rules.State
	isAlways := !slices.Contains(always[:owner], false)
	states = append(states, rules.State{Depth: -1}) // or the resource is new
	for depth := range names {
		if !always[owner+depth] {
			states = append(states, rules.State{Depth: depth})
		}
	}
	states = append(states, r.set(rules.Empty), r.set(rules.One))
	isSet := func(s rules.State) bool { return s.Depth == names }
	for _, from := range states {
		for _, to := range states {
			now := !isSet(from) || isEmptyNone && from.Content == rules.Empty || isSet(to) && to.Content == from.Content
			if isAlways && (to.Depth < 0 || from.Depth < 0 && !r.isOptional()) {
				continue
			}
			before := r.about.Allows(from, to) && (now || !at.frozen)
			if before == now {
				continue
			}
			switch {
			case !isSet(from) && !isSet(to):
				found[toUpdates] = true
			case !isSet(from):
				found[toLate] = true
			case now:
				found[toEmptyNone] = true
			case !isSet(to) && (from.Content == rules.One || r.about.Allows(r.set(rules.One), to)):
				found[toRemoval] = true
			case from.Content == rules.One:
				found[toEmptying] = true
			default:
				found[toEmptyValue] = true
			}
		}
	}
}

// replace edits the declarations that a rule and its field have. Marked are the fields
// that have been edited.
func (f *Immutability) replace(r *changeRule, marked map[diag.Position]bool) {
	isFrozen := !slices.ContainsFunc(f.fieldSpots[r.target.Pos], func(s spot) bool { return !s.frozen })
	isMarked := marked[r.target.Pos] || isFrozen
	marked[r.target.Pos] = true
	switch {
	case isMarked:
		f.edit(r.marker, "")
	case r.target == r.on:
		f.edit(r.marker, "+"+markers.Immutable)
	default:
		f.edit(r.marker, "")
		if d := f.field(r.target); d != nil {
			d.InsertBefore("// +" + markers.Immutable)
		}
	}
}

// edit replaces a marker, or removes its line if nothing takes its place.
func (e *editor) edit(m model.Marker, text string) {
	f := e.open(m.Pos.File)
	if f == nil {
		return
	}
	if !f.ReplaceComment(m.Pos.Line, m.Pos.Column, "+"+m.Text, text) {
		e.errorf(m.Pos, "the marker cannot be edited, since it is not at this place: remove the line directives of the file")
	}
}
