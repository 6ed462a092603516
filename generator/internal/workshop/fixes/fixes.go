// Package fixes edits the source of API types: it adds the fields that references need, lets JSON
// omit required fields, replaces rules by +immutable, and corrects misspelt markers.
//
// A fix finds what to change in the model, and then edits the author's files at the positions in
// the model. It changes no other byte. Like a stage, it writes to memory only.
package fixes

import (
	"go/ast"
	"os"
	"path"
	"path/filepath"
	"slices"

	"github.com/mrgen-io/mrgen/generator/diag"
	"github.com/mrgen-io/mrgen/generator/internal/artifact"
	"github.com/mrgen-io/mrgen/generator/internal/model"
	"github.com/mrgen-io/mrgen/generator/internal/workshop/goedit"
)

const codeFix diag.Code = "fix"

// A Source is the source that a fix edits.
type Source struct {
	// Root is the module root.
	Root string
	// Model of the source, with the types that mrgen generates.
	Model *model.Model
	// Generated reports whether mrgen generates the file at a path relative to the root, so that an edit would
	// be lost.
	Generated func(file string) bool
}

// isCopied reports whether mrgen copies a type from the other scope's package, where its position is.
func (s Source) isCopied(t *model.Type) bool {
	i := slices.IndexFunc(s.Model.Packages, func(p *model.Package) bool { return p.Path == t.Package })
	return i >= 0 && s.Model.Packages[i].Dir != path.Dir(t.Pos.File)
}

// An editor holds the files that a fix edits.
type editor struct {
	root  string
	files map[string]*goedit.File
	diags diag.List
}

func newEditor(root string) *editor { return &editor{root: root, files: map[string]*goedit.File{}} }

func (e *editor) errorf(at diag.Position, format string, args ...any) {
	e.diags = append(e.diags, diag.Errorf(at, codeFix, format, args...))
}

// open returns a file. If it can't be edited, open reports that and returns nil.
func (e *editor) open(name string) *goedit.File {
	f, opened := e.files[name]
	if !opened {
		content, err := os.ReadFile(filepath.Join(e.root, filepath.FromSlash(name)))
		if err == nil {
			f, err = goedit.Parse(e.root, name, content)
		}
		if err != nil {
			e.errorf(diag.Position{File: name}, "the file cannot be edited: %v", diag.Cause(err))
		}
		e.files[name] = f
	}
	return f
}

// field returns the declaration of a field. If it can't be edited, field reports that and returns nil.
func (e *editor) field(at diag.Position, name string) *goedit.Field {
	f := e.open(at.File)
	if f == nil {
		return nil
	}
	d := f.Field(at.Line, at.Column)
	// A line directive, or a, b int, makes the position useless.
	if !d.Has(name) {
		e.errorf(at,
			"the declaration of %s can't be edited: declare the field on a line of its own, in a file without line directives", name)
		return nil
	}
	return d
}

// set returns the edited files, or none if a diagnostic is an error. The error value is a bug in mrgen.
func (e *editor) set() (*artifact.Set, diag.List, error) {
	set := &artifact.Set{}
	if e.diags.HasErrors() {
		return set, e.diags, nil
	}
	for name, f := range e.files {
		if !f.IsEdited() {
			continue
		}
		if ast.IsGenerated(f.Syntax) {
			e.diags = append(e.diags, diag.Warningf(diag.Position{File: name}, codeFix,
				"a generator writes this file, and will undo the edit: change its source, too"))
		}
		content, err := f.Edited()
		if err != nil {
			return nil, nil, err
		}
		if err := set.Add(name, content); err != nil {
			return nil, nil, err
		}
	}
	return set, e.diags, nil
}
