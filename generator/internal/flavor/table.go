package flavor

import (
	"cmp"
	"slices"
)

// The packages of the table. Runtime v1 and runtime v2 declare their API types
// in crossplane-runtime itself, versions up to v0.11 in another package; since Crossplane
// v2.3 they live in github.com/crossplane/crossplane/apis/v2.
var (
	runtimeV0          = Import{Path: "github.com/crossplane/crossplane-runtime/apis/core/v1alpha1", Alias: "runtimev1alpha1"}
	runtimeV1          = Import{Path: "github.com/crossplane/crossplane-runtime/apis/common/v1", Alias: "xpv1"}
	runtimeV1Resource  = Import{Path: "github.com/crossplane/crossplane-runtime/pkg/resource", Alias: "resource"}
	runtimeV2          = Import{Path: "github.com/crossplane/crossplane-runtime/v2/apis/common/v1", Alias: "xpv1"}
	runtimeV2Resource  = Import{Path: "github.com/crossplane/crossplane-runtime/v2/pkg/resource", Alias: "resource"}
	runtimeV2Reference = Import{Path: "github.com/crossplane/crossplane-runtime/v2/pkg/reference", Alias: "reference"}
	runtimeV2Errors    = Import{Path: "github.com/crossplane/crossplane-runtime/v2/pkg/errors", Alias: "errors"}
	coreV2             = Import{Path: "github.com/crossplane/crossplane/apis/v2/core/v2", Alias: "xpv2"}
)

// runtimeV2Namespaced declares the spec of namespaced managed resources of runtime v2. Its types are aliases of types in
// runtimeV2, which the methods name.
const runtimeV2Namespaced = "github.com/crossplane/crossplane-runtime/v2/apis/common/v2"

// runtimeSecretKeys and coreSecretKeys are the constants for keys of connection
// secrets in crossplane-runtime's apis/common/v1/resource.go and in Crossplane's
// core/v2/resource.go.
var (
	runtimeSecretKeys = secretKeys("ResourceCredentialsSecret")
	coreSecretKeys    = secretKeys("CredentialsSecret")
)

// secretKeys returns the constants, which only differ in their prefix.
func secretKeys(prefix string) map[string]string {
	return map[string]string{
		"clientCert": prefix + "ClientCertKey",
		"clientKey":  prefix + "ClientKeyKey",
		"clusterCA":  prefix + "CAKey",
		"endpoint":   prefix + "EndpointKey",
		"kubeconfig": prefix + "KubeconfigKey",
		"password":   prefix + "PasswordKey",
		"port":       prefix + "PortKey",
		"token":      prefix + "TokenKey",
		"username":   prefix + "UserKey",
	}
}

// runtimeV2Common declares the types that the versions of runtime v2's API share.
const runtimeV2Common = "github.com/crossplane/crossplane-runtime/v2/apis/common"

// references returns the types for references, in a version of crossplane-runtime's pkg/reference. The names for
// namespaced resources have an additional word.
func references(pkg, errors Import, word string, declarations ...string) References {
	return References{
		Package:       pkg,
		Errors:        errors,
		Resolver:      "API" + word + "Resolver",
		Request:       word + "ResolutionRequest",
		Response:      word + "ResolutionResponse",
		MultiRequest:  "Multi" + word + "ResolutionRequest",
		MultiResponse: "Multi" + word + "ResolutionResponse",
		Reference:     word + "Reference",
		Selector:      word + "Selector",
		Declarations:  declarations,
	}
}

var managed = slices.Concat(
	oneScope("runtime v1", runtimeV1),
	twoScopes(Generation{
		Name:       "runtime v2",
		Conditions: map[TypeName]Import{{runtimeV2.Path, "ResourceStatus"}: runtimeV2},
		Types:      runtimeV2,
		SecretKeys: runtimeSecretKeys,
	}, TypeName{runtimeV2.Path, "ResourceSpec"}, TypeName{runtimeV2Namespaced, "ManagedResourceSpec"}),
	twoScopes(Generation{
		Name:       "core v2",
		Conditions: map[TypeName]Import{{coreV2.Path, "ManagedResourceStatus"}: coreV2, {runtimeV2.Path, "ResourceStatus"}: runtimeV2},
		Types:      coreV2,
		SecretKeys: coreSecretKeys,
	}, TypeName{coreV2.Path, "ClusterManagedResourceSpec"}, TypeName{coreV2.Path, "ManagedResourceSpec"}),
	oneScope("runtime before v0.12", runtimeV0),
)

