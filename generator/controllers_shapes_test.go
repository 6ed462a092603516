package generator_test

// A shape is a part of a controller as providers have it.
type shape struct {
	// wanted says whether the part is copied. If it is either, the part must compile where it is copied.
	wanted wanted
	// scope is that of the source, or empty if the shape is for both. Names of namespaced types then
	// stand for those of the source's scope.
	scope string
	// text has the part, with other files below lines such as "== test". In it @ stands for a number
	// that no other part has, and $name for the name by which the file imports one of the packages.
	text string
}

type wanted string

const (
	asCopy   wanted = "copied"
	asError  wanted = "an error"
	asEither wanted = "either"
)

// imported are the packages that shapes import, by what stands for them: their paths, and the names
// that they have.
var imported = map[string]struct{ path, name string }{
	"context":    {"context", "context"},
	"fmt":        {"fmt", "fmt"},
	"strings":    {"strings", "strings"},
	"testing":    {"testing", "testing"},
	"v1":         {"example.org/provider/apis/FROM/storage/v1", "v1"},
	"xpv2":       {"github.com/crossplane/crossplane/apis/v2/core/v2", "v2"},
	"meta":       {"github.com/crossplane/crossplane-runtime/v2/pkg/meta", "meta"},
	"managed":    {"github.com/crossplane/crossplane-runtime/v2/pkg/reconciler/managed", "managed"},
	"resource":   {"github.com/crossplane/crossplane-runtime/v2/pkg/resource", "resource"},
	"corev1":     {"k8s.io/api/core/v1", "v1"},
	"metav1":     {"k8s.io/apimachinery/pkg/apis/meta/v1", "v1"},
	"types":      {"k8s.io/apimachinery/pkg/types", "types"},
	"ctrl":       {"sigs.k8s.io/controller-runtime", "controllerruntime"},
	"client":     {"sigs.k8s.io/controller-runtime/pkg/client", "client"},
	"controller": {"sigs.k8s.io/controller-runtime/pkg/controller", "controller"},
	"lib":        {"example.org/provider/internal/lib/v2", "lib"},
	"yaml":       {"example.org/provider/internal/go-yaml.v3", "yaml"},
	"strange":    {"example.org/provider/internal/odd", "strange"},
	"scope":      {"example.org/provider/internal/scope", "scope"},
	"shared":     {"example.org/provider/internal/FROM/shared", "shared"},
	"other":      {"example.org/provider/internal/FROM/renamed", "other"},
}

