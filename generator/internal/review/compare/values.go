package compare

import (
	"context"
	"encoding/json"
	"fmt"
	"maps"
	"math"
	"slices"
	"strings"

	apiextensionsv1 "k8s.io/apiextensions-apiserver/pkg/apis/apiextensions/v1"
	kubernetesjson "k8s.io/apimachinery/pkg/util/json"

	"github.com/mrgen-io/mrgen/generator/internal/cel"
	"github.com/mrgen-io/mrgen/generator/internal/pattern"
	"github.com/mrgen-io/mrgen/generator/internal/schema"
	"github.com/mrgen-io/mrgen/generator/internal/validobject"
)

// decode decodes JSON as the API server does, with int64 for whole numbers.
func decode(raw []byte) any {
	var value any
	if kubernetesjson.Unmarshal(raw, &value) != nil {
		return nil
	}
	return value
}

// maxElements bounds the lists and maps that are made to break a bound, and maxText the
// texts.
const (
	maxElements = 1100
	maxText     = 70000
)

// values returns values for a place, which tend to be accepted by its old schema and
// refused by the new one: those at the bounds of either, those that either names, those that
// are empty, and those that other schemas of the kind are known to be about.
func values(ctx context.Context, old, new *props) []any {
	g := &generation{ctx: ctx, old: old}
	g.collect(old)
	g.collect(new)
	for _, s := range g.schemas {
		for _, enum := range s.Enum {
			g.add(decode(enum.Raw))
		}
	}
	g.add(nil)
	sampler := sampling(nil)
	g.add(sampler.Value(ctx, schema.Cursor{Schema: old}))
	switch t := typeName(old); t {
	case "boolean":
		g.add(true)
		g.add(false)
	case "integer", "number":
		g.numbers(t == "integer")
	case "string":
		g.texts()
	case "int-or-string":
		g.numbers(true)
		g.texts()
		g.add("50%")
	case "array":
		g.lists()
		g.planted()
	case "object":
		g.objects()
		g.planted()
	default:
		for _, value := range []any{map[string]any{}, map[string]any{"any": "thing"}, "any", int64(1), true, []any{}, []any{"any"}, 1.5} {
			g.add(value)
		}
	}
	return g.values
}

type generation struct {
	ctx context.Context
	old *props
	// schemas are the old and the new one, and those in what they combine.
	schemas []*props
	seen    map[string]bool
	values  []any
}

// collect collects a schema and those that it combines.
func (g *generation) collect(s *props) {
	if s == nil {
		return
	}
	g.schemas = append(g.schemas, s)
	for _, list := range [][]apiextensionsv1.JSONSchemaProps{s.AllOf, s.AnyOf, s.OneOf} {
		for i := range list {
			g.collect(&list[i])
		}
	}
	g.collect(s.Not)
}

func (g *generation) add(value any) {
	text, err := json.Marshal(value)
	if err != nil || g.seen[string(text)] {
		return
	}
	if g.seen == nil {
		g.seen = map[string]bool{}
	}
	g.seen[string(text)] = true
	g.values = append(g.values, value)
}

// literals returns the literals in the rules of the schemas.
func (g *generation) literals() []any {
	var all []any
	for _, s := range g.schemas {
		all = append(all, validobject.Literals(s)...)
	}
	return all
}

// selected returns the names of fields that the rules of the schemas select.
func (g *generation) selected() []string {
	var all []string
	for _, s := range g.schemas {
		for _, rule := range s.XValidations {
			if p, ok := cel.Parse(rule.Rule); ok {
				for _, chain := range p.Chains() {
					all = append(all, chain.Names...)
				}
			}
		}
	}
	slices.Sort(all)
	return slices.Compact(all)
}

