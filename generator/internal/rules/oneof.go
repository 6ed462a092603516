package rules

import (
	"fmt"
	"regexp"
	"slices"
	"strconv"
	"strings"

	apiextensionsv1 "k8s.io/apiextensions-apiserver/pkg/apis/apiextensions/v1"
	apiservercel "k8s.io/apiserver/pkg/cel"

	"github.com/mrgen-io/mrgen/generator/diag"
	"github.com/mrgen-io/mrgen/generator/internal/cel"
	"github.com/mrgen-io/mrgen/generator/internal/model"
	"github.com/mrgen-io/mrgen/generator/internal/provenance"
	"github.com/mrgen-io/mrgen/generator/internal/schema"
	"github.com/mrgen-io/mrgen/markers"
)

// A choice is a rule about how many of some fields must be set, which controller-tools
// writes for a marker.
type choice struct {
	kind choiceKind
	// names are the JSON names of the fields.
	names []string
}

type choiceKind uint8

const (
	atLeastOne choiceKind = iota
	atMostOne
	exactlyOne
)

// choices are the markers, and the rules and messages that controller-tools writes for
// them: see OneOf in its pkg/crd/markers/validation.go.
var choices = [...]struct{ marker, comparison, message string }{
	atLeastOne: {"AtLeastOneOf", "", "at least one of the fields in %v must be set"},
	atMostOne:  {"AtMostOneOf", " <= 1", "at most one of the fields in %v may be set"},
	exactlyOne: {"ExactlyOneOf", " == 1", "exactly one of the fields in %v must be set"},
}

var tested = regexp.MustCompile(`has\(self\.(\w+)\)`)

// choiceOf returns the choice that a rule stands for, if controller-tools wrote it.
func choiceOf(rule apiextensionsv1.ValidationRule) (choice, bool) {
	var names []string
	for _, match := range tested.FindAllStringSubmatch(rule.Rule, -1) {
		name, ok := apiservercel.Unescape(match[1])
		if !ok {
			return choice{}, false
		}
		names = append(names, name)
	}
	for kind := range choices {
		if c := (choice{choiceKind(kind), names}); c.rule() == rule.Rule && c.message() == rule.Message {
			return c, true
		}
	}
	return choice{}, false
}

// Choice returns the fields that a rule for a marker such as ExactlyOneOf lists. Demands is
// set if at least one of them must be set, and bounds if at most one may be. There are no
// names if controller-tools didn't write the rule.
func Choice(rule apiextensionsv1.ValidationRule) (names []string, demands, bounds bool) {
	c, ok := choiceOf(rule)
	return c.names, ok && c.kind != atMostOne, ok && c.kind != atLeastOne
}

// rule returns the rule that controller-tools writes, byte for byte.
func (c choice) rule() string {
	var parts []string
	for _, name := range escape(c.names) {
		if part := "has(self." + name + ")"; c.kind == atLeastOne {
			parts = append(parts, part)
		} else {
			parts = append(parts, "("+part+"?1:0)")
		}
	}
	if c.kind == atLeastOne {
		return strings.Join(parts, "||")
	}
	return strings.Join(parts, "+") + choices[c.kind].comparison
}

func (c choice) message() string { return fmt.Sprintf(choices[c.kind].message, escape(c.names)) }

// escape returns names of properties as rules write them.
func escape(properties []string) []string {
	var names []string
	for _, property := range properties {
		name, _ := apiservercel.Escape(property)
		names = append(names, name)
	}
	return names
}

