package combinations_test

import (
	"context"
	"fmt"
	"maps"
	"reflect"
	"slices"
	"strings"

	apiextensionsv1 "k8s.io/apiextensions-apiserver/pkg/apis/apiextensions/v1"
	"k8s.io/apimachinery/pkg/util/json"

	"github.com/mrgen-io/mrgen/generator/diag"
)

type diagnostic = diag.Diagnostic

// A relation is between what a cell says, what the API server's code does and what encoding/json does.
type relation struct {
	name string
	// holds calls report for each case in which the relation doesn't hold. The base is the cell without the marker, or nil.
	holds func(j, base *judgement, report func(what string))
}

// relations is the table of relations.
var relations = []relation{
	{"stored, and Go can't read it", func(j, _ *judgement, report func(string)) {
		for _, v := range j.verdicts {
			isKnown := j.isWritten() || isUnjudged(j.schema(), j.field(v.stored))
			if v.unread != nil && !isKnown && !isWarned(j.outcome, nil) {
				report(v.shown() + ": " + v.unread.Error())
			}
		}
	}},
	{"Go's update is refused", func(j, _ *judgement, report func(string)) {
		for _, v := range j.verdicts {
			isKnown := isUnjudged(j.schema(), j.field(v.stored)) // Base64 is longer than a list of numbers
			if len(v.unsent) > 0 && !isKnown && !isWarned(j.outcome, nil) {
				report(v.shown() + ": " + refusalText(v.unsent))
			}
		}
	}},
	{"Go's update means something else", func(j, _ *judgement, report func(string)) {
		for _, v := range j.verdicts {
			if v.returned.IsValid() && !means(v.decoded, v.returned) && !isWarned(j.outcome, nil, "becomes", "omit", "lost", "drops") {
				report(v.shown() + ": " + shown(v.decoded.Interface()) + " becomes " + shown(v.returned.Interface()))
			}
		}
	}},
	{"Go's update loses values", func(j, _ *judgement, report func(string)) {
		for _, v := range j.verdicts {
			isKnown := j.isWritten() || isUnjudged(j.schema(), j.field(v.stored))
			if !v.returned.IsValid() || v.unread != nil || isKnown {
				continue
			}
			if isLost(j.field(v.stored), j.field(v.sent)) && !isWarned(j.outcome, nil) {
				report(v.shown() + ": " + shown(j.field(v.stored)) + " becomes " + shown(j.field(v.sent)))
			}
		}
	}},
	{"a default makes an accepted object refused", func(j, base *judgement, report func(string)) {
		if base == nil || !strings.Contains(j.marking.name, "default") || strings.Contains(j.marking.name, " and ") {
			return
		}
		for i, v := range j.verdicts {
			if v.stored == nil && base.verdicts[i].stored != nil {
				report(v.shown() + ": " + refusalText(v.refusals))
			}
		}
	}},
	{"no value is accepted", func(j, base *judgement, report func(string)) {
		if base == nil || base.accepts() == 0 || j.isNever() {
			return
		}
		if j.accepts() == 0 && !isWarned(j.outcome, base.outcome) {
			report(refusalText(j.verdicts[1].refusals))
		}
	}},
	{"the mirror refuses what forProvider takes", func(j, _ *judgement, report func(string)) {
		for _, v := range j.verdicts {
			if refused := j.mirrorRefuses(v.stored, v.stored); refused != "" {
				report(v.shown() + ": " + refused)
			}
		}
	}},
	{"the mirror is constrained", func(j, base *judgement, report func(string)) {
		if base == nil {
			return
		}
		some := max(0, slices.IndexFunc(j.verdicts, func(v verdict) bool { return v.stored != nil }))
		for i, v := range j.verdicts {
			if base.verdicts[i].stored == nil || len(v.refusals) == 0 {
				continue
			}
			if refused := j.mirrorRefuses(j.verdicts[some].stored, v.object); refused != "" {
				report(v.shown() + ": " + refused)
			}
		}
	}},
	{"initProvider takes what forProvider refuses", func(j, _ *judgement, report func(string)) {
		if !j.place.isDesired() || j.verdicts[0].stored == nil { // something else is required
			return
		}
		for _, v := range j.verdicts[1:] {
			if v.stored != nil || !v.isPossible {
				continue
			}
			desired := v.object["spec"].(map[string]any)["forProvider"]
			read, _ := j.server.Read(map[string]any{"spec": map[string]any{"forProvider": map[string]any{}, "initProvider": desired}})
			path := j.path()
			path[1] = "initProvider"
			name, _ := j.names()
			isAccepted := follow(read, path)[name] != nil && len(j.server.Refusals(context.Background(), read)) == 0
			if isAccepted && !strings.Contains(refusalText(v.refusals), "Required value") {
				report(v.shown() + ": " + refusalText(v.refusals))
			}
		}
	}},
	{"a default hides initProvider", func(j, base *judgement, report func(string)) {
		if base == nil || j.place.path != "spec forProvider" || isWarned(j.outcome, base.outcome) {
			return
		}
		read, _ := j.server.Read(map[string]any{"spec": map[string]any{"forProvider": map[string]any{}, "initProvider": map[string]any{}}})
		if value := j.field(read); value != nil && j.initial(schemaOf(j.kind.definition)) {
			report(shown(value))
		}
	}},
	{"an observe-only object is refused", func(j, _ *judgement, report func(string)) {
		if j.place.isPlain || j.place.name == "spec" || j.isNever() { // the author's own fields of spec stay required
			return
		}
		object := map[string]any{"spec": map[string]any{"forProvider": map[string]any{}, "managementPolicies": []any{"Observe"}}}
		read, _ := j.server.Read(object)
		if refused := j.server.Refusals(context.Background(), read); len(refused) > 0 && !isWarned(j.outcome, nil) {
			report(refusalText(refused))
		}
	}},
	{"the marker has no effect", func(j, base *judgement, report func(string)) {
		if base == nil || !j.marking.isRead || isWarned(j.outcome, base.outcome) {
			return
		}
		if j.general() == base.general() {
			report("")
		}
	}},
	{"+immutable", immutability},
	{"another schema than controller-gen's", asUpstream},
}

