package rules_test

import (
	"encoding/json"
	"fmt"
	"maps"
	"reflect"
	"slices"
	"strings"
	"testing"

	"k8s.io/apimachinery/pkg/runtime"
	kjson "k8s.io/apimachinery/pkg/util/json"

	"github.com/mrgen-io/mrgen/testdata/expect"
)

// The judge says what the rules of a kind should say of its objects: from the Go types by reflection,
// from what encoding/json makes of their values, and from what the tags "is", "with" and "for" say of
// fields. It knows nothing of schemas, of CEL, or of package rules.
//
// It takes for granted that objects are as the API server reads them, with defaults, and that lists
// and maps are short enough for what rules may cost.

// These stand for the types of crossplane.
type (
	NamespacedReference struct {
		Name      string  `json:"name"`
		Namespace string  `json:"namespace,omitempty"`
		Policy    *Policy `json:"policy,omitempty"`
	}
	Reference struct {
		Name   string  `json:"name"`
		Policy *Policy `json:"policy,omitempty"`
	}
	NamespacedSelector struct {
		MatchLabels map[string]string `json:"matchLabels,omitempty"`
	}
	Policy struct {
		Resolve string `json:"resolve,omitempty"`
	}
)

// A property is a field of a struct, or of one that it embeds.
type property struct {
	name       string
	goType     reflect.Type
	is         map[string]bool
	with, for_ []string
	try        string
	// plain is set if Go always sends a value.
	plain bool
}

// propertiesOf returns the fields of a struct.
func propertiesOf(t reflect.Type) []property {
	var all []property
	for i := range t.NumField() {
		f := t.Field(i)
		is := map[string]bool{}
		for _, word := range strings.Fields(f.Tag.Get("is")) {
			is[word] = true
		}
		if f.Anonymous {
			for _, inner := range propertiesOf(f.Type) {
				inner.is["fixed"] = inner.is["fixed"] || is["fixed"]
				all = append(all, inner)
			}
			continue
		}
		name, options, _ := strings.Cut(f.Tag.Get("json"), ",")
		if name == "-" {
			continue
		}
		plain := !slices.Contains([]reflect.Kind{reflect.Pointer, reflect.Slice, reflect.Map}, f.Type.Kind()) && options == ""
		all = append(all, property{name, f.Type, is, strings.Fields(f.Tag.Get("with")), strings.Fields(f.Tag.Get("for")), f.Tag.Get("try"), plain})
	}
	return all
}

// structIn returns the struct of the kinds that a type is, or points to, or nil.
func structIn(t reflect.Type) reflect.Type {
	if t.Kind() == reflect.Pointer {
		t = t.Elem()
	}
	if t.Kind() != reflect.Struct || t.PkgPath() != reflect.TypeFor[property]().PkgPath() || isReference(t) || t == reflect.TypeFor[NamespacedSelector]() || t.NumField() == 0 {
		return nil
	}
	return t
}

func isReference(t reflect.Type) bool {
	return t == reflect.TypeFor[NamespacedReference]() || t == reflect.TypeFor[Reference]()
}

// encoded returns what Go sends of an object that it has read.
func encoded(t reflect.Type, object map[string]any) map[string]any {
	text, err := json.Marshal(object)
	if err != nil {
		panic(err)
	}
	typed := reflect.New(t)
	if err := kjson.Unmarshal(text, typed.Interface()); err != nil {
		panic(fmt.Sprintf("%s: %v", text, err))
	}
	if text, err = json.Marshal(typed.Interface()); err != nil {
		panic(err)
	}
	var sent map[string]any
	if err := kjson.Unmarshal(text, &sent); err != nil {
		panic(err)
	}
	return sent
}

// has reports whether one of the fields has a value that Go sends.
func has(t reflect.Type, object map[string]any, names ...string) bool {
	return slices.ContainsFunc(names, func(name string) bool {
		return object[name] != nil && at(encoded(t, only([]string{name}, object[name])), name) != nil
	})
}

