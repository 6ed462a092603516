// Package scaffolding makes the source of a new provider, and of a new kind in a provider, which also
// changes files of the author. It computes the files in memory.
package scaffolding

import (
	"go/token"
	"path"
	"regexp"
	"slices"
	"strings"
	"unicode"

	"golang.org/x/mod/module"
	"k8s.io/apiextensions-apiserver/pkg/apihelpers"
	"k8s.io/apimachinery/pkg/util/validation"

	"github.com/mrgen-io/mrgen/generator/diag"
	"github.com/mrgen-io/mrgen/generator/internal/gosyntax"
	"github.com/mrgen-io/mrgen/generator/internal/workshop/fromsdk"
	"github.com/mrgen-io/mrgen/generator/internal/workshop/layout"
	"github.com/mrgen-io/mrgen/generator/scopepair"
)

const codeScaffold = layout.Code

// A Scope says whether the managed resources of a provider are namespaced.
type Scope string

// The scopes. A provider of both has each kind twice, in two API groups. Those that are
// namespaced are written by hand.
const (
	Namespaced Scope = "namespaced"
	Cluster    Scope = "cluster"
	Both       Scope = "both"
)

// A Provider is the data from which the source of a provider is made.
type Provider struct {
	// Module is the path of the Go module.
	Module string
	// Name of the provider, such as "provider-example".
	Name string
	// Group is the common end of the provider's API groups.
	Group string
	// Trees has a tree for each scope.
	Trees []Tree
	// MrgenVersion is the version of mrgen that the provider runs, such as "v1.0.0". It is empty if
	// the provider runs the one on PATH.
	MrgenVersion string
	// Definitions is the folder with the CRDs.
	Definitions string
	// Clients are the patterns of packages in which conversions may be declared.
	Clients []string

	// source is set if the provider exists. copies say what mrgen writes of one scope, and origins of what.
	source          *layout.Module
	copies, origins []scopepair.Pair
	// only is the scope that a kind is to have, "" if it is to have all of the provider's.
	only Scope
}

// Only has a kind have one scope alone, and reports it if the provider has no kinds of that scope.
func (p *Provider) Only(scope Scope) diag.List {
	p.only = scope
	has := slices.ContainsFunc(p.Trees, func(t Tree) bool { return scope.has(t) })
	switch {
	case scope != "" && scope != Namespaced && scope != Cluster:
		return refuse("", "%q is not a scope: write %s or %s", scope, Namespaced, Cluster)
	case !has:
		return refuse(p.Trees[0].Dir,
			"this provider has no %s kinds beside which there could be another one: see mrgen add scope", describe[scope])
	}
	return nil
}

// has reports whether a tree has kinds of the scope.
func (s Scope) has(t Tree) bool { return s == "" || (s == Namespaced) == t.Namespaced }

// scope returns the scope of the tree's kinds.
func (t Tree) scope() Scope {
	if t.Namespaced {
		return Namespaced
	}
	return Cluster
}

// describe has adjectives for scopes.
var describe = map[Scope]string{Namespaced: "namespaced", Cluster: "cluster scoped"}

// SetCopied says what mrgen writes of one scope from the other.
func (p *Provider) SetCopied(copies []scopepair.Pair) {
	p.copies = copies
	for _, pair := range copies {
		p.origins = append(p.origins, pair.Reversed())
	}
	p.addOther()
}

// counterpart returns the folder that mrgen writes from another one, if it does.
func (p Provider) counterpart(dir string) (string, bool) { return follow(p.copies, dir) }

// origin returns the folder from which mrgen writes another one, if it does.
func (p Provider) origin(dir string) (string, bool) { return follow(p.origins, dir) }

// follow returns the folder that a pair has for another one, or else that one.
func follow(pairs []scopepair.Pair, dir string) (string, bool) {
	for _, pair := range pairs {
		if to, ok := pair.Counterpart(dir); ok {
			return to, true
		}
	}
	return dir, false
}

// isSource reports whether mrgen writes the other scope's kinds from a tree.
func (p Provider) isSource(t Tree, k Kind) bool {
	_, ok := p.counterpart(t.DirOf(t.groupOf(k), k.Name, k.Version))
	return ok
}

// forKind returns the provider with trees that are copied as a kind is.
func (p Provider) forKind(k Kind) Provider {
	p.Trees = slices.Clone(p.Trees)
	for i := range p.Trees {
		p.Trees[i].Copied = !p.isSource(p.Trees[i], k) && slices.ContainsFunc(p.Trees, func(t Tree) bool { return p.isSource(t, k) })
	}
	return p
}

// Source returns the first tree whose kinds are written by hand, of the scope that a kind is to have.
func (p Provider) Source() Tree {
	for _, t := range p.Trees {
		if p.only.has(t) && (p.only != "" || !t.Copied && !t.Foreign) {
			return t
		}
	}
	return p.Trees[0]
}

// IsCopied reports whether mrgen copies the kinds of one scope from the other.
func (p Provider) IsCopied() bool {
	return slices.ContainsFunc(p.Trees, func(t Tree) bool { return t.Copied })
}

