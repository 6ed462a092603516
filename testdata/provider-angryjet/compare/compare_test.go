// Package compare resolves references with the methods that mrgen writes and with those
// that angryjet writes, and compares what becomes of the objects.
package compare

import (
	"bytes"
	"context"
	"encoding/json"
	"flag"
	"fmt"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"reflect"
	"slices"
	"strings"
	"testing"

	"k8s.io/apimachinery/pkg/runtime"
	"sigs.k8s.io/controller-runtime/pkg/client"
	"sigs.k8s.io/controller-runtime/pkg/client/fake"

	xpv1 "github.com/crossplane/crossplane-runtime/v2/apis/common/v1"
	"github.com/crossplane/crossplane-runtime/v2/pkg/meta"

	angryjetcluster "github.com/mrgen-io/provider-angryjet/angryjet/cluster/v1alpha1"
	angryjetnamespaced "github.com/mrgen-io/provider-angryjet/angryjet/namespaced/v1alpha1"
	cluster "github.com/mrgen-io/provider-angryjet/apis/cluster/v1alpha1"
	namespaced "github.com/mrgen-io/provider-angryjet/apis/namespaced/v1alpha1"
)

var (
	objects = flag.Int("objects", 500, "how many random objects to resolve the references of")
	seed    = flag.Uint64("seed", 1, "the seed of the first object, which others follow")
)

// A scope is the kinds of one scope, as each generator has them.
type scope struct {
	namespace    string
	ours, theirs side
}

// A side is what a generator has written.
type side struct {
	addToScheme func(*runtime.Scheme) error
	network     client.Object
	server      resolver
}

var scopes = map[string]scope{
	"namespaced": {
		"team",
		side{namespaced.SchemeBuilder.AddToScheme, &namespaced.Network{}, &namespaced.Server{}},
		side{angryjetnamespaced.SchemeBuilder.AddToScheme, &angryjetnamespaced.Network{}, &angryjetnamespaced.Server{}},
	},
	"cluster": {
		"",
		side{cluster.SchemeBuilder.AddToScheme, &cluster.Network{}, &cluster.Server{}},
		side{angryjetcluster.SchemeBuilder.AddToScheme, &angryjetcluster.Network{}, &angryjetcluster.Server{}},
	},
}

// TestSameAsAngryjet has random objects become the same, byte for byte, or fail for the
// same cause.
func TestSameAsAngryjet(t *testing.T) {
	for name, s := range scopes {
		t.Run(name, func(t *testing.T) {
			compare := newComparison(t, s)
			failures := 0
			for i := range *objects / 2 {
				if compare(t, *seed+uint64(i)) != nil {
					failures++
				}
			}
			if failures < *objects/20 || failures > *objects*9/20 {
				t.Errorf("%d of %d objects fail: that proves little", failures, *objects/2)
			}
		})
	}
}

// FuzzSameAsAngryjet does the same for as long as you like.
func FuzzSameAsAngryjet(f *testing.F) {
	comparisons := map[bool]func(*testing.T, uint64) error{
		true: newComparison(f, scopes["namespaced"]), false: newComparison(f, scopes["cluster"]),
	}
	f.Add(true, uint64(1))
	f.Add(false, uint64(1))
	f.Fuzz(func(t *testing.T, isNamespaced bool, seed uint64) { _ = comparisons[isNamespaced](t, seed) })
}

