package othertools

import (
	"bytes"
	"errors"
	"fmt"
	"io/fs"
	"maps"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"

	"go.yaml.in/yaml/v3"

	"github.com/mrgen-io/mrgen/generator/diag"
	"github.com/mrgen-io/mrgen/generator/internal/workshop/goedit"
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

// YAML returns the new content of mrgen.yaml: its existing settings and the missing ones.
func (p Plan) YAML() []byte {
	content := p.existing.content
	if content != "" && !strings.HasSuffix(content, "\n") {
		content += "\n"
	}
	lines := strings.SplitAfter(content, "\n")
	var rest []entry
	for _, e := range entries(p.Settings) {
		at := slices.IndexFunc(lines, func(line string) bool { return e.section != "" && strings.HasPrefix(line, e.section+":") })
		switch {
		case !e.differs || p.existing.has(e.key()):
		case at >= 0:
			indentation := "  "
			if others := indented.FindStringSubmatch(strings.Join(lines[at+1:], "")); others != nil {
				indentation = others[1]
			}
			lines[at] += indentation + e.name + ": " + e.value + "\n"
		case p.existing.found && e.name == "packages" && len(p.Settings.Packages) == 0:
		default:
			rest = append(rest, e)
		}
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
	return b.Bytes()
}

// existing is the module's mrgen.yaml.
type existing struct {
	found   bool
	content string
	values  map[string]any
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

// indented matches the indentation of a section's first setting.
var indented = regexp.MustCompile(`^(?: *(?:#.*)?\n)*( +)[^ #\n]`)

// inBraces matches a section on one line.
var inBraces = regexp.MustCompile(`^\w+: *\{`)

// readExisting reads the settings of a module. The caller has checked the values.
func readExisting(root string) (existing, diag.List) {
	content, err := os.ReadFile(filepath.Join(root, SettingsFile))
	if errors.Is(err, fs.ErrNotExist) {
		return existing{}, nil
	}
	e := existing{found: true, content: string(content)}
	if err == nil {
		err = yaml.Unmarshal(content, &e.values)
	}
	if err != nil {
		return existing{}, diag.List{unreadable(SettingsFile, err)}
	}
	for i, line := range strings.Split(e.content, "\n") {
		if braces := inBraces.FindString(line); braces != "" {
			return e, diag.List{diag.Errorf(diag.Position{File: SettingsFile, Line: i + 1, Column: len(braces)}, Code,
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
