package generator_test

import (
	"fmt"
	"go/ast"
	"go/token"
	"strings"
	"testing"
)

// mostOperators is how many && and || a condition may have. With more of them, a switch or a name says why.
const mostOperators = 3

// mostConditions is how many conditions have more, for each 1,000 functions.
const mostConditions = 5

// TestConditions holds that conditions can be read.
func TestConditions(t *testing.T) {
	var long []string
	functions := 0
	eachFile(t, func(file, _ string, parsed *ast.File) {
		ast.Inspect(parsed, func(node ast.Node) bool {
			if _, isFunction := node.(*ast.FuncDecl); isFunction {
				functions++
			}
			condition, ok := node.(*ast.BinaryExpr)
			if !ok || !isLogical(condition) {
				return true
			}
			if n := operatorsIn(condition); n > mostOperators {
				long = append(long, fmt.Sprintf("%s has a condition with %d operators", file, n))
			}
			return false // the whole condition has been counted
		})
	})
	if len(long)*1000 > mostConditions*functions {
		t.Errorf("of %d functions, %d conditions are long: give each reason a case, or a name\n%s", functions, len(long), strings.Join(long, "\n"))
	}
}

func isLogical(e *ast.BinaryExpr) bool { return e.Op == token.LAND || e.Op == token.LOR }

// operatorsIn returns the number of && and || in a condition, without those of function literals.
func operatorsIn(condition ast.Expr) int {
	n := 0
	ast.Inspect(condition, func(node ast.Node) bool {
		if e, ok := node.(*ast.BinaryExpr); ok && isLogical(e) {
			n++
		}
		_, isFunction := node.(*ast.FuncLit)
		return !isFunction
	})
	return n
}
