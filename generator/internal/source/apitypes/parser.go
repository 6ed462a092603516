package apitypes

import (
	"sigs.k8s.io/controller-tools/pkg/loader"

	"github.com/mrgen-io/mrgen/generator/internal/controllertools"
	"github.com/mrgen-io/mrgen/generator/internal/source/load"
)

// Schemas returns the schemas of types. Sources of one listing share them, so types of other modules are parsed once.
func (s *Source) Schemas() *controllertools.Schemas {
	var checked []*loader.Package
	load.Walk(s.Program.APIs, func(pkg *loader.Package) bool {
		if pkg.TypesInfo != nil {
			checked = append(checked, pkg)
		}
		return pkg.TypesInfo != nil
	})
	s.sources.schemas.Read(checked, s.Collector)
	return s.sources.schemas
}
