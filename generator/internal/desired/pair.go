package desired

import (
	"go/token"
	"slices"

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
}

// An omission is a field that is left out of a pair.
type omission struct {
	jsonName string
	// required is set if the field is one of the desired state that is required.
	required bool
}

// A field is a field that both structs of a pair have.
type field struct {
	jsonName          string
	desired, observed access
	relation          *relation
}

// An access leads from a struct to a field of it that encoding/json sees: embedded
// structs, if any, and then the field.
type access struct {
	path []*model.Field
	// promoted is set if Go selects the field on the struct itself.
	promoted bool
}

func (a access) field() *model.Field { return a.path[len(a.path)-1] }

// indirect reports whether an embedded pointer leads to the field.
func (a access) indirect() bool {
	return slices.ContainsFunc(a.path[:len(a.path)-1], func(f *model.Field) bool { return f.Type.Kind == model.Pointer })
}

// immutable reports whether the desired field can't change once it is set.
func (f field) immutable() bool {
	return slices.ContainsFunc(f.desired.path, (*model.Field).Immutable)
}

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

// pairKey names the types of a pair.
type pairKey struct{ desiredPackage, desiredName, observedPackage, observedName string }

// matcher makes pairs, each once.
type matcher struct {
	// home is the import path of the package that code is written into.
	home string
	// secret reports whether a desired field is left out as it is a secret.
	secret func(*model.Field) bool
	pairs  map[pairKey]*pair
}

// pair returns the pair of two struct types.
func (m *matcher) pair(desired, observed *model.Type) *pair {
	key := pairKey{desired.Package, desired.Name, observed.Package, observed.Name}
	if known := m.pairs[key]; known != nil {
		return known
	}
	p := &pair{desired: desired, observed: observed}
	m.pairs[key] = p
	observedFields := fieldsOf(observed)
	for _, d := range fieldsOf(desired) {
		declared := d.field()
		left := omission{declared.JSONName, declared.Required}
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
		r := m.relate(declared.Type, o.field().Type, declared.Markers)
		if r != nil && m.reaches(desired, d) && m.reaches(observed, o) {
			p.fields = append(p.fields, field{declared.JSONName, d, o, r})
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
				found = append(found, access{slices.Clone(path), t.GoField(f.Name) == f})
			}
			path = path[:len(path)-1]
		}
	}
	visit(t)
	return found
}

// adoptable reports whether a desired struct of the pair may have required fields
// to copy, itself or in the structs that it holds.
func (p *pair) adoptable() bool {
	return p.any(func(f field) bool { return f.desired.field().Required })
}

// fillable reports whether a desired struct of the pair may have fields to fill,
// itself or in the structs that it holds.
func (p *pair) fillable() bool {
	return p.any(func(f field) bool { return !f.alwaysSet() })
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
			return wanted(f) || f.relation.shape == structure && visit(f.relation.pair)
		})
	}
	return visit(p)
}
