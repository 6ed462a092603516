package scopecopies

import (
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"go/types"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/mrgen-io/mrgen/generator/diag"
)

// kubernetes has what the packages that controllers import declare, as far as the tests use it.
var kubernetes = map[string]string{
	"k8s.io/apimachinery/pkg/types": "package types; type NamespacedName struct{ Namespace, Name string }",
	"k8s.io/apimachinery/pkg/apis/meta/v1": `package v1
type ObjectMeta struct{ Name, Namespace string }
func (m *ObjectMeta) GetNamespace() string { return m.Namespace }
func (m *ObjectMeta) SetNamespace(n string) { m.Namespace = n }
type Object interface{ GetNamespace() string; SetNamespace(string); GetUID() string }
func (m *ObjectMeta) GetUID() string { return "" }`,
	"k8s.io/api/core/v1": `package v1
import metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
type SecretReference struct{ Name, Namespace string }
type Secret struct{ metav1.ObjectMeta }
type SecretList struct{ Items []Secret }
type NamespaceList struct{ Items []metav1.ObjectMeta }`,
	"sigs.k8s.io/controller-runtime/pkg/client": `package client
import "k8s.io/apimachinery/pkg/types"
func ObjectKeyFromObject(object any) types.NamespacedName { return types.NamespacedName{} }
type InNamespace string
type ListOptions struct{ Namespace string }
type Client interface{ List(ctx, list any, opts ...any) error; DeleteAllOf(ctx, object any, opts ...any) error }
func NewNamespacedClient(c Client, ns string) Client { return c }`,
	"sigs.k8s.io/controller-runtime/pkg/reconcile": "package reconcile; import \"k8s.io/apimachinery/pkg/types\"; type Request struct{ types.NamespacedName }",
	"k8s.io/client-go/rest":                        "package rest; type Request struct{}; func (r *Request) Namespace(ns string) *Request { return r }",
	"k8s.io/client-go/kubernetes":                  "package kubernetes; type Secrets interface{ Get() }; type Core struct{}; func (Core) Secrets(ns string) Secrets { return nil }",
	"example.org/p/apis/namespaced/v1": `package v1
import (
	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/types"
	"example.org/p/apis/common"
)
type Reference struct{ Name, Namespace, Key string; Optional *bool }
type Embedding struct{ corev1.SecretReference; Key string }
type Selectors struct{ Path string; SecretRef *Embedding }
type Parameters struct{
	Kubernetes corev1.SecretReference
	Own *Reference
	Embedding *Embedding
	List []Reference
	Selectors Selectors
	Pair Pair
	Namespace, SecretNamespace, Name string
	Target types.NamespacedName ~json:"target"~
	Targets []types.NamespacedName ~json:"targets"~
	Template metav1.ObjectMeta ~json:"template"~
	Secret *corev1.Secret ~json:"secret"~
	Deep struct{ Inner []map[string]Selectors }
	ByName map[string]*Reference
	Shared common.Shared
	Pointers struct{ Namespace, Name *string }
	Project struct{ Namespace *struct{ ID int } }
}
type Pair struct{ Namespace, Name string }
type Spec struct{ ForProvider Parameters }
type Bucket struct{ metav1.ObjectMeta; Spec Spec }
type BucketList struct{ Items []Bucket }`,
	"example.org/sdk": `package sdk
import "sigs.k8s.io/controller-runtime/pkg/client"
type Destination struct{ Namespace, Name string }
func Send(v any) {}
func Read(c client.Client, v any) {}`,
	"example.org/p/apis/common": `package common
import "k8s.io/apimachinery/pkg/types"
type Shared struct{ Target types.NamespacedName ~json:"target"~; Reference Reference }
type Reference struct{ Name, Namespace string }
func (r Reference) Read() {}`,
	"example.org/p/internal/other": `package other
import "example.org/p/apis/namespaced/v1"
type Config struct{ Name string; Ref *v1.Reference }
func Take(v ...any) string { return "" }
func NamespaceOf(v any) string { return "" }
func Pair() (string, error) { return "", nil }
type Reader interface{ Read(v any) }`,
	"github.com/crossplane/crossplane-runtime/v2/pkg/reference": "package reference; type ResolutionRequest struct{ Namespace string }",
	"fmt":                          "package fmt; func Sprint(v ...any) string { return \"\" }; func Sprintf(f string, v ...any) string { return f }; func Println(v ...any) {}",
	"example.org/p/internal/scope": "package scope; func Name(owner, ref any) string { return \"\" }",
}

