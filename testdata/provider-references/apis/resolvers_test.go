package apis_test

import (
	"context"
	"encoding/json"
	"math"
	"reflect"
	"slices"
	"strings"
	"testing"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime"
	"sigs.k8s.io/controller-runtime/pkg/client"
	"sigs.k8s.io/controller-runtime/pkg/client/fake"
	"sigs.k8s.io/controller-runtime/pkg/client/interceptor"
	"sigs.k8s.io/yaml"

	"github.com/crossplane/crossplane-runtime/v2/pkg/meta"
	xpv2 "github.com/crossplane/crossplane/apis/v2/core/v2"

	"github.com/mrgen-io/provider-references/apis"
	cluster "github.com/mrgen-io/provider-references/apis/cluster/v1alpha1"
	namespaced "github.com/mrgen-io/provider-references/apis/namespaced/v1alpha1"
)

// newClient returns a client of an API server that has networks:
//
//   - 41 and 42 in the namespace team, in the group x, and 43 in the namespace other
//   - 41 and 42 in the cluster, in the group x
//   - words, whose external name is no number
//   - fraction, whose external name is 2.5
//   - pending, which has no external name yet, in the group pending
//
// The external names of those with numbers are their numbers; that in the
// namespace other has the same name as one in team.
func newClient(t testing.TB) client.Client {
	t.Helper()
	scheme := runtime.NewScheme()
	if err := apis.AddToScheme(scheme); err != nil {
		t.Fatal(err)
	}
	project, name := "p", "n"
	objectMeta := func(namespace, name, externalName, group string) metav1.ObjectMeta {
		m := metav1.ObjectMeta{
			Namespace: namespace, Name: name,
			Annotations: map[string]string{"example.org/name": "name of " + name},
			Labels:      map[string]string{"group": group},
		}
		if externalName != "" {
			m.Annotations[meta.AnnotationKeyExternalName] = externalName
		}
		return m
	}
	var objects []client.Object
	for _, m := range []metav1.ObjectMeta{
		objectMeta("team", "a", "41", "x"), objectMeta("team", "b", "42", "x"), objectMeta("other", "a", "43", "x"),
		objectMeta("team", "words", "words", ""), objectMeta("team", "fraction", "2.5", ""), objectMeta("team", "pending", "", "pending"),
	} {
		objects = append(objects, &namespaced.Network{
			ObjectMeta: m,
			Spec:       namespaced.NetworkSpec{ForProvider: namespaced.NetworkParameters{Project: &project}},
			Status:     namespaced.NetworkStatus{AtProvider: namespaced.NetworkObservation{Name: &name}},
		})
	}
	for _, m := range []metav1.ObjectMeta{
		objectMeta("", "a", "41", "x"), objectMeta("", "b", "42", "x"),
		objectMeta("", "words", "words", ""), objectMeta("", "pending", "", "pending"),
	} {
		objects = append(objects, &cluster.Network{ObjectMeta: m})
	}
	return fake.NewClientBuilder().WithScheme(scheme).WithObjects(objects...).WithInterceptorFuncs(withoutNamespace).Build()
}

// withoutNamespace has the fake client get what is cluster scoped whatever the namespace,
// as clients of an API server and caches do. Lists of a namespace have nothing of it, as
// those of a cache.
var withoutNamespace = interceptor.Funcs{
	Get: func(ctx context.Context, c client.WithWatch, key client.ObjectKey, into client.Object, options ...client.GetOption) error {
		if _, isCluster := into.(*cluster.Network); isCluster {
			key.Namespace = ""
		}
		return c.Get(ctx, key, into, options...)
	},
}

// A resolution is a test of what becomes of the parameters of a server.
type resolution struct {
	name string
	// spec.forProvider, before and after.
	parameters, want string
	// wantErr is the text of the error, if there is to be one.
	wantErr string
}

