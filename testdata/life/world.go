package life

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"maps"
	"path"
	"reflect"
	goruntime "runtime"
	"slices"
	"strings"
	"time"

	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/client-go/tools/record"
	ctrl "sigs.k8s.io/controller-runtime"
	"sigs.k8s.io/controller-runtime/pkg/client"
	ctrlconfig "sigs.k8s.io/controller-runtime/pkg/config"
	ctrlmanager "sigs.k8s.io/controller-runtime/pkg/manager"
	"sigs.k8s.io/controller-runtime/pkg/reconcile"

	"github.com/crossplane/crossplane-runtime/v2/pkg/controller"
	"github.com/crossplane/crossplane-runtime/v2/pkg/feature"
	"github.com/crossplane/crossplane-runtime/v2/pkg/logging"
	"github.com/crossplane/crossplane-runtime/v2/pkg/meta"
	"github.com/crossplane/crossplane-runtime/v2/pkg/resource/fake"
)

const (
	// name is the name of the managed resource, and part of no field of an example.
	name = "my-own"
	// pollInterval isn't the reconciler's default.
	pollInterval = 7 * time.Minute
	// patience is how many looks may pass until nothing changes.
	patience = 25
)

// errStopped is what a process gets that was stopped: it does nothing any more.
var errStopped = fmt.Errorf("the process was stopped: %w", context.Canceled)

// A world has a cluster, an external API and a process. Its first failure ends it: it does nothing then.
type world struct {
	*life
	step   string
	failed bool
	// in is the namespace of the managed resource.
	in       string
	cluster  *Cluster
	user     client.Client
	external External
	process  Process
	running  reconcile.Reconciler
	stopped  bool
	// at is called at each call of the provider. The error is the answer.
	at func(point string) error
	// later is a call that the API accepts and doesn't do.
	later func(call string) bool
	// had are the external resources of others.
	had map[string]Document
	// writes are the calls of the API that changed something, and asked those that were to, each once a look.
	writes, asked []string
	// writtenBefore and askedBefore are how many there were before this look.
	writtenBefore, askedBefore int

	events   *record.FakeRecorder
	isHeard  bool
	again    time.Duration
	refusals int
	// warned are the events with warnings since this world began to settle, and isInjured is set once a call was made to fail.
	warned    []string
	isInjured bool
	// hasRead is set if this look asked the API for the external resource, and isYoung until one did after the creation.
	hasRead, isYoung bool
	// old is the external resource before an update, and vain counts the updates that changed nothing.
	old  Document
	vain int
	// calm is how many looks without a change are rest.
	calm int
	// unsaved is spec.forProvider in memory if the cluster has another one, and updates how often this look updated the managed resource.
	unsaved any
	updates int
	// target is what a reference refers to.
	target *unstructured.Unstructured
	// credentials are those of the last client, nil if the external API isn't told of clients.
	credentials *string
	// astray is what Delete was sent for that didn't exist.
	astray string
	// read are the objects that the provider has read.
	read map[reading]bool
}

// A reading is the kind and name of an object that was read, without a name if it was listed.
type reading struct {
	schema.GroupVersionKind
	name string
}

// world returns a world, which ends the one before: what tests replace may be global. Its cluster has the
// objects that the managed resource needs.
func (l *life) world(step string, arguments ...any) *world {
	external, process := l.External()
	return l.worldOf(external, process, fmt.Sprintf(step, arguments...))
}

func (l *life) worldOf(external External, process Process, step string) *world {
	l.worlds++
	w := &world{
		life: l, step: step, in: l.namespace, cluster: l.cluster.Empty(), external: external, process: process,
		read: map[reading]bool{}, events: record.NewFakeRecorder(patience), calm: 3,
	}
	w.had = w.all()
	w.user = w.cluster.Client("user", nil)
	for _, o := range l.objects {
		w.add(o)
	}
	external.Hook(w.before, w.after)
	w.restart()
	return w
}

