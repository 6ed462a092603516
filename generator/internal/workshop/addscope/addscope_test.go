package addscope

import (
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/mrgen-io/mrgen/testdata/expect"
)

const (
	v1Types = "github.com/crossplane/crossplane-runtime/apis/common/v1"
	v2Types = "github.com/crossplane/crossplane/apis/v2/core/v2"
)

// api returns the source of a kind whose spec embeds a type.
func api(group, kind, imported, spec string) string {
	return fmt.Sprintf("// Package v1 is an API.\n//\n// +groupName=%[1]s\npackage v1\n\nimport (\n\tmetav1 \"k8s.io/apimachinery/pkg/apis/meta/v1\"\n\n\txp %[2]q\n)\n\n"+
		"// %[3]sSpec is its spec.\ntype %[3]sSpec struct {\n\txp.%[4]s `json:\",inline\"`\n}\n\n"+
		"// %[3]s is a kind.\n//\n// +kubebuilder:object:root=true\n// +kubebuilder:resource:scope=Cluster\ntype %[3]s struct {\n\tmetav1.TypeMeta   `json:\",inline\"`\n\tmetav1.ObjectMeta `json:\"metadata,omitempty\"`\n\n\tSpec %[3]sSpec `json:\"spec\"`\n}\n", group, imported, kind, spec)
}

func namespaced(group string) string { return api(group, "Bucket", v2Types, "ManagedResourceSpec") }
func cluster(group string) string    { return api(group, "Bucket", v2Types, "ClusterManagedResourceSpec") }

// using is the source of a package that uses others.
func using(name string, imports ...string) string {
	text, uses := "package "+name+"\n", ""
	for i, of := range imports {
		text += fmt.Sprintf("\nimport p%d %q\n", i, "example.org/p/"+of)
		uses += fmt.Sprintf("\nvar _ p%d.Bucket\n", i)
	}
	return text + uses
}

// added says in short what an addition has.
func added(a Addition) string {
	var lines []string
	if len(a.Pairs) > 0 {
		lines = append(lines, strings.TrimSpace(Section(a.Pairs)))
	}
	for _, name := range slices.Sorted(maps.Keys(a.Files)) {
		lines = append(lines, "+ "+name)
	}
	for _, name := range slices.Sorted(maps.Keys(a.Removed)) {
		lines = append(lines, "- "+name+" for "+a.Removed[name])
	}
	return strings.Join(lines, "\n")
}

