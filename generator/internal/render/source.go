package render

import (
	"maps"
	"path"
	"slices"
	"strconv"
	"strings"

	"github.com/dave/jennifer/jen"

	"github.com/mrgen-io/mrgen/generator/internal/flavor"
)

// Source is a Go file that is written in [Lines]. It suits code of few forms of which
// there is much; other code goes through jennifer, whose names for imports it has.
type Source struct {
	Lines
	path, name, header string
	// imports are by path.
	imports map[string]imported
	// Avoid reports names that the file has another use for, so that no import has
	// them. It may be nil.
	Avoid func(name string) bool
}

type imported struct {
	name string
	// alias is set if the file gives the package a name other than its own, as far as
	// that is known.
	alias bool
}

// NewSource returns an empty Go file, as [NewGo] does.
func NewSource(packagePath, packageName, header string) *Source {
	return &Source{path: packagePath, name: packageName, header: header, imports: map[string]imported{}}
}

// Qualified returns a reference to a name in another package, which the file then
// imports by its alias, or one with a number if that is taken.
func (s *Source) Qualified(from flavor.Import, name string) string {
	return s.qualified(from.Path, imported{from.Alias, true}, name)
}

// Standard returns a reference to a name in a package of the standard library.
func (s *Source) Standard(importPath, name string) string {
	return s.qualified(importPath, imported{path.Base(importPath), false}, name)
}

func (s *Source) qualified(importPath string, as imported, name string) string {
	if importPath == s.path {
		return name
	}
	known, ok := s.imports[importPath]
	if !ok {
		known = as
		for n := 1; s.isTaken(known.name); n++ {
			known = imported{as.name + strconv.Itoa(n), true}
		}
		s.imports[importPath] = known
	}
	return known.name + "." + name
}

func (s *Source) isTaken(name string) bool {
	return jen.IsReservedWord(name) || s.Avoid != nil && s.Avoid(name) || s.Imports(name)
}

// Imports reports whether the file imports a package by the name.
func (s *Source) Imports(name string) bool {
	for _, other := range s.imports {
		if other.name == name {
			return true
		}
	}
	return false
}

// Content returns the file.
func (s *Source) Content() ([]byte, error) {
	top, err := Go(NewGo(s.path, s.name, s.header))
	if err != nil {
		return nil, err
	}
	return slices.Concat(top, s.importDeclaration(), s.Bytes()), nil
}

// importDeclaration returns the imports, sorted by path.
func (s *Source) importDeclaration() []byte {
	var specs []string
	for _, importPath := range slices.Sorted(maps.Keys(s.imports)) {
		spec := strconv.Quote(importPath)
		if i := s.imports[importPath]; i.alias {
			spec = i.name + " " + spec
		}
		specs = append(specs, spec)
	}
	switch len(specs) {
	case 0:
		return nil
	case 1:
		return []byte("\nimport " + specs[0] + "\n")
	default:
		return []byte("\nimport (\n\t" + strings.Join(specs, "\n\t") + "\n)\n")
	}
}