// fail ends a world.
func (w *world) fail(c cause, subject, format string, arguments ...any) {
	if !w.failed {
		w.life.fail(w.step, c, subject, format, arguments...)
	}
	w.failed = true
}

// failIf ends a world in which something is so that must not be.
func (w *world) failIf(isWrong bool, c cause, subject, format string, arguments ...any) {
	if isWrong {
		w.fail(c, subject, format, arguments...)
	}
}

// add adds an object to the cluster as the user.
func (w *world) add(o *unstructured.Unstructured) {
	if err := w.user.Create(context.Background(), withoutTexts(o)); err != nil {
		w.fail(nothingDone, o.GetKind(), "%v", err)
	}
}

// withoutTexts returns an object with the texts of a secret encoded, as the API server stores them.
func withoutTexts(o *unstructured.Unstructured) *unstructured.Unstructured {
	o = o.DeepCopy()
	texts, _, _ := unstructured.NestedStringMap(o.Object, "stringData")
	delete(o.Object, "stringData")
	for key, text := range texts {
		_ = unstructured.SetNestedField(o.Object, encoded(text), "data", key) // which is a map, if it's there
	}
	return o
}

// restart stops the process, and starts another one.
func (w *world) restart() {
	w.stopped = false
	w.running = w.process(NewManager(w.cluster.Client("provider", w.request), w.events), optionsOf())
}

// optionsOf returns the options of controllers.
func optionsOf() controller.Options {
	features := &feature.Flags{}
	features.Enable(feature.EnableBetaManagementPolicies)
	return controller.Options{Logger: logging.NewNopLogger(), PollInterval: pollInterval, MaxConcurrentReconciles: 1, Features: features}
}

// NewManager returns crossplane-runtime's fake manager with a client, and with a recorder of events.
func NewManager(kube client.Client, events record.EventRecorder) ctrl.Manager {
	return &manager{Manager: fake.Manager{Client: kube, Scheme: kube.Scheme()}, EventRecorder: events}
}

// A manager is the runtime's fake, which has no recorder of events and takes no controllers.
type manager struct {
	fake.Manager
	record.EventRecorder
}

// Add implements manager.Manager.
func (*manager) Add(ctrlmanager.Runnable) error { return nil }

// GetControllerOptions implements manager.Manager. Controllers of a name may be added again.
func (*manager) GetControllerOptions() ctrlconfig.Controller {
	isRepeated := true
	return ctrlconfig.Controller{SkipNameValidation: &isRepeated}
}

// GetEventRecorderFor implements manager.Manager.
func (m *manager) GetEventRecorderFor(string) record.EventRecorder { return m.EventRecorder }

// call is a call of the provider.
func (w *world) call(point string) error {
	if w.stopped {
		return errStopped
	}
	if w.at == nil {
		return nil
	}
	err := w.at(point)
	if w.stopped {
		err = errStopped
	}
	w.isInjured = w.isInjured || err != nil
	return err
}

// request is called before requests to the cluster.
func (w *world) request(verb string, object runtime.Object) error {
	o, isObject := object.(client.Object)
	gvk, err := w.user.GroupVersionKindFor(object)
	point := "cluster " + verb + " " + reflect.TypeOf(object).Elem().Name()
	switch {
	case err != nil: // the cluster says so
	case verb == "get":
		w.read[reading{gvk, o.GetName()}] = true
		if in := o.GetNamespace(); in != "" && in != w.in && !w.named[in] {
			w.fail(otherNamespace, gvk.Kind, "%q", in)
		}
		if gvk.Kind == "Secret" {
			point += " " + o.GetName()
		}
	case verb == "list":
		gvk.Kind = strings.TrimSuffix(gvk.Kind, "List")
		w.read[reading{GroupVersionKind: gvk}] = true
	case verb == "update the status of" && isObject:
		w.unsaved = w.inMemory(o)
	case verb == "update" && gvk == w.gvk:
		w.updates++
	}
	return w.call(point)
}

