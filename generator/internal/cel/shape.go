package cel

import (
	"fmt"
	"slices"
	"strings"

	"github.com/google/cel-go/common/ast"
	"github.com/google/cel-go/common/operators"
)

// Shape returns a text that no other rules have than those that come to the same, where what they
// select on self and oldSelf does. Field returns a text for a selection, and is asked in source order.
func (r *Rule) Shape(field func(Chain) string) string { return shape{field: field}.of(r.tree.Expr()) }

// A shape writes such texts.
type shape struct {
	field func(Chain) string
	// variables are those of the comprehensions around an expression, which are told by where they
	// are declared. They may be called self.
	variables []string
}

// of returns the text for an expression.
func (s shape) of(e ast.Expr) string {
	if c, form, ok := formOf(e); ok && s.declared(c.Root) < 0 {
		return fmt.Sprintf("%q", []any{"field", form, c.Tested, s.field(c)})
	}
	parts := []any{e.Kind()}
	add := func(all ...ast.Expr) {
		for _, e := range all {
			parts = append(parts, s.of(e))
		}
	}
	switch e.Kind() {
	case ast.LiteralKind:
		parts = append(parts, e.AsLiteral().Type().TypeName(), fmt.Sprint(e.AsLiteral().Value()))
	case ast.IdentKind:
		parts = append(parts, s.declared(e.AsIdent()))
		if s.declared(e.AsIdent()) < 0 {
			parts = append(parts, e.AsIdent())
		}
	case ast.SelectKind:
		parts = append(parts, e.AsSelect().IsTestOnly(), e.AsSelect().FieldName())
		add(e.AsSelect().Operand())
	case ast.CallKind:
		call := e.AsCall()
		parts = append(parts, call.FunctionName(), call.IsMemberFunction())
		if call.IsMemberFunction() {
			add(call.Target())
		}
		operands := len(parts)
		add(call.Args()...)
		switch call.FunctionName() {
		case operators.LogicalAnd, operators.LogicalOr, operators.Equals, operators.NotEquals:
			slices.SortFunc(parts[operands:], func(a, b any) int { return strings.Compare(a.(string), b.(string)) })
		}
	case ast.ListKind:
		parts = append(parts, e.AsList().OptionalIndices())
		add(e.AsList().Elements()...)
	case ast.MapKind:
		for _, entry := range e.AsMap().Entries() {
			parts = append(parts, entry.AsMapEntry().IsOptional())
			add(entry.AsMapEntry().Key(), entry.AsMapEntry().Value())
		}
	case ast.StructKind:
		parts = append(parts, e.AsStruct().TypeName())
		for _, entry := range e.AsStruct().Fields() {
			parts = append(parts, entry.AsStructField().Name(), entry.AsStructField().IsOptional())
			add(entry.AsStructField().Value())
		}
	case ast.ComprehensionKind:
		loop := e.AsComprehension()
		add(loop.IterRange(), loop.AccuInit())
		s.variables = append(slices.Clip(s.variables), loop.IterVar(), loop.IterVar2(), loop.AccuVar())
		add(loop.LoopCondition(), loop.LoopStep(), loop.Result())
	}
	return fmt.Sprintf("%q", parts)
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
