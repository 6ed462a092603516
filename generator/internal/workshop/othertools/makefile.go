package othertools

import (
	"cmp"
	"fmt"
	"maps"
	"os"
	"path"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
)

// A makefile has the variables and recipes of a Makefile and of the files that it includes. make reads all of
// them before it expands a recipe. Nothing is executed: a function such as $(shell) and an unknown variable stay
// as they are, and the shell's parser takes them for one word.
type makefile struct {
	*scan
	folder    string
	variables map[string]string
	// specific are the variables of targets, which their prerequisites see as well.
	specific map[string]map[string]string
	recipes  []recipe
	// unused are the variables of several lines that no recipe expands.
	unused map[string]recipe
	// conditions are the open conditionals. Both branches are read: the environment decides.
	conditions int
}

// A recipe is a line of a recipe, or the body of a define.
type recipe struct {
	directive
	targets []string
	text    string
}

var (
	assignment = regexp.MustCompile(`^(?:(?:export|override|private)\s+)*([^\s:#=!?+]+)\s*(\?=|\+=|!=|:{0,3}=)\s*(.*)$`)
	// reference matches a dollar sign, a call and a variable, but no reference with another one in it.
	reference = regexp.MustCompile(`\$\$|\$[({](?:call [^$(){}]*|[^\s$(){}:]+)[)}]|\$[^$({]`)
	comment   = regexp.MustCompile(`(^|[^\\])#.*$`)
	// loop matches a command that is a foreach.
	loop = regexp.MustCompile(`^[-@+\s]*\$\(foreach (\w+),(\$\([^()]*\)|[^$(),]*),(.*)\)\s*$`)
)

func (s *scan) readMakefiles() {
	// Others include .mk files.
	slices.SortStableFunc(s.makefiles, func(a, b string) int { return len(path.Ext(a)) - len(path.Ext(b)) })
	for _, name := range s.makefiles {
		folder, isLinked := s.links[name]
		if !isLinked && !slices.Contains([]string{".mk", ".just"}, path.Ext(name)) { // by convention, the root includes these
			folder = path.Dir(name)
		}
		s.readMakefile(name, cmp.Or(folder, "."))
	}
}

// makes matches a command that runs make with a file.
var makes = regexp.MustCompile(`^(?:\$[({]MAKE[)}]|g?make) (?:.* )?(?:-f ?|--(?:make)?file[= ])(\S+)`)

// readMakefile reads a Makefile that make runs in a folder, unless it was read before.
func (s *scan) readMakefile(name, folder string) {
	defer func(values map[string]string) { s.values = values }(s.values)
	m := newMakefile(s, folder)
	m.load(name)
	for _, r := range m.recipes {
		scope, commands := m.scope(r.targets), m.commands(r)
		r.expand = func(use string) string { return m.expand(use, scope) }
		r.isShared = r.isShared || len(commands) > 1
		for _, text := range commands {
			s.readScript(r.directive, text)
		}
	}
	for _, name := range slices.Sorted(maps.Keys(m.unused)) {
		s.addUnclear(m.unused[name].directive, m.unused[name].text)
	}
}

// open returns the content of a Makefile, and whether it is to be read: once.
func (s *scan) open(name string) (string, bool) {
	_, isRead := s.sources[name]
	content, err := os.ReadFile(filepath.Join(s.root, filepath.FromSlash(name)))
	if err == nil {
		s.sources[name] = string(content) // also without names of tools, which may be in another file
	}
	return string(content), err == nil && !isRead
}

func newMakefile(s *scan, folder string) *makefile {
	s.values = map[string]string{}
	return &makefile{
		scan: s, folder: folder,
		variables: map[string]string{}, specific: map[string]map[string]string{}, unused: map[string]recipe{},
	}
}