// newComparison returns a function that compares what becomes of the object of a seed,
// and returns the error.
func newComparison(t testing.TB, s scope) func(*testing.T, uint64) error {
	ourClient, theirClient := newClient(t, s.ours, s.namespace), newClient(t, s.theirs, s.namespace)
	return func(t *testing.T, seed uint64) error {
		r := random{rand.New(rand.NewPCG(seed, 0))}
		ours, theirs := s.ours.server.DeepCopyObject().(resolver), s.theirs.server.DeepCopyObject().(resolver)
		ours.SetNamespace(s.namespace)
		ours.SetName("server")
		spec := reflect.ValueOf(ours).Elem().FieldByName("Spec")
		r.fill(spec.FieldByName("ForProvider"))
		r.fill(spec.FieldByName("InitProvider"))
		before := encode(t, ours)
		if err := json.Unmarshal(before, theirs); err != nil {
			t.Fatal(err)
		}
		ourErr := ours.ResolveReferences(context.Background(), ourClient)
		theirErr := theirs.ResolveReferences(context.Background(), theirClient)
		if !sameCause(ourErr, theirErr) {
			t.Errorf("seed %d: our error\n%v\ntheir error\n%v\nof\n%s", seed, ourErr, theirErr, before)
		}
		// What fails is not stored. Ours goes through a list once, so it may have resolved less of it.
		// Where an optional target is missing, theirs forgets value and reference, and ours keeps what is there.
		isForgotten := bytes.Contains(before, []byte(`"resolution":"Optional"`)) && lacksTarget(before)
		if our, their := encode(t, ours), encode(t, theirs); ourErr == nil && !isForgotten && !bytes.Equal(our, their) {
			t.Errorf("seed %d: our\n%s\ntheir\n%s\nof\n%s", seed, our, their, before)
		}
		return ourErr
	}
}

// resolver is a kind with references.
type resolver interface {
	client.Object
	ResolveReferences(context.Context, client.Reader) error
}

// newClient returns a client of an API server that has networks: a and b in the group x,
// and pending, which has no external name yet, in a group of its own.
func newClient(t testing.TB, s side, namespace string) client.Client {
	t.Helper()
	scheme := runtime.NewScheme()
	if err := s.addToScheme(scheme); err != nil {
		t.Fatal(err)
	}
	c := fake.NewClientBuilder().WithScheme(scheme).Build()
	for name, annotations := range map[string]map[string]string{
		"a":       {meta.AnnotationKeyExternalName: "41", "example.org/name": "name of a", "example.org/path": "/a"},
		"b":       {meta.AnnotationKeyExternalName: "42", "example.org/name": "name of b", "example.org/path": "/b"},
		"pending": {},
	} {
		n := s.network.DeepCopyObject().(client.Object)
		n.SetNamespace(namespace)
		n.SetName(name)
		n.SetAnnotations(annotations)
		n.SetLabels(map[string]string{"group": "x"})
		if len(annotations) == 0 {
			n.SetLabels(map[string]string{"group": name})
		}
		if err := c.Create(context.Background(), n); err != nil {
			t.Fatal(err)
		}
	}
	return c
}

// sameCause reports whether two errors are what crossplane-runtime said, in words of each
// generator. Of several references that can't be resolved ours names the first one, and
// crossplane-runtime may have stopped at another.
func sameCause(ours, theirs error) bool {
	if ours == nil || theirs == nil {
		return ours == nil && theirs == nil
	}
	path, _, _ := strings.Cut(ours.Error(), ": ")
	_, cause, _ := strings.Cut(theirs.Error(), ": ")
	return strings.HasSuffix(ours.Error(), cause) || strings.HasSuffix(path, "]")
}

// lacksTarget reports whether an object refers to something that isn't there, or has no external name yet.
func lacksTarget(object []byte) bool {
	return slices.ContainsFunc([]string{"missing", "pending", "none"}, func(name string) bool {
		return bytes.Contains(object, []byte(`:"`+name+`"`))
	})
}

func encode(t *testing.T, object any) []byte {
	t.Helper()
	content, err := json.Marshal(object)
	if err != nil {
		t.Fatal(err)
	}
	return content
}

// random makes random parameters, of which both generators know what to do with them: no
// null in a slice, and no fractions.
type random struct{ *rand.Rand }

