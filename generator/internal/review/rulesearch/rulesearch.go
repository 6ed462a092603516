// Package rulesearch looks for objects that satisfy the rules of a definition.
package rulesearch

import (
	"cmp"
	"context"
	"encoding/json"
	"slices"

	"k8s.io/apimachinery/pkg/runtime"

	"github.com/mrgen-io/mrgen/generator/internal/apiserver"
	"github.com/mrgen-io/mrgen/generator/internal/cel"
	"github.com/mrgen-io/mrgen/generator/internal/review/validobject"
	"github.com/mrgen-io/mrgen/generator/internal/schema"
)

// maxTrials bounds how many objects a search validates. Usually a rule takes one or two, at well below a millisecond
// each.
const maxTrials = 500

// A Search looks for an object that satisfies the author's rules. It adds the fields that a
// violated rule reads, gives them another value, and removes them.
type Search struct {
	Root      schema.Cursor
	Sampler   *validobject.Sampler
	Validator *apiserver.ObjectValidator
	// Policies lets the search change management policies and initProvider, too.
	Policies bool
}

// A candidate is an object that was validated.
type candidate struct {
	object   map[string]any
	refusals []apiserver.Refusal
	// tried counts the refusals whose moves were made, and moves are the remaining moves of the last one.
	tried int
	moves []move
	// depth is the number of moves that led to the object.
	depth int
}

// A move changes a value in an object, or removes it.
type move struct {
	at     []any
	value  any
	remove bool
}

// Admitted returns an object that the API server admits, found with as few moves from the given one as possible. If it
// finds none, it returns the object with the fewest refusals, and the refusals.
func (s *Search) Admitted(ctx context.Context, object map[string]any) (map[string]any, []apiserver.Refusal) {
	best := s.judge(ctx, object, 0)
	var open []*candidate
	// A search can only satisfy rules.
	if onlyRules(best.refusals) {
		open = append(open, best)
	}
	seen := map[string]bool{}
	for trial := 0; trial < maxTrials && len(best.refusals) > 0 && len(open) > 0 && ctx.Err() == nil; trial++ {
		from := slices.MinFunc(open, (*candidate).compare) // the first of the best ones
		m, ok := s.next(ctx, from)
		if !ok {
			open = slices.DeleteFunc(open, func(c *candidate) bool { return c == from })
			continue
		}
		changed := runtime.DeepCopyJSON(from.object)
		if !s.make(ctx, m, changed) {
			continue
		}
		if text, err := json.Marshal(changed); err != nil || seen[string(text)] {
			continue
		} else {
			seen[string(text)] = true
		}
		next := s.judge(ctx, changed, from.depth+1)
		if !onlyRules(next.refusals) { // the move broke something else, and rules are evaluated last
			continue
		}
		open = append(open, next)
		if len(next.refusals) < len(best.refusals) {
			best = next
		}
	}
	return best.object, best.refusals
}

func (c *candidate) compare(other *candidate) int {
	return cmp.Or(cmp.Compare(len(c.refusals), len(other.refusals)), cmp.Compare(c.depth, other.depth))
}

// onlyRules reports whether only rules reject an object. The API server evaluates rules last.
func onlyRules(refusals []apiserver.Refusal) bool {
	return !slices.ContainsFunc(refusals, func(r apiserver.Refusal) bool { return r.Rule == "" })
}

func (s *Search) judge(ctx context.Context, object map[string]any, depth int) *candidate {
	return &candidate{object: object, refusals: s.Validator.Refusals(ctx, object), depth: depth}
}

// next returns the next move from a candidate. It returns false without further moves.
func (s *Search) next(ctx context.Context, c *candidate) (move, bool) {
	for ; len(c.moves) == 0 && c.tried < len(c.refusals); c.tried++ {
		c.moves = s.moves(ctx, c.object, c.refusals[c.tried])
	}
	if len(c.moves) == 0 {
		return move{}, false
	}
	m := c.moves[0]
	c.moves = c.moves[1:]
	return m, true
}

// moves returns the moves that may satisfy a violated rule. Fields with an example from the
// author come first, removals last.
func (s *Search) moves(ctx context.Context, object map[string]any, r apiserver.Refusal) []move {
	var exemplified, added, changed, removed []move
	parsed, ok := cel.Parse(r.Rule)
	if !ok {
		return nil
	}
	literals := parsed.Literals()
	for _, read := range Reads(r, s.Policies) {
		at, found := s.Root, any(object)
		for _, step := range read.At {
			at, found = Below(at, step), get(found, step)
		}
		if at.Schema == nil { // the rule is about a field that the schema lacks
			continue
		}
		if found == nil {
			added = append(added, s.refer(ctx, at, read.At)...)
			trial := *s.Sampler
			value := trial.Value(ctx, at)
			switch _, hasExample := trial.Example(at); {
			case value == nil || len(trial.Problems) > 0: // an object with this value is refused, too
			case hasExample:
				exemplified = append(exemplified, move{at: read.At, value: value})
			default:
				added = append(added, move{at: read.At, value: value})
			}
		} else if len(read.At) > 2 { // a part of spec stays as a whole
			removed = append(removed, move{at: read.At, remove: true})
		}
		// Another value only helps a rule that reads a scalar.
		if t := at.Schema.Type; !read.Tested && t != "object" && t != "array" {
			for _, value := range alternatives(ctx, at, literals) {
				changed = append(changed, move{at: read.At, value: value})
			}
		}
	}
	return slices.Concat(exemplified, added, changed, removed)
}

