package fromsdk

import (
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"go/types"
	"path"
	"reflect"
	"slices"
	"strconv"
	"strings"
	"testing"

	"golang.org/x/tools/go/packages"
)

// standIns are the packages that probes import.
var standIns = map[string]string{
	"time":     "type Time struct{ s int }",
	"io":       "type Reader interface{ Read() }",
	"context":  "type Context interface{ Done() }",
	"net/http": "type Client struct{ t int }\ntype Response struct{ StatusCode int }",
	"net/url":  "type URL struct{ h string }",

	"encoding/xml":           "type Name struct{ s string }",
	"google.golang.org/grpc": "type CallOption interface{ c() }",

	"github.com/aws/smithy-go":         "type ServiceSchema struct{ s string }",
	"github.com/aws/aws-sdk-go-v2/aws": "type CredentialsProvider interface{ c() }",
	"example.org/go-probe/schemas":     "import \"github.com/aws/smithy-go\"\n\nvar Thing, ThingsAPI = 0, &smithy.ServiceSchema{}",
	"example.org/faults":               "type Fault struct{ StatusCode int }\ntype Error struct{ StatusCode int }\nfunc (*Error) Error() string",
	protocols + "restjson1":            "type Protocol struct{ s string }",
	protocols + "awsjson":              "type Protocol struct{ s string }",
}

// imports has the stand-ins.
type imports map[string]*packages.Package

// Import implements types.Importer.
func (i imports) Import(importPath string) (*types.Package, error) {
	if i[importPath] == nil {
		fset := token.NewFileSet()
		file, err := parser.ParseFile(fset, "", "package "+strings.TrimSuffix(path.Base(importPath), "-go")+"\n"+standIns[importPath], 0)
		if err != nil {
			return nil, err
		}
		p, err := (&types.Config{Importer: i}).Check(importPath, fset, []*ast.File{file}, nil)
		if err != nil {
			return nil, err
		}
		i[importPath] = &packages.Package{PkgPath: importPath, Name: p.Name(), Types: p}
	}
	return i[importPath].Types, nil
}

// probe returns the package of a source, which names the packages that it imports.
func probe(t *testing.T, source string) *packages.Package {
	t.Helper()
	var lines string
	for importPath := range standIns {
		if strings.Contains(source, path.Base(importPath)+".") {
			lines += strconv.Quote(importPath) + "\n"
		}
	}
	fset := token.NewFileSet()
	text := "// Package probe is an SDK.\npackage probe\n\nimport (\n" + lines + ")\n" + source
	file, err := parser.ParseFile(fset, "probe.go", text, parser.ParseComments)
	if err != nil {
		t.Fatal(err)
	}
	imported := imports{}
	p, err := (&types.Config{Importer: imported}).Check("example.org/go-probe", fset, []*ast.File{file}, nil)
	if err != nil {
		t.Fatal(err)
	}
	return &packages.Package{
		PkgPath: p.Path(), Name: p.Name(), Types: p, Syntax: []*ast.File{file}, Fset: fset, Imports: imported,
		Module: &packages.Module{Path: "example.org"},
	}
}

// things are the types of a probe whose kind is Thing, and service the beginning of its methods.
const things = `
type Thing struct {
	ID   string
	Name string
}
type CreateThing struct{ Name string }
type UpdateThing struct{ Name string }
type Service struct{}
`

// plainMethods are the methods of a Service that leaves nothing to ask.
const plainMethods = `
func (Service) Get(id string) (*Thing, error)
func (Service) Create(c CreateThing) (*Thing, error)
func (Service) Update(id string, u UpdateThing) error
func (Service) Delete(id string) error
`

// zonedMethods are the methods of a Service that takes a zone, too.
const zonedMethods = `
func (Service) Get(zone, id string) (*Thing, error)
func (Service) Create(zone string, c CreateThing) (*Thing, error)
func (Service) Update(zone, id string, u UpdateThing) error
func (Service) Delete(zone, id string) error
`

// alikeMethods are those of another type, too, which creates the object with requests of the same type.
const alikeMethods = `
type Another struct{}
func (Another) Get(region, id string) (*Thing, error)
func (Another) Create(region string, c CreateThing) (*Thing, error)
func (Another) Delete(region, id string) error
` + zonedMethods

// facts returns what a kind says in one text: its calls, its keys, its parameters, its observation, and its checks.
func facts(k *Kind) string {
	var all []string
	for _, c := range []*Call{k.Get, k.Create, k.Update, k.Delete} {
		if c != nil {
			all = append(all, c.Results+" = "+c.Name+"("+c.Arguments+") "+c.Missing+" "+c.Check+" of "+c.Object, strings.Join(c.Sets, "; "))
		}
	}
	all = append(all, "own "+k.Own.Created+" "+k.Own.Check)
	if k.Own.Named {
		all = append(all, "named")
	}
	for _, f := range k.Parameters {
		all = append(all, "spec "+f.Name+" "+f.Type+" "+strings.Join(f.Markers, " ")+" "+f.Check()+" "+f.Tag)
	}
	if k.HasStatus {
		all = append(all, "has status")
	}
	if k.HasLater {
		all = append(all, "has later")
	}
	for _, s := range k.Secrets {
		all = append(all, s.Variable()+" of "+s.Reference()+" at "+s.Path())
	}
	for _, f := range k.Observation {
		all = append(all, "status "+f.Name+" "+f.Type)
	}
	for _, d := range k.Decisions {
		all = append(all, "decided "+d.What+": "+d.Choice+", "+string(d.Ground))
	}
	for _, c := range []Conversion{k.Conversions.Observe, k.Conversions.Create, k.Conversions.Update} {
		all = append(append(all, strings.Join(c.Markers, " ")+" "+c.Signature), c.SetSecrets...)
	}
	all = append(append(append(all, k.Checks...), k.Left...), k.Imports...)
	all = append(all, k.Fake...)
	if k.Service != nil {
		all = append(all, k.Service.Methods...)
	}
	all = append(append(all, k.Helpers...), fmt.Sprint("texts ", k.Texts))
	if s := k.Server; s != nil {
		all = append(all, fmt.Sprintf("served by %s as %s, a number: %t, in %q of %q", s.Key, s.Value, s.Number, s.Envelopes, s.Types),
			fmt.Sprintf("keeps %q, reorders %q, hides %q", s.Keeps, s.Reorders, s.Hides), "lists "+s.List,
			fmt.Sprintf("speaks HTTP: %t, by %s", !s.NoHTTP, s.Client))
	}
	if s := k.States; s != nil {
		all = append(all, "state "+s.Type+" "+s.StateType+" "+s.Of+" "+s.Verb+" "+s.Check)
	}
	if k.Server != nil && k.Server.AWS != nil {
		all = append(all, fmt.Sprintf("asked by %+v, key %s, answers in %s", *k.Server.AWS, k.Server.Key, k.Server.Envelopes))
	}
	return strings.Join(append(append(all, k.NotFound.Body...), "fails with "+k.NotFound.Fake), "\n")
}

// manyFields returns fields of a struct.
func manyFields(n int) string {
	var b strings.Builder
	for i := range n {
		fmt.Fprintf(&b, "F%d string\n", i)
	}
	return b.String()
}

// TestProbes reads kinds of small SDKs: signatures, keys, states and errors that differ in one thing.
func TestProbes(t *testing.T) {
	t.Parallel()
	for name, tc := range probes {
		t.Run(name, func(t *testing.T) {
			o := Options{Package: "example.org/go-probe", Observe: "Thing", Create: "CreateThing", Update: "UpdateThing", Kind: "Thing", Omit: "omitzero"}
			if tc.change != nil {
				tc.change(&o)
			}
			k, diags := read(probe(t, tc.source), o)
			if len(diags) > 0 {
				if len(tc.wants) != 1 || diags[0].Message != tc.wants[0] {
					t.Fatal(diags)
				}
				return
			}
			for _, d := range k.Decisions {
				checkPlace(t, d)
			}
			got := facts(k)
			for _, want := range tc.wants {
				if absent, isAbsent := strings.CutPrefix(want, "not "); isAbsent == strings.Contains(got, absent) {
					t.Errorf("want %s of\n%s", want, got)
				}
			}
		})
	}
}

// suggestionsOfProbes returns the suggestions of all kinds of probes.
func suggestionsOfProbes(t *testing.T) (all []string) {
	t.Helper()
	for _, tc := range probes {
		o := Options{Package: "example.org/go-probe", Observe: "Thing", Create: "CreateThing", Update: "UpdateThing", Kind: "Thing", Omit: "omitzero"}
		if tc.change != nil {
			tc.change(&o)
		}
		k, _ := read(probe(t, tc.source), o)
		if k == nil {
			continue
		}
		for _, d := range k.Decisions {
			if d.Ground == Suggested {
				all = append(all, d.What)
			}
		}
	}
	return all
}

