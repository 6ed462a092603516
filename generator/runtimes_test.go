package generator_test

import (
	"bytes"
	"context"
	"fmt"
	"maps"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/mrgen-io/mrgen/generator"
	"github.com/mrgen-io/mrgen/generator/provider"
	"github.com/mrgen-io/mrgen/testdata/expect"
	"github.com/mrgen-io/mrgen/testdata/testmodule"
	"github.com/mrgen-io/mrgen/testdata/testprovider"
)

// A runtimeVersion is what crossplane-runtime asked for in some version.
type runtimeVersion struct {
	version string
	// types is the folder of the API types.
	types string
	// properties of a managed resource, as name and type of a field of its spec.
	properties [][2]string
	// errors is set if there is a package pkg/errors, and policies if selectors have one.
	errors, policies bool
}

// properties that all versions ask for.
var properties = [][2]string{providerConfigReference, writeConnectionSecretToReference, {"DeletionPolicy", "DeletionPolicy"}}

func withProperties(more ...[2]string) [][2]string { return append(slices.Clone(properties), more...) }

var (
	providerConfigReference          = [2]string{"ProviderConfigReference", "*Reference"}
	writeConnectionSecretToReference = [2]string{"WriteConnectionSecretToReference", "*SecretReference"}

	providerReference  = [2]string{"ProviderReference", "*Reference"}
	publishDetails     = [2]string{"PublishConnectionDetailsTo", "*PublishConnectionDetailsTo"}
	managementPolicy   = [2]string{"ManagementPolicy", "ManagementPolicy"}
	managementPolicies = [2]string{"ManagementPolicies", "ManagementPolicies"}
)

// TestRuntimeVersions guards that what is generated compiles with every version of
// crossplane-runtime from v0.10 on, as far as these differ before v2: its method sets
// implement the interfaces that the version declares, and its resolvers use what it has.
func TestRuntimeVersions(t *testing.T) {
	for _, v := range []runtimeVersion{
		{"v0.11.0", "apis/core/v1alpha1", withProperties(providerReference), false, false},
		{"v0.15.0", "apis/common/v1", withProperties(providerReference), false, false},
		{"v0.16.0", "apis/common/v1", withProperties(providerReference, publishDetails), true, false},
		{"v0.19.0", "apis/common/v1", withProperties(providerReference, publishDetails), true, true},
		{"v1.12.0", "apis/common/v1", withProperties(providerReference, publishDetails, managementPolicy), true, true},
		{"v0.20.0", "apis/common/v1", withProperties(providerReference, publishDetails, managementPolicies), true, true},
		{"v1.20.0", "apis/common/v1", withProperties(publishDetails, managementPolicies), true, true},
	} {
		t.Run(v.version, func(t *testing.T) {
			t.Parallel()
			dir := v.provider(t, "")
			for _, d := range testprovider.Generate(t, v.options(dir)).Diagnostics {
				t.Log(d)
			}
			for _, c := range testprovider.Generate(t, v.options(dir)).Changes() {
				// The stand-ins have no deep copies.
				if strings.HasSuffix(c.Path, ".go") && !strings.HasSuffix(c.Path, "deepcopy.go") {
					testmodule.Write(t, filepath.Join(dir, filepath.FromSlash(c.Path)), c.New)
				}
			}
			command := exec.Command("go", "build", "./apis/...")
			command.Dir = dir
			command.Env = append(os.Environ(), "GOFLAGS=-mod=mod -trimpath", "GOWORK=off", "GOPROXY=off")
			out, err := command.CombinedOutput()
			expect.True(t, err == nil, "the API package does not compile: %v\n%s", err, out)
		})
	}
}

