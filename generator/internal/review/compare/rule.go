package compare

import (
	"context"
	"math"
	"reflect"
	"slices"
	"strings"

	apiextensionsv1 "k8s.io/apiextensions-apiserver/pkg/apis/apiextensions/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/runtime"

	"github.com/mrgen-io/mrgen/generator/internal/cel"
	"github.com/mrgen-io/mrgen/generator/internal/schema"
	"github.com/mrgen-io/mrgen/generator/internal/validobject"
)

// maxStates bounds the combinations of what a rule reads that are tried.
const maxStates = 2048

// A reading is a field that a rule reads, with the states that it may be in.
type reading struct {
	path   schema.Path
	schema *props
	// literals are what rules and bounds compare the field with.
	literals []any
	states   []candidate
}

// reads reports whether a field is among those that are read.
func reads(readings []reading, path schema.Path) bool {
	return slices.ContainsFunc(readings, func(r reading) bool { return r.path.Compare(path) == 0 })
}

// isWhole reports whether the states are all that matter to rules that ask for the literals: that
// the field is there, and, if it may be anything, is something else. Texts aren't as long as some
// numbers.
func (r reading) isWhole() bool {
	isLong := func(literal any) bool { n, isInt := literal.(int64); return isInt && n >= maxText }
	if typeName(r.schema) == "string" && slices.ContainsFunc(r.literals, isLong) {
		return false
	}
	mayBeAnything := !isFinite(r.schema) && typeName(r.schema) != "array" && typeName(r.schema) != "object"
	return slices.ContainsFunc(r.states, func(c candidate) bool {
		return !c.remove && c.value != nil && !(mayBeAnything && slices.Contains(r.literals, c.value))
	})
}

// ruleStates returns objects of a schema that a new rule refuses, by what it reads alone: the
// fields that it reads are tried in all states that may matter to it: not there, empty, with a
// value that the rule names, with another one. Each object is there with as little else in
// it as possible, and with all else. All tells that there are no other states: the rule asks no
// more than that. What the schema doesn't know is not there.
func ruleStates(ctx context.Context, d *difference, rule apiextensionsv1.ValidationRule, ratchets bool) (refused []any, all bool) {
	old := d.old
	parsed, ok := cel.Parse(rule.Rule)
	if !ok || d.new == nil || typeName(old) != "object" {
		return nil, false
	}
	var readings []reading
	var now []schema.Path
	isOpen, isListed := false, true
	for _, chain := range parsed.Chains() {
		if is := follow(d.new, chain.Names); is.Schema != nil {
			now = append(now, is.Path)
		}
		at := follow(old, chain.Names)
		isOpen = isOpen || len(chain.Names) == 0 || at.Schema == nil && d.mayHold(chain.Names)
		isListed = isListed && (at.Schema == nil && len(chain.Names) == 1 || len(at.Path) == 1 && isFinite(at.Schema))
		if at.Schema != nil && len(at.Path) > 0 && !reads(readings, at.Path) {
			readings = append(readings, reading{path: at.Path, schema: at.Schema})
		}
	}
	fields := d.fields()
	kept, literals := d.decidable(fields, readings)
	literals = append(literals, parsed.Literals()...)
	isWhole := true
	for i := range readings {
		r := &readings[i]
		if strings.ContainsAny(rule.Rule, "<>") || strings.Contains(rule.Rule, "size") {
			r.literals = bounds(r.schema)
		}
		r.literals = append(r.literals, literals...)
		r.states = []candidate{{remove: true}}
		for _, value := range stateValues(ctx, schema.Cursor{Schema: r.schema, Path: r.path}, r.literals) {
			r.states = append(r.states, candidate{value: value})
		}
		isWhole = isWhole && r.isWhole()
	}
	all = !isOpen && isWhole && (isListed || parsed.IsPropositional(fields))
	// What is around others is set first.
	slices.SortStableFunc(readings, func(a, b reading) int { return a.path.Compare(b.path) })
	n := 1
	for i := range readings {
		if n*len(readings[i].states) > maxStates {
			all = false
			readings[i].states = readings[i].states[:2]
		}
		n *= len(readings[i].states)
		if n > maxStates {
			readings, all = readings[:i], false
			break
		}
	}
	var was []schema.Path
	for _, r := range readings {
		was = append(was, r.path)
	}
	ruled := cut(d.new, now)
	ruled.XValidations = apiextensionsv1.ValidationRules{rule}
	part := difference{old: cut(old, was), new: ruled, changes: []change{{keyword: "x-kubernetes-validations", rule: &rule}}}
	part.old.XValidations = kept
	l, ok := newLeaf(&part)
	if !ok {
		return nil, false
	}
	var bases []map[string]any
	least := valueOf(ctx, sampling(nil), part.old)
	var combine func(i int, chosen []candidate)
	combine = func(i int, chosen []candidate) {
		if i < len(readings) {
			for _, state := range readings[i].states {
				combine(i+1, append(slices.Clip(chosen), state))
			}
			return
		}
		if object, ok := inState(ctx, part.old, least, readings, chosen); !ok || !l.tells(ctx, object, ratchets) || !l.accepts(ctx, object) {
			return
		}
		if bases == nil {
			// No rule is asked if anything else is refused, as what the new schema suggests isn't.
			bases = []map[string]any{valueOf(ctx, sampling(nil), old), valueOf(ctx, sampling(nil), d.new), valueOf(ctx, everything(), old)}
		}
		for _, base := range bases {
			if object, ok := inState(ctx, old, base, readings, chosen); ok {
				refused = append(refused, object)
			}
		}
	}
	combine(0, nil)
	return refused, all && bases == nil
}

