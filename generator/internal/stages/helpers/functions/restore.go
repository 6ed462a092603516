package functions

import (
	"encoding/json"
	"maps"
	"reflect"
	"slices"
	"strings"

	v1 "k8s.io/apimachinery/pkg/apis/meta/v1"
)

// Restore gives dst, an object of a version that was converted from another one, what its
// annotations have: values of that version, which go from there, and those of other versions at
// the same places. What annotations can't mean is ignored. It fails if there is no space for what
// other versions then still keep.
func Restore(dst v1.Object, version string, places LossyField) error {
	annotations := maps.Clone(dst.GetAnnotations())
	all := maps.Clone(annotations)
	delete(annotations, stashPrefix+version)
	// Values are only tried one by one if not all of them fit.
	for _, isTried := range []bool{false, true} {
		own, others := stashedIn(all, version)
		if len(own) == 0 && len(others) == 0 {
			break
		}
		r := &restoring{of: reflect.TypeOf(dst).Elem(), tree: treeOf(dst), isTried: isTried, done: map[string]bool{}, items: map[string]map[string]int{}}
		r.all(places, own, others)
		object, err := r.decoded(r.tree)
		if err != nil {
			continue
		}
		reflect.ValueOf(dst).Elem().Set(object.Elem())
		for _, other := range others {
			delete(annotations, other.name)
		}
		for _, other := range others {
			if err := other.setIn(annotations); err != nil {
				return err
			}
		}
		break
	}
	dst.SetAnnotations(annotations)
	return nil
}

// stashedIn returns what annotations have for a version, and what they have for others, unless that
// version has no place for it.
func stashedIn(annotations map[string]string, version string) (own map[string]stashedValue, others []stash) {
	for _, name := range slices.Sorted(maps.Keys(annotations)) {
		stashed := stash{name: name}
		if !strings.HasPrefix(name, stashPrefix) || decodeTree([]byte(annotations[name]), &stashed) != nil {
			continue
		}
		switch {
		case name == stashPrefix+version:
			own = stashed.Values
		case stashed.NotIn != version && len(stashed.Values) > 0:
			others = append(others, stashed)
		}
	}
	return own, others
}

// restoring is an object to which values are restored.
type restoring struct {
	of   reflect.Type
	tree any
	// isTried is set if values are tried by decoding them.
	isTried bool
	// done has the paths of values that were restored.
	done map[string]bool
	// items has the indexes of items, by the path of their list and by their names.
	items map[string]map[string]int
}

// all restores values by their paths: those of the object's version, and those of others, which
// win, since they were written later. A part that is kept by itself comes after what it is a
// part of, and if other versions have no place for it, it replaces nothing that this has.
func (r *restoring) all(places LossyField, own map[string]stashedValue, others []stash) {
	paths := slices.Collect(maps.Keys(own))
	for _, other := range others {
		paths = slices.AppendSeq(paths, maps.Keys(other.Values))
	}
	slices.Sort(paths)
	for _, path := range slices.Compact(paths) {
		at, found := r.find(places, path)
		if !found || at.isPart && at.Missing && at.value != nil {
			continue
		}
		value := at.value
		if stashed, found := own[path]; found {
			value = at.merged(stashed.Value, value, stashed.Of)
			if r.isTried {
				if _, fits := r.asRead(at, value); !fits {
					value = at.value
				}
			}
		}
		for _, other := range others {
			value = r.shared(at, path, value, other.Values)
		}
		if !reflect.DeepEqual(value, at.value) {
			at.set(value)
			r.done[path] = true
		}
	}
}

// shared returns a value with what was kept of it in another version, as far as both versions
// have it. That is then no longer kept there, since the version that has it is the one that was
// written last; what is left is kept part by part.
func (r *restoring) shared(at spot, path string, current any, other map[string]stashedValue) any {
	stashed, found := other[path]
	if !found || !at.Missing && stashed.Of != hashOf(at.value) {
		return current
	}
	back, _ := r.asRead(at, stashed.Value)
	rest := map[string]stashedValue{}
	value := inBoth(stashed.Value, back, path, rest)
	if len(rest) > 0 && (value == nil || !at.Missing) {
		return current
	}
	if at.Missing {
		value = overlaid(current, value)
	}
	if reflect.DeepEqual(value, current) {
		return current
	}
	delete(other, path)
	maps.Copy(other, rest)
	return value
}