// runtimeReleases are minor releases of crossplane-runtime, each with a provider below testdata that is
// written for it. Where that requires another release, its go.mod and go.sum are replaced.
var runtimeReleases = []struct{ release, provider, goMod string }{
	{"v1.20", "provider-runtime-v1", ""},
	{"v2.0", "provider-runtime-v2", "2.0"},
	{"v2.1", "provider-runtime-v2", "2.1"},
	{"v2.2", "provider-runtime-v2", ""},
	{"v2.3", "provider-example", "2.3"}, // the first one with the types of Crossplane's core v2
	{"v2.4", "provider-example", ""},
}

// TestRuntimeReleases guards that what is generated implements the interfaces of each release of
// crossplane-runtime from the last v1 on, and works with its references: mrgen compares them with what
// the release declares, and go vet judges all beside the modules of that release. It
// takes a large budget, since it compiles whole modules.
func TestRuntimeReleases(t *testing.T) {
	needsLargeBudget(t)
	for _, r := range runtimeReleases {
		t.Run(r.release, func(t *testing.T) {
			t.Parallel()
			tree := testmodule.ReadTree(t, filepath.Join("../testdata", r.provider))
			maps.DeleteFunc(tree, func(name string, _ []byte) bool { return testprovider.IsGenerated(name) })
			if r.goMod != "" {
				for _, name := range []string{"mod", "sum"} {
					tree["go."+name] = testmodule.Read(t, filepath.Join("../testdata/runtimes", r.goMod+"."+name))
				}
			}
			if !regexp.MustCompile(`(?m)^\tgithub.com/crossplane/crossplane-runtime(/v2)? ` + regexp.QuoteMeta(r.release) + `\.`).Match(tree["go.mod"]) {
				t.Errorf("go.mod doesn't require the release:\n%s", tree["go.mod"])
			}
			dir := t.TempDir()
			testmodule.WriteTree(t, dir, tree)
			testprovider.Apply(t, testprovider.Options(t, dir))
			testprovider.Vet(t, dir)
		})
	}
}

// TestRuntimeUnknown guards that a version of crossplane-runtime which asks for more than
// mrgen knows is refused, with the version, what it asks for, and what to do.
func TestRuntimeUnknown(t *testing.T) {
	t.Parallel()
	// Its DeletionPolicy is another than that of the versions that mrgen knows.
	v := runtimeVersion{"v1.99.0", "apis/common/v1", [][2]string{providerConfigReference, writeConnectionSecretToReference, publishDetails, managementPolicies}, true, true}
	dir := v.provider(t, `
// Novel is new.
type Novel interface {
	GetNovelty() *xpv1.Reference
	GetDeletionPolicy() *xpv1.DeletionPolicy
}
`)
	result := expect.Value(generator.Generate(context.Background(), v.options(dir).Run()))(t)
	const want = "apis/v1/types.go:14:6: Bucket is not a resource.Managed of crossplane-runtime as it is required here, which has unknown methods: GetDeletionPolicy (*DeletionPolicy), GetNovelty (*Reference): update mrgen, write them, or mark the type +crossplane:generate:methods=false"
	expect.True(t, len(result.Diagnostics) == 1 && result.Diagnostics[0].String() == want, "got %v\nwant %s", result.Diagnostics, want)

	// The author may write them.
	testmodule.Write(t, filepath.Join(dir, "apis/v1/mine.go"), []byte(`package v1

import xpv1 "github.com/crossplane/crossplane-runtime/apis/common/v1"

// GetNovelty is mine.
func (b *Bucket) GetNovelty() *xpv1.Reference { return nil }

// GetDeletionPolicy is mine.
func (b *Bucket) GetDeletionPolicy() *xpv1.DeletionPolicy { return nil }
`))
	testprovider.Generate(t, v.options(dir))
}

