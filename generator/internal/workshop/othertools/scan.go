package othertools

import (
	"cmp"
	"errors"
	"fmt"
	"maps"
	"os"
	"path"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"go.yaml.in/yaml/v3"

	"github.com/mrgen-io/mrgen/generator/diag"
	"github.com/mrgen-io/mrgen/generator/internal/artifact"
	"github.com/mrgen-io/mrgen/generator/internal/source/modules"
	"github.com/mrgen-io/mrgen/generator/internal/yamlnode"
)

// A scan finds the directives of a module.
type scan struct {
	root, module string
	directives   []directive
	// sources are the contents of the files that may name the tools, and of all Makefiles.
	sources   map[string]string
	makefiles []string
	// links are the folders with links to Makefiles, by the Makefile: make runs there.
	links map[string]string
	// keepsObjects is set if the settings leave deep copies to another generator.
	keepsObjects bool
	schemes      []diag.Position
	// values are all texts that the file, or a Makefile with its includes, gives to each variable.
	values map[string]string
	edits  []edit
}

// The names of files for make and just, and for task, also of files that a Taskfile includes by convention.
var (
	makefiles = regexp.MustCompile(`^(?:GNUmakefile|[Mm]akefile|.*\.mk|(?i:\.?justfile|.*\.just))$`)
	taskfiles = regexp.MustCompile(`^(?i)(?:.*taskfile|tasks?[-_]).*\.ya?ml$`)
)

func (s *scan) walk() error {
	s.module = modules.ModulePath(s.root)
	isRead := func(name string) bool {
		return slices.Contains([]string{".go", ".sh", ".bash", "", ".mod", ".py"}, path.Ext(name)) || makefiles.MatchString(name) || taskfiles.MatchString(name)
	}
	for _, name := range modules.Files(s.root, isRead) {
		info, err := os.Lstat(filepath.Join(s.root, filepath.FromSlash(name)))
		switch {
		case err != nil:
		case !info.Mode().IsRegular(): // edits don't follow links
			s.follow(name)
		case modules.ModuleOf(s.root, path.Dir(name)) != ".": // another module's
		case makefiles.MatchString(path.Base(name)):
			s.makefiles = append(s.makefiles, name)
		default:
			if err := s.read(name); err != nil {
				return err
			}
		}
	}
	s.readMakefiles()
	return nil
}

// follow records where a link to a Makefile of the module is.
func (s *scan) follow(name string) {
	root, _ := filepath.EvalSymlinks(s.root)
	to, err := filepath.EvalSymlinks(filepath.Join(s.root, filepath.FromSlash(name)))
	if rel, relErr := filepath.Rel(root, to); err == nil && relErr == nil {
		s.links[filepath.ToSlash(rel)] = path.Dir(name)
	}
}

// scheme matches the place where a program adds kinds to the scheme of its manager, which a registry needs.
var scheme = regexp.MustCompile(`AddToScheme.*\.GetScheme\(\)|\.GetScheme\(\).*AddToScheme`)

func (s *scan) read(name string) error {
	content, err := os.ReadFile(filepath.Join(s.root, filepath.FromSlash(name)))
	source := string(content)
	if at := scheme.FindStringIndex(source); at != nil && !strings.HasSuffix(name, "_test.go") && strings.Contains(source, "package main") {
		s.schemes = append(s.schemes, diag.Position{File: name, Line: 1 + strings.Count(source[:at[0]], "\n")})
	}
	isOther := path.Ext(name) == "" && !isScript(name, source)
	if err != nil || isOther || !looseNames.MatchString(source) && !strings.Contains(source, prefix) {
		return err
	}
	s.sources[name], s.values = source, map[string]string{}
	// Tasks and scripts run in the module root by convention.
	at := directive{file: name, first: 1, folder: "."}
	switch path.Ext(name) {
	case ".go":
		for i, line := range strings.Split(source, "\n") {
			if command, found := strings.CutPrefix(strings.TrimRight(line, "\r"), prefix); found {
				// go generate runs one command.
				at := directive{file: name, first: i + 1, last: i + 1, folder: path.Dir(name)}
				s.readScript(at, strings.ReplaceAll(command, ";", `\;`))
			}
		}
	case ".sh", ".bash", "":
		s.readScript(at, source)
	case ".yml", ".yaml":
		var document yaml.Node
		// Other line breaks of YAML, and a mark of the byte order, would shift the positions.
		hasBreaks := strings.ContainsAny(strings.ReplaceAll(source, "\r\n", ""), "\r\u0085\u2028\u2029\ufeff")
		if yaml.Unmarshal(content, &document) != nil || hasBreaks {
			s.addUnclear(at, source)
			return nil
		}
		s.readTasks(at, &document, false)
	}
	return nil
}

