package lateinit

import (
	"slices"

	"github.com/mrgen-io/mrgen/generator/internal/constraint"
	"github.com/mrgen-io/mrgen/generator/internal/fieldmarkers"
	"github.com/mrgen-io/mrgen/generator/internal/mapping"
	"github.com/mrgen-io/mrgen/generator/internal/model"
)

// A pair is a struct of the desired state, which is the target, and the struct that mirrors
// it, with the constraints on the former.
type pair struct {
	*mapping.Pair
	matcher *matcher
	// treatment is that of fields without markers.
	treatment fieldmarkers.Treatment
	// filled is set if the source is a type of initProvider, and the target one that is
	// observed: it is the pair of that with the desired struct.
	filled *pair
	// fields are those that both structs have, in the order of the desired one.
	fields []field
	// These fields are omitted: those that only one of the structs has, secrets that both
	// have, and those whose types can't be compared.
	desiredOnly, observedOnly, secret, incomparable []omission
	// ruled are the desired fields that rules read.
	ruled ruleFields
	// setOnce is set if the desired struct can't change once it is set.
	setOnce bool
	// partial is set if values made from observed ones may violate a constraint on the
	// struct as a whole.
	partial bool
	// groups are groups of desired fields with a bound on how many of them are set.
	groups []group
	// state caches whether whole values can be made.
	state constructible
}

// A group has fields of a desired struct of which at most one may be set, at least one must
// be set, or both. It includes their references and selectors, which resolve to values.
type group struct {
	fields          []mapping.Access
	atMost, atLeast bool
}

// constructible says whether values of a struct can be made from observed ones.
type constructible uint8

const (
	unknown constructible = iota
	// undecided is the state while the fields of the struct are visited: a struct that
	// requires itself has no values.
	undecided
	whole
	// ruledOut means that rules read the struct, and lacking that a required field is not
	// mirrored.
	ruledOut
	lacking
)

// An omission is a field that is omitted from a pair.
type omission struct {
	jsonName string
	// required is set if the desired field is required, and written if Go always writes a
	// value for it.
	required, written bool
}

// A field is a field that both structs of a pair have.
type field struct {
	jsonName          string
	desired, observed access
	relation          *relation
	treatment         fieldmarkers.Treatment
	// beside are the desired fields that replace this one, or exclude it: it is not filled if
	// one of them is set.
	beside []mapping.Access
	// unchecked is set if rules, which generated code doesn't evaluate, read the field.
	unchecked bool
	// isPinned is set if Go always writes a value for the field, which then can't change.
	isPinned bool
	// isFilled is set while writing code that fills the field, and not for comparisons.
	isFilled bool
}

// An access is a [mapping.Access] whose embedded pointers may be known to be set.
type access struct {
	mapping.Access
	// isSafe is set if no embedded pointer in the path is nil.
	isSafe bool
}

// indirect reports whether the path to the field has an embedded pointer that may be nil.
func (a access) indirect() bool { return !a.isSafe && a.Indirect() }

// immutable reports whether the desired field can't change once it is set.
func (f field) immutable() bool {
	return f.setOnce() || slices.ContainsFunc(f.desired.Path, (*model.Field).Immutable)
}

// demanded reports whether a new desired struct needs an observed value for the field: if it
// is required, or if spec may reject the zero value that Go would write.
func (f field) demanded() bool {
	declared := f.desired.Field()
	switch {
	case declared.Required:
		return true
	case f.relation.Shape == mapping.Struct:
		return writes(declared)
	default:
		return f.relation.Shape == mapping.Scalar && declared.Unset() == model.Written && !f.relation.acceptsZero()
	}
}

// writes reports whether Go writes values for a field, or for fields in it, that nobody set.
func writes(f *model.Field) bool {
	if f.Type.Kind != model.Struct || f.Unset() != model.Written {
		return f.Unset() == model.Written
	}
	return slices.ContainsFunc(mapping.Fields(f.Type), func(a mapping.Access) bool {
		return !a.Indirect() && (a.Field().Required || a.Field() != f && writes(a.Field()))
	})
}

// setOnce reports whether no part of the desired field can change once it is set.
func (f field) setOnce() bool {
	return f.relation.setOnce || f.relation.Shape == mapping.Struct && f.relation.pair.setOnce
}

// guard returns the embedded structs in the path to the desired field, if one is a pointer to
// a struct with fields that Go always writes: setting it would write these, too.
func (f field) guard() []*model.Field {
	embedded := f.desired.Embedded()
	isWritten := func(a mapping.Access) bool { return !a.Indirect() && a.Field().Unset() == model.Written }
	for _, step := range embedded {
		if step.Type.Kind == model.Pointer && slices.ContainsFunc(mapping.Fields(step.Type.Elem), isWritten) {
			return embedded
		}
	}
	return nil
}

// takes reports whether the desired field can be set to what is observed, as a whole.
func (f field) takes() bool { return !f.unchecked && f.relation.constructible() == whole }

// alwaysSet reports whether the desired field has a value in every object: it is
// required, and can't hold nothing. The zero value is then what a user gave.
func (f field) alwaysSet() bool {
	declared := f.desired.Field()
	switch declared.Type.Kind {
	case model.Pointer, model.Slice, model.Map:
		return false
	}
	return declared.Required && !declared.Omits() && !f.desired.indirect()
}

// filledInside reports whether the field is a struct that is filled field by field if it is
// set.
func (f field) filledInside() bool {
	return f.relation.Shape == mapping.Struct && !f.unchecked && !f.setOnce()
}

// matcher adds the constraints on the desired state to pairs.
type matcher struct {
	mapper      *mapping.Mapper
	constraints Constraints
	typeSets    map[*model.Type]constraint.Set
	pairs       map[treatedPair]*pair
	// initial is set if the source is initProvider, whose values spec accepts.
	initial bool
}

