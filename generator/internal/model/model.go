// Package model is the plain data that mrgen decides on: the Kubernetes objects
// of a provider's API packages, their fields and their markers.
//
// The load package fills it from Go source; stages read it. It knows neither
// syntax trees nor file systems nor code generators.
package model

import (
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/mrgen-io/mrgen/generator/internal/diag"
	"github.com/mrgen-io/mrgen/generator/internal/flavor"
	"github.com/mrgen-io/mrgen/markers"
)

// A Model is the API of one Go module, as far as the run's patterns match.
type Model struct {
	// Packages with API types, sorted by import path.
	Packages []*Package
	// Referenced are other packages, sorted by import path: those whose names
	// reference markers use, and those below the module root that the run's packages
	// depend on and that have reference markers of their own. They lie outside the
	// run's patterns, and maybe outside the module.
	Referenced []*Package
	// Imports are what the run's packages and those that they depend on import, by
	// import path, each list sorted. Imports in files that mrgen writes are left
	// out, but for those that declare types.
	Imports map[string][]Import
	// Runtimes are what the versions of crossplane-runtime ask for that the run's
	// packages are made for, by the import path of the resource package. One is missing
	// if its source can't be found.
	Runtimes map[string]*Runtime
}

// A Runtime is what is known of crossplane-runtime, as a module has it.
type Runtime struct {
	// Version is that of its module, "" if that is not from the module cache.
	Version string
	// Interfaces are those of the resource package, by name: for each method, the type
	// that it takes or returns, without its package. Methods of interfaces from other
	// packages are left out.
	Interfaces map[string]map[string]string
	// Errors is set if it has the package pkg/errors.
	Errors bool
}

// An Import is an import of a package by another one.
type Import struct {
	// Path is the import path.
	Path string
	// Pos is where the first of the files that import it does so, if that is below
	// the module root.
	Pos diag.Position
}

// A Package is a Go package with API types, or one that a reference marker names.
type Package struct {
	// Path is the import path.
	Path string
	// Problem says why a referenced package can't be read, "" if it can. Nothing
	// else is known of it then but its path.
	Problem string
	// Name is the name in the package clause.
	Name string
	// Dir is the slash-separated folder relative to the module root; "." is the
	// root itself. Local is set if it lies below the module root.
	Dir   string
	Local bool
	// Group and Version are the API group and version of the package's objects;
	// Group is empty if the package has no +groupName marker.
	Group, Version string
	// DeepCopies is set if a marker of the package asks for deep copies of all its
	// types.
	DeepCopies bool
	// Markers before the package clauses, by file name and in source order.
	Markers []Marker
	// Names has the names that the author declared in the package, and where.
	Names map[string]diag.Position
	// Functions are the functions that the author declared in the package, methods
	// apart, by name.
	Functions map[string]*Function
	// Objects are the package's root types, sorted by name.
	Objects []*Object
}

// A Function is what is known of a function without its body. The zero TypeName
// stands for a type without a name, and predeclared types have no package.
type Function struct {
	Pos diag.Position
	// Parameters are the types of the parameters.
	Parameters []flavor.TypeName
	// Variadic is set if the last parameter takes any number of arguments of its
	// type.
	Variadic bool
	// Results are the types of the results.
	Results []flavor.TypeName
}

// Role says what a root type is to Crossplane.
type Role uint8

const (
	// Unmanaged types are Kubernetes objects or lists without a role in Crossplane.
	Unmanaged Role = iota
	// Managed types are managed resources.
	Managed
	// ManagedList types are lists of managed resources.
	ManagedList
	// ProviderConfig types configure a provider.
	ProviderConfig
	// ProviderConfigUsage types record that a managed resource uses a ProviderConfig.
	ProviderConfigUsage
	// ProviderConfigUsageList types are lists of ProviderConfigUsages.
	ProviderConfigUsageList
)

