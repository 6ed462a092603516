package othertools

import (
	"bytes"
	"cmp"
	"errors"
	"fmt"
	"io/fs"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"go.yaml.in/yaml/v3"

	"github.com/mrgen-io/mrgen/generator/diag"
	"github.com/mrgen-io/mrgen/generator/internal/workshop/goedit"
	"github.com/mrgen-io/mrgen/generator/internal/yamlnode"
	"github.com/mrgen-io/mrgen/generator/run"
)

// SettingsFile is the file with mrgen's settings in the module root.
const SettingsFile = "mrgen.yaml"

// An entry is a setting with its value, and a comment to write above it.
type entry struct {
	section, name, value, comment string
	// differs is set if it isn't mrgen's default, and so has to be written.
	differs bool
	// apply, if not nil, sets the option.
	apply func(*run.Options)
}

func (e entry) key() string { return strings.TrimPrefix(e.section+"."+e.name, ".") }

// entries returns the settings, sorted by section.
func entries(s run.Options) []entry {
	return []entry{
		{name: "packages", value: "[" + strings.Join(s.Packages, ", ") + "]", differs: true, apply: func(o *run.Options) {
			if len(s.Packages) > 0 {
				o.Packages = s.Packages
			}
		}},
		{name: "headerFile", value: s.HeaderFile, differs: s.HeaderFile != "", apply: func(o *run.Options) { o.HeaderFile = s.HeaderFile }},
		{section: "crds", name: "dir", value: s.CRDDir, differs: true, apply: func(o *run.Options) { o.CRDDir = s.CRDDir }},
		{section: "crds", name: "allowDangerousTypes", value: "true", differs: s.AllowDangerousTypes, apply: func(o *run.Options) { o.AllowDangerousTypes = s.AllowDangerousTypes }},
		{section: "crds", name: "embeddedObjectMeta", value: "true", differs: s.EmbeddedObjectMeta, apply: func(o *run.Options) { o.EmbeddedObjectMeta = s.EmbeddedObjectMeta }},
		{section: "crds", name: "maxDescription", value: fmt.Sprint(s.MaxDescription), differs: s.MaxDescription >= 0, apply: func(o *run.Options) { o.MaxDescription = s.MaxDescription }},
		{name: "deepcopy", value: "off", differs: s.NoDeepCopies, apply: func(o *run.Options) { o.NoDeepCopies = s.NoDeepCopies },
			comment: `# No command that mrgen replaces writes deep copies, so that another generator does.
`},
		// The earlier tools ignored misspelt markers.
		{name: "markers", value: "warn", differs: s.MisspeltMarkers, apply: func(o *run.Options) { o.MisspeltMarkers = true },
			comment: `# Some comments were meant to be markers, and nobody reads them. mrgen fix markers puts
# right what is certain; without this line, those that are left are errors.
`},
		// A provider with different served versions gets a warning, and may go on.
		{section: "versions", name: "mode", value: "off", differs: s.Versions == run.IgnoreVersions, apply: func(o *run.Options) { o.Versions = run.ReportVersions },
			comment: `# Some kinds are served in versions that differ, and nothing converts them: the API server
# drops what the other version lacks. Without this line, that is an error.
`},
		{section: "resolvers", name: "registry", value: s.ResolverRegistry, differs: s.ResolverRegistry != "",
			comment: `# Groups refer to each other. Resolvers look such kinds up in this package, which needs
# the scheme of the provider: call its AddScheme before the controllers start.
`},
		{section: "rules", name: "required", value: "off", differs: !s.RequiredRules, apply: func(o *run.Options) { o.RequiredRules = s.RequiredRules },
			comment: `# With rules, required fields are required only of resources that Crossplane may
# create or update, and +immutable is enforced. They change the CRDs: to switch them
# on, write enforce in place of off, or remove these lines.
`},
		{section: "rules", name: "immutable", value: "off", differs: !s.RequiredRules, apply: func(o *run.Options) { o.ImmutableRules = s.RequiredRules }},
	}
}

// Apply sets the options that mrgen.yaml doesn't set.
func (p Plan) Apply(options *run.Options) {
	for _, e := range entries(p.Settings) {
		if !p.existing.has(e.key()) && e.apply != nil {
			e.apply(options)
		}
	}
}

// YAML returns the new content of mrgen.yaml: its existing settings and the missing ones. It reports a form that
// mrgen can't add to.
func (p Plan) YAML() ([]byte, diag.List) {
	content := p.existing.content
	if content != "" && !strings.HasSuffix(content, "\n") {
		content += "\n"
	}
	lines := strings.SplitAfter(content, "\n")
	var rest, added []entry
	for _, e := range entries(p.Settings) {
		section, settings := yamlnode.Field(p.existing.root, e.section)
		switch {
		case !e.differs || p.existing.has(e.key()):
			continue
		case section != nil && section.Line < len(lines):
			indentation := "  "
			if settings.Kind == yaml.MappingNode {
				indentation = strings.Repeat(" ", settings.Column-1)
			}
			lines[section.Line-1] += indentation + e.name + ": " + e.value + "\n"
		case p.existing.found && e.name == "packages" && len(p.Settings.Packages) == 0:
			continue
		default:
			rest = append(rest, e)
		}
		added = append(added, e)
	}
	b := bytes.NewBufferString(strings.Join(lines, ""))
	section := ""
	for _, e := range rest {
		b.WriteString(e.comment)
		if e.section != section && e.section != "" {
			fmt.Fprintf(b, "%s:\n", e.section)
		}
		section = e.section
		if section != "" {
			b.WriteString("  ")
		}
		fmt.Fprintf(b, "%s: %s\n", e.name, e.value)
	}
	return b.Bytes(), p.existing.check(b.Bytes(), added)
}

