package lateinit

import (
	"slices"

	"github.com/dave/jennifer/jen"

	"github.com/mrgen-io/mrgen/generator/internal/constraint"
	"github.com/mrgen-io/mrgen/generator/internal/fieldmarkers"
	"github.com/mrgen-io/mrgen/generator/internal/mapping"
	"github.com/mrgen-io/mrgen/generator/internal/model"
)

// A Spec is the type of a kind's spec with initProvider, which Crossplane's design document
// on ignoring changes introduces: parameters that count until the external resource exists.
type Spec struct {
	Type *model.Type
	// Initial is the type of spec.initProvider, without a pointer. It contains no missing types.
	Initial *model.Type
	// Parameters are those of spec.forProvider. Their observed type is nil if nothing mirrors
	// them. Their methods are those to write for the spec.
	Parameters
}

// onlyGroups are the constraints that say which fields exclude each other. All else that spec
// demands, the API server has checked.
type onlyGroups struct{ Constraints }

func (onlyGroups) FieldConstraints(*model.Field) constraint.Set { return constraint.Set{} }

func (o onlyGroups) TypeConstraints(t *model.Type) constraint.Set {
	return constraint.Set{OneOf: o.Constraints.TypeConstraints(t).OneOf}
}

// specMethods writes the methods of a spec.
func (w *pairWriter) specMethods(s Spec, given *matcher) {
	initial := given.pair(given.mapper.Pair(s.Desired, s.Initial), fieldmarkers.Treatment{Comparison: fieldmarkers.Exact})
	for _, m := range s.Methods {
		switch m {
		case CreateParameters:
			w.createParameters(s, initial)
		case LateInitialize:
			of := w.pair(w.mapper.Pair(s.Desired, s.Observed), s.Treatment)
			w.restrictByKinds(of, s.Kinds)
			w.fillSpec(s, of, given)
		case Diff:
			w.diffSpec(s, initial)
		}
	}
}

// specMethod writes a method of a spec.
func (w *pairWriter) specMethod(s Spec, name Method, parameter, result *jen.Statement, body []jen.Code) {
	w.writeMethod(w.variable(specName).Op("*").Add(w.Type(s.Type)), name, parameter, result, body)
}

// writeMethod writes a method.
func (w *pairWriter) writeMethod(receiver *jen.Statement, name Method, parameter, result *jen.Statement, body []jen.Code) {
	w.File.Func().Params(receiver).Id(string(name)).Params(parameter).Add(result).Block(body...)
	w.File.Line()
}

// part returns an expression for forProvider or initProvider in a spec, which may be a pointer.
func (w *pairWriter) part(s Spec, jsonName string) (value *jen.Statement, t *model.Type) {
	fields := mapping.Fields(s.Type)
	a := access{Access: fields[slices.IndexFunc(fields, func(a mapping.Access) bool { return a.Field().JSONName == jsonName })]}
	return w.read(a, w.variable(specName)), a.Field().Type
}

// createParameters writes the method that merges initProvider into forProvider.
func (w *pairWriter) createParameters(s Spec, of *pair) {
	w.comment("CreateParameters returns what the external resource is created with: what spec.forProvider sets, and what only spec.initProvider does. "+
		"Structs and maps are merged, lists are not. The result shares no memory with s.", omissions(merge, of))
	forProvider, t := w.part(s, "forProvider")
	copied := jen.Op("*").Add(forProvider).Dot("DeepCopy").Call()
	body := []jen.Code{w.variable(parametersName).Op(":=").Add(copied)}
	if t.Kind == model.Pointer {
		body = []jen.Code{
			jen.Var().Add(w.variable(parametersName)).Add(w.Type(s.Desired)),
			jen.If(forProvider.Clone().Op("!=").Nil()).Block(w.variable(parametersName).Op("=").Add(copied)),
		}
	}
	if merged := w.body(merge, of, nil); len(merged) > 0 {
		initProvider, t := w.part(s, "initProvider")
		body = append(append(body, w.variable(initialName).Op(":=").Add(w.value(t, initProvider))), merged...)
	}
	w.specMethod(s, CreateParameters, jen.Null(), w.Type(s.Desired), append(body, jen.Return(w.variable(parametersName))))
}