// shapes are what controllers are made of.
var shapes = []shape{
	// Types of kinds in all places.
	{asCopy, "", `
func name@(b *$v1.Bucket) string { return b.Name }
func all@(list $v1.BucketList) (names []string) {
	for i := range list.Items {
		names = append(names, list.Items[i].Name)
	}
	return names
}`},
	{asCopy, "", `
type External@ struct {
	*$v1.Bucket
	count int
}
func (e *External@) Region() *string { e.count++; return e.Spec.ForProvider.Region }
func embedding@() string { return (&External@{&$v1.Bucket{}, 1}).Name }`},
	{asCopy, "", `
type pair@ struct { a string; b *$v1.Bucket }
func unkeyed@() []pair@ { return []pair@{{"a", nil}, {"b", &$v1.Bucket{}}} }`},
	{asCopy, "", `
func closure@(b *$v1.Bucket) func() *$v1.BucketParameters {
	p := &b.Spec.ForProvider
	return func() *$v1.BucketParameters { return p }
}`},
	{asCopy, "", `
func kinds@(object any) string {
	switch o := object.(type) {
	case *$v1.Bucket:
		return o.Name
	case *$v1.BucketList, []$v1.Bucket, map[string]*$v1.Bucket:
		return $fmt.Sprint(o)
	case $resource.Managed:
		return o.GetName()
	}
	return ""
}`},
	{asCopy, "", `
var _ interface{ GetName() string } = &$v1.Bucket{}
var method@ = (*$v1.Bucket).GetName
func value@(b *$v1.Bucket) func() string { return b.GetName }`},
	{asCopy, "", `
type Bucket@ = $v1.Bucket
== other
func alias@() *Bucket@ { return &Bucket@{Spec: $v1.BucketSpec{ForProvider: $v1.BucketParameters{Region: nil}}} }`},
	{asCopy, "", `
func channel@(in <-chan *$v1.Bucket, by map[string][]$v1.Bucket) (b [2]$v1.Bucket) {
	b[0] = *<-in
	_ = struct{ B *$v1.Bucket }{<-in}
	return
}`},
	// Generics.
	{asCopy, "", `
type connector@ struct{ kube $client.Client }
func (c *connector@) Connect(ctx $context.Context, b *$v1.Bucket) ($managed.TypedExternalClient[*$v1.Bucket], error) { return &external@{}, nil }
type external@ struct{ $managed.TypedExternalClient[*$v1.Bucket] }
func (e *external@) Observe(ctx $context.Context, b *$v1.Bucket) ($managed.ExternalObservation, error) {
	return $managed.ExternalObservation{ResourceExists: b.Spec.ForProvider.Region != nil}, nil
}
var _ $managed.TypedExternalConnector[*$v1.Bucket] = &connector@{}`},
	{asCopy, "", `
type set@[T any, P interface{ *T; GetName() string }] map[string]P
func (s set@[T, P]) add(p P) { s[p.GetName()] = p }
func generic@() { set@[$v1.Bucket, *$v1.Bucket]{}.add(&$v1.Bucket{}) }`},
	{asCopy, "", `
func first@[T any](all []T) (t T) { if len(all) > 0 { t = all[0] }; return }
func instance@(l *$v1.BucketList) $v1.Bucket { _ = first@[$v1.Bucket]; return first@(l.Items) }`},
	// References.
	{asCopy, "", `
func refer@(b *$v1.Bucket) { b.Spec.ForProvider.ParentRef = &$xpv2.NamespacedReference{Name: "a"} }`},
	{asCopy, "", `
func refers@() []$xpv2.NamespacedReference { return []$xpv2.NamespacedReference{{Name: "a"}, {Name: "b", Policy: nil}} }`},
	{asCopy, "namespaced", `
func config@(b *$v1.Bucket) { b.SetProviderConfigReference(&$xpv2.ProviderConfigReference{Name: "a", Kind: "ProviderConfig"}) }`},
	{asCopy, "", `
func secret@(b *$v1.Bucket) string { return b.Spec.ForProvider.PasswordRef.Name + b.Spec.ForProvider.PasswordRef.Key }`},
	{asCopy, "", `
type references@ map[string]$xpv2.NamespacedReference
== other
func put@(r references@, b *$v1.Bucket) { r["a"] = *b.Spec.ForProvider.ParentRef }`},
	{asCopy, "namespaced", `
func parameter@(namespace string) *$xpv2.NamespacedReference { return &$xpv2.NamespacedReference{Name: "a", Namespace: namespace} }`},
	{asError, "namespaced", `
func unkeyed@(b *$v1.Bucket) { b.Spec.ForProvider.ParentRef = &$xpv2.NamespacedReference{"a", "b", nil} }`},
	{asError, "namespaced", `
func unkeyed@() []$xpv2.NamespacedReference { return []$xpv2.NamespacedReference{{"a", "b", nil}} }`},
	{asError, "namespaced", `
func variable@(b *$v1.Bucket) {
	kind := "Provider" + "Config"
	b.SetProviderConfigReference(&$xpv2.ProviderConfigReference{Name: "a", Kind: kind})
}`},
	{asEither, "namespaced", `
func imported@(b *$v1.Bucket) {
	b.SetProviderConfigReference(&$xpv2.ProviderConfigReference{Name: "a", Kind: $strings.ToTitle("a")})
}`},
	{asCopy, "namespaced", `
type Reference@ = $xpv2.ProviderConfigReference
== other
func alias@(b *$v1.Bucket) { b.SetProviderConfigReference(&Reference@{Name: "a", Kind: "ProviderConfig"}) }`},
	{asEither, "namespaced", `
func elided@() map[string]*$xpv2.NamespacedReference { return map[string]*$xpv2.NamespacedReference{"a": {Name: "a", Namespace: "b"}} }`},
	// Packages whose names don't follow from their paths, and copied ones.
	{asCopy, "", `
func packages@(b *$v1.Bucket) string { return $lib.Name(b) + $yaml.Name(b) + $strange.Name(b) }`},
	{asCopy, "", `
var unknown@ = map[string]string{$meta.AnnotationKeyExternalName: $strings.ToLower("A")}
func values@(b *$v1.Bucket) any { return $meta.GetExternalName(b) + unknown@["a"] }`},
	{asCopy, "", `
func copied@(b *$v1.Bucket) $shared.Options { return $shared.Options{Bucket: b, Client: $other.Client{}} }`},
	{asCopy, "", `
func shadowed@(b *$v1.Bucket) string {
	type v1 struct{ Bucket string }
	xpv2 := v1{b.Name}
	return xpv2.Bucket
}`},
	// What one scope has alone.
	{asCopy, "", `
// +mrgen:scope=namespaced
func alone@(b *$v1.Bucket) string { return $strings.ToLower(b.GetNamespace()) }
// all the same
func kept@(b *$v1.Bucket) string { return b.Name }`},
	{asCopy, "namespaced", `
// +mrgen:scope=namespaced
func namespace@(b *$v1.Bucket) string { return b.Namespace }
func key@(b *$v1.Bucket) $types.NamespacedName { return $types.NamespacedName{Namespace: namespace@(b), Name: b.Name} }
== own
func namespace@(b *$v1.Bucket) string { return "" }`},
	{asCopy, "", `
type reader@ struct{ b *$v1.Bucket }
// +mrgen:scope=namespaced
func (r reader@) namespace() string { return r.b.Namespace }
func (r reader@) name() string { return r.namespace() + r.b.Name }
== own
func (r reader@) namespace() string { return "" }`},
	{asCopy, "", `
const (
	a@ = "a"
	// +mrgen:scope=namespaced
	b@ = "b"
)
var (
	// +mrgen:scope=namespaced
	c@ = $strings.ToLower(b@)
	d@ = a@
)`},
	{asCopy, "", `
// +mrgen:scope=namespaced
func setup@($ctrl.Manager) error { return nil }
func each@(mgr $ctrl.Manager) {
	for _, f := range []func($ctrl.Manager) error{setup@, both@} {
		_ = f(mgr)
	}
}
func both@($ctrl.Manager) error { return nil }`},
	{asError, "", `
const (
	// +mrgen:scope=namespaced
	a@ = "a"
	b@
	c@
)
var _ = b@ + c@`},
	{asError, "", `
// +mrgen:scope=namespaced
type local@ struct{}
func call@() string { return use@(&local@{}, &$v1.Bucket{}) }
func use@(a any, b *$v1.Bucket) string { return b.Name }`},
	{asError, "", `
var one@, two@ = 1, 2
func sum@() int { return one@ + two@ }
== own
var one@ = 3`},
	{asError, "", `
// +mrgen:scope=namespaced
func gone@() {}
func uses@() { gone@() }`},
	{asEither, "", `
// +mrgen:scope=namespaced
var gone@ = 1
func uses@() (n int) {
	_ = []int{gone@}
	return n
}`},
	// What is left out beside what stays, on one line.
	{asCopy, "", `
// +mrgen:scope=namespaced
type gone@ struct{}
type kept@ struct{}
type builder@ struct{}
func (builder@) Register(...any) {}
func one@(b builder@) { b.Register(&gone@{}) }
func two@(b builder@) { b.Register(&kept@{}); b.Register(&gone@{}); b.Register(&gone@{}, &kept@{}) }`},
	// Tests.
	{asCopy, "", `
func tested@(b *$v1.Bucket) string { return b.Name }
== test
func Test@(t *$testing.T) {
	if tested@(&$v1.Bucket{ObjectMeta: $metav1.ObjectMeta{Name: "a"}}) != "a" {
		t.Fatal("no name")
	}
}`},
	{asCopy, "", `
// +mrgen:scope=namespaced
func only@() string { return "a" }
== test
// +mrgen:scope=namespaced
func Test@(t *$testing.T) { t.Log(only@()) }`},
	{asError, "", `
// +mrgen:scope=namespaced
func only@() string { return "a" }
== test
func Test@(t *$testing.T) { t.Log(only@()) }`},
	{asError, "", `
func helper@() string { return "a" }
func calls@() string { return helper@() }
== owntest
func helper@() string { return "b" }`},
	{asCopy, "", `
func helper@() string { return "a" }
== owntest
func TestOwn@(t *$testing.T) { t.Log(helper@(), $v1.Bucket{}) }`},
	// Namespaces.
	{asError, "namespaced", `
func key@(b *$v1.Bucket) $types.NamespacedName { return $types.NamespacedName{Namespace: b.GetNamespace(), Name: b.Name} }`},
	{asError, "namespaced", `
func key@(b *$v1.Bucket) $types.NamespacedName { return $types.NamespacedName{Namespace: b.ObjectMeta.Namespace, Name: b.Name} }`},
	{asCopy, "namespaced", `
func key@(b *$v1.Bucket) $types.NamespacedName {
	meta := b.ObjectMeta
	return $types.NamespacedName{Namespace: meta.Namespace, Name: b.Name}
}`},
	{asCopy, "namespaced", `
func key@(b *$v1.Bucket) $types.NamespacedName {
	var object $client.Object = b
	return $types.NamespacedName{Namespace: object.GetNamespace(), Name: b.Name}
}`},
	{asCopy, "namespaced", `
func namespace@(object $metav1.Object) string { return object.GetNamespace() }
func key@(b *$v1.Bucket) $client.InNamespace { return $client.InNamespace(namespace@(b)) }`},
	{asError, "namespaced", `
func key@(r $ctrl.Request) $types.NamespacedName { return $types.NamespacedName{Namespace: r.Namespace, Name: "a"} }`},
	{asCopy, "namespaced", `
func key@(b *$v1.Bucket) $client.ObjectKey {
	key := $client.ObjectKeyFromObject(b)
	key.Name = "a"
	return key
}`},
	{asCopy, "", `
func key@(s *$corev1.Secret) $types.NamespacedName { return $types.NamespacedName{Namespace: s.Namespace, Name: s.Name} }`},
	// Controllers.
	{asCopy, "", `
func Setup@(mgr $ctrl.Manager, o $controller.Options) error {
	name := $managed.ControllerName("@." + $v1.BucketGroupKind)
	return $ctrl.NewControllerManagedBy(mgr).Named(name).WithOptions(o).For(&$v1.Bucket{}).Complete(nil)
}`},
	{asCopy, "", `
func Setup@(mgr $ctrl.Manager) error { return $ctrl.NewControllerManagedBy(mgr).Named("bucket@").For(&$v1.Bucket{}).Complete(nil) }`},
	{asCopy, "", `
func Setup@(mgr $ctrl.Manager) error { return $ctrl.NewControllerManagedBy(mgr).For(&$v1.Bucket{}).Complete(nil) }`},
	// What the compiler reads in comments.
	{asError, "", `
//go:embed data.txt
var data@ string
== data.txt
data`},
	{asError, "", `
func text@() string { return "storage.m.example.org/a" }`},
	// Source of cluster scope.
	{asCopy, "cluster", `
func config@(b *$v1.Bucket) { b.SetProviderConfigReference(&$xpv2.Reference{Name: "a"}) }`},
	{asCopy, "cluster", `
// +mrgen:scope=namespaced
func namespace@(b *$v1.Bucket) string { return b.Namespace }
func key@(b *$v1.Bucket) $types.NamespacedName { return $types.NamespacedName{Namespace: namespace@(b), Name: b.Name} }
== own
func namespace@(b *$v1.Bucket) string { return "" }`},
	{asEither, "cluster", `
func config@(b *$v1.Bucket) {
	ref := &$xpv2.Reference{Name: "a"}
	b.SetProviderConfigReference(ref)
}`},
	{asCopy, "cluster", `
func key@(b *$v1.Bucket) $types.NamespacedName { return $types.NamespacedName{Namespace: b.GetNamespace(), Name: b.Name} }`},
	{asCopy, "cluster", `
func key@(object $client.Object) $client.InNamespace { return $client.InNamespace(object.GetNamespace()) }`},
	{asError, "cluster", `
func key@(b *$v1.Bucket) $types.NamespacedName {
	ref := b.Spec.ForProvider.PasswordRef
	return $types.NamespacedName{Namespace: ref.Namespace, Name: ref.Name}
}`},
	{asCopy, "cluster", `
func list@(ctx $context.Context, kube $client.Client) error { return kube.List(ctx, &$corev1.SecretList{}, $client.MatchingLabels{"a": "b"}) }`},
	{asCopy, "cluster", `
func options@(namespace string) *$client.ListOptions { return &$client.ListOptions{Namespace: namespace} }`},
	{asCopy, "cluster", `
func list@(ctx $context.Context, kube $client.Client, b *$v1.Bucket) error {
	return kube.List(ctx, &$v1.BucketList{}, $client.InNamespace(b.GetNamespace()))
}`},
	{asCopy, "cluster", `
func list@(ctx $context.Context, kube $client.Client, b *$v1.Bucket) error {
	options := []$client.ListOption{$client.InNamespace(b.GetNamespace())}
	return kube.List(ctx, &$v1.BucketList{}, options...)
}`},
	{asCopy, "cluster", `
type reference@ struct{ Name, Namespace string }
func copy@(r reference@) error {
	namespace := r.Namespace
	if namespace == "" {
		return $fmt.Errorf("none: %s", r.Namespace)
	}
	return $fmt.Errorf("%v", reference@{Name: "a", Namespace: namespace})
}`},
	{asCopy, "cluster", `
type reference@ struct{ Namespace, Name string }
func key@(r reference@) $types.NamespacedName { return $types.NamespacedName(r) }`},
	{asCopy, "cluster", `
func key@(b *$v1.Bucket) $types.NamespacedName {
	namespace := "crossplane-system"
	return $types.NamespacedName{namespace, b.Name}
}`},
	{asError, "cluster", `
func policy@(b *$v1.Bucket) bool { return b.GetDeletionPolicy() == $xpv2.DeletionOrphan }`},
	// What the settings name.
	{asCopy, "", `
func read@(ctx $context.Context, kube $client.Client, b *$v1.Bucket) (*$corev1.Secret, error) {
	return $scope.Secret(ctx, kube, b, &b.Spec.ForProvider.PasswordRef)
}`},
	{asCopy, "", `
func replaced@(b *$v1.Bucket) string { return $lib.Here(b) + "here" }`},
	// Other forms of declarations, and names that hide others.
	{asCopy, "", `
func labels@(b *$v1.Bucket) {
outer:
	for {
		switch { case b == nil: continue outer; default: break outer }
	}
}`},
	{asEither, "", `
func hides@(b *$v1.Bucket) string {
	lib, scope := b, b.Name
	return lib.Name + scope + $strings.ToLower("a")
}`},
	{asEither, "", `
type (
	// +mrgen:scope=namespaced
	gone@ struct{ b *$v1.Bucket }
	kept@ struct{ l *$v1.BucketList }
)
func (k kept@) list() *$v1.BucketList { return k.l }
// +mrgen:scope=namespaced
func (g gone@) name() string { return $strings.ToLower(g.b.Name) }`},
	{asEither, "", `
type gone@ struct{}
// +mrgen:scope=namespaced
func (gone@) String() string { return $fmt.Sprint(1) }
var _ $fmt.Stringer = gone@{}`},
	{asEither, "", `
// +mrgen:scope=namespaced
type gone@ struct{}
func is@(o any) bool {
	switch o.(type) {
	case gone@, *$v1.Bucket:
		return true
	}
	return false
}`},
	{asEither, "", `
// +mrgen:scope=namespaced
type gone@ struct{ n int }
func list@() []any { a := []any{&gone@{}, gone@{1}, new(gone@)}; return a }`},
	{asEither, "", `
// +mrgen:scope=namespaced
type gone@ struct{}
func add@(o *gone@, all ...any) {}
func pair@(a, b any) {}
func calls@() { add@(&gone@{}, 1); pair@(&gone@{}, &gone@{}) }`},
	{asEither, "", `
// +mrgen:scope=namespaced
type gone@ struct{}
func result@() (int, error) { return 0, nil }
func nested@() string { n, err := result@(); _ = err; if n > 0 { return $fmt.Sprint(&gone@{}) }; return $fmt.Sprintln(&gone@{}, n) }`},
	{asEither, "", `
// +mrgen:scope=namespaced
const gone@ = 3
var array@ [gone@]int
var keyed@ = [...]string{gone@: "a"}`},
	{asEither, "", `
// +mrgen:scope=namespaced
func setup@(b *$v1.Bucket) error { return nil }
var steps@ = map[string]func(*$v1.Bucket) error{"a": setup@}
func run@(b *$v1.Bucket) { steps := []func(*$v1.Bucket) error{setup@}; for i, s := range steps { _, _ = i, s } }`},
	{asEither, "", `
// +mrgen:scope=namespaced
func setup@(b *$v1.Bucket) error { return nil }
func run@(b *$v1.Bucket) { defer setup@(b); go setup@(b); if err := setup@(b); err != nil { return } }`},
}
