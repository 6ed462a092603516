package controllertools

import (
	"errors"
	"fmt"
	"go/ast"
	"reflect"
	"slices"
	"strings"

	"sigs.k8s.io/controller-tools/pkg/crd"
	crdmarkers "sigs.k8s.io/controller-tools/pkg/crd/markers"
	"sigs.k8s.io/controller-tools/pkg/deepcopy"
	"sigs.k8s.io/controller-tools/pkg/loader"
	ctmarkers "sigs.k8s.io/controller-tools/pkg/markers"

	"github.com/mrgen-io/mrgen/markers"
)

// The names that markers of schemas share. controller-tools keeps the values of one name in source order, but ranges
// over a map of names, so the result would differ from run to run.
const (
	schemaMarkers = "schema"
	// ItemsMarkers has the prefix of their own names, by which controller-tools recognizes them.
	ItemsMarkers = crdmarkers.ValidationItemsPrefix
)

// NewCollector returns a collector of the markers that controller-gen's crd and object generators read.
func NewCollector() (*ctmarkers.Collector, error) {
	registry := &ctmarkers.Registry{}
	return &ctmarkers.Collector{Registry: registry}, errors.Join(registerMarkers(registry), registerOrdered(registry))
}

// registerMarkers registers the markers that controller-gen's crd and object generators read.
func registerMarkers(into *ctmarkers.Registry) error {
	if err := crdmarkers.Register(into); err != nil {
		return err
	}
	return deepcopy.Generator{}.RegisterMarkers(into)
}

// followed are the nodes that controller-gen's generators look into.
var followed = []loader.NodeFilter{deepcopy.Generator{}.CheckFilter(), crd.Generator{}.CheckFilter()}

// Follows reports whether the crd or the object generator looks into a node.
func Follows(node ast.Node) bool {
	return slices.ContainsFunc(followed, func(follows loader.NodeFilter) bool { return follows(node) })
}

// namedMarkers keep their names, which controller-tools looks for. Their order doesn't count: they have a priority of
// their own, or yield to other markers.
var namedMarkers = []string{
	markers.K8sRequired,
	crdmarkers.ValidationExactlyOneOfPrefix,
	crdmarkers.ValidationAtMostOneOfPrefix,
	crdmarkers.ValidationAtLeastOneOfPrefix,
}

// registerOrdered replaces the definitions of markers that write to schemas by ones that keep their order, and takes the
// values of enums from the type checker.
func registerOrdered(registry *ctmarkers.Registry) error {
	isApplied := reflect.TypeFor[crd.SchemaMarker]()
	for _, definition := range registry.AllDefinitions() {
		if !definition.Output.Implements(isApplied) || slices.Contains(namedMarkers, definition.Name) {
			continue
		}
		ordered := *definition
		if ordered.Output == reflect.TypeFor[crdmarkers.K8sEnum]() {
			ordered.Output = reflect.TypeFor[constants]()
		}
		if err := registry.Register(&ordered); err != nil {
			return fmt.Errorf("register the marker +%s: %w", definition.Name, err)
		}
		// The registry looks it up by its own name; its values get the shared one.
		ordered.Name = sharedName(definition.Name)
	}
	return nil
}

// sharedName returns the name under which controller-tools stores the values of a marker.
func sharedName(name string) string {
	if strings.HasPrefix(name, ItemsMarkers) {
		return ItemsMarkers
	}
	return schemaMarkers
}

// addPackage adds a package to a parser, as the parser itself would.
func addPackage(parser *crd.Parser, pkg *loader.Package) {
	// The parser reports errors.
	if nodes, err := parser.Collector.MarkersInPackage(pkg); err == nil {
		for _, values := range nodes {
			if slices.Contains(values[schemaMarkers], any(crdmarkers.Immutable{})) {
				// controller-tools adds a rule to the struct by this name
				values[markers.K8sImmutable] = []any{struct{}{}}
			}
		}
	}
	parser.AddPackage(pkg)
}
