package othertools

import (
	"cmp"
	"errors"
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
)

// A scan finds the directives of a module.
type scan struct {
	root, module string
	directives   []directive
	// sources are the contents of the files that may name the tools, and of all Makefiles.
	sources   map[string][]byte
	makefiles []string
	schemes   []diag.Position
	diags     diag.List
}

func (s *scan) walk() {
	content, err := os.ReadFile(filepath.Join(s.root, "go.mod"))
	if err != nil {
		s.diags = append(s.diags, unreadable("go.mod", err))
		return
	}
	s.module = modfile.ModulePath(content)
	s.sources["go.mod"] = content
	err = fs.WalkDir(os.DirFS(s.root), ".", func(name string, entry fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		switch {
		case entry.IsDir() && name != "." && skips(filepath.Join(s.root, name), entry.Name()):
			return fs.SkipDir
		case entry.Type().IsRegular() && isMakefile(name):
			s.makefiles = append(s.makefiles, name)
		case entry.Type().IsRegular() && (strings.HasSuffix(name, ".go") || isScript(name) || tasks.MatchString(path.Base(name))):
			return s.read(name)
		}
		return nil
	})
	s.readMakefiles()
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
	if path.Ext(name) == ".go" {
		if !strings.Contains(source, prefix) && !names.MatchString(source) {
			return nil
		}
		s.sources[name] = content
		for i, line := range strings.Split(source, "\n") {
			if command, found := strings.CutPrefix(strings.TrimRight(line, "\r"), prefix); found {
				// go generate runs one command.
				s.readCommand(directive{file: name, first: i + 1, last: i + 1}, strings.ReplaceAll(command, ";", `\;`), path.Dir(name), true)
			}
		}
		return nil
	}
	if !looseNames.MatchString(source) {
		return nil
	}
	s.sources[name] = content
	// Tasks and scripts run in the module root by convention.
	if !isScript(name) || !s.readScript(name, source, 0) {
		s.readLines(name, source)
	}
	return nil
}

// readScript adds the directives in a script that begins below a line of a file, and reports whether it parses.
func (s *scan) readScript(name, source string, above int) bool {
	list, err := invocations(source)
	for _, c := range list {
		s.addCommand(directive{file: name, first: above + c.first, last: above + c.last}, c, ".")
	}
	return err == nil
}

// readLines adds the directives in a Taskfile, a justfile, or a script that the parser of the shell refuses.
func (s *scan) readLines(name, source string) {
	lines := strings.Split(source, "\n")
	for next := 0; next < len(lines); {
		switch first, end, isScript := commandAt(lines, next); {
		case !isScript:
			joined := strings.ReplaceAll(strings.Join(lines[first:end], " ")+" ", `\ `, " ")
			s.readCommand(directive{file: name, first: first + 1, last: end}, bare(joined), ".", true)
			next = end
		case s.readScript(name, strings.Join(lines[first:end], "\n"), first):
			next = end
		default: // it has templates that the shell's parser refuses: line by line
			next = first
		}
	}
}

// block matches the line above a block of YAML.
var block = regexp.MustCompile(`^( *)((?:- +)*)(\w+: +)?([>|])[-+0-9]*\s*$`)

