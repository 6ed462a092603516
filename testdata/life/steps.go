package life

import (
	"cmp"
	"context"
	"fmt"
	"maps"
	"reflect"
	"slices"
	"strconv"
	"strings"
	"time"

	apiextensionsv1 "k8s.io/apiextensions-apiserver/pkg/apis/apiextensions/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/client-go/rest"
	"k8s.io/client-go/tools/record"
	"sigs.k8s.io/controller-runtime/pkg/client"

	changelogs "github.com/crossplane/crossplane-runtime/v2/apis/changelogs/proto/v1alpha1"
	"github.com/crossplane/crossplane-runtime/v2/pkg/controller"
	"github.com/crossplane/crossplane-runtime/v2/pkg/feature"
	"github.com/crossplane/crossplane-runtime/v2/pkg/meta"
	"github.com/crossplane/crossplane-runtime/v2/pkg/reconciler/managed"
	"github.com/crossplane/crossplane-runtime/v2/pkg/resource"
	"github.com/crossplane/crossplane-runtime/v2/pkg/resource/fake"
)

// A step is something that happens to managed resources.
type step struct {
	name string
	// holds says what must hold.
	holds string
	do    func(*life)
	// absent says why a step does nothing if the kind has nothing for it.
	absent string
	// isSlow is set for the steps that a short life doesn't have.
	isSlow bool
}

// steps are those of a life, in their order.
var steps = []step{
	{name: "create", do: (*life).create, holds: "one creation, no write at rest, Synced and Ready, status and connection secret as the API says"},
	{name: "all fields", do: (*life).full, holds: "fields that are set together are created, and nothing differs",
		absent: "spec.forProvider has no others than the example"},
	{name: "crowd", do: (*life).crowd, holds: "it is found among 100 others, on whatever page"},
	{name: "external name", do: (*life).otherName, holds: "the external resource has the external name that the user set"},
	{name: "edits", do: (*life).edit, holds: "the API gets each edit and nothing else, and the status shows it"},
	{name: "removals", do: (*life).removals, holds: "what is removed stays removed, and later updates send nothing for it",
		absent: "no field can be removed"},
	{name: "drift", do: (*life).drift, holds: "changes by somebody else are reverted, other orders and time zones ignored, other cases one of both"},
	{name: "gone outside", do: (*life).gone, holds: "Ready is False, and it's created again if the policies allow it"},
	{name: "busy", do: (*life).busy, holds: "no update of what is being created, no second Delete of what is being deleted"},
	{name: "import", do: (*life).imports, holds: "nothing is written, and the first status is there after the first look"},
	{name: "immutable", do: (*life).immutable, holds: "a field that can't be changed is never sent, and Synced names it",
		absent: "each field that can't be changed tells where the external resource is"},
	{name: "policies", do: (*life).policies, holds: "nothing is written that the policies forbid"},
	{name: "initProvider", do: (*life).initial, holds: "it is sent by Create and not compared later",
		absent: "the kind has none with an optional field"},
	{name: "references", do: (*life).references, holds: "the user's references stay, and are resolved once their target exists",
		absent: "spec.forProvider has none"},
	{name: "connection secret", do: (*life).connectionSecret, holds: "no generated value is lost in silence, and deletion ends"},
	{name: "secrets", do: (*life).secretInputs, holds: "a missing secret is reported, its value and its next value are sent, and deletion needs none",
		absent: "no field of spec.forProvider refers to a secret"},
	{name: "configuration", do: (*life).configuration, holds: "a missing ProviderConfig or credentials are reported",
		absent: "the controller reads no ProviderConfig or secret of the manifests"},
	{name: "namespace", do: (*life).terminating, holds: "a managed resource in a terminating namespace is deleted"},
	{name: "two owners", do: (*life).owners, holds: "the second managed resource with an external name is refused"},
	{name: "delete", do: (*life).deletes, holds: "the external resource and the finalizer are gone"},
	{name: "two at once", do: (*life).together, holds: "two managed resources whose reconciles overlap keep apart"},
	{name: "walks", do: (*life).walk, holds: "all of this after random steps"},
	{name: "errors", do: (*life).broken, isSlow: true, holds: "errors and conflicts at each call are reported, and retried"},
	{name: "stops", do: (*life).stops, isSlow: true, holds: "after a stop at each call there is one external resource at most, and rest"},
}

func (l *life) create() {
	l.plain()
	w := l.world("create")
	w.create(l.example)
	w.at = func(point string) error {
		if point == "API "+Create {
			l.userNames = meta.GetExternalName(w.live()) == name
		}
		return nil
	}
	w.settle()
	if w.failed {
		return
	}
	l.done()
	l.checkFields(w)
	l.setUp(w)
	// An API that chooses names answers with another one, or tells resources apart by something else.
	id, _ := w.doc()
	isReplaced := l.userNames && !strings.Contains(meta.GetExternalName(w.live()), name)
	l.option("managed.WithInitializers", !isReplaced)
	l.userNames = l.userNames && meta.GetExternalName(w.live()) == name && strings.Contains(id, name)
	given, _, _ := unstructured.NestedMap(l.example, "forProvider")
	for f := range w.forProvider() {
		l.filled[f] = given[f] == nil
	}
	w.failIf(w.count(Create) != 1, notOne, "", "Create is called %d times", w.count(Create))
	w.failIf(!w.isHeard, optionMissing, "managed.WithRecorder", "nobody hears of the creation")
	w.failIf(w.again < pollInterval/2, optionMissing, "managed.WithPollInterval", "the next look is in %s, of %s", w.again, pollInterval)
	w.agree()
	w.isUntouched("", "")
	w.publishes()
	l.whole = status(w.live())
	before, secret := w.picture(), text(w.secret(l.secretName()))
	w.restart()
	w.settle()
	w.failIf(before != w.picture() || secret != text(w.secret(l.secretName())), restarted, "", "")
	w.news()
	l.options()
}

