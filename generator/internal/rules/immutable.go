package rules

import (
	"cmp"
	"fmt"
	"maps"
	"slices"
	"strings"

	apiextensionsv1 "k8s.io/apiextensions-apiserver/pkg/apis/apiextensions/v1"

	"github.com/mrgen-io/mrgen/generator/diag"
	"github.com/mrgen-io/mrgen/generator/internal/cel"
	"github.com/mrgen-io/mrgen/generator/internal/crdvalidation"
	"github.com/mrgen-io/mrgen/generator/internal/flavor"
	"github.com/mrgen-io/mrgen/generator/internal/model"
	"github.com/mrgen-io/mrgen/generator/internal/provenance"
	"github.com/mrgen-io/mrgen/generator/internal/schema"
	"github.com/mrgen-io/mrgen/markers"
)

// immutable adds a rule for each field marked +immutable: once set, the field can't be changed or removed, unless the
// resource is observe-only. Late initialization or a reference may still set it later.
//
// A marker on the type of forProvider, or on an object, applies to each field in it. Each of these may be set later on
// its own.
func (a *applier) immutable() {
	desired := a.part(forProvider)
	at := target{
		Cursor: desired,
		chain:  []string{"spec", forProvider},
		all:    desired.Field.Immutable(),
		loose:  desired.Type.Kind == model.Struct && zeroMeansUnset(desired.Field, desired.Above.Schema),
	}
	// The rule must be on an object that always exists: removing that object would skip it. Where
	// there are management policies, these must be in that object, too.
	spec := *desired.Above
	self, depth := cel.Self, 0
	if spec.Always() {
		at.anchor, at.chain = spec.Path, at.chain[1:]
	} else {
		self, depth = self.Field(at.chain[0]), 1
	}
	if at.guard = guardOf(spec, self); at.guard != nil {
		at.guard.observed = cel.And(append(self.Set(depth), at.guard.observed)...)
	}
	switch isAlways := spec.Always() && desired.Always(); {
	case isAlways && at.guard == nil: // no rule reads the policies, and forProvider always exists
		at.anchor, at.chain = desired.Path, nil
	case isAlways: // spec holds the rules, for the policies; forProvider needs no has()
		at.given = 1
	}
	if desired.Schema.Nullable {
		at.blocked = &obstacle{"forProvider may be null, which rules can't look into", "remove +nullable"}
	}
	a.immutableFields(at)
	// Only rules that read the policies pay for an unbounded list.
	if at.guard != nil && slices.ContainsFunc(a.decisions, func(d provenance.Decision) bool { return d.Tolerance.Observed }) {
		a.boundPolicies()
	}
}

// A target is a field below forProvider that may get an immutability rule.
type target struct {
	schema.Cursor
	// anchor is the path of the schema that holds the rule, and chain has the names that
	// lead from there to the field.
	anchor schema.Path
	chain  []string
	// given is how many names at the start of the chain lead to values that always exist.
	given int
	// guard tells at the anchor whether the resource is only observed. It is nil in items of
	// lists and values of maps, where rules can't read the management policies.
	guard *guard
	// all is set if the object around the field is immutable.
	all bool
	// zeroIsUnset is set if Go doesn't tell a zero or empty value from an unset field.
	zeroIsUnset bool
	// loose is set if Go doesn't tell the object around the field from a zero one.
	loose bool
	// blocked says why no rule is possible, or is nil.
	blocked *obstacle
	// keys are the fields that identify an item of a list.
	keys []string
}

// An obstacle says why no rule is possible, and what the author can do.
type obstacle struct{ why, remedy string }

// or returns the remedy, or another one.
func (o obstacle) or(other string) string {
	if o.remedy == "" {
		return other
	}
	return o.remedy + ", or " + other
}

// mayBeNull returns the obstacle that rules can't look into a nullable object.
func mayBeNull(name string) obstacle {
	return obstacle{name + " may be null, which rules can't look into", "remove +nullable, or the marker"}
}

