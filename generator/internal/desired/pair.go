package desired

import (
	"go/token"
	"slices"

	"github.com/mrgen-io/mrgen/generator/internal/constraint"
	"github.com/mrgen-io/mrgen/generator/internal/model"
)

// A pair is a struct of the desired state with the one that mirrors it.
type pair struct {
	desired, observed *model.Type
	// fields are those that both structs have, in the order of the desired one.
	fields []field
	// The JSON names of the fields that are left out: those that only one of the
	// structs has, secrets that both have, and those whose types can't be compared.
	desiredOnly, observedOnly, secret, incomparable []omission
	// ruled are the desired fields that rules are about.
	ruled ruleFields
	// setOnce is set if the desired struct can't change once it is set.
	setOnce bool
	// partial is set if there are demands on the struct as a whole, which values made
	// of what is observed may not meet.
	partial bool
	// groups are those of desired fields of which so many may be set.
	groups []group
	// state says how far it is known whether whole values can be made.
	state wholeness
}

// A group is fields of a desired struct of which at most one may be set, or one must
// be, or both. References and selectors of these are among them: they become values.
type group struct {
	fields          []access
	atMost, atLeast bool
}

// A wholeness says whether values of a struct can be made of what is observed.
type wholeness uint8

const (
	unknownWholeness wholeness = iota
	// undecided stands while the fields of the struct are looked at: a struct that
	// requires itself has no values.
	undecided
	whole
	// ruledOut tells that rules are about the struct, and lacking that not all that it
	// requires is mirrored.
	ruledOut
	lacking
)

// An omission is a field that is left out of a pair.
type omission struct {
	jsonName string
	// required is set if the field is one of the desired state that is required, and
	// written if Go writes a value for it, also when nobody gave one.
	required, written bool
}

// A field is a field that both structs of a pair have.
type field struct {
	jsonName          string
	desired, observed access
	relation          *relation
	// beside are the desired fields that stand in for this one, or exclude it: it is
	// not filled where one of them is set.
	beside []access
	// unchecked is set if rules are about the field that generated code doesn't evaluate.
	unchecked bool
	// isPinned is set if Go always writes a value for the field, which then can't change.
	isPinned bool
	// isFilled is set where code is written that fills the field, not compares it.
	isFilled bool
}

// An access leads from a struct to a field of it that encoding/json sees: embedded
// structs, if any, and then the field.
type access struct {
	path []*model.Field
	// promoted is set if Go selects the field on the struct itself.
	promoted bool
	// isSafe is set where no embedded pointer on the way is nil.
	isSafe bool
}

func (a access) field() *model.Field { return a.path[len(a.path)-1] }

// indirect reports whether an embedded pointer leads to the field.
func (a access) indirect() bool {
	return !a.isSafe && slices.ContainsFunc(a.path[:len(a.path)-1], func(f *model.Field) bool { return f.Type.Kind == model.Pointer })
}

// immutable reports whether the desired field can't change once it is set.
func (f field) immutable() bool {
	return f.setOnce() || slices.ContainsFunc(f.desired.path, (*model.Field).Immutable)
}

// demanded reports whether a new desired struct needs an observed value for the field: it
// is required, or spec may refuse the value that Go writes in its place.
func (f field) demanded() bool {
	declared := f.desired.field()
	switch {
	case declared.Required:
		return true
	case f.relation.shape == structure:
		return writes(declared)
	default:
		return f.relation.shape == scalar && declared.AlwaysMarshals() && !f.relation.acceptsZero()
	}
}

// writes reports whether Go writes values for a field, or for fields in it, that nobody
// gave.
func writes(f *model.Field) bool {
	if f.Type.Kind != model.Struct || !f.AlwaysMarshals() {
		return f.AlwaysMarshals()
	}
	return slices.ContainsFunc(fieldsOf(f.Type), func(a access) bool {
		return !a.indirect() && (a.field().Required || a.field() != f && writes(a.field()))
	})
}

