package apiserver

import "strings"

// A fieldToken is where a rule names a field of self or oldSelf.
type fieldToken struct {
	// start and end are the bounds of the path to the field, such as ".a.b", in the rule.
	// The path is empty if the rule names the object itself.
	start, end int
	// asked is set if all that the rule asks is whether the field is there.
	asked bool
}

// readTokens reads a rule that is made of fields, texts in quotes, numbers, sizes, and
// operators about whether fields are there, equal or in a list; or, if it compares, larger
// or smaller. It reports false if there is anything else.
func readTokens(rule string, compares bool) (fields []fieldToken, ok bool) {
	// has is set after "has" and an opening parenthesis, and called after a word that may
	// be called.
	called, has := false, false
	for i := 0; i < len(rule); {
		start := i
		switch c := rule[i]; {
		case isSpace(c):
			i++
			continue
		case c == '(':
			i++
			called, has = false, called
			continue
		case c == ')':
			i++
		case c == '!', (c == '<' || c == '>') && compares:
			i++
			if strings.HasPrefix(rule[i:], "=") {
				i++
			}
		case strings.HasPrefix(rule[i:], "=="), strings.HasPrefix(rule[i:], "&&"), strings.HasPrefix(rule[i:], "||"):
			i += 2
		case c == '\'':
			length := strings.IndexAny(rule[i+1:], `'\`)
			if length < 0 || rule[i+1+length] == '\\' {
				return nil, false
			}
			i += length + 2
		case isWord(c):
			i = endOfWord(rule, i)
			switch word := rule[start:i]; word {
			case "has":
				called, has = true, false
				continue
			case "in", "size", "0":
				if end := i + len(".0"); word == "0" && strings.HasPrefix(rule[i:], ".0") && endOfWord(rule, end) == end {
					i = end
				}
			case "self", "oldSelf":
				path := i
				for strings.HasPrefix(rule[i:], ".") {
					end := endOfWord(rule, i+1)
					if end == i+1 {
						return nil, false
					}
					i = end
				}
				if strings.HasPrefix(strings.TrimLeft(rule[i:], whitespace), "(") {
					return nil, false // a call
				}
				fields = append(fields, fieldToken{path, i, has})
			default:
				return nil, false
			}
		default:
			return nil, false
		}
		called, has = false, false
	}
	return fields, true
}

// whitespace is what CEL takes for white space.
const whitespace = "\t\n\f\r "

func isSpace(c byte) bool { return strings.IndexByte(whitespace, c) >= 0 }

func isWord(c byte) bool {
	return c == '_' || '0' <= c && c <= '9' || 'a' <= c && c <= 'z' || 'A' <= c && c <= 'Z'
}

// endOfWord returns the end of the word that starts at i.
func endOfWord(rule string, i int) int {
	for i < len(rule) && isWord(rule[i]) {
		i++
	}
	return i
}
