package xpkg

import (
	"bytes"
	"fmt"
	"slices"
	"strings"

	"go.yaml.in/yaml/v3"

	"github.com/mrgen-io/mrgen/generator/diag"
	"github.com/mrgen-io/mrgen/generator/internal/yamlnode"
)

// A Family is a provider of which each API group has a package of its own, and one package, on which
// the others depend, has the configuration.
type Family struct {
	// Group is the API group of the package, or its first label, or [ConfigGroup]. If it is empty,
	// the package has all of the provider.
	Group string
	// Registry has the packages of the family, such as ghcr.io/example, and Version is theirs.
	Registry, Version string
}

// ConfigGroup stands for the kinds with the configuration of the provider.
const ConfigGroup = "config"

const (
	// familyLabel has Crossplane give the providers of a family access to what each other owns.
	familyLabel = "pkg.crossplane.io/provider-family"
	// groupsVariable tells the program whose controllers to run.
	groupsVariable = "PROVIDER_GROUPS"
)

// configKinds are those of a provider's configuration: see isManaged in Crossplane's
// internal/controller/pkg/revision.
var configKinds = []string{"ProviderConfig", "ClusterProviderConfig", "ProviderConfigUsage", "ClusterProviderConfigUsage"}

// firstLabel returns the first label of an API group.
func firstLabel(group string) string {
	label, _, _ := strings.Cut(group, ".")
	return label
}

// has reports whether a kind is part of the package.
func (f Family) has(group, kind string) bool {
	if slices.Contains(configKinds, kind) {
		return f.Group == ConfigGroup
	}
	return group == f.Group || firstLabel(group) == f.Group
}

// Select returns the name, the metadata, the definitions and the environment of the package, made of
// those of a package with all of the provider.
func (f Family) Select(file string, all []byte, definitions []File) (name string, metadata []byte, selected []File, env []string, diags diag.List) {
	refuse := func(format string, args ...any) {
		diags = append(diags, diag.Errorf(diag.Position{File: file}, Code, format, args...))
	}
	var groups []string
	selected = filter(definitions, func(d []byte) bool {
		var definition struct {
			Spec struct {
				Group string `yaml:"group"`
				Names struct {
					Kind string `yaml:"kind"`
				} `yaml:"names"`
			} `yaml:"spec"`
		}
		if yaml.Unmarshal(d, &definition) != nil || definition.Spec.Group == "" {
			return f.Group == ConfigGroup // it is no definition
		}
		kind := definition.Spec.Names.Kind
		if !slices.Contains(configKinds, kind) {
			groups = append(groups, firstLabel(definition.Spec.Group))
		}
		return f.has(definition.Spec.Group, kind)
	})
	switch {
	case len(selected) == 0:
		slices.Sort(groups)
		refuse("the package has no kind of the group %q: name one with --group that it has, %s, or %s", f.Group, strings.Join(slices.Compact(groups), ", "), ConfigGroup)
	case f.Group != ConfigGroup && (f.Registry == "" || f.Version == ""):
		refuse("a package of one group depends on that of the configuration: say with --registry where that is, and with --version which one")
	}
	if diags.HasErrors() {
		return "", nil, nil, nil, diags
	}
	var document yaml.Node
	if err := yaml.Unmarshal(all, &document); err != nil {
		refuse("this is not metadata: %v: correct it", err)
		return "", nil, nil, nil, diags
	}
	name, err := f.rewrite(document.Content[0])
	if err != nil {
		refuse("the metadata can't be made that of a family: %v", err)
		return "", nil, nil, nil, diags
	}
	var text bytes.Buffer
	encoder := yaml.NewEncoder(&text)
	encoder.SetIndent(2)
	if err := encoder.Encode(&document); err != nil {
		refuse("the metadata can't be made that of a family: %v", err)
	}
	return name, text.Bytes(), selected, []string{groupsVariable + "=" + firstLabel(f.Group)}, diags
}

// Examples returns those of the kinds in the package.
func (f Family) Examples(all []File) []File {
	return filter(all, func(d []byte) bool {
		var object struct {
			APIVersion string `yaml:"apiVersion"`
			Kind       string `yaml:"kind"`
		}
		_ = yaml.Unmarshal(d, &object) // what is no object has no kind
		group, _, _ := strings.Cut(object.APIVersion, "/")
		return f.has(group, object.Kind)
	})
}

// filter returns the files with those of their documents that are wanted.
func filter(files []File, wanted func([]byte) bool) []File {
	var filtered []File
	for _, f := range files {
		var content []byte
		for _, text := range documents(f.Content) {
			if wanted(text) {
				content = append(append(content, "---\n"...), text...)
			}
		}
		if content != nil {
			filtered = append(filtered, File{f.Name, content})
		}
	}
	return filtered
}

// rewrite makes metadata that of the package, and returns its name.
func (f Family) rewrite(metadata *yaml.Node) (string, error) {
	about := child(metadata, "metadata", yaml.MappingNode)
	provider := child(about, "name", yaml.ScalarNode)
	short := strings.TrimPrefix(provider.Value, "provider-")
	family := "provider-family-" + short
	name := family
	if f.Group != ConfigGroup {
		name = fmt.Sprintf("provider-%s-%s", short, firstLabel(f.Group))
	}
	provider.SetString(name)
	child(child(about, "labels", yaml.MappingNode), familyLabel, yaml.ScalarNode).SetString(family)
	if f.Group == ConfigGroup {
		return name, nil
	}
	dependencies := child(child(metadata, "spec", yaml.MappingNode), "dependsOn", yaml.SequenceNode)
	var dependency yaml.Node
	if err := dependency.Encode(map[string]string{"provider": f.Registry + "/" + family, "version": ">=" + f.Version}); err != nil {
		return "", err
	}
	dependencies.Style = 0 // no flow
	dependencies.Content = append(dependencies.Content, &dependency)
	return name, nil
}

// child returns the value of a field in a mapping, which it adds if need be.
func child(n *yaml.Node, name string, kind yaml.Kind) *yaml.Node {
	if _, value := yamlnode.Field(n, name); value != nil {
		if value.Kind != kind { // null
			*value = yaml.Node{Kind: kind}
		}
		return value
	}
	key, value := &yaml.Node{}, &yaml.Node{Kind: kind}
	key.SetString(name)
	n.Content = append(n.Content, key, value)
	return value
}
