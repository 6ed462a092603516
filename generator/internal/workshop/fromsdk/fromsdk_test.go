package fromsdk

import (
	"context"
	"go/types"
	"maps"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"golang.org/x/tools/go/packages"
	"golang.org/x/tools/txtar"

	"github.com/mrgen-io/mrgen/markers"
	"github.com/mrgen-io/mrgen/testdata/expect"
	"github.com/mrgen-io/mrgen/testdata/testmodule"
)

const (
	folder   = "../../../../testdata/fromsdk/"
	internal = "example.org/provider-test/internal/"
)

// sdks returns the packages of archives, which are below internal, and the files that kinds of them have, by their names.
func sdks(t *testing.T, names []string) (pkgs map[string]*packages.Package, want map[string]map[string]string) {
	t.Helper()
	pkgs, want = map[string]*packages.Package{}, map[string]map[string]string{}
	sources, all := map[string]string{}, "package all\n\nimport (\n"
	for _, name := range names {
		archive := expect.Value(txtar.ParseFile(filepath.Join(folder, name+".txtar")))(t)
		want[name] = map[string]string{}
		for _, f := range archive.Files {
			if strings.HasPrefix(f.Name, "want/") {
				want[name][filepath.Base(f.Name)] = string(f.Data)
			} else {
				sources[f.Name] = string(f.Data)
			}
		}
		all += "\t_ \"" + internal + name + "\"\n"
	}
	sources["internal/all/all.go"] = all + ")\n"
	loaded := loaded(t, sources, internal+"all") // packages share what they import
	for _, name := range names {
		pkgs[name] = loaded.Imports[internal+name]
	}
	return pkgs, want
}

// loaded returns a package of a module with files, and with what clients of gRPC are known by.
func loaded(t *testing.T, sources map[string]string, importPath string) *packages.Package {
	t.Helper()
	files := map[string][]byte{
		"go.mod": []byte("module example.org/provider-test\n\ngo 1.25\n\nrequire (\n\tgoogle.golang.org/grpc v1.0.0\n\tgoogle.golang.org/protobuf v1.0.0\n)\n\n" +
			"replace google.golang.org/grpc => ./grpc\n\nreplace google.golang.org/protobuf => ./protobuf\n"),
		"protobuf/go.mod": []byte("module google.golang.org/protobuf\n"),
		"protobuf/types/known/durationpb/duration.go": []byte("// Package durationpb stands in for the one of protobuf.\npackage durationpb\n\n" +
			"// A Duration is a span of time.\ntype Duration struct{ Seconds, Nanos int64 }\n"),
		"protobuf/types/known/fieldmaskpb/mask.go": []byte("// Package fieldmaskpb stands in for the one of protobuf.\npackage fieldmaskpb\n\n" +
			"// A FieldMask names fields.\ntype FieldMask struct{ Paths []string }\n"),
		"grpc/go.mod":  []byte("module google.golang.org/grpc\n"),
		"grpc/grpc.go": []byte("// Package grpc stands in for the one of gRPC.\npackage grpc\n\n// A CallOption changes a call.\ntype CallOption interface{}\n"),
	}
	for name, content := range sources {
		files[name] = []byte(content)
	}
	dir := t.TempDir()
	testmodule.WriteTree(t, dir, files)
	pkg := expect.Value(typesOf(context.Background(), dir, importPath))(t)
	return pkg
}

// options are those for the kinds of the archives.
func options(kind, name, observe, create, update string, methods ...string) Options {
	return Options{
		Package: internal + name, Observe: observe, Create: create, Update: update, Methods: methods,
		Kind: kind, Selector: "xpv2.LocalSecretKeySelector", Omit: "omitzero",
	}
}

// kinds are the options for the archives.
func kinds() map[string]Options {
	all := map[string]Options{
		"rest":   options("Hook", "rest", "ProjectHook", "AddProjectHookOptions", "EditProjectHookOptions"),
		"cloud":  options("Nodegroup", "cloud", "types.Nodegroup", "CreateNodegroupInput", "UpdateNodegroupConfigInput"),
		"alarms": options("Alarm", "alarms", "Alarm", "PutAlarmInput", "PutAlarmInput", "read=DescribeAlarms", "delete=DeleteAlarms"),
		"crew":   options("Member", "crew", "Member", "NewMember", "MemberChange"), "grid": options("Node", "grid", "Node", "CreateNodeRequest", "UpdateNodeRequest"),
		"zones": options("Zone", "zones", "Zone", "ZoneCreateOpts", "ZoneUpdateOpts"), "repos": options("Repo", "repos", "Repo", "Repo", "Repo"),
		"vaults": options("Vault", "vaults", "Vault", "VaultNewParams", "VaultEditParams"), "slots": options("Slot", "slots", "Slot", "CreateOpts", "UpdateOpts"),
		"dots": options("Account", "dots", "Account", "AccountCreateRequest", "", "create=Create", "delete=Destroy"),
	}
	for name, chooses := range map[string]string{"grid": "user=NodeId", "slots": "api"} {
		o := all[name]
		o.ExternalName = chooses
		all[name] = o
	}
	return all
}

