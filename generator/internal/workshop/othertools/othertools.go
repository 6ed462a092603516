package othertools

import (
	"bytes"
	"cmp"
	"fmt"
	"io/fs"
	"maps"
	"os"
	"path"
	"path/filepath"
	"regexp"
	"slices"
	"strings"

	"golang.org/x/mod/modfile"

	"github.com/mrgen-io/mrgen/generator/diag"
	"github.com/mrgen-io/mrgen/generator/internal/artifact"
	"github.com/mrgen-io/mrgen/generator/internal/source/modules"
	"github.com/mrgen-io/mrgen/generator/internal/workshop/goedit"
)

const codeAdopt diag.Code = "adopt"

const prefix = "//go:generate "

// Settings are mrgen's settings for the directives' tasks.
type Settings struct {
	// Packages are patterns relative to the module root.
	Packages []string
	// HeaderFile may be empty.
	HeaderFile          string
	CRDDir              string
	AllowDangerousTypes bool
	EmbeddedObjectMeta  bool
	// NoDeepCopies is set if no directive writes deep copies.
	NoDeepCopies bool
	// MaxDescription is negative if there is no limit.
	MaxDescription int
	// MisspeltMarkers is set if misspelt markers are warnings.
	MisspeltMarkers bool
	// IgnoreVersions is set if the served versions of a kind may differ.
	IgnoreVersions bool
	// Registry is the package in which resolvers look up kinds, or "".
	Registry string
	// KeepRules is set if no directive is replaced in a module that uses mrgen already: its settings of rules
	// don't change.
	KeepRules bool
}

// A directive is a command that runs a known tool, on a line of a Go file, or on lines of a Makefile or a
// script.
type directive struct {
	file        string
	first, last int // from 1
	replacement
	// text is the command without the prefix of directives.
	text string
	// err is the reason why mrgen can't replace the directive.
	err error
}

func (d directive) position() diag.Position { return diag.Position{File: d.file, Line: d.first} }

func (d directive) inGo() bool { return path.Ext(d.file) == ".go" }

// A Plan describes the replacement of a module's directives.
type Plan struct {
	Settings Settings
	// Files have the new contents of the files with directives.
	Files map[string][]byte
	// Schemes are the places where the module sets up the scheme of its manager.
	Schemes []diag.Position
	// Leftovers are other lines that name the tools and that nothing needs any more.
	Leftovers []diag.Position
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
	diags = slices.Concat(s.diags, diags, missingHeaders(root, s.directives))
	if diags.HasErrors() {
		return Plan{}, diags, nil
	}
	p := Plan{Settings: settings, Files: map[string][]byte{}, Schemes: s.schemes, existing: e}
	gone, shortened := replaceable(s.directives, settings.CRDDir)
	diags = append(diags, notUnderstood(s.directives)...)
	p.Settings.KeepRules = e.found && !slices.ContainsFunc(gone, directive.generates)
	p.Emptied = slices.ContainsFunc(slices.Concat(gone, shortened), func(d directive) bool { return d.tool == remove || d.tool == find })
	// One directive in Go source is enough: it generates everything.
	first := !slices.ContainsFunc(s.directives, func(d directive) bool { return d.tool == mrgen && d.inGo() })
	for _, name := range sorted(s.sources) {
		text, lines := goedit.NewText(s.sources[name]), map[int]string{}
		for _, d := range gone {
			if d.file != name {
				continue
			}
			for line := d.first; line <= d.last; line++ {
				lines[line] = ""
			}
			switch {
			case !d.inGo():
				// Makefiles keep the recipe's prefix, such as @.
				line := text.Line(d.first)
				lines[d.first] = strings.TrimSuffix(line, bare(line)) + replacement
			case first && d.generates():
				lines[d.first], first = prefix+replacement, false
			}
		}
		for _, d := range shortened {
			if d.file == name {
				text.ReplaceLine(d.first, prefix+d.without(settings.CRDDir))
			}
		}
		if path.Ext(name) == ".go" {
			replaceDirectives(text, lines)
		} else {
			replaceCommands(text, lines)
		}
		source, err := text.Bytes()
		if err != nil {
			return Plan{}, nil, fmt.Errorf("%s: %w", name, err)
		}
		if !bytes.Equal(source, s.sources[name]) {
			p.Files[name] = source
		}
	}
	// While a directive stays, its tool is still needed.
	if !slices.ContainsFunc(s.directives, func(d directive) bool { return d.err != nil }) {
		p.Leftovers = leftovers(s.sources, p.Files)
	}
	return p, diags, nil
}

