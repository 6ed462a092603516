package compare

import (
	"cmp"
	"context"
	"encoding/json"
	"fmt"
	"maps"
	"math"
	"slices"
	"strings"

	kubernetesjson "k8s.io/apimachinery/pkg/util/json"

	"github.com/mrgen-io/mrgen/generator/internal/review/bounds"
	"github.com/mrgen-io/mrgen/generator/internal/review/implied"
	"github.com/mrgen-io/mrgen/generator/internal/review/language"
	"github.com/mrgen-io/mrgen/generator/internal/review/validobject"
	"github.com/mrgen-io/mrgen/generator/internal/schema"
)

// decode decodes JSON as the API server does, with int64 for whole numbers.
func decode(raw []byte) any {
	var value any
	if kubernetesjson.Unmarshal(raw, &value) != nil {
		return nil
	}
	return value
}

// maxElements and maxText limit the sizes of lists, maps and texts that exceed a bound.
const (
	maxElements = 1100
	maxText     = 70000
)

// odd are texts that patterns and formats often refuse.
var odd = []string{"", "A", "a b", "-", "0", "é", "a/b", "a.b", "a-b", "a_b", "A1", "x\ny"}

// values returns values that may show a difference between two schemas: beyond their bounds and enums, near
// literals of rules, empty ones, and full ones. The old schema may refuse them.
func values(ctx context.Context, old, new *props, literals []any) []any {
	g := &generation{ctx: ctx, old: old, new: cmp.Or(new, &props{}), literals: literals, seen: map[string]bool{}}
	g.collect(old)
	g.collect(new)
	for _, s := range g.schemas {
		for _, enum := range s.Enum {
			g.add(decode(enum.Raw))
		}
		g.literals = append(g.literals, validobject.Literals(s)...)
	}
	for _, literal := range g.literals {
		g.add(literal)
	}
	switch t := typeName(old); t {
	case "boolean":
		g.add(true)
		g.add(false)
	case "integer", "number":
		g.numbers(t == "number")
	case "string":
		g.texts()
	case "int-or-string":
		g.numbers(false)
		g.texts()
	case "array":
		g.lists()
	case "object":
		g.objects()
	default:
		for _, value := range []any{map[string]any{}, map[string]any{"any": "thing"}, "any", int64(1), true, []any{}, []any{"any"}, 1.5} {
			g.add(value)
		}
	}
	g.add(nil) // null, for nullable
	return g.values
}

// A generation makes the values for a place.
type generation struct {
	ctx context.Context
	// new is an empty schema if the field is gone.
	old, new *props
	// schemas are both schemas and the ones that they combine.
	schemas []*props
	// literals are the literals of rules.
	literals []any
	seen     map[string]bool
	values   []any
}

// collect collects a schema and the schemas that it combines.
func (g *generation) collect(s *props) {
	if s == nil {
		return
	}
	g.schemas = append(g.schemas, s)
	schema.Each(s, func(step schema.Step, below *props) bool {
		if step.Kind == schema.Same {
			g.collect(below)
		}
		return false
	})
}

func (g *generation) add(value any) {
	text, err := json.Marshal(value)
	// Equal values would only repeat the search.
	if err == nil && !g.seen[string(text)] {
		g.seen[string(text)] = true
		g.values = append(g.values, value)
	}
}

// numbers adds numbers around bounds, and beyond formats.
func (g *generation) numbers(fractions bool) {
	var around []float64
	for _, s := range g.schemas {
		around = append(around, bounds.All(s, "number")...)
		if s.MultipleOf != nil {
			around = append(around, *s.MultipleOf)
		}
	}
	for _, literal := range g.literals {
		switch n := literal.(type) {
		case int64:
			around = append(around, float64(n))
		case float64:
			around = append(around, n)
		}
	}
	for _, n := range append(around, 0, math.MaxInt32, 1<<40) {
		for _, n := range []float64{n, n + 1, n - 1, n + 0.5, n - 0.5} {
			// JSON numbers without a fraction are integers to the API server.
			if n == math.Trunc(n) && math.Abs(n) < 1<<53 {
				g.add(int64(n))
			} else if fractions {
				g.add(n)
			}
		}
	}
	if fractions {
		g.add(1e39) // beyond float
	}
}

