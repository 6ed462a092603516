package lintrules

import (
	"bytes"
	"cmp"
	"maps"
	"path"
	"path/filepath"
	"slices"
	"strings"

	"go.yaml.in/yaml/v3"

	"github.com/mrgen-io/mrgen/generator/diag"
	"github.com/mrgen-io/mrgen/generator/internal/review/definitions"
	"github.com/mrgen-io/mrgen/generator/internal/review/linter"
	"github.com/mrgen-io/mrgen/generator/internal/yamlnode"
	"github.com/mrgen-io/mrgen/markers"
)

// An exampleObject is the part of an example that names other objects, or that others name.
type exampleObject struct {
	APIVersion yaml.Node `yaml:"apiVersion"`
	Kind       string
	Metadata   struct {
		Name, Namespace string
		Annotations     yaml.Node
	}
	Data map[string]any
	// StringData is a Secret's.
	StringData map[string]any `yaml:"stringData"`
	Spec       struct {
		ForProvider       yaml.Node `yaml:"forProvider"`
		ProviderConfigRef struct {
			Kind, Name yaml.Node
		} `yaml:"providerConfigRef"`
		Credentials struct {
			SecretRef struct{ Name, Namespace, Key yaml.Node } `yaml:"secretRef"`
		}
	}
	file string
}

// configKinds are the kinds that a providerConfigRef may name.
var configKinds = []string{"ProviderConfig", "ClusterProviderConfig"}

// annotationsOfUsers are the annotations of managed resources that users write.
var annotationsOfUsers = []string{"crossplane.io/external-name", "crossplane.io/paused"}

// checkExampleReferences reports misspelt kinds and names of configurations, and names of Secrets, and keys that the Secret of that name lacks.
func checkExampleReferences(p *linter.Pass) {
	var all []exampleObject
	files, _ := definitions.Disk(filepath.Join(p.Root, "examples")) // example-manifests reports files that can't be read
	for _, f := range files {
		name, _ := filepath.Rel(p.Root, filepath.FromSlash(f.Name))
		for decoder := yaml.NewDecoder(bytes.NewReader(f.Content)); ; {
			o := exampleObject{file: filepath.ToSlash(name)}
			if decoder.Decode(&o) != nil {
				break
			}
			all = append(all, o)
		}
	}
	names, secrets := map[string][]string{}, map[string][]string{}
	for _, o := range all {
		names[o.Kind] = append(names[o.Kind], o.Metadata.Name)
		if o.Kind == "Secret" {
			keys := slices.Concat(slices.Collect(maps.Keys(o.Data)), slices.Collect(maps.Keys(o.StringData)))
			secrets[o.Metadata.Name] = append(secrets[o.Metadata.Name], keys...)
		}
	}
	for _, o := range all {
		config, secret := o.Spec.ProviderConfigRef, o.Spec.Credentials.SecretRef
		kind := cmp.Or(config.Kind.Value, "ProviderConfig")
		if near, isMisspelt := misspelt(kind, configKinds); isMisspelt {
			reportAt(p, o.file, config.Kind, "no kind of configuration is called %s: write %s", kind, near)
		}
		// Another name may be of an object that users have.
		if near, isMisspelt := misspelt(config.Name.Value, names[kind]); isMisspelt {
			reportAt(p, o.file, config.Name, noExample, "the "+kind, config.Name.Value, near)
		}
		if near, isMisspelt := misspelt(secret.Name.Value, slices.Sorted(maps.Keys(secrets))); isMisspelt {
			reportAt(p, o.file, secret.Name, noExample, "the Secret", secret.Name.Value, near)
		}
		if keys := secrets[secret.Name.Value]; len(keys) > 0 && secret.Key.Value != "" && !slices.Contains(keys, secret.Key.Value) {
			reportAt(p, o.file, secret.Key, noExample, "a Secret "+secret.Name.Value+" with the key", secret.Key.Value, slices.Min(keys))
		}
		checkFolder(p, o, all)
		for key := range yamlnode.Fields(&o.Metadata.Annotations) {
			if near, isMisspelt := misspelt(key.Value, annotationsOfUsers); isMisspelt {
				reportAt(p, o.file, *key, "nothing reads the annotation %s: write %s", key.Value, near)
			}
		}
		for _, k := range p.Kinds {
			switch isOf := o.Kind == k.Object.Name && o.APIVersion.Value == k.CRD.Spec.Group+"/"+k.APIVersion().Name; {
			case isOf && k.Managed():
				checkReferencedKinds(p, k, o, names)
			case isOf && namespaced(k):
				checkSecretOf(p, o)
			}
		}
	}
}

// checkSecretOf reports a namespaced configuration with a Secret of another namespace. An example without a namespace is for any.
func checkSecretOf(p *linter.Pass, o exampleObject) {
	own, of := o.Metadata.Namespace, o.Spec.Credentials.SecretRef.Namespace
	if own != "" && of.Value != "" && of.Value != own {
		reportAt(p, o.file, of, "a namespaced %s reads Secrets of its own namespace, and not of %s: write %s", o.Kind, of.Value, own)
	}
}

// group returns the API group of an object.
func (o exampleObject) group() string {
	group, _, _ := strings.Cut(o.APIVersion.Value, "/")
	return group
}

// checkFolder reports an example in the folder of another group, unless an example of that group is beside it in the file.
func checkFolder(p *linter.Pass, o exampleObject, all []exampleObject) {
	elements := strings.Split(path.Dir(o.file), "/")
	isGroup := func(name string) bool {
		return slices.ContainsFunc(p.Managed(), func(k *linter.Kind) bool { return k.CRD.Spec.Group == name })
	}
	i := slices.IndexFunc(elements, isGroup)
	if i < 0 || !isGroup(o.group()) || slices.Contains(elements, o.group()) {
		return
	}
	isBeside := func(other exampleObject) bool { return other.file == o.file && other.group() == elements[i] }
	if !slices.ContainsFunc(all, isBeside) {
		reportAt(p, o.file, o.APIVersion, "%s is an example of %s, in the folder of %s: move it to examples/%[2]s/%[4]s", path.Base(o.file), o.group(), elements[i],
			strings.TrimPrefix(o.APIVersion.Value, o.group()+"/"))
	}
}

// checkReferencedKinds reports names of managed resources in the references of an example that no example has.
func checkReferencedKinds(p *linter.Pass, k *linter.Kind, o exampleObject, names map[string][]string) {
	for _, f := range k.Fields {
		if f.Part != linter.ForProvider || f.Value() == nil || f.IsSelector() || !f.IsTop() {
			continue
		}
		target := f.Value().OwnMarker(markers.ReferenceType).Value.Text("")
		kind := target[strings.LastIndexAny(target, "./")+1:]
		_, at := yamlnode.Field(&o.Spec.ForProvider, f.JSONName)
		references := []*yaml.Node{at}
		if at != nil && at.Kind == yaml.SequenceNode {
			references = at.Content
		}
		for _, reference := range references {
			if _, name := yamlnode.Field(reference, "name"); name != nil && !slices.Contains(names[kind], name.Value) {
				reportAt(p, o.file, *name, "no example has the %s %s, which this one refers to: add it, or correct the name", kind, name.Value)
			}
		}
	}
}

// noExample is for a name that no example has.
const noExample = "no example has %s %s, which this one names: write %s, or add it"

// reportAt reports a value in an example.
func reportAt(p *linter.Pass, file string, value yaml.Node, format string, arguments ...any) {
	p.Written(diag.Position{File: file, Line: value.Line}, value.Value, format, arguments...)
}
