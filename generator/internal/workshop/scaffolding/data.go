package scaffolding

import (
	"cmp"
	"fmt"
	"path"
	"slices"
	"strings"

	"github.com/mrgen-io/mrgen/generator/diag"
	"github.com/mrgen-io/mrgen/generator/internal/artifact"
	"github.com/mrgen-io/mrgen/generator/internal/flavor"
	"github.com/mrgen-io/mrgen/generator/internal/model"
	"github.com/mrgen-io/mrgen/generator/internal/workshop/fromsdk"
	"github.com/mrgen-io/mrgen/generator/internal/workshop/layout"
	"github.com/mrgen-io/mrgen/markers"
	"github.com/mrgen-io/mrgen/testdata"
)

// kindData is the data of templates for a kind, or for the ProviderConfigs of a tree.
type kindData struct {
	Provider
	Tree Tree

	kind Kind
	// dir is the folder of the API package, and setting says where the controller is.
	dir     string
	setting layout.Setting
	// generation is the kind's, nil if unknown.
	generation *flavor.Generation
	// sdk is what the kind is made of, nil for one with example fields.
	sdk *fromsdk.Kind
	// marked is set if files say that they are not copied to the other scope.
	marked bool
	// ConfigDir and SetupDir are the folders of the packages that read credentials, and that set up
	// controllers alike, or "". usage is that of the type that notes the use of
	// ProviderConfigs.
	ConfigDir, SetupDir, usage, usageType string
}

// dirOf returns the folder of the API package of a kind in a tree.
func (p Provider) dirOf(t Tree, k Kind) string {
	if !t.Copied {
		return t.DirOf(t.groupOf(k), k.Name, k.Version)
	}
	source := p.Source()
	dir, _ := p.counterpart(source.DirOf(source.groupOf(k), k.Name, k.Version))
	return dir
}

// data returns the data of a kind in a tree.
func (p Provider) data(t Tree, k Kind) kindData {
	d := kindData{Provider: p, Tree: t, kind: k, dir: p.dirOf(t, k)}
	d.setting = p.source.Controllers(t.Tree, t.groupOf(k), d.word(), k.Package())
	if t.Copied {
		source := p.Source()
		d.setting.Dir, _ = p.counterpart(p.sourceDir(p.source.Controllers(source.Tree, source.groupOf(k), d.word(), k.Package()).Dir))
	} else if p.isSource(t, k) {
		d.setting.Dir = p.sourceDir(d.setting.Dir)
	}
	d.generation = t.Generation(d.dir)
	if d.ConfigDir, d.SetupDir = p.source.Helpers(t.Tree); d.ConfigDir == "" || d.SetupDir == "" {
		d.ConfigDir, d.SetupDir = "", ""
	}
	d.usage, d.usageType = t.Usage(d.dir)
	d.marked = p.only != "" && p.isSource(t, k)
	return d
}

// sourceDir returns the folder from which mrgen writes one, if it does, and else that folder.
func (p Provider) sourceDir(dir string) string {
	if _, isSource := p.counterpart(dir); !isSource {
		dir, _ = p.origin(dir)
	}
	return dir
}

// unusable reports why the kind can't be written where it should be.
func (d kindData) unusable() diag.List {
	if d.generation == nil {
		return refuse(d.dir,
			"what the other kinds below %s embed doesn't tell the API generation of a new one: write the first kind by hand", d.Tree.Dir)
	}
	if p := d.existing(); p.API != nil && p.Builder == "" {
		return refuse(d.dir,
			"this package has no variable of the form &scheme.Builder{GroupVersion: SchemeGroupVersion} to register the kind with: declare one, or choose another version")
	}
	return nil
}

const (
	runtimeModule = "github.com/crossplane/crossplane-runtime/v2"
	// firstRuntime is the first version that the controllers compile with, and pollRuntime the first
	// with a limit of how often users can have external resources be observed.
	firstRuntime = "v2.2.0"
	pollRuntime  = "v2.4.0"
)

// withoutController returns why mrgen writes no controller of the kind, "" if it does.
func (d kindData) withoutController() string {
	switch version := d.source.Version(runtimeModule); {
	case len(d.setting.Places) == 0:
		return "it finds no functions func(ctrl.Manager, controller.Options) error, listed or called, that set up those of the other kinds"
	case !strings.HasPrefix(d.generation.Resource.Path, runtimeModule):
		return "its controllers are for crossplane-runtime/v2"
	case !d.source.Requires(runtimeModule, firstRuntime):
		return fmt.Sprintf("its controllers are for crossplane-runtime %s and later, and go.mod requires %s", firstRuntime, version)
	}
	for _, needed := range []string{"k8s.io/api", "k8s.io/apimachinery", "k8s.io/utils", "sigs.k8s.io/controller-runtime"} {
		if d.source.Version(needed) == "" {
			return "its controllers import " + needed + ", which go.mod doesn't require"
		}
	}
	return ""
}

