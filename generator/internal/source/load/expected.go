package load

import (
	"slices"

	"sigs.k8s.io/controller-tools/pkg/loader"
)

// expectedHome is the folder of the module that expected packages are listed for.
const expectedHome = "."

// noteLoaded records that a package was found late.
func (l *Listing) noteLoaded(pkg *loader.Package) {
	if importPath := loader.NonVendorPath(pkg.PkgPath); !l.Files.IsLocal(pkg) && !slices.Contains(l.loaded, importPath) {
		l.loaded = append(l.loaded, importPath)
	}
}

// Needed returns the import paths of packages of other modules that the run needs so far besides those
// that its packages import: they may be expected of the next one.
func (l *Listing) Needed() []string {
	needed := slices.Clone(l.loaded)
	for _, pkg := range l.expected {
		if !l.Files.IsLocal(pkg) {
			needed = append(needed, loader.NonVendorPath(pkg.PkgPath))
		}
	}
	slices.Sort(needed)
	return slices.Compact(needed)
}