// existing is the module's mrgen.yaml.
type existing struct {
	found   bool
	content string
	values  map[string]any
	// root is the mapping with the settings, nil without any.
	root *yaml.Node
}

// check reports new content that lacks an added setting.
func (e existing) check(content []byte, added []entry) diag.List {
	var after existing
	err := yaml.Unmarshal(content, &after.values)
	at, missing := diag.Position{}, []string{}
	for _, a := range added {
		value, _ := after.value(a.key())
		// A list has no commas when it is printed.
		if err == nil && fmt.Sprint(value) == strings.ReplaceAll(a.value, ", ", " ") {
			continue
		}
		if missing = append(missing, a.key()+": "+a.value); at.Line == 0 {
			at = diag.Position{File: SettingsFile, Line: 1, Column: 1}
			if _, settings := yamlnode.Field(e.root, a.section); settings != nil {
				at.Line, at.Column = settings.Line, settings.Column
			}
		}
	}
	if len(missing) == 0 {
		return nil
	}
	return diag.List{diag.Errorf(at, Code, "mrgen can't add to settings in this form: write these yourself: %s", strings.Join(missing, ", "))}
}

// value returns the value of a setting, and whether the file has it.
func (e existing) value(key string) (any, bool) {
	section, name, isNested := strings.Cut(key, ".")
	value, found := e.values[section]
	if isNested {
		settings, _ := value.(map[string]any)
		value, found = settings[name]
	}
	return value, found
}

func (e existing) has(key string) bool {
	_, found := e.value(key)
	return found
}

// readExisting reads the settings of a module. The caller has checked the values.
func readExisting(root string) (existing, diag.List) {
	content, err := os.ReadFile(filepath.Join(root, SettingsFile))
	if errors.Is(err, fs.ErrNotExist) {
		return existing{}, nil
	}
	e := existing{found: true, content: string(content)}
	var document yaml.Node
	if err == nil {
		err = cmp.Or(yaml.Unmarshal(content, &document), document.Decode(&e.values))
	}
	switch {
	case err != nil:
		return existing{}, diag.List{unreadable(SettingsFile, err)}
	case len(document.Content) == 0:
		return e, nil
	}
	e.root = document.Content[0]
	for _, node := range append([]*yaml.Node{e.root}, e.root.Content...) {
		if node.Kind == yaml.MappingNode && node.Style&yaml.FlowStyle != 0 {
			return e, diag.List{diag.Errorf(diag.Position{File: SettingsFile, Line: node.Line, Column: node.Column}, Code,
				"mrgen can't add to settings in braces: write each on a line of its own")}
		}
	}
	return e, nil
}

// bare returns the command on a line of a Makefile, a script or a Taskfile, without indentation and prefixes.
func bare(line string) string { return strings.TrimPrefix(strings.TrimLeft(line, "@-+ \t"), "cmd: ") }

// replaceCommands replaces lines of a Makefile or a script, and removes lines with an empty replacement.
func replaceCommands(text *goedit.Text, replaced map[int]string) {
	last, previous := "", 0
	for _, line := range slices.Sorted(maps.Keys(replaced)) {
		if line != previous+1 {
			last = ""
		}
		previous = line
		switch next := bare(replaced[line]); next {
		// controller-gen and angryjet on consecutive lines become one command.
		case "", last:
			text.RemoveLine(line)
		default:
			text.ReplaceLine(line, replaced[line])
			last = next
		}
	}
}

// replaceDirectives replaces lines of a Go file, and removes lines with an empty replacement. If a block of
// comments has no other directives, it replaces the whole block.
func replaceDirectives(text *goedit.Text, replaced map[int]string) {
	isComment := func(line int) bool { return strings.HasPrefix(text.Line(line), "//") }
	done := 0
	for _, line := range slices.Sorted(maps.Keys(replaced)) {
		if line <= done {
			continue
		}
		first, last := line, line
		for isComment(first - 1) {
			first--
		}
		for isComment(last + 1) {
			last++
		}
		replaceBlock(text, first, last, replaced)
		done = last
	}
}

func replaceBlock(text *goedit.Text, first, last int, replaced map[int]string) {
	stays, isReplaced := false, false
	for line := first; line <= last; line++ {
		replacement, found := replaced[line]
		stays = stays || !found && isDirective(text.Line(line))
		isReplaced = isReplaced || replacement != ""
	}
	for line := first; line <= last; line++ {
		replacement, found := replaced[line]
		switch {
		case replacement != "" && stays:
			text.ReplaceLine(line, replacement)
		// The block described the old tools, so a new comment replaces it.
		case replacement != "":
			text.ReplaceLine(line, "// Generate deep copies, method sets, resolvers and CRDs, by the settings in "+SettingsFile, replacement)
		case found || !stays:
			text.RemoveLine(line)
		}
	}
	if !stays && !isReplaced && strings.TrimSpace(text.Line(last+1)) == "" {
		text.RemoveLine(last + 1) // leaves one blank line
	}
}

// isDirective reports whether a tool reads the comment, see https://go.dev/doc/comment#syntax.
func isDirective(line string) bool {
	text := strings.TrimPrefix(line, "//")
	isPrefixed := func(prefix string) bool { return strings.HasPrefix(text, prefix) }
	return slices.ContainsFunc([]string{"go:", "nolint", " +"}, isPrefixed) // " +" is +build, too
}
