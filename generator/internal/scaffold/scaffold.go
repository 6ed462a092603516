// Package scaffold writes what an author begins with: the source of a new provider,
// and of a new kind in a provider. It computes files in memory, and edits source of
// the author as text, at the places that the syntax tree shows.
package scaffold

import (
	"go/token"
	"path"
	"regexp"
	"strings"
	"unicode"

	"golang.org/x/mod/module"
	"k8s.io/apimachinery/pkg/util/validation"

	"github.com/mrgen-io/mrgen/generator/internal/diag"
)

const codeScaffold diag.Code = "scaffold"

// A Scope says where the managed resources of a provider live.
type Scope string

// The scopes. A provider of both has each kind twice, in two API groups.
const (
	Namespaced Scope = "namespaced"
	Cluster    Scope = "cluster"
	Both       Scope = "both"
)

// A Provider is what its scaffold is made from.
type Provider struct {
	// Module is the path of the Go module.
	Module string
	// Name of the provider, as "provider-example".
	Name string
	// Group that the API groups of the provider end with.
	Group string
	// Trees are the parts of the source that differ by scope: one or two.
	Trees []Tree
	// MrgenVersion is the version of mrgen that the provider runs, as "v1.0.0" or
	// "latest".
	MrgenVersion string
}

// Short returns the first word of the API group, the category of the provider's
// kinds.
func (p Provider) Short() string {
	word, _, _ := strings.Cut(p.Group, ".")
	return word
}

// A Tree is the part of a provider's source that has the kinds of one scope.
type Tree struct {
	Namespaced bool
	// Folder is the name of the folder below apis and internal/controller, empty if
	// the provider has one tree.
	Folder string
	// Group is that of the provider's configuration.
	Group string
}

// APIDir returns the folder of the API packages.
func (t Tree) APIDir() string { return path.Join("apis", t.Folder) }

// ConfigDir returns the folder of the API package of the provider's configuration.
func (t Tree) ConfigDir() string { return path.Join(t.APIDir(), configVersion) }

// ControllerDir returns the folder of the controllers.
func (t Tree) ControllerDir() string { return path.Join("internal/controller", t.Folder) }

// ExampleDir returns the folder of the manifests.
func (t Tree) ExampleDir() string { return path.Join("examples", t.Folder) }

// AliasPrefix returns what the names of imported packages begin with, so that they
// differ between trees.
func (t Tree) AliasPrefix() string { return t.Folder }

// ConfigAlias returns the name of the API package of the provider's configuration
// where it is imported beside others.
func (t Tree) ConfigAlias() string { return t.Folder + "config" + configVersion }

// Scope returns the scope as a CRD has it.
func (t Tree) Scope() string {
	if t.Namespaced {
		return "Namespaced"
	}
	return "Cluster"
}

// Remark tells the trees of a provider apart in comments. It is empty if there is
// only one.
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

// The trees of a provider of both scopes, and the version of the provider's
// configuration.
const (
	clusterFolder    = "cluster"
	namespacedFolder = "namespaced"
	configVersion    = "v1alpha1"
)

// trees returns the trees of a provider.
func trees(scope Scope, group string) []Tree {
	switch scope {
	case Cluster:
		return []Tree{{Group: group}}
	case Both:
		return []Tree{
			{Folder: clusterFolder, Group: group},
			{Folder: namespacedFolder, Group: namespacedGroup(group), Namespaced: true},
		}
	default:
		return []Tree{{Group: group, Namespaced: true}}
	}
}

// namespacedGroup returns the API group for the namespaced variant of the kinds in a
// group: Crossplane's providers add the label m, for managed, after the first one.
func namespacedGroup(group string) string {
	first, rest, _ := strings.Cut(group, ".")
	return first + ".m." + rest
}

