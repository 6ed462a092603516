package life

import (
	"context"
	"errors"
	"fmt"
	"maps"
	rand "math/rand/v2"
	"slices"
	"strings"
	"time"

	apiextensionsv1 "k8s.io/apiextensions-apiserver/pkg/apis/apiextensions/v1"
	kerrors "k8s.io/apimachinery/pkg/api/errors"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/runtime/schema"

	"github.com/crossplane/crossplane-runtime/v2/pkg/meta"
)

var (
	ctx = context.Background()
	// errBusy is what a broken call answers.
	errBusy = errors.New("the service has a bad day")
)

// inOtherZone returns a time in another time zone.
func inOtherZone(value any) (string, bool) {
	is, _ := value.(string)
	at, err := time.Parse(time.RFC3339, is)
	return at.In(time.FixedZone("", 2*60*60)).Format(time.RFC3339), err == nil
}

// A phase is a time at which something can go wrong.
type phase struct {
	name  string
	begin func(w *world)
}

// phases are those in which each call goes wrong once.
var phases = []phase{
	{"creation", func(w *world) { w.create(w.example) }},
	{"update", func(w *world) {
		w.create(w.example)
		w.rest()
		w.setAny()
	}},
	{"deletion", func(w *world) {
		w.create(w.example)
		w.rest()
		w.delete()
	}},
}

// laterPhases are those in which a call goes wrong for a while, too.
var laterPhases = append(slices.Clone(phases), phase{"rest", func(w *world) {
	w.create(w.example)
	w.rest()
}}, phase{"creation after it is gone", func(w *world) {
	w.create(w.example)
	w.rest()
	w.remove()
}})

// eachCall does something at each call of each phase that matches, in a world of its own, and then checks how it ends.
func (l *life) eachCall(what string, phases []phase, matches func(point string) bool, at func(w *world) error) {
	for _, phase := range phases {
		for n, isDone := 0, false; !isDone; n++ {
			w := l.world("%s in %s", what, phase.name)
			w.calm = 2 // there are many of these worlds
			phase.begin(w)
			i, reached, secret := 0, "", w.secret(l.secretName())
			w.at = func(point string) error {
				if !matches(point) {
					return nil
				}
				if i++; i != n+1 {
					return nil
				}
				reached = point
				return at(w)
			}
			isAtRest := w.rest()
			w.at = nil
			if isDone = reached == ""; !isDone {
				l.done()
				w.step += " at " + reached
				w.recovers(phase.name, reached, isAtRest)
				w.keepsGenerated(secret)
			}
		}
	}
}

// recovers checks that all is well after something went wrong.
func (w *world) recovers(phase, point string, isAtRest bool) {
	if phase == "deletion" {
		w.ends()
		return
	}
	n := len(w.own())
	isLost := !w.userNames && !w.FindsLost && strings.HasSuffix(point, "API "+Create)
	if isLost && (n > 1 || w.is("Synced") != "True") {
		w.without("a lost answer of Create", "the API chooses the name, and told nobody: a user must delete the first external resource")
		return
	}
	w.failIf(n > 1, lostName, "", "there are %d", n)
	if strings.Contains(w.why(), "cannot determine creation result") {
		w.failIf(w.userNames, needsHand, "", "%s", w.why())
		return
	}
	if isAtRest {
		w.isWell()
	} else {
		w.settle()
	}
	w.agree()
	w.isWhole()
}

func (l *life) stops() {
	l.eachCall("stopped", phases, anyCall, func(w *world) error {
		w.stopped = true
		return errStopped
	})
}

func anyCall(string) bool { return true }

func (l *life) broken() {
	secret := "cluster get Secret " + l.secretName()
	for _, call := range []string{"API " + Get, "API " + Create, "API " + Update, "API " + Delete, secret} {
		for _, phase := range laterPhases {
			l.lasting(call, phase)
		}
	}
	l.eachCall("error", laterPhases[len(phases):], func(point string) bool { return point == secret }, func(*world) error { return errBusy })
	l.eachCall("error", phases, anyCall, func(*world) error { return errBusy })
	// Patches without a version have no conflicts.
	isVersioned := func(point string) bool {
		return strings.HasPrefix(point, "cluster update") || point == "cluster patch "+l.gvk.Kind
	}
	l.eachCall("conflict", phases, isVersioned, func(*world) error {
		return kerrors.NewConflict(schema.GroupResource{}, name, errChanged)
	})
}

// breaking returns what breaks a call.
func breaking(call string) func(point string) error {
	return func(point string) error {
		if strings.TrimSuffix(point, " of nothing") == call {
			return errBusy
		}
		return nil
	}
}

