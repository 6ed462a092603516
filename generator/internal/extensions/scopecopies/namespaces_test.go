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

	"github.com/mrgen-io/mrgen/generator/internal/extensions/bodies"
	"github.com/mrgen-io/mrgen/testdata/expect"
)

// imported has what the packages that controllers import declare, as far as the tests use it.
var imported = map[string]string{
	"k8s.io/apimachinery/pkg/types": "package types; type NamespacedName struct{ Namespace, Name string }",
	"k8s.io/apimachinery/pkg/apis/meta/v1": `package v1
type ObjectMeta struct{ Name, Namespace string }
func (m *ObjectMeta) GetNamespace() string { return m.Namespace }
func (m *ObjectMeta) SetNamespace(n string) { m.Namespace = n }`,
	"k8s.io/api/core/v1": `package v1
import metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
type SecretReference struct{ Name, Namespace string }
type Secret struct{ metav1.ObjectMeta }`,
	"sigs.k8s.io/controller-runtime/pkg/reconcile":              "package reconcile; import \"k8s.io/apimachinery/pkg/types\"; type Request struct{ types.NamespacedName }",
	"github.com/crossplane/crossplane-runtime/v2/pkg/resource":  "package resource; type LegacyManaged interface{ GetNamespace() string }",
	"github.com/crossplane/crossplane-runtime/v2/pkg/reference": "package reference; type ResolutionRequest struct{ Namespace, CurrentValue string; Reference, Selector *string }",
	"example.org/p/apis/cluster/v1": `package v1
import (
	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
)
type Parameters struct{ Kubernetes corev1.SecretReference; Namespace string; Project struct{ Namespace *struct{ ID int } } }
type Bucket struct{ metav1.ObjectMeta; Spec struct{ ForProvider Parameters } }`,
}

// These parts of controllers read the namespace of a resource that has none, and others.
var (
	empty = []string{
		"_ = cr.GetNamespace()", "_ = cr.Namespace", "_ = cr.ObjectMeta.Namespace", "_ = (cr.ObjectMeta).GetNamespace()", "_ = (*cr).Namespace",
		"get := cr.GetNamespace\n\t_ = get()", "_ = (*v1.Bucket).GetNamespace(cr)", "_ = []*v1.Bucket{cr}[0].Namespace", "cr.SetNamespace(argument)",
		"cr.Namespace = argument", "p := &cr.ObjectMeta.Namespace\n\t*p = argument", "_ = request.Namespace", "_ = request.NamespacedName.Namespace",
		"for _, b := range []v1.Bucket{*cr} { _ = b.Namespace }", "_ = func() *v1.Bucket { return cr }().Namespace", "_ = managed.GetNamespace()",
		"switch o := any(cr).(type) { case *v1.Bucket: _ = o.Namespace }", "_ = types.NamespacedName{Namespace: cr.Namespace}", "_ = types.NamespacedName{cr.Namespace, argument}",
		"_ = reference.ResolutionRequest{Reference: &cr.Namespace}", "_ = reference.ResolutionRequest{CurrentValue: cr.Namespace}", "_ = &corev1.Secret{ObjectMeta: metav1.ObjectMeta{Namespace: cr.Namespace}}",
	}
	full = []string{
		"_ = cr.Name", "_ = secret.Namespace", "secret.SetNamespace(argument)", "_ = request.Name", "_ = cr.Spec.ForProvider.Kubernetes.Namespace", "_ = cr.Spec.ForProvider.Namespace",
		"_ = cr.Spec.ForProvider.Project.Namespace", "_ = reference.ResolutionRequest{Namespace: cr.GetNamespace()}", "_ = []reference.ResolutionRequest{{Namespace: (cr.Namespace)}}",
		"meta := cr.ObjectMeta\n\t_ = meta.Name", "_ = types.NamespacedName{Namespace: argument}",
	}
)

// TestEmptyNamespaces finds, of many functions, those that read the namespace of a cluster scoped resource.
func TestEmptyNamespaces(t *testing.T) {
	source := head
	for i, text := range slices.Concat(empty, full) {
		source += fmt.Sprintf("func f%d%s {\n\t%s\n}\n", i, parameters, text)
	}
	file, found := emptyIn(t, source, false)
	for i, text := range slices.Concat(empty, full) {
		function := file.Scope.Lookup(fmt.Sprintf("f%d", i)).Decl.(*ast.FuncDecl)
		isFound := slices.ContainsFunc(found, func(s *ast.SelectorExpr) bool { return function.Pos() < s.Pos() && s.End() < function.End() })
		want := i < len(empty)
		expect.True(t, isFound == want, "is found: %t, want %t:\n\t%s", isFound, want, text)
	}
}

// TestBrokenCopies looks for namespaces in functions that don't compile, which must not end in a panic.
func TestBrokenCopies(t *testing.T) {
	arguments := regexp.MustCompile(`(\w)\([^()]+\)`)
	for _, word := range []string{"cr", "secret", "reference", "types", "argument", "Spec", "Namespace", "()"} {
		source := head
		for i, text := range slices.Concat(empty, full) {
			broken := strings.ReplaceAll(text, word, "gone")
			if word == "()" {
				broken = arguments.ReplaceAllString(text, "$1()")
			}
			source += fmt.Sprintf("func f%d(cr *v1.Bucket, argument string) {\n\t%s\n}\n", i, broken)
		}
		emptyIn(t, source, true)
	}
}

// parameters are those of the functions, and head is before them.
const (
	parameters = "(cr *v1.Bucket, managed resource.LegacyManaged, secret *corev1.Secret, argument string, request reconcile.Request)"
	head       = `package cluster
import (
	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/types"
	"example.org/p/apis/cluster/v1"
	"sigs.k8s.io/controller-runtime/pkg/reconcile"
	"github.com/crossplane/crossplane-runtime/v2/pkg/reference"
	"github.com/crossplane/crossplane-runtime/v2/pkg/resource"
)
`
)

// emptyIn type-checks source, which must compile unless it is broken, and looks for namespaces in it.
func emptyIn(t *testing.T, source string, isBroken bool) (*ast.File, []*ast.SelectorExpr) {
	t.Helper()
	packages := &sourceImporter{fset: token.NewFileSet(), done: map[string]*types.Package{}}
	file, err := parser.ParseFile(packages.fset, "a.go", source, 0)
	expect.Must(t, err == nil, "%v:\n%s", err, source)
	info := &types.Info{Types: map[ast.Expr]types.TypeAndValue{}, Defs: map[*ast.Ident]types.Object{}, Uses: map[*ast.Ident]types.Object{}}
	config := types.Config{Importer: packages, Error: func(err error) {
		expect.True(t, isBroken, "%v", err)
	}}
	_, _ = config.Check("example.org/p/internal/cluster", packages.fset, []*ast.File{file}, info)
	return file, emptyNamespaces(bodies.Checked{Files: []*ast.File{file}, Info: info}, map[string]bool{"example.org/p/apis/cluster/v1": true})
}

// A sourceImporter imports the packages in imported.
type sourceImporter struct {
	fset *token.FileSet
	done map[string]*types.Package
}

func (s *sourceImporter) Import(importPath string) (*types.Package, error) {
	if s.done[importPath] == nil {
		file, err := parser.ParseFile(s.fset, importPath, imported[importPath], 0)
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
