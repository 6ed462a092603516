package cli

import (
	"fmt"
	"io"

	"github.com/mrgen-io/mrgen/generator"
)

// printDiagnostics prints diagnostics, one a line.
func printDiagnostics(to io.Writer, diags []generator.Diagnostic) {
	for _, d := range diags {
		fmt.Fprintln(to, d)
	}
}