// lasting breaks a call for a while.
func (l *life) lasting(call string, phase phase) {
	w := l.world("lasting error of %s in %s", call, phase.name)
	phase.begin(w)
	asked, existed, secret := len(w.asked), len(w.own()), w.secret(l.secretName())
	w.at = breaking(call)
	w.isInjured = false
	w.rest()
	w.at = nil
	if !w.isInjured || w.failed {
		return
	}
	l.done()
	is, message := w.is("Synced"), w.why()
	switch {
	case w.live() == nil && len(w.own()) > 0:
		w.fail(vanished, "", "and the external resource is left behind")
	case w.live() != nil && (is != "False" || !strings.Contains(message, errBusy.Error())):
		w.fail(swallowed, call, "Synced is %s: %s", is, message)
	case call == "API "+Get && existed > 0 && len(w.asked) > asked:
		w.fail(errorAbsent, "", "%s is called", w.asked[asked])
	}
	if phase.name == "deletion" {
		w.ends()
	} else if w.settle() {
		w.agree()
	}
	w.keepsGenerated(secret)
}

// keepsGenerated checks that the values in the connection secret that the API doesn't choose are those of before.
func (w *world) keepsGenerated(before map[string]string) {
	now := w.secret(w.secretName())
	for _, key := range slices.Sorted(maps.Keys(now)) {
		w.failIf(w.stays[key] && before[key] != "" && now[key] != before[key], secretChanged, key, "")
	}
}

func (l *life) configuration() {
	for _, o := range l.objects {
		isConfig := strings.HasSuffix(o.GetKind(), "ProviderConfig")
		if !isConfig && o.GetKind() != "Secret" {
			continue
		}
		if isConfig {
			l.otherConfig(o)
		}
		w := l.born("%s is gone", o.GetKind())
		wasRead := w.read[reading{o.GroupVersionKind(), o.GetName()}]
		w.cluster.Drop(func(u *unstructured.Unstructured) bool {
			return u.GetKind() == o.GetKind() && u.GetName() == o.GetName()
		})
		w.rest()
		if !wasRead || w.failed {
			continue
		}
		l.done()
		w.failIf(w.is("Synced") == "True", configSilent, o.GetKind(), "")
		w.add(o)
		w.settle()
	}
}

// otherConfig changes the ProviderConfig.
func (l *life) otherConfig(o *unstructured.Unstructured) {
	w := l.born("another %s", o.GetKind())
	if !w.read[reading{o.GroupVersionKind(), o.GetName()}] {
		return
	}
	w.isTracked(o.GetName())
	other := o.DeepCopy()
	other.SetName("another")
	w.add(other)
	if w.set(other.GetName(), "spec", "providerConfigRef", "name") == nil && w.settle() {
		l.done()
		w.isTracked(other.GetName())
	}
}

// isTracked checks that a ProviderConfigUsage says that the managed resource uses a ProviderConfig, if the provider has that kind.
func (w *world) isTracked(config string) {
	isUsage := func(crd *apiextensionsv1.CustomResourceDefinition) bool {
		return strings.HasSuffix(crd.Spec.Names.Kind, "ProviderConfigUsage")
	}
	uses := func(u *unstructured.Unstructured) bool {
		used, _, _ := unstructured.NestedString(u.Object, "providerConfigRef", "name")
		by, _, _ := unstructured.NestedString(u.Object, "resourceRef", "name")
		return used == config && by == name
	}
	isUnused := slices.ContainsFunc(w.crds, isUsage) && !slices.ContainsFunc(w.cluster.Kind("ProviderConfigUsage"), uses)
	w.failIf(isUnused, configUntracked, "", "%s", config)
}

func (l *life) secretInputs() {
	properties, _ := l.parameters["properties"].(map[string]any)
	for _, f := range slices.Sorted(maps.Keys(properties)) {
		s, _ := properties[f].(map[string]any)
		switch {
		case !isSecretReference(f, s):
			continue
		case l.Without[f] != "":
			l.without("secret of "+f, "%s", l.Without[f])
			continue
		}
		ref := map[string]any{"name": input, "key": "k"}
		if within(s, "namespace") != nil {
			ref["namespace"] = l.namespace
		}
		spec := runtime.DeepCopyJSON(l.example)
		_ = unstructured.SetNestedField(spec, ref, "forProvider", f) // an object
		l.secretInput(f, spec)
	}
}

// input is the name of the secret that fields refer to.
const input = "input"

