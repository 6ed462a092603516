package scaffold_test

import (
	"bytes"
	"context"
	_ "embed"
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"math/rand"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/mrgen-io/mrgen/generator/diag"
	"github.com/mrgen-io/mrgen/generator/internal/workshop/fromsdk"
	authoring "github.com/mrgen-io/mrgen/generator/internal/workshop/scaffolding"
	"github.com/mrgen-io/mrgen/generator/report"
	"github.com/mrgen-io/mrgen/generator/scaffold"
	"github.com/mrgen-io/mrgen/testdata/budget"
	"github.com/mrgen-io/mrgen/testdata/expect"
	"github.com/mrgen-io/mrgen/testdata/testmodule"
	"github.com/mrgen-io/mrgen/testdata/testprovider"
)

// TestFreeTypes deletes and renames fields of the types of new kinds: all of a kind with example fields, and each one, or with a
// small budget some, and some of kinds that are made of SDKs at random. Whatever types become, generate has no messages,
// controllers compile, with their tests, and the tests of kinds with example fields pass: no server can be asked by the SDKs.
func TestFreeTypes(t *testing.T) {
	t.Parallel()
	dir := filepath.Join(t.TempDir(), "provider")
	newProvider(t, dir, scaffold.Namespaced)
	changes := []typesChange{{"", deleted}}
	for _, field := range []string{"Region", "Size", "Description", "Tags", "ID", "Endpoint"} {
		for how := range waysToChange {
			changes = append(changes, typesChange{field, how})
		}
	}
	for i, change := range budget.Sample(changes, 8) {
		kind := authoring.Kind{Name: fmt.Sprintf("Example%c", 'A'+i), Group: "examples", Version: "v1"}
		if i%2 == 1 {
			kind.Example = authoring.Example{NoTags: change.field != "Tags", APINames: true}
		}
		addFreeKind(t, dir, kind)
		types := readTypes(t, dir, kind)
		types.apply(change)
		types.write(t)
	}
	random := rand.New(rand.NewSource(1))
	var made []*typesFile
	for i := range budget.Of(3, 15) {
		kind := randomKind(t, dir, random, i)
		addFreeKind(t, dir, kind)
		made = append(made, readTypes(t, dir, kind))
	}
	for round := range budget.Of(1, 2) {
		for _, types := range made {
			types.content = types.original
			fields := types.free()
			change := typesChange{fields[random.Intn(len(fields))], (random.Intn(waysToChange) + round) % waysToChange}
			types.apply(change)
			types.write(t)
		}
		options := testprovider.Options(t, dir)
		options.Lives = true
		testprovider.Apply(t, options)
		testprovider.Vet(t, dir)
	}
	if !budget.IsLarge() {
		return
	}
	// A life begins with the example of the kind, whose fields are the old ones so far.
	manifests, err := report.Examples(context.Background(), testprovider.Options(t, dir).Run(), "examples")
	expect.Must(t, err == nil && !manifests.Diagnostics.HasErrors(), "%v %v", manifests.Diagnostics, err)
	if diags, err := manifests.Apply(context.Background()); err != nil || len(diags) > 0 {
		t.Fatal(diags, err)
	}
	for _, name := range expect.Value(filepath.Glob(filepath.Join(dir, "internal/controller/examples/*/*_test.go")))(t) { // whose region may be gone
		types := expect.Value(os.ReadFile(filepath.Join(dir, "apis/examples/v1", filepath.Base(filepath.Dir(name))+"_types.go")))(t)
		if !bytes.Contains(types, []byte(`json:"region`)) {
			text := bytes.Replace(expect.Value(os.ReadFile(name))(t), []byte(`Identifiers: []string{"region"},`), nil, 1)
			expect.NoError(t, os.WriteFile(name, text, 0o644))
		}
	}
	out, err := testmodule.Run(dir, "go", "test", "-vet=off", "-trimpath", "-ldflags=-s -w", "./internal/controller/examples/...")
	expect.True(t, err == nil, "go test: %v\n%s", err, out)
}

