// Package life lives the lives of managed resources: crossplane-runtime's reconciler, with the options of the provider,
// works on a cluster in memory whose objects the API server's code judges, and on an external API that a test can change,
// watch and interrupt. Each step of a life is something that happens to managed resources, and says what must hold then.
//
// A test gives the kind, and a function that starts an external API and makes the reconciler of a process:
//
//	func TestLife(t *testing.T) {
//		life.Live(t, life.Kind{
//			Managed:     &v1alpha1.Bucket{},
//			AddToScheme: apis.AddToScheme,
//			Definitions: "../../../../package/crds",
//			Manifests:   []string{"../../../../examples/storage.example.org/v1alpha1/bucket.yaml"},
//			External: func() (life.External, life.Process) {
//				memory := NewMemory()
//				return memory, func(mgr ctrl.Manager, o controller.Options) reconcile.Reconciler {
//					return NewReconciler(mgr, o, newConnector(mgr.GetClient(), memory))
//				}
//			},
//		})
//	}
//
// LIFE_SEED chooses the random walks, LIFE_STEPS runs the named steps alone, separated by commas. LIFE_API names a folder with the
// ProviderConfig of a real API, which costs what that costs, and KUBECONFIG a cluster for it.
package life

import (
	"cmp"
	"fmt"
	"iter"
	"maps"
	"os"
	"path/filepath"
	"reflect"
	"runtime/debug"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	apiextensionsv1 "k8s.io/apiextensions-apiserver/pkg/apis/apiextensions/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/apimachinery/pkg/util/json"
	"k8s.io/apimachinery/pkg/util/yaml"
	clientgoscheme "k8s.io/client-go/kubernetes/scheme"
	ctrl "sigs.k8s.io/controller-runtime"
	"sigs.k8s.io/controller-runtime/pkg/client/apiutil"
	"sigs.k8s.io/controller-runtime/pkg/reconcile"

	"github.com/crossplane/crossplane-runtime/v2/pkg/controller"
	"github.com/crossplane/crossplane-runtime/v2/pkg/resource"
)

// A Document is an external resource as its API shows it.
type Document = map[string]any

// The calls of an external API that hooks are told of.
const (
	Get    = "get"
	Create = "create"
	Update = "update"
	Delete = "delete"
	// Connect makes a client. Its ID are the credentials.
	Connect = "connect"
)

// An External is an external API that a life can look into.
type External interface {
	// All returns all external resources by their IDs.
	All() map[string]Document
	// Change changes an external resource as somebody else, and Remove removes it.
	Change(id string, change func(Document)) error
	Remove(id string)
	// Hook sets what is called before and after each call. The error is the answer. If later is true, the call is accepted
	// and not done.
	Hook(before func(call, id string) (later bool, err error), after func(call, id string) error)
}

// A Process makes the reconciler of a kind with the options of the provider, as its Setup does.
type Process func(mgr ctrl.Manager, o controller.Options) reconcile.Reconciler

// A Kind is what a life must know of a kind.
type Kind struct {
	// Managed is an empty managed resource.
	Managed resource.Managed
	// AddToScheme adds the provider's types to a scheme.
	AddToScheme func(*runtime.Scheme) error
	// Definitions is the folder with the provider's CRDs.
	Definitions string
	// Manifests are patterns of files with the example of the kind, and the objects that it needs, such as a ProviderConfig.
	Manifests []string
	// External starts an external API, and returns what processes of the provider do that use it.
	External func() (External, Process)
	// Setup adds the controller to a manager, nil if nothing checks for which kind it does.
	Setup func(ctrl.Manager, controller.Options) error
	// Real makes the reconciler with a client of the real API, nil if no life is lived with it. LIFE_API names a folder with
	// its ProviderConfig and credentials.
	Real Process

	// Creating, Ready and Deleting are the fields of an external resource in these states, if it has states. The API
	// answers requests to change it with Busy then, unless that is nil.
	Creating, Ready, Deleting Document
	Busy                      error
	// Failed are the fields of external resources that don't work, such as one that is broken and one that has expired.
	Failed []Document
	// Identifiers are the fields of spec.forProvider that tell where an external resource of a name is.
	Identifiers []string
	// Later are the fields of spec.forProvider that creation doesn't take, so that an update sets them next.
	Later []string
	// Keys are those of the connection secret. Details is the struct that mrgen generates for them, such as
	// v1alpha1.BucketConnectionDetails{}, and takes their place: then they are those that the kind declares.
	Keys    []string
	Details interface{ ConnectionDetails() map[string][]byte }
	// Edits are the values of fields for which the schema doesn't tell valid ones, by their paths in spec.forProvider.
	Edits map[string][]any
	// OwnEntries are the prefixes of entries of maps, such as tags, that the API or others set, and that the status may lack.
	OwnEntries []string
	// Without are the reasons why steps, edits of a field, its initProvider, or comparing a key of the connection secret are left
	// out, by their names.
	Without map[string]string
	// Look says where to look if a life fails, by the name of the failure, where the kind knows better.
	Look map[string]string
	// FindsLost is set if Observe finds an external resource whose creation wasn't answered, although the API chose its name.
	FindsLost bool
}

