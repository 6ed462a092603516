package othertools

import (
	"maps"
	"path"
	"regexp"
	"slices"
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

// in returns the folder in which a command of a directive's file runs.
func (i invocation) in(d directive) string {
	if i.folder.ofScript {
		return path.Join(path.Dir(d.file), i.folder.path)
	}
	return path.Join(d.folder, i.folder.path)
}

// paths returns words with the items of loops in place of their variables, and the words of $(...) each by itself.
func (i invocation) paths(words []string) []string {
	var list []string
	for _, word := range words {
		word = inRoot.ReplaceAllString(word, "./$1")
		use := argument.FindString(word)
		items := strings.Fields(i.items[strings.Trim(use, "${}")])
		if len(items) == 0 {
			items = []string{use}
		}
		for _, item := range items {
			with := strings.Replace(word, use, item, 1)
			list = append(list, strings.FieldsFunc(with, func(c rune) bool { return strings.ContainsRune(" ()`;|", c) })...)
		}
	}
	return list
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
	// value matches a variable at the beginning of a word.
	value = regexp.MustCompile(`^\$\{?(\w+)\}?`)
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

// enter returns the folder to which cd leads from another one.
func (f folder) enter(to string, values map[string]string) folder {
	to = quotes.Replace(to)
	if m := value.FindStringSubmatch(to); m != nil && strings.TrimSpace(values[m[1]]) != "" {
		to = quotes.Replace(strings.TrimSpace(values[m[1]])) + to[len(m[0]):]
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

// invocations returns the commands of a script in the order of the text, and adds the values of its variables.
func invocations(text string, values map[string]string) ([]invocation, error) {
	file, err := syntax.NewParser().Parse(strings.NewReader(text), "")
	if err != nil {
		return nil, err
	}
	source := func(n syntax.Node) string { return text[n.Pos().Offset():n.End().Offset()] }
	lines := strings.Split(text, "\n")
	var list []invocation
	var at folder
	var around []folder // before each node around the current one
	var nodes []syntax.Node
	items := map[string]string{}
	isPipe := func(n syntax.Node) bool {
		binary, isBinary := n.(*syntax.BinaryCmd)
		return isBinary && binary.Op == syntax.Pipe
	}
	syntax.Walk(file, func(node syntax.Node) bool {
		switch node := node.(type) {
		case nil: // the end of a node: a subshell leaves the folder of its shell as it was
			last := len(nodes) - 1
			if _, isSubshell := nodes[last].(*syntax.Subshell); isSubshell {
				at = around[last]
			}
			nodes, around = nodes[:last], around[:last]
			return true
		case *syntax.Assign:
			if _, value, isSet := strings.Cut(source(node), "="); isSet && node.Name != nil {
				values[node.Name.Value] += " " + value
			}
		case *syntax.WordIter:
			items = maps.Clone(items)
			for _, item := range node.Items {
				items[node.Name.Value] += " " + quotes.Replace(source(item))
			}
		case *syntax.CmdSubst:
			if !looseNames.MatchString(source(node)) {
				return false // the rest doesn't matter, such as a cd there
			}
		case *syntax.Stmt:
			call, isCall := node.Cmd.(*syntax.CallExpr)
			if !isCall || len(call.Args) == 0 {
				break
			}
			i := invocation{first: int(node.Pos().Line()), last: int(call.End().Line()), folder: at}
			for _, argument := range call.Args {
				i.words = append(i.words, escaped.ReplaceAllString(quotes.Replace(source(argument)), "$1"))
			}
			for _, r := range node.Redirs {
				if r.Op == syntax.RdrOut || r.Op == syntax.AppOut {
					i.writes = append(i.writes, quotes.Replace(source(r.Word)))
				}
			}
			if len(node.Redirs) == 0 {
				i.source = source(node.Cmd)
			}
			i.alone = strings.TrimSpace(strings.Join(lines[i.first-1:i.last], "\n")) == source(node) && len(node.Redirs) == 0
			if len(list) > 0 && slices.ContainsFunc(nodes, isPipe) {
				before := list[len(list)-1].words
				switch i.words[0] {
				case "xargs":
					i.words = slices.Concat(i.words, before[1:])
				case "read":
					items = maps.Clone(items)
					items[i.words[len(i.words)-1]] = strings.Join(before[1:], " ")
				}
			}
			i.items = items
			list = append(list, i)
			at = i.change(at, values)
		}
		nodes, around = append(nodes, node), append(around, at)
		return true
	})
	return list, nil
}