// setOnce reports whether no part of the desired field can change once it is set.
func (f field) setOnce() bool {
	return f.relation.setOnce || f.relation.shape == structure && f.relation.pair.setOnce
}

// guard returns the embedded structs on the way to the desired field, if one is a pointer
// that can't be set without fields being written that nobody set: Go writes them always.
func (f field) guard() []*model.Field {
	embedded := f.desired.path[:len(f.desired.path)-1]
	isWritten := func(a access) bool { return !a.indirect() && a.field().AlwaysMarshals() }
	for _, step := range embedded {
		if step.Type.Kind == model.Pointer && slices.ContainsFunc(fieldsOf(step.Type.Elem), isWritten) {
			return embedded
		}
	}
	return nil
}

// isNilable reports whether a type has a value that means absence.
func isNilable(t *model.Type) bool {
	return t.Kind == model.Pointer || t.Kind == model.Map || t.Kind == model.Slice && !t.Array
}

// takes reports whether the desired field can be set to what is observed, as a whole.
func (f field) takes() bool { return !f.unchecked && f.relation.wholeness() == whole }

// alwaysSet reports whether the desired field has a value in every object: it is
// required, and can't hold nothing. The zero value is then what a user gave.
func (f field) alwaysSet() bool {
	declared := f.desired.field()
	switch declared.Type.Kind {
	case model.Pointer, model.Slice, model.Map:
		return false
	}
	return declared.Required && !declared.OmitEmpty && !declared.OmitZero && !f.desired.indirect()
}

// entered reports whether the field is a struct that is filled field by field if it is
// set.
func (f field) entered() bool {
	return f.relation.shape == structure && !f.unchecked && !f.setOnce()
}

// pairKey names the types of a pair.
type pairKey struct{ desiredPackage, desiredName, observedPackage, observedName string }

// matcher makes pairs, each once.
type matcher struct {
	// home is the import path of the package that code is written into.
	home string
	// secret reports whether a desired field is left out as it is a secret.
	secret      func(*model.Field) bool
	constraints Constraints
	typeSets    map[*model.Type]constraint.Set
	pairs       map[pairKey]*pair
}

// pair returns the pair of two struct types.
func (m *matcher) pair(desired, observed *model.Type) *pair {
	key := pairKey{desired.Package, desired.Name, observed.Package, observed.Name}
	if known := m.pairs[key]; known != nil {
		return known
	}
	p := &pair{desired: desired, observed: observed}
	m.pairs[key] = p
	observedFields, desiredFields := fieldsOf(observed), fieldsOf(desired)
	m.restrict(p, desiredFields)
	for _, d := range desiredFields {
		declared := d.field()
		left := omission{declared.JSONName, declared.Required, writes(declared)}
		i := slices.IndexFunc(observedFields, func(o access) bool { return o.field().JSONName == declared.JSONName })
		if i < 0 {
			p.desiredOnly = append(p.desiredOnly, left)
			continue
		}
		o := observedFields[i]
		observedFields = slices.Delete(observedFields, i, i+1)
		if m.secret(declared) {
			p.secret = append(p.secret, left)
			continue
		}
		r := m.relate(declared.Type, o.field().Type, declared.Markers,
			[]ownedSet{{m.constraints.FieldConstraints(declared), desired.Name + declared.Name}})
		if r != nil && m.reaches(desired, d) && m.reaches(observed, o) {
			f := field{jsonName: declared.JSONName, desired: d, observed: o, relation: r, beside: p.beside(d, desiredFields)}
			f.isPinned = (desired.Deref().Immutable() || f.immutable()) && declared.AlwaysMarshals()
			// The rule of the author of a field that can't change takes what is empty for a
			// value, which this field can't tell from none.
			f.unchecked = r.unchecked || p.ruled.has(declared.JSONName) || f.setOnce() && !isNilable(declared.Type) || f.isPinned && !declared.Required
			p.fields = append(p.fields, f)
		} else {
			p.incomparable = append(p.incomparable, left)
		}
	}
	for _, o := range observedFields {
		p.observedOnly = append(p.observedOnly, omission{jsonName: o.field().JSONName})
	}
	return p
}