// The namespaces in controllers: own ones, and those that users name or variables hold.
var (
	own = []string{
		"cr.GetNamespace()", "cr.Namespace", "cr.ObjectMeta.Namespace", "(cr.ObjectMeta).GetNamespace()", "(*cr).Namespace", "request.Namespace",
		"request.NamespacedName.Namespace", "scope.Name(cr, cr.Spec.ForProvider.Own)", "other.NamespaceOf(cr)",
	}
	foreign = []string{
		"cr.Spec.ForProvider.Kubernetes.Namespace", "cr.Spec.ForProvider.Own.Namespace", "cr.Spec.ForProvider.Embedding.Namespace",
		"cr.Spec.ForProvider.Embedding.SecretReference.Namespace", "cr.Spec.ForProvider.List[0].Namespace", "cr.Spec.ForProvider.Selectors.SecretRef.Namespace",
		"cr.Spec.ForProvider.Namespace", "argument", `"crossplane-system"`, "other.Take()", "global",
		"cr.Spec.ForProvider.Target.Namespace", "cr.Spec.ForProvider.Targets[0].Namespace", "cr.Spec.ForProvider.Template.Namespace", "cr.Spec.ForProvider.Template.GetNamespace()",
		"cr.Spec.ForProvider.Secret.Namespace", "cr.Spec.ForProvider.Secret.GetNamespace()", "cr.Spec.ForProvider.Secret.ObjectMeta.Namespace", "cr.Spec.ForProvider.Shared.Target.Namespace",
		"cr.Spec.ForProvider.ByName[argument].Namespace", "namer.GetNamespace()", "(&namer2{}).GetNamespace()", `fmt.Sprintf("%s", argument)`, `map[string]string{"a": argument}[cr.Namespace]`,
		"local.namespace", "func() string { return argument }()", "first(argument)", "generic(namer)", "object.GetNamespace()", "secret.Namespace", "name.Namespace", `""`,
	}
	// routes lead from a namespace to a variable, which no sink may use. direct sinks don't need one.
	routes = []string{
		"ns := %s", "ns, _ := %s, 1", "var ns = %s", "ns := (%s)", "first := %s\n\tns := first",
	}
	direct = []string{
		"_ = types.NamespacedName{Namespace: %s}", "_ = types.NamespacedName{%s, cr.Name}", "_ = client.InNamespace(%s)",
		"_ = &corev1.Secret{ObjectMeta: metav1.ObjectMeta{Namespace: %s}}", "_ = &client.ListOptions{Namespace: %s}", "_ = client.NewNamespacedClient(nil, %s)",
		"_ = new(rest.Request).Namespace(%s)", "kubernetes.Core{}.Secrets(%s).Get()", "_ = []*types.NamespacedName{{Name: cr.Name, Namespace: %s}}",
		"_ = map[types.NamespacedName]bool{{%s, cr.Name}: true}", "cr.SetNamespace(%s)",
	}
	sinks = []string{
		"key := types.NamespacedName{Namespace: ns}\n\t_ = key", "key := types.NamespacedName{ns, cr.Name}\n\t_ = key", "var key types.NamespacedName\n\tkey.Namespace = ns\n\t_ = key",
		"_ = client.InNamespace(ns)", "_ = &corev1.Secret{ObjectMeta: metav1.ObjectMeta{Namespace: ns}}", "secret.SetNamespace(ns)", "secret.Namespace = ns",
		"_ = func() types.NamespacedName { return types.NamespacedName{Namespace: ns} }", "_ = &client.ListOptions{Namespace: ns}", "var o client.ListOptions\n\to.Namespace = ns\n\t_ = o",
		"_ = client.NewNamespacedClient(nil, ns)", "_ = new(rest.Request).Namespace(ns)", "kubernetes.Core{}.Secrets(ns).Get()", "_ = []*types.NamespacedName{{Name: cr.Name, Namespace: ns}}",
		"_ = map[types.NamespacedName]bool{{ns, cr.Name}: true}",
	}
	// allowed name no namespace but that of the resource.
	allowed = []string{
		"_ = other.Take(cr.Spec.ForProvider.Target.Name)", "_ = other.Take(cr.Spec.ForProvider.Secret.ObjectMeta.Name)", "_ = other.Take(cr)", "_ = cr.Spec.ForProvider.Targets[0].Name",
		"_ = kube.List(nil, &corev1.SecretList{}, client.InNamespace(cr.GetNamespace()))", "_ = kube.List(nil, &v1.BucketList{}, &client.ListOptions{Namespace: cr.Namespace})",
		"_ = v1.Reference{Name: cr.Spec.ForProvider.Kubernetes.Name}", "_ = local.copy(cr.Spec.ForProvider.Own.Name)", "func(r *v1.Reference) {}(cr.Spec.ForProvider.Own)", "take2(cr.Spec.ForProvider.Own)",
		"_ = other.Take(other.Config{})", "config := other.Config{Name: argument}\n\t_ = other.Take(&config)", "_ = namespaceOf(cr)", "_ = cr.Spec.ForProvider.Project.Namespace", "config := other.Config{}\n\tconfig.Name = argument",
	}
	// wholes pass references on as a whole.
	wholes = []string{
		"_ = other.Take(cr.Spec.ForProvider.Namespace)", "_ = kube.List(nil, &corev1.NamespaceList{})", "opts := []any{client.InNamespace(cr.Namespace)}\n\t_ = kube.List(nil, &corev1.SecretList{}, opts...)",
		"_ = cr.Spec.ForProvider.Own.Namespace == cr.Namespace", "(cr.Spec.ForProvider.Own.Namespace) = argument", "fmt.Println(cr.Spec.ForProvider.Own)", "sdk.Send(cr.Spec.ForProvider.Own)",
		"cr.Namespace = argument", "(cr.Namespace) = cr.Name", "p := &cr.ObjectMeta.Namespace\n\t*p = argument", "for _, cr.Namespace = range []string{argument} {}", "for cr.Namespace = range map[string]bool{} {}",
		"_ = other.Take(cr.Spec.ForProvider.SecretNamespace)", "get := cr.GetNamespace\n\t_ = client.InNamespace(get())", "_ = other.Config{Ref: cr.Spec.ForProvider.Own}", "_ = other.Config{argument, cr.Spec.ForProvider.Own}",
		"config := other.Config{}\n\tconfig.Ref = cr.Spec.ForProvider.Own", "shared := cr.Spec.ForProvider.Shared\n\t_ = shared", "name.Name = argument", "_ = embedded{cr}.Namespace", "set := secret.SetNamespace\n\tset(argument)",
		"key := types.NamespacedName{}\n\tkey.Namespace = cr.Namespace", "secret.Namespace = cr.Namespace",
		"_ = other.Take(cr.Spec.ForProvider.Kubernetes)", "_ = other.Take(cr.Spec.ForProvider.Own)", "_ = other.Take(1, cr.Spec.ForProvider.Embedding)",
		"_ = other.Take(cr.Spec.ForProvider.List)", "_ = other.Take(&cr.Spec.ForProvider.Selectors)", "ref := cr.Spec.ForProvider.Own\n\t_ = other.Take(*ref)",
		"_ = types.NamespacedName(cr.Spec.ForProvider.Pair)", "ns := cr.Spec.ForProvider.Own.Namespace\n\tif ns != argument { _ = sdk.Destination{Namespace: ns} }\n\t_ = other.Take(ns)",
		"_ = other.Take(kube, cr.Spec.ForProvider.SecretNamespace)", "_ = other.Take(kube, first2(cr.Spec.ForProvider.Namespace))",
		"sdk.Read(kube, cr.Spec.ForProvider.Own)", "_ = local.copy(v1.Reference{Namespace: cr.Spec.ForProvider.Own.Namespace}.Namespace)", "_ = &embedded2{namespace: cr.Spec.ForProvider.Own.Namespace}",
		"_ = other.Take(cr.Spec.ForProvider.Target)", "key := cr.Spec.ForProvider.Target\n\t_ = key", "for _, key := range cr.Spec.ForProvider.Targets { _ = key }", "_ = cr.Spec.ForProvider.Shared.Target",
		"meta := &cr.Spec.ForProvider.Template\n\t_ = meta", "object = cr.Spec.ForProvider.Secret", "object = &cr.Spec.ForProvider.Template",
		"_ = other.Take(cr.Spec.ForProvider.Deep)", "_ = other.Take(cr.Spec.ForProvider.ByName)", "take := other.Take\n\t_ = take(cr.Spec.ForProvider.Own)",
		"cr.Spec.ForProvider.Shared.Reference.Read()", "reader.Read(cr.Spec.ForProvider.Own)", "local.reader.Read(cr.Spec.ForProvider.Kubernetes)",
		"var key types.NamespacedName\n\tkey.Namespace, _ = other.Pair()\n\t_ = key", "var key types.NamespacedName\n\tp := &key.Namespace\n\t*p = argument",
		"var key types.NamespacedName\n\tfor _, key.Namespace = range []string{argument} {}", "var key types.NamespacedName\n\t_ = other.Take(&key)",
		"_ = kube.List(nil, &corev1.SecretList{})", "_ = kube.List(nil, &v1.BucketList{}, 1)", `_ = kube.List(nil, &corev1.SecretList{}, client.InNamespace(""))`, "_ = kube.DeleteAllOf(nil, &corev1.Secret{})",
		"_ = kube.List(nil, &corev1.SecretList{}, &client.ListOptions{})",
	}
)