// inMemory returns the spec.forProvider of an object in memory if the cluster has another one, nil otherwise.
func (w *world) inMemory(object client.Object) any {
	stored := w.cluster.Stored(w.gvk.GroupKind(), client.ObjectKeyFromObject(object))
	if stored == nil || reflect.TypeOf(object) != reflect.TypeOf(w.Managed) {
		return nil
	}
	has, _, _ := unstructured.NestedMap(document(object), "spec", "forProvider")
	was, _, _ := unstructured.NestedMap(stored.Object, "spec", "forProvider")
	if holds(was, has) {
		return nil
	}
	return has
}

func (w *world) before(call, id string) (bool, error) {
	point := "API " + call
	if call == Connect {
		w.credentials = &id
		return false, w.call(point)
	}
	if call == Get && w.external.All()[id] == nil {
		point += " of nothing"
	}
	if err := w.call(point); err != nil {
		return false, err
	}
	if call == Delete && w.external.All()[id] == nil {
		w.astray = id
	}
	w.hasRead = w.hasRead || call == Get
	if call != Get {
		w.asked, w.old = note(w.asked, w.askedBefore, call), w.external.All()[id]
		if w.Busy != nil && (w.isIn(id, w.Creating) || w.isIn(id, w.Deleting)) {
			return false, w.Busy
		}
	}
	return w.later != nil && w.later(call), nil
}

func (w *world) after(call, id string) error {
	if call == Connect {
		return nil
	}
	if call == Update && reflect.DeepEqual(w.old, w.external.All()[id]) {
		w.vain++
	}
	if call != Get {
		w.writes = note(w.writes, w.writtenBefore, call)
	}
	return w.call("after API " + call)
}

// note adds a call to those since this look began, once: a controller may need several requests, and updates after a creation
// are a part of it.
func note(calls []string, since int, call string) []string {
	now := calls[since:]
	isPart := call == Update && slices.Contains(now, Create)
	if isPart || slices.Contains(now, call) {
		return calls
	}
	return append(calls, call)
}

// isIn reports whether an external resource is in a state.
func (w *world) isIn(id string, state Document) bool {
	return state != nil && holds(w.external.All()[id], state)
}

// managed returns a managed resource of the user.
func (l *life) managed(in, name string, spec map[string]any) *unstructured.Unstructured {
	u := &unstructured.Unstructured{Object: map[string]any{"spec": runtime.DeepCopyJSON(spec)}}
	u.SetGroupVersionKind(l.gvk)
	u.SetName(name)
	if l.namespaced {
		u.SetNamespace(in)
	}
	return u
}

// object returns the managed resource of a world.
func (w *world) object(spec map[string]any) *unstructured.Unstructured {
	return w.managed(w.in, name, spec)
}

// create creates the managed resource, with the example's spec unless another one is given.
func (w *world) create(spec map[string]any) {
	w.add(w.object(spec))
}

// createAs creates the managed resource with an external name that the user sets.
func (w *world) createAs(external string, spec map[string]any) {
	u := w.object(spec)
	meta.SetExternalName(u, external)
	w.add(u)
}

func (w *world) key() client.ObjectKey { return client.ObjectKeyFromObject(w.object(nil)) }

// live returns the managed resource as it is stored, nil if it is gone.
func (w *world) live() *unstructured.Unstructured {
	if u := w.cluster.Stored(w.gvk.GroupKind(), w.key()); u != nil {
		return u.DeepCopy()
	}
	return nil
}

// forProvider returns spec.forProvider.
func (w *world) forProvider() map[string]any {
	u := w.live()
	if u == nil {
		return nil
	}
	fields, _, _ := unstructured.NestedMap(u.Object, "spec", "forProvider")
	return fields
}

// set changes a field of the managed resource as the user, and removes it if the value is nil.
func (w *world) set(value any, path ...string) error {
	u := w.live()
	if u == nil {
		return errors.New("the managed resource is gone")
	}
	if value == nil {
		unstructured.RemoveNestedField(u.Object, path...)
	} else if err := unstructured.SetNestedField(u.Object, runtime.DeepCopyJSONValue(value), path...); err != nil {
		return err
	}
	err := w.user.Update(context.Background(), u)
	w.refusals = len(w.cluster.Refused()) // the user's are none of the provider's
	return err
}