var probes = map[string]struct {
	source string
	change func(*Options)
	wants  []string
}{
	"a client of HTTP": {things + plainMethods + "var _ http.Client\nfunc NewService(address string) Service", nil, []string{"speaks HTTP: true, by return probe.NewService(address)"}},
	"an error of another package of the module": {things + plainMethods + "var _ faults.Fault", nil,
		[]string{"var answer *faults.Error", "decided absent: the status 404 of Error, proved by its type"}},
	"a function that says that something is absent": {things + plainMethods + `
var _ http.Client
// IsNotFound reports whether an error has the status 404.
func IsNotFound(err error) bool
func IsZoneNotFound(err error) bool
func NotFoundIsFinal() bool
`, nil, []string{"return probe.IsNotFound(err)", "decided IsNotFound says that the object is absent: IsNotFound, documented", "not Zone"}},
	"a code of an API over HTTP": {things + plainMethods + `
// Error is an error of the HTTP API.
type Error struct{ Code int }
func (*Error) Error() string
`, nil, []string{"say how the SDK tells that there is no such resource"}},
	"a struct with a file": {strings.Replace(things, "CreateThing struct{ Name string }", "CreateThing struct{ Name string; Picture *Picture }", 1) + `
type Picture struct { Image io.Reader; Title string }
` + plainMethods, nil, []string{"Picture, since it uploads a file", "not spec Picture"}},
	"enumerations that read themselves": {strings.ReplaceAll(things, "Name string", "Name string; Size Size; Hue Hue; Kind Kind") + `
type Size string
const None, Small, Large = Size(""), Size("small"), Size("large")
func (*Size) UnmarshalJSON(b []byte) error
type Hue string
const Red, Blue = Hue("red"), Hue("blue")
type Kind string
func (*Kind) UnmarshalJSON(b []byte) error
type Zone string
const North, South = Zone("north"), Zone("south")
func (*Zone) UnmarshalText(b []byte) error
` + strings.NewReplacer("zone string", "zone Zone", "zone, id string", "zone Zone, id string").Replace(zonedMethods), nil,
		[]string{"texts map[Size:large|small Zone:north|south]", "spec Zone string +mrgen:identifier +immutable +kubebuilder:validation:Enum=north;south"}},
	"a client of TCP": {things + plainMethods + "func NewService(address string) Service", nil, []string{"speaks HTTP: false, by \n"}},
	"the key has the name of an argument": {things + plainMethods, nil, []string{"object, err = Get(name) object == nil", "object, err = Create(request)", "err = Update(name, request)", "own object.ID",
		"decided the external name: ID, proved by its type", "decided deletes the object: Delete, suggested by its name",
		"decided reads the object: Get, proved by its type", "decided creates the object: Create, proved by its type", "not named"}},
	"comments are documents": {things + `
// Get reads a thing.
func (Service) Get(id string) (*Thing, error)
// GetByName finds a thing.
func (Service) GetByName(name string) (*Thing, error)
func (Service) Create(c CreateThing) (*Thing, error)
func (Service) Update(id string, u UpdateThing) error
// Delete removes a thing.
func (Service) Delete(id string) error
`, nil, []string{"decided deletes the object: Delete, documented", "decided reads the object: Get, documented"}},
	"an argument of one letter and ID": {strings.Replace(things, "ID   string", "ID string; ProjectID int", 1) + `
func (Service) Get(pid int, id string) (*Thing, error)
func (Service) Create(pid int, c CreateThing) (*Thing, error)
func (Service) Update(pid int, other string, u UpdateThing) error
func (Service) Delete(pid int, zone, id string) error
`, func(o *Options) { o.Methods = []string{"Get"} }, []string{"Get(int(in.ProjectID), name)",
		"spec ProjectID int64 +mrgen:identifier +immutable mrgen:check: ProjectID is what the SDK calls pid: the name alone says so.",
		"Update takes the external name as other.", "Delete(int(in.ProjectID), \"\", name)", "Delete gets no zone."}},
	"an ID that leads nowhere": {things + `
func (Service) GetByID(id string) (*Thing, error)
func (Service) Get(owner, name string) (*Thing, error)
func (Service) Create(owner string, c CreateThing) (*Thing, error)
func (Service) Update(owner, name string, u UpdateThing) error
func (Service) Delete(owner, name string) error
`, nil, []string{"Get(in.Owner, name)", "named", "not gets no"}},
	"an ID before a name": {things + `
func (Service) GetByID(id string) (*Thing, error)
func (Service) Get(idOrName string) (*Thing, error)
func (Service) Create(c CreateThing) (*Thing, error)
func (Service) Update(t *Thing, u UpdateThing) error
func (Service) Delete(t Thing) error
`, nil, []string{"GetByID(name)", "Update(object, request)", "Delete(*object)"}},
	"an ID or a name": {things + `
func (Service) Get(idOrName string) (*Thing, error)
func (Service) Create(c CreateThing) (*Thing, error)
func (Service) Update(id string, u UpdateThing) error
func (Service) Delete(id string) error
`, nil, []string{"own object.ID mrgen:check: the external name is ID, which Get takes as idOrName: the name alone says so.", "not named"}},
	"a key in a summary": {things + `
type ThingSummary struct{ ID *string }
type CreateReply struct{ Done *ThingSummary }
func (Service) Get(id string) (*Thing, error)
func (Service) Create(c CreateThing) (*CreateReply, error)
func (Service) Update(id string, u UpdateThing) error
func (Service) Delete(id string) error
`, nil, []string{`own ptr.Deref(output.Done.ID, "")`, "Create returns the external name in Done.", "output.Done == nil"}},
	"a key in place of the object": {things + `
func (Service) Get(id string) (*Thing, error)
func (Service) Create(c CreateThing) (string, error)
func (Service) Update(id string, u UpdateThing) error
func (Service) Delete(id string) error
`, nil, []string{"output, err = Create(request)", "own output"}},
	"no key": {things + `
func (Service) Get(id string) (*Thing, error)
func (Service) Create(c CreateThing) (bool, error)
func (Service) Update(id string, u UpdateThing) error
func (Service) Delete(id string) error
`, nil, []string{"Get takes id, and nothing that Create returns is named so: make a kind of other types or methods, or write its controller by hand"}},
	"any key": {things + `
func (Service) Get(tid any) (*Thing, error)
func (Service) Create(c CreateThing) (*Thing, error)
func (Service) Update(tid any, u UpdateThing) error
func (Service) Delete(tid any) error
`, nil, []string{"own object.ID mrgen:check: the external name is ID, which Get takes as tid: the name alone says so."}},
	"a single object": {things + `
func (Service) Get() (*Thing, error)
func (Service) Create(c CreateThing) (*Thing, error)
func (Service) Update(u UpdateThing) error
func (Service) Delete() error
`, nil, []string{"object, err = Get()", "err = Delete()", "not own object"}},
	"one object alone, by options": {things + `
type Options struct{ Fields []string }
func (Service) Get(o *Options) (*Thing, error)
func (Service) Create(c CreateThing) (*Thing, error)
func (Service) Update(u UpdateThing) error
func (Service) Delete() error
`, nil, []string{"mrgen:check: there is one object alone: no field of what Get takes tells it apart"}},
	"fields that JSON leaves out": {`
type Thing struct {
	Region string ` + "`json:\"region\"`" + `
	ID     string ` + "`json:\"id\"`" + `
	Name   string ` + "`json:\"name\"`" + `
}
type GetThing struct {
	Region  Zone   ` + "`json:\"-\"`" + `
	ThingID string ` + "`json:\"-\"`" + `
	Wait    *bool  ` + "`json:\"-\"`" + `
}
type Zone string
type CreateThing struct {
	Region Zone   ` + "`json:\"-\"`" + `
	Name   string ` + "`json:\"name\"`" + `
}
type UpdateThing struct {
	Region  Zone   ` + "`json:\"-\"`" + `
	ThingID string ` + "`json:\"-\"`" + `
	Other   string ` + "`json:\"-\"`" + `
	Name    string ` + "`json:\"name\"`" + `
}
type Service struct{}
func (Service) Get(r *GetThing) (*Thing, error)
func (Service) Create(c *CreateThing) (*Thing, error)
func (Service) Update(u *UpdateThing) (*Thing, error)
func (Service) Delete(r *GetThing) error
`, nil, []string{"object, err = Get(&probe.GetThing{Region: probe.Zone(in.Region), ThingID: name})", "request.Region = probe.Zone(in.Region)\n",
		"request.Region = probe.Zone(in.Region); request.ThingID = name", "err = Delete(&probe.GetThing{", "spec Region string", "own object.ID",
		"mrgen:check: Update gets no Other.", "not one object alone"}},
	"a field that JSON leaves out beside a request": {things + `
type Options struct {
	ID    string ` + "`json:\"-\"`" + `
	Other string ` + "`json:\"-\"`" + `
}
func (Service) Get(id string) (*Thing, error)
func (Service) Create(c CreateThing) (*Thing, error)
func (Service) Update(o Options, u UpdateThing) error
func (Service) Delete(id string) error
`, nil, []string{"err = Update(probe.Options{ID: name}, request)", "mrgen:check: Update gets no Other."}},
	"an operation with an ID of its own": {things + `
type Operation struct { ID string; Reference *Reference }
type Reference struct{ ID string }
func (Service) GetOperation(id string) (*Operation, error)
func (Service) Get(id string) (*Thing, error)
func (Service) Create(c CreateThing) (*Operation, error)
func (Service) Update(id string, u UpdateThing) (*Operation, error)
func (Service) Delete(id string) (*Operation, error)
`, nil, []string{"own output.Reference.ID", "output, err = Create(request) output == nil || output.Reference == nil",
		"Create returns the external name in Reference."}},
	"an answer that may be an operation": {things + `
type Task struct { ID string }
func (Service) Get(id string) (*Thing, error)
func (Service) Create(c CreateThing) (*Task, error)
func (Service) Update(id string, u UpdateThing) error
func (Service) Delete(id string) error
`, nil, []string{"own output.ID", "mrgen:check: Create returns the external name in probe.Task."}},
	"an update of the object": {things + `
func (Service) Get(thingID string) (*Thing, error)
func (Service) Create(t *Thing) (*Thing, error)
func (Service) Update(t *Thing) (*Thing, error)
func (Service) Delete(thingID string) error
`, func(o *Options) { o.Create, o.Update = "Thing", "Thing" }, []string{"+mrgen:convert:field=name=ID (p VERSION.ThingParameters, name string) (*probe.Thing, error)",
		"\n (p VERSION.ThingParameters) (*probe.Thing, error)", "if only the API sets one of Name, move it to"}},
	"a method that creates and updates": {things + `
func (Service) Info(name string) (*Thing, error)
func (Service) Upsert(t *Thing) error
func (Service) Delete(name string) error
`, func(o *Options) { o.Create, o.Update, o.Methods = "Thing", "Thing", []string{"Upsert", "Info"} }, []string{"err = Upsert(request)", "named",
		"decided updates the object: Upsert, given with --method"}},
	"an ID beside the one that methods take": {things + `
type Key struct { ID, KeyID, Name string }
func (Service) Get(keyID string) (*Key, error)
func (Service) Create(c CreateThing) (*Key, error)
func (Service) Update(keyID string, u UpdateThing) error
func (Service) Delete(keyID string) error
`, func(o *Options) { o.Observe = "Key" }, []string{"mrgen:check: the external name is KeyID, which Get takes as keyID: the name alone says so, and there is ID."}},
	"a UUID before a name": {`
type Thing struct{ Name, UUID string }
type CreateThing struct{ Name string }
type UpdateThing struct{ Name string }
type Service struct{}
func (Service) Get(thingID string) (*Thing, error)
func (Service) Create(c CreateThing) (*Thing, error)
func (Service) Update(thingID string, u UpdateThing) error
func (Service) Delete(thingID string) error
`, nil, []string{"own object.UUID", "not named"}},
	"options beside the argument": {`
type Thing struct{ AccessorID, Partition, SecretID string }
type Options struct{ Partition, Thing string }
type Service struct{}
func (Service) Get(accessorID string, o *Options) (*Thing, error)
func (Service) Create(t *Thing, o *Options) (*Thing, error)
func (Service) Update(t *Thing, o *Options) (*Thing, error)
func (Service) Delete(accessorID string, o *Options) error
`, func(o *Options) { o.Create, o.Update = "Thing", "Thing" }, []string{"Get(name, &probe.Options{Partition: in.Partition})", "own object.AccessorID",
		"SecretID may be secrets: their names have a word for one", "not AccessorID may"}},
	"the value of a key": {`
type Key struct{ ID, Name, Key string }
type Secret struct{ Name, Value string }
type CreateThing struct{ Name string; Secrets []Secret }
type Service struct{}
func (Service) Get(id string) (*Key, error)
func (Service) Create(c CreateThing) (*Key, error)
func (Service) Delete(id string) error
`, func(o *Options) { o.Kind, o.Observe, o.Update = "Key", "Key", "" }, []string{"Key and Value may be secrets"}},
	"pages by fields that JSON leaves out": {things + `
type ListThings struct {
	Zone string ` + "`json:\"-\"`" + `
	Page *int   ` + "`json:\"-\"`" + `
}
type Things struct{ Things []*Thing }
func (Service) List(l *ListThings) (*Things, error)
func (Service) Create(c CreateThing) (*Thing, error)
func (Service) Delete(id string) error
`, func(o *Options) { o.Update = "" }, []string{
		"List takes page, and nothing that it returns is named so: name another method with --method, or write its controller by hand"}},
	"a list by fields that JSON leaves out": {things + `
type ListThings struct {
	Zone string ` + "`json:\"-\"`" + `
}
type Things struct{ Things []*Thing }
func (Service) List(l *ListThings) (*Things, error)
func (Service) Create(c CreateThing) (*Thing, error)
func (Service) Delete(id string) error
`, func(o *Options) { o.Update = "" }, []string{"List(&probe.ListThings{Zone: in.Zone}, name)", "spec Zone string"}},
	"an object in a list of an answer": {things + `
type GetOutput struct{ Things []*Thing }
func (Service) Get(id string) (*GetOutput, error)
func (Service) Create(c CreateThing) (*Thing, error)
func (Service) Update(id string, u UpdateThing) error
func (Service) Delete(id string) error
`, nil, []string{"output, err = Get(name) output == nil || len(output.Things) == 0"}},
	"what only a request has is not an answer": {things + `
type Server struct{ Thing *Thing }
func (Service) GetServer(id string) (*Server, error)
func (Service) Create(c CreateThing) (*Thing, error)
func (Service) Update(id string, u UpdateThing) error
func (Service) Delete(id string) error
`, nil, []string{"no method of example.org/go-probe returns Thing: name another type with --observe, or the method with --method"}},
	"two methods delete": {things + `
func (Service) Get(id string) (*Thing, error)
func (Service) Create(c CreateThing) (*Thing, error)
func (Service) Update(id string, u UpdateThing) error
func (Service) RemoveLater(id string) error
func (Service) RemoveNow(id string) error
`, nil, []string{"RemoveLater and RemoveNow each may be what deletes what Create creates: say which with --method"}},
	"a method deletes before others remove": {things + `
func (Service) Get(id string) (*Thing, error)
func (Service) Create(c CreateThing) (*Thing, error)
func (Service) Update(id string, u UpdateThing) error
func (Service) RemoveLater(id string) error
func (Service) DeleteNow(id string) error
`, nil, []string{"DeleteNow(name)", "and there is RemoveLater"}},
	"one method creates and updates": {strings.ReplaceAll(things, "UpdateThing", "Other") + `
func (Service) Get(name string) (*Thing, error)
func (Service) Put(name string, c CreateThing) error
func (Service) Delete(name string) error
`, func(o *Options) { o.Update = "CreateThing" }, []string{"Put(name, request)", "named", "decided updates the object: Put", "creation and updates take the same type"}},
	"create and update take the object": {things + `
func (Service) Get(id string) (*Thing, error)
func (Service) Create(t *Thing) (*Thing, error)
func (Service) Update(t *Thing) (*Thing, error)
func (Service) Delete(id string) error
`, func(o *Options) { o.Create, o.Update = "Thing", "Thing" }, []string{"Create(request)", "Update(request)", "not spec ID", "spec Name"}},
	"errors": {things + `
type ThingNotFoundError struct{}
func (ThingNotFoundError) Error() string
type PartNotFoundError struct{}
func (PartNotFoundError) Error() string
` + plainMethods, nil, []string{"ThingNotFoundError says that the object is absent: the name alone says so.", "errors.As(err, &missing)", "not PartNotFoundError"}},
	"errors of others": {things + `
type PartNotFoundError struct{}
func (PartNotFoundError) Error() string
` + plainMethods, nil, []string{"mrgen:check: say how the SDK tells that there is no such resource: PartNotFoundError are called so."}},
	"documented errors": {things + `
type Error struct{}
func (Error) Error() string
// ErrNotFound says that there is no such thing.
var ErrNotFound Error
` + plainMethods, nil, []string{"errors.Is(err, probe.ErrNotFound)", "ErrNotFound, documented"}},
	"status of errors": {things + `
type Error struct{ StatusCode int }
func (*Error) Error() string
` + plainMethods, nil, []string{"errors.As(err, &answer) && answer.StatusCode == http.StatusNotFound", "the status 404 of Error, proved"}},
	"errors with an answer": {things + `
type Error struct{ Response *http.Response }
func (*Error) Error() string
type OtherError struct{ Response *http.Response }
func (*OtherError) Error() string
func (Service) Get(ctx context.Context, id string) (*Thing, error)
func (Service) Create(ctx context.Context, c CreateThing) (*Thing, error)
func (Service) Update(ctx context.Context, id string, u UpdateThing) error
func (Service) Delete(ctx context.Context, id string) error
`, nil, []string{"the status 404 of Error says that the object is absent: the name alone says so, and there is OtherError.", "Get(ctx, name)",
		"answer.Response != nil && answer.Response.StatusCode == http.StatusNotFound", `probe "example.org/go-probe"`}},
	"a method of another type creates": {strings.Replace(things, "Service struct{}", "Service struct{}\ntype Factory struct{}", 1) + `
func (Service) Get(id string) (*Thing, error)
func (Factory) Create(c CreateThing) (*Thing, error)
func (Service) Update(id string, u UpdateThing) error
func (Service) Delete(id string) error
`, nil, []string{"Get(name)", "Delete(name)"}},
	"times and texts": {strings.ReplaceAll(things, "Name string", `Name string
	At time.Time `+"`json:\"at\"`"+`
	Size uint64
	As Form
	Level Level`) + `
type Level int
func (Level) MarshalText() ([]byte, error)
func (*Level) UnmarshalText(text []byte) error
type Form struct{ a int }
func (Form) MarshalText() ([]byte, error)
func (*Form) UnmarshalText(text []byte) error
func (Service) Get(id string, at time.Time) (*Thing, error)
func (Service) Create(c CreateThing) (*Thing, error)
func (Service) Update(id string, u UpdateThing) error
func (Service) Delete(id string) error
`, nil, []string{"spec At *metav1.Time +optional", "spec As *string +optional", "spec Level *int64 +optional", "Get(name, time.Time{})",
		"(p VERSION.ThingParameters) (probe.CreateThing, error)", "(*probe.Thing) (VERSION.ThingObservation, error)"}},
	"a number as key": {strings.Replace(things, "ID   string", "ID int", 1) + `
func (Service) Get(id int64) (*Thing, error)
func (Service) Create(c CreateThing) (*Thing, error)
func (Service) Update(id int64, u UpdateThing) error
func (Service) Delete(id int64) error
`, nil, []string{"own strconv.FormatInt(int64(object.ID), 10)", "Get(id)"}},
	"a large number as key": {strings.Replace(things, "ID   string", "ID int64", 1) + `
func (Service) Get(id int) (*Thing, error)
func (Service) Create(c CreateThing) (*Thing, error)
func (Service) Update(id int, u UpdateThing) error
func (Service) Delete(id int) error
`, nil, []string{"own strconv.FormatInt(object.ID, 10)", "Get(int(id))"}},
	"a key of a type of texts": {strings.Replace(things, "ID   string", "ID Key", 1) + `
type Key string
func (Service) Get(id Key) (*Thing, error)
func (Service) Create(c CreateThing) (*Thing, error)
func (Service) Update(id Key, u UpdateThing) error
func (Service) Delete(id Key) error
`, nil, []string{"own string(object.ID)", "Get(probe.Key(name))"}},
	"fields that only objects have": {strings.Replace(things, "CreateThing struct{ Name string", "CreateThing struct{ Name, HookURL, Created, ETag string; DryRun bool", 1) + plainMethods, nil, []string{"spec HookURL", "spec Created", "spec ETag", "DryRun, since it seems to tell requests apart"}},
	"fields of the object as a request": {strings.Replace(things, "ID   string", "ID, SelfURL, URL, Created string\nCount int\nNode []Thing", 1) + `
func (Service) Get(id string) (*Thing, error)
func (Service) Create(t *Thing) (*Thing, error)
func (Service) Update(id string, t *Thing) (*Thing, error)
func (Service) Delete(id string) error
`, func(o *Options) { o.Create, o.Update = "Thing", "Thing" }, []string{"SelfURL, since only the API seems to set it", "spec URL", "not spec Created",
		"requests have the object itself: if only the API sets one of Count, Name, Node and URL, move it to ThingObservation"}},
	"updates with the object": {strings.Replace(things, "ID   string", "ID, By, ChangedBy, Created string\nPhase Phase\nLinks *Link `json:\"_links\"`", 1) + `
type Link struct{ Href string }
type Phase string
const PhaseActive Phase = "ACTIVE"
const PhaseCreating Phase = "CREATING"
func (Service) Get(id string) (*Thing, error)
func (Service) Create(c CreateThing) (*Thing, error)
func (Service) Update(id string, t Thing) (*Thing, error)
func (Service) Delete(id string) error
`, func(o *Options) { o.Update = "Thing" }, []string{"spec ChangedBy", "not spec Created", "not spec Links", "status Links", "not spec Phase",
		"Links, since only the API seems to set it", "decided is ready by its state: object.Phase",
		"requests have the object itself: if only the API sets one of By and ChangedBy, move it to ThingObservation"}},
	"output only beyond the budget": {strings.ReplaceAll(things, "Name string", "Name string; Part *Part") + `
type Part struct {
	Size int
	// READ-ONLY; All of it.
	All *All
}
type All struct{ ` + manyFields(300) + "}" + plainMethods, nil, []string{"spec Part *ThingPart", "not too large"}},
	"two types create alike": {things + alikeMethods, nil, []string{"Another.Create and Service.Create each take CreateThing: say which with --method"}},
	"one of two types that create alike": {things + alikeMethods, func(o *Options) { o.Methods = []string{"Service.Create"} }, []string{
		"object, err = Create(in.Zone, request)", "Get(in.Zone, name)", "Delete(in.Zone, name)", "not spec Region"}},
	"another type deletes with other arguments": {things + `
type Another struct{}
func (Another) Get(id string) (*Another, error)
// Delete releases another.
func (Another) Delete(id, zone string) error
` + zonedMethods, nil, []string{"Get(in.Zone, name)", "Update(in.Zone, name, request)", "err = Delete(in.Zone, name)", "decided deletes the object: Delete, suggested by its name"}},
	"calls with conditions": {things + `
func (Service) Get(id string) (*Thing, error)
// Create creates a thing. It must be small.
func (Service) Create(c CreateThing) (*Thing, error)
// Update edits a thing. Only one property
// can be changed by a call.
//
//  - id: It must be short.
func (Service) Update(id string, u UpdateThing) error
// Delete deletes a thing.
//
// Fails if something refers to it.
func (Service) Delete(id string) error
`, nil, []string{"mrgen:check: Update says: Only one property can be changed by a call. ", "mrgen:check: Delete says: Fails if something refers to it. ",
		"not Create says", "not short"}},
	"an argument that the object has": {strings.Replace(things, "ID   string", "ID string\nZoneName string", 1) + `
func (Service) Get(zoneName, id string) (*Thing, error)
func (Service) Create(zoneName string, c CreateThing) (*Thing, error)
func (Service) Update(zoneName, id string, u UpdateThing) error
func (Service) Delete(zoneName, id string) error
`, nil, []string{"spec ZoneName string +mrgen:identifier +immutable  zoneName\n"}},
	"two methods update": {things + `
func (Service) Get(id string) (*Thing, error)
func (Service) Create(c CreateThing) (*Thing, error)
func (Service) EditNow(id string, u UpdateThing) error
func (Service) EditLater(id string, u UpdateThing) (*Thing, error)
func (Service) Delete(id string) error
`, nil, []string{"EditLater and EditNow each take UpdateThing: say which with --method"}},
	"one method reads all": {things + `
type AllOutput struct{ Things []Thing }
func (Service) GetAll(id string) (*AllOutput, error)
func (Service) GetOne(id string) (*Thing, error)
func (Service) Create(c CreateThing) (*Thing, error)
func (Service) Update(id string, u UpdateThing) error
func (Service) Delete(id string) error
`, nil, []string{"object, err = GetOne(name)"}},
	"objects in requests": {strings.ReplaceAll(things, "Name string", "Name string; Server *Server; Disks []Disk; Part Part") + `
type Server struct{ ID string; Name string }
type Disk struct{ ID uint16; Size int }
type Part struct{ ID string; Size int }
func (Service) GetServer(id string) (*Server, error)
func (Service) GetDisk(id uint16) (*Disk, error)
` + plainMethods, nil, []string{"spec Server *string", "spec Disks []int32", "spec Part *ThingPart", "requests have the IDs of Disks and Server, which are objects"}},
	"what the SDK marks": {strings.Replace(things, "CreateThing struct{ Name string", `CreateThing struct{
	Name string `+"`json:\"name\"`"+`
	Note string `+"`json:\"note,omitempty\"`"+`
	Count int `+"`json:\"count,omitempty\"`"+`
	List []string `+"`json:\"list,omitempty\"`"+`
	Map map[string]string `+"`json:\"map,omitempty\"`"+`
	On *bool `+"`json:\"on,omitempty\"`"+`
	// Output only. Seen.
	Seen string
	// REQUIRED; What it is.
	Said *string
	Kept string `+"`json:\"kept,omitempty\" validate:\"required\"`"+`
	// It is JSON.
	Policy string
	Price float64
	Bytes []byte
	Mode Mode
`, 1) + `
type Mode int
const ( ModeA Mode = 3; ModeB Mode = 10; ModeC Mode = 10 )
` + plainMethods, nil, []string{"spec Name *string +kubebuilder:validation:Required", "spec Note *string +optional +kubebuilder:validation:MinLength=1",
		"spec Count *int64 +optional", "requests don't carry a zero", "spec List []string +optional +kubebuilder:validation:MinItems=1",
		"spec Map map[string]string +optional", "not spec Seen", "spec On *bool +optional +immutable", "spec Kept *string +kubebuilder:validation:Required", "may return this JSON", "spec Bytes []byte +optional +immutable +mrgen:mirror=false  bytes,omitempty", "kubebuilder:validation:MinItems=1 +immutable +mrgen:mirror=false  list,omitzero",
		"spec Price *string +optional +mrgen:convert:number +kubebuilder:validation:Pattern", "+kubebuilder:validation:Enum=3;10 +immutable", "spec Said *string +kubebuilder:validation:Required"}},
	"a method that may create updates": {things + `
func (Service) Get(id string) (*Thing, error)
func (Service) Create(t *Thing) (*Thing, error)
func (Service) Put(t *Thing) (*Thing, error)
type Other struct{}
func (Other) Edit(t *Thing) error
func (Service) Delete(id string) error
`, func(o *Options) { o.Create, o.Update = "Thing", "Thing" }, []string{"object, err = Create(request)", "_, err = Put(request)"}},
	"requests around the object": {strings.Replace(things, "Name string", "Name, Zone string", 1) + `
type NewThing struct{ Thing *Thing; ThingID string }
type GetThing struct{ ID, Zone string }
func (Service) Get(g *GetThing) (*Thing, error)
func (Service) Create(c *NewThing) (*Thing, error)
func (Service) Update(u UpdateThing) error
func (Service) Delete(id string) error
`, func(o *Options) { o.Create = "NewThing" }, []string{"Get(&probe.GetThing{ID: name})", "not spec Zone string +mrgen:identifier", "spec Zone *string",
		"+mrgen:convert:in=Thing"}},
	"updates around fields of the object": {strings.Replace(things, "UpdateThing struct{ Name string }", `UpdateThing struct{ Part *Part }
type Part struct { Name, Secret, ID string }`, 1) + plainMethods, nil, []string{"decided a struct stands for the object: Part of UpdateThing, suggested by its name", "+mrgen:convert:in=Part",
		"not spec Name *string +optional +immutable"}},
	"a struct with fewer fields of the object": {strings.Replace(things, "UpdateThing struct{ Name string }", `UpdateThing struct{ Part Part }
type Part struct { Name, First, Second string }`, 1) + plainMethods, nil, []string{"not +mrgen:convert:in", "the kind has Name elsewhere, too: delete what means the same"}},
	"pagers of other shapes": {things + `
type Pager struct{}
func (*Pager) More() bool
func (*Pager) NextPage() ([]Thing, error)
type Empty struct{}
func (*Empty) More() bool
func (*Empty) NextPage(n int)
func (Service) ListThings() *Pager
func (Service) ListEmpty() *Empty
func (Service) ListBoth() (*Thing, *Pager)
func (Service) ListPage(page, perPage int) ([]Thing, error)
` + plainMethods, nil, []string{"Get(name)"}},
	"a list below something with the name of the key": {strings.Replace(things, "CreateThing struct{ Name string }", "CreateThing struct{ Name string; Project string }", 1) + `
type ListThings struct { Project, Token string }
type Things struct { Items []Thing; NextToken string }
func (Service) List(id string, l *ListThings) (*Things, error)
func (Service) Create(id string, c CreateThing) (*Thing, error)
func (Service) Update(id string, u UpdateThing) error
func (Service) Delete(id string) error
`, nil, []string{"thingID string", "List gets no Project"}},
	"a struct with what is beside it": {strings.Replace(things, "UpdateThing struct{ Name string }", `UpdateThing struct{ Name string; Part Part }
type Part struct { Name string }`, 1) + plainMethods, nil, []string{"not +mrgen:convert:in", "the kind has Name elsewhere, too"}},
	"zeros that only updates send": {`
type Thing struct { ID, Name, Text string; Size, Count, Limit int; Wide *int }
type CreateThing struct{
	Name string
	Text string ` + "`json:\"text,omitempty\"`" + `
	Size int ` + "`json:\"size,omitempty\"`" + `
	Count int ` + "`json:\"count\"`" + `
	Wide *int ` + "`json:\"wide\"`" + `
}
type UpdateThing struct{
	Text string ` + "`json:\"text\"`" + `
	Size int ` + "`json:\"size\"`" + `
	Count int ` + "`json:\"count\"`" + `
	Limit int ` + "`json:\"limit\"`" + `
	Wide *int ` + "`json:\"wide\"`" + `
}
type Service struct{}
` + plainMethods, nil, []string{"spec Text *string +optional mrgen:check: updates send a zero", "spec Size *int64 +optional mrgen:check: updates send a zero",
		"spec Limit *int64 +optional mrgen:check: updates send a zero", "not spec Count *int64 +optional mrgen:check: updates",
		"not spec Wide *int64 +optional mrgen:check"}},
	"what the API says": {strings.Replace(things, "Name string", `Name string
	// Output only. When it was seen.
	Seen string`, 1) + `
type Answer struct{ Thing *Thing }
func (Answer) StatusCode() int
type GetResponse struct{ Thing *Thing }
func (GetResponse) StatusCode() int
func (Service) Get(id string) (*GetResponse, error)
func (Service) Create(c CreateThing) (*Thing, error)
func (Service) Update(id string, u UpdateThing) error
func (Service) Delete(id string) error
`, nil, []string{"decided only the API sets it: Seen, documented", "has status", "output == nil || output.Thing == nil"}},
	"what only updates take": {strings.Replace(things, "UpdateThing struct{ Name string", "UpdateThing struct{ Name, Later string; Never func()", 1) + `
type GetResponse struct{ Thing Thing; StatusCode int }
func (Service) Get(id string) (GetResponse, error)
func (Service) Create(c CreateThing) (string, error)
func (Service) Update(id string, u UpdateThing) (string, error)
func (Service) Delete(id string) error
`, nil, []string{"has later", "spec Later *string", "Never, since its type is func()", "not has status", "of &output.Thing"}},
	"an ID that is a number, or a name": {strings.Replace(things, "ID   string", "ID int64", 1) + `
func (Service) Get(idOrName string) (*Thing, error)
func (Service) Create(c CreateThing) (*Thing, error)
func (Service) Update(t *Thing, u UpdateThing) error
func (Service) Delete(t *Thing) error
`, nil, []string{"own strconv.FormatInt(object.ID, 10)", "Get(name)", "not named"}},
	"an argument that the object has otherwise": {strings.Replace(things, "ID   string", "ID string\nZone int", 1) + zonedMethods, nil, []string{"spec Zone string +mrgen:identifier +immutable +mrgen:mirror=false"}},
	"secrets in structs": {strings.Replace(things, "CreateThing struct{ Name string", "CreateThing struct{ Name string; Login *Login; Token string", 1) + `
type Login struct{ User, Password string }
` + plainMethods, nil, []string{"loginPassword of ptr.Deref(in.Login, inputsLogin{}).PasswordSecretRef at login.passwordSecretRef", "token of in.TokenSecretRef at tokenSecretRef"}},
	"secrets that aren't text": {strings.NewReplacer("CreateThing struct{", "CreateThing struct{ Password Code; SecretKey float64; APIKey *float64; Token string; Login Login;",
		"UpdateThing struct{", "UpdateThing struct{ Password string; Token []byte; Login Other;").Replace(things) + `
type Code struct{ c string }
func (Code) MarshalText() ([]byte, error)
func (*Code) UnmarshalText([]byte) error
type Login struct{ User, Password string }
type Other struct{ User string; Password float64 }
` + plainMethods, nil, []string{"Password, since it may be a secret, whose type is probe.Code", "SecretKey, since it may be a secret, whose type is float64",
		"APIKey, since it may be a secret, whose type is *float64", "token of in.TokenSecretRef at tokenSecretRef",
		"UpdateThing takes something else of this name, and the controller doesn't send it", "request.Token = *token\n", "not = \n"}},
	"one page that the author names": {things + `
type Page struct{ Things []Thing; Meta struct { Cursors struct{ After string } } }
func (Service) List(zone string) (*Page, error)
func (Service) Create(c CreateThing) (*Thing, error)
func (Service) Update(id string, u UpdateThing) error
func (Service) Delete(id string) error
`, func(o *Options) { o.Methods = []string{"List"} }, []string{"List reads one page, and not those of Meta.Cursors.After."}},
	"a client of gRPC": {strings.Replace(things, "UpdateThing struct{ Name string }", `UpdateThing struct{ ThingID string; Part *Part }
type Part struct { Name, Secret, ID string }`, 1) + `
type NewThing struct{ Zone string; Thing *Thing }
type GetThing struct{ ThingID string }
func (Service) Get(g *GetThing, o ...grpc.CallOption) (*Thing, error)
func (Service) Create(n *NewThing, o ...grpc.CallOption) (*Thing, error)
func (Service) Update(u *UpdateThing, o ...grpc.CallOption) (*Thing, error)
func (Service) Delete(g *GetThing, o ...grpc.CallOption) error
`, func(o *Options) { o.Create = "NewThing" }, []string{"f.apply(request.Thing)\nf.name = \"1\"", "f.apply(request)\nf.apply(request.Part)", "simulated.Assign(&f.object.ID, 1)",
		"func (f *fake) Update(request *probe.UpdateThing, _ ...grpc.CallOption) (answer *probe.Thing, err error) {\nif err = f.check(request.ThingID)",
		"(err error) {\nif err = f.check(request.ThingID); err != nil {\nreturn err\n}\nf.object = nil\nreturn nil", `fails with status.Error(codes.NotFound, "there is no such resource")`}},
	"a client of AWS with XML": {strings.Replace(things, "ID   string", "ThingID *string", 1) + `
var _ xml.Name
type Options struct{ BaseEndpoint *string }
type GetThings struct{ ThingIDs []string }
type Things struct{ ThingID *string }
type DescribeThingsOutput struct{ Things []Thing }
type CreateThingOutput struct{ ThingID *string }
func (Service) DescribeThings(g *GetThings) (*DescribeThingsOutput, error)
func (Service) CreateThing(c *CreateThing) (*CreateThingOutput, error)
func (Service) UpdateThing(u *UpdateThing) error
func (Service) DeleteThing(g *Things) error
`, nil, []string{"f.check(request.ThingIDs); err != nil {\nreturn answer, err\n}\nsimulated.Show(&answer, f.object)\nreturn answer, nil",
		"there is no such resource; the fake of the test returns errMissing."}},
	"a client of AWS with another protocol": {things + `
var _ = schemas.Thing
type Options struct{ BaseEndpoint *string; Credentials aws.CredentialsProvider }
type DescribeThingsOutput struct{ Things []Thing }
type CreateThingOutput struct{ Made *Thing }
func (Service) DescribeThings(id string) (*DescribeThingsOutput, error)
func (Service) CreateThing(c *CreateThing) (*CreateThingOutput, error)
func (Service) UpdateThing(id string, u *UpdateThing) error
func (Service) DeleteThing(id string) error
`, nil, []string{"asked by {Package:probe Core:aws Protocol:awsjson.New11(schemas.ThingsAPI)}, key ID, answers in [Things[] Made]",
		"not the fake of the test"}},
	"a client of AWS with JSON": {things + `
var _ = schemas.Thing
var _ restjson1.Protocol
type Options struct{ BaseEndpoint *string }
type MadeThing struct { ID string }
type CreateThingOutput struct{ Summary *ThingSummary }
type ThingSummary struct { ID string }
func (Service) Get(id string) (*Thing, error)
func (Service) CreateThing(c *CreateThing) (*CreateThingOutput, error)
func (Service) UpdateThing(id string, u *UpdateThing) error
func (Service) DeleteThing(id string) error
`, nil, []string{"asked by {Package:probe Core: Protocol:}, key ID, answers in [Summary]"}},
	"a client of AWS with JSON at one path": {things + `
var _ = schemas.Thing
var _ awsjson.Protocol
type Options struct{ BaseEndpoint *string }
` + plainMethods, nil, []string{"asked by {Package:probe Core: Protocol:}"}},
	"objects in lists that have no ID": {strings.Replace(things, "ID   string", "", 1) + `
func (Service) List() ([]Thing, error)
func (Service) Create(c CreateThing) (*Thing, error)
func (Service) Update(name string, u UpdateThing) error
func (Service) Delete(name string) error
`, nil, []string{"List(name)", "object.Name == name"}},
	"errors of the object and of all": {things + `
type NotFoundError struct{}
func (*NotFoundError) Error() string
type ThingNotFoundError struct{}
func (ThingNotFoundError) Error() string
func New() *ThingNotFoundError
` + plainMethods, nil, []string{"var missing *probe.ThingNotFoundError", "and there is NotFoundError"}},
	"errors that are values": {things + `
type NotFoundError struct{}
func (NotFoundError) Error() string
func New() NotFoundError
` + plainMethods, nil, []string{"var missing *probe.NotFoundError", "var value probe.NotFoundError",
		"errors.As(err, &missing) ||\nerrors.As(err, &value)"}},
	"errors that are values with a status": {things + `
type Error struct{ StatusCode int }
func (Error) Error() string
` + plainMethods, nil, []string{"errors.As(err, &value) && value.StatusCode == http.StatusNotFound"}},
	"errors with a code that is a status": {things + `
// Error has the status code of an answer.
type Error struct{ Code int }
func (*Error) Error() string
` + plainMethods, nil, []string{"errors.As(err, &answer) && answer.Code == http.StatusNotFound"}},
	"a secret as an argument": {things + `
func (Service) Get(accessToken, id string) (*Thing, error)
func (Service) Create(accessToken string, c CreateThing) (*Thing, error)
func (Service) Update(accessToken, id string, u UpdateThing) error
func (Service) Delete(accessToken, id string) error
`, nil, []string{"mrgen:check: this looks like a secret, which manifests show", "decided a secret in an argument: AccessToken, suggested by its name"}},
	"what only the API sets in a request of another type": {strings.Replace(strings.Replace(things, "ID   string", "ID string\nCreatedOn time.Time", 1),
		"CreateThing struct{ Name string", "CreateThing struct{ Name, ID string; CreatedOn *time.Time", 1) + plainMethods, nil,
		[]string{"not spec ID", "not spec CreatedOn", "ID, since only the API seems to set it", "CreatedOn, since only the API seems to set it"}},
	"a type of what is around it": {strings.Replace(things, "struct{ Name string }", "struct{ Name, Type string }", 1) + `
type Level string
const Account Level = "account"
type Container struct { Identifier string; Type Level }
func (Service) Get(c *Container, id string) (*Thing, error)
func (Service) Create(c *Container, t CreateThing) (*Thing, error)
func (Service) Update(c *Container, id string, u UpdateThing) error
func (Service) Delete(c *Container, id string) error
`, nil, []string{"Get(&probe.Container{Identifier: in.Identifier}, name)", "Delete gets no Type."}},
	"an address as a base path": {things + plainMethods + "var _ http.Client\nfunc NewService(basePath string) Service", nil,
		[]string{"by return probe.NewService(address)"}},
	"a client that is made of an address": {things + plainMethods + `
var _ http.Client
type Client struct { Service; Address string }
func NewClient(key string) (*Client, error)
func NewClientAt(key, endpoint string) (*Client, error)
`, nil, []string{`probe.NewClientAt("token", address)`, "not c.Address = address"}},
	"tags of JSON:API": {strings.Replace(strings.Replace(things, "ID   string", "ID string\nParts []string", 1), "CreateThing struct{ Name string }", `CreateThing struct {
	// Type is for JSON:API alone.
	Type string `+"`jsonapi:\"primary,things\"`"+`
	Parts []string `+"`jsonapi:\"attr,parts,omitempty\"`"+`
}`, 1) + plainMethods, nil, []string{"not spec Type", "Type, since JSON:API identifies objects by it", "spec Parts []string +optional +kubebuilder:validation:MinItems=1"}},
	"read only fields": {strings.Replace(things, "CreateThing struct{ Name string }", `CreateThing struct {
	Name string
	// Links to others. Read only field.
	Links []string
}`, 1) + plainMethods, nil, []string{"not spec Links"}},
	"contexts in structs": {`
type Thing struct { ID, Name string }
type CreateThing struct { Name string; Context *context.Context }
type UpdateThing struct { ID, Name string; Context context.Context }
type GetThing struct { ID string; Context context.Context }
type Service struct{}
func (Service) Get(g *GetThing) (*Thing, error)
func (Service) Create(c *CreateThing) (*Thing, error)
func (Service) Update(u *UpdateThing) error
func (Service) Delete(g *GetThing) error
`, nil, []string{"Get(&probe.GetThing{ID: name, Context: ctx})", "request.Context = &ctx", "request.Context = ctx", "not gets no Context", "not Context, since"}},
	"states of what is gone": {strings.Replace(things, "ID   string", "ID string\nStatus Status", 1) + plainMethods + `
type Status string
const ( Active Status = "ACTIVE"; Terminated Status = "TERMINATED" )
`, nil, []string{"one of probe.Active, probe.Terminated; an object in the state probe.Terminated may be gone, and get returns it"}},
	"a request in another one": {things + `
type CreateRequest struct { Zone string; Body CreateThing }
func (Service) Get(id string) (*Thing, error)
func (Service) Create(c CreateRequest) (*Thing, error)
func (Service) Update(id string, u UpdateThing) error
func (Service) Delete(id string) error
`, nil, []string{"no method of example.org/go-probe takes CreateThing, but Create takes CreateRequest, which has one: " +
		"name another type with --create, or the method with --method"}},
	"names in tags of mapstructure": {strings.Replace(things, "ID   string", "ID string\nZone string `mapstructure:\"area\"`", 1) + zonedMethods, nil,
		[]string{`keeps ["area"]`}},
	"creation that fills its argument": {things + `
func (Service) Read(id string) (*Thing, error)
func (Service) Create(t *Thing) error
func (Service) Update(id string, t *Thing) error
func (Service) Delete(id string) error
`, func(o *Options) { o.Create, o.Update = "Thing", "Thing" }, []string{`err = Create(request) request.ID == ""`, "own request.ID",
		"Update gets no ID.", "(p VERSION.ThingParameters) (*probe.Thing, error)", "not name string) (*probe.Thing",
		"Create sets the external name in its argument, as request.ID."}},
	"a documented token": {strings.Replace(things, "CreateThing struct{ Name string }", `CreateThing struct {
	Name string
	// A token that uniquely identifies a request so it can be retried.
	OpcRetryToken string
}`, 1) + plainMethods, nil, []string{"not spec OpcRetryToken", "OpcRetryToken, since it seems to tell requests apart"}},
	"an idempotent name, and a time of a filter": {strings.Replace(things, "CreateThing struct{ Name string }", `CreateThing struct {
	// Name of the thing. Creation is idempotent by it.
	Name string
	CreatedBefore *time.Time
}`, 1) + plainMethods, nil, []string{"spec Name", "spec CreatedBefore"}},
	"booleans with text": {strings.Replace(strings.Replace(things, "ID   string", "ID string\nOn bool", 1), "struct{ Name string }", "struct{ Name string; On *Flag }", 1) + `
type Flag bool
func (Flag) MarshalText() ([]byte, error)
func (*Flag) UnmarshalText(text []byte) error
` + plainMethods, nil, []string{"spec On *bool +optional"}},
	"a method that deletes something else": {things + `
func (Service) GetThing(id string) (*Thing, error)
func (Service) CreateThing(c CreateThing) (*Thing, error)
func (Service) UpdateThing(id string, u UpdateThing) error
// DeleteTag deletes a tag.
func (Service) DeleteTag(id string) error
`, nil, []string{"decided deletes the object: DeleteTag, suggested by its name"}},
	"methods that delete other things": {things + `
func (Service) GetThing(id string) (*Thing, error)
func (Service) SetThingReq(c CreateThing) (*Thing, error)
func (Service) UpdateThing(id string, u UpdateThing) error
func (Service) DeleteTag(id string) error
func (Service) RemoveThing(id string) error
`, nil, []string{"DeleteTag and RemoveThing each may be what deletes what SetThingReq creates: say which with --method"}},
	"answers of go-swagger": {things + `
type GetThingOK struct{ Payload *Thing }
type CreateThingOK struct{ Payload *Thing }
func (Service) GetThing(id string) (*GetThingOK, error)
func (Service) CreateThing(c CreateThing) (*CreateThingOK, error)
func (Service) UpdateThing(id string, u UpdateThing) error
func (Service) DeleteThing(id string) error
`, nil, []string{"output, err = GetThing(name) output == nil || output.Payload == nil"}},
	"two keys, of which one has the name of a key": {things + `
func (Service) Get(id, zone string) (*Thing, error)
func (Service) Create(c CreateThing) (*Thing, error)
func (Service) Update(id, zone string, u UpdateThing) error
func (Service) Delete(id, zone string) error
`, nil, []string{"Get(name, in.Zone)", "spec Zone string +mrgen:identifier", "own object.ID"}},
	"texts in one form and in another": {strings.Replace(strings.Replace(things, "ID   string", "ID string\nAs string\nAt string\nOf int", 1),
		"CreateThing struct{ Name string", "CreateThing struct{ Name string; As Form; At time.Time; Of Form", 1) + `
type Form struct{ a int }
func (Form) MarshalText() ([]byte, error)
func (*Form) UnmarshalText(text []byte) error
` + plainMethods, nil, []string{"spec As *string +optional +immutable  as", "spec At *metav1.Time +optional +immutable  at", "spec Of *string +optional +immutable +mrgen:mirror=false"}},
	"a text of state that users ask for": {strings.ReplaceAll(things, "Name string", "Name, Status string") + plainMethods, nil, []string{"not is ready by its state", "spec Status *string"}},
	"codes of errors": {things + `
type Code string
// CodeNotFound is for what doesn't exist: not found.
const CodeNotFound Code = "nf"
const CodeOther Code = "o"
type Error struct{ Code Code }
func (Error) Error() string
` + plainMethods, nil, []string{"answer.Code == probe.CodeNotFound", "CodeNotFound, documented"}},
	"answers that have a secret in a struct": {strings.NewReplacer("ID   string", "ID string; Login *Login", "CreateThing struct{", "CreateThing struct{ Login *Login;").Replace(things) + `
type Login struct{ Password string }
` + plainMethods, nil, []string{"spec Login *ThingLogin +optional +immutable +mrgen:mirror=false"}},
	"errors with a status of HTTP": {things + `
type Error struct{ HTTPStatusCode int }
func (Error) Error() string
` + plainMethods, nil, []string{"answer.HTTPStatusCode == http.StatusNotFound"}},
	"options with a context": {things + `
type Option func()
func About(ctx context.Context) string
func Named(name string) Option
func WithContext(ctx context.Context) Option
func (Service) Get(id string, o ...Option) (*Thing, error)
func (Service) Create(c CreateThing, o ...Option) (*Thing, error)
func (Service) Update(id string, u UpdateThing, o ...Option) error
func (Service) Delete(id string, o ...Option) error
`, nil, []string{"Get(name, probe.WithContext(ctx))"}},
	"lists that are called as sets": {strings.NewReplacer("ID   string", "ID string; VolumeIDs, SubnetIDs []string", "CreateThing struct{", "CreateThing struct{ VolumeIDs, SubnetIDs []string;").Replace(things) +
		plainMethods, nil, []string{"decided lists without order: SubnetIDs, VolumeIDs, suggested"}},
	"a key that requests call otherwise": {strings.NewReplacer("ID   string", "Slug string", "CreateThing struct{ Name", "CreateThing struct{ Slug, Name").Replace(things) + `
func (Service) Get(slug string) (*Thing, error)
func (Service) Create(c CreateThing) (*Thing, error)
func (Service) Update(slug string, u UpdateThing) error
func (Service) Delete(slug string) error
`, nil, []string{"named", "+mrgen:convert:field=name=Slug (p VERSION.ThingParameters, name string)"}},
	"an error of another package that a comment names": {things + `
var _ faults.Fault
// Get returns a thing. It fails with a *faults.Error.
` + strings.TrimSpace(plainMethods), nil, []string{"var answer *faults.Error", "decided absent: the status 404 of Error, documented"}},
	"one of a list is created": {things + `
type CreateThingsOutput struct{ Things []Thing }
func (Service) Get(id string) (*Thing, error)
func (Service) Create(c CreateThing) (*CreateThingsOutput, error)
func (Service) Update(id string, u UpdateThing) error
func (Service) Delete(id string) error
`, nil, []string{"own output.Things[0].ID"}},
	"deletions under a condition": {things + strings.Replace(plainMethods, "func (Service) Delete", "// Delete deletes a thing. It must be empty.\nfunc (Service) Delete", 1), nil,
		[]string{"decided Delete says: It must be empty, documented", "Delete says: It must be empty."}},
	"a name beside the object": {`
type Thing struct{ Name string; Size int }
type Service struct{}
func (Service) Get(name string) (*Thing, error)
func (Service) Create(name string, t *Thing) (*Thing, error)
func (Service) Update(name string, t *Thing) error
func (Service) Delete(name string) error
`, func(o *Options) { o.Create, o.Update = "Thing", "Thing" }, []string{"named", "Update(name, request)", "(p VERSION.ThingParameters) (*probe.Thing, error)", "not VERSION.ThingParameters, name"}},
	"tokens that JSON leaves out": {strings.Replace(things, "CreateThing struct{ Name string }", "CreateThing struct{ Name string; IdempotencyKey string `json:\"-\"`; UserData string `json:\"-\"` }", 1) +
		plainMethods, nil, []string{"not IdempotencyKey", "spec UserData string", "UserData", "only requests have it, beside their JSON: the name alone says so"}},
	"an ID in a request that is the object": {`
type Thing struct{ ProjectID string; Size int }
type Service struct{}
func (Service) Get(projectID string) (*Thing, error)
func (Service) Create(t *Thing) (*Thing, error)
func (Service) Update(t *Thing) (*Thing, error)
func (Service) Delete(projectID string) error
`, func(o *Options) { o.Create, o.Update = "Thing", "Thing" }, []string{"own object.ProjectID mrgen:check: the API chooses ProjectID: the name alone says so."}},
	"a name that JSON leaves out": {"type Thing struct{ Name string; Size int }\ntype CreateThing struct{ Name string `json:\"-\"`; Size int }\ntype GetThing struct{ Name string `json:\"-\"` }\ntype UpdateThing struct{ Name string `json:\"-\"`; Size int }" + `
type Service struct{}
func (Service) Get(g *GetThing) (*Thing, error)
func (Service) Create(c CreateThing) (*Thing, error)
func (Service) Update(u UpdateThing) error
func (Service) Delete(g *GetThing) error
`, nil, []string{"named", "Get(&probe.GetThing{Name: name})", "not spec Name"}},
	"verbs at the beginning first": {things + `
func (Service) GetByUID(id string) (*Thing, error)
func (Service) MarkAsRead(id string) (*Thing, error)
func (Service) Create(c CreateThing) (*Thing, error)
func (Service) DryRunCreate(c CreateThing) (*Thing, error)
func (Service) Update(id string, u UpdateThing) error
func (Service) Delete(id string) error
`, nil, []string{"GetByUID(name)", "= Create(request)"}},
	"a summary that a method gets, too": {things + `
type ThingSummary struct{ ID string }
func (Service) GetSummary(id string) (*ThingSummary, error)
func (Service) Get(id string) (*Thing, error)
func (Service) Create(c CreateThing) (*ThingSummary, error)
func (Service) Update(id string, u UpdateThing) error
func (Service) Delete(id string) error
`, nil, []string{"own output.ID"}},
	"a given method that does both": {things + `
func (Service) Get(id string) (*Thing, error)
func (Service) CreateThing(t *CreateThing) (*Thing, error)
func (Service) CreateThingLater(t *CreateThing) (*Thing, error)
func (Service) Delete(id string) error
`, func(o *Options) { o.Update, o.Methods = "CreateThing", []string{"CreateThing"} }, []string{"CreateThing is called for each update, too, of CreateThing."}},
	"a number for an ID or a name": {`
type Thing struct{ ID int64; Name string }
type CreateThing struct{ Name string }
type Service struct{}
func (Service) Get(idOrName string) (*Thing, error)
func (Service) Create(c CreateThing) (*Thing, error)
func (Service) Update(t *Thing) (*Thing, error)
func (Service) Delete(idOrName string) error
`, func(o *Options) { o.Update = "Thing" }, []string{"Update gets no ID.", "own strconv.FormatInt(object.ID, 10)", "not VERSION.ThingParameters, name"}},
	"maps that answers lack": {strings.NewReplacer("ID   string", "ID string; Labels map[string]string", "CreateThing struct{", "CreateThing struct{ Env, Labels map[string]string;").Replace(things) + plainMethods,
		nil, []string{"a key of Labels that the API", "Env may have secrets, since the API doesn't return them"}},
	"a state that is yes or no": {strings.Replace(things, "Name string\n}", "Name string\nStatus Flag\n}\ntype Flag bool\nconst On Flag = true", 1) + plainMethods, nil, []string{"not is ready by its state"}},
	"states that others have":   {strings.Replace(things, "Name string\n}", "Name string\nJobStatus string\n}", 1) + plainMethods, nil, []string{"it is ready once it exists: JobStatus may be its state"}},
	"states below properties": {strings.Replace(things, "Name string\n}", "Name string\nProperties *Properties\n}\ntype Properties struct {\n// READ-ONLY; how far it is.\nProvisioningState *Provisioning\n}\ntype Provisioning string\nconst Done Provisioning = \"done\"", 1) + plainMethods, nil,
		[]string{`state probe.Thing probe.Provisioning ptr.Deref(ptr.Deref(object.Properties, probe.Properties{}).ProvisioningState, "") %q`, "one of probe.Done"}},
	"states of a part": {strings.Replace(things, "Name string\n}", "Name string\nJob *Job\n}\ntype Job struct{ Status Status }\ntype Status string\nconst Done Status = \"done\"", 1) + plainMethods, nil,
		[]string{"not is ready by its state"}},
	"a text of state": {strings.Replace(things, "Name string\n}", "Name string\nStatus string\n}", 1) + plainMethods, nil, []string{"decided is ready by its state: object.Status, suggested by its name", "not ready once"}},
	"secrets and deprecated fields": {strings.Replace(things, "Name string\n}", `Name string
	Tokens []string
	Password string
	// Deprecated: use Name.
	Old string
}`, 1) + plainMethods, nil, []string{"password is a secret that the API returns: the name alone says so", "not status Old", "not status Password"}},
	"fields that requests share with answers": {strings.Replace(strings.Replace(things, "CreateThing struct{ Name string }",
		"CreateThing struct{ Name string; Disks []Disk; SubnetIDs []string; Only Part }", 1), "ID   string", "ID   string; Disks []Disk; SubnetIDs []string", 1) + `
type Disk struct{ Size int; Gateway string }
type Part struct{ Size int }
` + plainMethods, nil, []string{"the order of SubnetIDs means nothing: the names alone say so", "requests and answers share ThingDisk: move", "spec Disks []ThingDisk",
		"decided can't be changed: Disks, SubnetIDs, Only"}},
}

