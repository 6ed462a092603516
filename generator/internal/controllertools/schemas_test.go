package controllertools

import (
	"cmp"
	_ "embed"
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	gocmp "github.com/google/go-cmp/cmp"
	"golang.org/x/tools/go/packages"
	apiextensionsv1 "k8s.io/apiextensions-apiserver/pkg/apis/apiextensions/v1"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"sigs.k8s.io/controller-tools/pkg/crd"
	crdmarkers "sigs.k8s.io/controller-tools/pkg/crd/markers"
	"sigs.k8s.io/controller-tools/pkg/loader"
	ctmarkers "sigs.k8s.io/controller-tools/pkg/markers"

	"github.com/mrgen-io/mrgen/generator/internal/flavor"
	"github.com/mrgen-io/mrgen/markers"
	"github.com/mrgen-io/mrgen/testdata/expect"
	"github.com/mrgen-io/mrgen/testdata/testmodule"
)

// kindMarkers are markers of kinds.
var kindMarkers = []string{
	"resource:scope=Cluster", "resource:path=kinds,shortName=k;ki,categories=c;d", "resource:singular=one", "subresource:status", "storageversion", "unservedversion",
	"subresource:scale:specpath=.f0,statuspath=.f1,selectorpath=.f2", "deprecatedversion:warning=old", "deprecatedversion", "metadata:labels=\"a=b\"",
	"metadata:annotations=\"a=b\"", "printcolumn:name=A,type=string,JSONPath=.f0", "printcolumn:name=B,type=date,JSONPath=.f1,priority=1", "selectablefield:JSONPath=.f0",
	"validation:XValidation:rule=\"true\"", "validation:AtMostOneOf=f0;f1", "pruning:PreserveUnknownFields", "skip",
}

// fieldsOf are fields with markers that this package reads in ways of its own.
const fieldsOf = `
	// +k8s:immutable
	Fixed string ` + "`json:\"fixed\"`" + `
	// +k8s:immutable
	// +optional
	Kept *string ` + "`json:\"kept,omitempty\"`" + `
	// +kubebuilder:validation:Enum=a;b
	Name string ` + "`json:\"f0,omitempty\"`" + `
	// +kubebuilder:validation:MaxLength=9
	// +kubebuilder:validation:MaxLength=7
	Text Text ` + "`json:\"f1,omitempty\"`" + `
	// +kubebuilder:validation:items:MaxLength=3
	// +kubebuilder:validation:MaxItems=3
	List []string ` + "`json:\"f2\"`" + `
	// +k8s:optional
	Choice Choice ` + "`json:\"choice\"`" + `
	Meta metav1.ObjectMeta ` + "`json:\"meta\"`" + `
	Size resource.Quantity ` + "`json:\"size\"`" + `
	// +required
	Share float64 ` + "`json:\"share,omitempty\"`" + `
`

// typesOf is the source of a package, with kinds.
//
//go:embed testdata/types.go.txt
var typesOf string

// TestSchemas compares the schemas and markers of kinds in several groups with controller-tools' definitions: in the order of the
// groups, again in the other order, and after their packages were forgotten.
func TestSchemas(t *testing.T) {
	dir, r := t.TempDir(), rand.New(rand.NewPCG(5, 6))
	testmodule.Write(t, dir+"/go.mod", testmodule.GoMod(t))
	var kinds []string
	for i := range 12 {
		kinds = append(kinds, fmt.Sprintf("Kind%d", i))
	}
	for group := range 3 {
		var b strings.Builder
		for _, kind := range kinds {
			fmt.Fprintf(&b, "\n// %s is a kind of group %d.\n", kind, group)
			for _, at := range r.Perm(len(kindMarkers))[:r.IntN(6)] {
				fmt.Fprintf(&b, "// +kubebuilder:%s\n", kindMarkers[at])
			}
			fmt.Fprintf(&b, "type %s struct {%s}\n", kind, fieldsOf)
		}
		write(t, dir, fmt.Sprintf("g%d/v1/types.go", group), fmt.Sprintf(typesOf, group, b.String()))
	}
	for _, allows := range []bool{true, false} {
		parser := &crd.Parser{Collector: collector(t), Checker: &loader.TypeChecker{}, GenerateEmbeddedObjectMeta: allows, AllowDangerousTypes: allows}
		crd.AddKnownTypes(parser)
		want := map[string]*apiextensionsv1.CustomResourceDefinition{}
		for _, pkg := range roots(t, dir) {
			parser.NeedPackage(pkg)
			for _, kind := range kinds {
				of := schema.GroupKind{Group: parser.GroupVersions[pkg].Group, Kind: kind}
				parser.NeedCRDFor(of, nil)
				if d, found := parser.CustomResourceDefinitions[of]; found {
					want[of.String()] = &d
				}
			}
			expect.Must(t, refusesFloats(pkg) != allows, "errors, although floats are allowed: %t: %v", allows, pkg.Errors)
		}
		own := expect.Value(NewCollector())(t)
		packages := roots(t, dir)
		s := NewSchemas(allows)
		s.Read(packages, own)
		check := func(pkg *loader.Package) {
			group := s.group
			for _, kind := range kinds {
				of := schema.GroupKind{Group: group, Kind: kind}
				got := s.Kind(pkg, kind)
				if got == nil {
					expect.True(t, want[of.String()] == nil, "%s isn't there", of)
					continue
				}
				diff := gocmp.Diff(want[of.String()], defined(t, got, of))
				expect.True(t, diff == "", "%s (-controller-tools +got):\n%s", of, diff)
			}
			expect.True(t, refusesFloats(pkg) != allows, "errors, although floats are allowed: %t: %v", allows, pkg.Errors)
			pkg.Errors = nil
		}
		for _, i := range []int{0, 1, 2, 0} {
			s.Enter(fmt.Sprintf("g%d.example.org", i), allows, unchanged)
			check(packages[i])
		}
		s.Forget(func(pkg *loader.Package) bool { return pkg == packages[1] })
		for of := range s.parser.Types {
			expect.True(t, of.Package != packages[1], "%s isn't forgotten", of.Name)
		}
		again := roots(t, dir) // as a later run loads them
		s.Read(again, own)
		s.Enter("g1.example.org", allows, unchanged)
		check(again[1])
	}
}