// TestRead checks that kinds have the fields, the decisions and the calls that stand in the expected files.
func TestRead(t *testing.T) {
	t.Parallel()
	pkgs, wanted := sdks(t, slices.Collect(maps.Keys(kinds())))
	for name, o := range kinds() {
		t.Run(name, func(t *testing.T) {
			want := wanted[name]
			k, diags := read(pkgs[name], o)
			expect.None(t, diags)
			file := strings.ToLower(o.Kind)
			types, code := oneLine(want[file+"_types.go"]), oneLine(want["client.go"]+want[file+".go"])
			fields := slices.Concat(k.Parameters, k.Observation)
			for _, s := range k.Structs {
				fields = append(fields, s.Fields...)
			}
			for _, f := range fields {
				text := f.Name + " " + f.Type + " `json:\"" + f.Tag + "\"`"
				if lines := slices.Concat(f.Comment, f.Markers); len(lines) > 0 { // unlike the mirror of a struct
					text = "// " + strings.Join(lines, " // ") + " " + text
				}
				expect.True(t, strings.Contains(types, oneLine(text)), "the types lack %s", text)
			}
			if got := strings.Count(types, "json:\""); got != len(fields)+13 { // those of the kind itself
				t.Errorf("the types have %d fields, want %d", got-13, len(fields))
			}
			texts := []string{"e.client." + k.Get.Name + "(" + k.Get.Arguments + ")", "e.client." + k.Delete.Name + "(" + k.Delete.Arguments + ")"}
			for _, d := range k.Decisions {
				texts = append(texts, d.Code())
			}
			if k.Service != nil {
				texts = append(texts, k.Service.Methods...)
			}
			for _, text := range append(texts, k.Helpers...) {
				expect.True(t, strings.Contains(code, oneLine(text)), "the code lacks %s", text)
			}
		})
	}
}

// keyGroups is an SDK as for CloudFront: requests and the object hold what users choose in a struct.
const keyGroups = `// Package keys is an SDK.
package keys

import (
	"net/http"

	"google.golang.org/protobuf/types/known/durationpb"
)

// KeyConfig is what users choose.
type KeyConfig struct {
	// Name: Required, except when there is one.
	Name *string
	// Required. Items of the key. See https://example.org for more.
	Items []string
	// Lifetime of the [Key], [in seconds], [as written](#there) by [0-9]+s.
	//
	// [in seconds]: https://example.org
	Lifetime *durationpb.Duration
	// Required. Where the key is from.
	//
	// Types that are valid to be assigned to Origin:
	//
	//	*Key_Bucket
	//	*Key_Site
	Origin isOrigin
	Proof  isProof
}

type (
	isOrigin interface{ isOrigin() }
	isProof  interface{ isProof() }
	// As protobuf's generator writes members.
	Key_Bucket struct { Bucket string }
	Key_Site   struct { Site *Site }
	Site       struct { Host *string; Guard isGuard }
	isGuard    interface{ isGuard() }
	Site_Plain struct { Plain bool }
	Site_Hash  struct { Hash []byte }

	Key        struct { size int; ID *string; Size int64; KeyConfig *KeyConfig }
	CreateKey  struct { KeyConfig *KeyConfig }
	UpdateKey  struct { ID, IfMatch *string; KeyConfig *KeyConfig }
	Failure    struct { Response *http.Response; Code int }
	Client     struct{}
)

func (*Key_Bucket) isOrigin() {}
func (*Key_Site) isOrigin()   {}
func (*Site_Plain) isGuard()  {}
func (*Site_Hash) isGuard()   {}

func (k *Key) GetSize() int64 { return k.Size }

func (e Failure) Error() string { return "" }

func (*Client) CreateKey(in *CreateKey) (*Key, error)   { return nil, nil }
func (*Client) UpdateKey(in *UpdateKey) (*Key, error)   { return nil, nil }
func (*Client) GetKey(id string) (*Key, error)          { return nil, nil }
func (*Client) DeleteKey(id string) error               { return nil }
`

