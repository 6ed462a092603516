package deepcopy

import (
	"fmt"
	"go/ast"
	"go/types"
	"slices"
	"strings"

	"sigs.k8s.io/controller-tools/pkg/loader"
	ctmarkers "sigs.k8s.io/controller-tools/pkg/markers"

	"github.com/mrgen-io/mrgen/markers"
)

// legacyObject is the interface that deepcopy-gen's older marker must name.
const legacyObject = "k8s.io/apimachinery/pkg/runtime.Object"

// A wantedType is a declared type that needs methods.
type wantedType struct {
	name string
	typ  types.Type
	// object is set if the type gets DeepCopyObject.
	object bool
}

// wantedTypes returns the types of a package that need methods, in source order.
func wantedTypes(collector *ctmarkers.Collector, pkg *loader.Package) ([]wantedType, error) {
	var wanted []wantedType
	err := eachEnabled(collector, pkg, func(spec *ast.TypeSpec, object bool) {
		t := pkg.TypesInfo.TypeOf(spec.Name)
		switch {
		case t == types.Typ[types.Invalid]:
			pkg.AddError(loader.ErrFromNode(fmt.Errorf("unknown type: %s", spec.Name.Name), spec))
		case !needsMethods(t): // nothing to copy, or not allowed by Go
		case spec.TypeParams != nil:
			if m := methodsOf(t); !m.deepCopy || !m.deepCopyInto {
				pkg.AddError(loader.ErrFromNode(fmt.Errorf(
					"%s has type parameters, and gets no deep copies: write its methods DeepCopyInto and DeepCopy, or mark it +kubebuilder:object:generate=false",
					spec.Name.Name), spec.Name))
			}
		default:
			wanted = append(wanted, wantedType{name: spec.Name.Name, typ: t, object: object})
		}
	})
	return wanted, err
}

// eachEnabled visits the types of a package for which markers request methods, in source order. object is set
// for types that get DeepCopyObject.
func eachEnabled(collector *ctmarkers.Collector, pkg *loader.Package, visit func(spec *ast.TypeSpec, object bool)) error {
	values, err := collector.MarkersInPackage(pkg)
	if err != nil {
		return err
	}
	all := enabledForPackage(values, pkg.Syntax)
	loader.EachType(pkg, func(_ *ast.File, _ *ast.GenDecl, spec *ast.TypeSpec) {
		if object := isObject(values[spec]); spec.Name.IsExported() && enabledForType(values[spec], all || object) {
			visit(spec, object)
		}
	})
	return nil
}

// enabledForPackage reports whether the markers of a package request methods for all its types. The first
// marker counts.
func enabledForPackage(values map[ast.Node]ctmarkers.MarkerValues, files []*ast.File) bool {
	first := func(name string) any {
		for _, file := range files {
			if value := values[file].Get(name); value != nil {
				return value
			}
		}
		return nil
	}
	if enabled, ok := first(markers.ObjectGenerate).(bool); ok {
		return enabled
	}
	arguments, _ := first(markers.DeepCopyGen).(ctmarkers.RawArguments)
	argument, _, _ := strings.Cut(string(arguments), ",")
	return argument == "package"
}

// enabledForType reports whether the markers of a type request methods.
func enabledForType(values ctmarkers.MarkerValues, byDefault bool) bool {
	if enabled, ok := values.Get(markers.ObjectGenerate).(bool); ok {
		return enabled
	}
	if arguments, ok := values.Get(markers.DeepCopyGen).(ctmarkers.RawArguments); ok {
		return string(arguments) == "true"
	}
	return byDefault
}

// isObject reports whether the markers of a type request DeepCopyObject.
func isObject(values ctmarkers.MarkerValues) bool {
	if root, ok := values.Get(markers.ObjectRoot).(bool); ok {
		return root
	}
	return slices.Contains(values[markers.DeepCopyGenInterfaces], any(legacyObject))
}

// needsMethods reports whether a declared type needs methods.
func needsMethods(t types.Type) bool {
	named, ok := t.(*types.Named)
	if !ok {
		return false
	}
	switch named.Underlying().(type) {
	case *types.Pointer:
		return false // Go allows no methods on them
	// Assignment copies it, unless the author wrote one of the methods: then complete the pair.
	case *types.Basic:
		return methodsOf(named).any()
	default:
		return true
	}
}
