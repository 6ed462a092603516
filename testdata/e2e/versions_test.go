package e2e_test

import (
	"context"
	"encoding/base64"
	"errors"
	"fmt"
	"maps"
	"net"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"

	apiextensionsv1 "k8s.io/apiextensions-apiserver/pkg/apis/apiextensions/v1"
	kerrors "k8s.io/apimachinery/pkg/api/errors"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/apimachinery/pkg/watch"
	"k8s.io/client-go/util/retry"
	"sigs.k8s.io/controller-runtime/pkg/client"

	"github.com/mrgen-io/mrgen/testdata/e2e/internal/process"
)

// versioned is the name of the provider with versions, and of its log.
const versioned = "provider-versions"

// TestVersions guards that nothing is lost between three versions of a kind that differ, with
// the conversions, the definitions and the program as mrgen writes them: whatever version an
// object is created, read, updated, patched, applied, listed or watched in. One kind has a
// CRD, and one an MRD, of which Crossplane makes a CRD. Then objects are stored in another
// version, and migrated. Without the webhook, writes fail, and do no harm.
func TestVersions(t *testing.T) {
	// Before others run beside it, since the compiler would take their time.
	p := newVersionedProvider(t)
	s := newScenario(t)
	v := &versionScenario{scenario: s, provider: p}
	v.install("v1alpha1")
	stop := v.start()
	s.applyFiles(filepath.Join(p.folder, "examples/provider/*.yaml"))

	var objects []*versionedObject
	for _, kind := range []string{"Bucket", "Volume"} {
		for _, version := range versionNames {
			objects = append(objects, v.createIn(version, kind))
		}
	}
	v.stored("v1alpha1")
	v.works(objects)
	v.same("after all changes", objects)

	// The version that is stored moves: first the definition, then the program, as when
	// Crossplane installs a package.
	next := p.moveStorage(t)
	v.provider = next
	v.install("v1")
	v.stored("v1alpha1", "v1")
	v.same("after the definition has changed", objects)
	stop()
	stop = v.start()
	v.same("after the program has changed", objects)
	v.works([]*versionedObject{objects[0], objects[len(objects)-1]})
	v.migrate(objects)
	v.stored("v1")
	v.same("after migration", objects)

	stop()
	v.withoutWebhook(objects)
	v.start()
	v.same("after the webhook is back", objects)
	for i, o := range objects {
		s.delete(v.get(o, versionNames[i%len(versionNames)]))
	}
}

// versionNames are the versions of the kinds.
var versionNames = []string{"v1", "v1alpha1", "v1beta1"}

// A versionedProvider is a provider with two kinds of three versions.
type versionedProvider struct{ folder, binary string }

// newVersionedProvider writes and builds the provider as a user does. Objects are stored in
// v1alpha1. Each version has fields of its own, v1 has another name for one, and v1beta1 and v1
// share one.
func newVersionedProvider(t *testing.T) versionedProvider {
	t.Helper()
	parent := t.TempDir()
	p := versionedProvider{folder: filepath.Join(parent, versioned), binary: filepath.Join(parent, "first")}
	mrgen(t, parent, "init", versioned, "--module=example.org/"+versioned, "--group=versions.example.org")
	for _, kind := range []string{"Bucket", "Volume"} {
		mrgen(t, p.folder, "add", "kind", kind, "--group=storage", "--version=v1alpha1")
		mrgen(t, p.folder, "add", "version", kind, "v1beta1", "--from=v1alpha1")
		mrgen(t, p.folder, "add", "version", kind, "v1", "--from=v1beta1")
		const last = "\tDescription *string `json:\"description,omitempty\"`\n"
		p.edit(t, kind, "v1alpha1", last, last+"\n\t// Nickname is only in v1alpha1. The API keeps what is removed.\n\t// +optional\n\t// +mrgen:lateInitialize=false\n\tNickname *string `json:\"nickname,omitempty\"`\n")
		addToAPI(t, p.folder, strings.ToLower(kind), "\tNickname *string `json:\"nickname,omitempty\"`\n")
		p.edit(t, kind, "v1beta1", last, last+"\n\t// Labels are only in v1beta1.\n\t// +optional\n\tLabels map[string]string `json:\"labels,omitempty\"`\n"+contact)
		p.edit(t, kind, "v1", last, last+"\n\t// Notes are only in v1.\n\t// +optional\n\tNotes []string `json:\"notes,omitempty\"`\n"+contact)
		p.edit(t, kind, "v1", capacity[0], capacity[1])
		p.edit(t, kind, "v1alpha1", capacity[0], renamedFrom("capacity")+capacity[0])
	}
	settings := filepath.Join(p.folder, "mrgen.yaml")
	content, err := os.ReadFile(settings)
	if err == nil {
		err = os.WriteFile(settings, append(content, "mrds:\n  dir: package/mrds\n"...), 0o600)
	}
	if err != nil {
		t.Fatal(err)
	}
	p.build(t)
	return p
}

