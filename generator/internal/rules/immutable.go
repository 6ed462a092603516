package rules

import (
	"fmt"
	"maps"
	"slices"
	"strings"

	apiextensionsv1 "k8s.io/apiextensions-apiserver/pkg/apis/apiextensions/v1"

	"github.com/mrgen-io/mrgen/generator/internal/apiserver"
	"github.com/mrgen-io/mrgen/generator/internal/diag"
	"github.com/mrgen-io/mrgen/generator/internal/flavor"
	"github.com/mrgen-io/mrgen/generator/internal/model"
	"github.com/mrgen-io/mrgen/markers"
)

// immutable adds a rule for each field that +immutable marks: once set, it neither
// changes nor goes. It may be set late, by late initialization, or from a reference.
//
// A marker at the type of forProvider, or at an object, is one at each field in it, which
// may be set late on its own.
func (a *applier) immutable() {
	f := a.object.Spec.Part(forProvider)
	at := place{
		field: properties("spec", forProvider),
		chain: []string{"spec", forProvider},
		pos:   a.object.Pos,
		all:   f.Immutable(),
		loose: f.Type.Kind == model.Struct && neglects(f, child(a.root, "spec")),
	}
	// A rule must stand where what it is about can't be removed with the object.
	schema := a.root
	for len(at.chain) > 0 && (slices.Contains(schema.Required, at.chain[0]) || child(schema, at.chain[0]).Default != nil) {
		schema = child(schema, at.chain[0])
		at.anchor = at.anchor.With(apiserver.Step{Name: at.chain[0]})
		at.chain = at.chain[1:]
	}
	if child(a.root, "spec", forProvider).Nullable {
		at.blocked = &block{"forProvider may be null, which rules can't look into", "remove +nullable"}
	}
	a.fields(f.Type, child(a.root, "spec", forProvider), at)
}

// A place is a field below forProvider, as the rules see it that may be about it.
type place struct {
	// field leads from the root of the schema to the field, and anchor to the schema
	// that has the rule about it.
	field, anchor apiserver.Path
	// chain are the names that lead from the anchor to the field.
	chain []string
	// pos is where the author declares it.
	pos diag.Position
	// all is set if what is around the field is immutable.
	all bool
	// neglected is set if Go makes no difference between a zero or empty value in the
	// field and none.
	neglected bool
	// loose is set if Go makes no difference between the object around the field and
	// one in which all is zero.
	loose bool
	// blocked says why there can be no rule, or is nil.
	blocked *block
	// keys are the fields that tell the items of a list apart, in an item.
	keys []string
}

// A block is why there can be no rule, and what to do.
type block struct{ why, remedy string }

// mayBeNull returns why there is no rule about what is in an object.
func mayBeNull(name string) block {
	return block{name + " may be null, which rules can't look into", "remove +nullable, or the marker"}
}

// property returns the place of a field of the object at p.
func (p place) property(name string, pos diag.Position) place {
	p.field = p.field.With(apiserver.Step{Name: name})
	p.chain = append(slices.Clip(p.chain), name)
	p.pos, p.keys = pos, nil
	return p
}

// element returns the place of the items of the list at p, or the values of the
// map. The API server finds the old one for a new one by its key.
func (p place) element(kind apiserver.StepKind, keys []string) place {
	p.field = p.field.With(apiserver.Step{Kind: kind})
	p.anchor, p.chain, p.keys, p.loose = p.field, nil, keys, false
	return p
}

// block returns p as a place without rules; the first reason counts.
func (p place) block(why, remedy string) place {
	if p.blocked == nil {
		p.blocked = &block{why, remedy}
	}
	return p
}

// name returns the field as seen from forProvider.
func (p place) name() string { return strings.TrimPrefix(p.field[2:].String(), ".") }

// subject returns the field as messages name it: that it is in an item or a value,
// the API server says in front of them.
func (p place) subject() string {
	var names []string
	for _, step := range p.field[2:] {
		if step.Kind == apiserver.Property {
			names = append(names, step.Name)
		}
	}
	return dotted(names)
}

// fields makes rules for the fields of an object.
func (a *applier) fields(t *model.Type, schema *apiextensionsv1.JSONSchemaProps, at place) {
	t = t.Deref()
	at.all = at.all || t.Immutable()
	embedded := markedByEmbedding(t)
	for _, name := range slices.Sorted(maps.Keys(schema.Properties)) {
		f := t.Field(name)
		if f == nil || slices.Contains(at.keys, name) {
			continue // items with another key are other items
		}
		below := at.property(name, position(f, at.pos))
		below.neglected = neglects(f, schema) || at.loose && f.Type.Kind != model.Pointer && f.Type.Elem == nil
		a.fieldOf(f, schema.Properties[name], below, embedded[f] || f.Immutable())
	}
}

