package flavor

import (
	"slices"
	"strings"
	"testing"

	"github.com/mrgen-io/mrgen/testdata/expect"
)

// TestTable checks what every row must have.
func TestTable(t *testing.T) {
	for role, rows := range map[string][]Generation{"managed": managed, "provider configs": providerConfigs, "provider config usages": providerConfigUsages} {
		embeds, names := map[TypeName]bool{}, map[string]bool{}
		for _, g := range rows {
			expect.True(t, !embeds[g.Embed] && !names[g.Name], "%s: %s is not the only row with its name or embedded type", role, g.Name)
			embeds[g.Embed], names[g.Name] = true, true
			expect.True(t, g.Types.Path != "" && g.Types.Alias != "", "%s: %s has no package of types", role, g.Name)
			expect.True(t, g.Resource != (Import{}) && g.Interface != "", "%s: %s implements nothing", role, g.Name)
			expect.True(t, slices.IsSortedFunc(g.Methods, func(a, b Method) int { return strings.Compare(a.Name, b.Name) }), "%s: the methods of %s are not sorted", role, g.Name)
			for _, m := range g.Methods {
				accessor := m.Shape == Getter || m.Shape == Setter
				expect.True(t, accessor == (m.Field != "") && accessor == (m.Type != ""), "%s: %s of %s lacks a field or a type, or has one too many", role, m.Name, g.Name)
				expect.True(t, (m.Shape == Setter) == (m.Parameter != ""), "%s: %s of %s lacks the name of its parameter, or has one too many", role, m.Name, g.Name)
			}
		}
	}
	for _, g := range managed {
		expect.True(t, len(g.Conditions) != 0, "%s accepts no status", g.Name)
		expect.True(t, g.Namespaced == strings.HasSuffix(g.Name, "namespaced"), "%s has the wrong scope", g.Name)
		expect.True(t, len(g.SecretKeys) != 0, "%s has no connection details", g.Name)
		r := g.References
		for _, name := range []string{r.Package.Path, r.Errors.Path, r.Resolver, r.Request, r.Response, r.MultiRequest, r.MultiResponse, r.Reference, r.Selector} {
			expect.True(t, name != "", "%s lacks a name of the API for references: %+v", g.Name, r)
		}
		if len(r.Declarations) == 0 || strings.HasPrefix(r.Reference, "Namespaced") != strings.HasSuffix(g.Name, "namespaced") {
			t.Errorf("%s has references of another scope, or from nowhere: %+v", g.Name, r)
		}
	}
}

func TestFind(t *testing.T) {
	core := "github.com/crossplane/crossplane/apis/v2/core/v2"
	for _, test := range []struct {
		find func(TypeName) *Generation
		name string
		want string
	}{
		{FindManaged, "ManagedResourceSpec", "core v2, namespaced"},
		{FindManaged, "ClusterManagedResourceSpec", "core v2, cluster"},
		{FindManaged, "ManagedResourceStatus", ""},
		{FindProviderConfig, "ProviderConfigStatus", "core v2"},
		{FindProviderConfigUsage, "TypedProviderConfigUsage", "core v2, typed"},
		{FindProviderConfigUsage, "ProviderConfigStatus", ""},
	} {
		got := ""
		if g := test.find(TypeName{core, test.name}); g != nil {
			got = g.Name
		}
		expect.Equal(t, test.want, got, "%s selects", test.name)
	}
}

// TestManagedMethods names what each managed resource can do, whatever its
// generation and scope: resource.Managed with its references.
func TestManagedMethods(t *testing.T) {
	var got []string
	for _, m := range ManagedMethods() {
		got = append(got, m.Name)
	}
	want := []string{
		"GetCondition", "GetManagementPolicies", "GetProviderConfigReference", "GetWriteConnectionSecretToReference",
		"SetConditions", "SetManagementPolicies", "SetProviderConfigReference", "SetWriteConnectionSecretToReference",
	}
	expect.Equal(t, want, got)
}
