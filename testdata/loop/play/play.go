// Package play has users, controllers and external APIs at work on managed resources: crossplane-runtime's
// reconciler on the methods that mrgen generates, objects that the API server's code admits, and an API
// with a mind of its own.
package play

import (
	"context"
	"encoding/json"
	"fmt"
	"maps"
	"reflect"
	"slices"
	"strings"

	apiextensionsv1 "k8s.io/apiextensions-apiserver/pkg/apis/apiextensions/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/client-go/tools/record"
	"sigs.k8s.io/controller-runtime/pkg/client"
	"sigs.k8s.io/controller-runtime/pkg/reconcile"
	"sigs.k8s.io/yaml"

	"github.com/crossplane/crossplane-runtime/v2/pkg/meta"

	"github.com/mrgen-io/loop/kinds"
	"github.com/mrgen-io/mrgen/testdata/life"
	"github.com/mrgen-io/mrgen/testdata/simulated"
)

// A Kind that is played with.
type Kind struct {
	*kinds.Kind
	GroupVersion schema.GroupVersion
	Type         Type
}

// A Stage is where kinds are played with.
type Stage struct {
	cluster *life.Cluster
	kinds   []Kind
}

// NewStage returns a stage for kinds that CRDs define and a scheme has.
func NewStage(scheme *runtime.Scheme, crds []*apiextensionsv1.CustomResourceDefinition, all ...Kind) (*Stage, error) {
	cluster, err := life.NewCluster(scheme, crds...)
	return &Stage{cluster, all}, err
}

// A Failure is what is wrong with a history.
type Failure struct {
	// What is wrong, and the history up to it.
	What    string
	History []string
	Kind    *kinds.Kind
}

// Error implements error.
func (f *Failure) Error() string {
	return f.What + "\n\nThe kind:\n" + f.Kind.Source() + "\nThe history:\n  " + strings.Join(f.History, "\n  ")
}

// player plays the history of a managed resource.
type player struct {
	r       kinds.Random
	kind    Kind
	cluster *life.Cluster
	user    client.Client
	api     *simulated.API
	// reconciler is crossplane-runtime's, and id the external name.
	reconciler reconcile.Reconciler
	id         string
	// target is the object that references refer to, and targetID its external name.
	target     *unstructured.Unstructured
	targetID   string
	lags       bool
	impossible []string
	history    []string
}

const (
	namespace = "default"
	name      = "example"
	// target is the object that references refer to.
	target = "target"
	// most is how often an object is reconciled after an edit.
	most = 15
)

// Play plays the history of a seed. What is wrong with it is the error.
func (s *Stage) Play(seed uint64) (err error) {
	r := kinds.NewRandom(seed, 1)
	p := &player{r: r, kind: kinds.Pick(r, s.kinds...), cluster: s.cluster.Empty(), id: name, targetID: "target-0"}
	p.user = p.cluster.Client("user", nil)
	p.note("kind %s", p.kind.Name)
	var habits []simulated.Habit
	for _, h := range p.habits() {
		p.note("the API %s", h.name)
		habits = append(habits, h.Habit)
		if h.impossible != "" {
			p.impossible = append(p.impossible, h.impossible)
		}
	}
	p.api = simulated.New(habits...)
	manager := life.NewManager(p.cluster.Client("provider", nil), &record.FakeRecorder{})
	p.reconciler = p.kind.Type.reconciler(manager, p.gvk(), p.api)

	defer func() {
		switch what := recover().(type) {
		case nil:
		case failure:
			err = &Failure{string(what), p.history, p.kind.Kind}
		default:
			panic(what)
		}
	}()
	p.play(s.kinds[0])
	return nil
}

// failure ends a history.
type failure string

func (p *player) fail(format string, args ...any) { panic(failure(fmt.Sprintf(format, args...))) }

// note adds to the history what it doesn't end in already.
func (p *player) note(format string, args ...any) {
	line := fmt.Sprintf(format, args...)
	if n := len(p.history); n == 0 || p.history[n-1] != line {
		p.history = append(p.history, line)
	}
}

func (p *player) must(err error) {
	if err != nil {
		p.fail("%v", err)
	}
}

func (p *player) gvk() schema.GroupVersionKind { return p.kind.GroupVersion.WithKind(p.kind.Name) }