// fields tell what rules read in the schemas of a difference.
func (d *difference) fields() cel.Fields {
	return cel.Fields{
		Known: func(names []string) bool { return follow(d.old, names).Schema != nil || d.mayHold(names) },
		Compares: func(names []string, size bool) bool {
			was, is := follow(d.old, names).Schema, follow(d.new, names).Schema
			switch {
			case was == nil || is == nil || !reflect.DeepEqual(inRules(was), inRules(is)), len(was.AllOf)+len(was.AnyOf)+len(was.OneOf) > 0 || was.Not != nil:
				return false
			case size:
				// A text of the right length is as good as any other.
				return typeName(was) == "string" && was.Pattern == "" && was.Format == "" && len(was.Enum) == 0
			default:
				return typeName(was) == "integer" && was.MultipleOf == nil
			}
		},
	}
}

// mayHold reports whether objects of the old schema may hold what names of a rule lead to, though
// it doesn't name that: a key of a map, an unknown field that is kept, the metadata of a resource.
func (d *difference) mayHold(names []string) bool {
	at := schema.Cursor{Schema: d.old, Path: d.path}
	for _, name := range names {
		s := at.Schema
		if keepsUnknown(s) || s.AdditionalProperties != nil || s.XEmbeddedResource || typeName(s) == anything || len(d.path) == 0 && name == "metadata" {
			return true
		}
		if at = follow(s, []string{name}); at.Schema == nil {
			return false
		}
	}
	return false
}

// decidable returns the old rules that read no more than some fields, and of which all
// that matters can be tried, with their literals. What they refuse was never accepted.
func (d *difference) decidable(fields cel.Fields, readings []reading) (kept apiextensionsv1.ValidationRules, literals []any) {
	for _, rule := range d.old.XValidations {
		parsed, ok := cel.Parse(rule.Rule)
		if !ok || isTransition(rule) || !parsed.IsPropositional(fields) {
			continue
		}
		readsMore := slices.ContainsFunc(parsed.Chains(), func(c cel.Chain) bool {
			at := follow(d.old, c.Names)
			if at.Schema == nil {
				return d.mayHold(c.Names)
			}
			return !reads(readings, at.Path)
		})
		if !readsMore {
			kept, literals = append(kept, rule), append(literals, parsed.Literals()...)
		}
	}
	return kept, literals
}

// bounds returns the numbers that a schema compares values, or their sizes, with.
func bounds(s *props) []any {
	var all []any
	for _, n := range []*int64{s.MinLength, s.MaxLength} {
		if n != nil {
			all = append(all, *n)
		}
	}
	for _, n := range []*float64{s.Minimum, s.Maximum} {
		if n != nil && math.Abs(*n) < 1<<53 {
			all = append(all, int64(*n))
		}
	}
	return all
}

// follow returns the place that names of a rule lead to.
func follow(s *props, names []string) schema.Cursor {
	return schema.Cursor{Schema: s}.Follow(schema.Properties(names...))
}

