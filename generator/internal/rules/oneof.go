package rules

import (
	"fmt"
	"maps"
	"regexp"
	"slices"
	"strconv"
	"strings"

	apiextensionsv1 "k8s.io/apiextensions-apiserver/pkg/apis/apiextensions/v1"
	"k8s.io/apiserver/pkg/cel"

	"github.com/mrgen-io/mrgen/generator/internal/diag"
	"github.com/mrgen-io/mrgen/generator/internal/model"
	"github.com/mrgen-io/mrgen/generator/internal/schema"
	"github.com/mrgen-io/mrgen/markers"
)

// A choice is a rule that controller-tools writes for a marker: so many of some fields
// must be set.
type choice struct {
	kind choiceKind
	// names are those of the properties.
	names []string
}

type choiceKind uint8

const (
	atLeastOne choiceKind = iota
	atMostOne
	exactlyOne
)

// choices has the markers, and the rules and messages that controller-tools writes for
// them: see OneOf in its pkg/crd/markers/validation.go.
var choices = map[choiceKind]struct{ marker, comparison, message string }{
	atLeastOne: {"AtLeastOneOf", "", "at least one of the fields in %v must be set"},
	atMostOne:  {"AtMostOneOf", " <= 1", "at most one of the fields in %v may be set"},
	exactlyOne: {"ExactlyOneOf", " == 1", "exactly one of the fields in %v must be set"},
}

var tested = regexp.MustCompile(`has\(self\.(\w+)\)`)

// choiceOf returns the choice that a rule asks for, if controller-tools wrote it.
func choiceOf(rule apiextensionsv1.ValidationRule) (choice, bool) {
	var names []string
	for _, match := range tested.FindAllStringSubmatch(rule.Rule, -1) {
		name, ok := cel.Unescape(match[1])
		if !ok {
			return choice{}, false
		}
		names = append(names, name)
	}
	for _, kind := range []choiceKind{atLeastOne, atMostOne, exactlyOne} {
		if c := (choice{kind, names}); c.rule() == rule.Rule && c.message() == rule.Message {
			return c, true
		}
	}
	return choice{}, false
}

// Choice returns the fields of which a rule that controller-tools wrote for a marker asks
// for one, if it demands one, or bounds them to one. There are none if it is another rule.
func Choice(rule apiextensionsv1.ValidationRule) (names []string, demands, bounds bool) {
	c, ok := choiceOf(rule)
	if !ok {
		return nil, false, false
	}
	return c.names, c.kind != atMostOne, c.kind != atLeastOne
}

// escaped returns the names of the fields as the rule and its marker have them.
func (c choice) escaped() []string {
	var names []string
	for _, name := range c.names {
		name, _ := cel.Escape(name)
		names = append(names, name)
	}
	return names
}

// rule and message return what controller-tools writes.
func (c choice) rule() string {
	var parts []string
	for _, name := range c.escaped() {
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

func (c choice) message() string { return fmt.Sprintf(choices[c.kind].message, c.escaped()) }

// RuleMarker returns where the marker is that a rule of the author comes from.
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
			if isChoice && name == choices[c.kind].marker && slices.Equal(strings.FieldsFunc(argument, isNotName), c.escaped()) {
				return m.Pos, true
			}
		case strings.Contains(text, "rule="+quoted), strings.Contains(text, "rule=`"+rule.Rule+"`"):
			return m.Pos, true
		case strings.Contains(text, rule.Rule), strings.Contains(text, strings.Trim(quoted, `"`)):
			similar = append(similar, m.Pos)
		}
	}
	if len(similar) == 0 {
		return diag.Position{}, false
	}
	return similar[0], true
}

// isNotName reports whether a character is between the names in the list of a marker.
func isNotName(r rune) bool { return strings.ContainsRune("{};,\"` ", r) }

// demands relaxes what markers of an object demand to be in it, whatever that is: at
// least one of some fields, exactly one, or so many of all. What they bound stays.
func (r *relaxer) demands(l level) {
	authored := slices.Clone(l.desired.Schema.XValidations[:r.authored(l.desired.Path, len(l.desired.Schema.XValidations))])
	for _, rule := range authored {
		c, ok := choiceOf(rule)
		if !ok {
			continue
		}
		r.warnResolved(l, c, rule)
		if c.kind == atMostOne || slices.ContainsFunc(c.names, func(name string) bool { return !l.desired.reads(name) }) {
			continue
		}
		r.dropChoice(l.desired.Path, c)
		if len(l.names) > 0 && l.initial != nil {
			r.dropChoice(l.initial.Path, c)
		}
		if c.kind == atLeastOne {
			r.demand(l, c.names, c.message(), slices.Concat(l.desired.given(c.names...), l.initial.given(c.names...))...)
			continue
		}
		r.demand(l, c.names, c.message(), l.exactlyOne(c.names)...)
	}
	r.leastProperties(l)
}

// dropChoice takes from a choice what it demands.
func (r *relaxer) dropChoice(object schema.Path, c choice) {
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
		if len(s.XValidations) == 0 {
			s.XValidations = nil
		}
		for _, d := range r.decisions {
			if d.Rule != nil && d.Rule.Path.Compare(object) == 0 && d.Rule.Index > i {
				d.Rule.Index--
			}
		}
	})
}