// play creates a managed resource, has its user do this and that, and deletes it.
func (p *player) play(targets Kind) {
	if targets.Fields != nil {
		p.createTarget(targets)
	}
	p.create()
	edits := []func(){p.set, p.set, p.set, p.unset, p.take, p.take, p.change, p.initially, p.refer, p.refer, p.rename, p.observe, p.limit, p.pause, p.adopt}
	for range 8 {
		kinds.Pick(p.r, edits...)()
	}
	p.delete()
}

// createTarget creates the object that references refer to, which nobody reconciles.
func (p *player) createTarget(of Kind) {
	object := &unstructured.Unstructured{Object: map[string]any{
		"spec": map[string]any{
			"managementPolicies": []any{"Observe"}, "forProvider": map[string]any{"region": "here"},
		},
	}}
	object.SetGroupVersionKind(of.GroupVersion.WithKind(of.Name))
	object.SetNamespace(namespace)
	object.SetName(target)
	object.SetLabels(map[string]string{"example": target})
	meta.SetExternalName(object, p.targetID)
	p.must(p.user.Create(context.Background(), object))
	p.target = object
}

// object returns a managed resource with a spec.
func (p *player) object(spec map[string]any) *unstructured.Unstructured {
	object := &unstructured.Unstructured{Object: map[string]any{"spec": spec}}
	object.SetGroupVersionKind(p.gvk())
	object.SetNamespace(namespace)
	object.SetName(name)
	return object
}

// live returns the managed resource, nil if there is none.
func (p *player) live() *unstructured.Unstructured {
	object := p.object(nil)
	err := p.user.Get(context.Background(), client.ObjectKeyFromObject(object), object)
	if client.IgnoreNotFound(err) != nil {
		p.must(err)
	}
	if err != nil {
		return nil
	}
	return object
}

// forProvider returns a part of the live spec.
func (p *player) forProvider() map[string]any { return part(p.live(), "forProvider") }

func part(object *unstructured.Unstructured, name string) map[string]any {
	fields, _, _ := unstructured.NestedMap(object.Object, "spec", name)
	if fields == nil {
		fields = map[string]any{}
	}
	return fields
}

// create creates the managed resource.
func (p *player) create() {
	forProvider := p.r.Struct(p.kind.Fields)
	forProvider["region"] = "here"
	spec := map[string]any{"forProvider": forProvider}
	for _, l := range p.places(p.kind.Fields, forProvider, place{diff: kinds.Exact, filled: true}) {
		if l.mayRefer() && p.r.OneIn(2) {
			l.refer(forProvider, p.reference(l))
		}
	}
	initial := p.initial(forProvider)
	if initial != nil {
		spec["initProvider"] = initial
	}
	object := p.object(spec)
	p.note("the user creates %s", text(spec))
	p.must(p.user.Create(context.Background(), object))
	p.settle()
	shown := p.api.State(p.id)
	if shown == nil {
		p.fail("the external resource is not created")
	}
	for _, l := range p.places(p.kind.Fields, initial, place{diff: kinds.Exact, filled: true}) {
		// What the API writes in a form of its own, or adds to, is there at least.
		if value := l.get(initial); l.IsLeaf() && !isEmpty(value) && l.get(shown) == nil {
			p.fail("the external resource is created without %s, which spec.initProvider has: %s", l, text(shown))
		}
		given, isMap := l.get(initial).(map[string]any)
		there, _ := l.get(shown).(map[string]any)
		for key := range given {
			if isMap && l.Shape != kinds.Struct && there[key] == nil && p.updates() == 0 {
				p.fail("the external resource is created without %s in %s, which spec.initProvider has: %s", key, l, text(shown))
			}
		}
	}
}

// isEmpty reports whether a value is what an API may leave out.
func isEmpty(value any) bool { return value == nil || reflect.ValueOf(value).IsZero() }

