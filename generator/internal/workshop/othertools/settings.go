package othertools

import (
	"bytes"
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"strconv"
	"strings"

	"go.yaml.in/yaml/v3"

	"github.com/mrgen-io/mrgen/generator/internal/yamlnode"
	"github.com/mrgen-io/mrgen/generator/run"
)

// SettingsFile is the file with mrgen's settings in the module root.
const SettingsFile = "mrgen.yaml"

// settings are the settings that a plan may have, in the order of mrgen.yaml, with the comments above them.
var settings = []struct {
	key, comment string
	// apply, if not nil, sets the option.
	apply func(o *run.Options, value string)
}{
	{key: "packages", apply: func(o *run.Options, value string) { o.Packages = strings.Fields(value) }},
	{key: "headerFile", apply: func(o *run.Options, value string) { o.HeaderFile = value }},
	{key: "crds.dir", apply: func(o *run.Options, value string) { o.CRDDir = value }},
	{key: "crds.allowDangerousTypes", apply: func(o *run.Options, _ string) { o.AllowDangerousTypes = true }},
	{key: "crds.embeddedObjectMeta", apply: func(o *run.Options, _ string) { o.EmbeddedObjectMeta = true }},
	{key: "crds.maxDescription", apply: func(o *run.Options, value string) { o.MaxDescription, _ = strconv.Atoi(value) }}, // read checks it
	{key: "deepcopy", apply: func(o *run.Options, _ string) { o.NoDeepCopies = true },
		comment: `# No command that mrgen replaces writes deep copies, so that another generator does.`},
	{key: "markers", apply: func(o *run.Options, _ string) { o.MisspeltMarkers = true },
		comment: `# Some comments were meant to be markers, and nobody reads them. mrgen fix markers puts
# right what is certain; without this line, those that are left are errors.`},
	// A warning names the versions of each kind.
	{key: "versions.mode", apply: func(o *run.Options, _ string) { o.Versions = run.ReportVersions },
		comment: `# Some kinds are served in versions that differ, and nothing converts them: the API server
# drops what the other version lacks. Without this line, that is an error.`},
	{key: "resolvers.registry",
		comment: `# Groups refer to each other. Resolvers look such kinds up in this package, which needs
# the scheme of the provider: call its AddScheme before the controllers start.`},
	{key: "rules.required", apply: func(o *run.Options, _ string) { o.RequiredRules = false },
		comment: `# With rules, required fields are required only of resources that Crossplane may
# create or update, and +immutable is enforced. They change the CRDs: to switch them
# on, write enforce in place of off, or remove these lines.`},
	{key: "rules.immutable", apply: func(o *run.Options, _ string) { o.ImmutableRules = false }},
}

// Apply sets the options that mrgen.yaml doesn't set.
func (p Plan) Apply(options *run.Options) {
	for _, s := range settings {
		if value := p.Settings[s.key]; value != "" && s.apply != nil && p.existing.find(s.key) == nil {
			s.apply(options, value)
		}
	}
}

// YAML returns the new content of mrgen.yaml: its existing settings and the missing ones.
func (p Plan) YAML() ([]byte, error) {
	document := p.existing.document
	if p.existing.isEmpty() {
		document = yaml.Node{Kind: yaml.DocumentNode, HeadComment: string(p.existing.content), Content: []*yaml.Node{{}}}
	}
	isChanged := false
	for _, s := range settings {
		if value := p.Settings[s.key]; value != "" && p.existing.find(s.key) == nil {
			put(document.Content[0], s.key, s.comment, value)
			isChanged = true
		}
	}
	if !isChanged {
		return p.existing.content, nil
	}
	var b bytes.Buffer
	encoder := yaml.NewEncoder(&b)
	encoder.SetIndent(2)
	err := encoder.Encode(&document)
	return b.Bytes(), err
}

// put adds a setting to a mapping, or to a node that has no value yet.
func put(mapping *yaml.Node, key, comment, value string) {
	if mapping.Kind != yaml.MappingNode {
		*mapping = yaml.Node{Kind: yaml.MappingNode, HeadComment: mapping.HeadComment}
	}
	section, name, isNested := strings.Cut(key, ".")
	_, inner := yamlnode.Field(mapping, section)
	if inner == nil {
		inner = &yaml.Node{Kind: yaml.ScalarNode, Value: value}
		mapping.Content = append(mapping.Content, &yaml.Node{Kind: yaml.ScalarNode, Value: section, HeadComment: comment}, inner)
		comment = "" // it is above the section
	}
	switch {
	case isNested:
		put(inner, name, comment, value)
	case key == "packages":
		_ = inner.Encode(strings.Fields(value)) // a list of strings can be encoded
		inner.Style = yaml.FlowStyle
	}
}

// existing is the module's mrgen.yaml.
type existing struct {
	content []byte
	// document has the settings as its content, if there are any.
	document yaml.Node
}

func (e existing) isEmpty() bool { return len(e.document.Content) == 0 }

// find returns the value of a setting, or nil if the file lacks it.
func (e existing) find(key string) *yaml.Node {
	if e.isEmpty() {
		return nil
	}
	node := e.document.Content[0]
	for name := range strings.SplitSeq(key, ".") {
		_, node = yamlnode.Field(node, name)
	}
	return node
}

// readExisting reads the settings of a module. The caller has checked the values.
func readExisting(root string) (existing, error) {
	var e existing
	content, err := os.ReadFile(filepath.Join(root, SettingsFile))
	if errors.Is(err, fs.ErrNotExist) {
		return e, nil
	}
	if err == nil {
		err = yaml.Unmarshal(content, &e.document)
	}
	e.content = content
	return e, err
}
