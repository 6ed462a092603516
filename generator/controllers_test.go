package generator_test

import (
	"context"
	"fmt"
	"maps"
	"math/rand/v2"
	"os"
	"os/exec"
	"path"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/mrgen-io/mrgen/generator"
	"github.com/mrgen-io/mrgen/generator/diag"
	"github.com/mrgen-io/mrgen/generator/provider"
	"github.com/mrgen-io/mrgen/generator/scopepair"
	"github.com/mrgen-io/mrgen/testdata/budget"
	"github.com/mrgen-io/mrgen/testdata/expect"
	"github.com/mrgen-io/mrgen/testdata/testmodule"
	"github.com/mrgen-io/mrgen/testdata/testprovider"
)

// TestRandomControllers copies controllers that are put together at random from what real ones are made
// of. What can't be copied is an error with a position in the source, and nothing is written then;
// what is written compiles, with tests.
func TestRandomControllers(t *testing.T) {
	for seed := range budget.Of(1, 8) {
		newRandomModule(t, uint64(seed)).check()
	}
}

// A randomModule is a provider with a hand-written scope and packages of controllers.
type randomModule struct {
	*testing.T
	*rand.Rand
	seed uint64
	root string
	// from is the scope of the source, and to the other one.
	from, to string
	// wanted says of packages whether they are copied.
	wanted map[string]wanted
	// number is that of the last shape.
	number int
}

func newRandomModule(t *testing.T, seed uint64) *randomModule {
	scopes := []string{"namespaced", "cluster"}
	m := &randomModule{from: scopes[seed%2], to: scopes[1-seed%2], T: t, Rand: rand.New(rand.NewPCG(seed, 1)), seed: seed, root: t.TempDir(), wanted: map[string]wanted{}}
	m.write("go.mod", strings.Replace(string(testmodule.Read(t, "../testdata/provider-example/go.mod")), "module github.com/mrgen-io/provider-example", "module example.org/provider", 1))
	m.write("go.sum", string(testmodule.Read(t, "../testdata/provider-example/go.sum")))
	for _, name := range []string{"lib/v2/lib", "go-yaml.v3/yaml", "odd/strange"} {
		m.write("internal/"+name+".go", "package "+path.Base(name)+"\n\nfunc Name(any) string { return \"\" }\n")
	}
	m.write("internal/lib/v2/scopes.go", "package lib\n\nfunc Here(any) string { return \"\" }\n\nfunc There(any) string { return \"\" }\n")
	m.write("internal/"+m.from+"/renamed/client.go", "package other\n\ntype Client struct{}\n")
	m.file("internal/"+m.from+"/shared/options.go", "shared", "type Options struct {\n\tBucket *$v1.Bucket\n\tClient $other.Client\n}\n")
	m.file("apis/"+m.from+"/storage/v1/bucket.go", "v1", api)
	doc := "// Package v1 has kinds.\n// +kubebuilder:object:generate=true\n// +groupName=storage.m.example.org\npackage v1\n"
	if m.from == "cluster" {
		doc = inCluster.Replace(doc)
	}
	m.write("apis/"+m.from+"/storage/v1/doc.go", doc)
	var deck, wrong []shape
	for _, s := range shapes {
		if s.scope != "" && s.scope != m.from {
			continue
		}
		if s.wanted == asCopy {
			deck = append(deck, s)
		} else {
			wrong = append(wrong, s)
		}
	}
	for _, s := range wrong {
		m.addPackage(append(m.some(deck), s))
	}
	m.Shuffle(len(deck), func(i, j int) { deck[i], deck[j] = deck[j], deck[i] })
	for part := range slices.Chunk(deck, 4) {
		m.addPackage(append(part, m.some(deck)...))
	}
	return m
}

