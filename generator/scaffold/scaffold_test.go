package scaffold_test

import (
	"bytes"
	"cmp"
	"context"
	"errors"
	"maps"
	"os"
	"os/exec"
	"path"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"testing"

	gocmp "github.com/google/go-cmp/cmp"

	authoring "github.com/mrgen-io/mrgen/generator/internal/workshop/scaffolding"
	"github.com/mrgen-io/mrgen/generator/lint"
	"github.com/mrgen-io/mrgen/generator/scaffold"
	"github.com/mrgen-io/mrgen/testdata/budget"
	"github.com/mrgen-io/mrgen/testdata/expect"
	"github.com/mrgen-io/mrgen/testdata/testmodule"
	"github.com/mrgen-io/mrgen/testdata/testprovider"
)

func initProvider(t *testing.T, dir, scope string) scaffold.Result {
	t.Helper()
	done, err := scaffold.Init(context.Background(), scaffold.InitOptions{
		Dir: dir, Module: "example.org/provider-test", Group: "test.crossplane.io", Scope: scope, MrgenVersion: "latest",
	})
	expect.Must(t, err == nil && len(done.Diagnostics) == 0, "init: %v %v", err, done.Diagnostics)
	return done
}

// newProviders are new providers of each scope, which are made once for all tests.
var newProviders = struct {
	sync.Mutex
	trees map[string]map[string][]byte
}{trees: map[string]map[string][]byte{}}

// newProvider writes a new provider to a folder.
func newProvider(t *testing.T, dir, scope string) {
	t.Helper()
	newProviders.Lock()
	defer newProviders.Unlock()
	tree, found := newProviders.trees[scope]
	if !found {
		dir := filepath.Join(t.TempDir(), "provider-test")
		initProvider(t, dir, scope)
		tree = testmodule.ReadTree(t, dir)
		newProviders.trees[scope] = tree
	}
	testmodule.WriteTree(t, dir, tree)
}

// newLightProvider is [newProvider] with stand-ins for what a small budget doesn't compile.
func newLightProvider(t *testing.T, dir, scope string) {
	t.Helper()
	newProvider(t, dir, scope)
	if budget.IsLarge() {
		return
	}
	server := t.TempDir()
	testmodule.Write(t, filepath.Join(server, "go.mod"), []byte("module k8s.io/apiserver\n"))
	goMod := bytes.Replace(testmodule.GoMod(t), []byte(testmodule.Path), []byte("example.org/provider-test"), 1)
	testmodule.Write(t, filepath.Join(dir, "go.mod"), append(goMod, testmodule.Require("k8s.io/apiserver", "v0.0.0", server)...))
	testprovider.Apply(t, testprovider.Options(t, dir))
}

func addKind(t *testing.T, dir, kind, version string) scaffold.Result {
	t.Helper()
	done, err := scaffold.AddKind(context.Background(), scaffold.KindOptions{Options: existingOptions(t, dir), Kind: kind, Group: "storage", Version: version})
	expect.Must(t, err == nil && len(done.Diagnostics) == 0, "add kind %s: %v %v", kind, err, done.Diagnostics)
	return done
}

// addVersion adds a version of a kind that is stored from then on, with the types of v1alpha1.
func addVersion(t *testing.T, dir, kind, version string) {
	t.Helper()
	done, err := scaffold.AddVersion(context.Background(), scaffold.VersionOptions{
		KindOptions: scaffold.KindOptions{Options: existingOptions(t, dir), Kind: kind, Version: version}, From: "v1alpha1", Storage: true,
	})
	expect.Must(t, err == nil && len(done.Diagnostics) == 0, "add version %s of %s: %v %v", version, kind, err, done.Diagnostics)
}

// TestScaffold has the Go compiler, vet, the provider's own tests and, if it is
// installed, golangci-lint judge a new provider of each scope, with two kinds in one
// group, and a second version of each. A small budget has the provider of both scopes
// alone, which has what the others have, and doesn't run its tests.
func TestScaffold(t *testing.T) {
	t.Parallel()
	for _, scope := range []string{scaffold.Both, scaffold.Namespaced, scaffold.Cluster}[:budget.Of(1, 3)] {
		t.Run(scope, func(t *testing.T) {
			dir := filepath.Join(t.TempDir(), "provider")
			newProvider(t, dir, scope)
			addKind(t, dir, "Bucket", "v1alpha1")
			// In lower case, this is a keyword of Go.
			addKind(t, dir, "Interface", "v1alpha1")
			addKind(t, dir, "Bucket", "v1beta1")
			addVersion(t, dir, "Interface", "v1beta1")

			if changes := testprovider.Generate(t, testprovider.Options(t, dir)).Changes(); len(changes) > 0 {
				t.Errorf("generate would change %d files, among them %s", len(changes), changes[0].Path)
			}
			found, err := lint.Run(context.Background(), testprovider.Options(t, dir).Run(), lint.Options{})
			expect.True(t, err == nil && len(found.Diagnostics)+len(found.Findings)+found.Generated == 0, "lint: %v %v %v", err, found.Diagnostics, found.Findings)
			testprovider.Vet(t, dir)
			commands := [][]string{{"go", "mod", "tidy", "-diff"}, {"gofmt", "-s", "-l", "."}}
			if budget.IsLarge() {
				commands = append(commands, []string{"make", "cover"})
			}
			// The provider of both scopes has what the others have.
			if linter, err := exec.LookPath("golangci-lint"); err == nil && scope == scaffold.Both {
				commands = append(commands, []string{linter, "run", "--timeout=10m"})
			}
			for _, command := range commands {
				cmd := exec.Command(command[0], command[1:]...)
				cmd.Dir = dir
				cmd.Env = append(os.Environ(), "GOWORK=off", "GOFLAGS=-mod=readonly")
				out, err := cmd.CombinedOutput()
				expect.True(t, err == nil && (command[0] != "gofmt" || len(out) == 0), "%s: %v\n%s", strings.Join(command, " "), err, out)
			}
		})
	}
}

