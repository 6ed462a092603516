// Package implied decides whether a schema already implies a rule or a keyword of a newer one. It never answers yes
// wrongly.
//
// It looks for a state of the fields in which everything that the schema says holds and the rule doesn't. What it
// can't calculate, such as self.startsWith('a'), is any value, but the same one wherever it is written.
package implied

import (
	"context"
	"maps"
	"math"
	"reflect"
	"slices"
	"strings"

	"github.com/google/cel-go/common/ast"
	"github.com/google/cel-go/common/operators"
	apiextensionsv1 "k8s.io/apiextensions-apiserver/pkg/apis/apiextensions/v1"

	"github.com/mrgen-io/mrgen/generator/internal/apiserver"
	"github.com/mrgen-io/mrgen/generator/internal/cel"
	"github.com/mrgen-io/mrgen/generator/internal/review/language"
	"github.com/mrgen-io/mrgen/generator/internal/review/validobject"
	"github.com/mrgen-io/mrgen/generator/internal/schema"
)

type props = schema.Props

// Schemas are an old and a new schema of the same objects.
type Schemas struct {
	Context  context.Context
	Old, New *props
}

// Rule reports whether every object that the old schema accepts satisfies a rule of the new one.
func (s Schemas) Rule(at schema.Path, r apiextensionsv1.ValidationRule) bool {
	isTransition := cel.IsAboutUpdates(r.Rule)
	return s.implies(rule{at: at, text: r.Rule, optional: isOptional(r)}) || !isTransition && s.acceptsAll(at)
}

// Required reports whether every object has a property.
func (s Schemas) Required(at schema.Path, name string) bool {
	return s.implies(rule{at: at, text: isSet("self", name)})
}

// Keyword reports whether every value that the old schema accepts satisfies a keyword of the new one.
func (s Schemas) Keyword(name string, at schema.Path) bool {
	old, new := child(s.Old, at), child(s.New, at)
	i := slices.IndexFunc(schema.Keywords, func(k *schema.Keyword) bool { return k.Name == name })
	if i < 0 || old == nil || new == nil {
		return false
	}
	// Others, such as default, don't say which values are accepted.
	if schema.Keywords[i].Role&(schema.Bound|schema.Branch) == 0 && name != "format" {
		return false
	}
	if text := ruleFor(schema.Keywords[i], new); text != "" && s.implies(rule{at: at, text: text}) || s.acceptsAll(at) {
		return true
	}
	pattern := textPattern(name, new)
	if pattern == "" || old.Type != "string" {
		return false
	}
	_, found, decided := language.Difference(Patterns(old), pattern)
	return decided && !found
}

// acceptsAll reports whether the old schema accepts only listed values, and the new one accepts them all.
func (s Schemas) acceptsAll(at schema.Path) bool {
	old, new := child(s.Old, at), child(s.New, at)
	if old == nil || new == nil || len(old.Enum) == 0 {
		return false
	}
	ctx := s.Context
	accepts := func(s *props, value any) bool { return apiserver.Upstream{}.Accepts(ctx, s, value) }
	return !slices.ContainsFunc(old.Enum, func(listed apiextensionsv1.JSON) bool {
		value := validobject.Decode(listed.Raw)
		return accepts(old, value) && !accepts(new, value)
	})
}

// A rule is a rule and the place of the values that it is about.
type rule struct {
	at   schema.Path
	text string
	// optional is set if the rule also applies to values without an old one.
	optional bool
	// isOld is set if the rule is about the old object alone.
	isOld bool
}

func isOptional(r apiextensionsv1.ValidationRule) bool {
	return r.OptionalOldSelf != nil && *r.OptionalOldSelf
}

// maxSteps limits a search.
const maxSteps = 20000

// implies reports whether every object that the old schema accepts satisfies a rule of the new one.
func (s Schemas) implies(r rule) bool {
	p := &proof{old: s.Old, new: s.New, literals: map[string][]any{}, state: map[string]any{}}
	goal, ok := p.parse(r)
	if !ok || p.readsElse(goal) {
		return false
	}
	p.goal = goal
	p.premises = p.known(goal)
	return !p.fails()
}