// api has the kinds of the modules.
const api = `
const group = "storage.m.example.org"

// BucketGroupKind names the kind.
const BucketGroupKind = "Bucket." + group

// BucketParameters are desired.
type BucketParameters struct {
	// +optional
	Region *string ` + "`json:\"region,omitempty\"`" + `
	// +optional
	Parent *string ` + "`json:\"parent,omitempty\"`" + `
	// +optional
	ParentRef *$xpv2.NamespacedReference ` + "`json:\"parentRef,omitempty\"`" + `
	// +optional
	PasswordRef $xpv2.LocalSecretKeySelector ` + "`json:\"passwordRef,omitempty\"`" + `
}

// BucketSpec is desired.
type BucketSpec struct {
	$xpv2.ManagedResourceSpec ` + "`json:\",inline\"`" + `
	ForProvider BucketParameters ` + "`json:\"forProvider\"`" + `
}

// BucketStatus is observed.
type BucketStatus struct {
	$xpv2.ManagedResourceStatus ` + "`json:\",inline\"`" + `
}

// A Bucket is a managed resource.
// +kubebuilder:object:root=true
// +kubebuilder:subresource:status
// +kubebuilder:resource:scope=Namespaced
type Bucket struct {
	$metav1.TypeMeta ` + "`json:\",inline\"`" + `
	$metav1.ObjectMeta ` + "`json:\"metadata,omitempty\"`" + `
	Spec BucketSpec ` + "`json:\"spec\"`" + `
	Status BucketStatus ` + "`json:\"status,omitempty\"`" + `
}

// BucketList has buckets.
// +kubebuilder:object:root=true
type BucketList struct {
	$metav1.TypeMeta ` + "`json:\",inline\"`" + `
	$metav1.ListMeta ` + "`json:\"metadata,omitempty\"`" + `
	Items []Bucket ` + "`json:\"items\"`" + `
}
`

// some returns a few shapes.
func (m *randomModule) some(of []shape) []shape {
	var picked []shape
	for range m.IntN(4) {
		picked = append(picked, of[m.IntN(len(of))])
	}
	return picked
}

// addPackage writes a package of shapes.
func (m *randomModule) addPackage(of []shape) {
	name := fmt.Sprintf("p%d", len(m.wanted))
	m.wanted[name] = asCopy
	m.Shuffle(len(of), func(i, j int) { of[i], of[j] = of[j], of[i] })
	texts := map[string]string{}
	for _, s := range of {
		m.number++
		if s.wanted != asCopy {
			m.wanted[name] = s.wanted
		}
		main, other := path.Join("internal", m.from, name, "a.go"), path.Join("internal", m.from, name, "b.go")
		if m.IntN(2) == 0 {
			main, other = other, main
		}
		file := main
		for line := range strings.Lines(strings.ReplaceAll(s.text, "@", fmt.Sprint(m.number)) + "\n") {
			to, isFile := strings.CutPrefix(strings.TrimSpace(line), "== ")
			switch {
			case !isFile:
				texts[file] += line
				continue
			case to == "other":
				file = other
			case to == "test":
				file = path.Join("internal", m.from, name, "a_test.go")
			case to == "own":
				file = path.Join("internal", m.to, name, "own.go")
			case to == "owntest":
				file = path.Join("internal", m.to, name, "own_test.go")
			default:
				file = path.Join("internal", m.from, name, to)
			}
		}
	}
	for _, file := range slices.Sorted(maps.Keys(texts)) {
		m.file(file, name, texts[file])
	}
}

var importedName = regexp.MustCompile(`\$[a-z0-9]+`)

// inCluster replaces what has another name in cluster scope.
var inCluster = strings.NewReplacer(
	"NamespacedReference", "Reference", "$xpv2.ManagedResourceSpec", "$xpv2.ClusterManagedResourceSpec", "LocalSecretKeySelector", "SecretKeySelector",
	"scope=Namespaced", "scope=Cluster", "scope=namespaced", "scope=cluster", "storage.m.example.org", "storage.example.org",
)

// file writes a file of a package, which gives the packages that it imports names at random.
func (m *randomModule) file(file, pkg, text string) {
	if path.Ext(file) != ".go" {
		m.write(file, text)
		return
	}
	from := m.from
	if strings.HasPrefix(file, "internal/"+m.to+"/") {
		from = m.to
	}
	if from == "cluster" {
		text = inCluster.Replace(text)
	}
	names, isTaken := map[string]string{}, map[string]bool{}
	var imports []string
	text = importedName.ReplaceAllStringFunc(text, func(word string) string {
		key := word[1:]
		if names[key] == "" {
			of := imported[key]
			name := []string{of.name, of.name, key, "my" + key}[m.IntN(4)]
			if isTaken[name] {
				name = "its" + key
			}
			names[key], isTaken[name] = name, true
			spec := fmt.Sprintf("%q", strings.Replace(of.path, "FROM", from, 1))
			if name != of.name || m.IntN(4) == 0 {
				spec = name + " " + spec
			}
			imports = append(imports, spec)
		}
		return names[key]
	})
	if strings.Contains(text, "//go:embed") {
		imports = append(imports, `_ "embed"`)
	}
	head := "package " + pkg + "\n\n"
	if len(imports) > 0 {
		head += "import (\n\t" + strings.Join(imports, "\n\t") + "\n)\n\n"
	}
	m.write(file, head+text)
}