// initial returns fields for spec.initProvider, some of them in place of those of spec.forProvider.
func (p *player) initial(forProvider map[string]any) map[string]any {
	if !p.kind.InitProvider || p.r.OneIn(3) {
		return nil
	}
	initial := map[string]any{}
	for _, f := range p.kind.Fields {
		if f.Identifier || f.Reference || f.Default != nil || !p.r.OneIn(3) {
			continue
		}
		initial[f.JSON] = p.r.Value(f)
		switch {
		case f.Shape == kinds.Struct:
			delete(forProvider, f.JSON) // or in part, as what is merged
			if whole, _ := initial[f.JSON].(map[string]any); p.r.OneIn(2) {
				part := p.r.Struct(f.Fields)
				maps.DeleteFunc(part, func(field string, _ any) bool { return whole[field] != nil })
				forProvider[f.JSON] = part
			}
		case f.Shape != kinds.Map && f.Shape != kinds.Structs || p.r.OneIn(2): // entries of maps are merged
			delete(forProvider, f.JSON)
		}
	}
	return initial
}

// initially has the user change spec.initProvider, which is to nobody's harm.
func (p *player) initially() {
	if !p.kind.InitProvider {
		return
	}
	initial := p.initial(map[string]any{})
	if lacks(p.kind.Fields, p.forProvider()) {
		return // what is required, spec.initProvider has
	}
	p.edit(fmt.Sprintf("sets spec.initProvider to %s", text(initial)), func(object *unstructured.Unstructured) {
		unstructured.RemoveNestedField(object.Object, "spec", "initProvider")
		if initial != nil {
			p.must(unstructured.SetNestedMap(object.Object, initial, "spec", "initProvider"))
		}
	})
	p.settle()
}

// lacks reports whether a struct lacks a field that is required.
func lacks(fields []*kinds.Field, set map[string]any) bool {
	return slices.ContainsFunc(fields, func(f *kinds.Field) bool {
		inner, isObject := set[f.JSON].(map[string]any)
		return f.Required && set[f.JSON] == nil && set[f.JSON+"Ref"] == nil && set[f.JSON+"Selector"] == nil ||
			f.Shape == kinds.Struct && isObject && lacks(f.Fields, inner)
	})
}

// refer has the user refer to another object in place of a value.
func (p *player) refer() {
	l, found := p.pick(func(l place, value any) bool { return l.mayRefer() && !isFixed(l, value) })
	if !found {
		return
	}
	reference := p.reference(l)
	p.editForProvider(fmt.Sprintf("refers to %s in %s", text(reference), l), func(forProvider map[string]any) {
		l.refer(forProvider, reference)
	})
	if value := l.get(p.forProvider()); value != p.targetID {
		p.fail("%s is %s, and refers to %s", l, text(value), p.targetID)
	}
}

// rename changes the external name of the object that references refer to. Those that are always resolved follow, and the
// others stay.
func (p *player) rename() {
	want := map[string]any{}
	before := p.forProvider()
	for _, l := range p.places(p.kind.Fields, before, place{diff: kinds.Exact, filled: true}) {
		value := l.get(before)
		if !l.Reference || value == nil || p.target == nil {
			continue
		}
		want[l.String()] = value
		if l.isAlways(before) {
			if l.Immutable {
				return // is refused
			}
			want[l.String()] = "renamed-" + p.targetID
		}
	}
	if len(want) == 0 {
		return
	}
	p.targetID = "renamed-" + p.targetID
	meta.SetExternalName(p.target, p.targetID)
	p.note("the target's external name is now %s", p.targetID)
	p.must(p.user.Update(context.Background(), p.target))
	p.settle()
	after := p.forProvider()
	for _, l := range p.places(p.kind.Fields, after, place{diff: kinds.Exact, filled: true}) {
		if expected, found := want[l.String()]; found && l.get(after) != expected {
			p.fail("%s is %s, want %s", l, text(l.get(after)), text(expected))
		}
	}
}

// isAlways reports whether the reference of a value is resolved again and again: by the policy of the selector, if there
// is one.
func (l place) isAlways(forProvider map[string]any) bool {
	for _, end := range []string{"Selector", "Ref"} {
		path := slices.Clone(l.path)
		path[len(path)-1] += end
		if reference, found, _ := unstructured.NestedMap(forProvider, path...); found {
			policy, _, _ := unstructured.NestedString(reference, "policy", "resolve")
			return policy == "Always"
		}
	}
	return false
}

