package roundtrip

import (
	"strings"
	"sync"

	apiextensionsv1 "k8s.io/apiextensions-apiserver/pkg/apis/apiextensions/v1"

	"github.com/mrgen-io/mrgen/generator/diag"
	"github.com/mrgen-io/mrgen/generator/internal/apiserver"
	"github.com/mrgen-io/mrgen/generator/internal/cel"
	"github.com/mrgen-io/mrgen/generator/internal/model"
	"github.com/mrgen-io/mrgen/generator/internal/rules"
	"github.com/mrgen-io/mrgen/generator/internal/schema"
	"github.com/mrgen-io/mrgen/markers"
)

// A trial is an update of a value by Go.
type trial struct {
	// at is the field that matters. It has the value stored, and Go writes the value written.
	at              schema.Cursor
	stored, written any
	// old and sent are the values around the field, and usual is one that a rule should accept in place of itself.
	usual, old, sent any
}

// nothing stands for a field that isn't set.
type nothing struct{}

// A judgedRule is a rule of the author's, with the position of its marker, and what judges values by the rule alone.
type judgedRule struct {
	apiextensionsv1.ValidationRule
	parsed *cel.Rule
	marker diag.Position
	judge  *apiserver.ObjectValidator
	// isUpdate is set if the rule compares with the old value.
	isUpdate bool
}

// isForNew reports whether the API server asks the rule about new values.
func (r judgedRule) isForNew() bool {
	return !r.isUpdate || r.OptionalOldSelf != nil && *r.OptionalOldSelf
}

// warnOf warns about a rule.
func (c *checker) warnOf(rule judgedRule, format string, args ...any) {
	c.diags = append(c.diags, diag.Warningf(rule.marker, codeRoundTrip, format, args...))
}

// updates warns about the author's rules that refuse values as Go writes them, and rules that fail on Base64.
func (c *checker) updates(name string, at schema.Cursor) {
	for _, written := range at.Schema.XValidations {
		marker, isAuthored := authored(at, written)
		if !isAuthored { // mrgen's rules allow for what Go writes
			continue
		}
		parsed, isRule := cel.Parse(written.Rule)
		silent := written
		silent.MessageExpression = ""
		judge := judgeOf(at.Schema, silent)
		if judge == nil || !isRule {
			continue
		}
		rule := judgedRule{written, parsed, marker, judge, parsed.IsAboutUpdates()}
		if rule.isUpdate && c.refused(name, at, rule) {
			continue
		}
		c.unsaid(at, rule)
		before := len(c.diags)
		c.unguarded(at, rule)
		c.defaulted(at, rule)
		c.final(name, at, rule)
		if names, _, _ := rules.Choice(written); len(c.diags) == before && !rule.isUpdate && len(names) == 0 { // another warning is about choices
			c.refused(name, at, rule)
		}
	}
}

// distinct checks a list whose items or keys differ.
func (c *checker) distinct(name string, at, element schema.Cursor) {
	if *at.Schema.XListType == "set" && (element.Schema.Type == "object" || element.Schema.Type == "array") {
		c.warn(at.Field, "server-side apply fails for %s, a set of values that aren't scalars: mark it +%s=map with a key, or =atomic", name, markers.ListType)
		return
	}
	judge := sync.OnceValue(func() *apiserver.ObjectValidator { // few lists need it
		return judgeOf(at.Schema, apiextensionsv1.ValidationRule{Rule: "true"})
	})
	accepts := func(items ...any) bool {
		return judge() != nil && len(judge().Refusals(c.ctx, map[string]any{"value": items})) == 0
	}
	for _, t := range c.trials(element, "", true) {
		isRewritten := t.stored != (nothing{}) && t.written != (nothing{})
		if isRewritten && accepts(t.old, t.sent) && !accepts(t.sent, t.sent) {
			c.warn(at.Field, "Go writes %s of %s as %s, so that two items become one, which the API server refuses: mark it +%s=atomic",
				schema.JSON(t.stored), name, schema.JSON(t.written), markers.ListType)
			return
		}
	}
}

