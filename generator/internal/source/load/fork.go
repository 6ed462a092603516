package load

import (
	"maps"
	"reflect"
	"slices"
	"strconv"

	"golang.org/x/tools/go/packages"
	"sigs.k8s.io/controller-tools/pkg/loader"
)

// Fork returns a listing of the same packages, to load others of them at the same time: whatever loading
// changes is its own, also what is known of the types of other modules. Nothing may have been loaded yet.
func (l *Listing) Fork() *Listing {
	fork := newListing(l.Scope, l.Files)
	fork.webhooks, fork.reads.log, fork.reads.fixed, fork.parsed = l.webhooks, l.reads.log, l.reads.fixed, l.parsed
	roots := slices.Concat(l.listed, l.expected)
	copies, imports := map[*packages.Package]*packages.Package{}, map[string]*packages.Package{}
	for i, pkg := range roots {
		imports[strconv.Itoa(i)] = copyRaw(pkg.Package, copies)
	}
	// Only controller-tools' loader makes its packages: those that it lists, and what these import. So there
	// is one that imports all others.
	all := &loader.Package{Package: &packages.Package{Imports: imports}}
	of := func(pkg *loader.Package) reflect.Value {
		field := reflect.ValueOf(pkg).Elem().FieldByName("loader")
		return reflect.NewAt(field.Type(), field.Addr().UnsafePointer()).Elem()
	}
	of(all).Set(of(roots[0]))
	for i := range roots {
		roots[i] = all.Imports()[strconv.Itoa(i)]
	}
	fork.listed, fork.expected = roots[:len(l.listed)], roots[len(l.listed):]
	return fork
}

// copyRaw returns a copy of a package, with copies of all that it imports.
func copyRaw(pkg *packages.Package, copies map[*packages.Package]*packages.Package) *packages.Package {
	if known := copies[pkg]; known != nil {
		return known
	}
	c := *pkg
	copies[pkg] = &c
	c.Errors, c.Imports = slices.Clone(pkg.Errors), maps.Clone(pkg.Imports)
	for importPath, imported := range c.Imports {
		c.Imports[importPath] = copyRaw(imported, copies)
	}
	return &c
}
