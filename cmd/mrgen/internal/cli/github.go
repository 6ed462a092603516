package cli

import (
	"bytes"
	"fmt"
	"os"
	"path"
	"path/filepath"
	"strings"

	"github.com/mrgen-io/mrgen/generator"
)

// annotations returns the workflow commands that make GitHub Actions show diagnostics and changed
// files in a pull request, see
// https://docs.github.com/en/actions/reference/workflows-and-actions/workflow-commands.
// Outside of GitHub Actions it returns nothing.
func annotations(root string, diags []generator.Diagnostic, changes []generator.Change) []byte {
	if os.Getenv("GITHUB_ACTIONS") != "true" {
		return nil
	}
	prefix := repositoryPath(root)
	var lines bytes.Buffer
	for _, d := range diags {
		command := "error"
		if d.Severity == generator.Warning {
			command = "warning"
		}
		annotate(&lines, command, prefix, d.Pos, d.Message)
	}
	for _, change := range changes {
		annotate(&lines, "error", prefix, generator.Position{File: change.Path}, "out of date: run mrgen generate")
	}
	return lines.Bytes()
}

// repositoryPath returns the path of the module root in the repository, or "" if it is unknown.
// Annotations need it, because their paths are relative to the root of the repository, which is in
// GITHUB_WORKSPACE.
func repositoryPath(root string) string {
	workspace := os.Getenv("GITHUB_WORKSPACE")
	if workspace == "" || root == "" {
		return ""
	}
	workspace, err := filepath.EvalSymlinks(workspace) // root has no links either
	if err != nil {
		return ""
	}
	rel, err := filepath.Rel(workspace, root)
	if err != nil || !filepath.IsLocal(rel) {
		return ""
	}
	return filepath.ToSlash(rel)
}

// escapeData and escapeProperty escape as GitHub's own toolkit does, see
// https://github.com/actions/toolkit/blob/main/packages/core/src/command.ts.
var (
	escapeData     = strings.NewReplacer("%", "%25", "\r", "%0D", "\n", "%0A")
	escapeProperty = strings.NewReplacer("%", "%25", "\r", "%0D", "\n", "%0A", ":", "%3A", ",", "%2C")
)

func annotate(lines *bytes.Buffer, command, prefix string, at generator.Position, message string) {
	fmt.Fprintf(lines, "::%s ", command)
	if at.File != "" {
		file := at.File
		if !at.IsOutside() {
			file = path.Join(prefix, file)
		}
		fmt.Fprintf(lines, "file=%s,", escapeProperty.Replace(file))
	}
	if at.Line > 0 {
		fmt.Fprintf(lines, "line=%d,", at.Line)
	}
	if at.Column > 0 {
		fmt.Fprintf(lines, "col=%d,", at.Column)
	}
	fmt.Fprintf(lines, "title=mrgen::%s\n", escapeData.Replace(message))
}
