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
	"github.com/mrgen-io/mrgen/generator/internal/schema"
	"github.com/mrgen-io/mrgen/markers"
)

// immutable adds a rule for each field that +immutable marks: once set, it neither
// changes nor goes. It may be set late, by late initialization, or from a reference.
//
// A marker at the type of forProvider, or at an object, is one at each field in it, which
// may be set late on its own.
func (a *applier) immutable() {
	desired := a.part(forProvider)
	at := target{
		Cursor: desired,
		chain:  []string{"spec", forProvider},
		all:    desired.Field.Immutable(),
		loose:  desired.Type.Kind == model.Struct && neglects(desired.Field, desired.Above.Schema),
	}
	// A rule must stand where what it is about can't be removed with the object.
	for _, c := range desired.Way()[1:] {
		if !c.Always() {
			break
		}
		at.anchor, at.chain = c.Path, at.chain[1:]
	}
	if desired.Schema.Nullable {
		at.blocked = &block{"forProvider may be null, which rules can't look into", "remove +nullable"}
	}
	a.fields(at)
}

// A target is a field below forProvider, as the rules see it that may be about it.
type target struct {
	schema.Cursor
	// anchor leads from the root of the schema to the one that has the rule about it, and
	// chain are the names that lead from there to the field.
	anchor schema.Path
	chain  []string
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

// property returns a field of the object t.
func (t target) property(name string) target {
	t.Cursor = t.Property(name)
	t.chain = append(slices.Clip(t.chain), name)
	t.keys = nil
	return t
}

// element returns the items of the list t, or the values of the map. The API server finds
// the old one for a new one by its key.
func (t target) element(at schema.Cursor, keys []string) target {
	t.Cursor, t.anchor, t.chain, t.keys, t.loose = at, at.Path, nil, keys, false
	return t
}

// block returns t without rules; the first reason counts.
func (t target) block(why, remedy string) target {
	if t.blocked == nil {
		t.blocked = &block{why, remedy}
	}
	return t
}

// name returns the field as seen from forProvider.
func (t target) name() string { return strings.TrimPrefix(t.Path[2:].String(), ".") }

// subject returns the field as messages name it: that it is in an item or a value,
// the API server says in front of them.
func (t target) subject() string {
	var names []string
	for _, step := range t.Path[2:] {
		if step.Kind == schema.Property {
			names = append(names, step.Name)
		}
	}
	return dotted(names)
}

// fields makes rules for the fields of an object.
func (a *applier) fields(at target) {
	t := at.Type.Deref()
	at.all = at.all || t.Immutable()
	embedded := markedByEmbedding(t)
	for _, name := range slices.Sorted(maps.Keys(at.Schema.Properties)) {
		below := at.property(name)
		f := below.Field
		if f == nil || slices.Contains(at.keys, name) {
			continue // items with another key are other items
		}
		below.neglected = neglects(f, at.Schema) || at.loose && f.Type.Kind != model.Pointer && f.Type.Elem == nil
		a.field(below, embedded[f] || f.Immutable())
	}
}

// field makes rules for a field. It is marked if it bears the marker itself.
func (a *applier) field(at target, marked bool) {
	if IsSelector(at.Type) {
		if marked {
			a.cannot(at, block{"a selector may change after the reference was found", "remove the marker; the fields with the value and the reference can bear it"})
		}
		return
	}
	if name := at.chain[len(at.chain)-1]; !reachable(name) {
		at = at.block("rules can't read a field of this name", "rename it, or remove the marker")
	}
	whole := at.all || marked
	structure, elem := structureOf(at.Cursor)
	references := hasReferences(at.Type)
	switch {
	case structure == object:
		if at.Schema.Nullable {
			b := mayBeNull(at.name())
			at = at.block(b.why, b.remedy)
		}
		at.all = whole
		at.loose = at.Type.Kind == model.Struct && at.neglected
		a.fields(at)
	case structure == single, whole && !references, structure == replaced && !references && allMarked(elem.Type.Deref(), nil):
		if whole || structure == replaced {
			a.fixed(at)
		}
	case structure == replaced && whole:
		a.cannot(at, block{"references in its items are resolved later, and the list is replaced as a whole", "make it listType=map with a listMapKey, or remove the marker"})
	case structure == replaced:
		remedy := "make that list listType=map with a listMapKey, mark the list, or remove the marker"
		if references {
			remedy = "make that list listType=map with a listMapKey, or remove the marker"
		}
		at = at.block(at.name()+" is replaced as a whole", remedy)
		a.fields(at.element(elem, nil))
	default:
		if marked {
			a.cannot(at, block{"references in it are resolved later", "mark the fields in it instead"})
		}
		at.all = whole
		a.fields(at.element(elem, at.Schema.XListMapKeys))
	}
}

// fixed adds the rule that a field is immutable.
func (a *applier) fixed(at target) {
	if !exposed(at.Schema) {
		at = at.block("rules can't read a field without a type", "remove the marker")
	}
	if at.blocked != nil {
		a.cannot(at, *at.blocked)
		return
	}
	self, old := selection{root: "self"}.below(at.chain...), selection{root: "oldSelf"}.below(at.chain...)
	now, before := value{self.String(), at.Type.Deref(), at.Schema}, value{old.String(), at.Type.Deref(), at.Schema}
	if now.isObject() && at.Schema.Nullable && (at.neglected || now.loss("") != nil) {
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
	a.add(at.anchor, at.chain, rule(same), Decision{Field: at.Path, Pos: at.Pos, Reason: "is immutable once it is set", Immutable: true, Tolerance: tolerance})
}

// maxSameCost is what a rule may cost that compares what is in lists and maps: so much
// that a version has room for a few dozen of them.
const maxSameCost = apiserver.MaxRuleCost / 2

// affordable reports whether a rule costs the API server no more than it should.
func (a *applier) affordable(at target, rule apiextensionsv1.ValidationRule) bool {
	cost, ok := apiserver.CostOf(a.root.Schema, at.anchor, at.chain, rule)
	return ok && cost <= maxSameCost
}

// cannot warns that a marker has no effect.
func (a *applier) cannot(at target, b block) {
	a.decisions = append(a.decisions, Decision{Field: at.Path, Pos: at.Pos, Reason: "is not immutable, since " + b.why, Immutable: true})
	a.diags = append(a.diags, diag.Warningf(at.Pos, codeImmutable, "+immutable has no effect on %s: %s: %s", at.name(), b.why, b.remedy).
		As("+immutable has no effect on %%d fields of %s: %s: %s", a.object.Name, strings.ReplaceAll(b.why, at.name(), "the field"), strings.ReplaceAll(b.remedy, at.name(), "the field")))
}

// A structure is how the fields in a value can be reached.
type structure uint8

const (
	// single has no fields that mrgen knows markers of.
	single structure = iota
	// object has fields.
	object
	// keyed is a list of objects with keys, or a map of objects.
	keyed
	// replaced is a list of objects that only changes as a whole.
	replaced
)

// structureOf returns the structure of a value, and what has the fields in it.
func structureOf(at schema.Cursor) (s structure, elem schema.Cursor) {
	elem = at
	switch t := at.Type.Deref(); {
	case t.Kind == model.Struct:
		s = object
	case t.Kind == model.Slice && at.Schema.Items != nil:
		elem = at.Items()
		s = replaced
		if at.Schema.XListType != nil && *at.Schema.XListType == "map" {
			s = keyed
		}
	case t.Kind == model.Map && at.Schema.AdditionalProperties != nil:
		elem = at.Values()
		s = keyed
	}
	if t := elem.Type.Deref(); t.Kind != model.Struct || !t.Local || !isObject(elem.Schema) {
		s = single
	}
	return s, elem
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
	return t.Holds(func(t *model.Type) bool {
		return slices.ContainsFunc(t.Fields, func(f *model.Field) bool { return f.OwnMarker(markers.ReferenceType) != nil })
	})
}

// IsSelector reports whether a type is one that selects what is referred to.
func IsSelector(t *model.Type) bool {
	t = t.Deref()
	return slices.ContainsFunc(flavor.ManagedGenerations(), func(g flavor.Generation) bool {
		return t.Name == g.References.Selector && slices.Contains(g.References.Declarations, t.Package)
	})
}