// A life is the life of a kind: what it had, and what went wrong.
type life struct {
	Kind
	gvk    schema.GroupVersionKind
	scheme *runtime.Scheme
	crds   []*apiextensionsv1.CustomResourceDefinition
	// cluster has the definitions, objects are created in each world, and example is the spec of the managed resource.
	cluster    *Cluster
	objects    []*unstructured.Unstructured
	example    map[string]any
	namespaced bool
	// namespace is that of the managed resource, and named are all that the example and the objects name.
	namespace string
	named     map[string]bool
	// parameters and observation are the schemas of spec.forProvider and status.atProvider.
	parameters, observation map[string]any
	// edits are those that the schema allows, and leftOut those that the kind is without.
	edits, leftOut []edit
	seed           uint64

	// userNames is set if the external name is metadata.name unless the user sets another one, and filled are the fields
	// that late initialization has filled.
	userNames bool
	filled    map[string]bool
	// noPolicies is set if the reconciler lacks managed.WithManagementPolicies.
	noPolicies bool
	// unshown are the values of the connection secret that the API doesn't show, such as a constant user name, and "" for those
	// that it shows. stays are the keys whose values are the same when the external resource is created again.
	unshown map[string]string
	stays   map[string]bool
	// whole is the status at rest of what was created without trouble.
	whole map[string]any

	step string
	did  map[string]int
	// asked are the names in Without and Edits that the life has.
	asked    map[string]bool
	absent   map[string]string
	failures []*failure
	looks    int
	worlds   int
}

// A failure is one cause of something that went wrong.
type failure struct {
	cause
	subject, detail string
	steps           []string
}

// String returns one line: what was broken, in which step, and where to look.
func (f *failure) String() string {
	more := ""
	if n := len(f.steps) - 1; n > 0 {
		more = fmt.Sprintf(" (and in %d more steps)", n)
	}
	what := f.what
	if f.subject != "" {
		what = f.subject + ": " + what
	}
	if f.detail != "" {
		what += ": " + f.detail
	}
	return fmt.Sprintf("%s%s: %s. %s [%s]", f.steps[0], more, what, f.look, f.id)
}

// fail notes a failure of a step. Failures with one cause and subject are one.
func (l *life) fail(step string, c cause, subject, format string, arguments ...any) {
	i := slices.IndexFunc(l.failures, func(f *failure) bool { return f.id == c.id && f.subject == subject })
	if i < 0 {
		i = len(l.failures)
		c.look = cmp.Or(l.Look[c.id], c.look)
		l.failures = append(l.failures, &failure{cause: c, subject: subject, detail: shortened(fmt.Sprintf(format, arguments...))})
	}
	if f := l.failures[i]; !slices.Contains(f.steps, step) {
		f.steps = append(f.steps, step)
	}
}

// shortened returns a text without its middle if it has more than a few lines, as that of a large map.
func shortened(detail string) string {
	const most = 500
	if len(detail) <= most {
		return detail
	}
	return strings.ToValidUTF8(detail[:most/2]+" … "+detail[len(detail)-most/2:], "")
}

// done counts something that a step did.
func (l *life) done() { l.did[l.step]++ }

// without notes why something can't be part of this life.
func (l *life) without(what, format string, arguments ...any) {
	l.absent[what] = fmt.Sprintf(format, arguments...)
}

// reason returns why something is left out, "" if it isn't.
func (l *life) reason(name string) string {
	l.asked[name] = true
	return l.Without[name]
}

