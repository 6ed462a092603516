package life

import (
	"cmp"
	"maps"
	"reflect"
	"slices"
	"strings"

	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/runtime"
	"sigs.k8s.io/controller-runtime/pkg/client"

	"github.com/crossplane/crossplane-runtime/v2/pkg/meta"
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
	{name: "walks", do: (*life).walk, holds: "all of this after random steps"},
	{name: "errors", do: (*life).broken, isSlow: true, holds: "errors and conflicts at each call are reported, and retried"},
	{name: "stops", do: (*life).stops, isSlow: true, holds: "after a stop at each call there is one external resource at most, and rest"},
}

func (l *life) create() {
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
	// An API that chooses names answers with another one, or tells resources apart by something else.
	id, _ := w.doc()
	l.userNames = l.userNames && meta.GetExternalName(w.live()) == name && strings.Contains(id, name)
	given, _, _ := unstructured.NestedMap(l.example, "forProvider")
	for f := range w.forProvider() {
		l.filled[f] = given[f] == nil
	}
	if n := w.count(Create); n != 1 {
		w.fail(notOne, "", "Create is called %d times", n)
	}
	if w.count(Update) > 0 {
		w.fail(updatesNew, "", "")
	}
	w.agree()
	w.publishes()
	before, secret := w.picture(namespace), text(w.secret(l.secretName()))
	w.restart()
	w.settle()
	if before != w.picture(namespace) || secret != text(w.secret(l.secretName())) {
		w.fail(restarted, "", "")
	}
	w.news()
	w = l.world("management policies")
	w.create(l.withPolicies("Observe", "Create", "Update", "Delete"))
	w.look()
	if _, _, message := condition(w.live(), "Synced"); strings.Contains(message, "feature is not enabled") {
		l.noPolicies = true
		l.without("management policies", "the reconciler hasn't managed.WithManagementPolicies")
	}
}

