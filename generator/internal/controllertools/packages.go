package controllertools

import (
	"go/token"
	"reflect"
	"strconv"

	"golang.org/x/tools/go/packages"
	"sigs.k8s.io/controller-tools/pkg/loader"
)

// Packages returns controller-tools' packages for packages that the go command lists.
func Packages(fset *token.FileSet, raw []*packages.Package) []*loader.Package {
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