// Live lives the life of a kind. It fails the test with a line for each cause of a failure, and logs the steps.
func Live(t *testing.T, kind Kind) {
	t.Helper()
	// A provider runs in other time zones than the external API.
	zone := time.Local
	time.Local = time.FixedZone("life", 3*60*60)
	t.Cleanup(func() { time.Local = zone })
	defer debug.SetGCPercent(debug.SetGCPercent(400)) // the worlds are many and small
	l, err := newLife(kind)
	if err != nil {
		t.Fatalf("this life can't begin: %v", err)
	}
	if os.Getenv("LIFE_API") == "" {
		l.live(os.Getenv("LIFE_STEPS"), testing.Short())
	} else if err := l.liveReally(10 * time.Minute); err != nil {
		t.Fatalf("this life can't begin: %v", err)
	}
	for _, f := range l.failures {
		t.Error(f)
	}
	t.Logf("%d looks in %d worlds, seed %d: %s", l.looks, l.worlds, l.seed, l.summary())
}

// live lives the steps of a life: all, or those that are named. A short life has none that stop processes or break calls.
func (l *life) live(only string, isShort bool) {
	for _, f := range l.Identifiers {
		if within(l.schemaOf(l.gvk), "spec", "initProvider", f) != nil {
			l.fail("create", notIdentifier, f, "")
		}
	}
	for _, s := range steps {
		if reason := l.reason(s.name); reason != "" {
			l.without(s.name, "%s", reason)
			continue
		}
		isChosen := only == "" || s.name == "create" || slices.Contains(strings.Split(only, ","), s.name)
		if !isChosen || isShort && s.isSlow {
			continue
		}
		l.step = s.name
		s.do(l)
		switch {
		case l.did[s.name] > 0 || l.absent[s.name] != "" || len(l.failures) > 0:
		case s.absent != "":
			l.without(s.name, "%s", s.absent)
		default:
			l.fail(s.name, nothingDone, "", "%s", s.holds)
		}
		if s.name == "create" && l.did[s.name] == 0 {
			return // nothing else can be lived before
		}
	}
	if only != "" {
		return
	}
	l.checkNames("Without", maps.Keys(l.Without))
	l.checkNames("Edits", maps.Keys(l.Edits))
}

// declaredKeys returns the keys that the generated struct of a connection secret declares. Those with an asterisk are patterns.
func declaredKeys(details interface{ ConnectionDetails() map[string][]byte }) []string {
	filled := reflect.New(reflect.TypeOf(details)).Elem()
	for i := range filled.NumField() {
		switch value := []byte("*"); filled.Field(i).Kind() {
		case reflect.Slice:
			filled.Field(i).SetBytes(value)
		case reflect.Map:
			filled.Field(i).Set(reflect.ValueOf(map[string][]byte{"*": value}))
		}
	}
	return slices.Sorted(maps.Keys(filled.Interface().(interface{ ConnectionDetails() map[string][]byte }).ConnectionDetails()))
}

// checkNames fails for the names in a field of the test that nothing in the life has.
func (l *life) checkNames(field string, names iter.Seq[string]) {
	for _, name := range slices.Sorted(names) {
		if !l.asked[name] {
			l.fail("the test", unused, field+" "+strconv.Quote(name), "")
		}
	}
}

// summary says what was done, and what not.
func (l *life) summary() string {
	var parts []string
	for _, s := range steps {
		if n := l.did[s.name]; n > 0 {
			parts = append(parts, fmt.Sprintf("%s %d", s.name, n))
		}
	}
	text := strings.Join(parts, ", ")
	for _, what := range slices.Sorted(maps.Keys(l.absent)) {
		text += fmt.Sprintf("\n  without %s: %s", what, l.absent[what])
	}
	return text
}