// alternatives returns further values for a scalar that the schema accepts: the values of its enum, and values that the
// literals of a rule suggest.
func alternatives(ctx context.Context, p schema.Cursor, literals []any) []any {
	var values []any
	for _, allowed := range p.Schema.Enum {
		values = append(values, validobject.Decode(allowed.Raw))
	}
	if p.Schema.Type == "boolean" {
		values = append(values, true, false)
	}
	for _, literal := range literals {
		values = append(values, literal)
		switch literal := literal.(type) {
		case string:
			values = append(values, any(literal+"example"), any("example"+literal))
			for _, text := range validobject.Matching(literal, 0, 0) {
				values = append(values, text)
			}
		case int64:
			values = append(values, literal+1, literal-1)
		}
	}
	return slices.DeleteFunc(values, func(value any) bool { return !validobject.Accepts(ctx, p, value) })
}

// refer returns the move that sets the reference of a field, if it has one.
func (s *Search) refer(ctx context.Context, p schema.Cursor, at []any) []move {
	reference, ok := s.Sampler.Reference(p)
	if !ok {
		return nil
	}
	trial := *s.Sampler
	value := trial.Value(ctx, reference)
	if value == nil || len(trial.Problems) > 0 {
		return nil
	}
	return []move{{at: append(slices.Clone(at[:len(at)-1]), any(reference.Path[len(reference.Path)-1].Name)), value: value}}
}

// A Read is a field that a rule reads, or merely tests with has().
type Read struct {
	// At leads there from the root of the object: names are strings, indices are numbers.
	At []any
	// Tested is set if the rule only tests it with has().
	Tested bool
}

// Reads returns the fields in spec that a violated rule reads, in source order, except for the fields that the search
// must not change. Policies is as in [Search].
func Reads(r apiserver.Refusal, policies bool) []Read {
	parsed, ok := cel.Parse(r.Rule)
	if !ok {
		return nil
	}
	var all []Read
	for _, c := range parsed.Chains() {
		at := slices.Clone(r.At)
		for _, name := range c.Names {
			at = append(at, name)
		}
		if len(at) < 2 || at[0] != "spec" || !policies && slices.Contains(fixed, at[1]) {
			continue
		}
		all = append(all, Read{at, c.Tested})
	}
	return all
}

// fixed are the fields of spec that a search only changes if it is told to.
var fixed = []any{"managementPolicies", "managementPolicy", "initProvider"}

// make makes a move in an object, and adds missing objects around the value. It returns false if it can't.
func (s *Search) make(ctx context.Context, m move, object map[string]any) bool {
	at, value, last := s.Root, any(object), len(m.at)-1
	for _, step := range m.at[:last] {
		if at = Below(at, step); at.Schema == nil {
			return false
		}
		if fields, isObject := value.(map[string]any); isObject && get(value, step) == nil && !m.remove {
			trial := *s.Sampler
			around := trial.Value(ctx, at)
			if around == nil || len(trial.Problems) > 0 {
				return false
			}
			fields[step.(string)] = around
		}
		value = get(value, step)
	}
	fields, isObject := value.(map[string]any)
	name, isName := m.at[last].(string)
	switch {
	case !isObject, !isName, Below(at, name).Schema == nil, m.remove && slices.Contains(at.Schema.Required, name):
		return false
	case m.remove:
		delete(fields, name)
	default:
		fields[name] = m.value
	}
	return true
}

// get returns the value that a step leads to, or nil.
func get(value any, step any) any {
	switch value := value.(type) {
	case map[string]any:
		if name, ok := step.(string); ok {
			return value[name]
		}
	case []any:
		if i, ok := step.(int); ok && i < len(value) {
			return value[i]
		}
	}
	return nil
}

// Below returns the cursor that a step in an object leads to: a property, the values of a
// map, or the items of a list.
func Below(p schema.Cursor, step any) schema.Cursor {
	name, isName := step.(string)
	switch {
	case !isName:
		return p.Items()
	case p.Schema != nil && p.Schema.AdditionalProperties != nil:
		if property := p.Property(name); property.Schema != nil { // a declared property, beside the values of the map
			return property
		}
		return p.Values()
	default:
		return p.Property(name)
	}
}
