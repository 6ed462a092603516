package scaffold

import (
	"go/ast"
	"maps"
	"os"
	"path"
	"path/filepath"
	"slices"

	"github.com/mrgen-io/mrgen/generator/internal/authoring/goedit"
	"github.com/mrgen-io/mrgen/generator/internal/diag"
)

// An Addition has the files of a new kind.
type Addition struct {
	// Files are the new files, and the author's files that change.
	Files Files
	// Edited are the paths of the latter.
	Edited map[string]bool
	// Left are the paths of existing controllers, which work on another version of the kind.
	Left []string
}

// AddKind returns the files of a new version of a kind, for the provider that [Read] found in the
// module.
func (p Provider) AddKind(root string, k Kind) (Addition, diag.List, error) {
	a := addition{provider: p, root: root, kind: k, files: Files{}, edited: map[string]bool{}}
	for _, t := range p.Trees {
		if err := a.add(t); err != nil {
			return Addition{}, nil, err
		}
		if a.diags.HasErrors() {
			break // what is wrong in one tree is wrong in the other
		}
	}
	return Addition{Files: a.files, Edited: a.edited, Left: a.left}, a.diags, nil
}

type addition struct {
	provider Provider
	root     string
	kind     Kind
	files    Files
	edited   map[string]bool
	left     []string
	diags    diag.List
}

// add adds the kind to a tree.
func (a *addition) add(t Tree) error {
	data := kindData{treeData: treeData{Provider: a.provider, Tree: t}, kind: a.kind}
	if t.Copied {
		return a.addCopy(data)
	}
	existing, stored, diags := existingVersions(a.root, t, a.kind)
	a.diags = append(a.diags, diags...)
	if slices.Contains(existing, a.kind.Version) {
		what := "declares the type %s already: choose another name"
		if files, _ := parseFolder(a.root, data.APIDir()); declares(files, a.kind.Name+"List") {
			what = "has the kind %s already: choose another version, or another name"
		}
		a.diags = append(a.diags, diag.Errorf(diag.Position{File: data.APIDir()}, codeScaffold, "this package "+what, a.kind.Name))
		return nil
	}
	if diags.HasErrors() {
		return nil
	}
	// The API server stores all objects in one version, which has to be marked as
	// soon as there are two. It stays the first, whose objects exist.
	if len(existing) == 1 && !stored {
		a.markStorage(path.Join(t.APIDir(), a.kind.Group, existing[0]))
	}
	files, err := data.files()
	if err != nil {
		return err
	}
	types := path.Join(data.APIDir(), a.kind.Package()+"_types.go")
	if _, err := os.Lstat(filepath.Join(a.root, filepath.FromSlash(types))); err == nil {
		a.diags = append(a.diags, diag.Errorf(diag.Position{File: types}, codeScaffold,
			"this file exists, and does not declare %s: give it another name, or choose another kind", a.kind.Name))
	}
	maps.Copy(a.files, files)
	a.registerTypes(data)
	if len(existing) > 0 {
		a.leaveController(data)
		return nil
	}
	if files, err = data.controller(); err != nil {
		return err
	}
	maps.Copy(a.files, files)
	a.registerController(data)
	return nil
}

// addCopy adds what refers to a kind that mrgen writes.
func (a *addition) addCopy(data kindData) error {
	if err := data.example(a.files); err != nil {
		return err
	}
	a.registerTypes(data)
	if existing, _, _ := existingVersions(a.root, a.provider.Source(), a.kind); len(existing) == 0 {
		a.registerController(data)
	}
	return nil
}

// registerTypes adds the package of the kind to the scheme.
func (a *addition) registerTypes(data kindData) {
	a.register(apisFile, data.Tree.AliasPrefix()+a.kind.Group+a.kind.Version, data.APIDir(),
		"AddToScheme functions", []string{"AddToScheme"}, ".SchemeBuilder.AddToScheme")
}

// registerController adds the controller of the kind to those that are set up.
func (a *addition) registerController(data kindData) {
	a.register(registerFile, data.Tree.AliasPrefix()+a.kind.Group+a.kind.Package(), data.ControllerDir(),
		"setup functions", []string{"Setup", "SetupGated"}, ".SetupGated")
}

// leaveController notes that the existing controller of a kind works on an earlier version.
func (a *addition) leaveController(data kindData) {
	name := path.Join(data.ControllerDir(), a.kind.Package()+".go")
	if _, err := os.Stat(filepath.Join(a.root, filepath.FromSlash(name))); err == nil {
		a.left = append(a.left, name)
	}
}

// register adds a function of the package in a folder to a list in a file.
func (a *addition) register(name, alias, folder, what string, selectors []string, function string) {
	module := a.provider.Module
	a.edit(name, registration{alias, module + "/" + folder, module, what, selectors, function}.add)
}

// markStorage marks the kind in a package as the storage version.
func (a *addition) markStorage(folder string) {
	files, diags := parseFolder(a.root, folder)
	a.diags = append(a.diags, diags...)
	for name, file := range files {
		if _, spec := findType(file, a.kind.Name); spec == nil {
			continue
		}
		a.edit(path.Join(folder, name), func(_ string, f *goedit.File) diag.List {
			f.InsertBeforeType("// "+storageVersion, func(t *ast.TypeSpec) bool { return t.Name.Name == a.kind.Name })
			return nil
		})
	}
}