func newLife(kind Kind) (*life, error) {
	l := &life{
		Kind: kind, scheme: runtime.NewScheme(), seed: 1, filled: map[string]bool{}, did: map[string]int{}, asked: map[string]bool{}, absent: map[string]string{},
		unshown: map[string]string{}, stays: map[string]bool{}, named: map[string]bool{}, namespace: "life",
	}
	if os.Getenv("LIFE_API") != "" {
		l.namespace = "default" // which a real cluster has
	}
	switch {
	case kind.Details != nil && len(kind.Keys) > 0:
		return nil, fmt.Errorf("the test names keys in Keys and in Details: remove Keys, since Details has those that the kind declares")
	case kind.Details != nil:
		l.Keys = declaredKeys(kind.Details)
	}
	if text := os.Getenv("LIFE_SEED"); text != "" {
		var err error
		if l.seed, err = strconv.ParseUint(text, 10, 64); err != nil {
			return nil, fmt.Errorf("LIFE_SEED: %w", err)
		}
	}
	for _, add := range []func(*runtime.Scheme) error{clientgoscheme.AddToScheme, kind.AddToScheme} {
		if err := add(l.scheme); err != nil {
			return nil, err
		}
	}
	var err error
	if l.gvk, err = apiutil.GVKForObject(kind.Managed, l.scheme); err != nil {
		return nil, err
	}
	if err := l.readDefinitions(); err != nil {
		return nil, err
	}
	if err := l.readManifests(); err != nil {
		return nil, err
	}
	for _, o := range l.objects {
		if err := l.cluster.Empty().Client("user", nil).Create(ctx, withoutTexts(o)); err != nil {
			return nil, fmt.Errorf("the API server refuses an object in Manifests: %w: correct its manifest, or the type of its kind", err)
		}
	}
	if _, err := l.admits(l.example); err != nil {
		return nil, fmt.Errorf("the API server refuses the example in Manifests: %w: correct it, or let mrgen examples write it", err)
	}
	given, _ := l.example["forProvider"].(map[string]any)
	for _, e := range l.editsOf(l.parameters, given) {
		w, err := l.admits(e.in(l.example, e.values[0]))
		e.values = slices.DeleteFunc(e.values, func(value any) bool { return isEmpty(value) && !l.keeps(e, value) })
		switch {
		case e.isLeftOut:
			l.leftOut = append(l.leftOut, e)
		case err != nil:
			l.without("edits of "+e.String(), "the API server refuses %s: %v", text(e.values[0]), err)
		default:
			e.isFixed = w.setField(e, e.values[1]) != nil
			l.edits = append(l.edits, e)
		}
	}
	return l, nil
}

// admits returns a world that has a managed resource and no process, or why the API server refuses the managed resource.
func (l *life) admits(spec map[string]any) (*world, error) {
	w := &world{life: l, in: l.namespace, cluster: l.cluster.Empty()}
	w.user = w.cluster.Client("user", nil)
	return w, w.user.Create(ctx, w.object(spec))
}

// keeps reports whether the Go type keeps an empty value of a field, which it can't tell from an unset one otherwise.
func (l *life) keeps(e edit, value any) bool {
	w := &world{life: l, in: l.namespace}
	_, found, _ := unstructured.NestedFieldNoCopy(w.written(w.object(e.in(l.example, value))).Object, append([]string{"spec", "forProvider"}, e.path...)...)
	return found
}

// readDefinitions reads the CRDs.
func (l *life) readDefinitions() error {
	files, err := filepath.Glob(filepath.Join(l.Definitions, "*.yaml"))
	if err != nil {
		return err
	}
	for _, file := range files {
		content, err := os.ReadFile(file)
		if err != nil {
			return err
		}
		crd := &apiextensionsv1.CustomResourceDefinition{}
		if err := yaml.Unmarshal(content, crd); err != nil {
			return fmt.Errorf("%s: %w", file, err)
		}
		if crd.Kind != "CustomResourceDefinition" {
			return fmt.Errorf("%s: its first object isn't a CustomResourceDefinition: move the file to another folder", file)
		}
		l.crds = append(l.crds, crd)
	}
	if l.cluster, err = NewCluster(l.scheme, l.crds...); err != nil {
		return err
	}
	s := l.schemaOf(l.gvk)
	if s == nil {
		return fmt.Errorf("%s: no definition of %s: run mrgen generate", l.Definitions, l.gvk)
	}
	l.parameters, l.observation = within(s, "spec", "forProvider"), within(s, "status", "atProvider")
	return nil
}

// schemaOf returns the schema of a kind as JSON has it, nil if none of the definitions has it.
func (l *life) schemaOf(gvk schema.GroupVersionKind) (s map[string]any) {
	for _, crd := range l.crds {
		for _, v := range crd.Spec.Versions {
			if crd.Spec.Group == gvk.Group && crd.Spec.Names.Kind == gvk.Kind && v.Name == gvk.Version {
				s = document(v.Schema.OpenAPIV3Schema)
				if gvk == l.gvk {
					l.namespaced = crd.Spec.Scope == apiextensionsv1.NamespaceScoped
				}
			}
		}
	}
	return s
}