// reference returns a reference or a selector, by the end of the field's name.
func (p *player) reference(l place) map[string]any {
	end, reference := "Ref", map[string]any{"name": target}
	if p.r.OneIn(2) {
		end, reference = "Selector", map[string]any{"matchLabels": map[string]any{"example": target}}
	}
	if p.r.OneIn(3) {
		reference["policy"] = map[string]any{"resolve": "Always"}
	}
	return map[string]any{end: reference}
}

// mayRefer reports whether a reference may stand in for the value: what is required in a struct, the
// schema may require.
func (l place) mayRefer() bool { return l.Reference && !(l.Required && len(l.path) > 1) }

// refer sets a reference in place of a value.
func (l place) refer(forProvider, references map[string]any) {
	l.remove(forProvider)
	for end, reference := range references {
		path := slices.Clone(l.path)
		path[len(path)-1] += end
		_ = unstructured.SetNestedField(forProvider, reference, path...) // there is an object around it
	}
}

// remove removes the field, with its references.
func (l place) remove(forProvider map[string]any) {
	for _, end := range []string{"", "Ref", "Selector"} {
		path := slices.Clone(l.path)
		path[len(path)-1] += end
		unstructured.RemoveNestedField(forProvider, path...)
	}
}

// edit has the user change the object.
func (p *player) edit(what string, change func(object *unstructured.Unstructured)) {
	object := p.live()
	change(object)
	p.note("the user %s", what)
	p.must(p.user.Update(context.Background(), object))
}

// editForProvider has the user change spec.forProvider, and waits until all is at rest.
func (p *player) editForProvider(what string, change func(forProvider map[string]any)) {
	p.edit(what, func(object *unstructured.Unstructured) {
		forProvider := part(object, "forProvider")
		change(forProvider)
		p.must(unstructured.SetNestedMap(object.Object, forProvider, "spec", "forProvider"))
	})
	p.settle()
}

// A place is a field of the managed resource, or of a struct in it that is set.
type place struct {
	*kinds.Field
	// path is that of the field, with the names of structs.
	path []string
	diff string
	// filled is set if late initialization fills the field.
	filled bool
}

func (l place) String() string { return strings.Join(l.path, ".") }

// get returns the value of the field in a document.
func (l place) get(d map[string]any) any {
	value, _, _ := unstructured.NestedFieldNoCopy(d, l.path...)
	return value
}

// places returns the fields that the user may change.
func (p *player) places(fields []*kinds.Field, in map[string]any, above place) []place {
	var all []place
	for _, f := range fields {
		l := place{f, append(slices.Clone(above.path), f.JSON), compared(f, above.diff), above.filled && !f.NoLateInitialize}
		if f.Identifier {
			continue
		}
		all = append(all, l)
		if inner, isSet := in[f.JSON].(map[string]any); isSet && f.Shape == kinds.Struct {
			all = append(all, p.places(f.Fields, inner, l)...)
		}
	}
	return all
}

// pick returns a field that fits, if there is one.
func (p *player) pick(fits func(l place, value any) bool) (place, bool) {
	live := p.forProvider()
	all := slices.DeleteFunc(p.places(p.kind.Fields, live, place{diff: kinds.Exact, filled: true}), func(l place) bool {
		return !fits(l, l.get(live))
	})
	if len(all) == 0 {
		return place{}, false
	}
	return kinds.Pick(p.r, all...), true
}

// hasImmutable reports whether a struct has an immutable field with a value.
func hasImmutable(fields []*kinds.Field, value any) bool {
	if items, isList := value.([]any); isList {
		return slices.ContainsFunc(items, func(item any) bool { return hasImmutable(fields, item) })
	}
	set, _ := value.(map[string]any)
	return slices.ContainsFunc(fields, func(f *kinds.Field) bool {
		return set[f.JSON] != nil && (f.Immutable || hasImmutable(f.Fields, set[f.JSON]))
	})
}

// isFixed reports whether nobody may change the value of a field.
func isFixed(l place, value any) bool {
	return value != nil && (l.Immutable || hasImmutable(l.Fields, value))
}

// set sets a field.
func (p *player) set() {
	l, found := p.pick(func(l place, value any) bool { return !isFixed(l, value) })
	if !found {
		return
	}
	value := p.r.Value(l.Field)
	p.editForProvider(fmt.Sprintf("sets %s to %s", l, text(value)), func(forProvider map[string]any) {
		l.remove(forProvider)
		p.must(unstructured.SetNestedField(forProvider, runtime.DeepCopyJSONValue(value), l.path...))
	})
}

