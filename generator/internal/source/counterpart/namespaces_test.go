package counterpart

import (
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"go/types"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/mrgen-io/mrgen/generator/internal/budget"
	"github.com/mrgen-io/mrgen/generator/internal/diag"
	"github.com/mrgen-io/mrgen/generator/internal/flavor"
)

// kubernetes has what the packages that controllers import declare, as far as the tests use it.
var kubernetes = map[string]string{
	"k8s.io/apimachinery/pkg/types": "package types; type NamespacedName struct{ Namespace, Name string }",
	"k8s.io/apimachinery/pkg/apis/meta/v1": `package v1
type ObjectMeta struct{ Name, Namespace string }
func (m *ObjectMeta) GetNamespace() string { return m.Namespace }
func (m *ObjectMeta) SetNamespace(n string) { m.Namespace = n }
type Object interface{ GetNamespace() string; SetNamespace(string) }`,
	"k8s.io/api/core/v1": `package v1
import metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
type SecretReference struct{ Name, Namespace string }
type Secret struct{ metav1.ObjectMeta }`,
	"sigs.k8s.io/controller-runtime/pkg/client": "package client; type InNamespace string",
	"example.org/p/apis/namespaced/v1": `package v1
import (
	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
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
	Namespace, Name string
}
type Pair struct{ Namespace, Name string }
type Spec struct{ ForProvider Parameters }
type Bucket struct{ metav1.ObjectMeta; Spec Spec }`,
	"example.org/p/internal/other": "package other; func Take(v ...any) string { return \"\" }",
	"example.org/p/internal/scope": "package scope; func Name(owner, ref any) string { return \"\" }",
}

// The sources of namespaces in controllers: own ones, and those that users name.
var (
	own = []string{
		"cr.GetNamespace()", "cr.Namespace", "cr.ObjectMeta.Namespace", "object.GetNamespace()", "secret.Namespace",
		"name.Namespace", `""`, "scope.Name(cr, cr.Spec.ForProvider.Own)",
	}
	foreign = []string{
		"cr.Spec.ForProvider.Kubernetes.Namespace", "cr.Spec.ForProvider.Own.Namespace", "cr.Spec.ForProvider.Embedding.Namespace",
		"cr.Spec.ForProvider.Embedding.SecretReference.Namespace", "cr.Spec.ForProvider.List[0].Namespace", "cr.Spec.ForProvider.Selectors.SecretRef.Namespace",
		"cr.Spec.ForProvider.Namespace", "argument", `"crossplane-system"`, "other.Take()", "global",
	}
	// routes lead from a namespace to a variable, and sinks use one.
	routes = []string{
		"ns := %s", "ns, _ := %s, 1", "var ns = %s", "ns := string(%s)", "ns := (%s)", "ns := cr.GetNamespace()\n\tns = %s",
		"first := %s\n\tns := first", "var ns string\n\tif cr.Name != \"\" {\n\t\tns = %s\n\t}",
	}
	sinks = []string{
		"key := types.NamespacedName{Namespace: ns}\n\t_ = key", "key := types.NamespacedName{ns, cr.Name}\n\t_ = key", "var key types.NamespacedName\n\tkey.Namespace = ns\n\t_ = key",
		"_ = client.InNamespace(ns)", "_ = &corev1.Secret{ObjectMeta: metav1.ObjectMeta{Namespace: ns}}", "secret.SetNamespace(ns)", "secret.Namespace = ns",
		"_ = func() types.NamespacedName { return types.NamespacedName{Namespace: ns} }",
	}
	// wholes pass references on as a whole.
	wholes = []string{
		"_ = other.Take(cr.Spec.ForProvider.Kubernetes)", "_ = other.Take(cr.Spec.ForProvider.Own)", "_ = other.Take(1, cr.Spec.ForProvider.Embedding)",
		"_ = other.Take(cr.Spec.ForProvider.List)", "_ = other.Take(&cr.Spec.ForProvider.Selectors)", "ref := cr.Spec.ForProvider.Own\n\t_ = other.Take(*ref)",
		"_ = types.NamespacedName(cr.Spec.ForProvider.Pair)",
	}
)

// TestNoForeignNamespace judges functions at random that pass namespaces on: what may be a foreign one
// is an error in that function, and nothing else is.
func TestNoForeignNamespace(t *testing.T) {
	packages := &sourceImporter{fset: token.NewFileSet(), done: map[string]*types.Package{}}
	pick := rand.New(rand.NewPCG(1, 2))
	one := func(of []string) string { return of[pick.IntN(len(of))] }
	for range budget.Of(20, 2000) {
		var body strings.Builder
		wanted := map[string]bool{}
		for i := range 30 {
			text, isForeign := "", pick.IntN(2) == 0
			switch {
			case isForeign && pick.IntN(4) == 0:
				text = one(wholes)
			case isForeign:
				text = fmt.Sprintf(one(routes), one(foreign)) + "\n\t" + one(sinks)
			default:
				text = fmt.Sprintf(one(routes), one(own)) + "\n\t" + one(sinks)
			}
			name := fmt.Sprintf("f%d", i)
			wanted[name] = isForeign
			fmt.Fprintf(&body, "func %s(cr *v1.Bucket, object metav1.Object, secret *corev1.Secret, name types.NamespacedName, argument string) {\n\t%s\n}\n", name, text)
		}
		source := `package namespaced
import (
	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/types"
	"sigs.k8s.io/controller-runtime/pkg/client"
	"example.org/p/apis/namespaced/v1"
	"example.org/p/internal/other"
	"example.org/p/internal/scope"
)
var global string
var _, _, _ = client.InNamespace(""), other.Take, scope.Name
` + body.String()
		file, found := judged(t, packages, flavor.Namespaced, source)
		for _, decl := range file.Decls {
			f, ok := decl.(*ast.FuncDecl)
			if !ok {
				continue
			}
			start, end := packages.fset.Position(f.Pos()).Line, packages.fset.Position(f.End()).Line
			isFound := false
			for _, d := range found {
				isFound = isFound || start <= d.Pos.Line && d.Pos.Line <= end
			}
			if isFound != wanted[f.Name.Name] {
				lines := strings.Split(source, "\n")
				t.Fatalf("an error is %t, want %t:\n%s", isFound, wanted[f.Name.Name], strings.Join(lines[start-1:end], "\n"))
			}
		}
	}
}

// judged type-checks source, which must compile, and judges it.
func judged(t *testing.T, packages *sourceImporter, scope flavor.Scope, source string) (*ast.File, diag.List) {
	t.Helper()
	file, err := parser.ParseFile(packages.fset, "a.go", source, 0)
	if err != nil {
		t.Fatalf("%v:\n%s", err, source)
	}
	info := &types.Info{
		Types: map[ast.Expr]types.TypeAndValue{}, Defs: map[*ast.Ident]types.Object{}, Uses: map[*ast.Ident]types.Object{},
		Selections: map[*ast.SelectorExpr]*types.Selection{},
	}
	config := types.Config{Importer: packages}
	if _, err := config.Check("example.org/p/internal/namespaced", packages.fset, []*ast.File{file}, info); err != nil {
		t.Fatalf("%v:\n%s", err, source)
	}
	j := &Judge{
		Scope: scope, APIs: map[string]bool{"example.org/p/apis/namespaced/v1": true}, Helpers: "example.org/p/internal/scope",
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
		file, err := parser.ParseFile(s.fset, importPath, kubernetes[importPath], 0)
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
