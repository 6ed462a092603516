package scaffolding

import (
	"go/ast"
	"maps"
	"slices"
	"strings"

	"github.com/gobuffalo/flect"

	"github.com/mrgen-io/mrgen/generator/diag"
	"github.com/mrgen-io/mrgen/generator/internal/gosyntax"
	"github.com/mrgen-io/mrgen/generator/internal/workshop/layout"
	"github.com/mrgen-io/mrgen/markers"
)

// Read returns the provider in a module.
func Read(root string) (Provider, diag.List) {
	source, diags := layout.Read(root)
	if diags.HasErrors() {
		return Provider{}, diags
	}
	p := Provider{Module: source.Path, source: source}
	trees := source.Trees()
	for _, t := range trees {
		p.Trees = append(p.Trees, Tree{Tree: t})
	}
	p.nameFolders()
	if len(p.Trees) == 0 {
		return Provider{}, refuse("go.mod",
			"no package with a +groupName marker has a ProviderConfig or a managed resource: start a provider with mrgen init, or write the first kind by hand")
	}
	isNamespaced := func(t Tree) bool { return t.Namespaced }
	p.Group = p.Trees[max(0, slices.IndexFunc(p.Trees, isNamespaced))].Group // the other kinds may be copies
	return p, nil
}

// refuse returns why a provider isn't changed, at a file or folder unless that is "".
func refuse(file, format string, args ...any) diag.List {
	return diag.List{diag.Errorf(diag.Position{File: file}, codeScaffold, format, args...)}
}

func unreadable(name string, err error) diag.Diagnostic {
	return diag.Errorf(diag.Position{File: name}, codeScaffold, "cannot read this: %v", diag.Cause(err))
}

func declares(files map[string]*ast.File, typeName string) bool {
	for _, file := range files {
		if _, spec := findType(file, typeName); spec != nil {
			return true
		}
	}
	return false
}

// A version is a kind's version, with the folder of its package.
type version struct {
	name, dir string
	// isMarked is set if a marker makes it the storage version.
	isMarked bool
}

// existingVersions returns the versions of a kind in a tree, sorted. It reports another kind of the group with the same
// resource name.
func existingVersions(t Tree, k Kind) (found []version, diags diag.List) {
	for _, p := range t.InGroup(t.groupOf(k)) {
		files := p.Source()
		if other := namesake(files, k); other != "" {
			diags = append(diags, diag.Errorf(diag.Position{File: p.Dir}, codeScaffold,
				"%s can't be added beside the kind %s of this package, since both are called %s in the API: choose another name, or that one", k.Name,
				other, resourceName(k.Name)))
		}
		for _, file := range files {
			if declaration, spec := findType(file, k.Name); spec != nil {
				found = append(found, version{p.API.Version, p.Dir, hasMarker(markers.StorageVersion, declaration.Doc, spec.Doc)})
			}
		}
	}
	slices.SortFunc(found, func(a, b version) int { return strings.Compare(a.name, b.name) })
	return found, diags
}

// isMarked reports whether a kind of a tree is not copied to the other scope.
func isMarked(t Tree, k Kind) bool {
	for _, p := range t.InGroup(t.groupOf(k)) {
		for _, file := range p.Files {
			if _, spec := findType(file, k.Name); spec != nil && hasMarker(markers.Scope, file.Comments...) {
				return true
			}
		}
	}
	return false
}

// hasMarker reports whether one of the comments, which may be nil, has a marker.
func hasMarker(name string, in ...*ast.CommentGroup) bool {
	for comment := range gosyntax.Markers(in...) {
		if isMarker(comment.Text, []string{name}) {
			return true
		}
	}
	return false
}

// namesake returns the name of another kind in the files that has the same resource name, or "".
func namesake(files map[string]*ast.File, k Kind) string {
	for _, name := range slices.Sorted(maps.Keys(files)) {
		for _, spec := range gosyntax.Types(files[name]) {
			other := spec.Name.Name
			if other != k.Name && resourceName(other) == resourceName(k.Name) && declares(files, other+"List") {
				return other
			}
		}
	}
	return ""
}

// resourceName returns the resource name that controller-tools gives to a kind.
func resourceName(kind string) string { return strings.ToLower(flect.Pluralize(kind)) }

const storageVersion = "+" + markers.StorageVersion
