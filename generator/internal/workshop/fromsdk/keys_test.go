package fromsdk

import (
	"fmt"
	"go/types"
	"strings"
	"testing"

	"github.com/mrgen-io/mrgen/testdata/expect"
)

// TestKeys checks what tells external resources apart where names alone don't: a key in a struct of the creating request, a name beside
// the object in it, a key that deletion requires and reads may leave out, and an argument that ends in name; and a state in a struct
// that requests have, too.
func TestKeys(t *testing.T) {
	t.Parallel()
	pkg := loaded(t, map[string]string{"internal/shops/shops.go": `// Package shops is an SDK.
package shops

import "time"

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
	Vault        struct { ID, Label string; Properties *VaultProperties }
	NewVault     struct { Label string; Properties *VaultProperties }
	VaultProperties struct {
		Mode, Place, URI, Owner string
		State VaultState
		// READ-ONLY; how often it was read.
		Reads int
	}
	VaultState   string
	Net          struct { NetID, Label string }
	NewNet       struct { ClientToken string ` + "`json:\"-\"`" + `; Label string ` + "`json:\"label\"`" + ` }
	ChangeNet    struct { ClientToken string ` + "`json:\"-\"`" + `; Label string ` + "`json:\"label\"`" + ` }
	Store        struct { Charset, Name string }
	Operation    struct { Name, Status string }
	Pool         struct { PoolID, Comment string }
	NewPool      struct { Comment string }
	Trunk        struct { TrunkID, Label string }
	NewTrunk     struct { Label string }
	City         struct { CityID, OperationID string; Status CityStatus }
	CityStatus   struct { value string }
	NewCity      struct { OperationID string }
	OldCity      struct { CityID, OperationID string }
	Identity     struct { Name, Label string }
	Site         struct { ID string; Properties *SiteProperties; Metadata *SiteState }
	SiteProperties struct { Name, Label, Place string }
	SiteState    struct { State string }
	SitePost     struct { Properties *SiteProperties; Doors *SiteDoors }
	SiteDoors    struct { Doors []string }
	SitePatch    struct { Name, Label string }
	Base         struct { Name, Label string }
	Plan         struct {
		// This member is required.
		Term string
	}
	BaseInput    struct {
		// This member is required.
		Name *string
		Label *string
	}
	CreateBaseIn struct { BaseInput *BaseInput; CatalogID *string; PlanSettings *Plan }
	UpdateBaseIn struct {
		// This member is required.
		Name *string
		BaseInput *BaseInput
		PlanSettings *Plan
	}
	BaseIn       struct {
		// This member is required.
		Name *string
	}
	Notice       struct { CustNoticeId, Status string }
	CreateNoticeIn struct {
		// This member is required.
		NoticeName *string
		Label *string
	}
	ModifyNoticeIn struct {
		// This member is required.
		NoticeName *string
		Label *string
	}
	NoticesIn    struct { Marker, NoticeName *string }
	NoticesOut   struct { Marker *string; NoticesList []Notice }
	DeleteNoticeIn struct {
		// This member is required.
		NoticeName *string
	}
	DryDock      struct { Name, Label string }
	DryDockIn    struct { Name string }
	NewDryDock   struct { Parent, DockId string; DryDock *DryDock }
	base         struct { action string }
	Lake         struct { LakeID, Label string }
	NewLake      struct { *base; Label string }
	Moor         struct { MoorID, Label string }
	NewMoor      struct { Label string }
	MoorsIn      struct { MoorIDs []string }
	MoorsOut     struct { Response *struct { Moors []*Moor } }
	OldMoor      struct { MoorID string }
	Barge        struct { BargeID int64; Label string; Decks []string; Hull *BargeHull }
	NewBarge     struct { Label, Route string; Decks []string; Launch *NaiveTime; Hull *NewHull }
	NewHull      struct { Length int64; Yard string }
	BargeHull    struct { Length int64 }
	NaiveTime    struct { time.Time }
	BargePatch   struct { Label, Route string }
	BargeMove    struct { BargeID int64; Route string }
	DeckOpts     struct { Deck string }
	Rule         struct { Content string; RuleSummary *RuleSummary }
	RuleSummary  struct { Id, Name, Type *string }
	NewRule      struct { Content, Name, Type *string }
	Fleet        struct { FleetArn, FleetName string }
	CreateFleetIn struct { FleetName *string }
	FleetsIn     struct { Fleets []string }
	FleetsOut    struct { Fleets []Fleet }
	FleetOut     struct { Fleet *Fleet }
	DeleteFleetIn struct {
		// This member is required.
		Fleet *string
	}
)

const (
	VaultStateMade VaultState = "Made"
	VaultStateDone VaultState = "Done"
)

func New(key string) *Client { return nil }

func (*Client) CreateVault(in NewVault) (*Vault, error)          { return nil, nil }
func (*Client) GetVault(id string) (*Vault, error)               { return nil, nil }
func (*Client) DeleteVault(id string) error                      { return nil }
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
func (*Client) CreateBase(in CreateBaseIn) error                 { return nil }
func (*Client) UpdateBase(in UpdateBaseIn) error                 { return nil }
func (*Client) GetBase(in BaseIn) (*Base, error)                 { return nil, nil }
func (*Client) DeleteBase(in BaseIn) error                       { return nil }
func (*Client) DescribeBases(in BaseIn) (*Hook, error)           { return nil, nil }
func (*Client) CreateNet(in NewNet) (*Net, error)                { return nil, nil }
func (*Client) UpdateNet(netID string, in ChangeNet) error       { return nil }
func (*Client) GetNet(netID string) (*Net, error)                { return nil, nil }
func (*Client) DeleteNet(netID, clientToken string) error              { return nil }
func (*Client) CreateCity(in NewCity) (*City, error)             { return nil, nil }
func (*Client) GetCity(cityID string) (*City, error)             { return nil, nil }
func (*Client) DeleteCity(in OldCity) error                      { return nil }
func (*Client) CreateStore(in Store) (*Operation, error)         { return nil, nil }
func (*Client) GetStore(store string) (*Store, error)            { return nil, nil }
func (*Client) DeleteStore(store string) (*Operation, error)     { return nil, nil }
func (*Client) RestartStore(store string) (*Operation, error)    { return nil, nil }
func (p *Pool) Create(in NewPool) (*Pool, error)                 { return nil, nil }
func (p *Pool) Get() (*Pool, error)                              { return nil, nil }
func (p *Pool) Delete() error                                    { return nil }
func (*Client) CreateTrunk(in NewTrunk) (string, error)          { return "", nil }
func (*Client) ListTrunks() ([]Trunk, error)                     { return nil, nil }
func (*Client) DeleteTrunk(trunkID string) error                 { return nil }
func (*Client) CreateNotice(in CreateNoticeIn) (*Notice, error)  { return nil, nil }
func (*Client) ModifyNotice(in ModifyNoticeIn) (*Notice, error)  { return nil, nil }
func (*Client) DescribeNotices(in NoticesIn) (*NoticesOut, error) { return nil, nil }
func (*Client) DeleteNotice(in DeleteNoticeIn) error             { return nil }
func (*Client) CreateDryDock(in NewDryDock) error                { return nil }
func (*Client) GetDryDock(in DryDockIn) (*DryDock, error)        { return nil, nil }
func (*Client) DeleteDryDock(in DryDockIn) error                 { return nil }
func (*Client) CreateLake(in NewLake) (*Lake, error)             { return nil, nil }
func (*Client) CreateMoor(in NewMoor) (*Moor, error)             { return nil, nil }
func (*Client) DescribeMoors(in MoorsIn) (*MoorsOut, error)      { return nil, nil }
func (*Client) DeleteMoor(in OldMoor) error                      { return nil }
func (NaiveTime) MarshalJSON() ([]byte, error)                   { return nil, nil }
func (*Client) CreateBarge(in NewBarge) (*Barge, error)          { return nil, nil }
func (*Client) GetBarge(bargeID int64) (*Barge, error)           { return nil, nil }
func (*Client) GetBargeDeck(barge *Barge) (string, error)        { return "", nil }
func (*Client) UpdateBarge(barge *Barge, in BargePatch) error    { return nil }
func (*Client) MoveBarge(in BargeMove) error                      { return nil }
func (*Client) AddDeck(barge *Barge, in DeckOpts) ([]*Operation, error) { return nil, nil }
func (*Client) DeleteBarge(barge *Barge) error                   { return nil }
func (*Client) CreateRule(in NewRule) (*Rule, error)             { return nil, nil }
func (*Client) GetRule(ruleID string) (*Rule, error)             { return nil, nil }
func (*Client) DeleteRule(ruleID string) error                   { return nil }
func (*Client) CreateFleet(in CreateFleetIn) (*FleetOut, error)  { return nil, nil }
func (*Client) DescribeFleets(in FleetsIn) (*FleetsOut, error)   { return nil, nil }
func (*Client) DeleteFleet(in DeleteFleetIn) error               { return nil }
`}, "example.org/provider-test/internal/shops")
	for _, tt := range []struct{ kind, create, update, name, want string }{
		{"Shop", "NewShop", "", "externalName", `decisions.Undecided("externalName", "shopID", "users may choose it by ShopRef.ShopID: set that in Create then")`},
		{"Channel", "NewChannel", "", "externalName",
			`decisions.Undecided("externalName", "Name", "users choose it by Name beside the object, or that is around it and the API chooses it: start again with --external-name=api then")`},
		{"Hook", "PutHookIn", "", "externalName", `decisions.ByType("externalName", "HookName: users choose it, and all calls take it")`},
		{"Identity", "Identity", "", "externalName", `decisions.Undecided("externalName", "none: GetIdentity takes nothing beside what creation takes", ` +
			`"or the name is resourceName: start again with --external-name=user=resourceName")`},
		{"Site", "SitePost", "SitePatch", "externalName", `decisions.ByType("externalName", "siteID: the API chooses it, and all calls after creation take it")`},
		{"Site", "SitePost", "SitePatch", "states",
			`decisions.Undecided("states", "Metadata.State: which of its values mean ready, busy, deleting and gone? The type has no constants")`},
		{"Vault", "NewVault", "", "states", `decisions.Undecided("states", "Properties.State: which of its values mean ready, busy, deleting and gone", ` +
			`"shops.VaultStateDone, shops.VaultStateMade")`},
		{"Vault", "NewVault", "", "fields", `decisions.Undecided("fields", "the request has a struct of the object, so that the API alone may set Mode, Place, URI, Owner, State", ` +
			`"no tag tells which fields creation needs: mark these +kubebuilder:validation:Required, the others +optional")`},
		{"Net", "NewNet", "ChangeNet", "arguments", `decisions.Undecided("arguments", "CreateNet, UpdateNet leave out ClientToken", "DeleteNet leaves out clientToken")`},
		{"City", "NewCity", "", "states",
			`decisions.Undecided("states", "Status: which of its values mean ready, busy, deleting and gone? The type has no constants")`},
		{"City", "NewCity", "", "fields", `decisions.Undecided("fields", "deletions take it, too, so that it may be a token of each request: OperationID", ` +
			`"no tag tells which fields creation needs: mark these +kubebuilder:validation:Required, the others +optional")`},
		{"Store", "Store", "", "states",
			`decisions.Undecided("states", "what it returns may fail later, so wait for it there, or see in Observe how it ends: CreateStore, DeleteStore")`},
		{"Store", "Store", "", "externalName", `decisions.Undecided("externalName", "store", ` +
			`"calls take store, which may be a path with the Name of creation, or which the API may choose")`},
		{"Pool", "NewPool", "", "externalName",
			`decisions.Undecided("externalName", "none: Get takes nothing beside what creation takes", "or the Pool has it whose method that is")`},
		{"Base", "CreateBaseIn", "UpdateBaseIn", "externalName", `decisions.ByType("externalName", "Name: users choose it, and all calls take it")`},
		{"Notice", "CreateNoticeIn", "ModifyNoticeIn", "externalName", `decisions.Undecided("externalName", "NoticeName", "the field of the object: CustNoticeId, Status")`},
		{"Fleet", "CreateFleetIn", "", "externalName", `decisions.Undecided("externalName", "Fleet", "the field of the object: FleetArn, FleetName")`},
		{"Barge", "NewBarge", "BargePatch", "fields", `decisions.Undecided("fields", ` +
			`"nothing returns Route, Launch, BargeNewHull.Yard by name: convert what does, or leave it out if it is a token of the request", ` +
			`"times whose zone a form of the SDK's own may lose: Launch", ` +
			`"no tag tells which fields creation needs: mark these +kubebuilder:validation:Required, the others +optional")`},
		{"Barge", "NewBarge", "BargePatch", "changes", `decisions.Undecided("changes", "Decks by AddDeck")`},
		{"Moor", "NewMoor", "", "externalName", `decisions.ByType("externalName", "MoorID: the API chooses it, and all calls after creation take it")`},
		{"Rule", "NewRule", "", "externalName", `decisions.ByType("externalName", "ruleID: the API chooses it, and all calls after creation take it")`},
		{"DryDock", "NewDryDock", "", "externalName", `decisions.Undecided("externalName", "Name", "fullName makes it of Parent, and of what users choose by DockId, ` +
			`as the documentation of DryDock should say: start again with --external-name=user=Name if they choose all of it")`},
	} {
		k, diags := read(pkg, options(tt.kind, "shops", tt.kind, tt.create, tt.update))
		expect.None(t, diags)
		expect.Equal(t, tt.want, first(k.Decisions, func(d Decision) bool { return d.Name == tt.name }).Code(), "%s of %s", tt.name, tt.kind)
		switch fields := each(k.Parameters, func(f *Field) string { return f.json }); tt.kind {
		case "Base": // whose settings are no envelope, and whose name is beside that, too
			expect.Equal(t, []string{"request.Name = ptr.To(name)"}, k.Update.Sets, "the name")
			expect.Equal(t, []string{"label", "catalogId", "planSettings"}, fields, "parameters")
		case "Moor":
			expect.Equal(t, "output.Response.Moors[0]", k.Get.Object, "an object in a list in an answer around it")
		case "Rule": // whose ID is in a summary
			expect.Equal(t, "object == nil || object.RuleSummary == nil", k.Create.Missing, "what Create may return")
		case "DryDock":
			expect.Equal(t, `func fullName(parent, name string) string { return parent + "/dryDocks/" + name }`, k.Helpers[0][strings.Index(k.Helpers[0], "\n")+1:], "the path")
		case "Site": // what updates take alone is the envelope
			expect.Equal(t, []string{"name", "label", "place", "doors"}, fields, "parameters")
		}
	}
	_, diags := read(pkg, options("Lake", "shops", "Lake", "NewLake", ""))
	expect.True(t, strings.Contains(fmt.Sprint(diags), "NewLake points to a base, which only functions of the SDK make: write the controller by hand"), "%s", diags)
	_, diags = read(pkg, options("Trunk", "shops", "Trunk", "NewTrunk", ""))
	expect.True(t, strings.Contains(fmt.Sprint(diags), "no method of example.org/provider-test/internal/shops returns Trunk by its key, which ListTrunks may do without"), "%s", diags)
	of := options("Channel", "shops", "Channel", "NewChannel", "")
	of.ExternalName = "api"
	k, diags := read(pkg, of)
	expect.None(t, diags)
	expect.Equal(t, []string{"parent *string", "label *string"}, each(k.Parameters, func(f *Field) string { return f.json + " " + f.Type }), "parameters in a parent called Name")
	expect.Equal(t, []string{`request.Name = ptr.Deref(p.Parent, "")`}, k.Create.Sets)
	expect.Equal(t, []string{"create=CreateNotice", "read=DescribeNotices", "update=ModifyNotice", "delete=DeleteNotice"}, waysOf(pkg, "Notice")[0].Methods)
	expect.Equal(t, "BargePatch", waysOf(pkg, "Barge")[0].Update, "what updates take beside the object")
	expect.Equal(t, []string{"create=CreateBase", "read=GetBase", "update=UpdateBase", "delete=DeleteBase"}, waysOf(pkg, "Base")[0].Methods)
}