// capacity is the declaration of a field by its two names.
var capacity = [2]string{"\tSize *int64 `json:\"size,omitempty\"`\n", "\tCapacity *int64 `json:\"capacity,omitempty\"`\n"}

// contact is the declaration of a field that two versions have.
const contact = "\n\t// Contact is not in v1alpha1.\n\t// +optional\n\tContact *string `json:\"contact,omitempty\"`\n"

func renamedFrom(name string) string {
	return "\t// +mrgen:renamedFrom=spec.forProvider." + name + "\n"
}

// moveStorage has objects be stored in v1, and builds that program.
func (p versionedProvider) moveStorage(t *testing.T) versionedProvider {
	t.Helper()
	const marker = "// +kubebuilder:storageversion\n"
	for _, kind := range []string{"Bucket", "Volume"} {
		declaration := "type " + kind + " struct"
		p.edit(t, kind, "v1alpha1", marker, "")
		p.edit(t, kind, "v1alpha1", renamedFrom("capacity"), "")
		p.edit(t, kind, "v1", declaration, marker+declaration)
		p.edit(t, kind, "v1", capacity[1], renamedFrom("size")+capacity[1])
	}
	p.binary = filepath.Join(filepath.Dir(p.binary), "second")
	p.build(t)
	return p
}

// edit replaces a text in the types of a version, which must be there.
func (p versionedProvider) edit(t *testing.T, kind, version, old, text string) {
	t.Helper()
	edit(t, filepath.Join(p.folder, "apis/storage", version, strings.ToLower(kind)+"_types.go"), old, text)
}

// build generates, and builds the program.
func (p versionedProvider) build(t *testing.T) {
	t.Helper()
	mrgen(t, p.folder, "generate")
	p.run(t, "go", "build", "-o", p.binary, "./cmd/provider")
}

func (p versionedProvider) run(t *testing.T, command ...string) {
	t.Helper()
	cmd := exec.CommandContext(t.Context(), command[0], command[1:]...)
	cmd.Dir = p.folder
	cmd.Env = append(os.Environ(), "GOWORK=off")
	if out, err := cmd.CombinedOutput(); err != nil {
		t.Fatalf("%v: %v\n%s", cmd.Args, err, out)
	}
}

// A versionScenario is a scenario with kinds of several versions.
type versionScenario struct {
	*scenario
	provider versionedProvider
	port     int
}

// A versionedObject is an object with what its user knows of it: all fields of
// spec.forProvider, in whatever version they are.
type versionedObject struct {
	kind, name string
	want       map[string]any
}

// view returns what a version has of the fields.
func view(want map[string]any, version string) map[string]any {
	names := map[string]map[string]string{
		"v1alpha1": {"region": "region", "description": "description", "size": "size", "nickname": "nickname"},
		"v1beta1":  {"region": "region", "description": "description", "size": "size", "labels": "labels", "contact": "contact"},
		"v1":       {"region": "region", "description": "description", "size": "capacity", "notes": "notes", "contact": "contact"},
	}[version]
	fields := map[string]any{}
	for name, value := range want {
		if names[name] != "" {
			fields[names[name]] = value
		}
	}
	return fields
}