// TestNoForeignNamespace judges functions that pass namespaces on: all but the own one, written as such, are
// errors in that function.
func TestNoForeignNamespace(t *testing.T) {
	var functions []function
	for i, namespace := range slices.Concat(own, foreign) {
		for j, sink := range direct {
			functions = append(functions, function{fmt.Sprintf(sink, namespace), i >= len(own)})
			route := routes[(i+j)%len(routes)]
			functions = append(functions, function{fmt.Sprintf(route, namespace) + "\n\t" + fmt.Sprintf(sink, "ns"), true})
		}
		for j, sink := range sinks {
			functions = append(functions, function{fmt.Sprintf(routes[(i+j)%len(routes)], namespace) + "\n\t" + sink, true})
		}
	}
	for _, text := range wholes {
		functions = append(functions, function{text, true})
	}
	for _, text := range allowed {
		functions = append(functions, function{text, false})
	}
	judgeEach(t, Namespaced, functions)
}

// TestLineMarker writes the marker above each line with an error, which allows it, and above others, where it
// is an error itself.
func TestLineMarker(t *testing.T) {
	packages := &sourceImporter{fset: token.NewFileSet(), done: map[string]*types.Package{}}
	for _, text := range wholes {
		source := head + "func f" + parameters + " {\n\t" + text + "\n}\n"
		_, found := judged(t, packages, Namespaced, source, false)
		lines := strings.Split(source, "\n")
		for _, d := range slices.Backward(diag.List(found).Sorted()) {
			lines = slices.Insert(lines, d.Pos.Line-1, "\t// +mrgen:namespace=own")
		}
		if _, left := judged(t, packages, Namespaced, strings.Join(lines, "\n"), false); len(left) > 0 || len(found) == 0 {
			t.Errorf("%v, and with markers %v:\n%s", found, left, text)
		}
	}
	source := head + "func f" + parameters + " {\n\t// +mrgen:namespace=own\n\t_ = cr.Name\n\n\t_ = secret.Namespace\n}\n"
	_, found := judged(t, packages, Namespaced, source, false)
	at := strings.Count(head, "\n") + 2
	var got []string
	for _, d := range found.Sorted() {
		if d.Pos.Line >= at {
			got = append(got, fmt.Sprint(d))
		}
	}
	want := []string{
		fmt.Sprintf("a.go:%d:2: the marker +mrgen:namespace allows nothing in the line below: remove it", at),
		fmt.Sprintf("a.go:%d:13: copies read only the resource's own namespace: use its GetNamespace or a function of helpers, or write +mrgen:namespace=own above this line", at+3),
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("-want +got:\n%s", diff)
	}
	source = head + "func f" + parameters + " {\n\t// +mrgen:namespace=own\n\t_ = cr.Namespace\n}\n"
	if _, found := judged(t, packages, Cluster, source, false); len(found) < 2 || found.Sorted()[len(found)-1].Pos.Line != at+1 {
		t.Errorf("the namespace of a resource that has none is allowed: %v", found)
	}
}

