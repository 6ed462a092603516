package roundtrip

import (
	"maps"
	"regexp"
	"slices"
	"strings"

	apiextensionsv1 "k8s.io/apiextensions-apiserver/pkg/apis/apiextensions/v1"

	"github.com/mrgen-io/mrgen/generator/internal/apiserver"
	"github.com/mrgen-io/mrgen/generator/internal/cel"
	"github.com/mrgen-io/mrgen/generator/internal/model"
	"github.com/mrgen-io/mrgen/generator/internal/rules"
	"github.com/mrgen-io/mrgen/generator/internal/schema"
)

// failures are the API server's reasons if a rule fails, rather than being false, and what guards it.
var failures = []struct {
	reason *regexp.Regexp
	remedy string
}{
	{regexp.MustCompile(`index out of bounds: \d+`), "begin it with a test of size(…)"},
	{regexp.MustCompile(`no such overload(?:: [^,']*)?`), "test type(…) first, or convert the value, as quantities with quantity(string(…)), which have compareTo"},
	{regexp.MustCompile(`(?:division|modulus) by zero`), "begin it with a test for 0"},
	{regexp.MustCompile(`optional\.none\(\) dereference`), "begin it with a test of hasValue()"},
	{regexp.MustCompile(`Invalid byte formatted string`), "rules can't read Base64 with + or /, so make it a string"},
}

// noSuchKey is the API server's reason if a rule reads a field that isn't set.
var noSuchKey = regexp.MustCompile(`no such key: (\S+)`)

// unguarded warns about a rule that fails, rather than being false, for a value that the schema allows.
func (c *checker) unguarded(at schema.Cursor, rule judgedRule) {
	others := *at.Schema
	others.XValidations = nil
	values := c.variants(at, rule.Rule, rule.texts())
	if rule.isForNew() && rule.isUpdate {
		values = append(values, example(at.Schema))
	}
	for _, value := range values {
		if c.added(at, rule, value) {
			return
		}
		object, _ := rule.judge.Read(map[string]any{"value": value})
		refusals := rule.judge.UpdateRefusals(c.ctx, object, object, false)
		if rule.isForNew() {
			refusals = append(refusals, rule.judge.Refusals(c.ctx, object)...)
		}
		for _, refusal := range refusals {
			if key := noSuchKey.FindStringSubmatch(refusal.Reason); key != nil {
				remedy := "test has(…) first, or make the field required"
				if strings.Contains(rule.Rule, "['"+key[1]+"']") || strings.Contains(rule.Rule, `["`+key[1]+`"]`) {
					remedy = "begin it with !('" + key[1] + "' in …) ||" // has() is for fields, and not for keys of maps
				}
				c.warnOf(rule, "the rule fails where %s is unset, and users read \"no such key\": "+remedy, key[1])
				return
			}
			for _, failure := range failures {
				if reason := failure.reason.FindString(refusal.Reason); reason != "" && c.acceptance(&others)(value) {
					c.warnOf(rule, "the rule fails for some values, and users read %q: %s", reason, failure.remedy)
					return
				}
			}
		}
	}
}

// texts returns the texts in a rule. It may read other fields where a field has one of them.
func (r judgedRule) texts() []any {
	return slices.DeleteFunc(r.parsed.Literals(), func(value any) bool { _, isText := value.(string); return !isText })
}