// A spot is where a path leads to in an object.
type spot struct {
	LossyField
	value any
	set   func(value any)
	// steps are those on the way, and isPart is set if something on the way was restored.
	steps  []step
	isPart bool
}

// A step leads to a field, to an entry of a map, or to an item of a list.
type step struct {
	name   string
	isItem bool
}

// find returns the spot that a path leads to, if values are kept for it, and the object has what
// it is in.
func (r *restoring) find(places LossyField, path string) (spot, bool) {
	at, above := spot{LossyField: places, value: r.tree}, ""
	names := strings.Split(path, "/")
	for _, name := range names[1:] {
		below, found := r.part(at, above, strings.ReplaceAll(strings.ReplaceAll(name, "~1", "/"), "~0", "~"))
		if !found {
			return spot{}, false
		}
		below.isPart = at.isPart || r.done[above]
		at, above = below, above+"/"+name
	}
	return at, names[0] == "" && (at.Whole || at.Missing)
}

// part returns the spot one step below another one, which has a path.
func (r *restoring) part(of spot, path, name string) (spot, bool) {
	switch value := of.value.(type) {
	case map[string]any:
		below, found := of.field(name)
		switch {
		case of.Missing:
			below, found = of.LossyField, true
		case of.Values != nil:
			_, found = value[name]
		}
		set := func(to any) {
			if value[name] = to; to == nil && of.Values == nil {
				// Null would have a struct that is embedded by a pointer be there.
				maps.DeleteFunc(value, func(_ string, field any) bool { return field == nil })
			} else if to == nil {
				delete(value, name)
			}
		}
		return spot{LossyField: below, value: value[name], set: set, steps: append(of.steps, step{name: name})}, found
	case []any:
		if of.Items == nil {
			return spot{}, false
		}
		if r.items[path] == nil {
			r.items[path] = map[string]int{}
			for i, name := range of.names(value) {
				r.items[path][name] = i
			}
		}
		i, found := r.items[path][name]
		if !found {
			return spot{}, false
		}
		set := func(to any) { value[i] = to }
		return spot{LossyField: *of.Items, value: value[i], set: set, steps: append(of.steps, step{isItem: true})}, true
	}
	return spot{}, false
}

// asRead returns what becomes of a value at a spot once it is decoded, with nothing around it,
// and whether it can be.
func (r *restoring) asRead(at spot, value any) (any, bool) {
	for i := len(at.steps) - 1; i >= 0; i-- {
		step := at.steps[i]
		switch {
		case step.isItem:
			value = []any{value}
		case value == nil:
			value = map[string]any{} // not every type takes null
		default:
			value = map[string]any{step.name: value}
		}
	}
	object, err := r.decoded(value)
	back := treeOf(object.Interface())
	for _, step := range at.steps {
		object, _ := back.(map[string]any)
		list, _ := back.([]any)
		if back = object[step.name]; len(list) > 0 {
			back = list[0]
		}
	}
	return back, err == nil
}

// decoded returns the object that JSON is decoded into.
func (r *restoring) decoded(tree any) (reflect.Value, error) {
	object := reflect.New(r.of)
	content, err := json.Marshal(tree)
	if err == nil {
		err = decodeTree(content, object.Interface())
	}
	return object, err
}

// merged returns the value that was kept if it still belongs to the current one. Otherwise
// it returns the current one, with those parts of the other that the current one has no
// place for.
func (p LossyField) merged(kept, current any, of string) any {
	if p.Missing || hashOf(current) == of {
		return kept
	}
	object, isObject := current.(map[string]any)
	objectKept, wasObject := kept.(map[string]any)
	if isObject && wasObject {
		object = maps.Clone(object)
		for name, below := range p.Fields {
			if value := below.merged(objectKept[name], object[name], ""); value != nil {
				object[name] = value
			}
		}
		return object
	}
	if list, ok := current.([]any); ok && p.Items != nil && len(p.Keys) == 0 && len(list) == 1 {
		if kept, ok := kept.([]any); ok && len(kept) > 0 {
			return append([]any{list[0]}, kept[1:]...) // what the first one lacks is kept by itself
		}
	}
	return current
}

// inBoth returns what two values have in common, and adds what only the first one has, by its
// path.
func inBoth(value, other any, path string, rest map[string]stashedValue) any {
	object, isObject := value.(map[string]any)
	others, areObject := other.(map[string]any)
	if !isObject || !areObject {
		if reflect.DeepEqual(value, other) {
			return value
		}
		rest[path] = stashedValue{Value: value}
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
