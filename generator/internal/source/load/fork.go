package load

import (
	"maps"
	"slices"

	"golang.org/x/tools/go/packages"

	"github.com/mrgen-io/mrgen/generator/internal/controllertools"
)

// Fork returns a listing of the same packages, to load other packages at the same time. Everything that loading changes
// belongs to one of the two, including types of other modules. Nothing may have been loaded yet.
func (l *Listing) Fork() *Listing {
	fork := newListing(l.Files)
	fork.webhookFiles, fork.log, fork.settings, fork.parsed = l.webhookFiles, l.log, l.settings, l.parsed
	fork.apis = l.apis
	copies := map[*packages.Package]*packages.Package{}
	var raw []*packages.Package
	for _, pkg := range slices.Concat(l.listed, l.expected) {
		raw = append(raw, copyRaw(pkg.Package, copies))
	}
	roots := controllertools.Packages(l.Files.Fset, raw)
	fork.listed, fork.expected = roots[:len(l.listed)], roots[len(l.listed):]
	return fork
}

// copyRaw returns a copy of a package, with copies of its imports.
func copyRaw(pkg *packages.Package, copies map[*packages.Package]*packages.Package) *packages.Package {
	if known := copies[pkg]; known != nil {
		return known
	}
	c := *pkg
	// imports share packages: copy each once
	copies[pkg] = &c
	c.Errors, c.Imports = slices.Clone(pkg.Errors), maps.Clone(pkg.Imports)
	for importPath, imported := range c.Imports {
		c.Imports[importPath] = copyRaw(imported, copies)
	}
	return &c
}
