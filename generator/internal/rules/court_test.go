package rules_test

import (
	"context"
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"reflect"
	"slices"
	"strings"
	"testing"

	"k8s.io/apimachinery/pkg/runtime"

	"github.com/mrgen-io/mrgen/generator/internal/apiserver"
	"github.com/mrgen-io/mrgen/testdata/budget"
	"github.com/mrgen-io/mrgen/testdata/expect"
)

// A court judges objects of a kind.
type court struct {
	t      *testing.T
	kind   kind
	server *apiserver.ObjectValidator
	r      *rand.Rand
	seen   struct{ created, refused, changed, kept int }
}

func (c *court) isManaged(object map[string]any) bool {
	policies := at(object, "spec", c.kind.policies)
	switch list := policies.(type) {
	case nil:
		return true
	case []any:
		return slices.ContainsFunc(list, func(p any) bool { return p == "*" || p == "Create" || p == "Update" })
	}
	return policies != "ObserveOnly"
}

func text(value any) string {
	encoded, _ := json.Marshal(value)
	return string(encoded)
}

// create judges an object, and returns it as it is stored, or nil.
func (c *court) create(object map[string]any) map[string]any {
	ctx := context.Background()
	stored, _ := c.server.Read(object)
	desired := operand{c.kind.desired, objectAt(objectAt(stored, "spec"), "forProvider")}
	initial := operand{c.kind.initial, objectAt(objectAt(stored, "spec"), "initProvider")}
	bySchema, byRule := missing(desired, initial, c.isManaged(stored))
	if objectAt(stored, "spec")["forProvider"] == nil && !strings.Contains(c.kind.spec, "// +optional\nForProvider") {
		bySchema = append(bySchema, "spec/forProvider")
	}
	if c.kind.policies == "" {
		bySchema, byRule = append(bySchema, prefixed("spec/forProvider/", byRule)...), nil
	}
	var want, choices []string
	for _, path := range bySchema {
		want = append(want, path+": Required value")
	}
	if len(want) == 0 {
		for _, name := range byRule {
			want = append(want, name+" is required")
		}
		for _, name := range needed(desired) {
			want = append(want, name+" is needed")
		}
		if c.kind.choices != nil {
			demands, bounds := c.kind.choices(desired.object, initial.object)
			choices = bounds
			if c.isManaged(stored) {
				choices = append(choices, demands...)
			}
		}
		want = append(want, choices...)
	}
	slices.Sort(want)
	var got []string
	refusals := c.server.Refusals(ctx, object)
	for _, r := range refusals {
		if strings.HasPrefix(r.Reason, "Duplicate value") {
			return nil // which no rule is about: items of keyed lists are made at random
		}
		got = append(got, said(r))
	}
	slices.Sort(got)
	expect.Equal(c.t, want, got, "create %s", text(object))
	if len(refusals) > 0 {
		c.seen.refused++
		return nil
	}
	c.seen.created++
	if sent := c.sentBack(stored); len(c.server.UpdateRefusals(ctx, sent, stored, true)) > 0 {
		c.t.Errorf("what Go sends is refused: %v\nstored: %s\n  sent: %s", c.server.UpdateRefusals(ctx, sent, stored, true), text(stored), text(sent))
	}
	return stored
}

func prefixed(prefix string, names []string) (all []string) {
	for _, name := range names {
		all = append(all, prefix+strings.ReplaceAll(name, ".", "/"))
	}
	return all
}

// said returns what the API server says in the words of the judge.
func said(r apiserver.Refusal) string {
	var path []string
	for _, step := range r.At {
		path = append(path, fmt.Sprint(step))
	}
	where := strings.Join(path, "/")
	if r.Rule == "" {
		return strings.NewReplacer(".", "/", "[", "/", "]", "").Replace(r.Field) + ": " + r.Reason
	}
	message := r.Reason
	if _, after, found := strings.Cut(message, ": "); found {
		message = after
	}
	switch message = strings.TrimPrefix(message, "Invalid value: "); {
	case strings.Contains(message, " is required when"):
		subject, _, _ := strings.Cut(message, " is required when")
		return subject + " is required"
	case strings.HasSuffix(message, " is required, or a reference or selector for it"):
		return strings.TrimSuffix(message, " is required, or a reference or selector for it") + " is needed"
	case strings.Contains(message, " can't be changed once set"):
		subject, _, _ := strings.Cut(message, " can't be changed once set")
		if len(path) < 3 {
			where = "spec/forProvider"
		}
		return where + " " + subject
	}
	for _, how := range []string{"at least one", "at most one", "exactly one", "at least 2"} {
		if rest, found := strings.CutPrefix(message, how+" of the fields in "); found {
			fields, demand, _ := strings.Cut(rest, " m")
			if _, when, isDemand := strings.Cut(demand, " when "); isDemand {
				where = ""
				if inner, _, found := strings.Cut(when, " is set and "); found {
					where = inner
				}
			}
			return strings.Join([]string{where, how, fields}, " ")
		}
	}
	return where + " ??? " + r.Reason
}

