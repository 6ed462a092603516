package othertools

import (
	"errors"
	"path"
	"regexp"
	"strings"
)

func isMakefile(name string) bool {
	base := path.Base(name)
	return base == "Makefile" || base == "makefile" || base == "GNUmakefile" || path.Ext(name) == ".mk"
}

func isScript(name string) bool { return path.Ext(name) == ".sh" }

// A command is a command in a Makefile or a shell script. It begins on the line first and ends on
// the line last; lines count from 1.
type command struct {
	text        string
	first, last int
}

// commands returns the commands of a Makefile or a shell script, with variables expanded if the file sets them
// to plain text.
func commands(name, source string) []command {
	var list []command
	variables := map[string]string{}
	lines := strings.Split(source, "\n")
	for i := 0; i < len(lines); i++ {
		c := command{first: i + 1}
		line := strings.TrimSuffix(lines[i], "\r")
		for strings.HasSuffix(line, `\`) && i+1 < len(lines) {
			i++
			line = strings.TrimSuffix(line, `\`) + " " + strings.TrimSpace(strings.TrimSuffix(lines[i], "\r"))
		}
		c.last = i + 1
		isRecipe := isScript(name) || strings.HasPrefix(line, "\t")
		text := strings.TrimSpace(line)
		if m := assignment.FindStringSubmatch(text); m != nil && (isScript(name) || !isRecipe) {
			variables[m[1]] = strings.Trim(m[2], `"'`)
			continue
		}
		if !isRecipe || strings.HasPrefix(text, "#") {
			continue
		}
		if isMakefile(name) {
			text = strings.TrimLeft(text, "@-+ ")
		}
		c.text = expand(text, variables)
		list = append(list, c)
	}
	return list
}

var (
	// assignment matches assignments of make and of shells.
	assignment = regexp.MustCompile(`^(?:export\s+)?([A-Za-z_][A-Za-z0-9_]*)\s*[:?]?=\s*(.*)$`)
	variable   = regexp.MustCompile(`\$(?:\(([A-Za-z_][A-Za-z0-9_]*)\)|\{([A-Za-z_][A-Za-z0-9_]*)\}|([A-Za-z_][A-Za-z0-9_]*))`)
)

// expand replaces the known variables in a text, and in their values.
func expand(text string, variables map[string]string) string {
	// Bounded, since variables may refer to themselves.
	for range 10 {
		expanded := variable.ReplaceAllStringFunc(text, func(use string) string {
			if value, known := variables[strings.Trim(use, "$(){}")]; known {
				return value
			}
			return use
		})
		if expanded == text {
			break
		}
		text = expanded
	}
	return text
}

// shellWords splits a simple command as a shell does. Other commands are errors.
func shellWords(text string) ([]string, error) {
	var list []string
	var word strings.Builder
	inWord := false
	quote := rune(0)
	escaped := false
	for _, c := range text {
		switch {
		case escaped:
			word.WriteRune(c)
			escaped = false
		case c == '\\' && quote != '\'':
			escaped, inWord = true, true
		case quote != 0 && c == quote:
			quote = 0
		case quote != 0:
			word.WriteRune(c)
		case c == '"' || c == '\'':
			quote, inWord = c, true
		case strings.ContainsRune("&|;<>`#", c):
			return nil, errors.New("it is a part of a longer command")
		case c == ' ' || c == '\t':
			if inWord {
				list = append(list, word.String())
			}
			word.Reset()
			inWord = false
		default:
			word.WriteRune(c)
			inWord = true
		}
	}
	if quote != 0 || escaped {
		return nil, errors.New("a quote does not end")
	}
	if inWord {
		list = append(list, word.String())
	}
	return list, nil
}