// isWritten reports whether only Go writes the field.
func (j *judgement) isWritten() bool { return strings.HasPrefix(j.place.path, "status") }

// isNever reports whether the author's rule is never true.
func (j *judgement) isNever() bool {
	return strings.Contains(strings.Join(j.marking.lines, " "), `rule="false"`)
}

// isUnjudged reports whether a part of a value has no schema, or is a list where the schema has a text with a format: the
// API server's code checks neither, and no marker has it do so.
func isUnjudged(s *apiextensionsv1.JSONSchemaProps, value any) bool {
	if s == nil || s.Type == "" && !s.XIntOrString {
		return true
	}
	switch value := value.(type) {
	case []any:
		if s.Type != "array" {
			return s.Format != ""
		}
		return slices.ContainsFunc(value, func(item any) bool { return isUnjudged(s.Items.Schema, item) })
	case map[string]any:
		return slices.ContainsFunc(slices.Collect(maps.Keys(value)), func(name string) bool { return isUnjudged(below(s, name), value[name]) })
	}
	return false
}

// below returns the schema of a property, a value of a map or an item, or nil.
func below(s *apiextensionsv1.JSONSchemaProps, name string) *apiextensionsv1.JSONSchemaProps {
	property, isProperty := s.Properties[name]
	switch {
	case isProperty:
		return &property
	case s.AdditionalProperties != nil:
		return s.AdditionalProperties.Schema
	case s.Items != nil:
		return s.Items.Schema
	}
	return nil
}

// schema returns the schema of the field.
func (j *judgement) schema() *apiextensionsv1.JSONSchemaProps {
	s := schemaOf(j.kind.definition)
	name, _ := j.names()
	for _, step := range append(j.path(), name) {
		if s != nil {
			s = below(s, step)
		}
	}
	return s
}

// immutability reports values that an update may change although the field is immutable, and values that Go writes in
// another form and may not.
func immutability(j, base *judgement, report func(string)) {
	if base == nil || !slices.Contains(j.marking.lines, "+immutable") || isWarned(j.outcome, nil) {
		return
	}
	for _, old := range j.verdicts[1:] {
		if old.sent == nil || j.field(old.sent) == nil || !j.place.isDesired() {
			continue
		}
		for _, v := range j.verdicts[1:] {
			if v.sent == nil || j.field(v.sent) == nil {
				continue
			}
			refused := len(j.server.UpdateRefusals(context.Background(), v.sent, old.stored, false)) > 0
			if refused == means(v.decoded, old.decoded) {
				report(old.shown() + " to " + v.shown())
				return
			}
		}
	}
}

