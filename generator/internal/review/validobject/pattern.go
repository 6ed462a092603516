package validobject

import (
	"regexp"
	"regexp/syntax"
	"strings"
	"unicode"
)

const (
	// maxText bounds strings made from patterns, in bytes.
	maxText = 4096

	// preferred are the characters to use where a pattern leaves a choice, best first.
	preferred = "abcdefghijklmnopqrstuvwxyz1234567890ABCDEFGHIJKLMNOPQRSTUVWXYZ-_./ "
)

// Matching returns strings that match a pattern, short ones first. Variants differ in their characters. For some
// patterns, such as contradictory ones, it returns none.
func Matching(pattern string, atLeast, variant int) []string {
	compiled, err := regexp.Compile(pattern)
	if err != nil {
		return nil
	}
	tree, _ := syntax.Parse(pattern, syntax.Perl) // as it is compiled
	var texts []string
	for _, more := range []int{0, 1, 2, 4, atLeast} {
		for branch := range 3 {
			w := patternWriter{more: more, branch: branch, variant: variant}
			// The writer ignores assertions: only the compiled pattern decides.
			if w.write(tree); compiled.MatchString(w.b.String()) {
				texts = append(texts, w.b.String())
			}
		}
	}
	return texts
}

// A patternWriter writes a string that may match a pattern.
type patternWriter struct {
	// more is how often to repeat something beyond the minimum.
	more int
	// branch is the index of the alternative to choose, if there are as many.
	branch  int
	variant int
	b       strings.Builder
}

func (w *patternWriter) write(tree *syntax.Regexp) {
	if w.b.Len() > maxText {
		return
	}
	switch tree.Op {
	case syntax.OpLiteral:
		w.b.WriteString(string(tree.Rune))
	case syntax.OpCharClass:
		if r, ok := w.oneOf(tree.Rune); ok {
			w.b.WriteRune(r)
		}
	case syntax.OpAnyChar, syntax.OpAnyCharNotNL:
		w.b.WriteByte(preferred[w.variant%26])
	case syntax.OpCapture, syntax.OpConcat:
		for _, sub := range tree.Sub {
			w.write(sub)
		}
	case syntax.OpAlternate:
		w.write(tree.Sub[min(w.branch, len(tree.Sub)-1)])
	case syntax.OpStar:
		w.repeat(tree.Sub[0], 0, -1)
	case syntax.OpPlus:
		w.repeat(tree.Sub[0], 1, -1)
	case syntax.OpQuest:
		w.repeat(tree.Sub[0], 0, 1)
	case syntax.OpRepeat:
		w.repeat(tree.Sub[0], tree.Min, tree.Max)
	}
}

// repeat repeats a pattern. A negative number stands for no upper bound.
func (w *patternWriter) repeat(sub *syntax.Regexp, least, most int) {
	times := least + w.more
	if most >= 0 {
		times = min(times, most)
	}
	for range times {
		before := w.b.Len()
		if w.write(sub); w.b.Len() == before {
			return // there is nothing to repeat, or no room
		}
	}
}

// oneOf returns a character of a class, which is a list of the first and last characters of
// its ranges.
func (w *patternWriter) oneOf(ranges []rune) (rune, bool) {
	var known []rune
	for _, r := range preferred {
		if contains(ranges, r) {
			known = append(known, r)
		}
	}
	if len(known) > 0 {
		return known[w.variant%len(known)], true
	}
	for i := 0; i < len(ranges); i += 2 {
		for r := ranges[i]; r <= min(ranges[i+1], ranges[i]+100); r++ {
			if unicode.IsPrint(r) {
				return r, true
			}
		}
	}
	if len(ranges) > 0 {
		return ranges[0], true
	}
	return 0, false
}

func contains(ranges []rune, r rune) bool {
	for i := 0; i < len(ranges); i += 2 {
		if ranges[i] <= r && r <= ranges[i+1] {
			return true
		}
	}
	return false
}