// fillSpec writes the method that fills forProvider, but for what initProvider gives: that counts for
// creation alone.
func (w *pairWriter) fillSpec(s Spec, of *pair, given *matcher) {
	w.comment("LateInitialize fills the fields of spec.forProvider that are unset, there and in spec.initProvider, with what is observed and spec accepts, and reports whether it changed any. "+fillingComment,
		omissions(lateInitialize, of))
	forProvider, t := w.part(s, "forProvider")
	initProvider, initialType := w.part(s, "initProvider")
	var body []jen.Code
	if t.Kind == model.Pointer {
		body = append(body, jen.If(forProvider.Clone().Op("==").Nil()).Block(jen.Return(jen.False())))
	} else {
		forProvider = jen.Op("&").Add(forProvider)
	}
	statements := w.body(lateInitialize, of, nil)
	if of.fillable() {
		ungiven := w.ungiven(of, s.Initial, given)
		body = append(body,
			w.variable(observedName).Op("=").Add(w.call(without, ungiven, w.variable(observedName), w.value(initialType, initProvider))),
			w.variable(parametersName).Op(":=").Add(forProvider))
	}
	w.specMethod(s, LateInitialize, w.variable(observedName).Add(w.Type(s.Observed)), jen.Bool(), append(body, statements...))
}

// diffSpec writes the method that compares forProvider, but for the entries that Create merged into its
// maps: what initProvider gives, others own once the external resource exists.
func (w *pairWriter) diffSpec(s Spec, of *pair) {
	w.comment("Diff returns what the method of spec.forProvider returns, without the entries of maps that only spec.initProvider gives: they count for creation alone.", "")
	forProvider, t := w.part(s, "forProvider")
	initProvider, initialType := w.part(s, "initProvider")
	var body []jen.Code
	if t.Kind == model.Pointer {
		body = append(body, jen.If(forProvider.Clone().Op("==").Nil()).Block(jen.Return(jen.Nil())))
	}
	paths := forProvider.Clone().Dot(string(Diff)).Call(w.variable(observedName))
	if merged := w.givenEntries(of, func(jsonName string) *jen.Statement { return jen.Lit(jsonName) }); len(merged) > 0 {
		body = append(body,
			jen.List(w.variable(parametersName), w.variable(initialName)).Op(":=").List(w.value(t, forProvider), w.value(initialType, initProvider)),
			jen.Var().Add(w.variable(pathsName)).Index().String())
		body = append(body, merged...)
		paths = w.help("WithoutPaths", paths, w.variable(pathsName))
	}
	w.specMethod(s, Diff, w.variable(observedName).Add(w.Type(s.Observed)), jen.Index().String(), append(body, jen.Return(paths)))
}

// givenEntries returns statements that add the paths of the entries of maps that initProvider gives and
// the desired struct lacks.
func (w *pairWriter) givenEntries(of *pair, where func(jsonName string) *jen.Statement) []jen.Code {
	defer func(before string) { w.fromName = before }(w.fromName)
	w.fromName = of.fromName()
	var statements []jen.Code
	for _, f := range of.fields {
		r := f.relation
		desired, initial := w.value(r.Target, w.read(f.desired, w.variable(parametersName))), w.value(r.Source, w.read(f.observed, w.from()))
		var paths *jen.Statement
		switch {
		case r.Shape == mapping.Map:
			paths = w.help("MissingEntries", where(f.jsonName), initial, desired)
		case r.Shape == mapping.Struct && r.pair.any(func(f field) bool { return f.relation.Shape == mapping.Map }):
			paths = w.call(given, r.pair, where(f.jsonName), desired, initial)
		default:
			continue
		}
		statements = append(statements, w.variable(pathsName).Op("=").Append(w.variable(pathsName), paths.Op("...")))
	}
	return statements
}

// ungiven returns the pair of an observed struct and one of initProvider, whose functions take
// from the former what the latter gives. The pair of the desired struct says what that is.
func (w *pairWriter) ungiven(of *pair, initial *model.Type, given *matcher) *pair {
	p := given.pair(given.mapper.Pair(of.Source, initial), fieldmarkers.Treatment{Comparison: fieldmarkers.Exact})
	p.filled = of
	return p
}

// withoutBody returns statements that take from an observed struct what initProvider gives.
func (w *pairWriter) withoutBody(of *pair) []jen.Code {
	var statements []jen.Code
	observed, initial := w.variable(observedName), w.variable(initialName)
	copied := map[*model.Field]bool{}
	for _, f := range of.filled.fields {
		given, found := w.giving(f, of.Source)
		if len(given) == 0 {
			continue
		}
		// The parameter is a copy, what its embedded pointers point to is not.
		value := observed.Clone()
		for _, step := range f.observed.Embedded() {
			value = value.Clone().Dot(step.Name)
			if step.Type.Kind == model.Pointer && !copied[step] {
				copied[step] = true
				statements = append(statements, value.Clone().Op("=").Add(w.help("PointerTo", w.help("ValueOf", value))))
			}
		}
		at := access{Access: f.observed.Access, isSafe: true}.write(observed)
		t := f.observed.Field().Type
		if r := f.relation; r.Shape == mapping.Struct && found != nil && mapping.Base(found.Field().Type).Kind == model.Struct && len(given) == 1 {
			inner := w.ungiven(r.pair, mapping.Base(found.Field().Type), of.matcher)
			part := w.read(access{Access: *found}, initial)
			call := func(observed *jen.Statement) *jen.Statement {
				return w.call(without, inner, observed, w.value(found.Field().Type, part))
			}
			if t.Kind == model.Pointer {
				// What is left may be empty, and then says nothing.
				statements = append(statements, jen.If(and(at.Clone().Op("!=").Nil(), given[0])).Block(
					jen.If(w.variable(valueName).Op(":=").Add(call(jen.Op("*").Add(at))), w.help("IsZero", w.variable(valueName))).Block(at.Clone().Op("=").Nil()).
						Else().Block(at.Clone().Op("=").Op("&").Add(w.variable(valueName)))))
			} else {
				statements = append(statements, at.Clone().Op("=").Add(call(at)))
			}
			continue
		}
		statements = append(statements, jen.If(joined("||", given)).Block(at.Clone().Op("=").Add(w.none(t))))
	}
	return append(statements, jen.Return(observed))
}

