// Package lateinit writes the methods of types of spec.forProvider that bring the
// desired and the observed state together: LateInitialize and Diff.
//
// Package mapping pairs the fields, and this package adds the constraints on the desired
// ones. The result is plain data: pairs of structs. It then writes functions for the pairs
// that the methods need.
package lateinit

import (
	"github.com/dave/jennifer/jen"

	"github.com/mrgen-io/mrgen/generator/internal/constraint"
	"github.com/mrgen-io/mrgen/generator/internal/fieldmarkers"
	"github.com/mrgen-io/mrgen/generator/internal/mapping"
	"github.com/mrgen-io/mrgen/generator/internal/model"
	"github.com/mrgen-io/mrgen/generator/internal/render/gosrc"
)

// A Method is the name of a generated method.
type Method string

const (
	// LateInitialize fills what is unset in the desired state, and reports whether
	// anything changed.
	LateInitialize Method = "LateInitialize"
	// Diff returns the JSON paths at which the observed state contradicts the
	// desired one.
	Diff Method = "Diff"
	// ImmutableFields returns those of the paths that Diff returned whose fields can't change
	// once they are set.
	ImmutableFields Method = "ImmutableFields"
	// CreateParameters returns the desired state with what spec.initProvider adds.
	CreateParameters Method = "CreateParameters"
)

// Methods returns all methods of parameters, in the order in which they are written.
func Methods() []Method { return []Method{LateInitialize, Diff, ImmutableFields} }

// Parameters is a struct type of spec.forProvider, with the one of status.atProvider that
// mirrors it, and the methods to write. Neither contains missing types.
type Parameters struct {
	Desired, Observed *model.Type
	Methods           []Method
	// Treatment is that of fields without markers of their own or around them.
	Treatment fieldmarkers.Treatment
	// Kinds are those that use the types.
	Kinds []*model.Object
}

// Constraints returns the constraints that markers put on fields and types.
type Constraints interface {
	FieldConstraints(*model.Field) constraint.Set
	TypeConstraints(*model.Type) constraint.Set
}

// A Target says where and how to write methods.
type Target struct {
	File *gosrc.Jennifer
	// Package is the import path of the file's package, and Names has the names in it.
	Package string
	Names   *gosrc.Package
	// DeclaresType reports whether the package declares a type of that name.
	DeclaresType func(name string) bool
	// Type returns the source of a type in the file.
	Type func(*model.Type) *jen.Statement
	// Helper returns a function of the package of helpers, by its name.
	Helper func(name string) *jen.Statement
	// DeepCopies reports whether a type has a DeepCopyInto method once all code is generated.
	DeepCopies func(*model.Type) bool
	// Secret reports whether a field of spec.forProvider holds a secret, or refers to one.
	// Such a field is neither filled nor compared, whatever is observed.
	Secret func(*model.Field) bool
	// Constraints are those of the API server on values in spec.
	Constraints Constraints
}

// Write writes the methods of all parameters and specs, which one package declares, and the
// functions that the methods need.
func Write(to Target, all []Parameters, specs []Spec) {
	m := newMatcher(to, to.Secret, to.Constraints)
	given := newMatcher(to, func(*model.Field) bool { return false }, onlyGroups{to.Constraints})
	given.initial = true
	w := &pairWriter{Target: to, matcher: m, needed: map[function]bool{}, names: map[*pair]string{}}
	for _, p := range all {
		of := m.pair(m.mapper.Pair(p.Desired, p.Observed), p.Treatment)
		m.restrictByKinds(of, p.Kinds)
		for _, method := range p.Methods {
			w.method(method, of, p.Kinds)
		}
	}
	for _, s := range specs {
		w.specMethods(s, given)
	}
	w.functions()
	w.patternVariables()
}

// newMatcher returns a matcher for a package.
func newMatcher(to Target, exclude func(*model.Field) bool, constraints Constraints) *matcher {
	return &matcher{
		mapper: mapping.NewMapper(to.Package, exclude), constraints: constraints,
		typeSets: map[*model.Type]constraint.Set{}, pairs: map[treatedPair]*pair{},
	}
}
