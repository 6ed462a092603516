// Package model describes the Kubernetes objects of a provider's API packages, with their
// fields and markers, as plain data.
//
// It is built from Go source, and read by the stages. It depends neither on syntax trees nor
// on the file system nor on code generators.
package model

import (
	"iter"
	"slices"
	"strings"

	"github.com/mrgen-io/mrgen/generator/diag"
	"github.com/mrgen-io/mrgen/generator/internal/flavor"
	"github.com/mrgen-io/mrgen/markers"
)

// A Model is the API of one Go module, as far as the run's patterns select it.
type Model struct {
	// Packages with API types, sorted by import path.
	Packages []*Package
	// Referenced are packages outside the run's patterns, and maybe outside the module, sorted by import path: packages
	// that reference markers name, and packages below the module root that the run's packages depend on and that have
	// reference markers of their own.
	Referenced []*Package
	// Imports are the sorted imports, by import path, of the run's packages and of their dependencies that may be part
	// of an import cycle with them. Imports in files that mrgen writes are omitted, except in files that declare types.
	Imports map[string][]Import
	// Cyclic is set if the model is a part of a run: the packages of the run that import each other, each with the first
	// one of its ring. It counts references of other parts, which the model doesn't have.
	Cyclic map[string]string
	// Runtimes are the versions of crossplane-runtime that the run's packages use, by the import path of the resource
	// package. It lacks versions whose source can't be found.
	Runtimes map[string]*Runtime
}

// A Runtime describes the version of crossplane-runtime that a module requires.
type Runtime struct {
	// Version is the version of its module, or "" if the module cache doesn't have it.
	Version string
	// Interfaces are the interfaces of the resource package, by name. Each maps its methods to the type that they take
	// or return, without its package. Methods of embedded interfaces from other packages are missing.
	Interfaces map[string]map[string]string
	// Imports are the packages that the resource package imports.
	Imports map[string]bool
	// Errors is set if the version has the package pkg/errors.
	Errors bool
}

// An Import is an import of a package by another one.
type Import struct {
	// Path is the import path.
	Path string
	// Pos is the position of the import in the first file that has it, if the file is below the module root.
	Pos diag.Position
}

// A Package is a Go package with API types, or one that a reference marker names.
type Package struct {
	// Path is the import path.
	Path string
	// Problem says why a referenced package can't be read, or is "". If it is set, so is
	// Path, but nothing else.
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
	// DeepCopies is set if a marker requests deep copies of all types in the package.
	DeepCopies bool
	// Markers are the markers before the package clauses, sorted by file name, in source order.
	Markers []Marker
	// Names are the names that the author declared in the package, with their positions.
	Names map[string]diag.Position
	// Functions are the functions that the author declared in the package, without methods,
	// by name.
	Functions map[string]*Function
	// Objects are the package's root types, sorted by name.
	Objects []*Object
}

// A Function is the signature of a function. The zero TypeName stands for a type without a
// name, and predeclared types have no package.
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

// Role is the role of a root type in Crossplane.
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
	// Generation is the row of the flavour table for an object with a role, or for the items
	// of a list. It is nil for Unmanaged objects, and for managed resources that match no
	// row and whose author wrote all methods.
	Generation *flavor.Generation
	// Conditions is the package of the condition types in the embedded status of a managed
	// resource or ProviderConfig.
	Conditions flavor.Import
	// Type is the struct.
	Type *Type
	// Spec, Status and Items are the fields with these JSON names, or nil. Items may also be
	// the field with that Go name.
	Spec, Status, Items *Field
	// Scope is the scope in the last +kubebuilder:resource marker that has one, such as
	// Cluster, or "".
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
	// Meant is the name of the marker that a misspelt one most likely stands for.
	Meant string
}

// Is reports whether the marker is one of mrgen's own, with that name.
func (m Marker) Is(name string) bool { return m.Value != nil && m.Value.Definition.Name == name }

// Name returns the marker without its arguments.
func (m Marker) Name() string {
	name, _, _ := strings.Cut(m.Text, "=")
	// Arguments of controller-tools' markers follow an equals sign, or a colon and the name of the first one.
	name = strings.TrimRight(name, ": ")
	for _, named := range []string{markers.XValidation, markers.ItemsXValidation} {
		if strings.HasPrefix(name, named+":") {
			return named
		}
	}
	return name
}

// Named returns the first marker, mrgen's own or not, with one of some names, or nil.
func Named(list []Marker, names ...string) *Marker {
	for i, m := range list {
		if slices.Contains(names, m.Name()) {
			return &list[i]
		}
	}
	return nil
}

// FindMarker returns the first of mrgen's own markers with that name, or nil.
func FindMarker(list []Marker, name string) *Marker {
	for i, m := range list {
		if m.Is(name) {
			return &list[i]
		}
	}
	return nil
}

// IsOff reports whether one of mrgen's own markers has that name and the value false.
func IsOff(list []Marker, name string) bool {
	return slices.ContainsFunc(list, func(m Marker) bool {
		return m.Is(name) && !m.Value.Bool()
	})
}

// Objects yields the objects of packages, in their order.
func Objects(packages []*Package) iter.Seq[*Object] {
	return func(yield func(*Object) bool) {
		for _, p := range packages {
			if slices.ContainsFunc(p.Objects, func(o *Object) bool { return !yield(o) }) {
				return
			}
		}
	}
}

// Managed returns the managed kinds of the run, in the order of packages.
func (m *Model) Managed() []*Object {
	var kinds []*Object
	for o := range Objects(m.Packages) {
		if o.Role == Managed {
			kinds = append(kinds, o)
		}
	}
	return kinds
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

// Declared returns a copy of the package with the names that markers of other packages may use.
// It keeps only kinds' markers in memory.
func (p *Package) Declared() *Package {
	declared := *p
	declared.Markers, declared.Objects = nil, make([]*Object, len(p.Objects))
	for i, o := range p.Objects {
		declared.Objects[i] = &Object{
			Name: o.Name, Package: &declared, Pos: o.Pos, Role: o.Role, List: o.List, Generation: o.Generation, Scope: o.Scope,
			SkipMethods: o.SkipMethods, Methods: o.Methods,
			Type: &Type{
				Kind:        o.Type.Kind,
				Name:        o.Type.Name,
				Package:     o.Type.Package,
				PackageName: o.Type.PackageName,
				Local:       o.Type.Local,
				Pos:         o.Type.Pos,
				Markers:     o.Type.Markers,
			},
		}
	}
	return &declared
}

// HasMarker reports whether the type has a marker with that name, with or without arguments.
func (o *Object) HasMarker(name string) bool {
	return slices.ContainsFunc(o.Type.Markers, func(m Marker) bool {
		rest, found := strings.CutPrefix(m.Text, name)
		return found && (rest == "" || rest[0] == '=' || rest[0] == ':')
	})
}

// Namespaced reports whether resources of the kind are namespaced, as a marker or else the
// type that their spec embeds says.
func (o *Object) Namespaced() bool {
	if o.Scope == "" { // the type that the spec embeds decides
		return o.Generation != nil && o.Generation.Namespaced
	}
	return o.Scope == "Namespaced"
}
