package gosrc

import (
	"go/format"
	"slices"
	"strings"
)

// File is a Go file that is written in [Lines]. It suits large amounts of simple code; other code goes through jennifer.
type File struct {
	Lines
	*Imports
	header string
}

// NewFile returns an empty file, as [Package.NewJennifer] does.
func (p *Package) NewFile(header string, isVariable func(name string) bool) *File {
	return &File{Imports: p.NewImports(orErr(isVariable)), header: header}
}

// orErr adds the name err, which functions in most files use for a variable.
func orErr(isVariable func(name string) bool) func(name string) bool {
	return func(name string) bool { return name == "err" || isVariable(name) }
}

// Content returns the file.
func (f *File) Content() ([]byte, error) {
	top, err := render(newFile(f.of, f.header))
	if err != nil {
		return nil, err
	}
	return slices.Concat(top, f.importDeclaration(), f.Bytes()), nil
}

// Formatted returns the file as gofmt formats it, for files whose lines are not written formatted.
func (f *File) Formatted() ([]byte, error) {
	content, err := f.Content()
	if err != nil {
		return nil, err
	}
	return format.Source(content)
}

func (f *File) importDeclaration() []byte {
	switch specs := f.Specs(); len(specs) {
	case 0:
		return nil
	case 1:
		return []byte("\nimport " + specs[0] + "\n")
	default:
		return []byte("\nimport (\n\t" + strings.Join(specs, "\n\t") + "\n)\n")
	}
}
