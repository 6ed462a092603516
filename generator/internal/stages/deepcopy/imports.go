package deepcopy

import (
	"go/token"
	"go/types"
	"maps"
	"slices"
	"strconv"
	"strings"
	"unicode"

	"sigs.k8s.io/controller-tools/pkg/loader"
)

// imports are the imports of a file. Their names are controller-gen's.
type imports struct {
	pkg *loader.Package
	// names are by import path, and paths by name. The name of the package itself
	// is taken.
	names, paths map[string]string
}

func newImports(pkg *loader.Package) *imports {
	return &imports{pkg: pkg, names: map[string]string{}, paths: map[string]string{pkg.Name: ""}}
}

// name returns the name of an imported package: the last element of its path, or
// if that is taken, as many of the last elements as it takes. An "x" follows when
// there are no more, and that is said of the first element, too.
func (l *imports) name(importPath string) string {
	if name, known := l.names[importPath]; known {
		return name
	}
	elements := strings.Split(importPath, "/")
	name := ""
	for i := len(elements) - 1; ; i = max(i-1, 0) {
		if i == 0 {
			name += "x"
		}
		name = identifier(elements[i]) + name
		if taken, known := l.paths[name]; isReserved(name) || known && taken != importPath {
			continue
		}
		break
	}
	l.names[importPath], l.paths[name] = name, importPath
	return name
}

// isReserved reports whether a file can't give a package that name and mean what it
// says elsewhere.
func isReserved(name string) bool {
	return name == "" || token.IsKeyword(name) || types.Universe.Lookup(name) != nil
}

// identifier makes an element of a path a part of a name.
func identifier(element string) string {
	return strings.Map(func(r rune) rune {
		if unicode.IsLetter(r) || unicode.IsDigit(r) {
			return r
		}
		return '_'
	}, strings.TrimLeftFunc(element, unicode.IsDigit))
}

// specs returns the lines of the import declaration. Packages that are imported by
// their own name, as far as it is known, are not named.
func (l *imports) specs() []string {
	var specs []string
	for _, importPath := range slices.Sorted(maps.Keys(l.names)) {
		spec := strconv.Quote(importPath)
		if imported := l.pkg.Imports()[importPath]; imported == nil || imported.Name != l.names[importPath] {
			spec = l.names[importPath] + " " + spec
		}
		specs = append(specs, spec)
	}
	return specs
}
