package scaffolding

import (
	"bytes"
	"go/ast"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strings"

	"github.com/mrgen-io/mrgen/generator/diag"
	"github.com/mrgen-io/mrgen/generator/internal/artifact"
	"github.com/mrgen-io/mrgen/generator/internal/workshop/layout"
	"github.com/mrgen-io/mrgen/markers"
)

// A Copy says which version of a kind becomes another one.
type Copy struct {
	// From is the version to copy.
	From string
	// Storage has objects be stored in the new version.
	Storage bool
}

// FindGroup returns the group of a kind in a version, and an error if no group has it, or
// several have.
func (p Provider) FindGroup(kind, version string) (string, diag.List) {
	tree := p.Source()
	groups := tree.ofKind(kind, func(a *layout.API) (string, bool) { return a.Group, a.Version == version })
	switch len(groups) {
	case 1:
		return groups[0], nil
	case 0:
		return "", p.misspelt(kind, refuse(p.dir(),
			"there is no %s of %s below this folder: name a kind and a version that exist, or write them with mrgen add kind", kind, version))
	}
	for i := range groups {
		groups[i] = strings.TrimSuffix(groups[i], "."+tree.Group)
	}
	return "", refuse(p.dir(), "there is a %s of %s in several groups, %s: name one with --group", kind, version, diag.And(groups))
}

// OnlyVersion returns the version of a kind if there is one alone. The group may be empty. If there are several, the error says how
// to name one.
func (p Provider) OnlyVersion(kind, group, how string) (string, diag.List) {
	tree := p.Source()
	versions := tree.ofKind(kind, func(a *layout.API) (string, bool) {
		return a.Version, group == "" || a.Group == tree.GroupNamed(group)
	})
	switch len(versions) {
	case 1:
		return versions[0], nil
	case 0:
		return "", p.misspelt(kind, refuse(p.dir(), "there is no %s below this folder: name a kind that exists, or write it with mrgen add kind", kind))
	}
	return "", refuse(p.dir(), "%s has the versions %s: name one %s", kind, diag.And(versions), how)
}

// ofKind returns what a function says of the packages with a kind, each once.
func (t Tree) ofKind(kind string, of func(*layout.API) (string, bool)) []string {
	var found []string
	for _, p := range t.Packages {
		if text, ok := of(p.API); ok && p.HasKind(kind) && !slices.Contains(found, text) {
			found = append(found, text)
		}
	}
	return found
}

// dir returns the folder that the API packages of all scopes are below.
func (p Provider) dir() string {
	dir := p.Trees[0].Dir
	for _, t := range p.Trees {
		dir = layout.CommonStart(dir, t.Dir)
	}
	return dir
}

// misspelt returns the error for a kind that the provider lacks: the kind that it has and that was probably meant, or
// else another error.
func (p Provider) misspelt(kind string, otherwise diag.List) diag.List {
	var kinds []string
	for _, of := range p.Source().Packages {
		kinds = append(kinds, of.Kinds()...)
	}
	if near, isNear := markers.Nearest(kind, kinds); isNear && near != kind {
		return refuse(p.dir(), "there is no %s below this folder: did you mean %s?", kind, near)
	}
	return otherwise
}

// AddVersion returns the files of another version of a kind, whose types are those of an existing
// one.
func (p Provider) AddVersion(root string, k Kind, opts Copy) (Addition, diag.List, error) {
	return p.addition(root, k, func(a *addition, t Tree) error { return a.copyVersion(t, opts) })
}

// copyVersion copies the kind in a tree.
func (a *addition) copyVersion(t Tree, opts Copy) error {
	data := a.provider.data(t, a.kind)
	if t.Copied {
		if isMarked(a.provider.Source(), a.kind) {
			return nil // it has one scope alone
		}
		a.copyExample(data, opts.From)
		a.registerTypes(data)
		return nil
	}
	existing, diags := existingVersions(t, a.kind)
	a.diags = append(a.diags, diags...)
	var names []string
	var from version
	for _, v := range existing {
		names = append(names, v.name)
		if v.name == opts.From {
			from = v
		}
	}
	switch {
	case diags.HasErrors():
		return nil
	case from.dir == "":
		a.errorf(path.Join(path.Dir(data.APIDir()), opts.From),
			"there is no %s here to copy: name a version that the kind has, such as %s", a.kind.Name, strings.Join(names, ", "))
		return nil
	case slices.Contains(names, a.kind.Version):
		a.errorf(data.APIDir(), "this package has the kind %s already: choose another version", a.kind.Name)
		return nil
	}
	if a.diags = append(a.diags, data.unusable()...); a.diags.HasErrors() {
		return nil
	}
	if err := data.groupFile(a.Files); err != nil {
		return err
	}
	a.copyTypes(data, from, from.isMarked || len(existing) == 1, opts)
	a.copyExample(data, opts.From)
	a.registerTypes(data)
	a.leaveController(existing)
	if !opts.Storage {
		// The first of several versions stays the one that objects are stored in.
		if len(existing) == 1 && !from.isMarked {
			a.markStorage(from.dir)
		}
		return nil
	}
	for _, v := range existing {
		a.unmarkStorage(v.dir)
	}
	return nil
}

// copyExample copies the manifest of the kind, if there is one.
func (a *addition) copyExample(data kindData, from string) {
	name := strings.ToLower(a.kind.Name) + ".yaml"
	content, err := os.ReadFile(filepath.Join(a.root, "examples", data.GroupName(), from, name))
	if err != nil {
		return
	}
	content = bytes.ReplaceAll(content, []byte(data.GroupName()+"/"+from), []byte(data.GroupName()+"/"+a.kind.Version))
	if _, rest, found := bytes.Cut(content, []byte("\n")); found && artifact.Owned(content) {
		content = data.ownExample(rest)
	}
	a.Files[data.exampleFile()] = content
}

// unmarkStorage removes the marker of the storage version, and those that only mean something
// there, from the kind in a package.
func (a *addition) unmarkStorage(folder string) {
	files := a.source(folder)
	c := newClosure(files, a.kind.Name)
	for name, syntax := range files {
		file := path.Join(folder, name)
		f := copiedFile{closure: c, name: name, syntax: syntax}
		f.content, _ = a.content(file)
		content, changed, err := f.withoutMarkers(append([]string{markers.StorageVersion}, hubMarkers...))
		if err != nil {
			a.errorf(file, "mrgen can't edit this file: %v", err)
		} else if changed {
			a.Files[file], a.Edited[file] = content, true
		}
	}
}

// content returns a file as it is after earlier edits.
func (a *addition) content(name string) (content []byte, ok bool) {
	if content, ok = a.Files[name]; ok {
		return content, true
	}
	return a.read(name)
}

// read returns a file as it is on disk.
func (a *addition) read(name string) (content []byte, ok bool) {
	content, err := os.ReadFile(filepath.Join(a.root, filepath.FromSlash(name)))
	if err != nil {
		a.diags = append(a.diags, unreadable(name, err))
	}
	return content, err == nil
}

// source returns the files by hand of a package.
func (a *addition) source(folder string) map[string]*ast.File {
	return a.provider.source.Packages[folder].Source()
}

func (a *addition) errorf(file, format string, args ...any) {
	a.diags = append(a.diags, refuse(file, format, args...)...)
}