// generates reports whether mrgen generates the directive's output.
func (d directive) generates() bool { return d.tool == controllerGen || d.tool == angryjet }

// without returns the text of the directive without the words for a path.
func (d directive) without(removed string) string {
	text := d.text
	for _, r := range d.removed {
		if r.path == removed {
			text = strings.Replace(text+" ", " "+r.word+" ", " ", 1)
		}
	}
	return strings.TrimSpace(text)
}

func sorted(m map[string][]byte) []string { return slices.Sorted(maps.Keys(m)) }

// A scan finds the directives of a module.
type scan struct {
	root, module string
	directives   []directive
	// sources are the contents of the files that may name the tools.
	sources map[string][]byte
	schemes []diag.Position
	diags   diag.List
}

func (s *scan) walk() {
	content, err := os.ReadFile(filepath.Join(s.root, "go.mod"))
	if err != nil {
		s.diags = append(s.diags, unreadable("go.mod", err))
		return
	}
	s.module = modfile.ModulePath(content)
	s.sources["go.mod"] = content
	err = filepath.WalkDir(s.root, func(file string, entry fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		rel, err := filepath.Rel(s.root, file)
		if err != nil {
			return err
		}
		name := filepath.ToSlash(rel)
		switch {
		case entry.IsDir() && name != "." && skips(file, entry.Name()):
			return fs.SkipDir
		case entry.Type().IsRegular() && (strings.HasSuffix(name, ".go") || isMakefile(name) || isScript(name)):
			return s.read(name)
		}
		return nil
	})
	if err != nil {
		s.diags = append(s.diags, unreadable(".", err))
	}
}

// skips reports whether the go command ignores a folder, or whether it is another module.
func skips(folder, name string) bool {
	_, err := os.Stat(filepath.Join(folder, "go.mod"))
	return err == nil || modules.IsIgnored(name)
}

func (s *scan) read(name string) error {
	content, err := os.ReadFile(filepath.Join(s.root, filepath.FromSlash(name)))
	if err != nil {
		return err
	}
	source := string(content)
	s.noteSchemes(name, source)
	if !strings.Contains(source, prefix) && !mentions(source) && !names.MatchString(source) {
		return nil
	}
	s.sources[name] = content
	if path.Ext(name) == ".go" {
		s.readGo(name, source)
	} else if mentions(source) {
		s.readCommands(name, source)
	}
	return nil
}

func (s *scan) readGo(name, source string) {
	for i, line := range strings.Split(source, "\n") {
		text, found := strings.CutPrefix(strings.TrimRight(line, "\r"), prefix)
		if !found {
			continue
		}
		d := directive{file: name, first: i + 1, last: i + 1, text: text}
		list, err := words(text)
		t, arguments := findTool(list)
		switch {
		case err == nil && t != "":
			d.replacement, d.err = read(t, arguments, path.Dir(name), s.module)
		case mentions(text):
			d.err = fmt.Errorf("mrgen can't tell what it does with its tools: put mrgen in its place yourself")
		default:
			continue // an unknown tool, or an error that go generate reports
		}
		if d.tool != mrgen && artifact.IsGenerated([]byte(source)) {
			d.err = fmt.Errorf("another generator writes this file: change what that makes of it")
		}
		s.directives = append(s.directives, d)
	}
}

// readCommands reads the commands of a Makefile or a script.
func (s *scan) readCommands(name, source string) {
	folder := path.Dir(name)
	if isScript(name) {
		folder = "." // scripts are run from the module root by convention
	}
	moves := false
	for _, c := range commands(name, source) {
		moves = moves || strings.HasPrefix(c.text, "cd ")
		d := directive{file: name, first: c.first, last: c.last, text: c.text}
		list, err := shellWords(c.text)
		t, arguments := findTool(list)
		switch {
		case t == mrgen:
			d.tool = mrgen
		case err == nil && (t == controllerGen || t == angryjet) && (mentions(c.text)):
			d.replacement, d.err = read(t, arguments, folder, s.module)
			if isScript(name) && moves {
				d.err = fmt.Errorf("it may run in another folder, as the script changes it before")
			}
		case mentions(c.text):
			d.err = fmt.Errorf("mrgen can't tell what it does with its tools: put mrgen in its place yourself")
		default:
			continue
		}
		s.directives = append(s.directives, d)
	}
}

