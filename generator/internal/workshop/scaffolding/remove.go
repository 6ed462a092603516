package scaffolding

import (
	"bytes"
	"cmp"
	"go/ast"
	"maps"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strings"

	"github.com/mrgen-io/mrgen/generator/diag"
	"github.com/mrgen-io/mrgen/generator/internal/artifact"
	"github.com/mrgen-io/mrgen/generator/internal/gosyntax"
	"github.com/mrgen-io/mrgen/generator/internal/workshop/goedit"
)

// A Removal has what becomes of a provider without a kind.
type Removal struct {
	// Addition has the author's files that change.
	Addition
	// Deleted are the files to delete, with their contents. Written are those among them that are not
	// as mrgen writes them.
	Deleted, Written Files
	// References are what refers to the kind, sorted.
	References []Reference
}

// A removal is a [Removal] that is being found.
type removal struct {
	addition
	deleted, written Files
	// gone are the packages that are deleted, by import path, and names what is no longer declared in
	// those that stay, by folder.
	gone  map[string]bool
	names map[string]map[string]bool
	// kinds are the API versions with the kind that is deleted, such as storage.example.org/v1, and
	// manifests the kinds that manifests must not have.
	kinds     map[string]bool
	manifests []string
}

func (p Provider) newRemoval(root string, k Kind, manifests ...string) removal {
	return removal{
		addition: newAddition(p, root, k), manifests: manifests,
		deleted: Files{}, written: Files{}, gone: map[string]bool{}, names: map[string]map[string]bool{}, kinds: map[string]bool{},
	}
}

// RemoveKind returns what takes a kind, or one version of it, out of the provider that [Read] found
// in the module: all that [Provider.AddKind] adds.
func (p Provider) RemoveKind(root string, k Kind) (Removal, diag.List, error) {
	version := k.Version
	k.Version = cmp.Or(version, "v1") // any will do to find out in which folder versions are
	p = p.forKind(k)
	at := path.Dir(p.dirOf(p.Source(), k))
	k.Version = version
	r := p.newRemoval(root, k, k.Name)
	for _, isCopied := range []bool{false, true} { // what becomes of a copy depends on its source
		for _, t := range p.Trees {
			if t.Copied != isCopied || t.kinds.Foreign && !isCopied {
				continue
			}
			// Beside copies there may be kinds of one scope alone.
			if own, _, _ := existingVersions(t, k); len(own) > 0 {
				t.Copied = false
			}
			if err := r.remove(t); err != nil {
				return Removal{}, nil, err
			}
		}
	}
	r.removeSimulated()
	if len(r.deleted) == 0 && !r.diags.HasErrors() {
		r.errorf(at, "there is no kind %s here: name a kind, its group and a version that exist", strings.TrimSpace(k.Name+" "+k.Version))
	}
	removed, diags := r.found()
	return removed, diags, nil
}

// found returns what is removed, with what refers to it.
func (r *removal) found() (Removal, diag.List) {
	if r.diags.HasErrors() {
		return Removal{}, r.diags
	}
	references, diags := r.references()
	return Removal{Addition: r.Addition, Deleted: r.deleted, Written: r.written, References: references}, append(r.diags, diags...)
}

// remove removes the kind from a tree.
func (r *removal) remove(t Tree) error {
	source := t
	if t.Copied {
		source = r.provider.Source()
	}
	existing, _, diags := existingVersions(source, r.kind)
	if !t.Copied {
		r.diags = append(r.diags, diags...)
	}
	var removed, left []version
	var dirs []string
	for _, v := range existing {
		if r.kind.Version == "" || v.name == r.kind.Version {
			removed = append(removed, v)
		} else {
			left = append(left, v)
		}
		dir := v.dir
		if t.Copied {
			dir, _ = r.provider.counterpart(dir)
		}
		dirs = append(dirs, dir)
	}
	if diags.HasErrors() || len(removed) == 0 {
		return nil
	}
	k := r.kind
	for _, v := range removed {
		k.Version = v.name
		data := r.provider.data(t, k)
		data.marked = isMarked(t, k)
		var err error
		if t.Copied {
			err = r.removeCopy(data, v.dir)
		} else {
			err = r.removeVersion(data, len(left) > 0)
		}
		if err != nil {
			return err
		}
	}
	if len(left) == 1 && !t.Copied {
		r.unmarkStorage(left[0].dir) // which means nothing for one version
	}
	data := r.provider.data(t, k)
	data.marked = isMarked(t, k)
	data.setting.Dir = r.provider.source.ControllerOf(k.Package(), dirs)
	if len(left) > 0 || data.setting.Dir == "" {
		return nil // the controller stays, or there is none
	}
	written := Files{}
	if data.withoutController() == "" {
		var err error
		if written, err = data.controller(); err != nil {
			return err
		}
	}
	r.removePackage(data.ControllerDir(), written)
	return nil
}

