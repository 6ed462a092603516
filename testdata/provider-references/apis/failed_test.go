package apis_test

import (
	"context"
	"encoding/json"
	"flag"
	"fmt"
	"maps"
	"math/rand/v2"
	"reflect"
	"regexp"
	"slices"
	"strings"
	"testing"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"sigs.k8s.io/controller-runtime/pkg/client"

	"github.com/crossplane/crossplane-runtime/v2/pkg/meta"
	xpv2 "github.com/crossplane/crossplane/apis/v2/core/v2"

	cluster "github.com/mrgen-io/provider-references/apis/cluster/v1alpha1"
	namespaced "github.com/mrgen-io/provider-references/apis/namespaced/v1alpha1"
)

var (
	objects = flag.Int("objects", 300, "how many random objects to resolve the references of")
	seed    = flag.Uint64("seed", 1, "the seed of the first object, which others follow")
)

// noNumbers are external names that strconv, or a part of it, takes for numbers, and
// JSON doesn't, or that no number in Go can hold.
var noNumbers = map[string]string{
	"nan": "nan", "inf": "inf", "minus-infinity": "-Infinity", "underscore": "1_000", "hexadecimal": "0x1p4",
	"plus": "+5", "zeros": "007", "point": "5.", "space": " 5", "null": "null", "true": "true",
	"large": "9223372036854775808", "huge": "1e400", "huge-negative": "-1e400",
}

// newClientWith returns a client that also has networks with these external names.
func newClientWith(t testing.TB, names map[string]string) client.Client {
	t.Helper()
	c := newClient(t)
	for name, external := range names {
		m := metav1.ObjectMeta{Name: name, Annotations: map[string]string{meta.AnnotationKeyExternalName: external}}
		if err := c.Create(context.Background(), &cluster.Network{ObjectMeta: m}); err != nil {
			t.Fatal(err)
		}
		m.Namespace = "team"
		if err := c.Create(context.Background(), &namespaced.Network{ObjectMeta: m}); err != nil {
			t.Fatal(err)
		}
	}
	return c
}

// TestNumbersOfJSON has what is no number in JSON, or none of its Go type, be an error
// that names the field, which stays as it is, also when it is resolved again.
func TestNumbersOfJSON(t *testing.T) {
	c := newClientWith(t, noNumbers)
	for name, external := range noNumbers {
		for _, field := range []string{
			"integer", "integerPointer", "integers", "integerPointers", "count", "countPointer", "counts", "countPointers",
			"float", "floatPointer", "floats", "floatPointers", "ratio", "ratioPointer", "ratios", "ratioPointers",
		} {
			if external == "9223372036854775808" && (strings.HasPrefix(field, "float") || strings.HasPrefix(field, "ratio")) {
				continue // is one that a float can hold
			}
			path, references := field, fmt.Sprintf(`%q: {"name": %q}`, field+"Ref", name)
			if strings.HasSuffix(field, "s") {
				path, references = field+"[1]", fmt.Sprintf(`%q: [{"name": "a"}, {"name": %q}]`, field+"Refs", name)
			}
			server := newServer(t, `{"values": {`+references+`}}`)
			before := encode(t, server)
			want := fmt.Sprintf("spec.forProvider.values.%s: cannot resolve reference to Network %q: ", path, name)
			for range 2 {
				if text := errorText(server.ResolveReferences(context.Background(), c)); !strings.HasPrefix(text, want) || !strings.Contains(text, strings.Trim(external, " ")) {
					t.Errorf("%s: error %q, want %q and the value %s", field, text, want, external)
				}
				if !reflect.DeepEqual(before, encode(t, server)) {
					t.Errorf("%s of %s has changed", field, external)
				}
			}
		}
	}
}

func newServer(t *testing.T, parameters string) *namespaced.Server {
	t.Helper()
	server := &namespaced.Server{ObjectMeta: metav1.ObjectMeta{Namespace: "team", Name: "server"}}
	if err := json.Unmarshal([]byte(parameters), &server.Spec.ForProvider); err != nil {
		t.Fatal(err)
	}
	return server
}

// TestFailedStaysAsItIs resolves the references of random objects. A field that can't
// be resolved stays as it is, and the same error comes again; what is resolved changes
// no more.
func TestFailedStaysAsItIs(t *testing.T) {
	c := newClientWith(t, noNumbers)
	failures := 0
	for i := range *objects {
		if resolveTwice(t, c, *seed+uint64(i)) != nil {
			failures++
		}
	}
	if failures < *objects/10 || failures > *objects*9/10 {
		t.Errorf("%d of %d objects fail: that proves little", failures, *objects)
	}
}

// FuzzFailedStaysAsItIs does the same for as long as you like.
func FuzzFailedStaysAsItIs(f *testing.F) {
	c := newClientWith(f, noNumbers)
	f.Add(uint64(1))
	f.Fuzz(func(t *testing.T, seed uint64) { _ = resolveTwice(t, c, seed) })
}

