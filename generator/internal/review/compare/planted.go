package compare

import (
	"fmt"
	"maps"
	"slices"
	"strings"

	"k8s.io/apimachinery/pkg/runtime"

	"github.com/mrgen-io/mrgen/generator/internal/schema"
)

// maxBranches bounds the fields of which all combinations are tried.
const maxBranches = 5

// branches adds objects with some of the fields that are named in what schemas combine.
func (g *generation) branches(minimal, full map[string]any) {
	var names []string
	for _, s := range g.schemas {
		names = append(names, s.Required...)
		names = append(names, slices.Collect(maps.Keys(s.Properties))...)
	}
	if len(g.schemas) <= 2 {
		return // nothing is combined
	}
	slices.Sort(names)
	names = slices.Compact(names)
	names = slices.DeleteFunc(names, func(name string) bool { return full[name] == nil })
	names = names[:min(len(names), maxBranches)]
	for set := range 1 << len(names) {
		with := runtime.DeepCopyJSON(minimal)
		if with == nil {
			with = map[string]any{}
		}
		for i, name := range names {
			if set&(1<<i) != 0 {
				with[name] = full[name]
			} else {
				delete(with, name)
			}
		}
		g.add(with)
	}
}

// maxPlanted bounds the places below a list or an object where literals of its rules are
// planted.
const maxPlanted = 40

// planted adds values in which a scalar or a key somewhere is what a rule names, or near to that,
// or a text, list or map is of such a length.
func (g *generation) planted() {
	literals, names := g.literals(), g.selected()
	if len(literals)+len(names) == 0 {
		return
	}
	root := &props{Type: "object", Properties: map[string]props{inLeaf: *g.old}}
	n := 0
	var plant func(c schema.Cursor)
	plant = func(c schema.Cursor) {
		if n++; n > maxPlanted {
			return
		}
		for _, value := range slices.Concat(g.near(c, literals), g.keyed(c, names)) {
			object := map[string]any{}
			if put(g.ctx, root, object, c.Path, value, false) {
				g.add(object[inLeaf])
				if withUnknown(root, object) {
					g.add(object[inLeaf])
				}
			}
		}
		for below := range c.Below() {
			plant(below)
		}
	}
	plant(schema.Cursor{Schema: root}.Property(inLeaf))
}

// near returns values for a place that literals suggest.
func (g *generation) near(c schema.Cursor, literals []any) []any {
	var all []any
	for _, literal := range literals {
		switch literal := literal.(type) {
		case string:
			if typeName(c.Schema) == "string" {
				all = append(all, literal, literal+"x", "x"+literal)
			}
			all = append(all, g.keyed(c, []string{literal})...)
		case int64:
			for _, n := range []int64{literal, literal + 1, literal - 1} {
				switch t := typeName(c.Schema); {
				case t == "integer" || t == "number" || t == "int-or-string":
					all = append(all, n)
				case n < 0 || n > maxElements:
				case t == "string":
					all = append(all, strings.Repeat("a", int(n)))
				case t == "array":
					list, at := []any{}, c.Items()
					for i := range n {
						if at.Schema != nil {
							list = append(list, sampling(nil).Variant(g.ctx, at, int(i)))
						}
					}
					all = append(all, list)
				case t == "object":
					var keys []string
					for i := range n {
						keys = append(keys, fmt.Sprintf("key%d", i))
					}
					all = append(all, g.keyed(c, keys)...)
				}
			}
		case bool:
			if typeName(c.Schema) == "boolean" {
				all = append(all, literal, !literal)
			}
		}
	}
	return all
}

// keyed returns, for a place that takes any keys, a value that has the given ones, and values that
// have one of them each.
func (g *generation) keyed(c schema.Cursor, keys []string) []any {
	var of func(i int) any
	if at := c.Values(); at.Schema != nil {
		of = func(i int) any { return sampling(nil).Variant(g.ctx, at, i) }
	} else if keepsUnknown(c.Schema) {
		of = func(int) any { return "any" }
	} else {
		return nil
	}
	whole := map[string]any{}
	all := []any{whole}
	for i, key := range keys {
		whole[key] = of(i)
		if len(keys) <= maxBranches {
			all = append(all, map[string]any{key: of(i)})
		}
	}
	return all
}

// withUnknown puts an unknown object where a schema keeps what it doesn't know, and reports whether
// there is such a place. The API server takes what has that for changed in each update, so that it
// doesn't leave alone what is invalid around it.
func withUnknown(s *props, object map[string]any) bool {
	found := false
	for name, property := range s.Properties {
		below, isObject := object[name].(map[string]any)
		switch {
		case isObject:
			found = withUnknown(&property, below) || found
		case object[name] == nil && keepsUnknown(&property) && len(property.Required) == 0 && typeName(&property) == "object":
			object[name], found = map[string]any{"any": map[string]any{"thing": "any"}}, true
		}
	}
	return found
}