// SchemaRef returns where in mrgen's repository the schema of mrgen.yaml is: the tag of the version, or
// main if it has none.
func (p Provider) SchemaRef() string {
	if p.MrgenVersion == "" || module.IsPseudoVersion(p.MrgenVersion) {
		return "main"
	}
	return p.MrgenVersion
}

// Short returns the first word of the API group, which is the category of the provider's kinds.
func (p Provider) Short() string {
	word, _, _ := strings.Cut(p.Group, ".")
	return word
}

// Registry returns where packages of the provider are pushed to, unless somebody says otherwise: the
// registry of the host of its repository, if that has one.
func (p Provider) Registry() string {
	repository, _, _ := module.SplitPathVersion(p.Module)
	host, rest, _ := strings.Cut(repository, "/")
	owner, _, _ := strings.Cut(rest, "/")
	switch host {
	case "github.com":
		return "ghcr.io/" + strings.ToLower(owner)
	case "gitlab.com":
		return "registry.gitlab.com/" + strings.ToLower(rest)
	}
	return "localhost:5000"
}

// A Tree is the part of a provider's source for the kinds of one scope.
type Tree struct {
	// Tree has the existing kinds, those of the other scope if isEmpty is set.
	layout.Tree
	// Folder is the name of the folders below apis, internal/controller and examples, and the prefix of
	// package names in imports, which tells the trees apart. It is empty if the provider has one tree.
	Folder string
	// Copied is set if mrgen copies the kinds of this scope from the other.
	Copied bool

	isEmpty bool
}

// ConfigDir returns the folder of the API package of the provider's configuration.
func (t Tree) ConfigDir() string { return path.Join(t.Dir, configVersion) }

// ControllerDir returns the folder of the controllers of a new provider.
func (t Tree) ControllerDir() string { return path.Join("internal/controller", t.Folder) }

// ExampleDir returns the folder of the manifests.
func (t Tree) ExampleDir() string { return path.Join("examples", t.Folder) }

// ConfigAlias returns the name in imports for the API package of the provider's configuration.
func (t Tree) ConfigAlias() string { return t.Folder + "config" + configVersion }

// Scope returns the scope as a CRD has it.
func (t Tree) Scope() string {
	if t.Namespaced {
		return "Namespaced"
	}
	return "Cluster"
}

// Remark returns the end of comments that tells the trees apart, or "" if there is only one.
func (t Tree) Remark() string {
	switch {
	case t.Folder == "":
		return ""
	case t.Namespaced:
		return " (namespaced)"
	default:
		return " (cluster scoped)"
	}
}

const (
	clusterFolder    = "cluster"
	namespacedFolder = "namespaced"
	configVersion    = "v1alpha1"
)

// trees returns the trees of a provider.
func trees(scope Scope, group string) []Tree {
	of := func(namespaced bool, group, folder string) Tree {
		return Tree{Tree: layout.Tree{Namespaced: namespaced, Group: group, Dir: path.Join("apis", folder)}, Folder: folder}
	}
	if scope != Both {
		return []Tree{of(scope != Cluster, group, "")}
	}
	cluster := of(false, group, clusterFolder)
	cluster.Copied = true
	return []Tree{cluster, of(true, namespacedGroup(group), namespacedFolder)}
}

// namespacedGroup returns the API group for the namespaced variants of a group's kinds: Crossplane's
// providers insert the label m, for managed, after the first one.
func namespacedGroup(group string) string {
	first, rest, _ := strings.Cut(group, ".")
	return first + ".m." + rest
}

// New returns a provider, and diagnostics if an argument is invalid. The name defaults to the last
// element of the module path.
func New(modulePath, group string, scope Scope, name string) (Provider, diag.List) {
	var diags diag.List
	report := func(format string, args ...any) {
		diags = append(diags, diag.Errorf(diag.Position{}, codeScaffold, format, args...))
	}
	prefix, _, isVersioned := module.SplitPathVersion(modulePath)
	switch {
	case !isVersioned || module.CheckImportPath(modulePath) != nil || modulePath == "go":
		report("%q is not a module path: write one such as github.com/example/provider-example", modulePath)
		return Provider{}, diags // the name may follow from it
	case slices.Contains(strings.Split(modulePath, "/"), "vendor"):
		report("%q can't be the module path, since vendor has another meaning for the go command: choose another", modulePath)
	case requires(modulePath):
		report("%q can't be the module path, since the provider requires the module of that path: choose another", modulePath)
	}
	if name == "" {
		name = strings.ToLower(path.Base(prefix))
	}
	if len(validation.IsDNS1123Label(name)) > 0 {
		report("%q is not a name for a provider: write one of lower case letters, digits and hyphens, such as provider-example", name)
	}
	label, _, _ := strings.Cut(group, ".")
	switch {
	case len(validation.IsDNS1123Subdomain(group)) > 0 || !strings.Contains(group, ".") ||
		!wordPattern.MatchString(strings.ReplaceAll(label, "-", "")):
		report("%q is not an API group for a provider: write a domain name of lower case letters, such as example.crossplane.io", group)
	case apihelpers.IsProtectedCommunityGroup(group):
		report("%q can't be the API group of a provider, since those below k8s.io and kubernetes.io are Kubernetes' own: choose another", group)
	case len(label) > validation.DNS1123LabelMaxLength ||
		len(validation.IsDNS1123Subdomain("clusterproviderconfigs."+namespacedGroup(group))) > 0:
		report("%q is too long for an API group: choose a shorter one", group)
	}
	if scope != Namespaced && scope != Cluster && scope != Both {
		report("%q is not a scope: write %s, %s or %s", scope, Namespaced, Cluster, Both)
	}
	return Provider{Module: modulePath, Name: name, Group: group, Trees: trees(scope, group)}, diags
}

