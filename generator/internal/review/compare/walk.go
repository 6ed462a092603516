package compare

import (
	"context"
	"maps"
	"reflect"
	"slices"
	"strconv"
	"strings"

	apiextensionsv1 "k8s.io/apiextensions-apiserver/pkg/apis/apiextensions/v1"

	"github.com/mrgen-io/mrgen/generator/internal/cel"
	"github.com/mrgen-io/mrgen/generator/internal/review/implied"
	"github.com/mrgen-io/mrgen/generator/internal/schema"
)

// A difference is a place in a schema that changed for users, as far as the schemas tell.
type difference struct {
	path schema.Path
	// about is the place of the finding, if that is below path.
	about schema.Path
	// old and new are the schemas there, or nil.
	old, new *props
	// changes are the reasons for the difference.
	changes []change
}

// A change is one of the reasons for a difference.
type change struct {
	keyword string
	verdict verdict
	says    string
	// rule is the added rule, if the change is one.
	rule *apiextensionsv1.ValidationRule
}

// verdict returns the worst verdict.
func (d *difference) verdict() verdict {
	worst := harmless
	for _, c := range d.changes {
		worst = max(worst, c.verdict)
	}
	return worst
}

// has reports whether a keyword is among the changes.
func (d *difference) has(names ...string) bool {
	return slices.ContainsFunc(d.changes, func(c change) bool { return slices.Contains(names, c.keyword) })
}

// isGone reports whether the old values are gone, or of another type.
func (d *difference) isGone() bool {
	return d.has(removed) || d.new != nil && d.old != nil && retyped(d.old, d.new)
}

// rules returns the rules that were added.
func (d *difference) rules() []apiextensionsv1.ValidationRule {
	var rules []apiextensionsv1.ValidationRule
	for _, c := range d.changes {
		if c.rule != nil {
			rules = append(rules, *c.rule)
		}
	}
	return rules
}

// place returns the path of the finding.
func (d *difference) place() schema.Path {
	if d.about != nil {
		return d.about
	}
	return d.path
}

// says describes the changes in words.
func (d *difference) says() string {
	var all []string
	for _, c := range d.changes {
		all = append(all, c.says)
	}
	return strings.Join(all, "; ")
}

// The keywords of changes that aren't in keywords.
const (
	removed  = "removed"
	required = "required"
	ruled    = "x-kubernetes-validations"
	schemed  = "schema"
	dropping = "x-kubernetes-preserve-unknown-fields"
	embedded = "metadata"
)

// A walk compares schemas side by side.
type walk struct {
	known implied.Schemas
	found []*difference
}

// differences returns the places where a schema changed, sorted by path. It doesn't look below a removed or
// retyped place.
func differences(ctx context.Context, old, new *props) []*difference {
	w := &walk{known: implied.Schemas{Context: ctx, Old: old, New: new}}
	w.value(nil, old, new, nil)
	slices.SortFunc(w.found, func(a, b *difference) int { return a.path.Compare(b.path) })
	var dropped []schema.Path
	for _, d := range w.found {
		// Once per subtree: dropping unknown fields at the top explains the fields below.
		isKnown := slices.ContainsFunc(dropped, d.path.HasPrefix)
		if d.has(dropping) {
			dropped = append(dropped, d.path)
		}
		d.changes = slices.DeleteFunc(d.changes, func(c change) bool {
			return c.keyword == dropping && isKnown
		})
	}
	return slices.DeleteFunc(w.found, func(d *difference) bool { return len(d.changes) == 0 })
}

// value compares the schemas of a value and everything in it. more are changes caused by the surrounding
// object.
func (w *walk) value(path schema.Path, old, new *props, more []change) {
	changes := more
	if isPolicies(path, new) {
		// A lower limit that still fits every policy hurts nobody.
		roomier := *old
		roomier.MaxItems = new.MaxItems
		old = &roomier
	}
	if reflect.DeepEqual(old, new) {
		w.add(path, old, new, changes...)
		return
	}
	for _, k := range keywords {
		if v := k.compare(old, new); v != harmless && !w.known.Keyword(k.Name, path) {
			changes = append(changes, change{keyword: k.Name, verdict: v, says: k.says(old, new)})
		}
	}
	if !retyped(old, new) { // below another type, nothing corresponds
		for _, c := range newRules(old, new) {
			if c.verdict == undecided && w.known.Rule(path, *c.rule) {
				continue
			}
			if isTransition(*c.rule) {
				// Each field that became immutable is a finding of its own.
				w.found = append(w.found, &difference{path: path, about: subject(path, new, *c.rule), old: old, new: new, changes: []change{c}})
			} else {
				changes = append(changes, c)
			}
		}
		w.below(path, old, new)
	}
	w.add(path, old, new, changes...)
}

