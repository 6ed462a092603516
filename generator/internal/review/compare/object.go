package compare

import (
	"context"
	"iter"
	"maps"
	"slices"

	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/runtime"

	"github.com/mrgen-io/mrgen/generator/internal/schema"
)

// maxNeighbours limits the neighbours that are changed in each object around a place.
const maxNeighbours = 3

// neighbours yields objects in which a neighbour of a place has changed: a field of the object around the
// place, or of one around that.
func (s *search) neighbours(ctx context.Context, object map[string]any, place schema.Path) iter.Seq[map[string]any] {
	return func(yield func(map[string]any) bool) {
		if place.HasPrefix(schema.Properties("metadata")) {
			return // names don't change
		}
		for depth := len(place) - 1; depth > 0; depth-- {
			if place[depth].Kind != schema.Property {
				continue
			}
			around := schema.Cursor{Schema: s.old.schema}.Follow(place[:depth])
			n := 0
			for name, at := range around.Properties() {
				if name == place[depth].Name || n == maxNeighbours {
					continue
				}
				for variant := range 2 {
					value := sampling(nil).Variant(ctx, at, variant)
					changed := runtime.DeepCopyJSON(object)
					if value == nil || !put(ctx, s.old.schema, changed, at.Path, value, false) {
						continue
					}
					// Not a change, so the update proves nothing.
					if len(valueChanges("", object, changed)) == 0 {
						continue
					}
					n++
					if !yield(changed) {
						return
					}
					break
				}
			}
		}
	}
}

// identify gives an object its apiVersion, kind and metadata. It keeps an existing name.
func (s *search) identify(object map[string]any) map[string]any {
	if object == nil {
		object = map[string]any{}
	}
	name, isNamed, _ := unstructured.NestedString(object, "metadata", "name")
	maps.Copy(object, runtime.DeepCopyJSON(s.head))
	if isNamed {
		_ = unstructured.SetNestedField(object, name, "metadata", "name") // the metadata is an object
	}
	return object
}

// object returns a minimal object of a schema that has a value at a path, if possible.
func (s *search) object(ctx context.Context, of *props, path schema.Path) map[string]any {
	return s.identify(valueOf(ctx, sampling(path), of))
}

// put sets the value at a path, in the first item of lists and the first value of maps, and creates its
// parents. With remove, it deletes the value instead. It reports false if it can't.
func put(ctx context.Context, root *props, object map[string]any, path schema.Path, value any, remove bool) bool {
	var set func(at any, c schema.Cursor, rest schema.Path) (any, bool)
	set = func(at any, c schema.Cursor, rest schema.Path) (any, bool) {
		if len(rest) == 0 {
			return runtime.DeepCopyJSONValue(value), true
		}
		below := c.Enter(rest[0])
		// Removing needs no schema: the old one may not know the field.
		if fields, ok := at.(map[string]any); ok && remove && len(rest) == 1 && rest[0].Kind == schema.Property {
			delete(fields, rest[0].Name)
			return fields, true
		}
		if below.Schema == nil && rest[0].Kind == schema.Property {
			below = c.Values() // a key of a map
		}
		// A field that the schema doesn't know is kept as it is.
		if below.Schema == nil && len(rest) == 1 && keepsUnknown(c.Schema) {
			below.Schema = &props{}
		}
		if below.Schema == nil {
			return nil, false
		}
		if at == nil {
			if at = sampling(path).Value(ctx, c); at == nil {
				return nil, false // no valid parent can be made
			}
		}
		switch at := at.(type) {
		case map[string]any:
			name := rest[0].Name
			if rest[0].Kind == schema.Values {
				name = "example"
				if keys := slices.Sorted(maps.Keys(at)); len(keys) > 0 {
					name = keys[0]
				}
			}
			if len(rest) == 1 && remove {
				delete(at, name)
				return at, true
			}
			inner, ok := set(at[name], below, rest[1:])
			if ok {
				at[name] = inner
			}
			return at, ok
		case []any:
			if len(at) == 0 {
				at = append(at, nil)
			}
			inner, ok := set(at[0], below, rest[1:])
			if ok {
				at[0] = inner
			}
			return at, ok
		default:
			return nil, false
		}
	}
	_, ok := set(object, schema.Cursor{Schema: root}, path)
	return ok
}

// open adds an unknown field to each object that keeps such fields, and reports whether there is one.
func (s *search) open(at any, of *props) bool {
	if of == nil {
		return false
	}
	found := false
	switch at := at.(type) {
	case map[string]any:
		for name, value := range at {
			below := schema.Child(of, schema.Step{Name: name})
			if below == nil {
				below = schema.Child(of, schema.Step{Kind: schema.Values})
			}
			found = s.open(value, below) || found
		}
		// The API server considers such objects changed in every update, and so ratchets less.
		if keepsUnknown(of) {
			at["unknown"], found = "any", true
		}
	case []any:
		for _, value := range at {
			found = s.open(value, schema.Child(of, schema.Step{Kind: schema.Items})) || found
		}
	}
	return found
}
