// Package lateinit writes the methods of types of spec.forProvider that bring the desired and the
// observed state together, such as LateInitialize and Diff.
//
// The methods call functions in the package of helpers, which follow Go types and json tags. This
// package decides what they can't see there, from markers and rules, and writes it as rows.
package lateinit

import (
	"github.com/dave/jennifer/jen"

	"github.com/mrgen-io/mrgen/generator/internal/constraint"
	"github.com/mrgen-io/mrgen/generator/internal/fieldmarkers"
	"github.com/mrgen-io/mrgen/generator/internal/model"
	"github.com/mrgen-io/mrgen/generator/internal/render/gosrc"
)

// A Method is the name of a generated method.
type Method string

const (
	// LateInitialize fills unset fields of the desired state, and reports whether
	// anything changed.
	LateInitialize Method = "LateInitialize"
	// Diff returns the JSON paths at which the observed state contradicts the
	// desired one.
	Diff Method = "Diff"
	// ImmutableFields returns the paths from Diff whose fields can't change
	// once they are set.
	ImmutableFields Method = "ImmutableFields"
	// CreateParameters returns the desired state with what spec.initProvider adds.
	CreateParameters Method = "CreateParameters"
)

// Methods returns all methods of parameters, in the order in which they are written.
func Methods() []Method { return []Method{LateInitialize, Diff, ImmutableFields} }

// Parameters is a struct type of spec.forProvider, with the one of status.atProvider that
// mirrors it, and the methods to write.
type Parameters struct {
	Desired, Observed *model.Type
	Methods           []Method
	// Treatment is the default, for fields without markers of their own or around them.
	Treatment fieldmarkers.Treatment
	// Kinds are the kinds that use the types.
	Kinds []*model.Object
}

// A Spec is the type of a kind's spec with initProvider, which Crossplane's design document
// on ignoring changes introduces: parameters that count until the external resource exists.
type Spec struct {
	Type *model.Type
	// Parameters are the parameters of spec.forProvider. Their observed type is nil if nothing mirrors
	// them. Their methods are those to write for the spec.
	Parameters
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
	// Type returns the source of a type in the file.
	Type func(*model.Type) *jen.Statement
	// Helper returns a function or type of the package of helpers, by its name.
	Helper func(name string) *jen.Statement
	// Secret reports whether a field of spec.forProvider holds a secret, or refers to one.
	// Such a field is never filled or compared.
	Secret func(*model.Field) bool
	// Constraints are the API server's, on values in spec.
	Constraints Constraints
}

// The names in the code that is written.
const (
	parametersName = "p"
	observedName   = "observed"
	specName       = "s"
	pathsName      = "paths"
)

// IsVariable reports whether generated code may have a variable with that name.
var IsVariable = gosrc.Variables(parametersName, observedName, specName, pathsName)

// Write writes the methods of all parameters and specs that one package declares, and the table that the
// methods read.
func Write(to Target, all []Parameters, specs []Spec) {
	if len(all) == 0 && len(specs) == 0 {
		return
	}
	t := &table{Target: to}
	for _, p := range all {
		t.parameters(p)
	}
	for _, s := range specs {
		t.parameters(s.Parameters)
	}
	w := &writer{to, jen.Op("&").Id(t.write())}
	for _, p := range all {
		for _, m := range p.Methods {
			w.method(p.Desired, m, string(m), jen.Id(parametersName), p)
		}
	}
	for _, s := range specs {
		for _, m := range s.Methods {
			w.method(s.Type, m, string(m)+"Spec", jen.Id(specName), s.Parameters)
		}
	}
}

// A writer writes methods, which read a table.
type writer struct {
	Target
	table *jen.Statement
}

// method writes a method that calls a function of the package of helpers.
func (w *writer) method(of *model.Type, m Method, function string, receiver *jen.Statement, p Parameters) {
	observed, paths, parameters := jen.Id(observedName), jen.Id(pathsName), jen.Id(parametersName)
	method := w.File.Func
	call := func(arguments ...jen.Code) *jen.Statement {
		return jen.Return(w.Helper(function).Call(append([]jen.Code{w.table, receiver}, arguments...)...))
	}
	start := func(comment string) *jen.Statement {
		w.File.Comment("// " + string(m) + " " + comment)
		return method().Params(receiver.Clone().Op("*").Add(w.Type(of))).Id(string(m))
	}
	switch m {
	case LateInitialize:
		start("fills unset fields with what is observed, and reports whether it changed any.").
			Params(observed.Clone().Add(w.Type(p.Observed))).Bool().Block(call(observed))
	case Diff:
		start("returns the JSON paths of the fields that the observed state contradicts.").
			Params(observed.Clone().Add(w.Type(p.Observed))).Index().String().Block(call(observed))
	case ImmutableFields:
		start("returns the paths of Diff whose fields can't be changed once set.").
			Params(paths.Clone().Index().String()).Index().String().Block(call(paths))
	case CreateParameters:
		// In the signature, no variable hides the type.
		start("returns spec.forProvider, completed by spec.initProvider.").
			Params().Params(parameters.Clone().Add(w.Type(p.Desired))).Block(
			w.Helper(string(m)).Call(w.table, receiver, jen.Op("&").Add(parameters)),
			jen.Return(parameters))
	}
	w.File.Line()
}
