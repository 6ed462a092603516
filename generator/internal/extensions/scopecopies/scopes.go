package scopecopies

import (
	"iter"
	"slices"
	"strings"

	"github.com/mrgen-io/mrgen/generator/internal/flavor"
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

// correspondence maps the API of one scope to the API of the other, in all generations with both scopes.
type correspondence struct {
	// names are the types and functions of the other scope, by their counterparts in this one.
	names map[flavor.TypeName]flavor.TypeName
	// alone are the types and constants without a counterpart.
	alone map[flavor.TypeName]bool
	// lacking are the fields that counterparts lack, by the types that have them. selectors are the types that embed
	// another type of names, and requests are the types of requests to resolvers.
	lacking             map[flavor.TypeName]string
	selectors, requests map[flavor.TypeName]bool
	// configs are the types of references to ProviderConfigs in the other scope, by the types of other references there.
	configs map[flavor.TypeName]flavor.TypeName
	// managed are the interfaces that managed resources of this scope implement, and specs are the types that their specs
	// embed.
	managed, specs map[flavor.TypeName]bool
}

// counterparts returns the correspondence of a scope's API to the other scope's.
func counterparts(of Scope) correspondence {
	c := correspondence{
		names: map[flavor.TypeName]flavor.TypeName{}, alone: map[flavor.TypeName]bool{},
		lacking: map[flavor.TypeName]string{}, selectors: map[flavor.TypeName]bool{}, requests: map[flavor.TypeName]bool{},
		managed: map[flavor.TypeName]bool{}, specs: map[flavor.TypeName]bool{}, configs: map[flavor.TypeName]flavor.TypeName{},
	}
	if of == Cluster { // namespaced resources have management policies instead
		for _, name := range inTypes("DeletionPolicy", "DeletionDelete", "DeletionOrphan") {
			c.alone[name] = true
		}
	}
	for row, other := range generations(of) {
		theirs := scoped(other)
		for i, name := range scoped(row) {
			if _, known := c.names[name]; !known { // the first counterpart in the list is used most
				c.names[name] = theirs[i]
			}
			if field := lacking[name.Name]; field != "" {
				c.lacking[name] = field
			}
			if name.Name == row.References.Request || name.Name == row.References.MultiRequest {
				c.requests[name] = true
			}
			if strings.HasSuffix(name.Name, "KeySelector") { // it embeds the reference to a secret
				c.selectors[name] = true
			}
		}
		for _, path := range append([]string{other.Types.Path}, other.References.Declarations...) {
			if name := configReference(other); name != other.References.Reference {
				c.configs[flavor.TypeName{Package: path, Name: other.References.Reference}] = flavor.TypeName{Package: path, Name: name}
			}
		}
		for _, name := range in(row.Resource.Path, row.Interface, "Managed") {
			c.managed[name] = true
		}
		c.specs[row.Embed] = true
	}
	return c
}

// generations iterates over the rows of a scope with their counterparts of the other scope.
func generations(of Scope) iter.Seq2[*flavor.Generation, *flavor.Generation] {
	return func(yield func(row, other *flavor.Generation) bool) {
		for _, row := range flavor.ManagedGenerations() {
			other := flavor.ManagedLike(&row, !row.Namespaced)
			if isOfScope := row.Namespaced == (of == Namespaced); isOfScope && other.Namespaced != row.Namespaced && !yield(&row, other) {
				return
			}
		}
	}
}

// configReference returns the name of the type by which managed resources refer to ProviderConfigs.
func configReference(row *flavor.Generation) string {
	i := slices.IndexFunc(row.Methods, func(m flavor.Method) bool { return m.Field == "ProviderConfigReference" })
	if i < 0 {
		return row.References.Reference
	}
	return row.Methods[i].Type
}

// usageCounterparts returns the types that ProviderConfigUsages embed in the other scope, by the types that they embed
// in a scope.
func usageCounterparts(of Scope) map[flavor.TypeName]flavor.TypeName {
	names := map[flavor.TypeName]flavor.TypeName{}
	for row, other := range generations(of) {
		names[flavor.UsageLike(row).Embed] = flavor.UsageLike(other).Embed
	}
	return names
}

// scoped returns the names of a row that belong to its scope, in the same order for each scope.
func scoped(g *flavor.Generation) []flavor.TypeName {
	r := g.References
	all := append([]flavor.TypeName{g.Embed}, in(g.Resource.Path, g.Interface)...)
	all = append(all, in(r.Package.Path, r.Resolver, "New"+r.Resolver, r.Request, r.Response, r.MultiRequest, r.MultiResponse)...)
	for _, path := range append([]string{g.Types.Path}, r.Declarations...) {
		all = append(all, in(path, r.Reference, r.Selector)...)
	}
	if g.Namespaced {
		return append(all, namespacedNames...)
	}
	return append(all, clusterNames...)
}

// runtime is the module with the runtime of all generations with two scopes.
const runtime = "github.com/crossplane/crossplane-runtime/v2"

// These names exist for both scopes, each in the order of the other's.
var (
	clusterNames = slices.Concat(
		inTypes("SecretReference", "SecretKeySelector", "Reference"),
		in(runtime+"/pkg/resource", "LegacyTracker", "LegacyTrackerFn", "LegacyProviderConfigUsageTracker",
			"NewLegacyProviderConfigUsageTracker",
			"LegacyProviderConfigUsage", "ProviderConfigReferencer", "RequiredProviderConfigReferencer",
			"ConnectionSecretOwner", "ConnectionSecretFor", "ConnectionSecretWriterTo"),
		in(runtime+"/pkg/reconciler/managed", "NewAPISecretPublisher", "APISecretPublisher", "ConnectionPublisher", "ConnectionPublisherFns"),
		in(runtime+"/pkg/resource/fake", "LegacyManaged", "ConnectionSecretWriterTo", "MockConnectionSecretOwner",
			"LegacyProviderConfigUsage", "LegacyProviderConfigReferencer"),
	)
	namespacedNames = slices.Concat(
		inTypes("LocalSecretReference", "LocalSecretKeySelector", "ProviderConfigReference"),
		in(runtime+"/pkg/resource", "ModernTracker", "ModernTrackerFn", "ProviderConfigUsageTracker", "NewProviderConfigUsageTracker",
			"TypedProviderConfigUsage", "TypedProviderConfigReferencer", "RequiredTypedProviderConfigReferencer",
			"LocalConnectionSecretOwner", "LocalConnectionSecretFor", "LocalConnectionSecretWriterTo"),
		in(runtime+"/pkg/reconciler/managed", "NewAPILocalSecretPublisher", "APILocalSecretPublisher", "LocalConnectionPublisher",
			"LocalConnectionPublisherFns"),
		in(runtime+"/pkg/resource/fake", "ModernManaged", "LocalConnectionSecretWriterTo", "MockLocalConnectionSecretOwner",
			"ProviderConfigUsage", "TypedProviderConfigReferencer"),
	)
)

// lacking are the fields that counterparts in the other scope lack, by the names of the types with these fields.
var lacking = map[string]string{
	"NamespacedReference":     "Namespace",
	"NamespacedSelector":      "Namespace",
	"ProviderConfigReference": "Kind",
	"SecretKeySelector":       "Namespace",
	"SecretReference":         "Namespace",
}

// inTypes returns names in each package that declares API types of a generation with two scopes, or aliases of them.
func inTypes(types ...string) []flavor.TypeName {
	var all []flavor.TypeName
	for _, path := range []string{runtime + "/apis/common/v1", runtime + "/apis/common", "github.com/crossplane/crossplane/apis/v2/core/v2"} {
		all = append(all, in(path, types...)...)
	}
	return all
}

// in returns names in a package.
func in(path string, names ...string) []flavor.TypeName {
	var all []flavor.TypeName
	for _, name := range names {
		all = append(all, flavor.TypeName{Package: path, Name: name})
	}
	return all
}