// unsaid warns about a messageExpression that fails where its rule refuses a value: users then read another message.
func (c *checker) unsaid(at schema.Cursor, rule judgedRule) {
	expression, isExpression := cel.Parse(rule.MessageExpression)
	if rule.MessageExpression == "" || !isExpression {
		return
	}
	if rule.isForNew() && expression.IsAboutUpdates() { // even in updates, it reads no optional
		c.warnOf(rule, "the messageExpression reads oldSelf, which it lacks for new values, so that users read another message: leave it out")
		return
	}
	never := rule.ValidationRule
	never.Rule = "false && (" + never.Rule + ")"
	// The rule may test the fields that it mentions, too. It refuses some object whether or not the others are set.
	others := ""
	for _, chain := range expression.Chains() {
		for _, name := range chain.Names {
			if !strings.Contains(rule.Rule, name) {
				others += " " + name
			}
		}
	}
	isLost := func(rule apiextensionsv1.ValidationRule, values ...any) bool {
		judge := judgeOf(at.Schema, rule)
		return judge != nil && slices.ContainsFunc(values, func(value any) bool {
			object, _ := judge.Read(map[string]any{"value": value})
			return slices.ContainsFunc(judge.UpdateRefusals(c.ctx, object, object, false), func(r apiserver.Refusal) bool {
				return strings.HasSuffix(r.Reason, isFalse)
			})
		})
	}
	variants := c.variants(at, rule.Rule+rule.MessageExpression, rule.texts())
	if !isLost(never, example(at.Schema)) && (isLost(rule.ValidationRule, variants...) || isLost(never, c.variants(at, others, nil)...)) {
		c.warnOf(rule, "the messageExpression fails where a field is unset, so that users read another message: test has(…) in it")
	}
}

// added warns about a rule that refuses an object once Go has written zero values of fields that were unset.
func (c *checker) added(at schema.Cursor, rule judgedRule, value any) bool {
	object, isObject := value.(map[string]any)
	if names, _, _ := rules.Choice(rule.ValidationRule); !isObject || len(names) > 0 { // another warning is about a choice
		return false
	}
	sent, read := maps.Clone(object), ""
	for name, below := range at.Properties() {
		if _, isSet := object[name]; isSet || below.Field == nil || below.Field.Pos.IsOutside() || !strings.Contains(rule.Rule, name) {
			continue
		}
		if zero, known := zeroOf(below.Type); known && below.Field.Unset() == model.Written {
			sent[name], read = zero, name
		}
	}
	if read == "" || !c.refuses(rule.judge, trial{usual: value, old: value, sent: sent}) {
		return false
	}
	c.warnOf(rule, writtenUnset, schema.JSON(sent[read]), read)
	return true
}

// defaulted warns about a rule that reads fields with defaults alone, and refuses these. The API server's validation tries each
// default by itself.
func (c *checker) defaulted(at schema.Cursor, rule judgedRule) {
	value, hasDefaults := unset(at.Schema, words.FindAllString(rule.Rule, -1))
	if !hasDefaults {
		return
	}
	object, _ := rule.judge.Read(map[string]any{"value": value})
	for _, refusal := range rule.judge.Refusals(c.ctx, object) {
		if strings.HasSuffix(refusal.Reason, isFalse) {
			c.warnOf(rule, "the rule refuses objects that leave its fields to their defaults: correct a default, or the rule")
			return
		}
	}
}

// words matches the names in a rule.
var words = regexp.MustCompile(`\w+`)

// unset returns a value without the fields with defaults that a rule mentions, and whether there are any. It returns false if
// the rule mentions a field without a default: a user may set that as the rule has it.
func unset(s *schema.Props, mentioned []string) (value any, hasDefaults bool) {
	switch {
	case s.Type == "object" && s.AdditionalProperties == nil:
		object := map[string]any{}
		for name := range s.Properties {
			below := s.Properties[name]
			isScalar := below.Type != "object" && below.Type != "array"
			switch isMentioned := slices.Contains(mentioned, name); {
			case below.Default != nil:
				hasDefaults = hasDefaults || isMentioned
			case isMentioned && isScalar:
				return nil, false
			case isMentioned:
				within, hasAny := unset(&below, mentioned)
				if !hasAny {
					return nil, false
				}
				object[name], hasDefaults = within, true
			case slices.Contains(s.Required, name):
				object[name] = example(&below)
			}
		}
		return object, hasDefaults
	case s.AdditionalProperties != nil && s.AdditionalProperties.Schema != nil:
		value, hasDefaults = unset(s.AdditionalProperties.Schema, mentioned)
		return map[string]any{"key": value}, hasDefaults
	case s.Items != nil && s.Items.Schema != nil:
		value, hasDefaults = unset(s.Items.Schema, mentioned)
		return []any{value}, hasDefaults
	}
	return nil, false
}