// setField changes a field of spec.forProvider.
func (w *world) setField(e edit, value any) error {
	return w.set(value, append([]string{"spec", "forProvider"}, e.path...)...)
}

// setAny makes the first edit that the API server accepts, and reports whether there is one. It leaves unset fields to late
// initialization if it can, and some fields alone.
func (w *world) setAny(alone ...string) bool {
	for _, wasSet := range []bool{true, false} {
		for _, e := range w.edits {
			value := e.values[1]
			current, isSet, _ := unstructured.NestedFieldNoCopy(w.forProvider(), e.path...)
			if holds(current, value) {
				value = e.values[0]
			}
			isChosen := isSet == wasSet && !e.isFixed && !slices.Contains(alone, e.path[0])
			if isChosen && w.setField(e, value) == nil {
				return true
			}
		}
	}
	return false
}

// delete deletes the managed resource as the user.
func (w *world) delete() {
	if u := w.live(); u != nil {
		if err := w.user.Delete(context.Background(), u); err != nil {
			w.fail(nothingDone, "delete", "%v", err)
		}
	}
}

// secret returns the values of a secret.
func (w *world) secret(name string) map[string]string {
	u := w.cluster.Stored(schema.GroupKind{Kind: "Secret"}, client.ObjectKey{Namespace: w.secretNamespace(), Name: name})
	if u == nil {
		return nil
	}
	values, _, _ := unstructured.NestedStringMap(u.Object, "data")
	for key, value := range values {
		values[key] = decoded(value)
	}
	return values
}

// secretNamespace returns the namespace of the connection secret.
func (w *world) secretNamespace() string {
	in, found, _ := unstructured.NestedString(w.example, "writeConnectionSecretToRef", "namespace")
	if found {
		return in
	}
	return w.in
}

// dropSecret deletes a secret.
func (w *world) dropSecret(name string) {
	w.cluster.Drop(func(u *unstructured.Unstructured) bool { return u.GetKind() == "Secret" && u.GetName() == name })
}

// all returns all external resources, with their lists in one order: APIs may show another one each time.
func (w *world) all() map[string]Document {
	all := w.external.All()
	for _, d := range all {
		inOrder(d, w.parameters)
	}
	return all
}

// own returns the external resources that weren't there at the beginning.
func (w *world) own() map[string]Document {
	all := w.all()
	maps.DeleteFunc(all, func(id string, _ Document) bool { return w.had[id] != nil })
	return all
}

// others returns the external resources that were there at the beginning, and still are.
func (w *world) others() map[string]Document {
	all := w.all()
	maps.DeleteFunc(all, func(id string, _ Document) bool { return w.had[id] == nil })
	return all
}

// doc returns the external resource, which is the only one if all is well.
func (w *world) doc() (string, Document) {
	own := w.own()
	for _, id := range slices.Sorted(maps.Keys(own)) {
		return id, own[id]
	}
	return "", nil
}

// change changes the external resource as somebody else.
func (w *world) change(change func(Document)) {
	id, _ := w.doc()
	if err := w.external.Change(id, change); err != nil {
		w.fail(nothingDone, "change", "%v", err)
	}
}

// remove removes the external resource as somebody else, long after it was created.
func (w *world) remove() {
	id, _ := w.doc()
	w.external.Remove(id)
	w.age()
}

// count returns how often the API did a call.
func (w *world) count(call string) int { return countOf(w.writes, call) }

func countOf(calls []string, call string) (n int) {
	for _, c := range calls {
		if c == call {
			n++
		}
	}
	return n
}