// TestPayload checks the fields, the decisions and the conversions of a kind whose object holds the payload of its requests.
func TestPayload(t *testing.T) {
	t.Parallel()
	pkg := loaded(t, map[string]string{"internal/keys/keys.go": keyGroups}, "example.org/provider-test/internal/keys")
	k, diags := read(pkg, options("Key", "keys", "Key", "CreateKey", "UpdateKey"))
	expect.None(t, diags)
	var got []string
	for _, f := range k.Parameters {
		got = append(got, oneLine(f.Name+" "+f.Type+": "+strings.Join(append(f.Comment, f.Markers...), " ")))
	}
	got = append(append(got, k.OneOfs...), k.Members...)
	got = slices.Concat(got, k.Structs[0].Comment, k.Left)
	for _, c := range []Conversion{k.Conversions.Observe, k.Conversions.Create, k.Conversions.Update} {
		got = append(got, c.Markers...)
	}
	for _, d := range k.Decisions {
		got = append(got, d.Code())
	}
	got = append(got, k.NotFound.Errors...)
	want := []string{
		"Name *string: Required, except when there is one. +optional", "Items []string: Items of the key. +kubebuilder:validation:Required",
		"Lifetime *string: Lifetime of the Key, in seconds, as written by [0-9]+s. +optional +kubebuilder:validation:Pattern=`^(0|-?[1-9][0-9]*)(\\.[0-9]*[1-9])?s$`",
		"Bucket *string: Bucket of the key. +optional", "Site *KeySite: Site of the key. +optional",
		"IfMatch *string: IfMatch of the key. +optional +mrgen:mirror=false", "+mrgen:requiredOneOf:fields=bucket;site,exactly=true", "&keys.Key_Bucket{}",
		"&keys.Key_Site{}", "&keys.Site_Hash{}", "&keys.Site_Plain{}", "KeySite is a part of the external resource.",
		"+kubebuilder:validation:AtMostOneOf=hash;plain", "Proof, since its type is keys.isProof", "+mrgen:convert:in=KeyConfig", "+mrgen:convert:in=KeyConfig",
		"+mrgen:convert:in=KeyConfig", "+mrgen:convert:field=name=ID", `decisions.ByType("methods", "CreateKey, UpdateKey, GetKey, DeleteKey")`,
		`decisions.ByType("externalName", "id: the API chooses it, and all calls after creation take it")`,
		`decisions.ByType("arguments", "no call leaves any out")`, `decisions.Undecided("fields", "creation may need what the kind lacks: Proof")`,
		`decisions.Undecided("updates", "a parameter, or sent as an answer has it: IfMatch")`,
		`decisions.Undecided("changes", "UpdateKey takes the struct that creates: mark fields that it can't change +immutable")`,
		"&keys.Failure{Response: simulated.NotFoundResponse(), Code: http.StatusNotFound}",
		"keys.Failure{Response: simulated.NotFoundResponse(), Code: http.StatusNotFound}",
	}
	expect.True(t, slices.Equal(got, want), "got\n%s", strings.Join(got, "\n"))
}

// TestDecideFields checks what the author is asked of fields that no tag tells of, and of absence.
func TestDecideFields(t *testing.T) {
	t.Parallel()
	pkg := loaded(t, map[string]string{"internal/nets/nets.go": `// Package nets is an SDK.
package nets

import "context"

type (
	Net     struct { ID, ARN string; Zones []Zone }
	NetKey  struct { ID, ARN string }
	Nonced  struct { ID string; Nonce int64 }
	NewMode struct { ARN string; Mode *Mode }
	Mode    struct { Name string }
	Zone    struct { ZoneIdentifier string }
	NewNet  struct { ZoneIDs []string; Nonce int64; Tags []Tag; Mode *Mode }
	Tag     struct { Key, Value string }
	Tagging struct { Resource string; Tags []Tag }
	Client  struct{}

	NoSuchNet  struct{}
	NoSuchZone struct{}
)

func (*NoSuchNet) Error() string  { return "" }
func (*NoSuchZone) Error() string { return "" }

func (*Client) CreateNet(in NewNet) (*Net, error)  { return nil, nil }
func (*Client) GetNet(in NetKey) (*Net, error)     { return nil, nil }
func (*Client) DeleteNet(in NetKey) error          { return nil }
func (*Client) TagResource(in Tagging) error       { return nil }

// These change a net, which its ARN tells, too, and another object.
func (*Client) SwitchNet(in NewMode) error              { return nil }
func (*Client) UpdateNonced(in Nonced) (*Nonced, error) { return nil, nil }

// Others has methods of the same names.
type Others struct{}

func (*Client) CountNets(n int64) error                                  { return nil }
func (*Client) CountNetsWithContext(ctx context.Context, n int64) error  { return nil }
func (*Others) CountNets(n string) error                                 { return nil }
func (*Others) CountNetsWithContext(ctx context.Context, n string) error { return nil }
`}, "example.org/provider-test/internal/nets")
	k, diags := read(pkg, options("Net", "nets", "Net", "NewNet", ""))
	expect.None(t, diags)
	want := []string{
		"nothing returns ZoneIDs, Nonce by name: convert what does, or leave it out if it is a token of the request",
		"no tag tells which fields creation needs: mark these +kubebuilder:validation:Required, the others +optional",
	}
	d := first(k.Decisions, func(d Decision) bool { return d.Name == "fields" })
	expect.True(t, slices.Equal(d.Texts, want), "got %q, want %q", d.Texts, want)
	d = first(k.Decisions, func(d Decision) bool { return d.Name == "changes" })
	expect.True(t, slices.Equal(d.Texts, []string{"Tags by TagResource", "Mode by SwitchNet"}), "changes: %q", d.Texts)
	reads := &reader{pkg: pkg}
	names := each(reads.methods(), func(m *method) string { return m.name })
	expect.True(t, !slices.Contains(names, "CountNets"), "methods have twins: %q", names)
	// The error with the kind's name stands first.
	expect.Equal(t, []string{"errors.As(err, new(*nets.NoSuchNet)), errors.As(err, new(*nets.NoSuchZone))", "or nil without an error"}, k.NotFound.Decision.Texts)
}