// own returns the fields that not all versions have, with values.
func own(version string) map[string]any {
	switch version {
	case "v1alpha1":
		return map[string]any{"nickname": "nick"}
	case "v1beta1":
		return map[string]any{"labels": map[string]any{"team": "storage", "cost.center/id": "1"}, "contact": "of v1beta1"}
	default:
		return map[string]any{"notes": []any{"first", "", "last"}, "contact": "of v1"}
	}
}

// install creates or changes the definitions. In place of Crossplane's package manager it says
// where the webhook is: at a URL, since this control plane has no network for services.
func (v *versionScenario) install(stored string) {
	v.Helper()
	if v.port == 0 {
		listener, err := net.Listen("tcp", "127.0.0.1:0")
		if err != nil {
			v.Fatal(err)
		}
		v.port = listener.Addr().(*net.TCPAddr).Port
		_ = listener.Close()
		if err := plane.InstallCRDs(glob(v.T, filepath.Join(v.provider.folder, "package/crds/versions.example.org_*.yaml"))...); err != nil {
			v.Fatal(err)
		}
	}
	authority, err := os.ReadFile(filepath.Join(plane.Folder(), "ca.crt"))
	if err != nil {
		v.Fatal(err)
	}
	for _, name := range []string{"crds/storage.versions.example.org_buckets.yaml", "mrds/storage.versions.example.org_volumes.yaml"} {
		definition, err := read(filepath.Join(v.provider.folder, "package", name))
		if err != nil {
			v.Fatal(err)
		}
		if got, want := field(definition, "spec.conversion.webhook.clientConfig.service.path"), "/convert"; got != want {
			v.Fatalf("the path of the webhook in %s is %v, want %s", name, got, want)
		}
		config := map[string]any{"url": fmt.Sprintf("https://127.0.0.1:%d/convert", v.port), "caBundle": base64.StdEncoding.EncodeToString(authority)}
		if err := unstructured.SetNestedMap(definition.Object, config, "spec", "conversion", "webhook", "clientConfig"); err != nil {
			v.Fatal(err)
		}
		if err := within(plane, func() error { return createOrUpdate(definition) }); err != nil {
			v.Fatal(err)
		}
		if err := within(plane, func() error { return storesIn(definition.GetName(), stored) }); err != nil {
			v.Fatal(err)
		}
	}
}

// createOrUpdate creates a definition, or changes its spec. An MRD stays active.
func createOrUpdate(definition *unstructured.Unstructured) error {
	existing := definition.DeepCopy()
	err := kube.Get(plane.Context(), client.ObjectKeyFromObject(definition), existing)
	if kerrors.IsNotFound(err) {
		return kube.Create(plane.Context(), definition.DeepCopy())
	}
	if err != nil {
		return err
	}
	state := field(existing, "spec.state")
	existing.Object["spec"] = definition.DeepCopy().Object["spec"]
	if state != nil {
		existing.Object["spec"].(map[string]any)["state"] = state
	}
	return kube.Update(plane.Context(), existing)
}

// storesIn returns an error unless a CRD is established, and stores objects in a version.
func storesIn(name, version string) error {
	if err := established(plane, kube, name); err != nil {
		return err
	}
	crd := &apiextensionsv1.CustomResourceDefinition{}
	if err := kube.Get(plane.Context(), client.ObjectKey{Name: name}, crd); err != nil {
		return err
	}
	for _, v := range crd.Spec.Versions {
		if v.Storage && v.Name != version {
			return fmt.Errorf("%s stores %s, want %s", name, v.Name, version)
		}
	}
	return nil
}