// TestAdd has modules of every sort, and what changes in them.
func TestAdd(t *testing.T) {
	for name, test := range map[string]struct {
		files  map[string]string
		groups map[string]string
		want   string
	}{
		"nothing": {map[string]string{"a/a.go": "package a\n"}, nil, ".: no package of this module has a managed resource: add one with mrgen add kind, or start in the module of a provider"},
		"namespaced": {map[string]string{
			"apis/a/v1/a.go": namespaced("a.x.org"), "apis/b/v1/b.go": namespaced("b.m.x.org"), "apis/c/v1/c.go": namespaced("c.x.org"),
			"internal/controller/a/a.go": using("a", "apis/a/v1"), "internal/controller/a/a_test.go": "package a\n",
		}, map[string]string{"c.x.org": "d.x.org"}, `scopes:
- from: apis/*
  to: apis/cluster/*
  groups:
    "a.x.org": "a.cluster.x.org"
    "b.m.x.org": "b.x.org"
    "c.x.org": "d.x.org"
  code:
  - {from: internal/controller/*, to: internal/controller/cluster/*}
  tests: true
+ mrgen.yaml`},
		"namespaced, and said so": {map[string]string{"apis/namespaced/a/v1/a.go": namespaced("a.m.x.org"), "apis/namespaced/b/v1/b.go": namespaced("b.m.x.org"), "code/a.go": using("code", "apis/namespaced/a/v1")}, nil, `scopes:
- from: apis/namespaced
  to: apis/cluster
  groups:
    "a.m.x.org": "a.x.org"
    "b.m.x.org": "b.x.org"
  code:
  - {from: code, to: cluster/code}
+ mrgen.yaml`},
		"a mistake": {map[string]string{"apis/a/v1/a.go": "package v1\n\nfunc\n"}, nil, "apis/a/v1/a.go:3:6: cannot parse this file: expected 'IDENT', found 'EOF': correct it first"},
		"an old generation": {map[string]string{"apis/a/v1/a.go": api("a.x.org", "Bucket", v1Types, "ResourceSpec"), "apis/b/v1/b.go": cluster("b.x.org")}, nil,
			"apis/a/v1/a.go:14:2: managed resources of this version of crossplane-runtime are cluster scoped: move to github.com/crossplane/crossplane-runtime/v2 first"},
		"both": {map[string]string{
			"apis/namespaced/a/v1/a.go": namespaced("a.m.x.org"), "apis/cluster/a/v1/a.go": cluster("a.x.org"), "apis/namespaced/b/v1/a.go": namespaced("b.m.x.org"),
			"internal/controller/namespaced/a/a.go": "package a\n", "internal/controller/namespaced/a/a_test.go": "package a\n", "internal/controller/cluster/a/a.go": "package a\n",
			"internal/cluster/only/a.go": "package only\n", "cmd/p/main.go": "package main\n",
		}, nil, `scopes:
- from: apis/namespaced
  to: apis/cluster
  groups:
    "a.m.x.org": "a.x.org"
  code:
  - {from: internal/controller/namespaced, to: internal/controller/cluster}
  tests: true
+ mrgen.yaml`},
		"both, without tests": {map[string]string{"apis/namespaced/a/v1/a.go": namespaced("a.m.x.org"), "apis/cluster/a/v1/a.go": cluster("a.x.org"), "x/namespaced/a.go": "package a\n", "x/cluster/a.go": "package a\n"}, nil, `scopes:
- from: apis/namespaced
  to: apis/cluster
  groups:
    "a.m.x.org": "a.x.org"
  code:
  - {from: x/namespaced, to: x/cluster}
+ mrgen.yaml`},
		"both in each other": {map[string]string{"apis/a/v1/a.go": namespaced("a.m.x.org"), "apis/a/cluster/v1/a.go": cluster("a.x.org")}, nil,
			"apis/a/v1/a.go:14:2: the kinds of both scopes are not in folders beside each other: move them to folders such as apis/namespaced and apis/cluster"},
		"settings in braces": {map[string]string{"apis/namespaced/a/v1/a.go": namespaced("a.m.x.org"), "apis/cluster/a/v1/a.go": cluster("a.x.org"), "mrgen.yaml": " {crds: {}}\n"}, nil,
			"mrgen.yaml:1:1: mrgen can't add to settings in braces: write each on a line of its own"},
		"cluster": {map[string]string{
			"apis/a/v1/a.go": cluster("a.x.org"), "apis/a/v1/zz_generated.deepcopy.go": "// Code generated by mrgen. DO NOT EDIT.\n\npackage v1\n", "apis/apis.go": using("apis", "apis/a/v1"),
			"internal/controller/a/a.go": using("a", "apis/a/v1"), "internal/controller/all.go": using("controller", "internal/controller/a"), "cmd/p/main.go": using("main", "apis/a/v1", "internal/controller"),
			"testdata/a.go": "package\n", "below/go.mod": "module example.org/below\n", "below/a.go": "package\n",
		}, nil, `scopes:
- from: apis/a/namespaced/*
  to: apis/a/*
  groups:
    "a.m.x.org": "a.x.org"
  code:
  - {from: internal/controller/namespaced/*, to: internal/controller/*}
+ apis/a/namespaced/v1/a.go
+ internal/controller/namespaced/a/a.go
+ mrgen.yaml
- apis/a/v1/a.go for apis/a/v1/zz_generated.scope_a.go
- internal/controller/a/a.go for internal/controller/a/zz_generated.scope_a.go`},
		"cluster, with tests, code at the top and another group": {map[string]string{
			"apis/cluster/a/v1/a.go": cluster("a.x.org"), "apis/cluster/b/v1/a.go": cluster("b.x.org"), "code/a.go": using("code", "apis/cluster/a/v1"), "code/a_test.go": "package code\n", "mrgen.yaml": "crds:\n  dir: a",
		}, map[string]string{"a.x.org": "a.managed.x.org"}, `scopes:
- from: apis/namespaced
  to: apis/cluster
  groups:
    "a.managed.x.org": "a.x.org"
    "b.m.x.org": "b.x.org"
  code:
  - {from: namespaced/code, to: code}
  tests: true
+ apis/namespaced/a/v1/a.go
+ apis/namespaced/b/v1/a.go
+ mrgen.yaml
+ namespaced/code/a.go
+ namespaced/code/a_test.go
- apis/cluster/a/v1/a.go for apis/cluster/a/v1/zz_generated.scope_a.go
- apis/cluster/b/v1/a.go for apis/cluster/b/v1/zz_generated.scope_a.go
- code/a.go for code/zz_generated.scope_a.go
- code/a_test.go for code/zz_generated.scope_a_test.go`},
		"apart":             {map[string]string{"a/v1/a.go": cluster("a.x.org"), "b/v1/b.go": cluster("b.x.org")}, nil, "a/v1: the API packages are not in one folder: move them to one such as apis"},
		"a file in the way": {map[string]string{"apis/a/v1/a.go": cluster("a.x.org"), "apis/namespaced/a/v1/a.go": ""}, nil, "apis/namespaced/a/v1/a.go:1:1: cannot parse this file: expected 'package', found 'EOF': correct it first"},
	} {
		t.Run(name, func(t *testing.T) {
			root := t.TempDir()
			test.files["go.mod"] = "module example.org/p\n\ngo 1.26\n"
			for name, content := range test.files {
				file := filepath.Join(root, filepath.FromSlash(name))
				expect.NoError(t, os.MkdirAll(filepath.Dir(file), 0o755))
				expect.NoError(t, os.WriteFile(file, []byte(content), 0o600))
			}
			a, diags := Add(Options{Root: root, Groups: test.groups, IsOutput: func(name string) bool { return name == "zz_generated.deepcopy.go" }, PackageNames: packageNames})
			got := added(a)
			if diags.HasErrors() {
				got = strings.TrimSpace(fmt.Sprintln(diags[0]))
			}
			expect.True(t, got == test.want, "got\n%s\nwant\n%s", got, test.want)
			if settings, isAdded := a.Files[SettingsFile]; isAdded && !diags.HasErrors() {
				before := test.files[SettingsFile]
				if before != "" {
					before += "\n"
				}
				want := before + Section(a.Pairs)
				expect.True(t, string(settings) == want, "the settings are\n%s\nwant\n%s", settings, want)
			}
		})
	}
}

// TestNamespacedGroup inserts the label after the first one of what all groups end with.
func TestNamespacedGroup(t *testing.T) {
	a := &adder{opts: Options{Groups: map[string]string{"given.x.org": "taken.x.org"}}, folders: map[string]*folder{"config": {group: "x.org"}, "other": {group: ""}}}
	for _, test := range []struct {
		group   string
		configs []string
		want    string
	}{
		{"a.x.org", nil, "a.m.x.org"},
		{"a.x.org", []string{"config"}, "a.x.m.org"},
		{"x.org", []string{"config"}, "x.m.org"},
		{"a.xx.org", []string{"config"}, "a.m.xx.org"},
		{"a.x.org", []string{"other"}, "a.m.x.org"},
		{"given.x.org", []string{"config"}, "taken.x.org"},
	} {
		expect.Equal(t, test.want, a.namespacedGroup(test.group, test.configs), "%s beside %v", test.group, test.configs)
	}
}

// packageNames returns the names of packages that don't follow from their paths.
func packageNames([]string) map[string]string {
	return map[string]string{"github.com/crossplane/crossplane/apis/v2/core/v2": "v2"}
}