// only returns an object with a value at a path.
func only(path []string, value any) map[string]any {
	for _, name := range slices.Backward(path) {
		value = map[string]any{name: value}
	}
	return value.(map[string]any)
}

// at returns the value at a path, or nil.
func at(object map[string]any, path ...string) any {
	var value any = object
	for _, name := range path {
		object, _ := value.(map[string]any)
		value = object[name]
	}
	return value
}

func objectAt(object map[string]any, name string) map[string]any {
	inner, _ := object[name].(map[string]any)
	return inner
}

// eachElement visits the structs in a list or a map.
func eachElement(value any, visit func(key string, element map[string]any)) {
	switch value := value.(type) {
	case []any:
		for i, item := range value {
			visit(fmt.Sprint(i), item.(map[string]any))
		}
	case map[string]any:
		for _, key := range slices.Sorted(maps.Keys(value)) {
			visit(key, value[key].(map[string]any))
		}
	}
}

// A side is an object in spec.forProvider or spec.initProvider. Its type is nil if there is none.
type operand struct {
	goType reflect.Type
	object map[string]any
}

func (s operand) below(name string) operand {
	if s.goType == nil {
		return operand{}
	}
	for _, p := range propertiesOf(s.goType) {
		if inner := structIn(p.goType); p.name == name && inner != nil && !p.plain && !p.is["nullable"] {
			return operand{inner, objectAt(s.object, name)}
		}
	}
	return operand{}
}

// missing returns the paths of what is required and not there: bySchema whatever the management
// policies are, and byRule since the resource is managed.
func missing(desired, initial operand, isManaged bool) (bySchema, byRule []string) {
	missingIn(desired, initial, isManaged, "spec/forProvider", "", &bySchema, &byRule)
	if initial.goType != nil {
		stays(initial, "spec/initProvider", &bySchema)
	}
	return bySchema, byRule
}

// needed returns the identifiers with a reference that are not there, whatever the management policies are.
func needed(desired operand) (all []string) {
	for _, p := range propertiesOf(desired.goType) {
		if p.is["needed"] && desired.object != nil && !has(desired.goType, desired.object, append([]string{p.name}, p.with...)...) {
			all = append(all, p.name)
		}
	}
	return all
}

func missingIn(desired, initial operand, isManaged bool, path, subject string, bySchema, byRule *[]string) {
	isThere := desired.object != nil || initial.object != nil
	for _, p := range propertiesOf(desired.goType) {
		switch names := append([]string{p.name}, p.with...); {
		case p.is["stays"], p.is["required"] && subject != "" && initial.goType == nil:
			if value, isThere := desired.object[p.name]; desired.object != nil && value == nil && !(isThere && p.is["nullable"]) {
				*bySchema = append(*bySchema, path+"/"+p.name)
			}
		case p.is["required"]:
			if isThere && isManaged && !has(desired.goType, desired.object, names...) && (initial.goType == nil || !has(initial.goType, initial.object, names...)) {
				*byRule = append(*byRule, subject+p.name)
			}
		}
		if inner := structIn(p.goType); inner != nil {
			given := initial.below(p.name)
			if p.plain || p.is["nullable"] {
				given = operand{}
			}
			missingIn(operand{inner, objectAt(desired.object, p.name)}, given, isManaged, path+"/"+p.name, subject+p.name+".", bySchema, byRule)
		} else if p.goType.Kind() != reflect.Pointer && p.goType.Kind() != reflect.Struct && (p.goType.Kind() == reflect.Slice || p.goType.Kind() == reflect.Map) && structIn(p.goType.Elem()) != nil {
			eachElement(desired.object[p.name], func(key string, element map[string]any) {
				missingIn(operand{structIn(p.goType.Elem()), element}, operand{}, isManaged, path+"/"+p.name+"/"+key, subject+p.name+".", bySchema, byRule)
			})
		}
	}
}