// sentBack returns an object as a controller sends it back.
func (c *court) sentBack(object map[string]any) map[string]any {
	object = runtime.DeepCopyJSON(object)
	spec := objectAt(object, "spec")
	for part, t := range map[string]reflect.Type{"forProvider": c.kind.desired, "initProvider": c.kind.initial} {
		if spec[part] != nil {
			spec[part] = encoded(t, objectAt(spec, part))
		}
	}
	sent, _ := c.server.Read(object)
	return sent
}

// update judges an update.
func (c *court) update(old, object map[string]any) {
	object, _ = c.server.Read(object)
	isManaged := c.isManaged(object)
	was, is := objectAt(objectAt(old, "spec"), "forProvider"), objectAt(objectAt(object, "spec"), "forProvider")
	want := changed(c.kind.desired, was, is, isManaged, !c.kind.isLoose)
	var got []string
	for _, r := range c.server.UpdateRefusals(context.Background(), object, old, true) {
		switch s := said(r); {
		case r.Rule == "":
			return // rules aren't asked
		case strings.Contains(r.Reason, "can't be changed once set"):
			got = append(got, s)
		case strings.Contains(s, "???"):
			c.t.Errorf("%s\n old: %s\n new: %s", r.Reason, text(old), text(object))
		}
	}
	slices.Sort(got)
	if !slices.Equal(got, want) {
		c.t.Errorf("update (managed %t)\n old: %s\n new: %s\n got: %q\nwant: %q", isManaged, text(was), text(is), got, want)
	}
	if len(want) > 0 {
		c.seen.changed++
	} else {
		c.seen.kept++
	}
}

// values returns JSON values to try for a type.
func (c *court) values(p property, depth int) []any {
	var tried []string
	if p.try != "" {
		tried = strings.Split(p.try, "|")
	}
	t := p.goType
	if t.Kind() == reflect.Pointer {
		t = t.Elem()
	}
	switch name := t.String(); {
	case tried != nil:
	case name == "resource.Quantity":
		tried = []string{`"1Gi"`, `"1024Mi"`, `"2Gi"`, `0`, `"0"`}
	case name == "v1.Duration":
		tried = []string{`"60m"`, `"1h0m0s"`, `"2h"`, `"0s"`}
	case name == "v1.Time":
		tried = []string{`"2023-01-01T00:00:00Z"`, `"2023-01-01T01:00:00+01:00"`, `"2023-01-01T00:00:00.5Z"`, `"2023-01-02T00:00:00Z"`}
	case name == "intstr.IntOrString":
		tried = []string{`1`, `2`, `"50%"`, `"1"`}
	case t == reflect.TypeFor[NamespacedReference]():
		tried = []string{`{"name":"a"}`, `{"name":"b"}`, `{"name":"a","namespace":"n"}`, `{"name":"a","namespace":"m"}`, `{"name":"a","namespace":""}`, `{"name":"a","policy":{"resolve":"Always"}}`}
	case t == reflect.TypeFor[Reference]():
		tried = []string{`{"name":"a"}`, `{"name":"b"}`, `{"name":"a","policy":{"resolve":"Always"}}`}
	case t == reflect.TypeFor[NamespacedSelector]():
		tried = []string{`{}`, `{"matchLabels":{"a":"b"}}`}
	case t.Kind() == reflect.String:
		tried = []string{`"a"`, `"b"`, `""`}
	case t.Kind() == reflect.Int64:
		tried = []string{`1`, `2`, `0`}
	case t.Kind() == reflect.Float64:
		tried = []string{`1.5`, `2.5`, `0.0`, `1`}
	case t.Kind() == reflect.Bool:
		tried = []string{`true`, `false`}
	case t.Kind() == reflect.Struct:
		all := []any{map[string]any{}}
		for range 4 {
			all = append(all, c.object(t, depth+1))
		}
		return append(all, c.complete(t))
	case t.Kind() == reflect.Slice:
		return c.lists(t.Elem(), depth, p.is["set"] || p.is["keyed"])
	case t.Kind() == reflect.Map:
		elements := c.values(property{goType: t.Elem()}, depth+1)
		return []any{
			map[string]any{}, map[string]any{"k": pick(c.r, elements)}, map[string]any{"k": pick(c.r, elements), "l": pick(c.r, elements)}, map[string]any{"m": pick(c.r, elements)},
		}
	}
	var all []any
	for _, text := range tried {
		all = append(all, document(`{"v":` + text + `}`)["v"])
	}
	return all
}

