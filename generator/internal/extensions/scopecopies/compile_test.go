package scopecopies

import (
	"context"
	"fmt"
	"go/token"
	"maps"
	"math/rand/v2"
	"path"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/mrgen-io/mrgen/generator/internal/source/modules"
	"github.com/mrgen-io/mrgen/generator/internal/stagerunner"
	"github.com/mrgen-io/mrgen/generator/run"
	"github.com/mrgen-io/mrgen/generator/scopepair"
	"github.com/mrgen-io/mrgen/testdata/budget"
	"github.com/mrgen-io/mrgen/testdata/expect"
	"github.com/mrgen-io/mrgen/testdata/testmodule"
)

// inBothScopes are parts of controllers: of kinds in package api, with types in packages of Crossplane.
var inBothScopes = []string{
	`bucket.Spec.ForProvider.Ref = &refs.NamespacedReference{Name: "a"}`, `bucket.Spec.ForProvider.Ref = (*refs.NamespacedReference)(nil)`,
	`_ = api.Bucket{Spec: api.BucketSpec{ForProvider: api.Parameters{Ref: &refs.NamespacedReference{Name: bucket.Name}}}}`,
	`all := map[string]refs.NamespacedSelector{}; _ = append([]refs.NamespacedReference{}, *bucket.Spec.ForProvider.Ref); _ = all`,
	`_ = map[refs.NamespacedReference]*api.Bucket{{Name: "a"}: bucket}`,
	`switch x := any(bucket).(type) { case *api.Bucket: _ = x.Spec.ForProvider.Ref.Name; case refs.NamespacedReference: _ = x.Name }`,
	`if x, ok := any(bucket).(*refs.NamespacedReference); ok { bucket.Spec.ForProvider.Ref = x }`,
	`bucket.Spec.ForProvider.Ref = new(refs.NamespacedReference); _ = make([]refs.NamespacedReference, 1)[0].Name; _ = make(map[string]refs.NamespacedReference)`,
	`f := func(r *refs.NamespacedReference, more ...refs.NamespacedSelector) refs.NamespacedReference { return *r }; _ = f(bucket.Spec.ForProvider.Ref)`,
	`type local struct{ refs.NamespacedReference; Selector *refs.NamespacedSelector }; _ = local{}.Name`,
	`type same = refs.NamespacedReference; var r same; bucket.Spec.ForProvider.Ref = &r`,
	`_ = first[refs.NamespacedReference](nil); _ = first([]api.Bucket{*bucket}).Name`,
	`var c chan refs.NamespacedReference; var a [2]refs.NamespacedReference; _, _ = c, a`,
	`bucket.Spec.ProviderConfigReference = &refs.ProviderConfigReference{Name: "a", Kind: "ProviderConfig"}`,
	`bucket.Spec = api.BucketSpec{ManagedResourceSpec: specs.ManagedResourceSpec{ProviderConfigReference: &refs.ProviderConfigReference{Kind: "ProviderConfig", Name: "a"}}}`,
	`_ = bucket.Spec.ManagedResourceSpec.ProviderConfigReference`, `_ = bucket.Spec.WriteConnectionSecretToReference`,
	`cluster, namespaced, v1 := "a", "b", "c"; _, _, _ = cluster, namespaced, v1`,
	`const kind = "ProviderConfig"; bucket.Spec.ProviderConfigReference = &refs.ProviderConfigReference{Name: "a", Kind: kind}`, `_ = odd.Name + strange`,
	`_ = refs.ConditionType("a"); bucket.Spec.ForProvider.Ref = &refs.NamespacedReference{Name: "a"}`,
	`_ = util.Held{Ref: refs.NamespacedReference{Name: "a"}}; _ = &util.Held{Pointer: &refs.NamespacedReference{}, Ref: refs.NamespacedReference{}}`,
	`kind := strings.ToTitle("ProviderConfig"); _ = util.Held{Config: refs.ProviderConfigReference{Name: "a", Kind: kind}}`,
	`_ = util.List{refs.NamespacedReference{Name: "a"}}; _ = []util.Held{{Ref: refs.NamespacedReference{}}}`,
}