// TestListed checks that checks have some six names: in order, each once.
func TestListed(t *testing.T) {
	t.Parallel()
	for n, want := range map[int]string{1: "a", 2: "a and b", 6: "a, b, c, d, e and f", 7: "a, b, c, d, e, f and 1 more", 9: "a, b, c, d, e, f and 3 more"} {
		names := strings.Split("abcdefghi"[:n]+"a", "")
		slices.Reverse(names)
		if got := listed(names); got != want {
			t.Errorf("got %q, want %q", got, want)
		}
	}
}

// TestConstructions makes clients of credentials, and of an address in tests.
func TestConstructions(t *testing.T) {
	t.Parallel()
	const methods = `
func (*Service) Get(id string) (*Thing, error)
func (*Service) Create(c CreateThing) (*Thing, error)
func (*Service) Update(id string, u UpdateThing) error
func (*Service) Delete(id string) error
`
	for declared, want := range map[string][2]string{
		"func NewService(address, token string) *Service":  {"", "return probe.NewService(address, \"token\")"},
		"func NewService(token string) *Service":           {"return probe.NewService(strings.TrimSpace(string(credentials))), nil", ""},
		"func NewService(size int, token string) *Service": {"", ""},
		"func MakeService(token string) *Service":          {"", ""},
		"func NewService(token string) (*Service, bool)":   {"", ""},
		"func NewService(token string) (*Service, error)":  {"client, err := probe.NewService(strings.TrimSpace(string(credentials)))\nif err != nil {\nreturn nil, err\n}\nreturn client, nil", ""},
		"func NewService(c *http.Client) *Service\nfunc (*Service) SetURL(to string)\nfunc (*Service) SetToken(to string) error": {
			"client := probe.NewService(&http.Client{})\nif err := client.SetToken(strings.TrimSpace(string(credentials))); err != nil {\nreturn nil, err\n}\nreturn client, nil",
			"c := probe.NewService(&http.Client{})\nif err := c.SetToken(\"token\"); err != nil {\nt.Fatal(err)\n}\nc.SetURL(address)\nreturn c"},
		"func NewService(token string) (*Service, error)\nfunc NewServiceThatNeverFails(token string) *Service": {
			"client, err := probe.NewService(strings.TrimSpace(string(credentials)))\nif err != nil {\nreturn nil, err\n}\nreturn client, nil", ""},
		"func NewService(address string) (*Service, error)\nfunc NewServiceWithAuth(consumer, key, address string) *Service": {
			"", "return probe.NewServiceWithAuth(\"token\", \"token\", address)"},
		"type Client struct{ things *Service }\nfunc NewClient(token string) *Client":                                                             {"", ""},
		"type Configuration struct{}\nfunc NewConfiguration(size int) *Configuration\nfunc NewService(c *Configuration, address string) *Service": {"", ""},
		"type Things interface {" + strings.ReplaceAll(methods, "func (*Service) ", "") + "}\nfunc NewThings(address string) Things":              {"", "return probe.NewThings(address)"},
		"type Option func()\nfunc WithToken(t string) Option\nfunc WithAdminToken(t string) Option\nfunc WithBaseURL(t string) Option\nfunc WithTokenURL(t string) Option\nfunc NewService(o ...Option) *Service": {
			"return probe.NewService(probe.WithToken(strings.TrimSpace(string(credentials)))), nil",
			"return probe.NewService(probe.WithBaseURL(address), probe.WithToken(\"token\"))"},
		"type Option func()\nfunc WithAPIKey(t string) Option\nfunc WithAPIToken(t string) Option\nfunc NewService(o ...Option) *Service": {
			"return probe.NewService(probe.WithAPIToken(strings.TrimSpace(string(credentials)))), nil", ""},
		"type Option func()\nfunc WithToken(t string) Option\nfunc WithEndpoint(e string) Option\nfunc NewService(o ...Option) *Service": {
			"return probe.NewService(probe.WithToken(strings.TrimSpace(string(credentials)))), nil",
			"return probe.NewService(probe.WithEndpoint(address), probe.WithToken(\"token\"))"},
		"type Client struct{ Things *Service; BaseURL *url.URL }\nfunc NewClient(token string) *Client": {
			"return probe.NewClient(strings.TrimSpace(string(credentials))).Things, nil",
			"c := probe.NewClient(\"token\")\nbase, err := url.Parse(address + \"/\")\nif err != nil {\nt.Fatal(err)\n}\nc.BaseURL = base\nreturn c.Things"},
		"type Client struct{ Things Service; Host string; port string }\nfunc NewClient(ctx context.Context) *Client": {
			"", "c := probe.NewClient(context.Background())\nc.Host = address\nreturn &c.Things"},
	} {
		r := newReader(probe(t, things+methods+declared), Options{
			Kind: "Thing", Package: "example.org/go-probe", Observe: "Thing", Create: "CreateThing", Update: "UpdateThing",
		})
		c := r.findCalls()
		if got := [2]string{r.construct(c, false), r.construct(c, true)}; got != want {
			t.Errorf("%s\ngot  %q\nwant %q", declared, got, want)
		}
	}
}

