package othertools

import (
	"cmp"
	"maps"
	"path"
	"regexp"
	"slices"
	"strings"

	"github.com/mrgen-io/mrgen/generator/diag"
	"github.com/mrgen-io/mrgen/generator/run"
)

// Code is the code of problems of adopt.
const Code diag.Code = "adopt"

const prefix = "//go:generate "

// A directive is a command that runs a known tool, on a line of a Go file, or on lines of a Makefile, a
// script or a file with tasks.
type directive struct {
	file        string
	first, last int // from 1
	// folder is where it runs, and module the path of its module.
	folder, module string
	// isShared is set if other commands are on the same lines.
	isShared bool
	// before is the part of the first line that stays, such as @ in a Makefile.
	before string
	// expand, if not nil, returns the value of a word of the file.
	expand func(string) string

	tool tool
	// settings are mrgen's for the same task, by key, except the packages. Paths are relative to the module root. A
	// directive without CRDs has no crds.dir.
	settings map[string]string
	packages []string
	// objects is set if it writes deep copies, and crds if it writes CRDs.
	objects, crds bool
	// keepsObjects is set if the settings leave deep copies to another generator.
	keepsObjects bool
	// others is set if it makes files that mrgen doesn't, such as webhooks. taken are the words for the files that
	// mrgen makes.
	others bool
	taken  map[string]bool
	// removed are the paths that an rm removes, and files the names that the command gives to generated files.
	removed, files []string
	// short are its lines without the words that mrgen takes over, if it makes other files as well.
	short []string
	// part is its text, if its lines have other commands, too.
	part string
	// back are the arguments that lead mrgen from another module to this one.
	back string
	// err is the reason why mrgen can't replace the directive.
	err error
}

func (d directive) position() diag.Position { return diag.Position{File: d.file, Line: d.first} }

func (d directive) inGo() bool { return path.Ext(d.file) == ".go" }

// A Plan describes the replacement of a module's directives.
type Plan struct {
	// Settings are mrgen's for the directives' tasks, by key, and the tolerance that a provider may need at first.
	Settings map[string]string
	// Origins are the directives with the patterns of packages.
	Origins map[string]diag.Position
	// Files have the new contents of the files with directives.
	Files map[string][]byte
	// Schemes are the places where the module sets up the scheme of its manager.
	Schemes []diag.Position
	// Leftovers are other lines that name the tools. Needed is set if a command that stays still runs one.
	Leftovers []diag.Position
	Needed    bool
	// Repeated are the commands in Makefiles and scripts that run mrgen.
	Repeated []diag.Position
	// OwnFiles are the names that directives gave to generated files.
	OwnFiles []string
	// Emptied is set if a directive removed all CRDs before they were generated again.
	Emptied bool

	// CRDs is why mrgen may write no CRDs: no command that it replaces does. If it may, there is none.
	CRDs diag.List

	existing existing
	// edits are the commands that change CRDs after they are generated.
	edits []edit
	// sets are the packages whose CRDs have the same settings.
	sets []run.CRDSet
}

// Read returns the plan for the module in a folder, with replacement as the command in place of the directives.
// Existing settings don't change. The diagnostics name the directives that mrgen can't replace.
func Read(root, replacement string) (Plan, diag.List) {
	e, err := readExisting(root)
	if err != nil {
		return Plan{}, diag.List{unreadable(SettingsFile, err)}
	}
	s := scan{root: root, sources: map[string]string{}, links: map[string]string{}}
	if node := e.find("deepcopy"); node != nil {
		s.keepsObjects = node.Value == "off"
	}
	if err := s.walk(); err != nil {
		return Plan{}, diag.List{unreadable(".", err)}
	}
	// The earlier tools ignored misspelt markers, and accepted versions that differ.
	p := Plan{Settings: map[string]string{"markers": "warn", "versions.mode": "off"}, Files: map[string][]byte{}, Schemes: s.schemes, existing: e}
	diags := p.merge(s.directives, s.programs())
	for _, d := range s.directives {
		if d.err != nil {
			diags = append(diags, diag.Warningf(d.position(), Code, "this directive stays, since %v", d.err))
		}
	}
	if diags.HasErrors() {
		return Plan{}, diags
	}
	diags = append(diags, p.findEdits(&s)...)
	p.replace(&s, replacement)
	p.findLeftovers(&s, replacement)
	return p, diags
}