// TestScaffoldWorkflows checks that others can read what a new provider has for them, that each job
// that checks out the source may read it, and that steps fail if a command in them does.
func TestScaffoldWorkflows(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	newProvider(t, dir, scaffold.Namespaced)
	for _, name := range []string{".gitlab-ci.yml", ".golangci.yml", "renovate.json"} {
		expect.True(t, len(testprovider.Document(t, filepath.Join(dir, name))) != 0, "there is nothing in %s", name)
	}
	for _, name := range []string{"ci", "codeql", "release"} {
		workflow := testprovider.Document(t, filepath.Join(dir, ".github/workflows", name+".yml"))
		for job, of := range workflow["jobs"].(map[string]any) {
			job, of := name+"/"+job, of.(map[string]any)
			// Permissions of a job replace those of the workflow.
			permissions, found := of["permissions"]
			if !found {
				permissions = workflow["permissions"]
			}
			expect.True(t, permissions.(map[string]any)["contents"] == "read", "%s has the permissions %v", job, permissions)
			for _, step := range of["steps"].([]any) {
				// The shell of steps doesn't have pipefail.
				run, _ := step.(map[string]any)["run"].(string)
				expect.True(t, !strings.Contains(run, "|"), "%s hides failures behind a pipe: %s", job, run)
			}
		}
	}
}

// makefileLine matches the place that make puts before an error.
var makefileLine = regexp.MustCompile(`^Makefile:[0-9]+: `)

// TestScaffoldPackage runs make in a new provider, with stand-ins for docker and the Crossplane CLI. It
// holds that both build the package of each platform, and that a line names those that are missing.
func TestScaffoldPackage(t *testing.T) {
	t.Parallel()
	program, err := exec.LookPath("make")
	if err != nil {
		t.Skip("there is no make")
	}
	mkdir, err := exec.LookPath("mkdir")
	if err != nil {
		t.Skip("recipes need mkdir")
	}
	dir := t.TempDir()
	newProvider(t, dir, scaffold.Namespaced)
	built := `docker build --platform=linux/amd64 --build-arg=VERSION=v1.0.0 --tag=provider-test:linux_amd64 .
crossplane xpkg build --package-root=package --examples-root=examples --embed-runtime-image=provider-test:linux_amd64 --package-file=bin/provider-test-linux_amd64.xpkg
docker build --platform=linux/arm64 --build-arg=VERSION=v1.0.0 --tag=provider-test:linux_arm64 .
crossplane xpkg build --package-root=package --examples-root=examples --embed-runtime-image=provider-test:linux_arm64 --package-file=bin/provider-test-linux_arm64.xpkg
`
	pushed := "crossplane xpkg push --package-files=bin/provider-test-linux_amd64.xpkg --package-files=bin/provider-test-linux_arm64.xpkg ghcr.io/example/provider-test:v1.0.0\n"
	compiled := "go build -ldflags=-X example.org/provider-test/internal/version.Version=v1.0.0 -o bin/provider ./cmd/provider\n"
	for name, test := range map[string]struct {
		installed    []string
		target, ran  string
		wants, fails string
	}{
		"build":                  {[]string{"docker", "crossplane"}, "build", compiled + built, "", ""},
		"build without docker":   {[]string{"crossplane"}, "build", compiled, "to build the Crossplane package, install: docker", ""},
		"build without both":     {nil, "build", compiled, "to build the Crossplane package, install: docker crossplane", ""},
		"package":                {[]string{"docker", "crossplane"}, "xpkg.build", built, "", ""},
		"package without CLI":    {[]string{"docker"}, "xpkg.build", "", "", "to build the Crossplane package, install: crossplane"},
		"push":                   {[]string{"docker", "crossplane"}, "push", built + pushed, "", ""},
		"push without docker":    {[]string{"crossplane"}, "push", "", "", "to build the Crossplane package, install: docker"},
		"program without others": {nil, "go.build", compiled, "", ""},
	} {
		t.Run(name, func(t *testing.T) {
			tools, log := t.TempDir(), filepath.Join(t.TempDir(), "log")
			for _, tool := range append(test.installed, "go") {
				testmodule.Write(t, filepath.Join(tools, tool), []byte("#!/bin/sh\necho \"${0##*/} $*\" >> "+log+"\n"))
				expect.NoError(t, os.Chmod(filepath.Join(tools, tool), 0o755))
			}
			expect.NoError(t, os.Symlink(mkdir, filepath.Join(tools, "mkdir")))
			cmd := exec.Command(program, test.target, "VERSION=v1.0.0", "REGISTRY=ghcr.io/example")
			cmd.Dir = dir
			cmd.Env = append(os.Environ(), "PATH="+tools, "MAKEFLAGS=", "MAKELEVEL=")
			var stdout, stderr strings.Builder
			cmd.Stdout, cmd.Stderr = &stdout, &stderr
			err := cmd.Run()
			if ran, _ := os.ReadFile(log); string(ran) != test.ran {
				t.Errorf("commands differ (-want +got):\n%s", gocmp.Diff(test.ran, string(ran)))
			}
			expect.True(t, test.wants == "" || strings.HasSuffix(stdout.String(), "\n"+test.wants+"\n"), "standard output is %q, want the line %q at its end", &stdout, test.wants)
			want := ""
			if test.fails != "" {
				want = "*** " + test.fails + ".  Stop.\n"
			}
			said := makefileLine.ReplaceAllString(stderr.String(), "")
			expect.True(t, (err != nil) == (want != "") && said == want, "%v, standard error is %q, want the line %q", err, said, want)
		})
	}
}