// addFreeKind writes the files of a kind to a provider, without what is generated.
func addFreeKind(t *testing.T, dir string, kind authoring.Kind) {
	t.Helper()
	provider, diags := authoring.Read(dir)
	provider.Clients, provider.Definitions = []string{"./internal/controller/..."}, "package/crds"
	added, more, err := provider.AddKind(dir, kind)
	if diags = append(diags, more...); err != nil || len(diags) > 0 {
		t.Fatalf("%s: %v %v", kind.Name, err, diags)
	}
	testmodule.WriteTree(t, dir, added.Files)
}

// The ways to change a field. It has another name in Go, or in JSON, so that one is left by which its
// counterpart in the SDK is found.
const (
	deleted = iota
	renamed
	renamedInJSON
	waysToChange
)

// A typesChange is what becomes of a field, and of all if it has no name.
type typesChange struct {
	field string
	how   int
}

// A typesFile is a file with the types of a kind.
type typesFile struct {
	path, kind        string
	original, content string
}

func readTypes(t *testing.T, dir string, kind authoring.Kind) *typesFile {
	t.Helper()
	path := filepath.Join(dir, "apis", kind.Group, kind.Version, strings.ToLower(kind.Name)+"_types.go")
	content := string(testmodule.Read(t, path))
	return &typesFile{path: path, kind: kind.Name, original: content, content: content}
}

func (f *typesFile) write(t *testing.T) {
	t.Helper()
	testmodule.Write(t, f.path, []byte(f.content))
}

// eachField calls a function with the fields of the kind's parameters and observation, and of structs in
// these, the last one first.
func (f *typesFile) eachField(do func(name string, field *ast.Field, fset *token.FileSet)) {
	fset := token.NewFileSet()
	file, err := parser.ParseFile(fset, f.path, f.content, parser.ParseComments|parser.SkipObjectResolution)
	if err != nil {
		panic(err) // which the scaffold has written
	}
	ast.Inspect(file, func(n ast.Node) bool {
		spec, ok := n.(*ast.TypeSpec)
		if !ok {
			return true
		}
		for _, end := range []string{"", "Spec", "Status", "List"} {
			if spec.Name.Name == f.kind+end {
				return false
			}
		}
		fields := slices.Clone(spec.Type.(*ast.StructType).Fields.List)
		slices.Reverse(fields)
		for _, field := range fields {
			if len(field.Names) == 1 {
				if field.Names[0].Name == "SentVersions" {
					continue // which the controller itself keeps there
				}
				do(field.Names[0].Name, field, fset)
			}
		}
		return false
	})
}

// free returns the fields that the controller of a kind from an SDK doesn't name: others than arguments of methods and secrets.
func (f *typesFile) free() []string {
	var all []string
	f.eachField(func(name string, field *ast.Field, _ *token.FileSet) {
		if !strings.HasSuffix(name, "SecretRef") && !strings.Contains(field.Doc.Text(), "mrgen:identifier") {
			all = append(all, name)
		}
	})
	return all
}

var jsonTag = regexp.MustCompile(`json:"`)

// apply changes the fields of a name, or all.
func (f *typesFile) apply(change typesChange) {
	lines := strings.Split(f.content, "\n")
	f.eachField(func(name string, field *ast.Field, fset *token.FileSet) {
		if change.field != "" && name != change.field {
			return
		}
		first, last := fset.Position(field.Pos()).Line-1, fset.Position(field.End()).Line-1
		switch change.how {
		case deleted:
			if field.Doc != nil {
				first = fset.Position(field.Doc.Pos()).Line - 1
			}
			for i := first; i <= last; i++ {
				lines[i] = "\x00"
			}
		case renamed:
			lines[last] = strings.Replace(lines[last], name, "Another"+name, 1)
		case renamedInJSON:
			lines[last] = jsonTag.ReplaceAllString(lines[last], `json:"another`)
		}
	})
	f.content = strings.Join(slices.DeleteFunc(lines, func(line string) bool { return line == "\x00" }), "\n")
}