// statements are those, and others that compile in namespaced scope alone.
var statements = append(slices.Clip(inBothScopes),
	`_ = fakeProviderConfigReferencer{Ref: &refs.ProviderConfigReference{Name: "a", Kind: "ProviderConfig"}}`,
	`kind := strings.ToTitle("ProviderConfig"); bucket.Spec.ProviderConfigReference = &refs.ProviderConfigReference{Name: "a", Kind: kind}`,
	`_ = bucket.Spec.ProviderConfigReference.Kind`,
	`var f func(*refs.ProviderConfigReference) = func(r *refs.ProviderConfigReference) { r.Kind = "ProviderConfig" }; f(bucket.Spec.ProviderConfigReference)`,
	`util.Take(bucket)`,
	`util.Refer(bucket.Spec.ForProvider.Ref)`,
	`var spec interface{ Secret() string } = any(bucket).(interface{ Secret() string }); _ = spec; util.Take(bucket)`,
	`var m util.Taken = bucket; _ = m`,
	// in neither
	`_ = bucket.Nonsense`,
	`util.Take(bucket, bucket)`,
)

// bucketOf is the source of a kind, with the packages of Crossplane's types.
const bucketOf = `// +groupName=storage.m.example.org
package v1

import (
	refs %[1]q
	specs %[2]q
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
)

type Parameters struct {
	Ref *refs.NamespacedReference ` + "`json:\"ref,omitempty\"`" + `
}

type BucketSpec struct {
	specs.ManagedResourceSpec ` + "`json:\",inline\"`" + `
	ForProvider Parameters ` + "`json:\"forProvider\"`" + `
}

// +kubebuilder:resource:scope=Namespaced
// +crossplane:generate:methods=false
type Bucket struct {
	metav1.TypeMeta ` + "`json:\",inline\"`" + `
	metav1.ObjectMeta ` + "`json:\"metadata,omitempty\"`" + `
	Spec BucketSpec ` + "`json:\"spec\"`" + `
}
`

// firstOf is what the controllers have in common.
const firstOf = `package namespaced

import refs %q

type fakeProviderConfigReferencer struct{ Ref *refs.ProviderConfigReference }

const strange = "a"

func first[T any](all []T) T { return all[0] }
`

// inCluster replaces the names of source in cluster scope.
var inCluster = strings.NewReplacer(
	"namespaced", "cluster", "cluster", "namespaced", "scope=Namespaced", "scope=Cluster", "storage.m.example.org", "storage.example.org",
	"NamespacedReference", "Reference", "NamespacedSelector", "Selector", "refs.ProviderConfigReference", "refs.Reference",
	"common.ProviderConfigReference", "common.Reference", "xp.ProviderConfigReference", "xp.Reference",
	"ManagedResourceSpec", "ClusterManagedResourceSpec", `, Kind: "ProviderConfig"`, "", `Kind: "ProviderConfig", `, "",
)

// utilOf is a package that isn't copied, which takes kinds of namespaced scope.
const utilOf = `package util

import (
	"example.org/provider/apis/namespaced/v1"
	refs %q
)

type Taken interface{ *v1.Bucket | any }

func Take(b *v1.Bucket) {}

func Refer(r *refs.NamespacedReference) {}

type Held struct {
	Ref     refs.NamespacedReference
	Pointer *refs.NamespacedReference
	Config  refs.ProviderConfigReference
}

type List []refs.NamespacedReference
`

