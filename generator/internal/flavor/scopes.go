package flavor

import (
	"slices"
	"strings"
)

// A Scope is one of the two scopes in which managed resources exist.
type Scope uint8

const (
	// Cluster resources are in no namespace.
	Cluster Scope = iota
	// Namespaced resources are in a namespace.
	Namespaced
)

// String returns the word for the scope.
func (s Scope) String() string {
	if s == Namespaced {
		return "namespaced"
	}
	return "cluster"
}

// Marker returns the word for the scope in +kubebuilder:resource.
func (s Scope) Marker() string {
	if s == Namespaced {
		return "Namespaced"
	}
	return "Cluster"
}

// Other returns the other scope.
func (s Scope) Other() Scope { return Namespaced - s }

// Correspondence maps the API of one scope to the API of the other, in all generations with both scopes.
type Correspondence struct {
	// Names are the types and functions of the other scope, by their counterparts in this one.
	Names map[TypeName]TypeName
	// Alone are the types and constants without a counterpart.
	Alone map[TypeName]bool
	// Lacking are the fields that counterparts lack, by the types that have them. Selectors are the types that embed
	// another type of Names, and Requests are the types of requests to resolvers.
	Lacking             map[TypeName]string
	Selectors, Requests map[TypeName]bool
	// Configs are the types of references to ProviderConfigs in the other scope, by the types of other references there.
	Configs map[TypeName]TypeName
	// Managed are the interfaces that managed resources of this scope implement, and Specs are the types that their specs
	// embed.
	Managed, Specs map[TypeName]bool
}

// Counterparts returns the correspondence of a scope's API to the other scope's.
func Counterparts(of Scope) Correspondence {
	c := Correspondence{
		Names: map[TypeName]TypeName{}, Alone: map[TypeName]bool{},
		Lacking: map[TypeName]string{}, Selectors: map[TypeName]bool{}, Requests: map[TypeName]bool{},
		Managed: map[TypeName]bool{}, Specs: map[TypeName]bool{}, Configs: map[TypeName]TypeName{},
	}
	for i := range managed {
		row, other := &managed[i], counterpart(&managed[i])
		if other == nil || row.Namespaced != (of == Namespaced) {
			continue
		}
		theirs := other.scoped()
		for i, name := range row.scoped() {
			if _, known := c.Names[name]; !known { // the first counterpart in the list is used most
				c.Names[name] = theirs[i]
			}
		}
		for _, name := range row.Alone {
			c.Alone[name] = true
		}
		for _, name := range row.scoped() {
			if field := lacking[name.Name]; field != "" {
				c.Lacking[name] = field
			}
			if name.Name == row.References.Request || name.Name == row.References.MultiRequest {
				c.Requests[name] = true
			}
			if strings.HasSuffix(name.Name, "KeySelector") { // it embeds the reference to a secret
				c.Selectors[name] = true
			}
		}
		for _, path := range append([]string{other.Types.Path}, other.References.Declarations...) {
			if name := configReference(other); name != other.References.Reference {
				c.Configs[TypeName{path, other.References.Reference}] = TypeName{path, name}
			}
		}
		c.Managed[TypeName{row.Resource.Path, row.Interface}] = true
		c.Managed[TypeName{row.Resource.Path, "Managed"}] = true
		c.Specs[row.Embed] = true
	}
	return c
}

// configReference returns the name of the type by which managed resources refer to ProviderConfigs.
func configReference(row *Generation) string {
	i := slices.IndexFunc(row.Methods, func(m Method) bool { return m.Field == "ProviderConfigReference" })
	if i < 0 {
		return row.References.Reference
	}
	return row.Methods[i].Type
}

// UsageCounterparts returns the types that ProviderConfigUsages embed in the other scope, by the types that they embed
// in a scope.
func UsageCounterparts(of Scope) map[TypeName]TypeName {
	names := map[TypeName]TypeName{}
	for _, row := range providerConfigUsages {
		for _, typed := range providerConfigUsages {
			switch {
			case typed.Name != row.Name+", typed":
			case of == Cluster:
				names[row.Embed] = typed.Embed
			default:
				names[typed.Embed] = row.Embed
			}
		}
	}
	return names
}

// counterpart returns the row of the same generation for the other scope, or nil.
func counterpart(of *Generation) *Generation {
	return firstRow(managed, func(g *Generation) bool { return g.Name == of.Counterpart })
}

// scoped returns the names of a row that belong to its scope, in the same order for each scope.
func (g *Generation) scoped() []TypeName {
	r := g.References
	all := append([]TypeName{g.Embed, {g.Resource.Path, g.Interface}},
		names(r.Package.Path, r.Resolver, "New"+r.Resolver, r.Request, r.Response, r.MultiRequest, r.MultiResponse)...)
	for _, path := range append([]string{g.Types.Path}, r.Declarations...) {
		all = append(all, names(path, r.Reference, r.Selector)...)
	}
	return append(all, g.Scoped...)
}