// An Object is a root type: a struct that embeds TypeMeta and either ObjectMeta
// or ListMeta.
type Object struct {
	// Name of the Go type, which is also the kind.
	Name    string
	Package *Package
	Pos     diag.Position
	Role    Role
	// List is set if the type is a list: it has items.
	List bool
	// Generation is the row of the flavour table that an object with a role
	// follows. For a list it is the row of its items. It is nil for Unmanaged
	// objects and for managed resources that follow no row but have all their
	// methods from their author.
	Generation *flavor.Generation
	// Conditions is the package of the condition types that the embedded status
	// of a managed resource or ProviderConfig names.
	Conditions flavor.Import
	// Type is the struct.
	Type *Type
	// Spec, Status and Items are the fields with these JSON names, or nil. Items may have
	// another one if that is its name in Go.
	Spec, Status, Items *Field
	// Scope is that of the last +kubebuilder:resource marker that names one, such as
	// Cluster; "" if none does.
	Scope string
	// SkipMethods is set by +crossplane:generate:methods=false.
	SkipMethods bool
	// Methods are the names of the methods that the author declared, on the value
	// or on the pointer.
	Methods map[string]bool
}

// A Marker is a comment line that begins with a plus sign.
type Marker struct {
	// Text is the line without the plus sign.
	Text string
	// Pos is where the plus sign stands.
	Pos diag.Position
	// Value is the parsed marker if mrgen owns it, else nil.
	Value *markers.Value
	// Meant is the name of the marker that a misspelt one was most likely meant to be.
	Meant string
}

// FindMarker returns the first of the markers that mrgen owns and that has that name,
// or nil.
func FindMarker(list []Marker, name string) *Marker {
	for i, m := range list {
		if m.Value != nil && m.Value.Definition.Name == name {
			return &list[i]
		}
	}
	return nil
}

// IsOff reports whether a marker of that name, which mrgen owns, has the value false.
func IsOff(list []Marker, name string) bool {
	return slices.ContainsFunc(list, func(m Marker) bool {
		return m.Value != nil && m.Value.Definition.Name == name && !m.Value.Bool()
	})
}

// Package returns the package with that import path, or nil.
func (m *Model) Package(importPath string) *Package {
	for _, packages := range [][]*Package{m.Packages, m.Referenced} {
		for _, p := range packages {
			if p.Path == importPath {
				return p
			}
		}
	}
	return nil
}

// Object returns the object of that name, or nil.
func (p *Package) Object(name string) *Object {
	for _, o := range p.Objects {
		if o.Name == name {
			return o
		}
	}
	return nil
}

// Declarations returns as text what other packages may depend on that name types,
// functions and constants of the package in markers. Positions are not in it.
func (p *Package) Declarations() string {
	var b strings.Builder
	fmt.Fprintln(&b, p.Path, p.Name, p.Group, p.Version)
	for _, name := range slices.Sorted(maps.Keys(p.Names)) {
		fmt.Fprintln(&b, name)
	}
	for _, name := range slices.Sorted(maps.Keys(p.Functions)) {
		f := p.Functions[name]
		fmt.Fprintln(&b, name, f.Parameters, f.Variadic, f.Results)
	}
	for _, o := range p.Objects {
		fmt.Fprintln(&b, o.Name, o.Role, o.List, o.Scope, o.SkipMethods, slices.Sorted(maps.Keys(o.Methods)))
		if o.Generation != nil {
			fmt.Fprintln(&b, o.Generation.Name)
		}
	}
	return b.String()
}

// Declared returns the package with no more than what others may name of it in
// markers, see [Package.Declarations], and positions. It holds on to none of its types.
func (p *Package) Declared() *Package {
	declared := *p
	declared.Markers, declared.Objects = nil, make([]*Object, len(p.Objects))
	for i, o := range p.Objects {
		declared.Objects[i] = &Object{
			Name: o.Name, Package: &declared, Pos: o.Pos, Role: o.Role, List: o.List, Generation: o.Generation, Scope: o.Scope, SkipMethods: o.SkipMethods, Methods: o.Methods,
			Type: &Type{Kind: o.Type.Kind, Name: o.Type.Name, Package: o.Type.Package, PackageName: o.Type.PackageName, Local: o.Type.Local, Pos: o.Type.Pos},
		}
	}
	return &declared
}

// HasMarker reports whether the type bears a marker with that name, whatever its
// arguments.
func (o *Object) HasMarker(name string) bool {
	return slices.ContainsFunc(o.Type.Markers, func(m Marker) bool {
		rest, found := strings.CutPrefix(m.Text, name)
		return found && (rest == "" || rest[0] == '=' || rest[0] == ':')
	})
}

// Namespaced reports whether managed resources of the kind live in a namespace: as a
// marker says, or else as those do whose spec embeds the same type.
func (o *Object) Namespaced() bool {
	if o.Scope == "" {
		return o.Generation != nil && o.Generation.Namespaced
	}
	return o.Scope == "Namespaced"
}