// TestBrokenCopies judges functions that don't compile, which must not end in a panic.
func TestBrokenCopies(t *testing.T) {
	packages := &sourceImporter{fset: token.NewFileSet(), done: map[string]*types.Package{}}
	arguments := regexp.MustCompile(`(\w)\([^()]+\)`)
	for _, word := range []string{"cr", "kube", "secret", "object", "client", "types", "argument", "other", "sdk", "Spec", "Namespace", "()"} {
		source := head
		for i, text := range slices.Concat(sinks, wholes, allowed) {
			broken := strings.ReplaceAll(text, word, "gone")
			if word == "()" {
				broken = arguments.ReplaceAllString(text, "$1()")
			}
			source += fmt.Sprintf("func f%d(cr *v1.Bucket, object metav1.Object, secret *corev1.Secret, name types.NamespacedName, argument string, kube client.Client) {\n\tns := cr.Namespace\n\t%s\n}\n", i, broken)
		}
		for _, scope := range []Scope{Cluster, Namespaced} {
			judged(t, packages, scope, source, true)
		}
	}
}

// TestNoNamespaceOfResource judges functions that read the namespace of a resource that has none, and
// those that read that of something else.
func TestNoNamespaceOfResource(t *testing.T) {
	var functions []function
	for _, text := range []string{
		"_ = cr.GetNamespace()", "_ = cr.Namespace", "_ = cr.ObjectMeta.Namespace", "_ = cr.ObjectMeta.GetNamespace()", "meta := cr.ObjectMeta\n\t_ = meta.Namespace", "meta := &cr.ObjectMeta\n\t_ = meta.GetNamespace()",
		"_ = object.GetNamespace()", "_ = metav1.Object(cr).GetNamespace()", "get := cr.GetNamespace\n\t_ = get()", "_ = (*v1.Bucket).GetNamespace(cr)", "_ = namer.GetNamespace()",
		"_ = generic(namer)", "_ = embedded{cr}.Namespace", "_ = embedded{cr}.GetNamespace()", "_ = (&embedded{cr}).Bucket.Namespace", "_ = []*v1.Bucket{cr}[0].Namespace",
		"_ = v1.Bucket{ObjectMeta: metav1.ObjectMeta{Namespace: argument}}", "cr.SetNamespace(argument)", "cr.Namespace = argument", "_ = request.Namespace", "_ = request.NamespacedName.Namespace",
		"_ = client.ObjectKeyFromObject(cr).Namespace", "key := client.ObjectKeyFromObject(cr)\n\t_ = key.Namespace", "key := client.ObjectKeyFromObject(cr)\n\tkey.Name = argument", "_ = map[string]metav1.Object{}[argument].GetNamespace()",
		"for _, b := range []v1.Bucket{*cr} { _ = b.Namespace }", "_ = func() *v1.Bucket { return cr }().Namespace", "switch o := object.(type) { case *v1.Bucket: _ = o.Namespace }",
	} {
		functions = append(functions, function{text, !strings.HasPrefix(text, "_ = generic")}) // which is judged where it is declared
	}
	for _, text := range []string{
		"_ = other.Take(cr)", "_ = other.Take(cr.Spec.ForProvider.Own)", "_ = client.ObjectKeyFromObject(cr)", "_ = request.Name", "meta := cr.ObjectMeta\n\t_ = meta.Name",
		"_ = kube.List(nil, &corev1.SecretList{})", "_ = cr.Spec.ForProvider.Target", "_ = types.NamespacedName{Namespace: scope.Name(cr, nil)}",
		"_ = v2.ResolutionRequest{Namespace: cr.GetNamespace()}", "_ = other.Config{Ref: cr.Spec.ForProvider.Own}",
	} {
		functions = append(functions, function{text, false})
	}
	judgeEach(t, Cluster, functions)
}