// inText matches the name of a tool in a string of a program, or its packages in an import.
var inText = regexp.MustCompile("[\"'`](?:[^\"'`\\s]*/)?(?:controller-gen|angryjet|controller-tools/pkg/\\w+)\\b")

// blankImport matches an import that only keeps a tool among the requirements.
var blankImport = regexp.MustCompile(`(?m)^(?:import)?[ \t]*_ ".*$`)

// programs returns the first lines of programs that name a tool.
func (s *scan) programs() []diag.Position {
	var found []diag.Position
	for _, name := range slices.Sorted(maps.Keys(s.sources)) {
		isProgram, source := slices.Contains([]string{".go", ".py"}, path.Ext(name)), blankImport.ReplaceAllString(s.sources[name], "")
		if at := inText.FindStringIndex(source); isProgram && at != nil {
			found = append(found, diag.Position{File: name, Line: 1 + strings.Count(source[:at[0]], "\n")})
		}
	}
	return found
}

// prose matches the fields of tasks that nothing runs.
var prose = regexp.MustCompile(`^(?:desc|summary|msg|prompt|label|aliases)$`)

// readTasks adds the directives in the texts of a Taskfile, in the folder of their task. The keys of a mapping with tasks
// are their names.
func (s *scan) readTasks(at directive, node *yaml.Node, hasTasks bool) {
	if _, dir := yamlnode.Field(node, "dir"); dir != nil && !hasTasks {
		at.folder = dir.Value
	}
	for key, value := range yamlnode.Fields(node) {
		s.values[key.Value] += " " + value.Value
		if hasTasks || !prose.MatchString(key.Value) {
			s.readTasks(at, value, key.Value == "tasks" && !hasTasks)
		}
	}
	for _, inner := range node.Content {
		if node.Kind != yaml.MappingNode {
			s.readTasks(at, inner, false)
		}
	}
	if node.Kind != yaml.ScalarNode || node.Value == "" { // an absent value may be behind the last line
		return
	}
	at.first = node.Line
	lines := strings.Split(s.sources[at.file], "\n")
	switch node.Style {
	case yaml.LiteralStyle: // a script, line by line
		at.first++
		s.readScript(at, node.Value)
		return
	case yaml.FoldedStyle:
		at.first++
	default:
		at.before = string([]rune(lines[node.Line-1])[:node.Column-1])
	}
	// The file has the same words in quotes or on several lines, or something else beside them.
	flat := func(text string) string { return strings.Join(strings.Fields(quotes.Replace(text)), " ") }
	want, got := flat(node.Value), ""
	for at.last = at.first - 1; at.last < len(lines) && len(got) < len(want); {
		at.last++
		got = flat(strings.Join(lines[at.first-1:at.last], "\n")[len(at.before):])
	}
	at.isShared = got != want || strings.Contains(strings.TrimSpace(strings.ReplaceAll(node.Value, "\\\n", "")), "\n")
	s.readScript(at, node.Value)
}

// readScript adds the directives in a script. If the directive has no last line, the file has the script's lines from
// the first one.
func (s *scan) readScript(at directive, text string) {
	list, err := invocations(text, s.values)
	if err != nil {
		s.addUnclear(at, text)
	}
	for _, c := range list {
		d := at
		if at.last == 0 {
			d.first, d.last = at.first+c.first-1, at.first+c.last-1
		}
		s.addCommand(d, c)
	}
}

