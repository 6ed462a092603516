package scaffolding

import (
	"go/ast"
	"maps"
	"os"
	"path"
	"path/filepath"
	"slices"

	"github.com/mrgen-io/mrgen/generator/diag"
	"github.com/mrgen-io/mrgen/generator/internal/source/modules"
	"github.com/mrgen-io/mrgen/generator/internal/workshop/fromsdk"
	"github.com/mrgen-io/mrgen/generator/internal/workshop/goedit"
	"github.com/mrgen-io/mrgen/generator/internal/workshop/layout"
)

// An Addition has the files of a new kind.
type Addition struct {
	// Files are the new files, and the author's files that change.
	Files Files
	// Edited are the paths of the latter.
	Edited map[string]bool
	// Left are the paths of existing controllers, which work on another version of the kind.
	Left []string
	// ByHand lists the edits left to the author.
	ByHand []layout.Step
	// Lives is set if a test needs the package of lives.
	Lives bool
}

// AddKind returns the files of a new version of a kind, for the provider that [Read] found in the
// module.
func (p Provider) AddKind(root string, k Kind) (Addition, diag.List, error) {
	return p.addition(root, k, func(a *addition, t Tree) error { return a.add(t) })
}

// addition calls a function for each tree that somebody writes by hand or mrgen writes.
func (p Provider) addition(root string, k Kind, add func(*addition, Tree) error) (Addition, diag.List, error) {
	p = p.forKind(k)
	a := addition{
		Addition: Addition{Files: Files{}, Edited: map[string]bool{}}, provider: p, root: root, kind: k, made: map[string]*fromsdk.Kind{},
	}
	folders := map[string]bool{}
	for _, t := range p.Trees {
		if !p.only.has(t) {
			continue
		}
		if p.only != "" {
			t.Copied = false
		}
		if t.Foreign && !t.Copied {
			a.byHand(diag.Position{File: t.Dir}, "another generator writes the kinds below this folder: run it")
			continue
		}
		dir := p.dirOf(t, k)
		if folders[dir] {
			a.errorf(dir, "kinds of both scopes are in this folder: name the one of %s with --scope", k.Name)
			break
		}
		folders[dir] = true
		if err := add(&a, t); err != nil {
			return Addition{}, nil, err
		}
		if a.diags.HasErrors() {
			break // the other tree has the same errors
		}
	}
	return a.Addition, a.diags, nil
}

// An addition is an [Addition] that is being made.
type addition struct {
	Addition
	provider Provider
	root     string
	kind     Kind
	diags    diag.List
	// made is what an SDK says of the kind, by the type that selects secrets.
	made map[string]*fromsdk.Kind
}

func (a *addition) byHand(at diag.Position, text string, lines ...string) {
	a.ByHand = append(a.ByHand, layout.Step{Pos: at, Text: text, Lines: lines})
}

// add adds the kind to a tree.
func (a *addition) add(t Tree) error {
	data := a.provider.data(t, a.kind)
	if t.Copied {
		return a.addCopy(data)
	}
	if t.isEmpty && t.HasConfigs() {
		a.errorf(t.Dir,
			"there are no ProviderConfigs for %s kinds, which belong below this folder: add them with mrgen add providerconfig", describe[t.scope()])
		return nil
	}
	existing, diags := existingVersions(t, a.kind)
	a.diags = append(a.diags, diags...)
	if slices.ContainsFunc(existing, func(v version) bool { return v.dir == data.APIDir() }) {
		what := "declares the type %s already: choose another name"
		if declares(a.source(data.APIDir()), a.kind.Name+"List") {
			what = "has the kind %s already: choose another version or name, or delete the kind to add it again"
		}
		a.errorf(data.APIDir(), "this package "+what, a.kind.Name)
		return nil
	}
	if diags.HasErrors() {
		return nil
	}
	if a.diags = append(a.diags, data.unusable()...); a.diags.HasErrors() {
		return nil
	}
	// The API server stores all objects in one version, which has to be marked as
	// soon as there are two. It stays the first, whose objects exist.
	if len(existing) == 1 && !existing[0].isMarked {
		a.markStorage(existing[0].dir)
	}
	if data.sdk = a.readSDK(data); a.diags.HasErrors() {
		return nil
	}
	files, err := data.files()
	if err != nil {
		return err
	}
	types := path.Join(data.APIDir(), a.kind.Package()+"_types.go")
	if _, err := os.Lstat(filepath.Join(a.root, filepath.FromSlash(types))); err == nil {
		a.errorf(types, "this file exists, and does not declare %s: give it another name, or choose another kind", a.kind.Name)
	}
	maps.Copy(a.Files, files)
	a.registerTypes(data)
	if len(existing) > 0 {
		a.leaveController(existing)
		return nil
	}
	return a.addController(data)
}