// unset removes a field.
func (p *player) unset() {
	l, found := p.pick(func(l place, value any) bool {
		return value != nil && !l.Required && !isFixed(l, value)
	})
	if !found {
		return
	}
	p.editForProvider(fmt.Sprintf("removes %s", l), func(forProvider map[string]any) {
		l.remove(forProvider)
	})
	if value := l.get(p.forProvider()); value != nil && !l.filled && l.Default == nil {
		p.fail("%s is never filled, but is now %s", l, text(value))
	}
}

// take takes an entry of a map or an item of a list away, or all of them.
func (p *player) take() {
	l, found := p.pick(func(l place, value any) bool {
		if l.Immutable {
			return false
		}
		switch value := value.(type) {
		case []any:
			return len(value) > 1 || len(value) > 0 && l.OmitZero
		case map[string]any:
			return (l.Shape == kinds.Map || l.Shape == kinds.Structs) && (len(value) > 1 || len(value) > 0 && l.OmitZero)
		}
		return false
	})
	if !found {
		return
	}
	var taken, rest any
	switch value := l.get(p.forProvider()).(type) {
	case []any:
		i := p.r.IntN(len(value))
		taken, rest = value[i], slices.Delete(slices.Clone(value), i, i+1)
	case map[string]any:
		key := kinds.Pick(p.r, keys(value)...)
		taken, rest = key, maps.Clone(value)
		delete(rest.(map[string]any), key)
	}
	p.editForProvider(fmt.Sprintf("takes %s out of %s", text(taken), l), func(forProvider map[string]any) {
		p.must(unstructured.SetNestedField(forProvider, rest, l.path...))
	})
	given := l.get(part(p.live(), "initProvider"))
	if l.diff == kinds.Off || l.diff == kinds.Subset || p.isImpossible(l.String()) || isIn(taken, given) {
		return
	}
	for whose, fields := range map[string]map[string]any{"spec.forProvider": p.forProvider(), "the external resource": p.api.State(p.id)} {
		if isIn(taken, l.get(fields)) {
			p.fail("%s is still in %s of %s: %s", text(taken), l, whose, text(l.get(fields)))
		}
	}
}

// isIn reports whether a map has a key, or a list an item.
func isIn(taken, value any) bool {
	switch value := value.(type) {
	case map[string]any:
		key, _ := taken.(string)
		return value[key] != nil
	case []any:
		return slices.ContainsFunc(value, func(item any) bool { return simulated.Equal(item, taken) })
	}
	return false
}

// change has another controller change the external resource: its own fields and entries, or those of
// the user.
func (p *player) change() {
	l, found := p.pick(func(l place, value any) bool {
		return l.Shape != kinds.Struct && !isFixed(l, value) && !l.Immutable
	})
	if !found {
		return
	}
	before := l.get(p.forProvider())
	value := p.r.Value(l.Field)
	if entries, isMap := value.(map[string]any); isMap && l.Shape == kinds.Map && l.diff == kinds.Subset {
		entries["other"] = "yes"
		current, _ := l.get(p.api.State(p.id)).(map[string]any)
		maps.DeleteFunc(entries, func(key string, _ any) bool { return key != "other" })
		maps.Copy(entries, current)
	}
	p.note("another controller sets %s to %s", l, text(value))
	p.must(p.api.Change(p.id, func(d simulated.Document) {
		p.must(unstructured.SetNestedField(d, runtime.DeepCopyJSONValue(float(value)), l.path...))
	}))
	updates := p.updates()
	atRest := p.settle()
	// An update for another reason sends what is set, compared or not.
	owned := l.diff == kinds.Off && atRest || before == nil && !l.filled
	if now := l.get(p.api.State(p.id)); owned && (atRest && p.updates() > updates || !p.shows(l, value, now)) {
		p.fail("%s is another controller's, who set it to %s, and is now %s", l, text(value), text(now))
	}
	if entries, isMap := l.get(p.api.State(p.id)).(map[string]any); l.diff == kinds.Subset && l.Shape == kinds.Map && (!isMap || entries["other"] == nil) {
		p.fail("%s lacks the entry of another controller: %s", l, text(entries))
	}
}