// TestValues resolves each type of value by reference and by selector, keeps it if
// it is set, and replaces it if the policy says so.
func TestValues(t *testing.T) {
	for _, v := range []struct{ field, set, resolved string }{
		{"text", `"1"`, `"41"`},
		{"textPointer", `"1"`, `"41"`},
		{"texts", `["1"]`, `["41","42"]`},
		{"textPointers", `["1"]`, `["41","42"]`},
		{"name", `"1"`, `"41"`},
		{"namePointer", `"1"`, `"41"`},
		{"names", `["1"]`, `["41","42"]`},
		{"namePointers", `["1"]`, `["41","42"]`},
		{"nameList", `["1"]`, `["41","42"]`},
		{"integer", `1`, `41`},
		{"integerPointer", `0`, `41`},
		{"integers", `[0,1]`, `[41,42]`},
		{"integerPointers", `[0,1]`, `[41,42]`},
		{"count", `1`, `41`},
		{"countPointer", `0`, `41`},
		{"counts", `[0,1]`, `[41,42]`},
		{"countPointers", `[0,1]`, `[41,42]`},
		{"float", `0.1`, `41`},
		{"floatPointer", `0`, `41`},
		{"floats", `[0,0.1]`, `[41,42]`},
		{"floatPointers", `[0,0.1]`, `[41,42]`},
		{"ratio", `0.1`, `41`},
		{"ratioPointer", `0`, `41`},
		{"ratios", `[0,0.1]`, `[41,42]`},
		{"ratioPointers", `[0,0.1]`, `[41,42]`},
	} {
		refs := v.field + `Ref: {name: a}`
		always := v.field + `Ref: {name: a, policy: {resolve: Always}}`
		selected := v.field + `Ref: {name: a, namespace: team}`
		if strings.HasPrefix(v.resolved, "[") {
			refs = v.field + `Refs: [{name: a}, {name: b}]`
			always = v.field + `Refs: [{name: a}, {name: b, policy: {resolve: Always}}]`
			selected = v.field + `Refs: [{name: a, namespace: team}, {name: b, namespace: team}]`
		}
		selector := v.field + `Selector: {matchLabels: {group: x}}`
		set, resolved := v.field+": "+v.set, v.field+": "+v.resolved
		for _, r := range []struct{ name, before, after string }{
			{"reference", refs, resolved + ", " + refs},
			{"selector", selector, resolved + ", " + selected + ", " + selector},
			{"set", set + ", " + refs, set + ", " + refs},
			{"always", set + ", " + always, resolved + ", " + always},
			{"no reference", set, set},
		} {
			t.Run(v.field+"/"+r.name, func(t *testing.T) {
				resolution{parameters: "{values: {" + r.before + "}}", want: "{values: {" + r.after + "}}"}.run(t)
			})
		}
	}
}

// TestExact keeps the last digit of the numbers that are set.
func TestExact(t *testing.T) {
	largest, smallest := int64(math.MaxInt64), math.SmallestNonzeroFloat64
	values := namespaced.Values{
		Integer: math.MaxInt64, IntegerPointer: &largest, Integers: []int64{math.MinInt64},
		Float: math.MaxFloat64, FloatPointer: &smallest, Floats: []float64{1.0 / 3},
	}
	server := &namespaced.Server{}
	values.DeepCopyInto(&server.Spec.ForProvider.Values)
	if err := server.ResolveReferences(context.Background(), newClient(t)); err != nil {
		t.Fatal(err)
	}
	got := server.Spec.ForProvider.Values
	if got.Integer != values.Integer || *got.IntegerPointer != largest || !slices.Equal(got.Integers, values.Integers) ||
		got.Float != values.Float || *got.FloatPointer != smallest || !slices.Equal(got.Floats, values.Floats) {
		t.Errorf("got %+v, want %+v", got, values)
	}
}

