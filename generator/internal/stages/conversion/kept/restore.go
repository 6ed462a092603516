package kept

import (
	"encoding/json"
	"maps"
	"reflect"
	"slices"
	"strings"

	v1 "k8s.io/apimachinery/pkg/apis/meta/v1"
)

// restore gives dst, an object of a version that was converted from another one, what its
// annotations have: values of that version, which go from there, and those of other versions at
// the same places. What annotations can't mean is ignored.
func restore(dst v1.Object, version string, places place) {
	annotations := maps.Clone(dst.GetAnnotations())
	var own map[string]keptValue
	others := map[string]*keptVersion{}
	for name, text := range annotations {
		var kept keptVersion
		if !strings.HasPrefix(name, keptPrefix) {
			continue
		}
		if decodeTree([]byte(text), &kept) != nil {
			kept = keptVersion{}
		}
		switch {
		case name == keptPrefix+version:
			own = kept.Values
			delete(annotations, name)
			dst.SetAnnotations(annotations)
		case kept.NotIn != version && len(kept.Values) > 0:
			others[name] = &kept
		}
	}
	if len(own) == 0 && len(others) == 0 {
		return
	}
	into := reflect.ValueOf(dst).Elem()
	convert := func(tree any) (reflect.Value, error) {
		object := reflect.New(into.Type())
		content, err := json.Marshal(tree)
		if err == nil {
			err = json.Unmarshal(content, object.Interface())
		}
		return object, err
	}
	// Values are only tried one by one if not all of them fit.
	for _, isTried := range []bool{false, true} {
		try := func(tree any, isCompared bool) (any, bool) {
			if !isTried && !isCompared {
				return nil, true
			}
			object, err := convert(tree)
			return treeOf(object.Interface()), err == nil
		}
		var shared []map[string]keptValue
		for _, name := range slices.Sorted(maps.Keys(others)) {
			shared = append(shared, maps.Clone(others[name].Values))
		}
		object, err := convert(places.restored(maps.Clone(own), shared, "", treeOf(dst), try))
		if err != nil {
			continue
		}
		into.Set(object.Elem())
		for i, name := range slices.Sorted(maps.Keys(others)) {
			if annotations[name] = encodeKept(others[name].NotIn, shared[i], maxAnnotations); annotations[name] == "" {
				delete(annotations, name)
			}
		}
		dst.SetAnnotations(annotations)
		return
	}
}

// restored returns a value with what was kept of it and in it, as far as that fits: in the
// version itself, and in others that share the place. It tries a value by converting it, which
// returns what becomes of it, if that is compared.
func (p place) restored(own map[string]keptValue, others []map[string]keptValue, path string, current any, try func(value any, isCompared bool) (any, bool)) any {
	if p.whole || p.missing {
		before := current
		for _, other := range others {
			current = p.shared(other, path, current, try)
		}
		kept, found := own[path]
		if found {
			merged := p.merged(kept.Value, current, before, kept.Of)
			if _, found = try(merged, false); found {
				current = merged
			}
		}
		if p.missing {
			for _, values := range append(others, own) {
				current = completed(values, path, current, before, try)
			}
		}
		if p.missing || found {
			return current
		}
	}
	switch current := current.(type) {
	case map[string]any:
		names := slices.Collect(maps.Keys(p.fields))
		if p.values != nil {
			names = slices.Collect(maps.Keys(current))
		}
		for _, name := range names {
			below, _ := p.field(name)
			value := below.restored(own, others, pathBelow(path, name), current[name], func(value any, isCompared bool) (any, bool) {
				object := map[string]any{name: value}
				if value == nil {
					object = map[string]any{} // not every type takes null
				}
				back, fits := try(object, isCompared)
				object, _ = back.(map[string]any)
				return object[name], fits
			})
			if current[name] = value; value == nil {
				delete(current, name)
			}
		}
	case []any:
		if p.items != nil {
			for i, name := range p.names(current) {
				current[i] = p.items.restored(own, others, pathBelow(path, name), current[i], func(value any, isCompared bool) (any, bool) {
					back, fits := try([]any{value}, isCompared)
					if list, ok := back.([]any); ok && len(list) == 1 {
						return list[0], fits
					}
					return nil, fits
				})
			}
		}
	}
	return current
}

