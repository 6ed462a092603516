package fromsdk

import (
	"context"
	"fmt"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"golang.org/x/tools/go/packages"
	"golang.org/x/tools/txtar"

	"github.com/mrgen-io/mrgen/generator/internal/source/load"
	"github.com/mrgen-io/mrgen/testdata/testmodule"
)

const folder = "../../../../testdata/fromsdk/"

// sdkOf returns the package of an archive, which is below internal, and the files that a kind of it has.
func sdkOf(t *testing.T, name string) (*packages.Package, map[string]string) {
	t.Helper()
	archive, err := txtar.ParseFile(filepath.Join(folder, name+".txtar"))
	if err != nil {
		t.Fatal(err)
	}
	sources, want := map[string][]byte{
		"go.mod": []byte("module example.org/provider-test\n\ngo 1.25\n\nrequire google.golang.org/grpc v1.0.0\n\nreplace google.golang.org/grpc => ./grpc\n"),
		// What clients of gRPC are known by.
		"grpc/go.mod":  []byte("module google.golang.org/grpc\n"),
		"grpc/grpc.go": []byte("// Package grpc stands in for the one of gRPC.\npackage grpc\n\n// A CallOption changes a call.\ntype CallOption interface{}\n"),
	}, map[string]string{}
	for _, f := range archive.Files {
		if strings.HasPrefix(f.Name, "want/") {
			want[filepath.Base(f.Name)] = string(f.Data)
		} else {
			sources[f.Name] = f.Data
		}
	}
	dir := t.TempDir()
	testmodule.WriteTree(t, dir, sources)
	pkg, err := load.Types(context.Background(), dir, "example.org/provider-test/internal/"+name)
	if err != nil {
		t.Fatal(err)
	}
	return pkg, want
}

// options are those for the kinds of the archives.
func options(kind, name, observe, create, update string, methods ...string) Options {
	return Options{
		Package: "example.org/provider-test/internal/" + name, Observe: observe, Create: create, Update: update, Methods: methods,
		Kind: kind, Selector: "xpv2.LocalSecretKeySelector", Omit: "omitzero",
		References: References{Kind: func(name string) string {
			if name == "account" { // which another archive makes
				return "Account"
			}
			return ""
		}, Reference: "xpv2.NamespacedReference", Selector: "xpv2.NamespacedSelector"},
	}
}

// kinds are the options for the archives.
func kinds() map[string]Options {
	return map[string]Options{
		"rest":    options("Hook", "rest", "ProjectHook", "AddProjectHookOptions", "EditProjectHookOptions"),
		"cloud":   options("Nodegroup", "cloud", "types.Nodegroup", "CreateNodegroupInput", "UpdateNodegroupConfigInput"),
		"alarms":  options("Alarm", "alarms", "Alarm", "PutAlarmInput", "PutAlarmInput", "DescribeAlarms", "DeleteAlarms"),
		"crew":    options("Member", "crew", "Member", "NewMember", "MemberChange"),
		"grid":    options("Node", "grid", "Node", "CreateNodeRequest", "UpdateNodeRequest"),
		"zones":   options("Zone", "zones", "Zone", "ZoneCreateOpts", "ZoneUpdateOpts"),
		"repos":   options("Repo", "repos", "Repo", "Repo", "Repo"),
		"shelves": options("Shelf", "shelves", "Shelf", "NewShelf", "ShelfPatch"),
		"vaults":  options("Vault", "vaults", "Vault", "VaultNewParams", "VaultEditParams"),
		"slots":   options("Slot", "slots", "Slot", "CreateOpts", "UpdateOpts"),
		"dots":    options("Account", "dots", "Account", "AccountCreateRequest", "", "Create", "Destroy"),
	}
}

