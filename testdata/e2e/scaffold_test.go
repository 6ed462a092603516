package e2e_test

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"net"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"

	"google.golang.org/grpc"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/runtime"
	"sigs.k8s.io/controller-runtime/pkg/client"

	changelogs "github.com/crossplane/crossplane-runtime/v2/apis/changelogs/proto/v1alpha1"

	"github.com/mrgen-io/mrgen/testdata/e2e/internal/process"
)

// newProvider is the name of the provider that mrgen writes, and of its log.
const newProvider = "provider-scaffold"

// TestScaffold guards that a provider of both scopes manages resources just as init and
// add kind write it, with its own examples: it starts without the CRDs of its kinds,
// and does with an object what the user asks for as soon as they are there.
func TestScaffold(t *testing.T) {
	// Before others run beside it, since the compiler would take their time.
	folder, binary := scaffold(t)
	s := newScenario(t)
	if err := plane.InstallCRDs(glob(t, filepath.Join(folder, "package/crds/scaffold.*.yaml"))...); err != nil {
		t.Fatal(err)
	}
	changes := s.changeLog()
	s.startBinary(newProvider, binary, "--debug", "--poll=1s", "--metrics-bind-address=0", "--enable-changelogs", "--changelogs-socket-path="+changes.socket)

	configs := s.applyExamples(filepath.Join(folder, "examples/*/provider/*.yaml"), "default")
	for _, config := range configs {
		s.eventually(config, "at work", func() error {
			if len(config.GetFinalizers()) == 0 {
				return errors.New("the provider has not seen its configuration")
			}
			return nil
		})
	}
	if s.managing() {
		t.Error("the provider has not waited for the CRDs of its kinds")
	}

	if err := plane.InstallCRDs(glob(t, filepath.Join(folder, "package/crds/storage.*.yaml"))...); err != nil {
		t.Fatal(err)
	}
	buckets := s.applyExamples(filepath.Join(folder, "examples/storage.*/v1alpha1/bucket.yaml"), "example")
	for _, bucket := range buckets {
		s.conditions(bucket, "Ready=True", "Synced=True")
		s.observed(bucket, 1)
		if err := is("spec.forProvider.description", field(bucket, "spec.forProvider.description"), "Managed by Crossplane"); err != nil {
			t.Error(err)
		}
		password := s.connection(bucket)
		s.change(bucket, `{"spec": {"forProvider": {"size": 2}}}`)
		s.observed(bucket, 2)
		s.pause(bucket)
		if again := s.connection(bucket); again != password {
			t.Errorf("the password is %q, and was %q", again, password)
		}
		s.takeAway(bucket)
		s.edit(desk{
			object: bucket,
			fields: map[string][]any{
				"size": {1, 2, 3}, "description": {nil, "a", "b"},
				"tags": {nil, map[string]any{"a": "1"}, map[string]any{"a": "2", "b": "2"}},
			},
			external: func() map[string]any { return maps.Clone(field(bucket, "status.atProvider").(map[string]any)) },
			updates:  func() int { return changes.updates(bucket) },
		}, 5)
	}
	for _, config := range configs {
		s.eventually(config, "in use", func() error {
			return is("status.users", field(config, "status.users"), 1)
		})
	}
	for _, bucket := range buckets {
		if bucket.GetNamespace() != "" {
			s.place(bucket)
			s.references(bucket)
		}
	}
	if !s.managing() {
		t.Error("the log doesn't name the controllers that have done this")
	}
	for _, bucket := range buckets {
		s.delete(bucket) // crossplane-runtime believes that it is gone half a minute after its creation
		changes.has(t, bucket, "OPERATION_TYPE_CREATE", "OPERATION_TYPE_UPDATE", "OPERATION_TYPE_DELETE")
	}
}

// A changeLog is what runs beside a provider, and notes what it does with external resources.
type changeLog struct {
	changelogs.UnimplementedChangeLogServiceServer
	socket  string
	mutex   sync.Mutex
	entries []*changelogs.ChangeLogEntry
}