// authored returns the position of the author's marker for a rule. +k8s:immutable makes two: one at the field, and one
// around it by which the field stays.
func authored(at schema.Cursor, rule apiextensionsv1.ValidationRule) (diag.Position, bool) {
	if frozen := frozen(at); frozen != nil && rule.Rule == "self == oldSelf" {
		return frozen.Pos, true
	}
	if name, stays := strings.CutSuffix(strings.TrimPrefix(rule.Message, "field "), " is immutable once set"); stays {
		if frozen := frozen(at.Property(name)); frozen != nil {
			return frozen.Pos, true
		}
	}
	return rules.RuleMarker(at.Markers(), rule)
}

func frozen(at schema.Cursor) *model.Marker { return model.Named(at.Markers(), markers.K8sImmutable) }

// refused warns about a trial that a rule refuses. The siblings of its field are unset or all set.
func (c *checker) refused(name string, at schema.Cursor, rule judgedRule) bool {
	for _, siblings := range []bool{false, true} {
		for _, t := range c.trials(at, rule.Rule, siblings) {
			isOthers := t.at.Field != nil && t.at.Field.Pos.IsOutside() // the author can't edit it
			if (rule.isUpdate || !isOthers) && c.refuses(rule.judge, t) {
				c.diags = append(c.diags, t.warning(rule, name, at))
				return true
			}
		}
	}
	return false
}

// writtenUnset is the warning of a rule that refuses the zero value of a field that was unset.
const writtenUnset = "updates from Go send %s for %s where nobody set a value, which the rule refuses: make it a pointer with omitempty"

// warning says what a rule at a place does to a trial.
func (t *trial) warning(rule judgedRule, name string, at schema.Cursor) diag.Diagnostic {
	if len(t.at.Path) > len(at.Path) {
		name = strings.TrimPrefix(t.at.Path.String(), ".")
	}
	desired := schema.Properties("spec", "forProvider")
	switch isOmitted := t.written == (nothing{}); {
	case t.stored == (nothing{}):
		return diag.Warningf(rule.marker, codeRoundTrip, writtenUnset, schema.JSON(t.written), t.at.Field.JSONName)
	case rule.isUpdate && t.at.Path.HasPrefix(desired) && (len(at.Path) > len(desired) || frozen(t.at) != nil):
		written := "nothing"
		if !isOmitted {
			written = schema.JSON(t.written)
		}
		return diag.Warningf(rule.marker, codeRoundTrip, "Go writes %s for %s, a change of %s that the rule refuses with every update: write +%s instead",
			written, schema.JSON(t.stored), name, markers.Immutable)
	case isOmitted:
		remedy := remedy(t.at, t.stored)
		if f := t.at.Field; f != nil && f.Pos.IsOutside() {
			remedy = "name the fields that matter in the rule" // the author can't edit the type
		}
		return diag.Warningf(rule.marker, codeRoundTrip, "Go omits %s, a change of %s that the rule refuses with every update: "+remedy,
			schema.JSON(t.stored), name)
	default:
		return diag.Warningf(rule.marker, codeRoundTrip,
			"Go writes %s for %s, a change of %s that the rule refuses with every update: compare a form that both have, or remove the rule",
			schema.JSON(t.written), schema.JSON(t.stored), name)
	}
}

// isFalse ends the API server's reason if a rule is false.
const isFalse = "is false"

// judgeOf returns a validator for objects with a value of a schema, a rule and no other constraint, or nil for a rule
// that the API server refuses.
func judgeOf(s *schema.Props, rule apiextensionsv1.ValidationRule) *apiserver.ObjectValidator {
	form := schema.Map(s, func(s *schema.Props) {
		alternatives := s.AnyOf // the API server requires these of an int-or-string
		schema.Keep(s, schema.Form|schema.Content|schema.Default|schema.Ownership)
		if s.XIntOrString {
			s.AnyOf = alternatives
		}
	})
	rule.Message = isFalse // unlike a rule that fails
	form.XValidations = apiextensionsv1.ValidationRules{rule}
	judge, err := apiserver.NewObjectValidator(&schema.Props{Type: "object", Properties: map[string]schema.Props{"value": *form}})
	if err != nil {
		return nil
	}
	return judge
}

// refuses reports whether a rule refuses a trial, although it accepts an update that changes nothing.
func (c *checker) refuses(judge *apiserver.ObjectValidator, t trial) bool {
	accepts := func(value, old any) bool {
		object, _ := judge.Read(map[string]any{"value": value})
		stored, _ := judge.Read(map[string]any{"value": old})
		return len(judge.UpdateRefusals(c.ctx, object, stored, false)) == 0
	}
	return accepts(t.usual, t.usual) && !accepts(t.sent, t.old)
}