// start runs the program until the scenario ends, or it is stopped.
func (v *versionScenario) start() (stop func()) {
	v.Helper()
	group := process.NewGroup(plane.Context(), plane.Folder())
	stop = func() {
		if cause := context.Cause(group.Context()); cause != nil && !errors.Is(cause, process.ErrStopped) {
			v.Error(cause)
		}
		group.Stop()
	}
	v.Cleanup(stop)
	if err := group.Start(versioned, []string{
		"KUBECONFIG=" + filepath.Join(plane.Folder(), "kubeconfig"),
		"TLS_SERVER_CERTS_DIR=" + plane.Folder(),
	}, v.provider.binary, "--debug", "--poll=1s", "--metrics-bind-address=0", fmt.Sprintf("--webhook-port=%d", v.port)); err != nil {
		v.Fatal(err)
	}
	if err := within(plane, func() error {
		connection, err := net.DialTimeout("tcp", fmt.Sprintf("127.0.0.1:%d", v.port), time.Second)
		if err == nil {
			err = connection.Close()
		}
		return err
	}); err != nil {
		v.Fatal(err)
	}
	return stop
}

// createIn creates an object in a version, with all fields of that version.
func (v *versionScenario) createIn(version, kind string) *versionedObject {
	v.Helper()
	o := &versionedObject{kind: kind, name: "from-" + version, want: map[string]any{"region": v.region, "description": "of " + version, "size": int64(1)}}
	maps.Copy(o.want, own(version))
	object := v.object(o, version)
	if err := unstructured.SetNestedMap(object.Object, view(o.want, version), "spec", "forProvider"); err != nil {
		v.Fatal(err)
	}
	// The API server serves a kind a moment after it is established.
	if err := within(plane, func() error { return kube.Create(v.Context(), object.DeepCopy()) }); err != nil {
		v.Fatal(err)
	}
	return o
}

// object returns what identifies an object in a version.
func (v *versionScenario) object(o *versionedObject, version string) *unstructured.Unstructured {
	object := &unstructured.Unstructured{}
	object.SetGroupVersionKind(schema.GroupVersionKind{Group: "storage.versions.example.org", Version: version, Kind: o.kind})
	object.SetNamespace(v.namespace)
	object.SetName(o.name)
	return object
}

// get reads an object in a version.
func (v *versionScenario) get(o *versionedObject, version string) *unstructured.Unstructured {
	v.Helper()
	object := v.object(o, version)
	if err := kube.Get(v.Context(), client.ObjectKeyFromObject(object), object); err != nil {
		v.Fatal(err)
	}
	return object
}

// same checks that each version of each object has what its user knows, alone and in lists.
func (v *versionScenario) same(when string, objects []*versionedObject) {
	v.Helper()
	for _, version := range versionNames {
		listed := map[string]*unstructured.Unstructured{}
		for _, kind := range []string{"Bucket", "Volume"} {
			list := &unstructured.UnstructuredList{}
			list.SetGroupVersionKind(schema.GroupVersionKind{Group: "storage.versions.example.org", Version: version, Kind: kind + "List"})
			if err := kube.List(v.Context(), list, client.InNamespace(v.namespace)); err != nil {
				v.Fatalf("%s: %v", when, err)
			}
			for i := range list.Items {
				listed[kind+list.Items[i].GetName()] = &list.Items[i]
			}
		}
		for _, o := range objects {
			for how, object := range map[string]*unstructured.Unstructured{"read": v.get(o, version), "listed": listed[o.kind+o.name]} {
				if object == nil {
					v.Errorf("%s: %s %s is not listed in %s", when, o.kind, o.name, version)
					continue
				}
				v.is(fmt.Sprintf("%s: %s %s, %s in %s", when, o.kind, o.name, how, version), object, o, version)
			}
		}
	}
}

// is checks that an object in a version has what its user knows.
func (v *versionScenario) is(what string, object *unstructured.Unstructured, o *versionedObject, version string) {
	v.Helper()
	if err := is(what, field(object, "spec.forProvider"), view(o.want, version)); err != nil {
		v.Error(err)
	}
	if object.GetAPIVersion() != "storage.versions.example.org/"+version {
		v.Errorf("%s: the version is %s", what, object.GetAPIVersion())
	}
}

