package load

import (
	"go/token"
	"maps"
	"reflect"
	"slices"
	"strconv"

	"golang.org/x/tools/go/packages"
	"sigs.k8s.io/controller-tools/pkg/loader"
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
	roots := wrap(l.Files.Fset, raw)
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

// wrap returns controller-tools' packages for packages that the go command lists.
func wrap(fset *token.FileSet, raw []*packages.Package) []*loader.Package {
	// controller-tools' loader only makes packages of imports, so one package imports all of them. Letting the loader
	// call the go command takes much longer: it compares each import below each package with each package, which is a
	// seventh of a run over 300 groups, and grows with their number.
	all := &loader.Package{Package: &packages.Package{Imports: map[string]*packages.Package{}}}
	for i, pkg := range raw {
		all.Package.Imports[strconv.Itoa(i)] = pkg
	}
	set := func(of reflect.Value, name string, value reflect.Value) { // the fields aren't exported
		field := of.Elem().FieldByName(name)
		reflect.NewAt(field.Type(), field.Addr().UnsafePointer()).Elem().Set(value)
	}
	of, _ := reflect.TypeFor[loader.Package]().FieldByName("loader")
	l := reflect.New(of.Type.Elem())
	set(l, "cfg", reflect.ValueOf(&packages.Config{Fset: fset}))
	set(l, "packages", reflect.ValueOf(map[*packages.Package]*loader.Package{}))
	set(reflect.ValueOf(all), "loader", l)
	wrapped := all.Imports()
	roots := make([]*loader.Package, len(raw))
	for i := range raw {
		roots[i] = wrapped[strconv.Itoa(i)]
	}
	return roots
}