// lists returns lists of elements, which are unique if those of the list must be.
func (c *court) lists(elem reflect.Type, depth int, isSet bool) []any {
	elements := c.values(property{goType: elem}, depth+1)
	all := []any{[]any{}, []any{pick(c.r, elements)}}
	for range 3 {
		a, b := pick(c.r, elements), pick(c.r, elements)
		if !isSet {
			all = append(all, []any{a, b})
			continue
		}
		a, b = runtime.DeepCopyJSONValue(a), runtime.DeepCopyJSONValue(b)
		if object, isObject := a.(map[string]any); isObject {
			object["name"], b.(map[string]any)["name"] = "a", "b"
		}
		if !reflect.DeepEqual(a, b) {
			all = append(all, []any{a, b}, []any{b, a})
		}
	}
	return all
}

func pick[T any](r *rand.Rand, of []T) T { return of[r.IntN(len(of))] }

// object returns a random object.
func (c *court) object(t reflect.Type, depth int) map[string]any {
	object := map[string]any{}
	for _, p := range propertiesOf(t) {
		unset := 3
		if p.is["stays"] {
			unset = 20
		} else if depth == 0 {
			unset = 2
		}
		if depth < 5 && c.r.IntN(unset) > 0 {
			object[p.name] = pick(c.r, c.values(p, depth))
		} else if c.r.IntN(10) == 0 {
			object[p.name] = nil
		}
	}
	return object
}

// complete returns an object that is accepted.
func (c *court) complete(t reflect.Type) map[string]any {
	object := map[string]any{}
	if t == c.kind.desired && c.kind.base != "" {
		object = document(c.kind.base)
	}
	for _, p := range propertiesOf(t) {
		switch {
		case !p.is["stays"] && !p.is["required"] && !p.is["needed"]:
		case structIn(p.goType) != nil:
			inner := c.complete(structIn(p.goType))
			if len(inner) == 0 {
				inner[propertiesOf(structIn(p.goType))[0].name] = "a"
			}
			object[p.name] = inner
		case p.goType.Kind() == reflect.Slice, p.goType.Kind() == reflect.Map:
			object[p.name] = c.values(p, 3)[1]
		default:
			object[p.name] = c.values(p, 3)[0]
		}
	}
	return object
}

func (c *court) spec(desired, initial map[string]any, policies any) map[string]any {
	spec := map[string]any{}
	if desired != nil {
		spec["forProvider"] = desired
	}
	if initial != nil {
		spec["initProvider"] = initial
	}
	if policies != nil && c.kind.policies != "" {
		spec[c.kind.policies] = policies
	}
	return runtime.DeepCopyJSON(map[string]any{"spec": spec})
}

// policy returns management policies.
func (c *court) policy() any {
	if c.kind.policies == "managementPolicy" {
		return pick(c.r, []any{nil, "Default", "ObserveOnly"})
	}
	return pick(c.r, []any{nil, nil, []any{"*"}, []any{"Create"}, []any{"Update"}, []any{"Observe", "Update"}, []any{"Observe"}, []any{"Observe", "Delete"}, []any{}})
}