// TestScaffoldRelease has the step of the release workflow that pushes the package hand on what is
// attested, and fail if it isn't pushed.
func TestScaffoldRelease(t *testing.T) {
	t.Parallel()
	bash, err := exec.LookPath("bash")
	if err != nil {
		t.Skip("workflows run in bash")
	}
	dir := t.TempDir()
	newProvider(t, dir, scaffold.Namespaced)
	steps := testprovider.Document(t, filepath.Join(dir, ".github/workflows/release.yml"))["jobs"].(map[string]any)["release"].(map[string]any)["steps"].([]any)
	i := slices.IndexFunc(steps, func(step any) bool { return step.(map[string]any)["id"] == "push" })
	for name, test := range map[string]struct{ push, inspect, want string }{
		"pushed":     {"true", "echo sha256:0123", "name=ghcr.io/example/provider-test\ndigest=sha256:0123\n"},
		"not pushed": {"exit 2", "echo sha256:0123", ""},
		"not there":  {"true", "exit 2", ""},
	} {
		folder := t.TempDir()
		output := filepath.Join(folder, "output")
		for tool, script := range map[string]string{
			"make":   "[ \"$*\" = 'push REGISTRY=ghcr.io/example VERSION=v1.0.0' ] || exit 3\n" + test.push,
			"docker": "[ \"$*\" = 'buildx imagetools inspect ghcr.io/example/provider-test:v1.0.0 --format {{.Manifest.Digest}}' ] || exit 3\n" + test.inspect,
		} {
			testmodule.Write(t, filepath.Join(folder, tool), []byte("#!/bin/sh\n"+script+"\n"))
			expect.NoError(t, os.Chmod(filepath.Join(folder, tool), 0o755))
		}
		cmd := exec.Command(bash, "-e", "-c", steps[i].(map[string]any)["run"].(string))
		cmd.Env = append(os.Environ(), "PATH="+folder, "GITHUB_OUTPUT="+output, "GITHUB_REPOSITORY_OWNER=Example", "GITHUB_REF_NAME=v1.0.0")
		out, err := cmd.CombinedOutput()
		expect.True(t, (err == nil) == (test.want != ""), "%s: %v\n%s", name, err, out)
		got, _ := os.ReadFile(output)
		expect.True(t, string(got) == test.want, "%s: the step hands on %q, want %q", name, got, test.want)
	}
}

// TestScaffoldKinds checks the CRDs of a new provider of both scopes.
func TestScaffoldKinds(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	newLightProvider(t, dir, scaffold.Both)
	addKind(t, dir, "Bucket", "v1alpha1")
	second := addKind(t, dir, "Bucket", "v1beta1")
	for _, folder := range []string{"cluster", "namespaced"} {
		crd := testprovider.Document(t, filepath.Join(dir, "package/crds", map[string]string{
			"cluster": "storage.test.crossplane.io_buckets.yaml", "namespaced": "storage.test.m.crossplane.io_buckets.yaml",
		}[folder]))
		spec := crd["spec"].(map[string]any)
		expect.Equal(t, map[string]string{"cluster": "Cluster", "namespaced": "Namespaced"}[folder], spec["scope"], "the scope")
		categories := spec["names"].(map[string]any)["categories"]
		expect.Equal(t, []any{"crossplane", "managed", "test"}, categories, "categories differ")
		var stored, columns []string
		for _, v := range spec["versions"].([]any) {
			version := v.(map[string]any)
			if version["storage"] == true {
				stored = append(stored, version["name"].(string))
			}
			columns = nil
			for _, c := range version["additionalPrinterColumns"].([]any) {
				columns = append(columns, c.(map[string]any)["name"].(string))
			}
		}
		expect.True(t, slices.Equal(stored, []string{"v1alpha1"}), "objects are stored in %v", stored)
		expect.Equal(t, []string{"READY", "SYNCED", "EXTERNAL-NAME", "AGE"}, columns, "the columns")
	}
	// The controller stays with the first version.
	left := []string{"internal/controller/namespaced/storage/bucket/bucket.go"}
	expect.Equal(t, left, second.Left, "files left differ")
	for _, change := range second.Changes {
		expect.True(t, !strings.HasPrefix(change.Path, "internal/"), "the second version changes %s", change.Path)
	}
}

