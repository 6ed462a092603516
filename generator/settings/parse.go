package settings

import (
	"bytes"
	"cmp"
	"errors"
	"fmt"
	"io"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"unicode"
	"unicode/utf8"

	"go.yaml.in/yaml/v3"

	"github.com/mrgen-io/mrgen/generator/diag"
	"github.com/mrgen-io/mrgen/generator/internal/yamlnode"
	"github.com/mrgen-io/mrgen/generator/lint"
	"github.com/mrgen-io/mrgen/generator/run"
	"github.com/mrgen-io/mrgen/markers"
)

// Problem returns an error diagnostic about the settings.
func Problem(at diag.Position, format string, args ...any) diag.Diagnostic {
	return diag.Errorf(at, "settings", format, args...)
}

// Parse changes the settings by the content of mrgen.yaml. If there are diagnostics, the settings are unusable.
func (s *Settings) Parse(content []byte) diag.List {
	p := &parser{lines: lineBreak.Split(string(content), -1)}
	p.expect(table, "", s)
	p.stream(content)
	for key := range p.values {
		if line := p.seen[key]; line > 0 {
			s.From[key] = fmt.Sprintf("%s:%d", FileName, line)
		}
	}
	if line := p.seen["versions.tests"]; line > 0 && s.Options.VersionTests && s.Options.Versions != run.ConvertVersions && len(p.diags) == 0 {
		p.diags = append(p.diags, Problem(diag.Position{File: FileName, Line: line},
			"versions.tests has no effect without conversions: set versions.mode to convert, or remove it"))
	}
	return p.diags
}

// expect prepares the parser for settings below a prefix.
func (p *parser) expect(rows []Setting, prefix string, into *Settings) {
	p.values, p.seen = map[string]*Value{}, map[string]int{}
	for _, row := range rows {
		key := prefix + row.Key
		p.values[key] = row.Value(into)
		p.keys = append(p.keys, key)
		for i, c := range row.Key {
			if section := prefix + row.Key[:i]; c == '.' && !slices.Contains(p.sections, section) {
				p.sections = append(p.sections, section)
			}
		}
		if name := prefix + cmp.Or(row.Family, row.Key); !slices.Contains(p.known, name) {
			p.known = append(p.known, name)
		}
	}
}

// lineBreak matches the line breaks of YAML 1.1, which the YAML parser counts, see
// https://yaml.org/spec/1.1/#id872142.
var lineBreak = regexp.MustCompile(`\r\n|[\r\n\x{85}\x{2028}\x{2029}]`)

// parser checks the YAML nodes of mrgen.yaml against the table of settings.
type parser struct {
	lines []string
	// keys and sections are the names of settings and sections, in order. known has families in place of their
	// keys.
	keys, sections, known []string
	// values are the targets of the settings, by key.
	values map[string]*Value
	// seen has the lines of the settings and sections in the file.
	seen  map[string]int
	diags diag.List
}

// yamlErrorLine matches the beginning of the YAML parser's syntax errors.
var yamlErrorLine = regexp.MustCompile(`^yaml: (?:line ([0-9]+): )?`)

// stream reads the file's only document.
func (p *parser) stream(content []byte) {
	decoder := yaml.NewDecoder(bytes.NewReader(content))
	for count := 0; ; count++ {
		var document yaml.Node
		err := decoder.Decode(&document)
		switch {
		case errors.Is(err, io.EOF):
			return
		case err != nil:
			at := diag.Position{File: FileName}
			if i := slices.IndexFunc(p.lines, func(line string) bool { return strings.HasPrefix(line, "<<<<<<< ") }); i >= 0 {
				at.Line = i + 1
				p.diags = append(p.diags, Problem(at, "a merge conflict begins here: resolve it, and delete the lines that git added"))
				return
			}
			match := yamlErrorLine.FindStringSubmatch(err.Error())
			if match != nil {
				// The match is decimal digits or nothing, and without digits there is no line.
				at.Line, _ = strconv.Atoi(match[1])
				err = errors.New(err.Error()[len(match[0]):])
			}
			// Some of the parser's errors name no line.
			if at.Line == 0 {
				at.Line = p.lineOf(err)
			}
			p.diags = append(p.diags, Problem(at, "this is not valid YAML: %v: %s", err, yamlRemedy(err)))
			return
		case count > 0:
			p.report(&document, "a second document begins here: keep all settings in one")
			return
		}
		p.section("", document.Content[0])
	}
}