// TestWays checks the ways to make kinds whose methods have a part of their name, or none, on types that can't be named or are reached by
// a method, whose requests have options beside them, whose builders take the request, and whose answers list objects of another name.
func TestWays(t *testing.T) {
	t.Parallel()
	pkg := loaded(t, map[string]string{"internal/acl/acl.go": `// Package acl is an SDK.
package acl

import "context"

type (
	Client     struct { Plans *planService; Products *productService; Teams TeamAPI; Bots *botsService }
	ACL        struct{}
	ACLPolicy  struct { ID, Name string; Space string ` + "`json:\",omitempty\"`" + ` }
	Options    struct { Space, Token string }
	Product    struct { ID, Name string }
	NewProduct struct { Name string }
	Plan       struct { ID string; Product *Product }
	NewPlan    struct { Name string }
	Team       struct { Id *string; Name *string }

	planService    struct{}
	productService struct{}

	TeamAPI interface {
		CreateTeam(ctx context.Context) ApiCreateTeamRequest
		GetTeam(ctx context.Context, teamId string) ApiGetTeamRequest
		ReplaceTeam(ctx context.Context, teamId string) ApiReplaceTeamRequest
		DeleteTeam(ctx context.Context, teamId string) ApiDeleteTeamRequest
	}
	ApiCreateTeamRequest  struct{}
	ApiGetTeamRequest     struct{}
	ApiReplaceTeamRequest struct{}
	ApiDeleteTeamRequest  struct{}

	CreateDoorInput     struct { Label string; Rooms []Room }
	GetDoorInput        struct { DoorId string }
	GetDoorOutput       struct { Doors []DoorDescription; NextToken string }
	DoorDescription     struct { DoorId, Label string; Rooms []Room }
	Room                struct { Label string }

	Failure struct { HTTPStatusCode, Line int }

	botsService struct{}
	Bot         struct { User, Team string }
	BotEntry    struct { ID string; CreatedAt string }
)

func (botsService) Create(space string, in Bot) (BotEntry, error) { return BotEntry{}, nil }
func (botsService) Get(space, id string) (BotEntry, error)        { return BotEntry{}, nil }
func (botsService) Delete(space, id string) error                 { return nil }

func (*Client) CreateDoor(in *CreateDoorInput) (*DoorDescription, error) { return nil, nil }
func (*Client) GetDoor(in *GetDoorInput) (*GetDoorOutput, error)         { return nil, nil }
func (*Client) DeleteDoor(in *GetDoorInput) error                        { return nil }

func (*Failure) Error() string { return "" }

func NewClient(key string) *Client { return nil }

func (*Client) ACL() *ACL { return nil }

func (*ACL) PolicyCreate(policy *ACLPolicy, o *Options) (*ACLPolicy, error) { return nil, nil }
func (*ACL) PolicyRead(policyID string, o *Options) (*ACLPolicy, error)     { return nil, nil }
func (*ACL) PolicyUpdate(policy *ACLPolicy, o *Options) (*ACLPolicy, error) { return nil, nil }
func (*ACL) PolicyDelete(policyID string, o *Options) error                 { return nil }

func (planService) Create(in *NewPlan) (*Plan, error)     { return nil, nil }
func (planService) Retrieve(id string) (*Plan, error)     { return nil, nil }
func (planService) Delete(id string) error                { return nil }

func (productService) Create(in *NewProduct) (*Product, error) { return nil, nil }
func (productService) Retrieve(id string) (*Product, error)    { return nil, nil }
func (productService) Delete(id string) error                  { return nil }

func (r ApiCreateTeamRequest) Team(team Team) ApiCreateTeamRequest   { return r }
func (r ApiReplaceTeamRequest) Team(team Team) ApiReplaceTeamRequest { return r }
func (ApiCreateTeamRequest) Execute() (*Team, error)                 { return nil, nil }
func (ApiGetTeamRequest) Execute() (*Team, error)                    { return nil, nil }
func (ApiReplaceTeamRequest) Execute() (*Team, error)                { return nil, nil }
func (ApiDeleteTeamRequest) Execute() error                          { return nil }
`}, "example.org/provider-test/internal/acl")
	for kind, want := range map[string][]string{
		"ACLPolicy": {
			"ACLPolicy ACLPolicy ACLPolicy create=PolicyCreate,read=PolicyRead,update=PolicyUpdate,delete=PolicyDelete",
			`decisions.Undecided("externalName", "policyID", "the API may choose it, or users: the request has the object's own type")`, "api.ACL()",
		},
		"Bot": {
			"BotEntry Bot  create=Create,read=Get,delete=Delete",
			`decisions.ByType("externalName", "id: the API chooses it, and all calls after creation take it")`, "api.Bots",
		},
		"Door": {
			"DoorDescription CreateDoorInput  create=CreateDoor,read=GetDoor,delete=DeleteDoor",
			`decisions.ByType("externalName", "DoorId: the API chooses it, and all calls after creation take it")`, "api",
		},
		"Product": {
			"Product NewProduct  create=Create,read=Retrieve,delete=Delete",
			`decisions.ByType("externalName", "id: the API chooses it, and all calls after creation take it")`, "api.Products",
		},
		"Team": {
			"Team Team Team create=CreateTeam,read=GetTeam,update=ReplaceTeam,delete=DeleteTeam",
			`decisions.Undecided("externalName", "teamId", "the API may choose it, or users: the request has the object's own type")`, "api.Teams",
		},
	} {
		var got []string
		for _, way := range waysOf(pkg, kind) {
			got = append(got, strings.Join([]string{way.Observe, way.Create, way.Update, strings.Join(way.Methods, ",")}, " "))
			k, diags := read(pkg, way)
			expect.None(t, diags)
			got = append(got, first(k.Decisions, func(d Decision) bool { return d.Name == "externalName" }).Code(), k.Client.Of)
			expect.Equal(t, []string{"the status 404 of *acl.Failure"}, k.NotFound.Decision.Texts, "absence is known by")
		}
		expect.True(t, slices.Equal(got, want), "%s: got\n%s", kind, strings.Join(got, "\n"))
	}
}

