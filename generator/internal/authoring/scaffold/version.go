package scaffold

import (
	"bytes"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strings"

	"github.com/mrgen-io/mrgen/generator/internal/diag"
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
func (p Provider) FindGroup(root, kind, version string) (string, diag.List) {
	tree := p.Source()
	folders, err := filepath.Glob(filepath.Join(root, filepath.FromSlash(tree.APIDir()), "*", version))
	if err != nil {
		return "", diag.List{unreadable(tree.APIDir(), err)}
	}
	var groups []string
	for _, folder := range folders {
		group := filepath.Base(filepath.Dir(folder))
		files, _ := parseFolder(root, path.Join(tree.APIDir(), group, version)) // what can't be parsed is reported when it is copied
		if declares(files, kind) {
			groups = append(groups, group)
		}
	}
	switch len(groups) {
	case 1:
		return groups[0], nil
	case 0:
		return "", diag.List{diag.Errorf(diag.Position{File: tree.APIDir()}, codeScaffold,
			"there is no %s of %s below this folder: name a kind and a version that exist, or write them with mrgen add kind", kind, version)}
	default:
		return "", diag.List{diag.Errorf(diag.Position{File: tree.APIDir()}, codeScaffold,
			"there is a %s of %s in several groups, %s: name one with --group", kind, version, diag.And(groups))}
	}
}

// AddVersion returns the files of another version of a kind, whose types are those of an existing
// one.
func (p Provider) AddVersion(root string, k Kind, how Copy) (Addition, diag.List, error) {
	a := addition{provider: p, root: root, kind: k, files: Files{}, edited: map[string]bool{}}
	for _, t := range p.Trees {
		if err := a.copyVersion(t, how); err != nil {
			return Addition{}, nil, err
		}
		if a.diags.HasErrors() {
			break // what is wrong in one tree is wrong in the other
		}
	}
	return Addition{Files: a.files, Edited: a.edited, Left: a.left}, a.diags, nil
}

// copyVersion copies the kind in a tree.
func (a *addition) copyVersion(t Tree, how Copy) error {
	data := kindData{treeData: treeData{Provider: a.provider, Tree: t}, kind: a.kind}
	if t.Copied {
		a.copyExample(data, how.From)
		a.registerTypes(data)
		return nil
	}
	existing, stored, diags := existingVersions(a.root, t, a.kind)
	from := path.Join(t.APIDir(), a.kind.Group, how.From)
	a.diags = append(a.diags, diags...)
	switch {
	case diags.HasErrors():
		return nil
	case !slices.Contains(existing, how.From):
		a.diags = append(a.diags, diag.Errorf(diag.Position{File: from}, codeScaffold, "there is no %s here to copy: name a version that the kind has, such as %s", a.kind.Name, strings.Join(existing, ", ")))
		return nil
	case slices.Contains(existing, a.kind.Version):
		a.diags = append(a.diags, diag.Errorf(diag.Position{File: data.APIDir()}, codeScaffold, "this package has the kind %s already: choose another version", a.kind.Name))
		return nil
	}
	if err := a.files.render(path.Join(data.APIDir(), groupFile), "group/"+groupFile, data); err != nil {
		return err
	}
	a.copyTypes(data, from, how)
	a.copyExample(data, how.From)
	a.registerTypes(data)
	a.leaveController(data)
	if !how.Storage {
		// The first of several versions stays the one that objects are stored in.
		if len(existing) == 1 && !stored {
			a.markStorage(from)
		}
		return nil
	}
	for _, version := range existing {
		a.unmarkStorage(path.Join(t.APIDir(), a.kind.Group, version))
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
	a.files[path.Join("examples", data.GroupName(), a.kind.Version, name)] =
		bytes.ReplaceAll(content, []byte(data.GroupName()+"/"+from), []byte(data.GroupName()+"/"+a.kind.Version))
}

// unmarkStorage removes the marker of the storage version, and those that only mean something
// there, from the kind in a package.
func (a *addition) unmarkStorage(folder string) {
	files, diags := parseFolder(a.root, folder)
	a.diags = append(a.diags, diags...)
	c := newClosure(files, a.kind.Name)
	for name, syntax := range files {
		file := path.Join(folder, name)
		f := copiedFile{closure: c, name: name, syntax: syntax, content: a.content(file)}
		content, changed, err := f.withoutMarkers(append([]string{markers.StorageVersion}, hubMarkers...))
		if err != nil {
			a.diags = append(a.diags, diag.Errorf(diag.Position{File: file}, codeScaffold, "mrgen can't edit this file: %v", err))
		} else if changed {
			a.files[file], a.edited[file] = content, true
		}
	}
}

// content returns a file as it is after earlier edits.
func (a *addition) content(name string) []byte {
	if content, isEdited := a.files[name]; isEdited {
		return content
	}
	content, err := os.ReadFile(filepath.Join(a.root, filepath.FromSlash(name)))
	if err != nil {
		a.diags = append(a.diags, unreadable(name, err))
	}
	return content
}