// texts adds texts that the patterns match, texts around the length limits, and odd ones.
func (g *generation) texts() {
	bases := []string{"a", "1"}
	for _, s := range g.schemas {
		bases = append(bases, validobject.Texts(s, 2)...)
	}
	for _, literal := range g.literals {
		if text, ok := literal.(string); ok {
			g.add(text + "x")
			g.add("x" + text)
			for _, other := range g.literals { // one rule may ask for a beginning, and another one for an end
				if end, ok := other.(string); ok {
					g.add(text + end)
				}
			}
		}
	}
	known := implied.Patterns(g.old)
	for _, pattern := range implied.Patterns(g.new) {
		if !slices.Contains(known, pattern) {
			text, _, _ := language.Difference(known, pattern)
			g.add(text)
		}
	}
	for _, text := range slices.Concat(bases, odd) {
		g.add(text)
		g.add(text + text)
	}
	for _, n := range g.sizes("string", maxText) {
		for _, base := range bases {
			if base != "" {
				g.add(strings.ToValidUTF8(strings.Repeat(base, n/len(base)+1)[:n], ""))
			}
		}
		for _, text := range validobject.Texts(&props{Type: "string", Pattern: g.old.Pattern, MinLength: new(int64(n))}, 1) {
			g.add(text)
		}
	}
}

// sizes returns the numbers around the bounds of a type's values, and around literals: rules compare sizes with literals.
func (g *generation) sizes(of string, most float64) []int {
	var limits []float64
	for _, s := range g.schemas {
		limits = append(limits, bounds.All(s, of)...)
	}
	for _, literal := range g.literals {
		if n, ok := literal.(int64); ok {
			limits = append(limits, float64(n))
		}
	}
	var all []int
	for _, limit := range limits {
		for _, n := range []float64{limit - 1, limit, limit + 1} {
			if n >= 0 && n <= most {
				all = append(all, int(n))
			}
		}
	}
	slices.Sort(all)
	return slices.Compact(all)
}

// lists adds lists with distinct items, with equal items, and with equal keys.
func (g *generation) lists() {
	at := schema.Cursor{Schema: g.old}.Items()
	if at.Schema == nil {
		at.Schema = &props{}
	}
	g.add([]any{})
	for _, n := range append([]int{1, 2}, g.sizes("array", maxElements)...) {
		var distinct, equal []any
		for i := range n {
			distinct = append(distinct, sampling(nil).Variant(g.ctx, at, i))
			equal = append(equal, sampling(nil).Variant(g.ctx, at, 0))
		}
		g.add(distinct)
		g.add(equal)
	}
	for _, literal := range g.literals {
		g.add([]any{literal})
	}
	full := everything().Value(g.ctx, at)
	g.add([]any{full})
	g.add([]any{full, sampling(nil).Value(g.ctx, at)})
	first, isObject := sampling(nil).Variant(g.ctx, at, 0).(map[string]any)
	second, _ := sampling(nil).Variant(g.ctx, at, 1).(map[string]any)
	// A rule about a list may be about a field of its items.
	for _, literal := range g.literals {
		for name := range at.Properties() {
			if other := maps.Clone(first); isObject {
				other[name] = literal
				g.add([]any{other})
			}
		}
	}
	// Items that differ in one field collide if the others are the keys.
	for name := range second {
		if other := maps.Clone(first); isObject {
			other[name] = second[name]
			g.add([]any{first, other})
		}
	}
}

// objects adds objects with no field, with every field, with all but one, and with only one optional field.
func (g *generation) objects() {
	at := schema.Cursor{Schema: g.old}
	minimal, full := valueOf(g.ctx, sampling(nil), g.old), valueOf(g.ctx, everything(), g.old)
	g.add(map[string]any{})
	g.add(full)
	for _, name := range slices.Sorted(maps.Keys(full)) {
		without, with := maps.Clone(full), maps.Clone(minimal)
		delete(without, name)
		with[name] = full[name]
		g.add(without)
		g.add(with)
	}
	if keepsUnknown(g.old) {
		with := maps.Clone(full)
		with["unknown"] = "any"
		g.add(with)
	}
	values := at.Values()
	if values.Schema == nil && !keepsUnknown(g.old) {
		return
	}
	for _, n := range append([]int{2}, g.sizes("object", maxElements)...) {
		keyed := map[string]any{}
		for i := range n {
			keyed[fmt.Sprintf("key%d", i)] = "any"
			if values.Schema != nil {
				keyed[fmt.Sprintf("key%d", i)] = sampling(nil).Variant(g.ctx, values, i)
			}
		}
		g.add(keyed)
	}
}

// valueOf returns an object of a schema.
func valueOf(ctx context.Context, sampler *validobject.Sampler, s *props) map[string]any {
	object, _ := sampler.Value(ctx, schema.Cursor{Schema: s}).(map[string]any)
	if object == nil {
		object = map[string]any{}
	}
	return object
}