// shows reports whether what another controller has set is there, in the form of the API, beside what
// that adds.
func (p *player) shows(l place, want, got any) bool {
	if wanted, isText := want.(string); isText && l.Shape == kinds.Text {
		shown, _ := got.(string)
		return strings.EqualFold(wanted, shown)
	}
	return matches(l.Field, want, float(got), kinds.Subset)
}

// observe has the resource only observed for a while.
func (p *player) observe() {
	p.policies("Observe")
	updates, spec := p.updates(), text(p.forProvider())
	p.settle()
	if now := text(p.forProvider()); p.updates() > updates || now != spec {
		p.fail("what is only observed is changed: %s was %s", now, spec)
	}
	// A wrong guess can be corrected.
	if l, found := p.pick(func(l place, value any) bool { return l.Immutable && value != nil }); found && p.r.OneIn(2) {
		p.editForProvider("corrects "+l.String(), func(forProvider map[string]any) {
			l.remove(forProvider)
			if l.Required || p.r.OneIn(2) {
				p.must(unstructured.SetNestedField(forProvider, p.r.Value(l.Field), l.path...))
			}
		})
	}
	p.policies("*")
	p.settle()
}

// limit has the user allow less for a while, and change something meanwhile.
func (p *player) limit() {
	p.policies(kinds.Pick(p.r, []any{"Observe", "Create", "Update", "Delete"}, []any{"Observe", "Create", "LateInitialize", "Delete"})...)
	p.settle()
	kinds.Pick(p.r, p.set, p.unset)()
	p.policies("*")
	p.settle()
}

// may reports whether the management policies allow an action.
func (p *player) may(action string) bool {
	policies, _, _ := unstructured.NestedStringSlice(p.live().Object, "spec", "managementPolicies")
	return slices.Contains(policies, "*") || slices.Contains(policies, action)
}

// policies has the user set the management policies.
func (p *player) policies(policies ...any) {
	p.edit(fmt.Sprintf("sets the management policies to %s", text(policies)), func(object *unstructured.Unstructured) {
		p.must(unstructured.SetNestedSlice(object.Object, policies, "spec", "managementPolicies"))
	})
}

// pause pauses the resource, and has the user change it meanwhile.
func (p *player) pause() {
	p.edit("pauses the resource", func(object *unstructured.Unstructured) {
		meta.AddAnnotations(object, map[string]string{meta.AnnotationKeyReconciliationPaused: "true"})
	})
	updates := p.updates()
	for range 3 {
		p.reconcile()
	}
	if p.updates() > updates {
		p.fail("what is paused is changed")
	}
	p.edit("goes on with the resource", func(object *unstructured.Unstructured) {
		meta.RemoveAnnotations(object, meta.AnnotationKeyReconciliationPaused)
	})
	p.settle()
}

// adopt deletes the managed resource, but not the external one, and imports that.
func (p *player) adopt() {
	p.edit("sets policies that let nothing be deleted", func(object *unstructured.Unstructured) {
		p.must(unstructured.SetNestedSlice(object.Object, []any{"Observe", "Create", "Update", "LateInitialize"}, "spec", "managementPolicies"))
	})
	p.settle()
	p.must(p.user.Delete(context.Background(), p.live()))
	p.gone("but for the external resource")
	object := p.object(map[string]any{"managementPolicies": []any{"Observe"}, "forProvider": map[string]any{"region": "here"}})
	meta.SetExternalName(object, p.id)
	p.note("the user observes the external resource")
	p.must(p.user.Create(context.Background(), object))
	updates := p.updates()
	p.settle()
	p.edit("manages the external resource", func(object *unstructured.Unstructured) {
		// The user copies what is required. What the API leaves out, the user knows.
		forProvider := part(object, "forProvider")
		observed, _, _ := unstructured.NestedMap(object.Object, "status", "atProvider")
		for _, f := range p.kind.Fields {
			if value, found := observed[f.JSON]; f.Required && found {
				forProvider[f.JSON] = value
			} else if f.Required && forProvider[f.JSON] == nil {
				forProvider[f.JSON] = map[kinds.Shape]any{kinds.Text: "", kinds.Number: int64(0), kinds.Bool: false}[f.Shape]
			}
		}
		p.must(unstructured.SetNestedMap(object.Object, forProvider, "spec", "forProvider"))
		p.must(unstructured.SetNestedSlice(object.Object, []any{"*"}, "spec", "managementPolicies"))
	})
	p.settle()
	hasDefault := false
	p.each(p.kind.Fields, "", "", func(f *kinds.Field, _, _ string) { hasDefault = hasDefault || f.Default != nil })
	if p.updates() > updates && !hasDefault {
		p.fail("what is imported is changed")
	}
}

