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
	"github.com/mrgen-io/mrgen/generator/internal/artifact"
	"github.com/mrgen-io/mrgen/generator/internal/review/definitions"
	"github.com/mrgen-io/mrgen/generator/internal/review/linter"
	"github.com/mrgen-io/mrgen/generator/internal/yamlnode"
	"github.com/mrgen-io/mrgen/markers"
)

// An exampleObject is the part of an example that names other objects, or that others name.
type exampleObject struct {
	APIVersion string `yaml:"apiVersion"`
	Kind       string
	Metadata   struct{ Name string }
	Data       map[string]any
	// StringData is a Secret's.
	StringData map[string]any `yaml:"stringData"`
	Spec       struct {
		ForProvider       yaml.Node `yaml:"forProvider"`
		ProviderConfigRef struct {
			Kind, Name yaml.Node
		} `yaml:"providerConfigRef"`
		Credentials struct {
			SecretRef struct{ Name, Key yaml.Node } `yaml:"secretRef"`
		}
	}
	file string
}

// configKinds are the kinds that a providerConfigRef may name.
var configKinds = []string{"ProviderConfig", "ClusterProviderConfig"}

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
		for _, k := range p.Managed() {
			if o.Kind == k.Object.Name && o.APIVersion == k.CRD.Spec.Group+"/"+k.APIVersion().Name {
				checkReferencedKinds(p, k, o, names)
			}
		}
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
	at := diag.Position{File: file, Line: value.Line}
	if artifact.Owned([]byte(p.Text(file))) {
		at = diag.Position{File: path.Dir(file)} // in the folder, since findings in generated files are left out
	}
	p.File(at, value.Value, nil, format, arguments...)
}
