package artifact

import (
	"bytes"
	"fmt"
	"strings"

	"github.com/rogpeppe/go-internal/diff"

	"github.com/mrgen-io/mrgen/generator/run"
)

// Diff returns changes as a unified diff that git apply accepts. It is empty without changes.
func Diff(changes []run.Change) []byte {
	var out bytes.Buffer
	for _, change := range changes {
		writeDiff(&out, change)
	}
	return out.Bytes()
}

// writeDiff writes a change with the headers of git's extended diff format. Without them, an
// empty file would look like a missing one. See https://git-scm.com/docs/diff-format.
func writeDiff(out *bytes.Buffer, change run.Change) {
	if change.Action == run.Unchanged {
		return
	}
	before, after := quotePath("a/"+change.Path), quotePath("b/"+change.Path)
	fmt.Fprintf(out, "diff --git %s %s\n", before, after)
	switch change.Action {
	case run.Create:
		out.WriteString("new file mode 100644\n")
		before = "/dev/null"
	case run.Delete:
		out.WriteString("deleted file mode 100644\n")
		after = "/dev/null"
	}
	hunks := hunks(change.Old, change.New)
	if len(hunks) == 0 { // an empty file is created or deleted: the header says it all
		return
	}
	fmt.Fprintf(out, "--- %s\n+++ %s\n", endName(before), endName(after))
	out.Write(hunks)
}

// hunks returns the unified diff of two texts without the lines that name the files.
func hunks(before, after []byte) []byte {
	text := diff.Diff("before", before, "after", after)
	if i := bytes.Index(text, []byte("\n@@ ")); i >= 0 { // writeDiff names the files
		return text[i+1:]
	}
	return nil
}

// quotePath quotes a path as git does if it has a quote, a backslash or a control character,
// with octal escapes for these.
func quotePath(path string) string {
	special := func(r rune) bool { return r < ' ' || r == '"' || r == '\\' || r == 0x7f }
	if !strings.ContainsFunc(path, special) {
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

// endName ends a path that has a space with a tab, as git does. Otherwise patch would read the
// text after the space as a date.
func endName(path string) string {
	if strings.Contains(path, " ") {
		return path + "\t"
	}
	return path
}