// look reconciles the managed resource once.
func (w *world) look() {
	if w.failed {
		return
	}
	w.looks++
	w.writtenBefore, w.askedBefore = len(w.writes), len(w.asked)
	w.updates, w.hasRead = 0, false
	before := w.current()
	w.reconcile(w.key())
	if w.stopped {
		w.restart()
	}
	for _, r := range w.cluster.Refused()[w.refusals:] {
		w.fail(refused, "", "%s", r)
	}
	w.refusals = len(w.cluster.Refused())
	creates := slices.Contains(w.asked[w.askedBefore:], Create)
	if w.isYoung = w.isYoung || creates; w.hasRead && !creates { // the first read after a creation may be too early to find it
		w.age()
	}
	u := w.live()
	if u == nil {
		return
	}
	w.failIf(len(status(before)) > 0 && len(status(u)) == 0, statusNone, "", "it was there before")
	named, now := meta.GetExternalName(before), meta.GetExternalName(u)
	w.failIf(named != "" && named != now && !creates, nameChanged, "", "%q became %q", named, now)
}

// hear notes the events with warnings. No event has a secret value.
func (w *world) hear() {
	for len(w.events.Events) > 0 {
		event := <-w.events.Events
		w.isHeard = true
		if strings.HasPrefix(event, "Warning") {
			w.warned = append(w.warned, event)
		}
		w.keepsSecrets("an event", event)
	}
}

// keepsSecrets checks that a text has no value of a secret. Values are public that spec names, or the status by their key, and those
// of the connection secret that the status has by another name.
func (w *world) keepsSecrets(where, seen string) {
	for _, u := range w.cluster.Kind("Secret") {
		values, _, _ := unstructured.NestedStringMap(u.Object, "data")
		for _, key := range slices.Sorted(maps.Keys(values)) {
			value := decoded(values[key])
			isSeen := len(value) > 7 && strings.Contains(seen, strings.Trim(text(value), `"`))
			w.failIf(isSeen && !w.isPublic(u, key, value), secretShown, where, "the key %s of the secret %s", key, u.GetName())
		}
	}
}

// isPublic reports whether a value of a secret may be seen.
func (w *world) isPublic(secret *unstructured.Unstructured, key, value string) bool {
	_, d := w.doc()
	properties, _ := w.observation["properties"].(map[string]any)
	switch {
	case lookup(properties, key) != nil, mentions(w.example, value):
		return true
	case secret.GetName() == input:
		return false
	case mentions(status(w.live()), value):
		return true
	case secret.GetName() == w.secretName():
		return !mentions(lookup(d, key), value)
	}
	return mentions(d, value)
}

// reconcile calls the reconciler. A panic is a failure with its place.
func (w *world) reconcile(key client.ObjectKey) {
	defer w.hear()
	defer func() {
		if what := recover(); what != nil {
			w.fail(panicked, place(), "%v", what)
		}
	}()
	// Errors are in conditions, and stopped processes return some.
	result, _ := w.running.Reconcile(context.Background(), reconcile.Request{NamespacedName: key})
	w.again = result.RequeueAfter
}

// place returns the file and line of a panic that is recovered from: the first one of the provider, since other modules mostly
// panic for what it gives them, or else the first one of a module.
func place() string {
	counters := make([]uintptr, 100)
	frames := goruntime.CallersFrames(counters[:goruntime.Callers(0, counters)])
	own := reflect.TypeFor[world]().PkgPath()
	provider := path.Dir(path.Dir(own)) + "/"
	first := ""
	for frame, more := frames.Next(); more; frame, more = frames.Next() {
		host, _, _ := strings.Cut(frame.Function, "/")
		at := fmt.Sprintf("%s/%s:%d", path.Base(path.Dir(frame.File)), path.Base(frame.File), frame.Line)
		switch isOwn := strings.HasPrefix(frame.Function, own+"."); {
		case isOwn && strings.HasSuffix(frame.Function, ".reconcile"):
			return first
		case isOwn, frame.File == "<autogenerated>":
		case strings.HasPrefix(frame.Function, provider):
			return at
		case strings.Contains(host, ".") && host != frame.Function: // of no package of Go
			first = cmp.Or(first, at)
		}
	}
	return first
}

