package lateinit

import (
	"github.com/dave/jennifer/jen"

	"github.com/mrgen-io/mrgen/generator/internal/model"
)

// read returns an expression for the value of a field, which is zero if an embedded pointer in
// its path is nil.
func (w *pairWriter) read(a access, of *jen.Statement) *jen.Statement {
	if !a.indirect() {
		return a.write(of)
	}
	value := of.Clone()
	for i, f := range a.Path {
		value = value.Dot(f.Name)
		if i < len(a.Path)-1 && f.Type.Kind == model.Pointer {
			value = w.help("ValueOf", value)
		}
	}
	return value
}

// write returns an expression to assign to a field.
func (a access) write(of *jen.Statement) *jen.Statement {
	value := of.Clone()
	if a.Promoted && !a.indirect() {
		return value.Dot(a.Field().Name)
	}
	for _, f := range a.Path {
		value = value.Dot(f.Name)
	}
	return value
}

// ensure returns statements that set the embedded pointers in the path of a field.
func (w *pairWriter) ensure(a access, of *jen.Statement) []jen.Code {
	var statements []jen.Code
	value := of.Clone()
	for _, f := range a.Embedded() {
		value = value.Clone().Dot(f.Name)
		if !a.isSafe && f.Type.Kind == model.Pointer {
			statements = append(statements, jen.If(value.Clone().Op("==").Nil()).Block(
				value.Clone().Op("=").Op("&").Add(w.Type(f.Type.Elem)).Values(),
			))
		}
	}
	return statements
}
