package batches

import (
	"bytes"
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/mrgen-io/mrgen/generator/internal/flavor"
	"github.com/mrgen-io/mrgen/generator/internal/source/load"
	"github.com/mrgen-io/mrgen/markers"
)

// A source describes the package of a Go file, or of all in a folder, as far as the text shows.
type source struct {
	// size is the number of bytes.
	size int
	// api is set if the package may be an API package. Other packages only have to parse.
	api bool
	// covered is set if the patterns of the run cover the folder.
	covered bool
	// groups are the API groups that markers name, imports are the imported packages, and targets are the packages that
	// markers name: by import path for a file, and by folder for a folder.
	groups, imports, targets []string
	// generated are the import paths of packages of other modules that generated code is expected to
	// import.
	generated []string
}

// embedsTypeMeta reports whether a line begins with an embedded type such as metav1.TypeMeta, which makes a struct a
// Kubernetes object.
func embedsTypeMeta(content []byte) bool {
	const selected = ".TypeMeta"
	for at := 0; ; {
		// Search for the selected name and then look back: a regular expression for lines takes too long on all source
		// of a module.
		found := bytes.Index(content[at:], []byte(selected))
		if found < 0 {
			return false
		}
		start := at + found
		at = start + len(selected)
		if at < len(content) && isWord(content[at]) { // such as .TypeMetaFields
			continue
		}
		qualifier := bytes.TrimRightFunc(content[:start], func(r rune) bool { return r < utf8.RuneSelf && isWord(byte(r)) })
		before := bytes.TrimRight(qualifier, " \t\f\r")
		if len(qualifier) < start && (len(before) == 0 || before[len(before)-1] == '\n') {
			// elsewhere on a line it is the type of a field, or used in a function
			return true
		}
	}
}

// isWord reports whether a byte is part of an identifier in ASCII.
func isWord(c byte) bool {
	switch lower := c | 0x20; {
	case c == '_', '0' <= c && c <= '9':
		return true
	default:
		return 'a' <= lower && lower <= 'z'
	}
}

// scan describes a file, parsing only its imports. It may take another package for an API package, but never the other
// way round.
func scan(content []byte) source {
	s := source{size: len(content), imports: load.Imports(content), groups: values(content, "+"+markers.GroupName+"=")}
	s.api = len(s.groups) > 0 || embedsTypeMeta(content) ||
		bytes.Contains(content, []byte("+"+markers.ObjectPrefix)) || bytes.Contains(content, []byte("+"+markers.DeepCopyGen))
	references := values(content, "+"+markers.ReferenceType+"=")
	for _, value := range slices.Concat(references, values(content, "+"+markers.ReferenceExtractor+"=")) {
		name, _, _ := strings.Cut(value, "(")
		if importPath, _ := markers.SplitGoName(strings.TrimSpace(name)); importPath != "" {
			s.targets = append(s.targets, importPath)
		}
	}
	s.generated = flavor.GeneratedImports(s.imports, len(references) > 0)
	return s
}

// values returns the text after each occurrence of another one, up to the end of the line.
func values(content []byte, text string) []string {
	var all []string
	for rest := content; ; {
		_, after, found := bytes.Cut(rest, []byte(text))
		if !found {
			return all
		}
		line, _, _ := bytes.Cut(after, []byte("\n"))
		all = append(all, strings.TrimSpace(string(line)))
		rest = after
	}
}