// changeLog starts a change log.
func (s *scenario) changeLog() *changeLog {
	s.Helper()
	folder, err := os.MkdirTemp("", "") // the path of a socket must be short
	if err != nil {
		s.Fatal(err)
	}
	s.Cleanup(func() { _ = os.RemoveAll(folder) })
	c := &changeLog{socket: filepath.Join(folder, "changes.sock")}
	listener, err := net.Listen("unix", c.socket)
	if err != nil {
		s.Fatal(err)
	}
	server := grpc.NewServer()
	changelogs.RegisterChangeLogServiceServer(server, c)
	go func() { _ = server.Serve(listener) }()
	s.Cleanup(server.Stop)
	return c
}

// SendChangeLog notes a change.
func (c *changeLog) SendChangeLog(_ context.Context, r *changelogs.SendChangeLogRequest) (*changelogs.SendChangeLogResponse, error) {
	c.mutex.Lock()
	defer c.mutex.Unlock()
	c.entries = append(c.entries, r.GetEntry())
	return &changelogs.SendChangeLogResponse{}, nil
}

// updates returns how many updates are noted of an object.
func (c *changeLog) updates(object *unstructured.Unstructured) (n int) {
	c.mutex.Lock()
	defer c.mutex.Unlock()
	for _, entry := range c.entries {
		if entry.GetApiVersion() == object.GetAPIVersion() && entry.GetName() == object.GetName() && entry.GetOperation() == changelogs.OperationType_OPERATION_TYPE_UPDATE {
			n++
		}
	}
	return n
}

// has checks which operations are noted of an object.
func (c *changeLog) has(t *testing.T, object *unstructured.Unstructured, want ...string) {
	t.Helper()
	c.mutex.Lock()
	defer c.mutex.Unlock()
	var got []string
	for _, entry := range c.entries {
		if entry.GetApiVersion() != object.GetAPIVersion() || entry.GetName() != object.GetName() {
			continue
		}
		if entry.GetProvider() != newProvider+":dev" {
			t.Errorf("the change log names the provider %q", entry.GetProvider())
		}
		got = append(got, entry.GetOperation().String())
	}
	if got = slices.Compact(got); !slices.Equal(got, want) {
		t.Errorf("the change log has %q, want %q", got, want)
	}
}

// scaffold writes and builds a provider as a user does, and returns its folder and the
// program.
func scaffold(t *testing.T) (folder, binary string) {
	t.Helper()
	parent := t.TempDir()
	folder, binary = filepath.Join(parent, newProvider), filepath.Join(parent, "provider")
	mrgen(t, parent, "init", newProvider, "--module=example.org/"+newProvider, "--group=scaffold.example.org", "--scope=both")
	mrgen(t, folder, "add", "kind", "Bucket", "--group=storage", "--version=v1alpha1", "--password")
	const parameters = "type BucketParameters struct {\n"
	const reference = "\t// +optional\n\t// +crossplane:generate:reference:type=Bucket\n"
	types, api := parameters, ""
	for _, name := range []string{"First", "Second", "Third"} {
		value := fmt.Sprintf("\t%s *string `json:\"%s,omitempty\"`\n", name, strings.ToLower(name))
		types, api = types+"\t// "+name+" refers to a bucket.\n"+reference+value, api+value
		if name == "First" {
			types = strings.TrimSuffix(types, value) + "\t// +immutable\n" + value
		}
	}
	edit(t, glob(t, filepath.Join(folder, "apis/namespaced/storage/v1alpha1/bucket_types.go"))[0], parameters, types)
	edit(t, glob(t, filepath.Join(folder, "internal/controller/namespaced/storage/bucket/memory.go"))[0], "type Object struct {\n", "type Object struct {\n"+api)
	mrgen(t, folder, "fix", "references", "./apis/...")
	mrgen(t, folder, "generate")
	cmd := exec.CommandContext(t.Context(), "go", "build", "-o", binary, "./cmd/provider")
	cmd.Dir = folder
	cmd.Env = append(os.Environ(), "GOWORK=off")
	if out, err := cmd.CombinedOutput(); err != nil {
		t.Fatalf("%v: %v\n%s", cmd.Args, err, out)
	}
	return folder, binary
}