// checkFields fails for fields in the test that the kind, or the external resource of its example, hasn't.
func (l *life) checkFields(w *world) {
	_, d := w.doc()
	for _, f := range slices.Sorted(maps.Keys(l.Ready)) {
		if l.Ready[f] != nil && lookup(d, f) == nil {
			l.fail("the test", unused, "Ready "+strconv.Quote(f), "the API has %s", strings.Join(slices.Sorted(maps.Keys(d)), ", "))
		}
	}
	for name, fields := range map[string][]string{"Identifiers": l.Identifiers, "Later": l.Later} {
		for _, f := range fields {
			if within(l.parameters, strings.Split(f, ".")...) == nil {
				l.fail("the test", unused, name+" "+strconv.Quote(f), "it is no field of spec.forProvider")
			}
		}
	}
}

// options checks that the reconciler has the options which nothing else in a life needs.
func (l *life) options() {
	w := l.world("create with a change log and metrics")
	changes, metrics := &changeLog{}, managed.NewMRMetricRecorder()
	o := optionsOf()
	o.Features.Enable(feature.EnableAlphaChangeLogs)
	o.ChangeLogOptions = &controller.ChangeLogOptions{ChangeLogger: changes}
	o.MetricOptions = &controller.MetricOptions{MRMetrics: metrics}
	w.running = w.process(NewManager(w.cluster.Client("provider", w.request), w.events), o)
	w.create(l.example)
	if w.settle() {
		l.option("managed.WithChangeLogger", changes.isHeard)
		l.option("managed.WithMetricRecorder", measures(metrics.Collect))
	}
}

// option fails unless the reconciler has an option, or the test says why not.
func (l *life) option(name string, has bool) {
	switch reason := l.reason(name); {
	case reason != "":
		l.without(name, "%s", reason)
	case !has:
		l.fail(l.step, optionMissing, name, "%s", missingOptions[name])
	}
}

// missingOptions say what happens without options of the reconciler.
var missingOptions = map[string]string{
	"managed.WithManagementPolicies": "nothing can be observed alone, though controller.Options enable that",
	"managed.WithChangeLogger":       "the change log in controller.Options isn't told of the creation",
	"managed.WithMetricRecorder":     "the metrics in controller.Options don't have the creation",
	"managed.WithInitializers": "the external name is metadata.name until Create sets another one, so that Observe looks for " +
		"what may be somebody else's: give it without initializers",
}

// A changeLog knows whether it was told of a change.
type changeLog struct{ isHeard bool }

// Log implements managed.ChangeLogger.
func (c *changeLog) Log(context.Context, resource.Managed, changelogs.OperationType, error, managed.AdditionalDetails) error {
	c.isHeard = true
	return nil
}

// measures reports whether a collector has a metric.
func measures[M any](collect func(chan<- M)) bool {
	found := make(chan M, 100) // more than one managed resource has
	collect(found)
	return len(found) > 0
}

// plain lives without late initialization, which hides what is wrong with the status.
func (l *life) plain() {
	w := l.world("create without late initialization")
	w.create(l.withPolicies("Observe", "Create", "Update", "Delete"))
	w.look()
	w.failIf(!w.read[reading{l.gvk, name}], otherKind, "NewReconciler", "it never reads the managed resource")
	if strings.Contains(w.why(), "feature is not enabled") {
		l.noPolicies = true
		l.option("managed.WithManagementPolicies", false)
		return
	}
	w.settle()
	w.agree()
	w.isUntouched("", "")
}

// setUp checks that Setup adds a controller for this kind: it needs no other one in the scheme.
func (l *life) setUp(w *world) {
	if l.Setup == nil {
		l.without("Setup", "the kind gives none")
		return
	}
	all := runtime.NewScheme()
	for gvk := range l.scheme.AllKnownTypes() {
		if o, err := l.scheme.New(gvk); err == nil && (gvk == l.gvk || !l.isManaged(gvk)) {
			all.AddKnownTypeWithName(gvk, o)
		}
	}
	defer func() {
		if what := recover(); what != nil { // as the runtime does with types that the scheme lacks
			w.fail(otherKind, "Setup", "%v", what)
		}
	}()
	client := l.cluster.Client("provider", nil)
	m := &manager{Manager: fake.Manager{Client: client, Scheme: all, Config: &rest.Config{}}, EventRecorder: &record.FakeRecorder{}}
	if err := l.Setup(m, optionsOf()); err != nil {
		w.fail(otherKind, "Setup", "%v", err)
	}
}

// isManaged reports whether a kind is one of managed resources.
func (l *life) isManaged(gvk schema.GroupVersionKind) bool {
	return slices.ContainsFunc(l.crds, func(crd *apiextensionsv1.CustomResourceDefinition) bool {
		isOf := crd.Spec.Group == gvk.Group && crd.Spec.Names.Kind == gvk.Kind
		_, found := crd.Spec.Versions[0].Schema.OpenAPIV3Schema.Properties["spec"].Properties["forProvider"]
		return isOf && found
	})
}