// property returns a field of the object t.
func (t target) property(name string) target {
	t.Cursor = t.Property(name)
	t.chain = append(slices.Clip(t.chain), name)
	t.keys = nil
	return t
}

// element returns the items of the list t, or the values of the map. The API server pairs
// old and new elements by key.
func (t target) element(at schema.Cursor, keys []string) target {
	t.Cursor, t.anchor, t.chain, t.given, t.guard, t.keys, t.loose = at, at.Path, nil, 0, nil, keys, false
	return t
}

// block records an obstacle, unless there is one already.
func (t target) block(o obstacle) target {
	if t.blocked == nil {
		t.blocked = &o
	}
	return t
}

// name returns the path of the field below forProvider.
func (t target) name() string { return strings.TrimPrefix(t.Path[2:].String(), ".") }

// subject returns the name of the field for the rule's message, without items and values,
// which the API server's own prefix names.
func (t target) subject() string { return dotted(t.Path[2:].Names()) }

// immutableFields adds rules for the fields of an object.
func (a *applier) immutableFields(at target) {
	t := at.Type.Deref()
	at.all = at.all || t.Immutable()
	if at.all && schema.KeepsUnknown(at.Schema) {
		a.diags = append(a.diags, diag.Warningf(at.Pos, codeImmutable,
			"+immutable has no effect on unknown fields of %s, since rules compare its fields one by one: declare them, or remove +%s",
			cmp.Or(at.name(), forProvider), markers.PreserveUnknownFields))
	}
	embedded := markedByEmbedding(t)
	for _, name := range slices.Sorted(maps.Keys(at.Schema.Properties)) {
		below := at.property(name)
		f := below.Field
		if f == nil || slices.Contains(at.keys, name) {
			continue // an item with another key is another item
		}
		isLoose := at.loose && f.Type.Kind != model.Pointer && f.Type.Elem == nil
		below.zeroIsUnset = isLoose || zeroMeansUnset(f, at.Schema) || resolvesToNone(f)
		a.immutableField(below, embedded[f] || f.Immutable())
	}
}

// immutableField adds rules for a field and its contents. Marked is set if the marker is on the field itself.
func (a *applier) immutableField(at target, marked bool) {
	if IsSelector(at.Type) {
		if marked {
			a.warnIneffective(at, obstacle{"a selector may change after the reference is resolved",
				"remove the marker; mark the fields with the value and the reference instead"})
		}
		return
	}
	if name := at.chain[len(at.chain)-1]; !cel.CanName(name) {
		at = at.block(obstacle{"rules can't read a field of this name", "rename it, or remove the marker"})
	}
	whole := at.all || marked
	structure, elem := structureOf(at.Cursor)
	references := hasReferences(at.Type)
	switch {
	case structure == object: // its fields are compared one by one, since each may be set later on its own
		if at.Schema.Nullable {
			at = at.block(mayBeNull(at.name()))
		}
		at.all = whole
		at.loose = at.Type.Kind == model.Struct && at.zeroIsUnset
		a.immutableFields(at)
	// The value has no fields with rules of their own, or all of them are immutable together.
	case structure == single, whole && !references, structure == replaced && !references && allMarked(elem.Type.Deref(), nil):
		switch {
		case whole || structure == replaced:
			a.addImmutable(at)
		case at.Type.Deref().Elem != nil && (elem.Type.Deref().Immutable() || at.Type.Leaf().Immutable()):
			a.warnIneffective(at, obstacle{"only its elements have a type with the marker, and they have no fields", "mark the field, too, or remove the marker"})
		}
	case structure == replaced && whole: // resolving a reference replaces the whole list, which the rule would refuse
		a.warnIneffective(at, obstacle{"references in its items are resolved later, and the list is replaced as a whole",
			"make it listType=map with a listMapKey, or remove the marker"})
	// oldSelf doesn't exist for the items of a list without keys.
	case structure == replaced:
		remedy := "make that list listType=map with a listMapKey, mark the list, or remove the marker"
		if references {
			remedy = "make that list listType=map with a listMapKey, or remove the marker"
		}
		at = at.block(obstacle{at.name() + " is replaced as a whole", remedy})
		a.immutableFields(at.element(elem, nil))
	default: // the API server pairs old and new elements by their keys
		if marked {
			a.warnIneffective(at, obstacle{"references in it are resolved later", "mark the fields in it instead"})
		}
		at.all = whole
		a.immutableFields(at.element(elem, at.Schema.XListMapKeys))
	}
}

