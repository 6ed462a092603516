package othertools

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"

	"github.com/mrgen-io/mrgen/generator/diag"
)

// missingHeaders reports directives with a header file that doesn't exist.
func missingHeaders(root string, directives []directive) diag.List {
	var diags diag.List
	for _, d := range directives {
		if d.err != nil || d.header == "" {
			continue
		}
		if _, err := os.Stat(filepath.Join(root, filepath.FromSlash(d.header))); errors.Is(err, fs.ErrNotExist) {
			diags = append(diags, diag.Errorf(d.position(), codeAdopt,
				"this directive names the header file %s, which doesn't exist: write that file, correct its path, or remove the option", d.header))
		}
	}
	return diags
}