// giving returns the conditions that initProvider gives a field that LateInitialize may fill:
// itself, what it is resolved from, or what excludes it. It also returns the field there.
func (w *pairWriter) giving(f field, initial *model.Type) (conditions []*jen.Statement, found *mapping.Access) {
	names := []string{f.jsonName}
	for _, other := range f.beside {
		names = append(names, other.Field().JSONName)
	}
	for _, a := range mapping.Fields(initial) {
		if !slices.Contains(names, a.Field().JSONName) {
			continue
		}
		if a.Field().JSONName == f.jsonName {
			found = &a
		}
		conditions = append(conditions, w.isGiven(access{Access: a}, w.variable(initialName)))
	}
	return conditions, found
}

// none returns an expression for no value of a type.
func (w *pairWriter) none(t *model.Type) *jen.Statement {
	switch {
	case t.IsNilable():
		return jen.Nil()
	case t.Kind == model.Basic && t.Basic == "bool":
		return jen.False()
	case t.Kind == model.Basic:
		return zero(t)
	default:
		return w.Type(t).Values()
	}
}

// isGiven returns the condition that a field of a struct has a value, as far as Go tells.
func (w *pairWriter) isGiven(a access, of *jen.Statement) *jen.Statement {
	f := a.Field()
	value, t := w.read(a, of), f.Type
	switch {
	case t.Kind == model.Pointer, t.IsNilable() && !f.OmitEmpty:
		return value.Op("!=").Nil()
	default:
		return w.isZero(t.Kind == model.Basic, t, value, false)
	}
}

// mergeBody returns statements that set what is unset in a desired struct to what initProvider
// gives. A fresh struct has nothing set.
func (w *pairWriter) mergeBody(of *pair, fresh bool) []jen.Code {
	var statements []jen.Code
	for _, f := range of.fields {
		r := f.relation
		given := w.isGiven(f.observed, w.from())
		value := w.value(r.Source, w.read(f.observed, w.from()))
		take := func() []jen.Code { return w.assign(f, w.convert(r, pointee(r.Source, w.read(f.observed, w.from())))) }
		switch {
		case fresh:
			statements = append(statements, jen.If(and(w.mayTake(f, given)...)).Block(take()...))
		case r.Shape == mapping.Struct && f.alwaysSet():
			statements = append(statements, w.call(merge, r.pair, w.addressOf(f), value))
		case r.Shape == mapping.Struct:
			statements = append(statements, jen.If(given).Block(
				w.orElse(f, jen.If(w.isSet(f)).Block(w.call(merge, r.pair, w.addressOf(f), value)), take)))
		case r.Shape == mapping.Map && r.Target.Kind == model.Pointer:
			statements = append(statements, jen.If(given).Block(
				w.orElse(f, jen.If(w.isSet(f)).Block(w.help("AddMissing", f.desired.write(w.variable(parametersName)), value, w.converter(r.item))), take)))
		case r.Shape == mapping.Map:
			add := w.help("AddMissing", jen.Op("&").Add(f.desired.write(w.variable(parametersName))), value, w.converter(r.item))
			conditions := w.mayTake(f)
			if f.desired.indirect() {
				conditions = append(conditions, given)
			}
			if len(conditions) > 0 {
				statements = append(statements, jen.If(and(conditions...)).Block(append(w.ensure(f.desired, w.variable(parametersName)), add)...))
			} else {
				statements = append(statements, add)
			}
		case !f.alwaysSet():
			statements = append(statements, jen.If(and(append(w.mayTake(f, w.isUnset(f)), given)...)).Block(take()...))
		}
	}
	return statements
}

// orElse adds to the statement for a desired field that is set those for one that may be set.
func (w *pairWriter) orElse(f field, isSet *jen.Statement, take func() []jen.Code) *jen.Statement {
	if conditions := w.mayTake(f); len(conditions) > 0 {
		return isSet.Else().If(and(conditions...)).Block(take()...)
	}
	return isSet.Else().Block(take()...)
}