// addImmutable adds the rule that a field is immutable.
func (a *applier) addImmutable(at target) {
	for _, o := range []*obstacle{unreadable(at.Schema), incomparable(at.Cursor, "it")} {
		if o != nil {
			at = at.block(obstacle{o.why, o.or("remove the marker")})
		}
	}
	if at.blocked != nil {
		a.warnIneffective(at, *at.blocked)
		return
	}
	self, old := cel.Self.Field(at.chain...), cel.OldSelf.Field(at.chain...)
	now, before := value{self, at.Type.Deref(), at.Schema}, value{old, at.Type.Deref(), at.Schema}
	// The leaves of the object are compared, and a rule can't look into null.
	if now.isObject() && at.Schema.Nullable && (at.zeroIsUnset || now.loss("") != nil) {
		a.warnIneffective(at, mayBeNull(at.name()))
		return
	}
	var alternatives []cel.Expr
	var tolerance provenance.Tolerance
	reason := "is immutable once it is set"
	if at.guard != nil {
		alternatives = append(alternatives, at.guard.observed)
		tolerance.Observed = true
		reason += " unless the resource is only observed"
	}
	// A field that wasn't set before may be set.
	for _, condition := range old.Set(len(at.chain) - at.given) {
		alternatives = append(alternatives, cel.Not(condition))
	}
	if zero := before.isZero(true); at.zeroIsUnset && !zero.IsNone() {
		alternatives = append(alternatives, zero)
		tolerance.Empty = true
	}
	same, why := a.same(now, before, at.name(), 0)
	l := now.loss(at.name())
	tolerance.Form, tolerance.Reference = l != nil, now.holdsReference()
	hasForms := tolerance.Reference || l != nil && l.name != at.name()
	if why == nil && hasForms && !a.affordable(at, same) { // a version has room for only a few dozen rules this expensive
		if l == nil {
			l = &loss{name: at.name()}
		}
		why = &obstacle{
			fmt.Sprintf("updates from Go may write %s in another form, and a comparison that allows for it would cost the API server too much",
				l.name),
			l.remedy(now),
		}
	}
	if why != nil {
		// The next best rule allows any change to a value that loses something with the
		// first update from Go.
		same, tolerance.Reference = cel.Op(self, "==", old), false
		if now.loss("") != nil {
			loses, ok := before.losesContent(0)
			same = cel.Or(same, loses)
			if !ok || !a.affordable(at, same) {
				a.warnIneffective(at, *why)
				return
			}
			tolerance.Form, tolerance.Omission = false, true
		}
	}
	set := self.Set(len(at.chain) - at.given)
	kept := cel.And(append(slices.Clip(set), same)...)
	// A reference that was resolved may take the place of its value.
	if given := at.givenInstead(); len(given) > 0 {
		kept = cel.And(append(set[:len(set)-1], cel.If(self.Has(), same, cel.And(given...)))...)
		tolerance.Reference = true
	}
	rule := apiextensionsv1.ValidationRule{
		Rule:    cel.Or(append(alternatives, kept)...).Short().String(),
		Message: at.subject() + " can't be changed once set",
	}
	a.add(at.anchor, at.chain, rule, provenance.Decision{Field: at.Path, Pos: at.Pos, Reason: reason, Immutable: true, Tolerance: tolerance})
}