// TestLocks checks that updates and deletions send a version as the object has it, if both take it or requests always send it, and that the life
// knows of fields that updates alone take.
func TestLocks(t *testing.T) {
	t.Parallel()
	pkg := loaded(t, map[string]string{"internal/gates/gates.go": `// Package gates is an SDK.
package gates

type (
	Client      struct{}
	Gate        struct { ID string; Name string; Version *int64; Note string }
	NewGate     struct { Name string ` + "`json:\"name,omitempty\"`" + ` }
	UpdateGate  struct { ID string ` + "`json:\"id\"`" + `; Name string ` + "`json:\"name,omitempty\"`" + `; Version int64 ` + "`json:\"version,omitempty\"`" + `; Note string ` + "`json:\"note,omitempty\"`" + ` }
	GateKey     struct { ID string }
	GateVersion struct { ID string; Version int64 }
	Latch       struct { ID string; Name string; Revision int64 }
	NewLatch    struct { Name string }
	UpdateLatch struct { Name string; Revision int64 ` + "`json:\"revision\"`" + ` }
)

func New(key string) *Client { return nil }

func (*Client) CreateGate(in NewGate) (*Gate, error)                 { return nil, nil }
func (*Client) UpdateGate(in UpdateGate) (*Gate, error)              { return nil, nil }
func (*Client) GetGate(in GateKey) (*Gate, error)                    { return nil, nil }
func (*Client) DeleteGate(in GateVersion) error                      { return nil }
func (*Client) CreateLatch(in NewLatch) (*Latch, error)              { return nil, nil }
func (*Client) UpdateLatch(id string, in UpdateLatch) (*Latch, error) { return nil, nil }
func (*Client) GetLatch(id string) (*Latch, error)                   { return nil, nil }
func (*Client) DeleteLatch(id string) error                          { return nil }
`}, "example.org/provider-test/internal/gates")
	for kind, want := range map[string][]string{
		"Gate": {
			`decisions.Undecided("updates", "sent as the object has it, or a parameter: Version", "a parameter, or sent as an answer has it: Note")`,
			"gates.GateVersion{ID: name, Version: ptr.Deref(e.object.Version, 0)}", "note",
		},
		"Latch": {`decisions.Undecided("updates", "sent as the object has it, or a parameter: Revision")`, "name"},
	} {
		k, diags := read(pkg, options(kind, "gates", kind, "New"+kind, "Update"+kind))
		expect.None(t, diags)
		got := append([]string{first(k.Decisions, func(d Decision) bool { return d.Name == "updates" }).Code(), k.Delete.Arguments}, k.Later...)
		expect.Equal(t, want, got, "%s", kind)
	}
}

// TestNames checks what is open about names that may be parts of paths and about tokens, and that kinds share the outermost client.
func TestNames(t *testing.T) {
	t.Parallel()
	pkg := loaded(t, map[string]string{"internal/logs/logs.go": `// Package logs is an SDK.
package logs

import "context"

type (
	Service   struct{ Projects *Projects }
	Projects  struct{ Metrics *Metrics }
	Metrics   struct{}
	Metric    struct{ Name, Filter string }
	NewMetric struct {
		// Required.
		Name string ` + "`json:\"name\"`" + `
		Filter string ` + "`json:\"filter\"`" + `
	}
)

func New(key string) *Service          { return nil }
func NewMetrics(s *Service) *Metrics   { return nil }

func (*Metrics) CreateMetric(ctx context.Context, token string, in *NewMetric) (*Metric, error)   { return nil, nil }
func (*Metrics) GetMetric(ctx context.Context, token, metricName string) (*Metric, error)         { return nil, nil }
func (*Metrics) DeleteMetric(ctx context.Context, token, metricName string) error                 { return nil }
`}, internal+"logs")
	for who, want := range map[string]string{
		"":                `decisions.Undecided("externalName", "metricName", "calls take metricName, which may be a path with the Name of creation, or which the API may choose")`,
		"user=metricName": `decisions.ByAuthor("externalName", "metricName: users choose it, and all calls take it")`,
	} {
		o := options("Metric", "logs", "Metric", "NewMetric", "")
		o.ExternalName = who
		k, diags := read(pkg, o)
		expect.None(t, diags)
		decided := each(k.Decisions, Decision.Code)
		open := `decisions.Undecided("arguments", "GetMetric, CreateMetric, DeleteMetric leave out token")`
		expect.True(t, slices.Contains(decided, want) && slices.Contains(decided, open), "%q: the decisions are\n%s", who, strings.Join(decided, "\n"))
		if len(k.Identifiers()) > 0 || k.Client.Of != "api.Projects.Metrics" {
			t.Errorf("%q: identified by %v, called by %s", who, k.Identifiers(), k.Client.Of)
		}
	}
}

