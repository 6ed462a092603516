package fromsdk

import (
	"context"
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
	sources, want := map[string]string{}, map[string]string{}
	for _, f := range archive.Files {
		if strings.HasPrefix(f.Name, "want/") {
			want[filepath.Base(f.Name)] = string(f.Data)
		} else {
			sources[f.Name] = string(f.Data)
		}
	}
	return loaded(t, sources, "example.org/provider-test/internal/"+name), want
}

// loaded returns a package of a module with files, and with what clients of gRPC are known by.
func loaded(t *testing.T, sources map[string]string, importPath string) *packages.Package {
	t.Helper()
	files := map[string][]byte{
		"go.mod":       []byte("module example.org/provider-test\n\ngo 1.25\n\nrequire google.golang.org/grpc v1.0.0\n\nreplace google.golang.org/grpc => ./grpc\n"),
		"grpc/go.mod":  []byte("module google.golang.org/grpc\n"),
		"grpc/grpc.go": []byte("// Package grpc stands in for the one of gRPC.\npackage grpc\n\n// A CallOption changes a call.\ntype CallOption interface{}\n"),
	}
	for name, content := range sources {
		files[name] = []byte(content)
	}
	dir := t.TempDir()
	testmodule.WriteTree(t, dir, files)
	pkg, err := load.Types(context.Background(), dir, importPath)
	if err != nil {
		t.Fatal(err)
	}
	return pkg
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
		"rest":   options("Hook", "rest", "ProjectHook", "AddProjectHookOptions", "EditProjectHookOptions"),
		"cloud":  options("Nodegroup", "cloud", "types.Nodegroup", "CreateNodegroupInput", "UpdateNodegroupConfigInput"),
		"alarms": options("Alarm", "alarms", "Alarm", "PutAlarmInput", "PutAlarmInput", "DescribeAlarms", "DeleteAlarms"),
		"crew":   options("Member", "crew", "Member", "NewMember", "MemberChange"),
		"grid":   options("Node", "grid", "Node", "CreateNodeRequest", "UpdateNodeRequest"),
		"zones":  options("Zone", "zones", "Zone", "ZoneCreateOpts", "ZoneUpdateOpts"),
		"repos":  options("Repo", "repos", "Repo", "Repo", "Repo"),
		"vaults": options("Vault", "vaults", "Vault", "VaultNewParams", "VaultEditParams"),
		"slots":  options("Slot", "slots", "Slot", "CreateOpts", "UpdateOpts"),
		"dots":   options("Account", "dots", "Account", "AccountCreateRequest", "", "Create", "Destroy"),
	}
}

// TestRead checks that kinds have the fields, the decisions and the calls that stand in the expected files.
func TestRead(t *testing.T) {
	t.Parallel()
	for name, o := range kinds() {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			pkg, want := sdkOf(t, name)
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
			for _, f := range fields {
				lines := slices.Concat(f.Comment, f.Markers)
				text := "// " + strings.Join(lines, " // ") + " " + f.Name + " " + f.Type + " `json:\"" + f.Tag + "\"`"
				if !strings.Contains(types, oneLine(text)) {
					t.Errorf("the types lack %s", text)
				}
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
				if !strings.Contains(code, oneLine(text)) {
					t.Errorf("the code lacks %s", text)
				}
			}
		})
	}
}

// oneLine returns a text with single spaces.
func oneLine(text string) string { return strings.Join(strings.Fields(text), " ") }