// delete deletes the managed resource, and the external one with it.
func (p *player) delete() {
	p.note("the user deletes the resource")
	p.must(p.user.Delete(context.Background(), p.live()))
	p.gone("with the external resource")
	if state := p.api.State(p.id); state != nil {
		p.fail("the external resource is not deleted: %s", text(state))
	}
}

// gone reconciles until the managed resource is gone.
func (p *player) gone(how string) {
	for range most {
		if p.live() == nil {
			p.note("the resource is gone, %s", how)
			return
		}
		p.reconcile()
	}
	p.fail("the resource is not gone: %s", text(p.live().Object))
}

// updates returns how often the external resource was updated.
func (p *player) updates() int {
	n := 0
	for _, entry := range p.api.Log() {
		if strings.HasPrefix(entry, "update ") {
			n++
		}
	}
	return n
}

// reconcile reconciles the resource once. No object may be refused.
func (p *player) reconcile() {
	refused := len(p.cluster.Refused())
	_, err := p.reconciler.Reconcile(context.Background(), reconcile.Request{NamespacedName: client.ObjectKey{Namespace: namespace, Name: name}})
	if now := p.cluster.Refused(); len(now) > refused {
		p.fail("the API server refuses what the controller writes: %q", now[refused:])
	}
	p.must(err)
}

// settle reconciles the resource until nothing changes any more, and checks how often something did,
// and what is there then. It reports whether nothing changes: the API may make that impossible.
func (p *player) settle() (atRest bool) {
	updates, filled, quiet, synced, message := p.updates(), 0, 0, false, ""
	var messages []string
	for range most {
		before, log := p.live(), len(p.api.Log())
		p.reconcile()
		after := p.live()
		writes := p.api.Log()[log:]
		status, said := syncedOf(after)
		if was, is := part(before, "forProvider"), part(after, "forProvider"); !simulated.Equal(was, is) {
			p.note("  spec.forProvider is now %s", text(is))
			resolved := runtime.DeepCopyJSON(was)
			p.resolve(p.kind.Fields, resolved, is)
			if !simulated.Equal(withoutEmpty(resolved), withoutEmpty(is)) {
				filled++
			}
			p.leavesGiven(p.kind.Fields, part(after, "initProvider"), was, is)
			quiet, synced = 0, false
		} else if len(writes) > 0 {
			quiet, synced = 0, false
		}
		if filled > 1 || filled > 0 && !p.may("LateInitialize") {
			p.fail("spec is changed %d times", filled)
		}
		if len(writes) > 0 {
			filled = 0 // with what is new, the API may have new defaults
		}
		for _, write := range writes {
			p.note("  %s: it is %s", write, text(p.api.State(p.id)))
		}
		if status != "True" && said != message {
			p.note("  Synced is %s: %s", status, said)
			message = said
			messages = append(messages, said)
		}
		synced = synced || status == "True"
		if quiet++; quiet > 4 && synced {
			break
		}
	}
	shown := p.api.State(p.id)
	withoutGiven(p.kind.Fields, part(p.live(), "initProvider"), p.forProvider(), shown)
	differing := differences(p.kind.Fields, p.forProvider(), shown, "", kinds.Exact)
	if !p.may("Update") {
		if !synced || p.updates() > updates {
			p.fail("what may not be updated is not at rest: %s", message)
		}
		return true
	}
	for _, path := range differing {
		if !p.isImpossible(path) {
			p.fail("%s is not as it is desired: %s", path, text(p.api.State(p.id)))
		}
		if !strings.Contains(strings.Join(messages, "\n"), path) {
			p.fail("the external resource can't have %s, and the condition doesn't say so: %q", path, messages)
		}
	}
	allowed := 1
	if p.lags {
		allowed = 2
	}
	switch {
	case len(differing) > 0:
		return false
	case !synced || quiet <= 4:
		p.fail("there is no end: %s", message)
	case p.updates()-updates > allowed:
		p.fail("the external resource is updated %d times", p.updates()-updates)
	}
	return true
}