// age makes a creation one of long ago: the reconciler waits for what was created just now.
func (w *world) age() {
	w.isYoung = false
	u := w.cluster.Stored(w.gvk.GroupKind(), w.key())
	if u == nil || u.GetAnnotations()[meta.AnnotationKeyExternalCreateSucceeded] == "" {
		return
	}
	annotations := u.GetAnnotations()
	for _, key := range []string{meta.AnnotationKeyExternalCreatePending, meta.AnnotationKeyExternalCreateSucceeded, meta.AnnotationKeyExternalCreateFailed} {
		if t, err := time.Parse(time.RFC3339, annotations[key]); err == nil && time.Since(t) < time.Hour {
			annotations[key] = t.Add(-2 * time.Hour).Format(time.RFC3339)
		}
	}
	u.SetAnnotations(annotations)
}

// picture returns what matters of a managed resource, "" if it is gone.
func (w *world) picture() string {
	u := w.live()
	if u == nil {
		return ""
	}
	u.SetManagedFields(nil)
	u.SetResourceVersion("")
	annotations := u.GetAnnotations()
	maps.DeleteFunc(annotations, func(key, _ string) bool { return strings.HasPrefix(key, "crossplane.io/external-create-") })
	u.SetAnnotations(annotations)
	conditions, _, _ := unstructured.NestedSlice(u.Object, "status", "conditions")
	for _, c := range conditions {
		delete(c.(map[string]any), "lastTransitionTime")
	}
	if conditions != nil {
		_ = unstructured.SetNestedSlice(u.Object, conditions, "status", "conditions") // a slice that was there
	}
	inOrder(u.Object, nil)
	return text(u.Object)
}

// rest looks until some looks in a row change nothing, and reports whether that was so.
func (w *world) rest() bool {
	quiet, before, born := 0, w.picture(), w.current().GetGeneration()
	waits := 4 // for an API that works on it, whose states another look moves on
	for range patience {
		switch {
		case before == "" || w.failed:
			return true
		case w.current().GetGeneration() > born+patience/4:
			return false // spec may grow, and no look would end
		}
		asked, isYoung := len(w.asked), w.isYoung
		w.look()
		after := w.picture()
		w.keepsSecrets("the managed resource", after)
		if quiet++; isYoung || before != after || asked != len(w.asked) {
			quiet = 0
		}
		if _, reason, _ := condition(w.live(), "Ready"); quiet > 0 && reason == "Creating" && waits > 0 {
			quiet, waits = 0, waits-1
		}
		if quiet == w.calm {
			return true
		}
		before = after
	}
	return false
}

// settle rests, and checks that all is well then. It reports whether it is.
func (w *world) settle() bool {
	n := len(w.asked)
	w.warned = nil
	if !w.rest() {
		w.restless(w.asked[n:])
	}
	if w.isWell() && len(w.warned) > 0 && !w.isInjured {
		w.fail(needsRetry, "", "%s", w.warned[0])
	}
	return !w.failed
}

// isWell checks that all is well at rest.
func (w *world) isWell() bool {
	u := w.live()
	switch {
	case w.failed:
		return false
	case u == nil:
		w.fail(vanished, "", "")
		return false
	}
	w.isSaved()
	is, reason, message := condition(u, "Synced")
	w.failIf(is == "False", notHealthy, "Synced", "%q %s %s", is, reason, message)
	w.failIf(w.updates > 0, keepsWriting, "", "%s", message)
	secret := w.secret(w.secretName())
	for _, key := range slices.Sorted(maps.Keys(secret)) {
		matches := func(declared string) bool {
			before, after, isPattern := strings.Cut(declared, "*")
			return key == declared || isPattern && strings.HasPrefix(key, before) && strings.HasSuffix(key, after)
		}
		isDeclared := slices.ContainsFunc(w.Keys, matches) || w.reason(key) != ""
		w.failIf(isDeclared && secret[key] == "", secretKey, key, "its value is empty")
		w.failIf(!isDeclared && len(w.Keys) > 0, secretExtra, key, "")
	}
	for _, kind := range []string{"Synced", "Ready"} {
		if is, reason, message := condition(u, kind); is != "True" {
			w.fail(notHealthy, kind, "%q %s %s", is, reason, message)
		}
	}
	if own := w.own(); len(own) != 1 {
		w.fail(notOne, "", "there are %d", len(own))
	}
	w.failIf(!reflect.DeepEqual(w.others(), w.had), strangers, "", "%v became %v", w.had, w.others())
	return !w.failed
}