func unreadable(name string, err error) diag.Diagnostic {
	return diag.Errorf(diag.Position{File: name}, Code, "cannot read this: %v", diag.Cause(err))
}

// merge sets the settings for all directives that mrgen understands. Existing settings win. programs are lines of programs
// that name the tools.
func (p *Plan) merge(directives []directive, programs []diag.Position) diag.List {
	var diags diag.List
	var packages []string
	p.Origins = map[string]diag.Position{}
	crds, objects := false, false
	for _, d := range directives {
		if d.err != nil || !d.tool.generates() {
			objects = objects || d.tool == mrgen
			continue
		}
		p.leaveRules()
		crds, objects = crds || d.settings["crds.dir"] != "", objects || d.objects
		diags = append(diags, p.addSet(d)...)
		for _, key := range slices.Sorted(maps.Keys(d.settings)) {
			value, old := d.settings[key], p.Settings[key]
			if ofSets[key] {
				continue
			}
			if old != "" && old != value && p.existing.find(key) == nil {
				diags = append(diags, diag.Errorf(d.position(), Code,
					"this directive has another %s than one before it, %s in place of %s: mrgen has one, so make them the same first, or set it in %s",
					key, value, old, SettingsFile))
			}
			p.Settings[key] = cmp.Or(old, value)
		}
		for _, pattern := range d.packages {
			if _, isThere := p.Origins[pattern]; !isThere {
				packages = append(packages, pattern)
				p.Origins[pattern] = d.position()
			}
		}
	}
	if len(packages) == 0 && p.existing.isEmpty() && len(diags) == 0 {
		if len(programs) > 0 {
			return append(diags, diag.Errorf(programs[0], Code,
				"this program seems to run controller-gen or angryjet, and mrgen can't take its place: write mrgen.yaml yourself, as the guide shows"))
		}
		diags = append(diags, diag.Errorf(diag.Position{}, Code,
			"no directive, Makefile or script here runs controller-gen or angryjet in a way that mrgen understands: write mrgen.yaml yourself, as the guide shows"))
	}
	if !crds && p.existing.find("crds.dir") == nil {
		p.CRDs = withoutCRDs(directives)
	}
	p.Settings["packages"] = strings.Join(packages, " ")
	if len(packages) > 0 && !objects {
		p.Settings["deepcopy"] = "off" // whatever wrote them stays
	}
	if dir := p.existing.find("crds.dir"); dir != nil {
		p.Settings["crds.dir"] = dir.Value
	}
	p.setCRDs()
	p.Settings["crds.dir"] = path.Clean(cmp.Or(p.Settings["crds.dir"], "package/crds"))
	if p.existing.isEmpty() {
		p.leaveRules()
	}
	return diags
}

// leaveRules keeps the rules of CRDs as they are.
func (p *Plan) leaveRules() {
	p.Settings["rules.required"], p.Settings["rules.immutable"] = "off", "off"
}

// replace replaces the directives in the files.
func (p *Plan) replace(s *scan, replacement string) {
	kept := keptDirective(s.directives)
	texts := map[string][]string{}
	for i, d := range slices.Backward(s.directives) {
		p.OwnFiles = append(p.OwnFiles, d.files...)
		p.Needed = p.Needed || d.err != nil || d.short != nil
		empties := slices.Equal(slices.Compact(d.removed), []string{p.Settings["crds.dir"]})
		p.Emptied = p.Emptied || slices.Contains(d.removed, p.Settings["crds.dir"])
		if d.err != nil || !empties && !d.tool.generates() && d.tool != resolver {
			continue
		}
		if texts[d.file] == nil {
			texts[d.file] = strings.SplitAfter(s.sources[d.file], "\n")
		}
		lines, by := texts[d.file], d.short
		switch {
		case d.part != "":
			whole := strings.Join(lines[d.first-1:d.last], "")
			by = []string{strings.TrimRight(strings.Replace(whole, d.part, replacement+d.back, 1), "\r\n")}
		case !d.tool.generates(): // nothing takes its place
		case !d.inGo():
			by = append(by, d.before+replacement+d.back)
			if d.last < len(lines) && strings.TrimSpace(strings.TrimLeft(lines[d.last], "@-+ \t")) == replacement {
				lines[d.last] = "" // consecutive commands become one
			}
		case i == kept:
			by = append(by, prefix+replacement)
		}
		replaceLines(lines[d.first-1:d.last], by)
	}
	for name, lines := range texts {
		if path.Ext(name) == ".go" {
			describe(strings.SplitAfter(s.sources[name], "\n"), lines, prefix+replacement)
		}
		p.Files[name] = []byte(strings.Join(lines, ""))
	}
}