// maxSameCost is the most that a rule may cost that compares the contents of lists and
// maps. A version has room for a few dozen of them.
const maxSameCost = crdvalidation.MaxRuleCost / 2

// affordable reports whether a condition on a field costs no more than [maxSameCost].
func (a *applier) affordable(at target, condition cel.Expr) bool {
	rule := apiextensionsv1.ValidationRule{Rule: condition.Short().String()}
	return a.settings.Validator.Cost(a.root.Schema, at.anchor, at.chain, rule) <= maxSameCost
}

// givenInstead returns the conditions that a reference is set by the value that it resolves to. It returns nothing if
// the field isn't such a reference or if rules can't tell.
func (t target) givenInstead() []cel.Expr {
	around := *t.Above
	if t.Field == nil || around.Type == nil {
		return nil
	}
	values := &operand{Cursor: around, object: cel.Self.Field(t.chain[:len(t.chain)-1]...)}
	var given []cel.Expr
	for name, at := range around.Properties() {
		if at.Field == nil || !slices.Contains(around.Type.Deref().Companions(at.Field), t.Field.JSONName) {
			continue
		}
		if at.Schema.Nullable || !values.canRead(name) {
			return nil
		}
		given = append(given, values.hasField(name))
	}
	return given
}

// warnIneffective warns that a marker has no effect.
func (a *applier) warnIneffective(at target, o obstacle) {
	a.decisions = append(a.decisions, provenance.Decision{
		Field:     at.Path,
		Pos:       at.Pos,
		Reason:    "is not immutable, since " + o.why,
		Immutable: true,
	})
	a.diags = append(a.diags, diag.Warningf(at.Pos, codeImmutable, "+immutable has no effect on %s: %s: %s", at.name(), o.why, o.remedy).
		As("+immutable has no effect on %%d fields of %s: %s: %s", a.object.Name, strings.ReplaceAll(o.why, at.name(), "the field"),
			strings.ReplaceAll(o.remedy, at.name(), "the field")))
}

// markedByEmbedding returns the fields of embedded structs whose embedding is marked.
func markedByEmbedding(t *model.Type) map[*model.Field]bool {
	marked, seen := map[*model.Field]bool{}, map[*model.Type]bool{}
	var visit func(t *model.Type, all bool)
	visit = func(t *model.Type, all bool) {
		if seen[t] { // a struct may embed itself by a pointer
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

// allMarked reports whether every field in a struct is marked, at any depth.
func allMarked(t *model.Type, around []*model.Type) bool {
	if t.Immutable() || slices.Contains(around, t) { // a type within itself adds no other fields
		return true
	}
	if t.Kind != model.Struct || len(t.Fields) == 0 { // a value other than a struct has no place for markers
		return false
	}
	return !slices.ContainsFunc(t.Fields, func(f *model.Field) bool {
		return !f.Ignored && !f.Immutable() && !allMarked(f.Type.Leaf(), append(slices.Clip(around), t))
	})
}

// hasReferences reports whether a value, or a field in it, is resolved from another
// resource.
func hasReferences(t *model.Type) bool {
	return t.HoldsField(func(f *model.Field) bool { return f.OwnMarker(markers.ReferenceType) != nil })
}

// IsSelector reports whether a type is Crossplane's Selector, of any generation.
func IsSelector(t *model.Type) bool {
	return isOneOf(t, func(r flavor.References) string { return r.Selector })
}

// isReference reports whether a type is Crossplane's Reference, of any generation.
func isReference(t *model.Type) bool {
	return isOneOf(t, func(r flavor.References) string { return r.Reference })
}

// isOneOf reports whether a type has the name that a generation's references have for it.
func isOneOf(t *model.Type, name func(flavor.References) string) bool {
	t = t.Deref()
	return slices.ContainsFunc(flavor.ManagedGenerations(), func(g flavor.Generation) bool {
		return t.Name == name(g.References) && slices.Contains(g.References.Declarations, t.Package)
	})
}
