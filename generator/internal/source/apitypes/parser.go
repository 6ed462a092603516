package apitypes

import (
	"go/ast"
	"maps"

	apiextensionsv1 "k8s.io/apiextensions-apiserver/pkg/apis/apiextensions/v1"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"sigs.k8s.io/controller-tools/pkg/crd"
	"sigs.k8s.io/controller-tools/pkg/loader"
	"sigs.k8s.io/controller-tools/pkg/markers"

	"github.com/mrgen-io/mrgen/generator/internal/source/load"
)

// newParser returns a parser without markers.
func newParser(embeddedObjectMeta bool) *crd.Parser {
	parser := &crd.Parser{
		GenerateEmbeddedObjectMeta: embeddedObjectMeta,
		// All packages that types refer to are checked already.
		Checker: &loader.TypeChecker{NodeFilters: []loader.NodeFilter{func(ast.Node) bool { return false }}},
	}
	crd.AddKnownTypes(parser)
	return parser
}

// Parser returns controller-tools' parser of types. Sources of one listing share it, so types of other modules are
// parsed once.
func (s *Source) Parser() *crd.Parser {
	parser := s.sources.parser
	parser.Collector = s.Collector
	seen := map[*loader.Package]bool{}
	load.Walk(s.Program.APIs, func(pkg *loader.Package) bool {
		if pkg.TypesInfo == nil || seen[pkg] {
			return false
		}
		seen[pkg] = true
		// controller-tools overrides some packages of Kubernetes.
		if path := loader.NonVendorPath(pkg.PkgPath); parser.PackageOverrides[path] == nil {
			parser.PackageOverrides[path] = addPackage
		}
		return true
	})
	return parser
}

// forgetLocal makes the parser forget the types below the module root.
func (s *Sources) forgetLocal() {
	isLocal := s.listing.Files.IsLocal
	maps.DeleteFunc(s.parser.Types, func(t crd.TypeIdent, _ *markers.TypeInfo) bool { return isLocal(t.Package) })
	maps.DeleteFunc(s.parser.Schemata, func(t crd.TypeIdent, _ apiextensionsv1.JSONSchemaProps) bool { return isLocal(t.Package) })
	maps.DeleteFunc(s.parser.GroupVersions, func(pkg *loader.Package, _ schema.GroupVersion) bool { return isLocal(pkg) })
	s.parser.Collector = nil
}
