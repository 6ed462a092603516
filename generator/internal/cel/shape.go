package cel

import (
	"fmt"
	"slices"
	"strconv"
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

// of returns the text for an expression: its parts in parentheses, where names and values are quoted.
func (s shape) of(e ast.Expr) string {
	var parts []string
	name := func(text string) { parts = append(parts, strconv.Quote(text)) }
	number := func(n int) { parts = append(parts, strconv.Itoa(n)) }
	flag := func(is bool) { parts = append(parts, strconv.FormatBool(is)) }
	add := func(all ...ast.Expr) {
		for _, e := range all {
			parts = append(parts, s.of(e))
		}
	}
	c, form, isChain := formOf(e)
	if isChain && s.declared(c.Root) < 0 {
		name(form)
		flag(c.Tested)
		name(s.field(c))
		return "(" + strings.Join(parts, " ") + ")"
	}
	number(int(e.Kind()))
	switch e.Kind() {
	case ast.LiteralKind:
		name(e.AsLiteral().Type().TypeName())
		name(fmt.Sprint(e.AsLiteral().Value()))
	case ast.IdentKind:
		number(s.declared(e.AsIdent()))
		if s.declared(e.AsIdent()) < 0 {
			name(e.AsIdent())
		}
	case ast.SelectKind:
		flag(e.AsSelect().IsTestOnly())
		name(e.AsSelect().FieldName())
		add(e.AsSelect().Operand())
	case ast.CallKind:
		call := e.AsCall()
		name(call.FunctionName())
		flag(call.IsMemberFunction())
		if call.IsMemberFunction() {
			add(call.Target())
		}
		operands := len(parts)
		add(call.Args()...)
		switch call.FunctionName() {
		case operators.LogicalAnd, operators.LogicalOr, operators.Equals, operators.NotEquals:
			slices.Sort(parts[operands:])
		}
	case ast.ListKind:
		for _, i := range e.AsList().OptionalIndices() {
			number(int(i))
		}
		add(e.AsList().Elements()...)
	case ast.MapKind:
		for _, entry := range e.AsMap().Entries() {
			flag(entry.AsMapEntry().IsOptional())
			add(entry.AsMapEntry().Key(), entry.AsMapEntry().Value())
		}
	case ast.StructKind:
		name(e.AsStruct().TypeName())
		for _, entry := range e.AsStruct().Fields() {
			name(entry.AsStructField().Name())
			flag(entry.AsStructField().IsOptional())
			add(entry.AsStructField().Value())
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
