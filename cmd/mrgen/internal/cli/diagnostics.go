package cli

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"

	"github.com/spf13/cobra"

	"github.com/mrgen-io/mrgen/generator"
)

// printDiagnostics prints diagnostics, one a line: one for several that are alike, unless
// the command is to be verbose. What no compiler finds comes first. If some are about code
// that another generator wrote, a line at the end says so.
func printDiagnostics(cmd *cobra.Command, diags []generator.Diagnostic) {
	if len(diags) == 0 {
		return // most runs: to look for the module would be for nothing
	}
	all := len(diags)
	verbose, err := cmd.Flags().GetBool(verboseFlag)
	if !verbose {
		diags = generator.Grouped(diags)
	}
	isSilent := func(d generator.Diagnostic) bool { return d.Code == generator.CodeSilentUse }
	first := slices.DeleteFunc(slices.Clone(diags), func(d generator.Diagnostic) bool { return !isSilent(d) })
	rest := slices.DeleteFunc(slices.Clone(diags), isSilent)
	for _, d := range slices.Concat(first, rest) {
		fmt.Fprintln(cmd.ErrOrStderr(), d)
	}
	if err == nil && len(diags) < all {
		fmt.Fprintf(cmd.ErrOrStderr(), "-v prints %d more lines like these\n", all-len(diags))
	}
	if n, file := ofOthers(diags); n > 0 {
		fmt.Fprintf(cmd.ErrOrStderr(), "%d of these lines are about code that another generator wrote, such as %s: change what that makes of it\n", n, file)
	}
}

// ofOthers counts the diagnostics about Go files that are generated, and returns the first
// of these.
func ofOthers(diags []generator.Diagnostic) (n int, first string) {
	root, problems := generator.FindModule("")
	if hasErrors(problems) {
		return 0, ""
	}
	known := map[string]bool{}
	for _, d := range diags {
		name := d.Pos.File
		if filepath.Ext(name) != ".go" || d.Pos.IsOutside() || d.Code == "adopt" { // which says so itself
			continue
		}
		isGenerated, isKnown := known[name]
		if !isKnown {
			content, err := os.ReadFile(filepath.Join(root, filepath.FromSlash(name)))
			isGenerated = err == nil && generator.IsGenerated(content)
			known[name] = isGenerated
		}
		if isGenerated {
			if n++; first == "" {
				first = name
			}
		}
	}
	return n, first
}

// cause returns an error of the file system without the path, which the position of a
// diagnostic names.
func cause(err error) error {
	var pathError *fs.PathError
	if errors.As(err, &pathError) {
		return pathError.Err
	}
	return err
}
