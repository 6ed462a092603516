// Package flavor is the table of the generations of Crossplane's Go API: which embedded
// types select a generation, and which methods its objects have.
//
// A new generation is a new row in table.go, and nothing else.
package flavor

import "slices"

// An Import is a Go package that generated code refers to.
type Import struct {
	// Path is the import path.
	Path string
	// Alias is its name in generated files.
	Alias string
}

// A TypeName is the name of a declared Go type with the path of its package.
type TypeName struct {
	Package, Name string
}

// A Generation is a row of the table: the types for the objects of one role and scope, in
// one version of Crossplane's Go API.
type Generation struct {
	// Name is the name of the row in diagnostics and documents.
	Name string
	// Embed is the type that selects the row if it is embedded in the spec of a managed
	// resource, the status of a ProviderConfig, or the root of a ProviderConfigUsage.
	Embed TypeName
	// Conditions are the types that the status of a managed resource may embed, with the
	// package of the condition types in their methods. It is empty for other roles.
	Conditions map[TypeName]Import
	// Types is the package of the types in the methods, except for the types in Conditions.
	Types Import
	// Resource is crossplane-runtime's resource package, which declares Interface, Item
	// and the interface of lists.
	Resource Import
	// Interface is the interface that the objects must implement, if the version of the package declares it.
	Interface string
	// SecretKeys are the names of the constants in Types for keys of connection secrets, by
	// key. It is set for managed resources only.
	SecretKeys map[string]string
	// Namespaced is set for namespaced managed resources.
	Namespaced bool
	// Item is the interface that the items of a list implement, or "" if lists don't have methods. The interface of
	// lists has this name with List added.
	Item string
	// Methods are the methods of the objects, sorted by name.
	Methods []Method
	// References is set for managed resources only.
	References References
	// OneScope is set for managed resources of a generation that has them in one scope only.
	OneScope bool
}

// References names the packages and types for references between managed resources.
type References struct {
	// Package is crossplane-runtime's reference package, and Errors its package of errors.
	// Versions without the latter use OlderErrors.
	Package, Errors, OlderErrors Import
	// Resolver is the type in Package that resolves references. New with this name is its
	// constructor.
	Resolver string
	// Request and Response are the types in Package for one reference, MultiRequest and
	// MultiResponse those for several.
	Request, Response, MultiRequest, MultiResponse string
	// Namespaced is set if requests have a field for the namespace.
	Namespaced bool
	// Reference and Selector are the names in [Generation.Types] of the types of reference
	// and selector fields.
	Reference, Selector string
	// Declarations are the packages that may declare these types, since [Generation.Types]
	// may only have aliases.
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
	// ConditionGetter returns a condition of the embedded status, by its type.
	ConditionGetter
	// ConditionSetter sets conditions of the embedded status.
	ConditionSetter
)

// A Method is a method of an object.
type Method struct {
	// Name of the method.
	Name  string
	Shape Shape
	Part  Part
	// Field is the Go name of the field that a Getter returns or a Setter sets. Objects
	// whose embedded type lacks the field don't get the method.
	Field string
	// Parameter is the name of a Setter's parameter.
	Parameter string
	// Type is the name of the field's type in [Generation.Types], or of a predeclared type
	// such as int64 if Predeclared is set.
	Type        string
	Predeclared bool
	// Pointer is set if the field holds a pointer to Type.
	Pointer bool
	// OfRuntime is set if only the struct of an older runtime has the field: an author's field of that name is another.
	OfRuntime bool
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
	return firstRow(rows, func(g *Generation) bool { return g.Embed == embed })
}

// firstRow returns the first row that matches, or nil.
func firstRow(rows []Generation, matches func(*Generation) bool) *Generation {
	for i := range rows {
		if matches(&rows[i]) {
			return &rows[i]
		}
	}
	return nil
}

// ManagedGenerations returns the rows for managed resources.
func ManagedGenerations() []Generation { return managed }

// ManagedMethods returns the methods that managed resources of every generation have, though with different types in
// their signatures.
func ManagedMethods() []Method {
	common := managed[0].Methods
	for _, g := range managed[1:] {
		common = slices.DeleteFunc(slices.Clone(common), func(m Method) bool {
			return !slices.ContainsFunc(g.Methods, func(other Method) bool { return other.Name == m.Name })
		})
	}
	return common
}

// ManagedLike returns the row for managed resources of a scope in the generation of another row, or nil.
func ManagedLike(other *Generation, namespaced bool) *Generation {
	return firstRow(managed, func(g *Generation) bool {
		// A generation with one scope goes with either.
		return g.Types == other.Types && (g.Namespaced == namespaced || g.OneScope)
	})
}

// Latest returns the row for managed resources of a scope in the latest generation, for new providers.
func Latest(namespaced bool) *Generation { return ManagedLike(&Generation{Types: coreV2}, namespaced) }

// UsageLike returns the row for ProviderConfigUsages in the generation of managed resources.
func UsageLike(managed *Generation) *Generation {
	// Usages of namespaced resources also name the kind of their ProviderConfig.
	return firstRow(providerConfigUsages, func(g *Generation) bool {
		return g.Types == managed.Types && (g.Interface == "TypedProviderConfigUsage") == managed.Namespaced
	})
}