// news changes what the API alone sets, and checks that status and connection secret show it.
func (w *world) news() {
	fields, _ := w.observation["properties"].(map[string]any)
	_, d := w.doc()
	for _, f := range slices.Sorted(maps.Keys(d)) {
		value, _ := d[f].(string)
		isShown := slices.ContainsFunc(slices.Collect(maps.Keys(fields)), func(name string) bool { return same(name, f) })
		parameters, _ := w.parameters["properties"].(map[string]any)
		isOther := lookup(parameters, f) != nil || w.Ready[f] != nil || w.isIdentifier(f, value)
		if value == "" || !isShown || isOther {
			continue
		}
		moved := value[:len(value)-1] + "-moved" // which doesn't contain the old one
		if at, err := time.Parse(time.RFC3339, value); err == nil {
			moved = at.Add(time.Hour).Format(time.RFC3339)
		}
		w.change(func(d Document) { d[f] = moved })
		if w.rest(); w.is("Synced") == "False" {
			// The SDK may know all values.
			w.without("news of "+f, "%s", w.why())
			w.change(func(d Document) { d[f] = value })
		}
		w.settle()
		w.agree()
		w.done()
	}
}

// isIdentifier reports whether a field of a document tells the external resource apart.
func (w *world) isIdentifier(f, value string) bool {
	id, _ := w.doc()
	return strings.Contains(id, value) || same(f, "id") || value == meta.GetExternalName(w.live())
}

// full lives with all fields set, also those without edits: Observe may compare what the API doesn't return.
func (l *life) full() {
	spec := l.example
	for _, e := range slices.Concat(l.edits, l.leftOut) {
		if all := e.in(spec, e.values[1]); e.isOptional {
			if _, err := l.admits(all); err == nil {
				spec = all
			}
		}
	}
	if reflect.DeepEqual(spec, l.example) {
		return
	}
	w := l.world("all fields")
	w.create(spec)
	if w.rest(); len(w.own()) == 0 {
		l.without(l.step, "the API refuses some together: %s", w.why())
		return
	}
	l.done()
	w.settle()
}

func (l *life) otherName() {
	if !l.userNames {
		l.without("external name", "the API chooses it")
		return
	}
	for _, external := range []string{"another", "Another.1", "a b", "50%25", "a/b", "für"} {
		w := l.world("external name %q", external) // some need escaping
		if reason := l.reason(w.step); reason != "" {
			l.without(w.step, "%s", reason)
			continue
		}
		w.createAs(external, l.example)
		isPlain := !strings.ContainsAny(external, " %/ü")
		w.rest()
		switch isCreated := len(w.own()) > 0; {
		case !isCreated && !isPlain:
			l.without(w.step, "%s", w.why())
			continue
		case !isCreated:
			w.fail(otherName, "", "%s: or say in Without[%q] why there is none", w.why(), w.step)
		}
		w.settle()
		l.done()
		id, d := w.doc()
		isSent := strings.Contains(id, external) || mentions(d, external)
		w.failIf(isPlain && (!isSent || meta.GetExternalName(w.current()) != external), otherName, "", "")
	}
}

// crowd lives among many external resources, of which an API shows a page.
func (l *life) crowd() {
	const others = 100
	w := l.world("among %d others", others)
	for n := range others {
		u := w.managed(w.in, fmt.Sprintf("%c-%d", "az"[n%2], n), l.example) // before and after it in their order
		if l.secretName() != "" {
			_ = unstructured.SetNestedField(u.Object, u.GetName(), "spec", "writeConnectionSecretToRef", "name") // an object
		}
		w.add(u)
		w.reconcile(client.ObjectKeyFromObject(u))
	}
	if w.had = w.all(); len(w.had) < others {
		l.without(l.step, "the API takes %d of them", len(w.had))
		return
	}
	w.create(l.example)
	w.settle()
	w.agree()
	l.done()
}

// variants are the specs with and without late initialization.
func (l *life) variants() map[string]map[string]any {
	if l.noPolicies {
		return map[string]map[string]any{"": l.example}
	}
	return map[string]map[string]any{"": l.example, " without late initialization": l.withPolicies("Observe", "Create", "Update", "Delete")}
}

// eachEdit calls a function for each edit in a world of its own, whose managed resource has the first value.
func (l *life) eachEdit(do func(w *world, e edit)) {
	variants := l.variants()
	names := slices.Sorted(maps.Keys(variants))
	for i, variant := range names {
		for _, e := range l.edits {
			w := l.world("%s of %s%s", l.step, e, variant)
			u := w.object(e.in(variants[variant], e.values[0]))
			if l.userNames && i == len(names)-1 {
				w.step += ", under another name"
				meta.SetExternalName(u, "another")
			}
			w.add(u)
			if w.settle() {
				w.agree()
				w.isUntouched(e.String(), "it was "+text(e.values[0]))
				do(w, e)
			}
		}
	}
}

func (l *life) edit() {
	if len(l.edits) == 0 {
		l.without(l.step, "the schema of spec.forProvider tells no two values of any field")
	}
	l.eachEdit(func(w *world, e edit) {
		_, born := w.doc()
		from := e.values[0]
		for _, value := range append(slices.Clone(e.values[1:]), from, e.large) {
			if w.edited(e, from, value) {
				w.kept(born)
				from = value
			}
		}
	})
	for variant, spec := range l.variants() {
		for _, e := range l.edits {
			if e.isOptional && !e.isFixed {
				l.setFirst(e, e.in(spec, nil), variant)
			}
		}
	}
}