var errUnclear = errors.New("mrgen can't tell what it does with its tools: put mrgen in its place yourself")

// logicalLine matches a line with the ones that continue it.
var logicalLine = regexp.MustCompile(`(?:\\\r?\n|[^\n])+`)

// addUnclear adds a directive for each line that probably runs a tool, of a text that can't be parsed.
func (s *scan) addUnclear(at directive, text string) {
	at.err = errUnclear
	for _, line := range logicalLine.FindAllStringIndex(text, -1) {
		if d := at; s.mayRun(text[line[0]:line[1]]) {
			first := at.first + strings.Count(text[:line[0]], "\n")
			d.last = cmp.Or(at.last, first)
			d.first = min(first, d.last) // the file may have fewer lines than the text
			s.add(d)
		}
	}
}

var (
	// variable matches the beginning of a variable of make, a shell, just or task.
	variable = regexp.MustCompile(`\$[({][\w.-]+|\$\w+|\{\{\s*\.?\w+`)
	// unknownProgram matches a variable in the place of a program, also behind another one that starts it.
	unknownProgram = regexp.MustCompile(
		`^(?:-\w\S* |\w+=\S* |\w+: |(?:eval|exec|env|command|time|if|then|do|(?:\S*/)?(?:(?:ba)?sh|go (?:run|tool))) |[-@+("'\s])*\S*(?:\$|\{\{)`)
	// harmless matches comments, and commands that run no tool themselves.
	harmless = regexp.MustCompile(`^[-@+\s]*(?:#|echo\s|\$[({]MAKE[)}])`)
)

// mayRun reports whether a command runs a tool: with any values of its variables, it has arguments of one, and it names
// one or an unknown program.
func (s *scan) mayRun(text string) bool {
	values := maps.Clone(s.values)
	for before := ""; before != text; {
		before = text
		text = variable.ReplaceAllStringFunc(text, func(found string) string {
			name := strings.TrimLeft(found, "${(. \t")
			value := cmp.Or(values[name], found)
			delete(values, name) // values may refer to each other
			return value
		})
	}
	return usages.MatchString(text) && !harmless.MatchString(text) && (looseNames.MatchString(text) || unknownProgram.MatchString(text))
}

// add adds a directive. If it makes other files, too, its words have to be in the file: variables may serve others.
func (s *scan) add(d directive) {
	content := s.sources[d.file]
	lines := strings.Split(content, "\n")[d.first-1 : d.last]
	if d.before == "" {
		d.before = lines[0][:len(lines[0])-len(strings.TrimLeft(lines[0], "@-+ \t"))]
	}
	switch {
	case d.tool != mrgen && artifact.IsGenerated([]byte(content)):
		d.err = errors.New("another generator writes this file: change what that makes of it")
	case d.err != nil:
	case d.tool != mrgen && !filepath.IsLocal(d.file): // a Makefile includes it
		d.err = errors.New("it is outside the module: put mrgen in its place yourself")
	case d.others && d.part != "" && !isCommented(strings.Join(lines, "\n"), d.part):
		d.err = errors.New("it is a part of a longer command: put mrgen in its place yourself")
	case d.others:
		d.part = "" // apart from a comment, it is the whole
		d.shorten(lines)
	}
	s.directives = append(s.directives, d)
}

// isCommented reports whether a text has nothing but a command and a comment behind it.
func isCommented(text, command string) bool {
	before, after, _ := strings.Cut(text, command)
	return strings.Trim(before, "@-+ \t") == "" && strings.HasPrefix(strings.TrimSpace(after), "#")
}

// word matches a word of a command, also right before a backslash that continues the line.
var word = regexp.MustCompile(`[^\s\\]+[ \t]*`)