// TestNamespaced resolves references of a server in the namespace team.
func TestNamespaced(t *testing.T) {
	const missing = `cannot get referenced resource: networks.references.m.example.org "missing" not found`
	const empty = "referenced field was empty (referenced resource may not yet be ready)"
	for _, r := range []resolution{
		{name: "nothing", parameters: `{}`, want: `{}`},
		{
			name:       "explicit namespace",
			parameters: `{link: {networkIdRef: {name: a, namespace: other}}}`,
			want:       `{link: {networkId: "43", networkIdRef: {name: a, namespace: other}}}`,
		},
		{
			name:       "selector with explicit namespace",
			parameters: `{link: {networkIdSelector: {namespace: other, matchLabels: {group: x}}}}`,
			want:       `{link: {networkId: "43", networkIdRef: {name: a, namespace: other}, networkIdSelector: {namespace: other, matchLabels: {group: x}}}}`,
		},
		{
			name:       "several references with explicit namespace",
			parameters: `{values: {textsRefs: [{name: a, namespace: other}, {name: b}]}}`,
			want:       `{values: {texts: ["43", "42"], textsRefs: [{name: a, namespace: other}, {name: b}]}}`,
		},
		{
			name: "selector always",
			parameters: `{link: {networkId: "1", networkIdRef: {name: missing},
				networkIdSelector: {matchLabels: {group: x}, policy: {resolve: Always}}}}`,
			want: `{link: {networkId: "41", networkIdRef: {name: a, namespace: team},
				networkIdSelector: {matchLabels: {group: x}, policy: {resolve: Always}}}}`,
		},
		{
			name:       "two values with one reference",
			parameters: `{networkRef: {name: b}}`,
			want:       `{network: /projects/p/global/networks/n, networkName: name of b, networkRef: {name: b}}`,
		},
		{
			name:       "two values with one selector",
			parameters: `{networkSelector: {matchLabels: {group: x}}}`,
			want: `{network: /projects/p/global/networks/n, networkName: name of a, networkRef: {name: a, namespace: team},
				networkSelector: {matchLabels: {group: x}}}`,
		},
		{
			name: "nesting",
			parameters: `
pointer: {networkIdRef: {name: a}}
links: [{networkIdRef: {name: a}}, {}, {networkIdRef: {name: b}}]
pointers: [null, {networkIdRef: {name: b}}]
slice: [{networkIdRef: {name: a}}]
matrix: [[], [{networkIdRef: {name: a}}, {networkIdRef: {name: b}}]]
byName: {one: {networkIdRef: {name: a}}, two: {networkIdRef: {name: b}}}
pointersByName: {none: null, two: {networkIdRef: {name: b}}}
groups: {g: {z: [{networkIdRef: {name: a}}, {networkIdRef: {name: b}}]}}
embeddedIdRef: {name: a}
pointedIdRef: {name: b}
`,
			want: `
pointer: {networkId: "41", networkIdRef: {name: a}}
links: [{networkId: "41", networkIdRef: {name: a}}, {}, {networkId: "42", networkIdRef: {name: b}}]
pointers: [null, {networkId: "42", networkIdRef: {name: b}}]
slice: [{networkId: "41", networkIdRef: {name: a}}]
matrix: [[], [{networkId: "41", networkIdRef: {name: a}}, {networkId: "42", networkIdRef: {name: b}}]]
byName: {one: {networkId: "41", networkIdRef: {name: a}}, two: {networkId: "42", networkIdRef: {name: b}}}
pointersByName: {none: null, two: {networkId: "42", networkIdRef: {name: b}}}
groups: {g: {z: [{networkId: "41", networkIdRef: {name: a}}, {networkId: "42", networkIdRef: {name: b}}]}}
embeddedId: "41"
embeddedIdRef: {name: a}
pointedId: "42"
pointedIdRef: {name: b}
`,
		},
		{
			name:       "fraction",
			parameters: `{values: {floatRef: {name: fraction}, ratioPointersRefs: [{name: fraction}]}}`,
			want:       `{values: {float: 2.5, floatRef: {name: fraction}, ratioPointers: [2.5], ratioPointersRefs: [{name: fraction}]}}`,
		},
		{
			name:       "cluster scoped targets",
			parameters: `{sharedIdRef: {name: b}, sharedIdsRefs: [{name: a}, {name: b}]}`,
			want:       `{sharedId: "42", sharedIdRef: {name: b}, sharedIds: ["41", "42"], sharedIdsRefs: [{name: a}, {name: b}]}`,
		},
		{
			name:       "cluster scoped targets by selector",
			parameters: `{sharedIdSelector: {matchLabels: {group: x}}, sharedIdsSelector: {matchLabels: {group: x}}}`,
			want: `{sharedId: "41", sharedIdRef: {name: a, namespace: team}, sharedIdSelector: {matchLabels: {group: x}}, sharedIds: ["41", "42"],
				sharedIdsRefs: [{name: a, namespace: team}, {name: b, namespace: team}], sharedIdsSelector: {matchLabels: {group: x}}}`,
		},
		{
			name:       "target missing",
			parameters: `{link: {networkIdRef: {name: missing}}}`,
			wantErr:    `spec.forProvider.link.networkId: cannot resolve reference to Network "missing": ` + missing,
		},
		{
			name:       "optional target missing",
			parameters: `{link: {networkIdRef: {name: missing, policy: {resolution: Optional}}}}`,
			want:       `{link: {networkIdRef: {name: missing, policy: {resolution: Optional}}}}`,
		},
		{
			name:       "one of several targets missing",
			parameters: `{values: {textsRefs: [{name: a}, {name: b}, {name: missing}, {name: pending}]}}`,
			wantErr:    `spec.forProvider.values.texts[2]: cannot resolve reference to Network "missing": ` + missing,
		},
		{
			name:       "target without external name",
			parameters: `{pointer: {networkIdRef: {name: pending}}}`,
			wantErr:    `spec.forProvider.pointer.networkId: cannot resolve reference to Network "pending": ` + empty,
		},
		{
			name:       "optional target without external name",
			parameters: `{values: {textPointersRefs: [{name: a, policy: {resolution: Optional}}, {name: pending, policy: {resolution: Optional}}]}}`,
			want: `{values: {textPointers: ["41", null],
				textPointersRefs: [{name: a, policy: {resolution: Optional}}, {name: pending, policy: {resolution: Optional}}]}}`,
		},
		{
			name:       "one of several targets without external name",
			parameters: `{values: {countsRefs: [{name: a}, {name: pending}]}}`,
			wantErr:    `spec.forProvider.values.counts[1]: cannot resolve reference to Network "pending": ` + empty,
		},
		{
			name:       "selector without match",
			parameters: `{link: {networkIdSelector: {matchLabels: {group: none}}}}`,
			wantErr:    `spec.forProvider.link.networkId: cannot resolve reference to Network by selector: no resources matched selector`,
		},
		{
			name:       "selector without matches",
			parameters: `{values: {namesSelector: {matchLabels: {group: none}}}}`,
			wantErr:    `spec.forProvider.values.names: cannot resolve reference to Network by selector: no resources matched selector`,
		},
		{
			name:       "selector always without match",
			parameters: `{values: {namesRefs: [{name: a}], namesSelector: {matchLabels: {group: none}, policy: {resolve: Always}}}}`,
			wantErr:    `spec.forProvider.values.names: cannot resolve reference to Network by selector: no resources matched selector`,
		},
		{
			name:       "no integer",
			parameters: `{values: {integerPointerRef: {name: words}}}`,
			wantErr:    `spec.forProvider.values.integerPointer: cannot resolve reference to Network "words": strconv.ParseInt: parsing "words": invalid syntax`,
		},
		{
			name:       "no whole number",
			parameters: `{values: {countsRefs: [{name: a}, {name: fraction}]}}`,
			wantErr:    `spec.forProvider.values.counts[1]: cannot resolve reference to Network "fraction": strconv.ParseInt: parsing "2.5": invalid syntax`,
		},
		{
			name:       "no number",
			parameters: `{values: {ratioRef: {name: words}}}`,
			wantErr:    `spec.forProvider.values.ratio: cannot resolve reference to Network "words": strconv.ParseFloat: parsing "words": invalid syntax`,
		},
		{
			name:       "path with indexes",
			parameters: `{matrix: [[], [{}, {networkIdRef: {name: missing}}]]}`,
			wantErr:    `spec.forProvider.matrix[1][1].networkId: cannot resolve reference to Network "missing": ` + missing,
		},
		{
			name:       "path with keys",
			parameters: `{groups: {g: {y: [], z: [{networkIdRef: {name: missing}}]}}}`,
			wantErr:    `spec.forProvider.groups[g][z][0].networkId: cannot resolve reference to Network "missing": ` + missing,
		},
		{
			name:       "first of several keys",
			parameters: `{byName: {d: {networkIdRef: {name: missing}}, b: {networkIdRef: {name: missing}}, a: {}, c: {networkIdRef: {name: missing}}}}`,
			wantErr:    `spec.forProvider.byName[b].networkId: cannot resolve reference to Network "missing": ` + missing,
		},
		{
			name:       "path through embedded structs",
			parameters: `{pointedIdRef: {name: missing}}`,
			wantErr:    `spec.forProvider.pointedId: cannot resolve reference to Network "missing": ` + missing,
		},
	} {
		t.Run(r.name, func(t *testing.T) { r.run(t) })
	}
}

