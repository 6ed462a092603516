package artifact

import (
	"bytes"
	"fmt"
	"strings"

	"github.com/rogpeppe/go-internal/diff"
)

// Diff returns what the plan changes as a unified diff that git apply takes,
// empty if it changes nothing.
func (p *Plan) Diff() []byte {
	var out bytes.Buffer
	for _, change := range p.Changes {
		writeDiff(&out, change)
	}
	return out.Bytes()
}

// writeDiff writes the headers of git's extended diff format, which alone can
// tell an empty file from none (https://git-scm.com/docs/diff-format).
func writeDiff(out *bytes.Buffer, change Change) {
	if change.Action == Unchanged {
		return
	}
	before, after := quotePath("a/"+change.Path), quotePath("b/"+change.Path)
	fmt.Fprintf(out, "diff --git %s %s\n", before, after)
	switch change.Action {
	case Create:
		out.WriteString("new file mode 100644\n")
		before = "/dev/null"
	case Delete:
		out.WriteString("deleted file mode 100644\n")
		after = "/dev/null"
	}
	hunks := hunks(change.Old, change.New)
	if len(hunks) == 0 {
		return
	}
	fmt.Fprintf(out, "--- %s\n+++ %s\n", endName(before), endName(after))
	out.Write(hunks)
}

// hunks returns the unified diff of two texts without the lines that name them.
func hunks(before, after []byte) []byte {
	text := diff.Diff("before", before, "after", after)
	if i := bytes.Index(text, []byte("\n@@ ")); i >= 0 {
		return text[i+1:]
	}
	return nil
}

// quotePath writes a path as git does: in quotes, with octal escapes, if it
// holds a quote, a backslash or a control character.
func quotePath(path string) string {
	special := func(r rune) bool { return r < ' ' || r == '"' || r == '\\' || r == 0x7f }
	if strings.IndexFunc(path, special) < 0 {
		return path
	}
	var quoted strings.Builder
	quoted.WriteByte('"')
	for i := range len(path) {
		if special(rune(path[i])) {
			fmt.Fprintf(&quoted, `\%03o`, path[i])
		} else {
			quoted.WriteByte(path[i])
		}
	}
	quoted.WriteByte('"')
	return quoted.String()
}

// endName ends a path with a tab if it holds a space, as git does, since patch
// would take what follows the space for a date.
func endName(path string) string {
	if strings.Contains(path, " ") {
		return path + "\t"
	}
	return path
}