// isSaved checks that spec.forProvider in memory was that of the cluster.
func (w *world) isSaved() {
	c := filledUnsaved
	if spec, _, _ := unstructured.NestedMap(w.current().Object, "spec"); !allows(spec, "LateInitialize") {
		c = filledForbidden
	}
	w.failIf(w.unsaved != nil, c, "", "%s", text(w.unsaved))
}

// restless fails with the reason why there is no rest.
func (w *world) restless(asked []string) {
	w.isSaved()
	why, before := w.why(), w.forProvider()
	if why != "" {
		why = ": " + why
	}
	w.look()
	after := w.forProvider()
	for _, f := range slices.Sorted(maps.Keys(after)) {
		w.failIf(!reflect.DeepEqual(before[f], after[f]), keepsWriting, f, "it was %s, and is %s", text(before[f]), text(after[f]))
	}
	switch {
	case len(w.own()) > 0 && meta.GetExternalName(w.current()) == "":
		w.fail(nameUnset, "", "%s", strings.TrimPrefix(why, ": "))
	case countOf(asked, Create) > 3:
		w.fail(createsAgain, "", "there are %d external resources%s", len(w.own()), why)
	case countOf(asked, Update) > 3 && len(w.own()) == 0:
		w.fail(absentUpdated, "", "%s", strings.TrimPrefix(why, ": "))
	case countOf(asked, Update) > 3:
		_, d := w.doc()
		spec := w.forProvider()
		for _, f := range slices.Sorted(maps.Keys(spec)) {
			has := w.withoutMarks(lookup(d, f))
			isLeft := isEmpty(spec[f]) && !isEmpty(has)
			isOther := isLeft || !holds(has, spec[f]) || !w.keepsOrder(f, has, spec[f])
			w.failIf(has != nil && isOther, updatesAgain, f, "it is still %s in the API, and %s in spec%s", text(has), text(spec[f]), why)
		}
		w.fail(updatesAgain, "", "the API has what spec has%s", why)
	default:
		w.fail(keepsWriting, "", "%s", strings.TrimPrefix(why, ": "))
	}
}

// born returns a world with a managed resource at rest.
func (l *life) born(step string, arguments ...any) *world {
	return l.bornOf(l.example, step, arguments...)
}

func (l *life) bornOf(spec map[string]any, step string, arguments ...any) *world {
	w := l.world(step, arguments...)
	w.create(spec)
	w.settle()
	w.publishes()
	return w
}

// publishes checks that the connection secret of what was just created has its keys.
func (w *world) publishes() {
	for _, key := range w.Keys {
		if strings.Contains(key, "*") {
			continue // a pattern may have no key
		}
		w.failIf(w.secret(w.secretName())[key] == "", secretKey, key, "")
	}
}

// agree checks that spec, status, connection secret and API agree.
func (w *world) agree() {
	u := w.live()
	_, d := w.doc()
	if w.failed || u == nil || d == nil {
		return
	}
	observed, spec := status(u), w.forProvider()
	fields, _ := w.observation["properties"].(map[string]any)
	if len(observed) == 0 && len(fields) > 0 {
		w.fail(statusNone, "", "")
		return
	}
	for _, f := range slices.Sorted(maps.Keys(fields)) {
		w.agreeOn(f, spec, observed, d)
	}
	secret := w.secret(w.secretName())
	for _, key := range slices.Sorted(maps.Keys(secret)) {
		value := secret[key]
		shown, _ := lookup(d, key).(string)
		isPart := strings.Contains(value, shown) || mentions(shown, value)
		switch known, isKnown := w.unshown[key]; {
		case w.reason(key) != "":
		case !isPart:
			w.fail(secretOld, key, "it is %q, the API shows %q", value, shown)
		case mentions(d, value):
			w.unshown[key] = ""
		case !isKnown:
			w.unshown[key] = value
		case known != value:
			w.failIf(isReordered(known, value), secretTurns, key, "it was %q, and is %q", known, value)
			w.fail(secretOld, key, "")
		}
	}
}

