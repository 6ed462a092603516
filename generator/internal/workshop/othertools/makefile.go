package othertools

import (
	"cmp"
	"fmt"
	"maps"
	"path"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
)

// A makefile has the variables and recipes of a Makefile and of the files that it includes. make reads all of
// them before it expands a recipe. Nothing is executed: the result of a function such as $(shell) is one word.
type makefile struct {
	root, folder string
	open         func(name string) (string, bool)
	variables    map[string]string
	// specific are the variables of targets, which their prerequisites see as well.
	specific map[string]map[string]string
	needs    map[string][]string
	recipes  []recipe
	// defines are the positions of variables of several lines; used are those that a recipe expands.
	defines map[string]recipe
	used    map[string]bool
	// conditions are the open conditionals. Both branches are read: the environment decides.
	conditions int
	// hidden are the texts behind the placeholders in expanded text.
	hidden map[string]string
	// expanding are the variables whose values are being expanded, and expansions how many have been.
	expanding  map[string]bool
	expansions int
}

// mostExpansions is the number of expansions in one Makefile after which variables stay as they are.
const mostExpansions = 1 << 18

// A recipe is a line of a recipe, or the body of a define.
type recipe struct {
	file        string
	first, last int // from 1
	targets     []string
	text        string
	// inline is set if the line is behind the target.
	inline bool
}

func isMakefile(name string) bool {
	base := path.Base(name)
	return base == "Makefile" || base == "makefile" || base == "GNUmakefile" || path.Ext(name) == ".mk"
}

func isScript(name string) bool { return path.Ext(name) == ".sh" }

// tasks matches the names of files for task and just.
var tasks = regexp.MustCompile(`^(?i)(?:taskfile\.ya?ml|\.?justfile|.*\.just)$`)

var (
	assignment = regexp.MustCompile(`^(?:(?:export|override|private)\s+)*([^\s:#=!?+]+)\s*(\?=|\+=|!=|:{0,3}=)\s*(.*)$`)
	// placeholder matches results of functions, undefined matches variables that the files don't set.
	placeholder = regexp.MustCompile(`\$\{(_(?:make|env)\d+)\}`)
	undefined   = regexp.MustCompile(`\$\{_env\d+\}`)
	dollar      = regexp.MustCompile(`\$(?:\{_(?:make|env)\d+\})?`)
	comment     = regexp.MustCompile(`(^|[^\\])#.*$`)
)

func newMakefile(root, folder string) *makefile {
	return &makefile{
		root: root, folder: folder, variables: map[string]string{}, specific: map[string]map[string]string{}, needs: map[string][]string{},
		defines: map[string]recipe{}, used: map[string]bool{}, hidden: map[string]string{}, expanding: map[string]bool{},
	}
}

