package life

import (
	"context"
	"errors"
	"fmt"
	"maps"
	rand "math/rand/v2"
	"reflect"
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
	for _, call := range []string{"API " + Connect, "API " + Get, "API " + Create, "API " + Update, "API " + Delete, secret} {
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
	says := func(text string) bool { return strings.Contains(message, text) }
	isReported := is == "False" && (says(errBusy.Error()) || says("500")) // the status is all that some SDKs say of it
	switch {
	case w.live() == nil && len(w.own()) > 0:
		w.fail(vanished, "", "and the external resource is left behind")
	case w.live() != nil && !isReported:
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

// otherConfig changes the ProviderConfig to others with secrets of their own, of each kind, and at last to one without credentials.
func (l *life) otherConfig(o *unstructured.Unstructured) {
	w := l.born("another %s", o.GetKind())
	if !w.read[reading{o.GroupVersionKind(), o.GetName()}] {
		return
	}
	w.isTracked(o.GetName())
	for _, crd := range l.crds {
		kind := crd.Spec.Names.Kind
		if !strings.HasSuffix(kind, "ProviderConfig") || crd.Spec.Group != o.GroupVersionKind().Group {
			continue
		}
		other := o.DeepCopy()
		other.SetKind(kind)
		other.SetName("another")
		other.SetNamespace("")
		if crd.Spec.Scope == apiextensionsv1.NamespaceScoped {
			other.SetNamespace(l.namespace)
		}
		ref := map[string]any{"name": strings.ToLower(kind), "namespace": l.namespace, "key": "another"}
		if _, found, _ := unstructured.NestedMap(o.Object, "spec", "credentials", "secretRef"); found {
			_ = unstructured.SetNestedMap(other.Object, ref, "spec", "credentials", "secretRef") // which is a map
		}
		if w.user.Create(ctx, other) != nil || w.refer(other) != nil {
			continue
		}
		for _, value := range []string{kind + "-first", kind + "-next"} {
			w.putSecret(strings.ToLower(kind), "another", value)
			w.rest()
			l.done()
			w.isTracked(other.GetName())
			w.isConnected(value)
		}
		_ = unstructured.SetNestedMap(other.Object, map[string]any{"source": "None"}, "spec", "credentials") // which is a map
		if w.user.Update(ctx, other) == nil {
			w.rest()
			w.isConnected("")
		}
	}
}

// refer has the managed resource refer to another ProviderConfig.
func (w *world) refer(config *unstructured.Unstructured) error {
	u := w.current()
	if _, found, _ := unstructured.NestedString(u.Object, "spec", "providerConfigRef", "kind"); found {
		if err := w.set(config.GetKind(), "spec", "providerConfigRef", "kind"); err != nil {
			return err
		}
	}
	return w.set(config.GetName(), "spec", "providerConfigRef", "name")
}

// isConnected checks that the last client was made with a part of some credentials. It may need more than these.
func (w *world) isConnected(credentials string) {
	switch {
	case w.credentials == nil:
		w.without("credentials", "no hook is called with life.Connect")
	case w.is("Synced") == "False":
		w.without("credentials", "%s", w.why())
	case *w.credentials == "" && credentials != "", !strings.Contains(credentials, *w.credentials):
		w.fail(oldCredentials, "", "it's %q, and must be %q", *w.credentials, credentials)
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
		case l.reason(f) != "":
			l.without("secret of "+f, "%s", l.reason(f))
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

// putSecret replaces a secret, or only deletes it if there is no key.
func (w *world) putSecret(name, key, value string) {
	w.dropSecret(name)
	if key == "" {
		return
	}
	u := &unstructured.Unstructured{Object: map[string]any{"stringData": map[string]any{key: value}}}
	u.SetAPIVersion("v1")
	u.SetKind("Secret")
	u.SetName(name)
	u.SetNamespace(w.namespace)
	w.add(u)
}

func (l *life) secretInput(f string, spec map[string]any) {
	w := l.world("secret of %s", f)
	w.create(spec)
	w.rest()
	l.done()
	for _, key := range []string{"", "another"} {
		if key != "" {
			w.putSecret(input, key, "first-value")
			w.rest()
		}
		is := w.is("Synced")
		w.failIf(is != "False" || len(w.own()) > 0, inputSilent, f, "Synced is %s, and there are %d external resources", is, len(w.own()))
	}
	const next = "c2Vjb25kLXZhbHVl" // which could be taken for an encoded one
	w.putSecret(input, "k", "first-value")
	w.settle()
	if _, d := w.doc(); !w.failed && !mentions(d, "first-value") {
		w.fail(inputNotSent, f, "")
	}
	w.putSecret(input, "k", next)
	n := w.count(Update)
	w.settle()
	if reason := l.reason("rotation of " + f); reason != "" {
		l.without("rotation of "+f, "%s", reason)
	} else if _, d := w.doc(); !w.failed && !mentions(d, next) {
		w.failIf(w.count(Update) > n, inputNotSent, f, "Update is called")
		w.fail(rotatedUnsent, f, "")
	}
	_, before := w.doc()
	for _, key := range []string{"another", ""} {
		w.putSecret(input, key, "other-value")
		w.rest()
		_, after := w.doc()
		w.failIf(len(changed(before, after)) > 0, inputSilent, f, "the API gets another value")
	}
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
		case l.reason(f) != "":
			l.without("reference "+f, "%s", l.reason(f))
			continue
		case within(s, "matchLabels") != nil:
			value = map[string]any{"matchLabels": map[string]any{"name": target}}
		case within(s, "name") != nil:
			value = map[string]any{"name": target}
		}
		for _, policy := range []map[string]any{nil, {"resolution": "Optional"}, {"resolve": "Always"}, {"resolution": "Optional", "resolve": "Always"}} {
			r := reference{in: "forProvider", field: f, policy: policy, value: value, values: l.valuesOf(f)}
			if policy != nil {
				value = maps.Clone(value)
				value["policy"] = policy
				r.value = value
			}
			if isList {
				r.value = []any{value}
			}
			l.reference(r)
			if r.in = "initProvider"; policy == nil && within(l.schemaOf(l.gvk), "spec", r.in, f) != nil {
				l.reference(r)
			}
		}
		if !isList && value["name"] != nil {
			l.itself(f)
		}
	}
}

// target is the name of what references refer to, targetID its external name, and decoy that of others.
const target, targetID, decoy = "late", "target-id", "decoy"

// A reference is a field of spec.forProvider or spec.initProvider that refers to the target, and how.
type reference struct {
	in, field string
	policy    map[string]any
	value     any
	// values are the fields that it is resolved to, as far as their names tell.
	values []string
}

// fields returns the fields beside the reference.
func (r reference) fields(w *world) map[string]any {
	fields, _, _ := unstructured.NestedMap(w.current().Object, "spec", r.in)
	return fields
}

// isKept checks that the user's reference is as it was.
func (r reference) isKept(w *world) {
	if now := r.fields(w)[r.field]; !w.failed && !holds(now, r.value) {
		w.fail(referenceLost, r.field, "it became %s", text(now))
	}
}

// valuesOf returns the fields that have what a reference is resolved to, by their names: peerId for peerIdRef and peerRef.
func (l *life) valuesOf(ref string) (fields []string) {
	properties, _ := l.parameters["properties"].(map[string]any)
	stem := strings.TrimSuffix(strings.TrimSuffix(strings.TrimSuffix(ref, "Selector"), "s"), "Ref")
	for _, ending := range []string{"", "s"} {
		if properties[stem+ending] != nil && stem+ending != ref {
			fields = append(fields, stem+ending)
		}
	}
	for _, f := range slices.Sorted(maps.Keys(properties)) {
		if len(fields) == 0 && strings.HasPrefix(f, stem) && !isReference(properties, f) {
			fields = []string{f}
		}
	}
	return fields
}

// isValue reports whether a field has what the reference is resolved to.
func (r reference) isValue(field string) bool { return slices.Contains(r.values, field) }

// resolved returns the fields that have other values than before.
func (r reference) resolved(w *world, before map[string]any) map[string]any {
	now := r.fields(w)
	maps.DeleteFunc(now, func(f string, value any) bool {
		properties, _ := w.parameters["properties"].(map[string]any)
		return isReference(properties, f) || reflect.DeepEqual(value, before[f])
	})
	return now
}

// spec returns the example with the reference in place of its value, without late initialization, which sets fields, too.
func (r reference) spec(l *life) map[string]any {
	spec := runtime.DeepCopyJSON(l.example)
	if !l.noPolicies {
		spec = l.withPolicies("Observe", "Create", "Update", "Delete")
	}
	fields, _ := spec["forProvider"].(map[string]any)
	maps.DeleteFunc(fields, func(f string, _ any) bool { return r.isValue(f) })
	_ = unstructured.SetNestedField(spec, runtime.DeepCopyJSONValue(r.value), r.in, r.field) // an object
	return spec
}

// reference lives with a reference whose target comes late, and goes again.
func (l *life) reference(r reference) {
	w := l.world("reference %s in %s, policy %s", r.field, r.in, text(r.policy))
	if err := w.user.Create(ctx, w.object(r.spec(l))); err != nil {
		l.without(w.step, "the API server refuses it: %v", err)
		return
	}
	w.rest()
	l.done()
	r.isKept(w)
	w.failIf(w.is("Synced") == "True" && r.policy["resolution"] == nil, referenceSilent, r.field, "")
	before := r.fields(w)
	if w.failed || !w.addTarget(r) {
		return
	}
	isFixed := slices.ContainsFunc(l.edits, func(e edit) bool { return e.isFixed && r.isValue(e.path[0]) })
	if isFixed && r.policy["resolution"] != nil {
		w.rest() // the external resource was created without it, which can't be changed
	} else {
		w.settle()
	}
	value := r.resolved(w, before)
	w.failIf(len(value) == 0 && len(r.values) > 0, notResolved, r.field, "")
	w.failIf(strings.Contains(text(value), decoy), resolvedOther, r.field, "it's %s", text(value))
	r.isKept(w)
	if r.policy["resolve"] != nil && !isFixed && strings.Contains(text(value), targetID) {
		r.follows(w)
	}
	w.cluster.Drop(func(u *unstructured.Unstructured) bool { return u.GetName() == target })
	w.rest()
	for f := range value {
		w.failIf(isEmpty(r.fields(w)[f]), referenceLost, r.field, "its value is gone with the target")
	}
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
			if plain, _ := value.(string); strings.HasSuffix(plain, "-life") && r.isValue(e.path[0]) {
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
		meta.SetExternalName(u, targetID)
	}
	w.addDecoys(u)
	if err := w.user.Create(ctx, u); err != nil {
		w.without("targets of "+r.field, "the API server refuses one: %v", err)
		return false
	}
	_ = unstructured.SetNestedField(u.Object, observed, "status", "atProvider") // an object
	if err := w.user.Status().Update(ctx, u); err != nil {
		w.without("targets of "+r.field, "the API server refuses its status: %v", err)
		return false
	}
	w.target = u
	return true
}

// addDecoys creates resources beside the target that come before it: one without its labels, and one of its name in another namespace.
// The API server may refuse them.
func (w *world) addDecoys(of *unstructured.Unstructured) {
	of = of.DeepCopy()
	meta.SetExternalName(of, decoy)
	if of.GetNamespace() != "" {
		other := of.DeepCopy()
		other.SetNamespace("elsewhere")
		_ = w.user.Create(ctx, other)
	}
	of.SetName(decoy)
	of.SetLabels(nil)
	_ = w.user.Create(ctx, of)
}

// follows checks that a reference which is always resolved follows its target to another external name.
func (r reference) follows(w *world) {
	for _, external := range []string{"moved", targetID} { // the API may not know the former
		meta.SetExternalName(w.target, external)
		w.failIf(w.user.Update(ctx, w.target) != nil, nothingDone, r.field, "its target can't change")
		w.rest()
		w.failIf(!strings.Contains(text(r.fields(w)), external), notResolved, r.field, "the target is %s now, and resolve is Always", external)
	}
}

// itself lives with a reference to the managed resource itself, or to none of its name.
func (l *life) itself(f string) {
	r := reference{in: "forProvider", field: f, value: map[string]any{"name": name}, values: l.valuesOf(f)}
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