func (r resolution) run(t *testing.T) {
	t.Helper()
	server := &namespaced.Server{ObjectMeta: metav1.ObjectMeta{Namespace: "team", Name: "server"}}
	if err := yaml.UnmarshalStrict([]byte(r.parameters), &server.Spec.ForProvider); err != nil {
		t.Fatal(err)
	}
	r.check(t, server.ResolveReferences(context.Background(), newClient(t)), server.Spec.ForProvider)
}

// check compares what became of the parameters.
func (r resolution) check(t *testing.T, err error, parameters any) {
	t.Helper()
	if text := errorText(err); text != r.wantErr {
		t.Fatalf("error %q, want %q", text, r.wantErr)
	}
	if r.wantErr != "" {
		return
	}
	var want, got any
	if err := yaml.Unmarshal([]byte(r.want), &want); err != nil {
		t.Fatal(err)
	}
	content, err := json.Marshal(parameters)
	if err != nil {
		t.Fatal(err)
	}
	if err := json.Unmarshal(content, &got); err != nil {
		t.Fatal(err)
	}
	if got := withoutEmpty(got); !reflect.DeepEqual(withoutEmpty(want), got) {
		t.Errorf("got %s, want %s", content, r.want)
	}
}

func errorText(err error) string {
	if err == nil {
		return ""
	}
	return err.Error()
}

