package othertools

import (
	"bytes"
	"cmp"
	"fmt"
	"maps"
	"path"
	"regexp"
	"slices"
	"strings"

	"github.com/mrgen-io/mrgen/generator/diag"
	"github.com/mrgen-io/mrgen/generator/internal/workshop/goedit"
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
	replacement
	// spelled are the variables in the file for words of the command that are nothing else.
	spelled map[string]string
	// err is the reason why mrgen can't replace the directive.
	err error
}

func (d directive) position() diag.Position { return diag.Position{File: d.file, Line: d.first} }

func (d directive) inGo() bool { return path.Ext(d.file) == ".go" }

// A Plan describes the replacement of a module's directives.
type Plan struct {
	// Settings are mrgen's for the directives' tasks. Their required rules are set if rules stay as they are: a
	// module uses mrgen already, and no directive is replaced.
	Settings run.Options
	// Files have the new contents of the files with directives.
	Files map[string][]byte
	// Schemes are the places where the module sets up the scheme of its manager.
	Schemes []diag.Position
	// Leftovers are other lines that name the tools. Needed is set if a command that stays still runs one.
	Leftovers []diag.Position
	Needed    bool
	// Repeated are the commands that mrgen replaced in Makefiles and scripts, if there are several.
	Repeated []diag.Position
	// OwnFiles are the names that directives gave to generated files.
	OwnFiles []string
	// Emptied is set if a directive removed all CRDs before they were generated again.
	Emptied bool

	existing existing
}

// Read returns the plan for the module in a folder, with replacement as the command in place of the directives.
// Existing settings don't change. The diagnostics name the directives that mrgen can't replace. An error is a
// bug in mrgen.
func Read(root, replacement string) (Plan, diag.List, error) {
	e, diags := readExisting(root)
	if diags.HasErrors() {
		return Plan{}, diags, nil
	}
	s := scan{root: root, sources: map[string][]byte{}}
	s.walk()
	if s.diags.HasErrors() {
		return Plan{}, s.diags, nil
	}
	settings, diags := merge(s.directives, e)
	diags = slices.Concat(s.diags, diags)
	if diags.HasErrors() {
		return Plan{}, diags, nil
	}
	p := Plan{Settings: settings, Files: map[string][]byte{}, Schemes: s.schemes, existing: e}
	diags = append(diags, notUnderstood(s.directives)...)
	p.Settings.RequiredRules = e.found
	kept := keptDirective(s.directives)
	texts, lines := map[string]*goedit.Text{}, map[string]map[int]string{}
	for name, source := range s.sources {
		texts[name], lines[name] = goedit.NewText(source), map[int]string{}
	}
	for i, d := range s.directives {
		d.takeRemovals(settings.CRDDir)
		p.OwnFiles = append(p.OwnFiles, d.files...)
		p.Needed = p.Needed || d.err != nil || d.others && d.tool.generates()
		if d.err != nil || len(d.taken) == 0 && !d.replaces() {
			continue
		}
		p.Emptied = p.Emptied || len(d.removed) > 0
		p.Settings.RequiredRules = p.Settings.RequiredRules && !d.tool.generates()
		text, command := texts[d.file], ""
		switch {
		case !d.tool.generates():
		case !d.inGo():
			command = d.indentation(text) + replacement
		case i == kept:
			command = prefix + replacement
		}
		if d.others {
			d.shorten(text)
			if command != "" {
				text.InsertLines(d.last, command)
			}
			continue
		}
		for line := d.first; line <= d.last; line++ {
			lines[d.file][line] = ""
		}
		lines[d.file][d.first] = command
	}
	for name, text := range texts {
		if path.Ext(name) == ".go" {
			replaceDirectives(text, lines[name])
		} else {
			replaceCommands(text, lines[name])
		}
		source, err := text.Bytes()
		if err != nil {
			return Plan{}, nil, fmt.Errorf("%s: %w", name, err)
		}
		if !bytes.Equal(source, s.sources[name]) {
			p.Files[name] = source
		}
	}
	p.Leftovers, p.Repeated = s.leftovers(p.Files, replacement)
	return p, diags, nil
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
		case d.tool.generates() && (kept < 0 || d.CRDDir != "" && directives[kept].CRDDir == ""):
			kept = i
		}
	}
	return kept
}

// replaces reports whether mrgen takes the place of the directive's tool.
func (d directive) replaces() bool { return d.tool.generates() || d.tool == resolver }

// takeRemovals makes mrgen take over the removal of CRDs.
func (d *directive) takeRemovals(crds string) {
	for _, r := range d.removed {
		if r.path == crds {
			d.taken = append(d.taken, r.word)
		}
	}
	d.others = d.others || len(d.taken) < len(d.removed)
}

// indentation returns the spaces and prefixes of a command, such as @ in a Makefile.
func (d directive) indentation(text *goedit.Text) string {
	line := text.Line(d.first)
	return strings.TrimSuffix(line, bare(line))
}