// yamlRemedies are the remedies for the YAML parser's errors, by a part of their text.
var yamlRemedies = []struct{ says, remedy string }{
	{"cannot start any token", "indent with spaces, not tabs, and quote text that begins with a sign"},
	{"mapping values are not allowed", "quote a value with a colon, or indent the line as those around it"},
	{"did not find expected key", "indent the line as those around it"},
	{"did not find expected node content", "close the bracket or brace"},
	{"did not find expected ',' or", "close the bracket or brace"},
	{"unexpected end of stream", "close the quotes"},
	{"control characters", "remove the character"},
	{"unknown anchor", "write the value itself, since aliases are not supported"},
}

// unknownAnchor matches the YAML parser's error about an alias, without the line.
var unknownAnchor = regexp.MustCompile(`unknown anchor '(.+)' referenced`)

// lineOf returns the line of an error that names none, or 0.
func (p *parser) lineOf(err error) int {
	isIn := func(line string) bool {
		return strings.ContainsFunc(line, func(r rune) bool { return unicode.IsControl(r) && r != '\t' })
	}
	if match := unknownAnchor.FindStringSubmatch(err.Error()); match != nil {
		isIn = func(line string) bool { return strings.Contains(line, "*"+match[1]) }
	}
	return slices.IndexFunc(p.lines, isIn) + 1
}

func yamlRemedy(err error) string {
	for _, r := range yamlRemedies {
		if strings.Contains(err.Error(), r.says) {
			return r.remedy
		}
	}
	return "correct it here or in the line before"
}

// section reads the keys of a mapping. The prefix is "" for the whole file, else
// the name of the section with a dot.
func (p *parser) section(prefix string, node *yaml.Node) {
	switch {
	case p.refuseSharing(node):
	case node.Kind == yaml.ScalarNode && node.ShortTag() == tagNull:
		// An empty file, or a section whose lines are all commented out.
	case node.Kind != yaml.MappingNode && prefix == "":
		p.report(node, "%s must hold settings, such as headerFile: hack/boilerplate.go.txt, not %s", FileName, describe(node))
	case node.Kind != yaml.MappingNode:
		first := slices.IndexFunc(p.keys, func(key string) bool { return strings.HasPrefix(key, prefix) })
		p.report(node, "%s must hold settings, such as %s, not %s", strings.TrimSuffix(prefix, "."), p.keys[first], describe(node))
	default:
		for key, value := range yamlnode.Fields(node) {
			p.entry(prefix, key, value)
		}
	}
}

// entry reads a key of a mapping and its value.
func (p *parser) entry(prefix string, key, node *yaml.Node) {
	if p.refuseSharing(key) {
		return
	}
	if key.Kind != yaml.ScalarNode {
		p.report(key, "the name of a setting must be a word, not %s", describe(key))
		return
	}
	name := prefix + key.Value
	v, isSetting := p.values[name]
	switch {
	case !isSetting && !slices.Contains(p.sections, name):
		if !p.removed(key, node, name) {
			p.unknown(key, name)
		}
	case p.seen[name] > 0:
		p.report(key, "%s is set twice: remove this one, or the first on line %d", name, p.seen[name])
	case isSetting:
		p.seen[name] = key.Line
		p.set(name, v, node)
	default:
		p.seen[name] = key.Line
		p.section(name+".", node)
	}
}

// set sets the value of a setting.
func (p *parser) set(name string, v *Value, node *yaml.Node) {
	switch kind := v.kind(); {
	case p.refuseSharing(node):
	case node.Kind != kind || kind != yaml.ScalarNode && len(node.Content) == 0 && !v.mayBeEmpty:
		p.report(node, "%s must be %s, not %s", name, v.wants, describe(node))
	case v.pairs != nil:
		p.pairs(name, v, node)
	case v.items != nil:
		p.items(name, v, node)
	case v.list:
		for _, scalar := range node.Content {
			p.scalar(name, v, scalar)
		}
	default:
		p.scalar(name, v, node)
	}
}

// scalar sets a value, or adds to a list.
func (p *parser) scalar(name string, v *Value, node *yaml.Node) {
	if p.refuseSharing(node) {
		return
	}
	if v.at != nil {
		v.at(p.position(node))
	}
	if node.Kind != yaml.ScalarNode || !slices.Contains(v.tags, node.ShortTag()) || !v.set(node.Value) {
		p.report(node, "%s must be %s, not %s", name, v.wants, describe(node))
	}
}

// refuseSharing reports YAML's ways to write a value once and use it twice. In a file of a dozen settings, they
// only hide values. It returns whether there was one.
func (p *parser) refuseSharing(node *yaml.Node) bool {
	switch {
	case node.Kind == yaml.AliasNode:
		p.report(node, "aliases are not supported: write the value in place of *%s", node.Value)
	case node.Anchor != "":
		p.report(node, "anchors are not supported: remove &%s", node.Anchor)
	case node.Kind == yaml.ScalarNode && node.ShortTag() == tagMerge:
		p.report(node, "merge keys are not supported: write the settings in place of <<")
	default:
		return false
	}
	return true
}