// setFirst sets a field that was unset.
func (l *life) setFirst(e edit, spec map[string]any, variant string) {
	w := l.world("edits of %s that was unset%s", e, variant)
	if w.user.Create(ctx, w.object(spec)) != nil {
		return
	}
	if w.rest(); len(w.own()) == 0 {
		l.without(w.step, "the API refuses it: %s", w.why())
		return
	}
	shown, _, _ := unstructured.NestedFieldNoCopy(status(w.live()), e.path...)
	values := slices.DeleteFunc(append(slices.Clone(e.values[1:]), e.values[0]), func(value any) bool {
		return holds(shown, value) || isEmpty(value) // the API's default, or what an unset field may be sent as
	})
	if len(values) > 0 && w.settle() {
		w.edited(e, nil, values[0])
	}
}

// edited makes an edit, checks that the API gets it, and reports whether it does.
func (w *world) edited(e edit, from, value any) bool {
	w.done()
	_, before := w.doc()
	n := w.count(Update)
	if value == nil || w.failed || e.isFixed || w.setField(e, value) != nil {
		return false // the API server refuses it, so that it's never sent
	}
	if value == e.large && w.refuses(before) || !w.settle() {
		return false
	}
	now, _, _ := unstructured.NestedFieldNoCopy(w.forProvider(), e.path...)
	w.failIf(!holds(value, now), specChanged, e.String(), "%s became %s", text(value), text(now))
	w.agree()
	w.got(e, from, value, before, w.count(Update)-n)
	return true
}

// refuses reports whether the controller or the API refuses an edit, with an error and without a change.
func (w *world) refuses(before Document) bool {
	w.rest()
	_, now := w.doc()
	isRefused := w.is("Synced") == "False" && len(changed(before, now)) == 0
	if isRefused {
		w.without(w.step+" to a number of more than 32 bits", "%s", w.why())
	}
	return isRefused
}

// differences returns the names of the fields that differ between two documents, without those that the API itself may have changed, such
// as a version: no field of spec has their names, and they have values. It returns these if there are no others.
func (w *world) differences(before, after Document) []string {
	desired, _ := w.parameters["properties"].(map[string]any)
	all := changed(before, after)
	others := slices.DeleteFunc(slices.Clone(all), func(name string) bool {
		return lookup(desired, name) == nil && !isEmpty(after[name])
	})
	if len(others) == 0 {
		return all
	}
	return others
}

// got checks that the API got an edit, and nothing else.
func (w *world) got(e edit, from, to any, before Document, updates int) {
	_, after := w.doc()
	names := w.differences(before, after)
	what := text(from) + " became " + text(to)
	if w.failed {
		return
	}
	if i := slices.IndexFunc(names, func(name string) bool { return same(name, e.path[0]) }); i > 0 {
		names[0], names[i] = names[i], names[0]
	}
	isShown := within(w.observation, e.path[0]) != nil
	switch {
	case len(names) == 0 && !isShown && updates > 0: // nobody can tell
	case len(names) == 0 && updates == 0:
		w.fail(notCompared, e.String(), "%s", what)
	case len(names) == 0:
		w.fail(notSent, e.String(), "%s", what)
	case len(names) > 1:
		w.fail(alsoSent, strings.Join(names[1:], ", "), "after an edit of %s", e)
	case updates > 1:
		w.fail(sentTwice, e.String(), "%d updates: %s", updates, what)
	case isEmpty(to) && (isEmpty(w.withoutMarks(after[names[0]])) || leavesOut(after, names[0], e.below(names[0])...)):
	case !w.keepsOrder(e.path[0], after[names[0]], to), !holds(lookupPath(after, names[0], e.below(names[0])...), to) && !strings.Contains(text(after), text(to)):
		w.fail(sentOther, e.String(), "%s, and the API has %s", what, text(after[names[0]]))
	}
	entries, _ := from.(map[string]any)
	now, _ := to.(map[string]any)
	for _, entry := range slices.Sorted(maps.Keys(entries)) {
		if has, _ := after[cmp.Or(names...)].(map[string]any); now[entry] == nil && has[entry] != nil {
			w.fail(entriesStay, e.String(), "%q is still there", entry)
		}
	}
}

// kept checks that entries of maps are there that the external resource was created with, such as tags.
func (w *world) kept(born Document) {
	spec := w.forProvider()
	_, d := w.doc()
	for _, f := range slices.Sorted(maps.Keys(born)) {
		had, _ := born[f].(map[string]any)
		has, _ := d[f].(map[string]any)
		for _, entry := range slices.Sorted(maps.Keys(had)) {
			users, _ := lookup(spec, f).(map[string]any)
			w.failIf(has[entry] == nil && strings.HasPrefix(entry, "crossplane-") && users[entry] == nil, entriesLost, f, "%s", entry)
		}
	}
}

func (l *life) removals() {
	isRemovable := func(e edit) bool { return e.isOptional && !e.isFixed }
	l.eachEdit(func(w *world, e edit) {
		if !isRemovable(e) || w.setField(e, nil) != nil || !w.settle() {
			return
		}
		l.done()
		w.agree()
		_, before := w.doc()
		i := slices.IndexFunc(l.edits, func(o edit) bool {
			return o.String() != e.String() && !o.isFixed && w.setField(o, o.values[1]) == nil
		})
		if i < 0 || !w.settle() {
			return
		}
		_, after := w.doc()
		names := slices.DeleteFunc(changed(before, after), func(name string) bool { return same(name, l.edits[i].path[0]) })
		if len(names) > 0 && slices.ContainsFunc(names, func(name string) bool { return same(name, e.path[0]) }) {
			w.fail(removedSent, e.String(), "%s was %s, and is %s after an edit of %s", names[0], text(before[names[0]]), text(after[names[0]]), l.edits[i])
		}
	})
}

