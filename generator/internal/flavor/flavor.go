// Package flavor is the table of Crossplane API generations: which embedded
// types select a generation, and which methods its objects have.
//
// A new generation is a new row in table.go, and nothing else. The package is a
// leaf.
package flavor

import "slices"

// An Import is a Go package that generated code refers to.
type Import struct {
	// Path is the import path.
	Path string
	// Alias is the name that generated files import it by.
	Alias string
}

// A TypeName is the name of a declared Go type with the path of its package.
type TypeName struct {
	Package, Name string
}

// A Generation is a row of the table: the types that Crossplane provides for
// the objects of one role, in one version of its Go API, for one scope.
type Generation struct {
	// Name is how diagnostics and documents call the row.
	Name string
	// Embed is the type whose embedding selects the row: in the spec of a managed
	// resource, in the status of a ProviderConfig, in the root of a
	// ProviderConfigUsage.
	Embed TypeName
	// Conditions are the types that the status of a managed resource may embed,
	// with the package of the condition types that their methods name. It is
	// empty for other roles.
	Conditions map[TypeName]Import
	// Types is the package of the types that the methods name, the conditions of
	// a managed resource apart.
	Types Import
	// Resource is crossplane-runtime's resource package, which declares Interface, Item
	// and the interface of lists.
	Resource Import
	// Interface is what the objects have to implement. Versions of the package that lack
	// it ask for nothing.
	Interface string
	// Managed is crossplane-runtime's package managed, which declares
	// ConnectionDetails. It is empty but for managed resources.
	Managed Import
	// SecretKeys are the names of the constants in Types for keys of connection
	// secrets, by key. It is empty but for managed resources.
	SecretKeys map[string]string
	// Namespaced is set for managed resources that live in a namespace.
	Namespaced bool
	// Item is the interface that the items of a list implement, "" if there are
	// no methods for lists.
	Item string
	// Methods of the objects, sorted by name.
	Methods []Method
	// References is how managed resources refer to each other. It is empty for
	// other roles.
	References References
}

// References names what the Go API of a generation has for references to managed
// resources.
type References struct {
	// Package is crossplane-runtime's reference package, and Errors its package of
	// errors. Versions that lack that one use OlderErrors.
	Package, Errors, OlderErrors Import
	// Resolver is the type in Package that resolves references. The function that
	// makes one has this name after New.
	Resolver string
	// Request and Response are the types in Package for one reference,
	// MultiRequest and MultiResponse those for several.
	Request, Response, MultiRequest, MultiResponse string
	// Namespaced is set if requests have a field for the namespace.
	Namespaced bool
	// Reference and Selector are the names of the types, in [Generation.Types], of
	// the fields that hold a reference or select what is referred to.
	Reference, Selector string
	// Declarations are the packages that may declare these types: that of
	// [Generation.Types] may have aliases only.
	Declarations []string
}

// Part is the part of an object that a method reads or writes.
type Part uint8

const (
	// Root is the object itself.
	Root Part = iota
	// Spec is the field with the JSON name "spec".
	Spec
	// Status is the field with the JSON name "status".
	Status
)

// Shape is the form of a method's body.
type Shape uint8

const (
	// Getter returns a field.
	Getter Shape = iota
	// Setter assigns its parameter to a field.
	Setter
	// ConditionGetter returns the condition of a type, as the embedded status has it.
	ConditionGetter
	// ConditionSetter hands conditions on to the embedded status.
	ConditionSetter
)

// A Method is a method of an object.
type Method struct {
	// Name of the method.
	Name  string
	Shape Shape
	Part  Part
	// Field is the Go name of the field that a Getter or Setter is about. Versions
	// of an embedded type that lack the field do without the method.
	Field string
	// Parameter is the name that a Setter gives its parameter.
	Parameter string
	// Type is the name of the field's type in [Generation.Types], or a predeclared
	// type such as int64 if Predeclared is set.
	Type        string
	Predeclared bool
	// Pointer is set if the field holds a pointer to Type.
	Pointer bool
}

// List returns the interface that the lists of a row have to implement, "" if there is
// none.
func (g *Generation) List() string {
	if g.Item == "" {
		return ""
	}
	return g.Item + "List"
}

// ValueType returns the type that a Getter returns and a Setter takes, without its
// package.
func (m Method) ValueType() string {
	if m.Pointer {
		return "*" + m.Type
	}
	return m.Type
}

// FindManaged returns the row for a managed resource whose spec embeds the
// given type, or nil.
func FindManaged(specEmbed TypeName) *Generation { return find(managed, specEmbed) }

// FindProviderConfig returns the row for a ProviderConfig whose status embeds
// the given type, or nil.
func FindProviderConfig(statusEmbed TypeName) *Generation { return find(providerConfigs, statusEmbed) }

// FindProviderConfigUsage returns the row for a ProviderConfigUsage that embeds
// the given type, or nil.
func FindProviderConfigUsage(embed TypeName) *Generation { return find(providerConfigUsages, embed) }

func find(rows []Generation, embed TypeName) *Generation {
	for i := range rows {
		if rows[i].Embed == embed {
			return &rows[i]
		}
	}
	return nil
}

// ManagedGenerations returns the rows for managed resources, for diagnostics
// and documents.
func ManagedGenerations() []Generation { return managed }

// ManagedMethods returns the methods that managed resources of every generation
// have, whatever the types in their signatures.
func ManagedMethods() []Method {
	common := managed[0].Methods
	for _, g := range managed[1:] {
		common = slices.DeleteFunc(slices.Clone(common), func(m Method) bool {
			return !slices.ContainsFunc(g.Methods, func(other Method) bool { return other.Name == m.Name })
		})
	}
	return common
}