// works changes each object in each version in all ways, and checks what becomes of it in all
// versions. Meanwhile the controllers of the provider do their work, in v1alpha1.
func (v *versionScenario) works(objects []*versionedObject) {
	v.Helper()
	for _, o := range objects {
		v.ready(o)
		for _, version := range versionNames {
			v.retry("update", o, version, func(object *unstructured.Unstructured) error {
				fields := view(o.want, version)
				fields["description"] = "updated in " + version
				maps.Copy(fields, own(version))
				object.SetLabels(map[string]string{"updated": version})
				if err := unstructured.SetNestedMap(object.Object, fields, "spec", "forProvider"); err != nil {
					return err
				}
				return kube.Update(v.Context(), object)
			})
			o.want["description"] = "updated in " + version
			maps.Copy(o.want, own(version))
			v.same("updated in "+version, []*versionedObject{o})

			var removed string
			for name := range own(version) {
				removed += `, "` + name + `": null`
				delete(o.want, name)
			}
			if err := v.patch(v.object(o, version), `{"spec": {"forProvider": {"description": "patched in `+version+`"`+removed+`}}}`); err != nil {
				v.Fatal(err)
			}
			o.want["description"] = "patched in " + version
			v.same("patched in "+version, []*versionedObject{o})

			v.applyOwn(o, version, "applied in "+version)
			v.same("applied in "+version, []*versionedObject{o})
			v.watched(o, version)
		}
		// One owner applies in one version after the other.
		for _, version := range versionNames {
			v.applyOwn(o, version, "applied once more in "+version)
		}
		v.same("applied in all versions", []*versionedObject{o})
		v.ready(o)
	}
}

// ready waits until the provider manages the object, and all versions say so.
func (v *versionScenario) ready(o *versionedObject) {
	v.Helper()
	for _, version := range versionNames {
		object := v.object(o, version)
		v.conditions(object, "Ready=True", "Synced=True")
		v.eventually(object, "observed", func() error {
			return errors.Join(
				is("status.atProvider.description", field(object, "status.atProvider.description"), o.want["description"]),
				is("status.atProvider.id", field(object, "status.atProvider.id"), "1"),
			)
		})
	}
}

// retry changes what is there, and again if the provider has changed it meanwhile.
func (v *versionScenario) retry(what string, o *versionedObject, version string, change func(*unstructured.Unstructured) error) {
	v.Helper()
	if err := retry.RetryOnConflict(retry.DefaultRetry, func() error { return change(v.get(o, version)) }); err != nil {
		v.Fatalf("%s of %s %s in %s: %v", what, o.kind, o.name, version, err)
	}
}

// applyOwn applies the fields that not all versions have, and the description.
func (v *versionScenario) applyOwn(o *versionedObject, version, description string) {
	v.Helper()
	fields := own(version)
	fields["description"] = description
	v.apply(o, version, fields)
	maps.Copy(o.want, fields)
}

// apply applies fields of an object in a version, as one owner of them does.
func (v *versionScenario) apply(o *versionedObject, version string, fields map[string]any) {
	v.Helper()
	object := v.object(o, version)
	if err := unstructured.SetNestedMap(object.Object, maps.Clone(fields), "spec", "forProvider"); err != nil {
		v.Fatal(err)
	}
	if err := unstructured.SetNestedField(object.Object, v.region, "spec", "forProvider", "region"); err != nil {
		v.Fatal(err)
	}
	if err := kube.Apply(v.Context(), client.ApplyConfigurationFromUnstructured(object), client.FieldOwner("applier-"+version), client.ForceOwnership); err != nil {
		v.Fatalf("apply %s %s in %s: %v", o.kind, o.name, version, err)
	}
}