func (g *generation) numbers(whole bool) {
	var around []float64
	for _, s := range g.schemas {
		for _, limit := range []*float64{s.Minimum, s.Maximum, s.MultipleOf} {
			if limit != nil {
				around = append(around, *limit)
			}
		}
	}
	for _, literal := range g.literals() {
		switch n := literal.(type) {
		case int64:
			around = append(around, float64(n))
		case float64:
			around = append(around, n)
		}
	}
	for _, n := range slices.Concat(around, []float64{0, 1, -1, 2, 3, 7, 100, math.MaxInt32, math.MinInt32, 1 << 40}) {
		for _, d := range []float64{0, 1, -1, 0.5, -0.5} {
			if n := n + d; n == math.Trunc(n) && math.Abs(n) < 1<<53 {
				g.add(int64(n))
			} else if !whole {
				g.add(n)
			}
		}
	}
	if !whole {
		g.add(1e39) // no float
	}
	// Multiples of what it must be a multiple of, within the bounds of both.
	for _, s := range g.schemas {
		if m := s.MultipleOf; m != nil {
			for _, n := range around {
				if n := math.Floor(n / *m) * *m; n == math.Trunc(n) {
					g.add(int64(n))
					g.add(int64(n + *m))
				} else if !whole {
					g.add(n)
					g.add(n + *m)
				}
			}
		}
	}
}

// odd are texts that patterns and formats often refuse.
var odd = []string{"", " ", "A", "a b", "-", "_", ".", "/", "0", "é", "a/b", "a.b", "a-b", "a_b", "A1", "-a", "a-", "%", "\t", "1e3", "9999-99-99", "a@b", "::", "x\ny"}

func (g *generation) texts() {
	literals := g.literals()
	for _, literal := range literals {
		if text, ok := literal.(string); ok {
			g.add(text)
			g.add(text + "x")
			g.add("x" + text)
		}
	}
	// A rule may ask for the beginning and the end.
	for _, first := range literals[:min(len(literals), maxBranches)] {
		for _, second := range literals[:min(len(literals), maxBranches)] {
			if first, ok := first.(string); ok && first != second {
				if second, ok := second.(string); ok {
					g.add(first + second)
				}
			}
		}
	}
	var bases []string
	for _, s := range g.schemas {
		if s.Pattern != "" {
			if text, answer := outside(g.old, s.Pattern); answer == pattern.Some {
				g.add(text)
				bases = append(bases, text)
			}
		}
		texts := validobject.Texts(s, 4)
		for _, text := range texts {
			g.add(text)
		}
		bases = append(bases, texts...)
	}
	for _, text := range odd {
		g.add(text)
	}
	// Texts that are near to the ones that match: longer, shorter, with another character.
	for _, text := range bases[:min(len(bases), 60)] {
		for _, other := range []string{text + text, text + "-", "-" + text, strings.ToUpper(text), strings.ToLower(text), text + "1", text + "a", strings.TrimRight(text, "0123456789"), text[:len(text)/2]} {
			g.add(strings.ToValidUTF8(other, ""))
		}
	}
	for _, n := range g.sizes(func(s *props) []*int64 { return []*int64{s.MinLength, s.MaxLength} }, maxText) {
		for _, base := range append([]string{"a", "1"}, bases[:min(len(bases), 3)]...) {
			if base == "" {
				base = "a"
			}
			g.add(strings.ToValidUTF8(strings.Repeat(base, n/len(base)+1)[:n], ""))
		}
		if g.old.Pattern != "" {
			for _, text := range validobject.Texts(&props{Type: "string", Pattern: g.old.Pattern, MinLength: new(int64(n))}, 2) {
				g.add(text)
			}
		}
	}
}

// sizes returns the numbers around bounds.
func (g *generation) sizes(of func(*props) []*int64, most int) []int {
	var all []int
	for _, s := range g.schemas {
		for _, limit := range of(s) {
			if limit == nil {
				continue
			}
			for _, n := range []int64{*limit - 1, *limit, *limit + 1} {
				if n >= 0 && n <= int64(most) {
					all = append(all, int(n))
				}
			}
		}
	}
	slices.Sort(all)
	return slices.Compact(all)
}