// RuleMarker returns the position of the marker that a rule comes from, among the markers of a type and its fields. It
// returns false if no marker matches.
func RuleMarker(list []model.Marker, rule apiextensionsv1.ValidationRule) (diag.Position, bool) {
	c, isChoice := choiceOf(rule)
	var similar []diag.Position
	for _, m := range list {
		text, found := strings.CutPrefix(m.Text, markers.ValidationPrefix)
		if !found {
			continue
		}
		name, argument, _ := strings.Cut(text, "=")
		quoted := strconv.Quote(rule.Rule)
		switch {
		case !strings.HasPrefix(text, "XValidation:"):
			if isChoice && name == choices[c.kind].marker && slices.Equal(strings.FieldsFunc(argument, separatesNames), escape(c.names)) {
				return m.Pos, true
			}
		case strings.Contains(text, "rule="+quoted), strings.Contains(text, "rule=`"+rule.Rule+"`"):
			// the exact rule, as a Go string or in backquotes
			return m.Pos, true
		case strings.Contains(text, rule.Rule), strings.Contains(text, strings.Trim(quoted, `"`)):
			// The argument has another form: it counts if nothing matches exactly.
			similar = append(similar, m.Pos)
		}
	}
	if len(similar) == 0 {
		return diag.Position{}, false
	}
	return similar[0], true
}

// separatesNames reports whether a character separates the names in a marker's list.
func separatesNames(r rune) bool { return strings.ContainsRune("{};,\"` ", r) }

// relaxChoices relaxes markers that require some fields without naming a particular one: at least one of several,
// exactly one, or a number of them. Upper bounds stay.
func (r *requiredRules) relaxChoices(l objectPair) {
	for _, rule := range slices.Clone(r.authored(l.desired.Cursor)) {
		c, ok := choiceOf(rule)
		if !ok {
			continue
		}
		r.warnResolved(l, c, rule)
		// An upper bound holds for observe-only resources, too.
		if c.kind == atMostOne || slices.ContainsFunc(c.names, func(name string) bool { return !l.desired.canRead(name) }) {
			continue
		}
		r.dropChoice(l.desired.Path, c)
		if len(l.names) > 0 && l.initial != nil {
			r.dropChoice(l.initial.Path, c)
		}
		if c.kind == atLeastOne {
			r.addDemand(l, c.names, c.message(), l.hasOrRefersTo(c.names...)...)
			continue
		}
		r.addDemand(l, c.names, c.message(), l.exactlyOne(c.names)...)
	}
	r.relaxMinProperties(l)
}

// dropChoice reduces a choice to its upper bound, or removes it if it has no upper bound.
func (r *requiredRules) dropChoice(object schema.Path, c choice) {
	schema.Edit(r.root.Schema, object, func(s *apiextensionsv1.JSONSchemaProps) {
		i := slices.IndexFunc(s.XValidations, func(rule apiextensionsv1.ValidationRule) bool {
			return rule.Rule == c.rule() && rule.Message == c.message()
		})
		if i < 0 {
			return
		}
		s.XValidations = slices.Clone(s.XValidations)
		if c.kind == exactlyOne {
			most := choice{atMostOne, c.names}
			s.XValidations[i].Rule, s.XValidations[i].Message = most.rule(), most.message()
			return
		}
		s.XValidations = slices.Delete(s.XValidations, i, i+1)
	})
}

// exactlyOne returns alternative conditions that exactly one of the fields is set, on either side.
func (l objectPair) exactlyOne(names []string) []cel.Expr {
	var fields, set []cel.Expr
	counting := l.counting()
	for _, name := range names {
		fields = append(fields, l.desired.object.Field(name).Has())
		set = append(set, cel.Or(counting.hasOrRefersTo(name)...))
	}
	// The schema of forProvider itself allows at most one. If one is set there, initProvider doesn't matter.
	conditions := l.desired.has(names...)
	if l.initial == nil && slices.EqualFunc(fields, set, cel.Expr.Equals) { // the schema already counts these fields
		return conditions
	}
	return append(conditions, cel.Op(sum(set), "==", cel.Int(1)))
}

// sum returns an expression for how many of the conditions hold.
func sum(conditions []cel.Expr) cel.Expr {
	var parts []cel.Expr
	for _, c := range conditions {
		parts = append(parts, cel.If(c, cel.Int(1), cel.Int(0)))
	}
	return cel.Sum(parts...)
}