// oneScope returns the row of runtime v1, or of one before it. These differ in the package of the API types.
func oneScope(name string, types Import) []Generation {
	of := references(
		Import{Path: "github.com/crossplane/crossplane-runtime/pkg/reference", Alias: "reference"},
		Import{Path: "github.com/crossplane/crossplane-runtime/pkg/errors", Alias: "errors"},
		"", types.Path)
	of.OlderErrors = Import{Path: "github.com/pkg/errors", Alias: "errors"}
	return []Generation{{
		Name:       name,
		Embed:      TypeName{types.Path, "ResourceSpec"},
		Conditions: map[TypeName]Import{{types.Path, "ResourceStatus"}: types},
		Types:      types,
		Resource:   runtimeV1Resource,
		Interface:  "Managed",
		SecretKeys: runtimeSecretKeys,
		Item:       "Managed",
		Methods:    methods(conditions, clusterSpec, untilRuntimeV1),
		References: of,
		OneScope:   true,
	}}
}

// twoScopes returns the rows of a generation for both scopes, with the types that specs embed in each. Version 2 of
// crossplane-runtime declares the rest.
func twoScopes(g Generation, clusterEmbed, namespacedEmbed TypeName) []Generation {
	g.Resource, g.Item = runtimeV2Resource, "Managed"
	cluster, namespaced := g, g
	cluster.Name, namespaced.Name = g.Name+", cluster", g.Name+", namespaced"
	cluster.Embed, namespaced.Embed = clusterEmbed, namespacedEmbed
	cluster.Interface, namespaced.Interface = "LegacyManaged", "ModernManaged"
	namespaced.Namespaced = true
	cluster.Methods = methods(conditions, clusterSpec, reconcileRequests)
	namespaced.Methods = methods(conditions, namespacedSpec, reconcileRequests)
	// See reference.go and namespaced_reference.go.
	cluster.References = references(runtimeV2Reference, runtimeV2Errors, "", runtimeV2Common, coreV2.Path)
	namespaced.References = references(runtimeV2Reference, runtimeV2Errors, "Namespaced", runtimeV2Common, coreV2.Path)
	cluster.References.Namespaced, namespaced.References.Namespaced = true, true
	return []Generation{cluster, namespaced}
}

var providerConfigs = []Generation{
	providerConfig("runtime before v0.12", runtimeV0, runtimeV1Resource),
	providerConfig("runtime v1", runtimeV1, runtimeV1Resource),
	providerConfig("runtime v2", runtimeV2, runtimeV2Resource),
	providerConfig("core v2", coreV2, runtimeV2Resource),
}

func providerConfig(name string, types, resource Import) Generation {
	return Generation{
		Name:      name,
		Embed:     TypeName{types.Path, "ProviderConfigStatus"},
		Types:     types,
		Resource:  resource,
		Interface: "ProviderConfig",
		Methods:   methods(conditions, users),
	}
}

var providerConfigUsages = []Generation{
	usages("runtime before v0.12", TypeName{runtimeV0.Path, "ProviderConfigUsage"}, runtimeV0, runtimeV1Resource, "ProviderConfigUsage",
		"Reference"),
	usages("runtime v1", TypeName{runtimeV1.Path, "ProviderConfigUsage"}, runtimeV1, runtimeV1Resource, "ProviderConfigUsage", "Reference"),
	usages("runtime v2", TypeName{runtimeV2.Path, "ProviderConfigUsage"}, runtimeV2, runtimeV2Resource, "LegacyProviderConfigUsage",
		"Reference"),
	usages("runtime v2, typed", TypeName{runtimeV2Namespaced, "TypedProviderConfigUsage"}, runtimeV2, runtimeV2Resource,
		"TypedProviderConfigUsage", "ProviderConfigReference"),
	usages("core v2", TypeName{coreV2.Path, "ProviderConfigUsage"}, coreV2, runtimeV2Resource, "LegacyProviderConfigUsage", "Reference"),
	usages("core v2, typed", TypeName{coreV2.Path, "TypedProviderConfigUsage"}, coreV2, runtimeV2Resource, "TypedProviderConfigUsage",
		"ProviderConfigReference"),
}

