package flavor

import (
	"path"
	"regexp"
	"slices"
	"strings"
)

var version = regexp.MustCompile(`^v[0-9]+((alpha|beta)[0-9]+)?$`)

// separators are what aliases leave out of the names of folders.
var separators = regexp.MustCompile(`[^a-z0-9]+`)

// IsVersion reports whether a package has the name of an API version.
func IsVersion(name string) bool { return version.MatchString(name) }

// NewImport returns a package of an API, by its path and its name. In generated files it has
// the name that Crossplane's own packages have in others or, as usual for Kubernetes APIs, that
// of the group and the version, such as metav1.
func NewImport(importPath, name string) Import {
	alias := name
	if base := path.Base(importPath); IsVersion(base) {
		alias = separators.ReplaceAllString(strings.ToLower(path.Base(path.Dir(importPath))), "") + base
	}
	for _, g := range ManagedGenerations() {
		if g.Types.Path == importPath {
			alias = g.Types.Alias
		}
	}
	return Import{Path: importPath, Alias: alias}
}

// GeneratedImports returns the packages of crossplane-runtime that generated code is expected to import
// beside source that imports some packages: for method sets, and if it has references.
func GeneratedImports(imports []string, hasReferences bool) []string {
	var all []string
	for _, g := range ManagedGenerations() {
		if !slices.Contains(imports, g.Types.Path) {
			continue
		}
		all = append(all, g.Resource.Path)
		if hasReferences {
			all = append(all, g.References.Package.Path, g.References.Errors.Path)
		}
	}
	slices.Sort(all)
	return slices.Compact(all)
}