// stays returns what the schema of spec.initProvider requires in lists.
func stays(s operand, path string, bySchema *[]string) {
	for _, p := range propertiesOf(s.goType) {
		if p.is["stays"] && s.object != nil && s.object[p.name] == nil {
			*bySchema = append(*bySchema, path+"/"+p.name)
		}
		if p.goType.Kind() == reflect.Slice && structIn(p.goType.Elem()) != nil {
			eachElement(s.object[p.name], func(key string, element map[string]any) {
				stays(operand{structIn(p.goType.Elem()), element}, path+"/"+p.name+"/"+key, bySchema)
			})
		}
	}
}

// A change is an update of a struct that the API server compares as one: all of spec.forProvider, or an
// item of a list, or an entry of a map.
type change struct {
	root     reflect.Type
	old, new map[string]any
	// anchor and subject lead there, subject without items and entries.
	anchor, subject string
	// isHeld is set if what is immutable is so now.
	isHeld bool
	found  *[]string
}

// changed returns which immutable fields an update changes. Sure is that of [change.visit].
func changed(t reflect.Type, old, new map[string]any, isManaged, sure bool) []string {
	var found []string
	change{t, old, new, "spec/forProvider", "", isManaged, &found}.visit(t, nil, false, sure)
	slices.Sort(found)
	return found
}

// visit compares the fields of a struct at a path from the root. All is set if it is immutable as a
// whole, and sure if Go's zero values in it are somebody's choice.
func (c change) visit(t reflect.Type, path []string, all, sure bool) {
	for _, p := range propertiesOf(t) {
		below := append(slices.Clip(path), p.name)
		inner, fixed := structIn(p.goType), all || p.is["fixed"]
		isElements := (p.goType.Kind() == reflect.Slice || p.goType.Kind() == reflect.Map) && structIn(p.goType.Elem()) != nil
		switch {
		case p.is["key"], p.goType == reflect.TypeFor[*NamespacedSelector]():
		case inner != nil:
			c.visit(inner, below, fixed, sure && (p.goType.Kind() == reflect.Pointer || p.plain && p.is["stays"]))
		case fixed:
			c.compare(t, p, path, sure && p.plain && p.is["stays"] && !p.is["nullable"])
		case isElements && (p.is["keyed"] || p.goType.Kind() == reflect.Map):
			c.elements(p, below)
		}
	}
}

// elements compares the items and entries that are there before and after.
func (c change) elements(p property, path []string) {
	key := func(index string, element map[string]any) string {
		for _, k := range propertiesOf(p.goType.Elem()) {
			if k.is["key"] {
				return fmt.Sprint(element[k.name])
			}
		}
		return index
	}
	before := map[string]map[string]any{}
	eachElement(at(c.old, path...), func(index string, element map[string]any) { before[key(index, element)] = element })
	eachElement(at(c.new, path...), func(index string, element map[string]any) {
		if old := before[key(index, element)]; old != nil {
			name := strings.Join(path, "/")
			change{p.goType.Elem(), old, element, c.anchor + "/" + name + "/" + index, c.subject + strings.Join(path, ".") + ".", true, c.found}.visit(p.goType.Elem(), nil, false, true)
		}
	})
}

// compare compares a field that can't change.
func (c change) compare(around reflect.Type, p property, path []string, always bool) {
	full := append(slices.Clip(path), p.name)
	was, is := at(c.old, full...), at(c.new, full...)
	if !c.isHeld || was == nil || !always && !c.counts(full, was) || p.is["resolved"] && was == "" {
		return
	}
	parent, _ := at(c.new, path...).(map[string]any)
	switch {
	case is != nil && c.same(p, full, was, is):
		return
	case is == nil && len(p.for_) > 0 && has(around, parent, p.for_...):
		return
	}
	*c.found = append(*c.found, c.anchor+" "+c.subject+strings.Join(full, "."))
}

// counts reports whether Go tells a value from none.
func (c change) counts(path []string, value any) bool {
	without := only(path[:len(path)-1], map[string]any{})
	return !reflect.DeepEqual(c.sent(only(path, value), path), c.sent(without, path))
}

func (c change) sent(object map[string]any, path []string) any {
	value := at(encoded(c.root, object), path...)
	if list, isList := value.([]any); isList && len(list) == 0 {
		return []any{}
	}
	return value
}