// A proof is the search for a state in which a rule fails.
type proof struct {
	old, new *props
	goal     formula
	premises []formula
	// literals are the values that a term is compared with.
	literals map[string][]any
	// state has the terms whose values were chosen. open is a term whose value isn't, and on which the last
	// evaluation depends.
	state map[string]any
	open  term
	steps int
}

// A formula is a parsed rule.
type formula struct {
	rule
	root ast.Expr
	// paths are the fields that it reads.
	paths []place
	// isTransition is set if it compares with the old value.
	isTransition bool
}

// A place is a place in the new or the old object.
type place struct {
	root   string
	path   schema.Path
	tested bool
}

func (p place) key() string { return p.root + p.path.String() }

func (p *proof) parse(r rule) (formula, bool) {
	parsed, ok := cel.Parse(r.text)
	if !ok {
		return formula{}, false
	}
	f := formula{rule: r, root: parsed.Expr(), isTransition: parsed.IsAboutUpdates()}
	for _, chain := range parsed.Chains() {
		f.paths = append(f.paths, f.place(chain))
	}
	for _, e := range parsed.Nodes(ast.CallKind) {
		p.compare(f, e, func(t term, literals []any) { p.literals[t.key] = append(p.literals[t.key], literals...) })
	}
	return f, true
}

// place returns the place that a chain leads to.
func (f formula) place(c cel.Chain) place {
	return place{c.Root, slices.Concat(f.at, schema.Properties(c.Names...)), c.Tested}
}

// readsElse reports whether a rule may read a value that isn't what was stored: the new schema has another default, or
// drops something.
func (p *proof) readsElse(f formula) bool {
	for _, at := range f.paths {
		for i := range at.path {
			if p.isDefaulted(at.path[:i+1]) {
				return true
			}
		}
		was, is := child(p.old, at.path), child(p.new, at.path)
		if was != nil && is != nil && !at.tested && !isAlike(was, is) {
			return true
		}
	}
	return false
}

// isDefaulted reports whether the new schema gives a value at a path that the old one didn't give.
func (p *proof) isDefaulted(path schema.Path) bool {
	was, is := child(p.old, path), child(p.new, path)
	switch {
	case is == nil || is.Default == nil:
		return false
	case was == nil:
		return true
	case was.Default == nil && isRequired(child(p.old, path[:len(path)-1]), path):
		return false // the value is always there
	default:
		return !reflect.DeepEqual(was.Default, is.Default)
	}
}

// isRequired reports whether an object requires the property that a path ends with.
func isRequired(around *props, path schema.Path) bool {
	last := path[len(path)-1]
	return last.Kind == schema.Property && slices.Contains(around.Required, last.Name)
}

// isAlike reports whether the same values have the same meaning in rules.
func isAlike(was, is *props) bool {
	oldForm, newForm := *was, *is
	schema.Keep(&oldForm, schema.Form|schema.Default)
	schema.Keep(&newForm, schema.Form|schema.Default)
	old, new := maps.Collect(schema.Below(was)), maps.Collect(schema.Below(is))
	if !reflect.DeepEqual(oldForm, newForm) || len(old) != len(new) {
		return false
	}
	for step, below := range old {
		if new[step] == nil || !isAlike(below, new[step]) {
			return false
		}
	}
	return true
}

// known returns the rules and keywords of the old schema about the fields that a rule reads, and about the objects
// around them.
func (p *proof) known(goal formula) []formula {
	var all []formula
	seen := map[string]bool{}
	add := func(r rule) {
		if r.text == "" {
			return
		}
		if f, ok := p.parse(r); ok {
			all = append(all, f)
		}
	}
	for _, at := range append(slices.Clone(goal.paths), place{root: "self", path: goal.at}) {
		for i := range len(at.path) + 1 {
			path := at.path[:i]
			s := child(p.old, path)
			key := place{root: at.root, path: path}.key()
			if seen[key] || s == nil && i > 0 && child(p.old, path[:i-1]) == nil {
				continue
			}
			seen[key] = true
			if i > 0 {
				add(rule{at: path[:i-1], text: p.presence(at.root, path), isOld: at.root == "oldSelf"})
			}
			if s == nil || at.root != "self" {
				continue
			}
			for _, k := range schema.Keywords {
				add(rule{at: path, text: ruleFor(k, s)})
			}
			for _, r := range s.XValidations {
				add(rule{at: path, text: r.Rule, optional: isOptional(r)})
			}
		}
	}
	return slices.DeleteFunc(all, func(f formula) bool { return !f.shares(goal) })
}

