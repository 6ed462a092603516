package load

import (
	"slices"

	"sigs.k8s.io/controller-tools/pkg/loader"
)

// expectedHome is the folder of the module that expected packages are listed for.
const expectedHome = "."

// noteNeeded records that the run needs a package besides those that its packages import, if it is one of
// another module.
func (l *Listing) noteNeeded(pkg *loader.Package) {
	if importPath := loader.NonVendorPath(pkg.PkgPath); !l.Files.IsLocal(pkg) && !slices.Contains(l.needed, importPath) {
		l.needed = append(l.needed, importPath)
	}
}

// Needed returns the import paths of packages of other modules that the run needs so far besides those
// that its packages import: they may be expected of the next one.
func (l *Listing) Needed() []string { return slices.Sorted(slices.Values(l.needed)) }