// variants returns values with all fields but one that a rule mentions, which may be unset, and at last one with none of
// these. They have each field that the author requires: where mrgen doesn't, another warning names the rule, unless it tests
// whether the field is set. Scalars are values that rules tend to forget, and the texts of the rule, by which it may decide
// whether it reads another field.
func (c *checker) variants(at schema.Cursor, rule string, texts []any) []any {
	switch s := at.Schema; {
	case s.XIntOrString:
		return []any{int64(1), "1"}
	case s.AdditionalProperties != nil: // the rule may read any key
		return []any{map[string]any{}, example(s)}
	case s.Type == "integer" && strings.ContainsAny(rule, "/%"):
		return []any{int64(0)}
	case schema.IsBytes(s), s.Type == "string" && strings.Contains(rule, "["): // a part of it
		return []any{example(s)}
	case s.Type == "string" && len(texts)+len(s.Enum) > 0:
		for _, one := range s.Enum {
			texts = append(slices.Clip(texts), decoded(one.Raw))
		}
		accepts := c.acceptance(s)
		return slices.DeleteFunc(slices.Clone(texts), func(text any) bool { return !accepts(text) })
	}
	if at.Schema.Type == "object" {
		return c.objects(at, rule, texts)
	}
	var lists []any
	if element, hasElements := at.Element(); hasElements {
		for _, item := range c.variants(element, rule, texts) {
			lists = append(lists, []any{item})
		}
		if strings.Contains(rule, "[") {
			lists = append([]any{[]any{}}, lists...)
		}
	}
	return lists
}

// objects returns the variants of an object with named fields.
func (c *checker) objects(at schema.Cursor, rule string, texts []any) []any {
	var all []any
	var told []map[string]any // a text, beside which others are unset
	least, _ := example(at.Schema).(map[string]any)
	for name, below := range at.Properties() {
		if !strings.Contains(rule, name) {
			continue
		}
		within := c.variants(below, rule, texts)
		for _, value := range within {
			all = append(all, withField(at.Schema, name, value, true))
			if below.Schema.Type == "string" {
				told = append(told, map[string]any{name: value})
			}
		}
		isRequired := below.Field != nil && below.Field.Required && !strings.Contains(rule, "."+name+")")
		switch {
		case !isRequired && !below.Always():
			all = append(all, withField(at.Schema, name, nothing{}, true))
			delete(least, name)
		case below.Schema.Default != nil:
			least[name] = decoded(below.Schema.Default.Raw)
		case len(within) > 0:
			least[name] = within[len(within)-1]
		}
	}
	for _, text := range told {
		object := maps.Clone(least)
		maps.Copy(object, text)
		all = append(all, object)
	}
	return append(all, least)
}

// final warns about a rule by which a value stays that Go writes before anybody has set one.
func (c *checker) final(name string, at schema.Cursor, rule judgedRule) {
	if !rule.isUpdate {
		return
	}
	c.isFinal(name, at, rule, func(value any) any { return value })
	for field, below := range at.Properties() {
		around := func(value any) any { return withField(at.Schema, field, value, true) }
		if strings.Contains(rule.Rule, field) && c.isFinal(field, below, rule, around) {
			return
		}
	}
}

// isFinal reports and warns whether a rule refuses each change of a field from the value that Go writes where nobody set one.
func (c *checker) isFinal(name string, at schema.Cursor, rule judgedRule, around func(any) any) bool {
	if at.Field == nil || !c.isStatus && slices.Contains(at.Above.Schema.Required, at.Field.JSONName) {
		return false
	}
	zero, known := zeroOf(at.Type)
	isWritten := known && at.Type.Kind == model.Basic && at.Field.Unset() == model.Written
	if !isWritten || !c.acceptance(at.Schema)(zero) {
		return false
	}
	others := []any{example(at.Schema)}
	for _, value := range at.Schema.Enum {
		others = append(others, decoded(value.Raw))
	}
	others = append(others, rule.parsed.Literals()...)
	before := around(zero)
	isChanged := slices.ContainsFunc(others, func(value any) bool {
		return value != zero && !c.refuses(rule.judge, trial{at: at, usual: before, old: before, sent: around(value)})
	})
	if !isChanged {
		c.warnOf(rule, "Go writes %s for %s where nobody set a value, and the rule refuses all others from then on: give it omitempty", schema.JSON(zero), name)
	}
	return !isChanged
}