// withoutEmpty returns a JSON value without the fields that hold empty objects,
// which are those of structs without omitempty.
func withoutEmpty(v any) any {
	object, ok := v.(map[string]any)
	if !ok {
		return v
	}
	for name, value := range object {
		if inner, ok := withoutEmpty(value).(map[string]any); ok && len(inner) == 0 {
			delete(object, name)
		}
	}
	return object
}

// TestCluster resolves references of a server that the cluster has.
func TestCluster(t *testing.T) {
	const missing = `cannot get referenced resource: networks.references.example.org "missing" not found`
	for _, r := range []resolution{
		{
			name:       "reference",
			parameters: `{networkIdRef: {name: b}, networkIdsRefs: [{name: a}, {name: b}], links: [{portRef: {name: a}}]}`,
			want: `{networkId: "42", networkIdRef: {name: b}, networkIds: ["41", "42"], networkIdsRefs: [{name: a}, {name: b}],
				links: [{port: 41, portRef: {name: a}}]}`,
		},
		{
			name:       "selector",
			parameters: `{networkIdSelector: {matchLabels: {group: x}}, networkIdsSelector: {matchLabels: {group: x}}}`,
			want: `{networkId: "41", networkIdRef: {name: a}, networkIdSelector: {matchLabels: {group: x}},
				networkIds: ["41", "42"], networkIdsRefs: [{name: a}, {name: b}], networkIdsSelector: {matchLabels: {group: x}}}`,
		},
		{
			name:       "set",
			parameters: `{networkId: "1", networkIdRef: {name: missing}, networkIds: ["1"], networkIdsRefs: [{name: missing}]}`,
			want:       `{networkId: "1", networkIdRef: {name: missing}, networkIds: ["1"], networkIdsRefs: [{name: missing}]}`,
		},
		{
			name:       "always",
			parameters: `{networkId: "1", networkIdRef: {name: a, policy: {resolve: Always}}}`,
			want:       `{networkId: "41", networkIdRef: {name: a, policy: {resolve: Always}}}`,
		},
		{
			name:       "optional",
			parameters: `{networkIdsSelector: {matchLabels: {group: none}, policy: {resolution: Optional}}}`,
			want:       `{networkIdsSelector: {matchLabels: {group: none}, policy: {resolution: Optional}}}`,
		},
		{
			name:       "target missing",
			parameters: `{networkIdsRefs: [{name: a}, {name: missing}]}`,
			wantErr:    `spec.forProvider.networkIds[1]: cannot resolve reference to Network "missing": ` + missing,
		},
		{
			name:       "target without external name",
			parameters: `{links: [{portRef: {name: a}}, {portRef: {name: pending}}]}`,
			wantErr: `spec.forProvider.links[1].port: cannot resolve reference to Network "pending": ` +
				"referenced field was empty (referenced resource may not yet be ready)",
		},
		{
			name:       "no number",
			parameters: `{links: [{portRef: {name: words}}]}`,
			wantErr:    `spec.forProvider.links[0].port: cannot resolve reference to Network "words": strconv.ParseInt: parsing "words": invalid syntax`,
		},
	} {
		t.Run(r.name, func(t *testing.T) {
			server := &cluster.Server{ObjectMeta: metav1.ObjectMeta{Name: "server"}}
			if err := yaml.UnmarshalStrict([]byte(r.parameters), &server.Spec.ForProvider); err != nil {
				t.Fatal(err)
			}
			r.check(t, server.ResolveReferences(context.Background(), newClient(t)), server.Spec.ForProvider)
		})
	}
}