// reaches reports whether code can get at a field of a struct: in other packages,
// all that it names must be exported.
func (m *matcher) reaches(t *model.Type, a access) bool {
	return t.Package == m.home || a.promoted && !a.indirect() ||
		!slices.ContainsFunc(a.path, func(f *model.Field) bool { return !token.IsExported(f.Name) })
}

// fieldsOf returns the ways to the fields of a struct that encoding/json sees.
func fieldsOf(t *model.Type) []access {
	var found []access
	var path []*model.Field
	var visit func(*model.Type)
	visit = func(of *model.Type) {
		for _, f := range of.Fields {
			if slices.Contains(path, f) {
				continue
			}
			path = append(path, f)
			switch {
			case f.Inline:
				visit(f.Type.Deref())
			case f.JSONName != "" && !f.Ignored && t.Field(f.JSONName) == f &&
				!slices.ContainsFunc(found, func(a access) bool { return a.field() == f }):
				found = append(found, access{path: slices.Clone(path), promoted: t.GoField(f.Name) == f})
			}
			path = path[:len(path)-1]
		}
	}
	visit(t)
	return found
}

// restrict records what the markers of a desired struct, and those of the structs that
// it embeds, demand of it.
func (m *matcher) restrict(p *pair, fields []access) {
	var sets []constraint.Set
	addType := func(t *model.Type) {
		for ; t != nil; t = t.Of {
			sets = append(sets, m.typeConstraints(t))
		}
	}
	addType(p.desired)
	var visit func(*model.Type)
	visit = func(t *model.Type) {
		for _, f := range t.Fields {
			if inner := f.Type.Deref(); f.Inline && inner != p.desired && inner.Local {
				sets = append(sets, m.constraints.FieldConstraints(f))
				addType(inner)
				visit(inner)
			}
		}
	}
	visit(p.desired)
	for _, s := range sets {
		left := s.Schema
		for _, rule := range left.XValidations {
			if isSetOnce(rule) {
				p.setOnce = true
				continue
			}
			p.partial = true
			p.ruled.add(rule.Rule, nil)
		}
		left.XValidations = nil
		// Nothing that is filled makes too few of the fields that are set.
		p.partial = p.partial || left.MinProperties != nil
		left.MinProperties = nil
		if !demandsNothing(left) || len(s.Unknown) > 0 {
			p.partial, p.ruled.all = true, true
		}
		for _, of := range s.OneOf {
			p.groups = append(p.groups, group{selected(fields, slices.Concat(p.desired.Alternatives(of.Fields)...)), of.AtMost, of.AtLeast})
		}
	}
}

// selected returns the fields of these JSON names.
func selected(fields []access, jsonNames []string) []access {
	return slices.DeleteFunc(slices.Clone(fields), func(a access) bool { return !slices.Contains(jsonNames, a.field().JSONName) })
}

// regard records what the declarations of kinds demand of a struct that is their
// spec.forProvider.
func (m *matcher) regard(p *pair, kinds []*model.Object) {
	for _, o := range kinds {
		forProvider := o.Spec.Part("forProvider")
		own := m.constraints.FieldConstraints(forProvider).Schema
		p.ruled.addAll(own.XValidations)
		p.ruled.addAll(m.constraints.FieldConstraints(o.Spec).Schema.XValidations, "forProvider")
		p.ruled.addAll(m.typeConstraints(o.Spec.Type.Deref()).Schema.XValidations, "forProvider")
		p.ruled.addAll(m.typeConstraints(o.Type).Schema.XValidations, "spec", "forProvider")
		own.XValidations, own.MinProperties = nil, nil
		p.ruled.all = p.ruled.all || !demandsNothing(own)
	}
	p.ruled.all = p.ruled.all || p.setOnce
	for i, f := range p.fields {
		// What is desired has been written before.
		p.fields[i].unchecked = f.unchecked || p.ruled.has(f.jsonName) || f.isPinned
	}
}

