package gosrc

import (
	"go/token"
	"go/types"
	"iter"
	"maps"
	"path"
	"slices"
	"strconv"
	"strings"

	"github.com/mrgen-io/mrgen/generator/internal/flavor"
)

// A Package is a package that files are written into. It knows the names there, so that each file can avoid the names of
// the author and of all other files.
//
// An import has the scope of its file, and a declaration the scope of the package: Go doesn't allow a name to be both,
// not even in two files. If the author declares a name that generated code can't avoid, such as len, package compile
// reports an error.
type Package struct {
	path, name string
	// declared are the names that the package declares, and imported are the names that files use for their imports.
	declared, imported map[string]bool
}

// NewPackage returns the package with an import path and a name, without declarations.
func NewPackage(importPath, name string) *Package {
	return &Package{path: importPath, name: name, declared: map[string]bool{}, imported: map[string]bool{}}
}

// Claim notes names that files of the package declare.
func (p *Package) Claim(names iter.Seq[string]) { add(p.declared, names) }

// ClaimImports notes names that files of the package use for their imports.
func (p *Package) ClaimImports(names iter.Seq[string]) { add(p.imported, names) }

func add(to map[string]bool, names iter.Seq[string]) {
	for name := range names {
		to[name] = true
	}
}

// IsTaken reports whether no file may declare a name.
func (p *Package) IsTaken(name string) bool { return p.declared[name] || p.imported[name] }

// Declare returns the name for a declaration of a generated file: the wanted one, or with a number if that is taken.
func (p *Package) Declare(name string) string {
	free := name
	for n := 2; p.IsTaken(free); n++ {
		free = name + strconv.Itoa(n)
	}
	p.declared[free] = true
	return free
}

// Variable returns a name for a variable in a function.
func Variable(name string, mayReferTo func(name string) bool) string {
	// A variable would hide a declaration that the function refers to.
	for mayReferTo(name) {
		name += variableSuffix
	}
	return name
}

const variableSuffix = "Var"

// Wanted returns the name that was wanted for a variable, see [Variable].
func Wanted(name string) string {
	for strings.HasSuffix(name, variableSuffix) {
		name = strings.TrimSuffix(name, variableSuffix)
	}
	return name
}

// Imports are the imports of one file. The name of each differs from the names in the package, of variables in the
// functions of the file, and of the other imports.
type Imports struct {
	of *Package
	// isVariable reports whether a variable in the functions of the file may have a name: it
	// would hide the import.
	isVariable func(name string) bool
	byPath     map[string]imported
}

type imported struct {
	name string
	// alias is set if the file gives the package another name than its own, or if the own name isn't known.
	alias bool
}

// NewImports returns the imports of a file, none so far.
func (p *Package) NewImports(isVariable func(name string) bool) *Imports {
	return &Imports{of: p, isVariable: isVariable, byPath: map[string]imported{}}
}

// Variables returns a function that reports whether a name is one of these.
func Variables(names ...string) func(name string) bool {
	return func(name string) bool { return slices.Contains(names, name) }
}

// name returns the name of an imported package: the wanted one, if it is free. It is an alias if it differs from the
// package's own name, which is "" if it isn't known.
func (i *Imports) name(importPath, wanted, own string) string {
	return i.First(importPath, own, i.variants(wanted))
}

// variants returns names for a package, beginning with the wanted one.
func (i *Imports) variants(wanted string) iter.Seq[string] {
	return func(yield func(string) bool) {
		for i.clashes(wanted) { // the suffix says that something else has the name here
			wanted += "pkg"
		}
		if !yield(wanted) {
			return
		}
		for n := 1; yield(wanted + strconv.Itoa(n)); n++ { // the number says that another package has the name
		}
	}
}

// First returns the name of an imported package: the first free one, unless the package has a name already. It is an
// alias if it differs from the package's own name, which is "" if it isn't known.
func (i *Imports) First(importPath, own string, names iter.Seq[string]) string {
	if known, ok := i.byPath[importPath]; ok {
		return known.name
	}
	for name := range names {
		if !i.isReserved(name) && !i.clashes(name) && !i.has(name) {
			i.byPath[importPath] = imported{name: name, alias: name != own}
			i.of.imported[name] = true // no file may declare it either
			return name
		}
	}
	panic("no name is left for " + importPath)
}

// clashes reports whether something other than an import of the file has a name.
func (i *Imports) clashes(name string) bool { return i.of.declared[name] || i.isVariable(name) }

// isReserved reports whether Go uses a name itself.
func (i *Imports) isReserved(name string) bool {
	return name == "init" || !token.IsIdentifier(name) || name == "_" || types.Universe.Lookup(name) != nil
}

func (i *Imports) has(name string) bool {
	return slices.ContainsFunc(slices.Collect(maps.Values(i.byPath)), func(other imported) bool { return other.name == name })
}

// qualifier returns the name by which the file imports a package, followed by a period, or "" for the file's own
// package.
func (i *Imports) qualifier(importPath, wanted, own string) string {
	if importPath == i.of.path {
		return ""
	}
	return i.name(importPath, wanted, own) + "."
}

// Qualified returns a reference to a name in another package. The file then imports the package by its alias, if the
// alias is free.
func (i *Imports) Qualified(from flavor.Import, name string) string {
	return i.qualifier(from.Path, from.Alias, "") + name
}

// Reference returns a reference to a name in a package whose name is the last element of its path.
func (i *Imports) Reference(importPath, name string) string {
	if domain, _, _ := strings.Cut(importPath, "/"); !strings.Contains(domain, ".") {
		// only paths of the standard library begin without a domain
		return i.Standard(importPath, name)
	}
	return i.Qualified(flavor.NewImport(importPath, path.Base(importPath)), name)
}

// Standard returns a reference to a name in a package of the standard library.
func (i *Imports) Standard(importPath, name string) string {
	return i.qualifier(importPath, path.Base(importPath), path.Base(importPath)) + name
}

// Spec returns the specification of an import.
func (i *Imports) Spec(importPath string) string {
	if imported := i.byPath[importPath]; imported.alias {
		return imported.name + " " + strconv.Quote(importPath)
	}
	return strconv.Quote(importPath)
}

// Specs returns the specifications of all imports, sorted by path.
func (i *Imports) Specs() []string {
	var specs []string
	for _, importPath := range slices.Sorted(maps.Keys(i.byPath)) {
		specs = append(specs, i.Spec(importPath))
	}
	return specs
}