// fieldOf does what field does, with a copy of the schema. If fields passed the address
// of one, in the loop, the compiler would allocate half a kilobyte for each field. As an
// argument the copy is on the stack, unless this is inlined.
//
//go:noinline
func (a *applier) fieldOf(f *model.Field, schema apiextensionsv1.JSONSchemaProps, at place, marked bool) {
	a.field(f, &schema, at, marked)
}

// field makes rules for a field. It is marked if it bears the marker itself.
func (a *applier) field(f *model.Field, schema *apiextensionsv1.JSONSchemaProps, at place, marked bool) {
	if IsSelector(f.Type) {
		if marked {
			a.cannot(at, block{"a selector may change after the reference was found", "remove the marker; the fields with the value and the reference can bear it"})
		}
		return
	}
	if name := at.chain[len(at.chain)-1]; !reachable(name) {
		at = at.block("rules can't read a field of this name", "rename it, or remove the marker")
	}
	whole := at.all || marked
	structure, elem, items := structureOf(f.Type, schema)
	references := hasReferences(elem)
	switch {
	case structure == object:
		if schema.Nullable {
			b := mayBeNull(at.name())
			at = at.block(b.why, b.remedy)
		}
		at.all = whole
		at.loose = f.Type.Kind == model.Struct && at.neglected
		a.fields(elem, items, at)
	case structure == single, whole && !references, structure == replaced && !references && allMarked(elem, nil):
		if whole || structure == replaced {
			a.fixed(f, schema, at)
		}
	case structure == replaced && whole:
		a.cannot(at, block{"references in its items are resolved later, and the list is replaced as a whole", "make it listType=map with a listMapKey, or remove the marker"})
	case structure == replaced:
		remedy := "make that list listType=map with a listMapKey, mark the list, or remove the marker"
		if references {
			remedy = "make that list listType=map with a listMapKey, or remove the marker"
		}
		at = at.block(at.name()+" is replaced as a whole", remedy)
		a.fields(elem, items, at.element(apiserver.Items, nil))
	default:
		if marked {
			a.cannot(at, block{"references in it are resolved later", "mark the fields in it instead"})
		}
		kind := apiserver.Items
		if structure == mapped {
			kind = apiserver.Values
		}
		at.all = whole
		a.fields(elem, items, at.element(kind, schema.XListMapKeys))
	}
}

// fixed adds the rule that a field is immutable.
func (a *applier) fixed(f *model.Field, schema *apiextensionsv1.JSONSchemaProps, at place) {
	if !exposed(schema) {
		at = at.block("rules can't read a field without a type", "remove the marker")
	}
	if at.blocked != nil {
		a.cannot(at, *at.blocked)
		return
	}
	self, old := selection{root: "self"}.below(at.chain...), selection{root: "oldSelf"}.below(at.chain...)
	now, before := value{self.String(), f.Type.Deref(), schema}, value{old.String(), f.Type.Deref(), schema}
	if now.isObject() && schema.Nullable && (at.neglected || now.loss("") != nil) {
		a.cannot(at, mayBeNull(at.name()))
		return
	}
	var alternatives []string
	for _, condition := range old.set() {
		alternatives = append(alternatives, not(condition))
	}
	var tolerance Tolerance
	if zero := before.isZero(true); at.neglected && zero != "" {
		alternatives = append(alternatives, zero)
		tolerance.Empty = true
	}
	rule := func(same string) apiextensionsv1.ValidationRule {
		return apiextensionsv1.ValidationRule{
			Rule:    or(append(slices.Clip(alternatives), and(append(self.set(), same)...))...),
			Message: at.subject() + " is immutable",
		}
	}
	same, why := a.same(now, before, at.name(), 0)
	l := now.loss(at.name())
	tolerance.Form = l != nil
	if why == nil && l != nil && l.name != at.name() && !a.affordable(at, rule(same)) {
		why = &block{
			fmt.Sprintf("updates from Go may write %s in another form, and to compare what it is in without that would cost the API server too much", l.name),
			l.remedy(now),
		}
	}
	if why != nil {
		// With the first update from Go, what it leaves out is gone.
		left, ok := before.rewritten(0)
		same = or(now.text+" == "+before.text, left)
		if !ok || !a.affordable(at, rule(same)) {
			a.cannot(at, *why)
			return
		}
		tolerance.Form, tolerance.Omission = false, true
	}
	a.add(at.anchor, at.chain, rule(same), Decision{Field: at.field, Pos: at.pos, Reason: "is immutable once it is set", Immutable: true, Tolerance: tolerance})
}