// startBinary runs the program of a provider for as long as the scenario, which fails
// if it ends before. Its log is beside those of the servers.
func (s *scenario) startBinary(name, binary string, args ...string) {
	s.Helper()
	group := process.NewGroup(plane.Context(), plane.Folder())
	s.Cleanup(func() {
		if cause := context.Cause(group.Context()); cause != nil {
			s.Error(cause)
		}
		group.Stop()
	})
	kubeconfig := "KUBECONFIG=" + filepath.Join(plane.Folder(), "kubeconfig")
	if err := group.Start(name, []string{kubeconfig}, binary, args...); err != nil {
		s.Fatal(err)
	}
}

// managing says whether the log of the new provider names a controller of managed
// resources.
func (s *scenario) managing() bool {
	s.Helper()
	log, err := os.ReadFile(filepath.Join(plane.Folder(), newProvider+".log"))
	if err != nil {
		s.Fatal(err)
	}
	return contains(string(log), `"managed/`)
}

// applyExamples applies the objects in files, and returns those of a name, of which
// there must be one for each scope.
func (s *scenario) applyExamples(pattern, name string) []*unstructured.Unstructured {
	s.Helper()
	named := slices.DeleteFunc(s.applyFiles(pattern), func(object *unstructured.Unstructured) bool { return object.GetName() != name })
	if len(named) != 2 {
		s.Fatalf("%d objects in %s are named %s, want one for each scope", len(named), pattern, name)
	}
	return named
}

// applyFiles applies the objects in files, and returns them.
func (s *scenario) applyFiles(pattern string) []*unstructured.Unstructured {
	s.Helper()
	var applied []*unstructured.Unstructured
	for _, file := range glob(s.T, pattern) {
		content, err := os.ReadFile(file)
		if err != nil {
			s.Fatal(err)
		}
		objects, err := decode(string(content))
		if err != nil {
			s.Fatalf("%s: %v", file, err)
		}
		for _, object := range objects {
			// The API server serves a kind a moment after it is established.
			if err := within(plane, func() error {
				return kube.Apply(s.Context(), client.ApplyConfigurationFromUnstructured(object), client.FieldOwner("user"))
			}); err != nil {
				s.Fatalf("%s: %v", file, err)
			}
			applied = append(applied, object)
		}
	}
	return applied
}

// observed waits until the status of the example has all that the provider knows of
// the external resource.
func (s *scenario) observed(bucket *unstructured.Unstructured, size int) {
	s.Helper()
	s.eventually(bucket, "observed", func() error {
		return is("status.atProvider", field(bucket, "status.atProvider"), map[string]any{
			"description": "Managed by Crossplane",
			"endpoint":    "endpoint.example.org",
			"id":          "1",
			"region":      "example",
			"size":        size,
			"state":       "ACTIVE",
		})
	})
}

// likeExample applies a resource like the example, with fields of spec.forProvider, as a user does who keeps a manifest. Without
// a secret, it has no place for its password.
func (s *scenario) likeExample(example *unstructured.Unstructured, name, secret string, fields map[string]any) *unstructured.Unstructured {
	s.Helper()
	spec := runtime.DeepCopyJSON(field(example, "spec").(map[string]any))
	spec["forProvider"] = runtime.DeepCopyJSON(fields)
	delete(spec, "writeConnectionSecretToRef")
	if secret != "" {
		spec["writeConnectionSecretToRef"] = map[string]any{"name": secret}
	}
	object := &unstructured.Unstructured{Object: map[string]any{"spec": spec}}
	object.SetGroupVersionKind(example.GroupVersionKind())
	object.SetNamespace(example.GetNamespace())
	object.SetName(name)
	if err := kube.Apply(s.Context(), client.ApplyConfigurationFromUnstructured(object), client.FieldOwner("user"), client.ForceOwnership); err != nil {
		s.Fatal(err)
	}
	return object
}

// place checks that nothing is created before its password has a place.
func (s *scenario) place(example *unstructured.Unstructured) {
	s.Helper()
	fields := map[string]any{"region": "example", "size": int64(1)}
	bucket := s.likeExample(example, "placeless", "", fields)
	if message := s.conditions(bucket, "Synced=False"); !contains(message, "set spec.writeConnectionSecretToRef") {
		s.Errorf("the message is %q", message)
	}
	bucket = s.likeExample(example, "placeless", "placed", fields)
	s.conditions(bucket, "Ready=True", "Synced=True")
	s.delete(bucket)
}