// commandAt returns the lines of the command at or below a line: those of a block of YAML, or one with its
// continuations. A literal block is a script.
func commandAt(lines []string, at int) (first, end int, isScript bool) {
	end = at + 1
	header := block.FindStringSubmatch(lines[at])
	if header == nil {
		for end < len(lines) && strings.HasSuffix(lines[end-1], `\`) {
			end++
		}
		return at, end, false
	}
	indentation := header[1] + " "
	if header[3] != "" { // the block is deeper than its key
		indentation += strings.Repeat(" ", len(header[2]))
	}
	for end < len(lines) && (strings.TrimSpace(lines[end]) == "" || strings.HasPrefix(lines[end], indentation)) {
		end++
	}
	for strings.TrimSpace(lines[end-1]) == "" {
		end--
	}
	return at + 1, end, header[4] == "|"
}

// readCommand adds the directives in a command of a place. Without alone, it shares its lines with others.
func (s *scan) readCommand(at directive, command, folder string, alone bool) {
	list, err := invocations(command)
	if err != nil && mentions(command) {
		at.err = errUnclear
		s.add(at)
	}
	for _, c := range list {
		c.alone = c.alone && alone
		s.addCommand(at, c, folder)
	}
}

var errUnclear = errors.New("mrgen can't tell what it does with its tools: put mrgen in its place yourself")

// add adds a directive. If it makes other files, too, its words have to be in the file: variables may serve others.
func (s *scan) add(d directive) {
	content := s.sources[d.file]
	switch {
	case d.tool != mrgen && artifact.IsGenerated(content):
		d.err = errors.New("another generator writes this file: change what that makes of it")
	case d.err != nil:
	case d.tool != mrgen && !filepath.IsLocal(d.file): // a Makefile includes it
		d.err = errors.New("it is outside the module: put mrgen in its place yourself")
	case d.others:
		lines := strings.Split(string(content), "\n")[d.first-1 : d.last]
		for i, word := range d.taken {
			word = cmp.Or(d.spelled[word], word)
			d.taken[i] = word
			if !slices.ContainsFunc(lines, isolated(word).MatchString) {
				d.err = fmt.Errorf("mrgen can't take %s out of it: make that in a command of its own, and run adopt again", word)
			}
		}
	}
	s.directives = append(s.directives, d)
}

// addCommand adds the directive for a command in a folder, if it runs a tool.
func (s *scan) addCommand(d directive, c invocation, folder string) {
	t, arguments := findTool(c.words)
	isFlag := func(argument string) bool { return strings.HasPrefix(argument, "-") }
	switch {
	case t == mrgen:
		d.tool = mrgen
	case !t.generates() && (t == "" || !d.inGo()): // what a script removes may be anything
		if c.words[0] == "echo" || !mentions(strings.Join(c.words, " ")) {
			return
		}
		d.err = errUnclear
	case t.generates() && !slices.ContainsFunc(arguments, func(a string) bool { return !isFlag(a) }):
		return // such as controller-gen --version, which is listed as a leftover
	case !c.alone:
		d.err = errors.New("it is a part of a longer command: put mrgen in its place yourself")
	case c.moved:
		d.err = errors.New("it may run in another folder, as the script changes it before")
	default:
		d.replacement, d.err = read(t, arguments, folder, s.module)
	}
	s.add(d)
}

func (s *scan) readMakefiles() {
	isPart := func(name string) int { return len(path.Ext(name)) }
	slices.SortStableFunc(s.makefiles, func(a, b string) int { return isPart(a) - isPart(b) }) // others include .mk files
	loaded := map[string]bool{}
	for _, name := range s.makefiles {
		if loaded[name] {
			continue
		}
		m := newMakefile(s.root, path.Dir(name))
		if path.Ext(name) == ".mk" {
			m.folder = "." // by convention, the root includes it
		}
		m.open = func(name string) (string, bool) {
			content, err := os.ReadFile(filepath.Join(s.root, filepath.FromSlash(name)))
			if err == nil {
				s.sources[name] = content // also without names of tools, which may be in another file
			}
			isNew := !loaded[name]
			loaded[name] = true
			return string(content), err == nil && isNew
		}
		m.load(name)
		for _, r := range m.recipes {
			s.readRecipe(m, r)
		}
		for _, name := range slices.Sorted(maps.Keys(m.defines)) {
			if r := m.defines[name]; !m.used[name] && mentions(r.text) {
				s.add(directive{file: r.file, first: r.first, last: r.last, err: errUnclear})
			}
		}
	}
}

func (s *scan) readRecipe(m *makefile, r recipe) {
	commands, spelled, scope := m.commands(r), map[string]string{}, m.scope(r.targets)
	for _, use := range strings.Fields(r.text) {
		spelled[strings.Trim(m.expand(use, scope), `"'`)] = use
	}
	for _, text := range commands {
		s.readCommand(directive{file: r.file, first: r.first, last: r.last, spelled: spelled}, text, m.folder, len(commands) == 1 && !r.inline)
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