// trials returns trials of a value, and of values in it that a rule mentions.
func (c *checker) trials(at schema.Cursor, rule string, siblings bool) []trial {
	var all []trial
	t := at.Type.Deref()
	if at.Schema.Type == "string" || at.Schema.XIntOrString {
		for _, pair := range rewrites[t.Encoding()] {
			all = append(all, trial{at, pair[0], pair[1], pair[0], pair[0], pair[1]})
		}
	}
	if t.Encoding() != model.Plain {
		return all
	}
	if element, hasElements := at.Element(); hasElements && element.Type != nil {
		for _, inner := range c.trials(element, "", siblings) {
			all = append(all, inner.around(func(value any) any {
				if at.Schema.Type == "array" {
					return []any{value}
				}
				return map[string]any{"key": value}
			}))
		}
	}
	for name, below := range at.Properties() {
		isMentioned := rule == "" || strings.Contains(rule, name) || !strings.Contains(rule, "self.")
		if below.Field != nil && isMentioned {
			for _, inner := range c.fieldTrials(below, siblings) {
				all = append(all, inner.around(func(value any) any { return withField(at.Schema, name, value, siblings) }))
			}
		}
	}
	return all
}

// fieldTrials returns trials of a field, which Go may omit or add.
func (c *checker) fieldTrials(at schema.Cursor, siblings bool) []trial {
	var all []trial
	for _, value := range c.omissions(at) {
		all = append(all, trial{at, value, nothing{}, value, value, nothing{}})
	}
	// Go adds each of the fields that are unset: a trial of one is true only beside the others.
	isAdded := siblings && at.Field.Unset() == model.Written && !at.Always() && !at.Path.HasPrefix(schema.Properties("status"))
	if zero, known := zeroOf(at.Type); known && isAdded {
		all = append(all, trial{at, nothing{}, zero, nothing{}, nothing{}, zero})
	}
	return append(all, c.trials(at, "", siblings)...)
}

// around returns the trial with its values in others.
func (t trial) around(wrap func(any) any) trial {
	t.usual, t.old, t.sent = wrap(t.usual), wrap(t.old), wrap(t.sent)
	return t
}

// withField returns an object with a value of a field. With siblings, it has all other fields, too.
func withField(s *schema.Props, name string, value any, siblings bool) map[string]any {
	object := map[string]any{}
	if siblings {
		object, _ = example(s).(map[string]any)
	}
	if object[name] = value; value == (nothing{}) {
		delete(object, name)
	}
	return object
}

// example returns a value of a schema's type with all fields.
func example(s *schema.Props) any {
	switch {
	case len(s.Enum) > 0:
		return decoded(s.Enum[0].Raw)
	case s.XIntOrString:
		return int64(1)
	}
	switch s.Type {
	case "object":
		object := map[string]any{}
		for step, below := range schema.Below(s) {
			if step.Kind == schema.Values {
				step.Name = "key"
			}
			object[step.Name] = example(below)
		}
		return object
	case "array":
		if s.Items == nil || s.Items.Schema == nil {
			return []any{}
		}
		return []any{example(s.Items.Schema)}
	case "string":
		texts := map[string]string{"byte": "+/+/", "date": "2006-01-02", "date-time": "2006-01-02T15:04:05Z", "duration": "1s"}
		if text := texts[s.Format]; text != "" {
			return text
		}
		return "example"
	case "boolean":
		return true
	}
	return int64(1)
}

// reusing returns the field of spec or status that has, or embeds, the type of forProvider, and the type that it should have.
func reusing(part, desired *model.Field) (f *model.Field, instead string) {
	isNamed := desired != nil && desired.Type.Deref().Name != ""
	isReused := func(f *model.Field) bool { return f != nil && isNamed && desired.Type.Deref() == f.Type.Deref() }
	initial, observed := part.Part("initProvider"), part.Part("atProvider")
	if isReused(initial) {
		return initial, strings.TrimSuffix(desired.Type.Deref().Name, "Parameters") + "InitParameters"
	}
	if observed != nil {
		for _, f := range append([]*model.Field{observed}, observed.Type.Deref().Fields...) {
			if isReused(f) && (f.Inline || f == observed) {
				return f, "Observed" + desired.Type.Deref().Name
			}
		}
	}
	return nil, ""
}
