package lateinit

import (
	"strings"
	"unicode/utf8"

	"github.com/mrgen-io/mrgen/generator/diag"
	"github.com/mrgen-io/mrgen/generator/internal/fieldmarkers"
)

// comment writes a comment of one or two paragraphs.
func (w *pairWriter) comment(first, second string) {
	lines := wrapped(first)
	if second != "" {
		lines = append(append(lines, ""), wrapped(second)...)
	}
	for _, line := range lines {
		w.File.Comment(strings.TrimRight("// "+line, " "))
	}
}

// commentWidth is the maximum number of characters in a line of a comment.
const commentWidth = 80 - len("// ")

// wrapped breaks text into lines.
func wrapped(text string) []string {
	var lines []string
	line := ""
	for _, word := range strings.Fields(text) {
		if line != "" && utf8.RuneCountInString(line+" "+word) > commentWidth {
			lines = append(lines, line)
			line = ""
		}
		line = strings.TrimPrefix(line+" "+word, " ")
	}
	return append(lines, line)
}

// omissions says which fields a function is not about.
func omissions(p purpose, of *pair) string {
	var sentences []string
	add := func(before string, left []omission) {
		var names []string
		for _, o := range left {
			if p != complete || o.required {
				names = append(names, o.jsonName)
			}
		}
		if len(names) > 0 {
			sentences = append(sentences, before+diag.And(names)+".")
		}
	}
	if p == merge {
		add("Left out, since their types differ: ", of.incomparable)
		add("Only spec.initProvider has ", of.observedOnly)
		return strings.Join(sentences, " ")
	}
	add("Only the desired state has ", of.desiredOnly)
	if p != complete {
		add("Only the observed state has ", of.observedOnly)
	}
	add("Left out, since they are secrets or refer to some: ", of.secret)
	add("Left out, since their types differ: ", of.incomparable)
	switch p {
	case lateInitialize:
		add("Never filled, as their markers say: ", of.untreated(func(t fieldmarkers.Treatment) bool { return t.Kept }))
	case diff:
		add("Not compared, as their markers say: ", of.untreated(func(t fieldmarkers.Treatment) bool { return t.Comparison == fieldmarkers.Off }))
		add("Compared without items and entries that only the observed state has: ", of.untreated(func(t fieldmarkers.Treatment) bool { return t.Comparison == fieldmarkers.Subset }))
		add("Compared in any order: ", of.untreated(func(t fieldmarkers.Treatment) bool { return t.Comparison == fieldmarkers.Unordered }))
	}
	if p != diff {
		add("Not filled, since only the API server checks what constrains them: ", of.notTaken(ruledOut, false))
		add("Not filled as a whole, since only the API server checks what constrains them: ", of.notTaken(ruledOut, true))
		add("Not filled, since they can't change, and Go has always written them: ", of.fixed())
		add("Not filled as a whole, since not all that they require is mirrored: ", of.notTaken(lacking, true))
	}
	return strings.Join(sentences, " ")
}