// removed reports settings that only earlier versions had, and whether there are any.
func (p *parser) removed(key, node *yaml.Node, name string) bool {
	for _, r := range removed {
		switch {
		case r.key == name && p.seen[name] > 0: // reported once
			return true
		case r.key == name:
			p.seen[name] = key.Line
			p.report(key, "%s was removed: %s", name, r.instead)
			return true
		case strings.HasPrefix(r.key, name+".") && node.Kind == yaml.MappingNode: // a section without settings
			p.section(name+".", node)
			return true
		}
	}
	return false
}

// unknown reports a key that the table does not have.
func (p *parser) unknown(key *yaml.Node, name string) {
	if rule, found := strings.CutPrefix(name, "lint.rules."); found {
		if near, found := markers.Nearest(rule, ruleNames()); found {
			p.report(key, "there is no rule %s: did you mean %s?", Printable(rule), near)
			return
		}
		p.report(key, "there is no rule %s: mrgen lint --list shows the rules", Printable(rule))
		return
	}
	section, last, isBelow := strings.Cut(name, ".")
	in := slices.DeleteFunc(slices.Clone(p.known), func(known string) bool { return !strings.HasPrefix(known, section+".") })
	near := ""
	if isBelow && len(in) > 0 {
		near = p.nearIn(section, last)
	} else {
		near = p.near(name)
	}
	switch {
	case near != "":
		p.report(key, "unknown setting %s: did you mean %s?", Printable(name), near)
	case len(in) > 0:
		p.report(key, "unknown setting %s: the settings of %s are %s", Printable(name), section, strings.Join(in, ", "))
	default:
		p.report(key, "unknown setting %s: mrgen help settings lists the settings", Printable(name))
	}
}

// nearIn returns the setting of a section that was probably meant by a name in it, or "". The section is right, and its letters
// would make any of its settings near.
func (p *parser) nearIn(section, name string) string {
	var names []string
	for _, key := range p.keys {
		if below, isIn := strings.CutPrefix(key, section+"."); isIn {
			names = append(names, below)
		}
	}
	if near, found := markers.Nearest(name, names); found {
		return section + "." + near
	}
	return ""
}

// near returns the setting or section that was probably meant by a name, which may lack its section, or "".
func (p *parser) near(name string) string {
	if near, found := markers.Nearest(name, slices.Concat(p.keys, p.sections)); found {
		return near
	}
	i := slices.IndexFunc(p.keys, func(known string) bool {
		return strings.HasSuffix(strings.ToLower(known), "."+strings.ToLower(name))
	})
	if i < 0 {
		i = slices.IndexFunc(p.keys, func(known string) bool { return strings.HasPrefix(known, name) })
	}
	if i < 0 {
		return ""
	}
	return p.keys[i]
}

func ruleNames() []string {
	var names []string
	for _, r := range lint.Rules() {
		names = append(names, r.Name)
	}
	return names
}

// describe returns a node's content in words, for "must be ..., not ...".
func describe(node *yaml.Node) string {
	switch {
	case node.Kind == yaml.MappingNode:
		return "a mapping"
	case node.Kind == yaml.SequenceNode && len(node.Content) == 0:
		return "an empty list"
	case node.Kind == yaml.SequenceNode:
		return "a list"
	case node.ShortTag() == tagNull:
		return "empty"
	case node.ShortTag() == tagString:
		return strconv.Quote(node.Value)
	default:
		return Printable(node.Value)
	}
}

// Printable quotes text that would break the line of a diagnostic.
func Printable(text string) string {
	if quoted := strconv.Quote(text); text == "" || quoted != `"`+text+`"` {
		return quoted
	}
	return text
}

// report adds a problem at a node.
func (p *parser) report(node *yaml.Node, format string, args ...any) {
	p.diags = append(p.diags, Problem(p.position(node), format, args...))
}

// position returns the position of a node.
func (p *parser) position(node *yaml.Node) diag.Position {
	at := diag.Position{File: FileName, Line: node.Line, Column: 1}
	if node.Line < 1 || node.Line > len(p.lines) {
		return at
	}
	line := p.lines[node.Line-1]
	// The YAML parser counts characters, positions count bytes.
	for range node.Column - 1 {
		_, size := utf8.DecodeRuneInString(line)
		line = line[size:]
		at.Column += size
	}
	return at
}