// requires reports whether new providers require the module.
func requires(modulePath string) bool {
	text, err := templates.ReadFile("templates/provider/go.mod.tmpl")
	return err == nil && regexp.MustCompile(`(?m)^\t`+regexp.QuoteMeta(modulePath)+` v`).Match(text)
}

// A Kind is a version of a kind of managed resource.
type Kind struct {
	// Name in camel case, such as "Bucket".
	Name string
	// Group is the first label of the API group, such as "storage". It is empty if the group is the
	// common end of all.
	Group string
	// groups are the API groups by whether they are those of namespaced kinds, nil for the common ends.
	groups map[bool]string
	// Version of the API, such as "v1alpha1".
	Version string
	// SDK names what the kind is made of, nil for one with example fields, and ReadSDK reads it.
	SDK     *fromsdk.Options
	ReadSDK func(fromsdk.Options) (*fromsdk.Kind, diag.List)
	Example Example
}

var (
	wordPattern = regexp.MustCompile(`^[a-z][a-z0-9]*$`)
	kindPattern = regexp.MustCompile(`^[A-Z][A-Za-z0-9]*$`)
)

// longestKind is the greatest length of a kind's name: Kubernetes must accept that of its list.
const longestKind = validation.DNS1035LabelMaxLength - len("List")

// hiddenFolder reports whether the go command ignores folders of that name, restricts their
// imports, or rejects them as import paths.
func hiddenFolder(name string) bool {
	return slices.Contains([]string{"internal", "testdata", "vendor"}, name) || module.CheckImportPath("example.org/"+name) != nil
}

// takenKinds are names that the scaffold's packages declare.
var takenKinds = map[string]bool{
	"SchemeGroupVersion": true, "SchemeBuilder": true,
	"ProviderConfig": true, "ProviderConfigUsage": true, "ClusterProviderConfig": true, "ClusterProviderConfigUsage": true,
}

// NewKind returns a kind of the provider, and diagnostics if an argument is invalid. The group is
// the first label of an API group, or all of it.
func (p Provider) NewKind(name, group, version string) (Kind, diag.List) {
	var diags diag.List
	switch {
	case !kindPattern.MatchString(name):
		example := ""
		for word := range strings.FieldsFuncSeq(name, func(r rune) bool { return strings.ContainsRune("-_. /", r) }) {
			example += gosyntax.Exported(word)
		}
		if !kindPattern.MatchString(example) {
			example = "Bucket"
		}
		diags = refuse("", "%q is not a kind: write one in camel case, such as %s", name, example)
	case takenKinds[name]:
		diags = refuse("", "%s can't be a kind of managed resource, since this name has another meaning: choose another", name)
	case len(name) > longestKind:
		diags = refuse("", "%s can't be a kind, since Kubernetes accepts names of up to %d letters: choose a shorter one", name, longestKind)
	}
	k := Kind{Name: name, Version: version}
	diags = append(diags, p.setGroup(&k, group)...)
	return k, append(diags, checkVersion(version)...)
}

// checkVersion reports a text that isn't an API version.
func checkVersion(version string) diag.List {
	switch {
	case !layout.IsVersion(version):
		return refuse("", "%q is not an API version: write one such as v1alpha1, v1beta1 or v1", version)
	case len(version) > validation.DNS1035LabelMaxLength:
		return refuse("", "%q can't be an API version, since Kubernetes accepts names of up to %d letters: write one such as v1alpha1", version,
			validation.DNS1035LabelMaxLength)
	}
	return nil
}

// Package returns the name of the package of the kind's controller.
func (k Kind) Package() string {
	name := strings.ToLower(k.Name)
	// The go command treats packages main and documentation differently, and the controller has
	// files client.go, memory.go and password.go.
	taken := []string{"main", "documentation", "client", "memory", "password"}
	if token.IsKeyword(name) || hiddenFolder(name) || slices.Contains(taken, name) {
		return name + "kind"
	}
	return name
}

// Article returns the indefinite article of the kind's name.
func (k Kind) Article() string {
	if strings.ContainsRune("AEIO", unicode.ToUpper(rune(k.Name[0]))) {
		return "An"
	}
	return "A"
}
