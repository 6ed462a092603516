// Package mapping pairs structs of two versions, field by field, by the names that their fields have
// in JSON, and says how values are converted in both directions.
//
// It decides on declarations alone. Its users write the code.
package mapping

import (
	"go/token"
	"slices"

	"github.com/mrgen-io/mrgen/generator/internal/model"
)

// A Pair is two structs that correspond. Values go from the source to the target.
type Pair struct {
	Target, Source *model.Type
	// Fields are the fields of both structs, in the order of the target's.
	Fields []*Field
	// TargetOnly and SourceOnly are the fields that one of the structs has.
	TargetOnly, SourceOnly []model.Access
	// Unrelated are fields that both structs have, and whose types don't correspond, or that
	// code can't get at.
	Unrelated []*Field
}

// A Field is a field that both structs of a pair have. Its name is that in the target.
type Field struct {
	JSONName       string
	Target, Source model.Access
	Relation       *Relation
}

// A Mapper makes pairs, each once.
type Mapper struct {
	home        string
	conversions Conversions
	pairs       map[pairKey]*Pair
}

// Conversions say what corresponds, beyond names and types that are alike. Their markers stand at the
// target's fields.
type Conversions struct {
	// Renamed reports whether a field of the source, which has no field of the target's name,
	// is that of the target by another name.
	Renamed func(target, source *model.Field) bool
	// Custom reports whether a field is converted by functions of its author.
	Custom func(target, source *model.Field) bool
	// Singleton reports whether a field is a list in one of the structs, which stands for a
	// value in the other.
	Singleton func(target *model.Field) bool
	// Markers returns the markers of a field, which name the keys of its list.
	Markers func(*model.Field) []model.Marker
}

// pairKey names the types of a pair.
type pairKey struct{ targetPackage, targetName, sourcePackage, sourceName string }

// NewMapper returns a Mapper for code in the package with that import path: in others,
// such code reaches only exported names.
func NewMapper(home string, conversions Conversions) *Mapper {
	return &Mapper{home: home, conversions: conversions, pairs: map[pairKey]*Pair{}}
}

// Pair returns the pair of two declared structs.
func (m *Mapper) Pair(target, source *model.Type) *Pair {
	key := pairKey{target.Package, target.Name, source.Package, source.Name}
	if known := m.pairs[key]; known != nil {
		return known
	}
	p := &Pair{Target: target, Source: source}
	m.pairs[key] = p // before its fields are looked at: types may be part of themselves
	left := model.JSONFields(source)
	for _, to := range model.JSONFields(target) {
		field := to.Field()
		i := slices.IndexFunc(left, func(from model.Access) bool { return from.Field().JSONName == field.JSONName })
		if i < 0 {
			i = slices.IndexFunc(left, func(from model.Access) bool {
				return m.conversions.Renamed(field, from.Field()) && target.Field(from.Field().JSONName) == nil
			})
		}
		if i < 0 {
			p.TargetOnly = append(p.TargetOnly, to)
			continue
		}
		from := left[i]
		left = slices.Delete(left, i, i+1)
		both := &Field{JSONName: field.JSONName, Target: to, Source: from, Relation: m.Relate(field, from.Field())}
		if both.Relation == nil || !m.reaches(target, to) || !m.reaches(source, from) {
			p.Unrelated = append(p.Unrelated, both)
			continue
		}
		p.Fields = append(p.Fields, both)
	}
	p.SourceOnly = left
	return p
}

// reaches reports whether code can get at a field of a struct. In other packages, it only names what is exported,
// and needs no names of embedded structs if Go promotes the field.
func (m *Mapper) reaches(of *model.Type, a model.Access) bool {
	if of.Package == m.home {
		return true
	}
	isPromoted := a.Promoted && !a.Indirect()
	isHidden := slices.ContainsFunc(a.Embedded(), func(f *model.Field) bool { return !token.IsExported(f.Name) })
	return token.IsExported(a.Field().Name) && (isPromoted || !isHidden)
}