// TestAsked checks what is asked about a request that repeats a parent of its object, about builders with options and bodies, about
// enumerations beside a state, about methods that make other objects, about a number and a text of one name, and about internal
// types; and that a flat request has a mask, and a secret is required.
func TestAsked(t *testing.T) {
	t.Parallel()
	pkg := loaded(t, map[string]string{"internal/farms/internal/age/age.go": `// Package age is internal to an SDK.
package age

// An Epoch is a number of seconds.
type Epoch int64
`, "internal/farms/farms.go": `// Package farms is an SDK.
package farms

import (
	"context"

	"example.org/provider-test/internal/farms/internal/age"
	"google.golang.org/protobuf/types/known/fieldmaskpb"
)

type (
	Client         struct{}
	Phase          string
	Zone           string
	Farm           struct { Id, FolderId, Label string; Place Zone; Soil Kind; Status Phase }
	Kind           string
	CreateFarm     struct { FolderId string; Farm *Farm }
	UpdateFarm     struct { FolderId string; Farm *Farm }
	Key            struct { FolderId, Id string }
	Barn           struct { Name, Roof string }
	CreateBarn     struct { FarmId, Name, Roof string }
	BarnKey        struct { FarmId, BarnName string }
	NewTree        struct { FarmId, BarnName, Roof string }
	Repair         struct { FarmId, BarnName, Roof string }
	Seal           struct { ID int64; Key string; Born age.Epoch }
	CreateSeal     struct { Key *string; Born age.Epoch; Password string ` + "`validate:\"required\"`" + ` }
	UpdateSeal     struct { Key *string }
	When           string
	Crane          struct { Id string; Hoist isCrane_Hoist ` + "`protobuf_oneof:\"hoist\"`" + ` }
	isCrane_Hoist  interface { isCrane_Hoist() }
	Crane_Cable    struct { Cable *Cable ` + "`protobuf:\"bytes,2,opt,name=cable,proto3,oneof\"`" + ` }
	Crane_Rope     struct { Rope string ` + "`protobuf:\"bytes,3,opt,name=rope,proto3,oneof\"`" + ` }
	Cable          struct { Length int64; Password string }
	CreateCrane    struct { Crane *Crane }
	Hen            struct { Id, Label string; Color Hen_Egg_Color }
	Hen_Egg_Color  int32
	CreateHen      struct { Label string; Color Hen_Egg_Color }
	UpdateHen      struct {
		HenId string ` + "`protobuf:\"bytes,1,opt,name=hen_id,proto3\"`" + `
		Mask  *fieldmaskpb.FieldMask ` + "`protobuf:\"bytes,2,opt,name=mask,proto3\"`" + `
		Label string ` + "`protobuf:\"bytes,3,opt,name=label,proto3\"`" + `
	}
	HenKey         struct { HenId string }
	Operation      struct { Name string; Done bool }
	Pond           struct { PondId, Label string }
	CreatePond     struct {
		PondId string ` + "`validate:\"required\"`" + `
		Label  string
	}
	CreateBarnCall struct{}
	GetBarnCall    struct{}
	DeleteBarnCall struct{}
)

const (
	Hen_Egg_NONE  Hen_Egg_Color = 0
	Hen_Egg_BROWN Hen_Egg_Color = 1
	Hen_Egg_WHITE Hen_Egg_Color = 2

	Now    When  = "NOW"
	Later  When  = "LATER"
	Ready  Phase = "READY"
	Busy   Phase = "BUSY"
	North  Zone  = "NORTH"
	South  Zone  = "SOUTH"
	Loam   Kind  = "LOAM"
	Sand   Kind  = "SAND"
)

var Hen_Egg_Color_value = map[string]int32{}

func (Hen_Egg_Color) String() string { return "" }

func (*Crane_Cable) isCrane_Hoist() {}
func (*Crane_Rope) isCrane_Hoist()  {}

func (*Client) CreateCrane(in *CreateCrane) (*Crane, error) { return nil, nil }
func (*Client) GetCrane(craneID string) (*Crane, error)     { return nil, nil }
func (*Client) DeleteCrane(craneID string) error            { return nil }

func New(key string) *Client { return nil }

func (*Client) CreateFarm(ctx context.Context, in *CreateFarm) (*Farm, error) { return nil, nil }
func (*Client) UpdateFarm(ctx context.Context, in *UpdateFarm) (*Farm, error) { return nil, nil }
func (*Client) GetFarm(ctx context.Context, in *Key) (*Farm, error)           { return nil, nil }
func (*Client) DeleteFarm(ctx context.Context, in *Key) error                 { return nil }

func (*Client) CreateBarn(ctx context.Context) CreateBarnCall                 { return CreateBarnCall{} }
func (*Client) GetBarn(ctx context.Context) GetBarnCall                       { return GetBarnCall{} }
func (*Client) DeleteBarn(ctx context.Context) DeleteBarnCall                 { return DeleteBarnCall{} }
func (c CreateBarnCall) Body(in CreateBarn) CreateBarnCall                    { return c }
func (c CreateBarnCall) DryRun(on bool) CreateBarnCall                        { return c }
func (c CreateBarnCall) BarnId(id string) CreateBarnCall                      { return c }
func (c GetBarnCall) Body(in BarnKey) GetBarnCall                             { return c }
func (c DeleteBarnCall) Body(in BarnKey) DeleteBarnCall                       { return c }
func (CreateBarnCall) Execute() (*Barn, error)                                { return nil, nil }
func (GetBarnCall) Execute() (*Barn, error)                                   { return nil, nil }
func (DeleteBarnCall) Execute() error                                         { return nil }
func (*Client) CreateSeal(in *CreateSeal) (*Seal, error)                      { return nil, nil }
func (*Client) GetSeal(key int64) (*Seal, error)                              { return nil, nil }
func (*Client) UpdateSeal(key int64, in *UpdateSeal) (*Seal, error)           { return nil, nil }
func (*Client) DeleteSeal(key int64, when When) error                         { return nil }
func (*Client) CreatePond(in *CreatePond) (*Operation, error)                 { return nil, nil }
func (*Client) GetPond(pondId string) (*Pond, error)                          { return nil, nil }
func (*Client) DeletePond(pondId string) (*Operation, error)                  { return nil, nil }
func (*Client) DrainPond(pondId string) (*Operation, error)                   { return nil, nil }
func (*Client) CreateHen(in *CreateHen) (*Hen, error)                         { return nil, nil }
func (*Client) UpdateHen(in *UpdateHen) (*Hen, error)                         { return nil, nil }
func (*Client) GetHen(in *HenKey) (*Hen, error)                               { return nil, nil }
func (*Client) DeleteHen(in *HenKey) error                                    { return nil }
func (*Client) CreateTree(in *NewTree) error                                  { return nil }
func (*Client) RepairBarn(in *Repair) error                                   { return nil }
`}, internal+"farms")
	for kind, want := range map[string][]string{
		"Farm": {
			`decisions.Undecided("externalName", "Id", "taken: Id, FolderId", "the API may choose it, or users: the request has the object's own type")`,
			`decisions.Undecided("states", "Status: which of its values mean ready, busy, deleting and gone", "farms.Busy, farms.Ready")`,
		},
		"Barn": {
			`decisions.Undecided("arguments", "GetBarn, DeleteBarn leave out FarmId", "CreateBarn leaves out BarnId, DryRun")`,
			`decisions.Undecided("changes", "FarmId by RepairBarn", "Roof by RepairBarn")`,
			`decisions.Undecided("externalName", "BarnName", "taken: BarnName, FarmId", "the API may choose it where users leave it out", "a part of it may be what CreateBarn takes as BarnId")`,
		},
		"Hen":   {},
		"Crane": {`decisions.ByType("arguments", "no call leaves any out")`},
		"Pond":  {`decisions.Undecided("states", "what it returns may fail later, so wait for it there, or see in Observe how it ends: CreatePond, DeletePond")`},
		"Seal": {
			`decisions.Undecided("externalName", "key", "the field of the object: ID, Born")`, `decisions.Undecided("arguments", "DeleteSeal leaves out when")`,
			`decisions.Undecided("fields", "taken for secrets by their names alone, so that nothing compares them: PasswordSecretRef", ` +
				`"creation may need what the kind lacks: Born")`,
			`decisions.Undecided("changes", "Key by UpdateSeal", "without --update nothing can change, and there is UpdateSeal")`,
		},
	} {
		o := options(kind, "farms", kind, "Create"+kind, "")
		if kind == "Farm" || kind == "Hen" {
			o.Update = "Update" + kind
		}
		k, diags := read(pkg, o)
		expect.None(t, diags)
		decided := each(k.Decisions, Decision.Code)
		names := each(k.Parameters, func(f *Field) string { return f.json })
		if !containsAll(decided, want) || len(unique(names)) < len(names) {
			t.Errorf("%s has the parameters %v and the decisions\n%s", kind, names, strings.Join(decided, "\n"))
		}
		for _, f := range k.Parameters {
			expect.True(t, !f.isSecret || f.isMarked(markers.ValidationRequired), "%s isn't required", f.Name)
		}
		switch kind {
		case "Crane": // whose password is in one of the alternatives
			sets := oneLine(strings.Join(k.Conversions.Create.SetSecrets, " "))
			expect.True(t, strings.Contains(sets, "{ request.Crane.Hoist.(*farms.Crane_Cable).Cable = &farms.Cable{} }"), "secrets are set by %s", sets)
		case "Hen":
			expect.Equal(t, []string{`"label": "label"`}, k.Mask.Names, "the mask")
			isEnum := slices.Contains(k.Parameters[1].Markers, "+kubebuilder:validation:Enum=BROWN;WHITE")
			expect.True(t, isEnum, "the values of a nested enumeration: %v", k.Parameters[1].Markers)
		case "Barn":
			methods := strings.Join(k.Service.Methods, "\n")
			expect.True(t, strings.Contains(methods, "s.client.GetBarn(ctx).Body(in)"), "the service has\n%s", methods)
		}
	}
}

