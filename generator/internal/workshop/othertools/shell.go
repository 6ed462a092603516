package othertools

import (
	"regexp"
	"strings"

	"mvdan.cc/sh/v3/syntax"
)

// An invocation is a simple command of a shell script, with the words of the text without quotes: nothing is expanded.
type invocation struct {
	words       []string
	first, last int // lines from 1
	// alone is set if the command has its lines for itself.
	alone bool
	// moved is set if the script changes the folder before the command.
	moved bool
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
	moved := false
	syntax.Walk(file, func(node syntax.Node) bool {
		switch node := node.(type) {
		case *syntax.Assign:
			if _, value, isSet := strings.Cut(source(node), "="); isSet && node.Name != nil {
				values[node.Name.Value] += " " + value
			}
		case *syntax.CmdSubst:
			return looseNames.MatchString(source(node)) // the rest doesn't matter, such as a cd there
		case *syntax.Stmt:
			call, isCall := node.Cmd.(*syntax.CallExpr)
			if !isCall || len(call.Args) == 0 {
				return true
			}
			i := invocation{first: int(node.Pos().Line()), last: int(call.End().Line()), moved: moved}
			for _, argument := range call.Args {
				i.words = append(i.words, escaped.ReplaceAllString(quotes.Replace(source(argument)), "$1"))
			}
			i.alone = strings.TrimSpace(strings.Join(lines[i.first-1:i.last], "\n")) == source(node) && len(node.Redirs) == 0
			moved = moved || i.words[0] == "cd" || i.words[0] == "pushd"
			list = append(list, i)
		}
		return true
	})
	return list, nil
}
