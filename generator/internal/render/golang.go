// Package render turns what stages decided into bytes: Go, through jennifer, which
// formats it, or formatted line by line where there is much of it, and YAML.
package render

import (
	"bytes"
	"fmt"
	"go/format"
	"strings"

	"github.com/dave/jennifer/jen"

	"github.com/mrgen-io/mrgen/generator/internal/artifact"
	"github.com/mrgen-io/mrgen/generator/internal/flavor"
)

// NewGo returns an empty Go file for the package with that import path and name.
// The header text, a comment, comes first if there is one; then the line that
// says who wrote the file.
func NewGo(packagePath, packageName, header string) *jen.File {
	f := jen.NewFilePathName(packagePath, packageName)
	if header != "" {
		f.HeaderComment(header)
	}
	f.HeaderComment(strings.TrimPrefix(artifact.GoHeader, "// "))
	return f
}

// Qualified returns a reference to a name in another package, which the file then
// imports by its alias.
func Qualified(f *jen.File, from flavor.Import, name string) *jen.Statement {
	f.ImportAlias(from.Path, from.Alias)
	return jen.Qual(from.Path, name)
}

// Go returns the formatted source of a file.
func Go(f *jen.File) ([]byte, error) {
	var out bytes.Buffer
	if err := f.Render(&out); err != nil {
		return nil, fmt.Errorf("cannot render Go source: %w", err)
	}
	return out.Bytes(), nil
}

// GoSource returns the formatted source of a file that is written out, from its
// package comment on, with the first lines that [NewGo] gives to others.
func GoSource(packagePath, packageName, header, source string) ([]byte, error) {
	top, err := Go(NewGo(packagePath, packageName, header))
	if err != nil {
		return nil, err
	}
	top, _ = bytes.CutSuffix(top, []byte("package "+packageName+"\n"))
	content, err := format.Source(append(top, source...))
	if err != nil {
		return nil, fmt.Errorf("cannot render Go source: %w", err)
	}
	return content, nil
}