// randomKind writes a package of an SDK with an object and requests at random, and returns a kind of them.
func randomKind(t *testing.T, dir string, random *rand.Rand, i int) authoring.Kind {
	t.Helper()
	name := fmt.Sprintf("Thing%c%c", 'A'+i/26, 'a'+i%26)
	s := randomSDK{random: random, name: name, tags: random.Intn(2) == 0}
	folder := "internal/sdk" + strings.ToLower(name)
	testmodule.Write(t, filepath.Join(dir, folder, "sdk.go"), []byte(s.source()))
	o := &fromsdk.Options{Package: "example.org/provider-test/" + folder, Observe: name, Create: "Create" + name + "Input", Update: "Update" + name + "Input"}
	return authoring.Kind{
		Name: name, Group: fmt.Sprint("group", i/5), Version: "v1", SDK: o,
		ReadSDK: func(o fromsdk.Options) (*fromsdk.Kind, diag.List) { return fromsdk.Read(context.Background(), dir, o) },
	}
}

// A randomSDK writes an SDK.
type randomSDK struct {
	random *rand.Rand
	name   string
	// tags has fields have names in JSON.
	tags bool
}

// sdkTemplate is an SDK with one object, which places in capitals describe.
//
//go:embed testdata/sdk.go.txt
var sdkTemplate string

func (s randomSDK) source() string {
	var object, create, update strings.Builder
	field := func(to *strings.Builder, name, typ string) {
		tag := ""
		if s.tags {
			tag = " `json:\"" + strings.ToLower(name[:1]) + strings.ReplaceAll(name[1:], "T", "_t") + ",omitempty\"`"
		}
		fmt.Fprintf(to, "\t%s %s%s\n", name, typ, tag)
	}
	types := []string{"string", "int64", "int32", "bool", "float64", "time.Time", "Level", "Part", "[]string", "[]Part", "[]*Part", "map[string]string", "map[string]Part"}
	pick := func() string {
		return strings.ReplaceAll(types[s.random.Intn(len(types))], "Part", []string{"Part", "OtherPart"}[s.random.Intn(2)])
	}
	pointer := func(typ string) string {
		if strings.HasPrefix(typ, "[") || strings.HasPrefix(typ, "map") {
			return typ
		}
		return "*" + typ
	}
	names := []string{"Alpha", "BetaTest", "Gamma", "DeltaTest", "Epsilon", "Zeta", "EtaTest", "Password", "Labels"}
	for _, i := range s.random.Perm(len(names))[:2+s.random.Intn(len(names)-2)] {
		typ := pick()
		if names[i] == "Password" {
			typ = "string"
		}
		other := func() string { // or something else of the name
			if s.random.Intn(8) == 0 && names[i] != "Password" {
				return pick()
			}
			return typ
		}
		inCreate := s.random.Intn(6) > 0
		if inCreate {
			field(&create, names[i], pointer(typ))
		}
		if !inCreate || s.random.Intn(3) > 0 {
			field(&update, names[i], pointer(other()))
		}
		if s.random.Intn(5) > 0 {
			field(&object, names[i], other())
		}
	}
	field(&object, "Size", "int64")
	field(&create, "Size", "*int64")
	field(&object, "State", "string")
	if s.random.Intn(2) == 0 {
		field(&object, "Peer", "*OtherPart")
	}
	parent := ""
	switch s.random.Intn(4) {
	case 0:
		parent = "pid any, "
	case 1:
		parent = "projectID string, "
	case 2:
		parent = "regionName string, " // which is not a kind of the provider
	}
	if parent != "" && s.random.Intn(2) == 0 {
		field(&object, "ProjectID", "int64")
	}
	id, idType := "id int64", "int64"
	if s.random.Intn(2) == 0 {
		id, idType = "id string", "string"
	}
	field(&object, "ID", idType)
	return strings.NewReplacer("NAME", s.name, "OBJECT", object.String(), "CREATE", create.String(), "UPDATE", update.String(), "PARENT", parent, "IDENTIFIER", id).Replace(sdkTemplate)
}
