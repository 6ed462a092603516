package scaffolding

import (
	"go/ast"

	"github.com/mrgen-io/mrgen/generator/diag"
	"github.com/mrgen-io/mrgen/generator/internal/workshop/goedit"
	"github.com/mrgen-io/mrgen/generator/internal/workshop/layout"
)

// registerTypes adds the package of the kind to the scheme.
func (a *addition) registerTypes(data kindData) {
	source := a.provider.source
	r := registration{
		alias: data.Tree.Folder + data.folderWord() + a.kind.Version, folder: data.APIDir(), function: data.Builder() + ".AddToScheme",
		lists: source.SchemeLists,
	}
	place := source.Scheme(data.Tree.Tree)
	if place == nil {
		a.byHand(diag.Position{File: data.APIDir()},
			"nothing registers the other kinds with a scheme: register those of this package by hand", r.lines(a.provider.Module)...)
		return
	}
	a.register(*place, r)
}

// registerController adds a controller to those that are set up, by the function that one of its kind
// has for a place.
func (a *addition) registerController(data kindData, name string, function func(layout.ListInFile) string) {
	for _, place := range data.setting.Places {
		a.register(place, registration{
			alias: data.Tree.Folder + name, folder: data.ControllerDir(), function: function(place), lists: a.provider.source.SetupLists,
		})
	}
}

// describeController says what controller to write, since mrgen writes none.
func (a *addition) describeController(data kindData, reason string) {
	at, where := diag.Position{File: data.APIDir()}, ""
	for i, place := range data.setting.Places {
		last := place.Package.Position(place.File, place.Elements[len(place.Elements)-1].Node.Pos())
		if i == 0 {
			at, where = last, " like the others here"
		} else {
			where += " and in " + last.String()
		}
	}
	a.byHand(at, "write a controller of "+a.kind.Name+", and set it up"+where+": mrgen writes none, since "+reason)
}

// A registration adds a function of a package to a list of such functions, or to those that are
// called one after the other.
type registration struct {
	// alias is the name to import the package with, if it is free, and folder that of the package.
	alias, folder, function string
	// lists finds such lists.
	lists func(*ast.File) []layout.List
}

// lines returns what to write by hand: an import, and the function.
func (r registration) lines(module string) []string {
	return []string{r.alias + ` "` + module + "/" + r.folder + `"`, r.alias + "." + r.function}
}

// register adds to the list at a place, or says what to add there.
func (a *addition) register(place layout.ListInFile, r registration) {
	last := place.Elements[len(place.Elements)-1]
	at := place.Package.Position(place.File, last.Node.Pos())
	switch {
	case place.Has(r.folder):
		return
	case place.IsGenerated:
		a.byHand(at, "another generator writes this file: have it add", r.lines(a.provider.Module)...)
		return
	case place.Model() == nil:
		a.byHand(at, "none of the statements here can be copied for another package: add one with", r.lines(a.provider.Module)...)
		return
	}
	a.edit(place.File, func(f *goedit.File) {
		list := r.lists(f.Syntax)[place.Index]
		last := list.Elements[len(list.Elements)-1]
		function := f.Import(a.provider.Module+"/"+r.folder, a.provider.Module, r.alias) + "." + r.function
		last.Append(f, *list.Model(), function)
	})
	a.provider.source.Announce(r.folder)
}
