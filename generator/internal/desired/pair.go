package desired

import (
	"slices"

	"github.com/mrgen-io/mrgen/generator/internal/constraint"
	"github.com/mrgen-io/mrgen/generator/internal/mapping"
	"github.com/mrgen-io/mrgen/generator/internal/model"
)

// A pair is a struct of the desired state, the target, with the one that mirrors it, and
// what is demanded of the former.
type pair struct {
	*mapping.Pair
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
	fields          []mapping.Access
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
	beside []mapping.Access
	// unchecked is set if rules are about the field that generated code doesn't evaluate.
	unchecked bool
	// isPinned is set if Go always writes a value for the field, which then can't change.
	isPinned bool
	// isFilled is set where code is written that fills the field, not compares it.
	isFilled bool
}

// An access is one whose embedded pointers may be known to be set.
type access struct {
	mapping.Access
	// isSafe is set where no embedded pointer on the way is nil.
	isSafe bool
}

// indirect reports whether an embedded pointer that may be nil leads to the field.
func (a access) indirect() bool { return !a.isSafe && a.Indirect() }

// immutable reports whether the desired field can't change once it is set.
func (f field) immutable() bool {
	return f.setOnce() || slices.ContainsFunc(f.desired.Path, (*model.Field).Immutable)
}

// demanded reports whether a new desired struct needs an observed value for the field: it
// is required, or spec may refuse the value that Go writes in its place.
func (f field) demanded() bool {
	declared := f.desired.Field()
	switch {
	case declared.Required:
		return true
	case f.relation.Shape == mapping.Struct:
		return writes(declared)
	default:
		return f.relation.Shape == mapping.Scalar && declared.AlwaysMarshals() && !f.relation.acceptsZero()
	}
}

// writes reports whether Go writes values for a field, or for fields in it, that nobody
// gave.
func writes(f *model.Field) bool {
	if f.Type.Kind != model.Struct || !f.AlwaysMarshals() {
		return f.AlwaysMarshals()
	}
	return slices.ContainsFunc(mapping.Fields(f.Type), func(a mapping.Access) bool {
		return !a.Indirect() && (a.Field().Required || a.Field() != f && writes(a.Field()))
	})
}

// setOnce reports whether no part of the desired field can change once it is set.
func (f field) setOnce() bool {
	return f.relation.setOnce || f.relation.Shape == mapping.Struct && f.relation.pair.setOnce
}

// guard returns the embedded structs on the way to the desired field, if one is a pointer
// that can't be set without fields being written that nobody set: Go writes them always.
func (f field) guard() []*model.Field {
	embedded := f.desired.Embedded()
	isWritten := func(a mapping.Access) bool { return !a.Indirect() && a.Field().AlwaysMarshals() }
	for _, step := range embedded {
		if step.Type.Kind == model.Pointer && slices.ContainsFunc(mapping.Fields(step.Type.Elem), isWritten) {
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
	declared := f.desired.Field()
	switch declared.Type.Kind {
	case model.Pointer, model.Slice, model.Map:
		return false
	}
	return declared.Required && !declared.OmitEmpty && !declared.OmitZero && !f.desired.indirect()
}

// entered reports whether the field is a struct that is filled field by field if it is
// set.
func (f field) entered() bool {
	return f.relation.Shape == mapping.Struct && !f.unchecked && !f.setOnce()
}

// matcher adds to pairs what is demanded of the desired state.
type matcher struct {
	mapper      *mapping.Mapper
	constraints Constraints
	typeSets    map[*model.Type]constraint.Set
	pairs       map[*mapping.Pair]*pair
}

// pair returns a pair with what is demanded of its desired struct.
func (m *matcher) pair(of *mapping.Pair) *pair {
	if known := m.pairs[of]; known != nil {
		return known
	}
	p := &pair{Pair: of, desiredOnly: omitted(of.TargetOnly), secret: omitted(of.Excluded), incomparable: omitted(of.Unrelated)}
	for _, a := range of.SourceOnly {
		p.observedOnly = append(p.observedOnly, omission{jsonName: a.Field().JSONName})
	}
	m.pairs[of] = p
	fields := mapping.Fields(of.Target)
	m.restrict(p, fields)
	for _, both := range of.Fields {
		declared := both.Target.Field()
		r := m.relate(both.Relation, []ownedSet{{m.constraints.FieldConstraints(declared), of.Target.Name + declared.Name}})
		f := field{
			jsonName: both.JSONName, desired: access{Access: both.Target}, observed: access{Access: both.Source},
			relation: r, beside: p.beside(both.Target, fields),
		}
		f.isPinned = (of.Target.Deref().Immutable() || f.immutable()) && declared.AlwaysMarshals()
		// The rule of the author of a field that can't change takes what is empty for a
		// value, which this field can't tell from none.
		f.unchecked = r.unchecked || p.ruled.has(f.jsonName) || f.setOnce() && !isNilable(declared.Type) || f.isPinned && !declared.Required
		p.fields = append(p.fields, f)
	}
	return p
}

// omitted returns the fields of a desired struct as ones that are left out.
func omitted(fields []mapping.Access) []omission {
	var left []omission
	for _, a := range fields {
		f := a.Field()
		left = append(left, omission{f.JSONName, f.Required, writes(f)})
	}
	return left
}

// beside returns the fields that stand in for a field, or exclude it: its reference and
// selector, and others of a group of which at most one may be set.
func (p *pair) beside(a mapping.Access, fields []mapping.Access) []mapping.Access {
	var found []mapping.Access
	add := func(other mapping.Access) {
		if other.Field() != a.Field() && !slices.ContainsFunc(found, func(f mapping.Access) bool { return f.Field() == other.Field() }) {
			found = append(found, other)
		}
	}
	reference, selector := a.Field().ReferenceNames()
	for _, other := range fields {
		if name := other.Field().Name; name == reference || name == selector {
			add(other)
		}
	}
	for _, g := range p.groups {
		if g.atMost && slices.ContainsFunc(g.fields, func(other mapping.Access) bool { return other.Field() == a.Field() }) {
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
	return p.any(func(f field) bool { return f.desired.Field().Required && f.takes() })
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
			found = append(found, omission{jsonName: f.jsonName, required: f.desired.Field().Required || f.entered()})
		}
	}
	return found
}

// fixed returns the fields that are not filled since they can't change.
func (p *pair) fixed() []omission {
	var found []omission
	for _, f := range p.fields {
		if f.isPinned && f.unchecked {
			found = append(found, omission{jsonName: f.jsonName, required: f.desired.Field().Required})
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
