package flavor

import (
	"slices"
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
	if !cluster.Methods["GetDeletionPolicy"] || len(namespaced.Methods) > 0 || !cluster.Fields["DeletionPolicy"] {
		t.Errorf("cluster has the methods %v, namespaced %v", cluster.Methods, namespaced.Methods)
	}
	if !slices.Contains([]Scope{Namespaced, Cluster}, Namespaced.Other()) || Namespaced.Other() != Cluster || Cluster.Other() != Namespaced {
		t.Error("the other scope is no other one")
	}
}
