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
	// The earlier tools ignored misspelt markers.
	{key: "markers",
		comment: `# Some comments were meant to be markers, and nobody reads them. mrgen fix markers puts
# right what is certain; without this line, those that are left are errors.`},
	// A provider with different served versions gets a warning, and may go on.
	{key: "versions.mode",
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

// Apply sets the options that mrgen.yaml doesn't set. Misspelt markers and versions that differ are warnings.
func (p Plan) Apply(options *run.Options) {
	options.MisspeltMarkers = options.MisspeltMarkers || p.existing.find("markers") == nil
	if p.existing.find("versions.mode") == nil {
		options.Versions = run.ReportVersions
	}
	for _, s := range settings {
		if value := p.Settings[s.key]; value != "" && s.apply != nil && p.existing.find(s.key) == nil {
			s.apply(options, value)
		}
	}
}

// YAML returns the new content of mrgen.yaml: its existing settings and the missing ones.
func (p Plan) YAML() ([]byte, error) {
	document, isChanged := p.existing.document, false
	if len(document.Content) == 0 {
		document = yaml.Node{Kind: yaml.DocumentNode, HeadComment: string(p.existing.content), Content: []*yaml.Node{{}}}
	}
	root := document.Content[0]
	for _, s := range settings {
		value := p.Settings[s.key]
		if value == "" || p.existing.find(s.key) != nil {
			continue
		}
		isChanged = true
		mapping, comment := root, s.comment
		section, name, isNested := strings.Cut(s.key, ".")
		if !isNested {
			name = section
		} else if _, mapping = yamlnode.Field(root, section); mapping == nil {
			mapping = &yaml.Node{}
			add(root, section, comment, mapping)
			comment = ""
		}
		node := &yaml.Node{Kind: yaml.ScalarNode, Value: value}
		if s.key == "packages" {
			node = &yaml.Node{Kind: yaml.SequenceNode, Style: yaml.FlowStyle}
			for pattern := range strings.FieldsSeq(value) {
				node.Content = append(node.Content, &yaml.Node{Kind: yaml.ScalarNode, Value: pattern})
			}
		}
		add(mapping, name, comment, node)
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

// add adds a field to a mapping, or to a node that has no value yet.
func add(mapping *yaml.Node, name, comment string, value *yaml.Node) {
	if mapping.Kind != yaml.MappingNode {
		*mapping = yaml.Node{Kind: yaml.MappingNode, HeadComment: mapping.HeadComment}
	}
	mapping.Content = append(mapping.Content, &yaml.Node{Kind: yaml.ScalarNode, Value: name, HeadComment: comment}, value)
}

// existing is the module's mrgen.yaml.
type existing struct {
	content  []byte
	document yaml.Node
	// root has the settings, nil without any.
	root *yaml.Node
}

// find returns the value of a setting, or nil if the file lacks it.
func (e existing) find(key string) *yaml.Node {
	node := e.root
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
	if e.content = content; len(e.document.Content) > 0 {
		e.root = e.document.Content[0]
	}
	return e, err
}