// shared returns a value with what was kept of it in another version, as far as both versions
// have it. That is then no longer kept there, since the version that has it is the one that was
// written last; what is left is kept part by part.
func (p place) shared(other map[string]keptValue, path string, current any, try func(value any, isCompared bool) (any, bool)) any {
	kept, found := other[path]
	if !found || !p.missing && kept.Of != hashOf(current) {
		return current
	}
	back, _ := try(kept.Value, true)
	rest := map[string]keptValue{}
	value := inBoth(kept.Value, back, path, rest)
	if len(rest) > 0 && (value == nil || !p.missing) {
		return current
	}
	if p.missing {
		value = overlaid(current, value)
	}
	if reflect.DeepEqual(value, current) {
		return current
	}
	delete(other, path)
	maps.Copy(other, rest)
	return value
}

// completed returns a value with the parts of it that are kept by themselves, in objects that
// are still there.
func completed(values map[string]keptValue, path string, current, before any, try func(value any, isCompared bool) (any, bool)) any {
	for _, at := range slices.Sorted(maps.Keys(values)) {
		below, isBelow := strings.CutPrefix(at, path+"/")
		if !isBelow {
			continue
		}
		names := strings.Split(below, "/")
		for i, name := range names {
			names[i] = strings.NewReplacer("~1", "/", "~0", "~").Replace(name)
		}
		part := values[at].Value
		for _, name := range slices.Backward(names) {
			part = map[string]any{name: part}
		}
		if !isFree(names, current, before) {
			continue
		}
		back, _ := try(part, true)
		rest := map[string]keptValue{}
		value := overlaid(current, inBoth(part, back, path, rest))
		if reflect.DeepEqual(value, current) {
			continue
		}
		delete(values, at)
		maps.Copy(values, rest)
		current = value
	}
	return current
}

// isFree reports whether an object has a place for a value, and none there but what was there
// before.
func isFree(names []string, current, before any) bool {
	object, ok := current.(map[string]any)
	others, _ := before.(map[string]any)
	switch {
	case !ok:
		return false
	case len(names) > 1:
		return isFree(names[1:], object[names[0]], others[names[0]])
	default:
		return object[names[0]] == nil || reflect.DeepEqual(object[names[0]], others[names[0]])
	}
}

// inBoth returns what two values have in common, and adds what only the first one has, by its
// path.
func inBoth(value, other any, path string, rest map[string]keptValue) any {
	object, isObject := value.(map[string]any)
	others, areObject := other.(map[string]any)
	if !isObject || !areObject {
		if reflect.DeepEqual(value, other) {
			return value
		}
		rest[path] = keptValue{Value: value}
		return nil
	}
	both := map[string]any{}
	for name := range object {
		if below := inBoth(object[name], others[name], pathBelow(path, name), rest); below != nil {
			both[name] = below
		}
	}
	return both
}

// overlaid returns a value with another one over it.
func overlaid(under, over any) any {
	object, ok := under.(map[string]any)
	others, okToo := over.(map[string]any)
	if !ok || !okToo {
		return over
	}
	all := maps.Clone(object)
	for name := range others {
		all[name] = overlaid(object[name], others[name])
	}
	return all
}

// merged returns the value that was kept if it still belongs to the current one. Otherwise
// it returns the current one, with those parts of the other that the current one has no
// place for. Before others were restored, the current value was another one.
func (p place) merged(kept, current, before any, of string) any {
	object, isObject := current.(map[string]any)
	objectKept, wasObject := kept.(map[string]any)
	if p.missing && isObject && wasObject {
		return filled(object, objectKept, before)
	}
	if hashOf(current) == of {
		return kept
	}
	if isObject && wasObject {
		object = maps.Clone(object)
		for name, below := range p.fields {
			if value := below.merged(objectKept[name], object[name], object[name], ""); value != nil {
				object[name] = value
			}
		}
		return object
	}
	if list, ok := current.([]any); ok && p.items != nil && len(p.keys) == 0 && len(list) == 1 {
		if kept, ok := kept.([]any); ok && len(kept) > 0 {
			return append([]any{p.items.merged(kept[0], list[0], list[0], "")}, kept[1:]...)
		}
	}
	return current
}

// filled returns an object with what was kept of it, but for what others have changed.
func filled(current, kept map[string]any, before any) map[string]any {
	all, unchanged := maps.Clone(current), map[string]any{}
	if before, ok := before.(map[string]any); ok {
		unchanged = before
	}
	for name, value := range kept {
		object, isObject := all[name].(map[string]any)
		objectKept, wasObject := value.(map[string]any)
		switch {
		case all[name] == nil || reflect.DeepEqual(all[name], unchanged[name]):
			all[name] = value
		case isObject && wasObject:
			all[name] = filled(object, objectKept, unchanged[name])
		}
	}
	return all
}