// same reports whether two values are the same for Go, and for references whether they refer to the
// same.
func (c change) same(p property, path []string, was, is any) bool {
	t := p.goType
	if t.Kind() == reflect.Pointer {
		t = t.Elem()
	}
	if isReference(t) {
		return refersToSame(was, is)
	}
	if old, isList := was.([]any); isList && isReference(t.Elem()) {
		return slices.EqualFunc(old, is.([]any), refersToSame)
	}
	if old, isMap := was.(map[string]any); isMap && t.Kind() == reflect.Map && isReference(t.Elem()) {
		return maps.EqualFunc(old, is.(map[string]any), refersToSame)
	}
	if old, isList := was.([]any); isList && (p.is["set"] || p.is["keyed"]) && sameItems(old, is.([]any)) {
		return true // in another order
	}
	if p.is["tolerant"] {
		return reflect.DeepEqual(was, is) || !reflect.DeepEqual(c.sent(only(path, was), path), was)
	}
	return reflect.DeepEqual(c.sent(only(path, was), path), c.sent(only(path, is), path))
}

func refersToSame(was, is any) bool {
	old, new := was.(map[string]any), is.(map[string]any)
	isUnset := func(namespace any) bool { return namespace == nil || namespace == "" }
	return old["name"] == new["name"] && (isUnset(old["namespace"]) || isUnset(new["namespace"]) || old["namespace"] == new["namespace"])
}

func sameItems(was, is []any) bool {
	holds := func(list []any, item any) bool {
		return slices.ContainsFunc(list, func(other any) bool { return reflect.DeepEqual(other, item) })
	}
	all := func(some, others []any) bool {
		return !slices.ContainsFunc(some, func(item any) bool { return !holds(others, item) })
	}
	return len(was) == len(is) && all(was, is) && all(is, was)
}

// TestJudge holds what the judge says, in a few cases that a reader can check.
func TestJudge(t *testing.T) {
	for _, test := range []struct {
		of             reflect.Type
		old, new, want string
	}{
		{reflect.TypeFor[FixedParameters](), `{}`, `{"text":"a"}`, ``},
		{reflect.TypeFor[FixedParameters](), `{"text":"a"}`, `{"text":"a"}`, ``},
		{reflect.TypeFor[FixedParameters](), `{"text":"a"}`, `{"text":"b"}`, `spec/forProvider text`},
		{reflect.TypeFor[FixedParameters](), `{"text":"a"}`, `{}`, `spec/forProvider text`},
		{reflect.TypeFor[FixedParameters](), `{"text":""}`, `{"text":"b"}`, `spec/forProvider text`},
		{reflect.TypeFor[FixedParameters](), `{"short":""}`, `{"short":"b"}`, ``},
		{reflect.TypeFor[FixedParameters](), `{"loose":""}`, `{"loose":"b"}`, ``},
		{reflect.TypeFor[FixedParameters](), `{"always":""}`, `{"always":"b"}`, `spec/forProvider always`},
		{reflect.TypeFor[FormsParameters](), `{"period":"60m"}`, `{"period":"1h"}`, ``},
		{reflect.TypeFor[ListsParameters](), `{"set":["a","b"]}`, `{"set":["b","a"]}`, ``},
		{reflect.TypeFor[ListsParameters](), `{"list":["a","b"]}`, `{"list":["b","a"]}`, `spec/forProvider list`},
		{reflect.TypeFor[ListsParameters](), `{"parts":[{"name":""}]}`, `{"parts":[{}]}`, ``},
	} {
		expect.Equal(t, test.want, strings.Join(changed(test.of, document(test.old), document(test.new), true, true), ", "), "%s to %s", test.old, test.new)
	}
}

// document returns JSON as the API server decodes it.
func document(text string) map[string]any {
	var object map[string]any
	if err := kjson.Unmarshal([]byte(text), &object); err != nil {
		panic(err)
	}
	return runtime.DeepCopyJSON(object)
}