// TestScaffoldInterrupted interrupts init and add kind at many checks of the context,
// and expects the folder to be as it was.
func TestScaffoldInterrupted(t *testing.T) {
	t.Parallel()
	parent := t.TempDir()
	dir := filepath.Join(parent, "provider")
	interruptions, step := 0, budget.Of(24, 6)
	for checks := 0; ; checks += step {
		ctx := expiring(checks)
		done, err := scaffold.Init(ctx, scaffold.InitOptions{
			Dir: dir, Module: "example.org/provider-test", Group: "test.crossplane.io", Scope: scaffold.Namespaced, MrgenVersion: "latest",
		})
		if err == nil && len(done.Diagnostics) == 0 {
			break
		}
		expect.Must(t, context.Cause(ctx) != nil, "init, which nothing interrupted: %v %v", err, done.Diagnostics)
		interruptions++
		entries, _ := os.ReadDir(parent)
		expect.Must(t, len(entries) == 0, "init that was interrupted at check %d left %v", checks, entries)
	}
	before := testmodule.ReadTree(t, dir)
	for checks := 0; ; checks += step {
		ctx := expiring(checks)
		done, err := scaffold.AddKind(ctx, scaffold.KindOptions{Options: testprovider.Options(t, dir), Kind: "Bucket", Group: "storage", Version: "v1alpha1"})
		if err == nil && len(done.Diagnostics) == 0 {
			break
		}
		expect.Must(t, context.Cause(ctx) != nil, "add kind, which nothing interrupted: %v %v", err, done.Diagnostics)
		interruptions++
		diff := testprovider.Diff(before, testmodule.ReadTree(t, dir))
		expect.Must(t, diff == "", "add kind that was interrupted at check %d changed (-before +after):\n%s", checks, diff)
		_, err = os.Stat(filepath.Join(dir, "apis/storage"))
		expect.Must(t, err != nil, "add kind that was interrupted at check %d left a folder", checks)
	}
	t.Logf("%d interruptions", interruptions)
	expect.True(t, interruptions >= 6, "there were only %d interruptions", interruptions)
}

// expiring returns a context that is cancelled after so many checks of its error.
func expiring(checks int) context.Context {
	ctx, cancel := context.WithCancel(context.Background())
	expiring := &expiringContext{Context: ctx, cancel: cancel}
	expiring.checks.Store(int64(checks))
	return expiring
}

type expiringContext struct {
	context.Context
	cancel context.CancelFunc
	checks atomic.Int64
}

func (c *expiringContext) Err() error {
	if c.checks.Add(-1) < 0 {
		c.cancel()
	}
	return c.Context.Err()
}

// TestAddKindRefused checks that nothing is written if the result would not do.
func TestAddKindRefused(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	newLightProvider(t, dir, scaffold.Namespaced)
	addKind(t, dir, "Bucket", "v1alpha1")
	for name, test := range map[string]struct {
		kind, group, version string
		edit                 map[string]string
		want                 string
	}{
		"exists":  {"Bucket", "storage", "v1alpha1", nil, "apis/storage/v1alpha1: this package has the kind Bucket already: choose another version or name, or delete the kind to add it again"},
		"kind":    {"bucket", "storage", "v1alpha1", nil, `"bucket" is not a kind: write one in camel case, such as Bucket`},
		"group":   {"Queue", "a-b", "v1alpha1", nil, `"a-b" is not a group: write one word of lower case letters and digits, such as storage, which becomes storage.test.crossplane.io`},
		"version": {"Queue", "storage", "1", nil, `"1" is not an API version: write one such as v1alpha1, v1beta1 or v1`},
		"taken":   {"ProviderConfig", "storage", "v1", nil, "ProviderConfig can't be a kind of managed resource, since this name has another meaning: choose another"},
		"syntax": {
			"Queue", "storage", "v1alpha1", map[string]string{"internal/controller/register.go": "package\n"},
			"internal/controller/register.go:1:9: cannot parse this file: expected 'IDENT', found 'EOF': correct it first",
		},
		"no provider": {
			"Queue", "storage", "v1alpha1", map[string]string{"apis/v1alpha1/types.go": "package v1alpha1\n", "apis/storage/v1alpha1/bucket_types.go": "package v1alpha1\n"},
			"go.mod: no package with a +groupName marker has a ProviderConfig or a managed resource: start a provider with mrgen init, or write the first kind by hand",
		},
		"other scope": {"Queue", "storage", "v1alpha1", nil, "apis: this provider has no cluster scoped kinds beside which there could be another one: see mrgen add scope"},
		"no group": {
			"Queue", "queues", "v1alpha1", map[string]string{"apis/queues/v1alpha1/groupversion_info.go": "package v1alpha1\n"},
			"Queue can't be added: in apis/queues/v1alpha1/queue_types.go, Queue has no API group: add a +groupName marker",
		},
		// The API is wrong, which only generating shows.
		"wrong types": {
			"Queue", "storage", "v1alpha1", map[string]string{"apis/storage/v1alpha1/more.go": "package v1alpha1\n\n// A Drop is wrong.\n// +mrgen:stat=Active\ntype Drop struct{}\n"},
			"apis/storage/v1alpha1/more.go:4:4: unknown marker +mrgen:stat",
		},
	} {
		t.Run(name, func(t *testing.T) {
			original := testmodule.ReadTree(t, dir)
			before := maps.Clone(original)
			for file, content := range test.edit {
				before[file] = []byte(content)
			}
			testmodule.WriteTree(t, dir, before)
			options := scaffold.KindOptions{Options: testprovider.Options(t, dir), Kind: test.kind, Group: test.group, Version: test.version}
			if name == "other scope" {
				options.Scope = scaffold.Cluster
			}
			done, err := scaffold.AddKind(context.Background(), options)
			if err != nil || len(done.Diagnostics) == 0 || !strings.HasPrefix(done.Diagnostics[0].String(), test.want) {
				t.Errorf("got %v %v, want %s", done.Diagnostics, err, test.want)
			}
			diff := testprovider.Diff(before, testmodule.ReadTree(t, dir))
			expect.True(t, diff == "", "the provider has changed (-before +after):\n%s", diff)
			for file := range test.edit {
				err := os.Remove(filepath.Join(dir, file))
				if content, found := original[file]; found {
					err = errors.Join(err, os.WriteFile(filepath.Join(dir, file), content, 0o644))
				}
				expect.NoError(t, err)
			}
		})
	}
}