// shorten sets the directive's lines without the words that mrgen takes over, or its error.
func (d *directive) shorten(lines []string) {
	missing := maps.Clone(d.taken)
	for _, line := range lines {
		line = word.ReplaceAllStringFunc(line, func(found string) string {
			use := strings.TrimSpace(found)
			if d.expand != nil {
				use = d.expand(use)
			}
			if use = inRoot.ReplaceAllString(quotes.Replace(use), "./$1"); !d.taken[use] {
				return found
			}
			delete(missing, use)
			return ""
		})
		if strings.Trim(line, " \t\r\\") != "" { // else all of it was mrgen's
			d.short = append(d.short, strings.TrimRight(line, " \t\r"))
		}
	}
	if last := len(d.short) - 1; last >= 0 && !strings.HasSuffix(lines[len(lines)-1], `\`) {
		d.short[last] = strings.TrimRight(d.short[last], " \t\\")
	}
	for _, use := range slices.Sorted(maps.Keys(missing)) {
		d.err = fmt.Errorf("mrgen can't take %s out of it: make that in a command of its own, and run adopt again", use)
	}
}

// addCommand adds the directive for a command, if it runs a tool.
func (s *scan) addCommand(d directive, c invocation) {
	t, arguments := findTool(c.words)
	// A command writes CRDs also if mrgen can't replace it.
	d.crds = slices.ContainsFunc(c.words, func(word string) bool { return word == "crd" || strings.HasPrefix(word, "crd:") })
	script, source := s.called(d, c)
	isRun := t.generates() && slices.ContainsFunc(arguments, func(a string) bool { return !strings.HasPrefix(a, "-") })
	switch {
	case t == mrgen:
		d.tool = mrgen
	case !isRun && s.mayRun(strings.Join(c.words, " ")):
		d.err = errUnclear
	case t.generates() && !isRun:
		return // such as controller-gen --version, which is listed as a leftover
	case script != "" && passes(c.words, source):
		d.err = fmt.Errorf("%s runs a tool with what this passes: put mrgen in its place yourself", script)
	case !t.generates() && (t == "" || !d.inGo()): // what a script removes may be anything
		s.addEdit(d, c)
		if m := makes.FindStringSubmatch(strings.Join(c.words, " ")); m != nil {
			s.readMakefile(path.Join(c.folder.in(d), m[1]), c.folder.in(d))
		}
		if _, isNew := s.open(script); isNew {
			defer func(values map[string]string) { s.values = values }(s.values)
			s.values = maps.Clone(s.values)
			s.values[""] = strings.Join(c.words[1:], " ")
			for i, word := range c.words {
				s.values[strconv.Itoa(i)] = word
			}
			s.readScript(directive{file: script, first: 1, folder: c.folder.in(d)}, source)
		}
		return
	case (!c.alone || d.isShared) && !s.findPart(&d, c):
		d.err = errors.New("it is a part of a longer command: put mrgen in its place yourself")
	case c.folder.isUnknown:
		d.err = errors.New("it may run in another folder, as the script changes it before")
	default:
		d.folder = c.folder.in(d)
		if filepath.IsLocal(d.folder) && modules.ModuleOf(s.root, d.folder) != "." {
			back, _ := filepath.Rel(d.folder, ".") // both are relative
			d.back = " -C " + filepath.ToSlash(back)
		}
		d.tool, d.module, d.keepsObjects = t, s.module, s.keepsObjects
		d.err = d.read(arguments)
	}
	s.add(d)
}

// findPart sets the directive's part of its lines, if they have one such command with the same words.
func (s *scan) findPart(d *directive, c invocation) bool {
	lines := strings.Join(strings.Split(s.sources[d.file], "\n")[d.first-1:d.last], "\n")
	list, err := invocations(strings.TrimLeft(lines, "@-+ \t"), map[string]string{})
	if err != nil || c.source == "" {
		return false
	}
	for _, other := range list {
		// The file has the same words, or variables for them.
		if t, _ := findTool(other.words); !t.generates() || len(other.words) > len(c.words) {
			continue
		}
		if d.part != "" || other.source == "" {
			return false
		}
		d.part = other.source
	}
	return strings.Count(lines, d.part) == 1 && d.part != ""
}