// TestOwn checks which names are those of an object's key.
func TestOwn(t *testing.T) {
	t.Parallel()
	r := &reader{observe: types.NewNamed(types.NewTypeName(0, nil, "LoadBalancer", nil), types.NewStruct(nil, nil), nil)}
	for name, want := range map[string]bool{
		"id": true, "loadbalancerid": true, "loadbalancer": true, "balancerid": true, "balancer": true, "name": true, "loadbalancername": true, "uuid": true,
		"": false, "zone": false, "loadbalancerzone": false, "projectid": false, "arn": true,
	} {
		if got := r.isOwn(name); got != want {
			t.Errorf("%q: got %t", name, got)
		}
	}
}

// TestKeysInJSON checks how requests and answers call a field.
func TestKeysInJSON(t *testing.T) {
	t.Parallel()
	for tag, want := range map[string]string{`json:"a_b,omitempty"`: "a_b", `json:"-" url:"c"`: "c", `json:",omitempty"`: "load_balancer", ``: "load_balancer", `json:"-"`: "load_balancer"} {
		if got := jsonKey(&source{v: types.NewVar(0, nil, "LoadBalancer", nil), tag: reflect.StructTag(tag)}); got != want {
			t.Errorf("%s: got %s, want %s", tag, got, want)
		}
	}
}