// agreeOn checks that a field of spec, status and API agree.
func (w *world) agreeOn(f string, spec, observed map[string]any, d Document) {
	shown := w.withoutMarks(lookup(d, f))
	has, isObserved := observed[f]
	want, isSet := spec[f]
	want = shownBy(within(w.observation, f), want) // the status has no secrets
	_, isParameter := w.parameters["properties"].(map[string]any)[f]
	isUnset := isParameter && !isEmpty(has) && !isSet
	switch {
	case !isEmpty(shown) && isEmpty(has) && !(isObserved && isHollow(shown)):
		w.fail(statusUnset, f, "it shows %s", text(shown))
	case isObserved && shown != nil && !holds(shown, has):
		w.fail(statusOld, f, "it is %s, the API shows %s", text(has), text(shown))
	case isObserved && isSet && !(holds(has, want) && w.keepsOrder(f, has, want)):
		w.fail(unseen, f, "spec has %s, the status %s", text(want), text(has))
	case isUnset && w.filled[f] && allows(w.live().Object["spec"].(map[string]any), "LateInitialize"):
		w.fail(notFilled, f, "the API has %s", text(has))
	}
}

// keepsOrder reports whether two values of a field have the same order, or none that counts.
func (l *life) keepsOrder(f string, a, b any) bool {
	return !isOrdered(within(l.parameters, f)) || inSameOrder(a, b)
}

// isWhole checks that the status has all that it has without trouble.
func (w *world) isWhole() {
	u := w.live()
	now := status(u)
	for _, f := range slices.Sorted(maps.Keys(w.whole)) {
		isOther := within(w.parameters, f) == nil && !isEmpty(w.whole[f]) && isEmpty(now[f])
		w.failIf(u != nil && isOther, partMissing, f, "it is %s otherwise", text(w.whole[f]))
	}
}

// isUntouched checks that what was just created wasn't updated, but once where it has fields that creation doesn't take.
func (w *world) isUntouched(subject, detail string) {
	w.failIf(w.vain > 0, updatesVain, subject, "%s", detail)
	expected := 0
	if u := w.live(); u != nil && slices.ContainsFunc(w.Later, func(f string) bool {
		_, isSet, _ := unstructured.NestedFieldNoCopy(u.Object, "spec", "forProvider", f)
		return isSet
	}) {
		expected = 1
	}
	w.failIf(w.count(Update) > expected, updatesNew, subject, "%s", detail)
}

// status returns status.atProvider.
func status(u *unstructured.Unstructured) map[string]any {
	if u == nil {
		return nil
	}
	observed, _, _ := unstructured.NestedMap(u.Object, "status", "atProvider")
	return observed
}

// is returns the status of a condition, and why the message of Synced.
func (w *world) is(kind string) string {
	is, _, _ := condition(w.live(), kind)
	return is
}

func (w *world) why() string {
	_, _, message := condition(w.live(), "Synced")
	return message
}

// condition returns a condition of a managed resource.
func condition(u *unstructured.Unstructured, kind string) (is, reason, message string) {
	if u == nil {
		return "", "", ""
	}
	conditions, _, _ := unstructured.NestedSlice(u.Object, "status", "conditions")
	for _, c := range conditions {
		if fields, _ := c.(map[string]any); fields["type"] == kind {
			is, _ = fields["status"].(string)
			reason, _ = fields["reason"].(string)
			message, _ = fields["message"].(string)
		}
	}
	return is, reason, message
}