// isFixed reports that no field can be changed once it is set, and notes that for the step.
func (l *life) isFixed() bool {
	if slices.ContainsFunc(l.edits, func(e edit) bool { return !e.isFixed }) {
		return false
	}
	l.without(l.step, "no field can be changed")
	return true
}

func (l *life) drift() {
	if l.isFixed() {
		return
	}
	for _, e := range l.edits {
		w := l.born("drift of %s", e)
		_, d0 := w.doc()
		if w.failed || e.isFixed {
			continue
		}
		if w.setField(e, e.values[1]) != nil || !w.settle() {
			continue
		}
		_, d1 := w.doc()
		names := w.differences(d0, d1)
		if len(names) != 1 {
			continue // the step of edits says why
		}
		f, spec := names[0], w.forProvider()
		w.change(func(d Document) { d[f] = d0[f] })
		w.settle()
		l.done()
		_, d := w.doc()
		has, wanted := w.desired(f, d[f]), w.desired(f, d1[f])
		_, isText := has.(string)
		isReverted := reflect.DeepEqual(has, wanted) || !isText && holds(has, wanted) && w.keepsOrder(e.path[0], has, wanted)
		if !w.failed && !isReverted {
			w.fail(driftStays, e.String(), "the API has %s", text(d[f]))
		}
		w.ignored(f, d1[f], e.isSet)
		w.inUpperCase(f, d1[f])
		w.change(func(d Document) { leaveOut(d, append([]string{f}, e.below(f)...)) }) // as APIs do with what is empty
		w.settle()
		if now := w.forProvider(); !holds(now, spec) {
			w.fail(specChanged, e.String(), "%s became %s", text(spec), text(now))
		}
	}
}

// desired returns a field of a document without what no field of spec has at any depth, such as the etag of an item.
func (l *life) desired(f string, value any) any {
	properties, _ := l.parameters["properties"].(map[string]any)
	s, _ := lookup(properties, f).(map[string]any)
	return shownBy(s, value)
}

// inUpperCase shows a text in upper case, which is ignored or reverted.
func (w *world) inUpperCase(f string, value any) {
	is, _ := value.(string)
	if _, isTime := inOtherZone(value); isTime || is == strings.ToUpper(is) {
		return
	}
	n := len(w.asked)
	w.change(func(d Document) { d[f] = strings.ToUpper(is) })
	w.settle()
	w.done()
	switch _, d := w.doc(); {
	case len(w.asked) > n+1:
		w.fail(updatesAgain, f, "it is %s in the API", text(d[f]))
	case len(w.asked) > n && d[f] != value:
		w.fail(driftStays, f, "the API has %s", text(d[f]))
	}
}

// ignored shows a field in another order or time zone, which is no difference.
func (w *world) ignored(f string, value any, isSet bool) {
	items, _ := value.([]any)
	other, c := any(nil), orderSent
	switch at, isTime := inOtherZone(value); {
	case isTime:
		other, c = at, zoneSent
	case isSet && len(items) > 1:
		reversed := slices.Clone(items)
		slices.Reverse(reversed)
		other = reversed
	default:
		return
	}
	n := len(w.asked)
	w.change(func(d Document) { d[f] = other })
	w.rest()
	w.done()
	w.failIf(len(w.asked) > n, c, f, "%s is shown as %s", text(value), text(other))
}

func (l *life) gone() {
	w := l.born("gone outside")
	before := w.secret(w.secretName())
	w.remove()
	w.rest()
	w.failIf(len(w.own()) == 0, notRecreated, "", "%s", w.why())
	w.settle()
	l.done()
	w.failIf(w.count(Create) != 2, notRecreated, "", "Create is called %d times", w.count(Create))
	w.agree()
	for key, value := range w.secret(w.secretName()) {
		l.stays[key] = value == before[key]
	}
	if l.noPolicies {
		return
	}
	for _, policies := range [][]any{{"Observe"}, {"Observe", "Update", "Delete"}, {"Observe", "LateInitialize", "Update"}} {
		w := l.born("gone outside, policies %v", policies)
		if w.failed || w.set(policies, "spec", "managementPolicies") != nil {
			continue
		}
		w.look()
		if strings.Contains(w.why(), "not supported") {
			continue // the message has the policies in random order
		}
		w.rest()
		w.remove()
		n := len(w.asked)
		w.rest()
		l.done()
		w.failIf(len(w.asked) > n, absentUpdated, "", "%d times", len(w.asked)-n)
		w.failIf(strings.Contains(w.why(), "update failed"), absentUpdated, "", "%s", w.why()) // before the API is asked
		w.failIf(w.is("Ready") == "True", readyGone, "", "")
		w.failIf(w.is("Synced") == "True" && len(policies) == 1, syncedGone, "", "")
	}
}

