package fromsdk

import (
	"testing"

	"github.com/mrgen-io/mrgen/testdata/expect"
)

// TestKeys checks what tells external resources apart where names alone don't: a key in a struct of the creating request, a name beside
// the object in it, a key that deletion requires and reads may leave out, and an argument that ends in name.
func TestKeys(t *testing.T) {
	t.Parallel()
	pkg := loaded(t, map[string]string{"internal/shops/shops.go": `// Package shops is an SDK.
package shops

type (
	Client       struct{}
	ShopRef      struct { ShopID string }
	Shop         struct { ID, Label string; ShopRef ShopRef }
	NewShop      struct { Label string; ShopRef ShopRef }
	Channel      struct { Name, Label string }
	NewChannel   struct {
		// Required.
		Name string ` + "`json:\"name\"`" + `
		Channel *Channel
	}
	ChannelKey   struct {
		// Required.
		Name string ` + "`json:\"name\"`" + `
	}
	Hook         struct { GroupName, HookName, Label string }
	PutHookIn    struct {
		// This member is required.
		GroupName, HookName *string
		Label *string
	}
	HooksIn      struct {
		// This member is required.
		GroupName *string
		HookNames []string
	}
	HooksOut     struct { Hooks []Hook }
	DeleteHookIn struct {
		// This member is required.
		GroupName, HookName *string
	}
	Identity     struct { Name, Label string }
	Site         struct { ID string; Properties *SiteProperties; Metadata *SiteState }
	SiteProperties struct { Name, Label, Place string }
	SiteState    struct { State string }
	SitePost     struct { Properties *SiteProperties; Doors *SiteDoors }
	SiteDoors    struct { Doors []string }
	SitePatch    struct { Name, Label string }
)

func New(key string) *Client { return nil }

func (*Client) CreateShop(in NewShop) (*Shop, error)             { return nil, nil }
func (*Client) GetShop(shopID string) (*Shop, error)             { return nil, nil }
func (*Client) DeleteShop(shopID string) error                   { return nil }
func (*Client) CreateChannel(in NewChannel) (*Channel, error)    { return nil, nil }
func (*Client) GetChannel(in ChannelKey) (*Channel, error)       { return nil, nil }
func (*Client) DeleteChannel(in ChannelKey) error                { return nil }
func (*Client) PutHook(in PutHookIn) error                       { return nil }
func (*Client) DescribeHooks(in HooksIn) (*HooksOut, error)      { return nil, nil }
func (*Client) DeleteHook(in DeleteHookIn) error                 { return nil }
func (*Client) PutIdentity(group, resourceName string, in Identity) (*Identity, error) { return nil, nil }
func (*Client) GetIdentity(group, resourceName string) (*Identity, error)              { return nil, nil }
func (*Client) DeleteIdentity(group, resourceName string) error                        { return nil }
func (*Client) SitesPost(in SitePost) (*Site, error)             { return nil, nil }
func (*Client) SitesGet(siteID string) (*Site, error)            { return nil, nil }
func (*Client) SitesPatch(siteID string, in SitePatch) (*Site, error) { return nil, nil }
func (*Client) SitesDelete(siteID string) error                  { return nil }
`}, "example.org/provider-test/internal/shops")
	for _, tt := range []struct{ kind, create, update, name, want string }{
		{"Shop", "NewShop", "", "externalName", `decisions.Undecided("externalName", "shopID", "users may choose it by ShopRef.ShopID: set that in Create then")`},
		{"Channel", "NewChannel", "", "externalName",
			`decisions.Undecided("externalName", "Name", "users choose it by Name beside the object, or that is around it and the API chooses it")`},
		{"Hook", "PutHookIn", "", "externalName", `decisions.ByType("externalName", "HookName: users choose it, and all calls take it")`},
		{"Identity", "Identity", "", "externalName", `decisions.Undecided("externalName", "none: GetIdentity takes nothing beside what creation takes", ` +
			`"or the name is resourceName: start again with --external-name=user=resourceName")`},
		{"Site", "SitePost", "SitePatch", "externalName", `decisions.ByType("externalName", "siteID: the API chooses it, and all calls after creation take it")`},
		{"Site", "SitePost", "SitePatch", "states",
			`decisions.Undecided("states", "Metadata.State: which of its values mean ready, busy, deleting and gone? The type has no constants")`},
	} {
		k, diags := read(pkg, options(tt.kind, "shops", tt.kind, tt.create, tt.update))
		expect.None(t, diags)
		expect.Equal(t, tt.want, first(k.Decisions, func(d Decision) bool { return d.Name == tt.name }).Code(), "%s of %s", tt.name, tt.kind)
		if tt.kind == "Site" { // what updates take alone is the envelope
			expect.Equal(t, []string{"name", "label", "place", "doors"}, each(k.Parameters, func(f *Field) string { return f.json }), "parameters")
		}
	}
}

// TestMaybeMade checks which packages may make a kind: those that create it by name, and those that create something beside the types or
// clients of it, maybe of a package that they import.
func TestMaybeMade(t *testing.T) {
	t.Parallel()
	for name, want := range map[string]bool{
		"UserIdentity": true, "UserIdentitiesClient": true, "UserIdentityClient": true, "UserIdentityList": false, "User": false,
	} {
		expect.Equal(t, want, isCalledFor(name, "UserIdentity"), "%s", name)
	}
}