// add adds a difference, if anything has changed.
func (w *walk) add(path schema.Path, old, new *props, changes ...change) {
	if len(changes) > 0 {
		w.found = append(w.found, &difference{path: path, old: old, new: new, changes: changes})
	}
}

// isPolicies reports whether a list is the management policies with room for each of them: listing a policy
// twice has no use.
func isPolicies(path schema.Path, s *props) bool {
	if !slices.Equal(path, schema.Properties("spec", "managementPolicies")) || s.MaxItems == nil {
		return false
	}
	items := schema.Child(s, schema.Step{Kind: schema.Items})
	return items != nil && len(items.Enum) > 0 && int64(len(items.Enum)) <= *s.MaxItems
}

// unknown is the schema of an unknown field that is kept.
var unknown = &props{XPreserveUnknownFields: new(true)}

// objectMeta are the fields of embedded metadata that controller-gen writes on demand.
var objectMeta = []string{"annotations", "finalizers", "labels", "name", "namespace"}

// losesMetadata reports whether embedded metadata has lost its fields: one setting of the tool, and not five fields.
func losesMetadata(path schema.Path, old, new *props) bool {
	isEmbedded := len(path) > 1 && path[len(path)-1] == schema.Step{Name: "metadata"}
	return isEmbedded && len(new.Properties) == 0 && !keepsUnknown(new) && slices.Equal(slices.Sorted(maps.Keys(old.Properties)), objectMeta)
}

// below compares the schemas below two schemas.
func (w *walk) below(path schema.Path, old, new *props) {
	if losesMetadata(path, old, new) {
		w.add(path, old, new, change{keyword: embedded, verdict: tighter, says: "labels, annotations and names of embedded metadata were removed"})
		return
	}
	for _, name := range slices.Sorted(maps.Keys(old.Properties)) {
		was := old.Properties[name]
		w.property(path, name, &was, old, new)
	}
	for _, name := range slices.Sorted(maps.Keys(new.Properties)) {
		if _, ok := old.Properties[name]; ok {
			continue
		}
		if new.XEmbeddedResource && !old.XEmbeddedResource && slices.Contains(identifying, name) {
			continue // the embedded resource is reported as a whole
		}
		is := new.Properties[name]
		values := schema.Child(old, schema.Step{Kind: schema.Values})
		switch {
		case values != nil: // the field was an entry of a map
			w.property(path, name, values, old, new)
		case keepsUnknown(old): // any value was accepted there
			more := append(w.requires(path, old, new, name), change{
				keyword: schemed,
				verdict: undecided,
				says:    "it was not known, and is a field with a schema now",
			})
			w.add(path.With(schema.Step{Name: name}), unknown, &is, more...)
		default:
			// Defaulting adds the field to existing objects, which may exceed the limit.
			if is.Default != nil && new.MaxProperties != nil {
				w.add(path, old, new, change{
					keyword: "default",
					verdict: searched,
					says:    "the field " + name + " with a default counts as one of at most " + strconv.FormatInt(*new.MaxProperties, 10),
				})
			}
			w.add(path.With(schema.Step{Name: name}), nil, &is, w.requires(path, old, new, name)...)
		}
	}
	for _, kind := range []schema.StepKind{schema.Items, schema.Values} {
		step := schema.Step{Kind: kind}
		was, is := schema.Child(old, step), schema.Child(new, step)
		switch {
		case was != nil && is != nil:
			w.value(path.With(step), was, is, nil)
		// Elements that are kept as unknown fields aren't lost.
		case was != nil && !keepsUnknown(new):
			w.add(path.With(step), was, nil, change{keyword: removed, verdict: tighter, says: "the elements were removed"})
		case is != nil && keepsUnknown(old):
			w.add(path.With(step), unknown, is, change{keyword: schemed, verdict: undecided, says: "values were of any type, and have a schema now"})
		}
	}
}

