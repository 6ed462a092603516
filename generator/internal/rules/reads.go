package rules

import (
	"strings"

	"github.com/google/cel-go/cel"
	"github.com/google/cel-go/common/ast"
	apiservercel "k8s.io/apiserver/pkg/cel"

	"github.com/mrgen-io/mrgen/generator/internal/apiserver"
	"github.com/mrgen-io/mrgen/generator/internal/diag"
)

// warnReaders warns of rules of the author that fail if a field is unset, which the
// schema allowed them to rely on so far.
func (r *relaxer) warnReaders(d Decision) {
	schema := r.root
	for i := range d.Field {
		names := escaped(d.Field[i:])
		for _, rule := range schema.XValidations[:r.authored(d.Field[:i], len(schema.XValidations))] {
			if readsUnset(rule.Rule, names) {
				r.diags = append(r.diags, diag.Warningf(d.Pos, codeRequired,
					"the rule %q fails for resources that are only observed, where %s may be unset: begin it with !has(self.%s) ||",
					rule.Rule, dotted(names), dotted(names)))
			}
		}
		schema = child(schema, d.Field[i].Name)
	}
}

// authored returns how many of the rules of a schema are the author's: the first
// ones, up to the first that was added.
func (r *relaxer) authored(at apiserver.Path, all int) int {
	for _, d := range r.decisions {
		if d.Rule != nil && d.Rule.Path.Compare(at) == 0 {
			all = min(all, d.Rule.Index)
		}
	}
	return all
}

func escaped(path apiserver.Path) []string {
	var names []string
	for _, step := range path {
		name, _ := apiservercel.Escape(step.Name)
		names = append(names, name)
	}
	return names
}

// readsUnset reports whether a rule reads a field below self, and nowhere asks
// whether it is set. A rule that does both is taken to do so in the right order.
func readsUnset(rule string, names []string) bool {
	environment, err := cel.NewEnv()
	if err != nil {
		return false
	}
	parsed, issues := environment.Parse(rule)
	if issues.Err() != nil {
		return false // the API server's validation says more about it
	}
	want := strings.Join(append([]string{"self"}, names...), ".")
	reads, tests := false, false
	ast.PostOrderVisit(parsed.NativeRep().Expr(), ast.NewExprVisitor(func(e ast.Expr) {
		if e.Kind() != ast.SelectKind || selected(e) != want {
			return
		}
		if e.AsSelect().IsTestOnly() {
			tests = true
		} else {
			reads = true
		}
	}))
	return reads && !tests
}

// selected returns what an expression selects, such as self.a.b, or "".
func selected(e ast.Expr) string {
	switch e.Kind() {
	case ast.IdentKind:
		return e.AsIdent()
	case ast.SelectKind:
		if operand := selected(e.AsSelect().Operand()); operand != "" {
			return operand + "." + e.AsSelect().FieldName()
		}
	}
	return ""
}