// A treatedPair is a pair whose fields have that treatment, unless markers say otherwise.
type treatedPair struct {
	*mapping.Pair
	fieldmarkers.Treatment
}

// pair returns a pair with the constraints on its desired struct.
func (m *matcher) pair(of *mapping.Pair, treated fieldmarkers.Treatment) *pair {
	if m.initial {
		treated = fieldmarkers.Treatment{Comparison: fieldmarkers.Exact} // markers are about what is observed
	}
	key := treatedPair{of, treated}
	if known := m.pairs[key]; known != nil {
		return known
	}
	var unrelated []mapping.Access
	for _, f := range of.Unrelated {
		unrelated = append(unrelated, f.Target)
	}
	p := &pair{Pair: of, matcher: m, treatment: treated, desiredOnly: omitted(of.TargetOnly), secret: omitted(of.Excluded), incomparable: omitted(unrelated)}
	for _, a := range of.SourceOnly {
		p.observedOnly = append(p.observedOnly, omission{jsonName: a.Field().JSONName})
	}
	m.pairs[key] = p
	fields := mapping.Fields(of.Target)
	m.restrict(p, fields)
	for _, both := range of.Fields {
		declared := both.Target.Field()
		treated := treated.At(both.Target.Path)
		r := m.relate(both.Relation, []ownedSet{{m.constraints.FieldConstraints(declared), of.Target.Name + declared.Name}}, treated)
		f := field{
			jsonName: both.JSONName, desired: access{Access: both.Target}, observed: access{Access: both.Source},
			relation: r, treatment: treated, beside: p.beside(both.Target, fields),
		}
		f.isPinned = (of.Target.Deref().Immutable() || f.immutable()) && declared.Unset() == model.Written
		// The author's rule for an immutable field counts an empty value as set, which this
		// field can't tell from unset.
		f.unchecked = r.unchecked || p.ruled.has(f.jsonName) || f.setOnce() && !declared.Type.IsNilable() || f.isPinned && !declared.Required
		p.fields = append(p.fields, f)
	}
	return p
}

// omitted returns omissions for fields of a desired struct.
func omitted(fields []mapping.Access) []omission {
	var left []omission
	for _, a := range fields {
		f := a.Field()
		left = append(left, omission{f.JSONName, f.Required, writes(f)})
	}
	return left
}

// beside returns the fields that replace a field, or exclude it: its reference and selector,
// and the others of a group of which at most one may be set.
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

// completable reports whether a desired struct of the pair may have required fields to copy, at
// any depth.
func (p *pair) completable() bool {
	return p.any(func(f field) bool { return f.desired.Field().Required && f.takes() })
}

// pinned reports whether the desired struct has required fields, at any depth, that can only
// be set in a new struct.
func (p *pair) pinned() bool { return p.any(func(f field) bool { return f.isPinned }) }

// fillable reports whether a desired struct of the pair may have fields to fill, at any depth.
func (p *pair) fillable() bool {
	return p.any(func(f field) bool { return !f.alwaysSet() && f.takes() && !f.treatment.Kept })
}

// constructible says whether whole values of the desired struct can be made, provided that all it
// requires is observed.
func (p *pair) constructible() constructible {
	if p.state != unknown {
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
		switch of := f.relation.constructible(); {
		case result != whole || !f.demanded():
		case f.unchecked:
			result = ruledOut
		case of == undecided, f.treatment.Kept && !f.desired.Field().Required:
			result = lacking
		default:
			result = of
		}
	}
	p.state = result
	return result
}

// notTaken returns the fields that can't be set as a whole for a reason. Fields in some of
// them may be filled nevertheless.
func (p *pair) notTaken(reason constructible, isInsideFilled bool) []omission {
	return p.omissions(func(f field) bool {
		of := f.relation.constructible()
		if f.unchecked {
			of = ruledOut
		}
		return of == reason && !f.isPinned && !f.treatment.Kept && (of != ruledOut || f.filledInside() == isInsideFilled)
	})
}

// fixed returns the fields that are not filled since they can't change.
func (p *pair) fixed() []omission {
	return p.omissions(func(f field) bool { return f.isPinned && f.unchecked })
}

// untreated returns the fields that markers take from a method.
func (p *pair) untreated(is func(fieldmarkers.Treatment) bool) []omission {
	return p.omissions(func(f field) bool { return is(f.treatment) && !is(p.treatment) })
}

// omissions returns the fields that match. Those that are completed in part count as required.
func (p *pair) omissions(matches func(field) bool) []omission {
	var found []omission
	for _, f := range p.fields {
		if matches(f) {
			found = append(found, omission{jsonName: f.jsonName, required: f.desired.Field().Required || f.filledInside()})
		}
	}
	return found
}

// demanding reports whether an observed value may lack something that a whole value needs.
func (p *pair) demanding() bool {
	if p.matcher.initial {
		return false
	}
	return slices.ContainsFunc(p.fields, field.demanded) ||
		slices.ContainsFunc(p.groups, func(g group) bool { return g.atLeast })
}

// fromName returns the name of the variable with the source.
func (p *pair) fromName() string {
	if p.matcher.initial {
		return initialName
	}
	return observedName
}

// any reports whether a field of the pair, at any depth, matches.
func (p *pair) any(matches func(field) bool) bool {
	seen := map[*pair]bool{}
	var visit func(*pair) bool
	visit = func(p *pair) bool {
		if seen[p] {
			return false
		}
		seen[p] = true
		return slices.ContainsFunc(p.fields, func(f field) bool {
			return matches(f) || f.filledInside() && visit(f.relation.pair)
		})
	}
	return visit(p)
}