// TestAddKindNames guards that whatever a kind and its group are called, the provider
// either compiles with it, or it is refused with one line and nothing changes.
func TestAddKindNames(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	newLightProvider(t, dir, scaffold.Namespaced)
	long := strings.Repeat("a", 60)
	options := testprovider.Options(t, dir)
	options.CacheDir = t.TempDir()
	type names struct{ kind, group, version string }
	add := func(n names) (scaffold.Result, error) {
		return scaffold.AddKind(context.Background(), scaffold.KindOptions{Options: options, Kind: n.kind, Group: n.group, Version: n.version})
	}
	for _, n := range []names{
		// Names of files and packages of the scaffold, and those with a meaning in Go.
		{"Client", "storage", "v1alpha1"},
		{"Memory", "storage", "v1alpha1"},
		{"Password", "storage", "v1alpha1"},
		{"Main", "storage", "v1alpha1"},
		{"Documentation", "storage", "v1alpha1"},
		{"Internal", "storage", "v1alpha1"},
		{"Vendor", "storage", "v1alpha1"},
		{"Testdata", "storage", "v1alpha1"},
		{"Test", "storage", "v1alpha1"},
		{"Error", "storage", "v1alpha1"},
		{"Con", "storage", "v1alpha1"},
		{"Bucket", "func", "v1alpha1"},
		{"Bucket", "string", "v1alpha1"},
		// The package of the controller would be imported as goto, error, config, and abc
		// twice.
		{"To", "go", "v1alpha1"},
		{"Or", "err", "v1alpha1"},
		{"Fig", "con2", "v1alpha1"},
		{"Bc", "a", "v1alpha1"},
		{"C", "ab", "v1alpha1"},
		{"DNSZone", "dns", "v1alpha1"},
		{"Tea", "storage", "v1alpha1"},
		{"Group", "storage", "v1alpha1"},
	} {
		if !budget.IsLarge() { // all are generated at once then, since each takes half a second
			addFreeKind(t, dir, authoring.Kind{Name: n.kind, Group: n.group, Version: n.version})
			continue
		}
		done, err := add(n)
		expect.True(t, err == nil && len(done.Diagnostics) == 0 && len(done.Left) <= 1, "%s in %s: %v %v, left %v", n.kind, n.group, err, done.Diagnostics, done.Left)
	}
	testprovider.Apply(t, options)
	for _, test := range []struct{ kind, group, version, want string }{
		{"DnsZone", "dns", "v1alpha1", "apis/dns/v1alpha1: DnsZone can't be added beside the kind DNSZone of this package, since both are called dnszones in the API: choose another name, or that one"},
		{"DnsZone", "dns", "v1beta1", "apis/dns/v1alpha1: DnsZone can't be added beside the kind DNSZone of this package, since both are called dnszones in the API: choose another name, or that one"},
		{"Errors", "storage", "v1alpha1", "apis/storage/v1alpha1: Errors can't be added beside the kind Error of this package, since both are called errors in the API: choose another name, or that one"},
		{"TeaSpec", "storage", "v1alpha1", "apis/storage/v1alpha1: this package declares the type TeaSpec already: choose another name"},
		{"TeaList", "storage", "v1alpha1", "apis/storage/v1alpha1: this package declares the type TeaList already: choose another name"},
		{"ObservedTea", "storage", "v1alpha1", "ObservedTea can't be added, since it would not compile: apis/storage/v1alpha1/observedtea_types.go: ObservedTeaParameters redeclared in this block"},
		{"SchemeBuilder", "storage", "v1alpha1", "SchemeBuilder can't be a kind of managed resource, since this name has another meaning: choose another"},
		{"A" + long, "storage", "v1alpha1", "A" + long + " can't be a kind, since Kubernetes accepts names of up to 59 letters: choose a shorter one"},
		{"coldStorage", "storage", "v1alpha1", `"coldStorage" is not a kind: write one in camel case, such as ColdStorage`},
		{"cold-storage", "storage", "v1alpha1", `"cold-storage" is not a kind: write one in camel case, such as ColdStorage`},
		{"Ünder", "storage", "v1alpha1", `"Ünder" is not a kind: write one in camel case, such as Bucket`},
		{"Bucket", "testdata", "v1alpha1", `"testdata" can't be a group, since the go command treats a folder of that name in its own way: choose another word`},
		{"Bucket", "internal", "v1alpha1", `"internal" can't be a group, since the go command treats a folder of that name in its own way: choose another word`},
		{"Bucket", "vendor", "v1alpha1", `"vendor" can't be a group, since the go command treats a folder of that name in its own way: choose another word`},
		{"Bucket", "con", "v1alpha1", `"con" can't be a group, since the go command treats a folder of that name in its own way: choose another word`},
		{"Bucket", "config", "v1alpha1", `"config" can't be a group, since the folder of that name has another purpose: choose another word`},
		{"Bucket", "_x", "v1alpha1", `"_x" is not a group: write one word of lower case letters and digits, such as storage, which becomes storage.test.crossplane.io`},
		{"Bucket", long + "aaaa", "v1alpha1", `"` + long + `aaaa" can't be a group, since Kubernetes accepts words of up to 63 letters: choose a shorter one`},
		{"Bucket", "storage", "v1" + strings.Repeat("0", 70), `"v1` + strings.Repeat("0", 70) + `" can't be an API version, since Kubernetes accepts names of up to 63 letters: write one such as v1alpha1`},
	} {
		before := testmodule.ReadTree(t, dir)
		done, err := add(names{test.kind, test.group, test.version})
		if err != nil || len(done.Diagnostics) != 1 || !strings.HasPrefix(done.Diagnostics[0].String(), test.want) {
			t.Errorf("%s in %s: got %v %v, want %s", test.kind, test.group, done.Diagnostics, err, test.want)
		}
		diff := testprovider.Diff(before, testmodule.ReadTree(t, dir))
		expect.True(t, diff == "", "%s in %s is refused, but changes (-before +after):\n%s", test.kind, test.group, diff)
	}
	if budget.IsLarge() { // mrgen type-checks the API packages
		testprovider.Vet(t, dir)
	}
}