func (m *randomModule) write(file, content string) {
	testmodule.Write(m, filepath.Join(m.root, filepath.FromSlash(file)), []byte(content))
}

// check copies what can be copied, and has the go command judge it.
func (m *randomModule) check() {
	m.Helper()
	options := provider.Default()
	options.Dir, options.Packages = m.root, []string{"./apis/..."}
	groups := map[string]string{"namespaced": "*.m.example.org", "cluster": "*.example.org"}
	setting := func(text string) scopepair.Setting {
		return scopepair.Setting{Text: text, Pos: diag.Position{File: "mrgen.yaml", Line: 1, Column: 1}}
	}
	options.Scopes = []scopepair.Pair{{
		Folders: scopepair.Folders{From: setting("apis/" + m.from), To: setting("apis/" + m.to)},
		Groups:  []scopepair.Replacement{{Old: setting(groups[m.from]), New: setting(groups[m.to])}}, Helpers: setting("internal/scope"), Tests: true,
	}}
	testprovider.Apply(m.T, options)
	testmodule.Download(m.T, m.root)
	options.Scopes[0].Code = []scopepair.Folders{{From: setting("internal/" + m.from), To: setting("internal/" + m.to)}}
	options.Scopes[0].Replace = []scopepair.Replacement{
		{Old: setting("here"), New: setting("there")},
		{Old: setting("example.org/provider/internal/lib/v2.Here"), New: setting("example.org/provider/internal/lib/v2.There")},
	}
	for {
		result := expect.Value(generator.Generate(context.Background(), options.Run()))(m)
		refused := m.refused(result.Diagnostics)
		if len(refused) == 0 {
			if diags, err := result.Apply(context.Background()); err != nil || len(diags) > 0 {
				m.Fatal(err, diags)
			}
			break
		}
		if changes := result.Changes(); len(changes) > 0 {
			m.Fatalf("seed %d: there are errors, and %d files to write", m.seed, len(changes))
		}
		for name := range refused {
			for _, scope := range []string{"namespaced", "cluster"} {
				expect.NoError(m, os.RemoveAll(filepath.Join(m.root, "internal", scope, name)))
			}
			delete(m.wanted, name)
		}
	}
	for name, wanted := range m.wanted {
		if wanted == asError {
			m.Errorf("seed %d: this is copied, and should be an error:%s", m.seed, m.source(name))
		}
	}
	m.vet()
}

// refused returns the packages with errors, each of which has a position in the source.
func (m *randomModule) refused(diags diag.List) map[string]bool {
	m.Helper()
	refused := map[string]bool{}
	for _, d := range diags {
		if d.Severity != diag.Error {
			continue
		}
		name, _, _ := strings.Cut(strings.TrimPrefix(d.Pos.File, "internal/"+m.from+"/"), "/")
		switch content, err := os.ReadFile(filepath.Join(m.root, filepath.FromSlash(d.Pos.File))); {
		case m.wanted[name] == "" || err != nil:
			m.Fatalf("seed %d: this is not in a source: %s", m.seed, d)
		case d.Pos.Line < 1 || d.Pos.Line > strings.Count(string(content), "\n") || d.Pos.Column < 1:
			m.Errorf("seed %d: this is not a position in the source: %s%s", m.seed, d, m.source(name))
		case m.wanted[name] == asCopy:
			m.Errorf("seed %d: this should be copied: %s%s", m.seed, d, m.source(name))
		}
		refused[name] = true
	}
	return refused
}

// vet has the go command type-check source and copies, with tests.
func (m *randomModule) vet() {
	m.Helper()
	command := exec.Command("go", "vet", "-assign", "./...")
	command.Dir = m.root
	command.Env = append(os.Environ(), "GOFLAGS=-mod=mod -trimpath", "GOWORK=off", "GOPROXY=off")
	output, err := command.CombinedOutput()
	if err == nil {
		return
	}
	m.Errorf("seed %d: go vet fails: %v\n%s", m.seed, err, output)
	for name := range m.wanted {
		if strings.Contains(string(output), "/"+name+"/") {
			m.Error(m.source(name))
		}
	}
}

// source returns the files of a package in both scopes.
func (m *randomModule) source(name string) string {
	var text strings.Builder
	for _, scope := range []string{"namespaced", "cluster"} {
		dir := filepath.Join(m.root, "internal", scope, name)
		if _, err := os.Stat(dir); err == nil {
			for file, content := range testmodule.ReadTree(m, dir) {
				fmt.Fprintf(&text, "\n-- internal/%s/%s/%s --\n%s", scope, name, file, content)
			}
		}
	}
	return text.String()
}