// property compares a property of the old schema.
func (w *walk) property(path schema.Path, name string, was, old, new *props) {
	at := path.With(schema.Step{Name: name})
	if is, ok := new.Properties[name]; ok {
		if was.Default == nil && slices.Contains(old.Required, name) {
			is.Default = nil // a default has no effect on a required field
		}
		w.value(at, was, &is, w.requires(path, old, new, name))
		return
	}
	if values := schema.Child(new, schema.Step{Kind: schema.Values}); values != nil { // the property became an entry of a map
		w.value(at, was, values, w.requires(path, old, new, name))
		return
	}
	more := w.requires(path, old, new, name)
	switch {
	// Unknown values are kept, but not defaulted.
	case keepsUnknown(new) && hasDefault(was):
		more = append(more, change{keyword: "default", verdict: searched, says: "it has no defaults any more"})
	case !keepsUnknown(new):
		more = append(more, change{keyword: removed, verdict: tighter, says: "it was removed"})
	}
	w.add(at, was, nil, more...)
}

// hasDefault reports whether a schema, or one below it, has a default.
func hasDefault(s *props) bool {
	for _, below := range schema.Below(s) {
		if hasDefault(below) {
			return true
		}
	}
	return s.Default != nil
}

// requires returns the change that an object requires a property, if it is new.
func (w *walk) requires(path schema.Path, old, new *props, name string) []change {
	if slices.Contains(old.Required, name) || !slices.Contains(new.Required, name) ||
		w.known.Required(path, name) {
		return nil
	}
	v := tighter
	if is, ok := new.Properties[name]; ok && is.Default != nil {
		v = searched // the API server defaults before it validates
	}
	return []change{{keyword: required, verdict: v, says: "it is required"}}
}

// newRules returns the rules that the old schema lacks. The text of a rule doesn't tell which objects it
// refuses.
func newRules(old, new *props) []change {
	var changes []change
	readsElse := len(new.XValidations) > 0 && !reflect.DeepEqual(inRules(old), inRules(new))
	for _, rule := range new.XValidations {
		isKnown := func(known apiextensionsv1.ValidationRule) bool {
			return known.Rule == rule.Rule && isOptional(known) == isOptional(rule)
		}
		if slices.ContainsFunc(old.XValidations, isKnown) {
			// An unchanged rule may fail when a field that it reads has another type.
			if readsElse && rereads(rule, old, new) {
				changes = append(changes, change{
					keyword: ruled,
					verdict: searched,
					says:    "a field that a rule reads has changed: " + oneLine(rule.Rule),
					rule:    &rule,
				})
			}
			continue
		}
		changes = append(changes, change{keyword: ruled, verdict: undecided, says: "a rule was added: " + oneLine(rule.Rule), rule: &rule})
	}
	return changes
}

// oneLine returns a rule on one line.
func oneLine(rule string) string { return strings.Join(strings.Fields(rule), " ") }

// rereads reports whether a rule reads a value whose type has changed.
func rereads(rule apiextensionsv1.ValidationRule, old, new *props) bool {
	parsed, ok := cel.Parse(rule.Rule)
	return !ok || slices.ContainsFunc(parsed.Chains(), func(c cel.Chain) bool {
		was, is := follow(old, c.Names).Schema, follow(new, c.Names).Schema
		return was != nil && is != nil && !reflect.DeepEqual(inRules(was), inRules(is))
	})
}

// inRules returns a copy of a schema reduced to what determines CEL types.
func inRules(s *props) *props {
	return schema.Map(s, func(s *props) {
		format := s.Format
		schema.Keep(s, schema.Form|schema.Content)
		if s.Format = ""; slices.Contains(schema.TypedFormats, format) {
			s.Format = format
		}
	})
}

// isTransition reports whether a rule compares with the old value.
func isTransition(rule apiextensionsv1.ValidationRule) bool {
	return cel.IsAboutUpdates(rule.Rule)
}