// shares reports whether two rules read a field in common, or one reads a field in a value that the other one reads.
func (f formula) shares(other formula) bool {
	return slices.ContainsFunc(f.paths, func(a place) bool {
		return slices.ContainsFunc(other.paths, func(b place) bool {
			return a.path.HasPrefix(b.path) || b.path.HasPrefix(a.path)
		})
	})
}

// presence returns the rule that a property is always set, or never, or "".
func (p *proof) presence(root string, path schema.Path) string {
	last := len(path) - 1
	around, below := child(p.old, path[:last]), child(p.old, path)
	name := path[last].Name
	if path[last].Kind != schema.Property || !cel.CanName(name) {
		return ""
	}
	has := isSet(root, name)
	switch {
	case below == nil:
		if schema.KeepsUnknown(around) || around.AdditionalProperties != nil {
			return ""
		}
		return "!" + has // no object has a field that the schema doesn't know
	case below.Nullable:
		return ""
	// A default that is gone leaves new objects without the field, but not the stored ones.
	case isRequired(around, path) && below.Default == nil, below.Default != nil && root == "oldSelf", p.keepsDefault(path, below):
		return has
	}
	return ""
}

// keepsDefault reports whether both schemas have the same default.
func (p *proof) keepsDefault(path schema.Path, was *props) bool {
	is := child(p.new, path)
	return was.Default != nil && is != nil && reflect.DeepEqual(was.Default, is.Default)
}

// child returns the schema at a path, where names may also be keys of maps.
func child(s *props, path schema.Path) *props {
	for _, step := range path {
		below := schema.Child(s, step)
		if below == nil && step.Kind == schema.Property {
			below = schema.Child(s, schema.Step{Kind: schema.Values})
		}
		if below == nil {
			return nil
		}
		s = below
	}
	return s
}

// fails reports whether there may be a state in which the goal fails and all premises hold.
func (p *proof) fails() bool {
	if p.steps++; p.steps > maxSteps {
		return true
	}
	open, isOpen := term{}, false
	for i, f := range append([]formula{p.goal}, p.premises...) {
		switch p.holds(f) {
		case yes:
			if i == 0 {
				return false
			}
		case unknown:
			if !isOpen {
				open, isOpen = p.open, true
			}
		default:
			if i > 0 {
				return false
			}
		}
	}
	if !isOpen {
		return true
	}
	defer delete(p.state, open.key)
	for _, value := range p.values(open) {
		p.state[open.key] = value
		if p.fails() {
			return true
		}
	}
	return false
}

// values returns values for a term, such that all others compare like one of these.
func (p *proof) values(t term) []any {
	switch t.kind {
	case presence:
		return []any{true, false}
	case opaque:
		return []any{yes, no, failing}
	}
	var values []any
	var numbers []float64
	for _, literal := range p.literals[t.key] {
		switch literal := literal.(type) {
		case bool:
			return []any{true, false}
		case string:
			values = append(values, literal, strings.Repeat("other", 1+len(literal)))
		case float64:
			numbers = append(numbers, literal)
		}
	}
	isWhole := t.isSize || t.schema != nil && t.schema.Type == "integer"
	slices.Sort(numbers)
	for i, n := range numbers {
		between := n + 0.5
		if i+1 < len(numbers) {
			between = (n + numbers[i+1]) / 2
		}
		for _, n := range []float64{n - 1, n, between, n + 1} {
			if !isWhole || n == math.Trunc(n) && (n >= 0 || !t.isSize) {
				values = append(values, n)
			}
		}
	}
	if len(values) == 0 { // a field that is a condition itself
		return []any{true, false}
	}
	return values
}

// operatorsOf are comparisons, each with the one that says the same if the operands are exchanged.
var operatorsOf = map[string]string{
	operators.Equals: operators.Equals, operators.NotEquals: operators.NotEquals,
	operators.Less: operators.Greater, operators.Greater: operators.Less,
	operators.LessEquals: operators.GreaterEquals, operators.GreaterEquals: operators.LessEquals,
}