// TestRuntimeRemembered guards that a run that remembers sees what crossplane-runtime asks
// for change, if it is a folder that the module replaces it with.
func TestRuntimeRemembered(t *testing.T) {
	t.Parallel()
	v := runtimeVersion{"v1.20.0", "apis/common/v1", withProperties(publishDetails, managementPolicies), true, true}
	dir := v.provider(t, "")
	options := v.options(dir)
	options.CacheDir = t.TempDir()
	result := testprovider.Generate(t, options)
	if diags, err := result.Apply(context.Background()); err != nil || len(diags) > 0 {
		t.Fatal(diags, err)
	}
	changes := testprovider.Generate(t, options).Changes()
	expect.Must(t, len(changes) == 0, "%d files change again", len(changes))
	file := filepath.Join(dir, "runtime/pkg/resource/interfaces.go")
	testmodule.Write(t, file, bytes.Replace(testmodule.Read(t, file), []byte("type Managed interface {"), []byte("type Managed interface {\n\tGetNovelty() string\n"), 1))
	again, err := generator.Generate(context.Background(), options.Run())
	expect.True(t, err == nil && len(again.Diagnostics) == 1 && strings.Contains(again.Diagnostics[0].Message, "GetNovelty (string)"), "got %v %v", again.Diagnostics, err)
}

func (v runtimeVersion) options(dir string) provider.Options {
	options := provider.Default()
	options.Dir, options.Packages = dir, []string{"./apis/..."}
	return options
}

