package othertools

import (
	"io"
	"maps"
	"regexp"
	"strings"

	"mvdan.cc/sh/v3/expand"
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

// A shell has the variables of a script. Unknown ones stand for themselves.
type shell struct{ variables map[string]string }

const protectedSpace = "\u00a0"

// protect keeps the shell from splitting a text that is one word to make or to a subshell.
func protect(text string) string { return strings.ReplaceAll(text, " ", protectedSpace) }

func (s *shell) Get(name string) expand.Variable {
	value, known := s.variables[name]
	if !known {
		value = "${" + name + "}"
	}
	return expand.Variable{Set: name != "IFS", Kind: expand.String, Str: value} // IFS stays the usual one
}

func (*shell) Each(func(string, expand.Variable) bool) {}

// invocations returns the commands of a script in the order of the text.
func invocations(text string, variables map[string]string) ([]invocation, error) {
	file, err := syntax.NewParser().Parse(strings.NewReader(text), "")
	if err != nil {
		return nil, err
	}
	s := &shell{map[string]string{}}
	maps.Copy(s.variables, variables)
	source := func(n syntax.Node) string { return text[n.Pos().Offset():n.End().Offset()] }
	config := &expand.Config{Env: s, CmdSubst: func(w io.Writer, c *syntax.CmdSubst) error {
		_, err := io.WriteString(w, protect(source(c)))
		return err
	}}
	lines := strings.Split(text, "\n")
	var list []invocation
	moved := false
	syntax.Walk(file, func(node syntax.Node) bool {
		switch node := node.(type) {
		case *syntax.CmdSubst:
			return looseNames.MatchString(source(node)) // the rest doesn't matter, such as a cd there
		case *syntax.Assign:
			s.assign(config, node)
		case *syntax.Stmt:
			call, isCall := node.Cmd.(*syntax.CallExpr)
			if !isCall || len(call.Args) == 0 {
				return true
			}
			i := invocation{first: int(node.Pos().Line()), last: int(call.End().Line()), moved: moved}
			if isFixed(call.Args...) {
				i.words, _ = expand.Fields(config, call.Args...)
			}
			if len(i.words) == 0 {
				i.words = strings.Fields(source(call))
			}
			for n, word := range i.words {
				i.words[n] = strings.ReplaceAll(word, protectedSpace, " ")
			}
			i.alone = strings.TrimSpace(strings.Join(lines[i.first-1:i.last], "\n")) == source(node) && len(node.Redirs) == 0
			moved = moved || i.words[0] == "cd" || i.words[0] == "pushd"
			list = append(list, i)
		}
		return true
	})
	return list, nil
}

// longest is the length in bytes beyond which a value is unknown: it may double with each line.
const longest = 1 << 16

// assign remembers the value of a variable. A second value makes it unknown, since either may hold.
func (s *shell) assign(config *expand.Config, a *syntax.Assign) {
	if a.Name == nil || a.Value == nil {
		return
	}
	value, fixed := "", isFixed(a.Value)
	var err error
	if fixed {
		value, err = expand.Literal(config, a.Value)
	}
	name := a.Name.Value
	old, known := s.variables[name]
	switch {
	case err != nil, !fixed, len(old)+len(value) > longest, known && old != value && !a.Append:
		s.variables[name] = protect("${" + name + "}")
	case a.Append:
		s.variables[name] = old + value
	default:
		s.variables[name] = value
	}
}

// sequence matches a brace expansion of any length, such as {1..1000000000}.
var sequence = regexp.MustCompile(`\{[^{}]*\.\.[^{}]*\}`)

// isFixed reports whether words expand to the same few words wherever the shell runs. The library for that panics at others,
// such as <(command) and ${name@P}.
func isFixed(words ...*syntax.Word) bool {
	fixed, braces := true, 0
	for _, word := range words {
		syntax.Walk(word, func(node syntax.Node) bool {
			switch node := node.(type) {
			case *syntax.ProcSubst, *syntax.ArithmExp, *syntax.ExtGlob:
				fixed = false
			case *syntax.CmdSubst: // stays as it is
				return false
			case *syntax.ParamExp:
				isPart := node.Index != nil || node.Slice != nil || node.Excl || node.Length
				fixed = fixed && !isPart && (node.Exp == nil || node.Exp.Op != syntax.OtherParamOps)
			case *syntax.Lit:
				braces += strings.Count(node.Value, "{")
				fixed = fixed && braces < 3 && !sequence.MatchString(node.Value) // each pair multiplies the words
			}
			return fixed
		})
	}
	return fixed
}