func (l *life) secretInput(f string, spec map[string]any) {
	put := func(w *world, key, value string) {
		w.dropSecret(input)
		u := &unstructured.Unstructured{Object: map[string]any{"stringData": map[string]any{key: value}}}
		u.SetAPIVersion("v1")
		u.SetKind("Secret")
		u.SetName(input)
		u.SetNamespace(l.namespace)
		w.add(u)
	}
	w := l.world("secret of %s", f)
	w.create(spec)
	w.rest()
	l.done()
	for _, key := range []string{"", "another"} {
		if key != "" {
			put(w, key, "first-value")
			w.rest()
		}
		is := w.is("Synced")
		w.failIf(is != "False" || len(w.own()) > 0, inputSilent, f, "Synced is %s, and there are %d external resources", is, len(w.own()))
	}
	put(w, "k", "first-value")
	w.settle()
	if _, d := w.doc(); !w.failed && !mentions(d, "first-value") {
		w.fail(inputNotSent, f, "")
	}
	put(w, "k", "second-value")
	n := w.count(Update)
	w.settle()
	if reason := l.Without["rotation of "+f]; reason != "" {
		l.without("rotation of "+f, "%s", reason)
	} else if _, d := w.doc(); !w.failed && !mentions(d, "second-value") {
		w.failIf(w.count(Update) > n, inputNotSent, f, "Update is called")
		w.fail(rotatedUnsent, f, "")
	}
	w.dropSecret(input)
	w.delete()
	w.ends()
	if l.noPolicies {
		return
	}
	observed := runtime.DeepCopyJSON(spec)
	observed["managementPolicies"] = []any{"Observe"}
	if w, _ = l.imported(l.example, observed, "secret of %s, observe-only", f); !w.failed {
		w.rest()
		w.failIf(w.is("Synced") != "True", inputNeeded, f, "%s", w.why())
	}
}

func (l *life) references() {
	properties, _ := l.parameters["properties"].(map[string]any)
	for _, f := range slices.Sorted(maps.Keys(properties)) {
		s, _ := properties[f].(map[string]any)
		items, isList := s["items"].(map[string]any)
		if isList {
			s = items
		}
		var value map[string]any
		switch {
		case within(s, "policy") == nil:
			continue
		case l.Without[f] != "":
			l.without("reference "+f, "%s", l.Without[f])
			continue
		case within(s, "matchLabels") != nil:
			value = map[string]any{"matchLabels": map[string]any{"name": target}}
		case within(s, "name") != nil:
			value = map[string]any{"name": target}
		}
		for _, policy := range []map[string]any{nil, {"resolution": "Optional"}, {"resolve": "Always"}, {"resolution": "Optional", "resolve": "Always"}} {
			r := reference{field: f, policy: policy, value: value}
			if policy != nil {
				value = maps.Clone(value)
				value["policy"] = policy
				r.value = value
			}
			if isList {
				r.value = []any{value}
			}
			l.reference(r)
		}
		if !isList && value["name"] != nil {
			l.itself(f)
		}
	}
}

// target is the name of what references refer to.
const target = "late"

// A reference is a field that refers to the target, and how.
type reference struct {
	field  string
	policy map[string]any
	value  any
}

// isKept checks that the user's reference is as it was.
func (r reference) isKept(w *world) {
	if now := w.forProvider()[r.field]; !w.failed && !holds(now, r.value) {
		w.fail(referenceLost, r.field, "it became %s", text(now))
	}
}

// isValue reports whether a field has what the reference is resolved to.
func (r reference) isValue(field string, _ any) bool {
	resolved := strings.TrimSuffix(strings.TrimSuffix(strings.TrimSuffix(r.field, "Selector"), "s"), "Ref")
	return same(field, resolved) || same(field, resolved+"s")
}

// isResolved reports whether the reference has a value.
func (r reference) isResolved(w *world) bool {
	for field, value := range w.forProvider() {
		if r.isValue(field, value) && !isEmpty(value) {
			return true
		}
	}
	return w.failed
}

// spec returns the example with the reference in place of its value.
func (r reference) spec(l *life) map[string]any {
	spec := runtime.DeepCopyJSON(l.example)
	fields, _ := spec["forProvider"].(map[string]any)
	maps.DeleteFunc(fields, r.isValue)
	fields[r.field] = runtime.DeepCopyJSONValue(r.value)
	return spec
}

// reference lives with a reference whose target comes late, and goes again.
func (l *life) reference(r reference) {
	w := l.world("reference %s, policy %s", r.field, text(r.policy))
	w.create(r.spec(l))
	w.rest()
	l.done()
	r.isKept(w)
	w.failIf(w.is("Synced") == "True" && r.policy["resolution"] == nil, referenceSilent, r.field, "")
	if w.failed || !w.addTarget(r) {
		return
	}
	isFixed := slices.ContainsFunc(l.edits, func(e edit) bool { return e.isFixed && r.isValue(e.path[0], nil) })
	if isFixed && r.policy["resolution"] != nil {
		w.rest() // the external resource was created without it, which can't be changed
	} else {
		w.settle()
	}
	w.failIf(!r.isResolved(w), notResolved, r.field, "")
	r.isKept(w)
	w.cluster.Drop(func(u *unstructured.Unstructured) bool { return u.GetName() == target })
	w.rest()
	w.failIf(!r.isResolved(w), referenceLost, r.field, "its value is gone with the target")
	w.delete()
	w.ends()
}