// KeepsEmpty reports whether a tag with omitzero keeps an empty map, wherever it is encoded.
func (d kindData) KeepsEmpty() bool {
	return d.source.Requires("k8s.io/apimachinery", model.OmitZeroSince)
}

// word is what stands for the group in names of packages.
func (d kindData) word() string {
	if d.kind.Group != "" {
		return d.kind.Group
	}
	word, _, _ := strings.Cut(d.Tree.Group, ".")
	return word
}

// folderWord is what stands for the folder of the API package in names of it.
func (d kindData) folderWord() string {
	if parent := path.Dir(d.dir); parent != d.Tree.Dir {
		return path.Base(parent)
	}
	return d.word()
}

// Kind returns the name of the kind.
func (d kindData) Kind() string { return d.kind.Name }

// Version returns the version of the kind's API.
func (d kindData) Version() string { return d.kind.Version }

// Package returns the name of the package of the controller.
func (d kindData) Package() string { return d.kind.Package() }

// Article returns the indefinite article of the kind.
func (d kindData) Article() string { return d.kind.Article() }

// Remark returns the end of comments that tells the trees apart, which those don't have that are
// copied from one to the other.
func (d kindData) Remark() string {
	if d.IsCopied() {
		return ""
	}
	return d.Tree.Remark()
}

// GroupTitle returns the API group of the kind for comments.
func (d kindData) GroupTitle() string {
	if d.IsCopied() {
		return "the group " + d.word()
	}
	return d.GroupName() + d.Tree.Remark()
}

// GroupName returns the API group of the kind.
func (d kindData) GroupName() string { return d.Tree.groupOf(d.kind) }

// APIDir returns the folder of the kind's API package.
func (d kindData) APIDir() string { return d.dir }

// ControllerDir returns the folder of the kind's controller.
func (d kindData) ControllerDir() string { return d.setting.Dir }

// existing returns the API package, an empty one if it doesn't exist.
func (d kindData) existing() *layout.Package {
	if d.source != nil && d.source.Packages[d.dir] != nil {
		return d.source.Packages[d.dir]
	}
	return &layout.Package{}
}

// APIName returns the name of the API package.
func (d kindData) APIName() string { return cmp.Or(d.existing().Name, d.kind.Version) }

// APIImport returns what imports the API package under the name of the version.
func (d kindData) APIImport() string {
	quoted := fmt.Sprintf("%q", d.Module+"/"+d.dir)
	if d.APIName() != d.kind.Version {
		return d.kind.Version + " " + quoted
	}
	return quoted
}

// Builder returns the variable that kinds of the API package are registered with.
func (d kindData) Builder() string { return cmp.Or(d.existing().Builder, "SchemeBuilder") }

// GroupVersion returns the variable with the group and version of the API package.
func (d kindData) GroupVersion() string {
	return cmp.Or(d.existing().GroupVersion, "SchemeGroupVersion")
}

// Types returns the package with the types of the kind's generation.
func (d kindData) Types() flavor.Import { return d.generation.Types }

// Resource returns the package with the interfaces of managed resources.
func (d kindData) Resource() flavor.Import { return d.generation.Resource }

// SpecEmbed returns what the spec embeds.
func (d kindData) SpecEmbed() embedded { return embedAs(d.generation.Embed, d.generation.Types) }

// StatusEmbed returns what the status embeds: the type in the package of the other types.
func (d kindData) StatusEmbed() embedded {
	for name := range d.generation.Conditions {
		if name.Package == d.generation.Types.Path {
			return embedAs(name, d.generation.Types)
		}
	}
	return embedded{}
}

// UsageEmbed returns what the type embeds that notes the use of ProviderConfigs.
func (d kindData) UsageEmbed() embedded {
	return embedAs(flavor.UsageLike(d.generation).Embed, d.generation.Types)
}

// MinPollInterval reports whether the runtime has a limit of how often users can have external resources
// be observed.
func (d kindData) MinPollInterval() bool { return d.source.Requires(runtimeModule, pollRuntime) }

// Usage returns the type that notes the use of ProviderConfigs, as the controller names it, "" if there
// is none.
func (d kindData) Usage() string {
	switch {
	case d.usage == "":
		return ""
	case d.usage == d.dir:
		return d.kind.Version + "." + d.usageType
	}
	return "configs." + d.usageType
}

// UsageImport returns the path of the package of that type, "" if it is the API package.
func (d kindData) UsageImport() string {
	if d.usage == d.dir || d.usage == "" {
		return ""
	}
	return d.Module + "/" + d.usage
}

// ConfigKind returns the kind of ProviderConfigs for examples.
func (d kindData) ConfigKind() string {
	if d.Tree.HasClusterConfig() {
		return "ClusterProviderConfig"
	}
	return "ProviderConfig"
}