// TestInitNames guards that names which no provider can have are refused with one line
// each, and that others stay text in its manifests.
func TestInitNames(t *testing.T) {
	t.Parallel()
	long := strings.Repeat("a", 64)
	for _, test := range []struct{ module, group, name, want string }{
		{"", "", "", `"" is not a module path: write one such as github.com/example/provider-example`},
		{"example.org/x/v1", "", "", `"example.org/x/v1" is not a module path: write one such as github.com/example/provider-example`},
		{"gopkg.in/x", "", "", `"gopkg.in/x" is not a module path: write one such as github.com/example/provider-example`},
		{"go", "", "", `"go" is not a module path: write one such as github.com/example/provider-example`},
		{"example.org/aux", "", "", `"example.org/aux" is not a module path: write one such as github.com/example/provider-example`},
		{"example.org/vendor", "", "", `"example.org/vendor" can't be the module path, since vendor has another meaning for the go command: choose another`},
		{"k8s.io/api", "", "", `"k8s.io/api" can't be the module path, since the provider requires the module of that path: choose another`},
		{"example.org/_x", "", "", `"_x" is not a name for a provider: write one of lower case letters, digits and hyphens, such as provider-example`},
		{"example.org/x", "foo.k8s.io", "", `"foo.k8s.io" can't be the API group of a provider, since those below k8s.io and kubernetes.io are Kubernetes' own: choose another`},
		{"example.org/x", long + ".example.org", "", `"` + long + `.example.org" is too long for an API group: choose a shorter one`},
		{"example.org/x", strings.Repeat("a.", 115) + "example.org", "", `"` + strings.Repeat("a.", 115) + `example.org" is too long for an API group: choose a shorter one`},
		{"example.org/true", "func.example.org", "", ""},
		{"github.com/crossplane", "m.example.org", "123", ""},
	} {
		dir := filepath.Join(t.TempDir(), "provider")
		done, err := scaffold.Init(context.Background(), scaffold.InitOptions{
			Dir: dir, Module: test.module, Group: cmp.Or(test.group, "test.crossplane.io"), Name: test.name, Scope: scaffold.Both, MrgenVersion: "latest",
		})
		if test.want != "" {
			expect.True(t, err == nil && len(done.Diagnostics) == 1 && done.Diagnostics[0].String() == test.want, "%+v: got %v %v", test, done.Diagnostics, err)
			_, err := os.Stat(dir)
			expect.True(t, err != nil, "%+v: something was written", test)
			continue
		}
		if err != nil || len(done.Diagnostics) > 0 {
			t.Errorf("%+v: got %v %v", test, done.Diagnostics, err)
			continue
		}
		manifest := testprovider.Document(t, filepath.Join(dir, "package/crossplane.yaml"))["metadata"].(map[string]any)
		if want := cmp.Or(test.name, path.Base(test.module)); manifest["name"] != want {
			t.Errorf("%+v: the name in the manifest is %v", test, manifest["name"])
		}
	}
}

