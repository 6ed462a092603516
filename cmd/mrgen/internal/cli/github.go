package cli

import (
	"bytes"
	"fmt"
	"os"
	"path"
	"path/filepath"
	"strings"

	"github.com/mrgen-io/mrgen/generator/diag"
)

// repositoryPath returns the path of the module root in the repository, or "" if it is unknown. Annotations
// need paths relative to the repository's root, which is in GITHUB_WORKSPACE.
func repositoryPath(root string) string {
	workspace := os.Getenv("GITHUB_WORKSPACE")
	if workspace == "" || root == "" {
		return ""
	}
	workspace, err := filepath.EvalSymlinks(workspace) // root is free of links, too
	if err != nil {
		return ""
	}
	rel, err := filepath.Rel(workspace, root)
	// The module is outside the checkout.
	if err != nil || !filepath.IsLocal(rel) {
		return ""
	}
	return filepath.ToSlash(rel)
}

// inRepository returns the path of a file below the repository's root. A file elsewhere keeps its path.
func inRepository(prefix string, at diag.Position) string {
	if at.IsOutside() {
		return at.File
	}
	return path.Join(prefix, at.File)
}

// escapeData and escapeProperty escape as GitHub's own toolkit does, see
// https://github.com/actions/toolkit/blob/main/packages/core/src/command.ts.
var (
	escapeData     = strings.NewReplacer("%", "%25", "\r", "%0D", "\n", "%0A")
	escapeProperty = strings.NewReplacer("%", "%25", "\r", "%0D", "\n", "%0A", ":", "%3A", ",", "%2C")
)

func annotate(lines *bytes.Buffer, command, prefix string, at diag.Position, message string) {
	fmt.Fprintf(lines, "::%s ", command)
	if at.File != "" {
		fmt.Fprintf(lines, "file=%s,", escapeProperty.Replace(inRepository(prefix, at)))
	}
	if at.Line > 0 {
		fmt.Fprintf(lines, "line=%d,", at.Line)
	}
	if at.Column > 0 {
		fmt.Fprintf(lines, "col=%d,", at.Column)
	}
	fmt.Fprintf(lines, "title=mrgen::%s\n", escapeData.Replace(message))
}
