package engine

import (
	"os"
	"path/filepath"

	"github.com/mrgen-io/mrgen/generator/diag"
	"github.com/mrgen-io/mrgen/generator/internal/artifact"
	"github.com/mrgen-io/mrgen/generator/internal/render/gosrc"
	"github.com/mrgen-io/mrgen/generator/run"
)

// readHeader returns the text for the top of Go files. It must consist of comments without
// directives for the compiler and the go command.
func readHeader(root string, options run.Options) (string, diag.List) {
	name := options.HeaderFile
	content, err := os.ReadFile(HeaderFile(root, options))
	if err != nil {
		return "", diag.List{diag.Errorf(diag.Position{File: name}, CodeOption, "cannot read the header file: %v", diag.Cause(err))}
	}
	content = artifact.UnixLineBreaks(content)
	return string(content), gosrc.CheckHeader(filepath.ToSlash(name), content)
}

// HeaderFile returns the path of the header file.
func HeaderFile(root string, options run.Options) string {
	if filepath.IsAbs(options.HeaderFile) {
		return options.HeaderFile
	}
	return filepath.Join(root, filepath.FromSlash(options.HeaderFile))
}