// TestParts resolves the references of a struct in initProvider, and not those of
// the same struct in status.
func TestParts(t *testing.T) {
	link := namespaced.Link{NetworkIDRef: &xpv2.NamespacedReference{Name: "a"}}
	server := &namespaced.Server{
		ObjectMeta: metav1.ObjectMeta{Namespace: "team", Name: "server"},
		Spec:       namespaced.ServerSpec{InitProvider: &namespaced.ServerInitParameters{Link: link}},
		Status:     namespaced.ServerStatus{AtProvider: namespaced.ServerObservation{Link: link}},
	}
	if err := server.ResolveReferences(context.Background(), newClient(t)); err != nil {
		t.Fatal(err)
	}
	if id := server.Spec.InitProvider.Link.NetworkID; id == nil || *id != "41" {
		t.Errorf("spec.initProvider.link.networkId is %v, want 41", id)
	}
	if id := server.Status.AtProvider.Link.NetworkID; id != nil {
		t.Errorf("status.atProvider.link.networkId is %s, want none", *id)
	}
}

// TestGeneratedParts resolves the references of an initProvider whose type is
// generated.
func TestGeneratedParts(t *testing.T) {
	server := &cluster.Server{ObjectMeta: metav1.ObjectMeta{Name: "server"}}
	server.Spec.InitProvider = &cluster.ServerInitParameters{
		Links: []cluster.LinkInitParameters{{PortRef: &xpv2.Reference{Name: "b"}}},
	}
	if err := server.ResolveReferences(context.Background(), newClient(t)); err != nil {
		t.Fatal(err)
	}
	if port := server.Spec.InitProvider.Links[0].Port; port == nil || *port != 42 {
		t.Errorf("spec.initProvider.links[0].port is %v, want 42", port)
	}
}

// TestDeleted resolves nothing for a server that is being deleted.
func TestDeleted(t *testing.T) {
	now := metav1.Now()
	server := &namespaced.Server{ObjectMeta: metav1.ObjectMeta{Namespace: "team", Name: "server", DeletionTimestamp: &now}}
	server.Spec.ForProvider.Link.NetworkIDRef = &xpv2.NamespacedReference{Name: "missing"}
	server.Spec.ForProvider.Values.IntegersRefs = []xpv2.NamespacedReference{{Name: "missing"}}
	if err := server.ResolveReferences(context.Background(), newClient(t)); err != nil {
		t.Error(err)
	}
	if server.Spec.ForProvider.Link.NetworkID != nil || server.Spec.ForProvider.Link.NetworkIDRef == nil ||
		len(server.Spec.ForProvider.Values.IntegersRefs) != 1 {
		t.Errorf("the server was changed: %+v", server.Spec.ForProvider)
	}
}