// exactlyOne returns conditions, one of which holds if exactly one of the fields is
// given on either side. That forProvider has no more than one is demanded elsewhere; one
// there was enough before values in initProvider counted, and still is.
func (l level) exactlyOne(names []string) []string {
	var values, given []string
	desired, initial := l.desired.counting(), l.initial.counting()
	for _, name := range names {
		values = append(values, l.desired.object.below(name).has())
		given = append(given, or(slices.Concat(desired.given(name), initial.given(name))...))
	}
	conditions := l.desired.has(names...)
	if l.initial == nil && slices.Equal(values, given) {
		return conditions
	}
	return append(conditions, sum(given)+" == 1")
}

// sum counts the conditions that hold.
func sum(conditions []string) string {
	var parts []string
	for _, c := range conditions {
		parts = append(parts, "("+c+" ? 1 : 0)")
	}
	return strings.Join(parts, " + ")
}

// leastProperties relaxes how many fields an object must have.
func (r *relaxer) leastProperties(l level) {
	if l.desired.Schema.MinProperties == nil {
		return
	}
	least := int(*l.desired.Schema.MinProperties)
	if p := l.desired.Schema.XPreserveUnknownFields; p != nil && *p {
		return // rules can't count fields that the schema doesn't declare
	}
	required := schema.At(r.root.Schema, l.desired.Path).Required
	var others []string
	for _, name := range slices.Sorted(maps.Keys(l.desired.Schema.Properties)) {
		p := l.desired.Property(name).Schema
		switch {
		case slices.Contains(required, name) || p.Default != nil:
			least-- // it is always there
		case p.Nullable || !l.desired.reads(name):
			return // rules can't count a null, or what they can't read
		default:
			others = append(others, name)
		}
	}
	if least <= 0 {
		return // a resource that is only observed has as many
	}
	message := fmt.Sprintf("at least %d of the fields in %v must be set", least, others)
	if least == 1 {
		message = fmt.Sprintf(choices[atLeastOne].message, others)
	}
	drop := func(s *apiextensionsv1.JSONSchemaProps) { s.MinProperties = nil }
	schema.Edit(r.root.Schema, l.desired.Path, drop)
	if len(l.names) > 0 && l.initial != nil {
		schema.Edit(r.root.Schema, l.initial.Path, drop)
	}
	if least == 1 {
		r.demand(l, others, message, slices.Concat(l.desired.has(others...), l.initial.has(others...))...)
		return
	}
	var given []string
	for _, name := range others {
		given = append(given, or(slices.Concat(l.desired.has(name), l.initial.has(name))...))
	}
	r.demand(l, others, message, fmt.Sprintf("%s >= %d", sum(given), least))
}

// demand adds the rule that one of the conditions holds, unless the resource is only
// observed, or the object is not there. The members are the fields that it is about.
func (r *relaxer) demand(l level, members []string, message string, conditions ...string) {
	r.relaxed++
	alternatives := append([]string{r.guard}, l.absent()...)
	reason := apiextensionsv1.FieldValueRequired
	if len(l.names) > 0 {
		message += " when " + dotted(l.names) + " is set,"
	}
	message += " unless the resource is only observed"
	r.addChoice(schema.Properties("spec"), l, members, apiextensionsv1.ValidationRule{
		Rule: or(append(alternatives, conditions...)...), Message: message, Reason: &reason,
	})
}

// addChoice adds a rule about fields of an object to the schema at a path: spec, or the
// object itself.
func (a *applier) addChoice(at schema.Path, l level, members []string, rule apiextensionsv1.ValidationRule) {
	a.add(at, l.desired.object.names, rule, Decision{Field: l.desired.Path, Pos: l.desired.Pos, Reason: "counts for a rule: " + rule.Message})
	d := a.decisions[len(a.decisions)-1]
	for _, name := range members {
		at, member := l.desired.Property(name), d
		member.Field, member.Pos = at.Path, at.Pos
		a.decisions = append(a.decisions, member)
	}
}

// warnResolved warns of a choice that no resource can meet once a reference is resolved,
// since the value is set beside it then.
func (r *relaxer) warnResolved(l level, c choice, rule apiextensionsv1.ValidationRule) {
	if c.kind == atLeastOne {
		return
	}
	for _, name := range c.names {
		field := l.desired.Property(name)
		if field.Field == nil {
			continue
		}
		reference, selector := field.Field.ReferenceNames()
		for _, goName := range []string{reference, selector} {
			companion := l.desired.Type.GoField(goName)
			if goName == "" || companion == nil || !slices.Contains(c.names, companion.JSONName) {
				continue
			}
			at, found := RuleMarker(l.desired.Type.AllMarkers(), rule)
			if !found {
				at = field.Pos
			}
			r.diags = append(r.diags, diag.Warningf(at, codeRequired,
				"no update of a resource is accepted any more once %s is resolved, since it and %s are set then: remove %s from +kubebuilder:validation:%s; references and selectors count as the value",
				companion.JSONName, name, companion.JSONName, choices[c.kind].marker))
		}
	}
}