// TestMaybeMade checks which packages may make a kind: those that create it by name, and those that create something beside the types or
// clients of it, maybe of a package that they import.
func TestMaybeMade(t *testing.T) {
	t.Parallel()
	for name, want := range map[string]bool{"UserIdentity": true, "UserIdentitiesClient": true, "UserIdentityClient": true, "UserIdentityList": false, "User": false} {
		expect.Equal(t, want, isCalledFor(name, "UserIdentity"), "%s", name)
	}
}

// TestIsAbout checks which errors candidates for absence begin with.
func TestIsAbout(t *testing.T) {
	t.Parallel()
	for name, want := range map[string]bool{
		"errors.As(err, new(*types.SubscriptionNotFoundFault))": true, "shops.IsEventSubscriptionGone(err)": true,
		"errors.As(err, new(*types.DoesNotExistException))": false, "errors.Is(err, shops.ErrNotFound)": false, "errors.As(err, new(*types.NotFoundFault))": false,
	} {
		expect.Equal(t, want, isAbout(name, "eventsubscription"), "%s", name)
	}
}

// TestQualify checks that files of the controller give packages names of their own.
func TestQualify(t *testing.T) {
	t.Parallel()
	r := &reader{options: Options{Reserved: []string{"meta"}}, kind: &Kind{}}
	packages := map[string]*types.Package{}
	for _, tt := range []struct{ path, name, want string }{
		{"example.org/a/client", "client", "client"},
		{"example.org/b/client", "client", "sdkclient"},
		{"example.org/a/client", "client", "client"},
		{"example.org/meta", "meta", "sdkmeta"},
		{"example.org/c/client", "client", "sdksdkclient"},
	} {
		if packages[tt.path] == nil {
			packages[tt.path] = types.NewPackage(tt.path, tt.name)
		}
		expect.Equal(t, tt.want, r.qualify(packages[tt.path]), "%s", tt.path)
	}
	expect.Equal(t, []string{`"example.org/a/client"`, `sdkclient "example.org/b/client"`, `sdkmeta "example.org/meta"`, `sdksdkclient "example.org/c/client"`}, r.kind.Imports)
}