// resolveTwice resolves the references of the object of a seed, and returns the error.
func resolveTwice(t *testing.T, c client.Client, seed uint64) error {
	t.Helper()
	r := random{rand.New(rand.NewPCG(seed, 0))}
	var kind interface {
		client.Object
		ResolveReferences(context.Context, client.Reader) error
	}
	if r.IntN(4) == 0 {
		server := &cluster.Server{ObjectMeta: metav1.ObjectMeta{Name: "server"}}
		r.fill(reflect.ValueOf(&server.Spec.ForProvider).Elem())
		kind = server
	} else {
		server := &namespaced.Server{ObjectMeta: metav1.ObjectMeta{Namespace: "team", Name: "server"}}
		r.fill(reflect.ValueOf(&server.Spec.ForProvider).Elem())
		kind = server
	}
	before := encode(t, kind)
	first := kind.ResolveReferences(context.Background(), c)
	once := encode(t, kind)
	second := kind.ResolveReferences(context.Background(), c)
	if errorText(first) != errorText(second) {
		t.Errorf("seed %d: at first the error\n%v\nand then\n%v", seed, first, second)
	}
	if twice := encode(t, kind); !reflect.DeepEqual(once, twice) {
		t.Errorf("seed %d: the second call has changed %v to %v", seed, once, twice)
	}
	if first == nil {
		return nil
	}
	path, _, _ := strings.Cut(first.Error(), ": ")
	holder, field := at(t, before, path)
	changed, _ := at(t, once, path)
	for _, name := range []string{field, field + "Ref", field + "Refs", field + "Selector"} {
		if !reflect.DeepEqual(holder[name], changed[name]) {
			t.Errorf("seed %d: %v, but %s was %v and is %v", seed, first, name, holder[name], changed[name])
		}
	}
	return first
}

func encode(t *testing.T, kind any) map[string]any {
	t.Helper()
	content, err := json.Marshal(kind)
	if err != nil {
		t.Fatal(err)
	}
	var object map[string]any
	if err := json.Unmarshal(content, &object); err != nil {
		t.Fatal(err)
	}
	return object
}

var step = regexp.MustCompile(`[^.\[\]]+`)

// at returns the object that has the field which a path names, and the name.
func at(t *testing.T, object map[string]any, path string) (holder map[string]any, field string) {
	t.Helper()
	var value any = object
	for _, name := range step.FindAllString(path, -1) {
		switch v := value.(type) {
		case map[string]any:
			holder, field, value = v, name, v[name]
		case []any:
			var i int
			if _, err := fmt.Sscan(name, &i); err != nil {
				t.Fatalf("%s leads nowhere in %v", path, object)
			}
			if value = nil; i < len(v) {
				value = v[i]
			} // else there is a reference to a value that was not resolved yet
		}
	}
	return holder, field
}

// random makes random parameters. Most of what it refers to can be resolved, or else
// few fields ever would be.
type random struct{ *rand.Rand }

var (
	referenceType  = reflect.TypeFor[xpv2.Reference]()
	namespacedType = reflect.TypeFor[xpv2.NamespacedReference]()
	selectorType   = reflect.TypeFor[xpv2.Selector]()
	selectorsType  = reflect.TypeFor[xpv2.NamespacedSelector]()
)

func (r random) fill(v reflect.Value) {
	switch v.Type() {
	case referenceType:
		v.Set(reflect.ValueOf(xpv2.Reference{Name: r.name(), Policy: r.policy()}))
		return
	case namespacedType:
		v.Set(reflect.ValueOf(xpv2.NamespacedReference{Name: r.name(), Policy: r.policy()}))
		return
	case selectorType:
		v.Set(reflect.ValueOf(xpv2.Selector{MatchLabels: r.labels(), Policy: r.policy()}))
		return
	case selectorsType:
		v.Set(reflect.ValueOf(xpv2.NamespacedSelector{MatchLabels: r.labels(), Policy: r.policy()}))
		return
	}
	switch v.Kind() {
	case reflect.String:
		v.SetString(fmt.Sprint(r.IntN(100)))
	case reflect.Int64:
		v.SetInt(r.Int64N(5))
	case reflect.Float64:
		v.SetFloat(float64(r.IntN(5)) / 4)
	case reflect.Pointer:
		v.Set(reflect.New(v.Type().Elem()))
		r.fill(v.Elem())
	case reflect.Slice:
		v.Set(reflect.MakeSlice(v.Type(), r.IntN(3), 3))
		for i := range v.Len() {
			if elem := v.Index(i); elem.Kind() != reflect.Pointer || r.IntN(4) > 0 {
				r.fill(elem)
			}
		}
	case reflect.Map:
		v.Set(reflect.MakeMap(v.Type()))
		for range r.IntN(3) {
			key, elem := reflect.New(v.Type().Key()).Elem(), reflect.New(v.Type().Elem()).Elem()
			key.SetString(string(rune('a' + r.IntN(26))))
			r.fill(elem)
			v.SetMapIndex(key, elem)
		}
	case reflect.Struct:
		for i := range v.NumField() {
			// Structs around the references, and a few of the rest.
			if v.Field(i).Kind() == reflect.Struct || r.IntN(5) == 0 {
				r.fill(v.Field(i))
			}
		}
	}
}

func (r random) name() string {
	if r.IntN(20) > 0 {
		return []string{"a", "b"}[r.IntN(2)]
	}
	names := []string{"missing", "pending", "words", "fraction"}
	names = slices.AppendSeq(names, maps.Keys(noNumbers))
	slices.Sort(names)
	return names[r.IntN(len(names))]
}

func (r random) labels() map[string]string {
	if r.IntN(20) > 0 {
		return map[string]string{"group": "x"}
	}
	return map[string]string{"group": []string{"none", "pending", ""}[r.IntN(3)]}
}

// policy leaves out optional references: crossplane-runtime drops one that can't be
// resolved, so that the next call is about something else.
func (r random) policy() *xpv2.Policy {
	if always := xpv2.ResolvePolicyAlways; r.IntN(6) == 0 {
		return &xpv2.Policy{Resolve: &always}
	}
	return nil
}
