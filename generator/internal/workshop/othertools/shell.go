package othertools

import (
	"cmp"
	"maps"
	"path"
	"regexp"
	"strconv"
	"strings"

	"mvdan.cc/sh/v3/syntax"
)

// An invocation is a simple command of a shell script, with the words of the text without quotes: nothing is expanded.
type invocation struct {
	words       []string
	first, last int // lines from 1
	// alone is set if the command has its lines for itself.
	alone bool
	// source is its text, without redirections.
	source string
	folder folder
	// writes are the files of its redirections.
	writes []string
	// items are the words that the variables of loops around it stand for.
	items map[string]string
}

// paths returns words with the items of loops and the values of variables in their place, and the words of $(...) each by
// itself. Asterisks stand for other parts that only a run knows.
func (i invocation) paths(words []string, values map[string]string) []string {
	var list []string
	known := maps.Clone(values)
	maps.Copy(known, i.items)
	for _, word := range words {
		word = inRoot.ReplaceAllString(word, "./$1")
		use := argument.FindString(word)
		items := wordsOf(valueOf(use, known))
		if len(items) == 0 {
			items = []string{use}
		}
		for _, item := range items {
			for _, name := range wordsOf(strings.Replace(word, use, item, 1)) {
				first := value.FindString(name)
				list = append(list, first+argument.ReplaceAllString(name[len(first):], "*"))
			}
		}
	}
	return list
}

// wordsOf returns the words of a text, also in $(...), unless it names a folder.
func wordsOf(text string) []string {
	if text = strings.TrimSpace(text); scriptFolder.MatchString(text) || absolute.MatchString(text) {
		return []string{text}
	}
	return strings.FieldsFunc(text, func(c rune) bool { return strings.ContainsRune(" ()`;|<", c) })
}

// valueOf returns the values of the variable that a word uses, or its default. The one without a name has all arguments.
func valueOf(use string, values map[string]string) string {
	m := argument.FindStringSubmatch(use)
	if m == nil {
		return ""
	}
	return strings.TrimSpace(quotes.Replace(cmp.Or(values[m[1]+m[3]], m[2])))
}

// A folder is the one in which a command of a script runs.
type folder struct {
	// path is relative to the folder in which the script runs, or with ofScript to the one with the script.
	path     string
	ofScript bool
	// isUnknown is set if only a run knows the folder.
	isUnknown bool
}

var (
	// scriptFolder matches the ways in which a script names its own folder.
	scriptFolder = regexp.MustCompile(`^\$\( ?dirname (?:-- )?\$\{?(?:0|BASH_SOURCE(?:\[0\])?)\}? ?\)|^\$\{(?:0|BASH_SOURCE(?:\[0\])?)%/\*\}`)
	// absolute matches the command by which scripts make a folder's path absolute.
	absolute = regexp.MustCompile(`^\$\( ?cd (?:-- )?([^;&|]*?)(?: ?&?> ?/dev/null(?: 2>&1)?)? ?(?:&&|;) ?pwd(?: -P)? ?\)`)
	// unclearPath matches what only a shell knows.
	unclearPath = regexp.MustCompile("[$~` ]|^-|\\{\\{|^(?:cd|pushd)$")
	// argument matches a variable and its default, and value one at the beginning of a word.
	argument = regexp.MustCompile(`\$(?:\{(\w*)[@*]?(?:\[[@*]\])?(?::?[-=]([^${}]*))?\}|(\w+)|[@*])`)
	value    = regexp.MustCompile(`^` + argument.String())
)

// change returns the folder after the command.
func (i invocation) change(f folder, values map[string]string) folder {
	switch i.words[0] {
	case "cd", "pushd":
		return f.enter(i.words[len(i.words)-1], values)
	case "popd":
		f.isUnknown = true
	}
	return f
}

// in returns the folder relative to the module root, for a command of a directive's file.
func (f folder) in(d directive) string {
	if f.ofScript {
		return path.Join(path.Dir(d.file), f.path)
	}
	return path.Join(d.folder, f.path)
}

// enter returns the folder to which cd leads from another one.
func (f folder) enter(to string, values map[string]string) folder {
	to = quotes.Replace(to)
	for range deepest { // a variable may have another one's value
		use := value.FindString(to)
		known := valueOf(use, values)
		if known == "" {
			break
		}
		to = known + to[len(use):]
	}
	if m := absolute.FindStringSubmatch(to); m != nil {
		return f.enter(m[1], nil).enter("."+to[len(m[0]):], nil)
	}
	if own := scriptFolder.FindString(to); own != "" {
		return folder{ofScript: true}.enter("."+to[len(own):], nil)
	}
	f.isUnknown = f.isUnknown || path.IsAbs(to) || unclearPath.MatchString(to)
	f.path = path.Join(f.path, to)
	return f
}