// systematic changes each field of a complete object from each value to each other.
func (c *court) systematic() {
	for _, p := range propertiesOf(c.kind.desired) {
		all := append([]any{nil}, c.values(p, 0)...)
		var objects []map[string]any
		for _, value := range all {
			base := c.complete(c.kind.desired)
			base[p.name] = value
			objects = append(objects, c.spec(base, nil, nil))
		}
		for _, old := range objects {
			if c.create(old); c.t.Failed() {
				return
			}
			stored, _ := c.server.Read(old)
			for _, object := range budget.Sample(objects, 4) {
				if c.update(stored, object); c.t.Failed() {
					return
				}
			}
		}
	}
}

// standIns have each field of spec.initProvider that stands in for a required one take its place alone.
func (c *court) standIns() {
	if c.kind.initial == nil {
		return
	}
	stands := map[string]property{}
	for _, p := range propertiesOf(c.kind.initial) {
		stands[p.name] = p
	}
	for _, p := range propertiesOf(c.kind.desired) {
		for _, name := range append([]string{p.name}, p.with...) {
			in, found := stands[name]
			if !found {
				continue
			}
			for _, value := range c.values(in, 0) {
				desired, initial := c.complete(c.kind.desired), c.complete(c.kind.initial)
				delete(desired, p.name)
				initial[name] = value
				for _, initial := range []map[string]any{initial, encoded(c.kind.initial, initial)} { // as Go sends it, too
					if c.create(c.spec(desired, initial, nil)); c.t.Failed() {
						return
					}
				}
			}
		}
	}
}

// unreadable leaves values as they are that Go can't read: rules about them must not fail.
func (c *court) unreadable() {
	if c.kind.name != "Forms" {
		return
	}
	stored := c.spec(map[string]any{"period": "x", "span": "y", "block": map[string]any{"period": "z"}, "periods": []any{"x", "1h"}}, nil, nil)
	stored, _ = c.server.Read(stored)
	if refusals := c.server.UpdateRefusals(context.Background(), stored, stored, false); len(refusals) > 0 {
		c.t.Errorf("what was stored is refused: %v", refusals)
	}
}

// random judges a random object, and updates of it that leave most as it is.
func (c *court) random() {
	var initial, desired map[string]any
	if c.kind.initial != nil && c.r.IntN(3) > 0 {
		initial = c.object(c.kind.initial, 0)
	}
	if c.r.IntN(10) > 0 {
		desired = c.object(c.kind.desired, 0)
	}
	if c.r.IntN(3) > 0 {
		desired = c.complete(c.kind.desired)
		for range c.r.IntN(4) {
			c.mutate(c.kind.desired, desired)
		}
	}
	old := c.spec(desired, initial, c.policy())
	if stored := c.create(old); stored == nil {
		return
	}
	stored, _ := c.server.Read(old)
	for range 4 {
		object := runtime.DeepCopyJSON(stored)
		spec := objectAt(object, "spec")
		if c.r.IntN(3) == 0 {
			if spec[c.kind.policies] = c.policy(); spec[c.kind.policies] == nil {
				delete(spec, c.kind.policies)
			}
		}
		if c.kind.isOptional && c.r.IntN(6) == 0 {
			delete(object, "spec")
			c.update(stored, object)
			continue
		}
		if spec["forProvider"] == nil {
			spec["forProvider"] = map[string]any{}
		}
		for range 1 + c.r.IntN(2) {
			c.mutate(c.kind.desired, objectAt(spec, "forProvider"))
		}
		c.update(stored, object)
	}
}

// mutate changes something in an object, at any depth.
func (c *court) mutate(t reflect.Type, object map[string]any) {
	p := pick(c.r, propertiesOf(t))
	inner := structIn(p.goType)
	value, isObject := object[p.name].(map[string]any)
	switch {
	case c.r.IntN(4) == 0:
		delete(object, p.name)
	case inner != nil && isObject && c.r.IntN(4) > 0:
		c.mutate(inner, value)
	case inner == nil && (p.goType.Kind() == reflect.Slice || p.goType.Kind() == reflect.Map) && structIn(p.goType.Elem()) != nil && object[p.name] != nil && c.r.IntN(4) > 0:
		var elements []map[string]any
		eachElement(object[p.name], func(_ string, element map[string]any) { elements = append(elements, element) })
		if len(elements) > 0 {
			c.mutate(p.goType.Elem(), pick(c.r, elements))
		}
	default:
		object[p.name] = runtime.DeepCopyJSONValue(pick(c.r, c.values(p, 1)))
	}
}
