package cel

import (
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/google/cel-go/common/ast"
	"github.com/google/cel-go/common/operators"
)

// Shape returns a text that tells apart rules with different meanings: rules with the same text are equivalent if their
// selections on self and oldSelf are. Field returns a text for a selection, and is called in source order.
func (r *Rule) Shape(field func(Chain) string) string { return ShapeOf(r.tree.Expr(), field) }

// ShapeOf returns such a text for an expression.
func ShapeOf(e ast.Expr, field func(Chain) string) string { return shape{field: field}.of(e) }

// A shape writes such texts.
type shape struct {
	field func(Chain) string
	// variables are declared by the comprehensions around an expression, and are identified by where they are declared.
	// Their names may be self.
	variables []string
}

// of returns the text for an expression: its parts in parentheses, with quotes around names and values.
func (s shape) of(e ast.Expr) string {
	var parts []string
	add := func(all ...any) {
		for _, part := range all {
			switch part := part.(type) {
			case ast.Expr:
				parts = append(parts, s.of(part))
			case string:
				parts = append(parts, strconv.Quote(part))
			default:
				parts = append(parts, fmt.Sprint(part))
			}
		}
	}
	if c, form, ok := formOf(e); ok && s.declared(c.Root) < 0 { // a loop's variable may be called self
		add(form, c.Tested, s.field(c))
		return "(" + strings.Join(parts, " ") + ")"
	}
	add(int(e.Kind()))
	switch e.Kind() {
	case ast.LiteralKind:
		add(e.AsLiteral().Type().TypeName(), fmt.Sprint(e.AsLiteral().Value()))
	case ast.IdentKind:
		if at := s.declared(e.AsIdent()); at >= 0 {
			add(at)
		} else {
			add(e.AsIdent())
		}
	case ast.SelectKind:
		add(e.AsSelect().IsTestOnly(), e.AsSelect().FieldName(), e.AsSelect().Operand())
	case ast.CallKind:
		call := e.AsCall()
		add(call.FunctionName(), call.IsMemberFunction(), call.Target())
		operands := len(parts)
		for _, arg := range call.Args() {
			add(arg)
		}
		// The order of these operands doesn't change the result.
		switch call.FunctionName() {
		case operators.LogicalAnd, operators.LogicalOr, operators.Equals, operators.NotEquals:
			slices.Sort(parts[operands:])
		}
	case ast.ListKind:
		add(e.AsList().OptionalIndices())
		for _, element := range e.AsList().Elements() {
			add(element)
		}
	case ast.MapKind:
		for _, entry := range e.AsMap().Entries() {
			add(entry.AsMapEntry().IsOptional(), entry.AsMapEntry().Key(), entry.AsMapEntry().Value())
		}
	case ast.StructKind:
		add(e.AsStruct().TypeName())
		for _, entry := range e.AsStruct().Fields() {
			add(entry.AsStructField().Name(), entry.AsStructField().IsOptional(), entry.AsStructField().Value())
		}
	case ast.ComprehensionKind:
		loop := e.AsComprehension()
		add(loop.IterRange(), loop.AccuInit())
		s.variables = append(slices.Clip(s.variables), loop.IterVar(), loop.IterVar2(), loop.AccuVar())
		add(loop.LoopCondition(), loop.LoopStep(), loop.Result())
	}
	return "(" + strings.Join(parts, " ") + ")"
}

// declared returns where a variable is declared that a name stands for, or -1.
func (s shape) declared(name string) int {
	for i, v := range slices.Backward(s.variables) {
		if v == name {
			return i
		}
	}
	return -1
}