// TestSkippedVersion applies markers beside the one that removes the version, and comes last: the others look for it.
func TestSkippedVersion(t *testing.T) {
	for _, others := range [][]string{nil, {"storageversion"}, {"resource:scope=Cluster"}, {"resource:scope=Cluster", "storageversion", "subresource:status"}} {
		values := ctmarkers.MarkerValues{}
		for _, name := range append(others, "skipversion") {
			definition := collector(t).Lookup("+kubebuilder:"+name, ctmarkers.DescribesType)
			value := expect.Value(definition.Parse("+kubebuilder:" + name))(t)
			values[definition.Name] = append(values[definition.Name], value)
		}
		d := &apiextensionsv1.CustomResourceDefinition{Spec: apiextensionsv1.CustomResourceDefinitionSpec{Versions: []apiextensionsv1.CustomResourceDefinitionVersion{{Name: "v1"}}}}
		for _, m := range (&Kind{markers: values}).Markers() {
			if err := m.Apply(d, "v1"); err != nil || len(d.Spec.Versions) == 0 != (m.Name == markers.SkipVersion) {
				t.Errorf("beside %q, +%s leaves %d versions (%v)", others, m.Name, len(d.Spec.Versions), err)
			}
		}
	}
}

// refusesFloats reports whether a package has an error about a float.
func refusesFloats(pkg *loader.Package) bool {
	return slices.ContainsFunc(pkg.Errors, func(err packages.Error) bool { return strings.Contains(err.Msg, "found float") })
}

func collector(t *testing.T) *ctmarkers.Collector {
	t.Helper()
	registry := &ctmarkers.Registry{}
	expect.NoError(t, crdmarkers.Register(registry))
	return &ctmarkers.Collector{Registry: registry}
}

// roots returns the type-checked packages of a module, in the order of their paths.
func roots(t *testing.T, dir string) []*loader.Package {
	t.Helper()
	all := expect.Value(loader.LoadRootsWithConfig(&packages.Config{Dir: dir}, "./..."))(t)
	slices.SortFunc(all, func(a, b *loader.Package) int { return cmp.Compare(a.PkgPath, b.PkgPath) })
	for _, pkg := range all {
		(&loader.TypeChecker{}).Check(pkg)
	}
	return all
}

// defined returns the definition of a kind as controller-tools makes it of the schema and the markers.
func defined(t *testing.T, k *Kind, of schema.GroupKind) *apiextensionsv1.CustomResourceDefinition {
	t.Helper()
	made := expect.Value(k.Type())(t)
	props, conflicts := made.Flatten()
	expect.True(t, len(conflicts) == 0, "%s: %v", of, conflicts)
	// The names, which no marker of the kind gives, are controller-tools'.
	parser := &crd.Parser{
		GroupVersions: map[*loader.Package]schema.GroupVersion{k.ident.Package: {Group: of.Group, Version: "v1"}},
		Types:         map[crd.TypeIdent]*ctmarkers.TypeInfo{k.ident: {}}, FlattenedSchemata: map[crd.TypeIdent]apiextensionsv1.JSONSchemaProps{k.ident: *props},
	}
	parser.NeedCRDFor(of, nil)
	d := parser.CustomResourceDefinitions[of]
	d.Spec.Versions[0].Storage = false
	for _, m := range k.Markers() {
		err := m.Apply(&d, "v1")
		expect.True(t, err == nil, "%s: +%s: %v", of, m.Name, err)
	}
	if len(d.Spec.Versions) == 1 {
		d.Spec.Versions[0].Storage = true
	}
	d.Name = d.Spec.Names.Plural + "." + of.Group
	return &d
}

// TestPanic has controller-tools' code panic: that is an error of the kind.
func TestPanic(t *testing.T) {
	parser, pkg := newParser(map[string]apiextensionsv1.JSONSchemaProps{"Kind": {Type: "object"}})
	s := &Schemas{parser: parser, types: newTypes(parser, func(flavor.TypeName) Form { panic("no such form") })}
	k := &Kind{of: s, ident: crd.TypeIdent{Package: pkg, Name: "Kind"}}
	made, err := k.Type()
	expect.True(t, err != nil && made != nil && err.Error() == "no such form", "got %v, %v", made, err)
	m := Marker{value: crdmarkers.PrintColumn{}}
	expect.True(t, m.Apply(nil, "v1") != nil, "a marker of nothing is applied")
}
