package combinations_test

import (
	"maps"
	"slices"
	"strings"
)

// A place is a row of the table of places: where the marker or the type of a cell stands.
type place struct {
	name string
	// on is what the markers are on: a field, a type or a kind.
	on string
	// isPlain is set if the kind isn't a managed resource.
	isPlain bool
	// owner is the struct around the field F, and path leads to it in an object: [] is an item, {} a value of a map.
	// A question mark after a name means that the path has it only below a value.
	owner, path string
	// expr is the type of the field, if it isn't that of the row in the table of types: D is the marked declaration.
	expr string
	// wrap are the values of the field F around one of the marked type.
	wrap func(value any) (any, bool)
	// isElsewhere is set if the struct, or the type, is declared in another package.
	isElsewhere bool
}

const (
	onField = "field"
	onType  = "type"
	onKind  = "kind"
)

func asItem(value any) (any, bool)  { return []any{value}, true }
func asValue(value any) (any, bool) { return map[string]any{"k": value}, true }
func asKey(value any) (any, bool) {
	key, isText := value.(string)
	return map[string]any{key: "v"}, isText
}

// places is the table of places.
var places = []place{
	{name: "forProvider", on: onField, owner: "KParameters", path: "spec forProvider"},
	{name: "initProvider", on: onField, owner: "KInitParameters", path: "spec initProvider"},
	{name: "spec", on: onField, owner: "KSpec", path: "spec"},
	{name: "atProvider", on: onField, owner: "KObservation", path: "status atProvider"},
	{name: "status", on: onField, owner: "KStatus", path: "status"},
	{name: "struct", on: onField, owner: "KX", path: "spec forProvider x"},
	{name: "item", on: onField, owner: "KX", path: "spec forProvider x []"},
	{name: "value of a map", on: onField, owner: "KX", path: "spec forProvider x {}"},
	{name: "embedded", on: onField, owner: "KX", path: "spec forProvider"},
	{name: "shared struct", on: onField, owner: "KX", path: "spec forProvider x"},
	{name: "another package", on: onField, owner: "KX", path: "spec forProvider x", isElsewhere: true},
	{name: "spec of a plain kind", on: onField, isPlain: true, owner: "KSpec", path: "spec"},
	{name: "status of a plain kind", on: onField, isPlain: true, owner: "KStatus", path: "status"},

	{name: "type", on: onType, owner: "KParameters", path: "spec forProvider", expr: "D"},
	{name: "type of a pointer", on: onType, owner: "KParameters", path: "spec forProvider", expr: "*D"},
	{name: "type of an item", on: onType, owner: "KParameters", path: "spec forProvider", expr: "[]D", wrap: asItem},
	{name: "type of a value", on: onType, owner: "KParameters", path: "spec forProvider", expr: "map[string]D", wrap: asValue},
	{name: "type of a key", on: onType, owner: "KParameters", path: "spec forProvider", expr: "map[D]string", wrap: asKey},
	{name: "type of another type", on: onType, owner: "KParameters", path: "spec forProvider", expr: "*D"},
	{name: "alias", on: onType, owner: "KParameters", path: "spec forProvider", expr: "D"},
	{name: "type of a plain kind", on: onType, isPlain: true, owner: "KSpec", path: "spec", expr: "D"},
	{name: "type in another package", on: onType, owner: "KParameters", path: "spec forProvider", expr: "D", isElsewhere: true},

	{name: "kind", on: onKind, owner: "KParameters", path: "spec forProvider"},
	{name: "type of spec", on: onKind, owner: "KParameters", path: "spec forProvider"},
	{name: "type of forProvider", on: onKind, owner: "KParameters", path: "spec forProvider"},
	{name: "type of atProvider", on: onKind, owner: "KParameters", path: "spec forProvider"},
	{name: "plain kind", on: onKind, isPlain: true, owner: "KSpec", path: "spec"},
}

// object returns an object with a value of the cell's field. It reports false if the place can't have the value.
func (c *cell) object(value any, isSet bool) (map[string]any, bool) {
	holder := map[string]any{}
	if isSet {
		if c.place.wrap != nil {
			wrapped, ok := c.place.wrap(value)
			if !ok {
				return nil, false
			}
			value = wrapped
		}
		name, _ := c.names()
		holder[name] = value
	}
	root := map[string]any{"spec": map[string]any{}}
	if !c.place.isPlain {
		root["spec"] = map[string]any{"forProvider": map[string]any{}}
	}
	return put(root, c.path(), holder).(map[string]any), true
}

// path leads to the object around the cell's field.
func (c *cell) path() []string {
	steps := strings.Fields(c.place.path)
	if i := slices.Index(steps, "x"); i >= 0 {
		steps[i] = c.top()
	}
	return steps
}

// put returns the value with the holder at the end of a path, in place of an empty object.
func put(at any, path []string, holder map[string]any) any {
	if len(path) == 0 {
		if around, isObject := at.(map[string]any); isObject { // keeps what the spec needs
			maps.Copy(around, holder)
			return around
		}
		return holder
	}
	switch path[0] {
	case "[]":
		return []any{put(nil, path[1:], holder)}
	case "{}":
		return map[string]any{"k": put(nil, path[1:], holder)}
	}
	around, isObject := at.(map[string]any)
	if !isObject {
		around = map[string]any{}
	}
	around[path[0]] = put(around[path[0]], path[1:], holder)
	return around
}

// follow returns the object at the end of a path, or nil.
func follow(root map[string]any, path []string) map[string]any {
	var at any = root
	for _, step := range path {
		switch value := at.(type) {
		case []any:
			if len(value) == 0 {
				return nil
			}
			at = value[0]
		case map[string]any:
			if step == "{}" {
				step = "k"
			}
			at = value[step]
		default:
			return nil
		}
	}
	holder, _ := at.(map[string]any)
	return holder
}

// isDesired reports whether the place is in spec.forProvider, which status.atProvider mirrors.
func (p *place) isDesired() bool { return strings.HasPrefix(p.path, "spec forProvider") }

// placesOn returns the places whose markers are on something.
func placesOn(on ...string) []*place {
	var found []*place
	for i := range places {
		if slices.Contains(on, places[i].on) {
			found = append(found, &places[i])
		}
	}
	return found
}