// usages returns a row for ProviderConfigUsages, with their interface and the type of their
// reference to a ProviderConfig.
func usages(name string, embed TypeName, types, resource Import, implements, reference string) Generation {
	return Generation{
		Name:      name,
		Embed:     embed,
		Types:     types,
		Resource:  resource,
		Interface: implements,
		Item:      "ProviderConfigUsage",
		Methods: methods(
			accessors(Method{Name: "ProviderConfigReference", Part: Root, Field: "ProviderConfigReference", Type: reference}),
			accessors(Method{Name: "ResourceReference", Part: Root, Field: "ResourceReference", Type: "TypedReference"}),
		),
	}
}

// The groups of methods below follow the interfaces in crossplane-runtime's
// pkg/resource/interfaces.go.
var (
	// conditions is resource.Conditioned.
	conditions = []Method{
		{Name: "GetCondition", Shape: ConditionGetter, Part: Status},
		{Name: "SetConditions", Shape: ConditionSetter, Part: Status},
	}

	// clusterSpec is resource.LegacyManaged without Conditioned.
	clusterSpec = slices.Concat(
		accessors(Method{Name: "ProviderConfigReference", Part: Spec, Field: "ProviderConfigReference", Type: "Reference", Pointer: true}),
		accessors(Method{
			Name:    "WriteConnectionSecretToReference",
			Part:    Spec,
			Field:   "WriteConnectionSecretToReference",
			Type:    "SecretReference",
			Pointer: true,
		}),
		accessors(Method{Name: "ManagementPolicies", Part: Spec, Field: "ManagementPolicies", Type: "ManagementPolicies"}),
		accessors(Method{Name: "DeletionPolicy", Part: Spec, Field: "DeletionPolicy", Type: "DeletionPolicy"}),
	)

	// namespacedSpec is resource.ModernManaged without Conditioned.
	namespacedSpec = slices.Concat(
		accessors(Method{
			Name:    "ProviderConfigReference",
			Part:    Spec,
			Field:   "ProviderConfigReference",
			Type:    "ProviderConfigReference",
			Pointer: true,
		}),
		accessors(Method{
			Name:    "WriteConnectionSecretToReference",
			Part:    Spec,
			Field:   "WriteConnectionSecretToReference",
			Type:    "LocalSecretReference",
			Pointer: true,
		}),
		accessors(Method{Name: "ManagementPolicies", Part: Spec, Field: "ManagementPolicies", Type: "ManagementPolicies"}),
	)

	// untilRuntimeV1 are methods that resource.Managed had until some version of runtime v1, as long as the spec had
	// their fields: the reference to a Provider, which preceded ProviderConfigs, external secret stores, and the single
	// management policy, which preceded the list.
	untilRuntimeV1 = slices.Concat(
		accessors(Method{Name: "ProviderReference", Part: Spec, Field: "ProviderReference", Type: "Reference", Pointer: true, OfRuntime: true}),
		accessors(Method{
			Name:      "PublishConnectionDetailsTo",
			Part:      Spec,
			Field:     "PublishConnectionDetailsTo",
			Type:      "PublishConnectionDetailsTo",
			Pointer:   true,
			OfRuntime: true,
		}),
		accessors(Method{Name: "ManagementPolicy", Part: Spec, Field: "ManagementPolicy", Type: "ManagementPolicy", OfRuntime: true}),
	)

	// reconcileRequests is reconcileRequestTracker in runtime v2's pkg/reconciler/managed/reconciler.go: the last
	// request with the annotation crossplane.io/reconcile-requested-at that was handled. The status of core v2 has the
	// field and these methods, but methods of a field with a name are not promoted.
	reconcileRequests = accessors(Method{
		Name:        "LastHandledReconcileAt",
		Part:        Status,
		Field:       "LastHandledReconcileAt",
		Type:        "string",
		Predeclared: true,
		Parameter:   "token",
	})

	// users is resource.UserCounter.
	users = accessors(Method{Name: "Users", Part: Status, Field: "Users", Type: "int64", Predeclared: true, Parameter: "i"})
)

// accessors returns the getter and the setter of a property, which has the name in m.
func accessors(m Method) []Method {
	m.Parameter = cmp.Or(m.Parameter, "r")
	getter, setter := m, m
	getter.Name, getter.Shape, getter.Parameter = "Get"+m.Name, Getter, ""
	setter.Name, setter.Shape = "Set"+m.Name, Setter
	return []Method{getter, setter}
}

// methods joins groups of methods, sorted by name.
func methods(groups ...[]Method) []Method {
	return slices.SortedFunc(slices.Values(slices.Concat(groups...)), func(a, b Method) int {
		return cmp.Compare(a.Name, b.Name)
	})
}