// references checks that references which are added one after the other stay resolved, and that the one that is always
// resolved follows its target.
func (s *scenario) references(example *unstructured.Unstructured) {
	s.Helper()
	fields, want := map[string]any{"region": "example", "size": int64(1)}, map[string]any{}
	names := []string{"first", "second", "third"}
	var all []*unstructured.Unstructured
	for _, name := range names {
		all = append(all, s.likeExample(example, name, name, fields))
	}
	for _, target := range all {
		s.conditions(target, "Ready=True", "Synced=True")
	}
	var link *unstructured.Unstructured
	resolved := func() error {
		var err error
		for name, value := range want {
			err = errors.Join(err, is(name, field(link, "spec.forProvider."+name), value), is("outside, "+name, field(link, "status.atProvider."+name), value))
		}
		return err
	}
	for _, name := range names {
		reference := map[string]any{"name": name}
		if name == "third" {
			reference["policy"] = map[string]any{"resolve": "Always"}
		}
		fields[name+"Ref"], want[name] = reference, name
		link = s.likeExample(example, "link", "link", fields)
		s.eventually(link, "resolved", resolved)
	}
	s.conditions(link, "Ready=True", "Synced=True")
	generation := link.GetGeneration()
	s.remains(link, func() error { return errors.Join(resolved(), is("the generation", link.GetGeneration(), generation)) })
	s.change(all[2], `{"metadata":{"annotations":{"crossplane.io/external-name":"renamed"}}}`)
	want["third"] = "renamed"
	s.eventually(link, "resolved again", resolved)
	s.remains(link, resolved)
	for _, object := range append(all, link) {
		s.delete(object)
	}
}

// takeAway checks that what a user takes away is gone, and that all is at rest then.
func (s *scenario) takeAway(bucket *unstructured.Unstructured) {
	s.Helper()
	for _, tags := range []map[string]any{{"a": "1", "b": "2"}, {"a": "1", "b": nil}} {
		patch, err := json.Marshal(map[string]any{"spec": map[string]any{"forProvider": map[string]any{"tags": tags}}})
		if err != nil {
			s.Fatal(err)
		}
		s.change(bucket, string(patch))
		maps.DeleteFunc(tags, func(_ string, value any) bool { return value == nil })
		has := func() error {
			return errors.Join(is("spec", field(bucket, "spec.forProvider.tags"), tags), is("status", field(bucket, "status.atProvider.tags"), tags))
		}
		s.eventually(bucket, "tags", has)
		generation := bucket.GetGeneration()
		s.remains(bucket, func() error { return errors.Join(has(), is("the generation", bucket.GetGeneration(), generation)) })
	}
	s.conditions(bucket, "Synced=True")
}

// pause checks that the provider leaves the external resource alone while that is asked for.
func (s *scenario) pause(bucket *unstructured.Unstructured) {
	s.Helper()
	s.change(bucket, `{"metadata": {"annotations": {"crossplane.io/paused": "true"}}}`)
	s.conditions(bucket, "Synced=False")
	s.change(bucket, `{"spec": {"forProvider": {"size": 3}}}`)
	s.remains(bucket, func() error { return is("status.atProvider.size", field(bucket, "status.atProvider.size"), 2) })
	s.change(bucket, `{"metadata": {"annotations": {"crossplane.io/paused": null}}}`)
	s.observed(bucket, 3)
	s.conditions(bucket, "Synced=True")
}

// connection checks the connection secret of the example, and returns the password in it.
func (s *scenario) connection(bucket *unstructured.Unstructured) (password string) {
	s.Helper()
	name, _ := field(bucket, "spec.writeConnectionSecretToRef.name").(string)
	namespace, _ := field(bucket, "spec.writeConnectionSecretToRef.namespace").(string)
	key := client.ObjectKey{Namespace: cmp.Or(bucket.GetNamespace(), namespace), Name: name}
	if err := within(plane, func() error {
		got, err := values(s.Context(), key)
		password = got["password"]
		return errors.Join(err, is("the secret", got, map[string]string{"endpoint": "endpoint.example.org", "password": password}), is("the length of the password", len(password), 27))
	}); err != nil {
		s.Error(err)
	}
	return password
}