// watched changes the object in one version, and waits until a watch in each sees it.
func (v *versionScenario) watched(o *versionedObject, version string) {
	v.Helper()
	watcher, err := client.NewWithWatch(plane.Config(), client.Options{})
	if err != nil {
		v.Fatal(err)
	}
	watches := map[string]watch.Interface{}
	for _, in := range versionNames {
		list := &unstructured.UnstructuredList{}
		list.SetGroupVersionKind(schema.GroupVersionKind{Group: "storage.versions.example.org", Version: in, Kind: o.kind + "List"})
		if watches[in], err = watcher.Watch(v.Context(), list, client.InNamespace(v.namespace), client.MatchingFields{"metadata.name": o.name}); err != nil {
			v.Fatal(err)
		}
		defer watches[in].Stop()
	}
	o.want["description"] = "watched in " + version
	if err := v.patch(v.object(o, version), `{"spec": {"forProvider": {"description": "watched in `+version+`"}}}`); err != nil {
		v.Fatal(err)
	}
	for in, w := range watches {
		timeout := time.After(patience)
		for seen := false; !seen; {
			select {
			case event, open := <-w.ResultChan():
				object, ok := event.Object.(*unstructured.Unstructured)
				if !open || !ok {
					v.Fatalf("the watch in %s ends: %v", in, event)
				}
				if seen = field(object, "spec.forProvider.description") == "watched in "+version; seen {
					v.is("watched", object, o, in)
				}
			case <-timeout:
				v.Fatalf("a watch in %s doesn't see what changes in %s", in, version)
			}
		}
	}
}

// migrate writes each object anew, as it is, and then says that no other version is stored.
func (v *versionScenario) migrate(objects []*versionedObject) {
	v.Helper()
	for _, o := range objects {
		v.retry("migration", o, "v1beta1", func(object *unstructured.Unstructured) error { return kube.Update(v.Context(), object) })
	}
	for _, name := range versionedCRDs {
		crd := &apiextensionsv1.CustomResourceDefinition{}
		if err := retry.RetryOnConflict(retry.DefaultRetry, func() error {
			if err := kube.Get(v.Context(), client.ObjectKey{Name: name}, crd); err != nil {
				return err
			}
			crd.Status.StoredVersions = []string{"v1"}
			return kube.Status().Update(v.Context(), crd)
		}); err != nil {
			v.Fatal(err)
		}
	}
}

var versionedCRDs = []string{"buckets.storage.versions.example.org", "volumes.storage.versions.example.org"}

// stored checks in which versions objects may be stored.
func (v *versionScenario) stored(want ...string) {
	v.Helper()
	for _, name := range versionedCRDs {
		if err := within(plane, func() error {
			crd := &apiextensionsv1.CustomResourceDefinition{}
			if err := kube.Get(v.Context(), client.ObjectKey{Name: name}, crd); err != nil {
				return err
			}
			return is("status.storedVersions of "+name, crd.Status.StoredVersions, want)
		}); err != nil {
			v.Fatal(err)
		}
	}
}

// withoutWebhook checks that objects can't be written in versions that have to be converted,
// and why.
func (v *versionScenario) withoutWebhook(objects []*versionedObject) {
	v.Helper()
	for _, o := range objects {
		for _, version := range []string{"v1alpha1", "v1beta1"} {
			patch := func() error {
				return v.patch(v.object(o, version), `{"spec": {"forProvider": {"description": "lost"}}}`)
			}
			created := v.object(&versionedObject{kind: o.kind, name: "new"}, version)
			if err := unstructured.SetNestedMap(created.Object, view(o.want, version), "spec", "forProvider"); err != nil {
				v.Fatal(err)
			}
			create := func() error { return kube.Create(v.Context(), created.DeepCopy()) }
			for what, write := range map[string]func() error{"patch": patch, "create": create} {
				if err := write(); err == nil || !contains(err.Error(), "conversion webhook for storage.versions.example.org/", "Kind="+o.kind+" failed", "/convert") {
					v.Errorf("%s of %s in %s without a webhook: %v", what, o.name, version, err)
				}
			}
		}
	}
}