// TestStems checks how methods are called without their verbs.
func TestStems(t *testing.T) {
	t.Parallel()
	for _, tc := range []struct {
		name, role, want string
		found            bool
	}{
		{"GetHooks", "get", "hook", true}, {"Get", "get", "", true}, {"Getter", "get", "", false}, {"Gather", "get", "", false},
		{"DescribeVPCs", "get", "vpc", true}, {"AddHook", "create", "hook", true}, {"Address", "create", "", false},
		{"PutHook", "update", "hook", true}, {"UnshareHook", "delete", "hook", true}, {"GetHook", "delete", "", false},
		{"PolicyCreate", "create", "policy", true}, {"PolicyRead", "get", "policy", true}, {"GetRecordSet", "update", "", false},
	} {
		if got, found := stem(tc.name, tc.role); got != tc.want || found != tc.found {
			t.Errorf("%s of %s: got %q, %t", tc.role, tc.name, got, found)
		}
	}
}

// TestAlike checks which basic values become which.
func TestAlike(t *testing.T) {
	t.Parallel()
	for _, tc := range []struct {
		a, b types.BasicKind
		want bool
	}{
		{types.Int64, types.Int32, true}, {types.Int8, types.Uint64, true}, {types.Float64, types.Float32, true}, {types.Float64, types.Int64, true},
		{types.Float64, types.String, true}, {types.Float64, types.Bool, false}, {types.String, types.String, true}, {types.String, types.Bool, false},
		{types.Bool, types.Bool, true}, {types.Bool, types.Int, false}, {types.Int, types.String, false}, {types.Int, types.Float64, false},
	} {
		if got := areAlike(types.Typ[tc.a], types.Typ[tc.b]); got != tc.want {
			t.Errorf("%s and %s are alike: %t", types.Typ[tc.a], types.Typ[tc.b], got)
		}
	}
}