// TestCopiesCompile copies random controllers, and has the go command compile the copies: a run reports the lines of the source
// whose copies don't compile, although the source does, and no others. Once they are written, it reports them if all are checked.
func TestCopiesCompile(t *testing.T) {
	for name, packages := range map[string][2]string{
		"core":    {"github.com/crossplane/crossplane/apis/v2/core/v2", "github.com/crossplane/crossplane/apis/v2/core/v2"},
		"cluster": {"github.com/crossplane/crossplane/apis/v2/core/v2", "github.com/crossplane/crossplane/apis/v2/core/v2"},
		"runtime": {"github.com/crossplane/crossplane-runtime/v2/apis/common", "github.com/crossplane/crossplane-runtime/v2/apis/common/v2"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			root := t.TempDir()
			tree := map[string][]byte{
				"go.mod": testmodule.GoMod(t), "apis/namespaced/v1/bucket.go": fmt.Appendf(nil, bucketOf, packages[0], packages[1]),
				"internal/util/util.go": fmt.Appendf(nil, strings.Replace(utilOf, "*v1.Bucket | any", "refs() *v1.Bucket", 1), packages[0]),
				"internal/odd/odd.go":   []byte("package strange\n\nconst Name = \"a\"\n"), "internal/namespaced/first.go": fmt.Appendf(nil, firstOf, packages[0]),
			}
			r := rand.New(rand.NewPCG(1, 2))
			for i := range budget.Of(1, 10) * len(statements) {
				name := fmt.Sprintf("internal/namespaced/part%d%s.go", i, pick(r, "", "", "_test"))
				tree[name] = []byte(controller(r, i, statements[i%len(statements)], packages))
			}
			from, to := "namespaced", "cluster"
			if name == to {
				from, to = to, from
				for name, content := range maps.Clone(tree) {
					delete(tree, name)
					tree[inCluster.Replace(name)] = []byte(inCluster.Replace(string(content)))
				}
			}
			testmodule.WriteTree(t, root, tree)
			groups := map[string]string{"namespaced": "*.m.example.org", "cluster": "*.example.org"}
			pair := parsePair(t, strings.NewReplacer("FROM", from, "TO", to, "OLD", groups[from], "NEW", groups[to]).Replace(
				"folders apis/FROM apis/TO\ngroup OLD NEW\ncode internal/FROM internal/TO\ntests"))
			options := run.Default()
			options.Dir, options.Extensions = root, []run.Extension{Extension([]scopepair.Pair{pair})}
			files, diags := Files(Options{
				Root: root, Module: testmodule.Path, Pairs: []scopepair.Pair{pair}, IsOutput: func(string) bool { return false },
				PackageNames: func(paths []string) map[string]string { return PackageNames(root, paths) },
			})
			expect.None(t, diags.Errors())
			reported := func() []string { return linesOf(t, options) }
			got := reported()
			for name, f := range files {
				testmodule.Write(t, path.Join(root, name), f.Content)
			}
			want := compileErrors(t, root, files)
			diff := cmp.Diff(slices.Sorted(maps.Keys(want)), got)
			expect.True(t, diff == "" && len(want) >= 5, "lines whose copies don't compile (-the go command, +reported):\n%s", diff)
			for line := range want {
				var i int
				if _, err := fmt.Sscanf(path.Base(line), "part%d", &i); err == nil && i%len(statements) < len(inBothScopes) {
					t.Errorf("%s: the copy doesn't compile: %s", line, inBothScopes[i%len(statements)])
				}
			}
			again := reported()
			expect.True(t, len(again) == 0, "copies that stay are checked: %v", again)
			options.TypeCheck = true
			expect.Equal(t, got, reported(), "with all checked")
		})
	}
}

// pick returns one of some texts.
func pick(r *rand.Rand, of ...string) string { return of[r.IntN(len(of))] }

