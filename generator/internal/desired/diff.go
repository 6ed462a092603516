package desired

import (
	"slices"
	"strings"

	"github.com/dave/jennifer/jen"

	"github.com/mrgen-io/mrgen/generator/internal/model"
)

// diffBody returns statements that return the paths at which an observed struct
// contradicts the desired one.
func (w *writer) diffBody(of *pair, where func(jsonName string) *jen.Statement) []jen.Code {
	var statements []jen.Code
	for _, f := range of.fields {
		statements = append(statements, w.diffField(f, where(f.jsonName)))
	}
	if len(statements) == 0 {
		return []jen.Code{jen.Return(jen.Nil())}
	}
	return slices.Concat(
		[]jen.Code{jen.Var().Id(pathsName).Index().String()},
		statements,
		[]jen.Code{jen.Return(jen.Id(pathsName))})
}

// diffField returns a statement that adds the paths for a field. An unset field is
// no opinion.
func (w *writer) diffField(f field, at *jen.Statement) jen.Code {
	r := f.relation
	desired, other := w.read(f.desired, jen.Id(parametersName)), w.read(f.observed, jen.Id(observedName))
	var add, condition *jen.Statement
	switch r.shape {
	case scalar, binary, quantity, opaque, empty:
		add = jen.Id(pathsName).Op("=").Append(jen.Id(pathsName), at)
		if r.desired.Kind == model.Pointer && r.observed.Kind == model.Pointer {
			// The desired zero value differs from none.
			condition = jen.Parens(other.Clone().Op("==").Nil().Op("||").Add(w.differ(r, pointee(r.desired, desired), pointee(r.observed, other))))
		} else {
			condition = w.differ(r, pointee(r.desired, desired), w.value(r.observed, other))
		}
		if !f.alwaysSet() {
			condition = w.isSet(f).Op("&&").Add(condition)
		}
	default:
		add = jen.Id(pathsName).Op("=").Append(jen.Id(pathsName), w.diffValues(r, at, pointee(r.desired, desired), w.value(r.observed, other)).Op("..."))
		// An empty map has no entries to add.
		if !f.alwaysSet() && (r.shape != mapping || r.desired.Kind == model.Pointer) {
			condition = w.isSet(f)
		}
	}
	if condition == nil {
		return add
	}
	return jen.If(condition).Block(add)
}

// differ returns a condition that holds if two values differ that are compared as
// a whole.
func (w *writer) differ(r *relation, desired, other *jen.Statement) *jen.Statement {
	switch r.shape {
	case scalar:
		return w.as(base(r.observed), base(r.desired), desired).Op("!=").Add(other)
	case binary:
		return jen.Op("!").Add(w.imported("bytes", "Equal")).Call(desired, other)
	case quantity:
		return jen.Op("!").Add(w.helper(sameQuantity).Call(desired, other))
	default:
		return jen.Op("!").Add(w.help(sameJSON, desired, other))
	}
}

// diffValues returns an expression for the paths at which two values differ that
// are not compared as a whole.
func (w *writer) diffValues(r *relation, at, desired, other *jen.Statement) *jen.Statement {
	switch r.shape {
	case structure:
		return w.call(diff, r.pair, at, desired, other)
	case list:
		return w.help(diffSlice, at, desired, other, w.comparer(r.item))
	case set:
		return w.help(diffSet, at, desired, other, w.comparer(r.item))
	case keyed:
		return w.help(diffKeyed, at, desired, other, w.key(r, true), w.key(r, false), w.comparer(r.item))
	default:
		return w.help(diffMap, at, desired, other, w.comparer(r.item))
	}
}

// comparer returns a function that returns the paths at which two items differ.
func (w *writer) comparer(item *relation) *jen.Statement {
	if item.shape == structure && item.desired.Kind != model.Pointer && item.observed.Kind != model.Pointer {
		return w.reference(diff, item.pair)
	}
	d, o := w.value(item.desired, jen.Id(desiredName)), w.value(item.observed, jen.Id(observedName))
	if isPlain(item) {
		return w.helper(diffValue).Index(w.Type(item.desired))
	}
	var result *jen.Statement
	switch item.shape {
	case scalar, binary, quantity, opaque, empty:
		result = w.help(pathIf, w.differ(item, d, o), jen.Id(pathName))
	default:
		result = w.diffValues(item, jen.Id(pathName), d, o)
	}
	return jen.Func().
		Params(jen.Id(pathName).String(), jen.Id(desiredName).Add(w.Type(item.desired)), jen.Id(observedName).Add(w.Type(item.observed))).
		Index().String().Block(jen.Return(result))
}

// key returns a function that returns the keys of an item of a keyed list, the
// desired or the observed one, as they are written in a path.
func (w *writer) key(r *relation, ofDesired bool) *jen.Statement {
	const item = "item"
	t := r.item.observed
	if ofDesired {
		t = r.item.desired
	}
	format := ""
	arguments := []jen.Code{nil}
	for i, k := range r.keys {
		if i > 0 {
			format += ","
		}
		verb := "=%v"
		if base(k.relation.desired).Basic == "string" {
			verb = "=%q"
		}
		format += strings.ReplaceAll(k.jsonName, "%", "%%") + verb
		where, of := k.observed, k.relation.observed
		if ofDesired {
			where, of = k.desired, k.relation.desired
		}
		value := w.value(of, w.read(where, w.value(t, jen.Id(item))))
		arguments = append(arguments, w.as(&model.Type{Kind: model.Basic, Name: base(of).Basic}, base(of), value))
	}
	arguments[0] = jen.Lit(format)
	return jen.Func().Params(jen.Id(item).Add(w.Type(t))).String().Block(
		jen.Return(w.imported("fmt", "Sprintf").Call(arguments...)),
	)
}
