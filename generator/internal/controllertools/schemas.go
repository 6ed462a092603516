package controllertools

import (
	"fmt"
	"go/ast"
	"maps"
	"slices"

	apiextensionsv1 "k8s.io/apiextensions-apiserver/pkg/apis/apiextensions/v1"
	runtimeschema "k8s.io/apimachinery/pkg/runtime/schema"
	"sigs.k8s.io/controller-tools/pkg/crd"
	"sigs.k8s.io/controller-tools/pkg/loader"
	ctmarkers "sigs.k8s.io/controller-tools/pkg/markers"

	"github.com/mrgen-io/mrgen/generator/internal/flavor"
	"github.com/mrgen-io/mrgen/generator/internal/schema"
	"github.com/mrgen-io/mrgen/markers"
)

// Schemas makes the schemas of Go types, and keeps the schemas of other modules. It is not safe for concurrent use.
type Schemas struct {
	parser *crd.Parser
	// group is the group of the current kinds, and packages are the packages that declare them.
	group    string
	packages map[*loader.Package]bool
	types    *typeCache
}

// NewSchemas returns schemas without types.
func NewSchemas(embeddedObjectMeta bool) *Schemas {
	parser := &crd.Parser{
		GenerateEmbeddedObjectMeta: embeddedObjectMeta,
		// All packages that types refer to are checked already.
		Checker: &loader.TypeChecker{NodeFilters: []loader.NodeFilter{func(ast.Node) bool { return false }}},
	}
	crd.AddKnownTypes(parser)
	return &Schemas{parser: parser}
}

// Read makes the schemas read type-checked packages, and their markers with a collector.
func (s *Schemas) Read(checked []*loader.Package, collector *ctmarkers.Collector) {
	s.parser.Collector, s.types = collector, nil
	for _, pkg := range checked {
		// controller-tools overrides some packages of Kubernetes.
		if path := loader.NonVendorPath(pkg.PkgPath); s.parser.PackageOverrides[path] == nil {
			s.parser.PackageOverrides[path] = addPackage
		}
	}
}

// Forget drops the types of some packages.
func (s *Schemas) Forget(isForgotten func(*loader.Package) bool) {
	maps.DeleteFunc(s.parser.Types, func(t crd.TypeIdent, _ *ctmarkers.TypeInfo) bool { return isForgotten(t.Package) })
	maps.DeleteFunc(s.parser.Schemata, func(t crd.TypeIdent, _ schema.Props) bool { return isForgotten(t.Package) })
	maps.DeleteFunc(s.parser.GroupVersions, func(pkg *loader.Package, _ runtimeschema.GroupVersion) bool { return isForgotten(pkg) })
	s.parser.Collector, s.types = nil, nil
}

// Enter prepares for the kinds of a group, whose types have forms, and drops the schemas of the previous group's packages:
// they take as much memory as all CRDs, and other groups need few of them.
func (s *Schemas) Enter(group string, allowDangerousTypes bool, formOf func(flavor.TypeName) Form) {
	if s.types != nil && s.group == group {
		return
	}
	maps.DeleteFunc(s.parser.Schemata, func(t crd.TypeIdent, _ schema.Props) bool { return s.packages[t.Package] })
	s.parser.AllowDangerousTypes = allowDangerousTypes
	s.group, s.types, s.packages = group, newTypes(s.parser, formOf), map[*loader.Package]bool{}
}

// A Kind is a type with the markers of a kind.
type Kind struct {
	of      *Schemas
	ident   crd.TypeIdent
	markers ctmarkers.MarkerValues
}

// Kind returns a type of a package, or nil if the package is marked +kubebuilder:skip.
func (s *Schemas) Kind(pkg *loader.Package, name string) *Kind {
	s.packages[pkg] = true
	s.parser.NeedPackage(pkg)
	ident := crd.TypeIdent{Package: pkg, Name: name}
	info := s.parser.Types[ident]
	if info == nil {
		return nil
	}
	return &Kind{of: s, ident: ident, markers: info.Markers}
}

// Type returns the type with its schema. Other errors are added to packages.
func (k *Kind) Type() (t *Type, err error) {
	// controller-tools panics on some combinations of types and markers.
	defer func() {
		if value := recover(); value != nil {
			t, err = &Type{}, fmt.Errorf("%v", value)
		}
	}()
	return k.of.types.need(k.ident), nil
}

// Has reports whether the type has a marker.
func (k *Kind) Has(name string) bool { return k.markers.Get(name) != nil }

// A Marker is a marker of a kind.
type Marker struct {
	Name string
	// Index counts the type's markers of the name.
	Index int
	value any
}

// Markers returns the markers, sorted by name.
func (k *Kind) Markers() []Marker {
	names := slices.Sorted(maps.Keys(k.markers))
	const skip = markers.SkipVersion
	// Skipping the version removes it, and the other markers look for it.
	if i := slices.Index(names, skip); i >= 0 {
		names = append(slices.Delete(names, i, i+1), skip)
	}
	var all []Marker
	for _, name := range names {
		for i, value := range k.markers[name] {
			all = append(all, Marker{name, i, value})
		}
	}
	return all
}

// Apply applies the marker to a CRD.
func (m Marker) Apply(definition *apiextensionsv1.CustomResourceDefinition, version string) (err error) {
	// controller-tools panics on some values.
	defer func() {
		if recover() != nil {
			err = fmt.Errorf("cannot apply the marker: check its arguments")
		}
	}()
	switch marker := m.value.(type) {
	case crd.SpecMarker:
		return marker.ApplyToCRD(&definition.Spec, version)
	case crd.Marker:
		return marker.ApplyToCRD(definition, version)
	default:
		return nil
	}
}

// Truncate truncates the descriptions in a schema.
func Truncate(s *schema.Props, length int) { crd.TruncateDescription(s, length) }

// FixMetadata removes the content of metadata at the top of a definition's schemas.
func FixMetadata(definition *apiextensionsv1.CustomResourceDefinition) {
	crd.FixTopLevelMetadata(*definition)
}
