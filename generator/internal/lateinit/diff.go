package lateinit

import (
	"slices"
	"strings"

	"github.com/dave/jennifer/jen"

	"github.com/mrgen-io/mrgen/generator/internal/fieldmarkers"
	"github.com/mrgen-io/mrgen/generator/internal/mapping"
	"github.com/mrgen-io/mrgen/generator/internal/model"
)

// diffBody returns statements that return the paths at which an observed struct
// contradicts the desired one.
func (w *pairWriter) diffBody(of *pair, where func(jsonName string) *jen.Statement) []jen.Code {
	var statements []jen.Code
	for _, f := range of.fields {
		if f.isCompared() {
			statements = append(statements, w.diffField(f, where(f.jsonName)))
		}
	}
	if len(statements) == 0 {
		return []jen.Code{jen.Return(jen.Nil())}
	}
	return slices.Concat(
		[]jen.Code{jen.Var().Add(w.variable(pathsName)).Index().String()},
		statements,
		[]jen.Code{jen.Return(w.variable(pathsName))})
}

// diffField returns a statement that adds the paths for a field. An unset field differs from
// nothing.
func (w *pairWriter) diffField(f field, at *jen.Statement) jen.Code {
	r := f.relation
	desired, other := w.read(f.desired, w.variable(parametersName)), w.read(f.observed, w.from())
	var add, condition *jen.Statement
	switch r.Shape {
	case mapping.Scalar, mapping.Binary, mapping.Quantity, mapping.Opaque, mapping.Empty:
		add = w.variable(pathsName).Op("=").Append(w.variable(pathsName), at)
		if r.Shape == mapping.Empty && r.Source.Kind == model.Pointer {
			condition = other.Clone().Op("==").Nil() // what counts is whether there is one
		} else {
			// Many APIs leave out what is zero: it differs from no value that isn't there.
			condition = w.differ(r, pointee(r.Target, desired), w.value(r.Source, other))
		}
		if !f.alwaysSet() {
			condition = w.isSet(f).Op("&&").Add(condition)
		}
	default:
		add = w.variable(pathsName).Op("=").Append(w.variable(pathsName), w.diffValues(r, at, pointee(r.Target, desired), w.value(r.Source, other)).Op("..."))
		if !f.alwaysSet() {
			condition = w.isSet(f)
		}
	}
	if condition == nil {
		return add
	}
	return jen.If(condition).Block(add)
}

// differ returns the condition that two values, which are compared as a whole, differ.
func (w *pairWriter) differ(r *relation, desired, other *jen.Statement) *jen.Statement {
	switch r.Shape {
	case mapping.Scalar:
		return w.as(mapping.Base(r.Source), mapping.Base(r.Target), desired).Op("!=").Add(other)
	case mapping.Binary:
		return jen.Op("!").Add(w.File.Standard("bytes", "Equal")).Call(desired, other)
	case mapping.Quantity:
		return jen.Op("!").Add(w.Helper("SameQuantity").Call(desired, other))
	default:
		return jen.Op("!").Add(w.help("SameJSON", desired, other))
	}
}

// diffValues returns an expression for the paths at which two values, which are not compared
// as a whole, differ.
func (w *pairWriter) diffValues(r *relation, at, desired, other *jen.Statement) *jen.Statement {
	switch r.Shape {
	case mapping.Struct:
		return w.call(diff, r.pair, at, desired, other)
	case mapping.Keyed:
		return w.help(r.comparing(), at, desired, other, w.key(r, true), w.key(r, false), w.comparer(r.item))
	default:
		return w.help(r.comparing(), at, desired, other, w.comparer(r.item))
	}
}

// comparing returns the name of the helper that compares lists or maps.
func (r *relation) comparing() string {
	others := r.comparison == fieldmarkers.Subset
	switch r.Shape {
	case mapping.Keyed:
		return either(others, "DiffItems", "DiffKeyed")
	case mapping.Map:
		return either(others, "DiffEntries", "DiffMap")
	case mapping.List:
		if r.comparison == fieldmarkers.Exact {
			return "DiffSlice"
		}
	}
	return either(others, "DiffSubset", "DiffSet")
}

// either returns one of two names or operators.
func either(first bool, one, other string) string {
	if first {
		return one
	}
	return other
}

// isCompared reports whether a field is compared, or one in it if it is a struct.
func (f field) isCompared() bool {
	seen := map[*pair]bool{}
	var compared func(field) bool
	compared = func(f field) bool {
		of := f.relation.pair
		if f.treatment.Comparison != fieldmarkers.Off || of == nil || seen[of] {
			return f.treatment.Comparison != fieldmarkers.Off
		}
		seen[of] = true
		return slices.ContainsFunc(of.fields, compared)
	}
	return compared(f)
}

// comparer returns a function that returns the paths at which two items differ.
func (w *pairWriter) comparer(item *relation) *jen.Statement {
	if item.Shape == mapping.Struct && item.Target.Kind != model.Pointer && item.Source.Kind != model.Pointer {
		return w.reference(diff, item.pair)
	}
	d, o := w.value(item.Target, w.variable(desiredName)), w.value(item.Source, w.from())
	if item.IsPlain() {
		return w.Helper("DiffValue").Index(w.Type(item.Target))
	}
	var result *jen.Statement
	switch item.Shape {
	case mapping.Scalar, mapping.Binary, mapping.Quantity, mapping.Opaque, mapping.Empty:
		result = w.help("PathIf", w.differ(item, d, o), w.variable(pathName))
	default:
		result = w.diffValues(item, w.variable(pathName), d, o)
	}
	return jen.Func().
		Params(w.variable(pathName).String(), w.variable(desiredName).Add(w.Type(item.Target)), w.from().Add(w.Type(item.Source))).
		Index().String().Block(jen.Return(result))
}

// key returns a function that returns the keys of an item of a desired or observed keyed list,
// in the form that paths have.
func (w *pairWriter) key(r *relation, ofDesired bool) *jen.Statement {
	t := r.item.Source
	if ofDesired {
		t = r.item.Target
	}
	format := ""
	arguments := []jen.Code{nil}
	for i, k := range r.Keys {
		if i > 0 {
			format += ","
		}
		verb := "=%v"
		if mapping.Base(k.Relation.Target).Basic == "string" {
			verb = "=%q"
		}
		format += strings.ReplaceAll(k.JSONName, "%", "%%") + verb
		where, of := k.Source, k.Relation.Source
		if ofDesired {
			where, of = k.Target, k.Relation.Target
		}
		value := w.value(of, w.read(access{Access: where}, w.value(t, w.variable(itemName))))
		arguments = append(arguments, w.as(&model.Type{Kind: model.Basic, Name: mapping.Base(of).Basic}, mapping.Base(of), value))
	}
	arguments[0] = jen.Lit(format)
	return jen.Func().Params(w.variable(itemName).Add(w.Type(t))).String().Block(
		jen.Return(w.File.Standard("fmt", "Sprintf").Call(arguments...)),
	)
}