// addTarget creates the target of references, of the kind that the resolver has asked for.
func (w *world) addTarget(r reference) bool {
	var gvk schema.GroupVersionKind
	byName := func(a, b reading) int { return strings.Compare(a.name+a.String(), b.name+b.String()) }
	for _, read := range slices.SortedFunc(maps.Keys(w.read), byName) {
		if read.name == target || read.name == "" && within(w.schemaOf(read.GroupVersionKind), "spec", "forProvider") != nil {
			gvk = read.GroupVersionKind
		}
	}
	s := w.schemaOf(gvk)
	if s == nil {
		w.without("targets of "+r.field, "their kind isn't known: the resolver asks for none")
		return false
	}
	u := &unstructured.Unstructured{Object: map[string]any{"spec": objectOf(within(s, "spec"), 0)}}
	_ = unstructured.SetNestedField(u.Object, objectOf(within(s, "spec", "forProvider"), 0), "spec", "forProvider") // an object
	observed := objectOf(within(s, "status", "atProvider"), 0).(map[string]any)
	for _, e := range w.edits { // an ID or ARN of the target has the form of the field's values
		for name, value := range observed {
			if plain, _ := value.(string); strings.HasSuffix(plain, "-life") && r.isValue(e.path[0], nil) {
				observed[name] = e.values[0]
			}
		}
	}
	if gvk == w.gvk {
		u.Object["spec"] = runtime.DeepCopyJSON(w.example)
	}
	for _, o := range w.objects { // a manifest knows better
		if o.GroupVersionKind() == gvk {
			u = o.DeepCopy()
			if given := status(o); given != nil {
				observed = given
			}
		}
	}
	u.SetGroupVersionKind(gvk)
	u.SetName(target)
	u.SetNamespace(w.current().GetNamespace())
	u.SetLabels(map[string]string{"name": target})
	if meta.GetExternalName(u) == "" {
		meta.SetExternalName(u, "target-id")
	}
	if err := w.user.Create(ctx, u); err != nil {
		w.without("targets of "+r.field, "the API server refuses one: %v", err)
		return false
	}
	_ = unstructured.SetNestedField(u.Object, observed, "status", "atProvider") // an object
	if err := w.user.Status().Update(ctx, u); err != nil {
		w.without("targets of "+r.field, "the API server refuses its status: %v", err)
		return false
	}
	return true
}

// itself lives with a reference to the managed resource itself, or to none of its name.
func (l *life) itself(f string) {
	r := reference{field: f, value: map[string]any{"name": name}}
	w := l.world("reference %s to itself", f)
	w.create(r.spec(l))
	w.rest()
	l.done()
	r.isKept(w)
	w.delete()
	w.ends()
}

// A walk is a random life, with its history.
type walk struct {
	*world
	*rand.Rand
	history []string
}

func (l *life) walk() {
	const walks, length = 15, 20
	edits := slices.DeleteFunc(slices.Clone(l.edits), func(e edit) bool { return e.isFixed })
	if l.isFixed() {
		return
	}
	for n := range uint64(walks) {
		w := &walk{world: l.world("walk %d of seed %d", n, l.seed), Rand: rand.New(rand.NewPCG(l.seed, n))}
		w.create(l.example)
		for range length {
			w.random(edits)
			w.looks++
		}
		w.at = nil
		w.step += fmt.Sprintf(" (%s)", strings.Join(w.history, ", "))
		l.done()
		if strings.Contains(w.why(), "cannot determine creation result") {
			continue
		}
		if w.settle() {
			w.agree()
		}
	}
}

// random does one of the things that happen.
func (w *walk) random(edits []edit) {
	e := edits[w.IntN(len(edits))]
	switch w.IntN(8) {
	case 0, 1:
		if value := e.values[w.IntN(len(e.values))]; w.setField(e, value) == nil {
			w.note("%s=%s", e, text(value))
		}
	case 2:
		if e.isOptional && w.setField(e, nil) == nil {
			w.note("%s removed", e)
		}
	case 3:
		if id, _ := w.doc(); id != "" && w.userNames {
			w.remove()
			w.note("gone outside")
		}
	case 4:
		n := w.IntN(12)
		w.note("error at call %d", n)
		w.at = func(point string) error {
			// The name would be lost if the API had chosen it.
			if n--; n >= 0 || !w.userNames && point == "after API "+Create {
				return nil
			}
			w.at = nil
			return errBusy
		}
	case 5:
		w.restart()
		w.note("restart")
	default:
		w.look()
		w.note("look")
	}
}

func (w *walk) note(format string, arguments ...any) {
	w.history = append(w.history, fmt.Sprintf(format, arguments...))
}