// removeVersion removes the types of the kind in a version, with their package if they are all that it
// has, and the example.
func (r *removal) removeVersion(data kindData, others bool) error {
	written, err := data.files()
	if err != nil {
		return err
	}
	folder := data.APIDir()
	files := r.source(folder)
	types, stay := "", false
	for _, name := range slices.Sorted(maps.Keys(files)) {
		declaration, spec := findType(files[name], r.kind.Name)
		for _, other := range gosyntax.Types(files[name]) {
			if other.Name.Name == r.kind.Name || !declares(files, other.Name.Name+"List") {
				continue
			}
			stay = true
			if spec != nil {
				r.errorf(path.Join(folder, name), "this file declares the kind %s, too: move one of them to a file of its own, or remove %s by hand", other.Name.Name, r.kind.Name)
			}
		}
		if spec == nil {
			stay = stay || name != groupFile && name != "doc.go"
			continue
		}
		types = name
		if others && isStored(declaration, spec) {
			r.errorf(path.Join(folder, name), "objects are stored in this version of %s: mark another one as the storage version first, or remove all versions", r.kind.Name)
		}
	}
	if r.diags.HasErrors() {
		return nil
	}
	r.removeExample(data, written)
	if stay {
		r.delete(path.Join(folder, types), written)
		r.forget(folder, files[types])
		return nil
	}
	r.removePackage(folder, written)
	return nil
}

// forget notes that a package no longer has what a file declares.
func (r *removal) forget(folder string, file *ast.File) {
	if r.names[folder] == nil {
		r.names[folder] = map[string]bool{}
	}
	for _, d := range file.Decls {
		for _, name := range declaredNames(d) {
			r.names[folder][name] = true
		}
	}
}

// removeCopy removes what refers to a version of the kind that mrgen writes, and its package, if that
// of the source goes.
func (r *removal) removeCopy(data kindData, from string) error {
	written := Files{}
	if err := data.example(written); err != nil {
		return err
	}
	r.removeExample(data, written)
	if !r.gone[r.provider.Module+"/"+from] {
		r.names[data.APIDir()] = r.names[from]
		return nil
	}
	r.removePackage(data.APIDir(), written)
	return nil
}

// removeExample deletes the manifest of a version of the kind, if there is one. Other manifests that have the
// version are references to it.
func (r *removal) removeExample(data kindData, written Files) {
	r.kinds[data.GroupName()+"/"+data.kind.Version] = true
	name := data.exampleFile()
	if _, err := os.Lstat(filepath.Join(r.root, filepath.FromSlash(name))); err == nil {
		r.delete(name, written)
	}
}

// removePackage deletes the files of a package, if it exists, and takes what it has out of lists and calls,
// with its imports.
func (r *removal) removePackage(folder string, written Files) {
	entries, err := os.ReadDir(filepath.Join(r.root, filepath.FromSlash(folder)))
	for _, entry := range entries {
		if entry.Type().IsRegular() {
			r.delete(path.Join(folder, entry.Name()), written)
		}
	}
	if err == nil {
		r.gone[r.provider.Module+"/"+folder] = true
	}
	for _, name := range r.provider.source.Registering(folder) {
		r.edit(name, func(f *goedit.File) diag.List {
			f.RemoveUses(r.provider.Module+"/"+folder, r.provider.source.Calls(f.Syntax, folder)...)
			return nil
		})
	}
}

// delete deletes a file. The written files are what mrgen wrote.
func (r *removal) delete(name string, written Files) {
	content, ok := r.read(name)
	if !ok {
		return
	}
	_, isKnown := r.deleted[name] // from the tree of the other scope, if both are in one folder
	r.deleted[name] = content
	switch isOurs := artifact.Owned(content) || bytes.Equal(artifact.UnixLineBreaks(content), written[name]); {
	case isOurs:
		delete(r.written, name)
	case !isKnown:
		r.written[name] = content
	}
}
