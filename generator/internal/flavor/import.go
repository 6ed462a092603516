package flavor

import (
	"path"
	"regexp"
	"slices"
	"strings"
)

var version = regexp.MustCompile(`^v[0-9]+((alpha|beta)[0-9]+)?$`)

// separators are the characters in names of folders that aliases leave out.
var separators = regexp.MustCompile(`[^a-z0-9]+`)

// IsVersion reports whether a package has the name of an API version.
func IsVersion(name string) bool { return version.MatchString(name) }

// NewImport returns a package of an API, by its path and its name, with its name in generated files.
func NewImport(importPath, name string) Import {
	alias := name
	// As usual for Kubernetes APIs, such as metav1.
	if base := path.Base(importPath); IsVersion(base) {
		alias = separators.ReplaceAllString(strings.ToLower(path.Base(path.Dir(importPath))), "") + base
	}
	// Crossplane's own packages have a customary name.
	for _, g := range ManagedGenerations() {
		if g.Types.Path == importPath {
			alias = g.Types.Alias
		}
	}
	return Import{Path: importPath, Alias: alias}
}

// GeneratedImports returns the packages of crossplane-runtime that generated code is expected to import beside source
// with some imports: for method sets and, if the source has references, for resolvers.
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