// New returns the provider with that module path, API group, scope and name, which
// defaults to the last element of the module path.
func New(modulePath, group string, scope Scope, name string) (Provider, diag.List) {
	var diags diag.List
	report := func(format string, args ...any) {
		diags = append(diags, diag.Errorf(diag.Position{}, codeScaffold, format, args...))
	}
	if err := module.CheckImportPath(modulePath); err != nil {
		report("%q is no module path: write one such as github.com/example/provider-example", modulePath)
	}
	if name == "" {
		prefix, _, ok := module.SplitPathVersion(modulePath)
		if !ok {
			prefix = modulePath
		}
		name = strings.ToLower(path.Base(prefix))
	}
	if len(validation.IsDNS1123Label(name)) > 0 {
		report("%q is no name for a provider: give one of lower case letters, digits and hyphens, such as provider-example", name)
	}
	if len(validation.IsDNS1123Subdomain(group)) > 0 || !strings.Contains(group, ".") || !wordPattern.MatchString(strings.ReplaceAll(firstLabel(group), "-", "")) {
		report("%q is no API group for a provider: write a domain name of lower case letters, such as example.crossplane.io", group)
	}
	if scope != Namespaced && scope != Cluster && scope != Both {
		report("%q is no scope: write %s, %s or %s", scope, Namespaced, Cluster, Both)
	}
	return Provider{Module: modulePath, Name: name, Group: group, Trees: trees(scope, group)}, diags
}

func firstLabel(group string) string {
	label, _, _ := strings.Cut(group, ".")
	return label
}

// A Kind is a version of a kind of managed resource.
type Kind struct {
	// Name in camel case, as "Bucket".
	Name string
	// Group is the first label of the API group, as "storage".
	Group string
	// Version of the API, as "v1alpha1".
	Version string
}

var (
	wordPattern = regexp.MustCompile(`^[a-z][a-z0-9]*$`)
	kindPattern = regexp.MustCompile(`^[A-Z][A-Za-z0-9]*$`)
	// versionPattern is that of Kubernetes, see
	// https://kubernetes.io/docs/reference/using-api/#api-versioning.
	versionPattern = regexp.MustCompile(`^v[1-9][0-9]*((alpha|beta)[1-9][0-9]*)?$`)
)

// takenKinds are names that packages of the scaffold declare already.
var takenKinds = map[string]bool{
	"Group": true, "Version": true, "SchemeGroupVersion": true, "SchemeBuilder": true,
	"ProviderConfig": true, "ProviderConfigUsage": true, "ClusterProviderConfig": true, "ClusterProviderConfigUsage": true,
}

// NewKind returns the kind with that name, group and version. The group may be the
// first label or the whole API group of one of the provider's trees.
func (p Provider) NewKind(name, group, version string) (Kind, diag.List) {
	var diags diag.List
	report := func(format string, args ...any) {
		diags = append(diags, diag.Errorf(diag.Position{}, codeScaffold, format, args...))
	}
	for _, t := range p.Trees {
		group = strings.TrimSuffix(group, "."+t.Group)
	}
	switch {
	case !kindPattern.MatchString(name):
		report("%q is no kind: write one in camel case, such as Bucket", name)
	case takenKinds[name] || strings.HasSuffix(name, "List"):
		report("%s can't be a kind of managed resource, since this name has another meaning: choose another", name)
	}
	if !wordPattern.MatchString(group) {
		report("%q is no group: write one word of lower case letters and digits, such as storage, which becomes storage.%s", group, p.Group)
	} else if versionPattern.MatchString(group) || group == clusterFolder || group == namespacedFolder || group == "config" {
		report("%q can't be a group, since the folder of that name has another purpose: choose another word", group)
	}
	if !versionPattern.MatchString(version) {
		report("%q is no API version: write one such as v1alpha1, v1beta1 or v1", version)
	}
	return Kind{Name: name, Group: group, Version: version}, diags
}

// Package returns the name of the package of the kind's controller.
func (k Kind) Package() string {
	name := strings.ToLower(k.Name)
	if token.IsKeyword(name) {
		return name + "kind"
	}
	return name
}

// Article returns what stands before the name of the kind in a sentence.
func (k Kind) Article() string {
	if strings.ContainsRune("AEIO", unicode.ToUpper(rune(k.Name[0]))) {
		return "An"
	}
	return "A"
}