func (l *life) busy() {
	if l.Creating == nil || l.Deleting == nil {
		l.without("busy", "the kind gives no states")
		return
	}
	w := l.world("while the API creates it")
	w.at = func(point string) error {
		if point == "after API "+Create {
			w.turn(l.Creating)
		}
		return nil
	}
	w.create(l.example)
	w.rest()
	l.done()
	w.failIf(countOf(w.asked, Create) != 1 || len(w.own()) != 1, createsAgain, "", "there are %d external resources", len(w.own()))
	w.failIf(w.is("Ready") != "False", readyEarly, "", "it is %q in the state %s", w.is("Ready"), text(l.Creating))
	w.setAny()
	n := countOf(w.asked, Update)
	for range 3 {
		w.look()
	}
	w.failIf(countOf(w.asked, Update) > n, busySent, "", "its state is %s", text(l.Creating))
	w.turn(l.Ready)
	w.settle()
	w.agree()
	for _, state := range append(slices.Clone(l.Failed), l.Creating) {
		w.turn(state)
		w.rest()
		is, reason, _ := condition(w.live(), "Ready")
		isWaiting := reason == "Creating" && !reflect.DeepEqual(state, l.Creating)
		w.failIf(is == "True" || isWaiting, readyFailed, text(state), "it is %q %s", is, reason)
	}

	w = l.born("while the API deletes it")
	w.later = func(call string) bool {
		if call == Delete && len(w.own()) > 0 {
			w.turn(l.Deleting)
		}
		return call == Delete
	}
	w.delete()
	w.rest()
	switch {
	case w.failed:
	case w.live() == nil:
		w.fail(deletingGone, "", "")
	case countOf(w.asked, Delete) > 1:
		w.fail(deletedTwice, "", "%d times in the state %s", countOf(w.asked, Delete), text(l.Deleting))
	}
	w.remove()
	w.ends()
	l.deletesIn()
}

// turn gives the external resource a state.
func (w *world) turn(state Document) {
	w.change(func(d Document) { maps.Copy(d, state) })
}

// deletesIn deletes in each state that isn't ready, also in one that nobody knows.
func (l *life) deletesIn() {
	for _, state := range append(slices.Clone(l.Failed), unknown(l.Ready).(Document), l.Creating) {
		w := l.born("delete in the state %s", text(state))
		w.turn(state)
		w.rest()
		w.delete()
		w.rest()
		l.done()
		if reflect.DeepEqual(state, l.Creating) && len(w.own()) > 0 { // controllers may wait until then
			w.turn(l.Ready)
			w.rest()
		}
		w.failIf(w.live() != nil && w.is("Synced") != "False", stateKept, text(state), "")
		w.failIf(w.live() == nil && len(w.own()) > 0, leftBehind, text(state), "")
	}
}

// unknown returns a state with texts that nobody knows.
func unknown(state any) any {
	switch state := state.(type) {
	case string:
		return "LIFE-UNKNOWN"
	case map[string]any:
		other := Document{}
		for f, value := range state {
			other[f] = unknown(value)
		}
		return other
	}
	return state
}

// ends looks until the managed resource is gone, and checks that the external one is, too.
func (w *world) ends() {
	w.rest()
	w.isDeleted()
	w.failIf(len(w.own()) > 0, leftBehind, "", "")
}

// isDeleted checks that there is no managed resource any more.
func (w *world) isDeleted() {
	why := w.why()
	if why == "" && w.astray != "" {
		why = "Delete is sent for " + w.astray + ", which doesn't exist"
	}
	w.failIf(w.live() != nil, notDeleted, "", "%s", why)
}

// imported returns a world with a new cluster, and an external resource that an earlier one made of a spec, without marks of that.
func (l *life) imported(made, spec map[string]any, step string, arguments ...any) (*world, string) {
	old := l.bornOf(made, step, arguments...)
	external := meta.GetExternalName(old.current())
	w := l.worldOf(old.external, old.process, old.step)
	w.had, w.failed = old.had, old.failed
	if w.failed {
		return w, ""
	}
	w.change(func(d Document) {
		for f, value := range d {
			d[f] = l.withoutMarks(value)
		}
	})
	u := w.written(w.object(spec))
	meta.SetExternalName(u, external)
	w.add(u)
	return w, external
}

// written returns a managed resource as its Go type writes it: no write of a process changes its spec by that alone.
func (w *world) written(u *unstructured.Unstructured) *unstructured.Unstructured {
	typed, ok := w.Managed.DeepCopyObject().(client.Object)
	if !ok || read(u.Object, typed) != nil {
		return u
	}
	return &unstructured.Unstructured{Object: document(typed)}
}

// current returns the managed resource, an empty one if it is gone.
func (w *world) current() *unstructured.Unstructured {
	if u := w.live(); u != nil {
		return u
	}
	return &unstructured.Unstructured{Object: map[string]any{}}
}

func (l *life) imports() {
	specs := []map[string]any{l.withPolicies("Observe"), l.example}
	if l.noPolicies {
		specs = specs[1:]
	}
	for _, spec := range specs {
		w, external := l.imported(l.example, spec, "import, policies %v", spec["managementPolicies"])
		l.done()
		generation := w.current().GetGeneration()
		w.look()
		if w.current().GetGeneration() != generation { // the first look wrote spec, which begins another one
			w.look()
		}
		w.failIf(len(w.asked) > 0 && spec["managementPolicies"] != nil, forbidden, strings.Join(w.asked, ", "), "")
		w.failIf(len(w.own()) > 1, importCreates, "", "its external name is %s", external)
		w.agree()
		w.settle()
		w.failIf(len(w.asked) > 0, importWrites, "", "%v", w.asked)
	}
}

func (l *life) immutable() {
	for _, e := range l.edits {
		switch {
		case !e.isFixed:
		case within(l.observation, e.path...) == nil:
			l.without("import with another "+e.String(), "the status has no such field")
		default:
			// At first nothing else differs. Then something does that can be changed, so that the first Update sends something.
			l.importOther(e, func(*world) {})
			l.importOther(e, func(w *world) { w.setAny() })
		}
	}
}

