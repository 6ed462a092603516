package linter

import (
	"bytes"
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

// registrars match the declarations that add controllers to a manager, and kinds to a scheme.
var registrars = map[bool]*regexp.Regexp{
	false: regexp.MustCompile(`(?m)^func ([A-Z]\w*)\(\w+ \w+\.Manager, \w+ \w*\.?Options\b.*\) error`),
	true:  regexp.MustCompile(`(?m)^(?:var|const)?\s*(SchemeBuilder|AddToScheme)\s+=`),
}

// Unregistered returns the packages that nobody registers, sorted by position. A module that registers none leaves that to
// another module.
func (a *API) Unregistered() []Unregistered {
	var all []Unregistered
	for isScheme, declaration := range registrars {
		declared := map[string][]Unregistered{} // by folder
		for _, f := range a.sources() {
			for _, m := range declaration.FindAllSubmatchIndex(f.content, -1) {
				if f.isAPI != isScheme {
					break
				}
				at := diag.Position{File: f.name, Line: 1 + bytes.Count(f.content[:m[2]], []byte("\n"))}
				if artifact.Owned(f.content) {
					at = diag.Position{File: path.Dir(f.name)} // since findings in generated files are left out
				}
				name := string(f.content[m[2]:m[3]])
				declared[path.Dir(f.name)] = append(declared[path.Dir(f.name)], Unregistered{name, at, isScheme})
			}
		}
		var unused []Unregistered
		for dir, of := range declared {
			if !a.isNamed(dir, of) {
				unused = append(unused, of[0])
			}
		}
		if len(unused) < len(declared) {
			all = append(all, unused...)
		}
	}
	slices.SortFunc(all, func(a, b Unregistered) int { return a.Pos.Compare(b.Pos) })
	return all
}

// isNamed reports whether code outside a folder names one of the declarations of the folder's package.
func (a *API) isNamed(dir string, declared []Unregistered) bool {
	var names []string
	for _, u := range declared {
		names = append(names, u.Name, "AddToScheme")
	}
	selected := regexp.MustCompile(`\b(\w+)\.(` + strings.Join(names, "|") + `)\b`)
	return slices.ContainsFunc(a.sources(), func(f codeFile) bool {
		alias, isImported := f.importOf(path.Join(a.Module(), dir))
		return isImported && slices.ContainsFunc(selected.FindAllSubmatch(f.content, -1), func(m [][]byte) bool {
			return alias == "" || string(m[1]) == alias // the name of the package isn't known
		})
	})
}
