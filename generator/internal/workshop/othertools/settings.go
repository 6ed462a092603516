package othertools

import (
	"cmp"
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"

	"go.yaml.in/yaml/v3"

	"github.com/mrgen-io/mrgen/generator/diag"
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
	{key: "crds.sets"},
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
	if len(p.sets) > 1 {
		options.CRDSets = p.sets[1:]
	}
}

// YAML returns the new content of mrgen.yaml: its lines as they are, and missing settings between them.
func (p Plan) YAML() ([]byte, diag.List) {
	e, added := p.existing, map[string]int{}
	for _, s := range settings {
		value := p.Settings[s.key]
		if value == "" || e.find(s.key) != nil {
			continue
		}
		if s.key == "packages" {
			value = "[" + strings.Join(strings.Fields(value), ", ") + "]"
		}
		section, _, _ := strings.Cut(s.key, ".")
		next, err := parse(e.insert(s.key, s.comment, value, added[section]))
		if node := next.find(s.key); err != nil || node == nil || node.Kind == yaml.ScalarNode && node.Value != value {
			key, _ := yamlnode.Field(e.root(), section)
			at := diag.Position{File: SettingsFile, Line: cmp.Or(key, e.root(), &yaml.Node{Line: 1}).Line}
			return nil, diag.List{diag.Errorf(at, Code, "mrgen can't add to settings in this form: write %s: %s yourself", s.key, value)}
		}
		e = next
		added[section]++
	}
	return e.content, nil
}

// insert returns the content with another setting, at the end or in its section, where mrgen has added lines already.
func (e existing) insert(key, comment, value string, added int) []byte {
	section, name, isNested := strings.Cut(key, ".")
	root, lines := e.root(), strings.SplitAfter(string(e.content), "\n")
	eol := cmp.Or(lines[0][len(strings.TrimRight(lines[0], "\r\n")):], "\n")
	if last := len(lines) - 1; lines[last] != "" {
		lines[last] += eol
		lines = append(lines, "")
	}
	indentation, block, braced := 0, section+": "+value, section+": "+value
	if root != nil {
		indentation = root.Column - 1
	}
	if isNested {
		block, braced = section+":\n  "+strings.ReplaceAll(name+": "+value, "\n", "\n  "), section+": {"+name+": "+value+"}"
	}
	at, braces := slices.IndexFunc(lines, func(line string) bool { return strings.HasPrefix(line, "...") }), root
	if at < 0 {
		at = len(lines) - 1
	}
	block = strings.TrimPrefix(comment+"\n"+block, "\n")
	if key, inner := yamlnode.Field(root, section); key != nil {
		at, braces, indentation = key.Line+added, inner, indentation+2
		block, braced = name+": "+value, name+": "+value
		if inner.Kind == yaml.MappingNode {
			indentation = inner.Column - 1
		}
	}
	if braces != nil && braces.Style&yaml.FlowStyle != 0 {
		if len(braces.Content) > 0 {
			braced += ", "
		}
		lines[braces.Line-1] = string(slices.Insert([]rune(lines[braces.Line-1]), braces.Column, []rune(braced)...))
		return []byte(strings.Join(lines, ""))
	}
	pad := strings.Repeat(" ", indentation)
	lines[at] = pad + strings.ReplaceAll(block, "\n", eol+pad) + eol + lines[at]
	return []byte(strings.Join(lines, ""))
}

// existing is the module's mrgen.yaml.
type existing struct {
	content []byte
	// document has the settings as its content, if there are any.
	document yaml.Node
}

func (e existing) isEmpty() bool { return e.root() == nil }

// root returns the settings, or nil.
func (e existing) root() *yaml.Node {
	if len(e.document.Content) == 0 {
		return nil
	}
	return e.document.Content[0]
}

// find returns the value of a setting, or nil if the file lacks it.
func (e existing) find(key string) *yaml.Node {
	node := e.root()
	for name := range strings.SplitSeq(key, ".") {
		_, node = yamlnode.Field(node, name)
	}
	return node
}

func parse(content []byte) (existing, error) {
	e := existing{content: content}
	err := yaml.Unmarshal(content, &e.document)
	return e, err
}

// readExisting reads the settings of a module. The caller has checked the values.
func readExisting(root string) (existing, error) {
	content, err := os.ReadFile(filepath.Join(root, SettingsFile))
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return existing{}, err
	}
	return parse(content)
}
