package flavor

import (
	"path"
	"slices"
	"strings"
	"testing"
)

// TestCounterparts checks that the rows of each generation with two scopes name what
// corresponds, and that nothing corresponds to itself.
func TestCounterparts(t *testing.T) {
	for i := range managed {
		row := &managed[i]
		other := counterpart(row)
		if other == nil {
			if row.Counterpart != "" || len(row.Scoped) > 0 {
				t.Errorf("%s has a counterpart that is no row: %q", row.Name, row.Counterpart)
			}
			continue
		}
		if other.Counterpart != row.Name || other.Namespaced == row.Namespaced {
			t.Errorf("%s and %s are no counterparts", row.Name, other.Name)
		}
		if len(row.scoped()) != len(other.scoped()) {
			t.Fatalf("%s names %d, %s %d", row.Name, len(row.scoped()), other.Name, len(other.scoped()))
		}
		for i, name := range row.scoped() {
			if name == other.scoped()[i] {
				t.Errorf("%s: %v has the same name in both scopes", row.Name, name)
			}
		}
	}
	const common, core = "github.com/crossplane/crossplane-runtime/v2/apis/common", "github.com/crossplane/crossplane/apis/v2/core/v2"
	namespaced, cluster := Counterparts(Namespaced), Counterparts(Cluster)
	for of, want := range map[TypeName]TypeName{
		{common + "/v2", "ManagedResourceSpec"}:    {common + "/v1", "ResourceSpec"},
		{common + "/v1", "NamespacedReference"}:    {common + "/v1", "Reference"},
		{common, "ProviderConfigReference"}:        {common, "Reference"},
		{core, "ManagedResourceSpec"}:              {core, "ClusterManagedResourceSpec"},
		{core, "LocalSecretKeySelector"}:           {core, "SecretKeySelector"},
		{runtimeV2Resource.Path, "ModernManaged"}:  {runtimeV2Resource.Path, "LegacyManaged"},
		{runtimeV2Resource.Path, "Managed"}:        {},
		{runtimeV2Reference.Path, "APIResolver"}:   {},
		{runtimeV1.Path, "Reference"}:              {},
		{runtimeV2Reference.Path, "To"}:            {},
		{runtimeV2.Path, "CommonCredentialSelect"}: {},
	} {
		if got := namespaced.Names[of]; got != want {
			t.Errorf("%v has the counterpart %v, want %v", of, got, want)
		}
	}
	if got := cluster.Names[TypeName{core, "Reference"}]; got.Name != "NamespacedReference" {
		t.Errorf("Reference has the counterpart %v", got)
	}
	if !slices.Contains([]Scope{Namespaced, Cluster}, Namespaced.Other()) || Namespaced.Other() != Cluster || Cluster.Other() != Namespaced {
		t.Error("the other scope is no other one")
	}
}

// TestScopes holds all that the scopes have apart, for Crossplane's own types and those that runtimes had
// before.
func TestScopes(t *testing.T) {
	names := func(of map[TypeName]bool) string {
		var all []string
		for name := range of {
			all = append(all, name.Name)
		}
		slices.Sort(all)
		return strings.Join(slices.Compact(all), " ")
	}
	pairs := func(of map[TypeName]TypeName) string {
		var all []string
		for from, to := range of {
			if path.Dir(from.Package) != path.Dir(to.Package) && from.Package != to.Package {
				t.Errorf("%v is %v in another generation", from, to)
			}
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
		c := Counterparts(of)
		var lacking []string
		for name, field := range c.Lacking {
			lacking = append(lacking, name.Name+"."+field)
		}
		slices.Sort(lacking)
		got := []string{
			strings.Join(slices.Compact(lacking), " "), names(c.Requests), names(c.Selectors),
			pairs(c.Configs), names(c.Managed), names(c.Specs), names(c.Alone), pairs(UsageCounterparts(of)),
		}
		for i, what := range []string{"lack", "request", "select secrets", "configure", "are managed", "are specs", "are alone", "use"} {
			if got[i] != want[i] {
				t.Errorf("%s types that %s: %q, want %q", of, what, got[i], want[i])
			}
		}
	}
}