// TestRead checks that kinds have the fields, and their controllers the calls, that stand in the expected files.
func TestRead(t *testing.T) {
	t.Parallel()
	loaded := map[string]*packages.Package{}
	var suggested []string
	for name, o := range kinds() {
		t.Run(name, func(t *testing.T) {
			pkg, want := sdkOf(t, name)
			loaded[name] = pkg
			k, diags := read(pkg, o)
			if len(diags) > 0 {
				t.Fatal(diags)
			}
			file := strings.ToLower(o.Kind)
			types, code := oneLine(want[file+"_types.go"]), oneLine(want["client.go"]+want[file+".go"])
			fields := slices.Concat(k.Parameters, k.Observation)
			for _, s := range k.Structs {
				fields = append(fields, s.Fields...)
			}
			n := 0
			for _, f := range fields {
				lines := slices.Concat(f.Comment, f.Markers)
				text := "// " + strings.Join(lines, " // ") + " " + f.Name + " " + f.Type + " `json:\"" + f.Tag + "\"` " + f.Check()
				if !strings.Contains(types, oneLine(strings.ReplaceAll(text, "` mrgen", "` // mrgen"))) {
					t.Errorf("the types lack %s", text)
				}
				n++
			}
			if got := strings.Count(types, "json:\""); got != n+13 { // those of the kind itself
				t.Errorf("the types have %d fields, want %d", got-13, n)
			}
			if k.Server != nil && !strings.Contains(oneLine(want[file+"_test.go"]), oneLine(k.Server.Client)) {
				t.Errorf("the test lacks %s", k.Server.Client)
			}
			if k.Server != nil {
				checkServer(t, k, oneLine(want[file+"_test.go"]))
			}
			if k.Service != nil {
				for _, text := range k.Service.Methods {
					if !strings.Contains(code, oneLine(text)) {
						t.Errorf("the code lacks %s", text)
					}
				}
			}
			for _, text := range k.Fake {
				if !strings.Contains(oneLine(want[file+"_test.go"]), oneLine(text)) {
					t.Errorf("the test lacks %s", text)
				}
			}
			if isState := strings.Contains(code, "func condition("); isState != (k.States != nil) {
				t.Errorf("states are %v", k.States)
			}
			for _, line := range slices.Concat(k.Conversions.Create.SetSecrets, k.Conversions.Update.SetSecrets) {
				if !strings.Contains(types+code, oneLine(line)) {
					t.Errorf("the kind lacks %s", line)
				}
			}
			for _, d := range k.Decisions {
				if d.Ground == Suggested {
					suggested = append(suggested, d.What)
				}
				checkPlace(t, d)
				if (d.Ground == Suggested) != (d.Check != "") || !strings.Contains(types+code, oneLine(d.Check)) {
					t.Errorf("%s is %s, %s, and nothing asks about it: %q", d.What, d.Choice, d.Ground, d.Check)
				}
			}
			for _, line := range k.NotFound.Body {
				if !strings.Contains(code, oneLine(line)) {
					t.Errorf("the code lacks %s", line)
				}
			}
			for _, left := range k.Left {
				if !strings.Contains(types, "// mrgen:check: the kind lacks "+left+".") {
					t.Errorf("the types don't say that they lack %s", left)
				}
			}
			if said := strings.Count(types, "mrgen:check: the kind lacks"); said != len(k.Left) {
				t.Errorf("the types lack %d fields, want %d", len(k.Left), said)
			}
			for _, c := range []*Call{k.Get, k.Create, k.Update, k.Delete} {
				if c == nil {
					continue
				}
				for _, text := range []string{c.Name + c.Signature, c.Results + " := e.client." + c.Name + "(" + c.Arguments + ")"} {
					if !strings.Contains(code, oneLine(text)) {
						t.Errorf("the code lacks %s", text)
					}
				}
			}
		})
	}
	checkMatchers(t, strings.Join(append(suggested, suggestionsOfProbes(t)...), "\n"))
	refuse(t, loaded["dots"], loaded["cloud"], loaded["crew"])
}