// load reads a file and the files that it includes.
func (m *makefile) load(name string) {
	source, found := m.open(name)
	if !found {
		return
	}
	lines := strings.Split(strings.ReplaceAll(source, "\r\n", "\n"), "\n")
	var targets []string
	for i := 0; i < len(lines); i++ {
		r := recipe{file: name, first: i + 1, text: lines[i]}
		for strings.HasSuffix(r.text, `\`) && i+1 < len(lines) {
			i++
			r.text = strings.TrimSuffix(r.text, `\`) + " " + strings.TrimSpace(lines[i])
		}
		r.last, r.targets = i+1, targets
		if strings.HasPrefix(r.text, "\t") && targets != nil {
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
			m.defines[name] = r
		case keyword == "include" || keyword == "-include" || keyword == "sinclude":
			m.include(rest)
		case assignment.MatchString(text):
			a := assignment.FindStringSubmatch(text)
			m.assign(m.variables, m.expand(a[1], nil), a[2], a[3])
		default:
			if t := m.rule(r, text); t != nil {
				targets = t
			}
		}
	}
}

func (m *makefile) include(names string) {
	for name := range strings.FieldsSeq(undefined.ReplaceAllString(m.expand(names, nil), "")) {
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
	targets := strings.Fields(m.expand(text[:at], nil))
	rest := strings.TrimSpace(strings.TrimPrefix(text[at+1:], ":"))
	if a := assignment.FindStringSubmatch(rest); a != nil {
		for _, t := range targets {
			if m.specific[t] == nil {
				m.specific[t] = map[string]string{}
			}
			m.assign(m.specific[t], a[1], a[2], a[3])
		}
		return nil
	}
	prerequisites, command, inline := strings.Cut(rest, ";")
	for _, t := range targets {
		m.needs[t] = append(m.needs[t], strings.Fields(m.expand(prerequisites, nil))...)
	}
	if r.targets = targets; inline {
		r.inline, r.text = true, command
		m.recipes = append(m.recipes, r)
	}
	return append([]string{}, targets...)
}

func (m *makefile) assign(variables map[string]string, name, operator, value string) {
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
		value = m.hide("make", "$(shell "+value+")")
	case "+=":
		value = strings.TrimSpace(old + " " + value)
	case "=":
	default:
		value = literal(m.expand(value, nil))
	}
	// A value that depends on the environment is unknown, unless it names a tool, since branches find it in other places.
	t, arguments := findTool(strings.Fields(m.shown(m.expand(value, nil))))
	if isTool := t != "" && len(arguments) == 0; m.conditions > 0 && !isTool {
		value = m.hide("make", "$("+name+")")
	}
	variables[name] = value
}

// expand returns a text with its variables expanded, those of a scope first.
func (m *makefile) expand(text string, scope map[string]string) string {
	var b strings.Builder
	for {
		before, rest, found := strings.Cut(text, "$")
		b.WriteString(before)
		if !found || rest == "" {
			return b.String()
		}
		name, end := rest[:1], 1
		if at := strings.Index("({", name); at >= 0 {
			if end = closing(rest, name[0], ")}"[at]); end < 0 {
				b.WriteString("$" + rest) // make refuses it
				return b.String()
			}
			name = rest[1 : end-1]
		}
		b.WriteString(m.value(name, scope))
		text = rest[end:]
	}
}

// closing returns the end of a reference, or -1 if nothing closes it.
func closing(text string, open, end byte) int {
	depth := 0
	for i := range len(text) {
		switch text[i] {
		case open:
			depth++
		case end:
			depth--
		}
		if depth == 0 {
			return i + 1
		}
	}
	return -1
}

// value returns the value of a variable, or the result of a function.
func (m *makefile) value(name string, scope map[string]string) string {
	switch {
	case name == "$":
		return name
	case m.hidden[name] != "":
		return "${" + name + "}"
	}
	if function, arguments, isFunction := strings.Cut(name, " "); function == "call" {
		parts := strings.Split(arguments, ",")
		outer := scope
		if scope = maps.Clone(outer); scope == nil {
			scope = map[string]string{}
		}
		for i, part := range parts[1:] {
			scope[strconv.Itoa(i+1)] = literal(m.expand(part, outer))
		}
		name = strings.TrimSpace(parts[0])
	} else if function == "strip" {
		return strings.Join(strings.Fields(m.expand(arguments, scope)), " ")
	} else if isFunction {
		return m.hide("make", "$("+m.shown(m.expand(name, scope))+")")
	}
	name = m.expand(name, scope)
	raw, found := scope[name]
	if !found {
		raw, found = m.variables[name]
	}
	switch {
	case strings.Contains(name, ":"), m.expanding[name]: // a substitution, or a variable that refers to itself
		return m.hide("make", "$("+m.shown(name)+")")
	case !found:
		return m.hide("env", "$("+m.shown(name)+")")
	}
	m.used[name] = true
	// Each of forty variables may name the one before it twice.
	if m.expansions++; m.expansions > mostExpansions {
		return m.hide("make", "$("+m.shown(name)+")")
	}
	m.expanding[name] = true
	defer delete(m.expanding, name)
	value := m.expand(raw, scope)
	if len(value) > longest {
		return m.hide("make", "$("+m.shown(name)+")")
	}
	return value
}

// literal escapes expanded text, so that another expansion returns it.
func literal(text string) string {
	return dollar.ReplaceAllStringFunc(text, func(found string) string {
		if found == "$" {
			return "$$"
		}
		return found
	})
}

// hide returns a placeholder for a text that is one word.
func (m *makefile) hide(kind, text string) string {
	name := fmt.Sprintf("_%s%d", kind, len(m.hidden))
	m.hidden[name] = protect(text)
	return "${" + name + "}"
}

func (m *makefile) shown(text string) string {
	return placeholder.ReplaceAllStringFunc(text, func(p string) string { return m.hidden[strings.Trim(p, "${}")] })
}

// commands returns the lines that make passes to the shell for a recipe.
func (m *makefile) commands(r recipe) []string {
	var list []string
	text := strings.ReplaceAll(m.expand(r.text, m.scope(r.targets)), "\\\n", " ")
	for line := range strings.SplitSeq(text, "\n") {
		if line = strings.TrimLeft(line, "@-+ \t"); line != "" {
			list = append(list, line)
		}
	}
	return list
}

// scope returns the variables of a recipe's targets. If targets that need these set others, their values are
// unknown: they depend on what make was asked for.
func (m *makefile) scope(targets []string) map[string]string {
	scope := map[string]string{}
	for _, t := range targets {
		if needs := m.needs[t]; len(needs) > 0 {
			scope["<"] = needs[0]
		}
	}
	for _, setter := range slices.Sorted(maps.Keys(m.specific)) {
		for name, value := range m.specific[setter] {
			switch {
			case slices.Contains(targets, setter):
				scope[name] = value
			case scope[name] == "" && slices.ContainsFunc(targets, func(t string) bool { return m.reaches(setter, t, map[string]bool{}) }):
				scope[name] = m.hide("make", "$("+name+")")
			}
		}
	}
	return scope
}

func (m *makefile) reaches(from, to string, seen map[string]bool) bool {
	if seen[from] {
		return false
	}
	seen[from] = true
	return slices.Contains(m.needs[from], to) || slices.ContainsFunc(m.needs[from], func(t string) bool { return m.reaches(t, to, seen) })
}