// A function is in the package that is judged.
type function struct {
	text      string
	isForeign bool
}

// judgeEach compares the functions with errors to those that should have one.
func judgeEach(t *testing.T, scope Scope, functions []function) {
	t.Helper()
	packages := &sourceImporter{fset: token.NewFileSet(), done: map[string]*types.Package{}}
	for part := range slices.Chunk(functions, 20) {
		source := head
		for i, f := range part {
			source += fmt.Sprintf("func f%d"+parameters+" {\n\t%s\n}\n", i, f.text)
		}
		file, found := judged(t, packages, scope, source, false)
		for i, f := range part {
			decl := file.Scope.Lookup(fmt.Sprintf("f%d", i)).Decl.(*ast.FuncDecl)
			start, end := packages.fset.Position(decl.Pos()).Line, packages.fset.Position(decl.End()).Line
			isFound := slices.ContainsFunc(found, func(d diag.Diagnostic) bool { return start <= d.Pos.Line && d.Pos.Line <= end })
			if isFound != f.isForeign {
				t.Errorf("an error is %t, want %t:\n\t%s", isFound, f.isForeign, f.text)
			}
		}
	}
}

// parameters are those of the functions.
const parameters = "(cr *v1.Bucket, object metav1.Object, secret *corev1.Secret, name types.NamespacedName, argument string, kube client.Client, namer namer, reader other.Reader, local local, request reconcile.Request)"