// maxSameCost is what a rule may cost that compares what is in lists and maps: so much
// that a version has room for a few dozen of them.
const maxSameCost = apiserver.MaxRuleCost / 2

// affordable reports whether a rule costs the API server no more than it should.
func (a *applier) affordable(at place, rule apiextensionsv1.ValidationRule) bool {
	cost, ok := apiserver.CostOf(a.root, at.anchor, at.chain, rule)
	return ok && cost <= maxSameCost
}

// cannot warns that a marker has no effect.
func (a *applier) cannot(at place, b block) {
	a.decisions = append(a.decisions, Decision{Field: at.field, Pos: at.pos, Reason: "is not immutable, since " + b.why, Immutable: true})
	a.diags = append(a.diags, diag.Warningf(at.pos, codeImmutable, "+immutable has no effect on %s: %s: %s", at.name(), b.why, b.remedy).
		As("+immutable has no effect on %%d fields of %s: %s: %s", a.object.Name, strings.ReplaceAll(b.why, at.name(), "the field"), strings.ReplaceAll(b.remedy, at.name(), "the field")))
}

// A structure is how the fields in a value can be reached.
type structure uint8

const (
	// single has no fields that mrgen knows markers of.
	single structure = iota
	// object has fields.
	object
	// keyed is a list of objects with keys, and mapped a map of objects.
	keyed
	mapped
	// replaced is a list of objects that only changes as a whole.
	replaced
)

// structureOf returns the structure of a value, and the struct and the schema with
// the fields in it.
func structureOf(t *model.Type, schema *apiextensionsv1.JSONSchemaProps) (s structure, elem *model.Type, fields *apiextensionsv1.JSONSchemaProps) {
	t = t.Deref()
	elem, fields = t, schema
	switch {
	case t.Kind == model.Struct:
		s = object
	case t.Kind == model.Slice && schema.Items != nil:
		elem, fields = t.Elem.Deref(), schema.Items.Schema
		s = replaced
		if schema.XListType != nil && *schema.XListType == "map" {
			s = keyed
		}
	case t.Kind == model.Map && schema.AdditionalProperties != nil:
		elem, fields = t.Elem.Deref(), schema.AdditionalProperties.Schema
		s = mapped
	}
	if elem.Kind != model.Struct || !elem.Local || !isObject(fields) {
		return single, elem, nil
	}
	return s, elem, fields
}

// markedByEmbedding returns the fields of embedded structs that are embedded under
// a marker.
func markedByEmbedding(t *model.Type) map[*model.Field]bool {
	marked, seen := map[*model.Field]bool{}, map[*model.Type]bool{}
	var visit func(t *model.Type, all bool)
	visit = func(t *model.Type, all bool) {
		if seen[t] {
			return
		}
		seen[t] = true
		for _, f := range t.Fields {
			if f.Inline {
				visit(f.Type.Deref(), all || f.Immutable())
			} else if all {
				marked[f] = true
			}
		}
	}
	visit(t, false)
	return marked
}

// allMarked reports whether every field in a struct is marked, so that nothing in
// it can change.
func allMarked(t *model.Type, around []*model.Type) bool {
	if t.Immutable() || slices.Contains(around, t) {
		return true
	}
	if t.Kind != model.Struct || !t.Local || len(t.Fields) == 0 {
		return false
	}
	for _, f := range t.Fields {
		if !f.Ignored && !f.Immutable() && !allMarked(f.Type.Leaf(), append(slices.Clip(around), t)) {
			return false
		}
	}
	return true
}

// hasReferences reports whether a value is, or has in it, one that is taken from
// another resource.
func hasReferences(t *model.Type) bool {
	seen := map[*model.Type]bool{}
	var visit func(t *model.Type) bool
	visit = func(t *model.Type) bool {
		t = t.Leaf()
		if seen[t] {
			return false
		}
		seen[t] = true
		return slices.ContainsFunc(t.Fields, func(f *model.Field) bool {
			return f.OwnMarker(markers.ReferenceType) != nil || visit(f.Type)
		})
	}
	return visit(t)
}

// IsSelector reports whether a type is one that selects what is referred to.
func IsSelector(t *model.Type) bool {
	t = t.Deref()
	return slices.ContainsFunc(flavor.ManagedGenerations(), func(g flavor.Generation) bool {
		return t.Name == g.References.Selector && slices.Contains(g.References.Declarations, t.Package)
	})
}