// news changes what the API alone sets, and checks that status and connection secret show it.
func (w *world) news() {
	fields, _ := w.observation["properties"].(map[string]any)
	_, d := w.doc()
	for _, f := range slices.Sorted(maps.Keys(d)) {
		value, isText := d[f].(string)
		isShown := slices.ContainsFunc(slices.Collect(maps.Keys(fields)), func(name string) bool { return same(name, f) })
		parameters, _ := w.parameters["properties"].(map[string]any)
		isOther := lookup(parameters, f) != nil || w.Ready[f] != nil || w.isIdentifier(f, value)
		if !isText || !isShown || isOther {
			continue
		}
		w.change(func(d Document) { d[f] = value + "-moved" })
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

func (l *life) otherName() {
	if !l.userNames {
		l.without("external name", "the API chooses it")
		return
	}
	w := l.world("external name")
	u := w.object(namespace, l.example)
	meta.SetExternalName(u, "another")
	w.add(u)
	if w.settle() {
		l.done()
		if id, d := w.doc(); !strings.Contains(id, "another") && !mentions(d, "another") {
			w.fail(otherName, "", "")
		}
	}
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
	for _, variant := range slices.Sorted(maps.Keys(variants)) {
		for _, e := range l.edits {
			spec := runtime.DeepCopyJSON(variants[variant])
			if err := unstructured.SetNestedField(spec, runtime.DeepCopyJSONValue(e.values[0]), append([]string{"forProvider"}, e.path...)...); err != nil {
				l.without("edits of "+e.String(), "%v", err)
				continue
			}
			w := l.world("%s of %s%s", l.step, e, variant)
			if err := w.user.Create(ctx, w.object(namespace, spec)); err != nil {
				l.without("edits of "+e.String(), "the API server refuses %s: %v", text(e.values[0]), err)
				continue
			}
			if w.settle() {
				w.agree()
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
		values := append(slices.Clone(e.values), e.values[0])
		for i, value := range values[1:] {
			_, before := w.doc()
			n := w.count(Update)
			if err := w.setField(e, value); err != nil {
				l.once = append(l.once, e.String())
				l.done() // an immutable field is refused, and so never sent
				return
			}
			if !w.settle() {
				return
			}
			l.done()
			w.agree()
			w.got(e, values[i], value, before, w.count(Update)-n)
			w.kept(born)
		}
	})
}

// got checks that the API got an edit, and nothing else.
func (w *world) got(e edit, from, to any, before Document, updates int) {
	_, after := w.doc()
	names := changed(before, after)
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
	case !holds(after[names[0]], to) && !strings.Contains(text(after), text(to)):
		w.fail(sentOther, e.String(), "%s, and the API has %s", what, text(after[names[0]]))
	}
	entries, _ := from.(map[string]any)
	now, _ := to.(map[string]any)
	for entry := range entries {
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
		for entry := range had {
			users, _ := lookup(spec, f).(map[string]any)
			if has[entry] == nil && strings.HasPrefix(entry, "crossplane-") && users[entry] == nil {
				w.fail(entriesLost, f, "%s", entry)
			}
		}
	}
}

func (l *life) removals() {
	isRemovable := func(e edit) bool { return e.isOptional && !slices.Contains(l.once, e.String()) }
	l.eachEdit(func(w *world, e edit) {
		late := fills(w.live().Object["spec"].(map[string]any))
		if !isRemovable(e) || w.setField(e, nil) != nil || !w.settle() {
			return
		}
		l.done()
		w.agree()
		if value, found, _ := unstructured.NestedFieldNoCopy(w.forProvider(), e.path...); found && !late && value != nil {
			w.fail(removedFilled, e.String(), "it is %s", text(value))
		}
		_, before := w.doc()
		i := slices.IndexFunc(l.edits, func(o edit) bool {
			return o.String() != e.String() && !slices.Contains(l.once, o.String()) && w.setField(o, o.values[1]) == nil
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
	if slices.ContainsFunc(l.edits, func(e edit) bool { return !slices.Contains(l.once, e.String()) }) {
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
		if w.failed || slices.Contains(l.once, e.String()) {
			continue
		}
		if w.setField(e, e.values[1]) != nil || !w.settle() {
			continue
		}
		_, d1 := w.doc()
		names := changed(d0, d1)
		if len(names) != 1 {
			continue // the step of edits says why
		}
		f, spec := names[0], w.forProvider()
		w.change(func(d Document) { d[f] = d0[f] })
		w.settle()
		l.done()
		if _, d := w.doc(); !w.failed && !reflect.DeepEqual(d[f], d1[f]) {
			w.fail(driftStays, e.String(), "the API has %s", text(d[f]))
		}
		w.ignored(f, d1[f], e.isSet)
		w.inUpperCase(f, d1[f])
		w.change(func(d Document) { delete(d, f) }) // APIs leave out what is empty
		w.settle()
		if now := w.forProvider(); !holds(now, spec) {
			w.fail(specChanged, e.String(), "%s became %s", text(spec), text(now))
		}
	}
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
	if len(w.asked) > n {
		w.fail(c, f, "%s is shown as %s", text(value), text(other))
	}
}

func (l *life) gone() {
	w := l.born("gone outside")
	w.remove()
	w.rest()
	if len(w.own()) == 0 {
		_, _, why := condition(w.live(), "Synced")
		w.fail(notRecreated, "", "%s", why)
	}
	w.settle()
	l.done()
	if n := w.count(Create); n != 2 {
		w.fail(notRecreated, "", "Create is called %d times", n)
	}
	w.agree()
	if l.noPolicies {
		return
	}
	for _, policies := range [][]any{{"Observe"}, {"Observe", "Update", "Delete"}, {"Observe", "LateInitialize", "Update"}} {
		w := l.born("gone outside, policies %v", policies)
		if w.failed || w.set(policies, "spec", "managementPolicies") != nil {
			continue
		}
		w.rest()
		if _, _, message := condition(w.live(), "Synced"); strings.Contains(message, "not supported") {
			continue
		}
		w.remove()
		n := len(w.asked)
		w.rest()
		l.done()
		if len(w.asked) > n {
			w.fail(absentUpdated, "", "%d times", len(w.asked)-n)
		}
		if is, _, _ := condition(w.live(), "Ready"); is == "True" {
			w.fail(readyGone, "", "")
		}
		if is, _, _ := condition(w.live(), "Synced"); is == "True" && len(policies) == 1 {
			w.fail(syncedGone, "", "")
		}
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
			w.change(func(d Document) { maps.Copy(d, l.Creating) })
		}
		return nil
	}
	w.create(l.example)
	w.rest()
	l.done()
	if is, _, _ := condition(w.live(), "Ready"); is != "False" {
		w.fail(readyEarly, "", "it is %q", is)
	}
	if n := countOf(w.asked, Create); n != 1 || len(w.own()) != 1 {
		w.fail(createsAgain, "", "there are %d external resources", len(w.own()))
	}
	w.setAny()
	n := countOf(w.asked, Update)
	for range 3 {
		w.look()
	}
	if countOf(w.asked, Update) > n {
		w.fail(busySent, "", "")
	}
	w.change(func(d Document) { maps.Copy(d, l.Ready) })
	w.settle()
	w.agree()
	for _, failed := range l.Failed {
		w.change(func(d Document) { maps.Copy(d, failed) })
		w.rest()
		if is, reason, _ := condition(w.live(), "Ready"); is == "True" || reason == "Creating" {
			w.fail(readyFailed, "", "it is %q %s", is, reason)
		}
	}

	w = l.born("while the API deletes it")
	w.later = func(call string) bool {
		if call == Delete {
			w.change(func(d Document) { maps.Copy(d, l.Deleting) })
		}
		return call == Delete
	}
	w.delete(namespace)
	w.rest()
	switch {
	case w.failed:
	case w.live() == nil:
		w.fail(deletingGone, "", "")
	case countOf(w.asked, Delete) > 1:
		w.fail(deletedTwice, "", "%d times", countOf(w.asked, Delete))
	}
	w.remove()
	w.ends()
}

// ends looks until the managed resource is gone, and checks that the external one is, too.
func (w *world) ends() {
	w.rest()
	if w.failed {
		return
	}
	if w.live() != nil {
		_, _, why := condition(w.live(), "Synced")
		w.fail(notDeleted, "", "%s", why)
	}
	if len(w.own()) > 0 {
		w.fail(leftBehind, "", "")
	}
}

// imported returns a world with a new cluster, and an external resource that an earlier one made, without marks of that.
func (l *life) imported(spec map[string]any, step string, arguments ...any) (*world, string) {
	old := l.born(step, arguments...)
	external := meta.GetExternalName(old.current())
	w := l.worldOf(old.external, old.process, old.step)
	w.had, w.failed = old.had, old.failed
	if w.failed {
		return w, ""
	}
	w.change(func(d Document) {
		for f, value := range d {
			d[f] = withoutMarks(value)
		}
	})
	u := w.written(w.object(namespace, spec))
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
	specs := []map[string]any{l.example}
	if !l.noPolicies {
		specs = append(specs, l.withPolicies("Observe"))
	}
	for _, spec := range specs {
		w, external := l.imported(spec, "import, policies %v", spec["managementPolicies"])
		l.done()
		generation := w.current().GetGeneration()
		w.look()
		if w.current().GetGeneration() != generation { // the first look wrote spec, which begins another one
			w.look()
		}
		if len(w.own()) > 1 {
			w.fail(importCreates, "", "its external name is %s", external)
		}
		w.agree()
		w.settle()
		if len(w.asked) > 0 {
			w.fail(importWrites, "", "%v", w.asked)
		}
		if now := meta.GetExternalName(w.current()); now != external {
			w.fail(nameChanged, "", "%q became %q", external, now)
		}
	}
}

func (l *life) immutable() {
	fixed := slices.DeleteFunc(slices.Clone(l.edits), func(e edit) bool { return !slices.Contains(l.once, e.String()) })
	for _, e := range fixed {
		if within(l.observation, e.path...) == nil {
			l.without("import with another "+e.String(), "the status has no such field")
			continue
		}
		spec := runtime.DeepCopyJSON(l.example)
		value := e.values[1]
		if isEmpty(value) {
			value = e.values[0] // an empty one is no difference
		}
		_ = unstructured.SetNestedField(spec, value, append([]string{"forProvider"}, e.path...)...) // as in the step of edits
		w, _ := l.imported(spec, "import with another %s", e)
		_, before := w.doc()
		if holds(lookup(before, e.path[0]), spec["forProvider"].(map[string]any)[e.path[0]]) {
			l.without("import with another "+e.String(), "the API has no other value")
			continue
		}
		w.look()
		if len(w.own()) == 1 {
			// Something that can be changed differs, too, so that Update sends something.
			w.setAnyBut(e)
		}
		w.rest()
		if slices.Contains(l.Identifiers, e.String()) && len(w.own()) < 2 {
			w.fail(otherTaken, e.String(), "%v", w.asked)
		}
		if !w.failed && len(w.own()) > 1 {
			l.without("import with another "+e.String(), "it tells where the external resource is")
			continue
		}
		l.done()
		_, after := w.doc()
		for _, f := range changed(before, after) {
			if same(f, e.path[0]) {
				w.fail(immutableSent, e.String(), "it was %s, and is %s", text(before[f]), text(after[f]))
			}
		}
		if is, _, message := condition(w.live(), "Synced"); is != "False" || !strings.Contains(message, e.path[0]) {
			w.fail(immutableSilent, e.String(), "%s %s", is, message)
		}
	}
}

// setAnyBut makes an edit of another field.
func (w *world) setAnyBut(e edit) {
	for _, o := range w.edits {
		if !slices.Contains(w.once, o.String()) && o.String() != e.String() && w.setField(o, o.values[1]) == nil {
			return
		}
	}
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
		w, _ := l.imported(spec, "policies %v", policies)
		before := w.forProvider()
		w.look()
		if _, _, message := condition(w.live(), "Synced"); strings.Contains(message, "not supported") {
			continue
		}
		l.done()
		w.rest()
		if after := w.forProvider(); !reflect.DeepEqual(before, after) && !fills(spec) {
			w.fail(filledForbidden, "", "it is %s", text(after))
		}
		if w.unsaved != nil && !fills(spec) {
			w.fail(filledUnsaved, "", "%s", text(w.unsaved))
		}
		w.setAny()
		w.rest()
		w.delete(namespace)
		w.rest()
		for _, call := range w.asked {
			if !allows(spec, strings.ToUpper(call[:1])+call[1:]) {
				w.fail(forbidden, call, "")
			}
		}
		if !w.failed && w.live() != nil {
			_, _, why := condition(w.live(), "Synced")
			w.fail(notDeleted, "", "%s", why)
		}
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
	properties, _ := s["properties"].(map[string]any)
	for _, e := range l.edits {
		if len(e.path) > 1 || properties[e.path[0]] == nil || !e.isOptional {
			continue
		}
		spec := l.withPolicies("Observe", "Create", "Update", "Delete")
		unstructured.RemoveNestedField(spec, "forProvider", e.path[0])
		_ = unstructured.SetNestedField(spec, runtime.DeepCopyJSONValue(e.values[1]), "initProvider", e.path[0]) // an object
		w := l.world("initProvider of %s", e)
		if w.user.Create(ctx, w.object(namespace, spec)) != nil || !w.settle() {
			continue
		}
		l.done()
		_, d := w.doc()
		if !mentionsAll(d, e.values[1]) && within(l.observation, e.path[0]) != nil {
			w.fail(notSent, "initProvider."+e.String(), "the API has %s", text(d))
		}
	}
}

// mentionsAll reports whether a document has a value somewhere.
func mentionsAll(d Document, value any) bool {
	for _, has := range d {
		if holds(has, value) || strings.Contains(text(has), text(value)) {
			return true
		}
		if entries, ok := value.(map[string]any); ok && holds(withoutMarks(has), entries) {
			return true
		}
	}
	return false
}

func (l *life) connectionSecret() {
	if len(l.Keys) == 0 || l.secretName() == "" {
		l.without("connection secret", "the kind declares no keys")
		return
	}
	for _, how := range []string{"deleted", "renamed"} {
		w := l.born("connection secret %s", how)
		before, now := slices.Sorted(maps.Keys(w.secret(l.secretName()))), l.secretName()
		if how == "deleted" {
			w.dropSecret(now)
		} else if now = "another"; w.set(now, "spec", "writeConnectionSecretToRef", "name") != nil {
			continue
		}
		w.rest()
		l.done()
		after := slices.Sorted(maps.Keys(w.secret(now)))
		synced, _, _ := condition(w.live(), "Synced")
		ready, _, _ := condition(w.live(), "Ready")
		if !slices.Equal(before, after) && synced == "True" && ready == "True" {
			w.fail(secretLost, "", "it has %v of %v", after, before)
		}
		w.delete(namespace)
		w.ends()
	}
}

func (l *life) terminating() {
	if !l.namespaced {
		l.without("namespace", "the kind is cluster scoped")
		return
	}
	w := l.born("terminating namespace")
	l.done()
	w.cluster.Drop(func(u *unstructured.Unstructured) bool { return strings.HasSuffix(u.GetKind(), "ProviderConfigUsage") })
	w.cluster.Terminating[namespace] = true
	w.delete(namespace)
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
		if o := o.DeepCopy(); o.GetNamespace() == namespace {
			o.SetNamespace("other")
			w.add(o)
		}
	}
	w.add(w.object("other", l.example))
	w.restIn("other")
	l.done()
	if w.failed || len(w.own()) == 2 {
		return // each has its own
	}
	if is, _, _ := condition(w.liveIn("other"), "Synced"); is == "True" {
		w.fail(twoOwners, "", "")
	}
	w.delete("other")
	w.restIn("other")
	if len(w.own()) != 1 {
		w.fail(otherDeleted, "", "")
	}
	if u := w.liveIn("other"); u != nil {
		_, _, why := condition(u, "Synced")
		w.fail(notDeleted, "", "%s", why)
	}
}

func (l *life) deletes() {
	w := l.born("delete")
	l.done()
	w.delete(namespace)
	w.delete(namespace) // impatient users do it twice
	w.ends()
	if n := countOf(w.asked, Delete); n != 1 {
		w.fail(deletedTwice, "", "%d times", n)
	}
	w = l.world("delete before the first look")
	w.create(l.example)
	w.delete(namespace)
	w.ends()
	w = l.world("delete after the first look")
	w.create(l.example)
	w.look()
	w.delete(namespace)
	w.ends()
	w = l.born("delete of what is gone")
	w.delete(namespace)
	w.at = func(point string) error {
		if point == "API "+Delete {
			w.remove()
		}
		return nil
	}
	w.look()
	if warnings := w.warnings(); len(warnings) > 0 {
		w.fail(deleteGone, "", "%s", warnings[0])
	}
	w.ends()
	l.did[l.step] += 3
	w = l.born("orphan")
	if !l.noPolicies && w.set([]any{"Observe", "Create", "Update", "LateInitialize"}, "spec", "managementPolicies") == nil {
		w.delete(namespace)
		w.rest()
		l.done()
		if !w.failed && len(w.own()) != 1 {
			w.fail(notKept, "", "%v", w.asked)
		}
	}
}