// head is before the functions.
const head = `package namespaced
import (
	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/types"
	"sigs.k8s.io/controller-runtime/pkg/client"
	"example.org/p/apis/namespaced/v1"
	"example.org/p/internal/other"
	"example.org/p/internal/scope"
	"example.org/sdk"
	"fmt"
	"k8s.io/client-go/kubernetes"
	"k8s.io/client-go/rest"
	"sigs.k8s.io/controller-runtime/pkg/reconcile"
	v2 "github.com/crossplane/crossplane-runtime/v2/pkg/reference"
)
var global string
var _, _, _, _, _, _ = new(client.Client), other.Take, scope.Name, kubernetes.Core{}, rest.Request{}, fmt.Sprint
type embedded2 struct{ namespace string }
func (local) copy(n string) string { return n }
func first2(n string) string { return n }
func take2(r *v1.Reference) {}
func namespaceOf(b *v1.Bucket) string { return b.GetNamespace() }
var _ v2.ResolutionRequest
var _ sdk.Destination
type embedded struct{ *v1.Bucket }
var _ reconcile.Request
type namer interface{ GetNamespace() string }
type namer2 struct{ corev1.SecretReference }
func (*namer2) GetNamespace() string { return "" }
type local struct{ namespace string; reader interface{ Read(any) } }
func first[T any](t T) T { return t }
func generic[T namer](t T) string { return t.GetNamespace() }
`

// judged type-checks source, which must compile unless it is broken, and judges it.
func judged(t *testing.T, packages *sourceImporter, scope Scope, source string, isBroken bool) (*ast.File, diag.List) {
	t.Helper()
	file, err := parser.ParseFile(packages.fset, "a.go", source, parser.ParseComments)
	if err != nil {
		t.Fatalf("%v:\n%s", err, source)
	}
	info := &types.Info{
		Types: map[ast.Expr]types.TypeAndValue{}, Defs: map[*ast.Ident]types.Object{}, Uses: map[*ast.Ident]types.Object{},
		Selections: map[*ast.SelectorExpr]*types.Selection{},
	}
	config := types.Config{Importer: packages, Error: func(err error) {
		if !isBroken {
			t.Fatalf("%v:\n%s", err, source)
		}
	}}
	_, _ = config.Check("example.org/p/internal/namespaced", packages.fset, []*ast.File{file}, info)
	j := &Judge{
		Scope: scope, Module: "example.org/p", APIs: map[string]bool{"example.org/p/apis/namespaced/v1": true}, Helpers: "example.org/p/internal/scope", Replaced: map[string]bool{"example.org/p/internal/other.NamespaceOf": true},
		Local: func(importPath string) bool { return importPath == "example.org/p/internal/namespaced" },
	}
	return file, j.Namespaces(Checked{Dir: "internal/namespaced", Files: []*ast.File{file}, Info: info, Position: func(pos token.Pos) diag.Position {
		p := packages.fset.Position(pos)
		return diag.Position{File: p.Filename, Line: p.Line, Column: p.Column}
	}})
}

// A sourceImporter imports the packages in kubernetes.
type sourceImporter struct {
	fset *token.FileSet
	done map[string]*types.Package
}

func (s *sourceImporter) Import(importPath string) (*types.Package, error) {
	if s.done[importPath] == nil {
		file, err := parser.ParseFile(s.fset, importPath, strings.ReplaceAll(kubernetes[importPath], "~", "`"), 0)
		if err != nil {
			return nil, err
		}
		config := types.Config{Importer: s}
		if s.done[importPath], err = config.Check(importPath, s.fset, []*ast.File{file}, nil); err != nil {
			return nil, err
		}
	}
	return s.done[importPath], nil
}