// asUpstream compares the schema of the field with controller-gen's.
func asUpstream(j, _ *judgement, report func(string)) {
	if j.kind.upstream == nil {
		report("controller-gen writes no definition")
		return
	}
	if !j.place.isPlain {
		return // rules and relaxed fields are mrgen's
	}
	theirs, ours := schemaOf(j.kind.upstream), schemaOf(j.kind.definition)
	for _, step := range j.path() {
		theirs, ours = new(theirs.Properties[step]), new(ours.Properties[step])
	}
	name, _ := j.names()
	if theirs, ours := shown(theirs.Properties[name]), shown(ours.Properties[name]); theirs != ours {
		report(theirs + " and " + ours)
	}
}

// means reports whether two Go values are the same for a controller: it doesn't tell nothing from an empty list or map.
func means(a, b reflect.Value) bool {
	return reflect.DeepEqual(withoutEmpty(encoded(a)), withoutEmpty(encoded(b)))
}

// encoded returns what Go writes for a value.
func encoded(v reflect.Value) any {
	content, err := json.Marshal(v.Interface())
	if err != nil {
		return err.Error()
	}
	var written any
	if err := json.Unmarshal(content, &written); err != nil {
		return err.Error()
	}
	return written
}

// withoutEmpty returns a JSON value without null, and without empty objects and lists in objects.
func withoutEmpty(value any) any {
	switch value := value.(type) {
	case map[string]any:
		kept := map[string]any{}
		for name, v := range value {
			if v = withoutEmpty(v); v != nil {
				kept[name] = v
			}
		}
		if len(kept) == 0 {
			return nil
		}
		return kept
	case []any:
		if len(value) == 0 {
			return nil
		}
		items := make([]any, len(value))
		for i, item := range value {
			items[i] = withoutEmpty(item)
		}
		return items
	default:
		return value
	}
}

// isLost reports whether an update has lost values: it lacks names that the stored value has, and they aren't empty.
func isLost(stored, sent any) bool {
	switch stored := withoutZero(stored).(type) {
	case map[string]any:
		other, _ := sent.(map[string]any)
		return slices.ContainsFunc(slices.Collect(maps.Keys(stored)), func(name string) bool { return isLost(stored[name], other[name]) })
	case []any:
		other, _ := sent.([]any)
		for i, item := range stored {
			if i >= len(other) || isLost(item, other[i]) {
				return true
			}
		}
		return false
	case nil:
		return false
	default:
		return sent == nil
	}
}

// withoutZero returns a value, or nil if it is zero.
func withoutZero(value any) any {
	if value == nil || reflect.ValueOf(value).IsZero() {
		return nil
	}
	return withoutEmpty(value)
}

// general returns what is generated for the cell: its schemas, rules and code, without names.
func (j *judgement) general() string {
	var b strings.Builder
	for _, version := range j.kind.definition.Spec.Versions {
		j.collect(&b, version.Schema.OpenAPIV3Schema)
	}
	if j.place.on == onKind {
		b.WriteString(shown(j.kind.definition))
	}
	return generalized(j.outcome, b.String()+j.code)
}

// collect writes the schemas of properties that belong to the cell, and the rules that name them.
func (j *judgement) collect(b *strings.Builder, s *apiextensionsv1.JSONSchemaProps) {
	for _, rule := range s.XValidations {
		if strings.Contains(rule.Rule, j.top()) {
			b.WriteString(shown(rule) + "\n")
		}
	}
	for _, name := range slices.Sorted(maps.Keys(s.Properties)) {
		property := s.Properties[name]
		if strings.Contains(name, j.top()) {
			fmt.Fprintf(b, "%s %t %s\n", name, slices.Contains(s.Required, name), shown(property))
		} else {
			j.collect(b, &property)
		}
	}
}

// initial reports whether spec.initProvider has the field.
func (j *judgement) initial(root *apiextensionsv1.JSONSchemaProps) bool {
	_, found := root.Properties["spec"].Properties["initProvider"].Properties[j.top()]
	return found
}