// load reads a file and the files that it includes.
func (m *makefile) load(name string) {
	source, found := m.open(name)
	if !found {
		return
	}
	lines := strings.Split(strings.ReplaceAll(source, "\r\n", "\n"), "\n")
	indentation := "\t"
	if strings.HasSuffix(strings.ToLower(strings.TrimSuffix(name, "file")), "just") { // of a justfile, or a .just file
		indentation = "\t "
	}
	var targets []string
	for i := 0; i < len(lines); i++ {
		r := recipe{directive: directive{file: name, first: i + 1, folder: m.folder}, targets: targets, text: lines[i]}
		for strings.HasSuffix(r.text, `\`) && i+1 < len(lines) {
			i++
			r.text = strings.TrimSuffix(r.text, `\`) + " " + strings.TrimSpace(lines[i])
		}
		r.last = i + 1
		if targets != nil && strings.IndexAny(r.text, indentation) == 0 {
			m.recipes = append(m.recipes, r)
			continue
		}
		text := strings.TrimSpace(comment.ReplaceAllString(r.text, "$1"))
		keyword, rest, _ := strings.Cut(strings.TrimPrefix(text, "override "), " ")
		switch {
		case text == "" || keyword == "else":
		case slices.Contains([]string{"ifeq", "ifneq", "ifdef", "ifndef"}, keyword):
			m.conditions++
		case keyword == "endif":
			m.conditions--
		case keyword == "define":
			r.first = i + 2
			for i++; i < len(lines) && strings.TrimSpace(lines[i]) != "endef"; i++ {
			}
			r.text, r.last = strings.Join(lines[r.first-1:min(i, len(lines))], "\n"), i
			name, operator, _ := strings.Cut(strings.TrimSpace(rest), " ")
			m.assign(m.variables, name, cmp.Or(strings.TrimSpace(operator), "="), r.text)
			m.unused[name] = r
		case keyword == "include" || keyword == "-include" || keyword == "sinclude":
			m.include(rest)
		case assignment.MatchString(text):
			a := assignment.FindStringSubmatch(text)
			m.assign(m.variables, m.expand(a[1], m.variables), a[2], a[3])
		default:
			if t := m.rule(r, text); t != nil {
				targets = t
			}
		}
	}
}

func (m *makefile) include(names string) {
	for name := range strings.FieldsSeq(m.expand(names, m.variables)) {
		name = inRoot.ReplaceAllString(name, "$1")                                           // make runs in the folder
		found, _ := filepath.Glob(filepath.Join(m.root, m.folder, filepath.FromSlash(name))) // a malformed pattern matches nothing
		for _, file := range found {
			if rel, err := filepath.Rel(m.root, file); err == nil {
				m.load(filepath.ToSlash(rel))
			}
		}
	}
}

// rule reads a line with targets, and returns them unless it sets a variable of theirs.
func (m *makefile) rule(r recipe, text string) []string {
	at := 0
	for open := 0; at < len(text) && (open > 0 || text[at] != ':'); at++ {
		open += strings.Count("({", text[at:at+1]) - strings.Count(")}", text[at:at+1])
	}
	if at == len(text) {
		return nil
	}
	targets := strings.Fields(m.expand(text[:at], m.variables))
	rest := strings.TrimSpace(strings.TrimPrefix(text[at+1:], ":"))
	if a := assignment.FindStringSubmatch(rest); a != nil {
		m.assignTo(targets, a[1], a[2], a[3])
		return nil
	}
	prerequisites, command, inline := strings.Cut(rest, ";")
	if needs := strings.Fields(m.expand(prerequisites, m.variables)); len(needs) > 0 {
		m.assignTo(targets, "<", "=", needs[0])
	}
	if r.targets = targets; inline { // the command is behind the target
		r.isShared, r.text = true, command
		m.recipes = append(m.recipes, r)
	}
	return append([]string{}, targets...)
}

// assignTo sets a variable of targets.
func (m *makefile) assignTo(targets []string, name, operator, value string) {
	for _, t := range targets {
		if m.specific[t] == nil {
			m.specific[t] = map[string]string{}
		}
		m.assign(m.specific[t], name, operator, value)
	}
}

func (m *makefile) assign(variables map[string]string, name, operator, value string) {
	m.values[name] += " " + value
	old, isSet := variables[name]
	if !isSet {
		old, isSet = m.variables[name]
	}
	switch operator {
	case "?=":
		if isSet {
			return
		}
	case "!=":
		value = "$(shell " + value + ")"
	case "+=":
		value = strings.TrimSpace(old + " " + value)
	case "=":
	default:
		value = m.expand(value, m.variables)
	}
	// A value that depends on the environment is unknown, unless it names a tool, since branches find it in other places.
	t, arguments := findTool(strings.Fields(m.expand(value, m.variables)))
	if isTool := t != "" && len(arguments) == 0; m.conditions > 0 && !isTool {
		value = "$(" + name + ")"
	}
	variables[name] = value
}

// deepest is the depth of references beyond which they stay as they are: two may refer to each other. longest is the
// length in bytes, which may double with each.
const deepest, longest = 100, 1 << 16

// expand returns a text with its references expanded, the inner ones first.
func (m *makefile) expand(text string, variables map[string]string) string {
	for range deepest {
		next := reference.ReplaceAllStringFunc(text, func(found string) string { return m.value(found, variables) })
		if next == text || len(next) > longest {
			break
		}
		text = next
	}
	return text
}

// value returns the value that a reference stands for, or the reference if that is unknown.
func (m *makefile) value(reference string, variables map[string]string) string {
	name := strings.Trim(reference[1:], "(){}")
	var arguments []string
	if call, isCall := strings.CutPrefix(name, "call "); isCall {
		parts := strings.Split(call, ",")
		name = strings.TrimSpace(parts[0])
		arguments = []string{"$$", "$$"} // not the beginning of a reference
		for i, argument := range parts[1:] {
			for _, form := range []string{"$(%d)", "${%d}", "$%d"} {
				arguments = append(arguments, fmt.Sprintf(form, i+1), argument)
			}
		}
	}
	value, found := variables[name]
	if !found {
		return reference
	}
	delete(m.unused, name)
	return strings.NewReplacer(arguments...).Replace(value)
}

// commands returns the lines that make passes to the shell for a recipe.
func (m *makefile) commands(r recipe) []string {
	var list []string
	text, scope := r.text, m.scope(r.targets)
	if l := loop.FindStringSubmatch(text); l != nil { // a loop of the shell does the same
		const item = "\x00"
		body := strings.TrimRight(m.expand(strings.ReplaceAll(l[3], "$("+l[1]+")", item), scope), "; \t\n")
		text = "for " + l[1] + " in " + l[2] + "; do " + strings.ReplaceAll(body, item, "$$"+l[1]) + "; done"
	}
	text = strings.ReplaceAll(m.expand(text, scope), "\\\n", " ")
	for line := range strings.SplitSeq(text, "\n") {
		if line = strings.TrimLeft(line, "@-+ \t"); line != "" {
			list = append(list, strings.ReplaceAll(line, "$$", "$"))
		}
	}
	return list
}

// scope returns the variables of a recipe's targets. Variables that only other targets set are unknown: their
// prerequisites see them as well.
func (m *makefile) scope(targets []string) map[string]string {
	scope := maps.Clone(m.variables)
	for _, values := range m.specific {
		for name := range values {
			delete(scope, name)
		}
	}
	for _, t := range targets {
		maps.Copy(scope, m.specific[t])
	}
	return scope
}