// shorten removes the words that mrgen takes over from a directive.
func (d directive) shorten(text *goedit.Text) {
	for line := d.first; line <= d.last; line++ {
		short := text.Line(line)
		for _, word := range d.taken {
			short = isolated(word).ReplaceAllString(short, "$1$2")
		}
		if short = strings.TrimRight(short, " \t"); short != text.Line(line) {
			text.ReplaceLine(line, short)
		}
	}
}

// isolated matches a word of a command, also right before a backslash that continues the line.
func isolated(word string) *regexp.Regexp {
	quoted := strings.ReplaceAll(regexp.QuoteMeta(word), "=", `=["']?`)
	return regexp.MustCompile(`(^|\s)["']?` + quoted + `["']?(?:\s|(\\)$|$)`)
}

func sorted(m map[string][]byte) []string { return slices.Sorted(maps.Keys(m)) }

func unreadable(name string, err error) diag.Diagnostic {
	return diag.Errorf(diag.Position{File: name}, Code, "cannot read this: %v", diag.Cause(err))
}

// merge returns the settings for all directives that mrgen understands. Existing settings win.
func merge(directives []directive, e existing) (run.Options, diag.List) {
	s := run.Options{MaxDescription: -1}
	var diags diag.List
	one := func(d directive, key, what string, into *string, value string) {
		switch {
		case value == "" || value == *into || e.has(key):
		case *into == "":
			*into = value
		default:
			diags = append(diags, diag.Errorf(d.position(), Code,
				"this directive has another %s than one before it, %s in place of %s: mrgen has one, so make them the same first, or set %s in %s",
				what, value, *into, key, SettingsFile))
		}
	}
	crds, objects := false, false
	for _, d := range directives {
		if d.err != nil || !d.tool.generates() {
			// Unknown commands may write deep copies, and mrgen does.
			objects = objects || d.err != nil || d.tool == mrgen
			continue
		}
		crds, objects = crds || d.CRDDir != "", objects || d.objects
		one(d, "headerFile", "header file", &s.HeaderFile, d.HeaderFile)
		one(d, "crds.dir", "folder for CRDs", &s.CRDDir, d.CRDDir)
		for _, pattern := range d.Packages {
			if !slices.Contains(s.Packages, pattern) {
				s.Packages = append(s.Packages, pattern)
			}
		}
		s.AllowDangerousTypes = s.AllowDangerousTypes || d.AllowDangerousTypes
		s.EmbeddedObjectMeta = s.EmbeddedObjectMeta || d.EmbeddedObjectMeta
		if d.MaxDescription >= 0 {
			s.MaxDescription = d.MaxDescription
		}
	}
	// CRDs without deep copies: another generator writes those.
	s.NoDeepCopies = crds && !objects
	if len(s.Packages) == 0 && !e.found && !diags.HasErrors() {
		diags = append(diags, diag.Errorf(diag.Position{}, Code,
			"no directive, Makefile or script here runs controller-gen or angryjet in a way that mrgen understands: write mrgen.yaml yourself, as the guide shows"))
		diags = append(diags, notUnderstood(directives)...)
	}
	if dir, isSet := e.value("crds.dir"); isSet {
		s.CRDDir = fmt.Sprint(dir)
	}
	s.CRDDir = path.Clean(cmp.Or(s.CRDDir, "package/crds"))
	return s, diags
}

func notUnderstood(directives []directive) diag.List {
	var diags diag.List
	for _, d := range directives {
		if d.err != nil {
			diags = append(diags, diag.Warningf(d.position(), Code, "this directive stays, since %v", d.err))
		}
	}
	return diags
}

// names matches the tools in imports, requirements and variables.
var names = regexp.MustCompile(`sigs\.k8s\.io/controller-tools|github\.com/crossplane/crossplane-tools|upjet/(?:v\d+/)?cmd/resolver`)

// looseNames matches the tools in everything but Go, where comments and headers name them.
var looseNames = regexp.MustCompile(names.String() + `|(?i:controller[-_]?gen\b)|(?i:angryjet\b)`)

// leftovers returns the lines that still name the tools in the changed files and in the others, and the commands
// that run mrgen if there are several.
func (s *scan) leftovers(changed map[string][]byte, replacement string) (found, repeated []diag.Position) {
	for _, name := range sorted(s.sources) {
		source, isGo, pattern := s.sources[name], path.Ext(name) == ".go", looseNames
		if isGo {
			pattern = names
		}
		if content, isChanged := changed[name]; isChanged {
			source = content
		}
		for i, line := range strings.Split(string(source), "\n") {
			at := diag.Position{File: name, Line: i + 1}
			// An indirect requirement is another module's.
			if pattern.MatchString(line) && !strings.HasSuffix(strings.TrimSpace(line), "// indirect") {
				found = append(found, at)
			}
			if !isGo && bare(line) == replacement {
				repeated = append(repeated, at)
			}
		}
	}
	if len(repeated) == 1 {
		repeated = nil
	}
	return found, repeated
}