// importOther imports an external resource whose field differs that can't be changed.
func (l *life) importOther(e edit, before func(*world)) {
	had, value := e.values[0], e.values[1]
	if isEmpty(value) {
		had, value = value, had // an empty one is no difference
	}
	spec, name := e.in(l.example, value), "import with another "+e.String()
	if reason := l.reason(name); reason != "" {
		l.without(name, "%s", reason)
		return
	}
	if _, err := l.admits(spec); err != nil {
		l.withoutValue(name, value, e, err)
		return
	}
	w, _ := l.imported(e.in(l.example, had), spec, "%s", name)
	_, old := w.doc()
	if holds(lookup(old, e.path[0]), spec["forProvider"].(map[string]any)[e.path[0]]) {
		l.without(name, "the API has no other value")
		return
	}
	before(w)
	w.rest()
	w.failIf(slices.Contains(l.Identifiers, e.String()) && len(w.own()) < 2, otherTaken, e.String(), "%v", w.asked)
	if !w.failed && len(w.own()) > 1 {
		l.without(name, "it tells where the external resource is")
		return
	}
	l.done()
	_, now := w.doc()
	was, is := lookupPath(old, e.path[0], e.path[1:]...), lookupPath(now, e.path[0], e.path[1:]...)
	w.failIf(!reflect.DeepEqual(was, is), immutableSent, e.String(), "it was %s, and is %s", text(was), text(is))
	isNamed := w.is("Synced") == "False" && strings.Contains(w.why(), e.path[0])
	w.failIf(!isNamed, immutableSilent, e.String(), "%s %s", w.is("Synced"), w.why())
}

// withoutValue notes that a value of a field isn't admitted, and how the test gives others.
func (l *life) withoutValue(what string, value any, e edit, err error) {
	l.without(what, "the API server refuses %s: %v; give Edits[%q] two values that it takes", text(value), err, e)
}

func (l *life) policies() {
	if l.noPolicies {
		l.without(l.step, "the reconciler has none")
		return
	}
	actions := []string{Create, Update, Delete, "LateInitialize"}
	for bits := range 1 << len(actions) {
		policies := []any{"Observe"}
		for i, action := range actions {
			if bits&(1<<i) != 0 {
				policies = append(policies, strings.ToUpper(action[:1])+action[1:])
			}
		}
		spec := l.withPolicies(policies...)
		w, _ := l.imported(l.example, spec, "policies %v", policies)
		before := w.forProvider()
		w.look()
		if strings.Contains(w.why(), "not supported") {
			continue
		}
		l.done()
		w.rest()
		if after := w.forProvider(); !reflect.DeepEqual(before, after) && !allows(spec, "LateInitialize") {
			w.fail(filledForbidden, "", "it is %s", text(after))
		}
		w.isSaved()
		w.setAny()
		w.rest()
		w.delete()
		w.rest()
		for _, call := range w.asked {
			w.failIf(!allows(spec, strings.ToUpper(call[:1])+call[1:]), forbidden, call, "")
		}
		w.isDeleted()
		switch isKept := len(w.own()) == 1; {
		case isKept && allows(spec, "Delete"):
			w.fail(leftBehind, "", "")
		case !isKept && !allows(spec, "Delete"):
			w.fail(notKept, "", "")
		}
	}
}

func (l *life) initial() {
	s := within(l.schemaOf(l.gvk), "spec", "initProvider")
	for _, e := range l.edits {
		if within(s, e.path...) == nil || !e.isOptional {
			continue
		}
		what := "initProvider of " + e.String()
		if reason := l.reason(what); reason != "" {
			l.without(what, "%s", reason)
			continue
		}
		if slices.Contains(l.Later, e.path[0]) {
			l.without(what, "creation doesn't take it")
			continue
		}
		spec := e.in(l.withPolicies("Observe", "Create", "Update", "Delete"), nil)
		_ = unstructured.SetNestedField(spec, runtime.DeepCopyJSONValue(e.values[1]), append([]string{"initProvider"}, e.path...)...) // structs
		if _, err := l.admits(e.in(spec, e.values[0])); err != nil {
			l.withoutValue(what, e.values[1], e, err)
			continue
		}
		_, other := l.bornOf(e.in(spec, e.values[0]), "%s", what).doc()
		w := l.world("%s", what)
		if w.user.Create(ctx, w.object(spec)) != nil || !w.settle() {
			continue
		}
		l.done()
		_, d := w.doc()
		w.isUntouched("initProvider."+e.String(), "")
		shown, _, _ := unstructured.NestedFieldNoCopy(status(w.live()), e.path...)
		w.failIf(!holds(shown, e.values[1]) && within(l.observation, e.path...) != nil, createLacks, "initProvider."+e.String(), "%s", text(d))
		w.leavesInitial(e, d, other)
	}
}

// leavesInitial checks that updates leave a field that only initProvider has to others, who change it to that of another document.
func (w *world) leavesInitial(e edit, born, other Document) {
	for _, f := range changed(born, other) {
		if !same(f, e.path[0]) || other[f] == nil {
			continue
		}
		w.change(func(d Document) { d[f] = other[f] })
		w.rest()
		if w.setAny(e.path[0]) && w.settle() {
			_, d := w.doc()
			w.failIf(!holds(d[f], w.desired(f, other[f])), initialSent, "initProvider."+e.String(), "it was %s, and is %s", text(other[f]), text(d[f]))
		}
	}
}

