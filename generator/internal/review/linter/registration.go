package linter

import (
	"maps"
	"path"
	"regexp"
	"slices"
	"strings"

	"github.com/mrgen-io/mrgen/generator/diag"
	"github.com/mrgen-io/mrgen/generator/internal/artifact"
)

// An Unregistered is a function or variable that nothing outside its package names, though something names its like in
// other packages.
type Unregistered struct {
	Name string
	Pos  diag.Position
	// IsScheme is set if it adds kinds to a scheme. Otherwise it sets up controllers.
	IsScheme bool
}

// setups and schemes match the declarations that add controllers to a manager, and kinds to a scheme.
var (
	setups  = regexp.MustCompile(`(?m)^func ([A-Z]\w*)\(\w+ \w+\.Manager, \w+ \w*\.?Options\b.*\) error`)
	schemes = regexp.MustCompile(`(?m)^(?:var|const)?\s*(SchemeBuilder|AddToScheme)\s+=`)
)

// Unregistered returns the packages that nobody registers, sorted by position. A module that registers none leaves that to
// another module.
func (a *API) Unregistered() []Unregistered {
	all := append(a.unregistered(setups, false), a.unregistered(schemes, true)...)
	slices.SortFunc(all, func(a, b Unregistered) int { return a.Pos.Compare(b.Pos) })
	return all
}

// unregistered returns the first declaration of each package that nobody registers. Schemes are declared in API packages, and
// controllers elsewhere.
func (a *API) unregistered(declaration *regexp.Regexp, isScheme bool) []Unregistered {
	module := a.Module()
	unused := map[string][]Unregistered{} // by import path
	for _, f := range a.sources() {
		if f.isAPI != isScheme {
			continue
		}
		importPath := path.Join(module, path.Dir(f.name))
		for _, m := range declaration.FindAllSubmatchIndex(f.content, -1) {
			at := diag.Position{File: f.name, Line: LineAt(f.content, m[2])}
			if artifact.Owned(f.content) {
				at = diag.Position{File: path.Dir(f.name)} // since findings in generated files are left out
			}
			unused[importPath] = append(unused[importPath], Unregistered{string(f.content[m[2]:m[3]]), at, isScheme})
		}
	}
	declared := len(unused)
	for _, f := range a.sources() {
		for importPath, alias := range f.imports {
			if f.names(alias, unused[importPath]) {
				delete(unused, importPath)
			}
		}
	}
	if len(unused) == declared {
		return nil
	}
	var first []Unregistered
	for of := range maps.Values(unused) {
		first = append(first, of[0])
	}
	return first
}

// names reports whether a file names one of the declarations of a package that it imports.
func (f codeFile) names(alias string, declared []Unregistered) bool {
	if len(declared) == 0 {
		return false
	}
	names := []string{"AddToScheme"}
	for _, u := range declared {
		names = append(names, u.Name)
	}
	selected := regexp.MustCompile(`\b(\w+)\.(` + strings.Join(names, "|") + `)\b`)
	return slices.ContainsFunc(selected.FindAllSubmatch(f.content, -1), func(m [][]byte) bool {
		return alias == "" || string(m[1]) == alias // the name of the package isn't known
	})
}