func (r random) fill(v reflect.Value) {
	switch into := v.Addr().Interface().(type) {
	case *xpv1.Reference:
		*into = xpv1.Reference{Name: r.name(), Policy: r.policy()}
		return
	case *xpv1.NamespacedReference:
		*into = xpv1.NamespacedReference{Name: r.name(), Policy: r.policy()}
		return
	case *xpv1.Selector:
		*into = xpv1.Selector{MatchLabels: r.labels(), Policy: r.policy()}
		return
	case *xpv1.NamespacedSelector:
		*into = xpv1.NamespacedSelector{MatchLabels: r.labels(), Policy: r.policy()}
		return
	}
	switch v.Kind() {
	case reflect.String:
		v.SetString(fmt.Sprint(r.IntN(3)))
	case reflect.Float64:
		v.SetFloat(float64(r.IntN(5)))
	case reflect.Pointer:
		v.Set(reflect.New(v.Type().Elem()))
		r.fill(v.Elem())
	case reflect.Slice:
		v.Set(reflect.MakeSlice(v.Type(), r.IntN(3), 3))
		for i := range v.Len() {
			r.fill(v.Index(i))
		}
	case reflect.Struct:
		for i := range v.NumField() {
			// Structs around the references, and a part of the rest.
			if v.Field(i).Kind() == reflect.Struct || r.IntN(3) == 0 {
				r.fill(v.Field(i))
			}
		}
	}
}

func (r random) name() string {
	if r.IntN(25) > 0 {
		return []string{"a", "b"}[r.IntN(2)]
	}
	return []string{"missing", "pending"}[r.IntN(2)]
}

func (r random) labels() map[string]string {
	if r.IntN(25) > 0 {
		return map[string]string{"group": "x"}
	}
	return map[string]string{"group": []string{"none", "pending"}[r.IntN(2)]}
}

func (r random) policy() *xpv1.Policy {
	optional, always := xpv1.ResolutionPolicyOptional, xpv1.ResolvePolicyAlways
	switch r.IntN(6) {
	case 0:
		return &xpv1.Policy{Resolution: &optional}
	case 1:
		return &xpv1.Policy{Resolve: &always}
	case 2:
		return &xpv1.Policy{Resolution: &optional, Resolve: &always}
	default:
		return nil
	}
}

// TestAngryjet has the packages in angryjet be those in apis, and their generated files
// those that angryjet writes.
func TestAngryjet(t *testing.T) {
	work := t.TempDir()
	program := filepath.Join(work, "program")
	run(t, "../../bench", "go", "build", "-o", program, "github.com/crossplane/crossplane-tools/cmd/angryjet")
	for _, name := range []string{"go.mod", "go.sum"} {
		copyFile(t, filepath.Join("..", name), filepath.Join(work, name))
	}
	var generated []string
	for _, scope := range []string{"namespaced", "cluster"} {
		folder := filepath.Join("angryjet", scope, "v1alpha1")
		if err := os.MkdirAll(filepath.Join(work, folder), 0o777); err != nil {
			t.Fatal(err)
		}
		for ours, name := range map[string]string{
			"types.go": "types.go", "groupversion_info.go": "groupversion_info.go", "zz_generated.deepcopy.go": "deepcopy.go",
		} {
			ours = filepath.Join("../apis", scope, "v1alpha1", ours)
			if !bytes.Equal(read(t, ours), read(t, filepath.Join("..", folder, name))) {
				t.Errorf("copy %s to %s", ours, filepath.Join("..", folder, name))
			}
			copyFile(t, filepath.Join("..", folder, name), filepath.Join(work, folder, name))
		}
		for _, name := range []string{"managed.go", "managedlist.go", "resolvers.go"} {
			generated = append(generated, filepath.Join(folder, name))
		}
	}
	run(t, work, program, "generate-methodsets", "--filename-managed=managed.go", "--filename-managed-list=managedlist.go", "--filename-resolvers=resolvers.go", "./angryjet/...")
	for _, name := range generated {
		if !bytes.Equal(read(t, filepath.Join("..", name)), read(t, filepath.Join(work, name))) {
			t.Errorf("%s is not what angryjet writes", name)
		}
	}
}

func run(t *testing.T, folder, program string, arguments ...string) {
	t.Helper()
	command := exec.Command(program, arguments...)
	command.Dir = folder
	if output, err := command.CombinedOutput(); err != nil {
		t.Fatalf("%s: %v\n%s", command, err, output)
	}
}

func read(t *testing.T, name string) []byte {
	t.Helper()
	content, err := os.ReadFile(name)
	if err != nil {
		t.Fatal(err)
	}
	return content
}

func copyFile(t *testing.T, from, to string) {
	t.Helper()
	if err := os.WriteFile(to, read(t, from), 0o666); err != nil {
		t.Fatal(err)
	}
}