// readSDK returns the kind's plan from an SDK, or nil.
func (a *addition) readSDK(data kindData) *fromsdk.Kind {
	if a.kind.SDK == nil || data.generation == nil {
		return nil
	}
	o := data.sdkOptions()
	o.Taken = func(name string) bool { return declares(a.source(data.APIDir()), name) }
	if a.made[o.Selector] == nil {
		made, diags := a.kind.ReadSDK(o)
		a.diags = append(a.diags, diags...)
		a.made[o.Selector] = made
	}
	return a.made[o.Selector]
}

// addController adds a controller of the kind, or says what to write if one would not compile.
func (a *addition) addController(data kindData) error {
	if reason := data.withoutController(); reason != "" {
		a.describeController(data, reason)
		return nil
	}
	dir := data.ControllerDir()
	if !modules.Matcher(a.provider.Clients)(dir) {
		a.errorf("mrgen.yaml",
			"the controller declares conversions in ./%s, which convert.packages doesn't cover: add ./%s/... to them", dir,
			path.Dir(dir))
	}
	files, err := data.controller()
	if err != nil {
		return err
	}
	maps.Copy(a.Files, files)
	a.addLife()
	a.registerController(data, data.word()+a.kind.Package(), a.provider.source.SetupFunction)
	return nil
}

// addCopy adds what refers to a kind that mrgen writes.
func (a *addition) addCopy(data kindData) error {
	source := a.provider.data(a.provider.Source(), a.kind)
	if data.sdk = a.readSDK(source); a.diags.HasErrors() {
		return nil
	}
	source.sdk = data.sdk
	if err := data.example(a.Files); err != nil {
		return err
	}
	a.registerTypes(data)
	existing, _ := existingVersions(a.provider.Source(), a.kind)
	if len(existing) == 0 && source.withoutController() == "" && data.withoutController() == "" {
		a.registerController(data, data.word()+a.kind.Package(), a.provider.source.SetupFunction)
	}
	return nil
}

// leaveController notes that the existing controller of a kind works on an earlier version.
func (a *addition) leaveController(existing []version) {
	var dirs []string
	for _, v := range existing {
		dirs = append(dirs, v.dir)
	}
	dir := a.provider.source.ControllerOf(a.kind.Package(), dirs)
	name := path.Join(dir, a.kind.Package()+".go")
	if _, err := os.Stat(filepath.Join(a.root, filepath.FromSlash(name))); dir != "" && err == nil {
		a.Left = append(a.Left, name)
	}
}

// markStorage marks the kind in a package as the storage version.
func (a *addition) markStorage(folder string) {
	for name, file := range a.source(folder) {
		if _, spec := findType(file, a.kind.Name); spec == nil {
			continue
		}
		a.edit(path.Join(folder, name), func(f *goedit.File) {
			f.InsertBeforeType("// "+storageVersion, func(t *ast.TypeSpec) bool { return t.Name.Name == a.kind.Name })
		})
	}
}
