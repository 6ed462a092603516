// Package desired writes the methods of types of spec.forProvider that bring the
// desired and the observed state together: LateInitialize, Adopt and Diff.
//
// Which fields correspond is decided first, by package mapping, and then what is demanded
// of the desired ones. The result is plain data: pairs of structs. Functions are then
// written for the pairs that the methods need.
package desired

import (
	"github.com/dave/jennifer/jen"

	"github.com/mrgen-io/mrgen/generator/internal/constraint"
	"github.com/mrgen-io/mrgen/generator/internal/mapping"
	"github.com/mrgen-io/mrgen/generator/internal/model"
	"github.com/mrgen-io/mrgen/generator/internal/render/gosrc"
)

// A Method is a method that is written for parameters, by its name.
type Method string

const (
	// LateInitialize fills what is unset in the desired state, and reports whether
	// anything changed.
	LateInitialize Method = "LateInitialize"
	// Adopt copies required fields that are unset in the desired state.
	Adopt Method = "Adopt"
	// Diff returns the JSON paths at which the observed state contradicts the
	// desired one.
	Diff Method = "Diff"
)

// Methods returns all methods, in the order in which they are written.
func Methods() []Method { return []Method{LateInitialize, Adopt, Diff} }

// Parameters is a struct type of spec.forProvider with the one of
// status.atProvider that mirrors it, and the methods to write. All types that
// they are made of are declared.
type Parameters struct {
	Desired, Observed *model.Type
	Methods           []Method
	// Kinds have the types.
	Kinds []*model.Object
}

// Constraints tell what markers demand of values.
type Constraints interface {
	FieldConstraints(*model.Field) constraint.Set
	TypeConstraints(*model.Type) constraint.Set
}

// A Target is where methods are written to.
type Target struct {
	File *gosrc.Jennifer
	// Package is the import path of the file's package, and Names has the names in it.
	Package string
	Names   *gosrc.Package
	// DeclaresType reports whether the package declares a type of that name.
	DeclaresType func(name string) bool
	// Type returns a type as it is written in the file.
	Type func(*model.Type) *jen.Statement
	// DeepCopies reports whether a type has a method DeepCopyInto, or will have one
	// when all code is generated.
	DeepCopies func(*model.Type) bool
	// Secret reports whether a field of spec.forProvider holds a secret, or refers to
	// one. Such a field is neither filled nor compared, whatever is observed.
	Secret func(*model.Field) bool
	// Constraints tell what the API server demands of what is written into spec.
	Constraints Constraints
}

// Write writes the methods of all parameters, which are declared in one package,
// and the functions that the methods need.
func Write(to Target, all []Parameters) error {
	w, err := newPairWriter(to)
	if err != nil {
		return err
	}
	m := &matcher{
		mapper: mapping.NewMapper(to.Package, to.Secret), constraints: to.Constraints,
		typeSets: map[*model.Type]constraint.Set{}, pairs: map[*mapping.Pair]*pair{},
	}
	for _, p := range all {
		of := m.pair(m.mapper.Pair(p.Desired, p.Observed))
		m.regard(of, p.Kinds)
		for _, method := range p.Methods {
			w.method(method, of)
		}
	}
	w.functions()
	w.patternVariables()
	w.helpers()
	return nil
}
