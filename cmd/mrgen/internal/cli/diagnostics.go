package cli

import (
	"cmp"
	"fmt"
	"os"
	"path/filepath"
	"strconv"
	"strings"

	"github.com/spf13/cobra"

	"github.com/mrgen-io/mrgen/generator"
	"github.com/mrgen-io/mrgen/generator/diag"
	"github.com/mrgen-io/mrgen/generator/fix"
)

// diagnose prints diagnostics, and returns an error if any of them is an error.
func diagnose(cmd *cobra.Command, diags diag.List) error {
	printDiagnostics(cmd, diags)
	if diags.HasErrors() {
		return errReported
	}
	return nil
}

// printDiagnostics prints one diagnostic a line. Unless the command is verbose, similar ones share a line. If
// some are about another generator's code, it says so at the end.
func printDiagnostics(cmd *cobra.Command, diags diag.List) {
	if len(diags) == 0 {
		return
	}
	all := len(diags)
	verbose, err := cmd.Flags().GetBool(verboseFlag)
	if !verbose {
		diags = grouped(diags)
	}
	colors := paletteFor(cmd, cmd.ErrOrStderr())
	// Uses that no compiler finds come first, before a long list hides them.
	for _, silent := range []bool{true, false} {
		for _, d := range diags {
			if silent == (d.Code == fix.CodeSilentUse) {
				fmt.Fprintln(cmd.ErrOrStderr(), colors.diagnosticLine(d))
			}
		}
	}
	// A command without -v has no way to show them.
	if err == nil && len(diags) < all {
		say(cmd, "-v prints %d more lines like these", all-len(diags))
	}
	if n, file := ofOthers(diags); n > 0 {
		say(cmd, "%d of these lines are about code that another generator wrote, such as %s: change what that makes of it", n, file)
	}
}

// ofOthers counts the diagnostics about generated Go files, and returns the first of these files.
func ofOthers(diags diag.List) (n int, first string) {
	root, problems := generator.FindModule("")
	if problems.HasErrors() {
		return 0, ""
	}
	known := map[string]bool{}
	for _, d := range diags {
		name := d.Pos.File
		// The messages of these two codes name the generator themselves.
		if filepath.Ext(name) != ".go" || d.Pos.IsOutside() || d.Code == "adopt" || d.Code == "output-foreign" {
			continue
		}
		isGenerated, isKnown := known[name]
		if !isKnown {
			content, err := os.ReadFile(filepath.Join(root, filepath.FromSlash(name)))
			// Each file is read once.
			isGenerated = err == nil && generator.IsGenerated(content) && !generator.IsOwn(content)
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

// unusable returns an error diagnostic about a file, a folder or an argument.
func unusable(at diag.Position, format string, args ...any) diag.Diagnostic {
	return diag.Errorf(at, "input", format, args...)
}

// mostAlike is the number of warnings of one cause that are printed one by one.
const mostAlike = 3

// grouped returns diagnostics with one in place of several similar ones: with the same [diag.Diagnostic.Like], or many
// warnings with the same [diag.Diagnostic.Cause] or message. Errors with the same message stay, since the user has to
// correct each of them.
func grouped(diags diag.List) diag.List {
	type group struct {
		severity diag.Severity
		code     diag.Code
		text     string
	}
	of := func(d diag.Diagnostic) group { return group{d.Severity, d.Code, cmp.Or(d.Like, d.Cause, d.Message)} }
	counts := map[group]int{}
	for _, d := range diags {
		counts[of(d)]++
	}
	var grouped diag.List
	for _, d := range diags {
		switch n := counts[of(d)]; {
		case n == 0: // represented by an earlier one
			continue
		case d.Like != "" && n > 1:
			counts[of(d)] = 0
			d.Message = strings.Replace(d.Like, "%d", strconv.Itoa(n), 1)
		case d.Like == "" && n > mostAlike && d.Severity == diag.Warning:
			counts[of(d)] = 0
			d.Message += fmt.Sprintf(" (and %d more like it)", n-1)
		}
		grouped = append(grouped, d)
	}
	return grouped
}