// TestWords checks names in Go, in sentences and in JSON.
func TestWords(t *testing.T) {
	t.Parallel()
	for name, want := range map[string][3]string{
		"vpc_id": {"VPCID", "VPC ID", "vpcId"}, "ssh_keys": {"SSHKeys", "SSH keys", "sshKeys"}, "iPv4": {"Ipv4", "IPv4", "ipv4"},
		"userIDs": {"UserIDs", "user ids", "userIds"}, "vpcIDsOf": {"VPCIDsOf", "VPC ids of", "vpcIdsOf"}, "URL": {"URL", "URL", "url"}, "HTTPSPort": {"HTTPSPort", "HTTPS port", "httpsPort"},
		"IPAddress": {"IPAddress", "IP address", "ipAddress"}, "VPCs": {"VPCs", "vpcs", "vpcs"}, "a-b": {"AB", "a b", "aB"},
	} {
		if got := [3]string{goName(name), readable(name), camel(name)}; got != want {
			t.Errorf("%s: got %q, want %q", name, got, want)
		}
	}
}

// TestComments checks what becomes of the SDK's comments.
func TestComments(t *testing.T) {
	t.Parallel()
	for doc, want := range map[string]string{
		"":                                  "VpcID of the load balancer.",
		"the network:":                      "The network.",
		"Output only. It is seen.":          "It is seen.",
		"Seen by the server (output only).": "Seen by the server.",
		"[Output Only] It is seen.":         "It is seen.",
		"It is a time. Output\nonly.":       "It is a time.",
		"Optional. Says more\nthan that.\n\nNot this.":                "Says more than that.",
		"See https://example.org\n\nThe [network](#n) <b>of</b> it .": "The network of it.",
		"Name.\n\nDeprecated: gone.":                                  "Name.",
		"- one":                                                       "One.",
		"See https://example.org":                                     "VpcID of the load balancer.",
		"REQUIRED; The name.":                                         "The name.",
		"This field is required.":                                     "VpcID of the load balancer.",
	} {
		if got := strings.Join(comment("VpcID", doc, "LoadBalancer"), "\n"); got != want {
			t.Errorf("%q: got %q, want %q", doc, got, want)
		}
	}
	if got := comment("X", "", ""); !slices.Equal(got, []string{"X is a part of the external resource."}) {
		t.Errorf("got %q", got)
	}
	if got := wrap("+marker " + strings.Repeat("long ", 20)); len(got) != 2 || strings.HasPrefix(got[0], "+") || len(got[0]) > 95 {
		t.Errorf("got %q", got)
	}
}