// controller returns a file with statements in a function, which imports packages in one of several forms.
func controller(r *rand.Rand, i int, statements string, packages [2]string) string {
	var specs []string
	add := func(old, importPath string, names ...string) {
		name := pick(r, names...)
		qualifier := regexp.MustCompile(`\b` + old + `\.`)
		if importPath != "" && (qualifier.MatchString(statements) || old == "api") {
			specs = append(specs, strings.TrimSpace(name+" "+strconv.Quote(importPath)))
		}
		if name == "" {
			name = path.Base(importPath)
		}
		statements = qualifier.ReplaceAllString(statements, name+".")
	}
	refs := pick(r, "xp", "common", "namespacedrefs")
	statements = regexp.MustCompile(`\bodd\.`).ReplaceAllString(statements, "strange.")
	if strings.Contains(statements, "strange.") {
		specs = append(specs, strconv.Quote(testmodule.Path+"/internal/odd"))
		statements = strings.ReplaceAll(statements, " + strange", "")
	}
	if packages[0] == packages[1] {
		statements = strings.ReplaceAll(statements, "specs.", "refs.")
	}
	add("specs", packages[1], "xpv2")
	add("refs", packages[0], refs)
	add("util", testmodule.Path+"/internal/util", "")
	add("strings", "strings", "", "text")
	statements = strings.ReplaceAll(statements, ", v1 := ", ", v2 := ")
	statements = strings.ReplaceAll(statements, ", v1\n", ", v2\n")
	parameter := pick(r, "bucket *api.Bucket", "bucket *api.Bucket, _ ...string")
	statements = fmt.Sprintf("func part%d(%s) {\n\t%s\n}\n", i, parameter, strings.ReplaceAll(statements, "; ", "\n\t"))
	add("api", testmodule.Path+"/apis/namespaced/v1", "", "v1", "namespacedv1", "namespaced", "storage")
	r.Shuffle(len(specs), func(i, j int) { specs[i], specs[j] = specs[j], specs[i] })
	imports := "import (\n\t" + strings.Join(specs, "\n\t") + "\n)"
	if r.IntN(2) == 0 {
		imports = "import " + strings.Join(specs, "\nimport ")
	}
	return "package namespaced\n\n" + imports + "\n\n" + statements
}

// linesOf returns the lines that a run reports.
func linesOf(t *testing.T, options run.Options) []string {
	t.Helper()
	_, diags, err := stagerunner.Runner{}.Open(options).Evaluate(context.Background())
	expect.NoError(t, err)
	lines := map[string]bool{}
	for _, d := range diags {
		expect.True(t, strings.HasPrefix(d.Message, "the copy of this in internal/") && strings.Contains(d.Message, " does not compile: "), "unexpected %s", d)
		lines[fmt.Sprintf("%s:%d", d.Pos.File, d.Pos.Line)] = true
	}
	return slices.Sorted(maps.Keys(lines))
}

// atLine matches the beginning of an error of the compiler.
var atLine = regexp.MustCompile(`(?m)^(\S+\.go):(\d+):(\d+): `)

// compileErrors returns the lines of the source in whose copies alone the go command finds errors.
func compileErrors(t *testing.T, root string, copies map[string]*modules.Copy) map[string]bool {
	t.Helper()
	out, err := testmodule.Run(root, "go", "test", "-c", "-trimpath", "-gcflags=-e", "-o", root+"/compiled/", "./internal/...")
	expect.Must(t, err != nil, "the controllers compile")
	inSource, inCopies := map[string]bool{}, map[string]bool{}
	for _, match := range atLine.FindAllStringSubmatch(string(out), -1) {
		line, _ := strconv.Atoi(match[2])
		column, _ := strconv.Atoi(match[3])
		name, lines := match[1], inSource
		if f := copies[name]; f != nil {
			lines = inCopies
			tokens := token.NewFileSet().AddFile(name, -1, len(f.Content))
			tokens.SetLinesForContent(f.Content)
			for _, mark := range f.Marks {
				tokens.AddLineColumnInfo(mark.Offset, f.Source, mark.Line, mark.Column)
			}
			at := tokens.Position(tokens.LineStart(line) + token.Pos(column-1))
			name, line = at.Filename, at.Line
		}
		lines[fmt.Sprintf("%s:%d", name, line)] = true
	}
	maps.DeleteFunc(inCopies, func(line string, _ bool) bool { return inSource[line] })
	return inCopies
}