// provider writes a module with a kind that is made for the version, and with a stand-in
// for it in the folder runtime. There may be a further interface, Novel.
func (v runtimeVersion) provider(t *testing.T, novel string) (dir string) {
	t.Helper()
	dir = t.TempDir()
	goMod := string(testmodule.GoMod(t))
	const runtimePath = "github.com/crossplane/crossplane-runtime"
	for _, line := range strings.Split(goMod, "\n") {
		if strings.HasPrefix(line, "replace "+runtimePath+" ") {
			goMod = strings.Replace(goMod, line, "replace "+runtimePath+" => ./runtime", 1)
		}
	}
	// pkg/errors of GitHub is what older versions use.
	goMod += "\nrequire github.com/pkg/errors v0.0.0\n\nreplace github.com/pkg/errors => ./errors\n"
	testmodule.Write(t, filepath.Join(dir, "go.mod"), []byte(goMod))
	stub := func(name string) string {
		return string(testmodule.Read(t, filepath.Join("../testdata/stubs/crossplane-runtime", name)))
	}

	var fields, methods strings.Builder
	for _, p := range v.properties {
		fmt.Fprintf(&fields, "\t%s %s `json:\"%s,omitempty\"`\n", p[0], p[1], strings.ToLower(p[0]))
		qualified := strings.Replace("*xpv1."+strings.TrimPrefix(p[1], "*"), "*", p[1][:len(p[1])-len(strings.TrimPrefix(p[1], "*"))], 1)
		fmt.Fprintf(&methods, "\tSet%s(r %s)\n\tGet%s() %s\n", p[0], qualified, p[0], qualified)
	}
	imported := fmt.Sprintf("import xpv1 %q\n", runtimePath+"/"+v.types)
	embedsNovel := ""
	if novel != "" {
		embedsNovel = "\tNovel\n"
	}
	policy := ""
	if v.policies {
		policy = "\tPolicy *Policy `json:\"policy,omitempty\"`\n"
	}
	selectorAlways := strings.NewReplacer("common/v1", strings.TrimPrefix(v.types, "apis/"))
	files := map[string]string{
		"runtime/go.mod": stub("go.mod"),
		"runtime/" + v.types + "/types.go": "package " + filepath.Base(v.types) + `

type ResourceSpec struct {
` + fields.String() + `}

type ResourceStatus struct{}

func (*ResourceStatus) GetCondition(ConditionType) Condition { return Condition{} }
func (*ResourceStatus) SetConditions(...Condition) {}

type (
	ConditionType string
	Condition struct{}
	DeletionPolicy string
	ManagementPolicy string
	ManagementPolicies []string
	PublishConnectionDetailsTo struct{}
	SecretReference struct{}
	Policy struct{}
)

func (*Policy) IsResolvePolicyAlways() bool { return false }

type Reference struct {
	Name string ` + "`json:\"name\"`" + `
}

type Selector struct {
` + policy + `}

func (in *ResourceSpec) DeepCopyInto(out *ResourceSpec)     { *out = *in }
func (in *ResourceStatus) DeepCopyInto(out *ResourceStatus) { *out = *in }
func (in *Reference) DeepCopyInto(out *Reference)           { *out = *in }
func (in *Selector) DeepCopyInto(out *Selector)             { *out = *in }
func (in *Reference) DeepCopy() *Reference                  { return in }
func (in *Selector) DeepCopy() *Selector                    { return in }
`,
		"runtime/pkg/resource/interfaces.go": `package resource

` + imported + `
type Object interface { GetName() string }

// A Conditioned has conditions.
type Conditioned interface {
	SetConditions(c ...xpv1.Condition)
	GetCondition(ct xpv1.ConditionType) xpv1.Condition
}

// Properties are what the spec has.
type Properties interface {
` + methods.String() + `}

type Managed interface {
	Object
	Properties
` + embedsNovel + `	Conditioned
}

type ManagedList interface {
	GetItems() []Managed
}
` + novel,
		"runtime/pkg/reference/reference.go": selectorAlways.Replace(stub("pkg/reference/reference.go")),
		"errors/go.mod":                      "module github.com/pkg/errors\n\ngo 1.24\n",
		"errors/errors.go":                   stub("pkg/errors/errors.go"),
		"apis/v1/types.go": `// +kubebuilder:object:generate=true
// +groupName=example.org
package v1

import (
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	xpv1 "` + runtimePath + "/" + v.types + `"
	"` + runtimePath + `/pkg/resource"
)

// A Bucket is a managed resource.
// +kubebuilder:object:root=true
type Bucket struct {
	metav1.TypeMeta   ` + "`json:\",inline\"`" + `
	metav1.ObjectMeta ` + "`json:\"metadata,omitempty\"`" + `
	Spec              BucketSpec   ` + "`json:\"spec\"`" + `
	Status            BucketStatus ` + "`json:\"status,omitempty\"`" + `
}

type BucketSpec struct {
	xpv1.ResourceSpec ` + "`json:\",inline\"`" + `
	ForProvider       BucketParameters ` + "`json:\"forProvider\"`" + `
}

type BucketStatus struct {
	xpv1.ResourceStatus ` + "`json:\",inline\"`" + `
}

// BucketParameters have references.
type BucketParameters struct {
	// +crossplane:generate:reference:type=Bucket
	Peer         *string         ` + "`json:\"peer,omitempty\"`" + `
	PeerRef      *xpv1.Reference ` + "`json:\"peerRef,omitempty\"`" + `
	PeerSelector *xpv1.Selector  ` + "`json:\"peerSelector,omitempty\"`" + `
	// +crossplane:generate:reference:type=Bucket
	Others         []string         ` + "`json:\"others,omitempty\"`" + `
	OthersRefs     []xpv1.Reference ` + "`json:\"othersRefs,omitempty\"`" + `
	OthersSelector *xpv1.Selector   ` + "`json:\"othersSelector,omitempty\"`" + `
}

// +kubebuilder:object:root=true
type BucketList struct {
	metav1.TypeMeta ` + "`json:\",inline\"`" + `
	metav1.ListMeta ` + "`json:\"metadata,omitempty\"`" + `
	Items           []Bucket ` + "`json:\"items\"`" + `
}

var (
	_ resource.Managed     = &Bucket{}
	_ resource.ManagedList = &BucketList{}
)
`,
	}
	if v.errors {
		files["runtime/pkg/errors/errors.go"] = stub("pkg/errors/errors.go")
	}
	for name, content := range files {
		testmodule.Write(t, filepath.Join(dir, filepath.FromSlash(name)), []byte(content))
	}
	return dir
}