// relaxMinProperties relaxes how many fields an object must have.
func (r *requiredRules) relaxMinProperties(l objectPair) {
	if l.desired.Schema.MinProperties == nil {
		return
	}
	least := int(*l.desired.Schema.MinProperties)
	if schema.KeepsUnknown(l.desired.Schema) {
		return // rules can't count fields that the schema doesn't declare
	}
	required := schema.At(r.root.Schema, l.desired.Path).Required
	var others []string
	for name, at := range l.desired.Properties() {
		switch p := at.Schema; {
		case slices.Contains(required, name) || p.Default != nil:
			least-- // it is always set
		case p.Nullable || !l.desired.canRead(name):
			return // rules can't count it
		default:
			others = append(others, name)
		}
	}
	if least <= 0 {
		return // the schema sets as many in any case, also for observe-only resources
	}
	message := fmt.Sprintf("at least %d of the fields in %v must be set", least, others)
	if least == 1 {
		message = fmt.Sprintf(choices[atLeastOne].message, others)
	}
	drop := func(s *apiextensionsv1.JSONSchemaProps) { s.MinProperties = nil }
	schema.Edit(r.root.Schema, l.desired.Path, drop)
	if len(l.names) > 0 && l.initial != nil { // Crossplane merges the two sides, so that either may have the fields
		schema.Edit(r.root.Schema, l.initial.Path, drop)
	}
	if least == 1 {
		r.addDemand(l, others, message, l.has(others...)...)
		return
	}
	var set []cel.Expr
	for _, name := range others {
		set = append(set, cel.Or(l.has(name)...))
	}
	r.addDemand(l, others, message, cel.Op(sum(set), ">=", cel.Int(int64(least))))
}

// addDemand adds the rule that one of the conditions holds, unless the resource is observe-only or the object is absent.
// The members are the fields that the rule counts.
func (r *requiredRules) addDemand(l objectPair, members []string, message string, conditions ...cel.Expr) {
	r.relaxed++
	r.addChoice(schema.Properties("spec"), l, members, r.unlessObserved(l, message, conditions))
}

// unlessObserved returns the rule for spec that one of the conditions holds, unless the resource is observe-only or the
// object is absent.
func (r *requiredRules) unlessObserved(l objectPair, message string, conditions []cel.Expr) apiextensionsv1.ValidationRule {
	message += " when "
	if len(l.names) > 0 {
		message += dotted(l.names) + " is set and "
	}
	return apiextensionsv1.ValidationRule{
		Rule:    cel.Or(slices.Concat([]cel.Expr{r.guard.observed}, l.absent(), conditions)...).Short().String(),
		Message: message + r.guard.managed,
		Reason:  new(apiextensionsv1.FieldValueRequired),
	}
}

// addChoice adds a rule about the members of an object to the schema at a path: spec, or
// the object itself.
func (a *applier) addChoice(at schema.Path, l objectPair, members []string, rule apiextensionsv1.ValidationRule) {
	a.add(at, l.desired.Path[len(at):].Names(), rule, provenance.Decision{
		Field:  l.desired.Path,
		Pos:    l.desired.Pos,
		Reason: "counts for a rule: " + rule.Message,
	})
	d := a.decisions[len(a.decisions)-1]
	for _, name := range members {
		at, member := l.desired.Property(name), d
		member.Field, member.Pos = at.Path, at.Pos
		a.decisions = append(a.decisions, member)
	}
}

// warnResolved warns about a choice between a value and its reference. Resolving the reference sets both, so that no
// later update satisfies the choice.
func (r *requiredRules) warnResolved(l objectPair, c choice, rule apiextensionsv1.ValidationRule) {
	if c.kind == atLeastOne { // both may be set
		return
	}
	for _, name := range c.names {
		field := l.desired.Property(name)
		if field.Field == nil {
			continue
		}
		for _, companion := range l.desired.Type.Companions(field.Field) {
			if !slices.Contains(c.names, companion) {
				continue
			}
			at, found := RuleMarker(l.desired.Type.AllMarkers(), rule)
			if !found {
				at = field.Pos
			}
			r.diags = append(r.diags, diag.Warningf(at, codeRequired,
				"once %s is resolved, it and %s are both set, and every update is refused: remove %s from +kubebuilder:validation:%s",
				companion, name, companion, choices[c.kind].marker))
		}
	}
}
