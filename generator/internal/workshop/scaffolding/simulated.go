package scaffolding

import (
	"slices"

	"github.com/mrgen-io/mrgen/testdata/simulated"
)

// What all kinds have in common is an API that is simulated.
const (
	simulatedDir  = "internal/simulated"
	simulatedFile = simulatedDir + "/simulated.go"
)

// SimulatedImport returns the path of its package.
func (d kindData) SimulatedImport() string { return d.Module + "/" + simulatedDir }

// removeSimulated removes the API that tests of kinds use, with the last controller that does.
func (r *removal) removeSimulated() {
	importers := r.provider.source.Importers(simulatedDir)
	left := slices.DeleteFunc(slices.Clone(importers), func(folder string) bool { return r.gone[r.provider.Module+"/"+folder] })
	if len(left) == 0 && len(importers) > 0 {
		r.removePackage(simulatedDir, Files{simulatedFile: simulated.Source})
	}
}