// groupFile is the file of an API package that names its group and version.
const groupFile = "groupversion_info.go"

// files returns the source of the kind in one tree, without its controller.
func (d kindData) files() (Files, error) {
	files := Files{}
	from := "kind/types.go"
	if !d.IsExample() {
		from = "sdk/types.go"
	}
	if err := d.render(files, path.Join(d.APIDir(), d.kind.Package()+"_types.go"), from); err != nil {
		return nil, err
	}
	if err := d.groupFile(files); err != nil {
		return nil, err
	}
	return files, d.example(files)
}

// groupFile adds what names the group and version of the API package, unless another file does.
func (d kindData) groupFile(files Files) error {
	name := path.Join(d.APIDir(), groupFile)
	if p := d.existing(); p.Builder != "" && p.Files[name] == nil {
		return nil
	}
	return files.render(name, "group/"+groupFile, d)
}

// example adds the manifest of a kind with example fields. It is mrgen's own, which writes it anew when the types change.
func (d kindData) example(files Files) error {
	if !d.IsExample() { // mrgen examples reads its schema
		return nil
	}
	name := d.exampleFile()
	err := files.render(name, "kind/example.yaml", d)
	files[name] = d.ownExample(append([]byte("---\n"), files[name]...))
	return err
}

// ownExample returns a manifest with the first line of mrgen's own manifests.
func (d kindData) ownExample(content []byte) []byte {
	return append([]byte(artifact.YAMLHeader([]string{d.APIDir()})+"\n"), content...)
}

// exampleFile returns the path of the manifest of the kind.
func (d kindData) exampleFile() string {
	return path.Join("examples", d.GroupName(), d.kind.Version, strings.ToLower(d.kind.Name)+".yaml")
}

// controller returns the source of the kind's controller.
func (d kindData) controller() (Files, error) {
	files := Files{}
	of, test := "kind/", "life_test.go"
	if !d.IsExample() {
		of, test = "sdk/", "controller_test.go"
	}
	templates := map[string]string{
		d.kind.Package() + ".go":      of + "controller.go",
		"client.go":                   of + "client.go",
		d.kind.Package() + "_test.go": of + test,
	}
	for name, needed := range map[string]bool{
		"memory.go":        d.IsExample(),
		"password.go":      d.HasPassword(),
		"external_tags.go": d.HasTags(), // no kind has a file of that name, nor of the next one
		"secret_value.go":  d.HasSecretValues(),
		"setup.go":         d.ConfigDir == "",
	} {
		if needed {
			templates[name] = "kind/" + name
		}
	}
	if d.ConfigDir == "" {
		// No kind has a file of these names.
		if err := files.addSetup(d.ControllerDir(), d.Package(), "updates.go", "finalizer.go", "reference_resolver.go"); err != nil {
			return nil, err
		}
		for name, content := range files {
			d.add(files, name, content)
		}
	}
	for name, template := range templates {
		if err := d.render(files, path.Join(d.ControllerDir(), name), template); err != nil {
			return nil, err
		}
	}
	if d.source.Packages[simulatedDir] == nil {
		files[simulatedFile] = testdata.Simulated
	}
	if d.IsExample() {
		return files, nil
	}
	if p := d.source.Packages[simulatedDir]; p == nil || p.Files[objectsFile] == nil {
		files[objectsFile] = testdata.Objects
	}
	return files, d.shared(files)
}

// shared adds the packages that the controllers of an SDK share, and those of all SDKs, unless the provider has them.
func (d kindData) shared(files Files) error {
	if d.source.Packages[decisionsDir] == nil {
		if err := files.render(path.Join(decisionsDir, "decisions.go"), "sdk/decisions.go", d); err != nil {
			return err
		}
	}
	if d.source.Packages[d.clientsDir()] == nil {
		return files.render(path.Join(d.clientsDir(), d.ClientsName()+".go"), "sdk/clients.go", d)
	}
	return nil
}

// Setup returns the qualifier of functions for all controllers, "" if they are in the package of this one.
func (d kindData) Setup() string {
	if d.ConfigDir == "" {
		return ""
	}
	return "setup."
}

// render adds a Go file from a template.
func (d kindData) render(files Files, name, from string) error {
	if err := files.render(name, from, d); err != nil {
		return err
	}
	d.add(files, name, files[name])
	return nil
}

// add adds a Go file, with a marker if it is not copied to the other scope.
func (d kindData) add(files Files, name string, content []byte) {
	if d.marked {
		content = OfScope(d.Tree.scope(), content)
	}
	files[name] = content
}

// OfScope returns a Go file with a marker that says that it is not copied from its scope to the other.
func OfScope(scope Scope, content []byte) []byte {
	return slices.Concat([]byte("// +"+markers.Scope+"="+string(scope)+"\n\n"), content)
}