// valueOf returns an object of a schema.
func valueOf(ctx context.Context, sampler *validobject.Sampler, s *props) map[string]any {
	object, _ := sampler.Value(ctx, schema.Cursor{Schema: s}).(map[string]any)
	if object == nil {
		object = map[string]any{}
	}
	return object
}

// inState returns a copy of an object in which the fields that are read are in some states.
func inState(ctx context.Context, s *props, base map[string]any, readings []reading, chosen []candidate) (map[string]any, bool) {
	object := runtime.DeepCopyJSON(base)
	for i, state := range chosen {
		if state.remove && !has(object, readings[i].path) {
			continue
		}
		if !put(ctx, s, object, readings[i].path, state.value, state.remove) {
			return nil, false
		}
	}
	return object, true
}

// cut returns a schema with no more than what paths lead to, and no rules and alternatives.
func cut(s *props, paths []schema.Path) *props {
	c := bare(s)
	c.XValidations, c.AllOf, c.AnyOf, c.OneOf, c.Not = nil, nil, nil, nil, nil
	c.MinProperties, c.MaxProperties = nil, nil
	below := map[string][]schema.Path{}
	for _, path := range paths {
		if len(path) == 0 {
			return c // all of it is read
		}
		below[path[0].Name] = append(below[path[0].Name], path[1:])
	}
	properties := map[string]props{}
	for name, rest := range below {
		if property, ok := c.Properties[name]; ok {
			properties[name] = *cut(&property, rest)
		}
	}
	if len(c.Properties) > 0 {
		c.Properties = properties
	}
	c.Required = slices.DeleteFunc(slices.Clone(c.Required), func(name string) bool { return below[name] == nil })
	return c
}

// has reports whether an object has what a path of properties leads to.
func has(object map[string]any, path schema.Path) bool {
	_, found, _ := unstructured.NestedFieldNoCopy(object, path.Names()...)
	return found
}

// stateValues returns values that may differ for a rule with some literals.
func stateValues(ctx context.Context, at schema.Cursor, literals []any) []any {
	l, ok := newLeaf(&difference{old: at.Schema})
	if !ok {
		return nil
	}
	var out []any
	add := func(value any) {
		isKnown := func(other any) bool { return reflect.DeepEqual(value, other) }
		if value != nil && !slices.ContainsFunc(out, isKnown) && l.accepts(ctx, value) {
			out = append(out, value)
		}
	}
	isOther := func(value any) bool { return value != nil && !slices.Contains(literals, value) }
	if l.accepts(ctx, nil) {
		out = append(out, nil)
	}
	sampler := sampling(nil)
	switch t := typeName(at.Schema); t {
	case "boolean":
		add(true)
		add(false)
	case "array":
		add(sampler.Value(ctx, at))
		add([]any{})
		var some []any
		for _, literal := range literals {
			add([]any{literal})
			some = append(some, literal)
		}
		if len(some) > 1 {
			add(some)
		}
	case "object":
		add(sampler.Value(ctx, at))
		add(everything().Value(ctx, at))
		add(map[string]any{})
	default:
		add(sampler.Value(ctx, at))
		for _, literal := range literals {
			add(literal)
			if n, ok := literal.(int64); ok {
				add(n + 1)
				add(n - 1)
			}
			if n, ok := literal.(int64); ok && t == "string" && n >= 0 && n < maxText {
				for size := max(n-1, 0); size <= n+1; size++ {
					add(strings.Repeat("a", int(size)))
				}
			}
			if text, ok := literal.(string); ok {
				add(text + "x")
			}
		}
		for _, enum := range at.Schema.Enum {
			add(decode(enum.Raw))
		}
		if t == "string" {
			add("")
			add("other")
			for _, text := range validobject.Texts(at.Schema, 2) {
				if slices.ContainsFunc(out, isOther) {
					break
				}
				add(text)
			}
		} else {
			add(int64(0))
		}
	}
	isThere := func(value any) bool { return value != nil }
	if !slices.ContainsFunc(out, isThere) {
		// Other rules refuse what is made without regard to them.
		for _, value := range values(ctx, at.Schema, at.Schema) {
			if add(value); slices.ContainsFunc(out, isThere) {
				break
			}
		}
	}
	return out
}
