package othertools

import (
	"os"
	"regexp"
	"strings"

	"mvdan.cc/sh/v3/syntax"
)

// An invocation is a simple command of a shell script, with variables expanded where the script sets them.
type invocation struct {
	words       []string
	first, last int // lines from 1
	// alone is set if the command has its lines for itself.
	alone bool
	// moved is set if the script changes the folder before the command.
	moved bool
}

// invocations returns the commands of a script in the order of the text.
func invocations(text string) ([]invocation, error) {
	file, err := syntax.NewParser().Parse(strings.NewReader(text), "")
	if err != nil {
		return nil, err
	}
	s, lines := shell{}, strings.Split(text, "\n")
	var list []invocation
	moved := false
	syntax.Walk(file, func(node syntax.Node) bool {
		switch node := node.(type) {
		case *syntax.CmdSubst:
			return looseNames.MatchString(source(text, node)) // the rest doesn't matter, such as a cd there
		case *syntax.Assign:
			if node.Name != nil && node.Value != nil {
				s.assign(node.Name.Value, strings.Join(s.words(source(text, node.Value)), " "), node.Append)
			}
		case *syntax.Stmt:
			call, isCall := node.Cmd.(*syntax.CallExpr)
			if !isCall {
				return true
			}
			i := invocation{first: int(node.Pos().Line()), last: int(call.End().Line()), moved: moved}
			for _, argument := range call.Args {
				i.words = append(i.words, s.words(source(text, argument))...)
			}
			if len(i.words) == 0 {
				return true
			}
			i.alone = strings.TrimSpace(strings.Join(lines[i.first-1:i.last], "\n")) == source(text, node) && len(node.Redirs) == 0
			moved = moved || i.words[0] == "cd" || i.words[0] == "pushd"
			list = append(list, i)
		}
		return true
	})
	return list, nil
}

func source(text string, n syntax.Node) string { return text[n.Pos().Offset():n.End().Offset()] }

// A shell has the variables of a script. Unknown ones stand for themselves.
type shell map[string]string

func (s shell) value(name string) string {
	if value, known := s[name]; known {
		return value
	}
	return "${" + name + "}"
}

// longest is the length in bytes beyond which a value is unknown: it may double with each line.
const longest = 1 << 16

// assign remembers the value of a variable. A second value makes it unknown, since either may hold.
func (s shell) assign(name, value string, appends bool) {
	old, known := s[name]
	if appends {
		value = old + value
	}
	if len(value) > longest || known && !appends && old != value {
		value = "${" + name + "}"
	}
	s[name] = value
}

// words returns the words of a text, whose variables may have several. What depends on the run stays as it is.
func (s shell) words(text string) (words []string) {
	expanded := os.Expand(text, s.value)
	err := syntax.NewParser().Words(strings.NewReader(expanded), func(w *syntax.Word) bool {
		words = append(words, literal(expanded, w.Parts))
		return true
	})
	if err != nil {
		return []string{text}
	}
	return words
}

var escaped = regexp.MustCompile(`\\(.)`)

// literal returns the parts of a word without quotes.
func literal(text string, parts []syntax.WordPart) string {
	var b strings.Builder
	for _, part := range parts {
		switch part := part.(type) {
		case *syntax.Lit:
			b.WriteString(escaped.ReplaceAllString(part.Value, "$1"))
		case *syntax.SglQuoted:
			b.WriteString(part.Value)
		case *syntax.DblQuoted:
			b.WriteString(literal(text, part.Parts))
		default:
			b.WriteString(source(text, part))
		}
	}
	return b.String()
}
