package scopecopies

import (
	"path"
	"slices"
	"strings"
	"testing"

	"github.com/mrgen-io/mrgen/generator/internal/flavor"
	"github.com/mrgen-io/mrgen/testdata/expect"
)

// TestCounterparts checks that each generation with two scopes names what corresponds, and that nothing corresponds to
// itself.
func TestCounterparts(t *testing.T) {
	found := 0
	for row, other := range generations(Cluster) {
		found++
		if len(scoped(row)) != len(scoped(other)) {
			t.Fatalf("%s names %d, %s %d", row.Name, len(scoped(row)), other.Name, len(scoped(other)))
		}
		for i, name := range scoped(row) {
			expect.True(t, name != scoped(other)[i], "%s: %v has the same name in both scopes", row.Name, name)
		}
	}
	expect.True(t, found == 2, "%d generations have two scopes", found)
	const common, core = "github.com/crossplane/crossplane-runtime/v2/apis/common", "github.com/crossplane/crossplane/apis/v2/core/v2"
	namespaced, cluster := counterparts(Namespaced), counterparts(Cluster)
	for of, want := range map[flavor.TypeName]flavor.TypeName{
		{Package: common + "/v2", Name: "ManagedResourceSpec"}:                                  {Package: common + "/v1", Name: "ResourceSpec"},
		{Package: common + "/v1", Name: "NamespacedReference"}:                                  {Package: common + "/v1", Name: "Reference"},
		{Package: common, Name: "ProviderConfigReference"}:                                      {Package: common, Name: "Reference"},
		{Package: core, Name: "ManagedResourceSpec"}:                                            {Package: core, Name: "ClusterManagedResourceSpec"},
		{Package: core, Name: "LocalSecretKeySelector"}:                                         {Package: core, Name: "SecretKeySelector"},
		{Package: runtime + "/pkg/resource", Name: "ModernManaged"}:                             {Package: runtime + "/pkg/resource", Name: "LegacyManaged"},
		{Package: runtime + "/pkg/resource", Name: "Managed"}:                                   {},
		{Package: runtime + "/pkg/reference", Name: "APIResolver"}:                              {},
		{Package: "github.com/crossplane/crossplane-runtime/apis/common/v1", Name: "Reference"}: {},
		{Package: runtime + "/pkg/reference", Name: "To"}:                                       {},
		{Package: runtime + "/apis/common/v1", Name: "CommonCredentialSelect"}:                  {},
	} {
		expect.Equal(t, want, namespaced.names[of], "%v has the counterpart", of)
	}
	got := cluster.names[flavor.TypeName{Package: core, Name: "Reference"}]
	expect.True(t, got.Name == "NamespacedReference", "Reference has the counterpart %v", got)
	if !slices.Contains([]Scope{Namespaced, Cluster}, Namespaced.Other()) || Namespaced.Other() != Cluster || Cluster.Other() != Namespaced {
		t.Error("the other scope is no other one")
	}
}

// TestScopes holds all that the scopes have apart, for Crossplane's own types and those that runtimes had
// before.
func TestScopes(t *testing.T) {
	names := func(of map[flavor.TypeName]bool) string {
		var all []string
		for name := range of {
			all = append(all, name.Name)
		}
		slices.Sort(all)
		return strings.Join(slices.Compact(all), " ")
	}
	pairs := func(of map[flavor.TypeName]flavor.TypeName) string {
		var all []string
		for from, to := range of {
			expect.True(t, path.Dir(from.Package) == path.Dir(to.Package) || from.Package == to.Package, "%v is %v in another generation", from, to)
			all = append(all, from.Name+":"+to.Name)
		}
		slices.Sort(all)
		return strings.Join(slices.Compact(all), " ")
	}
	for of, want := range map[Scope][]string{
		Namespaced: {
			"NamespacedReference.Namespace NamespacedSelector.Namespace ProviderConfigReference.Kind", "MultiNamespacedResolutionRequest NamespacedResolutionRequest", "LocalSecretKeySelector",
			"", "Managed ModernManaged", "ManagedResourceSpec", "",
			"TypedProviderConfigUsage:ProviderConfigUsage",
		},
		Cluster: {
			"SecretKeySelector.Namespace SecretReference.Namespace", "MultiResolutionRequest ResolutionRequest", "SecretKeySelector",
			"NamespacedReference:ProviderConfigReference", "LegacyManaged Managed", "ClusterManagedResourceSpec ResourceSpec", "DeletionDelete DeletionOrphan DeletionPolicy",
			"ProviderConfigUsage:TypedProviderConfigUsage",
		},
	} {
		c := counterparts(of)
		var lacking []string
		for name, field := range c.lacking {
			lacking = append(lacking, name.Name+"."+field)
		}
		slices.Sort(lacking)
		got := []string{
			strings.Join(slices.Compact(lacking), " "), names(c.requests), names(c.selectors),
			pairs(c.configs), names(c.managed), names(c.specs), names(c.alone), pairs(usageCounterparts(of)),
		}
		for i, what := range []string{"lack", "request", "select secrets", "configure", "are managed", "are specs", "are alone", "use"} {
			expect.Equal(t, want[i], got[i], "%s types that %s", of, what)
		}
	}
}