// checkServer checks that a test tells its server all facts about the API, and no others.
func checkServer(t *testing.T, k *Kind, test string) {
	t.Helper()
	key := fmt.Sprintf("Key: %q,", k.Server.Key)
	if k.Server.Number {
		key += " Number: true,"
	}
	if !strings.Contains(test, key) || strings.Contains(test, "Number: true, Envelopes:") && !k.Server.Number {
		t.Errorf("the test lacks %s", key)
	}
	for name, values := range map[string][]string{
		"Envelopes": k.Server.Envelopes, "Keeps": k.Server.Keeps, "Reorders": k.Server.Reorders, "Hides": k.Server.Hides,
	} {
		literal := name + ": []string{"
		if len(values) > 0 {
			literal += `"` + strings.Join(values, `", "`) + `"},`
		}
		if strings.Contains(test, literal) != (len(values) > 0) {
			t.Errorf("the server's %s are %q", name, values)
		}
	}
	if strings.Contains(test, "Requests: []any{") != (len(k.Server.Types) > 0) || strings.Contains(test, "&simulated.List{") != (k.Server.List != "") {
		t.Errorf("the server has the types %q and lists %s", k.Server.Types, k.Server.List)
	}
	if k.Server.List != "" && !strings.Contains(test, k.Server.List) || k.Server.Value != "" && !strings.Contains(test, k.Server.Value) {
		t.Errorf("the test lacks %s or %s", k.Server.List, k.Server.Value)
	}
}

// proved are the decisions that no name alone makes, by the file where they show.
var proved = map[string]string{
	"absent": inClient, "reads the object": inClient, "creates the object": inClient, "updates the object": inClient, "deletes the object": inClient,
	"the external name": inController, "only the API sets it": inTypes, "can't be changed": inTypes, "requests don't carry a zero": inTypes,
	"left out as deprecated": inTypes,
}

// checkPlace checks that a decision says what was decided, and where that shows.
func checkPlace(t *testing.T, d Decision) {
	t.Helper()
	says := (strings.HasSuffix(d.What, " says") || strings.HasSuffix(d.What, " says that the object is absent")) && d.Place == inClient
	if d.Ground != Suggested && !says && (d.Place == "" || proved[d.What] != d.Place) || d.Choice == "" {
		t.Errorf("%s: %s, which is %s, shows in %s", d.What, d.Choice, d.Ground, d.Place)
	}
}

// TestBudget checks that a kind stays within its budget, even if a request is the object, holds others of its type, and
// has more fields than any definition may.
func TestBudget(t *testing.T) {
	t.Parallel()
	const fields = 400
	var source strings.Builder
	source.WriteString("// Package big is an SDK.\npackage big\n\n// Thing is what the API has.\ntype Thing struct {\nID int64 `json:\"id\"`\n")
	for i := range fields {
		fmt.Fprintf(&source, "// Field%d %s.\nField%d *string `json:\"field%d,omitempty\"`\n", i, strings.Repeat("says more ", i%20), i, i)
	}
	source.WriteString("Parent, Source, Template *Thing\n}\n\n// Client is a client.\ntype Client struct{}\n")
	for _, signature := range []string{"CreateThing(t *Thing) (*Thing, error)", "UpdateThing(id int64, t *Thing) (*Thing, error)", "GetThing(id int64) (*Thing, error)"} {
		source.WriteString("\n// " + signature + "\nfunc (Client) " + signature + " { return nil, nil }\n")
	}
	source.WriteString("\n// DeleteThing deletes one.\nfunc (Client) DeleteThing(id int64) error { return nil }\n")
	dir := t.TempDir()
	testmodule.WriteTree(t, dir, map[string][]byte{"go.mod": []byte("module example.org/big\n\ngo 1.25\n"), "big.go": []byte(source.String())})
	pkg, err := load.Types(context.Background(), dir, "example.org/big")
	if err != nil {
		t.Fatal(err)
	}
	k, diags := read(pkg, options("Thing", "big", "Thing", "Thing", "Thing"))
	if len(diags) > 0 {
		t.Fatal(diags)
	}
	lines, bytes := 0, 0
	for _, f := range k.Parameters {
		lines += len(f.Comment) + len(f.Markers) + 2
		bytes += 3 * (len(f.Name) + len(strings.Join(f.Comment, " ")))
	}
	if n := len(k.fields()); n < 50 || n > 150 || lines > 500 || bytes > 60<<10 {
		t.Errorf("got %d fields, %d lines and %d bytes", n, lines, bytes)
	}
	if n := len(k.Left); n == 0 || !strings.HasSuffix(k.Left[n-1], " more, since "+isTooLarge) {
		t.Errorf("the kind lacks %q", k.Left)
	}
}