// TestInitExisting checks that files that exist are left alone, and that a module is.
func TestInitExisting(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	testmodule.WriteTree(t, dir, map[string][]byte{"README.md": []byte("mine\n"), "LICENSE": []byte("mine\n")})
	done := initProvider(t, dir, scaffold.Namespaced)
	expect.True(t, slices.Equal(done.Left, []string{"LICENSE", "README.md"}), "left %v", done.Left)
	for _, name := range done.Left {
		expect.Equal(t, "mine\n", string(testmodule.Read(t, filepath.Join(dir, name))), "%s is now", name)
	}
	before := testmodule.ReadTree(t, dir)
	again, err := scaffold.Init(context.Background(), scaffold.InitOptions{
		Dir: dir, Module: "example.org/provider-test", Group: "test.crossplane.io", Scope: scaffold.Namespaced,
	})
	if err != nil || len(again.Diagnostics) != 1 || !strings.Contains(again.Diagnostics[0].Message, "this folder is a Go module already") {
		t.Errorf("a second init says %v %v", again.Diagnostics, err)
	}
	diff := testprovider.Diff(before, testmodule.ReadTree(t, dir))
	expect.True(t, diff == "", "a second init has changed (-before +after):\n%s", diff)
}

// TestScaffoldKindsTest makes slips in the registration of a kind, each of which the program's own test must name.
func TestScaffoldKindsTest(t *testing.T) {
	if !budget.IsLarge() {
		t.Skip("the large budget compiles a provider for each slip")
	}
	t.Parallel()
	dir := filepath.Join(t.TempDir(), "provider")
	newProvider(t, dir, scaffold.Namespaced)
	addKind(t, dir, "Bucket", "v1alpha1")
	addKind(t, dir, "Lock", "v1alpha1")
	const types, registered = "apis/storage/v1alpha1/lock_types.go", "internal/controller/register.go"
	const controller, config, program = "internal/controller/storage/lock/lock.go", "internal/controller/config/config.go", "cmd/provider/main.go"
	const setup = "internal/setup/setup.go"
	const folder, lived = "internal/controller/storage/lock/", "internal/controller/storage/lock/lock_test.go"
	run := func(packages ...string) ([]byte, error) {
		return testmodule.Run(dir, "go", append([]string{"test", "-short", "-trimpath", "-vet=off", "-ldflags=-s -w",
			"-run=TestKinds|TestVerify|TestNewReconciler|TestLife"}, packages...)...)
	}
	for _, slip := range []struct{ file, old, new, want string }{
		{"apis/apis.go", "\tstoragev1alpha1.SchemeBuilder.AddToScheme,\n", "\tfunc(*runtime.Scheme) error { _ = storagev1alpha1.SchemeBuilder; return nil },\n",
			"storage.test.crossplane.io/v1alpha1, Kind=Lock: add its package to AddToSchemes in apis/apis.go"},
		{registered, "\tstoragelock.SetupGated,\n", "\tfunc(ctrl.Manager, controller.Options) error { _ = storagelock.Setup; return nil },\n",
			"locks.storage.test.crossplane.io has no controller that waits for its CRD: list its SetupGated"},
		{registered, "storagelock.SetupGated", "storagelock.Setup", "locks.storage.test.crossplane.io has no controller that waits for its CRD"},
		{registered, "\tstoragelock.SetupGated,\n", "\tstoragelock.SetupGated,\n\tstoragelock.Setup,\n", "already exists"},
		{types, `WithKind("Lock")`, `WithKind("Locks")`, `/lock.go:41: no kind "Locks" is registered`},
		{types, `WithKind("Lock")`, `WithKind("Bucket")`, "the controller of Bucket is given a storage.test.crossplane.io/v1alpha1, Kind=Lock"},
		{controller, "setup.Gated(mgr, o, v1alpha1.Lock", "setup.Gated(mgr, o, v1alpha1.Bucket", "two controllers wait for storage.test.crossplane.io/v1alpha1, Kind=Bucket"},
		{controller, "setup.Gated(mgr, o, v1alpha1.LockGroupVersionKind", `setup.Gated(mgr, o, v1alpha1.SchemeGroupVersion.WithKind("Lok")`, "Kind=Lok, which has no CRD"},
		{controller, "&v1alpha1.LockList{}", "&v1alpha1.BucketList{}", "the controller of Lock is given a storage.test.crossplane.io/v1alpha1, Kind=BucketList"},
		{program, "apiextensionsv1.AddToScheme, ", "", "CustomResourceDefinition"},
		{program, "features.Enable(feature.EnableBetaManagementPolicies)", "_ = feature.EnableBetaManagementPolicies", "management policies are off"},
		{program, "customresourcesgate.Setup(mgr, common)", "func() error { _ = customresourcesgate.Setup; return nil }()", "nothing opens the gate"},
		{program, "clientgoscheme.AddToScheme, ", "func(*runtime.Scheme) error { _ = clientgoscheme.Scheme; return nil }, ", "the scheme has no Secret"},
		{program, "new(gate.Gate[schema.GroupVersionKind])", "(*gate.Gate[schema.GroupVersionKind])(nil)", "returns no Gate"},
		{config, "ProviderConfigUsageListGroupVersionKind", "ProviderConfigUsageGroupVersionKind", "internal/controller/config/config.go:"},
		{config, "\t\tWatches(&v1alpha1.ProviderConfigUsage{}, &resource.EnqueueRequestForProviderConfig{Kind: of.Kind}).\n", "", "isn't told that the last ProviderConfigUsage is gone"},
		{program, "metrics.Registry.MustRegister(recorder, states)", "metrics.Registry.MustRegister(recorder, states, states)", "cmd/provider/main.go:"},
		{setup, "\t\tWithEventFilter(resource.DesiredStateChanged()).\n", "", "the controller of Lock looks at what it wrote itself"},
		{setup, "mgr.Add(recorder)", "func() error { _ = recorder; return nil }()", "no metric has the states of Lock"},
		{setup, "ratelimiter.NewReconciler(name, r, o.GlobalRateLimiter)", "func() reconcile.Reconciler { _ = ratelimiter.LimitRESTConfig; return r }()", "the controller of Lock isn't limited"},
		{setup, "\t\tmanaged.WithReferenceResolver(NewReferenceResolver[resource.Managed](mgr.GetClient())),\n", "", "removes those that were resolved before"},
		{setup, "\t\tmanaged.WithMinPollInterval(min(minPollInterval, o.PollInterval)),\n", "", "an annotation makes the external API be asked"},
		{setup, "ReportUpdates(connector)", "connector", "after 3 updates without effect"},
		{setup, "\t\tmanaged.WithLogger(o.Logger.WithValues(\"controller\", name)),\n", "", "nothing is logged"},
		{setup, "\t\tWithOptions(o.ForControllerRuntime()).\n", "", "the controller of Lock doesn't heed --max-reconcile-rate"},
		{controller, "cr.Status.AtProvider, e.observed = observed, observed", "cr.Status.AtProvider = observed", "Observe kept nothing for Update: set e.observed"},
		{controller, "ExternalObservation{ResourceUpToDate: true}, nil", "ExternalObservation{}, nil", "Update is called although the external resource is gone"},
		{folder + "client.go", `"DELETING"`, `"DELETED"`, `times in the state {"state":"DELETING"}`},
		{lived, `Deleting:    life.Document{"state": "DELETING"}`, `Deleting: life.Document{"state": "DELETED"}`, `times in the state {"state":"DELETED"}`},
		{lived, `Ready:       life.Document{"state": "ACTIVE"}`, `Ready: life.Document{"stat": "ACTIVE"}`, `Ready "stat": nothing in this life is called so: the API has`},
		{lived, `Identifiers: []string{"region"}`, `Identifiers: []string{"regin"}`, `Identifiers "regin": nothing in this life is called so: it is no field`},
		{lived, "examples/provider/*.yaml", "examples/config/*.yaml", "examples/config/*.yaml in Manifests names no file"},
		{"examples/provider/providerconfig.yaml", "source: Secret", "source: Secrt", "the API server refuses an object in Manifests: ClusterProviderConfig"},
		{"Makefile", " verify --lint", " verify", "make verify runs no lint"},
		{"package/crossplane.yaml", "  - safe-start\n", "  - other\n", "lacks safe-start"},
	} {
		source, err := os.ReadFile(filepath.Join(dir, slip.file))
		expect.Must(t, err == nil && strings.Contains(string(source), slip.old), "%s has no %s: %v", slip.file, slip.old, err)
		expect.NoError(t, os.WriteFile(filepath.Join(dir, slip.file), []byte(strings.Replace(string(source), slip.old, slip.new, 1)), 0o644))
		packages := []string{"./cmd/provider", "./internal/setup"}
		if strings.HasPrefix(slip.file, folder) || strings.HasPrefix(slip.file, "examples/") {
			packages = append(packages, "./"+folder)
		}
		out, err := run(packages...)
		expect.True(t, err != nil && strings.Contains(string(out), slip.want), "%s: %v\n%s\nwant %q", slip.file, err, out, slip.want)
		expect.NoError(t, os.WriteFile(filepath.Join(dir, slip.file), source, 0o644))
	}
	out, err := run("./...")
	expect.True(t, err == nil, "without slips: %v\n%s", err, out)
}
