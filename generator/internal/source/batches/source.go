package batches

import (
	"bytes"
	"slices"
	"strings"

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

// embedsTypeMeta reports whether a type such as metav1.TypeMeta may be embedded, which makes a struct a Kubernetes object:
// elsewhere, a bracket, a dot or a comma usually follows. A regular expression takes too long on all source of a module.
func embedsTypeMeta(content []byte) bool {
	return slices.ContainsFunc(bytes.Split(content, []byte(".TypeMeta"))[1:], func(after []byte) bool {
		return len(after) == 0 || bytes.IndexByte([]byte(" \t\f\r\n`;}/"), after[0]) >= 0
	})
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
	for _, after := range bytes.Split(content, []byte(text))[1:] {
		line, _, _ := bytes.Cut(after, []byte("\n"))
		all = append(all, strings.TrimSpace(string(line)))
	}
	return all
}
