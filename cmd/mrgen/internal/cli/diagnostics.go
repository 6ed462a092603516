package cli

import (
	"errors"
	"fmt"
	"io"
	"io/fs"

	"github.com/mrgen-io/mrgen/generator"
)

// printDiagnostics prints diagnostics, one a line.
func printDiagnostics(to io.Writer, diags []generator.Diagnostic) {
	for _, d := range diags {
		fmt.Fprintln(to, d)
	}
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
