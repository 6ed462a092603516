package compare

import (
	"context"
	"iter"
	"maps"
	"reflect"
	"slices"

	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/runtime"

	"github.com/mrgen-io/mrgen/generator/internal/apiserver"
	"github.com/mrgen-io/mrgen/generator/internal/schema"
	"github.com/mrgen-io/mrgen/generator/internal/validobject"
)

// maxNeighbours bounds the neighbours that are changed in each object around a place.
const maxNeighbours = 3

// neighbours yields objects in which a neighbour of a place has changed: a field of the
// object that the place is in, or of one around that.
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
					if len(apiserver.Differences(object, changed)) == 0 {
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

// identify gives an object the fields that say what it is. It keeps the name that it has.
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

// object returns a minimal object of a schema that has what a path leads to, if it can be.
func (s *search) object(ctx context.Context, of *props, path schema.Path) map[string]any {
	return s.identify(valueOf(ctx, sampling(path), of))
}

// everything returns an object with all fields. It must not be changed.
func (s *search) everything(ctx context.Context) map[string]any {
	if s.full == nil {
		s.full = s.identify(valueOf(ctx, everything(), s.old.schema))
	}
	return s.full
}

// put puts a value where a path leads to, in the first item of lists and the first value of
// maps, with what must be around it, or removes what is there. It reports false if it can't.
func put(ctx context.Context, root *props, object map[string]any, path schema.Path, value any, remove bool) bool {
	var set func(at any, c schema.Cursor, rest schema.Path) (any, bool)
	set = func(at any, c schema.Cursor, rest schema.Path) (any, bool) {
		if len(rest) == 0 {
			return runtime.DeepCopyJSONValue(value), true
		}
		below := c.Enter(rest[0])
		if fields, ok := at.(map[string]any); ok && remove && len(rest) == 1 && rest[0].Kind == schema.Property {
			delete(fields, rest[0].Name)
			return fields, true
		}
		if below.Schema == nil && len(rest) == 1 && keepsUnknown(c.Schema) {
			below.Schema = &props{}
		}
		if below.Schema == nil {
			return nil, false
		}
		if at == nil {
			if at = sampling(path).Value(ctx, c); at == nil {
				return nil, false
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

// with yields objects that the old definition accepts, with a value at a path, or without
// one: the smallest first. If that is one, others are of use to whom it proves nothing.
func (s *search) with(ctx context.Context, path schema.Path, value any, remove bool) iter.Seq[map[string]any] {
	return func(yield func(map[string]any) bool) {
		bases := []func() map[string]any{
			func() map[string]any { return s.object(ctx, s.old.schema, path) },
			// Something else that has changed may hide what a value at the path leads to.
			func() map[string]any { return s.object(ctx, s.new.schema, path) },
			func() map[string]any { return runtime.DeepCopyJSON(s.everything(ctx)) },
		}
		var tried []map[string]any
		for _, base := range bases {
			var object map[string]any
			if fields, ok := value.(map[string]any); ok && len(path) == 0 {
				object = s.identify(runtime.DeepCopyJSON(fields))
			} else if object = base(); len(path) > 0 && !put(ctx, s.old.schema, object, path, value, remove) {
				continue
			}
			if slices.ContainsFunc(tried, func(other map[string]any) bool { return reflect.DeepEqual(object, other) }) {
				continue
			}
			tried = append(tried, runtime.DeepCopyJSON(object))
			if !s.spend() {
				return
			}
			if !s.accepts(ctx, object) {
				var without schema.Path
				if remove {
					without = path
				}
				if object = s.repaired(ctx, object, without); object == nil {
					continue
				}
			}
			if !yield(object) || s.open(object, s.old.schema) && s.spend() && s.accepts(ctx, object) && !yield(object) {
				return
			}
		}
	}
}

// alternative returns an object that has something else in the place of what a path leads to, if
// the schema around it lists alternatives, or nil.
func (s *search) alternative(ctx context.Context, object map[string]any, path schema.Path) map[string]any {
	if len(path) == 0 {
		return nil
	}
	around := schema.Cursor{Schema: s.old.schema}.Follow(path[:len(path)-1])
	if around.Schema == nil {
		return nil
	}
	for _, branch := range slices.Concat(around.Schema.OneOf, around.Schema.AnyOf) {
		if slices.Contains(branch.Required, path[len(path)-1].Name) {
			continue
		}
		other := runtime.DeepCopyJSON(object)
		for _, name := range branch.Required {
			at := around.Property(name)
			if at.Schema != nil {
				put(ctx, s.old.schema, other, at.Path, sampling(nil).Value(ctx, at), false)
			}
		}
		if s.spend() && s.accepts(ctx, other) {
			return other
		}
	}
	return nil
}

// open adds a field to each object that keeps fields which its schema doesn't know, and
// reports whether there is any. The API server lets less pass in their updates.
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

// repaired returns an object that the old definition accepts, near to one that it doesn't, or nil. It
// stays without what a path leads to, if there is one, and first with an alternative in its place.
func (s *search) repaired(ctx context.Context, object map[string]any, without schema.Path) map[string]any {
	if other := s.alternative(ctx, object, without); other != nil {
		return other
	}
	root := s.old.schema
	if len(without) > 0 {
		root = bare(root)
		last := len(without) - 1
		schema.Edit(root, without[:last], func(around *props) { delete(around.Properties, without[last].Name) })
	}
	look := validobject.Search{Root: schema.Cursor{Schema: root}, Sampler: sampling(nil), Validator: s.old.validator, Policies: len(without) > 0}
	object, refusals := look.Admitted(ctx, object)
	if len(refusals) > 0 {
		return nil
	}
	return object
}