// noteSchemes records where a program adds kinds to the scheme of its manager, which a registry needs.
func (s *scan) noteSchemes(name, source string) {
	if !strings.Contains(source, ".GetScheme()") || strings.HasSuffix(name, "_test.go") || !strings.Contains(source, "package main") {
		return
	}
	for i, line := range strings.Split(source, "\n") {
		if at := strings.Index(line, ".GetScheme()"); at >= 0 && strings.Contains(line, "AddToScheme") {
			s.schemes = append(s.schemes, diag.Position{File: name, Line: i + 1})
			return
		}
	}
}

func unreadable(name string, err error) diag.Diagnostic {
	return diag.Errorf(diag.Position{File: name}, codeAdopt, "cannot read this: %v", diag.Cause(err))
}

// merge returns the settings for all directives that mrgen understands. Existing settings win.
func merge(directives []directive, e existing) (Settings, diag.List) {
	s := Settings{MaxDescription: -1}
	var diags diag.List
	one := func(d directive, key, what string, into *string, value string) {
		switch {
		case value == "" || value == *into || e.has(key):
		case *into == "":
			*into = value
		default:
			diags = append(diags, diag.Errorf(d.position(), codeAdopt,
				"this directive has another %s than one before it, %s in place of %s: mrgen has one, so make them the same first, or set %s in %s",
				what, value, *into, key, SettingsFile))
		}
	}
	crds, objects := false, false
	for _, d := range directives {
		if d.err != nil || !d.generates() {
			objects = objects || d.err != nil // unknown: it may write deep copies
			continue
		}
		crds, objects = crds || d.crds != "", objects || d.objects
		one(d, "headerFile", "header file", &s.HeaderFile, d.header)
		one(d, "crds.dir", "folder for CRDs", &s.CRDDir, d.crds)
		for _, pattern := range d.packages {
			if !slices.Contains(s.Packages, pattern) {
				s.Packages = append(s.Packages, pattern)
			}
		}
		s.AllowDangerousTypes = s.AllowDangerousTypes || d.allowDangerousTypes
		s.EmbeddedObjectMeta = s.EmbeddedObjectMeta || d.embeddedObjectMeta
		if d.maxDescription >= 0 {
			s.MaxDescription = d.maxDescription
		}
	}
	// CRDs without deep copies: another generator writes those.
	s.NoDeepCopies = crds && !objects
	if len(s.Packages) == 0 && !e.found && !diags.HasErrors() {
		diags = append(diags, diag.Errorf(diag.Position{}, codeAdopt,
			"no //go:generate directive, Makefile or script of this module runs controller-gen or angryjet in a way that mrgen understands: write mrgen.yaml yourself, as the guide shows"))
		diags = append(diags, notUnderstood(directives)...)
	}
	s.CRDDir = path.Clean(cmp.Or(e.values["crds.dir"], s.CRDDir, "package/crds"))
	return s, diags
}

func notUnderstood(directives []directive) diag.List {
	var diags diag.List
	for _, d := range directives {
		if d.err != nil {
			diags = append(diags, diag.Warningf(d.position(), codeAdopt, "this directive stays, since %v", d.err))
		}
	}
	return diags
}

// replaceable returns the directives that mrgen replaces, and those to shorten, which remove other files
// besides CRDs.
func replaceable(directives []directive, crds string) (gone, shortened []directive) {
	removesCRDs := func(r removal) bool { return r.path == crds }
	removesOthers := func(r removal) bool { return r.path != crds }
	for _, d := range directives {
		removes := d.tool == remove || d.tool == find
		switch {
		case d.err != nil || d.tool == mrgen, removes && !slices.ContainsFunc(d.removed, removesCRDs):
		case !removes || !slices.ContainsFunc(d.removed, removesOthers):
			gone = append(gone, d)
		case d.tool == remove:
			shortened = append(shortened, d)
		}
	}
	return gone, shortened
}

// names matches the tools in imports, requirements and variables.
var names = regexp.MustCompile(`sigs\.k8s\.io/controller-tools|github\.com/crossplane/crossplane-tools|upjet/(?:v\d+/)?cmd/resolver`)

// leftovers returns the lines that still name the tools in the changed files, and in the others.
func leftovers(sources, changed map[string][]byte) []diag.Position {
	var found []diag.Position
	for _, name := range sorted(sources) {
		source := sources[name]
		if content, isChanged := changed[name]; isChanged {
			source = content
		}
		for i, line := range strings.Split(string(source), "\n") {
			// An indirect requirement is another module's.
			if names.MatchString(line) && !strings.HasSuffix(strings.TrimSpace(line), "// indirect") {
				found = append(found, diag.Position{File: name, Line: i + 1})
			}
		}
	}
	return found
}