var (
	quotes  = strings.NewReplacer(`"`, "", `'`, "")
	escaped = regexp.MustCompile(`\\(.)`)
)

// A script is a text whose commands are read in its order.
type script struct {
	text   string
	values map[string]string
	list   []invocation
	// at is the folder of the next command.
	at folder
	// items are the words that the variables of loops stand for, and input what xargs and read get.
	items map[string]string
	input string
	// functions are the names of its functions.
	functions map[string]bool
}

// invocations returns the commands of a script in the order of the text, and adds the values of its variables.
func invocations(text string, values map[string]string) ([]invocation, error) {
	file, err := syntax.NewParser().Parse(strings.NewReader(text), "")
	if err != nil {
		return nil, err
	}
	s := script{text: text, values: values, items: map[string]string{}, functions: map[string]bool{}}
	var ends []func() // of the nodes around the current one
	syntax.Walk(file, func(node syntax.Node) bool {
		if node == nil {
			last := len(ends) - 1
			ends[last]()
			ends = ends[:last]
			return true
		}
		if _, isInner := node.(*syntax.CmdSubst); isInner && !looseNames.MatchString(s.source(node)) {
			return false // the rest doesn't matter, such as a cd there
		}
		end := func() {}
		if _, isSubshell := node.(*syntax.Subshell); isSubshell { // it leaves the folder of its shell as it was
			at := s.at
			end = func() { s.at = at }
		}
		ends = append(ends, end)
		s.read(node)
		return true
	})
	return s.list, nil
}

func (s *script) source(n syntax.Node) string { return s.text[n.Pos().Offset():n.End().Offset()] }

// read reads a node before the nodes in it.
func (s *script) read(node syntax.Node) {
	switch node := node.(type) {
	case *syntax.Assign:
		if _, value, isSet := strings.Cut(s.source(node), "="); isSet && node.Name != nil {
			s.values[node.Name.Value] += " " + value
		}
	case *syntax.WordIter:
		var items string
		for _, item := range node.Items {
			text := quotes.Replace(s.source(item))
			if known := valueOf(text, s.values); argument.FindString(text) == text && known != "" {
				text = known
			}
			items += " " + text
		}
		s.setItems(node.Name.Value, items)
	case *syntax.FuncDecl:
		s.functions[node.Name.Value] = true
	case *syntax.BinaryCmd:
		if node.Op == syntax.Pipe {
			s.input = s.source(node.X)
		}
	case *syntax.Stmt:
		s.readStatement(node)
	}
}

// setItems sets the words of a loop's variable.
func (s *script) setItems(variable, items string) {
	s.items = maps.Clone(s.items)
	s.items[variable] = items
}

func (s *script) readStatement(node *syntax.Stmt) {
	i := invocation{first: int(node.Pos().Line()), folder: s.at}
	for _, r := range node.Redirs {
		switch r.Op {
		case syntax.RdrOut, syntax.AppOut:
			i.writes = append(i.writes, quotes.Replace(s.source(r.Word)))
		case syntax.RdrIn, syntax.WordHdoc:
			s.input = s.source(r.Word)
		}
	}
	call, isCall := node.Cmd.(*syntax.CallExpr)
	if !isCall && i.writes != nil { // a loop or a block, whose commands follow
		i.words, i.last = []string{":"}, i.first
		s.list = append(s.list, i)
	}
	if !isCall || len(call.Args) == 0 {
		return
	}
	i.last = int(call.End().Line())
	for _, argument := range call.Args {
		i.words = append(i.words, escaped.ReplaceAllString(quotes.Replace(s.source(argument)), "$1"))
	}
	if len(node.Redirs) == 0 {
		i.source = s.source(node.Cmd)
		lines := strings.Split(s.text, "\n")[i.first-1 : i.last]
		i.alone = strings.TrimSpace(strings.Join(lines, "\n")) == s.source(node)
	}
	if s.functions[i.words[0]] {
		for at, word := range i.words {
			s.values[strconv.Itoa(at)] += " " + word
		}
	}
	switch last := i.words[len(i.words)-1]; i.words[0] {
	case "xargs":
		i.words = append(i.words, strings.Fields(quotes.Replace(s.input))...)
	case "read":
		s.setItems(last, quotes.Replace(s.input))
	case "mapfile", "readarray":
		s.values[last] += " " + s.input
	}
	i.items = s.items
	s.list = append(s.list, i)
	s.at = i.change(s.at, s.values)
}
