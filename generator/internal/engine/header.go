package engine

import (
	"path/filepath"

	"github.com/mrgen-io/mrgen/generator/diag"
	"github.com/mrgen-io/mrgen/generator/internal/artifact"
	"github.com/mrgen-io/mrgen/generator/internal/render/gosrc"
	"github.com/mrgen-io/mrgen/generator/internal/source/readlog"
	"github.com/mrgen-io/mrgen/generator/run"
)

// readHeader returns the text for the top of Go files. It must consist of comments without directives for the compiler
// and the go command.
func readHeader(root string, options run.Options, log *readlog.Log) (string, diag.List) {
	name := options.HeaderFile
	content, _, err := log.ReadFile(headerFile(root, options))
	if err != nil {
		return "", diag.List{diag.Errorf(diag.Position{File: name}, CodeOption, "cannot read the header file: %v", diag.Cause(err))}
	}
	content = artifact.UnixLineBreaks(content)
	return string(content), gosrc.CheckHeader(filepath.ToSlash(name), content)
}

// headerFile returns the path of the header file.
func headerFile(root string, options run.Options) string {
	if filepath.IsAbs(options.HeaderFile) {
		return options.HeaderFile
	}
	return filepath.Join(root, filepath.FromSlash(options.HeaderFile))
}