// replaceLines replaces lines by others, with the line break of the first one.
func replaceLines(lines, by []string) {
	eol := cmp.Or(lines[0][len(strings.TrimRight(lines[0], "\r\n")):], "\n")
	clear(lines)
	for _, line := range by {
		lines[0] += line + eol
	}
}

// readByTools matches a comment that a tool reads, see https://go.dev/doc/comment#syntax. " +" is +build, too.
var readByTools = regexp.MustCompile(`(?m)^//(?:go:|nolint| \+)`)

// describe replaces the comments of replaced directives, unless others in the same block of comments stay.
func describe(before, after []string, directive string) {
	for first, last := 0, 0; first < len(before); first = last + 1 {
		// An empty line of a comment separates the directives from the text about the package.
		for last = first; last < len(before) && strings.HasPrefix(before[last], "//") && strings.TrimSpace(before[last]) != "//"; last++ {
		}
		block := strings.Join(after[first:last], "")
		isOurs := func(line string) bool { return strings.TrimRight(line, "\r\n") == directive }
		others := strings.Join(slices.DeleteFunc(slices.Clone(after[first:last]), isOurs), "")
		if block == strings.Join(before[first:last], "") || readByTools.MatchString(others) {
			continue
		}
		var by []string
		switch {
		case others != block:
			by = []string{"// Generate deep copies, method sets, resolvers and CRDs, by the settings in " + SettingsFile, directive}
		case first > 0 && strings.TrimSpace(before[first-1]) == "//":
			after[first-1] = "" // it separated the directives
		case last < len(after) && strings.TrimSpace(after[last]) == "":
			after[last] = "" // leaves one blank line
		}
		after[first] = before[first]
		replaceLines(after[first:last], by)
	}
}

// keptDirective returns the index of the directive in Go source that mrgen replaces, or -1 if one runs mrgen
// already. One is enough, since it generates everything.
func keptDirective(directives []directive) int {
	kept := -1
	for i, d := range directives {
		switch {
		case !d.inGo() || d.err != nil:
		case d.tool == mrgen:
			return -1
		// The directive for CRDs is about the whole API; one for angryjet may be about its own package.
		case d.tool.generates() && (kept < 0 || d.settings["crds.dir"] != "" && directives[kept].settings["crds.dir"] == ""):
			kept = i
		}
	}
	return kept
}

// names matches the tools in imports, requirements and variables.
var names = regexp.MustCompile(`sigs\.k8s\.io/controller-tools|github\.com/crossplane/crossplane-tools|upjet/(?:v\d+/)?cmd/resolver`)

// looseNames matches the tools in everything but Go, where comments and headers name them.
var looseNames = regexp.MustCompile(names.String() + `|(?i:controller[-_]?gen\b)|(?i:angryjet\b)`)

// findLeftovers finds the lines that still name the tools in the changed files and in the others, and the commands
// that run mrgen.
func (p *Plan) findLeftovers(s *scan, replacement string) {
	runs := regexp.MustCompile(`^(?:[-@+\s]|\w+: )*` + regexp.QuoteMeta(replacement) + `\s*$`)
	for _, name := range slices.Sorted(maps.Keys(s.sources)) {
		source, isGo, pattern := s.sources[name], path.Ext(name) == ".go", looseNames
		if isGo {
			pattern = names
		}
		if content, isChanged := p.Files[name]; isChanged {
			source = string(content)
		}
		for i, line := range strings.Split(source, "\n") {
			at := diag.Position{File: name, Line: i + 1}
			// An indirect requirement is another module's.
			if pattern.MatchString(line) && !strings.HasSuffix(strings.TrimSpace(line), "// indirect") {
				p.Leftovers = append(p.Leftovers, at)
			}
			if !isGo && runs.MatchString(line) {
				p.Repeated = append(p.Repeated, at)
			}
		}
	}
}