// TestListsAround counts the lists around structs, of which the API server has time for rules in one alone.
func TestListsAround(t *testing.T) {
	t.Parallel()
	inner, of, five := &Struct{Name: "KindInner"}, types.NewVar(0, nil, "of", types.Typ[types.String]), []*Field{}
	for _, name := range strings.Split("abcde", "") {
		five = append(five, &Field{json: name, from: &source{oneof: of, v: of}})
	}
	for around, want := range map[string][2]string{
		"* *":   {"+kubebuilder:validation:AtMostOneOf=a;b", "+kubebuilder:validation:AtMostOneOf=a;b;c;d;e"},
		"* []*": {"+kubebuilder:validation:AtMostOneOf=a;b", "The API takes one alone of a, b, c, d, e."},
		"[] []": {"The API takes one alone of a, b.", "The API takes one alone of a, b, c, d, e."},
	} {
		outside, inside, _ := strings.Cut(around, " ")
		holder := &Struct{Name: "KindHolder", Fields: []*Field{{Type: inside + inner.Name}}}
		for i, n := range []int{2, 5} {
			inner.Comment, inner.Fields = nil, five[:n]
			r := &reader{kind: &Kind{Parameters: []*Field{{Type: outside + holder.Name}}, Structs: []*Struct{inner, holder}}}
			r.addOneOfs()
			expect.Equal(t, []string{want[i]}, inner.Comment, "%d alternatives in %s", n, around)
		}
	}
}