// oneLine returns a text with single spaces.
func oneLine(text string) string { return strings.Join(strings.Fields(text), " ") }

// refuse checks what is said of types and methods that no kind can be made of.
func refuse(t *testing.T, dots, cloud, crew *packages.Package) {
	t.Helper()
	for _, tc := range []struct {
		pkg                     *packages.Package
		observe, create, method string
		want                    string
	}{
		{dots, "Acount", "AccountCreateRequest", "", "--observe: example.org/provider-test/internal/dots declares no type Acount, and the nearest name is Account"},
		{dots, "Account", "Request", "", "--create: example.org/provider-test/internal/dots declares no type Request"},
		{dots, "AccountsService", "AccountCreateRequest", "", "--observe: AccountsService is not a struct: name the one of the API's object, or of a request"},
		{dots, "Account", "AccountCreateRequest", "", "Create and CreateMultiple each take AccountCreateRequest: say which with --method"},
		{dots, "Account", "AccountCreateRequest", "Creat", "--method: no type of example.org/provider-test/internal/dots has a method Creat, and the nearest name is Create"},
		{dots, "Account", "Region", "", "no method of example.org/provider-test/internal/dots takes Region: name another type with --create, or the method with --method"},
		{dots, "Region", "AccountCreateRequest", "Create", "no method of example.org/provider-test/internal/dots returns Region: name another type with --observe, or the method with --method"},
		{cloud, "Nodegroup", "CreateNodegroupInput", "", "--observe: example.org/provider-test/internal/cloud declares no type Nodegroup: there is types.Nodegroup"},
		{crew, "Ticket", "Ticket", "", "Ticket has no field that a kind could have: name another type with --create"},
		{crew, "Pass", "NewPass", "", "GetPass takes passID, and nothing that CreatePass returns is named so: make a kind of other types or methods, or write its controller by hand"},
		{cloud, "type.Nodegroup", "CreateNodegroupInput", "", "--observe: example.org/provider-test/internal/cloud imports no package type: name the type as Go code in that package would"},
	} {
		o := options("Box", tc.pkg.Name, tc.observe, tc.create, "")
		if tc.method != "" {
			o.Methods = []string{tc.method}
		}
		_, diags := read(tc.pkg, o)
		if len(diags) != 1 || diags[0].Message != tc.want {
			t.Errorf("%s, %s, %s: got %v, want %s", tc.observe, tc.create, tc.method, diags, tc.want)
		}
	}
	dir := t.TempDir()
	testmodule.WriteTree(t, dir, map[string][]byte{
		"go.mod":          []byte("module example.org/provider-test\n\ngo 1.25\n"),
		"internal/a/a.go": []byte("package a\n\nimport _ \"example.org/provider-test/internal/b\"\n"),
		"internal/b/b.go": []byte("package b\n\nimport _ \"example.org/absent/c\"\n"),
	})
	want := "example.org/provider-test/internal/a, or a package that it imports, is of a module that go.mod or go.sum lacks: run go get example.org/absent/c, or name another"
	if _, diags := Read(context.Background(), dir, options("Box", "a", "A", "B", "")); len(diags) != 1 || diags[0].Message != want {
		t.Errorf("of an import that is missing, got %v", diags)
	}
	_, diags := Read(context.Background(), t.TempDir(), options("Box", "none", "A", "B", ""))
	if len(diags) != 1 || !strings.HasPrefix(diags[0].Message, "the package example.org/provider-test/internal/none can't be loaded: ") {
		t.Errorf("of a package that is missing, got %v", diags)
	}
}