// beside returns the fields that stand in for a field, or exclude it: its reference and
// selector, and others of a group of which at most one may be set.
func (p *pair) beside(a access, fields []access) []access {
	var found []access
	add := func(other access) {
		if other.field() != a.field() && !slices.ContainsFunc(found, func(f access) bool { return f.field() == other.field() }) {
			found = append(found, other)
		}
	}
	reference, selector := a.field().ReferenceNames()
	for _, other := range fields {
		if name := other.field().Name; name == reference || name == selector {
			add(other)
		}
	}
	for _, g := range p.groups {
		if g.atMost && slices.ContainsFunc(g.fields, func(other access) bool { return other.field() == a.field() }) {
			for _, other := range g.fields {
				add(other)
			}
		}
	}
	return found
}

// adoptable reports whether a desired struct of the pair may have required fields
// to copy, itself or in the structs that it holds.
func (p *pair) adoptable() bool {
	return p.any(func(f field) bool { return f.desired.field().Required && f.takes() })
}

// pinned reports whether the desired struct, or one that it holds, has required fields
// that can be set in a new struct only.
func (p *pair) pinned() bool { return p.any(func(f field) bool { return f.isPinned }) }

// fillable reports whether a desired struct of the pair may have fields to fill,
// itself or in the structs that it holds.
func (p *pair) fillable() bool {
	return p.any(func(f field) bool { return !f.alwaysSet() && f.takes() })
}

// wholeness says whether whole values of the desired struct can be made, if all that it
// requires is observed.
func (p *pair) wholeness() wholeness {
	if p.state != unknownWholeness {
		return p.state
	}
	p.state = undecided
	result := whole
	left := slices.Concat(p.desiredOnly, p.secret, p.incomparable)
	switch {
	case p.partial:
		result = ruledOut
	case slices.ContainsFunc(left, func(o omission) bool { return o.required || o.written }):
		result = lacking
	}
	for _, f := range p.fields {
		switch of := f.relation.wholeness(); {
		case result != whole || !f.demanded():
		case f.unchecked:
			result = ruledOut
		case of == undecided:
			result = lacking
		default:
			result = of
		}
	}
	p.state = result
	return result
}

// notTaken returns the fields that can't be set as a whole, and for which this is the
// reason. What is in some of them may be filled all the same.
func (p *pair) notTaken(reason wholeness, isInsideFilled bool) []omission {
	var found []omission
	for _, f := range p.fields {
		of := f.relation.wholeness()
		if f.unchecked {
			of = ruledOut
		}
		if of == reason && !f.isPinned && (of != ruledOut || f.entered() == isInsideFilled) {
			found = append(found, omission{jsonName: f.jsonName, required: f.desired.field().Required || f.entered()})
		}
	}
	return found
}

// fixed returns the fields that are not filled since they can't change.
func (p *pair) fixed() []omission {
	var found []omission
	for _, f := range p.fields {
		if f.isPinned && f.unchecked {
			found = append(found, omission{jsonName: f.jsonName, required: f.desired.field().Required})
		}
	}
	return found
}

// demanding reports whether what is observed may not do for a whole value: something is
// required of it.
func (p *pair) demanding() bool {
	return slices.ContainsFunc(p.fields, field.demanded) ||
		slices.ContainsFunc(p.groups, func(g group) bool { return g.atLeast })
}

// any reports whether a field of the pair, or of the structs that it holds, is as
// wanted.
func (p *pair) any(wanted func(field) bool) bool {
	seen := map[*pair]bool{}
	var visit func(*pair) bool
	visit = func(p *pair) bool {
		if seen[p] {
			return false
		}
		seen[p] = true
		return slices.ContainsFunc(p.fields, func(f field) bool {
			return wanted(f) || f.entered() && visit(f.relation.pair)
		})
	}
	return visit(p)
}