// readerOf returns a reader of a probe.
func readerOf(t *testing.T, declared string) *reader {
	t.Helper()
	return newReader(probe(t, things+declared), Options{Kind: "Thing", Package: "example.org/go-probe", Observe: "Thing", Create: "CreateThing"})
}

// TestBudgetLimits checks how many fields of a kind fit, by their part, their comments, and structs within.
func TestBudgetLimits(t *testing.T) {
	t.Parallel()
	long := "// " + strings.Repeat("Says more. ", 100)
	for name, tc := range map[string]struct {
		field, types string
		spec, status int
	}{
		"plain":            {"F%d string", "", 89, 124},
		"with a comment":   {long + "\nF%d string", "", 9, 28},
		"of a long name":   {"F%d" + strings.Repeat("x", 3000) + " string", "", 2, 6},
		"a struct":         {"F%d Part", "type Part struct{ A, B string }", 30, 41},
		"of itself":        {"F%d Part", "type Part struct{ A, B string; Next, Last *Part }", 18, 24},
		"lists of structs": {"F%d []*Part", "type Part struct{ A, B string }", 30, 41},
		"output only":      {"F%d Part", "type Part struct{ A string\n// READ-ONLY; One.\nB string }", 45, 42},
		"texts":            {"F%d Part", "type Part struct{ A, B string }\nfunc (Part) MarshalText() ([]byte, error)\nfunc (*Part) UnmarshalText(text []byte) error", 89, 124},
		"objects":          {"F%d Part", "type Part struct{ ID, A string }\nfunc (Service) GetPart(id string) (*Part, error)", 89, 124},
	} {
		text := "type Box struct {\n"
		for i := range 200 {
			text += fmt.Sprintf(tc.field, i) + "\n"
		}
		source := text + "}\n" + tc.types
		for at, want := range map[part]int{spec: tc.spec, status: tc.status} {
			r, n := readerOf(t, source), 0
			r.all = r.methods()
			for _, s := range r.sources(r.typeOf("", "Box")) {
				if !r.charge(s, at) {
					break
				}
				n++
			}
			if n != want {
				t.Errorf("%s in %v: %d fields fit, want %d", name, at, n, want)
			}
		}
	}
}