func (g *generation) lists() {
	at := schema.Cursor{Schema: g.old}.Items()
	if at.Schema == nil {
		at.Schema = &props{}
	}
	g.add([]any{})
	list := func(n int, distinct bool) {
		sampler, all := sampling(nil), []any{}
		for i := range n {
			variant := 0
			if distinct {
				variant = i
			}
			all = append(all, sampler.Variant(g.ctx, at, variant))
		}
		g.add(all)
	}
	for _, n := range append([]int{1, 2, 3}, g.sizes(func(s *props) []*int64 { return []*int64{s.MinItems, s.MaxItems} }, maxElements)...) {
		list(n, true)
		list(n, false)
	}
	// Items that differ in a key alone.
	first, _ := sampling(nil).Variant(g.ctx, at, 0).(map[string]any)
	second, _ := sampling(nil).Variant(g.ctx, at, 1).(map[string]any)
	for _, s := range g.schemas {
		for _, key := range s.XListMapKeys {
			if other := maps.Clone(first); other != nil && second[key] != nil {
				other[key] = second[key]
				g.add([]any{first, other})
			}
		}
	}
	// Items that differ, but not in the keys: with all fields, and with some.
	if full := everything().Value(g.ctx, at); full != nil {
		g.add([]any{full})
		g.add([]any{full, sampling(nil).Value(g.ctx, at)})
	}
	if typeName(at.Schema) == "string" {
		var some []any
		for _, literal := range g.literals() {
			if text, ok := literal.(string); ok {
				g.add([]any{text})
				some = append(some, text)
			}
		}
		g.add(some)
		for _, enum := range at.Schema.Enum {
			g.add([]any{decode(enum.Raw)})
		}
	}
}

func (g *generation) objects() {
	minimal, _ := sampling(nil).Value(g.ctx, schema.Cursor{Schema: g.old}).(map[string]any)
	full, _ := everything().Value(g.ctx, schema.Cursor{Schema: g.old}).(map[string]any)
	g.add(map[string]any{})
	g.add(full)
	if keepsUnknown(g.old) {
		for _, base := range []map[string]any{minimal, full} {
			with := map[string]any{"unknown": "any"}
			maps.Copy(with, base)
			g.add(with)
		}
	}
	for _, name := range slices.Sorted(maps.Keys(full)) {
		without := maps.Clone(full)
		delete(without, name)
		g.add(without)
		if _, ok := minimal[name]; !ok && minimal != nil {
			with := maps.Clone(minimal)
			with[name] = full[name]
			g.add(with)
		}
	}
	g.branches(minimal, full)
	if at := (schema.Cursor{Schema: g.old}).Values(); at.Schema != nil {
		g.add(map[string]any{"other": sampling(nil).Value(g.ctx, at)})
		for _, n := range append([]int{0, 1, 2}, g.sizes(func(s *props) []*int64 { return []*int64{s.MinProperties, s.MaxProperties} }, maxElements)...) {
			g.add(keyed(n, func(i int) any { return sampling(nil).Variant(g.ctx, at, i) }))
		}
	} else if len(g.old.Properties) == 0 && keepsUnknown(g.old) {
		for n := range 4 {
			g.add(keyed(n, func(int) any { return "any" }))
		}
	} else {
		// Objects of any number of fields.
		names := slices.Sorted(maps.Keys(full))
		grown := maps.Clone(minimal)
		for _, name := range names {
			if grown == nil {
				break
			}
			if _, ok := grown[name]; !ok {
				grown[name] = full[name]
				g.add(maps.Clone(grown))
			}
		}
	}
}

// keyed returns a map with a number of keys.
func keyed(n int, value func(i int) any) map[string]any {
	all := map[string]any{}
	for i := range n {
		all[fmt.Sprintf("key%d", i)] = value(i)
	}
	return all
}