func (l *life) connectionSecret() {
	if len(l.Keys) == 0 || l.secretName() == "" {
		l.without("connection secret", "the kind declares no keys")
		return
	}
	const failing = "deleted while updates fail"
	var published []string // again after it was deleted
	for _, how := range []string{"deleted", "renamed", failing} {
		w := l.born("connection secret %s", how)
		before, now := w.secretKeys(l.secretName()), l.secretName()
		switch how {
		case "renamed":
			if now = "another"; w.set(now, "spec", "writeConnectionSecretToRef", "name") != nil {
				continue
			}
		case failing:
			w.at, before = breaking("API "+Update), published
			w.setAny()
			w.rest()
			w.dropSecret(now)
		default:
			w.dropSecret(now)
		}
		w.rest()
		l.done()
		after := w.secretKeys(now)
		if how == "deleted" {
			published = after
		}
		isSilent := how == failing || w.is("Synced") == "True" && w.is("Ready") == "True"
		w.failIf(!slices.Equal(before, after) && isSilent, secretLost, "", "it has %v of %v", after, before)
		w.delete()
		w.ends()
	}
}

// secretKeys returns the keys of a secret.
func (w *world) secretKeys(name string) []string { return slices.Sorted(maps.Keys(w.secret(name))) }

func (l *life) terminating() {
	if !l.namespaced {
		l.without("namespace", "the kind is cluster scoped")
		return
	}
	w := l.born("terminating namespace")
	l.done()
	w.cluster.Drop(func(u *unstructured.Unstructured) bool { return strings.HasSuffix(u.GetKind(), "ProviderConfigUsage") })
	w.cluster.Terminating[l.namespace] = true
	w.delete()
	w.rest()
	w.refusals = len(w.cluster.Refused())
	w.ends()
}

func (l *life) owners() {
	if !l.userNames || !l.namespaced {
		l.without("two owners", "no two managed resources have one external name unless users say so")
		return
	}
	w := l.born("two owners")
	for _, o := range l.objects {
		if o := o.DeepCopy(); o.GetNamespace() == l.namespace {
			o.SetNamespace("other")
			w.add(o)
		}
	}
	w.in = "other"
	w.create(l.example)
	w.rest()
	l.done()
	if w.failed || len(w.own()) == 2 {
		return // each has its own
	}
	w.failIf(w.is("Synced") == "True", twoOwners, "", "")
	w.delete()
	w.rest()
	w.failIf(len(w.own()) != 1, otherDeleted, "", "")
	w.isDeleted()
}

// together lives two managed resources whose reconciles overlap: one is looked at whenever the other one asks the cluster.
func (l *life) together() {
	another := l.another()
	if another == nil {
		l.without(l.step, "the API has no two of them")
		return
	}
	for _, phase := range phases {
		w := l.world("%s while another one is reconciled", phase.name)
		u := w.managed(w.in, "other", another)
		if l.secretName() != "" {
			_ = unstructured.SetNestedField(u.Object, "other", "spec", "writeConnectionSecretToRef", "name") // an object
		}
		w.add(u)
		key := client.ObjectKeyFromObject(u)
		for range patience / 2 {
			w.reconcile(key)
		}
		w.had = w.all()
		phase.begin(w)
		isOther := false
		w.at = func(point string) error {
			if !isOther && strings.HasPrefix(point, "cluster ") {
				isOther = true
				w.reconcile(key)
				isOther = false
			}
			return nil
		}
		w.rest()
		l.done()
		w.at = nil
		if phase.name == "deletion" {
			w.ends()
		} else if w.settle() {
			w.agree()
		}
		w.failIf(!reflect.DeepEqual(w.others(), w.had), strangers, "", "")
	}
}

// another returns the spec of a managed resource that the API has beside the example: the example itself, or else one with other texts,
// such as a label that is unique. It returns nil if the API has no two of them.
func (l *life) another() map[string]any {
	varied := runtime.DeepCopyJSON(l.example)
	for _, e := range l.edits {
		if text, isText := e.values[1].(string); isText && !e.isOptional {
			varied = e.in(varied, text)
		}
	}
	for _, spec := range []map[string]any{l.example, varied} {
		w := l.world("two of them")
		for n, of := range []map[string]any{l.example, spec} {
			u := w.managed(w.in, fmt.Sprintf("of-two-%d", n), of)
			w.add(u)
			for range patience / 2 {
				w.reconcile(client.ObjectKeyFromObject(u))
			}
		}
		if len(w.all()) == 2 {
			return spec
		}
	}
	return nil
}

func (l *life) deletes() {
	w := l.born("delete")
	l.done()
	w.delete()
	w.delete() // impatient users do it twice
	w.ends()
	w.failIf(countOf(w.asked, Delete) != 1, deletedTwice, "", "%d times", countOf(w.asked, Delete))
	if l.userNames {
		w = l.world("delete under another name")
		w.createAs("another", l.example)
		w.settle()
		w.delete()
		w.ends()
	}
	w = l.world("delete before the first look")
	w.create(l.example)
	w.delete()
	w.ends()
	w = l.world("delete after the first look")
	w.create(l.example)
	w.look()
	w.delete()
	w.ends()
	w = l.born("delete of what is gone")
	w.delete()
	w.at = func(point string) error {
		if point == "API "+Delete {
			w.remove()
		}
		return nil
	}
	w.warned = nil
	if w.look(); len(w.warned) > 0 {
		w.fail(deleteGone, "", "%s", w.warned[0])
	}
	w.ends()
	l.did[l.step] += 3
	w = l.born("orphan")
	if !l.noPolicies && w.set([]any{"Observe", "Create", "Update", "LateInitialize"}, "spec", "managementPolicies") == nil {
		w.delete()
		w.rest()
		l.done()
		w.failIf(!w.failed && len(w.own()) != 1, notKept, "", "%v", w.asked)
	}
}