// TestForms checks which types a kind writes as text, and which it names by their ID.
func TestForms(t *testing.T) {
	t.Parallel()
	const both = "\nfunc (T) MarshalText() ([]byte, error)\nfunc (*T) UnmarshalText(text []byte) error"
	const got = "\nfunc (Service) GetT(id string) (*T, error)"
	for source, want := range map[string]string{
		"type T struct{ a int }" + both: "text",
		"type T struct{ a int }":        "",
		"type T []byte" + both:          "text",
		"type T string" + both:          "",
		"type T int" + both:             "",
		"type T struct{ a int }\nfunc (T) MarshalText() ([]byte, error)":              "",
		"type T struct{ a int }\nfunc (*T) UnmarshalText(text []byte) error":          "",
		"type T struct{ ID string }" + got:                                            "ID string",
		"type T struct{ Id int64 }" + got:                                             "Id int64",
		"type T struct{ Name, ID string }" + got:                                      "ID string",
		"type T struct{ ID bool }" + got:                                              "",
		"type T struct{ ID *string }" + got:                                           "",
		"type T struct{ Name string }" + got:                                          "",
		"type T struct{ ID string }":                                                  "",
		"type T struct{ ID string }\nfunc (Service) CreateT(name string) (*T, error)": "",
		"type T []string" + got:                                                       "",
		"type T struct{ Key string; IDs []string }" + got:                             "",
	} {
		r := readerOf(t, source)
		r.all = r.methods()
		found := ""
		typ := r.pkg.Types.Scope().Lookup("T").Type()
		if r.textOf(typ) != nil {
			found = "text"
		}
		if id := r.idOf(typ); id != nil {
			found += id.Name() + " " + id.Type().String()
		}
		if found != want {
			t.Errorf("%s: got %q, want %q", source, found, want)
		}
	}
}

// TestCompare checks which types hold the same values. Structs that the kind lacks hold none.
func TestCompare(t *testing.T) {
	t.Parallel()
	for pair, want := range map[string]bool{
		"string = *string": true, "int = string": false, "bool = bool": true, "[]string = []*string": true, "[]string = string": false,
		"[]byte = []byte": true, "[]byte = []int": false, "[]int = []byte": false, "[]int = []int64": true, "[]int = []bool": false,
		"map[string]int = map[string]int64": true, "map[string]int = map[int]int": false, "map[string]int = map[string]bool": false, "map[string]int = []int": false,
		"Text = Text": true, "Text = string": true, "Text = int": false, "Named = Named": true, "Named = string": false,
		"time.Time = time.Time": true, "time.Time = string": true, "time.Time = int": false, "string = time.Time": false,
		"Part = Same": false, "Part = string": false, "chan int = chan int": false,
	} {
		of, other, _ := strings.Cut(pair, " = ")
		r := readerOf(t, "type Text struct{ a int }\nfunc (Text) MarshalText() ([]byte, error)\nfunc (*Text) UnmarshalText(text []byte) error\n"+
			"type Named struct{ ID string }\nfunc (Service) GetNamed(id string) (*Named, error)\ntype Part struct{ A, B string }\ntype Same struct{ A, B string }\nvar of "+of+"\nvar other "+other+"\nvar _ time.Time\n")
		r.all = r.methods()
		scope := r.pkg.Types.Scope()
		if got := r.compare(&Conversion{}, scope.Lookup("of").Type(), scope.Lookup("other").Type(), false); got != want {
			t.Errorf("%s: got %t", pair, got)
		}
	}
}
