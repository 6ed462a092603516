package rules

import (
	"slices"
	"strconv"
	"strings"

	apiextensionsv1 "k8s.io/apiextensions-apiserver/pkg/apis/apiextensions/v1"

	"github.com/mrgen-io/mrgen/generator/diag"
	"github.com/mrgen-io/mrgen/generator/internal/cel"
	"github.com/mrgen-io/mrgen/generator/internal/schema"
)

// warnReaders warns about the author's rules that fail if a relaxed field is unset.
func (a *applier) warnReaders() {
	var relaxed []schema.Path
	for _, d := range a.decisions {
		if d.Required && d.Rule != nil {
			relaxed = append(relaxed, d.Field)
		}
	}
	var seen []schema.Path
	for _, field := range relaxed {
		for i := range field {
			if at := field[:i]; !slices.ContainsFunc(seen, func(p schema.Path) bool { return p.Compare(at) == 0 }) {
				seen = append(seen, at)
				a.warnReadersAt(at, relaxed)
			}
		}
	}
}

// warnReadersAt warns about the rules of one object.
func (a *applier) warnReadersAt(at schema.Path, relaxed []schema.Path) {
	object := a.root.Follow(at)
	for _, rule := range a.authored(object) {
		if !slices.ContainsFunc(relaxed, func(field schema.Path) bool {
			return strings.Contains(rule.Rule, escape(field[len(field)-1:].Names())[0])
		}) {
			continue // parsing takes long, and the rule doesn't mention a relaxed field
		}
		parsed, ok := cel.Parse(rule.Rule)
		if !ok {
			continue // the API server's validation reports the syntax error
		}
		where := object.Pos
		if marker, found := RuleMarker(object.Markers(), rule); found {
			where = marker
		}
		var names []string
		for _, field := range relaxed {
			if len(field) <= len(at) || !field.HasPrefix(at) {
				continue // the rule is not on an object around the field
			}
			below := field[len(at):].Names()
			if parsed.ReadsUnset(below) {
				names = append(names, dotted(below))
			} else if len(field) > len(schema.Properties("spec", forProvider))+1 { // others are found by trial
				a.warnDemand(where, parsed, below)
			}
		}
		if len(names) == 0 {
			continue
		}
		a.diags = append(a.diags, diag.Warningf(where, codeRequired, "the rule fails for observe-only resources, where %s may be unset: %s",
			strings.Join(names, " and "), a.remedy(parsed, object.Schema, names)))
	}
}

// warnDemand warns about a rule that demands a relaxed field of observe-only resources, too.
func (a *applier) warnDemand(where diag.Position, rule *cel.Rule, names []string) {
	demands, alone := rule.Demands(names)
	if !demands {
		return
	}
	name, remedy := dotted(names), "remove it, since managed resources need that anyway"
	if !alone {
		var unset []cel.Expr
		for i := range names {
			unset = append(unset, cel.Not(cel.Self.Field(names[:i+1]...).Has()))
		}
		remedy = "write " + MarkerArgument(rule.Unless(unset))
	}
	a.diags = append(a.diags, diag.Warningf(where, codeRequired, "the rule demands %s of observe-only resources, too: %s", name, remedy))
}

// remedy says what to write in place of a rule that reads fields which may be unset.
func (a *applier) remedy(rule *cel.Rule, object *apiextensionsv1.JSONSchemaProps, names []string) string {
	// The author wrote by hand the comparison that +immutable generates.
	if field := rule.ImmutableField(); field != nil && a.settings.Immutable && len(names) == 1 && dotted(field) == names[0] {
		return "mark " + names[0] + " +immutable in place of it"
	}
	return "write " + MarkerArgument(rule.Unless(guards(rule, object)))
}

// MarkerArgument returns a rule as an argument of an XValidation marker.
func MarkerArgument(rule string) string {
	if strings.ContainsAny(rule, `"\\`) && !strings.Contains(rule, "`") { // Go strings would double the backslashes of a pattern
		return "rule=`" + rule + "`"
	}
	return "rule=" + strconv.Quote(rule)
}

// guards returns alternative conditions for a rule that reads fields without testing them: each holds if one of these
// fields is unset.
func guards(rule *cel.Rule, object *apiextensionsv1.JSONSchemaProps) []cel.Expr {
	var conditions []cel.Expr
	for _, c := range rule.Chains() {
		at := object
		for i, name := range c.Names {
			if at == nil || c.Tested && i == len(c.Names)-1 { // has() tolerates that its last field is unset
				break
			}
			condition := c.Unset(i + 1)
			if !schema.Always(at, name) && !slices.ContainsFunc(conditions, condition.Equals) && !rule.Tests(c.Root, c.Names[:i+1]) {
				conditions = append(conditions, condition)
			}
			at = schema.Child(at, schema.Step{Name: name})
		}
	}
	return conditions
}

// authored returns the author's rules of a schema.
func (a *applier) authored(at schema.Cursor) apiextensionsv1.ValidationRules {
	n := len(at.Schema.XValidations)
	// mrgen appends its own rules.
	for _, d := range a.decisions {
		if d.Rule != nil && d.Rule.Path.Compare(at.Path) == 0 {
			n = min(n, d.Rule.Index)
		}
	}
	return at.Schema.XValidations[:n]
}