func containsAll(all, wanted []string) bool {
	return !slices.ContainsFunc(wanted, func(one string) bool { return !slices.Contains(all, one) })
}

// TestWrapped checks that packages above an SDK which have its types, such as mocks, are no ways of their own, and that what wraps a client
// of gRPC is the only one. Packages that can't be loaded count for nothing.
func TestWrapped(t *testing.T) {
	t.Parallel()
	const methods = `
func (*Client) CreateJob(in *%NewJob, _ ...grpc.CallOption) (*%Job, error) { return nil, nil }
func (*Client) GetJob(id string, _ ...grpc.CallOption) (*%Job, error)      { return nil, nil }
func (*Client) DeleteJob(id string, _ ...grpc.CallOption) error            { return nil }
`
	plain := strings.ReplaceAll(methods, ", _ ...grpc.CallOption", "")
	for inner, want := range map[string]string{methods: "example.org/sdk/jobs raw.NewJob", plain: "example.org/sdk/raw NewJob"} {
		dir := t.TempDir()
		testmodule.WriteTree(t, dir, map[string][]byte{
			"go.mod":      []byte("module example.org/sdk\n\ngo 1.25\n\nrequire google.golang.org/grpc v1.0.0\n\nreplace google.golang.org/grpc => ./grpc\n"),
			"grpc/go.mod": []byte("module google.golang.org/grpc\n"), "grpc/grpc.go": []byte("package grpc\n\ntype CallOption interface{}\n"),
			"raw/options.go":  []byte("package raw\n\nimport \"google.golang.org/grpc\"\n\ntype Option = grpc.CallOption\n"),
			"raw/raw.go":      []byte("package raw\n\ntype (\n\tClient struct{}\n\tJob struct{ ID, Name string }\n\tNewJob struct{ Name string }\n)\n" + strings.NewReplacer("%", "", "grpc.CallOption", "Option").Replace(inner)),
			"jobs/jobs.go":    []byte("package jobs\n\nimport \"example.org/sdk/raw\"\n\ntype Client struct{}\n" + strings.ReplaceAll(plain, "%", "raw.")),
			"other/jobs.go":   []byte("package other\n\nimport _ \"example.org/sdk/raw\"\n"),
			"missing/jobs.go": []byte("package missing\n\nimport _ \"example.org/mock\"\n\nfunc CreateJob() {}\n"),
		})
		ways, diags := Find(context.Background(), dir, "example.org/sdk", "Job")
		expect.None(t, diags)
		expect.Equal(t, []string{want}, each(ways, func(way Options) string { return way.Package + " " + way.Create }))
		const none = "no module that go.mod requires has a package example.org/none: have go get add it, or name another"
		_, diags = Find(context.Background(), dir, "example.org/none", "Job")
		expect.True(t, len(diags) == 1 && diags[0].Message == none, "a package of no module: %v", diags)
	}
}

// oneLine returns a text with single spaces.
func oneLine(text string) string { return strings.Join(strings.Fields(text), " ") }