// withoutEmpty returns a value without empty objects and lists, which Go may drop.
func withoutEmpty(value any) any {
	switch value := value.(type) {
	case map[string]any:
		rest := map[string]any{}
		for key, entry := range value {
			if entry := withoutEmpty(entry); entry != nil {
				rest[key] = entry
			}
		}
		if len(rest) == 0 {
			return nil
		}
		return rest
	case []any:
		if len(value) == 0 {
			return nil
		}
	}
	return value
}

// resolve sets in spec.forProvider what references were resolved to.
func (p *player) resolve(fields []*kinds.Field, before, after map[string]any) {
	for _, f := range fields {
		inner, isObject := before[f.JSON].(map[string]any)
		if now, _ := after[f.JSON].(map[string]any); f.Shape == kinds.Struct && isObject {
			p.resolve(f.Fields, inner, now)
		}
		if f.Reference && after[f.JSON] == p.targetID && after[f.JSON+"Ref"] != nil {
			before[f.JSON], before[f.JSON+"Ref"] = after[f.JSON], after[f.JSON+"Ref"]
		}
	}
}

// withoutGiven removes from what an API shows the entries of maps that spec.initProvider alone gives.
func withoutGiven(fields []*kinds.Field, initial, forProvider, shown map[string]any) {
	for _, f := range fields {
		given, _ := initial[f.JSON].(map[string]any)
		own, _ := forProvider[f.JSON].(map[string]any)
		all, _ := shown[f.JSON].(map[string]any)
		switch f.Shape {
		case kinds.Struct:
			withoutGiven(f.Fields, given, own, all)
		case kinds.Map, kinds.Structs:
			maps.DeleteFunc(all, func(key string, _ any) bool { return given[key] != nil && own[key] == nil })
		}
	}
}

// leavesGiven checks that nothing was filled that spec.initProvider gives.
func (p *player) leavesGiven(fields []*kinds.Field, initial, before, after map[string]any) {
	for _, f := range fields {
		given, isObject := initial[f.JSON].(map[string]any)
		was, _ := before[f.JSON].(map[string]any)
		now, _ := after[f.JSON].(map[string]any)
		switch {
		case f.Shape == kinds.Struct && isObject:
			p.leavesGiven(f.Fields, given, was, now)
		case initial[f.JSON] != nil && before[f.JSON] == nil && after[f.JSON] != nil && !f.Reference && f.Default == nil:
			p.fail("%s is left to others by spec.initProvider, and is now %s", f.JSON, text(after[f.JSON]))
		}
	}
}

// isImpossible reports whether the API makes a field, or what is in it, differ.
func (p *player) isImpossible(path string) bool {
	return slices.ContainsFunc(p.impossible, func(impossible string) bool {
		return impossible == path || strings.HasPrefix(impossible, path+".")
	})
}

// syncedOf returns the condition Synced.
func syncedOf(object *unstructured.Unstructured) (status, message string) {
	conditions, _, _ := unstructured.NestedSlice(object.Object, "status", "conditions")
	for _, c := range conditions {
		if condition, _ := c.(map[string]any); condition["type"] == "Synced" {
			status, _ = condition["status"].(string)
			message, _ = condition["message"].(string)
		}
	}
	return status, message
}

// float returns a value with the numbers of JSON.
func float(value any) any {
	if n, isInt := value.(int64); isInt {
		return float64(n)
	}
	return value
}

func text(value any) string {
	content, err := json.Marshal(value)
	if err != nil {
		return fmt.Sprint(value)
	}
	return string(content)
}

// ReadCRD reads a CRD.
func ReadCRD(content []byte) (*apiextensionsv1.CustomResourceDefinition, error) {
	crd := &apiextensionsv1.CustomResourceDefinition{}
	return crd, yaml.UnmarshalStrict(content, crd)
}