// TestOnlyMember checks that the only member of a required oneof is required, since a rule about one field says nothing.
func TestOnlyMember(t *testing.T) {
	t.Parallel()
	pkg := loaded(t, map[string]string{"internal/plans/plans.go": `// Package plans is an SDK.
package plans

type (
	isSource   interface{ isSource() }
	Plan_Text  struct { Text string }
	Plan       struct { ID string; Source isSource }
	CreatePlan struct {
		// Required. The source of the plan.
		//
		// Types that are valid to be assigned to Source:
		//
		//	*Plan_Text
		Source isSource
	}
	Client     struct{}
)

func New(key string) *Client { return nil }

func (*Plan_Text) isSource() {}

func (*Client) CreatePlan(in *CreatePlan) (*Plan, error) { return nil, nil }
func (*Client) GetPlan(id string) (*Plan, error)         { return nil, nil }
func (*Client) DeletePlan(id string) error               { return nil }
`}, "example.org/provider-test/internal/plans")
	k, diags := read(pkg, options("Plan", "plans", "Plan", "CreatePlan", ""))
	expect.None(t, diags)
	expect.Equal(t, 0, len(k.OneOfs), "rules %v", k.OneOfs)
	expect.Equal(t, []string{"text [+kubebuilder:validation:Required +immutable]"}, each(k.Parameters, func(f *Field) string { return fmt.Sprint(f.json, " ", f.Markers) }))
}