// document returns a value as JSON has it.
func document(value any) (d map[string]any) {
	content, err := json.Marshal(value)
	if err == nil {
		err = json.Unmarshal(content, &d)
	}
	if err != nil {
		panic(err) // the value isn't JSON, which only a mistake in this package can cause
	}
	return d
}

// within returns the schema of a property.
func within(schema map[string]any, names ...string) map[string]any {
	for _, name := range names {
		properties, _ := schema["properties"].(map[string]any)
		schema, _ = properties[name].(map[string]any)
	}
	return schema
}

// readManifests reads the example of the kind, and the objects that it needs.
func (l *life) readManifests() error {
	var files []string
	patterns := l.Manifests
	if folder := os.Getenv("LIFE_API"); folder != "" {
		patterns = append([]string{filepath.Join(folder, "*.yaml")}, patterns...) // the first object of a name counts
	}
	for _, pattern := range patterns {
		found, err := filepath.Glob(pattern)
		if err != nil || len(found) == 0 {
			return fmt.Errorf("%s in Manifests names no file: correct it in the test, or restore the file: %w", pattern, cmp.Or(err, os.ErrNotExist))
		}
		files = append(files, found...)
	}
	for _, file := range files {
		content, err := os.ReadFile(file)
		if err != nil {
			return err
		}
		for _, part := range strings.Split("\n"+string(content), "\n---") {
			u := &unstructured.Unstructured{}
			if err := yaml.Unmarshal([]byte(part), &u.Object); err != nil {
				return fmt.Errorf("%s: %w", file, err)
			}
			l.move(u.Object)
			isSame := func(o *unstructured.Unstructured) bool {
				return o.GroupVersionKind() == u.GroupVersionKind() && o.GetName() == u.GetName() && o.GetNamespace() == u.GetNamespace()
			}
			switch {
			case len(u.Object) == 0 || slices.ContainsFunc(l.objects, isSame): // manifests of both scopes have it
			case l.example == nil && u.GroupVersionKind() == l.gvk:
				l.example, _, _ = unstructured.NestedMap(u.Object, "spec")
			default:
				l.objects = append(l.objects, u)
			}
		}
	}
	if l.example == nil {
		return fmt.Errorf("none of the Manifests %s has a %s of %s: correct them in the test, add its example, or have mrgen examples write one",
			strings.Join(patterns, " "), l.gvk.Kind, l.gvk.GroupVersion())
	}
	if l.hasConnectionSecret() && l.example["writeConnectionSecretToRef"] == nil && len(l.Keys) > 0 {
		return fmt.Errorf("the example has no writeConnectionSecretToRef: add it, since the kind declares keys")
	}
	return nil
}

// move moves an object, and what it refers to, from the namespace default to that of this life: nothing is there that a
// controller looks for in default. It notes the namespaces.
func (l *life) move(value any) {
	switch value := value.(type) {
	case map[string]any:
		if in, _ := value["namespace"].(string); in != "" && value["name"] != nil {
			if in == "default" {
				value["namespace"] = l.namespace
			}
			l.named[value["namespace"].(string)] = true
		}
		for _, field := range value {
			l.move(field)
		}
	case []any:
		for _, item := range value {
			l.move(item)
		}
	}
}

// hasConnectionSecret reports whether the kind can have a connection secret.
func (l *life) hasConnectionSecret() bool {
	return within(l.schemaOf(l.gvk), "spec", "writeConnectionSecretToRef") != nil
}

// secretName returns the name of the example's connection secret.
func (l *life) secretName() string {
	name, _, _ := unstructured.NestedString(l.example, "writeConnectionSecretToRef", "name")
	return name
}

// withPolicies returns the example with management policies.
func (l *life) withPolicies(actions ...any) map[string]any {
	spec := runtime.DeepCopyJSON(l.example)
	spec["managementPolicies"] = actions
	return spec
}

// allows reports whether a spec's policies allow an action.
func allows(spec map[string]any, action string) bool {
	policies, found, _ := unstructured.NestedStringSlice(spec, "managementPolicies")
	return !found || slices.Contains(policies, "*") || slices.Contains(policies, action)
}
