// Package gosrc writes Go files: through jennifer, which formats them, or, for large amounts of code, in lines that are
// formatted as they are written. Both take names from the [Package] that a file is written into.
package gosrc

import (
	"bytes"
	"fmt"
	"path"
	"strings"

	"github.com/dave/jennifer/jen"

	"github.com/mrgen-io/mrgen/generator/internal/artifact"
	"github.com/mrgen-io/mrgen/generator/internal/flavor"
)

// Jennifer is a Go file that is written through jennifer.
type Jennifer struct {
	*jen.File
	imports *Imports
}

// NewJennifer returns an empty file. The header text, a comment, comes first if there is one, then the line that marks
// the file as generated. No import has the name of a variable in its functions.
func (p *Package) NewJennifer(header string, isVariable func(name string) bool) *Jennifer {
	return &Jennifer{File: newFile(p, header), imports: p.NewImports(orErr(isVariable))}
}

func newFile(p *Package, header string) *jen.File {
	f := jen.NewFilePathName(p.path, p.name)
	if header != "" {
		f.HeaderComment(header)
	}
	f.HeaderComment(strings.TrimPrefix(artifact.GoHeader, "// "))
	return f
}

// Qualified returns a reference to a name in another package. The file then imports the package by its alias, if the
// alias is free. The package's own name is "" if it isn't known.
func (j *Jennifer) Qualified(from flavor.Import, own, name string) *jen.Statement {
	if from.Path == j.imports.of.path {
		return jen.Id(name)
	}
	if as := j.imports.name(from.Path, from.Alias, own); as == own { // an alias that repeats the name would only be noise
		j.ImportName(from.Path, as)
	} else {
		j.ImportAlias(from.Path, as)
	}
	return jen.Qual(from.Path, name)
}

// Standard returns a reference to a name in a package whose name is the last element of its path, as in the standard
// library.
func (j *Jennifer) Standard(importPath, name string) *jen.Statement {
	own := path.Base(importPath)
	return j.Qualified(flavor.Import{Path: importPath, Alias: own}, own, name)
}

// Content returns the formatted source of the file.
func (j *Jennifer) Content() ([]byte, error) { return render(j.File) }

func render(f *jen.File) ([]byte, error) {
	var out bytes.Buffer
	if err := f.Render(&out); err != nil {
		return nil, fmt.Errorf("cannot render Go source: %w", err)
	}
	return out.Bytes(), nil
}
