package resolvers

import (
	"github.com/dave/jennifer/jen"
)

// Resolvers take and return text. crossplane-runtime's own functions for numbers
// drop fractions, and turn text that is no number to nil, so methods call
// conversions that are written beside them.

// fromNumber returns a number as a resolver takes it.
func (w *writer) fromNumber(v value, field *jen.Statement) *jen.Statement {
	kind := fromNumber
	if v.pointer {
		kind = fromPointer
	}
	return jen.Id(w.helper(helper{kind: kind, goType: v.scalar.Basic})).Call(field)
}

// toNumber returns a resolved value as a number, and an error.
func (w *writer) toNumber(v value, resolved *jen.Statement) *jen.Statement {
	kind := toNumber
	if v.pointer {
		kind = toPointer
	}
	return jen.Id(w.helper(helper{kind: kind, goType: v.scalar.Basic})).Types(w.typ(v.scalar)).Call(resolved)
}

func (w *writer) writeFromNumber(h helper) {
	w.file.Commentf("%s adapts a number for use as a CurrentValue. Zero is no value.", w.helpers[h])
	w.file.Func().Id(w.helpers[h]).Types(typeParameter(h)).Params(jen.Id("v").Id("T")).String().Block(
		jen.If(jen.Id("v").Op("==").Lit(0)).Block(jen.Return(jen.Lit(""))),
		jen.Return(formatted(h, jen.Id("v"))),
	)
}

func (w *writer) writeFromPointer(h helper) {
	w.file.Commentf("%s adapts a pointer to a number for use as a CurrentValue. Nil is no value.", w.helpers[h])
	w.file.Func().Id(w.helpers[h]).Types(typeParameter(h)).Params(jen.Id("v").Op("*").Id("T")).String().Block(
		jen.If(jen.Id("v").Op("==").Nil()).Block(jen.Return(jen.Lit(""))),
		jen.Return(formatted(h, jen.Op("*").Id("v"))),
	)
}

func (w *writer) writeToNumber(h helper) {
	w.file.Commentf("%s adapts a ResolvedValue for use as a number. No value is zero.", w.helpers[h])
	w.file.Func().Id(w.helpers[h]).Types(typeParameter(h)).Params(jen.Id("value").String()).Params(jen.Id("T"), jen.Error()).Block(
		jen.If(jen.Id("value").Op("==").Lit("")).Block(jen.Return(jen.Lit(0), jen.Nil())),
		jen.List(jen.Id("v"), jen.Err()).Op(":=").Add(parsed(h)),
		jen.Return(jen.Id("T").Parens(jen.Id("v")), jen.Err()),
	)
}

func (w *writer) writeToPointer(h helper) {
	w.file.Commentf("%s adapts a ResolvedValue for use as a pointer to a number. No value is nil.", w.helpers[h])
	w.file.Func().Id(w.helpers[h]).Types(typeParameter(h)).Params(jen.Id("value").String()).Params(jen.Op("*").Id("T"), jen.Error()).Block(
		jen.If(jen.Id("value").Op("==").Lit("")).Block(jen.Return(jen.Nil(), jen.Nil())),
		jen.List(jen.Id("v"), jen.Err()).Op(":=").Add(parsed(h)),
		jen.If(jen.Err().Op("!=").Nil()).Block(jen.Return(jen.Nil(), jen.Err())),
		jen.Id("number").Op(":=").Id("T").Parens(jen.Id("v")),
		jen.Return(jen.Op("&").Id("number"), jen.Nil()),
	)
}

// typeParameter lets a conversion take named types, too.
func typeParameter(h helper) *jen.Statement { return jen.Id("T").Op("~").Id(h.goType) }

// formatted returns a number as text, to the last digit.
func formatted(h helper, number *jen.Statement) *jen.Statement {
	number = jen.Id(h.goType).Parens(number)
	if h.goType == "int64" {
		return jen.Qual("strconv", "FormatInt").Call(number, jen.Lit(10))
	}
	return jen.Qual("strconv", "FormatFloat").Call(number, jen.LitRune('f'), jen.Lit(-1), jen.Lit(64))
}

// parsed returns the number in the text "value", and an error.
func parsed(h helper) *jen.Statement {
	if h.goType == "int64" {
		return jen.Qual("strconv", "ParseInt").Call(jen.Id("value"), jen.Lit(10), jen.Lit(64))
	}
	return jen.Qual("strconv", "ParseFloat").Call(jen.Id("value"), jen.Lit(64))
}
